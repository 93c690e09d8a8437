/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys on their way to acts: prompt, overlay, second keys of sequences, the pane. What the acts do is in
 * acts.c.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "ui/app/app_int.h"
#include "ui/widget/term.h"

/* ---- prompts ---- */

void app_prompt_done(struct app *a)
{
    prompt_free(a->prompt);
    a->prompt = NULL;
    a->ask = ASK_NONE;
    a->filter_due_ms = 0;
    a->filter_error[0] = '\0';
}

static void filter_complete_line(void *arg, struct str text, size_t pos, size_t *from, prompt_add_fn *add,
                                 void *cookie)
{
    struct app *a = arg;
    struct table *t = pane_table(app_pane(a));
    *from = pos;
    if (!t && pane_filters(app_pane(a)))
        filter_complete(text, pos, table_def(pane_filters(app_pane(a))), from, add, cookie);
    if (!t || !table_view(t))
        return;
    filter_complete(text, pos, view_definition(table_view(t)), from, add, cookie);
    /* After "type=": values of that column. */
    size_t at = pos;
    while (at && !strchr(" =~<>,!", text.p[at - 1]))
        at--;
    if (!at || !strchr("=,", text.p[at - 1]))
        return;
    size_t start = at - 1;
    while (start && text.p[start - 1] != ' ')
        start--;
    struct str name = str_sub(text, start, at - start);
    size_t eq = str_chr(name, '=');
    char id[64];
    struct str values[10];
    struct err ignored = ERR_INIT;
    str_copy(str_sub(name, 0, eq), id, sizeof id);
    if (id[0] && id[strlen(id) - 1] == '!')
        id[strlen(id) - 1] = '\0';
    int col = view_find_col(table_view(t), id);
    if (col < 0 || view_col(table_view(t), (size_t)col)->type != VT_TEXT)
        return;
    size_t n = view_top_values(table_view(t), col, values, ARRAY_LEN(values), &ignored);
    *from = at;
    for (size_t i = 0; i < n; i++)
        add(cookie, values[i]);
}

static struct history *history_for(struct app *a, enum ask kind)
{
    switch (kind) {
    case ASK_COMMAND:
        return a->h_command;
    case ASK_SEARCH:
        return a->h_search;
    case ASK_FILTER:
        return a->h_filter[a->current];
    default:
        return a->h_text;
    }
}

void app_prompt(struct app *a, enum ask kind, const char *label, struct str preset)
{
    struct err e = ERR_INIT;
    app_prompt_done(a);
    snprintf(a->ask_label, sizeof a->ask_label, "%s", label);
    struct prompt_opts o = { .label = a->ask_label, .history = history_for(a, kind), .arg = a };
    if (kind == ASK_COMMAND)
        o.complete = command_complete;
    else if (kind == ASK_FILTER)
        o.complete = filter_complete_line;
    if (prompt_new(&a->prompt, &o, &e)) {
        app_say_err(a, &e);
        return;
    }
    a->ask = kind;
    if (preset.n)
        prompt_set(a->prompt, preset);
}

void app_ask(struct app *a, const char *label, struct str preset, app_answer_fn *done, void *arg)
{
    a->answer = done;
    a->answer_arg = arg;
    app_prompt(a, ASK_TEXT, tr(label), preset);
}

/* Apply the filter line as it stands; an error keeps the last good result. */
void app_filter_now(struct app *a)
{
    struct err e = ERR_INIT;
    char said[300];
    a->filter_due_ms = 0;
    a->filter_error[0] = '\0';
    if (a->ask != ASK_FILTER)
        return;
    pane_show(app_pane(a)); /* its views may just have been closed */
    if (!pane_filters(app_pane(a)))
        return;
    if (pane_filter_live(app_pane(a), prompt_text(a->prompt), &e)) {
        if (e.offset != ERR_NO_OFFSET)
            snprintf(a->filter_error, sizeof a->filter_error, tr("%s at %zu"),
                     tr_sentence(e.text, said, sizeof said), (size_t)e.offset + 1);
        else
            snprintf(a->filter_error, sizeof a->filter_error, "%s", tr_sentence(e.text, said, sizeof said));
    }
    a->dirty = true;
}

