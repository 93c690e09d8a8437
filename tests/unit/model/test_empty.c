/* SPDX-License-Identifier: Apache-2.0 */
/* The table of empty states and its texts; every view's reference to it. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "configure/choice.h"
#include "model/view/view.h"
#include "model/views/empty.h"

static void empty_rows_are_complete_and_found(void **state)
{
    (void)state;
    const struct empty_state *s;
    size_t n = 0;
    for (; (s = empty_nth(n)); n++) {
        assert_true(s->title && s->files && s->why && (s->get || s->sw[0].value));
        assert_true(s->option == EO_NONE || s->sw[0].value);
        for (size_t i = 0; i < ARRAY_LEN(s->sw) && s->sw[i].value; i++) { /* a value of the switch */
            struct choice c = { { NULL } };
            struct err e = ERR_INIT;
            assert_int_equal(choice_set(&c, s->sw[i].id, str_of(s->sw[i].value), &e), OK);
            choice_done(&c);
            assert_true(switch_defs[s->sw[i].id].panes & PANE_BIT(s->pane));
        }
        assert_ptr_equal(empty_find(s->id), s);
        assert_int_equal(s->title[strlen(s->title) - 1], '.');
        assert_null(strstr(s->why, "not supported"));
    }
    assert_true(n > 15);
    assert_null(empty_find("no such"));
    assert_null(empty_find(NULL));
}

static void empty_text_follows_the_recorded_option(void **state)
{
    (void)state;
    struct runinfo info = { .profile_memory = TRI_NO };
    struct buf b;
    buf_init(&b, 65536);
    empty_text(empty_find("mem"), &info, &b);
    assert_true(
        str_starts(buf_str(&b), STR("No memory data in this run.\n\nLooked for      memory_usage_*.pb,")));
    assert_non_null(strstr(b.p, "Why             the option profile_memory was off (the recorded"));
    assert_non_null(
        strstr(b.p, "To get it       Profiler(profile_memory=True)\n                or MS_PROFILER"));
    assert_non_null(strstr(b.p, "\n                :configure memory writes the settings"));
    buf_clear(&b);
    info.profile_memory = TRI_YES;
    empty_sentence(empty_find("mem"), &info, &b);
    assert_string_equal(b.p, "no memory data in this run: the option profile_memory was on, yet "
                             "none of these files was written or kept");
    buf_clear(&b);
    empty_sentence(empty_find("mem"), NULL, &b);
    assert_string_equal(b.p, "no memory data in this run: memory was not collected");
    buf_clear(&b);
    assert_false(empty_advice(empty_find("mem"), &info, &b));
    assert_int_equal(b.n, 0);
    assert_true(empty_advice(empty_find("mem"), NULL, &b));
    assert_string_equal(b.p, "to get it: Profiler(profile_memory=True) or MS_PROFILER_OPTIONS "
                             "'{\"start\": true, \"profile_memory\": true}'");
    buf_clear(&b);
    assert_true(empty_advice(empty_find("steps"), NULL, &b));
    assert_string_equal(b.p, "to get it: graph mode; export GRAPH_OP_RUN=0; PROFILING_FP_START and "
                             "PROFILING_BP_END name the first forward and last backward op");
    buf_done(&b);
}

/* No option is to blame, and none is advised, where there is nobody to communicate with. */
static void empty_text_of_one_rank_blames_no_option(void **state)
{
    (void)state;
    struct runinfo info = { .one_rank = true, .communication = TRI_NO };
    struct buf b;
    buf_init(&b, 65536);
    for (enum tristate t = TRI_UNKNOWN; t <= TRI_YES; t++) {
        info.comm_asked = t;
        buf_clear(&b);
        empty_text(empty_find("comm"), &info, &b);
        assert_non_null(strstr(b.p, "Why             this job has one rank only, as its files say: nothing "
                                    "communicates.\n"));
        assert_null(strstr(b.p, "To get it"));
        buf_clear(&b);
        assert_false(empty_advice(empty_find("comm"), &info, &b));
    }
    info.one_rank = false;
    empty_sentence(empty_find("comm"), &info, &b);
    assert_string_equal(b.p, "no communication in this run: the option profile_communication (profiler_level "
                             "Level1) was on: no communication op ran, or none of these files was kept");
    info.comm_asked = TRI_UNKNOWN; /* several ranks, and no option is recorded */
    info.communication = TRI_YES;
    buf_clear(&b);
    empty_sentence(empty_find("comm"), &info, &b);
    assert_string_equal(b.p, "no communication in this run: a single device, or communication was not "
                             "collected");
    info.comm_asked = TRI_NO;
    buf_clear(&b);
    empty_text(empty_find("comm"), &info, &b);
    assert_non_null(strstr(b.p, "(profiler_level Level1) was off (the recorded options"));
    assert_non_null(strstr(b.p, "To get it       Profiler(profile_communication=True)\n"));
    buf_done(&b);
}

/* The whole sentence has room in an error. */
static void empty_sentences_fit(void **state)
{
    (void)state;
    const struct empty_state *s;
    for (size_t i = 0; (s = empty_nth(i)) != NULL; i++) {
        for (enum tristate t = TRI_UNKNOWN; t <= TRI_YES; t++) {
            struct runinfo info = {
                .profile_memory = t, .data_process = t, .comm_asked = t, .cpu = t, .npu = t
            };
            struct err e = ERR_INIT;
            struct buf b;
            buf_init(&b, 65536);
            empty_sentence(s, &info, &b);
            if (b.n >= sizeof e.text)
                fail_msg("%s: %zu bytes: %s", s->id, b.n, b.p);
            assert_null(strchr(b.p, '\n'));
            buf_clear(&b);
            empty_advice(s, &info, &b);
            assert_true(b.n < 300); /* struct cli */
            buf_done(&b);
        }
    }
}

static void empty_ids_of_views_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < view_n_defs; i++)
        if (view_defs[i]->empty && !empty_find(view_defs[i]->empty))
            fail_msg("view %s names the empty state '%s'", view_defs[i]->id, view_defs[i]->empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_rows_are_complete_and_found),
        cmocka_unit_test(empty_text_follows_the_recorded_option),
        cmocka_unit_test(empty_text_of_one_rank_blames_no_option),
        cmocka_unit_test(empty_sentences_fit),
        cmocka_unit_test(empty_ids_of_views_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
