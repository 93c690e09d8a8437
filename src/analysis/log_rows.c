/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analysis/log_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/log_groups.h"
#include "analysis/log_vals.h"
#include "base/grow.h"
#include "base/unit.h"
#include "parsers/logs/log_code.h"
#include "parsers/logs/log_field.h"
#include "store/fill/fill.h"

/* Between the numbers of two lines: those of logs stay the same, however much profiles have to say there. */
#define ID_STEP (INT64_C(1) << 24)
#define TEXT_B  4096 /* of a line; longer ones are cut: Enter shows the bytes of the file */

struct moment {                   /* a line of a log, or what a profile says */
    int64_t utc_ns;               /* the latest that its stamp can stand for */
    size_t event;                 /* SIZE_MAX: none */
    const struct ending_act *act; /* NULL: the end of a rank */
    const struct ending_rank *rank;
};

struct maker {
    const struct logs *l;
    const struct ending *x;
    size_t first; /* event: first error of the verdict */
    struct sink *out;
    struct moment *v;
    size_t n, room;
};

static const char *const roles[] = { [LOG_CAUSE] = "cause",
                                     [LOG_CONSEQUENCE] = "consequence",
                                     [LOG_EITHER] = "either",
                                     [LOG_NOISE] = "noise",
                                     [LOG_MARK] = "mark" };
static const char *const levels[] = {
    [LOG_NO_LEVEL] = NULL, [LOG_DEBUG] = "DEBUG",     [LOG_INFO] = "INFO",
    [LOG_EVENT] = "EVENT", [LOG_WARNING] = "WARNING", [LOG_ERROR] = "ERROR"
};

/* ---- what there is, by time ---- */

