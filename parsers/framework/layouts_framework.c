/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of the records in FRAMEWORK files, by kind of file. */
#include "config.h"

#include "parsers/framework/framework_layout.h"
#include "parsers/layouts.h"

/* clang-format off */
static const struct layout_word pt_mark_kinds[] = {
    { 0, "enqueue start" }, { 1, "enqueue end" }, { 2, "dequeue start" }, { 3, "dequeue end" }, { 0, NULL },
};
static const struct layout_word pt_memory_kinds[] = {
    { 0, "malloc" }, { 1, "free" }, { 2, "block free" }, { 0, NULL },
};
static const struct layout_word pt_trace_tags[] = {
    { 0, "call" }, { 1, "return" }, { 2, "call of C" }, { 3, "return from C" }, { 0, NULL },
};

static const struct layout_field ms_range[] = { MS_RANGE_RECORD(FIELD_ROW) };
static const struct layout_field ms_range_named[] = { MS_RANGE_NAMED_RECORD(FIELD_ROW) };
static const struct layout_field ms_range_23[] = { MS_RANGE_23_RECORD(FIELD_ROW) };
static const struct layout_field ms_memory[] = { MS_MEMORY_RECORD(FIELD_ROW) };
static const struct layout_field pt_range[] = { PT_RANGE_RECORD(FIELD_ROW) };
static const struct layout_field pt_range_57[] = { PT_RANGE_57_RECORD(FIELD_ROW) };
static const struct layout_field pt_mark[] = { PT_MARK_RECORD(FIELD_ROW) };
static const struct layout_field pt_memory[] = { PT_MEMORY_RECORD(FIELD_ROW) };
static const struct layout_field pt_memory_76[] = { PT_MEMORY_76_RECORD(FIELD_ROW) };
static const struct layout_field pt_memory_75[] = { PT_MEMORY_75_RECORD(FIELD_ROW) };
static const struct layout_field pt_memory_58[] = { PT_MEMORY_58_RECORD(FIELD_ROW) };
static const struct layout_field pt_trace[] = { PT_TRACE_RECORD(FIELD_ROW) };
static const struct layout_field pt_hash[] = { PT_HASH_RECORD(FIELD_ROW) };
static const struct layout_field pt_call[] = { PT_CALL_RECORD(FIELD_ROW) };
static const struct layout_field pt_module[] = { PT_MODULE_RECORD(FIELD_ROW) };
static const struct layout_field pt_params[] = { PT_PARAMS_RECORD(FIELD_ROW) };
static const struct layout_field pt_gc[] = { PT_GC_RECORD(FIELD_ROW) };

static const struct layout_text ms_range_texts[] = { MS_RANGE_TEXTS(TEXT_ROW) };
static const struct layout_text ms_named_texts[] = { MS_NAMED_TEXTS(TEXT_ROW) };
static const struct layout_text ms_memory_texts[] = { MS_MEMORY_TEXTS(TEXT_ROW) };
static const struct layout_text ms_memory_25_texts[] = { MS_MEMORY_25_TEXTS(TEXT_ROW) };
static const struct layout_text ms_shapes_texts[] = { MS_SHAPES_TEXTS(TEXT_ROW) };
static const struct layout_text pt_range_texts[] = { PT_RANGE_TEXTS(TEXT_ROW) };
static const struct layout_text pt_range_rc3_texts[] = { PT_RANGE_RC3_TEXTS(TEXT_ROW) };
static const struct layout_text pt_range_57_texts[] = { PT_RANGE_57_TEXTS(TEXT_ROW) };
static const struct layout_text pt_mark_texts[] = { PT_MARK_TEXTS(TEXT_ROW) };
static const struct layout_text pt_mark_old_texts[] = { PT_MARK_OLD_TEXTS(TEXT_ROW) };
static const struct layout_text pt_hash_texts[] = { PT_HASH_TEXTS(TEXT_ROW) };
static const struct layout_text pt_hash_old_texts[] = { PT_HASH_OLD_TEXTS(TEXT_ROW) };
static const struct layout_text pt_call_texts[] = { PT_CALL_TEXTS(TEXT_ROW) };
static const struct layout_text pt_module_texts[] = { PT_MODULE_TEXTS(TEXT_ROW) };
static const struct layout_text pt_params_texts[] = { PT_PARAMS_TEXTS(TEXT_ROW) };
static const struct layout_text pt_params_old_texts[] = { PT_PARAMS_OLD_TEXTS(TEXT_ROW) };

