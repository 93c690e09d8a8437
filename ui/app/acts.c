/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keys do in every pane: a table of acts on the program, and one of acts on the table in front. The acts
 * of one pane or widget are in its own file.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "ui/app/app_int.h"
#include "ui/widget/term.h"

/* ---- sequences of two keys ---- */

static void copy_cell(struct app *a, struct table *t)
{
    struct buf b;
    struct err e = ERR_INIT;
    buf_init(&b, (size_t)1 << 20);
    if (table_copy_column(t, table_cursor(t), table_column(t), &b, &e))
        app_say_err(a, &e);
    else
        app_copy(a, buf_str(&b), view_col_title(view_col(table_view(t), table_column(t))));
    buf_done(&b);
}

static void copy_many(struct app *a, struct table *t, uint32_t what)
{
    struct buf b;
    struct err e = ERR_INIT;
    char said[64];
    buf_init(&b, (size_t)32 << 20);
    int rc;
    if (what == 'c')
        rc = table_copy_column(t, SIZE_MAX, table_column(t), &b, &e);
    else
        rc = table_copy_rows(t, what == 'a' ? SIZE_MAX : table_cursor(t), &b, &e);
    if (what == 'y')
        snprintf(said, sizeof said, tr("1 row"));
    else
        snprintf(said, sizeof said, "%zu %s", table_rows(t), what == 'c' ? "values" : "rows");
    if (rc)
        app_say_err(a, &e);
    else
        app_copy(a, buf_str(&b), said);
    buf_done(&b);
}

static bool second_of_yank(struct app *a, uint32_t code)
{
    struct table *t = pane_row_table(app_pane(a));
    if (t && (code == 'y' || code == 'c' || code == 'a') && table_rows(t))
        copy_many(a, t, code);
    else
        app_say(a, ROLE_TEXT, "yy copies the row, yc the column, ya all rows shown");
    return true;
}

static bool second_of_mark(struct app *a, uint32_t code)
{
    struct table *t = pane_table(app_pane(a));
    size_t row = t ? table_mark_row(t, code) : SIZE_MAX;
    if (row == SIZE_MAX)
        app_say(a, ROLE_TEXT, "no such mark; m sets one");
    else
        table_goto(t, row);
    return true;
}

/* ---- steps, ranks, panes ---- */

static void steps_answer(struct app *a, void *arg, struct str text)
{
    (void)arg;
    struct buf line;
    buf_init(&line, 4096);
    buf_puts(&line, "steps ");
    buf_add(&line, text);
    command_run(a, buf_str(&line));
    buf_done(&line);
}

static void step_range(struct app *a, enum action act)
{
    (void)act;
    double min, max;
    struct table *t = pane_table(app_pane(a));
    if (t && table_n_marks(t) && table_mark_range(t, "step", &min, &max)) {
        app_set_steps(a, (int64_t)min, (int64_t)max);
        return;
    }
    char now[48] = "";
    struct val v = t ? table_value(t, "step") : val_null();
    const struct view_scope *s = session_scope(a->s);
    if (v.t == VAL_INT)
        snprintf(now, sizeof now, "%lld", (long long)v.i);
    else
        view_scope_steps(s, now, sizeof now);
    app_ask(a, "steps (60-80, 60.., all): ", str_of(now), steps_answer, NULL);
}

static void move_step(struct app *a, enum action act)
{
    int dir = act == ACT_STEP_NEXT ? 1 : -1;
    const struct view_scope *s = session_scope(a->s);
    if (s->step0 == INT64_MIN || s->step0 != s->step1) {
        struct table *t = pane_table(app_pane(a));
        struct val v = t ? table_value(t, "step") : val_null();
        if (v.t == VAL_INT)
            app_set_steps(a, v.i, v.i);
        else
            app_say(a, ROLE_TEXT, "choose one step first: s, or :steps 17");
        return;
    }
    if (s->step0 + dir >= 0)
        app_set_steps(a, s->step0 + dir, s->step0 + dir);
}

static void move_rank(struct app *a, enum action act)
{
    int dir = act == ACT_RANK_NEXT ? 1 : -1;
    size_t n = session_n_ranks(a->s), now = session_current(a->s), at = now;
    do
        at = n ? (at + n + (size_t)dir) % n : now;
    while (at != now && !session_is_same_run(a->s, at));
    if (at != now)
        app_select_rank(a, at);
    else if (n > 1 && runs_are_several(a))
        app_say(a, ROLE_TEXT, "this run has one rank only; W lists the runs");
    else if (n > 1)
        app_say(a, ROLE_TEXT, "this window has one rank only; W lists the windows");
    else
        app_say(a, ROLE_TEXT, "there is one rank only; give the parent directory to see more");
}

