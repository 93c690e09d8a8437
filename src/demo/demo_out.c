/* Buffered output files and number formatting of the demo writers. */
#include "config.h"

#include "demo/demo_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

static const int64_t POW10[] = { 1,      10,      100,      1000,      10000,
                                 100000, 1000000, 10000000, 100000000, 1000000000 };

int demo_out_open(struct demo_out **out, const char *dir, const char *name, struct err *e)
{
    *out = NULL;
    struct demo_out *o = malloc(sizeof *o);
    if (!o)
        return err_nomem(e);
    o->n = 0;
    o->sys = 0;
    o->squeeze = false;
    o->total = 0;
    if (!path_join(o->path, sizeof o->path, dir, name)) {
        free(o);
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    }
    o->fd = open(o->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (o->fd < 0) {
        err_sys(e, errno, "cannot create the file");
        err_where(e, o->path, ERR_NO_OFFSET, 0);
        free(o);
        return (int)e->code;
    }
    *out = o;
    return OK;
}

void demo_out_flush(struct demo_out *o)
{
    size_t off = 0;
    while (!o->sys && off < o->n) {
        ssize_t w = write(o->fd, o->buf + off, o->n - off);
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
    o->n = 0;
}

int demo_out_close(struct demo_out *o, struct demo_count *c, struct err *e)
{
    int rc = OK;
    if (!o)
        return OK;
    demo_out_flush(o);
    if (close(o->fd) && !o->sys)
        o->sys = errno;
    if (o->sys) {
        rc = err_sys(e, o->sys, "cannot write the file");
        err_where(e, o->path, o->total, 0);
    } else if (c) {
        c->files++;
        c->bytes += o->total;
    }
    free(o);
    return rc;
}

void demo_out_drop(struct demo_out *o)
{
    if (!o)
        return;
    close(o->fd);
    free(o);
}

int demo_mkdirs(const char *path, struct err *e)
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
            return (int)e->code;
        }
        part[i] = path[i];
    }
    return OK;
}

void demo_putn(struct demo_out *o, const char *p, size_t n)
{
    while (n > DEMO_OUT_ROOM / 2) {
        memcpy(o->buf + o->n, p, DEMO_OUT_ROOM / 2);
        o->n += DEMO_OUT_ROOM / 2;
        p += DEMO_OUT_ROOM / 2;
        n -= DEMO_OUT_ROOM / 2;
        demo_out_check(o);
    }
    memcpy(o->buf + o->n, p, n);
    o->n += n;
    demo_out_check(o);
}

char *demo_number(uint64_t v, char buf[24])
{
    char *p = buf + 23;
    *p = '\0';
    do
        *--p = (char)('0' + v % 10);
    while (v /= 10);
    return p;
}

void demo_putu(struct demo_out *o, uint64_t v)
{
    char t[24], *p = demo_number(v, t);
    size_t n = (size_t)(t + 23 - p);
    memcpy(o->buf + o->n, p, n);
    o->n += n;
    demo_out_check(o);
}

static uint64_t magnitude(struct demo_out *o, int64_t v)
{
    if (v >= 0)
        return (uint64_t)v;
    demo_putc(o, '-');
    return (uint64_t) - (v + 1) + 1;
}

void demo_puti(struct demo_out *o, int64_t v)
{
    demo_putu(o, magnitude(o, v));
}

/* digits of frac, kept to keep places */
static void put_frac(struct demo_out *o, uint64_t frac, int digits, int keep)
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
        demo_out_check(o);
    }
}

void demo_put_fixed(struct demo_out *o, int64_t v, int digits)
{
    uint64_t m = magnitude(o, v), p = (uint64_t)POW10[digits];
    demo_putu(o, m / p);
    put_frac(o, m % p, digits, digits);
}

void demo_put_trim(struct demo_out *o, int64_t v, int digits, int least)
{
    uint64_t m = magnitude(o, v), p = (uint64_t)POW10[digits], frac = m % p;
    int keep = digits;
    demo_putu(o, m / p);
    for (uint64_t f = frac; keep > least && f % 10 == 0; f /= 10)
        keep--;
    put_frac(o, frac, digits, keep);
}

void demo_put_dec(struct demo_out *o, int64_t v, int digits)
{
    uint64_t m = v < 0 ? (uint64_t) - (v + 1) + 1 : (uint64_t)v;
    if (!m || m * 10000 >= (uint64_t)POW10[digits] || m > UINT64_MAX / 10000) {
        demo_put_trim(o, v, digits, 1);
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
    demo_putc(o, d[n - 1]);
    if (n > 1)
        demo_putc(o, '.');
    for (int i = n - 1; i-- > 0;)
        demo_putc(o, d[i]);
    demo_puts(o, ex > -10 ? "e-0" : "e-");
    demo_puti(o, -ex);
}

void demo_put_repr(struct demo_out *o, double v)
{
    o->n += demo_repr(v, o->buf + o->n);
    demo_out_check(o);
}

void demo_put_cell(struct demo_out *o, const char *s)
{
    if (!strpbrk(s, ",\"\r\n")) {
        demo_puts(o, s);
        return;
    }
    demo_putc(o, '"');
    for (; *s; s++) {
        if (*s == '"')
            demo_putc(o, '"');
        demo_putc(o, *s);
    }
    demo_putc(o, '"');
}

static void put_arg(struct demo_out *o, char f, va_list *ap)
{
    switch (f) {
    case 's':
        demo_puts(o, va_arg(*ap, const char *));
        break;
    case 'd':
        demo_puti(o, va_arg(*ap, int));
        break;
    case 'u':
        demo_putu(o, va_arg(*ap, uint32_t));
        break;
    case 'i':
        demo_puti(o, va_arg(*ap, int64_t));
        break;
    case 'U':
        demo_putu(o, va_arg(*ap, uint64_t));
        break;
    case 'r':
        demo_put_repr(o, va_arg(*ap, double));
        break;
    case 't':
        demo_put_fixed(o, va_arg(*ap, int64_t), 3);
        break;
    case 'f':
        demo_put_trim(o, va_arg(*ap, int64_t), 3, 1);
        break;
    case 'g':
        demo_put_trim(o, va_arg(*ap, int64_t), 3, 0);
        break;
    case 'm':
        demo_put_dec(o, va_arg(*ap, int64_t), 6);
        break;
    default: /* "%%" */
        demo_putc(o, f);
    }
}

static void put_literal(struct demo_out *o, const char *p, size_t n)
{
    if (!o->squeeze) {
        demo_putn(o, p, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        if (p[i] != ' ' || !i || (p[i - 1] != ',' && p[i - 1] != ':'))
            demo_putc(o, p[i]);
}

void demo_vfmt(struct demo_out *o, const char *fmt, va_list *ap)
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

void demo_fmt(struct demo_out *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    demo_vfmt(o, fmt, &ap);
    va_end(ap);
}

double demo_us(int64_t unix_ns)
{
    return (double)(unix_ns / 1000) + (double)((unix_ns % 1000 + 125) / 250) * 0.25;
}

int64_t demo_round(double v, int n)
{
    double s = v * (double)POW10[n];
    return s < 0 ? -(int64_t)(0.5 - s) : (int64_t)(s + 0.5);
}
