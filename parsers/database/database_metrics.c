/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of counters in databases, and what the text files call them
 * (doc/formats/analysed.md#counter-columns).
 */
#include "config.h"

#include <stdio.h>

#include "parsers/database/database_group.h"

/* clang-format off */
static const struct database_ending endings[] = {
    { STR("_total_time"), STR("_time_ns"),   CT_NS,    1 },
    { STR("_time"),       STR("_time_ns"),   CT_NS,    1 },
    { STR("_cycles"),     STR("_cycles"),    CT_INT,   1 },
    { STR("_bw"),         STR("_bw_gb_s"),   CT_REAL,  1 },
    { STR("_bw_cube"),    STR("_bw_cube_gb_s"), CT_REAL, 1 },
    { STR("_bw_vector"),  STR("_bw_vector_gb_s"), CT_REAL, 1 },
    { STR("_bw_scalar"),  STR("_bw_scalar_gb_s"), CT_REAL, 1 },
    { STR("_bw_mte"),     STR("_bw_mte_gb_s"), CT_REAL, 1 },
    { STR("_datas"),      STR("_datas_b"),   CT_BYTES, 1024 },
};
/* clang-format on */

struct str database_metric(struct str name, char *to, size_t max, const struct database_ending **end)
{
    *end = NULL;
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        struct str from = endings[i].from;
        if (!str_ends(name, from))
            continue;
        *end = &endings[i];
        int n = snprintf(to, max, "%.*s%.*s", (int)(name.n - from.n), name.p, (int)endings[i].to.n,
                         endings[i].to.p);
        return (struct str){ to, n > 0 && (size_t)n < max ? (size_t)n : 0 };
    }
    return name;
}
