/* SPDX-License-Identifier: Apache-2.0 */
/*
 * :configure: choose the switches of a profiler, see the text that sets them, write it
 * (doc/screens.md#configure). What may be chosen, and its words, are src/configure/switches.c.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "configure/config_check.h"
#include "configure/presets.h"
#include "ui/app/app_int.h"
#include "ui/app/form_write.h"

#define NAME_W 24  /* cells of a switch's name */
#define WIDE   120 /* from here on the text stands beside the list */
#define LIST_W 68

struct form {
    struct config_target t;
    struct choice c;
    enum switch_id shown[N_SWITCHES]; /* those of the form and version */
    size_t n, cursor, top;
    size_t preset;     /* the next one of key p */
    char purpose[80];  /* what was asked for */
    struct choice fit; /* what of it the form has */
    struct buf text;   /* that this makes */
    char lacks[120];   /* what was chosen and the form has not */
    char wrong[300];   /* what is wrong with it, "" nothing */
    int page;
    struct form_writing *writing; /* the last one; its questions may be open */
};

/* ---- what is shown ---- */

static void list_switches(struct form *f)
{
    enum switch_at at = config_at(&f->t);
    enum switch_id now = f->n ? f->shown[f->cursor] : SW_START;

    f->n = f->cursor = 0;
    for (size_t i = 0; i < N_SWITCHES; i++) {
        const struct switch_def *d = &switch_defs[i];
        if (!switch_key(d, at, f->t.version) || (d->obsolete && !f->c.value[i]))
            continue;
        if (i <= now)
            f->cursor = f->n;
        f->shown[f->n++] = (enum switch_id)i;
    }
}

/* The list and the text again, after a choice. */
static void renew(struct form *f, struct app *a)
{
    struct err e = ERR_INIT;
    struct buf b;

    list_switches(f);
    buf_clear(&f->text);
    buf_init(&b, 4096);
    choice_done(&f->fit);
    if (choice_merge(&f->fit, &f->c, &e) == OK) {
        choice_fit(&f->fit, &f->t, &b);
        str_copy(buf_str(&b), f->lacks, sizeof f->lacks);
        (void)!config_write(&f->fit, &f->t, STR(""), &f->text, &e);
    }
    buf_clear(&b);
    config_first_wrong(buf_str(&f->text), STR_NULL, &f->t, &b);
    str_copy(buf_str(&b), f->wrong, sizeof f->wrong);
    buf_done(&b);
    if (e.code)
        app_say_err(a, &e);
}

static void choose_preset(struct form *f, struct app *a, const struct preset *p)
{
    struct err e = ERR_INIT;
    char *start = f->c.value[SW_START_STEP], *stop = f->c.value[SW_STOP_STEP];

    f->c.value[SW_START_STEP] = f->c.value[SW_STOP_STEP] = NULL; /* the window stays */
    choice_done(&f->c);
    f->c.value[SW_START_STEP] = start;
    f->c.value[SW_STOP_STEP] = stop;
    if (preset_choose(p, &f->c, &e))
        app_say_err(a, &e);
    snprintf(f->purpose, sizeof f->purpose, "%s", p->name);
    renew(f, a);
}

static void ask_question(struct form *f, struct app *a, struct str question)
{
    struct err e = ERR_INIT;
    struct buf names;
    bool found = false;

    buf_init(&names, 4096);
    choice_done(&f->c);
    if (presets_ask(question, &f->c, &names, &found, &e))
        app_say_err(a, &e);
    else if (!found)
        app_say(a, ROLE_TEXT, "no word of this is known: overview");
    str_copy(buf_str(&names), f->purpose, sizeof f->purpose);
    buf_done(&names);
    renew(f, a);
}

/* ---- drawing ---- */

/* As the form at hand writes it. */
static const char *name_here(const struct form *f, const struct switch_def *d)
{
    const char *key = switch_key(d, config_at(&f->t), f->t.version);

    return key && *key ? key : d->name;
}

