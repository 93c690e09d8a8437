/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of text that a job leaves: lines are put in any order and written by time.
 *
 * A rank's own files are written and forgotten before those of the next rank, so that memory does not grow
 * with the ranks; those of a host (launcher, system log) are kept until the end. Errors are sticky.
 */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_BOOK_H
#define NPUSCOPE_DEMO_LOGS_LOG_BOOK_H

#include "base/buf.h"
#include "emit/emit.h"

/* Kinds of files; up to LOG_OWN of a rank, the others of a host. */
enum log_kind {
    LOG_DEBUG,   /* errors of CANN's host side */
    LOG_RUN,     /* its course */
    LOG_DEVICE,  /* errors of the device side of the process */
    LOG_CONSOLE, /* of the rank's program */
    LOG_EVENT,   /* events of the device */
    LOG_HISTORY, /* the device's black box */
    LOG_STACK,   /* of a crash by signal */
    LOG_OWN,
    LOG_LAUNCHER = LOG_OWN,
    LOG_SCHEDULER, /* of MindSpore, on the first host */
    LOG_SYSTEM,
    LOG_CHECK, /* state of the host's devices, asked for after the job */
    LOG_KINDS
};

/* What the truth says of a line. */
enum log_mark { LOG_NO_MARK, LOG_FIRST /* the first error */, LOG_SEEN /* a consequence */ };

struct log_line {
    int64_t ns; /* true time */
    enum log_mark mark;
    int rank;
    uint32_t number; /* order of putting */
    size_t at, n;    /* in the file's text */
};

struct log_text {
    struct buf text;
    struct log_line *line;
    uint32_t n, cap;
    bool torn; /* its last line is cut: the process was killed while it wrote */
};

/* A line that the truth names, once its file is written. */
struct log_place {
    bool found;
    char path[256];
    uint64_t line; /* from 1 */
    int64_t ns;
    int rank;
};

struct log_book {
    const char *dir;
    int hosts;
    struct log_text own[LOG_OWN];
    struct log_text *shared; /* by host and kind */
    struct log_place first, seen;
    struct emit_count *count;
    bool failed; /* no memory */
};

NODISCARD int log_book_init(struct log_book *b, const char *dir, int hosts, struct err *e);
void log_book_done(struct log_book *b);
/* host counts only for files of a host. */
struct log_text *log_book_file(struct log_book *b, enum log_kind k, int host);
/* A line, or several, without the last line feed. */
void log_book_put(struct log_book *b, struct log_text *f, const struct log_line *at, struct str text);
/* Writes what was put into f as path below the folder, and forgets it; a file without lines is not made. */
NODISCARD int log_book_write(struct log_book *b, struct log_text *f, const char *path, struct err *e);

#endif
