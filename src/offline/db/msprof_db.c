/* SPDX-License-Identifier: Apache-2.0 */
/* The database of a run: msprof's (doc/formats/framework.md#db-export). */
#include "config.h"

#include "msprof/msprof.h"
#include "offline/db/db.h"

struct making {
    struct offline_run *r;
    const char *path;
    size_t n; /* PROF folders */
};

/* What the export says of its database, as ours. */
static void take_results(struct offline_run *r, const struct emit_report *of)
{
    size_t n;
    const struct emit_result *v = emit_report_results(of, &n);

    for (size_t i = 0; i < n; i++) {
        struct emit_result x = v[i];
        x.rank = r->rank;
        emit_report_add(r->report, &x);
    }
}

static int db_of_root(void *arg, struct str root, struct err *e)
{
    struct making *x = arg;
    struct offline_run *r = x->r;
    struct emit_report *report = NULL;
    const struct msprof_options o = { .what = MSPROF_DB,
                                      .stamp = r->stamp,
                                      .dir = r->o->dir,
                                      .compat = r->o->compat,
                                      .db_path = x->path,
                                      .db_replace = r->o->force,
                                      .cancelled = r->o->cancelled };

    if (x->n++ || emit_report_new(&report, e))
        return e->code;
    (void)!msprof_export(r->unit, root, &o, report, e);
    take_results(r, report);
    offline_keep_notes(r, report);
    emit_report_free(report);
    return e->code;
}

int offline_db(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    char path[OFFLINE_PATH_B];
    struct making to = { .r = r, .path = path };

    if (!offline_db_path(r, x, path, e))
        return e->code;
    return msprof_each_root(r->unit, db_of_root, &to, e);
}
