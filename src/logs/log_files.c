/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "logs/log_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "parsers/logs/log_time.h"
#include "run/dir.h"

/*
 * Names of logs (doc/formats/logs.md#kinds-of-logs). In a pattern '#' is a run of digits, '*' anything;
 * below: a folder that the file must lie in at any depth, NULL: anywhere. What the first number of the name
 * is.
 */
enum number { NUMBER_NONE, NUMBER_PID, NUMBER_RANK, NUMBER_DEVICE };
static const struct log_name {
    const char *pattern, *below;
    enum log_kind kind;
    enum number first;
} names[] = {
    { "plog-parser-#-#.log", NULL, LOG_PLOG, NUMBER_PID },
    { "plog-#_#.log", NULL, LOG_PLOG, NUMBER_PID },
    { "device-os_#.log", NULL, LOG_DEVICE, NUMBER_NONE },
    { "event_#.log", NULL, LOG_DEVICE, NUMBER_NONE },
    { "device-#_#.log", "slog", LOG_DEVICE, NUMBER_DEVICE },
    { "device-#_#.log", NULL, LOG_DEVLOG, NUMBER_PID },
    { "history.log", NULL, LOG_BBOX, NUMBER_NONE },
    { "driver.txt", "hisi_logs", LOG_BBOX, NUMBER_NONE },
    { "os_info.txt", "hisi_logs", LOG_BBOX, NUMBER_NONE },
    { "hbm.txt", "hisi_logs", LOG_BBOX, NUMBER_NONE },
    { "kernel.log", "hisi_logs", LOG_BBOX, NUMBER_NONE },
    { "host_kernel.log", NULL, LOG_HOST, NUMBER_NONE },
    { "messages*", NULL, LOG_HOST, NUMBER_NONE },
    { "syslog*", NULL, LOG_HOST, NUMBER_NONE },
    { "kern.log*", NULL, LOG_HOST, NUMBER_NONE },
    { "dmesg*", NULL, LOG_HOST, NUMBER_NONE },
    { "vmcore*dmesg.txt", NULL, LOG_HOST, NUMBER_NONE },
    { "sysmonitor.log*", NULL, LOG_HOST, NUMBER_NONE },
    { "scheduler.log", NULL, LOG_LAUNCHER, NUMBER_NONE },
    { "msrun*.log", NULL, LOG_LAUNCHER, NUMBER_NONE },
    { "agent*.log", NULL, LOG_LAUNCHER, NUMBER_NONE },
    { "torchrun*.log", NULL, LOG_LAUNCHER, NUMBER_NONE },
    { "slurm-#.out", NULL, LOG_LAUNCHER, NUMBER_NONE },
    { "nohup.out", NULL, LOG_CONSOLE, NUMBER_NONE },
    { "rank-#.txt", NULL, LOG_CONSOLE, NUMBER_RANK },
    { "rank-#.log", NULL, LOG_CONSOLE, NUMBER_RANK },
    { "rank_#.log", NULL, LOG_CONSOLE, NUMBER_RANK },
    { "worker_#.log", NULL, LOG_CONSOLE, NUMBER_RANK },
    { "worker-#.txt", NULL, LOG_CONSOLE, NUMBER_NONE },
    { "modelarts-job-*-proc-rank-#-device-#.txt", NULL, LOG_CONSOLE, NUMBER_RANK },
    { "modelarts-job-*-worker-#.log", NULL, LOG_CONSOLE, NUMBER_NONE },
    { "info.log", "rank_#", LOG_CONSOLE, NUMBER_NONE },
    { "error.log", "rank_#", LOG_CONSOLE, NUMBER_NONE },
    { "stdout.log", "attempt_#", LOG_CONSOLE, NUMBER_NONE },
    { "stderr.log", "attempt_#", LOG_CONSOLE, NUMBER_NONE },
    { "npu_info_*.txt", NULL, LOG_ENV, NUMBER_NONE },
    { "devicePlugin*.log", NULL, LOG_AGENT, NUMBER_NONE },
    { "noded*.log", NULL, LOG_AGENT, NUMBER_NONE },
    { "npu-exporter*.log", NULL, LOG_AGENT, NUMBER_NONE },
    { "volcano-*.log", NULL, LOG_AGENT, NUMBER_NONE },
    { "runtime-run.log", NULL, LOG_AGENT, NUMBER_NONE },
    { "hook-run.log", NULL, LOG_AGENT, NUMBER_NONE },
    { "ttp_log.log*", NULL, LOG_AGENT, NUMBER_NONE },
    { "log_1_#.log", NULL, LOG_AGENT, NUMBER_NONE },
    { "hccl_trace_rank_#", NULL, LOG_FLIGHT, NUMBER_RANK },
    { "nccl_trace_rank_#", NULL, LOG_FLIGHT, NUMBER_RANK },
    { "comm_lib_trace_rank_#", NULL, LOG_FLIGHT, NUMBER_RANK },
    { "hccl_trace_rank_#_py_traceback", NULL, LOG_STACK, NUMBER_RANK },
    { "nccl_trace_rank_#_py_traceback", NULL, LOG_STACK, NUMBER_RANK },
    { "torch_hccl_status-#_*.log", NULL, LOG_STATUS, NUMBER_RANK },
};

