/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hccl_raw_N.csv (doc/formats/mindspore1.md#hccl_raw): communication of a step, of each op and of each link,
 * the last two as JSON cells. ms, KB (1000), KB/s.
 */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/read/csvmap.h"
#include "parsers/read/jsoncell.h"
#include "parsers/read/opwords.h"

enum { H_STEP, H_COST, H_WAIT, H_LINKS, H_OPS, H_N };

/* clang-format off */
static const struct csv_col cols[] = {
    { "step_num",                       CV_RAW,     H_STEP },
    { "communication_cost",             CV_MS_REAL, H_COST },
    { "wait_cost",                      CV_MS_REAL, H_WAIT },
    { "link_info",                      CV_CELL,    H_LINKS },
    { "communication_operator_cost",    CV_CELL,    H_OPS },
};
/* clang-format on */

/* What links belong to. */
struct owner {
    struct val step, comm, name;
    const char *stat;
};

static struct val number(struct str text, enum csv_conv conv)
{
    struct val v;

    return csv_convert(conv, text, &v) ? v : val_null();
}

/* Number times 1000: KB of this file to bytes, KB/s to bytes/s. */
static struct val thousand(struct str text)
{
    struct val v = number(text, CV_REAL);

    return v.t == VAL_REAL ? val_real(v.r * 1000) : v;
}

static struct val whole_bytes(struct str text)
{
    int64_t bytes;

    return str_scaled(text, 1000, &bytes, NULL) ? val_int(bytes) : val_null();
}

/* [time ms, size KB, bandwidth KB/s (, wait ms)] of one transport between two ranks. */
static int put_link(struct csv_run *r, const struct owner *o, struct str pair, struct str transport,
                    struct str list, struct err *e)
{
    struct val v[N_COLS(comm_link)] = { 0 };
    struct str item, rest = pair, src, dst;
    bool is_string;
    size_t pos = 0;

    if (!str_next(&rest, '-', &src) || !str_next(&rest, '-', &dst))
        return OK;
    v[COL(comm_link, rank)] = val_int(csv_rank(r, NULL));
    v[COL(comm_link, step)] = o->step;
    v[COL(comm_link, comm_id)] = o->comm;
    v[COL(comm_link, name_id)] = o->name;
    v[COL(comm_link, src_rank)] = number(src, CV_INT);
    v[COL(comm_link, dst_rank)] = number(dst, CV_INT);
    v[COL(comm_link, transport)] = val_text(transport);
    if (jc_item(list, &pos, &item, &is_string))
        v[COL(comm_link, time_ns)] = number(item, CV_MS);
    if (jc_item(list, &pos, &item, &is_string))
        v[COL(comm_link, size_b)] = whole_bytes(item);
    if (jc_item(list, &pos, &item, &is_string))
        v[COL(comm_link, bandwidth)] = thousand(item);
    v[COL(comm_link, stat)] = val_cstr(o->stat);
    v[COL(comm_link, source_id)] = val_int((int64_t)r->f->id);
    v[COL(comm_link, line)] = val_int(r->line);
    return sink_row(r->c->out, T_comm_link, v, N_COLS(comm_link), NULL, e);
}

/* {"0-1": {"SDMA": [...], "RDMA": [...]}, ...} */
static int put_links(struct csv_run *r, const struct owner *o, struct str links, struct err *e)
{
    struct str pair, kinds, transport, list;
    bool is_string;

    for (size_t pos = 0; jc_member(links, &pos, &pair, &kinds, &is_string);)
        for (size_t in = 0; jc_member(kinds, &in, &transport, &list, &is_string);)
            if (put_link(r, o, pair, transport, list, e))
                return e->code;
    return OK;
}

/* "<column name>": ["<step>", cost, wait, links] */
static int put_op(struct csv_run *r, struct val step, struct str column, struct str list, struct err *e)
{
    struct val v[N_COLS(comm_exec)] = { 0 };
    struct str item, links = STR_NULL, name;
    bool is_string;
    size_t pos = 0;
    int64_t id, stream;

    op_comm_column(column, &stream, &name);
    if (!jc_item(list, &pos, &item, &is_string))
        return OK;
    if (jc_item(list, &pos, &item, &is_string))
        v[COL(comm_exec, transit_ns)] = number(item, CV_MS);
    if (jc_item(list, &pos, &item, &is_string))
        v[COL(comm_exec, wait_ns)] = number(item, CV_MS);
    (void)jc_item(list, &pos, &links, &is_string);
    v[COL(comm_exec, rank)] = val_int(csv_rank(r, NULL));
    v[COL(comm_exec, name_id)] = sink_text(r->c->out, name);
    v[COL(comm_exec, step)] = step;
    /* the cost holds the waits inside its transfers, wait_cost the others */
    const struct val *cost = &v[COL(comm_exec, transit_ns)], *wait = &v[COL(comm_exec, wait_ns)];
    int64_t dur;
    if (cost->t == VAL_INT && wait->t == VAL_INT && !__builtin_add_overflow(cost->i, wait->i, &dur))
        v[COL(comm_exec, dur_ns)] = val_int(dur);
    v[COL(comm_exec, source_id)] = val_int((int64_t)r->f->id);
    v[COL(comm_exec, line)] = val_int(r->line);
    if (sink_row(r->c->out, T_comm_exec, v, N_COLS(comm_exec), &id, e))
        return e->code;
    struct owner o = { step, val_int(id), v[COL(comm_exec, name_id)], "op" };
    return put_links(r, &o, links, e);
}

static int put_step(struct csv_run *r, struct val step, struct err *e)
{
    struct val v[N_COLS(comm_stat)] = { 0 };

    v[COL(comm_stat, rank)] = val_int(csv_rank(r, NULL));
    v[COL(comm_stat, step)] = step;
    v[COL(comm_stat, total_ns)] = r->v[H_COST];
    v[COL(comm_stat, wait_ns)] = r->v[H_WAIT];
    v[COL(comm_stat, source_id)] = val_int((int64_t)r->f->id);
    v[COL(comm_stat, line)] = val_int(r->line);
    return sink_row(r->c->out, T_comm_stat, v, N_COLS(comm_stat), NULL, e);
}

static struct str cell(const struct csv_run *r, size_t slot)
{
    return r->v[slot].t == VAL_TEXT ? r->v[slot].s : STR_NULL;
}

/* The last row is the mean over the steps; it is kept as a document. */
static int put_mean(struct csv_run *r, struct err *e)
{
    struct val v[N_COLS(doc)] = { 0 };

    v[COL(doc, source_id)] = val_int((int64_t)r->f->id);
    v[COL(doc, key)] = val_cstr("hccl_raw.average");
    v[COL(doc, value)] = csv_row_json(r);
    return sink_row(r->c->out, T_doc, v, N_COLS(doc), NULL, e);
}

static int row(struct csv_run *r, struct err *e)
{
    struct val step = number(cell(r, H_STEP), CV_INT);
    struct str name, list;
    bool is_string;

    if (step.t != VAL_INT)
        return put_mean(r, e);
    struct owner total = { step, val_null(), val_null(), "total" };
    if (put_step(r, step, e) || put_links(r, &total, cell(r, H_LINKS), e))
        return e->code;
    for (size_t pos = 0; jc_member(cell(r, H_OPS), &pos, &name, &list, &is_string);)
        if (put_op(r, step, name, list, e))
            return e->code;
    return OK;
}

static const struct csvmap map = {
    .table = CSV_NO_TABLE,
    .n_slots = H_N,
    .cols = cols,
    .n_cols = ARRAY_LEN(cols),
    .need = "communication_cost|link_info|communication_operator_cost",
    .row = row,
};

int parse_hccl_raw(struct parse_ctx *c, struct err *e)
{
    return csvmap_parse(&map, c, e);
}
