/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what the framework recorded: its clock, ranges, marks, steps. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/large/sort_index.h"
#include "base/limits.h"
#include "base/path.h"
#include "parsers/parsers.h"
#include "parsers/prof/meta.h"
#include "parsers/prof/rows/rows_framework.h"
#include "parsers/read/lines.h"

#define DEFAULT_HZ 100000000 /* of MindSpore's counter where nothing says it */

/* ---- the clock ---- */

#define CLOCK_FILES (1u << INFO_FILE_START | 1u << INFO_FILE_HOST_CLOCK)

/* A count of the host and the time then, as profiler_info of MindSpore 2.3 holds them. */
static bool recorded_clock(struct framework_clock *k, const struct runinfo *run, int rank)
{
    return str_u64(runinfo_get(run, "system_cnt", rank), &k->counter) && k->counter > 0 &&
           str_i64(runinfo_get(run, "system_time", rank), &k->mono_ns) && k->mono_ns > 0;
}

/*
 * MindSpore counts with the host's counter; torch_npu with it, or in monotonic ns, as its profiler_info says
 * (doc/formats/framework.md#clocks).
 */
bool prof_rows_framework_clock(struct framework *f, const struct prof_meta *m, const struct runinfo *run,
                               int rank)
{
    struct framework_clock *k = &f->clock;
    bool counts = !f->torch || !str_eq(runinfo_get(run, "syscnt_enable", -1), STR("false"));

    *k = (struct framework_clock){ .hz = m && m->host_hz ? m->host_hz : DEFAULT_HZ };
    if (!f->torch && (!m || m->lacks & CLOCK_FILES) && recorded_clock(k, run, rank))
        return true;
    *k = (struct framework_clock){ .drops = f->torch };
    if (counts) {
        k->hz = m && m->host_hz ? m->host_hz : DEFAULT_HZ;
        k->counter = m ? m->host_counter : 0;
        k->mono_ns = m ? m->host_mono_ns : 0;
    }
    if (m)
        k->wall_ns = m->begin_us * 1000 - m->start_mono_ns;
    return m && !(m->lacks & (1u << INFO_FILE_START));
}

static void set_clock(struct framework *f, const struct prof_rows *r, const struct parse_ctx *c)
{
    const struct prof_folder *host = r->m.p ? r->m.p->host : NULL;
    const struct prof_meta *m = host ? &host->meta : NULL;

    if (!prof_rows_framework_clock(f, m, c->run, c->rank)) {
        const struct where w = parse_where(c, ERR_NO_OFFSET, 0, 0);
        sink_note(r->g->out, NOTE_NO_CLOCK, &w,
                  "no start_info of a PROF folder beside it: times count from the start of the host");
    }
}

/* ---- steps ---- */

static bool step_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct framework_step *v = arg;

    return v[a].from < v[b].from;
}

/* Their number is what follows the last '#' (doc/formats/framework.md#step-marks). */
static int find_steps(struct prof_rows_framework *w, struct err *e)
{
    const struct framework *f = &w->f;

    for (size_t i = 0; i < f->n_ranges; i++) {
        const struct framework_range *x = &f->range[i];
        int64_t number;
        if (!(x->is & RANGE_STEP) || !str_i64(str_after_last(framework_str(f, x->name), '#'), &number))
            continue;
        struct framework_step *v = spool_grow(f->pool, w->step, w->n_steps, &w->cap_steps, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        w->step = v;
        v[w->n_steps++] =
            (struct framework_step){ .from = x->from, .to = x->to, .number = number, .line = x->line };
    }
    return prof_sort(f->pool, w->step, w->n_steps, sizeof *w->step, step_before, w->step, e);
}

/* ---- files ---- */

/* A file that cannot be used becomes a note, and the others count. */
static int read_files(struct prof_rows_framework *w, struct group_ctx *g, enum role role,
                      int (*read)(struct framework *, struct parse_ctx *, struct err *), struct err *e)
{
    struct parse_ctx *c;

    for (size_t i = 0; (c = group_use(g, role, i)) != NULL; i++)
        if (group_failed(g, c, read(&w->f, c, e), e))
            return e->code;
    return OK;
}

/* Calls of Python are ranges, too: after those of ops, which the steps and joins then are found in. */
static int read_python(struct prof_rows_framework *w, struct group_ctx *g, struct err *e)
{
    struct parse_ctx *c;

    w->n_recorded = w->f.n_ranges;
    framework_python_init(&w->python, &w->f);
    for (size_t i = 0; (c = group_use(g, ROLE_HOST_PYTHON, i)) != NULL; i++)
        if (group_failed(g, c, framework_python_read(&w->python, c, e), e))
            return e->code;
    return framework_python_replay(&w->python, e);
}

/* The file of a role whose name holds this; 0: none. */
static uint32_t source_of(const struct group_ctx *g, enum role role, const char *name)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->m[i].role == role && strstr(path_base(g->m[i].c.f->rel), name))
            return g->m[i].c.f->id;
    return 0;
}