static void draw_switch(const struct form *f, struct canvas *c, int y, int x, int w, size_t i)
{
    const struct switch_def *d = &switch_defs[f->shown[i]];
    const char *value = f->c.value[d->id];
    const char *shown = value ? value : d->default_value;

    if (i == f->cursor)
        draw_glyph(c, y, x, ROLE_BOLD, G_CURSOR);
    draw_puts(c, y, x + 2, NAME_W, value ? ROLE_BOLD : ROLE_TEXT, name_here(f, d));
    draw_puts(c, y, x + 3 + NAME_W, w - NAME_W - 3, value ? ROLE_TEXT : ROLE_DIM,
              *shown ? shown : tr("none"));
    if (i == f->cursor)
        draw_role(c, (struct rect){ y, x, 1, w }, ROLE_CURSOR);
}

static void draw_list(struct form *f, struct canvas *c, struct rect a)
{
    f->page = a.h;
    if (f->cursor < f->top)
        f->top = f->cursor;
    if (a.h > 0 && f->cursor >= f->top + (size_t)a.h)
        f->top = f->cursor - (size_t)a.h + 1;
    for (int y = 0; y < a.h && f->top + (size_t)y < f->n; y++)
        draw_switch(f, c, a.y + y, a.x, a.w, f->top + (size_t)y);
}

/* Lines of a text, wrapped or cut; returns the rows used. */
static int draw_lines(struct canvas *c, struct rect a, enum role r, struct str text, bool wrap)
{
    struct str line, piece;
    struct buf b;
    int y = 0;

    buf_init(&b, 65536);
    while (y < a.h && text.n && str_next(&text, '\n', &line)) {
        buf_clear(&b);
        if (wrap)
            text_wrap(&b, line, (size_t)(a.w > 1 ? a.w : 1), canvas_flags(c));
        struct str rest = wrap ? buf_str(&b) : line;
        for (bool first = true; y < a.h && (first || rest.n) && str_next(&rest, '\n', &piece); first = false)
            if (piece.n || first)
                draw_text(c, a.y + y++, a.x, a.w, r, piece, CUT_END);
    }
    buf_done(&b);
    return y;
}

/* Of the switch under the cursor: values and meaning, cost. */
static void draw_help(const struct form *f, struct canvas *c, struct rect a)
{
    const struct switch_def *d = &switch_defs[f->shown[f->cursor]];
    struct buf b;

    buf_init(&b, 8192);
    buf_printf(&b, tr("%s: %s. Costs: %s. It is "), name_here(f, d), tr(d->help), tr(d->cost));
    switch_values(d, &b);
    buf_addc(&b, '.');
    draw_lines(c, a, ROLE_DIM, buf_str(&b), true);
    buf_done(&b);
}

static void draw_head(const struct form *f, struct canvas *c, struct rect a)
{
    int x = draw_puts(c, a.y, a.x, a.w, ROLE_BOLD, tr(switch_at_title(config_at(&f->t))));

    if (f->t.framework == FRAMEWORK_MINDSPORE && f->t.form != FORM_MSPROF)
        x +=
            draw_printf(c, a.y, a.x + x, a.w - x, ROLE_TEXT, "  %u.%u", f->t.version / 10, f->t.version % 10);
    x += draw_printf(c, a.y, a.x + x, a.w - x, ROLE_DIM, tr("  for %s"),
                     f->purpose[0] ? f->purpose : tr("what is set"));
    if (f->lacks[0])
        draw_printf(c, a.y, a.x + x, a.w - x, ROLE_WARN, tr("  without %s"), f->lacks);
}

/* What is wrong, else what it costs. */
static void draw_cost(const struct form *f, struct canvas *c, struct rect a)
{
    struct buf b;
    int y = 0;

    buf_init(&b, 8192);
    if (f->wrong[0])
        y = draw_lines(c, a, ROLE_WARN, str_of(f->wrong), true);
    choice_cost_text(&f->fit, &b);
    draw_lines(c, (struct rect){ a.y + y, a.x, a.h - y, a.w }, ROLE_TEXT, buf_str(&b), true);
    buf_done(&b);
}

/* Rows of the parts below each other; what has no room is left out, the list last. */
struct parts {
    int list, help, cost, text;
};

static struct parts parts_of(int h, bool wide)
{
    struct parts p = { .help = 2, .cost = 2 };

    if (h > 24)
        p.help = 4, p.cost = 4;
    if (!wide)
        p.text = h > 24 ? 10 : h > 14 ? 3 : 0;
    p.list = h - 2 - p.help - p.cost - p.text - (p.text ? 1 : 0);
    if (p.list < 3)
        p = (struct parts){ .list = h - 1 };
    return p;
}

