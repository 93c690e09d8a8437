/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What torch_npu adds to msprof's database (doc/formats/framework.md#torch_npu-db-export). Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_TORCH_DB_H
#define NPUSCOPE_OFFLINE_TORCH_DB_H

#include "offline/db/db.h"
#include "offline/torch/torch_joins.h"

struct torch_db {
    struct offline_run *r;
    const struct torch_joins *j;
    const struct offline_timeline *t;
    struct offline_db db;                /* out is that of the export, or our own */
    struct offline_db_texts api, memory; /* of STRING_IDS */
    bool begun;                          /* tables were added */
};

void torch_db_init(struct torch_db *w, struct offline_run *r);
void torch_db_done(struct torch_db *w); /* also after a failure */
/* What the tables are made of, before any database is open. */
NODISCARD int torch_db_join(struct torch_db *w, struct err *e);
/* db_more of struct msprof_options; arg: the torch_db. */
int torch_db_more(void *arg, const char *table, struct dbout *d, struct dbout_table *t, struct err *e);
/* A database of these tables alone. */
NODISCARD int torch_db_alone(struct torch_db *w, const struct offline_output *x, struct err *e);

/* offline/db/torch_api.c: PYTORCH_API with its connections and call stacks, STEP_TIME, GC_RECORD. */
NODISCARD int torch_db_put_api(struct torch_db *w, struct err *e);

#endif
