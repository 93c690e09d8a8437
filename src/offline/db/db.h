/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the databases of an analysis (doc/formats/framework.md#torch_npu-db-export, #db-export): the
 * file, and tables that hold what text files hold. Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_DB_H
#define NPUSCOPE_OFFLINE_DB_H

#include "base/val.h"
#include "offline/run.h"
#include "store/dbout.h"

/* ---- the file ---- */

#define OFFLINE_PATH_B 1400

struct offline_db {
    struct dbout *out; /* NULL: it cannot be made */
    uint64_t rows;     /* that the analysis itself put into it */
    char path[OFFLINE_PATH_B];
};
/*
 * The path of a database, in a folder that is there. false: e is set, or it cannot be made, and a row of the
 * report says why.
 */
bool offline_db_path(struct offline_run *r, const struct offline_output *x, char path[OFFLINE_PATH_B],
                     struct err *e);
/*
 * Begins a database; out NULL when OK: a row of the report says why. End it with offline_db_close(), which
 * writes its row. Errors: those that end the work.
 */
NODISCARD int offline_db_open(struct offline_run *r, struct offline_db *db, const struct offline_output *x,
                              struct err *e);
/*
 * Also to be called after an error (e set): the file is dropped then. Without rows it is not wanted, and none
 * says why; NULL: it is. Returns e's code.
 */
NODISCARD int offline_db_close(struct offline_run *r, struct offline_db *db, const struct offline_output *x,
                               const char *none, struct err *e);

/* ---- texts ---- */

/* Texts that are numbers of STRING_IDS; they count from base on. offline_db_texts_done(): always allowed. */
struct offline_db_texts {
    int64_t base;
    struct intern *texts;
};
/* The number of a text, made if it has none; NULL for "". Without memory e is set. */
struct val offline_db_text(struct offline_db_texts *t, struct str s, struct err *e);
/* Their rows of STRING_IDS. */
NODISCARD int offline_db_put_texts(const struct offline_db_texts *t, struct dbout_table *ids, struct err *e);
void offline_db_texts_done(struct offline_db_texts *t);

/* ---- tables of text files ---- */

/* What a cell becomes; an empty one, and one that is not what it should be, is NULL. */
enum offline_cell_as {
    CELL_TEXT,
    CELL_INT,
    CELL_US, /* us, without what is below a ns */
    CELL_NS, /* us -> ns */
    CELL_KB, /* KB -> bytes */
    CELL_MB, /* MB -> bytes */
    CELL_ZERO_MB /* the same, 0 when empty */,
    CELL_DEVICE, /* "NPU:1" -> 1 */
    CELL_WORD,   /* a number of STRING_IDS */
    CELL_OP,     /* the same, without the mark of CANN's own ops */
};
struct offline_db_column {
    const char *title; /* of the text file's column */
    enum offline_cell_as as;
};
struct offline_db_table {
    const char *name, *columns; /* as dbout_table() has them */
    const char *file;           /* the text file that has the rows */
    const char *without;        /* rows whose first cell is this are left out; NULL: none are */
    const struct offline_db_column *column;
    size_t n;
};
extern const struct offline_db_table offline_db_step_trace, offline_db_op_memory, offline_db_memory_record;
/*
 * Writes the rows of the file as a table, which is made with its first row. texts is for CELL_WORD.
 */
NODISCARD int offline_db_put(struct offline_run *r, struct offline_db *db, const struct offline_db_table *t,
                             struct offline_db_texts *texts, struct err *e);

/*
 * offline/db/comm_tables.c: the CommAnalyzer tables, of torch_npu with steps and kinds and with the matrix of
 * communication_matrix.json.
 */
NODISCARD int offline_db_comm(struct offline_run *r, struct offline_db *db, struct err *e);

#endif
