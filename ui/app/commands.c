/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: one table of commands with arguments, help and completion. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "ui/app/app_int.h"
#include "ui/app/prefs.h"
#include "ui/widget/term.h"

struct command {
    const char *name, *args, *help;
    void (*run)(struct app *a, struct str args); /* NULL: a pane carries it out (struct pane_command) */
    /*
     * what Tab offers for the argument, separated by blanks; "@columns": those of the table, "@panes",
     * "@actions"
     */
    const char *words;
};

static void usage(struct app *a, const char *text)
{
    app_say(a, ROLE_WARN, "%s", tr(text));
}

/* ---- panes, views, times ---- */

static void run_quit(struct app *a, struct str args)
{
    (void)args;
    a->quit = true;
}

static void run_pane(struct app *a, struct str args)
{
    const struct pane_def *d = pane_def_by_word(args);
    if (d)
        app_show_pane(a, d->id, false);
    else
        usage(a, "which pane? :pane ops");
}

static void run_view(struct app *a, struct str args)
{
    struct pane *p = app_pane(a);
    for (size_t i = 0; i < p->n_views; i++) {
        struct str id = str_of(p->views[i].def->id);
        size_t dot = str_chr(id, '.');
        if (str_eq(args, str_of(p->views[i].def->title)) ||
            (dot != SIZE_MAX && str_eq(args, str_sub(id, dot + 1, id.n)))) {
            pane_set_view(p, i);
            return;
        }
    }
    usage(a, "this pane has no such view; v goes through them");
}

static void run_help(struct app *a, struct str args)
{
    (void)args;
    show_help(a);
}

/* ---- rows ---- */

static void run_find(struct app *a, struct str args)
{
    str_copy(args, a->search, sizeof a->search);
    history_add(a->h_search, args);
    app_do(a, ACT_FIND_NEXT);
}

static void run_find_back(struct app *a, struct str args)
{
    str_copy(args, a->search, sizeof a->search);
    history_add(a->h_search, args);
    app_do(a, ACT_FIND_PREV);
}

static struct table *need_table(struct app *a)
{
    struct table *t = pane_table(app_pane(a));
    if (t && table_view(t))
        return t;
    usage(a, "there is no table here");
    return NULL;
}

static struct table *need_filters(struct app *a)
{
    struct table *t = pane_filters(app_pane(a));
    if (!t)
        usage(a, "nothing is filtered here");
    return t;
}

static void run_filter(struct app *a, struct str args)
{
    struct err e = ERR_INIT, none = ERR_INIT;
    struct table *t = need_filters(a);
    if (!t || !args.n)
        return;
    /* A table that is not shown takes any line: only the pane knows whether it is valid. */
    if ((!table_view(t) && pane_filter_live(app_pane(a), args, &e)) || table_filter_add(t, args, &e))
        app_say_err(a, &e);
    if (!table_view(t) && pane_filter_live(app_pane(a), STR(""), &none))
        app_say_err(a, &none);
}

static void run_nofilter(struct app *a, struct str args)
{
    struct table *t = need_filters(a);
    (void)args;
    while (t && table_n_filters(t))
        table_filter_delete(t, table_n_filters(t) - 1);
}

static void run_sort(struct app *a, struct str args)
{
    struct err e = ERR_INIT;
    struct table *t = need_table(a);
    char id[64];
    if (!t)
        return;
    char sign = view_sort_sign(&args);
    str_copy(args, id, sizeof id);
    int col = args.n ? view_find_col(table_view(t), id) : -1;
    if (args.n && col < 0)
        usage(a, "there is no such column; C lists them");
    else if (table_sort(t, col, col >= 0 && view_sort_desc(table_view(t), col, sign), &e))
        app_say_err(a, &e);
}

static void export_to(struct app *a, struct str args, bool replace)
{
    if (!pane_table(app_pane(a)) && pane_export(app_pane(a), args, replace))
        return;
    struct table *t = need_table(a);
    if (!t)
        return;
    if (args.n)
        app_export(a, t, args, replace);
    else
        app_do(a, ACT_EXPORT);
}

static void run_export(struct app *a, struct str args)
{
    export_to(a, args, false);
}

