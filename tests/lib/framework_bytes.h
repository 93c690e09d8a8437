/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of FRAMEWORK files byte by byte (doc/formats/framework.md#framework-files,
 * #records-of-torch_npu, #layouts-by-release), and every family of them.
 */
#ifndef NPUSCOPE_TEST_FRAMEWORK_BYTES_H
#define NPUSCOPE_TEST_FRAMEWORK_BYTES_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/put_le.h"

struct bytes {
    unsigned char v[1 << 16];
    size_t n;
};

/* n: beyond eight bytes the rest is 0. */
static inline void put(struct bytes *b, uint64_t value, size_t n)
{
    memset(b->v + b->n, 0, n);
    put_le(b->v + b->n, value, n < 8 ? n : 8);
    b->n += n;
}

static inline void put_field(struct bytes *b, unsigned type, const char *text)
{
    put(b, type, 2);
    put(b, strlen(text), 4);
    memcpy(b->v + b->n, text, strlen(text));
    b->n += strlen(text);
}

/* Fill in the length of the record that begins at this offset. */
static inline void end_record(struct bytes *b, size_t from)
{
    put_le(b->v + from + 2, b->n - from - 6, 4);
}

/* clang-format off */
/* A family: its file, the id of its layout, the type of its records, their fixed part and texts. */
static const struct fw_family {
    const char *file, *layout;
    uint16_t type, fixed_b;
    bool plain; /* records without type, length and texts */
    uint16_t texts[10];
} fw_families[] = {
    { "mindspore.op_range", "op_range", 0, 54, false, { 13, 14, 15, 16 } },
    { "op_range_0", "op_range_25", 0, 74, false, { 3, 6, 9 } },
    { "op_range_3", "op_range_23", 0, 73, false, { 3, 6 } },
    { "torch.op_range", "torch.op_range", 1, 58, false, { 2, 3, 4, 5, 6, 7, 8, 9, 10 } },
    { "torch.op_range", "torch.op_range_rc3", 1, 58, false, { 3, 4, 5, 6, 7, 8, 9, 10 } },
    { "torch.op_range", "torch.op_range_57", 1, 57, false, { 3, 4, 5, 6, 7, 8 } },
    { "torch.op_mark", "torch.op_mark", 2, 40, false, { 1 } },
    { "torch.op_mark", "torch.op_mark_rc3", 1, 40, false, { 2 } },
    { "mindspore.memory_usage", "memory_usage", 13, 100, false, { 13 } },
    { "mindspore.memory_usage", "memory_usage_25", 3, 100, false, { 3 } },
    { "torch.memory_usage", "torch.memory_usage", 3, 77, false, { 0 } },
    { "torch.memory_usage", "torch.memory_usage_76", 3, 76, false, { 0 } },
    { "torch.memory_usage", "torch.memory_usage_75", 3, 75, false, { 0 } },
    { "torch.memory_usage", "torch.memory_usage_58", 3, 58, false, { 0 } },
    { "mindspore.record_shapes", "record_shapes", 3, 0, false, { 0, 1, 2 } },
    { "torch.python_tracer_func", "torch.python_tracer_func", 0, 33, true, { 0 } },
    { "torch.python_tracer_hash", "torch.python_tracer_hash", 4, 8, false, { 1 } },
    { "torch.python_tracer_hash", "torch.python_tracer_hash_rc3", 4, 8, false, { 2 } },
    { "torch.python_func_call", "torch.python_func_call", 4, 25, false, { 2 } },
    { "torch.python_module_call", "torch.python_module_call", 5, 24, false, { 2, 3 } },
    { "torch.param_tensor_info", "torch.param_tensor_info", 5, 8, false, { 1, 2 } },
    { "torch.param_tensor_info", "torch.param_tensor_info_rc3", 5, 8, false, { 2, 3 } },
    { "torch.gc_record", "torch.gc_record", 0, 24, true, { 0 } },
};
#define FW_FAMILIES (sizeof fw_families / sizeof *fw_families)
/* clang-format on */

/* Text number 0 ends the list, but for the first one of shapes. */
static inline bool fw_has_text(const struct fw_family *f, size_t i)
{
    return !f->plain && i < 10 && (f->texts[i] || (i == 0 && !f->fixed_b));
}

/* The i-th record of a family: numbers of the fixed part count from i, texts say their type and i. */
static inline void fw_put(struct bytes *b, const struct fw_family *f, unsigned i)
{
    size_t at = b->n;
    char text[40];

    if (!f->plain) {
        put(b, f->type, 2);
        put(b, 0, 4);
    }
    for (size_t k = 0; k < f->fixed_b; k++)
        put(b, k % 8 ? 0 : i + k, 1);
    for (size_t k = 0; fw_has_text(f, k); k++) {
        snprintf(text, sizeof text, "text %u of %u", (unsigned)f->texts[k], i);
        put_field(b, f->texts[k], text);
    }
    if (!f->plain)
        end_record(b, at);
}

#endif
