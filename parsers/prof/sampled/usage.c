/* SPDX-License-Identifier: Apache-2.0 */
/* How busy the host was: memory, disks, network, calls of the system. Processors: usage_cpu.c. */
#include "config.h"

#include "parsers/prof/sampled/usage.h"

#include <math.h>

#include "base/round.h"
#include "parsers/read/lines.h"

struct reading {
    struct prof *p;
    const struct prof_folder *f;
    union {
        prof_mem_use_fn *mem;
        prof_disk_use_fn *disk;
        prof_net_use_fn *net;
        prof_os_call_fn *call;
    } fn;
    void *arg;
};

static int bad_line(const struct reading *g, const struct where *w)
{
    prof_note_at(g->p, NOTE_BAD_ROW, w, "a line that is no sample was left out");
    return OK;
}

/* ---- memory ---- */

#define PAGE_KB 4

static int take_mem(void *arg, struct str line, const struct where *w, struct err *e)
{
    const struct reading *g = arg;
    struct prof_mem_use u;
    struct str word[3];
    size_t n = lines_words(line, word, ARRAY_LEN(word));

    if (!n)
        return OK;
    if (n < 3 || !str_i64(word[0], &u.ns) || !str_u64(word[2], &u.pages))
        return bad_line(g, w);
    u.usage_e6 = prof_half_even((__int128)u.pages * PAGE_KB * 100 * 1000000, g->f->meta.memory_kb);
    return g->fn.mem(g->arg, &u, e);
}

int prof_mem_use_read(struct prof *p, const struct prof_folder *f, prof_mem_use_fn *fn, void *arg,
                      struct err *e)
{
    struct reading g = { .p = p, .f = f, .fn.mem = fn, .arg = arg };

    if (prof_has(f, PROF_HOST_MEM) && !f->meta.memory_kb)
        prof_note(p, f, PROF_HOST_MEM, NOTE_BAD_VALUE,
                  "info.json does not say how much memory there is: the share in use is unknown");
    return prof_read_lines(p, f, PROF_HOST_MEM, take_mem, &g, e);
}

/* ---- disks: lines of iotop, each of an interval ---- */

struct disk_reading {
    struct reading g;
    double at, interval; /* ns */
};

static double kbs_of(struct str number, struct str unit, bool *good)
{
    static const struct {
        const char *unit;
        double kb;
    } units[] = { { "B/s", 1.0 / 1024 }, { "K/s", 1 },       { "KB/s", 1 },      { "M/s", 1024 },
                  { "MB/s", 1024 },      { "G/s", 1048576 }, { "GB/s", 1048576 } };
    double v;

    *good = str_f64(number, &v) && isfinite(v) && v >= 0;
    for (size_t i = 0; *good && i < ARRAY_LEN(units); i++)
        if (str_eq(unit, str_of(units[i].unit)))
            return v * units[i].kb;
    return *good ? v : 0;
}

static int take_disk(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct disk_reading *d = arg;
    struct prof_disk_use u = { .usage = 0 };
    struct str word[12];
    size_t n = lines_words(line, word, ARRAY_LEN(word));
    bool good[2];
    uint64_t pid;

    /* totals and headers have no process */
    if (n < 8 || !str_u64(word[1], &pid))
        return OK;
    u.read_kbs = kbs_of(word[4], word[5], &good[0]);
    u.write_kbs = kbs_of(word[6], word[7], &good[1]);
    if (!good[0] || !good[1])
        return bad_line(&d->g, w);
    if (n >= 11 && str_find(line, STR("unavailable"), 0) == SIZE_MAX &&
        (!str_f64(word[10], &u.usage) || !isfinite(u.usage)))
        return bad_line(&d->g, w);
    u.from = d->at;
    u.to = d->at += d->interval;
    return d->g.fn.disk(d->g.arg, &u, e);
}

/* The beginning may be anywhere in the file; the last one counts. */
static int find_start(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct disk_reading *d = arg;
    struct str word[2];
    uint64_t v;

    (void)w;
    (void)e;
    if (lines_words(line, word, 2) == 2 && str_eq(word[0], STR("start_time")) && str_u64(word[1], &v))
        d->at = (double)v;
    return OK;
}

int prof_disk_use_read(struct prof *p, const struct prof_folder *f, prof_disk_use_fn *fn, void *arg,
                       struct err *e)
{
    struct disk_reading d = { .g = { .p = p, .f = f, .fn.disk = fn, .arg = arg } };

