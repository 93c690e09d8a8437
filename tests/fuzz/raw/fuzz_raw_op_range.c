/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FRAMEWORK files, alone or beside a PROF folder: what is nested lies within, what is joined was read, every
 * index leads somewhere, and so do the rows of the import.
 *
 * The input: a byte of bits, then pieces (fuzz_folder_part). tests/fuzz/framework.py writes one.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "parsers/framework/memory.h"
#include "parsers/framework/python.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_group.h"
#include "tests/fuzz/fuzz_pieces.h"
#include "tests/fuzz/raw/fuzz_raw.h"

enum { IS_TORCH = 1, HAS_PROF = 2, COUNTS = 4, IS_26 = 8 };
#define PATH_N 400

/* clang-format off */
static const struct file_of {
    const char *name;
    enum role role;
} files[] = {
    { "FRAMEWORK/torch.op_range", ROLE_HOST_RANGES },
    { "FRAMEWORK/torch.op_mark", ROLE_HOST_MARKS },
    { "FRAMEWORK/torch.memory_usage", ROLE_HOST_MEMORY },
    { "FRAMEWORK/mindspore.op_range", ROLE_HOST_RANGES },
    { "FRAMEWORK/mindspore.memory_usage", ROLE_HOST_MEMORY },
    { "FRAMEWORK/mindspore.record_shapes", ROLE_HOST_PYTHON },
    { "FRAMEWORK/torch.python_tracer_func", ROLE_HOST_PYTHON },
    { "FRAMEWORK/torch.python_tracer_hash", ROLE_HOST_PYTHON },
    { "FRAMEWORK/torch.param_tensor_info", ROLE_HOST_PYTHON },
    { "FRAMEWORK/torch.gc_record", ROLE_HOST_PYTHON },
    { "FRAMEWORK/torch.python_func_call", ROLE_HOST_PYTHON },
    { "FRAMEWORK/torch.python_module_call", ROLE_HOST_PYTHON },
};
/* clang-format on */
#define N_FILES ARRAY_LEN(files)

struct folder {
    char path[N_FILES][PATH_N];
    struct source_file file[N_FILES];
    bool has[N_FILES];
};

static void put_file(struct folder *d, const char *root, size_t k, const struct fuzz_part *x)
{
    d->has[k] = x->has;
    snprintf(d->path[k], PATH_N, "%s/%s", root, files[k].name);
    d->file[k] = (struct source_file){ .id = (uint32_t)(FUZZ_PIECES + k + 1),
                                       .path = d->path[k],
                                       .rel = files[k].name,
                                       .regular = true,
                                       .size_b = x->n };
    if (d->has[k])
        fuzz_folder_put(files[k].name, x->p, x->n);
}

/* ---- what is read and joined ---- */

static void check_text(const struct framework *f, uint32_t text)
{
    FUZZ_CHECK(text == FRAMEWORK_NONE || text < intern_count(f->texts));
    FUZZ_CHECK(fuzz_sum(framework_str(f, text)) <= UINT32_MAX / 2);
}

static void check_ranges(const struct framework *f, const struct framework_joins *j)
{
    for (size_t i = 0; i < f->n_ranges; i++) {
        const struct framework_range *x = &f->range[i];
        uint32_t above = j->above[i];
        check_text(f, x->name);
        check_text(f, x->stack);
        check_text(f, x->module);
        check_text(f, x->shapes);
        FUZZ_CHECK(j->order[i] < f->n_ranges);
        if (above == FRAMEWORK_NONE)
            continue;
        const struct framework_range *a = &f->range[above];
        FUZZ_CHECK(a->thread == x->thread && a->from <= x->from && a->to >= x->to);
    }
}

static void check_range(const struct framework *f, uint32_t range)
{
    FUZZ_CHECK(range == FRAMEWORK_NONE || range < f->n_ranges);
}

static void check_queue(const struct framework *f, const struct framework_joins *j)
{
    FUZZ_CHECK(j->n_put <= j->n_queued && j->n_queued <= f->n_marks);
    for (size_t i = 0; i < j->n_queued; i++) {
        const struct framework_queued *q = &j->queued[i];
        FUZZ_CHECK(q->from <= q->to && q->put == (i < j->n_put));
        check_range(f, q->range);
        check_text(f, q->name);
        check_text(f, framework_taken_name(j, q));
        check_range(f, framework_launcher(j, q->thread, q->from));
        (void)framework_put_for(j, q->thread, q->to);
    }
    for (size_t i = 0; i < f->n_ranges; i++)
        check_range(f, framework_launcher(j, f->range[i].thread, f->range[i].from + 1));
}

static void check_memory(const struct framework_memory *m, const struct framework_joins *j)
{
    FUZZ_CHECK(m->n_allocations <= m->n_events);
    for (size_t i = 0; i < m->n_allocations; i++) {
        const struct framework_allocation *a = &m->allocation[i];
        const struct framework_memory_event *x = &m->event[a->alloc];
        FUZZ_CHECK(x->kind == MEMORY_ALLOC);
        FUZZ_CHECK(!i || m->event[m->allocation[i - 1].alloc].at <= x->at);
        FUZZ_CHECK(a->release == FRAMEWORK_NONE || m->event[a->release].at >= x->at);
        FUZZ_CHECK(a->block_release == FRAMEWORK_NONE || m->event[a->block_release].at >= x->at);
        check_text(m->f, x->owner);
        check_range(m->f, framework_memory_owner(j, x));
    }
}

