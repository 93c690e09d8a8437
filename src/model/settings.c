/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration file: read line by line, written with one line changed. */
#include "config.h"

#include "model/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/lang/tr.h"
#include "base/path.h"
#include "base/read/infile.h"
#include "base/text.h"
#include "base/words.h"
#include "model/view/view.h"

#define FILE_B ((size_t)1 << 20)

/* clang-format off */
const struct setting_def setting_defs[N_SETTINGS] = {
    [SETTING_THEME]      = { "theme", NULL, "default",
        "colours of the screen: default (for dark backgrounds), light, high-contrast, colour-blind or mono" },
    [SETTING_COLOURS]    = { "colours", "auto|off", "auto", "off: bold, underlined and reversed text alone" },
    [SETTING_SYMBOLS]    = { "symbols", "auto|ascii|utf8", "auto",
        "characters that bars, curves and lines are drawn with" },
    [SETTING_LANGUAGE]   = { "language", TR_LANGUAGES, "auto",
        "language of the screen; auto: as LC_ALL, LC_MESSAGES, LANG or LANGUAGE say" },
    [SETTING_MOUSE]      = { "mouse", "auto|on|off", "auto",
        "auto: on, but not within tmux and screen" },
    [SETTING_LINKS]      = { "hyperlinks", "auto|on|off", "auto",
        "names of files as links (OSC 8); auto: where the terminal is known to show them" },
    [SETTING_SLOW]       = { "slow", "on|off", "off", "fewer redraws, for slow lines" },
    [SETTING_FIRST_PANE] = { "first-pane", NULL, "triage",
        "pane of a run that is opened for the first time" },
    [SETTING_TIME_UNIT]  = { "time-unit", "auto|s|ms|us|ns", "auto", "unit of times in tables" },
    [SETTING_SIZE_UNIT]  = { "size-unit", "auto|GiB|MiB|KiB|B", "auto", "unit of sizes in tables" },
    [SETTING_FIRST_STEP] = { "first-step", "on|off", "off",
        "on: the first recorded step counts in means per step" },
    [SETTING_STATE]      = { "state", "on|off", "on",
        "off: what is chosen on the screen is neither kept nor taken up again" },
};
const struct setting_kind_def setting_kinds[N_SETTING_KINDS] = {
    [SETTING_BIND]    = { "bind", "[WHERE] KEY ACTION",
        "what a key does; WHERE limits it to list, table, timeline, files, steps, flops, memory, chart, "
        "card, bytes, menu or form" },
    [SETTING_COLUMNS] = { "columns", "VIEW COLUMN,...",
        "columns of a view in this order; -COLUMN is not shown, columns that are not named come last" },
    [SETTING_SORT]    = { "sort", "VIEW [+|-]COLUMN",
        "what a view is sorted by: - descending, + ascending, else as is natural" },
    [SETTING_COLOUR]  = { "colour", "ROLE NUMBER [bold] [dim] [underline] [reverse]",
        "colour of 256, or default, for a role of the theme" },
};
/* clang-format on */

struct settings {
    char path[PATH_MAX];
    char *text; /* of the file; values and lines are parts of it */
    struct {
        char *value; /* malloc'ed; NULL: the default */
        uint32_t line;
    } value[N_SETTINGS];
    struct setting_line *lines;
    size_t n_lines, lines_cap;
    struct setting_wrong *wrong;
    size_t n_wrong, wrong_cap;
    setting_check_fn *check;
};

/* ---- words of a line ---- */

static int kind_of(struct str line)
{
    struct str word = str_word(&line);

    for (int i = 0; i < N_SETTING_KINDS; i++)
        if (str_eq(word, str_of(setting_kinds[i].word)))
            return i;
    return -1;
}

/* ---- is it right ---- */

static int unknown(struct str name, struct err *e)
{
    struct nearest near;

    nearest_begin(&near, name);
    for (size_t i = 0; i < N_SETTINGS; i++)
        nearest_offer(&near, setting_defs[i].name);
    for (size_t i = 0; i < N_SETTING_KINDS; i++)
        nearest_offer(&near, setting_kinds[i].word);
    return err_set(e, ERR_USAGE, "there is no setting '%.*s'%s%s%s", name.n < 60 ? (int)name.n : 60, name.p,
                   near.best ? "; did you mean '" : "", near.best ? near.best : "", near.best ? "'?" : "");
}

