/* SPDX-License-Identifier: Apache-2.0 */
/* What GetNext found in the data queue: any bytes. */
#include "config.h"

#include "parsers/mindspore/records/aicpumi_text.h"
#include "tests/fuzz/raw/fuzz_raw.h"

static int on_record(void *arg, const struct aicpumi_record *v, struct err *e)
{
    uint64_t *n = arg;

    (void)e;
    ++*n;
    FUZZ_CHECK(v->name.p);
    FUZZ_CHECK(!v->start_us.p == !v->end_us.p && !v->start_us.p == !v->queue_size.p);
    FUZZ_CHECK(fuzz_sum(v->name) + fuzz_sum(v->start_us) + fuzz_sum(v->end_us) + fuzz_sum(v->queue_size) <
               UINT32_MAX);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_raw r;
    uint64_t n = 0;

    fuzz_raw_open(&r, data, size);
    FUZZ_CHECK(aicpumi_text_read(&r.c, on_record, &n, &r.e) == OK);
    FUZZ_CHECK(r.c.rows == n);
    fuzz_raw_close(&r);
    return 0;
}
