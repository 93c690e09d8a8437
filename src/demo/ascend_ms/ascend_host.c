/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x: host tables, api_statistic and operator_details (doc/formats/analysed.md#api_statistic,
 * #operator_details).
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_num.h"
#include "demo/demo_stat.h"
#include "demo/framework/fw.h"

#define APIS_MAX 32

struct api {
    const char *name;
    enum demo_level level;
    struct demo_stat stat;
    double sum_us, avg_us, squares; /* as msprof computes them, call by call in order of start */
};

/* A call of the step: which api, when, how long. */
struct seen {
    int64_t start_ns, dur_ns;
    uint32_t api, seq;
};

struct apis {
    struct api api[APIS_MAX];
    uint32_t n;
    uint64_t calls;
    struct seen *seen; /* of one step */
    uint32_t nseen, cap;
    bool failed; /* no memory */
};

static void see(struct apis *a, uint32_t api, const struct demo_call *c)
{
    if (a->nseen == a->cap) {
        uint32_t cap = a->cap ? a->cap * 2 : 4096;
        struct seen *v = realloc(a->seen, cap * sizeof *v);
        if (!v) {
            a->failed = true;
            return;
        }
        a->seen = v;
        a->cap = cap;
    }
    a->seen[a->nseen] = (struct seen){ c->start_ns, c->dur_ns, api, a->nseen };
    a->nseen++;
}

static void see_call(void *ctx, const struct demo_call *c)
{
    struct apis *a = ctx;
    uint32_t i = 0;
    while (i < a->n && (a->api[i].level != c->level || strcmp(a->api[i].name, c->api)))
        i++;
    if (i == APIS_MAX)
        return; /* the model has fewer; the tests' check of the counts would fail */
    if (i == a->n)
        a->api[a->n++] = (struct api){ .name = c->api, .level = c->level };
    see(a, i, c);
}

static int seen_cmp(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static double round3(double v)
{
    return floor(v * 1000 + 0.5) / 1000;
}

/* One walk over all calls: the first for the means, the second for the squared distances from them. */
static void add_calls(struct ascend *g, struct apis *a, bool again)
{
    demo_walk_rewind(&g->walk);
    while (!a->failed && demo_walk_next(&g->walk)) {
        a->nseen = 0;
        demo_calls(&g->walk, see_call, a);
        qsort(a->seen, a->nseen, sizeof *a->seen, seen_cmp);
        for (uint32_t i = 0; i < a->nseen; i++) {
            struct api *x = &a->api[a->seen[i].api];
            double us = round3((double)a->seen[i].dur_ns / 1000), d = us - x->avg_us;
            if (again) {
                x->squares += d * d;
                continue;
            }
            x->sum_us += us;
            demo_stat_add(&x->stat, a->seen[i].dur_ns);
            a->calls++;
        }
    }
}

static int api_cmp(const void *a, const void *b)
{
    const struct api *x = a, *y = b;
    int by_name = strcmp(x->name, y->name);
    return by_name ? by_name : (int)y->level - (int)x->level; /* same name: by level */
}

static int api_statistic(struct ascend *g, const struct apis *a, const char *dir, const char *name,
                         struct err *e)
{
    static const char *const level[] = { "acl", "model", "node", "communication", "runtime" };
    const char *end = dir == g->out ? ascend_line_end(g) : "\n";
    struct emit *o;
    if (emit_open(&o, dir, name, e))
        return e->code;
    emit_fmt(o, "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance%s", end);
    for (uint32_t i = 0; i < a->n; i++) {
        const struct demo_stat *s = &a->api[i].stat;
        emit_fmt(o, "host,%s,%s,%g,%U,", level[a->api[i].level], a->api[i].name, s->sum_ns, s->count);
        emit_trim(o, demo_round(a->api[i].avg_us, 3), 3, 0);
        emit_fmt(o, ",%g,%g,", s->min_ns, s->max_ns);
        emit_trim(o, demo_round(round3(a->api[i].squares / (double)s->count), 3), 3, 0);
        emit_s(o, end);
    }
    return emit_close(o, &g->count, e);
}

int ascend_details(struct ascend *g, struct err *e)
{
    struct fw_launch *launch = calloc((size_t)g->run->net->nop + g->run->net->ncomm, sizeof *launch);
    struct buf shapes;
    struct emit *o;
    if (!launch)
        return err_nomem(e);
    if (emit_open(&o, g->out, "operator_details.csv", e)) {
        free(launch);
        return e->code;
    }
    buf_init(&shapes, FW_NAME_B);
    emit_s(o, "Name,Input Shapes\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk))
        for (uint32_t i = 0, n = fw_launches(&g->walk.step, launch); i < n; i++) {
            if (!launch[i].kernel)
                continue;
            const struct demo_op *op = &g->run->net->op[launch[i].kernel->op];
            buf_clear(&shapes);
            fw_shapes(&shapes, op);
            emit_fmt(o, "%s,", op->leaf);
            emit_cell_str(o, buf_str(&shapes));
            emit_s(o, "\r\n");
        }
    buf_done(&shapes);
    free(launch);
    return emit_close(o, &g->count, e);
}

static int api_statistics(struct ascend *g, struct apis *a, struct err *e)
{
    char name[64];
    add_calls(g, a, false);
    for (uint32_t i = 0; i < a->n; i++)
        a->api[i].avg_us = round3(a->api[i].sum_us / (double)a->api[i].stat.count);
    add_calls(g, a, true);
    if (a->failed)
        return err_nomem(e);
    qsort(a->api, a->n, sizeof *a->api, api_cmp);
    g->sum->host_calls = a->calls;
    if (api_statistic(g, a, g->out, "api_statistic.csv", e))
        return e->code;
    return api_statistic(g, a, g->mso, ascend_name(g, "api_statistic", "csv", name, sizeof name), e);
}

int ascend_host(struct ascend *g, struct err *e)
{
    struct apis a = { .n = 0 };
    int rc = api_statistics(g, &a, e);
    free(a.seen);
    return rc;
}
