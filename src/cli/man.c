/* SPDX-License-Identifier: Apache-2.0 */
/* The manual pages in mdoc(7). Text of the tables is escaped, one sentence begins a line. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli/cmd/cmd.h"
#include "cli/generate.h"
#include "cli/msprof/msprof_args.h"
#include "cli/msprof/msprof_help.h"
#include "configure/switches.h"
#include "import/import.h"
#include "model/view/view.h"
#include "parsers/logs/signatures_own.h"
#include "run/known_diff.h"
#include "run/layout.h"
#include "store/schema.h"

#define LINE   76
#define DATE   "November 21, 2026"
#define ASPATH "\\(ti/.cache/npuscope"

/* ---- text ---- */

/* The escape of a character in the source of the page, NULL: it stands for itself. */
static const char *escape_of(char c)
{
    switch (c) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '~':
        return "\\(ti";
    case '^':
        return "\\(ha";
    case '`':
        return "\\(ga";
    case '\'':
        return "\\(aq";
    case '"':
        return "\\(dq";
    default:
        return NULL;
    }
}

static void add_char(struct buf *b, char c)
{
    const char *e = escape_of(c);

    if (e)
        buf_puts(b, e);
    else
        buf_addc(b, c);
}

/* Bytes of a word in the source. */
static size_t escaped(const char *word, size_t n)
{
    size_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        const char *e = escape_of(word[i]);
        sum += e ? strlen(e) : 1;
    }
    return sum;
}

static void add_words(struct buf *b, const char *text)
{
    size_t at = 0; /* bytes of the line so far */

    while (*text) {
        size_t n = strcspn(text, " "), size = escaped(text, n);
        bool end = n > 1 && strchr(".?!", text[n - 1]) && text[n] == ' ' && text[n + 1] != '.';
        if (at && at + size + 1 > LINE) {
            buf_addc(b, '\n');
            at = 0;
        }
        if (at)
            buf_addc(b, ' ');
        else if (*text == '.' || *text == '\'')
            buf_puts(b, "\\&");
        for (size_t i = 0; i < n; i++)
            add_char(b, text[i]);
        at += size + 1;
        if (end) {
            buf_addc(b, '\n');
            at = 0;
        }
        text += n;
        text += strspn(text, " ");
    }
    if (at)
        buf_addc(b, '\n');
}

/* Running text, one sentence a line. */
static void add_text(struct out *o, const char *text)
{
    struct buf b;

    buf_init(&b, 1 << 20);
    add_words(&b, text);
    out_add(o, buf_str(&b));
    buf_done(&b);
}

/* An argument of a macro, safe from being taken for a delimiter. */
static void add_arg(struct out *o, const char *text)
{
    struct buf b;

    buf_init(&b, 1 << 20);
    for (const char *p = text; *p; p++)
        add_char(&b, *p);
    out_printf(o, " \"\\&%s\"", buf_str(&b).p);
    buf_done(&b);
}

static void head(struct out *o, const char *name, int section, const char *about)
{
    out_puts(o, ".\\\" Made by npuscope from its tables; change those.\n.Dd " DATE "\n.Dt ");
    for (const char *p = name; *p; p++)
        out_printf(o, "%c", *p >= 'a' && *p <= 'z' ? *p - 32 : *p);
    out_printf(o, " %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n", section, name, about);
}

static void item(struct out *o, const char *tag, const char *text)
{
    out_puts(o, ".It Sy");
    add_arg(o, tag);
    out_puts(o, "\n");
    add_text(o, text);
}

/* ---- npuscope(1) ---- */

static void option_item(struct out *o, const struct option_def *d)
{
    out_puts(o, ".It ");
    if (d->letter)
        out_printf(o, "Fl %c , ", d->letter);
    out_printf(o, "Fl \\-%s", d->name);
    if (d->arg) {
        out_puts(o, " Ns = Ns Ar");
        add_arg(o, d->arg);
    }
    out_puts(o, "\n");
    add_text(o, d->help);
}

