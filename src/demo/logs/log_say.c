/* SPDX-License-Identifier: Apache-2.0 */
/* Names in the lines of logs, and what they stand for. */
#include "config.h"

#include "demo/logs/log_say.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/logs/log_time.h"

#define LAUNCHER_PID  19873
#define SCHEDULER_PID 19902

enum { SALT_WORLD = 180 };

static const char *const OP_NAME[] = { "AllReduce", "AllGather", "ReduceScatter" };

/* ---- what the names need ---- */

static const struct log_rank *me(const struct log_say *s)
{
    return &s->l->rank[s->rank];
}

static const struct demo_comm_op *open_op(const struct log_say *s)
{
    const struct demo_net *n = s->l->run->net;
    uint32_t i = me(s)->has_comm ? me(s)->comm.op : s->l->run->blame.comm;
    return i < n->ncomm ? &n->comm[i] : NULL;
}

/* The group's kind; all ranks are one group where the network has only one. */
static struct demo_group group_of(const struct log_say *s)
{
    const struct demo_run *r = s->l->run;
    const struct demo_comm_op *op = open_op(s);
    enum demo_group_kind k = DEMO_GROUP_DATA;
    if (s->group == LOG_GROUP_TENSOR || (s->group == LOG_GROUP_OPEN && op && op->group == DEMO_GROUP_TENSOR))
        k = DEMO_GROUP_TENSOR;
    if (s->group != LOG_GROUP_WORLD || r->tp == 1)
        return demo_group_of(r, s->rank, k);
    struct demo_group g = demo_group_of(r, 0, DEMO_GROUP_DATA);
    uint64_t us = (demo_hash(r, SALT_WORLD, 0, 0, 0) >> 8) % 1000000;
    g.base = 0;
    g.stride = 1;
    g.n = r->o.ranks;
    g.me = s->rank;
    snprintf(g.id, sizeof g.id, "192.168.0.10%%eth0_60000_0_1773450706%06u", (unsigned)us);
    return g;
}

static const struct demo_op *stuck_op(const struct log_say *s)
{
    const struct demo_net *n = s->l->run->net;
    uint32_t i = s->l->rank[s->l->run->blame.rank].cut.stuck;
    return &n->op[i < n->nop ? i : n->fp_first];
}

static bool is_vector(const struct log_say *s)
{
    return demo_op_type(stuck_op(s))->core == DEMO_AIV;
}

/* ---- numbers ---- */

