/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Python, their names, parameters, garbage collections; shapes of MindSpore's ops. */
#include "config.h"

#include "parsers/framework/python.h"

#include "base/buf.h"
#include "base/large/sort_index.h"
#include "base/path.h"
#include "parsers/framework/framework_layout.h"
#include "parsers/framework/shapes.h"
#include "parsers/framework/tlv.h"
#include "parsers/read/records.h"

#define NAME_MAX_B ((size_t)128 << 10)
#define DELIMITER  "######" /* of a module: name, this, id */

enum {
    PT_TRACE_RECORD(FIELD_AT) PT_HASH_RECORD(FIELD_AT) PT_CALL_RECORD(FIELD_AT) PT_MODULE_RECORD(FIELD_AT)
        PT_PARAMS_RECORD(FIELD_AT) PT_GC_RECORD(FIELD_AT)
};
enum {
    MS_SHAPES_TEXTS(TEXT_NO) PT_HASH_TEXTS(TEXT_NO) PT_HASH_OLD_TEXTS(TEXT_NO) PT_CALL_TEXTS(TEXT_NO)
        PT_MODULE_TEXTS(TEXT_NO) PT_PARAMS_TEXTS(TEXT_NO) PT_PARAMS_OLD_TEXTS(TEXT_NO)
};

struct reading {
    struct framework_python *p;
    const struct tlv_kind *kind; /* of those that the file may have */
};

static int64_t ns(const struct framework_python *p, uint64_t value)
{
    return framework_ns(&p->f->clock, value);
}

/* One more of an array; NULL: e is set. */
static void *more(struct framework_python *p, void *array, size_t n, size_t *cap, size_t each, struct err *e)
{
    void *v = NULL;

    if (n >= FRAMEWORK_NONE)
        err_set(e, ERR_LIMIT, "more than %u records", FRAMEWORK_NONE);
    else if (!(v = spool_grow(p->f->pool, array, n, cap, each, 1024)))
        err_nomem(e);
    return v;
}
#define MORE(p, array, n, cap, e) more(p, (p)->array, (p)->n, &(p)->cap, sizeof *(p)->array, e)

/* The texts of a record by their numbers. */
static struct str text_of(const struct tlv_record *t, uint16_t number)
{
    struct tlv_record copy = *t;
    struct str text, found = STR("");
    uint16_t type;

    while (tlv_field(&copy, &type, &text))
        if (type == number)
            found = text;
    return found;
}

/* ---- records ---- */

/* Neighbours are mostly of one thread. */
static uint32_t turn_of(struct framework_python *p, uint64_t thread, struct err *e)
{
    if (p->n_calls && p->call[p->n_calls - 1].thread == thread)
        return p->call[p->n_calls - 1].turn;
    uint32_t turn = p->threads || intern_new(&p->threads, e) == OK
                        ? intern_put(p->threads, (struct str){ (const char *)&thread, sizeof thread })
                        : INTERN_NONE;
    if (turn == INTERN_NONE && !e->code)
        err_nomem(e);
    return turn;
}

static int add_call(struct framework_python *p, const struct framework_call *x, uint64_t process,
                    struct err *e)
{
    uint32_t turn = turn_of(p, x->thread, e);
    struct framework_call *v = e->code ? NULL : MORE(p, call, n_calls, cap_calls, e);

    if (!v)
        return e->code;
    p->process = process;
    p->call = v;
    v[p->n_calls] = *x;
    v[p->n_calls++].turn = turn;
    return OK;
}

static int on_trace(struct framework_python *p, struct rec *r, uint32_t line, struct err *e)
{
    const struct framework_call x = { .at = ns(p, rec_u64(r, PTT_TIME)),
                                      .thread = rec_u64(r, PTT_THREAD),
                                      .key = rec_u64(r, PTT_KEY),
                                      .name = FRAMEWORK_NONE,
                                      .line = line,
                                      .tag = (enum framework_call_tag)rec_u8(r, PTT_TAG) };

    return add_call(p, &x, rec_u64(r, PTT_PROCESS), e); /* of an unknown tag, too: places count it */
}

