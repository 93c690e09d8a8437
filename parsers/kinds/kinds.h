/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of file kinds (doc/formats/analysed.md#registry, doc/formats/mindspore1.md#folders), a table for
 * each family, and the short names that they are written with.
 *
 * A name is looked up from the top of each table, the tables in the order of registry.c: so the rows that
 * take whole folders come last. Topic and priority follow doc/store.md#kinds-and-tables: 1 the rank's own
 * output, 2 an upstream database, 3 msprof's text, 4 and up raw or rebuilt data. Order of reading:
 * doc/performance.md#reading-order.
 */
#ifndef NPUSCOPE_KINDS_H
#define NPUSCOPE_KINDS_H

#include "run/kind.h"

/* clang-format off */
enum gen_bits {
    G1 = 1u << GEN_1,
    G1B = 1u << GEN_1B,
    G2 = 1u << GEN_2,
    GP = 1u << GEN_P,
    GM = 1u << GEN_M,
    GC = 1u << GEN_C,
    GF = G1 | G1B
};
enum pane_bits {
    TRI = PANE_BIT(PANE_TRIAGE), FIL = PANE_BIT(PANE_FILES), OPS = PANE_BIT(PANE_OPS),
    STE = PANE_BIT(PANE_STEPS), TIM = PANE_BIT(PANE_TIME), FLO = PANE_BIT(PANE_FLOPS),
    MEM = PANE_BIT(PANE_MEM), DAT = PANE_BIT(PANE_DATA), COM = PANE_BIT(PANE_COMM), HOS = PANE_BIT(PANE_HOST)
};
enum read_order {
    INFO = 5, SMALL = 10, NAMES = 20, EXEC = 30, AICPU = 35, DATA = 40,
    TRACE = 50, MEMORY = 60, SAMPLED = 65, RAW = 80, LIST = 90
};
/* clang-format on */

/* What a database holds: it feeds those topics that no better source feeds. */
#define DB_TOPICS                                                                                            \
    "op_exec,trace,step,comm_exec,comm_link,api_stat,host_op,"                                               \
    "mem_alloc,mem_sample,mem_module,mem_device,mem_static,aicpu_exec"

extern const struct kind_table kinds_state, kinds_ops, kinds_system, kinds_trace, kinds_mindspore, kinds_raw,
    kinds_listed;

#endif
