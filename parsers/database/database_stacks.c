/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks of the framework (PYTORCH_CALLCHAINS, doc/formats/analysed.md#torch_npu-tables) as the text
 * files have them: one frame a line, the innermost first. Stacks of the same frames are put together once,
 * whatever their ids are.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "parsers/database/database_group.h"
#include "parsers/read/lines.h"

#define FRAMES_B   ((size_t)64 << 20)  /* texts of frames that are kept */
#define STACK_B    ((size_t)256 << 10) /* one call stack */
#define STACKS_B   ((size_t)256 << 20) /* all different ones */
#define FRAMES_MAX 4096                /* of one stack */

struct frame {
    int64_t chain, frame;
};
struct stacks {
    struct database *d;
    struct paged v;            /* of struct frame, in order of chains; the frames of one as they came */
    struct database_ids texts; /* id of a frame's text -> where it lies in text, from 1; 0: it does not */
    struct buf text, one;
    struct intern *kinds; /* the frames of a stack */
    uint32_t *kind_text;  /* by id of kinds: text of the sink */
    size_t cap_kinds;
    size_t built; /* bytes of all different stacks */
    uint64_t left;
};

enum { F_ID, F_FRAME, F_N };
enum { T_ID, T_TEXT, T_N };

/* clang-format off */
static const struct database_col frame_cols[] = {
    { "id",           DB_INT, F_ID, NULL },
    { "stack",        DB_INT, F_FRAME, NULL },
};
static const struct database_map frame_map = {
    .table = "PYTORCH_CALLCHAINS", DB_SLOTS(F_N), .cols = frame_cols, .n_cols = ARRAY_LEN(frame_cols),
};
static const struct database_col text_cols[] = {
    { "id",           DB_INT,  T_ID, NULL },
    { "value",        DB_TEXT, T_TEXT, NULL },
};
static const struct database_map text_map = {
    .table = "STRING_IDS", DB_SLOTS(T_N), .cols = text_cols, .n_cols = ARRAY_LEN(text_cols),
};
/* clang-format on */

/* ---- frames ---- */

static int on_frame(struct database_row *r, struct err *e)
{
    struct stacks *s = r->arg;
    const struct frame f = { database_int(r, F_ID, -1), database_int(r, F_FRAME, -1) };

    if (f.chain < 0)
        return OK;
    *(struct frame *)paged_add(&s->v) = f;
    return database_ids_add(&s->texts, f.frame, 0, e);
}

/* The frames' texts alone are kept: other texts are many. */
static int on_text(struct database_row *r, struct err *e)
{
    struct stacks *s = r->arg;
    size_t at = database_ids_first(&s->texts, database_int(r, T_ID, -1));
    struct str text = r->v[T_TEXT].t == VAL_TEXT ? r->v[T_TEXT].s : STR_NULL;
    uint32_t n = (uint32_t)text.n;

    if (at == SIZE_MAX || !text.n || database_ids_at(&s->texts, at).value)
        return OK;
    if (text.n > STACK_B || s->text.n + text.n > FRAMES_B) {
        s->left++;
        return OK;
    }
    ((struct database_id *)paged_edit(&s->texts.v, at))->value =
        ((uint32_t)s->text.n + 1) & (DATABASE_ID_MOST - 1); /* FRAMES_B is far less */
    buf_add(&s->text, (struct str){ (const char *)&n, sizeof n });
    buf_add(&s->text, text);
    return buf_failed(&s->text) ? err_nomem(e) : OK;
}

static struct str frame_text(struct stacks *s, int64_t frame)
{
    uint32_t at = database_ids_find(&s->texts, frame), n;

    if (at == DATABASE_NO_ID || !at)
        return STR_NULL;
    memcpy(&n, s->text.p + at - 1, sizeof n);
    return (struct str){ s->text.p + at - 1 + sizeof n, n };
}

static bool by_chain(const void *x, const void *y)
{
    const struct frame *a = x, *b = y;

    return a->chain < b->chain;
}

/* ---- stacks ---- */

/* Text of the sink, 0: none. */
static uint32_t put_together(struct stacks *s, const int64_t *frames, size_t n)
{
    if (s->built >= STACKS_B) {
        s->left++;
        return 0;
    }
    buf_clear(&s->one);
    for (size_t i = 0; i < n && s->one.n <= STACK_B; i++) {
        struct str one = frame_text(s, frames[i]);
        if (s->one.n && one.n)
            buf_puts(&s->one, ";\n");
        buf_add(&s->one, one);
    }
    if (!s->one.n || buf_failed(&s->one))
        return 0;
    s->built += s->one.n;
    return sink_intern(s->d->c->out, buf_str(&s->one));
}

/* Text of the stack of n frames from `at` on, that of an equal one if there was one. *out 0: none. */
static int stack_of(struct stacks *s, size_t at, size_t n, uint32_t *out, struct err *e)
{
    int64_t key[FRAMES_MAX];
    const size_t kept = n < FRAMES_MAX ? n : FRAMES_MAX;

    for (size_t i = 0; i < kept; i++)
        key[i] = ((const struct frame *)paged_at(&s->v, at + i))->frame;
    const uint32_t before = intern_count(s->kinds);
    const uint32_t id = intern_put(s->kinds, (struct str){ (const char *)key, kept * sizeof *key });
    uint32_t *v = id == INTERN_NONE ? NULL : grow_array(s->kind_text, id, &s->cap_kinds, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    s->kind_text = v;
    if (id == before)
        v[id] = put_together(s, key, kept);
    *out = v[id];
    return OK;
}

static int64_t chain_at(struct stacks *s, size_t at)
{
    return ((const struct frame *)paged_at(&s->v, at))->chain;
}

static int put_all(struct stacks *s, struct database_ids *out, struct err *e)
{
    uint32_t text;

    for (size_t at = 0, end; at < s->v.n; at = end) {
        const int64_t chain = chain_at(s, at);
        for (end = at + 1; end < s->v.n && chain_at(s, end) == chain;)
            end++;
        if (stack_of(s, at, end - at, &text, e) || (text && database_ids_add(out, chain, text, e)))
            return e->code;
    }
    return paged_failed(s->v.pool, e);
}

int database_stacks_read(struct database *d, struct database_ids *out, struct err *e)
{
    struct stacks s = { .d = d };

    paged_init(&s.v, d->pool, sizeof(struct frame));
    database_ids_init(&s.texts, d->pool);
    database_ids_init(out, d->pool);
    buf_init(&s.text, 2 * FRAMES_B);
    buf_init(&s.one, 2 * STACK_B + 16);
    if (database_read(d, &frame_map, on_frame, &s, e) == OK && s.v.n &&
        database_read(d, &text_map, on_text, &s, e) == OK && paged_sort(&s.v, by_chain, e) == OK &&
        intern_new(&s.kinds, e) == OK)
        (void)!put_all(&s, out, e);
    if (s.left)
        parse_note(d->c, NOTE_LIMIT, s.left, "call stacks and frames that would take more than %zu MiB",
                   STACKS_B >> 20);
    intern_free(s.kinds);
    free(s.kind_text);
    paged_done(&s.v);
    database_ids_done(&s.texts);
    buf_done(&s.text);
    buf_done(&s.one);
    return e->code;
}
