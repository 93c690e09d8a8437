/* SPDX-License-Identifier: Apache-2.0 */
/* Notes: damage and surprises in input. Codes, severities and hints are one list. */
#ifndef NPUSCOPE_NOTE_H
#define NPUSCOPE_NOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* clang-format off */
/*
 * NOTE(code, severity, state it gives the file (FS_OK: none), title, hint). A limit is one of ours
 * (base/limits.h) and never damage.
 */
#define NOTE_CODES(X) \
    X(TORN_RECORD,    WARN,  TORN,  "the last record is cut", \
        "the run ended while it was written; whole records were kept") \
    X(LOST_RECORDS,   WARN,  OK,    "records are missing", \
        "the collector could not keep up, or a slice is gone; what lies across the gap is not known") \
    X(TORN_FILE,      WARN,  TORN,  "the file ends early", \
        "it was cut or is still being written; what is whole was kept") \
    X(BAD_ROW,        WARN,  TORN,  "a row cannot be read",          "the row was left out") \
    X(BAD_VALUE,      WARN,  OK,    "a value cannot be read",        "it is shown as missing") \
    X(ROW_LENGTH,     INFO,  OK,    "a row is longer or shorter than the header", \
        "missing cells are empty, further ones were left out") \
    X(LINE_TOO_LONG,  WARN,  LIMIT,  "a line is too long",            "the line was left out") \
    X(TOO_DEEP,       WARN,  LIMIT, "nested too deeply",             "the value was left out") \
    X(BAD_EVENT,      WARN,  TORN,  "a damaged event",               "the event was left out") \
    X(BAD_FILE,       ERROR, BAD,   "the file cannot be parsed",     "") \
    X(NO_HEADER,      ERROR, BAD,   "the header is missing or not the expected one", "") \
    X(UNKNOWN_COLUMN, INFO,  OK,    "unknown columns",               "they are kept as extra columns") \
    X(ROUNDED,        INFO,  OK,    "time stamps are rounded in the source", \
        "order and gaps below the last digit are lost") \
    X(UNKNOWN_TYPE,   INFO,  OK,    "records of an unknown type",    "they were left out") \
    X(COUNT_MISMATCH, WARN,  TORN,  "a count in the header does not fit the size", "the size wins") \
    X(REPLACED,       INFO,  OK,    "another source is used",        "it is whole, or has more whole rows") \
    X(NO_LINE_END,    INFO,  OK,    "the last line has no line end", \
        "its writer ends files so; the line was kept") \
    X(CHANGED,        WARN,  OK,    "the file changed while it was read", "read it again") \
    X(INCONSISTENT,   WARN,  OK,    "values contradict each other",  "they are kept out of sums") \
    X(DIFFERS,       WARN,  OK,    "another source says something else", \
        "what the file says is shown") \
    X(DUPLICATE,      INFO,  OK,    "the same thing was met twice",  "the first was kept") \
    X(COPIED,         INFO,  OK,    "read through a private copy",   "rows of the journal beside it are in") \
    X(LIMIT,          WARN,  LIMIT, "a limit was reached",           "what is above it was left out") \
    X(CUT_TEXT,       INFO,  OK,    "a text was cut",                "") \
    X(NEWER,          WARN,  NEWER, "the format is of an unknown version", "") \
    X(NO_CLOCK,       INFO,  OK,    "no wall clock", "times count from the device's own zero") \
    X(OTHER_CLOCK,    INFO,  OK,    "times of another clock", \
        "moved to begin with the rest of the rank; they say nothing about when that was") \
    X(MARKED,         WARN,  OK,    "damage may have made rows untrue", "their column damage says what")
/* clang-format on */

#define NOTE_ENUM(code, sev, state, title, hint) NOTE_##code,
enum note_code { NOTE_CODES(NOTE_ENUM) N_NOTES };
#undef NOTE_ENUM

struct note_info {
    const char *code, *severity, *state, *title, *hint;
};
extern const struct note_info note_infos[N_NOTES];
/* Order of the states that notes give: OK, LIMIT, TORN and NEWER, BAD. A file has the worst of its notes. */
int note_state_rank(const char *state);

/*
 * Position that a note is about. source_id 0: the run. offset ERR_NO_OFFSET and line 0: unknown. count: rows
 * that the note stands for (0 counts as 1).
 */
struct where {
    uint32_t source_id;
    uint32_t line;
    bool record; /* line is the number of a record of a binary file: notes say its offset, not "line" */
    uint64_t offset;
    uint64_t count;
};

/* The line that a note about w speaks of; 0: none, or a record that has an offset. */
static inline uint32_t where_line(const struct where *w)
{
    return w->record ? 0 : w->line;
}

#endif
