/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of reading as one line of text. */
#include "config.h"

#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/unit.h"

#define LABEL_B  30 /* of a label, before the figures */
#define EVERY_NS INT64_C(250000000)

void progress_begin(struct progress *p, bool quiet)
{
    p->on = !quiet && isatty(STDERR_FILENO);
    p->start_ns = p->shown_ns = clock_ns(CLOCK_MONOTONIC);
}

double progress_seconds(const struct progress *p)
{
    return (double)(clock_ns(CLOCK_MONOTONIC) - p->start_ns) / 1e9;
}

void progress_show(struct progress *p, const char *label, uint64_t done_b, uint64_t total_b)
{
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    char left[40] = "";

    if (!p->on || now - p->shown_ns < EVERY_NS)
        return;
    p->shown_ns = now;
    if (!total_b) {
        log_progress("reading %s", label);
        return;
    }
    double seconds = (double)(now - p->start_ns) / 1e9, rate = (double)done_b / seconds;
    if (done_b > total_b)
        total_b = done_b;
    if (rate > 0 && seconds > 1)
        unit_rough_time(left, sizeof left, (double)(total_b - done_b) / rate * 1e9);
    /* The end of a long label says most, and the figures have room after it. */
    if (strlen(label) > LABEL_B)
        label += strlen(label) - LABEL_B;
    log_progress("reading %s  %.0f of %.0f MiB  %.0f MiB/s%s%s%s", label, (double)done_b / 0x1p20,
                 (double)total_b / 0x1p20, rate / 0x1p20, left[0] ? "  about " : "", left,
                 left[0] ? " left" : "");
}

void progress_text(struct progress *p, const char *fmt, ...)
{
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    char text[200];
    va_list ap;

    if (!p->on || now - p->shown_ns < EVERY_NS)
        return;
    p->shown_ns = now;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    log_progress("%s", text);
}

void progress_end(struct progress *p)
{
    if (p->on)
        log_progress(NULL);
    p->on = false;
}
