/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns that step_trace_time.csv and its sum over a cluster share
 * (doc/formats/analysed.md#step_trace_time): rows of a struct csv_col table into `step`.
 */
#ifndef NPUSCOPE_PARSERS_TABLES_STEP_COLS_H
#define NPUSCOPE_PARSERS_TABLES_STEP_COLS_H

#include "parsers/read/csvmap.h"

/* clang-format off */
#define STEP_SPLIT_COLS \
    { "Step",                           CV_INT, COL(step, step) }, \
    { "Computing",                      CV_US,  COL(step, computing_ns) }, \
    { "Communication(Not Overlapped)",  CV_US,  COL(step, comm_not_overlapped_ns) }, \
    { "Overlapped",                     CV_US,  COL(step, overlapped_ns) }, \
    { "Communication",                  CV_US,  COL(step, communication_ns) }, \
    { "Free",                           CV_US,  COL(step, free_ns) }, \
    { "Stage",                          CV_US,  COL(step, stage_ns) }, \
    { "Bubble",                         CV_US,  COL(step, bubble_ns) }, \
    { "Communication(Not Overlapped and Exclude Receive)", CV_US, COL(step, comm_no_receive_ns) }, \
    { "Preparing",                      CV_US,  COL(step, preparing_ns) }
/* clang-format on */

#endif
