/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A main for fuzz targets in builds without libFuzzer: runs the target on each file that is named; with
 * --damage also on every cut of it, and with a bit flipped at 2 000 places (each bit once where it has
 * fewer); with --flips only the latter.
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

/* Reads a whole file to *data (the caller frees it); false with errno when that fails. */
static int slurp(const char *path, uint8_t **data, size_t *size)
{
    FILE *f = fopen(path, "rb");
    size_t room = 0, n = 0;
    if (!f)
        return 0;
    *data = NULL;
    do {
        if (n == room) {
            uint8_t *more = realloc(*data, room = room * 2 + 4096);
            if (!more)
                break;
            *data = more;
        }
        size_t got = fread(*data + n, 1, room - n, f);
        n += got;
    } while (!feof(f) && !ferror(f));
    int ok = feof(f) && !ferror(f);
    fclose(f);
    *size = n;
    return ok;
}

#define FLIPS   2000
#define SHORTER 10

/* xorshift: the same places on every machine */
static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

/* Each in memory of its own size, so that reading behind its end is noticed. */
static int run_copy(const uint8_t *data, size_t size, size_t flip, unsigned bit)
{
    uint8_t *copy = malloc(size ? size : 1);

    if (!copy)
        return 0;
    memcpy(copy, data, size);
    if (flip < size)
        copy[flip] ^= (uint8_t)(1u << bit);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 1;
}

/* After a crash the last lines say what was tried. */
static void cut(const char *path, const uint8_t *data, size_t size, size_t step)
{
    printf("%s: cuts\n", path);
    fflush(stdout);
    for (size_t n = 0; n < size; n += step)
        if (!run_copy(data, n, SIZE_MAX, 0))
            return;
}

static void flip(const char *path, const uint8_t *data, size_t size, size_t step)
{
    uint64_t seed = 88172645463325252u;

    printf("%s: flips\n", path);
    fflush(stdout);
    if (size <= FLIPS / 8) {
        for (size_t bit = 0; bit < size * 8; bit += step)
            if (!run_copy(data, size, bit / 8, (unsigned)(bit % 8)))
                return;
        return;
    }
    for (size_t i = 0; i < FLIPS / step; i++) {
        size_t at = (size_t)(next_random(&seed) % size);
        if (!run_copy(data, size, at, (unsigned)(next_random(&seed) % 8)))
            return;
    }
}

int main(int argc, char **argv)
{
    int cuts = argc > 1 && strcmp(argv[1], "--damage") == 0;
    int flips = cuts || (argc > 1 && strcmp(argv[1], "--flips") == 0);
    size_t step = getenv("NPUSCOPE_TEST_SHORT") ? SHORTER : 1;

    for (int i = 1 + flips; i < argc; i++) {
        uint8_t *data = NULL;
        size_t size = 0;
        if (!slurp(argv[i], &data, &size)) {
            fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
            free(data);
            return 1;
        }
        /* Named before it runs: after a crash the last line says which input it was. */
        printf("%s\n", argv[i]);
        fflush(stdout);
        LLVMFuzzerTestOneInput(data, size);
        if (cuts)
            cut(argv[i], data, size, step);
        if (flips)
            flip(argv[i], data, size, step);
        free(data);
    }
    return 0;
}
