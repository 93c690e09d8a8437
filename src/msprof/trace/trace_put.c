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

static void put_escaped(struct vout *o, unsigned char c)
{
    static const char from[] = "\b\t\n\f\r\"\\", to[] = "btnfr\"\\", hex[] = "0123456789ABCDEF";
    const char *short_form = memchr(from, c, sizeof from - 1);
    char t[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

    if (short_form) {
        vout_c(o, '\\');
        vout_c(o, to[short_form - from]);
    } else {
        vout_n(o, t, sizeof t);
    }
}

/* Bytes at the beginning of s that stand for themselves. */
static size_t plain_run(struct str s)
{
    size_t n = 0;

    while (n < s.n && (unsigned char)s.p[n] >= 0x20 && (unsigned char)s.p[n] < 0x80 &&
           s.p[n] != '"' && s.p[n] != '\\')
        n++;
    return n;
}

static void put_inside(struct vout *o, struct str s)
{
    while (s.n) {
        size_t n = plain_run(s);
        uint32_t cp;

        if (n) {
            vout_n(o, s.p, n);
        } else if ((unsigned char)s.p[0] < 0x80) {
            n = 1;
            put_escaped(o, (unsigned char)s.p[0]);
        } else {
            n = text_decode(s.p, s.n, &cp);
            if (cp >= 0xdc00 && cp <= 0xdcff)
                vout_s(o, "\xef\xbf\xbd");
            else
                vout_n(o, s.p, n);
        }
        s = str_sub(s, n, SIZE_MAX);
    }
}

void mt_json(struct vout *o, struct str s)
{
    vout_c(o, '"');
    put_inside(o, s);
    vout_c(o, '"');
}

static void put_id(struct vout *o, mt_id v)
{
    const uint64_t part = 10000000000000000000U; /* 10^19 */
    char t[24];

    if (v > UINT64_MAX) {
        put_id(o, v / part);
        uint64_t low = (uint64_t)(v % part);
        int n = snprintf(t, sizeof t, "%019llu", (unsigned long long)low);
        vout_n(o, t, (size_t)n);
        return;
    }
    vout_u(o, (uint64_t)v);
}

/* ---- members ---- */

static void put_name(struct ms_trace *t, const char *word, struct str text)
{
    struct vout *o = t->o;

    vout_s(o, t->more ? ",{\"name\":\"" : "[{\"name\":\"");
    t->more = true;
    t->n_written++;
    vout_s(o, word);
    put_inside(o, text);
    vout_c(o, '"');
}

static void put_place(struct ms_trace *t, uint64_t pid, uint32_t tid)
{
    vout_s(t->o, ",\"pid\":");
    vout_u(t->o, pid);
    vout_s(t->o, ",\"tid\":");
    vout_u(t->o, tid);
}

static void put_ts(struct ms_trace *t, int64_t ts)
{
    vout_s(t->o, ",\"ts\":\"");
    vout_fixed(t->o, ts, 3);
    vout_c(t->o, '"');
}

static void put_ph(struct ms_trace *t, char ph)
{
    vout_s(t->o, ",\"ph\":\"");
    vout_c(t->o, ph);
    vout_c(t->o, '"');
}

static void put_cat(struct ms_trace *t, const char *cat)
{
    if (!cat)
        return;
    vout_s(t->o, ",\"cat\":\"");
    vout_s(t->o, cat);
    vout_c(t->o, '"');
}

static void put_slice(struct ms_trace *t, const struct mt_event *v)
{
    put_name(t, v->word, v->text);
    put_place(t, t->pid, v->tid);
    put_ts(t, v->ts);
    vout_s(t->o, ",\"dur\":");
    if (v->dur == MT_US && v->column)
        ms_put_column(t->o, v->us);
    else if (v->dur == MT_US)
        vout_repr(t->o, v->us);
    else
        vout_trim(t->o, v->dur, 3, 1);
    t->cat = v->cat;
    t->ph = 'X';
    if (!t->python) {
        put_ph(t, 'X');
        put_cat(t, v->cat);
    }
}

static void begin_args(struct ms_trace *t)
{
    vout_s(t->o, ",\"args\":{");
    t->arg = false;
}

void mt_slice(struct ms_trace *t, const struct mt_event *v)
{
    put_slice(t, v);
    begin_args(t);
}

void mt_bare_slice(struct ms_trace *t, const struct mt_event *v)
{
    put_slice(t, v);
    if (t->python)
        put_ph(t, 'X');
    vout_c(t->o, '}');
}

/* ts: as text. */
static void put_counter(struct ms_trace *t, const struct mt_event *v, struct str ts)
{
    put_name(t, v->word, v->text);
    if (!t->python)
        put_place(t, t->pid, v->tid);
    vout_s(t->o, ",\"ts\":\"");
    vout_str(t->o, ts);
    vout_c(t->o, '"');
    if (t->python)
        put_place(t, t->pid, v->tid);
    else
        put_ph(t, 'C');
    t->cat = NULL;
    t->ph = 'C';
    begin_args(t);
}

void mt_counter_of(struct ms_trace *t, const struct mt_event *v)
{
    char text[32];
    int64_t us = v->ts / 1000, ns = v->ts % 1000;
    int n = snprintf(text, sizeof text, "%s%lld.%03d", v->ts < 0 && !us ? "-" : "", (long long)us,
                     (int)(ns < 0 ? -ns : ns));

    put_counter(t, v, (struct str){ text, (size_t)n });
}

void mt_counter(struct ms_trace *t, const char *word, int64_t ts)
{
    mt_counter_of(t, &(struct mt_event){ .word = word, .ts = ts });
}

void mt_counter_us(struct ms_trace *t, const char *word, double us)
{
    char text[40];

    put_counter(t, &(struct mt_event){ .word = word }, (struct str){ text, vendor_repr(us, text) });
}

void mt_counter_whole_us(struct ms_trace *t, const char *word, int64_t us)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%lld", (long long)us);

    put_counter(t, &(struct mt_event){ .word = word }, (struct str){ text, (size_t)n });
}

