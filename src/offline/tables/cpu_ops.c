/* SPDX-License-Identifier: Apache-2.0 */
/* Lines "name;HostCpuOps;start,dur,thread start,dur,thread ...". */
#include "config.h"

#include "offline/tables/cpu_ops.h"

#include <math.h>

#include "base/buf.h"
#include "parsers/read/lines.h"

#define NAME_MAX_B ((size_t)64 << 10)
/* The double 0.001 is larger than 1/1000 by this much (times 1000: ns of ns). */
#define THOUSANDTH_MORE 2.0816681711721685e-17

struct reading {
    struct offline_run *r;
    struct lines l;
    uint32_t name; /* op of the line */
    bool in_line;
};

int64_t offline_cpu_op_ns(int64_t ns)
{
    return ns + (int64_t)nearbyint((double)ns * THOUSANDTH_MORE);
}

/* ms as text to ns, half to even. */
static bool ms_to_ns(struct str s, int64_t *out)
{
    int64_t fine;
    bool rounded = false;

    if (!str_scaled(s, 10000000000, &fine, &rounded) || fine < 0)
        return false;
    int64_t ns = fine / 10000, rest = fine % 10000;
    *out = ns + (rest > 5000 || (rest == 5000 && (rounded || ns % 2)));
    return true;
}

static int on_execution(struct reading *x, struct str piece, struct err *e)
{
    struct offline_run *r = x->r;
    struct offline_cpu_op op = { .name = x->name };
    struct str cell[3];

    if (lines_split(piece, ',', cell, 3) != 3 || !str_i64(cell[0], &op.from) || op.from < 0 ||
        !offline_is_time(op.from) || !ms_to_ns(cell[1], &op.dur) || !str_i64(cell[2], &op.thread)) {
        lines_bad(&x->l, "not start,duration,thread");
        return OK;
    }
    op.from = offline_cpu_op_ns(op.from);
    struct offline_cpu_op *v = spool_grow(r->pool, r->cpu_op, r->n_cpu_ops, &r->cap_cpu_ops, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    r->cpu_op = v;
    v[r->n_cpu_ops++] = op;
    return OK;
}

/* The first piece of a line: name;label;execution. */
static int on_line(struct reading *x, struct str piece, struct err *e)
{
    struct str head, tail[2];

    x->in_line = lines_tail(piece, ';', 2, &head, tail);
    if (!x->in_line) {
        if (str_trim(piece).n)
            lines_bad(&x->l, "not name;label;start,duration,thread");
        return OK;
    }
    x->name = intern_put(x->r->f.texts, str_sub(head, 0, NAME_MAX_B));
    if (x->name == INTERN_NONE)
        return err_nomem(e);
    return tail[1].n ? on_execution(x, tail[1], e) : OK;
}

static int read_file(struct offline_run *r, const struct source_file *f, struct err *e)
{
    struct parse_ctx c = offline_ctx(r, f);
    struct reading x = { .r = r };
    struct str piece;
    bool first = true;

    if (lines_open(&x.l, &c, e))
        return e->code;
    x.l.also = ' '; /* a line holds all executions of an op */
    while (lines_next(&x.l, &piece, e)) {
        if (first ? on_line(&x, piece, e) : x.in_line && str_trim(piece).n && on_execution(&x, piece, e))
            break;
        first = x.l.end != ' ';
    }
    lines_done(&x.l);
    return e->code;
}

int offline_cpu_ops(struct offline_run *r, const struct offline_cpu_op **out, size_t *n, struct err *e)
{
    const struct source_file *f = NULL;

    if (!r->has_cpu_ops && r->has & NEEDS_CPU) {
        r->has_cpu_ops = true;
        while ((f = offline_source(r, "cpu_op_timestamp", f)) != NULL)
            if (read_file(r, f, e))
                return e->code;
    }
    *out = r->cpu_op;
    *n = r->n_cpu_ops;
    return OK;
}

void offline_cpu_ops_done(struct offline_run *r)
{
    spool_free(r->pool, r->cpu_op);
    r->cpu_op = NULL;
}
