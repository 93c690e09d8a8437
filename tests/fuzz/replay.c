/* SPDX-License-Identifier: Apache-2.0 */
/* A main for fuzz targets in builds without libFuzzer: runs the target on each file that is named. */
#include "config.h"

#include <errno.h>
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

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
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
        free(data);
    }
    return 0;
}
