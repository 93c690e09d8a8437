/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a TLV file. */
#include "config.h"

#include "parsers/framework/tlv.h"

#include <stdio.h>

#include "parsers/read/slices.h"

#define HEAD_B   6                  /* u16 type, u32 length: of records and of fields */
#define PROBED   8                  /* records that are looked at to find the kind */
#define PROBED_B ((size_t)1 << 20)  /* bytes in which they are looked for */
#define RECORD_B ((size_t)16 << 20) /* as a cell: a call stack is one field */
#define KEPT_B   ((size_t)64 << 10) /* after damage: the longest record looked for at the end of a window */
#define TYPE_MAX 64                 /* of records */
#define FIELDS   64 /* of a record: with more it is none, so that looking for one takes no time */

struct reader {
    struct slices s;
    const struct tlv_kind *k;
    uint32_t line;
    uint64_t short_n; /* records shorter than their fixed part */
    struct where short_at;
};

bool tlv_field(struct tlv_record *r, uint16_t *type, struct str *text)
{
    struct rec *f = &r->fields;

    if (r->at + HEAD_B > f->n)
        return false;
    size_t n = rec_u32(f, r->at + 2);
    if (n > f->n - r->at - HEAD_B)
        return false;
    *type = rec_u16(f, r->at);
    *text = (struct str){ (const char *)f->p + r->at + HEAD_B, n };
    r->at += HEAD_B + n;
    return true;
}

static bool may_be_first(const struct tlv_kind *k, uint16_t type)
{
    return type == k->first || (k->last && type > k->first && type <= k->last);
}

/*
 * The fields fill the record to its last byte, begin with the kind's first one, and none comes twice: records
 * look like fields, too, and are of one type.
 */
static bool fields_fit(const struct tlv_kind *k, const unsigned char *p, size_t n)
{
    struct tlv_record r = { .fields = { .p = p, .n = n } };
    uint16_t type;
    struct str text;
    unsigned fields = 0;
    uint64_t seen = 0;

    while (fields < FIELDS && tlv_field(&r, &type, &text)) {
        uint64_t bit = type < 64 ? (uint64_t)1 << type : 0;
        if (seen & bit || (!fields++ && !may_be_first(k, type)))
            return false;
        seen |= bit;
    }
    return r.at == n && (fields > 0) == (k->first != TLV_NO_FIELDS);
}

/* ---- one record ---- */

enum head { HEAD_WHOLE, HEAD_CUT, HEAD_LIMIT, HEAD_END };

/*
 * The record that begins at the first unread byte, not consumed. CUT: it passes the end of the file. LIMIT:
 * it is longer than one may be.
 */
static enum head peek(struct reader *r, struct rec *out, struct err *e)
{
    if (!slices_peek(&r->s, HEAD_B, out, e))
        return e->code || !slices_left(&r->s) ? HEAD_END : HEAD_CUT;
    uint64_t n = (uint64_t)HEAD_B + rec_u32(out, 2);
    uint64_t left = infile_size(r->s.in) - infile_offset(r->s.in);
    if (!infile_is_gz(r->s.in) && n > left)
        return HEAD_CUT;
    if (n > RECORD_B)
        return HEAD_LIMIT;
    infile_widen(r->s.in, (size_t)n);
    if (slices_peek(&r->s, (size_t)n, out, e))
        return HEAD_WHOLE;
    return e->code ? HEAD_END : HEAD_CUT;
}

/* A record begins at p: its fields fit, or (without fields) its length is that of the fixed part. */
static bool is_record(const struct tlv_kind *k, const unsigned char *p, size_t n)
{
    struct rec r = { .p = p, .n = n };
    size_t length = n < HEAD_B ? 0 : rec_u32(&r, 2);

    return n >= HEAD_B && length >= k->fixed_b && length <= n - HEAD_B &&
           fields_fit(k, p + HEAD_B + k->fixed_b, length - k->fixed_b);
}

/* ---- damage ---- */

