/* SPDX-License-Identifier: Apache-2.0 */
/* SQL: a statement above its result. Read only; the result is an ordinary table. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "model/relations.h"
#include "ui/app/app_int.h"

#define MAX_EDIT_ROWS 8
#define NAME_W        15 /* of a table */
#define ROWS_W        9
#define TABLE_W       58 /* least, with what it is */
#define HELP_W        60 /* of what it is, where columns come after it */

struct sql {
    struct prompt *edit;
    bool editing; /* keys go to the statement */
    struct table *t;
    char error[512];
    size_t error_at; /* byte of the statement that was run; SIZE_MAX: not known */
    bool stopped;    /* by the reader, which is no error */
    bool ran;        /* the statement as it stands */
    char *offer;     /* the statement of the table that was in front before; NULL: there was none */
    double ms;
    struct relation *tables; /* of the store in front; NULL: not looked yet */
    size_t n_tables;
};

static struct sql *own(const struct pane *p)
{
    return p->own;
}

static bool names_table(struct str text)
{
    for (size_t i = 0; i < N_TABLES + schema_n_views; i++)
        if (str_find(text, str_of(i < N_TABLES ? schema_tables[i].name : schema_views[i - N_TABLES].name),
                     0) != SIZE_MAX)
            return true;
    return false;
}

/* Tables, then columns of those that the statement names, before it names one of all: what Tab offers. */
static void complete(void *arg, struct str text, size_t pos, size_t *from, prompt_add_fn *add, void *cookie)
{
    static const char words[] = "SELECT FROM WHERE GROUP BY ORDER LIMIT JOIN LEFT ON AND OR NOT "
                                "NULL COUNT SUM AVG MIN MAX DESC";
    struct str rest = str_of(words), word;
    (void)arg;
    *from = pos;
    while (*from && !strchr(" \n,(.=<>", text.p[*from - 1]))
        --*from;
    for (size_t i = 0; i < N_TABLES; i++)
        add(cookie, str_of(schema_tables[i].name));
    for (size_t i = 0; i < schema_n_views; i++)
        add(cookie, str_of(schema_views[i].name));
    bool all = !names_table(text);
    for (size_t i = 0; i < N_TABLES; i++)
        if (all || str_find(text, str_of(schema_tables[i].name), 0) != SIZE_MAX)
            for (size_t k = 0; k < schema_tables[i].n_cols; k++)
                add(cookie, str_of(schema_tables[i].cols[k].name));
    for (size_t i = 0; i < schema_n_views; i++)
        if (all || str_find(text, str_of(schema_views[i].name), 0) != SIZE_MAX)
            for (size_t k = 0; k < schema_views[i].n_cols; k++)
                add(cookie, str_of(schema_views[i].cols[k].name));
    while (str_next(&rest, ' ', &word))
        add(cookie, word);
}

static int open_pane(struct pane *p, struct err *e)
{
    struct sql *q = calloc(1, sizeof *q);
    struct prompt_opts o = {
        .history = p->app->h_sql, .complete = complete, .multiline = true, .max = (size_t)64 << 10
    };
    if (!q)
        return err_nomem(e);
    p->own = q;
    q->editing = true;
    return prompt_new(&q->edit, &o, e);
}

static void close_pane(struct pane *p)
{
    if (!p->own)
        return;
    prompt_free(own(p)->edit);
    table_free(own(p)->t);
    free(own(p)->offer);
    free(own(p)->tables);
    free(p->own);
}

/* Of another store, or of more that was read. */
static void forget_tables(struct sql *q)
{
    free(q->tables);
    q->tables = NULL;
}

static void detach(struct pane *p)
{
    forget_tables(own(p));
    if (own(p)->t)
        table_detach(own(p)->t);
}

static int attach_result(struct pane *p, struct err *e)
{
    struct sql *q = own(p);
    size_t n;
    struct session *s = app_session(p->app);
    const struct view_part *parts = session_parts(s, false, &n);
    if (!n)
        return err_set(e, ERR_USAGE, "nothing is loaded yet");
    return table_attach(q->t, parts, n, session_scope(s), e);
}

