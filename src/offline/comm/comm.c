/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of communication ops, their steps, numbers and sums. */
#include "config.h"

#include "offline/comm/comm.h"

#include <math.h>

#include "base/buf.h"
#include "offline/torch/torch_joins.h"

/* ---- kinds of ops ---- */

static const char *const sends[] = { "Send", "Receive", NULL };
static const char *const hcoms[] = { "hcom_send", "hcom_receive", "hcom_batchsendrecv", NULL };
static const char *const of_p2p[] = { "receive", "send", NULL };
static const char *const of_collective[] = { "invalid",   "broadcast",     "allreduce", "reduce",
                                             "allgather", "reducescatter", "scatter",   "alltoall",
                                             "alltoallv", "alltoallvc",    NULL };
static const char *const of_torch[] = { "send",      "reduce",     "invalid",       "broadcast", "allreduce",
                                        "receive",   "allgather",  "reducescatter", "scatter",   "alltoall",
                                        "alltoallv", "alltoallvc", "batchsendrecv", NULL };

/* doc/formats/framework.md#version-differences, #torch_npu-communication. */
static const struct comm_rules rules[] = {
    { .flavours = OFFLINE_24 | OFFLINE_25,
      .compat = true,
      .rounded = true,
      .no_step = "step",
      .p2p = sends,
      .of_p2p = of_p2p,
      .of_collective = of_collective,
      .last_part = true,
      .unknown = "-op",
      .op_name = "op_name" },
    { .flavours = OFFLINE_SINCE25,
      .compat = true,
      .rounded = true,
      .no_step = "step0",
      .steps = true,
      .p2p = sends,
      .of_p2p = of_p2p,
      .of_collective = of_collective,
      .last_part = true,
      .unknown = "-op",
      .op_name = "op_name" },
    { .flavours = OFFLINE_24,
      .no_step = "step",
      .p2p = sends,
      .p2p_nocase = true,
      .of_p2p = of_p2p,
      .of_collective = of_collective,
      .longest = true,
      .last_part = true,
      .unknown = "-op",
      .op_name = "op_name" },
    { .flavours = OFFLINE_SINCE25,
      .no_step = "step0",
      .steps = true,
      .p2p = sends,
      .p2p_nocase = true,
      .of_p2p = of_p2p,
      .of_collective = of_collective,
      .longest = true,
      .last_part = true,
      .unknown = "-op",
      .op_name = "op_name" },
    { .flavours = OFFLINE_TORCH,
      .compat = true,
      .no_step = "step",
      .steps = true,
      .p2p = hcoms,
      .p2p_begins = true,
      .p2p_nocase = true,
      .total_nocase = true,
      .of_p2p = of_torch,
      .of_collective = of_torch,
      .unknown = "__",
      .least = true,
      .op_name = "Op Name" },
    { .flavours = OFFLINE_TORCH,
      .no_step = "step",
      .steps = true,
      .p2p = hcoms,
      .p2p_begins = true,
      .p2p_nocase = true,
      .total_nocase = true,
      .of_p2p = of_torch,
      .of_collective = of_torch,
      .longest = true,
      .unknown = "__",
      .least = true,
      .op_name = "Op Name" },
};

const struct comm_rules *comm_rules_of(const struct offline_run *r)
{
    size_t i = 0;

    while (i + 1 < ARRAY_LEN(rules) &&
           (!(rules[i].flavours & (unsigned)r->flavour) || rules[i].compat != r->o->compat))
        i++;
    return &rules[i];
}

bool comm_is_total(const struct comm_rules *x, struct str name)
{
    return str_starts(name, STR("Total")) ||
           (x->total_nocase && str_eq_nocase(str_sub(name, 0, 5), STR("total")));
}

bool comm_is_p2p(const struct comm_rules *x, struct str name)
{
    for (size_t i = 0; x->p2p[i]; i++) {
        size_t at =
            x->p2p_nocase ? str_find_nocase(name, str_of(x->p2p[i])) : str_find(name, str_of(x->p2p[i]), 0);
        if (at == 0 || (at != SIZE_MAX && !x->p2p_begins))
            return true;
    }
    return false;
}

/* The word that fits here, NULL: none. */
static const char *word_at(const struct comm_rules *x, const char *const *words, struct str s)
{
    const char *best = NULL;

    for (size_t i = 0; words[i]; i++)
        if (str_eq_nocase(str_sub(s, 0, strlen(words[i])), str_of(words[i])) &&
            (!best || (x->longest && strlen(words[i]) > strlen(best))))
            best = words[i];
    return best;
}

struct str comm_type(const struct comm_rules *x, struct str name, bool p2p)
{
    const char *const *words = p2p ? x->of_p2p : x->of_collective;

    for (size_t i = 0; i < name.n; i++) {
        const char *word = word_at(x, words, str_sub(name, i, SIZE_MAX));
        if (word)
            return str_of(word);
    }
    name = x->last_part ? str_after_last(name, '/') : name;
    return str_sub(name, 0, str_find(name, str_of(x->unknown), 0));
}

