/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a parser gives for a file, as text: one line per row "table|column=value|...", columns that are NULL
 * left out, texts of interned ids in place of the ids. For tests of parsers and for tests/golden/parse_dump.
 * Tracks, events, flows and samples are lines of their own. Bytes that are no plain text, '|', '\' and line
 * ends are "\xNN".
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_ROWS_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_ROWS_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "parsers/registry.h"
#include "store/sink_count.h"

struct rows {
    struct sink_count *count;
    const struct sink_ops *ops; /* the counting sink's own */
    struct sink_ops mine;
    struct buf text;
    char columns[1024][64]; /* added with sink_column */
    size_t n_columns;
    struct arena *tmp;
    struct runinfo run;
    struct file_kind kind;
    struct source_file file;
    uint64_t rows, lost;
    const char *part; /* of a database: the table that is wanted */
    bool quiet;       /* count only */
};

static struct rows *rows_self; /* of the sink callbacks, which see only the sink */

static void rows_text(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char ch = (unsigned char)s.p[i];
        if (ch < 0x20 || ch == '|' || ch == '\\' || ch == 0x7f)
            buf_printf(b, "\\x%02x", ch);
        else
            buf_addc(b, (char)ch);
    }
}

static void rows_real(struct buf *b, double d)
{
    char t[40];
    for (int p = 15; p < 18; p++) {
        snprintf(t, sizeof t, "%.*g", p, d);
        if (strtod(t, NULL) == d)
            break;
    }
    buf_puts(b, t);
}

static void rows_value(struct rows *r, const struct val *v, enum col_type type)
{
    switch (v->t) {
    case VAL_INT:
        if (type == CT_STR)
            rows_text(&r->text, sink_count_string(r->count, v->i));
        else
            buf_printf(&r->text, "%" PRId64, v->i);
        break;
    case VAL_UINT:
        buf_printf(&r->text, "%" PRIu64, v->u);
        break;
    case VAL_REAL:
        rows_real(&r->text, v->r);
        break;
    case VAL_TEXT:
        rows_text(&r->text, v->s);
        break;
    case VAL_NULL:
        break;
    }
}

static void rows_on_row(void *arg, enum table_id t, const struct val *v, size_t n)
{
    struct rows *r = arg;
    const struct schema_table *table = &schema_tables[t];

    if (r->quiet)
        return;
    buf_puts(&r->text, table->name);
    for (size_t i = 0; i < n; i++) {
        bool own = i < table->n_cols;
        if (v[i].t == VAL_NULL || (own && strcmp(table->cols[i].name, "source_id") == 0))
            continue;
        buf_printf(&r->text, "|%s=", own ? table->cols[i].name : r->columns[i - table->n_cols]);
        rows_value(r, &v[i], own ? table->cols[i].type : CT_REAL);
    }
    buf_addc(&r->text, '\n');
}

static int rows_column(struct sink *s, enum table_id t, struct str name, enum col_type type, size_t *index,
                       struct err *e)
{
    struct rows *r = rows_self;

    (void)s;
    (void)type;
    (void)e;
    for (size_t i = 0; i < r->n_columns; i++)
        if (str_eq(name, str_of(r->columns[i]))) {
            *index = schema_tables[t].n_cols + i;
            return OK;
        }
    str_copy(name, r->columns[r->n_columns], sizeof r->columns[0]);
    *index = schema_tables[t].n_cols + r->n_columns++;
    return OK;
}

static void rows_id(struct rows *r, const char *name, uint32_t id)
{
    if (!id)
        return;
    buf_printf(&r->text, "|%s=", name);
    rows_text(&r->text, sink_count_string(r->count, id));
}

static void rows_int(struct rows *r, const char *name, int64_t i)
{
    if (i >= 0)
        buf_printf(&r->text, "|%s=%" PRId64, name, i);
}

static void rows_str(struct rows *r, const char *name, struct str s)
{
    if (!s.p)
        return;
    buf_printf(&r->text, "|%s=", name);
    rows_text(&r->text, s);
}

