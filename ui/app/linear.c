/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen as lines, for screen readers and serial consoles (doc/screens.md#lines): a line of keys, a
 * command or a search comes in, the lines that it changed go out. There is no cursor to place and nothing is
 * overwritten.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/sig.h"
#include "base/text.h"
#include "ui/app/app_int.h"
#include "ui/app/keys.h"

#define SCREEN_B ((size_t)1 << 20)

struct lines {
    struct app *a;
    const struct ui_lines *io;
    struct buf before, now; /* the screen as text */
};

/* ---- what is on the screen ---- */

/* Everything that waits is done, as if the reader looked on for a while. */
static int settle(struct app *a, struct err *e)
{
    int cy, cx;
    for (;;) {
        busy_begin(a);
        if (a->filter_due_ms)
            app_filter_now(a);
        app_frame(a, &cy, &cx);
        while (a->worker && !a->quit) {
            struct pollfd f = { .fd = worker_fd(a->worker), .events = POLLIN };
            if (poll(&f, 1, -1) < 0 && errno != EINTR)
                return err_sys(e, errno, "waiting for what is being read");
            if (sig_stop())
                worker_cancel(a->worker);
            app_worker(a);
        }
        app_repair(a);
        app_load_others(a);
        if (a->worker)
            continue;
        pane_rested(app_pane(a));
        while (!a->dirty && pane_work(app_pane(a)))
            ;
        if (!a->dirty)
            return OK;
    }
}

static bool is_cursor(const struct app *a, struct str line)
{
    return str_starts(line, str_of(glyph_text(G_CURSOR, app_ascii(a))));
}

/* A line without the mark of the cursor row. */
static struct str unmarked(const struct app *a, struct str line)
{
    size_t n = is_cursor(a, line) ? strlen(glyph_text(G_CURSOR, app_ascii(a))) : 0;
    return str_trim(str_sub(line, n, line.n));
}

static struct str next_line(struct str *rest)
{
    struct str line = STR_NULL;
    return str_next(rest, '\n', &line) ? line : STR_NULL;
}

/* The row that the cursor has left is the same as before; the one that it came to is news. */
static bool is_news(const struct app *a, struct str before, struct str now)
{
    if (str_eq(str_trim(before), str_trim(now)) || !str_trim(now).n)
        return false;
    return is_cursor(a, now) || !str_eq(unmarked(a, before), unmarked(a, now));
}

static size_t count_news(const struct lines *l)
{
    struct str before = buf_str(&l->before), now = buf_str(&l->now);
    size_t n = 0;
    while (now.p)
        n += is_news(l->a, next_line(&before), next_line(&now));
    return n;
}

/* What has changed; where most has, the whole screen in its order. */
static int say_changes(struct lines *l, struct err *e)
{
    buf_clear(&l->now);
    canvas_text(l->a->c, &l->now);
    if (buf_failed(&l->now))
        return err_nomem(e);
    bool all = !l->before.n || count_news(l) * 2 > (size_t)l->a->rows;
    struct str before = buf_str(&l->before), now = buf_str(&l->now);
    while (now.p && !e->code) {
        struct str was = next_line(&before), line = next_line(&now);
        if (all ? str_trim(line).n > 0 : is_news(l->a, was, line))
            (void)!l->io->say(l->io->arg, line, e);
    }
    struct buf old = l->before;
    l->before = l->now;
    l->now = old;
    return e->code;
}

/* ---- what comes in ---- */

static void key(struct app *a, uint32_t code)
{
    const struct key_event k = { .code = code };
    app_key(a, &k);
}

static void type(struct app *a, struct str text)
{
    uint32_t cp;
    for (size_t i = 0, n; i < text.n && !a->quit; i += n) {
        n = text_decode(text.p + i, text.n - i, &cp);
        n = n ? n : 1;
        key(a, cp);
    }
    key(a, K_ENTER);
}

/* The pane in front takes this key as text: its statement is open. */
static bool edits(struct app *a, uint32_t code)
{
    const struct pane *p = app_pane(a);
    return !a->overlay && p->def->ops && p->def->ops->takes && p->def->ops->takes(p, code);
}

/* A question, a prompt or a statement is open: what comes in is its text, but for the name of a key (Esc). */
static bool takes_text(struct app *a, struct str line)
{
    bool named = line.n > 1 && key_parse(line) != K_NONE;
    return a->prompt || (line.n && !named && edits(a, (unsigned char)line.p[0]));
}

/* ^C stops what is being read or asked, not the program; other signals end it. true: go on. */
static bool goes_on(struct app *a, struct err *e)
{
    int stop = sig_stop();
    if (stop && stop != SIGINT)
        return err_set(e, ERR_CANCELLED, "ended by a signal") == OK;
    if (stop)
        sig_clear_stop();
    a->stopped = false;
    return true;
}

/*
 * Names of keys separated by blanks; a command, search or filter as it is typed on the screen; nothing: the
 * next row.
 */
static void take(struct app *a, struct str line)
{
    struct str word;
    line = str_trim(line);
    if (takes_text(a, line)) {
        type(a, line);
    } else if (!line.n) {
        key(a, edits(a, 'a') ? K_ENTER : 'j');
    } else if (line.n > 1 && strchr(":/\\&", line.p[0])) {
        key(a, (unsigned char)line.p[0]);
        type(a, str_sub(line, 1, line.n));
    } else {
        while (!a->quit && str_next(&line, ' ', &word)) {
            uint32_t code = key_parse(word);
            if (word.n && code)
                key(a, code);
            else if (word.n)
                app_say(a, ROLE_WARN, "'%.*s' is not the name of a key; a command begins with :",
                        word.n < 40 ? (int)word.n : 40, word.p);
        }
    }
}

int ui_lines(const struct ui_opts *o, const struct ui_lines *io, struct err *e)
{
    struct lines l = { .io = io };
    struct buf line;

    l.a = app_new(o, o->ascii ? TEXT_ASCII : 0, io->rows, io->cols, e);
    if (!l.a)
        return e->code;
    canvas_set_mono(l.a->c, true); /* lines have no colours */
    buf_init(&l.before, SCREEN_B);
    buf_init(&l.now, SCREEN_B);
    buf_init(&line, 65536);
    state_read(l.a);
    while (settle(l.a, e) == OK && say_changes(&l, e) == OK && !l.a->quit && goes_on(l.a, e)) {
        buf_clear(&line);
        if (!io->ask(io->arg, &line)) {
            if (sig_stop())
                err_set(e, ERR_CANCELLED, "ended by a signal");
            break;
        }
        l.a->message[0] = '\0';
        take(l.a, buf_failed(&line) ? STR("") : buf_str(&line));
    }
    state_write(l.a);
    buf_done(&line);
    buf_done(&l.before);
    buf_done(&l.now);
    app_free(l.a);
    return e->code;
}
