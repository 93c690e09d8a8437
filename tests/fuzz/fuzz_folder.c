/* SPDX-License-Identifier: Apache-2.0 */
/* The folder that a fuzz target's input becomes. */
#include "config.h"

#include "tests/fuzz/fuzz_folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK       "\nFILE "
#define MARK_N     (sizeof MARK - 1)
#define NAME_MAX_N 200
#define DEPTH_MAX  6
#define PART_B     ((size_t)1 << 16)

static const char below[] = "/1/2/3/4/5/6"; /* DISCOVER_UP levels */
static char dir[64];                        /* empty until first use */
static char run[128], out[128];

/* ---- the place ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

static void remove_tree(const char *path)
{
    FUZZ_CHECK(access(path, F_OK) != 0 || nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0);
}

static void remove_all(void)
{
    remove_tree(dir);
}

static void make_place(void)
{
    /* In memory where there is such a place: as fuzz_file() does. */
    const char *top = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";

    snprintf(dir, sizeof dir, "%s/npuscope-fuzz.XXXXXX", top);
    FUZZ_CHECK(mkdtemp(dir));
    atexit(remove_all);
    for (size_t n = 2; n < sizeof below; n += 2) {
        snprintf(run, sizeof run, "%s%.*s", dir, (int)n, below);
        FUZZ_CHECK(mkdir(run, 0700) == 0);
    }
    snprintf(out, sizeof out, "%s/out", dir);
    snprintf(run, sizeof run, "%s%s/run", dir, below);
}

static const char *fresh(const char *path)
{
    if (!dir[0])
        make_place();
    remove_tree(path);
    FUZZ_CHECK(mkdir(path, 0700) == 0);
    return path;
}

/* ---- the archive ---- */

/* A plain relative path: parts of letters, digits and ._- that do not begin with a dot. */
static bool is_plain(const char *name)
{
    int depth = 0;

    for (const char *p = name; *p; p++) {
        bool begins = p == name || p[-1] == '/';
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/", *p) ||
            (begins && (*p == '.' || *p == '/')))
            return false;
        depth += *p == '/';
    }
    return name[0] && name[strlen(name) - 1] != '/' && depth <= DEPTH_MAX;
}

/* What stands in the way (a file where a folder should be) leaves the file out. */
void fuzz_folder_put(const char *name, const uint8_t *p, size_t n)
{
    char path[sizeof run + NAME_MAX_N + 2];
    int len = snprintf(path, sizeof path, "%s/%s", run, name);

    FUZZ_CHECK(len > 0 && (size_t)len < sizeof path);
    for (char *slash = path + strlen(run) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return;
    for (size_t done = 0; done < n;) {
        ssize_t w = write(fd, p + done, n - done);
        FUZZ_CHECK(w > 0);
        done += (size_t)w;
    }
    close(fd);
}

const char *fuzz_folder(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size, *at = size ? memmem(data, size, MARK, MARK_N) : NULL;
    char name[NAME_MAX_N + 1];

    if (!dir[0])
        make_place();
    fresh(run);
    for (int i = 0; at && i < FUZZ_FOLDER_FILES; i++) {
        const uint8_t *from = at + MARK_N, *line = memchr(from, '\n', (size_t)(end - from));
        if (!line)
            break;
        /* The end of the line may begin the next mark: an empty file. */
        at = memmem(line, (size_t)(end - line), MARK, MARK_N);
        const uint8_t *body = at == line ? line : line + 1;
        size_t n = (size_t)(line - from);
        if (n > NAME_MAX_N || memchr(from, '\0', n))
            continue;
        memcpy(name, from, n);
        name[n] = '\0';
        if (is_plain(name))
            fuzz_folder_put(name, body, (size_t)((at ? at : end) - body));
    }
    return run;
}

const char *fuzz_folder_out(void)
{
    if (!dir[0])
        make_place();
    return fresh(out);
}

/* ---- pieces ---- */

struct fuzz_part fuzz_folder_part(const uint8_t *data, size_t size, size_t k, size_t n_files)
{
    static uint8_t all[PART_B];
    struct fuzz_part x = { .p = all };

    for (size_t at = 0; size > at && size - at >= 3;) {
        size_t which = data[at] % n_files, length = data[at + 1] | (size_t)data[at + 2] << 8;
        at += 3;
        length = length < size - at ? length : size - at;
        if (which == k && length <= PART_B - x.n) {
            memcpy(all + x.n, data + at, length);
            x.n += length;
            x.has = true;
        }
        at += length;
    }
    return x;
}
