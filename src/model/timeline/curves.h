/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves that panes draw above or below their tables: memory over time or nodes, sizes of the data queues.
 * Values are doubles in base units; NAN: not known. The caller frees them with *_done().
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_CURVES_H
#define NPUSCOPE_MODEL_TIMELINE_CURVES_H

#include "model/view/view.h"

#define CURVES_MAX 8

struct curve {
    char name[64];    /* raw bytes */
    char between[96]; /* of a connector the ops that it joins, raw bytes; "" not known */
    double *v;        /* n values: the largest of each bucket, or the one that holds; NAN before the first */
    double *x;        /* of memory: where each is first, so that a bucket stands for one place of the axis */
    double capacity;  /* queues; NAN unknown */
};
struct curves {
    struct curve c[CURVES_MAX];
    size_t n_curves, n;
    /*
     * x is a node of the graph, or an entry of an allocator's trace without times, else ns since the rank's
     * first instant, or a sequence number (queues)
     */
    bool by_node, by_entry;
    double x0, x1;       /* of the first and last value */
    double peak, peak_x; /* largest value of the first curve; NAN none */
    bool peak_known;     /* its time on the rank's clock: */
    int64_t peak_ns;
    int64_t first_ns;       /* what x counts from: x + first_ns is stored */
    double capacity, fixed; /* bytes of the device, static part; NAN unknown */
    /* Blocks of the rank have coarser times than its pool: curves_moment() of one, which is stored, ... */
    bool coarse;
    int64_t origin_ns; /* ... with this added to it is Unix time */
    char pool[64];     /* component whose memory over time it is; raw bytes, "" none */
};

/* Which graph, and which pool (its component_id), the curve of memory of rank :rank is about; NULL: none. */
#define CURVES_GRAPH_SQL                                                                                     \
    "(SELECT ifnull(graph_id, 0) FROM mem_node WHERE rank = :rank AND used_b IS NOT NULL LIMIT 1)"
#define CURVES_POOL_SQL                                                                                      \
    "(SELECT component_id FROM mem_sample m WHERE rank = :rank GROUP BY component_id ORDER "                 \
    "BY " STORE_IS_PROCESS("m") ", max(reserved_b) DESC, 1 LIMIT 1)"

/*
 * Files of MindSpore have the pool's times to the ns and those of its blocks as a double of us, which are a
 * quarter of a us apart and written with one digit (doc/formats/framework.md#operator_memory): the moment is
 * rounded as they were. Rounding keeps the order, so a block allocated by then is among those listed.
 */
#define CURVES_ORIGIN_SQL                                                                                    \
    "(SELECT ifnull((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'origin_ns'), 0))"
#define CURVES_COARSE_SQL                                                                                    \
    "NOT EXISTS (SELECT 1 FROM mem_alloc WHERE rank = :rank AND alloc_ns IS NOT NULL AND (alloc_ns "         \
    "+ " CURVES_ORIGIN_SQL ") % 1000 NOT IN (0, 200, 500, 800))"

/*
 * Memory in n buckets: nodes of the first graph where the run has them, else the pool that reserved most,
 * over time or over the entries of its trace, else the process. The first curve has the name of its quantity
 * (alive, reserved, process). n_curves 0: no data.
 */
NODISCARD int curves_memory(struct curves *out, const struct view_part *p, size_t n, struct err *e);
/* Sizes of the queues, connectors last; n values each over all samples. */
NODISCARD int curves_queues(struct curves *out, const struct view_part *p, size_t n, struct err *e);
/* The moment that the blocks of memory are listed at for a place of the curve over time; both stored ns. */
int64_t curves_moment(const struct curves *c, int64_t at_ns);
void curves_done(struct curves *c);

#endif
