/* SPDX-License-Identifier: Apache-2.0 */
/* A memory snapshot's pickle: entries, blocks and call stacks as they come. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/limits.h"
#include "parsers/read/lines.h"
#include "parsers/read/pickle.h"
#include "parsers/read/u64map.h"
#include "parsers/tables/snapshot.h"

#define TRACES  256
#define DEVICES 256
#define FRAMES  1024 /* of one stack */

/* What values are replaced by: the kind in the highest bits, as a file may put one in place of the other. */
enum { OWN_FRAME = 1, OWN_STACK, OWN_SEGMENT };
#define OWN_SHIFT 30
#define OWN_MOST  (UINT32_C(1) << OWN_SHIFT)

/* clang-format off */
const struct snapshot_act snapshot_acts[N_SNAPSHOT_ACTIONS] = {
    [SA_ALLOC]          = { "alloc",              1,  0,  1 },
    [SA_FREE_REQUESTED] = { "free_requested",    -1,  0,  0 },
    [SA_FREE_COMPLETED] = { "free_completed",     0,  0, -1 },
    [SA_SEGMENT_ALLOC]  = { "segment_alloc",      0,  1,  0 },
    [SA_SEGMENT_FREE]   = { "segment_free",       0, -1,  0 },
    [SA_SEGMENT_MAP]    = { "segment_map",        0,  1,  0 },
    [SA_SEGMENT_UNMAP]  = { "segment_unmap",      0, -1,  0 },
    [SA_OOM]            = { "oom",                0,  0,  0 },
    [SA_SNAPSHOT]       = { "snapshot",           0,  0,  0 },
    [SA_WORKSPACE]      = { "workspace_snapshot", 0,  0,  0 },
};
/* clang-format on */

struct reader {
    struct parse_ctx *c;
    struct snapshot *s;
    struct pickle *p;
    struct intern *frames; /* texts "name (file:line)" */
    struct intern *stacks; /* numbers of frames, as bytes */
    uint64_t unknown, incomplete;
    char unknown_word[40];
};

static void *room(struct snapshot *s, void *p, size_t n, size_t *cap, size_t each, struct err *e)
{
    void *q = n < UINT32_MAX ? spool_grow(s->pool, p, n, cap, each, 64) : NULL;

    if (!q)
        (void)err_nomem(e);
    return q;
}

static void put_own(struct reader *r, pickle_ref v, uint32_t kind, uint32_t n)
{
    if (n < OWN_MOST)
        pickle_swap(r->p, v, kind << OWN_SHIFT | n);
}

static bool get_own(const struct reader *r, pickle_ref v, uint32_t kind, uint32_t *n)
{
    if (!pickle_own(r->p, v, n) || *n >> OWN_SHIFT != kind)
        return false;
    *n &= OWN_MOST - 1;
    return true;
}

/* ---- call stacks ---- */

/* A frame as text. Its dict is replaced by the number, as most stacks share theirs. INTERN_NONE: memory. */
static uint32_t frame_number(struct reader *r, pickle_ref frame)
{
    struct str name = pickle_text(r->p, pickle_get(r->p, frame, STR("name")));
    struct str file = pickle_text(r->p, pickle_get(r->p, frame, STR("filename")));
    struct buf text;
    int64_t line = 0;
    uint32_t id;

    if (get_own(r, frame, OWN_FRAME, &id))
        return id;
    (void)pickle_i64(r->p, pickle_get(r->p, frame, STR("line")), &line);
    buf_init(&text, LIM_NAME_B);
    buf_add(&text, name.n ? str_sub(name, 0, 4096) : STR("?"));
    if (file.n) {
        buf_puts(&text, " (");
        buf_add(&text, str_sub(file, 0, 4096));
        if (line > 0)
            buf_printf(&text, ":%" PRId64, line);
        buf_addc(&text, ')');
    }
    id = intern_put(r->frames, buf_str(&text));
    buf_done(&text);
    if (id != INTERN_NONE)
        put_own(r, frame, OWN_FRAME, id);
    return id;
}

/* Of Python code that is not torch's own. */
static bool is_users(struct str frame)
{
    return str_find(frame, STR(".py:"), 0) != SIZE_MAX && str_find(frame, STR("/torch/"), 0) == SIZE_MAX &&
           str_find(frame, STR("/torch_npu/"), 0) == SIZE_MAX;
}

/* The frame that names the owner: the innermost of the user's, else of Python, else the innermost. */
static struct str owner_of(const struct reader *r, const uint32_t *frame, size_t n)
{
    struct str found = n ? intern_get(r->frames, frame[0]) : STR_NULL;
    bool python = false;

