/* SPDX-License-Identifier: Apache-2.0 */
/* Buffered output files and number formatting of the writers. */
#include "config.h"

#include "emit/emit.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "emit/csvjson.h"
#include "emit/pretty.h"

static const int64_t POW10[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000 };

static int make(struct emit **out, const char *dir, const char *name, struct err *e)
{
    struct emit *o = malloc(sizeof *o);

    *out = o;
    if (!o)
        return err_nomem(e);
    o->fd = -1;
    o->w = NULL;
    o->pretty = NULL;
    o->table = NULL;
    o->n = 0;
    o->sys = 0;
    o->squeeze = false;
    o->total = 0;
    o->path[0] = '\0';
    if (name && !path_join(o->path, sizeof o->path, dir, name))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    return OK;
}

static int give(struct emit **out, struct emit *o, struct err *e)
{
    if (e->code && o) {
        free(o);
        o = NULL;
    }
    *out = o;
    return e->code;
}

int emit_open(struct emit **out, const char *dir, const char *name, struct err *e)
{
    struct emit *o;

    if (make(&o, dir, name, e) == OK) {
        o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (o->fd < 0) {
            err_sys(e, errno, "cannot create the file");
            err_where(e, o->path, ERR_NO_OFFSET, 0);
        }
    }
    return give(out, o, e);
}

int emit_create(struct emit **out, const char *dir, const char *name, bool replace, struct err *e)
{
    struct emit *o;

    if (make(&o, dir, name, e) == OK && file_write_open_below(&o->w, dir, name, replace, e) == OK)
        o->fd = file_write_fd(o->w);
    return give(out, o, e);
}

int emit_into(struct emit **out, int fd, const char *name, struct err *e)
{
    struct emit *o;

    if (make(&o, "", name, e) == OK)
        o->fd = fd;
    else
        close(fd);
    return give(out, o, e);
}

int emit_nowhere(struct emit **out, struct err *e)
{
    struct emit *o;

    if (make(&o, NULL, NULL, e))
        return give(out, o, e);
    *out = o;
    return OK;
}

int emit_pretty(struct emit *o, struct err *e)
{
    o->pretty = calloc(1, sizeof *o->pretty);
    return o->pretty ? OK : err_nomem(e);
}

static void write_all(void *arg, const char *p, size_t n)
{
    struct emit *o = arg;
    size_t off = o->fd < 0 ? n : 0;

    while (!o->sys && off < n) {
        ssize_t w = write(o->fd, p + off, n - off);
        if (w < 0 && errno == EINTR)
            continue;
        if (w < 0)
            o->sys = errno;
        else if (w == 0)
            o->sys = ENOSPC;
        else
            off += (size_t)w;
    }
    o->total += off;
}

int emit_table(struct emit *o, struct err *e)
{
    return csvjson_new(&o->table, e);
}

static void put_table(struct emit *o, const char *p, size_t n)
{
    if (!csvjson_put(o->table, p, n, write_all, o) && !o->sys)
        o->sys = ENOMEM;
}

void emit_flush(struct emit *o)
{
    if (o->table)
        put_table(o, o->buf, o->n);
    else if (o->pretty)
        pretty_put(o->pretty, o->buf, o->n, write_all, o);
    else
        write_all(o, o->buf, o->n);
    o->n = 0;
}

/* The file was last changed at c->date_ns: after that nothing is written to it. */
static void put_date(const struct emit *o, const struct emit_count *c)
{
    if (!c || !c->date_ns || o->fd < 0)
        return;
    const struct timespec t = { .tv_sec = (time_t)(c->date_ns / 1000000000),
                                .tv_nsec = (long)(c->date_ns % 1000000000) };
    (void)!futimens(o->fd, (const struct timespec[2]){ t, t }); /* a file system without dates is no error */
}

int emit_close(struct emit *o, struct emit_count *c, struct err *e)
{
    if (!o)
        return OK;
    emit_flush(o);
    if (o->table)
        put_table(o, NULL, 0);
    if (o->pretty)
        pretty_put(o->pretty, NULL, 0, write_all, o);
    put_date(o, c);
    if (!o->w && o->fd >= 0 && close(o->fd) && !o->sys)
        o->sys = errno;
    if (o->sys) {
        err_sys(e, o->sys, "cannot write the file");
        err_where(e, o->path, o->total, 0);
        file_write_abort(o->w);
    } else if (!o->w || file_write_commit(o->w, e) == OK) {
        c = o->fd < 0 ? NULL : c;
        if (c) {
            c->files++;
            c->bytes += o->total;
        }
    }
    free(o->pretty);
    csvjson_free(o->table);
    free(o);
    return e->code;
}

void emit_drop(struct emit *o)
{
    if (!o)
        return;
    if (o->w)
        file_write_abort(o->w);
    else if (o->fd >= 0)
        close(o->fd);
    free(o->pretty);
    csvjson_free(o->table);
    free(o);
}

int emit_mkdirs(const char *path, struct err *e)
{
    char part[1024];
    size_t n = strlen(path);
    if (!n || n >= sizeof part)
        return err_set(e, ERR_USAGE, "the path of the output directory is empty or too long");
    memcpy(part, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (part[i] != '/' && part[i])
            continue;
        part[i] = '\0';
        if (mkdir(part, 0777) && errno != EEXIST) {
            err_sys(e, errno, "cannot create the directory");
            err_where(e, part, ERR_NO_OFFSET, 0);
            return e->code;
        }
        part[i] = path[i];
    }
    return OK;
}

