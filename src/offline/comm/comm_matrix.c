/* SPDX-License-Identifier: Apache-2.0 */
/*
 * communication_matrix.json (doc/formats/framework.md#communication_matrix): of each type of op, group and
 * link the best, the middle and the worst transfers, and their sum.
 */
#include "config.h"

#include "base/buf.h"
#include "base/large/sort_index.h"
#include "offline/comm/comm.h"

#define TIMES            "Communication Time Info"
#define START            "Start Timestamp(us)"
#define TRANSPORT        "Transport Type"
#define SIZE             "Transit Size(MB)"
#define TRANSIT          "Transit Time(ms)"
#define BANDWIDTH        "Bandwidth(GB/s)"
#define ANY_STEP         UINT32_MAX
#define GROUP_NAME_MAX_B ((size_t)16 << 20)

/* Which entry of a link, those of high bandwidth first, has which name. */
enum pick { TOP, MIDDLE, BOTTOM, SUM };
struct part {
    const char *word;
    enum pick pick;
    uint32_t k;    /* of BOTTOM: from the end */
    uint32_t from; /* entries from which on upstream writes it */
};
/* In the order of their first appearance. */
static const struct part parts[] = {
    { "top1", TOP, 0, 1 },       { "middle", MIDDLE, 0, 1 },  { "bottom1", BOTTOM, 1, 1 },
    { "bottom2", BOTTOM, 2, 1 }, { "bottom3", BOTTOM, 3, 1 }, { "total", SUM, 0, 1 },
};
static const struct part least_parts[] = {
    { "top1", TOP, 0, 1 },  { "middle", MIDDLE, 0, 1 },  { "bottom1", BOTTOM, 1, 1 },
    { "total", SUM, 0, 1 }, { "bottom2", BOTTOM, 2, 2 }, { "bottom3", BOTTOM, 3, 3 },
};
#define N_PARTS ARRAY_LEN(parts)

/* A transfer of an op over a link. */
struct entry {
    uint32_t link;          /* node */
    uint32_t op, transport; /* nodes below the words' root */
    struct comm_num mb, ms, rate;
};
struct writing {
    struct offline_run *r;
    const struct comm_rules *rules;
    const struct comm_step *step;
    size_t n_steps;
    struct comm_tree ops; /* that have times: a.v is their step */
    bool has_step;        /* one of them has a step */
    /* below the root the steps, then halves, then type and group, then links: a.v counts a link's entries */
    struct comm_tree tree;
    struct comm_tree words;
    struct entry *entry; /* by link, then by bandwidth */
    size_t n_entries, cap_entries;
    struct buf name;
    struct emit *o;
};

/* ---- reading ---- */

static int on_timed_op(void *arg, struct str name, struct str value, struct err *e)
{
    struct writing *w = arg;
    struct str start = comm_member(comm_member(value, TIMES), START);
    uint32_t step = comm_step_of(w->rules, w->step, w->n_steps, start);

    if (step == COMM_NONE)
        return OK;
    uint32_t op = comm_tree_put(&w->ops, 0, name, e);
    if (op != COMM_NONE)
        w->ops.v[op].a.v = step;
    w->has_step = true;
    return e->code;
}

/* The node of an op's type and group in its half of its step; COMM_NONE: it has no step, or e is set. */
static uint32_t group_of(struct writing *w, struct str name, struct err *e)
{
    bool p2p = comm_is_p2p(w->rules, name);
    uint32_t op = comm_tree_find(&w->ops, 0, name);
    uint32_t step = op == COMM_NONE ? ANY_STEP : (uint32_t)w->ops.v[op].a.v;

    if (w->has_step && op == COMM_NONE)
        return COMM_NONE;
    uint32_t node = comm_tree_put(&w->tree, 0, (struct str){ (const char *)&step, sizeof step }, e);
    if (node != COMM_NONE)
        node = comm_tree_put(&w->tree, node, p2p ? STR("p2p") : STR("collective"), e);
    buf_clear(&w->name);
    buf_add(&w->name, comm_type(w->rules, name, p2p));
    buf_addc(&w->name, '@');
    buf_add(&w->name, str_after_last(name, '@'));
    if (buf_failed(&w->name))
        err_nomem(e);
    return e->code ? COMM_NONE : comm_tree_put(&w->tree, node, buf_str(&w->name), e);
}

