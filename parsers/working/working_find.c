/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the working databases has a table. */
#include "config.h"

#include "parsers/working/working.h"

struct database *working_find(struct working *w, int device, struct str table)
{
    struct err ignored = ERR_INIT;

    for (size_t i = 0; i < w->base.n; i++) {
        struct database *d = &w->base.db[i];
        size_t at = w->device[i] == device ? database_table(d, table) : SIZE_MAX;
        int64_t rows = 0;
        if (at == SIZE_MAX)
            continue;
        if (foreign_count(d->f, at, &rows, &ignored))
            rows = 1; /* who reads it says what is wrong with it */
        err_clear(&ignored);
        if (rows > 0)
            return d;
    }
    return NULL;
}

int working_end(struct working *w, int64_t connection, const struct database_task *task, struct err *e)
{
    return connection < 0 ? OK : database_keep_task(&w->base, -1, connection, task, e);
}