static int add_moment(struct maker *m, struct moment add, struct err *e)
{
    struct moment *v = grow_array(m->v, m->n, &m->room, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    m->v = v;
    v[m->n++] = add;
    return OK;
}

/* How far the clock of a rank's server is ahead of the one that times are given by. */
static int64_t ahead_of(const struct maker *m, int rank)
{
    int p = logs_proc_of_rank(m->l, rank);
    return p >= 0 ? logs_server(m->l, (size_t)logs_proc(m->l, (size_t)p)->server)->ahead_ns : 0;
}

/* The Unix time of an instant of the rank's device clock; LOG_NO_UTC: not known. */
static int64_t unix_of(const struct maker *m, const struct ending_rank *k, int64_t ts_ns)
{
    return k->has_end && k->has_ts ? k->end_unix_ns - (k->last_ts_ns - ts_ns) - ahead_of(m, k->rank)
                                   : LOG_NO_UTC;
}

static int gather_profiles(struct maker *m, struct err *e)
{
    const struct ending *x = m->x;

    for (size_t i = 0; x && i < x->n_acts; i++) {
        const struct ending_act *a = &x->acts[i];
        const struct ending_rank *k = &x->ranks[a->index];
        int64_t utc = a->has_ts ? unix_of(m, k, a->ts_ns) : LOG_NO_UTC;
        if (!k->apart && utc != LOG_NO_UTC && add_moment(m, (struct moment){ utc, SIZE_MAX, a, k }, e))
            return e->code;
    }
    for (size_t i = 0; x && i < x->n_ranks; i++) {
        const struct ending_rank *k = &x->ranks[i];
        int64_t end = k->end_unix_ns - ahead_of(m, k->rank);
        if (!k->apart && k->has_end && add_moment(m, (struct moment){ end, SIZE_MAX, NULL, k }, e))
            return e->code;
    }
    return OK;
}

/* Unknown times come last; else as the logs have them, then the profiles. */
static int by_time(const void *p, const void *q)
{
    const struct moment *a = p, *b = q;
    bool a_none = a->utc_ns == LOG_NO_UTC, b_none = b->utc_ns == LOG_NO_UTC;

    if (a_none != b_none)
        return a_none ? 1 : -1;
    if (a->utc_ns != b->utc_ns)
        return a->utc_ns < b->utc_ns ? -1 : 1;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    return a->act < b->act ? -1 : a->act > b->act;
}

/* The instant as screens count it in the profile of the rank. */
static struct val in_profile(const struct maker *m, int rank, int64_t utc_ns)
{
    for (size_t i = 0; m->x && rank >= 0 && utc_ns != LOG_NO_UTC && i < m->x->n_ranks; i++) {
        const struct ending_rank *k = &m->x->ranks[i];
        if (k->rank == rank && !k->apart && k->has_origin_unix)
            return val_int(utc_ns + ahead_of(m, rank) - k->origin_unix_ns);
    }
    return val_null();
}

/* ---- rows ---- */

static int put_files(struct maker *m, struct err *e)
{
    for (size_t i = 0; i < logs_n_files(m->l) && !e->code; i++) {
        const struct log_file *f = logs_file(m->l, i);
        const struct val v[N_COLS(log_file)] = {
            [COL(log_file, id)] = val_int((int64_t)i + 1),
            [COL(log_file, path)] = val_cstr(f->f.name),
            [COL(log_file, kind)] = val_cstr(logs_kind_word(f->f.kind)),
            [COL(log_file, state)] = val_cstr(logs_state_word(f->state)),
            [COL(log_file, server)] = log_text(str_of(logs_server(m->l, (size_t)f->f.server)->name)),
            [COL(log_file, rank)] = log_number(f->rank),
            [COL(log_file, pid)] = log_number(f->pid),
            [COL(log_file, lines)] = val_int((int64_t)f->lines),
            [COL(log_file, size_b)] = val_int((int64_t)f->bytes),
            [COL(log_file, errors)] = val_int((int64_t)f->errors),
            [COL(log_file, left_out)] = f->left_out ? val_int((int64_t)f->left_out) : val_null(),
            [COL(log_file, note)] = log_text(str_of(f->why)),
        };
        (void)!sink_row(m->out, T_log_file, v, N_COLS(log_file), NULL, e);
    }
    return e->code;
}

static int put_event(struct maker *m, int64_t id, const struct log_rec *r, struct err *e)
{
    const struct signature *s = signature_at(r->sig);
    int64_t stream = -1, task = -1, seq = -1;
    char code[64];

    log_code_in(r->text, code, sizeof code);
    (void)log_field_i64(r->text, LOG_F_STREAM, &stream);
    (void)log_field_i64(r->text, LOG_F_TASK, &task);
    if (!log_field_i64(r->text, LOG_F_INDEX, &seq))
        (void)log_field_i64(r->text, LOG_F_SEQ, &seq);
    const struct val v[N_COLS(log_event)] = {
        [COL(log_event, line_id)] = val_int(id),
        [COL(log_event, signature)] = val_cstr(s->id),
        [COL(log_event, next)] = log_text(str_of(s->next)),
        [COL(log_event, device)] = log_number(log_field_int(r->text, LOG_F_DEVICE)),
        [COL(log_event, stream)] = log_number(stream),
        [COL(log_event, task)] = log_number(task),
        [COL(log_event, op)] = log_text(log_field(r->text, LOG_F_OP)),
        [COL(log_event, kernel)] = log_text(log_field(r->text, LOG_F_KERNEL)),
        [COL(log_event, group_name)] = log_text(log_field(r->text, LOG_F_GROUP)),
        [COL(log_event, seq)] = log_number(seq),
        [COL(log_event, remote_rank)] = log_number(log_field_int(r->text, LOG_F_REMOTE_RANK)),
        [COL(log_event, code)] = log_text(str_of(code)),
    };
    return sink_row(m->out, T_log_event, v, N_COLS(log_event), NULL, e);
}

/* What the zone of a line's clock follows from, and how far it is from the one that times are given by. */
static char *clock_of(const struct maker *m, const struct log_rec *r, char *buf, size_t n)
{
    char ahead[300];
    const char *zone =
        r->head.time.clock == LOG_UTC ? "said in the line" : logs_zone_word(logs_zone_from(m->l, r));

    logs_ahead_text(m->l, (size_t)r->server, ahead, sizeof ahead);
    snprintf(buf, n, "%s%s%s", zone, *ahead ? "; " : "", ahead);
    return buf;
}

static int put_line(struct maker *m, int64_t id, const struct log_rec *r, struct err *e)
{
    const struct signature *s = signature_at(r->sig);
    const struct log_server *server = logs_server(m->l, (size_t)r->server);
    const struct log_file *f = logs_file(m->l, r->file);
    bool has_time = r->utc_ns != LOG_NO_UTC;
    char clock[400];
    const struct val v[N_COLS(log_line)] = {
        [COL(log_line, id)] = val_int(id),
        [COL(log_line, file_id)] = val_int((int64_t)r->file + 1),
        [COL(log_line, line)] = val_int((int64_t)r->line),
        [COL(log_line, offset_b)] = val_int((int64_t)r->offset),
        [COL(log_line, utc_ns)] = has_time ? val_int(r->utc_ns) : val_null(),
        [COL(log_line, clock)] = has_time ? val_cstr(clock_of(m, r, clock, sizeof clock)) : val_null(),
        [COL(log_line, ts_ns)] = in_profile(m, r->rank, r->utc_ns),
        [COL(log_line, rank)] = log_number(r->rank),
        [COL(log_line, pid)] = log_number(r->proc >= 0 ? logs_proc(m->l, (size_t)r->proc)->pid : r->head.pid),
        [COL(log_line, server)] = log_text(str_of(server->name)),
        [COL(log_line, source)] = val_cstr(logs_kind_word(f->f.kind)),
        [COL(log_line, level)] = val_cstr(levels[r->head.level]),
        [COL(log_line, module)] = log_text(r->head.module),
        [COL(log_line, role)] = val_cstr(roles[r->role]),
        [COL(log_line, class)] = val_cstr(cause_word(s->cls)),
        [COL(log_line, says)] = val_cstr(s->says),
        [COL(log_line, message)] = val_text(str_sub(logs_message(r), 0, TEXT_B)),
        [COL(log_line, text)] = val_text(str_sub(r->text, 0, TEXT_B)),
        [COL(log_line, first)] = val_int(m->first != LOG_NO_EVENT && r == logs_event(m->l, m->first)),
        [COL(log_line, apart)] = val_int(r->apart),
    };
    return sink_row(m->out, T_log_line, v, N_COLS(log_line), NULL, e) || put_event(m, id, r, e) ? e->code
                                                                                                : OK;
}

/* What the profile of a rank says: the last thing that a stream did, or where the data ends. */
static int put_profile(struct maker *m, int64_t id, const struct moment *a, struct err *e)
{
    char text[ENDING_NAME_B + 160], coverage[160];
    const char *says = "end of the profile's data";

    if (a->act) {
        says = a->act->state == ACT_RUNNING ? "begun, and never ended" : "the last that it did";
        snprintf(text, sizeof text, "%s: %s, %s", a->act->track, a->act->name,
                 ending_state_text(a->act->state));
    } else {
        snprintf(text, sizeof text, "last record of the device; %s",
                 ending_coverage(a->rank, coverage, sizeof coverage));
    }
    const struct val v[N_COLS(log_line)] = {
        [COL(log_line, id)] = val_int(id),
        [COL(log_line, utc_ns)] = val_int(a->utc_ns),
        [COL(log_line, clock)] = val_cstr("clock of the profile"),
        [COL(log_line, ts_ns)] = in_profile(m, a->rank->rank, a->utc_ns),
        [COL(log_line, rank)] = val_int(a->rank->rank),
        [COL(log_line, source)] = val_cstr("profile"),
        [COL(log_line, role)] = val_cstr(roles[LOG_MARK]),
        [COL(log_line, class)] = val_cstr(cause_word(CAUSE_NONE)),
        [COL(log_line, says)] = val_cstr(says),
        [COL(log_line, message)] = val_cstr(text),
        [COL(log_line, text)] = val_cstr(text),
        [COL(log_line, first)] = val_int(0),
        [COL(log_line, apart)] = val_int(0),
    };
    return sink_row(m->out, T_log_line, v, N_COLS(log_line), NULL, e);
}

static int put_lines(struct maker *m, struct err *e)
{
    for (size_t i = 0; i < logs_n_events(m->l); i++)
        if (add_moment(m, (struct moment){ logs_latest(logs_event(m->l, i)), i, NULL, NULL }, e))
            return e->code;
    if (gather_profiles(m, e))
        return e->code;
    if (m->n)
        qsort(m->v, m->n, sizeof *m->v, by_time);
    int64_t id = 0;
    for (size_t i = 0; i < m->n && !e->code; i++) {
        bool is_line = m->v[i].event != SIZE_MAX;
        id = is_line ? (id / ID_STEP + 1) * ID_STEP : id + 1;
        (void)!(is_line ? put_line(m, id, logs_event(m->l, m->v[i].event), e)
                        : put_profile(m, id, &m->v[i], e));
    }
    return e->code;
}

int log_rows_make(struct store **out, const struct logs *l, const struct log_verdict *v,
                  const struct ending *x, struct err *e)
{
    const struct fill_opts o = { .path = NULL };
    struct maker m = { .l = l, .x = x, .first = v ? v->first : LOG_NO_EVENT };
    struct fill *f = NULL;

    *out = NULL;
    if (fill_open(&f, &o, e))
        return e->code;
    m.out = fill_sink(f);
    int rc = fill_begin(f, 1, e);
    if (!rc) {
        (void)!(put_files(&m, e) || put_lines(&m, e) || log_groups_put(m.out, l, e));
        rc = fill_close(f, e->code, e);
    }
    free(m.v);
    if (rc || fill_finish(f, "", e)) {
        fill_abort(f);
        return e->code;
    }
    return fill_take_store(f, out, e);
}
