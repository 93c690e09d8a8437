/* SPDX-License-Identifier: Apache-2.0 */
/* A scratch file whose contents a test replaces again and again; removed when the program ends. */
#ifndef NPUSCOPE_TESTS_UNIT_SCRATCH_H
#define NPUSCOPE_TESTS_UNIT_SCRATCH_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_path[256];

static inline void scratch_remove(void)
{
    unlink(scratch_path);
}

/* Write n bytes into the scratch file and return its path. */
static inline const char *scratch_write(const void *p, size_t n)
{
    int fd;

    if (scratch_path[0]) {
        fd = open(scratch_path, O_WRONLY | O_TRUNC);
    } else {
        const char *dir = getenv("TMPDIR");
        snprintf(scratch_path, sizeof scratch_path, "%s/npuscope-test-XXXXXX", dir ? dir : "/tmp");
        fd = mkstemp(scratch_path);
        atexit(scratch_remove);
    }
    if (fd < 0 || write(fd, p, n) != (ssize_t)n || close(fd) != 0) {
        perror(scratch_path);
        abort();
    }
    return scratch_path;
}

/* xorshift: the same numbers on every machine. */
static inline uint64_t scratch_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

#endif
