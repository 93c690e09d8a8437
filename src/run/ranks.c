/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks and devices of a unit and of its files (doc/formats/analysed.md#layouts, doc/store.md#ranks).
 *
 * A rank root is one rank, whatever the numbers in the names below it say; flat folders hold the ranks their
 * names count; a PROF folder has the ranks its info files record. Every further device is a rank of its own.
 * What is not recorded gets the smallest free number.
 */
#include "config.h"

#include <stdlib.h>

#include "run/build.h"

#define DEVICES_MAX 1024
#define RANKS_MAX   4096

struct device {
    int device;
    int rank; /* -1: not yet */
    bool known;
};

struct ranks {
    struct build *b;
    struct run_rank *v; /* RANKS_MAX */
    size_t n;
    struct device *dev;
    size_t n_dev;
    int main; /* rank of the process: of what belongs to no device */
};

static bool is_raw(const struct entry *x)
{
    return str_starts(str_of(x->f.kind->id), STR("raw"));
}

static int device_of(const struct entry *x)
{
    if (x->dir->device >= 0)
        return x->dir->device;
    return x->which == 'D' ? x->number : -1;
}

static struct run_rank *find_rank(struct ranks *r, int rank)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].rank == rank)
            return &r->v[i];
    return NULL;
}

static void add_rank(struct ranks *r, int rank, bool known, int device)
{
    struct run_rank *v = find_rank(r, rank);

    if (!v && r->n == RANKS_MAX)
        return;
    if (!v) {
        v = &r->v[r->n++];
        *v = (struct run_rank){ .rank = rank, .known = known, .device = -1 };
    }
    if (v->device < 0)
        v->device = device;
}

static int free_rank(struct ranks *r)
{
    int n = 0;

    while (find_rank(r, n))
        n++;
    return n;
}

static bool is_taken(const struct ranks *r, int rank)
{
    for (size_t i = 0; i < r->n_dev; i++)
        if (r->dev[i].rank == rank)
            return true;
    return false;
}

/* ---- the rank of a rank root: sources in their order ---- */

static int number_of_kind(const struct build *b, const char *kind)
{
    for (size_t i = 0; i < b->n; i++)
        if (entry_is(b->v[i], kind) && b->v[i]->which && b->v[i]->which != 'D')
            return b->v[i]->number;
    return -1;
}

static int number_of_setting(const struct build *b, const char *key)
{
    int64_t v;

    if (!str_i64(runinfo_get(&b->u->info, key, -1), &v) || v < 0 || v > 99999999)
        return -1;
    return (int)v;
}

/* rank_id of the info file itself: not the one of PROF's info.json, which an unset environment makes 0. */
static int number_of_info(const struct build *b)
{
    const struct runinfo *r = &b->u->info;

    for (size_t i = 0; i < r->n_settings; i++) {
        struct str key = r->settings[i].key;
        int64_t v;

        if ((str_eq(key, STR("rank_id")) || str_eq(key, STR("ms_profiler_info.rank_id"))) &&
            str_i64(r->settings[i].value, &v) && v >= 0 && v <= 99999999)
            return (int)v;
    }
    return -1;
}

static int number_of_folder(const char *pattern, const char *path)
{
    struct str s = str_of(path);
    struct kind_match m;

    if (!path)
        return -1;
    s = str_sub(s, str_rchr(s, '/') + 1, s.n);
    return kind_pattern_match(pattern, s, &m) ? m.number : -1;
}

