/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host process's stages (host_info_N.csv, doc/formats/analysed.md#host_info) and tables of measurements
 * of host and device (doc/formats/analysed.md#host_usage, #sampled-hardware).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"

/* ---- host_info ---- */

enum { S_TID, S_PID, S_PPID, S_MODULE, S_EVENT, S_STAGE, S_LEVEL, S_WHICH, S_INFO, S_MEMORY, S_TIME, S_N };

/* clang-format off */
static const struct csv_col stage_cols[] = {
    { "tid",                CV_CELL,  S_TID },
    { "pid",                CV_CELL,  S_PID },
    { "parent_pid",         CV_CELL,  S_PPID },
    { "module_name",        CV_CELL,  S_MODULE },
    { "event",              CV_CELL,  S_EVENT },
    { "stage",              CV_CELL,  S_STAGE },
    { "level",              CV_CELL,  S_LEVEL },
    { "start_end",          CV_INT,   S_WHICH },    /* 0 start, 1 end, 2 both */
    { "custom_info",        CV_CELL,  S_INFO },
    { "memory_usage(kB)",   CV_KB,    S_MEMORY },
    { "time_stamp(us)",     CV_TS_US, S_TIME },
};
/* clang-format on */

/* A stage; ids are interned texts. Times are ns, 0 not recorded. */
struct stage {
    uint32_t name, level, info, ids, line;
    uint32_t tid;
    int64_t start, end, memory;
    size_t parent; /* enclosing stage, NONE: none */
    size_t below;  /* while open: the next outer open stage of the thread */
};
struct stages {
    struct stage *all;
    size_t n, cap;
    size_t *tops; /* innermost open stage of a thread, by the id of its text */
    size_t n_tops;
    struct intern *texts;
};
#define NONE SIZE_MAX

static struct str cell_of(const struct csv_run *r, size_t slot)
{
    return r->v[slot].t == VAL_TEXT ? r->v[slot].s : STR_NULL;
}

static int64_t int_of(const struct csv_run *r, size_t slot)
{
    return r->v[slot].t == VAL_INT ? r->v[slot].i : 0;
}

static int stages_match(struct csv_run *r, struct err *e)
{
    struct stages *s = r->state;

    s->n = 0;
    for (size_t i = 0; i < s->n_tops; i++)
        s->tops[i] = NONE;
    return s->texts ? OK : intern_new(&s->texts, e);
}

/* module.event.stage, without the parts that are empty. */
static uint32_t stage_name(struct csv_run *r, struct stages *s)
{
    static const size_t parts[] = { S_MODULE, S_EVENT, S_STAGE };
    struct buf b;

    buf_init(&b, (size_t)256 << 10);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        struct str part = cell_of(r, parts[i]);
        if (part.n)
            buf_puts(&b, b.n ? "." : "");
        buf_add(&b, part);
    }
    uint32_t id = intern_put(s->texts, buf_str(&b));
    buf_done(&b);
    return id;
}

static uint32_t keep(struct stages *s, struct str text)
{
    return text.p ? intern_put(s->texts, text) : INTERN_NONE;
}

static struct val kept(const struct stages *s, uint32_t id)
{
    return id == INTERN_NONE ? val_null() : val_text(intern_get(s->texts, id));
}

static struct stage *add_stage(struct stages *s, struct err *e)
{
    void *p = grow_array(s->all, s->n, &s->cap, sizeof *s->all, 256);
    if (!p) {
        err_nomem(e);
        return NULL;
    }
    s->all = p;
    return &s->all[s->n++];
}

#define NESTED 1000 /* open stages of a thread that are searched for the start of an end */

/* Pointer to the index of the innermost open stage of a thread, to be changed there. */
static size_t *top_of(struct stages *s, uint32_t tid, struct err *e)
{
    size_t at = tid == INTERN_NONE ? 0 : (size_t)tid + 1;

    if (at >= s->n_tops) {
        size_t n = at * 2 + 64, bytes;
        size_t *p = size_mul(n, sizeof *p, &bytes) ? realloc(s->tops, bytes) : NULL;
        if (!p) {
            err_nomem(e);
            return NULL;
        }
        for (size_t i = s->n_tops; i < n; i++)
            p[i] = NONE;
        s->tops = p;
        s->n_tops = n;
    }
    return &s->tops[at];
}

/* Take the innermost open stage of this name from its thread; NULL: there is none. */
static struct stage *take_open(struct stages *s, size_t *link, uint32_t name)
{
    for (int k = 0; *link != NONE && k < NESTED; k++) {
        struct stage *t = &s->all[*link];
        if (t->name == name) {
            *link = t->below;
            return t;
        }
        link = &t->below;
    }
    return NULL;
}

static void close_stage(struct csv_run *r, struct stages *s, struct stage *t)
{
    t->end = int_of(r, S_TIME);
    if (int_of(r, S_MEMORY))
        t->memory = int_of(r, S_MEMORY);
    if (t->info == INTERN_NONE && cell_of(r, S_INFO).n)
        t->info = keep(s, cell_of(r, S_INFO));
}

