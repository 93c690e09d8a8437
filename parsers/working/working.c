/* SPDX-License-Identifier: Apache-2.0 */
/* The working databases of a PROF folder as one group: opened together, with the clocks of its info files. */
#include "config.h"

#include "parsers/working/working.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "parsers/parsers.h"
#include "run/prof_folder.h"

#define POOL_B ((uint64_t)24 << 20) /* of pages in memory */
#define HEAD_B 16                   /* a smaller file is one that the export made and did not fill */

/* ---- clocks ---- */

static bool instant(const void *arg, enum database_conv conv, int64_t v, int64_t *ns)
{
    const struct working_clock *c = arg;

    if (conv == DB_MONO || conv == DB_MONO_MS) {
        *ns = bounded_add(v, c->mono);
        return c->has_mono;
    }
    if (!c->folder)
        return false;
    *ns = conv == DB_HOST_TICK     ? prof_host_ns(c->folder, (uint64_t)v)
          : conv == DB_DEVICE_MONO ? prof_sample_mono_ns(c->folder, (uint64_t)v)
                                   : prof_device_ns(c->folder, (uint64_t)v);
    return true;
}

/*
 * The info files that are left; without any the databases know one clock. What they lack shows as times that
 * are not known.
 */
static int open_prof(struct working *w, struct err *e)
{
    struct group_ctx *g = w->base.g;
    const struct source_file **files = arena_array(g->tmp, g->n + 1, sizeof *files);
    struct prof_input in = { .files = files, .device = -1, .run = g->run, .threads = 1 };
    struct str root = STR("");

    if (!files)
        return err_nomem(e);
    for (size_t i = 0; i < g->n; i++)
        if (g->m[i].role == ROLE_PROF_INFO)
            files[in.n++] = g->m[i].c.f;
    if (!in.n)
        return OK;
    (void)prof_folder_of(str_of(g->m[0].c.f->rel), &root);
    in.root = root;
    if (prof_open(&w->prof, &in, e) && (e->code == ERR_FORMAT || e->code == ERR_LIMIT))
        err_clear(e);
    return e->code;
}

static const struct prof_folder *folder_of(const struct prof *p, int device)
{
    if (!p)
        return NULL;
    for (size_t i = 0; i < p->n_devices; i++)
        if (p->device[i]->device == device)
            return p->device[i];
    return device < 0 && p->host ? p->host : p->n_devices && device < 0 ? p->device[0] : NULL;
}

enum { T_MONO, T_WALL, T_N };

/* clang-format off */
static const struct database_col time_cols[] = {
    { "host_mon",  DB_INT, T_MONO, NULL },
    { "host_wall", DB_NS,  T_WALL, NULL },
};
/* clang-format on */
static const struct database_map time_map = {
    .table = "Time", DB_SLOTS(T_N), .cols = time_cols, .n_cols = ARRAY_LEN(time_cols)
};

static int on_time(struct database_row *r, struct err *e)
{
    struct working_clock *c = r->arg;

    (void)e;
    if (r->v[T_MONO].t != VAL_INT || r->v[T_WALL].t != VAL_INT)
        return OK;
    c->has_mono = !__builtin_sub_overflow(r->v[T_WALL].i, r->v[T_MONO].i, &c->mono);
    return OK;
}

/* The monotonic clock by the info files, else by the database that the export began with. */
static int set_clock(struct working *w, size_t i, struct err *e)
{
    struct working_clock *c = &w->clock[i];
    struct database *d;

    c->folder = folder_of(w->prof, w->device[i]);
    if (c->folder && c->folder->meta.has_start) {
        c->mono = prof_mono_ns(c->folder, 0);
        c->has_mono = true;
    } else if ((d = working_find(w, w->device[i], STR("Time"))) != NULL &&
               database_read(d, &time_map, on_time, c, e)) {
        return e->code;
    }
    w->base.db[i].instant = instant;
    w->base.db[i].clock = c;
    return OK;
}

