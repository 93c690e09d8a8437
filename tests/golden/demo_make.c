/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demo_make DIR [key=number]...: writes a synthetic profile for the golden tests; keys gen, ranks, steps,
 * model, size, seed, raw, era (a number of enum demo_era).
 * demo_make records=R ...: lists what the framework of rank R records instead, a line each, in the order of
 * the files: file, its size after the record, and the record's fields.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "demo/demo.h"
#include "demo/framework/fw.h"

static int records = -1; /* rank */

static int set(struct demo_opts *o, const char *arg)
{
    const char *eq = strchr(arg, '=');
    size_t n = eq ? (size_t)(eq - arg) : 0;
    char *end;
    uint64_t v = eq ? strtoull(eq + 1, &end, 10) : 0;
    if (!eq || eq[1] == '\0' || *end)
        return -1;
    if (n == 3 && !memcmp(arg, "gen", n))
        o->gen = (int)v;
    else if (n == 5 && !memcmp(arg, "ranks", n))
        o->ranks = (int)v;
    else if (n == 5 && !memcmp(arg, "steps", n))
        o->steps = (int)v;
    else if (n == 5 && !memcmp(arg, "model", n))
        o->model = v ? DEMO_TRANSFORMER : DEMO_RESNET;
    else if (n == 4 && !memcmp(arg, "size", n))
        o->size = v;
    else if (n == 4 && !memcmp(arg, "seed", n))
        o->seed = v;
    else if (n == 3 && !memcmp(arg, "raw", n))
        o->raw = v != 0;
    else if (n == 3 && !memcmp(arg, "era", n))
        o->era = (enum demo_era)v;
    else if (n == 7 && !memcmp(arg, "records", n))
        records = (int)v;
    else
        return -1;
    return 0;
}

/* The kernel or communication op that a record launched, 0: none. */
static struct demo_span launched(const struct demo_step *s, const struct fw_record *r)
{
    int64_t at = r->file == FW_RANGES ? r->range.start_ns : r->at_ns;
    bool torch = r->file == FW_MARKS;
    if (r->file == FW_RANGES ? r->range.kind != FW_LAUNCH : !torch || r->mark.kind != FW_DEQUEUED)
        return (struct demo_span){ 0, 0 };
    for (uint32_t i = 0; i < s->nkernel; i++)
        if (torch ? s->kernel[i].launch_ns < at && s->kernel[i].launch_ns > at - 8000
                  : s->kernel[i].launch_ns == at)
            return (struct demo_span){ s->kernel[i].start_ns, s->kernel[i].dur_ns };
    for (uint32_t i = 0; i < s->ncomm; i++)
        if (torch ? s->comm[i].launch_ns < at && s->comm[i].launch_ns > at - 8000
                  : s->comm[i].launch_ns == at)
            return (struct demo_span){ s->comm[i].start_ns, s->comm[i].dur_ns };
    return (struct demo_span){ 0, 0 };
}

static void print_record(const struct fw *f, const struct fw_record *r, uint64_t end)
{
    char file[64], name[FW_NAME_B];
    const struct ascend *g = f->g;
    struct demo_span on = launched(&g->walk.step, r);
    if (!fw_file_name(f, r->file, file))
        return;
    printf("%s\t%" PRIu64 "\t%" PRId64, file, end, ascend_abs(g, r->at_ns));
    switch (r->file) {
    case FW_RANGES:
        printf("\t%d\t%u\t%" PRId64 "\t%s\t%" PRId64 "\t%u\t%" PRIu64, (int)r->range.kind, r->range.thread,
               ascend_abs(g, r->range.start_ns), fw_range_name(&r->range, name), r->range.sequence,
               r->range.forward, r->range.flow);
        break;
    case FW_MARKS:
        printf("\t%d\t%u\t%" PRIu64 "\t%s", (int)r->mark.kind, r->mark.thread, r->mark.correlation,
               r->mark.name);
        break;
    case FW_MEMORY:
        printf("\t%d\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s",
               (int)r->memory.change, r->memory.thread, r->memory.address, r->memory.size_b, r->memory.used_b,
               r->memory.reserved_b, r->memory.active_b, r->memory.owner);
        break;
    case FW_SHAPES:
        printf("\t%s", r->shapes->leaf);
        break;
    case FW_CALLS:
    case FW_TEXTS:
        printf("\t%u\t%" PRIu64 "\t%d\t%d\t%s", r->call.thread, r->call.key, r->call.is_c, r->call.returns,
               r->call.text);
        break;
    default:
        printf("\t%" PRId64 "\t%" PRId64, ascend_abs(g, r->gc.start_ns), r->gc.dur_ns);
    }
    if (on.dur_ns)
        printf("\t%" PRId64 "\t%" PRId64, ascend_abs(g, on.start_ns), on.dur_ns);
    printf("\n");
}

static int list(const struct demo_opts *o, struct err *e)
{
    struct demo_run *run;
    struct ascend g = { .rank = records };
    struct fw f = { .n = 0 };
    uint64_t size[FW_FILES] = { 0 };
    struct buf b;
    if (demo_run_new(&run, o, e))
        return e->code;
    buf_init(&b, 1 << 20);
    if (!ascend_init(&g, run, records, ".", e) && !demo_walk_init(&g.walk, run, records, e) &&
        !fw_init(&f, &g, true, e))
        while (demo_walk_next(&g.walk) && !fw_step(&f, e))
            for (uint32_t i = 0; i < f.n; i++) {
                buf_clear(&b);
                fw_put(&f, &f.v[i], &b);
                size[f.v[i].file] += b.n;
                print_record(&f, &f.v[i], size[f.v[i].file]);
            }
    buf_done(&b);
    fw_done(&f);
    demo_walk_done(&g.walk);
    demo_run_free(run);
    return e->code;
}

int main(int argc, char **argv)
{
    struct demo_opts o = { .gen = 0 };
    struct demo_summary s;
    struct err e = ERR_INIT;
    char text[600];
    if (argc < 2) {
        fprintf(stderr, "usage: demo_make DIR|records=R [key=number]...\n");
        return 2;
    }
    for (int i = strchr(argv[1], '=') ? 1 : 2; i < argc; i++)
        if (set(&o, argv[i])) {
            fprintf(stderr, "demo_make: what is %s?\n", argv[i]);
            return 2;
        }
    if (records < 0 ? demo_write(&o, argv[1], &s, &e) : list(&o, &e)) {
        fprintf(stderr, "demo_make: %s\n", err_message(&e, text, sizeof text));
        return 1;
    }
    if (records >= 0)
        return 0;
    printf("demo_make: %s: %d ranks, %d steps, %" PRIu64 " events on rank 0, %" PRIu64 " files, %" PRIu64
           " bytes\n",
           s.run_dir, s.ranks, s.steps, s.rank0.events, s.files, s.bytes);
    return 0;
}
