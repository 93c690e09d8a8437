/* SPDX-License-Identifier: Apache-2.0 */
/* The offset to add to the time stamps of a trace that does not count from 1970. */
#ifndef NPUSCOPE_PARSERS_TRACE_TRACE_CLOCK_H
#define NPUSCOPE_PARSERS_TRACE_TRACE_CLOCK_H

#include "parsers/registry.h"

/*
 * ns to add to stamps that count from the start of the machine (exports of CANN <= 6.x,
 * doc/formats/analysed.md#old-timelines): collectionTimeBegin - clockMonotonicRaw of the start_info file
 * beside the trace, else of the run's settings. false: neither is there.
 */
bool trace_clock_boot_offset(const struct parse_ctx *c, int64_t *add_ns);

/*
 * ns to add to the stamps of ascend_timeline_display_N.json, which count from the first op
 * (doc/formats/mindspore1.md#timeline-inputs): the smallest start in output_timeline_data_N.txt and in
 * aicpu_intermediate_N.csv of the same folder, so that the times fit the device clock of the other files.
 * false: no such file, or nothing in it.
 */
bool trace_clock_timeline_base(const struct parse_ctx *c, int64_t *add_ns);

#endif