static void form_draw(void *arg, struct canvas *c, struct rect a)
{
    struct form *f = arg;
    bool wide = a.w >= WIDE, wrap = f->t.form == FORM_ENV;
    struct parts p = parts_of(a.h, wide);
    int w = wide ? LIST_W : a.w, y = a.y + 1;

    if (a.h < 2 || a.w < 30 || !f->n)
        return;
    draw_head(f, c, a);
    draw_list(f, c, (struct rect){ y, a.x, p.list, w });
    y += p.list;
    if (p.help) {
        draw_hline(c, y++, a.x, w, ROLE_DIM);
        draw_help(f, c, (struct rect){ y, a.x, p.help, w });
        y += p.help;
        draw_cost(f, c, (struct rect){ y, a.x, p.cost, w });
        y += p.cost;
    }
    if (p.text)
        draw_hline(c, y++, a.x, w, ROLE_DIM);
    struct rect t = { y, a.x, p.text, a.w };
    if (wide)
        t = (struct rect){ a.y + 1, a.x + w + 3, a.h - 1, a.w - w - 3 };
    draw_lines(c, t, ROLE_GOOD, buf_str(&f->text), wrap);
}

/* ---- keys ---- */

static void value_answer(struct app *a, void *arg, struct str text)
{
    struct form *f = arg;
    struct err e = ERR_INIT;
    struct buf b;

    buf_init(&b, 65536);
    buf_printf(&b, "%s=%.*s", switch_defs[f->shown[f->cursor]].name, (int)text.n, text.p);
    if (choice_set_text(&f->c, buf_str(&b), &e))
        app_say_err(a, &e);
    buf_done(&b);
    renew(f, a);
}

static void question_answer(struct app *a, void *arg, struct str text)
{
    ask_question(arg, a, text);
}

static void change(struct form *f, struct app *a, int dir, bool type)
{
    const struct switch_def *d = &switch_defs[f->shown[f->cursor]];
    struct str now = choice_get(&f->c, d->id), next = choice_next(d, now, dir);
    struct err e = ERR_INIT;
    char label[60];

    if (next.p && !type) {
        if (choice_set(&f->c, d->id, next, &e))
            app_say_err(a, &e);
        renew(f, a);
        return;
    }
    snprintf(label, sizeof label, "%s: ", d->name);
    app_ask(a, label, now, value_answer, f);
}

/* The form at hand, or the next one that framework and version have. */
static void have_form(struct form *f)
{
    while (config_at(&f->t) == N_AT)
        f->t.form = (enum config_form)((f->t.form + 1) % N_FORMS);
}

static void next_form(struct form *f, struct app *a)
{
    f->t.form = (enum config_form)((f->t.form + 1) % N_FORMS);
    have_form(f);
    renew(f, a);
}

static void other_framework(struct form *f, struct app *a)
{
    f->t.framework = (enum config_framework)((f->t.framework + 1) % N_FRAMEWORKS);
    have_form(f);
    renew(f, a);
}

static void older_version(struct form *f, struct app *a)
{
    f->t.version = f->t.version == VERSION_OLDEST ? VERSION_NEWEST : f->t.version - 1;
    if (config_at(&f->t) == N_AT)
        f->t.version = VERSION_NEWEST;
    renew(f, a);
}

static bool move(struct form *f, enum action act)
{
    size_t page = f->page > 1 ? (size_t)f->page - 1 : 1, last = f->n ? f->n - 1 : 0;

    switch (act) {
    case ACT_DOWN:
        f->cursor += f->cursor < last;
        return true;
    case ACT_UP:
        f->cursor -= f->cursor > 0;
        return true;
    case ACT_PAGE_DOWN:
    case ACT_HALF_DOWN:
        f->cursor = f->cursor + page < last ? f->cursor + page : last;
        return true;
    case ACT_PAGE_UP:
    case ACT_HALF_UP:
        f->cursor -= f->cursor > page ? page : f->cursor;
        return true;
    case ACT_FIRST:
        f->cursor = 0;
        return true;
    case ACT_LAST:
        f->cursor = last;
        return true;
    default:
        return false;
    }
}