static int64_t n_pid(const struct log_say *s)
{
    return log_pid(s->l, s->rank);
}
static int64_t n_tid(const struct log_say *s)
{
    return n_pid(s) + (s->l->torch ? 5 : 0);
}
static int64_t n_rank(const struct log_say *s)
{
    return s->rank;
}
static int64_t n_dev(const struct log_say *s)
{
    return log_device(s->l, s->rank);
}
static int64_t n_ranks(const struct log_say *s)
{
    return s->l->run->o.ranks;
}
static int64_t n_local(const struct log_say *s)
{
    return s->l->run->o.ranks < s->l->run->node_ranks ? s->l->run->o.ranks : s->l->run->node_ranks;
}
static int64_t n_stream(const struct log_say *s)
{
    return me(s)->stream;
}
static int64_t n_task(const struct log_say *s)
{
    return me(s)->task % 65536;
}
static int64_t n_flip(const struct log_say *s)
{
    return me(s)->task / 65536;
}
static int64_t n_full(const struct log_say *s)
{
    return me(s)->task;
}
static int64_t n_grank(const struct log_say *s)
{
    return group_of(s).me;
}
static int64_t n_gsize(const struct log_say *s)
{
    return group_of(s).n;
}
/* Collectives of the group before the op, those before the profile included. */
static int64_t n_index(const struct log_say *s)
{
    const struct demo_run *r = s->l->run;
    const struct demo_comm_op *op = open_op(s);
    return op ? (int64_t)((r->first_step - 1) * r->net->group_ops[op->group] + me(s)->comm.seq) : 0;
}
static int64_t n_count(const struct log_say *s)
{
    const struct demo_comm_op *op = open_op(s);
    return op ? (int64_t)ascend_comm_elements(op) : 0;
}
/* The rank to blame takes it for half of it. */
static int64_t n_mine(const struct log_say *s)
{
    return log_blamed(s->l, s->rank) ? n_count(s) / 2 : n_count(s);
}
static int64_t n_theirs(const struct log_say *s)
{
    return log_blamed(s->l, s->rank) ? n_count(s) : n_count(s) / 2;
}
static int64_t n_exec(const struct log_say *s)
{
    (void)s;
    return LOG_EXEC_S;
}
static int64_t n_conn(const struct log_say *s)
{
    (void)s;
    return LOG_CONN_S;
}
static int64_t n_steps(const struct log_say *s)
{
    return (int64_t)s->l->run->first_step - 1 + s->l->run->o.steps;
}
static int64_t n_number(const struct log_say *s)
{
    return s->number;
}
static int64_t n_signal(const struct log_say *s)
{
    return -s->number;
}
static int64_t n_launcher(const struct log_say *s)
{
    return LAUNCHER_PID + log_host(s->l, s->rank) * 7;
}
static int64_t n_scheduler(const struct log_say *s)
{
    (void)s;
    return SCHEDULER_PID;
}
/* When the device saw the fault. */
static int64_t n_device_us(const struct log_say *s)
{
    return s->l->fault_ns / 1000;
}
static int64_t n_code(const struct log_say *s)
{
    return is_vector(s) ? 507035 : 507015;
}
/* The wait of a communication op: of FFTS+, before it of the stream. */
static int64_t n_exec_code(const struct log_say *s)
{
    return s->l->newer ? 507048 : 107020;
}
/* Core that faulted. */
static int64_t n_core(const struct log_say *s)
{
    return is_vector(s) ? 32 : 5;
}
static int64_t n_missing_lines(const struct log_say *s)
{
    return (s->l->run->o.ranks - 1 + 7) / 8;
}
static int64_t n_connected(const struct log_say *s)
{
    return s->l->run->o.ranks - 1;
}

static const struct {
    const char *name;
    int64_t (*of)(const struct log_say *s);
} NUMBERS[] = {
    { "pid", n_pid },
    { "tid", n_tid },
    { "rank", n_rank },
    { "dev", n_dev },
    { "ranks", n_ranks },
    { "local", n_local },
    { "stream", n_stream },
    { "task", n_task },
    { "flip", n_flip },
    { "full", n_full },
    { "grank", n_grank },
    { "gsize", n_gsize },
    { "index", n_index },
    { "count", n_count },
    { "mine", n_mine },
    { "theirs", n_theirs },
    { "exec", n_exec },
    { "conn", n_conn },
    { "steps", n_steps },
    { "number", n_number },
    { "signal", n_signal },
    { "launcher", n_launcher },
    { "scheduler", n_scheduler },
    { "us", n_device_us },
    { "core_code", n_code },
    { "exec_code", n_exec_code },
    { "core", n_core },
    { "rows", n_missing_lines },
    { "connected", n_connected },
};

/* ---- texts ---- */

