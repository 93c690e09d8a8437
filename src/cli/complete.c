/* SPDX-License-Identifier: Apache-2.0 */
/* Completion for shells. */
#include "config.h"

#include "cli/complete.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang/tr.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "model/settings.h"
#include "model/view/view.h"
#include "store/schema.h"
#include "store/store.h"

struct completing {
    struct out *o;
    const struct command *cmd; /* commands[0]: none was named yet */
    char *const *words;
    size_t n, first; /* first: index of the first word after the command */
    struct str head; /* of the last word, which stays: "--by=", "a,b,", "-" */
    struct str part; /* the rest of it, which is completed */
    bool files;
};

/* A word for the place of the cursor, if it begins as what stands there. */
static void offer(const struct completing *c, struct str word, const char *help)
{
    if (str_starts(word, c->part))
        out_printf(c->o, "%.*s%.*s\t%s\n", (int)c->head.n, c->head.p, (int)word.n, word.p,
                   help ? tr(help) : "");
}

static void offer_all(const struct completing *c, const char *list)
{
    struct str w;

    for (size_t i = 0; (w = word_at(list, '|', i)).p; i++)
        offer(c, w, NULL);
}

/* What stands before the last of these characters stays as it is. */
static void take_head(struct completing *c, char sep)
{
    size_t at = str_rchr(c->part, sep);

    if (at == SIZE_MAX)
        return;
    c->head.n += at + 1;
    c->part = str_sub(c->part, at + 1, SIZE_MAX);
}

/* ---- values of options ---- */

static void offer_commands(const struct completing *c)
{
    for (size_t i = 1; i < n_commands; i++)
        offer(c, str_of(commands[i].name), commands[i].summary);
}

static void offer_by(const struct completing *c)
{
    for (size_t i = 0; i < view_n_defs && c->cmd->prefix; i++)
        if (command_has_view(c->cmd, view_defs[i]))
            offer(c, str_of(view_defs[i]->id + strlen(c->cmd->prefix) + 1), view_defs[i]->title);
}

/* The word of --by on the command line, or the first that the command tries. */
static struct str chosen_by(const struct completing *c)
{
    struct str by = STR_NULL;

    for (size_t i = 0; i + 1 < c->n; i++) {
        struct str w = str_of(c->words[i]);
        if (str_starts(w, STR("--by=")))
            by = str_sub(w, 5, SIZE_MAX);
        else if (str_eq(w, STR("--by")) && i + 2 < c->n)
            by = str_of(c->words[i + 1]);
    }
    return by.p || !c->cmd->views ? by : word_at(c->cmd->views, '|', 0);
}

static void offer_columns(const struct completing *c)
{
    struct str by = chosen_by(c);

    for (size_t i = 0; i < view_n_defs && c->cmd->prefix; i++) {
        const struct view_def *d = view_defs[i];
        if (!command_has_view(c->cmd, d) || !str_eq(str_of(d->id + strlen(c->cmd->prefix) + 1), by))
            continue;
        for (size_t k = 0; k < d->n_cols; k++)
            offer(c, str_of(d->cols[k].id), d->cols[k].help);
    }
}

static void offer_panes(const struct completing *c)
{
    for (enum pane_id p = 0; p < N_PANES; p++)
        offer(c, str_of(pane_word(p)), NULL);
}

/* The argument's name in help says that it is a path. */
static bool is_path(const char *arg)
{
    return strstr(arg, "FILE") || strstr(arg, "DIR") || strstr(arg, "PATH") || strstr(arg, "FOLDER");
}

static void offer_values(struct completing *c, const struct option_def *d)
{
    switch (d->id) {
    case OPT_BY:
        offer_by(c);
        return;
    case OPT_COLUMNS:
    case OPT_SORT:
        take_head(c, ',');
        if (d->id == OPT_SORT && c->part.n && strchr("+-", c->part.p[0])) {
            c->head.n++;
            c->part = str_sub(c->part, 1, SIZE_MAX);
        }
        offer_columns(c);
        return;
    case OPT_FILTER:
        offer_columns(c);
        return;
    case OPT_PANE:
        offer_panes(c);
        return;
    case OPT_RANK:
        offer(c, STR("all"), "every rank");
        return;
    default:
        if (d->choices)
            offer_all(c, d->choices);
        else
            c->files = is_path(d->arg);
    }
}

