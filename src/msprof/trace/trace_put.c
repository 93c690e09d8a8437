/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a trace: members in the order of either half, numbers, names. */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/text.h"
#include "msprof/trace/trace.h"

/* ---- texts ---- */

static void put_escaped(struct emit *o, unsigned char c)
{
    static const char from[] = "\b\t\n\f\r\"\\", to[] = "btnfr\"\\", hex[] = "0123456789ABCDEF";
    const char *short_form = memchr(from, c, sizeof from - 1);
    char t[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

    if (short_form) {
        emit_c(o, '\\');
        emit_c(o, to[short_form - from]);
    } else {
        emit_n(o, t, sizeof t);
    }
}

/* The number of bytes at the beginning of s that need no escapes. */
static size_t plain_run(struct str s)
{
    size_t n = 0;

    while (n < s.n && (unsigned char)s.p[n] >= 0x20 && (unsigned char)s.p[n] < 0x80 && s.p[n] != '"' &&
           s.p[n] != '\\')
        n++;
    return n;
}

static void put_inside(struct emit *o, struct str s)
{
    while (s.n) {
        size_t n = plain_run(s);
        uint32_t cp;

        if (n) {
            emit_n(o, s.p, n);
        } else if ((unsigned char)s.p[0] < 0x80) {
            n = 1;
            put_escaped(o, (unsigned char)s.p[0]);
        } else {
            n = text_decode(s.p, s.n, &cp);
            if (cp >= 0xdc00 && cp <= 0xdcff)
                emit_s(o, "\xef\xbf\xbd");
            else
                emit_n(o, s.p, n);
        }
        s = str_sub(s, n, SIZE_MAX);
    }
}

void trace_json(struct emit *o, struct str s)
{
    emit_c(o, '"');
    put_inside(o, s);
    emit_c(o, '"');
}

static void put_id(struct emit *o, trace_id v)
{
    const uint64_t part = 10000000000000000000U; /* 10^19 */
    char t[24];

    if (v > UINT64_MAX) {
        put_id(o, v / part);
        uint64_t low = (uint64_t)(v % part);
        int n = snprintf(t, sizeof t, "%019llu", (unsigned long long)low);
        emit_n(o, t, (size_t)n);
        return;
    }
    emit_u(o, (uint64_t)v);
}

/* ---- members ---- */

static void put_name(struct msprof_trace *t, const char *word, struct str text)
{
    struct emit *o = t->o;

    emit_s(o, t->more ? ",{\"name\":\"" : "[{\"name\":\"");
    t->more = true;
    t->n_written++;
    emit_s(o, word);
    put_inside(o, text);
    emit_c(o, '"');
}

static void put_place(struct msprof_trace *t, uint64_t pid, uint32_t tid)
{
    emit_s(t->o, ",\"pid\":");
    emit_u(t->o, pid);
    emit_s(t->o, ",\"tid\":");
    emit_u(t->o, tid);
}

static void put_ts(struct msprof_trace *t, int64_t ts)
{
    emit_s(t->o, ",\"ts\":\"");
    emit_fixed(t->o, ts, 3);
    emit_c(t->o, '"');
}

static void put_ph(struct msprof_trace *t, char ph)
{
    emit_s(t->o, ",\"ph\":\"");
    emit_c(t->o, ph);
    emit_c(t->o, '"');
}

static void put_cat(struct msprof_trace *t, const char *cat)
{
    if (!cat)
        return;
    emit_s(t->o, ",\"cat\":\"");
    emit_s(t->o, cat);
    emit_c(t->o, '"');
}

static void put_slice(struct msprof_trace *t, const struct trace_event *v)
{
    put_name(t, v->word, v->text);
    put_place(t, t->pid, v->tid);
    put_ts(t, v->ts);
    emit_s(t->o, ",\"dur\":");
    if (v->dur == TRACE_US && v->column)
        msprof_put_column(t->o, v->us);
    else if (v->dur == TRACE_US)
        emit_repr(t->o, v->us);
    else
        emit_trim(t->o, v->dur, 3, 1);
    t->cat = v->cat;
    t->ph = 'X';
    if (t->dialect == DIALECT_CPP) {
        put_ph(t, 'X');
        put_cat(t, v->cat);
    }
}

static void begin_args(struct msprof_trace *t)
{
    emit_s(t->o, ",\"args\":{");
    t->arg = false;
}

void trace_slice(struct msprof_trace *t, const struct trace_event *v)
{
    put_slice(t, v);
    begin_args(t);
}

void trace_bare_slice(struct msprof_trace *t, const struct trace_event *v)
{
    put_slice(t, v);
    if (t->dialect == DIALECT_PYTHON)
        put_ph(t, 'X');
    emit_c(t->o, '}');
}

/* ts: as text. */
static void put_counter(struct msprof_trace *t, const struct trace_event *v, struct str ts)
{
    put_name(t, v->word, v->text);
    if (t->dialect == DIALECT_CPP)
        put_place(t, t->pid, v->tid);
    emit_s(t->o, ",\"ts\":\"");
    emit_str(t->o, ts);
    emit_c(t->o, '"');
    if (t->dialect == DIALECT_PYTHON)
        put_place(t, t->pid, v->tid);
    else
        put_ph(t, 'C');
    t->cat = NULL;
    t->ph = 'C';
    begin_args(t);
}

void trace_counter_of(struct msprof_trace *t, const struct trace_event *v)
{
    char text[32];
    int64_t us = v->ts / 1000, ns = v->ts % 1000;
    int n = snprintf(text, sizeof text, "%s%lld.%03d", v->ts < 0 && !us ? "-" : "", (long long)us,
                     (int)(ns < 0 ? -ns : ns));

    put_counter(t, v, (struct str){ text, (size_t)n });
}

void trace_counter(struct msprof_trace *t, const char *word, int64_t ts)
{
    trace_counter_of(t, &(struct trace_event){ .word = word, .ts = ts });
}

void trace_counter_us(struct msprof_trace *t, const char *word, double us)
{
    char text[40];

    put_counter(t, &(struct trace_event){ .word = word }, (struct str){ text, repr_text(us, text) });
}

void trace_counter_whole_us(struct msprof_trace *t, const char *word, int64_t us)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%lld", (long long)us);

    put_counter(t, &(struct trace_event){ .word = word }, (struct str){ text, (size_t)n });
}

