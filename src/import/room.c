/* SPDX-License-Identifier: Apache-2.0 */
/* How much room a store needs, how much there is, and which files are left when that is not enough. */
#include "config.h"

#include "import/room.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/unit.h"

#define FILE_MOST_B ((uint64_t)1 << 50) /* a larger size of a file is not true */
#define MIB         ((uint64_t)1 << 20)
#define DISK_B      (2 * MIB)  /* of a store without rows, and of its journal */
#define MEMORY_B    (20 * MIB) /* of an import without rows */
#define GZ_RATIO    12         /* unpacked : packed bytes of traces and tables */

/*
 * Bytes for 100 bytes of input: the larger figure of two inputs with 10^5 and 4 x 10^5 rows or events
 * (generated inputs, in MB: op_summary 48 and 192, kernel_details 48 and 193, task_time 24 and 95,
 * operator_memory 31 and 123, memory_record 6 and 24, trace 20 and 101) and a tenth more. disk: peak while
 * filling, files of rows beside the store included; memory: growth of the process. Other kinds are taken as
 * the worst.
 */
/* clang-format off */
static const struct ratio {
    const char *kind; /* NULL: others */
    unsigned store, disk, memory;
    unsigned memory_mib; /* at most this: the parser's tables are limited; 0: it grows with the input */
} ratios[] = {
    { "trace_view",       15,  15, 15, 96 },
    { "msprof_json",      15,  15, 15, 96 },
    { "kernel_details",   60, 105, 16,  0 },
    { "op_summary",       60, 105, 16,  0 },
    { "task_time",        47,  64, 38,  0 },
    { "operator_memory",  42,  75,  9,  0 },
    { "memory_record",   120, 205, 84,  0 },
    { NULL,              120, 205, 84,  0 },
};
/* clang-format on */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static const struct ratio *ratio_of(const struct file_kind *k)
{
    const struct ratio *r = ratios;

    while (r->kind && strcmp(r->kind, k->id) != 0)
        r++;
    return r;
}

struct room_need room_need(const struct plan_set *s, bool in_memory)
{
    struct room_need n = { 0, 0 };

    for (size_t i = 0; i < s->n; i++) {
        for (const struct source_file *f = s->files[i]; f; f = f->next_slice) {
            const struct ratio *r = ratio_of(f->kind);
            /* FILE_MOST_B * GZ_RATIO * 205 fits, whatever the file system says. */
            uint64_t size = smaller(f->size_b, FILE_MOST_B);
            size *= str_ends(str_of(f->rel), STR(".gz")) ? GZ_RATIO : 1;
            uint64_t memory = size * r->memory / 100;
            n.disk_b += in_memory ? 0 : size * r->disk / 100;
            n.memory_b += r->memory_mib ? smaller(memory, r->memory_mib * MIB) : memory;
            n.memory_b += in_memory ? size * r->store / 100 : 0;
        }
    }
    return n;
}

/* ---- room that there is ---- */

/* The number after key in a small file; key "": the first number of the file. ROOM_ANY: there is none. */
static uint64_t number_in(const char *path, const char *key)
{
    char text[8192];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    size_t skip = strlen(key);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    for (const char *line = text; *line;) {
        if (strncmp(line, key, skip) == 0) {
            const char *p = line + skip + strspn(line + skip, ": \t");
            return *p >= '0' && *p <= '9' ? strtoull(p, NULL, 10) : ROOM_ANY;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return ROOM_ANY;
}

/* Bytes that this process' control group (version 2) still allows; its cached files count as free. */
static uint64_t group_memory(void)
{
    char line[600] = "", path[700];
    int fd = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, line, sizeof line - 1);

    if (fd >= 0)
        close(fd);
    line[n > 0 ? n : 0] = 0;
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "0::", 3) != 0)
        return ROOM_ANY;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", line + 3);
    uint64_t max = number_in(path, "");
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.current", line + 3);
    uint64_t used = number_in(path, "");
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.stat", line + 3);
    uint64_t cached = number_in(path, "file ");
    if (max == ROOM_ANY || used == ROOM_ANY)
        return ROOM_ANY;
    return minus(max, minus(used, cached == ROOM_ANY ? 0 : cached));
}

