/* SPDX-License-Identifier: Apache-2.0 */
/* Menus over the panes, and the help. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "ui/app/app_int.h"
#include "ui/widget/term.h"

static void show_menu(struct app *a, const struct menu_ops *ops, size_t cursor)
{
    struct overlay *o;
    struct err e = ERR_INIT;
    if (overlay_menu(&o, ops, a, cursor, &e))
        app_say_err(a, &e);
    else
        app_overlay(a, o);
}

static struct table *table_of(void *arg)
{
    return pane_table(app_pane(arg));
}

/* "TITLE      help" */
static void column_text(const struct view_col *c, struct menu_item *out)
{
    const char *title = view_col_title(c);

    snprintf(out->text, sizeof out->text, "%s%*s %s", title, text_pad(title, 18), "",
             tr(c->help ? c->help : ""));
}

/* ---- sort ---- */

static size_t columns_count(void *arg)
{
    struct table *t = table_of(arg);
    return t ? table_n_columns(t) : 0;
}

static void sort_item(void *arg, size_t i, struct menu_item *out)
{
    bool shown, desc;
    struct table *t = table_of(arg);
    size_t col = table_column_at(t, i, &shown);
    const struct view_col *c = view_col(table_view(t), col);
    column_text(c, out);
    out->strong = (int)col == view_sorted_by(table_view(t), &desc);
    if (out->strong)
        snprintf(out->right, sizeof out->right, "%s", desc ? tr("descending") : tr("ascending"));
}

static bool sort_act(struct app *a, void *arg, enum action act, size_t i, size_t *cursor)
{
    struct err e = ERR_INIT;
    bool shown, desc;
    struct table *t = table_of(arg);
    (void)cursor;
    if (act != ACT_OPEN || i == SIZE_MAX)
        return false;
    size_t col = table_column_at(t, i, &shown);
    bool now = (int)col == view_sorted_by(table_view(t), &desc);
    if (table_sort(t, (int)col, now ? !desc : view_col(table_view(t), col)->desc, &e))
        app_say_err(a, &e);
    return true;
}

static const struct key_bar sort_bar[] = { { ACT_OPEN, ACT_NONE, "sort; again: reverse" },
                                           { ACT_BACK, ACT_NONE, "close" } };
static const struct menu_ops sort_ops = { N_("Sort by"), N_("no columns"), sort_bar, ARRAY_LEN(sort_bar),
                                          columns_count, sort_item,        sort_act };

void menu_sort(struct app *a)
{
    bool desc, shown;
    struct table *t = pane_table(app_pane(a));
    size_t at = 0;
    for (size_t i = 0; i < table_n_columns(t); i++)
        if ((int)table_column_at(t, i, &shown) == view_sorted_by(table_view(t), &desc))
            at = i;
    show_menu(a, &sort_ops, at);
}

/* ---- columns ---- */

static void columns_item(void *arg, size_t i, struct menu_item *out)
{
    bool shown;
    struct table *t = table_of(arg);
    const size_t col = table_column_at(t, i, &shown);
    const struct view_col *c = view_col(table_view(t), col);
    const bool lacks = shown && !table_column_is_blank(t, col) && !table_column_had_room(t, col);
    out->state = lacks ? MENU_WAITS : shown ? 1 : 0;
    column_text(c, out);
    snprintf(out->right, sizeof out->right, "%s%s%s", lacks ? tr("no room") : "", lacks ? "  " : "", c->id);
}

static bool columns_act(struct app *a, void *arg, enum action act, size_t i, size_t *cursor)
{
    bool shown;
    struct table *t = table_of(arg);
    (void)a;
    if (i == SIZE_MAX)
        return false;
    table_column_at(t, i, &shown);
    if (act == ACT_TOGGLE || act == ACT_OPEN) {
        table_show_column(t, i, !shown);
    } else if (act == ACT_MOVE_UP && i > 0) {
        table_move_column(t, i, -1);
        *cursor = i - 1;
    } else if (act == ACT_MOVE_DOWN && i + 1 < table_n_columns(t)) {
        table_move_column(t, i, 1);
        *cursor = i + 1;
    }
    return false;
}

static const struct key_bar columns_bar[] = {
    { ACT_TOGGLE, ACT_NONE, "show, hide" },
    { ACT_MOVE_UP, ACT_MOVE_DOWN, "move" },
    { ACT_BACK, ACT_NONE, "close" },
};
static const struct menu_ops columns_ops = { N_("Columns"), N_("no columns"),
                                             columns_bar,   ARRAY_LEN(columns_bar),
                                             columns_count, columns_item,
                                             columns_act };

