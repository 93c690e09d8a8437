/* SPDX-License-Identifier: Apache-2.0 */
/* AI CPU tasks (doc/formats/mindspore1.md#ai-cpu). */
#include "config.h"

#include "parsers/mindspore/records/aicpu_records.h"

#include "base/buf.h"
#include "parsers/mindspore/records/record_layout.h"
#include "parsers/read/lines.h"
#include "parsers/read/records.h"

static const struct record_kind kind = { "AI CPU records", 128, 0, 4, 0x003c5a5a, 0, NULL };
enum { AICPU_RECORD(FIELD_AT) };

/*
 * Parts between the commas of a node's line, by their number: where the start and the end are, and whether
 * the name is a path with a number.
 */
static const struct node_form {
    size_t parts, start, end;
    bool path;
} node_forms[] = {
    { 3, 1, 2, false }, /* Node, Run start, Run end */
    { 6, 1, 5, true },  /* between them: compute start, memcpy start, memcpy end */
};
#define THREAD_PARTS    7
#define THREAD_DISPATCH 5
#define THREAD_TOTAL    6

/* ---- records ---- */

static int read_records(struct parse_ctx *c, aicpu_record_fn *fn, void *arg, struct err *e)
{
    struct aicpu_task t = { .name = STR_NULL, .has_ticks = true };
    struct records f;
    struct rec r;

    if (records_open(&f, &kind, c, e) == OK)
        while (records_next(&f, &r, &t.where, e)) {
            t.stream = rec_u16(&r, AT_STREAM);
            t.task = rec_u16(&r, AT_TASK);
            t.start_us = (int64_t)rec_u64(&r, AT_START_US);
            t.end_us = (int64_t)rec_u64(&r, AT_END_US);
            t.start_ticks = rec_u64(&r, AT_START_TICKS);
            t.end_ticks = rec_u64(&r, AT_END_TICKS);
            t.dispatch_us = rec_u32(&r, AT_DISPATCH_US);
            t.total_us = rec_u32(&r, AT_TOTAL_US);
            if (fn(arg, &t, e))
                break;
        }
    records_close(&f, e);
    return e->code;
}

/* ---- text ---- */

struct text {
    struct slices s;
    struct buf name;     /* of the open op */
    struct aicpu_task t; /* the open op */
    bool open;
};

static void note(struct text *x, enum note_code code, const struct where *w, const char *what)
{
    x->s.c->lost++;
    sink_note(x->s.c->out, code, w, "%s", what);
}

/* After the last colon: us, and in later versions ticks. */
static bool instant_of(struct str part, int64_t *us, uint64_t *ticks, bool *has_ticks)
{
    struct str w[3];
    size_t n = lines_words(str_trim(str_after_last(part, ':')), w, ARRAY_LEN(w));

    *has_ticks = n == 2;
    return (n == 1 || n == 2) && str_i64(w[0], us) && (n == 1 || str_u64(w[1], ticks));
}

static bool node_of(struct text *x, struct str line)
{
    struct str part[8];
    size_t n = lines_split(line, ',', part, ARRAY_LEN(part));
    bool start, end;

    for (size_t i = 0; i < ARRAY_LEN(node_forms); i++) {
        const struct node_form *f = &node_forms[i];
        if (f->parts != n)
            continue;
        if (!instant_of(part[f->start], &x->t.start_us, &x->t.start_ticks, &start) ||
            !instant_of(part[f->end], &x->t.end_us, &x->t.end_ticks, &end))
            return false;
        struct str name = str_trim(str_after_last(part[0], ':'));
        if (f->path) {
            name = str_after_last(name, '/');
            name = str_sub(name, 0, str_chr(name, '-'));
        }
        x->t.has_ticks = start && end;
        buf_clear(&x->name);
        buf_add(&x->name, name);
        return !buf_failed(&x->name);
    }
    return false;
}

/* After the last equals sign, up to a blank. */
static bool micros_of(struct str part, int64_t *us)
{
    struct str w[3];

    return lines_words(str_trim(str_after_last(part, '=')), w, ARRAY_LEN(w)) > 0 && str_i64(w[0], us) &&
           *us >= 0;
}

static bool thread_of(struct text *x, struct str line)
{
    struct str part[THREAD_PARTS + 1];

    return lines_split(line, ',', part, ARRAY_LEN(part)) == THREAD_PARTS &&
           micros_of(part[THREAD_DISPATCH], &x->t.dispatch_us) &&
           micros_of(part[THREAD_TOTAL], &x->t.total_us);
}

static int on_text(struct text *x, struct str line, struct where w, aicpu_record_fn *fn, void *arg,
                   struct err *e)
{
    if (str_find(line, STR("Node:"), 0) != SIZE_MAX) {
        if (x->open)
            note(x, NOTE_INCONSISTENT, &x->t.where, "no thread ran the node");
        x->t.where = w;
        x->open = node_of(x, line);
        if (!x->open)
            note(x, NOTE_BAD_ROW, &w, "not a node, its start and its end");
        return OK;
    }
    if (!x->open)
        return OK;
    x->open = false;
    if (!thread_of(x, line)) {
        note(x, NOTE_BAD_ROW, &w, "not a thread with its times");
        return OK;
    }
    x->t.name = buf_str(&x->name);
    x->s.c->rows++;
    return fn(arg, &x->t, e);
}

static int read_text(struct parse_ctx *c, aicpu_record_fn *fn, void *arg, struct err *e)
{
    struct text x = { .t = { .stream = -1, .task = -1 } };
    struct str line;
    struct where w;
    bool ended, torn = false;

    buf_init(&x.name, (size_t)1 << 20);
    if (slices_open(&x.s, c, e) == OK) {
        x.s.end = '\0';
        while (slices_line(&x.s, &line, &w, &ended, e)) {
            if (x.s.lost && x.open) /* its thread was in a missing slice */
                note(&x, NOTE_TORN_RECORD, &x.t.where, "a record is cut: it has no thread");
            x.open &= !x.s.lost;
            x.s.lost = false;
            line = str_trim(line);
            torn = !ended && line.n;
            if (torn)
                note(&x, NOTE_TORN_RECORD, &w, "a record is cut: it has no end");
            else if (line.n && on_text(&x, line, w, fn, arg, e))
                break;
        }
        if (!e->code && x.open && !torn)
            note(&x, NOTE_INCONSISTENT, &x.t.where, "no thread ran the node");
    }
    slices_close(&x.s);
    buf_done(&x.name);
    return e->code;
}

int aicpu_records_read(struct parse_ctx *c, aicpu_record_fn *fn, void *arg, struct err *e)
{
    bool binary;

    if (records_are(&kind, c, &binary, e))
        return e->code;
    return binary ? read_records(c, fn, arg, e) : read_text(c, fn, arg, e);
}
