/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue that GetNext takes from, inside the device, from the raw files
 * (doc/formats/mindspore1.md#aicpumi). Tables: queue_sample and batch_time, as minddata_aicpu gives them.
 * Later writers name the times otherwise: only the text after the colon counts.
 */
#include "config.h"

#include "parsers/mindspore/records/aicpumi_text.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"

#define US_NS 1000

struct reader {
    struct parse_ctx *c;
    int64_t seq;
};

static struct val number_of(struct str field, uint64_t mul, bool *bad)
{
    return field.p ? val_scaled(str_trim(str_after_last(field, ':')), mul, bad) : val_null();
}

static int put_queue(struct reader *r, const struct aicpumi_record *m, struct val size, struct val start,
                     struct err *e)
{
    const struct val v[N_COLS(queue_sample)] = {
        [COL(queue_sample, rank)] = val_int(r->c->rank),
        [COL(queue_sample, queue)] = val_text(m->name),
        [COL(queue_sample, seq)] = val_int(r->seq),
        [COL(queue_sample, ts_ns)] = start,
        [COL(queue_sample, size)] = size,
        [COL(queue_sample, source_id)] = val_int(m->where.source_id),
        [COL(queue_sample, line)] = val_int(m->where.line),
    };

    return sink_row(r->c->out, T_queue_sample, v, N_COLS(queue_sample), NULL, e);
}

static int put_batch(struct reader *r, const struct aicpumi_record *m, struct val start, struct val end,
                     struct err *e)
{
    struct val v[N_COLS(batch_time)] = {
        [COL(batch_time, rank)] = val_int(r->c->rank),
        [COL(batch_time, batch)] = val_int(r->seq),
        [COL(batch_time, kind)] = val_cstr("getnext"),
        [COL(batch_time, ts_ns)] = start,
        [COL(batch_time, source_id)] = val_int(m->where.source_id),
        [COL(batch_time, line)] = val_int(m->where.line),
    };
    int64_t dur;

    if (start.t == VAL_INT && end.t == VAL_INT) {
        if (!__builtin_sub_overflow(end.i, start.i, &dur) && dur >= 0)
            v[COL(batch_time, dur_ns)] = val_real((double)dur);
        else
            sink_note(r->c->out, NOTE_INCONSISTENT, &m->where, "the end lies before the start");
    }
    return sink_row(r->c->out, T_batch_time, v, N_COLS(batch_time), NULL, e);
}

static int on_record(void *arg, const struct aicpumi_record *m, struct err *e)
{
    struct reader *r = arg;
    bool bad = false;
    struct val size = number_of(m->queue_size, 1, &bad);
    struct val start = number_of(m->start_us, US_NS, &bad), end = number_of(m->end_us, US_NS, &bad);

    if (bad) {
        r->c->lost++;
        sink_note(r->c->out, NOTE_BAD_ROW, &m->where, "not node, queue size, start, end");
        return OK;
    }
    r->seq++;
    return put_queue(r, m, size, start, e) ? e->code : put_batch(r, m, start, end, e);
}

int parse_aicpumi(struct parse_ctx *c, struct err *e)
{
    struct reader r = { .c = c };

    return aicpumi_text_read(c, on_record, &r, e);
}
