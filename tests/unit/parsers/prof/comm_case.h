/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One device with tasks of its own, made by hand: what host and device readers would give
 * (parsers/prof/host/host.h, parsers/prof/device/device.h).
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_PROF_COMM_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_PROF_COMM_CASE_H

#include <string.h>

#include "parsers/prof/comm/comm.h"
#include "parsers/prof/names.h"

#define COMM_ROOM 64

/* A count of the device is 20 ns; the collection begins at counter 3000. */
struct comm_case {
    struct prof p;
    struct prof_folder folder;
    struct prof_device d;
    struct prof_host h;
    struct prof_task task[COMM_ROOM];
    struct prof_host_task host[COMM_ROOM];
    struct prof_comm_info info[COMM_ROOM];
    struct prof_comm_op op[COMM_ROOM];
    struct prof_op ops[COMM_ROOM];
    struct prof_api api[COMM_ROOM];
    struct prof_comm c;
    struct prof_how how;
};

static inline struct comm_case *comm_case_new(void)
{
    struct comm_case *x = calloc(1, sizeof *x);
    struct err e = ERR_INIT;

    assert_non_null(x);
    assert_int_equal(arena_new(&x->p.a, (size_t)1 << 20, &e), OK);
    assert_int_equal(prof_names_new(&x->p, NULL, &e), OK);
    x->folder.meta = (struct prof_meta){ .counter_hz = 50000000,
                                         .begin_us = 5000000,
                                         .start_mono_ns = 1000000000,
                                         .host_mono_ns = 1000000000,
                                         .device_counter = 3000 };
    x->d = (struct prof_device){ .f = &x->folder, .task = x->task };
    x->h =
        (struct prof_host){ .task = x->host, .comm = x->info, .comm_op = x->op, .op = x->ops, .api = x->api };
    x->how.to = UINT64_MAX;
    return x;
}

static inline void comm_case_free(struct comm_case *x)
{
    prof_comm_done(&x->c);
    prof_names_free(x->p.names);
    arena_free(x->p.a);
    free(x);
}

/* A call of an op of a communication group, begun at a counter of the host. Returns its index. */
static inline uint32_t comm_op(struct comm_case *x, const char *name, uint64_t begin)
{
    uint32_t i = (uint32_t)x->h.n_comm_ops++;

    x->api[i] = (struct prof_api){ .begin = begin, .end = begin + 100, .level = PROF_L_NODE };
    x->h.n_apis = i + 1;
    x->op[i] = (struct prof_comm_op){ .api = i,
                                      .name = prof_text(&x->p, str_of(name)),
                                      .type = prof_text(&x->p, str_of(name)) };
    return i;
}

/* A task of an op that the host issued at a stamp, with its hccl_info. Returns its index. */
static inline uint32_t comm_host(struct comm_case *x, uint32_t op, uint64_t stamp, struct prof_comm_info info)
{
    uint32_t i = (uint32_t)x->h.n_tasks++, k = (uint32_t)x->h.n_comm++;

    x->info[k] = info;
    x->host[i] = (struct prof_host_task){ .stamp = stamp,
                                          .task = i,
                                          .type = prof_text(&x->p, STR("NOTIFY")),
                                          .op = PROF_NONE,
                                          .comm = k,
                                          .comm_op = op,
                                          .is = PROF_IS_COMM | (info.master ? PROF_IS_MASTER : 0) };
    return i;
}

/* The device ran a task of the host (PROF_NONE: of none). By start. */
static inline void comm_ran(struct comm_case *x, uint32_t host, uint64_t start, uint64_t end)
{
    x->task[x->d.n_tasks++] = (struct prof_task){ .start = start, .end = end, .host = host };
}

static inline void comm_make(struct comm_case *x)
{
    struct err e = ERR_INIT;

    assert_int_equal(prof_comm_make(&x->c, &x->p, &x->d, &x->h, &x->how, &e), OK);
}

#endif
