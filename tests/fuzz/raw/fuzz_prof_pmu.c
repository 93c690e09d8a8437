/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counter records of a PROF device: any bytes behind one that chooses the chip. What a task gets was read
 * while it ran, every record is of one task at most, and metrics of any numbers are numbers.
 */
#include "config.h"

#include <math.h>

#include "parsers/prof/device/metrics.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

#define N_TASKS  24
#define RECORD_B 128

/* The ids come again and again, as batches; every second one is a part of a mix kernel. */
static void make_tasks(struct prof_task *t)
{
    for (uint32_t i = 0; i < N_TASKS; i++)
        t[i] = (struct prof_task){ .start = 100 * i,
                                   .end = 100 * i + 150,
                                   .stream = 3,
                                   .task = i % 4,
                                   .context = i % 2 ? 0 : PROF_NONE,
                                   .host = i % 3 ? 0 : PROF_NONE,
                                   .source = PROF_BY_HWTS };
}

static void check_metrics(const struct prof_counts *x)
{
    static const char *const groups[] = { "PipeUtilizationExct", "Memory", "ArithmeticUtilization",
                                          "MemoryAccess" };
    struct prof_meta m = { .platform = 5, .aic_hz = 1850000000, .n_aic_events = PROF_COUNTERS };

    for (uint32_t i = 0; i < PROF_COUNTERS; i++)
        m.aic_event[i] = (uint32_t)x->v[x->main][i] & 0x5ff;
    for (size_t g = 0; g < ARRAY_LEN(groups); g++) {
        m.aic_metrics = str_of(groups[g]);
        struct prof_metric_plan p = prof_metric_plan(&m, PROF_CUBE, g % 2);
        for (size_t i = 0; i < p.group->n; i++)
            for (int c = 0; c < N_PROF_CORES; c++) {
                double us = prof_core_us(x->cycles[c], m.aic_hz, (uint32_t)x->end & 63, 24);
                FUZZ_CHECK(isfinite(us) && us >= 0);
                FUZZ_CHECK(isfinite(prof_metric(&p, i, x->cycles[c], x->v[c], us)));
            }
    }
}

static void check_tasks(const struct prof_pmu *m, const struct prof_task *t, bool stars, size_t records)
{
    struct prof_counts x;
    size_t n = 0;

    for (size_t i = 0; i < N_TASKS; i++) {
        bool has = prof_pmu_get(m, &t[i], false, &x);
        FUZZ_CHECK(has == (t[i].counter != PROF_NONE));
        if (!has)
            continue;
        n++;
        FUZZ_CHECK(x.has[x.main]);
        FUZZ_CHECK(!stars || (x.end >= t[i].start && x.end <= t[i].end));
        check_metrics(&x);
        FUZZ_CHECK(!prof_pmu_get(m, &t[i], true, &x) || !x.overflow);
    }
    FUZZ_CHECK(n == prof_pmu_n(m) && n <= records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool stars = size && data[0] & 1;
    struct source_file f = { .id = 1,
                             .path = fuzz_file(data + (size > 0), size - (size > 0)),
                             .rel = stars ? "device_0/data/ffts_profile.data.0.slice_0"
                                          : "device_0/data/aicore.data.0.slice_0",
                             .regular = true,
                             .size_b = size - (size > 0) };
    const struct source_file *files[] = { &f };
    struct prof_op op = { .mix_block = 3 };
    struct prof_host_task host_task = { .op = 0 };
    const struct prof_host h = {
        .task = &host_task, .n_tasks = 1, .op = &op, .n_ops = 1, .expanded = size && data[0] & 2
    };
    struct prof_task task[N_TASKS];
    struct prof_device d = { .task = task, .n_tasks = N_TASKS };
    struct sink_count *count = NULL;
    struct prof_pmu *m = NULL;
    struct prof *p = NULL;
    struct runinfo run = { 0 };
    struct err e = ERR_INIT;

    make_tasks(task);
    FUZZ_CHECK(sink_count_new(&count, &e) == OK);
    const struct prof_input in = {
        .files = files, .n = 1, .root = STR(""), .device = -1, .run = &run, .notes = sink_count_sink(count)
    };
    FUZZ_CHECK(prof_open(&p, &in, &e) == OK);
    p->chip = chip_of(stars ? 5 : 1);
    d.f = p->device[0];
    d.f->meta.task_based = true;
    FUZZ_CHECK(prof_pmu_read(&m, p, &d, &h, &e) == OK);
    bool packed = size > 2 && data[1] == 0x1f && data[2] == 0x8b;
    check_tasks(m, task, stars, packed ? N_TASKS : size / RECORD_B + 1);
    prof_pmu_free(m);
    prof_close(p);
    sink_count_free(count);
    return 0;
}
