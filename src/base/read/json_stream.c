/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming JSON: the window, and the token layer (js_next). Trace events: json_event.c. Texts in
 * memory: json_text.c. */
#include "config.h"

#include "base/read/json_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/read/json_window.h"
#include "base/swar.h"

enum state {
    VALUE,        /* after a colon, or at the start */
    VALUE_OR_END, /* after '[' or a comma in an array */
    KEY_OR_END,   /* after '{' or a comma in an object */
    COLON,
    COMMA_OR_END,
    DONE
};

int js_new(struct js **out, struct infile *f, struct err *e)
{
    struct js *j = calloc(1, sizeof *j);
    size_t n;

    *out = j;
    if (!j)
        return err_nomem(e);
    j->f = f;
    j->base = j->p = infile_data(f, &n);
    j->end = j->p + n;
    j->base_off = infile_offset(f);
    memset(j->end, '"', INFILE_PAD);
    j->line_here = 1;
    buf_init(&j->text, LIM_JSON_STRING_B);
    return OK;
}

void js_free(struct js *j)
{
    if (!j)
        return;
    buf_done(&j->text);
    free(j);
}

/* ---- the window ---- */

int js_fill(struct js *j, struct err *e)
{
    size_t got, n;

    infile_take(j->f, (size_t)(j->p - j->base));
    if (infile_more(j->f, &got, e) == ERR_FORMAT || e->code == ERR_LIMIT) {
        j->input = JS_TORN;
        snprintf(j->torn_text, sizeof j->torn_text, "%s", e->text);
        err_clear(e);
    } else if (e->code == OK && got == 0 && !infile_full(j->f)) {
        j->input = infile_eof(j->f) ? JS_EOF : JS_TORN;
    }
    j->base = j->p = infile_data(j->f, &n);
    j->end = j->base + n;
    j->base_off = infile_offset(j->f);
    memset(j->end, '"', INFILE_PAD);
    return e->code;
}

int js_skip_bom(struct js *j, struct err *e)
{
    while (j->end - j->p < 3 && js_can_fill(j))
        if (js_fill(j, e) != OK)
            return e->code;
    if (j->end - j->p >= 3 && memcmp(j->p, "\xEF\xBB\xBF", 3) == 0)
        j->p += 3;
    return OK;
}

int js_end_reason(struct js *j, const char *otherwise, struct err *e)
{
    j->problem = otherwise;
    if (j->input != JS_TORN)
        return OK;
    j->p = j->end; /* the reason comes once everything is consumed */
    if (!j->torn_text[0] && js_fill(j, e) != OK)
        return e->code;
    j->problem = j->torn_text;
    return OK;
}

bool js_is_nonfinite(struct str s)
{
    static const struct str words[] = {
        { "NaN", 3 },  { "Infinity", 8 }, { "-Infinity", 9 }, { "nan", 3 },
        { "-nan", 4 }, { "inf", 3 },      { "-inf", 4 },      { "+Infinity", 9 },
    };
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(s, words[i]))
            return true;
    return false;
}

/* ---- tokens ---- */

static enum js_token bad(struct js *j, const char *problem)
{
    j->bad = true;
    j->problem = problem;
    j->off = js_offset_of(j, j->p);
    j->line = j->line_here;
    return JS_BAD;
}

/* The input ended where it must not. */
static int ended(struct js *j, const char *problem, enum js_token *tok, struct err *e)
{
    int rc = js_end_reason(j, problem, e);

    *tok = bad(j, j->problem);
    return rc;
}

/* Move to the next byte that is no blank. *c: that byte, or -1 at the end. */
static int next_byte(struct js *j, int *c, struct err *e)
{
    for (;;) {
        while (js_blank(*j->p)) {
            j->line_here += *j->p == '\n';
            j->p++;
        }
        if (j->p < j->end) {
            *c = (unsigned char)*j->p;
            return OK;
        }
        *c = -1;
        if (!js_can_fill(j))
            return OK;
        if (js_fill(j, e) != OK)
            return e->code;
    }
}

/* First quote or backslash at or after p; the pad ends the search. */
static const char *quote_or_escape(const char *p)
{
    for (;; p += 8) {
        uint64_t v = swar_load(p);
        uint64_t hit = swar_eq1(v, SWAR_LOW * '"') | swar_eq1(v, SWAR_LOW * '\\');
        if (hit)
            return p + swar_first(hit);
    }
}

/* Undo escapes in place, within j->text. */
static struct str plain_text(struct js *j, bool escapes)
{
    if (escapes)
        j->text.n = js_unescape(buf_str(&j->text), j->text.p).n;
    return buf_str(&j->text);
}

static void keep_part(struct js *j, const char *from, const char *to)
{
    size_t n = (size_t)(to - from), room = LIM_JSON_STRING_B - j->text.n;

    j->cut |= n > room;
    j->text_b += n;
    buf_add(&j->text, (struct str){ from, n < room ? n : room });
}

