/* SPDX-License-Identifier: Apache-2.0 */
/* Walk through a JSON document with its path. */
#include "config.h"

#include "parsers/read/jwalk.h"

#include <inttypes.h>

#include "parsers/read/lines.h"

#define ASK_B    ((uint64_t)512 << 10)
#define KEYS_MAX (2 * LIM_JSON_STRING_B)

int jwalk_open(struct jwalk *w, struct parse_ctx *c, struct err *e)
{
    *w = (struct jwalk){ .c = c };
    buf_init(&w->keys, KEYS_MAX);
    if (infile_open(&w->in, c->f->path, 0, e))
        return e->code;
    return js_new(&w->j, w->in, e);
}

void jwalk_close(struct jwalk *w)
{
    js_free(w->j);
    infile_close(w->in);
    buf_done(&w->keys);
    w->j = NULL;
    w->in = NULL;
}

static void note_damage(struct jwalk *w)
{
    uint64_t at = js_offset(w->j), size = infile_size(w->in);
    struct where p = parse_where(w->c, at, js_line(w->j), 1);

    w->c->lost++;
    if (infile_is_gz(w->in) || size < at)
        sink_note(w->c->out, NOTE_TORN_FILE, &p, "%s; the rest was left out", js_problem(w->j));
    else
        sink_note(w->c->out, NOTE_TORN_FILE, &p, "%s; the rest, %" PRIu64 " bytes, was left out",
                  js_problem(w->j), size - at);
}

/* A text above a limit is there, but not all of it. */
static void note_cut(struct jwalk *w)
{
    struct where p = parse_where(w->c, js_offset(w->j), js_line(w->j), 1);

    sink_note(w->c->out, NOTE_LIMIT, &p, "%s", js_cut_text(w->j));
}

static bool asked_to_stop(struct jwalk *w, struct err *e)
{
    if (js_offset(w->j) - w->asked < ASK_B)
        return false;
    w->asked = js_offset(w->j);
    return parse_ask(w->c, infile_consumed(w->in), e) != OK;
}

static int keep_key(struct jwalk *w, struct str key, struct err *e)
{
    struct jwalk_level *l = &w->level[w->open - 1];

    w->keys.n = l->from;
    buf_add(&w->keys, key);
    l->n = key.n;
    return buf_failed(&w->keys) ? err_set(e, ERR_LIMIT, "the keys around a value are too long") : OK;
}

static void open_level(struct jwalk *w, bool array)
{
    const struct jwalk_level *above = w->open ? &w->level[w->open - 1] : NULL;

    w->level[w->open] =
        (struct jwalk_level){ .from = above ? above->from + above->n : 0, .index = -1, .array = array };
    w->open++;
}

enum js_token jwalk_next(struct jwalk *w, struct str *text, struct err *e)
{
    enum js_token tok;

    for (;;) {
        if (asked_to_stop(w, e) || js_next(w->j, &tok, text, e))
            return JS_END;
        w->damaged |= tok == JS_BAD || js_was_cut(w->j);
        if (tok == JS_BAD)
            note_damage(w);
        else if (js_was_cut(w->j))
            note_cut(w);
        if (tok == JS_BAD || tok == JS_END)
            return JS_END;
        if (tok != JS_KEY)
            break;
        if (keep_key(w, *text, e))
            return JS_END;
    }
    if (tok == JS_OBJ_END || tok == JS_ARR_END) {
        w->depth = --w->open;
        return tok;
    }
    if (w->open && w->level[w->open - 1].array)
        w->level[w->open - 1].index++;
    w->depth = w->open;
    if (tok == JS_OBJ || tok == JS_ARR)
        open_level(w, tok == JS_ARR);
    return tok;
}

static const struct jwalk_level *level_at(const struct jwalk *w, int i)
{
    if (i < 0)
        i += w->depth;
    return i >= 0 && i < w->depth ? &w->level[i] : NULL;
}

struct str jwalk_key(const struct jwalk *w, int i)
{
    const struct jwalk_level *l = level_at(w, i);

    return l && !l->array ? (struct str){ w->keys.p ? w->keys.p + l->from : "", l->n } : STR("");
}

int64_t jwalk_index(const struct jwalk *w, int i)
{
    const struct jwalk_level *l = level_at(w, i);

    return l && l->array ? l->index : -1;
}

void jwalk_path(const struct jwalk *w, struct buf *b)
{
    buf_clear(b);
    for (int i = 0; i < w->depth; i++) {
        if (i)
            buf_addc(b, '.');
        if (w->level[i].array)
            buf_printf(b, "%" PRId64, w->level[i].index);
        else
            buf_add(b, jwalk_key(w, i));
    }
}

bool jwalk_is_scalar(enum js_token tok)
{
    return tok == JS_STRING || tok == JS_NUMBER || tok == JS_TRUE || tok == JS_FALSE || tok == JS_NULL;
}

struct str jwalk_text(enum js_token tok, struct str text)
{
    switch (tok) {
    case JS_TRUE:
        return STR("true");
    case JS_FALSE:
        return STR("false");
    case JS_NULL:
        return STR_NULL;
    default:
        return text;
    }
}

void jwalk_print(struct buf *b, enum js_token tok, struct str text)
{
    if (tok == JS_STRING)
        buf_json(b, text);
    else
        buf_add(b, tok == JS_NULL ? STR("null") : jwalk_text(tok, text));
}
