/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of the program that a store was made by. */
#ifndef NPUSCOPE_STORE_STAMP_H
#define NPUSCOPE_STORE_STAMP_H

/*
 * Checksum of all sources that turn files into rows (files.mk), as the program was built. Two builds with the
 * same stamp give the same rows for the same inputs.
 */
const char *store_stamp(void);

#endif
