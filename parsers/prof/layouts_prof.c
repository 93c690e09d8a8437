/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of the records in a PROF folder, by kind of file. */
#include "config.h"

#include "parsers/layouts.h"
#include "parsers/mindspore/records/record_layout.h"
#include "parsers/prof/prof_layout.h"
#include "parsers/prof/words.h"
#include "parsers/read/layout_rows.h"

/* clang-format off */
static const struct layout_word stars_functions[] = {
    { 0, "start of task" }, { 1, "end of task" }, { 0x22, "start of sub-task" }, { 0x23, "end of sub-task" },
    { 0, NULL },
};
static const struct layout_word stars6_functions[] = {
    { 0, "start of task" }, { 1, "end of task" }, { 0x16, "start of fusion task" },
    { 0x17, "end of fusion task" }, { 0x24, "start of block" }, { 0x25, "end of block" }, { 0, NULL },
};
static const struct layout_word ffts_functions[] = { { PROF_FFTS_TASK, "of a task" },
    { PROF_FFTS_BLOCK, "of a block" }, { PROF_FFTS_TASK6, "of a task (V6 chips)" }, { 0, NULL } };

static const struct layout_word soc_functions[] = {
    { 0x18, "QoS" }, { 0x19, "SIO" }, { 0x1a, "accelerator PMU" }, { 0x1b, "chip transmission" },
    { 0x1c, "inter-soc" }, { 0x1d, "low power" }, { 0, NULL },
};
static const struct layout_word soc_pmu_data[] = { { 1, "L2" }, { 2, "SMMU" }, { 4, "page fault" },
    { 0, NULL } };

static const struct layout_field api_event[] = { API_EVENT_RECORD(FIELD_ROW) };
static const struct layout_field task_track[] = { TASK_TRACK_RECORD(FIELD_ROW) };
static const struct layout_field task_track2[] = { TASK_TRACK2_RECORD(FIELD_ROW) };
static const struct layout_field node_basic[] = { NODE_BASIC_RECORD(FIELD_ROW) };
static const struct layout_field node_attr[] = { NODE_ATTR_RECORD(FIELD_ROW) };
static const struct layout_field memcpy_info[] = { MEMCPY_RECORD(FIELD_ROW) };
static const struct layout_field hccl_op[] = { HCCL_OP_RECORD(FIELD_ROW) };
static const struct layout_field capture_stream[] = { CAPTURE_STREAM_RECORD(FIELD_ROW) };
static const struct layout_field capture_stream2[] = { CAPTURE_STREAM2_RECORD(FIELD_ROW) };
static const struct layout_field expand_stream[] = { EXPAND_STREAM_RECORD(FIELD_ROW) };
static const struct layout_field tensor[] = { PROF_TENSOR_RECORD(FIELD_ROW) };
static const struct layout_field context[] = { CONTEXT_RECORD(FIELD_ROW) };
static const struct layout_field graph_id[] = { GRAPH_ID_RECORD(FIELD_ROW) };
static const struct layout_field fusion_op[] = { FUSION_OP_RECORD(FIELD_ROW) };
static const struct layout_field hccl_info[] = { HCCL_INFO_RECORD(FIELD_ROW) };
static const struct layout_field logic_stream[] = { LOGIC_STREAM_RECORD(FIELD_ROW) };
static const struct layout_field task_memory[] = { TASK_MEMORY_RECORD(FIELD_ROW) };
static const struct layout_field static_memory[] = { STATIC_MEMORY_RECORD(FIELD_ROW) };
static const struct layout_field capture_op[] = { CAPTURE_OP_RECORD(FIELD_ROW) };
static const struct layout_field msproftx[] = { MSPROFTX_RECORD(FIELD_ROW) };
static const struct layout_field mc2_comm[] = { MC2_COMM_RECORD(FIELD_ROW) };
static const struct layout_field dpu_track[] = { DPU_TRACK_RECORD(FIELD_ROW) };
static const struct layout_field dpu_comm[] = { DPU_COMM_RECORD(FIELD_ROW) };
static const struct layout_field multi_thread[] = { MULTI_THREAD_RECORD(FIELD_ROW) };
static const struct layout_field memory_application[] = { MEMORY_APPLICATION_RECORD(FIELD_ROW) };
static const struct layout_field aicpu[] = { PROF_AICPU_RECORD(FIELD_ROW) PROF_KFC_TURN(FIELD_ROW)
    PROF_KFC_OP(FIELD_ROW) PROF_KFC_INFO(FIELD_ROW) };
