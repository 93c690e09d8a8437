/* SPDX-License-Identifier: Apache-2.0 */
/* From a sentence to its format, and to the sentence of another language. */
#include "config.h"

#include "base/lang/said.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/lang/tr.h"
#include "base/str.h"

#define CONTEXT       "said"
#define PIECES        17   /* of a format; one with more is not looked for */
#define DEPTH         5    /* sentences within sentences */
#define SENTENCE_B    1200 /* longer texts are no sentences of the program */
#define BUDGET        4000 /* bytes looked at for a format in a text: names of the data may be anything */
#define LEAST_LETTERS 2    /* letters that a format must have besides its values */

/* What sentences end with, and reasons of the system. */
const char *const said_parts[] = {
    "; did you mean '%s'?",
    "; did you mean --%s?",
    "'%s' does",
    "'%s' and '%s' do",
    "'%s', '%s' and '%s' do",
    "'%s', '%s', '%s' and '%s' do",
    "line %u",
    "column %s",
    "not of this run",
    "of its time",
    "of rank %d",
    "same data in %s",
    "superseded",
    "what its records belong to is not here; x shows them",
    "end of the profile's data",
    "begun, and never ended",
    "the last that it did",
    "last record of the device",
    "clock of the profile",
    "said in the line",
    "waited in it until the timeout",
    "and more of the same",
    "ops",
    "steps",
    "fwd+bwd",
    "%llu tasks began and have no end: they are not in the results",
    "%llu tasks ended and have no start: they are not in the results",
    "rows whose op may be untrue are marked",
    "rows whose name may be untrue are marked",
    "rows whose time may be untrue are marked",
    "rows whose duration may be untrue are marked",
    "rows whose figures may be untrue are marked",
    "rows whose time, duration may be untrue are marked",
    "rows whose name, op may be untrue are marked",
    "the slice is missing",
    "the clock of %s is %s ahead of that of %s, to within %s",
    "the clock of %s is %s behind that of %s, to within %s",
    "the folder itself",
    "unknown, taken as UTC",
    "file names",
    "alive",
    "reserved",
    "process",
    "other servers",
    "ends of processes",
    "several columns begin with %s",
    "no column %s",
    "a value is missing after %s",
    "not a range a..b: %s",
    "a text column cannot be compared with %s",
    "not a number: %s",
    "not closed: %s",
    "a text is missing after %s",
    "the logs of the host%s%s are in %s, those of its processes in %s",
    "a packed copy of the same file",
    "the same export lies here in one file and in slices",
    "an older export",
    "the database of ASCEND_PROFILER_OUTPUT holds the same",
    "ASCEND_PROFILER_OUTPUT holds the same rows",
    "analysed files are read",
    "a link to a file that is listed itself",
    "nested too deeply: not read",
    "no permission to open the folder",
    "cannot open the folder: %s",
    "the folder cannot be read",
    "too many files: the rest of the folder was left out",
    "at byte %lu",
    "at byte %lu (line %u)",
    "No such file or directory",
    "Permission denied",
    "Operation not permitted",
    "Is a directory",
    "Not a directory",
    "File exists",
    "No space left on device",
    "Disk quota exceeded",
    "Read-only file system",
    "Input/output error",
    "Too many open files",
    "Too many levels of symbolic links",
    "File name too long",
    "Cannot allocate memory",
    "Invalid argument",
    "Broken pipe",
    NULL,
};

/* A format is pieces: a literal, and what stands after it. */
enum value_kind { V_NONE, V_TEXT, V_CHAR, V_WHOLE, V_HEX, V_REAL };
struct form {
    struct {
        struct str literal;
        enum value_kind kind;
    } v[PIECES];
    size_t n;
    size_t literals; /* bytes of all literals */
    size_t letters;
};

struct match {
    struct str text;
    struct str values[PIECES];
    unsigned budget;
};

/* The directive after a '%': *p is moved after it. */
static enum value_kind directive(const char **p, size_t *place)
{
    const char *s = *p;

    *place = 0;
    if (s[0] >= '1' && s[0] <= '9' && s[1] == '$') {
        *place = (size_t)(s[0] - '0');
        s += 2;
    }
    s += strspn(s, "-+ #0123456789.*");
    s += strspn(s, "hlzjt");
    *p = *s ? s + 1 : s;
    switch (*s) {
    case 's':
        return V_TEXT;
    case 'c':
        return V_CHAR;
    case 'd':
    case 'i':
    case 'u':
        return V_WHOLE;
    case 'x':
    case 'X':
        return V_HEX;
    case 'f':
    case 'g':
    case 'e':
        return V_REAL;
    default:
        return V_NONE;
    }
}

