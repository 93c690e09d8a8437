/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the sink interface that every implementation shares, and the counting sink. */
#include "config.h"

#include "store/sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/sink_count.h"

const char *track_kind_word(enum track_kind k)
{
    static const char *const words[N_TRACK_KINDS] = {
        [TK_STEP] = "step",
        [TK_STREAM] = "stream",
        [TK_PLANE] = "plane",
        [TK_ENGINE] = "engine",
        [TK_HOST_THREAD] = "host_thread",
        [TK_OVERLAP] = "overlap",
        [TK_COUNTER] = "counter",
        [TK_SCOPE] = "scope",
        [TK_MEMORY] = "memory",
        [TK_QUEUE] = "queue",
        [TK_AICPU] = "aicpu",
        [TK_FLOW] = "flow",
    };
    return (size_t)k < N_TRACK_KINDS ? words[k] : "?";
}

void sink_note(struct sink *s, enum note_code code, const struct where *w, const char *fmt, ...)
{
    char text[SINK_NOTE_B];
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n >= (int)sizeof text) /* a name in it may be cut */
        memcpy(text + sizeof text - sizeof STR_CUT, STR_CUT, sizeof STR_CUT);
    s->ops->note(s, code, w, text);
}

/* ---- the quiet sink ---- */

static void no_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    (void)s, (void)code, (void)w, (void)text;
}

static bool quiet_cancelled(const struct sink *s)
{
    const struct sink_quiet *q = (const struct sink_quiet *)s;

    return q->asks && sink_cancelled(q->asks);
}

void sink_quiet_init(struct sink_quiet *q, const struct sink *asks)
{
    static const struct sink_ops ops = { .note = no_note, .cancelled = quiet_cancelled };

    *q = (struct sink_quiet){ .sink = { .ops = &ops }, .asks = asks };
}

/* ---- the counting sink ---- */

struct sink_count {
    struct sink base;
    struct sink_counts c;
    sink_count_row_fn *on_row;
    sink_count_op_fn *on_op;
    void *arg;
    struct intern *names;
    size_t extra_columns;
};

static int count_row(struct sink *s, enum table_id t, const struct val *v, size_t n, int64_t *id,
                     struct err *e)
{
    struct sink_count *c = (struct sink_count *)s;

    (void)e;
    if ((size_t)t < N_TABLES)
        c->c.rows[t]++;
    c->c.total++;
    if (id)
        *id = (size_t)t < N_TABLES ? (int64_t)c->c.rows[t] : 0;
    if (c->on_row)
        c->on_row(c->arg, t, v, n);
    return OK;
}

static int count_column(struct sink *s, enum table_id t, struct str name, enum col_type type, size_t *index,
                        struct err *e)
{
    struct sink_count *c = (struct sink_count *)s;

    (void)name;
    (void)type;
    (void)e;
    *index = schema_tables[t].n_cols + c->extra_columns++;
    return OK;
}

static void count_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    struct sink_count *c = (struct sink_count *)s;

    c->c.notes[code] += w && w->count ? w->count : 1;
    c->c.note_calls++;
    if (!c->c.first_note[0])
        snprintf(c->c.first_note, sizeof c->c.first_note, "%s", text);
}

static uint32_t count_intern(struct sink *s, struct str text)
{
    uint32_t id = intern_put(((struct sink_count *)s)->names, text);
    return id == INTERN_NONE ? 0 : id + 1;
}

static int64_t count_op(struct sink *s, const struct op_key *k, const struct op_attr *a, struct err *e)
{
    struct sink_count *c = (struct sink_count *)s;
    int64_t id = (int64_t)++c->c.ops;

    (void)a;
    (void)e;
    if (c->on_op)
        c->on_op(c->arg, id, k);
    return id;
}

static uint32_t count_track(struct sink *s, const struct track_def *d)
{
    (void)d;
    return (uint32_t)++((struct sink_count *)s)->c.tracks;
}

