/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of raw records, by kind of file. */
#include "config.h"

#include "parsers/layouts.h"

#include "parsers/mindspore/records/record_layout.h"
#include "parsers/read/layout_rows.h"

/* clang-format off */
static const struct layout_word hwts_types[] = {
    { 0, "start of task" }, { 1, "end of task" }, { 2, "start of block" }, { 3, "end of block" },
    { 4, "block PMU" }, { 0, NULL },
};
const struct layout_word framework_cores[] = {
    { 0, "AI_CORE" }, { 1, "AI_CPU" }, { 2, "MSPROF_AIV" }, { 10, "MSPROF_HCCL" }, { 11, "MSPROF_RTS" },
    { 1000, "MSPROF_UNKNOWN_TYPE" }, { 0, NULL },
};
static const struct layout_word fw_tensor_kinds[] = { { 0, "input" }, { 1, "output" }, { 0, NULL } };
static const struct layout_word trace_tags[] = {
    { 0, "job" }, { 1, "forward start" }, { 2, "backward end" }, { 255, "iteration end (up to r1.1)" },
    { 65535, "iteration end" }, { 0, NULL },
};
static const struct layout_word ts_types[] = { { 10, "step mark" }, { 0, NULL } };
static const struct layout_word ts_tags[] = {
    { 0, "model start" }, { 1, "model end" }, { 2, "forward start" }, { 3, "backward end" },
    { 4, "iteration end" }, { 0, NULL },
};

static const struct layout_field hwts[] = { HWTS_RECORD(FIELD_ROW) };
static const struct layout_field fw_task[] = { FW_TASK_RECORD(FIELD_ROW) };
static const struct layout_field fw_tensor[] = { FW_TENSOR_RECORD(FIELD_ROW) };
static const struct layout_field fw_session[] = { FW_SESSION_RECORD(FIELD_ROW) };
static const struct layout_field fw_step[] = { FW_STEP_RECORD(FIELD_ROW) };
static const struct layout_field training_trace[] = { TRAINING_TRACE_RECORD(FIELD_ROW) };
static const struct layout_field ts_track[] = { TS_TRACK_RECORD(FIELD_ROW) };

const struct layout layouts_hwts[] = {
    { .id = "hwts", .title = "HWTS record", .record_b = 64, .mark_at = 2, .mark_b = 2, .mark = 0x6bd3,
        LAYOUT_FIELDS(hwts), .source = "doc/formats/mindspore1.md#hwts" },
    { .id = NULL },
};
const struct layout layouts_framework[] = {
    { .id = "framework.task_desc_info", .title = "task of Framework",
        .pattern = "Framework.{*}task_desc_info.{*}", .record_b = 256, .mark_b = 4, .mark = 0x00175a5a,
      LAYOUT_FIELDS(fw_task), .source = "doc/formats/mindspore1.md#task_desc_info" },
    { .id = "framework.tensor_data_info", .title = "tensors of Framework",
        .pattern = "Framework.{*}tensor_data_info.{*}", .record_b = 256, .mark_b = 4, .mark = 0x00185a5a,
      LAYOUT_FIELDS(fw_tensor), .source = "doc/formats/mindspore1.md#tensor_data_info" },
    { .id = "framework.step_info", .title = "step mark's task of Framework",
        .pattern = "Framework.{*}step_info.{*}", .record_b = 64, .mark_b = 4, .mark = 0x00195a5a,
      LAYOUT_FIELDS(fw_step), .source = "doc/formats/mindspore1.md#step_info" },
    { .id = "framework.session_info", .title = "session of Framework",
        .pattern = "Framework.{*}session_info.{*}", .record_b = 32, .mark_b = 2, .mark = FW_SESSION_MARK,
      LAYOUT_FIELDS(fw_session), .source = "doc/formats/prof.md#session_info" },
    { .id = "framework.text", .title = "line of Framework", .end = '\n',
        .source = "doc/formats/mindspore1.md#framework-text" },
    { .id = NULL },
};
const struct layout layouts_training_trace[] = {
    { .id = "training_trace", .title = "step mark", .record_b = 20, .alone = true,
        LAYOUT_FIELDS(training_trace), .source = "doc/formats/mindspore1.md#training_trace" },
    { .id = NULL },
};
const struct layout layouts_ts_track[] = {
    { .id = "ts_track", .title = "ts_track record", .record_b = 40, .length_at = 2, .alone = true,
        LAYOUT_FIELDS(ts_track), .source = "doc/formats/mindspore1.md#ts_track" },
    { .id = NULL },
};
const struct layout layouts_aicpu_mi[] = {
    { .id = "aicpumi", .title = "GetNext text", .end = '\0', .source = "doc/formats/mindspore1.md#aicpumi" },
    { .id = NULL },
};
/* clang-format on */