static int add_entry(struct writing *w, uint32_t group, struct str op, struct str link, struct str value,
                     struct err *e)
{
    struct entry *v = spool_grow(w->r->pool, w->entry, w->n_entries, &w->cap_entries, sizeof *v, 256);
    struct entry x = { .link = comm_tree_put(&w->tree, group, link, e),
                       .op = comm_tree_put(&w->words, 0, op, e),
                       .transport = comm_tree_put(&w->words, 0, comm_member(value, TRANSPORT), e) };

    w->entry = v ? v : w->entry;
    if (!v)
        err_nomem(e);
    if (e->code || !comm_num_read(comm_member(value, SIZE), &x.mb) ||
        !comm_num_read(comm_member(value, TRANSIT), &x.ms) ||
        !comm_num_read(comm_member(value, BANDWIDTH), &x.rate))
        return e->code;
    w->tree.v[x.link].a.v++;
    v[w->n_entries++] = x;
    return OK;
}

static int on_op(void *arg, struct str name, struct str value, struct err *e)
{
    struct writing *w = arg;
    struct str key, val;
    bool is_string;

    if (comm_is_total(w->rules, name))
        return OK;
    uint32_t group = group_of(w, name, e);
    if (group == COMM_NONE)
        return e->code;
    for (size_t pos = 0; js_member(value, &pos, &key, &val, &is_string);)
        if (add_entry(w, group, str_sub(name, 0, str_chr(name, '@')), key, val, e))
            return e->code;
    return OK;
}

/* ---- entries of links ---- */

static bool entry_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct entry *v = arg;

    return v[a].link != v[b].link ? v[a].link < v[b].link : v[a].rate.v > v[b].rate.v;
}

/* Each link's entries together; b.v of its node becomes the first one. */
static int order_entries(struct writing *w, struct err *e)
{
    if (prof_sort(w->r->pool, w->entry, w->n_entries, sizeof *w->entry, entry_before, w->entry, e))
        return e->code;
    for (size_t i = w->n_entries; i-- > 0;)
        w->tree.v[w->entry[i].link].b.v = (double)i;
    return OK;
}

static uint32_t count_of(const struct writing *w, uint32_t link)
{
    return (uint32_t)w->tree.v[link].a.v;
}

/* ---- writing ---- */

static void put_key(struct emit *o, const char *key, bool first)
{
    emit_fmt(o, "%s\"%s\": ", first ? "" : ", ", key);
}

static void put_numbers(struct writing *w, const struct entry *x)
{
    put_key(w->o, TRANSPORT, true);
    offline_json_text(w->o, comm_tree_name(&w->words, x->transport));
    put_key(w->o, SIZE, false);
    comm_num_put(w->o, x->mb);
    put_key(w->o, TRANSIT, false);
    comm_num_put(w->o, x->ms);
    put_key(w->o, BANDWIDTH, false);
    comm_num_put(w->o, x->rate);
}

static struct entry sum_of(const struct entry *v, uint32_t n)
{
    struct entry sum = { .transport = v->transport };

    for (uint32_t i = 0; i < n; i++) {
        comm_num_add(&sum.mb, v[i].mb);
        comm_num_add(&sum.ms, v[i].ms);
    }
    sum.rate = comm_ratio(sum.mb.v, sum.ms.v);
    return sum;
}

static void put_link(struct writing *w, uint32_t link, const struct part *p, bool first)
{
    uint32_t n = count_of(w, link), back = p->k < n ? p->k : n;
    const struct entry *v = &w->entry[(size_t)w->tree.v[link].b.v];
    const struct entry sum = sum_of(v, p->pick == SUM ? n : 0);
    const struct entry *x = p->pick == SUM      ? &sum
                            : p->pick == BOTTOM ? &v[n - back]
                                                : &v[p->pick == MIDDLE ? n / 2 : 0];

    emit_s(w->o, first ? "" : ", ");
    offline_json_text(w->o, comm_tree_name(&w->tree, link));
    emit_s(w->o, ": {");
    put_numbers(w, x);
    if (p->pick != SUM) {
        put_key(w->o, w->rules->op_name, false);
        offline_json_text(w->o, comm_tree_name(&w->words, x->op));
    }
    emit_c(w->o, '}');
}

/* A name of the half: it appears with the first link that has so many entries. */
struct named {
    uint32_t group, link;
    const struct part *part;
};

static bool named_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct named *v = arg;

    return v[a].link != v[b].link ? v[a].link < v[b].link : v[a].part < v[b].part;
}

