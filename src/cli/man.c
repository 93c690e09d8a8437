/* SPDX-License-Identifier: Apache-2.0 */
/* The manual pages in mdoc(7). Text of the tables is escaped, one sentence begins a line. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "cli/cmd/cmd.h"
#include "cli/generate.h"
#include "cli/man_texts.h"
#include "cli/msprof/msprof_args.h"
#include "cli/msprof/msprof_help.h"
#include "configure/switches.h"
#include "import/import.h"
#include "model/view/view.h"
#include "parsers/logs/signatures_own.h"
#include "run/known_diff.h"
#include "run/layout.h"
#include "store/schema.h"

#define LINE      76
#define UNICODE_B 8 /* of \[u4E2D], as which mandoc reads a character */
#define DATE      "November 21, 2026"
#define ASPATH    "\\(ti/.cache/npuscope"

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
        const unsigned char c = (unsigned char)word[i];
        sum += e ? strlen(e) : c < 0x80 ? 1 : c < 0xc0 ? 0 : UNICODE_B;
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

/* Running text in the language where it is one of the catalogue, one sentence a line. */
static void running_text(struct out *o, const char *text)
{
    struct buf b;

    buf_init(&b, 1 << 20);
    add_words(&b, tr(text));
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
    out_printf(o, " %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s%s\n", section, name, tr(about),
               tr_is_english() ? "" : "\\&");
}

/* A heading of our own; those that every page has stay as they are. An end that is no ASCII wants the \&. */
static void heading(struct out *o, const char *macro, const char *text)
{
    const char *said = tr(text);

    out_printf(o, "%s %s%s\n", macro, said, said == text ? "" : "\\&");
}

/* "readable summary" as a sentence. */
static char *sentence(char *buf, size_t n, const char *text)
{
    const char *said = tr(text);

    if (tr_is_english())
        snprintf(buf, n, "%c%s.", said[0] & ~0x20, said + 1);
    else
        snprintf(buf, n, "%s。", said);
    return buf;
}

static void item(struct out *o, const char *tag, const char *text)
{
    out_puts(o, ".It Sy");
    add_arg(o, tag);
    out_puts(o, "\n");
    running_text(o, text);
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
    running_text(o, d->help);
}

static void option_list(struct out *o, const char *title, unsigned groups, unsigned without)
{
    heading(o, ".Ss", title);
    out_puts(o, ".Bl -tag -width Ds\n");
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
            buf_printf(&b, "%s%s", b.n ? tr(", ") : tr("Tables for --by: "),
                       view_defs[i]->id + strlen(c->prefix) + 1);
    if (b.n) {
        buf_puts(&b, tr_is_english() ? "." : "。");
        running_text(o, buf_str(&b).p);
    }
    buf_done(&b);
}

static void command_list(struct out *o)
{
    heading(o, ".Sh", N_("COMMANDS"));
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 1; i < n_commands; i++) {
        out_printf(o, ".It Cm %s", commands[i].name);
        if (commands[i].args[0]) {
            out_puts(o, " Ar");
            add_arg(o, commands[i].args);
        }
        out_puts(o, "\n");
        char text[600];
        running_text(o, sentence(text, sizeof text, commands[i].summary));
        if (commands[i].alias) {
            snprintf(text, sizeof text, tr("Also called %s."), commands[i].alias);
            running_text(o, text);
        }
        if (commands[i].help)
            running_text(o, commands[i].help);
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
    heading(o, ".Sh", N_("KEYS"));
    running_text(o, "Keys of the screen, in the order of the help that '?' shows. Several keys of one "
                    "line do the same.");
    for (size_t i = 0; hooks->key(i, &k); i++) {
        if (!group || strcmp(group, k.group) != 0) {
            if (group)
                out_puts(o, ".El\n");
            group = k.group;
            out_printf(o, ".Ss %s%s\n.Bl -tag -width Ds -compact\n", tr_key(group),
                       tr_is_english() ? "" : "\\&");
        }
        item(o, k.keys, k.help);
    }
    if (group)
        out_puts(o, ".El\n");
}

static void problem_list(struct out *o)
{
    heading(o, ".Sh", N_("TEN PROBLEMS"));
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; man_problems[i].name; i++)
        item(o, man_problems[i].name, man_problems[i].text);
    out_puts(o, ".El\n");
}