#define OF_MINDSPORE(section) .source = "doc/formats/framework.md#" section
#define OF_TORCH              .source = "doc/formats/framework.md#records-of-torch_npu"
#define OF_OLDER_TORCH        .source = "doc/formats/framework.md#layouts-by-release"
/* pattern: NULL for MindSpore's, whose files have names of their own by version */
const struct layout layouts_op_range[] = {
    { .id = "op_range", .title = "range of MindSpore 2.6 and later", .tlv = true, .record_b = MS_RANGE_B,
      LAYOUT_FIELDS(ms_range), LAYOUT_TEXTS(ms_range_texts), OF_MINDSPORE("op_range") },
    { .id = "op_range_25", .title = "range of MindSpore 2.4 and 2.5", .tlv = true,
      .record_b = MS_RANGE_NAMED_B, LAYOUT_FIELDS(ms_range_named), LAYOUT_TEXTS(ms_named_texts),
      OF_MINDSPORE("op_range_r") },
    { .id = "op_range_23", .title = "range of MindSpore 2.3", .tlv = true, .record_b = MS_RANGE_23_B,
      LAYOUT_FIELDS(ms_range_23), LAYOUT_TEXTS(ms_named_texts), OF_MINDSPORE("op_range_r") },
    { .id = "torch.op_range", .title = "range of torch_npu", .pattern = "torch.op_range", .tlv = true,
      .record_b = PT_RANGE_B, LAYOUT_FIELDS(pt_range), LAYOUT_TEXTS(pt_range_texts), OF_TORCH },
    { .id = "torch.op_range_rc3", .title = "range of torch_npu 6.0.rc3", .pattern = "torch.op_range",
      .tlv = true, .record_b = PT_RANGE_B, LAYOUT_FIELDS(pt_range), LAYOUT_TEXTS(pt_range_rc3_texts),
      OF_OLDER_TORCH },
    { .id = "torch.op_range_57", .title = "range of torch_npu up to 6.0.rc2", .pattern = "torch.op_range",
      .tlv = true, .record_b = PT_RANGE_57_B, LAYOUT_FIELDS(pt_range_57), LAYOUT_TEXTS(pt_range_57_texts),
      OF_OLDER_TORCH },
    { .id = "torch.op_mark", .title = "mark of the task queue", .pattern = "torch.op_mark", .tlv = true,
      .record_b = PT_MARK_B, LAYOUT_FIELDS(pt_mark), LAYOUT_TEXTS(pt_mark_texts), OF_TORCH },
    { .id = "torch.op_mark_rc3", .title = "mark of the task queue, up to 6.0.rc3", .pattern = "torch.op_mark",
      .tlv = true, .record_b = PT_MARK_B, LAYOUT_FIELDS(pt_mark), LAYOUT_TEXTS(pt_mark_old_texts),
      OF_OLDER_TORCH },
    { .id = NULL },
};
const struct layout layouts_fw_memory[] = {
    { .id = "memory_usage", .title = "allocation or release of MindSpore 2.6 and later", .tlv = true,
      .record_b = MS_MEMORY_B, LAYOUT_FIELDS(ms_memory), LAYOUT_TEXTS(ms_memory_texts),
      OF_MINDSPORE("memory_usage") },
    { .id = "memory_usage_25", .title = "allocation or release of MindSpore 2.5", .tlv = true,
      .record_b = MS_MEMORY_B, LAYOUT_FIELDS(ms_memory), LAYOUT_TEXTS(ms_memory_25_texts),
      OF_MINDSPORE("memory_usage") },
    { .id = "torch.memory_usage", .title = "allocation or release of torch_npu", .tlv = true,
      .record_b = PT_MEMORY_B, LAYOUT_FIELDS(pt_memory), OF_TORCH },
    { .id = "torch.memory_usage_76", .title = "allocation or release of torch_npu 6.0.rc2 to 7.0",
      .tlv = true, .record_b = PT_MEMORY_76_B, LAYOUT_FIELDS(pt_memory_76), OF_OLDER_TORCH },
    { .id = "torch.memory_usage_75", .title = "allocation or release of torch_npu 6.0.rc1", .tlv = true,
      .record_b = PT_MEMORY_75_B, LAYOUT_FIELDS(pt_memory_75), OF_OLDER_TORCH },
    { .id = "torch.memory_usage_58", .title = "allocation or release of torch_npu 5.0", .tlv = true,
      .record_b = PT_MEMORY_58_B, LAYOUT_FIELDS(pt_memory_58), OF_OLDER_TORCH },
    { .id = NULL },
};
const struct layout layouts_fw_other[] = {
    { .id = "record_shapes", .title = "shapes of an op", .pattern = "mindspore.record_shapes", .tlv = true,
      LAYOUT_TEXTS(ms_shapes_texts), OF_MINDSPORE("record_shapes") },
    { .id = "torch.python_tracer_func", .title = "call or return of Python",
      .pattern = "torch.python_tracer_func", .record_b = PT_TRACE_B, .alone = true, LAYOUT_FIELDS(pt_trace),
      OF_TORCH },
    { .id = "torch.python_tracer_hash", .title = "name of a function", .pattern = "torch.python_tracer_hash",
      .tlv = true, .record_b = PT_HASH_B, LAYOUT_FIELDS(pt_hash), LAYOUT_TEXTS(pt_hash_texts), OF_TORCH },
    { .id = "torch.python_tracer_hash_rc3", .title = "name of a function, 6.0.rc3",
      .pattern = "torch.python_tracer_hash", .tlv = true, .record_b = PT_HASH_B, LAYOUT_FIELDS(pt_hash),
      LAYOUT_TEXTS(pt_hash_old_texts), OF_OLDER_TORCH },
    { .id = "torch.python_func_call", .title = "call or return of Python, up to 6.0.rc2",
      .pattern = "torch.python_func_call", .tlv = true, .record_b = PT_CALL_B, LAYOUT_FIELDS(pt_call),
      LAYOUT_TEXTS(pt_call_texts), OF_OLDER_TORCH },
    { .id = "torch.python_module_call", .title = "call of a module, up to 6.0.rc2",
      .pattern = "torch.python_module_call", .tlv = true, .record_b = PT_MODULE_B, LAYOUT_FIELDS(pt_module),
      LAYOUT_TEXTS(pt_module_texts), OF_OLDER_TORCH },
    { .id = "torch.param_tensor_info", .title = "parameters of a module",
      .pattern = "torch.param_tensor_info",
      .tlv = true, .record_b = PT_PARAMS_B, LAYOUT_FIELDS(pt_params), LAYOUT_TEXTS(pt_params_texts),
      .any_text = true, OF_TORCH },
    { .id = "torch.param_tensor_info_rc3", .title = "parameters of a module, 6.0.rc3",
      .pattern = "torch.param_tensor_info", .tlv = true, .record_b = PT_PARAMS_B, LAYOUT_FIELDS(pt_params),
      LAYOUT_TEXTS(pt_params_old_texts), .any_text = true, OF_OLDER_TORCH },
    { .id = "torch.gc_record", .title = "garbage collection", .pattern = "torch.gc_record",
      .record_b = PT_GC_B, .alone = true, LAYOUT_FIELDS(pt_gc), OF_TORCH },
    { .id = NULL },
};
/* clang-format on */
