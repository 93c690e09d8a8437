/* SPDX-License-Identifier: Apache-2.0 */
/* Slices as one stream. */
#include "config.h"

#include "parsers/read/slices.h"

#include "base/limits.h"
#include "parsers/read/lines.h"
#include "run/state.h"

#define ASK_B ((uint64_t)1 << 20)
#define ZEROS 8 /* more NULs in a row than end a line */

int slices_open(struct slices *s, struct parse_ctx *c, struct err *e)
{
    *s = (struct slices){ .c = c, .f = c->f, .last = c->f, .end = '\n' };
    s->half = c->f->slice > 0 && !c->f->later_slice;
    c->done_b = 0;
    if (c->progress)
        c->progress(c->progress_arg, 0);
    if (infile_open(&s->in, c->f->path, 0, e))
        return e->code;
    if (infile_start(s->in, c->skip_b))
        s->asked = c->skip_b;
    return OK;
}

void slices_close(struct slices *s)
{
    infile_close(s->in);
    s->in = NULL;
}

static void note_damage(struct slices *s, const struct source_file *f, const struct err *d)
{
    struct where w = { .source_id = f->id, .offset = ERR_NO_OFFSET };

    sink_note(s->c->out, d->code == ERR_LIMIT ? NOTE_LIMIT : NOTE_TORN_FILE, &w, "%s", d->text);
}

/*
 * Go on with the next slice that can be opened. false: there is none, or one is missing before it (at_gap).
 */
static bool next_slice(struct slices *s, struct err *e)
{
    struct err damage = ERR_INIT, why = ERR_INIT;
    size_t unread;

    while (s->last->next_slice) {
        const struct source_file *before = s->last;
        s->at_gap = !s->over_gap && (s->unopened || run_slice_gap(before) >= 0);
        if (s->at_gap)
            return false;
        s->done_b += infile_consumed(s->in);
        s->last = before->next_slice;
        int rc = infile_continue(s->in, s->last->path, &damage, &why);
        if (damage.code)
            note_damage(s, before, &damage);
        infile_data(s->in, &unread);
        s->border = infile_offset(s->in) + unread;
        s->unopened = rc != OK;
        s->over_gap &= s->unopened;
        if (rc == OK)
            return true;
        if (rc == ERR_NOMEM) {
            *e = why;
            return false;
        }
        struct where w = { .source_id = s->last->id, .offset = ERR_NO_OFFSET };
        sink_note(s->c->out, NOTE_BAD_FILE, &w, "%s", why.text);
        err_clear(&why);
    }
    return false;
}

static bool asked_to_stop(struct slices *s, struct err *e)
{
    uint64_t off = infile_offset(s->in);

    if (off - s->asked < ASK_B)
        return false;
    s->asked = off;
    return parse_ask(s->c, s->done_b + infile_consumed(s->in), e) != OK;
}

bool slices_more(struct slices *s, struct err *e)
{
    size_t got = 0;

    if (asked_to_stop(s, e))
        return false;
    for (;;) {
        if (infile_more(s->in, &got, e)) {
            if (e->code != ERR_FORMAT && e->code != ERR_LIMIT)
                return false;
            note_damage(s, s->last, e);
            err_clear(e);
        }
        if (got)
            return true;
        if (infile_full(s->in) || !next_slice(s, e))
            return false;
    }
}

/* Note the slice of the first unread byte: looking further may open others. */
static void settle(struct slices *s)
{
    (void)slices_where(s, infile_offset(s->in));
}

bool slices_peek(struct slices *s, size_t n, struct rec *r, struct err *e)
{
    settle(s);
    while (!rec_peek(s->in, n, r))
        if (!slices_more(s, e))
            return false;
    return true;
}

size_t slices_left(const struct slices *s)
{
    size_t n;

    infile_data(s->in, &n);
    return n;
}

void slices_take(struct slices *s, size_t n)
{
    infile_take(s->in, n);
}

bool slices_gap(struct slices *s, struct err *e)
{
    if (!s->at_gap)
        return false;
    slices_take(s, slices_left(s));
    s->at_gap = false;
    s->over_gap = s->lost = true;
    if (!slices_more(s, e))
        return false;
    settle(s);
    s->line = 0;
    return true;
}

size_t slices_phase(const struct slices *s, size_t size_b)
{
    uint64_t n = s->c->f->size_b, full = 0;

    for (const struct source_file *f = s->c->f; f->next_slice; f = f->next_slice) {
        if (f->size_b != n)
            return SIZE_MAX;
        full++;
    }
    if (full < 2 || s->c->f->slice != 0 || n % size_b == 0)
        return SIZE_MAX;
    n = n % size_b * ((uint64_t)s->last->slice % size_b) % size_b;
    return n ? size_b - (size_t)n : 0;
}

struct where slices_where(struct slices *s, uint64_t off)
{
    if (s->f != s->last && off >= s->border) {
        s->f = s->last;
        s->base = s->border;
    }
    return (struct where){ .source_id = s->f->id, .offset = off - s->base, .count = 1 };
}

