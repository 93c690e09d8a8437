/* SPDX-License-Identifier: Apache-2.0 */
/* The only writer to standard error. Works without memory: fixed buffers, longer lines are cut. */
#include "config.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/lang/said.h"
#include "base/text.h"

#define LINE_B     1200         /* of a line before it is made safe */
#define SAFE_B     (4 * LINE_B) /* more when every byte is replaced: cut */
#define PROGRESS_B 250          /* of a line of progress */

static struct {
    int level;
    bool screen, has_start;
    int fd; /* of the log file; -1: none */
    unsigned flags;
    size_t progress; /* bytes of the line of progress on the screen */
    struct timespec start;
} state = { .fd = -1, .flags = TEXT_ASCII };

void log_level(int level)
{
    if (!state.has_start)
        state.has_start = clock_gettime(CLOCK_MONOTONIC, &state.start) == 0;
    state.level = level;
}

int log_get_level(void)
{
    return state.level;
}

void log_text_flags(unsigned flags)
{
    state.flags = flags;
}

void log_screen(int on)
{
    state.screen = on != 0;
}

int log_to_file(const char *path, struct err *e)
{
    int fd = -1;

    if (path) {
        /* a FIFO that nobody reads is an error, not waited for */
        fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
        if (fd < 0) {
            int rc = err_sys(e, errno, "cannot open the log");
            err_where(e, path, ERR_NO_OFFSET, 0);
            return rc;
        }
        (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    }
    if (state.fd >= 0)
        close(state.fd);
    state.fd = fd;
    return OK;
}

static bool write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t got = write(fd, p, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

/* Make one line of text and write it. A failure to write to standard error can be reported to nobody. */
static bool put(int fd, const char *text)
{
    char line[SAFE_B];
    static const char name[] = "npuscope: ";
    size_t used = sizeof name - 1;

    memcpy(line, name, used);
    text_safe_into(line + used, sizeof line - used - 1, str_of(text), state.flags);
    used += strlen(line + used);
    line[used++] = '\n';
    return write_all(fd, line, used);
}

/* Overwrite the line of progress with blanks. */
static void clear_progress(void)
{
    char line[PROGRESS_B + 2];

    if (!state.progress)
        return;
    line[0] = line[state.progress + 1] = '\r';
    memset(line + 1, ' ', state.progress);
    write_all(STDERR_FILENO, line, state.progress + 2);
    state.progress = 0;
}

static void put_stderr(const char *text)
{
    if (state.screen)
        return;
    clear_progress();
    put(STDERR_FILENO, text);
}

void log_progress(const char *fmt, ...)
{
    char text[LINE_B], line[PROGRESS_B + 1];
    struct winsize w;
    va_list ap;

    if (state.screen)
        return;
    clear_progress();
    if (!fmt)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    /* One cell less than the line: no terminal wraps then. Bytes count at least as many as cells. */
    size_t room = sizeof line;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 && w.ws_col < room)
        room = w.ws_col;
    text_safe_into(line, room, str_of(text), state.flags | TEXT_ASCII);
    state.progress = strlen(line);
    write_all(STDERR_FILENO, line, state.progress);
}

/* false: there is no log file, or it cannot be written and is closed. */
static bool put_file(const char *text)
{
    if (state.fd < 0)
        return false;
    if (put(state.fd, text))
        return true;
    char why[200];
    snprintf(why, sizeof why, "cannot write the log, it ends here: %s", strerror(errno));
    close(state.fd);
    state.fd = -1;
    put_stderr(why);
    return false;
}

/* Seconds since the start before the text where that is wanted. */
static void stamp(char *line, size_t n)
{
    struct timespec now;

    line[0] = '\0';
    if (state.level < 2 || clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return;
    double s = (double)(now.tv_sec - state.start.tv_sec) + (double)(now.tv_nsec - state.start.tv_nsec) / 1e9;
    snprintf(line, n, "%9.3f s  ", s);
}

void log_line(int level, const char *fmt, ...)
{
    char line[LINE_B];
    va_list ap;

    if (level > state.level)
        return;
    stamp(line, sizeof line);
    size_t used = strlen(line);
    va_start(ap, fmt);
    vsnprintf(line + used, sizeof line - used, fmt, ap);
    va_end(ap);
    if (!put_file(line))
        put_stderr(line);
}

/* The file stays English: it is for reports. */
static void put_both(const char *text)
{
    char said[LINE_B];

    put_file(text);
    put_stderr(tr_said(text, said, sizeof said));
}

void log_error(const struct err *e)
{
    char line[LINE_B];

    put_both(err_message(e, line, sizeof line));
}

void log_message(const char *fmt, ...)
{
    char line[LINE_B];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    put_both(line);
}
