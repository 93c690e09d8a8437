/* SPDX-License-Identifier: Apache-2.0 */
/* AI Core counters (doc/formats/mindspore1.md#aicore). */
#include "config.h"

#include "parsers/mindspore/records/aicore_records.h"

#include "parsers/mindspore/records/record_layout.h"
#include "parsers/read/records.h"

static const struct record_kind kind = { .what = "AI Core records", .size_b = 128 };
enum { AICORE_RECORD(FIELD_AT) };

int aicore_records_read(struct parse_ctx *c, aicore_record_fn *fn, void *arg, struct err *e)
{
    struct aicore_record out;
    struct records f;
    struct rec r;

    if (records_open(&f, &kind, c, e) == OK)
        while (records_next(&f, &r, &out.where, e)) {
            out.task = rec_u16(&r, AICORE_TASK);
            out.stream = rec_u32(&r, AICORE_STREAM);
            for (size_t i = 0; i < AICORE_COUNTERS; i++)
                out.counter[i] = rec_u64(&r, AICORE_COUNTER + 8 * i);
            if (fn(arg, &out, e))
                break;
        }
    records_close(&f, e);
    return e->code;
}
