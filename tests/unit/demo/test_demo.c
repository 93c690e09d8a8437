/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synthetic profiles: number printing, the run model's rules, determinism, and a first reading of what is
 * written.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/path.h"
#include "demo/demo.h"
#include "demo/demo_run.h"
#include "demo/mindspore/raw_stamps.h"
#include "emit/emit.h"

/* ---- a scratch directory ---- */

static char top[256];

static void remove_tree(const char *path)
{
    DIR *d = opendir(path);
    const struct dirent *x;
    char sub[1200];
    if (d) {
        while ((x = readdir(d)))
            if (strcmp(x->d_name, ".") && strcmp(x->d_name, "..") &&
                path_join(sub, sizeof sub, path, x->d_name))
                remove_tree(sub);
        closedir(d);
    }
    (void)remove(path);
}

static int make_top(void **state)
{
    (void)state;
    const char *tmp = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/npuscope-demo-XXXXXX", tmp ? tmp : "/tmp");
    return mkdtemp(top) ? 0 : -1;
}

static int drop_top(void **state)
{
    (void)state;
    remove_tree(top);
    return 0;
}

static const char *below_top(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", top, name);
    return path;
}

static char *slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *p = malloc(*n + 1);
    assert_non_null(p);
    assert_int_equal(fread(p, 1, *n, f), *n);
    p[*n] = '\0';
    fclose(f);
    return p;
}

/* Names and bytes of a tree, independent of the order of directory entries. */
struct tree {
    uint64_t hash, files, bytes;
};

static void add_tree(struct tree *t, const char *path, const char *rel)
{
    DIR *d = opendir(path);
    const struct dirent *x;
    if (!d) {
        size_t n;
        char *p = slurp(path, &n);
        uint64_t h = 1469598103934665603u;
        for (const char *c = rel; *c; c++)
            h = (h ^ (unsigned char)*c) * 1099511628211u;
        for (size_t i = 0; i < n; i++)
            h = (h ^ (unsigned char)p[i]) * 1099511628211u;
        free(p);
        t->hash += h;
        t->files++;
        t->bytes += n;
        return;
    }
    while ((x = readdir(d))) {
        char sub[1200], subrel[1200];
        if (strcmp(x->d_name, ".") == 0 || strcmp(x->d_name, "..") == 0)
            continue;
        assert_true(path_join(sub, sizeof sub, path, x->d_name));
        assert_true(path_join(subrel, sizeof subrel, rel, x->d_name));
        add_tree(t, sub, subrel);
    }
    closedir(d);
}

static struct tree tree_of(const char *path)
{
    struct tree t = { 0, 0, 0 };
    add_tree(&t, path, "");
    return t;
}

static struct demo_summary make(const struct demo_opts *o, const char *name)
{
    struct demo_summary s;
    struct err e = ERR_INIT;
    char text[600];
    if (demo_write(o, below_top(name), &s, &e))
        fail_msg("%s", err_message(&e, text, sizeof text));
    return s;
}

/* ---- numbers ---- */

static const char *repr(double v)
{
    static char buf[40];
    buf[repr_text(v, buf)] = '\0';
    return buf;
}

