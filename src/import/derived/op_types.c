/* SPDX-License-Identifier: Apache-2.0 */
/* op_stat knows ops by name; executions name the same ops. */
#include "config.h"

#include "import/derived/op_types.h"

#include <stdlib.h>

#include "base/grow.h"

/* Launches have the last part of a name, "Conv2D-op1". */
static const struct {
    const char *lacking, *known, *update;
    bool last; /* names are compared by their last parts */
} jobs[] = {
    { "SELECT id, name_id FROM op WHERE type_id IS NULL AND name_id IS NOT NULL",
      "SELECT name_id, type_id FROM op_stat WHERE by = 'op' AND name_id IS NOT NULL AND type_id IS NOT NULL",
      "UPDATE op SET type_id = ? WHERE id = ?", false },
    { "SELECT id, name_id FROM op WHERE type_id IS NULL AND core = 'GPU' AND name_id IS NOT NULL",
      "SELECT name_id, type_id FROM op_stat WHERE by = 'shape' AND core = 'GPU' AND name_id IS NOT NULL AND "
      "type_id IS NOT NULL",
      "UPDATE op SET type_id = ? WHERE id = ?", true },
    { "SELECT id, name_id FROM op WHERE in_shapes_id IS NULL AND core = 'GPU' AND name_id IS NOT NULL",
      "SELECT name_id, in_shapes_id FROM op_stat WHERE by = 'shape' AND core = 'GPU' AND name_id IS NOT NULL "
      "AND in_shapes_id IS NOT NULL",
      "UPDATE op SET in_shapes_id = ? WHERE id = ?", true },
};

struct op_row {
    int64_t id;
    uint32_t name_id;
};
struct op_facts {
    struct fill *f;
    bool last;
    struct op_row *row;
    size_t n_rows, cap_rows;
    struct intern *names;
    uint32_t *value; /* by the number of the name; 0: several */
    size_t cap;
};

static struct str name_of(const struct op_facts *o, uint32_t name_id)
{
    struct str name = fill_string(o->f, name_id);

    return o->last && name.p ? str_after_last(name, '/') : name;
}

static int add_row(void *arg, const struct query *q, struct err *e)
{
    struct op_facts *o = arg;
    struct op_row *v = grow_array(o->row, o->n_rows, &o->cap_rows, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    o->row = v;
    v[o->n_rows++] = (struct op_row){ query_int(q, 0), (uint32_t)query_int(q, 1) };
    return OK;
}

static int add_known(void *arg, const struct query *q, struct err *e)
{
    struct op_facts *o = arg;
    struct str name = name_of(o, (uint32_t)query_int(q, 0));
    uint32_t at = intern_count(o->names), got, value = (uint32_t)query_int(q, 1);

    if (!name.p)
        return OK;
    got = intern_put(o->names, name);
    uint32_t *v = got == INTERN_NONE ? NULL : grow_array(o->value, got, &o->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    o->value = v;
    if (got == at)
        v[got] = value;
    else if (v[got] != value)
        v[got] = 0;
    return OK;
}

static int write_facts(const struct op_facts *o, const char *update, struct err *e)
{
    for (size_t i = 0; i < o->n_rows; i++) {
        struct str name = name_of(o, o->row[i].name_id);
        uint32_t at = name.p ? intern_find(o->names, name) : INTERN_NONE;
        if (at == INTERN_NONE || !o->value[at])
            continue;
        const struct val v[] = { val_id(o->value[at]), val_int(o->row[i].id) };
        if (fill_update(o->f, update, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return OK;
}

static int do_job(struct fill *f, size_t job, struct err *e)
{
    struct op_facts o = { .f = f, .last = jobs[job].last };

    if (intern_new(&o.names, e) == OK && fill_each(f, jobs[job].known, add_known, &o, e) == OK &&
        intern_count(o.names) && fill_each(f, jobs[job].lacking, add_row, &o, e) == OK && o.n_rows &&
        fill_begin(f, 0, e) == OK)
        (void)!fill_close(f, write_facts(&o, jobs[job].update, e), e);
    intern_free(o.names);
    free(o.value);
    free(o.row);
    return e->code;
}

int op_types_write(struct fill *f, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(jobs) && !e->code; i++)
        (void)!do_job(f, i, e);
    return e->code;
}
