/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run. */
#include "config.h"

#include "run/state.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/lang/tr.h"
#include "base/path.h"
#include "base/unit.h"

#define SECOND      INT64_C(1000000000)
#define NAMES_SHOWN 3

/* Names of files for a sentence: the first few, and how many there are. */
struct names {
    size_t n;
    char text[140];
};

/* Counts over the files. */
struct sights {
    size_t raw, absent, leftovers;
    bool marks; /* the collector marks slices that it has closed */
    struct names torn, open, gaps, starts, ends;
    int64_t newest_raw_ns; /* modification time, INT64_MIN: none */
    const char *newest_raw;
    int64_t ahead_ns; /* the latest that is in the future, 0: none */
    const char *ahead;
};

const char *run_state_word(enum run_state s)
{
    static const char *const words[] = {
        [RUN_ANALYSED] = "ANALYSED",     [RUN_NOT_ANALYSED] = "NOT ANALYSED", [RUN_CRASHED] = "CRASHED",
        [RUN_RUNNING] = "STILL RUNNING", [RUN_UNKNOWN] = "UNKNOWN",
    };

    return (size_t)s < ARRAY_LEN(words) ? words[s] : "?";
}

enum run_state run_state_worse(enum run_state a, enum run_state b)
{
    static const int rank[] = {
        [RUN_UNKNOWN] = 0, [RUN_ANALYSED] = 1, [RUN_NOT_ANALYSED] = 2, [RUN_RUNNING] = 3, [RUN_CRASHED] = 4,
    };

    return rank[a] >= rank[b] ? a : b;
}

void run_verdict_add(struct run_verdict *v, const char *fmt, ...)
{
    va_list ap;

    if (v->n == RUN_EVIDENCE_MAX)
        return;
    va_start(ap, fmt);
    vsnprintf(v->evidence[v->n++], sizeof(v->evidence[0]), tr(fmt), ap);
    va_end(ap);
}

static void add_name(struct names *x, const char *name)
{
    size_t used = strlen(x->text);
    char shown[45];

    if (x->n++ < NAMES_SHOWN)
        snprintf(x->text + used, sizeof x->text - used, "%s%s", used ? tr(", ") : "",
                 str_copy_cut(str_of(name), shown, sizeof shown));
}

/* "a, b, c and 4 more" */
static const char *names_text(const struct names *x, char *buf, size_t n)
{
    if (x->n > NAMES_SHOWN)
        snprintf(buf, n, tr("%s and %zu more"), x->text, x->n - NAMES_SHOWN);
    else
        snprintf(buf, n, "%s", x->text);
    return buf;
}

/* ---- looking ---- */

static bool is_raw(const struct source_file *f)
{
    return strncmp(f->kind->id, "raw", 3) == 0 && strcmp(f->kind->id, "raw_sqlite") != 0;
}

/* A file of no rank belongs to each rank. */
static bool is_of(const struct source_file *f, int rank)
{
    return rank < 0 || f->rank < 0 || f->rank == rank;
}

/*
 * The collector closes a slice by writing <name>.done beside it: the next row in the order of names. Only the
 * last slice of a chain can still be open. Not all versions mark those that the framework writes.
 */
static bool is_open_slice(const struct unit *u, size_t i)
{
    const struct source_file *f = u->files[i];
    const char *next = i + 1 < u->n_files ? u->files[i + 1]->rel : "";
    size_t n = strlen(f->rel);

    return f->slice >= 0 && !f->next_slice && !str_starts(str_of(f->kind->id), STR("raw_framework")) &&
           (strncmp(next, f->rel, n) != 0 || strcmp(next + n, ".done") != 0);
}

static bool writes_marks(const struct unit *u, int rank)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (strcmp(u->files[i]->kind->id, "marker") == 0 && is_of(u->files[i], rank) &&
            str_ends(str_of(u->files[i]->rel), STR(".done")))
            return true;
    return false;
}