static int count_track_set(struct sink *s, uint32_t track, const struct track_def *d, struct err *e)
{
    (void)s;
    (void)track;
    (void)d;
    (void)e;
    return OK;
}

static int count_event(struct sink *s, uint32_t track, int64_t ts_ns, int64_t dur_ns, uint32_t name,
                       uint64_t off, struct err *e)
{
    struct sink_count *c = (struct sink_count *)s;

    (void)track;
    (void)name;
    (void)off;
    (void)e;
    c->c.events++;
    c->c.ts_sum += (uint64_t)ts_ns;
    c->c.dur_sum += (uint64_t)dur_ns;
    return OK;
}

static int count_flow(struct sink *s, uint32_t track, int64_t ts_ns, char phase, uint32_t cat, uint64_t id,
                      struct err *e)
{
    (void)track;
    (void)ts_ns;
    (void)phase;
    (void)cat;
    (void)id;
    (void)e;
    ((struct sink_count *)s)->c.flows++;
    return OK;
}

static int count_sample(struct sink *s, uint32_t track, int64_t ts_ns, double value, struct err *e)
{
    (void)track;
    (void)ts_ns;
    (void)value;
    (void)e;
    ((struct sink_count *)s)->c.samples++;
    return OK;
}

static int count_generic_open(struct sink *s, uint32_t source_id, struct str part, const struct str *names,
                              size_t n, struct err *e)
{
    (void)part;
    (void)source_id;
    (void)names;
    (void)n;
    (void)e;
    ((struct sink_count *)s)->c.generic_tables++;
    return OK;
}

static int count_generic_row(struct sink *s, const struct val *v, size_t n, struct err *e)
{
    struct sink_count *c = (struct sink_count *)s;

    (void)v;
    (void)n;
    (void)e;
    c->c.generic_rows++;
    c->c.total++;
    return OK;
}

static const struct sink_ops count_ops = {
    .row = count_row,
    .column = count_column,
    .note = count_note,
    .intern = count_intern,
    .op = count_op,
    .track = count_track,
    .track_set = count_track_set,
    .event = count_event,
    .flow = count_flow,
    .sample = count_sample,
    .generic_open = count_generic_open,
    .generic_row = count_generic_row,
};

int sink_count_new(struct sink_count **out, struct err *e)
{
    struct sink_count *c = calloc(1, sizeof *c);

    if (!c)
        return err_nomem(e);
    c->base.ops = &count_ops;
    if (intern_new(&c->names, e)) {
        free(c);
        return e->code;
    }
    *out = c;
    return OK;
}

void sink_count_free(struct sink_count *c)
{
    if (!c)
        return;
    intern_free(c->names);
    free(c);
}

struct sink *sink_count_sink(struct sink_count *c)
{
    return &c->base;
}

const struct sink_counts *sink_count_get(const struct sink_count *c)
{
    return &c->c;
}

struct str sink_count_string(const struct sink_count *c, int64_t id)
{
    return id > 0 && id <= intern_count(c->names) ? intern_get(c->names, (uint32_t)id - 1) : STR_NULL;
}

uint32_t sink_count_find(const struct sink_count *c, struct str text)
{
    uint32_t id = text.p ? intern_find(c->names, text) : INTERN_NONE;
    return id == INTERN_NONE ? 0 : id + 1;
}

void sink_count_on_op(struct sink_count *c, sink_count_op_fn *fn)
{
    c->on_op = fn;
}

void sink_count_on_row(struct sink_count *c, sink_count_row_fn *fn, void *arg)
{
    c->on_row = fn;
    c->arg = arg;
}

void sink_generic_name(uint32_t source_id, struct str part, char *buf, size_t n)
{
    if (part.p)
        snprintf(buf, n, "t_%u_%.*s", source_id, (int)part.n, part.p);
    else
        snprintf(buf, n, "t_%u", source_id);
}