/* Keep the error of the last statement, or none; an earlier error goes. */
static void keep_error(struct sql *q, const struct err *e)
{
    struct err said = *e;
    q->error[0] = '\0';
    q->error_at = SIZE_MAX;
    q->stopped = e->code == ERR_CANCELLED;
    if (!e->file[0] && e->offset < SIZE_MAX) { /* of the statement: the caret says it */
        q->error_at = (size_t)e->offset;
        said.offset = ERR_NO_OFFSET;
    }
    if (e->code)
        tr_said_error(&said, q->error, sizeof q->error);
}

static int attach(struct pane *p, struct err *e)
{
    struct err mine = ERR_INIT;
    struct sql *q = own(p);
    (void)e;
    forget_tables(q);
    if (!q->t) /* keep the error of a statement that has no result */
        return OK;
    (void)!attach_result(p, &mine);
    keep_error(q, &mine);
    return OK;
}

static void run(struct pane *p)
{
    struct sql *q = own(p);
    struct err e = ERR_INIT;
    struct table_opts o = { .slow = app_slow(p->app), .arg = p };
    struct str text = str_trim(prompt_text(q->edit));
    if (!text.n)
        return;
    history_add(p->app->h_sql, text);
    q->ran = true;
    table_free(q->t);
    q->t = NULL;
    int64_t began_ns = clock_ns(CLOCK_MONOTONIC);
    if (table_new_sql(&q->t, text, &o, &e) || attach_result(p, &e)) {
        table_free(q->t);
        q->t = NULL;
        keep_error(q, &e);
        return;
    }
    keep_error(q, &e);
    q->ms = (double)(clock_ns(CLOCK_MONOTONIC) - began_ns) / 1e6;
    q->editing = table_rows(q->t) == 0;
}

static bool is_empty(const struct sql *q)
{
    return !str_trim(prompt_text(q->edit)).n;
}

void pane_sql_offer(struct pane *p, struct str sql)
{
    pane_show(p);
    struct sql *q = p->own;
    if (!q)
        return;
    free(q->offer);
    q->offer = sql.n ? malloc(sql.n + 1) : NULL;
    if (q->offer)
        str_copy(sql, q->offer, sql.n + 1);
    q->editing = true;
    if (!q->ran) /* what was not run yet stays */
        return;
    prompt_set(q->edit, STR(""));
    table_free(q->t);
    q->t = NULL;
    q->error[0] = '\0';
    q->ran = false;
}

void pane_sql_set(struct pane *p, struct str sql)
{
    pane_show(p);
    if (!p->own)
        return;
    prompt_set(own(p)->edit, sql);
    prompt_rewind(own(p)->edit); /* so that its beginning is shown */
    own(p)->editing = true;
    own(p)->ran = false;
}

/* What the editor does not take goes to the bindings; Esc leaves it. */
static bool takes(const struct pane *p, uint32_t code)
{
    const struct sql *q = p->own;
    if (!q || !q->editing || p->depth)
        return false;
    if (code == K_CTRL('C') || code == K_CTRL('Z') || code == K_CTRL('L') ||
        (code >= K_F1 && code <= K_ALT_9) || code == K_BTAB || code == K_ESC)
        return false;
    /* In an empty console the pane keys work, because no statement begins with a digit or a semicolon. */
    return !is_empty(q) || !((code >= '0' && code <= '9') || code == ':' || code == ';' || code == '?' ||
                             code == 'Q' || code == 'q');
}

/* Keys while the statement is edited; keys that the editor does not take go to the bindings. */
static bool text_key(struct pane *p, const struct key_event *k)
{
    struct sql *q = own(p);
    if (!q || !q->editing || p->depth)
        return false;
    if (k->code == K_PASTE) {
        prompt_insert(q->edit, app_pasted());
        return true;
    }
    if (k->code == K_ESC) {
        if (q->t)
            q->editing = false;
        else
            return false;
        return true;
    }
    if (k->code == K_CTRL('C') && !p->app->worker && !is_empty(q)) {
        prompt_set(q->edit, STR("")); /* as in a shell */
        return true;
    }
    if (!takes(p, k->code))
        return false;
    struct str text = str_trim(prompt_text(q->edit));
    if (k->code == K_ENTER && text.n && text.p[text.n - 1] == ';') {
        run(p);
        return true;
    }
    prompt_key(q->edit, k->code);
    q->ran = false;
    return true;
}

