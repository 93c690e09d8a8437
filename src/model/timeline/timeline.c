/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks, cells, events of the timeline. */
#include "config.h"

#include "model/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "model/timeline/timeline_int.h"
#include "model/views/colset.h"

#define TRACK_ARENA_B ((size_t)64 << 20)

/* Order of kinds on the screen: device first (doc/screens.md#timeline). */
static const char *const kind_order[] = { "step",        "stream", "plane",   "aicpu",  "engine", "overlap",
                                          "host_thread", "scope",  "counter", "memory", "queue" };

static size_t kind_rank(struct str kind)
{
    for (size_t i = 0; i < ARRAY_LEN(kind_order); i++)
        if (str_eq(kind, str_of(kind_order[i])))
            return i;
    return ARRAY_LEN(kind_order);
}

/* ---- open ---- */

static struct str keep(struct timeline *t, struct str s)
{
    return s.p ? arena_str(t->arena, s) : s;
}

static int add_track(struct timeline *t, size_t part, struct query *q, struct err *e)
{
    struct tl_track *p = realloc(t->tracks, (t->n_tracks + 1) * sizeof *p);

    if (!p)
        return err_nomem(e);
    t->tracks = p;
    p += t->n_tracks++;
    *p = (struct tl_track){
        .id = query_int(q, 0),
        .part = part,
        .rank = t->parts[part].rank,
        .kind = keep(t, query_str(q, 1)),
        .process = keep(t, query_str(q, 2)),
        .name = keep(t, query_str(q, 3)),
        .unit = keep(t, query_str(q, 4)),
        .stream = query_null(q, 5) ? -1 : query_int(q, 5),
        .n = query_int(q, 6),
        .t0 = query_int(q, 7),
        .t1 = query_int(q, 8),
        .busy_ns = query_int(q, 9),
        .place = t->n_tracks,
    };
    int64_t lanes = query_int(q, 10);
    p->lanes = lanes < 1 ? 1 : lanes < CHUNK_LANES ? (int)lanes : CHUNK_LANES;
    p->is_unsure = query_int(q, 11);
    p->own_clock = query_int(q, 12);
    p->is_counter = str_eq(p->kind, STR("counter"));
    p->is_host = str_eq(p->kind, STR("host_thread")) || str_eq(p->kind, STR("scope"));
    return OK;
}

static int load_tracks(struct timeline *t, size_t part, struct err *e)
{
    static const char sql[] =
        "SELECT t.id, t.kind, p.text, " COLSET_TRACK ", t.unit, t.stream, t.n, t.t0, t.t1, t.busy_ns, "
        "t.lanes, ifnull(t.damage LIKE '%time%', 0), "
        "EXISTS(SELECT 1 FROM note n WHERE n.source_id = t.source_id AND n.code = 'OTHER_CLOCK') "
        "FROM track t LEFT JOIN string p ON p.id = t.process_id "
        "WHERE t.rank = :rank AND t.kind <> 'flow' AND t.n > 0 ORDER BY t.sort, t.id";
    struct query *q = NULL;
    int rc;

    if (store_query(t->parts[part].store, &q, sql, e))
        return e->code;
    query_bind_int(q, ":rank", t->parts[part].rank);
    while ((rc = query_step(q, e)) == 1)
        if (add_track(t, part, q, e))
            break;
    query_free(q);
    return e->code;
}

static int track_cmp(const void *a, const void *b)
{
    const struct tl_track *x = a, *y = b;
    size_t kx = kind_rank(x->kind), ky = kind_rank(y->kind);

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (kx != ky)
        return kx < ky ? -1 : 1;
    int c = str_cmp_natural(x->process.p ? x->process : STR(""), y->process.p ? y->process : STR(""));
    if (c)
        return c;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (str_eq(x->kind, STR("plane"))) /* the tracks of a group follow it */
        return x->place < y->place ? -1 : x->place > y->place;
    c = str_cmp_natural(x->name.p ? x->name : STR(""), y->name.p ? y->name : STR(""));
    return c ? c : x->id < y->id ? -1 : x->id > y->id;
}

/* A track in screen order and the first of its group, which has one heading: a process with one clock. */
struct placed {
    const struct tl_track *t;
    size_t at, first;
};

