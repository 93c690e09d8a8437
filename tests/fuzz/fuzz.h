/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fuzz targets share: a file with the input's bytes, since all readers work on files.
 *
 * A target defines LLVMFuzzerTestOneInput; it aborts when one of our promises is broken, everything else is
 * the sanitizers' business.
 */
#ifndef NPUSCOPE_FUZZ_H
#define NPUSCOPE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Path of a private file that holds these bytes; valid until the next call. The same file each time, removed
 * at exit.
 */
const char *fuzz_file(const uint8_t *data, size_t size);
/*
 * Size of a window that holds the whole input, unpacked if it is gzip: small, as a window is cleared for each
 * input.
 */
size_t fuzz_window(const uint8_t *data, size_t size);
/* Abort with the condition's text unless it holds; not switched off by NDEBUG. */
#define FUZZ_CHECK(cond) ((cond) ? (void)0 : fuzz_broken(#cond, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *what, const char *file, int line);

#endif
