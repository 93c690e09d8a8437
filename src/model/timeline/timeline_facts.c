/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Details of an event from the tables of the store: executions of ops and of communication, and their
 * counters.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "model/timeline/timeline_int.h"

static const char *const sql[] = {
    "SELECT x.*, e.context, e.batch FROM op_exec e JOIN ops x ON x.id = e.id "
    "WHERE e.rank = :rank AND e.stream = :stream AND e.ts_ns = :ts AND e.dur_ns = :dur LIMIT 1",
    "SELECT c.* FROM op_exec e JOIN op_counter c ON c.exec_id = e.id "
    "WHERE e.rank = :rank AND e.stream = :stream AND e.ts_ns = :ts AND e.dur_ns = :dur LIMIT 1",
    "SELECT * FROM communication WHERE :stream IS NULL AND rank = :rank AND ts_ns = :ts AND dur_ns = :dur "
    "LIMIT 1",
};
/* Columns that are shown already, or are numbers inside of the store. */
static const char *const left_out[] = { "id",     "exec_id",  "rank",      "op_name", "ts_ns",
                                        "dur_ns", "time_utc", "source_id", "line" };

static bool is_left_out(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(left_out); i++)
        if (strcmp(left_out[i], name) == 0)
            return true;
    return false;
}

static void put(struct buf *out, const char *name, struct val v)
{
    struct str unit = STR("_ns"), label = str_of(name);
    char text[48];

    if (v.t == VAL_INT && str_ends(label, unit))
        label.n -= unit.n;
    buf_add(out, label);
    buf_puts(out, ": ");
    if (v.t == VAL_TEXT)
        buf_add(out, v.s);
    else if (v.t == VAL_INT && str_ends(str_of(name), unit))
        buf_puts(out, unit_time(text, sizeof text, (double)v.i, TIME_AUTO));
    else if (v.t == VAL_INT)
        buf_printf(out, "%" PRId64, v.i);
    else
        buf_printf(out, "%.6g", v.r);
    buf_addc(out, '\n');
}

static void put_row(struct buf *out, const struct query *q)
{
    for (size_t i = 0; i < query_columns(q); i++) {
        struct val v = query_val(q, i);
        if (v.t != VAL_NULL && !(v.t == VAL_TEXT && !v.s.n) && !is_left_out(query_name(q, i)))
            put(out, query_name(q, i), v);
    }
}

/* Bind rank, stream, start and duration of the event. */
static int bind_event(struct query *q, struct store *s, int64_t track, const struct tl_event *ev,
                      struct err *e)
{
    struct query *t = NULL;
    int found = 0;

    if (store_query(s, &t, "SELECT rank, stream FROM track WHERE id = :track", e))
        return -1;
    query_bind_int(t, ":track", track);
    if ((found = query_step(t, e)) == 1) {
        query_bind_int(q, ":rank", query_int(t, 0));
        if (query_null(t, 1))
            query_bind_null(q, ":stream");
        else
            query_bind_int(q, ":stream", query_int(t, 1));
        query_bind_int(q, ":ts", ev->ts_ns);
        query_bind_int(q, ":dur", ev->dur_ns);
    }
    query_free(t);
    return found;
}

int timeline_facts(struct store *s, int64_t track, const struct tl_event *ev, struct buf *out, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(sql) && !e->code; i++) {
        struct query *q = NULL;
        if (store_query(s, &q, sql[i], e) == OK && bind_event(q, s, track, ev, e) == 1 &&
            query_step(q, e) == 1)
            put_row(out, q);
        query_free(q);
    }
    return e->code;
}
