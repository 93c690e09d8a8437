/* SPDX-License-Identifier: Apache-2.0 */
/* The filter language: one line of text to tests on columns (doc/screens.md#filters). */
#include "config.h"

#include "model/view/filter.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/unit.h"
#include "model/view/cell.h"
#include "model/view/view.h"

struct scan {
    struct str line;
    size_t at;
    const struct view_def *def;
};

static bool at_end(const struct scan *s)
{
    return s->at >= s->line.n;
}

static void skip_blanks(struct scan *s)
{
    while (!at_end(s) && (s->line.p[s->at] == ' ' || s->line.p[s->at] == '\t'))
        s->at++;
}

/* Set the error "what 'word'", at a position of the line. */
static int fail(struct err *e, size_t at, const char *what, struct str word)
{
    char copy[80];

    err_set(e, ERR_USAGE, "%s '%s'", what, str_copy(word.p ? word : STR(""), copy, sizeof copy));
    e->offset = at;
    return e->code;
}

/* ---- columns ---- */

/* Heads say GFLOPs of a column of MFLOPs where that is the unit of its cells. */
static bool is_giga(struct str word, const struct view_col *c)
{
    return cell_is_giga(c, INFINITY) &&
           str_eq_nocase(word, str_of(cell_title(c, &(struct cell_units){ .giga = true })));
}

/* How well a word fits a column: 3: exact id or title, 2: id without its unit, 1: prefix, 0: not at all. */
static int column_fit(struct str word, const struct view_col *c)
{
    struct str id = str_of(c->id), title = str_of(c->title);
    size_t unit = str_rchr(id, '_');

    if (str_eq_nocase(word, id) || str_eq_nocase(word, title) || str_eq(word, str_of(view_col_title(c))) ||
        is_giga(word, c))
        return 3;
    if (unit != SIZE_MAX && str_eq_nocase(word, str_sub(id, 0, unit)))
        return 2;
    return (word.n < id.n && str_eq_nocase(word, str_sub(id, 0, word.n))) ||
           (word.n < title.n && str_eq_nocase(word, str_sub(title, 0, word.n)));
}

/* Column for words with a meaning in every table, where no column has that name (doc/screens.md#filters). */
static int column_by_meaning(struct str word, const struct view_def *def)
{
    for (size_t i = 0; i < def->n_cols; i++) {
        const struct view_col *c = &def->cols[i];
        if ((str_eq_nocase(word, STR("name")) && c->flags & VC_MAIN && c->type == VT_TEXT) ||
            (str_eq_nocase(word, STR("time")) && c->unit == VU_NS) ||
            (str_eq_nocase(word, STR("size")) && c->unit == VU_BYTES))
            return (int)i;
    }
    return -1;
}

/* The column that fits a word best; a prefix must fit only one. -1: none, -2: several. */
static int column_of(struct str word, const struct view_def *def)
{
    int best = 0, found = -1, same = 0;

    for (size_t i = 0; i < def->n_cols; i++) {
        int fit = column_fit(word, &def->cols[i]);
        if (fit > best) {
            best = fit;
            found = (int)i;
            same = 1;
        } else if (fit && fit == best) {
            same++;
        }
    }
    if (!best)
        return column_by_meaning(word, def);
    return best == 1 && same > 1 ? -2 : found;
}

static int main_column(const struct view_def *def)
{
    for (size_t i = 0; i < def->n_cols; i++)
        if (def->cols[i].flags & VC_MAIN)
            return (int)i;
    for (size_t i = 0; i < def->n_cols; i++)
        if (def->cols[i].type == VT_TEXT)
            return (int)i;
    return 0;
}

/* ---- values ---- */

/* A number in the column's own unit; false: not a number. */
static bool column_number(struct str text, const struct view_col *c, double *out)
{
    char kind;

    if (!unit_parse(text, out, &kind))
        return false;
    if (kind == '%' && c->unit == VU_RATIO)
        *out /= 100.0;
    return true;
}

static bool add_value(struct filter_test *t, struct str text, const struct view_col *c)
{
    struct str *texts = realloc(t->texts, (t->n + 1) * sizeof *texts);
    if (texts)
        t->texts = texts;
    double *numbers = realloc(t->numbers, (t->n + 1) * sizeof *numbers);
    if (numbers)
        t->numbers = numbers;
    if (!texts || !numbers)
        return false;
    char *copy = malloc(text.n + 1);
    if (!copy)
        return false;
    memcpy(copy, text.p, text.n);
    copy[text.n] = 0;
    t->texts[t->n] = (struct str){ copy, text.n };
    if (!c || !column_number(text, c, &t->numbers[t->n]))
        t->numbers[t->n] = NAN;
    t->n++;
    return true;
}

