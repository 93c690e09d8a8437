/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HWTS records: any bytes. Every whole record is given, counted as unknown, or blank; the pairing of
 * starts and ends gives no negative time.
 */
#include "config.h"

#include <stdbool.h>

#include "parsers/mindspore/records/hwts_records.h"
#include "parsers/mindspore/task_pairs.h"
#include "tests/fuzz/raw/fuzz_raw.h"

#define HWTS_B 64

struct seen {
    struct task_pairs times;
    uint64_t n;
};

static int on_record(void *arg, const struct hwts_record *r, struct err *e)
{
    struct seen *s = arg;
    struct task_pairs_mark start,
        m = { .task = r->task % 4, .end = r->type == HWTS_TASK_END, .ticks = r->ticks, .stream = r->stream };
    int64_t ts, dur;

    s->n++;
    FUZZ_CHECK(r->type < N_HWTS_TYPES);
    FUZZ_CHECK(r->where.line == r->where.offset / HWTS_B + 1);
    if (r->type <= HWTS_TASK_END && task_pairs_add(&s->times, &m, &start, e) &&
        task_pairs_ns(&start, &m, &ts, &dur))
        FUZZ_CHECK(ts >= 0 && dur >= 0);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_raw r;
    struct seen s = { .n = 0 };

    fuzz_raw_open(&r, data, size);
    FUZZ_CHECK(hwts_records_read(&r.c, on_record, &s, &r.e) == OK);
    FUZZ_CHECK(r.c.rows == s.n);
    if (!r.packed)
        FUZZ_CHECK(s.n <= size / HWTS_B && r.c.lost <= size);
    task_pairs_done(&s.times);
    fuzz_raw_close(&r);
    return 0;
}