static void find_sources(struct prof_rows_framework *w, const struct group_ctx *g)
{
    w->source = source_of(g, ROLE_HOST_RANGES, "");
    w->call_source = source_of(g, ROLE_HOST_PYTHON, "python_tracer_func");
    if (!w->call_source)
        w->call_source = source_of(g, ROLE_HOST_PYTHON, "python_func_call");
    w->gc_source = source_of(g, ROLE_HOST_PYTHON, "gc_record");
    w->shapes_source = source_of(g, ROLE_HOST_PYTHON, "record_shapes");
}

int prof_rows_framework_read(struct prof_rows_framework *w, struct prof_rows *r, struct err *e)
{
    struct group_member *m = NULL;
    struct spool *pool = r->m.p ? r->m.p->spool : NULL;

    *w = (struct prof_rows_framework){ .n_steps = 0 };
    for (size_t i = 0; i < r->g->n && !m; i++)
        if (prof_rows_is_framework(r->g->m[i].role))
            m = &r->g->m[i];
    if (!m)
        return OK;
    if (!pool && spool_usual(&w->own, e))
        return e->code;
    if (framework_init(&w->f, pool ? pool : w->own, e))
        return e->code;
    w->f.torch = str_starts(str_of(path_base(m->c.f->rel)), STR("torch."));
    set_clock(&w->f, r, &m->c);
    if (read_files(w, r->g, ROLE_HOST_RANGES, framework_read_ranges, e) ||
        read_files(w, r->g, ROLE_HOST_MARKS, framework_read_marks, e) || read_python(w, r->g, e) ||
        find_steps(w, e))
        return e->code;
    find_sources(w, r->g);
    if (framework_join(&w->joins, &w->f, e))
        return e->code;
    parse_note(&m->c, NOTE_LIMIT, w->joins.n_deep, "ranges in more than %d others: taken as beside the last",
               LIM_FRAMEWORK_DEPTH);
    return r->m.p ? prof_rows_launch(w, r, e) : OK;
}

int prof_rows_framework_marks(struct prof_rows_framework *w, struct prof_rows *r, uint64_t most_b,
                              struct sink *out, struct err *e)
{
    const struct group_ctx *g = r->g;

    *w = (struct prof_rows_framework){ .n_steps = 0 };
    for (size_t i = 0; i < g->n; i++) {
        const struct source_file *file = g->m[i].c.f;
        struct parse_ctx c = { .f = file, .run = g->run, .tmp = g->tmp, .out = out, .threads = 1 };
        if (g->m[i].role != ROLE_HOST_RANGES || file->size_b > most_b)
            continue;
        if (!w->f.texts && framework_init(&w->f, r->m.p->spool, e))
            return e->code;
        w->f.torch = str_starts(str_of(path_base(file->rel)), STR("torch."));
        (void)prof_rows_framework_clock(&w->f, r->m.p->host ? &r->m.p->host->meta : NULL, g->run, g->rank);
        if (framework_read_steps(&w->f, &c, e) == ERR_FORMAT)
            err_clear(e); /* what is wrong with it is noted when it is read */
        if (e->code)
            return e->code;
        w->source = file->id;
    }
    return w->f.texts ? find_steps(w, e) : OK;
}

void prof_rows_framework_done(struct prof_rows_framework *w)
{
    spool_free(w->f.pool, w->step);
    for (size_t i = 0; i < w->n_launch; i++)
        spool_free(w->f.pool, w->launch[i]);
    free(w->launch);
    spool_free(w->f.pool, w->place);
    spool_free(w->f.pool, w->origin);
    spool_free(w->f.pool, w->around);
    framework_python_done(&w->python);
    framework_joins_done(&w->joins);
    framework_done(&w->f);
    spool_close(w->own);
    *w = (struct prof_rows_framework){ .n_steps = 0 };
}
