/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of the records in FRAMEWORK files (doc/formats/framework.md#framework-files,
 * #records-of-torch_npu, #layouts-by-release), each once: readers take the offsets and numbers from here
 * (FIELD_AT, TEXT_NO), the hex view and the manual page the names and meanings
 * (parsers/framework/layouts_framework.c). Rows: parsers/read/layout_rows.h. Offsets of TLV records count
 * from their fixed part.
 */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_FRAMEWORK_LAYOUT_H
#define NPUSCOPE_PARSERS_FRAMEWORK_FRAMEWORK_LAYOUT_H

#include "parsers/read/layout_rows.h"

/* clang-format off */

/* doc/formats/framework.md#op_range */
#define MS_RANGE_B 54
#define MS_RANGE_RECORD(F) \
    F(MSR_THREAD,   0, 8, UINT, "thread", "thread of the host") \
    F(MSR_FLOW,     8, 8, HEX,  "flow", "all bits set: none; a record called flow begins one") \
    F(MSR_STEP,    16, 8, UINT, "step", "counter of the graph executor") \
    F(MSR_START,   24, 8, UINT, "start", "host counter; 0: never begun") \
    F(MSR_END,     32, 8, UINT, "end", "host counter") \
    F(MSR_PROCESS, 40, 4, UINT, "process", "the thread once more") \
    F(MSR_MODULE,  44, 2, UINT, "module", "index of the name") \
    F(MSR_EVENT,   46, 2, UINT, "event", "index of the name, which depends on the version") \
    F(MSR_STAGE,   48, 2, UINT, "stage", "index of the name") \
    F(MSR_LEVEL,   50, 1, INT,  "level", "0 developer, 1 user") \
    F(MSR_GRAPH,   51, 1, UINT, "is_graph", "of compiling, of the data pipeline, or marked by the program") \
    F(MSR_IS_STAGE, 52, 1, UINT, "is_stage") \
    F(MSR_STACK,   53, 1, UINT, "is_stack", "a frame of Python")
#define MS_RANGE_TEXTS(T) \
    T(MSR_NAME,         13, "name", "short name; of a frame: file(line):function") \
    T(MSR_FULL,         14, "full_name") \
    T(MSR_GRAPH_MODULE, 15, "graph_module") \
    T(MSR_GRAPH_EVENT,  16, "graph_event") \
    T(MSR_CUSTOM,       17, "custom_info", "key:value, separated by ;")

/* doc/formats/framework.md#op_range_r */
#define MS_RANGE_NAMED_B 74
#define MS_RANGE_23_B    73
#define MS_NAMED_HEAD(F) \
    F(MSN_START,    0, 8, UINT, "start", "host counter; 0: never begun") \
    F(MSN_END,      8, 8, UINT, "end", "host counter") \
    F(MSN_SEQUENCE, 16, 8, INT, "sequence") \
    F(MSN_PROCESS, 24, 8, UINT, "process") \
    F(MSN_THREAD,  32, 8, UINT, "thread", "of the host, where it began") \
    F(MSN_END_THREAD, 40, 8, UINT, "end_thread") \
    F(MSN_FORWARD, 48, 8, UINT, "forward_thread") \
    F(MSN_FLOW,    56, 8, HEX,  "flow", "all bits set: none; a record called flow begins one") \
    F(MSN_STEP,    64, 8, UINT, "step")
#define MS_RANGE_NAMED_RECORD(F) MS_NAMED_HEAD(F) MS_NAMED_OWN(F)
#define MS_NAMED_OWN(F) \
    F(MSN_LEVEL,   72, 1, INT,  "level") \
    F(MSN_ASYNC,   73, 1, UINT, "is_async")
#define MS_RANGE_23_RECORD(F) MS_NAMED_HEAD(F) MS_RANGE_23_OWN(F)
#define MS_RANGE_23_OWN(F) \
    F(MSN_ASYNC_23, 72, 1, UINT, "is_async")
#define MS_NAMED_TEXTS(T) \
    T(MSN_NAME,   3, "name") \
    T(MSN_TYPES,  4, "input_types") \
    T(MSN_SHAPES, 5, "input_shapes") \
    T(MSN_STACK,  6, "call_stack", "frames, separated by |") \
    T(MSN_MODULE, 7, "module_hierarchy") \
    T(MSN_FLOPS,  8, "flops") \
    T(MSN_CUSTOM, 9, "custom_info", "key:value, separated by ;")

/* doc/formats/framework.md#memory_usage; mindspore.memory_usage */
#define MS_MEMORY_B 100
#define MS_MEMORY_RECORD(F) \
    F(MSM_DEVICE,     0, 4, INT,  "device", "on its host") \
    F(MSM_THREAD,     4, 8, UINT, "thread") \
    F(MSM_PROCESS,   12, 8, UINT, "process") \
    F(MSM_TIME,      20, 8, UINT, "created_at", "ns since 1970") \
    F(MSM_ADDRESS,   28, 8, HEX,  "address") \
    F(MSM_SIZE,      36, 8, HEX,  "size", "bytes; all bits set: a release") \
    F(MSM_USED,      44, 8, UINT, "used", "bytes of the pool") \
    F(MSM_PEAK,      52, 8, UINT, "peak", "bytes of the pool") \
    F(MSM_RESERVED,  60, 8, UINT, "allocated", "bytes that the pool has reserved") \
    F(MSM_EVENTS,    68, 8, UINT, "used_by_events", "bytes of the pool") \
    F(MSM_EAGER,     76, 8, UINT, "eager_free", "bytes of the pool") \
    F(MSM_STREAM,    84, 8, HEX,  "stream", "pointer") \
    F(MSM_STREAM_ID, 92, 4, UINT, "stream_id", "of a release: 4294967295") \
    F(MSM_FROM_PERSISTENT, 96, 1, UINT, "from_persistent") \
    F(MSM_PERSISTENT, 97, 1, UINT, "is_persistent") \
    F(MSM_MODE,      98, 1, UINT, "run_mode", "0: unknown") \
    F(MSM_TYPE,      99, 1, UINT, "alloc_type")
#define MS_MEMORY_TEXTS(T)    T(MSM_OWNER, 13, "owner", "of a release: empty")
#define MS_MEMORY_25_TEXTS(T) T(MSM_OWNER_25, 3, "owner", "of a release: empty")

/* doc/formats/framework.md#record_shapes */
#define MS_SHAPES_TEXTS(T) \
    T(MSS_NAME,   0, "name", "of the op") \
    T(MSS_SHAPES, 1, "input_shapes", "dimensions by comma, tensors by ;") \
    T(MSS_TYPES,  2, "input_types", "separated by ;")

/* doc/formats/framework.md#records-of-torch_npu; torch.op_range */
#define PT_RANGE_B    58
#define PT_RANGE_57_B 57 /* without a scope */
#define PT_RANGE_HEAD(F) \
    F(PTR_START,    0, 8, UINT, "start", "host counter, or monotonic ns") \
    F(PTR_END,      8, 8, UINT, "end", "the same") \
    F(PTR_SEQUENCE, 16, 8, INT, "sequence", "joins forward and backward; -1: none") \
    F(PTR_PROCESS, 24, 8, UINT, "process") \
    F(PTR_THREAD,  32, 8, UINT, "thread", "where it began") \
    F(PTR_END_THREAD, 40, 8, UINT, "end_thread") \
    F(PTR_FORWARD, 48, 8, UINT, "forward_thread", "of the forward op; 0: this is one")
#define PT_RANGE_RECORD(F) PT_RANGE_HEAD(F) PT_RANGE_OWN(F)
#define PT_RANGE_OWN(F) \
    F(PTR_SCOPE,   56, 1, UINT, "scope") \
    F(PTR_ASYNC,   57, 1, UINT, "is_async")
#define PT_RANGE_57_RECORD(F) PT_RANGE_HEAD(F) PT_RANGE_57_OWN(F)
#define PT_RANGE_57_OWN(F) \
    F(PTR_ASYNC_57, 56, 1, UINT, "is_async")
#define PT_RANGE_TEXTS(T) \
    T(PTR_NAME,    2, "name") \
    T(PTR_TYPES,   3, "input_types", "separated by ;") \
    T(PTR_SHAPES,  4, "input_shapes", "dimensions by comma, tensors by ;") \
    T(PTR_TENSORS, 5, "input_tensors") \
    T(PTR_LISTS,   6, "input_tensor_lists") \
    T(PTR_SCALARS, 7, "input_scalars") \
    T(PTR_STACK,   8, "call_stack", "frames, separated by ;") \
    T(PTR_MODULE,  9, "module_hierarchy") \
    T(PTR_EXTRA,  10, "extra_args", "flops")
/* of 6.0.rc3 */
#define PT_RANGE_RC3_TEXTS(T) \
    T(PTR3_NAME,    3, "name") \
    T(PTR3_TYPES,   4, "input_types", "separated by ;") \
    T(PTR3_SHAPES,  5, "input_shapes", "dimensions by comma, tensors by ;") \
    T(PTR3_TENSORS, 6, "input_tensors") \
    T(PTR3_SCALARS, 7, "input_scalars") \
    T(PTR3_STACK,   8, "call_stack", "frames, separated by ;") \
    T(PTR3_MODULE,  9, "module_hierarchy") \
    T(PTR3_EXTRA,  10, "extra_args", "flops")
#define PT_RANGE_57_TEXTS(T) \
    T(PTR57_NAME,   3, "name") \
    T(PTR57_TYPES,  4, "input_types", "separated by ;") \
    T(PTR57_SHAPES, 5, "input_shapes", "dimensions by comma, tensors by ;") \
    T(PTR57_STACK,  6, "call_stack", "frames, separated by ;") \
    T(PTR57_MODULE, 7, "module_hierarchy") \
    T(PTR57_EXTRA,  8, "extra_args", "flops")

/* torch.op_mark */
#define PT_MARK_B 40
#define PT_MARK_RECORD(F) \
    F(PTK_TIME,        0, 8, UINT, "time", "host counter, or monotonic ns") \
    F(PTK_KIND,        8, 8, UINT, "category", .words = pt_mark_kinds) \
    F(PTK_CORRELATION, 16, 8, UINT, "correlation", "of the task that is put in and taken out") \
    F(PTK_THREAD,     24, 8, UINT, "thread") \
    F(PTK_PROCESS,    32, 8, UINT, "process")
#define PT_MARK_TEXTS(T)     T(PTK_NAME, 1, "name")
#define PT_MARK_OLD_TEXTS(T) T(PTK_NAME_OLD, 2, "name")

/* torch.memory_usage; the older ones: doc/formats/framework.md#layouts-by-release */
#define PT_MEMORY_B    77
#define PT_MEMORY_76_B 76
#define PT_MEMORY_75_B 75
#define PT_MEMORY_58_B 58
#define PT_MEMORY_HEAD(F) \
    F(PTM_ADDRESS,    0, 8, HEX,  "address") \
    F(PTM_TIME,       8, 8, UINT, "time", "host counter, or monotonic ns") \
    F(PTM_SIZE,      16, 8, INT,  "size", "bytes; before 6.0 that of a release is negative") \
    F(PTM_ALLOCATED, 24, 8, INT,  "allocated", "bytes of the pool") \
    F(PTM_RESERVED,  32, 8, INT,  "reserved", "bytes of the pool")
#define PT_MEMORY_LATER(F) \
    F(PTM_ACTIVE,      40, 8, INT,  "active", "bytes of the pool") \
    F(PTM_STREAM,      48, 8, HEX,  "stream", "pointer") \
    F(PTM_DEVICE_TYPE, 56, 1, UINT, "device_type", "20: NPU") \
    F(PTM_DEVICE,      57, 1, INT,  "device")
#define PT_MEMORY_RECORD(F) PT_MEMORY_HEAD(F) PT_MEMORY_LATER(F) PT_MEMORY_OWN(F)
#define PT_MEMORY_OWN(F) \
    F(PTM_COMPONENT, 58, 1, UINT, "component", "0 caching allocator, 1 workspace") \
    F(PTM_KIND,      59, 1, UINT, "kind", .words = pt_memory_kinds) \
    F(PTM_ALLOCATOR, 60, 1, UINT, "allocator", "0: inner") \
    F(PTM_THREAD,    61, 8, UINT, "thread") \
    F(PTM_PROCESS,   69, 8, UINT, "process")
#define PT_MEMORY_76_RECORD(F) PT_MEMORY_HEAD(F) PT_MEMORY_LATER(F) PT_MEMORY_76_OWN(F)
#define PT_MEMORY_76_OWN(F) \
    F(PTM76_KIND,      58, 1, UINT, "kind", .words = pt_memory_kinds) \
    F(PTM76_ALLOCATOR, 59, 1, UINT, "allocator", "0: inner") \
    F(PTM76_THREAD,    60, 8, UINT, "thread") \
    F(PTM76_PROCESS,   68, 8, UINT, "process")
#define PT_MEMORY_75_RECORD(F) PT_MEMORY_HEAD(F) PT_MEMORY_LATER(F) PT_MEMORY_75_OWN(F)
#define PT_MEMORY_75_OWN(F) \
    F(PTM75_KIND,    58, 1, UINT, "kind", .words = pt_memory_kinds) \
    F(PTM75_THREAD,  59, 8, UINT, "thread") \
    F(PTM75_PROCESS, 67, 8, UINT, "process")
#define PT_MEMORY_58_RECORD(F) PT_MEMORY_HEAD(F) PT_MEMORY_58_OWN(F)
#define PT_MEMORY_58_OWN(F) \
    F(PTM58_DEVICE_TYPE, 40, 1, UINT, "device_type", "20: NPU") \
    F(PTM58_DEVICE,      41, 1, UINT, "device") \
    F(PTM58_THREAD,      42, 8, UINT, "thread") \
    F(PTM58_PROCESS,     50, 8, UINT, "process")

/* torch.python_tracer_func: records without a head */
#define PT_TRACE_B 33
#define PT_TRACE_RECORD(F) \
    F(PTT_TIME,     0, 8, UINT, "time", "host counter, or monotonic ns") \
    F(PTT_THREAD,   8, 8, UINT, "thread") \
    F(PTT_PROCESS, 16, 8, UINT, "process") \
    F(PTT_KEY,     24, 8, HEX,  "key", "torch.python_tracer_hash says its name") \
    F(PTT_TAG,     32, 1, UINT, "tag", .words = pt_trace_tags)
/* torch.python_tracer_hash */
#define PT_HASH_B 8
#define PT_HASH_RECORD(F) F(PTH_KEY, 0, 8, HEX, "key")
#define PT_HASH_TEXTS(T)     T(PTH_NAME, 1, "name", "of a module: name######id")
#define PT_HASH_OLD_TEXTS(T) T(PTH_NAME_OLD, 2, "name", "of a module: name######id")
/* torch.python_func_call */
#define PT_CALL_B 25
#define PT_CALL_RECORD(F) \
    F(PTC_TIME,     0, 8, UINT, "time", "host counter, or monotonic ns") \
    F(PTC_THREAD,   8, 8, UINT, "thread") \
    F(PTC_PROCESS, 16, 8, UINT, "process") \
    F(PTC_TAG,     24, 1, UINT, "tag", .words = pt_trace_tags)
#define PT_CALL_TEXTS(T) T(PTC_NAME, 2, "name")
/* torch.python_module_call */
#define PT_MODULE_B 24
#define PT_MODULE_RECORD(F) \
    F(PTU_INDEX,    0, 8, UINT, "index", "of a call in torch.python_func_call") \
    F(PTU_THREAD,   8, 8, UINT, "thread") \
    F(PTU_PROCESS, 16, 8, UINT, "process")
#define PT_MODULE_TEXTS(T) \
    T(PTU_ID,   2, "module_uid") \
    T(PTU_NAME, 3, "module_name")
/* torch.param_tensor_info */
#define PT_PARAMS_B 8
#define PT_PARAMS_RECORD(F) F(PTP_KEY, 0, 8, HEX, "key", "of a module or optimizer")
#define PT_PARAMS_TEXTS(T) \
    T(PTP_MODULE,    1, "module_params", "separated by }") \
    T(PTP_OPTIMIZER, 2, "optimizer_params", "separated by }")
#define PT_PARAMS_OLD_TEXTS(T) \
    T(PTP_MODULE_OLD,    2, "module_params", "separated by }") \
    T(PTP_OPTIMIZER_OLD, 3, "optimizer_params", "separated by }")
/* torch.gc_record: records without a head */
#define PT_GC_B 24
#define PT_GC_RECORD(F) \
    F(PTG_PROCESS, 0, 8, UINT, "process") \
    F(PTG_START,   8, 8, UINT, "start", "host counter, or monotonic ns") \
    F(PTG_END,    16, 8, UINT, "end", "the same")
/* clang-format on */

#endif
