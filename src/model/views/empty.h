/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Empty states (doc/screens.md#empty-states): why a pane has no data, and which profiler option would have
 * produced it. A table, shared by panes and commands. A struct view_def names its entry in `empty`.
 */
#ifndef NPUSCOPE_MODEL_VIEWS_EMPTY_H
#define NPUSCOPE_MODEL_VIEWS_EMPTY_H

#include "base/buf.h"
#include "configure/switches.h"
#include "run/kind.h"
#include "run/runinfo.h"
#include "store/store.h"

#define EMPTY_WORD_W 16 /* cells of the word that a paragraph begins with */

enum empty_option { /* the recorded option that decides */
                    EO_NONE,
                    EO_MEMORY,
                    EO_DATA,
                    EO_COMM,
                    EO_CPU,
                    EO_NPU
};

struct empty_state {
    const char *id; /* "mem.static" */
    enum pane_id pane;
    const char *title; /* a sentence */
    const char *files; /* files that were looked for, comma separated */
    const char *why;   /* used when the options do not decide; both explanations when two are possible */
    enum empty_option option;
    struct {
        enum switch_id id;
        const char *value; /* NULL: no more */
    } sw[2];               /* that collect it, the older one first; the words are those of their table */
    const char *get;       /* more lines, separated by '\n': what to write or do next time; NULL: no more */
    const char *without;   /* what is shown without it, or NULL */
};

/* NULL: unknown id. */
const struct empty_state *empty_find(const char *id);
/* Append the switch as people write it: "op_time (activities with NPU)"; nothing with EO_NONE. */
void empty_option_name(const struct empty_state *s, struct buf *out);
/* The i-th, NULL after the last. */
const struct empty_state *empty_nth(size_t i);
/*
 * The whole text: a title line, a blank one, then "Looked for", "Why", "To get it", "Without it" paragraphs,
 * the word in the first EMPTY_WORD_W cells. In the language of tr(), as all that follows.
 */
void empty_text(const struct empty_state *s, const struct runinfo *info, struct buf *out);
/* The same where there are only logs, no profile. */
void empty_text_of_logs(const struct empty_state *s, struct buf *out);
/* Append one sentence for commands: "no memory data in this run: the option profile_memory was off". */
void empty_sentence(const struct empty_state *s, const struct runinfo *info, struct buf *out);

/*
 * Append "to get it: ..." in one line: what would have produced the data. false, nothing added: the option
 * was on, or nothing could have.
 */
bool empty_advice(const struct empty_state *s, const struct runinfo *info, struct buf *out);
/*
 * Append why there is nothing, as far as the store knows: there was no room for the pane's file (source.note
 * "no room: ..."), raw files that are not read hold it, a file of the pane is damaged or empty, or other
 * tables hold sums of what it would show in detail. false, nothing added: the store does not know. store
 * NULL: none is open.
 */
bool empty_known(struct store *store, const struct empty_state *s, struct buf *out);
/*
 * Append why Comm has steps of ranks but no ops, and where else communication of this rank stands: lines,
 * separated by '\n'.
 */
void empty_comm_ops(struct store *store, int rank, struct buf *out);
/* The same in the form of empty_text(). */
bool empty_known_text(struct store *store, const struct empty_state *s, struct buf *out);

#endif
