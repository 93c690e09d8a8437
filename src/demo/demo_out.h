/*
 * Output files of the demo writers: a buffered file with formatting that no locale can change.
 *
 * Errors are sticky: after the first one puts do nothing, demo_out_close() reports it with the
 * file's name.
 */
#ifndef NPUSCOPE_DEMO_OUT_H
#define NPUSCOPE_DEMO_OUT_H

#include <stdarg.h>
#include <string.h>

#include "base/str.h"

#define DEMO_OUT_CHUNK 65536
#define DEMO_OUT_ROOM  512 /* free bytes behind the chunk: one short put needs no check */

struct demo_out {
    int fd;
    int sys;      /* errno of the first failure */
    bool squeeze; /* demo_fmt leaves out the blank after a comma or colon of the format: JSON as C++
                     writes it */
    size_t n;
    uint64_t total; /* bytes handed to the system */
    char path[1024];
    char buf[DEMO_OUT_CHUNK + DEMO_OUT_ROOM];
};

/* What a writer has put on disk so far. */
struct demo_count {
    uint64_t files, bytes;
};

/* Create dir/name. The caller closes it. */
NODISCARD int demo_out_open(struct demo_out **out, const char *dir, const char *name,
                            struct err *e);
/* Write the rest, close, free. c (may be NULL) is added to. NULL is allowed. Always frees. */
NODISCARD int demo_out_close(struct demo_out *o, struct demo_count *c, struct err *e);
/* Free without caring for the content (error paths). NULL is allowed. */
void demo_out_drop(struct demo_out *o);
/* Directories with their parents. */
NODISCARD int demo_mkdirs(const char *path, struct err *e);

void demo_out_flush(struct demo_out *o);

static inline void demo_out_check(struct demo_out *o)
{
    if (o->n >= DEMO_OUT_CHUNK)
        demo_out_flush(o);
}
static inline void demo_putc(struct demo_out *o, char c)
{
    o->buf[o->n++] = c;
    demo_out_check(o);
}
void demo_putn(struct demo_out *o, const char *p, size_t n);
static inline void demo_puts(struct demo_out *o, const char *s)
{
    demo_putn(o, s, strlen(s));
}
void demo_putu(struct demo_out *o, uint64_t v);
void demo_puti(struct demo_out *o, int64_t v);

/* Decimal text of v at the end of buf; returns its first digit. */
char *demo_number(uint64_t v, char buf[24]);

/* v / 10^digits, with all digits ("132.400"). */
void demo_put_fixed(struct demo_out *o, int64_t v, int digits);
/* v / 10^digits without trailing zeros, at least least (0 or 1) digits behind the point ("132.4",
 * "60" or "60.0"). */
void demo_put_trim(struct demo_out *o, int64_t v, int digits, int least);
/* v / 10^digits as Python prints the nearest double (at most 15 significant digits): "0.00396",
 * "1e-05", "2.0". */
void demo_put_dec(struct demo_out *o, int64_t v, int digits);
/* Shortest text that reads back as v, in Python's form. */
void demo_put_repr(struct demo_out *o, double v);
/* A CSV cell, quoted when it holds a comma or a quote. */
void demo_put_cell(struct demo_out *o, const char *s);

/*
 * Formats (each argument has exactly the type named; this is not printf):
 *   %s const char *   %d int   %u uint32_t   %i int64_t   %U uint64_t   %r double (repr)
 *   %t int64_t ns as us, three decimals   %f the same without trailing zeros, at least one decimal
 * %g without any when whole %m int64_t ns as ms as Python prints the double   %%
 */
void demo_fmt(struct demo_out *o, const char *fmt, ...);
void demo_vfmt(struct demo_out *o, const char *fmt, va_list *ap);

/* Shortest repr of v into buf (at least 32 bytes); returns its length. */
size_t demo_repr(double v, char *buf);
/* ns since 1970 as the double of us that Python would get; exact at this size but for the grid of a
 * quarter. */
double demo_us(int64_t unix_ns);
/* v rounded half away from zero to n (0..6) decimals, as an integer scaled by 10^n. */
int64_t demo_round(double v, int n);

#endif
