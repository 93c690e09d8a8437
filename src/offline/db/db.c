/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a database, and its texts. */
#include "config.h"

#include "offline/db/db.h"

#include <sys/stat.h>

#include "base/path.h"

/* ---- the file ---- */

/* No link in the place of the folder of results is followed. */
static bool leads_out(const struct offline_run *r)
{
    char path[1100];
    struct stat st;

    return r->o->below[0] && path_join(path, sizeof path, r->o->dir, r->o->below) && lstat(path, &st) == 0 &&
           S_ISLNK(st.st_mode);
}

bool offline_db_path(struct offline_run *r, const struct offline_output *x, char path[OFFLINE_PATH_B],
                     struct err *e)
{
    char dir[1100];

    if (!path_join(dir, sizeof dir, r->o->dir, r->o->below) ||
        !path_join(path, OFFLINE_PATH_B, dir, offline_name(r, x))) {
        err_set(e, ERR_USAGE, "the path of the output directory is too long");
        return false;
    }
    if (leads_out(r)) {
        offline_no_data(r, x, "a link stands where results belong, which is not followed");
        return false;
    }
    return emit_mkdirs(dir, e) == OK;
}

static void report(struct offline_run *r, const struct offline_db *db, const struct offline_output *x,
                   const struct err *e)
{
    struct emit_result row = {
        .rank = r->rank, .name = offline_name(r, x), .path = db->path, .outcome = EMIT_WRITTEN
    };
    struct stat st;
    char why[300];

    if (e->code) {
        row.outcome = EMIT_FAILED;
        row.why = err_message(e, why, sizeof why);
    } else if (stat(db->path, &st) == 0) {
        row.bytes = (uint64_t)st.st_size;
    }
    emit_report_add(r->report, &row);
}

int offline_db_open(struct offline_run *r, struct offline_db *db, const struct offline_output *x,
                    struct err *e)
{
    db->out = NULL;
    db->rows = 0;
    if (!offline_db_path(r, x, db->path, e) || dbout_open(&db->out, db->path, r->o->force, e) == OK)
        return e->code;
    db->out = NULL;
    report(r, db, x, e);
    return emit_goes_on(e) ? OK : e->code;
}

int offline_db_close(struct offline_run *r, struct offline_db *db, const struct offline_output *x,
                     const char *none, struct err *e)
{
    if (!db->out)
        return e->code;
    if (e->code || (!db->rows && none))
        dbout_drop(db->out);
    else
        (void)!dbout_close(db->out, e);
    db->out = NULL;
    if (!e->code && !db->rows && none)
        offline_no_data(r, x, none);
    else
        report(r, db, x, e);
    return e->code;
}

/* ---- texts ---- */

struct val offline_db_text(struct offline_db_texts *t, struct str s, struct err *e)
{
    if (!s.n)
        return val_null();
    if (!t->texts && intern_new(&t->texts, e))
        return val_null();
    uint32_t id = intern_put(t->texts, s);
    if (id == INTERN_NONE) {
        err_nomem(e);
        return val_null();
    }
    return val_int(t->base + id);
}

int offline_db_put_texts(const struct offline_db_texts *t, struct dbout_table *ids, struct err *e)
{
    uint32_t n = t->texts ? intern_count(t->texts) : 0;

    for (uint32_t i = 0; i < n && !e->code; i++) {
        const struct val v[] = { val_int(t->base + i), val_text(intern_get(t->texts, i)) };
        (void)!dbout_row(ids, v, e);
    }
    return e->code;
}

void offline_db_texts_done(struct offline_db_texts *t)
{
    intern_free(t->texts);
    t->texts = NULL;
}