/*
 * Read a value: quoted, or up to the next blank. Quotes enclose the whole value, so commas inside belong to
 * it.
 */
static struct str read_value(struct scan *s)
{
    size_t from;

    if (!at_end(s) && (s->line.p[s->at] == '"' || s->line.p[s->at] == '\'')) {
        char quote = s->line.p[s->at++];
        from = s->at;
        while (!at_end(s) && s->line.p[s->at] != quote)
            s->at++;
        struct str v = str_sub(s->line, from, s->at - from);
        if (!at_end(s))
            s->at++;
        return v;
    }
    from = s->at;
    while (!at_end(s) && s->line.p[s->at] != ' ' && s->line.p[s->at] != '\t')
        s->at++;
    return str_sub(s->line, from, s->at - from);
}

static int add_list(struct filter_test *t, struct str list, char sep, const struct view_col *c, struct err *e)
{
    struct str item;

    while (str_next(&list, sep, &item))
        if (item.n && !add_value(t, item, c))
            return err_nomem(e);
    return OK;
}

static bool read_range(struct str v, const struct view_col *c, double *lo, double *hi)
{
    size_t dots = str_find(v, STR(".."), 0);

    if (dots == SIZE_MAX)
        return false;
    struct str a = str_sub(v, 0, dots), b = str_sub(v, dots + 2, v.n);
    *lo = -INFINITY;
    *hi = INFINITY;
    return (a.n == 0 || column_number(a, c, lo)) && (b.n == 0 || column_number(b, c, hi));
}

/* ---- one test ---- */

struct op_word {
    const char *text;
    enum filter_op op;
    bool negate;
};
/* Longer words come first. */
static const struct op_word op_words[] = {
    { "!~", FO_RE, true }, { "!=", FO_EQ, true }, { ">=", FO_GE, false }, { "<=", FO_LE, false },
    { "~", FO_RE, false }, { "=", FO_EQ, false }, { ">", FO_GT, false },  { "<", FO_LT, false },
};

static const struct op_word *read_op(struct scan *s)
{
    struct str rest = str_sub(s->line, s->at, s->line.n);

    for (size_t i = 0; i < ARRAY_LEN(op_words); i++) {
        if (str_starts(rest, str_of(op_words[i].text))) {
            s->at += strlen(op_words[i].text);
            return &op_words[i];
        }
    }
    return NULL;
}

/* Read "in" or "between" as a word of its own after a column name. */
static const struct op_word *read_word_op(struct scan *s)
{
    static const struct op_word words[] = { { "in", FO_IN, false }, { "between", FO_BETWEEN, false } };
    size_t at = s->at;

    skip_blanks(s);
    if (s->at > at) {
        struct str rest = str_sub(s->line, s->at, s->line.n);
        for (size_t i = 0; i < ARRAY_LEN(words); i++) {
            size_t n = strlen(words[i].text);
            if (str_starts(rest, str_of(words[i].text)) && rest.n > n && rest.p[n] == ' ') {
                s->at += n;
                skip_blanks(s);
                return &words[i];
            }
        }
    }
    s->at = at;
    return NULL;
}

static int compile_re(struct filter_test *t, struct str pattern, size_t at, struct err *e)
{
    if (re_new(&t->re, pattern, RE_NOCASE, e)) {
        if (e->offset != ERR_NO_OFFSET)
            e->offset += at;
        return e->code;
    }
    return OK;
}

static int read_column_test(struct scan *s, struct filter_test *t, const struct op_word *op, struct str name,
                            size_t name_at, struct err *e)
{
    t->col = column_of(name, s->def);
    if (t->col == -1 && str_eq_nocase(name, STR("rank")) && view_def_reads(s->def, ":rank"))
        t->col = FILTER_RANK;
    if (t->col == -1 || t->col == -2)
        return fail(e, name_at, t->col == -2 ? "several columns begin with" : "no column", name);
    const struct view_col *c = t->col == FILTER_RANK ? view_rank_column() : &s->def->cols[t->col];
    t->op = op->op;
    t->negate ^= op->negate;
    size_t at = s->at;
    struct str v = read_value(s);
    if (!v.n && t->op != FO_EQ)
        return fail(e, at, "a value is missing after", name);
    switch (t->op) {
    case FO_RE:
        return compile_re(t, v, at, e);
    case FO_EQ:
        return add_value(t, v, c) ? OK : err_nomem(e);
    case FO_IN:
    case FO_BETWEEN:
        if (c->type != VT_TEXT && read_range(v, c, &t->lo, &t->hi)) {
            t->op = FO_BETWEEN;
            return OK;
        }
        if (t->op == FO_BETWEEN)
            return fail(e, at, "not a range a..b:", v);
        return add_list(t, v, ',', c, e);
    default:
        if (c->type == VT_TEXT || !column_number(v, c, &t->lo))
            return fail(e, at,
                        c->type == VT_TEXT ? "a text column cannot be compared with" : "not a number:", v);
        return OK;
    }
}

