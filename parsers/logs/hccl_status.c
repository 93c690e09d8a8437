/* SPDX-License-Identifier: Apache-2.0 */
/* Status files of torch_npu (doc/formats/logs.md#status-files). */
#include "config.h"

#include "parsers/logs/hccl_status.h"

#include "base/grow.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"

#define MEM_B     ((size_t)16 << 20)
#define TEXT_B    ((size_t)64 << 10) /* of one text */
#define NS_PER_MS 1000000

struct reader {
    struct hccl_status *s;
    struct parse_ctx *c;
    struct hccl_status_op now;
    size_t cap;
    uint64_t over, incomplete;
    bool is_status; /* last_comm_op was met */
};

/* ---- the name ---- */

/* Cut the last part behind '_' off, a number. */
static bool cut_number(struct str *name, int64_t *out)
{
    size_t at = str_rchr(*name, '_');

    if (at == SIZE_MAX || !str_i64(str_sub(*name, at + 1, name->n), out) || *out < 0)
        return false;
    *name = str_sub(*name, 0, at);
    return true;
}

/* torch_hccl_status-<rank>_<master>_<device>_<ranks>_<pid>_<ms>.log; a master's name may hold '_'. */
static int read_name(struct hccl_status *s, struct str path, struct err *e)
{
    static const struct str head = { "torch_hccl_status-", 18 };
    struct str name = str_after_last(path, '/');
    int64_t rank, device, ranks, pid, ms;
    size_t at;

    s->rank = s->device = s->n_ranks = -1;
    s->pid = s->first_ms = -1;
    if (str_ends(name, STR(".gz")))
        name.n -= 3;
    if (!str_starts(name, head) || !str_ends(name, STR(".log")))
        return OK;
    name = str_sub(name, head.n, name.n - head.n - 4);
    if (!cut_number(&name, &ms) || !cut_number(&name, &pid) || !cut_number(&name, &ranks) ||
        !cut_number(&name, &device))
        return OK;
    at = str_chr(name, '_');
    if (at == SIZE_MAX || !str_i64(str_sub(name, 0, at), &rank) || rank < 0 || rank > INT32_MAX ||
        device > INT32_MAX || ranks > INT32_MAX)
        return OK;
    s->rank = (int)rank;
    s->device = (int)device;
    s->n_ranks = (int)ranks;
    s->pid = pid;
    s->first_ms = ms;
    s->master = arena_str(s->mem, str_sub(name, at + 1, name.n));
    return s->master.p ? OK : err_nomem(e);
}

/* ---- the file ---- */

static struct str keep(struct reader *r, struct str text)
{
    struct str kept = text.p ? arena_str(r->s->mem, str_sub(text, 0, TEXT_B)) : STR_NULL;

    r->over += text.p && !kept.p;
    return kept;
}

static void on_field(struct reader *r, struct str key, enum js_token tok, struct str text)
{
    struct hccl_status_op *o = &r->now;

    if (str_eq(key, STR("seq"))) {
        if (tok != JS_NUMBER || !str_i64(text, &o->seq))
            o->seq = -1;
    } else if (tok != JS_STRING)
        return;
    else if (str_eq(key, STR("op_type")))
        o->op = keep(r, text);
    else if (str_eq(key, STR("pg_id")))
        o->pg_id = keep(r, text);
    else if (str_eq(key, STR("comm_ids")))
        o->comm_ids = keep(r, text);
    else if (str_eq(key, STR("status"))) {
        o->started = str_eq(text, STR("start"));
        o->ended = str_eq(text, STR("end"));
    }
}

static int on_op(struct reader *r, struct err *e)
{
    struct hccl_status *s = r->s;

    if (r->now.seq < 0 || !r->now.op.p) {
        r->incomplete++;
        return OK;
    }
    if (s->n_ops == HCCL_STATUS_OPS) {
        r->over++;
        return OK;
    }
    struct hccl_status_op *room = grow_array(s->ops, s->n_ops, &r->cap, sizeof *room, 8);
    if (!room)
        return err_nomem(e);
    s->ops = room;
    room[s->n_ops++] = r->now;
    r->c->rows++;
    return OK;
}

static int on_token(struct reader *r, const struct jwalk *w, enum js_token tok, struct str text,
                    struct err *e)
{
    struct str key = jwalk_key(w, 0);
    int64_t ms;

    if (w->depth == 1 && str_eq(key, STR("is_master")))
        r->s->is_master = tok == JS_TRUE;
    else if (w->depth == 1 && str_eq(key, STR("exception_message")) && tok == JS_STRING)
        r->s->exception = keep(r, text);
    else if (w->depth == 1 && str_eq(key, STR("global_pg_end_time")) && tok == JS_NUMBER)
        r->s->pg_end_ns = str_i64(text, &ms) && ms > 0 && ms < INT64_MAX / NS_PER_MS ? ms * NS_PER_MS : 0;
    if (w->depth == 0 || !str_eq(key, STR("last_comm_op")))
        return OK;
    r->is_status = true;
    if (w->depth == 2 && tok == JS_OBJ)
        r->now = (struct hccl_status_op){ .seq = -1 };
    else if (w->depth == 2 && tok == JS_OBJ_END)
        return on_op(r, e);
    else if (w->depth == 3 && jwalk_is_scalar(tok))
        on_field(r, jwalk_key(w, 2), tok, text);
    return OK;
}

static int read_json(struct reader *r, struct err *e)
{
    struct jwalk w;
    enum js_token tok;
    struct str text;

    if (jwalk_open(&w, r->c, e) == OK) {
        while ((tok = jwalk_next(&w, &text, e)) != JS_END)
            if (on_token(r, &w, tok, text, e))
                break;
        r->s->cut = w.open > 0;
    }
    jwalk_close(&w);
    if (e->code == OK && !r->is_status && !r->s->cut) {
        err_set(e, ERR_FORMAT, "no status file of torch_npu: it has no last_comm_op");
        err_where(e, r->c->f->path, 0, 0);
    }
    return e->code;
}

int hccl_status_read(struct hccl_status **out, struct parse_ctx *c, struct err *e)
{
    struct reader r = { .c = c };

    *out = NULL;
    r.s = calloc(1, sizeof *r.s);
    if (!r.s)
        return err_nomem(e);
    if (arena_new(&r.s->mem, MEM_B, e) == OK && read_name(r.s, str_of(c->f->path), e) == OK &&
        read_json(&r, e) == OK) {
        c->lost += r.incomplete;
        parse_note(c, NOTE_BAD_EVENT, r.incomplete, "collectives without number or op");
        parse_note(c, NOTE_LIMIT, r.over, "groups or texts above the limit were left out");
        *out = r.s;
        return OK;
    }
    hccl_status_free(r.s);
    return e->code;
}

void hccl_status_free(struct hccl_status *s)
{
    if (!s)
        return;
    free(s->ops);
    arena_free(s->mem);
    free(s);
}
