/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of an unpacked archive: where it lies, what it was, what of it is missing. Kept in a file
 * beside the unpacked members; read like any input, and taken only from a private folder of this user that it
 * was written for.
 */
#ifndef NPUSCOPE_ARCHIVE_RECORD_H
#define NPUSCOPE_ARCHIVE_RECORD_H

#include <stdbool.h>

#include "base/err.h"

enum archive_what {
    ARCHIVE_SAID,     /* nothing is missing, but worth knowing */
    ARCHIVE_LEFT_OUT, /* a member that is not there */
    ARCHIVE_TORN,     /* a member of which only the beginning is there */
    ARCHIVE_BROKEN    /* the archive itself: name is "" */
};
struct archive_note {
    enum archive_what what;
    char *name; /* path of the member, as it would be below the folder, or as the archive has it; "" none */
    char *text; /* a sentence without the name */
};

struct archive_record {
    char *path; /* of the archive, canonical */
    uint64_t size_b;
    int64_t mtime_ns;
    uint64_t inode; /* of the folder that the record lies in */
    uint64_t files, bytes;
    uint64_t members;       /* of any kind; counted while unpacking, not kept */
    uint64_t unpacked;      /* bytes of all levels with headers and what is left out; as members */
    char *boot;             /* start of the machine in which it was unpacked */
    char *top;              /* folder with the members, below that folder */
    struct archive_note *v; /* the first LIM_NOTES_PER_FILE */
    size_t n, cap;
    uint64_t more; /* notes that are not kept */
};

#define RECORD_NAME "npuscope-archive"

/* What tells this start of the machine from others, "" where nothing does. malloc'ed, NULL: no memory. */
char *record_boot(void);
void record_done(struct archive_record *r);
/* Note what is missing. Texts are copied. ERR_NOMEM. */
NODISCARD int record_note(struct archive_record *r, enum archive_what what, const char *name, struct err *e,
                          const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Notes from the n-th on are of an archive at `inside` in the one that the record is of. ERR_NOMEM. */
NODISCARD int record_notes_inside(struct archive_record *r, size_t n, const char *inside, struct err *e);
/* Write it into the folder dir (a descriptor), whole. */
NODISCARD int record_write(const struct archive_record *r, int dir, struct err *e);
/* The record in a folder; false: there is none, or it was not written for this folder. */
bool record_read(struct archive_record *r, const char *folder);

#endif
