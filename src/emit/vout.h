/*
 * Output files of the writers: a buffered file with formatting that no locale can change.
 *
 * Errors are sticky: after the first one puts do nothing, vout_close() reports it with the file's name. Not thread-safe.
 */
#ifndef NPUSCOPE_EMIT_VOUT_H
#define NPUSCOPE_EMIT_VOUT_H

#include <stdarg.h>
#include <string.h>

#include "base/str.h"

#define VOUT_CHUNK 65536
#define VOUT_ROOM  512 /* free bytes behind the chunk: one short put needs no check */

struct vout {
    int fd;                /* -1: what is put goes nowhere */
    struct file_write *w;  /* the file gets its name when it is whole; NULL: from the start */
    struct pretty *pretty; /* JSON gets line breaks; NULL: not */
    struct csvjson *table; /* a CSV table becomes JSON; NULL: not */
    int sys;               /* errno of the first failure */
    bool squeeze; /* vout_fmt leaves out the blank after a comma or colon of the format: JSON as C++
                     writes it */
    size_t n;
    uint64_t total; /* bytes handed to the system */
    char path[1024];
    char buf[VOUT_CHUNK + VOUT_ROOM];
};

/* What writers have put on disk so far. */
struct vout_count {
    uint64_t files, bytes;
};

/* Create dir/name, or replace what it holds. The caller closes it. Errors: ERR_IO, ERR_NOMEM, ERR_USAGE (path too long). */
NODISCARD int vout_open(struct vout **out, const char *dir, const char *name, struct err *e);
/* The same, but the file appears under its name when it is whole; replace false: what exists is left and is an error (file_write_open()). */
NODISCARD int vout_create(struct vout **out, const char *dir, const char *name, bool replace,
                          struct err *e);
/* What is put goes nowhere: for a file that is not wanted. ERR_NOMEM. */
NODISCARD int vout_nowhere(struct vout **out, struct err *e);
/* From the beginning: when it is a JSON document it is written with line breaks. ERR_NOMEM. */
NODISCARD int vout_pretty(struct vout *o, struct err *e);
/* From the beginning: what is put is a CSV table, and written as JSON (emit/csvjson.h). ERR_NOMEM. */
NODISCARD int vout_table(struct vout *o, struct err *e);
/* Write the rest, close, free. c (may be NULL) is added to. NULL is allowed. Always frees. */
NODISCARD int vout_close(struct vout *o, struct vout_count *c, struct err *e);
/* Free without caring for the content (error paths). NULL is allowed. */
void vout_drop(struct vout *o);
/* Directories with their parents, mode 0777 less the umask. */
NODISCARD int vout_mkdirs(const char *path, struct err *e);

void vout_flush(struct vout *o);

static inline void vout_check(struct vout *o)
{
    if (o->n >= VOUT_CHUNK)
        vout_flush(o);
}
static inline void vout_c(struct vout *o, char c)
{
    o->buf[o->n++] = c;
    vout_check(o);
}
void vout_n(struct vout *o, const char *p, size_t n);
static inline void vout_str(struct vout *o, struct str s)
{
    vout_n(o, s.p, s.n);
}
static inline void vout_s(struct vout *o, const char *s)
{
    vout_n(o, s, strlen(s));
}
void vout_u(struct vout *o, uint64_t v);
void vout_i(struct vout *o, int64_t v);

/* Decimal text of v at the end of buf; returns its first digit. */
char *vendor_number(uint64_t v, char buf[24]);

/* v / 10^digits, with all digits ("132.400"). */
void vout_fixed(struct vout *o, int64_t v, int digits);
/* v / 10^digits without trailing zeros, at least least (0 or 1) digits behind the point ("132.4",
 * "60" or "60.0"). */
void vout_trim(struct vout *o, int64_t v, int digits, int least);
/* v / 10^digits as Python prints the nearest double (at most 15 significant digits): "0.00396",
 * "1e-05", "2.0". */
void vout_dec(struct vout *o, int64_t v, int digits);
/* Shortest text that reads back as v, in Python's form. */
void vout_repr(struct vout *o, double v);
/* A CSV cell, quoted when it holds a comma or a quote. */
void vout_cell(struct vout *o, const char *s);
void vout_cell_str(struct vout *o, struct str s);

/*
 * Formats (each argument has exactly the type named; this is not printf):
 *   %s const char *   %d int   %u uint32_t   %i int64_t   %U uint64_t   %r double (repr)
 *   %t int64_t ns as us, three decimals   %f the same without trailing zeros, at least one decimal
 * %g without any when whole %m int64_t ns as ms as Python prints the double   %%
 */
void vout_fmt(struct vout *o, const char *fmt, ...);
void vout_vfmt(struct vout *o, const char *fmt, va_list *ap);

/* F-repr (formats/gen1-raw.md 4): shortest text of v as Python prints it, into buf (at least 32 bytes), without a terminator; returns its length. */
size_t vendor_repr(double v, char *buf);
/* F-round (formats/gen1-raw.md 4): half to even on the exact binary value, to n (0..17) decimals. */
double vendor_round(double v, int n);
/* Without its fraction; beyond +-9e18 that bound, 0 for what is no number. */
int64_t vendor_whole(double v);

#endif