/* ---- steps ---- */

/* Adds a step, which may have ended before the one before it. */
static void add_step(struct comm_step *v, size_t *n, int64_t from, int64_t to, struct str id)
{
    int64_t before = *n ? v[*n - 1].latest : INT64_MIN;

    v[(*n)++] = (struct comm_step){ from, to, to > before ? to : before, from, id };
}

/* Without a step there is one of all time. */
static void end_steps(struct comm_step *v, size_t *n)
{
    if (!*n)
        add_step(v, n, INT64_MIN, INT64_MAX, STR(""));
    for (size_t i = *n - 1; i-- > 0;)
        if (v[i + 1].earliest < v[i].earliest)
            v[i].earliest = v[i + 1].earliest;
}

/* Windows of steps on the device, in order of their marks. */
static int torch_steps(struct offline_run *r, const struct comm_step **out, size_t *n, struct err *e)
{
    const struct torch_joins *j = NULL;
    struct comm_step *v;

    if (torch_joins(r, &j, e))
        return e->code;
    v = arena_array(r->a, j->n_steps + 1, sizeof *v);
    if (!v)
        return err_nomem(e);
    *n = 0;
    for (size_t i = 0; i < j->n_steps; i++)
        add_step(v, n, j->step[i].from, j->step[i].to, j->step[i].id);
    end_steps(v, n);
    *out = v;
    return OK;
}

int comm_steps(struct offline_run *r, const struct comm_rules *x, const struct comm_step **out, size_t *n,
               struct err *e)
{
    size_t n_marks = x->steps && r->is_schedule && !r->is_o2 ? r->n_steps : 0;

    if (r->flavour == OFFLINE_TORCH)
        return torch_steps(r, out, n, e);
    struct comm_step *v = arena_array(r->a, n_marks + 1, sizeof *v);

    if (!v)
        return err_nomem(e);
    *n = 0;
    for (size_t i = 0; i < n_marks; i++)
        add_step(v, n, r->step[i].from, r->step[i].to, r->step[i].id);
    end_steps(v, n);
    *out = v;
    return OK;
}

/* A time as a double that the text stands for: upstream compares that, and its grid is a quarter of a us. */
static bool rounded_ns(struct str us, int64_t *ns)
{
    double v;

    if (!str_f64(us, &v) || !(v > -9e15 && v < 9e15))
        return false;
    *ns = (int64_t)floor(v) * 1000 + (int64_t)nearbyint((v - floor(v)) * 1000);
    return true;
}

uint32_t comm_step_of(const struct comm_rules *x, const struct comm_step *v, size_t n, struct str start_us)
{
    size_t low = 0, high = n;
    int64_t ns;

    if (n == 1)
        return 0;
    if (!(x->rounded ? rounded_ns(start_us, &ns) : str_scaled(start_us, 1000, &ns, NULL)))
        return COMM_NONE;
    while (low < high) { /* the first one that ends then or later */
        size_t mid = low + (high - low) / 2;
        if (v[mid].latest < ns)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < n && v[low].earliest <= ns; low++)
        if (v[low].from <= ns && ns <= v[low].to)
            return (uint32_t)low;
    return COMM_NONE;
}

void comm_put_step(struct emit *o, const struct comm_rules *x, const struct comm_step *s)
{
    emit_s(o, "\"");
    emit_s(o, s->id.n ? "step" : x->no_step);
    emit_str(o, s->id);
    emit_s(o, "\": ");
}

/* ---- numbers ---- */

bool comm_num_read(struct str text, struct comm_num *out)
{
    int64_t whole;

    if (str_i64(text, &whole)) {
        *out = (struct comm_num){ (double)whole, false };
        return true;
    }
    out->real = true;
    return str_f64(text, &out->v);
}

void comm_num_add(struct comm_num *to, struct comm_num x)
{
    to->v += x.v;
    to->real |= x.real;
}

struct comm_num comm_ratio(double part, double whole)
{
    if (fabs(whole) < 1e-15)
        return (struct comm_num){ 0, false };
    return (struct comm_num){ emit_round(part / whole, 4), true };
}

void comm_num_put(struct emit *o, struct comm_num x)
{
    if (!x.real && x.v > -9e15 && x.v < 9e15)
        emit_i(o, (int64_t)x.v);
    else
        emit_repr(o, x.v);
}

/* ---- sums by name ---- */

static uint32_t add_node(struct comm_tree *t, uint32_t text, struct err *e)
{
    struct comm_node *v = spool_grow(t->pool, t->v, t->n, &t->cap, sizeof *v, 256);

    if (!v || t->n == COMM_NONE) {
        err_nomem(e);
        return COMM_NONE;
    }
    t->v = v;
    v[t->n] = (struct comm_node){ .text = text, .next = COMM_NONE, .child = COMM_NONE, .last = COMM_NONE };
    return (uint32_t)t->n++;
}