static void t_prefix(struct buf *b, const struct log_say *s)
{
    if (s->l->torch)
        buf_printf(b, "[rank%d]: ", s->rank);
}
static void t_pname(struct buf *b, const struct log_say *s)
{
    (void)s;
    buf_puts(b, "python3.9");
}
/* Thread of MindSpore's log, as it prints it. */
static void t_thread(struct buf *b, const struct log_say *s)
{
    buf_printf(b, "ffff%08x", 0x8c3a0000u + (unsigned)s->rank * 4096);
}
static void t_ip(struct buf *b, const struct log_say *s)
{
    buf_printf(b, "192.168.0.%d", 10 + log_host(s->l, s->rank));
}
static void t_node(struct buf *b, const struct log_say *s)
{
    buf_printf(b, "node-%d", log_host(s->l, s->rank) + 1);
}
/* Address of the device's own port. */
static void t_dip(struct buf *b, const struct log_say *s)
{
    buf_printf(b, "10.10.%d.%d", log_host(s->l, s->rank), 11 + (int)n_dev(s));
}
static void t_group(struct buf *b, const struct log_say *s)
{
    buf_puts(b, group_of(s).id);
}
static void t_world(struct buf *b, const struct log_say *s)
{
    struct log_say all = *s;
    all.group = LOG_GROUP_WORLD;
    t_group(b, &all);
}
/* Address of the group's first rank, whose identifier all members print. */
static void t_root(struct buf *b, const struct log_say *s)
{
    struct log_say first = *s;
    first.rank = group_of(s).base;
    t_ip(b, &first);
}
static const char *op_name(const struct log_say *s)
{
    const struct demo_comm_op *op = open_op(s);
    return OP_NAME[me(s)->has_comm ? me(s)->comm.kind : op ? op->kind : 0];
}
static void t_coll(struct buf *b, const struct log_say *s)
{
    buf_puts(b, op_name(s));
}
static void t_upper(struct buf *b, const struct log_say *s)
{
    for (const char *c = op_name(s); *c; c++)
        buf_addc(b, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
}
static void t_tag(struct buf *b, const struct log_say *s)
{
    const struct demo_group g = group_of(s);
    if (s->l->torch)
        buf_printf(b, "%s_%s", op_name(s), g.id);
    else
        buf_printf(b, "Hcom%s_%llu_0", op_name(s), (unsigned long long)g.hash);
}
static void t_dtype(struct buf *b, const struct log_say *s)
{
    const struct demo_comm_op *op = open_op(s);
    buf_puts(b, op && ascend_comm_is_float(op) ? "float32" : "float16");
}
/* The rank that the wait is for, or "local": one of its own streams. */
static void t_remote(struct buf *b, const struct log_say *s)
{
    if (demo_hash(s->l->run, SALT_WORLD, (uint64_t)s->rank, 1, 0) >> 8 & 1)
        buf_puts(b, "local");
    else
        buf_printf(b, "%d", me(s)->peer);
}
/* Of the wait, as the profile has it. */
static void t_notify(struct buf *b, const struct log_say *s)
{
    const struct demo_comm_task t = { .task = me(s)->task };
    buf_printf(b, "0x%016llx", (unsigned long long)ascend_notify(&me(s)->comm, 0, &t));
}
static void t_kernel(struct buf *b, const struct log_say *s)
{
    const struct ascend g = { .run = s->l->run };
    char name[96];
    buf_puts(b, ascend_kernel_name(&g, stuck_op(s), name));
}
static void t_type(struct buf *b, const struct log_say *s)
{
    buf_puts(b, demo_op_type(stuck_op(s))->name);
}
static void t_node_name(struct buf *b, const struct log_say *s)
{
    buf_puts(b, stuck_op(s)->leaf);
}
static void t_cores(struct buf *b, const struct log_say *s)
{
    buf_puts(b, is_vector(s) ? "aivec" : "aicore");
}
static void t_core_error(struct buf *b, const struct log_say *s)
{
    buf_puts(b, is_vector(s) ? "vector core exception" : "aicore exception");
}
static void t_core_ret(struct buf *b, const struct log_say *s)
{
    buf_puts(b, is_vector(s) ? "0x31" : "0x26");
}
static void t_code_of(struct buf *b, const struct log_say *s)
{
    log_say(b, s, s->code ? s->code : "");
}
static void t_message(struct buf *b, const struct log_say *s)
{
    log_say(b, s, s->message ? s->message : "");
}
/* Ranks that came, eight to a line: the line's number is s->number. */
static void t_came(struct buf *b, const struct log_say *s)
{
    int n = 0;
    for (int i = 0; i < s->l->run->o.ranks; i++)
        if (!log_blamed(s->l, i) && n++ / 8 == (int)s->number)
            buf_printf(b, "%s[%016d]", (n - 1) % 8 ? "," : "", i);
}
static void t_loss(struct buf *b, const struct log_say *s)
{
    int64_t micro = 9000000 * 100 / (100 + s->number);
    buf_printf(b, "%d.%06d", (int)(micro / 1000000), (int)(micro % 1000000));
}
static void t_signal_name(struct buf *b, const struct log_say *s)
{
    buf_puts(b, s->number == -9 ? "SIGKILL" : s->number == -11 ? "SIGSEGV" : "SIGTERM");
}
static void t_uptime(struct buf *b, const struct log_say *s)
{
    int64_t us = (s->ns - s->l->start_ns) / 1000 + INT64_C(259200000000);
    buf_printf(b, "%6d.%06d", (int)(us / 1000000), (int)(us % 1000000));
}

static const struct {
    const char *name;
    void (*of)(struct buf *b, const struct log_say *s);
} TEXTS[] = {
    { "p", t_prefix },          { "pname", t_pname },
    { "thread", t_thread },     { "ip", t_ip },
    { "node", t_node },         { "dip", t_dip },
    { "group", t_group },       { "world", t_world },
    { "root", t_root },         { "coll", t_coll },
    { "COLL", t_upper },        { "tag", t_tag },
    { "dtype", t_dtype },       { "remote", t_remote },
    { "notify", t_notify },     { "kernel", t_kernel },
    { "type", t_type },         { "leaf", t_node_name },
    { "cores", t_cores },       { "core_error", t_core_error },
    { "core_ret", t_core_ret }, { "code", t_code_of },
    { "message", t_message },   { "came", t_came },
    { "loss", t_loss },         { "signal_name", t_signal_name },
    { "uptime", t_uptime },
};

/* ---- the text ---- */

static bool put_name(struct buf *b, const struct log_say *s, struct str name)
{
    struct log_say of = *s;
    size_t dot = str_chr(name, '.');
    if (dot != SIZE_MAX) {
        struct str who = str_sub(name, 0, dot);
        name = str_sub(name, dot + 1, name.n);
        if (str_eq(who, STR("bad")))
            of.rank = s->l->run->blame.rank;
        else if (str_eq(who, STR("other")))
            of.rank = s->other;
        else
            of.ns = s->then_ns + (str_eq(who, STR("up")) ? LOG_PORT_S * INT64_C(1000000000) : 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(NUMBERS); i++)
        if (str_eq(name, str_of(NUMBERS[i].name))) {
            buf_printf(b, "%lld", (long long)NUMBERS[i].of(&of));
            return true;
        }
    for (size_t i = 0; i < ARRAY_LEN(TEXTS); i++)
        if (str_eq(name, str_of(TEXTS[i].name))) {
            TEXTS[i].of(b, &of);
            return true;
        }
    int host = log_host(s->l, s->rank); /* whose clock it is that writes */
    return log_time(b, name, of.ns + demo_skew_ns(s->l->run, host), s->l->run->o.zone_min);
}

void log_say(struct buf *b, const struct log_say *s, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "{");
        buf_add(b, (struct str){ text, n });
        text += n;
        if (!*text)
            return;
        size_t end = strcspn(text, "}");
        if (text[1] == '{') {
            buf_addc(b, '{');
            text += 2;
            continue;
        }
        bool known = put_name(b, s, (struct str){ text + 1, end - 1 });
        assert(known);
        (void)known;
        text += end + 1;
    }
}

