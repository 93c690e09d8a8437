/* SPDX-License-Identifier: Apache-2.0 */
/* analyse of rank folders: options of theirs, and several ranks at the same time. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "cli/cmd/analyse_folders.h"
#include "cli/open.h"
#include "import/room.h"
#include "offline/offline.h"

#define RANK_B       ((uint64_t)320 << 20) /* memory of one, a million kernels measured */
#define STEPS_MAX    100000
#define STAMP_DIGITS 14 /* YYYYmmddHHMMSS */

static bool stopped(void)
{
    return sig_stop() != 0;
}

/* ---- options ---- */

static int wrong_steps(const char *list, struct err *e)
{
    return err_set(e, ERR_USAGE, "--step-list=%s: not steps that follow each other, for example 3,4,5 or 3-5",
                   list);
}

/* Numbers and ranges; msprof exports one run of steps. */
static int take_steps(struct offline_options *o, const char *list, struct err *e)
{
    struct str rest = str_of(list), part;
    uint64_t first = UINT64_MAX, last = 0, n = 0;

    while (str_next(&rest, ',', &part)) {
        size_t dash = str_chr(part, '-');
        uint64_t from, to;
        if (!str_u64(str_sub(part, 0, dash), &from) ||
            !str_u64(dash == SIZE_MAX ? part : str_sub(part, dash + 1, SIZE_MAX), &to) || to < from ||
            to - from > STEPS_MAX)
            return wrong_steps(list, e);
        first = from < first ? from : first;
        last = to > last ? to : last;
        n += to - from + 1;
    }
    if (!n || last - first + 1 != n)
        return wrong_steps(list, e);
    o->first_step = first;
    o->n_steps = n;
    return OK;
}

static int take_exports(struct offline_options *o, const char *list, struct err *e)
{
    struct str rest = str_of(list), part;

    while (str_next(&rest, ',', &part)) {
        bool text = str_eq(part, STR("text")), db = str_eq(part, STR("db"));
        if (!text && !db)
            return err_set(e, ERR_USAGE, "--export-type=%s: text, db or both (text,db)", list);
        o->exports |= text ? (unsigned)OFFLINE_TEXT : OFFLINE_DB;
    }
    return OK;
}

static int take_options(const struct options *o, struct offline_options *g, struct err *e)
{
    const char *steps = opt_text(o, OPT_STEP_LIST), *exports = opt_text(o, OPT_EXPORT_TYPE);

    *g = (struct offline_options){
        .force = opt_is(o, OPT_ANALYSE_FORCE),
        .pretty = opt_is(o, OPT_PRETTY),
        .compat = opt_is(o, OPT_ANALYSE_COMPAT),
        .keep_exports = opt_int(o, OPT_SIMPLIFICATION, 0) == 1,
        .cancelled = stopped,
    };
    if (steps && take_steps(g, steps, e))
        return e->code;
    return exports ? take_exports(g, exports, e) : OK;
}

/* ---- ranks ---- */

struct work {
    struct cli *c;
    const struct offline_options *o;
    struct rank_work {
        const struct unit *u;
        int rank;
        struct emit_report *report;
        struct err e;
        bool done;
    } * v;
    size_t n;
    atomic_size_t next;
};

/* The unit's folder lies in that of another one, as results of MindSpore 2.3 and 2.4 do. */
static bool lies_in(const struct unit *u, const struct unit *flat)
{
    struct str root = str_of(flat->root);

    return flat->gen == GEN_1B && str_starts(str_of(u->root), root) && u->root[root.n] == '/';
}

bool analyse_folders_holds(struct cli *c, const struct unit *u)
{
    const struct job *j = session_job(c->session);

    for (size_t i = 0; i < j->n_units; i++)
        if (lies_in(u, j->units[i]) && offline_can(j->units[i]))
            return true;
    return false;
}

/* Of MindSpore 2.3 and 2.4: "rank-0_20240611062509_ascend_ms", the one that is there, else of the start. */
static void flat_folder(const struct work *w, const struct rank_work *x, char *to, size_t size)
{
    const struct job *j = session_job(w->c->session);
    struct str start = x->u->info.start_time;
    char begin[40];
    size_t n;

    snprintf(begin, sizeof begin, "rank-%d_", x->rank);
    for (size_t i = 0; i < j->n_units; i++)
        if (lies_in(j->units[i], x->u) && str_starts(str_of(path_base(j->units[i]->root)), str_of(begin))) {
            snprintf(to, size, "%s", path_base(j->units[i]->root));
            return;
        }
    n = (size_t)snprintf(to, size, "%s", begin);
    for (size_t i = 0; i < start.n && n < strlen(begin) + STAMP_DIGITS && n + 1 < size; i++)
        if (start.p[i] >= '0' && start.p[i] <= '9')
            to[n++] = start.p[i];
    snprintf(to + n, size - n, "_ascend_ms");
}

