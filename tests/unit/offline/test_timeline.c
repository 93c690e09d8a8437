/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches joined with kernels, sums by step, torch_npu's tree and windows: small timelines that stand here
 * as msprof writes them (doc/formats/framework.md#kernel-links, #step_trace_time, #torch_npu-joins).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/large/spool.h"
#include "offline/torch/torch_joins.h"
#include "offline/trace/step_sums.h"

struct scene {
    struct offline_options o;
    struct offline_run r;
    struct offline_file file;
    struct sink_quiet quiet;
    struct err e;
};

static void scene_begin(struct scene *s, const char *timeline, bool torch)
{
    *s = (struct scene){ .e = ERR_INIT };
    s->r.o = &s->o;
    s->r.flavour = torch ? OFFLINE_TORCH : OFFLINE_27;
    s->r.has = NEEDS_NPU | NEEDS_LEVEL;
    s->r.level = 1;
    s->r.last_file = &s->r.file;
    sink_quiet_init(&s->quiet, NULL);
    s->r.notes = &s->quiet.sink;
    s->file = (struct offline_file){ .name = "msprof_1.json", .fd = spool_file(&s->e) };
    assert_int_equal(write(s->file.fd, timeline, strlen(timeline)), strlen(timeline));
    s->r.file = &s->file;
    assert_int_equal(framework_init(&s->r.f, NULL, &s->e), OK);
    s->r.f.torch = torch;
}

static void scene_end(struct scene *s)
{
    torch_joins_done(&s->r);
    offline_timeline_done(&s->r);
    spool_free(NULL, s->r.step);
    framework_done(&s->r.f);
    close(s->file.fd);
}

/* A range of the framework: us to ns. */
static void range(struct scene *s, uint64_t thread, int64_t from, int64_t to, unsigned is, const char *name)
{
    struct framework *f = &s->r.f;

    f->range = spool_grow(NULL, f->range, f->n_ranges, &f->cap_ranges, sizeof *f->range, 16);
    f->range[f->n_ranges++] = (struct framework_range){ .thread = thread,
                                                        .from = from * 1000,
                                                        .to = to * 1000,
                                                        .is = is,
                                                        .sequence = -1,
                                                        .flow = FRAMEWORK_NO_FLOW,
                                                        .name = intern_put(f->texts, str_of(name)) };
}

static void step(struct scene *s, int64_t from, int64_t to, const char *id)
{
    struct offline_run *r = &s->r;

    r->step = spool_grow(NULL, r->step, r->n_steps, &r->cap_steps, sizeof *r->step, 4);
    r->step[r->n_steps++] = (struct offline_step){ from * 1000, to * 1000, str_of(id) };
}

static const struct offline_timeline *timeline_of(struct scene *s)
{
    const struct offline_timeline *t = NULL;

    assert_int_equal(offline_timeline(&s->r, &t, &s->e), OK);
    return t;
}

#define META(PID, NAME)                                                                                      \
    "{\"name\":\"process_name\",\"pid\":" PID ",\"tid\":0,\"ph\":\"M\",\"args\":{\"name\":\"" NAME "\"}}"
#define THREAD(PID, TID, NAME)                                                                               \
    "{\"name\":\"thread_name\",\"pid\":" PID ",\"tid\":" TID ",\"ph\":\"M\",\"args\":{\"name\":\"" NAME "\"" \
    "}}"
#define X(NAME, PID, TID, TS, DUR)                                                                           \
    "{\"name\":\"" NAME "\",\"pid\":" PID ",\"tid\":" TID ",\"ts\":\"" TS ".000\",\"dur\":" DUR              \
    ",\"ph\":\"X\",\"args\":{}}"
#define FLOW(PH, ID, PID, TID, TS)                                                                           \
    "{\"name\":\"f\",\"pid\":" PID ",\"tid\":" TID ",\"ph\":\"" PH                                           \
    "\",\"cat\":\"HostToDevice\",\"id\":\"" ID "\",\"ts\":\"" TS ".000\"}"
#define LAYERS META("10", "Ascend Hardware") "," META("11", "CANN")

/* ---- launches ---- */

/* Calls within, at the last instant, after it, on another thread; an end without a start, a second one. */
/* clang-format off */
static const char launches[] =
    "[" LAYERS ","
    X("k1", "10", "2", "200", "5.0") ","
    X("k2", "10", "2", "210", "5.0") ","
    X("k3", "10", "2", "220", "5.0") ","
    X("k4", "10", "2", "230", "5.0") ","
    FLOW("s", "1", "11", "7", "100") ","
    FLOW("f", "1", "10", "2", "200") ","
    FLOW("s", "2", "11", "7", "110") ","
    FLOW("f", "2", "10", "2", "210") ","
    FLOW("s", "3", "11", "7", "111") ","
    FLOW("f", "3", "10", "2", "220") ","
    FLOW("s", "4", "11", "8", "105") ","
    FLOW("f", "4", "10", "2", "230") ","
    FLOW("f", "5", "10", "2", "230") ","
    FLOW("f", "1", "10", "2", "220") "]";
/* clang-format on */

static void launches_are_joined_with_kernels(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s, launches, false);
    range(&s, 7, 90, 110, RANGE_LAUNCH, "Kernel::KernelLaunch::outer");
    range(&s, 7, 95, 105, RANGE_LAUNCH, "Kernel::KernelLaunchInner::inner");
    range(&s, 7, 99, 101, 0, "Kernel::KernelInfer::no launch");
    range(&s, 8, 106, 120, RANGE_LAUNCH, "Kernel::KernelLaunch::later");
    const struct offline_timeline *t = timeline_of(&s);
    assert_int_equal(t->n_linked, 2); /* 3 is after all, 4 before its thread's first */
    assert_int_equal(t->link[t->linked[0]].id, 1);
    assert_int_equal(t->link[t->linked[0]].range, 0); /* of nested ones the outer */
    assert_int_equal(t->link[t->linked[0]].f_ts, 200000);
    assert_int_equal(t->link[t->linked[1]].id, 2); /* both ends count */
    size_t at = 0;
    assert_null(offline_link_of(t, 1, &at));
    assert_int_equal(offline_link_of(t, 2, &at)->id, 1); /* events are counted with the metadata */
    assert_int_equal(offline_link_of(t, 3, &at)->id, 2);
    assert_null(offline_link_of(t, 4, &at));
    scene_end(&s);
}

