/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What msMemScope recorded, as CSV or as a table of a database (doc/formats/analysed.md#memscope_dump): pools
 * over time and the lifetime of each allocation; ops, kernels and marks as bars of the timeline.
 *
 * A release lies anywhere behind its allocation: allocations are held until it comes or the file ends.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/hash.h"
#include "base/limits.h"
#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/lines.h"
#include "parsers/read/u64map.h"
#include "store/foreign.h"

enum slot {
    MS_EVENT,
    MS_TYPE,
    MS_NAME,
    MS_TS,
    MS_PROCESS,
    MS_THREAD,
    MS_DEVICE,
    MS_PTR,
    MS_ATTR,
    MS_STACK,
    MS_STACK_C,
    N_SLOTS
};

/* clang-format off */
static const struct csv_col cols[] = {
    { "ID",                 CV_SKIP,  0 },
    { "Event",              CV_CELL,  MS_EVENT },
    { "Event Type",         CV_CELL,  MS_TYPE },
    { "Name",               CV_CELL,  MS_NAME },
    { "Timestamp(ns)",      CV_TS_NS, MS_TS },
    { "Process Id",         CV_INT,   MS_PROCESS },
    { "Thread Id",          CV_INT,   MS_THREAD },
    { "Device Id",          CV_CELL,  MS_DEVICE },
    { "Ptr",                CV_CELL,  MS_PTR },
    { "Attr",               CV_CELL,  MS_ATTR },
    { "Call Stack(Python)", CV_CELL,  MS_STACK },
    { "Call Stack(C)",      CV_CELL,  MS_STACK_C },
};

/* Events that are bars: which of their types begin one, end it, or are an instant. */
enum bar { BAR_BEGIN, BAR_END, BAR_INSTANT };
static const struct bar_kind {
    const char *event, *type;
    enum bar bar;
    const char *layer;
    bool op; /* a framework op: a row of host_op, too */
} bar_kinds[] = {
    { "OP_LAUNCH",     "ATEN_START",       BAR_BEGIN,   "ATen",    true },
    { "OP_LAUNCH",     "ATEN_END",         BAR_END,     "ATen",    true },
    { "OP_LAUNCH",     "ATB_START",        BAR_BEGIN,   "ATB",     true },
    { "OP_LAUNCH",     "ATB_END",          BAR_END,     "ATB",     true },
    { "KERNEL_LAUNCH", "KERNEL_START",     BAR_BEGIN,   "Kernels", false },
    { "KERNEL_LAUNCH", "KERNEL_END",       BAR_END,     "Kernels", false },
    { "KERNEL_LAUNCH", "ATB_KERNEL_START", BAR_BEGIN,   "Kernels", false },
    { "KERNEL_LAUNCH", "ATB_KERNEL_END",   BAR_END,     "Kernels", false },
    { "KERNEL_LAUNCH", "KERNEL_LAUNCH",    BAR_INSTANT, "Launches", false },
    { "MSTX",          "Mark",             BAR_INSTANT, "mstx",    false },
    { "MSTX",          "Range_start",      BAR_BEGIN,   "mstx",    false },
    { "MSTX",          "Range_end",        BAR_END,     "mstx",    false },
};
/* clang-format on */

#define NESTED  256  /* open bars of a thread that are searched for the begin of an end */
#define OPEN    4096 /* open bars of a thread */
#define THREADS 65536

struct alloc {
    uint64_t key, addr, size_b;
    int64_t ns, used, total;
    uint32_t name, stack, place; /* place: of texts */
    uint32_t line, next_free;
};

struct open_bar {
    uint32_t name, line;
    int64_t ns;
};

struct thread {
    uint32_t track;
    struct open_bar *open;
    size_t n, cap;
};

struct memscope {
    struct parse_ctx *c;
    uint32_t source, line; /* of the row */
    struct u64map at;      /* key of an allocation to alloc + 1 */
    struct alloc *alloc;
    size_t n_alloc, cap_alloc;
    uint32_t free_alloc;
    struct intern *places, *threads;
    struct thread *thread;
    size_t cap_thread;
    uint64_t unbegun, unended, left, other;
};

/* ---- cells ---- */

static struct str cell(const struct val *v, enum slot s)
{
    return v[s].t == VAL_TEXT ? v[s].s : STR_NULL;
}

static int64_t number(const struct val *v, enum slot s)
{
    return v[s].t == VAL_INT ? v[s].i : 0;
}

/* "N/A" and empty cells are no text. */
static struct str named(const struct val *v, enum slot s)
{
    struct str t = cell(v, s);

    return t.n == 0 || str_eq(t, STR("N/A")) ? STR_NULL : t;
}

/* The value of a key of "{a:1,b:2}"; a value goes to the next comma. */
static struct str attr_of(const struct val *v, const char *key)
{
    struct str rest = str_trim(cell(v, MS_ATTR)), one;

    while (rest.n && (rest.p[0] == '"' || rest.p[0] == '{'))
        rest = str_sub(rest, 1, rest.n);
    while (rest.n && (rest.p[rest.n - 1] == '"' || rest.p[rest.n - 1] == '}'))
        rest.n--;
    while (str_next(&rest, ',', &one)) {
        size_t colon = str_chr(one, ':');
        if (colon != SIZE_MAX && str_eq(str_trim(str_sub(one, 0, colon)), str_of(key)))
            return str_trim(str_sub(one, colon + 1, one.n));
    }
    return STR_NULL;
}

static int64_t attr_number(const struct val *v, const char *key)
{
    int64_t n;

    return str_i64(attr_of(v, key), &n) && n >= 0 ? n : -1;
}

static uint64_t address(struct str hex)
{
    uint64_t a = 0;

    hex = str_starts(hex, STR("0x")) ? str_sub(hex, 2, hex.n) : hex;
    for (size_t i = 0; i < hex.n && i < 16; i++) {
        char ch = hex.p[i];
        unsigned d = ch >= '0' && ch <= '9'   ? (unsigned)(ch - '0')
                     : ch >= 'a' && ch <= 'f' ? (unsigned)(ch - 'a') + 10
                     : ch >= 'A' && ch <= 'F' ? (unsigned)(ch - 'A') + 10
                                              : 16;
        if (d == 16)
            return 0;
        a = a << 4 | d;
    }
    return a;
}

/* "PTA NPU:0": pool and device. */
static uint32_t place_of(struct memscope *m, const struct val *v)
{
    struct str type = cell(v, MS_TYPE), device = named(v, MS_DEVICE);
    char text[160];
    int64_t n;

    (void)snprintf(text, sizeof text, "%.*s%s%.*s", (int)(type.n < 60 ? type.n : 60), type.p ? type.p : "",
                   !device.p             ? ""
                   : str_i64(device, &n) ? " NPU:"
                                         : " ",
                   (int)(device.n < 60 ? device.n : 60), device.p ? device.p : "");
    return intern_put(m->places, str_of(text));
}

/* ---- allocations ---- */

static int put_sample(struct memscope *m, const struct val *v, const char *event, struct str place,
                      struct err *e)
{
    struct val s[N_COLS(mem_sample)] = { 0 };
    int64_t used = attr_number(v, "used"), total = attr_number(v, "total");
    char component[200];

    if (used < 0 && total < 0)
        return OK;
    (void)snprintf(component, sizeof component, "msMemScope %.*s", (int)place.n, place.p);
    s[COL(mem_sample, rank)] = val_int(m->c->rank);
    s[COL(mem_sample, component_id)] = sink_text(m->c->out, str_of(component));
    s[COL(mem_sample, ts_ns)] = v[MS_TS];
    s[COL(mem_sample, allocated_b)] = used < 0 ? val_null() : val_int(used);
    s[COL(mem_sample, reserved_b)] = total < 0 ? val_null() : val_int(total);
    s[COL(mem_sample, device_type)] = val_text(place);
    s[COL(mem_sample, source_id)] = val_int(m->source);
    s[COL(mem_sample, line)] = val_int(m->line);
    s[COL(mem_sample, event)] = val_cstr(event);
    return sink_row(m->c->out, T_mem_sample, s, N_COLS(mem_sample), NULL, e);
}

/* v: the row of its release, NULL: it is alive at the end. */
static int put_alloc(struct memscope *m, const struct alloc *a, const struct val *v, struct err *e)
{
    struct val r[N_COLS(mem_alloc)] = { 0 };
    int64_t used = v ? attr_number(v, "used") : -1, total = v ? attr_number(v, "total") : -1;

    r[COL(mem_alloc, rank)] = val_int(m->c->rank);
    r[COL(mem_alloc, name_id)] = val_id(a->name);
    r[COL(mem_alloc, size_b)] = val_int((int64_t)a->size_b);
    if (a->line) {
        r[COL(mem_alloc, alloc_ns)] = val_int(a->ns);
        r[COL(mem_alloc, line)] = val_int(a->line);
        r[COL(mem_alloc, alloc_total_allocated_b)] = a->used < 0 ? val_null() : val_int(a->used);
        r[COL(mem_alloc, alloc_total_reserved_b)] = a->total < 0 ? val_null() : val_int(a->total);
    }
    if (v) {
        r[COL(mem_alloc, release_ns)] = v[MS_TS];
        int64_t dur_ns;
        bool lasts = a->line && !__builtin_sub_overflow(number(v, MS_TS), a->ns, &dur_ns);
        r[COL(mem_alloc, dur_ns)] = lasts ? val_int(dur_ns) : val_null();
        r[COL(mem_alloc, release_total_allocated_b)] = used < 0 ? val_null() : val_int(used);
        r[COL(mem_alloc, release_total_reserved_b)] = total < 0 ? val_null() : val_int(total);
        r[COL(mem_alloc, release_line)] = val_int(m->line);
    }
    r[COL(mem_alloc, device_type)] = val_text(intern_get(m->places, a->place));
    r[COL(mem_alloc, source_id)] = val_int(m->source);
    r[COL(mem_alloc, addr)] = val_uint(a->addr);
    r[COL(mem_alloc, stack_id)] = val_id(a->stack);
    return sink_row(m->c->out, T_mem_alloc, r, N_COLS(mem_alloc), NULL, e);
}

static struct alloc read_alloc(struct memscope *m, const struct val *v, uint32_t place)
{
    struct str owner = attr_of(v, "owner"), stack = named(v, MS_STACK);
    int64_t id = attr_number(v, "allocation_id"), size = attr_number(v, "size");
    struct alloc a = { .addr = address(named(v, MS_PTR)),
                       .place = place,
                       .used = attr_number(v, "used"),
                       .total = attr_number(v, "total"),
                       .ns = number(v, MS_TS) };

    a.key = (id < 0 ? a.addr : (uint64_t)id) ^ (uint64_t)place << 40;
    a.size_b = size < 0 ? 0 : (uint64_t)size;
    a.name = sink_intern(m->c->out, owner.n ? owner : cell(v, MS_TYPE));
    a.stack = sink_intern(m->c->out, stack.p ? stack : named(v, MS_STACK_C));
    return a;
}

static int hold_alloc(struct memscope *m, const struct alloc *a, struct err *e)
{
    uint32_t i = m->free_alloc;

    if (i)
        m->free_alloc = m->alloc[i - 1].next_free;
    else {
        void *p = m->n_alloc < UINT32_MAX - 1
                      ? grow_array(m->alloc, m->n_alloc, &m->cap_alloc, sizeof *m->alloc, 256)
                      : NULL;
        if (!p)
            return err_nomem(e);
        m->alloc = p;
        i = (uint32_t)++m->n_alloc;
    }
    m->alloc[i - 1] = *a;
    return u64map_set(&m->at, a->key, i) ? OK : err_nomem(e);
}

static int end_alloc(struct memscope *m, uint32_t i, const struct val *v, struct err *e)
{
    struct alloc *a = &m->alloc[i - 1];
    int rc = put_alloc(m, a, v, e);

    u64map_drop(&m->at, a->key);
    a->next_free = m->free_alloc;
    m->free_alloc = i;
    return rc;
}

static int on_memory(struct memscope *m, const struct val *v, bool is_free, struct err *e)
{
    uint32_t place = place_of(m, v);

    if (place == INTERN_NONE)
        return err_nomem(e);
    if (put_sample(m, v, is_free ? "free" : "malloc", intern_get(m->places, place), e))
        return e->code;
    struct alloc a = read_alloc(m, v, place);
    uint32_t i = u64map_get(&m->at, a.key);
    if (is_free)
        return i ? end_alloc(m, i, v, e) : put_alloc(m, &a, v, e);
    if (i && end_alloc(m, i, NULL, e)) /* the same id again: its release was not recorded */
        return e->code;
    a.line = m->line;
    return hold_alloc(m, &a, e);
}

/* ---- bars ---- */

/* NULL: e is set, or there are too many. */
static struct thread *thread_of(struct memscope *m, const struct val *v, const char *layer, struct err *e)
{
    struct str stream = attr_of(v, "streamId");
    bool on_stream = stream.n && stream.n < 20 && layer[0] == 'K';
    char pid[60], tid[40], name[60];

    (void)snprintf(pid, sizeof pid, "msMemScope %s %" PRId64, layer, number(v, MS_PROCESS));
    if (on_stream)
        (void)snprintf(tid, sizeof tid, "s%.*s", (int)stream.n, stream.p);
    else
        (void)snprintf(tid, sizeof tid, "%" PRId64, number(v, MS_THREAD));
    (void)snprintf(name, sizeof name, "%s %s", on_stream ? "Stream" : "Thread", tid + on_stream);
    char key[104];
    (void)snprintf(key, sizeof key, "%s %s", pid, tid);
    uint32_t before = intern_count(m->threads), i;
    if (before >= THREADS && intern_find(m->threads, str_of(key)) == INTERN_NONE) {
        m->left++;
        return NULL;
    }
    i = intern_put(m->threads, str_of(key));
    void *p = i == INTERN_NONE ? NULL : grow_array(m->thread, i, &m->cap_thread, sizeof *m->thread, 16);
    if (!p) {
        (void)err_nomem(e);
        return NULL;
    }
    m->thread = p;
    if (intern_count(m->threads) == before)
        return &m->thread[i];
    const struct track_def d = { .rank = m->c->rank,
                                 .kind = on_stream ? TK_ENGINE : TK_HOST_THREAD,
                                 .pid = str_of(pid),
                                 .tid = str_of(tid),
                                 .process = str_of(layer),
                                 .name = str_of(name),
                                 .stream = -1,
                                 .source_id = m->c->f->id };
    m->thread[i] = (struct thread){ .track = sink_track(m->c->out, &d) };
    if (m->thread[i].track == SINK_NO_TRACK) {
        (void)err_nomem(e);
        return NULL;
    }
    return &m->thread[i];
}

static int put_bar(struct memscope *m, const struct val *v, const struct bar_kind *k, const struct thread *t,
                   const struct open_bar *b, struct err *e)
{
    struct val h[N_COLS(host_op)] = { 0 };
    int64_t dur = number(v, MS_TS) - b->ns;
    char thread[24];

    if (sink_event(m->c->out, t->track, b->ns, dur > 0 ? dur : 0, b->name, b->line, e) || !k->op)
        return e->code;
    (void)snprintf(thread, sizeof thread, "%" PRId64, number(v, MS_THREAD));
    h[COL(host_op, name_id)] = val_id(b->name);
    h[COL(host_op, rank)] = val_int(m->c->rank);
    h[COL(host_op, thread)] = val_cstr(thread);
    h[COL(host_op, ts_ns)] = val_int(b->ns);
    h[COL(host_op, dur_ns)] = val_int(dur > 0 ? dur : 0);
    h[COL(host_op, source_id)] = val_int(m->source);
    h[COL(host_op, line)] = val_int(b->line);
    return sink_row(m->c->out, T_host_op, h, N_COLS(host_op), NULL, e);
}

static int on_bar(struct memscope *m, const struct val *v, const struct bar_kind *k, struct err *e)
{
    struct thread *t = thread_of(m, v, k->layer, e);
    struct open_bar now = { sink_intern(m->c->out, named(v, MS_NAME)), m->line, number(v, MS_TS) };

    if (!t)
        return e->code;
    if (k->bar == BAR_INSTANT)
        return put_bar(m, v, k, t, &now, e);
    if (k->bar == BAR_BEGIN) {
        if (t->n == OPEN) {
            m->left++;
            return OK;
        }
        void *p = grow_array(t->open, t->n, &t->cap, sizeof *t->open, 16);
        if (!p)
            return err_nomem(e);
        t->open = p;
        t->open[t->n++] = now;
        return OK;
    }
    for (size_t i = t->n; i > 0 && i + NESTED > t->n; i--)
        if (t->open[i - 1].name == now.name) {
            struct open_bar begin = t->open[i - 1];
            m->unended += t->n - i; /* what began within it */
            t->n = i - 1;
            return put_bar(m, v, k, t, &begin, e);
        }
    m->unbegun++;
    return OK;
}

/* ---- rows ---- */

static int on_event(struct memscope *m, const struct val *v, struct err *e)
{
    struct str event = cell(v, MS_EVENT), type = cell(v, MS_TYPE);

    if (v[MS_TS].t != VAL_INT) {
        m->other++;
        return OK;
    }
    if (str_eq(event, STR("MALLOC")))
        return on_memory(m, v, false, e);
    if (str_eq(event, STR("FREE")))
        return on_memory(m, v, true, e);
    for (size_t i = 0; i < ARRAY_LEN(bar_kinds); i++)
        if (str_eq(event, str_of(bar_kinds[i].event)) && str_eq(type, str_of(bar_kinds[i].type)))
            return on_bar(m, v, &bar_kinds[i], e);
    m->other++;
    return OK;
}

static int begin(struct memscope *m, struct parse_ctx *c, struct err *e)
{
    m->c = c;
    return m->places || (intern_new(&m->places, e) == OK && intern_new(&m->threads, e) == OK) ? OK : e->code;
}

/* What is alive at the end, and the counts. */
static int finish(struct memscope *m, struct err *e)
{
    for (size_t i = 0; i < m->n_alloc && !e->code; i++)
        if (u64map_get(&m->at, m->alloc[i].key) == i + 1)
            (void)put_alloc(m, &m->alloc[i], NULL, e);
    for (uint32_t i = 0; m->threads && i < intern_count(m->threads); i++)
        m->unended += m->thread[i].n;
    parse_note(m->c, NOTE_LOST_RECORDS, m->unended, "ops, kernels or ranges that begin and do not end");
    parse_note(m->c, NOTE_LOST_RECORDS, m->unbegun, "ends of ops, kernels or ranges without their begin");
    parse_note(m->c, NOTE_LIMIT, m->left, "more than %d threads, or %d open bars of one", THREADS, OPEN);
    parse_note(m->c, NOTE_UNKNOWN_TYPE, m->other,
               "events that are neither memory nor bars: they are in the "
               "file's own table");
    return e->code;
}

static void done(struct memscope *m)
{
    for (uint32_t i = 0; m->threads && i < intern_count(m->threads) && i < m->cap_thread; i++)
        free(m->thread[i].open);
    free(m->thread);
    free(m->alloc);
    u64map_done(&m->at);
    intern_free(m->places);
    intern_free(m->threads);
}

/* ---- as CSV ---- */

static int on_csv_match(struct csv_run *r, struct err *e)
{
    return begin(r->state, r->c, e);
}

static int on_csv_row(struct csv_run *r, struct err *e)
{
    struct memscope *m = r->state;

    m->line = r->line;
    m->source = r->f->id;
    return on_event(m, r->v, e);
}

static int on_csv_end(struct csv_run *r, struct err *e)
{
    return r->f->next_slice ? OK : finish(r->state, e);
}

static void on_csv_done(struct csv_run *r)
{
    done(r->state);
}

static const struct csvmap map = {
    .table = CSV_NO_TABLE,
    .n_slots = N_SLOTS,
    .cols = cols,
    .n_cols = ARRAY_LEN(cols),
    .need = "Event Type",
    .state_b = sizeof(struct memscope),
    .match = on_csv_match,
    .row = on_csv_row,
    .end = on_csv_end,
    .done = on_csv_done,
};

int parse_memscope_csv(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&map, c, e);
}

