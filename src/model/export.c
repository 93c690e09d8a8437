/* Rows in pages of a view through one of five formats. */
#include "config.h"

#include "model/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "base/unit.h"
#include "model/cell.h"

#define PAGE_ROWS  512
#define FLUSH_B    ((size_t)64 << 10)
#define ROW_B      ((size_t)16 << 20)
#define MAX_TEXT_W 120 /* cells of a column in plain text; longer names are cut with a mark */

struct export_state {
    struct view *v;
    const struct export_opts *o;
    size_t *cols, n_cols;
    int *width; /* plain text */
    struct buf out;
    export_write_fn *write;
    void *arg;
    size_t rows;
};

static const struct {
    const char *word, *suffix;
    enum export_format format;
} formats[] = {
    { "csv", ".csv", EXPORT_CSV },          { "json", ".json", EXPORT_JSON },
    { "ndjson", ".ndjson", EXPORT_NDJSON }, { "markdown", ".md", EXPORT_MARKDOWN },
    { "text", ".txt", EXPORT_TEXT },        { "md", ".markdown", EXPORT_MARKDOWN },
};

bool export_format_of(struct str word, enum export_format *out)
{
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        if (str_eq_nocase(word, str_of(formats[i].word)) ||
            (word.n > strlen(formats[i].suffix) && str_ends(word, str_of(formats[i].suffix)))) {
            *out = formats[i].format;
            return true;
        }
    return false;
}

/* ---- values ---- */

void export_csv_field(struct buf *out, struct str s)
{
    bool quote = s.n && (s.p[0] == ' ' || s.p[s.n - 1] == ' ');
    for (size_t i = 0; i < s.n && !quote; i++)
        quote = s.p[i] == ',' || s.p[i] == '"' || s.p[i] == '\n' || s.p[i] == '\r';
    if (!quote) {
        buf_add(out, s);
        return;
    }
    buf_addc(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            buf_addc(out, '"');
        buf_addc(out, s.p[i]);
    }
    buf_addc(out, '"');
}

static void json_string(struct buf *out, struct str s)
{
    buf_addc(out, '"');
    for (size_t i = 0; i < s.n;) {
        uint32_t cp;
        size_t n = text_decode(s.p + i, s.n - i, &cp);
        if (cp == '"' || cp == '\\')
            buf_printf(out, "\\%c", (char)cp);
        else if (cp == '\n')
            buf_puts(out, "\\n");
        else if (cp == '\t')
            buf_puts(out, "\\t");
        else if (cp < ' ' || cp == 127 || (cp >= 0x80 && cp < 0xA0) ||
                 (cp >= 0xD800 && cp < 0xE000) || cp == 0x2028 || cp == 0x2029)
            buf_printf(out, "\\u%04x", (unsigned)cp);
        else
            buf_add(out, str_sub(s, i, n));
        i += n;
    }
    buf_addc(out, '"');
}

static char *number(char *buf, size_t n, const struct val *v)
{
    if (v->t == VAL_INT)
        snprintf(buf, n, "%" PRId64, v->i);
    else if (v->t == VAL_UINT)
        snprintf(buf, n, "%" PRIu64, v->u);
    else
        unit_plain(buf, n, v->r);
    return buf;
}

void export_json_value(struct buf *out, const struct val *v)
{
    char num[64];
    if (v->t == VAL_NULL) {
        buf_puts(out, "null");
    } else if (v->t == VAL_TEXT) {
        json_string(out, v->s);
    } else {
        number(num, sizeof num, v);
        buf_puts(out, strpbrk(num, "ni") ? "null" : num); /* JSON knows no nan and inf */
    }
}

static void markdown_cell(struct buf *out, struct str s, unsigned flags)
{
    struct buf safe;
    buf_init(&safe, ROW_B);
    text_safe(&safe, s, flags);
    for (size_t i = 0; i < safe.n; i++) {
        if (safe.p[i] == '|' || safe.p[i] == '\\' || safe.p[i] == '<' || safe.p[i] == '`')
            buf_addc(out, '\\');
        buf_addc(out, safe.p[i]);
    }
    buf_done(&safe);
}

