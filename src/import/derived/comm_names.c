/* SPDX-License-Identifier: Apache-2.0 */
/* Communication ops by their marks. */
#include "config.h"

#include "import/derived/comm_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"

/* Folders without the number of the rank are of r1.3 and r1.4, which did not match them with ops. */
#define OF_TRACES                                                                                            \
    "JOIN source s ON s.id = x.source_id WHERE s.kind = 'g1_hccl_trace' AND s.path LIKE "                    \
    "'%hccl\\_info\\_%' ESCAPE '\\' "
#define FOLDERS_SQL "SELECT DISTINCT x.rank, x.name_id FROM comm_exec x " OF_TRACES
#define MARKS_SQL                                                                                            \
    "SELECT rank, name_id, step = (SELECT min(step) FROM step_part m WHERE m.rank = p.rank AND "             \
    "m.kind = 'reduce') FROM step_part p WHERE kind = 'reduce' AND name_id IS NOT NULL "                     \
    "ORDER BY rowid"
#define TRACKS_SQL "SELECT x.rank, x.process_id, x.id FROM track x " OF_TRACES "AND x.process_id IS NOT NULL"
#define PROCESS    STR("HCCL ") /* before the folder's name */
/* Without all marks, and tasks that they name, the ops are other ones, or none. */
#define OF_RANK "(m.rank = x.rank OR m.rank IS NULL)"
#define UNSURE                                                                                               \
    "(EXISTS (SELECT 1 FROM source m WHERE m.kind IN ('raw_ts_track', 'raw_training_trace', "                \
    "'raw_framework', 'raw_framework_marks') AND m.state IN ('TORN', 'BAD') AND " OF_RANK ") OR (EXISTS "    \
    "(SELECT 1 FROM source m WHERE m.kind = 'raw_framework_marks' AND " OF_RANK ") AND NOT EXISTS (SELECT "  \
    "1 FROM source m WHERE m.kind IN ('raw_ts_track', 'raw_training_trace') AND " OF_RANK ")) OR NOT "       \
    "EXISTS (SELECT 1 FROM op_exec y WHERE y.rank = x.rank))"
#define UNSURE_SQL                                                                                           \
    "SELECT x.rank, min(x.source_id) FROM comm_exec x " OF_TRACES "AND " UNSURE " GROUP BY x.rank"
#define MARK_SQL                                                                                             \
    "UPDATE comm_exec SET damage = CASE WHEN damage IS NULL THEN 'name' ELSE 'time duration name figures' "  \
    "END WHERE rank = ? AND source_id IN (SELECT id FROM source WHERE kind = 'g1_hccl_trace')"

struct folder {
    int rank;
    uint32_t name_id, op; /* op 0: not found */
    struct str kind;      /* "allReduce" */
    uint64_t number;
};
struct mark {
    int rank;
    uint32_t op;
};
struct track {
    int rank;
    uint32_t process;
    int64_t id;
};

struct unsure {
    int rank;
    uint32_t source_id;
};

struct names {
    struct fill *f;
    struct unsure *unsure;
    size_t n_unsure, cap_unsure;
    struct folder *folder;
    size_t n_folders, cap_folders;
    struct mark *mark;
    size_t n_marks, cap_marks;
    struct track *track;
    size_t n_tracks, cap_tracks;
    struct buf text;
};

static int add_folder(void *arg, const struct query *q, struct err *e)
{
    struct names *n = arg;
    struct folder *v = grow_array(n->folder, n->n_folders, &n->cap_folders, sizeof *v, 64);
    struct folder f = { .rank = (int)query_int(q, 0), .name_id = (uint32_t)query_int(q, 1) };
    struct str rest = fill_string(n->f, f.name_id), number;

    if (!v)
        return err_nomem(e);
    n->folder = v;
    if (rest.p && str_next(&rest, '_', &f.kind) && str_next(&rest, '_', &number) &&
        str_u64(number, &f.number))
        v[n->n_folders++] = f;
    return OK;
}