static void note(struct reader *r, enum note_code code, uint64_t off, const char *text)
{
    struct where w = slices_where(&r->s, off);

    r->s.c->lost++;
    sink_note(r->s.c->out, code, &w, "%s", text);
}

/* Offset from the first unread byte of the next record that is seen whole, SIZE_MAX: none. */
static size_t next_record(struct reader *r, size_t *have)
{
    const unsigned char *p = (const unsigned char *)infile_data(r->s.in, have);

    for (size_t at = 0; at < *have; at++)
        if (is_record(r->k, p + at, *have - at))
            return at;
    return SIZE_MAX;
}

/* Drop bytes up to the next record. false: there is none, or e is set. */
static bool resync(struct reader *r, struct err *e)
{
    uint64_t from = infile_offset(r->s.in);
    size_t have, at;

    slices_take(&r->s, slices_left(&r->s) > 0);
    while ((at = next_record(r, &have)) == SIZE_MAX) {
        slices_take(&r->s, have > KEPT_B ? have - KEPT_B : 0);
        if (!slices_more(&r->s, e))
            break;
    }
    slices_take(&r->s, at == SIZE_MAX ? slices_left(&r->s) : at);
    if (e->code)
        return false;
    char text[120];
    unsigned long long lost = infile_offset(r->s.in) - from;
    if (at == SIZE_MAX)
        snprintf(text, sizeof text, "the last record is cut (%llu bytes)", lost);
    else
        snprintf(text, sizeof text,
                 "a length leads beyond the end of the file: %llu bytes up to the next record are left out",
                 lost);
    note(r, at == SIZE_MAX ? NOTE_TORN_RECORD : NOTE_BAD_ROW, from, text);
    return at != SIZE_MAX;
}

/* Drop a record that is longer than one may be. false: e is set. */
static bool pass_over(struct reader *r, const struct rec *head, struct err *e)
{
    struct rec h = *head;
    uint64_t from = infile_offset(r->s.in), n = (uint64_t)HEAD_B + rec_u32(&h, 2), left = n;

    while (left) {
        size_t have = slices_left(&r->s);
        size_t take = have < left ? have : (size_t)left;
        slices_take(&r->s, take);
        left -= take;
        if (left && !slices_more(&r->s, e))
            break;
    }
    char text[80];
    snprintf(text, sizeof text, "a record of %llu bytes, limit 16 MiB: left out", (unsigned long long)n);
    if (!e->code)
        note(r, NOTE_LIMIT, from, text);
    return !e->code;
}

static int give(struct reader *r, struct rec *whole, tlv_fn *fn, void *arg, struct err *e)
{
    size_t fixed = r->k->fixed_b, n = whole->n - HEAD_B;
    struct tlv_record t = { .where = slices_where(&r->s, whole->off) };

    t.where.line = r->line;
    t.where.record = true;
    if (n < fixed) {
        if (!r->short_n++)
            r->short_at = t.where;
        return OK;
    }
    t.fixed = (struct rec){ .p = whole->p + HEAD_B, .n = fixed, .off = whole->off + HEAD_B };
    t.fields = (struct rec){ .p = t.fixed.p + fixed, .n = n - fixed, .off = t.fixed.off + fixed };
    r->s.c->rows++;
    return fn(arg, &t, e);
}

/*
 * Bytes of a record: up to the next one when its fields do not fit and others begin within it, as a damaged
 * length leads over them.
 */
static size_t length_of(struct reader *r, const struct rec *whole)
{
    size_t have, next;

    if (is_record(r->k, whole->p, whole->n))
        return whole->n;
    if (whole->n - HEAD_B < r->k->fixed_b) { /* or its length is damaged: up to where the next one begins */
        next = next_record(r, &have);
        return next == SIZE_MAX || !next ? whole->n : next;
    }
    for (size_t at = HEAD_B; at < whole->n; at++)
        if (is_record(r->k, whole->p + at, whole->n - at)) {
            note(r, NOTE_BAD_ROW, whole->off, "a length leads over other records: they are read");
            return at;
        }
    return whole->n;
}

