/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reader chose, per run, in $XDG_CACHE_HOME/npuscope/state, and histories. Plain lines, written
 * whole or not at all; read like hostile input. A file that this program did not write, or that is cut, is
 * ignored as a whole, with one message; what no longer fits a run is left out silently. When the file cannot
 * be written nothing is remembered, which is no error.
 *
 *     npuscope-state 1
 *     option mouse=off              options: before the first run
 *     history command go step 17    histories, oldest first: there as well
 *     run /path/of/run              canonical; lines below belong to it, until the next run; newest first
 *     pane ops
 *     folder day2/job4              of several runs there, the one in front
 *     rank 3
 *     window 20-23                  of a dynamic profile
 *     in ops view ops.op            of a pane (ui/pane/pane_state.c)
 *     in ops table ops.op sort avg_ns desc
 *     end
 *
 * In texts a line break is "\n" and a backslash "\\".
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/read/infile.h"
#include "model/run_list.h"
#include "model/windows.h"
#include "ui/app/app_int.h"

#define STATE_B   ((size_t)1 << 20)
#define LINE_B    8192
#define RUNS_KEPT 50

static const struct str first_line = { "npuscope-state 1", 16 }, last_line = { "end", 3 };

static bool state_path(char *buf, size_t n, bool make)
{
    struct err ignored = ERR_INIT;
    char dir[3000];
    if (path_cache_dir(dir, sizeof dir, &ignored) || (make && path_private_dir(dir, &ignored)))
        return false;
    return path_join(buf, n, dir, "state");
}

static struct history *history_by_name(struct app *a, struct str name)
{
    if (str_eq(name, STR("command")))
        return a->h_command;
    if (str_eq(name, STR("search")))
        return a->h_search;
    if (str_eq(name, STR("sql")))
        return a->h_sql;
    const struct pane_def *d = pane_def_by_word(name);
    return d ? a->h_filter[d->id] : NULL;
}

/* ---- lines ---- */

static void take_option(struct app *a, struct str rest)
{
    if (str_eq(rest, STR("mouse=off")) && a->o.mouse < 0)
        a->o.mouse = 0;
}

static void take_history(struct app *a, struct str rest)
{
    struct str name;
    struct buf text;
    struct history *h = str_next(&rest, ' ', &name) && rest.p ? history_by_name(a, name) : NULL;
    buf_init(&text, LINE_B);
    if (h && pane_unescape(rest, &text))
        history_add(h, buf_str(&text));
    buf_done(&text);
}

static void take_pane(struct app *a, struct str rest)
{
    const struct pane_def *d = a->o.pane ? NULL : pane_def_by_word(rest);
    if (d)
        a->current = d->id;
}

static void take_folder(struct app *a, struct str rest)
{
    char folder[512];
    struct buf want;
    buf_init(&want, LINE_B);
    bool whole = pane_unescape(rest, &want);
    for (size_t i = 0; whole && !a->o.run_given && !a->o.rank_given && i < session_n_ranks(a->s); i++) {
        run_list_folder(a->s, session_run(a->s, i), folder, sizeof folder);
        if (str_eq(buf_str(&want), str_of(folder))) {
            session_select(a->s, i);
            break;
        }
    }
    buf_done(&want);
}

static void take_rank(struct app *a, struct str rest)
{
    int64_t r;
    if (a->o.rank_given || !str_i64(rest, &r) || r < 0 || r > INT32_MAX || session_n_ranks(a->s) < 2)
        return;
    size_t i = session_find_rank(a->s, (int)r);
    if (i != SIZE_MAX)
        session_select(a->s, i);
}

static void take_window(struct app *a, struct str rest)
{
    char want[60];
    size_t now = session_current(a->s);
    str_copy(rest, want, sizeof want);
    for (size_t i = 0; !a->o.window_given && i < session_n_ranks(a->s); i++)
        if (session_rank(a->s, i)->rank == session_rank(a->s, now)->rank && windows_fit(a->s, i, want))
            session_select(a->s, i);
}

static void take_in(struct app *a, struct str rest)
{
    struct str name;
    const struct pane_def *d = str_next(&rest, ' ', &name) && rest.p ? pane_def_by_word(name) : NULL;
    if (d)
        pane_restore(a->panes[d->id], rest);
}

static void take_run(struct app *a, struct str rest)
{
    (void)a;
    (void)rest;
}

static const struct word {
    const char *word;
    bool of_run; /* is written below a "run" line */
    void (*take)(struct app *a, struct str rest);
} words[] = {
    { "option", false, take_option }, { "history", false, take_history },
    { "run", true, take_run },        { "pane", true, take_pane },
    { "folder", true, take_folder },  { "rank", true, take_rank },
    { "window", true, take_window },  { "in", true, take_in },
};

static const struct word *word_of(struct str *rest)
{
    struct str word;
    if (!str_next(rest, ' ', &word) || !rest->p || !rest->n)
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(word, str_of(words[i].word)))
            return &words[i];
    return NULL;
}

/* true: every line, from the first to the last, is one that this program writes. */
static bool is_whole(struct str text)
{
    struct str line;
    bool in_run = false, ended = false;
    if (!str_next(&text, '\n', &line) || !str_eq(line, first_line))
        return false;
    while (str_next(&text, '\n', &line)) {
        struct str rest = line;
        if (ended)
            return !line.n && !text.p; /* nothing after the last line */
        ended = str_eq(line, last_line);
        if (ended)
            continue;
        const struct word *w = line.n <= LINE_B && text_valid_utf8(line) ? word_of(&rest) : NULL;
        if (!w)
            return false;
        in_run |= !strcmp(w->word, "run");
        if (w->of_run != in_run)
            return false;
    }
    return false;
}

/* ---- reading ---- */

