/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What msMonitor writes with --export-type Jsonl: one activity of MSPTI a line
 * (doc/formats/analysed.md#msmonitor-lines). Kernels and communication ops become executions, all of them
 * bars of the timeline with an arrow from the call to what it launched.
 */
#include "config.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/read/json_stream.h"
#include "parsers/parsers.h"
#include "parsers/read/jsoncell.h"
#include "parsers/read/lines.h"
#include "parsers/read/opwords.h"
#include "parsers/read/slices.h"

enum field {
    M_KIND,
    M_NAME,
    M_START,
    M_END,
    M_DEVICE,
    M_STREAM,
    M_TYPE,
    M_CORRELATION,
    M_PROCESS,
    M_THREAD,
    M_DATA_TYPE,
    M_COUNT,
    M_COMM,
    M_SOURCE,
    N_FIELDS
};
static const char *const fields[N_FIELDS] = { "kind",     "name",  "startNs",       "endNs",     "deviceId",
                                              "streamId", "type",  "correlationId", "processId", "threadId",
                                              "dataType", "count", "commName",      "sourceKind" };

struct monitor {
    struct parse_ctx *c;
    struct lines l;
    struct str f[N_FIELDS]; /* of the current line, raw; p NULL: absent */
    int64_t n[N_FIELDS];    /* the same as numbers, -1: none */
    int64_t device;         /* of the first kernel, -1: none yet */
    uint32_t arrow;         /* category of the arrows */
    struct buf text;
    uint64_t unknown;
};

/* The bytes of one value of a communication op's data type; 0: not known. */
static int64_t bytes_of(struct str type)
{
    /* clang-format off */
    static const struct { const char *name; int64_t b; } types[] = {
        { "INT8", 1 }, { "UINT8", 1 }, { "HIF8", 1 }, { "FP8E4M3", 1 }, { "FP8E5M2", 1 }, { "FP8E8M0", 1 },
        { "INT16", 2 }, { "UINT16", 2 }, { "FP16", 2 }, { "BFP16", 2 }, { "INT32", 4 }, { "UINT32", 4 },
        { "FP32", 4 }, { "INT64", 8 }, { "UINT64", 8 }, { "FP64", 8 }, { "INT128", 16 },
    };
    /* clang-format on */

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_eq(type, str_of(types[i].name)))
            return types[i].b;
    return 0;
}

/* A text field without its escapes, valid until the next one. */
static struct str text_of(struct monitor *m, enum field f)
{
    struct str raw = m->f[f];

    if (!raw.p || str_chr(raw, '\\') == SIZE_MAX)
        return raw;
    buf_clear(&m->text);
    buf_add(&m->text, raw);
    return m->text.n == raw.n ? js_unescape(raw, m->text.p) : raw;
}

static uint32_t intern_of(struct monitor *m, enum field f)
{
    return sink_intern(m->c->out, text_of(m, f));
}

/* ---- the timeline ---- */

/* SINK_NO_TRACK: e is set. pid and tid tell tracks apart. */
static uint32_t track_of(struct monitor *m, struct track_def *d, const char *layer, int64_t pid,
                         struct err *e)
{
    char key[80], shown[80];

    (void)snprintf(key, sizeof key, "%s %lld", layer, (long long)pid);
    (void)snprintf(shown, sizeof shown, "%s", layer);
    if (d->kind == TK_STREAM && pid != m->device)
        (void)snprintf(shown, sizeof shown, "%s (NPU %lld)", layer, (long long)pid);
    d->rank = m->c->rank;
    d->pid = str_of(key);
    d->process = str_of(shown);
    d->source_id = m->c->f->id;
    uint32_t track = sink_track(m->c->out, d);
    if (track == SINK_NO_TRACK)
        (void)err_nomem(e);
    return track;
}

static uint32_t number_track(struct monitor *m, enum track_kind kind, const char *layer, int64_t pid,
                             const char *word, int64_t number, struct err *e)
{
    char tid[24], name[40];
    struct track_def d = { .kind = kind, .sort = number, .stream = kind == TK_STREAM ? number : -1 };

    (void)snprintf(tid, sizeof tid, "%lld", (long long)number);
    (void)snprintf(name, sizeof name, "%s %lld", word, (long long)number);
    d.tid = str_of(tid);
    d.name = str_of(name);
    return track_of(m, &d, layer, pid, e);
}

