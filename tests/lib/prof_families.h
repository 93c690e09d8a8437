/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of every family of a PROF folder that belong together (doc/formats/prof.md#host-records,
 * #device-records): one folder, one host thread, one device.
 */
#ifndef NPUSCOPE_TEST_PROF_FAMILIES_H
#define NPUSCOPE_TEST_PROF_FAMILIES_H

#include <string.h>

#include "parsers/prof/prof.h"
#include "parsers/prof/prof_layout.h"
#include "tests/lib/prof_info_files.h"
#include "tests/lib/put_le.h"

#define RECORDS    12
#define RECORD_MAX 2816

/* Bytes of the i-th record: from + step * i (mod: i modulo that), added to what is there. */
struct recipe {
    uint16_t at, bytes;
    uint64_t from, step;
    unsigned mod;
};

/* clang-format off */
#define HEAD(level, type, time) { 0, 2, PROF_HOST_MARK, 0, 0 }, { 2, 2, level, 0, 0 }, { 4, 4, type, 0, 0 }, \
    { 8, 4, 1, 0, 0 }, { 16, 8, time, 50, 0 }
/* 2 bytes: i without its last bit, so that two records are of one task. */
#define PAIR(at)   { at, 2, 0, 1, 0 }, { at, 2, 0, (uint64_t)-1, 2 }
#define NODE(time) HEAD(PROF_L_NODE, 1, time)

/*
 * A record of 11 hashes, ids, times of host 10000.. and of the device 20000.. New families go to the end:
 * inputs of tests/fuzz/fuzz_pieces.h name them by number.
 */
static const struct family {
    const char *name;
    uint16_t record_b;
    struct recipe field[14];
} families[] = {
    /* node calls, in each a call of the runtime */
    { "host/data/aging.api_event.data.slice_0", 40,
      { { 0, 2, PROF_HOST_MARK, 0, 0 }, { 2, 2, PROF_L_NODE, (uint64_t)-5000, 2 }, { 4, 4, 1, 0, 0 },
          { 8, 4, 1, 0, 0 },
        { 16, 8, 10000, 50, 0 }, { 24, 8, 10099, 50, 0 }, { 24, 8, 0, (uint64_t)-59, 2 },
        { 32, 8, 11, 1, 3 } } },
    { "host/data/aging.compact.task_track.slice_0", 64,
      { HEAD(PROF_L_RUNTIME, 1, 10060), { 12, 4, 28, 0, 0 }, { 26, 2, 2, 0, 0 }, { 28, 2, 0, 1, 0 },
      { 32, 8, 1, 1, 5 }, { 40, 8, 11, 0, 0 } } },
    { "host/data/aging.compact.node_basic_info.slice_0", 64,
      { NODE(10070), { 24, 8, 11, 1, 3 }, { 32, 4, 0, 1, 9 }, { 36, 8, 12, 0, 0 }, { 44, 2, 8, 0, 0 },
      { 46, 2, 2, 0, 0 }, { 48, 4, 1, 0, 0 } } },
    { "host/data/unaging.compact.node_basic_info.slice_0", 64, { NODE(10010), { 24, 8, 13, 0, 0 },
        { 36, 8, 12, 0, 0 } } },
    { "host/data/aging.compact.node_attr_info.slice_0", 64, { NODE(10070), { 24, 8, 11, 1, 3 },
        { 36, 8, 12, 0, 0 } } },
    { "host/data/aging.compact.memcpy_info.slice_0", 64,
      { HEAD(PROF_L_RUNTIME, 4, 10060), { 24, 8, 4096, 0, 0 }, { 32, 8, 1024, 0, 0 }, { 40, 2, 0, 1, 3 } } },
    { "host/data/aging.compact.hccl_op_info.slice_0", 64,
      { NODE(10070), { 25, 1, 3, 0, 0 }, { 26, 8, 11, 0, 0 }, { 34, 8, 1000, 0, 0 }, { 42, 8, 12, 0, 0 } } },
    { "host/data/aging.compact.capture_stream_info.slice_0", 64,
      { NODE(10000), { 24, 2, 0, 1, 2 }, { 26, 2, 2, 0, 0 }, { 28, 2, 3, 0, 0 }, { 30, 2, 1, 0, 0 } } },
    { "host/data/aging.compact.capture_stream_info_v2.slice_0", 64,
      { NODE(10000), { 26, 1, 0, 1, 2 }, { 28, 4, 2, 0, 0 }, { 32, 4, 3, 0, 0 }, { 36, 4, 1, 0, 0 } } },
    { "host/data/aging.additional.capture_op_info.slice_0", 256,
      { HEAD(PROF_L_RUNTIME, 1, 10060), { 24, 4, 1, 0, 0 }, { 32, 4, 2, 0, 0 }, { 36, 4, 0, 1, 0 },
          { 44, 2, 8, 0, 0 }, { 48, 8, 11, 0, 0 }, { 56, 8, 12, 0, 0 },
        { 84, 4, 0, 1, 6 }, { 100, 4, 3, 1, 0 } } },
    { "host/data/aging.compact.dpu_track.slice_0", 64,
      { HEAD(PROF_L_RUNTIME, 0, 10060), { 24, 2, 1 << 12 | 3, 1, 0 }, { 26, 2, 2, 0, 0 }, { 28, 4, 0, 1, 0 },
      { 40, 8, 10020, 50, 0 } } },
    { "host/data/aging.additional.dpu_hccl_info.slice_0", 256,
      { HEAD(PROF_L_COMMUNICATION, 0, 10060), { 24, 8, 11, 0, 0 }, { 40, 8, 12, 0, 0 },
          { 72, 8, 10020, 50, 0 }, { 104, 8, 4096, 0, 0 }, { 112, 4, 0, 1, 0 },
        { 126, 2, 1 << 12 | 3, 1, 0 }, { 128, 1, 0, 1, 0 } } },
    { "host/data/aging.compact.expand_stream_spec.slice_0", 64, { NODE(10000), { 24, 1, 0, 0, 0 } } },
    { "host/data/aging.additional.tensor_info.slice_0", 256,
      { NODE(10070), { 24, 8, 11, 1, 3 }, { 32, 4, 0, 1, 6 }, { 36, 4, 0, 1, 2 }, { 40, 4, 1, 0, 0 },
          { 44, 4, 1, 0, 0 }, { 48, 4, 7, 0, 0 },
        { 80, 4, 1, 0, 0 }, { 92, 4, 3, 1, 0 } } },
    { "host/data/aging.additional.context_id_info.slice_0", 256,
      { NODE(10070), { 24, 8, 11, 1, 3 }, { 32, 4, 1, 1, 3 }, { 36, 4, 0, 0, 0 }, { 40, 4, 2, 0, 0 },
      { 44, 4, 5, 0, 0 } } },
    { "host/data/aging.additional.graph_id_map.slice_0", 256, { HEAD(PROF_L_MODEL, 1, 10000),
        { 24, 8, 11, 0, 0 }, { 32, 4, 1, 0, 0 }, { 36, 4, 1, 1, 0 } } },
    { "host/data/aging.additional.ccu_wait_signal_info.slice_0", 256,
      { NODE(10030), { 58, 2, 2, 0, 0 }, { 60, 4, 1, 1, 5 }, { 66, 2, 205, 0, 0 }, { 76, 4, 3, 0, 0 },
      { 80, 2, 0, 120, 2 }, { 112, 4, 1, 0, 0 } } },
    { "host/data/aging.additional.ccu_group_info.slice_0", 256,
      { NODE(10030), { 58, 2, 2, 0, 0 }, { 60, 4, 1, 1, 5 }, { 66, 2, 119, 0, 0 }, { 69, 1, 1, 0, 0 },
      { 72, 8, 8192, 1, 0 }, { 112, 4, 1, 0, 0 } } },
    { "host/data/aging.additional.fusion_op_info.slice_0", 256, { NODE(10010), { 24, 8, 11, 0, 0 },
        { 32, 4, 0, 1, 9 }, { 36, 8, 64, 0, 0 }, { 76, 8, 12, 0, 0 } } },
    { "host/data/aging.additional.hccl_info.slice_0", 256,
      { HEAD(PROF_L_COMMUNICATION, 1, 10060), { 24, 8, 11, 0, 0 }, { 40, 8, 12, 0, 0 }, { 52, 4, 1, 0, 0 },
          { 56, 4, 2, 0, 0 }, { 68, 4, 0, 1, 3 },
        { 112, 8, 4096, 0, 0 }, { 128, 4, 0, 1, 4 }, { 132, 4, 0, 1, 3 } } },
    { "host/data/aging.additional.task_memory_info.slice_0", 256,
      { HEAD(PROF_L_NODE, 1, 10010), { 24, 8, 0x7000, 0, 0 }, { 32, 8, 512, (uint64_t)-1024, 2 },
      { 40, 8, 11, 0, 0 }, { 48, 8, 4096, 0, 0 }, { 56, 8, 8192, 0, 0 } } },
    { "host/data/unaging.additional.static_op_mem.slice_0", 256,
      { NODE(10010), { 24, 8, 512, 0, 0 }, { 32, 8, 11, 0, 0 }, { 40, 8, 0, 1, 0 }, { 48, 8, 3, 1, 0 },
      { 56, 8, 4096, 0, 0 }, { 64, 8, 12, 0, 0 } } },
    { "host/data/aging.additional.mc2_comm_info.slice_0", 256,
      { HEAD(PROF_L_COMMUNICATION, 0, 10000), { 24, 8, 12, 0, 0 }, { 32, 4, 2, 0, 0 }, { 44, 4, 2, 0, 0 },
      { 48, 4, 1, 1, 0 }, { 52, 4, 3, 0, 0 } } },
    { "host/data/unaging.additional.msproftx.slice_0", 256,
      { HEAD(PROF_L_MSPROFTX, 0, 10000), { 24, 2, 0, 1, 2 }, { 26, 2, 0, 1, 3 }, { 40, 4, 1, 0, 0 },
          { 48, 4, 0, 1, 5 }, { 64, 8, 10000, 50, 0 }, { 72, 8, 10040, 50, 0 },
        { 80, 8, 1, 1, 3 }, { 100, 4, 0x6b72616d, 0, 0 } } },
    /* device: a start and an end by turns */
    { "device_0/data/stars_soc.data.0.slice_0", 64,
      { { 0, 2, 0, 1, 2 }, { 2, 2, PROF_STARS_MARK, 0, 0 }, { 4, 2, 2, 0, 0 }, PAIR(6),
      { 8, 8, 20000, 50, 0 } } },
    { "device_0/data/stars_block.data.0.slice_0", 32,
      { { 0, 2, 0x24, 1, 2 }, { 2, 2, PROF_STARS_MARK, 0, 0 }, { 4, 2, 2, 0, 0 }, PAIR(6),
      { 8, 8, 20000, 50, 0 }, { 21, 1, 3, 0, 0 } } },
    { "device_0/data/hwts.data.0.slice_0", 64,
      { { 0, 1, 0, 1, 2 }, { 0, 1, 0, 16, 0 }, { 2, 2, PROF_STARS_MARK, 0, 0 }, PAIR(6),
      { 8, 8, 20000, 50, 0 }, { 16, 4, 2, 0, 0 } } },
    { "device_0/data/ts_track.data.0.slice_0", 40,
      { { 0, 1, 1, 0, 0 }, { 1, 1, 10, 1, 6 }, { 8, 8, 20000, 50, 0 }, { 16, 8, 1, 0, 0 }, { 24, 8, 1, 0, 0 },
      { 32, 2, 2, 0, 0 }, { 36, 2, 0, 1, 5 } } },
    { "device_0/data/aicore.data.0.slice_0", 128,
      { PAIR(6), { 16, 8, 4350, 0, 0 }, { 32, 8, 9, 1, 0 }, { 40, 8, 9, 1, 0 }, { 96, 4, 2, 0, 0 } } },
    { "device_0/data/ffts_profile.data.0.slice_0", 128,
      { { 0, 2, PROF_FFTS_TASK, 1, 2 }, { 2, 2, PROF_STARS_MARK, 0, 0 }, { 4, 2, 2, 0, 0 }, PAIR(6),
          { 16, 2, 0, 6, 2 }, { 20, 2, 4 << 13, 0, 0 }, { 32, 8, 5000, 0, 0 },
        { 48, 8, 9, 1, 0 }, { 56, 8, 9, 1, 0 }, { 112, 8, 20000, 50, 0 }, { 120, 8, 20040, 50, 0 } } },
    { "device_0/data/lpmFreqConv.data.0.slice_0", 888,
      { { 0, 4, 2, 0, 0 }, { 4, 4, 0, 0, 0 }, { 8, 8, 20000, 100, 0 }, { 16, 4, 1650, 10, 0 },
      { 24, 8, 20050, 100, 0 }, { 32, 4, 800, 0, 0 } } },
    { "device_0/data/aicpu.data.0.slice_0", 256,
      { { 0, 2, PROF_HOST_MARK, 0, 0 }, { 2, 2, PROF_L_AICPU, 0, 0 }, { 4, 4, 0, 1, 14 }, { 24, 2, 2, 0, 0 },
          { 40, 8, 20005, 50, 0 }, { 48, 8, 1, 0, 0 },
        { 56, 8, 3, 0, 0 }, { 64, 8, 9, 0, 0 }, { 80, 8, 20045, 50, 0 }, { 132, 4, 5, 0, 0 } } },
    { "device_0/data/DATA_PREPROCESS.AICPU.0.slice_0", 128,
      { { 0, 2, PROF_HOST_MARK, 0, 0 }, { 2, 2, 60, 0, 0 }, { 4, 2, 2, 0, 0 }, { 16, 8, 20005, 50, 0 },
      { 56, 8, 20045, 50, 0 } } },
    { "device_0/data/DATA_PREPROCESS.DP.0.slice_0", 128,
      { { 0, 2, PROF_HOST_MARK, 0, 0 }, { 2, 2, 100, 0, 0 }, { 8, 8, 1000, 50, 0 }, { 16, 4, 0x6e7572, 0, 0 },
      { 32, 4, 0x717565, 0, 0 }, { 104, 8, 3, 0, 0 } } },
    { "device_0/data/DATA_PREPROCESS.AICPU_MODEL.0.slice_0", 64,
      { { 0, 2, PROF_HOST_MARK, 0, 0 }, { 2, 2, 61, 0, 0 }, { 8, 8, 20000, 50, 0 }, { 16, 8, 1, 0, 0 },
      { 24, 4, 9, 0, 0 }, { 28, 2, 0, 1, 5 } } },
    { "device_0/data/npu_mem.data.0.slice_0", 32, { { 0, 4, 100, 10, 0 }, { 4, 4, 0, 1, 2 },
        { 16, 8, 4096, 0, 0 }, { 24, 8, 8192, 0, 0 } } },
    { "device_0/data/npu_module_mem.data.0.slice_0", 24, { { 0, 4, 0, 1, 0 }, { 8, 8, 10000, 50, 0 },
        { 16, 8, 8192, 0, 0 } } },
    { "device_0/data/hbm.data.0.slice_0", 24, { { 0, 8, 100, 10, 0 }, { 8, 8, 999, 1, 0 }, { 16, 4, 0, 1, 2 },
        { 20, 4, 0, 1, 3 } } },
    { "device_0/data/ddr.data.0.slice_0", 20, { { 0, 4, 100, 10, 0 }, { 4, 4, 999, 1, 0 },
        { 8, 4, 0, 1, 2 } } },
    { "device_0/data/llc.data.0.slice_0", 24, { { 0, 8, 100, 10, 0 }, { 8, 8, 999, 1, 0 }, { 16, 4, 0, 1, 2 },
        { 20, 4, 0, 1, 3 } } },
    { "device_0/data/pcie.data.0.slice_0", 96, { { 0, 8, 100000, 1000, 0 }, { 12, 4, 9, 0, 0 },
        { 16, 4, 12, 0, 0 }, { 20, 4, 10, 0, 0 } } },
    { "device_0/data/qos.data.0.slice_0", 64, { { 16, 8, 20000, 50, 0 }, { 24, 4, 99, 1, 0 } } },
    { "device_0/data/socpmu.data.0.slice_0", 80, { { 10, 2, 2, 0, 0 }, PAIR(12), { 14, 2, 1, 1, 2 },
        { 16, 8, 99, 1, 0 } } },
    { "device_0/data/tscpu.data.0.slice_0", 304, { { 0, 4, PROF_TSCPU_MARK, 0, 0 }, { 176, 8, 4096, 1, 3 },
        { 184, 8, 1000, 50, 0 }, { 192, 8, 0x11, 0, 0 }, { 200, 8, 99, 1, 0 } } },
    { "device_0/data/ub.data.0.slice_0", 128, { { 0, 2, PROF_HOST_MARK, 0, 0 }, { 4, 2, 0, 1, 3 },
        { 8, 8, 100, 10, 0 }, { 16, 8, 999, 1, 0 }, { 24, 8, 99, 1, 0 } } },
    { "device_0/data/ccu0.instr.0.slice_0", 64,
      { { 0, 2, 5, 1, 0 }, { 28, 2, 7, 1, 0 }, { 32, 8, 20010, 50, 0 }, { 40, 2, 205, 0, 0 },
      { 42, 8, 20040, 50, 0 }, { 50, 8, 20000, 50, 0 }, { 58, 2, 119, 0, 0 }, { 60, 4, 1, 1, 5 } } },
    { "device_0/data/ccu1.stat.0.slice_0", 2816, { { 0, 8, 20000, 50, 0 }, { 8, 4, 99, 1, 0 },
        { 12, 4, 9, 0, 0 }, { 16, 4, 999, 1, 0 }, { 2712, 8, 20010, 50, 0 }, { 2720, 4, 9, 0, 0 } } },
    { "device_0/data/lpmInfoConv.data.0.slice_0", 888, { { 0, 4, 2, 0, 0 }, { 4, 4, 1, 1, 2 },
        { 8, 8, 20000, 100, 0 }, { 16, 4, 800, 10, 0 }, { 24, 8, 20050, 100, 0 }, { 32, 4, 900, 0, 0 } } },
    /* one of each function by turns */
    { "device_0/data/stars_soc_profile.data.0.slice_0", 64, { { 0, 2, 0x18, 1, 6 }, { 8, 8, 20000, 50, 0 },
        { 18, 2, 0, 1, 2 }, { 32, 4, 999, 1, 0 }, { 48, 4, 99, 1, 0 } } },
    { "device_0/data/l2_cache.data.0.slice_0", 72, { { 2, 2, 2, 0, 0 }, { 8, 8, 99, 1, 0 },
        { 16, 8, 9, 1, 0 } } },
    { "host/data/aging.compact.task_track_v2.slice_0", 64,
      { HEAD(PROF_L_RUNTIME, 1, 10060), { 12, 4, 28, 0, 0 }, { 28, 4, 2, 0, 0 }, { 32, 4, 0, 1, 0 },
      { 36, 4, 1, 1, 5 }, { 40, 8, 11, 0, 0 } } },
    { "host/data/unaging.additional.Multi_Thread.slice_0", 256, { HEAD(PROF_L_RUNTIME, 1, 10000),
        { 24, 4, 1, 0, 0 }, { 28, 4, 1, 0, 0 } } },
    { "host/data/unaging.additional.logic_stream_info.slice_0", 256,
      { HEAD(PROF_L_RUNTIME, 1, 10000), { 24, 4, 40, 1, 2 }, { 28, 4, 1, 0, 0 }, { 32, 4, 2, 1, 3 } } },
    { "device_0/data/hwts.aiv_data.0.slice_0", 64,
      { { 0, 1, 0, 1, 2 }, { 0, 1, 0, 16, 0 }, { 2, 2, PROF_STARS_MARK, 0, 0 }, PAIR(6),
      { 8, 8, 20010, 50, 0 }, { 16, 4, 3, 0, 0 } } },
    { "device_0/data/ts_track.aiv_data.0.slice_0", 40,
      { { 0, 1, 1, 0, 0 }, { 1, 1, 10, 1, 6 }, { 8, 8, 20010, 50, 0 }, { 16, 8, 2, 0, 0 }, { 24, 8, 1, 0, 0 },
      { 32, 2, 3, 0, 0 }, { 36, 2, 0, 1, 5 } } },
    { "device_0/data/aiVectorCore.data.0.slice_0", 128,
      { PAIR(6), { 16, 8, 4350, 0, 0 }, { 32, 8, 9, 1, 0 }, { 40, 8, 9, 1, 0 }, { 96, 4, 3, 0, 0 } } },
};
static const struct info_file {
    const char *name, *text;
} info_files[] = {
    { "host/data/aging.additional.hash_dic.slice_0", "11:op/Add-1\n12:Add\n13:hcom_allReduce_\n" },
    { "host/data/aging.additional.type_info_dic.slice_0",
      "5000_1:KERNEL_AICORE\n5000_2:KERNEL_AICPU\n5000_3:FFTS_PLUS\n5000_4:MEMCPY_ASYNC\n"
      "5000_5:KERNEL_MIX_AIC\n10000_1:launch\n5500_1:master\n" },
    { "device_0/data/hccs.data.0.slice_0", "timestamp txAmount rxAmount\n1000000: 0 0\n2000000: 2097152 9\n"
        "4000000: 4194304 99\n" },
    { "device_0/data/nic.data.0.slice_0",
        "500: 100000 1 2 3 4 5 6 7 8 9 10 11 12 1\n700: 100000 1 2 3 4 5 6 7 8 9 10 11 12 1\n" },
    { "device_0/data/roce.data.0.slice_0", "500: 100000 1 2 3 4 5 6 7 8 9 10 11 12 1\n" },
    { "host/data/host_cpu.data.slice_0",
      "time 1000100\n100.00 1.0\n1 (a) S 1 1 1 0 -1 4 1 0 0 0 10 20 0 0 20 0 1 0 100 1 1 1 1 1 1 0 0 0 0 0 0 "
      "0 0 0 17 3 0\n"
      "time 1000200\n100.10 1.0\n1 (a) S 1 1 1 0 -1 4 1 0 0 0 14 20 0 0 20 0 1 0 100 1 1 1 1 1 1 0 0 0 0 0 0 "
      "0 0 0 17 3 0\n" },
    { "device_0/data/dvpp.data.0.slice_0",
        "1:1000400 8 4 3 10 5 20% 0 0 0% 0 0\n1:2000400 8 4 3 30 9 25% 0 0 0% 0 0\n" },
    { "device_0/data/netdev_stats.data.0.slice_0",
        "1000100 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n1000200 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n" },
    { "device_0/data/Memory.data.0.slice_0", "TimeStamp:5\nMemTotal: 1000 kB\nMemFree: 10 kB\n\n" },
    { "host/data/host_sys_cpu.data.slice_0",
        "TimeStamp:7\ncpu 10 0 0 90 0 0 0 0 0 0\ncpu0 10 0 0 90 0 0 0 0 0 0\n\n" },
    { "host/data/12-CpuUsage.data.slice_0",
        "TimeStamp:1\n12 (a) S 0 1 1 0 -1 4 1 1 0 0 1 2 3 4 0\nProcessName:one\ncpu  50 50 0\n\n" },
    { "host/data/12-Memory.data.slice_0", "TimeStamp:1\nProcessName:one\n100 20 3 4 5 6 7\n\n" },
    { "host/data/host_mem.data.slice_0", "1000100 1 2500 4 1 0 2 0\n1000200 1 5000 4 1 0 2 0\n" },
    { "host/data/host_disk.data.slice_0",
        "start_time 1000100\n03:52:50 18 be/4 root 2.00 M/s 0.00 B/s 0.00 % 12.50 % ./main 40\n" },
    { "host/data/host_network.data.slice_0",
      "time 1000100\n eth0: 1000 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\ntime 1000200\n eth0: 2000 1 0 0 0 0 0 0 "
      "700 1 0 0 0 0 0 0\n" },
    { "host/data/host_syscall.data.slice_0",
        "9454.934 ( 1.057 ms): M/18 nanosleep(r: 0x7f ) = 0\n9455.995 ( 0.500 ms): nanosleep(r: 0x7f ) = "
        "0\n" },
    { "host/data/host_pthreadcall.data.slice_0",
        "[pid 9] 1615843248.065895 lib.so->pthread_mutex_lock(0x1, 2) = 0 <0.000123>\n" },
    { "host/sample.json", "{\"host_disk_freq\": 50}" },
    { "host/start_info", PROF_START },
    { "host/host_start.log", PROF_HOST_LOG },
    { "device_0/start_info.0", PROF_START },
    { "device_0/host_start.log.0", PROF_HOST_LOG },
    { "device_0/dev_start.log.0", PROF_DEVICE_LOG },
    { "device_0/sample.json", PROF_SAMPLE },
    { "host/end_info", PROF_END },
    { "device_0/end_info.0", PROF_END },
    { "host/data/host_sys_mem.data.slice_0", "TimeStamp:5\nMemTotal: 1000 kB\nMemFree: 10 kB\n\n" },
    { "device_0/data/SystemCpuUsage.data.0.slice_0",
        "TimeStamp:7\ncpu 10 0 0 90 0 0 0 0 0 0\ncpu0 10 0 0 90 0 0 0 0 0 0\n\n" },
    { "device_0/data/12-CpuUsage.data.0.slice_0",
        "TimeStamp:1\n12 (a) S 0 1 1 0 -1 4 1 1 0 0 1 2 3 4 0\nProcessName:one\ncpu  50 50 0\n\n" },
    { "device_0/data/12-Memory.data.0.slice_0", "TimeStamp:1\nProcessName:one\n100 20 3 4 5 6 7\n\n" },
};
/* clang-format on */

/* The i-th record of a family, in p[record_b]. */
static inline void family_put(const struct family *f, size_t i, unsigned char *p)
{
    memset(p, 0, f->record_b);
    for (size_t k = 0; k < ARRAY_LEN(f->field) && f->field[k].bytes; k++) {
        const struct recipe *r = &f->field[k];
        uint64_t v = r->from + r->step * (r->mod ? i % r->mod : i);
        for (size_t b = 0; b < r->bytes; b++)
            v += (uint64_t)p[r->at + b] << (8 * b);
        put_le(p + r->at, v, r->bytes);
    }
}

/* The RECORDS records of a family, in p[RECORDS * RECORD_MAX]. Bytes. */
static inline size_t family_make(const struct family *f, unsigned char *p)
{
    for (size_t i = 0; i < RECORDS; i++)
        family_put(f, i, p + i * f->record_b);
    return (size_t)RECORDS * f->record_b;
}

/* The info file of a collection whose counters were sampled. */
#define SAMPLED                                                                                              \
    "{\"ai_core_profiling\": \"on\", \"ai_core_profiling_mode\": \"sample-based\", "                         \
    "\"aiv_profiling_mode\": \"sample-based\"}"

#endif
