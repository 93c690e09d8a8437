/* SPDX-License-Identifier: Apache-2.0 */
/* Ops and tasks of the Framework files. */
#include "config.h"

#include "parsers/mindspore/job_tasks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "parsers/mindspore/records/framework_records.h"
#include "parsers/mindspore/records/framework_text.h"
#include "parsers/mindspore/task_keys.h"
#include "parsers/read/opwords.h"

#define LISTS_MAX ((size_t)1 << 20)

enum era { ERA_TEXT, ERA_R16, ERA_R18 };

struct task_op {
    int64_t op;
    uint32_t name_id, name; /* of the sink; in names */
};
/* A tensor of a task, and the next one. */
struct tensor_node {
    uint32_t tensor, next;
};
struct chain {
    uint32_t first, last;
    bool unsure; /* records of it may be lost, if any are */
};
#define NO_NODE UINT32_MAX
/* What damage may have made untrue of an op. */
enum doubt {
    DOUBT_NAME = 1,
    DOUBT_LAST = 2, /* its name, if the dictionary is damaged: it is the last line */
    DOUBT_OP = 4,   /* its tensors */
};
/* A task with its op. */
struct named {
    uint32_t stream, task;
    unsigned doubt;
    struct task_op op;
};
struct job_tasks {
    struct group_ctx *g;
    enum era era;
    struct task_keys *keys; /* of named; made once the era is known */
    struct named *named;    /* in the order of the files */
    size_t n_named, cap_named;
    struct intern *names;
    uint32_t highest; /* task number */
    struct task_turns turns;
    /* while reading */
    struct framework_names *hashed;
    struct intern *tensors, *chain_keys; /* what differs; model, stream, task */
    struct tensor_node *nodes;
    struct chain *chains; /* by key */
    size_t n_nodes, cap_nodes, cap_chains;
    struct votes {
        uint64_t n;
        struct where first;
    } votes[2]; /* records whose flag says: up to r1.7 (true), r1.8 or later (false) */
    struct buf shapes, types, formats;
    bool tasks_lost, tensors_lost, names_lost; /* some are */
};

/* ---- lists of tensors ---- */

struct lists {
    uint32_t shapes, types, formats;
};

static void lists_clear(struct job_tasks *t)
{
    buf_clear(&t->shapes);
    buf_clear(&t->types);
    buf_clear(&t->formats);
}

static void lists_next(struct job_tasks *t)
{
    buf_addc(&t->shapes, ';');
    buf_addc(&t->types, ';');
    buf_addc(&t->formats, ';');
}

/* Lists of n tensors from the texts collected so far. */
static int lists_done(struct job_tasks *t, size_t n, struct lists *out, struct err *e)
{
    struct sink *s = t->g->out;

    *out = (struct lists){ 0, 0, 0 };
    if (buf_failed(&t->shapes) || buf_failed(&t->types) || buf_failed(&t->formats))
        return err_nomem(e);
    if (n)
        *out = (struct lists){ sink_intern(s, buf_str(&t->shapes)), sink_intern(s, buf_str(&t->types)),
                               sink_intern(s, buf_str(&t->formats)) };
    return OK;
}

/* The tensors of one side, separated by ';'. */
static int lists_of(struct job_tasks *t, const struct framework_tensor *v, size_t n, struct lists *out,
                    struct err *e)
{
    lists_clear(t);
    for (size_t i = 0; i < n; i++) {
        if (i)
            lists_next(t);
        buf_add(&t->shapes, v[i].shape);
        buf_add(&t->types, v[i].type);
        buf_add(&t->formats, v[i].format);
    }
    return lists_done(t, n, out, e);
}

static void set_lists(struct op_key *k, struct op_attr *a, struct lists in, struct lists out)
{
    k->in_shapes_id = in.shapes;
    k->in_types_id = in.types;
    k->in_formats_id = in.formats;
    k->out_shapes_id = out.shapes;
    a->out_types_id = out.types;
    a->out_formats_id = out.formats;
}