static void repr_prints_as_python_does(void **state)
{
    (void)state;
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        { 0.0, "0.0" },
        { -0.0, "-0.0" },
        { 2.0, "2.0" },
        { 0.1, "0.1" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 1e-5, "1e-05" },
        { 1.5e-7, "1.5e-07" },
        { 0.0001, "0.0001" },
        { 38753186165.0, "38753186165.0" },
        { 9007199254740993.0, "9007199254740992.0" },
        { 1e16, "1e+16" },
        { 123456789012345680.0, "1.2345678901234568e+17" },
        { 1e22, "1e+22" },
        { 5e-324, "5e-324" },
        { 2.2250738585072014e-308, "2.2250738585072014e-308" },
        { 1.7976931348623157e308, "1.7976931348623157e+308" },
        { 1773450727166100.25, "1773450727166100.2" }, /* half way: the even digit */
        { 1773450727166100.75, "1773450727166100.8" },
        { 0.0239276885986328125, "0.023927688598632812" },
        { -73.20370259375, "-73.20370259375" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(repr(cases[i].v), cases[i].text);
}

/*
 * Significant digits of a text, without zeros at either end, into buf; also where the value lies (checked by
 * reading it back).
 */
static const char *digits_of(const char *t, char *buf)
{
    size_t n = 0;
    for (; *t && *t != 'e'; t++)
        if (*t >= '0' && *t <= '9' && (n || *t != '0'))
            buf[n++] = *t;
    while (n && buf[n - 1] == '0')
        n--;
    buf[n] = '\0';
    return buf;
}

/* The C library's shortest: the first precision that reads back. */
static void check_shortest(double v)
{
    char want[64], a[64], b[64];
    int places = 0;
    do
        snprintf(want, sizeof want, "%.*e", places, v);
    while (strtod(want, NULL) != v && ++places < 17);
    const char *t = repr(v);
    assert_true(strtod(t, NULL) == v);
    assert_string_equal(digits_of(t, a), digits_of(want, b));
}

static void repr_is_the_shortest_that_reads_back(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 5000; i++) {
        double v;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        memcpy(&v, &x, sizeof v);
        if (v - v == 0) /* neither NaN nor infinite */
            check_shortest(v);
        /* what the files hold: decimals with few places, and sums of them */
        double p = i % 3 ? 1e5 : 1e9, d = (double)(x >> 12 >> i % 40) / p;
        check_shortest(d);
        check_shortest(d + 1e-3 * (i % 97));
        check_shortest(d / 1048576);
    }
}

static void formats_print_fixed_trimmed_and_python_numbers(void **state)
{
    (void)state;
    struct emit *o;
    struct emit_count c = { .files = 0 };
    struct err e = ERR_INIT;
    size_t n;
    assert_int_equal(emit_open(&o, top, "numbers", &e), OK);
    emit_fmt(o, "%t %f %f %g %g|", (int64_t)132400, (int64_t)132400, (int64_t)60000, (int64_t)60000,
             (int64_t)-1250);
    emit_fmt(o, "%m %m %m %m|", (int64_t)37180, (int64_t)20, (int64_t)123, (int64_t)0);
    emit_fmt(o, "%d %u %i %U %s %r%%|", -7, 7u, INT64_MIN, UINT64_MAX, "x", 0.5);
    emit_cell(o, "a,\"b\"");
    o->squeeze = true;
    emit_fmt(o, "|{\"a b\": %d, \"c\": %s}", 1, "\"d, e\"");
    assert_int_equal(emit_close(o, &c, &e), OK);
    char *p = slurp(below_top("numbers"), &n);
    assert_string_equal(p, "132.400 132.4 60.0 60 -1.25|0.03718 2e-05 0.000123 0.0|"
                           "-7 7 -9223372036854775808 18446744073709551615 x "
                           "0.5%|\"a,\"\"b\"\"\"|{\"a b\":1,\"c\":\"d, e\"}");
    assert_int_equal(c.bytes, n);
    free(p);
}

/* ---- the run ---- */

static void check_step(const struct demo_walk *w, int64_t prev_end)
{
    const struct demo_step *s = &w->step;
    assert_true(s->start_ns == prev_end || s->index == 0);
    assert_true(s->host_ns < s->kernel[0].start_ns && s->end_ns < s->host_end_ns);
    assert_true(s->start_ns < s->fp_ns && s->fp_ns < s->bp_ns && s->bp_ns < s->end_ns);
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        assert_true(k->dur_ns > 0 && k->launch_ns + k->launch_dur_ns < k->start_ns);
        assert_true(i == 0 || s->kernel[i - 1].start_ns < k->start_ns);
        assert_true(k->start_ns >= s->host_ns && k->start_ns + k->dur_ns <= s->end_ns);
    }
    for (uint32_t i = 0; i < s->ncomm; i++) {
        const struct demo_comm *c = &s->comm[i];
        const struct demo_comm_op *op = &w->run->net->comm[c->op];
        int64_t ready = 0, next = INT64_MAX;
        for (uint32_t j = 0; j < s->nkernel; j++) {
            const struct demo_kernel *k = &s->kernel[j];
            if (k->op == op->after)
                ready = k->start_ns + k->dur_ns;
            if (k->op == op->before)
                next = k->start_ns;
        }
        assert_true(ready <= c->start_ns && c->start_ns + c->dur_ns <= next);
        assert_true(c->nlink > 0 && c->wait_ns >= 0);
        for (uint32_t j = 0; j < c->nlink; j++)
            assert_true(c->link[j].t_ns[0] > 0 && c->link[j].tail_ns >= 0);
    }
}