static void run_export_over(struct app *a, struct str args)
{
    export_to(a, args, true);
}

/* ---- data ---- */

static bool parse_steps(struct str s, int64_t *lo, int64_t *hi)
{
    *lo = INT64_MIN;
    *hi = INT64_MAX;
    if (str_eq(s, STR("all")) || !s.n)
        return true;
    if (str_i64(s, lo)) {
        *hi = *lo;
        return true;
    }
    size_t dots = str_find(s, STR(".."), 0), len = 2;
    if (dots == SIZE_MAX) {
        dots = str_chr(s, '-');
        len = 1;
    }
    if (dots == SIZE_MAX)
        return false;
    struct str a = str_trim(str_sub(s, 0, dots)), b = str_trim(str_sub(s, dots + len, s.n));
    return (!a.n || str_i64(a, lo)) && (!b.n || str_i64(b, hi)) && *lo <= *hi;
}

static void run_steps(struct app *a, struct str args)
{
    int64_t lo, hi;
    if (parse_steps(str_trim(args), &lo, &hi))
        app_set_steps(a, lo, hi);
    else
        usage(a, "a step, a range 60-80, 60.., ..80, or all");
}

static void run_rank(struct app *a, struct str args)
{
    int64_t r;
    size_t i =
        str_i64(args, &r) && r >= INT32_MIN && r <= INT32_MAX ? session_find_rank(a->s, (int)r) : SIZE_MAX;
    if (i == SIZE_MAX)
        usage(a, "there is no such rank here");
    else
        app_select_rank(a, i);
}

static void run_window(struct app *a, struct str args)
{
    windows_command(a, str_trim(args));
}

static void run_run(struct app *a, struct str args)
{
    runs_command(a, str_trim(args));
}

static void run_reread(struct app *a, struct str args)
{
    (void)args;
    app_reread(a);
}

static void run_sql(struct app *a, struct str args)
{
    app_show_sql(a, args);
}

static void add_schema(struct buf *b, const char *name, const char *help, const struct schema_column *cols,
                       size_t n)
{
    buf_printf(b, "# %s   %s\n", name, help);
    for (size_t i = 0; i < n; i++)
        buf_printf(b, "  %-18s %-6s %s\n", cols[i].name, cols[i].unit, cols[i].help);
    buf_addc(b, '\n');
}

static void run_schema(struct app *a, struct str args)
{
    struct buf b;
    (void)args;
    buf_init(&b, (size_t)1 << 20);
    for (size_t i = 0; i < N_TABLES; i++)
        add_schema(&b, schema_tables[i].name, schema_tables[i].help, schema_tables[i].cols,
                   schema_tables[i].n_cols);
    for (size_t i = 0; i < schema_n_views; i++)
        add_schema(&b, schema_views[i].name, schema_views[i].help, schema_views[i].cols,
                   schema_views[i].n_cols);
    for (size_t i = 0; i < schema_n_examples; i++)
        buf_printf(&b, "# %s\n  %s\n", schema_examples[i].question, schema_examples[i].sql);
    app_show_text(a, "Tables and columns", &b);
    buf_done(&b);
}

static void run_configure(struct app *a, struct str args)
{
    form_open(a, args);
}

/* ---- options ---- */

static void set_mouse(struct app *a, struct str v)
{
    a->o.mouse = str_eq(v, STR("on"));
    term_mouse(a->o.mouse);
}

static void set_theme(struct app *a, struct str v)
{
    struct err e = ERR_INIT;
    char name[32];
    if (prefs_check(&(struct setting_asked){ SETTING_THEME, N_SETTING_KINDS, v }, &e)) {
        app_say_err(a, &e);
        return;
    }
    prefs_theme(a, theme_find(str_copy(v, name, sizeof name)));
    term_set_theme(a->theme);
}

static void set_unit(struct app *a, struct str v)
{
    struct table *t = need_table(a);
    if (!t)
        return;
    struct cell_units u = table_units(t);
    for (int i = TIME_AUTO; i <= TIME_NS; i++)
        if (str_eq(v, str_of(i == TIME_AUTO ? "auto" : unit_time_name((enum time_unit)i))))
            u.time = (enum time_unit)i;
    for (int i = SIZE_AUTO; i <= SIZE_B; i++)
        if (str_eq(v, str_of(i == SIZE_AUTO ? "auto" : unit_size_name((enum size_unit)i))))
            u.size = (enum size_unit)i;
    table_set_units(t, u);
}

