/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that only documents show; the completion for bash. */
#include "config.h"

#include "cli/generate.h"

#include <string.h>

#include "base/words.h"
#include "model/view/view.h"

const struct filter_form filter_forms[] = {
    { "text",
      "rows whose main column contains the text, whatever the case; dots and stars are just "
      "characters",
      "conv2d", "ops.op" },
    { "a|b", "one of several texts", "conv|matmul", "ops.op" },
    { "^text, text$", "a regular expression on the main column", "^BN|Relu", "ops.type" },
    { "column~pattern",
      "a regular expression (PCRE2, whatever the case; (?-i) changes that) finds something "
      "in the column",
      "op_name~layer[34]/.*conv", "ops.op" },
    { "column!~pattern", "it finds nothing", "type!~^BN", "ops.type" },
    { "column=value", "the same value", "core=AICPU", "ops.type" },
    { "column!=value", "another value", "core!=HCCL", "ops.type" },
    { "column>number", "also >=, < and <=; numbers may have a unit", "total_ns>100us", "ops.type" },
    { "column in a,b,c", "one of a list", "core in AIC,AIV", "ops.type" },
    { "column between a..b", "in a range, ends included", "step between 60..80", "steps.fpbp" },
    { "column in a..b", "the same", "step in 60..80", "steps.fpbp" },
    { "/pattern/", "a regular expression on the whole row, cells parted by tabs", "/Conv2D.*5\\/conv/",
      "ops.op" },
    { "!test", "the rows that do not fit", "!type=Cast", "ops.type" },
};
const size_t n_filter_forms = ARRAY_LEN(filter_forms);

const struct schema_extra schema_extras[] = {
    { "event", "", "", "", "bars and points of the timeline" },
    { "event", "track_id", "INTEGER", "", "track" },
    { "event", "ts_ns", "INTEGER", "ns", "start, relative to the rank's origin" },
    { "event", "dur_ns", "INTEGER", "ns", "duration, 0 for a point" },
    { "event", "depth", "INTEGER", "", "lane of the track" },
    { "event", "name_id", "INTEGER", "", "name" },
    { "event", "source_off", "INTEGER", "bytes", "place of its details in the source" },
    { "flow", "", "", "", "arrows of the timeline" },
    { "flow", "track_id", "INTEGER", "", "pseudo track that holds the arrows of one kind" },
    { "flow", "from_ns", "INTEGER", "ns", "when it starts" },
    { "flow", "kind_id", "INTEGER", "", "category as the trace names it" },
    { "flow", "from_track", "INTEGER", "", "track it starts on" },
    { "flow", "to_track", "INTEGER", "", "track it ends on" },
    { "flow", "to_ns", "INTEGER", "ns", "when it ends" },
    { "flow", "flow_id", "INTEGER", "", "number that its ends share" },
    { "counter_sample", "", "", "", "values of the timeline's counters" },
    { "counter_sample", "track_id", "INTEGER", "", "track of the counter" },
    { "counter_sample", "ts_ns", "INTEGER", "ns", "when" },
    { "counter_sample", "value", "REAL", "", "value" },
    { "string", "", "", "", "every distinct text once" },
    { "string", "id", "INTEGER PRIMARY KEY", "", "number" },
    { "string", "text", "", "", "the text; a BLOB when it is no UTF-8" },
};
const size_t n_schema_extras = ARRAY_LEN(schema_extras);

/* ---- bash ---- */

static void add_options(struct out *o, unsigned groups)
{
    for (size_t i = 0; i < N_OPTS; i++) {
        const struct option_def *d = &option_defs[i];
        if (d->groups & groups && !d->hidden)
            out_printf(o, " --%s%s", d->name, d->arg ? "=" : "");
    }
}

static void add_choices(struct out *o, const struct option_def *d)
{
    struct str w;

    out_printf(o, "    --%s) words='", d->name);
    for (size_t i = 0; (w = word_at(d->choices, '|', i)).p; i++)
        out_printf(o, "%s%.*s", i ? " " : "", (int)w.n, w.p);
    out_puts(o, "' ;;\n");
}

static void add_by(struct out *o, const struct command *cmd)
{
    size_t n = strlen(cmd->prefix);

    out_printf(o, "        %s%s%s) words='", cmd->name, cmd->alias ? "|" : "", cmd->alias ? cmd->alias : "");
    for (size_t i = 0; i < view_n_defs; i++)
        if (command_has_view(cmd, view_defs[i]))
            out_printf(o, " %s", view_defs[i]->id + n + 1);
    out_puts(o, "' ;;\n");
}

static void add_values(struct out *o)
{
    out_puts(o, "    # The value of an option: words that are known, else files.\n"
                "    case $opt in\n");
    for (size_t i = 0; i < N_OPTS; i++)
        if (option_defs[i].kind == OK_CHOICE)
            add_choices(o, &option_defs[i]);
    out_puts(o, "    --by)\n        case $cmd in\n");
    for (size_t i = 0; i < n_commands; i++)
        if (commands[i].prefix)
            add_by(o, &commands[i]);
    out_puts(o, "        esac ;;\n"
                "    --rank) words=all ;;\n"
                "    --pane) words='");
    for (enum pane_id p = 0; p < N_PANES; p++)
        out_printf(o, "%s%s", p ? " " : "", pane_word(p));
    out_puts(o, "' ;;\n    esac\n");
}

void generate_completion(struct out *o)
{
    out_puts(o, "# Completion of npuscope for bash. Made by npuscope from its tables; change those.\n"
                "_npuscope()\n{\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                "    local cmd='' opt='' words='' options='' w\n"
                "    COMPREPLY=()\n"
                "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                "        case $w in\n        ");
    for (size_t i = 1; i < n_commands; i++)
        out_printf(o, "%s%s%s%s", i > 1 ? "|" : "", commands[i].name, commands[i].alias ? "|" : "",
                   commands[i].alias ? commands[i].alias : "");
    out_puts(o, ") cmd=$w; break ;;\n        esac\n    done\n"
                "    if [[ $cur == = ]]; then\n"
                "        opt=$prev cur=''\n"
                "    elif [[ $prev == = && $COMP_CWORD -ge 2 ]]; then\n"
                "        opt=${COMP_WORDS[COMP_CWORD - 2]}\n"
                "    elif [[ $prev == --* && $cur != -* ]]; then\n"
                "        opt=$prev\n"
                "    fi\n");
    add_values(o);
    out_puts(o, "    if [[ -n $words ]]; then\n"
                "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
                "        return\n"
                "    fi\n"
                "    case $cmd in\n");
    for (size_t i = 0; i < n_commands; i++) {
        out_printf(o, "    %s%s%s) options='", i ? commands[i].name : "''", commands[i].alias ? "|" : "",
                   commands[i].alias ? commands[i].alias : "");
        add_options(o, commands[i].groups | OG_ALL);
        out_puts(o, "' ;;\n");
    }
    out_puts(o, "    esac\n"
                "    if [[ $cur == -* ]]; then\n"
                "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
                "        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
                "        return\n"
                "    fi\n"
                "    compopt -o filenames\n"
                "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                "    if [[ -z $cmd && $COMP_CWORD -eq 1 ]]; then\n"
                "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W '");
    for (size_t i = 1; i < n_commands; i++)
        out_printf(o, "%s%s", i > 1 ? " " : "", commands[i].name);
    out_puts(o, "' -- \"$cur\")\n    fi\n}\ncomplete -F _npuscope npuscope\n");
}
