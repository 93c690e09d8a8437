/* SPDX-License-Identifier: Apache-2.0 */
/* Words for numbers. */
#include "config.h"

#include "parsers/prof/words.h"

/* clang-format off */
/* doc/formats/prof.md#levels */
const struct layout_word prof_levels[] = {
    { 30000, "PyTorch" }, { 25000, "PTA" }, { 20500, "msproftx" }, { 20000, "ACL" }, { 15000, "model" },
    { 10000, "node" }, { 6000, "AI CPU" }, { 5500, "communication" }, { 5000, "runtime" }, { 4500, "prof" },
    { 4000, "DPU" }, { 3000, "AIC" }, { 0, NULL },
};
/* doc/formats/prof.md#node_basic_info */
const struct layout_word prof_op_cores[] = {
    { 0, "AI_CORE" }, { 1, "AI_CPU" }, { 2, "AI_VECTOR_CORE" }, { 3, "WRITE_BACK" }, { 4, "MIX_AIC" },
    { 5, "MIX_AIV" }, { 6, "FFTS_PLUS" }, { 7, "DSA_SQE" }, { 8, "DVPP" }, { 9, "COMMUNICATION" },
    { 10, "FUSION" }, { 11, "INVALID" }, { 256, "HCCL_AI_CPU" }, { 0, NULL },
};
/* doc/formats/prof.md#hwts */
const struct layout_word prof_hwts_types[] = {
    { 0, "AI_CORE" }, { 1, "AI_CPU" }, { 2, "AIV_SQE" }, { 3, "PLACE_HOLDER_SQE" }, { 4, "EVENT_RECORD_SQE" },
    { 5, "EVENT_WAIT_SQE" }, { 6, "NOTIFY_RECORD_SQE" }, { 7, "NOTIFY_WAIT_SQE" }, { 8, "WRITE_VALUE_SQE" },
    { 9, "SDMA_SQE" }, { 10, "MAX_SQE" }, { 0, NULL },
};
/* doc/formats/prof.md#stars_soc */
const struct layout_word prof_sqe_types[] = {
    { 0, "AI_CORE" }, { 1, "AI_CPU" }, { 2, "AIV_SQE" }, { 3, "PLACE_HOLDER_SQE" }, { 4, "EVENT_RECORD_SQE" },
    { 5, "EVENT_WAIT_SQE" }, { 6, "NOTIFY_RECORD_SQE" }, { 7, "NOTIFY_WAIT_SQE" }, { 8, "WRITE_VALUE_SQE" },
    { 9, "VQ6_SQE" }, { 10, "TOF_SQE" }, { 11, "SDMA_SQE" }, { 12, "VPC_SQE" }, { 13, "JPEGE_SQE" },
    { 14, "JPEGD_SQE" }, { 15, "DSA_SQE" }, { 16, "ROCCE_SQE" }, { 17, "PCIE_DMA_SQE" },
    { 18, "HOST_CPU_SQE" }, { 19, "CDQM_SQE" }, { 20, "C_CORE_SQE" }, { 0, NULL },
};
/* As SqeType.ChipV6SqeType in msprof's analysis/msmodel/sqe_type_map.py. */
const struct layout_word prof_sqe6_types[] = {
    { 0, "AI_CORE" }, { 1, "AIV_SQE" }, { 2, "FUSION" }, { 3, "PLACE_HOLDER_SQE" }, { 4, "AICPU_H" },
    { 5, "AICPU_D" }, { 6, "NOTIFY_RECORD_SQE" }, { 7, "NOTIFY_WAIT_SQE" }, { 8, "WRITE_VALUE_SQE" },
    { 9, "UBDMA" }, { 10, "ASYNCDMA" }, { 11, "SDMA_SQE" }, { 12, "VPC_SQE" }, { 13, "JPEGE_SQE" },
    { 14, "JPEGD_SQE" }, { 15, "CMO_SQE" }, { 16, "CCU_SQE" }, { 20, "CONDITION_SQE" }, { 21, "END_SQE" },
    { 0, NULL },
};
const struct layout_word prof_sub_tasks[] = {
    { 0, "AIC" }, { 1, "AIV" }, { 3, "Notify Wait" }, { 4, "Notify Record" }, { 5, "Write Value" },
    { 6, "MIX_AIC" }, { 7, "MIX_AIV" }, { 8, "SDMA" }, { 9, "Data Context" },
    { 10, "Invalidate Data Context" }, { 11, "Writeback Data Context" }, { 12, "AI_CPU" },
    { 13, "Load Context" }, { 15, "DSA" }, { 0, NULL },
};
/* doc/formats/prof.md#task-types; each name ends in " task" */
const struct layout_word prof_ts_types[] = {
    { 0, "kernel AI core task" }, { 1, "kernel AI cpu task" }, { 2, "event record task" },
    { 3, "stream wait event task" }, { 4, "fusion issue task" }, { 5, "memory copy task" },
    { 6, "maintenance task" }, { 7, "create stream task" }, { 8, "kernel data dump task" },
    { 9, "event notify task" }, { 10, "pctrace enable task" }, { 11, "create L2 addr task" },
    { 12, "model maintaince task" }, { 13, "model execute task" }, { 14, "notify wait task" },
    { 15, "notify record task" }, { 16, "HCCL rdma cpy task" }, { 17, "L2 SDMA memory copy task" },
    { 18, "stream switch task" }, { 19, "stream active task" }, { 20, "label set task" },
    { 21, "label switch task" }, { 22, "label goto task" }, { 23, "profiler trace task" },
    { 24, "event reset task" }, { 25, "HCCL rdma db cpy task" }, { 26, "profiler trace task" },
    { 50, "stars common task" }, { 51, "ffts task" }, { 52, "ffts plus task" },
    { 64, "profiling enable task" }, { 65, "profiling disable task" }, { 66, "AI vector task" },
    { 67, "add model end graph task" }, { 68, "AICPU schedule task" }, { 69, "active stream task" },
    { 70, "load data dump info task" }, { 71, "stream switch n task" }, { 72, "Host func Callback task" },
    { 73, "start online profiling task" }, { 74, "stop online profiling task" },
    { 75, "stream label switch task" }, { 77, "stream label goto task" },
    { 78, "overflow debug register task" }, { 79, "overflow debug unregister task" },
    { 80, "L1 fusion dump set task" }, { 81, "add model exit graph task" }, { 82, "mdc profiling task" },
    { 83, "device ring buff set task" }, { 84, "stream overflow debug register task" },
    { 85, "stream overflow debug unregister task" }, { 86, "timeout set task" },
    { 87, "get device message task" }, { 101, "model-task update task" }, { 116, "task update task" },
    { 0, NULL },
};
/* doc/formats/prof.md#data-types */
const struct layout_word prof_data_types[] = {
    { 0, "FLOAT" }, { 1, "FLOAT16" }, { 2, "INT8" }, { 3, "INT32" }, { 4, "UINT8" }, { 6, "INT16" },
    { 7, "UINT16" }, { 8, "UINT32" }, { 9, "INT64" }, { 10, "UINT64" }, { 11, "DOUBLE" }, { 12, "BOOL" },
    { 13, "STRING" }, { 14, "DUAL_SUB_INT8" }, { 15, "DUAL_SUB_UINT8" }, { 16, "COMPLEX64" },
    { 17, "COMPLEX128" }, { 18, "QINT8" }, { 19, "QINT16" }, { 20, "QINT32" }, { 21, "QUINT8" },
    { 22, "QUINT16" }, { 23, "RESOURCE" }, { 24, "STRING_REF" }, { 25, "DUAL" }, { 26, "DT_VARIANT" },
    { 27, "DT_BF16" }, { 28, "DT_UNDEFINED" }, { 29, "DT_INT4" }, { 30, "DT_UINT1" }, { 31, "DT_INT2" },
    { 32, "DT_UINT2" }, { 33, "DT_COMPLEX32" }, { 34, "DT_HIFLOAT8" }, { 35, "DT_FLOAT8_E5M2" },
    { 36, "DT_FLOAT8_E4M3FN" }, { 37, "DT_FLOAT8_E8M0" }, { 38, "DT_FLOAT6_E3M2" }, { 39, "DT_FLOAT6_E2M3" },
    { 40, "DT_FLOAT4_E2M1" }, { 41, "DT_FLOAT4_E1M2" }, { 42, "DT_MAX" }, { 229, "NUMBER_TYPE_BEGIN_" },
    { 230, "BOOL_" }, { 231, "INT_" }, { 232, "INT8_" }, { 233, "INT16_" }, { 234, "INT32_" },
    { 235, "INT64_" }, { 236, "UINT_" }, { 237, "UINT8_" }, { 238, "UINT16_" }, { 239, "UINT32_" },
    { 240, "UINT64_" }, { 241, "FLOAT_" }, { 242, "FLOAT16_" }, { 243, "FLOAT32_" }, { 244, "FLOAT64_" },
    { 245, "COMPLEX_" }, { 246, "NUMBER_TYPE_END_" }, { UINT32_MAX, "UNDEFINED" }, { 0, NULL },
};
/* doc/formats/prof.md#formats */
const struct layout_word prof_formats[] = {
    { 0, "NCHW" }, { 1, "NHWC" }, { 2, "ND" }, { 3, "NC1HWC0" }, { 4, "FRACTAL_Z" }, { 5, "NC1C0HWPAD" },
    { 6, "NHWC1C0" }, { 7, "FSR_NCHW" }, { 8, "FRACTAL_DECONV" }, { 9, "C1HWNC0" },
    { 10, "FRACTAL_DECONV_TRANSPOSE" }, { 11, "FRACTAL_DECONV_SP_STRIDE_TRANS" }, { 12, "NC1HWC0_C04" },
    { 13, "FRACTAL_Z_C04" }, { 14, "CHWN" }, { 15, "FRACTAL_DECONV_SP_STRIDE8_TRANS" }, { 16, "HWCN" },
    { 17, "NC1KHKWHWC0" }, { 18, "BN_WEIGHT" }, { 19, "FILTER_HWCK" }, { 20, "HASHTABLE_LOOKUP_LOOKUPS" },
    { 21, "HASHTABLE_LOOKUP_KEYS" }, { 22, "HASHTABLE_LOOKUP_VALUE" }, { 23, "HASHTABLE_LOOKUP_OUTPUT" },
    { 24, "HASHTABLE_LOOKUP_HITS" }, { 25, "C1HWNCoC0" }, { 26, "MD" }, { 27, "NDHWC" }, { 28, "FRACTAL_ZZ" },
    { 29, "FRACTAL_NZ" }, { 30, "NCDHW" }, { 31, "DHWCN" }, { 32, "NDC1HWC0" }, { 33, "FRACTAL_Z_3D" },
    { 34, "CN" }, { 35, "NC" }, { 36, "DHWNC" }, { 37, "FRACTAL_Z_3D_TRANSPOSE" }, { 38, "FRACTAL_ZN_LSTM" },
    { 39, "FRACTAL_Z_G" }, { 40, "RESERVED" }, { 41, "ALL" }, { 42, "NULL" }, { 43, "ND_RNN_BIAS" },
    { 44, "FRACTAL_ZN_RNN" }, { 45, "END" }, { 47, "NCL" }, { 48, "FRACTAL_Z_WINO" }, { 49, "C1HWC0" },
    { 50, "FRACTAL_NZ_C0_16" }, { 51, "FRACTAL_NZ_C0_32" }, { 52, "FRACTAL_NZ_C0_2" },
    { 53, "FRACTAL_NZ_C0_4" }, { 54, "FRACTAL_NZ_C0_8" }, { 55, "END" }, { 200, "UNKNOWN_" },
    { 201, "DEFAULT_" }, { 202, "NC1KHKWHWC0_" }, { 203, "ND_" }, { 204, "NCHW_" }, { 205, "NHWC_" },
    { 206, "HWCN_" }, { 207, "NC1HWC0_" }, { 208, "FRAC_Z_" }, { 209, "C1HWNCOC0_" }, { 210, "FRAC_NZ_" },
    { 211, "NC1HWC0_C04_" }, { 212, "FRACTAL_Z_C04_" }, { 213, "NDHWC_" }, { 214, "FRACTAL_ZN_LSTM_" },
    { 215, "FRACTAL_ZN_RNN_" }, { 216, "ND_RNN_BIAS_" }, { 217, "NDC1HWC0_" }, { 218, "NCDHW_" },
    { 219, "FRACTAL_Z_3D_" }, { 220, "DHWNC_" }, { 221, "DHWCN_" }, { 255, "MAX" }, { 0, NULL },
};

