/* SPDX-License-Identifier: Apache-2.0 */
/* msprof's files of the run's PROF folders, made into files without a name. */
#include "config.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/large/spool.h"
#include "base/path.h"
#include "base/read/infile.h"
#include "msprof/msprof.h"
#include "offline/run.h"

struct exporting {
    struct offline_run *r;
    bool (*wanted)(void *arg, const char *what);
    void *arg;
    const char *prof; /* the PROF folder at hand, below the unit's root */
    /* files of the timeline, which is made in a thread of its own: they come after those of the others */
    struct offline_file *trace, **last_trace;
    pthread_mutex_t lock; /* of both lists and the arena */
};

static bool is_wanted(void *arg, const char *what)
{
    const struct exporting *x = arg;

    /* what stays in the PROF folder is whole, but for what only msprof writes for people */
    if (x->r->o->keep_exports)
        return strcmp(what, "database") && strcmp(what, "README.txt");
    return x->wanted(x->arg, what);
}

static struct offline_file *new_file(struct exporting *x, const char *name)
{
    struct arena *a = x->r->a;
    struct offline_file *f = arena_array(a, 1, sizeof *f);
    struct str rel = arena_str(a, str_of(name)), dir;
    size_t slash = str_chr(rel, '/');

    if (!f || !rel.p || slash == SIZE_MAX)
        return NULL;
    dir = arena_str(a, str_sub(rel, 0, slash));
    *f = (struct offline_file){ .name = path_base(rel.p), .dir = dir.p, .prof = x->prof, .fd = -1 };
    return dir.p ? f : NULL;
}

/* Also step_trace_*.json and msprof_tx_*.json, which the same thread makes. */
static bool is_of_timeline(const char *name)
{
    struct str s = str_of(name);

    return str_ends(s, STR(".json")) && (str_starts(s, STR("msprof_")) || str_starts(s, STR("step_trace_")));
}

static void list_file(struct exporting *x, struct offline_file *f)
{
    struct offline_file ***last = is_of_timeline(f->name) ? &x->last_trace : &x->r->last_file;

    **last = f;
    *last = &f->next;
}

/* A file of this name is put into the list, and written through a second descriptor. By several threads. */
static int create(void *arg, struct emit **o, const char *name, struct err *e)
{
    struct exporting *x = arg;

    *o = NULL;
    pthread_mutex_lock(&x->lock);
    struct offline_file *f = new_file(x, name);
    pthread_mutex_unlock(&x->lock);
    if (!f)
        return err_nomem(e);
    f->fd = spool_file(e);
    if (f->fd < 0)
        return e->code;
    pthread_mutex_lock(&x->lock);
    list_file(x, f);
    pthread_mutex_unlock(&x->lock);
    int second = dup(f->fd);
    return second < 0 ? err_nomem(e) : emit_into(o, second, name, e);
}

/* Files that could not be written, wholly or at all: nothing may be made of them. */
static int mark_failed(struct exporting *x, const struct emit_report *report, struct err *e)
{
    size_t n;
    const struct emit_result *row = emit_report_results(report, &n);

    for (size_t i = 0; i < n; i++) {
        struct offline_file *f = x->r->file;
        char name[300];
        if (row[i].outcome != EMIT_FAILED)
            continue;
        while (f && (f->prof != x->prof || strcmp(f->name, row[i].name)))
            f = f->next;
        snprintf(name, sizeof name, "%s/%s", MSPROF_RESULTS, row[i].name);
        if (!f && (f = new_file(x, name)) != NULL) {
            *x->r->last_file = f;
            x->r->last_file = &f->next;
        }
        if (!f || !(f->why = arena_str(x->r->a, str_of(row[i].why ? row[i].why : "not written")).p))
            return err_nomem(e);
    }
    return OK;
}

void offline_keep_notes(struct offline_run *r, const struct emit_report *of)
{
    size_t n;
    const struct emit_note *x = emit_report_notes(of, &n);

    for (size_t i = 0; i < n; i++)
        emit_report_note(r->report, &x[i]);
}

/*
 * Steps are iterations of no model; where the program marked none, those of the graph that ran most often
 * (older drivers: doc/formats/framework.md#export).
 */
struct choice {
    uint32_t model;
    uint64_t most;
};

static int choose(void *arg, const struct msprof_query_row *row, struct err *e)
{
    struct choice *x = arg;

    (void)e;
    if (!row->has_model || !row->iterations || (x->most && x->model == UINT32_MAX))
        return OK;
    if (row->model == UINT32_MAX || row->iterations > x->most) {
        x->model = (uint32_t)row->model;
        x->most = row->iterations;
    }
    return OK;
}

/* Tables and timeline of the steps asked for; communication is always that of all. */
static int export_parts(const struct offline_run *r, struct str root, const struct msprof_options *all,
                        struct emit_report *report, struct err *e)
{
    struct msprof_options part = *all;
    struct choice chosen = { .model = UINT32_MAX };

    if (!r->o->n_steps)
        return msprof_export(r->unit, root, all, report, e);
    if (msprof_query_read(r->unit, root, choose, &chosen, e))
        return e->code;
    part.what = MSPROF_SUMMARY | MSPROF_TIMELINE;
    part.partial = true;
    part.model = chosen.model;
    part.iteration = r->o->first_step;
    part.count = r->o->n_steps;
    if (msprof_export(r->unit, root, &part, report, e))
        return e->code;
    part = *all;
    part.what = MSPROF_COMM | MSPROF_COMM_MATRIX;
    return msprof_export(r->unit, root, &part, report, e);
}