static int64_t rows_op(struct sink *s, const struct op_key *k, const struct op_attr *a, struct err *e)
{
    struct rows *r = rows_self;
    int64_t id = r->ops->op(s, k, a, e);

    if (r->quiet)
        return id;
    buf_printf(&r->text, "op|id=%" PRId64, id);
    rows_id(r, "name_id", k->name_id);
    rows_id(r, "type_id", k->type_id);
    rows_int(r, "graph_id", k->graph_id);
    rows_int(r, "model_id", k->model_id);
    rows_id(r, "in_shapes_id", k->in_shapes_id);
    rows_id(r, "in_types_id", k->in_types_id);
    rows_id(r, "in_formats_id", k->in_formats_id);
    rows_id(r, "out_shapes_id", k->out_shapes_id);
    rows_id(r, "out_types_id", a->out_types_id);
    rows_id(r, "out_formats_id", a->out_formats_id);
    rows_id(r, "attrs_id", a->attrs_id);
    rows_id(r, "strategy_id", a->strategy_id);
    rows_str(r, "core", a->core);
    rows_str(r, "state", a->state);
    rows_str(r, "hf32", a->hf32);
    rows_int(r, "block_num", a->block_num);
    rows_int(r, "mix_block_num", a->mix_block_num);
    rows_int(r, "task", a->task);
    rows_int(r, "stream", a->stream);
    rows_str(r, "extra", a->extra);
    buf_addc(&r->text, '\n');
    return id;
}

static void rows_note(struct sink *s, enum note_code code, const struct where *w, const char *text)
{
    struct rows *r = rows_self;

    r->ops->note(s, code, w, text);
    if (r->quiet)
        return;
    buf_printf(&r->text, "note|%s|line=%" PRIu32 "|count=%" PRIu64 "|", note_infos[code].code, w->line,
               w->count);
    rows_text(&r->text, str_of(text));
    buf_addc(&r->text, '\n');
}

static void rows_def(struct rows *r, const struct track_def *d)
{
    buf_printf(&r->text, "|kind=%s", track_kind_word(d->kind));
    rows_str(r, "pid", d->pid);
    rows_str(r, "tid", d->tid);
    rows_str(r, "process", d->process);
    rows_str(r, "name", d->name);
    buf_printf(&r->text, "|sort=%" PRId64, d->sort);
    rows_int(r, "stream", d->stream);
    rows_str(r, "unit", d->unit);
    buf_addc(&r->text, '\n');
}

static uint32_t rows_track(struct sink *s, const struct track_def *d)
{
    struct rows *r = rows_self;
    uint32_t id = r->ops->track(s, d);

    if (!r->quiet) {
        buf_printf(&r->text, "track|id=%" PRIu32, id);
        rows_def(r, d);
    }
    return id;
}

static int rows_track_set(struct sink *s, uint32_t track, const struct track_def *d, struct err *e)
{
    struct rows *r = rows_self;

    if (!r->quiet) {
        buf_printf(&r->text, "track_set|id=%" PRIu32, track);
        rows_def(r, d);
    }
    return r->ops->track_set(s, track, d, e);
}

static int rows_event(struct sink *s, uint32_t track, int64_t ts, int64_t dur, uint32_t name, uint64_t off,
                      struct err *e)
{
    struct rows *r = rows_self;

    if (!r->quiet) {
        buf_printf(&r->text, "event|track=%" PRIu32 "|ts=%" PRId64 "|dur=%" PRId64, track, ts, dur);
        rows_id(r, "name", name);
        buf_printf(&r->text, "|off=%" PRIu64 "\n", off);
    }
    return r->ops->event(s, track, ts, dur, name, off, e);
}

static int rows_flow(struct sink *s, uint32_t track, int64_t ts, char phase, uint32_t cat, uint64_t id,
                     struct err *e)
{
    struct rows *r = rows_self;

    if (!r->quiet) {
        buf_printf(&r->text, "flow|track=%" PRIu32 "|ts=%" PRId64 "|%c", track, ts, phase);
        rows_id(r, "cat", cat);
        buf_printf(&r->text, "|id=%" PRIu64 "\n", id);
    }
    return r->ops->flow(s, track, ts, phase, cat, id, e);
}

