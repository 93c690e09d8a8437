/* SPDX-License-Identifier: Apache-2.0 */
/* config: the reader's settings. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/log.h"
#include "cli/cmd/cmd.h"

/* clang-format off */
static const struct view_col config_cols[] = {
    CMD_TEXT("name", "Name", "setting, or the word that a line begins with"),
    CMD_TEXT("value", "Value", "value in force, or the rest of the line"),
    CMD_TEXT("default", "Default", "value without a line"),
    CMD_TEXT("from", "Source", "line of the file, or default"),
    CMD_TEXT("values", "Values", "what it may be"),
    CMD_TEXT("meaning", "Meaning", "what it does"),
};
/* clang-format on */

static const char *line_text(char *buf, size_t n, uint32_t line)
{
    if (!line)
        return tr("default");
    snprintf(buf, n, tr("line %" PRIu32), line);
    return buf;
}

static int print_values(struct writer *w, const struct settings *s, struct err *e)
{
    char from[40];
    uint32_t line;

    for (int i = 0; i < N_SETTINGS && !e->code; i++) {
        const struct setting_def *d = &setting_defs[i];
        const char *value = setting_get(s, (enum setting_id)i, &line);
        const struct val v[] = { val_cstr(d->name),
                                 val_cstr(value),
                                 val_cstr(d->otherwise),
                                 val_cstr(line_text(from, sizeof from, line)),
                                 val_cstr(d->values ? d->values : ""),
                                 val_cstr(tr(d->help)) };
        (void)!writer_row(w, v, e);
    }
    return e->code;
}

static int print_lines(struct writer *w, const struct settings *s, struct err *e)
{
    char from[40];

    for (size_t i = 0; settings_line(s, i) && !e->code; i++) {
        const struct setting_line *l = settings_line(s, i);
        const struct setting_kind_def *d = &setting_kinds[l->kind];
        const struct val v[] = { val_cstr(d->word), val_text(l->text),
                                 val_cstr(""),      val_cstr(line_text(from, sizeof from, l->line)),
                                 val_cstr(d->args), val_cstr(tr(d->help)) };
        (void)!writer_row(w, v, e);
    }
    return e->code;
}

static void name_wrong(const struct settings *s)
{
    for (size_t i = 0; settings_wrong(s, i); i++)
        log_message("%s: line %" PRIu32 ": %s", settings_path(s), settings_wrong(s, i)->line,
                    settings_wrong(s, i)->why);
}

void cmd_read_settings(struct cli *c)
{
    struct err e = ERR_INIT;

    if (settings_read(&c->settings, NULL, c->hooks->setting, &e))
        log_error(&e);
    else
        name_wrong(c->settings);
}

/* "NAME=VALUE" or a line, into the file. */
static int save(struct cli *c, const char *line, struct err *e)
{
    struct settings *s = NULL;

    if (settings_save(NULL, str_of(line), c->hooks->setting, e) == OK && !opt_is(&c->opts, OPT_QUIET) &&
        settings_read(&s, NULL, c->hooks->setting, e) == OK)
        log_message("kept in %s", settings_path(s));
    settings_free(s);
    return e->code;
}

/* A line may come in words: npuscope config bind timeline w zoom-in. */
static int save_words(struct cli *c, struct err *e)
{
    struct buf line;

    buf_init(&line, 65536);
    for (size_t i = 0; cmd_arg(c, i); i++)
        buf_printf(&line, "%s%s", i ? " " : "", cmd_arg(c, i));
    int rc = buf_failed(&line) ? err_set(e, ERR_LIMIT, "a setting is one line") : save(c, line.p, e);
    buf_done(&line);
    return rc;
}

int cmd_config(struct cli *c, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(config_cols)];
    struct writer *w = NULL;
    struct settings *s = NULL;

    if (cmd_arg(c, 0))
        return save_words(c, e);
    if (settings_read(&s, NULL, c->hooks->setting, e))
        return e->code;
    if (cmd_table_begin(c, &w, "config", config_cols, cols, ARRAY_LEN(cols), e) == OK &&
        print_values(w, s, e) == OK)
        (void)!print_lines(w, s, e);
    (void)!cmd_table_end(w, e);
    name_wrong(s);
    if (settings_n_wrong(s))
        c->status = ST_DAMAGED;
    settings_free(s);
    return e->code;
}