/* The rank's folder, below PATH where there are several runs, whose folders may have the same name. */
const char *analyse_folder_name(struct cli *c, const struct unit *u)
{
    const struct job *j = session_job(c->session);
    size_t n = strlen(j->path);

    return j->n_runs > 1 && strncmp(u->root, j->path, n) == 0 && u->root[n] == '/' ? u->root + n + 1
                                                                                   : path_base(u->root);
}

/*
 * Below the folder asked for the results of several ranks have a folder each, named as that of the rank.
 */
static int analyse_one(const struct work *w, struct rank_work *x)
{
    const char *dir = opt_text(&w->c->opts, OPT_ANALYSE_DIR);
    bool flat = x->u->gen == GEN_1B;
    struct offline_options o = *w->o;
    char folder[1024], below[1100];

    o.dir = dir ? dir : x->u->root;
    o.below = dir ? "" : OFFLINE_RESULTS;
    if (flat)
        flat_folder(w, x, folder, sizeof folder);
    else
        snprintf(folder, sizeof folder, "%s", analyse_folder_name(w->c, x->u));
    if (dir ? w->n > 1 : flat) {
        snprintf(below, sizeof below, "%s/" OFFLINE_RESULTS, folder);
        o.below = below;
    }
    if (emit_report_new(&x->report, &x->e) == OK)
        (void)!offline_analyse(x->u, x->rank, &o, x->report, &x->e);
    x->done = true;
    return x->e.code;
}

static void *run(void *arg)
{
    struct work *w = arg;

    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->n && !stopped();)
        (void)!analyse_one(w, &w->v[i]);
    return NULL;
}

/* As many as there are processors, and as half of the memory that is free has room for. */
static size_t jobs_of(const struct work *w)
{
    struct room room;

    room_measure(&room, NULL);
    uint64_t fit = room.memory_b / 2 / RANK_B;
    uint64_t jobs = (uint64_t)opt_int(&w->c->opts, OPT_JOBS, run_cpus());
    jobs = jobs < fit ? jobs : fit;
    jobs = jobs < w->n ? jobs : w->n;
    return jobs ? (size_t)jobs : 1;
}

static void run_all(struct work *w)
{
    size_t jobs = jobs_of(w), started = 0;
    pthread_t *thread = calloc(jobs, sizeof *thread);

    while (thread && started + 1 < jobs && pthread_create(&thread[started], NULL, run, w) == 0)
        started++;
    run(w); /* this thread works, too */
    while (started)
        pthread_join(thread[--started], NULL);
    free(thread);
}

/* Reports in the order of ranks. What ended one is said, and does not end the others; the first counts. */
static int join(struct work *w, struct emit_report *report, struct err *e)
{
    char why[300];

    for (size_t i = 0; i < w->n; i++) {
        struct rank_work *x = &w->v[i];
        if (x->report)
            emit_report_join_as(report, x->report, analyse_folder_name(w->c, x->u));
        emit_report_free(x->report);
        if (x->e.code && w->n > 1 && x->e.code != ERR_CANCELLED)
            log_message("%s: %s", x->u->shown, err_message(&x->e, why, sizeof why));
        if (x->e.code && !e->code)
            *e = x->e;
    }
    if (stopped() && !e->code)
        err_set(e, ERR_CANCELLED, "interrupted");
    return e->code;
}

int analyse_folders(struct cli *c, const struct analyse_folder *folder, size_t n, struct emit_report *report,
                    struct err *e)
{
    struct offline_options o;
    struct work w = { .c = c, .o = &o, .n = n };

    if (take_options(&c->opts, &o, e))
        return e->code;
    w.v = calloc(n ? n : 1, sizeof *w.v);
    if (!w.v)
        return err_nomem(e);
    for (size_t i = 0; i < n && !e->code; i++) {
        w.v[i] = (struct rank_work){ .u = folder[i].u, .rank = folder[i].rank, .e = ERR_INIT };
        (void)!unit_paths(folder[i].u, e); /* before there are threads: all units have one arena */
    }
    if (!e->code) {
        run_all(&w);
        (void)!join(&w, report, e);
    }
    free(w.v);
    return e->code;
}
