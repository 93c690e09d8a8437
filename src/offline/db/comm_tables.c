/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CommAnalyzer tables (doc/formats/analysed.md#analysis-tables): ops, what each moved over which way, and
 * between which ranks.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "offline/comm/comm.h"
#include "offline/db/db.h"

#define TIMES     "Communication Time Info"
#define BANDS     "Communication Bandwidth Info"
#define START     "Start Timestamp(us)"
#define TRANSPORT "Transport Type"
#define SIZES     "Size Distribution"

enum table { OPS, BANDWIDTHS, LINKS, N_COMM_TABLES };
#define OF_OP "hccl_op_name t,group_name t,"
#define OF_TIMES                                                                                             \
    OF_OP "start_timestamp n,elapse_time n,transit_time n,wait_time n,synchronization_time n,idle_time n"
#define OF_BANDS                                                                                             \
    OF_OP "transport_type t,transit_size n,transit_time n,bandwidth n,large_packet_ratio n,package_size n,"  \
          "count n,total_duration n"
#define OF_LINKS OF_OP "src_rank t,dst_rank t,transport_type t,transit_size n,transit_time n,bandwidth n"
#define OF_STEP  ",step t,type t"
/* The last columns are torch_npu's. */
static const struct {
    const char *name, *columns, *of_torch;
} tables[N_COMM_TABLES] = {
    [OPS] = { "CommAnalyzerTime", OF_TIMES, OF_TIMES OF_STEP },
    [BANDWIDTHS] = { "CommAnalyzerBandwidth", OF_BANDS, OF_BANDS OF_STEP },
    [LINKS] = { "CommAnalyzerMatrix", OF_LINKS, OF_LINKS OF_STEP ",op_name t" },
};
static const char *const times[] = { START,           "Elapse Time(ms)",          "Transit Time(ms)",
                                     "Wait Time(ms)", "Synchronization Time(ms)", "Idle Time(ms)" };
static const char *const measures[] = { "Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)",
                                        "Large Packet Ratio" };
#define N_OF_LINK 3 /* measures of a link */

struct writing {
    struct offline_run *r;
    struct offline_db *db;
    const struct comm_rules *rules;
    const struct comm_step *step;
    size_t n_steps;
    struct dbout_table *to[N_COMM_TABLES];
    char key[300];   /* of the step */
    struct str type; /* "p2p", "collective" */
    bool torch;
};

/* ---- values ---- */

static struct val number(struct str s)
{
    int64_t i;
    double v;

    if (str_i64(s, &i))
        return val_int(i);
    return str_f64(s, &v) ? val_real(v) : val_null();
}

/* Name and group of "name@group"; false: the op has no group. */
static bool put_name(struct str name, struct val v[2])
{
    size_t at = str_rchr(name, '@');

    if (at == SIZE_MAX)
        return false;
    v[0] = val_text(str_sub(name, 0, at));
    v[1] = val_text(str_sub(name, at + 1, SIZE_MAX));
    return true;
}

static int put_row(struct writing *w, enum table t, const struct val *v, struct err *e)
{
    w->db->rows++;
    return dbout_row(w->to[t], v, e);
}

static void put_step(const struct writing *w, struct val v[2])
{
    v[0] = val_cstr(w->key);
    v[1] = val_text(w->type);
}

/* ---- ops ---- */

/* [2, 0.04492]: how many packets, and their time. */
static void put_packets(struct str list, struct val v[2])
{
    size_t comma = str_chr(list, ',');

    v[0] = v[1] = val_null();
    if (comma == SIZE_MAX || list.n < comma + 2)
        return;
    v[0] = number(str_trim(str_sub(list, 1, comma - 1)));
    v[1] = number(str_trim(str_sub(list, comma + 1, list.n - comma - 2)));
}

/* A row for each size of packets; a way that was not taken has none. */
static int put_band(struct writing *w, const struct val *name, struct str way, struct str band, struct err *e)
{
    struct val v[12] = { name[0], name[1], val_text(way) };
    struct str sizes = comm_member(band, SIZES), size, packets;
    double sum = 0;
    size_t pos = 0;
    bool is_string;

    for (size_t i = 0; i < ARRAY_LEN(measures); i++) {
        v[3 + i] = number(comm_member(band, measures[i]));
        sum += val_num(&v[3 + i]);
    }
    v[7] = v[8] = v[9] = val_int(0);
    put_step(w, &v[10]);
    if (!(sum > 0 || sum < 0))
        return OK;
    if (!js_member(sizes, &pos, &size, &packets, &is_string))
        return put_row(w, BANDWIDTHS, v, e);
    do {
        v[7] = number(size);
        put_packets(packets, &v[8]);
        if (put_row(w, BANDWIDTHS, v, e))
            return e->code;
    } while (js_member(sizes, &pos, &size, &packets, &is_string));
    return OK;
}

static void take_step(struct writing *w, uint32_t step, bool p2p)
{
    struct str id = w->step[step].id;
    size_t n = strlen(w->rules->no_step);

    w->type = p2p ? STR("p2p") : STR("collective");
    memcpy(w->key, "step", 5);
    if (id.n)
        str_copy(id, w->key + 4, sizeof w->key - 4);
    else
        memcpy(w->key, w->rules->no_step, n + 1);
}

static int on_op(void *arg, struct str name, struct str value, struct err *e)
{
    struct writing *w = arg;
    struct str time = comm_member(value, TIMES), bands = comm_member(value, BANDS), way, band;
    uint32_t step = w->torch ? comm_step_of(w->rules, w->step, w->n_steps, comm_member(time, START)) : 0;
    struct val v[10];
    bool is_string;

    if (step == COMM_NONE || comm_is_total(w->rules, name) || !put_name(name, v))
        return OK;
    take_step(w, step, comm_is_p2p(w->rules, name));
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        v[2 + i] = number(comm_member(time, times[i]));
    put_step(w, &v[8]);
    (void)!put_row(w, OPS, v, e);
    for (size_t pos = 0; !e->code && js_member(bands, &pos, &way, &band, &is_string);)
        (void)!put_band(w, v, way, band, e);
    return e->code;
}

/* ---- links ---- */

/* "0-1": {...} of an op, or of a kind of ops. */
static int put_links(struct writing *w, struct str name, struct str links, struct err *e)
{
    struct val v[11];
    struct str link, entry, op;
    bool is_string;

    if (!put_name(name, v))
        return OK;
    for (size_t pos = 0; !e->code && js_member(links, &pos, &link, &entry, &is_string);) {
        size_t dash = str_chr(link, '-');
        v[2] = val_text(str_sub(link, 0, dash));
        v[3] = dash == SIZE_MAX ? val_null() : val_text(str_sub(link, dash + 1, SIZE_MAX));
        v[4] = val_text(comm_member(entry, TRANSPORT));
        for (size_t i = 0; i < N_OF_LINK; i++)
            v[5 + i] = number(comm_member(entry, measures[i]));
        put_step(w, &v[8]);
        op = comm_member(entry, w->rules->op_name);
        v[10] = val_text(op);
        (void)!put_row(w, LINKS, v, e);
    }
    return e->code;
}

/* msprof's matrix, op by op. */
static int on_linked_op(void *arg, struct str name, struct str value, struct err *e)
{
    struct writing *w = arg;

    return comm_is_total(w->rules, name) ? OK : put_links(w, name, value, e);
}

/* A step of communication_matrix.json. */
static int on_step(void *arg, struct str name, struct str value, struct err *e)
{
    struct writing *w = arg;
    struct str half, kind, links;
    bool is_string;

    str_copy(name, w->key, sizeof w->key);
    for (size_t pos = 0; js_member(value, &pos, &w->type, &half, &is_string);)
        for (size_t at = 0; js_member(half, &at, &kind, &links, &is_string);)
            if (put_links(w, kind, links, e))
                return e->code;
    return OK;
}

static int put_matrix(struct writing *w, struct err *e)
{
    const struct offline_file *msprof = offline_exported(w->r, "communication_matrix.json", "", NULL);
    struct offline_file ours = { .fd = -1 };

    if (!w->torch)
        return msprof ? comm_read(msprof, on_linked_op, w, e) : OK;
    if (w->r->as_text(w->r, "communication_matrix.json", &ours, e) == OK && ours.fd >= 0)
        (void)!comm_read(&ours, on_step, w, e);
    if (ours.fd >= 0)
        close(ours.fd);
    return e->code;
}

/* ---- the whole ---- */

int offline_db_comm(struct offline_run *r, struct offline_db *db, struct err *e)
{
    const struct offline_file *f = offline_exported(r, "communication.json", "", NULL);
    struct writing w = { .r = r, .db = db, .rules = comm_rules_of(r), .torch = r->flavour == OFFLINE_TORCH };

    if (!f || !(r->has & NEEDS_LEVEL) || comm_steps(r, w.rules, &w.step, &w.n_steps, e))
        return e->code;
    for (size_t i = 0; i < N_COMM_TABLES && !e->code; i++)
        (void)!dbout_table(db->out, &w.to[i], tables[i].name,
                           w.torch ? tables[i].of_torch : tables[i].columns, e);
    if (e->code || comm_read(f, on_op, &w, e))
        return e->code;
    return put_matrix(&w, e);
}
