/* SPDX-License-Identifier: Apache-2.0 */
/* Writers: what all formats share. */
#include "config.h"

#include "model/writer/writer_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lang/tr.h"
#include "base/text.h"

#define LINE_MAX_B ((size_t)16 << 20)
#define KEPT_MAX_B ((size_t)64 << 20)

/* clang-format off */
static const struct {
    const char *word, *ending, *also; /* also: another ending of a name; NULL: none */
    const struct format_ops *ops;
    enum view_times times;
} formats[] = {
    [FMT_TEXT]     = { "text",     ".txt",    NULL,        &text_ops,     VIEW_RELATIVE },
    [FMT_CSV]      = { "csv",      ".csv",    NULL,        &csv_ops,      VIEW_ABSOLUTE },
    [FMT_JSON]     = { "json",     ".json",   NULL,        &json_ops,     VIEW_ABSOLUTE },
    [FMT_NDJSON]   = { "ndjson",   ".ndjson", ".jsonl",    &ndjson_ops,   VIEW_ABSOLUTE },
    [FMT_MARKDOWN] = { "markdown", ".md",     ".markdown", &markdown_ops, VIEW_ABSOLUTE },
};
/* clang-format on */

static bool has_ending(struct str name, const char *ending)
{
    return ending && name.n > strlen(ending) && str_ends(name, str_of(ending));
}

bool format_of(struct str word, enum format *out)
{
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        if (str_eq_nocase(word, str_of(formats[i].word)) || has_ending(word, formats[i].ending) ||
            has_ending(word, formats[i].also)) {
            *out = (enum format)i;
            return true;
        }
    return false;
}

const char *format_ending(enum format f)
{
    return formats[f].ending;
}

enum view_times format_times(enum format f)
{
    return formats[f].times;
}

int writer_new(struct writer **out, const struct write_to *to, const struct write_opts *opts, struct err *e)
{
    struct writer *w = calloc(1, sizeof *w);

    if (!w)
        return err_nomem(e);
    w->o = *opts;
    w->to = *to;
    w->ops = formats[opts->format].ops;
    buf_init(&w->line, LINE_MAX_B);
    buf_init(&w->cell, LINE_MAX_B);
    if (arena_new(&w->kept_arena, KEPT_MAX_B, e)) {
        writer_free(w);
        return e->code;
    }
    *out = w;
    return OK;
}

void writer_free(struct writer *w)
{
    if (!w)
        return;
    write_forget(w);
    arena_free(w->kept_arena);
    buf_done(&w->line);
    buf_done(&w->cell);
    free(w);
}

int writer_begin(struct writer *w, const char *id, const char *title, const struct view_col *const *cols,
                 size_t n, struct err *e)
{
    w->id = id;
    w->title = w->o.translated ? tr(title) : title;
    w->cols = cols;
    w->n_cols = n;
    w->rows = 0;
    return w->ops->begin(w, e);
}

int writer_row(struct writer *w, const struct val *v, struct err *e)
{
    if (w->ops->row(w, v, e))
        return e->code;
    w->rows++;
    return OK;
}

int writer_end(struct writer *w, struct err *e)
{
    int rc = w->ops->end(w, e);

    write_forget(w);
    w->tables++;
    w->cols = NULL;
    return rc;
}

int writer_note(struct writer *w, struct str text, struct err *e)
{
    if (w->o.format != FMT_TEXT && w->o.format != FMT_MARKDOWN)
        return OK;
    text_safe(&w->line, text, w->o.text_flags);
    buf_addc(&w->line, '\n');
    return write_line(w, e);
}

bool writer_is_for_people(const struct writer *w)
{
    return w->o.format == FMT_TEXT || (w->o.format == FMT_MARKDOWN && w->o.named);
}

void writer_several(struct writer *w)
{
    w->several = !w->o.named;
}

int writer_finish(struct writer *w, struct err *e)
{
    if (w->o.format != FMT_JSON || (!w->o.named && !w->several))
        return OK;
    if (w->several)
        buf_puts(&w->line, w->tables ? "\n]\n" : "[]\n");
    else
        buf_puts(&w->line, w->tables ? "\n}\n" : "{\n}\n");
    return write_line(w, e);
}

/* ---- kept rows ---- */