static void run_keeps_order_of_launch_device_and_communication(void **state)
{
    (void)state;
    for (int model = 0; model < 2; model++) {
        struct demo_opts o = { .gen = 2, .ranks = 4, .steps = 4, .model = (enum demo_model)model, .seed = 3 };
        struct demo_run *r;
        struct err e = ERR_INIT;
        assert_int_equal(demo_run_new(&r, &o, &e), OK);
        int64_t ends[4][4];
        for (int rank = 0; rank < 4; rank++) {
            struct demo_walk w;
            int64_t prev = 0;
            assert_int_equal(demo_walk_init(&w, r, rank, &e), OK);
            while (demo_walk_next(&w)) {
                check_step(&w, prev);
                prev = w.step.end_ns;
                ends[rank][w.step.index] = prev;
            }
            assert_int_equal(w.step.index, 3);
            demo_walk_done(&w);
        }
        /* ranks stay together: they meet in every step */
        for (int step = 0; step < 4; step++)
            for (int rank = 1; rank < 4; rank++)
                assert_true(llabs(ends[rank][step] - ends[0][step]) < 3000000);
        demo_run_free(r);
    }
}

/*
 * The tasks of each plane fill the op; each has a call of its own in the op's launch, the runtime's call in
 * that.
 */
static void check_comm(const struct demo_comm *c)
{
    struct demo_comm_task v[DEMO_COMM_TASKS];
    uint32_t n = demo_comm_task_count(c), k = 0;
    int64_t free_ns = c->launch_ns + 600, end_ns = c->launch_ns + c->launch_dur_ns - 300;
    for (uint32_t p = 0; p < c->nlink; p++) {
        uint32_t m = demo_comm_tasks(c, p, v);
        assert_true(m >= 4);
        assert_int_equal(v[0].start_ns, c->start_ns);
        assert_int_equal(v[m - 1].start_ns + v[m - 1].dur_ns, c->start_ns + c->dur_ns);
        for (uint32_t i = 0; i < m; i++, k++) {
            struct demo_span call = demo_comm_call(c, k, n), inner = demo_runtime_call(call);
            assert_true(!i || v[i].start_ns >= v[i - 1].start_ns + v[i - 1].dur_ns);
            assert_true(v[i].dur_ns > 0 && v[i].dur_ns % 10 == 0 && v[i].start_ns % 10 == 0);
            assert_true(call.start_ns > free_ns);
            assert_true(inner.start_ns > call.start_ns && inner.dur_ns > 0);
            free_ns = call.start_ns + call.dur_ns;
            assert_true(inner.start_ns + inner.dur_ns < free_ns);
            assert_true(free_ns < end_ns);
        }
    }
    assert_int_equal(k, n);
}

static void run_tasks_of_communication_fill_the_op_and_its_launch(void **state)
{
    (void)state;
    static const struct demo_opts many[] = {
        { .ranks = 2, .steps = 2, .seed = 3 },
        { .ranks = 24, .steps = 2, .seed = 4 },
        { .ranks = 32, .steps = 1, .model = DEMO_TRANSFORMER },
    };
    for (size_t i = 0; i < ARRAY_LEN(many); i++) {
        struct err e = ERR_INIT;
        struct demo_run *r;
        struct demo_walk w;
        assert_int_equal(demo_run_new(&r, &many[i], &e), OK);
        assert_int_equal(demo_walk_init(&w, r, 1, &e), OK);
        while (demo_walk_next(&w))
            for (uint32_t c = 0; c < w.step.ncomm; c++)
                check_comm(&w.step.comm[c]);
        demo_walk_done(&w);
        demo_run_free(r);
    }
}

static void run_has_a_late_rank_and_a_slow_first_step(void **state)
{
    (void)state;
    struct demo_opts o = { .gen = 2, .ranks = 8, .steps = 3, .seed = 5 };
    struct demo_run *r;
    struct err e = ERR_INIT;
    int64_t busy[8] = { 0 }, first = 0, second = 0;
    int slowest = 0;
    assert_int_equal(demo_run_new(&r, &o, &e), OK);
    for (int rank = 0; rank < 8; rank++) {
        struct demo_walk w;
        assert_int_equal(demo_walk_init(&w, r, rank, &e), OK);
        while (demo_walk_next(&w)) {
            for (uint32_t i = 0; i < w.step.nkernel; i++)
                busy[rank] += w.step.kernel[i].dur_ns;
            if (w.step.index == 0)
                first = w.step.end_ns - w.step.start_ns;
            if (w.step.index == 1)
                second = w.step.end_ns - w.step.start_ns;
        }
        slowest = busy[rank] > busy[slowest] ? rank : slowest;
        demo_walk_done(&w);
    }
    assert_int_equal(slowest, r->late_rank);
    assert_true(first > second * 3 / 2);
    assert_true(second > 28000000 && second < 38000000);
    demo_run_free(r);
}

