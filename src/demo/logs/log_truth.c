/* SPDX-License-Identifier: Apache-2.0 */
/* The truth of a fault: who is to blame, where it shows first, and the clocks of the hosts. */
#include "config.h"

#include "demo/logs/log_truth.h"

#include "demo/logs/log_faults.h"
#include "demo/logs/log_last.h"

static void put_place(struct emit *o, const char *key, const struct log_place *p)
{
    emit_fmt(o, " \"%s\": ", key);
    if (p->found)
        emit_fmt(o, "{\"file\": \"%s\", \"line\": %U, \"ts_ns\": %i, \"rank\": %d},\n", p->path, p->line,
                 p->ns, p->rank);
    else
        emit_s(o, "null,\n");
}

/* A text of the rank to blame, or null. */
static void put_said(struct emit *o, const struct logs *l, const char *key, bool has, const char *text)
{
    const struct log_say s = { .l = l, .rank = l->run->blame.rank };
    struct buf b;
    buf_init(&b, 4096);
    if (has) {
        struct buf said;
        buf_init(&said, 4096);
        log_say(&said, &s, text);
        buf_json(&b, buf_str(&said));
        buf_done(&said);
    } else {
        buf_puts(&b, "null");
    }
    emit_fmt(o, " \"%s\": ", key);
    emit_str(o, buf_str(&b));
    emit_s(o, ",\n");
    buf_done(&b);
}

static void put_fault(struct emit *o, const struct logs *l)
{
    const struct log_fault *f = log_fault_of(l->run->o.fault);
    const struct log_rank *bad = &l->rank[l->run->blame.rank];
    emit_fmt(o, "{\n \"fault\": \"%s\",\n \"class\": \"%s\",\n \"accuse\": %s,\n \"root_ranks\": [",
             l->fault->name, l->fault->verdict, l->fault->accuse ? "true" : "false");
    if (l->fault->accuse)
        emit_i(o, l->run->blame.rank);
    emit_fmt(o, "],\n \"decidable\": %s,\n", demo_fault_decidable(l->run) ? "true" : "false");
    if (l->fault->stop == DEMO_STOP_NEVER)
        emit_s(o, " \"fault_ns\": null,\n");
    else
        emit_fmt(o, " \"fault_ns\": %i,\n", l->fault_ns);
    put_place(o, "first_error", &l->book.first);
    put_place(o, "first_consequence", &l->book.seen);
    bool task = f->has_task && (bad->waits || bad->cut.stuck != UINT32_MAX);
    if (task)
        emit_fmt(o, " \"stream_id\": %u,\n \"task_id\": %u,\n \"flip\": %u,\n", bad->stream,
                 bad->task % 65536, bad->task / 65536);
    else
        emit_s(o, " \"stream_id\": null,\n \"task_id\": null,\n \"flip\": null,\n");
    put_said(o, l, "op", f->is_tag || f->is_type, f->is_tag ? "{tag}" : "{type}");
    put_said(o, l, "op_name", f->is_type, "{leaf}");
    put_said(o, l, "kernel", f->has_kernel, "{kernel}");
}

static int put_ranks(struct emit *o, const struct logs *l, struct err *e)
{
    const struct demo_run *r = l->run;
    emit_s(o, " \"ranks\": [");
    for (int i = 0; i < r->o.ranks; i++) {
        const struct log_rank *x = &l->rank[i];
        const struct log_say s = { .l = l, .rank = i };
        struct buf b;
        buf_init(&b, 256);
        log_say(&b, &s, "{pid}");
        emit_fmt(o, "%s\n  {\"rank\": %d, \"server\": %d, \"device\": %d, \"pid\": ", i ? "," : "", i,
                 log_host(l, i), log_device(l, i));
        emit_str(o, buf_str(&b));
        if (x->cut.on)
            emit_fmt(o, ", \"profile_end_ns\": %i", r->origin_ns + x->cut.at_ns);
        if (x->waits)
            emit_fmt(o, ", \"waits\": {\"stream_id\": %u, \"task_id\": %u, \"flip\": %u, \"since_ns\": %i}",
                     x->stream, x->task % 65536, x->task / 65536, x->wait_ns);
        buf_done(&b);
        if (log_last_put(o, l, i, e))
            return e->code;
        emit_s(o, "}");
    }
    emit_s(o, "\n ],\n");
    return OK;
}

/* Without a fault: which rank hangs in an op that the others have left. */
static void put_crash(struct emit *o, const struct logs *l)
{
    bool first = true;
    emit_s(o, "{\n \"fault\": null,\n \"hung_ranks\": [");
    for (int i = 0; i < l->run->o.ranks; i++)
        if (l->rank[i].cut.hangs && l->rank[i].cut.comm + 1 < l->run->net->ncomm) {
            emit_fmt(o, "%s%d", first ? "" : ", ", i);
            first = false;
        }
    emit_s(o, "],\n");
}

/* Of a run with a fault: how its logs are written. */
static void put_logs(struct emit *o, const struct logs *l)
{
    const struct demo_run *r = l->run;
    put_fault(o, l);
    emit_fmt(
        o, " \"framework\": \"%s\",\n \"cann\": \"%s\",\n \"zone_minutes\": %d,\n \"exec_timeout_s\": %d,\n",
        l->torch ? "torch" : "mindspore", l->newer ? "8.5" : "7", r->o.zone_min, LOG_EXEC_S);
}

int log_truth_write(const struct logs *l, struct err *e)
{
    const struct demo_run *r = l->run;
    struct emit *o;
    if (!r->o.truth)
        return OK;
    struct str path = str_of(r->o.truth);
    size_t slash = str_rchr(path, '/');
    char dir[1024];
    str_copy(slash == SIZE_MAX ? STR(".") : str_sub(path, 0, slash ? slash : 1), dir, sizeof dir);
    if (emit_open(&o, dir, r->o.truth + (slash == SIZE_MAX ? 0 : slash + 1), e))
        return e->code;
    (l->fault ? put_logs : put_crash)(o, l);
    if (put_ranks(o, l, e)) {
        emit_drop(o);
        return e->code;
    }
    emit_s(o, " \"servers\": [");
    for (int i = 0; i < l->book.hosts; i++)
        emit_fmt(o, "%s{\"node\": \"node-%d\", \"ip\": \"192.168.0.%d\", \"skew_ns\": %i}", i ? ", " : "",
                 i + 1, 10 + i, demo_skew_ns(r, i));
    emit_s(o, "]\n}\n");
    return emit_close(o, NULL, e);
}
