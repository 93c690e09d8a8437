/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AI Core counters: any bytes. Every whole record is given, or counted as lost when it is nothing but zeros.
 */
#include "config.h"

#include "parsers/mindspore/records/aicore_records.h"
#include "tests/fuzz/raw/fuzz_raw.h"

#define AICORE_B 128

static int on_record(void *arg, const struct aicore_record *r, struct err *e)
{
    uint64_t *n = arg;

    (void)e;
    ++*n;
    FUZZ_CHECK(r->task <= 0xffff);
    FUZZ_CHECK(r->where.line == r->where.offset / AICORE_B + 1);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_raw r;
    uint64_t n = 0;

    fuzz_raw_open(&r, data, size);
    FUZZ_CHECK(aicore_records_read(&r.c, on_record, &n, &r.e) == OK);
    FUZZ_CHECK(r.c.rows == n);
    if (!r.packed)
        FUZZ_CHECK(n + r.c.lost == size / AICORE_B + (size % AICORE_B != 0));
    fuzz_raw_close(&r);
    return 0;
}