static int ask(setting_check_fn *check, int id, enum setting_kind kind, struct str text, struct err *e)
{
    const struct setting_asked asked = { id, kind, text };

    return check ? check(&asked, e) : OK;
}

static int check_value(setting_check_fn *check, enum setting_id id, struct str value, struct err *e)
{
    const char *values = setting_defs[id].values;

    if (!values)
        return ask(check, (int)id, N_SETTING_KINDS, value, e);
    if (!value.n || word_index(values, '|', value) < 0)
        err_set(e, ERR_USAGE, "%s takes one of %s", setting_defs[id].name, values);
    return e->code;
}

static int no_column(const struct view_def *d, struct str name, struct err *e)
{
    struct nearest near;

    nearest_begin(&near, name);
    for (size_t i = 0; i < d->n_cols; i++)
        nearest_offer(&near, d->cols[i].id);
    return err_set(e, ERR_USAGE, "view %s has no column '%.*s'%s%s%s", d->id, name.n < 60 ? (int)name.n : 60,
                   name.p, near.best ? "; did you mean '" : "", near.best ? near.best : "",
                   near.best ? "'?" : "");
}

static int column_of(const struct view_def *d, struct str name)
{
    for (size_t i = 0; i < d->n_cols; i++)
        if (str_eq(name, str_of(d->cols[i].id)))
            return (int)i;
    return -1;
}

static const struct view_def *view_of(struct str *rest, struct err *e)
{
    char id[64];
    struct str word = str_word(rest);
    const struct view_def *d = view_def_find(str_copy(word, id, sizeof id));

    if (!d && !word.n)
        err_set(e, ERR_USAGE, "which view? 'npuscope help columns' lists them");
    else if (!d)
        err_set(e, ERR_USAGE, "there is no view '%s': 'npuscope help columns' lists them", id);
    return d;
}

static int check_columns(struct str rest, struct err *e)
{
    const struct view_def *d = view_of(&rest, e);
    struct str one;

    if (!d)
        return e->code;
    if (!rest.n)
        return err_set(e, ERR_USAGE, "no column is named");
    while (!e->code && str_next(&rest, ',', &one)) {
        one = str_trim(one);
        if (one.n && one.p[0] == '-')
            one = str_sub(one, 1, one.n);
        if (column_of(d, one) < 0)
            no_column(d, one, e);
    }
    return e->code;
}

static int check_sort(struct str rest, struct err *e)
{
    const struct view_def *d = view_of(&rest, e);

    if (!d)
        return e->code;
    (void)view_sort_sign(&rest);
    return column_of(d, rest) < 0 ? no_column(d, rest, e) : OK;
}

static int check_line(setting_check_fn *check, enum setting_kind kind, struct str text, struct err *e)
{
    if (kind == SETTING_COLUMNS)
        return check_columns(text, e);
    if (kind == SETTING_SORT)
        return check_sort(text, e);
    return ask(check, -1, kind, text, e);
}

/* ---- reading ---- */

static int add_wrong(struct settings *s, uint32_t line, struct err *why, struct err *e)
{
    struct setting_wrong *v = grow_array(s->wrong, s->n_wrong, &s->wrong_cap, sizeof *v, 16);
    char *text = strdup(why->text);

    if (v)
        s->wrong = v;
    if (!v || !text) {
        free(text);
        return err_nomem(e);
    }
    s->wrong[s->n_wrong++] = (struct setting_wrong){ line, text };
    err_clear(why);
    return OK;
}

static int take_value(struct settings *s, enum setting_id id, struct str value, uint32_t line, struct err *e)
{
    char *copy = strndup(value.p, value.n);

    if (!copy)
        return err_nomem(e);
    free(s->value[id].value); /* the last line counts */
    s->value[id].value = copy;
    s->value[id].line = line;
    return OK;
}

static int take_kind(struct settings *s, enum setting_kind kind, struct str text, uint32_t line,
                     struct err *e)
{
    struct setting_line *v = grow_array(s->lines, s->n_lines, &s->lines_cap, sizeof *v, 32);

    if (!v)
        return err_nomem(e);
    s->lines = v;
    s->lines[s->n_lines++] = (struct setting_line){ kind, line, text };
    return OK;
}

