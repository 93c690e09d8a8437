/* SPDX-License-Identifier: Apache-2.0 */
/* communication.json (doc/formats/framework.md#communication): msprof's ops by step and kind, their sums. */
#include "config.h"

#include "base/buf.h"
#include "base/large/sort_index.h"
#include "offline/comm/comm.h"

#define TIMES     "Communication Time Info"
#define BANDS     "Communication Bandwidth Info"
#define START     "Start Timestamp(us)"
#define WAIT      "Wait Time(ms)"
#define SYNC      "Synchronization Time(ms)"
#define TRANSIT   "Transit Time(ms)"
#define SIZE      "Transit Size(MB)"
#define SIZES     "Size Distribution"
#define BANDWIDTH "Bandwidth(GB/s)"
#define TOTAL     "Total Op Info"

static const char *const ratios[] = { "Wait Time Ratio", "Synchronization Time Ratio" };

struct op {
    uint64_t at; /* of its text: name and value */
    uint32_t n;
    uint32_t half; /* 2 * step, + 1 of collective ops */
};
struct writing {
    struct offline_run *r;
    const struct comm_rules *rules;
    const struct comm_step *step;
    size_t n_steps;
    char *text; /* of all ops */
    size_t n_text, cap_text;
    struct op *op; /* in order of the file */
    size_t n_ops, cap_ops;
    struct comm_tree sums; /* half: times and transports, transport: sizes */
    struct emit *o;
};

/* ---- sums ---- */

static bool is_ratio(struct str key)
{
    return str_eq(key, str_of(ratios[0])) || str_eq(key, str_of(ratios[1]));
}

/* a of the node's sum; a time is a double from the start. */
static int add(struct writing *w, uint32_t parent, struct str key, struct str text, struct err *e)
{
    struct comm_num x;

    if (!comm_num_read(text, &x))
        return OK;
    uint32_t node = comm_tree_put(&w->sums, parent, key, e);
    if (node != COMM_NONE)
        comm_num_add(&w->sums.v[node].a, x);
    return e->code;
}

static int add_times(struct writing *w, uint32_t to, struct str object, struct err *e)
{
    struct str key, val;
    bool is_string;

    for (size_t pos = 0; js_member(object, &pos, &key, &val, &is_string);)
        if (!is_ratio(key) && !str_eq(key, STR(START)) && add(w, to, key, val, e))
            return e->code;
    return OK;
}

/* {"0.524288": [2, 0.04492]}: how many packets, and their time. */
static int add_sizes(struct writing *w, uint32_t to, struct str object, struct err *e)
{
    struct str key, val;
    bool is_string;

    for (size_t pos = 0; js_member(object, &pos, &key, &val, &is_string);) {
        struct comm_num count, ms;
        size_t comma = str_chr(val, ',');
        if (comma == SIZE_MAX || !comm_num_read(str_trim(str_sub(val, 1, comma - 1)), &count) ||
            !comm_num_read(str_trim(str_sub(val, comma + 1, val.n - comma - 2)), &ms))
            continue;
        uint32_t node = comm_tree_put(&w->sums, to, key, e);
        if (node == COMM_NONE)
            return e->code;
        comm_num_add(&w->sums.v[node].a, count);
        comm_num_add(&w->sums.v[node].b, ms);
    }
    return OK;
}

static int add_band(struct writing *w, uint32_t to, struct str object, struct err *e)
{
    struct str key, val;
    bool is_string;

    for (size_t pos = 0; js_member(object, &pos, &key, &val, &is_string);) {
        struct comm_num x;
        if (str_eq(key, STR(SIZES))) {
            if (add_sizes(w, to, val, e))
                return e->code;
        } else if (str_eq(key, STR(TRANSIT)) && comm_num_read(val, &x)) {
            comm_num_add(&w->sums.v[to].a, x);
        } else if (str_eq(key, STR(SIZE)) && comm_num_read(val, &x)) {
            comm_num_add(&w->sums.v[to].b, x);
        }
    }
    return OK;
}

