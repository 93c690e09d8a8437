/* SPDX-License-Identifier: Apache-2.0 */
/* The files of records in a PROF folder (doc/formats/prof.md#files, #file-names). */
#include "config.h"

#include "parsers/prof/prof.h"
#include "parsers/prof/prof_layout.h"

enum { TS_TRACK_RECORD2(FIELD_AT) HWTS_RECORD2(FIELD_AT) FFTS_RECORD(FIELD_AT) CORE_SAMPLE_RECORD(FIELD_AT) };
enum {
    NPU_MEM_RECORD(FIELD_AT) NPU_MODULE_MEM_RECORD(FIELD_AT) HBM_RECORD(FIELD_AT) HBM_RECORD2(FIELD_AT)
        DDR_RECORD(FIELD_AT) LLC_RECORD(FIELD_AT) LLC_RECORD2(FIELD_AT) SOC_PROFILE_RECORD(FIELD_AT)
            SOC_PMU_RECORD(FIELD_AT) UB_RECORD(FIELD_AT) CCU_MISSION_RECORD(FIELD_AT)
};

/* Numbers of memories, caches and modules are small. */
#define SMALL 256

/* doc/formats/prof.md#ts_track: one of the function types. */
static bool fits_ts_track(struct rec *r)
{
    uint8_t type = rec_u8(r, TT_TYPE);

    return type >= 10 && type <= 15;
}

/* doc/formats/prof.md#hwts: the mark that MindSpore's reader knows too, or any task record. */
static bool fits_hwts(struct rec *r)
{
    return rec_u16(r, HW_MARK) == PROF_STARS_MARK || (rec_u8(r, 0) & 7) <= 4;
}

/* doc/formats/prof.md#aicore: a sample says how many events it has; what is not sampled has no mark. */
static bool fits_aicore(struct rec *r)
{
    size_t more = r->n == CORE_SAMPLE6_B ? CORE_SAMPLE6_MORE : 0;

    if (r->n != CORE_SAMPLE_B && r->n != CORE_SAMPLE6_B)
        return true;
    uint8_t n = rec_u8(r, CO_COUNT + more);
    return rec_u8(r, CO_MODE) && n && n <= PROF_EVENTS;
}

/* doc/formats/prof.md#ffts_profile: counters of a task or of a block. */
static bool fits_ffts(struct rec *r)
{
    unsigned function = rec_u16(r, FF_FUNCTION) & 63;

    if (r->n == CORE_SAMPLE_B || r->n == CORE_SAMPLE6_B)
        return fits_aicore(r);
    return function >= PROF_FFTS_TASK && function <= PROF_FFTS_TASK6;
}

/* doc/formats/prof.md#binary-samples */
static bool fits_npu_mem(struct rec *r)
{
    return rec_u32(r, NM_EVENT) <= 1;
}

static bool fits_module(struct rec *r)
{
    return rec_u32(r, MM_MODULE) < SMALL;
}

static bool fits_hbm(struct rec *r)
{
    bool second = r->n == HBM_RECORD2_B;

    return rec_u32(r, second ? HB2_EVENT : HB_EVENT) <= 1 && rec_u32(r, second ? HB2_ID : HB_ID) < SMALL;
}

static bool fits_ddr(struct rec *r)
{
    return rec_u32(r, DD_EVENT) <= 1 && rec_u32(r, DD_ID) < SMALL;
}

/* Of either version; both are of one size. */
static bool fits_llc(struct rec *r)
{
    return (rec_u32(r, LL_EVENT) < SMALL && rec_u32(r, LL_ID) < SMALL) ||
           (rec_u32(r, LL2_EVENT) < SMALL && rec_u32(r, LL2_ID) < SMALL);
}

/* doc/formats/prof.md#stars_soc_profile: one of the function types. */
static bool fits_soc_profile(struct rec *r)
{
    unsigned function = rec_u16(r, SP_FUNCTION) & 63;

    return function >= 0x18 && function <= 0x1d;
}

/* Of either chip. */
static bool fits_soc_pmu(struct rec *r)
{
    unsigned v = rec_u16(r, SU_DATA), v2 = rec_u16(r, SU_DATA2);

    return v == 1 || v == 2 || v == 4 || v2 == 1 || v2 == 2 || v2 == 4;
}