static void set_first(struct app *a, struct str v)
{
    app_detach(a);
    session_scope(a->s)->first_step = str_eq(v, STR("on"));
}

static void set_slow(struct app *a, struct str v)
{
    a->o.slow = str_eq(v, STR("on"));
}

static const struct setting {
    const char *name, *values;
    void (*set)(struct app *a, struct str v);
    enum setting_id kept; /* with --save; of a unit that of times */
} settings[] = {
    { "mouse", "on off", set_mouse, SETTING_MOUSE },
    { "theme", NULL, set_theme, SETTING_THEME },
    { "unit", "auto s ms us ns GiB MiB KiB B", set_unit, SETTING_TIME_UNIT },
    { "first-step", "on off", set_first, SETTING_FIRST_STEP },
    { "slow", "on off", set_slow, SETTING_SLOW },
};

static bool is_one_of(struct str v, const char *values)
{
    struct str rest = str_of(values), word;
    while (str_next(&rest, ' ', &word))
        if (str_eq(word, v))
            return true;
    return false;
}

/* Whether "--save" ends the line, which is cut off. */
static bool cut_save(struct str *args)
{
    static const struct str save = STR("--save");
    *args = str_trim(*args);
    if (!str_ends(*args, save) || (args->n > save.n && args->p[args->n - save.n - 1] != ' '))
        return false;
    *args = str_trim(str_sub(*args, 0, args->n - save.n));
    return true;
}

static void save_line(struct app *a, const char *head, struct str args)
{
    struct err e = ERR_INIT;
    struct buf b;
    buf_init(&b, 65536);
    buf_puts(&b, head);
    buf_add(&b, args);
    const char *path = a->o.settings ? settings_path(a->o.settings) : "";
    if (buf_failed(&b) || settings_save(path[0] ? path : NULL, buf_str(&b), prefs_check, &e))
        app_say_err(a, &e);
    else
        app_say(a, ROLE_GOOD, "kept in %s", path[0] ? path : tr("the settings"));
    buf_done(&b);
}

static void keep_setting(struct app *a, const struct setting *s, struct str value)
{
    char head[64];
    bool size = s->kept == SETTING_TIME_UNIT && is_one_of(value, "GiB MiB KiB B");
    snprintf(head, sizeof head, "%s = ", setting_defs[size ? SETTING_SIZE_UNIT : s->kept].name);
    save_line(a, head, value);
}

static void run_set(struct app *a, struct str args)
{
    bool save = cut_save(&args);
    size_t eq = str_chr(args, '=');
    struct str name = str_trim(str_sub(args, 0, eq)),
               value = eq == SIZE_MAX ? STR("on") : str_trim(str_sub(args, eq + 1, args.n));
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        if (!str_eq(name, str_of(settings[i].name)))
            continue;
        if (settings[i].values && !is_one_of(value, settings[i].values)) {
            app_say(a, ROLE_WARN, "%s takes one of: %s", settings[i].name, settings[i].values);
            return;
        }
        settings[i].set(a, value);
        if (save)
            keep_setting(a, &settings[i], value);
        return;
    }
    usage(a, "options: mouse theme unit first-step slow, as in :set unit=us");
}

static void run_bind(struct app *a, struct str args)
{
    struct err e = ERR_INIT;
    bool save = cut_save(&args);
    if (keymap_bind_line(a->keys, args, &e))
        app_say_err(a, &e);
    else if (save)
        save_line(a, "bind ", args);
}

/* ---- the table ---- */