/* ---- as a database ---- */

struct table {
    struct memscope *m;
    size_t slot[64]; /* of each column */
    size_t n;
};

static int db_row(void *arg, const struct val *v, size_t n, struct err *e)
{
    struct table *t = arg;
    struct val row[N_SLOTS] = { 0 };

    t->m->c->rows++;
    if (++t->m->line % 4096 == 0 && parse_ask(t->m->c, 0, e))
        return e->code;
    for (size_t i = 0; i < n && i < t->n; i++)
        if (t->slot[i] < N_SLOTS)
            row[t->slot[i]] = v[i];
    return on_event(t->m, row, e);
}

static int read_table(struct memscope *m, struct foreign *f, size_t i, struct err *e)
{
    struct table t = { .m = m };
    const struct str *names;

    if (foreign_columns(f, i, &names, &t.n, e))
        return e->code;
    t.n = t.n < ARRAY_LEN(t.slot) ? t.n : ARRAY_LEN(t.slot);
    for (size_t k = 0; k < t.n; k++) {
        t.slot[k] = N_SLOTS;
        for (size_t j = 0; j < ARRAY_LEN(cols); j++)
            if (cols[j].conv != CV_SKIP && str_eq_nocase(names[k], str_of(cols[j].names)))
                t.slot[k] = cols[j].slot;
    }
    return foreign_read(f, i, db_row, &t, e);
}