/* Numbers that were given in GFLOPs, in the column's own unit. */
static int to_mega(struct filter_test *t, struct err *e)
{
    char text[64];

    t->lo *= 1e3;
    t->hi *= 1e3;
    for (size_t i = 0; i < t->n; i++) {
        if (isnan(t->numbers[i]))
            continue;
        t->numbers[i] *= 1e3;
        char *copy = strdup(unit_plain(text, sizeof text, t->numbers[i]));
        if (!copy)
            return err_nomem(e);
        free((char *)t->texts[i].p);
        t->texts[i] = str_of(copy);
    }
    return OK;
}

static int column_test(struct scan *s, struct filter_test *t, const struct op_word *op, struct str name,
                       size_t name_at, struct err *e)
{
    if (read_column_test(s, t, op, name, name_at, e))
        return e->code;
    return t->col >= 0 && is_giga(name, &s->def->cols[t->col]) ? to_mega(t, e) : OK;
}

static int regex_test(struct scan *s, struct filter_test *t, struct err *e)
{
    size_t from = ++s->at;

    while (!at_end(s) && s->line.p[s->at] != '/')
        s->at += s->line.p[s->at] == '\\' && s->at + 1 < s->line.n ? 2 : 1;
    struct str pattern = str_sub(s->line, from, s->at - from);
    if (at_end(s))
        return fail(e, from - 1, "not closed:", STR("/"));
    s->at++;
    t->op = FO_ROW_RE;
    t->col = -1;
    return compile_re(t, pattern, from, e);
}

/*
 * Compile substrings to a pattern of plain characters, because the matcher looks at many bytes at a time.
 * Without one, if it would be too long, they are compared one by one.
 */
static int compile_texts(struct filter_test *t, struct err *e)
{
    struct buf b;
    struct err why = ERR_INIT;

    buf_init(&b, (size_t)8 << 20);
    for (size_t i = 0; i < t->n; i++) {
        if (i)
            buf_addc(&b, '|');
        for (size_t k = 0; k < t->texts[i].n; k++) {
            char c = t->texts[i].p[k];
            if ((unsigned char)c < 128 && !str_is_word(c))
                buf_addc(&b, '\\');
            buf_addc(&b, c);
        }
    }
    bool failed = buf_failed(&b) || !t->n;
    if (!failed && re_new(&t->re, buf_str(&b), RE_NOCASE | RE_BYTES, &why))
        t->re = NULL;
    buf_done(&b);
    return why.code == ERR_NOMEM ? err_nomem(e) : OK;
}

/* "^BN|Relu", "Grad$": no name has these there, so it is meant as a regular expression. */
static bool is_anchored(struct str v)
{
    return v.p[0] == '^' || v.p[v.n - 1] == '$';
}

static int read_test(struct scan *s, struct filter_test *t, struct err *e)
{
    size_t from = s->at;

    if (s->line.p[s->at] == '!' && s->at + 1 < s->line.n) {
        t->negate = true;
        s->at++;
    }
    if (s->line.p[s->at] == '/')
        return regex_test(s, t, e);
    size_t word_at = s->at, at = s->at;
    while (at < s->line.n && str_is_word(s->line.p[at]))
        at++;
    if (at > word_at && isalpha((unsigned char)s->line.p[word_at])) {
        struct str name = str_sub(s->line, word_at, at - word_at);
        s->at = at;
        const struct op_word *op = read_op(s);
        if (!op)
            op = read_word_op(s);
        if (op)
            return column_test(s, t, op, name, word_at, e);
    }
    s->at = word_at;
    t->col = main_column(s->def);
    const bool quoted = s->line.p[word_at] == '"' || s->line.p[word_at] == '\'';
    struct str v = read_value(s);
    if (!v.n)
        return fail(e, from, "a text is missing after", STR("!"));
    if (!quoted && is_anchored(v)) {
        t->op = FO_RE;
        return compile_re(t, v, word_at, e);
    }
    t->op = FO_TEXT;
    return add_list(t, v, '|', NULL, e) ? e->code : compile_texts(t, e);
}

static void test_done(struct filter_test *t)
{
    re_free(t->re);
    for (size_t i = 0; i < t->n; i++)
        free((char *)t->texts[i].p);
    free(t->texts);
    free(t->numbers);
    free((char *)t->source.p);
}

