/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the counters of the AI cores mean (doc/formats/msprof.md#ai-core-metrics, #csv-columns): the groups of
 * metrics that msprof names, as data, and their formulas over doubles in msprof's order of operations, so
 * that every digit comes out the same. Pure.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_METRICS_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_METRICS_H

#include "parsers/prof/device/pmu.h"

enum prof_form {
    PROF_M_RATIO, /* sum of events / cycles, one after the other */
    PROF_M_TIME,  /* that ratio * time of the task on its cores */
    PROF_M_RATE,  /* first event / second, both by cycles; 0 when there is none of the second */
    PROF_M_BW,    /* event * width * factor / (cycles / frequency) / 2^33 */
    PROF_M_SUM,   /* sum of events, each with its factor */
};

/* flags: tables that have the column (doc/formats/msprof.md#csv-columns) */
enum prof_metric_in {
    PROF_IN_CUBE = 1,    /* of op_summary, stars chips: aic_ */
    PROF_IN_VECTOR = 2,  /* aiv_ */
    PROF_IN_ONE = 4,     /* chips whose cores share columns, without prefix */
    PROF_NOT_PYTHON = 8, /* not of the tables that Python writes */
};

#define PROF_TERMS 5
struct prof_metric {
    const char *name; /* "mac_ratio", without prefix and unit */
    const char *unit; /* "us", "GB/s", "KB", "FLOPs"; "" is a share or a count */
    uint8_t form, in;
    uint8_t n_terms;
    struct {
        uint16_t event;
        float factor; /* PROF_M_BW: width and factor multiplied, C++ and Python */
        float python;
    } term[PROF_TERMS];
};

#define PROF_METRICS 15 /* of a group at most */
struct prof_metric_group {
    const char *name; /* ai_core_metrics, aiv_metrics of sample.json */
    const struct prof_metric *metric;
    size_t n;
};

/* A group of a chip (platform_version). NULL: one that is not known, or custom events. */
const struct prof_metric_group *prof_metric_group(struct str name, const struct chip *chip);

/* The metrics of one core of a device: where the events of its group are in a record. */
struct prof_metric_plan {
    const struct prof_metric_group *group; /* NULL: none */
    int8_t at[PROF_METRICS][PROF_TERMS];   /* -1: the event was not counted */
    double hz;                             /* nominal frequency, for bandwidths */
    enum dialect dialect;                  /* constants of that half of msprof */
};
struct prof_metric_plan prof_metric_plan(const struct prof_meta *m, enum prof_core core,
                                         enum dialect dialect);
/* The i-th metric of the group. cycles: of all blocks; us: time of the task on its cores; v: events. */
double prof_metric(const struct prof_metric_plan *p, size_t i, uint64_t cycles, const uint64_t *v, double us);

/*
 * Time of a kernel on its cores, us: its cycles at a frequency, shared by its blocks, as often as the blocks
 * need the cores. 0 without cycles, blocks or frequency.
 */
double prof_core_us(uint64_t cycles, uint64_t hz, uint32_t blocks, uint32_t cores);
/* The same of a core of a record, or as the record itself says it (V6). hz: of the cores. */
double prof_counts_us(const struct prof_counts *x, enum prof_core core, const struct prof_meta *m,
                      uint64_t hz, uint32_t blocks);

#endif