/* "NAME = VALUE" into its parts; false: there is no such setting. */
static bool split(struct str line, enum setting_id *id, struct str *value)
{
    size_t eq = str_chr(line, '=');
    struct str name = str_trim(str_sub(line, 0, eq));

    if (eq == SIZE_MAX)
        return false;
    *value = str_trim(str_sub(line, eq + 1, line.n));
    for (size_t i = 0; i < N_SETTINGS; i++)
        if (str_eq(name, str_of(setting_defs[i].name))) {
            *id = (enum setting_id)i;
            return true;
        }
    return false;
}

/* One line that is neither empty nor a comment. why: what is wrong with it. */
static int take_line(struct settings *s, struct str line, uint32_t at, struct err *why, struct err *e)
{
    enum setting_id id;
    struct str value, rest = line;
    int kind = kind_of(line);

    if (!text_valid_utf8(line))
        return err_set(why, ERR_USAGE, "the line is not UTF-8");
    if (kind >= 0) {
        (void)str_word(&rest);
        if (check_line(s->check, (enum setting_kind)kind, rest, why) == OK)
            return take_kind(s, (enum setting_kind)kind, rest, at, e);
    } else if (split(line, &id, &value)) {
        if (check_value(s->check, id, value, why) == OK)
            return take_value(s, id, value, at, e);
    } else {
        rest = line;
        unknown(str_trim(str_sub(line, 0, str_chr(line, '='))), why);
    }
    return OK;
}

static int take_text(struct settings *s, struct str text, struct err *e)
{
    struct err why = ERR_INIT;
    struct str line;

    for (uint32_t at = 1; !e->code && str_next(&text, '\n', &line); at++) {
        line = str_trim(line);
        if (!line.n || line.p[0] == '#')
            continue;
        (void)!take_line(s, line, at, &why, e);
        if (why.code && !e->code)
            (void)!add_wrong(s, at, &why, e);
    }
    return e->code;
}

/* false: the user has no place for it. *named: it was asked for. */
static bool find_path(char *buf, size_t n, const char *path, bool *named)
{
    const char *env = getenv("NPUSCOPE_CONFIG");
    struct err ignored = ERR_INIT;
    char dir[PATH_MAX];

    *named = path || (env && *env);
    if (*named) {
        str_copy(str_of(path ? path : env), buf, n);
        return true;
    }
    return path_config_dir(dir, sizeof dir, &ignored) == OK && path_join(buf, n, dir, "config");
}

int settings_read(struct settings **out, const char *path, setting_check_fn *check, struct err *e)
{
    struct settings *s = *out = calloc(1, sizeof *s);
    bool named;
    size_t n = 0;

    if (!s)
        return err_nomem(e);
    s->check = check;
    if (find_path(s->path, sizeof s->path, path, &named) && (named || access(s->path, F_OK) == 0) &&
        infile_read_all(s->path, FILE_B, &s->text, &n, e) == OK)
        (void)!take_text(s, (struct str){ s->text, n }, e);
    if (e->code) {
        err_where(e, s->path, ERR_NO_OFFSET, 0);
        settings_free(s);
        *out = NULL;
    }
    return e->code;
}

void settings_free(struct settings *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < N_SETTINGS; i++)
        free(s->value[i].value);
    for (size_t i = 0; i < s->n_wrong; i++)
        free((char *)s->wrong[i].why);
    free(s->wrong);
    free(s->lines);
    free(s->text);
    free(s);
}

/* ---- what it says ---- */

const char *settings_path(const struct settings *s)
{
    return s->path;
}

const char *setting_get(const struct settings *s, enum setting_id id, uint32_t *line)
{
    if (line)
        *line = s->value[id].line;
    return s->value[id].value ? s->value[id].value : setting_defs[id].otherwise;
}

bool setting_is(const struct settings *s, enum setting_id id, const char *value)
{
    return strcmp(setting_get(s, id, NULL), value) == 0;
}

size_t settings_n_lines(const struct settings *s)
{
    return s->n_lines;
}

const struct setting_line *settings_line(const struct settings *s, size_t i)
{
    return i < s->n_lines ? &s->lines[i] : NULL;
}

size_t settings_n_wrong(const struct settings *s)
{
    return s->n_wrong;
}

const struct setting_wrong *settings_wrong(const struct settings *s, size_t i)
{
    return i < s->n_wrong ? &s->wrong[i] : NULL;
}