static int read_all(struct reader *r, tlv_fn *fn, void *arg, struct err *e)
{
    struct rec one;

    for (;;) {
        enum head head = peek(r, &one, e);
        if (head == HEAD_END)
            return e->code;
        r->line++;
        if (head == HEAD_CUT ? !resync(r, e) : head == HEAD_LIMIT && !pass_over(r, &one, e))
            return e->code;
        if (head != HEAD_WHOLE)
            continue;
        size_t take = length_of(r, &one);
        one.n = take < one.n && take >= HEAD_B ? take : one.n; /* one that is too short is not given */
        if (give(r, &one, fn, arg, e))
            return e->code;
        slices_take(&r->s, take);
    }
}

int tlv_read(struct parse_ctx *c, const struct tlv_kind *k, tlv_fn *fn, void *arg, struct err *e)
{
    struct reader r = { .k = k };

    if (slices_open(&r.s, c, e) == OK && read_all(&r, fn, arg, e) == OK && r.short_n) {
        r.short_at.count = r.short_n;
        c->lost += r.short_n;
        sink_note(c->out, NOTE_BAD_ROW, &r.short_at, "a record is shorter than its %d bytes of %s",
                  k->fixed_b, k->what);
    }
    slices_close(&r.s);
    return e->code;
}

/* ---- which kind ---- */

/* The kinds that fit at p; *length: of the first that does, with its head. */
static unsigned fits_at(const struct tlv_kind *kinds, size_t n, const unsigned char *p, size_t have,
                        size_t *length)
{
    unsigned fits = 0;

    for (size_t k = 0; k < n; k++) {
        struct rec head = { .p = p, .n = have };
        if (!is_record(&kinds[k], p, have))
            continue;
        fits |= 1u << k;
        *length = HEAD_B + rec_u32(&head, 2);
    }
    return fits;
}

/* Count the records of each kind at the beginning, damaged bytes between them passed over. */
static void count_kinds(const struct tlv_kind *kinds, size_t n, const unsigned char *p, size_t have,
                        unsigned *count)
{
    int seen = 0;

    for (size_t at = 0, length = 1; at < have && seen < PROBED; at += length) {
        unsigned fits = fits_at(kinds, n, p + at, have - at, &length);
        if (!fits)
            length = 1;
        seen += fits != 0;
        for (size_t k = 0; k < n; k++)
            count[k] += fits >> k & 1;
    }
}

/* A file that ends in its first record: its head is one, and leads beyond the end. */
static bool begins_cut(const unsigned char *p, size_t have)
{
    struct rec head = { .p = p, .n = have };

    return have < HEAD_B || (rec_u16(&head, 0) <= TYPE_MAX && rec_u32(&head, 2) <= RECORD_B &&
                             rec_u32(&head, 2) > have - HEAD_B);
}

int tlv_probe(struct parse_ctx *c, const struct tlv_kind *kinds, size_t n, size_t *which, struct err *e)
{
    struct slices s;
    unsigned count[TLV_KINDS] = { 0 }, best = 0;
    size_t have = 0;
    bool cut = false;

    *which = TLV_EMPTY;
    if (slices_open(&s, c, e) == OK) {
        while (slices_left(&s) < PROBED_B && slices_more(&s, e))
            continue;
        const unsigned char *p = (const unsigned char *)infile_data(s.in, &have);
        count_kinds(kinds, n, p, have, count);
        cut = begins_cut(p, have);
    }
    slices_close(&s);
    for (size_t k = 0; k < n; k++)
        if (count[k] > best) {
            best = count[k];
            *which = k;
        }
    if (!e->code && have && !best && cut) {
        const struct where w = { .source_id = c->f->id, .offset = 0, .line = 1, .record = true };
        c->lost++;
        sink_note(c->out, NOTE_TORN_RECORD, &w, "the file ends in its first record (%zu bytes)", have);
        return OK;
    }
    if (!e->code && have && !best)
        return err_set(e, ERR_FORMAT, "no whole record of %s", kinds[0].what);
    return e->code;
}
