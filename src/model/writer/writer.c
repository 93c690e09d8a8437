/* Writers: what all formats share. */
#include "config.h"

#include "model/writer/writer_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

#define LINE_MAX_B ((size_t)16 << 20)
#define KEPT_MAX_B ((size_t)64 << 20)

/* clang-format off */
static const struct {
    const char *word, *ending, *also; /* also: another end of a name, NULL none */
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

int writer_new(struct writer **out, const struct write_to *to, const struct write_opts *opts,
               struct err *e)
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
        return (int)e->code;
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

int writer_begin(struct writer *w, const char *id, const char *title,
                 const struct view_col *const *cols, size_t n, struct err *e)
{
    w->id = id;
    w->title = title;
    w->cols = cols;
    w->n_cols = n;
    w->rows = 0;
    return w->ops->begin(w, e);
}

int writer_row(struct writer *w, const struct val *v, struct err *e)
{
    if (w->ops->row(w, v, e))
        return (int)e->code;
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

int writer_finish(struct writer *w, struct err *e)
{
    if (w->o.format != FMT_JSON || !w->o.named)
        return OK;
    buf_puts(&w->line, w->tables ? "\n}\n" : "{\n}\n");
    return write_line(w, e);
}

int write_line(struct writer *w, struct err *e)
{
    if (buf_failed(&w->line))
        return err_set(e, ERR_LIMIT, "a row is too long to be written");
    int rc = w->to.add(w->to.arg, buf_str(&w->line), e);
    buf_clear(&w->line);
    return rc;
}

void write_bold(struct writer *w, bool on)
{
    if (w->o.color)
        buf_puts(&w->line, on ? "\033[1m" : "\033[0m");
}

char *write_number(char *buf, size_t n, const struct val *v)
{
    buf[0] = '\0';
    if (v->t == VAL_INT)
        snprintf(buf, n, "%" PRId64, v->i);
    else if (v->t == VAL_UINT)
        snprintf(buf, n, "%" PRIu64, v->u);
    else if (v->t == VAL_REAL && isfinite(v->r))
        unit_plain(buf, n, v->r);
    return buf;
}

/* ---- kept rows ---- */

int write_keep(struct writer *w, const struct val *v, struct err *e)
{
    if (!w->kept) {
        w->kept = malloc((size_t)WRITE_KEEP * (w->n_cols ? w->n_cols : 1) * sizeof *w->kept);
        if (!w->kept)
            return err_nomem(e);
    }
    struct val *row = &w->kept[w->n_kept * w->n_cols];
    for (size_t i = 0; i < w->n_cols; i++) {
        row[i] = v[i];
        if (v[i].t != VAL_TEXT)
            continue;
        row[i].s = arena_str(w->kept_arena, v[i].s);
        if (!row[i].s.p)
            return err_nomem(e);
        w->kept_b += v[i].s.n;
    }
    w->n_kept++;
    return OK;
}

bool write_may_keep(const struct writer *w)
{
    return !w->streaming && w->n_kept < WRITE_KEEP && w->kept_b < WRITE_KEEP_B;
}

void write_forget(struct writer *w)
{
    free(w->kept);
    free(w->layout);
    w->kept = NULL;
    w->layout = NULL;
    w->n_kept = w->kept_b = 0;
    w->streaming = false;
    if (w->kept_arena)
        arena_reset(w->kept_arena);
}

struct cell_units write_units(const struct writer *w, size_t col)
{
    double min = 0, max = 0;
    bool any = false;

    for (size_t i = 0; i < w->n_kept; i++) {
        const struct val *v = &w->kept[i * w->n_cols + col];
        double x = fabs(val_num(v));
        if (v->t == VAL_NULL || v->t == VAL_TEXT || x == 0)
            continue;
        if (!any || x < min)
            min = x;
        if (!any || x > max)
            max = x;
        any = true;
    }
    return cell_column_units(w->cols[col], min, max, &w->o.units);
}
