/* Generation 2: host tables, api_statistic and operator_details (outputs.md 4.4, 4.5). */
#include "config.h"

#include <string.h>

#include "demo/demo_num.h"
#include "demo/demo_stat.h"
#include "demo/gen2.h"

#define APIS_MAX 32

struct api {
    const char *name;
    enum demo_level level;
    struct demo_stat stat;
};

struct apis {
    struct api api[APIS_MAX];
    uint32_t n;
    uint64_t calls;
};

static void count_call(void *ctx, const struct demo_call *c)
{
    struct apis *a = ctx;
    uint32_t i = 0;
    while (i < a->n && (a->api[i].level != c->level || strcmp(a->api[i].name, c->api)))
        i++;
    if (i == APIS_MAX)
        return; /* the model has fewer; the check of the counts in the tests would tell */
    if (i == a->n)
        a->api[a->n++] = (struct api){ .name = c->api, .level = c->level };
    demo_stat_add(&a->api[i].stat, c->dur_ns);
    a->calls++;
}

static void sort_apis(struct apis *a)
{
    for (uint32_t i = 1; i < a->n; i++) {
        struct api x = a->api[i];
        uint32_t j = i;
        for (; j && strcmp(a->api[j - 1].name, x.name) > 0; j--)
            a->api[j] = a->api[j - 1];
        a->api[j] = x;
    }
}

static int api_statistic(struct gen2 *g, const struct apis *a, const char *dir, const char *name,
                         struct err *e)
{
    static const char *const level[] = { "acl", "model", "node", "communication", "runtime" };
    struct vout *o;
    if (vout_open(&o, dir, name, e))
        return (int)e->code;
    vout_s(o, "Device_id,Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\n");
    for (uint32_t i = 0; i < a->n; i++) {
        const struct demo_stat *s = &a->api[i].stat;
        vout_fmt(o, "host,%s,%s,%g,%U,%g,%g,%g,", level[a->api[i].level], a->api[i].name, s->sum_ns,
                 s->count, demo_stat_mean(s), s->min_ns, s->max_ns);
        vout_trim(o, demo_round(s->m2 / (double)s->count, 3), 3, 0);
        vout_c(o, '\n');
    }
    return vout_close(o, &g->count, e);
}

static int operator_details(struct gen2 *g, struct err *e)
{
    struct vout *o;
    if (vout_open(&o, g->out, "operator_details.csv", e))
        return (int)e->code;
    vout_s(o, "Name,Input Shapes\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk))
        for (uint32_t i = 0; i < g->walk.step.nkernel; i++) {
            const struct demo_op *op = &g->run->net->op[g->walk.step.kernel[i].op];
            vout_fmt(o, "%s,", op->leaf);
            if (op->nin)
                vout_c(o, '"');
            for (int t = 0; t < op->nin; t++)
                for (int d = 0; d < op->t[t].nd; d++) {
                    if (t || d)
                        vout_c(o, d ? ',' : ';');
                    vout_u(o, op->t[t].dim[d]);
                }
            vout_s(o, op->nin ? "\"\r\n" : "\r\n");
        }
    return vout_close(o, &g->count, e);
}

int gen2_host(struct gen2 *g, struct err *e)
{
    struct apis a = { .n = 0 };
    char name[64];
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk))
        demo_calls(&g->walk, count_call, &a);
    sort_apis(&a);
    g->sum->host_calls = a.calls;
    if (api_statistic(g, &a, g->out, "api_statistic.csv", e) ||
        api_statistic(g, &a, g->mso, gen2_name(g, "api_statistic", "csv", name, sizeof name), e))
        return (int)e->code;
    return operator_details(g, e);
}
