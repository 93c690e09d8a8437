/* Private to prof*.c: offsets of the fields of host records (parsers/prof/prof_layout.h), several kinds side by side: their common head is there once. */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_HOST_AT_H
#define NPUSCOPE_PARSERS_PROF_HOST_HOST_AT_H

#include "parsers/prof/prof_layout.h"

enum { PROF_HEAD(RAW_AT) PROF_HEAD_B = 24 };
#undef PROF_HEAD
#define PROF_HEAD(F)
enum { TASK_TRACK_RECORD(RAW_AT) };
enum { TASK_TRACK2_OWN(RAW_AT) };
enum { NODE_BASIC_RECORD(RAW_AT) };
enum { NODE_ATTR_RECORD(RAW_AT) };
enum { MEMCPY_RECORD(RAW_AT) };
enum { HCCL_OP_RECORD(RAW_AT) };
enum { CAPTURE_STREAM_RECORD(RAW_AT) };
enum { CAPTURE_STREAM2_OWN(RAW_AT) };
enum { EXPAND_STREAM_RECORD(RAW_AT) };
enum { PROF_TENSOR_RECORD(RAW_AT) };
enum { CONTEXT_RECORD(RAW_AT) };
enum { GRAPH_ID_RECORD(RAW_AT) };
enum { FUSION_OP_RECORD(RAW_AT) };
enum { HCCL_INFO_RECORD(RAW_AT) };
enum { CAPTURE_OP_OWN(RAW_AT) };
enum { MC2_COMM_OWN(RAW_AT) };
enum { DPU_TRACK_OWN(RAW_AT) };
enum { DPU_COMM_OWN(RAW_AT) };

#endif
