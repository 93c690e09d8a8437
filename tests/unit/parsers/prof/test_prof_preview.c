/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a screen sees of a large PROF folder before its large files are read: its steps, and the last thing of
 * each stream.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/store.h"
#include "tests/lib/framework_bytes.h"
#include "tests/unit/parsers/prof/prof_case.h"

#define DATA      PROF_NAME "/device_0/data/"
#define STARS_B   64
#define N_RECORDS ((size_t)300000) /* more than a glance looks at, and than is read at once anyway */

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_new(&tree);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_done(&tree);
    return 0;
}

static void stars(unsigned char *p, bool end, unsigned stream, unsigned task, uint64_t time)
{
    put_le(p, end, 2);
    put_le(p + 2, PROF_STARS_MARK, 2);
    put_le(p + 4, stream, 2);
    put_le(p + 6, task, 2);
    put_le(p + 8, time, 8);
}

/*
 * Stream 2 runs task 7 again and again; stream 3 runs something at the beginning; stream 4 does not end its
 * last task.
 */
static void write_log(void)
{
    unsigned char *p = calloc(N_RECORDS, STARS_B);

    assert_non_null(p);
    for (size_t i = 0; i < N_RECORDS; i++)
        stars(p + i * STARS_B, i & 1, 2, 7, 10000 + i);
    stars(p, false, 3, 1, 10000);
    stars(p + STARS_B, true, 3, 1, 10001);
    stars(p + (N_RECORDS - 4) * STARS_B, false, 4, 9, 10000 + N_RECORDS - 4);
    stars(p + (N_RECORDS - 3) * STARS_B, true, 2, 7, 10000 + N_RECORDS - 3);
    tree_file_n(&tree, DATA "stars_soc.data.0.slice_0", (char *)p, N_RECORDS * STARS_B);
    free(p);
}

/* Two steps with ends, and the beginning of a third. */
static void write_steps(void)
{
    unsigned char p[5 * 40];

    for (unsigned i = 0; i < 5; i++)
        ts_put(p + i * (size_t)40, i & 1 ? 60001 : 60000, 1, 1 + i / 2, 10000 + 100 * i);
    for (unsigned i = 0; i < 5; i++)
        put_le(p + i * (size_t)40 + 16, 1 + i / 2, 8);
    tree_file_n(&tree, DATA "ts_track.data.0.slice_0", (char *)p, sizeof p);
}

/* Values of a statement's rows, a row's joined by '|', rows by ' '. */
static void text_of(struct store *s, const char *sql, char *text, size_t room)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;

    text[0] = '\0';
    assert_int_equal(store_query(s, &q, sql, &e), OK);
    for (size_t at = 0; query_step(q, &e) == 1;)
        for (size_t i = 0; i < query_columns(q) && at < room; i++) {
            struct val v = query_val(q, i);
            const char *gap = i ? "|" : at ? " " : "";
            at += (size_t)(v.t == VAL_INT
                               ? snprintf(text + at, room - at, "%s%lld", gap, (long long)v.i)
                               : snprintf(text + at, room - at, "%s%.*s", gap,
                                          v.t == VAL_TEXT ? (int)v.s.n : 0, v.t == VAL_TEXT ? v.s.p : ""));
        }
    query_free(q);
}

#define STREAMS "SELECT stream, task, state FROM last_activity WHERE kind = 'stream' ORDER BY stream"
#define STEPS   "SELECT step, complete FROM step ORDER BY step"

struct seen {
    bool looked;
    char streams[200], steps[200], tasks[200];
};

/* The first rows that are there to be seen. */
static void on_progress(void *arg, const struct import_progress *p)
{
    struct seen *x = arg;
    struct err e = ERR_INIT;
    struct store *s = NULL;
    char n[40];

    if (x->looked || !p->committed || !p->temp_path || !p->temp_path[0] ||
        store_open(&s, p->temp_path, true, &e))
        return;
    text_of(s, "SELECT count(*) FROM step", n, sizeof n);
    if (strcmp(n, "0") != 0) {
        x->looked = true;
        text_of(s, STREAMS, x->streams, sizeof x->streams);
        text_of(s, STEPS, x->steps, sizeof x->steps);
        text_of(s, "SELECT count(*) FROM event", x->tasks, sizeof x->tasks);
    }
    store_close(s);
}