    if (!prof_has(f, PROF_HOST_DISK))
        return OK;
    if (!(f->meta.disk_hz > 0)) {
        prof_note(p, f, PROF_HOST_DISK, NOTE_BAD_VALUE,
                  "sample.json does not say how often disks were asked (host_disk_freq)");
        return OK;
    }
    d.interval = 1 / f->meta.disk_hz * 1e9;
    if (prof_read_lines(p, f, PROF_HOST_DISK, find_start, &d, e))
        return e->code;
    if (!(d.at > 0)) {
        prof_note(p, f, PROF_HOST_DISK, NOTE_NO_CLOCK, "no start_time: its samples have no time");
        return OK;
    }
    return prof_read_lines(p, f, PROF_HOST_DISK, take_disk, &d, e);
}

/* ---- network: /proc/net/dev, each below a line "time NS" ---- */

struct card {
    uint64_t rx, tx;
    bool there;
};
struct net_reading {
    struct reading g;
    struct net_block {
        struct card card[PROF_NETCARDS];
        unsigned last; /* card of the last line that has one */
        int64_t ns;
        bool timed, any;
    } now, before;
};

static int put_net(struct net_reading *x, struct err *e)
{
    const struct prof_netcard *known = x->g.f->meta.netcard;
    struct prof_net_use u = { .from = x->before.ns, .to = x->now.ns };

    if (!x->before.timed || !x->now.timed || !x->now.any)
        return OK;
    for (size_t i = 0; i < x->g.f->meta.n_netcards; i++) {
        const struct card *a = &x->before.card[i], *b = &x->now.card[i];
        if (!a->there || !b->there || b->rx < a->rx || b->tx < a->tx)
            continue;
        if (__builtin_add_overflow(u.bytes, b->rx - a->rx, &u.bytes) ||
            __builtin_add_overflow(u.bytes, b->tx - a->tx, &u.bytes))
            return OK;
        u.speed += known[i].bytes_per_s;
        u.cards++;
    }
    u.last_speed = known[x->now.last].bytes_per_s;
    return u.cards ? x->g.fn.net(x->g.arg, &u, e) : OK;
}

static int next_block(struct net_reading *x, struct str stamp, const struct where *w, struct err *e)
{
    if (put_net(x, e))
        return e->code;
    x->before = x->now;
    x->now = (struct net_block){ .timed = false };
    x->now.timed = str_i64(stamp, &x->now.ns);
    return x->now.timed ? OK : bad_line(&x->g, w);
}

static int take_net(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct net_reading *x = arg;
    struct str word[9];
    size_t colon = str_chr(line, ':'), i = 0;

    if (str_starts(line, STR("time ")))
        return next_block(x, str_trim(str_sub(line, 5, SIZE_MAX)), w, e);
    if (colon == SIZE_MAX)
        return OK;
    struct str name = str_trim(str_sub(line, 0, colon));
    while (i < x->g.f->meta.n_netcards && !str_eq(x->g.f->meta.netcard[i].name, name))
        i++;
    if (i == x->g.f->meta.n_netcards)
        return OK;
    struct card *c = &x->now.card[i];
    if (lines_words(str_sub(line, colon + 1, SIZE_MAX), word, 9) < 9 || !str_u64(word[0], &c->rx) ||
        !str_u64(word[8], &c->tx))
        return bad_line(&x->g, w);
    c->there = x->now.any = true;
    x->now.last = (unsigned)i;
    return OK;
}

int prof_net_use_read(struct prof *p, const struct prof_folder *f, prof_net_use_fn *fn, void *arg,
                      struct err *e)
{
    struct net_reading x = { .g = { .p = p, .f = f, .fn.net = fn, .arg = arg } };

    if (!prof_has(f, PROF_HOST_NET))
        return OK;
    if (!f->meta.n_netcards) {
        prof_note(p, f, PROF_HOST_NET, NOTE_BAD_VALUE,
                  "info.json knows no network card with a speed: what was sent is not used");
        return OK;
    }
    if (prof_read_lines(p, f, PROF_HOST_NET, take_net, &x, e))
        return e->code;
    return put_net(&x, e);
}

double prof_net_use_percent(const struct prof_net_use *u)
{
    double s = ((double)u->to - (double)u->from) / 1e9;

    return s > 0 && u->speed > 0 ? (double)u->bytes / s * 100 / u->speed : 0;
}

