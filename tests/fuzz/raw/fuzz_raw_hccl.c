/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of a communication operator: any bytes. Links are between ranks of its events. */
#include "config.h"

#include "parsers/mindspore/records/hccl_trace.h"
#include "tests/fuzz/raw/fuzz_raw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hccl_trace t;
    struct hccl_cost cost;
    struct fuzz_raw r;

    fuzz_raw_open(&r, data, size);
    if (hccl_trace_read(&r.c, &t, &r.e) == OK && hccl_cost_of(r.tmp, &t, size & 1, &cost, &r.e) == OK) {
        size_t n = cost.n_links;
        FUZZ_CHECK(n <= 2 * t.n);
        hccl_links_join(cost.link, &n);
        FUZZ_CHECK(n <= cost.n_links);
        for (size_t i = 0; i < n; i++)
            FUZZ_CHECK(cost.link[i].transport == HCCL_SDMA || cost.link[i].transport == HCCL_RDMA);
    }
    hccl_trace_done(&t);
    fuzz_raw_close(&r);
    return 0;
}
