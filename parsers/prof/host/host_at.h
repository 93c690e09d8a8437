/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: offsets of the fields of host records (parsers/prof/prof_layout.h) for code that
 * reads several kinds: their common head is there once.
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_HOST_AT_H
#define NPUSCOPE_PARSERS_PROF_HOST_HOST_AT_H

#include "parsers/prof/prof_layout.h"

enum { PROF_HEAD(FIELD_AT) PROF_HEAD_B = 24 };
#undef PROF_HEAD
#define PROF_HEAD(F)
enum { TASK_TRACK_RECORD(FIELD_AT) };
enum { TASK_TRACK2_OWN(FIELD_AT) };
enum { NODE_BASIC_RECORD(FIELD_AT) };
enum { NODE_ATTR_RECORD(FIELD_AT) };
enum { MEMCPY_RECORD(FIELD_AT) };
enum { HCCL_OP_RECORD(FIELD_AT) };
enum { CAPTURE_STREAM_RECORD(FIELD_AT) };
enum { CAPTURE_STREAM2_OWN(FIELD_AT) };
enum { EXPAND_STREAM_RECORD(FIELD_AT) };
enum { PROF_TENSOR_RECORD(FIELD_AT) };
enum { CONTEXT_RECORD(FIELD_AT) };
enum { GRAPH_ID_RECORD(FIELD_AT) };
enum { FUSION_OP_RECORD(FIELD_AT) };
enum { HCCL_INFO_RECORD(FIELD_AT) };
enum { CAPTURE_OP_OWN(FIELD_AT) };
enum { MC2_COMM_OWN(FIELD_AT) };
enum { DPU_TRACK_OWN(FIELD_AT) };
enum { DPU_COMM_OWN(FIELD_AT) };

#endif
