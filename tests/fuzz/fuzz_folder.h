/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder made from a fuzz target's input, for what works on a whole run. The input is an archive that stays
 * readable when it is cut, grows or is spliced: "\nFILE " name "\n" and the bytes up to the next such line;
 * what stands before the first one is the target's own. pack.py writes one from a folder.
 */
#ifndef NPUSCOPE_FUZZ_FOLDER_H
#define NPUSCOPE_FUZZ_FOLDER_H

#include <stdbool.h>

#include "tests/fuzz/fuzz.h"

/*
 * Path of a private folder with the files of the archive; valid until the next call, which empties it,
 * removed at exit. It lies so deep that the search for a run stays inside. Names that are no plain relative
 * path, and what is beyond FUZZ_FOLDER_FILES, are left out.
 */
#define FUZZ_FOLDER_FILES 64
const char *fuzz_folder(const uint8_t *data, size_t size);
/* One more file in it, of any bytes. name: a plain relative path. */
void fuzz_folder_put(const char *name, const uint8_t *p, size_t n);

/*
 * Files given as pieces: a byte for the file (modulo n_files), two for a length, and that many bytes, which
 * are added to the file. The bytes of file k; valid until the next call.
 */
struct fuzz_part {
    const uint8_t *p;
    size_t n;
    bool has; /* some piece is of it */
};
struct fuzz_part fuzz_folder_part(const uint8_t *data, size_t size, size_t k, size_t n_files);

/* An empty folder beside that of fuzz_folder(), under the same terms. */
const char *fuzz_folder_out(void);

#endif
