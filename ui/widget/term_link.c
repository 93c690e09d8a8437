/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes past curses; links (OSC 8) over what it has written: it knows none. */
#include "config.h"

#include "ui/widget/term_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define WAIT_ROWS 512

void term_put(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0 && errno == EAGAIN) {
            struct pollfd f = { .fd = fd, .events = POLLOUT };
            poll(&f, 1, 100);
            continue;
        }
        if (k <= 0)
            return;
        p += k;
        n -= (size_t)k;
    }
}

/* Cells of row y that have to be written again, from x on: [*from, *to). false: there are none. */
static bool next_span(const struct canvas *c, const struct canvas *shown, int y, int x, int *from, int *to)
{
    int cols = canvas_cols(c);

    while (x < cols && !canvas_link(c, y, x) && !canvas_was_link(shown, y, x))
        x++;
    const char *uri = canvas_link(c, y, x);
    *from = x;
    while (x < cols && (canvas_link(c, y, x) || canvas_was_link(shown, y, x)) && canvas_link(c, y, x) == uri)
        x++;
    *to = x;
    return *to > *from;
}

static void add_cells(const struct canvas *c, int y, int from, int to, const struct term_link_out *o)
{
    enum role now = N_ROLES, r;

    for (int x = from; x < to; x++) {
        const char *t = canvas_cell(c, y, x, &r);
        if (!t[0]) /* right half of a wide one */
            continue;
        if (r != now)
            o->attr(r, o->b);
        now = r;
        buf_puts(o->b, t);
    }
}

/* The cells of row y that are links in c, and those that were in shown. */
static void link_row(const struct canvas *c, const struct canvas *shown, int y, const struct term_link_out *o)
{
    int from, to = 0;

    while (next_span(c, shown, y, to, &from, &to)) {
        const char *uri = canvas_link(c, y, from);
        buf_printf(o->b, "\0337\033[%d;%dH", y + 1, from + 1);
        if (uri) {
            buf_puts(o->b, "\033]8;;");
            buf_puts(o->b, uri);
            buf_puts(o->b, "\033\\");
        }
        add_cells(c, y, from, to, o);
        if (uri)
            buf_puts(o->b, "\033]8;;\033\\");
        o->attr(N_ROLES, o->b);
        buf_puts(o->b, "\0338");
    }
}

static bool waits[WAIT_ROWS]; /* rows of the screen: their links are to be written */

/* false: cells are no links any more, and nothing else writes them again. */
static bool may_wait(const struct canvas *c, const struct canvas *shown, int y)
{
    for (int x = 0; x < canvas_cols(c); x++)
        if (canvas_was_link(shown, y, x) && !canvas_link(c, y, x) && canvas_cell_same(c, shown, y, x))
            return false;
    return y < WAIT_ROWS;
}

static bool has_links(const struct canvas *c, int y)
{
    for (int x = 0; x < canvas_cols(c); x++)
        if (canvas_link(c, y, x))
            return true;
    return false;
}

void term_link_frame(const struct canvas *c, const struct canvas *shown, bool all,
                     const struct term_link_out *o)
{
    for (int y = 0; y < canvas_rows(c); y++) {
        bool changed = all || !canvas_row_same(c, shown, y) || !canvas_links_same(c, shown, y);
        bool later = changed && !all && may_wait(c, shown, y);
        if (changed && !later)
            link_row(c, shown, y, o);
        if (changed && y < WAIT_ROWS)
            waits[y] = later && has_links(c, y);
    }
}

bool term_link_waits(void)
{
    for (int y = 0; y < WAIT_ROWS; y++)
        if (waits[y])
            return true;
    return false;
}

void term_link_rest(const struct canvas *c, const struct term_link_out *o)
{
    for (int y = 0; y < canvas_rows(c) && y < WAIT_ROWS; y++) {
        if (waits[y])
            link_row(c, c, y, o);
        waits[y] = false;
    }
}
