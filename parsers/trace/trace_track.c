/* SPDX-License-Identifier: Apache-2.0 */
/* Processes, threads and counters of a trace; layers to track kinds as data. */
#include "config.h"

#include "parsers/trace/trace_track.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/path.h"

#define META_TEXT_B 4096 /* longest name of a process or thread */
#define ID_TEXT_B   256  /* longest pid or tid that tells rows apart */
#define SORT_STEP   INT64_C(10000000000)

/* Layer of an event by its args, for a layer without a known name (doc/formats/analysed.md#layers). */
enum trace_hint { HINT_NONE, HINT_DEVICE, HINT_COMM, HINT_HOST };

struct process {
    struct str pid, name, label; /* p NULL unknown */
    struct str shown;            /* set at the end: name, with the device where there are several */
    int64_t sort;
};

struct counter {
    uint32_t track, process;
    struct str name, unit, tid;
};

struct trace_tracks {
    struct parse_ctx *c;
    enum trace_form form;
    struct intern *process_ids, *thread_ids, *counter_ids;
    struct process *processes;
    struct trace_track_thread *threads;
    struct counter *counters;
    size_t n_processes, n_threads, n_counters; /* used */
    size_t cap_processes, cap_threads, cap_counters;
    uint32_t last; /* thread of the last event */
    struct buf key;
    struct str nameless; /* layer of a pid that has no name by rule; p NULL: none */
    bool clipped;
};

/* ---- layers ---- */

struct layer {
    const char *name;
    enum track_kind kind;
};

/* clang-format off */
/* process_name -> kind (doc/formats/analysed.md#layers, with the names of old exports). */
static const struct layer layers[] = {
    { "Python",              TK_HOST_THREAD },
    { "MindSpore",           TK_HOST_THREAD },
    { "CANN",                TK_HOST_THREAD },
    { "AscendCL",            TK_HOST_THREAD },
    { "CPU OP",              TK_HOST_THREAD },
    { "HostCpuOps",          TK_HOST_THREAD },
    { "OS Runtime API",      TK_HOST_THREAD },
    { "Scope Layer",         TK_SCOPE },
    { "Ascend Hardware",     TK_STREAM },
    { "Task Scheduler",      TK_STREAM },
    { "HCCL",                TK_PLANE },
    { "Communication",       TK_PLANE },
    { "Overlap Analysis",    TK_OVERLAP },
    { "Step Trace",          TK_STEP },
    { "AICPU",               TK_AICPU },
    { "AI CPU",              TK_AICPU },
    { "biu_group",           TK_ENGINE },
    { "aic_core_group",      TK_ENGINE },
    { "aiv_core_group",      TK_ENGINE },
    { "Block Detail",        TK_ENGINE },
    { "Fusion Task",         TK_ENGINE },
    { "AI Core Utilization", TK_ENGINE },
    { "Acc PMU",             TK_ENGINE },
    { "DVPP",                TK_ENGINE },
    { "CCU",                 TK_ENGINE },
    { "UB",                  TK_ENGINE },
    { "DPU",                 TK_ENGINE },
};

/* Beginning of a thread_name -> kind, whatever the layer. */
static const struct layer thread_names[] = {
    { "Step Trace",  TK_STEP },
    { "Model ID:",   TK_STEP },
    { "Stream ",     TK_STREAM },
    { "Plane ",      TK_PLANE },
    { "Group ",      TK_PLANE },
    { "Communication Kernel", TK_PLANE },
};

/* MindSpore 1.x: pid -> kind and name of the process when the file has no label for it. */
static const struct { const char *pid, *name; enum track_kind kind; } mindspore_pids[] = {
    { "9000",  "AICPU OP",           TK_AICPU },
    { "10000", "Communication Op",   TK_PLANE },
    { "11000", "Host CPU OP",        TK_HOST_THREAD },
    { "12000", "Op Overlap Analyse", TK_OVERLAP },
    { "13000", "Activity Op",        TK_STREAM },
};

/* MindSpore 1.x, the device's pid: beginning of the tid -> kind and name. */
static const struct { const char *tid, *name; bool whole; enum track_kind kind; } mindspore_tids[] = {
    { "100000",     "Steps",      true,  TK_STEP },
    { "Steps",      "Steps",      true,  TK_STEP },
    { "100001",     "Scope Name", true,  TK_SCOPE },
    { "Scope Name", "Scope Name", true,  TK_SCOPE },
    { "100002",     "GpuOps",     true,  TK_STREAM },
    { "100003",     "HostCpuOps", true,  TK_HOST_THREAD },
    { "HostCpuOps", NULL,         false, TK_HOST_THREAD },
};

