/*
 * Fields of the raw records of generation 1, each once: readers take the offsets from here (RAW_AT), the hex view and the manual page the names and
 * meanings (parsers/mindspore/layouts_mindspore.c). F(id, name, offset, bytes, type, shift, bits, of, words, meaning): see struct layout_field (run/layout.h).
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_RECORD_LAYOUT_H
#define NPUSCOPE_PARSERS_MINDSPORE_RECORD_LAYOUT_H

/* In an enum: the offsets of a record's fields. */
#define RAW_AT(id, name, at, size, type, shift, bits, of, words, meaning) id = at,

/* Types of HWTS records that have a field. */
#define HWTS_TIMED 0x0f /* starts and ends of tasks and blocks */
#define HWTS_PMU   0x10

/* clang-format off */

/* gen1-raw.md 5.1 */
#define HWTS_RECORD(F) \
    F(HWTS_TYPE,      "type",      0, 1, UINT, 0, 3, 0, hwts_types, "what the record tells") \
    F(HWTS_WARN,      "warn",      0, 1, UINT, 3, 1, 0, NULL, "warning or overflow; a PMU record with it has no ticks") \
    F(HWTS_COUNT,     "count",     0, 1, UINT, 4, 4, 0, NULL, "number of the record mod 16: a jump means lost records") \
    F(HWTS_CORE,      "core",      1, 1, UINT, 0, 0, 0, NULL, "core id") \
    F(HWTS_MARK_AT,   "mark",      2, 2, HEX, 0, 0, 0, NULL, "the same in every record") \
    F(HWTS_BLOCK,     "block",     4, 2, UINT, 0, 0, 0, NULL, "block id") \
    F(HWTS_TASK,      "task",      6, 2, UINT, 0, 0, 0, NULL, "task id, begins anew after 65535") \
    F(HWTS_TICKS,     "ticks",     8, 8, UINT, 0, 0, HWTS_TIMED, NULL, "device counter, 10 ns each") \
    F(HWTS_STREAM,    "stream",   16, 4, UINT, 0, 0, 0, NULL, "stream id") \
    F(HWTS_PMU_TICKS, "ticks",    24, 8, UINT, 0, 0, HWTS_PMU, NULL, "device counter, 10 ns each")

