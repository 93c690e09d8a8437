/* SPDX-License-Identifier: Apache-2.0 */
/*
 * communication.json, communication_matrix.json, cluster_communication*.json
 * (doc/formats/analysed.md#communication, #communication_matrix, #cluster_communication).
 *
 * The forms are told apart by the keys around a record, not by the file's folder: an op's record is the
 * object that holds "Communication Time Info" or "Communication Bandwidth Info", a link's is the object under
 * a key <src>-<dst>.
 */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/jwalk.h"
#include "parsers/read/lines.h"
#include "parsers/read/opwords.h"

#define MAX_LINKS 8
#define MB        1000000 /* in these files: 10^6 bytes */

enum { NO_RECORD = -1 };

/* Name, group, kind and step of the op whose record is at a depth. */
struct comm_id {
    struct str name, group;
    const char *kind;
    struct val step;
    int rank;
};

static struct val step_of(struct str key)
{
    int64_t v;

    if (!str_starts(key, STR("step")))
        return val_null();
    key = str_sub(key, 4, SIZE_MAX);
    return str_i64(key, &v) ? val_int(v) : val_null();
}

static void split_op(struct str key, struct comm_id *id)
{
    size_t at = str_rchr(key, '@');

    id->name = str_sub(key, 0, at);
    id->group = at == SIZE_MAX ? STR_NULL : str_sub(key, at + 1, SIZE_MAX);
}

/*
 * [step, kind, op] in the rank's own files, [op] in those of msprof, [ranks or "p2p", step, op, rank] in the
 * cluster's time file; [ranks or "p2p", step, op] in its matrix. n: parts of the path before the record.
 */
static struct comm_id comm_identify(const struct jwalk *w, int n, bool with_rank)
{
    struct comm_id id = { .step = val_null(), .rank = w->c->rank };
    int64_t rank;
    int op = n - 1;

    if (with_rank && n > 0 && str_i64(jwalk_key(w, op), &rank) && rank >= 0 && rank < INT32_MAX) {
        id.rank = (int)rank;
        op--;
    }
    if (op >= 0)
        split_op(jwalk_key(w, op), &id);
    for (int i = 0; i < op; i++) {
        struct str k = jwalk_key(w, i);
        if (str_eq(k, STR("p2p")) || str_eq(k, STR("collective")))
            id.kind = str_eq(k, STR("p2p")) ? "p2p" : "collective";
        else if (id.step.t == VAL_NULL)
            id.step = step_of(k);
    }
    return id;
}

/* ---- times and bandwidths of one op ---- */

struct comm_transport {
    char name[16];
    struct val size_b, time_ns, bandwidth, large_share;
    int64_t packets;
    struct buf sizes; /* JSON: packet MB -> [count, ms] */
};

struct comm_record {
    int depth; /* path of the record; NO_RECORD: none is open */
    struct val ts, dur, transit, wait, sync, idle;
    struct comm_transport link[MAX_LINKS];
    size_t n_links;
    bool bad;
};

struct comm_file {
    struct jwalk w;
    struct parse_ctx *c;
    bool cluster;
    struct comm_record r;
    uint64_t left_out;
};

static void record_clear(struct comm_record *r)
{
    for (size_t i = 0; i < r->n_links; i++)
        buf_clear(&r->link[i].sizes);
    r->ts = r->dur = r->transit = r->wait = r->sync = r->idle = val_null();
    r->n_links = 0;
    r->depth = NO_RECORD;
    r->bad = false;
}

static void time_field(struct comm_record *r, struct str key, struct str text)
{
    const struct {
        struct str key;
        struct val *slot;
        uint64_t mul;
    } fields[] = {
        { STR("Start Timestamp(us)"), &r->ts, 1000 },           { STR("Elapse Time(ms)"), &r->dur, 1000000 },
        { STR("Transit Time(ms)"), &r->transit, 1000000 },      { STR("Wait Time(ms)"), &r->wait, 1000000 },
        { STR("Synchronization Time(ms)"), &r->sync, 1000000 }, { STR("Idle Time(ms)"), &r->idle, 1000000 },
    };

    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (str_eq(key, fields[i].key))
            *fields[i].slot = val_scaled(text, fields[i].mul, &r->bad);
}

static struct comm_transport *transport(struct comm_file *f, struct str name)
{
    struct comm_record *r = &f->r;

    for (size_t i = 0; i < r->n_links; i++)
        if (str_eq(name, str_of(r->link[i].name)))
            return &r->link[i];
    if (r->n_links == MAX_LINKS) {
        f->left_out++;
        return NULL;
    }
    struct comm_transport *t = &r->link[r->n_links++];
    struct buf sizes = t->sizes;
    *t = (struct comm_transport){ .sizes = sizes };
    str_copy(name, t->name, sizeof t->name);
    return t;
}

