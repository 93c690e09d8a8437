/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tasks compute: names, op types, shapes (COMPUTE_TASK_INFO, doc/formats/msprof.md#tables). A network
 * has few ops and many tasks, so equal rows are kept once.
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/database/database_group.h"
#include "parsers/read/opwords.h"

enum {
    O_TASK,
    O_CORE,
    O_STATE,
    O_HF32,
    O_BLOCK,
    O_MIX_BLOCK,
    O_NAME,
    O_TYPE,
    O_IN_SHAPES,
    O_IN_TYPES,
    O_IN_FORMATS,
    O_OUT_SHAPES,
    O_OUT_TYPES,
    O_OUT_FORMATS,
    O_ATTRS,
    O_N
};

/* clang-format off */
static const struct database_col op_cols[] = {
    { "globalTaskId",    DB_INT, O_TASK, NULL },
    { "name",            DB_SID, O_NAME, NULL },
    { "opType",          DB_SID, O_TYPE, NULL },
    { "taskType",        DB_INT, O_CORE, NULL },
    { "opState",         DB_INT, O_STATE, NULL },
    { "hf32Eligible",    DB_INT, O_HF32, NULL },
    { "blockNum|blockDim|block_dim", DB_ID, O_BLOCK, NULL },
    { "mixBlockNum|mixBlockDim",     DB_ID, O_MIX_BLOCK, NULL },
    { "inputShapes",     DB_SID, O_IN_SHAPES, NULL },
    { "inputDataTypes",  DB_SID, O_IN_TYPES, NULL },
    { "inputFormats",    DB_SID, O_IN_FORMATS, NULL },
    { "outputShapes",    DB_SID, O_OUT_SHAPES, NULL },
    { "outputDataTypes", DB_SID, O_OUT_TYPES, NULL },
    { "outputFormats",   DB_SID, O_OUT_FORMATS, NULL },
    { "attrInfo",        DB_SID, O_ATTRS, NULL },
};
/* clang-format on */
static const struct database_map op_map = {
    .table = "COMPUTE_TASK_INFO|COMMUNICATION_SCHEDULE_TASK_INFO",
    DB_SLOTS(O_N),
    .cols = op_cols,
    .n_cols = ARRAY_LEN(op_cols),
};

static uint32_t text_of(const struct database_row *r, size_t slot)
{
    return (uint32_t)database_int(r, slot, 0);
}

static int on_op(struct database_row *r, struct err *e)
{
    struct database_ops *ops = r->arg;
    struct database_op op;

    memset(&op, 0, sizeof op); /* its bytes are a key */
    op.block = database_int(r, O_BLOCK, -1);
    op.mix_block = database_int(r, O_MIX_BLOCK, -1);
    op.core = database_int(r, O_CORE, -1);
    op.state = database_int(r, O_STATE, -1);
    op.hf32 = database_int(r, O_HF32, -1);
    op.name = text_of(r, O_NAME);
    op.type = text_of(r, O_TYPE);
    op.in_shapes = text_of(r, O_IN_SHAPES);
    op.in_types = text_of(r, O_IN_TYPES);
    op.in_formats = text_of(r, O_IN_FORMATS);
    op.out_shapes = text_of(r, O_OUT_SHAPES);
    op.out_types = text_of(r, O_OUT_TYPES);
    op.out_formats = text_of(r, O_OUT_FORMATS);
    op.attrs = text_of(r, O_ATTRS);
    uint32_t id = intern_put(ops->keys, (struct str){ (const char *)&op, sizeof op });
    if (id == INTERN_NONE)
        return err_nomem(e);
    return database_ids_add(&ops->by_task, database_int(r, O_TASK, -1), id, e);
}

int database_ops_read(struct database *d, struct database_ops *ops, struct err *e)
{
    *ops = (struct database_ops){ .keys = NULL };
    database_ids_init(&ops->by_task, d->pool);
    return intern_new(&ops->keys, e) ? e->code : database_read(d, &op_map, on_op, ops, e);
}

uint32_t database_ops_of(struct database_ops *ops, int64_t task_id)
{
    return database_ids_find(&ops->by_task, task_id);
}

struct database_op database_ops_get(const struct database_ops *ops, uint32_t id)
{
    struct database_op op;

    memcpy(&op, intern_get(ops->keys, id).p, sizeof op);
    return op;
}

static int64_t make(struct database *d, const struct database_op *op, int64_t model, struct err *e)
{
    struct op_key key = OP_KEY_INIT;
    struct op_attr attr = OP_ATTR_INIT;

    key.name_id = op->name;
    key.type_id = op->type;
    key.in_shapes_id = op->in_shapes;
    key.in_types_id = op->in_types;
    key.in_formats_id = op->in_formats;
    key.out_shapes_id = op->out_shapes;
    key.model_id = model;
    attr.out_types_id = op->out_types;
    attr.out_formats_id = op->out_formats;
    attr.attrs_id = op->attrs;
    attr.core = op_core(database_word(d, op->core));
    attr.state = database_word(d, op->state);
    attr.hf32 = database_word(d, op->hf32);
    attr.block_num = op->block;
    attr.mix_block_num = op->mix_block;
    attr.source_id = d->c->f->id;
    return sink_op(d->c->out, &key, &attr, e);
}

int64_t database_ops_make(struct database *d, struct database_ops *ops, uint32_t id, int64_t model,
                          struct err *e)
{
    size_t had = ops->cap;
    struct database_made *v = grow_array(ops->made, id, &ops->cap, sizeof *v, 256);

    if (!v) {
        err_nomem(e);
        return 0;
    }
    ops->made = v;
    for (; had < ops->cap; had++)
        v[had] = (struct database_made){ .op = 0 };
    if (v[id].op && v[id].model == model)
        return v[id].op;
    const struct database_op op = database_ops_get(ops, id);
    v[id] = (struct database_made){ .model = model, .op = make(d, &op, model, e) };
    return v[id].op;
}

void database_ops_done(struct database_ops *ops)
{
    intern_free(ops->keys);
    database_ids_done(&ops->by_task);
    free(ops->made);
    *ops = (struct database_ops){ .keys = NULL };
}
