/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication: times of ops, bandwidths and links of the analysis (CommAnalyzer* tables,
 * doc/formats/analysed.md#analysis-tables), and the cluster's (#cluster_analysis); without them the ops
 * themselves (COMMUNICATION_OP).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/database/database_group.h"
#include "parsers/read/opwords.h"

struct comm {
    struct database_group *g;
    bool execs, links; /* what the group feeds */
    bool any;          /* the analysis gave ops */
    /* bandwidths: the record being put together, of rows that follow each other */
    struct database *d;
    struct val link[N_COLS(comm_link)];
    bool open;
    int64_t packets;
    struct buf sizes; /* JSON: packet MB -> [count, ms] */
};

/* clang-format off */
static const struct database_col time_cols[] = {
    { "hccl_op_name",         DB_TEXT, COL(comm_exec, name_id), NULL },
    { "group_name",           DB_STR,  COL(comm_exec, group_id), NULL },
    { "start_timestamp",      DB_US,   COL(comm_exec, ts_ns), NULL },
    { "elapse_time|elapsed_time", DB_MS, COL(comm_exec, dur_ns), NULL },
    { "transit_time",         DB_MS,   COL(comm_exec, transit_ns), NULL },
    { "wait_time",            DB_MS,   COL(comm_exec, wait_ns), NULL },
    { "synchronization_time", DB_MS,   COL(comm_exec, sync_ns), NULL },
    { "idle_time",            DB_MS,   COL(comm_exec, idle_ns), NULL },
    { "step",                 DB_STEP, COL(comm_exec, step), NULL },
    { "type",                 DB_TEXT, COL(comm_exec, kind), NULL },
    { "rank_id",              DB_INT,  COL(comm_exec, rank), NULL },
};
static const struct database_map time_map = {
    .table = "CommAnalyzerTime|ClusterCommAnalyzerTime|ClusterCommunicationTime",
    DB_TARGET_LINE(comm_exec), .cols = time_cols, .n_cols = ARRAY_LEN(time_cols),
};

enum { B_SIZE = N_COLS(comm_link), B_COUNT, B_TOTAL, B_N };
static const struct database_col bandwidth_cols[] = {
    { "hccl_op_name",         DB_TEXT, COL(comm_link, name_id), NULL },
    { "group_name",           DB_STR,  COL(comm_link, group_id), NULL },
    { "transport_type|band_type", DB_TEXT, COL(comm_link, transport), NULL },
    { "transit_size",         DB_MB,   COL(comm_link, size_b), NULL },
    { "transit_time",         DB_MS,   COL(comm_link, time_ns), NULL },
    { "bandwidth",            DB_GB_S, COL(comm_link, bandwidth), NULL },
    { "large_packet_ratio",   DB_REAL, COL(comm_link, large_share), NULL },
    { "step",                 DB_STEP, COL(comm_link, step), NULL },
    { "rank_id",              DB_INT,  COL(comm_link, rank), NULL },
    { "package_size",         DB_REAL, B_SIZE, NULL },
    { "count",                DB_INT,  B_COUNT, NULL },
    { "total_duration",       DB_REAL, B_TOTAL, NULL },
};
static const struct database_map bandwidth_map = {
    .table = "CommAnalyzerBandwidth|ClusterCommAnalyzerBandwidth|ClusterCommunicationBandwidth",
    DB_SLOTS(B_N), .cols = bandwidth_cols, .n_cols = ARRAY_LEN(bandwidth_cols),
};

enum { M_OP = N_COLS(comm_link), M_N };
static const struct database_col matrix_cols[] = {
    { "hccl_op_name",         DB_TEXT, COL(comm_link, name_id), NULL },
    { "op_name",              DB_TEXT, M_OP, NULL },
    { "group_name",           DB_STR,  COL(comm_link, group_id), NULL },
    { "src_rank",             DB_INT,  COL(comm_link, src_rank), NULL },
    { "dst_rank",             DB_INT,  COL(comm_link, dst_rank), NULL },
    { "transport_type",       DB_TEXT, COL(comm_link, transport), NULL },
    { "transit_size",         DB_MB,   COL(comm_link, size_b), NULL },
    { "transit_time",         DB_MS,   COL(comm_link, time_ns), NULL },
    { "bandwidth",            DB_GB_S, COL(comm_link, bandwidth), NULL },
    { "step",                 DB_STEP, COL(comm_link, step), NULL },
};
static const struct database_map matrix_map = {
    .table = "CommAnalyzerMatrix|ClusterCommAnalyzerMatrix|ClusterCommunicationMatrix",
    DB_SLOTS(M_N), .cols = matrix_cols, .n_cols = ARRAY_LEN(matrix_cols),
};

enum { O_NAME, O_TYPE, O_GROUP, O_FROM, O_TO, O_DEVICE, O_N };
static const struct database_col op_cols[] = {
    { "opName",       DB_SID,    O_NAME, NULL },
    { "opType",       DB_SID,    O_TYPE, NULL },
    { "groupName",    DB_SID,    O_GROUP, NULL },
    { "startNs",      DB_NS,     O_FROM, NULL },
    { "endNs",        DB_NS,     O_TO, NULL },
    { "deviceId",     DB_DEVICE, O_DEVICE, NULL },
};
static const struct database_map op_map = {
    .table = "COMMUNICATION_OP", DB_SLOTS(O_N), .cols = op_cols, .n_cols = ARRAY_LEN(op_cols),
};
/* clang-format on */

/* ---- ops ---- */

static struct str text_at(const struct database_row *r, size_t slot)
{
    return r->v[slot].t == VAL_TEXT ? r->v[slot].s : STR_NULL;
}

/* hcom_allReduce__586_0_1 -> hcom_allReduce_, as the kernel tables call it. */
static struct str type_of(struct str name)
{
    size_t at = str_find(name, STR("__"), 0);

    return at == SIZE_MAX ? STR_NULL : str_sub(name, 0, at + 1);
}

/* The cluster's tables say whose row it is. */
static void take_rank(struct database_row *r, size_t slot)
{
    if (r->v[slot].t == VAL_INT && r->v[slot].i >= 0 && r->v[slot].i < INT32_MAX)
        r->rank = (int)r->v[slot].i;
}

static int on_time(struct database_row *r, struct err *e)
{
    struct comm *c = r->arg;
    struct str name = text_at(r, COL(comm_exec, name_id));

    if (op_comm_is_total(name))
        return OK;
    take_rank(r, COL(comm_exec, rank));
    r->v[COL(comm_exec, type_id)] = sink_text(r->d->c->out, type_of(name));
    r->v[COL(comm_exec, name_id)] = sink_text(r->d->c->out, name);
    c->any = true;
    return database_put(r, e);
}

static int on_op(struct database_row *r, struct err *e)
{
    struct comm *c = r->arg;
    struct val v[N_COLS(comm_exec)] = { 0 };

    if (r->v[O_FROM].t != VAL_INT)
        return database_no_start(r);
    v[COL(comm_exec, rank)] = val_int(r->rank);
    v[COL(comm_exec, name_id)] = r->v[O_NAME];
    v[COL(comm_exec, type_id)] = r->v[O_TYPE];
    v[COL(comm_exec, group_id)] = r->v[O_GROUP];
    v[COL(comm_exec, step)] = database_step_at(&c->g->steps, r->v[O_FROM].i);
    v[COL(comm_exec, ts_ns)] = r->v[O_FROM];
    v[COL(comm_exec, dur_ns)] = database_dur(r, O_FROM, O_TO);
    v[COL(comm_exec, source_id)] = val_int(r->d->c->f->id);
    v[COL(comm_exec, line)] = val_int((int64_t)r->number);
    return sink_row(r->d->c->out, T_comm_exec, v, N_COLS(comm_exec), NULL, e);
}

/* ---- bandwidths: a row for each packet size ---- */

static int put_link(struct comm *c, struct err *e)
{
    struct val *v = c->link;

    if (!c->open)
        return OK;
    c->open = false;
    if (c->sizes.n)
        buf_addc(&c->sizes, '}');
    v[COL(comm_link, packets)] = c->packets ? val_int(c->packets) : val_null();
    v[COL(comm_link, sizes)] =
        c->sizes.n && !buf_failed(&c->sizes) ? val_text(buf_str(&c->sizes)) : val_null();
    return sink_row(c->d->c->out, T_comm_link, v, N_COLS(comm_link), NULL, e);
}

static bool same(const struct val *a, const struct val *b)
{
    if (a->t != b->t)
        return false;
    return a->t == VAL_NULL || (a->t == VAL_TEXT ? str_eq(a->s, b->s) : a->i == b->i);
}

/* The rows of one op and transport follow each other. */
static bool goes_on(const struct comm *c, const struct val *v)
{
    static const size_t keys[] = { COL(comm_link, name_id), COL(comm_link, group_id), COL(comm_link, step),
                                   COL(comm_link, rank), COL(comm_link, transport) };
    bool on = c->open;

    for (size_t i = 0; on && i < ARRAY_LEN(keys); i++)
        on = same(&c->link[keys[i]], &v[keys[i]]);
    return on;
}

static const char *transport_word(struct str s)
{
    static const char *const words[] = { "HCCS", "RDMA", "SDMA", "PCIE", "SIO", "LOCAL", "HCCS_SW", "UB" };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(s, str_of(words[i])))
            return words[i];
    return NULL;
}