static void option_list(struct out *o, const char *title, unsigned groups, unsigned without)
{
    out_printf(o, ".Ss %s\n.Bl -tag -width Ds\n", title);
    for (size_t i = 0; i < N_OPTS; i++)
        if (option_defs[i].groups & groups && !(option_defs[i].groups & without) && !option_defs[i].hidden)
            option_item(o, &option_defs[i]);
    out_puts(o, ".El\n");
}

/* "Tables for --by: type, op, scope." */
static void add_tables(struct out *o, const struct command *c)
{
    struct buf b;

    buf_init(&b, 65536);
    for (size_t i = 0; i < view_n_defs; i++)
        if (command_has_view(c, view_defs[i]))
            buf_printf(&b, "%s%s",
                       b.n ? ", " : "Tables for --by: ", view_defs[i]->id + strlen(c->prefix) + 1);
    if (b.n) {
        buf_addc(&b, '.');
        add_text(o, buf_str(&b).p);
    }
    buf_done(&b);
}

static void command_list(struct out *o)
{
    out_puts(o, ".Sh COMMANDS\n.Bl -tag -width Ds\n");
    for (size_t i = 1; i < n_commands; i++) {
        out_printf(o, ".It Cm %s", commands[i].name);
        if (commands[i].args[0]) {
            out_puts(o, " Ar");
            add_arg(o, commands[i].args);
        }
        out_puts(o, "\n");
        char text[300];
        snprintf(text, sizeof text, "%c%s.%s%s%s", commands[i].summary[0] & ~0x20, commands[i].summary + 1,
                 commands[i].alias ? " Also called " : "", commands[i].alias ? commands[i].alias : "",
                 commands[i].alias ? "." : "");
        add_text(o, text);
        if (commands[i].help)
            add_text(o, commands[i].help);
        add_tables(o, &commands[i]);
    }
    out_puts(o, ".El\n");
}

static void key_list(struct out *o, const struct cli_hooks *hooks)
{
    struct cli_key k;
    const char *group = NULL;

    if (!hooks->key)
        return;
    out_puts(o, ".Sh KEYS\n");
    add_text(o, "Keys of the screen, in the order of the help that '?' shows. Several keys of one "
                "line do the same.");
    for (size_t i = 0; hooks->key(i, &k); i++) {
        if (!group || strcmp(group, k.group) != 0) {
            if (group)
                out_puts(o, ".El\n");
            group = k.group;
            out_printf(o, ".Ss %s\n.Bl -tag -width Ds -compact\n", group);
        }
        item(o, k.keys, k.help);
    }
    if (group)
        out_puts(o, ".El\n");
}

