/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics for -v and --log: one line each, sanitised, to standard error or a file. Level 0: errors only.
 * Each line is one write(2), so lines of several processes and threads do not mix. Set up before threads
 * start.
 */
#ifndef NPUSCOPE_LOG_H
#define NPUSCOPE_LOG_H

#include "base/err.h"

/* 0 errors and messages, 1 what is read (-v), 2 with seconds since the start before each line (-vv). */
void log_level(int level);
int log_get_level(void);
/* TEXT_* flags for the terminal that shows the lines; TEXT_ASCII until this is called. */
void log_text_flags(unsigned flags);
/*
 * Lines go to this file instead of standard error (append; NULL: standard error again). Errors and messages
 * go to both. When the file cannot be written any more, one line on standard error says so, and lines go
 * there again.
 */
NODISCARD int log_to_file(const char *path, struct err *e);
/* While the screen is open lines for standard error are dropped. */
void log_screen(int on);
/* Printed when the level is at least this. */
void log_line(int level, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "npuscope: MESSAGE" on standard error, sanitised; the only way to print an error. */
void log_error(const struct err *e);
/* "npuscope: " and the text, in the same way, for what is no error (level 0). */
void log_message(const char *fmt, ...) PRINTF_LIKE(1, 2);
/*
 * A line of progress on standard error that the next one overwrites; lines of the other functions come before
 * it. NULL removes it. Only for a standard error that is a terminal; never written to the log file.
 */
void log_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