int filter_parse(struct filter **out, struct str line, const struct view_def *def, struct err *e)
{
    struct filter *f = calloc(1, sizeof *f);
    struct scan s = { .line = line, .def = def };

    if (!f)
        return err_nomem(e);
    for (skip_blanks(&s); !at_end(&s); skip_blanks(&s)) {
        struct filter_test *tests = realloc(f->tests, (f->n + 1) * sizeof *tests);
        if (!tests) {
            err_nomem(e);
            break;
        }
        f->tests = tests;
        struct filter_test *t = &f->tests[f->n++];
        *t = (struct filter_test){ .col = -1 };
        size_t from = s.at;
        if (read_test(&s, t, e))
            break;
        struct str text = str_sub(line, from, s.at - from);
        char *copy = malloc(text.n + 1);
        if (!copy) {
            err_nomem(e);
            break;
        }
        memcpy(copy, text.p, text.n);
        copy[text.n] = 0;
        t->source = (struct str){ copy, text.n };
    }
    if (e->code) {
        filter_free(f);
        return e->code;
    }
    *out = f;
    return OK;
}

void filter_free(struct filter *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->n; i++)
        test_done(&f->tests[i]);
    free(f->tests);
    free(f);
}

/* ---- matching ---- */

void filter_renew(const struct filter_test *t)
{
    if (t->re)
        re_renew(t->re);
}

bool filter_rank(const struct filter_test *t, int rank)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d", rank);

    return t->op == FO_RE ? filter_text(t, (struct str){ text, (size_t)n }) == 1 : filter_whole(t, rank);
}

int filter_text(const struct filter_test *t, struct str value)
{
    bool hit = false;
    int m = t->re ? re_match(t->re, value, 0, NULL, NULL) : -1;

    if (m >= 0)
        return (m == 1) != t->negate;
    if (t->op == FO_RE || t->op == FO_ROW_RE)
        return -1;
    for (size_t i = 0; i < t->n && !hit; i++)
        hit = t->op == FO_TEXT ? str_find_nocase(value, t->texts[i]) != SIZE_MAX : str_eq(value, t->texts[i]);
    return hit != t->negate;
}

bool filter_number(const struct filter_test *t, double v)
{
    bool hit = false;

    switch (t->op) {
    case FO_EQ:
    case FO_IN:
        for (size_t i = 0; i < t->n && !hit; i++)
            hit = v == t->numbers[i];
        break;
    case FO_LT:
        hit = v < t->lo;
        break;
    case FO_LE:
        hit = v <= t->lo;
        break;
    case FO_GT:
        hit = v > t->lo;
        break;
    case FO_GE:
        hit = v >= t->lo;
        break;
    case FO_BETWEEN:
        hit = v >= t->lo && v <= t->hi;
        break;
    default:
        break;
    }
    return hit != t->negate;
}

/*
 * Compare a whole number with any number: -1, 0, 1; -2: d is not a number. A double cannot hold every whole
 * number, so d is made whole.
 */
static int compare(int64_t v, double d)
{
    if (isnan(d))
        return -2;
    if (d >= 9223372036854775808.0)
        return -1;
    if (d < -9223372036854775808.0)
        return 1;
    int64_t whole = (int64_t)floor(d);
    return v < whole ? -1 : v > whole ? 1 : d > (double)whole ? -1 : 0;
}

bool filter_whole(const struct filter_test *t, int64_t v)
{
    bool hit = false;
    int c = t->op == FO_EQ || t->op == FO_IN ? 0 : compare(v, t->lo);

    switch (t->op) {
    case FO_EQ:
    case FO_IN:
        for (size_t i = 0; i < t->n && !hit; i++)
            hit = compare(v, t->numbers[i]) == 0;
        break;
    case FO_LT:
        hit = c == -1;
        break;
    case FO_LE:
        hit = c == -1 || c == 0;
        break;
    case FO_GT:
        hit = c == 1;
        break;
    case FO_GE:
        hit = c == 0 || c == 1;
        break;
    case FO_BETWEEN:
        hit = c >= 0 && compare(v, t->hi) <= 0;
        break;
    default:
        break;
    }
    return hit != t->negate;
}

bool filter_unknown(const struct filter_test *t)
{
    /* an unknown value equals only the empty one; a negated test keeps it */
    return (t->op == FO_EQ && t->n && !t->texts[0].n) != t->negate;
}

/* ---- completion ---- */

void filter_complete(struct str line, size_t pos, const struct view_def *def, size_t *from,
                     void (*fn)(void *arg, struct str word), void *arg)
{
    size_t at = pos > line.n ? line.n : pos;

    while (at && str_is_word(line.p[at - 1]))
        at--;
    *from = at;
    struct str word = str_sub(line, at, pos - at);
    for (size_t i = 0; i < def->n_cols; i++)
        if (column_fit(word, &def->cols[i]) || !word.n)
            fn(arg, str_of(def->cols[i].id));
}