/* What is kept of a row lives longer than it: texts are interned, or words of ours. */
static void begin_link(struct comm *c, struct database_row *r)
{
    memcpy(c->link, r->v, sizeof c->link);
    c->link[COL(comm_link, stat)] = val_cstr("op");
    c->link[COL(comm_link, source_id)] = val_int(r->d->c->f->id);
    c->link[COL(comm_link, line)] = val_int((int64_t)r->number);
    c->open = true;
    c->packets = 0;
    c->d = r->d;
    buf_clear(&c->sizes);
}

static int on_bandwidth(struct database_row *r, struct err *e)
{
    struct comm *c = r->arg;
    const char *word = transport_word(text_at(r, COL(comm_link, transport)));
    struct str name = text_at(r, COL(comm_link, name_id));

    take_rank(r, COL(comm_link, rank));
    r->v[COL(comm_link, rank)] = val_int(r->rank);
    r->v[COL(comm_link, name_id)] = sink_text(r->d->c->out, name);
    r->v[COL(comm_link, type_id)] = sink_text(r->d->c->out, type_of(name));
    r->v[COL(comm_link, transport)] = val_cstr(word);
    if (!goes_on(c, r->v)) {
        if (put_link(c, e))
            return e->code;
        begin_link(c, r);
    }
    int64_t count = database_int(r, B_COUNT, 0);
    if (r->v[B_SIZE].t == VAL_REAL && count > 0) {
        c->packets += count < INT32_MAX ? count : 0;
        buf_printf(&c->sizes, "%s\"%.15g\": [%lld, %.15g]", c->sizes.n ? ", " : "{", r->v[B_SIZE].r,
                   (long long)count, val_num(&r->v[B_TOTAL]));
    }
    return OK;
}

