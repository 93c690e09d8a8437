/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members written into a private folder, relative to its descriptor and without following links: files 0600,
 * folders 0700. A file appears under its name when it is whole; until then it lies beside the members.
 */
#ifndef NPUSCOPE_ARCHIVE_WRITE_H
#define NPUSCOPE_ARCHIVE_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/err.h"

struct member_writer;
/* dir: the private folder, which stays the caller's; members go below its folder `top`, which is made. */
NODISCARD int member_writer_new(struct member_writer **out, int dir, const char *top, struct err *e);
void member_writer_free(struct member_writer *w);

/*
 * What these return: OK, or an error of the place (no room, no memory), which ends the unpacking. *why is set
 * when the member cannot be there because of another one: a sentence.
 */
NODISCARD int member_folder(struct member_writer *w, const char *path, const char **why, struct err *e);
/* Begin the next file; one that was not ended is dropped. */
NODISCARD int member_begin(struct member_writer *w, struct err *e);
NODISCARD int member_data(struct member_writer *w, const void *p, size_t n, struct err *e);
/* Give it its name and time; a file that has the name is replaced. */
NODISCARD int member_end(struct member_writer *w, const char *path, struct timespec mtime, const char **why,
                         struct err *e);
/* A second name of a file that was written. */
NODISCARD int member_same(struct member_writer *w, const char *path, const char *old, const char **why,
                          struct err *e);
/* Something has this name there. */
bool member_exists(const struct member_writer *w, const char *path);

#endif