static void list_windows(struct app *a, enum action act)
{
    (void)act;
    menu_windows(a);
}

static void export_answer(struct app *a, void *arg, struct str path)
{
    (void)arg;
    struct table *t = pane_table(app_pane(a));
    if (t && path.n)
        app_export(a, t, path, false);
}

static void ask_export(struct app *a, enum action act)
{
    (void)act;
    struct table *t = pane_table(app_pane(a));
    if (!t && pane_export(app_pane(a), STR(""), false))
        return;
    if (!t || !table_view(t)) {
        app_say(a, ROLE_TEXT, "there is no table here to write");
        return;
    }
    char name[128];
    snprintf(name, sizeof name, "%s.csv", table_def(t)->id);
    for (char *c = name; *c && c < name + strlen(name) - 4; c++)
        if (*c == '.')
            *c = '-';
    app_ask(a, "write to (.csv .json .ndjson .md .txt): ", str_of(name), export_answer, NULL);
}

/* One level back; false: there is none above. */
static bool level_back(struct app *a)
{
    if (pane_back(app_pane(a)))
        return true;
    if (!a->n_jumps)
        return false;
    const struct jump *j = &a->jumps[--a->n_jumps];
    a->current = j->pane;
    if (j->steps)
        app_set_steps(a, j->step0, j->step1);
    return true;
}

/* q: one level back; at the top level of a pane to Triage, in Triage out of the program. */
static void back(struct app *a, enum action act)
{
    (void)act;
    if (level_back(a))
        return;
    if (a->current != PANE_TRIAGE)
        a->current = PANE_TRIAGE;
    else
        a->quit = true;
}

/*
 * Esc: back, but at the top level of a pane it stays, because people press it to be sure that nothing is
 * pending. Where q is text it goes to Triage, as q does elsewhere.
 */
static void escape(struct app *a, enum action act)
{
    (void)act;
    struct err ignored = ERR_INIT;
    struct table *t = pane_table(app_pane(a));
    if (level_back(a))
        return;
    if (pane_takes(app_pane(a), 'q'))
        a->current = PANE_TRIAGE;
    else if (t && table_has_search(t) && table_search_set(t, STR(""), &ignored) == OK)
        app_say(a, ROLE_TEXT, "no match is marked any more; n finds it again");
    else
        app_say(a, ROLE_TEXT,
                a->current == PANE_TRIAGE ? "nothing to leave here; q quits"
                                          : "nothing to leave here; q goes to Triage, Q quits");
}

static void unfilter(struct app *a, enum action act)
{
    struct table *t = pane_table(app_pane(a));
    size_t n = app_pane(a)->depth ? 0 : table_n_filters(t);
    if (n)
        app_drop_filter(a, n - 1);
    else
        escape(a, act);
}

static void show_pane(struct app *a, enum action act)
{
    app_show_pane(a, pane_def_by_action(act)->id, false);
}

static void next_pane(struct app *a, enum action act)
{
    int dir = act == ACT_PANE_NEXT ? 1 : -1;
    int id = (int)a->current;
    do
        id = (id + N_PANES + dir) % N_PANES;
    while (!app_lists_pane(a, (enum pane_id)id));
    app_show_pane(a, (enum pane_id)id, false);
}

static void interrupt(struct app *a, enum action act)
{
    (void)act;
    if (a->worker) {
        worker_cancel(a->worker);
        a->worker_quiet = true;
        app_say(a, ROLE_TEXT, "stopping; what is whole is kept");
    } else {
        app_say(a, ROLE_TEXT, "nothing is running; Q quits");
    }
}

static void open_sql(struct app *a, enum action act)
{
    (void)act;
    struct table *t = pane_table(app_pane(a));
    struct buf sql;
    if (a->current == PANE_SQL)
        return;
    buf_init(&sql, (size_t)1 << 20);
    if (t && table_view(t))
        view_sql(table_view(t), &sql);
    app_offer_sql(a, buf_str(&sql));
    buf_done(&sql);
}

static void quit(struct app *a, enum action act)
{
    (void)act;
    a->quit = true;
}

static void ask_command(struct app *a, enum action act)
{
    (void)act;
    app_prompt(a, ASK_COMMAND, ":", STR(""));
}

static void ask_search(struct app *a, enum action act)
{
    (void)act;
    app_prompt(a, ASK_SEARCH, "/", STR(""));
}

static void help(struct app *a, enum action act)
{
    (void)act;
    show_help(a);
}