/* NULL: there is no state file, or it is damaged, which is reported. */
static char *read_all(struct app *a, size_t *n)
{
    struct err e = ERR_INIT;
    char path[4096], *text = NULL;
    if (!state_path(path, sizeof path, false) || access(path, F_OK) != 0)
        return NULL;
    if (infile_read_all(path, STATE_B, &text, n, &e) == OK && is_whole((struct str){ text, *n }))
        return text;
    app_say(a, ROLE_WARN, "what was kept from earlier sessions is damaged and is ignored: %s", path);
    free(text);
    return NULL;
}

void state_read(struct app *a)
{
    size_t n = 0;
    bool mine = true; /* lines before the first run are for all */
    char *text = a->o.no_state ? NULL : read_all(a, &n);
    struct str rest = { text, n }, line;
    while (text && str_next(&rest, '\n', &line)) {
        const struct word *w = word_of(&line);
        if (!w)
            continue;
        if (!strcmp(w->word, "run"))
            mine = str_eq(line, str_of(session_job(a->s)->path));
        if (mine)
            w->take(a, line);
    }
    free(text);
}

/* ---- writing ---- */

static void add_history(struct buf *b, const char *name, const struct history *h)
{
    struct buf line;
    buf_init(&line, LINE_B);
    for (size_t i = history_count(h); i-- > 0;) {
        struct str s = history_get(h, i);
        buf_clear(&line);
        buf_printf(&line, "history %s ", name);
        pane_escape(s, &line);
        if (!buf_failed(&line) && text_valid_utf8(s))
            buf_printf(b, "%s\n", line.p);
    }
    buf_done(&line);
}

/* true: n more bytes leave room for the last line. */
static bool has_room(const struct buf *b, size_t n)
{
    return n < STATE_B && b->n + n + last_line.n + 2 < STATE_B;
}

struct pane_lines {
    struct buf *out;
    const char *pane;
};

static void add_pane_line(void *arg, struct str text)
{
    const struct pane_lines *l = arg;
    size_t n = text.n + strlen(l->pane) + 5;
    if (n > LINE_B || !has_room(l->out, n) || !text_valid_utf8(text))
        return;
    buf_printf(l->out, "in %s ", l->pane);
    buf_add(l->out, text);
    buf_addc(l->out, '\n');
}

static void add_folder(struct app *a, struct buf *b)
{
    char folder[512];
    run_list_folder(a->s, session_run(a->s, session_current(a->s)), folder, sizeof folder);
    if (!text_valid_utf8(str_of(folder)))
        return;
    buf_puts(b, "folder ");
    pane_escape(str_of(folder), b);
    buf_addc(b, '\n');
}

static void add_run(struct app *a, struct buf *b)
{
    struct window w;
    buf_printf(b, "run %s\npane %s\n", session_job(a->s)->path, pane_word(a->current));
    if (session_n_ranks(a->s) && runs_are_several(a))
        add_folder(a, b);
    if (session_n_ranks(a->s) > 1)
        buf_printf(b, "rank %d\n", session_rank(a->s, session_current(a->s))->rank);
    if (session_n_ranks(a->s) > 1 &&
        windows_unit(session_job(a->s)->units[session_rank(a->s, session_current(a->s))->unit], &w))
        buf_printf(b, "window %" PRId64 "-%" PRId64 "\n", w.start, w.stop);
    for (int i = 0; i < N_PANES; i++) {
        struct pane_lines l = { b, pane_word((enum pane_id)i) };
        pane_save(a->panes[i], add_pane_line, &l);
    }
}

/*
 * Copy the other runs of the old file, newest first as they were. A run for which there is no room is
 * dropped: a longer file would not be read.
 */
static void add_other_runs(struct app *a, struct buf *b, struct str old)
{
    struct str line, run = { old.p, 0 };
    bool keep = false;
    int runs = 0;
    while (str_next(&old, '\n', &line)) {
        bool next = str_starts(line, STR("run "));
        if (next || str_eq(line, last_line)) {
            if (keep && has_room(b, run.n))
                buf_add(b, run);
            keep = next && !str_eq(str_sub(line, 4, line.n), str_of(session_job(a->s)->path)) &&
                   ++runs < RUNS_KEPT;
            run = (struct str){ line.p, 0 };
        }
        run.n += line.n + 1;
    }
}

static void add_all(struct app *a, struct buf *b)
{
    size_t n = 0;
    char *old = read_all(a, &n);
    buf_printf(b, "%s\n", first_line.p);
    if (!a->o.mouse)
        buf_puts(b, "option mouse=off\n");
    add_history(b, "command", a->h_command);
    add_history(b, "search", a->h_search);
    add_history(b, "sql", a->h_sql);
    for (int i = 0; i < N_PANES; i++)
        add_history(b, pane_word((enum pane_id)i), a->h_filter[i]);
    add_run(a, b);
    add_other_runs(a, b, (struct str){ old, n });
    buf_printf(b, "%s\n", last_line.p);
    free(old);
}

void state_write(struct app *a)
{
    struct err ignored = ERR_INIT;
    struct file_write *w;
    struct buf b;
    char path[4096];
    const char *run = session_job(a->s)->path;
    if (a->o.no_state || strchr(run, '\n') || !text_valid_utf8(str_of(run)) ||
        !state_path(path, sizeof path, true))
        return;
    buf_init(&b, STATE_B);
    add_all(a, &b);
    if (!buf_failed(&b) && file_write_open(&w, path, true, &ignored) == OK) {
        if (file_write_data(w, b.p, b.n, &ignored))
            file_write_abort(w);
        else if (file_write_commit(w, &ignored))
            err_clear(&ignored); /* nothing is remembered, nothing else is lost */
    }
    buf_done(&b);
}