static const struct {
    const char *name, *text;
} formats[] = {
    { "text", "aligned columns, values with units as on the screen, times from the run's first event; "
        "control and invisible characters are shown, never sent." },
    { "csv", "a line of column ids, then a line for each row; commas, double quotes where a field needs "
        "them, lines end in LF. An unknown value is an empty field, an empty text "
             "\"\". The bytes are those of the profile; a cell that begins with = is left as it is, so take "
             "care with programs that calculate cells. On a terminal texts are made safe." },
    { "json", "an array of objects with the column ids as keys; null where a value is unknown. Control and "
        "invisible characters are escaped, each byte that is no UTF-8 becomes U+FFFD. "
              "A second column of the same name ends in _2. A report is one object with an array for each "
              "table." },
    { "ndjson", "one such object a line. In a report each has a member table." },
    { "markdown", "a table with the ids of the columns and plain numbers, as in csv; in a report titles and "
        "values as in text." },
}, environment[] = {
    { "NPUSCOPE_CONFIG", "file of settings, instead of ~/.config/npuscope/config; see npuscope-config(5)" },
    { "NPUSCOPE_OPTIONS", "options that go before those of the command line; parted at blanks, with quotes "
        "and backslashes as in a shell. Those that a command does not have are left out." },
    { "NPUSCOPE_SIGNATURES", "file of your own signatures of logs, instead of "
        "~/.config/npuscope/signatures; see npuscope-config(5)" },
    { "NPUSCOPE_PREFER", "text, db or raw, as --prefer." },
    { "NPUSCOPE_MEMORY", "MiB of memory for what is kept of raw data of PROF folders while it is read, 240 "
        "unless given; what is beyond lies in files without a name." },
    { "NPUSCOPE_UTF8", "1: the terminal shows UTF-8 although LANG does not say so." },
    { "NPUSCOPE_AMBIGUOUS", "2: characters of ambiguous width take two cells." },
    { "NPUSCOPE_MOUSE", "1 or 0: mouse on or off." },
    { "NO_COLOR", "not empty: no colours." },
    { "PAGER", "program that shows text that does not fit on the terminal; started without a shell." },
    { "TMPDIR", "place of temporary files: copies of databases, else /tmp; what is kept of raw data, else "
        "the cache or /var/tmp." },
    { "XDG_CACHE_HOME", "place of the cache, else .cache in the home folder." },
    { "XDG_CONFIG_HOME", "place of the configuration, else .config in the home folder." },
}, statuses[] = {
    { "0", "done." },
    { "1", "could not be done; standard error says why, and what to do. Also when the run holds no data for "
        "the table, or the reader of the output went away." },
    { "2", "wrong usage." },
    { "4", "a result was printed, but an input it rests on is damaged, cut or above a limit; standard error "
           "names it." },
    { "130", "interrupted. What was read is kept until the next start reads the rest." },
}, problems[] = {
    /* tests/cli/man.sh runs each. */
    { "npuscope runs/resnet50",
      "What happened in this run? The screen: 1 to 9, 0 and L change panes, ? helps." },
    { "npuscope triage runs/resnet50",
      "Why did it die? The class of the fault, the rank with which it began, what each rank did last." },
    { "npuscope report --rank=all runs/resnet50",
      "Is it good, and which rank is slow? A page with verdict and findings." },
    { "npuscope steps -k -total_ns -n 5 runs/resnet50",
      "Which steps are slow, and by what: computing, communication, input?" },
    { "npuscope ops -b type -n 10 runs/resnet50", "Which ops cost most?" },
    { "npuscope op Conv2D runs/resnet50", "What is it with this op: shapes, executions, share of the time?" },
    { "npuscope timeline --from=10ms --to=12ms --rank=all runs/resnet50",
      "What lies between two kernels, and who waits for whom?" },
    { "npuscope comm -b rank runs/resnet50", "Who waits in communication, and for how long?" },
    { "npuscope memory -b peak runs/resnet50", "What is the peak of the memory?" },
    { "npuscope bundle --list runs/resnet50",
      "What does somebody need who is to help? Without --list it is packed into one file." },
}, examples[] = {
    { "npuscope report -o report.md -F markdown resnet50", "a summary to keep" },
    { "npuscope ops --by=op -f 'type=Conv2D' -f 'avg>100us' -n 20 resnet50", "the slowest convolutions" },
    { "npuscope steps -r all -F csv resnet50 > steps.csv", "steps of every rank" },
    { "npuscope timeline --from=1.2s --to=1.3s --chrome -o cut.json resnet50",
        "a cut of the timeline for another viewer" },
    { "npuscope query 'SELECT type, sum(dur_ns) FROM ops GROUP BY 1 ORDER BY 2 DESC' resnet50", "SQL" },
    { "npuscope import -j 8 /data/runs", "read many runs ahead" },
    { "eval \"$(npuscope configure --for='why is step 20 slow')\"", "make the next run say why" },
    { "npuscope configure --set start_step=500 --set step_num=3 cfg/profiler_config.json",
        "profile three steps of a job that runs" },
};

static void problem_list(struct out *o)
{
    out_puts(o, ".Sh TEN PROBLEMS\n.Bl -tag -width Ds\n");
    for (size_t i = 0; i < ARRAY_LEN(problems); i++)
        item(o, problems[i].name, problems[i].text);
    out_puts(o, ".El\n");
}

