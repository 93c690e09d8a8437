/* SPDX-License-Identifier: Apache-2.0 */
/* Ops and the shapes of their inputs. */
#include "config.h"

#include "parsers/framework/shapes.h"

#include "parsers/framework/framework_layout.h"
#include "parsers/framework/tlv.h"

enum { MS_SHAPES_TEXTS(TEXT_NO) N_TEXTS };

struct reading {
    framework_shapes_fn *fn;
    void *arg;
};

static int on_record(void *arg, struct tlv_record *t, struct err *e)
{
    const struct reading *r = arg;
    struct str text[N_TEXTS] = { STR(""), STR(""), STR("") }, field;
    uint16_t type;

    while (tlv_field(t, &type, &field))
        if (type < N_TEXTS)
            text[type] = field;
    if (str_ends(text[MSS_SHAPES], STR(";")))
        text[MSS_SHAPES].n--;
    return r->fn(r->arg, text[MSS_NAME], text[MSS_SHAPES], t->where.line, e);
}

int framework_read_shapes(struct parse_ctx *c, framework_shapes_fn *fn, void *arg, struct err *e)
{
    static const struct tlv_kind kind = { "shapes of inputs", 0, MSS_NAME, 0 };
    struct reading r = { fn, arg };
    size_t which;

    if (tlv_probe(c, &kind, 1, &which, e) || which == TLV_EMPTY)
        return e->code;
    return tlv_read(c, &kind, on_record, &r, e);
}