/* The mark is known from samples only: no record is left out for another one. */
static bool fits_ub(struct rec *r)
{
    return rec_u16(r, UB_MARK) == PROF_HOST_MARK && rec_u16(r, UB_PORT) < SMALL;
}

/* Loops take less than hours. */
static bool fits_ccu_mission(struct rec *r)
{
    uint64_t start = rec_u64(r, CM_START), end = rec_u64(r, CM_END);

    return end >= start && end - start < (uint64_t)1 << 40;
}

#define HOST_MARK   .mark_at = 0, .mark_b = 2, .mark = PROF_HOST_MARK
#define STARS_MARK  .mark_at = 2, .mark_b = 2, .mark = PROF_STARS_MARK
#define SAMPLED     .sampled_b = CORE_SAMPLE_B, .sampled6_b = CORE_SAMPLE6_B
#define DEVICE(tag) .patterns = { tag ".{D}.slice_{K}", tag ".{*}.dev.profiler_default_tag.{D}.slice_{K}" }
#define COMPACT(tag)                                                                                         \
    .word = tag, .patterns = { "{aging,unaging}.compact." tag ".slice_{K}" }, .host = true, .record_b = 64,  \
    HOST_MARK
#define ADDITIONAL(tag)                                                                                      \
    .word = tag, .patterns = { "{aging,unaging}.additional." tag ".slice_{K}" }, .host = true,               \
    .record_b = 256, HOST_MARK

