/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msprof_tx.csv: marks and ranges that the program reports itself, and when devices met them
 * (doc/formats/prof.md#additional-records, doc/formats/msprof.md#csv-columns): of Python's half on every
 * chip. Columns of the device: msprof_output_summary.py of Ascend/msprof, which replaces mark_id by two
 * columns.
 */
#include "config.h"

#include <stdlib.h>

#include "msprof/run.h"
#include "parsers/prof/words.h"

#define HEADER                                                                                               \
    "Device_id,pid,tid,category,event_type,payload_type,payload_value,Start_time(us),"                       \
    "End_time(us),message_type,message,domain,Device Start_time(us),Device End_time(us)"
#define NA ",N/A"

struct at { /* to be sorted by time */
    int64_t ns;
    uint32_t i;
};
struct met_at { /* a mark that a device met, sorted by the mark's number */
    uint64_t mark;
    uint32_t device, i;
};

struct table {
    struct msprof_run *r;
    struct met_at *met;
    size_t n_met;
};

static int by_time(const void *a, const void *b)
{
    const struct at *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

static int by_mark(const void *a, const void *b)
{
    const struct met_at *x = a, *y = b;

    if (x->mark != y->mark)
        return x->mark < y->mark ? -1 : 1;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

static int64_t host_ns(const struct msprof_run *r, uint64_t counter)
{
    return msprof_local_us(&r->host_clock, msprof_host_us(&r->host_clock, counter));
}

/* ---- marks that devices met ---- */

static int sort_met(struct table *t, struct err *e)
{
    size_t n = 0;

    for (size_t d = 0; d < t->r->m.n_dev; d++)
        n += t->r->met[d].n;
    t->met = calloc(n + 1, sizeof *t->met);
    if (!t->met)
        return err_nomem(e);
    for (size_t d = 0; d < t->r->m.n_dev; d++)
        for (size_t i = 0; i < t->r->met[d].n; i++)
            if (!t->r->met[d].v[i].open)
                t->met[t->n_met++] = (struct met_at){ t->r->met[d].v[i].mark, (uint32_t)d, (uint32_t)i };
    qsort(t->met, t->n_met, sizeof *t->met, by_mark);
    return OK;
}

/* The devices' records of a mark: the first, and how many. */
static const struct met_at *met_of(const struct table *t, const struct prof_tx *x, size_t *n)
{
    size_t from = 0, to = t->n_met;

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (t->met[mid].mark < x->mark)
            from = mid + 1;
        else
            to = mid;
    }
    *n = 0;
    while (x->on_device && from + *n < t->n_met && t->met[from + *n].mark == x->mark)
        ++*n;
    return &t->met[from];
}

/* ---- rows ---- */

static void put_host_only(struct emit *o, const struct prof_tx *x)
{
    emit_c(o, ',');
    emit_i(o, x->payload_type);
    emit_c(o, ',');
    emit_u(o, x->payload);
}

static void put_tx(const struct table *t, struct emit *o, const struct prof_tx *x)
{
    const char *kind = prof_word(prof_tx_events, x->event);
    struct prof *p = t->r->m.p;

    emit_c(o, ',');
    emit_u(o, x->pid);
    emit_c(o, ',');
    emit_u(o, x->thread);
    emit_c(o, ',');
    if (x->on_device)
        emit_s(o, "N/A");
    else
        emit_u(o, x->category);
    msprof_cell(o, str_of(kind ? kind : ""));
    if (x->on_device)
        emit_s(o, NA NA);
    else
        put_host_only(o, x);
    emit_c(o, ',');
    msprof_put_ns(o, host_ns(t->r, x->start), true);
    emit_c(o, ',');
    msprof_put_ns(o, host_ns(t->r, x->end), true);
    emit_c(o, ',');
    if (x->on_device)
        emit_s(o, "N/A");
    else
        emit_i(o, x->message_type);
    msprof_cell(o, prof_str(p, x->message));
    msprof_cell(o, !x->on_device            ? STR("N/A")
                   : x->domain == PROF_NONE ? STR("invalid")
                                            : prof_str(p, x->domain));
}

/* A row for each device that met the mark, else one of the host. */
static int put_rows(const struct table *t, struct msprof_csv *c, const struct prof_tx *x, struct err *e)
{
    size_t n;
    const struct met_at *met = met_of(t, x, &n);

    for (size_t i = 0; i < (n ? n : 1); i++) {
        struct emit *o = msprof_csv_row(c, e);
        if (!o)
            return e->code;
        if (!n) {
            emit_s(o, "host");
            put_tx(t, o, x);
            emit_s(o, NA NA "\n");
            continue;
        }
        const struct msprof_clock *k = &t->r->clock[met[i].device];
        const struct prof_tx_met *m = &t->r->met[met[i].device].v[met[i].i];
        emit_u(o, (uint64_t)t->r->m.p->device[met[i].device]->device);
        put_tx(t, o, x);
        emit_c(o, ',');
        msprof_put_ns(o, msprof_local_us(k, msprof_dev(k, m->start, 1e6)), true);
        emit_c(o, ',');
        msprof_put_ns(o, msprof_local_us(k, msprof_dev(k, m->end, 1e6)), true);
        emit_c(o, '\n');
    }
    return OK;
}

static int put_all(const struct table *t, const struct at *at, struct err *e)
{
    const struct prof_txs *x = &t->r->tx;
    struct msprof_csv c;
    uint64_t n_rows = 0;

    for (size_t i = 0; i < x->n; i++) {
        size_t n;
        (void)met_of(t, &x->v[i], &n);
        n_rows += n ? n : 1;
    }
    (void)!msprof_csv_begin(&c, t->r, "msprof_tx", n_rows, HEADER, e);
    for (size_t i = 0; i < x->n; i++)
        if (put_rows(t, &c, &x->v[at[i].i], e))
            break;
    return msprof_csv_end(&c, e);
}

int msprof_tx(struct msprof_run *r, struct err *e)
{
    struct table t = { .r = r };
    struct at *at = r->tx.n ? calloc(r->tx.n, sizeof *at) : NULL;

    if (!r->tx.n)
        return OK;
    if (!at)
        return err_nomem(e);
    for (size_t i = 0; i < r->tx.n; i++)
        at[i] = (struct at){ host_ns(r, r->tx.v[i].start), (uint32_t)i };
    qsort(at, r->tx.n, sizeof *at, by_time);
    if (sort_met(&t, e) == OK)
        (void)!put_all(&t, at, e);
    free(t.met);
    free(at);
    return e->code;
}
