/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of members: what an archive calls them, and where they may go (doc/reliability.md#archives). Nothing
 * of an archive's own may lead out of the folder it is unpacked into.
 */
#ifndef NPUSCOPE_ARCHIVE_MEMBER_H
#define NPUSCOPE_ARCHIVE_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum member_fault {
    MEMBER_OK,
    MEMBER_EMPTY, /* names the folder itself: "", ".", "./" */
    MEMBER_ABSOLUTE,
    MEMBER_UP, /* ".." is a part of it */
    MEMBER_LONG,
    MEMBER_DEEP
};

/*
 * The plain relative path of a member into buf (n bytes): parts of names joined by one '/', without "." and
 * empty parts. At a fault buf holds "".
 */
enum member_fault member_path(const char *name, char *buf, size_t n);
/* What is said of a member that is left out for its name. */
const char *member_fault_text(enum member_fault f);
/* The first bytes of a tar archive: a member's header with the sum that it should have. */
#define MEMBER_TAR_B 512
bool member_is_tar(const uint8_t head[MEMBER_TAR_B]);

#endif