/* clang-format off */
static const struct command commands[] = {
    { "q",         "",           "quit",                                                   run_quit,
        NULL },
    { "quit",      "",           "quit",                                                   run_quit,
        NULL },
    { "help",      "",           "help for this pane",                                     run_help,
        NULL },
    { "pane",      "WORD",       "go to a pane: triage, files, ops ...",                   run_pane,
        "@panes" },
    { "view",      "WORD",       "a view of this pane, by its title or id",                run_view,
        "@views" },
    { "filter",    "EXPR",       "keep the rows that match",                               run_filter,
        NULL },
    { "nofilter",  "",           "remove all filters of this table",                       run_nofilter,
        NULL },
    { "sort",      "[+|-]COLUMN", "sort by a column: - descending, + ascending, else natural", run_sort,
        "@columns" },
    { "find",      "REGEX",      "search forwards",                                        run_find,
        NULL },
    { "find-back", "REGEX",      "search backwards",                                       run_find_back,
        NULL },
    { "steps",     "RANGE",      "step range of all panes: 17, 60-80, 60.., all",          run_steps,
        "all" },
    { "rank",      "N",          "another rank",                                           run_rank,
        NULL },
    { "run",       "[N|FOLDER]",   "another run of this folder; alone: their list",                 run_run,
        NULL },
    { "window",    "[START-STOP]", "another window of a dynamic profile; alone: their list", run_window,
        NULL },
    { "go",        "WHERE",      "timeline at 1.234s, step 17, +50us, a raw time stamp",   NULL,
        "step" },
    { "flow",      "",           "timeline: other end of the selected event's flow",       NULL,
        NULL },
    { "same",      "[back]",     "timeline: next event named like the selected one",       NULL,
        "back" },
    { "gap",       "",           "timeline: longest gap of the cursor's track",            NULL,
        NULL },
    { "busiest",   "",           "timeline: busiest stretch as long as the window",        NULL,
        NULL },
    { "export",    "FILE",       "write this view: .csv .json .ndjson .md .txt",           run_export,
        NULL },
    { "export!",   "FILE",       "the same, over an existing file",                        run_export_over,
        NULL },
    { "sql",       "STATEMENT",  "SQL console with this statement",                        run_sql,
        NULL },
    { "schema",    "",           "tables and columns of the store",                        run_schema,
        NULL },
    { "set",       "NAME=VALUE", "mouse, theme, unit, first-step, slow",                   run_set,
        "@settings" },
    { "bind",      "[WHERE] KEY ACTION", "what a key does; with --save from now on",           run_bind,
        "@actions" },
    { "reread",    "",           "read the run again",                                     run_reread,
        NULL },
    { "configure", "[WHAT]",     "settings of the profiler: choose, see the text, write it", run_configure,
        "overview ops memory communication data everything" },
    { "diff",      "[SHARE]",    "timeline: where this step first differs from the last",  NULL,
        "20% 50% 5%" },
    { "stack",     "RANKS",      "timeline: ranks under each other: 0,3-5, all, none",     NULL,
        "all none" },
    { "offset",    "RANK TIME",  "timeline: where a rank of them is moved to: 3 -412us",   NULL,
        NULL },
};
/* clang-format on */

void command_help(struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        char name[48];
        if (!strcmp(commands[i].name, "quit"))
            continue;
        snprintf(name, sizeof name, ":%s %s", commands[i].name, commands[i].args);
        buf_printf(out, "  %-20s %s\n", name, tr(commands[i].help));
    }
    buf_printf(out, "  %-20s %s\n", ":5", tr("go to row 5"));
}

const char *command_help_of(size_t i)
{
    return i < ARRAY_LEN(commands) ? commands[i].help : NULL;
}

/* A command that a pane carries out: this one, or the one that it brings to the front. */
static void run_in_pane(struct app *a, const char *name, struct str args)
{
    for (int id = 0; id < N_PANES; id++)
        for (const struct pane_command *c = pane_defs[id].ops->commands; c && c->name; c++) {
            if (strcmp(c->name, name) != 0)
                continue;
            if (c->elsewhere && a->current != (enum pane_id)id) {
                usage(a, c->elsewhere);
                return;
            }
            app_show_pane(a, (enum pane_id)id, a->current != (enum pane_id)id);
            c->run(app_pane(a), args);
            return;
        }
}

static void run(struct app *a, const struct command *c, struct str args)
{
    if (c->run)
        c->run(a, args);
    else
        run_in_pane(a, c->name, args);
}