int run_slice_gap(const struct source_file *f)
{
    return f->slice >= 0 && f->next_slice && f->next_slice->slice > f->slice + 1 ? f->slice + 1 : -1;
}

/* A file system may round up to the next second or two. */
static void look_at_date(const struct source_file *f, int64_t now_ns, struct sights *s)
{
    if (f->mtime_ns > now_ns + RUN_SKEW_S * SECOND) {
        if (f->mtime_ns > s->ahead_ns) {
            s->ahead_ns = f->mtime_ns;
            s->ahead = f->rel;
        }
    } else if (f->mtime_ns > s->newest_raw_ns) {
        s->newest_raw_ns = f->mtime_ns;
        s->newest_raw = f->rel;
    }
}

static void look_at_raw(const struct unit *u, size_t i, int64_t now_ns, struct sights *s)
{
    const struct source_file *f = u->files[i];
    const char *name = path_base(f->rel);
    struct str base = str_of(name);

    s->raw++;
    if (f->state == FS_TORN || f->state == FS_BAD)
        add_name(&s->torn, name);
    if (s->marks && is_open_slice(u, i))
        add_name(&s->open, name);
    if (run_slice_gap(f) >= 0)
        add_name(&s->gaps, name);
    if (str_starts(base, STR("host_start.log")) || str_starts(base, STR("start_info")))
        add_name(&s->starts, name);
    if (str_starts(base, STR("end_info")))
        add_name(&s->ends, name);
    look_at_date(f, now_ns, s);
}

static void look(const struct unit *u, int rank, int64_t now_ns, struct sights *s)
{
    *s = (struct sights){ .newest_raw_ns = INT64_MIN, .marks = writes_marks(u, rank) };
    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];

        if (!is_of(f, rank))
            continue;
        s->absent += f->state == FS_ABSENT;
        s->leftovers += strcmp(f->kind->id, "leftover") == 0;
        if (is_raw(f) && f->regular)
            look_at_raw(u, i, now_ns, s);
    }
}

/* Flat folders hold several ranks, each of which may have ended in its own way. */
static enum tristate stopped_of(const struct unit *u, int rank, const struct sights *s)
{
    const struct runinfo *r = &u->info;
    struct str stop = runinfo_get(r, "profiling_stop_time", rank);

    if (rank < 0 || r->n_ranks < 2 || (r->gen != GEN_1 && r->gen != GEN_1B))
        return r->stopped;
    if (stop.p)
        return str_trim(stop).n ? TRI_YES : TRI_NO;
    if (!s->raw)
        return r->stopped;
    return s->ends.n || (s->marks && !s->open.n) ? TRI_YES : TRI_NO;
}

/* ---- sentences ---- */

static const char *answer(enum tristate t)
{
    return t == TRI_YES ? tr("yes") : t == TRI_NO ? tr("no") : tr("not recorded");
}

static void say_raw(struct run_verdict *v, const struct sights *s)
{
    char names[180];

    if (s->open.n == 1)
        run_verdict_add(v, "%s was not closed by the collector: there is no .done next to it", s->open.text);
    else if (s->open.n)
        run_verdict_add(v, "%zu files were not closed by the collector, without .done: %s", s->open.n,
                        names_text(&s->open, names, sizeof names));
    if (s->torn.n)
        run_verdict_add(v, "cut: %s", names_text(&s->torn, names, sizeof names));
}

/* One sentence for each: the number that is missing is not a matter of one file. */
static void say_gaps(struct run_verdict *v, const struct unit *u, int rank)
{
    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];
        bool counts = is_of(f, rank) && is_raw(f) && f->regular;
        int gap = counts ? run_slice_gap(f) : -1;
        char name[101];
        str_copy_cut(str_of(path_base(f->rel)), name, sizeof name);
        if (counts && f->slice > 0 && !f->later_slice)
            run_verdict_add(v, "slices are missing: the first is %s", name);
        if (gap < 0)
            continue;
        int last = f->next_slice->slice - 1;
        if (gap == last)
            run_verdict_add(v, "slice %d is missing: after %s comes slice %d", gap, name, last + 1);
        else
            run_verdict_add(v, "slices %d to %d are missing: after %s comes slice %d", gap, last, name,
                            last + 1);
    }
}