static int add_bands(struct writing *w, uint32_t to, struct str object, struct err *e)
{
    struct str key, val;
    bool is_string;

    for (size_t pos = 0; js_member(object, &pos, &key, &val, &is_string);) {
        uint32_t band = comm_tree_put(&w->sums, to, key, e);
        if (band == COMM_NONE || add_band(w, band, val, e))
            return e->code;
    }
    return OK;
}

/* The node of a half's part, below the root. */
static uint32_t part_of(struct writing *w, uint32_t half, const char *part, struct err *e)
{
    uint32_t node = comm_tree_put(&w->sums, 0, (struct str){ (const char *)&half, sizeof half }, e);

    return node == COMM_NONE ? node : comm_tree_put(&w->sums, node, str_of(part), e);
}

static int add_op(struct writing *w, uint32_t half, struct str times, struct str bands, struct err *e)
{
    uint32_t to_times = part_of(w, half, TIMES, e), to_bands = part_of(w, half, BANDS, e);

    if (to_times == COMM_NONE || to_bands == COMM_NONE)
        return e->code;
    return add_times(w, to_times, times, e) ? e->code : add_bands(w, to_bands, bands, e);
}

/* ---- reading ---- */

static int keep_op(struct writing *w, struct str name, struct str value, uint32_t half, struct err *e)
{
    struct buf b;

    buf_init(&b, name.n * 6 + value.n + 16);
    buf_json(&b, name);
    buf_puts(&b, ": ");
    buf_add(&b, value);
    struct str s = buf_str(&b);
    struct op *v = spool_grow(w->r->pool, w->op, w->n_ops, &w->cap_ops, sizeof *v, 256);
    char *t = spool_grow(w->r->pool, w->text, w->n_text + s.n, &w->cap_text, 1, 65536);
    w->op = v ? v : w->op;
    w->text = t ? t : w->text;
    if (!v || !t || buf_failed(&b) || s.n > UINT32_MAX) {
        err_nomem(e);
    } else {
        memcpy(t + w->n_text, s.p, s.n);
        v[w->n_ops++] = (struct op){ w->n_text, (uint32_t)s.n, half };
        w->n_text += s.n;
    }
    buf_done(&b);
    return e->code;
}

static int on_op(void *arg, struct str name, struct str value, struct err *e)
{
    struct writing *w = arg;
    struct str times = comm_member(value, TIMES), bands = comm_member(value, BANDS);
    uint32_t step = comm_step_of(w->rules, w->step, w->n_steps, comm_member(times, START));

    if (step == COMM_NONE || comm_is_total(w->rules, name))
        return OK;
    uint32_t half = 2 * step + !comm_is_p2p(w->rules, name);
    return keep_op(w, name, value, half, e) ? e->code : add_op(w, half, times, bands, e);
}

/* ---- writing ---- */

static void put_key(struct emit *o, struct str key, bool first)
{
    emit_s(o, first ? "" : ", ");
    offline_json_text(o, key);
    emit_s(o, ": ");
}

static double time_of(const struct writing *w, uint32_t times, const char *key)
{
    const struct comm_tree *t = &w->sums;

    for (uint32_t i = t->v[times].child; i != COMM_NONE; i = t->v[i].next)
        if (str_eq(comm_tree_name(t, i), str_of(key)))
            return t->v[i].a.v;
    return 0;
}

static void put_times(struct writing *w, uint32_t times)
{
    const struct comm_tree *t = &w->sums;
    double wait = time_of(w, times, WAIT), sync = time_of(w, times, SYNC),
           transit = time_of(w, times, TRANSIT);
    const struct comm_num ratio[] = { comm_ratio(wait, wait + transit), comm_ratio(sync, transit + sync) };
    bool first = true;

    for (uint32_t i = t->v[times].child; i != COMM_NONE; i = t->v[i].next) {
        put_key(w->o, comm_tree_name(t, i), first);
        emit_repr(w->o, t->v[i].a.v);
        first = false;
    }
    for (size_t i = 0; i < ARRAY_LEN(ratio); i++) {
        put_key(w->o, str_of(ratios[i]), first && !i);
        comm_num_put(w->o, ratio[i]);
    }
}