static int on_call(void *arg, struct tlv_record *t, struct err *e)
{
    struct framework_python *p = ((struct reading *)arg)->p;
    struct rec *r = &t->fixed;
    const struct framework_call x = { .at = ns(p, rec_u64(r, PTC_TIME)),
                                      .thread = rec_u64(r, PTC_THREAD),
                                      .key = p->n_calls, /* its number: that of its module call */
                                      .name = framework_keep(p->f, text_of(t, PTC_NAME), e),
                                      .line = t->where.line,
                                      .tag = (enum framework_call_tag)rec_u8(r, PTC_TAG) };

    p->one_stack = true;
    /* of an unknown tag, too: numbers count it */
    return e->code ? e->code : add_call(p, &x, rec_u64(r, PTC_PROCESS), e);
}

static int on_name(void *arg, struct tlv_record *t, struct err *e)
{
    struct reading *r = arg;
    struct framework_python *p = r->p;
    struct framework_name *v = MORE(p, name, n_names, cap_names, e);

    if (!v)
        return e->code;
    p->name = v;
    v[p->n_names++] = (struct framework_name){ rec_u64(&t->fixed, PTH_KEY),
                                               framework_keep(p->f, text_of(t, r->kind->first), e) };
    return e->code;
}

static int on_params(void *arg, struct tlv_record *t, struct err *e)
{
    struct reading *r = arg;
    struct framework_python *p = r->p;
    struct framework_params *v = MORE(p, params, n_params, cap_params, e);

    if (!v)
        return e->code;
    p->params = v;
    v[p->n_params++] = (struct framework_params){ rec_u64(&t->fixed, PTP_KEY),
                                                  framework_keep(p->f, text_of(t, r->kind->first), e),
                                                  framework_keep(p->f, text_of(t, r->kind->last), e) };
    return e->code;
}

static int on_module(void *arg, struct tlv_record *t, struct err *e)
{
    struct framework_python *p = ((struct reading *)arg)->p;
    struct framework_module_call *v = MORE(p, module, n_modules, cap_modules, e);

    if (!v)
        return e->code;
    p->module = v;
    v[p->n_modules++] = (struct framework_module_call){ rec_u64(&t->fixed, PTU_INDEX),
                                                        framework_keep(p->f, text_of(t, PTU_ID), e),
                                                        framework_keep(p->f, text_of(t, PTU_NAME), e) };
    return e->code;
}

static int on_gc(struct framework_python *p, struct rec *r, uint32_t line, struct err *e)
{
    struct framework_collection *v = MORE(p, gc, n_gc, cap_gc, e);

    if (!v)
        return e->code;
    p->gc = v;
    if (!p->n_gc)
        p->gc_process = rec_u64(r, PTG_PROCESS);
    v[p->n_gc++] =
        (struct framework_collection){ ns(p, rec_u64(r, PTG_START)), ns(p, rec_u64(r, PTG_END)), line };
    return OK;
}

static int on_shapes(void *arg, struct str name, struct str shapes, uint32_t line, struct err *e)
{
    struct framework_python *p = arg;
    struct framework_shapes *v = MORE(p, shapes, n_shapes, cap_shapes, e);

    if (!v)
        return e->code;
    p->shapes = v;
    v[p->n_shapes++] =
        (struct framework_shapes){ framework_keep(p->f, name, e), framework_keep(p->f, shapes, e), line };
    return e->code;
}

/* ---- files ---- */

typedef int plain_fn(struct framework_python *p, struct rec *r, uint32_t line, struct err *e);

/* clang-format off */
static const struct file_of {
    const char *name; /* prefix */
    struct tlv_kind kinds[2];
    size_t n_kinds; /* 0: plain records */
    tlv_fn *tlv;
    plain_fn *plain;
    struct record_kind record;
} files[] = {
    { "torch.python_tracer_func", .plain = on_trace, .record = { .what = "calls", .size_b = PT_TRACE_B } },
    { "torch.python_tracer_hash", { { "names of functions", PT_HASH_B, PTH_NAME, 0 },
        { "names of functions", PT_HASH_B, PTH_NAME_OLD, 0 } }, 2, .tlv = on_name },
    { "torch.python_func_call", { { "calls", PT_CALL_B, PTC_NAME, 0 } }, 1, .tlv = on_call },
    { "torch.python_module_call", { { "calls of modules", PT_MODULE_B, PTU_ID, 0 } }, 1, .tlv = on_module },
    { "torch.param_tensor_info", { { "parameters", PT_PARAMS_B, PTP_MODULE, PTP_OPTIMIZER },
        { "parameters", PT_PARAMS_B, PTP_MODULE_OLD, PTP_OPTIMIZER_OLD } }, 2, .tlv = on_params },
    { "torch.gc_record", .plain = on_gc, .record = { .what = "collections", .size_b = PT_GC_B } },
};
/* clang-format on */

