/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of the records in a PROF folder (doc/formats/prof.md#host-records, #device-records), each once:
 * readers take the offsets from here (FIELD_AT), the hex view and the manual page the names and meanings
 * (parsers/prof/layouts_prof.c). Rows: parsers/read/layout_rows.h.
 */
#ifndef NPUSCOPE_PARSERS_PROF_PROF_LAYOUT_H
#define NPUSCOPE_PARSERS_PROF_PROF_LAYOUT_H

#include "parsers/read/layout_rows.h"

#define PROF_HOST_MARK  0x5a5a /* in every record of the host */
#define PROF_STARS_MARK 0x6bd3 /* of the task scheduler "stars" */

/* Function codes of counters (doc/formats/prof.md#ffts_profile). */
#define PROF_FFTS_TASK  0x28
#define PROF_FFTS_BLOCK 0x29
#define PROF_FFTS_TASK6 0x2a /* V6: of a task on one kind of core */

/* clang-format off */

/* doc/formats/prof.md#record-head */
#define PROF_HEAD(F) \
    F(PH_MARK,    0, 2, HEX,  "magic", "in every record") \
    F(PH_LEVEL,   2, 2, UINT, "level", "who reports", .words = prof_levels) \
    F(PH_TYPE,    4, 4, UINT, "type", "within the level: type_info_dic names it") \
    F(PH_THREAD,  8, 4, UINT, "thread", "thread of the host") \
    F(PH_LENGTH, 12, 4, UINT, "data_len", "bytes of the data after the head") \
    F(PH_TIME,   16, 8, UINT, "timestamp", "host counter; of AI CPU records: device counter")

/* doc/formats/prof.md#api_event */
#define API_EVENT_RECORD(F) \
    F(API_MARK,     0, 2, HEX,  "magic", "in every record") \
    F(API_LEVEL,    2, 2, UINT, "level", "who reports", .words = prof_levels) \
    F(API_TYPE,     4, 4, UINT, "type", "within the level: type_info_dic names it") \
    F(API_THREAD,   8, 4, UINT, "thread", "thread of the host") \
    F(API_REQUEST, 12, 4, UINT, "request", "of a model: its iteration") \
    F(API_BEGIN,   16, 8, UINT, "begin", "host counter") \
    F(API_END,     24, 8, HEX,  "end", \
      "host counter; all bits set: the record is one mark, two of the same kind are a call") \
    F(API_ITEM,    32, 8, UINT, "item", "model id, or hash of a name")

/* doc/formats/prof.md#compact-records */
#define TASK_TRACK_RECORD(F) PROF_HEAD(F) \
    F(HT_DEVICE,      24, 2, UINT, "device", "device id", .bits = 12) \
    F(HT_DEVICE_KIND, 24, 2, UINT, "device_kind", "0: NPU, 1: DPU", .shift = 12, .bits = 4) \
    F(HT_STREAM,      26, 2, UINT, "stream", "stream id") \
    F(HT_TASK,        28, 2, UINT, "task", "task id") \
    F(HT_FLIP,        30, 2, UINT, "flip", \
      "batch; in a flip record its number, 65535: the stream is destroyed") \
    F(HT_TYPE,        32, 8, UINT, "task_type", "type_info_dic names it, at level 5000") \
    F(HT_KERNEL,      40, 8, UINT, "kernel", "hash of the kernel's name") \
    F(HT_BLOCKS,      48, 2, UINT, "blocks", "when data_len is 40") \
    F(HT_ARGS,        50, 2, UINT, "args_size", "when data_len is 40") \
    F(HT_RATIO,       52, 1, UINT, "mix_ratio", "vector cores for each cube core; when data_len is 40", \
      .bits = 3) \
    F(HT_SCHED,       52, 1, UINT, "sched_mode", "when data_len is 40", .shift = 3, .bits = 2)
/* task_track_v2: from the kernel on the fields are as in task_track */
#define TASK_TRACK2_RECORD(F) PROF_HEAD(F) TASK_TRACK2_OWN(F)
#define TASK_TRACK2_OWN(F) \
    F(HT2_DEVICE,      24, 2, UINT, "device", "device id", .bits = 12) \
    F(HT2_DEVICE_KIND, 24, 2, UINT, "device_kind", "0: NPU, 1: DPU", .shift = 12, .bits = 4) \
    F(HT2_STREAM,      28, 4, UINT, "stream", "stream id") \
    F(HT2_TASK,        32, 4, UINT, "task", "task id; in a flip record the low half, then its number") \
    F(HT2_TYPE,        36, 4, UINT, "task_type", "type_info_dic names it, at level 5000") \
    F(HT2_KERNEL,      40, 8, UINT, "kernel", "hash of the kernel's name") \
    F(HT2_BLOCKS,      48, 2, UINT, "blocks", "when data_len is 40") \
    F(HT2_ARGS,        50, 2, UINT, "args_size", "when data_len is 40") \
    F(HT2_RATIO,       52, 1, UINT, "mix_ratio", "vector cores for each cube core; when data_len is 40", \
      .bits = 3)
#define NODE_BASIC_RECORD(F) PROF_HEAD(F) \
    F(NB_NAME,   24, 8, UINT, "op", "hash of the op's name") \
    F(NB_CORE,   32, 4, UINT, "task_type", "where it runs", .words = prof_op_cores) \
    F(NB_TYPE,   36, 8, UINT, "op_type", "hash of the op type") \
    F(NB_BLOCKS, 44, 2, UINT, "blocks", "block dim") \
    F(NB_RATIO,  46, 2, UINT, "mix_ratio", "mix blocks for each block") \
    F(NB_FLAG,   48, 4, UINT, "flag", "0: no HF32")
#define NODE_ATTR_RECORD(F) PROF_HEAD(F) \
    F(NA_NAME, 24, 8, UINT, "op", "hash of the op's name") \
    F(NA_KIND, 32, 4, UINT, "attr_type", "0: attributes of the op") \
    F(NA_TEXT, 36, 8, UINT, "attributes", "hash of their text")
#define MEMCPY_RECORD(F) PROF_HEAD(F) \
    F(MC_SIZE, 24, 8, UINT, "size", "bytes") \
    F(MC_MAX,  32, 8, UINT, "max_size", "bytes of one task at most") \
    F(MC_KIND, 40, 2, UINT, "direction", .words = prof_copies)
#define HCCL_OP_RECORD(F) PROF_HEAD(F) \
    F(HO_FLAGS,     24, 1, HEX,  "flags", "bit 0: relay, bit 1: retry") \
    F(HO_DATA_TYPE, 25, 1, UINT, "data_type", .words = prof_hccl_types) \
    F(HO_ALG,       26, 8, UINT, "algorithm", "hash of its name") \
    F(HO_COUNT,     34, 8, UINT, "count", "elements") \
    F(HO_GROUP,     42, 8, UINT, "group", "hash of the group's name")
#define CAPTURE_STREAM_RECORD(F) PROF_HEAD(F) \
    F(CS_STATUS,   24, 2, UINT, "status", "1: destroyed") \
    F(CS_STREAM,   26, 2, UINT, "model_stream") \
    F(CS_ORIGINAL, 28, 2, UINT, "stream", "the stream that was captured") \
    F(CS_MODEL,    30, 2, UINT, "model", "model id") \
    F(CS_DEVICE,   32, 2, UINT, "device", "device id")
/* capture_stream_info_v2 */
#define CAPTURE_STREAM2_RECORD(F) PROF_HEAD(F) CAPTURE_STREAM2_OWN(F)
#define CAPTURE_STREAM2_OWN(F) \
    F(CS2_DEVICE,   24, 2, UINT, "device", "device id") \
    F(CS2_STATUS,   26, 1, UINT, "status", "1: destroyed") \
    F(CS2_STREAM,   28, 4, UINT, "model_stream") \
    F(CS2_ORIGINAL, 32, 4, UINT, "stream", "the stream that was captured") \
    F(CS2_MODEL,    36, 4, UINT, "model", "model id")
#define EXPAND_STREAM_RECORD(F) PROF_HEAD(F) \
    F(ES_STATUS, 24, 1, UINT, "expanded", "1: more than 2048 streams")

/* doc/formats/prof.md#additional-records */
#define PROF_TENSOR_OF(F, i, at) \
    F(PT_##i##_KIND,        at, 4, UINT, "tensor_" #i ".kind", "0: input, 1: output") \
    F(PT_##i##_FORMAT,  at + 4, 4, HEX,  "tensor_" #i ".format", \
      "low byte: format, the next two: sub-format") \
    F(PT_##i##_TYPE,    at + 8, 4, UINT, "tensor_" #i ".type", "data type") \
    F(PT_##i##_DIM,    at + 12, 4, UINT, "tensor_" #i ".dim_0", "first of eight dimensions; 0: none")
#define PROF_TENSOR_RECORD(F) PROF_HEAD(F) \
    F(PT_NAME,  24, 8, UINT, "op", "hash of the op's name") \
    F(PT_COUNT, 32, 4, UINT, "tensors", "in this record, at most 5; more lie in further records of the op") \
    PROF_TENSOR_OF(F, 0, 36) PROF_TENSOR_OF(F, 1, 80) PROF_TENSOR_OF(F, 2, 124) PROF_TENSOR_OF(F, 3, 168) \
        PROF_TENSOR_OF(F, 4, 212)
#define PROF_TENSOR_B 44 /* bytes of one tensor */
#define CONTEXT_RECORD(F) PROF_HEAD(F) \
    F(CX_NAME,  24, 8, UINT, "op", "hash of the op's name") \
    F(CX_COUNT, 32, 4, UINT, "contexts", "at most 55; of communication: two ids are a range") \
    F(CX_ID,    36, 4, UINT, "context_0", "the first; further ones follow")
#define GRAPH_ID_RECORD(F) PROF_HEAD(F) \
    F(GI_NAME,  24, 8, UINT, "model_name", "hash") \
    F(GI_GRAPH, 32, 4, UINT, "graph", "graph id") \
    F(GI_MODEL, 36, 4, UINT, "model", "model id")
#define FUSION_OP_RECORD(F) PROF_HEAD(F) \
    F(FU_NAME,      24, 8, UINT, "op", "hash of the fused op's name") \
    F(FU_COUNT,     32, 4, UINT, "ops", "ops that were fused, at most 8") \
    F(FU_MEMORY,    36, 8, UINT, "input", "bytes; then output, weight, workspace, total") \
    F(FU_OUTPUT,    44, 8, UINT, "output", "bytes") \
    F(FU_WEIGHT,    52, 8, UINT, "weight", "bytes") \
    F(FU_WORKSPACE, 60, 8, UINT, "workspace", "bytes") \
    F(FU_TOTAL,     68, 8, UINT, "total", "bytes") \
    F(FU_OP,        76, 8, UINT, "op_0", "hash of the first op's name; further ones follow")
#define HCCL_INFO_RECORD(F) PROF_HEAD(F) \
    F(HI_ITEM,       24, 8, UINT, "task_name", "hash") \
    F(HI_TAG,        32, 8, UINT, "ccl_tag", "hash") \
    F(HI_GROUP,      40, 8, UINT, "group", "hash of the group's name") \
    F(HI_LOCAL,      48, 4, UINT, "local_rank") \
    F(HI_REMOTE,     52, 4, UINT, "remote_rank", "4294967295: none") \
    F(HI_RANKS,      56, 4, UINT, "ranks", "size of the group") \
    F(HI_MODE,       60, 4, UINT, "mode", "work flow mode") \
    F(HI_PLANE,      64, 4, UINT, "plane", "plane id") \
    F(HI_CONTEXT,    68, 4, UINT, "context", "context id") \
    F(HI_NOTIFY,     72, 8, UINT, "notify", "notify id") \
    F(HI_STAGE,      80, 4, UINT, "stage") \
    F(HI_ROLE,       84, 4, UINT, "role", "0: destination, 1: source") \
    F(HI_ESTIMATED,  88, 8, HEX,  "estimated", "expected duration as a double, us") \
    F(HI_SRC,        96, 8, HEX,  "src", "address") \
    F(HI_DST,       104, 8, HEX,  "dst", "address") \
    F(HI_SIZE,      112, 8, UINT, "size", "bytes") \
    F(HI_OP_TYPE,   120, 4, UINT, "reduce", .words = prof_reduces) \
    F(HI_DATA_TYPE, 124, 4, UINT, "data_type", .words = prof_hccl_types) \
    F(HI_LINK,      128, 4, UINT, "link", .words = prof_links) \
    F(HI_TRANSPORT, 132, 4, UINT, "transport", .words = prof_transports) \
    F(HI_RDMA,      136, 4, UINT, "rdma", .words = prof_rdmas)
#define LOGIC_STREAM_RECORD(F) PROF_HEAD(F) LOGIC_STREAM_OWN(F)
#define LOGIC_STREAM_OWN(F) \
    F(LS_LOGICAL,  24, 4, UINT, "logical_stream") \
    F(LS_COUNT,    28, 4, UINT, "streams", "at most 56") \
    F(LS_PHYSICAL, 32, 4, UINT, "stream_0", "the first; further ones follow")
#define TASK_MEMORY_RECORD(F) PROF_HEAD(F) TASK_MEMORY_OWN(F)
#define TASK_MEMORY_OWN(F) \
    F(TM_ADDRESS,   24, 8, HEX,  "address") \
    F(TM_SIZE,      32, 8, UINT, "size", "bytes; as a signed number below 0: released") \
    F(TM_NODE,      40, 8, UINT, "op", "hash of the op's name") \
    F(TM_ALLOCATED, 48, 8, UINT, "allocated", "bytes in all") \
    F(TM_RESERVED,  56, 8, UINT, "reserved", "bytes in all") \
    F(TM_DEVICE,    64, 4, UINT, "device", "device id")

#define STATIC_MEMORY_RECORD(F) PROF_HEAD(F) STATIC_MEMORY_OWN(F)
#define STATIC_MEMORY_OWN(F) \
    F(SM_SIZE,      24, 8, UINT, "size", "bytes") \
    F(SM_NODE,      32, 8, UINT, "op", "hash of the op's name") \
    F(SM_START,     40, 8, UINT, "life_start", "index of the node that allocates") \
    F(SM_END,       48, 8, UINT, "life_end", "index of the node that releases") \
    F(SM_ALLOCATED, 56, 8, UINT, "allocated", "bytes in all") \
    F(SM_DYNAMIC,   64, 8, UINT, "dynamic_op", "hash of a name") \
    F(SM_GRAPH,     72, 4, UINT, "graph", "graph id")

#define MC2_COMM_RECORD(F) PROF_HEAD(F) MC2_COMM_OWN(F)
#define MC2_COMM_OWN(F) \
    F(M2_GROUP,     24, 8, UINT, "group", "hash of its name") \
    F(M2_RANKS,     32, 4, UINT, "ranks", "in the group") \
    F(M2_RANK,      36, 4, UINT, "rank", "rank id") \
    F(M2_USER_RANK, 40, 4, UINT, "user_rank") \
    F(M2_SERVER,    44, 4, UINT, "server_stream", "stream of the server on the AI CPU") \
    F(M2_STREAMS,   48, 4, UINT, "streams", "of communication tasks, at most 8") \
    F(M2_STREAM,    52, 4, UINT, "stream_0", "the first; further ones follow")
/* The time stamp of its head is the end. */
#define DPU_TRACK_RECORD(F) PROF_HEAD(F) DPU_TRACK_OWN(F)
#define DPU_TRACK_OWN(F) \
    F(DT_DEVICE, 24, 2, UINT, "device", "low 12 bits: number of the DPU") \
    F(DT_STREAM, 26, 2, UINT, "stream", "stream id") \
    F(DT_TASK,   28, 4, UINT, "task", "task id") \
    F(DT_KIND,   32, 4, UINT, "kind") \
    F(DT_START,  40, 8, UINT, "start", "counter of the host")
/* The same. */
#define DPU_COMM_RECORD(F) PROF_HEAD(F) DPU_COMM_OWN(F)
#define DPU_COMM_OWN(F) \
    F(DC_ITEM,        24, 8, UINT, "item", "hash of what it does") \
    F(DC_TAG,         32, 8, UINT, "ccl_tag", "hash") \
    F(DC_GROUP,       40, 8, UINT, "group", "hash of its name") \
    F(DC_LOCAL,       48, 4, UINT, "local_rank") \
    F(DC_REMOTE,      52, 4, UINT, "remote_rank") \
    F(DC_RANKS,       56, 4, UINT, "ranks", "in the group") \
    F(DC_STAGE,       60, 4, UINT, "stage") \
    F(DC_NOTIFY,      64, 8, UINT, "notify", "notify id") \
    F(DC_START,       72, 8, UINT, "start", "counter of the host") \
    F(DC_ESTIMATED,   80, 8, HEX,  "estimated_us", "a double") \
    F(DC_SOURCE,      88, 8, HEX,  "source", "address") \
    F(DC_TARGET,      96, 8, HEX,  "target", "address") \
    F(DC_SIZE,       104, 8, UINT, "size", "bytes") \
    F(DC_TASK,       112, 4, UINT, "task", "task id on the DPU") \
    F(DC_AICPU_TASK, 116, 4, UINT, "aicpu_task", "task id on the NPU") \
    F(DC_STREAM,     120, 2, UINT, "stream", "stream id on the DPU") \
    F(DC_PLANE,      122, 2, UINT, "plane") \
    F(DC_NPU,        124, 2, UINT, "npu", "device id of the NPU") \
    F(DC_DPU,        126, 2, UINT, "device", "low 12 bits: number of the DPU") \
    F(DC_OP_TYPE,    128, 1, UINT, "op", .words = prof_reduces) \
    F(DC_DATA_TYPE,  129, 1, UINT, "data_type", .words = prof_hccl_types) \
    F(DC_LINK,       130, 1, UINT, "link", .words = prof_links) \
    F(DC_TRANSPORT,  131, 1, UINT, "transport", .words = prof_transports) \
    F(DC_RDMA,       132, 1, UINT, "rdma", .words = prof_rdmas) \
    F(DC_ROLE,       133, 1, UINT, "role", "0: destination, 1: source") \
    F(DC_MODE,       134, 1, UINT, "mode", "of work flow")
#define MULTI_THREAD_RECORD(F) PROF_HEAD(F) \
    F(TRACE_THREADS, 24, 4, UINT, "threads", "at most 25") \
    F(TRACE_ID,      28, 4, UINT, "thread_0", "thread of the host that serves this one; further ones follow")
#define MEMORY_APPLICATION_RECORD(F) PROF_HEAD(F) \
    F(MA_VALUE_0, 24, 8, UINT, "value_0", "what the values mean is not published") \
    F(MA_VALUE_1, 32, 8, UINT, "value_1") \
    F(MA_VALUE_2, 40, 8, UINT, "value_2") \
    F(MA_VALUE_3, 48, 8, UINT, "value_3") \
    F(MA_VALUE_4, 56, 8, UINT, "value_4")
/* In the file "variable" its head gives its length; else it has 256 bytes. */
#define CAPTURE_OP_RECORD(F) PROF_HEAD(F) CAPTURE_OP_OWN(F)
#define CAPTURE_OP_OWN(F) \
    F(CO_MODEL,   24, 4, UINT, "model", "model id") \
    F(CO_DEVICE,  28, 4, UINT, "device", "device id") \
    F(CO_STREAM,  32, 4, UINT, "stream", "stream id") \
    F(CO_TASK,    36, 4, UINT, "task", "task id") \
    F(CO_CORE,    40, 4, UINT, "task_type", "where it runs", .words = prof_op_cores) \
    F(CO_BLOCKS,  44, 2, UINT, "blocks", "block dim") \
    F(CO_RATIO,   46, 2, UINT, "mix_ratio", "mix blocks for each block") \
    F(CO_NAME,    48, 8, UINT, "op", "hash of the op's name") \
    F(CO_TYPE,    56, 8, UINT, "op_type", "hash of the op type") \
    F(CO_ATTR,    64, 8, UINT, "attributes", "hash of their text; 0: none") \
    F(CO_FLAG,    80, 4, UINT, "flag", "0: no HF32") \
    F(CO_TENSORS, 84, 4, UINT, "tensors", "of 44 bytes each, as in tensor_info") \
    F(CO_TENSOR,  88, 4, UINT, "tensor_0", "the first: 0: input, 1: output; its other fields follow")
#define MSPROFTX_RECORD(F) PROF_HEAD(F) MSPROFTX_OWN(F)
#define MSPROFTX_OWN(F) \
    F(TX_KIND,          24,   2, UINT, "kind", "0: host only, 1: a stream of the device meets it too") \
    F(TX_SEGMENT,       26,   2, UINT, "segment", "kind 1: part of the text, from 0") \
    F(TX_PID,           36,   4, UINT, "pid", "process") \
    F(TX_THREAD,        40,   4, UINT, "tid", "thread of the host") \
    F(TX_CATEGORY,      44,   4, UINT, "category") \
    F(TX_EVENT,         48,   4, UINT, "event_type", .words = prof_tx_events) \
    F(TX_PAYLOAD_TYPE,  52,   4, UINT, "payload_type") \
    F(TX_PAYLOAD,       56,   8, UINT, "payload") \
    F(TX_START,         64,   8, UINT, "start", "host counter") \
    F(TX_END,           72,   8, UINT, "end", "host counter") \
    F(TX_MARK,          80,   8, UINT, "mark", \
      "kind 1: the device's step marks of tag 11 and 12 have it as index") \
    F(TX_DOMAIN,        88,   8, UINT, "domain", "hash of its name") \
    F(TX_MESSAGE_TYPE,  96,   4, UINT, "message_type") \
    F(TX_MESSAGE,      100, 156, TEXT, "message")

/* doc/formats/prof.md#hwts */
#define HWTS_RECORD2(F) \
    F(HW_TYPE,    0, 1, UINT, "type", "kind of the record", .bits = 3, .words = hwts_types) \
    F(HW_COUNT,   0, 1, UINT, "count", "number of the record mod 16", .shift = 4, .bits = 4) \
    F(HW_KIND,    1, 1, UINT, "task_type", "of the task") \
    F(HW_MARK,    2, 2, HEX,  "mark") \
    F(HW_BLOCK,   4, 2, UINT, "block", "block id") \
    F(HW_TASK,    6, 2, UINT, "task", "task id") \
    F(HW_TICKS,   8, 8, UINT, "counter", "device counter") \
    F(HW_STREAM, 16, 4, UINT, "stream", "stream id modulo 2048")

/* doc/formats/prof.md#ts_track: byte 1 says what the rest is */
#define TS_TRACK_RECORD2(F) \
    F(TT_TYPE,         1, 1, UINT, "type", "kind of report", .words = ts_types) \
    F(TT_TICKS,        8, 8, UINT, "counter", "device counter") \
    F(TT_INDEX,       16, 8, UINT, "index", "step mark: index id") \
    F(TT_MODEL,       24, 8, UINT, "model", "step mark: model id") \
    F(TT_MARK_STREAM, 32, 2, UINT, "mark_stream", "step mark: its stream", .bits = 11) \
    F(TT_MARK_TASK,   34, 2, UINT, "mark_task", "step mark: its task") \
    F(TT_TAG,         36, 2, UINT, "tag", "step mark: what it means", .words = ts_tags) \
    F(TT_STREAM,      16, 2, UINT, "stream", "others: stream id") \
    F(TT_TASK,        18, 2, UINT, "task", "others: task id; flip: its number") \
    F(TT_COPY_STATE,  20, 1, UINT, "copy_state", "copy: 0 received, 1 start, 2 end") \
    F(TT_TASK_TYPE,   20, 2, UINT, "task_type", "task: its type") \
    F(TT_BLOCKS,      20, 4, UINT, "blocks", "block number") \
    F(TT_STATE,       22, 1, UINT, "state", "task: 0 received, 1 start, 2 end") \
    F(TT_FLIP_TASK,   22, 2, UINT, "flip_task", "flip: first task id after it") \
    F(TT6_TAG,        32, 2, UINT, "v6_tag", "step mark of V6 chips: what it means", .words = ts_tags) \
    F(TT6_STREAM,     34, 2, UINT, "v6_stream", "step mark of V6 chips: its stream") \
    F(TT6_TASK,       36, 4, UINT, "v6_task", "step mark of V6 chips: its task")

/*
 * doc/formats/prof.md#ts_track, chip 0: records of several sizes; the second byte is the kind, the next two
 * the length
 */
#define TS_LINE_RECORD(F) \
    F(TL_TYPE,       1, 1, UINT, "type", "3: a task changed its state") \
    F(TL_LENGTH,     2, 2, UINT, "length", "bytes") \
    F(TL_TASK_TYPE,  8, 2, UINT, "task_type", "of the task") \
    F(TL_STATE,     10, 2, UINT, "state", "1 waits, 2 runs, 3 done, 4 pending") \
    F(TL_STREAM,    12, 2, UINT, "stream", "stream id", .bits = 11) \
    F(TL_TASK,      14, 2, UINT, "task", "task id") \
    F(TL_TICKS,     16, 8, UINT, "counter", "device counter") \
    F(TL_THREAD,    24, 4, UINT, "thread") \
    F(TL_DEVICE,    28, 4, UINT, "device")
#define TS_LINE_B 32
#define TS_COUNT_RECORD(F) \
    F(TC_TYPE,         1, 1, UINT, "type", "4: counters of a task") \
    F(TC_LENGTH,       2, 2, UINT, "length", "bytes") \
    F(TC_TASK_TYPE,    8, 2, UINT, "task_type", "of the task") \
    F(TC_STREAM,      10, 2, UINT, "stream", "stream id", .bits = 11) \
    F(TC_TASK,        12, 2, UINT, "task", "task id") \
    F(TC_OVERFLOW,    14, 2, UINT, "overflow", "1: its cycles are not valid") \
    F(TC_OVERFLOWED,  16, 8, UINT, "overflow_cycles") \
    F(TC_COUNTER,     24, 8, UINT, "counter_0", "the first of eight events of sample.json") \
    F(TC_CYCLES,      88, 8, UINT, "total_cycles") \
    F(TC_TICKS,       96, 8, UINT, "counter", "device counter") \
    F(TC_BLOCKS,     104, 2, UINT, "blocks", "block dim")
#define TS_COUNT_B 112

/* doc/formats/prof.md#aicore, task based */
#define AICORE_RECORD2(F) \
    F(AC_TASK,     6, 2, UINT, "task", "task id") \
    F(AC_CYCLES,  16, 8, UINT, "total_cycles") \
    F(AC_COUNTER, 32, 8, UINT, "counter_0", "the first of eight events of sample.json") \
    F(AC_STREAM,  96, 4, UINT, "stream", "stream id modulo 2048")

/*
 * doc/formats/prof.md#aicore, sampled: what a core counted since its previous sample; V6 chips have two
 * events more, and the fields after them lie 16 bytes later
 */
#define CORE_SAMPLE_RECORD(F) \
    F(CO_MODE,     0, 1, UINT, "mode", "0: no sample") \
    F(CO_COUNTER,  8, 8, UINT, "counter_0", "the first of eight (V6: ten) events of sample.json") \
    F(CO_CYCLES,  72, 8, UINT, "cycles", "of tasks") \
    F(CO_TIME,    80, 8, UINT, "timestamp", "ns of the device; V6: device counter") \
    F(CO_COUNT,   88, 1, UINT, "count", "events") \
    F(CO_CORE,    89, 1, UINT, "core", "core id")
#define CORE_SAMPLE_B     96
#define CORE_SAMPLE6_B    112
#define CORE_SAMPLE6_MORE (CORE_SAMPLE6_B - CORE_SAMPLE_B)

/* doc/formats/prof.md#stars_soc */
#define STARS_RECORD(F) \
    F(ST_FUNCTION,  0, 2, UINT, "function", "kind of the record", .bits = 6, .words = stars_functions) \
    F(ST_COUNT,     0, 2, UINT, "count", "number of the record mod 16", .shift = 6, .bits = 4) \
    F(ST_KIND,      0, 2, UINT, "task_type", "type of the task", \
      .shift = 10, .bits = 6, .words = prof_sqe_types) \
    F(ST_MARK,      2, 2, HEX,  "magic", "in every record") \
    F(ST_STREAM,    4, 2, UINT, "stream", "bits 12 and 13 move bits to and from the task id") \
    F(ST_TASK,      6, 2, UINT, "task", "task id") \
    F(ST_TICKS,     8, 8, UINT, "counter", "device counter") \
    F(ST_SUB_KIND, 16, 2, UINT, "subtask_type", "of a sub-task", .bits = 8, .words = prof_sub_tasks) \
    F(ST_SUB_ID,   18, 2, UINT, "subtask", "of a sub-task: its id, the context") \
    F(ST_FFTS,     20, 2, UINT, "ffts_type", "of a sub-task; 4: FFTS+", .shift = 13, .bits = 3) \
    F(ST_THREAD,   22, 2, UINT, "thread", "of a sub-task")

/* doc/formats/prof.md#stars_soc, V6: 32 bytes, in stars_soc and stars_block */
#define STARS6_RECORD(F) \
    F(S6_FUNCTION,   0, 2, UINT, "function", "kind of the record", .bits = 6, .words = stars6_functions) \
    F(S6_COUNT,      0, 2, UINT, "count", "number of the record mod 16", .shift = 6, .bits = 4) \
    F(S6_KIND,       0, 2, UINT, "task_type", "type of the task", \
      .shift = 10, .bits = 6, .words = prof_sqe6_types) \
    F(S6_MARK,       2, 2, HEX,  "magic", "in every record") \
    F(S6_TASK,       4, 4, UINT, "task", "id of the task among those of all streams") \
    F(S6_TICKS,      8, 8, UINT, "counter", "device counter") \
    F(S6_FUSION,    16, 2, UINT, "fusion_type", \
      "of a fusion task, a bit each: CPU, AI CPU, AI Core, CCU 0, CCU 1", .bits = 5) \
    F(S6_MISSION,   16, 2, UINT, "mission", "of a fusion task", .shift = 5, .bits = 4) \
    F(S6_ACC,       18, 2, UINT, "acc", "accelerator id") \
    F(S6_CONTEXT,   16, 1, UINT, "context_type", "of a block") \
    F(S6_MASTER,    17, 1, UINT, "master", "of a block of a mix kernel: 1 on its main core", .bits = 1) \
    F(S6_MIX,       17, 1, UINT, "mix", "of a block: 1 of a mix kernel", .shift = 1, .bits = 1) \
    F(S6_CORE_KIND, 20, 1, UINT, "core_type", "of a block: 0 cube, 1 vector", .bits = 1) \
    F(S6_CORE,      21, 1, UINT, "core", "of a block: core id") \
    F(S6_BLOCK,     26, 2, UINT, "block", "of a block")
#define STARS6_B 32

/* doc/formats/prof.md#ffts_profile */
#define FFTS_RECORD(F) \
    F(FF_FUNCTION,    0, 2, UINT, "function", "40: of a task, 41: of one of its blocks", \
      .bits = 6, .words = ffts_functions) \
    F(FF_MARK,        2, 2, HEX,  "magic", "in every record") \
    F(FF_STREAM,      4, 2, UINT, "stream", "bits 12 and 13 move bits to and from the task id") \
    F(FF_TASK,        6, 2, UINT, "task", "task id") \
    F(FF_SUB_KIND,   16, 2, UINT, "subtask_type", .bits = 8, .words = prof_sub_tasks) \
    F(FF_OVERFLOW,   16, 2, UINT, "overflow", "of a task: its cycles are not valid", .shift = 10, .bits = 1) \
    F(FF_SUB_ID,     18, 2, UINT, "subtask", "the context") \
    F(FF_FFTS,       20, 2, UINT, "ffts_type", "4: FFTS+, 5: mix", .shift = 13, .bits = 3) \
    F(FF_CORE_KIND,  20, 1, UINT, "core_type", "of a block: 0 cube, 1 vector", .bits = 1) \
    F(FF_CORE,       20, 1, UINT, "core", "of a block: core id", .shift = 1, .bits = 7) \
    F(FF_SUB_BLOCK,  28, 2, UINT, "sub_block", "of a block") \
    F(FF_BLOCK,      30, 2, UINT, "block", "of a block") \
    F(FF_CYCLES,     32, 8, UINT, "total_cycles") \
    F(FF_COUNTER,    48, 8, UINT, "counter_0", "the first of eight events of sample.json") \
    F(FF_START,     112, 8, UINT, "start", "device counter") \
    F(FF_END,       120, 8, UINT, "end", "device counter") \
    F(F6_TASK,        4, 4, UINT, "v6_task", "V6 chips: id of the task among those of all streams") \
    F(F6_CYCLES,      8, 8, UINT, "v6_total_cycles", "V6 chips") \
    F(F6_CONTEXT,    16, 1, UINT, "v6_context_type", "V6 chips") \
    F(F6_FLAGS,      17, 1, HEX,  "v6_flags", \
      "V6 chips; bit 0: on the main core, bit 1: of a mix kernel, bit 2: its cycles are not valid") \
    F(F6_CORE_KIND,  20, 1, UINT, "v6_core_type", "V6 chips: 0 cube, 1 vector", .bits = 1) \
    F(F6_CORE,       21, 1, UINT, "v6_core", "V6 chips: core id") \
    F(F6_SUB_BLOCK,  24, 2, UINT, "v6_sub_block", "V6 chips") \
    F(F6_BLOCK,      26, 2, UINT, "v6_block", "V6 chips") \
    F(F6_COUNTER,    32, 8, UINT, "v6_counter_0", "V6 chips: the first of ten events of sample.json")
#define F6_MASTER   1 /* of F6_FLAGS */
#define F6_MIX      2
#define F6_OVERFLOW 4

/* doc/formats/prof.md#lpmfreqconv: a head, then up to 55 points of 16 bytes */
#define FREQ_RECORD(F) \
    F(FR_COUNT,  0, 4, UINT, "points", "at most 55") \
    F(FR_KIND,   4, 4, UINT, "type", \
      "0: AI Core frequency in MHz, 1: its voltage in mV, 2: voltage of the bus") \
    F(FR_TICKS,  8, 8, UINT, "counter_0", "device counter of the first point; further ones follow") \
    F(FR_VALUE, 16, 4, UINT, "value_0", "of the first point")
#define FREQ_POINT_B 16
#define FREQ_POINTS  55

/* doc/formats/prof.md#aicpu: the type of the head says what the rest is */
#define PROF_AICPU_RECORD(F) PROF_HEAD(F) \
    F(PA_STREAM,       24,  2, UINT, "stream", "task: stream id") \
    F(PA_TASK,         26,  2, UINT, "task", "task: task id") \
    F(PA_START_US,     32,  8, UINT, "run_start", "task: us") \
    F(PA_START,        40,  8, UINT, "run_start_counter", "task: device counter") \
    F(PA_COMPUTE,      48,  8, UINT, "compute_start", "task: us") \
    F(PA_COPY,         56,  8, UINT, "memcpy_start", "task: us") \
    F(PA_COPY_END,     64,  8, UINT, "memcpy_end", "task: us") \
    F(PA_END_US,       72,  8, UINT, "run_end", "task: us") \
    F(PA_END,          80,  8, UINT, "run_end_counter", "task: device counter") \
    F(PA_THREAD,       88,  4, UINT, "thread_id", "task: thread of the AI CPU") \
    F(PA_DEVICE,       92,  4, UINT, "device", "task: device id") \
    F(PA_SUBMIT,       96,  8, UINT, "submit_tick", "task: device counter") \
    F(PA_SCHEDULE,    104,  8, UINT, "schedule_tick", "task: device counter") \
    F(PA_BEFORE,      112,  8, UINT, "tick_before_run", "task: device counter") \
    F(PA_AFTER,       120,  8, UINT, "tick_after_run", "task: device counter") \
    F(PA_KERNEL,      128,  4, UINT, "kernel_type", "task") \
    F(PA_DISPATCH_US, 132,  4, UINT, "dispatch_time", "task: us") \
    F(PA_TOTAL_US,    136,  4, UINT, "total_time", "task: us") \
    F(PA_FFTS,        140,  2, UINT, "ffts_thread", "task") \
    F(PA_DP_ACTION,    24, 16, TEXT, "action", "data preparation: what happened") \
    F(PA_DP_SOURCE,    40, 64, TEXT, "source", "data preparation: of which op or thread") \
    F(PA_DP_INDEX,    104,  8, UINT, "index", "data preparation") \
    F(PA_DP_SIZE,     112,  8, UINT, "size", "data preparation: items in the queue") \
    F(PA_MODEL_INDEX,  24,  8, UINT, "step_index", "model: index id") \
    F(PA_MODEL,        32,  4, UINT, "model", "model: model id") \
    F(PA_MODEL_TAG,    36,  2, UINT, "step_tag", "model: what the mark means") \
    F(PA_MODEL_EVENT,  40,  8, UINT, "event", "model") \
    F(PA_ITEM_NODE,    24,  4, UINT, "node", "data item: 1 is GetNext_dequeue_wait") \
    F(PA_ITEM_SIZE,    32,  8, UINT, "queue_size", "data item") \
    F(PA_ITEM_START,   40,  8, UINT, "start", "data item: us") \
    F(PA_ITEM_END,     48,  8, UINT, "end", "data item: us")
/* Types 4, 5, 10 to 13: communication that AI CPUs run. */
#define PROF_KFC_TURN(F) \
    F(KC_AT,     24, 8, UINT, "server_start", \
      "communication turn: device counter; then wait for the request, orchestration, launch, " \
      "execution, its end, end of the server") \
    F(KC_BYTES,  80, 8, UINT, "comm_length", "communication turn: length of the data") \
    F(KC_STREAM, 92, 2, UINT, "comm_stream", "communication turn: stream id") \
    F(KC_TASK,   94, 2, UINT, "comm_task", "communication turn: task id") \
    F(KC_TURNS,  97, 1, UINT, "comm_turns", "communication turn: how many there are") \
    F(KC_TURN,   98, 1, UINT, "comm_turn", "communication turn: its number") \
    F(KP_AT,     24, 8, UINT, "wait_compute_start", \
      "computing turn: device counter; then start and end of computing") \
    F(KP_BYTES,  48, 8, UINT, "compute_length", "computing turn: length of the data") \
    F(KP_STREAM, 60, 2, UINT, "compute_stream", "computing turn: stream id") \
    F(KP_TASK,   62, 2, UINT, "compute_task", "computing turn: task id") \
    F(KP_TURNS,  65, 1, UINT, "compute_turns", "computing turn: how many there are") \
    F(KP_TURN,   66, 1, UINT, "compute_turn", "computing turn: its number")
#define PROF_KFC_OP(F) \
    F(KO_FLAGS,         24, 1, HEX,  "op_flags", "communication op: bit 0: relay, bit 1: retry") \
    F(KO_DATA_TYPE,     25, 1, UINT, "op_data_type", "communication op", .words = prof_hccl_types) \
    F(KO_ALG,           26, 8, UINT, "op_algorithm", "communication op: hash of its name") \
    F(KO_COUNT,         34, 8, UINT, "op_count", "communication op: elements") \
    F(KO_GROUP,         42, 8, UINT, "op_group", "communication op: hash of the group's name") \
    F(KO_RANKS,         50, 4, UINT, "op_ranks", "communication op: ranks in the group") \
    F(KO_STREAM,        54, 2, UINT, "op_stream", "communication op: stream of its kernel") \
    F(KO_TASK,          56, 4, UINT, "op_task", "communication op: task of its kernel") \
    F(KF_STREAM,        24, 2, UINT, "flip_stream", "flip: stream id") \
    F(KF_TASK,          26, 2, UINT, "flip_task", "flip: task id") \
    F(KF_NUMBER,        28, 4, UINT, "flip_number", "flip: its number") \
    F(KE_KERNEL_STREAM, 24, 2, UINT, "kernel_stream", "edge of an op: stream of its kernel") \
    F(KE_KERNEL_TASK,   26, 2, UINT, "kernel_task", "edge of an op: task of its kernel") \
    F(KE_STREAM,        28, 2, UINT, "edge_stream", "edge of an op: stream of the task") \
    F(KE_TASK,          30, 2, UINT, "edge_task", "edge of an op: the task") \
    F(KE_KIND,          32, 2, UINT, "edge", "edge of an op: 0: first task, 1: last")
/* The first of two; the second is 116 bytes after it. */
#define PROF_KFC_INFO(F) \
    F(KI_ITEM,       24, 8, UINT, "info_item", "communication task: hash of its name") \
    F(KI_GROUP,      40, 8, UINT, "info_group", \
      "communication task: hash of the group's name; 0: there is no such record") \
    F(KI_LOCAL,      48, 4, UINT, "info_local_rank", "communication task") \
    F(KI_REMOTE,     52, 4, UINT, "info_remote_rank", "communication task") \
    F(KI_RANKS,      56, 4, UINT, "info_ranks", "communication task: ranks in the group") \
    F(KI_NOTIFY,     64, 8, UINT, "info_notify", "communication task: notify id") \
    F(KI_TIME,       72, 8, UINT, "info_time", "communication task: device counter when it was issued") \
    F(KI_ESTIMATED,  80, 8, HEX,  "info_estimated", "communication task: expected duration as a double, us") \
    F(KI_SIZE,      104, 8, UINT, "info_size", "communication task: bytes") \
    F(KI_TASK,      112, 4, UINT, "info_task", "communication task: task id") \
    F(KI_STREAM,    120, 2, UINT, "info_stream", "communication task: stream id") \
    F(KI_PLANE,     122, 2, UINT, "info_plane", "communication task: plane") \
    F(KI_OP_TYPE,   124, 1, UINT, "info_reduce", "communication task", .words = prof_reduces) \
    F(KI_DATA_TYPE, 125, 1, UINT, "info_data_type", "communication task", .words = prof_hccl_types) \
    F(KI_LINK,      126, 1, UINT, "info_link", "communication task", .words = prof_links) \
    F(KI_TRANSPORT, 127, 1, UINT, "info_transport", "communication task", .words = prof_transports) \
    F(KI_RDMA,      128, 1, UINT, "info_rdma", "communication task", .words = prof_rdmas) \
    F(KI_ROLE,      129, 1, UINT, "info_role", "communication task: 0: destination, 1: source")
#define PROF_KFC_INFO_B 116

/* DATA_PREPROCESS.AICPU, .DP */
#define PRE_AICPU_RECORD(F) \
    F(PP_MARK,       0, 2, HEX,  "magic", "in every record") \
    F(PP_TAG,        2, 2, UINT, "tag", "60: a task") \
    F(PP_STREAM,     4, 2, UINT, "stream", "modulo 2048") \
    F(PP_TASK,       6, 2, UINT, "task", "task id") \
    F(PP_START_US,   8, 8, UINT, "run_start", "us; what follows lies as in aicpu records, 24 bytes earlier") \
    F(PP_END,       56, 8, UINT, "run_end_counter", "device counter") \
    F(PP_TOTAL_US, 112, 4, UINT, "total_time", "us")
#define PRE_DP_RECORD(F) \
    F(PD_MARK,     0,  2, HEX,  "magic", "in every record") \
    F(PD_TAG,      2,  2, UINT, "tag", "100: data preparation") \
    F(PD_TIME,     8,  8, UINT, "timestamp", "ns of the host") \
    F(PD_ACTION,  16, 16, TEXT, "action", "what happened") \
    F(PD_SOURCE,  32, 64, TEXT, "source", "of which op or thread") \
    F(PD_INDEX,   96,  8, UINT, "index") \
    F(PD_SIZE,   104,  8, UINT, "size", "items in the queue")

/* DATA_PREPROCESS.AICPU_MODEL */
#define PRE_MODEL_RECORD(F) \
    F(PM_MARK,      0, 2, HEX,  "magic", "in every record") \
    F(PM_TAG,       2, 2, UINT, "tag", "61: a mark of a model") \
    F(PM_TIME,      8, 8, UINT, "counter", "device counter") \
    F(PM_INDEX,    16, 8, UINT, "step_index", "index id") \
    F(PM_MODEL,    24, 4, UINT, "model", "model id") \
    F(PM_STEP_TAG, 28, 2, UINT, "step_tag", "what the mark means, as in ts_track") \
    F(PM_EVENT,    32, 8, UINT, "event")

/* doc/formats/prof.md#binary-samples; of the newer collection (version 2.0 in info.json) some differ */
#define NPU_MEM_RECORD(F) \
    F(NM_TIME,   0, 4, UINT, "time", "us since the device was started") \
    F(NM_EVENT,  4, 4, UINT, "event", "0: of the process, 1: of the device") \
    F(NM_TIME2,  8, 8, UINT, "time_2", "version 2: the time") \
    F(NM_DDR,   16, 8, UINT, "ddr", "bytes") \
    F(NM_HBM,   24, 8, UINT, "hbm", "bytes")
#define NPU_MODULE_MEM_RECORD(F) \
    F(MM_MODULE,  0, 4, UINT, "module", "module id") \
    F(MM_TIME,    8, 8, UINT, "timestamp", "host counter") \
    F(MM_SIZE,   16, 8, UINT, "reserved", "bytes; above 2^63: unknown")
#define HBM_RECORD(F) \
    F(HB_TIME,   0, 8, UINT, "time", "us since the device was started") \
    F(HB_COUNT,  8, 8, UINT, "count", "accesses") \
    F(HB_EVENT, 16, 4, UINT, "event", "0: read, else write") \
    F(HB_ID,    20, 4, UINT, "hbm", "hbm id")
#define HBM_RECORD2_B 32
#define HBM_RECORD2(F) \
    F(HB2_EVENT,  8, 4, UINT, "event", "0: read, else write") \
    F(HB2_ID,    12, 4, UINT, "hbm", "hbm id") \
    F(HB2_COUNT, 16, 8, UINT, "count", "accesses") \
    F(HB2_TIME,  24, 8, UINT, "time", "us since the device was started")
#define DDR_RECORD(F) \
    F(DD_TIME,    0, 4, UINT, "time", "us since the device was started") \
    F(DD_COUNT,   4, 4, UINT, "count", "accesses") \
    F(DD_EVENT,   8, 4, UINT, "event", "0: read, 1: write") \
    F(DD_ID,     12, 4, UINT, "ddrc", "id of the controller") \
    F(DD_MASTER, 16, 4, UINT, "master", "4294967295: none")
#define LLC_RECORD(F) \
    F(LL_TIME,   0, 8, UINT, "time", "us since the device was started") \
    F(LL_COUNT,  8, 8, UINT, "count") \
    F(LL_EVENT, 16, 4, HEX,  "event", "what was counted") \
    F(LL_ID,    20, 4, UINT, "l3", "id of the cache")
#define LLC_RECORD2(F) \
    F(LL2_COUNT,  4, 4, UINT, "count") \
    F(LL2_EVENT,  8, 4, HEX,  "event", "what was counted") \
    F(LL2_ID,    12, 4, UINT, "l3", "id of the cache") \
    F(LL2_TIME,  16, 8, UINT, "time", "us since the device was started")
#define PCIE_RECORD(F) \
    F(PX_TIME,    0, 8, UINT, "time", "ns of the device") \
    F(PX_DEVICE,  8, 4, UINT, "device") \
    F(PX_VALUE,  12, 4, UINT, "tx_post_min", \
      "then max, avg; then these three of tx non-post, completion, latency, rx post, non-post, completion")
#define PCIE_KINDS 7 /* of three values each */
#define L2_CACHE_RECORD(F) \
    F(LC_KIND,   0, 2, UINT, "task_type") \
    F(LC_STREAM, 2, 2, UINT, "stream", "stream id") \
    F(LC_TASK,   4, 2, UINT, "task", "task id") \
    F(LC_EVENT,  8, 8, UINT, "event_0", "the first of eight events of sample.json")
/*
 * doc/formats/prof.md#stars_soc_profile: the function says what the rest is. On chips 15 and 16 SIO and chip
 * transmission have other offsets.
 */
#define SOC_PROFILE_RECORD(F) \
    F(SP_FUNCTION,   0, 2, UINT, "function", "kind of the record", .bits = 6, .words = soc_functions) \
    F(SP_HIGH,       0, 2, UINT, "die", \
      "QoS, low power: die; chip transmission: 63 PA link, 34 PCIe, of chips 15 and 16 the die", \
      .shift = 10, .bits = 6) \
    F(SP_ACC2,       1, 1, UINT, "accelerator_2", "SIO of chips 15 and 16: id", .shift = 2, .bits = 6) \
    F(SP_TICKS,      8, 8, UINT, "counter", "device counter") \
    F(SP_ID,        18, 2, UINT, "id", \
      "accelerator PMU, SIO: accelerator; chip transmission: link, in the low 6 bits") \
    F(SP_LINK2,     16, 8, UINT, "write_2", "chip transmission of chips 15 and 16: written, then read") \
    F(SP_POWER,     24, 2, UINT, "power_0", \
      "low power: the first of twenty, the two of each pair in turned order") \
    F(SP_QOS,       24, 4, UINT, "qos_0", "QoS: MB/s, the first of ten") \
    F(SP_RX2,       28, 4, UINT, "rx_req_2", \
      "SIO of chips 15 and 16: bytes of requests, then responses, snoops, data") \
    F(SP_ACC_BW,    32, 8, UINT, "write_bandwidth", "accelerator PMU: level; then that of reads") \
    F(SP_RX,        32, 4, UINT, "rx_req", "SIO: bytes of requests, then responses, snoops, data") \
    F(SP_LINK,      32, 8, UINT, "value_1", \
      "chip transmission: PA received or PCIe written, then sent or read") \
    F(SP_MATA,      32, 2, UINT, "mata_level", "inter-soc: bandwidth level", .bits = 3) \
    F(SP_L2_BUFFER, 32, 2, UINT, "l2_buffer_level", "inter-soc: bandwidth level", .shift = 3, .bits = 8) \
    F(SP_ACC_OST,   48, 8, UINT, "write_ost", "accelerator PMU: outstanding; then that of reads") \
    F(SP_TX,        48, 4, UINT, "tx_req", "SIO: as rx")
#define QOS_RECORD(F) \
    F(QO_TICKS, 16, 8, UINT, "counter", "device counter") \
    F(QO_VALUE, 24, 4, UINT, "qos_0", "MB/s, the first of ten; sample.json names them")
#define QOS_VALUES   10
#define POWER_VALUES 20
#define SIO_VALUES   8 /* four received, four sent */
/* doc/formats/prof.md#binary-samples; on chips 15 and 16 the task has another offset */
#define SOC_PMU_RECORD(F) \
    F(SU_DATA2,   6, 2, UINT, "data_type_2", \
      "of chips 15 and 16: what was counted; then type, stream, and 4 bytes of the task", \
      .words = soc_pmu_data) \
    F(SU_KIND,    8, 2, UINT, "task_type") \
    F(SU_STREAM, 10, 2, UINT, "stream", "stream id") \
    F(SU_TASK,   12, 2, UINT, "task", "task id; of chips 15 and 16 with the next two bytes") \
    F(SU_DATA,   14, 2, UINT, "data_type", "what was counted", .words = soc_pmu_data) \
    F(SU_EVENT,  16, 8, UINT, "event_0", "the first of eight events of sample.json")
/* tscpu.data, and that of MDC (upstream, analysis/profiling_bean/hardware/{tscpu,mdc_tscpu}.py) */
#define PROF_TSCPU_MARK 0xabababab
#define TSCPU_RECORD(F) \
    F(TS_MARK,    0, 4, HEX,  "magic", "in every record") \
    F(TS_TRACE,   8, 8, HEX,  "backtrace_0", "the first of twenty: pairs of frame and link; 0: none") \
    F(TS_PC,    176, 8, HEX,  "pc", "where the processor was") \
    F(TS_TIME,  184, 8, UINT, "timestamp", "of what is not published") \
    F(TS_EVENT, 192, 8, HEX,  "event_0", "the first of seven; a count follows each") \
    F(TS_COUNT, 200, 8, UINT, "count_0")
#define TSCPU_MDC_B 184
#define TSCPU_MDC_RECORD(F) \
    F(TD_MARK,    0, 4, HEX,  "magic", "in every record") \
    F(TD_TRACE,   8, 4, HEX,  "backtrace_0", "the first of twenty: pairs of frame and link; 0: none") \
    F(TD_PC,     92, 4, HEX,  "pc", "where the processor was") \
    F(TD_TIME,   96, 8, UINT, "timestamp", "of what is not published") \
    F(TD_EVENT, 104, 8, HEX,  "event_0", "the first of five; a count follows each") \
    F(TD_COUNT, 112, 8, UINT, "count_0")
/*
 * ub.data of chips 15 and 16 (upstream, analysis/msparser/hardware/ub_parser.py,
 * analysis/msconfig/tables_config.py)
 */
#define UB_RECORD(F) \
    F(UB_MARK,         0, 2, HEX,  "magic", "in every record") \
    F(UB_DEVICE,       2, 2, UINT, "device") \
    F(UB_PORT,         4, 2, UINT, "port", "port id") \
    F(UB_TIME,         8, 8, UINT, "time", "us since the device was started") \
    F(UB_RX,          16, 8, UINT, "udma_rx", "MB/s") \
    F(UB_TX,          24, 8, UINT, "udma_tx", "MB/s") \
    F(UB_RX_WIDTH,    32, 8, UINT, "rx_port_bandwidth") \
    F(UB_RX_RATE,     40, 8, UINT, "rx_packet_rate", "packets/s") \
    F(UB_RX_BYTES,    48, 8, UINT, "rx_bytes", "bytes") \
    F(UB_RX_PACKETS,  56, 8, UINT, "rx_packets") \
    F(UB_RX_ERRORS,   64, 8, UINT, "rx_errors", "packets") \
    F(UB_RX_DROPPED,  72, 8, UINT, "rx_dropped", "packets") \
    F(UB_TX_WIDTH,    80, 8, UINT, "tx_port_bandwidth") \
    F(UB_TX_RATE,     88, 8, UINT, "tx_packet_rate", "packets/s") \
    F(UB_TX_BYTES,    96, 8, UINT, "tx_bytes", "bytes") \
    F(UB_TX_PACKETS, 104, 8, UINT, "tx_packets") \
    F(UB_TX_ERRORS,  112, 8, UINT, "tx_errors", "packets") \
    F(UB_TX_DROPPED, 120, 8, UINT, "tx_dropped", "packets")
/* ccu0, ccu1 of chips 15 and 16 (upstream, analysis/profiling_bean/hardware/ccu_bean.py) */
#define CCU_MISSION_RECORD(F) \
    F(CM_WAITED,      0, 2, UINT, "waited_15", \
      "how long rank 15 was waited for, in 4 counts of the device; then ranks 14 to 0") \
    F(CM_WAIT,       32, 8, UINT, "wait_start", "device counter; 0: nothing was waited for") \
    F(CM_WAIT_INSTR, 40, 2, UINT, "wait_instruction") \
    F(CM_END,        42, 8, UINT, "loop_end", "device counter") \
    F(CM_START,      50, 8, UINT, "loop_start", "device counter; 0: no group of loops") \
    F(CM_INSTR,      58, 2, UINT, "loop_instruction") \
    F(CM_TASK,       60, 4, UINT, "task", "id of the task among those of all streams")
#define CCU_CHANNEL_B 2816
#define CCU_CHANNEL_RECORD(F) \
    F(CC_TIME,  0, 8, UINT, "counter", \
      "channel 0: device counter; 128 channels lie 5 words apart, after each twelfth of them 4 words " \
      "more, the last 8 in two groups of 32 words") \
    F(CC_MEAN,  8, 4, UINT, "mean_delay", "counts of the device for 4 KiB") \
    F(CC_MIN,  12, 4, UINT, "min_delay") \
    F(CC_MAX,  16, 4, UINT, "max_delay")
/* The same of the host (upstream, analysis/msparser/add_info/ccu_add_info_bean.py) */
#define CCU_WHAT(F) PROF_HEAD(F) \
    F(CI_VERSION, 24, 1, UINT, "version") \
    F(CI_ITEM,    32, 8, UINT, "item", "hash of its name") \
    F(CI_GROUP,   40, 8, UINT, "group", "hash of the group's name") \
    F(CI_RANK,    48, 4, UINT, "rank") \
    F(CI_RANKS,   52, 4, UINT, "ranks", "ranks in the group")
#define CCU_TASK_RECORD(F) CCU_WHAT(F) \
    F(CT_MODE,    25, 1, UINT, "work_flow_mode") \
    F(CT_STREAM,  56, 2, UINT, "stream", "stream id") \
    F(CT_TASK,    60, 4, UINT, "task", "task id") \
    F(CT_DIE,     64, 1, UINT, "die") \
    F(CT_MISSION, 65, 1, UINT, "mission") \
    F(CT_INSTR,   66, 2, UINT, "instruction")
#define CCU_AT(F) \
    F(CI_MODE,     56, 1, UINT, "work_flow_mode") \
    F(CI_STREAM,   58, 2, UINT, "stream", "stream id") \
    F(CI_TASK,     60, 4, UINT, "task", "task id") \
    F(CI_DIE,      64, 1, UINT, "die") \
    F(CI_INSTR,    66, 2, UINT, "instruction") \
    F(CI_MISSION,  68, 1, UINT, "mission") \
    F(CI_CHANNEL,  80, 2, UINT, "channel_0", "the first of sixteen; 65535: none") \
    F(CI_REMOTE,  112, 4, UINT, "remote_rank_0", "the first of sixteen; 4294967295: none")
#define CCU_WAIT_RECORD(F) CCU_WHAT(F) CCU_AT(F) CCU_WAIT_OWN(F)
#define CCU_WAIT_OWN(F) \
    F(CI_CKE,  72, 4, UINT, "cke", "id of what is waited on") \
    F(CI_MASK, 76, 4, HEX,  "mask")
#define CCU_GROUP_RECORD(F) CCU_WHAT(F) CCU_AT(F) CCU_GROUP_OWN(F)
#define CCU_GROUP_OWN(F) \
    F(CI_REDUCE, 69, 1, UINT, "reduce", .words = prof_ccu_reduces) \
    F(CI_INPUT,  70, 1, UINT, "input_type", .words = prof_hccl_types) \
    F(CI_OUTPUT, 71, 1, UINT, "output_type", .words = prof_hccl_types) \
    F(CI_SIZE,   72, 8, UINT, "size", "bytes")
/* clang-format on */

#endif
