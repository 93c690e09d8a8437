/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline while filling: tracks, chunks, order inside a track (doc/performance.md#chunks, #track-order). */
#include "config.h"

#include "base/bounded.h"
#include "base/heap.h"
#include "store/fill/fill_int.h"

#include <stdlib.h>
#include <string.h>

/* ---- tracks ---- */

static uint64_t track_key(const struct track_def *d)
{
    uint64_t h = str_hash(d->pid.p ? d->pid : STR(""), (uint64_t)d->rank * 64 + (uint64_t)d->kind);

    h = str_hash(d->tid.p ? d->tid : STR(""), h);
    /* Tracks without ids of their own (made from tables) are told apart by name. */
    return d->pid.p || d->tid.p
               ? h
               : str_hash(d->name.p ? d->name : STR(""), str_hash(d->process.p ? d->process : STR(""), h));
}

static bool str_same(struct str a, struct str b)
{
    return str_eq(a.p ? a : STR(""), b.p ? b : STR(""));
}

static bool track_same(const struct track_def *a, const struct track_def *b)
{
    if (a->rank != b->rank || a->kind != b->kind || !str_same(a->pid, b->pid) || !str_same(a->tid, b->tid))
        return false;
    if (a->kind == TK_COUNTER || (!a->pid.p && !a->tid.p))
        return str_same(a->name, b->name) && str_same(a->process, b->process);
    return true;
}

static bool keep(struct str *slot, struct str s)
{
    if (!s.p) {
        *slot = STR_NULL;
        return true;
    }
    char *c = malloc(s.n + 1);
    if (!c)
        return false;
    memcpy(c, s.p, s.n);
    c[s.n] = 0;
    *slot = (struct str){ c, s.n };
    return true;
}

static void def_done(struct track_def *d)
{
    free((char *)d->pid.p);
    free((char *)d->tid.p);
    free((char *)d->process.p);
    free((char *)d->name.p);
    free((char *)d->unit.p);
    free((char *)d->damage.p);
}

static bool def_copy(struct track_def *to, const struct track_def *from)
{
    *to = *from;
    to->pid = to->tid = to->process = to->name = to->unit = to->damage = STR_NULL;
    if (keep(&to->pid, from->pid) && keep(&to->tid, from->tid) && keep(&to->process, from->process) &&
        keep(&to->name, from->name) && keep(&to->unit, from->unit) && keep(&to->damage, from->damage))
        return true;
    def_done(to);
    return false;
}

static bool grow_track_hash(struct fill *f)
{
    uint32_t n = f->track_hash_n ? f->track_hash_n * 2 : 256;
    uint32_t *h = calloc(n, sizeof *h);

    if (!h)
        return false;
    for (uint32_t i = 0; i < f->n_tracks; i++) {
        uint64_t at = track_key(&f->tracks[i].d) & (n - 1);
        f->tracks[i].next_same_hash = h[at];
        h[at] = i + 1;
    }
    free(f->track_hash);
    f->track_hash = h;
    f->track_hash_n = n;
    return true;
}

static struct track_state *track_get(struct fill *f, const struct track_def *d, uint32_t *index)
{
    if (f->n_tracks >= f->track_hash_n / 2 && !grow_track_hash(f))
        return NULL;
    uint64_t at = track_key(d) & (f->track_hash_n - 1);
    for (uint32_t i = f->track_hash[at]; i; i = f->tracks[i - 1].next_same_hash) {
        if (track_same(&f->tracks[i - 1].d, d)) {
            *index = i - 1;
            return &f->tracks[i - 1];
        }
    }
    if (f->n_tracks == f->cap_tracks) {
        uint32_t cap = f->cap_tracks ? f->cap_tracks * 2 : 64;
        struct track_state *p = realloc(f->tracks, (size_t)cap * sizeof *p);
        if (!p)
            return NULL;
        f->tracks = p;
        f->cap_tracks = cap;
    }
    struct track_state *t = &f->tracks[f->n_tracks];
    *t = (struct track_state){ .t0 = INT64_MAX, .t1 = INT64_MIN, .next_same_hash = f->track_hash[at] };
    if (!def_copy(&t->d, d))
        return NULL;
    chunk_state_init(&t->st);
    *index = f->n_tracks++;
    f->track_hash[at] = f->n_tracks;
    return t;
}

uint32_t fill_track(struct sink *s, const struct track_def *d)
{
    uint32_t index;
    return track_get((struct fill *)s, d, &index) ? index : SINK_NO_TRACK;
}

/* Only fields that are known in d replace those of the track; pid and tid stay. */
int fill_track_set(struct sink *s, uint32_t track, const struct track_def *d, struct err *e)
{
    struct fill *f = (struct fill *)s;
    struct track_state *t = &f->tracks[track];
    struct str *slots[] = { &t->d.process, &t->d.name, &t->d.unit };
    const struct str news[] = { d->process, d->name, d->unit };

    for (size_t i = 0; i < ARRAY_LEN(slots); i++) {
        struct str copy;
        if (!news[i].p)
            continue;
        if (!keep(&copy, news[i]))
            return err_nomem(e);
        free((char *)slots[i]->p);
        *slots[i] = copy;
    }
    if (t->d.kind != TK_COUNTER)
        t->d.kind = d->kind;
    t->d.sort = d->sort;
    t->d.stream = d->stream;
    return OK;
}

/* ---- chunks ---- */

static int insert_chunk(struct fill *f, struct track_state *t, const struct chunk_sum *c, size_t n,
                        struct err *e)
{
    sqlite3_stmt *st = f->ins_chunk;
    const int64_t v[] = { fill_track_id(f, t), c->t0,     c->t1,  (int64_t)n, c->dur_sum, c->busy,
                          c->t_last,           c->t_near, c->gap, c->gap_at,  c->longest, c->longest_name,
                          (int64_t)c->lanes };

    for (int i = 0; i < (int)ARRAY_LEN(v); i++)
        sqlite3_bind_int64(st, i + 1, v[i]);
    sqlite3_bind_blob(st, (int)ARRAY_LEN(v) + 1, f->names.n ? f->names.p : "", (int)f->names.n,
                      SQLITE_STATIC);
    sqlite3_bind_blob(st, (int)ARRAY_LEN(v) + 2, f->blob.p, (int)f->blob.n, SQLITE_STATIC);
    return db_run(f->db, st, e);
}

static int write_chunk(struct fill *f, struct track_state *t, const struct chunk_event *ev, size_t n,
                       struct err *e)
{
    bool plain = t->d.kind == TK_COUNTER || t->d.kind == TK_FLOW; /* dur is no duration there */
    struct chunk_sum sum;
    uint8_t lane[CHUNK_EVENTS];

    buf_clear(&f->blob);
    buf_clear(&f->names);
    chunk_encode(&f->blob, ev, n, &t->st);
    chunk_names_encode(&f->names, ev, n);
    if (buf_failed(&f->blob) || buf_failed(&f->names))
        return err_nomem(e);
    chunk_summarise(&t->st, ev, n, plain, n < CHUNK_EVENTS, &sum, lane);
    if (insert_chunk(f, t, &sum, n, e))
        return e->code;
    t->busy = bounded_add(t->busy, sum.busy);
    t->dur_sum = bounded_add(t->dur_sum, sum.dur_sum);
    if (sum.t0 < t->t0)
        t->t0 = sum.t0;
    if (sum.t1 > t->t1)
        t->t1 = sum.t1;
    t->chunks++;
    /* Later chunks of an unsorted track do not follow the first in time: its pyramids wait for the merge. */
    if (!t->unsorted || t->chunks == 1)
        return fill_lod_chunk(f, t, ev, n, &sum, lane, sqlite3_last_insert_rowid(f->db), e);
    fill_lod_free(t);
    return OK;
}

static int flush(struct fill *f, struct track_state *t, struct err *e)
{
    if (!t->n)
        return OK;
    if (t->unsorted)
        chunk_sort(t->ev, t->n);
    int rc = write_chunk(f, t, t->ev, t->n, e);
    t->n = 0;
    return rc;
}

static int add(struct fill *f, struct track_state *t, struct chunk_event ev, struct err *e)
{
    if (t->n == t->cap) { /* small at first: a run may have hundreds of counter tracks */
        size_t cap = t->cap ? t->cap * 4 : CHUNK_EVENTS / 16;
        struct chunk_event *p = realloc(t->ev, cap * sizeof *p);
        if (!p)
            return err_nomem(e);
        t->ev = p;
        t->cap = cap;
    }
    if (t->total && chunk_event_cmp(&t->last, &ev) > 0)
        t->unsorted = true;
    t->last = ev;
    t->total++;
    t->ev[t->n++] = ev;
    return t->n == CHUNK_EVENTS ? flush(f, t, e) : OK;
}

int fill_event(struct sink *s, uint32_t track, int64_t ts_ns, int64_t dur_ns, uint32_t name, uint64_t off,
               struct err *e)
{
    struct fill *f = (struct fill *)s;
    struct fill_rank_state *r = fill_rank_get(f, f->tracks[track].d.rank);

    if (!r)
        return err_nomem(e);
    if (f->failed)
        return err_set(e, ERR_LIMIT, "too many distinct texts, or out of memory");
    const struct chunk_event ev = {
        .ts = fill_instant(f, r, ts_ns), .dur = dur_ns, .off = off, .name = name
    };
    int64_t end = chunk_end(&ev);
    if (end > r->last && end < INT64_MAX)
        r->last = end;
    f->events_total++;
    return add(f, &f->tracks[track], ev, e);
}

int fill_sample(struct sink *s, uint32_t track, int64_t ts_ns, double value, struct err *e)
{
    struct fill *f = (struct fill *)s;
    struct fill_rank_state *r = fill_rank_get(f, f->tracks[track].d.rank);

    if (!r)
        return err_nomem(e);
    return add(f, &f->tracks[track],
               (struct chunk_event){ .ts = fill_instant(f, r, ts_ns), .dur = chunk_from_double(value) }, e);
}

/* The track for one end (start or other) of the flows of a category, made when new. */
static struct track_state *flow_track(struct fill *f, int rank, bool start, uint32_t cat)
{
    struct flow_track *k = &f->flow_tracks[start];
    struct str kind = cat ? intern_get(f->strings, cat - 1) : STR("flow");
    const struct track_def d = { .rank = rank,
                                 .kind = TK_FLOW,
                                 .pid = kind,
                                 .tid = start ? STR("s") : STR("f"), /* an end of phase t goes there too */
                                 .name = kind,
                                 .process = STR("flow"),
                                 .stream = -1,
                                 .source_id = f->source_id };

    if (k->known && k->rank == rank && k->cat == cat)
        return &f->tracks[k->index];
    *k = (struct flow_track){ .rank = rank, .cat = cat };
    struct track_state *t = track_get(f, &d, &k->index);
    k->known = t != NULL;
    return t;
}

int fill_flow(struct sink *s, uint32_t track, int64_t ts_ns, char phase, uint32_t cat, uint64_t id,
              struct err *e)
{
    struct fill *f = (struct fill *)s;
    int rank = f->tracks[track].d.rank;
    struct fill_rank_state *r = fill_rank_get(f, rank);
    struct track_state *t = r ? flow_track(f, rank, phase == 's', cat) : NULL;

    if (!t)
        return err_nomem(e);
    return add(f, t,
               (struct chunk_event){ .ts = fill_instant(f, r, ts_ns),
                                     .dur = (int64_t)id,
                                     .name = (uint32_t)fill_track_id(f, &f->tracks[track]) },
               e);
}

/* ---- merging the chunks of a track that was not sorted ---- */

/* One run: a chunk that was sorted by itself. */
struct run {
    int64_t t0;
    sqlite3_int64 id;
    struct chunk_event *ev;
    size_t n, at;
};

struct merge {
    struct fill *f;
    struct track_state *t;
    struct run *runs; /* by t0 */
    size_t n_runs, opened;
    struct run **heap;
    size_t n_heap;
    sqlite3_stmt *read, *drop;
    struct chunk_event *out;
    size_t n_out;
};

static bool run_before(const void *heap, size_t x, size_t y)
{
    const struct merge *m = heap;
    const struct run *a = m->heap[x], *b = m->heap[y];
    return chunk_event_cmp(&a->ev[a->at], &b->ev[b->at]) < 0;
}

static void swap_runs(void *heap, size_t x, size_t y)
{
    struct merge *m = heap;
    struct run *r = m->heap[x];

    m->heap[x] = m->heap[y];
    m->heap[y] = r;
}

static const struct heap_ops by_event = { run_before, swap_runs };

/* Read the next run into memory and delete its chunk. */
static int open_run(struct merge *m, struct err *e)
{
    struct run *r = &m->runs[m->opened++];

    sqlite3_bind_int64(m->read, 1, r->id);
    if (sqlite3_step(m->read) != SQLITE_ROW) {
        sqlite3_reset(m->read);
        return err_set(e, ERR_BUG, "a chunk of the timeline is missing");
    }
    r->n = (size_t)sqlite3_column_int64(m->read, 0);
    r->ev = r->n && r->n <= CHUNK_EVENTS ? malloc(r->n * sizeof *r->ev) : NULL;
    struct str blob = { sqlite3_column_blob(m->read, 1), (size_t)sqlite3_column_bytes(m->read, 1) };
    bool whole = r->ev && chunk_decode(blob, CHUNK_OFF, r->ev, r->n);
    sqlite3_reset(m->read);
    if (!whole)
        return r->ev ? err_set(e, ERR_BUG, "a chunk of the timeline cannot be read back") : err_nomem(e);
    sqlite3_bind_int64(m->drop, 1, r->id);
    if (db_run(m->f->db, m->drop, e))
        return e->code;
    m->heap[m->n_heap++] = r;
    heap_up(m, m->n_heap - 1, &by_event);
    return OK;
}

static int merge_runs(struct merge *m, struct err *e)
{
    while (m->n_heap || m->opened < m->n_runs) {
        if (!m->n_heap ||
            (m->opened < m->n_runs && m->runs[m->opened].t0 <= m->heap[0]->ev[m->heap[0]->at].ts)) {
            if (open_run(m, e))
                return e->code;
            continue;
        }
        struct run *r = m->heap[0];
        m->out[m->n_out++] = r->ev[r->at++];
        if (m->n_out == CHUNK_EVENTS) {
            if (write_chunk(m->f, m->t, m->out, m->n_out, e))
                return e->code;
            m->n_out = 0;
        }
        if (r->at == r->n) {
            free(r->ev);
            r->ev = NULL;
            m->heap[0] = m->heap[--m->n_heap];
        }
        heap_down(m, 0, m->n_heap, &by_event);
    }
    return m->n_out ? write_chunk(m->f, m->t, m->out, m->n_out, e) : OK;
}

static int list_runs(struct merge *m, struct err *e)
{
    sqlite3_stmt *st = NULL;

    int rc;

    if (db_prepare(m->f->db, &st, "SELECT id, t0 FROM chunk WHERE track = ? ORDER BY t0, id", e))
        return e->code;
    sqlite3_bind_int64(st, 1, fill_track_id(m->f, m->t));
    while ((rc = sqlite3_step(st)) == SQLITE_ROW && m->n_runs < m->t->chunks) {
        m->runs[m->n_runs].id = sqlite3_column_int64(st, 0);
        m->runs[m->n_runs++].t0 = sqlite3_column_int64(st, 1);
    }
    sqlite3_finalize(st);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return db_error(e, m->f->db, rc, "cannot read the timeline");
    return rc == SQLITE_DONE && m->n_runs == m->t->chunks
               ? OK
               : err_set(e, ERR_BUG, "a track has another number of chunks than were written");
}

static int merge_track(struct fill *f, struct track_state *t, struct err *e)
{
    struct merge m = { .f = f, .t = t };
    size_t n = (size_t)t->chunks;

    m.runs = calloc(n, sizeof *m.runs);
    m.heap = calloc(n, sizeof *m.heap);
    m.out = malloc(CHUNK_EVENTS * sizeof *m.out);
    if (!m.runs || !m.heap || !m.out) {
        err_nomem(e);
        goto out;
    }
    if (db_prepare(f->db, &m.read, "SELECT n, d FROM chunk WHERE id = ?", e) ||
        db_prepare(f->db, &m.drop, "DELETE FROM chunk WHERE id = ?", e) || list_runs(&m, e))
        goto out;
    chunk_state_init(&t->st);
    t->busy = t->dur_sum = 0;
    t->t0 = INT64_MAX;
    t->t1 = INT64_MIN;
    t->chunks = 0;
    t->unsorted = false; /* from here on its chunks are in order */
    if (fill_lod_drop(f, t, e) == OK)
        merge_runs(&m, e);
out:
    for (size_t i = 0; m.runs && i < m.n_runs; i++)
        free(m.runs[i].ev);
    free(m.runs);
    free(m.heap);
    free(m.out);
    sqlite3_finalize(m.read);
    sqlite3_finalize(m.drop);
    return e->code;
}

static int write_track_row(struct fill *f, uint32_t i, struct err *e)
{
    struct track_state *t = &f->tracks[i];
    const struct track_def *d = &t->d;
    bool any = t->total > 0;
    struct val v[N_COLS(track)] = {
        [COL(track, id)] = val_int(fill_track_id(f, t)),
        [COL(track, rank)] = val_int(d->rank),
        [COL(track, kind)] = val_cstr(track_kind_word(d->kind)),
        [COL(track, pid)] = val_text(d->pid),
        [COL(track, tid)] = val_text(d->tid),
        [COL(track, process_id)] = sink_text(&f->base, d->process),
        [COL(track, name_id)] = sink_text(&f->base, d->name),
        [COL(track, sort)] = val_int(d->sort),
        [COL(track, unit)] = val_text(d->unit),
        [COL(track, stream)] = d->stream >= 0 ? val_int(d->stream) : val_null(),
        [COL(track, source_id)] = val_int(d->source_id),
        [COL(track, n)] = val_int((int64_t)t->total),
        [COL(track, t0)] = any ? val_int(t->t0) : val_null(),
        [COL(track, t1)] = any ? val_int(t->t1) : val_null(),
        [COL(track, busy_ns)] = val_int(t->busy),
        [COL(track, dur_sum_ns)] = val_int(t->dur_sum),
        [COL(track, lanes)] = val_int(t->st.n_lanes),
        [COL(track, ts_err_ns)] = d->has_ts_err ? val_int(d->ts_err_ns) : val_null(),
        [COL(track, damage)] = val_text(d->damage),
    };
    return fill_row(&f->base, T_track, v, N_COLS(track), NULL, e);
}

/* Write the events that are left of a track, or merge it; free its memory. */
static int finish_track(struct fill *f, struct track_state *t, bool merging, struct err *e)
{
    if (flush(f, t, e))
        return e->code;
    free(t->ev);
    t->ev = NULL;
    t->cap = 0;
    bool unsorted = t->unsorted && t->chunks > 1;
    if (unsorted != merging || (merging && merge_track(f, t, e)))
        return e->code;
    return fill_lod_write(f, t, e);
}

/* Sorted tracks come first: their pyramids are freed before those of the others are built. */
int fill_tracks_write(struct fill *f, struct err *e)
{
    for (int merging = 0; merging <= 1; merging++)
        for (uint32_t i = 0; i < f->n_tracks; i++)
            if (finish_track(f, &f->tracks[i], merging, e))
                return e->code;
    for (uint32_t i = 0; i < f->n_tracks; i++)
        if (write_track_row(f, i, e))
            return e->code;
    f->next_track_id = f->first_track_id + f->n_tracks;
    return OK;
}

void fill_tracks_forget(struct fill *f)
{
    for (uint32_t i = 0; i < f->n_tracks; i++) {
        free(f->tracks[i].ev);
        fill_lod_free(&f->tracks[i]);
        def_done(&f->tracks[i].d);
    }
    f->n_tracks = 0;
    memset(f->flow_tracks, 0, sizeof f->flow_tracks);
    free(f->track_hash);
    f->track_hash = NULL;
    f->track_hash_n = 0;
    f->first_track_id = f->next_track_id;
}