static int read_tlv(struct framework_python *p, const struct file_of *f, struct parse_ctx *c, struct err *e)
{
    size_t which;

    if (tlv_probe(c, f->kinds, f->n_kinds, &which, e) || which == TLV_EMPTY)
        return e->code;
    struct reading r = { p, &f->kinds[which] };
    return tlv_read(c, r.kind, f->tlv, &r, e);
}

static int read_plain(struct framework_python *p, const struct file_of *f, struct parse_ctx *c, struct err *e)
{
    struct records r;
    struct rec one;
    struct where w;

    if (records_open(&r, &f->record, c, e) == OK)
        while (records_next(&r, &one, &w, e) && f->plain(p, &one, w.line, e) == OK)
            continue;
    records_close(&r, e);
    return e->code;
}

int framework_python_read(struct framework_python *p, struct parse_ctx *c, struct err *e)
{
    struct str name = str_of(path_base(c->f->rel));

    if (str_starts(name, STR("mindspore.record_shapes")))
        return framework_read_shapes(c, on_shapes, p, e);
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        if (str_starts(name, str_of(files[i].name)))
            return files[i].n_kinds ? read_tlv(p, &files[i], c, e) : read_plain(p, &files[i], c, e);
    return err_set(e, ERR_FORMAT, "no file of Python calls");
}

void framework_python_init(struct framework_python *p, struct framework *f)
{
    *p = (struct framework_python){ .f = f };
}

void framework_python_done(struct framework_python *p)
{
    if (!p->f)
        return;
    spool_free(p->f->pool, p->call);
    spool_free(p->f->pool, p->name);
    spool_free(p->f->pool, p->params);
    spool_free(p->f->pool, p->module);
    spool_free(p->f->pool, p->gc);
    spool_free(p->f->pool, p->shapes);
    spool_free(p->f->pool, p->frame);
    intern_free(p->threads);
    *p = (struct framework_python){ .f = NULL };
}

/* ---- by key ---- */

static bool name_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_name *v = arg;

    return v[a].key < v[b].key;
}

static bool params_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_params *v = arg;

    return v[a].key < v[b].key;
}

static bool module_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_module_call *v = arg;

    return v[a].index < v[b].index;
}

/* The last of n elements, each of `each` bytes and beginning with its key, that has this key; NULL: none. */
static const void *with_key(const void *v, size_t n, size_t each, uint64_t key)
{
    size_t low = 0, high = n;
    uint64_t at;

    while (low < high) { /* the first with a larger key */
        size_t mid = low + (high - low) / 2;
        memcpy(&at, (const char *)v + mid * each, sizeof at);
        if (at <= key)
            low = mid + 1;
        else
            high = mid;
    }
    if (!low)
        return NULL;
    memcpy(&at, (const char *)v + (low - 1) * each, sizeof at);
    return at == key ? (const char *)v + (low - 1) * each : NULL;
}

static int sort_keys(struct framework_python *p, struct err *e)
{
    struct spool *s = p->f->pool;

    if (prof_sort(s, p->name, p->n_names, sizeof *p->name, name_before, p->name, e) ||
        prof_sort(s, p->params, p->n_params, sizeof *p->params, params_before, p->params, e))
        return e->code;
    return prof_sort(s, p->module, p->n_modules, sizeof *p->module, module_before, p->module, e);
}

const struct framework_params *framework_python_params(const struct framework_python *p,
                                                       const struct framework_range *x)
{
    if (!(x->is & RANGE_FRAME) || x->flow == FRAMEWORK_NO_FLOW)
        return NULL;
    return with_key(p->params, p->n_params, sizeof *p->params, x->flow);
}

/* ---- modules ---- */

/* Modules of one name are numbered in the order in which they are first called. */
struct numbers {
    struct intern *ids, *names;
    uint32_t *number, *next; /* by id, by name */
    size_t cap_ids, cap_names;
};

static void numbers_done(struct framework_python *p, struct numbers *m)
{
    spool_free(p->f->pool, m->number);
    spool_free(p->f->pool, m->next);
    intern_free(m->ids);
    intern_free(m->names);
    *m = (struct numbers){ .ids = NULL };
}

static int numbers_new(struct numbers *m, struct err *e)
{
    *m = (struct numbers){ .ids = NULL };
    return intern_new(&m->ids, e) == OK ? intern_new(&m->names, e) : e->code;
}