static void page_tables(struct out *o)
{
    heading(o, ".Sh", N_("OUTPUT"));
    running_text(o, "Data goes to standard output and nothing else does. In csv and json every time is in "
                    "ns and every size in bytes; the unit is the end of the column's id. Instants are Unix "
                    "time where the run has it, else on the clock of the device. Percentages are 0 to 100. "
                    "Totals cover every recorded step unless --steps says otherwise; those of op types that "
                    "MindSpore 1.x wrote are of a mean step (column per says step). Means per step leave "
                    "out the first recorded one unless --first-step is given.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; man_formats[i].name; i++)
        item(o, man_formats[i].name, man_formats[i].text);
    out_puts(o, ".El\n.Sh ENVIRONMENT\n.Bl -tag -width Ds\n");
    for (size_t i = 0; man_environment[i].name; i++) {
        out_printf(o, ".It Ev %s\n", man_environment[i].name);
        running_text(o, man_environment[i].text);
    }
    out_puts(o, ".El\n.Sh FILES\n.Bl -tag -width Ds\n.It Pa " ASPATH "/*.npus\n");
    running_text(o, "Stores of the runs that were opened, one a unit, made anew when an input changes. "
                    "They may be removed at any time.");
    out_puts(o, ".It Pa " ASPATH "/unpacked\n");
    running_text(o, "Members of archives that were opened, a folder for each.");
    out_puts(o, ".El\n.Sh EXIT STATUS\n.Bl -tag -width Ds\n");
    for (size_t i = 0; man_statuses[i].name; i++)
        item(o, man_statuses[i].name, man_statuses[i].text);
    out_puts(o, ".El\n.Sh EXAMPLES\n.Bl -tag -width Ds\n");
    for (size_t i = 0; man_examples[i].name; i++) {
        char text[200];
        item(o, man_examples[i].name, sentence(text, sizeof text, man_examples[i].text));
    }
    out_puts(o, ".El\n");
}

static void known_list(struct out *o)
{
    heading(o, ".Sh", N_("KNOWN DIFFERENCES"));
    running_text(
        o, "The files that analyse writes equal those of MindSpore's own analysis, also where that "
           "computes something wrongly; of MindSpore 2.5 and later and of torch_npu only with --compat. "
           "The tables of npuscope have the right values. In the versions named:");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < known_diffs_n; i++) {
        const struct known_diff *k = &known_diffs[i];
        char name[300], text[1200];
        snprintf(name, sizeof name, "%s (%s)", tr(k->files), tr(k->versions));
        snprintf(text, sizeof text, tr("%s. Here: %s."), tr(k->vendor),
                 tr(k->ours ? k->ours : N_("no such figure")));
        item(o, name, text);
    }
    out_puts(o, ".El\n");
}

static void msprof_list(struct out *o)
{
    const struct msprof_help *h;
    unsigned of;

    heading(o, ".Sh", N_("COMMANDS OF MSPROF"));
    for (size_t i = 0; msprof_texts[i]; i++) {
        out_puts(o, i ? ".Pp\n" : "");
        running_text(o, msprof_texts[i]);
    }
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; (h = msprof_help(i, &of)); i++) {
        char tag[80], text[1200], forms[80];
        snprintf(tag, sizeof tag, "-%s%s%s", h->name, h->value ? " " : "", h->value ? h->value : "");
        snprintf(text, sizeof text, "%s (%s)", tr(h->help), msprof_option_forms(of, forms, sizeof forms));
        item(o, tag, text);
    }
    out_puts(o, ".El\n");
}

