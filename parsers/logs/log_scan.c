/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/logs/log_scan.h"

#include <stdlib.h>

#include "base/read/infile.h"
#include "parsers/logs/log_block.h"

#define NEAR_LINES  40                 /* in which a time is looked for before a record without one */
#define FACT_LINES  60                 /* at the beginning and end of a file, for the same */
#define LONG_LINE_B ((size_t)64 << 10) /* of a longer line only what lies around a word is looked at */
#define BLOCK_JOIN  40                 /* lines after a Python block in which a code belongs to it */
#define BLOCKS      16                 /* Python blocks that are open at a time: ranks of one console */

struct scan {
    const struct signature_scan *m;
    enum log_kind kind;
    const struct log_sink *out;
    struct log_facts *facts;
    uint64_t base;          /* offset of the region */
    struct str all;         /* the region: whole lines */
    size_t counted;         /* bytes of it whose line ends are counted in `line` */
    uint64_t line;          /* number of the line at `counted` */
    struct log_time before; /* last time in what was read before the region */
    uint64_t near_at;       /* offset of the last record without a time, UINT64_MAX: none */
    struct log_time near;   /* what was found for it */
    struct log_block blocks[BLOCKS];
    size_t n_open;         /* of them */
    struct log_event held; /* of a Python block, until it is known whether a code follows */
    bool holds;
    uint64_t held_to; /* line up to which it does */
    char held_text[LOG_TEXT_B], held_frame[512], held_module[32];
    char text[LONG_LINE_B];
};

static uint64_t line_at(struct scan *s, size_t at)
{
    while (s->counted < at) {
        const char *p = memchr(s->all.p + s->counted, '\n', at - s->counted);
        if (!p) {
            s->counted = at;
            break;
        }
        s->counted = (size_t)(p - s->all.p) + 1;
        s->line++;
    }
    return s->line;
}

static bool is_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Bounds of the line that holds byte `at`, not before `least`; of a long one a part around it. */
static struct str line_around(struct str all, size_t least, size_t at)
{
    size_t from = at, to = at;
    while (from > least && !is_end(all.p[from - 1]) && at - from < LONG_LINE_B / 2)
        from--;
    while (to < all.n && !is_end(all.p[to]) && to - from < LONG_LINE_B - 1)
        to++;
    return str_sub(all, from, to - from);
}

/* The line before `at`, which is the beginning of one; false: there is none. */
static bool line_before(struct str all, size_t *at, struct str *line)
{
    if (!*at)
        return false;
    size_t to = is_end(all.p[*at - 1]) ? *at - 1 : *at;
    if (to && to < all.n && all.p[to] == '\n' && all.p[to - 1] == '\r')
        to--;
    size_t from = to;
    while (from > 0 && !is_end(all.p[from - 1]) && to - from < LONG_LINE_B)
        from--;
    *line = str_sub(all, from, to - from);
    *at = from;
    return true;
}

/* Time of the last line before `at` that has one; for another record without a time it was looked for. */
static struct log_time time_before(const struct scan *s, size_t at)
{
    struct str line;
    struct log_head h;

    for (int i = 0; i < NEAR_LINES && line_before(s->all, &at, &line); i++) {
        log_head_read(str_sub(line, 0, 512), &h);
        if (h.time.clock != LOG_NO_TIME)
            return h.time;
        if (s->base + at == s->near_at)
            return s->near;
    }
    return s->before.clock != LOG_NO_TIME ? s->before : s->facts->first;
}

static void find_near_time(struct scan *s, size_t at, struct log_event *ev)
{
    if (s->near_at != s->base + at)
        s->near = time_before(s, at);
    s->near_at = s->base + at;
    ev->head.time = s->near;
    ev->time_near = true;
}