int comm_tree_new(struct comm_tree *t, struct spool *pool, struct err *e)
{
    *t = (struct comm_tree){ .pool = pool };
    if (intern_new(&t->keys, e) || intern_new(&t->texts, e))
        return e->code;
    /* the key of the root: node numbers are those of keys */
    if (intern_put(t->keys, STR("")) == INTERN_NONE)
        return err_nomem(e);
    return add_node(t, COMM_NONE, e) == COMM_NONE ? e->code : OK;
}

void comm_tree_done(struct comm_tree *t)
{
    spool_free(t->pool, t->v);
    intern_free(t->keys);
    intern_free(t->texts);
    *t = (struct comm_tree){ .pool = NULL };
}

uint32_t comm_tree_put(struct comm_tree *t, uint32_t parent, struct str name, struct err *e)
{
    const uint32_t key[2] = { parent, intern_put(t->texts, name) };
    uint32_t id = intern_put(t->keys, (struct str){ (const char *)key, sizeof key });

    if (key[1] == INTERN_NONE || id == INTERN_NONE) {
        err_nomem(e);
        return COMM_NONE;
    }
    if (id < t->n)
        return id;
    if (add_node(t, key[1], e) == COMM_NONE)
        return COMM_NONE;
    struct comm_node *p = &t->v[parent];
    if (p->last == COMM_NONE)
        p->child = id;
    else
        t->v[p->last].next = id;
    p->last = id;
    return id;
}

uint32_t comm_tree_find(const struct comm_tree *t, uint32_t parent, struct str name)
{
    const uint32_t key[2] = { parent, intern_find(t->texts, name) };
    uint32_t id = key[1] == INTERN_NONE ? INTERN_NONE
                                        : intern_find(t->keys, (struct str){ (const char *)key, sizeof key });

    return id == INTERN_NONE ? COMM_NONE : id;
}

struct str comm_tree_name(const struct comm_tree *t, uint32_t node)
{
    return t->v[node].text == COMM_NONE ? STR("") : intern_get(t->texts, t->v[node].text);
}

/* ---- reading ---- */

struct str comm_member(struct str object, const char *name)
{
    struct str val;
    bool is_string;

    return js_find(object, str_of(name), &val, &is_string) ? val : STR("");
}

#define VALUE_MAX ((size_t)64 << 20)

/* JSON text of a value, token by token. */
struct printing {
    struct buf b;
    bool begun; /* a comma is due before the next member or element */
};

static void print(struct printing *p, enum js_token tok, struct str text)
{
    bool ends = tok == JS_OBJ_END || tok == JS_ARR_END, opens = tok == JS_OBJ || tok == JS_ARR;

    if (p->begun && !ends)
        buf_puts(&p->b, ", ");
    p->begun = !opens && tok != JS_KEY;
    switch (tok) {
    case JS_OBJ:
    case JS_OBJ_END:
        buf_addc(&p->b, tok == JS_OBJ ? '{' : '}');
        break;
    case JS_ARR:
    case JS_ARR_END:
        buf_addc(&p->b, tok == JS_ARR ? '[' : ']');
        break;
    case JS_KEY:
    case JS_STRING:
        buf_json(&p->b, text);
        buf_puts(&p->b, tok == JS_KEY ? ": " : "");
        break;
    case JS_NUMBER:
        buf_add(&p->b, text);
        break;
    default:
        buf_puts(&p->b, tok == JS_TRUE ? "true" : tok == JS_FALSE ? "false" : "null");
    }
}

/* The members of the file's object; what we wrote ourselves has no damage. */
static int walk(struct js *j, struct buf *name, struct printing *p, comm_member_fn *fn, void *arg,
                struct err *e)
{
    enum js_token tok;
    struct str text;

    while (js_next(j, &tok, &text, e) == OK && tok != JS_END && tok != JS_BAD) {
        int depth = js_depth(j);
        if (depth == 1 && tok == JS_KEY) {
            buf_clear(name);
            buf_add(name, text);
            buf_clear(&p->b);
            p->begun = false;
            continue;
        }
        if (depth > 1 || (depth == 1 && tok != JS_OBJ))
            print(p, tok, text);
        if (depth != 1 || tok == JS_OBJ)
            continue;
        if (buf_failed(&p->b) || buf_failed(name))
            return err_nomem(e);
        if (fn(arg, buf_str(name), buf_str(&p->b), e))
            return e->code;
    }
    return e->code;
}

int comm_read(const struct offline_file *f, comm_member_fn *fn, void *arg, struct err *e)
{
    struct printing p = { .begun = false };
    struct infile *in = NULL;
    struct js *j = NULL;
    struct buf name;

    buf_init(&p.b, VALUE_MAX);
    buf_init(&name, VALUE_MAX);
    if (infile_open_fd(&in, f->fd, f->name, 0, e) == OK && js_new(&j, in, e) == OK)
        (void)!walk(j, &name, &p, fn, arg, e);
    js_free(j);
    infile_close(in);
    buf_done(&p.b);
    buf_done(&name);
    return e->code;
}