double prof_net_use_kbs(const struct prof_net_use *u)
{
    double s = ((double)u->to - (double)u->from) / 1e9;

    return s > 0 ? (double)u->bytes / s / 1024 : 0;
}

/* ---- calls ---- */

#define NS_PER_MS 1000000
#define FAR_NS    (INT64_MAX / 4) /* no time of a call, so that sums fit */
#define NS_PER_S  1000000000

struct call_reading {
    struct reading g;
    int64_t first; /* stamp of the first call */
    bool has_first;
};

static int put_call(struct call_reading *x, struct prof_os_call *c, struct str name, struct err *e)
{
    int64_t since;

    if (!x->has_first)
        x->first = c->start;
    x->has_first = true;
    if (!name.n || str_eq(name, STR("pthread_once")) || c->dur > FAR_NS || c->start > FAR_NS ||
        __builtin_sub_overflow(c->start, x->first, &since) ||
        __builtin_add_overflow(since, x->g.f->meta.start_mono_ns, &c->start) || c->start > FAR_NS ||
        c->start < -FAR_NS)
        return OK;
    c->name = prof_text(x->g.p, name);
    return c->name == PROF_NONE ? err_nomem(e) : x->g.fn.call(x->g.arg, c, e);
}

static struct str last_word(struct str s)
{
    s = str_trim(s);
    return str_after_last(s, ' ');
}

/* perf trace: "191419454.930 ( 0.002 ms): COMMAND/TID NAME(...) = 0", times in ms. */
static int take_syscall(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct call_reading *x = arg;
    struct prof_os_call c = { .thread = (uint32_t)x->g.f->meta.pid };
    uint64_t thread;

    line = str_trim(line);
    if (!line.n || line.p[0] == '?') /* the rest of a call that began before */
        return OK;
    size_t open = str_find(line, STR(" ("), 0), ms = str_find(line, STR(" ms):"), 0);
    if (open == SIZE_MAX || ms == SIZE_MAX || ms < open ||
        !str_scaled(str_trim(str_sub(line, 0, open)), NS_PER_MS, &c.start, NULL) ||
        !str_scaled(str_trim(str_sub(line, open + 2, ms - open - 2)), NS_PER_MS, &c.dur, NULL) || c.dur < 0)
        return bad_line(&x->g, w);
    struct str call = str_sub(line, ms + 5, SIZE_MAX);
    call = str_sub(call, 0, str_chr(call, '('));
    struct str name = last_word(call), who = str_trim(str_sub(call, 0, call.n - name.n));
    if (str_chr(who, '/') != SIZE_MAX && str_u64(str_after_last(who, '/'), &thread))
        c.thread = (uint32_t)thread;
    return put_call(x, &c, name, e);
}

/* ltrace: "[pid TID] SECONDS LIBRARY->NAME(...) = 0 <SECONDS>". A call without a duration did not end. */
static int take_pthread(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct call_reading *x = arg;
    struct prof_os_call c = { .dur = 0 };
    struct str word[5], s = str_trim(line);
    size_t less = str_rchr(s, '<'), n = lines_words(s, word, ARRAY_LEN(word));
    uint64_t thread;

    if (n < 5 || less == SIZE_MAX || !str_ends(s, STR(">")) || str_ends(s, STR("...>")))
        return OK;
    struct str tid = str_sub(word[1], 0, word[1].n - str_ends(word[1], STR("]")));
    if (!str_u64(tid, &thread) || !str_scaled(word[2], NS_PER_S, &c.start, NULL) ||
        !str_scaled(str_sub(s, less + 1, s.n - less - 2), NS_PER_S, &c.dur, NULL) || c.dur < 0)
        return bad_line(&x->g, w);
    c.thread = (uint32_t)thread;
    size_t arrow = str_find(word[3], STR("->"), 0);
    struct str name = arrow == SIZE_MAX ? word[4] : str_sub(word[3], arrow + 2, SIZE_MAX);
    return put_call(x, &c, str_sub(name, 0, str_chr(name, '(')), e);
}

int prof_os_call_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_os_call_fn *fn,
                      void *arg, struct err *e)
{
    struct call_reading x = { .g = { .p = p, .f = f, .fn.call = fn, .arg = arg } };

    return prof_read_lines(p, f, tag, tag == PROF_HOST_SYSCALL ? take_syscall : take_pthread, &x, e);
}