void menu_columns(struct app *a)
{
    show_menu(a, &columns_ops, 0);
}

/* ---- filters ---- */

static struct table *filters_of(void *arg)
{
    return pane_filters(app_pane(arg));
}

static size_t filters_count(void *arg)
{
    struct table *t = filters_of(arg);
    return t ? table_n_filters(t) : 0;
}

static void filters_item(void *arg, size_t i, struct menu_item *out)
{
    const struct table_filter *f = table_filter(filters_of(arg), i);
    out->state = f->on;
    snprintf(out->text, sizeof out->text, "%s", f->text);
    if (f->name)
        snprintf(out->right, sizeof out->right, "%s", f->name);
}

/* Answers to prompts: arg is the number of the filter; the overlay stays open below the prompt. */
static void edit_answer(struct app *a, void *arg, struct str text)
{
    struct err e = ERR_INIT;
    struct table *t = filters_of(a);
    size_t i = (size_t)(uintptr_t)arg;
    if (t && i < table_n_filters(t) && text.n && table_filter_set(t, i, text, &e))
        app_say_err(a, &e);
}

static void name_answer(struct app *a, void *arg, struct str text)
{
    struct table *t = filters_of(a);
    size_t i = (size_t)(uintptr_t)arg;
    if (t && i < table_n_filters(t))
        table_filter_name(t, i, text);
}

static void switch_all(struct table *t)
{
    bool any = false;
    for (size_t i = 0; i < table_n_filters(t); i++)
        any |= table_filter(t, i)->on;
    for (size_t i = 0; i < table_n_filters(t); i++)
        table_filter_switch(t, i, !any);
}

static void negate(struct app *a, struct table *t, size_t i)
{
    struct err e = ERR_INIT;
    char text[4100];
    const char *now = table_filter(t, i)->text;
    if (*now == '!')
        snprintf(text, sizeof text, "%s", now + 1);
    else
        snprintf(text, sizeof text, "!%s", now);
    if (table_filter_set(t, i, str_of(text), &e))
        app_say_err(a, &e);
}

static bool filters_act(struct app *a, void *arg, enum action act, size_t i, size_t *cursor)
{
    struct table *t = filters_of(arg);
    (void)cursor;
    if (i == SIZE_MAX || !t)
        return act == ACT_OPEN;
    const struct table_filter *f = table_filter(t, i);
    void *which = (void *)(uintptr_t)i;
    switch (act) {
    case ACT_TOGGLE:
        table_filter_switch(t, i, !f->on);
        break;
    case ACT_ALL_OFF:
        switch_all(t);
        break;
    case ACT_DELETE:
        table_filter_delete(t, i);
        break;
    case ACT_INVERT:
        negate(a, t, i);
        break;
    case ACT_OPEN:
        app_ask(a, "filter: ", str_of(f->text), edit_answer, which);
        break;
    case ACT_RENAME:
        app_ask(a, "name: ", str_of(f->name), name_answer, which);
        break;
    default:
        break;
    }
    return false;
}

static const struct key_bar filters_bar[] = {
    { ACT_TOGGLE, ACT_NONE, NULL },  { ACT_OPEN, ACT_NONE, "edit" },  { ACT_INVERT, ACT_NONE, NULL },
    { ACT_DELETE, ACT_NONE, NULL },  { ACT_ALL_OFF, ACT_NONE, NULL }, { ACT_RENAME, ACT_NONE, NULL },
    { ACT_BACK, ACT_NONE, "close" },
};
static const struct menu_ops filters_ops = { N_("Filters"), N_("No filter yet; \\ adds one."),
                                             filters_bar,   ARRAY_LEN(filters_bar),
                                             filters_count, filters_item,
                                             filters_act };

void menu_filters(struct app *a)
{
    show_menu(a, &filters_ops, 0);
}

/* ---- options: a table; each row shows and switches one ---- */

struct option {
    const char *text;
    void (*show)(struct app *a, char *buf, size_t n);
    void (*change)(struct app *a);
};

static void show_mouse(struct app *a, char *buf, size_t n)
{
    (void)a;
    snprintf(buf, n, "%s", term_mouse_on() ? "on" : "off");
}