static int rows_sample(struct sink *s, uint32_t track, int64_t ts, double value, struct err *e)
{
    struct rows *r = rows_self;

    if (!r->quiet) {
        buf_printf(&r->text, "sample|track=%" PRIu32 "|ts=%" PRId64 "|value=", track, ts);
        rows_real(&r->text, value);
        buf_addc(&r->text, '\n');
    }
    return r->ops->sample(s, track, ts, value, e);
}

static int rows_generic_open(struct sink *s, uint32_t source_id, struct str part, const struct str *names,
                             size_t n, struct err *e)
{
    struct rows *r = rows_self;

    buf_puts(&r->text, "generic");
    if (part.p)
        buf_printf(&r->text, " %.*s", (int)part.n, part.p);
    for (size_t i = 0; i < n; i++) {
        buf_addc(&r->text, '|');
        rows_text(&r->text, names[i]);
    }
    buf_addc(&r->text, '\n');
    return r->ops->generic_open(s, source_id, part, names, n, e);
}

/* Values with their type: i 1, r 0.5, "text", nothing for NULL. */
static int rows_generic_row(struct sink *s, const struct val *v, size_t n, struct err *e)
{
    struct rows *r = rows_self;

    buf_puts(&r->text, "row");
    for (size_t i = 0; i < n && !r->quiet; i++) {
        buf_puts(&r->text, v[i].t == VAL_INT ? "|i " : v[i].t == VAL_REAL ? "|r " : "|");
        rows_value(r, &v[i], CT_TEXT);
    }
    buf_addc(&r->text, '\n');
    return r->ops->generic_row(s, v, n, e);
}

static void rows_abort(const char *what)
{
    fprintf(stderr, "rows: %s\n", what);
    abort();
}

/* Ready for one file of a kind (path stays the caller's). */
static void rows_init(struct rows *r, const char *kind, const char *path)
{
    struct err e = ERR_INIT;

    memset(r, 0, sizeof *r);
    rows_self = r;
    buf_init(&r->text, (size_t)1 << 30);
    if (sink_count_new(&r->count, &e) || arena_new(&r->tmp, (size_t)256 << 20, &e))
        rows_abort(e.text);
    struct sink *s = sink_count_sink(r->count);
    r->ops = s->ops;
    r->mine = *s->ops;
    r->mine.op = rows_op;
    r->mine.note = rows_note;
    r->mine.column = rows_column;
    r->mine.track = rows_track;
    r->mine.track_set = rows_track_set;
    r->mine.event = rows_event;
    r->mine.flow = rows_flow;
    r->mine.sample = rows_sample;
    r->mine.generic_open = rows_generic_open;
    r->mine.generic_row = rows_generic_row;
    s->ops = &r->mine;
    sink_count_on_row(r->count, rows_on_row, r);
    const struct file_kind *known = registry_find(str_of(kind));
    if (known)
        r->kind = *known;
    r->kind.id = kind;
    r->file = (struct source_file){ .id = 1,
                                    .path = path,
                                    .rel = path,
                                    .kind = &r->kind,
                                    .rank = 0,
                                    .device = -1,
                                    .slice = -1,
                                    .stamp = -1,
                                    .regular = true };
}

static void rows_done(struct rows *r)
{
    sink_count_free(r->count);
    arena_free(r->tmp);
    buf_done(&r->text);
}

/* Parse it. Returns the error code; rows and notes stand in r->text, r->rows, r->lost. */
static inline int rows_parse(struct rows *r, parse_fn *parse, struct err *e)
{
    struct parse_ctx c = { .f = &r->file,
                           .run = &r->run,
                           .tmp = r->tmp,
                           .out = sink_count_sink(r->count),
                           .rank = r->file.rank,
                           .part = r->part };

    rows_self = r;
    int rc = parse(&c, e);
    r->rows = c.rows;
    r->lost = c.lost;
    return rc;
}

#endif
