/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of tensors by their shapes and types. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/roofline.h"

static void roofline_bytes_of_shapes_and_types(void **state)
{
    (void)state;
    static const struct {
        const char *shapes, *types;
        double bytes;
    } t[] = {
        { "32,3,224,224;64,3,7,7", "FLOAT16;FLOAT", 2.0 * 32 * 3 * 224 * 224 + 4.0 * 64 * 3 * 7 * 7 },
        { "\"4096,4096\"", "\"DT_BF16\"", 2.0 * 4096 * 4096 },
        { "8; ", "INT64;BOOL", 8 * 8 + 1 }, /* a scalar */
        { "8", "float32", 32 },
        { "8", "WHATEVER", 0 },
        { "8,x", "FLOAT", 0 },
        { "-1,8", "FLOAT", 0 }, /* a dynamic shape */
        { "", "", 0 },
        { "8,8", "", 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(t); i++)
        if (roofline_bytes(str_of(t[i].shapes), str_of(t[i].types)) != t[i].bytes)
            fail_msg("%s %s", t[i].shapes, t[i].types);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(roofline_bytes_of_shapes_and_types) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
