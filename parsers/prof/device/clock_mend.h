/* SPDX-License-Identifier: Apache-2.0 */
/* Private to parsers/prof: clocks that were lost, from what was recorded on both sides of them. */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_CLOCK_MEND_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_CLOCK_MEND_H

#include "parsers/prof/device/device.h"

/*
 * Place the times of a device whose clock is in doubt (prof_meta.doubt) by its tasks and the host's
 * (doc/formats/prof-quirks.md#lost-clocks): its meta gets the clock and how far it may be off; a note says
 * so. Does nothing to a clock that is known.
 */
void prof_clock_mend(struct prof *p, const struct prof_host *h, struct prof_device *d);

#endif
