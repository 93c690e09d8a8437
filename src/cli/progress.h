/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The line of progress on standard error: only on a terminal, at most four times a second, gone at the end.
 */
#ifndef NPUSCOPE_PROGRESS_H
#define NPUSCOPE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct progress {
    bool on;
    int64_t start_ns, shown_ns;
};
void progress_begin(struct progress *p, bool quiet);
/*
 * label: what is read, raw bytes; total_b 0: nothing but the label is shown. A first line appears when
 * reading takes longer than a quarter of a second.
 */
void progress_show(struct progress *p, const char *label, uint64_t done_b, uint64_t total_b);
/* The same with words for what is done now. */
void progress_text(struct progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void progress_end(struct progress *p);
double progress_seconds(const struct progress *p);

#endif
