/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where parsers put rows. An interface: the store's sink writes SQLite, the counting sink only counts or
 * hands rows on, others only take notes. A parser never sees SQL, and the interface has no SQLite types.
 *
 * Texts given are borrowed for the call. Instants (CT_TS columns, event times) are absolute ns on
 * the clock of their rank; the store keeps them relative to the rank's origin (doc/store.md#time). Not
 * thread-safe; sink_fork() gives a part for another thread.
 */
#ifndef NPUSCOPE_SINK_H
#define NPUSCOPE_SINK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/val.h"
#include "store/note.h"
#include "store/schema.h"

struct sink;

/*
 * Identity of an op (doc/store.md#op-identity). Ids are results of sink_intern(), 0 for none. graph_id,
 * model_id: -1 unknown.
 */
struct op_key {
    uint32_t name_id, type_id;
    int64_t graph_id, model_id;
    uint32_t in_shapes_id, in_types_id, in_formats_id, out_shapes_id;
};
/* Attributes of an op: those of the first source are kept. Ids of 0 and numbers of -1 mean unknown. */
struct op_attr {
    struct str core; /* AIC, AIV, MIX, AICPU, HCCL, HOST, GPU, CPU or as recorded; p NULL: unknown */
    struct str state, hf32;
    uint32_t out_types_id, out_formats_id, attrs_id, strategy_id;
    int64_t block_num, mix_block_num, task, stream;
    uint32_t source_id, line;
    struct str extra; /* JSON text or p NULL */
};
#define OP_KEY_INIT                                                                                          \
    {                                                                                                        \
        .graph_id = -1, .model_id = -1                                                                       \
    }
#define OP_ATTR_INIT                                                                                         \
    {                                                                                                        \
        .block_num = -1, .mix_block_num = -1, .task = -1, .stream = -1                                       \
    }

enum track_kind {
    TK_STEP,
    TK_STREAM,
    TK_PLANE,
    TK_ENGINE,
    TK_HOST_THREAD,
    TK_OVERLAP,
    TK_COUNTER,
    TK_SCOPE,
    TK_MEMORY,
    TK_QUEUE,
    TK_AICPU,
    TK_FLOW, /* pseudo track: ends of flows (doc/performance.md#chunks) */
    N_TRACK_KINDS
};
const char *track_kind_word(enum track_kind k);

struct track_def {
    int rank;
    enum track_kind kind;
    struct str pid, tid;      /* as the source writes them */
    struct str process, name; /* layer name, track name; p NULL while unknown */
    int64_t sort;
    int64_t stream;  /* -1: none */
    struct str unit; /* of a counter */
    uint32_t source_id;
    struct str damage; /* marks of all that lies on it (doc/store.md#marks); p NULL: none */
    bool has_ts_err;
    int64_t ts_err_ns;
};

#define SINK_NO_TRACK UINT32_MAX

struct sink_ops {
    int (*row)(struct sink *s, enum table_id t, const struct val *v, size_t n, int64_t *id, struct err *e);
    int (*column)(struct sink *s, enum table_id t, struct str name, enum col_type type, size_t *index,
                  struct err *e);
    void (*note)(struct sink *s, enum note_code code, const struct where *w, const char *text);
    uint32_t (*intern)(struct sink *s, struct str text);
    int64_t (*op)(struct sink *s, const struct op_key *k, const struct op_attr *a, struct err *e);
    uint32_t (*track)(struct sink *s, const struct track_def *d);
    int (*track_set)(struct sink *s, uint32_t track, const struct track_def *d, struct err *e);
    int (*event)(struct sink *s, uint32_t track, int64_t ts_ns, int64_t dur_ns, uint32_t name, uint64_t off,
                 struct err *e);
    int (*flow)(struct sink *s, uint32_t track, int64_t ts_ns, char phase, uint32_t cat, uint64_t id,
                struct err *e);
    int (*sample)(struct sink *s, uint32_t track, int64_t ts_ns, double value, struct err *e);
    bool (*cancelled)(const struct sink *s);
    int (*generic_open)(struct sink *s, uint32_t source_id, struct str part, const struct str *names,
                        size_t n, struct err *e);
    int (*generic_row)(struct sink *s, const struct val *v, size_t n, struct err *e);
};
/* First member of every implementation. */
struct sink {
    const struct sink_ops *ops;
    bool failed; /* it could not keep something: no fault of the file that is read */
};

/* What an operation returned, also for sink.failed. No memory, a limit and the like are not the sink's. */
static inline int sink_result(struct sink *s, int rc)
{
    s->failed |= rc == ERR_IO || rc == ERR_FULL || rc == ERR_BUSY || rc == ERR_FORMAT || rc == ERR_STORE;
    return rc;
}

