/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of raw records: lists for struct file_kind, each ended by one without an id. */
#ifndef NPUSCOPE_LAYOUTS_H
#define NPUSCOPE_LAYOUTS_H

#include "run/layout.h"

extern const struct layout layouts_hwts[], layouts_framework[], layouts_training_trace[], layouts_ts_track[],
    layouts_aicpu[], layouts_aicpu_mi[], layouts_aicore[], layouts_host_api[], layouts_host_compact[],
    layouts_host_additional[], layouts_stars[], layouts_freq[], layouts_preprocess[], layouts_npu_mem[],
    layouts_sampled[], layouts_usage[], layouts_host_legacy[], layouts_op_range[], layouts_fw_memory[],
    layouts_fw_other[];

#endif