static void page_tables(struct out *o)
{
    out_puts(o, ".Sh OUTPUT\n");
    add_text(o, "Data goes to standard output and nothing else does. In csv and json every time is in "
                "ns and every size in bytes; the unit is the end of the column's id. Instants are Unix "
                "time where the run has it, else on the clock of the device. Percentages are 0 to 100. "
                "Totals cover every recorded step unless --steps says otherwise; means per step leave "
                "out the first recorded one unless --first-step is given.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        item(o, formats[i].name, formats[i].text);
    out_puts(o, ".El\n.Sh ENVIRONMENT\n.Bl -tag -width Ds\n");
    for (size_t i = 0; i < ARRAY_LEN(environment); i++) {
        out_printf(o, ".It Ev %s\n", environment[i].name);
        add_text(o, environment[i].text);
    }
    out_puts(o, ".El\n.Sh FILES\n.Bl -tag -width Ds\n.It Pa " ASPATH "/*.npus\n");
    add_text(o, "Stores of the runs that were opened, one a unit, made anew when an input changes. "
                "They may be removed at any time.");
    out_puts(o, ".It Pa " ASPATH "/unpacked\n");
    add_text(o, "Members of archives that were opened, a folder for each.");
    out_puts(o, ".El\n.Sh EXIT STATUS\n.Bl -tag -width Ds\n");
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
        item(o, statuses[i].name, statuses[i].text);
    out_puts(o, ".El\n.Sh EXAMPLES\n.Bl -tag -width Ds\n");
    for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
        char text[100];
        snprintf(text, sizeof text, "%c%s.", examples[i].text[0] & ~0x20, examples[i].text + 1);
        if (!strcmp(examples[i].text, "SQL"))
            snprintf(text, sizeof text, "Your own questions.");
        item(o, examples[i].name, text);
    }
    out_puts(o, ".El\n");
}

static void known_list(struct out *o)
{
    out_puts(o, ".Sh KNOWN DIFFERENCES\n");
    add_text(o, "The files that analyse writes equal those of MindSpore's own analysis, also where that "
                "computes something wrongly; of MindSpore 2.5 and later and of torch_npu only with --compat. "
                "The tables of npuscope have the right values. In the versions named:");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < known_diffs_n; i++) {
        const struct known_diff *k = &known_diffs[i];
        char name[200], text[600];
        snprintf(name, sizeof name, "%s (%s)", k->files, k->versions);
        snprintf(text, sizeof text, "%s. Here: %s.", k->vendor, k->ours ? k->ours : "no such figure");
        item(o, name, text);
    }
    out_puts(o, ".El\n");
}

static void msprof_list(struct out *o)
{
    const struct msprof_help *h;
    unsigned of;

    out_puts(o, ".Sh COMMANDS OF MSPROF\n");
    for (size_t i = 0; msprof_texts[i]; i++) {
        out_puts(o, i ? ".Pp\n" : "");
        add_text(o, msprof_texts[i]);
    }
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; (h = msprof_help(i, &of)); i++) {
        char tag[80], text[600], forms[80];
        snprintf(tag, sizeof tag, "-%s%s%s", h->name, h->value ? " " : "", h->value ? h->value : "");
        snprintf(text, sizeof text, "%s (%s)", h->help, msprof_option_forms(of, forms, sizeof forms));
        item(o, tag, text);
    }
    out_puts(o, ".El\n");
}

static void switch_list(struct out *o)
{
    struct buf b;

    out_puts(o, ".Sh SWITCHES OF THE PROFILERS\n");
    add_text(o, "What configure writes and explains. Numbers are the versions of MindSpore that have a "
                "switch.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < N_SWITCHES; i++) {
        buf_init(&b, 65536);
        switch_text(&switch_defs[i], &b);
        if (!buf_failed(&b))
            item(o, switch_defs[i].name, b.p);
        buf_done(&b);
    }
    out_puts(o, ".El\n");
}

