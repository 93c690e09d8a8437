/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs of a PROF device, in a folder made from the input (fuzz_folder.h; its first byte chooses the chip):
 * tasks, copies, frequencies and steps. What a task, a pair or an iteration is made of was in the logs, in
 * their order, and its host task has its ids.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "parsers/prof/device/steps.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz_folder.h"

#define RECORD_LEAST_B 40
#define N_HOST         32

static const char *const names[] = {
    "device_0/data/stars_soc.data.0.slice_0", "device_0/data/stars_soc.data.0.slice_1",
    "device_0/data/hwts.data.0.slice_0",      "device_0/data/hwts.aiv_data.0.slice_0",
    "device_0/data/ts_track.data.0.slice_0",  "device_0/data/lpmFreqConv.data.0.slice_0",
};
#define FIRST_SLICE 0
#define LATER_SLICE 1

struct files {
    char path[ARRAY_LEN(names)][512];
    struct source_file f[ARRAY_LEN(names)];
    const struct source_file *v[ARRAY_LEN(names)];
    size_t n;
    uint64_t size_b;
};

static void find_files(struct files *x, const char *folder)
{
    memset(x, 0, sizeof *x);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct stat st;
        snprintf(x->path[i], sizeof x->path[i], "%s/%s", folder, names[i]);
        if (stat(x->path[i], &st) || !S_ISREG(st.st_mode))
            continue;
        x->f[i] = (struct source_file){ .id = (uint32_t)i + 1,
                                        .path = x->path[i],
                                        .rel = names[i],
                                        .regular = true,
                                        .size_b = (uint64_t)st.st_size };
        x->size_b += x->f[i].size_b;
        x->v[x->n++] = &x->f[i];
    }
    if (x->f[FIRST_SLICE].regular && x->f[LATER_SLICE].regular) {
        x->f[FIRST_SLICE].next_slice = &x->f[LATER_SLICE];
        x->f[LATER_SLICE].later_slice = true;
    }
}

/* By stream, task, context, batch; two have the same ids. */
static void make_host(struct prof_host_task *t)
{
    for (uint32_t i = 0; i < N_HOST; i++)
        t[i] = (struct prof_host_task){ .stamp = 100 - i,
                                        .stream = 9,
                                        .task = i / 4,
                                        .context = i & 2 ? PROF_NONE : 0,
                                        .batch = i % 4 ? i & 1 : 0 };
    t[N_HOST - 1].batch = t[N_HOST - 2].batch;
}

static void check_tasks(const struct prof_device *d, const struct prof_host_task *host)
{
    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        FUZZ_CHECK(t->start <= t->end && (!i || d->task[i - 1].start <= t->start));
        FUZZ_CHECK(t->stream < 65536 && t->task < 65536);
        FUZZ_CHECK((t->context != PROF_NONE) == (t->source == PROF_BY_FFTS));
        FUZZ_CHECK(!t->outer || t->source != PROF_BY_FFTS);
        FUZZ_CHECK(t->counter == PROF_NONE);
        if (t->host == PROF_NONE)
            continue;
        FUZZ_CHECK(t->host < N_HOST);
        const struct prof_host_task *h = &host[t->host];
        FUZZ_CHECK(h->stream == t->stream && h->task == t->task && h->context == t->context &&
                   h->batch == t->batch);
    }
    FUZZ_CHECK(d->n_freq >= 1);
    for (size_t i = 1; i < d->n_freq; i++) {
        FUZZ_CHECK(i == 1 || d->freq[i - 1].counter <= d->freq[i].counter);
        FUZZ_CHECK(prof_freq_at(d, d->freq[i].counter) > 0);
    }
}

static void check_steps(const struct prof_device *d, bool one_row)
{
    struct prof_steps s;
    struct err e = ERR_INIT;

    FUZZ_CHECK(prof_steps_of(&s, d->mark, d->n_marks, one_row, &e) == OK);
    FUZZ_CHECK(s.n_steps + s.n_reduces + s.n_get_nexts <= d->n_marks * 2);
    for (size_t i = 0; i < s.n_steps; i++) {
        const struct prof_step *x = &s.step[i];
        FUZZ_CHECK(!i || s.step[i - 1].end <= x->end);
        FUZZ_CHECK((size_t)x->reduce + x->n_reduces <= s.n_reduces);
        FUZZ_CHECK((size_t)x->get_next + x->n_get_nexts <= s.n_get_nexts);
        FUZZ_CHECK(!x->has_aug || x->fp >= x->aug);
        FUZZ_CHECK(!x->again || !one_row);
    }
    prof_steps_done(&s);
}

static void check_device(struct prof *p, const struct files *x, bool packed, bool expanded)
{
    struct prof_host_task host[N_HOST];
    const struct prof_host h = { .task = host, .n_tasks = N_HOST, .expanded = expanded };
    struct prof_device d;
    struct err e = ERR_INIT;

    make_host(host);
    p->device[0]->meta.device_counter = 1000;
    p->device[0]->meta.aic_hz = 1850000000;
    FUZZ_CHECK(prof_device_read(&d, p, p->device[0], &h, &e) == OK);
    FUZZ_CHECK(packed ||
               d.n_tasks * 2 + d.n_copies * 3 + d.n_marks + d.n_blocks <= x->size_b / RECORD_LEAST_B);
    check_tasks(&d, host);
    check_steps(&d, false);
    check_steps(&d, true);
    prof_device_done(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int chips[] = { 5, 1, 4, -1 };
    static struct files x;
    struct sink_count *count = NULL;
    struct prof *p = NULL;
    struct runinfo run = { 0 };
    struct err e = ERR_INIT;

    find_files(&x, fuzz_folder(data, size));
    FUZZ_CHECK(sink_count_new(&count, &e) == OK);
    const struct prof_input in = {
        .files = x.v, .n = x.n, .root = STR(""), .device = -1, .run = &run, .notes = sink_count_sink(count)
    };
    if (prof_open(&p, &in, &e) == OK && p->n_devices) {
        p->chip = chip_of(chips[size ? data[0] & 3 : 0]);
        check_device(p, &x, memmem(data, size, "\x1f\x8b", 2) != NULL, size && data[0] & 4);
    }
    prof_close(p);
    sink_count_free(count);
    return 0;
}