static void change_mouse(struct app *a)
{
    a->o.mouse = !term_mouse_on();
    term_mouse(a->o.mouse);
}

static void show_theme(struct app *a, char *buf, size_t n)
{
    snprintf(buf, n, "%s", a->theme->name);
}

static void change_theme(struct app *a)
{
    size_t i = 0;
    while (theme_nth(i) && strcmp(theme_nth(i)->name, a->theme->name) != 0)
        i++;
    prefs_theme(a, theme_nth(i + 1) ? theme_nth(i + 1) : theme_nth(0));
    term_set_theme(a->theme);
}

static void show_unit(struct app *a, char *buf, size_t n)
{
    struct table *t = table_of(a);
    enum time_unit u = t ? table_units(t).time : TIME_AUTO;
    snprintf(buf, n, "%s", u == TIME_AUTO ? "auto" : unit_time_name(u));
}

static void change_unit(struct app *a)
{
    struct table *t = table_of(a);
    if (t)
        table_key(t, ACT_UNIT);
}

static void show_first(struct app *a, char *buf, size_t n)
{
    snprintf(buf, n, "%s", session_scope(a->s)->first_step ? tr("counted") : tr("left out"));
}

static void change_first(struct app *a)
{
    app_detach(a);
    session_scope(a->s)->first_step = !session_scope(a->s)->first_step;
}

static void show_slow(struct app *a, char *buf, size_t n)
{
    snprintf(buf, n, "%s", a->o.slow ? "on" : "off");
}

static void change_slow(struct app *a)
{
    a->o.slow = !a->o.slow;
}

static const struct option options[] = {
    { N_("mouse"), show_mouse, change_mouse },
    { N_("colours"), show_theme, change_theme },
    { N_("unit of this table"), show_unit, change_unit },
    { N_("first step in means"), show_first, change_first },
    { N_("slow link (fewer redraws)"), show_slow, change_slow },
};

static size_t options_count(void *arg)
{
    (void)arg;
    return ARRAY_LEN(options);
}

static void options_item(void *arg, size_t i, struct menu_item *out)
{
    snprintf(out->text, sizeof out->text, "%s", tr(options[i].text));
    options[i].show(arg, out->right, sizeof out->right);
}

static bool options_act(struct app *a, void *arg, enum action act, size_t i, size_t *cursor)
{
    (void)arg;
    (void)cursor;
    if (i != SIZE_MAX && (act == ACT_OPEN || act == ACT_TOGGLE))
        options[i].change(a);
    return false;
}

static const struct key_bar options_bar[] = { { ACT_OPEN, ACT_NONE, "change" },
                                              { ACT_BACK, ACT_NONE, "close" } };
static const struct menu_ops options_ops = { N_("Options"), "",           options_bar, ARRAY_LEN(options_bar),
                                             options_count, options_item, options_act };

void menu_options(struct app *a)
{
    show_menu(a, &options_ops, 0);
}

/* ---- help ---- */

static void add_column_help(struct buf *b, const struct view_col *c)
{
    const char *title = view_col_title(c);

    buf_printf(b, "  %s%*s %s%s\n", title, text_pad(title, 16), "", tr(c->help),
               c->flags & VC_HIDDEN ? tr("  (hidden; C shows it)") : "");
}

static void help_columns(struct app *a, struct buf *b)
{
    struct table *t = pane_table(app_pane(a));
    if (!t || !table_view(t))
        return;
    buf_puts(b, tr("\n# Columns\n"));
    for (size_t i = 0; i < view_n_cols(table_view(t)); i++) {
        const struct view_col *c = view_col(table_view(t), i);
        if (c->help && c->help[0])
            add_column_help(b, c);
    }
}

void show_help(struct app *a)
{
    struct buf b;
    struct pane *p = app_pane(a);
    char title[64];
    buf_init(&b, (size_t)1 << 20);
    const struct key_where w = app_where(a);
    keymap_help(a->keys, &w, (size_t)(a->cols > 24 ? a->cols - 6 : 18), &b);
    if (p->def->help)
        buf_printf(&b, "%s%s\n", tr("\n# What it shows\n"), tr(p->def->help));
    help_columns(a, &b);
    buf_puts(&b, tr("\n# Commands\n"));
    command_help(&b);
    snprintf(title, sizeof title, tr("Help: %s"), tr_pane(p->def->title));
    app_show_text(a, title, &b);
    buf_done(&b);
}