static void say_culprit(struct app *a, struct table *t)
{
    size_t i = table_rows(t) || !table_view(t) ? SIZE_MAX : table_filter_culprit(t);
    if (i != SIZE_MAX)
        app_say(a, ROLE_WARN, "no row is left: '%s' took the last one away (F lists the filters)",
                table_filter(t, i)->text);
}

static void accept_filter(struct app *a)
{
    struct err e = ERR_INIT;
    struct table *t = pane_filters(app_pane(a));
    struct str line = str_trim(prompt_text(a->prompt));
    if (!t) {
        app_prompt_done(a);
        return;
    }
    /* A table that is not shown takes any line: only the pane knows whether it is valid. */
    if (line.n &&
        ((!table_view(t) && pane_filter_live(app_pane(a), line, &e)) || table_filter_add(t, line, &e))) {
        app_filter_now(a); /* shows the reason; the line stays and can be corrected */
        return;
    }
    history_add(a->h_filter[a->current], line);
    app_prompt_done(a);
    if (pane_filter_live(app_pane(a), STR(""), &e))
        app_say_err(a, &e);
    else
        say_culprit(a, t);
}

void app_search_again(struct app *a, int dir, bool from_cursor)
{
    struct err e = ERR_INIT;
    char said[300];
    struct table *t = pane_table(app_pane(a));
    bool wrapped;
    if (!a->search[0]) {
        app_say(a, ROLE_TEXT, "nothing was searched for yet; / asks");
        return;
    }
    if (a->overlay) {
        if (!overlay_search(a->overlay, str_of(a->search), dir))
            app_say(a, ROLE_TEXT, "not found: %s", a->search);
        return;
    }
    if (!t)
        return;
    if (table_search_set(t, str_of(a->search), &e)) {
        if (e.offset != ERR_NO_OFFSET)
            app_say(a, ROLE_WARN, "%s at %zu", tr_sentence(e.text, said, sizeof said), (size_t)e.offset + 1);
        else
            app_say_err(a, &e);
    } else if (!table_search(t, dir, from_cursor, &wrapped, &e)) {
        if (e.code)
            app_say_err(a, &e);
        else
            app_say(a, ROLE_TEXT, "not found: %s", a->search);
    } else if (wrapped) {
        app_say(a, ROLE_TEXT, dir > 0 ? "went on from the first row" : "went on from the last row");
    }
}

static void accept_search(struct app *a)
{
    struct str text = prompt_text(a->prompt);
    bool back = !strncmp(a->ask_label, "?", 1);
    if (text.n) {
        str_copy(text, a->search, sizeof a->search);
        history_add(a->h_search, text);
    }
    app_prompt_done(a);
    struct pane *p = app_pane(a);
    if (!a->overlay && p->def->ops->finds && pane_key(p, ACT_FIND_NEXT))
        return;
    app_search_again(a, back ? -1 : 1, true);
}

static void accept(struct app *a)
{
    struct buf text;
    switch (a->ask) {
    case ASK_FILTER:
        accept_filter(a);
        return;
    case ASK_SEARCH:
        accept_search(a);
        return;
    default:
        break;
    }
    buf_init(&text, 1 << 16);
    buf_add(&text, prompt_text(a->prompt));
    history_add(history_for(a, a->ask), buf_str(&text));
    enum ask kind = a->ask;
    app_prompt_done(a);
    if (kind == ASK_COMMAND)
        command_run(a, buf_str(&text));
    else if (a->answer)
        a->answer(a, a->answer_arg, buf_str(&text));
    buf_done(&text);
}

static void cancel(struct app *a)
{
    struct err ignored = ERR_INIT;
    if (a->ask == ASK_FILTER && pane_filter_live(app_pane(a), STR(""), &ignored))
        err_clear(&ignored);
    app_prompt_done(a);
}

