/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every file that is written: tables have as many cells in each row, JSON is whole. */
#ifndef NPUSCOPE_FUZZ_WRITTEN_H
#define NPUSCOPE_FUZZ_WRITTEN_H

#include <stddef.h>

/* Checks all files in a folder and in folders of it; returns their number. */
size_t fuzz_written(const char *dir);

#endif
