/* Private to prof*.c: what a data folder says about itself (doc/formats/prof.md#metadata). */
#ifndef NPUSCOPE_PARSERS_PROF_META_H
#define NPUSCOPE_PARSERS_PROF_META_H

#include "parsers/prof/prof.h"

enum prof_paper { /* its small files */
                  PAPER_INFO,
                  PAPER_SAMPLE,
                  PAPER_START,
                  PAPER_END,
                  PAPER_HOST_CLOCK,
                  PAPER_DEVICE_CLOCK,
                  N_PAPERS
};
/* Which one a base name is; N_PAPERS: none. */
enum prof_paper prof_paper_of(const char *base);
/*
 * Fill f->meta from the files that are there (NULL: none). What is damaged becomes a note. Errors: ERR_NOMEM.
 */
NODISCARD int prof_meta_read(struct prof *p, struct prof_folder *f,
                             const struct source_file *const paper[N_PAPERS], struct err *e);

/*
 * Once every folder was read: what f lacks is taken from the others where it is the same there, and noted
 * either way.
 */
void prof_meta_mend(struct prof *p, struct prof_folder *f);

#endif
