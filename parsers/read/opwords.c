/* SPDX-License-Identifier: Apache-2.0 */
/* Words of ops. */
#include "config.h"

#include "parsers/read/opwords.h"

static const struct {
    struct str source, core;
} cores[] = {
    /* clang-format off */
    { STR("AI_CORE"), STR("AIC") },
    { STR("AI_VECTOR_CORE"), STR("AIV") },
    { STR("MIX_AIC"), STR("MIX") },
    { STR("MIX_AIV"), STR("MIX") },
    { STR("AI_CPU"), STR("AICPU") },
    { STR("HCCL"), STR("HCCL") },
    { STR("COMMUNICATION"), STR("HCCL") },
    { STR("AICORE"), STR("AIC") },
    { STR("AICPU"), STR("AICPU") },
    { STR("KERNEL_AICORE"), STR("AIC") },
    { STR("KERNEL_AIVEC"), STR("AIV") },
    { STR("KERNEL_AICPU"), STR("AICPU") },
    { STR("MSPROF_AIV"), STR("AIV") },
    { STR("MSPROF_HCCL"), STR("HCCL") },
    { STR("MSPROF_RTS"), STR("RTS") },
    { STR("Device"), STR("GPU") },
    { STR("Host"), STR("CPU") },
    /* clang-format on */
};

struct str op_core(struct str word)
{
    if (word.n == 0)
        return STR_NULL;
    for (size_t i = 0; i < ARRAY_LEN(cores); i++)
        if (str_eq_nocase(word, cores[i].source))
            return cores[i].core;
    return word;
}

struct str op_shapes(struct str s)
{
    if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
        return str_sub(s, 1, s.n - 2);
    return s;
}

bool op_comm_is_total(struct str name)
{
    return str_eq(name, STR("Total Op Info")) || str_eq(name, STR("Total HCCL Operators"));
}

void op_comm_column(struct str column, int64_t *stream, struct str *name)
{
    struct str rest = column, head, number, index;

    *stream = -1;
    *name = column;
    if (!str_next(&rest, '_', &head) || !str_eq(head, STR("stream")) || !str_next(&rest, '_', &number))
        return;
    if (!str_i64(number, stream)) {
        *stream = -1;
        if (!str_eq(number, STR("ops")))
            return;
    }
    struct str behind = rest;
    uint64_t i;
    if (str_next(&behind, '_', &index) && str_u64(index, &i) && behind.p && behind.n)
        *name = behind;
    else if (rest.p && rest.n)
        *name = rest;
}
