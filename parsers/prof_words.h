/* Words for the numbers in records of a PROF folder (formats/msprof-raw.md 3.4, 3.7): tables of data, ended by a row without a word. */
#ifndef NPUSCOPE_PROF_WORDS_H
#define NPUSCOPE_PROF_WORDS_H

#include "run/layout.h"

/* Of communication; 4294967295 is INVALID_TYPE in all of them. */
extern const struct layout_word prof_hccl_types[], prof_links[], prof_transports[], prof_rdmas[],
    prof_reduces[];

/* Directions of copies (memcpy_info). */
extern const struct layout_word prof_copies[];

/* NULL: the table does not have it. */
const char *prof_word(const struct layout_word *table, uint64_t value);

#endif
