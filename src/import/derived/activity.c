/* SPDX-License-Identifier: Apache-2.0 */
/* Last records of tracks, AI CPU and queues. */
#include "config.h"

#include "import/derived/activity.h"

#include <stdio.h>

/*
 * Statements give kind, track, stream, name id, end, size, capacity. There is one row for each stream, one
 * for each layer of the host and one for all communication. The event of a track is the one that ends last
 * among those of its last chunk. Communication shows the last op (planes hold its tasks) that ended before
 * the ones still running began; its statement goes through the tracks first (CROSS JOIN), because the other
 * way round every event is read. A row that a raw group wrote for a stream stays.
 */
#define LAST_EVENT(column)                                                                                   \
    "(SELECT " column " FROM event e WHERE e.track_id = x.id AND e.ts_ns >= (SELECT max(t0) "                \
    "FROM chunk WHERE track = x.id) ORDER BY e.ts_ns + e.dur_ns DESC, e.ts_ns DESC LIMIT 1)"
/* When the last but one chunk of track t begins. */
#define LAST_CHUNKS "(SELECT min(t0) FROM (SELECT t0 FROM chunk WHERE track = t.id ORDER BY t0 DESC LIMIT 2))"
/* clang-format off */
static const char *const rows[] = {
    "SELECT CASE x.kind WHEN 'host_thread' THEN 'host' ELSE x.kind END, "
    "CASE WHEN x.kind = 'stream' AND x.name IS NOT NULL THEN x.name ELSE ifnull(x.process, ifnull(x.name, "
    "x.kind)) END, "
    "x.stream, " LAST_EVENT("name_id") ", x.t1, NULL, NULL "
    "FROM (SELECT t.id, t.kind, t.stream, (SELECT text FROM string WHERE id = t.process_id) AS process, "
    "(SELECT text FROM string WHERE id = t.name_id) AS name, max(t.t1) AS t1 "
    "FROM track t WHERE t.rank = :rank AND t.n > 0 AND t.kind IN ('stream', 'engine', 'host_thread', "
    "'aicpu') "
    "AND NOT (t.kind = 'stream' AND EXISTS (SELECT 1 FROM last_activity a WHERE a.rank = t.rank "
    "AND a.stream = t.stream)) "
    "GROUP BY CASE t.kind WHEN 'stream' THEN t.id ELSE t.kind || ' ' || ifnull(t.process_id, 0) END) x",

    "SELECT 'comm', 'Communication', NULL, e.name_id, max(e.ts_ns + e.dur_ns), NULL, NULL FROM track t CROSS "
    "JOIN event e ON e.track_id = t.id AND e.ts_ns >= " LAST_CHUNKS
    " WHERE t.rank = :rank AND t.kind = 'plane' AND t.n > 0 AND ifnull((SELECT text FROM string "
    "WHERE id = t.name_id), '') NOT LIKE '%Plane %' "
    "AND e.ts_ns + e.dur_ns <= ifnull((SELECT min(a.ts_ns) FROM last_activity a WHERE a.rank = :rank "
    "AND a.kind = 'comm' AND a.state IN ('running', 'unknown')), 9223372036854775807) "
    "HAVING count(*) > 0",

    "SELECT 'aicpu', 'AI CPU', stream, name_id, max(ts_ns + ifnull(compute_ns, ifnull(total_ns, 0))), NULL, "
    "NULL FROM aicpu_exec WHERE rank = :rank "
    "AND NOT EXISTS (SELECT 1 FROM track t WHERE t.rank = :rank AND t.kind = 'aicpu' AND t.n > 0) "
    "HAVING count(*) > 0",

    "SELECT 'queue', 'queue ' || queue, NULL, NULL, ts_ns, size, capacity FROM (SELECT queue, ts_ns, size, "
    "capacity, max(seq) FROM queue_sample "
    "WHERE rank = :rank AND queue NOT LIKE 'connector %' GROUP BY queue)",
};
/* clang-format on */

/* Stored instants are relative; the sink takes absolute ones. */
static int put_row(struct fill *f, int rank, const struct query *q, struct err *e)
{
    int64_t ts;
    bool has_ts =
        !query_null(q, 4) && !__builtin_add_overflow(query_int(q, 4), fill_rank_origin(f, rank), &ts);
    struct val v[N_COLS(last_activity)] = {
        [COL(last_activity, rank)] = val_int(rank),
        [COL(last_activity, kind)] = query_val(q, 0),
        [COL(last_activity, track)] = query_val(q, 1),
        [COL(last_activity, stream)] = query_val(q, 2),
        [COL(last_activity, name_id)] = query_val(q, 3),
        [COL(last_activity, ts_ns)] = has_ts ? val_int(ts) : val_null(),
        [COL(last_activity, state)] = val_cstr("done"),
        [COL(last_activity, size)] = query_val(q, 5),
        [COL(last_activity, capacity)] = query_val(q, 6),
    };

    return sink_row(fill_sink(f), T_last_activity, v, N_COLS(last_activity), NULL, e);
}

static int put_rows(struct fill *f, struct store *r, const char *sql, int rank, struct err *e)
{
    struct query *q = NULL;

    if (store_query(r, &q, sql, e))
        return e->code;
    query_bind_int(q, ":rank", rank);
    while (query_step(q, e) == 1)
        if (put_row(f, rank, q, e))
            break;
    query_free(q);
    return e->code;
}

int activity_write(struct fill *f, const struct unit *u, struct err *e)
{
    struct store *r = fill_reader(f, e);

    if (!r || fill_begin(f, 0, e))
        return e->code;
    int rc = fill_index_time(f, e);
    if (rc == OK)
        rc = fill_update(f, "DELETE FROM last_activity WHERE source_id IS NULL", NULL, 0, e);
    for (size_t i = 0; rc == OK && i < u->info.n_ranks; i++)
        for (size_t k = 0; rc == OK && k < ARRAY_LEN(rows); k++)
            rc = put_rows(f, r, rows[k], u->info.ranks[i].rank, e);
    return fill_close(f, rc, e);
}
