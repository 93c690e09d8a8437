/* SPDX-License-Identifier: Apache-2.0 */
/* Binary Framework records (doc/formats/mindspore1.md#framework-records). */
#include "config.h"

#include "parsers/mindspore/records/framework_records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/mindspore/records/record_layout.h"
#include "parsers/read/records.h"

/* clang-format off */
static const struct record_kind task_kind = { "task records", 256, 0, 4, 0x00175a5a, 0, NULL };
enum { FW_TASK_RECORD(FIELD_AT) };
static const struct record_kind tensor_kind = { "tensor records", 256, 0, 4, 0x00185a5a, 0,
    "more tensors than a record holds" };
enum { FW_TENSOR_RECORD(FIELD_AT) TENSOR_FIRST = TENSOR_0_KIND, TENSOR_B = TENSOR_1_KIND - TENSOR_0_KIND };
enum mix_layout {           /* a string or its hash */
    MIX_FLAG = 0,           /* u8 */
    MIX_TEXT = 8,
    OP_B     = 128,
    TYPE_B   = 64
};

static const char *const formats[] = {
    "UNKNOWN", "DEFAULT", "NC1KHKWHWC0", "ND", "NCHW", "NHWC", "HWCN", "NC1HWC0", "FRAC_Z", "C1HWNCOC0",
    "FRAC_NZ", "NC1HWC0_C04",
    "FRACTAL_Z_C04", "NDHWC", "FRACTAL_ZN_LSTM", "FRACTAL_ZN_RNN", "ND_RNN_BIAS", "NDC1HWC0", "NCDHW",
    "FRACTAL_Z_3D", "DHWNC", "DHWCN"
};
#define TYPES_FROM 29
static const char *const types[] = {
    "NUMBER_TYPE_BEGIN", "BOOL", "INT", "INT8", "INT16", "INT32", "INT64", "UINT", "UINT8", "UINT16",
    "UINT32", "UINT64",
    "FLOAT", "FLOAT16", "FLOAT32", "FLOAT64", "COMPLEX", "NUMBER_TYPE_END"
};
/* clang-format on */
#define R18_ADDED 200

/* ---- numbers ---- */

static uint32_t plain(uint32_t number)
{
    return number >= R18_ADDED ? number - R18_ADDED : number;
}

struct str framework_records_format(uint32_t number)
{
    uint32_t i = plain(number);

    return i < ARRAY_LEN(formats) ? str_of(formats[i]) : STR("UNKNOWN");
}

struct str framework_records_type(uint32_t number)
{
    uint32_t i = plain(number) - TYPES_FROM;

    return i < ARRAY_LEN(types) ? str_of(types[i]) : STR("UNKNOWN");
}

static struct str core_of(uint32_t number)
{
    const struct layout_word *w = framework_cores;

    while (w->word && w->value != number)
        w++;
    return str_of(w->word);
}

/* ---- names by hash ---- */

struct framework_names {
    struct intern *hashes, *texts;
    uint32_t *text; /* by hash */
    size_t cap;
    uint64_t open_hash; /* of the last line, where that has no end */
    bool has_open;
};

int framework_names_new(struct framework_names **out, struct err *e)
{
    struct framework_names *n = *out = calloc(1, sizeof *n);

    if (!n)
        return err_nomem(e);
    if (intern_new(&n->hashes, e) || intern_new(&n->texts, e)) {
        framework_names_free(n);
        *out = NULL;
    }
    return e->code;
}

void framework_names_free(struct framework_names *n)
{
    if (!n)
        return;
    intern_free(n->hashes);
    intern_free(n->texts);
    free(n->text);
    free(n);
}

static struct str hash_view(const uint64_t *hash)
{
    return (struct str){ (const char *)hash, sizeof *hash };
}

static int add_name(struct framework_names *n, uint64_t hash, struct str text, struct err *e)
{
    uint32_t key = intern_put(n->hashes, hash_view(&hash)), id = intern_put(n->texts, text);

    if (key == INTERN_NONE || id == INTERN_NONE)
        return err_nomem(e);
    uint32_t *ids = grow_array(n->text, key, &n->cap, sizeof *ids, 256);
    if (!ids)
        return err_nomem(e);
    n->text = ids;
    n->text[key] = id;
    return OK;
}

static bool name_of(const struct framework_names *n, uint64_t hash, struct str *out)
{
    uint32_t key = n ? intern_find(n->hashes, hash_view(&hash)) : INTERN_NONE;

    if (key != INTERN_NONE)
        *out = intern_get(n->texts, n->text[key]);
    return key != INTERN_NONE;
}

/*
 * The number ends at the first colon: the text may hold further ones. A last line without an end is whole, as
 * its writer ends files so; before a missing slice it is not.
 */
int framework_records_names(struct parse_ctx *c, struct framework_names *n, struct err *e)
{
    struct slices s;
    struct str line;
    struct where w;
    bool ended;

    if (slices_open(&s, c, e) == OK)
        while (slices_line(&s, &line, &w, &ended, e)) {
            size_t at = str_chr(line, ':');
            uint64_t hash;
            if (!str_trim(line).n)
                continue;
            if ((!ended && s.at_gap) || at == SIZE_MAX || !str_u64(str_sub(line, 0, at), &hash)) {
                c->lost++;
                sink_note(c->out, ended ? NOTE_BAD_ROW : NOTE_TORN_RECORD, &w,
                          "not a number, a colon and a name");
                continue;
            }
            c->rows++;
            n->has_open = !ended;
            n->open_hash = hash;
            if (add_name(n, hash, str_trim(str_sub(line, at + 1, SIZE_MAX)), e))
                break;
        }
    slices_close(&s);
    return e->code;
}

/* ---- tasks ---- */