static bool key(struct pane *p, enum action act)
{
    struct sql *q = own(p);
    if (!q)
        return false;
    if (act == ACT_SQL || act == ACT_VIEW_NEXT || act == ACT_DETAIL) {
        if (act == ACT_SQL && q->editing && is_empty(q) && q->offer)
            pane_sql_set(p, str_of(q->offer));
        q->editing = true;
        return true;
    }
    return q->t && table_view(q->t) && table_key(q->t, act);
}

static int edit_rows(const struct sql *q, const struct canvas *c, struct rect a)
{
    int n = prompt_rows(q->edit, a.w - 3, canvas_flags(c)),
        most = a.h / 2 < MAX_EDIT_ROWS ? a.h / 2 : MAX_EDIT_ROWS;
    n = n > 3 ? n : 3;
    return n < most ? n : most;
}

/* Where a whole word stands; SIZE_MAX: nowhere, or more than once. */
static size_t only_word(struct str text, struct str word)
{
    size_t at = SIZE_MAX;
    for (size_t i = 0; (i = str_find(text, word, i)) != SIZE_MAX; i++) {
        size_t end = i + word.n;
        if ((i && str_is_word(text.p[i - 1]) && str_is_word(word.p[0])) ||
            (end < text.n && str_is_word(text.p[end]) && str_is_word(word.p[word.n - 1])))
            continue;
        if (at != SIZE_MAX)
            return SIZE_MAX;
        at = i;
    }
    return at;
}

/* Where the word is that the message quotes: near "FORM", no such column: dur. SIZE_MAX: not known. */
static size_t quoted_at(struct str text, struct str message)
{
    static const char *const before[] = { "near \"", "no such column: ", "no such table: ",
                                          "no such function: ", "ambiguous column name: " };
    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        size_t at = str_find(message, str_of(before[i]), 0);
        if (at == SIZE_MAX)
            continue;
        struct str word = str_sub(message, at + strlen(before[i]), message.n);
        size_t end = 0;
        while (end < word.n && !strchr(i ? " :;\n" : "\"", word.p[end]))
            end++;
        return end ? only_word(text, str_sub(word, 0, end)) : SIZE_MAX;
    }
    return SIZE_MAX;
}

/*
 * Where the statement is wrong: as SQLite says, which does not know it of every error; else, and when the
 * statement was changed since, by the word that the message quotes.
 */
static size_t wrong_at(const struct sql *q, struct str text)
{
    size_t lead = (size_t)(str_trim(text).p - text.p);
    if (q->ran && q->error_at < text.n - lead)
        return lead + q->error_at;
    return quoted_at(text, str_of(q->error));
}

/* The line of the statement that is wrong, with a caret below the place. */
static void draw_caret(const struct sql *q, struct canvas *c, struct rect a)
{
    struct str text = prompt_text(q->edit);
    size_t at = text.n ? wrong_at(q, text) : SIZE_MAX, from = at, to = at, n;
    unsigned flags = canvas_flags(c);
    uint32_t cp;
    if (at == SIZE_MAX || a.h < 2)
        return;
    while (from > 0 && text.p[from - 1] != '\n')
        from--;
    while (to < text.n && text.p[to] != '\n')
        to++;
    /* The place is on the screen. */
    for (size_t x = text_width(str_sub(text, from, at - from), flags); x > (size_t)a.w * 2 / 3; from += n) {
        n = text_decode(text.p + from, at - from, &cp);
        size_t w = text_width(str_sub(text, from, n), flags);
        x -= w < x ? w : x;
    }
    draw_text(c, a.y, a.x, a.w, ROLE_TEXT, str_sub(text, from, to - from), CUT_END);
    draw_puts(c, a.y + 1, a.x + (int)text_width(str_sub(text, from, at - from), flags), 1, ROLE_ERROR, "^");
}

static void look_at_tables(struct pane *p)
{
    struct sql *q = own(p);
    struct session *s = app_session(p->app);
    size_t n;
    const struct view_part *parts = session_parts(s, false, &n);

    if (!q->tables && (q->tables = calloc(RELATIONS_MAX, sizeof *q->tables)) != NULL)
        q->n_tables = relations_of(n ? parts[0].store : NULL, q->tables);
}

