/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON, checked and made safe token by token; the layout is that of pretty.c. A token waits until it is
 * whole, a long string in pieces.
 */
#include "config.h"

#include "emit/json_tidy.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/text_table.h"

#define TOKEN_B ((size_t)64 << 10)
#define UNIT_B  6 /* the longest escape; a character has at most 4 bytes */

enum state {
    BETWEEN,      /* of documents */
    VALUE,        /* after a colon */
    VALUE_OR_END, /* after '[' */
    KEY_OR_END,   /* after '{' */
    COLON,
    COMMA_OR_END,
    NEXT, /* after a comma */
    STRING,
    WORD,
    DAMAGED
};

struct json_tidy {
    struct pretty pretty;
    pretty_write_fn *write;
    void *arg;
    enum state state;
    bool key;     /* the string is one */
    bool escaped; /* its last byte is a backslash that escapes what follows */
    bool comma;   /* one goes before the token that waits */
    bool any;     /* a document was begun */
    unsigned bom; /* bytes of the byte order mark so far; 3: no more */
    size_t depth;
    unsigned char is_object[JSON_TIDY_DEPTH];
    uint64_t offset, token_offset; /* of the next byte; of the token's first that waits */
    struct json_tidy_facts facts;
    size_t n;
    char token[TOKEN_B];
};

int json_tidy_new(struct json_tidy **out, pretty_write_fn *write, void *arg, struct err *e)
{
    struct json_tidy *t = calloc(1, sizeof *t);

    *out = t;
    if (!t)
        return err_nomem(e);
    t->write = write;
    t->arg = arg;
    return OK;
}

void json_tidy_free(struct json_tidy *t)
{
    free(t);
}

static void pass(struct json_tidy *t, const char *p, size_t n)
{
    if (n)
        pretty_put(&t->pretty, p, n, t->write, t->arg);
}

/* What comes before a token, once the token is passed: of one that is cut nothing is seen. */
static void lead(struct json_tidy *t)
{
    if (t->comma)
        pass(t, ",", 1);
    t->comma = false;
}

static void damaged(struct json_tidy *t, const char *problem, uint64_t offset)
{
    t->state = DAMAGED;
    t->facts.problem = problem;
    t->facts.offset = offset;
}

static void mended(struct json_tidy *t, const char *what, uint64_t offset)
{
    if (!t->facts.mended++) {
        t->facts.first = what;
        t->facts.first_offset = offset;
    }
}

/* ---- strings ---- */

static bool is_hex(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f') || (p[i] >= 'A' && p[i] <= 'F')))
            return false;
    return true;
}

/* Bytes of the escape at p, 0: it is none. */
static size_t escape_bytes(const char *p, size_t n)
{
    if (n < 2)
        return 0;
    if (p[1] == 'u')
        return n >= 6 && is_hex(p + 2, 4) ? 6 : 0;
    return p[1] && memchr("\"\\/bfnrt", p[1], 8) ? 2 : 0;
}

static void pass_hidden(struct json_tidy *t, uint32_t cp)
{
    char text[16];
    int n;

    if (cp >= 0x10000)
        n = snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xd800 + (unsigned)((cp - 0x10000) >> 10),
                     0xdc00 + (unsigned)(cp & 0x3ff));
    else
        n = snprintf(text, sizeof text, "\\u%04x", (unsigned)cp);
    pass(t, text, (size_t)n);
}

/* A character of a string or an escape, safe; returns its bytes. */
static size_t pass_unit(struct json_tidy *t, const char *p, size_t n, uint64_t offset)
{
    uint32_t cp;

    if (*p == '\\') {
        size_t k = escape_bytes(p, n);
        if (!k) {
            mended(t, "a backslash that begins no escape", offset);
            pass(t, "\\\\", 2);
            return 1;
        }
        pass(t, p, k);
        return k;
    }
    size_t k = text_decode(p, n, &cp);
    if (cp >= 0xdc00 && cp <= 0xdcff) {
        mended(t, "a byte that is no UTF-8", offset);
        pass(t, "\\ufffd", 6);
    } else if (cp < 0x20) {
        mended(t, "a control character in a string", offset);
        pass_hidden(t, cp);
    } else if (text_table_hidden(cp)) {
        pass_hidden(t, cp);
    } else {
        pass(t, p, k);
    }
    return k;
}

/* The part of a string that waits; all: also its last bytes, which else may be half a character. */
static void pass_string(struct json_tidy *t, bool all)
{
    size_t i = 0;

    lead(t);
    while (i < t->n && (all || t->n - i >= 2 * UNIT_B)) {
        if (t->token[i] == '"') { /* a quote inside is part of an escape */
            pass(t, "\"", 1);
            i++;
        } else {
            i += pass_unit(t, t->token + i, t->n - i, t->token_offset + i);
        }
    }
    t->token_offset += i;
    t->n -= i;
    memmove(t->token, t->token + i, t->n);
}

static void put_string(struct json_tidy *t, char c)
{
    bool ends = c == '"' && !t->escaped;

    if (t->n == TOKEN_B)
        pass_string(t, false);
    t->token[t->n++] = c;
    t->escaped = c == '\\' && !t->escaped;
    if (!ends)
        return;
    pass_string(t, true);
    t->state = t->key ? COLON : t->depth ? COMMA_OR_END : BETWEEN;
}

/* ---- numbers and words ---- */

static bool is_word_byte(char c)
{
    return str_is_word(c) || c == '+' || c == '-' || c == '.';
}

static size_t digits(const char *p, size_t n, size_t at)
{
    while (at < n && p[at] >= '0' && p[at] <= '9')
        at++;
    return at;
}

