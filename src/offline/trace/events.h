/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of msprof's timeline as it was exported, in the order of its files, and how Python writes one
 * again after parsing it: what trace_view.json holds of them. Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_EVENTS_H
#define NPUSCOPE_OFFLINE_EVENTS_H

#include "offline/run.h"

/* Texts are raw bytes between the quotes, numbers as written; p NULL: absent. Valid until the next one. */
struct offline_event {
    struct str raw; /* the whole object */
    struct str name, cat, id, pid, tid, args;
    char ph;
    uint64_t pid_n, tid_n;  /* 0 where it is no number */
    int64_t ts_ns;          /* INT64_MIN: absent or no time */
    int64_t dur_ns;         /* rounded; 0: absent or no time */
    uint32_t number;        /* of all events, from 0 */
    bool has_dur, is_exact; /* dur_ns is there; neither time was rounded */
};
struct offline_events;

NODISCARD int offline_events_open(struct offline_events **out, const struct offline_run *r, struct err *e);
/* The next event; false at the end, or when e is set: ERR_IO, ERR_FORMAT, ERR_NOMEM, ERR_CANCELLED. */
bool offline_events_next(struct offline_events *x, struct offline_event *ev, struct err *e);
void offline_events_close(struct offline_events *x);
/* The name without its escapes, at most n bytes of it: in text, or borrowed as the event is. */
struct str offline_event_name(const struct offline_event *ev, char *text, size_t n);
/* The member "ts" or "dur" as the double that its text stands for, us. false: absent or no number. */
bool offline_event_us(const struct offline_event *ev, const char *key, double *us);

/*
 * Write the JSON value as Python's json.dumps() writes what json.loads() made of it: ", " and ": ", numbers
 * with a fraction as their shortest text, strings with the escapes that JSON needs. more: text that stands
 * before the end of the object `inside`, which is a part of raw ("\"key\": 1"); p NULL: nothing.
 */
void offline_rewrite(struct emit *o, struct str raw, struct str inside, struct str more);

#endif