static int rank_of_root(const struct build *b)
{
    /* the files of FRAMEWORK that Python names: those of the C++ writers say 0 when RANK_ID is not set */
    static const char *const kinds[] = { "raw_op_range", "md_pipeline_profiling", "md_cpu_utilization",
                                         "md_device_queue" };
    int v = number_of_kind(b, "profiler_info");

    if (v < 0)
        v = number_of_info(b);
    if (v < 0)
        v = number_of_kind(b, "pt_db");
    if (v < 0)
        v = number_of_kind(b, "ms_db");
    if (v < 0)
        v = number_of_folder("rank-{R}_{*}", b->u->root);
    if (v < 0)
        v = number_of_folder("rank{R}_start{*}", b->u->window);
    if (v < 0)
        v = number_of_setting(b, "prof.info.rank_id");
    for (size_t i = 0; i < ARRAY_LEN(kinds) && v < 0; i++)
        v = number_of_kind(b, kinds[i]);
    return v;
}

/* ---- devices ---- */

static int by_device(const void *pa, const void *pb)
{
    const struct device *a = pa, *b = pb;

    return a->device < b->device ? -1 : a->device > b->device;
}

static void add_device(struct ranks *r, int device)
{
    for (size_t i = 0; i < r->n_dev; i++)
        if (r->dev[i].device == device)
            return;
    if (r->n_dev < DEVICES_MAX)
        r->dev[r->n_dev++] = (struct device){ device, -1, false };
}

static void list_devices(struct ranks *r)
{
    for (size_t i = 0; i < r->b->n; i++) {
        const struct entry *x = r->b->v[i];

        if (device_of(x) >= 0 && (x->dir->device >= 0 || is_raw(x) || r->b->root_kind == ROOT_PROF))
            add_device(r, device_of(x));
    }
    qsort(r->dev, r->n_dev, sizeof(*r->dev), by_device);
}

/* rank_id that the info.json of a device records, -1: none. */
static int recorded_rank(const struct ranks *r, int device)
{
    const struct runinfo *info = &r->b->u->info;

    for (size_t i = 0; i < info->n_settings; i++) {
        const struct run_setting *s = &info->settings[i];
        int64_t v;

        if (str_eq(s->key, STR("prof.info.rank_id")) && device_of(r->b->v[s->source_id - 1]) == device &&
            str_i64(s->value, &v) && v >= 0 && v <= 99999999)
            return (int)v;
    }
    return -1;
}

static void give(struct device *d, int rank, bool known)
{
    d->rank = rank;
    d->known = known;
}

/* The device of a rank root: the one its info file names, else the first. */
static struct device *own_device(struct ranks *r)
{
    for (size_t i = 0; i < r->n_dev; i++)
        if (r->dev[i].device == r->v[0].device)
            return &r->dev[i];
    return &r->dev[0];
}

/* Ranks that something records, before free numbers are given. */
static void match_recorded(struct ranks *r, int own)
{
    bool flat = r->b->root_kind == ROOT_FLAT && r->n > 0;

    if (own >= 0 && r->n_dev)
        give(own_device(r), own, r->v[0].known);
    if (flat && r->n == 1 && r->n_dev == 1)
        give(&r->dev[0], r->v[0].rank, true);
    for (size_t i = 0; i < r->n_dev; i++) {
        int v = recorded_rank(r, r->dev[i].device);

        if (r->dev[i].rank < 0 && v >= 0 && !is_taken(r, v) && (!flat || find_rank(r, v)))
            give(&r->dev[i], v, true);
    }
    for (size_t i = 0; i < r->n_dev && flat; i++) {
        int v = r->dev[i].device;

        if (r->dev[i].rank < 0 && find_rank(r, v) && !is_taken(r, v))
            give(&r->dev[i], v, true);
    }
}

static void match_devices(struct ranks *r, int own)
{
    int process = number_of_setting(r->b, "prof.info.rank_id");

    match_recorded(r, own);
    /* the first device keeps the rank of its process */
    if (r->b->root_kind == ROOT_PROF && r->n_dev && r->dev[0].rank < 0 && process >= 0 &&
        !is_taken(r, process))
        give(&r->dev[0], process, true);
    for (size_t i = 0; i < r->n_dev; i++)
        if (r->dev[i].rank >= 0)
            add_rank(r, r->dev[i].rank, r->dev[i].known, r->dev[i].device);
    for (size_t i = 0; i < r->n_dev; i++) {
        if (r->dev[i].rank >= 0)
            continue;
        give(&r->dev[i], free_rank(r), false);
        add_rank(r, r->dev[i].rank, false, r->dev[i].device);
    }
}

