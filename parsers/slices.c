/* Slices as one stream. */
#include "config.h"

#include "slices.h"

#include "base/limits.h"
#include "lines.h"

#define ASK_B ((uint64_t)1 << 20)
#define ZEROS 8 /* more NULs in a row than end a line */

int slices_open(struct slices *s, struct parse_ctx *c, struct err *e)
{
    *s = (struct slices){ .c = c, .f = c->f, .last = c->f, .end = '\n' };
    c->done_b = 0;
    if (c->progress)
        c->progress(c->progress_arg, 0);
    return infile_open(&s->in, c->f->path, 0, e);
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

/* Go on with the next slice that can be opened. false: there is none. */
static bool next_slice(struct slices *s, struct err *e)
{
    struct err damage = ERR_INIT, why = ERR_INIT;
    size_t unread;

    while (s->last->next_slice) {
        const struct source_file *before = s->last;
        s->done_b += infile_consumed(s->in);
        s->last = before->next_slice;
        int rc = infile_continue(s->in, s->last->path, &damage, &why);
        if (damage.code)
            note_damage(s, before, &damage);
        infile_data(s->in, &unread);
        s->border = infile_offset(s->in) + unread;
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

/* The end of the line, or as far as can be looked: at the end of all, or above the limit. */
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
        if (!slices_more(s, e))
            return false;
    }
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

/* The line is no text: of zeros in a file of lines; the last of many empty ones, noted once, where NUL ends them. */
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

bool slices_line(struct slices *s, struct str *line, struct where *w, bool *ended, struct err *e)
{
    bool too_long = false;
    size_t n, have;

    slices_take(s, s->taken);
    s->taken = 0;
    for (;;) {
        const struct source_file *before = s->f;
        settle(s);
        if (s->end != '\0' && !too_long && !skip_zeros(s, e))
            return false;
        bool found = find_end(s, &n, e);
        if (e->code || (n == 0 && !found))
            return false;
        if (!too_long)
            *w = next_line(s, before);
        if (!too_long && n <= LIM_LINE_B && has_zeros(s, infile_data(s->in, &have), n, w)) {
            slices_take(s, n + found);
            continue;
        }
        if (found && !too_long && n <= LIM_LINE_B)
            break;
        if (n > LIM_LINE_B && !too_long) {
            too_long = true;
            s->c->lost++;
            sink_note(s->c->out, NOTE_LINE_TOO_LONG, w, "longer than 1 MiB");
        } else if (!found && !too_long) {
            break;
        }
        slices_take(s, n + found);
        too_long &= !found;
    }
    *line = (struct str){ infile_data(s->in, &have), n };
    *ended = n < have;
    s->taken = n + *ended;
    return true;
}