/* ---- databases ---- */

static int device_of(const struct source_file *f)
{
    struct str rest = str_of(f->rel), one;
    int part = PROF_PART_NONE;

    while (str_next(&rest, '/', &one))
        if (prof_part_of(one) != PROF_PART_NONE)
            part = prof_part_of(one);
    return part == PROF_PART_HOST || part == PROF_PART_NONE ? -1 : part;
}

static int open_all(struct working *w, struct err *e)
{
    struct database_group *g = &w->base;

    for (size_t i = 0; i < g->g->n; i++) {
        struct group_member *m = &g->g->m[i];
        struct err pe = ERR_INIT;
        if (m->role != ROLE_DATABASE_WORKING)
            continue;
        m->read = true;
        if (m->c.f->size_b < HEAD_B) /* what a step of the export leaves that had no data */
            continue;
        struct database *d = &g->db[g->n];
        if (database_open(d, &m->c, g->pool, &pe)) {
            database_close(d);
            if (group_failed(g->g, &m->c, pe.code, &pe)) {
                *e = pe;
                return e->code;
            }
            continue;
        }
        w->device[g->n++] = device_of(m->c.f);
        m->c.rank = database_rank(d, w->device[g->n - 1]);
    }
    return OK;
}

/* ---- reading ---- */

static int read_device(struct working *w, int device, struct err *e)
{
    (void)!(working_steps(w, device, e) || working_tasks(w, device, e) || working_counters(w, device, e) ||
            working_comm(w, device, e) || working_curves(w, device, folder_of(w->prof, device), e));
    working_execs_done(w);
    return e->code;
}

static int read_devices(struct working *w, struct err *e)
{
    for (size_t i = 0; i < w->base.n && !e->code; i++) {
        bool seen = w->device[i] < 0;
        for (size_t k = 0; k < i; k++)
            seen |= w->device[k] == w->device[i];
        if (!seen)
            (void)!read_device(w, w->device[i], e);
    }
    return e->code;
}

static int read_all(struct working *w, struct err *e)
{
    for (size_t i = 0; i < w->base.n; i++)
        if (set_clock(w, i, e))
            return e->code;
    int first = -1;
    for (size_t i = 0; i < w->base.n; i++) {
        w->base.tracks.devices |= first >= 0 && w->device[i] >= 0 && w->device[i] != first;
        first = first < 0 ? w->device[i] : first;
    }
    if (working_ops_read(w, e) || read_devices(w, e) || working_host(w, e))
        return e->code;
    for (size_t i = 0; i < w->base.n; i++)
        if (working_plain(w, &w->base.db[i], w->device[i], e) || database_curves(&w->base, &w->base.db[i], e))
            return e->code;
    return OK;
}

int group_working(struct group_ctx *c, struct err *e)
{
    struct working w = { .base.g = c };

    if (c->preview)
        return OK;
    w.base.db = calloc(c->n + 1, sizeof *w.base.db);
    w.clock = calloc(c->n + 1, sizeof *w.clock);
    w.device = calloc(c->n + 1, sizeof *w.device);
    if (!w.base.db || !w.clock || !w.device)
        err_nomem(e);
    else if (paged_pool_new(&w.base.pool, POOL_B, e) == OK)
        database_group_begin(&w.base);
    if (!e->code && open_all(&w, e) == OK && open_prof(&w, e) == OK && read_all(&w, e) == OK)
        (void)!paged_failed(w.base.pool, e);
    working_ops_done(&w);
    database_tracks_done(w.base.n ? &w.base.db[0] : NULL, &w.base.tracks);
    for (size_t i = 0; i < w.base.n; i++)
        database_close(&w.base.db[i]);
    prof_close(w.prof);
    free(w.base.db);
    free(w.clock);
    free(w.device);
    database_group_end(&w.base);
    return e->code;
}
