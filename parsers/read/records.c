/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a file. */
#include "config.h"

#include "parsers/read/records.h"

int records_open(struct records *r, const struct record_kind *k, struct parse_ctx *c, struct err *e)
{
    *r = (struct records){ .k = k };
    return slices_open(&r->s, c, e);
}

static void note_torn(struct records *r, uint64_t off, size_t n)
{
    struct where w = slices_where(&r->s, off);

    r->s.c->lost++;
    sink_note(r->s.c->out, NOTE_TORN_RECORD, &w, "a record is cut (%zu of %d bytes)", n, r->k->size_b);
}

/* Without a mark: always. */
static bool has_mark(const struct record_kind *k, struct rec *rec, size_t at)
{
    uint32_t v = 0;

    for (size_t i = k->mark_b; i > 0; i--)
        v = v << 8 | rec_u8(rec, at + k->mark_at + i - 1);
    return v == k->mark && !rec->over;
}

static bool mark_lies(const struct record_kind *k, const struct rec *r, size_t at)
{
    struct rec copy = *r;

    copy.over = false;
    return has_mark(k, &copy, at);
}

size_t records_astray(struct slices *s, const struct record_kind *k, struct err *e)
{
    size_t mark_end = (size_t)k->mark_at + k->mark_b, far = 2 * (size_t)k->size_b + mark_end;
    struct rec r;

    if (!k->mark_b || (!slices_peek(s, far, &r, e) && (e->code || !slices_peek(s, slices_left(s), &r, e))))
        return 0;
    if (mark_lies(k, &r, 0) || mark_lies(k, &r, k->size_b))
        return 0;
    for (size_t d = 1; d < k->size_b; d++) {
        bool last = d + k->size_b + mark_end > r.n;
        /* two bytes alone may be any field's */
        if (mark_lies(k, &r, d) && (last ? k->mark_b >= 4 : mark_lies(k, &r, d + k->size_b)))
            return d;
    }
    return 0;
}

size_t records_head(struct slices *s, const struct record_kind *k, struct err *e)
{
    size_t phase = slices_phase(s, k->size_b);
    struct rec r;

    if (k->mark_b && slices_peek(s, (size_t)k->mark_at + k->mark_b, &r, e) && mark_lies(k, &r, 0))
        return 0;
    size_t n = e->code ? 0 : records_astray(s, k, e);
    return n || e->code || phase == SIZE_MAX || phase > slices_left(s) ? n : phase;
}

/* Zeros say nothing about the contents of a file. */
static void skip_zeros(struct slices *s, struct err *e)
{
    size_t n, have;

    do {
        const char *p = infile_data(s->in, &have);
        for (n = 0; n < have && !p[n];)
            n++;
        slices_take(s, n);
    } while (n == have && slices_more(s, e));
}

int records_are(const struct record_kind *k, struct parse_ctx *c, bool *are, struct err *e)
{
    struct slices s;
    struct rec head;

    *are = false;
    if (slices_open(&s, c, e) == OK) {
        skip_zeros(&s, e);
        *are = slices_peek(&s, 2, &head, e) && rec_u16(&head, 0) == (k->mark & 0xffff);
        if (!*are && !e->code && slices_peek(&s, (size_t)k->size_b + k->mark_at + k->mark_b, &head, e))
            *are = has_mark(k, &head, k->size_b) || records_astray(&s, k, e);
    }
    slices_close(&s);
    return e->code;
}

/*
 * Leave out the record without an end before a slice that begins anew. false: it is no such record, or e is
 * set.
 */
static bool skip_torn(struct records *r, const struct rec *rec, struct err *e)
{
    const struct record_kind *k = r->k;
    struct rec more;

    if (rec->off >= r->s.border || r->s.border >= rec->off + rec->n)
        return false;
    size_t in_old = (size_t)(r->s.border - rec->off);
    if (!k->mark_b && slices_phase(&r->s, k->size_b) == k->size_b - in_old)
        return false;
    if (!slices_peek(&r->s, in_old + k->mark_at + k->mark_b, &more, e) || !has_mark(k, &more, in_old))
        return false;
    note_torn(r, more.off, in_old);
    slices_take(&r->s, in_old);
    return true;
}

/*
 * Leave out the end of a record whose beginning is lost. false: this one begins here as far as can be seen,
 * or e is set.
 */