/* ---- files ---- */

static bool counts_ranks(const struct build *b)
{
    return b->root_kind != ROOT_RANK && b->root_kind != ROOT_PROF && b->root_kind != ROOT_CLUSTER;
}

/* The rank a name counts, -1: none. */
static int own_number(const struct build *b, const struct entry *x)
{
    if (!counts_ranks(b) || x->dir->prof.p || (x->which != 'N' && x->which != 'R'))
        return -1;
    return x->number;
}

static int rank_of_device(const struct ranks *r, int device)
{
    for (size_t i = 0; i < r->n_dev; i++)
        if (r->dev[i].device == device)
            return r->dev[i].rank;
    return -1;
}

/* Not about one rank: no rank where there are several. */
static bool is_of_all(const struct build *b, const struct entry *x)
{
    return x->f.kind == b->t->unknown || x->f.kind->order >= 90 || !x->f.regular;
}

static void set_file(struct ranks *r, struct entry *x)
{
    int own = own_number(r->b, x);

    x->f.device = device_of(x);
    x->f.rank = own >= 0 && find_rank(r, own) ? own : rank_of_device(r, x->f.device);
    if (x->f.rank < 0 && (r->n == 1 || !is_of_all(r->b, x)))
        x->f.rank = r->main;
    if (x->f.device < 0 && x->f.rank >= 0 && r->b->root_kind == ROOT_RANK)
        x->f.device = find_rank(r, x->f.rank)->device;
}

static int by_rank(const void *pa, const void *pb)
{
    const struct run_rank *a = pa, *b = pb;

    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void finish(struct ranks *r)
{
    struct runinfo *info = &r->b->u->info;
    struct str host = runinfo_get(info, "prof.info.hostname", -1);

    qsort(r->v, r->n, sizeof(*r->v), by_rank);
    if (r->main < 0)
        r->main = r->v[0].rank;
    info->ranks = r->v;
    info->n_ranks = r->n;
    for (size_t i = 0; i < r->n && host.n; i++)
        r->v[i].host = host.p;
    for (size_t i = 0; i < r->b->n; i++)
        set_file(r, r->b->v[i]);
    for (size_t i = 0; i < info->n_settings; i++)
        info->settings[i].rank = r->b->v[info->settings[i].source_id - 1]->f.rank;
}

static void add_of_cluster(void *arg, int rank)
{
    add_rank(arg, rank, true, -1);
}

int build_ranks(struct build *b, struct err *e)
{
    struct ranks r = { .b = b };
    int own = -1;

    r.v = arena_array(b->a, RANKS_MAX, sizeof(*r.v));
    r.dev = arena_array(b->a, DEVICES_MAX, sizeof(*r.dev));
    if (!r.v || !r.dev)
        return err_nomem(e);
    if (b->root_kind == ROOT_RANK) {
        bool known;

        own = rank_of_root(b);
        known = own >= 0;
        own = known ? own : 0;
        add_rank(&r, own, known, number_of_setting(b, "ms_profiler_info.device_id"));
    }
    for (size_t i = 0; i < b->n; i++)
        if (own_number(b, b->v[i]) >= 0)
            add_rank(&r, b->v[i]->number, true, -1);
    if (b->root_kind == ROOT_CLUSTER)
        cluster_ranks(b, add_of_cluster, &r);
    list_devices(&r);
    match_devices(&r, own);
    if (r.n == 0)
        add_rank(&r, 0, false, -1);
    r.main = own;
    if (own < 0 && b->root_kind == ROOT_PROF && r.n_dev)
        r.main = r.dev[0].rank;
    finish(&r);
    return OK;
}
