/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demo_make DIR [key=number]...: writes a synthetic profile for the golden tests; keys gen, ranks, steps,
 * model, size, seed.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/demo.h"

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
    else
        return -1;
    return 0;
}

int main(int argc, char **argv)
{
    struct demo_opts o = { .gen = 0 };
    struct demo_summary s;
    struct err e = ERR_INIT;
    char text[600];
    if (argc < 2) {
        fprintf(stderr, "usage: demo_make DIR [key=number]...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        if (set(&o, argv[i])) {
            fprintf(stderr, "demo_make: what is %s?\n", argv[i]);
            return 2;
        }
    if (demo_write(&o, argv[1], &s, &e)) {
        fprintf(stderr, "demo_make: %s\n", err_message(&e, text, sizeof text));
        return 1;
    }
    printf("demo_make: %s: %d ranks, %d steps, %" PRIu64 " events on rank 0, %" PRIu64 " files, %" PRIu64
           " bytes\n",
           s.run_dir, s.ranks, s.steps, s.rank0.events, s.files, s.bytes);
    return 0;
}