static void nothing_is_linked_without_a_layer_or_a_launch(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s, launches, false);
    range(&s, 7, 90, 110, 0, "Kernel::KernelInfer::no launch");
    assert_int_equal(timeline_of(&s)->n_linked, 0);
    scene_end(&s);
    scene_begin(&s, launches, false);
    s.r.has &= ~(unsigned)NEEDS_LEVEL;
    range(&s, 7, 90, 110, RANGE_LAUNCH, "Kernel::KernelLaunch::outer");
    assert_int_equal(timeline_of(&s)->n_linked, 0);
    scene_end(&s);
}

/* ---- steps ---- */

/* clang-format off */
static const char overlap[] =
    "[" META("12", "Overlap Analysis") ","
    THREAD("12", "0", "Computing") ","
    THREAD("12", "1", "Communication") ","
    THREAD("12", "2", "Communication(Not Overlapped)") ","
    THREAD("12", "3", "Free") ","
    META("13", "Communication") ","
    X("Computing", "12", "0", "100", "10.5") ","
    X("Computing", "12", "0", "200", "20") ","
    X("Communication", "12", "1", "205", "4.0") ","
    X("Communication(Not Overlapped)", "12", "2", "208", "1.25") ","
    X("Free", "12", "3", "110", "100.0") ","
    X("hcom_send__1", "13", "5", "205", "0.5") ","
    X("hcom_allReduce__1", "13", "5", "206", "2.25") "]";
/* clang-format on */

static void times_are_summed_by_step(void **state)
{
    struct scene s;
    size_t n;
    char t[DECIMAL28_TEXT];

    (void)state;
    scene_begin(&s, overlap, false);
    step(&s, 90, 150, "3");
    step(&s, 190, 200, "4"); /* both ends count, durations are whole */
    step(&s, 201, 300, "5");
    const struct step_sum *v = step_sums_get(timeline_of(&s)->sums, &n);
    assert_int_equal(n, 3);
    assert_int_equal(v[0].computing, 10500);
    assert_int_equal(v[1].computing, 20000);
    assert_int_equal(v[2].computing, 0);
    assert_int_equal(v[2].communication, 4000);
    assert_int_equal(v[2].not_overlapped, 1250);
    assert_int_equal(v[0].first, 100000);
    assert_int_equal(v[1].first, 200000);
    assert_int_equal(v[2].first, 205000);
    assert_true(v[2].has_comm && v[2].has_bubble && !v[1].has_comm);
    assert_int_equal(v[2].comm_first, 205000);
    assert_int_equal(v[2].comm_last, 206000);
    struct str bubble = decimal28_text(&v[2].bubble, t);
    assert_true(str_eq(bubble, STR("0.5")));
    scene_end(&s);
}

