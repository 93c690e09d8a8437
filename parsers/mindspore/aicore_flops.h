/* SPDX-License-Identifier: Apache-2.0 */
/* FLOPs from AI Core counters (doc/formats/mindspore1.md#flops). Pure. */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_AICORE_FLOPS_H
#define NPUSCOPE_PARSERS_MINDSPORE_AICORE_FLOPS_H

#include "parsers/mindspore/records/aicore_records.h"

/*
 * Floating point operations that the counters of a record stand for, of either unit, when the group of
 * metrics is ArithmeticUtilization.
 */
struct aicore_flops {
    unsigned __int128 cube, vector;
};
struct aicore_flops aicore_flops_of(const struct aicore_record *r);
/* Operations that one count of a counter stands for; i below AICORE_COUNTERS. */
uint64_t aicore_flops_per_count(size_t i);
/* What the cube units of all cores can do, FLOPs a second; 0: frequency or number of cores is not known. */
double aicore_peak_flops_per_s(const struct runinfo *run);

#endif