static void page_1(struct out *o, const struct cli_hooks *hooks)
{
    head(o, "npuscope", 1, "performance browser for Ascend NPU profiles");
    out_puts(o, ".Sh SYNOPSIS\n.Nm\n.Op Ar option ...\n.Op Ar PATH\n.Nm\n.Ar command\n.Op Ar "
                "option ...\n.Op Ar PATH\n");
    problem_list(o);
    out_puts(o, ".Sh DESCRIPTION\n.Nm\n");
    add_text(o, "reads what the profilers of MindSpore and of CANN wrote and shows it: state of the "
                "run, ops, steps, timeline, FLOPs, memory, data pipeline, communication, host. "
                "Without a command it browses on the screen; with one it prints.");
    out_puts(o, ".Pp\n");
    add_text(o, commands[0].help);
    add_text(o, "The profile is only read. What was read is kept in a cache, so that the next start "
                "takes no time. Damaged and cut files are read as far as they are whole, and named.");
    command_list(o);
    out_puts(o, ".Sh OPTIONS\n");
    add_text(o, "Long options may be shortened as far as they stay clear, their argument follows = "
                "or a blank. Short ones may stand together. -- ends options.");
    option_list(o, "All commands", OG_ALL, 0);
    option_list(o, "Commands that print tables", OG_RUN | OG_STORE | OG_VIEW | OG_OUT | OG_BY | OG_TIME, 0);
    option_list(o, "The screen", OG_SCREEN, 0);
    option_list(o, "import", OG_IMPORT, OG_RUN);
    option_list(o, "export", OG_EXPORT, OG_VIEW | OG_OUT);
    option_list(o, "analyse", OG_ANALYSE, OG_RUN | OG_OUT);
    option_list(o, "configure", OG_CONFIGURE, 0);
    option_list(o, "demo", OG_DEMO, 0);
    option_list(o, "cache", OG_CACHE, 0);
    key_list(o, hooks);
    switch_list(o);
    msprof_list(o);
    page_tables(o);
    known_list(o);
    out_puts(o, ".Sh SEE ALSO\n.Xr npuscope-config 5 ,\n.Xr npuscope-query 5 ,\n.Xr npuscope-records 5\n");
}

/* ---- npuscope-query(5) ---- */

static void view_item(struct out *o, const struct view_def *d)
{
    out_printf(o, ".Ss %s\n", d->id);
    out_puts(o, ".Bl -tag -width Ds -compact\n");
    for (size_t i = 0; i < d->n_cols; i++) {
        char text[400];
        cmd_column_help(d, &d->cols[i], text, sizeof text);
        item(o, d->cols[i].id, text);
    }
    out_puts(o, ".El\n");
}

static void filter_list(struct out *o)
{
    out_puts(o, ".Sh FILTER LANGUAGE\n");
    add_text(o, "A filter is a line of tests, parted by blanks; all must hold. The same language "
                "serves --filter and the filter line of the screen. Column names may be shortened; "
                "where no column is called so, name is "
                "the main one, time the first of times, size the first of sizes. "
                "Texts are compared without regard to case by patterns, exactly by =.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < n_filter_forms; i++) {
        const struct filter_form *f = &filter_forms[i];
        char text[400];
        snprintf(text, sizeof text, "%s. Example: %s", f->meaning, f->example);
        item(o, f->form, text);
    }
    out_puts(o, ".El\n");
}

static void schema_list(struct out *o)
{
    bool open = false;

    out_puts(o, ".Sh TABLES FOR SQL\n");
    add_text(o, "Times are INTEGER ns; instants count from rank.origin_ns, which added gives absolute "
                "time. Columns that end in _id point to table string unless they name another table. "
                "NULL is unknown, zero a measured zero. The REGEXP operator takes the same patterns "
                "as filters.");
    out_puts(o, ".Pp\n");
    add_text(o, "Of a job of several ranks a statement may ask the overview, which has the same "
                "tables under the name job: unit, rank_total, rank_step, rank_comm, rank_link, step "
                "and finding with the rows of every rank, the others empty. Example: SELECT rank, "
                "state FROM job.unit. The overview is kept in the cache and brought up to date first.");
    for (size_t t = 0; t < N_TABLES; t++) {
        out_printf(o, ".Ss Table %s\n", schema_tables[t].name);
        add_text(o, schema_tables[t].help);
        out_puts(o, ".Bl -tag -width Ds -compact\n");
        for (size_t i = 0; i < schema_tables[t].n_cols; i++)
            item(o, schema_tables[t].cols[i].name, schema_tables[t].cols[i].help);
        out_puts(o, ".El\n");
    }
    for (size_t i = 0; i < n_schema_extras; i++) {
        const struct schema_extra *x = &schema_extras[i];
        if (x->column[0]) {
            item(o, x->column, x->meaning);
            continue;
        }
        out_printf(o, "%s.Ss Table %s\n", open ? ".El\n" : "", x->table);
        add_text(o, x->meaning);
        out_puts(o, ".Bl -tag -width Ds -compact\n");
        open = true;
    }
    out_puts(o, open ? ".El\n" : "");
    out_puts(o, ".Sh VIEWS FOR SQL\n");
    add_text(o, "The same data with texts instead of numbers.");
    for (size_t i = 0; i < schema_n_views; i++) {
        out_printf(o, ".Ss View %s\n", schema_views[i].name);
        add_text(o, schema_views[i].help);
        out_puts(o, ".Bl -tag -width Ds -compact\n");
        for (size_t k = 0; k < schema_views[i].n_cols; k++)
            item(o, schema_views[i].cols[k].name, schema_views[i].cols[k].help);
        out_puts(o, ".El\n");
    }
}

