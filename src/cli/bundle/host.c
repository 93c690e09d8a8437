/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of this host and session: the job may have run elsewhere, or with other variables, which is said. */
#include "config.h"

#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/path.h"
#include "base/read/infile.h"
#include "base/unit.h"
#include "cli/bundle/excerpt.h"
#include "cli/bundle/parts.h"

#define TEXT_MAX ((size_t)1 << 20)
#define VALUE_B  4096
#define SMALL_B  ((size_t)1 << 20)

extern char **environ;

/* Variables that jobs on Ascend and their launchers read, by how their names begin. */
static const char *const variables[] = {
    "ASCEND",  "ATB_",   "COLORTERM", "DEVICE_",     "GE_",  "GLOG_",  "GRAPH_", "HCCL_",      "LANG",
    "LC_",     "LOCAL_", "MASTER_",   "MINDSPORE",   "MS_",  "MSPROF", "NPU",    "OMPI_COMM",  "PROF",
    "PYTORCH", "RANK",   "SLURM_",    "TASK_QUEUE_", "TERM", "TORCH",  "TMUX",   "WORLD_SIZE",
};
/* Words in a name whose value is nobody's business. */
static const char *const secrets[] = { "TOKEN", "SECRET", "PASS", "KEY", "CRED", "AUTH" };

/* Versions of driver, firmware and toolkit as their installers leave them. */
static const char *const version_files[] = {
    "/etc/os-release",
    "/etc/ascend_install.info",
    "/usr/local/Ascend/driver/version.info",
    "/usr/local/Ascend/firmware/version.info",
    "/usr/local/Ascend/*/latest/version.cfg",
    "/usr/local/Ascend/*/latest/*/ascend_toolkit_install.info",
    "/usr/local/Ascend/*/latest/*/ascend_nnae_install.info",
};

static const struct {
    const char *name;
    unsigned char resource; /* RLIMIT_..., which getrlimit() takes as int or as an enum */
    bool bytes;
} limits[] = {
    { "open files", RLIMIT_NOFILE, false }, { "core file", RLIMIT_CORE, true },
    { "file size", RLIMIT_FSIZE, true },    { "address space", RLIMIT_AS, true },
    { "processes", RLIMIT_NPROC, false },   { "locked memory", RLIMIT_MEMLOCK, true },
};

/* The value of the first line "NAME : value" of a file; "" none. */
static void value_of(const char *path, const char *name, char *out, size_t n)
{
    struct err ignored = ERR_INIT;
    struct str rest, line;
    size_t size = 0;
    char *text = NULL;

    out[0] = '\0';
    if (infile_read_all(path, SMALL_B, &text, &size, &ignored))
        return;
    rest = (struct str){ text, size };
    while (!out[0] && str_next(&rest, '\n', &line)) {
        size_t colon = str_chr(line, ':');
        if (colon != SIZE_MAX && str_eq(str_trim(str_sub(line, 0, colon)), str_of(name)))
            str_copy(str_trim(str_sub(line, colon + 1, SIZE_MAX)), out, n);
    }
    free(text);
}

static void add_system(struct buf *b, bool hidden)
{
    struct utsname u;
    char text[200];

    if (uname(&u) == 0) {
        buf_printf(b, "system         %s %s %s\n", u.sysname, u.release, u.machine);
        if (!hidden)
            buf_printf(b, "host           %s\n", u.nodename);
    }
    value_of("/proc/cpuinfo", "model name", text, sizeof text);
    buf_printf(b, "processors     %ld online%s%s\n", sysconf(_SC_NPROCESSORS_ONLN), text[0] ? ", " : "",
               text);
    value_of("/proc/meminfo", "MemTotal", text, sizeof text);
    if (text[0])
        buf_printf(b, "memory         %s\n", text);
    value_of("/proc/meminfo", "MemAvailable", text, sizeof text);
    if (text[0])
        buf_printf(b, "available      %s\n", text);
}

static void add_room(struct buf *b, const char *what, const char *path)
{
    struct statvfs s;
    char size[40];

    if (path && statvfs(path, &s) == 0)
        buf_printf(b, "%-14s %s free%s\n", what,
                   unit_size(size, sizeof size, (double)s.f_bavail * (double)s.f_frsize, SIZE_AUTO),
                   path_is_network(path) ? ", network file system" : "");
}

