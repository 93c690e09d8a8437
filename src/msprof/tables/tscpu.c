/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ts_cpu_pmu_events.csv, ts_cpu_top_function.csv (doc/formats/msprof.md#csv-columns; upstream,
 * analysis/viewer/cpu_data_report.py, analysis/viewer/ts_cpu_report.py): of Python's half on every chip.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "msprof/run.h"
#include "parsers/prof/sampled/tscpu.h"

#define TOP 5

struct table {
    struct msprof_run *r;
    struct msprof_csv c;
    size_t device;
};
typedef int device_fn(struct table *t, const struct prof_tscpu_sums *s, struct err *e);

static struct emit *row_of(struct table *t, struct err *e)
{
    struct emit *o = msprof_csv_row(&t->c, e);

    if (o) {
        emit_u(o, (uint64_t)t->r->m.p->device[t->device]->device);
        emit_c(o, ',');
    }
    return o;
}

static void put_hex(struct emit *o, uint64_t v)
{
    char text[24];

    snprintf(text, sizeof text, "0x%" PRIx64, v);
    emit_s(o, text);
}

/* ---- ts_cpu_pmu_events ---- */

struct event {
    uint32_t event, place;
    uint64_t count;
    bool by_text;
};

/* The largest first; msprof compares the numbers as texts. */
static int by_count(const void *va, const void *vb)
{
    const struct event *a = va, *b = vb;
    char x[24], y[24];
    int rc = (a->count < b->count) - (a->count > b->count);

    if (a->by_text) {
        snprintf(x, sizeof x, "%" PRIu64, a->count);
        snprintf(y, sizeof y, "%" PRIu64, b->count);
        rc = strcmp(y, x);
    }
    return rc ? rc : a->place < b->place ? -1 : a->place > b->place;
}

/*
 * Requested events that occurred, each once; when the requested events are unknown, all that counted
 * something.
 */
static size_t events_of(const struct table *t, const struct prof_tscpu_sums *s, struct event *v)
{
    const struct prof_meta *m = &t->r->m.p->device[t->device]->meta;
    bool seen[PROF_TSCPU_EVENTS] = { false };
    size_t n = 0;

    for (size_t i = 0; i < (m->n_ts_events ? m->n_ts_events : PROF_TSCPU_EVENTS); i++) {
        uint32_t event = m->n_ts_events ? m->ts_event[i] : (uint32_t)i;
        if (event >= PROF_TSCPU_EVENTS || !s->met[event] || seen[event] ||
            (!m->n_ts_events && !s->count[event]))
            continue;
        seen[event] = true;
        v[n] = (struct event){ event, (uint32_t)n, s->count[event], t->r->o->compat };
        n++;
    }
    return n;
}

/* With a capital: "Cpu_cycles". */
static void put_name(struct emit *o, const char *word)
{
    for (size_t i = 0; word && word[i]; i++)
        emit_c(o, (char)(i ? tolower((unsigned char)word[i]) : word[i]));
    if (!word)
        emit_s(o, "N/A");
}

static int put_events(struct table *t, const struct prof_tscpu_sums *s, struct err *e)
{
    struct event v[PROF_TSCPU_EVENTS];
    size_t n = events_of(t, s, v);
    struct emit *o;

    if (n)
        qsort(v, n, sizeof *v, by_count);
    for (size_t i = 0; i < n && (o = row_of(t, e)) != NULL; i++) {
        put_hex(o, v[i].event);
        emit_c(o, ',');
        put_name(o, prof_tscpu_word(v[i].event));
        emit_c(o, ',');
        emit_u(o, v[i].count);
        emit_c(o, '\n');
    }
    return e->code;
}

/* ---- ts_cpu_top_function ---- */

static int put_functions(struct table *t, const struct prof_tscpu_sums *s, struct err *e)
{
    double all = (double)s->count[PROF_TSCPU_CYCLES];
    struct emit *o;

    for (size_t i = 0; i < s->n_functions && i < TOP && all > 0 && (o = row_of(t, e)) != NULL; i++) {
        put_hex(o, s->function[i].pc);
        emit_c(o, ',');
        emit_u(o, s->function[i].cycles);
        emit_c(o, ',');
        emit_repr(o, emit_round((double)s->function[i].cycles * 100 / all, 3));
        emit_c(o, '\n');
    }
    return e->code;
}

/* msprof has no table when the requested events are unknown. */
static bool is_shown(const struct msprof_run *r, const struct prof_folder *f)
{
    return prof_has(f, PROF_TSCPU) && (f->meta.n_ts_events || !r->o->compat);
}

static int write_table(struct msprof_run *r, const char *name, const char *header, device_fn *fn,
                       struct err *e)
{
    struct table t = { .r = r };

    if (msprof_csv_begin(&t.c, r, name, 0, header, e))
        return e->code;
    for (; t.device < r->m.n_dev && !e->code; t.device++) {
        const struct prof_folder *f = r->m.p->device[t.device];
        struct prof_tscpu_sums *s = is_shown(r, f) ? calloc(1, sizeof *s) : NULL;
        if (!is_shown(r, f))
            continue;
        if (!s)
            (void)err_nomem(e);
        else if (prof_tscpu_sum(s, r->m.p, f, e) == OK)
            (void)!fn(&t, s, e);
        if (s)
            prof_tscpu_sums_done(s);
        free(s);
    }
    return msprof_csv_end(&t.c, e);
}

int msprof_tscpu(struct msprof_run *r, struct err *e)
{
    if (write_table(r, "ts_cpu_pmu_events", "Device_id,Event,Name,Count", put_events, e) && !emit_goes_on(e))
        return e->code;
    return write_table(r, "ts_cpu_top_function", "Device_id,Function,Cycles,Cycles(%)", put_functions, e);
}
