/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's settings: checked, and taken before what was kept of a run. */
#include "config.h"

#include "ui/app/prefs.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/words.h"
#include "ui/app/app_int.h"
#include "ui/app/keys.h"

/* ---- colours of one's own ---- */

static const struct {
    const char *word;
    unsigned attr;
} attrs[] = {
    { "bold", RA_BOLD }, { "dim", RA_DIM }, { "underline", RA_UNDERLINE }, { "reverse", RA_REVERSE }
};

static int role_by_word(struct str word)
{
    for (int r = 0; r < N_ROLES; r++)
        if (str_eq(word, str_of(theme_default.roles[r].name)))
            return r;
    return -1;
}

static int take_attr(struct str word, unsigned *ra, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(attrs); i++)
        if (str_eq(word, str_of(attrs[i].word))) {
            *ra |= attrs[i].attr;
            return OK;
        }
    return err_set(e, ERR_USAGE, "bold, dim, underline or reverse, not '%.*s'", (int)word.n, word.p);
}

/* "ROLE NUMBER [ATTRIBUTE...]" over a theme's; without attributes those of the theme stay. */
static int take_colour(struct role_attr *roles, struct str text, struct err *e)
{
    struct str role = str_word(&text), number = str_word(&text);
    uint64_t n = 0;
    unsigned ra = 0;

    int r = role_by_word(role);
    if (r < 0)
        return err_set(e, ERR_USAGE, "there is no role '%.*s': see npuscope-config(5)", (int)role.n, role.p);
    bool otherwise = str_eq(number, STR("default"));
    if (!otherwise && (!str_u64(number, &n) || n > 255))
        return err_set(e, ERR_USAGE, "a colour is a number from 0 to 255, or default");
    bool attributes = text.n > 0;
    while (text.n && !e->code)
        (void)!take_attr(str_word(&text), &ra, e);
    if (e->code)
        return e->code;
    roles[r].fg256 = (short)(otherwise ? -1 : (int)n);
    if (otherwise || n < 8)
        roles[r].fg8 = roles[r].fg256;
    if (attributes)
        roles[r].attrs256 = roles[r].attrs8 = roles[r].attrs_mono = ra;
    return OK;
}

/* ---- checks ---- */

static int check_theme(struct str text, struct err *e)
{
    char name[32], list[200] = "";
    size_t n = 0;

    if (theme_find(str_copy(text, name, sizeof name)))
        return OK;
    for (size_t i = 0; theme_nth(i) && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", theme_nth(i)->name);
    return err_set(e, ERR_USAGE, "there is no theme '%s': %s", name, list);
}

int prefs_check(const struct setting_asked *s, struct err *e)
{
    struct role_attr scratch[N_ROLES];
    struct keymap *keys;

    if (s->id == SETTING_THEME)
        return check_theme(s->text, e);
    if (s->id == SETTING_FIRST_PANE)
        return pane_def_by_word(s->text)
                   ? OK
                   : err_set(e, ERR_USAGE, "there is no pane '%.*s'", (int)s->text.n, s->text.p);
    if (s->kind == SETTING_COLOUR) {
        memcpy(scratch, theme_default.roles, sizeof scratch);
        return take_colour(scratch, s->text, e);
    }
    if (s->kind != SETTING_BIND || keymap_new(&keys, e))
        return e->code;
    (void)!keymap_bind_line(keys, s->text, e);
    keymap_free(keys);
    return e->code;
}

/* ---- taking them ---- */

void prefs_theme(struct app *a, const struct theme *t)
{
    const struct settings *s = a->o.settings;
    struct err ignored = ERR_INIT; /* the lines were checked when they were read */

    a->own_theme = *t;
    for (size_t i = 0; s && settings_line(s, i); i++)
        if (settings_line(s, i)->kind == SETTING_COLOUR)
            (void)!take_colour(a->own_theme.roles, settings_line(s, i)->text, &ignored);
    a->theme = &a->own_theme;
}

/* What the command line says goes first. */
static void take_values(struct app *a, const struct settings *s)
{
    if (!a->o.theme)
        prefs_theme(a, theme_find(setting_get(s, SETTING_THEME, NULL)));
    else
        prefs_theme(a, a->theme);
    if (!a->o.pane)
        a->current = pane_def_by_word(str_of(setting_get(s, SETTING_FIRST_PANE, NULL)))->id;
    if (a->o.mouse < 0 && !setting_is(s, SETTING_MOUSE, "auto"))
        a->o.mouse = setting_is(s, SETTING_MOUSE, "on");
    a->links = setting_is(s, SETTING_LINKS, "auto") ? -1 : setting_is(s, SETTING_LINKS, "on");
    a->o.slow |= setting_is(s, SETTING_SLOW, "on");
    a->o.mono |= setting_is(s, SETTING_COLOURS, "off");
    a->o.no_state |= setting_is(s, SETTING_STATE, "off");
    if (setting_is(s, SETTING_FIRST_STEP, "on"))
        session_scope(a->s)->first_step = true;
    for (int i = TIME_AUTO; i <= TIME_NS; i++)
        if (i != TIME_AUTO && setting_is(s, SETTING_TIME_UNIT, unit_time_name((enum time_unit)i)))
            a->units.time = (enum time_unit)i;
    for (int i = SIZE_AUTO; i <= SIZE_B; i++)
        if (i != SIZE_AUTO && setting_is(s, SETTING_SIZE_UNIT, unit_size_name((enum size_unit)i)))
            a->units.size = (enum size_unit)i;
}

static void take_table(struct app *a, const struct setting_line *l)
{
    struct str view = setting_view(l);
    char id[64];
    const struct view_def *d = view_def_find(str_copy(view, id, sizeof id));
    struct buf b;

    buf_init(&b, 65536);
    buf_printf(&b, "preset %s ", id);
    setting_table_line(l, &b);
    if (d && d->pane < N_PANES && !buf_failed(&b))
        pane_restore(a->panes[d->pane], buf_str(&b));
    buf_done(&b);
}

static void take_line(struct app *a, const struct setting_line *l, struct err *e)
{
    if (l->kind == SETTING_BIND)
        (void)!keymap_bind_line(a->keys, l->text, e);
    else if (l->kind != SETTING_COLOUR) /* prefs_theme() */
        take_table(a, l);
}

static void say_wrong(struct app *a, const struct settings *s)
{
    size_t n = settings_n_wrong(s);

    if (n)
        app_say(a, ROLE_WARN, "%s, line %u: %s%s", path_base(settings_path(s)), settings_wrong(s, 0)->line,
                settings_wrong(s, 0)->why, n > 1 ? "; 'npuscope config' names them all" : "");
}

int prefs_take(struct app *a, struct err *e)
{
    const struct settings *s = a->o.settings;

    if (!s)
        return OK;
    take_values(a, s);
    for (size_t i = 0; settings_line(s, i) && !e->code; i++)
        take_line(a, settings_line(s, i), e);
    say_wrong(a, s);
    return e->code;
}
