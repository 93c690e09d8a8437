/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speed of tables (doc/performance.md#targets): opening, paging, sorting and filtering views of
 * 10^4 and 10^6 rows.
 *
 * usage: rows WORKDIR [ROWS [NAMES]]
 *
 * Makes stores in WORKDIR once (seeded, so the same every time), measures the model without a screen, and
 * prints one JSON object a line: what, ours in ms (median), what it is compared with, the ratio, the wanted
 * ratio or time. `rg -c` runs on a file with the same names, one a line, alternating with ours; without
 * ripgrep those lines are left out.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/view/slice.h"
#include "model/view/view.h"
#include "store/fill/fill.h"

#define ROUNDS    5
#define PAGE_ROWS 50
#define MOVES     400
#define SLICE_NS  SLICE_MS(5)

extern char **environ;

/* What something took: on the clock, and on the processor (other programs disturb that less). */
struct cost {
    double ms, cpu_ms;
};

static double clock_ms(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static struct cost now(void)
{
    return (struct cost){ clock_ms(CLOCK_MONOTONIC), clock_ms(CLOCK_PROCESS_CPUTIME_ID) };
}

static struct cost since(struct cost t)
{
    struct cost n = now();
    return (struct cost){ n.ms - t.ms, n.cpu_ms - t.cpu_ms };
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static struct cost median(const struct cost *c, size_t n)
{
    double ms[64], cpu[64];

    for (size_t i = 0; i < n; i++) {
        ms[i] = c[i].ms;
        cpu[i] = c[i].cpu_ms;
    }
    qsort(ms, n, sizeof *ms, by_value);
    qsort(cpu, n, sizeof *cpu, by_value);
    return (struct cost){ ms[n / 2], cpu[n / 2] };
}

static void die(const char *what, const struct err *e)
{
    char text[512];

    fprintf(stderr, "rows: %s: %s\n", what, err_message(e, text, sizeof text));
    exit(1);
}

/* One line of the result. limit: largest ratio wanted (or ms when there is no peer), 0: none. */
static void report(const char *item, struct cost ours, const char *peer, struct cost theirs, double limit)
{
    double value = peer ? ours.ms / theirs.ms : ours.ms;

    printf("{\"item\": \"%s\", \"ours_ms\": %.3f, \"ours_cpu_ms\": %.3f", item, ours.ms, ours.cpu_ms);
    if (peer)
        printf(", \"peer\": \"%s\", \"peer_ms\": %.3f, \"peer_cpu_ms\": %.3f, \"ratio\": %.4f, "
               "\"cpu_ratio\": %.4f",
               peer, theirs.ms, theirs.cpu_ms, value, ours.cpu_ms / theirs.cpu_ms);
    if (limit > 0)
        printf(", \"limit\": %.3f, \"ok\": %s", limit, value <= limit ? "true" : "false");
    printf("}\n");
    fflush(stdout);
}

static void report_alone(const char *item, struct cost ours, double limit_ms)
{
    report(item, ours, NULL, (struct cost){ 0 }, limit_ms);
}

/* ---- inputs ---- */

static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static const char *const types[] = { "MatMul",    "RealDiv", "Softmax", "Add",         "Mul",    "Cast",
                                     "LayerNorm", "Gelu",    "Reshape", "TransData",   "Conv2D", "ReduceSum",
                                     "BiasAdd",   "Tile",    "Concat",  "StridedSlice" };

/* Full name of op i: paths as long as those of real networks (150 bytes). */
static int op_name(char *buf, size_t n, size_t i)
{
    return snprintf(buf, n,
                    "%s/network-TrainOneStepCell/network-WithLossCell/_backbone-LlamaForCausalLM/"
                    "model-LlamaModel/"
                    "layers-CellList/%zu-LlamaDecodeLayer/%s/%s-op%zu",
                    i % 3 ? "Default" : "Gradients/Default", i / 97 % 40,
                    i % 5 ? "attention-LlamaAttention" : "feed_forward-LlamaFeedForward",
                    types[i * 7 % ARRAY_LEN(types)], i);
}

static int add_row(struct fill *f, size_t i, const int64_t *ops, size_t names, uint64_t *seed, struct err *e)
{
    int64_t dur = (int64_t)(next(seed) % 1000 ? next(seed) % 900000 + 1000 : next(seed) % 130000000);
    struct val v[N_COLS(op_exec)] = {
        [COL(op_exec, op_id)] = val_int(ops[names < 20000 ? next(seed) % names : i % names]),
        [COL(op_exec, rank)] = val_int(0),
        [COL(op_exec, step)] = val_int((int64_t)(i / 2000) + 1),
        [COL(op_exec, stream)] = val_int((int64_t)(i % 5)),
        [COL(op_exec, task)] = val_int((int64_t)(i % 65536)),
        [COL(op_exec, ts_ns)] = val_int(INT64_C(1700000000000000000) + (int64_t)i * 13000),
        [COL(op_exec, dur_ns)] = val_int(dur),
        [COL(op_exec, wait_ns)] = i % 7 ? val_int((int64_t)(next(seed) % 20000)) : val_null(),
        [COL(op_exec, source_id)] = val_int(1),
        [COL(op_exec, line)] = val_int((int64_t)i + 2),
    };
    return sink_row(fill_sink(f), T_op_exec, v, N_COLS(op_exec), NULL, e);
}

static int make_ops(struct fill *f, int64_t *ops, size_t names, struct err *e)
{
    char name[400];

    for (size_t i = 0; i < names; i++) {
        struct op_key k = OP_KEY_INIT;
        struct op_attr a = OP_ATTR_INIT;
        op_name(name, sizeof name, i);
        k.name_id = sink_intern(fill_sink(f), str_of(name));
        k.type_id = sink_intern(fill_sink(f), str_of(types[i * 7 % ARRAY_LEN(types)]));
        a.core = i % 9 ? STR("AIC") : STR("AIV");
        a.block_num = (int64_t)(i % 33);
        if ((ops[i] = sink_op(fill_sink(f), &k, &a, e)) == 0)
            return e->code;
    }
    return OK;
}

static void make_store(const char *path, size_t rows, size_t names)
{
    struct err e = ERR_INIT;
    struct fill *f = NULL;
    uint64_t seed = 88172645463325252u;
    int64_t *ops = calloc(names, sizeof *ops);

    if (!ops || fill_open(&f, &(struct fill_opts){ .path = path }, &e) || fill_begin(f, 1, &e) ||
        make_ops(f, ops, names, &e))
        die(path, &e);
    for (size_t i = 0; i < rows; i++)
        if (add_row(f, i, ops, names, &seed, &e))
            die(path, &e);
    if (fill_end(f, true, &e) || fill_finish(f, "bench", &e) || fill_publish(f, &e))
        die(path, &e);
    free(ops);
}

/* The names of all rows, one a line, for rg. */
static void make_names(const char *path, struct view *v)
{
    struct err e = ERR_INIT;
    FILE *out = fopen(path, "wb");
    struct page p;

    for (size_t at = 0; out && at < view_rows(v); at += p.n) {
        if (view_page(v, at, 500, VIEW_STORED, &p, &e))
            die(path, &e);
        for (size_t i = 0; i < p.n; i++)
            fprintf(out, "%.*s\n", (int)page_val(&p, i, 0)->s.n, page_val(&p, i, 0)->s.p);
    }
    if (!out || fclose(out)) {
        err_sys(&e, errno, "writing names");
        die(path, &e);
    }
}

static struct view *open_view(struct store *s, const char *id)
{
    const struct view_part part = { .store = s, .rank = 0 };
    const struct view_scope all = VIEW_SCOPE_ALL;
    struct err e = ERR_INIT;
    struct view *v = NULL;

    if (view_open(&v, view_def_find(id), &part, 1, &all, &e))
        die(id, &e);
    return v;
}

static struct store *open_store(const char *work, size_t rows, size_t names, char *name_file, size_t n)
{
    char path[1024];
    struct err e = ERR_INIT;
    struct store *s = NULL;

    snprintf(path, sizeof path, "%s/rows-%zu-%zu.npus", work, rows, names);
    snprintf(name_file, n, "%s/names-%zu-%zu.txt", work, rows, names);
    if (access(path, R_OK) != 0)
        make_store(path, rows, names);
    if (store_open(&s, path, false, &e))
        die(path, &e);
    if (access(name_file, R_OK) != 0) {
        struct view *v = open_view(s, "ops.exec");
        make_names(name_file, v);
        view_close(v);
    }
    return s;
}

/* ---- peers ---- */

static double cpu_of_children(void)
{
    struct rusage u;

    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
}

/* `rg -c PATTERN FILE`; negative: it is not there. */
static struct cost run_rg(const char *pattern, const char *file)
{
    char *argv[] = { (char *)"rg", (char *)"-c", (char *)"-i", (char *)pattern, (char *)file, NULL };
    posix_spawn_file_actions_t fa;
    pid_t pid;
    int status = 0;
    double cpu = cpu_of_children();
    struct cost t = now();

    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int rc = posix_spawnp(&pid, "rg", &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    if (rc || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
        return (struct cost){ -1, -1 };
    t = since(t);
    t.cpu_ms = cpu_of_children() - cpu;
    return t;
}

/* ---- measurements ---- */

static void page_at(struct view *v, size_t first)
{
    struct err e = ERR_INIT;
    struct page p;

    if (view_page(v, first, PAGE_ROWS, VIEW_RELATIVE, &p, &e))
        die("page", &e);
}

static struct cost per(struct cost c, double n)
{
    return (struct cost){ c.ms / n, c.cpu_ms / n };
}

struct moves {
    struct cost down, jump;
};

/* Mean of one page down, and of a jump to any row. */
static struct moves measure_pages(struct view *v)
{
    uint64_t seed = 99;
    size_t rows = view_rows(v);
    struct moves m;
    struct cost t = now();

    for (size_t i = 0; i < MOVES; i++)
        page_at(v, i * 7 % (rows - PAGE_ROWS));
    m.down = per(since(t), MOVES);
    t = now();
    for (size_t i = 0; i < MOVES; i++)
        page_at(v, i % 3 ? next(&seed) % (rows - PAGE_ROWS) : rows - PAGE_ROWS);
    m.jump = per(since(t), MOVES);
    return m;
}

/* Until the first page of the new order is there. */
static struct cost measure_sort(struct view *v, const char *col, bool desc)
{
    struct err e = ERR_INIT;
    struct cost t = now();

    if (view_sort(v, view_find_col(v, col), desc, &e))
        die(col, &e);
    page_at(v, 0);
    return since(t);
}

/* Until every row is in its place. */
static struct cost measure_rest(struct view *v)
{
    struct cost t = now();

    page_at(v, view_rows(v) - PAGE_ROWS);
    return since(t);
}

/* One key stroke in the filter line: until the count is exact and the first page there. */
static struct cost measure_filter(struct view *v, const char *line, size_t *rows)
{
    struct err e = ERR_INIT;
    struct filter *f = NULL;
    struct cost t = now();

    if (filter_parse(&f, str_of(line), view_definition(v), &e) || view_set_filters(v, &f, 1, NULL, &e))
        die(line, &e);
    page_at(v, 0);
    t = since(t);
    *rows = view_rows(v);
    if (view_set_filters(v, NULL, 0, NULL, &e))
        die(line, &e);
    filter_free(f);
    return t;
}

/* The same in slices of 5 ms, until a page is full; *longest is the longest slice. */
static struct cost measure_first_page(struct view *v, const char *line, struct cost *longest)
{
    struct err e = ERR_INIT;
    struct filter *f = NULL;
    struct cost t = now();
    bool more = true;

    *longest = (struct cost){ 0 };
    if (filter_parse(&f, str_of(line), view_definition(v), &e) || view_filter_begin(v, &f, 1, &e))
        die(line, &e);
    while (view_is_counting(v) && view_rows(v) < PAGE_ROWS) {
        struct cost slice = now();
        if (view_work(v, SLICE_NS, &more, &e))
            die(line, &e);
        slice = since(slice);
        *longest = slice.ms > longest->ms ? slice : *longest;
    }
    page_at(v, 0);
    t = since(t);
    if (view_set_filters(v, NULL, 0, NULL, &e))
        die(line, &e);
    filter_free(f);
    return t;
}

static struct moves measure_p13(struct store *s, size_t rows)
{
    char item[100];
    struct cost open[ROUNDS], first[ROUNDS], later[ROUNDS], rest[ROUNDS], down[ROUNDS], jump[ROUNDS];

    for (size_t i = 0; i < ROUNDS; i++) {
        struct cost t = now();
        struct view *v = open_view(s, "ops.exec");
        page_at(v, 0);
        open[i] = since(t);
        first[i] = measure_sort(v, "dur_ns", true);
        rest[i] = measure_rest(v);
        later[i] = measure_sort(v, "dur_ns", false);
        struct moves m = measure_pages(v);
        down[i] = m.down;
        jump[i] = m.jump;
        view_close(v);
    }
    snprintf(item, sizeof item, "open a view, %zu rows", rows);
    report_alone(item, median(open, ROUNDS), 0);
    snprintf(item, sizeof item, "P13 first sort of a column, %zu rows", rows);
    report_alone(item, median(first, ROUNDS), 250);
    snprintf(item, sizeof item, "P13 later sort, %zu rows", rows);
    report_alone(item, median(later, ROUNDS), 60);
    snprintf(item, sizeof item, "P13 sort, rows behind the first page, %zu rows", rows);
    report_alone(item, median(rest, ROUNDS), 60);
    return (struct moves){ median(down, ROUNDS), median(jump, ROUNDS) };
}

static void measure_filters(struct store *s, const char *names, const char *label, double limit)
{
    static const struct {
        const char *line, *pattern;
    } cases[] = {
        { "op_name~MatMul", "MatMul" },
        { "op_name~layers.*/1[0-9]-.*MatMul", "layers.*/1[0-9]-.*MatMul" },
        { "op_name~matmul|softmax", "matmul|softmax" },
        { "softmax", "softmax" },
        { "op_name~op99[0-9]*9$", "op99[0-9]*9$" },
    };
    char item[200];
    struct view *v = open_view(s, "ops.exec");
    size_t n;

    measure_filter(v, "zzz", &n); /* reads the column */
    for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
        struct cost ours[ROUNDS], rg[ROUNDS], page[ROUNDS], longest[ROUNDS];
        for (size_t i = 0; i < ROUNDS; i++) {
            ours[i] = measure_filter(v, cases[c].line, &n);
            rg[i] = run_rg(cases[c].pattern, names);
            page[i] = measure_first_page(v, cases[c].line, &longest[i]);
        }
        struct cost t = median(rg, ROUNDS);
        snprintf(item, sizeof item, "%s: %s (%zu rows)", label, cases[c].line, n);
        report(item, median(ours, ROUNDS), t.ms < 0 ? NULL : "rg -c", t, t.ms < 0 ? 0 : limit);
        snprintf(item, sizeof item, "%s: first page of %s", label, cases[c].line);
        report_alone(item, median(page, ROUNDS), 50);
        snprintf(item, sizeof item, "%s: longest slice of %s", label, cases[c].line);
        report_alone(item, median(longest, ROUNDS), 30);
    }
    view_close(v);
}

static void measure_groups(struct store *s, size_t rows)
{
    static const char *const views[] = { "ops.type", "ops.op", "ops.stream" };
    char item[100];

    for (size_t i = 0; i < ARRAY_LEN(views); i++) {
        struct cost t = now();
        size_t n;
        struct view *v = open_view(s, views[i]);
        page_at(v, 0);
        snprintf(item, sizeof item, "open %s over %zu rows", views[i], rows);
        report_alone(item, since(t), 0);
        measure_filter(v, "matmul", &n);
        snprintf(item, sizeof item, "filter %s over %zu rows", views[i], rows);
        report_alone(item, measure_filter(v, "softmax", &n), 300);
        view_close(v);
    }
}

/* Wait for a child (-1: there is none), which says itself why it failed. */
static void child_end(pid_t pid, struct rusage *u)
{
    struct err e = ERR_INIT;
    int status = 0;

    if (pid < 0 || wait4(pid, &status, 0, u) != pid)
        err_sys(&e, errno, "no process of its own");
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        err_set(&e, ERR_BUG, "the process ended with status %d", status);
    if (e.code)
        die("memory", &e);
}

/* Peak of a process of its own that opens, sorts and filters. */
static void measure_memory(const char *work, size_t rows, size_t names)
{
    struct rusage u;
    char file[1024];
    double limit = 64 + 12.0 * (double)rows / 1e6;
    pid_t pid = fork(); /* making the store is not part of it */

    if (pid == 0) {
        store_close(open_store(work, rows, names, file, sizeof file));
        _exit(0);
    }
    child_end(pid, NULL);
    pid = fork();
    if (pid == 0) {
        struct store *s = open_store(work, rows, names, file, sizeof file);
        struct view *v = open_view(s, "ops.exec");
        size_t n;
        measure_filter(v, "softmax", &n);
        measure_sort(v, "dur_ns", true);
        measure_rest(v);
        measure_filter(v, "op_name~matmul.*op[0-9]*7", &n);
        measure_sort(v, "ts_ns", true);
        view_close(v);
        store_close(s);
        _exit(0);
    }
    child_end(pid, &u);
    printf("{\"item\": \"memory, %zu rows, %zu names\", \"peak_mib\": %.1f, \"limit\": %.1f, "
           "\"ok\": %s}\n",
           rows, names, (double)u.ru_maxrss / 1024, limit,
           (double)u.ru_maxrss / 1024 <= limit ? "true" : "false");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char names[1024];

    if (argc < 2) {
        fputs("usage: rows WORKDIR [ROWS [NAMES]]\n", stderr);
        return 2;
    }
    size_t rows = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1000000;
    size_t many = argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : rows;
    size_t few = rows >= 10000 ? rows / 100 : 100;
    mkdir(argv[1], 0777);
    measure_memory(argv[1], rows, few);
    measure_memory(argv[1], rows, many);
    struct store *small = open_store(argv[1], 10000, 10000, names, sizeof names);
    struct moves less = measure_p13(small, 10000);
    store_close(small);
    struct store *s = open_store(argv[1], rows, few, names, sizeof names);
    struct moves more = measure_p13(s, rows);
    /* The part of a frame that grows with the table; the target is for the frame (bench.py, "keys"). */
    report("page down without a screen", more.down, "10000 rows", less.down, 0);
    report("jump without a screen", more.jump, "10000 rows", less.jump, 0);
    measure_filters(s, names, "P14 few names", 1.0 / 20);
    measure_groups(s, rows);
    store_close(s);
    struct store *wide = open_store(argv[1], rows, many, names, sizeof names);
    measure_filters(wide, names, "P15 every name different", 1.5);
    store_close(wide);
    return 0;
}