static void plain_cell(struct export_state *x, size_t i, struct str s, bool right)
{
    struct buf *out = &x->out;
    size_t used;
    bool last = i + 1 == x->n_cols;
    struct buf cell;
    buf_init(&cell, ROW_B);
    used = text_clip(&cell, s, (size_t)x->width[i], CUT_END, x->o->flags);
    int pad = x->width[i] - (int)used;
    if (right && pad > 0)
        buf_printf(out, "%*s", pad, "");
    buf_add(out, buf_str(&cell));
    if (!right && pad > 0 && !last)
        buf_printf(out, "%*s", pad, "");
    if (!last)
        buf_puts(out, "  ");
    buf_done(&cell);
}

/* ---- rows ---- */

static const struct view_col *col(const struct export_state *x, size_t i)
{
    return view_col(x->v, x->cols[i]);
}

static void csv_row(struct export_state *x, const struct page *p, size_t r)
{
    char num[64];
    for (size_t i = 0; i < x->n_cols; i++) {
        const struct val *v = page_val(p, r, x->cols[i]);
        if (i)
            buf_addc(&x->out, ',');
        if (v->t == VAL_TEXT)
            export_csv_field(&x->out, v->s);
        else if (v->t != VAL_NULL)
            buf_puts(&x->out, number(num, sizeof num, v));
    }
    buf_addc(&x->out, '\n');
}

static void json_row(struct export_state *x, const struct page *p, size_t r)
{
    bool array = x->o->format == EXPORT_JSON;
    if (array)
        buf_puts(&x->out, x->rows ? ",\n  {" : "\n  {");
    else
        buf_addc(&x->out, '{');
    for (size_t i = 0; i < x->n_cols; i++) {
        if (i)
            buf_puts(&x->out, ", ");
        json_string(&x->out, str_of(col(x, i)->id));
        buf_puts(&x->out, ": ");
        export_json_value(&x->out, page_val(p, r, x->cols[i]));
    }
    buf_puts(&x->out, array ? "}" : "}\n");
}

static void markdown_row(struct export_state *x, const struct page *p, size_t r)
{
    char num[64];
    for (size_t i = 0; i < x->n_cols; i++) {
        const struct val *v = page_val(p, r, x->cols[i]);
        buf_puts(&x->out, i ? " | " : "| ");
        if (v->t == VAL_TEXT)
            markdown_cell(&x->out, v->s, x->o->flags);
        else if (v->t != VAL_NULL)
            buf_puts(&x->out, number(num, sizeof num, v));
    }
    buf_puts(&x->out, " |\n");
}

static struct str text_value(const struct export_state *x, size_t i, const struct val *v, char *buf,
                             size_t n)
{
    if (v->t == VAL_TEXT)
        return v->s;
    return str_of(cell_string(buf, n, col(x, i), v, &(struct cell_units){ 0 }));
}

static void text_row(struct export_state *x, const struct page *p, size_t r)
{
    char num[128];
    for (size_t i = 0; i < x->n_cols; i++)
        plain_cell(x, i, text_value(x, i, page_val(p, r, x->cols[i]), num, sizeof num),
                   cell_is_right(col(x, i)));
    buf_addc(&x->out, '\n');
}

static void add_row(struct export_state *x, const struct page *p, size_t r)
{
    static void (*const rows[])(struct export_state *, const struct page *, size_t) = {
        [EXPORT_CSV] = csv_row,           [EXPORT_JSON] = json_row, [EXPORT_NDJSON] = json_row,
        [EXPORT_MARKDOWN] = markdown_row, [EXPORT_TEXT] = text_row,
    };
    rows[x->o->format](x, p, r);
    x->rows++;
}

/* ---- head and tail ---- */

static void add_head(struct export_state *x)
{
    switch (x->o->format) {
    case EXPORT_CSV:
        for (size_t i = 0; i < x->n_cols && !x->o->no_header; i++) {
            buf_puts(&x->out, i ? "," : "");
            export_csv_field(&x->out, str_of(col(x, i)->id));
        }
        buf_puts(&x->out, x->o->no_header ? "" : "\n");
        break;
    case EXPORT_JSON:
        buf_puts(&x->out, "[");
        break;
    case EXPORT_MARKDOWN:
        for (size_t i = 0; i < x->n_cols; i++) {
            buf_puts(&x->out, i ? " | " : "| ");
            markdown_cell(&x->out, str_of(col(x, i)->id), x->o->flags);
        }
        buf_puts(&x->out, " |\n");
        for (size_t i = 0; i < x->n_cols; i++)
            buf_puts(&x->out, cell_is_right(col(x, i)) ? "|---:" : "|---");
        buf_puts(&x->out, "|\n");
        break;
    case EXPORT_TEXT:
        for (size_t i = 0; i < x->n_cols && !x->o->no_header; i++)
            plain_cell(x, i, str_of(col(x, i)->title), cell_is_right(col(x, i)));
        buf_puts(&x->out, x->o->no_header ? "" : "\n");
        break;
    case EXPORT_NDJSON:
        break;
    }
}

