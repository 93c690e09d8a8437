/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python's report of an exception, line by line (doc/formats/logs.md#python-blocks): its last line is the
 * exception, its last frame outside of installed packages the place in the program.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_LOG_BLOCK_H
#define NPUSCOPE_PARSERS_LOGS_LOG_BLOCK_H

#include "parsers/logs/log_scan.h"

#define LOG_BLOCK_LINES  200  /* a longer one is taken as unfinished */
#define LOG_BLOCK_OTHERS 4000 /* and one with so many lines of others in between */

struct log_block {
    struct log_event event; /* of its first line; without its texts */
    bool open, whole;       /* whole: the exception itself was found */
    unsigned lines, others; /* its own, and those of other writers in between */
    int rank;               /* of the prefix of its lines, -1 none, as the following */
    int64_t pid;
    char module[32]; /* of the event */
    bool frames;     /* it has any */
    bool blank;      /* its last line is */
    char frame[512], text[LOG_TEXT_B];
    uint32_t frame_line;
    bool own; /* frame is of the program, not of an installed package */
};

enum log_block_step {
    LOG_BLOCK_GOES_ON,
    LOG_BLOCK_BETWEEN,      /* the line is of another writer, the block goes on after it */
    LOG_BLOCK_ENDED_BEFORE, /* the line does not belong to it */
};

/* Lines without colours. */
void log_block_begin(struct log_block *b, const struct log_event *head, struct str line);
bool log_block_is_open(const struct log_block *b);
/* A further line of the file; an end closes the block. */
enum log_block_step log_block_line(struct log_block *b, struct str line);
/* The file ends inside. */
void log_block_cut(struct log_block *b);
/* "RuntimeError: ..."; "exception without its last line" of an unfinished one. Borrowed from b. */
struct str log_block_text(const struct log_block *b);
/* Copy a text into a buffer of n bytes, cut. */
struct str log_text_copy(char *buf, size_t n, struct str s);

#endif
