/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small JSON documents: settings, points, FLOPs sums, scopes, groups; whatever has no table of its own
 * becomes key and value (doc/formats/analysed.md#prof_rule, #info-files, #communication_group,
 * doc/formats/mindspore1.md#step_trace_raw, #flops, #timeline-generations).
 */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"
#include "parsers/tables/groups_json.h"

#define MAX_DOC_ROWS 20000
#define DOC_TEXT_B   ((size_t)64 << 10)

struct doc {
    struct jwalk w;
    struct buf path, list; /* list: the scalars of the array that is open */
    bool in_list;
    uint64_t rows, left_out;
};

static int doc_open(struct doc *d, struct parse_ctx *c, struct err *e)
{
    *d = (struct doc){ .rows = 0 };
    buf_init(&d->path, 2 * LIM_JSON_STRING_B);
    buf_init(&d->list, DOC_TEXT_B);
    return jwalk_open(&d->w, c, e);
}

static void doc_close(struct doc *d)
{
    parse_note(d->w.c, NOTE_LIMIT, d->left_out, "more than %d values; the file has the rest", MAX_DOC_ROWS);
    jwalk_close(&d->w);
    buf_done(&d->path);
    buf_done(&d->list);
}

static int doc_row(struct doc *d, struct str value, struct err *e)
{
    if (d->rows++ >= MAX_DOC_ROWS) {
        d->left_out++;
        return OK;
    }
    jwalk_path(&d->w, &d->path);
    return buf_failed(&d->path) ? err_nomem(e) : parse_doc(d->w.c, buf_str(&d->path), value, e);
}

/* One token of the walk as rows of doc: each scalar with its path; the scalars of an array together. */
static int doc_token(struct doc *d, enum js_token tok, struct str text, struct err *e)
{
    const struct jwalk *w = &d->w;

    if (jwalk_is_scalar(tok)) {
        if (w->depth == 0 || !w->level[w->depth - 1].array)
            return doc_row(d, jwalk_text(tok, text), e);
        buf_puts(&d->list, d->in_list ? ", " : "[");
        jwalk_print(&d->list, tok, text);
        d->in_list = true;
        return OK;
    }
    if (tok != JS_ARR_END || !d->in_list)
        return OK;
    buf_addc(&d->list, ']');
    if (doc_row(d, buf_str(&d->list), e))
        return e->code;
    if (buf_failed(&d->list)) {
        struct where p = parse_where(w->c, js_offset(w->j), js_line(w->j), 1);
        sink_note(w->c->out, NOTE_CUT_TEXT, &p, "a list above 64 KiB");
    }
    buf_clear(&d->list);
    d->in_list = false;
    return OK;
}

int parse_doc_rows(struct parse_ctx *c, struct err *e)
{
    struct doc d;
    struct str text;

    if (doc_open(&d, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&d.w, &text, e)) != JS_END;)
            if (doc_token(&d, tok, text, e))
                break;
    doc_close(&d);
    return e->code;
}

/* ---- profiler_info, profiler_metadata ---- */

/* Count the settings that the inventory took from this file, which are in the store without it; any? */
static bool count_settings(struct parse_ctx *c)
{
    uint64_t n = 0;

    for (size_t i = 0; c->run && i < c->run->n_settings; i++)
        n += c->run->settings[i].source_id == c->f->id;
    c->rows += n;
    return n > 0;
}

/* The document without rows of its own: whether it is whole. */
static int check_whole(struct parse_ctx *c, struct err *e)
{
    struct jwalk w;
    struct str text;

    if (jwalk_open(&w, c, e) == OK)
        while (jwalk_next(&w, &text, e) != JS_END)
            ;
    jwalk_close(&w);
    return e->code;
}

int parse_profiler_info(struct parse_ctx *c, struct err *e)
{
    return count_settings(c) ? check_whole(c, e) : parse_doc_rows(c, e);
}

/* The names of groups are no settings: the document itself is kept, too. */
int parse_profiler_metadata(struct parse_ctx *c, struct err *e)
{
    struct groups *g = NULL;
    struct doc d;
    struct str text;

    (void)count_settings(c);
    if (doc_open(&d, c, e) == OK && groups_new(&g, &d.w, e) == OK) {
        for (enum js_token tok; (tok = jwalk_next(&d.w, &text, e)) != JS_END;) {
            groups_token(g, tok, text);
            if (doc_token(&d, tok, text, e))
                break;
        }
        if (!e->code && groups_put(g, e))
            goto out;
    }
out:
    groups_free(g);
    doc_close(&d);
    return e->code;
}

/* ---- step_trace_point_info ---- */

/*
 * {"fp_start", "bp_end"}, or on GPU a list of such objects, one per step: the first one's are the settings.
 */
int parse_point_info(struct parse_ctx *c, struct err *e)
{
    struct doc d;
    struct str text;

    if (doc_open(&d, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&d.w, &text, e)) != JS_END;) {
            struct str key = jwalk_key(&d.w, -1);
            bool first = d.w.depth == 1 || (d.w.depth == 2 && jwalk_index(&d.w, 0) == 0);
            bool point = str_eq(key, STR("fp_start")) || str_eq(key, STR("bp_end"));
            if (tok == JS_STRING && first && point && text.n > 0) {
                if (parse_setting(c, str_eq(key, STR("fp_start")) ? "fp_start" : "bp_end", text, e))
                    break;
            } else if (doc_token(&d, tok, text, e)) {
                break;
            }
        }
    doc_close(&d);
    return e->code;
}