static void prompt_help(struct app *a)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    if (a->ask == ASK_COMMAND)
        command_help(&b);
    else
        buf_puts(&b, tr("# Filters: rows that match stay; several filters add up\n"
                        "conv2d            text, anywhere in the main column, case does not matter\n"
                        "conv|matmul       one of several\n"
                        "^BN|Relu  Grad$   with ^ or $ a regular expression on the main column\n"
                        "name~layer[34]    regular expression on a column (PCRE2); name!~...  none of it\n"
                        "type=Conv2D       exactly; type!=Conv2D\n"
                        "time>100us        numbers with a unit: > >= < <=  (ns us ms s, KiB MiB GiB, %)\n"
                        "stream in 3,5     one of a list\n"
                        "step between 60..80\n"
                        "dur>100us start between 1.2s..1.3s track~^Stream     in the timeline\n"
                        "/regex/           regular expression on the whole row\n"
                        "!type=HCCL        not\n"
                        "\nColumns may be shortened; name, time and size mean the main column, the first "
                        "time and the first size.\n"
                        "Tab completes columns, operators and values.\n"));
    app_show_text(a, a->ask == ASK_COMMAND ? N_("Commands") : N_("Filter language"), &b);
    buf_done(&b);
}

void app_drop_filter(struct app *a, size_t i)
{
    struct table *t = pane_filters(app_pane(a));
    char text[200];
    str_copy(str_of(table_filter(t, i)->text), text, sizeof text);
    table_filter_delete(t, i);
    app_filter_now(a);
    app_say(a, ROLE_TEXT, "filter removed: %s", text);
}

/* The last filter goes, the line stays. Never the one that a level above the first was opened with. */
static bool drop_filter(struct app *a)
{
    struct table *t = pane_filters(app_pane(a));
    size_t n = t ? table_n_filters(t) : 0;
    if (n <= (app_pane(a)->depth ? 1u : 0u))
        return false;
    table_filter_delete(t, n - 1);
    app_filter_now(a);
    return true;
}

static void prompt_event(struct app *a, const struct key_event *k)
{
    if (k->code == K_MOUSE)
        return;
    if (k->code == K_F1 && !a->overlay && (a->ask == ASK_FILTER || a->ask == ASK_COMMAND)) {
        prompt_help(a);
        return;
    }
    if (k->code == K_BACKSPACE && a->ask == ASK_FILTER && !prompt_text(a->prompt).n && drop_filter(a))
        return;
    enum prompt_result r;
    if (k->code == K_PASTE) {
        prompt_insert(a->prompt, term_pasted());
        r = PROMPT_CHANGED;
    } else {
        r = prompt_key(a->prompt, k->code);
    }
    if (r == PROMPT_CANCEL)
        cancel(a);
    else if (r == PROMPT_ACCEPT)
        accept(a);
    else if (r == PROMPT_CHANGED && a->ask == ASK_FILTER)
        a->filter_due_ms = app_now_ms() + FILTER_DELAY_MS;
}

/* ---- dispatch ---- */

/* Acts of the program in every pane, even in one that takes text (SQL). */
void app_do(struct app *a, enum action act)
{
    if (a->overlay && act == ACT_ESCAPE)
        act = ACT_BACK; /* an overlay is never the top level */
    if (a->overlay && act != ACT_REDRAW && act != ACT_SUSPEND && act != ACT_INTERRUPT) {
        if (act == ACT_SEARCH) {
            app_prompt(a, ASK_SEARCH, "/", STR(""));
        } else if (act == ACT_FIND_NEXT || act == ACT_FIND_PREV) {
            app_search_again(a, act == ACT_FIND_NEXT ? 1 : -1, false);
        } else if (overlay_key(a->overlay, a, act)) {
            overlay_free(a->overlay);
            a->overlay = NULL;
        }
        return;
    }
    const char *why;
    if (!app_can(a, act, &why) && why) {
        app_say(a, ROLE_TEXT, "%s", tr(why));
        return;
    }
    if (pane_key(app_pane(a), act) || app_act(a, act))
        return;
    app_say(a, ROLE_TEXT, "nothing to do here");
}

/* ---- mouse ---- */