/*
 * A string that the window does not hold at once: gather it piece by piece. j->p is after its opening quote.
 */
static int gather_string(struct js *j, enum js_token *tok, struct str *text, struct err *e)
{
    bool escapes = false;
    const char *q = j->p;

    buf_clear(&j->text);
    j->text_b = 0;
    for (;;) {
        q = quote_or_escape(q);
        bool whole_escape = q + 1 < j->end;
        if (q < j->end && *q == '\\' && whole_escape) {
            escapes = true;
            q += 2;
            continue;
        }
        const char *stop = q < j->end ? q : j->end;
        keep_part(j, j->p, stop);
        j->p += stop - j->p;
        if (stop < j->end && *stop == '"')
            break;
        if (!js_can_fill(j))
            return ended(j, "the file ends inside a string", tok, e);
        if (js_fill(j, e) != OK)
            return e->code;
        q = j->p;
    }
    j->p++;
    if (buf_failed(&j->text))
        return err_nomem(e);
    *text = plain_text(j, escapes);
    return OK;
}

/* The string whose opening quote is at j->p. */
static int read_string(struct js *j, enum js_token *tok, struct str *text, struct err *e)
{
    bool escapes = false;
    const char *from = j->p + 1, *q = from;

    while (*(q = quote_or_escape(q)) == '\\' && q < j->end) {
        escapes = true;
        q += 2;
    }
    if (q >= j->end) {
        j->p++;
        return gather_string(j, tok, text, e);
    }
    size_t n = (size_t)(q - from);
    j->p += n + 2;
    if (!escapes && n <= LIM_JSON_STRING_B) {
        *text = (struct str){ from, n };
        return OK;
    }
    buf_clear(&j->text);
    j->text_b = 0;
    keep_part(j, from, q);
    if (buf_failed(&j->text))
        return err_nomem(e);
    *text = plain_text(j, escapes);
    return OK;
}

/* Token of a word or number; JS_BAD: it is neither. */
static enum js_token word_kind(struct str s)
{
    if (str_eq(s, STR("true")))
        return JS_TRUE;
    if (str_eq(s, STR("false")))
        return JS_FALSE;
    if (str_eq(s, STR("null")))
        return JS_NULL;
    if (js_is_nonfinite(s))
        return JS_NUMBER;
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= '0' && s.p[i] <= '9') || memchr("+-.eE", s.p[i], 5)))
            return JS_BAD;
    return s.p[0] == '-' || (s.p[0] >= '0' && s.p[0] <= '9') ? JS_NUMBER : JS_BAD;
}

/* Gather the number or word at j->p into j->text. */
static int gather_word(struct js *j, struct str *text, struct err *e)
{
    buf_clear(&j->text);
    j->text_b = 0;
    for (;;) {
        const char *q = j->p;
        while (js_scalar_byte(*q))
            q++;
        keep_part(j, j->p, q);
        j->p += q - j->p;
        if (j->p < j->end || !js_can_fill(j))
            break;
        if (js_fill(j, e) != OK)
            return e->code;
    }
    *text = buf_str(&j->text);
    return buf_failed(&j->text) ? err_nomem(e) : OK;
}

/* A number or word at j->p. A number longer than LIM_JSON_NUMBER_B becomes a text, cut. */
static int read_word(struct js *j, enum js_token *tok, struct str *text, struct err *e)
{
    const char *q = j->p;

    while (js_scalar_byte(*q))
        q++;
    if (q < j->end) {
        *text = (struct str){ j->p, (size_t)(q - j->p) };
        j->p += text->n;
    } else if (gather_word(j, text, e) != OK) {
        return e->code;
    }
    *tok = text->n ? word_kind(*text) : JS_BAD;
    if (*tok == JS_BAD)
        *tok = bad(j, text->n ? "unknown word" : "unexpected character");
    if (*tok == JS_NUMBER && text->n > LIM_JSON_NUMBER_B) {
        *tok = JS_STRING;
        text->n = LIM_JSON_NUMBER_B;
        j->text_b = 0;
        j->cut = true;
    }
    if (*tok != JS_NUMBER && *tok != JS_STRING)
        *text = STR_NULL;
    return OK;
}

static bool in_object(const struct js *j)
{
    return j->depth && (j->objects & 1);
}

static enum js_token open_container(struct js *j, bool object)
{
    if (j->depth == LIM_JSON_DEPTH)
        return bad(j, "nested too deep");
    j->p++;
    j->depth++;
    j->objects = j->objects << 1 | object;
    j->state = object ? KEY_OR_END : VALUE_OR_END;
    return object ? JS_OBJ : JS_ARR;
}