static void link_field(struct comm_transport *t, struct str key, struct str text, bool *bad)
{
    if (str_eq(key, STR("Transit Size(MB)")))
        t->size_b = val_scaled(text, MB, bad);
    else if (str_eq(key, STR("Transit Time(ms)")))
        t->time_ns = val_scaled(text, 1000000, bad);
    else if (str_eq(key, STR("Bandwidth(GB/s)")))
        t->bandwidth = val_real_text(text, 9, bad);
    else if (str_eq(key, STR("Large Packet Ratio")))
        t->large_share = val_real_text(text, 0, bad);
}

/* "<packet MB>": [count, total ms] */
static void packet_field(struct comm_transport *t, struct str size, int64_t index, struct str text, bool *bad)
{
    int64_t count;

    if (index == 0) {
        if (str_scaled(text, 1, &count, NULL) && !__builtin_add_overflow(t->packets, count, &t->packets))
            buf_printf(&t->sizes, "%s\"%.*s\": [%lld", t->sizes.n ? ", " : "{", (int)size.n, size.p,
                       (long long)count);
        else
            *bad = true;
    } else if (index == 1 && t->sizes.n) {
        buf_printf(&t->sizes, ", %.*s]", (int)text.n, text.p);
    }
}

static void record_scalar(struct comm_file *f, struct str text)
{
    static const struct str time_info = { "Communication Time Info", 23 };
    static const struct str bandwidth_info = { "Communication Bandwidth Info", 28 };
    const struct jwalk *w = &f->w;
    struct comm_transport *t;

    if (str_eq(jwalk_key(w, -2), time_info)) {
        f->r.depth = w->depth - 2;
        time_field(&f->r, jwalk_key(w, -1), text);
    } else if (str_eq(jwalk_key(w, -3), bandwidth_info)) {
        f->r.depth = w->depth - 3;
        t = transport(f, jwalk_key(w, -2));
        if (t)
            link_field(t, jwalk_key(w, -1), text, &f->r.bad);
    } else if (str_eq(jwalk_key(w, -5), bandwidth_info) &&
               str_eq(jwalk_key(w, -3), STR("Size Distribution"))) {
        t = transport(f, jwalk_key(w, -4));
        if (t)
            packet_field(t, jwalk_key(w, -2), jwalk_index(w, -1), text, &f->r.bad);
    }
}

static bool is_zero(const struct val *v)
{
    return v->t == VAL_NULL || val_num(v) == 0;
}

static int put_transport(struct comm_file *f, const struct comm_id *id, int64_t comm_id, const char *stat,
                         struct comm_transport *t, struct err *e)
{
    struct val v[N_COLS(comm_link)] = { 0 };

    if (is_zero(&t->size_b) && is_zero(&t->time_ns))
        return OK; /* every record names all kinds of links, used or not */
    if (t->sizes.n)
        buf_addc(&t->sizes, '}');
    v[COL(comm_link, rank)] = val_int(id->rank);
    v[COL(comm_link, step)] = id->step;
    v[COL(comm_link, comm_id)] = comm_id ? val_int(comm_id) : val_null();
    v[COL(comm_link, name_id)] = sink_text(f->c->out, id->name);
    v[COL(comm_link, group_id)] = sink_text(f->c->out, id->group);
    v[COL(comm_link, transport)] = val_cstr(t->name);
    v[COL(comm_link, size_b)] = t->size_b;
    v[COL(comm_link, time_ns)] = t->time_ns;
    v[COL(comm_link, bandwidth)] = t->bandwidth;
    v[COL(comm_link, packets)] = t->packets ? val_int(t->packets) : val_null();
    v[COL(comm_link, large_share)] = t->large_share;
    v[COL(comm_link, sizes)] =
        t->sizes.n && !buf_failed(&t->sizes) ? val_text(buf_str(&t->sizes)) : val_null();
    v[COL(comm_link, stat)] = val_cstr(stat);
    v[COL(comm_link, source_id)] = val_int(f->c->f->id);
    return parse_row(f->c, T_comm_link, v, N_COLS(comm_link), e);
}

/* hcom_allReduce__586_0_1 -> hcom_allReduce_, as the kernel tables call it. */
static struct str comm_type(struct str name)
{
    size_t at = str_find(name, STR("__"), 0);

    return at == SIZE_MAX ? STR_NULL : str_sub(name, 0, at + 1);
}

