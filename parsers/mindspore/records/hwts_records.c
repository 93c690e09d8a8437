/* SPDX-License-Identifier: Apache-2.0 */
/* HWTS records (doc/formats/mindspore1.md#hwts). */
#include "config.h"

#include "parsers/mindspore/records/hwts_records.h"

#include "parsers/mindspore/records/record_layout.h"
#include "parsers/read/records.h"

enum { HWTS_RECORD(FIELD_AT) HWTS_B = 64 };
#define HWTS_MARK 0x6bd3
static const struct record_kind kind = {
    .what = "HWTS records", .size_b = HWTS_B, .mark_at = HWTS_MARK_AT, .mark_b = 2, .mark = HWTS_MARK
};

#define NUMBERS    16 /* of the sequence */
#define SEQUENCE_1 10 /* one jump in so many records at most, else the numbers are no sequence */

struct hwts {
    struct slices s;
    bool numbered; /* the previous record has a number */
    uint8_t number;
    uint64_t n, jumps, missing;
    struct where first_jump;
    uint64_t unknown[8]; /* records by type */
    struct where first_unknown[8];
    uint64_t zeros; /* records of them: would read as starts */
    struct where first_zero;
};

static void decode(struct rec *r, struct hwts_record *out)
{
    uint8_t head = rec_u8(r, HWTS_TYPE);

    *out = (struct hwts_record){ .type = (enum hwts_type)(head & 7),
                                 .warn = head & 8,
                                 .count = (uint8_t)(head >> 4),
                                 .core = rec_u8(r, HWTS_CORE),
                                 .block = rec_u16(r, HWTS_BLOCK),
                                 .task = rec_u16(r, HWTS_TASK),
                                 .stream = rec_u32(r, HWTS_STREAM) };
    out->has_ticks = out->type != HWTS_BLOCK_PMU || !out->warn;
    if (out->has_ticks)
        out->ticks = rec_u64(r, out->type == HWTS_BLOCK_PMU ? HWTS_PMU_TICKS : HWTS_TICKS);
}

/* Padding: nothing but white space (would read as a start of a task). */
static bool is_blank(const struct rec *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->p[i] != ' ' && (r->p[i] < '\t' || r->p[i] > '\r'))
            return false;
    return true;
}

static void note_torn(struct hwts *h, uint64_t off, size_t n)
{
    struct where w = slices_where(&h->s, off);

    h->s.c->lost++;
    h->numbered = false; /* that one is noted already */
    sink_note(h->s.c->out, NOTE_TORN_RECORD, &w, "a record is cut (%zu of %d bytes)", n, HWTS_B);
}

/* Nothing goes on after a missing slice. false: the end of all, or e is set. */
static bool cross_gap(struct hwts *h, struct err *e)
{
    if (h->s.at_gap && slices_left(&h->s))
        note_torn(h, infile_offset(h->s.in), slices_left(&h->s));
    if (!slices_gap(&h->s, e))
        return false;
    size_t n = records_head(&h->s, &kind, e);
    if (n && !e->code)
        note_torn(h, infile_offset(h->s.in), n);
    if (!e->code)
        slices_take(&h->s, n);
    return !e->code;
}

static bool peek(struct hwts *h, struct rec *r, struct err *e)
{
    while (!slices_peek(&h->s, HWTS_B, r, e))
        if (e->code || !cross_gap(h, e))
            return false;
    return true;
}

/*
 * The next record may lie across a border of slices. Usually it was cut there and goes on; but after a slice
 * that lost its end the next one begins with a record of its own, and the rest of the old one is left out, as
 * is the end of a record whose beginning is lost.
 */