static uint64_t own_limit(void)
{
    struct rlimit l;

    if (getrlimit(RLIMIT_AS, &l) || l.rlim_cur == RLIM_INFINITY)
        return ROOM_ANY;
    uint64_t pages = number_in("/proc/self/statm", "");
    return minus(l.rlim_cur, pages == ROOM_ANY ? 0 : pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

void room_measure(struct room *r, const char *store_path)
{
    struct statvfs fs;
    uint64_t kib = number_in("/proc/meminfo", "MemAvailable");

    *r = (struct room){ .disk_b = ROOM_ANY };
    r->memory_b = smaller(kib == ROOM_ANY ? ROOM_ANY : kib * 1024, smaller(group_memory(), own_limit()));
    if (store_path && path_dir(r->place, sizeof r->place, store_path) && statvfs(r->place, &fs) == 0)
        r->disk_b = (uint64_t)fs.f_bavail * (uint64_t)fs.f_frsize;
}

/* ---- memory of a worker ---- */

#define WORKER_B ((uint64_t)96 << 20) /* apart from what it keeps of raw data */
/* Memory that raw data need: 10^6 tasks of 981 MiB took 350 MiB, and a tenth more. */
#define RAW_KEPT_PERCENT 40

static bool is_raw(const struct source_file *f)
{
    return f->kind && str_starts(str_of(f->kind->id), STR("raw_"));
}

uint64_t room_worker_b(const struct unit *u, uint64_t jobs, uint64_t free_b)
{
    uint64_t workers = jobs ? jobs : 1, share = LIM_IMPORT_B / workers, need = 0;

    share = share > LIM_IMPORT_SHARE_B ? share : LIM_IMPORT_SHARE_B;
    for (size_t i = 0; i < u->n_files; i++) {
        uint64_t size = u->files[i]->size_b;
        if (is_raw(u->files[i]) &&
            (size >= FILE_MOST_B || __builtin_add_overflow(need, size / 100 * RAW_KEPT_PERCENT, &need)))
            return share; /* no such file was ever written */
    }
    need += need ? WORKER_B : 0;
    need = free_b == ROOM_ANY ? need : smaller(need, free_b / workers);
    return need > share ? need : share;
}

/* ---- sets left for later ---- */

/* Sets of one topic and rank; the first of them is read. */
struct topic {
    size_t from, n;
    struct room_need need;
};

static size_t topic_at(const struct plan *p, size_t i, bool in_memory, struct topic *t)
{
    *t = (struct topic){ .from = i, .n = 1 };
    while (i + t->n < p->n && plan_same_topic(&p->sets[i], &p->sets[i + t->n]))
        t->n++;
    if (plan_is_read(&p->sets[i]))
        t->need = room_need(&p->sets[i], in_memory);
    return i + t->n;
}

static const char *first_name(const struct plan *p, size_t i)
{
    return path_base(p->sets[i].files[0]->rel);
}

static void leave_topic(struct plan *p, const struct topic *t, const char *note)
{
    for (size_t k = t->from; k < t->from + t->n; k++) {
        if (p->sets[k].done)
            continue;
        p->sets[k].later = true;
        snprintf(p->sets[k].no_room, sizeof p->sets[k].no_room, "%s", note);
    }
}

/* Whether disk or memory is scarce, with bytes needed and free. */
struct scarce {
    bool memory;
    uint64_t need_b, free_b;
};

static bool is_scarce(const struct room *r, const struct room_need *need, struct scarce *s)
{
    bool memory = need->memory_b > r->memory_b;

    *s = (struct scarce){ memory, memory ? need->memory_b : need->disk_b, memory ? r->memory_b : r->disk_b };
    return s->need_b > s->free_b;
}

/*
 * Figures come first: a screen has room for those. place: "" for memory, and where the text has it elsewhere.
 */
static void tell(char *why, size_t n, const struct scarce *s, const char *place, const char *advice)
{
    char need[32], have[32];

    unit_size(need, sizeof need, (double)s->need_b, SIZE_AUTO);
    unit_size(have, sizeof have, (double)s->free_b, SIZE_AUTO);
    snprintf(why, n, "about %s of %s needed, %s free%s%s; %s", need, s->memory ? "memory" : "disk", have,
             place[0] ? " in " : "", place, advice);
}

static const char *advice_on(const struct room *r, bool memory)
{
    if (!memory)
        return "make room, use --db=FILE on another disk, or set XDG_CACHE_HOME";
    return r->place[0] ? "end other programs and run it again" : "keep the store on a disk with --db=FILE";
}

/* The topic that needs most of what is scarce; false: none can be left. */
static bool find_largest(const struct plan *p, bool in_memory, bool memory, struct topic *out)
{
    uint64_t most = 0;
    struct topic t;

    for (size_t i = 0; i < p->n;) {
        size_t next = topic_at(p, i, in_memory, &t);
        uint64_t need = memory ? t.need.memory_b : t.need.disk_b;
        if (need > most) {
            most = need;
            *out = t;
        }
        i = next;
    }
    return most > PLAN_LATER_B / 2;
}

static struct room_need sum_of(const struct plan *p, bool in_memory)
{
    struct room_need sum = { DISK_B, MEMORY_B };
    struct topic t;

    for (size_t i = 0; i < p->n;) {
        i = topic_at(p, i, in_memory, &t);
        sum.disk_b += t.need.disk_b;
        sum.memory_b += t.need.memory_b;
    }
    return sum;
}

static unsigned count_left(const struct plan *p, size_t *first)
{
    unsigned n = 0;

    for (size_t i = 0; i < p->n; i++) {
        if (!p->sets[i].no_room[0] || (i && plan_same_topic(&p->sets[i - 1], &p->sets[i])))
            continue;
        *first = n ? *first : i;
        n += (unsigned)p->sets[i].n;
    }
    return n;
}

/* "trace_view.json and 2 more are not read: " and the rest. */
static void report_left(const struct plan *p, const char *rest, char *why, size_t n)
{
    size_t first = 0;
    unsigned left = count_left(p, &first);
    char more[40] = " is";

    if (left > 1)
        snprintf(more, sizeof more, " and %u more are", left - 1);
    snprintf(why, n, "%s%s not read: %s", first_name(p, first), more, rest);
}

int room_leave(struct plan *p, const struct room *r, char *why, size_t n, struct err *e)
{
    bool in_memory = !r->place[0];
    struct room_need need = sum_of(p, in_memory);
    struct scarce s, at_first;
    char rest[600], note[PLAN_NOTE_B] = "no room: ";
    size_t mark = strlen(note);
    struct topic t;

    why[0] = 0;
    if (!is_scarce(r, &need, &at_first))
        return OK;
    const char *advice = advice_on(r, at_first.memory);
    tell(note + mark, sizeof note - mark, &at_first, "", advice);
    while (is_scarce(r, &need, &s)) {
        if ((s.memory && r->shared) || !find_largest(p, in_memory, s.memory, &t)) {
            err_set(e, s.memory ? ERR_NOMEM : ERR_FULL, "%s", note + mark);
            err_where(e, in_memory ? NULL : r->place, ERR_NO_OFFSET, 0);
            return e->code;
        }
        leave_topic(p, &t, note);
        need = sum_of(p, in_memory);
    }
    plan_count(p);
    tell(rest, sizeof rest, &at_first, at_first.memory ? "" : r->place, advice);
    report_left(p, rest, why, n);
    return OK;
}

void room_was_full(struct plan *p, size_t i, size_t n_topic, const struct room *r, char *why, size_t n)
{
    const struct topic t = { .from = i, .n = n_topic };
    char rest[600];

    leave_topic(p, &t, "no room: the disk was full");
    plan_count(p);
    snprintf(rest, sizeof rest, "the disk is full (%.400s); %s", r->place, advice_on(r, false));
    report_left(p, rest, why, n);
}

void room_full_error(const struct room *r, struct err *e)
{
    err_clear(e);
    err_set(e, ERR_FULL, "the disk is full; %s", advice_on(r, false));
    err_where(e, r->place[0] ? r->place : NULL, ERR_NO_OFFSET, 0);
}
