/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export: samples of chips that were read and, as far as they fit, are kept for the next layer
 * or table.
 */
#ifndef NPUSCOPE_MSPROF_SOC_KEPT_H
#define NPUSCOPE_MSPROF_SOC_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSPROF_SOC_MOST_B ((size_t)16 << 20) /* of all devices; above it the file is read for each kind */
#define MSPROF_SOC_KINDS  6                  /* enum prof_soc_kind */

struct msprof_soc_kind { /* private */
    uint64_t *v;
    size_t n, cap, words; /* words: of a sample; 0: there are no samples of this kind */
};
struct msprof_soc_device { /* private */
    bool is_read, is_large;
    struct msprof_soc_kind kind[MSPROF_SOC_KINDS];
};
struct msprof_soc_kept {
    struct msprof_soc_device *dev; /* NULL: not asked for yet */
    size_t n_words;
    size_t most_words; /* 0: the usual */
};
void msprof_soc_done(struct msprof_soc_kept *k, size_t n_dev);

#endif