/* ---- flops_summary ---- */

enum flops_kind { FLOPS_ALL, FLOPS_CUBE, FLOPS_VECTOR, N_FLOPS_KINDS };

static int put_flops_total(struct parse_ctx *c, struct val *v, const char *kind, struct err *e)
{
    v[COL(flops_total, rank)] = val_int(c->rank);
    v[COL(flops_total, kind)] = val_cstr(kind);
    v[COL(flops_total, source_id)] = val_int(c->f->id);
    return parse_row(c, T_flops_total, v, N_COLS(flops_total), e);
}

int parse_flops_summary(struct parse_ctx *c, struct err *e)
{
    /* clang-format off */
    static const struct { const char *key; enum flops_kind kind; size_t slot; int exp10; } cols[] = {
        { "FLOPs",                  FLOPS_ALL,    COL(flops_total, flops),       6 },
        { "FLOPS",                  FLOPS_ALL,    COL(flops_total, flops_per_s), 9 },
        { "FLOPS_Utilization",      FLOPS_ALL,    COL(flops_total, utilisation), -2 },
        { "cube_FLOPs",             FLOPS_CUBE,   COL(flops_total, flops),       6 },
        { "cube_FLOPS",             FLOPS_CUBE,   COL(flops_total, flops_per_s), 9 },
        { "cube_FLOPS_Utilization", FLOPS_CUBE,   COL(flops_total, utilisation), -2 },
        { "vec_FLOPs",              FLOPS_VECTOR, COL(flops_total, flops),       6 },
        { "vec_FLOPS",              FLOPS_VECTOR, COL(flops_total, flops_per_s), 9 },
        { "vec_FLOPS_Utilization",  FLOPS_VECTOR, COL(flops_total, utilisation), -2 },
    };
    static const char *const kinds[N_FLOPS_KINDS] = { "all", "cube", "vector" };
    /* clang-format on */
    struct val v[N_FLOPS_KINDS][N_COLS(flops_total)] = { 0 };
    bool have[N_FLOPS_KINDS] = { false }, bad = false;
    struct jwalk w;
    struct str text;

    if (jwalk_open(&w, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&w, &text, e)) != JS_END;)
            for (size_t i = 0; i < ARRAY_LEN(cols) && jwalk_is_scalar(tok); i++)
                if (w.depth == 1 && str_eq(jwalk_key(&w, 0), str_of(cols[i].key))) {
                    v[cols[i].kind][cols[i].slot] = val_real_text(text, cols[i].exp10, &bad);
                    have[cols[i].kind] = true;
                }
    jwalk_close(&w);
    parse_note(c, NOTE_BAD_VALUE, bad, "a value that is no number is missing");
    for (int k = 0; k < N_FLOPS_KINDS && e->code == OK; k++)
        if (have[k] && put_flops_total(c, v[k], kinds[k], e))
            break;
    return e->code;
}

/* ---- flops_scope ---- */

/* data.links[]: {"source", "target", "value" in 10^6}. */
int parse_flops_scope(struct parse_ctx *c, struct err *e)
{
    struct jwalk w;
    struct str text;
    struct buf source, target, kind;
    struct val value = val_null();
    bool bad = false;

    buf_init(&source, LIM_NAME_B);
    buf_init(&target, LIM_NAME_B);
    buf_init(&kind, 3 * LIM_NAME_B);
    if (jwalk_open(&w, c, e) == OK)
        for (enum js_token tok; (tok = jwalk_next(&w, &text, e)) != JS_END;) {
            bool link = str_eq(jwalk_key(&w, 0), STR("data")) && str_eq(jwalk_key(&w, 1), STR("links"));
            struct str key = jwalk_key(&w, 3);
            if (!link || w.depth < 3)
                continue;
            if (w.depth == 4 && str_eq(key, STR("value")))
                value = val_real_text(text, 6, &bad);
            if (w.depth == 4 && (str_eq(key, STR("source")) || str_eq(key, STR("target")))) {
                struct buf *b = str_eq(key, STR("source")) ? &source : &target;
                buf_clear(b);
                buf_add(b, text);
            }
            if (w.depth != 3 || tok != JS_OBJ_END)
                continue;
            struct val v[N_COLS(flops_total)] = { [COL(flops_total, flops)] = value };
            buf_clear(&kind);
            buf_printf(&kind, "scope:");
            buf_add(&kind, buf_str(&source));
            buf_addc(&kind, '>');
            buf_add(&kind, buf_str(&target));
            buf_clear(&source);
            buf_clear(&target);
            value = val_null();
            if (buf_failed(&kind) ? err_nomem(e) : put_flops_total(c, v, kind.p, e))
                break;
        }
    jwalk_close(&w);
    buf_done(&source);
    buf_done(&target);
    buf_done(&kind);
    return e->code;
}
