/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_details.csv of MindSpore; names of columns. */
#include "config.h"

#include "offline/tables/kernels.h"

#include <stdlib.h>

#include "base/hash.h"
#include "offline/trace/timeline.h"

const struct kernel_rename kernel_renames[] = {
    { "Op Name", "Name" },
    { "OP Type", "Type" },
    { "Task Type", "Accelerator Core" },
    { "Task Start Time(us)", "Start Time(us)" },
    { "Task Duration(us)", "Duration(us)" },
    { "Task Wait Time(us)", "Wait Time(us)" },
};
const size_t kernel_n_renames = ARRAY_LEN(kernel_renames);

/* What Level0 leaves out. */
static const char *const level0_lacks[] = {
    "Mix Block Dim", "HF32 Eligible",     "Input Shapes",   "Input Data Types", "Input Formats",
    "Output Shapes", "Output Data Types", "Output Formats", "Context ID",
};

size_t kernel_column(const struct str *header, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(header[i], str_of(name)))
            return i;
    return SIZE_MAX;
}

void kernel_header_cell(struct emit *o, struct str cell, bool first)
{
    for (size_t i = 0; i < kernel_n_renames; i++)
        if (str_eq(cell, str_of(kernel_renames[i].from)))
            cell = str_of(kernel_renames[i].to);
    if (!first)
        emit_c(o, ',');
    emit_str(o, cell);
}

/* ---- linked kernels by name and start ---- */

#define NEAR 4 /* links that are looked at before the index is asked */

struct kernels {
    const struct offline_run *r;
    const struct offline_timeline *t;
    uint32_t *slot; /* number among the linked + 1, 0: free */
    size_t mask;
    size_t next;   /* the linked one after the one found last */
    bool is_twice; /* some of them are equal */
    bool has_step;
    struct kernel_columns c;
};

static const struct offline_link *linked_at(const struct kernels *k, size_t i)
{
    return &k->t->link[k->t->linked[i]];
}

static bool is_of(const struct offline_link *x, uint32_t name, int64_t ts)
{
    return x->name == name && x->f_ts == ts;
}

static size_t slot_of(const struct kernels *k, uint32_t name, int64_t ts)
{
    size_t at = prof_hash_time(name, ts) & k->mask;

    while (k->slot[at] && !is_of(linked_at(k, k->slot[at] - 1), name, ts))
        at = (at + 1) & k->mask;
    return at;
}

/* Of equal ones the last counts. */
static int index_links(struct kernels *k, struct err *e)
{
    const struct offline_timeline *t = k->t;
    size_t n = 1024;

    while (n < t->n_linked * 2)
        n *= 2;
    k->slot = spool_array(k->r->pool, n, sizeof *k->slot);
    if (!k->slot)
        return err_nomem(e);
    k->mask = n - 1;
    for (size_t i = 0; i < t->n_linked; i++) {
        const struct offline_link *x = linked_at(k, i);
        size_t at = slot_of(k, x->name, x->f_ts);
        k->is_twice |= k->slot[at] != 0;
        k->slot[at] = (uint32_t)i + 1;
    }
    return OK;
}

/* Rows mostly come in the order of the links; a few of those may have no row. */
static size_t near_link(const struct kernels *k, uint32_t name, int64_t ts)
{
    for (size_t i = k->next; !k->is_twice && i < k->t->n_linked && i < k->next + NEAR; i++)
        if (is_of(linked_at(k, i), name, ts))
            return i;
    return SIZE_MAX;
}

static const struct offline_link *link_of(struct kernels *k, struct str name, int64_t ts)
{
    uint32_t id = intern_find(k->t->texts, name);

    if (id == INTERN_NONE)
        return NULL;
    size_t at = near_link(k, id, ts);
    if (at == SIZE_MAX) {
        uint32_t slot = k->slot[slot_of(k, id, ts)];
        if (!slot)
            return NULL;
        at = slot - 1;
    }
    k->next = at + 1;
    return linked_at(k, at);
}

/* ---- rows ---- */

static bool is_left_out(const struct offline_run *r, struct str column)
{
    if (r->flavour == OFFLINE_24)
        return false;
    if (str_eq(column, STR("Device_id")))
        return true;
    for (size_t i = 0; r->level == 0 && i < ARRAY_LEN(level0_lacks); i++)
        if (str_eq(column, str_of(level0_lacks[i])))
            return true;
    return false;
}

