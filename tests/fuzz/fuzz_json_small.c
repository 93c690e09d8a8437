/* SPDX-License-Identifier: Apache-2.0 */
/* Small documents: any bytes. What was parsed can be walked and printed, and the print parses to
 * the same print. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/read/json_small.h"
#include "tests/fuzz/fuzz.h"

/* Values of one level. */
static void walk(const struct jv *v)
{
    size_t n = 0;
    for (const struct jv *c = jv_first(v); c; c = jv_next(c), n++) {
        FUZZ_CHECK(!jv_is_object(v) || jv_get(v, jv_key(c).p));
        FUZZ_CHECK(jv_str(c).n == 0 || jv_is_string(c));
        FUZZ_CHECK(jv_num(c) - jv_num(c) == 0);
    }
    FUZZ_CHECK(n == jv_count(v));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = ERR_INIT;
    struct jdoc *d = NULL;
    if (jdoc_read(&d, fuzz_file(data, size), &e) != OK) {
        FUZZ_CHECK(!d && e.code != ERR_NOMEM && e.text[0]);
        return 0;
    }
    walk(jdoc_root(d));
    char *first = jv_print(jdoc_root(d));
    FUZZ_CHECK(first);
    jdoc_free(d);
    FUZZ_CHECK(jdoc_parse(&d, str_of(first), &e) == OK);
    char *second = jv_print(jdoc_root(d));
    FUZZ_CHECK(second && strcmp(first, second) == 0);
    jdoc_free(d);
    free(first);
    free(second);
    return 0;
}