/* 5.3 */
#define FW_TASK_RECORD(F) \
    F(TASK_MAGIC,     "magic",     0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(TASK_TAG,       "tag",       2, 2, HEX, 0, 0, 0, NULL, "0x17: a task") \
    F(TASK_KIND,      "task_type", 4, 4, UINT, 0, 0, 0, fw_task_types, "where it runs") \
    F(TASK_OP,        "op",        8, 128, MIX, 0, 0, 0, NULL, "full name of the op, or its hash") \
    F(TASK_TYPE,      "op_type", 136, 64, MIX, 0, 0, 0, NULL, "op type, or its hash") \
    F(TASK_ITERATION, "iteration", 200, 8, UINT, 0, 0, 0, NULL, "") \
    F(TASK_TIME,      "timestamp", 208, 8, UINT, 0, 0, 0, NULL, "") \
    F(TASK_SHAPE,     "shape_type", 216, 4, UINT, 0, 0, 0, NULL, "0: static shapes") \
    F(TASK_BLOCK,     "block_dim", 220, 4, UINT, 0, 0, 0, NULL, "") \
    F(TASK_MODEL,     "model",    224, 4, UINT, 0, 0, 0, NULL, "model id, which is the graph id") \
    F(TASK_STREAM,    "stream",   228, 4, UINT, 0, 0, 0, NULL, "stream id") \
    F(TASK_TASK,      "task",     232, 4, UINT, 0, 0, 0, NULL, "task id") \
    F(TASK_THREAD,    "thread",   236, 4, UINT, 0, 0, 0, NULL, "thread of the host")

#define FW_TENSOR_OF(F, i, at) \
    F(TENSOR_##i##_KIND,   "tensor_" #i ".kind",   at,      4, UINT, 0, 0, 0, fw_tensor_kinds, "") \
    F(TENSOR_##i##_FORMAT, "tensor_" #i ".format", at + 4,  4, UINT, 0, 0, 0, NULL, "number of the format, from r1.8 on 200 more") \
    F(TENSOR_##i##_TYPE,   "tensor_" #i ".type",   at + 8,  4, UINT, 0, 0, 0, NULL, "number of the data type, from r1.8 on 200 more") \
    F(TENSOR_##i##_DIM_0,  "tensor_" #i ".dim_0",  at + 12, 4, UINT, 0, 0, 0, NULL, "first dimension; 0: none") \
    F(TENSOR_##i##_DIM_1,  "tensor_" #i ".dim_1",  at + 16, 4, UINT, 0, 0, 0, NULL, "") \
    F(TENSOR_##i##_DIM_2,  "tensor_" #i ".dim_2",  at + 20, 4, UINT, 0, 0, 0, NULL, "") \
    F(TENSOR_##i##_DIM_3,  "tensor_" #i ".dim_3",  at + 24, 4, UINT, 0, 0, 0, NULL, "") \
    F(TENSOR_##i##_DIM_4,  "tensor_" #i ".dim_4",  at + 28, 4, UINT, 0, 0, 0, NULL, "") \
    F(TENSOR_##i##_DIM_5,  "tensor_" #i ".dim_5",  at + 32, 4, UINT, 0, 0, 0, NULL, "") \
    F(TENSOR_##i##_DIM_6,  "tensor_" #i ".dim_6",  at + 36, 4, UINT, 0, 0, 0, NULL, "") \
    F(TENSOR_##i##_DIM_7,  "tensor_" #i ".dim_7",  at + 40, 4, UINT, 0, 0, 0, NULL, "")
#define FW_TENSOR_RECORD(F) \
    F(TENSOR_MAGIC,   "magic",     0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(TENSOR_TAG,     "tag",       2, 2, HEX, 0, 0, 0, NULL, "0x18: tensors") \
    F(TENSOR_MODEL,   "model",     4, 4, UINT, 0, 0, 0, NULL, "model id") \
    F(TENSOR_ITERATION, "iteration", 8, 8, UINT, 0, 0, 0, NULL, "") \
    F(TENSOR_STREAM,  "stream",   16, 4, UINT, 0, 0, 0, NULL, "stream id") \
    F(TENSOR_TASK,    "task",     20, 4, UINT, 0, 0, 0, NULL, "task id") \
    F(TENSOR_COUNT,   "tensors",  24, 1, UINT, 0, 0, 0, NULL, "tensors in this record, at most 5; more lie in further records of the task") \
    FW_TENSOR_OF(F, 0, 28) FW_TENSOR_OF(F, 1, 72) FW_TENSOR_OF(F, 2, 116) FW_TENSOR_OF(F, 3, 160) FW_TENSOR_OF(F, 4, 204)

#define FW_STEP_RECORD(F) \
    F(STEP_MAGIC,     "magic",     0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(STEP_RECORD_TAG, "tag",      2, 2, HEX, 0, 0, 0, NULL, "0x19: a step mark's task") \
    F(STEP_MODEL,     "model",     4, 4, UINT, 0, 0, 0, NULL, "model id") \
    F(STEP_STREAM,    "stream",    8, 4, UINT, 0, 0, 0, NULL, "stream id") \
    F(STEP_TASK,      "task",     12, 4, UINT, 0, 0, 0, NULL, "task id") \
    F(STEP_TIME,      "timestamp", 16, 8, UINT, 0, 0, 0, NULL, "") \
    F(STEP_ITERATION, "iteration", 24, 8, UINT, 0, 0, 0, NULL, "") \
    F(STEP_THREAD,    "thread",   32, 4, UINT, 0, 0, 0, NULL, "thread of the host") \
    F(STEP_TAG,       "step_tag", 36, 1, UINT, 0, 0, 0, ts_tags, "what the mark means")

/* 5.4 */
#define TRAINING_TRACE_RECORD(F) \
    F(TRACE_TAG,      "tag",       0, 8, UINT, 0, 0, 0, trace_tags, "what the mark means; others: before (odd) or behind (even) a communication op") \
    F(TRACE_TASK,     "task",      8, 2, UINT, 0, 0, 0, NULL, "task of the inserted op") \
    F(TRACE_STREAM,   "stream",   10, 2, UINT, 0, 0, 0, NULL, "stream of the inserted op") \
    F(TRACE_TICKS,    "ticks",    12, 8, UINT, 0, 0, 0, NULL, "device counter, 10 ns each")

/* 5.5 */
#define TS_TRACK_RECORD(F) \
    F(TS_MODE,        "mode",      0, 1, UINT, 0, 0, 0, NULL, "") \
    F(TS_TYPE,        "type",      1, 1, UINT, 0, 0, 0, ts_types, "kind of report") \
    F(TS_LENGTH,      "length",    2, 2, UINT, 0, 0, 0, NULL, "bytes of the record") \
    F(TS_TICKS,       "ticks",     8, 8, UINT, 0, 0, 0, NULL, "device counter, 10 ns each") \
    F(TS_INDEX,       "index",    16, 8, UINT, 0, 0, 0, NULL, "index id") \
    F(TS_MODEL,       "model",    24, 8, UINT, 0, 0, 0, NULL, "model id") \
    F(TS_STREAM,      "stream",   32, 2, UINT, 0, 0, 0, NULL, "stream of the inserted op") \
    F(TS_TASK,        "task",     34, 2, UINT, 0, 0, 0, NULL, "task of the inserted op") \
    F(TS_TAG,         "tag",      36, 2, UINT, 0, 0, 0, ts_tags, "what the mark means; 10000 to 19999: before (even) or behind (odd) a communication op")

/* 5.6 */
#define AICPU_RECORD(F) \
    F(AT_MAGIC,       "magic",     0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(AT_TAG,         "tag",       2, 2, HEX, 0, 0, 0, NULL, "0x3C: an AI CPU task") \
    F(AT_STREAM,      "stream",    4, 2, UINT, 0, 0, 0, NULL, "stream id") \
    F(AT_TASK,        "task",      6, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(AT_START_US,    "run_start", 8, 8, UINT, 0, 0, 0, NULL, "us") \
    F(AT_START_TICKS, "run_start_counter", 16, 8, UINT, 0, 0, 0, NULL, "device counter, 10 ns each") \
    F(AT_COMPUTE,     "compute_start", 24, 8, UINT, 0, 0, 0, NULL, "") \
    F(AT_COPY,        "memcpy_start", 32, 8, UINT, 0, 0, 0, NULL, "") \
    F(AT_COPY_END,    "memcpy_end", 40, 8, UINT, 0, 0, 0, NULL, "") \
    F(AT_END_US,      "run_end",  48, 8, UINT, 0, 0, 0, NULL, "us") \
    F(AT_END_TICKS,   "run_end_counter", 56, 8, UINT, 0, 0, 0, NULL, "device counter, 10 ns each") \
    F(AT_THREAD,      "thread",   64, 4, UINT, 0, 0, 0, NULL, "") \
    F(AT_DEVICE,      "device",   68, 4, UINT, 0, 0, 0, NULL, "") \
    F(AT_SUBMIT,      "submit_tick", 72, 8, UINT, 0, 0, 0, NULL, "") \
    F(AT_SCHEDULE,    "schedule_tick", 80, 8, UINT, 0, 0, 0, NULL, "") \
    F(AT_BEFORE,      "tick_before_run", 88, 8, UINT, 0, 0, 0, NULL, "") \
    F(AT_AFTER,       "tick_after_run", 96, 8, UINT, 0, 0, 0, NULL, "") \
    F(AT_KERNEL,      "kernel_type", 104, 4, UINT, 0, 0, 0, NULL, "") \
    F(AT_DISPATCH_US, "dispatch_time", 108, 4, UINT, 0, 0, 0, NULL, "us") \
    F(AT_TOTAL_US,    "total_time", 112, 4, UINT, 0, 0, 0, NULL, "us") \
    F(AT_FFTS,        "ffts_thread", 116, 2, UINT, 0, 0, 0, NULL, "") \
    F(AT_VERSION,     "version",  118, 1, UINT, 0, 0, 0, NULL, "")

/* 5.8 */
#define AICORE_RECORD(F) \
    F(AICORE_TASK,    "task",      6, 2, UINT, 0, 0, 0, NULL, "task id") \
    F(AICORE_CYCLES,  "total_cycles", 16, 8, UINT, 0, 0, 0, NULL, "presumably") \
    F(AICORE_OVER,    "overflow_cycles", 24, 8, UINT, 0, 0, 0, NULL, "presumably") \
    F(AICORE_COUNTER, "counter_0", 32, 8, UINT, 0, 0, 0, NULL, "arithmetic utilization: cube fp16") \
    F(AICORE_COUNTER_1, "counter_1", 40, 8, UINT, 0, 0, 0, NULL, "cube int8") \
    F(AICORE_COUNTER_2, "counter_2", 48, 8, UINT, 0, 0, 0, NULL, "vector fp32") \
    F(AICORE_COUNTER_3, "counter_3", 56, 8, UINT, 0, 0, 0, NULL, "vector fp16, 128 lanes") \
    F(AICORE_COUNTER_4, "counter_4", 64, 8, UINT, 0, 0, 0, NULL, "vector fp16, 64 lanes") \
    F(AICORE_COUNTER_5, "counter_5", 72, 8, UINT, 0, 0, 0, NULL, "vector int32") \
    F(AICORE_COUNTER_6, "counter_6", 80, 8, UINT, 0, 0, 0, NULL, "vector misc") \
    F(AICORE_COUNTER_7, "counter_7", 88, 8, UINT, 0, 0, 0, NULL, "unused") \
    F(AICORE_STREAM,  "stream",   96, 4, UINT, 0, 0, 0, NULL, "stream id")
/* clang-format on */

#endif