static const struct { const char *tid, *name; } mindspore_overlap_tids[] = {
    { "7999", "Merged Computation Op" },
    { "8000", "Pure Communication Op" },
    { "8001", "Merged Communication Op" },
    { "8002", "Free Time" },
};

/* An argument that shows what an unnamed layer is. */
static const struct { const char *key; enum trace_hint hint; } hints[] = {
    { "Task Type",      HINT_DEVICE },
    { "transport type", HINT_COMM },
    { "alg_type",       HINT_COMM },
    { "level",          HINT_HOST },
};
/* clang-format on */

static enum track_kind kind_of_layers(const struct process *p, const struct trace_track_thread *th)
{
    enum track_kind kind = N_TRACK_KINDS;

    if (p->name.p)
        for (size_t i = 0; i < ARRAY_LEN(layers) && kind == N_TRACK_KINDS; i++)
            if (str_eq(p->name, str_of(layers[i].name)))
                kind = layers[i].kind;
    if (th->name.p && (kind == N_TRACK_KINDS || kind == TK_STREAM))
        for (size_t i = 0; i < ARRAY_LEN(thread_names); i++)
            if (str_starts(th->name, str_of(thread_names[i].name)))
                return thread_names[i].kind;
    if (kind != N_TRACK_KINDS)
        return kind;
    if (th->hint == HINT_DEVICE)
        return TK_STREAM;
    return th->hint == HINT_COMM ? TK_PLANE : TK_HOST_THREAD;
}

static size_t mindspore_pid(struct str pid)
{
    size_t i = 0;

    while (i < ARRAY_LEN(mindspore_pids) && !str_eq(pid, str_of(mindspore_pids[i].pid)))
        i++;
    return i;
}

static size_t mindspore_tid(struct str tid)
{
    size_t i = 0;

    for (; i < ARRAY_LEN(mindspore_tids); i++) {
        struct str t = str_of(mindspore_tids[i].tid);
        if (mindspore_tids[i].whole ? str_eq(tid, t) : str_starts(tid, t))
            break;
    }
    return i;
}

static enum track_kind kind_of_g1(const struct trace_track_thread *th)
{
    size_t p = mindspore_pid(th->pid), t = mindspore_tid(th->tid);

    if (p < ARRAY_LEN(mindspore_pids))
        return mindspore_pids[p].kind;
    return t < ARRAY_LEN(mindspore_tids) ? mindspore_tids[t].kind : TK_STREAM;
}

static enum track_kind kind_of(const struct trace_tracks *t, const struct trace_track_thread *th)
{
    switch (t->form) {
    case TRACE_G1:
        return kind_of_g1(th);
    case TRACE_HCCL:
        return TK_PLANE;
    case TRACE_LAYERS:
        break;
    }
    return kind_of_layers(&t->processes[th->process], th);
}

/*
 * Number of a device stream: `Stream 3`, `Stream #3`; else the tid where the source uses it as the stream.
 * -1: none.
 */
static int64_t stream_of(const struct trace_track_thread *th, enum track_kind kind)
{
    int64_t v;

    if (kind != TK_STREAM)
        return -1;
    struct str s = th->name.p ? th->name : th->tid;
    if (str_starts(s, STR("Stream "))) {
        s = str_sub(s, 7, SIZE_MAX);
        if (s.n > 0 && s.p[0] == '#')
            s = str_sub(s, 1, SIZE_MAX);
    } else if (th->name.p) {
        s = th->tid;
    }
    return str_i64(s, &v) && v >= 0 && v < 100000 ? v : -1;
}

/* ---- tables ---- */

/* Room for one more element of size b in *p; new ones are zero. */
static int grow(void **p, size_t *cap, size_t n, size_t b, struct err *e)
{
    if (n < *cap)
        return OK;
    size_t to = *cap ? *cap * 2 : 16, bytes;
    void *q = size_mul(to, b, &bytes) ? realloc(*p, bytes) : NULL;
    if (!q)
        return err_nomem(e);
    memset((char *)q + *cap * b, 0, bytes - *cap * b);
    *p = q;
    *cap = to;
    return OK;
}

