/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the profilers' databases (doc/formats/analysed.md#databases): which columns feed what, as data,
 * and what joins them.
 *
 * A map names a table, its columns under all names that versions of it have, the conversion of each and where
 * the value goes: to a column of the store's table, or to a slot of the caller's own row. Missing tables and
 * columns are normal; a value of another form becomes a note and NULL. Texts are resolved through STRING_IDS
 * and the ENUM_ tables. Everything belongs to one thread and to one group.
 */
#ifndef NPUSCOPE_DATABASE_H
#define NPUSCOPE_DATABASE_H

#include "base/buf.h"
#include "parsers/database/database_ids.h"
#include "parsers/registry.h"
#include "store/foreign.h"

enum database_conv {
    DB_INT,
    DB_ID,   /* a number; 4294967295 is "not set" */
    DB_REAL, /* a number of any form */
    DB_TEXT, /* as it is */
    DB_STR,  /* a text that is interned */
    DB_SID,  /* id in STRING_IDS, interned; a text stands for itself */
    DB_ENUM, /* id in the table .of, else in STRING_IDS, interned */
    DB_WORD, /* the same, as text: for columns of few words */
    DB_NS,   /* ns, an instant or a duration; of either sign, at most DB_TIME_MAX */
    DB_US,
    DB_MS,
    DB_MB,     /* 10^6 bytes */
    DB_GB_S,   /* 10^9 bytes/s */
    DB_U64,    /* 64 bits as they are: a pointer */
    DB_STEP,   /* 50, "50" or "step50" */
    DB_DEVICE, /* a device id: decides the rank of the row */
    /* instants by d->instant; 0 and below are none */
    DB_MONO,        /* ns of the host's monotonic clock */
    DB_MONO_MS,     /* ms of it, with fractions */
    DB_DEVICE_MONO, /* ns of the device's monotonic clock */
    DB_HOST_TICK,   /* the host's counter */
    DB_DEVICE_TICK, /* the device's */
};
#define DB_TIME_MAX INT64_C(4000000000000000000) /* ns: the difference of two fits */
struct database_col {
    const char *names; /* separated by '|' */
    enum database_conv conv;
    size_t slot;
    const char *of; /* DB_ENUM, DB_WORD: the table with the names; NULL: STRING_IDS */
};
struct database_const {
    size_t slot;
    const char *text; /* NULL ends the list */
};
#define DB_NO_TABLE N_TABLES
#define DB_NO_SLOT  SIZE_MAX
struct database_map {
    const char *table; /* names separated by '|': each that is there is read */
    const char *need;  /* a column without which the table is another one; NULL: none */
    const char *feeds; /* read only where the group feeds this table; NULL: always */
    enum table_id target;
    size_t n_slots;            /* DB_NO_TABLE: values of a row; else the table's columns */
    size_t further;            /* slots after them, for fn */
    size_t rank, source, line; /* slots of the rank, the file and the row's number; DB_NO_SLOT: none */
    const struct database_col *cols;
    size_t n_cols;
    const struct database_const *consts;
};
/* What rows of a table of the store say of themselves. */
#define DB_TARGET(t)                                                                                         \
    .target = T_##t, .n_slots = N_COLS(t), .rank = COL(t, rank), .source = COL(t, source_id),                \
    .line = DB_NO_SLOT
#define DB_TARGET_LINE(t)                                                                                    \
    .target = T_##t, .n_slots = N_COLS(t), .rank = COL(t, rank), .source = COL(t, source_id),                \
    .line = COL(t, line)
#define DB_SLOTS(n)                                                                                          \
    .target = DB_NO_TABLE, .n_slots = (n), .rank = DB_NO_SLOT, .source = DB_NO_SLOT, .line = DB_NO_SLOT

#define DB_NAME_TABLES 8
#define DB_NEAR        512 /* a power of 2 */
struct database {
    struct foreign *f;
    struct parse_ctx *c;
    struct paged_pool *pool;
    struct database_names {
        const char *table;
        struct database_ids ids;   /* values are texts of the sink */
        struct database_ids words; /* of short texts: where they lie in text */
        struct buf text;
        struct database_near {
            int64_t id;
            uint32_t text; /* of the sink */
            bool known;
        } near[DB_NEAR]; /* of ids that were looked up last, by their lowest bits: rows repeat few texts */
    } names[DB_NAME_TABLES]; /* 0: STRING_IDS */
    /* The absolute time of an instant, for databases that have other clocks. false: it is not known. */
    bool (*instant)(const void *clock, enum database_conv conv, int64_t v, int64_t *ns);
    const void *clock;
    uint64_t bad;      /* values that could not be read */
    uint64_t timeless; /* rows without a start */
};

/* A row of a map: values by slot, valid for the call. */
struct database_row {
    struct database *d;
    const struct database_map *map;
    struct val *v;
    int rank;
    size_t table;    /* number of the table it is of */
    uint64_t number; /* of the row in its table, from 1 */
    void *arg;
};
typedef int database_row_fn(struct database_row *r, struct err *e);

/* Open a member's file; its STRING_IDS are read. Errors: as foreign_open(), those of the sink. */
NODISCARD int database_open(struct database *d, struct parse_ctx *c, struct paged_pool *pool, struct err *e);
/* Close it, with a note of what could not be read. */
void database_close(struct database *d);
/*
 * Damage and limits of the database are notes, and e is cleared: true. Other errors are the caller's.
 */
bool database_is_damage(struct database *d, struct str table, struct err *e);
/* Number of a table, SIZE_MAX: there is none. */
size_t database_table(const struct database *d, struct str name);
/*
 * Read the tables of a map; fn gets each row (NULL: it goes to the map's target). Damage of the database ends
 * the table with a note. Errors: those of the sink and of fn, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int database_read(struct database *d, const struct database_map *m, database_row_fn *fn, void *arg,
                            struct err *e);
/* Give the row to the map's target. */
NODISCARD int database_put(struct database_row *r, struct err *e);
/* Count a row that does not say when it was, and go on. */
int database_no_start(struct database_row *r);
/* Text of the sink for an id of STRING_IDS, 0: none. */
uint32_t database_string(struct database *d, int64_t id);
/* A short text of STRING_IDS (task types, events ...), valid until the database is closed. p NULL: none. */
struct str database_word(struct database *d, int64_t id);
/* The same of an ENUM_ table, a constant. */
struct str database_enum(struct database *d, const char *table, int64_t id);
/* The rank of a device's rows (doc/store.md#ranks). device -1: not known. */
int database_rank(const struct database *d, int64_t device);

static inline int64_t database_int(const struct database_row *r, size_t slot, int64_t otherwise)
{
    return r->v[slot].t == VAL_INT ? r->v[slot].i : otherwise;
}
/*
 * From one slot to another, as instants; *to is never before *from. false: it is not said when it begins.
 */
static inline bool database_span(const struct database_row *r, size_t from_slot, size_t to_slot,
                                 int64_t *from, int64_t *to)
{
    *from = database_int(r, from_slot, 0);
    *to = database_int(r, to_slot, *from);
    *to = *to > *from ? *to : *from;
    return r->v[from_slot].t == VAL_INT;
}
/* The time between, NULL where it is not known. */
static inline struct val database_dur(const struct database_row *r, size_t from_slot, size_t to_slot)
{
    const struct val *from = &r->v[from_slot], *to = &r->v[to_slot];

    return from->t == VAL_INT && to->t == VAL_INT && to->i >= from->i ? val_int(to->i - from->i) : val_null();
}

#endif