/* Upstream computes the bandwidth and forgets it. */
static void put_band(struct writing *w, uint32_t band)
{
    const struct comm_node *v = w->sums.v, *x = &v[band];
    struct emit *o = w->o;

    put_key(o, STR(TRANSIT), true);
    comm_num_put(o, x->a);
    put_key(o, STR(SIZE), false);
    comm_num_put(o, x->b);
    if (!w->r->o->compat) {
        put_key(o, STR(BANDWIDTH), false);
        comm_num_put(o, comm_ratio(x->b.v, x->a.v));
    }
    put_key(o, STR(SIZES), false);
    emit_c(o, '{');
    for (uint32_t i = x->child; i != COMM_NONE; i = v[i].next) {
        put_key(o, comm_tree_name(&w->sums, i), i == x->child);
        emit_c(o, '[');
        comm_num_put(o, v[i].a);
        emit_s(o, ", ");
        comm_num_put(o, v[i].b);
        emit_c(o, ']');
    }
    emit_c(o, '}');
}

static int put_sums(struct writing *w, uint32_t half, struct err *e)
{
    uint32_t times = part_of(w, half, TIMES, e), bands = part_of(w, half, BANDS, e);
    const struct comm_tree *t = &w->sums;

    if (times == COMM_NONE || bands == COMM_NONE)
        return e->code;
    emit_s(w->o, ", \"" TOTAL "\": {\"" TIMES "\": {");
    put_times(w, times);
    emit_s(w->o, "}, \"" BANDS "\": {");
    for (uint32_t i = t->v[bands].child; i != COMM_NONE; i = t->v[i].next) {
        put_key(w->o, comm_tree_name(t, i), i == t->v[bands].child);
        emit_c(w->o, '{');
        put_band(w, i);
        emit_c(w->o, '}');
    }
    emit_s(w->o, "}}");
    return OK;
}

static bool half_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct op *v = arg;

    return v[a].half < v[b].half;
}

/* The ops of a half, from *at on. */
static int put_half(struct writing *w, uint32_t half, size_t *at, struct err *e)
{
    size_t from = *at;

    emit_s(w->o, half % 2 ? ", \"collective\": {" : "{\"p2p\": {");
    for (; *at < w->n_ops && w->op[*at].half == half; ++*at) {
        emit_s(w->o, *at > from ? ", " : "");
        emit_n(w->o, w->text + w->op[*at].at, w->op[*at].n);
    }
    if (*at > from && put_sums(w, half, e))
        return e->code;
    emit_s(w->o, half % 2 ? "}}" : "}");
    return OK;
}

static int put_steps(struct writing *w, struct err *e)
{
    size_t at = 0;

    if (prof_sort(w->r->pool, w->op, w->n_ops, sizeof *w->op, half_before, w->op, e))
        return e->code;
    emit_c(w->o, '{');
    for (size_t i = 0; i < w->n_steps; i++) {
        emit_s(w->o, i ? ", " : "");
        comm_put_step(w->o, w->rules, &w->step[i]);
        if (put_half(w, 2 * (uint32_t)i, &at, e) || put_half(w, 2 * (uint32_t)i + 1, &at, e))
            return e->code;
    }
    emit_c(w->o, '}');
    return OK;
}

int offline_comm_json(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_file *f = offline_exported(r, "communication.json", "", NULL);
    struct writing w = { .r = r, .rules = comm_rules_of(r) };

    if (!f) {
        offline_no_data(r, x, "the PROF folder has no communication ops");
        return OK;
    }
    if (comm_steps(r, w.rules, &w.step, &w.n_steps, e) == OK && comm_tree_new(&w.sums, r->pool, e) == OK &&
        comm_read(f, on_op, &w, e) == OK && offline_open(r, &w.o, x, e) == OK)
        (void)!put_steps(&w, e);
    spool_free(r->pool, w.text);
    spool_free(r->pool, w.op);
    comm_tree_done(&w.sums);
    return offline_close(r, w.o, e);
}
