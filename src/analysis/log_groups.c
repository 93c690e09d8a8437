/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analysis/log_groups.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/log_vals.h"
#include "base/buf.h"
#include "parsers/logs/flight_compare.h"
#include "parsers/logs/hccl_status.h"
#include "parsers/logs/log_field.h"
#include "parsers/logs/pystack.h"

#define STACK_B ((size_t)64 << 10)

/* A row, before what is known of every rank is added. */
struct row {
    struct str group, op, sizes, dtypes, says;
    int64_t ranks, enqueued, started, completed, seq; /* -1 unknown */
    int rank;
    const char *state, *source, *path;
    struct str frames; /* Python frames where the op was issued */
};

static void put_frame(const struct pystack_frame *f, struct buf *b)
{
    buf_printf(b, "%.*s (%.*s:%" PRId64 ")", (int)f->function.n, f->function.p, (int)f->file.n, f->file.p,
               f->line);
}

/* The main thread's stack of the rank, innermost first; without one, where the op was issued. */
static void describe_stack(const struct logs *l, const struct row *r, struct buf *place, struct buf *stack)
{
    const struct pystack *s = logs_stack(l, r->rank);
    const struct pystack_thread *t = s ? pystack_main(s) : NULL;
    struct str frames = r->frames, first;

    if (!t || !t->n_frames) {
        buf_add(stack, frames);
        if (frames.n && str_next(&frames, '\n', &first))
            buf_add(place, first);
        return;
    }
    put_frame(&t->frames[0], place);
    for (size_t i = 0; i < t->n_frames; i++) {
        put_frame(&t->frames[i], stack);
        if (t->frames[i].code.n)
            buf_printf(stack, ": %.*s", (int)t->frames[i].code.n, t->frames[i].code.p);
        buf_puts(stack, "\n");
    }
}

static int put_row(struct sink *out, const struct logs *l, const struct row *r, struct err *e)
{
    struct buf place, stack;

    buf_init(&place, STACK_B);
    buf_init(&stack, STACK_B);
    describe_stack(l, r, &place, &stack);
    const struct val v[N_COLS(collective)] = {
        [COL(collective, group_name)] = log_text(r->group),
        [COL(collective, ranks)] = log_number(r->ranks),
        [COL(collective, rank)] = log_number(r->rank),
        [COL(collective, enqueued)] = log_number(r->enqueued),
        [COL(collective, started)] = log_number(r->started),
        [COL(collective, completed)] = log_number(r->completed),
        [COL(collective, seq)] = log_number(r->seq),
        [COL(collective, op)] = log_text(r->op),
        [COL(collective, sizes)] = log_text(r->sizes),
        [COL(collective, dtypes)] = log_text(r->dtypes),
        [COL(collective, state)] = val_cstr(r->state),
        [COL(collective, says)] = log_text(r->says),
        [COL(collective, place)] = log_text(buf_str(&place)),
        [COL(collective, stack)] = log_text(buf_str(&stack)),
        [COL(collective, source)] = val_cstr(r->source),
        [COL(collective, path)] = val_cstr(r->path),
    };
    (void)!sink_row(out, T_collective, v, N_COLS(collective), NULL, e);
    buf_done(&place);
    buf_done(&stack);
    return e->code;
}

/* ---- flight recorders ---- */

static bool is_culprit(const struct flight_found *f, int rank)
{
    for (size_t i = 0; i < f->n_culprits; i++)
        if (f->culprits[i] == rank)
            return true;
    return false;
}

static const char *standing(const struct flight_found *f, const struct flight_member *m)
{
    if (f->kind == FLIGHT_MISMATCH && is_culprit(f, m->rank))
        return "MISMATCH";
    switch (m->at) {
    case FLIGHT_AT_MISSING:
        return "MISSING";
    case FLIGHT_AT_ISSUED:
    case FLIGHT_AT_BEGUN:
        return "WAITS";
    case FLIGHT_AT_ENDED:
        return "ended";
    default:
        return "unknown";
    }
}

static const char *path_of_dump(const struct logs *l, const struct flight_dump *d)
{
    for (size_t i = 0; d && i < logs_n_files(l); i++)
        if (logs_file(l, i)->flight == d)
            return logs_file(l, i)->f.name;
    return NULL;
}

