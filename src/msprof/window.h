/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a device's time that a partial export is about (doc/formats/msprof.md#command-line): from the
 * start of the first requested iteration to the end of the last one. Pure.
 */
#ifndef NPUSCOPE_MSPROF_WINDOW_H
#define NPUSCOPE_MSPROF_WINDOW_H

#include "msprof/msprof.h"
#include "parsers/prof/device/steps.h"

/* Counters of the device: a task is in the window when from < its end <= to. */
struct msprof_window {
    uint64_t from, to;
};

/* Everything in a whole export, nothing when the device has no such iteration. */
struct msprof_window msprof_window_of(const struct msprof_options *o, const struct prof_steps *s);
/* Whether the iteration is requested. */
bool msprof_window_has_step(const struct msprof_options *o, const struct prof_step *s);

#endif