/* Worth of a role: which of several signatures of a record is the most telling. */
static int worth(enum log_role r)
{
    static const int of[] = {
        [LOG_CAUSE] = 4, [LOG_EITHER] = 3, [LOG_CONSEQUENCE] = 2, [LOG_MARK] = 1, [LOG_NOISE] = 0
    };
    return of[r];
}

/* What a writer calls information or a warning is no failure, whatever it says. */
static enum log_role role_of(const struct signature *g, const struct log_head *h, enum log_kind kind)
{
    bool process = kind == LOG_PLOG || kind == LOG_DEVLOG || kind == LOG_CONSOLE || kind == LOG_LAUNCHER;
    bool mild =
        h->level == LOG_INFO || h->level == LOG_WARNING || h->level == LOG_DEBUG || h->level == LOG_EVENT;
    return process && mild && g->role != LOG_MARK && !strchr(g->where, '!') ? LOG_NOISE : g->role;
}

static int emit(struct scan *s, const struct log_event *ev, struct err *e)
{
    if (s->out->cancelled && s->out->cancelled(s->out->arg)) {
        err_set(e, ERR_CANCELLED, "ended by a signal");
        return e->code;
    }
    return s->out->event(s->out->arg, ev, e);
}

/* A Python block that was held back; joined: a code that belongs to it was said beside it. */
static int release(struct scan *s, bool joined, struct err *e)
{
    if (!s->holds)
        return OK;
    s->holds = false;
    if (joined && signature_at(s->held.sig)->cls == CAUSE_PY) {
        s->held.sig = (uint16_t)signature_find("PY02");
        s->held.role = LOG_CONSEQUENCE;
    }
    return emit(s, &s->held, e);
}

/* The most telling signature of a record; false: it has none. */
static bool judge(const struct scan *s, struct str record, struct log_event *ev)
{
    uint16_t sig[32];
    size_t n = signature_match(s->m, record, s->kind, sig, 32);
    int best = -1;

    for (size_t i = 0; i < n; i++) {
        enum log_role r = role_of(signature_at(sig[i]), &ev->head, s->kind);
        /* of two that tell as much the user's own is the closer one */
        if (worth(r) > best || (worth(r) == best && signature_is_own(sig[i]))) {
            best = worth(r);
            ev->sig = sig[i];
            ev->role = r;
        }
    }
    return n > 0;
}

/* Whether a code belongs to the Python block that is held: the device says why the program's call failed. */
static bool belongs(const struct scan *s, const struct log_event *ev)
{
    const char *id = signature_at(ev->sig)->id;
    bool device =
        !strncmp(id, "HC", 2) || !strncmp(id, "RT", 2) || !strncmp(id, "DP", 2) || !strcmp(id, "PY02");
    bool same = ev->head.rank < 0 || s->held.head.rank < 0 || ev->head.rank == s->held.head.rank;
    return device && same && ev->line < s->held_to;
}

static int end_block(struct scan *s, struct log_block *b, struct err *e);

/* The first line of a Python block. Of more than there is room for the oldest ends. */
static int begin_block(struct scan *s, const struct log_event *ev, struct str text, struct err *e)
{
    struct log_block *b = NULL;

    for (size_t i = 0; i < BLOCKS && s->n_open < BLOCKS && !b; i++)
        b = log_block_is_open(&s->blocks[i]) ? NULL : &s->blocks[i];
    if (!b) {
        b = &s->blocks[0];
        for (size_t i = 1; i < BLOCKS; i++)
            if (s->blocks[i].event.line < b->event.line)
                b = &s->blocks[i];
        log_block_cut(b);
        if (end_block(s, b, e))
            return e->code;
    }
    if (release(s, false, e))
        return e->code;
    log_block_begin(b, ev, text);
    s->n_open++;
    return OK;
}