static uint32_t new_id(struct intern *ids, struct str key, struct err *e)
{
    uint32_t id = intern_put(ids, key);

    if (id == INTERN_NONE)
        err_nomem(e);
    return id;
}

static struct str id_text(struct trace_tracks *t, struct str s)
{
    if (s.n <= ID_TEXT_B)
        return s;
    if (!t->clipped) {
        struct where w = { .source_id = t->c->f->id, .offset = ERR_NO_OFFSET };
        sink_note(t->c->out, NOTE_CUT_TEXT, &w, "a pid or tid of %zu bytes", s.n);
        t->clipped = true;
    }
    return str_sub(s, 0, ID_TEXT_B);
}

/* Index of the process. UINT32_MAX: the limit is reached, or e is set. */
static uint32_t process_index(struct trace_tracks *t, struct str pid, struct err *e)
{
    uint32_t id = intern_find(t->process_ids, pid);

    if (id != INTERN_NONE || t->n_processes >= LIM_TRACKS)
        return id;
    id = new_id(t->process_ids, pid, e);
    if (id == INTERN_NONE)
        return id;
    if (grow((void **)&t->processes, &t->cap_processes, t->n_processes, sizeof *t->processes, e))
        return UINT32_MAX;
    t->processes[id].pid = intern_get(t->process_ids, id);
    t->n_processes++;
    return id;
}

static struct trace_track_thread *new_thread(struct trace_tracks *t, struct str key, struct str pid,
                                             struct err *e)
{
    uint32_t p = process_index(t, pid, e);
    uint32_t id = p == UINT32_MAX ? INTERN_NONE : new_id(t->thread_ids, key, e);

    if (id == INTERN_NONE || grow((void **)&t->threads, &t->cap_threads, t->n_threads, sizeof *t->threads, e))
        return NULL;
    struct str whole = intern_get(t->thread_ids, id);
    t->threads[id] = (struct trace_track_thread){
        .track = SINK_NO_TRACK,
        .process = p,
        .pid = str_sub(whole, 0, pid.n),
        .tid = str_sub(whole, pid.n + 1, SIZE_MAX),
        .open = TRACE_NO_OPEN,
    };
    t->n_threads++;
    t->last = id;
    return &t->threads[id];
}

struct trace_track_thread *trace_track_thread(struct trace_tracks *t, struct str pid, struct str tid,
                                              struct err *e)
{
    if (t->last < t->n_threads) {
        struct trace_track_thread *th = &t->threads[t->last];
        if (str_eq(th->tid, tid) && str_eq(th->pid, pid))
            return th;
    }
    char key[2 * ID_TEXT_B + 1];
    struct str p = id_text(t, pid), i = id_text(t, tid);
    if (p.n)
        memcpy(key, p.p, p.n);
    key[p.n] = '\0';
    if (i.n)
        memcpy(key + p.n + 1, i.p, i.n);
    struct str k = { key, p.n + 1 + i.n };
    uint32_t id = intern_find(t->thread_ids, k);
    if (id != INTERN_NONE) {
        t->last = id;
        return &t->threads[id];
    }
    return t->n_threads < LIM_TRACKS ? new_thread(t, k, p, e) : NULL;
}

void trace_track_thread_look(struct trace_track_thread *th, struct str args)
{
    bool is_string;
    struct str v;

    th->looked++;
    for (size_t i = 0; i < ARRAY_LEN(hints) && th->hint == HINT_NONE; i++)
        if (js_find(args, str_of(hints[i].key), &v, &is_string))
            th->hint = (uint8_t)hints[i].hint;
}

/* ---- tracks ---- */

static struct str process_name(const struct trace_tracks *t, const struct process *p)
{
    size_t i = t->form == TRACE_G1 ? mindspore_pid(p->pid) : ARRAY_LEN(mindspore_pids);

    if (p->shown.p || p->name.p)
        return p->shown.p ? p->shown : p->name;
    if (t->form == TRACE_G1 && p->label.p)
        return p->label;
    return i < ARRAY_LEN(mindspore_pids) ? str_of(mindspore_pids[i].name) : t->nameless;
}

static struct str thread_name(const struct trace_tracks *t, const struct trace_track_thread *th)
{
    if (th->name.p || t->form != TRACE_G1)
        return th->name;
    size_t i = mindspore_tid(th->tid);
    if (i < ARRAY_LEN(mindspore_tids) && mindspore_tids[i].name)
        return str_of(mindspore_tids[i].name);
    if (str_eq(th->pid, STR("12000")))
        for (i = 0; i < ARRAY_LEN(mindspore_overlap_tids); i++)
            if (str_eq(th->tid, str_of(mindspore_overlap_tids[i].tid)))
                return str_of(mindspore_overlap_tids[i].name);
    return STR_NULL;
}

