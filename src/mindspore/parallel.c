/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parallel_strategy_N.json of r1.7, from parallel_strategy_pb_N.bin
 * (doc/formats/mindspore1.md#parallel_strategy): protobuf's JSON mapping
 * (protobuf.dev/programming-guides/json) as Python's json_format prints it, indented by two.
 *
 * Fields come in the order of their numbers. A message inside a message is a frame of a stack: bytes of the
 * input never make us recurse.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/read/infile.h"
#include "base/read/pb.h"
#include "mindspore/run.h"
#include "parsers/read/lines.h"

#define BEFORE    "parallel_strategy_"
#define MAX_DEPTH 100 /* limit of protobuf itself */

/* ---- the messages: anf_ir.proto of MindSpore r1.7, and those around them ---- */

enum type {
    T_BOOL,
    T_INT64,
    T_UINT64,
    T_INT32,
    T_UINT32,
    T_FLOAT,
    T_DOUBLE,
    T_STRING,
    T_BYTES,
    T_ENUM,
    T_MESSAGE
};
enum message {
    M_PARALLEL,
    M_CONFIG,
    M_GRAPH,
    M_NODE,
    M_INPUT,
    M_ATTRIBUTE,
    M_VALUE,
    M_NAMED,
    M_PARAMETER,
    M_OUTPUT,
    M_TYPE,
    M_TYPE_TENSOR,
    M_TYPE_SEQUENCE,
    M_TENSOR,
    M_SHAPE,
    M_DIM,
    N_MESSAGES
};
enum enumeration { E_DATA, E_EDGE };
struct field {
    uint32_t number;
    const char *name;
    enum type type;
    bool repeated;
    int of; /* index of the message or enumeration */
};

/* clang-format off */
static const struct field fields[N_MESSAGES][21] = {
    [M_PARALLEL] = { { 1, "version", T_STRING, false, 0 }, { 2, "config", T_MESSAGE, false, M_CONFIG },
        { 3, "graph", T_MESSAGE, false, M_GRAPH } },
    [M_CONFIG] = { { 1, "rankId", T_UINT32, false, 0 }, { 2, "stageId", T_UINT32, false, 0 },
        { 3, "parallelType", T_STRING, false, 0 },
                   { 4, "stageDevices", T_MESSAGE, true, M_SHAPE } },
    [M_GRAPH] = { { 1, "node", T_MESSAGE, true, M_NODE }, { 2, "name", T_STRING, false, 0 },
        { 3, "parameters", T_MESSAGE, true, M_PARAMETER },
                  { 4, "outputs", T_MESSAGE, true, M_OUTPUT }, { 5, "constVals", T_MESSAGE, true, M_NAMED } },
    [M_NODE] = { { 1, "input", T_MESSAGE, true, M_INPUT }, { 2, "name", T_STRING, false, 0 },
        { 3, "opType", T_STRING, false, 0 },
                 { 4, "scope", T_STRING, false, 0 }, { 5, "attribute", T_MESSAGE, true, M_ATTRIBUTE },
                 { 6, "outputType", T_MESSAGE, false, M_TYPE }, { 7, "outputI", T_UINT64, false, 0 },
                 { 8, "fullName", T_STRING, false, 0 },
                 { 10, "instanceName", T_STRING, false, 0 } },
    [M_INPUT] = { { 1, "name", T_STRING, false, 0 }, { 2, "type", T_ENUM, false, E_EDGE } },
    [M_ATTRIBUTE] = { { 1, "name", T_STRING, false, 0 }, { 2, "value", T_MESSAGE, false, M_VALUE } },
    [M_VALUE] = { { 1, "dtype", T_ENUM, false, E_DATA }, { 2, "boolVal", T_BOOL, false, 0 },
        { 3, "intVal", T_INT64, false, 0 },
                  { 4, "uintVal", T_UINT64, false, 0 }, { 5, "floatVal", T_FLOAT, false, 0 },
                  { 6, "doubleVal", T_DOUBLE, false, 0 }, { 7, "strVal", T_STRING, false, 0 },
                  { 8, "tensorVal", T_MESSAGE, false, M_TENSOR }, { 9, "graph", T_MESSAGE, false, M_GRAPH },
                  { 10, "boolVals", T_BOOL, true, 0 }, { 11, "intVals", T_INT64, true, 0 },
                  { 12, "uintVals", T_UINT64, true, 0 }, { 13, "floatVals", T_FLOAT, true, 0 },
                  { 14, "doubleVals", T_DOUBLE, true, 0 }, { 15, "strVals", T_STRING, true, 0 },
                  { 16, "tensorVals", T_MESSAGE, true, M_TENSOR }, { 17, "graphs", T_MESSAGE, true, M_GRAPH },
                  { 18, "values", T_MESSAGE, true, M_VALUE }, { 19, "dictVal", T_MESSAGE, true, M_NAMED },
                  { 20, "typeVal", T_MESSAGE, false, M_TYPE } },
    [M_NAMED] = { { 1, "key", T_STRING, false, 0 }, { 2, "value", T_MESSAGE, false, M_VALUE } },
    [M_PARAMETER] = { { 1, "name", T_STRING, false, 0 }, { 2, "type", T_MESSAGE, false, M_TYPE },
        { 3, "defaultVal", T_MESSAGE, false, M_VALUE } },
    [M_OUTPUT] = { { 1, "name", T_STRING, false, 0 }, { 2, "type", T_MESSAGE, false, M_TYPE } },
    [M_TYPE] = { { 1, "dataType", T_ENUM, false, E_DATA }, { 2, "tensorType", T_MESSAGE, false,
        M_TYPE_TENSOR },
                 { 3, "sequenceType", T_MESSAGE, false, M_TYPE_SEQUENCE } },
    [M_TYPE_TENSOR] = { { 1, "elemType", T_ENUM, false, E_DATA }, { 2, "shape", T_MESSAGE, false, M_SHAPE } },
    [M_TYPE_SEQUENCE] = { { 1, "elemTypes", T_MESSAGE, true, M_TYPE } },
    [M_TENSOR] = { { 1, "dims", T_INT64, true, 0 }, { 2, "dataType", T_ENUM, false, E_DATA },
        { 3, "floatData", T_FLOAT, true, 0 },
                   { 4, "int32Data", T_INT32, true, 0 }, { 5, "int64Data", T_INT64, true, 0 },
                   { 6, "doubleData", T_DOUBLE, true, 0 },
                   { 7, "uint64Data", T_UINT64, true, 0 }, { 8, "rawData", T_BYTES, false, 0 } },
    [M_SHAPE] = { { 1, "dim", T_MESSAGE, true, M_DIM } },
    [M_DIM] = { { 1, "size", T_INT64, false, 0 }, { 2, "name", T_STRING, false, 0 } },
};
static const char *const data_types[] = {
    "DT_UNDEFINED", "DT_BOOL", "DT_INT8", "DT_INT16", "DT_INT32", "DT_INT64", "DT_UINT8", "DT_UINT16",
    "DT_UINT32", "DT_UINT64", "DT_FLOAT16",
    "DT_FLOAT32", "DT_FLOAT64", "DT_STRING", "DT_TENSOR", "DT_GRAPH", "DT_BOOLS", "DT_INTS8", "DT_INTS16",
    "DT_INTS32", "DT_INTS64", "DT_UINTS8",
    "DT_UINTS16", "DT_UINTS32", "DT_UINTS64", "DT_FLOATS16", "DT_FLOATS32", "DT_FLOATS64", "DT_STRINGS",
    "DT_TENSORS", "DT_GRAPHS", "DT_TUPLE",
    "DT_LIST", "DT_DICT", "DT_NONE", "DT_SYM_INST", "DT_BASE_INT", "DT_BASE_UINT", "DT_BASE_FLOAT", "DT_TYPE",
    "DT_ANYTHING", "DT_REFKEY", "DT_REF",
    "DT_COMPLEX64", "DT_COMPLEX128", "DT_BASE_COMPLEX",
};
static const char *const edges[] = { "DATA_EDGE", "CONTROL_EDGE" };
/* clang-format on */

/* A message being written. */
struct frame {
    struct pb all, rest;   /* the message's bytes; those not yet searched for the current field */
    const struct field *f; /* current field */
    size_t written;        /* values of the current field */
    bool any;              /* a field was written */
};
struct writer {
    struct emit *o;
    struct frame frame[MAX_DEPTH];
    size_t depth;
    uint64_t torn; /* number of damaged messages */
    int indent;
};

/* ---- scalars ---- */

static void new_line(struct writer *w)
{
    emit_c(w->o, '\n');
    for (int i = 0; i < w->indent; i++)
        emit_s(w->o, "  ");
}

static void put_double(struct emit *o, double v)
{
    if (isnan(v))
        emit_s(o, "\"NaN\"");
    else if (isinf(v))
        emit_s(o, v > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else
        emit_repr(o, v);
}

/* The shortest number of at least six digits that is this float. */
static void put_float(struct emit *o, float v)
{
    char text[40];
    double d = (double)v;

    for (int digits = 6; digits < 9 && isfinite(v); digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)v);
        if (str_f64(str_of(text), &d) && (float)d == v)
            break;
        d = (double)v;
    }
    put_double(o, d);
}

