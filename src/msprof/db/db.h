/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the database of an export (doc/formats/msprof.md#database): its tables are rows of data, each
 * with a function that gives its rows. A table is created with its first row. Texts are numbers of
 * STRING_IDS; a task is a number that stands for its device, stream, task, context and batch.
 */
#ifndef NPUSCOPE_MSPROF_DB_DB_H
#define NPUSCOPE_MSPROF_DB_DB_H

#include "base/buf.h"
#include "base/val.h"
#include "msprof/args.h"
#include "msprof/run.h"
#include "store/dbout.h"

struct msprof_db_key { /* identifies a task; in order of comparison */
    uint32_t device, stream, task, context, batch;
};

struct msprof_db;
struct msprof_db_table {
    const char *name, *columns; /* as dbout_table() has them */
    int (*rows)(struct msprof_db *d, struct err *e);
    const void *data;                  /* for rows, which finds its table in now */
    const char *index, *index_columns; /* NULL: none */
    bool always;                       /* created also without rows */
};

struct msprof_db {
    struct msprof_run *r;
    struct dbout *out;
    const struct msprof_db_table *now; /* being written */
    struct dbout_table *table;         /* NULL: it has no row yet */
    /* string: number in STRING_IDS + 1 by text, 0: not used; text: texts by that number. */
    uint32_t *string, *text;
    size_t n_string, n_texts, cap_texts;
    uint32_t none; /* text "N/A" */
    /* Tasks of devices that match no task of the host: their numbers follow those of the host. */
    struct msprof_db_key *alone;
    size_t n_alone, cap_alone;
    bool failed; /* no memory for a text */
};

/* Global numbers for all tasks (msprof/db/db_rows.c). */
NODISCARD int msprof_db_number_tasks(struct msprof_db *d, struct err *e);
/* Creates the table d->table if it does not exist. */
NODISCARD int msprof_db_make_table(struct msprof_db *d, struct err *e);
/* A row of the table being written. */
NODISCARD int msprof_db_row(struct msprof_db *d, const struct val *v, struct err *e);

/* A value of a text column. PROF_NONE: "N/A". Without memory the row fails. */
struct val msprof_db_text(struct msprof_db *d, uint32_t text);
struct val msprof_db_word(struct msprof_db *d, const char *word);
/* Texts of words that many rows have, for msprof_db_text(); they enter STRING_IDS when a row uses them. */
void msprof_db_words(struct msprof_db *d, const char *const *words, size_t n, uint32_t *out);
/* A thread of the process. */
struct val msprof_db_thread(const struct msprof_db *d, uint32_t thread);
/*
 * When a counter of a device was. With --compat, on chips whose tasks msprof's Python half reads, up to 1 ns
 * later than it was (doc/formats/prof-quirks.md#info-files).
 */
int64_t msprof_db_device_ns(const struct msprof_db *d, size_t dev, uint64_t counter);
/* globalTaskId of a task of the host, or of a device (number dev of r->m.dev). */
int64_t msprof_db_host_task(const struct msprof_db *d, size_t host);
int64_t msprof_db_device_task(const struct msprof_db *d, size_t dev, const struct prof_task *t);
/* The task of the host that matches a device task, NULL: none. */
const struct prof_host_task *msprof_db_host_of(const struct msprof_db *d, const struct prof_task *t);
/* connectionId of a call; PROF_NONE: -1. */
struct val msprof_db_connection(uint32_t api);

/* The task's op is a kernel that runs communication on an AI CPU: such kernels have a table of their own. */
bool msprof_db_is_schedule(const struct msprof_db *d, const struct prof_host_task *t);

/*
 * A column of arguments (msprof/db/db_args.c): begin, then msprof_db_put_arg() for each (it is the fn of
 * struct msprof_args; arg: the msprof_db_args), then end.
 */
struct msprof_db_args {
    struct msprof_db *d;
    struct buf text;
    bool flat; /* keys and values in an array, as msprof writes them */
};
void msprof_db_args_begin(struct msprof_db_args *w, struct msprof_db *d);
void msprof_db_put_arg(void *arg, const struct msprof_arg *a);
struct val msprof_db_args_end(struct msprof_db_args *w);

/* Tables, ended by a row without a name. */
extern const struct msprof_db_table msprof_db_enums[], msprof_db_facts[], msprof_db_host[],
    msprof_db_device[], msprof_db_sampled[], msprof_db_soc[], msprof_db_usage[], msprof_db_cores[],
    msprof_db_dpu[], msprof_db_comm[], msprof_db_ccu[];

#endif