/* Order on the screen: by process, then by thread, both as the source sorts them. */
static int64_t sort_of(const struct process *p, int64_t within)
{
    int64_t a = p->sort, b = within;

    a = a < -100000000 ? -100000000 : a > 100000000 ? 100000000 : a;
    b = b < -SORT_STEP / 2 ? -SORT_STEP / 2 : b >= SORT_STEP / 2 ? SORT_STEP / 2 - 1 : b;
    return a * SORT_STEP + b;
}

/* Rank of a layer: of the device its label names, where the run knows several (doc/store.md#ranks). */
static int rank_of(const struct trace_tracks *t, const struct process *p)
{
    const struct runinfo *run = t->c->run;
    int64_t device;

    if (!run || run->n_ranks < 2 || !p->label.p || !str_starts(p->label, STR("NPU ")) ||
        !str_i64(str_sub(p->label, 4, SIZE_MAX), &device))
        return t->c->rank;
    for (size_t i = 0; i < run->n_ranks; i++)
        if (run->ranks[i].device == device)
            return run->ranks[i].rank;
    return t->c->rank;
}

static struct track_def thread_def(const struct trace_tracks *t, const struct trace_track_thread *th)
{
    const struct process *p = &t->processes[th->process];
    enum track_kind kind = kind_of(t, th);
    int64_t within = th->sort;

    if (!th->has_sort && !str_i64(th->tid, &within))
        within = (int64_t)(th - t->threads);
    return (struct track_def){
        .rank = rank_of(t, p),
        .kind = kind,
        .pid = th->pid,
        .tid = th->tid,
        .process = process_name(t, p),
        .name = thread_name(t, th),
        .sort = sort_of(p, within),
        .stream = stream_of(th, kind),
        .source_id = t->c->f->id,
    };
}

uint32_t trace_track_thread_track(struct trace_tracks *t, struct trace_track_thread *th, struct err *e)
{
    if (th->track != SINK_NO_TRACK)
        return th->track;
    struct track_def d = thread_def(t, th);
    th->track = sink_track(t->c->out, &d);
    if (th->track == SINK_NO_TRACK)
        err_nomem(e);
    return th->track;
}

static struct track_def counter_def(const struct trace_tracks *t, const struct counter *k)
{
    const struct process *p = &t->processes[k->process];

    return (struct track_def){
        .rank = rank_of(t, p),
        .kind = TK_COUNTER,
        .pid = p->pid,
        .tid = k->tid,
        .process = process_name(t, p),
        .name = k->name,
        .sort = sort_of(p, (int64_t)(k - t->counters)),
        .stream = -1,
        .unit = k->unit,
        .source_id = t->c->f->id,
    };
}

/*
 * Unit and name of a series: `Read(MB/s)` -> MB/s and Read; KB, MHz and other bare units -> the unit and no
 * name.
 */
static void split_series(struct str series, struct str *name, struct str *unit)
{
    static const char *const bare[] = { "KB", "MB", "MHz", "mV", "%" };
    size_t open = str_rchr(series, '(');

    *name = series;
    *unit = STR_NULL;
    for (size_t i = 0; i < ARRAY_LEN(bare); i++)
        if (str_eq(series, str_of(bare[i]))) {
            *name = STR_NULL;
            *unit = series;
        }
    if (open != SIZE_MAX && str_ends(series, STR(")"))) {
        *name = str_trim(str_sub(series, 0, open));
        *unit = str_sub(series, open + 1, series.n - open - 2);
    }
}

/* Text of a counter's row: the name of its events, the series where that says more, and the key. */
static struct str counter_name(struct trace_tracks *t, struct str event, struct str series, struct str key)
{
    bool plain = !series.p || series.n == 0 || str_eq(series, STR("value")) || str_ends(event, series);

    if (str_eq(event, STR("write_band_width"))) /* spelling of some exports */
        event = STR("write_bandwidth");
    char *name = arena_printf(t->c->tmp, "%.*s%s%.*s%s%.*s", (int)event.n, event.p, plain ? "" : " ",
                              plain ? 0 : (int)series.n, plain ? "" : series.p, key.p ? " acc " : "",
                              (int)key.n, key.p ? key.p : "");
    return name ? str_of(name) : STR_NULL;
}