/* false: it has too many pieces. */
static bool split_form(struct form *f, const char *format)
{
    size_t ignored;

    *f = (struct form){ 0 };
    for (const char *p = format;; f->n++) {
        const char *end = strchr(p, '%');
        size_t n = end ? (size_t)(end - p) : strlen(p);
        bool percent = end && end[1] == '%';
        if (f->n == PIECES)
            return false;
        f->v[f->n].literal = (struct str){ p, percent ? n + 1 : n };
        f->literals += f->v[f->n].literal.n;
        for (size_t i = 0; i < n; i++)
            f->letters += (p[i] >= 'a' && p[i] <= 'z') || (p[i] >= 'A' && p[i] <= 'Z');
        if (!end) {
            f->n++;
            return true;
        }
        p = end + (percent ? 2 : 1);
        f->v[f->n].kind = percent ? V_NONE : directive(&p, &ignored);
    }
}

/* Bytes of a number at the beginning of s. */
static size_t number_bytes(struct str s, enum value_kind kind)
{
    const char *digits = kind == V_HEX    ? "0123456789abcdefABCDEFxX"
                         : kind == V_REAL ? "0123456789.e+-"
                                          : "0123456789";
    size_t n = 0, from;

    while (n < s.n && s.p[n] == ' ')
        n++;
    n += n < s.n && (s.p[n] == '-' || s.p[n] == '+');
    from = n;
    while (n < s.n && s.p[n] && strchr(digits, s.p[n]))
        n++;
    return n > from ? n : 0;
}

static bool match_from(struct match *m, const struct form *f, size_t i, size_t at, bool open);

/* Piece i with its literal at this place. */
static bool match_piece(struct match *m, const struct form *f, size_t i, size_t at)
{
    const struct str rest = str_sub(m->text, at + f->v[i].literal.n, SIZE_MAX);
    size_t n;

    if (i + 1 == f->n)
        return rest.n == 0;
    at += f->v[i].literal.n;
    switch (f->v[i].kind) {
    case V_NONE:
        return match_from(m, f, i + 1, at, false);
    case V_TEXT:
        return match_from(m, f, i + 1, at, true);
    case V_CHAR:
        n = rest.n ? 1 : 0;
        break;
    default:
        n = number_bytes(rest, f->v[i].kind);
    }
    m->values[i] = str_sub(rest, 0, n);
    return n && match_from(m, f, i + 1, at + n, false);
}

/* Where the literal of piece i stands, from a place on; SIZE_MAX: nowhere. The last piece's ends the text. */
static size_t literal_at(const struct match *m, const struct form *f, size_t i, size_t from, bool open)
{
    const struct str literal = f->v[i].literal;

    if (open && i + 1 < f->n)
        return str_find(m->text, literal, from);
    if (open && from + literal.n <= m->text.n)
        from = m->text.n - literal.n;
    return str_eq(str_sub(m->text, from, literal.n), literal) ? from : SIZE_MAX;
}

static void spend(struct match *m, size_t bytes)
{
    m->budget = bytes < m->budget ? m->budget - (unsigned)bytes : 0;
}

/*
 * Pieces from i on; open: a text of any length goes before. Its depth is that of the format. Each place that
 * is tried costs a byte of the budget, and a search for a literal those that it goes over.
 */
static bool match_from(struct match *m, const struct form *f, size_t i, size_t at, bool open)
{
    for (size_t p = at; m->budget; p++) {
        const size_t hit = literal_at(m, f, i, p, open), end = hit == SIZE_MAX ? m->text.n : hit;
        const bool searched = open && i + 1 < f->n;
        spend(m, searched ? 1 + end - p : 1);
        if (hit == SIZE_MAX)
            return false;
        p = hit;
        if (match_piece(m, f, i, p)) {
            if (open)
                m->values[i - 1] = str_sub(m->text, at, p - at);
            return true;
        }
        if (!open)
            return false;
    }
    return false;
}

static bool say(struct buf *out, struct str text, int depth);

/* A text of the program that is no format: why a file is not there. Single words are names of the data. */
static bool say_text(struct buf *out, struct str text)
{
    char msgid[SENTENCE_B];

    if (str_chr(text, ' ') >= text.n)
        return false;
    str_copy(text, msgid, sizeof msgid);
    const char *said = tr_message(msgid);
    if (said == msgid)
        return false;
    buf_puts(out, said);
    return true;
}

static void add_value(struct buf *out, struct str value, int depth)
{
    if (str_chr(value, ' ') >= value.n || !say(out, value, depth + 1))
        buf_add(out, value);
}