/* ---- files ---- */

static void same_options_give_the_same_bytes(void **state)
{
    static const struct demo_opts kinds[] = {
        { .gen = 1 },
        { .gen = 2 },
        { .gen = 2, .raw = true },
        { .gen = 2, .raw = true, .era = DEMO_ERA_R26 },
        { .gen = 2, .raw = true, .era = DEMO_ERA_R25 },
        { .gen = 2, .era = DEMO_ERA_TORCH },
        { .gen = 2, .raw = true, .era = DEMO_ERA_TORCH },
        { .gen = 2, .raw = true, .era = DEMO_ERA_TORCH, .crash_percent = 60 },
    };
    char name[3][16];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct demo_opts o = kinds[i];
        for (size_t k = 0; k < ARRAY_LEN(name); k++)
            snprintf(name[k], sizeof name[k], "same%zu-%zu", i, k);
        o.ranks = 2;
        o.steps = 2;
        o.seed = 11;
        struct demo_summary s = make(&o, name[0]);
        struct tree a = tree_of(below_top(name[0]));
        make(&o, name[1]);
        struct tree b = tree_of(below_top(name[1]));
        assert_int_equal(a.hash, b.hash);
        assert_int_equal(a.files, s.files);
        assert_int_equal(a.bytes, s.bytes);
        o.seed = 12;
        make(&o, name[2]);
        struct tree c = tree_of(below_top(name[2]));
        assert_int_equal(c.files, a.files);
        assert_true(c.hash != a.hash);
    }
}

/* Files of rank 1; of generation 2 the first two lie at the top. */
static const char *const ASCEND_FILES[] = { "profiler_info_1.json",
                                            "profiler_metadata.json",
                                            "api_statistic.csv",
                                            "communication.json",
                                            "communication_matrix.json",
                                            "data_preprocess.csv",
                                            "dataset.csv",
                                            "kernel_details.csv",
                                            "l2_cache.csv",
                                            "memory_record.csv",
                                            "minddata_pipeline_raw_1.csv",
                                            "minddata_pipeline_summary_1.csv",
                                            "minddata_pipeline_summary_1.json",
                                            "npu_module_mem.csv",
                                            "op_statistic.csv",
                                            "operator_details.csv",
                                            "operator_memory.csv",
                                            "step_trace_time.csv",
                                            "trace_view.json" };
static const char *const ANALYSED_FILES[] = { "aicore_intermediate_1_detail.csv",
                                              "aicore_intermediate_1_type.csv",
                                              "aicpu_intermediate_1.csv",
                                              "ascend_cluster_analyse_data-parallel_1_2_1.csv",
                                              "ascend_timeline_display_1.json",
                                              "ascend_timeline_summary_1.json",
                                              "device_queue_profiling_1.txt",
                                              "flops_1.txt",
                                              "flops_scope_1.json",
                                              "flops_summary_1.json",
                                              "flops_utilization_step_1.json",
                                              "framework_raw_1.csv",
                                              "hccl_raw_1.csv",
                                              "memory_usage_details_1.json",
                                              "memory_usage_summary_1.json",
                                              "minddata_aicpu_1.txt",
                                              "minddata_cpu_utilization_1.json",
                                              "minddata_pipeline_raw_1.csv",
                                              "minddata_pipeline_summary_1.csv",
                                              "minddata_pipeline_summary_1.json",
                                              "output_op_compute_time_1.txt",
                                              "output_timeline_data_1.txt",
                                              "pipeline_profiling_1.json",
                                              "profiler_info_1.json",
                                              "step_trace_point_info_1.json",
                                              "step_trace_raw_1_detail_time.csv",
                                              "host_info/dataset_1.csv",
                                              "host_info/host_info_1.csv",
                                              "host_info/host_memory_1.csv",
                                              "host_info/timeline_1.json" };