static void check_python(const struct framework_python *p, size_t n_before)
{
    const struct framework *f = p->f;
    struct framework_param one;

    FUZZ_CHECK(f->n_ranges - n_before <= p->n_calls);
    FUZZ_CHECK(p->n_frames == (p->keeps_frames ? f->n_ranges - n_before : 0));
    for (size_t i = 0; i < p->n_frames; i++)
        FUZZ_CHECK(p->frame[i].range >= n_before && p->frame[i].range < f->n_ranges &&
                   p->frame[i].id < p->n_calls && p->frame[i].above <= p->frame[i].id);
    for (size_t i = n_before; i < f->n_ranges; i++) {
        FUZZ_CHECK(f->range[i].is & RANGE_FRAME && f->range[i].from <= f->range[i].to);
        check_text(f, f->range[i].name);
        (void)framework_python_params(p, &f->range[i]);
    }
    for (size_t i = 0; i < p->n_params; i++)
        for (int k = 0; k < 2; k++) {
            struct str text = framework_str(f, k ? p->params[i].optimizer : p->params[i].module);
            while (framework_param_next(&text, k, &one))
                FUZZ_CHECK(fuzz_sum(one.name) + fuzz_sum(one.type) + fuzz_sum(one.sizes) < UINT32_MAX / 2);
        }
    for (size_t i = 0; i < p->n_shapes; i++) {
        check_text(f, p->shapes[i].name);
        check_text(f, p->shapes[i].shapes);
    }
}

/* A file that is none of its kind is refused, everything else is read. */
static void read_one(struct framework *f, struct framework_memory *m, struct framework_python *p,
                     struct parse_ctx *c, enum role role)
{
    struct err e = ERR_INIT;
    int rc = role == ROLE_HOST_RANGES   ? framework_read_ranges(f, c, &e)
             : role == ROLE_HOST_MARKS  ? framework_read_marks(f, c, &e)
             : role == ROLE_HOST_MEMORY ? framework_memory_read(m, c, &e)
                                        : framework_python_read(p, c, &e);

    FUZZ_CHECK(rc == OK || (rc == ERR_FORMAT && e.text[0]));
}

static void check_model(const struct folder *d, uint8_t how, const struct runinfo *run)
{
    struct framework f = { .torch = how & IS_TORCH, .names_of_26 = how & IS_26 };
    struct framework_joins j = { .f = NULL };
    struct framework_memory m;
    struct framework_python p;
    struct sink_count *count = NULL;
    struct err e = ERR_INIT;

    f.clock = (struct framework_clock){ .hz = how & COUNTS ? 24000000 : 0, .counter = 1000, .wall_ns = 5 };
    f.clock.drops = f.torch;
    FUZZ_CHECK(sink_count_new(&count, &e) == OK && framework_init(&f, NULL, &e) == OK);
    framework_memory_init(&m, &f);
    framework_python_init(&p, &f);
    p.keeps_frames = how & IS_TORCH;
    for (size_t i = 0; i < N_FILES; i++) {
        struct parse_ctx c = { .f = &d->file[i], .run = run, .out = sink_count_sink(count) };
        if (d->has[i])
            read_one(&f, &m, &p, &c, files[i].role);
    }
    size_t n_recorded = f.n_ranges;
    FUZZ_CHECK(framework_python_replay(&p, &e) == OK);
    check_python(&p, n_recorded);
    FUZZ_CHECK(framework_join(&j, &f, &e) == OK && framework_memory_pair(&m, &e) == OK);
    check_ranges(&f, &j);
    check_queue(&f, &j);
    check_memory(&m, &j);
    framework_python_done(&p);
    framework_memory_done(&m);
    framework_joins_done(&j);
    framework_done(&f);
    sink_count_free(count);
}

/* ---- rows ---- */

static void check_rows(const struct folder *d, const struct fuzz_prof *x, uint8_t how,
                       const struct runinfo *run)
{
    struct group_member m[FUZZ_PIECES + N_FILES];
    const struct group_kind *k = registry_groups;
    size_t n = 0;

    memset(m, 0, sizeof m);
    for (size_t i = 0; i < x->n; i++)
        m[n++] = (struct group_member){ .c = { .f = x->files[i] } };
    for (size_t i = 0; i < N_FILES; i++)
        if (d->has[i] && (files[i].name[10] == 't') == (how & IS_TORCH))
            m[n++] = (struct group_member){ .role = files[i].role, .c = { .f = &d->file[i] } };
    while (k->id && strcmp(k->id, "prof") != 0)
        k++;
    if (n)
        fuzz_group(k, m, n, run, 3, false);
}

/* Records of the families of a PROF folder, six each; their calls are of thread 1. */
static struct fuzz_prof prof_folder(void)
{
    static uint8_t in[2 + 60 * 6 * 4];
    size_t n = 2;

    for (unsigned file = 0; file < 60; file++)
        for (unsigned i = 0; i < 6; i++, n += 4) {
            in[n] = (uint8_t)file;
            in[n + 1] = (uint8_t)i;
        }
    return fuzz_pieces(in, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t head = size > 0;
    uint8_t how = size ? data[0] : 0;
    struct fuzz_prof x = { .n = 0 };
    struct run_rank rank = { .rank = 3, .device = 0 };
    const struct runinfo run = { .ranks = &rank, .n_ranks = 1 };
    static struct folder d;
    static char root[300];

    if (how & HAS_PROF) {
        x = prof_folder();
        snprintf(root, sizeof root, "%.*s", (int)(strrchr(x.path, '/') - x.path), x.path);
    } else {
        snprintf(root, sizeof root, "%s", fuzz_folder(data, 0));
    }
    for (size_t k = 0; k < N_FILES; k++) {
        const struct fuzz_part part = fuzz_folder_part(data + head, size - head, k, N_FILES);
        put_file(&d, root, k, &part);
    }
    check_model(&d, how, &run);
    check_rows(&d, &x, how, &run);
    return 0;
}
