/* SPDX-License-Identifier: Apache-2.0 */
/* Applying the rules of expect.h to a unit. */
#include "config.h"

#include "run/expect.h"

#include <stdlib.h>

#include "base/lang/tr.h"
#include "run/build.h"

enum verdict { V_HOLDS, V_FAILS, V_MAYBE, V_NO_ROW };

struct expecting {
    struct build *b;
    const struct runinfo *r;
    bool noted;          /* the run's options or its raw data are there: else nothing can be expected */
    struct entry **rows; /* new ones, in the arena */
    size_t n, cap;
    bool ascend;
};

/* ---- conditions ---- */

static bool in_list(const char *list, const char *id)
{
    struct str rest = str_of(list), one;

    while (str_next(&rest, ',', &one))
        if (str_eq(one, str_of(id)))
            return true;
    return false;
}

/* Some file of these kinds, of this rank (-1: any). */
static bool have(const struct build *b, const char *kinds, int rank)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct entry *x = b->v[i];

        if (x->f.regular && in_list(kinds, x->f.kind->id) && (rank < 0 || x->f.rank < 0 || x->f.rank == rank))
            return true;
    }
    return false;
}

static bool ran_on_ascend(const struct build *b)
{
    return have(b,
                "g1_framework_raw,g1_op_detail,g1_op_type,g1_timeline_data,g1_hccl_raw,"
                "g1_hccl_trace,g1_aicpu,g1_op_compute_time,raw_hwts,raw_stars,raw_framework,raw_"
                "aicpu,raw_ts_track,raw_training_trace,raw_aicore,op_summary,g1_memory_pb,raw,"
                "raw_host_compact",
                -1);
}

static enum verdict of_option(enum tristate t, enum verdict unknown)
{
    return t == TRI_YES ? V_HOLDS : t == TRI_NO ? V_FAILS : unknown;
}

static enum verdict of_level(const struct runinfo *r, int least)
{
    if (r->level == -1)
        return V_NO_ROW;
    return r->level >= least ? V_HOLDS : V_FAILS;
}

/* Numbers of a version by value: 2.10 is above 2.7. */
static bool version_below(struct str v, const char *limit)
{
    return str_cmp_natural(v, str_of(limit)) < 0;
}

static enum verdict of_version(const struct runinfo *r, const struct expect_cond *c)
{
    bool below = version_below(r->version, c->arg);

    return r->version.n && below == (c->what == EX_BEFORE) ? V_HOLDS : V_NO_ROW;
}

static enum verdict of_files(const struct build *b, const struct expect_cond *c, int rank)
{
    bool there = have(b, c->arg, rank);

    if (c->what == EX_LACK)
        return there ? V_FAILS : V_HOLDS;
    return there ? V_HOLDS : c->what == EX_WITH ? V_NO_ROW : V_FAILS;
}

/* long: switch */
static enum verdict judge(const struct expecting *x, const struct expect_cond *c, int rank)
{
    const struct runinfo *r = x->r;
    enum verdict usual = x->noted ? V_HOLDS : V_NO_ROW;
    /* MindSpore 1.x is judged by the files that lie there, in a later condition */
    enum verdict by_files = r->gen == GEN_1 || r->gen == GEN_1B ? V_HOLDS : V_NO_ROW;

