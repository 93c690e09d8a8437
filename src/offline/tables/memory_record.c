/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_record.csv (doc/formats/framework.md#memory_record, #torch_npu-memory_record): the totals of the
 * framework's pools and of CANN's, each change of one also as the sum of both.
 */
#include "config.h"

#include "base/large/sort_index.h"
#include "offline/tables/table.h"
#include "parsers/framework/memory.h"
#include "parsers/read/lines.h"
#include "parsers/read/u64map.h"

#define KB 1024.0
#define MB 1048576.0

/* What the analyses of MindSpore and torch_npu do differently. */
struct rules {
    unsigned flavours;
    const char *own, *sum; /* components */
    const char *header;
    bool own_first; /* of records at one time; else CANN's */
    bool app_first; /* rows of the driver's count */
    bool streams;   /* has a column for them */
    double mb;      /* KB in a MB */
};
static const struct rules rules[] = {
    { OFFLINE_MS, "MindSpore", "MindSpore+GE",
      "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Device Type\r\n",
      false, false, false, 1000 },
    { OFFLINE_TORCH, "PTA", "PTA+GE",
      "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),Stream Ptr,Device "
      "Type\r\n",
      true, true, true, 1024 },
};

/* Totals are KB (of torch_npu's own records MB); whether a value is there, the flavour says. */
struct record {
    int64_t at; /* ns */
    double allocated, reserved, active;
    uint64_t stream;
    int32_t device; /* -1: what CANN wrote could not be read */
    bool own, workspace;
};
struct writing {
    struct offline_run *r;
    const struct rules *rules;
    struct record *v;
    size_t n, cap;
    struct emit *o;
    int device; /* of the framework's rows, -1: their own */
    uint64_t rows;
};

static int add(struct writing *w, const struct record *x, struct err *e)
{
    struct record *v = spool_grow(w->r->pool, w->v, w->n, &w->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    w->v = v;
    v[w->n++] = *x;
    return OK;
}

/* ---- CANN's records ---- */

enum ge_col { GE_COMPONENT, GE_TIME, GE_ALLOCATED, GE_RESERVED, GE_DEVICE, N_GE };
static const char *const ge_cols[N_GE] = { "Component", "Timestamp(us)", "Total Allocated(KB)",
                                           "Total Reserved(KB)", "Device" };

static int32_t device_of(struct str s)
{
    uint64_t n;

    return str_starts(s, STR("NPU:")) && str_u64(str_sub(s, 4, SIZE_MAX), &n) && n <= INT32_MAX ? (int32_t)n
                                                                                                : -1;
}

static int add_ge(struct writing *w, const struct str *c, struct err *e)
{
    struct record x = { .device = device_of(c[GE_DEVICE]) };

    if (!str_scaled(c[GE_TIME], 1000, &x.at, NULL) || !str_f64(c[GE_ALLOCATED], &x.allocated) ||
        !str_f64(c[GE_RESERVED], &x.reserved))
        return OK;
    if (w->rules->streams) {
        x.allocated /= w->rules->mb;
        x.reserved /= w->rules->mb;
    }
    return add(w, &x, e);
}

static int read_ge(struct writing *w, struct err *e)
{
    const struct offline_file *f = NULL;
    struct str cell[N_GE];

    while (!e->code && (f = offline_exported(w->r, "memory_record_", ".csv", f)) != NULL) {
        struct offline_table t;
        if (offline_table_open(&t, f, ge_cols, N_GE, e) == OK)
            while (offline_table_next(&t, cell, e) && add_ge(w, cell, e) == OK)
                continue;
        offline_table_close(&t);
    }
    return e->code;
}

/* ---- the framework's records ---- */

enum { P_TIME, P_ALLOCATED, P_RESERVED, P_ACTIVE, N_P };

static bool pool_line(struct str line, struct record *x)
{
    struct str p[N_P];
    double v[N_P];

    if (lines_split(line, ',', p, N_P) != N_P || !str_i64(p[P_TIME], &x->at))
        return false;
    for (size_t i = P_ALLOCATED; i < N_P; i++)
        if (!str_f64(p[i], &v[i]))
            return false;
    x->allocated = v[P_ALLOCATED] / KB;
    x->reserved = v[P_RESERVED] / KB;
    x->active = v[P_ACTIVE] / KB;
    return true;
}

/* doc/formats/framework.md#cpu_ms_memory_record */
static int read_pool(struct writing *w, const struct source_file *f, struct err *e)
{
    struct parse_ctx c = offline_ctx(w->r, f);
    struct lines l;
    struct str line;

    if (lines_open(&l, &c, e) == OK)
        while (lines_next(&l, &line, e)) {
            struct record x = { .own = true, .device = w->device };
            if (l.n == 1 || !str_trim(line).n)
                continue;
            if (!pool_line(line, &x))
                lines_bad(&l, "not a time and three sizes");
            else if (add(w, &x, e))
                break;
        }
    lines_done(&l);
    return offline_unusable(w->r, &c, e);
}

static double mb(int64_t b)
{
    return b >= 0 ? (double)b / MB : 0;
}

static int read_events(struct writing *w, const struct source_file *f, struct err *e)
{
    struct parse_ctx c = offline_ctx(w->r, f);
    struct framework_memory m;

    framework_memory_init(&m, &w->r->f);
    (void)!framework_memory_read(&m, &c, e);
    (void)!offline_unusable(w->r, &c, e);
    for (size_t i = 0; i < m.n_events && !e->code; i++) {
        const struct framework_memory_event *a = &m.event[i];
        const struct record x = { .at = a->at,
                                  .allocated = mb(a->allocated_b),
                                  .reserved = mb(a->reserved_b),
                                  .active = mb(a->active_b),
                                  .stream = a->stream,
                                  .device = w->device >= 0 ? w->device : a->device,
                                  .own = true,
                                  .workspace = a->workspace };
        (void)!add(w, &x, e);
    }
    framework_memory_done(&m);
    return e->code;
}

/* ---- rows ---- */

static void put_header(struct writing *w)
{
    if (!w->rows++)
        emit_s(w->o, w->rules->header);
}

static void put_total(const struct writing *w, double v)
{
    emit_c(w->o, ',');
    emit_repr(w->o, w->rules->streams ? v : v / w->rules->mb);
}

/* MindSpore's own times have no zeros at their end; its sums have no TAB after them. */
static void put_time(struct writing *w, const struct record *x, bool sum)
{
    if (w->rules->streams || !x->own)
        emit_fmt(w->o, w->rules->streams || !sum ? ",%t\t" : ",%t", x->at);
    else {
        emit_c(w->o, ',');
        emit_trim(w->o, x->at, 3, 0);
    }
}

static void put_device(struct writing *w, int32_t device)
{
    if (device >= 0)
        emit_fmt(w->o, ",NPU:%d\r\n", (int)device);
    else
        emit_s(w->o, ",\r\n");
}

/* Of CANN's records torch_npu prints neither active memory nor a stream. */
static void put_record(struct writing *w, const struct record *x)
{
    bool blank = w->rules->streams && !x->own;

    put_header(w);
    emit_s(w->o, !x->own ? "GE" : x->workspace ? "WORKSPACE" : w->rules->own);
    put_time(w, x, false);
    put_total(w, x->allocated);
    put_total(w, x->reserved);
    if (blank)
        emit_c(w->o, ',');
    else
        put_total(w, x->active);
    if (w->rules->streams) {
        emit_c(w->o, ',');
        if (!blank)
            emit_i(w->o, (int64_t)x->stream);
    }
    put_device(w, x->device);
}

/* Of a record that has a stream, else of the other one. */
static void put_stream(struct writing *w, const struct record *x, const struct record *last)
{
    const struct record *from = !last || (x->own && x->stream) ? x : last;

    emit_c(w->o, ',');
    if (from->own)
        emit_i(w->o, (int64_t)from->stream);
}

/* last: of the other kind, NULL: there was none. */
static void put_sum(struct writing *w, const struct record *x, const struct record *last)
{
    put_header(w);
    emit_s(w->o, w->rules->sum);
    put_time(w, x, true);
    put_total(w, x->allocated + (last ? last->allocated : 0));
    put_total(w, x->reserved + (last ? last->reserved : 0));
    if (w->rules->streams && !last && !x->own) /* an integer there */
        emit_s(w->o, ",0");
    else
        put_total(w, x->active + (last ? last->active : 0));
    if (w->rules->streams)
        put_stream(w, x, last);
    put_device(w, w->rules->streams ? x->device : w->device);
}

/* ---- the order ---- */

static bool record_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct writing *w = arg;
    const struct record *x = &w->v[a], *y = &w->v[b];

    if (x->at != y->at)
        return x->at < y->at;
    return x->own != y->own && x->own == w->rules->own_first;
}

/* The last record of a kind: of torch_npu of each device, of MindSpore of all. */
struct last {
    struct u64map at; /* by device: 1 + index */
    struct record *v;
    size_t n, cap;
};

static uint64_t key_of(const struct writing *w, const struct record *x)
{
    return w->rules->streams ? (uint64_t)(x->device + 1) : 0;
}

static const struct record *last_of(const struct writing *w, const struct last *l, const struct record *x)
{
    uint32_t at = u64map_get(&l->at, key_of(w, x));

    return at ? &l->v[at - 1] : NULL;
}

static int keep_last(struct writing *w, struct last *l, const struct record *x, struct err *e)
{
    uint32_t at = u64map_get(&l->at, key_of(w, x));

    if (!l->v || !at) {
        struct record *v = spool_grow(w->r->pool, l->v, l->n, &l->cap, sizeof *v, 16);
        l->v = v ? v : l->v;
        if (!v || !u64map_set(&l->at, key_of(w, x), (uint32_t)l->n + 1))
            return err_nomem(e);
        at = (uint32_t)++l->n;
    }
    l->v[at - 1] = *x;
    return OK;
}

static int put_records(struct writing *w, struct err *e)
{
    struct last last[2] = { { .n = 0 } }; /* CANN's, the framework's */

    if (prof_sort(w->r->pool, w->v, w->n, sizeof *w->v, record_before, w, e))
        return e->code;
    for (size_t i = 0; i < w->n && !e->code; i++) {
        const struct record *x = &w->v[i];
        put_record(w, x);
        if (x->workspace)
            continue;
        put_sum(w, x, last_of(w, &last[!x->own], x));
        (void)!keep_last(w, &last[x->own], x, e);
    }
    for (size_t i = 0; i < 2; i++) {
        spool_free(w->r->pool, last[i].v);
        u64map_done(&last[i].at);
    }
    return e->code;
}

/* ---- the driver's count ---- */

enum app_col { APP_EVENT, APP_TIME, APP_MEMORY, APP_DEVICE, N_APP };
static const char *const app_cols[N_APP] = { "event", "timestamp(us)", "memory(KB)", "Device_id" };

static void put_app(struct writing *w, const struct str *c)
{
    bool torch = w->rules->streams;
    double kb;

    if (!str_eq(c[APP_EVENT], STR("APP")) || !str_f64(c[APP_MEMORY], &kb))
        return;
    put_header(w);
    emit_s(w->o, "APP,");
    emit_str(w->o, c[APP_TIME]);
    emit_s(w->o, torch ? "\t,," : ",0.0,");
    emit_repr(w->o, kb / w->rules->mb);
    if (torch) {
        emit_s(w->o, ",,,NPU:");
        emit_str(w->o, c[APP_DEVICE]);
        offline_end_row(w->o);
    } else {
        emit_s(w->o, ",0.0");
        put_device(w, w->device);
    }
}

static int put_apps(struct writing *w, struct err *e)
{
    const struct offline_file *f = NULL;
    struct str cell[N_APP];

    while (!e->code && (f = offline_exported(w->r, "npu_mem_", ".csv", f)) != NULL) {
        struct offline_table t;
        if (offline_table_open(&t, f, app_cols, N_APP, e) == OK)
            while (offline_table_next(&t, cell, e))
                put_app(w, cell);
        offline_table_close(&t);
    }
    return e->code;
}

/* ---- the whole ---- */

static int put_rows(struct writing *w, const struct source_file *f, struct err *e)
{
    if (read_ge(w, e))
        return e->code;
    if (f && (w->rules->streams ? read_events(w, f, e) : read_pool(w, f, e)))
        return e->code;
    if (w->rules->app_first && put_apps(w, e))
        return e->code;
    if (put_records(w, e) || w->rules->app_first)
        return e->code;
    return put_apps(w, e);
}

int offline_memory_record(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct writing w = { .r = r, .rules = &rules[r->flavour == OFFLINE_TORCH], .device = offline_device(r) };
    const struct source_file *f =
        offline_source(r, w.rules->streams ? "raw_fw_memory" : "ms_memory_record", NULL);

    if (!w.rules->streams && (r->o->compat || w.device < 0))
        w.device = r->rank;
    if (!(r->has & NEEDS_CPU))
        f = NULL;
    else if (!f && !w.rules->streams && r->o->compat) {
        offline_no_data(r, x, "cpu_ms_memory_record is missing");
        return OK;
    }
    if (offline_open(r, &w.o, x, e) == OK)
        (void)!put_rows(&w, f, e);
    spool_free(r->pool, w.v);
    return offline_end_rows(r, w.o, x, w.rows, "nobody recorded the totals of memory", e);
}
