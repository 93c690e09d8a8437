/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the framework recorded beside a PROF folder, or alone (doc/formats/framework.md#framework-files): read
 * after the folder's model, written as rows of the store.
 */
#ifndef NPUSCOPE_PARSERS_PROF_ROWS_ROWS_FRAMEWORK_H
#define NPUSCOPE_PARSERS_PROF_ROWS_ROWS_FRAMEWORK_H

#include "parsers/framework/join.h"
#include "parsers/prof/rows/rows.h"

struct prof_rows_framework {
    struct framework f;
    struct framework_joins joins;
    struct spool *own; /* without a PROF folder; else its pool is used */
    struct framework_step {
        int64_t from, to, number;
    } * step; /* marked by the program, by start */
    size_t n_steps, cap_steps;
};

/* A member that the framework wrote. */
static inline bool prof_rows_is_framework(enum role r)
{
    return r == ROLE_HOST_RANGES || r == ROLE_HOST_MARKS || r == ROLE_HOST_MEMORY;
}
/*
 * The clock of the framework's files, by what the PROF folder's host says (NULL: there is none) and the run's
 * settings. f->torch is set.
 */
void prof_rows_framework_clock(struct framework *f, const struct prof_meta *m, const struct runinfo *run);
/*
 * Read the framework's members of the group; r->m is read, or r->m.p is NULL: there is no PROF folder.
 * Release with prof_rows_framework_done() also after an error. Errors: ERR_LIMIT, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_rows_framework_read(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);
void prof_rows_framework_done(struct prof_rows_framework *w);
/* host_op, tracks and arrows. Errors: those of the sink, ERR_NOMEM. */
NODISCARD int prof_rows_framework_write(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);
/* mem_alloc, mem_sample. Errors: the same, ERR_LIMIT, ERR_CANCELLED. */
NODISCARD int prof_rows_framework_memory(struct prof_rows_framework *w, struct prof_rows *r, struct err *e);

#endif
