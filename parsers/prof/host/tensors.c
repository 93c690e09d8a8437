/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of an op's tensors: shapes, data types and formats, inputs and outputs apart. */
#include "config.h"

#include "parsers/prof/host/tensors.h"

#include "base/buf.h"
#include "parsers/prof/host/host_at.h"
#include "parsers/prof/words.h"

#define TEXT_MAX ((size_t)1 << 20) /* of PROF_TENSORS_MAX tensors */
#define DIMS     8

enum side { IN, OUT, N_SIDES };

struct str prof_data_type_word(uint32_t type)
{
    return str_of(prof_word(prof_data_types, type));
}

struct str prof_format_word(uint32_t format)
{
    return str_of(prof_word(prof_formats, format));
}

/* ---- texts ---- */

struct texts {
    struct buf shapes, types, formats;
    size_t n; /* tensors */
};

static void put_word(struct buf *b, struct str word, uint32_t v)
{
    if (word.p)
        buf_add(b, word);
    else
        buf_printf(b, "%u", v);
}

/* Low byte, and the sub-format in the next two: "FRACTAL_Z:240". */
static void put_format(struct buf *b, uint32_t format)
{
    uint32_t sub = format >> 8 & 0xffff;

    if (format == UINT32_MAX) {
        buf_puts(b, "UNDEFINED");
        return;
    }
    put_word(b, prof_format_word(format & 0xff), format & 0xff);
    if (sub)
        buf_printf(b, ":%u", sub);
}

/* Up to the first dimension that is 0. */
static void put_shape(struct buf *b, struct rec *r)
{
    for (size_t i = 0; i < DIMS; i++) {
        uint32_t dim = rec_u32(r, PT_0_DIM - PT_0_KIND + 4 * i);
        if (!dim)
            return;
        buf_printf(b, i ? ",%u" : "%u", dim);
    }
}

static void put_tensor(struct texts *t, struct rec *r)
{
    uint32_t type = rec_u32(r, PT_0_TYPE - PT_0_KIND);

    if (t->n++) {
        buf_addc(&t->shapes, ';');
        buf_addc(&t->types, ';');
        buf_addc(&t->formats, ';');
    }
    put_shape(&t->shapes, r);
    put_word(&t->types, prof_data_type_word(type), type);
    put_format(&t->formats, rec_u32(r, PT_0_FORMAT - PT_0_KIND));
}

static void begin(struct texts *t)
{
    *t = (struct texts){ 0 };
    buf_init(&t->shapes, TEXT_MAX);
    buf_init(&t->types, TEXT_MAX);
    buf_init(&t->formats, TEXT_MAX);
    buf_addc(&t->shapes, '"');
}

static bool keep(struct prof *p, struct buf *b, uint32_t *text)
{
    *text = buf_failed(b) ? PROF_NONE : prof_text(p, buf_str(b));
    buf_done(b);
    return *text != PROF_NONE;
}

/* Ends t. false: no memory. */
static bool end(struct texts *t, struct prof *p, uint32_t *shapes, uint32_t *types, uint32_t *format)
{
    bool some = t->n > 0;

    buf_addc(&t->shapes, '"');
    bool ok = keep(p, &t->shapes, shapes);
    ok &= keep(p, &t->types, types);
    ok &= keep(p, &t->formats, format);
    if (!some)
        *shapes = *types = *format = PROF_NONE;
    return ok;
}

int prof_tensor_texts(struct prof_tensors *out, struct prof *p, struct str tensors, struct err *e)
{
    struct texts side[N_SIDES];

    begin(&side[IN]);
    begin(&side[OUT]);
    for (size_t at = 0; tensors.n - at >= PROF_TENSOR_B; at += PROF_TENSOR_B) {
        struct rec r = { .p = (const unsigned char *)tensors.p + at, .n = PROF_TENSOR_B };
        uint32_t kind = rec_u32(&r, 0);
        if (kind < N_SIDES)
            put_tensor(&side[kind], &r);
    }
    bool ok = end(&side[IN], p, &out->in_shapes, &out->in_types, &out->in_formats);
    ok &= end(&side[OUT], p, &out->out_shapes, &out->out_types, &out->out_formats);
    return ok ? OK : err_nomem(e);
}
