/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and ranges of the program. */
#include "config.h"

#include "parsers/prof/host/tx.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/marks.h"
#include "parsers/prof/prof_layout.h"

enum { PROF_HEAD(FIELD_AT) MSPROFTX_OWN(FIELD_AT) };

#define MESSAGE_B 156
#define TEXT_MAX  ((size_t)1 << 20) /* of a joined text */

/* ---- reading ---- */

struct reading {
    struct prof_txs *x;
    struct prof *p;
    uint64_t n_gaps;  /* texts that lack a segment */
    uint64_t n_cut;   /* longer than TEXT_MAX */
    uint64_t n_again; /* marks with the number of another one */
};

static int on_record(void *arg, struct prof_record *r, struct err *e)
{
    struct reading *g = arg;
    struct prof_txs *x = g->x;
    struct rec *c = &r->rec;
    struct prof_tx *v = grow_array(x->v, x->n, &x->cap, sizeof *v, 64);
    uint64_t domain = rec_u64(c, TX_DOMAIN);

    if (v)
        x->v = v;
    if (!v || x->n >= PROF_NONE)
        return err_nomem(e);
    v[x->n] = (struct prof_tx){
        .start = rec_u64(c, TX_START),
        .end = rec_u64(c, TX_END),
        .payload = rec_u64(c, TX_PAYLOAD),
        .mark = rec_u64(c, TX_MARK),
        .message = prof_text(g->p, rec_text(c, TX_MESSAGE, MESSAGE_B)),
        .domain = prof_hash_known(g->p, domain) ? prof_hash_text(g->p, domain) : PROF_NONE,
        .pid = rec_u32(c, TX_PID),
        .thread = rec_u32(c, TX_THREAD),
        .category = rec_u32(c, TX_CATEGORY),
        .event = rec_u32(c, TX_EVENT),
        .payload_type = (int32_t)rec_u32(c, TX_PAYLOAD_TYPE),
        .message_type = (int32_t)rec_u32(c, TX_MESSAGE_TYPE),
        .place = (uint32_t)x->n,
        .segment = rec_u16(c, TX_SEGMENT),
        .on_device = rec_u16(c, TX_KIND) != 0,
    };
    return v[x->n++].message == PROF_NONE ? err_nomem(e) : OK;
}

/* ---- segments ---- */

/* Marks of the host in order of the file, then the others by number and segment. */
static bool segment_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_tx *x = (const struct prof_tx *)arg + a, *y = (const struct prof_tx *)arg + b;

    if (x->on_device != y->on_device)
        return y->on_device;
    if (!x->on_device)
        return x->place < y->place;
    return x->mark != y->mark ? x->mark < y->mark : x->segment < y->segment;
}

/*
 * v: records; is: of each, whether several marks have its number: their segments begin anew, so the order of
 * the file counts.
 */
struct shared {
    const struct prof_tx *v;
    const bool *is;
};

static bool shared_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct shared *q = arg;
    const struct prof_tx *x = &q->v[a], *y = &q->v[b];

    if (x->mark != y->mark)
        return x->mark < y->mark;
    return q->is[a] ? x->place < y->place : x->segment < y->segment;
}

/*
 * How many of n records, which are in order of numbers and segments, are of the first one's mark. *several: a
 * segment is there twice.
 */
static size_t records_of(const struct prof_tx *v, size_t n, bool *several)
{
    size_t k = 1;

    *several = false;
    for (; k < n && v[k].mark == v[0].mark; k++)
        *several |= v[k].segment == v[k - 1].segment;
    return k;
}

/*
 * v, n in order of numbers and segments: puts records of marks that share a number back in order of the file.
 */
static int part(struct prof_tx *v, size_t n, struct err *e)
{
    bool *is = calloc(n + 1, sizeof *is), any = false, several;
    const struct shared q = { v, is };

    if (!is)
        return err_nomem(e);
    for (size_t i = 0, k; i < n; i += k) {
        k = records_of(v + i, n - i, &several);
        any |= several;
        memset(is + i, several, k);
    }
    int rc = any ? prof_sort(NULL, v, n, sizeof *v, shared_before, &q, e) : OK;
    free(is);
    return rc;
}