static uint32_t process_ids(struct csv_run *r, struct stages *s)
{
    char text[160], pid[64], parent[64];

    if (!cell_of(r, S_PID).p)
        return INTERN_NONE;
    str_copy(cell_of(r, S_PID), pid, sizeof pid);
    str_copy(cell_of(r, S_PPID), parent, sizeof parent);
    if (strpbrk(pid, "\"\\") || strpbrk(parent, "\"\\"))
        return INTERN_NONE;
    snprintf(text, sizeof text, "{\"pid\":\"%s\",\"parent_pid\":\"%s\"}", pid, parent);
    return keep(s, str_of(text));
}

static int stages_row(struct csv_run *r, struct err *e)
{
    struct stages *s = r->state;
    int64_t which = r->v[S_WHICH].t == VAL_INT ? r->v[S_WHICH].i : -1, time = int_of(r, S_TIME);
    uint32_t name = stage_name(r, s), tid = keep(s, cell_of(r, S_TID));
    size_t *top = top_of(s, tid, e);

    if (!top)
        return e->code;
    if (which < 0 || which > 2) {
        csv_bad_row(r, "neither start nor end");
        return OK;
    }
    struct stage *t = which == 1 ? take_open(s, top, name) : NULL;
    if (t) {
        close_stage(r, s, t);
        return OK;
    }
    t = add_stage(s, e);
    if (!t)
        return e->code;
    *t = (struct stage){ .name = name,
                         .tid = tid,
                         .line = r->line,
                         .memory = int_of(r, S_MEMORY),
                         .parent = *top,
                         .below = NONE };
    t->start = which == 1 ? 0 : time;
    t->end = which == 0 ? 0 : time;
    t->level = keep(s, cell_of(r, S_LEVEL));
    t->info = cell_of(r, S_INFO).n ? keep(s, cell_of(r, S_INFO)) : INTERN_NONE;
    t->ids = process_ids(r, s);
    if (which == 0) {
        t->below = *top;
        *top = s->n - 1;
    }
    return OK;
}

static int put_stage(struct csv_run *r, const struct stages *s, size_t i, const int64_t *ids, int64_t *id,
                     struct err *e)
{
    const struct stage *t = &s->all[i];
    struct val v[N_COLS(host_stage)] = { 0 };

    v[COL(host_stage, rank)] = val_int(csv_rank(r, NULL));
    v[COL(host_stage, name_id)] = sink_text(r->c->out, intern_get(s->texts, t->name));
    if (t->parent != NONE)
        v[COL(host_stage, parent)] = val_int(ids[t->parent]);
    v[COL(host_stage, level)] = kept(s, t->level);
    v[COL(host_stage, start_ns)] = t->start ? val_int(t->start) : val_null();
    v[COL(host_stage, end_ns)] = t->end ? val_int(t->end) : val_null();
    if (t->start && t->end && t->end >= t->start)
        v[COL(host_stage, dur_ns)] = val_int(t->end - t->start);
    v[COL(host_stage, thread)] = kept(s, t->tid);
    v[COL(host_stage, memory_b)] = t->memory ? val_int(t->memory) : val_null();
    v[COL(host_stage, info)] = kept(s, t->info);
    v[COL(host_stage, source_id)] = val_int((int64_t)r->f->id);
    v[COL(host_stage, line)] = val_int(t->line);
    v[COL(host_stage, extra)] = kept(s, t->ids);
    return sink_row(r->c->out, T_host_stage, v, N_COLS(host_stage), id, e);
}

/* In the order of their starts, so a parent has its number before its children. */
static int stages_end(struct csv_run *r, struct err *e)
{
    struct stages *s = r->state;
    size_t bytes;
    int64_t *ids = size_mul(s->n + 1, sizeof *ids, &bytes) ? malloc(bytes) : NULL;

    if (!ids)
        return err_nomem(e);
    for (size_t i = 0; i < s->n && !e->code; i++)
        (void)put_stage(r, s, i, ids, &ids[i], e);
    free(ids);
    return e->code;
}

static void stages_done(struct csv_run *r)
{
    struct stages *s = r->state;

    free(s->all);
    free(s->tops);
    intern_free(s->texts);
}

static const struct csvmap stages_map = {
    .table = CSV_NO_TABLE,
    .n_slots = S_N,
    .cols = stage_cols,
    .n_cols = ARRAY_LEN(stage_cols),
    .need = "module_name|stage|start_end",
    .state_b = sizeof(struct stages),
    .match = stages_match,
    .row = stages_row,
    .end = stages_end,
    .done = stages_done,
};

int parse_host_info(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&stages_map, c, e);
}

/* ---- measurements: every number of a row is a value, the other cells say of what ---- */

