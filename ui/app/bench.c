/* SPDX-License-Identifier: Apache-2.0 */
/* The program types keys at itself through a pseudo terminal. */
#include "config.h"

#include "ui/app/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/read/infile.h"
#include "ui/app/keys.h"
#include "ui/widget/term.h"

#define FILE_B     ((size_t)4 << 20)
#define FRAME_END  '\034' /* written after each frame for the child; no drawing contains it */
#define PATIENCE_S 10
#define COUNT_FROM "--" /* a word of the file: frames before it are not counted */

struct frame {
    double ms, cpu_ms;
    uint64_t bytes;
    uint32_t key, number;
};

struct bench {
    char *text;
    struct str rest;
    struct winsize size;
    int master, slave, counts; /* -1: not open */
    int saved[2];              /* standard input and output */
    pid_t child;
    double since_ms, since_cpu_ms;
    uint32_t key;
    struct frame *frame;
    size_t n, cap;
};

static double now_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* ---- the terminal: a child that takes everything and reports the bytes ---- */

static void be_terminal(int master, int counts)
{
    static char data[65536];
    uint64_t bytes = 0;
    ssize_t got;
    while ((got = read(master, data, sizeof data)) > 0)
        for (ssize_t i = 0; i < got; i++) {
            if (data[i] != FRAME_END) {
                bytes++;
                continue;
            }
            if (write(counts, &bytes, sizeof bytes) != (ssize_t)sizeof bytes)
                return;
            bytes = 0;
        }
}

