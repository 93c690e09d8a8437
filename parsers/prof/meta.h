/* SPDX-License-Identifier: Apache-2.0 */
/* Private to parsers/prof: what the info files of a data folder say (doc/formats/prof.md#metadata). */
#ifndef NPUSCOPE_PARSERS_PROF_META_H
#define NPUSCOPE_PARSERS_PROF_META_H

#include "parsers/prof/prof.h"

enum prof_paper { /* info files */
                  PAPER_INFO,
                  PAPER_SAMPLE,
                  PAPER_START,
                  PAPER_END,
                  PAPER_HOST_CLOCK,
                  PAPER_DEVICE_CLOCK,
                  N_PAPERS
};
/* The info file with this base name; N_PAPERS: none. */
enum prof_paper prof_paper_of(const char *base);
/* Fill f->meta from the info files (NULL: not there). Damage becomes a note. Errors: ERR_NOMEM. */
NODISCARD int prof_meta_read(struct prof *p, struct prof_folder *f,
                             const struct source_file *const paper[N_PAPERS], struct err *e);

/*
 * To be called once every folder was read: what f lacks is taken from the others where they agree, and there
 * is a note either way.
 */
void prof_meta_mend(struct prof *p, struct prof_folder *f);

#endif