    for (size_t i = 0; i < n; i++) {
        struct str text = intern_get(r->frames, frame[i]);
        if (is_users(text))
            return text;
        if (!python && str_find(text, STR(".py:"), 0) != SIZE_MAX) {
            python = true;
            found = text;
        }
    }
    return found;
}

/* "name (file:line)" with the file's base name alone. */
static uint32_t owner_text(const struct reader *r, struct str frame)
{
    size_t open = str_rchr(frame, '('), slash = str_rchr(frame, '/');
    char text[300];

    if (open == SIZE_MAX || slash == SIZE_MAX || slash < open)
        return sink_intern(r->c->out, frame);
    struct str name = str_sub(frame, 0, open + 1), file = str_sub(frame, slash + 1, frame.n);
    (void)snprintf(text, sizeof text, "%.*s%.*s", (int)(name.n < 180 ? name.n : 180), name.p,
                   (int)(file.n < 100 ? file.n : 100), file.p);
    return sink_intern(r->c->out, str_of(text));
}

static int add_stack(struct reader *r, const uint32_t *frame, size_t n, struct err *e)
{
    struct snapshot *s = r->s;
    struct snapshot_stack *v = room(s, s->stack, s->n_stacks, &s->cap_stack, sizeof *v, e);
    struct buf text;

    if (!v)
        return e->code;
    s->stack = v;
    buf_init(&text, LIM_NAME_B);
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_addc(&text, '\n');
        buf_add(&text, intern_get(r->frames, frame[i]));
    }
    v[s->n_stacks++] = (struct snapshot_stack){ sink_intern(r->c->out, buf_str(&text)),
                                                owner_text(r, owner_of(r, frame, n)) };
    buf_done(&text);
    return OK;
}

/*
 * Number of a stack + 1, 0: none. The list of frames is replaced by it. To be asked for all there are, also
 * of what is not used otherwise: a list is written once, and later entries refer to it.
 */
static int stack_number(struct reader *r, pickle_ref frames, uint32_t *out, struct err *e)
{
    uint32_t frame[FRAMES], at = 0, id;
    pickle_ref key, value;
    size_t n = 0;

    if (get_own(r, frames, OWN_STACK, out))
        return OK;
    *out = 0;
    if (pickle_type(r->p, frames) != PICKLE_LIST)
        return OK;
    while (n < FRAMES && pickle_next(r->p, frames, &at, &key, &value)) {
        frame[n] = frame_number(r, value);
        if (frame[n++] == INTERN_NONE)
            return err_nomem(e);
    }
    if (n == 0)
        return OK;
    uint32_t before = intern_count(r->stacks);
    id = intern_put(r->stacks, (struct str){ (const char *)frame, n * sizeof *frame });
    if (id == INTERN_NONE)
        return err_nomem(e);
    if (intern_count(r->stacks) != before && add_stack(r, frame, n, e))
        return e->code;
    *out = id + 1;
    put_own(r, frames, OWN_STACK, *out);
    return OK;
}

/* ---- entries ---- */

static bool action_of(struct str word, enum snapshot_action *out)
{
    for (size_t i = 0; i < N_SNAPSHOT_ACTIONS; i++)
        if (str_eq(word, str_of(snapshot_acts[i].word))) {
            *out = (enum snapshot_action)i;
            return true;
        }
    return false;
}

/* The trace that entries of this list go to, a new one when another list came between. NULL: e is set. */
static struct snapshot_trace *trace_of(struct snapshot *s, pickle_ref list, struct err *e)
{
    if (s->n_traces && s->trace[s->n_traces - 1].list == list)
        return &s->trace[s->n_traces - 1];
    if (s->n_traces == TRACES) {
        err_set(e, ERR_FORMAT, "a snapshot of more than %d traces", TRACES);
        return NULL;
    }
    struct snapshot_trace *v = room(s, s->trace, s->n_traces, &s->cap_trace, sizeof *v, e);
    if (!v)
        return NULL;
    s->trace = v;
    v[s->n_traces] = (struct snapshot_trace){ .list = list, .device = -1, .first = s->n_entries };
    return &v[s->n_traces++];
}

/* What is pickled as a number, also as one below zero, as 64 bits. */
static bool get_u64(const struct reader *r, pickle_ref dict, struct str key, uint64_t *out)
{
    pickle_ref v = pickle_get(r->p, dict, key);
    int64_t i;

    if (pickle_u64(r->p, v, out))
        return true;
    *out = 0;
    if (!pickle_i64(r->p, v, &i))
        return false;
    *out = (uint64_t)i;
    return true;
}