/* Which files record the start and the stop; writers of start_info also write end_info. */
static void say_ends(struct run_verdict *v, const struct sights *s)
{
    bool pairs = str_find(str_of(s->starts.text), STR("start_info"), 0) != SIZE_MAX;
    char names[180];

    names_text(&s->starts, names, sizeof names);
    if (s->starts.n && s->ends.n)
        run_verdict_add(v, "started: %s; stopped: %s", names, s->ends.text);
    else if (s->starts.n && pairs)
        run_verdict_add(v, "started: %s; not stopped: no end_info", names);
    else if (s->starts.n)
        run_verdict_add(v, "started: %s", names);
}

static bool is_growing(const struct sights *s, int64_t now_ns)
{
    return s->raw && s->newest_raw_ns > now_ns - RUN_RUNNING_S * SECOND;
}

static void say_age(struct run_verdict *v, const struct sights *s, int64_t now_ns)
{
    int64_t age = now_ns > s->newest_raw_ns ? (now_ns - s->newest_raw_ns) / SECOND : 0;
    char name[81];

    run_verdict_add(v, "%s changed %lld s ago",
                    str_copy_cut(str_of(path_base(s->newest_raw)), name, sizeof name), (long long)age);
}

/* The clock of this machine is behind the one that dated the file: its age says nothing. */
static void say_skew(struct run_verdict *v, const struct sights *s, int64_t now_ns)
{
    char t[40], name[61];

    run_verdict_add(v, "clock skew: %s is dated %s in the future, its age says nothing",
                    str_copy_cut(str_of(path_base(s->ahead)), name, sizeof name),
                    unit_long_time(t, sizeof t, (double)(s->ahead_ns - now_ns)));
}

/* The state of a run without results: one of three. */
static enum run_state without_results(enum tristate stopped, const struct sights *s, int64_t now_ns,
                                      struct run_verdict *v)
{
    if (stopped != TRI_YES && is_growing(s, now_ns)) {
        say_age(v, s, now_ns);
        return RUN_RUNNING;
    }
    if (stopped != TRI_YES && s->ahead)
        say_skew(v, s, now_ns);
    if (s->leftovers)
        run_verdict_add(v, "an analysis was started and did not end");
    if (stopped == TRI_YES && !s->torn.n)
        return RUN_NOT_ANALYSED;
    if (s->raw || stopped == TRI_NO)
        return RUN_CRASHED;
    return RUN_UNKNOWN;
}

void run_state_of(const struct unit *u, int rank, int64_t now_ns, struct run_verdict *out)
{
    const struct runinfo *r = &u->info;
    struct sights s;

    *out = (struct run_verdict){ .state = RUN_UNKNOWN };
    look(u, rank, now_ns, &s);
    enum tristate stopped = stopped_of(u, rank, &s);
    if (r->started != TRI_UNKNOWN || stopped != TRI_UNKNOWN)
        run_verdict_add(out, "start time %s, stop time %s, analysis %s", answer(r->started), answer(stopped),
                        answer(r->analysed));
    if (r->analysed == TRI_YES) {
        out->state = RUN_ANALYSED;
        if (!out->n)
            run_verdict_add(out, "analysed files are there; no info file says when the run began or ended");
        if (s.absent)
            run_verdict_add(out, "%zu expected files are not there", s.absent);
        if (s.leftovers)
            run_verdict_add(out, "a later analysis did not end");
        say_raw(out, &s);
        return;
    }
    out->state = without_results(stopped, &s, now_ns, out);
    say_raw(out, &s);
    say_gaps(out, u, rank);
    if (out->state != RUN_NOT_ANALYSED)
        say_ends(out, &s);
    if (out->n == 0)
        run_verdict_add(out, "nothing shows how the run ended");
}
