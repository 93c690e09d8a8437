/* Texts of an op's tensors: shapes, data types and formats, inputs and outputs apart. */
#include "config.h"

#include "parsers/prof/host/tensors.h"

#include "base/buf.h"
#include "parsers/prof/host/host_at.h"

#define TEXT_MAX ((size_t)1 << 20) /* of PROF_TENSORS_MAX tensors */
#define DIMS     8

enum side { IN, OUT, N_SIDES };

/* clang-format off */
/* doc/formats/prof.md#enum-values */
static const struct word {
    uint32_t v;
    const char *word;
} data_types[] = {
    { 0, "FLOAT" }, { 1, "FLOAT16" }, { 2, "INT8" }, { 3, "INT32" }, { 4, "UINT8" }, { 6, "INT16" },
    { 7, "UINT16" }, { 8, "UINT32" }, { 9, "INT64" }, { 10, "UINT64" }, { 11, "DOUBLE" }, { 12, "BOOL" },
    { 13, "STRING" }, { 14, "DUAL_SUB_INT8" }, { 15, "DUAL_SUB_UINT8" }, { 16, "COMPLEX64" },
    { 17, "COMPLEX128" }, { 18, "QINT8" }, { 19, "QINT16" }, { 20, "QINT32" }, { 21, "QUINT8" },
    { 22, "QUINT16" }, { 23, "RESOURCE" }, { 24, "STRING_REF" }, { 25, "DUAL" }, { 26, "DT_VARIANT" },
    { 27, "DT_BF16" }, { 28, "DT_UNDEFINED" }, { 29, "DT_INT4" }, { 30, "DT_UINT1" }, { 31, "DT_INT2" },
    { 32, "DT_UINT2" }, { 33, "DT_COMPLEX32" }, { 34, "DT_HIFLOAT8" }, { 35, "DT_FLOAT8_E5M2" },
    { 36, "DT_FLOAT8_E4M3FN" }, { 37, "DT_FLOAT8_E8M0" }, { 38, "DT_FLOAT6_E3M2" }, { 39, "DT_FLOAT6_E2M3" },
    { 40, "DT_FLOAT4_E2M1" }, { 41, "DT_FLOAT4_E1M2" }, { 42, "DT_MAX" }, { 229, "NUMBER_TYPE_BEGIN_" },
    { 230, "BOOL_" }, { 231, "INT_" }, { 232, "INT8_" }, { 233, "INT16_" }, { 234, "INT32_" },
    { 235, "INT64_" }, { 236, "UINT_" }, { 237, "UINT8_" }, { 238, "UINT16_" }, { 239, "UINT32_" },
    { 240, "UINT64_" }, { 241, "FLOAT_" }, { 242, "FLOAT16_" }, { 243, "FLOAT32_" }, { 244, "FLOAT64_" },
    { 245, "COMPLEX_" }, { 246, "NUMBER_TYPE_END_" }, { UINT32_MAX, "UNDEFINED" },
};
static const struct word formats[] = {
    { 0, "NCHW" }, { 1, "NHWC" }, { 2, "ND" }, { 3, "NC1HWC0" }, { 4, "FRACTAL_Z" }, { 5, "NC1C0HWPAD" },
    { 6, "NHWC1C0" }, { 7, "FSR_NCHW" }, { 8, "FRACTAL_DECONV" }, { 9, "C1HWNC0" },
    { 10, "FRACTAL_DECONV_TRANSPOSE" }, { 11, "FRACTAL_DECONV_SP_STRIDE_TRANS" }, { 12, "NC1HWC0_C04" },
    { 13, "FRACTAL_Z_C04" }, { 14, "CHWN" }, { 15, "FRACTAL_DECONV_SP_STRIDE8_TRANS" }, { 16, "HWCN" },
    { 17, "NC1KHKWHWC0" }, { 18, "BN_WEIGHT" }, { 19, "FILTER_HWCK" }, { 20, "HASHTABLE_LOOKUP_LOOKUPS" },
    { 21, "HASHTABLE_LOOKUP_KEYS" }, { 22, "HASHTABLE_LOOKUP_VALUE" }, { 23, "HASHTABLE_LOOKUP_OUTPUT" },
    { 24, "HASHTABLE_LOOKUP_HITS" }, { 25, "C1HWNCoC0" }, { 26, "MD" }, { 27, "NDHWC" }, { 28, "FRACTAL_ZZ" },
    { 29, "FRACTAL_NZ" }, { 30, "NCDHW" }, { 31, "DHWCN" }, { 32, "NDC1HWC0" }, { 33, "FRACTAL_Z_3D" },
    { 34, "CN" }, { 35, "NC" }, { 36, "DHWNC" }, { 37, "FRACTAL_Z_3D_TRANSPOSE" }, { 38, "FRACTAL_ZN_LSTM" },
    { 39, "FRACTAL_Z_G" }, { 40, "RESERVED" }, { 41, "ALL" }, { 42, "NULL" }, { 43, "ND_RNN_BIAS" },
    { 44, "FRACTAL_ZN_RNN" }, { 45, "END" }, { 47, "NCL" }, { 48, "FRACTAL_Z_WINO" }, { 49, "C1HWC0" },
    { 50, "FRACTAL_NZ_C0_16" }, { 51, "FRACTAL_NZ_C0_32" }, { 52, "FRACTAL_NZ_C0_2" },
    { 53, "FRACTAL_NZ_C0_4" }, { 54, "FRACTAL_NZ_C0_8" }, { 55, "END" }, { 200, "UNKNOWN_" },
    { 201, "DEFAULT_" }, { 202, "NC1KHKWHWC0_" }, { 203, "ND_" }, { 204, "NCHW_" }, { 205, "NHWC_" },
    { 206, "HWCN_" }, { 207, "NC1HWC0_" }, { 208, "FRAC_Z_" }, { 209, "C1HWNCOC0_" }, { 210, "FRAC_NZ_" },
    { 211, "NC1HWC0_C04_" }, { 212, "FRACTAL_Z_C04_" }, { 213, "NDHWC_" }, { 214, "FRACTAL_ZN_LSTM_" },
    { 215, "FRACTAL_ZN_RNN_" }, { 216, "ND_RNN_BIAS_" }, { 217, "NDC1HWC0_" }, { 218, "NCDHW_" },
    { 219, "FRACTAL_Z_3D_" }, { 220, "DHWNC_" }, { 221, "DHWCN_" }, { 255, "MAX" },
};
/* clang-format on */

static struct str word_of(const struct word *w, size_t n, uint32_t v)
{
    for (size_t i = 0; i < n; i++)
        if (w[i].v == v)
            return str_of(w[i].word);
    return STR_NULL;
}

struct str prof_data_type_word(uint32_t type)
{
    return word_of(data_types, ARRAY_LEN(data_types), type);
}

struct str prof_format_word(uint32_t format)
{
    return word_of(formats, ARRAY_LEN(formats), format);
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
