/* SPDX-License-Identifier: Apache-2.0 */
/* Private to parsers/prof: ts_track of chip 0 (doc/formats/prof.md#ts_track). */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_DEVICE_MINI_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_DEVICE_MINI_H

#include "parsers/prof/prof.h"

/* The second byte of a record. */
enum { MINI_LINE = 3, MINI_COUNTS = 4, MINI_STEP = 10, MINI_COPY = 11 };
/* States of a MINI_LINE record. */
enum { MINI_RUNS = 2, MINI_DONE = 3 };

/* Every whole record, whatever its kind. Errors: as prof_read(). */
NODISCARD int prof_mini_read(struct prof *p, const struct prof_folder *f, prof_record_fn *fn, void *arg,
                             struct err *e);

#endif
