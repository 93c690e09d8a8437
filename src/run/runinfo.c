/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Info files of a run as flat settings: JSON of any writer (doc/formats/analysed.md#info-files) and the logs
 * of the clocks.
 */
#include "config.h"

#include "run/runinfo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/lang/tr.h"
#include "base/limits.h"
#include "base/read/json_stream.h"
#include "run/build.h"
#include "run/prof_folder.h"

#define SETTINGS_MAX  4096
#define INFO_WINDOW_B ((size_t)128 << 10)
#define VALUE_MAX_B   ((size_t)4096)
#define KEY_MAX_B     ((size_t)512)
#define LOG_MAX_B     ((size_t)64 << 10)
#define ZONE_S        900 /* zones differ by quarters of an hour */

/* Settings while they are collected. */
struct gather {
    struct build *b;
    struct entry *x;       /* file being read */
    struct run_setting *v; /* malloc'ed */
    size_t n, cap;
    bool full;
};

static bool add_setting(struct gather *g, struct str key, struct str value, struct err *e)
{
    struct run_setting *s;

    if (g->n >= SETTINGS_MAX) {
        g->full = true;
        return true;
    }
    struct run_setting *v = grow_array(g->v, g->n, &g->cap, sizeof(*v), 64);
    if (!v) {
        err_nomem(e);
        return false;
    }
    g->v = v;
    s = &g->v[g->n];
    s->key = arena_str(g->b->a, str_sub(key, 0, KEY_MAX_B));
    s->value = arena_str(g->b->a, str_sub(value, 0, VALUE_MAX_B));
    s->rank = -1;
    s->source_id = g->x->f.id;
    if (!s->key.p || !s->value.p) {
        err_nomem(e);
        return false;
    }
    g->n++;
    return true;
}

/* ---- JSON ---- */

/* Position in the document: the path of keys, and its length at each open container. */
struct flat {
    struct gather *g;
    struct js *js;
    char path[KEY_MAX_B];
    size_t n; /* of path */
    struct {
        size_t n;       /* path of the container itself */
        unsigned items; /* of an array so far */
        bool array;
    } level[LIM_JSON_DEPTH + 1];
    int depth;
    struct buf list; /* scalars of the innermost array */
};

static void path_add(struct flat *f, struct str s)
{
    if (s.n > sizeof(f->path) - f->n)
        s.n = sizeof(f->path) - f->n;
    memcpy(f->path + f->n, s.p, s.n);
    f->n += s.n;
}

static void on_key(struct flat *f, struct str key)
{
    f->n = f->level[f->depth].n;
    if (f->n && f->path[f->n - 1] != '.')
        path_add(f, STR("."));
    path_add(f, key);
}

static bool flush_list(struct flat *f, struct err *e)
{
    bool ok = true;

    if (f->list.n)
        ok = add_setting(f->g, (struct str){ f->path, f->level[f->depth].n }, buf_str(&f->list), e);
    buf_clear(&f->list);
    return ok;
}

static bool on_open(struct flat *f, bool array, struct err *e)
{
    if (f->depth >= LIM_JSON_DEPTH)
        return true; /* the reader stops there */
    if (f->depth && f->level[f->depth].array) {
        char index[16];

        if (!flush_list(f, e))
            return false;
        snprintf(index, sizeof(index), "[%u]", f->level[f->depth].items++);
        f->n = f->level[f->depth].n;
        path_add(f, str_of(index));
    }
    f->depth++;
    f->level[f->depth].n = f->n;
    f->level[f->depth].items = 0;
    f->level[f->depth].array = array;
    return true;
}

static bool on_close(struct flat *f, struct err *e)
{
    bool ok = true;

    if (f->depth == 0)
        return true;
    if (f->level[f->depth].array)
        ok = flush_list(f, e);
    f->n = f->level[f->depth].n;
    f->depth--;
    return ok;
}

static bool on_scalar(struct flat *f, struct str text, struct err *e)
{
    if (f->depth == 0 || !f->level[f->depth].array)
        return add_setting(f->g, (struct str){ f->path, f->n }, text, e);
    if (f->list.n)
        buf_puts(&f->list, ", ");
    buf_add(&f->list, str_sub(text, 0, VALUE_MAX_B - f->list.n % VALUE_MAX_B));
    return true;
}

/* The options of MindSpore 1.x are a JSON text inside the JSON. */
static bool on_options(struct flat *f, struct str text, struct err *e)
{
    size_t pos = 0, base = f->n;
    struct str key, val;
    bool is_string, ok = true;

    while (ok && js_member(text, &pos, &key, &val, &is_string)) {
        f->n = base;
        path_add(f, STR("."));
        path_add(f, key);
        ok = add_setting(f->g, (struct str){ f->path, f->n }, val, e);
    }
    f->n = base;
    return ok;
}

static bool is_options(const struct flat *f, struct str text)
{
    return str_ends((struct str){ f->path, f->n }, STR("profiling_options")) && text.n && text.p[0] == '{';
}

/* The groups of a job are a table of their own (communication), not settings. */
static bool is_skipped(const struct flat *f)
{
    return str_ends((struct str){ f->path, f->n }, STR("parallel_group_info"));
}

static bool on_token(struct flat *f, enum js_token tok, struct str text, struct err *e)
{
    switch (tok) {
    case JS_OBJ:
    case JS_ARR:
        if (is_skipped(f))
            return js_skip(f->js, tok, e) == OK;
        return on_open(f, tok == JS_ARR, e);
    case JS_OBJ_END:
    case JS_ARR_END:
        return on_close(f, e);
    case JS_KEY:
        on_key(f, text);
        return true;
    case JS_STRING:
        return is_options(f, text) ? on_options(f, text, e) : on_scalar(f, text, e);
    case JS_NUMBER:
        return on_scalar(f, text, e);
    case JS_TRUE:
        return on_scalar(f, STR("true"), e);
    case JS_FALSE:
        return on_scalar(f, STR("false"), e);
    case JS_NULL:
        return on_scalar(f, STR("null"), e);
    default:
        return true;
    }
}

/* Damage is reported on the file's row; what came before it counts. */
static void mark_damage(struct gather *g, const struct js *js, size_t before)
{
    struct source_file *f = &g->x->f;

    f->state = g->n > before ? FS_TORN : FS_BAD;
    f->note = arena_printf(g->b->a, "line %u: %s", js_line(js), js_problem(js));
}

static int flatten(struct flat *f, struct err *e)
{
    size_t before = f->g->n;

    for (;;) {
        enum js_token tok;
        struct str text;

        if (js_next(f->js, &tok, &text, e))
            return e->code;
        if (tok == JS_BAD)
            mark_damage(f->g, f->js, before);
        if (tok == JS_BAD || tok == JS_END)
            return OK;
        if (!on_token(f, tok, text, e))
            return e->code;
    }
}

static int read_json(struct gather *g, const char *prefix, struct err *e)
{
    struct flat f = { .g = g };
    struct infile *in = NULL;
    char path[PATH_MAX];

    buf_init(&f.list, VALUE_MAX_B * 2);
    path_add(&f, str_of(prefix));
    f.level[0].n = f.n;
    if (infile_open(&in, unit_path_of(g->b->u, &g->x->f, path), INFO_WINDOW_B, e) == OK &&
        js_new(&f.js, in, e) == OK)
        flatten(&f, e);
    js_free(f.js);
    infile_close(in);
    buf_done(&f.list);
    return e->code;
}

/* ---- host_start.log, dev_start.log: "key: value" lines under [sections] ---- */

/* A last line without a line end is left out: half a clock would be a wrong one. */
static void mark_cut_line(struct gather *g, unsigned line)
{
    g->x->f.state = FS_TORN;
    g->x->f.note = arena_printf(g->b->a, "line %u: the last line has no line end; left out", line);
}

static int read_log(struct gather *g, const char *prefix, struct err *e)
{
    char *text = NULL, key[128], path[PATH_MAX];
    size_t n;
    struct str rest, line;
    unsigned number = 0;

    if (infile_read_all(unit_path_of(g->b->u, &g->x->f, path), LOG_MAX_B, &text, &n, e))
        return e->code;
    rest = (struct str){ text, n };
    while (str_next(&rest, '\n', &line)) {
        size_t colon = str_chr(line, ':');
        struct str name = str_trim(str_sub(line, 0, colon));

        number++;
        if (!rest.p && line.n) { /* nothing after it, not even an empty line */
            mark_cut_line(g, number);
            break;
        }
        if (colon == SIZE_MAX || name.n == 0 || name.p[0] == '[')
            continue;
        snprintf(key, sizeof(key), "%s%.*s", prefix, (int)(name.n < 64 ? name.n : 64), name.p);
        if (!add_setting(g, str_of(key), str_trim(str_sub(line, colon + 1, line.n)), e))
            break;
    }
    free(text);
    return e->code;
}

/* ---- which files ---- */

/* In this order: the first setting whose key ends as asked counts (runinfo_get). */
static const struct {
    const char *kind, *name, *prefix;
    const char *clock; /* a log of the clocks: the key without which it is cut; NULL: JSON */
} sources[] = {
    { "profiler_info", "{*}", "", NULL },
    { "profiler_metadata", "{*}", "metadata.", NULL },
    { "dyn_config", "{*}", "dynamic.", NULL },
    { "raw_info", "info.json{*}", "prof.info.", NULL },
    { "raw_info", "sample.json{*}", "prof.sample.", NULL },
    { "raw_start_end", "start_info{*}", "prof.start_info.", NULL },
    { "raw_start_end", "end_info{*}", "prof.end_info.", NULL },
    { "raw_clock", "host_start.log{*}", "prof.host_start.", "clock_monotonic_raw" },
    { "raw_clock", "dev_start.log{*}", "prof.dev_start.", "cntvct" },
};

/* The settings from one on have the clock that a log is there for. */
static bool has_clock(const struct gather *g, size_t from, const char *clock)
{
    for (size_t i = from; i < g->n; i++)
        if (str_ends(g->v[i].key, str_of(clock)))
            return true;
    return false;
}

static int read_clocks(struct gather *g, size_t s, struct err *e)
{
    size_t before = g->n;

    if (read_log(g, sources[s].prefix, e))
        return e->code;
    if (g->x->f.state == FS_OK && !g->full && !has_clock(g, before, sources[s].clock)) {
        g->x->f.state = FS_TORN;
        g->x->f.note = arena_printf(g->b->a, "the file ends without %s", sources[s].clock);
    }
    return OK;
}

static int read_source(struct gather *g, size_t s, struct err *e)
{
    struct err own = ERR_INIT;
    struct source_file *f = &g->x->f;

    f->state = FS_OK;
    if (sources[s].clock)
        read_clocks(g, s, &own);
    else
        read_json(g, sources[s].prefix, &own);
    if (own.code == ERR_NOMEM)
        return err_nomem(e);
    if (own.code) {
        f->state = FS_BAD;
        f->note = arena_printf(g->b->a, "%s", own.text);
    }
    if (g->full && !f->note)
        f->note = "more settings than are kept";
    return OK;
}

/* A file that settings come from. */
struct found {
    struct entry *x;
    int64_t collected;
    size_t at; /* in the order of files */
};

/*
 * Time when its collection was made: the one in PROF_<n>_<time>_<text>, else that of the collection's first
 * file.
 */
static int64_t collected(const struct entry *x, const struct found *before, size_t n)
{
    int64_t stamp = prof_folder_stamp(x->dir->prof);

    if (stamp > 0)
        return stamp;
    for (size_t i = 0; i < n; i++)
        if (str_eq(before[i].x->dir->prof, x->dir->prof))
            return before[i].collected;
    return x->f.mtime_ns;
}

/*
 * The newest of several collections in one folder comes first: it is the one that was analysed
 * (doc/formats/mindspore1.md#folders, choosing the run).
 */
static int by_collection(const void *pa, const void *pb)
{
    const struct found *a = pa, *b = pb;

    if (a->collected != b->collected)
        return a->collected > b->collected ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static bool is_source(const struct entry *x, size_t s)
{
    return entry_is(x, sources[s].kind) && entry_has_data(x) &&
           kind_pattern_match(sources[s].name, entry_name(x), NULL);
}

static int read_sources_of(struct gather *g, size_t s, struct found *v, struct err *e)
{
    size_t n = 0;

    for (size_t i = 0; i < g->b->n; i++) {
        struct entry *x = g->b->v[i];
        if (!is_source(x, s))
            continue;
        v[n] = (struct found){ x, collected(x, v, n), i };
        n++;
    }
    qsort(v, n, sizeof *v, by_collection);
    for (size_t i = 0; i < n && !g->full; i++) {
        g->x = v[i].x;
        if (read_source(g, s, e))
            break;
    }
    return e->code;
}

static int read_sources(struct gather *g, struct err *e)
{
    struct found *v = malloc((g->b->n ? g->b->n : 1) * sizeof *v);

    if (!v)
        return err_nomem(e);
    for (size_t s = 0; s < ARRAY_LEN(sources) && !e->code; s++)
        (void)read_sources_of(g, s, v, e);
    free(v);
    return e->code;
}

int build_runinfo(struct build *b, struct err *e)
{
    struct gather g = { .b = b };
    struct runinfo *r = &b->u->info;

    if (read_sources(&g, e) == OK) {
        r->settings = arena_array(b->a, g.n ? g.n : 1, sizeof(*r->settings));
        if (r->settings) {
            if (g.n)
                memcpy(r->settings, g.v, g.n * sizeof(*r->settings));
            r->n_settings = g.n;
        } else {
            err_nomem(e);
        }
    }
    free(g.v);
    return e->code;
}

struct str runinfo_get(const struct runinfo *r, const char *key, int rank)
{
    struct str want = str_of(key);

    for (size_t i = 0; i < r->n_settings; i++) {
        const struct run_setting *s = &r->settings[i];

        if ((rank == -1 || s->rank == -1 || s->rank == rank) && str_ends(s->key, want) &&
            (s->key.n == want.n || s->key.p[s->key.n - want.n - 1] == '.'))
            return s->value;
    }
    return STR_NULL;
}

/*
 * How far the clock that wrote `when` was from UTC, in s: the collector writes the same moment as a date
 * and as Unix time (doc/formats/prof.md#start_info). False: the files do not show it.
 */
static bool zone_of(const struct runinfo *r, int rank, const char *when, int *zone_s)
{
    struct str date = runinfo_get(r, "start_info.collectionDateBegin", rank);
    struct tm tm = { 0 };
    int64_t us;

    if (!date.p || !str_starts(date, str_of(when)) ||
        !str_i64(runinfo_get(r, "start_info.collectionTimeBegin", rank), &us))
        return false;
    const char *end = strptime(when, "%Y-%m-%d %H:%M:%S", &tm);
    if (!end || *end)
        return false;
    double quarters = round(((double)timegm(&tm) - (double)us / 1e6) / ZONE_S);
    if (!(fabs(quarters) <= 14 * 4))
        return false;
    *zone_s = (int)quarters * ZONE_S;
    return true;
}

void runinfo_when(const struct runinfo *r, int rank, char *buf, size_t n)
{
    static const char *const quarters[] = { "", ":15", ":30", ":45" };
    /* Seconds are enough here: some writers add a fraction. */
    struct str start = r->start_time.p ? r->start_time : STR("");
    int zone;

    str_copy(str_sub(start, 0, str_chr(start, '.')), buf, n);
    size_t used = strlen(buf);
    /* A date without its zone says nothing to a reader elsewhere. */
    if (!used || str_ends(str_of(buf), STR(" UTC")))
        return;
    if (!zone_of(r, rank, buf, &zone))
        snprintf(buf + used, n - used, "%s", tr(" host time"));
    else if (!zone)
        snprintf(buf + used, n - used, " UTC");
    else
        snprintf(buf + used, n - used, " UTC%c%d%s", zone < 0 ? '-' : '+', abs(zone) / 3600,
                 quarters[abs(zone) % 3600 / ZONE_S]);
}