void emit_n(struct emit *o, const char *p, size_t n)
{
    while (n > EMIT_ROOM / 2) {
        memcpy(o->buf + o->n, p, EMIT_ROOM / 2);
        o->n += EMIT_ROOM / 2;
        p += EMIT_ROOM / 2;
        n -= EMIT_ROOM / 2;
        emit_check(o);
    }
    memcpy(o->buf + o->n, p, n);
    o->n += n;
    emit_check(o);
}

void emit_u(struct emit *o, uint64_t v)
{
    char t[24], *p = emit_number(v, t);
    size_t n = (size_t)(t + 23 - p);
    memcpy(o->buf + o->n, p, n);
    o->n += n;
    emit_check(o);
}

static uint64_t magnitude(struct emit *o, int64_t v)
{
    if (v >= 0)
        return (uint64_t)v;
    emit_c(o, '-');
    return (uint64_t) - (v + 1) + 1;
}

void emit_i(struct emit *o, int64_t v)
{
    emit_u(o, magnitude(o, v));
}

/* digits of frac, kept to keep places */
static void put_frac(struct emit *o, uint64_t frac, int digits, int keep)
{
    char t[16];
    for (int i = digits; i-- > 0;) {
        t[i] = (char)('0' + frac % 10);
        frac /= 10;
    }
    if (keep) {
        o->buf[o->n++] = '.';
        memcpy(o->buf + o->n, t, (size_t)keep);
        o->n += (size_t)keep;
        emit_check(o);
    }
}

void emit_fixed(struct emit *o, int64_t v, int digits)
{
    uint64_t m = magnitude(o, v), p = (uint64_t)POW10[digits];
    emit_u(o, m / p);
    put_frac(o, m % p, digits, digits);
}

void emit_trim(struct emit *o, int64_t v, int digits, int least)
{
    uint64_t m = magnitude(o, v), p = (uint64_t)POW10[digits], frac = m % p;
    int keep = digits;
    emit_u(o, m / p);
    for (uint64_t f = frac; keep > least && f % 10 == 0; f /= 10)
        keep--;
    put_frac(o, frac, digits, keep);
}

void emit_dec(struct emit *o, int64_t v, int digits)
{
    uint64_t m = v < 0 ? (uint64_t) - (v + 1) + 1 : (uint64_t)v;
    if (!m || m * 10000 >= (uint64_t)POW10[digits] || m > UINT64_MAX / 10000) {
        emit_trim(o, v, digits, 1);
        return;
    }
    /* below 1e-4: scientific */
    int ex = -digits, n = 0;
    char d[20];
    magnitude(o, v);
    while (m % 10 == 0) {
        m /= 10;
        ex++;
    }
    for (; m; m /= 10)
        d[n++] = (char)('0' + m % 10);
    ex += n - 1;
    emit_c(o, d[n - 1]);
    if (n > 1)
        emit_c(o, '.');
    for (int i = n - 1; i-- > 0;)
        emit_c(o, d[i]);
    emit_s(o, ex > -10 ? "e-0" : "e-");
    emit_i(o, -ex);
}

void emit_repr(struct emit *o, double v)
{
    o->n += repr_text(v, o->buf + o->n);
    emit_check(o);
}

void emit_cell_str(struct emit *o, struct str s)
{
    bool plain = true;

    for (size_t i = 0; i < s.n; i++)
        plain &= s.p[i] != ',' && s.p[i] != '"' && s.p[i] != '\r' && s.p[i] != '\n';
    if (plain) {
        emit_str(o, s);
        return;
    }
    emit_c(o, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            emit_c(o, '"');
        emit_c(o, s.p[i]);
    }
    emit_c(o, '"');
}

void emit_cell(struct emit *o, const char *s)
{
    emit_cell_str(o, str_of(s));
}

static void put_arg(struct emit *o, char f, va_list *ap)
{
    switch (f) {
    case 's':
        emit_s(o, va_arg(*ap, const char *));
        break;
    case 'd':
        emit_i(o, va_arg(*ap, int));
        break;
    case 'u':
        emit_u(o, va_arg(*ap, uint32_t));
        break;
    case 'i':
        emit_i(o, va_arg(*ap, int64_t));
        break;
    case 'U':
        emit_u(o, va_arg(*ap, uint64_t));
        break;
    case 'r':
        emit_repr(o, va_arg(*ap, double));
        break;
    case 't':
        emit_fixed(o, va_arg(*ap, int64_t), 3);
        break;
    case 'f':
        emit_trim(o, va_arg(*ap, int64_t), 3, 1);
        break;
    case 'g':
        emit_trim(o, va_arg(*ap, int64_t), 3, 0);
        break;
    case 'm':
        emit_dec(o, va_arg(*ap, int64_t), 6);
        break;
    default: /* "%%" */
        emit_c(o, f);
    }
}

static void put_literal(struct emit *o, const char *p, size_t n)
{
    if (!o->squeeze) {
        emit_n(o, p, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (p[i] != ' ' || !i || (p[i - 1] != ',' && p[i - 1] != ':'))
            emit_c(o, p[i]);
}

void emit_vfmt(struct emit *o, const char *fmt, va_list *ap)
{
    for (const char *p = fmt; *p; p++) {
        const char *q = p;
        while (*q && *q != '%')
            q++;
        put_literal(o, p, (size_t)(q - p));
        if (!*q || !q[1])
            break;
        put_arg(o, q[1], ap);
        p = q + 1;
    }
}

void emit_fmt(struct emit *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    emit_vfmt(o, fmt, &ap);
    va_end(ap);
}

double emit_round(double v, int n)
{
    char t[512];

    if (!isfinite(v))
        return v;
    snprintf(t, sizeof t, "%.*f", n, v); /* correctly rounded */
    return strtod(t, NULL);
}