static const struct layout_field old_aicpu[] = { AICPU_RECORD(FIELD_ROW) };
static const struct layout_field pre_dp[] = { PRE_DP_RECORD(FIELD_ROW) };
static const struct layout_field pre_model[] = { PRE_MODEL_RECORD(FIELD_ROW) };
static const struct layout_field npu_mem[] = { NPU_MEM_RECORD(FIELD_ROW) };
static const struct layout_field module_mem[] = { NPU_MODULE_MEM_RECORD(FIELD_ROW) };
static const struct layout_field hbm[] = { HBM_RECORD(FIELD_ROW) };
static const struct layout_field ddr[] = { DDR_RECORD(FIELD_ROW) };
static const struct layout_field llc[] = { LLC_RECORD(FIELD_ROW) };
static const struct layout_field pcie[] = { PCIE_RECORD(FIELD_ROW) };
static const struct layout_field l2_cache[] = { L2_CACHE_RECORD(FIELD_ROW) };
static const struct layout_field qos[] = { QOS_RECORD(FIELD_ROW) };
static const struct layout_field soc_pmu[] = { SOC_PMU_RECORD(FIELD_ROW) };
static const struct layout_field ub[] = { UB_RECORD(FIELD_ROW) };
static const struct layout_field ccu_mission[] = { CCU_MISSION_RECORD(FIELD_ROW) };
static const struct layout_field ccu_channel[] = { CCU_CHANNEL_RECORD(FIELD_ROW) };
static const struct layout_field ccu_task[] = { CCU_TASK_RECORD(FIELD_ROW) };
static const struct layout_field ccu_wait[] = { CCU_WAIT_RECORD(FIELD_ROW) };
static const struct layout_field ccu_group[] = { CCU_GROUP_RECORD(FIELD_ROW) };
static const struct layout_field tscpu[] = { TSCPU_RECORD(FIELD_ROW) };
static const struct layout_field tscpu_mdc[] = { TSCPU_MDC_RECORD(FIELD_ROW) };
static const struct layout_field soc_profile[] = { SOC_PROFILE_RECORD(FIELD_ROW) };
static const struct layout_field stars[] = { STARS_RECORD(FIELD_ROW) };
static const struct layout_field stars6[] = { STARS6_RECORD(FIELD_ROW) };
static const struct layout_field ffts[] = { FFTS_RECORD(FIELD_ROW) };
static const struct layout_field aicore[] = { AICORE_RECORD(FIELD_ROW) };
static const struct layout_field freq[] = { FREQ_RECORD(FIELD_ROW) };