void trace_end(struct msprof_trace *t)
{
    emit_c(t->o, '}');
    if (t->dialect == DIALECT_PYTHON) {
        put_cat(t, t->cat);
        put_ph(t, t->ph);
    }
    emit_c(t->o, '}');
}

/* ---- arguments ---- */

/* ,"key": in one piece. Keys are constants of ours, shorter than the room after emit's chunk. */
void trace_key(struct msprof_trace *t, const char *key)
{
    struct emit *o = t->o;
    size_t n = strlen(key);
    char *p = o->buf + o->n;

    assert(n < EMIT_ROOM / 2);
    *p = ',';
    p += t->arg;
    *p++ = '"';
    memcpy(p, key, n);
    p += n;
    *p++ = '"';
    *p++ = ':';
    t->arg = true;
    o->n = (size_t)(p - o->buf);
    emit_check(o);
}

void trace_u(struct msprof_trace *t, const char *key, uint64_t v)
{
    trace_key(t, key);
    emit_u(t->o, v);
}

void trace_i(struct msprof_trace *t, const char *key, int64_t v)
{
    trace_key(t, key);
    emit_i(t->o, v);
}

void trace_number_text(struct msprof_trace *t, const char *key, uint64_t v)
{
    trace_key(t, key);
    emit_c(t->o, '"');
    emit_u(t->o, v);
    emit_c(t->o, '"');
}

void trace_real(struct msprof_trace *t, const char *key, double v)
{
    trace_key(t, key);
    if (isfinite(v))
        emit_repr(t->o, v);
    else
        emit_s(t->o, "null");
}

void trace_e3(struct msprof_trace *t, const char *key, int64_t thousandths)
{
    trace_key(t, key);
    emit_trim(t->o, thousandths, 3, 1);
}

void trace_text(struct msprof_trace *t, const char *key, struct str v)
{
    trace_key(t, key);
    trace_json(t->o, v);
}

void trace_word(struct msprof_trace *t, const char *key, const char *v)
{
    trace_text(t, key, str_of(v));
}

void trace_stamp(struct msprof_trace *t, const char *key, int64_t ns)
{
    trace_key(t, key);
    emit_c(t->o, '"');
    emit_fixed(t->o, ns, 3);
    emit_c(t->o, '"');
}

/* ---- flows ---- */

#define FLOW "HostToDevice"

trace_id trace_link(uint32_t api)
{
    return (trace_id)(api + (uint64_t)1) << 32;
}

static void put_flow_id(struct msprof_trace *t, trace_id id)
{
    emit_s(t->o, ",\"id\":\"");
    put_id(t->o, id);
    emit_c(t->o, '"');
}

