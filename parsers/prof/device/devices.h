/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the devices' own files record, read in threads while the host's are (parsers/prof/jobs.h).
 *
 *   prof_devices_start(&x, p, e);
 *   prof_host_read(&h, p, e);
 *   prof_devices_join(x, e);              then for each device, in order:
 *   prof_device_take(&d[i], x, i, &h, e);
 *   prof_devices_free(x);                 always
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_DEVICES_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_DEVICES_H

#include "parsers/prof/device/device.h"

struct prof_devices;

/* Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_devices_start(struct prof_devices **out, struct prof *p, struct err *e);
/* Errors: as prof_device_read(). */
NODISCARD int prof_devices_join(struct prof_devices *x, struct err *e);
/* Instead of prof_device_read(), for the device p->device[i], once; the same errors. */
NODISCARD int prof_device_take(struct prof_device *d, struct prof_devices *x, size_t i,
                               const struct prof_host *h, struct err *e);
/* NULL is allowed. */
void prof_devices_free(struct prof_devices *x);

#endif
