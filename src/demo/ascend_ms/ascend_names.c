/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files and groups, and the clocks, of a folder *_ascend_ms. */
#include "config.h"

#include "base/path.h"
#include "demo/ascend_ms/ascend_ms.h"
#include <stdio.h>
#include <stdlib.h>

char *ascend_name(const struct ascend *g, const char *name, const char *ext, char *buf, size_t n)
{
    snprintf(buf, n, "%s_%s.%s", name, g->stamp, ext);
    return buf;
}

void ascend_folder(const struct demo_run *run, int rank, char *buf, size_t n)
{
    char stamp[16];
    demo_stamp(run, stamp);
    snprintf(buf, n, "node-%d_%u_%s%03d_ascend_%s", rank / run->node_ranks + 1,
             (unsigned)ascend_pid(run, rank), stamp, 100 + rank % 900, demo_is_torch(run) ? "pt" : "ms");
}

struct msprof_clock ascend_clock(const struct ascend *g)
{
    return (struct msprof_clock){
        .mon = (double)ASCEND_MONOTONIC_NS / 1e9,
        .host_counter = (double)ascend_host_count(0) / 1e9,
        .device_counter = (double)ascend_device_count(g, 0) / 1e9,
        .hz = ASCEND_MHZ * 1e6,
        .hw = ASCEND_MHZ * 1e6,
        .off = (double)(g->run->origin_ns / 1000) - (double)ASCEND_MONOTONIC_NS / 1000,
        .device_mono = (double)ASCEND_DEVICE_NS,
    };
}

struct ascend_work ascend_ge_work(const struct ascend *g, const struct demo_step *s)
{
    const struct msprof_clock c = ascend_clock(g);
    const uint64_t from = ascend_host_count(ascend_ge_alloc_ns(s)),
                   to = ascend_host_count(ascend_ge_free_ns(s));
    return (struct ascend_work){ .from_ns = msprof_local_us(&c, msprof_host_us(&c, from)),
                                 .to_ns = msprof_local_us(&c, msprof_host_us(&c, to)),
                                 .us = emit_round(msprof_host_duration_us(&c, to - from), 3) };
}

const char *ascend_group_name(enum demo_group_kind k)
{
    return k == DEMO_GROUP_TENSOR ? "hccl_tp_group" : "hccl_world_group";
}
