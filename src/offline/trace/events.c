/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of files that our own export has just written. What does not look so ends the reading with an
 * error.
 */
#include "config.h"

#include "offline/trace/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/read/infile.h"
#include "base/read/json_stream.h"

#define ASK_EVERY 65536 /* events between two questions whether to go on */

struct offline_events {
    const struct offline_run *r;
    const struct offline_file *file; /* that is read; NULL: at the end */
    struct infile *in;
    struct js *js;
    uint32_t n;
};

/* ---- one event ---- */

static uint64_t number(struct str s)
{
    uint64_t v;

    return str_u64(s, &v) ? v : 0;
}

static void take_event(struct offline_event *ev, const struct js *js, const struct js_event *x)
{
    *ev = (struct offline_event){
        .raw = js_event_text(js),
        .name = x->name,
        .cat = x->cat,
        .id = x->id,
        .pid = x->pid,
        .tid = x->tid,
        .args = x->args,
        .ph = x->ph,
        .pid_n = number(x->pid),
        .tid_n = number(x->tid),
        .ts_ns = x->has_ts && offline_is_time(x->ts_ns) ? x->ts_ns : INT64_MIN,
        .dur_ns = x->has_dur && offline_is_time(x->dur_ns) ? x->dur_ns : 0,
        .has_dur = x->has_dur && offline_is_time(x->dur_ns),
        .is_exact = !x->rounded,
    };
}

struct str offline_event_name(const struct offline_event *ev, char *text, size_t n)
{
    if (!ev->name.n || !memchr(ev->name.p, '\\', ev->name.n))
        return ev->name;
    return js_unescape(str_sub(ev->name, 0, n), text);
}

/* A time without a part of a ns is the quotient of its ns: its text is not looked for again. */
bool offline_event_us(const struct offline_event *ev, const char *key, double *us)
{
    bool is_dur = key[0] == 'd';
    struct str text;
    bool is_string;

    if (ev->is_exact && (is_dur ? ev->has_dur : ev->ts_ns != INT64_MIN)) {
        *us = offline_us(is_dur ? ev->dur_ns : ev->ts_ns);
        return true;
    }
    return js_find(ev->raw, str_of(key), &text, &is_string) && str_f64(text, us);
}

/* ---- files ---- */

/* Upstream reads msprof_[0-9]*.json, then msprof_slice_*.json (doc/formats/framework.md#export). */
static const struct offline_file *next_file(const struct offline_run *r, const struct offline_file *after)
{
    do
        after = offline_exported(r, "msprof_", ".json", after);
    while (after && (after->name[7] < '0' || after->name[7] > '9'));
    return after;
}

static void close_file(struct offline_events *x)
{
    js_free(x->js);
    infile_close(x->in);
    x->js = NULL;
    x->in = NULL;
}

/* The file after the one at hand; x->file is NULL when there is none. */
static int open_next(struct offline_events *x, struct err *e)
{
    close_file(x);
    x->file = next_file(x->r, x->file);
    if (!x->file || infile_open_fd(&x->in, x->file->fd, x->file->name, 0, e))
        return e->code;
    return js_new(&x->js, x->in, e);
}

int offline_events_open(struct offline_events **out, const struct offline_run *r, struct err *e)
{
    struct offline_events *x = calloc(1, sizeof *x);

    *out = NULL;
    if (!x)
        return err_nomem(e);
    x->r = r;
    if (open_next(x, e)) {
        offline_events_close(x);
        return e->code;
    }
    *out = x;
    return OK;
}

void offline_events_close(struct offline_events *x)
{
    if (!x)
        return;
    close_file(x);
    free(x);
}

static bool asked_to_stop(const struct offline_events *x, struct err *e)
{
    if (x->n % ASK_EVERY || !sink_cancelled(x->r->notes))
        return false;
    err_set(e, ERR_CANCELLED, "interrupted");
    return true;
}

bool offline_events_next(struct offline_events *x, struct offline_event *ev, struct err *e)
{
    enum js_event_status st;
    struct js_event got;

    while (x->file && !asked_to_stop(x, e) && js_event(x->js, &st, &got, e) == OK) {
        if (st == JS_EV_EVENT) {
            take_event(ev, x->js, &got);
            ev->number = x->n++;
            return true;
        }
        if (st == JS_EV_BAD) {
            err_set(e, ERR_FORMAT, "the exported timeline: %s", js_problem(x->js));
            err_where(e, x->file->name, js_offset(x->js), 0);
            return false;
        }
        if (st == JS_EV_END && open_next(x, e))
            return false;
    }
    return false;
}
