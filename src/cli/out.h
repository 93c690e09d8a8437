/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where results go: standard output, a pager, or a file that appears when it is whole. Every write is
 * checked.
 *
 * The only writer to standard output of the program. A reader that goes away (EPIPE) is no error: out_close()
 * reports it.
 */
#ifndef NPUSCOPE_OUT_H
#define NPUSCOPE_OUT_H

#include <stdbool.h>

#include "model/writer/writer.h"

struct out;

struct out_opts {
    const char *path; /* NULL: standard output */
    bool page;        /* through PAGER when it is a terminal and the text does not fit */
    struct buf *into; /* gathered there instead of written; borrowed until out_close() or out_abort() */
};

NODISCARD int out_open(struct out **out, const struct out_opts *o, struct err *e);
/* Gathered and written later; a failure is kept and reported by out_close(). */
void out_add(struct out *o, struct str s);
void out_puts(struct out *o, const char *text);
void out_printf(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);
/*
 * Write what was gathered, for a reader that waits; not through a pager. false: it failed, or the reader went
 * away; out_close() says which.
 */
bool out_flush(struct out *o);
/* For a writer: its text goes here. A failure or a signal ends it early. */
struct write_to out_writer(struct out *o);
bool out_is_paged(const struct out *o);
/*
 * What is added from now on is the same result once more, from its beginning: what the reader has already is
 * left out. When it is not the same, out_close() fails.
 */
void out_repeat(struct out *o);
/* Write the rest, wait for the pager, rename the file. Frees o. *gone: the reader went away. */
NODISCARD int out_close(struct out *o, bool *gone, struct err *e);
/* Give up: a file is not made. Frees o. NULL is allowed. */
void out_abort(struct out *o);

#endif
