/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One log file, read once in blocks: records that a signature knows come out as events, all other lines cost
 * one pass of the automaton. Packed files, colours, progress bars, records glued together and lines without
 * end are taken (doc/formats/logs.md#encoding-and-damage).
 */
#ifndef NPUSCOPE_PARSERS_LOGS_LOG_SCAN_H
#define NPUSCOPE_PARSERS_LOGS_LOG_SCAN_H

#include "parsers/logs/log_head.h"
#include "parsers/logs/signature.h"

#define LOG_TEXT_B 4096 /* of a record: CANN cuts at 1 024, consoles print more */

struct log_event {
    uint16_t sig; /* the most telling of its signatures, by number */
    enum log_role role;
    enum log_kind kind;
    uint64_t line;   /* in the file, from 1, as grep -n counts */
    uint64_t offset; /* of that line */
    struct log_head head;
    bool time_near;   /* the record has no time: head.time is that of the last line before it that has one */
    struct str text;  /* the record without colours, cut at LOG_TEXT_B; of a Python block its last line */
    struct str frame; /* of a Python block: file of the innermost frame of the program; n 0: none */
    uint32_t frame_line;
};

struct log_facts {
    uint64_t lines, bytes;
    struct log_time first, last; /* of the first and last lines that have a time */
    bool ends_open;              /* the last line has no end */
};

/* An event; texts are borrowed for the call. Errors end the reading. */
typedef int log_event_fn(void *arg, const struct log_event *ev, struct err *e);
struct log_sink {
    log_event_fn *event;
    bool (*cancelled)(void *arg); /* NULL: never */
    void *arg;
};

/*
 * Read a file. *facts hold what was read also after an error. Errors: ERR_IO, ERR_FORMAT, ERR_LIMIT (damaged
 * or cut packed data: what came before was read), ERR_NOMEM, ERR_CANCELLED, those of the callback.
 */
NODISCARD int log_scan(const struct signature_scan *m, const char *path, enum log_kind kind,
                       const struct log_sink *out, struct log_facts *facts, struct err *e);

#endif
