/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pipeline's files of MindSpore 1.x: minddata_pipeline_raw_N.csv, the ops with their queues;
 * minddata_pipeline_summary_N.{json,csv}, the same with CPU shares, times of batches, and sentences about
 * likely bottlenecks.
 */
#include "config.h"

#include "mindspore/minddata.h"
#include "mindspore/run.h"

#define RAW     "minddata_pipeline_raw_"
#define SUMMARY "minddata_pipeline_summary_"

static const struct source_file *file_of(void *arg, const char *kind)
{
    return mindspore_file(arg, kind, NULL);
}

static struct parse_ctx ctx_of(void *arg, const struct source_file *f)
{
    return mindspore_ctx(arg, f);
}

static int write_raw(struct mindspore_run *r, const struct minddata_run *md, const struct minddata_input *in,
                     struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, RAW, ".csv", e) == OK)
        (void)!minddata_put_raw(md, in, o, e);
    return mindspore_close(r, o, e);
}

static int write_summary(struct mindspore_run *r, const struct minddata_run *md,
                         const struct minddata_input *in, bool json, struct err *e)
{
    struct emit *o;

    if (mindspore_open(r, &o, SUMMARY, json ? ".json" : ".csv", e) == OK)
        (void)!minddata_put_summary(md, in, json, o, e);
    return mindspore_close(r, o, e);
}

static int make_summary(struct mindspore_run *r, const struct minddata_run *md,
                        const struct minddata_input *in, struct err *e)
{
    const char *why = minddata_no_summary(md, in);

    if (why) {
        mindspore_no_data(r, SUMMARY, ".json", why);
        mindspore_no_data(r, SUMMARY, ".csv", why);
        return OK;
    }
    return write_summary(r, md, in, true, e) || write_summary(r, md, in, false, e) ? e->code : OK;
}

int mindspore_minddata(struct mindspore_run *r, struct err *e)
{
    const struct minddata_run md = {
        .a = r->a, .rules = &r->rules->md, .file = file_of, .ctx = ctx_of, .arg = r
    };
    struct minddata_input in;
    char why[300];

    if (minddata_read(&md, &in, e)) {
        mindspore_no_data(r, RAW, ".csv", err_message(e, why, sizeof why));
        return e->code;
    }
    const char *none = minddata_no_raw(&md, &in);
    if (none)
        mindspore_no_data(r, RAW, ".csv", none);
    else if (write_raw(r, &md, &in, e))
        return e->code;
    if (!in.n_ops || !r->rules->md.summary || r->mode == MINDSPORE_PYNATIVE)
        return OK;
    return make_summary(r, &md, &in, e);
}
