/* SPDX-License-Identifier: Apache-2.0 */
/* The op that msOpProf measured, and the kinds of the other files of its folder. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "run/inventory.h"
#include "tests/unit/parsers/parse_case.h"

static const char basic[] =
    "Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device Id,Pid,Current Freq,Rated Freq\n"
    "add_custom,vector,12.345,8,NA,0,41,1650,1800\n"
    "matmul,mix,7,20,40,0,41,1650,1800\n"
    "old,AiCore,0.5,2,NA,0,41,1000,1000\n";

static void opprof_rows_of_the_measured_op(void **state)
{
    (void)state;
    case_expect("opprof_basic", parse_opprof_basic, basic,
                "op|id=1|name_id=add_custom|core=AIV|block_num=8\n"
                "op_exec|op_id=1|rank=0|device=0|dur_ns=12345|line=2|"
                "extra={\"Pid\":\"41\",\"Current Freq\":\"1650\",\"Rated Freq\":\"1800\"}\n"
                "op|id=2|name_id=matmul|core=MIX|block_num=20|mix_block_num=40\n"
                "op_exec|op_id=2|rank=0|device=0|dur_ns=7000|line=3|"
                "extra={\"Pid\":\"41\",\"Current Freq\":\"1650\",\"Rated Freq\":\"1800\"}\n"
                "op|id=3|name_id=old|core=AIC|block_num=2\n"
                "op_exec|op_id=3|rank=0|device=0|dur_ns=500|line=4|"
                "extra={\"Pid\":\"41\",\"Current Freq\":\"1000\",\"Rated Freq\":\"1000\"}\n");
}

static void opprof_damaged(void **state)
{
    (void)state;
    case_damage("opprof_basic", parse_opprof_basic, basic);
}

static void opprof_files_have_their_kinds(void **state)
{
    static const struct {
        const char *path, *kind;
    } files[] = {
        { "OpBasicInfo.csv", "opprof_basic" },
        { "Add/0/OpBasicInfo_20250102030405678.csv", "opprof_basic" },
        { "PipeUtilization.csv", "opprof_metrics" },
        { "device1/Add/0/L2Cache_20250102030405678.csv", "opprof_metrics" },
        { "MemoryUB.csv", "opprof_metrics" },
        { "simulator/core0.veccore1/core0.veccore1_code_exe.csv", "opprof_lines" },
        { "simulator/core0.veccore1/core0.veccore1_instr_exe_20240429111143146.csv", "opprof_lines" },
        { "simulator/trace.json", "opprof_trace" },
        { "simulator/core0.veccore1/trace.json", "opprof_view" },
        { "visualize_data.bin", "opprof_view" },
        { "dump/op_basic_info.txt", "opprof_info" },
    };
    struct inventory_tables t = registry_tables();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        const struct file_kind *k = kind_of_path(&t, str_of(files[i].path), NULL);
        assert_string_equal(k ? k->id : "none", files[i].kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opprof_rows_of_the_measured_op),
        cmocka_unit_test(opprof_damaged),
        cmocka_unit_test(opprof_files_have_their_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