static const struct option_def *option_named(const struct completing *c, struct str name)
{
    for (size_t i = 0; i < N_OPTS; i++)
        if (option_defs[i].arg && str_eq(str_of(option_defs[i].name), name) &&
            option_defs[i].groups & (c->cmd->groups | OG_ALL))
            return &option_defs[i];
    return NULL;
}

static const struct option_def *option_lettered(const struct completing *c, char letter)
{
    for (size_t i = 0; i < N_OPTS; i++)
        if (option_defs[i].arg && option_defs[i].letter == letter &&
            option_defs[i].groups & (c->cmd->groups | OG_ALL))
            return &option_defs[i];
    return NULL;
}

/* The option whose value the word after `w` is; NULL: none. */
static const struct option_def *takes_next(const struct completing *c, struct str w)
{
    if (str_starts(w, STR("--")))
        return str_chr(w, '=') == SIZE_MAX ? option_named(c, str_sub(w, 2, SIZE_MAX)) : NULL;
    return w.n == 2 && w.p[0] == '-' ? option_lettered(c, w.p[1]) : NULL;
}

static void offer_options(const struct completing *c)
{
    char text[80];

    for (size_t i = 0; i < N_OPTS; i++) {
        const struct option_def *d = &option_defs[i];
        if (d->hidden || !(d->groups & (c->cmd->groups | OG_ALL)))
            continue;
        snprintf(text, sizeof text, "--%s%s", d->name, d->arg ? "=" : "");
        offer(c, str_of(text), d->help);
    }
}

/* ---- arguments of commands ---- */

#define STORES 8 /* that are tried: that of a job's overview has no ops, those of its ranks have */

struct in_folder {
    char folder[PATH_MAX];
    char path[STORES][PATH_MAX];
    size_t n;
};

static void take_store(void *arg, const struct store_entry *x)
{
    struct in_folder *f = arg;
    size_t n = strlen(f->folder);

    if (f->n < STORES && !x->code && strncmp(x->root, f->folder, n) == 0 &&
        (x->root[n] == '\0' || x->root[n] == '/'))
        str_copy(str_of(x->path), f->path[f->n++], sizeof f->path[0]);
}

/* false: the store has none, or cannot be read. */
static bool offer_types_of(const struct completing *c, const char *path)
{
    static const char sql[] =
        "SELECT DISTINCT s.text FROM op o JOIN string s ON s.id = o.type_id ORDER BY 1 LIMIT 500";
    struct err ignored = ERR_INIT;
    struct store *s = NULL;
    struct query *q = NULL;
    bool any = false;

    if (store_open(&s, path, false, &ignored) == OK && store_query(s, &q, sql, &ignored) == OK) {
        for (; query_step(q, &ignored) == 1; any = true) {
            struct val type = query_val(q, 0);
            if (type.t == VAL_TEXT && str_chr(type.s, '\n') == SIZE_MAX)
                offer(c, type.s, "op type");
        }
    }
    query_free(q);
    store_close(s);
    return any;
}

/* Op types of a run in the current folder, if it was read before. */
static void offer_op_types(struct completing *c)
{
    struct in_folder *f = calloc(1, sizeof *f);
    struct err ignored = ERR_INIT;

    take_head(c, ',');
    if (f && getcwd(f->folder, sizeof f->folder) && store_cache_list(take_store, f, &ignored) == OK)
        for (size_t i = 0; i < f->n && !offer_types_of(c, f->path[i]);)
            i++;
    free(f);
}