static bool place_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_tx *v = arg;

    return v[a].place < v[b].place;
}

static bool mark_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_txs *x = arg;

    return x->v[x->n_host + a].mark < x->v[x->n_host + b].mark;
}

/* Adds what there is room for. Returns whether s was cut. */
static bool add_text(struct buf *text, struct str s)
{
    bool fits = s.n <= TEXT_MAX - text->n;

    if (!fits)
        s.n = TEXT_MAX - text->n;
    buf_add(text, s);
    return !fits;
}

/*
 * Makes one record of n segments in order: the fields of the first, the text of all, the earliest position in
 * the file.
 */
static int join(struct reading *g, const struct prof_tx *v, size_t n, struct prof_tx *out, struct err *e)
{
    struct buf text;
    bool gap = v[0].segment != 0, cut = false;

    *out = v[0];
    if (n == 1) {
        g->n_gaps += gap;
        return OK;
    }
    buf_init(&text, TEXT_MAX);
    for (size_t i = 0; i < n; i++) {
        gap |= i && v[i].segment > v[i - 1].segment + 1;
        out->place = v[i].place < out->place ? v[i].place : out->place;
        cut |= add_text(&text, prof_str(g->p, v[i].message));
    }
    g->n_gaps += gap;
    g->n_cut += cut;
    out->message = buf_failed(&text) ? PROF_NONE : prof_text(g->p, buf_str(&text));
    buf_done(&text);
    return out->message == PROF_NONE ? err_nomem(e) : OK;
}

static int join_all(struct reading *g, struct err *e)
{
    struct prof_txs *x = g->x;
    size_t to = 0;

    while (to < x->n && !x->v[to].on_device)
        to++;
    x->n_host = to;
    if (to < x->n && part(x->v + to, x->n - to, e))
        return e->code;
    for (size_t i = to, n; i < x->n; i += n) {
        struct prof_tx one;
        n = 1;
        while (i + n < x->n && x->v[i + n].mark == x->v[i].mark &&
               x->v[i + n].segment > x->v[i + n - 1].segment)
            n++;
        g->n_again += i + n < x->n && x->v[i + n].mark == x->v[i].mark;
        if (join(g, &x->v[i], n, &one, e))
            return e->code;
        x->v[to++] = one;
    }
    x->n = to;
    return OK;
}

static void tell(const struct reading *g)
{
    struct prof *p = g->p;

    if (g->n_gaps)
        prof_note(p, p->host, PROF_MSPROFTX, NOTE_LOST_RECORDS,
                  "texts of %llu marks lack a part: its record is missing", (unsigned long long)g->n_gaps);
    if (g->n_cut)
        prof_note(p, p->host, PROF_MSPROFTX, NOTE_CUT_TEXT, "texts of %llu marks are longer than %zu bytes",
                  (unsigned long long)g->n_cut, TEXT_MAX);
    if (g->n_again)
        prof_note(p, p->host, PROF_MSPROFTX, NOTE_INCONSISTENT,
                  "%llu marks have the number of another one: where a device met it, the first is "
                  "shown",
                  (unsigned long long)g->n_again);
}

int prof_txs_read(struct prof_txs *x, struct prof *p, struct err *e)
{
    struct reading g = { .x = x, .p = p };

    *x = (struct prof_txs){ .n = 0 };
    if (prof_read(p, p->host, PROF_MSPROFTX, on_record, &g, e) ||
        prof_sort(NULL, x->v, x->n, sizeof *x->v, segment_before, x->v, e) || join_all(&g, e))
        return e->code;
    tell(&g);
    struct prof_tx *on_device = x->n > x->n_host ? x->v + x->n_host : NULL;
    if (prof_sort(NULL, on_device, x->n - x->n_host, sizeof *x->v, place_before, on_device, e))
        return e->code;
    return prof_order(NULL, &x->by_mark, x->n - x->n_host, mark_before, x, e);
}