static int start_terminal(struct bench *b, struct err *e)
{
    int ends[2];
    b->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (b->master < 0 || grantpt(b->master) || unlockpt(b->master))
        return err_sys(e, errno, "no pseudo terminal can be had");
    b->slave = open(ptsname(b->master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (b->slave < 0 || ioctl(b->slave, TIOCSWINSZ, &b->size))
        return err_sys(e, errno, "the pseudo terminal cannot be opened");
    if (pipe(ends))
        return err_sys(e, errno, "no pipe can be had");
    b->child = fork();
    if (!b->child) {
        close(b->slave);
        close(ends[0]);
        be_terminal(b->master, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    b->counts = ends[0];
    if (b->child < 0)
        return err_sys(e, errno, "no process can be had");
    return OK;
}

static int take_streams(struct bench *b, struct err *e)
{
    for (int i = 0; i < 2; i++) {
        b->saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
        if (b->saved[i] < 0 || dup2(b->slave, i) < 0)
            return err_sys(e, errno, "the standard streams cannot be replaced");
    }
    setenv("TERM", "xterm-256color", 1);
    return OK;
}

/* "size=200x60" before the keys. */
static void take_size(struct bench *b)
{
    struct str word, rest = b->rest, cols;
    uint64_t x, y;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &b->size) || !b->size.ws_row || !b->size.ws_col)
        b->size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
    if (!str_starts(rest, STR("size=")))
        return;
    size_t end = 0;
    while (end < rest.n && rest.p[end] != ' ' && rest.p[end] != '\n')
        end++;
    word = str_sub(rest, 5, end - 5);
    if (str_next(&word, 'x', &cols) && str_u64(cols, &x) && str_u64(word, &y) && x && y && x < 1000 &&
        y < 1000)
        b->size = (struct winsize){ .ws_row = (unsigned short)y, .ws_col = (unsigned short)x };
    b->rest = str_sub(rest, end, rest.n);
}

int bench_open(struct bench **out, const char *file, struct err *e)
{
    struct bench *b = *out = calloc(1, sizeof *b);
    size_t n;
    if (!b)
        return err_nomem(e);
    b->master = b->slave = b->counts = b->saved[0] = b->saved[1] = -1;
    b->child = -1;
    if (infile_read_all(file, FILE_B, &b->text, &n, e))
        return e->code;
    b->rest = (struct str){ b->text, n };
    take_size(b);
    return start_terminal(b, e) || take_streams(b, e) ? e->code : OK;
}

void bench_leave(struct bench *b)
{
    for (int i = 0; i < 2; i++) {
        if (b->saved[i] < 0)
            continue;
        dup2(b->saved[i], i);
        close(b->saved[i]);
        b->saved[i] = -1;
    }
}

void bench_free(struct bench *b)
{
    if (!b)
        return;
    bench_leave(b);
    const int fds[] = { b->slave, b->master, b->counts };
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        if (fds[i] >= 0)
            close(fds[i]);
    if (b->child > 0) /* it ends with the last descriptor of the terminal's other side */
        while (waitpid(b->child, NULL, 0) < 0 && errno == EINTR)
            ;
    free(b->text);
    free(b->frame);
    free(b);
}

/* ---- frames ---- */

/* Wait until fd can be read. */
static int wait_for(int fd, const char *what, struct err *e)
{
    struct pollfd f = { .fd = fd, .events = POLLIN };
    int rc;
    while ((rc = poll(&f, 1, PATIENCE_S * 1000)) < 0 && errno == EINTR)
        ;
    return rc > 0 ? OK : err_set(e, ERR_IO, "%s within %d seconds", what, PATIENCE_S);
}

static bool next_key(struct bench *b)
{
    while (b->rest.n) {
        size_t end = 0;
        while (end < b->rest.n && b->rest.p[end] != ' ' && b->rest.p[end] != '\n')
            end++;
        struct str word = str_sub(b->rest, 0, end);
        b->rest = str_sub(b->rest, end + 1, b->rest.n);
        if (str_eq(word, STR(COUNT_FROM)))
            bench_forget(b);
        else if ((b->key = key_parse(word)) != 0)
            return true;
    }
    return false;
}

int bench_type(struct bench *b, struct err *e)
{
    char bytes[32];
    size_t n = 0;
    while (!n) {
        if (!next_key(b))
            return 0;
        n = term_key_bytes(b->key, bytes, sizeof bytes);
    }
    if (write(b->master, bytes, n) != (ssize_t)n) {
        err_sys(e, errno, "a key cannot be typed");
        return -1;
    }
    if (wait_for(b->slave, "a key did not arrive", e))
        return -1;
    b->since_cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    b->since_ms = now_ms(CLOCK_MONOTONIC);
    return 1;
}

int bench_drawn(struct bench *b, struct err *e)
{
    const char end = FRAME_END;
    struct frame f = { .ms = now_ms(CLOCK_MONOTONIC) - b->since_ms,
                       .cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID) - b->since_cpu_ms,
                       .key = b->key,
                       .number = (uint32_t)b->n };
    if (write(b->slave, &end, 1) != 1 || wait_for(b->counts, "the frame did not arrive", e) ||
        read(b->counts, &f.bytes, sizeof f.bytes) != (ssize_t)sizeof f.bytes)
        return e->code ? e->code : err_sys(e, errno, "a frame cannot be counted");
    struct frame *p = grow_array(b->frame, b->n, &b->cap, sizeof *p, 1024);
    if (!p)
        return err_nomem(e);
    b->frame = p;
    b->frame[b->n++] = f;
    return OK;
}

void bench_forget(struct bench *b)
{
    b->n = 0;
}

/* ---- figures ---- */

static int by_time(const void *x, const void *y)
{
    const struct frame *a = x, *b = y;
    return a->ms < b->ms ? -1 : a->ms > b->ms;
}

static int by_cpu(const void *x, const void *y)
{
    const struct frame *a = x, *b = y;
    return a->cpu_ms < b->cpu_ms ? -1 : a->cpu_ms > b->cpu_ms;
}

static int by_bytes(const void *x, const void *y)
{
    const struct frame *a = x, *b = y;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

void bench_line(struct bench *b, char *buf, size_t n)
{
    struct rusage used;
    double ms = 0, bytes = 0;
    char key[32];
    if (!b->n) {
        snprintf(buf, n, "frames 0");
        return;
    }
    for (size_t i = 0; i < b->n; i++) {
        ms += b->frame[i].ms;
        bytes += (double)b->frame[i].bytes;
    }
    size_t p50 = b->n / 2, p99 = b->n * 99 / 100, last = b->n - 1;
    getrusage(RUSAGE_SELF, &used);
    qsort(b->frame, b->n, sizeof *b->frame, by_time);
    const struct frame slowest = b->frame[last];
    int k = snprintf(buf, n, "frames %zu mean_ms %.3f p50_ms %.3f p99_ms %.3f max_ms %.3f peak_kib %ld", b->n,
                     ms / (double)b->n, b->frame[p50].ms, b->frame[p99].ms, slowest.ms, used.ru_maxrss);
    qsort(b->frame, b->n, sizeof *b->frame, by_cpu);
    double cpu = b->frame[p99].cpu_ms;
    qsort(b->frame, b->n, sizeof *b->frame, by_bytes);
    if (k > 0 && (size_t)k < n)
        snprintf(buf + k, n - (size_t)k,
                 " cpu_p99_ms %.3f bytes_mean %.0f bytes_p50 %llu bytes_p99 %llu bytes_max %llu "
                 "slowest %u:%s",
                 cpu, bytes / (double)b->n, (unsigned long long)b->frame[p50].bytes,
                 (unsigned long long)b->frame[p99].bytes, (unsigned long long)b->frame[last].bytes,
                 slowest.number + 1, key_text(key, sizeof key, slowest.key));
}