static void add_devices(struct buf *b)
{
    glob_t g;

    if (glob("/dev/davinci[0-9]*", 0, NULL, &g))
        return;
    buf_printf(b, "NPU devices    %zu\n", g.gl_pathc);
    globfree(&g);
}

static void add_limits(struct buf *b)
{
    struct rlimit r;
    char size[40];

    buf_puts(b, "\nlimits of this session\n");
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        if (getrlimit(limits[i].resource, &r))
            continue;
        if (r.rlim_cur == RLIM_INFINITY)
            snprintf(size, sizeof size, "unlimited");
        else if (limits[i].bytes)
            unit_size(size, sizeof size, (double)r.rlim_cur, SIZE_AUTO);
        else
            snprintf(size, sizeof size, "%" PRIu64, (uint64_t)r.rlim_cur);
        buf_printf(b, "%-14s %s\n", limits[i].name, size);
    }
}

static bool begins(const char *name, const char *const *words, size_t n)
{
    bool does = false;

    for (size_t i = 0; i < n; i++)
        does |= strncmp(name, words[i], strlen(words[i])) == 0;
    return does;
}

static bool is_secret(struct str name)
{
    bool is = false;

    for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
        is |= str_find_nocase(name, str_of(secrets[i])) != SIZE_MAX;
    return is;
}

/* Numbers and single letters name nobody. */
static bool is_plain(struct str value)
{
    return value.n == 1 || (value.n && strspn(value.p, "0123456789.,-") == value.n);
}

static void add_variables(struct buf *b, bool hidden)
{
    buf_puts(b, "\nvariables of this session\n");
    for (char **v = environ; v && *v; v++) {
        struct str all = str_of(*v);
        size_t eq = str_chr(all, '=');
        if (eq == SIZE_MAX || !begins(*v, variables, ARRAY_LEN(variables)))
            continue;
        struct str name = str_sub(all, 0, eq), value = str_sub(all, eq + 1, VALUE_B);
        if (is_secret(name) || (hidden && !is_plain(value)))
            value = STR("(set, not shown)");
        buf_printf(b, "%.*s=%.*s\n", (int)name.n, name.p, (int)value.n, value.p);
    }
}

/* Files of versions as they are. */
static int add_versions(struct bundle *b, struct err *e)
{
    const struct excerpt x = { .head_b = VALUE_B };
    glob_t g;

    for (size_t i = 0; i < ARRAY_LEN(version_files); i++) {
        if (glob(version_files[i], 0, NULL, &g))
            continue;
        for (size_t k = 0; k < g.gl_pathc && !e->code; k++) {
            struct err ignored = ERR_INIT; /* what may not be read by this user is no loss worth a word */
            char name[PATH_MAX];
            uint64_t left_out;
            struct buf text;
            buf_init(&text, TEXT_MAX);
            snprintf(name, sizeof name, "host%s", g.gl_pathv[k]);
            if (excerpt_add(g.gl_pathv[k], &x, &text, &left_out, &ignored) == OK)
                (void)!bundle_add(b, name, "a version of this host", &text, 0, e);
            buf_done(&text);
        }
        globfree(&g);
    }
    return e->code;
}

int bundle_host(struct bundle *b, const char *profile, bool hidden, struct err *e)
{
    char cache[PATH_MAX];
    struct err ignored = ERR_INIT;
    struct buf text;

    buf_init(&text, TEXT_MAX);
    buf_puts(&text, "The host and session in which the bundle was made; the job may have run in others.\n\n");
    add_system(&text, hidden);
    add_devices(&text);
    add_room(&text, "profile", profile);
    if (path_cache_dir(cache, sizeof cache, &ignored) == OK)
        add_room(&text, "cache", cache);
    add_limits(&text);
    add_variables(&text, hidden);
    int rc = bundle_add(b, "host.txt", "system, limits and variables of the host", &text, 0, e);
    buf_done(&text);
    return rc ? rc : add_versions(b, e);
}