static bool is_number(const char *p, size_t n)
{
    size_t at = n && *p == '-', from = at;

    at = digits(p, n, at);
    if (at == from || (p[from] == '0' && at > from + 1))
        return false;
    if (at < n && p[at] == '.') {
        from = ++at;
        at = digits(p, n, at);
        if (at == from)
            return false;
    }
    if (at < n && (p[at] == 'e' || p[at] == 'E')) {
        at++;
        at += at < n && (p[at] == '+' || p[at] == '-');
        from = at;
        at = digits(p, n, at);
        if (at == from)
            return false;
    }
    return at == n;
}

static bool is_word(const char *p, size_t n)
{
    static const char *const words[] = { "true", "false", "null", "NaN", "Infinity", "-Infinity" };
    const struct str s = { p, n };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(s, str_of(words[i])))
            return true;
    return is_number(p, n);
}

static void end_word(struct json_tidy *t)
{
    if (!is_word(t->token, t->n)) {
        damaged(t, "is no JSON value", t->token_offset);
        return;
    }
    lead(t);
    pass(t, t->token, t->n);
    t->n = 0;
    t->state = t->depth ? COMMA_OR_END : BETWEEN;
}

/* ---- structure ---- */

static void open_bracket(struct json_tidy *t, char c)
{
    if (t->depth == JSON_TIDY_DEPTH) {
        damaged(t, "is nested deeper than 1000 levels", t->offset);
        return;
    }
    t->is_object[t->depth++] = c == '{';
    t->state = c == '{' ? KEY_OR_END : VALUE_OR_END;
    lead(t);
    pass(t, &c, 1);
}

static void close_bracket(struct json_tidy *t, char c)
{
    if (!t->depth || t->is_object[t->depth - 1] != (c == '}')) {
        damaged(t, "has a closing bracket that does not match", t->offset);
        return;
    }
    if (t->state == NEXT)
        mended(t, "a comma before a closing bracket", t->offset);
    t->depth--;
    t->state = t->depth ? COMMA_OR_END : BETWEEN;
    pass(t, &c, 1);
}

/* Another document begins on a line of its own. */
static void begin_document(struct json_tidy *t)
{
    if (t->any) {
        pretty_put(&t->pretty, NULL, 0, t->write, t->arg);
        t->write(t->arg, "\n", 1);
        t->pretty.begun = t->pretty.plain = false;
    }
    t->any = true;
}

static void begin_value(struct json_tidy *t, char c)
{
    bool key = t->depth && t->is_object[t->depth - 1] && t->state != VALUE;

    if (key && c != '"') {
        damaged(t, "has no key here", t->offset);
        return;
    }
    if (c != '{' && c != '[' && c != '"' && !is_word_byte(c)) {
        damaged(t, "has a byte here that begins no value", t->offset);
        return;
    }
    if (t->state == BETWEEN)
        begin_document(t);
    t->comma = t->state == NEXT;
    if (c == '{' || c == '[') {
        open_bracket(t, c);
        return;
    }
    t->key = key;
    t->state = c == '"' ? STRING : WORD;
    t->escaped = false;
    t->token_offset = t->offset;
    t->token[0] = c;
    t->n = 1;
}

static bool takes_end(enum state s)
{
    return s == VALUE_OR_END || s == KEY_OR_END || s == COMMA_OR_END || s == NEXT;
}

static void put_between(struct json_tidy *t, char c)
{
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        return;
    if ((c == '}' || c == ']') && takes_end(t->state)) {
        close_bracket(t, c);
    } else if (t->state == COLON || t->state == COMMA_OR_END) {
        if (c != (t->state == COLON ? ':' : ',')) {
            damaged(t, t->state == COLON ? "has no colon after a key" : "has no comma between values",
                    t->offset);
            return;
        }
        if (c == ':')
            pass(t, ":", 1);
        t->state = c == ':' ? VALUE : NEXT; /* the comma is passed with what follows it */
    } else {
        begin_value(t, c);
    }
}

static void put_byte(struct json_tidy *t, char c)
{
    if (t->state == STRING) {
        put_string(t, c);
        return;
    }
    if (t->state == WORD) {
        if (is_word_byte(c)) {
            if (t->n == TOKEN_B)
                damaged(t, "has a number that is too long", t->token_offset);
            else
                t->token[t->n++] = c;
            return;
        }
        end_word(t);
    }
    if (t->state != DAMAGED)
        put_between(t, c);
}

bool json_tidy_put(struct json_tidy *t, const char *p, size_t n)
{
    for (size_t i = 0; i < n && t->state != DAMAGED; i++) {
        if (t->bom < 3 && p[i] == "\xEF\xBB\xBF"[t->bom] && t->offset == t->bom)
            t->bom++;
        else
            put_byte(t, p[i]);
        t->offset++;
    }
    return t->state != DAMAGED;
}

bool json_tidy_end(struct json_tidy *t)
{
    if (t->state == WORD && !t->depth) /* in a bracket it may be the half of one */
        end_word(t);
    if (t->state == STRING)
        damaged(t, "ends inside a string", t->offset);
    else if (t->state != BETWEEN && t->state != DAMAGED)
        damaged(t, "ends inside a document", t->offset);
    else if (!t->any && t->state != DAMAGED)
        damaged(t, "holds nothing", t->offset);
    pretty_put(&t->pretty, NULL, 0, t->write, t->arg);
    if (t->any)
        t->write(t->arg, "\n", 1);
    return t->state != DAMAGED;
}

struct json_tidy_facts json_tidy_facts(const struct json_tidy *t)
{
    return t->facts;
}
