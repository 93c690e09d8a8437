/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of json_stream, shared by json_stream.c (tokens) and json_event.c (trace events); nobody
 * else includes this.
 *
 * The unread bytes p .. end are followed by INFILE_PAD quotes: every search stops there, and whatever goes
 * wrong at or after end only means that more bytes are needed.
 */
#ifndef NPUSCOPE_JSON_WINDOW_H
#define NPUSCOPE_JSON_WINDOW_H

#include "base/buf.h"
#include "base/read/json_stream.h"

enum js_input { JS_GOES_ON, JS_EOF, JS_TORN };

struct js {
    struct infile *f;
    char *base, *p, *end; /* unread bytes: those of the infile start at base, ours at p */
    uint64_t base_off;    /* offset of base */
    enum js_input input;
    char torn_text[200];
    /* of the last call: its token or event */
    uint64_t off;
    uint32_t line;
    bool cut;
    uint64_t text_b; /* of a string in pieces, or above the limit: its bytes before it was cut */
    char cut_text[80];
    const char *problem;
    bool over_limit; /* the problem is a limit of ours */
    /* tokens */
    unsigned char state; /* enum in json_stream.c */
    int depth;
    uint64_t objects; /* one bit per open container, innermost lowest: it is an object */
    uint32_t line_here;
    bool bad;
    struct buf text;
    /* events */
    unsigned char place; /* enum in json_event.c */
    bool root_object;
    bool tail;      /* members of the document's object may follow the array of events */
    char last;      /* last byte that is no blank, among those skipped while looking for an event */
    const char *at; /* where parsing an event failed */
    uint64_t cut_bytes;
};

/* Give up the bytes before j->p and read more. Pointers into the window move. A torn gzip stream is
 * no error here. */
NODISCARD int js_fill(struct js *j, struct err *e);

/* js_fill() may bring more bytes after those from j->p on. */
static inline bool js_can_fill(const struct js *j)
{
    return j->input == JS_GOES_ON && !(j->p == j->base && infile_full(j->f));
}

static inline uint64_t js_offset_of(const struct js *j, const char *p)
{
    return j->base_off + (uint64_t)(p - j->base);
}

static inline bool js_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Bytes of numbers and of true, null, NaN. */
static inline bool js_scalar_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '+';
}

/*
 * After the array of events in the document's object: read on to the object's end. *whole false: damage at
 * j->p, described by j->problem, or the end of the file.
 */
NODISCARD int js_read_tail(struct js *j, bool *whole, struct err *e);
/* Set j->problem: for a torn input why it ended, else `otherwise`. The rest of a torn input is given up. */
NODISCARD int js_end_reason(struct js *j, const char *otherwise, struct err *e);
/* The words that Python and C write for NaN and infinity. */
bool js_is_nonfinite(struct str s);
/* Skip a byte order mark at the start of the file. */
NODISCARD int js_skip_bom(struct js *j, struct err *e);

#endif