    switch (c->what) {
    case EX_NPU:
        return of_option(r->npu, usual);
    case EX_CPU:
        return of_option(r->cpu, usual);
    case EX_LEVEL0:
        return r->level == -1 ? usual : of_level(r, 0);
    case EX_LEVEL1:
        return of_level(r, 1);
    case EX_LEVEL2:
        return of_level(r, 2);
    case EX_MEMORY:
        return of_option(r->profile_memory, by_files);
    case EX_DATA:
        return of_option(r->data_process, by_files);
    case EX_L2:
        return of_option(r->l2_cache, V_NO_ROW);
    case EX_SHAPES:
        return of_option(r->record_shapes, V_NO_ROW);
    case EX_HBM:
        return of_option(r->hbm_ddr, V_NO_ROW);
    case EX_LINKS:
        return of_option(r->sys_interconnection, V_NO_ROW);
    case EX_IO:
        return of_option(r->sys_io, V_NO_ROW);
    case EX_COMM:
        return r->one_rank ? V_NO_ROW : of_option(r->communication, V_MAYBE);
    case EX_GRAPH:
        return of_option(r->graph_mode, V_HOLDS);
    case EX_TEXT:
        return r->export_text == TRI_NO ? V_NO_ROW : usual;
    case EX_DB:
        return r->export_db == TRI_YES ? V_HOLDS : V_NO_ROW;
    case EX_VERSION:
    case EX_BEFORE:
        return of_version(r, c);
    case EX_ASCEND:
        return x->ascend ? V_HOLDS : V_NO_ROW;
    case EX_WITH:
    case EX_HAVE:
    case EX_LACK:
        return of_files(x->b, c, rank);
    case EX_MAYBE:
        return V_MAYBE;
    case EX_END:
        break;
    }
    return V_HOLDS;
}

/* ---- rows ---- */

static int add_row(struct expecting *x, struct entry *row, struct err *e)
{
    if (x->n == x->cap) {
        size_t cap = x->cap ? x->cap * 2 : 32;
        struct entry **v = arena_array(x->b->a, cap, sizeof(struct entry *));

        if (!v)
            return err_nomem(e);
        if (x->n)
            memcpy(v, x->rows, x->n * sizeof(struct entry *));
        x->rows = v;
        x->cap = cap;
    }
    x->rows[x->n++] = row;
    return OK;
}

static const char *fill_in(struct arena *a, const char *pattern, int rank)
{
    const char *hole = strstr(pattern, "{R}");

    if (!hole)
        return arena_printf(a, "%s", pattern);
    return arena_printf(a, "%.*s%d%s", (int)(hole - pattern), pattern, rank, hole + 3);
}

/* The option as this generation calls it: "for frameworks; msprof: for msprof". */
static struct str option_of(const struct file_kind *k, enum gen g)
{
    struct str s = str_of(k->option), mark = STR("; msprof: ");
    size_t at = str_find(s, mark, 0);

    if (at == SIZE_MAX)
        return s;
    return g == GEN_M ? str_sub(s, at + mark.n, s.n) : str_sub(s, 0, at);
}

/* fails: the condition that kept the file from being written, NULL when it should be there. */
static int make_row(struct expecting *x, const struct expect_rule *rule, const struct expect_cond *fails,
                    int rank, struct err *e)
{
    struct arena *a = x->b->a;
    struct entry *row = arena_zalloc(a, sizeof(*row));
    struct entry_dir *dir = arena_zalloc(a, sizeof(*dir));
    const char *rel = fill_in(a, rule->path, rank);
    struct str option;
    size_t slash;

    if (!row || !dir || !rel)
        return err_nomem(e);
    slash = str_rchr(str_of(rel), '/');
    *dir = (struct entry_dir){ .path = { rel, slash == SIZE_MAX ? 0 : slash + 1 }, .device = -1 };
    row->dir = dir;
    row->f.rel = rel;
    row->f.path = arena_printf(a, "%s/%s", x->b->u->root, rel);
    row->f.kind = kind_by_id(x->b->t, rule->id);
    option = option_of(row->f.kind, x->r->gen);
    row->f.rank = rank;
    row->f.device = row->f.slice = -1;
    row->f.stamp = -1;
    row->f.id = (uint32_t)(x->b->n + x->n) + 1;
    row->f.state = fails ? FS_OFF : FS_ABSENT;
    if (fails && str_eq(option, STR("always")))
        row->f.note = fails->why;
    else if (fails)
        row->f.note = arena_printf(a, "%s; written with: %.*s", fails->why, (int)option.n, option.p);
    else if (x->r->analysed == TRI_NO && !rule->raw)
        row->f.note = N_("the run was not analysed");
    else
        row->f.note = rule->absent ? rule->absent : N_("the options ask for it and it is not there");
    return row->f.path && row->f.note ? add_row(x, row, e) : err_nomem(e);
}

