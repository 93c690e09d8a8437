/* SPDX-License-Identifier: Apache-2.0 */
/* The info files of a run, and content probes: any bytes, under each of the names that are read. */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parsers/registry.h"
#include "run/inventory.h"
#include "run/probe.h"
#include "run/state.h"
#include "tests/fuzz/fuzz.h"

static const char *const names[] = { "profiler_info_0.json", "info.json.0", "host_start.log",
                                     "profiler_metadata.json", "unknown.bin" };
#define BELOW "/1/2/3/4/5/6" /* deep enough that the search for a run stays inside */
static char dir[PATH_MAX];

static const char *path_of(const char *name)
{
    static char path[PATH_MAX + 64];

    snprintf(path, sizeof(path), "%s" BELOW "/%s", dir, name);
    return path;
}

static void clean_up(void)
{
    char path[PATH_MAX + 64];

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        unlink(path_of(names[i]));
    for (size_t n = sizeof(BELOW) - 1;; n -= 2) {
        snprintf(path, sizeof(path), "%s%.*s", dir, (int)n, BELOW);
        rmdir(path);
        if (n == 0)
            break;
    }
}

static void make_dir(void)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(dir, sizeof(dir), "%s/npuscope-fuzz-XXXXXX", tmp ? tmp : "/tmp");
    FUZZ_CHECK(mkdtemp(dir));
    for (size_t n = 2; n < sizeof(BELOW); n += 2) {
        char path[PATH_MAX + 64];

        snprintf(path, sizeof(path), "%s%.*s", dir, (int)n, BELOW);
        FUZZ_CHECK(mkdir(path, 0700) == 0);
    }
    atexit(clean_up);
}

static void check(const struct job *j)
{
    const struct unit *u = j->units[0];
    struct run_verdict v;
    char *key = unit_input_key(u);

    FUZZ_CHECK(j->n_units == 1 && u->n_files == 1 && u->info.n_ranks >= 1);
    FUZZ_CHECK(u->files[0]->kind && u->files[0]->rank >= -1 && key);
    for (size_t i = 0; i < u->info.n_settings; i++)
        FUZZ_CHECK(u->info.settings[i].key.p && u->info.settings[i].value.n <= 4096);
    run_state_of(u, -1, 0, &v);
    FUZZ_CHECK(v.n <= RUN_EVIDENCE_MAX);
    free(key);
}

/* The first byte picks the name. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct inventory_tables t = registry_tables();
    const char *path;
    struct err e = ERR_INIT;
    struct job *j = NULL;
    int fd;

    if (size == 0)
        return 0;
    if (!dir[0])
        make_dir();
    (void)probe_text(&t, (struct str){ (const char *)data + 1, size - 1 });
    path = path_of(names[data[0] % ARRAY_LEN(names)]);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    FUZZ_CHECK(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    close(fd);
    if (job_scan(&j, path, &t, &e) == OK)
        check(j);
    else
        FUZZ_CHECK(e.code == ERR_FORMAT && e.text[0]);
    job_free(j);
    return 0;
}
