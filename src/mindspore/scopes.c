/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps and scopes of a timeline, from the order of its ops (doc/formats/mindspore1.md#timeline-algorithm).
 */
#include "config.h"

#include "base/grow.h"
#include "mindspore/timeline.h"

#define MAX_LEVELS 256 /* deeper parts of a path are not scopes */

static bool same(struct str a, struct str b)
{
    return a.n == b.n && (a.p == b.p || str_eq(a, b));
}

static bool is_init_queue(struct str name)
{
    return str_starts(name, STR("Default/InitDataSetQueue"));
}

uint64_t mindspore_scope_max(const struct mindspore_rows *rows)
{
    const char *last = NULL;
    uint64_t max = 0;

    for (size_t i = 0; i < rows->n; i++) {
        struct str s = rows->v[i].name;
        uint64_t n = 0;
        if (s.p == last)
            continue;
        last = s.p;
        for (size_t at; (at = str_chr(s, '/')) != SIZE_MAX; n++)
            s = str_sub(s, at + 1, SIZE_MAX);
        max = n > max ? n : max;
    }
    return max;
}

/* ---- steps ---- */

static void marks_from_end(struct mindspore_timeline *t, const struct mindspore_rows *rows)
{
    size_t at = 0;

    if (rows->n < 2)
        return;
    t->end_op = rows->v[rows->n - 1].name;
    while (!same(rows->v[at].name, t->end_op))
        at++;
    t->start_op = rows->v[at + 1 < rows->n ? at + 1 : 0].name;
}

static void marks_from_start(struct mindspore_timeline *t, const struct mindspore_rows *rows)
{
    size_t first;

    if (rows->n == 0)
        return;
    first = rows->n > 1 && is_init_queue(rows->v[0].name);
    t->start_op = t->end_op = rows->v[first].name;
    for (size_t i = first + 1; i < rows->n && !same(rows->v[i].name, t->start_op); i++)
        t->end_op = rows->v[i].name;
}

void mindspore_step_marks(struct mindspore_timeline *t, const struct mindspore_rows *rows, bool from_end)
{
    t->start_op = t->end_op = STR("");
    if (from_end)
        marks_from_end(t, rows);
    else
        marks_from_start(t, rows);
}

int mindspore_step_rows(struct mindspore_timeline *t, const struct mindspore_rows *rows,
                        struct mindspore_rows *out, struct err *e)
{
    double start = 0;

    for (size_t i = 0; i < rows->n; i++) {
        const struct mindspore_row *x = &rows->v[i];
        if (same(x->name, t->start_op))
            start = x->start;
        if (!same(x->name, t->end_op))
            continue;
        struct mindspore_row step = { .name = str_of(arena_printf(t->r->a, "%zu", out->n + 1)),
                                      .start = start,
                                      .dur = (x->start - start) * t->target->factor + x->dur,
                                      .label = t->l_steps,
                                      .pid = MINDSPORE_NO_PID,
                                      .kind = MINDSPORE_ROW_STEP };
        if (!step.name.p)
            return err_nomem(e);
        if (mindspore_rows_add(out, &step, e))
            return e->code;
    }
    return OK;
}

/* ---- scopes ---- */

struct scope {
    size_t first, last; /* rows */
    size_t seen;        /* 1 + the last row that was in it */
    struct str name;
    uint32_t level;
    bool open;
};
struct scopes {
    struct mindspore_timeline *t;
    const struct mindspore_rows *rows;
    struct mindspore_rows *out;
    struct str subgraph;
    struct intern *keys; /* level and name, in the order of the scopes */
    struct scope *v;     /* by number of the key */
    size_t cap;
    struct buf key;
    uint32_t open[2 * MAX_LEVELS]; /* indexes in v, ascending */
    size_t n_open;
};

static void add_open(struct scopes *s, uint32_t id)
{
    size_t i = s->n_open++;

    for (; i > 0 && s->open[i - 1] > id; i--)
        s->open[i] = s->open[i - 1];
    s->open[i] = id;
}

static int see(struct scopes *s, size_t row, uint32_t level, struct str part, struct err *e)
{
    buf_clear(&s->key);
    buf_addc(&s->key, (char)level); /* below MAX_LEVELS */
    buf_add(&s->key, part);
    if (buf_failed(&s->key))
        return err_nomem(e);
    uint32_t known = intern_count(s->keys), id = intern_put(s->keys, buf_str(&s->key));
    if (id == INTERN_NONE)
        return err_nomem(e);
    if (id == known) {
        void *v = grow_array(s->v, id, &s->cap, sizeof *s->v, 64);
        if (!v)
            return err_nomem(e);
        s->v = v;
        s->v[id] = (struct scope){ .name = part, .level = level };
    }
    struct scope *x = &s->v[id];
    if (!x->open) {
        x->open = true;
        x->first = row;
        add_open(s, id);
    }
    x->last = row;
    x->seen = row + 1;
    return OK;
}

static int emit(struct scopes *s, struct scope *x, struct err *e)
{
    const struct mindspore_row *first = &s->rows->v[x->first], *last = &s->rows->v[x->last];
    struct mindspore_row row = { .name = x->name,
                                 .start = first->start,
                                 .dur = (last->start - first->start) * s->t->target->factor + last->dur,
                                 .label = s->t->l_scopes,
                                 .pid = MINDSPORE_NO_PID,
                                 .extra = x->level,
                                 .kind = MINDSPORE_ROW_SCOPE };

    x->open = false;
    return mindspore_rows_add(s->out, &row, e);
}

/* Adds rows for the scopes that end with this row; the others stay open. */
static int close_scopes(struct scopes *s, size_t row, bool all, struct err *e)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n_open; i++) {
        struct scope *x = &s->v[s->open[i]];
        if (!all && x->seen == row + 1)
            s->open[kept++] = s->open[i];
        else if (emit(s, x, e))
            return e->code;
    }
    s->n_open = kept;
    return OK;
}

static int on_row(struct scopes *s, size_t row, struct err *e)
{
    struct str name = s->rows->v[row].name, path = name, part;
    size_t slash = str_rchr(name, '/');
    uint32_t level = 0;

    path = slash == SIZE_MAX || is_init_queue(name) ? STR_NULL : str_sub(name, 0, slash);
    while (level < MAX_LEVELS && str_next(&path, '/', &part)) {
        if (level == 0 && !str_eq(part, s->subgraph))
            break;
        if (see(s, row, level++, part, e))
            return e->code;
    }
    if (s->n_open == 0)
        return OK;
    return close_scopes(s, row, row + 1 == s->rows->n || same(name, s->t->end_op), e);
}

static bool scope_before(const void *ctx, const struct mindspore_row *a, const struct mindspore_row *b)
{
    (void)ctx;
    return a->start < b->start || (a->start == b->start && a->extra < b->extra);
}

int mindspore_scope_rows(struct mindspore_timeline *t, const struct mindspore_rows *rows,
                         const char *subgraph, struct mindspore_rows *out, struct err *e)
{
    struct scopes s = { .t = t, .rows = rows, .subgraph = str_of(subgraph), .out = out };

    buf_init(&s.key, (size_t)1 << 20);
    if (intern_new(&s.keys, e) == OK)
        for (size_t i = 0; i < rows->n && on_row(&s, i, e) == OK; i++)
            continue;
    buf_done(&s.key);
    intern_free(s.keys);
    free(s.v);
    return e->code ? e->code : mindspore_rows_sort(out, scope_before, NULL, e);
}
