/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli/bundle/excerpt.h"

#include <inttypes.h>

#include "base/read/infile.h"

/* Append the bytes [from, to) of a file that nothing was read of; *end: where reading ended. */
static void add_span(struct infile *in, uint64_t from, uint64_t to, struct buf *out, uint64_t *end)
{
    struct err damage = ERR_INIT; /* what was unpacked before it is taken */
    size_t got = 1, n;

    (void)infile_start(in, from);
    while (infile_offset(in) < to && !damage.code && got) {
        (void)!infile_more(in, &got, &damage);
        const char *p = infile_data(in, &n);
        uint64_t at = infile_offset(in);
        if (at + n > from && out) {
            size_t skip = at < from ? (size_t)(from - at) : 0;
            buf_add(out, str_sub((struct str){ p, at + n > to ? (size_t)(to - at) : n }, skip, SIZE_MAX));
        }
        infile_take(in, n);
    }
    *end = infile_offset(in) < to ? infile_offset(in) : to;
}

static int read_span(const char *path, uint64_t from, uint64_t to, struct buf *out, struct err *e)
{
    struct infile *in = NULL;
    uint64_t end;

    if (infile_open(&in, path, 0, e) == OK)
        add_span(in, from, to, out, &end);
    infile_close(in);
    return e->code;
}

/* Bytes of the unpacked file; of a packed one the whole of it is read. */
static int unpacked_size(const char *path, uint64_t *size, struct err *e)
{
    struct infile *in = NULL;

    if (infile_open(&in, path, 0, e) == OK) {
        *size = infile_size(in);
        if (infile_is_gz(in))
            add_span(in, UINT64_MAX, UINT64_MAX, NULL, size);
    }
    infile_close(in);
    return e->code;
}

/* Leave out what follows the last line end after `from`, if there is one. */
static void cut_last_line(struct buf *b, size_t from)
{
    size_t n = b->n;

    while (n > from && b->p[n - 1] != '\n')
        n--;
    if (n > from)
        b->n = n;
}

int excerpt_add(const char *path, const struct excerpt *x, struct buf *out, uint64_t *left_out, struct err *e)
{
    size_t begin = out->n;
    uint64_t size = 0;
    struct buf tail;
    struct str t;

    *left_out = 0;
    if (unpacked_size(path, &size, e))
        return e->code;
    if (size <= x->head_b + x->tail_b)
        return read_span(path, 0, size, out, e);
    buf_init(&tail, out->max);
    if (read_span(path, 0, x->head_b, out, e) == OK && x->tail_b)
        (void)!read_span(path, size - x->tail_b, size, &tail, e);
    t = buf_str(&tail);
    if (x->lines) {
        cut_last_line(out, begin);
        size_t line = str_chr(t, '\n');
        t = line == SIZE_MAX ? t : str_sub(t, line + 1, SIZE_MAX);
    }
    *left_out = size - (out->n - begin) - t.n;
    if (x->lines)
        buf_printf(out, "[%" PRIu64 " bytes are left out here]\n", *left_out);
    buf_add(out, t);
    out->failed |= buf_failed(&tail);
    buf_done(&tail);
    return e->code;
}
