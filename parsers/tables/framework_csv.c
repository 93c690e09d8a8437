/* SPDX-License-Identifier: Apache-2.0 */
/*
 * framework_raw_N.csv (doc/formats/mindspore1.md#framework_raw, doc/formats/analysed.md#transitional-files):
 * one row per op with its tensors as a JSON cell.
 */
#include "config.h"

#include "base/buf.h"
#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/jsoncell.h"
#include "parsers/read/opwords.h"

enum { F_TASK, F_STREAM, F_BLOCK, F_FULL, F_TYPE, F_KIND, F_INFO, F_GRAPH, F_EXTRA, F_N };

/* clang-format off */
static const struct csv_col cols[] = {
    { "task_id",                CV_INT,  F_TASK },
    { "stream_id",              CV_INT,  F_STREAM },
    { "block_dim|block_num",    CV_INT,  F_BLOCK },
    { "full_op_name|full_kernel_name|op_full_name", CV_STR, F_FULL },
    { "op_type",                CV_STR,  F_TYPE },
    /* the core; in files renamed by MindInsight, which have no op_type, the op type */
    { "kernel_type",            CV_CELL, F_KIND },
    { "op_info",                CV_CELL, F_INFO },
    { "graph_id|model_id",      CV_ID,   F_GRAPH },
    { "op_name|kernel_name|subgraph", CV_SKIP, 0 }, /* parts of the full name */
};
/* clang-format on */

/* Lists of one side's tensors, separated by ';'. */
struct side {
    struct buf shapes, types, formats;
    bool any;
};
struct framework {
    struct side in, out;
    bool ready;
};

#define SIDE_MAX ((size_t)1 << 20)

static void side_init(struct side *s)
{
    buf_init(&s->shapes, SIDE_MAX);
    buf_init(&s->types, SIDE_MAX);
    buf_init(&s->formats, SIDE_MAX);
}

static void side_clear(struct side *s)
{
    buf_clear(&s->shapes);
    buf_clear(&s->types);
    buf_clear(&s->formats);
    s->any = false;
}

static void side_done(struct side *s)
{
    buf_done(&s->shapes);
    buf_done(&s->types);
    buf_done(&s->formats);
}

/* A value as text: "[32, 1]" and "32,1" both as 32,1. */
static void add_plain(struct buf *b, struct str v)
{
    for (size_t i = 0; i < v.n; i++)
        if (v.p[i] != '[' && v.p[i] != ']' && v.p[i] != ' ' && v.p[i] != '\\')
            buf_addc(b, v.p[i]);
}

static void add_tensor(struct side *s, struct str tensor)
{
    struct str v;

    if (s->any) {
        buf_addc(&s->shapes, ';');
        buf_addc(&s->types, ';');
        buf_addc(&s->formats, ';');
    }
    s->any = true;
    if (jc_find(tensor, STR("shape"), &v))
        add_plain(&s->shapes, v);
    if (jc_find(tensor, STR("data_type"), &v))
        add_plain(&s->types, v);
    if (jc_find(tensor, STR("format"), &v))
        add_plain(&s->formats, v);
}

static void read_info(struct framework *f, struct str info)
{
    struct str key, val;
    bool is_string;
    size_t pos = 0;

    side_clear(&f->in);
    side_clear(&f->out);
    while (jc_member(info, &pos, &key, &val, &is_string)) {
        if (is_string)
            continue;
        bool input = key.n >= 5 && str_eq_nocase(str_sub(key, 0, 5), STR("input"));
        add_tensor(input ? &f->in : &f->out, val);
    }
}

static uint32_t list_id(struct csv_run *r, const struct side *s, const struct buf *b)
{
    return s->any ? sink_intern(r->c->out, buf_str(b)) : 0;
}

static uint32_t id_of(const struct val *v)
{
    return v->t == VAL_INT ? (uint32_t)v->i : 0;
}

static int64_t int_of(const struct val *v)
{
    return v->t == VAL_INT ? v->i : -1;
}

static int row(struct csv_run *r, struct err *e)
{
    struct framework *f = r->state;
    struct op_key key = OP_KEY_INIT;
    struct op_attr attr = OP_ATTR_INIT;
    struct str kind = r->v[F_KIND].t == VAL_TEXT ? r->v[F_KIND].s : STR_NULL;
    bool has_type = csv_column_of(r, F_TYPE) != SIZE_MAX;

    read_info(f, r->v[F_INFO].t == VAL_TEXT ? r->v[F_INFO].s : STR_NULL);
    key.name_id = id_of(&r->v[F_FULL]);
    key.type_id = has_type ? id_of(&r->v[F_TYPE]) : sink_intern(r->c->out, kind);
    key.graph_id = int_of(&r->v[F_GRAPH]);
    key.in_shapes_id = list_id(r, &f->in, &f->in.shapes);
    key.in_types_id = list_id(r, &f->in, &f->in.types);
    key.in_formats_id = list_id(r, &f->in, &f->in.formats);
    key.out_shapes_id = list_id(r, &f->out, &f->out.shapes);
    attr.out_types_id = list_id(r, &f->out, &f->out.types);
    attr.out_formats_id = list_id(r, &f->out, &f->out.formats);
    attr.core = has_type ? op_core(kind) : STR_NULL;
    attr.block_num = int_of(&r->v[F_BLOCK]);
    attr.task = int_of(&r->v[F_TASK]);
    attr.stream = int_of(&r->v[F_STREAM]);
    attr.source_id = r->f->id;
    attr.line = r->line;
    if (r->v[F_EXTRA].t == VAL_TEXT)
        attr.extra = r->v[F_EXTRA].s;
    return sink_op(r->c->out, &key, &attr, e) ? OK : e->code;
}

static int match(struct csv_run *r, struct err *e)
{
    struct framework *f = r->state;

    (void)e;
    if (!f->ready) {
        side_init(&f->in);
        side_init(&f->out);
    }
    f->ready = true;
    return OK;
}

static void done(struct csv_run *r)
{
    struct framework *f = r->state;

    side_done(&f->in);
    side_done(&f->out);
}

static const struct csvmap map = {
    .table = CSV_NO_TABLE,
    .n_slots = F_N,
    .extra_slot = F_EXTRA,
    .cols = cols,
    .n_cols = ARRAY_LEN(cols),
    .need = "full_op_name|full_kernel_name|op_info",
    .state_b = sizeof(struct framework),
    .match = match,
    .row = row,
    .done = done,
};

int parse_framework_raw(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&map, c, e);
}