#define OTHERS { 255, "RESERVED" }, { UINT32_MAX, "INVALID_TYPE" }, { 0, NULL }
const struct layout_word prof_hccl_types[] = {
    { 0, "INT8" }, { 1, "INT16" }, { 2, "INT32" }, { 3, "FP16" }, { 4, "FP32" }, { 5, "INT64" },
    { 6, "UINT64" }, { 7, "UINT8" }, { 8, "UINT16" }, { 9, "UINT32" }, { 10, "FP64" }, { 11, "BFP16" },
    { 12, "INT128" }, { 14, "HIF8" }, { 15, "FP8E4M3" },
    { 16, "FP8E5M2" }, { 17, "FP8E8M0" }, OTHERS,
};
const struct layout_word prof_links[] = {
    { 0, "ON_CHIP" }, { 1, "HCCS" }, { 2, "PCIE" }, { 3, "ROCE" }, { 4, "SIO" }, { 5, "HCCS_SW" },
    { 6, "STANDARD_ROCE" }, { 7, "UB" }, { 8, "UBoE" }, OTHERS,
};
const struct layout_word prof_transports[] = { { 0, "SDMA" }, { 1, "RDMA" }, { 2, "LOCAL" }, { 3, "UB" },
    { 4, "ROCE" }, OTHERS };
const struct layout_word prof_rdmas[] = { { 0, "RDMA_SEND_NOTIFY" }, { 1, "RDMA_SEND_PAYLOAD" }, OTHERS };
const struct layout_word prof_reduces[] = { { 0, "SUM" }, { 1, "MUL" }, { 2, "MAX" }, { 3, "MIN" }, OTHERS };
const struct layout_word prof_ccu_reduces[] = { { 0, "SUM" }, { 1, "PROD" }, { 2, "MAX" }, { 3, "MIN" },
    { 255, "RESERVED" }, { 0, NULL } };
const struct layout_word prof_tx_events[] = { { 0, "marker" }, { 1, "push/pop" }, { 2, "start/end" },
    { 3, "marker_ex" }, { 0, NULL } };
const struct layout_word prof_copies[] = {
    { 0, "host to host" }, { 1, "host to device" }, { 2, "device to host" }, { 3, "device to device" },
    { 4, "managed memory" }, { 5, "addr device to device" }, { 6, "host to device ex" },
    { 7, "device to host ex" }, { 0, NULL },
};
/* clang-format on */

const char *prof_word(const struct layout_word *table, uint64_t value)
{
    while (table->word && table->value != value)
        table++;
    return table->word;
}