void prof_txs_done(struct prof_txs *x)
{
    free(x->v);
    free(x->by_mark);
    *x = (struct prof_txs){ .n = 0 };
}

struct asked {
    const struct prof_txs *x;
    uint64_t mark;
};

static const struct prof_tx *by_mark(const struct prof_txs *x, size_t i)
{
    return &x->v[x->n_host + x->by_mark[i]];
}

static bool is_before(const void *arg, size_t i)
{
    const struct asked *q = arg;

    return by_mark(q->x, i)->mark < q->mark;
}

const struct prof_tx *prof_txs_find(const struct prof_txs *x, uint64_t mark)
{
    const struct asked q = { x, mark };
    size_t n = x->n - x->n_host, i = prof_gallop(n, 0, is_before, &q);

    return i < n && by_mark(x, i)->mark == mark ? by_mark(x, i) : NULL;
}

/* ---- on the device ---- */

/* Whether marks and ranges have the same tag. */
static bool has_one_tag(const struct prof_meta *m)
{
    return m->cann_major < 9 || (m->cann_major == 9 && m->cann_minor < 1);
}

static bool is_tx(const struct prof_mark *m)
{
    return m->tag == MARK_MSTX || m->tag == MARK_MSTX_RANGE;
}

struct marks {
    const struct prof_mark **v;
    size_t n;
    bool one_tag;
};

static bool met_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct marks *k = arg;
    const struct prof_mark *x = k->v[a], *y = k->v[b];

    if (!k->one_tag && x->tag != y->tag)
        return x->tag < y->tag;
    if (x->index != y->index)
        return x->index < y->index;
    return x->counter < y->counter;
}

/* How many records from i on are one mark. */
static size_t length_at(const struct marks *k, const uint32_t *order, size_t i)
{
    const struct prof_mark *first = k->v[order[i]];
    size_t n = 1, most = k->one_tag ? k->n : first->tag == MARK_MSTX ? 1 : 2;

    while (n < most && i + n < k->n && k->v[order[i + n]]->index == first->index &&
           (k->one_tag || k->v[order[i + n]]->tag == first->tag))
        n++;
    return n;
}

/* Returns how many it put. */
static size_t put_met(const struct marks *k, const uint32_t *order, struct prof_tx_met *out)
{
    size_t n = 0;

    for (size_t i = 0, len; i < k->n; i += len) {
        const struct prof_mark *first = k->v[order[i]];
        len = length_at(k, order, i);
        out[n++] = (struct prof_tx_met){ .start = first->counter,
                                         .end = k->v[order[i + len - 1]]->counter,
                                         .mark = first->index,
                                         .model = first->model,
                                         .stream = first->stream,
                                         .task = first->task,
                                         .open = !k->one_tag && first->tag != MARK_MSTX && len == 1 };
    }
    return n;
}

int prof_tx_met(const struct prof_device *d, struct prof_tx_met **out, size_t *n, struct err *e)
{
    struct marks k = { .v = calloc(d->n_marks + 1, sizeof(struct prof_mark *)),
                       .one_tag = has_one_tag(&d->f->meta) };
    uint32_t *order = NULL;

    *out = NULL;
    *n = 0;
    for (size_t i = 0; k.v && i < d->n_marks; i++)
        if (is_tx(&d->mark[i]))
            k.v[k.n++] = &d->mark[i];
    struct prof_tx_met *met = k.v ? calloc(k.n + 1, sizeof *met) : NULL;
    if (!met)
        (void)err_nomem(e);
    else if (prof_order(NULL, &order, k.n, met_before, &k, e) == OK)
        *n = put_met(&k, order, met);
    if (e->code)
        free(met);
    else
        *out = met;
    free(order);
    free(k.v);
    return e->code;
}
