/* SPDX-License-Identifier: Apache-2.0 */
/* What the raw data say of the items that are compared: rows as they are, and sums of executions by op. */
#include "config.h"

#include <string.h>

#include "import/agree/agree_int.h"

#define NODES_MAX 2000 /* of a graph with more nodes only every n-th node is written (r1.7 on) */

/* ---- rows as they are ---- */

static size_t rows_end(const struct agree *a, const struct agreement *g)
{
    return agree_rows_of(a, g)->n;
}

static size_t rows_find(const struct agree *a, const struct agreement *g, const struct agree_key *k,
                        enum known_diff_id as)
{
    const int64_t key[2] = { k->n[0] + (as == KNOWN_DIFF_LOST_FIRST), k->n[1] };

    return agree_rows_find(agree_rows_of(a, g), key);
}

static struct agree_key rows_key(const struct agree *a, const struct agreement *g, size_t i)
{
    const struct agree_row *r = &agree_rows_of(a, g)->v[i];

    return (struct agree_key){ .n = { r->key[0], r->key[1] } };
}

/* The text whose number is the second part of the key. */
static struct agree_key name_key(const struct agree *a, const struct agreement *g, size_t i)
{
    struct agree_key k = rows_key(a, g, i);

    k.text = sink_count_string(a->sink, k.n[1]);
    return k;
}

static bool rows_figures(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                         struct val *out)
{
    if (as == KNOWN_DIFF_LOST_FIRST && i == 0)
        return false;
    const struct agree_row *r = &agree_rows_of(a, g)->v[i];
    memcpy(out, r->v, sizeof r->v);
    return true;
}

/* A record without figures has zeros in the file. */
static bool wait_figures(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                         struct val *out)
{
    (void)rows_figures(a, g, i, as, out);
    for (size_t k = 0; k < AGREE_FIGURES && g->f[k].name; k++)
        if (out[k].t == VAL_NULL)
            out[k] = g->f[k].unit >= REAL_NS ? val_real(0) : val_int(0);
    return true;
}

/* Figures of steps, in the order of the table below. */
enum { STEP_START, STEP_END, STEP_TOTAL, STEP_FP, STEP_BP, STEP_INTERVAL, STEP_FP_BP, STEP_TAIL };

/*
 * In a file of steps without a backward pass the later columns do not hold the figures that the header names.
 */
static bool step_figures(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                         struct val *out)
{
    (void)rows_figures(a, g, i, KNOWN_DIFF_NONE, out);
    const struct val start = out[STEP_FP], end = out[STEP_END];
    if (as == KNOWN_DIFF_SLICE && start.t == VAL_INT && end.t == VAL_INT) {
        out[STEP_START] = start;
        out[STEP_INTERVAL] = val_int(0);
        out[STEP_TOTAL] = val_int(end.i - start.i);
    }
    if (as == KNOWN_DIFF_ONE_WAY && out[STEP_BP].t == VAL_NULL)
        out[STEP_BP] = out[STEP_FP_BP] = out[STEP_TAIL] = val_text(STR("any"));
    return true;
}

/* ---- ops ---- */

static size_t ops_end(const struct agree *a, const struct agreement *g)
{
    (void)g;
    return agree_ops_names(a->ops);
}

static size_t types_end(const struct agree *a, const struct agreement *g)
{
    (void)g;
    return agree_ops_n_types(a->ops);
}

static size_t text_find(const struct agree *a, const struct agreement *g, const struct agree_key *k,
                        enum known_diff_id as)
{
    uint32_t id = sink_count_find(a->sink, k->text);

    (void)g;
    (void)as;
    return id ? id : SIZE_MAX;
}

/*
 * MindSpore's analysis puts the name of the launch before that of the kernel, with a '/' between them
 * (doc/formats/framework.md#kernel-links); both may have more of these.
 */
static size_t exec_find(const struct agree *a, const struct agreement *g, const struct agree_key *k,
                        enum known_diff_id as)
{
    size_t found = text_find(a, g, k, as), at = 0;

    if (str_find(k->text, STR("::"), 0) == SIZE_MAX)
        return found;
    while (found == SIZE_MAX && (at = str_find(k->text, STR("/"), at)) != SIZE_MAX) {
        const struct agree_key own = { .text = str_sub(k->text, ++at, SIZE_MAX) };
        found = text_find(a, g, &own, as);
    }
    return found;
}

