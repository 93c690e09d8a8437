/* SPDX-License-Identifier: Apache-2.0 */
/* Output: buffer, file or standard output, pager. */
#include "config.h"

#include "cli/out.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "store/store.h"

extern char **environ;

#define BLOCK_B    ((size_t)64 << 10)
#define PAGED_B    ((size_t)1 << 20) /* held back until it is known whether it fits */
#define MAX_B      ((size_t)64 << 20)
#define PAGER_ARGS 16
#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

struct out {
    struct buf buf;
    struct file_write *file; /* NULL: into, or fd */
    struct buf *into;
    int fd;
    bool tty, page;
    int width, height;
    size_t lines;
    pid_t pager;
    uint64_t sent, sent_hash; /* bytes that were written, and their hash */
    uint64_t skip, skip_hash; /* bytes to leave out of a repeated result, and the hash of those so far */
    struct err err;           /* the first failure */
    bool gone;
};

int out_open(struct out **out, const struct out_opts *opts, struct err *e)
{
    struct out *o = calloc(1, sizeof *o);
    struct winsize w;

    if (!o)
        return err_nomem(e);
    err_clear(&o->err);
    buf_init(&o->buf, MAX_B);
    o->sent_hash = HASH_BEGIN;
    o->fd = STDOUT_FILENO;
    if (opts->path && file_write_open(&o->file, opts->path, true, e)) {
        out_abort(o);
        return e->code;
    }
    o->into = opts->into;
    o->tty = !opts->path && !opts->into && isatty(STDOUT_FILENO);
    if (o->tty && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col && w.ws_row) {
        o->width = w.ws_col;
        o->height = w.ws_row;
    }
    const char *pager = getenv("PAGER");
    o->page = opts->page && o->tty && o->height && pager && *pager;
    *out = o;
    return OK;
}

static int write_fd(struct out *o, const char *p, size_t n)
{
    while (n) {
        ssize_t k = write(o->fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0) {
            o->gone = errno == EPIPE;
            return err_sys(&o->err, errno, "cannot write %s",
                           o->pager ? "to the pager" : "to standard output");
        }
        p += k;
        n -= (size_t)k;
    }
    return OK;
}

