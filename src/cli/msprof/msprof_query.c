/* SPDX-License-Identifier: Apache-2.0 */
/* query as msprof.py has it: a table of models, or whether folders are those of a cluster. */
#include "config.h"

#include "cli/msprof/msprof_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/out.h"
#include "import/import.h"

#define MEMORY_MAX ((size_t)64 << 20)

/* clang-format off */
static const char *const titles[] = {
    "Job Info", "Device ID", "Dir Name", "Collection Time", "Model ID", "Iteration Number",
    "Top Time Iteration", "Rank ID"
};
/* Where npuscope has what msprof keeps in the databases of a cluster. */
static const char *const commands[] = {
    NULL, "steps --rank=all", "flops --rank=all", "data --rank=all", "report --rank=all", "steps --rank=all",
    "comm --rank=all", "comm --by=link --rank=all",
    "host --by=sample --rank=all", "comm --rank=all", "comm --by=link --rank=all",
};
/* clang-format on */

#define N_CELLS ARRAY_LEN(titles)

struct row {
    const char *cell[N_CELLS];
    int device, rank; /* -1: the host; unknown */
    bool below;       /* the PROF folder lies below -dir */
    size_t folder;
};
struct rows {
    struct arena *a;
    struct row *v;
    size_t n, cap, folders;
    const struct unit *u;
    const char *top; /* -dir, canonical */
    bool below;
};

/* ---- gathering ---- */

static const char *number(struct rows *q, bool known, unsigned long long n)
{
    return known ? arena_printf(q->a, "%llu", n) : "N/A";
}

static const char *safe(struct rows *q, struct str s)
{
    char text[400];

    text_safe_into(text, sizeof text, s, TEXT_ASCII);
    return arena_str(q->a, str_of(text)).p;
}

static int add_row(void *arg, const struct msprof_query_row *r, struct err *e)
{
    struct rows *q = arg;
    struct row *v = grow_array(q->v, q->n, &q->cap, sizeof *v, 32);

    if (!v)
        return err_nomem(e);
    q->v = v;
    v[q->n] = (struct row){
        .cell = { safe(q, r->job), r->device < 0 ? "" : number(q, true, (unsigned)r->device), safe(q, r->dir),
                  safe(q, r->time), number(q, r->has_model, r->model), number(q, r->has_model, r->iterations),
                  r->has_model ? safe(q, r->top) : "N/A", arena_printf(q->a, "%d", r->rank) },
        .device = r->device,
        .rank = r->rank,
        .below = q->below,
        .folder = q->folders,
    };
    for (size_t i = 0; i < N_CELLS; i++)
        if (!v[q->n].cell[i])
            return err_nomem(e);
    q->n++;
    return OK;
}

static int add_folder(void *arg, struct str root, struct err *e)
{
    struct rows *q = arg;
    char path[1024];
    int len = snprintf(path, sizeof path, "%s/%.*s", q->u->root, (int)root.n, root.p);

    while (len > 1 && len < (int)sizeof path && path[len - 1] == '/')
        path[--len] = '\0';
    q->below = strcmp(path, q->top) != 0;
    q->folders++;
    return msprof_query_read(q->u, root, add_row, q, e);
}

static int gather(struct rows *q, const struct job *job, const char *dir, struct err *e)
{
    q->top = job->path;
    for (size_t i = 0; i < job->n_units && !e->code; i++) {
        q->u = job->units[i];
        (void)!msprof_each_root(q->u, add_folder, q, e);
    }
    return e->code || q->folders ? e->code
                                 : err_set(e, ERR_FORMAT, "%s: no PROF folder with raw data", path_base(dir));
}

/* ---- the table ---- */

/* Columns as wide as their widest cell, each ended by a TAB, as msprof has them. */
static void put_table(struct out *o, const struct rows *q)
{
    size_t w[N_CELLS];

    for (size_t k = 0; k < N_CELLS; k++) {
        w[k] = strlen(titles[k]);
        for (size_t i = 0; i < q->n; i++)
            w[k] = strlen(q->v[i].cell[k]) > w[k] ? strlen(q->v[i].cell[k]) : w[k];
    }
    for (size_t i = 0; i <= q->n; i++) {
        for (size_t k = 0; k < N_CELLS; k++)
            out_printf(o, "%-*s\t", (int)w[k], i ? q->v[i - 1].cell[k] : titles[k]);
        out_puts(o, "\n");
    }
}

/* ---- one kind of data ---- */

/* Another device has the rank, or a device of another folder the number. */
static bool twice(const struct rows *q, size_t i, bool rank)
{
    const struct row *r = &q->v[i];

    for (size_t k = 0; k < i; k++) {
        const struct row *o = &q->v[k];
        if (!o->below || o->device < 0 || (o->folder == r->folder && o->device == r->device))
            continue;
        if (rank ? o->rank == r->rank : o->device == r->device)
            return true;
    }
    return false;
}

/*
 * As analysis/msinterface/msprof_query_summary_manager.py says it: ranks that are all known and all
 * different, or none that is known and more than one device, all different.
 */
static bool is_cluster(const struct rows *q)
{
    size_t n = 0, known = 0; /* devices; those with a rank */
    bool same_rank = false, same_device = false;

    for (size_t i = 0; i < q->n; i++) {
        const struct row *r = &q->v[i];
        bool counted = i && q->v[i - 1].folder == r->folder && q->v[i - 1].device == r->device;
        if (!r->below || r->device < 0 || counted)
            continue;
        n++;
        known += r->rank >= 0;
        same_rank |= twice(q, i, true);
        same_device |= twice(q, i, false);
    }
    if (known)
        return known == n && !same_rank;
    return n > 1 && !same_device;
}

/* ---- the whole ---- */

static int print(const struct msprof_args *a, const struct rows *q, struct err *e)
{
    const struct out_opts oo = { .path = NULL };
    struct out *o = NULL;
    bool gone = false;

    if (out_open(&o, &oo, e))
        return e->code;
    if (a->summary)
        out_printf(o, "{\"status\": 0, \"info\": \"\", \"data\": \"%d\"}\n", is_cluster(q));
    else
        put_table(o, q);
    return out_close(o, &gone, e);
}

int msprof_query(const struct msprof_args *a, struct err *e)
{
    struct rows q = { .n = 0 };
    struct job *job = NULL;

    if (a->summary && a->data_type) {
        err_set(e, ERR_FORMAT,
                "--data-type %u reads what msprof's 'import --cluster' keeps; for the same, see "
                "'npuscope %s %s'",
                a->data_type, commands[a->data_type], path_base(a->dir));
        return MSX_CLUSTER;
    }
    if (arena_new(&q.a, MEMORY_MAX, e) == OK && import_scan(&job, a->dir, e) == OK &&
        gather(&q, job, a->dir, e) == OK)
        (void)!print(a, &q, e);
    free(q.v);
    job_free(job);
    arena_free(q.a);
    return e->code ? -1 : MSX_OK;
}