static int flush(struct export_state *x, bool always, struct err *e)
{
    if (buf_failed(&x->out))
        return err_set(e, ERR_LIMIT, "a row is too long to be written");
    if (!x->out.n || (!always && x->out.n < FLUSH_B))
        return OK;
    int rc = x->write(x->arg, x->out.p, x->out.n, e);
    buf_clear(&x->out);
    return rc;
}

/* ---- all rows ---- */

static int each_page(struct export_state *x,
                     void (*fn)(struct export_state *, const struct page *, size_t), bool writes,
                     struct err *e)
{
    size_t n = view_rows(x->v);
    if (x->o->max_rows && x->o->max_rows < n)
        n = x->o->max_rows;
    for (size_t at = 0; at < n; at += PAGE_ROWS) {
        struct page p;
        if (view_page(x->v, at, n - at < PAGE_ROWS ? n - at : PAGE_ROWS, x->o->times, &p, e))
            return (int)e->code;
        for (size_t r = 0; r < p.n; r++) {
            fn(x, &p, r);
            if (writes && flush(x, false, e))
                return (int)e->code;
        }
    }
    return OK;
}

static void measure_row(struct export_state *x, const struct page *p, size_t r)
{
    char num[128];
    for (size_t i = 0; i < x->n_cols; i++) {
        int w = (int)text_width(text_value(x, i, page_val(p, r, x->cols[i]), num, sizeof num),
                                x->o->flags);
        w = w < MAX_TEXT_W ? w : MAX_TEXT_W;
        x->width[i] = w > x->width[i] ? w : x->width[i];
    }
}

static int choose_columns(struct export_state *x, struct err *e)
{
    size_t n = view_n_cols(x->v), want = x->o->n_cols ? x->o->n_cols : n;
    x->cols = calloc(want ? want : 1, sizeof *x->cols);
    x->width = calloc(want ? want : 1, sizeof *x->width);
    if (!x->cols || !x->width)
        return err_nomem(e);
    for (size_t i = 0; i < want; i++) {
        size_t c = x->o->n_cols ? x->o->cols[i] : i;
        if (!x->o->n_cols && !x->o->all_columns && (view_col(x->v, c)->flags & VC_HIDDEN))
            continue;
        x->width[x->n_cols] =
            x->o->no_header ? 1 : (int)text_width(str_of(view_col(x->v, c)->title), 0);
        x->cols[x->n_cols++] = c;
    }
    return OK;
}

int export_view(struct view *v, const struct export_opts *o, export_write_fn *write, void *arg,
                struct err *e)
{
    struct export_state x = { .v = v, .o = o, .write = write, .arg = arg };
    buf_init(&x.out, ROW_B);
    if (choose_columns(&x, e))
        goto out;
    if (o->format == EXPORT_TEXT && each_page(&x, measure_row, false, e))
        goto out;
    add_head(&x);
    if (each_page(&x, add_row, true, e))
        goto out;
    if (o->format == EXPORT_JSON)
        buf_puts(&x.out, x.rows ? "\n]\n" : "]\n");
    if (flush(&x, true, e))
        goto out;
out:
    buf_done(&x.out);
    free(x.cols);
    free(x.width);
    return (int)e->code;
}

static int write_file(void *arg, const char *p, size_t n, struct err *e)
{
    return file_write_data(arg, p, n, e);
}

int export_view_file(struct view *v, const struct export_opts *o, const char *path, bool replace,
                     struct err *e)
{
    struct file_write *w = NULL;
    if (file_write_open(&w, path, replace, e))
        return (int)e->code;
    if (export_view(v, o, write_file, w, e)) {
        file_write_abort(w);
        return (int)e->code;
    }
    return file_write_commit(w, e);
}