/* ---- the matrix ---- */

static bool is_stat(struct str s)
{
    static const char *const words[] = { "top1", "middle", "bottom1", "bottom2", "bottom3", "total" };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(s, str_of(words[i])))
            return true;
    return false;
}

/* <type>-<stat> with the op that it is of, or an op's name. */
static int on_matrix(struct database_row *r, struct err *e)
{
    struct str name = text_at(r, COL(comm_link, name_id)), op = text_at(r, M_OP);
    size_t dash = str_rchr(name, '-');
    struct str stat = dash == SIZE_MAX ? STR_NULL : str_sub(name, dash + 1, SIZE_MAX), type = type_of(name);
    struct sink *s = r->d->c->out;

    if (is_stat(stat)) {
        type = str_sub(name, 0, dash);
        name = op;
    } else {
        stat = STR("op");
    }
    bool cluster = str_starts(foreign_table(r->d->f, r->table), STR("Cluster"));
    if (cluster) { /* these are ranks already */
        take_rank(r, COL(comm_link, src_rank));
        r->v[COL(comm_link, from_rank)] = r->v[COL(comm_link, src_rank)];
        r->v[COL(comm_link, to_rank)] = r->v[COL(comm_link, dst_rank)];
    }
    r->v[COL(comm_link, rank)] = val_int(r->rank);
    r->v[COL(comm_link, name_id)] = name.n ? sink_text(s, name) : val_null();
    r->v[COL(comm_link, type_id)] = sink_text(s, type);
    r->v[COL(comm_link, stat)] = val_text(stat);
    r->v[COL(comm_link, source_id)] = val_int(r->d->c->f->id);
    r->v[COL(comm_link, line)] = val_int((int64_t)r->number);
    return sink_row(s, T_comm_link, r->v, N_COLS(comm_link), NULL, e);
}

int database_comm(struct database_group *g, struct err *e)
{
    struct comm c = { .g = g,
                      .execs = group_wants(g->g, "comm_exec"),
                      .links = group_wants(g->g, "comm_link") };

    buf_init(&c.sizes, (size_t)1 << 20);
    for (size_t i = 0; i < g->n && c.execs && !c.any && !e->code; i++)
        (void)!database_read(&g->db[i], &time_map, on_time, &c, e);
    for (size_t i = 0; i < g->n && c.execs && !c.any && !e->code; i++)
        (void)!database_read(&g->db[i], &op_map, on_op, &c, e);
    for (size_t i = 0; i < g->n && c.links && !e->code; i++)
        (void)!(database_read(&g->db[i], &bandwidth_map, on_bandwidth, &c, e) || put_link(&c, e) ||
                database_read(&g->db[i], &matrix_map, on_matrix, &c, e));
    buf_done(&c.sizes);
    return e->code;
}