/* false: the limit is reached, or e is set. The texts are at most META_TEXT_B long. */
static bool new_counter(struct trace_tracks *t, struct str pid, struct str event, struct str series,
                        struct str key, struct err *e)
{
    struct str name, unit;
    uint32_t p = process_index(t, id_text(t, pid), e);

    if (p == UINT32_MAX ||
        grow((void **)&t->counters, &t->cap_counters, t->n_counters, sizeof *t->counters, e))
        return false;
    split_series(series, &name, &unit);
    struct counter *k = &t->counters[t->n_counters];
    *k = (struct counter){ .track = SINK_NO_TRACK, .process = p };
    k->name = counter_name(t, event, name, key);
    k->unit = unit.p ? arena_str(t->c->tmp, unit) : STR_NULL;
    char *tid = arena_printf(t->c->tmp, "%.*s: %.*s%s%.*s", (int)event.n, event.p, (int)series.n, series.p,
                             key.p ? " " : "", (int)key.n, key.p ? key.p : "");
    if (!k->name.p || !tid || (unit.p && !k->unit.p)) {
        err_nomem(e);
        return false;
    }
    k->tid = str_of(tid);
    struct track_def d = counter_def(t, k);
    k->track = sink_track(t->c->out, &d);
    if (k->track == SINK_NO_TRACK) {
        err_nomem(e);
        return false;
    }
    t->n_counters++;
    return true;
}

uint32_t trace_track_counter(struct trace_tracks *t, struct str pid, struct str name, struct str series,
                             struct str key, struct err *e)
{
    const struct str parts[] = { pid, str_sub(name, 0, META_TEXT_B), str_sub(series, 0, META_TEXT_B),
                                 str_sub(key, 0, ID_TEXT_B) };

    buf_clear(&t->key);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        buf_add(&t->key, parts[i]);
        buf_addc(&t->key, '\0');
    }
    if (buf_failed(&t->key)) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    uint32_t id = intern_find(t->counter_ids, buf_str(&t->key));
    if (id != INTERN_NONE)
        return t->counters[id].track;
    if (t->n_counters >= LIM_TRACKS || !new_counter(t, pid, parts[1], parts[2], parts[3], e))
        return SINK_NO_TRACK;
    id = new_id(t->counter_ids, buf_str(&t->key), e);
    return id == INTERN_NONE ? SINK_NO_TRACK : t->counters[id].track;
}

/* ---- metadata ---- */

/* Value of a member of the args, plain and copied; p NULL when it is not there. */
static int meta_text(struct trace_tracks *t, struct str args, struct str key, struct str *out, struct err *e)
{
    bool is_string;
    struct str v;
    char plain[META_TEXT_B];

    if (!js_find(args, key, &v, &is_string))
        return OK;
    v = str_sub(v, 0, META_TEXT_B);
    if (is_string && str_chr(v, '\\') != SIZE_MAX)
        v = js_unescape(v, plain);
    if (out->p && str_eq(*out, v))
        return OK;
    *out = arena_str(t->c->tmp, v);
    return out->p ? OK : err_nomem(e);
}

static bool meta_number(struct str args, struct str key, int64_t *out)
{
    bool is_string;
    struct str v;

    return js_find(args, key, &v, &is_string) && str_scaled(v, 1, out, NULL);
}

int trace_track_meta(struct trace_tracks *t, const struct js_event *ev, struct err *e)
{
    struct str pid = ev->pid, tid = ev->tid;

    if (str_starts(ev->name, STR("process_"))) {
        uint32_t i = process_index(t, id_text(t, pid), e);
        if (i == UINT32_MAX)
            return e->code;
        struct process *p = &t->processes[i];
        if (str_eq(ev->name, STR("process_name")))
            return meta_text(t, ev->args, STR("name"), &p->name, e);
        if (str_eq(ev->name, STR("process_labels")))
            return meta_text(t, ev->args, STR("labels"), &p->label, e);
        if (str_eq(ev->name, STR("process_sort_index")))
            meta_number(ev->args, STR("sort_index"), &p->sort);
        return OK;
    }
    if (!str_starts(ev->name, STR("thread_")))
        return OK;
    struct trace_track_thread *th = trace_track_thread(t, pid, tid, e);
    if (!th)
        return e->code;
    /* Some 2.0 files name both events of the pair thread_sort_index: what they hold decides. */
    if (meta_number(ev->args, STR("sort_index"), &th->sort))
        th->has_sort = true;
    return meta_text(t, ev->args, STR("name"), &th->name, e);
}

