/* SPDX-License-Identifier: Apache-2.0 */
/* Python stacks of all threads (doc/formats/logs.md#python-stacks). */
#include "config.h"

#include "parsers/logs/pystack.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/logs/flight_entry.h"
#include "parsers/read/lines.h"

#define MEM_B ((size_t)32 << 20)

struct reader {
    struct pystack *s;
    struct parse_ctx *c;
    size_t cap_threads, cap_frames, n_frames;
    size_t first;         /* frame of the thread that is read */
    bool innermost_first; /* as it is written */
    bool in_thread, code; /* code: a source line may follow */
    uint64_t over, other; /* other: lines that say nothing */
};

static struct str keep(struct reader *r, struct str text, struct err *e)
{
    struct str kept = arena_str(r->s->mem, str_sub(text, 0, PYSTACK_TEXT_B));

    if (!kept.p)
        err_set(e, ERR_LIMIT, "the texts of a Python stack take more than the limit");
    return kept;
}

/* ---- threads ---- */

/* Frames were counted while the array could still move: pointers come last. */
static void end_thread(struct reader *r)
{
    struct pystack *s = r->s;
    size_t n = r->n_frames - r->first;

    if (!r->in_thread)
        return;
    s->threads[s->n_threads - 1].n_frames = n;
    for (size_t i = 0; !r->innermost_first && i < n / 2; i++) {
        struct pystack_frame t = s->frames[r->first + i];
        s->frames[r->first + i] = s->frames[r->n_frames - 1 - i];
        s->frames[r->n_frames - 1 - i] = t;
    }
    r->in_thread = false;
}

static int begin_thread(struct reader *r, struct err *e)
{
    struct pystack *s = r->s;

    end_thread(r);
    r->first = r->n_frames;
    r->innermost_first = false;
    if (s->n_threads == PYSTACK_THREADS) {
        r->over++;
        return OK;
    }
    struct pystack_thread *room = grow_array(s->threads, s->n_threads, &r->cap_threads, sizeof *room, 16);
    if (!room)
        return err_nomem(e);
    s->threads = room;
    room[s->n_threads++] = (struct pystack_thread){ .name = STR_NULL };
    r->in_thread = true;
    return OK;
}

/* The text between two others, the first time. p NULL: it is not there. */
static struct str between(struct str line, const char *open, const char *close)
{
    size_t at = str_find(line, str_of(open), 0), end;

    if (at == SIZE_MAX)
        return STR_NULL;
    at += strlen(open);
    end = str_find(line, str_of(close), at);
    return end == SIZE_MAX ? STR_NULL : str_sub(line, at, end - at);
}

static uint64_t hex(struct str s)
{
    uint64_t n = 0;

    for (size_t i = 0; s.p && i < s.n && i < 16; i++) {
        char ch = s.p[i];
        if (ch >= '0' && ch <= '9')
            n = n << 4 | (uint64_t)(ch - '0');
        else if ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f')
            n = n << 4 | (uint64_t)((ch | 0x20) - 'a' + 10);
        else
            break;
    }
    return n;
}

/* The last run of digits; 0: none that fits. */
static uint64_t last_number(struct str s)
{
    size_t end = s.p ? s.n : 0, at;
    uint64_t n;

    while (end > 0 && (s.p[end - 1] < '0' || s.p[end - 1] > '9'))
        end--;
    for (at = end; at > 0 && s.p[at - 1] >= '0' && s.p[at - 1] <= '9';)
        at--;
    return str_u64(str_sub(s, at, end - at), &n) ? n : 0;
}

/*
 * "thread <_MainThread(MainThread, started 281473)>:", "Current thread 0x00007f.. [name] (most recent call
 * first):".
 */
static int on_thread(struct reader *r, struct str line, struct err *e)
{
    size_t at = str_find(line, STR("0x"), 0);
    struct str name = between(line, "[", "]");

    if (begin_thread(r, e) || !r->in_thread)
        return e->code;
    struct pystack_thread *t = &r->s->threads[r->s->n_threads - 1];
    r->innermost_first = str_find(line, STR("most recent call first"), 0) != SIZE_MAX;
    if (str_find(line, STR("<"), 0) != SIZE_MAX)
        name = between(line, "(", ",");
    t->is_main = str_find(line, STR("MainThread"), 0) != SIZE_MAX;
    if (!name.p && t->is_main)
        name = STR("MainThread");
    t->id = at == SIZE_MAX ? last_number(line) : hex(str_sub(line, at + 2, line.n));
    if (name.p)
        t->name = keep(r, name, e);
    return e->code;
}

static bool is_thread(struct str line)
{
    size_t at = str_find_nocase(str_sub(line, 0, 24), STR("thread"));

    return line.n && line.p[0] != ' ' && line.p[0] != '\t' && at != SIZE_MAX && line.p[line.n - 1] == ':';
}

