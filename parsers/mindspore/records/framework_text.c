/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of task_desc_info, graph_desc_info and point (doc/formats/mindspore1.md#framework-text). */
#include "config.h"

#include "parsers/mindspore/records/framework_text.h"

#include "base/path.h"
#include "parsers/read/lines.h"
#include "parsers/read/slices.h"

#define BINARY_MAGIC 0x5a5a
#define TASK_WORDS   5 /* an optional graph id, name, block dim, task, stream */

/*
 * Data types of the MindSpore back end, from the number of BEGIN on; r1.3 moved them by 4 and added COMPLEX.
 */
static const char *const type_names[] = { "NUMBER_TYPE_BEGIN",  "NUMBER_TYPE_BOOL",    "NUMBER_TYPE_INT",
                                          "NUMBER_TYPE_INT8",   "NUMBER_TYPE_INT16",   "NUMBER_TYPE_INT32",
                                          "NUMBER_TYPE_INT64",  "NUMBER_TYPE_UINT",    "NUMBER_TYPE_UINT8",
                                          "NUMBER_TYPE_UINT16", "NUMBER_TYPE_UINT32",  "NUMBER_TYPE_UINT64",
                                          "NUMBER_TYPE_FLOAT",  "NUMBER_TYPE_FLOAT16", "NUMBER_TYPE_FLOAT32",
                                          "NUMBER_TYPE_FLOAT64" };
enum type_base { TYPES_GE = -1, TYPES_OLD = 26, TYPES_R13 = 30 };

/* Of the GE back end; NULL: a number that is not used. */
static const char *const ge_types[] = {
    "DT_FLOAT",      "DT_FLOAT16", "DT_INT8",          "DT_INT32",          "DT_UINT8",     NULL,
    "DT_INT16",      "DT_UINT16",  "DT_UINT32",        "DT_INT64",          "DT_UINT64",    "DT_DOUBLE",
    "DT_BOOL",       "DT_STRING",  "DT_DUAL_SUB_INT8", "DT_DUAL_SUB_UINT8", "DT_COMPLEX64", "DT_COMPLEX128",
    "DT_QINT8",      "DT_QINT16",  "DT_QINT32",        "DT_QUINT8",         "DT_QUINT16",   "DT_RESOURCE",
    "DT_STRING_REF", "DT_DUAL",    "DT_UNDEFINED"
};
static const char *const ge_formats[] = { "FORMAT_NCHW",
                                          "FORMAT_NHWC",
                                          "FORMAT_ND",
                                          "FORMAT_NC1HWC0",
                                          "FORMAT_FRACTAL_Z",
                                          "FORMAT_NC1C0HWPAD",
                                          "FORMAT_NHWC1C0",
                                          "FORMAT_FSR_NCHW",
                                          "FORMAT_FRACTAL_DECONV",
                                          "FORMAT_C1HWNC0",
                                          "FORMAT_FRACTAL_DECONV_TRANSPOSE",
                                          "FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS",
                                          "FORMAT_NC1HWC0_C04",
                                          "FORMAT_FRACTAL_Z_C04",
                                          "FORMAT_CHWN",
                                          "FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS",
                                          "FORMAT_HWCN",
                                          "FORMAT_NC1KHKWHWC0",
                                          "FORMAT_BN_WEIGHT",
                                          "FORMAT_FILTER_HWCK",
                                          "FORMAT_HASHTABLE_LOOKUP_LOOKUPS",
                                          "FORMAT_HASHTABLE_LOOKUP_KEYS",
                                          "FORMAT_HASHTABLE_LOOKUP_VALUE",
                                          "FORMAT_HASHTABLE_LOOKUP_OUTPUT",
                                          "FORMAT_HASHTABLE_LOOKUP_HITS",
                                          "FORMAT_C1HWNCOC0",
                                          "FORMAT_MD",
                                          "FORMAT_NDHWC",
                                          "FORMAT_FRACTAL_ZZ",
                                          "FORMAT_FRACTAL_NZ",
                                          "FORMAT_NCDHW",
                                          "FORMAT_DHWCN",
                                          "FORMAT_NDC1HWC0",
                                          "FORMAT_FRACTAL_Z_3D",
                                          "FORMAT_CN",
                                          "FORMAT_NC",
                                          "FORMAT_DHWNC",
                                          "FORMAT_FRACTAL_Z_3D_TRANSPOSE",
                                          "FORMAT_RESERVED",
                                          "FORMAT_ALL" };

struct framework {
    struct slices s;
    int types; /* enum type_base */
    struct framework_tensor in[FW_TENSORS], out[FW_TENSORS];
};

/* ---- lines ---- */

static void bad_line(struct slices *s, struct where w, bool ended)
{
    s->c->lost++;
    sink_note(s->c->out, ended ? NOTE_BAD_ROW : NOTE_TORN_RECORD, &w, "%s",
              ended ? "the line has another form than expected" : "the last line has no end: it may be cut");
}

static int open_text(struct slices *s, struct parse_ctx *c, struct err *e)
{
    struct rec head;

    if (slices_open(s, c, e))
        return e->code;
    if (slices_peek(s, 2, &head, e) && rec_u16(&head, 0) == BINARY_MAGIC)
        return err_set(e, ERR_VERSION, "binary records, of r1.6 or later");
    return e->code;
}

/* ---- tasks ---- */

static bool task_of(struct str line, struct framework_task *t)
{
    struct str w[TASK_WORDS + 1];
    size_t n = lines_words(str_trim(line), w, ARRAY_LEN(w));
    const struct str *v = w + (n == TASK_WORDS);
    uint64_t task, stream;

    if (n < TASK_WORDS - 1 || n > TASK_WORDS || !str_i64(v[1], &t->block_dim) || !str_u64(v[2], &task) ||
        !str_u64(v[3], &stream) || task > UINT32_MAX || stream > UINT32_MAX)
        return false;
    t->op = v[0];
    t->task = (uint32_t)task;
    t->stream = (uint32_t)stream;
    return true;
}

int framework_text_tasks(struct parse_ctx *c, framework_text_task_fn *fn, void *arg, struct err *e)
{
    struct slices s;
    struct framework_task t;
    struct str line;
    bool ended;

    if (open_text(&s, c, e) == OK)
        while (slices_line(&s, &line, &t.where, &ended, e)) {
            if (ended && !str_trim(line).n)
                continue;
            if (!ended || !task_of(line, &t)) {
                bad_line(&s, t.where, ended);
                continue;
            }
            c->rows++;
            if (fn(arg, &t, e))
                break;
        }
    slices_close(&s);
    return e->code;
}

/* ---- points ---- */

int framework_text_points(struct parse_ctx *c, framework_text_point_fn *fn, void *arg, struct err *e)
{
    struct slices s;
    struct framework_point p;
    struct str line, w[3];
    bool ended;

    if (open_text(&s, c, e) == OK)
        while (slices_line(&s, &line, &p.where, &ended, e)) {
            if (ended && !str_trim(line).n)
                continue;
            if (!ended || lines_words(str_trim(line), w, ARRAY_LEN(w)) != 2 || !str_u64(w[0], &p.tag)) {
                bad_line(&s, p.where, ended);
                continue;
            }
            p.op = w[1];
            c->rows++;
            if (fn(arg, &p, e))
                break;
        }
    slices_close(&s);
    return e->code;
}

/* ---- ops ---- */

/*
 * The tag after Framework. gives the back end: vm. up to r1.1, vm_ from r1.2 on (whose numbers are taken as
 * those of r1.3), else GE.
 */
static int types_of(const struct source_file *f)
{
    struct str name = str_of(path_base(f->path));

    if (str_starts(name, STR("Framework.")))
        name = str_sub(name, 10, SIZE_MAX);
    if (str_starts(name, STR("host.")))
        name = str_sub(name, 5, SIZE_MAX);
    if (str_starts(name, STR("vm.")))
        return TYPES_OLD;
    return str_starts(name, STR("vm_")) ? TYPES_R13 : TYPES_GE;
}

static struct str type_of(int base, struct str number)
{
    int64_t v;

    if (base == TYPES_GE || !str_i64(number, &v))
        return number;
    int64_t i = v - base, names = (int64_t)ARRAY_LEN(type_names);
    if (i >= 0 && i < names)
        return str_of(type_names[i]);
    if (base == TYPES_R13 && i == names)
        return STR("NUMBER_TYPE_COMPLEX");
    return i == names + (base == TYPES_R13) ? STR("NUMBER_TYPE_END") : STR("UNKNOWN");
}

static struct str ge_word(const char *const *words, size_t n, int64_t v)
{
    return v >= 0 && (uint64_t)v < n && words[v] ? str_of(words[v]) : STR("UNKNOWN");
}

struct str framework_type_word(struct str number, bool ge, bool since_r13)
{
    int64_t v;

    if (!ge)
        return type_of(since_r13 ? TYPES_R13 : TYPES_OLD, number);
    return str_i64(number, &v) ? ge_word(ge_types, ARRAY_LEN(ge_types), v) : number;
}

struct str framework_format_word(struct str number)
{
    int64_t v;

    return str_i64(number, &v) ? ge_word(ge_formats, ARRAY_LEN(ge_formats), v) : number;
}

static struct str unquoted(struct str s)
{
    if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
        return str_sub(s, 1, s.n - 2);
    return s;
}

/* Tensors of one side while a line is read. */
struct side {
    struct str prefix;
    struct framework_tensor *t;
    size_t n;
    bool full;
    uint32_t *count; /* over both sides */
};

/* input_id, input_format, input_data_type, input_shape: an id begins a tensor. */
static bool tensor_key(struct side *d, int types, struct str key, struct str value)
{
    if (!str_starts(key, d->prefix))
        return false;
    key = str_sub(key, d->prefix.n, SIZE_MAX);
    if (str_eq(key, STR("id"))) {
        d->full = d->n == FW_TENSORS;
        if (!d->full)
            d->t[d->n++] = (struct framework_tensor){ .id = value, .order = (*d->count)++ };
        return true;
    }
    if (!d->n || d->full)
        return d->full;
    struct framework_tensor *t = &d->t[d->n - 1];
    if (str_eq(key, STR("format")))
        t->format = value;
    else if (str_eq(key, STR("data_type"))) {
        t->type = type_of(types, value);
        t->number = value;
    } else if (str_eq(key, STR("shape")))
        t->shape = unquoted(value);
    else
        return false;
    return true;
}

static bool op_of(struct framework *f, struct str line, struct framework_op *o, bool *full)
{
    uint32_t count = 0;
    struct side in = { STR("input_"), f->in, 0, false, &count };
    struct side out = { STR("output_"), f->out, 0, false, &count };
    struct str word, rest = str_trim(line);

    o->name = o->type = STR_NULL;
    while (str_next(&rest, ' ', &word)) {
        size_t at = str_chr(word, ':');
        if (!word.n)
            continue;
        if (at == SIZE_MAX)
            return false;
        struct str key = str_sub(word, 0, at), value = str_sub(word, at + 1, SIZE_MAX);
        if (str_eq(key, STR("op_name")))
            o->name = value;
        else if (str_eq(key, STR("op_type")))
            o->type = value;
        else if (!tensor_key(&in, f->types, key, value) && !tensor_key(&out, f->types, key, value))
            return false;
    }
    o->in = f->in;
    o->n_in = in.n;
    o->out = f->out;
    o->n_out = out.n;
    o->ge = f->types == TYPES_GE;
    *full = in.full || out.full;
    return o->name.n > 0;
}

static int read_ops(struct framework *f, framework_text_op_fn *fn, void *arg, struct err *e)
{
    struct framework_op o;
    struct str line;
    bool ended, full = false;

    while (slices_line(&f->s, &line, &o.where, &ended, e)) {
        if (ended && !str_trim(line).n)
            continue;
        if (!ended || !op_of(f, line, &o, &full)) {
            bad_line(&f->s, o.where, ended);
            continue;
        }
        if (full)
            sink_note(f->s.c->out, NOTE_LIMIT, &o.where, "more than %d tensors", FW_TENSORS);
        f->s.c->rows++;
        if (fn(arg, &o, e))
            break;
    }
    return e->code;
}

int framework_text_ops(struct parse_ctx *c, framework_text_op_fn *fn, void *arg, struct err *e)
{
    struct framework *f = arena_alloc(c->tmp, sizeof *f);

    if (!f)
        return err_nomem(e);
    f->types = types_of(c->f);
    if (open_text(&f->s, c, e) == OK)
        (void)read_ops(f, fn, arg, e);
    slices_close(&f->s);
    return e->code;
}
