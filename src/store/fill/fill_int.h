/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of struct fill, private to src/store/fill and src/store/pages. */
#ifndef NPUSCOPE_STORE_FILL_FILL_INT_H
#define NPUSCOPE_STORE_FILL_FILL_INT_H

#include "store/db.h"
#include "store/fill/chunk.h"
#include "store/fill/fill.h"
#include "store/fill/lod.h"

#define FILL_UNIX_SHIFT "unix_shift_ns." /* key in meta, the rank after it */

/* Clock of one rank. */
struct fill_rank_state {
    int rank, device;
    bool known;
    char *host;
    const char *clock; /* "unix", "device", "relative"; NULL: decided by the first instant */
    int64_t origin;
    bool seen;
    int64_t first, last;   /* relative to origin */
    uint32_t shift_source; /* source whose instants are on another clock ... */
    int64_t shift;         /* ... and what is subtracted from them */
    /* Unix times of a rank that counts otherwise are of one clock, the host's: all are moved alike. */
    bool has_unix_shift;
    int64_t unix_shift;
};

struct added_column {
    char *name;
    enum col_type type;
};

/* Column positions that the row path needs per table. */
struct table_state {
    sqlite3_stmt *insert;
    size_t n_cols;            /* with the columns that were added */
    int rank_col, source_col; /* -1: none */
    int ts_cols[8];           /* ended by -1 */
    struct added_column *added;
    size_t n_added, n_made;  /* n_made: those in the database; the rest is made before the next row */
    unsigned char *affinity; /* of each column, enum affinity */
    struct val *row;         /* room for one row */
    size_t n_row;            /* number of columns that both have room for */
    struct bulk *bulk;       /* takes the rows; NULL: they go through INSERT */
};

/* There may be 10^6 of them: their texts are kept once, in op_texts. */
struct op_entry {
    struct op_key key;
    int64_t id, block_num, mix_block_num, task, stream; /* -1: unknown */
    uint32_t out_types_id, out_formats_id, attrs_id, strategy_id;
    uint32_t core, state, hf32, extra; /* number in op_texts plus 1; 0: unknown */
    uint32_t source_id, line;
    uint32_t next_same_hash; /* index + 1 */
    bool dirty;
};

struct op_name_entry {
    uint32_t first, count; /* first: index + 1 of an op with this name */
};

/* Pyramids of a track while it is filled. */
struct track_lods {
    struct lod *all;
    struct lod *lane[CHUNK_LANES]; /* made once a second lane is used */
};

/* The track that the last end of a flow went to. */
struct flow_track {
    bool known;
    int rank;
    uint32_t cat, index;
};

struct track_state {
    struct track_def d;     /* texts owned */
    struct chunk_event *ev; /* buffer */
    size_t n, cap;
    bool unsorted;           /* chunks are not in order among themselves: merged at the end */
    struct chunk_event last; /* last event added: shows whether the next one is in order */
    struct chunk_state st;
    struct track_lods *lods; /* NULL: at most one chunk so far, or unsorted */
    uint64_t total, chunks;
    int64_t t0, t1, busy, dur_sum;
    uint32_t next_same_hash;
};

struct fill {
    struct sink base;
    sqlite3 *db;
    struct store *reader; /* over db */
    char path[1024], temp[1100];
    bool in_memory, adding, watched, unfinished, use_wal, in_tx, failed;
    bool (*cancelled)(void *arg);
    void *arg;
    const struct schema_index *more; /* of struct fill_opts */
    size_t n_more;

    struct intern *strings;
    uint32_t strings_written;
    sqlite3_stmt *ins_string, *ins_op, *ins_chunk, *ins_long, *ins_lod, *ins_note;
    struct table_state tables[N_TABLES];

    struct fill_rank_state *ranks;
    size_t n_ranks;
    int64_t origin;
    bool origin_set;

    struct op_entry *ops;
    size_t n_ops, cap_ops;
    struct intern *op_texts; /* NULL until the first op */
    uint32_t *op_hash;       /* index + 1 */
    uint32_t op_hash_n;
    struct op_name_entry *op_names; /* by name id */
    uint32_t n_op_names;
    int64_t last_op_id;
    bool ops_unread; /* adding: the ops of the store are read when the first one is needed */

    struct track_state *tracks; /* of the current source; flushed and forgotten at fill_end */
    uint32_t n_tracks, cap_tracks;
    uint32_t *track_hash;
    uint32_t track_hash_n;
    struct flow_track flow_tracks[2]; /* ends, starts */
    int64_t first_track_id;           /* id of tracks[0] */
    int64_t next_track_id;
    uint64_t events_total;
    struct buf blob, names;
    struct lod_pool lods;

