/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges and marks of the framework, in the layouts of all releases (doc/formats/framework.md#op_range,
 * #op_range_r, #records-of-torch_npu, #layouts-by-release).
 */
#include "config.h"

#include "base/buf.h"
#include "base/text.h"
#include "parsers/framework/event_names.h"
#include "parsers/framework/framework.h"
#include "parsers/framework/framework_layout.h"
#include "parsers/framework/tlv.h"
#include "parsers/read/lines.h"

#define NAME_MAX_B  ((size_t)256 << 10)
#define EVENT_STEP  53 /* event of module MODULE_PY that marks a step; one less in 2.6 */
#define MODULE_PY   5
#define STEP_PREFIX "ProfilerStep#"

/* Texts that fields hold. */
enum text { NAME, FULL, GRAPH_MODULE, GRAPH_EVENT, TYPES, SHAPES, STACK, MODULE, CUSTOM, N_TEXTS };
#define NO_FIELD UINT16_MAX

enum {
    MS_RANGE_RECORD(FIELD_AT) MS_RANGE_NAMED_RECORD(FIELD_AT) PT_RANGE_RECORD(FIELD_AT)
        PT_MARK_RECORD(FIELD_AT)
};
enum {
    MS_RANGE_TEXTS(TEXT_NO) MS_NAMED_TEXTS(TEXT_NO) PT_RANGE_TEXTS(TEXT_NO) PT_RANGE_RC3_TEXTS(TEXT_NO)
        PT_RANGE_57_TEXTS(TEXT_NO) PT_MARK_TEXTS(TEXT_NO) PT_MARK_OLD_TEXTS(TEXT_NO)
};

struct reading;
struct range_layout {
    struct tlv_kind tlv;
    bool torch;
    uint16_t field[N_TEXTS]; /* number of the field that holds the text */
    void (*fixed)(struct reading *r, struct rec *x, struct framework_range *out);
};
struct reading {
    struct framework *f;
    struct parse_ctx *c;
    const struct range_layout *layout;
    struct buf name;
    struct str text[N_TEXTS]; /* of the record */
};

static int64_t ns(const struct reading *r, uint64_t value)
{
    return framework_ns(&r->f->clock, value);
}

/* ---- fixed parts ---- */

static void fixed_indexed(struct reading *r, struct rec *x, struct framework_range *out)
{
    unsigned module = rec_u16(x, MSR_MODULE), event = rec_u16(x, MSR_EVENT), stage = rec_u16(x, MSR_STAGE);
    bool is_graph = rec_u8(x, MSR_GRAPH), is_stage = rec_u8(x, MSR_IS_STAGE);
    struct buf *name = &r->name;

    out->thread = rec_u64(x, MSR_THREAD);
    out->flow = rec_u64(x, MSR_FLOW);
    out->step = rec_u64(x, MSR_STEP);
    out->from = rec_u64(x, MSR_START) ? ns(r, rec_u64(x, MSR_START)) : INT64_MIN;
    out->to = ns(r, rec_u64(x, MSR_END));
    out->is = rec_u8(x, MSR_STACK) ? RANGE_FRAME : is_graph ? RANGE_GRAPH : 0;
    buf_clear(name);
    if (out->is & RANGE_FRAME) {
        buf_add(name, r->text[NAME]);
    } else if (is_graph) {
        buf_add(name, r->text[GRAPH_MODULE]);
        buf_puts(name, "::");
        buf_add(name, r->text[GRAPH_EVENT]);
        buf_puts(name, "::");
        buf_add(name, r->text[NAME]);
    } else if (is_stage) {
        buf_add(name, framework_stage(stage));
    } else if (!str_eq(r->text[NAME], STR("flow"))) {
        buf_add(name, framework_module(module));
        buf_puts(name, "::");
        buf_add(name, framework_event(event, r->f->names_of_26));
        buf_puts(name, "::");
        buf_add(name, r->text[FULL]);
    } else {
        buf_add(name, r->text[FULL]);
    }
}

static void fixed_named(struct reading *r, struct rec *x, struct framework_range *out)
{
    out->from = rec_u64(x, MSN_START) ? ns(r, rec_u64(x, MSN_START)) : INT64_MIN;
    out->to = ns(r, rec_u64(x, MSN_END));
    out->sequence = (int64_t)rec_u64(x, MSN_SEQUENCE);
    out->thread = rec_u64(x, MSN_THREAD);
    out->forward = rec_u64(x, MSN_FORWARD);
    out->flow = rec_u64(x, MSN_FLOW);
    out->step = rec_u64(x, MSN_STEP);
    buf_clear(&r->name);
    buf_add(&r->name, r->text[NAME]);
}

static void fixed_torch(struct reading *r, struct rec *x, struct framework_range *out)
{
    out->from = ns(r, rec_u64(x, PTR_START));
    out->to = ns(r, rec_u64(x, PTR_END));
    out->sequence = (int64_t)rec_u64(x, PTR_SEQUENCE);
    out->thread = rec_u64(x, PTR_THREAD);
    out->forward = rec_u64(x, PTR_FORWARD);
    if (!r->f->n_ranges)
        r->f->process = rec_u64(x, PTR_PROCESS);
    buf_clear(&r->name);
    buf_add(&r->name, r->text[NAME]);
}

/* clang-format off */
static const struct range_layout layouts[] = {
    { { "op ranges", MS_RANGE_B, MSR_NAME, 0 }, false,
      { MSR_NAME, MSR_FULL, MSR_GRAPH_MODULE, MSR_GRAPH_EVENT, NO_FIELD, NO_FIELD, NO_FIELD, NO_FIELD,
        MSR_CUSTOM },
      fixed_indexed },
    { { "op ranges", MS_RANGE_NAMED_B, MSN_NAME, 0 }, false,
      { MSN_NAME, NO_FIELD, NO_FIELD, NO_FIELD, MSN_TYPES, MSN_SHAPES, MSN_STACK, MSN_MODULE, MSN_CUSTOM },
      fixed_named },
    { { "op ranges", MS_RANGE_23_B, MSN_NAME, 0 }, false,
      { MSN_NAME, NO_FIELD, NO_FIELD, NO_FIELD, MSN_TYPES, MSN_SHAPES, MSN_STACK, MSN_MODULE, MSN_CUSTOM },
      fixed_named },
    { { "op ranges", PT_RANGE_B, PTR_NAME, 0 }, true,
      { PTR_NAME, NO_FIELD, NO_FIELD, NO_FIELD, PTR_TYPES, PTR_SHAPES, PTR_STACK, PTR_MODULE, PTR_EXTRA },
      fixed_torch },
    { { "op ranges", PT_RANGE_B, PTR3_NAME, 0 }, true,
      { PTR3_NAME, NO_FIELD, NO_FIELD, NO_FIELD, PTR3_TYPES, PTR3_SHAPES, PTR3_STACK, PTR3_MODULE,
        PTR3_EXTRA },
      fixed_torch },
    { { "op ranges", PT_RANGE_57_B, PTR57_NAME, 0 }, true,
      { PTR57_NAME, NO_FIELD, NO_FIELD, NO_FIELD, PTR57_TYPES, PTR57_SHAPES, PTR57_STACK, PTR57_MODULE,
        PTR57_EXTRA },
      fixed_torch },
};
/* clang-format on */

/* ---- records ---- */

static void take_fields(struct reading *r, struct tlv_record *t)
{
    uint16_t type;
    struct str text;

    for (size_t i = 0; i < N_TEXTS; i++)
        r->text[i] = STR("");
    while (tlv_field(t, &type, &text))
        for (size_t i = 0; i < N_TEXTS; i++)
            if (r->layout->field[i] == type)
                r->text[i] = r->f->na && !text_valid_utf8(text) ? STR("N/A") : text;
}

static bool holds(struct str s, const char *word)
{
    return str_find(s, str_of(word), 0) != SIZE_MAX;
}

static void classify(struct framework_range *x, struct str name, bool torch)
{
    if (!torch && str_eq(name, STR("flow")))
        x->is |= RANGE_FLOW;
    if (!torch && (holds(name, "KernelLaunch") || holds(name, "LaunchTask")))
        x->is |= RANGE_LAUNCH;
    if (holds(name, STEP_PREFIX))
        x->is |= RANGE_STEP;
    if (x->is & RANGE_FRAME && holds(name, FRAMEWORK_CELL))
        x->is |= RANGE_MODULE;
}

/* A record of MindSpore whose start is 0 was never begun: upstream drops it. */
static int on_range(void *arg, struct tlv_record *t, struct err *e)
{
    struct reading *r = arg;
    struct framework *f = r->f;
    struct framework_range x = { .sequence = -1, .flow = FRAMEWORK_NO_FLOW, .line = t->where.line };

    take_fields(r, t);
    r->layout->fixed(r, &t->fixed, &x);
    if (x.from == INT64_MIN)
        return OK;
    if (buf_failed(&r->name))
        return err_nomem(e);
    classify(&x, buf_str(&r->name), r->layout->torch);
    x.name = framework_keep(f, buf_str(&r->name), e);
    x.types = framework_keep(f, r->text[TYPES], e);
    x.shapes = framework_keep(f, r->text[SHAPES], e);
    x.stack = framework_keep(f, r->text[STACK], e);
    x.module = framework_keep(f, r->text[MODULE], e);
    x.custom = framework_keep(f, r->text[CUSTOM], e);
    return e->code ? e->code : framework_add_range(f, &x, e);
}

/* Their names hold the same words in all layouts. */
static int on_step(void *arg, struct tlv_record *t, struct err *e)
{
    struct reading *r = arg;
    struct tlv_record fields = *t;
    uint16_t type;
    struct str text;

    while (tlv_field(&fields, &type, &text))
        if (type == r->layout->field[NAME])
            return holds(text, STEP_PREFIX) ? on_range(arg, t, e) : OK;
    return OK;
}

/* ---- which numbers 2.6 gave its events ---- */

static int on_version(void *arg, struct tlv_record *t, struct err *e)
{
    struct reading *r = arg;

    (void)e;
    take_fields(r, t);
    if (str_starts(r->text[NAME], STR(STEP_PREFIX)) && rec_u16(&t->fixed, MSR_MODULE) == MODULE_PY &&
        rec_u16(&t->fixed, MSR_EVENT) == EVENT_STEP - 1)
        r->f->names_of_26 = true;
    return OK;
}

/* The recorded version says it; without one the number of the step mark does. */
static int find_version(struct reading *r, struct err *e)
{
    struct str version = parse_run_setting(r->c, "ms_version");
    struct sink_quiet quiet;
    struct parse_ctx c = *r->c;

    if (version.n) {
        r->f->names_of_26 = str_starts(version, STR("2.6"));
        return OK;
    }
    sink_quiet_init(&quiet, r->c->out);
    c.out = &quiet.sink;
    return tlv_read(&c, &r->layout->tlv, on_version, r, e);
}

static int read_ranges(struct framework *f, struct parse_ctx *c, bool steps, struct err *e)
{
    struct tlv_kind kinds[ARRAY_LEN(layouts)];
    struct reading r = { .f = f, .c = c };
    size_t which;

    for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
        kinds[i] = layouts[i].tlv;
    if (tlv_probe(c, kinds, ARRAY_LEN(kinds), &which, e) || which == TLV_EMPTY)
        return e->code;
    r.layout = &layouts[which];
    buf_init(&r.name, NAME_MAX_B);
    if (steps || r.layout->fixed != fixed_indexed || find_version(&r, e) == OK)
        (void)!tlv_read(c, &r.layout->tlv, steps ? on_step : on_range, &r, e);
    buf_done(&r.name);
    return e->code;
}

int framework_read_ranges(struct framework *f, struct parse_ctx *c, struct err *e)
{
    return read_ranges(f, c, false, e);
}

int framework_read_steps(struct framework *f, struct parse_ctx *c, struct err *e)
{
    return read_ranges(f, c, true, e);
}

/* ---- marks ---- */

static int on_mark(void *arg, struct tlv_record *t, struct err *e)
{
    struct reading *r = arg;
    struct framework *f = r->f;
    uint64_t kind = rec_u64(&t->fixed, PTK_KIND);
    uint16_t type;
    struct str name = STR("");

    if (kind >= N_MARK_KINDS)
        return OK;
    struct framework_mark *v = spool_grow(f->pool, f->mark, f->n_marks, &f->cap_marks, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    f->mark = v;
    (void)tlv_field(t, &type, &name);
    v[f->n_marks++] = (struct framework_mark){ .at = ns(r, rec_u64(&t->fixed, PTK_TIME)),
                                               .kind = (enum framework_mark_kind)kind,
                                               .correlation = rec_u64(&t->fixed, PTK_CORRELATION),
                                               .thread = rec_u64(&t->fixed, PTK_THREAD),
                                               .name = framework_keep(f, name, e),
                                               .line = t->where.line };
    return e->code;
}

int framework_read_marks(struct framework *f, struct parse_ctx *c, struct err *e)
{
    static const struct tlv_kind kinds[] = { { "queue marks", PT_MARK_B, PTK_NAME, 0 },
                                             { "queue marks", PT_MARK_B, PTK_NAME_OLD, 0 } };
    struct reading r = { .f = f, .c = c };
    size_t which;

    if (tlv_probe(c, kinds, ARRAY_LEN(kinds), &which, e) || which == TLV_EMPTY)
        return e->code;
    return tlv_read(c, &kinds[which], on_mark, &r, e);
}
