/* SPDX-License-Identifier: Apache-2.0 */
/* msprof's files of the run's PROF folders, made into files without a name. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/spool.h"
#include "msprof/msprof.h"
#include "offline/run.h"

#define STAMP "00000000000000" /* in the names, which nobody sees */

struct exporting {
    struct offline_run *r;
    bool (*wanted)(void *arg, const char *what);
    void *arg;
    const char *prof;
    size_t n;
};

static bool is_wanted(void *arg, const char *what)
{
    const struct exporting *x = arg;

    return x->wanted(x->arg, what);
}

/* A file of this name is put into the list, and written through a second descriptor. */
static int create(void *arg, struct emit **o, const char *name, struct err *e)
{
    struct exporting *x = arg;
    struct offline_run *r = x->r;
    struct offline_file *f = arena_array(r->a, 1, sizeof *f);
    struct str rel = arena_str(r->a, str_of(name)), dir;
    size_t slash = str_chr(rel, '/');

    *o = NULL;
    if (!f || !rel.p || slash == SIZE_MAX)
        return err_nomem(e);
    dir = arena_str(r->a, str_sub(rel, 0, slash));
    if (!dir.p)
        return err_nomem(e);
    *f = (struct offline_file){ .name = path_base(rel.p), .dir = dir.p, .prof = x->prof };
    f->fd = spool_file(e);
    if (f->fd < 0)
        return e->code;
    *r->last_file = f;
    r->last_file = &f->next;
    int second = dup(f->fd);
    return second < 0 ? err_nomem(e) : emit_into(o, second, name, e);
}

/*
 * Results of msprof are on the way to ours: what it could not make is said by the files that need it; what it
 * met in the input is kept.
 */
static void keep_notes(struct offline_run *r, const struct emit_report *of)
{
    size_t n;
    const struct emit_note *x = emit_report_notes(of, &n);

    for (size_t i = 0; i < n; i++)
        emit_report_note(r->report, &x[i]);
}

static int export_root(void *arg, struct str root, struct err *e)
{
    struct exporting *x = arg;
    struct offline_run *r = x->r;
    struct emit_report *report = NULL;
    struct str prof = arena_str(r->a, root);
    struct msprof_options o = {
        .what = MSPROF_SUMMARY | MSPROF_TIMELINE | MSPROF_COMM | MSPROF_COMM_MATRIX,
        .stamp = STAMP,
        .dir = "",
        .compat = r->o->compat,
        .wanted = is_wanted,
        .create = create,
        .files_arg = x,
        .cancelled = r->o->cancelled,
        .progress = r->o->progress,
        .progress_arg = r->o->progress_arg,
    };

    if (!prof.p || emit_report_new(&report, e))
        return err_nomem(e);
    x->prof = prof.p;
    x->n++;
    int rc = msprof_export(r->unit, root, &o, report, e);
    keep_notes(r, report);
    emit_report_free(report);
    return rc;
}

int offline_export(struct offline_run *r, bool (*wanted)(void *arg, const char *what), void *arg,
                   struct err *e)
{
    struct exporting x = { .r = r, .wanted = wanted, .arg = arg };

    return msprof_each_root(r->unit, export_root, &x, e);
}

void offline_export_done(struct offline_run *r)
{
    for (struct offline_file *f = r->file; f; f = f->next)
        if (f->fd >= 0)
            close(f->fd);
    r->file = NULL;
    r->last_file = &r->file;
}

const struct offline_file *offline_exported(const struct offline_run *r, const char *begin, const char *end,
                                            const struct offline_file *after)
{
    for (const struct offline_file *f = after ? after->next : r->file; f; f = f->next)
        if (str_starts(str_of(f->name), str_of(begin)) && str_ends(str_of(f->name), str_of(end)))
            return f;
    return NULL;
}
