/* SPDX-License-Identifier: Apache-2.0 */
/* Intensities and rates of ops, and what limits them. */
#include "config.h"

#include "model/roofline.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "model/views/colset.h"

#define PAGE_ROWS 512

/* ---- bytes ---- */

/* Types as MindSpore, msprof and torch_npu write them, without "DT_". */
static const struct {
    const char *name;
    double bytes;
} sizes[] = {
    { "FLOAT16", 2 }, { "BFLOAT16", 2 },  { "BF16", 2 },  { "FLOAT", 4 },  { "FLOAT32", 4 },
    { "FLOAT64", 8 }, { "DOUBLE", 8 },    { "INT8", 1 },  { "UINT8", 1 },  { "BOOL", 1 },
    { "INT16", 2 },   { "UINT16", 2 },    { "INT32", 4 }, { "UINT32", 4 }, { "INT64", 8 },
    { "UINT64", 8 },  { "COMPLEX64", 8 },
};

static double size_of(struct str type)
{
    type = str_trim(type);
    if (str_starts(type, STR("DT_")))
        type = str_sub(type, 3, type.n);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        if (str_eq_nocase(type, str_of(sizes[i].name)))
            return sizes[i].bytes;
    return 0;
}

/* Elements of "32,3,224,224"; "" is a scalar. -1: not numbers. */
static double elements(struct str shape)
{
    double n = 1;
    struct str part;
    uint64_t d;

    for (struct str rest = str_trim(shape); rest.n && str_next(&rest, ',', &part);) {
        if (!str_u64(str_trim(part), &d))
            return -1;
        n *= (double)d;
    }
    return n;
}

/* Quotes around the whole are the file's. */
static struct str bare(struct str s)
{
    s = str_trim(s);
    while (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
        s = str_sub(s, 1, s.n - 2);
    return s;
}

double roofline_bytes(struct str shapes, struct str types)
{
    double sum = 0;
    struct str shape, type;

    shapes = bare(shapes);
    types = bare(types);
    while (types.n && str_next(&types, ';', &type)) {
        bool has = str_next(&shapes, ';', &shape);
        double n = elements(has ? bare(shape) : STR("")), size = size_of(type);
        if (n < 0 || size == 0)
            return 0;
        sum += n * size;
    }
    return sum;
}

/* ---- ops ---- */

struct cols {
    int name, type, core, mflops, rate, util, avg, in_shapes, in_types, out_shapes, out_types;
};

static struct cols find_cols(const struct view *v)
{
    return (struct cols){ view_find_col(v, "op_name"),      view_find_col(v, "type"),
                          view_find_col(v, "core"),         view_find_col(v, "mflops"),
                          view_find_col(v, "tflops_per_s"), view_find_col(v, "util_pct"),
                          view_find_col(v, "avg_ns"),       view_find_col(v, "in_shapes"),
                          view_find_col(v, "in_types"),     view_find_col(v, "out_shapes"),
                          view_find_col(v, "out_types") };
}

static struct str text_at(const struct page *p, size_t r, int col)
{
    const struct val *v = page_val(p, r, (size_t)col);

    return v->t == VAL_TEXT ? v->s : STR_NULL;
}

static double number_at(const struct page *p, size_t r, int col)
{
    const struct val *v = page_val(p, r, (size_t)col);

    return v->t == VAL_INT || v->t == VAL_REAL ? val_num(v) : (double)NAN;
}

static struct str last_part(struct str s)
{
    size_t slash = str_rchr(s, '/');

