/* SPDX-License-Identifier: Apache-2.0 */
/* Flight recorder dumps as JSON, of torch_npu's debug server (doc/formats/logs.md#torch_npu-dumps). */
#include "config.h"

#include <inttypes.h>

#include "parsers/logs/flight_build.h"
#include "parsers/read/jwalk.h"

enum {
    TOP = 1,
    ITEM,
    FIELD,
    LEVEL,
    DEEPER
}; /* depths: "entries", an entry, its keys, lists, what is in them */

struct json {
    struct flight_build *b;
    struct jwalk w;
    struct buf list; /* sizes, types, frames of the entry */
    bool any;        /* something stands before the next item */
    size_t frames;
    struct str name, file; /* of a frame, kept */
    int64_t line;
};

static struct flight_value value_of(enum js_token tok, struct str text)
{
    struct flight_value v = { .type = FV_NONE };

    if (tok == JS_TRUE || tok == JS_FALSE) {
        v.type = FV_BOOL;
        v.i = tok == JS_TRUE;
    } else if (tok == JS_STRING) {
        v.type = FV_TEXT;
        v.text = text;
    } else if (tok == JS_NUMBER) {
        v.type = str_i64(text, &v.i) ? FV_INT : str_f64(text, &v.d) ? FV_REAL : FV_TEXT;
        v.text = text;
    }
    return v;
}

static bool at_key(const struct json *j, int part, const char *key)
{
    return str_eq(jwalk_key(&j->w, part), str_of(key));
}

/* Sizes and types become text as they come. */
static bool is_listed(const struct json *j)
{
    struct str key = jwalk_key(&j->w, FIELD - 1);

    return str_ends(key, STR("_sizes")) || str_ends(key, STR("_dtypes"));
}

static void add(struct json *j, const char *text)
{
    buf_puts(&j->list, text);
}

/* ---- in an entry ---- */

static void on_open(struct json *j)
{
    if (j->w.depth == FIELD) {
        buf_clear(&j->list);
        j->any = false;
        j->frames = 0;
        add(j, str_ends(jwalk_key(&j->w, FIELD - 1), STR("_sizes")) ? "[" : "");
    } else if (is_listed(j)) {
        add(j, j->any ? ", [" : "[");
        j->any = false;
    } else if (j->w.depth == LEVEL) {
        j->name = j->file = STR_NULL;
        j->line = FLIGHT_NONE;
    }
}

static void on_frame(struct json *j)
{
    if (!j->file.p || j->frames == FLIGHT_FRAMES)
        return;
    add(j, j->frames++ ? "\n" : "");
    buf_add(&j->list, str_sub(j->name, 0, 160));
    add(j, " (");
    buf_add(&j->list, j->file.n > 160 ? str_sub(j->file, j->file.n - 160, 160) : j->file);
    if (j->line != FLIGHT_NONE)
        buf_printf(&j->list, ":%" PRId64, j->line);
    add(j, ")");
}

static int on_close(struct json *j, struct err *e)
{
    bool frames = at_key(j, FIELD - 1, "frames");

    if (j->w.depth == LEVEL && frames)
        on_frame(j);
    else if (j->w.depth > FIELD && is_listed(j)) {
        add(j, "]");
        j->any = true;
    }
    if (j->w.depth != FIELD || !(frames || is_listed(j)))
        return OK;
    add(j, str_ends(jwalk_key(&j->w, FIELD - 1), STR("_sizes")) ? "]" : "");
    j->b->cut_texts += buf_failed(&j->list);
    return flight_entry_text(j->b, jwalk_key(&j->w, FIELD - 1), buf_str(&j->list), e);
}

static int on_scalar(struct json *j, enum js_token tok, struct str text, struct err *e)
{
    struct flight_value v = value_of(tok, text);

    if (j->w.depth == FIELD)
        return flight_entry_set(j->b, jwalk_key(&j->w, -1), &v, e);
    if (at_key(j, FIELD - 1, "process_group") && j->w.depth == LEVEL)
        return flight_entry_group(j->b, (size_t)jwalk_index(&j->w, -1), v.text, e);
    if (at_key(j, FIELD - 1, "frames") && j->w.depth == DEEPER) {
        if (at_key(j, -1, "name"))
            j->name = flight_keep(j->b, v.text, e);
        else if (at_key(j, -1, "filename"))
            j->file = flight_keep(j->b, v.text, e);
        else if (v.type == FV_INT && at_key(j, -1, "line"))
            j->line = v.i;
    } else if (is_listed(j)) {
        add(j, j->any ? ", " : "");
        buf_add(&j->list, text);
        j->any = true;
    }
    return e->code;
}

static int in_entry(struct json *j, enum js_token tok, struct str text, struct err *e)
{
    bool open = tok == JS_OBJ || tok == JS_ARR, close = tok == JS_OBJ_END || tok == JS_ARR_END;

    if (j->w.depth == ITEM) {
        if (tok == JS_OBJ)
            flight_entry_begin(j->b);
        return tok == JS_OBJ_END ? flight_entry_end(j->b, e) : OK;
    }
    if (open)
        on_open(j);
    else if (close)
        return on_close(j, e);
    else
        return on_scalar(j, tok, text, e);
    return OK;
}

/* ---- the document ---- */

static int on_token(struct json *j, enum js_token tok, struct str text, struct err *e)
{
    struct flight_value v = value_of(tok, text);
    bool config = at_key(j, 0, "pg_config"), status = at_key(j, 0, "pg_status");

    if (j->w.depth == 0)
        return OK;
    if (j->w.depth >= ITEM && at_key(j, 0, "entries"))
        return in_entry(j, tok, text, e);
    j->b->is_dump |= config || status || at_key(j, 0, "entries");
    if (!jwalk_is_scalar(tok))
        return OK;
    if (j->w.depth == TOP && at_key(j, 0, "version"))
        return flight_version(j->b, &v, e);
    if (j->w.depth == FIELD && config)
        return flight_config(j->b, jwalk_key(&j->w, 1), jwalk_key(&j->w, 2), &v, e);
    if (j->w.depth == FIELD && status)
        return flight_status(j->b, jwalk_key(&j->w, 1), jwalk_key(&j->w, 2), &v, e);
    return OK;
}

int flight_read_json(struct flight_build *b, struct err *e)
{
    struct json j = { .b = b };
    enum js_token tok;
    struct str text;

    buf_init(&j.list, FLIGHT_SIZES_B);
    if (jwalk_open(&j.w, b->c, e) == OK) {
        while ((tok = jwalk_next(&j.w, &text, e)) != JS_END)
            if (on_token(&j, tok, text, e))
                break;
        b->d->cut = j.w.open > 0;
    }
    jwalk_close(&j.w);
    buf_done(&j.list);
    return e->code;
}
