/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msprof_*.db (doc/formats/msprof.md#database): the file, its texts and the numbers of tasks. The tables are
 * in db_*.c.
 */
#include "config.h"

#include "msprof/db/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/path.h"
#include "emit/report.h"

/* ---- texts ---- */

static int string_rows(struct msprof_db *d, struct err *e)
{
    for (size_t i = 0; i < d->n_texts && !e->code; i++) {
        struct val v[] = { val_int((int64_t)i), val_text(prof_str(d->r->m.p, d->text[i])) };
        (void)!msprof_db_row(d, v, e);
    }
    return e->code;
}

/* Written last: by then all texts are known. */
static const struct msprof_db_table strings[] = {
    { "STRING_IDS", "id pk,value t", string_rows, .always = true },
    { .name = NULL },
};

/* ---- rows ---- */

/* What the caller adds to a table; NULL: further tables. */
static int add(struct msprof_db *d, const char *name, struct err *e)
{
    const struct msprof_options *o = d->r->o;

    return o->db_more ? o->db_more(o->db_arg, name, d->out, name ? d->table : NULL, e) : OK;
}

static int write_tables(struct msprof_db *d, const struct msprof_db_table *t, struct err *e)
{
    for (; t->name && !e->code; t++) {
        d->now = t;
        d->table = NULL;
        if (sink_cancelled(d->r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        if (t->always && msprof_db_make_table(d, e))
            break;
        if (t->rows(d, e) == OK && d->table)
            (void)!add(d, t->name, e);
    }
    return e->code;
}

/* ---- the whole ---- */

static int write_all(struct msprof_db *d, struct err *e)
{
    static const struct msprof_db_table *const groups[] = {
        msprof_db_facts, msprof_db_enums, msprof_db_host, msprof_db_device, msprof_db_sampled, msprof_db_soc,
        msprof_db_usage, msprof_db_cores, msprof_db_dpu,  msprof_db_comm,   msprof_db_ccu,
    };
    static const char *const na = "N/A";

    msprof_db_words(d, &na, 1, &d->none);
    /* msprof has these two texts in every database */
    msprof_db_word(d, "release");
    msprof_db_word(d, "allocate");
    if (msprof_db_number_tasks(d, e))
        return e->code;
    for (size_t i = 0; i < ARRAY_LEN(groups) && !e->code; i++)
        (void)!write_tables(d, groups[i], e);
    if (!e->code && add(d, NULL, e) == OK)
        (void)!write_tables(d, strings, e);
    return e->code;
}

static void report(struct msprof_run *r, const char *path, const struct err *e)
{
    struct emit_result x = { .rank = -1, .name = path_base(path), .outcome = EMIT_WRITTEN };
    struct stat st;
    char why[300];

    if (e->code) {
        x.outcome = EMIT_FAILED;
        x.why = err_message(e, why, sizeof why);
    } else if (stat(path, &st) == 0) {
        x.bytes = (uint64_t)st.st_size;
    }
    emit_report_add(r->report, &x);
}

static int write_file(struct msprof_run *r, const char *path, struct err *e)
{
    struct msprof_db d = { .r = r };

    if (emit_mkdirs(r->o->dir, e) == OK &&
        dbout_open(&d.out, path, r->o->db_path && r->o->db_replace, e) == OK) {
        (void)!write_all(&d, e);
        (void)!dbout_close(d.out, e);
    }
    report(r, path, e);
    free(d.string);
    free(d.text);
    spool_free(d.r->m.p->spool, d.alone);
    return e->code;
}

int msprof_db(struct msprof_run *r, struct err *e)
{
    char path[1024], name[64];

    /*
     * C++ writes the database with every form, Python only when it is asked for; no form writes part of one
     * (doc/formats/prof.md#two-implementations)
     */
    if (r->o->partial || (r->dialect == DIALECT_PYTHON && !(r->o->what & MSPROF_DB)))
        return OK;
    if (!r->m.p->chip->db) {
        msprof_no_data(r, "msprof", ".db", "there is none for this chip");
        return OK;
    }
    if (r->o->db_path)
        return write_file(r, r->o->db_path, e);
    snprintf(name, sizeof name, "msprof_%s.db", r->o->stamp);
    if (!path_join(path, sizeof path, r->o->dir, name))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (!(r->o->what & MSPROF_DB) && access(path, F_OK) == 0) { /* another form made it in the same second */
        msprof_no_data(r, "msprof", ".db", "is there already");
        return OK;
    }
    return write_file(r, path, e);
}