void mt_end(struct ms_trace *t)
{
    vout_c(t->o, '}');
    if (t->python) {
        put_cat(t, t->cat);
        put_ph(t, t->ph);
    }
    vout_c(t->o, '}');
}

/* ---- arguments ---- */

/* ,"key": in one piece. Keys are words of ours, shorter than the room behind vout's chunk. */
void mt_key(struct ms_trace *t, const char *key)
{
    struct vout *o = t->o;
    size_t n = strlen(key);
    char *p = o->buf + o->n;

    assert(n < VOUT_ROOM / 2);
    *p = ',';
    p += t->arg;
    *p++ = '"';
    memcpy(p, key, n);
    p += n;
    *p++ = '"';
    *p++ = ':';
    t->arg = true;
    o->n = (size_t)(p - o->buf);
    vout_check(o);
}

void mt_u(struct ms_trace *t, const char *key, uint64_t v)
{
    mt_key(t, key);
    vout_u(t->o, v);
}

void mt_i(struct ms_trace *t, const char *key, int64_t v)
{
    mt_key(t, key);
    vout_i(t->o, v);
}

void mt_number_text(struct ms_trace *t, const char *key, uint64_t v)
{
    mt_key(t, key);
    vout_c(t->o, '"');
    vout_u(t->o, v);
    vout_c(t->o, '"');
}

void mt_real(struct ms_trace *t, const char *key, double v)
{
    mt_key(t, key);
    if (isfinite(v))
        vout_repr(t->o, v);
    else
        vout_s(t->o, "null");
}

void mt_e3(struct ms_trace *t, const char *key, int64_t thousandths)
{
    mt_key(t, key);
    vout_trim(t->o, thousandths, 3, 1);
}

void mt_text(struct ms_trace *t, const char *key, struct str v)
{
    mt_key(t, key);
    mt_json(t->o, v);
}

