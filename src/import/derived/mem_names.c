/* SPDX-License-Identifier: Apache-2.0 */
/* Full names and shapes for the memory that was planned. */
#include "config.h"

#include "import/derived/mem_names.h"

#include <stdlib.h>

#include "base/grow.h"

/* Rows that lack a name or a shape. */
#define OF_PB     "JOIN source s ON s.id = m.source_id WHERE s.kind = 'g1_memory_pb' AND "
#define NODES_SQL "SELECT m.rowid, m.name_id FROM mem_node m " OF_PB "m.full_name_id IS NULL"
#define TENSORS_SQL                                                                                          \
    "SELECT m.rowid, m.name_id FROM mem_tensor m " OF_PB "m.shape_id IS NULL AND m.name_id IS "              \
    "NOT NULL"
#define OPS_SQL "SELECT name_id, out_shapes_id, out_formats_id, out_types_id FROM op"

enum { OUT_SHAPES, OUT_FORMATS, OUT_TYPES, N_OUT };
#define LIST_SEPARATOR ';' /* of the outputs of an op */

/* Ops with one last part of their names. */
struct named {
    uint32_t name_id;
    uint32_t out[N_OUT]; /* lists; 0: none */
    bool several, differ;
};
struct row {
    int64_t id;
    uint32_t name_id;
};

struct names {
    struct fill *f;
    struct intern *last;
    struct named *v;
    size_t cap;
    struct row *row;
    size_t n_rows, cap_rows;
};

static void add_outputs(struct named *o, const struct query *q)
{
    for (size_t k = 0; k < N_OUT; k++) {
        uint32_t list = (uint32_t)query_int(q, k + 1);
        o->differ |= list && o->out[k] && o->out[k] != list;
        o->out[k] = list ? list : o->out[k];
    }
}

static int add_op(void *arg, const struct query *q, struct err *e)
{
    struct names *n = arg;
    uint32_t name_id = (uint32_t)query_int(q, 0);
    struct str name = fill_string(n->f, name_id);

    if (!name.p)
        return OK;
    uint32_t at = intern_count(n->last), got = intern_put(n->last, str_after_last(name, '/'));
    struct named *v = got == INTERN_NONE ? NULL : grow_array(n->v, got, &n->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    n->v = v;
    if (got == at)
        v[got] = (struct named){ .name_id = name_id };
    v[got].several |= v[got].name_id != name_id;
    add_outputs(&v[got], q);
    return OK;
}

static const struct named *find(const struct names *n, struct str last)
{
    uint32_t at = last.p ? intern_find(n->last, last) : INTERN_NONE;

    return at == INTERN_NONE || n->v[at].several ? NULL : &n->v[at];
}

static int add_row(void *arg, const struct query *q, struct err *e)
{
    struct names *n = arg;
    struct row *v = grow_array(n->row, n->n_rows, &n->cap_rows, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    n->row = v;
    v[n->n_rows++] = (struct row){ query_int(q, 0), (uint32_t)query_int(q, 1) };
    return OK;
}

static int name_nodes(struct names *n, struct err *e)
{
    for (size_t i = 0; i < n->n_rows; i++) {
        const struct named *o = find(n, fill_string(n->f, n->row[i].name_id));
        if (!o)
            continue;
        const struct val v[] = { val_id(o->name_id), val_int(n->row[i].id) };
        if (fill_update(n->f, "UPDATE mem_node SET full_name_id = ? WHERE rowid = ?", v, ARRAY_LEN(v), e))
            return e->code;
    }
    return OK;
}

/* Part i of a list; p NULL: the list is shorter. */
static struct str part_of(struct str list, uint64_t i)
{
    for (; i && list.p; i--) {
        size_t at = str_chr(list, LIST_SEPARATOR);
        list = at >= list.n ? STR_NULL : str_sub(list, at + 1, list.n - at - 1);
    }
    if (!list.p)
        return list;
    size_t at = str_chr(list, LIST_SEPARATOR);
    return at >= list.n ? list : str_sub(list, 0, at);
}

/* "Conv2D-op10:0" is the first output of that op. */
static int shape_tensor(struct names *n, const struct row *r, struct err *e)
{
    struct str name = fill_string(n->f, r->name_id), part[N_OUT];
    size_t colon = name.p ? str_rchr(name, ':') : SIZE_MAX;
    const struct named *o = colon < name.n ? find(n, str_sub(name, 0, colon)) : NULL;
    uint64_t number;

    if (!o || o->differ || !str_u64(str_sub(name, colon + 1, name.n - colon - 1), &number))
        return OK;
    struct val v[N_OUT + 1];
    for (size_t k = 0; k < N_OUT; k++) {
        part[k] = part_of(fill_string(n->f, o->out[k]), number);
        v[k] = part[k].n ? sink_text(fill_sink(n->f), part[k]) : val_null();
    }
    v[N_OUT] = val_int(r->id);
    return fill_update(n->f, "UPDATE mem_tensor SET shape_id = ?, format_id = ?, type_id = ? WHERE rowid = ?",
                       v, ARRAY_LEN(v), e);
}

static int shape_tensors(struct names *n, struct err *e)
{
    for (size_t i = 0; i < n->n_rows; i++)
        if (shape_tensor(n, &n->row[i], e))
            return e->code;
    return OK;
}

/* Collect the rows that lack something, then complete each. */
static int give(struct names *n, const char *sql, int (*fn)(struct names *n, struct err *e), struct err *e)
{
    n->n_rows = 0;
    if (fill_each(n->f, sql, add_row, n, e) || !n->n_rows)
        return e->code;
    if (!intern_count(n->last) && fill_each(n->f, OPS_SQL, add_op, n, e))
        return e->code;
    if (fill_begin(n->f, 0, e))
        return e->code;
    return fill_close(n->f, fn(n, e), e);
}

int mem_names_write(struct fill *f, struct err *e)
{
    struct names n = { .f = f };

    if (intern_new(&n.last, e) == OK && give(&n, NODES_SQL, name_nodes, e) == OK)
        (void)give(&n, TENSORS_SQL, shape_tensors, e);
    intern_free(n.last);
    free(n.v);
    free(n.row);
    return e->code;
}