static void file_sets_are_complete(void **state)
{
    (void)state;
    struct demo_opts o = { .gen = 1, .ranks = 2, .steps = 1 };
    struct stat st;
    char name[300];
    struct demo_summary s = make(&o, "set1");
    assert_int_equal(s.files, 2 * ARRAY_LEN(ANALYSED_FILES));
    for (size_t i = 0; i < ARRAY_LEN(ANALYSED_FILES); i++) {
        snprintf(name, sizeof name, "set1/profiler/%s", ANALYSED_FILES[i]);
        assert_int_equal(stat(below_top(name), &st), 0);
        assert_true(st.st_size > 0);
    }
    o.gen = 2;
    s = make(&o, "set2");
    /* and in PROF_*: 13 exports, 6 side files; in FRAMEWORK: 3 of the data pipeline, which analysis leaves */
    assert_int_equal(s.files, 2 * (ARRAY_LEN(ASCEND_FILES) + 13 + 6 + 3));
    assert_int_equal(stat(below_top("set2/node-1_20073_20260314011207101_ascend_ms/FRAMEWORK/"
                                    "pipeline_profiling_1.json"),
                          &st),
                     0);
    for (size_t i = 0; i < ARRAY_LEN(ASCEND_FILES); i++) {
        snprintf(name, sizeof name, "set2/node-1_20073_20260314011207101_ascend_ms/%s%s",
                 i < 2 ? "" : "ASCEND_PROFILER_OUTPUT/", ASCEND_FILES[i]);
        assert_int_equal(stat(below_top(name), &st), 0);
        assert_true(st.st_size > 0);
    }
}

/* Cell of a line that holds no quoted cells before it; NULL when there are fewer. */
static const char *cell(const char *line, int n)
{
    for (; n && line; n--) {
        line = strchr(line, ',');
        line = line ? line + 1 : NULL;
    }
    return line;
}

/* us text to ns, exactly */
static int64_t ns_of(const char *us)
{
    int64_t ns = 0;
    struct str t = { us, strspn(us, "0123456789.") };
    assert_true(str_scaled(t, 1000, &ns, NULL));
    return ns;
}

static void summary_equals_kernel_details(void **state)
{
    (void)state;
    struct demo_opts o = { .gen = 2, .ranks = 2, .steps = 3, .seed = 2 };
    struct demo_summary s = make(&o, "sum2");
    char name[300];
    size_t n;
    uint64_t kernels = 0, comms = 0;
    int64_t kernel_ns = 0, comm_ns = 0, relu_ns = 0;
    snprintf(name, sizeof name, "sum2/%s/ASCEND_PROFILER_OUTPUT/kernel_details.csv", s.run_dir);
    char *text = slurp(below_top(name), &n);
    for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        bool comm = strncmp(cell(line, 7), "COMMUNICATION,", 14) == 0;
        int64_t ns = ns_of(cell(line, 9));
        *(comm ? &comms : &kernels) += 1;
        *(comm ? &comm_ns : &kernel_ns) += ns;
        if (strncmp(cell(line, 5), "ReluV2,", 7) == 0)
            relu_ns += ns;
    }
    free(text);
    assert_int_equal(s.rank0.kernels, kernels);
    assert_int_equal(s.rank0.comms, comms);
    assert_int_equal(comms, 3 * 8);
    assert_int_equal(s.rank0.kernel_ns, kernel_ns);
    assert_int_equal(s.rank0.comm_ns, comm_ns);
    assert_true(s.rank0.computing_ns <= kernel_ns && s.rank0.comm_alone_ns < comm_ns);
    bool found = false;
    for (uint32_t i = 0; i < s.rank0.ntypes; i++)
        if (strcmp(s.rank0.type[i].type, "ReluV2") == 0) {
            found = true;
            assert_int_equal(s.rank0.type[i].total_ns, relu_ns);
        }
    assert_true(found);
}

/* Objects directly in the array, names in strings skipped. */
static uint64_t count_objects(const char *p)
{
    uint64_t n = 0;
    int depth = 0;
    for (bool in = false; *p; p++) {
        if (*p == '"')
            in = !in;
        if (in)
            continue;
        if (*p == '{' && depth++ == 0)
            n++;
        if (*p == '}')
            depth--;
    }
    return n;
}

