/* Files of an export: names, rows of the report, tables in slices. */
#include "config.h"

#include <stdio.h>

#include "base/path.h"
#include "emit/report.h"
#include "msprof/run.h"

static void file_name(const struct ms_run *r, const char *name, int slice, const char *ending,
                      char *buf, size_t n)
{
    if (slice >= 0)
        snprintf(buf, n, "%s_slice_%d_%s%s", name, slice, r->o->stamp, ending);
    else
        snprintf(buf, n, "%s_%s%s", name, r->o->stamp, ending);
}

static int begin(struct ms_run *r, struct vout **o, const char *file, struct err *e)
{
    char why[300];

    if (vout_mkdirs(r->out_dir, e) == OK && vout_create(o, r->out_dir, file, false, e) == OK)
        return OK;
    struct vendor_result x = { .rank = -1, .name = file, .outcome = VENDOR_FAILED };
    x.why = err_message(e, why, sizeof why);
    vendor_report_add(r->report, &x);
    return (int)e->code;
}

int ms_open(struct ms_run *r, struct vout **o, const char *name, const char *ending, struct err *e)
{
    char file[256];

    *o = NULL;
    file_name(r, name, -1, ending, file, sizeof file);
    return begin(r, o, file, e);
}

int ms_close(struct ms_run *r, struct vout *o, struct err *e)
{
    struct vout_count count = { 0 };
    char path[1024], why[300];

    if (!o)
        return (int)e->code;
    snprintf(path, sizeof path, "%s", o->path);
    struct vendor_result x = { .rank = -1, .name = path_base(path) };
    if (e->code)
        vout_drop(o);
    else if (vout_close(o, &count, e) == OK) {
        x.outcome = VENDOR_WRITTEN;
        x.bytes = count.bytes;
    }
    if (e->code) {
        x.outcome = VENDOR_FAILED;
        x.why = err_message(e, why, sizeof why);
    }
    vendor_report_add(r->report, &x);
    return (int)e->code;
}

void ms_no_data(struct ms_run *r, const char *name, const char *ending, const char *why)
{
    char file[256];

    file_name(r, name, -1, ending, file, sizeof file);
    vendor_report_add(
        r->report,
        &(struct vendor_result){ .rank = -1, .name = file, .outcome = VENDOR_NO_DATA, .why = why });
}

/* ---- tables ---- */

int ms_csv_begin(struct ms_csv *c, struct ms_run *r, const char *name, uint64_t n_rows,
                 const char *header, struct err *e)
{
    *c = (struct ms_csv){ .r = r, .name = name, .header = header, .n = n_rows };
    return (int)e->code;
}

static int next_file(struct ms_csv *c, struct err *e)
{
    char file[256];

    if (ms_close(c->r, c->o, e))
        return (int)e->code;
    c->o = NULL;
    c->in_slice = 0;
    file_name(c->r, c->name, c->n > MS_SLICE ? (int)(c->done / MS_SLICE) : -1,
              c->r->o->json ? ".json" : ".csv", file, sizeof file);
    if (begin(c->r, &c->o, file, e) || (c->r->o->json && vout_table(c->o, e)))
        return (int)e->code;
    vout_s(c->o, c->header);
    vout_c(c->o, '\n');
    return OK;
}

struct vout *ms_csv_row(struct ms_csv *c, struct err *e)
{
    if (e->code || ((!c->o || c->in_slice == MS_SLICE) && next_file(c, e)))
        return NULL;
    c->done++;
    c->in_slice++;
    return c->o;
}

int ms_csv_end(struct ms_csv *c, struct err *e)
{
    struct vout *o = c->o;

    c->o = NULL;
    return ms_close(c->r, o, e);
}

void ms_cell(struct vout *o, struct str s)
{
    vout_c(o, ',');
    vout_cell_str(o, s);
}