static void mouse(struct app *a, const struct key_event *k)
{
    if (a->overlay) {
        struct overlay *o = a->overlay;
        if (overlay_click(o, a, k) && a->overlay == o) {
            overlay_free(o);
            a->overlay = NULL;
        }
        return;
    }
    if (k->mouse == MOUSE_PRESS || k->mouse == MOUSE_DOUBLE)
        for (size_t i = 0; i < a->n_clicks; i++)
            if (a->clicks[i].y == k->y && k->x >= a->clicks[i].x0 && k->x < a->clicks[i].x1) {
                app_do(a, a->clicks[i].act);
                return;
            }
    struct screen_layout l;
    screen_layout(a->rows, a->cols, &l);
    if (k->y == l.context && k->mouse == MOUSE_PRESS && pane_click_tab(app_pane(a), k->x))
        return;
    struct table *t = pane_filters(app_pane(a));
    size_t chip = k->y == l.context && k->mouse == MOUSE_PRESS && t ? table_chip_at(t, k->x) : SIZE_MAX;
    if (chip != SIZE_MAX)
        app_drop_filter(a, chip);
    else if (!pane_mouse(app_pane(a), k) && k->y == l.context && k->mouse == MOUSE_PRESS &&
             pane_filters(app_pane(a)))
        menu_filters(a); /* the chips; a row that the pane drew itself is its own first */
}

/* The key of a pane closes a text that lies over the one in front; a menu keeps all keys. */
static bool leaves_text(const struct app *a, uint32_t code, enum action *act)
{
    enum action found = keymap_find(a->keys, SC_GLOBAL, code);
    if (overlay_scopes(a->overlay) & SC_MENU || !pane_def_by_action(found))
        return false;
    *act = found;
    return true;
}

/*
 * Where a view cannot be chosen, Alt with a digit is Esc and a digit that came as fast: a terminal sends the
 * same for both.
 */
static bool split_alt(struct app *a, const struct key_event *k)
{
    if (k->code < K_ALT_0 || k->code > K_ALT_9 || !(a->overlay || a->prompt || a->pending))
        return false;
    const struct key_event esc = { .code = K_ESC }, digit = { .code = '0' + (k->code - K_ALT_0) };
    app_key(a, &esc);
    app_key(a, &digit);
    return true;
}

void app_key(struct app *a, const struct key_event *k)
{
    a->dirty = true;
    if (split_alt(a, k))
        return;
    if (a->too_small && k->code != 'q' && k->code != 'Q' && k->code != K_CTRL('C') && k->code != K_CTRL('Z'))
        return;
    if (k->code != K_MOUSE || k->mouse != MOUSE_RELEASE) /* it belongs to the press */
        a->message[0] = '\0';
    pane_show(app_pane(a)); /* its store may have been replaced since the last frame */
    /*
     * Help for the line lies over the line and takes the keys; a question of an overlay lies over the
     * overlay.
     */
    if (a->prompt && (!a->overlay || a->ask == ASK_SEARCH || a->ask == ASK_TEXT)) {
        prompt_event(a, k);
        return;
    }
    if (a->pending) {
        bool (*second)(struct app *, uint32_t) = a->pending;
        a->pending = NULL;
        if (k->code != K_ESC)
            second(a, k->code);
        return;
    }
    if (k->code == K_MOUSE) {
        mouse(a, k);
        return;
    }
    struct pane *p = app_pane(a);
    if (!a->overlay && p->def->ops && p->def->ops->text_key && p->def->ops->text_key(p, k))
        return;
    if (k->code == K_PASTE) {
        app_say(a, ROLE_TEXT, "pasted text is taken only on an input line (/ \\ : ;)");
        return;
    }
    unsigned scopes = a->overlay ? overlay_scopes(a->overlay) : pane_scopes(app_pane(a));
    enum action act = keymap_find(a->keys, scopes, k->code);
    if (act == ACT_NONE && a->overlay && leaves_text(a, k->code, &act)) {
        overlay_free(a->overlay);
        a->overlay = NULL;
    }
    if (act == ACT_NONE) {
        char name[24];
        app_say(a, ROLE_TEXT, "no binding for %s", key_text(name, sizeof name, k->code));
        return;
    }
    app_do(a, act);
}
