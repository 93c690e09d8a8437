/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kind of a file whose name no pattern takes, by its first bytes
 * (doc/formats/analysed.md#content-probes): SQLite tables, JSON keys, CSV header. Reads a few KiB, never
 * blocks on anything but a slow disk.
 */
#ifndef NPUSCOPE_PROBE_H
#define NPUSCOPE_PROBE_H

#include "run/inventory.h"

/* NULL: unknown, also when the file cannot be read: that is no error here. */
const struct file_kind *probe_file(const struct inventory_tables *t, const char *path);
/* The same from the first bytes of a file; whole: they are all of it. SQLite is left out. */
const struct file_kind *probe_text(const struct inventory_tables *t, struct str head);

#endif