    return slash == SIZE_MAX ? s : str_sub(s, slash + 1, s.n);
}

static int double_cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

struct making {
    struct roofline *r;
    size_t cap;
    double *peaks; /* what the uses of the chip are shares of */
    size_t n_peaks, peaks_cap;
};

static int add_row(struct making *m, const struct page *p, size_t row, const struct cols *c, struct err *e)
{
    struct roofline *r = m->r;
    double flops = number_at(p, row, c->mflops) * 1e6, rate = number_at(p, row, c->rate) * 1e12,
           util = number_at(p, row, c->util) / 100, ns = number_at(p, row, c->avg);
    double in = roofline_bytes(text_at(p, row, c->in_shapes), text_at(p, row, c->in_types)),
           out = roofline_bytes(text_at(p, row, c->out_shapes), text_at(p, row, c->out_types));
    struct str core = text_at(p, row, c->core);

    if (!(flops > 0))
        return OK;
    if (rate > 0 && util > 0.001) {
        double *v = grow_array(m->peaks, m->n_peaks, &m->peaks_cap, sizeof *v, 256);
        if (!v)
            return err_nomem(e);
        m->peaks = v;
        m->peaks[m->n_peaks++] = rate / util;
    }
    if (!(rate > 0) || !(ns > 0) || in <= 0 || out <= 0) {
        r->unknown++;
        return OK;
    }
    struct roof_op *o = grow_array(r->op, r->n, &m->cap, sizeof *o, 256);
    if (!o)
        return err_nomem(e);
    r->op = o;
    o = &r->op[r->n++];
    *o = (struct roof_op){ .intensity = flops / (in + out), .flops_per_s = rate, .avg_ns = ns };
    o->log_intensity = log10(o->intensity);
    o->log_flops = log10(rate);
    o->cls = op_class_of(core, text_at(p, row, c->type));
    str_copy(last_part(text_at(p, row, c->name)), o->name, sizeof o->name);
    r->bytes_per_s = fmax(r->bytes_per_s, rate / o->intensity);
    return OK;
}

static int lost_cmp(const void *a, const void *b)
{
    const struct roof_op *x = a, *y = b;
    return x->lost_ns > y->lost_ns ? -1 : x->lost_ns < y->lost_ns;
}

/* The limits, then each op below them. Uses that are shares of one peak agree: their median. */
static void judge(struct making *m)
{
    struct roofline *r = m->r;

    if (m->n_peaks) {
        qsort(m->peaks, m->n_peaks, sizeof *m->peaks, double_cmp);
        r->peak = m->peaks[m->n_peaks / 2];
    }
    r->peak_is_reached = !m->n_peaks;
    for (size_t i = 0; r->peak_is_reached && i < r->n; i++)
        r->peak = i ? fmax(r->peak, r->op[i].flops_per_s) : r->op[i].flops_per_s;
    for (size_t i = 0; i < r->n; i++) {
        struct roof_op *o = &r->op[i];
        double by_memory = o->intensity * r->bytes_per_s;
        o->by_memory = by_memory < r->peak;
        o->share = o->flops_per_s / fmin(by_memory, r->peak);
        o->lost_ns = o->share < 1 ? o->avg_ns * (1 - o->share) : 0;
    }
    if (r->n)
        qsort(r->op, r->n, sizeof *r->op, lost_cmp);
}

int roofline_make(struct roofline *out, const struct view_part *part, const struct view_scope *scope,
                  struct err *e)
{
    struct making m = { .r = out };
    struct view *v = NULL;

    *out = (struct roofline){ .peak = NAN };
    if (view_open(&v, &view_flops_op, part, 1, scope, e))
        return e->code;
    const struct cols c = find_cols(v);
    size_t rows = view_rows(v) < ROOF_OPS_MAX ? view_rows(v) : ROOF_OPS_MAX;
    out->beyond = view_rows(v) - rows;
    for (size_t at = 0; at < rows && !e->code; at += PAGE_ROWS) {
        struct page p;
        if (view_page(v, at, rows - at < PAGE_ROWS ? rows - at : PAGE_ROWS, VIEW_RELATIVE, &p, e))
            break;
        for (size_t r = 0; r < p.n && !e->code; r++)
            (void)!add_row(&m, &p, r, &c, e);
    }
    if (e->code)
        roofline_done(out);
    else
        judge(&m);
    free(m.peaks);
    view_close(v);
    return e->code;
}

void roofline_done(struct roofline *r)
{
    free(r->op);
    *r = (struct roofline){ .n = 0 };
}