/* Number of different NPU labels: with more than one, the label belongs into the name of the layer. */
static bool has_several_devices(const struct trace_tracks *t)
{
    struct str first = STR_NULL;

    for (size_t i = 0; i < t->n_processes; i++) {
        struct str l = t->processes[i].label;
        if (!l.p || !str_starts(l, STR("NPU ")))
            continue;
        if (first.p && !str_eq(first, l))
            return true;
        first = l;
    }
    return false;
}

/*
 * The names of the layers as they are shown: nameless ones get their pid, those of several devices their
 * label.
 */
static int name_processes(struct trace_tracks *t, struct err *e)
{
    bool several = has_several_devices(t);

    for (size_t i = 0; i < t->n_processes; i++) {
        struct process *p = &t->processes[i];
        struct str n = process_name(t, p);
        char *made = NULL;
        if (!n.p)
            made = arena_printf(t->c->tmp, "pid %.*s", (int)p->pid.n, p->pid.p);
        else if (several && p->label.p && str_starts(p->label, STR("NPU ")))
            made = arena_printf(t->c->tmp, "%.*s (%.*s)", (int)n.n, n.p, (int)p->label.n, p->label.p);
        else
            continue;
        if (!made)
            return err_nomem(e);
        p->shown = str_of(made);
    }
    return OK;
}

int trace_track_finish(struct trace_tracks *t, struct err *e)
{
    if (name_processes(t, e))
        return e->code;
    for (size_t i = 0; i < t->n_threads; i++) {
        struct track_def d = thread_def(t, &t->threads[i]);
        if (t->threads[i].track != SINK_NO_TRACK && sink_track_set(t->c->out, t->threads[i].track, &d, e))
            return e->code;
    }
    for (size_t i = 0; i < t->n_counters; i++) {
        struct track_def d = counter_def(t, &t->counters[i]);
        if (sink_track_set(t->c->out, t->counters[i].track, &d, e))
            return e->code;
    }
    return OK;
}

/* The layer of a nameless pid: MindSpore writes no names up to r1.4, hccl_info never. */
static struct str nameless_layer(const struct parse_ctx *c, enum trace_form form)
{
    struct str path = str_of(c->f->path), name = str_of(path_base(c->f->path));

    if (form == TRACE_HCCL && path.n > name.n) { /* .../allReduce_1_1/iter2.trace */
        struct str dir = str_sub(path, 0, path.n - name.n - 1);
        size_t slash = str_rchr(dir, '/');
        char *made =
            arena_printf(c->tmp, "HCCL %.*s %.*s", (int)(dir.n - (slash == SIZE_MAX ? 0 : slash + 1)),
                         dir.p + (slash == SIZE_MAX ? 0 : slash + 1),
                         (int)str_sub(name, 0, str_find(name, STR(".trace"), 0)).n, name.p);
        return made ? str_of(made) : STR("HCCL");
    }
    if (form != TRACE_G1)
        return STR_NULL;
    if (str_starts(name, STR("gpu_")))
        return STR("GPU Op");
    return str_starts(name, STR("cpu_")) ? STR("Host CPU OP") : STR("Ascend Op");
}

int trace_track_new(struct trace_tracks **out, struct parse_ctx *c, enum trace_form form, struct err *e)
{
    struct trace_tracks *t = calloc(1, sizeof *t);

    if (!t)
        return err_nomem(e);
    t->c = c;
    t->form = form;
    t->nameless = nameless_layer(c, form);
    t->last = UINT32_MAX;
    buf_init(&t->key, 2 * LIM_JSON_EVENT_B);
    if (intern_new(&t->process_ids, e) || intern_new(&t->thread_ids, e) || intern_new(&t->counter_ids, e)) {
        trace_track_free(t);
        return e->code;
    }
    *out = t;
    return OK;
}

void trace_track_free(struct trace_tracks *t)
{
    if (!t)
        return;
    intern_free(t->process_ids);
    intern_free(t->thread_ids);
    intern_free(t->counter_ids);
    free(t->processes);
    free(t->threads);
    free(t->counters);
    buf_done(&t->key);
    free(t);
}