static void options(struct app *a, enum action act)
{
    (void)act;
    menu_options(a);
}

static void schema(struct app *a, enum action act)
{
    (void)act;
    command_run(a, STR("schema"));
}

static void reread(struct app *a, enum action act)
{
    (void)act;
    app_reread(a);
}

static void redraw(struct app *a, enum action act)
{
    (void)a;
    (void)act;
    term_redraw();
}

static void suspend(struct app *a, enum action act)
{
    (void)a;
    (void)act;
    term_suspend();
}

/* ---- acts of the table in front that need more than the table ---- */

static void ask_filter(struct app *a, enum action act)
{
    (void)act;
    app_prompt(a, ASK_FILTER, "\\ ", STR(""));
}

static void list_filters(struct app *a, enum action act)
{
    (void)act;
    menu_filters(a);
}

static void find(struct app *a, enum action act)
{
    app_search_again(a, act == ACT_FIND_NEXT ? 1 : -1, false);
}

static void choose_sort(struct app *a, enum action act)
{
    (void)act;
    menu_sort(a);
}

static void choose_columns(struct app *a, enum action act)
{
    (void)act;
    menu_columns(a);
}

static void copy(struct app *a, enum action act)
{
    (void)act;
    struct table *t = pane_row_table(app_pane(a));
    if (t && table_rows(t))
        copy_cell(a, t);
}

static void yank(struct app *a, enum action act)
{
    (void)act;
    a->pending = second_of_yank;
    app_say(a, ROLE_TEXT, "copy: y row, c column, a all rows shown");
}

static void mark_go(struct app *a, enum action act)
{
    (void)act;
    a->pending = second_of_mark;
    app_say(a, ROLE_TEXT, "go to mark: its letter, ' for the next one");
}

/* ---- the tables ---- */

struct act {
    enum action act;
    void (*run)(struct app *a, enum action act);
};

/* clang-format off */
static const struct act table_acts[] = { /* where the pane has a table in front */
    { ACT_FILTER,      ask_filter },
    { ACT_FILTERS,     list_filters },
    { ACT_UNFILTER,    unfilter },
    { ACT_FIND_NEXT,   find },
    { ACT_FIND_PREV,   find },
    { ACT_SORT_MENU,   choose_sort },
    { ACT_COLUMNS,     choose_columns },
    { ACT_MARK_GO,     mark_go },
};

static const struct act global_acts[] = {
    { ACT_PANE_1,      show_pane },
    { ACT_PANE_2,      show_pane },
    { ACT_PANE_3,      show_pane },
    { ACT_PANE_4,      show_pane },
    { ACT_PANE_5,      show_pane },
    { ACT_PANE_6,      show_pane },
    { ACT_PANE_7,      show_pane },
    { ACT_PANE_8,      show_pane },
    { ACT_PANE_9,      show_pane },
    { ACT_PANE_0,      show_pane },
    { ACT_PANE_L,      show_pane },
    { ACT_SQL,         open_sql },
    { ACT_PANE_NEXT,   next_pane },
    { ACT_PANE_PREV,   next_pane },
    { ACT_BACK,        back },
    { ACT_ESCAPE,      escape },
    { ACT_QUIT,        quit },
    { ACT_COMMAND,     ask_command },
    { ACT_SEARCH,      ask_search },
    { ACT_HELP,        help },
    { ACT_OPTIONS,     options },
    { ACT_SCHEMA,      schema },
    { ACT_EXPORT,      ask_export },
    { ACT_COPY,        copy }, /* of a table, or of a card */
    { ACT_YANK,        yank },
    { ACT_STEP_RANGE,  step_range },
    { ACT_STEP_PREV,   move_step },
    { ACT_STEP_NEXT,   move_step },
    { ACT_RANK_PREV,   move_rank },
    { ACT_RANK_NEXT,   move_rank },
    { ACT_WINDOWS,     list_windows },
    { ACT_REREAD,      reread },
    { ACT_REDRAW,      redraw },
    { ACT_SUSPEND,     suspend },
    { ACT_INTERRUPT,   interrupt },
};
/* clang-format on */

static bool run_act(struct app *a, const struct act *list, size_t n, enum action act)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].act != act)
            continue;
        list[i].run(a, act);
        return true;
    }
    return false;
}

bool app_act(struct app *a, enum action act)
{
    struct table *t = pane_table(app_pane(a));
    if (t && table_view(t) && run_act(a, table_acts, ARRAY_LEN(table_acts), act))
        return true;
    return run_act(a, global_acts, ARRAY_LEN(global_acts), act);
}
