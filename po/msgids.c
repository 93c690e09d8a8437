/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tables of the program hold for people, for catalogues (po/files.mk): a row is translated where it
 * is drawn and needs no mark. One line "CONTEXT TAB MSGID TAB TABLE" each, escaped as in C.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "analysis/checks.h"
#include "analysis/verdict.h"
#include "base/lang/said.h"
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/man_texts.h"
#include "cli/msprof/msprof_args.h"
#include "cli/msprof/msprof_help.h"
#include "cli/options.h"
#include "configure/switches.h"
#include "import/import.h"
#include "model/settings.h"
#include "model/view/view.h"
#include "model/views/empty.h"
#include "parsers/logs/signatures_own.h"
#include "run/expect.h"
#include "run/known_diff.h"
#include "run/layout.h"
#include "store/schema.h"
#include "ui/app/app_int.h"
#include "ui/app/keys.h"
#include "ui/pane/panes.h"

/* Directives alone are in no language, but marks between them are. */
static bool has_words(const char *s)
{
    if (strstr(s, ": ") || strstr(s, ", "))
        return true;
    for (; *s; s++) {
        if (*s == '%')
            while (*s && *s != 's' && s[1])
                s++;
        else if ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))
            return true;
    }
    return false;
}

static void put(const char *context, const char *msgid, const char *table)
{
    if (!msgid || !has_words(msgid))
        return;
    printf("%s\t", context);
    for (const char *p = msgid; *p; p++) {
        if (*p == '\n')
            printf("\\n");
        else
            printf("%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
    }
    printf("\t%s\n", table);
}

static void put_bar(const struct key_bar *bar, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put("key", bar[i].label, "pane_defs");
}

static void put_panes(void)
{
    for (size_t i = 0; i < N_PANES; i++) {
        const struct pane_def *d = &pane_defs[i];
        put("pane", d->title, "pane_defs");
        put("", d->help, "pane_defs");
        put_bar(d->bar, d->n_bar);
        for (size_t k = 0; k < d->n_modes; k++)
            put("view", d->modes[k].title, "pane_defs");
    }
}

static void put_columns(const struct view_col *cols, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put("column", cols[i].title, "view_defs");
        put("", cols[i].help, "view_defs");
    }
}

/* Names of totals in a summary: "sum(size_b) AS size_b" is shown as size. */
static void put_summary(const char *sql)
{
    char word[40];

    while (sql && (sql = strstr(sql, " AS ")) != NULL) {
        sql += strlen(" AS ");
        snprintf(word, sizeof word, "%.*s", (int)strspn(sql, "abcdefghijklmnopqrstuvwxyz_"), sql);
        word[strcspn(word, "_")] = '\0';
        put("", word, "view_defs");
    }
}

static void put_views(void)
{
    for (size_t i = 0; i < view_n_defs; i++) {
        put("view", view_defs[i]->title, "view_defs");
        put("unit", view_defs[i]->unit_of ? view_defs[i]->unit_of : "rows", "view_defs");
        put_columns(view_defs[i]->cols, view_defs[i]->n_cols);
        put_summary(view_defs[i]->summary);
    }
    put_columns(view_rank_column(), 1);
}

static void put_keys(void)
{
    for (size_t i = 0; i < n_key_rows; i++) {
        put("key", key_rows[i].label, "key_rows");
        put("", key_rows[i].help, "key_rows");
    }
    for (int i = 0; i < N_KEY_GROUPS; i++)
        put("key", key_group_title((enum key_group)i), "key_rows");
}

/* Classes of faults and meanings of log lines, as verdicts name them. */
static void put_causes(void)
{
    for (int i = 0; i < N_CAUSES; i++)
        put("", cause_text((enum cause_class)i), "CAUSE_CLASSES");
    for (size_t i = 0; i < signature_n(); i++) {
        put("", signature_at(i)->says, "signatures");
        put("", signature_at(i)->next, "signatures");
    }
}

/* Sentences of findings; update.sh knows them by the name of the table as formats. */
static void put_findings(void)
{
    for (size_t i = 0; checks_form(i); i++)
        put("", checks_form(i), "checks");
    for (size_t i = 0; i < expect_n_rules; i++) { /* what FIL-03 says of a file */
        put("", expect_rules[i].absent, "expect_rules");
        for (const struct expect_cond *c = expect_rules[i].cond; c->what != EX_END; c++)
            put("", c->why, "expect_rules");
    }
}

/* A list of names of files is in no language. */
static bool is_names(const char *files)
{
    for (const char *p = files; (p = strchr(p, ' ')) != NULL; p++)
        if (p == files || p[-1] != ',')
            return false;
    return true;
}

static void put_empty(void)
{
    const struct empty_state *s;

    for (size_t i = 0; (s = empty_nth(i)) != NULL; i++) {
        put("", s->title, "empty_states");
        put("", is_names(s->files) ? NULL : s->files, "empty_states");
        put("", s->why, "empty_states");
        put("", s->get, "empty_states");
        put("", s->without, "empty_states");
    }
}