enum { V_TIME, V_DEVICE, V_LABEL, V_LABELS = 12, V_N = V_LABEL + V_LABELS };

/* clang-format off */
static const struct csv_col sample_cols[] = {
    { "Device_id|Device Id",    CV_DEVICE, V_DEVICE },
    { "Timestamp(us)|TimeStamp(us)|time_stamp(us)|Instruction Start Time(us)", CV_TS_US, V_TIME },
    { "Metric|Mode|Core ID|Cpu Type|Function|Dvpp Id|PortId|Channel Id|PID|Event|acc_id|Stream ID", CV_CELL,
        V_LABEL },
    { "Task|Name|Module|Engine Type|Task Id|task_id", CV_CELL, V_LABEL + 1 },
    { "Engine ID|funcId|Instruction ID|stream_id", CV_CELL, V_LABEL + 2 },
    { "block_id|Notify Instruction ID",  CV_CELL, V_LABEL + 3 },
    { "Notify Rank ID",         CV_CELL, V_LABEL + 4 },
    { "TimeStamp",              CV_CELL, V_LABEL + 5 },     /* without a unit (950): kept as it is */
};
/* clang-format on */

struct samples {
    char prefix[64]; /* base name of the file: hbm, nic, llc_read_write */
    struct buf label, what;
    bool ready;
};

/* File name without folder, time stamp, slice and extension. */
static void file_word(const char *path, char *to, size_t n)
{
    struct str s = str_of(path);
    size_t slash = str_rchr(s, '/');

    if (slash != SIZE_MAX)
        s = str_sub(s, slash + 1, s.n);
    size_t dot = str_chr(s, '.');
    if (dot != SIZE_MAX)
        s = str_sub(s, 0, dot);
    for (;;) {
        size_t bar = str_rchr(s, '_');
        uint64_t number;
        if (bar == SIZE_MAX || bar == 0)
            break;
        struct str tail = str_sub(s, bar + 1, s.n);
        if (!str_u64(tail, &number) && !str_eq(tail, STR("slice")))
            break;
        s = str_sub(s, 0, bar);
    }
    str_copy(s, to, n);
}

static int samples_match(struct csv_run *r, struct err *e)
{
    struct samples *s = r->state;

    (void)e;
    if (!s->ready) {
        buf_init(&s->label, 4096);
        buf_init(&s->what, 8192);
        file_word(r->f->rel ? r->f->rel : r->f->path, s->prefix, sizeof s->prefix);
    }
    s->ready = true;
    return OK;
}

static int samples_unknown(struct csv_run *r, size_t column, struct csv_col *out, struct err *e)
{
    (void)e;
    if (r->names[column].n)
        *out = (struct csv_col){ NULL, CV_REAL, V_N + column };
    return OK;
}

static int put_value(struct csv_run *r, size_t column, int rank, struct err *e)
{
    struct samples *s = r->state;
    struct val v[N_COLS(host_sample)] = { 0 };

    buf_clear(&s->what);
    buf_add(&s->what, buf_str(&s->label));
    buf_addc(&s->what, ' ');
    buf_add(&s->what, str_sub(r->names[column], 0, 200));
    v[COL(host_sample, rank)] = val_int(rank);
    v[COL(host_sample, what)] = val_text(buf_str(&s->what));
    v[COL(host_sample, ts_ns)] = r->v[V_TIME];
    v[COL(host_sample, value)] = r->v[V_N + column];
    v[COL(host_sample, source_id)] = val_int((int64_t)r->f->id);
    v[COL(host_sample, line)] = val_int(r->line);
    return sink_row(r->c->out, T_host_sample, v, N_COLS(host_sample), NULL, e);
}

static int samples_row(struct csv_run *r, struct err *e)
{
    struct samples *s = r->state;
    int rank = csv_rank(r, &r->v[V_DEVICE]);

    buf_clear(&s->label);
    buf_puts(&s->label, s->prefix);
    for (size_t i = 0; i < V_LABELS; i++)
        if (r->v[V_LABEL + i].t == VAL_TEXT) {
            buf_addc(&s->label, ' ');
            buf_add(&s->label, str_sub(r->v[V_LABEL + i].s, 0, 200));
        }
    for (size_t i = 0; i < r->n_names; i++)
        if (r->v[V_N + i].t == VAL_REAL && put_value(r, i, rank, e))
            return e->code;
    return OK;
}

static void samples_done(struct csv_run *r)
{
    struct samples *s = r->state;

    buf_done(&s->label);
    buf_done(&s->what);
}

static const struct csvmap samples_map = {
    .table = CSV_NO_TABLE,
    .n_slots = V_N,
    .wide = 1,
    .cols = sample_cols,
    .n_cols = ARRAY_LEN(sample_cols),
    .need = "",
    .state_b = sizeof(struct samples),
    .match = samples_match,
    .unknown = samples_unknown,
    .row = samples_row,
    .done = samples_done,
};

int parse_samples(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&samples_map, c, e);
}