/* Number of the module with this id; UINT32_MAX: e is set. */
static uint32_t number_of(struct framework_python *p, struct numbers *m, struct str name, struct str id,
                          struct err *e)
{
    uint32_t n_ids = intern_count(m->ids), n_names = intern_count(m->names);
    uint32_t i = intern_put(m->ids, id), k = intern_put(m->names, name);
    uint32_t *number = spool_grow(p->f->pool, m->number, n_ids, &m->cap_ids, sizeof *number, 64);
    uint32_t *next = spool_grow(p->f->pool, m->next, n_names, &m->cap_names, sizeof *next, 64);

    m->number = number ? number : m->number;
    m->next = next ? next : m->next;
    if (!number || !next || i == INTERN_NONE || k == INTERN_NONE) {
        err_nomem(e);
        return UINT32_MAX;
    }
    if (k == n_names)
        next[k] = 0;
    if (i == n_ids)
        number[i] = next[k]++;
    return number[i];
}

/* ---- the replay ---- */

struct replay {
    struct framework_python *p;
    struct numbers modules;
    struct framework_frame *open; /* calls that did not return yet */
    size_t n_open, cap_open;
    struct buf text;
    int64_t last; /* instant of the thread */
    uint32_t id;  /* place of the record among those of the thread */
};

/* nn.Module: <name>_<number>. */
static uint32_t module_name(struct replay *r, struct str name, struct str id, uint32_t *number_is,
                            struct err *e)
{
    uint32_t number = number_of(r->p, &r->modules, name, id, e);

    *number_is = number;
    if (e->code)
        return FRAMEWORK_NONE;
    buf_clear(&r->text);
    buf_puts(&r->text, str_starts(name, STR(FRAMEWORK_MODULE_PREFIX)) ? "" : FRAMEWORK_MODULE_PREFIX);
    buf_add(&r->text, name);
    buf_printf(&r->text, "_%u", (unsigned)number);
    return framework_keep(r->p->f, buf_str(&r->text), e);
}

static uint32_t key_name(struct replay *r, uint64_t key, struct err *e)
{
    buf_clear(&r->text);
    buf_printf(&r->text, "%llu", (unsigned long long)key);
    return framework_keep(r->p->f, buf_str(&r->text), e);
}

/* Name of a call; *number: of the module that it is of, UINT32_MAX: of none. */
static uint32_t name_of(struct replay *r, const struct framework_call *c, uint32_t *number, struct err *e)
{
    const struct framework_python *p = r->p;
    const struct framework_module_call *m =
        p->one_stack ? with_key(p->module, p->n_modules, sizeof *p->module, c->key) : NULL;
    const struct framework_name *n =
        p->one_stack ? NULL : with_key(p->name, p->n_names, sizeof *p->name, c->key);
    struct str text = n ? framework_str(p->f, n->text) : STR("");
    size_t at = c->tag == CALL_PY ? str_find(text, STR(DELIMITER), 0) : SIZE_MAX;

    *number = UINT32_MAX;
    if (m && c->tag == CALL_PY)
        return module_name(r, framework_str(p->f, m->name), framework_str(p->f, m->id), number, e);
    if (at != SIZE_MAX)
        return module_name(r, str_sub(text, 0, at), str_sub(text, at + sizeof DELIMITER - 1, SIZE_MAX),
                           number, e);
    return p->one_stack ? c->name : n ? n->text : key_name(r, c->key, e);
}

static int push(struct replay *r, const struct framework_call *c, struct err *e)
{
    struct framework_python *p = r->p;
    struct framework *f = p->f;
    uint32_t number, name = name_of(r, c, &number, e);
    struct framework_frame *open =
        e->code ? NULL : spool_grow(f->pool, r->open, r->n_open, &r->cap_open, sizeof *open, 64);

    if (!open)
        return e->code ? e->code : err_nomem(e);
    r->open = open;
    open[r->n_open] = (struct framework_frame){ .range = (uint32_t)f->n_ranges,
                                                .id = r->id,
                                                .above = r->n_open ? open[r->n_open - 1].id : 0,
                                                .number = number };
    r->n_open++;
    const struct framework_range x = { .from = c->at,
                                       .to = c->at,
                                       .sequence = -1,
                                       .flow = p->one_stack ? FRAMEWORK_NO_FLOW : c->key,
                                       .thread = c->thread,
                                       .name = name,
                                       .shapes = FRAMEWORK_NONE,
                                       .types = FRAMEWORK_NONE,
                                       .stack = FRAMEWORK_NONE,
                                       .module = FRAMEWORK_NONE,
                                       .custom = FRAMEWORK_NONE,
                                       .line = c->line,
                                       .is = RANGE_FRAME | (number != UINT32_MAX ? RANGE_MODULE : 0) };
    return framework_add_range(f, &x, e);
}

