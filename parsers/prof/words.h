/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words for the numbers in records of a PROF folder (doc/formats/prof.md#additional-records, #enum-values):
 * tables of data, ended by a row without a word.
 */
#ifndef NPUSCOPE_PARSERS_PROF_WORDS_H
#define NPUSCOPE_PARSERS_PROF_WORDS_H

#include "run/layout.h"

/* Numbers that computations compare with. */
enum { PROF_SDMA = 0, PROF_RDMA_PAYLOAD = 1 };
enum {
    PROF_LINK_ON_CHIP = 0,
    PROF_LINK_HCCS = 1,
    PROF_LINK_PCIE = 2,
    PROF_LINK_SIO = 4,
    PROF_LINK_HCCS_SW = 5
};

/* Levels of host records; cores that an op runs on. */
extern const struct layout_word prof_levels[], prof_op_cores[];
/* Types of device tasks: of hwts, of stars, of stars on V6 chips; of sub-tasks; of the task scheduler. */
extern const struct layout_word prof_hwts_types[], prof_sqe_types[], prof_sqe6_types[], prof_sub_tasks[],
    prof_ts_types[];
/* Of tensors. */
extern const struct layout_word prof_data_types[], prof_formats[];

/* Of communication; 4294967295 is INVALID_TYPE in all of them. */
extern const struct layout_word prof_hccl_types[], prof_links[], prof_transports[], prof_rdmas[],
    prof_reduces[];
extern const struct layout_word prof_ccu_reduces[];
/* Kinds of marks and ranges that the program reports itself. */
extern const struct layout_word prof_tx_events[];

/* Directions of copies (memcpy_info). */
extern const struct layout_word prof_copies[];

/* The word of a value; NULL: the table has none. */
const char *prof_word(const struct layout_word *table, uint64_t value);

#endif