/* clang-format off */
const struct prof_tag_kind prof_tags[N_PROF_TAGS] = {
    [PROF_API_EVENT] = { .word = "api_event", .patterns = { "{aging,unaging}.api_event.data.slice_{K}" },
        .host = true, .record_b = 40, HOST_MARK },
    [PROF_TASK_TRACK] = { COMPACT("task_track") },
    [PROF_TASK_TRACK2] = { COMPACT("task_track_v2") },
    [PROF_NODE_BASIC] = { COMPACT("node_basic_info") },
    [PROF_NODE_ATTR] = { COMPACT("node_attr_info") },
    [PROF_MEMCPY] = { COMPACT("memcpy_info") },
    [PROF_HCCL_OP] = { COMPACT("hccl_op_info") },
    [PROF_CAPTURE_STREAM] = { COMPACT("capture_stream_info") },
    [PROF_CAPTURE_STREAM2] = { COMPACT("capture_stream_info_v2") },
    [PROF_EXPAND_STREAM] = { COMPACT("expand_stream_spec") },
    [PROF_TENSOR] = { ADDITIONAL("tensor_info") },
    [PROF_CONTEXT] = { ADDITIONAL("context_id_info") },
    [PROF_GRAPH_ID] = { ADDITIONAL("graph_id_map") },
    [PROF_FUSION_OP] = { ADDITIONAL("fusion_op_info") },
    [PROF_HCCL_INFO] = { ADDITIONAL("hccl_info") },
    [PROF_MULTI_THREAD] = { ADDITIONAL("Multi_Thread") },
    [PROF_LOGIC_STREAM] = { ADDITIONAL("logic_stream_info") },
    [PROF_TASK_MEMORY] = { ADDITIONAL("task_memory_info") },
    [PROF_STATIC_MEMORY] = { ADDITIONAL("static_op_mem") },
    [PROF_MSPROFTX] = { ADDITIONAL("msproftx") },
    [PROF_MC2_COMM] = { ADDITIONAL("mc2_comm_info") },
    [PROF_DPU_TRACK] = { COMPACT("dpu_track") },
    [PROF_DPU_COMM] = { ADDITIONAL("dpu_hccl_info") },
    [PROF_CCU_WAIT] = { ADDITIONAL("ccu_wait_signal_info") },
    [PROF_CCU_GROUP] = { ADDITIONAL("ccu_group_info") },
    [PROF_CAPTURE_OP] = { ADDITIONAL("capture_op_info") },
    [PROF_CAPTURE_OP_LONG] = { .word = "capture_op_info",
        .patterns = { "{aging,unaging}.variable.capture_op_info.slice_{K}" }, .host = true },
    [PROF_HASH_DIC] = { .word = "hash_dic", .patterns = { "{aging,unaging}.additional.hash_dic.slice_{K}" },
        .host = true },
    [PROF_TYPE_DIC] = { .word = "type_info_dic",
        .patterns = { "{aging,unaging}.additional.type_info_dic.slice_{K}" }, .host = true },
    [PROF_HWTS] = { .word = "hwts", DEVICE("{hwts.data,hwts.log.data}"), .record_b = 64, .fits = fits_hwts },
    [PROF_HWTS_AIV] = { .word = "hwts.aiv_data", DEVICE("hwts.aiv_data"), .record_b = 64, .fits = fits_hwts },
    [PROF_TS_TRACK] = { .word = "ts_track", DEVICE("ts_track.data"), .record_b = 40, .fits = fits_ts_track },
    [PROF_TS_TRACK_AIV] = { .word = "ts_track.aiv_data", DEVICE("ts_track.aiv_data"), .record_b = 40,
        .fits = fits_ts_track },
    [PROF_AICORE] = { .word = "aicore", DEVICE("aicore.data"), .record_b = 128, SAMPLED,
        .fits = fits_aicore },
    [PROF_AIV] = { .word = "aiVectorCore", DEVICE("aiVectorCore.data"), .record_b = 128, SAMPLED,
        .fits = fits_aicore },
    [PROF_STARS] = { .word = "stars_soc", DEVICE("stars_soc.data"), .record_b = 64, .record6_b = STARS6_B,
        STARS_MARK },
    [PROF_STARS_BLOCK] = { .word = "stars_block", DEVICE("stars_block.data"), .record_b = STARS6_B,
        STARS_MARK },
    [PROF_FFTS] = { .word = "ffts_profile", DEVICE("ffts_profile.data"), .record_b = 128, SAMPLED,
        .fits = fits_ffts },
    [PROF_STARS_PROFILE] = { .word = "stars_soc_profile", DEVICE("stars_soc_profile.data"), .record_b = 64,
        .fits = fits_soc_profile },
    [PROF_FREQ] = { .word = "lpmFreqConv", DEVICE("lpmFreqConv.data"), .record_b = 888 },
    [PROF_VOLTAGE] = { .word = "lpmInfoConv", DEVICE("lpmInfoConv.data"), .record_b = 888 },
    [PROF_AICPU] = { .word = "aicpu", DEVICE("aicpu.data"), .record_b = 256, HOST_MARK },
    [PROF_PRE_AICPU] = { .word = "DATA_PREPROCESS.AICPU", .patterns = { "DATA_PREPROCESS.AICPU.{D}.slice_{K}",
        "DATA_PREPROCESS.dev.AICPU.{D}.slice_{K}" }, .record_b = 128, HOST_MARK },
    [PROF_PRE_DP] = { .word = "DATA_PREPROCESS.DP", .patterns = { "DATA_PREPROCESS.DP.{D}.slice_{K}",
        "DATA_PREPROCESS.dev.DP.{D}.slice_{K}" }, .record_b = 128, HOST_MARK, .nul_lines = true },
    [PROF_PRE_MODEL] = { .word = "DATA_PREPROCESS.AICPU_MODEL",
        .patterns = { "DATA_PREPROCESS.AICPU_MODEL.{D}.slice_{K}",
        "DATA_PREPROCESS.dev.AICPU_MODEL.{D}.slice_{K}" }, .record_b = 64, HOST_MARK },
    [PROF_PRE_MI] = { .word = "DATA_PREPROCESS.AICPUMI",
        .patterns = { "DATA_PREPROCESS.AICPUMI.{D}.slice_{K}", "DATA_PREPROCESS.dev.AICPUMI.{D}.slice_{K}" },
        .nul_lines = true },
    [PROF_NPU_MEM] = { .word = "npu_mem", DEVICE("{npu_mem.data,npu_mem.app}"), .record_b = 32,
        .fits = fits_npu_mem },
    [PROF_NPU_MODULE_MEM] = { .word = "npu_module_mem", DEVICE("npu_module_mem.data"), .record_b = 24,
        .fits = fits_module },
    [PROF_HBM] = { .word = "hbm", DEVICE("hbm.data"), .record_b = 24, .record2_b = HBM_RECORD2_B,
        .fits = fits_hbm },
    [PROF_DDR] = { .word = "ddr", DEVICE("ddr.data"), .record_b = 20, .fits = fits_ddr },
    [PROF_LLC] = { .word = "llc", DEVICE("llc.data"), .record_b = 24, .fits = fits_llc },
    [PROF_PCIE] = { .word = "pcie", DEVICE("pcie.data"), .record_b = 96 },
    [PROF_QOS] = { .word = "qos", DEVICE("qos.data"), .record_b = 64 },
    [PROF_L2_CACHE] = { .word = "l2_cache", DEVICE("l2_cache.data"), .record_b = 72 },
    [PROF_SOC_PMU] = { .word = "socpmu", DEVICE("socpmu.data"), .record_b = 80, .fits = fits_soc_pmu },
    [PROF_TSCPU] = { .word = "tscpu", DEVICE("tscpu.data"), .record_b = 304, .other_b = TSCPU_MDC_B,
        .mark_at = 0, .mark_b = 4, .mark = PROF_TSCPU_MARK },
    [PROF_UB] = { .word = "ub", DEVICE("ub.data"), .record_b = 128, .fits = fits_ub },
    [PROF_CCU_MISSION] = { .word = "ccu0.instr", .patterns = { "ccu0.instr.{D}.slice_{K}" }, .record_b = 64,
        .fits = fits_ccu_mission },
    [PROF_CCU_MISSION1] = { .word = "ccu1.instr", .patterns = { "ccu1.instr.{D}.slice_{K}" }, .record_b = 64,
        .fits = fits_ccu_mission },
    [PROF_CCU_CHANNEL] = { .word = "ccu0.stat", .patterns = { "ccu0.stat.{D}.slice_{K}" },
        .record_b = CCU_CHANNEL_B },
    [PROF_CCU_CHANNEL1] = { .word = "ccu1.stat", .patterns = { "ccu1.stat.{D}.slice_{K}" },
        .record_b = CCU_CHANNEL_B },
    [PROF_HCCS] = { .word = "hccs", DEVICE("hccs.data") },
    [PROF_NIC] = { .word = "nic", DEVICE("nic.data") },
    [PROF_ROCE] = { .word = "roce", DEVICE("roce.data") },
    [PROF_DVPP] = { .word = "dvpp", DEVICE("dvpp.data") },
    [PROF_NETDEV] = { .word = "netdev_stats", DEVICE("netdev_stats.data") },
    [PROF_SYS_MEM] = { .word = "Memory", .patterns = { "Memory.data.{D}.slice_{K}" } },
    [PROF_HOST_SYS_MEM] = { .word = "host_sys_mem", .patterns = { "host_sys_mem.data.slice_{K}" },
        .host = true },
    [PROF_SYS_CPU] = { .word = "SystemCpuUsage", .patterns = { "SystemCpuUsage.data.{D}.slice_{K}" } },
    [PROF_HOST_SYS_CPU] = { .word = "host_sys_cpu", .patterns = { "host_sys_cpu.data.slice_{K}" },
        .host = true },
    [PROF_PID_MEM] = { .word = "Memory of a process", .patterns = { "{*}-Memory.data.{D}.slice_{K}" } },
    [PROF_HOST_PID_MEM] = { .word = "Memory of a process", .patterns = { "{*}-Memory.data.slice_{K}" },
        .host = true },
    [PROF_PID_CPU] = { .word = "CpuUsage of a process", .patterns = { "{*}-CpuUsage.data.{D}.slice_{K}" } },
    [PROF_HOST_PID_CPU] = { .word = "CpuUsage of a process", .patterns = { "{*}-CpuUsage.data.slice_{K}" },
        .host = true },
    [PROF_HOST_CPU] = { .word = "host_cpu", .patterns = { "host_cpu.data.slice_{K}" }, .host = true },
    [PROF_HOST_MEM] = { .word = "host_mem", .patterns = { "host_mem.data.slice_{K}" }, .host = true },
    [PROF_HOST_DISK] = { .word = "host_disk", .patterns = { "host_disk.data.slice_{K}" }, .host = true },
    [PROF_HOST_NET] = { .word = "host_network", .patterns = { "host_network.data.slice_{K}" }, .host = true },
    [PROF_HOST_SYSCALL] = { .word = "host_syscall", .patterns = { "host_syscall.data.slice_{K}" },
        .host = true },
    [PROF_HOST_PTHREAD] = { .word = "host_pthreadcall", .patterns = { "host_pthreadcall.data.slice_{K}" },
        .host = true },
};
/* clang-format on */