/* The category of a flow, and its name before the number. */
struct flow_kind {
    const char *cat, *before;
};
static const struct flow_kind of_calls = { FLOW, FLOW }, of_marks = { "MsTx", "MsTx_" };

static void put_flow_name(struct msprof_trace *t, const struct flow_kind *k, trace_id id)
{
    emit_s(t->o, t->more ? ",{\"name\":\"" : "[{\"name\":\"");
    emit_s(t->o, k->before);
    t->more = true;
    t->n_written++;
    put_id(t->o, id);
    emit_c(t->o, '"');
}

static void flow_start(struct msprof_trace *t, const struct flow_kind *k, const struct trace_flow *f)
{
    put_flow_name(t, k, f->id);
    if (t->dialect == DIALECT_PYTHON) {
        put_ph(t, 's');
        put_cat(t, k->cat);
        put_flow_id(t, f->id);
        put_place(t, t->pid, f->tid);
    } else {
        put_place(t, t->pid, f->tid);
        put_ph(t, 's');
        put_cat(t, k->cat);
        put_flow_id(t, f->id);
    }
    put_ts(t, f->ts);
    emit_c(t->o, '}');
}

/* ph: 'f', or 's' for starts with the same members. */
static void flow_end(struct msprof_trace *t, const struct flow_kind *k, const struct trace_flow *f, char ph)
{
    put_flow_name(t, k, f->id);
    if (t->dialect == DIALECT_PYTHON) {
        put_ph(t, ph);
        put_flow_id(t, f->id);
        put_ts(t, f->ts);
        put_cat(t, k->cat);
        put_place(t, t->pid, f->tid);
    } else {
        put_place(t, t->pid, f->tid);
        put_ph(t, ph);
        put_cat(t, k->cat);
        put_flow_id(t, f->id);
        put_ts(t, f->ts);
    }
    emit_s(t->o, ",\"bp\":\"e\"}");
}

void trace_flow_start(struct msprof_trace *t, const struct trace_flow *f)
{
    flow_start(t, &of_calls, f);
}

void trace_flow_end(struct msprof_trace *t, const struct trace_flow *f)
{
    const struct prof_how *how = &t->r->how[t->device];
    int64_t from = t->r->o->partial ? trace_device_ns(t, how->from) : prof_begin_ns(trace_folder(t));

    if (t->dialect == DIALECT_CPP || f->ts >= from)
        flow_end(t, &of_calls, f, 'f');
}

trace_id trace_tx_link(const struct msprof_trace *t, uint64_t mark)
{
    return t->dialect == DIALECT_PYTHON ? mark : (trace_id)mark + MSPROF_TX_CONNECTION;
}

void trace_tx_start(struct msprof_trace *t, const struct trace_flow *f)
{
    if (t->dialect == DIALECT_PYTHON)
        flow_end(t, &of_marks, f, 's');
    else
        flow_start(t, &of_marks, f);
}

void trace_tx_end(struct msprof_trace *t, const struct trace_flow *f)
{
    flow_end(t, &of_marks, f, 'f');
}

/* ---- bounds ---- */

#define BOUND "Data_aug Bound"

/* The thread's id; Python uses the process that was profiled. */
static void put_bound_id(struct msprof_trace *t, uint32_t tid)
{
    emit_s(t->o, ",\"id\":\"" BOUND " ");
    emit_u(t->o, t->dialect ? trace_profiled_pid(t) : t->pid);
    emit_c(t->o, '_');
    emit_u(t->o, tid);
    emit_c(t->o, '"');
}

void trace_bound(struct msprof_trace *t, const struct trace_bound *b)
{
    char name[48];

    snprintf(name, sizeof name, "Data_aug Bound %llu", (unsigned long long)b->n);
    put_name(t, name, (struct str){ NULL, 0 });
    if (t->dialect == DIALECT_PYTHON) {
        put_cat(t, BOUND);
        put_ph(t, b->ph);
        put_ts(t, b->ts);
        put_place(t, t->pid, b->tid);
        put_bound_id(t, b->tid);
    } else {
        put_place(t, t->pid, b->tid);
        put_ph(t, b->ph);
        put_cat(t, BOUND);
        put_bound_id(t, b->tid);
        put_ts(t, b->ts);
    }
    begin_args(t);
}

void trace_bound_end(struct msprof_trace *t)
{
    emit_s(t->o, "}}");
}

/* ---- metadata ---- */