/* ---- keys of tasks ---- */

static struct str key_view(const uint32_t *key, size_t n)
{
    return (struct str){ (const char *)key, n * sizeof *key };
}

/* The era that most records are of: the flag of one may be damaged, and the keys of all depend on it. */
static void set_era(struct job_tasks *t)
{
    uint64_t old = t->votes[true].n, new = t->votes[false].n;

    if (!old && !new)
        return;
    t->era = old > new ? ERA_R16 : ERA_R18;
    struct votes *odd = &t->votes[t->era == ERA_R18];
    if (!odd->n)
        return;
    odd->first.count = odd->n;
    sink_note(t->g->out, NOTE_INCONSISTENT, &odd->first, "the flag of a name is that of %s, unlike most",
              old > new ? "r1.8" : "r1.7");
}

static int add_keys(struct job_tasks *t, struct err *e)
{
    set_era(t);
    if (task_keys_new(&t->keys, t->era != ERA_R18, e))
        return e->code;
    for (size_t i = 0; i < t->n_named; i++) {
        const struct named *v = &t->named[i];
        if (task_keys_put(t->keys, v->stream, v->task, (uint32_t)i, e))
            return e->code;
        t->highest = v->task > t->highest ? v->task : t->highest;
    }
    return OK;
}

/* Write the op of a task and keep what the task's key will lead to. */
static int put_task(struct job_tasks *t, const struct op_key *k, const struct op_attr *a, struct str name,
                    struct err *e)
{
    int64_t op = sink_op(t->g->out, k, a, e);

    if (!op)
        return e->code;
    uint32_t text = intern_put(t->names, name);
    struct named *v =
        text == INTERN_NONE ? NULL : grow_array(t->named, t->n_named, &t->cap_named, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    t->named = v;
    v[t->n_named++] = (struct named){ .stream = (uint32_t)a->stream,
                                      .task = (uint32_t)a->task,
                                      .op = { op, k->name_id, text } };
    return OK;
}

/* ---- text era ---- */

static int on_text_op(void *arg, const struct framework_op *o, struct err *e)
{
    struct job_tasks *t = arg;
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    struct lists in, out;

    if (lists_of(t, o->in, o->n_in, &in, e) || lists_of(t, o->out, o->n_out, &out, e))
        return e->code;
    k.name_id = sink_intern(t->g->out, o->name);
    k.type_id = sink_intern(t->g->out, o->type);
    set_lists(&k, &a, in, out);
    a.source_id = o->where.source_id;
    a.line = o->where.line;
    return sink_op(t->g->out, &k, &a, e) ? OK : e->code;
}

static int on_text_task(void *arg, const struct framework_task *v, struct err *e)
{
    struct job_tasks *t = arg;
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;

    k.name_id = sink_intern(t->g->out, v->op);
    a.block_num = v->block_dim;
    a.task = v->task;
    a.stream = v->stream;
    a.source_id = v->where.source_id;
    a.line = v->where.line;
    return put_task(t, &k, &a, v->op, e);
}

/* ---- binary era ---- */

static int add_tensor(struct job_tasks *t, struct chain *c, const struct framework_record_tensor *v,
                      struct err *e)
{
    uint32_t flat[3 + FWBIN_DIMS] = { v->output, v->format, v->type };

