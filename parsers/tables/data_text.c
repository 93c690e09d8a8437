/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline's text files: batches, queue sizes, GetNext
 * (doc/formats/mindspore1.md#device_queue_profiling, #minddata_getnext_profiling, #minddata_aicpu).
 */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/lines.h"
#include "parsers/read/slices.h"

static int put_batch(struct parse_ctx *c, const struct lines *l, struct val batch, const char *kind,
                     struct val dur_ns, struct val ts_ns, struct val at_ns, struct err *e)
{
    struct val v[N_COLS(batch_time)] = { 0 };

    v[COL(batch_time, rank)] = val_int(c->rank);
    v[COL(batch_time, batch)] = batch;
    v[COL(batch_time, kind)] = val_cstr(kind);
    v[COL(batch_time, dur_ns)] = dur_ns;
    v[COL(batch_time, ts_ns)] = ts_ns;
    v[COL(batch_time, at_ns)] = at_ns;
    v[COL(batch_time, source_id)] = val_int(c->f->id);
    v[COL(batch_time, line)] = val_int(l->n);
    return parse_row(c, T_batch_time, v, N_COLS(batch_time), e);
}

struct queue_row {
    struct str queue;
    struct val seq, ts_ns, at_ns, size, capacity;
};

static int put_queue(struct parse_ctx *c, const struct lines *l, const struct queue_row *q, struct err *e)
{
    struct val v[N_COLS(queue_sample)] = { 0 };

    v[COL(queue_sample, rank)] = val_int(c->rank);
    v[COL(queue_sample, queue)] = val_text(q->queue);
    v[COL(queue_sample, seq)] = q->seq;
    v[COL(queue_sample, ts_ns)] = q->ts_ns;
    v[COL(queue_sample, at_ns)] = q->at_ns;
    v[COL(queue_sample, size)] = q->size;
    v[COL(queue_sample, capacity)] = q->capacity;
    v[COL(queue_sample, source_id)] = val_int(c->f->id);
    v[COL(queue_sample, line)] = val_int(l->n);
    return parse_row(c, T_queue_sample, v, N_COLS(queue_sample), e);
}

/* ---- device_queue_profiling_N.txt, dataset_iterator_profiling_N.txt ---- */

/*
 * <type> <extra> <batch> <value> [<time stamp ms>]: type 0 is a time, extra says of what; type 1 the fill of
 * the queue after the pipeline, extra its capacity.
 */
static int on_batch_line(struct parse_ctx *c, struct lines *l, struct str line, struct err *e)
{
    static const char *const kinds[] = { "pipeline", "push", "total" };
    struct str w[6];
    size_t n = lines_words(line, w, ARRAY_LEN(w));
    int64_t type, extra, batch;
    struct val at = val_null(), none = val_null();
    bool bad = false;

    if ((n != 4 && n != 5) || !str_i64(w[0], &type) || !str_i64(w[1], &extra) || !str_i64(w[2], &batch) ||
        type < 0 || type > 1) {
        lines_bad(l, "not type, extra, batch, value");
        return OK;
    }
    if (n == 5)
        at = val_scaled(w[4], 1000000, &bad);
    bool wall = at.t == VAL_INT && at.i >= WALL_NS;
    struct val value = type == 0 ? val_real_text(w[3], 6, &bad) : val_scaled(w[3], 1, &bad);
    if (bad || (type == 0 && (extra < 0 || extra >= (int64_t)ARRAY_LEN(kinds)))) {
        lines_bad(l, "not type, extra, batch, value");
        return OK;
    }
    if (type == 0)
        return put_batch(c, l, val_int(batch), kinds[extra], value, wall ? at : none, wall ? none : at, e);
    struct queue_row q = { .queue = STR("host"),
                           .seq = val_int(batch),
                           .ts_ns = wall ? at : none,
                           .at_ns = wall ? none : at,
                           .size = value,
                           .capacity = val_int(extra) };
    return put_queue(c, l, &q, e);
}

int parse_md_batches(struct parse_ctx *c, struct err *e)
{
    struct lines l;
    struct str line;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e))
            if (str_trim(line).n > 0 && on_batch_line(c, &l, str_trim(line), e))
                break;
    lines_done(&l);
    return e->code;
}

/* The same in slices of the collector's (doc/formats/prof.md#legacy-host-files). */
int parse_batches(struct parse_ctx *c, struct err *e)
{
    struct slices s;
    struct str line;
    struct where w;
    bool ended;

    if (slices_open(&s, c, e) == OK)
        while (slices_line(&s, &line, &w, &ended, e)) {
            struct parse_ctx at = *c;
            struct lines l = { .c = &at, .n = w.line, .off = w.offset, .ended = ended };
            at.f = s.f;
            if (str_trim(line).n > 0 && on_batch_line(&at, &l, str_trim(line), e))
                break;
            if (!ended && !l.noted)
                lines_note(&l, NOTE_TORN_FILE, false,
                           "the last line has no line end; kept, but its last value may be cut");
            c->rows = at.rows;
            c->lost = at.lost;
        }
    slices_close(&s);
    return e->code;
}

/* ---- minddata_getnext_profiling_N.txt, minddata_aicpu_N.txt ---- */

/* <node> <start> <end> <queue size>; mul: the time's unit in ns. */
static int on_getnext(struct parse_ctx *c, struct lines *l, struct str line, uint64_t mul, struct err *e)
{
    struct str w[5];
    size_t n = lines_words(line, w, ARRAY_LEN(w));
    int64_t start, end, size;
    bool header = n == 4 && str_eq(w[1], STR("start_time"));

    if (header || str_starts(line, STR("-----")))
        return OK;
    if (n != 4 || !str_scaled(w[1], mul, &start, NULL) || !str_scaled(w[2], mul, &end, NULL) ||
        !str_scaled(w[3], 1, &size, NULL)) {
        lines_bad(l, "not node, start, end, queue size");
        return OK;
    }
    struct val seq = val_int((int64_t)c->rows / 2 + 1), dur = val_null();
    int64_t d;
    if (!__builtin_sub_overflow(end, start, &d) && d >= 0)
        dur = val_real((double)d);
    else
        lines_note(l, NOTE_INCONSISTENT, false, "the end lies before the start");
    struct queue_row q = { .queue = w[0], .seq = seq, .ts_ns = val_int(start), .size = val_int(size) };
    if (put_queue(c, l, &q, e))
        return e->code;
    return put_batch(c, l, seq, "getnext", dur, val_int(start), val_null(), e);
}

static int parse_getnext(struct parse_ctx *c, uint64_t mul, struct err *e)
{
    struct lines l;
    struct str line;

    if (lines_open(&l, c, e) == OK)
        while (lines_next(&l, &line, e))
            if (str_trim(line).n > 0 && on_getnext(c, &l, str_trim(line), mul, e))
                break;
    lines_done(&l);
    return e->code;
}

int parse_md_getnext(struct parse_ctx *c, struct err *e)
{
    return parse_getnext(c, 1, e);
}

/* From r2.1 on the file may be JSON, whose layout no source names: kept as key and value. */
int parse_md_aicpu(struct parse_ctx *c, struct err *e)
{
    if (str_ends(str_of(c->f->path), STR(".json")))
        return parse_doc_rows(c, e);
    return parse_getnext(c, 1000, e);
}
