/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of ops: by the core where it says which unit works, else by the op type. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/opclass.h"

static void the_core_says_more_than_the_name(void **state)
{
    static const struct {
        const char *core, *type;
        enum op_class want;
    } cases[] = {
        { "AI_VECTOR_CORE", "TransData", OC_VECTOR },
        { "AIV", "MatMulV2", OC_VECTOR },
        { "AIC", "ReduceSum", OC_CUBE },
        { "MIX_AIC", "MatMulV3", OC_MIX },
        { "MIX_AIV", "Add", OC_MIX },
        { "AI_CPU", "MatMul", OC_AICPU },
        { "AICPU", "GetNext", OC_AICPU },
        { "HCCL", "hcom_allReduce_", OC_COMM },
        { "COMMUNICATION", "Add", OC_COMM },
        { "SDMA", "Add", OC_COPY },
        { "AI_CORE", "MatMulV2", OC_CUBE }, /* of either unit: by the type */
        { "AI_CORE", "TransData", OC_COPY },
        { "AI_CORE", "ReLU", OC_VECTOR },
        { NULL, "FlashAttentionScore", OC_MIX },
        { NULL, "Default/network/AllReduce-op10", OC_COMM },
        { NULL, NULL, OC_VECTOR },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str core = cases[i].core ? str_of(cases[i].core) : STR_NULL,
                   type = cases[i].type ? str_of(cases[i].type) : STR_NULL;
        if (op_class_of(core, type) != cases[i].want)
            fail_msg("%s %s: %s, not %s", cases[i].core, cases[i].type,
                     op_class_word(op_class_of(core, type)), op_class_word(cases[i].want));
    }
}

/* Computing has one colour in Steps, in Triage and on the timeline. */
static void bars_of_a_step_have_the_classes_of_its_parts(void **state)
{
    const struct str kind = STR("overlap"), process = STR("Overlap Analysis");

    (void)state;
    assert_int_equal(op_class_of_event(kind, process, STR("Computing")), OC_CUBE);
    assert_int_equal(op_class_of_event(kind, process, STR("Communication(Not Overlapped)")), OC_COMM);
    assert_int_equal(op_class_of_event(kind, process, STR("Free")), OC_IDLE);
    assert_int_equal(op_class_of_event(STR("host_thread"), STR("Python"), STR("MatMul")), OC_HOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_core_says_more_than_the_name),
        cmocka_unit_test(bars_of_a_step_have_the_classes_of_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