const struct layout layouts_host_api[] = {
    { .id = "host.api_event", .title = "host call", .record_b = 40, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(api_event), .source = "doc/formats/prof.md#api_event" },
    { .id = NULL },
};
const struct layout layouts_host_compact[] = {
    { .id = "host.task_track", .title = "task of the host", .pattern = "{*}.task_track.{*}", .record_b = 64,
        .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(task_track),
        .source = "doc/formats/prof.md#task_track" },
    { .id = "host.task_track_v2", .title = "task of the host", .pattern = "{*}.task_track_v2.{*}",
        .record_b = 64, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(task_track2),
        .source = "doc/formats/prof.md#task_track_v2" },
    { .id = "host.node_basic_info", .title = "op", .pattern = "{*}.node_basic_info.{*}", .record_b = 64,
        .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(node_basic),
        .source = "doc/formats/prof.md#node_basic_info" },
    { .id = "host.node_attr_info", .title = "attributes of an op", .pattern = "{*}.node_attr_info.{*}",
        .record_b = 64, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(node_attr),
        .source = "doc/formats/prof.md#node_attr_info" },
    { .id = "host.memcpy_info", .title = "copy", .pattern = "{*}.memcpy_info.{*}", .record_b = 64,
        .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(memcpy_info),
        .source = "doc/formats/prof.md#memcpy_info" },
    { .id = "host.hccl_op_info", .title = "communication op", .pattern = "{*}.hccl_op_info.{*}",
        .record_b = 64, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(hccl_op),
        .source = "doc/formats/prof.md#hccl_op_info" },
    { .id = "host.capture_stream_info", .title = "captured stream", .pattern = "{*}.capture_stream_info.{*}",
        .record_b = 64, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(capture_stream),
        .source = "doc/formats/prof.md#capture_stream_info" },
    { .id = "host.capture_stream_info_v2", .title = "captured stream",
        .pattern = "{*}.capture_stream_info_v2.{*}", .record_b = 64, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(capture_stream2),
            .source = "doc/formats/prof.md#capture_stream_info_v2" },
    { .id = "host.dpu_track", .title = "task of a DPU", .pattern = "{*}.dpu_track.{*}", .record_b = 64,
        .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(dpu_track),
        .source = "doc/formats/prof.md#dpu_track" },
    { .id = "host.expand_stream_spec", .title = "number of streams", .pattern = "{*}.expand_stream_spec.{*}",
        .record_b = 64, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(expand_stream),
        .source = "doc/formats/prof.md#expand_stream_spec" },
    { .id = NULL },
};
const struct layout layouts_host_additional[] = {
    { .id = "host.tensor_info", .title = "tensors of an op", .pattern = "{*}.tensor_info.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(tensor),
        .source = "doc/formats/prof.md#tensor_info" },
    { .id = "host.context_id_info", .title = "contexts of an op", .pattern = "{*}.context_id_info.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(context),
        .source = "doc/formats/prof.md#context_id_info" },
    { .id = "host.dpu_hccl_info", .title = "communication of a DPU", .pattern = "{*}.dpu_hccl_info.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(dpu_comm),
        .source = "doc/formats/prof.md#dpu_hccl_info" },
    { .id = "host.graph_id_map", .title = "model and graph", .pattern = "{*}.graph_id_map.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(graph_id),
        .source = "doc/formats/prof.md#graph_id_map" },
    { .id = "host.fusion_op_info", .title = "fused op", .pattern = "{*}.fusion_op_info.{*}", .record_b = 256,
        .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(fusion_op),
        .source = "doc/formats/prof.md#fusion_op_info" },
    { .id = "host.hccl_info", .title = "communication task", .pattern = "{*}.hccl_info.{*}", .record_b = 256,
        .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(hccl_info),
        .source = "doc/formats/prof.md#hccl_info" },
    { .id = "host.logic_stream_info", .title = "streams of a logical stream",
        .pattern = "{*}.logic_stream_info.{*}", .record_b = 256, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(logic_stream),
            .source = "doc/formats/prof.md#logic_stream_info" },
    { .id = "host.task_memory_info", .title = "allocation or release", .pattern = "{*}.task_memory_info.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(task_memory),
        .source = "doc/formats/prof.md#task_memory_info" },
    { .id = "host.static_op_mem", .title = "memory of an op in a static graph",
        .pattern = "{*}.static_op_mem.{*}", .record_b = 256, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(static_memory), .source = "doc/formats/prof.md#static_op_mem" },
    { .id = "host.msproftx", .title = "mark or range of the program", .pattern = "{*}.msproftx.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(msproftx),
        .source = "doc/formats/prof.md#msproftx" },
    { .id = "host.capture_op_info", .title = "op of a captured graph",
        .pattern = "{*}.additional.capture_op_info.{*}", .record_b = 256, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(capture_op), .source = "doc/formats/prof.md#capture_op_info" },
    { .id = "host.mc2_comm_info", .title = "streams of communication on AI CPUs",
        .pattern = "{*}.mc2_comm_info.{*}", .record_b = 256, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(mc2_comm), .source = "doc/formats/prof.md#mc2_comm_info" },
    { .id = "host.Multi_Thread", .title = "threads that serve one", .pattern = "{*}.Multi_Thread.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(multi_thread),
        .source = "doc/formats/prof.md#multi_thread" },
    { .id = "host.ccu_task_info", .title = "task of a CCU", .pattern = "{*}.additional.ccu_task_info.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(ccu_task),
        .source = "doc/formats/prof.md#ccu_task_info" },
    { .id = "host.ccu_wait_signal_info", .title = "what a CCU waits for",
        .pattern = "{*}.additional.ccu_wait_signal_info.{*}", .record_b = 256, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(ccu_wait),
            .source = "doc/formats/prof.md#ccu_wait_signal_info" },
    { .id = "host.ccu_group_info", .title = "loops of a CCU", .pattern = "{*}.additional.ccu_group_info.{*}",
        .record_b = 256, .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(ccu_group),
        .source = "doc/formats/prof.md#ccu_group_info" },
    { .id = "host.memory_application", .title = "memory that was applied for",
        .pattern = "{*}.memory_application.{*}", .record_b = 256, .mark_at = 0, .mark_b = 2,
        .mark = PROF_HOST_MARK, LAYOUT_FIELDS(memory_application),
            .source = "doc/formats/prof.md#memory_application" },
    { .id = "host.text", .title = "line of a dictionary", .pattern = "{*}_dic.{*}", .end = '\n',
        .source = "doc/formats/prof.md#dictionaries" },
    { .id = NULL },
};
const struct layout layouts_aicpu[] = {
    { .id = "aicpu.data", .title = "AI CPU record", .pattern = "aicpu.data.{*}", .record_b = 256,
        .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK, LAYOUT_FIELDS(aicpu),
        .source = "doc/formats/prof.md#aicpu" },
    { .id = "aicpu", .title = "AI CPU task", .record_b = 128, .mark_b = 4, .mark = 0x003c5a5a,
        LAYOUT_FIELDS(old_aicpu), .source = "doc/formats/mindspore1.md#ai-cpu" },
    { .id = "aicpu.text", .title = "AI CPU text", .end = '\0', .source = "doc/formats/mindspore1.md#ai-cpu" },
    { .id = NULL },
};
const struct layout layouts_preprocess[] = {
    { .id = "dp", .title = "data preparation", .pattern = "DATA_PREPROCESS.{*}DP.{*}", .record_b = 128,
        .mark_b = 4, .mark = 0x00645a5a, LAYOUT_FIELDS(pre_dp), .source = "doc/formats/prof.md#dp" },
    { .id = "aicpu_model", .title = "mark of a model", .pattern = "DATA_PREPROCESS.{*}AICPU_MODEL.{*}",
        .record_b = 64, .mark_b = 4, .mark = 0x003d5a5a, LAYOUT_FIELDS(pre_model),
        .source = "doc/formats/prof.md#aicpu_model" },
    { .id = "dp.text", .title = "text of data preparation", .pattern = "DATA_PREPROCESS.{*}DP.{*}",
        .end = '\0', .source = "doc/formats/prof.md#dp" },
    { .id = NULL },
};
const struct layout layouts_npu_mem[] = {
    { .id = "npu_mem", .title = "memory of the device", .pattern = "npu_mem.{*}", .record_b = 32,
        LAYOUT_FIELDS(npu_mem), .source = "doc/formats/prof.md#npu_mem" },
    { .id = "npu_module_mem", .title = "memory of a module", .pattern = "npu_module_mem.{*}", .record_b = 24,
        LAYOUT_FIELDS(module_mem), .source = "doc/formats/prof.md#npu_module_mem" },
    { .id = NULL },
};
const struct layout layouts_sampled[] = {
    { .id = "hbm", .title = "HBM sample of a collection of version 1.0", .pattern = "hbm.data.{*}",
        .record_b = 24, LAYOUT_FIELDS(hbm), .source = "doc/formats/prof.md#hbm" },
    { .id = "ddr", .title = "DDR sample", .pattern = "ddr.data.{*}", .record_b = 20, LAYOUT_FIELDS(ddr),
        .source = "doc/formats/prof.md#ddr" },
    { .id = "llc", .title = "LLC sample of a collection of version 1.0", .pattern = "llc.data.{*}",
        .record_b = 24, LAYOUT_FIELDS(llc), .source = "doc/formats/prof.md#llc" },
    { .id = "pcie", .title = "PCIe sample", .pattern = "pcie.data.{*}", .record_b = 96, LAYOUT_FIELDS(pcie),
        .source = "doc/formats/prof.md#pcie" },
    { .id = "l2_cache", .title = "L2 cache counters of a task", .pattern = "l2_cache.data.{*}",
        .record_b = 72, LAYOUT_FIELDS(l2_cache), .source = "doc/formats/prof.md#l2_cache" },
    { .id = "qos", .title = "QoS sample", .pattern = "qos.data.{*}", .record_b = 64, LAYOUT_FIELDS(qos),
        .source = "doc/formats/prof.md#qos" },
    { .id = "socpmu", .title = "counters of the chip for a task", .pattern = "socpmu.data.{*}",
        .record_b = 80, LAYOUT_FIELDS(soc_pmu), .source = "doc/formats/prof.md#socpmu" },
    { .id = "tscpu_mdc", .title = "sample of the task scheduler's processor of MDC",
        .pattern = "tscpu.data.{*}", .record_b = TSCPU_MDC_B, .mark_at = TSCPU_MDC_B, .mark_b = 4,
        .mark = PROF_TSCPU_MARK, LAYOUT_FIELDS(tscpu_mdc), .source = "doc/formats/prof.md#tscpu" },
    { .id = "tscpu", .title = "sample of the task scheduler's processor", .pattern = "tscpu.data.{*}",
        .record_b = 304, .mark_at = 0, .mark_b = 4, .mark = PROF_TSCPU_MARK, LAYOUT_FIELDS(tscpu),
        .source = "doc/formats/prof.md#tscpu" },
    { .id = "ub", .title = "sample of a UB port", .pattern = "ub.data.{*}", .record_b = 128,
        LAYOUT_FIELDS(ub), .source = "doc/formats/prof.md#ub" },
    { .id = "ccu_mission", .title = "loops and waits of a CCU", .pattern = "ccu{*}.instr.{*}", .record_b = 64,
        LAYOUT_FIELDS(ccu_mission), .source = "doc/formats/prof.md#ccu" },
    { .id = "ccu_channel", .title = "channels of a CCU", .pattern = "ccu{*}.stat.{*}",
        .record_b = CCU_CHANNEL_B, LAYOUT_FIELDS(ccu_channel), .source = "doc/formats/prof.md#ccu" },
    { .id = "sampled.text", .title = "line of samples",
        .pattern = "{hccs,nic,roce,dvpp,netdev_stats}.data.{*}", .end = '\n',
        .source = "doc/formats/prof.md#text-samples" },
    { .id = NULL },
};
const struct layout layouts_usage[] = {
    { .id = "usage.text", .title = "line of samples", .end = '\n',
        .source = "doc/formats/prof.md#text-samples" },
    { .id = NULL },
};
/* Records of V6 chips are half as long: recognised by the mark of the second one. */
const struct layout layouts_stars[] = {
    { .id = "stars_soc_v6", .title = "stars record of a V6 chip", .pattern = "stars_soc.data.{*}",
        .record_b = STARS6_B, .mark_at = STARS6_B + 2, .mark_b = 2, .mark = PROF_STARS_MARK,
        LAYOUT_FIELDS(stars6), .source = "doc/formats/prof.md#v6-records" },
    { .id = "stars_block", .title = "block of a V6 chip", .pattern = "stars_block.data.{*}",
        .record_b = STARS6_B, .mark_at = 2, .mark_b = 2, .mark = PROF_STARS_MARK, LAYOUT_FIELDS(stars6),
        .source = "doc/formats/prof.md#stars_block" },
    { .id = "stars_soc", .title = "stars record", .pattern = "stars_soc.data.{*}", .record_b = 64,
        .mark_at = 2, .mark_b = 2, .mark = PROF_STARS_MARK, LAYOUT_FIELDS(stars),
        .source = "doc/formats/prof.md#stars_soc" },
    { .id = "stars_soc_profile", .title = "sample of the chip", .pattern = "stars_soc_profile.data.{*}",
        .record_b = 64, LAYOUT_FIELDS(soc_profile), .source = "doc/formats/prof.md#stars_soc_profile" },
    { .id = NULL },
};
const struct layout layouts_freq[] = {
    { .id = "lpm", .title = "changes of frequency or voltage", .record_b = 888, LAYOUT_FIELDS(freq),
        .source = "doc/formats/prof.md#lpmfreqconv" },
    { .id = NULL },
};
const struct layout layouts_aicore[] = {
    { .id = "ffts_profile", .title = "AI Core counters of stars", .pattern = "ffts_profile.data.{*}",
        .record_b = 128, LAYOUT_FIELDS(ffts), .source = "doc/formats/prof.md#ffts_profile" },
    { .id = "aicore", .title = "AI Core counters", .record_b = 128, .alone = true, LAYOUT_FIELDS(aicore),
        .source = "doc/formats/mindspore1.md#aicore" },
    { .id = NULL },
};
/* clang-format on */