static bool next_record(struct hwts *h, struct rec *r, struct err *e)
{
    struct rec more;

    while (peek(h, r, e)) {
        bool across = r->off < h->s.border && h->s.border < r->off + HWTS_B;
        bool marked = rec_u16(r, HWTS_MARK_AT) == HWTS_MARK; /* before r's window moves */
        size_t n = across ? (size_t)(h->s.border - r->off) : 0;
        if (across &&
            (!slices_peek(&h->s, n + HWTS_BLOCK, &more, e) || rec_u16(&more, n + HWTS_MARK_AT) != HWTS_MARK))
            n = 0;
        if (!n && !e->code && !marked)
            n = records_astray(&h->s, &kind, e);
        if (!n || e->code)
            return !e->code && slices_peek(&h->s, HWTS_B, r, e);
        note_torn(h, infile_offset(h->s.in), n);
        slices_take(&h->s, n);
    }
    return false;
}

/* A few jumps are gaps; with this many the numbers are no sequence. */
static bool is_sequence(const struct hwts *h)
{
    return h->jumps <= h->n / SEQUENCE_1;
}

/* Records are missing before this one. */
static bool follow_number(struct hwts *h, const struct hwts_record *r)
{
    unsigned gap = (NUMBERS - 1u + r->count - h->number) % NUMBERS;
    bool known = h->numbered, first = !h->n++;

    if (known && gap) {
        if (!h->jumps++)
            h->first_jump = r->where;
        h->missing += gap;
    }
    h->numbered = true;
    h->number = r->count;
    return known ? gap && is_sequence(h) : !first;
}

static void note_jumps(struct hwts *h)
{
    if (!h->jumps || !is_sequence(h))
        return;
    h->first_jump.count = h->missing;
    sink_note(h->s.c->out, NOTE_LOST_RECORDS, &h->first_jump,
              "the sequence numbers jump: records are missing before this one");
}

static int read_records(struct hwts *h, hwts_record_fn *fn, void *arg, struct err *e)
{
    struct hwts_record out;
    bool lost = false; /* before a record that was not given */
    struct rec r;

    while (next_record(h, &r, e)) {
        decode(&r, &out);
        out.where = slices_where(&h->s, r.off);
        out.where.line = (uint32_t)(out.where.offset / HWTS_B + 1);
        out.where.record = true;
        bool skip = is_blank(&r), zero = rec_is_zero(&r);
        slices_take(&h->s, HWTS_B);
        if (zero && !h->zeros++)
            h->first_zero = out.where;
        if (skip || zero) {
            h->numbered = false;
            continue;
        }
        out.after_gap = follow_number(h, &out);
        out.after_gap |= lost || h->s.lost;
        h->s.lost = false;
        lost = out.type >= N_HWTS_TYPES && out.after_gap;
        if (out.type >= N_HWTS_TYPES) {
            if (!h->unknown[out.type]++)
                h->first_unknown[out.type] = out.where;
            continue;
        }
        h->s.c->rows++;
        if (fn(arg, &out, e))
            return e->code;
    }
    return e->code;
}

static void note_unknown(struct hwts *h)
{
    if (h->zeros) {
        h->first_zero.count = h->zeros;
        h->s.c->lost += h->zeros;
        sink_note(h->s.c->out, NOTE_BAD_ROW, &h->first_zero, "HWTS records of nothing but zeros");
    }
    for (size_t t = 0; t < ARRAY_LEN(h->unknown); t++) {
        struct where w = h->first_unknown[t];
        if (!h->unknown[t])
            continue;
        w.count = h->unknown[t];
        h->s.c->lost += w.count;
        sink_note(h->s.c->out, NOTE_UNKNOWN_TYPE, &w, "HWTS records of type %zu", t);
    }
}

int hwts_records_read(struct parse_ctx *c, hwts_record_fn *fn, void *arg, struct err *e)
{
    struct hwts h = { .unknown = { 0 } };

    if (slices_open(&h.s, c, e) == OK && read_records(&h, fn, arg, e) == OK) {
        if (slices_left(&h.s))
            note_torn(&h, infile_offset(h.s.in), slices_left(&h.s));
        note_unknown(&h);
        note_jumps(&h);
    }
    slices_close(&h.s);
    return e->code;
}
