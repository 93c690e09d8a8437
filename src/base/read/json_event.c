/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a Chrome trace (doc/performance.md#trace-scanner). An event is parsed from contiguous bytes only;
 * when the window ends inside it, more is read and it is parsed again from its brace.
 *
 * Damage (doc/reliability.md#bit-flips, #broken-json): the event is given up and the next brace that opens an
 * object with a `ph` is looked for after its first byte, so that an event which seems to swallow its
 * successors costs only itself.
 */
#include "config.h"

#include <stdio.h>

#include "base/limits.h"
#include "base/read/json_window.h"
#include "base/swar.h"

enum place {
    START, /* nothing was read */
    IN_ARRAY,
    BEHIND,   /* after the array's bracket, which closes the document */
    UNCLOSED, /* damage to the end of the file: its bracket was not seen */
    OVER
};

enum parsed { PARSED, NEED_MORE, DAMAGED };

/* ---- scanning: NULL is a failure, recorded in j->problem and j->at ---- */

static const char *fail(struct js *j, const char *at, const char *problem)
{
    j->at = at;
    j->problem = problem;
    return NULL;
}

static inline const char *skip_blanks(const char *p)
{
    if (*p == ' ')
        p++;
    if ((unsigned char)*p > ' ') /* nearly always: one blank or none */
        return p;
    while (js_blank(*p))
        p++;
    return p;
}

/* The closing quote of the string whose text starts at p. *escapes: set when there are any. */
static inline const char *string_end(struct js *j, const char *p, unsigned *escapes)
{
    for (;;) {
        uint64_t v = swar_load(p);
        uint64_t hit = swar_eq1(v, SWAR_LOW * '"') | swar_eq1(v, SWAR_LOW * '\\') | swar_below1(v, 0x20);
        if (!hit) {
            p += 8;
            continue;
        }
        p += swar_first(hit);
        if (*p == '"')
            return p;
        if (*p == '\\') {
            *escapes = 1;
            p++;
        }
        if ((unsigned char)*p < 0x20)
            return fail(j, p, "control character in a string");
        p++;
    }
}

/*
 * Skip the strings from the quote at p on that only colons and commas separate: the usual keys and texts of
 * args. Returns what follows them.
 */
static inline const char *skip_strings(struct js *j, const char *p)
{
    unsigned escapes;

    do {
        p = string_end(j, p + 1, &escapes);
        if (!p)
            return NULL;
        p = skip_blanks(p + 1);
        if (*p == '}' || *p == ']')
            return p;
        if (*p != ':' && *p != ',')
            return fail(j, p, "text after a string");
        p = skip_blanks(p + 1);
    } while (*p == '"');
    return p;
}

/*
 * Skip the object or array that opens at p; returns what follows it. Only brackets and strings are looked at,
 * and what follows a string: a lost or added quote swaps inside and outside, which shows there at once.
 */
static const char *skip_container(struct js *j, const char *p)
{
    uint64_t objects = 0;
    int depth = 0;

    for (;;) {
        uint64_t v = swar_load(p) | SWAR_LOW * 0x20; /* both kinds of bracket look like braces now */
        uint64_t hit =
            swar_eq1(v, SWAR_LOW * '{') | swar_eq1(v, SWAR_LOW * '}') | swar_eq1(v, SWAR_LOW * '"');
        if (!hit) {
            p += 8;
            continue;
        }
        p += swar_first(hit);
        switch (*p) {
        case '"':
            p = skip_strings(j, p);
            if (!p)
                return NULL;
            break;
        case '{':
        case '[':
            if (depth++ == LIM_JSON_DEPTH)
                return fail(j, p, "nested too deep");
            objects = objects << 1 | (*p++ == '{');
            break;
        case '}':
        case ']':
            if ((objects & 1) != (*p++ == '}'))
                return fail(j, p - 1, "bracket does not match");
            objects >>= 1;
            if (--depth == 0)
                return p;
            break;
        default: /* 0x02, which looks like a quote above */
            return fail(j, p, "control character");
        }
    }
}

/* ---- values ---- */

static inline bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline const char *skip_digits(const char *p)
{
    for (;; p += 8) {
        uint64_t v = swar_load(p) ^ SWAR_LOW * '0';
        uint64_t other = ((v + SWAR_LOW * (0x80 - 10)) | v) & SWAR_HIGH;
        if (other)
            return p + swar_first(other);
    }
}

/* Skip fraction and exponent; returns what follows them. Their value is computed where the number is used. */
static const char *number_rest(const char *p)
{
    while (digit(*p) || *p == '.' || *p == '-' || *p == '+' || *p == 'e' || *p == 'E')
        p++;
    return p;
}

/* A bare word at p, which is no number. null leaves *out alone. */
static const char *word_value(struct js *j, const char *p, struct str *out)
{
    const char *from = p;

    while (js_scalar_byte(*p))
        p++;
    struct str word = { from, (size_t)(p - from) };
    if (str_eq(word, STR("null")))
        return p;
    if (!str_eq(word, STR("true")) && !str_eq(word, STR("false")) && !js_is_nonfinite(word))
        return fail(j, p, word.n ? "unknown word" : "value expected");
    *out = word;
    return p;
}

/* The text of a string, number or word; null and containers leave *out alone. */
static inline const char *text_value(struct js *j, const char *p, struct str *out, unsigned flag,
                                     unsigned *esc)
{
    unsigned escapes = 0;

    if (*p == '"') {
        const char *q = string_end(j, p + 1, &escapes);
        if (!q)
            return NULL;
        *out = (struct str){ p + 1, (size_t)(q - p) - 1 };
        *esc = (*esc & ~flag) | (escapes ? flag : 0);
        return q + 1;
    }
    if (*p == '{' || *p == '[')
        return skip_container(j, p);
    const char *from = p;
    p += *p == '-';
    if (!digit(*p))
        return word_value(j, from, out);
    p = skip_digits(p);
    if (*p != ',' && *p != '}')
        p = number_rest(p);
    if (p - from > LIM_JSON_NUMBER_B || (*p != ',' && js_scalar_byte(*p)))
        return fail(j, p, "damaged number");
    *out = (struct str){ from, (size_t)(p - from) };
    return p;
}

static inline const char *any_value(struct js *j, const char *p)
{
    struct str text;
    unsigned esc = 0;

    return text_value(j, p, &text, 0, &esc);
}

/*
 * Microseconds with any number of decimals at p to ns, half up. Returns the first byte after it; NULL: leave
 * it to the general way (sign, exponent, out of range, no digits).
 */
static inline const char *quick_time(const char *p, int64_t *ns, bool *rounded)
{
    const char *from = p;
    uint64_t v = 0;

    for (int k = 0; k < 2; k++) {
        uint64_t w = swar_load(p);
        if (!swar_is_digits(w))
            break;
        v = v * 100000000 + swar_number(w);
        p += 8;
    }
    for (; digit(*p); p++)
        v = v * 10 + (unsigned)(*p - '0');
    if (p == from || p - from > 16)
        return NULL;
    unsigned part = 0, digits = 0, up = 0;
    if (*p == '.') {
        for (p++; digits < 3 && digit(*p); p++, digits++)
            part = part * 10 + (unsigned)(*p - '0');
        if (digits == 3 && digit(*p)) {
            up = *p >= '5';
            for (; digit(*p); p++)
                *rounded |= *p != '0';
        }
    }
    static const unsigned scale[] = { 1000, 100, 10, 1 };
    if (v > INT64_MAX / 1000 - 1 || *p == 'e' || *p == 'E')
        return NULL;
    *ns = (int64_t)(v * 1000 + part * scale[digits] + up);
    return p;
}

/* A time the general way. null, "" and the words for not-a-number leave *has false. */
static const char *slow_time(struct js *j, const char *p, int64_t *ns, bool *has, bool *rounded)
{
    struct str text = STR_NULL;
    unsigned esc = 0;
    const char *q = text_value(j, p, &text, 1, &esc);

    if (!q)
        return NULL;
    *has = str_scaled(text, 1000, ns, rounded);
    if (*has || text.n == 0 || js_is_nonfinite(text))
        return q;
    return fail(j, q, "a time is no number");
}

/* A time in us, quoted or not, to ns. */
static inline const char *time_value(struct js *j, const char *p, int64_t *ns, bool *has, bool *rounded)
{
    bool quoted = *p == '"', lost = false;
    const char *q = quick_time(p + quoted, ns, &lost);

    if (!q || (quoted ? *q != '"' : *q != ',' && js_scalar_byte(*q)))
        return slow_time(j, p, ns, has, rounded);
    *has = true;
    *rounded |= lost;
    return q + quoted;
}

static inline const char *args_value(struct js *j, const char *p, struct str *out)
{
    if (*p != '{')
        return any_value(j, p);
    const char *q = skip_container(j, p);
    if (q)
        *out = (struct str){ p, (size_t)(q - p) };
    return q;
}

static inline const char *phase_value(struct js *j, const char *p, char *ph)
{
    if (p[0] == '"' && p[1] > ' ' && p[1] != '\\' && p[1] != '"' && p[2] == '"') {
        *ph = p[1];
        return p + 3;
    }
    struct str text = STR_NULL;
    unsigned esc = 0;
    const char *q = text_value(j, p, &text, 1, &esc);

    if (q && text.n == 1)
        *ph = text.p[0];
    return q;
}

/* ---- one event ---- */

/* A key and its closing quote as the lowest bytes that swar_load() gives. */
#define BYTE(c, i)       ((uint64_t)(c) << (8 * (i)))
#define LOWEST(n)        (BYTE(1, n) - 1)
#define KEY2(a, b)       (BYTE(a, 0) | BYTE(b, 1) | BYTE('"', 2))
#define KEY3(a, b, c)    (BYTE(a, 0) | BYTE(b, 1) | BYTE(c, 2) | BYTE('"', 3))
#define KEY4(a, b, c, d) (BYTE(a, 0) | BYTE(b, 1) | BYTE(c, 2) | BYTE(d, 3) | BYTE('"', 4))

enum key { PH, TS, ID, PID, TID, DUR, CAT, NAME, ARGS, OTHER };

/* Which key begins with these bytes. *n: its length and the quote, for all but OTHER. */
static inline enum key known_key(uint64_t v, size_t *n)
{
    *n = 3;
    switch (v & LOWEST(3)) {
    case KEY2('p', 'h'):
        return PH;
    case KEY2('t', 's'):
        return TS;
    case KEY2('i', 'd'):
        return ID;
    }
    *n = 4;
    switch (v & LOWEST(4)) {
    case KEY3('p', 'i', 'd'):
        return PID;
    case KEY3('t', 'i', 'd'):
        return TID;
    case KEY3('d', 'u', 'r'):
        return DUR;
    case KEY3('c', 'a', 't'):
        return CAT;
    }
    *n = 5;
    switch (v & LOWEST(5)) {
    case KEY4('n', 'a', 'm', 'e'):
        return NAME;
    case KEY4('a', 'r', 'g', 's'):
        return ARGS;
    }
    return OTHER;
}

/* What follows the colon at p and the blanks around it. */
static inline const char *skip_colon(struct js *j, const char *p)
{
    if (*p != ':')
        p = skip_blanks(p);
    return *p == ':' ? skip_blanks(p + 1) : fail(j, p, "colon expected");
}

/*
 * The member whose opening quote is at p; returns what follows it. A known key moves p by a constant, so that
 * the processor need not wait for a length it computes: that saves a fifth of the time.
 */
static inline const char *read_member(struct js *j, const char *p, struct js_event *ev)
{
    unsigned escapes;
    size_t n;
    enum key key = known_key(swar_load(++p), &n);

    if (key == OTHER) {
        p = string_end(j, p, &escapes);
        n = 1;
    }
    p = p ? skip_colon(j, p + n) : NULL;
    if (!p)
        return NULL;
    switch (key) {
    case PH:
        return phase_value(j, p, &ev->ph);
    case TS:
        return time_value(j, p, &ev->ts_ns, &ev->has_ts, &ev->rounded);
    case DUR:
        return time_value(j, p, &ev->dur_ns, &ev->has_dur, &ev->rounded);
    case ID:
        return text_value(j, p, &ev->id, JS_ESC_ID, &ev->esc);
    case PID:
        return text_value(j, p, &ev->pid, JS_ESC_PID, &ev->esc);
    case TID:
        return text_value(j, p, &ev->tid, JS_ESC_TID, &ev->esc);
    case CAT:
        return text_value(j, p, &ev->cat, JS_ESC_CAT, &ev->esc);
    case NAME:
        return text_value(j, p, &ev->name, JS_ESC_NAME, &ev->esc);
    case ARGS:
        return args_value(j, p, &ev->args);
    default:
        return any_value(j, p);
    }
}

/* The members from p to the closing brace; returns what follows it. */
static const char *read_members(struct js *j, const char *p, struct js_event *ev)
{
    for (;;) {
        if (*p != '"')
            return *p == '}' ? p + 1 : fail(j, p, "key expected");
        p = read_member(j, p, ev);
        if (!p)
            return NULL;
        p = skip_blanks(p);
        if (*p == '}')
            return p + 1;
        if (*p != ',')
            return fail(j, p, "comma expected");
        p = skip_blanks(p + 1);
    }
}

static void too_long(struct js *j)
{
    snprintf(j->cut_text, sizeof j->cut_text, "an event of more than %zu MiB, the limit",
             LIM_JSON_EVENT_B >> 20);
    j->problem = j->cut_text;
    j->over_limit = true;
}

/* Parse the event whose brace is at p. */
static enum parsed parse_event(struct js *j, const char *p, struct js_event *ev, const char **next)
{
    *ev = (struct js_event){ .off = js_offset_of(j, p) };
    *next = read_members(j, skip_blanks(p + 1), ev);
    if (*next && (size_t)(*next - p) <= LIM_JSON_EVENT_B)
        return PARSED;
    if (*next)
        too_long(j);
    return !*next && j->at >= j->end ? NEED_MORE : DAMAGED;
}

/* More bytes may make the event at j->p whole. The window grows for a long one. */
static bool may_grow(struct js *j)
{
    if ((size_t)(j->end - j->p) > LIM_JSON_EVENT_B)
        return false;
    infile_widen(j->f, LIM_JSON_EVENT_B + 1);
    return js_can_fill(j);
}

/* For the event at j->p, which is parsed again then: twice the bytes, so that a long one costs no more. */
static int grow(struct js *j, struct err *e)
{
    size_t had = (size_t)(j->end - j->p);

    do
        if (js_fill(j, e) != OK)
            return e->code;
    while ((size_t)(j->end - j->p) < 2 * had && may_grow(j));
    return OK;
}

/* ---- damage ---- */

/* First brace from p on that a quote follows (blanks between), NULL: none. One whose follower is
 * not read yet counts. */
static const char *candidate(const struct js *j, const char *p)
{
    while (p < j->end && (p = memchr(p, '{', (size_t)(j->end - p))) != NULL) {
        const char *q = skip_blanks(p + 1);
        if (*q == '"' || q >= j->end)
            return p;
        p = q;
    }
    return NULL;
}

static void remember_last(struct js *j, const char *from, const char *to)
{
    while (to > from && js_blank(to[-1]))
        to--;
    if (to > from)
        j->last = to[-1];
}

/*
 * Move j->p to the next event at or after it. *found false: there is none. Candidates without `ph` are args
 * of lost events. Each candidate may be scanned far, but nesting is limited, so the whole stays linear.
 */
static int find_event(struct js *j, bool *found, struct err *e)
{
    struct js_event ev;
    const char *next;

    j->last = 0;
    for (;;) {
        const char *c = candidate(j, j->p);
        const char *to = c ? c : j->end;
        remember_last(j, j->p, to);
        j->p += to - j->p;
        enum parsed r = c ? parse_event(j, c, &ev, &next) : NEED_MORE;
        *found = r == PARSED && ev.ph;
        if (*found)
            return OK;
        if (r == NEED_MORE && may_grow(j)) {
            if (grow(j, e) != OK)
                return e->code;
        } else if (c) {
            j->last = *j->p++;
        } else {
            return OK;
        }
    }
}

/*
 * Give up what begins at off and go on with the next event at or after j->p. was_cut: it looked cut by the
 * end of the file; that stands when no event follows.
 */
static int recover(struct js *j, uint64_t off, bool was_cut, enum js_event_status *st, struct err *e)
{
    const char *problem = j->problem;
    bool found = false;

    if (j->p < j->end && find_event(j, &found, e) != OK)
        return e->code;
    j->off = off;
    j->problem = found && was_cut ? "event does not end" : problem;
    *st = JS_EV_BAD;
    if (found) {
        j->place = IN_ARRAY;
        return OK;
    }
    if (was_cut || j->input == JS_TORN) {
        *st = JS_EV_CUT;
        j->cut_bytes = js_offset_of(j, j->end) - off;
        j->place = OVER;
        return js_end_reason(j, problem, e);
    }
    bool closed = j->place == BEHIND || j->last == (j->root_object ? '}' : ']');
    j->place = closed ? OVER : UNCLOSED;
    return OK;
}

/* The input ended between events, and no bracket closed the array. */
static int unclosed(struct js *j, enum js_event_status *st, struct err *e)
{
    j->off = js_offset_of(j, j->end);
    j->place = OVER;
    *st = JS_EV_CUT;
    return js_end_reason(j, "the file ends without the closing bracket", e);
}

/* ---- where the events are ---- */

/* The array just opened holds events: its first object has a `ph`, as far as it is whole and not too long. */
static int starts_with_event(struct js *j, bool *yes, struct err *e)
{
    struct js_event ev;
    const char *next;

    for (;;) {
        const char *p = skip_blanks(j->p);
        enum parsed r = p >= j->end ? NEED_MORE : *p == '{' ? parse_event(j, p, &ev, &next) : DAMAGED;
        *yes = p < j->end && *p == '{' && ev.ph;
        if (r != NEED_MORE || !may_grow(j))
            return OK;
        if (grow(j, e) != OK)
            return e->code;
    }
}

enum header { HEADER_ARRAY, HEADER_NO_ARRAY, HEADER_IS_EVENT, HEADER_BAD };

/* Read the members of the document's object up to the array of events: "traceEvents", or what looks
 * like it. */
static int read_header(struct js *j, enum header *how, struct err *e)
{
    enum js_token tok;
    struct str text;

    *how = HEADER_BAD;
    if (js_next(j, &tok, &text, e) != OK)
        return e->code;
    for (;;) {
        if (js_next(j, &tok, &text, e) != OK || tok == JS_BAD)
            return e->code;
        *how = HEADER_NO_ARRAY;
        if (tok == JS_OBJ_END)
            return OK;
        *how = HEADER_IS_EVENT;
        if (str_eq(text, STR("ph")))
            return OK;
        bool events = str_eq(text, STR("traceEvents"));
        *how = HEADER_BAD;
        if (js_next(j, &tok, &text, e) != OK || tok == JS_BAD)
            return e->code;
        if (tok == JS_ARR && !events && starts_with_event(j, &events, e) != OK)
            return e->code;
        *how = HEADER_ARRAY;
        if (tok == JS_ARR && events)
            return OK;
        *how = HEADER_BAD;
        if (js_skip(j, tok, e) != OK)
            return e->code;
    }
}

/*
 * Find the array in a document that is an object. *st stays JS_EV_EVENT unless there is something to report.
 */
static int open_object(struct js *j, enum js_event_status *st, struct err *e)
{
    uint64_t root = js_offset_of(j, j->p);
    enum header how;

    j->root_object = true;
    if (read_header(j, &how, e) != OK)
        return e->code;
    j->line = 0;
    j->tail = how == HEADER_ARRAY;
    j->place = how == HEADER_NO_ARRAY ? OVER : IN_ARRAY;
    if (how == HEADER_ARRAY || how == HEADER_NO_ARRAY)
        return OK;
    bool was_cut = j->input != JS_GOES_ON && j->p >= j->end;
    bool in_window = root >= j->base_off;
    if (in_window)
        j->p = j->base + (root - j->base_off);
    j->root_object = how != HEADER_IS_EVENT;
    if (how == HEADER_IS_EVENT && in_window)
        return OK;
    j->p += in_window;
    return recover(j, root, was_cut, st, e);
}

/* Find the first event. */
static int start(struct js *j, enum js_event_status *st, struct err *e)
{
    if (js_skip_bom(j, e) != OK)
        return e->code;
    for (;;) {
        j->p += skip_blanks(j->p) - j->p;
        if (j->p < j->end || !js_can_fill(j))
            break;
        if (js_fill(j, e) != OK)
            return e->code;
    }
    if (j->p >= j->end)
        return unclosed(j, st, e);
    j->place = IN_ARRAY;
    if (*j->p == '{')
        return open_object(j, st, e);
    if (*j->p == '[') {
        j->p++;
        return OK;
    }
    j->problem = "the document is no array and no object";
    return recover(j, js_offset_of(j, j->p), false, st, e);
}

/* ---- the loop ---- */

/* Try the event whose brace is at j->p. *again: nothing to report yet. */
static int one_event(struct js *j, enum js_event_status *st, struct js_event *ev, bool *again, struct err *e)
{
    const char *next;
    enum parsed r = parse_event(j, j->p, ev, &next);

    *again = false;
    if (r == PARSED) {
        *again = next - j->p == 2 || (!ev->ph && *skip_blanks(j->p + 1) == '}'); /* {} */
        j->p += next - j->p;
        j->off = ev->off;
        return OK;
    }
    if (r == NEED_MORE && may_grow(j)) {
        *again = true;
        return grow(j, e);
    }
    bool was_cut = r == NEED_MORE && j->input != JS_GOES_ON;
    if (r == NEED_MORE)
        j->problem = "the file ends inside an event";
    if (r == NEED_MORE && !was_cut)
        too_long(j);
    j->p++; /* not this brace again */
    return recover(j, ev->off, was_cut, st, e);
}

/* After the array: only blanks may follow. */
static int behind(struct js *j, enum js_event_status *st, bool *again, struct err *e)
{
    *again = false;
    *st = JS_EV_END;
    if (j->p < j->end) {
        j->problem = "text after the array";
        return recover(j, js_offset_of(j, j->p), false, st, e);
    }
    j->place = OVER;
    return j->input == JS_TORN ? unclosed(j, st, e) : OK;
}

/* After the array: the rest of the document's object. */
static int read_tail(struct js *j, enum js_event_status *st, struct err *e)
{
    bool whole = true;

    *st = JS_EV_END;
    j->place = OVER;
    if (j->tail && js_read_tail(j, &whole, e) != OK)
        return e->code;
    j->line = 0; /* lines were not counted among the events */
    if (!whole)
        *st = j->p < j->end ? JS_EV_BAD : JS_EV_CUT;
    return OK;
}

static int next_event(struct js *j, enum js_event_status *st, struct js_event *ev, struct err *e)
{
    bool again = true;
    int rc = OK;

    while (again && rc == OK) {
        const char *p = skip_blanks(j->p);
        while (*p == ',' && j->place == IN_ARRAY)
            p = skip_blanks(p + 1);
        j->p += p - j->p;
        if (p >= j->end && js_can_fill(j)) {
            rc = js_fill(j, e);
        } else if (j->place == BEHIND) {
            rc = behind(j, st, &again, e);
        } else if (p >= j->end) {
            return unclosed(j, st, e);
        } else if (*p == '{') {
            rc = one_event(j, st, ev, &again, e);
        } else if (*p == ']') {
            j->p++;
            if (j->root_object)
                return read_tail(j, st, e);
            j->place = BEHIND;
        } else {
            j->problem = "event expected";
            return recover(j, js_offset_of(j, j->p), false, st, e);
        }
    }
    return rc;
}

int js_event(struct js *j, enum js_event_status *st, struct js_event *ev, struct err *e)
{
    *st = JS_EV_EVENT;
    j->over_limit = false;
    if (j->place == START) {
        int rc = start(j, st, e);
        if (rc != OK || *st != JS_EV_EVENT)
            return rc;
    }
    if (j->place == OVER) {
        *st = JS_EV_END;
        return OK;
    }
    if (j->place == UNCLOSED)
        return unclosed(j, st, e);
    return next_event(j, st, ev, e);
}

struct str js_event_text(const struct js *j)
{
    const char *from = j->base + (j->off - j->base_off);

    return (struct str){ from, (size_t)(j->p - from) };
}