/* One record, which begins at byte `at` of the region. */
static int record(struct scan *s, struct str text, size_t at, struct err *e)
{
    struct log_event ev = { .kind = s->kind };

    log_head_read(str_sub(text, 0, 2048), &ev.head);
    if (!judge(s, text, &ev))
        return OK;
    ev.line = line_at(s, at);
    ev.offset = s->base + at;
    ev.text = str_sub(text, 0, LOG_TEXT_B);
    if (ev.head.time.clock == LOG_NO_TIME)
        find_near_time(s, at, &ev);
    if (signature_at(ev.sig)->cls == CAUSE_PY && ev.role == LOG_CAUSE)
        return begin_block(s, &ev, text, e);
    if (s->holds && log_role_tells(ev.role) && release(s, belongs(s, &ev), e))
        return e->code;
    return emit(s, &ev, e);
}

/* A line without colours: they are taken out of a copy. */
static struct str uncoloured(struct scan *s, struct str line)
{
    if (!memchr(line.p, '\033', line.n))
        return line;
    memcpy(s->text, line.p, line.n);
    return (struct str){ s->text, log_head_uncolour(s->text, line.n) };
}

/* A line with a word of a signature: one record, or several without a line end between them. */
static int line_with_hit(struct scan *s, struct str line, size_t at, struct err *e)
{
    size_t n = line.n, first = log_head_glued(line, 0);
    /* What stands before the first head is the prefix of who copied the line, unless it says something. */
    bool prefix = first && first < 300 && signature_next(s->m, str_sub(line, 0, first), 0) == SIZE_MAX;

    for (size_t from = 0; from < n;) {
        size_t next = !from && !prefix && first ? first : log_head_glued(line, from ? from + 1 : first + 1);
        size_t to = next == SIZE_MAX ? n : next;
        if (record(s, str_sub(line, from, to - from), at, e))
            return e->code;
        from = to;
    }
    return OK;
}

/* The end of a Python block is there: its last line may say more than that there was an exception. */
static int end_block(struct scan *s, struct log_block *b, struct err *e)
{
    struct log_event last = b->event, said;

    if (release(s, false, e))
        return e->code;
    last.text = log_block_text(b);
    last.head.text_at = 0; /* it was that of the first line, whose prefix this text does not have */
    last.frame = str_of(b->frame);
    last.frame_line = b->frame_line;
    said = last;
    if (last.text.n && judge(s, last.text, &said) && log_role_tells(said.role) &&
        signature_at(said.sig)->cls != CAUSE_PY)
        last = said;
    s->held = last;
    s->held.text = log_text_copy(s->held_text, sizeof s->held_text, last.text);
    s->held.frame = log_text_copy(s->held_frame, sizeof s->held_frame, last.frame);
    s->held.head.module = log_text_copy(s->held_module, sizeof s->held_module, last.head.module);
    s->held_to = last.line + b->lines + b->others + BLOCK_JOIN;
    s->holds = true;
    s->n_open--;
    return OK;
}

/* *taken: a Python block that is open has the line. */
static int line_of_block(struct scan *s, struct str line, bool *taken, struct err *e)
{
    *taken = false;
    for (size_t i = 0; i < BLOCKS && !*taken; i++) {
        struct log_block *b = &s->blocks[i];
        enum log_block_step step = log_block_is_open(b) ? log_block_line(b, line) : LOG_BLOCK_BETWEEN;
        *taken = step == LOG_BLOCK_GOES_ON;
        if (step == LOG_BLOCK_ENDED_BEFORE && end_block(s, b, e))
            return e->code;
    }
    return OK;
}

static size_t after_end(struct str all, size_t at)
{
    if (at < all.n && is_end(all.p[at]))
        at += all.p[at] == '\r' && at + 1 < all.n && all.p[at + 1] == '\n' ? 2 : 1;
    return at;
}