/* The call that was made last returns; a time before it, as damage in the older files has, ends nothing. */
static void pop(struct replay *r, int64_t at)
{
    struct framework_python *p = r->p;
    const struct framework_frame *x = &r->open[--r->n_open];
    struct framework_range *range = &p->f->range[x->range];

    range->to = at > range->from ? at : range->from;
    if (p->frame)
        p->frame[p->n_frames++] = *x;
}

static int replay_call(struct replay *r, const struct framework_call *c, struct err *e)
{
    r->last = c->at > r->last ? c->at : r->last;
    if (c->tag == CALL_PY || c->tag == CALL_C)
        return push(r, c, e);
    if ((c->tag == RETURN_PY || c->tag == RETURN_C) && r->n_open)
        pop(r, c->at);
    return OK;
}

static void end_thread(struct replay *r)
{
    while (r->n_open)
        pop(r, r->last);
    r->last = INT64_MIN;
    r->id = 0;
}

static bool call_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_call *v = arg;

    return v[a].turn != v[b].turn ? v[a].turn < v[b].turn : v[a].at < v[b].at;
}

/* order: NULL: as in the file, one stack. */
static int replay_all(struct replay *r, const uint32_t *order, struct err *e)
{
    const struct framework_call *v = r->p->call;
    uint64_t thread = 0;

    for (size_t i = 0; i < r->p->n_calls; i++) {
        const struct framework_call *c = &v[order ? order[i] : i];
        if (order && i && c->thread != thread) {
            end_thread(r);
            numbers_done(r->p, &r->modules);
            if (numbers_new(&r->modules, e))
                return e->code;
        }
        thread = c->thread;
        if (replay_call(r, c, e))
            return e->code;
        r->id++;
    }
    end_thread(r);
    return OK;
}

int framework_python_replay(struct framework_python *p, struct err *e)
{
    struct replay r = { .p = p, .last = INT64_MIN };
    uint32_t *order = NULL;

    if (!p->n_calls)
        return sort_keys(p, e);
    buf_init(&r.text, NAME_MAX_B);
    if (p->keeps_frames && !(p->frame = spool_array(p->f->pool, p->n_calls, sizeof *p->frame)))
        err_nomem(e);
    if (!e->code && sort_keys(p, e) == OK && numbers_new(&r.modules, e) == OK &&
        (p->one_stack || prof_order(p->f->pool, &order, p->n_calls, call_before, p->call, e) == OK))
        (void)!replay_all(&r, order, e);
    if (!e->code && buf_failed(&r.text))
        err_nomem(e);
    numbers_done(p, &r.modules);
    spool_free(p->f->pool, order);
    spool_free(p->f->pool, r.open);
    buf_done(&r.text);
    return e->code;
}

/* ---- parameters ---- */

#define TENSOR_PARTS 8 /* object, pointer, type, its bytes, sizes, strides, kind and number of the device */

static bool tensor_of(struct str text, struct framework_param *out)
{
    struct str part[TENSOR_PARTS], size;
    size_t n = 0;
    uint64_t b;

    for (struct str rest = text; n < TENSOR_PARTS && str_next(&rest, ';', &part[n]); n++)
        continue;
    if (n < TENSOR_PARTS - 1 || !str_u64(part[3], &out->size_b))
        return false;
    out->type = part[2];
    out->sizes = part[4];
    for (struct str rest = part[4]; rest.n && str_next(&rest, ',', &size);)
        if (!str_u64(size, &b) || __builtin_mul_overflow(out->size_b, b, &out->size_b))
            return false;
    return true;
}

bool framework_param_next(struct str *rest, bool optimizer, struct framework_param *out)
{
    struct str one, name = STR(""), tensor;

    while (rest->n && str_next(rest, '}', &one)) {
        struct str parts = one;
        *out = (struct framework_param){ .size_b = 0 };
        if ((optimizer || str_next(&parts, ')', &name)) && str_next(&parts, ')', &tensor) &&
            tensor_of(tensor, out)) {
            out->name = optimizer ? STR("") : name;
            return true;
        }
    }
    return false;
}
