/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of JSON and Python: types, words and integers of versions
 * (doc/formats/framework.md#integer-codes).
 */
#include "config.h"

#include "base/words.h"
#include "configure/config_int.h"

enum atom { A_NULL, A_BOOL, A_INT, A_FLOAT, A_STRING, A_NAME, A_LIST, A_OBJECT, A_BAD };

static struct str of_token(const struct reading *r, struct token t)
{
    return str_sub(r->text, t.at, t.n);
}

static enum atom atom_of(const struct reading *r, struct token t)
{
    struct str s = of_token(r, t);
    bool python = r->t->form == FORM_PYTHON;
    int64_t n;
    double x;

    switch (t.kind) {
    case TK_STRING:
        return A_STRING;
    case TK_NUMBER:
        return str_i64(s, &n) ? A_INT : str_f64(s, &x) ? A_FLOAT : A_BAD;
    case TK_NAME:
        if (str_eq(s, python ? STR("None") : STR("null")))
            return A_NULL;
        if (str_eq(s, python ? STR("True") : STR("true")) || str_eq(s, python ? STR("False") : STR("false")))
            return A_BOOL;
        return python ? A_NAME : A_BAD;
    case TK_MARK:
        return s.p[0] == '[' ? A_LIST : s.p[0] == '{' ? A_OBJECT : A_BAD;
    default:
        return A_BAD;
    }
}

/* What to write, with the integers where the version takes these. */
static void add_wanted(const struct reading *r, const struct switch_def *d, struct buf *out)
{
    const char *codes = switch_codes(&d->at[r->at], r->t->version);
    struct str rest = str_of(codes), pair, word;
    struct buf b;

    if (codes) {
        for (const char *sep = "one of "; str_next(&rest, '|', &pair); sep = ", ") {
            word = str_sub(pair, 0, str_chr(pair, '='));
            buf_printf(out, "%s%.*s (%.*s)", sep, (int)(pair.n - word.n - 1), word.p + word.n + 1,
                       (int)word.n, word.p);
        }
        return;
    }
    buf_init(&b, 4096);
    if (d->type == ST_BOOL && r->t->form == FORM_PYTHON)
        buf_puts(out, "True or False");
    else
        switch_values(d, out);
    bool example = d->type == ST_WORDS || d->type == ST_TEXTS || d->type == ST_INTS || d->type == ST_TEXT;
    if (example && config_value(r->t, d->id, str_of(d->default_value), &b) && b.n)
        buf_printf(out, ", as %s", b.p);
    buf_done(&b);
}

static void say_wrong(struct reading *r, const struct switch_def *d, struct token t, const char *why)
{
    struct buf b;

    buf_init(&b, 4096);
    add_wanted(r, d, &b);
    config_say(r, REMARK_WRONG, t.at, d, "%.*s %s, so that it is as if the key were not there: write %s",
               (int)(t.n > 40 ? 40 : t.n), r->text.p + t.at, why, b.p ? b.p : "");
    buf_done(&b);
}

/* ---- one value ---- */

/* An integer that stands for a word. */
static bool take_code(struct reading *r, const struct switch_def *d, struct token t, struct buf *out)
{
    const struct switch_place *p = &d->at[r->at];
    const char *written = switch_codes(p, r->t->version), *codes = written ? written : p->codes;
    struct str word = pairs_back(codes, of_token(r, t));

    if (!codes)
        return say_wrong(r, d, t, "is a number"), false;
    if (!word.p)
        return say_wrong(r, d, t, "stands for nothing"), false;
    if (!written) {
        struct buf b;
        buf_init(&b, 400);
        config_value(r->t, d->id, word, &b);
        config_say(r, REMARK_NOTE, t.at, d, "the integer %.*s is taken with a warning: write %s", (int)t.n,
                   r->text.p + t.at, b.p ? b.p : "the word");
        buf_done(&b);
    }
    buf_add(out, word);
    return true;
}

/* A word as text or name. integers: the version takes these alone. */
static bool take_word(struct reading *r, const struct switch_def *d, struct token t, struct buf *out)
{
    const struct switch_place *p = &d->at[r->at];
    enum atom a = atom_of(r, t);
    struct buf b;

    buf_init(&b, 65536);
    if (a == A_STRING)
        token_string(r->text, t, &b);
    else
        buf_add(&b, str_after_last(of_token(r, t), '.'));
    struct str here = buf_str(&b), word = pairs_back(p->words, here);
    bool good = word.p || (!pairs_are_all(p->words) && word_index(d->words, '|', here) >= 0);
    if (a == A_STRING && switch_codes(p, r->t->version))
        say_wrong(r, d, t, "is a text, and this version takes integers"), good = false;
    else if (!good)
        say_wrong(r, d, t, "is none of its values");
    else
        buf_add(out, word.p ? word : here);
    buf_done(&b);
    return good;
}

static bool take_number(struct reading *r, const struct switch_def *d, struct token t, struct buf *out)
{
    int64_t n = 0;
    enum atom a = atom_of(r, t);

    if (d->type == ST_FLOAT && (a == A_INT || a == A_FLOAT || a == A_NULL)) {
        if (r->text.p[t.at] == '-')
            return say_wrong(r, d, t, "is below 0"), false;
        buf_add(out, a == A_NULL ? STR("null") : of_token(r, t));
        return true;
    }
    if (a != A_INT)
        return say_wrong(r, d, t, a == A_STRING ? "is a text" : "is no whole number"), false;
    str_i64(of_token(r, t), &n);
    if (n < d->min || n > d->max)
        return say_wrong(r, d, t, "is out of range"), false;
    buf_add(out, of_token(r, t));
    return true;
}

static bool take_scalar(struct reading *r, const struct switch_def *d, struct token t, struct buf *out)
{
    enum atom a = atom_of(r, t);

    switch (d->type) {
    case ST_BOOL:
        if (a != A_BOOL)
            return say_wrong(r, d, t, a == A_STRING ? "is a text" : "is neither true nor false"), false;
        buf_puts(out, (r->text.p[t.at] | 0x20) == 't' ? "true" : "false");
        return true;
    case ST_INT:
    case ST_INTS:
    case ST_FLOAT:
        return take_number(r, d, t, out);
    case ST_TEXT:
    case ST_TEXTS:
        if (a != A_STRING)
            return say_wrong(r, d, t, "is no text in quotes"), false;
        token_string(r->text, t, out);
        return true;
    case ST_WORD:
    case ST_WORDS:
        if (a == A_INT)
            return take_code(r, d, t, out);
        if (a == A_STRING || a == A_NAME || ((a == A_NULL || a == A_BOOL) && d->at[r->at].words))
            return take_word(r, d, t, out);
        break;
    case ST_JSON:
        break;
    }
    return say_wrong(r, d, t, "is of another type"), false;
}

static bool take_list(struct reading *r, const struct switch_def *d, struct token t, struct buf *out)
{
    size_t at = t.at + 1;
    const char *sep = "";
    struct token item;

    if (switch_codes(&d->at[r->at], r->t->version))
        return say_wrong(r, d, (struct token){ .at = t.at, .n = 1 },
                         "begins a list, and this version takes "
                         "integers"),
               false;
    while (!token_is(r->text, item = token_code(r->text, &at), ']')) {
        struct token comma;
        buf_puts(out, sep);
        if (!take_scalar(r, d, item, out))
            return false;
        comma = token_code(r->text, &at);
        if (token_is(r->text, comma, ']'))
            break;
        if (!token_is(r->text, comma, ','))
            return say_wrong(r, d, comma, "is not expected in a list"), false;
        sep = ",";
    }
    return true;
}

static bool take_value(struct reading *r, const struct switch_def *d, struct token v, struct buf *out)
{
    enum atom a = atom_of(r, v);
    bool list = d->type == ST_WORDS || d->type == ST_TEXTS || d->type == ST_INTS;

    if (list && a == A_LIST)
        return take_list(r, d, v, out);
    if (list && a == A_NULL)
        return true;
    if (list && a != A_INT)
        return say_wrong(r, d, v,
                         a == A_STRING ? "is a text, of which each letter counts as an entry" : "is no list"),
               false;
    if (d->type == ST_JSON && a == A_OBJECT) {
        size_t at = v.at + 1;
        token_skip(r->text, v, &at);
        for (size_t i = v.at; i < at; i++) /* on one line */
            buf_addc(out, r->text.p[i] && strchr("\n\r\t", r->text.p[i]) ? ' ' : r->text.p[i]);
        return true;
    }
    return take_scalar(r, d, v, out);
}

void config_take(struct reading *r, const struct switch_def *d, struct str value, size_t at)
{
    struct err e = ERR_INIT;

    if (r->seen[d->id])
        config_say(r, REMARK_NOTE, at, d, "%s is here twice: the last one counts", d->name);
    r->seen[d->id] = r->named[d->id] = true;
    r->key_at[d->id] = config_origin(r, at); /* in bytes of the whole */
    if (choice_set(r->c, d->id, value, &e) == ERR_NOMEM)
        err_nomem(r->e);
    else if (e.code)
        config_say(r, REMARK_WRONG, at, d, "%s", e.text);
    else if (r->fn)
        r->fn(r->arg, &(struct remark){ .kind = REMARK_VALUE, .at = at, .d = d, .value = value });
    if (!e.code && d->obsolete)
        config_say(r, REMARK_NOTE, at, d, "%s is obsolete: %s", d->name, d->obsolete);
}

void config_member(struct reading *r, struct str key, const char *in, size_t key_at, struct token v)
{
    const struct switch_def *d = NULL;
    struct buf b;

    for (size_t i = 0; i < N_SWITCHES && !d; i++) {
        const char *own = switch_key(&switch_defs[i], r->at, r->t->version);
        const char *scope = switch_defs[i].at[r->at].scope;
        bool here = r->t->form == FORM_PYTHON || (in && scope ? !strcmp(in, scope) : in == scope);
        if (own && here && str_eq(str_of(own), key))
            d = &switch_defs[i];
    }
    if (!d) {
        config_unknown(r, key, key_at);
        return;
    }
    r->named[d->id] = true;
    r->key_at[d->id] = config_origin(r, key_at);
    buf_init(&b, 65536);
    if (take_value(r, d, v, &b) && !buf_failed(&b))
        config_take(r, d, buf_str(&b), key_at);
    buf_done(&b);
}
