/* SPDX-License-Identifier: Apache-2.0 */
/* What the framework recorded, read once for all outputs; its clock, the steps. */
#include "config.h"

#include <string.h>

#include "base/large/sort_index.h"
#include "base/path.h"
#include "msprof/msprof.h"
#include "offline/run.h"
#include "parsers/prof/meta.h"
#include "parsers/prof/rows/rows_framework.h"

#define STEP_PREFIX "ProfilerStep#"

/* ---- the clock ---- */

struct clock_arg {
    struct offline_run *r;
    bool found;
};

/* The first PROF folder with a host says what the counters of op_range are. */
static int clock_of_root(void *arg, struct str root, struct err *e)
{
    struct clock_arg *x = arg;
    struct offline_run *r = x->r;
    const struct prof_input in = { .files = (const struct source_file *const *)r->unit->files,
                                   .n = r->unit->n_files,
                                   .root = root,
                                   .device = -1,
                                   .run = &r->unit->info };
    struct prof *p = NULL;

    if (x->found || !offline_is_our_root(r, root) || prof_open(&p, &in, e))
        return e->code;
    if (p->host && !(p->host->meta.lacks & (1u << INFO_FILE_START | 1u << INFO_FILE_HOST_CLOCK))) {
        x->found = prof_rows_framework_clock(&r->f, &p->host->meta, &r->unit->info, r->rank);
    }
    prof_close(p);
    return OK;
}

static int set_clock(struct offline_run *r, struct err *e)
{
    struct clock_arg x = { .r = r };

    const bool known = prof_rows_framework_clock(&r->f, NULL, &r->unit->info, r->rank);
    if (msprof_each_root(r->unit, clock_of_root, &x, e) == OK && r->has & NEEDS_CPU && !x.found && !known)
        offline_note(
            r, "no start_info of the host in a PROF folder: times of the framework count from the start "
               "of the host, and its ops are not joined with kernels");
    return e->code;
}

/* ---- steps ---- */

static bool step_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct offline_step *v = arg;

    return v[a].from < v[b].from;
}

/* A repeated id keeps its first place and its last range (doc/formats/framework.md#step-marks). */
static int join_steps(struct offline_run *r, struct err *e)
{
    struct intern *ids = NULL; /* numbered by place */
    size_t n = 0;

    if (intern_new(&ids, e))
        return e->code;
    for (size_t i = 0; i < r->n_steps; i++) {
        uint32_t k = intern_put(ids, r->step[i].id);
        if (k == INTERN_NONE) {
            err_nomem(e);
            break;
        }
        r->step[k] = r->step[i];
        n += k == n;
    }
    intern_free(ids);
    r->n_steps = n;
    return e->code;
}

static int order_steps(struct offline_run *r, struct err *e)
{
    if (prof_sort(r->pool, r->step, r->n_steps, sizeof *r->step, step_before, r->step, e) || join_steps(r, e))
        return e->code;
    const size_t n = r->n_steps;
    r->steps_apart = true;
    for (size_t i = 1; i < n; i++)
        r->steps_apart &= r->step[i - 1].to <= r->step[i].from && r->step[i - 1].from <= r->step[i - 1].to;
    return OK;
}

static int find_steps(struct offline_run *r, struct err *e)
{
    const struct framework *f = &r->f;

    for (size_t i = 0; i < f->n_ranges; i++) {
        const struct framework_range *x = &f->range[i];
        if (!(x->is & RANGE_STEP) || x->from == x->to)
            continue;
        struct offline_step *v = spool_grow(r->pool, r->step, r->n_steps, &r->cap_steps, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        r->step = v;
        v[r->n_steps++] =
            (struct offline_step){ x->from, x->to, str_after_last(framework_str(f, x->name), '#') };
    }
    return order_steps(r, e);
}

/* The number of steps that begin at or before an instant, of steps that are apart. */
static size_t begun_at(const struct offline_run *r, int64_t ns)
{
    size_t low = 0, high = r->n_steps;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (r->step[mid].from <= ns)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const struct offline_step *offline_step_at(const struct offline_run *r, int64_t ns)
{
    size_t from = 0;

    if (r->steps_apart) { /* the one before may end where the last one begins */
        from = begun_at(r, ns);
        from -= from < 2 ? from : 2;
    }
    for (size_t i = from; i < r->n_steps && (!r->steps_apart || r->step[i].from <= ns); i++)
        if (r->step[i].from <= ns && ns <= r->step[i].to)
            return &r->step[i];
    return NULL;
}

/*
 * Only ranges of the steps asked for: the executor counts its steps from where it is, these from 1
 * (doc/formats/framework.md#order-of-analysis).
 */
static void keep_steps(struct offline_run *r)
{
    struct framework *f = &r->f;
    uint64_t least = UINT64_MAX, most = 0;
    size_t n = 0;

    if (!r->o->n_steps || f->torch)
        return;
    for (size_t i = 0; i < f->n_ranges; i++) {
        least = f->range[i].step < least ? f->range[i].step : least;
        most = f->range[i].step > most ? f->range[i].step : most;
    }
    if (least >= most && !r->o->compat) /* nothing was counted: upstream loses all but those of step 1 */
        return;
    for (size_t i = 0; i < f->n_ranges; i++) {
        uint64_t step = f->range[i].step - least + 1;
        if (step >= r->o->first_step && step - r->o->first_step < r->o->n_steps)
            f->range[n++] = f->range[i];
    }
    f->n_ranges = n;
}

/* ---- files ---- */

static bool is_marks(const struct source_file *f)
{
    return strcmp(path_base(f->rel), "torch.op_mark") == 0;
}

static int read_one(struct offline_run *r, const struct source_file *f, struct err *e)
{
    struct parse_ctx c = offline_ctx(r, f);

    (void)!(is_marks(f) ? framework_read_marks(&r->f, &c, e) : framework_read_ranges(&r->f, &c, e));
    return offline_unusable(r, &c, e);
}

int offline_framework(struct offline_run *r, struct err *e)
{
    const struct source_file *f = NULL;

    r->f.torch = r->flavour == OFFLINE_TORCH;
    r->f.na = r->o->compat;
    if (framework_init(&r->f, r->pool, e) || set_clock(r, e))
        return e->code;
    while ((f = offline_source(r, "raw_op_range", f)) != NULL)
        if (r->has & NEEDS_CPU && read_one(r, f, e))
            return e->code;
    r->has_ranges = r->f.n_ranges > 0;
    keep_steps(r);
    return find_steps(r, e);
}

void offline_framework_done(struct offline_run *r)
{
    spool_free(r->pool, r->step);
    r->step = NULL;
    if (r->f.texts)
        framework_done(&r->f);
}
