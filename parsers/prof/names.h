/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: the texts of a PROF folder and its dictionaries
 * (doc/formats/prof.md#dictionaries).
 */
#ifndef NPUSCOPE_PARSERS_PROF_NAMES_H
#define NPUSCOPE_PARSERS_PROF_NAMES_H

#include "parsers/prof/prof.h"

/* base: texts and dictionaries to begin with, borrowed as long as these live; NULL: none. */
NODISCARD int prof_names_new(struct prof *p, const struct prof_names *base, struct err *e);
void prof_names_free(struct prof_names *n);
/* Read hash_dic and type_info_dic of the host. */
NODISCARD int prof_names_read(struct prof *p, struct err *e);

#endif
