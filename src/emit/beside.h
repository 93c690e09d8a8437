/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is made in a thread of its own, with a report of its own that is joined where the file's turn
 * comes: the rows stand as if one file had been made after the other.
 */
#ifndef NPUSCOPE_EMIT_BESIDE_H
#define NPUSCOPE_EMIT_BESIDE_H

#include <pthread.h>

#include "emit/report.h"

typedef int emit_beside_fn(void *arg, struct err *e);

struct emit_beside {
    struct emit_report *report; /* for fn, until it is joined */
    struct emit_sink notes;     /* into it; cancelled, too, from emit_beside_stop() on */
    bool runs;                  /* it was started and is not joined yet */
    emit_beside_fn *fn;
    void *arg;
    atomic_bool stop;
    struct err e;
    pthread_t thread;
};

/* Sets b up with an empty report; u and cancelled are borrowed. ERR_NOMEM: emit_beside_end() is allowed. */
NODISCARD int emit_beside_init(struct emit_beside *b, const struct unit *u, bool (*cancelled)(void),
                               struct err *e);
/* Calls fn in a thread; what arg leads to is fn's alone until the end. false: there is no thread. */
bool emit_beside_start(struct emit_beside *b, emit_beside_fn *fn, void *arg);
/* fn ends at its next look at the notes' cancellation, and its result is a cancelled one. */
void emit_beside_stop(struct emit_beside *b);
/* Waits; adds its rows and notes to the report and takes its error. Returns e's code. */
NODISCARD int emit_beside_join(struct emit_beside *b, struct emit_report *report, struct err *e);
/* Waits if it still runs, and frees the report. */
void emit_beside_end(struct emit_beside *b);

#endif
