/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV kinds as data: a map from header names to the columns of a table (or to slots of a family's
 * own row), with one conversion each.
 *
 * A kind without logic is one row of csvmaps[] (parsers/tables/mapped_csv.c) and one of the registry (.parse
 * = parse_csv). A family with logic calls csvmap_parse() with a map of its own whose callbacks see converted
 * values. Names are matched trimmed and without case, never by position; a repeated name goes to the first
 * column of that name, the others to unknown(). Unknown columns are noted once and kept as JSON in `extra`
 * where the map has such a slot (doc/formats/analysed.md#csv-rules).
 */
#ifndef NPUSCOPE_PARSERS_READ_CSVMAP_H
#define NPUSCOPE_PARSERS_READ_CSVMAP_H

#include "base/read/csv.h"
#include "parsers/read/csvconv.h"
#include "parsers/registry.h"

struct csv_col {
    const char *names; /* aliases, separated by '|' */
    enum csv_conv conv;
    size_t slot; /* column of the row: COL(table, column), or the family's own */
};
struct csv_const {
    size_t slot;
    const char *text; /* NULL ends the list */
};

struct csv_run;
#define CSV_NO_TABLE N_TABLES
/* Slot for CV_DEVICE: the table's device column if it has one. The row's rank follows the device
 * (doc/store.md#ranks). */
#define CSV_DEVICE (SIZE_MAX - 1)

struct csvmap {
    const char *kind;    /* file kind it reads through parse_csv(), else NULL */
    enum table_id table; /* rows go there; CSV_NO_TABLE: row() does it */
    size_t n_slots;      /* further slots after the table's columns (CSV_NO_TABLE has none) */
    const struct csv_col *cols;
    size_t n_cols;
    const struct csv_const *consts;
    /*
     * names separated by '|': the file is of this map when one of them is there; NULL: any known column, "":
     * any header
     */
    const char *need;
    char sep;                   /* 0: ','; ' ' stands for any run of blanks */
    bool ragged;                /* rows of any width are in order */
    size_t state_b;             /* bytes of r->state, zeroed before the first slice */
    size_t extra_slot;          /* of CSV_NO_TABLE: slot for the JSON of unknown columns, 0 none */
    size_t wide;                /* slots after n_slots for unknown(): this many per column of the file */
    const struct csvmap *other; /* tried when this one does not fit the header */
    /*
     * Callbacks, each may be NULL; they return an error code. match: the known columns of a slice were
     * matched. unknown: a column that matches nothing; *out says CV_EXTRA until the callback sets another
     * conversion and slot. header: all columns have their slot. row: replaces the plain row. end: after the
     * last row of a slice. done: always called once, last; frees what the state holds.
     */
    int (*match)(struct csv_run *r, struct err *e);
    int (*unknown)(struct csv_run *r, size_t column, struct csv_col *out, struct err *e);
    int (*header)(struct csv_run *r, struct err *e);
    int (*row)(struct csv_run *r, struct err *e);
    int (*end)(struct csv_run *r, struct err *e);
    void (*done)(struct csv_run *r);
};

struct csv_run {
    struct parse_ctx *c;
    const struct csvmap *map;
    const struct source_file *f; /* slice being read */
    void *state;
    struct val *v;           /* values by slot */
    size_t n_slots;          /* with the wide ones */
    const struct str *cells; /* the row as it is in the file */
    size_t n_cells;
    const struct str *names; /* header */
    size_t n_names;
    uint32_t line;
    bool torn; /* the slice ended early (valid in end) */
};

/* Read all slices of c->f by the map. Errors: ERR_FORMAT when no slice had a usable header, ERR_IO,
 * ERR_NOMEM, ERR_CANCELLED, those of the sink. */
NODISCARD int csvmap_parse(const struct csvmap *m, struct parse_ctx *c, struct err *e);
extern const struct csvmap csvmaps[];
extern const size_t csvmaps_n;

/* Position of the column that feeds a slot, SIZE_MAX: the file has none. */
size_t csv_column_of(const struct csv_run *r, size_t slot);
/* Note about the row being read: text value of a column cannot be used. */
void csv_bad_value(struct csv_run *r, size_t column);
/* Note about the row being read; it is counted as lost. */
void csv_bad_row(struct csv_run *r, const char *why);
/* Rank of a device number: c->rank unless the unit knows that device by another rank
 * (doc/store.md#ranks). device VAL_NULL: the file's. */
int csv_rank(const struct csv_run *r, const struct val *device);
/* Give r->v to the map's table: what the engine does when there is no row(). */
NODISCARD int csv_put(struct csv_run *r, struct err *e);
/* JSON object of all non-empty cells by header name, the same way. */
struct val csv_row_json(struct csv_run *r);
#endif