static bool step_over(struct records *r, const struct rec *rec, struct err *e)
{
    uint64_t off = rec->off;
    size_t n = mark_lies(r->k, rec, 0) ? 0 : records_astray(&r->s, r->k, e);

    if (!n || e->code)
        return false;
    note_torn(r, off, n);
    slices_take(&r->s, n);
    return true;
}

/* A record n bytes on has a plausible length (8, 16 ...), or the data ends there. */
static bool follows(struct records *r, size_t n, struct err *e)
{
    size_t end = n + r->k->length_at + 2u;
    struct rec rec;

    if (!slices_peek(&r->s, end, &rec, e))
        return slices_left(&r->s) == n;
    uint16_t length = rec_u16(&rec, n + r->k->length_at);
    return length >= 8 && length <= r->k->size_b * 4u && length % 8 == 0;
}

/*
 * The record's own length; the usual one when its own does not lead to another record, as a damaged length
 * does not.
 */
static size_t length_of(struct records *r, struct rec *rec, struct err *e)
{
    size_t usual = r->k->size_b;

    if (!r->k->length_at)
        return usual;
    size_t own = rec_u16(rec, r->k->length_at);
    if (own == usual || own < 8 || own % 8 || own > 4 * usual || follows(r, usual, e))
        return usual;
    return follows(r, own, e) ? own : usual;
}

/*
 * Nothing goes on across a missing slice: neither a record begun before it nor one that ends after it. false:
 * the end of all, or e is set.
 */
static bool cross_gap(struct records *r, struct err *e)
{
    uint64_t off = infile_offset(r->s.in);

    if (r->s.at_gap && slices_left(&r->s))
        note_torn(r, off, slices_left(&r->s));
    if (!slices_gap(&r->s, e))
        return false;
    size_t n = records_head(&r->s, r->k, e);
    if (n && !e->code)
        note_torn(r, infile_offset(r->s.in), n);
    if (!e->code)
        slices_take(&r->s, n);
    return !e->code;
}

/* The next unread bytes as a record of its length. false: fewer are left, or e is set. */
static bool peek(struct records *r, struct rec *out, struct err *e)
{
    while (!slices_peek(&r->s, r->k->size_b, out, e))
        if (e->code || !cross_gap(r, e))
            return false;
    size_t n = length_of(r, out, e);
    return !e->code && slices_peek(&r->s, n, out, e);
}

static struct where place_of(struct records *r, const struct rec *rec)
{
    struct where w = slices_where(&r->s, rec->off);

    if (w.source_id != r->slice)
        r->line = 0;
    r->slice = w.source_id;
    w.line = ++r->line;
    w.record = true;
    return w;
}

static void count(struct records_count *c, const struct where *w)
{
    if (!c->n++)
        c->first = *w;
}

bool records_next(struct records *r, struct rec *out, struct where *w, struct err *e)
{
    for (;;) {
        slices_take(&r->s, r->taken);
        r->taken = 0;
        do {
            if (!peek(r, out, e))
                return false;
        } while (skip_torn(r, out, e));
        /* skip_torn() looked further: the window may have moved */
        if (e->code || !slices_peek(&r->s, out->n, out, e))
            return false;
        if (step_over(r, out, e))
            continue;
        if (e->code || !slices_peek(&r->s, out->n, out, e))
            return false;
        *w = place_of(r, out);
        r->taken = out->n;
        if (r->k->mark_b ? has_mark(r->k, out, 0) : !rec_is_zero(out))
            break;
        count(&r->unmarked, w);
    }
    r->s.c->rows++;
    r->lost = r->s.lost;
    r->s.lost = false;
    return true;
}

void records_bad(struct records *r, const struct where *w)
{
    count(&r->bad, w);
    r->s.c->rows--;
}

static void note_count(struct records *r, const struct records_count *c, const char *what, const char *which)
{
    struct where w = c->first;

    if (!c->n)
        return;
    w.count = c->n;
    r->s.c->lost += c->n;
    sink_note(r->s.c->out, NOTE_BAD_ROW, &w, "%s%s", what, which);
}

void records_close(struct records *r, const struct err *e)
{
    if (!e->code && r->s.in) {
        if (slices_left(&r->s))
            note_torn(r, infile_offset(r->s.in), slices_left(&r->s));
        note_count(r, &r->unmarked, "not one of the ", r->k->what);
        note_count(r, &r->bad, "", r->k->bad);
    }
    slices_close(&r->s);
}