static int put_flight(struct sink *out, const struct logs *l, const struct flight_found *f, struct err *e)
{
    for (size_t i = 0; i < f->n_members; i++) {
        const struct flight_member *m = &f->members[i];
        const struct flight_entry *n = m->entry;
        struct row r = { .group = f->desc.n ? f->desc : f->name,
                         .says = f->text,
                         .ranks = (int64_t)f->n_members,
                         .enqueued = m->last_enqueued,
                         .started = m->last_started,
                         .completed = m->last_completed,
                         .seq = f->seq,
                         .rank = m->rank,
                         .state = standing(f, m),
                         .source = "flight",
                         .path = path_of_dump(l, m->dump) };
        if (n) {
            r.op = n->name;
            r.sizes = n->input_sizes;
            r.dtypes = n->input_dtypes;
            r.frames = n->frames;
        }
        if (put_row(out, l, &r, e))
            return e->code;
    }
    return OK;
}

/* ---- status files ---- */

static int put_status(struct sink *out, const struct logs *l, const struct log_file *f, struct err *e)
{
    for (size_t i = 0; i < f->status->n_ops; i++) {
        const struct hccl_status_op *o = &f->status->ops[i];
        const struct row r = { .group = o->pg_id,
                               .op = o->op,
                               .ranks = -1,
                               .enqueued = -1,
                               .started = o->started || o->ended ? o->seq : -1,
                               .completed = o->ended ? o->seq : -1,
                               .seq = o->seq,
                               .rank = f->status->rank,
                               .state = o->ended     ? "ended"
                                        : o->started ? "WAITS"
                                                     : "unknown",
                               .source = "status",
                               .path = f->f.name };
        if (put_row(out, l, &r, e))
            return e->code;
    }
    return OK;
}

/* ---- timeouts in logs ---- */

static int put_wait(struct sink *out, const struct logs *l, size_t at, struct err *e)
{
    const struct log_rec *n = logs_event(l, at);
    struct str tag = log_field(n->text, LOG_F_TAG), group = log_field(n->text, LOG_F_GROUP);
    int index = log_field_int(n->text, LOG_F_INDEX);
    struct str op = str_sub(tag, 0, str_chr(tag, '_')); /* "AllReduce_10.136.181.175..." */
    const struct row r = { .group = group.n ? group : tag,
                           .op = op,
                           .ranks = -1,
                           .enqueued = -1,
                           .started = index,
                           .completed = -1,
                           .seq = index,
                           .rank = n->rank,
                           .state = "WAITS",
                           .says = STR("waited in it until the timeout"),
                           .source = "log",
                           .path = logs_file(l, n->file)->f.name };
    return put_row(out, l, &r, e);
}

/* ---- the best source of each rank ---- */

/* Which a rank has, in an array by rank. */
enum source { FROM_FLIGHT = 1, FROM_STATUS = 2, FROM_LOG = 4 };

static bool is_rank(int rank)
{
    return rank >= 0 && rank < LIM_LOG_RANKS;
}

static void note_dumps(uint8_t *has, const struct logs *l)
{
    for (size_t i = 0; i < logs_n_files(l); i++) {
        const struct log_file *f = logs_file(l, i);
        if (f->state == LOG_APART)
            continue;
        if (f->flight && is_rank(f->flight->rank))
            has[f->flight->rank] |= FROM_FLIGHT;
        if (f->status && is_rank(f->status->rank))
            has[f->status->rank] |= FROM_STATUS;
    }
}

static bool is_wait(const struct log_rec *r)
{
    return is_rank(r->rank) && !r->apart && signature_at(r->sig)->cls == CAUSE_WAIT &&
           log_role_tells(r->role) && log_field(r->text, LOG_F_TAG).n;
}

static int put_all(struct sink *out, const struct logs *l, uint8_t *has, struct err *e)
{
    const struct flight_compared *c = logs_flight(l);

    for (size_t i = 0; c && i < c->n_groups; i++)
        if (put_flight(out, l, &c->groups[i], e))
            return e->code;
    for (size_t i = 0; i < logs_n_files(l); i++) {
        const struct log_file *f = logs_file(l, i);
        bool better = f->status && is_rank(f->status->rank) && has[f->status->rank] & FROM_FLIGHT;
        if (f->status && f->state != LOG_APART && !better && put_status(out, l, f, e))
            return e->code;
    }
    for (size_t i = 0; i < logs_n_events(l); i++) {
        const struct log_rec *r = logs_event(l, i);
        if (!is_wait(r) || has[r->rank])
            continue;
        has[r->rank] = FROM_LOG;
        if (put_wait(out, l, i, e))
            return e->code;
    }
    return OK;
}

int log_groups_put(struct sink *out, const struct logs *l, struct err *e)
{
    uint8_t *has = calloc(LIM_LOG_RANKS, 1);

    if (!has)
        return err_nomem(e);
    note_dumps(has, l);
    (void)!put_all(out, l, has, e);
    free(has);
    return e->code;
}
