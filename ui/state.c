/*
 * What the reader had, per run, in $XDG_CACHE_HOME/npuscope/state: pane, rank, filters, histories. Plain lines; read like hostile input: known
 * words, limited lengths, the rest is ignored. A file that cannot be read or written is no error: nothing is remembered.
 *
 *     run /path/of/run            lines below belong to it, until the next run
 *     pane ops
 *     rank 3
 *     filter ops.op + type=Conv2D
 *     option mouse=off            before the first run: options
 *     history command :go step 17 before the first run: histories
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/infile.h"
#include "base/path.h"
#include "ui/app_int.h"

#define STATE_B   ((size_t)256 << 10)
#define RUNS_KEPT 50

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

/* A filter of a view: the table is made now, the line is compiled when data comes. */
static void read_filter(struct app *a, struct str rest)
{
    struct str id, mark;
    struct err ignored = ERR_INIT;
    if (!str_next(&rest, ' ', &id) || !str_next(&rest, ' ', &mark) || !rest.p || !rest.n ||
        !text_valid_utf8(rest))
        return;
    for (int i = 0; i < N_PANES; i++)
        for (size_t k = 0; k < a->panes[i]->n_views; k++) {
            struct pane *p = a->panes[i];
            if (!str_eq(id, str_of(p->views[k].def->id)))
                continue;
            if (!pane_base_table(p, k) || table_filter_add(p->views[k].t, rest, &ignored))
                return;
            table_filter_switch(p->views[k].t, table_n_filters(p->views[k].t) - 1,
                                str_eq(mark, STR("+")));
        }
}

static void read_run_line(struct app *a, struct str word, struct str rest)
{
    int64_t r;
    if (str_eq(word, STR("pane")) && !a->o.pane) {
        const struct pane_def *d = pane_def_by_word(rest);
        if (d)
            a->current = d->id;
    } else if (str_eq(word, STR("filter"))) {
        read_filter(a, rest);
    } else if (str_eq(word, STR("rank")) && str_i64(rest, &r) && r >= 0 && r <= INT32_MAX &&
               session_n_ranks(a->s) > 1) {
        size_t i = session_find_rank(a->s, (int)r);
        if (i != SIZE_MAX && session_store(a->s, session_rank(a->s, i)->unit))
            session_select(a->s, i);
    }
}

static void read_line(struct app *a, struct str line, int *in_run)
{
    struct str rest = line, word;
    if (line.n > 8192 || !str_next(&rest, ' ', &word) || !rest.p)
        return;
    if (str_eq(word, STR("run"))) {
        *in_run = str_eq(rest, str_of(session_job(a->s)->path)) ? 1 : 2;
    } else if (*in_run == 1) {
        read_run_line(a, word, rest);
    } else if (!*in_run && str_eq(word, STR("history"))) {
        struct str name;
        if (str_next(&rest, ' ', &name) && rest.p && rest.n && text_valid_utf8(rest) &&
            history_by_name(a, name))
            history_add(history_by_name(a, name), rest);
    } else if (!*in_run && str_eq(word, STR("option")) && str_eq(rest, STR("mouse=off")) &&
               a->o.mouse < 0) {
        a->o.mouse = 0;
    }
}

static char *read_all(size_t *n)
{
    struct err ignored = ERR_INIT;
    char path[4096], *text = NULL;
    if (!state_path(path, sizeof path, false) || infile_read_all(path, STATE_B, &text, n, &ignored))
        return NULL;
    return text;
}

void state_read(struct app *a)
{
    size_t n;
    int in_run = 0;
    char *text = a->o.no_state ? NULL : read_all(&n);
    if (!text)
        return;
    struct str rest = { text, n }, line;
    while (str_next(&rest, '\n', &line))
        read_line(a, line, &in_run);
    free(text);
}

/* ---- writing ---- */

static bool one_line(struct str s)
{
    return s.n && s.n < 4096 && str_chr(s, '\n') == SIZE_MAX && text_valid_utf8(s);
}

static void add_history(struct buf *b, const char *name, const struct history *h)
{
    for (size_t i = history_count(h); i-- > 0;) {
        struct str s = history_get(h, i);
        if (one_line(s))
            buf_printf(b, "history %s %.*s\n", name, (int)s.n, s.p);
    }
}

static void add_run(struct app *a, struct buf *b)
{
    buf_printf(b, "run %s\npane %s\n", session_job(a->s)->path, pane_word(a->current));
    if (session_n_ranks(a->s) > 1)
        buf_printf(b, "rank %d\n", session_rank(a->s, session_current(a->s))->rank);
    for (int i = 0; i < N_PANES; i++)
        for (size_t k = 0; k < a->panes[i]->n_views; k++) {
            struct table *t = a->panes[i]->views[k].t;
            for (size_t f = 0; t && f < table_n_filters(t); f++)
                if (one_line(str_of(table_filter(t, f)->text)))
                    buf_printf(b, "filter %s %s %s\n", table_def(t)->id,
                               table_filter(t, f)->on ? "+" : "-", table_filter(t, f)->text);
        }
}

/* The other runs of the old file, newest first as they were. */
static void add_other_runs(struct app *a, struct buf *b, struct str old)
{
    struct str line;
    bool keep = false;
    int runs = 0;
    while (str_next(&old, '\n', &line)) {
        if (str_starts(line, STR("run ")))
            keep = !str_eq(str_sub(line, 4, line.n), str_of(session_job(a->s)->path)) &&
                   ++runs < RUNS_KEPT;
        if (keep && line.n && line.n < 8192)
            buf_printf(b, "%.*s\n", (int)line.n, line.p);
    }
}

void state_write(struct app *a)
{
    struct err ignored = ERR_INIT;
    struct file_write *w;
    struct buf b;
    char path[4096];
    size_t n = 0;
    if (a->o.no_state || strchr(session_job(a->s)->path, '\n') ||
        !state_path(path, sizeof path, true))
        return;
    char *old = read_all(&n);
    buf_init(&b, STATE_B);
    if (!a->o.mouse)
        buf_puts(&b, "option mouse=off\n");
    add_history(&b, "command", a->h_command);
    add_history(&b, "search", a->h_search);
    for (int i = 0; i < N_PANES; i++)
        add_history(&b, pane_word((enum pane_id)i), a->h_filter[i]);
    add_run(a, &b);
    add_other_runs(a, &b, (struct str){ old, old ? n : 0 });
    free(old);
    if (!buf_failed(&b) && file_write_open(&w, path, true, &ignored) == OK) {
        if (file_write_data(w, b.p, b.n, &ignored))
            file_write_abort(w);
        else if (file_write_commit(w, &ignored))
            err_clear(&ignored); /* nothing is remembered, nothing else is lost */
    }
    buf_done(&b);
}
