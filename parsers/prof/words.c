/* Words for numbers. */
#include "config.h"

#include "parsers/prof/words.h"

/* clang-format off */
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