/* Bytes moved: SDMA stands for HCCS, PCIE and SIO together. */
static struct val moved(const struct comm_record *r)
{
    int64_t sum = 0;
    bool any = false;

    for (size_t i = 0; i < r->n_links; i++) {
        const struct comm_transport *t = &r->link[i];
        bool counts = str_eq(str_of(t->name), STR("SDMA")) || str_eq(str_of(t->name), STR("RDMA"));
        if (counts && t->size_b.t == VAL_INT && !__builtin_add_overflow(sum, t->size_b.i, &sum))
            any = true;
    }
    return any ? val_int(sum) : val_null();
}

static int put_op(struct comm_file *f, const struct comm_id *id, int64_t *row, struct err *e)
{
    const struct comm_record *r = &f->r;
    struct val v[N_COLS(comm_exec)] = { 0 };

    v[COL(comm_exec, rank)] = val_int(id->rank);
    v[COL(comm_exec, name_id)] = sink_text(f->c->out, id->name);
    v[COL(comm_exec, type_id)] = sink_text(f->c->out, comm_type(id->name));
    v[COL(comm_exec, group_id)] = sink_text(f->c->out, id->group);
    v[COL(comm_exec, kind)] = val_cstr(id->kind);
    v[COL(comm_exec, step)] = id->step;
    v[COL(comm_exec, ts_ns)] = r->ts;
    v[COL(comm_exec, dur_ns)] = r->dur;
    v[COL(comm_exec, transit_ns)] = r->transit;
    v[COL(comm_exec, wait_ns)] = r->wait;
    v[COL(comm_exec, sync_ns)] = r->sync;
    v[COL(comm_exec, idle_ns)] = r->idle;
    v[COL(comm_exec, size_b)] = moved(r);
    v[COL(comm_exec, source_id)] = val_int(f->c->f->id);
    f->c->rows++;
    return sink_row(f->c->out, T_comm_exec, v, N_COLS(comm_exec), row, e);
}

static void note_value(const struct comm_file *f, const char *text)
{
    struct where p = parse_where(f->c, js_offset(f->w.j), js_line(f->w.j), 1);

    sink_note(f->c->out, NOTE_BAD_VALUE, &p, "%s", text);
}

/* A record is whole: an op, or the totals of a step, which give links only. */
static int put_record(struct comm_file *f, struct err *e)
{
    struct comm_record *r = &f->r;
    struct comm_id id = comm_identify(&f->w, r->depth, f->cluster);
    bool total = op_comm_is_total(id.name);
    int64_t row = 0;

    if (r->bad)
        note_value(f, "a value that is no number is missing");
    if (!total && put_op(f, &id, &row, e))
        return e->code;
    for (size_t i = 0; i < r->n_links; i++)
        if (put_transport(f, &id, row, total ? "total" : "op", &r->link[i], e))
            return e->code;
    record_clear(r);
    return OK;
}

static int read_times(struct comm_file *f, struct err *e)
{
    struct str text;

    for (enum js_token tok; (tok = jwalk_next(&f->w, &text, e)) != JS_END;) {
        if (jwalk_is_scalar(tok))
            record_scalar(f, text);
        else if (tok == JS_OBJ_END && f->r.depth != NO_RECORD && f->w.depth == f->r.depth && put_record(f, e))
            break;
    }
    return e->code;
}

static int parse_times(struct parse_ctx *c, bool cluster, struct err *e)
{
    struct comm_file f = { .c = c, .cluster = cluster };

    for (size_t i = 0; i < MAX_LINKS; i++)
        buf_init(&f.r.link[i].sizes, LIM_JSON_STRING_B);
    record_clear(&f.r);
    if (jwalk_open(&f.w, c, e) == OK)
        (void)read_times(&f, e);
    parse_note(c, NOTE_LIMIT, f.left_out, "more than %d kinds of links in one op", MAX_LINKS);
    jwalk_close(&f.w);
    for (size_t i = 0; i < MAX_LINKS; i++)
        buf_done(&f.r.link[i].sizes);
    return e->code;
}

int parse_communication(struct parse_ctx *c, struct err *e)
{
    return parse_times(c, false, e);
}

int parse_cluster_communication(struct parse_ctx *c, struct err *e)
{
    return parse_times(c, true, e);
}

/* ---- the matrix ---- */

struct link_record {
    struct comm_file f; /* walk and context; its record is not used */
    struct comm_transport t;
    struct buf op; /* "Op Name" */
};