    uint32_t source_id;
    struct fill_notes notes;
    uint64_t note_counts[N_NOTES];
    unsigned notes_written;
    sqlite3_stmt *ins_generic; /* into the file's own table that is open */
    size_t generic_cols;
    uint32_t generic_source;
    int generic_n; /* tables opened for generic_source */
};

/* store/fill/fill.c */
/* Make index i of the schema, unless it is there. */
NODISCARD int fill_make_index(struct fill *f, const struct schema_index *x, struct err *e);

/* store/fill/fill_add.c */
NODISCARD int fill_resume(struct fill *f, struct err *e);

/* store/fill/fill_ops.c */
int64_t fill_op(struct sink *s, const struct op_key *k, const struct op_attr *a, struct err *e);
/* Read the ops of the store that is added to, once; does nothing in a new one. */
NODISCARD int fill_ops_read(struct fill *f, struct err *e);
NODISCARD int fill_ops_write(struct fill *f, struct err *e);
/* A text attribute of an op (core ...); p NULL: unknown. */
struct str fill_op_text(const struct fill *f, uint32_t text);
/* Write all ops as rows of the bulk, when table op has one. */
NODISCARD int fill_ops_settle(struct fill *f, struct err *e);
void fill_ops_done(struct fill *f);

/* store/fill/fill_tracks.c */
/* Id of a track of the current source in the store. */
static inline int64_t fill_track_id(const struct fill *f, const struct track_state *t)
{
    return f->first_track_id + (t - f->tracks);
}
uint32_t fill_track(struct sink *s, const struct track_def *d);
int fill_track_set(struct sink *s, uint32_t track, const struct track_def *d, struct err *e);
int fill_event(struct sink *s, uint32_t track, int64_t ts_ns, int64_t dur_ns, uint32_t name, uint64_t off,
               struct err *e);
int fill_flow(struct sink *s, uint32_t track, int64_t ts_ns, char phase, uint32_t cat, uint64_t id,
              struct err *e);
int fill_sample(struct sink *s, uint32_t track, int64_t ts_ns, double value, struct err *e);
NODISCARD int fill_tracks_write(struct fill *f,
                                struct err *e); /* flush, merge unsorted ones, write the track rows */
void fill_tracks_forget(struct fill *f);

/*
 * store/fill/fill_lod.c: feed the pyramids and far events of a track, in order of its events. chunk: id of
 * the chunk.
 */
NODISCARD int fill_lod_chunk(struct fill *f, struct track_state *t, const struct chunk_event *ev, size_t n,
                             const struct chunk_sum *sum, const uint8_t *lane, int64_t chunk, struct err *e);
/* Forget the pyramids and far events of a track whose chunks turned out not to be in order. */
NODISCARD int fill_lod_drop(struct fill *f, struct track_state *t, struct err *e);
NODISCARD int fill_lod_write(struct fill *f, struct track_state *t, struct err *e);
void fill_lod_free(struct track_state *t);

/* store/fill/fill_generic.c */
int fill_generic_open(struct sink *s, uint32_t source_id, struct str part, const struct str *names, size_t n,
                      struct err *e);
int fill_generic_row(struct sink *s, const struct val *v, size_t n, struct err *e);

/* store/fill/fill_columns.c */
int fill_column(struct sink *s, enum table_id t, struct str name, enum col_type type, size_t *index,
                struct err *e);
/* Make room for a row, and the affinities, of the columns that there are by now. */
NODISCARD int fill_table_fit(struct fill *f, enum table_id t, struct err *e);
/* Add to sql: the names of the columns, with commas between; the statement that makes the table. */
void fill_columns_names(const struct fill *f, enum table_id t, struct buf *sql);
void fill_columns_defs(const struct fill *f, enum table_id t, struct buf *sql);
NODISCARD int fill_columns_make(struct fill *f, enum table_id t, struct err *e);
/* Forget the added columns, or read them from the database (after a rollback, in a finished store). */
void fill_columns_drop(struct table_state *ts);
NODISCARD int fill_columns_read(struct fill *f, enum table_id t, struct err *e);

/* store/fill/fill_rows.c */
int fill_row(struct sink *s, enum table_id t, const struct val *v, size_t n, int64_t *id, struct err *e);
void fill_note(struct sink *s, enum note_code code, const struct where *w, const char *text);
uint32_t fill_intern(struct sink *s, struct str text);
bool fill_cancelled(const struct sink *s);
NODISCARD int fill_strings_write(struct fill *f, struct err *e);
NODISCARD int fill_notes_write(struct fill *f, struct err *e);
void fill_tables_done(struct fill *f);
/* State of a rank, made when new; NULL: out of memory. */
struct fill_rank_state *fill_rank_get(struct fill *f, int rank);
/* Convert an absolute instant of a rank to a stored one, and update the rank's first and last. */
int64_t fill_instant(struct fill *f, struct fill_rank_state *r, int64_t abs_ns);

#endif
