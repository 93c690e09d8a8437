/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionary of ops while filling: identity, attributes of the first source, partial keys
 * (doc/store.md#op-identity). */
#include "config.h"

#include "store/pages/fill_bulk.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static uint64_t key_hash(const struct op_key *k)
{
    uint64_t w[5] = { (uint64_t)k->name_id << 32 | k->type_id,
                      (uint64_t)k->graph_id * 31 + (uint64_t)k->model_id,
                      (uint64_t)k->in_shapes_id << 32 | k->in_types_id, k->in_formats_id, k->out_shapes_id };
    return str_hash((struct str){ (const char *)w, sizeof w }, 0x6f70);
}

static bool key_eq(const struct op_key *a, const struct op_key *b)
{
    return a->name_id == b->name_id && a->type_id == b->type_id && a->graph_id == b->graph_id &&
           a->model_id == b->model_id && a->in_shapes_id == b->in_shapes_id &&
           a->in_types_id == b->in_types_id && a->in_formats_id == b->in_formats_id &&
           a->out_shapes_id == b->out_shapes_id;
}

/* The key has a name, and perhaps a type, but nothing that tells ops of that name apart. */
static bool key_is_partial(const struct op_key *k)
{
    return k->graph_id < 0 && k->model_id < 0 && !k->in_shapes_id && !k->in_types_id && !k->in_formats_id &&
           !k->out_shapes_id;
}

static int grow_hash(struct fill *f, struct err *e)
{
    uint32_t n = f->op_hash_n ? f->op_hash_n * 2 : 4096;
    uint32_t *h = calloc(n, sizeof *h);

    if (!h)
        return err_nomem(e);
    for (uint32_t i = 0; i < f->n_ops; i++) {
        uint64_t at = key_hash(&f->ops[i].key) & (n - 1);
        f->ops[i].next_same_hash = h[at];
        h[at] = i + 1;
    }
    free(f->op_hash);
    f->op_hash = h;
    f->op_hash_n = n;
    return OK;
}

static int grow_names(struct fill *f, uint32_t name_id, struct err *e)
{
    if (name_id < f->n_op_names)
        return OK;
    uint32_t n = f->n_op_names ? f->n_op_names : 1024;
    while (n <= name_id)
        n *= 2;
    struct op_name_entry *p = realloc(f->op_names, (size_t)n * sizeof *p);
    if (!p)
        return err_nomem(e);
    memset(p + f->n_op_names, 0, (size_t)(n - f->n_op_names) * sizeof *p);
    f->op_names = p;
    f->n_op_names = n;
    return OK;
}

static struct op_entry *find_exact(struct fill *f, const struct op_key *k)
{
    if (!f->op_hash_n)
        return NULL;
    for (uint32_t i = f->op_hash[key_hash(k) & (f->op_hash_n - 1)]; i; i = f->ops[i - 1].next_same_hash)
        if (key_eq(&f->ops[i - 1].key, k))
            return &f->ops[i - 1];
    return NULL;
}

/* The only op of this name, if the two keys do not contradict each other. */
static struct op_entry *find_by_name(struct fill *f, const struct op_key *k, uint32_t source_id)
{
    const struct op_name_entry *n = k->name_id < f->n_op_names ? &f->op_names[k->name_id] : NULL;

    if (!n || n->count != 1)
        return NULL;
    struct op_entry *o = &f->ops[n->first - 1];
    bool types_fit = !o->key.type_id || !k->type_id || o->key.type_id == k->type_id;
    if (!types_fit)
        return NULL;
    if (key_is_partial(k))
        return o;
    if (key_is_partial(&o->key) && o->source_id != source_id)
        return o;
    return NULL;
}

static void unlink_hash(struct fill *f, struct op_entry *o)
{
    uint32_t me = (uint32_t)(o - f->ops) + 1;
    uint32_t *at = &f->op_hash[key_hash(&o->key) & (f->op_hash_n - 1)];

    while (*at && *at != me)
        at = &f->ops[*at - 1].next_same_hash;
    if (*at)
        *at = o->next_same_hash;
}

static void link_hash(struct fill *f, struct op_entry *o)
{
    uint32_t *at = &f->op_hash[key_hash(&o->key) & (f->op_hash_n - 1)];

    o->next_same_hash = *at;
    *at = (uint32_t)(o - f->ops) + 1;
}

/* A text attribute: the first known value is kept. false: no room. */
static bool keep_text(struct fill *f, struct op_entry *o, uint32_t *slot, struct str s)
{
    if (*slot || !s.p)
        return true;
    uint32_t id = intern_put(f->op_texts, s);
    if (id == INTERN_NONE)
        return false;
    *slot = id + 1;
    o->dirty = true;
    return true;
}

struct str fill_op_text(const struct fill *f, uint32_t text)
{
    return text ? intern_get(f->op_texts, text - 1) : STR_NULL;
}

struct str fill_string(const struct fill *f, uint32_t id)
{
    return id && id <= intern_count(f->strings) ? intern_get(f->strings, id - 1) : STR_NULL;
}

struct str fill_op_name(const struct fill *f, int64_t op_id)
{
    return op_id > 0 && (uint64_t)op_id <= f->n_ops ? fill_string(f, f->ops[op_id - 1].key.name_id)
                                                    : STR_NULL;
}

static void keep_id(struct op_entry *o, uint32_t *slot, uint32_t v)
{
    if (!*slot && v) {
        *slot = v;
        o->dirty = true;
    }
}

static void keep_int(struct op_entry *o, int64_t *slot, int64_t v)
{
    if (*slot < 0 && v >= 0) {
        *slot = v;
        o->dirty = true;
    }
}

static int merge_attr(struct fill *f, struct op_entry *o, const struct op_attr *a, struct err *e)
{
    if (!keep_text(f, o, &o->core, a->core) || !keep_text(f, o, &o->state, a->state) ||
        !keep_text(f, o, &o->hf32, a->hf32) || !keep_text(f, o, &o->extra, a->extra))
        return err_nomem(e);
    keep_id(o, &o->out_types_id, a->out_types_id);
    keep_id(o, &o->out_formats_id, a->out_formats_id);
    keep_id(o, &o->attrs_id, a->attrs_id);
    keep_id(o, &o->strategy_id, a->strategy_id);
    keep_int(o, &o->block_num, a->block_num);
    keep_int(o, &o->mix_block_num, a->mix_block_num);
    keep_int(o, &o->task, a->task);
    keep_int(o, &o->stream, a->stream);
    return OK;
}

static struct op_entry *add_op(struct fill *f, const struct op_key *k, const struct op_attr *a, struct err *e)
{
    struct op_entry *p =
        f->n_ops < UINT32_MAX - 1 ? grow_array(f->ops, f->n_ops, &f->cap_ops, sizeof *p, 1024) : NULL;

    if (p)
        f->ops = p;
    if (!p || (!f->op_texts && intern_new(&f->op_texts, e))) {
        err_nomem(e);
        return NULL;
    }
    if (f->n_ops >= f->op_hash_n / 2 && grow_hash(f, e))
        return NULL;
    struct op_entry *o = &p[f->n_ops++];
    *o = (struct op_entry){ .key = *k,
                            .id = ++f->last_op_id,
                            .block_num = -1,
                            .mix_block_num = -1,
                            .task = -1,
                            .stream = -1,
                            .source_id = a->source_id,
                            .line = a->line,
                            .dirty = true };
    link_hash(f, o);
    struct op_name_entry *n = &f->op_names[k->name_id];
    if (!n->count++)
        n->first = (uint32_t)f->n_ops;
    return o;
}

/* ---- ops of a store that is added to ---- */

static uint32_t id_at(const struct query *q, size_t col)
{
    return (uint32_t)query_int(q, col); /* 0 for NULL */
}

static int64_t int_at(const struct query *q, size_t col)
{
    return query_null(q, col) ? -1 : query_int(q, col);
}

static int read_op(struct fill *f, const struct query *q, struct err *e)
{
    const struct op_key k = {
        .name_id = id_at(q, COL(op, name_id)),
        .type_id = id_at(q, COL(op, type_id)),
        .graph_id = int_at(q, COL(op, graph_id)),
        .model_id = int_at(q, COL(op, model_id)),
        .in_shapes_id = id_at(q, COL(op, in_shapes_id)),
        .in_types_id = id_at(q, COL(op, in_types_id)),
        .in_formats_id = id_at(q, COL(op, in_formats_id)),
        .out_shapes_id = id_at(q, COL(op, out_shapes_id)),
    };
    const struct op_attr a = {
        .core = query_str(q, COL(op, core)),
        .state = query_str(q, COL(op, state)),
        .hf32 = query_str(q, COL(op, hf32)),
        .out_types_id = id_at(q, COL(op, out_types_id)),
        .out_formats_id = id_at(q, COL(op, out_formats_id)),
        .attrs_id = id_at(q, COL(op, attrs_id)),
        .strategy_id = id_at(q, COL(op, strategy_id)),
        .block_num = int_at(q, COL(op, block_num)),
        .mix_block_num = int_at(q, COL(op, mix_block_num)),
        .task = int_at(q, COL(op, task)),
        .stream = int_at(q, COL(op, stream)),
        .source_id = id_at(q, COL(op, source_id)),
        .line = id_at(q, COL(op, line)),
        .extra = query_str(q, COL(op, extra)),
    };
    struct op_entry *o = grow_names(f, k.name_id, e) ? NULL : add_op(f, &k, &a, e);

    if (!o || merge_attr(f, o, &a, e))
        return e->code;
    o->id = f->last_op_id = query_int(q, COL(op, id));
    o->dirty = false;
    return OK;
}

int fill_ops_read(struct fill *f, struct err *e)
{
    struct store *r = f->ops_unread ? fill_reader(f, e) : NULL;
    struct query *q = NULL;

    if (!f->ops_unread)
        return OK;
    f->ops_unread = false;
    if (!r || store_query(r, &q, "SELECT * FROM op ORDER BY id", e))
        return e->code;
    while (query_step(q, e) == 1 && read_op(f, q, e) == OK)
        ;
    query_free(q);
    return e->code;
}

int64_t fill_op(struct sink *s, const struct op_key *k, const struct op_attr *a, struct err *e)
{
    struct fill *f = (struct fill *)s;

    if (fill_ops_read(f, e))
        return 0;
    struct op_entry *o = find_exact(f, k);
    if (grow_names(f, k->name_id, e))
        return 0;
    if (!o && (o = find_by_name(f, k, a->source_id)) != NULL) {
        struct op_key wider = key_is_partial(k) ? o->key : *k;
        if (!wider.type_id)
            wider.type_id = k->type_id ? k->type_id : o->key.type_id;
        if (!key_eq(&wider, &o->key)) {
            unlink_hash(f, o);
            o->key = wider;
            link_hash(f, o);
            o->dirty = true;
        }
    }
    if (!o)
        o = add_op(f, k, a, e);
    return o && merge_attr(f, o, a, e) == OK ? o->id : 0;
}

/* "Conv2D-op3" */
static bool is_op(struct str part)
{
    size_t n = part.n;
    while (n && part.p[n - 1] >= '0' && part.p[n - 1] <= '9')
        n--;
    return n < part.n && str_ends(str_sub(part, 0, n), STR("-op"));
}

/*
 * Scope: the name without its last part, as MindSpore 1.x gives it. 2.x writes words of the launch in front
 * and the op itself before the last part, Kernel::KernelLaunch::Default/net/Conv2D-op3/Conv2D-op3 or
 * .../AllReduce-op444/hcom_allReduce__566_7_1: a scope with that would hold one op.
 */
static uint32_t scope_of(struct fill *f, uint32_t name_id)
{
    if (!name_id)
        return 0;
    const struct str name = str_once_at_end(intern_get(f->strings, name_id - 1), '/');
    size_t slash = str_rchr(name, '/');
    if (slash == SIZE_MAX || slash == 0)
        return 0;
    const struct str around = str_sub(name, 0, slash);
    if (is_op(str_after_last(around, '/')) && (slash = str_rchr(around, '/')) == SIZE_MAX)
        return 0;
    struct str scope = str_sub(around, 0, slash);
    if (str_starts(scope, STR("Kernel::KernelLaunch::")))
        scope = str_sub(scope, sizeof "Kernel::KernelLaunch::" - 1, scope.n);
    return scope.n ? fill_intern(&f->base, scope) : 0; /* interned bytes never move */
}

static struct val int_or_null(int64_t v)
{
    return v >= 0 ? val_int(v) : val_null();
}

static struct val text_or_null(const struct fill *f, uint32_t text)
{
    return text ? val_text(fill_op_text(f, text)) : val_null();
}

static void op_row(struct fill *f, const struct op_entry *o, struct val v[N_COLS(op)])
{
    const struct op_key *k = &o->key;
    const struct val row[N_COLS(op)] = {
        [COL(op, id)] = val_int(o->id),
        [COL(op, name_id)] = val_id(k->name_id),
        [COL(op, type_id)] = val_id(k->type_id),
        [COL(op, scope_id)] = val_id(scope_of(f, k->name_id)),
        [COL(op, core)] = text_or_null(f, o->core),
        [COL(op, graph_id)] = int_or_null(k->graph_id),
        [COL(op, model_id)] = int_or_null(k->model_id),
        [COL(op, state)] = text_or_null(f, o->state),
        [COL(op, in_shapes_id)] = val_id(k->in_shapes_id),
        [COL(op, in_types_id)] = val_id(k->in_types_id),
        [COL(op, in_formats_id)] = val_id(k->in_formats_id),
        [COL(op, out_shapes_id)] = val_id(k->out_shapes_id),
        [COL(op, out_types_id)] = val_id(o->out_types_id),
        [COL(op, out_formats_id)] = val_id(o->out_formats_id),
        [COL(op, block_num)] = int_or_null(o->block_num),
        [COL(op, mix_block_num)] = int_or_null(o->mix_block_num),
        [COL(op, hf32)] = text_or_null(f, o->hf32),
        [COL(op, attrs_id)] = val_id(o->attrs_id),
        [COL(op, strategy_id)] = val_id(o->strategy_id),
        [COL(op, task)] = int_or_null(o->task),
        [COL(op, stream)] = int_or_null(o->stream),
        [COL(op, source_id)] = val_int(o->source_id),
        [COL(op, line)] = val_int(o->line),
        [COL(op, extra)] = text_or_null(f, o->extra),
    };
    memcpy(v, row, sizeof row);
}

static int write_op(struct fill *f, const struct op_entry *o, struct err *e)
{
    struct val v[N_COLS(op)];

    op_row(f, o, v);
    for (size_t i = 0; i < N_COLS(op); i++)
        db_bind(f->ins_op, (int)i + 1, &v[i]);
    return db_run(f->db, f->ins_op, e);
}

int fill_ops_write(struct fill *f, struct err *e)
{
    if (f->tables[T_op].bulk) /* written once, by fill_ops_settle() */
        return OK;
    for (uint32_t i = 0; i < f->n_ops; i++) {
        if (!f->ops[i].dirty)
            continue;
        if (write_op(f, &f->ops[i], e))
            return e->code;
    }
    return OK;
}

int fill_ops_settle(struct fill *f, struct err *e)
{
    struct val v[N_COLS(op)];

    if (!f->tables[T_op].bulk)
        return OK;
    for (uint32_t i = 0; i < f->n_ops; i++) {
        op_row(f, &f->ops[i], v);
        if (fill_row(&f->base, T_op, v, N_COLS(op), NULL, e))
            return e->code;
        f->ops[i].dirty = false;
    }
    return bulk_end(f->tables[T_op].bulk, 0, e);
}

void fill_ops_done(struct fill *f)
{
    intern_free(f->op_texts);
    free(f->ops);
    free(f->op_hash);
    free(f->op_names);
}
