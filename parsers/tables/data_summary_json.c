/* SPDX-License-Identifier: Apache-2.0 */
/*
 * minddata_pipeline_summary_N.json: MindSpore's figures and remarks about the data pipeline, a list per key
 * (doc/formats/mindspore1.md#minddata_pipeline_summary). Gives the same rows as the CSV of the same name
 * (parsers/tables/data_csv.c): an op per index of the lists, with the sentences that name it; other lists as
 * rows of doc.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "parsers/parsers.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"

#define MAX_OPS 4096

enum summary_type { SUM_INT, SUM_REAL, SUM_PERCENT, SUM_TEXT, SUM_LIST, SUM_SKIP };

/* clang-format off */
/* List -> column; -1 stands for none. */
static const struct summary_column { const char *key; size_t slot; enum summary_type type; } columns[] = {
    { "op_ids",                 COL(pipeline_op, op),                SUM_INT },
    { "op_names",               COL(pipeline_op, type_id),           SUM_TEXT },
    { "num_workers",            COL(pipeline_op, workers),           SUM_INT },
    { "parent_id",              COL(pipeline_op, parent),            SUM_INT },
    { "children_ids",           COL(pipeline_op, children),          SUM_LIST },
    { "queue_average_size",     COL(pipeline_op, queue_avg),         SUM_REAL },
    { "queue_utilization_pct",  COL(pipeline_op, queue_use),         SUM_PERCENT },
    { "queue_empty_freq_pct",   COL(pipeline_op, queue_empty_share), SUM_PERCENT },
    { "avg_cpu_pct",            COL(pipeline_op, cpu_share),         SUM_PERCENT },
    { "avg_cpu_pct_per_worker", COL(pipeline_op, cpu_per_worker),    SUM_PERCENT },
    { "pipeline_ops",           0,                                   SUM_SKIP },   /* name and id once more */
};
/* Lists of sentences about ops, "... Name(id=N) ...". */
static const char *const sentences[] = { "cpu_analysis_details", "queue_analysis_details" };
/* clang-format on */

struct summary_row {
    struct val v[N_COLS(pipeline_op)];
    struct str text;
};

struct summary {
    struct jwalk w;
    struct parse_ctx *c;
    struct summary_row *ops;
    size_t n;
    struct buf children;
    uint64_t bad;
};

static const struct summary_column *column_of(struct str key)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        if (str_eq(key, str_of(columns[i].key)))
            return &columns[i];
    return NULL;
}

static struct val cell(struct summary *s, const struct summary_column *col, struct str text)
{
    bool bad = false;
    double d;

    if (col->type == SUM_TEXT)
        return sink_text(s->c->out, text);
    if (!str_f64(text, &d)) {
        s->bad++;
        return val_null();
    }
    if (d < 0)
        return val_null();
    if (col->type == SUM_INT)
        return val_int_text(text, &bad);
    return val_real_text(text, col->type == SUM_PERCENT ? -2 : 0, &bad);
}

static int put_text(struct summary *s, struct str text, struct err *e)
{
    char key[120], word[64];

    snprintf(key, sizeof key, "minddata_pipeline_summary.%s.%lld",
             str_copy(jwalk_key(&s->w, 0), word, sizeof word), (long long)jwalk_index(&s->w, 1));
    return parse_doc(s->c, str_of(key), text, e);
}

/* The op that a sentence names first; NULL none. */
static struct summary_row *op_named(struct summary *s, struct str text)
{
    size_t at = str_find(text, STR("(id="), 0);
    struct str rest = at == SIZE_MAX ? STR_NULL : str_sub(text, at + 4, SIZE_MAX);
    int64_t id;

    if (!str_i64(str_sub(rest, 0, str_chr(rest, ')')), &id))
        return NULL;
    for (size_t i = 0; i < s->n; i++)
        if (s->ops[i].v[COL(pipeline_op, op)].t == VAL_INT && s->ops[i].v[COL(pipeline_op, op)].i == id)
            return &s->ops[i];
    return NULL;
}

