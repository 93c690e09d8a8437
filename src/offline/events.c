/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of files that our own export has just written: an array of objects on each line or on one. What does
 * not look so ends the reading with an error.
 */
#include "config.h"

#include "offline/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/read/infile.h"
#include "base/read/json_stream.h"

#define EVENT_MAX_B ((size_t)16 << 20) /* one event: also the longest text of a cell */
#define ASK_EVERY   65536              /* events between two questions whether to go on */

struct offline_events {
    const struct offline_run *r;
    const struct offline_file *file; /* that is read; NULL: not begun, or at the end */
    struct infile *in;
    uint32_t n;
    bool bad; /* the event at hand is no JSON object */
};

/* ---- tokens ---- */

/* A place in the window: p moves up to end. Running into the end leaves p at it. */
struct cursor {
    const char *p, *end;
};

static void skip_blanks(struct cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\r' || *c->p == '\t'))
        c->p++;
}

/* After the opening quote: what is before the closing one. false: it is not there. */
static bool take_string(struct cursor *c, struct str *out)
{
    const char *from = c->p, *q = from;

    for (;;) {
        q = memchr(q, '"', (size_t)(c->end - q));
        if (!q) {
            c->p = c->end;
            return false;
        }
        size_t slashes = 0;
        while (q - slashes > from && q[-1 - (ptrdiff_t)slashes] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            break;
        q++;
    }
    *out = (struct str){ from, (size_t)(q - from) };
    c->p = q + 1;
    return true;
}

/* After the opening bracket, up to the one that closes it. */
static bool take_nested(struct cursor *c)
{
    unsigned depth = 1;
    struct str ignored;

    while (c->p < c->end) {
        char x = *c->p++;
        if (x == '"') {
            if (!take_string(c, &ignored))
                return false;
        } else if (x == '{' || x == '[') {
            depth++;
        } else if ((x == '}' || x == ']') && !--depth) {
            return true;
        }
    }
    return false;
}

static bool take_value(struct cursor *c, struct str *out)
{
    const char *from = c->p;

    if (from == c->end)
        return false;
    if (*from == '"') {
        c->p++;
        return take_string(c, out);
    }
    if (*from == '{' || *from == '[') {
        c->p++;
        if (!take_nested(c))
            return false;
    } else {
        while (c->p < c->end && *c->p != ',' && *c->p != '}' && *c->p != ' ' && *c->p != '\n')
            c->p++;
    }
    *out = (struct str){ from, (size_t)(c->p - from) };
    return c->p < c->end;
}

/* ---- one event ---- */

static uint64_t number(struct str s)
{
    uint64_t v = 0;

    for (size_t i = 0; i < s.n; i++) {
        unsigned d = (unsigned char)s.p[i] - '0';
        if (d > 9 || i == 19)
            return str_u64(s, &v) ? v : 0;
        v = v * 10 + d;
    }
    return v;
}

/* us as msprof writes it, "1718087109133569.200". */
static int64_t us_to_ns(struct str s)
{
    uint64_t digits = 0;
    int64_t v;
    size_t i = 0, point = s.n >= 5 && s.n <= 20 && s.p[s.n - 4] == '.' ? s.n - 4 : 0;

    for (; point && i < s.n; i++) {
        unsigned d = (unsigned char)s.p[i] - '0';
        if (i == point)
            continue;
        if (d > 9)
            break;
        digits = digits * 10 + d;
    }
    if (point && i == s.n)
        return digits <= (uint64_t)OFFLINE_MOST_NS ? (int64_t)digits : INT64_MIN;
    return str_scaled(s, 1000, &v, NULL) && offline_is_time(v) ? v : INT64_MIN;
}

static void take_member(struct offline_event *ev, struct str key, struct str value)
{
    static const struct {
        const char key[5];
        uint8_t n;
        size_t at;
    } members[] = {
        { "name", 4, offsetof(struct offline_event, name) },
        { "cat", 3, offsetof(struct offline_event, cat) },
        { "id", 2, offsetof(struct offline_event, id) },
        { "pid", 3, offsetof(struct offline_event, pid) },
        { "tid", 3, offsetof(struct offline_event, tid) },
        { "ts", 2, offsetof(struct offline_event, ts) },
        { "dur", 3, offsetof(struct offline_event, dur) },
        { "args", 4, offsetof(struct offline_event, args) },
    };

    if (key.n == 2 && key.p[0] == 'p' && key.p[1] == 'h') {
        ev->ph = value.n == 1 ? value.p[0] : 0;
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (key.n == members[i].n && memcmp(key.p, members[i].key, key.n) == 0) {
            memcpy((char *)ev + members[i].at, &value, sizeof value);
            return;
        }
}

/* At '{': the whole object. false: it does not end in the window (c at its end), or is none (x->bad). */
static bool take_event(struct offline_events *x, struct cursor *c, struct offline_event *ev)
{
    const char *from = c->p++;
    struct str key, value;

    *ev = (struct offline_event){ .ph = 0 };
    for (;;) {
        skip_blanks(c);
        if (c->p == c->end)
            return false;
        char next = *c->p++;
        if (next == '}')
            break;
        if (next == ',')
            continue;
        if (next != '"') {
            x->bad = true;
            return false;
        }
        if (!take_string(c, &key))
            return false;
        skip_blanks(c);
        if (c->p < c->end && *c->p == ':')
            c->p++;
        skip_blanks(c);
        if (!take_value(c, &value))
            return false;
        take_member(ev, key, value);
    }
    ev->raw = (struct str){ from, (size_t)(c->p - from) };
    ev->pid_n = number(ev->pid);
    ev->tid_n = number(ev->tid);
    ev->ts_ns = ev->ts.p ? us_to_ns(ev->ts) : INT64_MIN;
    return true;
}

struct str offline_event_name(const struct offline_event *ev, char *text, size_t n)
{
    if (!ev->name.n || !memchr(ev->name.p, '\\', ev->name.n))
        return ev->name;
    return js_unescape(str_sub(ev->name, 0, n), text);
}

int64_t offline_event_dur(const struct offline_event *ev)
{
    int64_t v;

    return ev->dur.p && str_scaled(ev->dur, 1000, &v, NULL) && offline_is_time(v) ? v : 0;
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

int offline_events_open(struct offline_events **out, const struct offline_run *r, struct err *e)
{
    struct offline_events *x = calloc(1, sizeof *x);

    *out = NULL;
    if (!x)
        return err_nomem(e);
    x->r = r;
    x->file = next_file(r, NULL);
    if (x->file && infile_open_fd(&x->in, x->file->fd, x->file->name, 0, e)) {
        free(x);
        return e->code;
    }
    *out = x;
    return OK;
}

void offline_events_close(struct offline_events *x)
{
    if (!x)
        return;
    infile_close(x->in);
    free(x);
}

/* More of the file, or the next one. false: no more, or e is set. */
static bool more(struct offline_events *x, struct err *e)
{
    size_t got = 0;

    infile_widen(x->in, EVENT_MAX_B);
    if (infile_more(x->in, &got, e))
        return false;
    if (got)
        return true;
    x->file = next_file(x->r, x->file);
    infile_close(x->in);
    x->in = NULL;
    return x->file && infile_open_fd(&x->in, x->file->fd, x->file->name, 0, e) == OK;
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
    size_t n;

    while (x->in && !asked_to_stop(x, e)) {
        const char *p = infile_data(x->in, &n);
        struct cursor c = { p, p + n };
        while (c.p < c.end && *c.p != '{')
            c.p++;
        infile_take(x->in, (size_t)(c.p - p));
        p = c.p;
        if (c.p < c.end && take_event(x, &c, ev)) {
            infile_take(x->in, (size_t)(c.p - p));
            ev->number = x->n++;
            return true;
        }
        if (x->bad) {
            err_set(e, ERR_FORMAT, "an event of the exported timeline is no JSON object");
            err_where(e, x->file->name, infile_offset(x->in), 0);
            return false;
        }
        if (!more(x, e))
            return false;
    }
    return false;
}
