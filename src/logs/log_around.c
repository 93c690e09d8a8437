/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "logs/log_around.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/read/infile.h"
#include "parsers/logs/log_head.h"

#define REACH_B ((uint64_t)64 << 10) /* before the line and after its beginning */

/* Go to `from`; *data holds what is whole of [from, to). */
static int read_part(struct infile *in, uint64_t from, uint64_t to, struct str *data, struct err *e)
{
    struct err damage = { 0 };
    size_t got, n;

    (void)infile_start(in, from);
    for (;;) {
        (void)!infile_more(in, &got, &damage); /* what was unpacked before damage is still there */
        char *p = infile_data(in, &n);
        uint64_t at = infile_offset(in);
        if (at < from) {
            size_t skip = n < from - at ? n : (size_t)(from - at);
            infile_take(in, skip);
            p += skip;
            n -= skip;
            at += skip;
        }
        bool ended = damage.code || infile_eof(in);
        if (at >= from && (at + n >= to || ended || infile_full(in))) {
            *data = (struct str){ p, at + n > to ? (size_t)(to - at) : n };
            return OK;
        }
        if (ended)
            return err_set(e, ERR_FORMAT, "the file is shorter than it was: %" PRIu64 " bytes", at + n);
    }
}

/* Where the n-th line before `at` begins, of the `size` bytes of p. */
static size_t lines_up(const char *p, size_t at, int n, int *taken)
{
    size_t from = at;

    for (*taken = 0; *taken < n && from > 0; ++*taken) {
        size_t to = from - 1; /* the end of the line before */
        while (to > 0 && p[to - 1] != '\n')
            to--;
        from = to;
    }
    return from;
}

static void put_line(struct str s, uint64_t number, bool meant, struct buf *out)
{
    char copy[LOG_AROUND_B];

    if (s.n && s.p[s.n - 1] == '\r')
        s = str_sub(s, 0, s.n - 1);
    str_copy(s, copy, sizeof copy);
    size_t n = log_head_uncolour(copy, strlen(copy));
    buf_printf(out, "%s%6" PRIu64 "  %.*s\n", meant ? ">" : " ", number, (int)n, copy);
}

int log_around(const char *path, uint64_t offset, uint64_t line, struct buf *out, struct err *e)
{
    struct infile *in = NULL;
    struct str data = { 0 }, s;
    uint64_t from = offset > REACH_B ? offset - REACH_B : 0;
    int before;

    if (infile_open(&in, path, 0, e) || read_part(in, from, offset + REACH_B, &data, e)) {
        infile_close(in);
        return e->code;
    }
    if (data.n <= offset - from) {
        infile_close(in);
        return err_set(e, ERR_FORMAT, "the file is shorter than it was: %" PRIu64 " bytes", from + data.n);
    }
    size_t at = (size_t)(offset - from), first = lines_up(data.p, at, LOG_AROUND, &before);
    if (from && !first) /* cut by where reading began */
        before -= before > 0;
    struct str rest = str_sub(data, first, SIZE_MAX);
    if (from && !first && !str_next(&rest, '\n', &s))
        rest = str_sub(data, at, SIZE_MAX);
    for (int i = -before; i <= LOG_AROUND && str_next(&rest, '\n', &s); i++)
        if (rest.p || s.n) /* not the emptiness after the last line end */
            put_line(s, line + (uint64_t)(int64_t)i, !i, out);
    infile_close(in);
    return OK;
}