static int add_sentence(struct summary *s, struct str text, struct err *e)
{
    struct summary_row *op = op_named(s, text);

    if (!op)
        return OK;
    char *joined = arena_printf(s->c->tmp, "%.*s%s%.*s", (int)op->text.n, op->text.n ? op->text.p : "",
                                op->text.n ? "\n" : "", (int)text.n, text.p);
    if (!joined)
        return err_nomem(e);
    op->text = str_of(joined);
    return OK;
}

/* <key>[i], and children_ids[i][k] */
static int on_scalar(struct summary *s, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &s->w;
    const struct summary_column *col = column_of(jwalk_key(w, 0));
    int64_t i = jwalk_index(w, 1);

    if (i < 0 || i >= MAX_OPS)
        return OK;
    if (w->depth == 3 && col && col->type == SUM_LIST) {
        buf_puts(&s->children, s->children.n ? ", " : "[");
        buf_add(&s->children, text);
    }
    if (w->depth != 2 || (col && (col->type == SUM_SKIP || col->type == SUM_LIST)))
        return OK;
    if (col) {
        s->ops[i].v[col->slot] = cell(s, col, text);
        s->n = (size_t)i >= s->n ? (size_t)i + 1 : s->n;
        return OK;
    }
    if (put_text(s, jwalk_text(tok, text), e))
        return e->code;
    for (size_t k = 0; k < ARRAY_LEN(sentences); k++)
        if (str_eq(jwalk_key(w, 0), str_of(sentences[k])) && add_sentence(s, text, e))
            return e->code;
    return OK;
}

/* The list of one op's children ends. */
static int end_children(struct summary *s, struct err *e)
{
    int64_t i = jwalk_index(&s->w, 1);

    if (i < 0 || i >= MAX_OPS)
        return OK;
    buf_puts(&s->children, s->children.n ? "]" : "[]");
    struct str t = arena_str(s->c->tmp, buf_str(&s->children));
    buf_clear(&s->children);
    s->ops[i].v[COL(pipeline_op, children)] = val_text(t);
    return t.p ? OK : err_nomem(e);
}

static int read_summary(struct summary *s, struct err *e)
{
    struct str text;

    for (enum js_token tok; (tok = jwalk_next(&s->w, &text, e)) != JS_END;) {
        bool list = s->w.depth == 2 && str_eq(jwalk_key(&s->w, 0), STR("children_ids"));
        if (jwalk_is_scalar(tok) && on_scalar(s, tok, text, e))
            break;
        if (tok == JS_ARR_END && list && end_children(s, e))
            break;
    }
    for (size_t i = 0; i < s->n && e->code == OK; i++) {
        struct val *v = s->ops[i].v;
        if (v[COL(pipeline_op, op)].t == VAL_NULL)
            v[COL(pipeline_op, op)] = val_int((int64_t)i);
        v[COL(pipeline_op, rank)] = val_int(s->c->rank);
        v[COL(pipeline_op, text)] = s->ops[i].text.n ? val_text(s->ops[i].text) : val_null();
        v[COL(pipeline_op, source_id)] = val_int(s->c->f->id);
        if (parse_row(s->c, T_pipeline_op, v, N_COLS(pipeline_op), e))
            break;
    }
    return e->code;
}

int parse_md_summary_json(struct parse_ctx *c, struct err *e)
{
    struct summary s = { .c = c };

    s.ops = calloc(MAX_OPS, sizeof *s.ops);
    if (!s.ops)
        return err_nomem(e);
    buf_init(&s.children, LIM_JSON_STRING_B);
    if (jwalk_open(&s.w, c, e) == OK && read_summary(&s, e) == OK)
        parse_note(c, NOTE_BAD_VALUE, s.bad, "values that are no numbers are missing");
    jwalk_close(&s.w);
    buf_done(&s.children);
    free(s.ops);
    return e->code;
}
