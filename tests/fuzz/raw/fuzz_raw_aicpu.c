/* SPDX-License-Identifier: Apache-2.0 */
/* AI CPU tasks, text and records: any bytes. */
#include "config.h"

#include "parsers/mindspore/records/aicpu_records.h"
#include "tests/fuzz/raw/fuzz_raw.h"

static int on_task(void *arg, const struct aicpu_task *t, struct err *e)
{
    uint64_t *n = arg;

    (void)e;
    ++*n;
    FUZZ_CHECK(t->dispatch_us >= 0 && t->total_us >= 0);
    FUZZ_CHECK(t->name.p || (t->stream >= 0 && t->task >= 0));
    FUZZ_CHECK(fuzz_sum(t->name) || !t->name.n);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_raw r;
    uint64_t n = 0;

    fuzz_raw_open(&r, data, size);
    FUZZ_CHECK(aicpu_records_read(&r.c, on_task, &n, &r.e) == OK);
    FUZZ_CHECK(r.c.rows == n);
    fuzz_raw_close(&r);
    return 0;
}