static int export_root(void *arg, struct str root, struct err *e)
{
    struct exporting *x = arg;
    struct offline_run *r = x->r;
    struct emit_report *report = NULL;
    struct str prof = arena_str(r->a, root);
    struct msprof_options o = {
        .what = MSPROF_SUMMARY | MSPROF_TIMELINE | MSPROF_COMM | MSPROF_COMM_MATRIX,
        .stamp = r->stamp,
        .dir = "",
        .compat = r->o->compat,
        .wanted = is_wanted,
        .create = create,
        .files_arg = x,
        .cancelled = r->o->cancelled,
        .progress = r->o->progress,
        .progress_arg = r->o->progress_arg,
    };

    if (!offline_is_our_root(r, root))
        return OK;
    if (!prof.p || emit_report_new(&report, e))
        return err_nomem(e);
    x->prof = prof.p;
    int rc = export_parts(r, root, &o, report, e);
    *r->last_file = x->trace;
    if (x->trace)
        r->last_file = x->last_trace;
    x->trace = NULL;
    x->last_trace = &x->trace;
    offline_keep_notes(r, report);
    if (rc == OK)
        rc = mark_failed(x, report, e);
    emit_report_free(report);
    return rc;
}

int offline_export(struct offline_run *r, bool (*wanted)(void *arg, const char *what), void *arg,
                   struct err *e)
{
    struct exporting x = { .r = r, .wanted = wanted, .arg = arg, .lock = PTHREAD_MUTEX_INITIALIZER };

    time_t now = time(NULL);
    struct tm tm;

    x.last_trace = &x.trace;
    gmtime_r(&now, &tm);
    strftime(r->stamp, sizeof r->stamp, "%Y%m%d%H%M%S", &tm);
    (void)!msprof_each_root(r->unit, export_root, &x, e);
    pthread_mutex_destroy(&x.lock);
    return e->code;
}

/* ---- leaving them in the PROF folder ---- */

int offline_copy_bytes(struct emit *o, const struct offline_file *f, struct err *e)
{
    struct infile *in = NULL;
    size_t n, got = 1;

    if (infile_open_fd(&in, f->fd, f->name, 0, e))
        return e->code;
    while (got && infile_more(in, &got, e) == OK) {
        const char *p = infile_data(in, &n);
        emit_n(o, p, n);
        infile_take(in, n);
    }
    infile_close(in);
    return e->code;
}

static int keep_one(struct offline_run *r, const struct offline_file *f, struct err *e)
{
    struct emit_count count = { 0 };
    struct emit *o = NULL;
    char name[1024], path[1024], why[300];

    snprintf(name, sizeof name, "%s%s/%s", f->prof, f->dir, f->name);
    struct emit_result x = { .rank = r->rank, .name = f->name, .outcome = EMIT_WRITTEN };
    if (f->why) {
        x.outcome = EMIT_FAILED;
        x.why = f->why;
        emit_report_add(r->report, &x);
        return OK;
    }
    if (emit_create(&o, r->unit->root, name, true, e) == OK) {
        snprintf(path, sizeof path, "%s", o->path);
        x.path = path;
    }
    if (e->code == OK && offline_copy_bytes(o, f, e) == OK)
        (void)!emit_close(o, &count, e);
    else
        emit_drop(o);
    x.bytes = count.bytes;
    if (e->code) {
        x.outcome = EMIT_FAILED;
        x.why = err_message(e, why, sizeof why);
    }
    emit_report_add(r->report, &x);
    return e->code;
}

int offline_keep_exports(struct offline_run *r, struct err *e)
{
    for (const struct offline_file *f = r->file; f; f = f->next)
        if (keep_one(r, f, e) && !emit_goes_on(e))
            return e->code;
    return OK;
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
        if (!f->why && str_starts(str_of(f->name), str_of(begin)) && str_ends(str_of(f->name), str_of(end)))
            return f;
    return NULL;
}

/* A file of this name is one that the word of msprof/msprof.c stands for. */
static bool is_of_word(const char *name, const char *word)
{
    static const char *const memory[] = { "memory_record_", "operator_memory_", "npu_mem_",
                                          "npu_module_mem_" };

    if (!strcmp(word, "timeline"))
        return is_of_timeline(name);
    for (size_t i = 0; !strcmp(word, "memory") && i < ARRAY_LEN(memory); i++)
        if (str_starts(str_of(name), str_of(memory[i])))
            return true;
    return str_starts(str_of(name), str_of(word));
}

const char *offline_export_lacks(const struct offline_run *r, const struct offline_output *x)
{
    for (const struct offline_file *f = r->file; f; f = f->next) {
        if (!f->why)
            continue;
        if (x->is_db || (x->from && str_starts(str_of(f->name), str_of(x->from))))
            return f->why;
        for (size_t k = 0; !x->from && k < ARRAY_LEN(x->export) && x->export[k]; k++)
            if (is_of_word(f->name, x->export[k]))
                return f->why;
    }
    return NULL;
}