static void draw_one_table(struct canvas *c, struct rect a, const struct relation *r)
{
    char count[32], rows[40];
    int x = NAME_W + ROWS_W + 2;

    draw_puts(c, a.y, a.x, NAME_W - 1, ROLE_TEXT, r->name);
    if (r->rows >= 0) {
        unit_count(count, sizeof count, (double)r->rows, "");
        snprintf(rows, sizeof rows, "%s%s", r->about ? "~" : "", count);
        draw_right(c, a.y, a.x + NAME_W, ROWS_W, ROLE_TEXT, str_of(rows));
    }
    const int room = a.w - x, help = room < HELP_W * 2 ? room : HELP_W;
    draw_text(c, a.y, a.x + x, help, ROLE_DIM, str_of(tr(r->help)), CUT_END);
    if (help == room)
        return;
    x += help + 2;
    for (size_t k = 0; k < r->n_cols && x + (int)strlen(r->cols[k].name) <= a.w; k++)
        x += draw_puts(c, a.y, a.x + x, a.w - x, ROLE_DIM, r->cols[k].name) + 1;
}

/* Those that have rows, what is asked for first on top, in as many columns of the screen as they need. */
static void draw_tables(struct pane *p, struct canvas *c, struct rect a)
{
    const struct sql *q = own(p);
    const size_t rows = a.h > 2 ? (size_t)a.h - 2 : 1, most = a.w > TABLE_W ? (size_t)(a.w / TABLE_W) : 1;

    look_at_tables(p);
    if (!q->tables || a.h < 3)
        return;
    size_t columns = (q->n_tables + rows - 1) / rows, n = q->n_tables;
    columns = columns > most ? most : columns ? columns : 1;
    const int w = a.w / (int)columns;
    if (n > rows * columns) {
        n = rows * columns - 1;
        draw_printf(c, a.y + a.h - 1, a.x + (int)(columns - 1) * w, w, ROLE_DIM, tr("%zu more: F3"),
                    q->n_tables - n);
    }
    draw_puts(c, a.y, a.x, a.w, ROLE_DIM, tr("Tables with rows; F3 shows the columns of all"));
    for (size_t i = 0; i < columns; i++) {
        const int x = a.x + (int)i * w;
        draw_puts(c, a.y + 1, x, NAME_W - 1, ROLE_HEAD, tr("Table"));
        draw_right(c, a.y + 1, x + NAME_W, ROWS_W, ROLE_HEAD, str_of(tr("Rows")));
        draw_puts(c, a.y + 1, x + NAME_W + ROWS_W + 2, w, ROLE_HEAD, tr("What it is"));
    }
    for (size_t i = 0; i < n; i++)
        draw_one_table(c, (struct rect){ a.y + 2 + (int)(i % rows), a.x + (int)(i / rows) * w, 1, w - 2 },
                       &q->tables[i]);
}

static bool draw(struct pane *p, struct canvas *c, struct rect a)
{
    struct sql *q = own(p);
    int rows = edit_rows(q, c, a), cy, cx;
    struct rect e = { a.y, a.x + 1, rows, a.w - 2 };
    prompt_draw(q->edit, c, e, &cy, &cx);
    if (q->editing && !p->app->prompt && !p->app->overlay) {
        p->app->cursor_y = cy;
        p->app->cursor_x = cx;
    }
    if (!prompt_text(q->edit).n)
        draw_puts(c, a.y, a.x + 1, a.w - 2, ROLE_DIM,
                  tr("Enter after the final ; runs it   Up: earlier ones   Tab: completes"));
    draw_hline(c, a.y + rows, a.x, a.w, ROLE_DIM);
    struct rect r = { a.y + rows + 1, a.x, a.h - rows - 1, a.w };
    if (q->error[0]) {
        int x = q->stopped ? 0 : draw_puts(c, r.y, r.x + 1, 6, ROLE_ERROR, tr("ERROR")) + 1;
        draw_puts(c, r.y, r.x + 1 + x, r.w - 2 - x, ROLE_TEXT,
                  q->stopped ? tr("The statement was stopped; Enter runs it again.") : q->error);
        if (!q->stopped)
            draw_caret(q, c, (struct rect){ r.y + 2, r.x + 1, r.h - 2, r.w - 2 });
        struct str candidates = prompt_candidates(q->edit);
        draw_text(c, r.y + 5, r.x + 1, r.w - 2, ROLE_DIM, candidates, CUT_END);
        return true;
    }
    struct str candidates = prompt_candidates(q->edit);
    if (candidates.n && q->editing) {
        draw_text(c, r.y, r.x + 1, r.w - 2, ROLE_DIM, candidates, CUT_END);
        r.y++;
        r.h--;
    }
    if (q->t && table_view(q->t))
        table_draw(q->t, c, r);
    else
        draw_tables(p, c, (struct rect){ r.y, r.x + 1, r.h, r.w - 2 });
    return true;
}

