/* SPDX-License-Identifier: Apache-2.0 */
/* The file that a fuzz target's input goes into. */
#include "config.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

static char path[64]; /* empty until first use */
static int fd = -1;

static void remove_file(void)
{
    unlink(path);
}

static void open_file(void)
{
    /* In memory where there is such a place: a target runs thousands of times a second. */
    const char *dir = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, sizeof path, "%s/npuscope-fuzz.XXXXXX", dir);
    fd = mkstemp(path);
    FUZZ_CHECK(fd >= 0);
    atexit(remove_file);
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    if (fd < 0)
        open_file();
    size_t done = 0;
    while (done < size) {
        ssize_t n = pwrite(fd, data + done, size - done, (off_t)done);
        FUZZ_CHECK(n > 0);
        done += (size_t)n;
    }
    FUZZ_CHECK(ftruncate(fd, (off_t)size) == 0);
    return path;
}

size_t fuzz_window(const uint8_t *data, size_t size)
{
    bool packed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
    return packed ? (size_t)4 << 20 : size + 64; /* 4 MiB: 64 KiB of input at the greatest ratio */
}

_Noreturn void fuzz_broken(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: broken: %s\n", file, line, what);
    abort();
}
