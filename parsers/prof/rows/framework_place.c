/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Module and call stack of a range: as recorded with it, else the frames of Python around it
 * (doc/formats/framework.md#framework-ops-as-shown).
 */
#include "config.h"

#include "base/buf.h"
#include "parsers/framework/place.h"
#include "parsers/prof/rows/rows_framework.h"

#define ORIGINS_MAX 4 /* times that a task is handed on */

static bool is_frame(const struct framework *f, uint32_t range)
{
    return f->range[range].is & RANGE_FRAME;
}

/* The innermost frame that a range is, or is called in; FRAMEWORK_NONE: none is known. */
static uint32_t frame_of(const struct prof_rows_framework *w, uint32_t range)
{
    while (range != FRAMEWORK_NONE && !is_frame(&w->f, range))
        range = w->joins.above[range];
    return range;
}

/* Outer modules first; of MindSpore several functions of one class are one module. */
static uint32_t modules_text(const struct prof_rows_framework *w, struct sink *out, uint32_t frame)
{
    uint32_t chain[FRAMEWORK_FRAMES];
    size_t n = 0;
    struct str before = STR_NULL;
    struct buf b;

    for (; frame != FRAMEWORK_NONE && n < FRAMEWORK_FRAMES; frame = w->joins.above[frame])
        if (w->f.range[frame].is & RANGE_MODULE)
            chain[n++] = frame;
    buf_init(&b, FRAMEWORK_PLACE_B);
    while (n-- > 0) {
        struct str name = framework_module_of(framework_str(&w->f, w->f.range[chain[n]].name));
        if (!w->f.torch && before.p && str_eq(name, before))
            continue;
        if (!framework_place_add(&b, '/', name))
            break;
        before = name;
    }
    uint32_t id = b.n && !buf_failed(&b) ? sink_intern(out, buf_str(&b)) : 0;
    buf_done(&b);
    return id;
}

/* The innermost function first; modules are no functions of the program (MindSpore: those of cells are). */
static uint32_t stack_text(const struct prof_rows_framework *w, struct sink *out, uint32_t frame)
{
    struct buf b;
    size_t n = 0;

    buf_init(&b, FRAMEWORK_PLACE_B);
    for (; frame != FRAMEWORK_NONE && n < FRAMEWORK_FRAMES; frame = w->joins.above[frame]) {
        struct str name = framework_str(&w->f, w->f.range[frame].name);
        if (!is_frame(&w->f, frame) || (w->f.torch && w->f.range[frame].is & RANGE_MODULE))
            continue;
        if (!framework_place_add(&b, ';', name))
            break;
        n++;
    }
    uint32_t id = b.n && !buf_failed(&b) ? sink_intern(out, buf_str(&b)) : 0;
    buf_done(&b);
    return id;
}

/* What is known of everything called in a frame: looked up once. */
static struct framework_place of_frame(struct prof_rows_framework *w, struct sink *out, uint32_t frame)
{
    if (frame == FRAMEWORK_NONE)
        return (struct framework_place){ .module = 0 };
    struct framework_place *p = &w->place[frame];
    if (!p->known)
        *p = (struct framework_place){ modules_text(w, out, frame), stack_text(w, out, frame), true };
    return *p;
}

/* The text recorded with the op, or with the nearest op around it: inner ops have none of their own. */
static uint32_t recorded(const struct prof_rows_framework *w, uint32_t range, bool stack)
{
    uint32_t text = FRAMEWORK_NONE;

    for (; range != FRAMEWORK_NONE && !is_frame(&w->f, range) && text == FRAMEWORK_NONE;
         range = w->joins.above[range])
        text = stack ? w->f.range[range].stack : w->f.range[range].module;
    return text;
}

static struct framework_place own_place(struct prof_rows_framework *w, struct sink *out, uint32_t range)
{
    uint32_t module = recorded(w, range, false), stack = recorded(w, range, true);
    struct framework_place place = of_frame(w, out, frame_of(w, range));
    if (module != FRAMEWORK_NONE)
        place.module = sink_intern(out, framework_str(&w->f, module));
    if (stack != FRAMEWORK_NONE)
        place.stack = sink_intern(out, framework_str(&w->f, stack));
    if (!place.module && !w->f.torch)
        place.module = sink_intern(out, framework_scope_of(framework_str(&w->f, w->f.range[range].name)));
    return place;
}

int prof_rows_place(struct prof_rows_framework *w, struct sink *out, uint32_t range,
                    struct framework_place *place, struct err *e)
{
    if (!w->place && !(w->place = spool_array(w->f.pool, w->f.n_ranges + 1, sizeof *w->place)))
        return err_nomem(e);
    if (!w->origin && prof_rows_origins(w, e))
        return e->code;
    *place = own_place(w, out, range);
    for (int i = 0; i < ORIGINS_MAX && (!place->module || !place->stack); i++) {
        range = prof_rows_origin(w, range);
        if (range == FRAMEWORK_NONE)
            break;
        const struct framework_place from = own_place(w, out, range);
        place->module = place->module ? place->module : from.module;
        place->stack = place->stack ? place->stack : from.stack;
    }
    return OK;
}

int prof_rows_put_host(struct prof_rows *r, int64_t exec, int rank, uint32_t launcher, struct err *e)
{
    struct val v[N_COLS(exec_host)] = { 0 };
    struct framework_place place = { 0 };

    if (launcher == FRAMEWORK_NONE || r->w->f.range[launcher].is & RANGE_STEP)
        return OK;
    const struct framework_range *x = &r->w->f.range[launcher];
    if (prof_rows_place(r->w, r->g->out, launcher, &place, e))
        return e->code;
    v[COL(exec_host, exec_id)] = val_int(exec);
    v[COL(exec_host, rank)] = val_int(rank);
    v[COL(exec_host, name_id)] = sink_text(r->g->out, framework_str(&r->w->f, x->name));
    v[COL(exec_host, module_id)] = place.module ? val_id(place.module) : val_null();
    v[COL(exec_host, stack_id)] = place.stack ? val_id(place.stack) : val_null();
    v[COL(exec_host, source_id)] = val_id(r->w->source);
    v[COL(exec_host, line)] = val_int(x->line);
    return sink_row(r->g->out, T_exec_host, v, N_COLS(exec_host), NULL, e);
}