static int by_group(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int c;

    if (x->t->part != y->t->part)
        return x->t->part < y->t->part ? -1 : 1;
    if (x->t->own_clock != y->t->own_clock)
        return x->t->own_clock ? 1 : -1;
    c = str_cmp(x->t->process, y->t->process);
    return c ? c : x->at < y->at ? -1 : x->at > y->at;
}

static int by_first(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static bool is_one_group(const struct tl_track *a, const struct tl_track *b)
{
    return a->part == b->part && a->own_clock == b->own_clock && a->process.n &&
           str_eq(a->process, b->process);
}

/* Tracks of later kinds join those of their group that come first. */
static int join_groups(struct tl_track *v, size_t n, struct err *e)
{
    struct placed *p = calloc(n + 1, sizeof *p);
    struct tl_track *was = calloc(n + 1, sizeof *was);

    for (size_t i = 0; p && was && i < n; i++) {
        was[i] = v[i];
        p[i] = (struct placed){ &was[i], i, i };
    }
    if (p && was && n) {
        qsort(p, n, sizeof *p, by_group);
        for (size_t i = 1; i < n; i++)
            p[i].first = is_one_group(p[i - 1].t, p[i].t) ? p[i - 1].first : p[i].at;
        qsort(p, n, sizeof *p, by_first);
        for (size_t i = 0; i < n; i++)
            v[i] = *p[i].t;
    }
    const bool failed = !p || !was;
    free(p);
    free(was);
    return failed ? err_nomem(e) : OK;
}

int timeline_open(struct timeline **out, struct store *const *stores, const int *ranks, size_t n,
                  struct err *e)
{
    struct timeline *t = calloc(1, sizeof *t);

    if (!t)
        return err_nomem(e);
    timeline_set_cache(t, 1);
    t->parts = calloc(n ? n : 1, sizeof *t->parts);
    if (!t->parts || arena_new(&t->arena, TRACK_ARENA_B, e)) {
        err_nomem(e);
        goto fail;
    }
    for (size_t i = 0; i < n; i++) {
        t->parts[t->n_parts++] = (struct tl_part){ .store = stores[i], .rank = ranks[i] };
        if (load_tracks(t, i, e))
            goto fail;
    }
    if (t->n_tracks)
        qsort(t->tracks, t->n_tracks, sizeof *t->tracks, track_cmp);
    if (join_groups(t->tracks, t->n_tracks, e))
        goto fail;
    t->track_class = calloc(t->n_tracks ? t->n_tracks : 1, sizeof *t->track_class);
    t->dirs = calloc(t->n_tracks ? t->n_tracks : 1, sizeof *t->dirs);
    if (!t->track_class || !t->dirs) {
        err_nomem(e);
        goto fail;
    }
    for (size_t i = 0; i < t->n_tracks; i++)
        t->track_class[i] = op_class_of_track(t->tracks[i].kind, t->tracks[i].process);
    for (size_t i = 0; i < n; i++)
        if (dirs_load(t, i, e) || running_load(t, i, e))
            goto fail;
    *out = t;
    return OK;
fail:
    timeline_close(t);
    return e->code;
}

void timeline_close(struct timeline *t)
{
    if (!t)
        return;
    dirs_free(t);
    for (size_t i = 0; i < t->n_parts; i++) {
        struct tl_part *p = &t->parts[i];
        free(p->classes.of);
        free(p->overlap_classes.of);
        query_free(p->get_chunk);
        query_free(p->get_names);
        query_free(p->get_lod);
        query_free(p->get_class);
        query_free(p->get_flows);
    }
    free(t->parts);
    grid_free(&t->grid);
    free(t->tracks);
    free(t->track_class);
    arena_free(t->arena);
    free(t);
}

size_t timeline_n_tracks(const struct timeline *t)
{
    return t->n_tracks;
}

const struct tl_track *timeline_track(const struct timeline *t, size_t i)
{
    return &t->tracks[i];
}

bool timeline_span(const struct timeline *t, int64_t *t0, int64_t *t1)
{
    bool any = false;

    for (size_t i = 0; i < t->n_tracks; i++) {
        if (!any || t->tracks[i].t0 < *t0)
            *t0 = t->tracks[i].t0;
        const int64_t end = timeline_track_end(&t->tracks[i]);
        *t1 = !any || end > *t1 ? end : *t1;
        any = true;
    }
    return any;
}

struct str timeline_name(struct timeline *t, size_t track, int64_t name_id)
{
    return store_string(t->parts[t->tracks[track].part].store, name_id);
}

/* ---- classes ---- */