static void put_header(struct emit *o, struct kernels *k, const struct str *header, size_t n)
{
    struct kernel_columns *c = &k->c;

    c->name = kernel_column(header, n, "Op Name");
    c->start = kernel_column(header, n, "Task Start Time(us)");
    if (k->has_step)
        emit_s(o, "Step ID");
    for (size_t i = 0; i < n; i++) {
        if (is_left_out(k->r, header[i]))
            continue;
        kernel_header_cell(o, header[i], !c->n && !k->has_step);
        c->from[c->n++] = i;
    }
    offline_end_row(o);
}

/* The step of the launch, else of the kernel. Versions of 2026 take the last one where none covers it. */
static struct str step_of(const struct kernels *k, const struct offline_link *x, int64_t start)
{
    const struct offline_step *s = x ? offline_step_at(k->r, k->r->f.range[x->range].from) : NULL;

    if (!(k->t && k->t->n_linked) && !k->r->is_o2)
        return STR("");
    if (!s)
        s = offline_step_at(k->r, start);
    if (!s && k->r->flavour == OFFLINE_28 && k->r->n_steps)
        s = &k->r->step[k->r->n_steps - 1];
    return s ? s->id : STR("");
}

/* <op of the framework>/<kernel>, quoted when it needs to be. */
static void put_name(struct emit *o, const struct kernels *k, const struct offline_link *x, struct str name,
                     struct buf *full)
{
    buf_clear(full);
    buf_add(full, framework_str(&k->r->f, k->r->f.range[x->range].name));
    buf_addc(full, '/');
    buf_add(full, name);
    emit_cell_str(o, buf_str(full));
}

static void put_row(struct emit *o, struct kernels *k, const struct str *cell, size_t n, struct buf *full)
{
    const struct kernel_columns *c = &k->c;
    char text[4096];
    const struct offline_link *x = NULL;
    struct str name = STR("");
    int64_t start = INT64_MIN;

    if (c->name < n && c->start < n) {
        name = csv_rows_plain(cell[c->name], text, sizeof text);
        if (str_scaled(csv_rows_time(cell[c->start]), 1000, &start, NULL) && k->t)
            x = link_of(k, name, start);
    }
    if (k->has_step)
        emit_cell_str(o, step_of(k, x, start));
    for (size_t i = 0; i < c->n; i++) {
        if (i || k->has_step)
            emit_c(o, ',');
        if (c->from[i] >= n)
            continue;
        if (x && c->from[i] == c->name)
            put_name(o, k, x, name, full);
        else
            emit_str(o, cell[c->from[i]]);
    }
    offline_end_row(o);
}

static int put_rows(struct emit *o, struct kernels *k, struct csv_rows *rows, struct err *e)
{
    const struct str *cell;
    size_t n;
    struct buf full;

    (void)!csv_rows_header(rows, &cell, &n);
    put_header(o, k, cell, n);
    buf_init(&full, (size_t)1 << 20);
    while (csv_rows_next(rows, &cell, &n, e))
        put_row(o, k, cell, n, &full);
    buf_done(&full);
    return e->code;
}

int offline_kernel_details(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    bool own = r->flavour != OFFLINE_24; /* 2.3 and 2.4 add nothing of their own */
    struct kernels k = { .r = r, .has_step = own && r->is_schedule && !r->is_o2 && r->n_steps };
    struct csv_rows *rows = NULL;
    struct emit *o = NULL;
    const struct str *cell;
    size_t n;

    if ((own && (offline_timeline(r, &k.t, e) || index_links(&k, e))) ||
        csv_rows_open(&rows, r, "op_summary_", e))
        goto out;
    if (!csv_rows_header(rows, &cell, &n)) {
        offline_no_data(r, x, "msprof's op_summary has no rows: no kernel ran");
        goto out;
    }
    if (offline_open(r, &o, x, e) == OK)
        (void)!put_rows(o, &k, rows, e);
    (void)!offline_close(r, o, e);
out:
    csv_rows_close(rows);
    spool_free(r->pool, k.slot);
    return e->code;
}
