/* aicpu_mi.csv, dp.csv (formats/msprof-raw.md 5.11): of Python's half on every chip. */
#include "config.h"

#include <stdlib.h>

#include "parsers/prof_aicpu.h"
#include "vendor/ms_run.h"

/* What the AI CPUs of all devices say, in order of the devices. */
struct all {
    struct ms_run *r;
    struct prof_aicpu *v;
};

/* A row begins, with its device. NULL: e is set. */
static struct vout *row_of(const struct all *a, size_t device, struct ms_csv *c, struct err *e)
{
    struct vout *o = ms_csv_row(c, e);

    if (o)
        vout_u(o, (uint64_t)a->r->p->device[device]->device);
    return o;
}

/* ---- the data queue ---- */

static int aicpu_mi(const struct all *a, struct err *e)
{
    struct ms_csv c;
    struct vout *o;
    uint64_t n = 0;

    for (size_t i = 0; i < a->r->n_dev; i++)
        n += a->v[i].n_items;
    (void)!ms_csv_begin(&c, a->r, "aicpu_mi", n,
                        "Device_id,Node Name,Start Time(us),End Time(us),Queue Size", e);
    for (size_t i = 0; i < a->r->n_dev; i++)
        for (size_t k = 0; k < a->v[i].n_items && (o = row_of(a, i, &c, e)) != NULL; k++) {
            const struct prof_aicpu_item *m = &a->v[i].item[k];
            const char *word = prof_aicpu_item_word(m->node);
            vout_c(o, ',');
            if (word)
                vout_s(o, word);
            else
                vout_u(o, m->node);
            vout_c(o, ',');
            vout_repr(o, (double)m->start_us);
            vout_c(o, ',');
            vout_repr(o, (double)m->end_us);
            vout_c(o, ',');
            vout_u(o, m->size);
            vout_c(o, '\n');
        }
    return ms_csv_end(&c, e);
}

/* ---- data preparation ---- */

static int dp(const struct all *a, struct err *e)
{
    struct ms_csv c;
    struct vout *o;
    uint64_t n = 0;

    for (size_t i = 0; i < a->r->n_dev; i++)
        n += a->v[i].n_dp;
    (void)!ms_csv_begin(&c, a->r, "dp", n,
                        "Device_id,Timestamp(us),Action,Source,Cached Buffer Size", e);
    for (size_t i = 0; i < a->r->n_dev; i++)
        for (size_t k = 0; k < a->v[i].n_dp && (o = row_of(a, i, &c, e)) != NULL; k++) {
            const struct prof_aicpu_dp *d = &a->v[i].dp[k];
            vout_c(o, ',');
            ms_put_ns(o, ms_local_ns(&a->r->clock[i], (double)d->stamp), false);
            ms_cell(o, prof_str(a->r->p, d->action));
            ms_cell(o, prof_str(a->r->p, d->source));
            vout_c(o, ',');
            vout_u(o, d->size);
            vout_c(o, '\n');
        }
    return ms_csv_end(&c, e);
}

int ms_aicpu(struct ms_run *r, struct err *e)
{
    static int (*const files[])(const struct all *, struct err *) = { aicpu_mi, dp };
    struct all a = { .r = r, .v = calloc(r->n_dev + 1, sizeof *a.v) };

    if (!a.v)
        return err_nomem(e);
    for (size_t i = 0; i < r->n_dev && !e->code; i++)
        (void)!prof_aicpu_read(&a.v[i], r->p, r->p->device[i], e);
    for (size_t i = 0; i < ARRAY_LEN(files) && !e->code; i++)
        if (files[i](&a, e) && !ms_goes_on(e))
            break;
    for (size_t i = 0; i < r->n_dev; i++)
        prof_aicpu_done(&a.v[i]);
    free(a.v);
    return (int)e->code;
}