static void offer_settings(struct completing *c)
{
    for (int i = 0; i < N_SETTINGS; i++) {
        char text[80];
        struct str w;
        snprintf(text, sizeof text, "%s=", setting_defs[i].name);
        if (!str_starts(c->part, str_of(text))) {
            offer(c, str_of(text), setting_defs[i].help);
            continue;
        }
        for (size_t k = 0; setting_defs[i].values && (w = word_at(setting_defs[i].values, '|', k)).p; k++) {
            char value[160];
            snprintf(value, sizeof value, "%s%.*s", text, (int)w.n, w.p);
            offer(c, str_of(value), NULL);
        }
    }
    for (int i = 0; i < N_SETTING_KINDS; i++)
        offer(c, str_of(setting_kinds[i].word), setting_kinds[i].help);
}

static void offer_topics(struct completing *c)
{
    offer_commands(c);
    offer(c, STR("columns"), "columns of every table");
    offer(c, STR("msprof"), "the commands of msprof");
}

static void offer_tables(struct completing *c)
{
    for (size_t i = 0; i < N_TABLES; i++)
        offer(c, str_of(schema_tables[i].name), NULL);
    for (size_t i = 0; i < schema_n_views; i++)
        offer(c, str_of(schema_views[i].name), NULL);
}

/* What the first argument of a command may be; files: also, or for the arguments after it. */
static const struct {
    enum command_run run;
    const char *words;
    void (*offer)(struct completing *c);
    bool first_is_file;
} arguments[] = {
    { RUN_CACHE, "list|remove", NULL, false }, { RUN_CONFIG, NULL, offer_settings, false },
    { RUN_DOCTOR, NULL, NULL, false },         { RUN_EXPORT, "summary|timeline|text|db", NULL, true },
    { RUN_HELP, NULL, offer_topics, false },   { RUN_OP, NULL, offer_op_types, false },
    { RUN_QUERY, NULL, NULL, false },          { RUN_SCHEMA, NULL, offer_tables, false },
};

/* Arguments before the last word. */
static size_t arguments_before(const struct completing *c)
{
    size_t n = 0;

    for (size_t i = c->first; i + 1 < c->n; i++) {
        struct str w = str_of(c->words[i]);
        if (takes_next(c, w))
            i++;
        else
            n += !w.n || w.p[0] != '-';
    }
    return n;
}

static void offer_arguments(struct completing *c)
{
    size_t before = arguments_before(c);

    c->files = true;
    if (c->cmd == commands && !before)
        offer_commands(c);
    for (size_t i = 0; i < ARRAY_LEN(arguments); i++) {
        if (c->cmd == commands || arguments[i].run != c->cmd->run || before)
            continue;
        c->files = arguments[i].first_is_file;
        if (arguments[i].words)
            offer_all(c, arguments[i].words);
        if (arguments[i].offer)
            arguments[i].offer(c);
    }
}

/* ---- the whole ---- */

static void find_command(struct completing *c)
{
    c->cmd = commands;
    for (size_t i = 0; i + 1 < c->n && c->cmd == commands; i++) {
        const struct command *x = command_find(str_of(c->words[i]));
        if (takes_next(c, str_of(c->words[i])))
            i++;
        else if (x) {
            c->cmd = x;
            c->first = i + 1;
        }
    }
}

void complete_words(struct out *o, char *const *words, size_t n)
{
    struct completing c = { .o = o, .words = words, .n = n };
    const struct option_def *d;

    if (!n)
        return;
    c.part = str_of(words[n - 1]);
    c.head = (struct str){ c.part.p, 0 };
    find_command(&c);
    size_t eq = str_starts(c.part, STR("--")) ? str_chr(c.part, '=') : SIZE_MAX;
    if (eq != SIZE_MAX) {
        d = option_named(&c, str_sub(c.part, 2, eq - 2));
        c.head.n = eq + 1;
        c.part = str_sub(c.part, eq + 1, SIZE_MAX);
        if (d)
            offer_values(&c, d);
    } else if (n > 1 && (d = takes_next(&c, str_of(words[n - 2]))) != NULL) {
        offer_values(&c, d);
    } else if (c.part.n && c.part.p[0] == '-') {
        offer_options(&c);
    } else {
        offer_arguments(&c);
    }
    out_puts(o, c.files ? ":files\n" : ":\n");
}

