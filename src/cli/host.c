/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of this host, this session and the program. */
#include "config.h"

#include "cli/host.h"

#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "archive/stream.h"
#include "base/lang/tr.h"
#include "base/path.h"
#include "base/re.h"
#include "base/read/infile.h"
#include "base/read/json_small.h"
#include "base/unit.h"
#include "store/store.h"

#define SMALL_B ((size_t)1 << 20)

struct facts {
    host_fact_fn *fn;
    void *arg;
};

static const struct {
    const char *name;
    unsigned char resource; /* RLIMIT_..., which getrlimit() takes as int or as an enum */
    bool bytes;
} limits[] = {
    { N_("open files"), RLIMIT_NOFILE, false }, { N_("core file"), RLIMIT_CORE, true },
    { N_("file size"), RLIMIT_FSIZE, true },    { N_("address space"), RLIMIT_AS, true },
    { N_("processes"), RLIMIT_NPROC, false },   { N_("locked memory"), RLIMIT_MEMLOCK, true },
};

__attribute__((format(printf, 3, 4))) static void add(const struct facts *f, const char *name,
                                                      const char *fmt, ...)
{
    char value[600];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    f->fn(f->arg, HOST_SYSTEM, name, value);
}

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

/* In /proc/meminfo: "24105644 kB". */
static void add_memory(const struct facts *f, const char *name, const char *key)
{
    char text[200], size[40];
    uint64_t kib;

    value_of("/proc/meminfo", key, text, sizeof text);
    if (str_u64(str_sub(str_of(text), 0, str_chr(str_of(text), ' ')), &kib))
        add(f, name, "%s", unit_size(size, sizeof size, (double)kib * 1024, SIZE_AUTO));
}

static void add_system(const struct facts *f, bool hidden)
{
    struct utsname u;
    char text[200];

    if (uname(&u) == 0) {
        add(f, N_("system"), "%s %s %s", u.sysname, u.release, u.machine);
        if (!hidden)
            add(f, N_("host"), "%s", u.nodename);
    }
    value_of("/proc/cpuinfo", "model name", text, sizeof text);
    add(f, N_("processors"), text[0] ? tr("%ld online, %s") : tr("%ld online"), sysconf(_SC_NPROCESSORS_ONLN),
        text);
    add_memory(f, N_("memory"), "MemTotal");
    add_memory(f, N_("available"), "MemAvailable");
}

static void add_devices(const struct facts *f)
{
    glob_t g;

    if (glob("/dev/davinci[0-9]*", 0, NULL, &g))
        return;
    add(f, N_("NPU devices"), "%zu", g.gl_pathc);
    globfree(&g);
}

static void add_room(const struct facts *f, const char *what, const char *path)
{
    struct statvfs s;
    char size[40];

    if (path && statvfs(path, &s) == 0)
        add(f, what, tr("%s free%s"),
            unit_size(size, sizeof size, (double)s.f_bavail * (double)s.f_frsize, SIZE_AUTO),
            path_is_network(path) ? tr(", network file system") : "");
}

static void add_limits(const struct facts *f)
{
    struct rlimit r;
    char size[40];

    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        if (getrlimit(limits[i].resource, &r))
            continue;
        if (r.rlim_cur == RLIM_INFINITY)
            snprintf(size, sizeof size, "%s", tr("unlimited"));
        else if (limits[i].bytes)
            unit_size(size, sizeof size, (double)r.rlim_cur, SIZE_AUTO);
        else
            snprintf(size, sizeof size, "%" PRIu64, (uint64_t)r.rlim_cur);
        f->fn(f->arg, HOST_LIMITS, limits[i].name, size);
    }
}

void host_facts(const char *profile, bool hidden, host_fact_fn *fn, void *arg)
{
    const struct facts f = { fn, arg };
    struct err ignored = ERR_INIT;
    char cache[PATH_MAX];

    add_system(&f, hidden);
    add_devices(&f);
    add_room(&f, N_("profile"), profile);
    if (path_cache_dir(cache, sizeof cache, &ignored) == OK)
        add_room(&f, N_("cache"), cache);
    add_limits(&f);
}

/* ---- the program ---- */

/* Their own versions, without a name before it: "libarchive 3.6.2". */
static const struct {
    const char *name;
    const char *(*version)(void);
} libraries[] = {
    { "SQLite", store_library }, { "PCRE2", re_library },          { "cJSON", json_small_library },
    { "zlib", infile_library },  { "libarchive", stream_library },
};

void host_program(const struct cli_hooks *hooks, void (*fn)(void *arg, const char *name, const char *value),
                  void *arg)
{
    char schema[20];

    snprintf(schema, sizeof schema, "%d", SCHEMA_VERSION);
    fn(arg, N_("schema of stores"), schema);
    fn(arg, N_("compiler"), __VERSION__);
#ifdef NPUSCOPE_SANITIZE
    fn(arg, N_("build"), tr("with sanitizers"));
#elif defined NPUSCOPE_STATIC
    fn(arg, N_("build"), tr("static"));
#endif
    for (size_t i = 0; i < ARRAY_LEN(libraries); i++) {
        const char *version = libraries[i].version(), *number = strrchr(version, ' ');
        fn(arg, libraries[i].name, libraries[i].version == stream_library && number ? number + 1 : version);
    }
    if (hooks->screen_library)
        fn(arg, "curses", hooks->screen_library());
}