void command_run(struct app *a, struct str line)
{
    line = str_trim(line);
    if (line.n && line.p[0] == ':')
        line = str_trim(str_sub(line, 1, line.n));
    if (!line.n)
        return;
    int64_t row;
    if (str_i64(line, &row)) {
        struct table *t = need_table(a);
        if (t && row > 0)
            table_goto(t, (size_t)row - 1);
        return;
    }
    size_t blank = str_chr(line, ' ');
    struct str name = str_sub(line, 0, blank),
               args = blank == SIZE_MAX ? STR("") : str_trim(str_sub(line, blank + 1, line.n));
    const struct command *found = NULL;
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        struct str c = str_of(commands[i].name);
        if (str_eq(c, name)) {
            run(a, &commands[i], args);
            return;
        }
        if (str_starts(c, name)) {
            found = &commands[i];
            n++;
        }
    }
    if (n == 1)
        run(a, found, args);
    else
        app_say(a, ROLE_WARN,
                n ? "several commands begin with '%.*s'; Tab lists them"
                  : "there is no command '%.*s'; F1 lists them",
                (int)name.n, name.p);
}

/* ---- completion ---- */

static void add_words(const char *words, prompt_add_fn *add, void *cookie)
{
    struct str rest = str_of(words), word;
    while (str_next(&rest, ' ', &word))
        add(cookie, word);
}

static void setting_words(const struct setting *s, prompt_add_fn *add, void *cookie)
{
    if (s->values)
        add_words(s->values, add, cookie);
    for (size_t i = 0; !s->values && theme_nth(i); i++)
        add(cookie, str_of(theme_nth(i)->name));
}

static void add_settings(struct str arg, size_t at, size_t *from, prompt_add_fn *add, void *cookie)
{
    size_t eq = str_chr(arg, '=');
    if (eq == SIZE_MAX) {
        for (size_t i = 0; i < ARRAY_LEN(settings); i++)
            add(cookie, str_of(settings[i].name));
        return;
    }
    *from = at + eq + 1;
    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        if (str_eq(str_sub(arg, 0, eq), str_of(settings[i].name)))
            setting_words(&settings[i], add, cookie);
}

static void add_columns(struct app *a, prompt_add_fn *add, void *cookie)
{
    struct table *t = pane_table(app_pane(a));
    for (size_t i = 0; t && table_view(t) && i < view_n_cols(table_view(t)); i++)
        add(cookie, str_of(view_col(table_view(t), i)->id));
}

static void add_arguments(struct app *a, const char *words, struct str arg, size_t at, size_t *from,
                          prompt_add_fn *add, void *cookie)
{
    if (!words)
        return;
    if (!strcmp(words, "@columns"))
        add_columns(a, add, cookie);
    else if (!strcmp(words, "@settings"))
        add_settings(arg, at, from, add, cookie);
    else if (!strcmp(words, "@panes"))
        for (int i = 0; i < N_PANES; i++)
            add(cookie, str_of(pane_word((enum pane_id)i)));
    else if (!strcmp(words, "@views"))
        for (size_t i = 0; i < app_pane(a)->n_views; i++)
            add(cookie, str_of(app_pane(a)->views[i].def->title));
    else if (!strcmp(words, "@actions"))
        for (size_t i = 0; i < n_key_rows; i++)
            add(cookie, str_of(key_rows[i].name));
    else
        add_words(words, add, cookie);
}

void command_complete(void *arg, struct str text, size_t pos, size_t *from, prompt_add_fn *add, void *cookie)
{
    size_t blank = str_chr(str_sub(text, 0, pos), ' ');
    if (blank == SIZE_MAX) {
        *from = 0;
        for (size_t i = 0; i < ARRAY_LEN(commands); i++)
            add(cookie, str_of(commands[i].name));
        return;
    }
    *from = blank + 1;
    size_t last = str_rchr(str_sub(text, 0, pos), ' ');
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (!str_eq(str_sub(text, 0, blank), str_of(commands[i].name)))
            continue;
        if (commands[i].words && !strcmp(commands[i].words, "@actions"))
            *from = last + 1;
        add_arguments(arg, commands[i].words, str_sub(text, blank + 1, pos - blank - 1), blank + 1, from, add,
                      cookie);
    }
}