static void preview_has_steps_and_last_tasks_first(void **state)
{
    (void)state;
    struct seen x = { .looked = false };
    struct import_opts o = { .watched = true, .progress = on_progress, .arg = &x };
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *job = NULL;
    char path[600], text[200];

    prof_info_files(&tree, 5);
    write_log();
    write_steps();
    tree_file(&tree, "out/.keep", "");
    snprintf(path, sizeof path, "%s", tree_path(&tree, "out/run.npus"));
    o.store_path = path;
    assert_int_equal(import_scan(&job, tree_path(&tree, PROF_NAME), &e), OK);
    assert_int_equal(import_unit(job->units[0], &o, NULL, NULL, &e), OK);
    job_free(job);

    assert_true(x.looked);
    assert_string_equal(x.tasks, "0");
    assert_string_equal(x.streams, "2|7|done 4|9|running");
    assert_string_equal(x.steps, "1|1 2|1 3|0");

    /* read as a whole: nothing is there twice */
    assert_int_equal(store_open(&s, path, false, &e), OK);
    text_of(s, STREAMS, text, sizeof text);
    assert_string_equal(text, "2||done 3||done 4|9|running");
    text_of(s, STEPS, text, sizeof text);
    assert_string_equal(text, "1|1 2|1 3|0");
    store_close(s);
}

/* A range as MindSpore 2.6 and later write it (doc/formats/framework.md#op_range). */
static void put_range(struct bytes *b, uint64_t from, uint64_t to, unsigned module, unsigned event,
                      const char *name)
{
    const size_t at = b->n;

    put(b, 0, 2);
    put(b, 0, 4);
    put(b, 5, 8);
    put(b, UINT64_MAX, 8);
    put(b, 0, 8);
    put(b, from, 8);
    put(b, to, 8);
    put(b, 5, 4);
    put(b, module, 2);
    put(b, event, 2);
    put(b, 0, 2);
    put(b, 0xff, 1);
    put(b, 0, 3);
    put_field(b, 13, name);
    put_field(b, 14, name);
    put_field(b, 15, "");
    put_field(b, 16, "");
    end_record(b, at);
}

/* Marks of the framework are the steps, not what the device counted; they are there before its ranges. */
static void preview_has_the_marks_of_the_framework(void **state)
{
    (void)state;
    struct seen x = { .looked = false };
    struct import_opts o = { .watched = true, .progress = on_progress, .arg = &x };
    struct err e = ERR_INIT;
    struct store *s = NULL;
    struct job *job = NULL;
    struct bytes b = { .n = 0 };
    char path[600], from[600], to[600], text[200];

    prof_info_files(&tree, 5);
    write_log();
    write_steps();
    tree_file(&tree, "node_1_20260102030405678_ascend_ms/.keep", "");
    snprintf(from, sizeof from, "%s", tree_path(&tree, PROF_NAME));
    snprintf(to, sizeof to, "%s", tree_path(&tree, "node_1_20260102030405678_ascend_ms/" PROF_NAME));
    assert_int_equal(rename(from, to), 0);
    put_range(&b, 8000, 8100, 4, 4, "Default/Add-op1");
    put_range(&b, 7900, 9000, 5, 53, "ProfilerStep#11");
    put_range(&b, 9100, 9200, 4, 4, "Default/Add-op1");
    put_range(&b, 9050, 9950, 5, 53, "ProfilerStep#12");
    tree_file_n(&tree, "node_1_20260102030405678_ascend_ms/FRAMEWORK/mindspore.op_range", (char *)b.v, b.n);
    tree_file(&tree, "out/.keep", "");
    snprintf(path, sizeof path, "%s", tree_path(&tree, "out/run.npus"));
    o.store_path = path;
    assert_int_equal(import_scan(&job, tree_path(&tree, "node_1_20260102030405678_ascend_ms"), &e), OK);
    assert_int_equal(import_unit(job->units[0], &o, NULL, NULL, &e), OK);
    job_free(job);

    assert_true(x.looked);
    assert_string_equal(x.tasks, "0");
    assert_string_equal(x.streams, "2|7|done 4|9|running");
    assert_string_equal(x.steps, "11|1 12|1");
    assert_int_equal(store_open(&s, path, false, &e), OK);
    text_of(s, STEPS, text, sizeof text);
    assert_string_equal(text, "11|1 12|1");
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(preview_has_steps_and_last_tasks_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(preview_has_the_marks_of_the_framework, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
