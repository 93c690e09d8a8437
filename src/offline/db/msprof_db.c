/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The database of a run: msprof's (doc/formats/framework.md#db-export), of torch_npu with what the framework
 * recorded (doc/formats/framework.md#torch_npu-db-export).
 */
#include "config.h"

#include "msprof/msprof.h"
#include "offline/db/torch_db.h"

struct making {
    struct offline_run *r;
    const char *path;
    struct torch_db *torch; /* NULL: nothing is added */
    size_t n;               /* PROF folders */
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
                                      .db_more = x->torch ? torch_db_more : NULL,
                                      .db_arg = x->torch,
                                      .db_rank = r->no_rank ? -1 : r->rank,
                                      .cancelled = r->o->cancelled };

    if (x->n++ || emit_report_new(&report, e))
        return e->code;
    (void)!msprof_export(r->unit, root, &o, report, e);
    if (!x->torch || x->torch->begun)
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

/* Without a PROF folder, and for chips that msprof makes no database of, there are the framework's tables. */
int offline_torch_db(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    char path[OFFLINE_PATH_B];
    struct torch_db torch;
    struct making to = { .r = r, .path = path, .torch = &torch };

    torch_db_init(&torch, r);
    if (offline_db_path(r, x, path, e) && torch_db_join(&torch, e) == OK) {
        if (r->has & NEEDS_NPU)
            (void)!msprof_each_root(r->unit, db_of_root, &to, e);
        if (!torch.begun && (!e->code || emit_goes_on(e)))
            (void)!torch_db_alone(&torch, x, e);
    }
    torch_db_done(&torch);
    return e->code;
}
