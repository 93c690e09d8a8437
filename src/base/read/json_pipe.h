/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a trace (json_stream.h), scanned in a thread of their own while the caller works on those before:
 * the file's bytes stay in several windows that pass from thread to thread, the events in batches. What the
 * caller sees is the same with and without the thread.
 *
 * A struct json_pipe belongs to one thread; so does the infile until json_pipe_close(), which has to come
 * before infile_close().
 */
#ifndef NPUSCOPE_JSON_PIPE_H
#define NPUSCOPE_JSON_PIPE_H

#include "base/read/json_stream.h"

struct json_pipe {
    const struct js_event *next, *end; /* events at hand */
    struct json_pipe_state *state;     /* private */
};

/* thread: with one, if the system gives it. Does not own f. */
NODISCARD int json_pipe_open(struct json_pipe *p, struct infile *f, bool thread, struct err *e);
void json_pipe_close(struct json_pipe *p); /* of a zeroed struct: nothing */

NODISCARD int json_pipe_more(struct json_pipe *p, enum js_event_status *st, const struct js_event **ev,
                             struct err *e);
/* As js_event(); *ev is borrowed until the next call. */
NODISCARD static inline int json_pipe_event(struct json_pipe *p, enum js_event_status *st,
                                            const struct js_event **ev, struct err *e)
{
    if (p->next == p->end)
        return json_pipe_more(p, st, ev, e);
    *st = JS_EV_EVENT;
    *ev = p->next++;
    return OK;
}

/* Facts about the last js_event(), when it gave no event; also after an error. */
struct json_pipe_facts {
    uint64_t offset, cut_bytes;
    uint32_t line;
    bool over_limit; /* the problem is a limit of ours (base/limits.h), no damage */
    char problem[200];
};
const struct json_pipe_facts *json_pipe_facts(const struct json_pipe *p);
/* Bytes on disk read for the events so far, about: progress. */
uint64_t json_pipe_consumed(const struct json_pipe *p);

#endif