static void switch_list(struct out *o)
{
    struct buf b;

    heading(o, ".Sh", N_("SWITCHES OF THE PROFILERS"));
    running_text(o, "What configure writes and explains. Numbers are the versions of MindSpore that have a "
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
    head(o, "npuscope", 1, N_("performance browser for Ascend NPU profiles"));
    out_puts(o, ".Sh SYNOPSIS\n.Nm\n.Op Ar option ...\n.Op Ar PATH\n.Nm\n.Ar command\n.Op Ar "
                "option ...\n.Op Ar PATH\n");
    problem_list(o);
    out_puts(o, ".Sh DESCRIPTION\n.Nm\n");
    running_text(o, "reads what the profilers of MindSpore and of CANN wrote and shows it: state of the "
                    "run, ops, steps, timeline, FLOPs, memory, data pipeline, communication, host. "
                    "Without a command it browses on the screen; with one it prints.");
    out_puts(o, ".Pp\n");
    running_text(o, commands[0].help);
    running_text(o, "The profile is only read. What was read is kept in a cache, so that the next start "
                    "takes no time. Damaged and cut files are read as far as they are whole, and named.");
    command_list(o);
    heading(o, ".Sh", N_("OPTIONS"));
    running_text(o, "Long options may be shortened as far as they stay clear, their argument follows = "
                    "or a blank. Short ones may stand together. -- ends options.");
    option_list(o, N_("All commands"), OG_ALL, 0);
    option_list(o, N_("Commands that print tables"), OG_RUN | OG_STORE | OG_VIEW | OG_OUT | OG_BY | OG_TIME,
                0);
    option_list(o, N_("The screen"), OG_SCREEN, 0);
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
        char text[900];
        cmd_column_help(d, &d->cols[i], text, sizeof text);
        item(o, d->cols[i].id, text);
    }
    out_puts(o, ".El\n");
}

static void filter_list(struct out *o)
{
    heading(o, ".Sh", N_("FILTER LANGUAGE"));
    running_text(o, "A filter is a line of tests, parted by blanks; all must hold. The same language "
                    "serves --filter and the filter line of the screen. Column names may be shortened; "
                    "where no column is called so, name is "
                    "the main one, time the first of times, size the first of sizes. "
                    "Texts are compared without regard to case by patterns, exactly by =.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < n_filter_forms; i++) {
        const struct filter_form *f = &filter_forms[i];
        char text[600];
        snprintf(text, sizeof text, tr("%s. Example: %s"), tr(f->meaning), f->example);
        item(o, f->form, text);
    }
    out_puts(o, ".El\n");
}

static void schema_list(struct out *o)
{
    bool open = false;

    heading(o, ".Sh", N_("TABLES FOR SQL"));
    running_text(o, "Times are INTEGER ns; instants count from rank.origin_ns, which added gives absolute "
                    "time. Columns that end in _id point to table string unless they name another table. "
                    "NULL is unknown, zero a measured zero. The REGEXP operator takes the same patterns "
                    "as filters.");
    out_puts(o, ".Pp\n");
    running_text(o, "Of a job of several ranks a statement may ask the overview, which has the same "
                    "tables under the name job: unit, rank_total, rank_step, rank_comm, rank_link, step "
                    "and finding with the rows of every rank, the others empty. Example: SELECT rank, "
                    "state FROM job.unit. The overview is kept in the cache and brought up to date first.");
    for (size_t t = 0; t < N_TABLES; t++) {
        out_printf(o, ".Ss %s %s\n", tr("Table"), schema_tables[t].name);
        running_text(o, schema_tables[t].help);
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
        out_printf(o, "%s.Ss %s %s\n", open ? ".El\n" : "", tr("Table"), x->table);
        running_text(o, x->meaning);
        out_puts(o, ".Bl -tag -width Ds -compact\n");
        open = true;
    }
    out_puts(o, open ? ".El\n" : "");
    heading(o, ".Sh", N_("VIEWS FOR SQL"));
    running_text(o, "The same data with texts instead of numbers.");
    for (size_t i = 0; i < schema_n_views; i++) {
        out_printf(o, ".Ss %s %s\n", tr("View"), schema_views[i].name);
        running_text(o, schema_views[i].help);
        out_puts(o, ".Bl -tag -width Ds -compact\n");
        for (size_t k = 0; k < schema_views[i].n_cols; k++)
            item(o, schema_views[i].cols[k].name, schema_views[i].cols[k].help);
        out_puts(o, ".El\n");
    }
}