static bool db_cancelled(void *arg)
{
    return sink_cancelled(((struct parse_ctx *)arg)->out);
}

/* The first table of events in one file. Damage is a note. */
static int read_file(struct memscope *m, const struct source_file *file, struct err *e)
{
    struct where w = { .source_id = file->id, .offset = ERR_NO_OFFSET };
    struct foreign *f = NULL;
    size_t i = 0;

    m->source = file->id;
    m->line = 0;
    if (foreign_open(&f, file->path, db_cancelled, m->c, e) == OK) {
        while (i < foreign_n(f) && !str_eq(foreign_table(f, i), STR("memscope_dump")) &&
               !str_eq(foreign_table(f, i), STR("leaks_dump")))
            i++;
        if (foreign_warning(f))
            sink_note(m->c->out, foreign_warning_code(f), &w, "%s", foreign_warning(f));
        if (i == foreign_n(f))
            err_set(e, ERR_FORMAT, "a database without the table memscope_dump");
        else if (read_table(m, f, i, e) == ERR_FORMAT || e->code == ERR_LIMIT) {
            sink_note(m->c->out, NOTE_TORN_FILE, &w, "table memscope_dump: %s", e->text);
            m->c->lost++;
            err_clear(e);
        }
    }
    foreign_close(f);
    return e->code;
}

int parse_memscope_db(struct parse_ctx *c, struct err *e)
{
    struct memscope m = { .c = c };

    if (begin(&m, c, e) == OK) {
        for (const struct source_file *f = c->f; f && !e->code; f = f->next_slice)
            (void)read_file(&m, f, e);
        if (!e->code)
            (void)finish(&m, e);
    }
    done(&m);
    return e->code;
}