/* ---- frames ---- */

static int on_frame(struct reader *r, struct str line, struct err *e)
{
    struct str head = STR("File \""), mid = STR("\", line "), rest;
    size_t at = str_find(line, mid, head.n), n = 0;
    int64_t number;

    if (at == SIZE_MAX)
        return OK;
    rest = str_sub(line, at + mid.n, line.n);
    while (n < rest.n && rest.p[n] >= '0' && rest.p[n] <= '9')
        n++;
    if (!str_i64(str_sub(rest, 0, n), &number))
        return OK;
    rest = str_sub(rest, n, rest.n);
    bool comma = str_starts(rest, STR(", in ")), plain = str_starts(rest, STR(" in "));
    if (!r->in_thread && begin_thread(r, e))
        return e->code;
    if (!r->in_thread || r->n_frames == PYSTACK_FRAMES) {
        r->over++;
        return OK;
    }
    struct pystack_frame *room = grow_array(r->s->frames, r->n_frames, &r->cap_frames, sizeof *room, 64);
    if (!room)
        return err_nomem(e);
    r->s->frames = room;
    r->innermost_first |= plain;
    room[r->n_frames++] = (struct pystack_frame){ .file = keep(r, str_sub(line, head.n, at - head.n), e),
                                                  .function = keep(r,
                                                                   str_sub(rest,
                                                                           comma   ? 5
                                                                           : plain ? 4
                                                                                   : rest.n,
                                                                           rest.n),
                                                                   e),
                                                  .line = number };
    r->c->rows++;
    r->code = true;
    return e->code;
}

static int on_line(struct reader *r, struct str line, struct err *e)
{
    struct str text = str_trim(line);
    bool code = r->code;

    r->code = false;
    if (str_starts(text, STR("File \"")))
        return on_frame(r, text, e);
    if (is_thread(line))
        return on_thread(r, line, e);
    if (str_starts(line, STR("pid: "))) {
        if (!str_i64(str_sub(text, 5, text.n), &r->s->pid))
            r->s->pid = -1;
    } else if (code && text.n && (line.p[0] == ' ' || line.p[0] == '\t'))
        r->s->frames[r->n_frames - 1].code = keep(r, text, e);
    else
        r->other += text.n > 0;
    return e->code;
}

/* ---- the file ---- */

/* Threads get their frames, one of them is the main one. */
static void finish(struct reader *r)
{
    struct pystack *s = r->s;
    bool any = false;
    size_t at = 0;

    end_thread(r);
    for (size_t i = 0; i < s->n_threads; at += s->threads[i++].n_frames) {
        s->threads[i].frames = s->threads[i].n_frames ? s->frames + at : NULL;
        any |= s->threads[i].is_main;
    }
    if (!any && s->n_threads) {
        s->threads[s->n_threads - 1].is_main = true;
        s->main_guessed = true;
    }
}

int pystack_read(struct pystack **out, struct parse_ctx *c, struct err *e)
{
    struct reader r = { .c = c };
    struct lines l = { 0 };
    struct str line;

    *out = NULL;
    r.s = calloc(1, sizeof *r.s);
    if (!r.s)
        return err_nomem(e);
    r.s->rank = flight_rank_of_name(str_of(c->f->path));
    r.s->pid = -1;
    if (arena_new(&r.s->mem, MEM_B, e) == OK && lines_open(&l, c, e) == OK) {
        while (e->code == OK && lines_next(&l, &line, e))
            (void)on_line(&r, line, e);
        if (e->code == OK)
            lines_done(&l);
    }
    lines_close(&l);
    finish(&r);
    if (e->code == OK && r.s->n_threads == 0 && r.other) {
        err_set(e, ERR_FORMAT, "no Python stack: no line is a thread or a frame");
        err_where(e, c->f->path, 0, 0);
    }
    if (e->code) {
        pystack_free(r.s);
        return e->code;
    }
    parse_note(c, NOTE_LIMIT, r.over, "threads or frames above the limit were left out");
    *out = r.s;
    return OK;
}

void pystack_free(struct pystack *s)
{
    if (!s)
        return;
    free(s->threads);
    free(s->frames);
    arena_free(s->mem);
    free(s);
}

const struct pystack_thread *pystack_main(const struct pystack *s)
{
    for (size_t i = 0; i < s->n_threads; i++)
        if (s->threads[i].is_main)
            return &s->threads[i];
    return NULL;
}

const struct pystack_frame *pystack_last(const struct pystack *s)
{
    const struct pystack_thread *t = pystack_main(s);

    return t && t->n_frames ? t->frames : NULL;
}
