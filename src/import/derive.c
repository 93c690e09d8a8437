/* Tracks for ranks without a trace. */
#include "config.h"

#include "import/derive.h"

#include <inttypes.h>
#include <stdio.h>

/* One table that becomes tracks. The statement gives rank, stream, name id, start, duration,
 * source, line, text of the track. */
struct derived {
    enum track_kind kind;
    const char *process, *track; /* track: with %s for the stream */
    const char *missing;         /* ranks that need it */
    const char *rows;
};

/* clang-format off */
static const struct derived derivations[] = {
    { TK_STREAM, "Device", "Stream %s",
      "SELECT DISTINCT rank FROM op_exec WHERE ts_ns IS NOT NULL AND rank NOT IN (SELECT rank FROM track WHERE kind IN ('stream', 'engine'))",
      "SELECT e.rank, ifnull(e.stream, '-'), o.name_id, e.ts_ns, ifnull(e.dur_ns, 0), e.line FROM op_exec e LEFT JOIN op o ON o.id = e.op_id "
      "WHERE e.rank = :rank AND e.ts_ns IS NOT NULL AND ifnull(o.core, '') NOT IN ('HCCL', 'COMMUNICATION') ORDER BY e.stream, e.ts_ns" },
    { TK_PLANE, "Communication", "Communication",
      "SELECT DISTINCT rank FROM comm_exec WHERE ts_ns IS NOT NULL AND rank NOT IN (SELECT rank FROM track WHERE kind = 'plane')",
      "SELECT rank, '', name_id, ts_ns, ifnull(dur_ns, 0), line FROM comm_exec WHERE rank = :rank AND ts_ns IS NOT NULL ORDER BY ts_ns" },
    { TK_STEP, "Steps", "Step",
      "SELECT DISTINCT rank FROM step WHERE start_ns IS NOT NULL AND end_ns IS NOT NULL AND rank NOT IN (SELECT rank FROM track WHERE kind = 'step')",
      "SELECT rank, '', 'Step ' || step, start_ns, end_ns - start_ns, line FROM step WHERE rank = :rank AND start_ns IS NOT NULL AND end_ns IS NOT NULL ORDER BY start_ns" },
    { TK_STEP, "Steps", "Forward+backward",
      "SELECT DISTINCT rank FROM step WHERE fp_ns IS NOT NULL AND bp_ns IS NOT NULL AND rank NOT IN (SELECT rank FROM track WHERE kind = 'step' AND source_id > 0)",
      "SELECT rank, '', 'fwd+bwd ' || step, fp_ns, bp_ns - fp_ns, line FROM step WHERE rank = :rank AND fp_ns IS NOT NULL AND bp_ns IS NOT NULL ORDER BY fp_ns" },
    { TK_STEP, "Steps", "Tail",
      "SELECT DISTINCT rank FROM step WHERE bp_ns IS NOT NULL AND end_ns IS NOT NULL AND rank NOT IN (SELECT rank FROM track WHERE kind = 'step' AND source_id > 0)",
      "SELECT rank, '', 'tail ' || step, bp_ns, end_ns - bp_ns, line FROM step WHERE rank = :rank AND bp_ns IS NOT NULL AND end_ns IS NOT NULL ORDER BY bp_ns" },
    { TK_PLANE, "Communication", "Reduce",
      "SELECT DISTINCT rank FROM step_part WHERE kind = 'reduce' AND start_ns IS NOT NULL AND rank NOT IN (SELECT rank FROM track WHERE kind = 'plane')",
      "SELECT rank, ifnull(stream, ''), name_id, start_ns, ifnull(dur_ns, 0), line FROM step_part WHERE rank = :rank AND kind = 'reduce' AND start_ns IS NOT NULL "
      "ORDER BY stream, start_ns" },
};
/* clang-format on */

/* Stored instants are relative; the sink takes absolute ones. */
static int emit(struct fill *f, const struct derived *d, int rank, struct query *q, struct err *e)
{
    struct sink *s = fill_sink(f);
    int64_t origin = fill_rank_origin(f, rank);
    char name[80];
    int rc;

    while ((rc = query_step(q, e)) == 1) {
        struct val id = query_val(q, 2);
        struct str stream = query_str(q, 1);
        char text[40];
        str_copy(stream.p ? stream : STR(""), text, sizeof text);
        if (d->kind == TK_STREAM)
            snprintf(name, sizeof name, "Stream %s", text);
        else
            snprintf(name, sizeof name, "%s%s%s", d->track, text[0] ? " stream " : "", text);
        int64_t n;
        struct track_def def = { .rank = rank,
                                 .kind = d->kind,
                                 .process = str_of(d->process),
                                 .name = str_of(name),
                                 .stream = str_i64(str_of(text), &n) ? n : -1 };
        uint32_t track = sink_track(s, &def);
        uint32_t name_id = id.t == VAL_INT    ? (uint32_t)id.i
                           : id.t == VAL_TEXT ? sink_intern(s, id.s)
                                              : 0;
        if (track == SINK_NO_TRACK)
            return err_nomem(e);
        if (sink_event(s, track, query_int(q, 3) + origin, query_int(q, 4), name_id,
                       (uint64_t)query_int(q, 5), e))
            return (int)e->code;
    }
    return rc < 0 ? (int)e->code : OK;
}

static int derive_one(struct fill *f, struct store *r, const struct derived *d, struct err *e)
{
    struct query *ranks = NULL, *rows = NULL;
    int list[1024], rc;
    size_t n = 0;

    if (store_query(r, &ranks, d->missing, e) || store_query(r, &rows, d->rows, e))
        goto out;
    while (n < ARRAY_LEN(list) && (rc = query_step(ranks, e)) == 1)
        list[n++] = (int)query_int(ranks, 0);
    for (size_t i = 0; i < n && !e->code; i++) {
        query_reset(rows);
        query_bind_int(rows, ":rank", list[i]);
        if (emit(f, d, list[i], rows, e))
            break;
    }
out:
    query_free(ranks);
    query_free(rows);
    return (int)e->code;
}

int derive_tracks(struct fill *f, struct err *e)
{
    struct store *r = fill_reader(f, e);

    if (!r || fill_settle(f, e))
        return (int)e->code;
    for (size_t i = 0; i < ARRAY_LEN(derivations); i++) {
        if (fill_begin(f, 0, e))
            return (int)e->code;
        int rc = derive_one(f, r, &derivations[i], e);
        struct err end = ERR_INIT;
        int ended = fill_end(f, rc == OK, rc ? &end : e);
        if (rc || ended)
            return rc ? rc : ended;
    }
    return OK;
}
