/* The state of a run. */
#include "config.h"

#include "run/state.h"

#include <stdarg.h>
#include <stdio.h>

#define SECOND INT64_C(1000000000)

/* What is counted over the files. */
struct sights {
    size_t raw, torn, absent, open_slices, leftovers;
    int64_t newest_raw_ns; /* modification time, INT64_MIN: none */
    const char *newest_raw;
};

const char *run_state_word(enum run_state s)
{
    static const char *const words[] = {
        [RUN_ANALYSED] = "ANALYSED", [RUN_NOT_ANALYSED] = "NOT ANALYSED",
        [RUN_CRASHED] = "CRASHED",   [RUN_RUNNING] = "STILL RUNNING",
        [RUN_UNKNOWN] = "UNKNOWN",
    };

    return (size_t)s < ARRAY_LEN(words) ? words[s] : "?";
}

static void say(struct run_verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void say(struct run_verdict *v, const char *fmt, ...)
{
    va_list ap;

    if (v->n == RUN_EVIDENCE_MAX)
        return;
    va_start(ap, fmt);
    vsnprintf(v->evidence[v->n++], sizeof(v->evidence[0]), fmt, ap);
    va_end(ap);
}

static bool is_raw(const struct source_file *f)
{
    return strncmp(f->kind->id, "raw", 3) == 0 && strcmp(f->kind->id, "raw_sqlite") != 0;
}

/*
 * The collector closes a slice by writing <name>.done beside it: the next row in the order of names. Only the last slice of a chain can
 * still be open. Not all versions mark those that the framework writes.
 */
static bool is_open_slice(const struct unit *u, size_t i)
{
    const struct source_file *f = u->files[i];
    const char *next = i + 1 < u->n_files ? u->files[i + 1]->rel : "";
    size_t n = strlen(f->rel);

    return f->slice >= 0 && !f->next_slice && strcmp(f->kind->id, "raw_framework") != 0 &&
           (strncmp(next, f->rel, n) != 0 || strcmp(next + n, ".done") != 0);
}

static bool writes_marks(const struct unit *u)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (strcmp(u->files[i]->kind->id, "marker") == 0 &&
            str_ends(str_of(u->files[i]->rel), STR(".done")))
            return true;
    return false;
}

static void look(const struct unit *u, struct sights *s)
{
    bool marks = writes_marks(u);

    *s = (struct sights){ .newest_raw_ns = INT64_MIN };
    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];

        s->absent += f->state == FS_ABSENT;
        s->leftovers += strcmp(f->kind->id, "leftover") == 0;
        if (!is_raw(f) || !f->regular)
            continue;
        s->raw++;
        s->torn += f->state == FS_TORN || f->state == FS_BAD;
        s->open_slices += marks && is_open_slice(u, i);
        if (f->mtime_ns > s->newest_raw_ns) {
            s->newest_raw_ns = f->mtime_ns;
            s->newest_raw = f->rel;
        }
    }
}

static const char *answer(enum tristate t)
{
    return t == TRI_YES ? "yes" : t == TRI_NO ? "no" : "not recorded";
}

static void say_raw(struct run_verdict *v, const struct sights *s)
{
    if (s->open_slices)
        say(v, "%zu raw files were not closed by the collector", s->open_slices);
    if (s->torn)
        say(v, "%zu raw files are cut", s->torn);
}

static bool is_growing(const struct sights *s, int64_t now_ns)
{
    return s->raw && s->newest_raw_ns > now_ns - RUN_RUNNING_S * SECOND;
}

static void say_age(struct run_verdict *v, const struct sights *s, int64_t now_ns)
{
    int64_t age = now_ns > s->newest_raw_ns ? (now_ns - s->newest_raw_ns) / SECOND : 0;

    say(v, "%.80s changed %lld s ago", s->newest_raw, (long long)age);
}

/* Without results: which of three. */
static enum run_state without_results(const struct unit *u, const struct sights *s, int64_t now_ns,
                                      struct run_verdict *v)
{
    const struct runinfo *r = &u->info;

    if (r->stopped != TRI_YES && is_growing(s, now_ns)) {
        say_age(v, s, now_ns);
        return RUN_RUNNING;
    }
    if (s->leftovers)
        say(v, "an analysis was started and did not end");
    if (r->stopped == TRI_YES && !s->torn)
        return RUN_NOT_ANALYSED;
    if (s->raw || r->stopped == TRI_NO)
        return RUN_CRASHED;
    return RUN_UNKNOWN;
}

void run_state_of(const struct unit *u, int64_t now_ns, struct run_verdict *out)
{
    const struct runinfo *r = &u->info;
    struct sights s;

    *out = (struct run_verdict){ .state = RUN_UNKNOWN };
    look(u, &s);
    if (r->started != TRI_UNKNOWN || r->stopped != TRI_UNKNOWN)
        say(out, "start time %s, stop time %s, analysis %s", answer(r->started), answer(r->stopped),
            answer(r->analysed));
    if (r->analysed == TRI_YES) {
        out->state = RUN_ANALYSED;
        if (s.absent)
            say(out, "%zu expected files are not there", s.absent);
        if (s.leftovers)
            say(out, "a later analysis did not end");
        say_raw(out, &s);
        return;
    }
    out->state = without_results(u, &s, now_ns, out);
    say_raw(out, &s);
    if (out->n == 0)
        say(out, "nothing tells how the run ended");
}