/* <src>-<dst> */
static bool rank_pair(struct str key, int64_t *src, int64_t *dst)
{
    size_t at = str_chr(key, '-');

    return at != SIZE_MAX && str_i64(str_sub(key, 0, at), src) &&
           str_i64(str_sub(key, at + 1, SIZE_MAX), dst) && *src >= 0 && *dst >= 0;
}

static bool is_stat(struct str s)
{
    static const char *const words[] = { "top1", "middle", "bottom1", "bottom2", "bottom3", "total" };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(s, str_of(words[i])))
            return true;
    return false;
}

static void link_scalar(struct link_record *l, struct str text)
{
    struct str key = jwalk_key(&l->f.w, -1);

    if (str_eq(key, STR("Transport Type"))) {
        str_copy(text, l->t.name, sizeof l->t.name);
    } else if (str_eq(key, STR("Op Name")) || str_eq(key, STR("op_name"))) {
        buf_clear(&l->op);
        buf_add(&l->op, text);
    } else {
        link_field(&l->t, key, text, &l->f.r.bad);
    }
}

/* <type>-<stat>@<group>, or <op>@<group> in old files and those of msprof. */
static int put_link(struct link_record *l, int64_t src, int64_t dst, struct err *e)
{
    struct parse_ctx *c = l->f.c;
    struct comm_id id = comm_identify(&l->f.w, l->f.w.depth - 1, false);
    size_t dash = str_rchr(id.name, '-');
    struct str stat = dash == SIZE_MAX ? STR_NULL : str_sub(id.name, dash + 1, SIZE_MAX),
               type = comm_type(id.name);
    bool total = op_comm_is_total(id.name);
    struct val v[N_COLS(comm_link)] = { 0 };

    if (is_stat(stat)) {
        type = str_sub(id.name, 0, dash);
        id.name = l->op.n ? buf_str(&l->op) : STR_NULL;
    } else {
        stat = total ? STR("total") : STR("op");
    }
    if (l->f.r.bad)
        note_value(&l->f, "a value of a link that is no number is missing");
    v[COL(comm_link, rank)] = val_int(l->f.cluster && src < INT32_MAX ? src : c->rank);
    v[COL(comm_link, step)] = id.step;
    v[COL(comm_link, name_id)] = sink_text(c->out, id.name);
    v[COL(comm_link, type_id)] = sink_text(c->out, type);
    v[COL(comm_link, group_id)] = sink_text(c->out, id.group);
    v[COL(comm_link, src_rank)] = val_int(src);
    v[COL(comm_link, dst_rank)] = val_int(dst);
    if (l->f.cluster) { /* these are ranks already */
        v[COL(comm_link, from_rank)] = val_int(src);
        v[COL(comm_link, to_rank)] = val_int(dst);
    }
    v[COL(comm_link, transport)] = l->t.name[0] ? val_cstr(l->t.name) : val_null();
    v[COL(comm_link, size_b)] = l->t.size_b;
    v[COL(comm_link, time_ns)] = l->t.time_ns;
    v[COL(comm_link, bandwidth)] = l->t.bandwidth;
    v[COL(comm_link, large_share)] = l->t.large_share;
    v[COL(comm_link, stat)] = val_text(stat);
    v[COL(comm_link, source_id)] = val_int(c->f->id);
    return parse_row(c, T_comm_link, v, N_COLS(comm_link), e);
}

static int read_links(struct link_record *l, struct err *e)
{
    struct str text;
    int64_t src, dst;

    for (enum js_token tok; (tok = jwalk_next(&l->f.w, &text, e)) != JS_END;) {
        const struct jwalk *w = &l->f.w;
        if (tok == JS_OBJ) {
            l->t = (struct comm_transport){ .packets = 0 };
            l->f.r.bad = false;
            buf_clear(&l->op);
        } else if (jwalk_is_scalar(tok)) {
            link_scalar(l, text);
        } else if (tok == JS_OBJ_END && w->depth > 0 && rank_pair(jwalk_key(w, -1), &src, &dst) &&
                   put_link(l, src, dst, e)) {
            break;
        }
    }
    return e->code;
}

static int parse_matrix(struct parse_ctx *c, bool cluster, struct err *e)
{
    struct link_record l = { .f = { .c = c, .cluster = cluster } };

    buf_init(&l.op, LIM_JSON_STRING_B);
    if (jwalk_open(&l.f.w, c, e) == OK)
        (void)read_links(&l, e);
    jwalk_close(&l.f.w);
    buf_done(&l.op);
    return e->code;
}

int parse_communication_matrix(struct parse_ctx *c, struct err *e)
{
    return parse_matrix(c, false, e);
}

int parse_cluster_matrix(struct parse_ctx *c, struct err *e)
{
    return parse_matrix(c, true, e);
}