static void count_unknown(struct reader *r, struct str word)
{
    if (r->unknown++ == 0)
        str_copy(word, r->unknown_word, sizeof r->unknown_word);
}

static int on_entry(struct reader *r, pickle_ref list, pickle_ref item, struct str word, struct err *e)
{
    struct snapshot *s = r->s;
    struct snapshot_entry n = { .ts_ns = SNAPSHOT_NO_TIME };
    int64_t us;

    if (stack_number(r, pickle_get(r->p, item, STR("frames")), &n.stack, e))
        return e->code;
    if (!action_of(word, &n.action)) {
        count_unknown(r, word);
        return OK;
    }
    struct str at = n.action == SA_OOM ? STR("device_free") : STR("addr");
    if (!get_u64(r, item, at, &n.addr) || !get_u64(r, item, STR("size"), &n.size_b) || n.size_b > INT64_MAX) {
        r->incomplete++;
        return OK;
    }
    (void)get_u64(r, item, STR("stream"), &n.stream);
    if (pickle_i64(r->p, pickle_get(r->p, item, STR("time_us")), &us) && us > 0 && us < INT64_MAX / 1000)
        n.ts_ns = us * 1000;
    struct snapshot_trace *t = trace_of(s, list, e);
    if (!t)
        return e->code;
    struct snapshot_entry *v = room(s, s->entry, s->n_entries, &s->cap_entry, sizeof *v, e);
    if (!v)
        return e->code;
    s->entry = v;
    v[s->n_entries++] = n;
    t->n++;
    return OK;
}

/* ---- segments ---- */

static int add_reserved(struct snapshot *s, int64_t device, uint64_t bytes, struct err *e)
{
    for (size_t i = 0; i < s->n_segments; i++)
        if (s->segments[i].device == device) {
            s->segments[i].reserved_b += bytes;
            return OK;
        }
    if (s->n_segments == DEVICES)
        return err_set(e, ERR_FORMAT, "a snapshot of more than %d devices", DEVICES);
    struct snapshot_segments *v = room(s, s->segments, s->n_segments, &s->cap_segments, sizeof *v, e);
    if (!v)
        return e->code;
    s->segments = v;
    v[s->n_segments++] = (struct snapshot_segments){ device, bytes };
    return OK;
}

/* Before torch 2.1 a block has its allocations as a list, with the frames there. */
static pickle_ref frames_of(const struct reader *r, pickle_ref block)
{
    pickle_ref frames = pickle_get(r->p, block, STR("frames")), key, first;
    pickle_ref history = pickle_get(r->p, block, STR("history"));
    uint32_t at = 0;

    if (!frames && history && pickle_next(r->p, history, &at, &key, &first))
        frames = pickle_get(r->p, first, STR("frames"));
    return frames;
}

static int on_block(struct reader *r, pickle_ref item, struct snapshot_block *b, uint64_t *addr,
                    struct err *e)
{
    struct snapshot *s = r->s;
    struct str state = pickle_text(r->p, pickle_get(r->p, item, STR("state")));

    if (stack_number(r, frames_of(r, item), &b->stack, e))
        return e->code;
    if (!get_u64(r, item, STR("size"), &b->size_b) || b->size_b > INT64_MAX || !state.p) {
        r->incomplete++;
        return OK;
    }
    if (!get_u64(r, item, STR("address"), &b->addr))
        b->addr = *addr; /* blocks follow each other */
    *addr = b->addr + b->size_b;
    if (!get_u64(r, item, STR("requested_size"), &b->asked_b) || b->asked_b > INT64_MAX)
        b->asked_b = b->size_b;
    b->allocated = str_eq(state, STR("active_allocated"));
    if (!b->allocated && !str_eq(state, STR("active_pending_free")) &&
        !str_eq(state, STR("active_awaiting_free")))
        return OK;
    struct snapshot_block *v = room(s, s->block, s->n_blocks, &s->cap_block, sizeof *v, e);
    if (!v)
        return e->code;
    s->block = v;
    v[s->n_blocks++] = *b;
    return OK;
}