    memcpy(flat + 3, v->dims, sizeof v->dims);
    uint32_t id = intern_put(t->tensors, key_view(flat, ARRAY_LEN(flat)));
    struct tensor_node *nodes = id == INTERN_NONE || t->n_nodes >= NO_NODE
                                    ? NULL
                                    : grow_array(t->nodes, t->n_nodes, &t->cap_nodes, sizeof *nodes, 1024);
    if (!nodes)
        return err_nomem(e);
    t->nodes = nodes;
    uint32_t at = (uint32_t)t->n_nodes++;
    nodes[at] = (struct tensor_node){ id, NO_NODE };
    if (c->first == NO_NODE)
        c->first = at;
    else
        nodes[c->last].next = at;
    c->last = at;
    return OK;
}

static int on_tensors(void *arg, const struct framework_record_tensors *v, struct err *e)
{
    struct job_tasks *t = arg;
    uint32_t key[3] = { v->model, v->stream, v->task }, before = intern_count(t->chain_keys);
    uint32_t at = intern_put(t->chain_keys, key_view(key, 3));
    struct chain *chains =
        at == INTERN_NONE ? NULL : grow_array(t->chains, at, &t->cap_chains, sizeof *chains, 1024);

    if (!chains)
        return err_nomem(e);
    t->chains = chains;
    if (at == before)
        chains[at] = (struct chain){ .first = NO_NODE, .last = NO_NODE };
    /* what has more tensors than a record goes on in the next one; the first may go on from a lost one */
    chains[at].unsure = at == 0 || v->n == FWBIN_TENSORS;
    for (size_t i = 0; i < v->n; i++)
        if (add_tensor(t, &chains[at], &v->t[i], e))
            return e->code;
    return OK;
}

/* Dimensions of 0 are unused. */
static void add_shape(struct buf *b, const uint32_t *dims)
{
    bool any = false;

    for (size_t i = 0; i < FWBIN_DIMS; i++)
        if (dims[i]) {
            buf_printf(b, any ? ",%u" : "%u", dims[i]);
            any = true;
        }
}

/* The tensors of a task that are its inputs (0) or outputs (1). */
static int chain_lists(struct job_tasks *t, uint32_t node, uint32_t output, struct lists *out, struct err *e)
{
    uint32_t flat[3 + FWBIN_DIMS];
    size_t n = 0;

    lists_clear(t);
    for (; node != NO_NODE; node = t->nodes[node].next) {
        memcpy(flat, intern_get(t->tensors, t->nodes[node].tensor).p, sizeof flat);
        if (flat[0] != output)
            continue;
        if (n++)
            lists_next(t);
        add_shape(&t->shapes, flat + 3);
        buf_add(&t->formats, framework_records_format(flat[1]));
        buf_add(&t->types, framework_records_type(flat[2]));
    }
    return lists_done(t, n, out, e);
}

/* What is sure of the last task that was put. */
static void doubt_task(struct job_tasks *t, const struct framework_record_task *v, uint32_t chain)
{
    unsigned doubt = v->op_hashed || v->type_hashed ? DOUBT_NAME : 0;

    t->names_lost |= doubt != 0;
    if (v->last_name)
        doubt |= DOUBT_LAST;
    if (t->tensors_lost && (chain == INTERN_NONE || t->chains[chain].unsure))
        doubt |= DOUBT_OP;
    t->named[t->n_named - 1].doubt = doubt;
}

/* A number that stands for a name. buf is valid as long as the text. */
static struct str named_hash(struct str digits, bool hashed, char *buf, size_t n)
{
    if (!hashed)
        return digits;
    return (struct str){ buf, (size_t)snprintf(buf, n, "hash:%.*s", (int)digits.n, digits.p) };
}

static int on_task(void *arg, const struct framework_record_task *v, struct err *e)
{
    struct job_tasks *t = arg;
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    uint32_t key[3] = { v->model, v->stream, v->task };
    uint32_t chain = intern_find(t->chain_keys, key_view(key, 3));
    uint32_t node = chain == INTERN_NONE ? NO_NODE : t->chains[chain].first;
    char text[2][40];
    struct str op = named_hash(v->op, v->op_hashed, text[0], sizeof text[0]);
    struct lists in, out;

    if (!t->votes[v->old].n++)
        t->votes[v->old].first = v->where;
    if (chain_lists(t, node, 0, &in, e) || chain_lists(t, node, 1, &out, e))
        return e->code;
    k.name_id = sink_intern(t->g->out, op);
    k.type_id = sink_intern(t->g->out, named_hash(v->type, v->type_hashed, text[1], sizeof text[1]));
    k.graph_id = v->model;
    set_lists(&k, &a, in, out);
    a.core = op_core(v->core);
    a.block_num = v->block_dim;
    a.task = v->task;
    a.stream = v->stream;
    a.source_id = v->where.source_id;
    a.line = v->where.line;
    if (put_task(t, &k, &a, op, e))
        return e->code;
    doubt_task(t, v, chain);
    return OK;
}

static struct str first_part(const struct job_tasks *t, size_t i)
{
    struct str name = intern_get(t->names, t->named[i].op.name);
    size_t slash = str_chr(name, '/');