/* The bar of the current line, and its end of the arrow: 's' of a call, 'f' of what was launched, 0 none. */
static int put_bar(struct monitor *m, uint32_t track, char phase, struct err *e)
{
    if (track == SINK_NO_TRACK || sink_event(m->c->out, track, m->n[M_START], m->n[M_END] - m->n[M_START],
                                             intern_of(m, M_NAME), m->l.n, e))
        return e->code;
    m->c->rows++;
    if (!phase || m->n[M_CORRELATION] <= 0)
        return OK;
    return sink_flow(m->c->out, track, m->n[M_START], phase, m->arrow, (uint64_t)m->n[M_CORRELATION], e);
}

/* ---- kinds of lines ---- */

static int on_kernel(struct monitor *m, struct err *e)
{
    struct val v[N_COLS(op_exec)] = { 0 };
    struct op_key k = OP_KEY_INIT;
    struct op_attr a = OP_ATTR_INIT;

    if (m->device < 0)
        m->device = m->n[M_DEVICE];
    k.name_id = intern_of(m, M_NAME);
    a.core = op_core(text_of(m, M_TYPE)); /* KERNEL_AIVEC ...: which core, not which op */
    a.source_id = m->c->f->id;
    a.line = m->l.n;
    int64_t op = sink_op(m->c->out, &k, &a, e);
    if (op == 0)
        return e->code;
    v[COL(op_exec, op_id)] = val_int(op);
    v[COL(op_exec, rank)] = val_int(m->c->rank);
    v[COL(op_exec, device)] = val_int(m->n[M_DEVICE]);
    v[COL(op_exec, stream)] = val_int(m->n[M_STREAM]);
    v[COL(op_exec, ts_ns)] = val_int(m->n[M_START]);
    v[COL(op_exec, dur_ns)] = val_int(m->n[M_END] - m->n[M_START]);
    v[COL(op_exec, source_id)] = val_int(m->c->f->id);
    v[COL(op_exec, line)] = val_int(m->l.n);
    if (sink_row(m->c->out, T_op_exec, v, N_COLS(op_exec), NULL, e))
        return e->code;
    return put_bar(m,
                   number_track(m, TK_STREAM, "Ascend Hardware", m->n[M_DEVICE], "Stream", m->n[M_STREAM], e),
                   'f', e);
}

static int on_communication(struct monitor *m, struct err *e)
{
    struct val v[N_COLS(comm_exec)] = { 0 };
    int64_t each = bytes_of(m->f[M_DATA_TYPE]), size = -1;
    struct str name = text_of(m, M_NAME);
    size_t type_b = str_find(name, STR("__"), 0); /* hcom_allReduce__586_0_1 */
    char tid[200], title[240];

    v[COL(comm_exec, rank)] = val_int(m->c->rank);
    v[COL(comm_exec, name_id)] = val_id(sink_intern(m->c->out, name));
    v[COL(comm_exec, type_id)] =
        sink_text(m->c->out, str_sub(name, 0, type_b == SIZE_MAX ? name.n : type_b + 1));
    v[COL(comm_exec, group_id)] = val_id(intern_of(m, M_COMM));
    v[COL(comm_exec, ts_ns)] = val_int(m->n[M_START]);
    v[COL(comm_exec, dur_ns)] = val_int(m->n[M_END] - m->n[M_START]);
    if (each && m->n[M_COUNT] >= 0 && !__builtin_mul_overflow(each, m->n[M_COUNT], &size))
        v[COL(comm_exec, size_b)] = val_int(size);
    v[COL(comm_exec, source_id)] = val_int(m->c->f->id);
    v[COL(comm_exec, line)] = val_int(m->l.n);
    if (sink_row(m->c->out, T_comm_exec, v, N_COLS(comm_exec), NULL, e))
        return e->code;
    str_copy(text_of(m, M_COMM), tid, sizeof tid);
    (void)snprintf(title, sizeof title, "Group %s Communication", tid);
    struct track_def d = { .kind = TK_PLANE, .tid = str_of(tid), .name = str_of(title), .stream = -1 };
    return put_bar(m, track_of(m, &d, "Communication", m->n[M_DEVICE], e), 'f', e);
}

static int on_call(struct monitor *m, struct err *e)
{
    return put_bar(m, number_track(m, TK_HOST_THREAD, "CANN", m->n[M_PROCESS], "Thread", m->n[M_THREAD], e),
                   's', e);
}

static int on_marker(struct monitor *m, struct err *e)
{
    bool host = str_eq(m->f[M_SOURCE], STR("Host"));

    if (host ? m->n[M_PROCESS] < 0 : m->n[M_DEVICE] < 0) {
        lines_bad(&m->l, "a mark without its thread or stream");
        return OK;
    }
    if (host)
        return put_bar(
            m, number_track(m, TK_HOST_THREAD, "mstx", m->n[M_PROCESS], "Thread", m->n[M_THREAD], e), 0, e);
    return put_bar(m, number_track(m, TK_ENGINE, "mstx", m->n[M_DEVICE], "Stream", m->n[M_STREAM], e), 0, e);
}

