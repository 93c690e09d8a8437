/* SPDX-License-Identifier: Apache-2.0 */
/* operator_details.csv of MindSpore (doc/formats/framework.md#operator_details): ops and shapes of inputs. */
#include "config.h"

#include "base/path.h"
#include "base/text.h"
#include "offline/run.h"
#include "parsers/framework/shapes.h"

struct writing {
    struct offline_run *r;
    struct emit *o;
    uint64_t rows;
};

static const struct source_file *shapes_file(const struct offline_run *r)
{
    const struct source_file *f = NULL;

    while ((f = offline_source(r, "raw_fw_other", f)) != NULL)
        if (str_eq(str_of(path_base(f->rel)), STR("mindspore.record_shapes")))
            return f;
    return NULL;
}

/* A text that is no UTF-8 is N/A there. */
static struct str readable(const struct offline_run *r, struct str s)
{
    return r->f.na && !text_valid_utf8(s) ? STR("N/A") : s;
}

static int put_op(void *arg, struct str name, struct str shapes, uint32_t line, struct err *e)
{
    struct writing *w = arg;

    (void)line, (void)e;
    if (!w->rows++)
        emit_s(w->o, "Name,Input Shapes\r\n");
    offline_cell(w->o, readable(w->r, name), true);
    offline_cell(w->o, readable(w->r, shapes), false);
    offline_end_row(w->o);
    return OK;
}

int offline_op_details(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    const struct source_file *f = shapes_file(r);
    struct writing w = { .r = r };
    struct parse_ctx c;

    if (!f) {
        offline_no_data(r, x, "mindspore.record_shapes is missing");
        return OK;
    }
    c = offline_ctx(r, f);
    if (offline_open(r, &w.o, x, e) == OK) {
        (void)!framework_read_shapes(&c, put_op, &w, e);
        (void)!offline_unusable(r, &c, e);
    }
    return offline_end_rows(r, w.o, x, w.rows, "mindspore.record_shapes has no whole record", e);
}