    return slash == SIZE_MAX ? STR_NULL : str_sub(name, 0, slash);
}

/*
 * A text that lost its beginning does not show it: its first op, the task at `first`, then has a name that
 * begins as no other one does.
 */
static void doubt_first(struct job_tasks *t, size_t first)
{
    struct str part = first < t->n_named ? first_part(t, first) : STR_NULL;
    bool alone = part.p && t->n_named - first > 1;

    for (size_t i = first + 1; alone && i < t->n_named; i++)
        alone = !str_eq(first_part(t, i), part);
    t->tasks_lost |= alone;
    if (alone)
        t->named[first].doubt |= DOUBT_NAME;
}

static bool is_damaged(const struct parse_ctx *c)
{
    bool torn = c->lost > 0;

    for (const struct source_file *f = c->f; f; f = f->next_slice)
        torn |= f->state == FS_TORN || f->state == FS_BAD;
    return torn;
}

/* What the task records of all binary files refer to. */
static int read_binary(struct job_tasks *t, struct err *e)
{
    struct parse_ctx *c;

    for (size_t i = 0; (c = group_use(t->g, ROLE_FRAMEWORK_HASH, i)) != NULL; i++)
        if (group_failed(t->g, c, framework_records_names(c, t->hashed, e), e))
            return e->code;
        else
            t->names_lost |= is_damaged(c);
    for (size_t i = 0; (c = group_use(t->g, ROLE_FRAMEWORK_TENSOR, i)) != NULL; i++)
        if (group_failed(t->g, c, framework_records_tensors(c, on_tensors, t, e), e))
            return e->code;
        else
            t->tensors_lost |= is_damaged(c);
    return OK;
}

/* ---- the whole ---- */

static int read_tasks(struct job_tasks *t, struct parse_ctx *c, struct err *e)
{
    size_t first = t->n_named;
    bool binary;

    if (group_failed(t->g, c, framework_records_is(c, &binary, e), e))
        return e->code;
    int rc = binary ? framework_records_tasks(c, t->hashed, on_task, t, e)
                    : framework_text_tasks(c, on_text_task, t, e);
    if (group_failed(t->g, c, rc, e))
        return e->code;
    t->tasks_lost |= is_damaged(c);
    if (!binary)
        doubt_first(t, first);
    return OK;
}

static int make(struct job_tasks *t, struct err *e)
{
    buf_init(&t->shapes, LISTS_MAX);
    buf_init(&t->types, LISTS_MAX);
    buf_init(&t->formats, LISTS_MAX);
    if (intern_new(&t->names, e) || intern_new(&t->tensors, e) || intern_new(&t->chain_keys, e) ||
        framework_names_new(&t->hashed, e))
        return e->code;
    return OK;
}

/* What only reading needs. */
static void done_reading(struct job_tasks *t)
{
    framework_names_free(t->hashed);
    intern_free(t->tensors);
    intern_free(t->chain_keys);
    free(t->nodes);
    free(t->chains);
    buf_done(&t->shapes);
    buf_done(&t->types);
    buf_done(&t->formats);
}

int job_tasks_read(struct job_tasks **out, struct group_ctx *g, struct err *e)
{
    struct job_tasks *t = *out = calloc(1, sizeof *t);
    struct parse_ctx *c;

    if (!t)
        return err_nomem(e);
    t->g = g;
    int rc = make(t, e);
    for (size_t i = 0; !rc && (c = group_use(g, ROLE_FRAMEWORK_GRAPH, i)) != NULL; i++)
        rc = group_failed(g, c, framework_text_ops(c, on_text_op, t, e), e) ? e->code : OK;
    if (!rc)
        rc = read_binary(t, e);
    for (size_t i = 0; !rc && (c = group_use(g, ROLE_FRAMEWORK_TASK, i)) != NULL; i++)
        rc = read_tasks(t, c, e);
    if (!rc)
        rc = add_keys(t, e);
    done_reading(t);
    return rc;
}

void job_tasks_free(struct job_tasks *t)
{
    if (!t)
        return;
    task_keys_free(t->keys);
    intern_free(t->names);
    task_turns_done(&t->turns);
    free(t->named);
    free(t);
}

uint32_t job_tasks_count(const struct job_tasks *t)
{
    return task_keys_count(t->keys);
}

uint32_t job_tasks_find(const struct job_tasks *t, uint32_t stream, uint64_t task)
{
    return task_keys_find(t->keys, stream, task);
}

uint32_t job_tasks_neighbour(const struct job_tasks *t, uint32_t stream, uint32_t task, bool after)
{
    return task_keys_neighbour(t->keys, stream, task, after, false);
}

static const struct task_op *op_of(const struct job_tasks *t, uint32_t i)
{
    return &t->named[task_keys_value(t->keys, i)].op;
}

const char *job_tasks_damage(const struct job_tasks *t, uint32_t i)
{
    unsigned doubt = t->named[task_keys_value(t->keys, i)].doubt;
    bool name = doubt & DOUBT_NAME || (doubt & DOUBT_LAST && t->names_lost);

    return doubt & DOUBT_OP ? name ? "name op" : "op" : name ? "name" : NULL;
}

int64_t job_tasks_op(const struct job_tasks *t, uint32_t i)
{
    return op_of(t, i)->op;
}

uint32_t job_tasks_name_id(const struct job_tasks *t, uint32_t i)
{
    return op_of(t, i)->name_id;
}

uint32_t job_tasks_name_no(const struct job_tasks *t, uint32_t i)
{
    return op_of(t, i)->name;
}

uint32_t job_tasks_names(const struct job_tasks *t)
{
    return intern_count(t->names);
}

struct str job_tasks_name(const struct job_tasks *t, uint32_t i)
{
    return intern_get(t->names, op_of(t, i)->name);
}

bool job_tasks_binary(const struct job_tasks *t)
{
    return t->era != ERA_TEXT;
}

bool job_tasks_since_r18(const struct job_tasks *t)
{
    return t->era == ERA_R18;
}

bool job_tasks_lost(const struct job_tasks *t)
{
    return t->tasks_lost;
}

bool job_tasks_any(const struct job_tasks *t, struct str prefix)
{
    for (uint32_t i = 0; i < intern_count(t->names); i++)
        if (str_starts(intern_get(t->names, i), prefix))
            return true;
    return false;
}

/* There are numbers that 16 bits do not hold. */
bool job_tasks_turn(const struct job_tasks *t)
{
    return t->highest > UINT16_MAX;
}

int job_tasks_next(struct job_tasks *t, uint32_t stream, uint32_t task, uint32_t *i, struct err *e)
{
    uint64_t number = task;

    if (i)
        *i = JOB_NO_TASK;
    if (job_tasks_turn(t) && task_turns_next(&t->turns, stream, &number, e))
        return e->code;
    if (i)
        *i = job_tasks_find(t, stream, number);
    return OK;
}