/* What options of the profilers do and cost. */
static void put_switches(void)
{
    for (size_t i = 0; i < N_SWITCHES; i++) {
        put("", switch_defs[i].help, "switch_defs");
        put("", switch_defs[i].cost, "switch_defs");
        if (switch_defs[i].files && strstr(switch_defs[i].files, " of ")) /* others are names */
            put("", switch_defs[i].files, "switch_defs");
        put("",
            switch_defs[i].obsolete && strchr(switch_defs[i].obsolete, ' ') ? switch_defs[i].obsolete : NULL,
            "switch_defs");
    }
}

static void put_rules(void)
{
    for (int i = 0; i < N_VERDICTS; i++)
        put("", verdict_rule((enum verdict_kind)i), "verdict_rules");
}

/* What options and commands do, and what commands of msprof do. */
static void put_cli(void)
{
    const struct msprof_help *h;
    unsigned ignored;

    for (size_t i = 0; i < N_OPTS; i++)
        put("", option_defs[i].hidden ? NULL : option_defs[i].help, "option_defs");
    for (size_t i = 0; i < n_commands; i++) {
        put("", commands[i].summary, "commands");
        put("", commands[i].help, "commands");
    }
    for (size_t i = 0; msprof_texts[i]; i++)
        put("", msprof_texts[i], "msprof_texts");
    for (size_t i = 0; (h = msprof_help(i, &ignored)); i++)
        put("", h->help, "msprof_help");
    for (size_t i = 0; said_parts[i]; i++)
        put("said", said_parts[i], "said_parts");
}

static void put_own(const struct own_word *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put("", v[i].help, "own_words");
}

/* What manual pages say besides. */
static void put_manual(void)
{
    const struct man_text *const lists[] = { man_formats, man_environment, man_statuses, man_problems,
                                             man_examples };

    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        for (const struct man_text *t = lists[i]; t->name; t++)
            put("", t->text, "man_texts");
    for (size_t i = 0; i < known_diffs_n; i++) {
        if (strstr(known_diffs[i].files, " of ")) /* others are names */
            put("", known_diffs[i].files, "known_diffs");
        if (strstr(known_diffs[i].versions, " to "))
            put("", known_diffs[i].versions, "known_diffs");
        put("", known_diffs[i].vendor, "known_diffs");
        put("", known_diffs[i].ours, "known_diffs");
        put("", known_diffs[i].brief, "known_diffs");
    }
    for (size_t i = 0; i < N_SETTINGS; i++)
        put("", setting_defs[i].help, "setting_defs");
    for (size_t i = 0; i < N_SETTING_KINDS; i++)
        put("", setting_kinds[i].help, "setting_kinds");
    for (size_t i = 0; i < n_filter_forms; i++)
        put("", filter_forms[i].meaning, "filter_forms");
    put_own(own_keys, own_n_keys);
    put_own(own_logs, own_n_logs);
    put_own(own_roles, own_n_roles);
}

/* Tables and views for SQL. */
static void put_schema(void)
{
    for (size_t t = 0; t < N_TABLES; t++) {
        put("", schema_tables[t].help, "schema_tables");
        for (size_t i = 0; i < schema_tables[t].n_cols; i++)
            put("", schema_tables[t].cols[i].help, "schema_tables");
    }
    for (size_t i = 0; i < schema_n_views; i++) {
        put("", schema_views[i].help, "schema_views");
        for (size_t k = 0; k < schema_views[i].n_cols; k++)
            put("", schema_views[i].cols[k].help, "schema_views");
    }
    for (size_t i = 0; i < n_schema_extras; i++)
        put("", schema_extras[i].meaning, "schema_extras");
    for (size_t i = 0; i < schema_n_examples; i++)
        put("", schema_examples[i].question, "schema_examples");
}

/* What a value of a field means; names (of one word, or in capitals) are in no language. */
static void put_words(const struct layout_word *w)
{
    for (; w && w->word; w++)
        put("", w->word[0] >= 'a' && strchr(w->word, ' ') ? w->word : NULL, "layouts");
}

/* Records of raw files. */
static void put_layouts(const struct layout *l)
{
    for (; l && l->id; l++) {
        put("", l->title, "layouts");
        for (size_t i = 0; i < l->n_fields; i++) {
            put("", l->fields[i].meaning, "layouts");
            put_words(l->fields[i].words);
        }
        for (size_t i = 0; i < l->n_texts; i++)
            put("", l->texts[i].meaning, "layouts");
    }
}

/* What files hold. */
static void put_kinds(void)
{
    const struct file_kind *k;

    for (int i = 0; i < N_GENS; i++)
        put("", gen_title((enum gen)i), "gens");
    for (size_t i = 0; (k = import_kind(i)); i++)
        put("", k->content, "file_kinds");
    for (size_t i = 0; (k = import_kind(i)); i++)
        put_layouts(k->layouts);
}

int main(void)
{
    put_kinds();
    put_manual();
    put_schema();
    put_cli();
    put_rules();
    put_switches();
    put_empty();
    put_findings();
    put_causes();
    put_panes();
    put_views();
    put_keys();
    for (size_t i = 0; command_help_of(i); i++)
        put("", command_help_of(i), "commands");
    return 0;
}
