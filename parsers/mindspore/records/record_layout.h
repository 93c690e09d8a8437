/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields of the raw records of MindSpore 1.x, each once: readers take the offsets from here (FIELD_AT), the
 * hex view and the manual page the names and meanings (parsers/mindspore/records/layouts_mindspore.c). Rows:
 * parsers/read/layout_rows.h.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORDS_RECORD_LAYOUT_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORDS_RECORD_LAYOUT_H

#include "parsers/read/layout_rows.h"
#include "run/layout.h"

/* Types of HWTS records that have a field. */
#define HWTS_TIMED 0x0f /* starts and ends of tasks and blocks */
#define HWTS_PMU   0x10

/* Where a task of Framework runs, ended by a row without a word. */
extern const struct layout_word framework_cores[];

/* clang-format off */

/* doc/formats/mindspore1.md#hwts */
#define HWTS_RECORD(F) \
    F(HWTS_TYPE,       0, 1, UINT, "type", "kind of the record", .bits = 3, .words = hwts_types) \
    F(HWTS_WARN,       0, 1, UINT, "warn", "warning or overflow; a PMU record with it has no ticks", \
      .shift = 3, .bits = 1) \
    F(HWTS_COUNT,      0, 1, UINT, "count", "number of the record mod 16: a jump means lost records", \
      .shift = 4, .bits = 4) \
    F(HWTS_CORE,       1, 1, UINT, "core", "core id") \
    F(HWTS_MARK_AT,    2, 2, HEX,  "mark", "the same in every record") \
    F(HWTS_BLOCK,      4, 2, UINT, "block", "block id") \
    F(HWTS_TASK,       6, 2, UINT, "task", "task id, begins anew after 65535") \
    F(HWTS_TICKS,      8, 8, UINT, "ticks", "device counter, 10 ns each", .of = HWTS_TIMED) \
    F(HWTS_STREAM,    16, 4, UINT, "stream", "stream id") \
    F(HWTS_PMU_TICKS, 24, 8, UINT, "ticks", "device counter, 10 ns each", .of = HWTS_PMU)

/* doc/formats/mindspore1.md#framework-records */
#define FW_TASK_RECORD(F) \
    F(TASK_MAGIC,       0,   2, HEX,  "magic", "in every record") \
    F(TASK_TAG,         2,   2, HEX,  "tag", "0x17: a task") \
    F(TASK_KIND,        4,   4, UINT, "task_type", "where it runs", .words = framework_cores) \
    F(TASK_OP,          8, 128, MIX,  "op", "full name of the op, or its hash") \
    F(TASK_TYPE,      136,  64, MIX,  "op_type", "op type, or its hash") \
    F(TASK_ITERATION, 200,   8, UINT, "iteration") \
    F(TASK_TIME,      208,   8, UINT, "timestamp") \
    F(TASK_SHAPE,     216,   4, UINT, "shape_type", "0: static shapes") \
    F(TASK_BLOCK,     220,   4, UINT, "block_dim") \
    F(TASK_MODEL,     224,   4, UINT, "model", "model id, which is the graph id") \
    F(TASK_STREAM,    228,   4, UINT, "stream", "stream id") \
    F(TASK_TASK,      232,   4, UINT, "task", "task id") \
    F(TASK_THREAD,    236,   4, UINT, "thread", "thread of the host")