static void free_time_is_cut_at_steps(void **state)
{
    /* clang-format off */
    static const char idle[] =
    "[" META("12", "Overlap Analysis") ","
    THREAD("12", "3", "Free") ","
    X("Free", "12", "3", "110", "100.0") "]";
    /* clang-format on */
    struct scene s;
    size_t n;

    (void)state;
    scene_begin(&s, idle, false);
    step(&s, 90, 150, "3");
    step(&s, 190, 195, "4");
    step(&s, 205, 300, "5");
    const struct step_sum *v = step_sums_get(timeline_of(&s)->sums, &n);
    assert_int_equal(v[0].idle, 40000);
    assert_int_equal(v[1].idle, 5000);
    assert_int_equal(v[2].idle, 5000);
    scene_end(&s);
}

static void the_layer_of_communication_has_two_names(void **state)
{
    struct scene s;
    size_t n;

    (void)state;
    scene_begin(&s, overlap, false);
    s.o.compat = true; /* upstream knows HCCL alone */
    assert_false(step_sums_get(timeline_of(&s)->sums, &n)[0].has_comm);
    assert_int_equal(n, 1);
    scene_end(&s);
}

/* ---- torch_npu ---- */

static void torch_ops_have_the_launches_of_their_calls(void **state)
{
    /* clang-format off */
    static const char calls[] =
    "[" LAYERS ","
    X("k1", "10", "2", "200", "5.5") ","
    X("k2", "10", "2", "210", "7.5") ","
    FLOW("f", "1", "10", "2", "200") ","
    FLOW("f", "2", "10", "2", "210") ","
    FLOW("s", "1", "11", "9", "105") ","
    FLOW("s", "2", "11", "9", "125") "]";
    /* clang-format on */
    struct scene s;
    const struct torch_joins *j;
    size_t n;

    (void)state;
    scene_begin(&s, calls, true);
    range(&s, 7, 90, 150, RANGE_STEP, "ProfilerStep#4");
    range(&s, 7, 100, 120, 0, "aten::outer");
    range(&s, 7, 102, 110, 0, "aten::inner");
    assert_int_equal(torch_joins(&s.r, &j, &s.e), OK);
    assert_false(j->has_queue);
    assert_int_equal(j->above[1], 0);
    assert_int_equal(j->above[2], 1);
    assert_int_equal(j->n_self, 2);
    assert_int_equal(j->self[0].op, 2); /* the deepest */
    assert_int_equal(j->self[0].id, 105000);
    assert_int_equal(j->self[1].op, 0);
    assert_int_equal(torch_kernels_of(j, 125000, &n)->link, 1);
    assert_int_equal(n, 1);
    assert_int_equal(j->n_steps, 1);
    assert_true(str_eq(j->step[0].id, STR("4")));
    assert_int_equal(j->step[0].from, 200000); /* from the first kernel to the end of the last */
    assert_int_equal(j->step[0].to, 217500);
    scene_end(&s);
}

static void a_torch_call_before_all_ops_is_of_none(void **state)
{
    /* clang-format off */
    static const char calls[] =
    "[" LAYERS ","
    X("k1", "10", "2", "200", "5.5") ","
    FLOW("f", "1", "10", "2", "200") ","
    FLOW("s", "1", "11", "9", "80") "]";
    /* clang-format on */
    const struct torch_joins *j;
    struct scene s;

    (void)state;
    for (int compat = 0; compat < 2; compat++) {
        scene_begin(&s, calls, true);
        s.o.compat = compat; /* upstream takes the first op */
        range(&s, 7, 100, 120, 0, "aten::outer");
        assert_int_equal(torch_joins(&s.r, &j, &s.e), OK);
        assert_int_equal(j->n_self, compat);
        scene_end(&s);
    }
}

static void what_is_no_event_ends_the_reading(void **state)
{
    struct scene s;
    const struct offline_timeline *t;

    (void)state;
    scene_begin(&s, "[{\"name\":\"a\",\"ph\":\"X\"},{broken}]", false);
    assert_int_equal(offline_timeline(&s.r, &t, &s.e), ERR_FORMAT);
    scene_end(&s);
    scene_begin(&s, "[{\"name\":\"a\",\"ph\":\"X\"},{\"name\":\"cut", false);
    assert_non_null(timeline_of(&s));
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_joined_with_kernels),
        cmocka_unit_test(nothing_is_linked_without_a_layer_or_a_launch),
        cmocka_unit_test(times_are_summed_by_step),
        cmocka_unit_test(free_time_is_cut_at_steps),
        cmocka_unit_test(the_layer_of_communication_has_two_names),
        cmocka_unit_test(torch_ops_have_the_launches_of_their_calls),
        cmocka_unit_test(a_torch_call_before_all_ops_is_of_none),
        cmocka_unit_test(what_is_no_event_ends_the_reading),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
