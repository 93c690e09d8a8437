/* SPDX-License-Identifier: Apache-2.0 */
/* minddata_pipeline_raw, minddata_pipeline_summary (doc/formats/framework.md#minddata). */
#include "config.h"

#include "mindspore/minddata.h"

#include "offline/run.h"

/* What is not here is as in MindSpore 1.x; with compat also what ends the original's files. */
static const struct minddata_rules rules[2] = {
    { .empty_queue = true,
      .summary = true,
      .push_time = true,
      .last_bottleneck = true,
      .by_id = true,
      .ids_first = true,
      .leaf_spaced = true,
      .utf8 = true },
    { .summary = true,
      .needs_times = true,
      .raw_needs_all = true,
      .push_time = true,
      .last_bottleneck = true,
      .by_id = true,
      .ids_first = true,
      .gaps_end = true,
      .leaf_spaced = true,
      .utf8 = true },
};

static const struct source_file *file_of(void *arg, const char *kind)
{
    return offline_source(arg, kind, NULL);
}

static struct parse_ctx ctx_of(void *arg, const struct source_file *f)
{
    return offline_ctx(arg, f);
}

/* Read once, for the three files. */
static int input_of(const struct minddata_run *md, struct offline_run *r, struct err *e)
{
    if (r->pipeline)
        return OK;
    struct minddata_input *in = arena_array(r->a, 1, sizeof *in);
    if (!in)
        return err_nomem(e);
    if (minddata_read(md, in, e) == OK)
        r->pipeline = in;
    return e->code;
}

int offline_minddata(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct minddata_run md = {
        .a = r->a, .rules = &rules[r->o->compat], .file = file_of, .ctx = ctx_of, .arg = r
    };
    bool raw = str_find(str_of(x->name), STR("_raw_"), 0) != SIZE_MAX;
    struct emit *o = NULL;

    if (input_of(&md, r, e))
        return e->code;
    const char *none = (raw ? minddata_no_raw : minddata_no_summary)(&md, r->pipeline);
    if (none) {
        offline_no_data(r, x, none);
        return OK;
    }
    if (offline_open(r, &o, x, e) == OK)
        (void)!(raw ? minddata_put_raw(&md, r->pipeline, o, e)
                    : minddata_put_summary(&md, r->pipeline, str_ends(str_of(x->name), STR(".json")), o, e));
    return offline_close(r, o, e);
}