static struct agree_key text_key(const struct agree *a, const struct agreement *g, size_t i)
{
    (void)g;
    return (struct agree_key){ .text = sink_count_string(a->sink, (int64_t)i) };
}

static bool exec_figures(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                         struct val *out)
{
    struct agree_sum s = agree_ops_sum(a->ops, (uint32_t)i, as);

    (void)g;
    out[0] = val_int((int64_t)s.n);
    out[1] = val_int(s.total_ns);
    out[2] = val_int((int64_t)s.at_sum);
    return s.n > 0;
}

static bool mean_figures(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                         struct val *out)
{
    struct agree_sum s = agree_ops_sum(a->ops, (uint32_t)i, as);

    (void)g;
    out[0] = val_real(agree_mean_ns(&s));
    out[1] = val_int((int64_t)s.n);
    return s.n > 0;
}

static bool step_type_figures(const struct agree *a, const struct agreement *g, size_t i,
                              enum known_diff_id as, struct val *out)
{
    struct agree_type t = agree_ops_type(a->ops, (uint32_t)i, as);

    (void)g;
    out[0] = val_real(t.means_ns);
    out[1] = val_int((int64_t)t.ops);
    return t.ops > 0;
}

static bool run_type_figures(const struct agree *a, const struct agreement *g, size_t i,
                             enum known_diff_id as, struct val *out)
{
    struct agree_type t = agree_ops_type(a->ops, (uint32_t)i, as);

    (void)g;
    out[0] = val_real(t.total_ns);
    out[1] = val_int((int64_t)t.n);
    return t.ops > 0;
}

static bool flops_figures(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                          struct val *out)
{
    struct agree_sum s = agree_ops_sum(a->ops, (uint32_t)i, as);
    double flops, mean_ns = agree_mean_ns(&s);

    (void)g;
    if (!agree_ops_flops_of(a->ops, (uint32_t)i, &flops) || !s.n)
        return false;
    out[0] = val_real(flops);
    out[1] = mean_ns > 0 ? val_real(flops * 1e9 / mean_ns) : val_null();
    return true;
}

/* The run: one item. */
static size_t one_end(const struct agree *a, const struct agreement *g)
{
    (void)a;
    (void)g;
    return 1;
}

static size_t one_find(const struct agree *a, const struct agreement *g, const struct agree_key *k,
                       enum known_diff_id as)
{
    (void)a;
    (void)g;
    (void)k;
    (void)as;
    return 0;
}

static struct agree_key one_key(const struct agree *a, const struct agreement *g, size_t i)
{
    (void)a;
    (void)g;
    (void)i;
    return (struct agree_key){ .text = STR("sum") };
}

static bool flops_total(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                        struct val *out)
{
    double sum = 0, one;
    bool any = false;

    (void)g;
    (void)i;
    for (uint32_t k = 0; k < agree_ops_names(a->ops); k++)
        if (agree_ops_sum(a->ops, k, as).n && agree_ops_flops_of(a->ops, k, &one)) {
            sum += one;
            any = true;
        }
    out[0] = val_real(sum);
    return any;
}

const struct side agree_rows_side = { rows_end, rows_find, rows_figures, rows_key, AGREE_ALL };
const struct side agree_node_side = { rows_end, rows_find, rows_figures, rows_key, NODES_MAX };
const struct side agree_wait_side = { rows_end, rows_find, wait_figures, rows_key, AGREE_ALL };
const struct side agree_step_side = { rows_end, rows_find, step_figures, rows_key, AGREE_ALL };
const struct side agree_exec_side = { ops_end, exec_find, exec_figures, text_key, AGREE_ALL };
const struct side agree_mean_side = { ops_end, text_find, mean_figures, text_key, AGREE_ALL };
const struct side agree_step_type_side = { types_end, text_find, step_type_figures, text_key, AGREE_ALL };
const struct side agree_run_type_side = { types_end, text_find, run_type_figures, text_key, AGREE_ALL };
const struct side agree_flops_side = { ops_end, text_find, flops_figures, text_key, AGREE_ALL };
const struct side agree_total_side = { one_end, one_find, flops_total, one_key, AGREE_ALL };
const struct side agree_tensor_side = { rows_end, rows_find, rows_figures, name_key, 0 };