/* FNV-1a */
static uint64_t hash_more(uint64_t h, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* Without what was written before out_repeat(). */
static struct str not_sent(struct out *o, struct str s)
{
    size_t n = o->skip < s.n ? (size_t)o->skip : s.n;

    if (!n)
        return s;
    o->skip_hash = hash_more(o->skip_hash, str_sub(s, 0, n));
    o->skip -= n;
    if (!o->skip && o->skip_hash != o->sent_hash)
        err_set(&o->err, ERR_STORE,
                "the store was damaged, and what is read now differs from what was "
                "printed: give the command again");
    return str_sub(s, n, s.n);
}

void out_repeat(struct out *o)
{
    buf_clear(&o->buf);
    o->lines = 0;
    if (o->err.code == ERR_STORE)
        err_clear(&o->err);
    o->skip = o->sent;
    o->skip_hash = HASH_BEGIN;
}

static void flush(struct out *o)
{
    struct str s = not_sent(o, buf_str(&o->buf));

    if (buf_failed(&o->buf))
        err_nomem(&o->err);
    /* what rests on a damaged page, maybe where its error was lost, is not sent */
    if (store_damage_met() && !o->err.code)
        err_set(&o->err, ERR_STORE, "the store is damaged");
    if (o->err.code) {
        buf_clear(&o->buf);
        return;
    }
    o->sent += s.n;
    o->sent_hash = hash_more(o->sent_hash, s);
    if (o->file)
        (void)!file_write_data(o->file, s.p, s.n, &o->err);
    else if (o->into)
        buf_add(o->into, s);
    else
        write_fd(o, s.p, s.n);
    buf_clear(&o->buf);
}

/* ---- pager ---- */

/* Words of PAGER at blanks: a program and its options, no shell (doc/reliability.md#programs-started). */
static size_t pager_words(char *text, char **argv)
{
    size_t n = 0;

    for (char *p = text; *p && n + 1 < PAGER_ARGS;) {
        while (*p == ' ')
            *p++ = '\0';
        if (*p)
            argv[n++] = p;
        while (*p && *p != ' ')
            p++;
    }
    argv[n] = NULL;
    return n;
}

static void start_pager(struct out *o)
{
    int p[2];
    char text[1024], *argv[PAGER_ARGS];
    posix_spawn_file_actions_t fa;

    o->page = false;
    str_copy(str_of(getenv("PAGER")), text, sizeof text);
    if (!pager_words(text, argv) || pipe2(p, O_CLOEXEC))
        return;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, p[0], STDIN_FILENO);
    int rc = posix_spawnp(&o->pager, argv[0], &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    close(p[0]);
    if (rc) {
        o->pager = 0;
        close(p[1]);
        log_message("cannot start the pager %s: %s", argv[0], strerror(rc));
        return;
    }
    o->fd = p[1];
}

static int end_pager(struct out *o, struct err *e)
{
    int status = 0;

    close(o->fd);
    o->fd = STDOUT_FILENO;
    while (waitpid(o->pager, &status, 0) < 0 && errno == EINTR)
        ;
    o->pager = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return err_set(e, ERR_IO, "the pager ended with status %d", WEXITSTATUS(status));
    return OK;
}

/* ---- adding ---- */

bool out_flush(struct out *o)
{
    if (!o->page)
        flush(o);
    return !o->err.code && !o->gone;
}

void out_add(struct out *o, struct str s)
{
    if (o->err.code)
        return;
    for (size_t i = 0; o->page && i < s.n; i++)
        o->lines += s.p[i] == '\n';
    buf_add(&o->buf, s);
    if (o->page && (o->lines >= (size_t)o->height || o->buf.n >= PAGED_B))
        start_pager(o);
    if (!o->page && o->buf.n >= BLOCK_B)
        flush(o);
}

void out_puts(struct out *o, const char *text)
{
    out_add(o, str_of(text));
}

void out_printf(struct out *o, const char *fmt, ...)
{
    char small[512], *big = NULL;
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n >= (int)sizeof small && (big = malloc((size_t)n + 1)) != NULL) {
        va_start(ap, fmt);
        vsnprintf(big, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    if (n < 0 || (n >= (int)sizeof small && !big))
        err_nomem(&o->err);
    else
        out_add(o, (struct str){ big ? big : small, (size_t)n });
    free(big);
}

static int add_written(void *arg, struct str s, struct err *e)
{
    struct out *o = arg;

    out_add(o, s);
    if (o->err.code && !e->code)
        *e = o->err;
    if (sig_stop())
        return err_set(e, ERR_CANCELLED, "interrupted");
    return e->code;
}

struct write_to out_writer(struct out *o)
{
    return (struct write_to){ .add = add_written, .arg = o, .terminal = o->tty, .width = o->width };
}

bool out_is_paged(const struct out *o)
{
    return o->pager != 0;
}

static void release(struct out *o)
{
    buf_done(&o->buf);
    free(o);
}

int out_close(struct out *o, bool *gone, struct err *e)
{
    flush(o);
    if (o->skip && !o->err.code)
        err_set(&o->err, ERR_STORE,
                "the store was damaged, and what is read now is less than what was "
                "printed: give the command again");
    if (o->pager && end_pager(o, &o->err))
        o->gone = false;
    if (o->file && o->err.code)
        file_write_abort(o->file);
    else if (o->file)
        (void)!file_write_commit(o->file, &o->err);
    *gone = o->gone;
    if (o->err.code && !e->code)
        *e = o->err;
    release(o);
    return e->code;
}

void out_abort(struct out *o)
{
    struct err ignored = ERR_INIT;

    if (!o)
        return;
    if (o->pager)
        (void)!end_pager(o, &ignored);
    file_write_abort(o->file);
    release(o);
}