static int scan_region(struct scan *s, struct err *e)
{
    size_t at = 0, hit = 0; /* hit: end of the next word of a signature at or after `at`, 0: not looked for */

    while (at < s->all.n) {
        bool taken = false;
        if (hit <= at)
            hit = signature_next(s->m, s->all, at);
        if (!s->n_open && hit == SIZE_MAX)
            break;
        struct str line = line_around(s->all, at, s->n_open ? at : hit - 1), bare = uncoloured(s, line);
        size_t from = (size_t)(line.p - s->all.p);
        if (s->n_open && line_of_block(s, bare, &taken, e))
            return e->code;
        at = from + line.n;
        if (!taken && hit != SIZE_MAX && hit > from && hit <= at && line_with_hit(s, bare, from, e))
            return e->code;
        at = after_end(s->all, at);
    }
    (void)line_at(s, s->all.n);
    return OK;
}

static void note_times(struct scan *s)
{
    struct log_head h;
    size_t at = 0;

    for (int i = 0; i < FACT_LINES && at < s->all.n && s->facts->first.clock == LOG_NO_TIME; i++) {
        struct str line = line_around(s->all, at, at);
        log_head_read(str_sub(line, 0, 512), &h);
        if (h.time.clock != LOG_NO_TIME)
            s->facts->first = h.time;
        at = after_end(s->all, at + line.n);
    }
    at = s->all.n;
    struct str line;
    for (int i = 0; i < FACT_LINES && line_before(s->all, &at, &line); i++) {
        log_head_read(str_sub(line, 0, 512), &h);
        if (h.time.clock != LOG_NO_TIME) {
            s->facts->last = h.time;
            break;
        }
    }
}

/* Bytes of whole lines at the beginning of the window; all of it at the end of the file or of its room. */
static size_t whole_lines(struct infile *in, const char *p, size_t n)
{
    if (infile_eof(in))
        return n;
    for (size_t i = n; i > 0; i--)
        if (is_end(p[i - 1]) && i < n)
            return i;
    return infile_full(in) ? n : 0;
}

/* Give the blocks out that the end of the file ends. */
static int scan_end(struct scan *s, struct err *e)
{
    for (size_t i = 0; i < BLOCKS; i++)
        if (log_block_is_open(&s->blocks[i])) {
            log_block_cut(&s->blocks[i]);
            if (end_block(s, &s->blocks[i], e))
                return e->code;
        }
    return release(s, false, e);
}

static int scan_file(struct scan *s, struct infile *in, struct err *e)
{
    struct err damage = { 0 };
    size_t got, n, take;

    do {
        (void)!infile_more(in, &got, &damage); /* what was unpacked before damage is still there */
        const char *p = infile_data(in, &n);
        take = damage.code ? n : whole_lines(in, p, n);
        if (!take && !got) /* damage follows, which is only told when the window is empty */
            take = n;
        s->base = infile_offset(in);
        s->all = (struct str){ p, take };
        s->counted = 0;
        if (take) {
            s->before = s->facts->last;
            note_times(s);
            if (scan_region(s, e))
                return e->code;
            s->facts->ends_open = !is_end(p[take - 1]);
        }
        infile_take(in, take);
        s->facts->bytes = s->base + take;
        s->facts->lines = s->line - 1 + s->facts->ends_open;
    } while (!damage.code && (!infile_eof(in) || take < n));
    if (scan_end(s, e))
        return e->code;
    if (damage.code)
        *e = damage;
    return e->code;
}

int log_scan(const struct signature_scan *m, const char *path, enum log_kind kind, const struct log_sink *out,
             struct log_facts *facts, struct err *e)
{
    struct scan *s = calloc(1, sizeof *s);
    struct infile *in = NULL;

    *facts = (struct log_facts){ 0 };
    if (!s)
        return err_nomem(e);
    s->m = m;
    s->kind = kind;
    s->out = out;
    s->facts = facts;
    s->line = 1;
    s->near_at = UINT64_MAX;
    if (infile_open(&in, path, 0, e) == OK)
        (void)!scan_file(s, in, e);
    infile_close(in);
    free(s);
    return e->code;
}
