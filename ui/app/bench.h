/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys from a file typed at the program, and the time each frame takes (doc/performance.md#targets, "How to
 * test").
 *
 * The program gets a pseudo terminal of its own, whatever its standard streams are: a child process is the
 * terminal, it takes what is drawn and counts it. Keys arrive as the bytes that a keyboard sends, through the
 * driver of the terminal and the reader of keys. A frame lasts from the moment a key can be read to the end
 * of the last write.
 */
#ifndef NPUSCOPE_UI_APP_BENCH_H
#define NPUSCOPE_UI_APP_BENCH_H

#include "base/err.h"
#include "base/str.h"

struct bench;

/*
 * file: names of keys, separated by blanks and new lines; "size=200x60" at the very beginning sets columns
 * and rows (else those of the terminal, or 80x24). Frames before a word "--" are not counted. Until
 * bench_leave() standard input and output are the pseudo terminal.
 */
NODISCARD int bench_open(struct bench **out, const char *file, struct err *e);
/* Type the next key and wait until it can be read. 1: read it now and draw; 0: there are no more. */
int bench_type(struct bench *b, struct err *e);
/* The frame is drawn. */
NODISCARD int bench_drawn(struct bench *b, struct err *e);
/* Drop the frames so far. */
void bench_forget(struct bench *b);
/* Restore standard input and output; the terminal has to be closed before. */
void bench_leave(struct bench *b);
/*
 * One line: frames, mean_ms, p50_ms, p99_ms, max_ms, peak_kib (of this process), cpu_p99_ms, bytes_mean,
 * bytes_p50, bytes_p99, bytes_max, the key and number of the slowest frame.
 */
void bench_line(struct bench *b, char *buf, size_t n);
void bench_free(struct bench *b); /* NULL is allowed */

#endif
