/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of host_sample about the task schedulers' processors: the unit of their stamps is not known. */
#include "config.h"

#include <stdio.h>

#include "parsers/prof/rows/curves.h"
#include "parsers/prof/sampled/tscpu.h"
#include "store/schema.h"

struct putting {
    struct prof_rows *r;
    const struct prof_folder *f;
};

static int put_sample(void *arg, const struct prof_tscpu *s, struct err *e)
{
    const struct putting *x = arg;
    char name[80];

    for (unsigned i = 0; i < s->n; i++) {
        const char *word = prof_tscpu_word(s->v[i].event);
        struct val v[N_COLS(host_sample)] = { 0 };
        if (!s->v[i].event && !s->v[i].count)
            continue; /* a counter that is not used */
        if (word)
            snprintf(name, sizeof name, "NPU TS CPU %s", word);
        else
            snprintf(name, sizeof name, "NPU TS CPU 0x%x", (unsigned)s->v[i].event);
        v[COL(host_sample, rank)] = val_int(prof_rows_rank(x->r, x->f));
        v[COL(host_sample, what)] = val_cstr(name);
        v[COL(host_sample, at_ns)] = s->stamp <= INT64_MAX ? val_uint(s->stamp) : val_null();
        v[COL(host_sample, value)] = val_real((double)s->v[i].count);
        v[COL(host_sample, source_id)] = val_id(prof_rows_source(x->f, PROF_TSCPU));
        if (sink_row(x->r->g->out, T_host_sample, v, N_COLS(host_sample), NULL, e))
            return e->code;
    }
    return OK;
}

int prof_measure_tscpus(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->m.p->n_devices && !e->code; i++) {
        struct putting x = { r, r->m.p->device[i] };
        (void)!prof_tscpu_read(r->m.p, x.f, put_sample, &x, e);
    }
    return e->code;
}
