/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals (doc/reliability.md#terminal-and-signals): handlers only set flags and write one byte to a
 * self-pipe. The fatal handler writes a prepared reset string for the terminal and re-raises.
 */
#ifndef NPUSCOPE_SIG_H
#define NPUSCOPE_SIG_H

#include <stdbool.h>
#include <termios.h>

#include "base/err.h"

/*
 * INT, TERM, HUP, QUIT set the stop flag (INT, HUP, QUIT stay ignored where the parent ignored them: nohup);
 * a second one that comes while the flag is still set ends the program at once, with the terminal given back;
 * PIPE and XFSZ are ignored; SEGV, BUS, ILL, FPE, ABRT, SYS end with the terminal given back and one line.
 * screen: also WINCH, TSTP, CONT. May be called again.
 */
NODISCARD int sig_init(bool screen, struct err *e);
int sig_stop(void); /* number of the first signal that asked us to end, 0: none */
void sig_clear_stop(void);
bool sig_take_winch(void); /* true once after each change of size */
bool sig_take_tstp(void);
bool sig_take_cont(void);
/* Readable when a flag was set: poll it together with the keyboard; sig_drain() empties it. */
int sig_pipe_fd(void);
void sig_drain(void);
/*
 * What the fatal handler does to the terminal: bytes to write and modes to set (NULL: nothing). Copies both.
 * reset: at most SIG_RESET_B bytes (more are a defect: nothing is set). The terminal is the first of standard
 * output, error, input.
 */
#define SIG_RESET_B 1024
void sig_fatal_terminal(const char *reset, size_t n, const struct termios *modes);
/*
 * File being read, for the fatal line; copied (sanitised) into a static buffer. NULL: none. One thread at a
 * time.
 */
void sig_fatal_file(const char *path);
/* The same for a defect in the calling thread, whatever others read. NULL: what the others read again. */
void sig_fatal_file_here(const char *path);

#endif
