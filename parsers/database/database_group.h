/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the group of databases, for files of parsers/database: what its parts share. A part reads
 * some tables of one database, or of all, and gives their rows.
 */
#ifndef NPUSCOPE_DATABASE_GROUP_H
#define NPUSCOPE_DATABASE_GROUP_H

#include "parsers/database/database.h"

/* ---- tracks ---- */

/* Tracks that were made, by struct database_track_key. */
struct database_tracks {
    struct intern *keys;
    uint32_t *track;
    size_t cap;
    uint64_t left; /* events beyond the limit of tracks */
    bool devices;  /* several: layers name theirs */
    struct database_near_track *near;
};
struct database_track {
    enum track_kind kind;
    const char *layer; /* a constant: found by its address */
    int64_t pid, tid;  /* tell tracks of a layer apart */
    int rank;
    int64_t device; /* -1: of the host */
    int64_t stream; /* -1: none */
    int64_t sort;
    const char *unit; /* of a counter, NULL: none */
    struct str name;
};
/*
 * The track if it was made before, else SINK_NO_TRACK. w->name is not used: it need not be made for
 * each event.
 */
uint32_t database_track_find(const struct database_tracks *t, const struct database_track *w);
/* The track, made when it is new. SINK_NO_TRACK: e is set, or clear beyond the limit. */
uint32_t database_track(struct database *d, struct database_tracks *t, const struct database_track *w,
                        struct err *e);
void database_tracks_done(struct database *d, struct database_tracks *t);

/* ---- sums of calls, names of counters ---- */

struct database_sums {
    struct intern *keys;
    struct database_sum *v;
    size_t cap;
};
/* A call of this level, a number of the caller's, that took ns. */
NODISCARD int database_sums_add(struct database_sums *s, int64_t level, uint32_t name, int64_t ns,
                                struct err *e);
/* The word of a level, p NULL: it has none. */
typedef struct str database_level_fn(struct database *d, int64_t level);
/* Rows of api_stat. */
NODISCARD int database_sums_put(struct database *d, const struct database_sums *s, database_level_fn *level,
                                struct err *e);
void database_sums_done(struct database_sums *s);

/* The end of a metric's name -> that of ours, its type and factor. */
struct database_ending {
    struct str from, to;
    enum col_type type;
    double by;
};
/* Our name of a metric, in `to` or as it is. *end NULL: a ratio or a count as it is. */
struct str database_metric(struct str name, char *to, size_t max, const struct database_ending **end);

/* ---- the parts of a group ---- */

/* Steps that the program marked (STEP_TIME). */
struct database_step {
    int64_t step, from, to; /* ns */
};
struct database_steps {
    struct database_step *v; /* in order of their instants */
    size_t n, cap;
    struct database_ids by_number; /* step -> index in v */
};
/* Step at an instant as a value, NULL: none. */
struct val database_step_at(struct database_steps *s, int64_t ns);

/* What a task computes, as COMPUTE_TASK_INFO says it; equal ones are kept once. */
struct database_op {
    int64_t block, mix_block;  /* -1: not set */
    int64_t core, state, hf32; /* of STRING_IDS */
    uint32_t name, type;       /* texts of the sink, as all of these */
    uint32_t in_shapes, in_types, in_formats, out_shapes, out_types, out_formats, attrs;
};
struct database_ops {
    struct intern *keys;         /* bytes of struct database_op; the id is the index below */
    struct database_ids by_task; /* globalTaskId -> that id */
    struct database_made {
        int64_t model, op; /* op.id, 0: not made yet */
    } * made;
    size_t cap;
};
/* One task on the device, in the order of TASK. */
struct database_task {
    uint64_t exec : 62; /* op_exec.id, 0: it is no op's */
    uint64_t is_op : 1; /* a kernel, or a communication op as a whole */
    uint64_t on_aicore : 1;
    int64_t from, to; /* ns */
    uint32_t track;
    int rank;
};
struct database_group {
    struct group_ctx *g;
    struct paged_pool *pool;
    struct database *db; /* one for each member */
    size_t n;
    struct database_tracks tracks;
    struct database_steps steps;
    bool has_steps;                    /* the analysis gave rows of step */
    struct paged task;                 /* of struct database_task */
    struct database_ids by_task;       /* globalTaskId -> index in task; those of ops, in order */
    struct database_ids by_connection; /* connection id -> index in task; marked: its arrows are there */
    uint32_t arrows;                   /* text of what they are called, 0: not known yet */
};
/* Empty arrays of the pool, and their end. */
void database_group_begin(struct database_group *g);
void database_group_end(struct database_group *g);
static inline struct database_task database_task_at(struct database_group *g, uint32_t at)
{
    return *(const struct database_task *)paged_at(&g->task, at);
}