struct tasks {
    const struct framework_names *names;
    char op[OP_B], type[TYPE_B]; /* texts of the current record */
    uint64_t unnamed;            /* hashes that the dictionary lacks */
    struct where first;
};

static bool is_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* Text without its NUL bytes. false: it holds bytes of no name. */
static bool text_of(const unsigned char *p, size_t n, char *buf, struct str *out)
{
    *out = (struct str){ buf, 0 };
    for (size_t i = 0; i < n; i++) {
        if (!p[i])
            continue;
        if (p[i] < ' ' || p[i] == 0x7f)
            return false;
        buf[out->n++] = (char)p[i];
    }
    return true;
}

/* Bytes outside of ASCII within the first eight and nothing after them: no name that a network has. */
static bool looks_hashed(const unsigned char *p, size_t n)
{
    bool high = false;

    for (size_t i = 0; i < 8; i++)
        high |= p[i] < ' ' ? p[i] != 0 : p[i] > 0x7e;
    return high && is_zero(p + 8, n - 8);
}

/* A string or a hash of a record. */
struct mix {
    struct str text;
    bool old;          /* what its flag says of the version */
    bool hashed, last; /* no dictionary has its name; the dictionary's last line does */
};

/*
 * The flag says whether it is a string or a hash, but its two values were swapped in r1.8; so the dictionary
 * decides (doc/formats/mindspore1.md#versions). buf has room for size bytes.
 */
static struct mix mix_of(struct tasks *t, struct rec *r, size_t at, size_t size, char *buf)
{
    const unsigned char *p = r->p + at + MIX_TEXT;
    size_t n = size - MIX_TEXT;
    bool flag = rec_u8(r, at + MIX_FLAG);
    uint64_t hash = rec_u64(r, at + MIX_TEXT);
    struct mix m = { .old = flag };

    if (is_zero(p + 8, n - 8) && name_of(t->names, hash, &m.text)) {
        m.last = t->names->has_open && t->names->open_hash == hash;
        return m;
    }
    if (!looks_hashed(p, n) && text_of(p, n, buf, &m.text)) {
        m.old = !flag;
        return m;
    }
    m.hashed = true;
    m.text = (struct str){ buf, (size_t)snprintf(buf, size, "%" PRIu64, hash) };
    return m;
}

static void decode_task(struct tasks *t, struct rec *r, struct framework_record_task *out)
{
    struct mix op = mix_of(t, r, TASK_OP, OP_B, t->op), type = mix_of(t, r, TASK_TYPE, TYPE_B, t->type);

    if ((op.hashed || type.hashed) && !t->unnamed)
        t->first = out->where;
    t->unnamed += op.hashed + type.hashed;
    out->op = op.text;
    out->type = type.text;
    out->op_hashed = op.hashed;
    out->type_hashed = type.hashed;
    out->last_name = op.last || type.last;
    out->old = op.old;
    out->core = core_of(rec_u32(r, TASK_KIND));
    out->dynamic = rec_u32(r, TASK_SHAPE) != 0;
    out->block_dim = rec_u32(r, TASK_BLOCK);
    out->model = rec_u32(r, TASK_MODEL);
    out->stream = rec_u32(r, TASK_STREAM);
    out->task = rec_u32(r, TASK_TASK);
}

int framework_records_tasks(struct parse_ctx *c, const struct framework_names *names,
                            framework_records_task_fn *fn, void *arg, struct err *e)
{
    struct tasks t = { .names = names };
    struct framework_record_task out;
    struct records f;
    struct rec r;

    if (records_open(&f, &task_kind, c, e) == OK)
        while (records_next(&f, &r, &out.where, e)) {
            decode_task(&t, &r, &out);
            if (fn(arg, &out, e))
                break;
        }
    records_close(&f, e);
    if (!e->code && t.unnamed) {
        t.first.count = t.unnamed;
        sink_note(c->out, NOTE_INCONSISTENT, &t.first,
                  "a name is given by its hash, which hash_dic does not have");
    }
    return e->code;
}

/* ---- tensors ---- */

/* false: the record's number of tensors is impossible. */
static bool decode_tensors(struct rec *r, struct framework_record_tensor *t, size_t *out)
{
    size_t n = rec_u8(r, TENSOR_COUNT);

    if (n > FWBIN_TENSORS)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t at = TENSOR_FIRST + i * TENSOR_B;
        t[i] = (struct framework_record_tensor){ .output = rec_u32(r, at) != 0,
                                                 .format = rec_u32(r, at + 4),
                                                 .type = rec_u32(r, at + 8) };
        for (size_t d = 0; d < FWBIN_DIMS; d++)
            t[i].dims[d] = rec_u32(r, at + 12 + 4 * d);
    }
    *out = n;
    return true;
}

int framework_records_tensors(struct parse_ctx *c, framework_records_tensors_fn *fn, void *arg, struct err *e)
{
    struct framework_record_tensor t[FWBIN_TENSORS];
    struct framework_record_tensors out = { .t = t };
    struct records f;
    struct rec r;

    if (records_open(&f, &tensor_kind, c, e) == OK)
        while (records_next(&f, &r, &out.where, e)) {
            if (!decode_tensors(&r, t, &out.n)) {
                records_bad(&f, &out.where);
                continue;
            }
            out.model = rec_u32(&r, TENSOR_MODEL);
            out.stream = rec_u32(&r, TENSOR_STREAM);
            out.task = rec_u32(&r, TENSOR_TASK);
            if (fn(arg, &out, e))
                break;
        }
    records_close(&f, e);
    return e->code;
}

int framework_records_is(struct parse_ctx *c, bool *is, struct err *e)
{
    return records_are(&task_kind, c, is, e);
}
