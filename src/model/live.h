/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The windows of a dynamic profile while its job runs: what each is doing, and which one its configuration
 * asks for next (doc/formats/framework.md#dynamic-profiling), from names and times of files alone. Folders
 * that hold no profile yet count too, so that this needs no session. Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_LIVE_H
#define NPUSCOPE_MODEL_LIVE_H

#include "base/buf.h"
#include "base/err.h"

enum live_phase {
    LIVE_WAITING,     /* asked for, not there */
    LIVE_COLLECTING,  /* its profile has no sign of an end, and grows */
    LIVE_ANALYSING,   /* collected; the job writes its results */
    LIVE_COLLECTED,   /* collected, and nobody analyses it */
    LIVE_ANALYSED,    /* the results are there */
    LIVE_INTERRUPTED, /* its profile has no sign of an end, and does not grow */
};
/* "waiting", "collecting", ... */
const char *live_phase_word(enum live_phase p);

#define LIVE_STILL_S  60 /* without a change for so long it does not grow */
#define LIVE_RESULT_S 10 /* the same for results */

struct live_window {
    int64_t start, stop;
    int rank;
    enum live_phase phase;
    int64_t changed_ns; /* Unix time of the last change */
    char name[120];     /* of its folder */
};

struct live {
    struct live_window *v; /* by start, stop, rank */
    size_t n;
    bool cut;              /* there are more folders than are looked at */
    bool asked;            /* a profiler_config.json was found, and asks for a window */
    int64_t start, stop;   /* that one */
    enum live_phase phase; /* the least that its ranks have done */
    char config[4096];     /* "": none was found */
};

/*
 * Look at path, its folders rank<R>_start<A>_stop<B>, and the profiler_config.json in it or in one of the two
 * folders above. now_ns: Unix time. live_done() in any case. Errors: ERR_IO, ERR_NOMEM.
 */
NODISCARD int live_look(struct live *out, const char *path, int64_t now_ns, struct err *e);
void live_done(struct live *l);
/* The least that the ranks of a window have done; LIVE_WAITING: none of them is there. */
enum live_phase live_phase_of(const struct live *l, int64_t start, int64_t stop);
/* Append "next window 30-33: waiting" or "no window is asked for"; nothing when there is no configuration. */
void live_next_text(const struct live *l, struct buf *out);

#endif
