/*
 * Fields of the records in a PROF folder (formats/msprof-raw.md 3, 4), each once: readers take the offsets from here (RAW_AT), the hex view and
 * the manual page the names and meanings (parsers/prof/layouts_prof.c). Rows: see raw_layout.h.
 */
#ifndef NPUSCOPE_PARSERS_PROF_PROF_LAYOUT_H
#define NPUSCOPE_PARSERS_PROF_PROF_LAYOUT_H

#include "parsers/mindspore/record_layout.h"

#define PROF_HOST_MARK  0x5a5a /* in every record of the host */
#define PROF_STARS_MARK 0x6bd3 /* of the task scheduler "stars" */

/* Function codes of counters (4.5). */
#define PROF_FFTS_TASK  0x28
#define PROF_FFTS_BLOCK 0x29
#define PROF_FFTS_TASK6 0x2a /* V6: of a task on one kind of core */

/* clang-format off */

/* 3.1 */
#define PROF_HEAD(F) \
    F(PH_MARK,        "magic",     0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(PH_LEVEL,       "level",     2, 2, UINT, 0, 0, 0, prof_levels, "who reports") \
    F(PH_TYPE,        "type",      4, 4, UINT, 0, 0, 0, NULL, "within the level: type_info_dic names it") \
    F(PH_THREAD,      "thread",    8, 4, UINT, 0, 0, 0, NULL, "thread of the host") \
    F(PH_LENGTH,      "data_len", 12, 4, UINT, 0, 0, 0, NULL, "bytes of the data behind the head") \
    F(PH_TIME,        "timestamp", 16, 8, UINT, 0, 0, 0, NULL, "host counter; of AI CPU records: device counter")

/* 3.2 */
#define API_EVENT_RECORD(F) \
    F(API_MARK,       "magic",     0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(API_LEVEL,      "level",     2, 2, UINT, 0, 0, 0, prof_levels, "who reports") \
    F(API_TYPE,       "type",      4, 4, UINT, 0, 0, 0, NULL, "within the level: type_info_dic names it") \
    F(API_THREAD,     "thread",    8, 4, UINT, 0, 0, 0, NULL, "thread of the host") \
    F(API_REQUEST,    "request",  12, 4, UINT, 0, 0, 0, NULL, "of a model: its iteration") \
    F(API_BEGIN,      "begin",    16, 8, UINT, 0, 0, 0, NULL, "host counter") \
    F(API_END,        "end",      24, 8, HEX, 0, 0, 0, NULL, "host counter; all bits set: the record is one mark, two of the same kind are a call") \
    F(API_ITEM,       "item",     32, 8, UINT, 0, 0, 0, NULL, "model id, or hash of a name")

/* 3.3 */
#define TASK_TRACK_RECORD(F) PROF_HEAD(F) \
    F(HT_DEVICE,      "device",   24, 2, UINT, 0, 12, 0, NULL, "device id") \
    F(HT_DEVICE_KIND, "device_kind", 24, 2, UINT, 12, 4, 0, NULL, "0: NPU, 1: DPU") \
    F(HT_STREAM,      "stream",   26, 2, UINT, 0, 0, 0, NULL, "stream id") \
    F(HT_TASK,        "task",     28, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(HT_FLIP,        "flip",     30, 2, UINT, 0, 0, 0, NULL, "batch; in a flip record its number, 65535: the stream is destroyed") \
    F(HT_TYPE,        "task_type", 32, 8, UINT, 0, 0, 0, NULL, "type_info_dic names it, at level 5000") \
    F(HT_KERNEL,      "kernel",   40, 8, UINT, 0, 0, 0, NULL, "hash of the kernel's name") \
    F(HT_BLOCKS,      "blocks",   48, 2, UINT, 0, 0, 0, NULL, "when data_len is 40") \
    F(HT_ARGS,        "args_size", 50, 2, UINT, 0, 0, 0, NULL, "when data_len is 40") \
    F(HT_RATIO,       "mix_ratio", 52, 1, UINT, 0, 3, 0, NULL, "vector cores for each cube core; when data_len is 40") \
    F(HT_SCHED,       "sched_mode", 52, 1, UINT, 3, 2, 0, NULL, "when data_len is 40")
/* task_track_v2: the kernel and what follows lie as in task_track */
#define TASK_TRACK2_RECORD(F) PROF_HEAD(F) TASK_TRACK2_OWN(F)
#define TASK_TRACK2_OWN(F) \
    F(HT2_DEVICE,     "device",   24, 2, UINT, 0, 12, 0, NULL, "device id") \
    F(HT2_DEVICE_KIND, "device_kind", 24, 2, UINT, 12, 4, 0, NULL, "0: NPU, 1: DPU") \
    F(HT2_STREAM,     "stream",   28, 4, UINT, 0, 0, 0, NULL, "stream id") \
    F(HT2_TASK,       "task",     32, 4, UINT, 0, 0, 0, NULL, "task id; in a flip record the low half, then its number") \
    F(HT2_TYPE,       "task_type", 36, 4, UINT, 0, 0, 0, NULL, "type_info_dic names it, at level 5000") \
    F(HT2_KERNEL,     "kernel",   40, 8, UINT, 0, 0, 0, NULL, "hash of the kernel's name") \
    F(HT2_BLOCKS,     "blocks",   48, 2, UINT, 0, 0, 0, NULL, "when data_len is 40") \
    F(HT2_ARGS,       "args_size", 50, 2, UINT, 0, 0, 0, NULL, "when data_len is 40") \
    F(HT2_RATIO,      "mix_ratio", 52, 1, UINT, 0, 3, 0, NULL, "vector cores for each cube core; when data_len is 40")
#define NODE_BASIC_RECORD(F) PROF_HEAD(F) \
    F(NB_NAME,        "op",       24, 8, UINT, 0, 0, 0, NULL, "hash of the op's name") \
    F(NB_CORE,        "task_type", 32, 4, UINT, 0, 0, 0, prof_cores, "where it runs") \
    F(NB_TYPE,        "op_type",  36, 8, UINT, 0, 0, 0, NULL, "hash of the op type") \
    F(NB_BLOCKS,      "blocks",   44, 2, UINT, 0, 0, 0, NULL, "block dim") \
    F(NB_RATIO,       "mix_ratio", 46, 2, UINT, 0, 0, 0, NULL, "mix blocks for each block") \
    F(NB_FLAG,        "flag",     48, 4, UINT, 0, 0, 0, NULL, "0: no HF32")
#define NODE_ATTR_RECORD(F) PROF_HEAD(F) \
    F(NA_NAME,        "op",       24, 8, UINT, 0, 0, 0, NULL, "hash of the op's name") \
    F(NA_KIND,        "attr_type", 32, 4, UINT, 0, 0, 0, NULL, "0: attributes of the op") \
    F(NA_TEXT,        "attributes", 36, 8, UINT, 0, 0, 0, NULL, "hash of their text")
#define MEMCPY_RECORD(F) PROF_HEAD(F) \
    F(MC_SIZE,        "size",     24, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(MC_MAX,         "max_size", 32, 8, UINT, 0, 0, 0, NULL, "bytes of one task at most") \
    F(MC_KIND,        "direction", 40, 2, UINT, 0, 0, 0, prof_copies, "")
#define HCCL_OP_RECORD(F) PROF_HEAD(F) \
    F(HO_FLAGS,       "flags",    24, 1, HEX, 0, 0, 0, NULL, "bit 0: relay, bit 1: retry") \
    F(HO_DATA_TYPE,   "data_type", 25, 1, UINT, 0, 0, 0, prof_hccl_types, "") \
    F(HO_ALG,         "algorithm", 26, 8, UINT, 0, 0, 0, NULL, "hash of its name") \
    F(HO_COUNT,       "count",    34, 8, UINT, 0, 0, 0, NULL, "elements") \
    F(HO_GROUP,       "group",    42, 8, UINT, 0, 0, 0, NULL, "hash of the group's name")
#define CAPTURE_STREAM_RECORD(F) PROF_HEAD(F) \
    F(CS_STATUS,      "status",   24, 2, UINT, 0, 0, 0, NULL, "1: destroyed") \
    F(CS_STREAM,      "model_stream", 26, 2, UINT, 0, 0, 0, NULL, "") \
    F(CS_ORIGINAL,    "stream",   28, 2, UINT, 0, 0, 0, NULL, "the stream that was captured") \
    F(CS_MODEL,       "model",    30, 2, UINT, 0, 0, 0, NULL, "model id") \
    F(CS_DEVICE,      "device",   32, 2, UINT, 0, 0, 0, NULL, "device id")
/* capture_stream_info_v2 */
#define CAPTURE_STREAM2_RECORD(F) PROF_HEAD(F) CAPTURE_STREAM2_OWN(F)
#define CAPTURE_STREAM2_OWN(F) \
    F(CS2_DEVICE,     "device",   24, 2, UINT, 0, 0, 0, NULL, "device id") \
    F(CS2_STATUS,     "status",   26, 1, UINT, 0, 0, 0, NULL, "1: destroyed") \
    F(CS2_STREAM,     "model_stream", 28, 4, UINT, 0, 0, 0, NULL, "") \
    F(CS2_ORIGINAL,   "stream",   32, 4, UINT, 0, 0, 0, NULL, "the stream that was captured") \
    F(CS2_MODEL,      "model",    36, 4, UINT, 0, 0, 0, NULL, "model id")
#define EXPAND_STREAM_RECORD(F) PROF_HEAD(F) \
    F(ES_STATUS,      "expanded", 24, 1, UINT, 0, 0, 0, NULL, "1: more than 2048 streams")

/* 3.4 */
#define PROF_TENSOR_OF(F, i, at) \
    F(PT_##i##_KIND,   "tensor_" #i ".kind",   at,      4, UINT, 0, 0, 0, NULL, "0: input, 1: output") \
    F(PT_##i##_FORMAT, "tensor_" #i ".format", at + 4,  4, HEX, 0, 0, 0, NULL, "low byte: format, the next two: sub-format") \
    F(PT_##i##_TYPE,   "tensor_" #i ".type",   at + 8,  4, UINT, 0, 0, 0, NULL, "data type") \
    F(PT_##i##_DIM,    "tensor_" #i ".dim_0",  at + 12, 4, UINT, 0, 0, 0, NULL, "first of eight dimensions; 0: none")
#define PROF_TENSOR_RECORD(F) PROF_HEAD(F) \
    F(PT_NAME,        "op",       24, 8, UINT, 0, 0, 0, NULL, "hash of the op's name") \
    F(PT_COUNT,       "tensors",  32, 4, UINT, 0, 0, 0, NULL, "in this record, at most 5; more lie in further records of the op") \
    PROF_TENSOR_OF(F, 0, 36) PROF_TENSOR_OF(F, 1, 80) PROF_TENSOR_OF(F, 2, 124) PROF_TENSOR_OF(F, 3, 168) PROF_TENSOR_OF(F, 4, 212)
#define PROF_TENSOR_B 44 /* bytes of one tensor */
#define CONTEXT_RECORD(F) PROF_HEAD(F) \
    F(CX_NAME,        "op",       24, 8, UINT, 0, 0, 0, NULL, "hash of the op's name") \
    F(CX_COUNT,       "contexts", 32, 4, UINT, 0, 0, 0, NULL, "at most 55; of communication: two ids are a range") \
    F(CX_ID,          "context_0", 36, 4, UINT, 0, 0, 0, NULL, "the first; further ones follow")
#define GRAPH_ID_RECORD(F) PROF_HEAD(F) \
    F(GI_NAME,        "model_name", 24, 8, UINT, 0, 0, 0, NULL, "hash") \
    F(GI_GRAPH,       "graph",    32, 4, UINT, 0, 0, 0, NULL, "graph id") \
    F(GI_MODEL,       "model",    36, 4, UINT, 0, 0, 0, NULL, "model id")
#define FUSION_OP_RECORD(F) PROF_HEAD(F) \
    F(FU_NAME,        "op",       24, 8, UINT, 0, 0, 0, NULL, "hash of the fused op's name") \
    F(FU_COUNT,       "ops",      32, 4, UINT, 0, 0, 0, NULL, "ops that were fused, at most 8") \
    F(FU_MEMORY,      "input",    36, 8, UINT, 0, 0, 0, NULL, "bytes; then output, weight, workspace, total") \
    F(FU_OUTPUT,      "output",   44, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(FU_WEIGHT,      "weight",   52, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(FU_WORKSPACE,   "workspace", 60, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(FU_TOTAL,       "total",    68, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(FU_OP,          "op_0",     76, 8, UINT, 0, 0, 0, NULL, "hash of the first op's name; further ones follow")
#define HCCL_INFO_RECORD(F) PROF_HEAD(F) \
    F(HI_ITEM,        "task_name", 24, 8, UINT, 0, 0, 0, NULL, "hash") \
    F(HI_TAG,         "ccl_tag",  32, 8, UINT, 0, 0, 0, NULL, "hash") \
    F(HI_GROUP,       "group",    40, 8, UINT, 0, 0, 0, NULL, "hash of the group's name") \
    F(HI_LOCAL,       "local_rank", 48, 4, UINT, 0, 0, 0, NULL, "") \
    F(HI_REMOTE,      "remote_rank", 52, 4, UINT, 0, 0, 0, NULL, "4294967295: none") \
    F(HI_RANKS,       "ranks",    56, 4, UINT, 0, 0, 0, NULL, "size of the group") \
    F(HI_MODE,        "mode",     60, 4, UINT, 0, 0, 0, NULL, "work flow mode") \
    F(HI_PLANE,       "plane",    64, 4, UINT, 0, 0, 0, NULL, "plane id") \
    F(HI_CONTEXT,     "context",  68, 4, UINT, 0, 0, 0, NULL, "context id") \
    F(HI_NOTIFY,      "notify",   72, 8, UINT, 0, 0, 0, NULL, "notify id") \
    F(HI_STAGE,       "stage",    80, 4, UINT, 0, 0, 0, NULL, "") \
    F(HI_ROLE,        "role",     84, 4, UINT, 0, 0, 0, NULL, "0: destination, 1: source") \
    F(HI_ESTIMATED,   "estimated", 88, 8, HEX, 0, 0, 0, NULL, "expected duration as a double, us") \
    F(HI_SRC,         "src",      96, 8, HEX, 0, 0, 0, NULL, "address") \
    F(HI_DST,         "dst",     104, 8, HEX, 0, 0, 0, NULL, "address") \
    F(HI_SIZE,        "size",    112, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(HI_OP_TYPE,     "reduce",  120, 4, UINT, 0, 0, 0, prof_reduces, "") \
    F(HI_DATA_TYPE,   "data_type", 124, 4, UINT, 0, 0, 0, prof_hccl_types, "") \
    F(HI_LINK,        "link",    128, 4, UINT, 0, 0, 0, prof_links, "") \
    F(HI_TRANSPORT,   "transport", 132, 4, UINT, 0, 0, 0, prof_transports, "") \
    F(HI_RDMA,        "rdma",    136, 4, UINT, 0, 0, 0, prof_rdmas, "")
#define LOGIC_STREAM_RECORD(F) PROF_HEAD(F) LOGIC_STREAM_OWN(F)
#define LOGIC_STREAM_OWN(F) \
    F(LS_LOGICAL,     "logical_stream", 24, 4, UINT, 0, 0, 0, NULL, "") \
    F(LS_COUNT,       "streams",  28, 4, UINT, 0, 0, 0, NULL, "at most 56") \
    F(LS_PHYSICAL,    "stream_0", 32, 4, UINT, 0, 0, 0, NULL, "the first; further ones follow")
#define TASK_MEMORY_RECORD(F) PROF_HEAD(F) TASK_MEMORY_OWN(F)
#define TASK_MEMORY_OWN(F) \
    F(TM_ADDRESS,     "address",  24, 8, HEX, 0, 0, 0, NULL, "") \
    F(TM_SIZE,        "size",     32, 8, UINT, 0, 0, 0, NULL, "bytes; as a signed number below 0: released") \
    F(TM_NODE,        "op",       40, 8, UINT, 0, 0, 0, NULL, "hash of the op's name") \
    F(TM_ALLOCATED,   "allocated", 48, 8, UINT, 0, 0, 0, NULL, "bytes in all") \
    F(TM_RESERVED,    "reserved", 56, 8, UINT, 0, 0, 0, NULL, "bytes in all") \
    F(TM_DEVICE,      "device",   64, 4, UINT, 0, 0, 0, NULL, "device id")

#define STATIC_MEMORY_RECORD(F) PROF_HEAD(F) STATIC_MEMORY_OWN(F)
#define STATIC_MEMORY_OWN(F) \
    F(SM_SIZE,        "size",  24, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(SM_NODE,        "op",  32, 8, UINT, 0, 0, 0, NULL, "hash of the op's name") \
    F(SM_START,       "life_start",  40, 8, UINT, 0, 0, 0, NULL, "index of the node that allocates") \
    F(SM_END,         "life_end",  48, 8, UINT, 0, 0, 0, NULL, "index of the node that releases") \
    F(SM_ALLOCATED,   "allocated",  56, 8, UINT, 0, 0, 0, NULL, "bytes in all") \
    F(SM_DYNAMIC,     "dynamic_op",  64, 8, UINT, 0, 0, 0, NULL, "hash of a name") \
    F(SM_GRAPH,       "graph",  72, 4, UINT, 0, 0, 0, NULL, "graph id")

#define MC2_COMM_RECORD(F) PROF_HEAD(F) MC2_COMM_OWN(F)
#define MC2_COMM_OWN(F) \
    F(M2_GROUP,       "group",    24, 8, UINT, 0, 0, 0, NULL, "hash of its name") \
    F(M2_RANKS,       "ranks",    32, 4, UINT, 0, 0, 0, NULL, "in the group") \
    F(M2_RANK,        "rank",     36, 4, UINT, 0, 0, 0, NULL, "rank id") \
    F(M2_USER_RANK,   "user_rank", 40, 4, UINT, 0, 0, 0, NULL, "") \
    F(M2_SERVER,      "server_stream", 44, 4, UINT, 0, 0, 0, NULL, "stream of the server on the AI CPU") \
    F(M2_STREAMS,     "streams",  48, 4, UINT, 0, 0, 0, NULL, "of communication tasks, at most 8") \
    F(M2_STREAM,      "stream_0", 52, 4, UINT, 0, 0, 0, NULL, "the first; further ones follow")
/* The stamp of its head is the end. */
#define DPU_TRACK_RECORD(F) PROF_HEAD(F) DPU_TRACK_OWN(F)
#define DPU_TRACK_OWN(F) \
    F(DT_DEVICE,      "device",   24, 2, UINT, 0, 0, 0, NULL, "low 12 bits: number of the DPU") \
    F(DT_STREAM,      "stream",   26, 2, UINT, 0, 0, 0, NULL, "stream id") \
    F(DT_TASK,        "task",     28, 4, UINT, 0, 0, 0, NULL, "task id") \
    F(DT_KIND,        "kind",     32, 4, UINT, 0, 0, 0, NULL, "") \
    F(DT_START,       "start",    40, 8, UINT, 0, 0, 0, NULL, "counter of the host")
/* The same. */
#define DPU_COMM_RECORD(F) PROF_HEAD(F) DPU_COMM_OWN(F)
#define DPU_COMM_OWN(F) \
    F(DC_ITEM,        "item",     24, 8, UINT, 0, 0, 0, NULL, "hash of what it does") \
    F(DC_TAG,         "ccl_tag",  32, 8, UINT, 0, 0, 0, NULL, "hash") \
    F(DC_GROUP,       "group",    40, 8, UINT, 0, 0, 0, NULL, "hash of its name") \
    F(DC_LOCAL,       "local_rank", 48, 4, UINT, 0, 0, 0, NULL, "") \
    F(DC_REMOTE,      "remote_rank", 52, 4, UINT, 0, 0, 0, NULL, "") \
    F(DC_RANKS,       "ranks",    56, 4, UINT, 0, 0, 0, NULL, "in the group") \
    F(DC_STAGE,       "stage",    60, 4, UINT, 0, 0, 0, NULL, "") \
    F(DC_NOTIFY,      "notify",   64, 8, UINT, 0, 0, 0, NULL, "notify id") \
    F(DC_START,       "start",    72, 8, UINT, 0, 0, 0, NULL, "counter of the host") \
    F(DC_ESTIMATED,   "estimated_us", 80, 8, HEX, 0, 0, 0, NULL, "a double") \
    F(DC_SOURCE,      "source",   88, 8, HEX, 0, 0, 0, NULL, "address") \
    F(DC_TARGET,      "target",   96, 8, HEX, 0, 0, 0, NULL, "address") \
    F(DC_SIZE,        "size",    104, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(DC_TASK,        "task",    112, 4, UINT, 0, 0, 0, NULL, "task id on the DPU") \
    F(DC_AICPU_TASK,  "aicpu_task", 116, 4, UINT, 0, 0, 0, NULL, "task id on the NPU") \
    F(DC_STREAM,      "stream",  120, 2, UINT, 0, 0, 0, NULL, "stream id on the DPU") \
    F(DC_PLANE,       "plane",   122, 2, UINT, 0, 0, 0, NULL, "") \
    F(DC_NPU,         "npu",     124, 2, UINT, 0, 0, 0, NULL, "device id of the NPU") \
    F(DC_DPU,         "device",  126, 2, UINT, 0, 0, 0, NULL, "low 12 bits: number of the DPU") \
    F(DC_OP_TYPE,     "op",      128, 1, UINT, 0, 0, 0, prof_reduces, "") \
    F(DC_DATA_TYPE,   "data_type", 129, 1, UINT, 0, 0, 0, prof_hccl_types, "") \
    F(DC_LINK,        "link",    130, 1, UINT, 0, 0, 0, prof_links, "") \
    F(DC_TRANSPORT,   "transport", 131, 1, UINT, 0, 0, 0, prof_transports, "") \
    F(DC_RDMA,        "rdma",    132, 1, UINT, 0, 0, 0, prof_rdmas, "") \
    F(DC_ROLE,        "role",    133, 1, UINT, 0, 0, 0, NULL, "0: destination, 1: source") \
    F(DC_MODE,        "mode",    134, 1, UINT, 0, 0, 0, NULL, "of work flow")
#define MULTI_THREAD_RECORD(F) PROF_HEAD(F) \
    F(MT_THREADS,     "threads",  24, 4, UINT, 0, 0, 0, NULL, "at most 25") \
    F(MT_ID,          "thread_0", 28, 4, UINT, 0, 0, 0, NULL, "thread of the host that serves this one; further ones follow")
#define MEMORY_APPLICATION_RECORD(F) PROF_HEAD(F) \
    F(MA_VALUE_0,     "value_0",  24, 8, UINT, 0, 0, 0, NULL, "what the values mean is not published") \
    F(MA_VALUE_1,     "value_1",  32, 8, UINT, 0, 0, 0, NULL, "") \
    F(MA_VALUE_2,     "value_2",  40, 8, UINT, 0, 0, 0, NULL, "") \
    F(MA_VALUE_3,     "value_3",  48, 8, UINT, 0, 0, 0, NULL, "") \
    F(MA_VALUE_4,     "value_4",  56, 8, UINT, 0, 0, 0, NULL, "")
/* As long as its head says in the file "variable", 256 bytes else. */
#define CAPTURE_OP_RECORD(F) PROF_HEAD(F) CAPTURE_OP_OWN(F)
#define CAPTURE_OP_OWN(F) \
    F(CO_MODEL,       "model",    24, 4, UINT, 0, 0, 0, NULL, "model id") \
    F(CO_DEVICE,      "device",   28, 4, UINT, 0, 0, 0, NULL, "device id") \
    F(CO_STREAM,      "stream",   32, 4, UINT, 0, 0, 0, NULL, "stream id") \
    F(CO_TASK,        "task",     36, 4, UINT, 0, 0, 0, NULL, "task id") \
    F(CO_CORE,        "task_type", 40, 4, UINT, 0, 0, 0, prof_cores, "where it runs") \
    F(CO_BLOCKS,      "blocks",   44, 2, UINT, 0, 0, 0, NULL, "block dim") \
    F(CO_RATIO,       "mix_ratio", 46, 2, UINT, 0, 0, 0, NULL, "mix blocks for each block") \
    F(CO_NAME,        "op",       48, 8, UINT, 0, 0, 0, NULL, "hash of the op's name") \
    F(CO_TYPE,        "op_type",  56, 8, UINT, 0, 0, 0, NULL, "hash of the op type") \
    F(CO_ATTR,        "attributes", 64, 8, UINT, 0, 0, 0, NULL, "hash of their text; 0: none") \
    F(CO_FLAG,        "flag",     80, 4, UINT, 0, 0, 0, NULL, "0: no HF32") \
    F(CO_TENSORS,     "tensors",  84, 4, UINT, 0, 0, 0, NULL, "of 44 bytes each, as in tensor_info") \
    F(CO_TENSOR,      "tensor_0", 88, 4, UINT, 0, 0, 0, NULL, "the first: 0: input, 1: output; its other fields follow")
#define MSPROFTX_RECORD(F) PROF_HEAD(F) MSPROFTX_OWN(F)
#define MSPROFTX_OWN(F) \
    F(TX_KIND,        "kind",     24, 2, UINT, 0, 0, 0, NULL, "0: host only, 1: a stream of the device meets it too") \
    F(TX_SEGMENT,     "segment",  26, 2, UINT, 0, 0, 0, NULL, "kind 1: part of the text, from 0") \
    F(TX_PID,         "pid",      36, 4, UINT, 0, 0, 0, NULL, "process") \
    F(TX_THREAD,      "tid",      40, 4, UINT, 0, 0, 0, NULL, "thread of the host") \
    F(TX_CATEGORY,    "category", 44, 4, UINT, 0, 0, 0, NULL, "") \
    F(TX_EVENT,       "event_type", 48, 4, UINT, 0, 0, 0, prof_tx_events, "") \
    F(TX_PAYLOAD_TYPE, "payload_type", 52, 4, UINT, 0, 0, 0, NULL, "") \
    F(TX_PAYLOAD,     "payload",  56, 8, UINT, 0, 0, 0, NULL, "") \
    F(TX_START,       "start",    64, 8, UINT, 0, 0, 0, NULL, "host counter") \
    F(TX_END,         "end",      72, 8, UINT, 0, 0, 0, NULL, "host counter") \
    F(TX_MARK,        "mark",     80, 8, UINT, 0, 0, 0, NULL, "kind 1: the device's step marks of tag 11 and 12 have it as index") \
    F(TX_DOMAIN,      "domain",   88, 8, UINT, 0, 0, 0, NULL, "hash of its name") \
    F(TX_MESSAGE_TYPE, "message_type", 96, 4, UINT, 0, 0, 0, NULL, "") \
    F(TX_MESSAGE,     "message", 100, 156, TEXT, 0, 0, 0, NULL, "")

/* 4.1 */
#define HWTS_RECORD2(F) \
    F(HW_TYPE,        "type",      0, 1, UINT, 0, 3, 0, hwts_types, "what the record tells") \
    F(HW_COUNT,       "count",     0, 1, UINT, 4, 4, 0, NULL, "number of the record mod 16") \
    F(HW_KIND,        "task_type", 1, 1, UINT, 0, 0, 0, NULL, "of the task") \
    F(HW_MARK,        "mark",      2, 2, HEX, 0, 0, 0, NULL, "") \
    F(HW_BLOCK,       "block",     4, 2, UINT, 0, 0, 0, NULL, "block id") \
    F(HW_TASK,        "task",      6, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(HW_TICKS,       "counter",   8, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(HW_STREAM,      "stream",   16, 4, UINT, 0, 0, 0, NULL, "stream id modulo 2048")

/* 4.2: byte 1 says what the rest is */
#define TS_TRACK_RECORD2(F) \
    F(TT_TYPE,        "type",      1, 1, UINT, 0, 0, 0, ts_types, "kind of report") \
    F(TT_TICKS,       "counter",   8, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(TT_INDEX,       "index",    16, 8, UINT, 0, 0, 0, NULL, "step mark: index id") \
    F(TT_MODEL,       "model",    24, 8, UINT, 0, 0, 0, NULL, "step mark: model id") \
    F(TT_MARK_STREAM, "mark_stream", 32, 2, UINT, 0, 11, 0, NULL, "step mark: its stream") \
    F(TT_MARK_TASK,   "mark_task", 34, 2, UINT, 0, 0, 0, NULL, "step mark: its task") \
    F(TT_TAG,         "tag",      36, 2, UINT, 0, 0, 0, ts_tags, "step mark: what it means") \
    F(TT_STREAM,      "stream",   16, 2, UINT, 0, 0, 0, NULL, "others: stream id") \
    F(TT_TASK,        "task",     18, 2, UINT, 0, 0, 0, NULL, "others: task id; flip: its number") \
    F(TT_COPY_STATE,  "copy_state", 20, 1, UINT, 0, 0, 0, NULL, "copy: 0 received, 1 start, 2 end") \
    F(TT_TASK_TYPE,   "task_type", 20, 2, UINT, 0, 0, 0, NULL, "task: its type") \
    F(TT_BLOCKS,      "blocks",   20, 4, UINT, 0, 0, 0, NULL, "block number") \
    F(TT_STATE,       "state",    22, 1, UINT, 0, 0, 0, NULL, "task: 0 received, 1 start, 2 end") \
    F(TT_FLIP_TASK,   "flip_task", 22, 2, UINT, 0, 0, 0, NULL, "flip: first task id behind it") \
    F(TT6_TAG,        "v6_tag",   32, 2, UINT, 0, 0, 0, ts_tags, "step mark of V6 chips: what it means") \
    F(TT6_STREAM,     "v6_stream", 34, 2, UINT, 0, 0, 0, NULL, "step mark of V6 chips: its stream") \
    F(TT6_TASK,       "v6_task",  36, 4, UINT, 0, 0, 0, NULL, "step mark of V6 chips: its task")

/* 4.2, chip 0: records of several sizes; the second byte says what one is, the next two how long */
#define TS_LINE_RECORD(F) \
    F(TL_TYPE,        "type",      1, 1, UINT, 0, 0, 0, NULL, "3: a task changed its state") \
    F(TL_LENGTH,      "length",    2, 2, UINT, 0, 0, 0, NULL, "bytes") \
    F(TL_TASK_TYPE,   "task_type", 8, 2, UINT, 0, 0, 0, NULL, "of the task") \
    F(TL_STATE,       "state",    10, 2, UINT, 0, 0, 0, NULL, "1 waits, 2 runs, 3 done, 4 pending") \
    F(TL_STREAM,      "stream",   12, 2, UINT, 0, 11, 0, NULL, "stream id") \
    F(TL_TASK,        "task",     14, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(TL_TICKS,       "counter",  16, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(TL_THREAD,      "thread",   24, 4, UINT, 0, 0, 0, NULL, "") \
    F(TL_DEVICE,      "device",   28, 4, UINT, 0, 0, 0, NULL, "")
#define TS_LINE_B 32
#define TS_COUNT_RECORD(F) \
    F(TC_TYPE,        "type",      1, 1, UINT, 0, 0, 0, NULL, "4: counters of a task") \
    F(TC_LENGTH,      "length",    2, 2, UINT, 0, 0, 0, NULL, "bytes") \
    F(TC_TASK_TYPE,   "task_type", 8, 2, UINT, 0, 0, 0, NULL, "of the task") \
    F(TC_STREAM,      "stream",   10, 2, UINT, 0, 11, 0, NULL, "stream id") \
    F(TC_TASK,        "task",     12, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(TC_OVERFLOW,    "overflow", 14, 2, UINT, 0, 0, 0, NULL, "1: its cycles are not valid") \
    F(TC_OVERFLOWED,  "overflow_cycles", 16, 8, UINT, 0, 0, 0, NULL, "") \
    F(TC_COUNTER,     "counter_0", 24, 8, UINT, 0, 0, 0, NULL, "the first of eight events of sample.json") \
    F(TC_CYCLES,      "total_cycles", 88, 8, UINT, 0, 0, 0, NULL, "") \
    F(TC_TICKS,       "counter",  96, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(TC_BLOCKS,      "blocks",  104, 2, UINT, 0, 0, 0, NULL, "block dim")
#define TS_COUNT_B 112

/* 4.3, task based */
#define AICORE_RECORD2(F) \
    F(AC_TASK,        "task",      6, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(AC_CYCLES,      "total_cycles", 16, 8, UINT, 0, 0, 0, NULL, "") \
    F(AC_COUNTER,     "counter_0", 32, 8, UINT, 0, 0, 0, NULL, "the first of eight events of sample.json") \
    F(AC_STREAM,      "stream",   96, 4, UINT, 0, 0, 0, NULL, "stream id modulo 2048")

/* 4.3, sampled: what a core counted since its sample before; of V6 chips two events more, and what follows 16 bytes later */
#define CORE_SAMPLE_RECORD(F) \
    F(CO_MODE,        "mode",      0, 1, UINT, 0, 0, 0, NULL, "0: no sample") \
    F(CO_COUNTER,     "counter_0", 8, 8, UINT, 0, 0, 0, NULL, "the first of eight (V6: ten) events of sample.json") \
    F(CO_CYCLES,      "cycles",   72, 8, UINT, 0, 0, 0, NULL, "of tasks") \
    F(CO_TIME,        "timestamp", 80, 8, UINT, 0, 0, 0, NULL, "ns of the device; V6: device counter") \
    F(CO_COUNT,       "count",    88, 1, UINT, 0, 0, 0, NULL, "events") \
    F(CO_CORE,        "core",     89, 1, UINT, 0, 0, 0, NULL, "core id")
#define CORE_SAMPLE_B     96
#define CORE_SAMPLE6_B    112
#define CORE_SAMPLE6_MORE (CORE_SAMPLE6_B - CORE_SAMPLE_B)

/* 4.4 */
#define STARS_RECORD(F) \
    F(ST_FUNCTION,    "function",  0, 2, UINT, 0, 6, 0, stars_functions, "what the record tells") \
    F(ST_COUNT,       "count",     0, 2, UINT, 6, 4, 0, NULL, "number of the record mod 16") \
    F(ST_KIND,        "task_type", 0, 2, UINT, 10, 6, 0, stars_kinds, "type of the task") \
    F(ST_MARK,        "magic",     2, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(ST_STREAM,      "stream",    4, 2, UINT, 0, 0, 0, NULL, "bits 12 and 13 move bits to and from the task id") \
    F(ST_TASK,        "task",      6, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(ST_TICKS,       "counter",   8, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(ST_SUB_KIND,    "subtask_type", 16, 2, UINT, 0, 8, 0, stars_subtasks, "of a sub-task") \
    F(ST_SUB_ID,      "subtask",  18, 2, UINT, 0, 0, 0, NULL, "of a sub-task: its id, the context") \
    F(ST_FFTS,        "ffts_type", 20, 2, UINT, 13, 3, 0, NULL, "of a sub-task; 4: FFTS+") \
    F(ST_THREAD,      "thread",   22, 2, UINT, 0, 0, 0, NULL, "of a sub-task")

/* 4.4, V6: 32 bytes, in stars_soc and stars_block */
#define STARS6_RECORD(F) \
    F(S6_FUNCTION,    "function",  0, 2, UINT, 0, 6, 0, stars6_functions, "what the record tells") \
    F(S6_COUNT,       "count",     0, 2, UINT, 6, 4, 0, NULL, "number of the record mod 16") \
    F(S6_KIND,        "task_type", 0, 2, UINT, 10, 6, 0, stars6_kinds, "type of the task") \
    F(S6_MARK,        "magic",     2, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(S6_TASK,        "task",      4, 4, UINT, 0, 0, 0, NULL, "id of the task among those of all streams") \
    F(S6_TICKS,       "counter",   8, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(S6_FUSION,      "fusion_type", 16, 2, UINT, 0, 5, 0, NULL, "of a fusion task, a bit each: CPU, AI CPU, AI Core, CCU 0, CCU 1") \
    F(S6_MISSION,     "mission",  16, 2, UINT, 5, 4, 0, NULL, "of a fusion task") \
    F(S6_ACC,         "acc",      18, 2, UINT, 0, 0, 0, NULL, "accelerator id") \
    F(S6_CONTEXT,     "context_type", 16, 1, UINT, 0, 0, 0, NULL, "of a block") \
    F(S6_MASTER,      "master",   17, 1, UINT, 0, 1, 0, NULL, "of a block of a mix kernel: 1 on its main core") \
    F(S6_MIX,         "mix",      17, 1, UINT, 1, 1, 0, NULL, "of a block: 1 of a mix kernel") \
    F(S6_CORE_KIND,   "core_type", 20, 1, UINT, 0, 1, 0, NULL, "of a block: 0 cube, 1 vector") \
    F(S6_CORE,        "core",     21, 1, UINT, 0, 0, 0, NULL, "of a block: core id") \
    F(S6_BLOCK,       "block",    26, 2, UINT, 0, 0, 0, NULL, "of a block")
#define STARS6_B 32

/* 4.5 */
#define FFTS_RECORD(F) \
    F(FF_FUNCTION,    "function",  0, 2, UINT, 0, 6, 0, ffts_functions, "40: of a task, 41: of one of its blocks") \
    F(FF_MARK,        "magic",     2, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(FF_STREAM,      "stream",    4, 2, UINT, 0, 0, 0, NULL, "bits 12 and 13 move bits to and from the task id") \
    F(FF_TASK,        "task",      6, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(FF_SUB_KIND,    "subtask_type", 16, 2, UINT, 0, 8, 0, stars_subtasks, "") \
    F(FF_OVERFLOW,    "overflow", 16, 2, UINT, 10, 1, 0, NULL, "of a task: its cycles are not valid") \
    F(FF_SUB_ID,      "subtask",  18, 2, UINT, 0, 0, 0, NULL, "the context") \
    F(FF_FFTS,        "ffts_type", 20, 2, UINT, 13, 3, 0, NULL, "4: FFTS+, 5: mix") \
    F(FF_CORE_KIND,   "core_type", 20, 1, UINT, 0, 1, 0, NULL, "of a block: 0 cube, 1 vector") \
    F(FF_CORE,        "core",     20, 1, UINT, 1, 7, 0, NULL, "of a block: core id") \
    F(FF_SUB_BLOCK,   "sub_block", 28, 2, UINT, 0, 0, 0, NULL, "of a block") \
    F(FF_BLOCK,       "block",    30, 2, UINT, 0, 0, 0, NULL, "of a block") \
    F(FF_CYCLES,      "total_cycles", 32, 8, UINT, 0, 0, 0, NULL, "") \
    F(FF_COUNTER,     "counter_0", 48, 8, UINT, 0, 0, 0, NULL, "the first of eight events of sample.json") \
    F(FF_START,       "start",   112, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(FF_END,         "end",     120, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(F6_TASK,        "v6_task",   4, 4, UINT, 0, 0, 0, NULL, "V6 chips: id of the task among those of all streams") \
    F(F6_CYCLES,      "v6_total_cycles", 8, 8, UINT, 0, 0, 0, NULL, "V6 chips") \
    F(F6_CONTEXT,     "v6_context_type", 16, 1, UINT, 0, 0, 0, NULL, "V6 chips") \
    F(F6_FLAGS,       "v6_flags", 17, 1, HEX, 0, 0, 0, NULL, "V6 chips; bit 0: on the main core, bit 1: of a mix kernel, bit 2: its cycles are not valid") \
    F(F6_CORE_KIND,   "v6_core_type", 20, 1, UINT, 0, 1, 0, NULL, "V6 chips: 0 cube, 1 vector") \
    F(F6_CORE,        "v6_core",  21, 1, UINT, 0, 0, 0, NULL, "V6 chips: core id") \
    F(F6_SUB_BLOCK,   "v6_sub_block", 24, 2, UINT, 0, 0, 0, NULL, "V6 chips") \
    F(F6_BLOCK,       "v6_block", 26, 2, UINT, 0, 0, 0, NULL, "V6 chips") \
    F(F6_COUNTER,     "v6_counter_0", 32, 8, UINT, 0, 0, 0, NULL, "V6 chips: the first of ten events of sample.json")
#define F6_MASTER   1 /* of F6_FLAGS */
#define F6_MIX      2
#define F6_OVERFLOW 4

/* 4.7: a head, then up to 55 points of 16 bytes */
#define FREQ_RECORD(F) \
    F(FR_COUNT,       "points",    0, 4, UINT, 0, 0, 0, NULL, "at most 55") \
    F(FR_KIND,        "type",      4, 4, UINT, 0, 0, 0, NULL, "0: AI Core frequency in MHz, 1: its voltage in mV, 2: voltage of the bus") \
    F(FR_TICKS,       "counter_0", 8, 8, UINT, 0, 0, 0, NULL, "device counter of the first point; further ones follow") \
    F(FR_VALUE,       "value_0",  16, 4, UINT, 0, 0, 0, NULL, "of the first point")
#define FREQ_POINT_B 16
#define FREQ_POINTS  55

/* 4.8: the type of the head says what the rest is */
#define PROF_AICPU_RECORD(F) PROF_HEAD(F) \
    F(PA_STREAM,      "stream",  24, 2, UINT, 0, 0, 0, NULL, "task: stream id") \
    F(PA_TASK,        "task",  26, 2, UINT, 0, 0, 0, NULL, "task: task id") \
    F(PA_START_US,    "run_start",  32, 8, UINT, 0, 0, 0, NULL, "task: us") \
    F(PA_START,       "run_start_counter",  40, 8, UINT, 0, 0, 0, NULL, "task: device counter") \
    F(PA_COMPUTE,     "compute_start",  48, 8, UINT, 0, 0, 0, NULL, "task: us") \
    F(PA_COPY,        "memcpy_start",  56, 8, UINT, 0, 0, 0, NULL, "task: us") \
    F(PA_COPY_END,    "memcpy_end",  64, 8, UINT, 0, 0, 0, NULL, "task: us") \
    F(PA_END_US,      "run_end",  72, 8, UINT, 0, 0, 0, NULL, "task: us") \
    F(PA_END,         "run_end_counter",  80, 8, UINT, 0, 0, 0, NULL, "task: device counter") \
    F(PA_THREAD,      "thread_id",  88, 4, UINT, 0, 0, 0, NULL, "task: thread of the AI CPU") \
    F(PA_DEVICE,      "device",  92, 4, UINT, 0, 0, 0, NULL, "task: device id") \
    F(PA_SUBMIT,      "submit_tick",  96, 8, UINT, 0, 0, 0, NULL, "task: device counter") \
    F(PA_SCHEDULE,    "schedule_tick", 104, 8, UINT, 0, 0, 0, NULL, "task: device counter") \
    F(PA_BEFORE,      "tick_before_run", 112, 8, UINT, 0, 0, 0, NULL, "task: device counter") \
    F(PA_AFTER,       "tick_after_run", 120, 8, UINT, 0, 0, 0, NULL, "task: device counter") \
    F(PA_KERNEL,      "kernel_type", 128, 4, UINT, 0, 0, 0, NULL, "task") \
    F(PA_DISPATCH_US, "dispatch_time", 132, 4, UINT, 0, 0, 0, NULL, "task: us") \
    F(PA_TOTAL_US,    "total_time", 136, 4, UINT, 0, 0, 0, NULL, "task: us") \
    F(PA_FFTS,        "ffts_thread", 140, 2, UINT, 0, 0, 0, NULL, "task") \
    F(PA_DP_ACTION,   "action",  24, 16, TEXT, 0, 0, 0, NULL, "data preparation: what happened") \
    F(PA_DP_SOURCE,   "source",  40, 64, TEXT, 0, 0, 0, NULL, "data preparation: of which op or thread") \
    F(PA_DP_INDEX,    "index", 104, 8, UINT, 0, 0, 0, NULL, "data preparation") \
    F(PA_DP_SIZE,     "size", 112, 8, UINT, 0, 0, 0, NULL, "data preparation: items in the queue") \
    F(PA_MODEL_INDEX, "step_index",  24, 8, UINT, 0, 0, 0, NULL, "model: index id") \
    F(PA_MODEL,       "model",  32, 4, UINT, 0, 0, 0, NULL, "model: model id") \
    F(PA_MODEL_TAG,   "step_tag",  36, 2, UINT, 0, 0, 0, NULL, "model: what the mark means") \
    F(PA_MODEL_EVENT, "event",  40, 8, UINT, 0, 0, 0, NULL, "model") \
    F(PA_ITEM_NODE,   "node",  24, 4, UINT, 0, 0, 0, NULL, "data item: 1 is GetNext_dequeue_wait") \
    F(PA_ITEM_SIZE,   "queue_size",  32, 8, UINT, 0, 0, 0, NULL, "data item") \
    F(PA_ITEM_START,  "start",  40, 8, UINT, 0, 0, 0, NULL, "data item: us") \
    F(PA_ITEM_END,    "end",  48, 8, UINT, 0, 0, 0, NULL, "data item: us")
/* Types 4, 5, 10 to 13: communication that AI CPUs run. */
#define PROF_KFC_TURN(F) \
    F(KC_AT,          "server_start", 24, 8, UINT, 0, 0, 0, NULL, "communication turn: device counter; then wait for the request, orchestration, launch, execution, its end, end of the server") \
    F(KC_BYTES,       "comm_length", 80, 8, UINT, 0, 0, 0, NULL, "communication turn: length of the data") \
    F(KC_STREAM,      "comm_stream", 92, 2, UINT, 0, 0, 0, NULL, "communication turn: stream id") \
    F(KC_TASK,        "comm_task", 94, 2, UINT, 0, 0, 0, NULL, "communication turn: task id") \
    F(KC_TURNS,       "comm_turns", 97, 1, UINT, 0, 0, 0, NULL, "communication turn: how many there are") \
    F(KC_TURN,        "comm_turn", 98, 1, UINT, 0, 0, 0, NULL, "communication turn: its number") \
    F(KP_AT,          "wait_compute_start", 24, 8, UINT, 0, 0, 0, NULL, "computing turn: device counter; then start and end of computing") \
    F(KP_BYTES,       "compute_length", 48, 8, UINT, 0, 0, 0, NULL, "computing turn: length of the data") \
    F(KP_STREAM,      "compute_stream", 60, 2, UINT, 0, 0, 0, NULL, "computing turn: stream id") \
    F(KP_TASK,        "compute_task", 62, 2, UINT, 0, 0, 0, NULL, "computing turn: task id") \
    F(KP_TURNS,       "compute_turns", 65, 1, UINT, 0, 0, 0, NULL, "computing turn: how many there are") \
    F(KP_TURN,        "compute_turn", 66, 1, UINT, 0, 0, 0, NULL, "computing turn: its number")
#define PROF_KFC_OP(F) \
    F(KO_FLAGS,       "op_flags", 24, 1, HEX, 0, 0, 0, NULL, "communication op: bit 0: relay, bit 1: retry") \
    F(KO_DATA_TYPE,   "op_data_type", 25, 1, UINT, 0, 0, 0, prof_hccl_types, "communication op") \
    F(KO_ALG,         "op_algorithm", 26, 8, UINT, 0, 0, 0, NULL, "communication op: hash of its name") \
    F(KO_COUNT,       "op_count", 34, 8, UINT, 0, 0, 0, NULL, "communication op: elements") \
    F(KO_GROUP,       "op_group", 42, 8, UINT, 0, 0, 0, NULL, "communication op: hash of the group's name") \
    F(KO_RANKS,       "op_ranks", 50, 4, UINT, 0, 0, 0, NULL, "communication op: ranks in the group") \
    F(KO_STREAM,      "op_stream", 54, 2, UINT, 0, 0, 0, NULL, "communication op: stream of its kernel") \
    F(KO_TASK,        "op_task",  56, 4, UINT, 0, 0, 0, NULL, "communication op: task of its kernel") \
    F(KF_STREAM,      "flip_stream", 24, 2, UINT, 0, 0, 0, NULL, "flip: stream id") \
    F(KF_TASK,        "flip_task", 26, 2, UINT, 0, 0, 0, NULL, "flip: task id") \
    F(KF_NUMBER,      "flip_number", 28, 4, UINT, 0, 0, 0, NULL, "flip: its number") \
    F(KE_KERNEL_STREAM, "kernel_stream", 24, 2, UINT, 0, 0, 0, NULL, "edge of an op: stream of its kernel") \
    F(KE_KERNEL_TASK, "kernel_task", 26, 2, UINT, 0, 0, 0, NULL, "edge of an op: task of its kernel") \
    F(KE_STREAM,      "edge_stream", 28, 2, UINT, 0, 0, 0, NULL, "edge of an op: stream of the task") \
    F(KE_TASK,        "edge_task", 30, 2, UINT, 0, 0, 0, NULL, "edge of an op: the task") \
    F(KE_KIND,        "edge",     32, 2, UINT, 0, 0, 0, NULL, "edge of an op: 0: first task, 1: last")
/* The first of two; the second lies 116 bytes behind. */
#define PROF_KFC_INFO(F) \
    F(KI_ITEM,        "info_item", 24, 8, UINT, 0, 0, 0, NULL, "communication task: hash of its name") \
    F(KI_GROUP,       "info_group", 40, 8, UINT, 0, 0, 0, NULL, "communication task: hash of the group's name; 0: there is no such record") \
    F(KI_LOCAL,       "info_local_rank", 48, 4, UINT, 0, 0, 0, NULL, "communication task") \
    F(KI_REMOTE,      "info_remote_rank", 52, 4, UINT, 0, 0, 0, NULL, "communication task") \
    F(KI_RANKS,       "info_ranks", 56, 4, UINT, 0, 0, 0, NULL, "communication task: ranks in the group") \
    F(KI_NOTIFY,      "info_notify", 64, 8, UINT, 0, 0, 0, NULL, "communication task: notify id") \
    F(KI_TIME,        "info_time", 72, 8, UINT, 0, 0, 0, NULL, "communication task: device counter when it was issued") \
    F(KI_ESTIMATED,   "info_estimated", 80, 8, HEX, 0, 0, 0, NULL, "communication task: expected duration as a double, us") \
    F(KI_SIZE,        "info_size", 104, 8, UINT, 0, 0, 0, NULL, "communication task: bytes") \
    F(KI_TASK,        "info_task", 112, 4, UINT, 0, 0, 0, NULL, "communication task: task id") \
    F(KI_STREAM,      "info_stream", 120, 2, UINT, 0, 0, 0, NULL, "communication task: stream id") \
    F(KI_PLANE,       "info_plane", 122, 2, UINT, 0, 0, 0, NULL, "communication task: plane") \
    F(KI_OP_TYPE,     "info_reduce", 124, 1, UINT, 0, 0, 0, prof_reduces, "communication task") \
    F(KI_DATA_TYPE,   "info_data_type", 125, 1, UINT, 0, 0, 0, prof_hccl_types, "communication task") \
    F(KI_LINK,        "info_link", 126, 1, UINT, 0, 0, 0, prof_links, "communication task") \
    F(KI_TRANSPORT,   "info_transport", 127, 1, UINT, 0, 0, 0, prof_transports, "communication task") \
    F(KI_RDMA,        "info_rdma", 128, 1, UINT, 0, 0, 0, prof_rdmas, "communication task") \
    F(KI_ROLE,        "info_role", 129, 1, UINT, 0, 0, 0, NULL, "communication task: 0: destination, 1: source")
#define PROF_KFC_INFO_B 116

/* DATA_PREPROCESS.AICPU, .DP */
#define PRE_AICPU_RECORD(F) \
    F(PP_MARK,        "magic",   0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(PP_TAG,         "tag",   2, 2, UINT, 0, 0, 0, NULL, "60: a task") \
    F(PP_STREAM,      "stream",   4, 2, UINT, 0, 0, 0, NULL, "modulo 2048") \
    F(PP_TASK,        "task",   6, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(PP_START_US,    "run_start",   8, 8, UINT, 0, 0, 0, NULL, "us; what follows lies as in aicpu records, 24 bytes earlier") \
    F(PP_END,         "run_end_counter",  56, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(PP_TOTAL_US,    "total_time", 112, 4, UINT, 0, 0, 0, NULL, "us")
#define PRE_DP_RECORD(F) \
    F(PD_MARK,        "magic",   0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(PD_TAG,         "tag",   2, 2, UINT, 0, 0, 0, NULL, "100: data preparation") \
    F(PD_TIME,        "timestamp",   8, 8, UINT, 0, 0, 0, NULL, "ns of the host") \
    F(PD_ACTION,      "action",  16, 16, TEXT, 0, 0, 0, NULL, "what happened") \
    F(PD_SOURCE,      "source",  32, 64, TEXT, 0, 0, 0, NULL, "of which op or thread") \
    F(PD_INDEX,       "index",  96, 8, UINT, 0, 0, 0, NULL, "") \
    F(PD_SIZE,        "size", 104, 8, UINT, 0, 0, 0, NULL, "items in the queue")

/* DATA_PREPROCESS.AICPU_MODEL */
#define PRE_MODEL_RECORD(F) \
    F(PM_MARK,        "magic",   0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(PM_TAG,         "tag",   2, 2, UINT, 0, 0, 0, NULL, "61: a mark of a model") \
    F(PM_TIME,        "counter",   8, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(PM_INDEX,       "step_index",  16, 8, UINT, 0, 0, 0, NULL, "index id") \
    F(PM_MODEL,       "model",  24, 4, UINT, 0, 0, 0, NULL, "model id") \
    F(PM_STEP_TAG,    "step_tag",  28, 2, UINT, 0, 0, 0, NULL, "what the mark means, as in ts_track") \
    F(PM_EVENT,       "event",  32, 8, UINT, 0, 0, 0, NULL, "")

/* 4.9; of the newer collection (version 2.0 in info.json) some differ */
#define NPU_MEM_RECORD(F) \
    F(NM_TIME,        "time",   0, 4, UINT, 0, 0, 0, NULL, "us since the device was started") \
    F(NM_EVENT,       "event",   4, 4, UINT, 0, 0, 0, NULL, "0: of the process, 1: of the device") \
    F(NM_TIME2,       "time_2",   8, 8, UINT, 0, 0, 0, NULL, "version 2: the time") \
    F(NM_DDR,         "ddr",  16, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(NM_HBM,         "hbm",  24, 8, UINT, 0, 0, 0, NULL, "bytes")
#define NPU_MODULE_MEM_RECORD(F) \
    F(MM_MODULE,      "module",   0, 4, UINT, 0, 0, 0, NULL, "module id") \
    F(MM_TIME,        "timestamp",   8, 8, UINT, 0, 0, 0, NULL, "host counter") \
    F(MM_SIZE,        "reserved",  16, 8, UINT, 0, 0, 0, NULL, "bytes; above 2^63: unknown")
#define HBM_RECORD(F) \
    F(HB_TIME,        "time",   0, 8, UINT, 0, 0, 0, NULL, "us since the device was started") \
    F(HB_COUNT,       "count",   8, 8, UINT, 0, 0, 0, NULL, "accesses") \
    F(HB_EVENT,       "event",  16, 4, UINT, 0, 0, 0, NULL, "0: read, else write") \
    F(HB_ID,          "hbm",  20, 4, UINT, 0, 0, 0, NULL, "hbm id")
#define HBM_RECORD2_B 32
#define HBM_RECORD2(F) \
    F(HB2_EVENT,      "event",   8, 4, UINT, 0, 0, 0, NULL, "0: read, else write") \
    F(HB2_ID,         "hbm",  12, 4, UINT, 0, 0, 0, NULL, "hbm id") \
    F(HB2_COUNT,      "count",  16, 8, UINT, 0, 0, 0, NULL, "accesses") \
    F(HB2_TIME,       "time",  24, 8, UINT, 0, 0, 0, NULL, "us since the device was started")
#define DDR_RECORD(F) \
    F(DD_TIME,        "time",   0, 4, UINT, 0, 0, 0, NULL, "us since the device was started") \
    F(DD_COUNT,       "count",   4, 4, UINT, 0, 0, 0, NULL, "accesses") \
    F(DD_EVENT,       "event",   8, 4, UINT, 0, 0, 0, NULL, "0: read, 1: write") \
    F(DD_ID,          "ddrc",  12, 4, UINT, 0, 0, 0, NULL, "id of the controller") \
    F(DD_MASTER,      "master",  16, 4, UINT, 0, 0, 0, NULL, "4294967295: none")
#define LLC_RECORD(F) \
    F(LL_TIME,        "time",   0, 8, UINT, 0, 0, 0, NULL, "us since the device was started") \
    F(LL_COUNT,       "count",   8, 8, UINT, 0, 0, 0, NULL, "") \
    F(LL_EVENT,       "event",  16, 4, HEX, 0, 0, 0, NULL, "what was counted") \
    F(LL_ID,          "l3",  20, 4, UINT, 0, 0, 0, NULL, "id of the cache")
#define LLC_RECORD2(F) \
    F(LL2_COUNT,      "count",   4, 4, UINT, 0, 0, 0, NULL, "") \
    F(LL2_EVENT,      "event",   8, 4, HEX, 0, 0, 0, NULL, "what was counted") \
    F(LL2_ID,         "l3",  12, 4, UINT, 0, 0, 0, NULL, "id of the cache") \
    F(LL2_TIME,       "time",  16, 8, UINT, 0, 0, 0, NULL, "us since the device was started")
#define PCIE_RECORD(F) \
    F(PX_TIME,        "time",   0, 8, UINT, 0, 0, 0, NULL, "ns of the device") \
    F(PX_DEVICE,      "device",   8, 4, UINT, 0, 0, 0, NULL, "") \
    F(PX_VALUE,       "tx_post_min",  12, 4, UINT, 0, 0, 0, NULL, "then max, avg; then these three of tx non-post, completion, latency, rx post, non-post, completion")
#define PCIE_KINDS 7 /* of three values each */
#define L2_CACHE_RECORD(F) \
    F(LC_KIND,        "task_type",   0, 2, UINT, 0, 0, 0, NULL, "") \
    F(LC_STREAM,      "stream",   2, 2, UINT, 0, 0, 0, NULL, "stream id") \
    F(LC_TASK,        "task",   4, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(LC_EVENT,       "event_0",   8, 8, UINT, 0, 0, 0, NULL, "the first of eight events of sample.json")
/* 4.6: the function says what the rest is. Of chips 15 and 16 SIO and chip transmission lie otherwise. */
#define SOC_PROFILE_RECORD(F) \
    F(SP_FUNCTION,    "function",  0, 2, UINT, 0, 6, 0, soc_functions, "what the record tells") \
    F(SP_HIGH,        "die",       0, 2, UINT, 10, 6, 0, NULL, "QoS, low power: die; chip transmission: 63 PA link, 34 PCIe, of chips 15 and 16 the die") \
    F(SP_ACC2,        "accelerator_2", 1, 1, UINT, 2, 6, 0, NULL, "SIO of chips 15 and 16: id") \
    F(SP_TICKS,       "counter",   8, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(SP_ID,          "id",       18, 2, UINT, 0, 0, 0, NULL, "accelerator PMU, SIO: accelerator; chip transmission: link, in the low 6 bits") \
    F(SP_LINK2,       "write_2",  16, 8, UINT, 0, 0, 0, NULL, "chip transmission of chips 15 and 16: written, then read") \
    F(SP_POWER,       "power_0",  24, 2, UINT, 0, 0, 0, NULL, "low power: the first of twenty, the two of each pair in turned order") \
    F(SP_QOS,         "qos_0",    24, 4, UINT, 0, 0, 0, NULL, "QoS: MB/s, the first of ten") \
    F(SP_RX2,         "rx_req_2", 28, 4, UINT, 0, 0, 0, NULL, "SIO of chips 15 and 16: bytes of requests, then responses, snoops, data") \
    F(SP_ACC_BW,      "write_bandwidth", 32, 8, UINT, 0, 0, 0, NULL, "accelerator PMU: level; then that of reads") \
    F(SP_RX,          "rx_req",   32, 4, UINT, 0, 0, 0, NULL, "SIO: bytes of requests, then responses, snoops, data") \
    F(SP_LINK,        "value_1",  32, 8, UINT, 0, 0, 0, NULL, "chip transmission: PA received or PCIe written, then sent or read") \
    F(SP_MATA,        "mata_level", 32, 2, UINT, 0, 3, 0, NULL, "inter-soc: bandwidth level") \
    F(SP_L2_BUFFER,   "l2_buffer_level", 32, 2, UINT, 3, 8, 0, NULL, "inter-soc: bandwidth level") \
    F(SP_ACC_OST,     "write_ost", 48, 8, UINT, 0, 0, 0, NULL, "accelerator PMU: outstanding; then that of reads") \
    F(SP_TX,          "tx_req",   48, 4, UINT, 0, 0, 0, NULL, "SIO: as rx")
#define QOS_RECORD(F) \
    F(QO_TICKS,       "counter",  16, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(QO_VALUE,       "qos_0",    24, 4, UINT, 0, 0, 0, NULL, "MB/s, the first of ten; sample.json names them")
#define QOS_VALUES   10
#define POWER_VALUES 20
#define SIO_VALUES   8 /* four received, four sent */
/* 4.9; of chips 15 and 16 the task lies otherwise */
#define SOC_PMU_RECORD(F) \
    F(SU_DATA2,       "data_type_2", 6, 2, UINT, 0, 0, 0, soc_pmu_data, "of chips 15 and 16: what was counted; then type, stream, and 4 bytes of the task") \
    F(SU_KIND,        "task_type",  8, 2, UINT, 0, 0, 0, NULL, "") \
    F(SU_STREAM,      "stream",    10, 2, UINT, 0, 0, 0, NULL, "stream id") \
    F(SU_TASK,        "task",      12, 2, UINT, 0, 0, 0, NULL, "task id; of chips 15 and 16 with the next two bytes") \
    F(SU_DATA,        "data_type", 14, 2, UINT, 0, 0, 0, soc_pmu_data, "what was counted") \
    F(SU_EVENT,       "event_0",   16, 8, UINT, 0, 0, 0, NULL, "the first of eight events of sample.json")
/* tscpu.data, and that of MDC (upstream, analysis/profiling_bean/hardware/{tscpu,mdc_tscpu}.py) */
#define PROF_TSCPU_MARK 0xabababab
#define TSCPU_RECORD(F) \
    F(TS_MARK,        "magic",      0, 4, HEX, 0, 0, 0, NULL, "in every record") \
    F(TS_TRACE,       "backtrace_0", 8, 8, HEX, 0, 0, 0, NULL, "the first of twenty: pairs of frame and link; 0: none") \
    F(TS_PC,          "pc",       176, 8, HEX, 0, 0, 0, NULL, "where the processor was") \
    F(TS_TIME,        "timestamp", 184, 8, UINT, 0, 0, 0, NULL, "of what is not published") \
    F(TS_EVENT,       "event_0",  192, 8, HEX, 0, 0, 0, NULL, "the first of seven; a count follows each") \
    F(TS_COUNT,       "count_0",  200, 8, UINT, 0, 0, 0, NULL, "")
#define TSCPU_MDC_B 184
#define TSCPU_MDC_RECORD(F) \
    F(TD_MARK,        "magic",      0, 4, HEX, 0, 0, 0, NULL, "in every record") \
    F(TD_TRACE,       "backtrace_0", 8, 4, HEX, 0, 0, 0, NULL, "the first of twenty: pairs of frame and link; 0: none") \
    F(TD_PC,          "pc",        92, 4, HEX, 0, 0, 0, NULL, "where the processor was") \
    F(TD_TIME,        "timestamp", 96, 8, UINT, 0, 0, 0, NULL, "of what is not published") \
    F(TD_EVENT,       "event_0",  104, 8, HEX, 0, 0, 0, NULL, "the first of five; a count follows each") \
    F(TD_COUNT,       "count_0",  112, 8, UINT, 0, 0, 0, NULL, "")
/* ub.data of chips 15 and 16 (upstream, analysis/msparser/hardware/ub_parser.py, analysis/msconfig/tables_config.py) */
#define UB_RECORD(F) \
    F(UB_MARK,        "magic",      0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(UB_DEVICE,      "device",     2, 2, UINT, 0, 0, 0, NULL, "") \
    F(UB_PORT,        "port",       4, 2, UINT, 0, 0, 0, NULL, "port id") \
    F(UB_TIME,        "time",       8, 8, UINT, 0, 0, 0, NULL, "us since the device was started") \
    F(UB_RX,          "udma_rx",   16, 8, UINT, 0, 0, 0, NULL, "MB/s") \
    F(UB_TX,          "udma_tx",   24, 8, UINT, 0, 0, 0, NULL, "MB/s") \
    F(UB_RX_WIDTH,    "rx_port_bandwidth", 32, 8, UINT, 0, 0, 0, NULL, "") \
    F(UB_RX_RATE,     "rx_packet_rate", 40, 8, UINT, 0, 0, 0, NULL, "packets/s") \
    F(UB_RX_BYTES,    "rx_bytes",  48, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(UB_RX_PACKETS,  "rx_packets", 56, 8, UINT, 0, 0, 0, NULL, "") \
    F(UB_RX_ERRORS,   "rx_errors", 64, 8, UINT, 0, 0, 0, NULL, "packets") \
    F(UB_RX_DROPPED,  "rx_dropped", 72, 8, UINT, 0, 0, 0, NULL, "packets") \
    F(UB_TX_WIDTH,    "tx_port_bandwidth", 80, 8, UINT, 0, 0, 0, NULL, "") \
    F(UB_TX_RATE,     "tx_packet_rate", 88, 8, UINT, 0, 0, 0, NULL, "packets/s") \
    F(UB_TX_BYTES,    "tx_bytes",  96, 8, UINT, 0, 0, 0, NULL, "bytes") \
    F(UB_TX_PACKETS,  "tx_packets", 104, 8, UINT, 0, 0, 0, NULL, "") \
    F(UB_TX_ERRORS,   "tx_errors", 112, 8, UINT, 0, 0, 0, NULL, "packets") \
    F(UB_TX_DROPPED,  "tx_dropped", 120, 8, UINT, 0, 0, 0, NULL, "packets")
/* ccu0, ccu1 of chips 15 and 16 (upstream, analysis/profiling_bean/hardware/ccu_bean.py) */
#define CCU_MISSION_RECORD(F) \
    F(CM_WAITED,      "waited_15",  0, 2, UINT, 0, 0, 0, NULL, "how long rank 15 was waited for, in 4 counts of the device; then ranks 14 to 0") \
    F(CM_WAIT,        "wait_start", 32, 8, UINT, 0, 0, 0, NULL, "device counter; 0: nothing was waited for") \
    F(CM_WAIT_INSTR,  "wait_instruction", 40, 2, UINT, 0, 0, 0, NULL, "") \
    F(CM_END,         "loop_end",  42, 8, UINT, 0, 0, 0, NULL, "device counter") \
    F(CM_START,       "loop_start", 50, 8, UINT, 0, 0, 0, NULL, "device counter; 0: no group of loops") \
    F(CM_INSTR,       "loop_instruction", 58, 2, UINT, 0, 0, 0, NULL, "") \
    F(CM_TASK,        "task",      60, 4, UINT, 0, 0, 0, NULL, "id of the task among those of all streams")
#define CCU_CHANNEL_B 2816
#define CCU_CHANNEL_RECORD(F) \
    F(CC_TIME,        "counter",    0, 8, UINT, 0, 0, 0, NULL, "channel 0: device counter; 128 channels lie 5 words apart, behind each twelfth of them 4 words more, the last 8 in two groups of 32 words") \
    F(CC_MEAN,        "mean_delay", 8, 4, UINT, 0, 0, 0, NULL, "counts of the device for 4 KiB") \
    F(CC_MIN,         "min_delay", 12, 4, UINT, 0, 0, 0, NULL, "") \
    F(CC_MAX,         "max_delay", 16, 4, UINT, 0, 0, 0, NULL, "")
/* The same of the host (upstream, analysis/msparser/add_info/ccu_add_info_bean.py) */
#define CCU_WHAT(F) PROF_HEAD(F) \
    F(CI_VERSION,     "version",   24, 1, UINT, 0, 0, 0, NULL, "") \
    F(CI_ITEM,        "item",      32, 8, UINT, 0, 0, 0, NULL, "hash of its name") \
    F(CI_GROUP,       "group",     40, 8, UINT, 0, 0, 0, NULL, "hash of the group's name") \
    F(CI_RANK,        "rank",      48, 4, UINT, 0, 0, 0, NULL, "") \
    F(CI_RANKS,       "ranks",     52, 4, UINT, 0, 0, 0, NULL, "ranks in the group")
#define CCU_TASK_RECORD(F) CCU_WHAT(F) \
    F(CT_MODE,        "work_flow_mode", 25, 1, UINT, 0, 0, 0, NULL, "") \
    F(CT_STREAM,      "stream",    56, 2, UINT, 0, 0, 0, NULL, "stream id") \
    F(CT_TASK,        "task",      60, 4, UINT, 0, 0, 0, NULL, "task id") \
    F(CT_DIE,         "die",       64, 1, UINT, 0, 0, 0, NULL, "") \
    F(CT_MISSION,     "mission",   65, 1, UINT, 0, 0, 0, NULL, "") \
    F(CT_INSTR,       "instruction", 66, 2, UINT, 0, 0, 0, NULL, "")
#define CCU_AT(F) \
    F(CI_MODE,        "work_flow_mode", 56, 1, UINT, 0, 0, 0, NULL, "") \
    F(CI_STREAM,      "stream",    58, 2, UINT, 0, 0, 0, NULL, "stream id") \
    F(CI_TASK,        "task",      60, 4, UINT, 0, 0, 0, NULL, "task id") \
    F(CI_DIE,         "die",       64, 1, UINT, 0, 0, 0, NULL, "") \
    F(CI_INSTR,       "instruction", 66, 2, UINT, 0, 0, 0, NULL, "") \
    F(CI_MISSION,     "mission",   68, 1, UINT, 0, 0, 0, NULL, "") \
    F(CI_CHANNEL,     "channel_0", 80, 2, UINT, 0, 0, 0, NULL, "the first of sixteen; 65535: none") \
    F(CI_REMOTE,      "remote_rank_0", 112, 4, UINT, 0, 0, 0, NULL, "the first of sixteen; 4294967295: none")
#define CCU_WAIT_RECORD(F) CCU_WHAT(F) CCU_AT(F) CCU_WAIT_OWN(F)
#define CCU_WAIT_OWN(F) \
    F(CI_CKE,         "cke",       72, 4, UINT, 0, 0, 0, NULL, "id of what is waited on") \
    F(CI_MASK,        "mask",      76, 4, HEX, 0, 0, 0, NULL, "")
#define CCU_GROUP_RECORD(F) CCU_WHAT(F) CCU_AT(F) CCU_GROUP_OWN(F)
#define CCU_GROUP_OWN(F) \
    F(CI_REDUCE,      "reduce",    69, 1, UINT, 0, 0, 0, prof_ccu_reduces, "") \
    F(CI_INPUT,       "input_type", 70, 1, UINT, 0, 0, 0, prof_hccl_types, "") \
    F(CI_OUTPUT,      "output_type", 71, 1, UINT, 0, 0, 0, prof_hccl_types, "") \
    F(CI_SIZE,        "size",      72, 8, UINT, 0, 0, 0, NULL, "bytes")
/* clang-format on */

#endif
