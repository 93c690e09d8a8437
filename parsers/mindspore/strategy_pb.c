/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel strategy of the network as r1.7 left it: parallel_strategy_pb_N.bin
 * (doc/formats/mindspore1.md#parallel_strategy). The same rows as those of parallel_strategy_N.json
 * (parsers/tables/ops_json.c): ops with their strategy, and what the configuration says.
 *
 * A value inside a value is a frame of a stack: bytes of the input never make us recurse.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/read/infile.h"
#include "base/read/pb.h"
#include "parsers/parsers.h"
#include "parsers/read/lines.h"

#define MAX_DEPTH 100 /* as protobuf itself */

/* Numbers of fields. */
enum { PARALLEL_CONFIG = 2, PARALLEL_GRAPH = 3 };
enum { CONFIG_RANK = 1, CONFIG_STAGE = 2, CONFIG_TYPE = 3 };
enum { GRAPH_NODE = 1 };
enum { NODE_OP_TYPE = 3, NODE_ATTRIBUTE = 5, NODE_FULL_NAME = 8 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_VALUE = 2 };
enum {
    VALUE_BOOL = 2,
    VALUE_INT = 3,
    VALUE_UINT = 4,
    VALUE_FLOAT = 5,
    VALUE_DOUBLE = 6,
    VALUE_TEXT = 7,
    VALUE_VALUES = 18
};

struct reader {
    struct parse_ctx *c;
    struct buf strategy;
    uint64_t cut, deep, items;
};

/* false: the message is cut. */
static bool whole(struct reader *r, const struct pb *m)
{
    r->cut += m->bad != NULL;
    return !m->bad;
}

/* ---- values ---- */

static void separate(struct buf *b)
{
    if (b->n && b->p[b->n - 1] != '(')
        buf_puts(b, ", ");
}

static bool is_scalar(const struct pb_field *f)
{
    return f->number >= VALUE_BOOL && f->number <= VALUE_TEXT &&
           (f->wire == PB_BYTES) == (f->number == VALUE_TEXT);
}

static void put_scalar(struct buf *b, const struct pb_field *f)
{
    separate(b);
    switch (f->number) {
    case VALUE_BOOL:
        buf_puts(b, f->value ? "true" : "false");
        break;
    case VALUE_INT:
        buf_printf(b, "%" PRId64, (int64_t)f->value);
        break;
    case VALUE_UINT:
        buf_printf(b, "%" PRIu64, f->value);
        break;
    case VALUE_FLOAT:
        buf_printf(b, "%.9g", (double)pb_float(f->value));
        break;
    case VALUE_DOUBLE:
        buf_printf(b, "%.17g", pb_double(f->value));
        break;
    default:
        buf_add(b, f->bytes);
    }
}

/* Numbers and texts of a value, what lies inside in brackets. */
static void put_value(struct reader *r, struct pb value)
{
    struct {
        struct pb m;
        bool open; /* its bracket */
    } frame[MAX_DEPTH] = { { .m = value } };
    size_t depth = 1;
    struct pb_field f;

    while (depth) {
        bool *open = &frame[depth - 1].open;
        if (!pb_next(&frame[depth - 1].m, &f)) {
            (void)whole(r, &frame[depth - 1].m);
            if (*open)
                buf_addc(&r->strategy, ')');
            depth--;
        } else if (is_scalar(&f) && !f.cut) {
            put_scalar(&r->strategy, &f);
        } else if (f.number == VALUE_VALUES && f.wire == PB_BYTES && depth == MAX_DEPTH) {
            r->deep++;
        } else if (f.number == VALUE_VALUES && f.wire == PB_BYTES) {
            if (!*open) {
                separate(&r->strategy);
                buf_addc(&r->strategy, '(');
            }
            *open = true;
            frame[depth].m = pb_sub(&f);
            frame[depth++].open = false;
        }
    }
}

/* ---- ops ---- */

static void read_attribute(struct reader *r, struct pb m)
{
    struct str name = STR("");
    struct pb_field f, value = { .number = 0 };

    while (pb_next(&m, &f))
        if (f.number == ATTRIBUTE_NAME && f.wire == PB_BYTES)
            name = f.bytes;
        else if (f.number == ATTRIBUTE_VALUE && f.wire == PB_BYTES)
            value = f;
    if (!whole(r, &m) || !value.number || !str_ends(name, STR("strategy")))
        return;
    buf_clear(&r->strategy);
    put_value(r, pb_sub(&value));
}

static int read_node(struct reader *r, struct pb m, struct err *e)
{
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;
    struct str name = STR(""), type = STR("");
    struct pb_field f;

    buf_clear(&r->strategy);
    while (pb_next(&m, &f))
        if (f.wire != PB_BYTES || f.cut)
            continue;
        else if (f.number == NODE_FULL_NAME)
            name = f.bytes;
        else if (f.number == NODE_OP_TYPE)
            type = f.bytes;
        else if (f.number == NODE_ATTRIBUTE)
            read_attribute(r, pb_sub(&f));
    if (!whole(r, &m) || !name.n || !r->strategy.n)
        return OK;
    k.name_id = sink_intern(r->c->out, name);
    k.type_id = type.n ? sink_intern(r->c->out, type) : 0;
    a.strategy_id = sink_intern(r->c->out, buf_str(&r->strategy));
    a.source_id = r->c->f->id;
    r->c->rows++;
    return sink_op(r->c->out, &k, &a, e) ? OK : e->code;
}

/* ---- the whole ---- */

/* Settings have the names that they have in the JSON. */
static int read_config(struct reader *r, struct pb m, struct err *e)
{
    static const char *const keys[] = {
        [CONFIG_RANK] = "rankId", [CONFIG_STAGE] = "stageId", [CONFIG_TYPE] = "parallelType"
    };
    char number[24];
    struct pb_field f;

    while (pb_next(&m, &f)) {
        if (f.number >= ARRAY_LEN(keys) || f.cut || (f.wire == PB_BYTES) != (f.number == CONFIG_TYPE))
            continue;
        snprintf(number, sizeof number, "%" PRIu64, f.value);
        if (parse_setting(r->c, keys[f.number], f.wire == PB_BYTES ? f.bytes : str_of(number), e))
            return e->code;
    }
    (void)whole(r, &m);
    return OK;
}

static int read_graph(struct reader *r, struct pb m, struct err *e)
{
    struct pb_field f;

    while (pb_next(&m, &f)) {
        if (++r->items % 65536 == 0 && parse_ask(r->c, f.off, e))
            return e->code;
        if (f.number == GRAPH_NODE && f.wire == PB_BYTES && read_node(r, pb_sub(&f), e))
            return e->code;
    }
    (void)whole(r, &m);
    return OK;
}

static int read_all(struct reader *r, struct str text, struct err *e)
{
    struct pb m = pb_of(text, 0);
    struct pb_field f;
    bool any = false;

    while (pb_next(&m, &f)) {
        any = true;
        if (f.wire != PB_BYTES)
            continue;
        if (f.number == PARALLEL_CONFIG && read_config(r, pb_sub(&f), e))
            return e->code;
        if (f.number == PARALLEL_GRAPH && read_graph(r, pb_sub(&f), e))
            return e->code;
    }
    if (m.bad && !any)
        return err_set(e, ERR_FORMAT, "no protobuf message: %s", m.bad);
    (void)whole(r, &m);
    return OK;
}

int parse_parallel_strategy_pb(struct parse_ctx *c, struct err *e)
{
    struct reader r = { .c = c };
    char *text;
    size_t n;

    if (infile_read_all(c->f->path, LIM_PB_B, &text, &n, e))
        return e->code;
    buf_init(&r.strategy, LIM_NAME_B);
    if (read_all(&r, (struct str){ text, n }, e) == OK) {
        parse_note(c, NOTE_TORN_FILE, r.cut, "messages are cut; what is whole was kept");
        parse_note(c, NOTE_TOO_DEEP, r.deep, "values nested too deeply were left out");
    }
    buf_done(&r.strategy);
    free(text);
    return e->code;
}