static void example_list(struct out *o)
{
    out_puts(o, ".Sh WORKED STATEMENTS\n");
    add_text(o, "Each answers a question as it stands; npuscope schema examples prints them.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < schema_n_examples; i++)
        item(o, schema_examples[i].question, schema_examples[i].sql);
    out_puts(o, ".El\n");
}

static void page_query(struct out *o, const struct cli_hooks *hooks)
{
    (void)hooks;
    head(o, "npuscope-query", 5, "filters, columns and SQL tables of npuscope");
    out_puts(o, ".Sh DESCRIPTION\n");
    add_text(o, "How rows are chosen, which columns the tables of npuscope have, and what its SQL "
                "statements find.");
    filter_list(o);
    out_puts(o, ".Sh COLUMNS\n");
    add_text(o, "Ids for --columns, --sort and --filter, by table; the part after the dot is what "
                "--by takes. They do not change. --sort=COLUMN sorts ascending, and descending where that is "
                "said here; -COLUMN is always descending, +COLUMN always ascending.");
    for (size_t i = 0; i < view_n_defs; i++)
        view_item(o, view_defs[i]);
    schema_list(o);
    example_list(o);
    out_puts(o, ".Sh SEE ALSO\n.Xr npuscope 1 ,\n.Xr npuscope-records 5\n");
}

/* ---- npuscope-records(5) ---- */

/* Texts of a record of many lengths: by the number before each. */
static void layout_texts(struct out *o, const struct layout *l)
{
    char text[200];

    for (size_t i = 0; i < l->n_texts; i++) {
        const struct layout_text *t = &l->texts[i];
        snprintf(text, sizeof text, "text %u%s%s", (unsigned)t->type, t->meaning ? ": " : "",
                 t->meaning ? t->meaning : "");
        item(o, t->name, text);
    }
}

static void layout_size(struct out *o, const struct layout *l)
{
    char text[300];

    if (l->tlv)
        snprintf(text, sizeof text, "%s: a type (2 bytes) and the length of the rest (4), then %u bytes%s.",
                 l->title, (unsigned)l->record_b,
                 l->n_texts ? " and texts, with a type and a length before each" : "");
    else if (l->record_b)
        snprintf(text, sizeof text, "%s, %u bytes.", l->title, (unsigned)l->record_b);
    else
        snprintf(text, sizeof text, "%s, up to a %s.", l->title, l->end ? "line end" : "NUL");
    add_text(o, text);
}

static void layout_item(struct out *o, const struct layout *l)
{
    out_printf(o, ".Ss %s\n", l->id);
    layout_size(o, l);
    if (!l->n_fields && !l->n_texts)
        return;
    out_puts(o, ".Bl -tag -width Ds -compact\n");
    for (size_t i = 0; i < l->n_fields; i++) {
        const struct layout_field *f = &l->fields[i];
        char text[400];
        size_t n = (size_t)snprintf(text, sizeof text, "%u byte%s at %u%s%s", (unsigned)f->size,
                                    f->size == 1 ? "" : "s", (unsigned)f->at, f->meaning ? ": " : "",
                                    f->meaning ? f->meaning : "");
        for (const struct layout_word *w = f->words; w && w->word && n + 80 < sizeof text; w++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%llu %s", w == f->words ? "; " : ", ",
                                  (unsigned long long)w->value, w->word);
        item(o, f->name, text);
    }
    layout_texts(o, l);
    out_puts(o, ".El\n");
}

/* "Contents: hwts.data.*.slice_*, ...": what differs in names is a star. */
static void kind_about(struct out *o, const struct file_kind *k)
{
    struct buf b;

    buf_init(&b, 65536);
    buf_printf(&b, "%s. Files: ", k->content);
    for (size_t i = 0; i < ARRAY_LEN(k->patterns) && k->patterns[i]; i++) {
        buf_puts(&b, i ? ", " : "");
        for (const char *p = k->patterns[i]; *p; p++) {
            buf_addc(&b, *p == '{' ? '*' : *p);
            p += *p == '{' ? strcspn(p, "}") : 0;
        }
    }
    buf_addc(&b, '.');
    add_text(o, buf_failed(&b) ? "" : b.p);
    buf_done(&b);
}

static void page_records(struct out *o, const struct cli_hooks *hooks)
{
    const struct file_kind *k;

    (void)hooks;
    head(o, "npuscope-records", 5, "raw records of the profilers that npuscope reads");
    out_puts(o, ".Sh DESCRIPTION\n");
    add_text(
        o,
        "The binary files that the profilers write while a job runs, as npuscope reads them and as the key "
        "x shows their records in the pane of files. Numbers begin with their lowest byte. Places count "
        "from the beginning of a record; of one with a type and a length, after these. Names of files "
        "have * where they differ; a file may be one of several slices of a stream.");
    for (size_t i = 0; (k = import_kind(i)); i++) {
        if (!k->layouts)
            continue;
        out_printf(o, ".Sh %s\n", k->id);
        kind_about(o, k);
        for (const struct layout *l = k->layouts; l->id; l++)
            layout_item(o, l);
    }
    out_puts(o, ".Sh SEE ALSO\n.Xr npuscope 1 ,\n.Xr npuscope-query 5\n");
}

/* ---- npuscope-config(5) ---- */

static void value_list(struct out *o)
{
    out_puts(o, ".Sh SETTINGS\nA line\n.Pp\n.Dl NAME = VALUE\n.Pp\nfor each; the last of several counts.\n"
                ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const struct setting_def *d = &setting_defs[i];
        char text[300];
        snprintf(text, sizeof text, "%s.%s%s%s Default: %s.", d->help, d->values ? " One of " : "",
                 d->values ? d->values : "", d->values ? "." : "", d->otherwise);
        item(o, d->name, text);
    }
    out_puts(o, ".El\n");
}

static void kind_list(struct out *o)
{
    out_puts(o, ".Sh KEYS, COLUMNS AND COLOURS\n.Bl -tag -width Ds\n");
    for (size_t i = 0; i < N_SETTING_KINDS; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s %s", setting_kinds[i].word, setting_kinds[i].args);
        item(o, line, setting_kinds[i].help);
    }
    out_puts(o, ".El\n.Pp\n");
    add_text(o, "Views and their columns are those of npuscope-query(5).");
}

/* An action may have a row for each place. */
static void action_list(struct out *o, const struct cli_hooks *hooks)
{
    struct cli_key k;
    const char *last = "";

    out_puts(o, ".Sh NAMES OF ACTIONS\n");
    add_text(
        o,
        "Names for bind. A KEY is a character, ^D for Ctrl-D, F1 to F12, or Space, Tab, S-Tab, Enter, Esc, "
        "Backspace, Up, Down, Left, Right, Home, End, PgUp, PgDn, Ins, Del, or Alt with a digit, A-0 to "
        "A-9.");
    out_puts(o, ".Bl -tag -width Ds -compact\n");
    for (size_t i = 0; hooks->key && hooks->key(i, &k); last = k.name, i++)
        if (strcmp(k.name, last) != 0)
            item(o, k.name, k.help);
    out_puts(o, ".El\n");
}

static void role_list(struct out *o, const struct cli_hooks *hooks)
{
    struct buf b;

    buf_init(&b, 65536);
    for (size_t i = 0; hooks->role && hooks->role(i); i++)
        buf_printf(&b, "%s%s", i ? ", " : "Names for colour: ", hooks->role(i));
    buf_puts(&b, ".");
    out_puts(o, ".Sh NAMES OF ROLES\n");
    add_text(o, buf_failed(&b) ? "" : buf_str(&b).p);
    buf_done(&b);
}

static void own_words(struct out *o, const char *title, const struct own_word *v, size_t n)
{
    out_printf(o, ".Pp\n%s\n.Bl -tag -width Ds -compact\n", title);
    for (size_t i = 0; i < n; i++) {
        out_printf(o, ".It Cm %s\n", v[i].word);
        add_text(o, v[i].help);
    }
    out_puts(o, ".El\n");
}

/* What the file of the user's own signatures may say. */
static void signature_page(struct out *o)
{
    struct buf b;

    out_puts(o, ".Sh SIGNATURES\n");
    add_text(
        o, "Lines of logs that mean something at your site: the file signatures beside the settings, or the "
           "one that NPUSCOPE_SIGNATURES names, read by every command that reads logs. A line [NAME] "
           "begins a signature, lines KEY = VALUE after it say what it is; the keys class, match and says "
           "are needed. Where several signatures of one line tell as much, yours is taken. One with a "
           "wrong line is named and left out.");
    own_words(o, "Keys:", own_keys, own_n_keys);
    own_words(o, "Kinds of logs:", own_logs, own_n_logs);
    own_words(o, "Roles:", own_roles, own_n_roles);
    buf_init(&b, 8192);
    for (int i = CAUSE_NONE + 1; i < N_CAUSES; i++)
        buf_printf(&b, "%s%s (%s)", i > 1 ? ", " : "Classes: ", cause_word((enum cause_class)i),
                   cause_text((enum cause_class)i));
    buf_puts(&b, ".");
    out_puts(o, ".Pp\n");
    add_text(o, buf_failed(&b) ? "" : buf_str(&b).p);
    buf_done(&b);
    out_puts(o,
             ".Bd -literal\n[SITE-01]\nlog = console, plog\nclass = disk\nmatch = storage gateway && timed "
             "out\nmatch = gateway lost\nsays = the storage gateway did not answer\nnext = look at the "
             "gateway\n.Ed\n");
}

static void page_config(struct out *o, const struct cli_hooks *hooks)
{
    head(o, "npuscope-config", 5, "settings of the screen of npuscope");
    out_puts(o, ".Sh SYNOPSIS\n.Pa ~/.config/npuscope/config\n.Sh DESCRIPTION\n");
    add_text(o,
             "A text file of lines, read when the screen starts. Empty lines and lines that begin with # are "
             "left out. A wrong line is named and changes nothing else; 'npuscope config' prints what is in "
             "force and where it comes from. The file lies in $XDG_CONFIG_HOME/npuscope, or is the one that "
             "NPUSCOPE_CONFIG names. Options of the command line and of NPUSCOPE_OPTIONS go before it, and "
             "what was chosen on the screen for a run goes before its columns and sorts.");
    out_puts(o, ".Pp\n");
    add_text(o,
             "Lines are written by 'npuscope config LINE', and on the screen by :set NAME=VALUE --save and "
             ":bind KEY ACTION --save; all others stay as they are.");
    value_list(o);
    kind_list(o);
    action_list(o, hooks);
    role_list(o, hooks);
    signature_page(o);
    out_puts(o, ".Sh EXAMPLES\n.Bd -literal\ntheme = light\ntime-unit = ms\nbind timeline w zoom-in\n"
                "columns ops.type type,total_ns,avg_ns\nsort ops.type -avg_ns\ncolour comm 208 bold\n.Ed\n"
                ".Sh SEE ALSO\n.Xr npuscope 1 ,\n.Xr npuscope-query 5\n");
}

/* ---- all of them ---- */

int generate_man(struct out *o, const char *page, const struct cli_hooks *hooks, struct err *e)
{
    static const struct {
        const char *name;
        void (*print)(struct out *o, const struct cli_hooks *hooks);
    } pages[] = { { "npuscope", page_1 },
                  { "npuscope-query", page_query },
                  { "npuscope-records", page_records },
                  { "npuscope-config", page_config } };

    for (size_t i = 0; i < ARRAY_LEN(pages); i++)
        if (!strcmp(page, pages[i].name)) {
            pages[i].print(o, hooks);
            return OK;
        }
    return err_set(e, ERR_USAGE,
                   "there are pages npuscope, npuscope-query, npuscope-records and npuscope-config");
}