void mt_word(struct ms_trace *t, const char *key, const char *v)
{
    mt_text(t, key, str_of(v));
}

void mt_stamp(struct ms_trace *t, const char *key, int64_t ns)
{
    mt_key(t, key);
    vout_c(t->o, '"');
    vout_fixed(t->o, ns, 3);
    vout_c(t->o, '"');
}

/* ---- flows ---- */

#define FLOW "HostToDevice"

mt_id mt_link(uint32_t api)
{
    return (mt_id)(api + (uint64_t)1) << 32;
}

static void put_flow_id(struct ms_trace *t, mt_id id)
{
    vout_s(t->o, ",\"id\":\"");
    put_id(t->o, id);
    vout_c(t->o, '"');
}

/* Its category, and what its name is before the number. */
struct flow_kind {
    const char *cat, *before;
};
static const struct flow_kind of_calls = { FLOW, FLOW }, of_marks = { "MsTx", "MsTx_" };

static void put_flow_name(struct ms_trace *t, const struct flow_kind *k, mt_id id)
{
    vout_s(t->o, t->more ? ",{\"name\":\"" : "[{\"name\":\"");
    vout_s(t->o, k->before);
    t->more = true;
    t->n_written++;
    put_id(t->o, id);
    vout_c(t->o, '"');
}