static enum js_token close_container(struct js *j, bool object)
{
    bool may_end = j->state == COMMA_OR_END || j->state == VALUE_OR_END || j->state == KEY_OR_END;

    if (!may_end || j->depth == 0 || in_object(j) != object)
        return bad(j, "bracket does not match");
    j->p++;
    j->depth--;
    j->objects >>= 1;
    j->state = j->depth ? COMMA_OR_END : DONE;
    return object ? JS_OBJ_END : JS_ARR_END;
}

static int read_value(struct js *j, int c, enum js_token *tok, struct str *text, struct err *e)
{
    if (c == '{' || c == '[') {
        *tok = open_container(j, c == '{');
        return OK;
    }
    j->state = j->depth ? COMMA_OR_END : DONE;
    *tok = JS_STRING;
    return c == '"' ? read_string(j, tok, text, e) : read_word(j, tok, text, e);
}

static int read_key(struct js *j, int c, enum js_token *tok, struct str *text, struct err *e)
{
    if (c != '"') {
        *tok = bad(j, "key expected");
        return OK;
    }
    j->state = COLON;
    *tok = JS_KEY;
    return read_string(j, tok, text, e);
}

/*
 * Skip colons and commas before the next token. *c: its first byte, -1 at the end; 0 when something else
 * stood there.
 */
static int next_start(struct js *j, int *c, struct err *e)
{
    for (;;) {
        if (next_byte(j, c, e) != OK)
            return e->code;
        if (j->state == COLON && *c == ':')
            j->state = VALUE;
        else if (j->state == COMMA_OR_END && *c == ',')
            j->state = in_object(j) ? KEY_OR_END : VALUE_OR_END;
        else
            break;
        j->p++;
    }
    bool closes = *c == '}' || *c == ']';
    if (*c >= 0 && (j->state == COLON || j->state == DONE || (j->state == COMMA_OR_END && !closes)))
        *c = 0;
    return OK;
}

int js_next(struct js *j, enum js_token *tok, struct str *text, struct err *e)
{
    int c;

    *text = STR_NULL;
    *tok = JS_BAD;
    j->cut = false;
    if (j->bad)
        return OK;
    if (j->state == VALUE && j->depth == 0 && js_offset_of(j, j->p) == 0 && js_skip_bom(j, e) != OK)
        return e->code;
    if (next_start(j, &c, e) != OK)
        return e->code;
    j->off = js_offset_of(j, j->p);
    j->line = j->line_here;
    if (c < 0 && j->state == DONE && j->input != JS_TORN)
        *tok = JS_END;
    else if (c < 0)
        return ended(j, "the file ends inside the document", tok, e);
    else if (c == 0)
        *tok = bad(j, j->state == DONE ? "text after the document" : "unexpected character");
    else if (c == '}' || c == ']')
        *tok = close_container(j, c == '}');
    else if (j->state == KEY_OR_END)
        return read_key(j, c, tok, text, e);
    else
        return read_value(j, c, tok, text, e);
    return OK;
}

int js_skip(struct js *j, enum js_token first, struct err *e)
{
    int depth = j->depth - 1;
    enum js_token tok = first;
    struct str text;

    if (first != JS_OBJ && first != JS_ARR)
        return OK;
    while (j->depth > depth && tok != JS_BAD && tok != JS_END)
        if (js_next(j, &tok, &text, e) != OK)
            return e->code;
    return OK;
}

int js_read_tail(struct js *j, bool *whole, struct err *e)
{
    enum js_token tok;
    struct str text;

    j->depth = 1;
    j->objects = 1;
    j->state = COMMA_OR_END;
    do {
        if (js_next(j, &tok, &text, e) != OK)
            return e->code;
    } while (tok != JS_END && tok != JS_BAD);
    *whole = tok == JS_END;
    return OK;
}

int js_depth(const struct js *j)
{
    return j->depth;
}

uint64_t js_offset(const struct js *j)
{
    return j->off;
}

uint32_t js_line(const struct js *j)
{
    return j->line;
}

bool js_was_cut(const struct js *j)
{
    return j->cut;
}

const char *js_cut_text(struct js *j)
{
    if (j->text_b > LIM_JSON_STRING_B)
        snprintf(j->cut_text, sizeof j->cut_text, "a string of %" PRIu64 " MiB, limit %zu MiB: cut",
                 (j->text_b >> 20) + ((j->text_b & 0xfffff) != 0), LIM_JSON_STRING_B >> 20);
    else
        snprintf(j->cut_text, sizeof j->cut_text, "a number of more than %d characters: cut",
                 LIM_JSON_NUMBER_B);
    return j->cut_text;
}

const char *js_problem(const struct js *j)
{
    return j->problem ? j->problem : "";
}

bool js_over_limit(const struct js *j)
{
    return j->over_limit;
}

uint64_t js_cut_bytes(const struct js *j)
{
    return j->cut_bytes;
}