/* Folders of which every level holds logs or leads to them; as parts of a path they name no server. */
static const char *const log_folders[] = {
    "log",
    "logs",
    "process_log",
    "device_log",
    "plog",
    "debug",
    "run",
    "security",
    "slog",
    "hisi_logs",
    "dl_log",
    "devicePlugin",
    "environment_check",
    "msrun_log",
    "worker_log",
    "output",
    "ascend",
    "host",
    "tmp",
    "device-os",
    "event",
    "crash",
    "atrace",
    "mindie",
    "ttp_log",
    "dev-os-#",
    "device-#",
    "rank_#",
    "rank-#",
    "attempt_#",
    "#",
};
/* Those of servers, which a search in the neighbourhood enters too. */
static const char *const server_folders[] = { "worker-#", "worker_#", "node-#", "node_#", "server-#", "w_#" };
/* Those that hold nothing but logs. */
static const char *const plain_folders[] = { "log",   "logs",      "process_log", "device_log",
                                             "plog",  "msrun_log", "worker_log",  "environment_check",
                                             "debug", "run" };
/* Folders of a profile: large, and without logs. */
static const char *const profile_folders[] = { "PROF_*",
                                               "FRAMEWORK",
                                               "ASCEND_PROFILER_OUTPUT",
                                               "mindstudio_profiler_output",
                                               "mindstudio_profiler_log",
                                               "*_ascend_ms",
                                               "*_ascend_pt",
                                               "profiler",
                                               "analyze",
                                               ".git" };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* first: the first run of digits that a '#' took. */
static bool fits(const char *p, const char *s, struct str *first)
{
    const char *star = NULL, *again = NULL;

    for (;;) {
        if (*p == '#' && is_digit(*s)) {
            const char *from = s;
            while (is_digit(*s))
                s++;
            if (first && !first->p)
                *first = (struct str){ from, (size_t)(s - from) };
            p++;
        } else if (*p == '*') {
            star = ++p;
            again = s;
        } else if (*p == *s && *p != '#') {
            if (!*p)
                return true;
            p++;
            s++;
        } else if (star && *again) {
            p = star;
            s = ++again;
        } else {
            return false;
        }
    }
}

static bool fits_one(const char *const *patterns, size_t n, const char *s)
{
    for (size_t i = 0; i < n; i++)
        if (fits(patterns[i], s, NULL))
            return true;
    return false;
}
#define FITS_ONE(patterns, s) fits_one(patterns, sizeof(patterns) / sizeof *(patterns), s)

/* The next part of a path into buf; false: the last one (the file) is reached. */
static bool next_folder(const char **path, char *buf, size_t n)
{
    const char *slash = strchr(*path, '/');
    if (!slash)
        return false;
    str_copy((struct str){ *path, (size_t)(slash - *path) }, buf, n);
    *path = slash + 1;
    return true;
}

/* A folder of the path fits; its number. */
static bool lies_below(const char *name, const char *pattern, struct str *number)
{
    char part[256];
    const char *at = name;

    while (next_folder(&at, part, sizeof part)) {
        struct str first = STR_NULL;
        if (fits(pattern, part, &first)) {
            if (number && first.p)
                *number = str_sub((struct str){ name, strlen(name) },
                                  (size_t)(at - name) - strlen(part) - 1 + (size_t)(first.p - part), first.n);
            return true;
        }
    }
    return false;
}

static int small(struct str digits)
{
    int64_t v;
    return digits.p && str_i64(digits, &v) && v < 1 << 24 ? (int)v : -1;
}

bool log_files_know(const char *name, struct log_found *out)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    char bare[256];
    size_t len = strlen(base);

    if (len >= sizeof bare)
        return false;
    memcpy(bare, base, len + 1);
    if (len > 3 && !strcmp(bare + len - 3, ".gz"))
        bare[len - 3] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str first = STR_NULL, number = STR_NULL;
        if (!fits(names[i].pattern, bare, &first) ||
            (names[i].below && !lies_below(name, names[i].below, NULL)))
            continue;
        out->kind = names[i].kind;
        out->pid = out->rank = out->device = -1;
        out->stamp_ns = 0;
        if (names[i].first == NUMBER_PID && !str_i64(first, &out->pid))
            out->pid = -1;
        out->rank = names[i].first == NUMBER_RANK ? small(first) : -1;
        if (out->rank < 0 && (lies_below(name, "rank_#", &number) || lies_below(name, "rank-#", &number)))
            out->rank = small(number);
        number = STR_NULL;
        out->device = names[i].first == NUMBER_DEVICE ? small(first) : -1;
        if (out->device < 0 &&
            (lies_below(name, "dev-os-#", &number) || lies_below(name, "device-#", &number)))
            out->device = small(number);
        const char *stamp = strrchr(bare, '_');
        if (stamp)
            (void)log_time_stamp(str_sub(str_of(stamp), 1, 17), &out->stamp_ns);
        return true;
    }
    return false;
}

