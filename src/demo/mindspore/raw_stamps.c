/* SPDX-License-Identifier: Apache-2.0 */
/* Raw data of MindSpore 1.x: executions op by op, and C++ floats. */
#include "config.h"

#include "demo/mindspore/raw_stamps.h"

#include <stdio.h>
#include <stdlib.h>

static void collect(struct raw_stamps *s, struct raw *r)
{
    const struct demo_step *st = &r->g->walk.step;
    uint32_t nop = r->g->run->net->nop;
    demo_walk_rewind(&r->g->walk);
    while (demo_walk_next(&r->g->walk)) {
        for (uint32_t i = 0; i < st->nkernel; i++)
            s->v[(size_t)st->kernel[i].op * s->nsteps + st->index] =
                (struct raw_stamp){ st->kernel[i].start_ns, st->kernel[i].dur_ns };
        for (uint32_t i = 0; i < st->ncomm; i++)
            s->v[(size_t)(nop + st->comm[i].op) * s->nsteps + st->index] =
                (struct raw_stamp){ st->comm[i].start_ns, st->comm[i].dur_ns };
        r->g->end_ns = st->host_end_ns;
    }
}

int raw_stamps_new(struct raw_stamps *s, struct raw *r, raw_choose_fn *choose, struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    *s = (struct raw_stamps){ .nop = n->nop + n->ncomm, .nsteps = (uint32_t)r->g->run->o.steps };
    s->v = calloc((size_t)s->nop * s->nsteps, sizeof *s->v);
    s->sum_ns = calloc(s->nop, sizeof *s->sum_ns);
    if (!s->v || !s->sum_ns) {
        raw_stamps_done(s);
        return err_nomem(e);
    }
    collect(s, r);
    for (uint32_t i = 0; i < s->nop; i++) {
        for (uint32_t k = 0; k < s->nsteps; k++)
            s->sum_ns[i] += raw_stamp_at(s, i, k)->dur_ns;
        s->all_ns += choose(r, i) ? s->sum_ns[i] : 0;
    }
    return OK;
}

void raw_stamps_done(struct raw_stamps *s)
{
    free(s->v);
    free(s->sum_ns);
    *s = (struct raw_stamps){ .v = NULL };
}

const char *raw_op_name(const struct demo_net *n, uint32_t op)
{
    return op < n->nop ? n->op[op].name : n->comm[op - n->nop].name;
}

const char *raw_op_leaf(const struct demo_net *n, uint32_t op)
{
    return op < n->nop ? n->op[op].leaf : n->comm[op - n->nop].leaf;
}

const char *raw_op_type(const struct demo_net *n, uint32_t op, char buf[40])
{
    struct str leaf = str_of(raw_op_leaf(n, op));
    return str_copy(str_sub(leaf, 0, str_chr(leaf, '-')), buf, 40);
}

/* Op i is of the type. */
static bool is_of(const struct demo_net *n, uint32_t i, const char *type)
{
    char own[40];
    return !strcmp(raw_op_type(n, i, own), type);
}

bool raw_next_type(struct raw_type *t, const struct raw *r, const struct raw_stamps *s, raw_choose_fn *choose)
{
    const struct demo_net *n = r->g->run->net;
    for (; t->next < s->nop; t->next++) {
        uint32_t i = 0;
        if (!choose(r, t->next))
            continue;
        raw_op_type(n, t->next, t->name);
        while (i < t->next && !(choose(r, i) && is_of(n, i, t->name)))
            i++;
        if (i < t->next)
            continue; /* its type is done */
        t->nop = 0;
        t->sum_ns = 0;
        for (i = t->next; i < s->nop; i++)
            if (choose(r, i) && is_of(n, i, t->name)) {
                t->nop++;
                t->sum_ns += s->sum_ns[i];
            }
        t->next++;
        return true;
    }
    return false;
}

#define DIGITS 6

/* The six digits of v >= 0 and its exponent, whatever the point of the locale. */
static int digits_of(double v, char digit[DIGITS + 1])
{
    char t[64];
    int n = 0, exponent = 0;
    snprintf(t, sizeof t, "%.5e", (double)(float)v);
    const char *p = t;
    for (; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9' && n < DIGITS)
            digit[n++] = *p;
    while (n < DIGITS)
        digit[n++] = '0';
    digit[n] = '\0';
    if (*p)
        for (const char *q = p + 2; *q; q++)
            exponent = exponent * 10 + (*q - '0');
    return p[0] && p[1] == '-' ? -exponent : exponent;
}

void raw_put_float(struct emit *o, double v)
{
    char digit[DIGITS + 1];
    int ex = digits_of(v, digit), n = DIGITS;
    bool positional = ex >= -4 && ex < DIGITS;
    int point = positional ? ex + 1 : 1; /* digits before it */
    while (n > 1 && digit[n - 1] == '0')
        n--;
    if (point <= 0) {
        emit_s(o, "0.");
        for (int i = point; i < 0; i++)
            emit_c(o, '0');
    }
    for (int i = 0; i < n || i < point; i++) {
        if (i && i == point)
            emit_c(o, '.');
        emit_c(o, i < n ? digit[i] : '0');
    }
    if (!positional)
        emit_fmt(o, ex < 0 ? (ex > -10 ? "e-0%d" : "e-%d") : (ex < 10 ? "e+0%d" : "e+%d"), ex < 0 ? -ex : ex);
}