static void put_named(struct writing *w, const struct named *x, bool first)
{
    struct str name = comm_tree_name(&w->tree, x->group);
    size_t at = str_rchr(name, '@');

    buf_clear(&w->name);
    buf_add(&w->name, str_sub(name, 0, at));
    buf_addc(&w->name, '-');
    buf_puts(&w->name, x->part->word);
    buf_add(&w->name, str_sub(name, at, SIZE_MAX));
    emit_s(w->o, first ? "" : ", ");
    offline_json_text(w->o, buf_str(&w->name));
    emit_s(w->o, ": {");
    for (uint32_t i = x->link; i != COMM_NONE; i = w->tree.v[i].next)
        if (count_of(w, i) >= x->part->from)
            put_link(w, i, x->part, i == x->link);
    emit_c(w->o, '}');
}

static size_t find_names(const struct writing *w, uint32_t half, struct named *v)
{
    const struct comm_node *t = w->tree.v;
    const struct part *all = w->rules->least ? least_parts : parts;
    size_t n = 0;

    for (uint32_t g = half == COMM_NONE ? half : t[half].child; g != COMM_NONE; g = t[g].next)
        for (size_t i = 0; i < N_PARTS; i++) {
            uint32_t link = t[g].child;
            while (link != COMM_NONE && count_of(w, link) < all[i].from)
                link = t[link].next;
            if (link != COMM_NONE && v)
                v[n] = (struct named){ g, link, &all[i] };
            n += link != COMM_NONE;
        }
    return n;
}

static int put_half(struct writing *w, uint32_t step, const char *word, struct err *e)
{
    uint32_t half = comm_tree_find(&w->tree, step, str_of(word));
    size_t n = find_names(w, half, NULL);
    struct named *v = spool_array(w->r->pool, n + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    find_names(w, half, v);
    put_key(w->o, word, str_eq(str_of(word), STR("p2p")));
    emit_c(w->o, '{');
    if (prof_sort(w->r->pool, v, n, sizeof *v, named_before, v, e) == OK)
        for (size_t i = 0; i < n; i++)
            put_named(w, &v[i], !i);
    emit_c(w->o, '}');
    spool_free(w->r->pool, v);
    return e->code;
}

static const struct comm_step *step_at(const struct writing *w, uint32_t node)
{
    static const struct comm_step none = { .id = { "", 0 } };
    uint32_t step = 0;

    memcpy(&step, comm_tree_name(&w->tree, node).p, sizeof step);
    return step < w->n_steps ? &w->step[step] : &none;
}

/* Steps in the order in which they appear in msprof's file. */
static int put_steps(struct writing *w, struct err *e)
{
    emit_c(w->o, '{');
    for (uint32_t i = w->tree.v[0].child; i != COMM_NONE && !e->code; i = w->tree.v[i].next) {
        emit_s(w->o, i == w->tree.v[0].child ? "" : ", ");
        comm_put_step(w->o, w->rules, step_at(w, i));
        emit_c(w->o, '{');
        (void)!(put_half(w, i, "p2p", e) || put_half(w, i, "collective", e));
        emit_c(w->o, '}');
    }
    emit_c(w->o, '}');
    return e->code;
}

static int make(struct writing *w, const struct offline_file *ops, const struct offline_file *matrix,
                const struct offline_output *x, struct err *e)
{
    if (comm_steps(w->r, w->rules, &w->step, &w->n_steps, e) || comm_tree_new(&w->ops, w->r->pool, e) ||
        comm_tree_new(&w->tree, w->r->pool, e) || comm_tree_new(&w->words, w->r->pool, e) ||
        comm_read(ops, on_timed_op, w, e) || comm_read(matrix, on_op, w, e) || order_entries(w, e) ||
        offline_open(w->r, &w->o, x, e))
        return e->code;
    return put_steps(w, e);
}

int offline_comm_matrix(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct offline_file *ops = offline_exported(r, "communication.json", "", NULL);
    const struct offline_file *matrix = offline_exported(r, "communication_matrix.json", "", NULL);
    struct writing w = { .r = r, .rules = comm_rules_of(r) };

    if (!ops || !matrix) {
        offline_no_data(r, x, "the PROF folder has no communication ops");
        return OK;
    }
    buf_init(&w.name, GROUP_NAME_MAX_B);
    (void)!make(&w, ops, matrix, x, e);
    buf_done(&w.name);
    spool_free(r->pool, w.entry);
    comm_tree_done(&w.words);
    comm_tree_done(&w.tree);
    comm_tree_done(&w.ops);
    return offline_close(r, w.o, e);
}