/* ---- searching ---- */

struct search {
    struct log_list *out;
    struct arena *a;
    const char *root;
    enum log_reach reach;
    size_t room, servers_room, seen;
};

/* The first part of the path that is no folder of logs is its server's. */
static int server_of(struct search *s, const char *name, struct err *e)
{
    char part[256] = "";
    const char *at = name;
    bool named = false;

    while (!named && next_folder(&at, part, sizeof part))
        named = !FITS_ONE(log_folders, part);
    if (!named)
        part[0] = '\0';
    for (size_t i = 0; i < s->out->n_servers; i++)
        if (!strcmp(s->out->servers[i].name, part))
            return (int)i;
    struct log_folder *v = grow_array(s->out->servers, s->out->n_servers, &s->servers_room, sizeof *v, 8);
    if (!v) {
        err_nomem(e);
        return 0;
    }
    s->out->servers = v;
    v[s->out->n_servers].name = arena_str(s->a, str_of(part)).p;
    return (int)s->out->n_servers++;
}

static int add_file(struct search *s, int fd, const char *name, const char *below, struct err *e)
{
    struct log_found f = { 0 };
    struct stat st;

    if (!log_files_know(below, &f) || fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
        return OK;
    f.path = arena_printf(s->a, "%s/%s", s->root, below);
    f.name = arena_str(s->a, str_of(below)).p;
    f.size = (uint64_t)st.st_size;
    f.modified_ns = (int64_t)st.st_mtim.tv_sec * LOG_S_NS + st.st_mtim.tv_nsec;
    f.server = server_of(s, below, e);
    struct log_found *v = grow_array(s->out->v, s->out->n, &s->room, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    s->out->v = v;
    if (!f.path || !f.name || e->code)
        return err_nomem(e);
    v[s->out->n++] = f;
    return OK;
}

static bool wanted(const struct search *s, const char *name, bool top)
{
    if (s->reach == LOG_FLAT || FITS_ONE(profile_folders, name))
        return false;
    if (s->reach == LOG_NEAR && top)
        return FITS_ONE(plain_folders, name) || FITS_ONE(server_folders, name);
    return s->reach == LOG_ALL || FITS_ONE(log_folders, name) || FITS_ONE(server_folders, name);
}

static void count_unread(struct log_list *l, struct arena *a, const char *folder, const char *below)
{
    if (!l->unread++)
        l->unread_path = arena_printf(a, "%s%s%s", folder, *below ? "/" : "", below);
}

/* below: path of the folder below the root, "" for the root itself. */
static int walk(struct search *s, int fd, const char *below, unsigned depth, struct err *e)
{
    struct dir_list list = { 0 };
    struct err here = { 0 };

    if (dir_read(&list, fd, LIM_LOG_ENTRIES, s->a, &here)) {
        if (here.code == ERR_NOMEM)
            return err_nomem(e);
        count_unread(s->out, s->a, s->root, below);
        return OK;
    }
    for (size_t i = 0; i < list.n; i++) {
        const struct dir_item *d = &list.v[i];
        if (++s->seen > LIM_LOG_ENTRIES) {
            s->out->cut = true;
            return OK;
        }
        const char *path = arena_printf(s->a, "%s%s%s", below, *below ? "/" : "", d->name);
        if (!path)
            return err_nomem(e);
        if (d->type == DIR_FILE && add_file(s, fd, d->name, path, e))
            return e->code;
        if (d->type != DIR_DIR || depth == LIM_LOG_DEPTH || !wanted(s, d->name, !depth))
            continue;
        int sub = dir_open(fd, d->name);
        if (sub < 0) {
            count_unread(s->out, s->a, s->root, path);
            continue;
        }
        (void)walk(s, sub, path, depth + 1, e);
        close(sub);
        if (e->code)
            return e->code;
    }
    return OK;
}

int log_files_find(struct log_list *out, const char *folder, enum log_reach reach, struct arena *a,
                   struct err *e)
{
    struct search s = { out, a, folder, reach, out->n, out->n_servers, 0 };
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0) {
        if (errno == EACCES)
            count_unread(out, a, folder, "");
        return OK;
    }
    (void)walk(&s, fd, "", 0, e);
    close(fd);
    return e->code;
}

static int by_path(const void *x, const void *y)
{
    const struct log_found *a = x, *b = y;
    return str_cmp_natural(str_of(a->path), str_of(b->path));
}

void log_files_sort(struct log_list *l)
{
    size_t to = 0;

    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_path);
    for (size_t i = 0; i < l->n; i++)
        if (!to || strcmp(l->v[to - 1].path, l->v[i].path))
            l->v[to++] = l->v[i];
    l->n = to;
}
