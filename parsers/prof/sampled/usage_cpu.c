/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processors of the host: times of the process's threads, of which each two samples make how busy it kept
 * each processor (parsers/prof/sampled/usage.h).
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/round.h"
#include "parsers/prof/sampled/usage.h"
#include "parsers/read/lines.h"

/* /proc/PID/task/TID/stat: indexes of words after the name, which is in parentheses. */
enum { STAT_UTIME = 11, STAT_STIME = 12, STAT_CPU = 36, STAT_WORDS = 37 };

#define UPTIME_MAX_US INT64_C(1000000000000000) /* of 30 years */

struct thread {
    uint64_t id, jiffies;
    int32_t cpu;
    uint32_t place; /* position in the sample */
};
struct sample {
    struct thread *v;
    size_t n, cap;
    int64_t ns, uptime_us;
    bool timed, has_uptime;
};
/* What a processor ran, in millionths of jiffies. */
struct share {
    int32_t cpu;
    __int128 e6;
};
struct cpus {
    struct prof *p;
    const struct prof_folder *f;
    prof_cpu_use_fn *fn;
    void *arg;
    struct sample now, before;
    struct share *share;
    size_t cap_share;
};

static int bad_line(const struct cpus *c, const struct where *w)
{
    prof_note_at(c->p, NOTE_BAD_ROW, w, "a line that is no sample was left out");
    return OK;
}

/* ---- two samples ---- */

static int by_thread(const void *va, const void *vb)
{
    const struct thread *a = va, *b = vb;

    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int by_cpu(const void *va, const void *vb)
{
    const struct share *a = va, *b = vb;

    return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/* Shares of threads that are in both; none has more than the time between. Returns how many. */
static size_t shares_of(struct cpus *c, __int128 between)
{
    const struct sample *a = &c->before, *b = &c->now;
    size_t n = 0;

    for (size_t i = 0, k = 0; i < b->n; i++) {
        if (i + 1 < b->n && b->v[i + 1].id == b->v[i].id) /* the last record of a thread counts */
            continue;
        while (k < a->n && (a->v[k].id < b->v[i].id ||
                            (k + 1 < a->n && a->v[k].id == b->v[i].id && a->v[k + 1].id == b->v[i].id)))
            k++;
        if (k == a->n || a->v[k].id != b->v[i].id || b->v[i].jiffies < a->v[k].jiffies)
            continue;
        __int128 e6 = (__int128)(b->v[i].jiffies - a->v[k].jiffies) * 1000000;
        c->share[n++] = (struct share){ b->v[i].cpu, e6 < between ? e6 : between };
    }
    qsort(c->share, n, sizeof *c->share, by_cpu);
    return n;
}

static int put(struct cpus *c, int32_t cpu, __int128 part, __int128 whole, struct err *e)
{
    struct prof_cpu_use u = { .from = c->before.ns,
                              .to = c->now.ns,
                              .cpu = cpu,
                              .usage_e6 = prof_half_even(part * 100 * 1000000, whole) };

    return cpu != PROF_ALL_CPUS && u.usage_e6 > 100 * 1000000 ? OK : c->fn(c->arg, &u, e);
}

static int put_shares(struct cpus *c, size_t n, __int128 between, struct err *e)
{
    __int128 all = 0;
    size_t to;

    for (size_t i = 0; i < n; i = to) {
        __int128 sum = 0;
        for (to = i; to < n && c->share[to].cpu == c->share[i].cpu; to++)
            sum += c->share[to].e6;
        all += sum;
        if (put(c, c->share[i].cpu, sum, between, e))
            return e->code;
    }
    if (!c->f->meta.cpu_nums)
        return OK;
    return put(c, PROF_ALL_CPUS, all, between * c->f->meta.cpu_nums, e);
}

/* Ends a sample that is whole. */
static int end_sample(struct cpus *c, struct err *e)
{
    struct sample *a = &c->before, *b = &c->now;

    if (b->n)
        qsort(b->v, b->n, sizeof *b->v, by_thread);
    if (!a->timed || !a->has_uptime || !b->timed || !b->has_uptime || !b->n || b->uptime_us <= a->uptime_us)
        return OK;
    if (c->cap_share < b->n) {
        struct share *v = realloc(c->share, b->n * sizeof *v);
        if (!v)
            return err_nomem(e);
        c->share = v;
        c->cap_share = b->n;
    }
    __int128 between = ((__int128)b->uptime_us - a->uptime_us) * c->f->meta.jiffies_hz;
    return put_shares(c, shares_of(c, between), between, e);
}

/* ---- lines ---- */

static int next_sample(struct cpus *c, struct str stamp, const struct where *w, struct err *e)
{
    if (end_sample(c, e))
        return e->code;
    struct sample old = c->before;
    c->before = c->now;
    c->now = (struct sample){ .v = old.v, .cap = old.cap };
    c->now.timed = str_i64(stamp, &c->now.ns);
    return c->now.timed ? OK : bad_line(c, w);
}

static int take_thread(struct cpus *c, struct str line, const struct where *w, struct err *e)
{
    size_t close = str_rchr(line, ')');
    struct str word[STAT_WORDS];
    struct sample *s = &c->now;
    struct thread t = { .place = (uint32_t)s->n };
    uint64_t user, system;
    int64_t cpu;

    if (close == SIZE_MAX || !str_u64(str_trim(str_sub(line, 0, str_chr(line, ' '))), &t.id) ||
        lines_words(str_sub(line, close + 1, SIZE_MAX), word, STAT_WORDS) < STAT_WORDS ||
        !str_u64(word[STAT_UTIME], &user) || !str_u64(word[STAT_STIME], &system) ||
        !str_i64(word[STAT_CPU], &cpu) || cpu < 0 || cpu > INT32_MAX ||
        __builtin_add_overflow(user, system, &t.jiffies))
        return bad_line(c, w);
    t.cpu = (int32_t)cpu;
    struct thread *v = grow_array(s->v, s->n, &s->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    s->v = v;
    v[s->n++] = t;
    return OK;
}

static int take_line(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct cpus *c = arg;
    struct sample *s = &c->now;
    struct str word[1];

    if (str_starts(line, STR("time ")))
        return next_sample(c, str_trim(str_sub(line, 5, SIZE_MAX)), w, e);
    if (!lines_words(line, word, 1))
        return OK;
    if (!s->has_uptime) {
        s->has_uptime = str_scaled(word[0], 1000000, &s->uptime_us, NULL) && s->uptime_us >= 0 &&
                        s->uptime_us < UPTIME_MAX_US;
        return s->has_uptime ? OK : bad_line(c, w);
    }
    return take_thread(c, line, w, e);
}

int prof_cpu_use_read(struct prof *p, const struct prof_folder *f, prof_cpu_use_fn *fn, void *arg,
                      struct err *e)
{
    struct cpus c = { .p = p, .f = f, .fn = fn, .arg = arg };

    if (!prof_has(f, PROF_HOST_CPU))
        return OK;
    if (!f->meta.jiffies_hz) {
        prof_note(p, f, PROF_HOST_CPU, NOTE_BAD_VALUE,
                  "info.json does not say how long a jiffy is (sysClockFreq): how busy processors "
                  "were is unknown");
        return OK;
    }
    if (prof_read_lines(p, f, PROF_HOST_CPU, take_line, &c, e) == OK)
        (void)!end_sample(&c, e);
    free(c.now.v);
    free(c.before.v);
    free(c.share);
    return e->code;
}