static void meta_begin(struct msprof_trace *t, const char *name, uint32_t tid, const char *key)
{
    put_name(t, name, (struct str){ NULL, 0 });
    put_place(t, t->pid, tid);
    if (t->dialect == DIALECT_CPP)
        put_ph(t, 'M');
    emit_s(t->o, ",\"args\":{\"");
    emit_s(t->o, key);
    emit_s(t->o, "\":");
}

static void meta_end(struct msprof_trace *t)
{
    emit_c(t->o, '}');
    if (t->dialect == DIALECT_PYTHON)
        put_ph(t, 'M');
    emit_c(t->o, '}');
}

static void process_label(struct msprof_trace *t)
{
    if (t->layer->short_names)
        return;
    meta_begin(t, "process_labels", 0, "labels");
    if (t->label.p) {
        trace_json(t->o, t->label);
    } else if (t->device == TRACE_HOST) {
        emit_s(t->o, "\"CPU\"");
    } else {
        emit_s(t->o, "\"NPU ");
        emit_u(t->o, (uint64_t)trace_folder(t)->device);
        emit_c(t->o, '"');
    }
    meta_end(t);
    meta_begin(t, "process_sort_index", 0, "sort_index");
    emit_u(t->o, t->sort);
    meta_end(t);
}

static void thread_name(struct msprof_trace *t, const struct trace_thread *v)
{
    meta_begin(t, "thread_name", v->tid, "name");
    emit_c(t->o, '"');
    emit_s(t->o, v->before);
    put_inside(t->o, v->text);
    if (v->has_n)
        emit_u(t->o, v->n);
    emit_s(t->o, v->after ? v->after : "");
    emit_c(t->o, '"');
    meta_end(t);
}

static void thread_sort(struct msprof_trace *t, const struct trace_thread *v)
{
    if (t->dialect == DIALECT_PYTHON && v->no_sort)
        return;
    meta_begin(t, "thread_sort_index", v->tid, "sort_index");
    emit_u(t->o, v->sort);
    meta_end(t);
}

void trace_metadata(struct msprof_trace *t, const struct trace_thread *v, size_t n)
{
    meta_begin(t, "process_name", 0, "name");
    trace_json(t->o, t->name);
    meta_end(t);
    if (t->dialect == DIALECT_CPP)
        process_label(t);
    for (size_t i = 0; i < n; i++) {
        thread_name(t, &v[i]);
        if (t->dialect == DIALECT_CPP)
            thread_sort(t, &v[i]);
    }
    for (size_t i = 0; t->dialect == DIALECT_PYTHON && i < n; i++)
        thread_sort(t, &v[i]);
    if (t->dialect == DIALECT_PYTHON)
        process_label(t);
}

/* ---- arguments ---- */

void trace_put_arg(void *t, const struct msprof_arg *a)
{
    switch (a->type) {
    case MSPROF_ARG_UINT:
        trace_u(t, a->key, a->u);
        break;
    case MSPROF_ARG_REAL:
        trace_real(t, a->key, a->real);
        break;
    case MSPROF_ARG_TEXT:
        trace_text(t, a->key, a->text);
        break;
    }
}

/* ---- sets ---- */

#define SEEN 8 /* the last ids, which are not added again */

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

void trace_ids_sort(struct trace_ids *s)
{
    size_t n = 0;

    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, by_value);
    for (size_t i = 0; i < s->n; i++)
        if (!n || s->v[n - 1] != s->v[i])
            s->v[n++] = s->v[i];
    s->n = n;
}

int trace_ids_add(struct trace_ids *s, uint64_t id, struct err *e)
{
    for (size_t i = s->n; i-- > 0 && s->n - i <= SEEN;)
        if (s->v[i] == id)
            return OK;
    if (s->n == s->cap) { /* a full array with many repeated ids need not grow */
        trace_ids_sort(s);
        size_t want = s->n > s->cap / 2 ? s->cap : s->n;
        uint64_t *v = grow_array(s->v, want, &s->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        s->v = v;
    }
    s->v[s->n++] = id;
    return OK;
}

int trace_numbered(struct msprof_trace *t, struct trace_ids *s, const char *before, struct err *e)
{
    struct trace_thread *v;

    trace_ids_sort(s);
    v = calloc(s->n + 1, sizeof *v);
    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < s->n; i++)
        v[i] = (struct trace_thread){ .tid = (uint32_t)s->v[i],
                                      .before = before,
                                      .has_n = true,
                                      .n = (uint32_t)s->v[i],
                                      .sort = (uint32_t)s->v[i] };
    trace_metadata(t, v, s->n);
    free(v);
    return OK;
}