static void put_base64(struct emit *o, struct str s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    emit_c(o, '"');
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t v = 0;
        for (size_t k = 0; k < 3; k++)
            v = v << 8 | (i + k < s.n ? (unsigned char)s.p[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            emit_c(o, i + k > s.n ? '=' : digits[v >> (18 - 6 * k) & 63]);
    }
    emit_c(o, '"');
}

static void put_enum(struct emit *o, int of, uint64_t v)
{
    const char *const *words = of == E_DATA ? data_types : edges;
    size_t n = of == E_DATA ? ARRAY_LEN(data_types) : ARRAY_LEN(edges);

    if (v < n)
        emit_fmt(o, "\"%s\"", words[v]);
    else
        emit_i(o, (int32_t)v);
}

static void put_number(struct emit *o, const struct field *f, uint64_t v)
{
    switch (f->type) {
    case T_BOOL:
        emit_s(o, v ? "true" : "false");
        break;
    case T_INT64:
        emit_fmt(o, "\"%i\"", (int64_t)v);
        break;
    case T_UINT64:
        emit_fmt(o, "\"%U\"", v);
        break;
    case T_INT32:
        emit_i(o, (int32_t)v);
        break;
    case T_UINT32:
        emit_u(o, (uint32_t)v);
        break;
    case T_FLOAT:
        put_float(o, pb_float(v));
        break;
    case T_DOUBLE:
        put_double(o, pb_double(v));
        break;
    default:
        put_enum(o, f->of, v);
    }
}

/* ---- fields ---- */

static bool is_text(enum type t)
{
    return t == T_STRING || t == T_BYTES || t == T_MESSAGE;
}

static enum pb_wire wire_of(enum type t)
{
    return is_text(t) ? PB_BYTES : t == T_FLOAT ? PB_FIXED32 : t == T_DOUBLE ? PB_FIXED64 : PB_VARINT;
}

/* Whether x is a value of the current field, alone or packed. */
static bool fits(const struct field *f, const struct pb_field *x)
{
    bool packed = f->repeated && !is_text(f->type) && x->wire == PB_BYTES;

    return x->number == f->number && !x->cut && (x->wire == wire_of(f->type) || packed);
}

/* The next value of the current field; of a field that is not repeated, the last value. */
static bool next_value(struct frame *r, struct pb_field *out)
{
    struct pb_field x;
    bool found = false;

    while (pb_next(&r->rest, &x))
        if (fits(r->f, &x)) {
            *out = x;
            found = true;
            if (r->f->repeated)
                break;
        }
    return found;
}

/* Writes what precedes a value: the name of the field, the bracket of a list, a comma. */
static void begin_value(struct writer *w, struct frame *r)
{
    if (!r->written) {
        emit_s(w->o, r->any ? "," : "{");
        new_line(w);
        emit_fmt(w->o, r->f->repeated ? "\"%s\": [" : "\"%s\": ", r->f->name);
        w->indent += r->f->repeated;
    } else {
        emit_c(w->o, ',');
    }
    if (r->f->repeated)
        new_line(w);
    r->any = true;
    r->written++;
}

static void end_field(struct writer *w, struct frame *r)
{
    if (r->written && r->f->repeated) {
        w->indent--;
        new_line(w);
        emit_c(w->o, ']');
    }
    r->written = 0;
    r->f++;
    r->rest = r->all;
}

/* Packed numbers. */
static void put_packed(struct writer *w, struct frame *r, const struct pb_field *x)
{
    enum pb_wire wire = wire_of(r->f->type);
    size_t each = wire == PB_FIXED32 ? 4 : wire == PB_FIXED64 ? 8 : 0;
    struct pb list = pb_sub(x);
    uint64_t v;

    while (each ? list.n >= each : pb_varint(&list, &v)) {
        if (each) {
            v = 0;
            for (size_t i = each; i > 0; i--)
                v = v << 8 | list.p[i - 1];
            list.p += each;
            list.n -= each;
        }
        begin_value(w, r);
        put_number(w->o, r->f, v);
    }
}

static bool push(struct writer *w, struct pb m, enum message of)
{
    if (w->depth == MAX_DEPTH)
        return false;
    w->frame[w->depth++] = (struct frame){ .all = m, .rest = m, .f = fields[of] };
    w->indent++;
    return true;
}

/* Ends the current message. */
static void pop(struct writer *w)
{
    struct frame *r = &w->frame[--w->depth];
    struct pb_field x;

    while (pb_next(&r->all, &x))
        ;
    w->torn += r->all.bad != NULL;
    w->indent--;
    if (r->any)
        new_line(w);
    emit_s(w->o, r->any ? "}" : "{}");
}

/* false: nested too deeply. */
static bool put_value(struct writer *w, struct frame *r, const struct pb_field *x)
{
    if (!is_text(r->f->type) && x->wire == PB_BYTES) {
        put_packed(w, r, x);
        return true;
    }
    begin_value(w, r);
    if (r->f->type == T_MESSAGE)
        return push(w, pb_sub(x), (enum message)r->f->of);
    if (r->f->type == T_STRING)
        mindspore_json_text(w->o, x->bytes);
    else if (r->f->type == T_BYTES)
        put_base64(w->o, x->bytes);
    else
        put_number(w->o, r->f, x->value);
    return true;
}

static int write_message(struct writer *w, struct str text, struct err *e)
{
    (void)push(w, pb_of(text, 0), M_PARALLEL);
    while (w->depth) {
        struct frame *r = &w->frame[w->depth - 1];
        struct pb_field x;
        if (!r->f->name)
            pop(w);
        else if (!next_value(r, &x))
            end_field(w, r);
        else if (!put_value(w, r, &x))
            return err_set(e, ERR_LIMIT, "messages nested more than %d deep", MAX_DEPTH);
    }
    return OK;
}

static int write_file(struct mindspore_run *r, struct writer *w, struct str text, struct err *e)
{
    if (mindspore_open(r, &w->o, BEFORE, ".json", e))
        return e->code;
    write_message(w, text, e);
    return mindspore_close(r, w->o, e);
}

int mindspore_parallel(struct mindspore_run *r, struct err *e)
{
    const struct source_file *f = mindspore_file(r, "parallel_strategy_pb", NULL);
    struct writer *w;
    struct parse_ctx c;
    char *text;
    size_t n;

    if (!f)
        return OK;
    c = mindspore_ctx(r, f);
    if (infile_read_all(f->path, LIM_PB_B, &text, &n, e)) {
        mindspore_no_data(r, BEFORE, ".json", e->text);
        return e->code;
    }
    w = calloc(1, sizeof *w);
    if (!w)
        err_nomem(e);
    else
        write_file(r, w, (struct str){ text, n }, e);
    if (w)
        parse_note(&c, NOTE_TORN_FILE, w->torn, "messages are cut; what is whole was kept");
    free(w);
    free(text);
    return e->code;
}