static int on_segment(struct reader *r, pickle_ref item, pickle_ref blocks, struct err *e)
{
    struct snapshot_block b = { .device = 0 };
    uint64_t total, addr;
    pickle_ref key, value;
    uint32_t at = 0;

    if (stack_number(r, pickle_get(r->p, item, STR("frames")), &b.stack, e))
        return e->code;
    b.stack = 0; /* a segment's, which its blocks do not have */
    if (!get_u64(r, item, STR("total_size"), &total) || total > INT64_MAX) {
        r->incomplete++;
        return OK;
    }
    (void)pickle_i64(r->p, pickle_get(r->p, item, STR("device")), &b.device);
    (void)get_u64(r, item, STR("address"), &addr);
    (void)get_u64(r, item, STR("stream"), &b.stream);
    if (add_reserved(r->s, b.device, total, e))
        return e->code;
    while (pickle_next(r->p, blocks, &at, &key, &value)) {
        struct snapshot_block one = b;
        if (on_block(r, value, &one, &addr, e))
            return e->code;
    }
    r->c->rows++;
    return OK;
}

/* ---- the pickle ---- */

/* Entries and segments are told by what they hold, and forgotten then. */
static int on_item(void *arg, struct pickle *p, pickle_ref list, pickle_ref item, bool *take, struct err *e)
{
    struct reader *r = arg;
    pickle_ref blocks;

    if (pickle_type(p, item) != PICKLE_DICT)
        return OK;
    r->p = p;
    struct str word = pickle_text(p, pickle_get(p, item, STR("action")));
    if (word.p) {
        *take = true;
        return on_entry(r, list, item, word, e);
    }
    blocks = pickle_get(p, item, STR("blocks"));
    if (pickle_type(p, blocks) != PICKLE_LIST)
        return OK;
    if (on_segment(r, item, blocks, e))
        return e->code;
    put_own(r, item, OWN_SEGMENT, 0); /* nobody gives the same one a second time, unless to make it many */
    *take = true;
    return OK;
}

/* The traces are lists in a list, one a device in their order. */
static int number_devices(struct snapshot *s, const struct pickle *p, struct err *e)
{
    enum { WANTED = 1, FIRST };
    pickle_ref traces = pickle_get(p, pickle_root(p), STR("device_traces")), key, list;
    struct u64map of = { 0 };
    uint32_t at = 0;
    bool ok = true;

    for (size_t i = 0; ok && i < s->n_traces; i++)
        ok = u64map_set(&of, s->trace[i].list, WANTED);
    for (uint32_t device = 0; ok && pickle_next(p, traces, &at, &key, &list); device++)
        if (u64map_get(&of, list) == WANTED)
            ok = u64map_set(&of, list, FIRST + device);
    for (size_t i = 0; ok && i < s->n_traces; i++) {
        uint32_t n = u64map_get(&of, s->trace[i].list);
        s->trace[i].device = n >= FIRST ? (int64_t)(n - FIRST) : -1;
    }
    u64map_done(&of);
    return ok ? OK : err_nomem(e);
}

static int is_snapshot(const struct reader *r, const struct pickle *p, struct err *e)
{
    pickle_ref root = pickle_root(p);

    if (r->s->n_entries || r->s->n_segments || pickle_get(p, root, STR("segments")) ||
        pickle_get(p, root, STR("device_traces")) || pickle_is_cut(p))
        return OK;
    err_set(e, ERR_FORMAT, "a pickle, but no memory snapshot: it has neither segments nor device_traces");
    err_where(e, r->c->f->path, 0, 0);
    return e->code;
}

int snapshot_read(struct snapshot *s, struct parse_ctx *c, struct err *e)
{
    struct reader r = { .c = c, .s = s };
    const struct pickle_asks asks = { .item = on_item, .arg = &r };
    struct pickle *p = NULL;

    *s = (struct snapshot){ 0 };
    if (spool_most(&s->pool, (uint64_t)96 << 20, e) == OK && intern_new(&r.frames, e) == OK &&
        intern_new(&r.stacks, e) == OK && pickle_read(&p, c, &asks, e) == OK && is_snapshot(&r, p, e) == OK &&
        number_devices(s, p, e) == OK) {
        s->cut = pickle_is_cut(p);
        c->lost += r.incomplete;
        parse_note(c, NOTE_BAD_EVENT, r.incomplete, "entries or blocks without address, size or state");
        parse_note(c, NOTE_UNKNOWN_TYPE, r.unknown, "entries of unknown actions, the first is %s",
                   r.unknown_word);
    }
    pickle_free(p);
    intern_free(r.frames);
    intern_free(r.stacks);
    return e->code;
}

void snapshot_done(struct snapshot *s)
{
    if (!s->pool)
        return;
    spool_free(s->pool, s->entry);
    spool_free(s->pool, s->block);
    spool_free(s->pool, s->trace);
    spool_free(s->pool, s->segments);
    spool_free(s->pool, s->stack);
    spool_close(s->pool);
    s->pool = NULL;
}