static struct table *front(const struct pane *p)
{
    return own(p) && own(p)->t && table_view(own(p)->t) && !own(p)->editing ? own(p)->t : NULL;
}

static unsigned scopes(const struct pane *p)
{
    return front(p) ? SC_LIST | SC_TABLE : SC_GLOBAL;
}

static bool mouse(struct pane *p, const struct key_event *k)
{
    struct sql *q = own(p);
    if (q->t && table_view(q->t) && table_click(q->t, k) != ACT_NONE) {
        q->editing = false;
        return true;
    }
    return false;
}

static void context(struct pane *p, struct buf *out)
{
    buf_puts(out, own(p) && own(p)->editing ? tr("statement") : tr("result   ; edits the statement"));
}

static void status(struct pane *p, struct buf *left, struct buf *right)
{
    struct sql *q = own(p);
    if (!q || !q->t || !table_view(q->t)) {
        buf_puts(right, tr("read only"));
        return;
    }
    size_t n = table_rows(q->t);
    buf_printf(left, tr("%zu row%s in %.0f ms"), n, n == 1 ? "" : "s", q->ms);
    if (n)
        buf_printf(right, tr("%zu/%zu  read only"), table_cursor(q->t) + 1, n);
}

/* A result with a column ts_ns can go to the timeline. */
static bool time_of(struct pane *p, int64_t *ts, int64_t *dur)
{
    struct table *t = front(p);
    struct val v = t ? table_value(t, "ts_ns") : val_null(), d = t ? table_value(t, "dur_ns") : val_null();
    if (v.t != VAL_INT)
        return false;
    *ts = v.i;
    *dur = d.t == VAL_INT ? d.i : 0;
    return true;
}

static bool has_statement(struct pane *p)
{
    return !is_empty(own(p));
}

static bool has_offer(struct pane *p)
{
    return is_empty(own(p)) && own(p)->offer;
}

static const struct pane_need *needs(const struct pane *p)
{
    static const struct pane_need result[] = {
        { ACT_VIEW_NEXT, NULL, NULL },
        { ACT_NONE, NULL, NULL },
    };
    static const struct pane_need edit[] = {
        { ACT_OPEN, pane_cannot, "there is no statement to run" },
        { ACT_INTERRUPT, has_statement, NULL },
        { ACT_SQL, has_offer, "no table was in front whose statement could be shown" },
        { ACT_NONE, NULL, NULL },
    };
    return !own(p) ? NULL : front(p) ? result : edit;
}

static bool bar(const struct pane *p, const struct key_bar **out, size_t *n)
{
    static const struct key_bar result[] = {
        { ACT_SQL, ACT_NONE, "statement" },
        { ACT_FILTER, ACT_NONE, NULL },
        { ACT_SORT_LEFT, ACT_SORT_RIGHT, "sort" },
        { ACT_TIMELINE, ACT_NONE, NULL },
        { ACT_COPY, ACT_NONE, NULL },
        { ACT_EXPORT, ACT_NONE, "export" },
    };
    static const struct key_bar edit[] = {
        { ACT_SQL, ACT_NONE, "the table's statement" },
        { ACT_SCHEMA, ACT_NONE, NULL },
    };
    *out = front(p) ? result : edit;
    *n = front(p) ? ARRAY_LEN(result) : ARRAY_LEN(edit);
    return true;
}

static bool always(struct pane *p)
{
    (void)p;
    return true;
}

const struct pane_ops pane_sql_ops = {
    .open = open_pane,
    .close = close_pane,
    .attach = attach,
    .detach = detach,
    .draw = draw,
    .key = key,
    .mouse = mouse,
    .text_key = text_key,
    .takes = takes,
    .needs = needs,
    .scopes = scopes,
    .context = context,
    .status = status,
    .has_data = always,
    .time = time_of,
    .bar = bar,
    .table = front,
};