/* The ops of the first step, then those that later ones bring. */
static int add_mark(void *arg, const struct query *q, struct err *e)
{
    struct names *n = arg;
    const struct mark m = { (int)query_int(q, 0), (uint32_t)query_int(q, 1) };
    struct mark *v = grow_array(n->mark, n->n_marks, &n->cap_marks, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    n->mark = v;
    for (size_t i = 0; !query_int(q, 2) && i < n->n_marks; i++)
        if (v[i].rank == m.rank && v[i].op == m.op)
            return OK;
    v[n->n_marks++] = m;
    return OK;
}

static int add_track(void *arg, const struct query *q, struct err *e)
{
    struct names *n = arg;
    struct track *v = grow_array(n->track, n->n_tracks, &n->cap_tracks, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    n->track = v;
    v[n->n_tracks++] = (struct track){ (int)query_int(q, 0), (uint32_t)query_int(q, 1), query_int(q, 2) };
    return OK;
}

static int add_unsure(void *arg, const struct query *q, struct err *e)
{
    struct names *n = arg;
    struct unsure *v = grow_array(n->unsure, n->n_unsure, &n->cap_unsure, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    n->unsure = v;
    v[n->n_unsure++] = (struct unsure){ (int)query_int(q, 0), (uint32_t)query_int(q, 1) };
    return OK;
}

/* "Default/network/AllReduce-op10" is an AllReduce. */
static struct str kind_of(struct str op)
{
    struct str last = str_after_last(op, '/');

    return str_after_last(str_sub(last, 0, str_chr(last, '-')), '_');
}

static void match(struct names *n)
{
    for (size_t m = 0; m < n->n_marks; m++) {
        struct str op = fill_string(n->f, n->mark[m].op);
        struct str kind = op.p ? kind_of(op) : STR_NULL;
        struct folder *least = NULL;
        for (size_t i = 0; kind.n && i < n->n_folders; i++) {
            struct folder *f = &n->folder[i];
            if (f->rank == n->mark[m].rank && !f->op && str_eq_nocase(f->kind, kind) &&
                (!least || f->number < least->number))
                least = f;
        }
        if (least)
            least->op = n->mark[m].op;
    }
}

static int rename_rows(struct names *n, const struct folder *f, struct err *e)
{
    const struct val v[] = { val_id(f->op), val_int(f->rank), val_id(f->name_id) };

    if (fill_update(n->f, "UPDATE comm_exec SET name_id = ? WHERE rank = ? AND name_id = ?", v, ARRAY_LEN(v),
                    e))
        return e->code;
    return fill_update(n->f, "UPDATE comm_link SET name_id = ? WHERE rank = ? AND name_id = ?", v,
                       ARRAY_LEN(v), e);
}

/* "HCCL allReduce_2_0 iter1" becomes "HCCL AllReduce-op10 iter1". */
static int rename_track(struct names *n, const struct folder *f, const struct track *t, struct err *e)
{
    struct str rest = fill_string(n->f, t->process), folder = fill_string(n->f, f->name_id), word;

    if (t->rank != f->rank || !rest.p || !str_starts(rest, PROCESS))
        return OK;
    rest = str_sub(rest, PROCESS.n, rest.n - PROCESS.n);
    size_t blank = str_chr(rest, ' ');
    word = str_sub(rest, 0, blank);
    if (!str_eq(word, folder))
        return OK;
    buf_clear(&n->text);
    buf_add(&n->text, PROCESS);
    buf_add(&n->text, str_after_last(fill_string(n->f, f->op), '/'));
    buf_add(&n->text, str_sub(rest, word.n, rest.n - word.n));
    const struct val v[] = { sink_text(fill_sink(n->f), buf_str(&n->text)), val_int(t->id) };
    return fill_update(n->f, "UPDATE track SET process_id = ? WHERE id = ?", v, ARRAY_LEN(v), e);
}

static int rename_all(struct names *n, struct err *e)
{
    for (size_t i = 0; i < n->n_folders; i++) {
        const struct folder *f = &n->folder[i];
        if (f->op && rename_rows(n, f, e))
            return e->code;
        for (size_t t = 0; f->op && t < n->n_tracks; t++)
            if (rename_track(n, f, &n->track[t], e))
                return e->code;
    }
    return OK;
}

static int mark_unsure(struct names *n, struct err *e)
{
    for (size_t i = 0; i < n->n_unsure; i++) {
        const struct where w = { .source_id = n->unsure[i].source_id, .offset = ERR_NO_OFFSET };
        const struct val v[] = { val_int(n->unsure[i].rank) };
        sink_note(
            fill_sink(n->f), NOTE_MARKED, &w,
            "marks of steps or tasks are lost, by which communication ops are named: rows whose name may "
            "be untrue are marked");
        if (fill_update(n->f, MARK_SQL, v, ARRAY_LEN(v), e))
            return e->code;
    }
    return OK;
}

static int write_all(struct names *n, struct err *e)
{
    return rename_all(n, e) ? e->code : mark_unsure(n, e);
}

int comm_names_write(struct fill *f, struct err *e)
{
    struct names n = { .f = f };

    buf_init(&n.text, LIM_NAME_B);
    int rc = fill_each(n.f, FOLDERS_SQL, add_folder, &n, e);
    if (rc == OK && n.n_folders)
        rc = fill_each(n.f, MARKS_SQL, add_mark, &n, e);
    if (rc == OK && n.n_marks)
        rc = fill_each(n.f, TRACKS_SQL, add_track, &n, e);
    if (rc == OK && n.n_folders)
        rc = fill_each(n.f, UNSURE_SQL, add_unsure, &n, e);
    match(&n);
    if (rc == OK && (n.n_marks || n.n_unsure) && fill_begin(f, 0, e) == OK)
        rc = fill_close(f, write_all(&n, e), e);
    buf_done(&n.text);
    free(n.folder);
    free(n.mark);
    free(n.track);
    free(n.unsure);
    return rc == OK ? e->code : rc;
}
