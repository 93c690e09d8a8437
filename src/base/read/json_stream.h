/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streaming JSON reader (pull), for documents that grow with the run: never holds the document, no DOM, no
 * doubles, no recursion.
 *
 * Two layers on one infile:
 * - js_next(): a token at a time for any document; the parser keeps its own position.
 * - trace events: js_event() reads one flat object of a Chrome trace array at once
 *   (doc/performance.md#trace-scanner), much faster.
 * After damage the reader resynchronises at the next event object (js_event) or stops (js_next).
 */
#ifndef NPUSCOPE_JSON_STREAM_H
#define NPUSCOPE_JSON_STREAM_H

#include "base/read/infile.h"

struct js;

NODISCARD int js_new(struct js **out, struct infile *f, struct err *e);
void js_free(struct js *j);

enum js_token {
    JS_END, /* end of the document */
    JS_OBJ,
    JS_OBJ_END,
    JS_ARR,
    JS_ARR_END,
    JS_KEY,    /* text: the key, unescaped */
    JS_STRING, /* text: unescaped */
    JS_NUMBER, /* text: as written; also NaN, Infinity, -Infinity, which Python writes */
    JS_TRUE,
    JS_FALSE,
    JS_NULL,
    JS_BAD /* damaged or cut here: js_problem() says why, js_offset() where; nothing more comes */
};

/*
 * Next token. *text is borrowed until the next call (STR_NULL for tokens without text). A trailing comma is
 * accepted. Strings above LIM_JSON_STRING_B are cut (js_was_cut()). Nesting above LIM_JSON_DEPTH is JS_BAD.
 * Errors: ERR_IO, ERR_NOMEM.
 */
NODISCARD int js_next(struct js *j, enum js_token *tok, struct str *text, struct err *e);
/* Skip the value whose first token was just read (JS_OBJ or JS_ARR: to its end; scalars: nothing to do). */
NODISCARD int js_skip(struct js *j, enum js_token first, struct err *e);
int js_depth(const struct js *j);
uint64_t js_offset(const struct js *j); /* of the current token or event */
uint32_t
js_line(const struct js *j); /* 1-based line of it (0 when not counted: js_event on one-line files) */
bool js_was_cut(const struct js *j);
/* What was cut, for people ("a string of 20 MiB, limit 16 MiB: cut"); until the next token. */
const char *js_cut_text(struct js *j);
const char *js_problem(const struct js *j);
bool js_over_limit(const struct js *j); /* the problem is a limit of ours (base/limits.h), no damage */

/*
 * One event of a trace. Texts are raw bytes between the quotes when esc is 0; js_unescape() makes them plain.
 */
struct js_event {
    uint64_t off;                  /* offset of its '{' */
    char ph;                       /* 0: none */
    bool has_ts, has_dur, rounded; /* rounded: digits beyond ns were lost */
    int64_t ts_ns, dur_ns;         /* decimal us text, string or number, to ns: exact, half up */
    struct str name, cat;          /* p NULL: absent */
    struct str pid, tid, id;       /* as written: digits or text */
    struct str args;               /* the text of the args object including braces; p NULL: absent */
    unsigned esc;                  /* JS_ESC_*: which texts hold backslashes */
};
#define JS_ESC_NAME 1u
#define JS_ESC_CAT  2u
#define JS_ESC_PID  4u
#define JS_ESC_TID  8u
#define JS_ESC_ID   16u

enum js_event_status {
    JS_EV_EVENT,
    JS_EV_BAD, /* a damaged event was skipped (js_problem, js_offset); reading goes on with the next one */
    /*
     * the file ends inside an event or without ']'; then JS_EV_END. js_cut_bytes() > 0 when an event was lost
     */
    JS_EV_CUT,
    JS_EV_END
};

/*
 * Next event of a trace: the file is an array of objects, or an object with such an array under "traceEvents"
 * (other keys skipped). An array under another key counts when its first object has a `ph` (before what is
 * damaged or too long in it). Empty objects are no events; objects without `ph` are (ph 0). Missing and
 * doubled commas and a comma before ']' are accepted. A time that is no number, or a control character in a
 * string, is damage; null, NaN and Infinity leave has_ts or has_dur false. *ev is borrowed until the next
 * call. Events above LIM_JSON_EVENT_B are JS_EV_BAD. Errors: ERR_IO, ERR_NOMEM. ts and dur are microseconds
 * in the file, whatever its displayTimeUnit.
 */
NODISCARD int js_event(struct js *j, enum js_event_status *st, struct js_event *ev, struct err *e);
uint64_t js_cut_bytes(const struct js *j);
/* The text of the event that js_event() gave last, with its braces; borrowed until the next call. */
struct str js_event_text(const struct js *j);

/*
 * Undo the escapes of a raw string into out (at least s.n bytes; never longer). Returns the plain text,
 * invalid escapes kept as they are, unpaired surrogates as U+FFFD.
 */
struct str js_unescape(struct str s, char *out);

/*
 * Look up key in the text of one JSON object (js_event.args, a small sub-document held in memory): *val is
 * the raw text of the value (strings without quotes, *is_string set). No nesting is entered. false: absent or
 * damaged.
 */
bool js_find(struct str object, struct str key, struct str *val, bool *is_string);
/* Walk the members of one object: *pos starts at 0. false at the end or at damage. */
bool js_member(struct str object, size_t *pos, struct str *key, struct str *val, bool *is_string);

#endif
