/* SPDX-License-Identifier: Apache-2.0 */
/* Private to parsers/prof: info files that a folder lost, from those of the others. */
#ifndef NPUSCOPE_PARSERS_PROF_META_MEND_H
#define NPUSCOPE_PARSERS_PROF_META_MEND_H

#include "parsers/prof/prof.h"

/*
 * To be called once every folder was read: what f lacks is taken from the others where they agree, and there
 * is a note either way.
 */
void prof_meta_mend(struct prof *p, struct prof_folder *f);

#endif
