/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a chip's own state, read once for all files that show them. */
#include "config.h"

#include "msprof/soc.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "msprof/run.h"

#define FIRST_WORDS 1024
#define HEAD_WORDS  2 /* of a sample: its counter; id and type */

_Static_assert(MSPROF_SOC_KINDS == PROF_SOC_POWER - PROF_SOC_QOS + 1, "kinds of samples");

static size_t place_of(enum prof_soc_kind kind)
{
    return (size_t)(kind - PROF_SOC_QOS);
}

static void forget(struct msprof_soc_kept *kept, struct msprof_soc_device *d)
{
    for (size_t i = 0; i < MSPROF_SOC_KINDS; i++) {
        struct msprof_soc_kind *k = &d->kind[i];
        kept->n_words -= k->n;
        free(k->v);
        *k = (struct msprof_soc_kind){ .words = k->words };
    }
}

struct keeping {
    struct msprof_soc_kept *kept;
    struct msprof_soc_device *d;
};

/* All samples of a kind have the same number of values. */
static int keep(void *arg, const struct prof_soc *s, struct err *e)
{
    struct keeping *g = arg;
    struct msprof_soc_device *d = g->d;
    struct msprof_soc_kind *k = &d->kind[place_of(s->kind)];
    const size_t words = HEAD_WORDS + s->n;

    k->words = words;
    if (d->is_large)
        return OK;
    if (g->kept->n_words + words > g->kept->most_words) {
        d->is_large = true;
        forget(g->kept, d);
        return OK;
    }
    uint64_t *v = grow_array(k->v, k->n + words - 1, &k->cap, sizeof *v, FIRST_WORDS);
    if (!v)
        return err_nomem(e);
    k->v = v;
    g->kept->n_words += words;
    v[k->n] = s->counter;
    v[k->n + 1] = (uint64_t)s->type << 32 | s->id;
    memcpy(v + k->n + HEAD_WORDS, s->v, s->n * sizeof *v);
    k->n += words;
    return OK;
}

struct choosing {
    enum prof_soc_kind kind;
    prof_soc_fn *fn;
    void *arg;
};

static int choose(void *arg, const struct prof_soc *s, struct err *e)
{
    const struct choosing *c = arg;

    return s->kind == c->kind ? c->fn(c->arg, s, e) : OK;
}

static int give(const struct msprof_soc_kind *k, const struct choosing *c, struct err *e)
{
    struct prof_soc s = { .kind = c->kind, .n = (unsigned)(k->words - HEAD_WORDS) };

    for (size_t i = 0; i < k->n; i += k->words) {
        s.counter = k->v[i];
        s.id = (uint32_t)k->v[i + 1];
        s.type = (uint32_t)(k->v[i + 1] >> 32);
        memcpy(s.v, k->v + i + HEAD_WORDS, s.n * sizeof *s.v);
        if (c->fn(c->arg, &s, e))
            return e->code;
    }
    return OK;
}

int msprof_soc_each(struct msprof_run *r, size_t device, enum prof_soc_kind kind, prof_soc_fn *fn, void *arg,
                    struct err *e)
{
    struct choosing c = { kind, fn, arg };

    if (!r->soc.dev && !(r->soc.dev = calloc(r->m.n_dev, sizeof *r->soc.dev)))
        return err_nomem(e);
    if (!r->soc.most_words)
        r->soc.most_words = MSPROF_SOC_MOST_B / sizeof *r->soc.dev->kind->v;
    struct msprof_soc_device *d = &r->soc.dev[device];
    const struct prof_folder *f = r->m.p->device[device];
    struct keeping g = { &r->soc, d };
    if (!d->is_read && prof_soc_read(r->m.p, f, PROF_STARS_PROFILE, keep, &g, e)) {
        forget(&r->soc, d);
        return e->code;
    }
    d->is_read = true;
    const struct msprof_soc_kind *k = &d->kind[place_of(kind)];
    if (!k->words) /* there are none */
        return OK;
    return d->is_large ? prof_soc_read(r->m.p, f, PROF_STARS_PROFILE, choose, &c, e) : give(k, &c, e);
}

void msprof_soc_done(struct msprof_soc_kept *k, size_t n_dev)
{
    for (size_t i = 0; k->dev && i < n_dev; i++)
        forget(k, &k->dev[i]);
    free(k->dev);
    *k = (struct msprof_soc_kept){ .dev = NULL };
}