struct str setting_view(const struct setting_line *l)
{
    struct str rest = l->text;

    return str_word(&rest);
}

void setting_table_line(const struct setting_line *l, struct buf *out)
{
    struct str rest = l->text, one;
    char id[64];
    const struct view_def *d = view_def_find(str_copy(str_word(&rest), id, sizeof id));

    if (l->kind == SETTING_COLUMNS) {
        buf_puts(out, "columns ");
        for (bool first = true; str_next(&rest, ',', &one); first = false) {
            buf_puts(out, first ? "" : ",");
            buf_add(out, str_trim(one));
        }
    } else if (l->kind == SETTING_SORT && d) {
        char sign = view_sort_sign(&rest);
        int col = column_of(d, rest);
        bool desc = sign == '-' || (sign != '+' && col >= 0 && d->cols[col].desc);
        buf_printf(out, "sort %.*s %s", (int)rest.n, rest.p, desc ? "desc" : "asc");
    }
}

/* ---- writing ---- */

/* Whether two lines say something about the same: a setting, a key in a place, a view's columns, a role. */
static bool same_subject(struct str a, struct str b)
{
    int kind = kind_of(a);
    size_t words = kind == SETTING_BIND ? SIZE_MAX : 2;

    if (kind != kind_of(b))
        return false;
    if (kind < 0)
        return str_eq(str_trim(str_sub(a, 0, str_chr(a, '='))), str_trim(str_sub(b, 0, str_chr(b, '='))));
    for (size_t i = 0; i < words; i++) {
        struct str x = str_word(&a), y = str_word(&b);
        if (kind == SETTING_BIND && (!a.n || !b.n)) /* the last word is the action */
            return !a.n && !b.n;
        if (!str_eq(x, y))
            return false;
    }
    return true;
}

static void replace_line(struct str old, struct str line, struct buf *out)
{
    struct str one;
    bool done = false;

    while (old.n && str_next(&old, '\n', &one)) {
        struct str bare = str_trim(one);
        bool same = bare.n && bare.p[0] != '#' && same_subject(bare, line);
        if (same && done) /* of several the last counted */
            continue;
        buf_add(out, same ? line : one);
        if (same || old.p)
            buf_addc(out, '\n');
        done |= same;
    }
    if (done)
        return;
    if (out->n && out->p[out->n - 1] != '\n')
        buf_addc(out, '\n');
    buf_add(out, line);
    buf_addc(out, '\n');
}

static int write_file(const char *path, struct str text, struct err *e)
{
    char dir[PATH_MAX];
    struct file_write *w;

    if (path_dir(dir, sizeof dir, path) && path_mkdirs(dir, e))
        return e->code;
    if (file_write_open(&w, path, true, e))
        return e->code;
    if (file_write_data(w, text.p, text.n, e)) {
        file_write_abort(w);
        return e->code;
    }
    return file_write_commit(w, e);
}

/* The file that a link leads to is the one that is replaced. */
static void follow_link(char *path)
{
    char *real = realpath(path, NULL);

    if (real && strlen(real) < PATH_MAX)
        memcpy(path, real, strlen(real) + 1);
    free(real);
}

int settings_save(const char *path, struct str line, setting_check_fn *check, struct err *e)
{
    struct settings one = { .check = check };
    struct err why = ERR_INIT;
    char at[PATH_MAX], *text = NULL;
    size_t n = 0;
    bool named;
    struct buf b;

    if (str_chr(line, '\n') != SIZE_MAX)
        return err_set(e, ERR_USAGE, "a setting is one line");
    if (!find_path(at, sizeof at, path, &named))
        return err_set(e, ERR_USAGE, "neither XDG_CONFIG_HOME nor HOME is an absolute path");
    (void)!take_line(&one, str_trim(line), 1, &why, e);
    for (size_t i = 0; i < N_SETTINGS; i++)
        free(one.value[i].value);
    free(one.lines);
    if (why.code)
        *e = why;
    follow_link(at);
    if (e->code || (access(at, F_OK) == 0 && infile_read_all(at, FILE_B, &text, &n, e)))
        return e->code;
    buf_init(&b, 2 * FILE_B);
    replace_line((struct str){ text, n }, str_trim(line), &b);
    int rc = buf_failed(&b) ? err_nomem(e) : write_file(at, buf_str(&b), e);
    buf_done(&b);
    free(text);
    return rc;
}