static void flow_start(struct ms_trace *t, const struct flow_kind *k, const struct mt_flow *f)
{
    put_flow_name(t, k, f->id);
    if (t->python) {
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
    vout_c(t->o, '}');
}

/* ph: 'f', or 's' of what begins with the same members. */
static void flow_end(struct ms_trace *t, const struct flow_kind *k, const struct mt_flow *f,
                     char ph)
{
    put_flow_name(t, k, f->id);
    if (t->python) {
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
    vout_s(t->o, ",\"bp\":\"e\"}");
}

void mt_flow_start(struct ms_trace *t, const struct mt_flow *f)
{
    flow_start(t, &of_calls, f);
}

void mt_flow_end(struct ms_trace *t, const struct mt_flow *f)
{
    flow_end(t, &of_calls, f, 'f');
}

mt_id mt_tx_link(const struct ms_trace *t, uint64_t mark)
{
    return t->python ? mark : (mt_id)mark + MS_TX_CONNECTION;
}

void mt_tx_start(struct ms_trace *t, const struct mt_flow *f)
{
    if (t->python)
        flow_end(t, &of_marks, f, 's');
    else
        flow_start(t, &of_marks, f);
}

void mt_tx_end(struct ms_trace *t, const struct mt_flow *f)
{
    flow_end(t, &of_marks, f, 'f');
}

/* ---- bounds ---- */

#define BOUND "Data_aug Bound"

/* Of its thread; Python's has the process that was profiled. */
static void put_bound_id(struct ms_trace *t, uint32_t tid)
{
    vout_s(t->o, ",\"id\":\"" BOUND " ");
    vout_u(t->o, t->python ? mt_profiled_pid(t) : t->pid);
    vout_c(t->o, '_');
    vout_u(t->o, tid);
    vout_c(t->o, '"');
}

void mt_bound(struct ms_trace *t, const struct mt_bound *b)
{
    char name[48];

    snprintf(name, sizeof name, "Data_aug Bound %llu", (unsigned long long)b->n);
    put_name(t, name, (struct str){ NULL, 0 });
    if (t->python) {
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

void mt_bound_end(struct ms_trace *t)
{
    vout_s(t->o, "}}");
}

/* ---- metadata ---- */

static void meta_begin(struct ms_trace *t, const char *name, uint32_t tid, const char *key)
{
    put_name(t, name, (struct str){ NULL, 0 });
    put_place(t, t->pid, tid);
    if (!t->python)
        put_ph(t, 'M');
    vout_s(t->o, ",\"args\":{\"");
    vout_s(t->o, key);
    vout_s(t->o, "\":");
}

static void meta_end(struct ms_trace *t)
{
    vout_c(t->o, '}');
    if (t->python)
        put_ph(t, 'M');
    vout_c(t->o, '}');
}

static void process_label(struct ms_trace *t)
{
    if (t->layer->short_names)
        return;
    meta_begin(t, "process_labels", 0, "labels");
    if (t->label.p) {
        mt_json(t->o, t->label);
    } else if (t->device == MT_HOST) {
        vout_s(t->o, "\"CPU\"");
    } else {
        vout_s(t->o, "\"NPU ");
        vout_u(t->o, (uint64_t)mt_folder(t)->device);
        vout_c(t->o, '"');
    }
    meta_end(t);
    meta_begin(t, "process_sort_index", 0, "sort_index");
    vout_u(t->o, t->sort);
    meta_end(t);
}

static void thread_name(struct ms_trace *t, const struct mt_thread *v)
{
    meta_begin(t, "thread_name", v->tid, "name");
    vout_c(t->o, '"');
    vout_s(t->o, v->before);
    put_inside(t->o, v->text);
    if (v->has_n)
        vout_u(t->o, v->n);
    vout_s(t->o, v->after ? v->after : "");
    vout_c(t->o, '"');
    meta_end(t);
}

static void thread_sort(struct ms_trace *t, const struct mt_thread *v)
{
    if (t->python && v->no_sort)
        return;
    meta_begin(t, "thread_sort_index", v->tid, "sort_index");
    vout_u(t->o, v->sort);
    meta_end(t);
}

void mt_metadata(struct ms_trace *t, const struct mt_thread *v, size_t n)
{
    meta_begin(t, "process_name", 0, "name");
    mt_json(t->o, t->name);
    meta_end(t);
    if (!t->python)
        process_label(t);
    for (size_t i = 0; i < n; i++) {
        thread_name(t, &v[i]);
        if (!t->python)
            thread_sort(t, &v[i]);
    }
    for (size_t i = 0; t->python && i < n; i++)
        thread_sort(t, &v[i]);
    if (t->python)
        process_label(t);
}

/* ---- arguments ---- */

void mt_put_arg(void *t, const struct ms_arg *a)
{
    switch (a->type) {
    case MS_ARG_UINT:
        mt_u(t, a->key, a->u);
        break;
    case MS_ARG_REAL:
        mt_real(t, a->key, a->real);
        break;
    case MS_ARG_TEXT:
        mt_text(t, a->key, a->text);
        break;
    }
}

/* ---- sets ---- */

#define SEEN 8 /* of the last ones, which are not added again */

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

void mt_ids_sort(struct mt_ids *s)
{
    size_t n = 0;

    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, by_value);
    for (size_t i = 0; i < s->n; i++)
        if (!n || s->v[n - 1] != s->v[i])
            s->v[n++] = s->v[i];
    s->n = n;
}

int mt_ids_add(struct mt_ids *s, uint64_t id, struct err *e)
{
    for (size_t i = s->n; i-- > 0 && s->n - i <= SEEN;)
        if (s->v[i] == id)
            return OK;
    if (s->n == s->cap) { /* what is full of repeated ones does not grow */
        mt_ids_sort(s);
        size_t want = s->n > s->cap / 2 ? s->cap : s->n;
        uint64_t *v = grow_array(s->v, want, &s->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        s->v = v;
    }
    s->v[s->n++] = id;
    return OK;
}

int mt_numbered(struct ms_trace *t, struct mt_ids *s, const char *before, struct err *e)
{
    struct mt_thread *v;

    mt_ids_sort(s);
    v = calloc(s->n + 1, sizeof *v);
    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < s->n; i++)
        v[i] = (struct mt_thread){ .tid = (uint32_t)s->v[i],
                                   .before = before,
                                   .has_n = true,
                                   .n = (uint32_t)s->v[i],
                                   .sort = (uint32_t)s->v[i] };
    mt_metadata(t, v, s->n);
    free(v);
    return OK;
}
