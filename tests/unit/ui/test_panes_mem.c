/* SPDX-License-Identifier: Apache-2.0 */
/* What Mem says of the peak of a static graph. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ui/panes_case.h"

static struct val value_of(struct table *t, size_t row, const char *column)
{
    const int col = view_find_col(table_view(t), column);

    assert_true(col >= 0);
    return table_value_at(t, row, (size_t)col);
}

struct mem_peak {
    int64_t node;
    double bytes;
};

static struct mem_peak peak_of(struct table *t)
{
    struct mem_peak most = { .bytes = 0 };

    for (size_t i = 0; i < table_rows(t); i++) {
        const struct val alive = value_of(t, i, "used_b"), node = value_of(t, i, "node");
        if (val_num(&alive) > most.bytes)
            most = (struct mem_peak){ node.i, val_num(&alive) };
    }
    return most;
}

/*
 * Lives of tensors are not in the analysed files of MindSpore 2.0: the pane says where they are, and opens on
 * the nodes, where P finds the peak.
 */
static void panes_memory_says_what_files_lack(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "7");
    shows(x, " which tensors are alive: only memory_usage_N.pb says it (here for node 0 alone)\n");
    shows(x, "[nodes of the graph]");
    shows(x, "sorted by To peak");
    shows(x, " P peak ");
    /* The order says what makes the peak: what adds most before it, none of its neighbours, nothing after. */
    struct table *t = pane_table(x->a->panes[PANE_MEM]);
    const struct mem_peak most = peak_of(t);
    double adds = 0, last = INFINITY;
    for (size_t i = 0; i < table_rows(t); i++) {
        const struct val add = value_of(t, i, "peak_b"), node = value_of(t, i, "node");
        assert_true((add.t == VAL_NULL) == (node.i > most.node));
        if (add.t == VAL_NULL)
            continue;
        assert_true(val_num(&add) <= last);
        last = val_num(&add);
        adds += last;
    }
    const struct val alone = value_of(t, 0, "peak_b");
    assert_true(val_num(&alone) > most.bytes / 100);
    assert_true(adds > most.bytes / 2 && adds <= most.bytes); /* all but what is static */
    press(x, "v");
    shows(x, "[tensors of the graph]");
    press(x, "P"); /* back to the nodes, to the one with the most */
    shows(x, "[nodes of the graph]");
    const struct val first = table_value(pane_table(x->a->panes[PANE_MEM]), "node");
    assert_int_equal(first.i, most.node);
    stop(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panes_memory_says_what_files_lack),
    };
    return cmocka_run_group_tests_name("generation 1", tests, setup_gen1, teardown);
}