/* clang-format off */
#define BIT(f) (1u << (f))
#define SPAN   (BIT(M_NAME) | BIT(M_START) | BIT(M_END))
#define CALL   (SPAN | BIT(M_PROCESS) | BIT(M_THREAD))
#define DEVICE (SPAN | BIT(M_DEVICE) | BIT(M_STREAM))
/* need: fields without which a line is no such line. fn NULL: a fact of the run, kept as it is. */
static const struct line_kind {
    const char *kind;
    unsigned need;
    int (*fn)(struct monitor *m, struct err *e);
} line_kinds[] = {
    { "Kernel",              DEVICE,              on_kernel },
    { "Communication",       DEVICE | BIT(M_COMM), on_communication },
    { "API",                 CALL,                on_call },
    { "AclAPI",              CALL,                on_call },
    { "NodeAPI",             CALL,                on_call },
    { "RuntimeAPI",          CALL,                on_call },
    { "Marker",              SPAN | BIT(M_SOURCE), on_marker },
    { "rank_device_map",     0,                   NULL },
    { "parallel_group_info", 0,                   NULL },
};
/* clang-format on */

static bool is_number(enum field f)
{
    return f == M_START || f == M_END || f == M_DEVICE || f == M_STREAM || f == M_CORRELATION ||
           f == M_PROCESS || f == M_THREAD || f == M_COUNT;
}

/* false: the line is no object that ends. */
static bool read_fields(struct monitor *m, struct str line)
{
    struct str key, val;
    bool is_string;
    size_t pos = 0;

    for (size_t i = 0; i < N_FIELDS; i++) {
        m->f[i] = STR_NULL;
        m->n[i] = -1;
    }
    while (jc_member(line, &pos, &key, &val, &is_string))
        for (size_t i = 0; i < N_FIELDS; i++)
            if (str_eq(key, str_of(fields[i])) && is_string != is_number((enum field)i)) {
                m->f[i] = val;
                if (is_number((enum field)i) && (!str_i64(val, &m->n[i]) || m->n[i] < 0)) {
                    m->f[i] = STR_NULL;
                    m->n[i] = -1;
                }
            }
    return str_starts(line, STR("{")) && str_ends(line, STR("}")) && m->f[M_KIND].p;
}

static int on_line(struct monitor *m, struct str line, struct err *e)
{
    const struct line_kind *k = NULL;
    unsigned there = 0;

    if (line.n == 0)
        return OK;
    if (!read_fields(m, line)) {
        lines_bad(&m->l, "no object with a kind");
        return OK;
    }
    for (size_t i = 0; i < ARRAY_LEN(line_kinds) && !k; i++)
        if (str_eq(m->f[M_KIND], str_of(line_kinds[i].kind)))
            k = &line_kinds[i];
    if (!k) {
        m->unknown++;
        return OK;
    }
    for (size_t i = 0; i < N_FIELDS; i++)
        there |= m->f[i].p ? BIT(i) : 0;
    if ((there & k->need) != k->need || (k->fn && m->n[M_END] < m->n[M_START])) {
        lines_bad(&m->l, "a value that its kind has is missing, or it ends before it begins");
        return OK;
    }
    return k->fn ? k->fn(m, e) : parse_doc(m->c, str_of(k->kind), str_sub(line, 0, LIM_NAME_B), e);
}

int parse_monitor_jsonl(struct parse_ctx *c, struct err *e)
{
    struct parse_ctx at = *c;
    struct monitor m = { .c = &at, .device = -1 };
    struct slices s;
    struct str line;
    struct where w;
    bool ended;

    buf_init(&m.text, LIM_CSV_FIELD_B);
    m.arrow = sink_intern(c->out, STR("HostToDevice"));
    if (slices_open(&s, c, e) == OK)
        while (slices_line(&s, &line, &w, &ended, e)) {
            at.f = s.f;
            m.l = (struct lines){ .c = &at, .n = w.line, .off = w.offset, .ended = ended };
            if (on_line(&m, str_trim(line), e))
                break;
            if (!ended && !m.l.noted)
                lines_note(&m.l, NOTE_NO_LINE_END, false, "the last line has no line end; kept");
        }
    c->rows += at.rows;
    c->lost += at.lost;
    slices_close(&s);
    parse_note(c, NOTE_UNKNOWN_TYPE, m.unknown, "lines of an unknown kind");
    buf_done(&m.text);
    return e->code;
}