static void events_are_counted_and_near_the_wanted_size(void **state)
{
    (void)state;
    for (int gen = 1; gen <= 2; gen++)
        for (int fixed = 0; fixed < 2; fixed++) {
            struct demo_opts o = { .gen = gen, .ranks = 2, .size = 30000, .steps = fixed ? 3 : 0 };
            struct demo_summary s = make(&o, "size");
            char name[300];
            size_t n;
            snprintf(name, sizeof name,
                     gen == 1 ? "size/%s/ascend_timeline_display_0.json"
                              : "size/%s/ASCEND_PROFILER_OUTPUT/trace_view.json",
                     s.run_dir);
            char *p = slurp(below_top(name), &n);
            assert_int_equal(count_objects(p), s.rank0.events);
            free(p);
            assert_in_range(s.rank0.events, 24000, 36000);
            if (fixed)
                assert_int_equal(s.steps, 3);
            remove_tree(below_top("size"));
        }
}

/* The tests run in the C locale, where printf has the point that C++ has. */
static void raw_floats_have_six_digits_as_printf_has(void **state)
{
    (void)state;
    static const double v[] = { 0,          1,         0.5,       12.5,     123456,   999999.4,
                                999999.6,   1e6,       1.25e7,    3e-4,     1e-4,     9.99999e-5,
                                1e-5,       0.0226003, 1e-12,     123.4565, 0.123456, 100000.5,
                                1234567890, 4e10,      1.0000004, 0.1 };
    char want[64], *got;
    size_t n;
    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        struct emit *o;
        struct err e = ERR_INIT;
        assert_int_equal(emit_open(&o, top, "float", &e), OK);
        raw_put_float(o, v[i]);
        assert_int_equal(emit_close(o, NULL, &e), OK);
        snprintf(want, sizeof want, "%g", (double)(float)v[i]);
        got = slurp(below_top("float"), &n);
        assert_int_equal(n, strlen(want));
        assert_memory_equal(got, want, n);
        free(got);
    }
}

static void check_raw_summary(int gen)
{
    static const char *const analysed[] = { "", "analysed1", "analysed2" },
                             *const raw[] = { "", "raw1", "raw2" },
                             *const crashed[] = { "", "crashed1", "crashed2" };
    struct demo_opts o = { .gen = gen, .ranks = 2, .steps = 3, .seed = 4 };
    struct demo_summary a = make(&o, analysed[gen]), r, c;
    o.raw = true;
    r = make(&o, raw[gen]);
    o.crash_step = 2;
    c = make(&o, crashed[gen]);
    assert_int_equal(r.last_rank.kernels, a.last_rank.kernels);
    assert_int_equal(r.last_rank.kernel_ns, a.last_rank.kernel_ns);
    assert_int_equal(r.last_rank.comms, a.last_rank.comms);
    assert_int_equal(r.last_rank.aicpu, a.last_rank.aicpu);
    assert_true(c.last_rank.kernels < r.last_rank.kernels * 2 / 3);
    assert_true(c.last_rank.kernels > r.last_rank.kernels / 3);
    if (gen == 1)
        return;
    o.crash_step = 0;
    o.chip = DEMO_910A;
    c = make(&o, "raw_910a");
    assert_int_equal(c.last_rank.kernels, a.last_rank.kernels);
    assert_int_equal(c.last_rank.kernel_ns, a.last_rank.kernel_ns);
}

static void raw_run_did_what_the_analysed_one_says(void **state)
{
    (void)state;
    for (int gen = 1; gen <= 2; gen++)
        check_raw_summary(gen);
}

