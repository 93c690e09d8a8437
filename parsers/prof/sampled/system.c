/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of a device or of the host as a system: engines, network devices, memory, processors. Processes:
 * system_process.c.
 */
#include "config.h"

#include "parsers/prof/sampled/system.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/path.h"
#include "parsers/read/lines.h"

struct reading {
    struct prof *p;
    const struct prof_folder *f;
    union {
        prof_dvpp_fn *dvpp;
        prof_meminfo_fn *mem;
        prof_cputimes_fn *cpu;
    } fn;
    void *arg;
};

static int bad_line(struct prof *p, const struct where *w)
{
    prof_note_at(p, NOTE_BAD_ROW, w, "a line that is no sample was left out");
    return OK;
}

/* ---- dvpp: with the id of a unit on stars chips and 910 ---- */

#define DVPP_WORDS 11
#define NS_PER_S   1000000000

/* "seconds:nanoseconds". */
static bool dvpp_stamp(struct str word, uint64_t *ns)
{
    size_t colon = str_chr(word, ':');
    uint64_t s, rest;

    return colon != SIZE_MAX && str_u64(str_sub(word, 0, colon), &s) &&
           str_u64(str_sub(word, colon + 1, SIZE_MAX), &rest) && rest < NS_PER_S &&
           !__builtin_mul_overflow(s, (uint64_t)NS_PER_S, ns) && !__builtin_add_overflow(*ns, rest, ns);
}

static bool small(struct str word, uint32_t *out)
{
    uint64_t v;

    if (!str_u64(word, &v) || v > UINT32_MAX)
        return false;
    *out = (uint32_t)v;
    return true;
}

static int take_dvpp(void *arg, struct str line, const struct where *w, struct err *e)
{
    const struct reading *g = arg;
    struct prof_dvpp d = { .id = 0 };
    struct str word[DVPP_WORDS + 2];
    size_t n = lines_words(line, word, ARRAY_LEN(word)), unit = g->p->chip->dvpp_ids;

    if (!n || str_find(line, STR("engine_type"), 0) != SIZE_MAX)
        return OK;
    if (n != DVPP_WORDS + unit)
        return bad_line(g->p, w);
    struct str usage = word[unit + 5];
    usage = str_sub(usage, 0, usage.n - str_ends(usage, STR("%")));
    if (!dvpp_stamp(word[0], &d.ns) || (unit && !small(word[1], &d.id)) || !small(word[unit + 1], &d.type) ||
        !small(word[unit + 2], &d.engine) || !str_f64(word[unit + 3], &d.time) ||
        !str_f64(word[unit + 4], &d.frames) || !str_f64(usage, &d.usage))
        return bad_line(g->p, w);
    return g->fn.dvpp(g->arg, &d, e);
}

int prof_dvpp_read(struct prof *p, const struct prof_folder *f, prof_dvpp_fn *fn, void *arg, struct err *e)
{
    struct reading g = { .p = p, .f = f, .fn.dvpp = fn, .arg = arg };

    return prof_read_lines(p, f, PROF_DVPP, take_dvpp, &g, e);
}

const char *prof_dvpp_word(uint32_t type)
{
    static const char *const words[] = { "VDEC", "JPEGD", "PNGD", "JPEGE", "VPC", "VENC", "SCD" };

    return type < ARRAY_LEN(words) ? words[type] : NULL;
}

/* ---- netdev_stats ---- */

struct netdev {
    int64_t ns;
    uint64_t v[N_PROF_NETDEV];
    size_t place;
};
struct netdevs {
    struct prof *p;
    struct netdev *v;
    size_t n, cap;
};

static int keep_netdev(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct netdevs *a = arg;
    struct netdev x = { .place = a->n };
    struct str word[N_PROF_NETDEV + 2];
    size_t n = lines_words(line, word, ARRAY_LEN(word));

    if (!n)
        return OK;
    bool good = n == N_PROF_NETDEV + 1 && str_i64(word[0], &x.ns);
    for (size_t i = 0; good && i < N_PROF_NETDEV; i++)
        good = str_u64(word[i + 1], &x.v[i]);
    if (!good)
        return bad_line(a->p, w);
    struct netdev *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n++] = x;
    return OK;
}

