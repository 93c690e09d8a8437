/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of a record of a log: who wrote it, when, and how serious the writer takes it
 * (doc/formats/logs.md#grammar). Texts are borrowed from the line.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_LOG_HEAD_H
#define NPUSCOPE_PARSERS_LOGS_LOG_HEAD_H

#include "parsers/logs/log_time.h"

enum log_level { LOG_NO_LEVEL, LOG_DEBUG, LOG_INFO, LOG_EVENT, LOG_WARNING, LOG_ERROR };

struct log_head {
    struct log_time time;
    enum log_level level;
    struct str module; /* HCCL, RUNTIME, ME ...; n 0: none */
    int64_t pid;       /* -1: not said, as the following */
    int rank, device;
    size_t text_at; /* where the text after the head begins in the line */
};

/* Read the head of a line, also one that follows a prefix of Ray, kubectl or grep. Always fills *out. */
void log_head_read(struct str line, struct log_head *out);
/*
 * Where a further record begins in the line after `from`: writers that are cut off leave no line end.
 * SIZE_MAX: nowhere.
 */
size_t log_head_glued(struct str line, size_t from);
/*
 * The line without colours and without a prefix that names the writer ("[rank3]: ", "(Worker pid=7435) ");
 * what such a prefix says goes to head (may be NULL). Colours are taken out in place.
 */
struct str log_head_bare(struct str line, struct log_head *head);
/* Take colour sequences out of a text in place. Returns its new length. */
size_t log_head_uncolour(char *p, size_t n);

#endif
