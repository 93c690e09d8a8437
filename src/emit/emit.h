/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output files of the writers: a buffered file with formatting that no locale can change.
 *
 * Errors are sticky: after the first one puts do nothing, emit_close() reports it with the file's name. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_EMIT_EMIT_H
#define NPUSCOPE_EMIT_EMIT_H

#include <stdarg.h>
#include <string.h>

#include "base/str.h"

#define EMIT_CHUNK 65536
#define EMIT_ROOM  512 /* free bytes after the chunk: one short put needs no check */

struct emit {
    int fd;                /* -1: what is put goes nowhere */
    struct file_write *w;  /* the file gets its name when it is whole; NULL: from the start */
    struct pretty *pretty; /* JSON gets line breaks; NULL: not */
    struct csvjson *table; /* a CSV table becomes JSON; NULL: not */
    int sys;               /* errno of the first failure */
    bool squeeze;          /* emit_fmt leaves out the blank after a comma or colon of the format: JSON as C++
                     writes it */
    size_t n;
    uint64_t total; /* bytes handed to the system */
    char path[1024];
    char buf[EMIT_CHUNK + EMIT_ROOM];
};

/* Count of what writers have put on disk so far. */
struct emit_count {
    uint64_t files, bytes;
    int64_t date_ns; /* files get this modification time (Unix time); 0: that of writing */
};

/*
 * Create dir/name, or replace what it holds. The caller closes it. Errors: ERR_IO, ERR_NOMEM, ERR_USAGE (path
 * too long).
 */
NODISCARD int emit_open(struct emit **out, const char *dir, const char *name, struct err *e);
/*
 * The same, but the file appears under its name when it is whole; replace false: what exists is left and is
 * an error. name may lie in folders below dir, which are made; links below dir are not followed
 * (file_write_open_below()).
 */
NODISCARD int emit_create(struct emit **out, const char *dir, const char *name, bool replace, struct err *e);
/*
 * The same into an open file, which is closed with it, also after an error; name: for messages. ERR_NOMEM,
 * ERR_USAGE.
 */
NODISCARD int emit_into(struct emit **out, int fd, const char *name, struct err *e);
/* The bytes go nowhere: for a file that is not wanted. ERR_NOMEM. */
NODISCARD int emit_nowhere(struct emit **out, struct err *e);
/* From the beginning: when it is a JSON document it is written with line breaks. ERR_NOMEM. */
NODISCARD int emit_pretty(struct emit *o, struct err *e);
/* From the beginning: what is put is a CSV table, and written as JSON (emit/csvjson.h). ERR_NOMEM. */
NODISCARD int emit_table(struct emit *o, struct err *e);
/* Write the rest, close, free. c (may be NULL) is added to. NULL is allowed. Always frees. */
NODISCARD int emit_close(struct emit *o, struct emit_count *c, struct err *e);
/* Free without caring for the content (error paths). NULL is allowed. */
void emit_drop(struct emit *o);
/* Directories with their parents, mode 0777 less the umask. */
NODISCARD int emit_mkdirs(const char *path, struct err *e);

void emit_flush(struct emit *o);

static inline void emit_check(struct emit *o)
{
    if (o->n >= EMIT_CHUNK)
        emit_flush(o);
}
static inline void emit_c(struct emit *o, char c)
{
    o->buf[o->n++] = c;
    emit_check(o);
}
void emit_n(struct emit *o, const char *p, size_t n);
static inline void emit_str(struct emit *o, struct str s)
{
    emit_n(o, s.p, s.n);
}
static inline void emit_s(struct emit *o, const char *s)
{
    emit_n(o, s, strlen(s));
}
void emit_u(struct emit *o, uint64_t v);
void emit_i(struct emit *o, int64_t v);

/* Decimal text of v at the end of buf; returns its first digit. */
char *emit_number(uint64_t v, char buf[24]);

/* v / 10^digits, with all digits ("132.400"). */
void emit_fixed(struct emit *o, int64_t v, int digits);
/*
 * v / 10^digits without trailing zeros, at least `least` (0 or 1) digits after the point ("132.4", "60" or
 * "60.0").
 */
void emit_trim(struct emit *o, int64_t v, int digits, int least);
/* v / 10^digits as Python prints the nearest double (at most 15 significant digits): "0.00396",
 * "1e-05", "2.0". */
void emit_dec(struct emit *o, int64_t v, int digits);
/* Shortest text that reads back as v, in Python's form. */
void emit_repr(struct emit *o, double v);
/* A CSV cell, quoted when it holds a comma or a quote. */
void emit_cell(struct emit *o, const char *s);
void emit_cell_str(struct emit *o, struct str s);

/*
 * Formats (each argument has exactly the type named; this is not printf):
 *   %s const char *   %d int   %u uint32_t   %i int64_t   %U uint64_t   %r double (repr)
 *   %t int64_t ns as us, three decimals   %f the same without trailing zeros, at least one decimal
 *   %g the same without any when whole   %m int64_t ns as ms as Python prints the double   %%
 */
void emit_fmt(struct emit *o, const char *fmt, ...);
void emit_vfmt(struct emit *o, const char *fmt, va_list *ap);

/*
 * F-repr (doc/formats/mindspore1.md#text-forms): shortest text of v as Python prints it, into buf (at least
 * 32 bytes), without a terminator; returns its length.
 */
size_t repr_text(double v, char *buf);
/*
 * F-round (doc/formats/mindspore1.md#text-forms): half to even on the exact binary value, to n (0..17)
 * decimals.
 */
double emit_round(double v, int n);
/* Without its fraction; beyond +-9e18 that bound, 0 for what is no number. */
int64_t repr_whole(double v);

#endif