/* Place of the line that begins at the first unread byte; before: slice of the last one. */
static struct where next_line(struct slices *s, const struct source_file *before)
{
    struct where w = slices_where(s, infile_offset(s->in));

    if (s->f != before)
        s->line = w.offset ? 1 : 0;
    w.line = ++s->line;
    return w;
}

/*
 * The end of the line, or as far as can be looked: at the end of all or before a missing slice, or above the
 * limit.
 */
static bool find_end(struct slices *s, size_t *n, struct err *e)
{
    size_t have, seen = 0;

    for (;;) {
        const char *p = infile_data(s->in, &have);
        const char *end = have > seen ? memchr(p + seen, s->end, have - seen) : NULL;
        *n = end ? (size_t)(end - p) : have;
        if (end || have > LIM_LINE_B)
            return end;
        seen = have;
        if (infile_full(s->in))
            infile_widen(s->in, LIM_LINE_B + 1);
        if (!slices_more(s, e))
            return false;
    }
}

/* A line of so many bytes was left out, if any. */
static void note_long(struct slices *s, const struct where *w, uint64_t *line_b)
{
    char text[80];

    if (!*line_b)
        return;
    lines_too_long(text, sizeof text, *line_b);
    s->c->lost++;
    sink_note(s->c->out, NOTE_LINE_TOO_LONG, w, "%s", text);
    *line_b = 0;
}

static void note_zeros(struct slices *s, const struct where *w)
{
    s->c->lost++;
    sink_note(s->c->out, NOTE_BAD_ROW, w, "zeros in place of text");
}

/* Zeros before a line. false: e is set. */
static bool skip_zeros(struct slices *s, struct err *e)
{
    struct where first = { 0 };
    size_t have, n;

    do {
        const char *p = infile_data(s->in, &have);
        for (n = 0; n < have && !p[n];)
            n++;
        settle(s);
        if (n && !first.count)
            first = slices_where(s, infile_offset(s->in));
        slices_take(s, n);
    } while (n == have && slices_more(s, e));
    settle(s);
    if (first.count && !e->code)
        note_zeros(s, &first);
    return !e->code;
}

/*
 * The line is no text: of zeros in a file of lines; the last of many empty ones, noted once, where NUL ends
 * them.
 */
static bool has_zeros(struct slices *s, const char *p, size_t n, const struct where *w)
{
    if (s->end == '\0') {
        s->empty = n ? 0 : s->empty + 1;
        if (s->empty == ZEROS)
            note_zeros(s, w);
        return false;
    }
    if (!n || !memchr(p, '\0', n))
        return false;
    note_zeros(s, w);
    return true;
}

static void note_half(struct slices *s, const struct where *w)
{
    s->c->lost++;
    sink_note(s->c->out, NOTE_TORN_RECORD, w, "may be the end of what a missing slice began");
}

/* Leave out the rest of a line that began in a missing slice. false: nothing comes after it, or e is set. */
static bool skip_half(struct slices *s, struct err *e)
{
    bool found = false, noted = false;
    size_t n;

    while (s->half && !found) {
        settle(s);
        found = find_end(s, &n, e);
        if (e->code || (n == 0 && !found && !slices_gap(s, e)))
            return false;
        if (n && !noted) {
            struct where w = next_line(s, NULL);
            note_half(s, &w);
            noted = true;
        }
        slices_take(s, n + found);
    }
    s->half = false;
    return true;
}

/*
 * After a missing slice a line may go on whose beginning is lost: nothing shows it, so the first line is left
 * out.
 */
static bool cross_gap(struct slices *s, struct err *e)
{
    s->half = true;
    return slices_gap(s, e) && skip_half(s, e);
}

bool slices_line(struct slices *s, struct str *line, struct where *w, bool *ended, struct err *e)
{
    uint64_t long_b = 0; /* met so far of a line above the limit */
    size_t n, have;

    slices_take(s, s->taken);
    s->taken = 0;
    if (s->half && !skip_half(s, e))
        return false;
    for (;;) {
        const struct source_file *before = s->f;
        settle(s);
        if (s->end != '\0' && !long_b && !skip_zeros(s, e))
            return false;
        bool found = find_end(s, &n, e);
        if (!e->code && n == 0 && !found)
            note_long(s, w, &long_b);
        if (!e->code && n == 0 && !found && s->at_gap && cross_gap(s, e))
            continue;
        if (e->code || (n == 0 && !found))
            return false;
        if (!long_b)
            *w = next_line(s, before);
        if (!long_b && n <= LIM_LINE_B && has_zeros(s, infile_data(s->in, &have), n, w)) {
            slices_take(s, n + found);
            continue;
        }
        if (!long_b && n <= LIM_LINE_B)
            break;
        long_b += n;
        slices_take(s, n + found);
        if (found)
            note_long(s, w, &long_b);
    }
    *line = (struct str){ infile_data(s->in, &have), n };
    *ended = n < have;
    s->taken = n + *ended;
    return true;
}
