/* SPDX-License-Identifier: Apache-2.0 */
/* Files of an export: names, rows of the report, tables in slices. */
#include "config.h"

#include <stdio.h>

#include "base/path.h"
#include "emit/report.h"
#include "msprof/run.h"

static void file_name(const struct msprof_run *r, const char *name, int slice, const char *ending, char *buf,
                      size_t n)
{
    if (slice >= 0)
        snprintf(buf, n, "%s_slice_%d_%s%s", name, slice, r->o->stamp, ending);
    else
        snprintf(buf, n, "%s_%s%s", name, r->o->stamp, ending);
}

int msprof_create(struct msprof_run *r, struct emit **o, const char *name, bool replace, struct err *e)
{
    if (r->o->create)
        return r->o->create(r->o->files_arg, o, name, e);
    return emit_create(o, r->o->dir, name, replace, e);
}

static int begin(struct msprof_run *r, struct emit **o, const char *file, struct err *e)
{
    char why[300], name[400];

    snprintf(name, sizeof name, "%s/%s", MSPROF_RESULTS, file);
    if (msprof_create(r, o, name, false, e) == OK)
        return OK;
    struct emit_result x = { .rank = -1, .name = file, .outcome = EMIT_FAILED };
    x.why = err_message(e, why, sizeof why);
    emit_report_add(r->report, &x);
    return e->code;
}

int msprof_open(struct msprof_run *r, struct emit **o, const char *name, const char *ending, struct err *e)
{
    char file[256];

    *o = NULL;
    file_name(r, name, -1, ending, file, sizeof file);
    return begin(r, o, file, e);
}

int msprof_close(struct msprof_run *r, struct emit *o, struct err *e)
{
    struct emit_count count = { 0 };
    char path[1024], why[300];

    if (!o)
        return e->code;
    snprintf(path, sizeof path, "%s", o->path);
    struct emit_result x = { .rank = -1, .name = path_base(path) };
    if (e->code)
        emit_drop(o);
    else if (emit_close(o, &count, e) == OK) {
        x.outcome = EMIT_WRITTEN;
        x.bytes = count.bytes;
        x.path = path;
    }
    if (e->code) {
        x.outcome = EMIT_FAILED;
        x.why = err_message(e, why, sizeof why);
    }
    emit_report_add(r->report, &x);
    return e->code;
}

void msprof_no_data(struct msprof_run *r, const char *name, const char *ending, const char *why)
{
    char file[256];

    file_name(r, name, -1, ending, file, sizeof file);
    emit_report_add(r->report,
                    &(struct emit_result){ .rank = -1, .name = file, .outcome = EMIT_NO_DATA, .why = why });
}

/* ---- tables ---- */

int msprof_csv_begin(struct msprof_csv *c, struct msprof_run *r, const char *name, uint64_t n_rows,
                     const char *header, struct err *e)
{
    *c = (struct msprof_csv){ .r = r, .name = name, .header = header, .n = n_rows };
    return e->code;
}

static int next_file(struct msprof_csv *c, struct err *e)
{
    char file[256];

    if (msprof_close(c->r, c->o, e))
        return e->code;
    c->o = NULL;
    c->in_slice = 0;
    file_name(c->r, c->name, c->n > MSPROF_SLICE ? (int)(c->done / MSPROF_SLICE) : -1,
              c->r->o->json ? ".json" : ".csv", file, sizeof file);
    if (begin(c->r, &c->o, file, e) || (c->r->o->json && emit_table(c->o, e)))
        return e->code;
    emit_s(c->o, c->header);
    emit_c(c->o, '\n');
    return OK;
}

struct emit *msprof_csv_row(struct msprof_csv *c, struct err *e)
{
    if (e->code || ((!c->o || c->in_slice == MSPROF_SLICE) && next_file(c, e)))
        return NULL;
    c->done++;
    c->in_slice++;
    return c->o;
}

int msprof_csv_end(struct msprof_csv *c, struct err *e)
{
    struct emit *o = c->o;

    c->o = NULL;
    return msprof_close(c->r, o, e);
}

void msprof_cell(struct emit *o, struct str s)
{
    emit_c(o, ',');
    emit_cell_str(o, s);
}