/* long: switch */
static bool form_key(void *arg, struct app *a, enum action act)
{
    struct form *f = arg;

    if (move(f, act))
        return false;
    switch (act) {
    case ACT_BACK:
        return true;
    case ACT_TOGGLE:
    case ACT_RIGHT:
        change(f, a, 1, false);
        break;
    case ACT_LEFT:
        change(f, a, -1, false);
        break;
    case ACT_OPEN:
        change(f, a, 1, true);
        break;
    case ACT_DELETE:
        choice_unset(&f->c, f->shown[f->cursor]);
        renew(f, a);
        break;
    case ACT_VIEW_NEXT:
        next_form(f, a);
        break;
    case ACT_FRAMEWORK:
        other_framework(f, a);
        break;
    case ACT_JOB_VERSION:
        older_version(f, a);
        break;
    case ACT_PURPOSE:
        f->preset = (f->preset + 1) % n_presets;
        choose_preset(f, a, &presets[f->preset]);
        break;
    case ACT_ASK:
        app_ask(a, "question: ", STR("why is step 20 slow"), question_answer, f);
        break;
    case ACT_COPY:
        app_copy(a, buf_str(&f->text), "the text");
        break;
    case ACT_EXPORT:
        form_writing_free(f->writing);
        f->writing = form_write(a, &f->fit, &f->t, buf_str(&f->text));
        break;
    default:
        break;
    }
    return false;
}

static void form_position(const void *arg, char *buf, size_t n)
{
    const struct form *f = arg;

    snprintf(buf, n, "%zu/%zu", f->n ? f->cursor + 1 : 0, f->n);
}

static void form_free(void *arg)
{
    struct form *f = arg;

    if (!f)
        return;
    form_writing_free(f->writing);
    choice_done(&f->c);
    choice_done(&f->fit);
    buf_done(&f->text);
    free(f);
}

static const struct key_bar bar[] = {
    { ACT_TOGGLE, ACT_NONE, "change" },    { ACT_OPEN, ACT_NONE, "type" },
    { ACT_VIEW_NEXT, ACT_NONE, NULL },     { ACT_PURPOSE, ACT_NONE, NULL },
    { ACT_EXPORT, ACT_NONE, NULL },        { ACT_BACK, ACT_NONE, "close" },
    { ACT_FRAMEWORK, ACT_NONE, NULL },     { ACT_JOB_VERSION, ACT_NONE, NULL },
    { ACT_DELETE, ACT_NONE, "leave out" }, { ACT_ASK, ACT_NONE, NULL },
    { ACT_COPY, ACT_NONE, "copy" },
};
static const struct overlay_ops form_ops = {
    .draw = form_draw,
    .key = form_key,
    .position = form_position,
    .free = form_free,
    .bar = bar,
    .n_bar = ARRAY_LEN(bar),
    .scopes = SC_OVERLAY | SC_MENU | SC_FORM,
};

/* The framework that made the profile in front. */
static enum config_framework framework_of(const struct app *a)
{
    if (!session_n_ranks(a->s))
        return FRAMEWORK_MINDSPORE;
    const struct session_rank *r = session_rank(a->s, session_current(a->s));
    return session_job(a->s)->units[r->unit]->gen == GEN_P ? FRAMEWORK_TORCH : FRAMEWORK_MINDSPORE;
}

void form_open(struct app *a, struct str args)
{
    struct form *f = calloc(1, sizeof *f);
    const struct preset *p = preset_find(args.n ? args : STR("overview"));
    struct err e = ERR_INIT;
    struct overlay *o = NULL;

    if (!f) {
        err_nomem(&e);
        app_say_err(a, &e);
        return;
    }
    buf_init(&f->text, (size_t)4 << 20);
    f->t = (struct config_target){ FORM_ENV, framework_of(a), VERSION_NEWEST };
    have_form(f);
    f->preset = p ? (size_t)(p - presets) : 0;
    if (overlay_own(&o, tr("Configure the profiler"), &form_ops, f, &e)) {
        form_free(f);
        app_say_err(a, &e);
        return;
    }
    if (p)
        choose_preset(f, a, p);
    else
        ask_question(f, a, args);
    app_overlay(a, o);
}