/* ---- scripts ---- */

static const struct {
    const char *shell, *text;
} scripts[] = {
    /* bash parts words at '=', and puts back what stands before it */
    { "bash", "# Completion of npuscope for bash: it asks the program.\n"
              "_npuscope()\n"
              "{\n"
              "    local words=() i w join='' line head='' cur\n"
              "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
              "        w=${COMP_WORDS[i]}\n"
              "        if [[ $w == = && ${#words[@]} -gt 0 && ${words[-1]} == [a-z-]* ]]; then\n"
              "            words[-1]+==\n"
              "            join=1\n"
              "        elif [[ $join ]]; then\n"
              "            words[-1]+=$w\n"
              "            join=\n"
              "        else\n"
              "            words+=(\"$w\")\n"
              "        fi\n"
              "    done\n"
              "    cur=${words[-1]}\n"
              "    [[ $cur == *=* ]] && head=${cur%%=*}=\n"
              "    COMPREPLY=()\n"
              "    while IFS= read -r line; do\n"
              "        case $line in\n"
              "        :) ;;\n"
              "        :files)\n"
              "            compopt -o filenames\n"
              "            while IFS= read -r w; do COMPREPLY+=(\"$w\"); done < <(compgen -f -- "
              "\"${cur#\"$head\"}\")\n"
              "            ;;\n"
              "        *)\n"
              "            w=${line%%$'\\t'*}\n"
              "            [[ $w == *= ]] && compopt -o nospace\n"
              "            COMPREPLY+=(\"${w#\"$head\"}\")\n"
              "            ;;\n"
              "        esac\n"
              "    done < <(\"${COMP_WORDS[0]}\" " COMPLETE_WORD " \"${words[@]}\" 2>/dev/null)\n"
              "}\n"
              "complete -F _npuscope npuscope\n" },
    { "zsh", "#compdef npuscope\n"
             "# Completion of npuscope for zsh: it asks the program.\n"
             "local line word help files=''\n"
             "local -a plain open\n"
             "while IFS= read -r line; do\n"
             "    case $line in\n"
             "    :) ;;\n"
             "    :files) files=1 ;;\n"
             "    *)\n"
             "        word=${line%%$'\\t'*}\n"
             "        help=${line#*$'\\t'}\n"
             "        word=${word//:/\\\\:}\n"
             "        if [[ $word == *= ]]; then open+=(\"$word:$help\"); else plain+=(\"$word:$help\"); fi\n"
             "        ;;\n"
             "    esac\n"
             "done < <(\"${words[1]}\" " COMPLETE_WORD " \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
             "(( ${#plain} )) && _describe -t values npuscope plain\n"
             "(( ${#open} )) && _describe -t values npuscope open -S ''\n"
             "if [[ $files ]]; then\n"
             "    compset -P '--*='\n"
             "    _files\n"
             "fi\n" },
    { "fish", "# Completion of npuscope for fish: it asks the program.\n"
              "function __npuscope_complete\n"
              "    set -l words (commandline -opc) (commandline -ct)\n"
              "    for line in ($words[1] " COMPLETE_WORD " $words[2..-1] 2>/dev/null)\n"
              "        switch $line\n"
              "            case ':'\n"
              "            case ':files'\n"
              "                set -l part (string replace -r '^--[a-z0-9-]*=' '' -- $words[-1])\n"
              "                set -l head (string match -r '^--[a-z0-9-]*=' -- $words[-1])\n"
              "                for file in (__fish_complete_path $part)\n"
              "                    echo \"$head$file\"\n"
              "                end\n"
              "            case '*'\n"
              "                echo $line\n"
              "        end\n"
              "    end\n"
              "end\n"
              "complete -c npuscope -f -a '(__npuscope_complete)'\n" },
};

int complete_script(struct out *o, const char *shell, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
        if (strcmp(scripts[i].shell, shell))
            continue;
        out_puts(o, scripts[i].text);
        return OK;
    }
    return err_set(e, ERR_USAGE, "no completion for '%s': bash, zsh and fish have one", shell);
}