#define FW_TENSOR_OF(F, i, at) \
    F(TENSOR_##i##_KIND,        at, 4, UINT, "tensor_" #i ".kind", .words = fw_tensor_kinds) \
    F(TENSOR_##i##_FORMAT,  at + 4, 4, UINT, "tensor_" #i ".format", \
      "number of the format, from r1.8 on 200 more") \
    F(TENSOR_##i##_TYPE,    at + 8, 4, UINT, "tensor_" #i ".type", \
      "number of the data type, from r1.8 on 200 more") \
    F(TENSOR_##i##_DIM_0,  at + 12, 4, UINT, "tensor_" #i ".dim_0", "first dimension; 0: none") \
    F(TENSOR_##i##_DIM_1,  at + 16, 4, UINT, "tensor_" #i ".dim_1") \
    F(TENSOR_##i##_DIM_2,  at + 20, 4, UINT, "tensor_" #i ".dim_2") \
    F(TENSOR_##i##_DIM_3,  at + 24, 4, UINT, "tensor_" #i ".dim_3") \
    F(TENSOR_##i##_DIM_4,  at + 28, 4, UINT, "tensor_" #i ".dim_4") \
    F(TENSOR_##i##_DIM_5,  at + 32, 4, UINT, "tensor_" #i ".dim_5") \
    F(TENSOR_##i##_DIM_6,  at + 36, 4, UINT, "tensor_" #i ".dim_6") \
    F(TENSOR_##i##_DIM_7,  at + 40, 4, UINT, "tensor_" #i ".dim_7")
#define FW_TENSOR_RECORD(F) \
    F(TENSOR_MAGIC,      0, 2, HEX,  "magic", "in every record") \
    F(TENSOR_TAG,        2, 2, HEX,  "tag", "0x18: tensors") \
    F(TENSOR_MODEL,      4, 4, UINT, "model", "model id") \
    F(TENSOR_ITERATION,  8, 8, UINT, "iteration") \
    F(TENSOR_STREAM,    16, 4, UINT, "stream", "stream id") \
    F(TENSOR_TASK,      20, 4, UINT, "task", "task id") \
    F(TENSOR_COUNT,     24, 1, UINT, "tensors", \
      "tensors in this record, at most 5; more lie in further records of the task") \
    FW_TENSOR_OF(F, 0, 28) FW_TENSOR_OF(F, 1, 72) FW_TENSOR_OF(F, 2, 116) FW_TENSOR_OF(F, 3, 160) \
        FW_TENSOR_OF(F, 4, 204)

/*
 * 32 bytes: HHIIIQH6B; only the way it is cut into numbers was ever published
 * (doc/formats/prof.md#legacy-host-files)
 */
#define FW_SESSION_MARK 0x5a5a
#define FW_SESSION_RECORD(F) \
    F(FS_MAGIC,    0, 2, HEX,  "magic", "in every record") \
    F(FS_TAG,      2, 2, UINT, "tag", "kind of record") \
    F(FS_VALUE_0,  4, 4, UINT, "value_0", FW_UNPUBLISHED) \
    F(FS_VALUE_1,  8, 4, UINT, "value_1", FW_UNPUBLISHED) \
    F(FS_VALUE_2, 12, 4, UINT, "value_2", FW_UNPUBLISHED) \
    F(FS_VALUE_3, 16, 8, UINT, "value_3", FW_UNPUBLISHED) \
    F(FS_VALUE_4, 24, 2, UINT, "value_4", FW_UNPUBLISHED)
#define FW_UNPUBLISHED "its meaning is not published"

#define FW_STEP_RECORD(F) \
    F(STEP_MAGIC,       0, 2, HEX,  "magic", "in every record") \
    F(STEP_RECORD_TAG,  2, 2, HEX,  "tag", "0x19: a step mark's task") \
    F(STEP_MODEL,       4, 4, UINT, "model", "model id") \
    F(STEP_STREAM,      8, 4, UINT, "stream", "stream id") \
    F(STEP_TASK,       12, 4, UINT, "task", "task id") \
    F(STEP_TIME,       16, 8, UINT, "timestamp") \
    F(STEP_ITERATION,  24, 8, UINT, "iteration") \
    F(STEP_THREAD,     32, 4, UINT, "thread", "thread of the host") \
    F(STEP_TAG,        36, 1, UINT, "step_tag", "what the mark means", .words = ts_tags)

/* doc/formats/mindspore1.md#training_trace */
#define TRAINING_TRACE_RECORD(F) \
    F(TRACE_TAG,     0, 8, UINT, "tag", \
      "what the mark means; others: before (odd) or after (even) a communication op", .words = trace_tags) \
    F(TRACE_TASK,    8, 2, UINT, "task", "task of the inserted op") \
    F(TRACE_STREAM, 10, 2, UINT, "stream", "stream of the inserted op") \
    F(TRACE_TICKS,  12, 8, UINT, "ticks", "device counter, 10 ns each")

/* doc/formats/mindspore1.md#ts_track */
#define TS_TRACK_RECORD(F) \
    F(TS_MODE,    0, 1, UINT, "mode") \
    F(TS_TYPE,    1, 1, UINT, "type", "kind of report", .words = ts_types) \
    F(TS_LENGTH,  2, 2, UINT, "length", "bytes of the record") \
    F(TS_TICKS,   8, 8, UINT, "ticks", "device counter, 10 ns each") \
    F(TS_INDEX,  16, 8, UINT, "index", "index id") \
    F(TS_MODEL,  24, 8, UINT, "model", "model id") \
    F(TS_STREAM, 32, 2, UINT, "stream", "stream of the inserted op") \
    F(TS_TASK,   34, 2, UINT, "task", "task of the inserted op") \
    F(TS_TAG,    36, 2, UINT, "tag", \
      "what the mark means; 10000 to 19999: before (even) or after (odd) a communication op", \
      .words = ts_tags)

/* doc/formats/mindspore1.md#ai-cpu */
#define AICPU_RECORD(F) \
    F(AT_MAGIC,         0, 2, HEX,  "magic", "in every record") \
    F(AT_TAG,           2, 2, HEX,  "tag", "0x3C: an AI CPU task") \
    F(AT_STREAM,        4, 2, UINT, "stream", "stream id") \
    F(AT_TASK,          6, 2, UINT, "task", "task id") \
    F(AT_START_US,      8, 8, UINT, "run_start", "us") \
    F(AT_START_TICKS,  16, 8, UINT, "run_start_counter", "device counter, 10 ns each") \
    F(AT_COMPUTE,      24, 8, UINT, "compute_start") \
    F(AT_COPY,         32, 8, UINT, "memcpy_start") \
    F(AT_COPY_END,     40, 8, UINT, "memcpy_end") \
    F(AT_END_US,       48, 8, UINT, "run_end", "us") \
    F(AT_END_TICKS,    56, 8, UINT, "run_end_counter", "device counter, 10 ns each") \
    F(AT_THREAD,       64, 4, UINT, "thread") \
    F(AT_DEVICE,       68, 4, UINT, "device") \
    F(AT_SUBMIT,       72, 8, UINT, "submit_tick") \
    F(AT_SCHEDULE,     80, 8, UINT, "schedule_tick") \
    F(AT_BEFORE,       88, 8, UINT, "tick_before_run") \
    F(AT_AFTER,        96, 8, UINT, "tick_after_run") \
    F(AT_KERNEL,      104, 4, UINT, "kernel_type") \
    F(AT_DISPATCH_US, 108, 4, UINT, "dispatch_time", "us") \
    F(AT_TOTAL_US,    112, 4, UINT, "total_time", "us") \
    F(AT_FFTS,        116, 2, UINT, "ffts_thread") \
    F(AT_VERSION,     118, 1, UINT, "version")

/* doc/formats/mindspore1.md#aicore */
#define AICORE_RECORD(F) \
    F(AICORE_TASK,       6, 2, UINT, "task", "task id") \
    F(AICORE_CYCLES,    16, 8, UINT, "total_cycles", "presumably") \
    F(AICORE_OVER,      24, 8, UINT, "overflow_cycles", "presumably") \
    F(AICORE_COUNTER,   32, 8, UINT, "counter_0", "arithmetic utilization: cube fp16") \
    F(AICORE_COUNTER_1, 40, 8, UINT, "counter_1", "cube int8") \
    F(AICORE_COUNTER_2, 48, 8, UINT, "counter_2", "vector fp32") \
    F(AICORE_COUNTER_3, 56, 8, UINT, "counter_3", "vector fp16, 128 lanes") \
    F(AICORE_COUNTER_4, 64, 8, UINT, "counter_4", "vector fp16, 64 lanes") \
    F(AICORE_COUNTER_5, 72, 8, UINT, "counter_5", "vector int32") \
    F(AICORE_COUNTER_6, 80, 8, UINT, "counter_6", "vector misc") \
    F(AICORE_COUNTER_7, 88, 8, UINT, "counter_7", "unused") \
    F(AICORE_STREAM,    96, 4, UINT, "stream", "stream id")
/* clang-format on */

#endif
