/* SPDX-License-Identifier: Apache-2.0 */
/* Step marks (doc/formats/mindspore1.md#training_trace, #ts_track). */
#include "config.h"

#include "parsers/mindspore/records/mark_records.h"

#include "parsers/mindspore/records/record_layout.h"
#include "parsers/read/records.h"

/* clang-format off */
static const struct record_kind ts_kind = { .what = "ts_track records", .size_b = 40, .length_at = 2,
    .bad = "a step mark shorter than its fields" };
enum { TS_TRACK_RECORD(FIELD_AT) };
#define TS_STEP 10      /* the type of step marks */
static const struct record_kind trace_kind = { .what = "training_trace records", .size_b = 20 };
enum { TRAINING_TRACE_RECORD(FIELD_AT) };

/* What tags mean; from..to, odd and even ones before or after a communication op. */
struct tag_rule {
    uint64_t from, to;
    enum mark_kind kind;
};
static const struct tag_rule ts_rules[] = {
    { 2, 2, MARK_FP }, { 3, 3, MARK_BP }, { 4, 4, MARK_END }, { 10000, 19999, MARK_COMM },
};
#define TRACE_RULES(end) { { 1, 1, MARK_FP }, { 2, 2, MARK_BP }, { 3, (end) - 1, MARK_COMM }, \
    { (end), (end), MARK_END } }
#define END_R12 65535
static const struct tag_rule trace_rules[][4] = { TRACE_RULES(MARK_END_OLD), TRACE_RULES(END_R12) };
/* clang-format on */

static enum mark_kind kind_of(const struct tag_rule *rules, size_t n, uint64_t tag)
{
    for (size_t i = 0; i < n; i++)
        if (tag >= rules[i].from && tag <= rules[i].to)
            return rules[i].kind;
    return MARK_OTHER;
}

int mark_records_ts_track(struct parse_ctx *c, mark_record_fn *fn, void *arg, struct err *e)
{
    struct step_mark m = { .after_gap = false };
    struct records f;
    struct rec r;

    if (records_open(&f, &ts_kind, c, e) == OK)
        while (records_next(&f, &r, &m.where, e)) {
            m.after_gap |= f.lost;
            if (rec_u8(&r, TS_TYPE) != TS_STEP)
                continue;
            m.tag = rec_u16(&r, TS_TAG);
            m.kind = kind_of(ts_rules, ARRAY_LEN(ts_rules), m.tag);
            m.first = m.tag % 2 == 0;
            m.stream = rec_u16(&r, TS_STREAM);
            m.task = rec_u16(&r, TS_TASK);
            m.ticks = rec_u64(&r, TS_TICKS);
            if (r.over)
                records_bad(&f, &m.where);
            else if (fn(arg, &m, e))
                break;
            else
                m.after_gap = false;
        }
    records_close(&f, e);
    return e->code;
}

/* What is known of the tag of a step's end. */
struct end_tag {
    bool r12, old;
    int starts;
};

/*
 * Up to the second forward start every tag of a step has occurred. A start that is one by a damaged bit does
 * not count: in the older form 255 has occurred, too. false: nothing can change any more.
 */
static bool look_on(struct end_tag *t, uint64_t tag)
{
    t->starts += tag == 1;
    t->old |= tag == MARK_END_OLD;
    t->r12 = tag == END_R12;
    return !t->r12 && !(t->old && t->starts >= 2);
}

/* Reads as far as needed; damage is noted when all is read. */
static int end_tag(const struct parse_ctx *c, bool *r12, struct err *e)
{
    struct sink_quiet quiet;
    struct end_tag t = { .r12 = false };
    struct parse_ctx probe = *c;
    struct records in;
    struct where w;
    struct rec r;

    sink_quiet_init(&quiet, c->out);
    probe.out = &quiet.sink;
    if (records_open(&in, &trace_kind, &probe, e) == OK)
        while (records_next(&in, &r, &w, e) && look_on(&t, rec_u64(&r, TRACE_TAG)))
            continue;
    slices_close(&in.s);
    *r12 = t.r12;
    return e->code;
}

int mark_records_training_trace(struct parse_ctx *c, mark_record_fn *fn, void *arg, struct err *e)
{
    struct step_mark m;
    struct records f;
    struct rec r;
    bool r12;

    if (end_tag(c, &r12, e))
        return e->code;
    if (records_open(&f, &trace_kind, c, e) == OK)
        while (records_next(&f, &r, &m.where, e)) {
            m.after_gap = f.lost;
            m.tag = rec_u64(&r, TRACE_TAG);
            m.kind = kind_of(trace_rules[r12], ARRAY_LEN(trace_rules[r12]), m.tag);
            m.first = m.tag % 2 == 1;
            m.stream = rec_u16(&r, TRACE_STREAM);
            m.task = rec_u16(&r, TRACE_TASK);
            m.ticks = rec_u64(&r, TRACE_TICKS);
            if (fn(arg, &m, e))
                break;
        }
    records_close(&f, e);
    return e->code;
}