static void write_refuses_used_directories_and_bad_options(void **state)
{
    (void)state;
    struct demo_opts o = { .gen = 1, .ranks = 1, .steps = 1 };
    struct err e = ERR_INIT;
    make(&o, "used");
    assert_int_equal(demo_write(&o, below_top("used"), NULL, &e), ERR_USAGE);
    assert_non_null(strstr(e.file, "used"));
    o.force = true;
    e = (struct err)ERR_INIT;
    assert_int_equal(demo_write(&o, below_top("used"), NULL, &e), OK);
    static const struct demo_opts bad[] = {
        { .gen = 3 },
        { .ranks = -1 },
        { .ranks = DEMO_RANKS_MAX + 1 },
        { .steps = -2 },
        { .model = (enum demo_model)9 },
        { .size = UINT64_MAX },
        { .size = 100000000, .steps = 1 },
        { .raw = true, .gen = 2, .era = DEMO_ERA_R13 },
        { .raw = true, .era = DEMO_ERA_R27 },
        { .gen = 1, .era = DEMO_ERA_TORCH },
        { .gen = 2, .era = DEMO_ERA_R26 },
        { .raw = true, .gen = 2, .mode = DEMO_CPU },
        { .raw = true, .gen = 2, .lose_slice = 1 },
        { .era = DEMO_ERA_R13 },
        { .ranks = 6, .servers = 4 },
        { .ranks = 18, .servers = 2 },
        { .lose_slice = 1 },
        { .raw = true, .chip = DEMO_910A },
        { .mode = DEMO_CPU },
        { .raw = true, .mode = DEMO_GPU, .crash_step = 1 },
        { .raw = true, .crash_percent = 100 },
        { .gen = 2, .fault = DEMO_FAULT_HANG },
        { .gen = 1, .raw = true, .fault = DEMO_FAULT_HANG, .lose_slice = 1 },
        { .gen = 2, .raw = true, .fault_rank = 1 },
        { .gen = 2, .raw = true, .fault = DEMO_FAULT_CLEAN, .crash_step = 1 },
        { .raw = true, .steps = 3, .crash_step = 4 }
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        e = (struct err)ERR_INIT;
        assert_int_equal(demo_write(&bad[i], below_top("never"), NULL, &e), ERR_USAGE);
        assert_int_equal(access(below_top("never"), F_OK), -1);
    }
}

static void write_names_the_file_it_could_not_make(void **state)
{
    (void)state;
    struct demo_opts o = { .gen = 2, .ranks = 1, .steps = 1 };
    struct err e = ERR_INIT;
    size_t n;
    FILE *f = fopen(below_top("plain"), "w");
    assert_non_null(f);
    fclose(f);
    assert_int_equal(demo_write(&o, below_top("plain/run"), NULL, &e), ERR_IO);
    assert_non_null(strstr(e.file, "plain"));
    free(slurp(below_top("plain"), &n));
    /* a folder where a file should go */
    assert_int_equal(mkdir(below_top("clash"), 0777), 0);
    assert_int_equal(mkdir(below_top("clash/profiler"), 0777), 0);
    assert_int_equal(mkdir(below_top("clash/profiler/flops_0.txt"), 0777), 0);
    o.gen = 1;
    o.force = true;
    e = (struct err)ERR_INIT;
    assert_int_equal(demo_write(&o, below_top("clash"), NULL, &e), ERR_IO);
    assert_int_equal(e.sys, EISDIR);
    assert_non_null(strstr(e.file, "flops_0.txt"));
}

static void write_reports_a_full_disk(void **state)
{
    (void)state;
    struct emit *o;
    struct err e = ERR_INIT;
    if (access("/dev/full", W_OK))
        skip();
    assert_int_equal(emit_open(&o, "/dev", "full", &e), OK);
    for (int i = 0; i < 100000; i++)
        emit_s(o, "0123456789");
    assert_int_equal(emit_close(o, NULL, &e), ERR_FULL);
    assert_string_equal(e.file, "/dev/full");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repr_prints_as_python_does),
        cmocka_unit_test(repr_is_the_shortest_that_reads_back),
        cmocka_unit_test(formats_print_fixed_trimmed_and_python_numbers),
        cmocka_unit_test(run_keeps_order_of_launch_device_and_communication),
        cmocka_unit_test(run_tasks_of_communication_fill_the_op_and_its_launch),
        cmocka_unit_test(run_has_a_late_rank_and_a_slow_first_step),
        cmocka_unit_test(same_options_give_the_same_bytes),
        cmocka_unit_test(file_sets_are_complete),
        cmocka_unit_test(summary_equals_kernel_details),
        cmocka_unit_test(events_are_counted_and_near_the_wanted_size),
        cmocka_unit_test(raw_floats_have_six_digits_as_printf_has),
        cmocka_unit_test(raw_run_did_what_the_analysed_one_says),
        cmocka_unit_test(write_refuses_used_directories_and_bad_options),
        cmocka_unit_test(write_names_the_file_it_could_not_make),
        cmocka_unit_test(write_reports_a_full_disk),
    };
    return cmocka_run_group_tests_name("demo", tests, make_top, drop_top);
}