void log_tell(struct logs *l, const struct log_say *say, const struct log_story *story)
{
    const unsigned form = l->newer ? LOG_85 : LOG_7, dialect = l->torch ? LOG_PT : LOG_MS;
    enum log_mark mark = say->mark;
    struct buf b;
    buf_init(&b, 1 << 20);
    for (size_t i = 0; i < story->n; i++) {
        const struct log_row *r = &story->row[i];
        struct log_say s = *say;
        if ((r->when & (LOG_7 | LOG_85) && !(r->when & form)) ||
            (r->when & (LOG_PT | LOG_MS) && !(r->when & dialect)))
            continue;
        s.ns += (int64_t)r->us * 1000;
        if (r->to < LOG_OWN && s.ns > l->rank[s.rank].dead_ns)
            continue;
        buf_clear(&b);
        log_say(&b, &s, r->text);
        int host = r->to == LOG_SCHEDULER ? 0 : log_host(l, s.rank);
        const struct log_line at = { .ns = s.ns,
                                     .mark = r->mark ? (enum log_mark)r->mark : mark,
                                     .rank = s.rank };
        mark = LOG_NO_MARK;
        l->book.failed = l->book.failed || buf_failed(&b);
        log_book_put(&l->book, log_book_file(&l->book, (enum log_kind)r->to, host), &at, buf_str(&b));
    }
    buf_done(&b);
}