/* Steps of STEP_TIME, and the rows of step (database_maps.c). */
NODISCARD int database_steps(struct database_group *g, struct err *e);
/* Tables that are columns only (database_maps.c). */
NODISCARD int database_plain(struct database_group *g, struct err *e);
/* TASK with what names its tasks: op, op_exec, tracks of streams and planes (database_tasks.c). */
NODISCARD int database_tasks(struct database_group *g, struct database *d, struct err *e);
/*
 * What calls and counters are joined with: task -> g->task, by its id if it has an execution, by its
 * connection if that is not -1.
 */
NODISCARD int database_keep_task(struct database_group *g, int64_t id, int64_t connection,
                                 const struct database_task *task, struct err *e);
/* What COMPUTE_TASK_INFO says of tasks (database_ops.c). */
NODISCARD int database_ops_read(struct database *d, struct database_ops *ops, struct err *e);
/* Id of what a task computes, DATABASE_NO_ID: it is no op's. */
uint32_t database_ops_of(struct database_ops *ops, int64_t task_id);
struct database_op database_ops_get(const struct database_ops *ops, uint32_t id);
/* The op of the store, made when it is new. model -1: none. 0: e is set. */
int64_t database_ops_make(struct database *d, struct database_ops *ops, uint32_t id, int64_t model,
                          struct err *e);
void database_ops_done(struct database_ops *ops);
/* Counters of executions (database_counters.c). */
NODISCARD int database_counters(struct database_group *g, struct database *d, struct err *e);
/* Communication ops and links (database_comm.c). */
NODISCARD int database_comm(struct database_group *g, struct err *e);
/* Calls of CANN with arrows to tasks, marks, what overlapped (database_calls.c). */
NODISCARD int database_calls(struct database_group *g, struct database *d, struct err *e);
/*
 * Arrows from a call that began at an instant to the tasks of its connection; of several calls of one
 * connection the first has them.
 */
NODISCARD int database_arrows_put(struct database_group *g, struct sink *s, int64_t connection,
                                  uint32_t track, int64_t at, struct err *e);
/* The track of a thread of the host; thread: pid<<32 | tid. SINK_NO_TRACK as database_track(). */
uint32_t database_thread(struct database_group *g, struct database *d, const char *layer, int64_t sort,
                         int64_t thread, struct err *e);

/* ---- calls of the framework ---- */

/* A row of CONNECTION_IDS: a call has an id, and through it connections. */
struct database_link {
    int64_t id, connection;
    int64_t device, aicore; /* ns of its tasks; in the first link of an id: of all connections of the id */
    uint32_t first;         /* the first link with this connection */
    uint16_t visits;        /* in the first link of an id: calls that had it so far */
    bool begun;             /* in the first link of a connection: an arrow of the host began with it */
};
struct database_links {
    struct paged v; /* of struct database_link, in order of their ids */
    size_t hint;
};
/* Links with the time of the tasks they lead to (database_links.c). */
NODISCARD int database_links_read(struct database_group *g, struct database *d, struct database_links *l,
                                  struct err *e);
/* Index of the first link of an id, DATABASE_NO_ID: there is none. */
uint32_t database_links_first(struct database_links *l, int64_t id);
void database_links_done(struct database_links *l);
static inline struct database_link *database_links_edit(struct database_links *l, size_t at)
{
    return paged_edit(&l->v, at);
}

/* Texts of the sink by ids of call stacks (database_stacks.c). */
NODISCARD int database_stacks_read(struct database *d, struct database_ids *out, struct err *e);

/* Calls with their call stacks (database_host.c). */
NODISCARD int database_host(struct database_group *g, struct database *d, struct err *e);
/* Garbage collections (database_gc.c). */
NODISCARD int database_collections(struct database_group *g, struct database *d, struct err *e);
/* Memory of ops and of the device (database_memory.c). */
NODISCARD int database_memory(struct database_group *g, struct database *d, struct err *e);
/* Sampled counters as curves (database_curves.c). */
NODISCARD int database_curves(struct database_group *g, struct database *d, struct err *e);

#endif