/*
 * Add a row: v[COL(table, column)], n values (at least N_COLS(table) when columns were added with
 * sink_column; missing ones are NULL). *id (id may be NULL) gets the row's number. Errors: ERR_FULL, ERR_IO,
 * ERR_NOMEM, ERR_CANCELLED.
 */
static inline int sink_row(struct sink *s, enum table_id t, const struct val *v, size_t n, int64_t *id,
                           struct err *e)
{
    return sink_result(s, s->ops->row(s, t, v, n, id, e));
}
/*
 * Add (or find) a column of a table whose columns depend on the run (op_counter); *index is its index in v.
 */
static inline int sink_column(struct sink *s, enum table_id t, struct str name, enum col_type type,
                              size_t *index, struct err *e)
{
    return sink_result(s, s->ops->column(s, t, name, type, index, e));
}
#define SINK_NOTE_B 700 /* longer texts of notes are cut */
/* Record damage or a surprise: counted per (file, code); the first LIM_NOTES_PER_FILE in detail. */
void sink_note(struct sink *s, enum note_code code, const struct where *w, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/*
 * Id of a text, from 1 in order of first use; 0 for none (p NULL) or when there is no room (the next row
 * fails).
 */
static inline uint32_t sink_intern(struct sink *s, struct str text)
{
    return text.p ? s->ops->intern(s, text) : 0;
}
/* Value of a CT_STR column: NULL for id 0. */
static inline struct val val_id(uint32_t id)
{
    return id ? val_int((int64_t)id) : val_null();
}
static inline struct val sink_text(struct sink *s, struct str text)
{
    return val_id(sink_intern(s, text));
}
/*
 * The op with this identity, made when new. A key with only a name finds the op of that name when
 * exactly one exists. Returns its id, 0 on error.
 */
static inline int64_t sink_op(struct sink *s, const struct op_key *k, const struct op_attr *a, struct err *e)
{
    int64_t id = s->ops->op(s, k, a, e);

    if (!id)
        (void)sink_result(s, e->code);
    return id;
}
/* The track for (rank, source, kind, pid, tid), made when new. SINK_NO_TRACK: out of memory. */
static inline uint32_t sink_track(struct sink *s, const struct track_def *d)
{
    return s->ops->track(s, d);
}
/* Set names, kind and order of a track that are known only later (metadata at the end of a trace). */
static inline int sink_track_set(struct sink *s, uint32_t track, const struct track_def *d, struct err *e)
{
    return sink_result(s, s->ops->track_set(s, track, d, e));
}
/*
 * Add an event: a bar (dur_ns > 0) or an instant (0). off: byte offset of the event in its file (details are
 * read from there), or the line.
 */
static inline int sink_event(struct sink *s, uint32_t track, int64_t ts_ns, int64_t dur_ns, uint32_t name,
                             uint64_t off, struct err *e)
{
    return sink_result(s, s->ops->event(s, track, ts_ns, dur_ns, name, off, e));
}
/* Add an end of a flow: phase 's', 't' or 'f'; ends with equal (cat, id) belong together. */
static inline int sink_flow(struct sink *s, uint32_t track, int64_t ts_ns, char phase, uint32_t cat,
                            uint64_t id, struct err *e)
{
    return sink_result(s, s->ops->flow(s, track, ts_ns, phase, cat, id, e));
}
static inline int sink_sample(struct sink *s, uint32_t track, int64_t ts_ns, double value, struct err *e)
{
    return sink_result(s, s->ops->sample(s, track, ts_ns, value, e));
}
/*
 * A table of a file's own, for files whose columns the schema does not have: open it with the names of its
 * columns (distinct, not empty), then give rows of as many values. A file opens another one when its columns
 * change (a slice with another header), or one for each of its parts (tables of a database). part is a word;
 * p NULL: the file itself. Errors as sink_row().
 */
static inline int sink_generic_open(struct sink *s, uint32_t source_id, struct str part,
                                    const struct str *names, size_t n, struct err *e)
{
    if (!s->ops->generic_open)
        return err_set(e, ERR_BUG, "this sink takes no tables of a file's own");
    return sink_result(s, s->ops->generic_open(s, source_id, part, names, n, e));
}
/* The name of such a table. */
void sink_generic_name(uint32_t source_id, struct str part, char *buf, size_t n);
static inline int sink_generic_row(struct sink *s, const struct val *v, size_t n, struct err *e)
{
    return sink_result(s, s->ops->generic_row(s, v, n, e));
}
/*
 * A sink without rows and notes, for files that are read a second time or only in part. asks: the sink that
 * knows whether reading is to stop, borrowed; NULL: it never is.
 */
struct sink_quiet {
    struct sink sink;
    const struct sink *asks;
};
void sink_quiet_init(struct sink_quiet *q, const struct sink *asks);

/* Parsers ask at least every 65 536 records or 4 MiB. */
static inline bool sink_cancelled(const struct sink *s)
{
    return s->ops->cancelled && s->ops->cancelled(s);
}

#endif