static void example_list(struct out *o)
{
    heading(o, ".Sh", N_("WORKED STATEMENTS"));
    running_text(o, "Each answers a question as it stands; npuscope schema examples prints them.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < schema_n_examples; i++)
        item(o, tr(schema_examples[i].question), schema_examples[i].sql);
    out_puts(o, ".El\n");
}

static void page_query(struct out *o, const struct cli_hooks *hooks)
{
    (void)hooks;
    head(o, "npuscope-query", 5, N_("filters, columns and SQL tables of npuscope"));
    out_puts(o, ".Sh DESCRIPTION\n");
    running_text(o, "How rows are chosen, which columns the tables of npuscope have, and what its SQL "
                    "statements find.");
    filter_list(o);
    heading(o, ".Sh", N_("COLUMNS"));
    running_text(
        o, "Ids for --columns, --sort and --filter, by table; the part after the dot is what "
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
        if (t->meaning)
            snprintf(text, sizeof text, tr("text %u: %s"), (unsigned)t->type, tr(t->meaning));
        else
            snprintf(text, sizeof text, tr("text %u"), (unsigned)t->type);
        item(o, t->name, text);
    }
}

static void layout_size(struct out *o, const struct layout *l)
{
    char text[300];

    if (l->tlv && l->n_texts)
        snprintf(text, sizeof text,
                 tr("%s: a type (2 bytes) and the length of the rest (4), then %u bytes and texts, with a "
                    "type and a length before each."),
                 tr(l->title), (unsigned)l->record_b);
    else if (l->tlv)
        snprintf(text, sizeof text, tr("%s: a type (2 bytes) and the length of the rest (4), then %u bytes."),
                 tr(l->title), (unsigned)l->record_b);
    else if (l->record_b)
        snprintf(text, sizeof text, tr("%s, %u bytes."), tr(l->title), (unsigned)l->record_b);
    else if (l->end)
        snprintf(text, sizeof text, tr("%s, up to a line end."), tr(l->title));
    else
        snprintf(text, sizeof text, tr("%s, up to a NUL."), tr(l->title));
    running_text(o, text);
}

/* "2 bytes at 4: kind of the record; 0 start of task, 1 end of task". */
static void field_item(struct out *o, const struct layout_field *f)
{
    const char *first = tr_is_english() ? "; " : "；", *next = tr_is_english() ? ", " : "、";
    const char *s = f->size == 1 ? "" : "s";
    struct buf b;

    buf_init(&b, 65536);
    if (f->meaning)
        buf_printf(&b, tr("%u byte%s at %u: %s"), (unsigned)f->size, s, (unsigned)f->at, tr(f->meaning));
    else
        buf_printf(&b, tr("%u byte%s at %u"), (unsigned)f->size, s, (unsigned)f->at);
    for (const struct layout_word *w = f->words; w && w->word; w++)
        buf_printf(&b, "%s%" PRIu64 " %s", w == f->words ? first : next, w->value, tr(w->word));
    item(o, f->name, buf_failed(&b) ? "" : buf_str(&b).p);
    buf_done(&b);
}

static void layout_item(struct out *o, const struct layout *l)
{
    out_printf(o, ".Ss %s\n", l->id);
    layout_size(o, l);
    if (!l->n_fields && !l->n_texts)
        return;
    out_puts(o, ".Bl -tag -width Ds -compact\n");
    for (size_t i = 0; i < l->n_fields; i++)
        field_item(o, &l->fields[i]);
    layout_texts(o, l);
    out_puts(o, ".El\n");
}

/* "Contents: hwts.data.*.slice_*, ...": what differs in names is a star. */
static void kind_about(struct out *o, const struct file_kind *k)
{
    struct buf b;

    buf_init(&b, 65536);
    buf_printf(&b, tr("%s. Files: "), tr(k->content));
    for (size_t i = 0; i < ARRAY_LEN(k->patterns) && k->patterns[i]; i++) {
        buf_puts(&b, !i ? "" : tr_is_english() ? ", " : "、");
        for (const char *p = k->patterns[i]; *p; p++) {
            buf_addc(&b, *p == '{' ? '*' : *p);
            p += *p == '{' ? strcspn(p, "}") : 0;
        }
    }
    buf_puts(&b, tr_is_english() ? "." : "。");
    running_text(o, buf_failed(&b) ? "" : buf_str(&b).p);
    buf_done(&b);
}

static void page_records(struct out *o, const struct cli_hooks *hooks)
{
    const struct file_kind *k;

    (void)hooks;
    head(o, "npuscope-records", 5, N_("raw records of the profilers that npuscope reads"));
    out_puts(o, ".Sh DESCRIPTION\n");
    running_text(
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
    heading(o, ".Sh", N_("SETTINGS"));
    running_text(o, "A line");
    out_puts(o, ".Pp\n.Dl NAME = VALUE\n.Pp\n");
    running_text(o, "for each; the last of several counts.");
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < N_SETTINGS; i++) {
        const struct setting_def *d = &setting_defs[i];
        char text[600], values[100] = "";
        if (d->values)
            snprintf(values, sizeof values, tr(" One of %s."), d->values);
        snprintf(text, sizeof text, tr("%s.%s Default: %s."), tr(d->help), values, d->otherwise);
        item(o, d->name, text);
    }
    out_puts(o, ".El\n");
}

static void kind_list(struct out *o)
{
    heading(o, ".Sh", N_("KEYS, COLUMNS AND COLOURS"));
    out_puts(o, ".Bl -tag -width Ds\n");
    for (size_t i = 0; i < N_SETTING_KINDS; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s %s", setting_kinds[i].word, setting_kinds[i].args);
        item(o, line, setting_kinds[i].help);
    }
    out_puts(o, ".El\n.Pp\n");
    running_text(o, "Views and their columns are those of npuscope-query(5).");
}

/* An action may have a row for each place. */
static void action_list(struct out *o, const struct cli_hooks *hooks)
{
    struct cli_key k;
    const char *last = "";

    heading(o, ".Sh", N_("NAMES OF ACTIONS"));
    running_text(
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
        buf_printf(&b, "%s%s", i ? ", " : tr("Names for colour: "), hooks->role(i));
    buf_puts(&b, tr_is_english() ? "." : "。");
    heading(o, ".Sh", N_("NAMES OF ROLES"));
    running_text(o, buf_failed(&b) ? "" : buf_str(&b).p);
    buf_done(&b);
}

static void own_words(struct out *o, const char *title, const struct own_word *v, size_t n)
{
    out_printf(o, ".Pp\n%s\n.Bl -tag -width Ds -compact\n", tr(title));
    for (size_t i = 0; i < n; i++) {
        out_printf(o, ".It Cm %s\n", v[i].word);
        running_text(o, v[i].help);
    }
    out_puts(o, ".El\n");
}

/* What the file of the user's own signatures may say. */
static void signature_page(struct out *o)
{
    struct buf b;

    heading(o, ".Sh", N_("SIGNATURES"));
    running_text(
        o, "Lines of logs that mean something at your site: the file signatures beside the settings, or the "
           "one that NPUSCOPE_SIGNATURES names, read by every command that reads logs. A line [NAME] "
           "begins a signature, lines KEY = VALUE after it say what it is; the keys class, match and says "
           "are needed. Where several signatures of one line tell as much, yours is taken. One with a "
           "wrong line is named and left out.");
    own_words(o, N_("Keys:"), own_keys, own_n_keys);
    own_words(o, N_("Kinds of logs:"), own_logs, own_n_logs);
    own_words(o, N_("Roles:"), own_roles, own_n_roles);
    buf_init(&b, 8192);
    for (int i = CAUSE_NONE + 1; i < N_CAUSES; i++)
        buf_printf(&b, "%s%s (%s)", i > 1 ? ", " : tr("Classes: "), cause_word((enum cause_class)i),
                   tr(cause_text((enum cause_class)i)));
    buf_puts(&b, tr_is_english() ? "." : "。");
    out_puts(o, ".Pp\n");
    running_text(o, buf_failed(&b) ? "" : buf_str(&b).p);
    buf_done(&b);
    out_puts(o,
             ".Bd -literal\n[SITE-01]\nlog = console, plog\nclass = disk\nmatch = storage gateway && timed "
             "out\nmatch = gateway lost\nsays = the storage gateway did not answer\nnext = look at the "
             "gateway\n.Ed\n");
}

static void page_config(struct out *o, const struct cli_hooks *hooks)
{
    head(o, "npuscope-config", 5, N_("settings of the screen of npuscope"));
    out_puts(o, ".Sh SYNOPSIS\n.Pa ~/.config/npuscope/config\n.Sh DESCRIPTION\n");
    running_text(
        o, "A text file of lines, read when the screen starts. Empty lines and lines that begin with # are "
           "left out. A wrong line is named and changes nothing else; 'npuscope config' prints what is in "
           "force and where it comes from. The file lies in $XDG_CONFIG_HOME/npuscope, or is the one that "
           "NPUSCOPE_CONFIG names. Options of the command line and of NPUSCOPE_OPTIONS go before it, and "
           "what was chosen on the screen for a run goes before its columns and sorts.");
    out_puts(o, ".Pp\n");
    running_text(
        o, "Lines are written by 'npuscope config LINE', and on the screen by :set NAME=VALUE --save and "
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