/* The file lies there, in whatever folder and state. */
static bool is_there(const struct build *b, const struct expect_rule *rule, int rank)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct entry *f = b->v[i];

        if (f->f.kind->expect && strcmp(f->f.kind->expect, rule->id) == 0 &&
            (rank < 0 || f->f.rank < 0 || f->f.rank == rank))
            return true;
    }
    return false;
}

static int apply(struct expecting *x, const struct expect_rule *rule, int rank, struct err *e)
{
    const struct expect_cond *fails = NULL;

    if (is_there(x->b, rule, rank))
        return OK;
    for (size_t i = 0; i < ARRAY_LEN(rule->cond) && rule->cond[i].what != EX_END; i++) {
        switch (judge(x, &rule->cond[i], rank)) {
        case V_NO_ROW:
            return OK;
        case V_MAYBE:
            /* a run that was not analysed has none of its results */
            if (x->r->analysed == TRI_NO && !rule->raw)
                break;
            __attribute__((fallthrough));
        case V_FAILS:
            if (!fails)
                fails = &rule->cond[i];
            break;
        case V_HOLDS:
            break;
        }
    }
    return make_row(x, rule, fails, rank, e);
}

static int apply_all(struct expecting *x, struct err *e)
{
    const struct inventory_tables *t = x->b->t;

    for (size_t i = 0; i < t->n_expects; i++) {
        const struct expect_rule *rule = &t->expects[i];
        size_t times = strstr(rule->path, "{R}") ? x->r->n_ranks : 1;

        if (!(rule->gens & 1u << x->r->gen))
            continue;
        for (size_t k = 0; k < times; k++)
            if (apply(x, rule, x->r->ranks[k].rank, e))
                return e->code;
    }
    return OK;
}

/* ---- placing: at the end of their folder ---- */

static bool last_of_dir(const struct build *b, size_t i)
{
    for (size_t k = i + 1; k < b->n; k++)
        if (b->v[k]->dir == b->v[i]->dir)
            return false;
    return true;
}

static void place_dir(struct expecting *x, struct str dir, struct entry **v, size_t *n)
{
    for (size_t i = 0; i < x->n; i++) {
        if (!x->rows[i] || !str_eq(x->rows[i]->dir->path, dir))
            continue;
        v[(*n)++] = x->rows[i];
        x->rows[i] = NULL;
    }
}

static bool wants_dir(const struct expecting *x, struct str dir)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->rows[i] && str_eq(x->rows[i]->dir->path, dir))
            return true;
    return false;
}

static int place(struct expecting *x, struct err *e)
{
    struct build *b = x->b;
    struct entry **v = malloc((b->n + x->n + 1) * sizeof(struct entry *));
    size_t n = 0;

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < b->n; i++) {
        v[n++] = b->v[i];
        if (wants_dir(x, b->v[i]->dir->path) && last_of_dir(b, i))
            place_dir(x, b->v[i]->dir->path, v, &n);
    }
    for (size_t i = 0; i < x->n; i++)
        if (x->rows[i])
            v[n++] = x->rows[i];
    free(b->v);
    b->v = v;
    b->n = b->cap = n;
    return OK;
}

int build_expects(struct build *b, struct err *e)
{
    struct expecting x = { .b = b, .r = &b->u->info };

    /* a lone JOB folder is only a part; of loose files nothing can be expected */
    if (b->n == 0)
        return OK;
    if (b->root_kind != ROOT_RANK && b->root_kind != ROOT_FLAT && b->root_kind != ROOT_PROF)
        return OK;
    x.ascend = ran_on_ascend(b);
    x.noted = x.r->has_info || x.r->analysed == TRI_NO;
    if (apply_all(&x, e) == OK && x.n)
        return place(&x, e);
    return e->code;
}