static int by_time(const void *va, const void *vb)
{
    const struct netdev *a = va, *b = vb;

    if (a->ns != b->ns)
        return a->ns < b->ns ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

int prof_netdev_read(struct prof *p, const struct prof_folder *f, prof_netdev_fn *fn, void *arg,
                     struct err *e)
{
    struct netdevs a = { .p = p };
    size_t before = 0;

    if (prof_read_lines(p, f, PROF_NETDEV, keep_netdev, &a, e) == OK && a.n)
        qsort(a.v, a.n, sizeof *a.v, by_time);
    for (size_t i = 1; i < a.n && !e->code; i++) {
        const struct netdev *x = &a.v[before], *y = &a.v[i];
        struct prof_netdev d = { .from = x->ns, .to = y->ns };
        if (y->ns <= x->ns)
            continue;
        for (size_t k = 0; k < N_PROF_NETDEV; k++)
            d.v[k] = y->v[k] >= x->v[k] ? y->v[k] - x->v[k] : 0;
        before = i;
        (void)!fn(arg, &d, e);
    }
    free(a.v);
    return e->code;
}

int64_t prof_netdev_ns(const struct prof *p, const struct prof_folder *f, int64_t mono_ns)
{
    return prof_mono_ns(p->host ? p->host : f, mono_ns);
}

double prof_netdev_rate(const struct prof_netdev *d, enum prof_netdev_value v)
{
    return (double)d->v[v] / (((double)d->to - (double)d->from) / 1e9);
}

/* ---- blocks: each begins with "TimeStamp:N" and ends with an empty line ---- */

static bool stamp_of(struct str line, uint64_t *stamp)
{
    return str_starts(line, STR("TimeStamp:")) && str_u64(str_trim(str_sub(line, 10, SIZE_MAX)), stamp);
}

/* ---- memory ---- */

struct meminfo_reading {
    struct reading g;
    struct prof_meminfo m;
    bool open;
};

static int take_meminfo(void *arg, struct str line, const struct where *w, struct err *e)
{
    static const char *const keys[N_PROF_MEMINFO] = { "MemTotal",     "MemFree",         "Buffers",
                                                      "Cached",       "Shmem",           "CommitLimit",
                                                      "Committed_AS", "HugePages_Total", "HugePages_Free" };
    struct meminfo_reading *x = arg;
    size_t colon = str_chr(line, ':');
    struct str word[1];
    uint64_t stamp;

    if (stamp_of(line, &stamp)) {
        x->m = (struct prof_meminfo){ .stamp = stamp };
        x->open = true;
        return OK;
    }
    if (!x->open)
        return OK;
    if (!lines_words(line, word, 1)) {
        x->open = false;
        return x->g.fn.mem(x->g.arg, &x->m, e);
    }
    for (size_t i = 0; colon != SIZE_MAX && i < N_PROF_MEMINFO; i++)
        if (str_eq(str_sub(line, 0, colon), str_of(keys[i])))
            return lines_words(str_sub(line, colon + 1, SIZE_MAX), word, 1) && str_u64(word[0], &x->m.v[i])
                       ? OK
                       : bad_line(x->g.p, w);
    return OK;
}

int prof_meminfo_read(struct prof *p, const struct prof_folder *f, prof_meminfo_fn *fn, void *arg,
                      struct err *e)
{
    struct meminfo_reading x = { .g = { .p = p, .f = f, .fn.mem = fn, .arg = arg } };

    return prof_read_lines(p, f, f && f->host ? PROF_HOST_SYS_MEM : PROF_SYS_MEM, take_meminfo, &x, e);
}

/* ---- processors ---- */

struct cpu_reading {
    struct reading g;
    uint64_t stamp;
    bool open;
};

static bool is_listed(struct str list, struct str number)
{
    struct str one;

    while (list.n && str_next(&list, ',', &one))
        if (str_eq(str_trim(one), number))
            return true;
    return false;
}

static enum prof_cpu_kind kind_of(const struct prof_folder *f, struct str number)
{
    if (number.n && is_listed(f->meta.ctrl_cpus, number))
        return PROF_CPU_CTRL;
    if (number.n && is_listed(f->meta.ai_cpus, number))
        return PROF_CPU_AI;
    return f->host ? PROF_CPU_HOST : PROF_CPU_OTHER;
}

static int take_cpu(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct cpu_reading *x = arg;
    struct prof_cputimes c = { .cpu = -1 };
    struct str word[N_PROF_CPUTIME + 2];
    size_t n = lines_words(line, word, ARRAY_LEN(word));
    int64_t cpu;

    if (!n || stamp_of(line, &x->stamp)) {
        x->open = n != 0;
        return OK;
    }
    if (!x->open || !str_starts(word[0], STR("cpu")))
        return OK;
    struct str number = str_sub(word[0], 3, SIZE_MAX);
    bool good = n >= N_PROF_CPUTIME + 1;
    if (number.n) {
        good = good && str_i64(number, &cpu) && cpu >= 0 && cpu <= INT32_MAX;
        c.cpu = good ? (int32_t)cpu : -1;
    }
    for (size_t i = 0; good && i < N_PROF_CPUTIME; i++)
        good = str_u64(word[i + 1], &c.v[i]);
    if (!good)
        return bad_line(x->g.p, w);
    c.stamp = x->stamp;
    c.kind = kind_of(x->g.f, number);
    return x->g.fn.cpu(x->g.arg, &c, e);
}

int prof_cputimes_read(struct prof *p, const struct prof_folder *f, prof_cputimes_fn *fn, void *arg,
                       struct err *e)
{
    struct cpu_reading x = { .g = { .p = p, .f = f, .fn.cpu = fn, .arg = arg } };

    return prof_read_lines(p, f, f && f->host ? PROF_HOST_SYS_CPU : PROF_SYS_CPU, take_cpu, &x, e);
}
