/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics of AI core counters: every digit of the formulas, groups and their columns, events that were not
 * counted.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/prof/device/metrics.h"

#define CYCLES 3227983
static const uint64_t counts[PROF_EVENTS] = {
    1234567, 408211, 2023456, 1344321, 853333, 3347771, 40961, 419
};

/* A device whose cube cores counted this. */
static struct prof_meta device(int chip, struct str group, const uint32_t *event)
{
    struct prof_meta m = {
        .platform = chip, .aic_hz = 1850000000, .aic_metrics = group, .n_aic_events = PROF_EVENTS
    };

    memcpy(m.aic_event, event, sizeof m.aic_event);
    return m;
}

static size_t index_of(const struct prof_metric_group *g, const char *name)
{
    size_t i = 0;

    while (i < g->n && strcmp(g->metric[i].name, name) != 0)
        i++;
    assert_true(i < g->n);
    return i;
}

static double value_of(const struct prof_metric_plan *p, const char *name)
{
    double us = prof_core_us(CYCLES, 1850000000, 32, 24);

    return prof_metric(p, index_of(p->group, name), CYCLES, counts, us);
}

static const uint32_t pipe_events[PROF_EVENTS] = { 0x416, 0x417, 0x9, 0x302, 0xc, 0x303, 0x54, 0x55 };
static const uint32_t memory_events[PROF_EVENTS] = { 0x31, 0x32, 0x15, 0x16, 0xf, 0x10, 0x12, 0x13 };
static const uint32_t arithmetic_events[PROF_EVENTS] = { 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0 };

/* Expected values: the same operations in the same order, made with another program. */

static void time_counts_rounds_of_blocks(void **state)
{
    (void)state;
    assert_true(prof_core_us(CYCLES, 1850000000, 32, 24) == 109.05347972972973);
    assert_true(prof_core_us(CYCLES, 1850000000, 24, 24) == 1e6 * CYCLES / 1850000000 / 24);
    assert_true(prof_core_us(CYCLES, 1850000000, 0, 24) == 0);
    assert_true(prof_core_us(CYCLES, 0, 32, 24) == 0);
    assert_true(prof_core_us(CYCLES, 1850000000, 32, 0) == 0);
    assert_true(prof_core_us(0, 1850000000, 32, 24) == 0);
}

static void pipe_ratios_add_quotients(void **state)
{
    (void)state;
    struct prof_meta m = device(5, STR("PipeUtilizationExct"), pipe_events);
    struct prof_metric_plan p = prof_metric_plan(&m, PROF_CUBE, DIALECT_CPP);

    assert_true(value_of(&p, "mac_ratio") == 0.5089177978942268);
    assert_true(value_of(&p, "mac_time") == 55.49925675675675);
    assert_true(value_of(&p, "scalar_time") == 68.36);
    assert_true(value_of(&p, "icache_miss_rate") == 0.010229242450135494);
}

static void bandwidth_depends_on_the_half(void **state)
{
    (void)state;
    struct prof_meta m = device(5, STR("Memory"), memory_events);
    struct prof_metric_plan cpp = prof_metric_plan(&m, PROF_CUBE, DIALECT_CPP);
    struct prof_metric_plan python = prof_metric_plan(&m, PROF_CUBE, DIALECT_PYTHON);

    assert_true(value_of(&cpp, "l1_read_bw") == 337.3845918020669);
    assert_true(value_of(&python, "l1_read_bw") == 337.3845918020669);
    assert_true(value_of(&cpp, "l1_write_bw") == 27.88915093391317);
    assert_true(value_of(&python, "l1_write_bw") == 55.77830186782634);
}

static void operations_depend_on_the_chip(void **state)
{
    (void)state;
    struct prof_meta m = device(5, STR("ArithmeticUtilization"), arithmetic_events);
    struct prof_metric_plan p = prof_metric_plan(&m, PROF_CUBE, DIALECT_CPP);

    assert_true(value_of(&p, "cube_fops") == 16801701888);
    assert_true(value_of(&p, "vector_fops") == 571755680);
    assert_true(value_of(&p, "vec_fp16_ratio") == 0.6808133747916268);
    m.platform = 4;
    p = prof_metric_plan(&m, PROF_CUBE, DIALECT_PYTHON);
    assert_true(value_of(&p, "vector_fops") == 410407296);
}

static void without_cycles_or_events_it_is_zero(void **state)
{
    (void)state;
    static const uint64_t none[PROF_EVENTS];
    static const uint32_t few[PROF_EVENTS] = { 0xc };
    struct prof_meta m = device(5, STR("PipeUtilizationExct"), pipe_events);
    struct prof_metric_plan p = prof_metric_plan(&m, PROF_CUBE, DIALECT_CPP);

    for (size_t i = 0; i < p.group->n; i++) {
        assert_true(prof_metric(&p, i, 0, none, 0) == 0);
        assert_true(prof_metric(&p, i, CYCLES, none, 5) == 0);
    }
    /* only one event was counted: the others are none, whatever lies there */
    m = device(5, STR("PipeUtilizationExct"), few);
    m.n_aic_events = 1;
    p = prof_metric_plan(&m, PROF_CUBE, DIALECT_CPP);
    assert_true(value_of(&p, "mte2_ratio") == (double)counts[0] / CYCLES);
    assert_true(value_of(&p, "mac_ratio") == 0);
    assert_true(value_of(&p, "icache_miss_rate") == 0);
    /* the vector cores were not asked for */
    assert_null(prof_metric_plan(&m, PROF_VECTOR, DIALECT_CPP).group);
    assert_null(prof_metric_group(STR("Custom"), chip_of(5)));
}

/* Columns of a table, as "name name". */
static const char *columns(const char *group, unsigned in)
{
    static char text[1000];
    const struct prof_metric_group *g = prof_metric_group(str_of(group), chip_of(5));
    size_t n = 0;

    text[0] = 0;
    for (size_t i = 0; i < g->n; i++)
        if (g->metric[i].in & in)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", g->metric[i].name);
    return text;
}

static void columns_are_those_of_the_core(void **state)
{
    (void)state;
    assert_string_equal(columns("PipeUtilizationExct", PROF_IN_CUBE),
                        "mac_time mac_ratio scalar_time scalar_ratio mte1_time mte1_ratio "
                        "mte2_time mte2_ratio fixpipe_time fixpipe_ratio icache_miss_rate");
    assert_string_equal(columns("PipeUtilization", PROF_IN_VECTOR),
                        "vec_time vec_ratio scalar_time scalar_ratio mte2_time mte2_ratio "
                        "mte3_time mte3_ratio icache_miss_rate");
    assert_string_equal(columns("Memory", PROF_IN_ONE),
                        "ub_read_bw ub_write_bw l1_read_bw l1_write_bw main_mem_read_bw "
                        "main_mem_write_bw");
    assert_string_equal(columns("MemoryL0", PROF_IN_VECTOR), "l0c_read_bw l0c_write_bw");
    assert_string_equal(columns("ResourceConflictRatio", PROF_IN_CUBE), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_counts_rounds_of_blocks),
        cmocka_unit_test(pipe_ratios_add_quotients),
        cmocka_unit_test(bandwidth_depends_on_the_half),
        cmocka_unit_test(operations_depend_on_the_chip),
        cmocka_unit_test(without_cycles_or_events_it_is_zero),
        cmocka_unit_test(columns_are_those_of_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