/* Directives of the text in the language are filled by their place among those of the format. */
static void fill_form(struct buf *out, const char *text, const struct match *m, const struct form *f,
                      int depth)
{
    size_t places[PIECES], n = 0, next = 0, place;

    for (size_t i = 0; i < f->n; i++)
        if (f->v[i].kind != V_NONE)
            places[n++] = i;
    for (const char *p = text; *p;) {
        if (*p != '%') {
            buf_addc(out, *p++);
            continue;
        }
        p++;
        if (*p == '%') {
            buf_addc(out, *p++);
            continue;
        }
        const char *from = p;
        if (directive(&p, &place) == V_NONE)
            continue;
        place = place ? place - 1 : next++;
        if (place < n && !(p - from > 2 && !memcmp(p - 3, ".0s", 3))) /* an English plural is left out */
            add_value(out, m->values[places[place]], depth);
    }
}

/* The format with most literal bytes that gives the text. */
struct best {
    const struct tr_entry *entry;
    struct match match;
    struct form form;
};

/* The first of the sorted entries that does not sort before this first byte. */
static size_t first_with(const struct tr_entry *v, size_t n, unsigned char byte)
{
    size_t from = 0, to = n;

    while (from < to) {
        const size_t mid = from + (to - from) / 2;
        if ((unsigned char)v[mid].msgid[0] < byte)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* Look among the formats that begin with this byte. */
static void find_best(struct best *b, struct str text, char byte)
{
    size_t n;
    const struct tr_entry *v = tr_messages(&n);

    for (size_t i = first_with(v, n, (unsigned char)byte); i < n && v[i].msgid[0] == byte; i++) {
        struct match m = { .text = text, .budget = BUDGET };
        struct form f;
        if (strcmp(v[i].context, CONTEXT) != 0 || !split_form(&f, v[i].msgid) || f.letters < LEAST_LETTERS ||
            f.literals <= b->form.literals || f.literals > text.n || !str_ends(text, f.v[f.n - 1].literal) ||
            !match_from(&m, &f, 0, 0, false))
            continue;
        *b = (struct best){ &v[i], m, f };
    }
}

static bool say_whole(struct buf *out, struct str text, int depth)
{
    struct best b = { 0 };

    find_best(&b, text, '%');
    if (text.p[0] != '%')
        find_best(&b, text, text.p[0]);
    if (b.entry)
        fill_form(out, b.entry->text, &b.match, &b.form, depth);
    return b.entry != NULL;
}

/* "sentence: reason", "FILE: sentence": parts that are known are translated, the others stay. */
static bool say_parts(struct buf *out, struct str text, const char *between, int depth)
{
    const size_t n = strlen(between), before = out->n;
    size_t first = str_find(text, str_of(between), 0), at = SIZE_MAX;
    struct str left, right;

    if (first == SIZE_MAX)
        return false;
    for (size_t p = text.n - n; p >= first && p > 0 && at == SIZE_MAX; p--)
        if (!memcmp(text.p + p, between, n) && say_whole(out, str_sub(text, 0, p), depth + 1))
            at = p;
    const bool said = at != SIZE_MAX;
    if (!said)
        at = first;
    left = str_sub(text, 0, at);
    right = str_sub(text, at + n, SIZE_MAX);
    if (!said)
        buf_add(out, left);
    buf_puts(out, between[0] == ';' ? "；" : said ? "：" : between);
    if (say(out, right, depth + 1))
        return true;
    buf_add(out, right);
    if (!said && !buf_failed(out))
        out->n = before;
    return said;
}

/* Append the sentence in the language. false: it is not known, and nothing was appended. */
static bool say(struct buf *out, struct str text, int depth)
{
    if (depth > DEPTH || !text.n || text.n >= SENTENCE_B)
        return false;
    return say_whole(out, text, depth) || say_text(out, text) || say_parts(out, text, ": ", depth) ||
           say_parts(out, text, "; ", depth);
}

const char *tr_said(const char *text, char *buf, size_t n)
{
    struct buf out;
    size_t entries;
    bool said;

    if (!text || !tr_messages(&entries))
        return text;
    buf_init(&out, (size_t)4 * SENTENCE_B);
    said = say(&out, str_of(text), 0) && !buf_failed(&out);
    if (said)
        str_copy(buf_str(&out), buf, n);
    buf_done(&out);
    return said ? buf : text;
}

const char *tr_sentence(const char *text, char *buf, size_t n)
{
    return tr_is_english() ? text : tr_said(text, buf, n);
}

const char *tr_said_error(const struct err *e, char *buf, size_t n)
{
    char text[SENTENCE_B];

    if (tr_said(err_message(e, text, sizeof text), buf, n) != buf)
        str_copy(str_of(text), buf, n);
    return buf;
}
