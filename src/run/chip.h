/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chips: what differs between them in the files the profiler writes and in what msprof makes of these, one
 * row a chip (doc/formats/prof.md#chips). Facts about a chip are read from its row and stand nowhere else.
 */
#ifndef NPUSCOPE_CHIP_H
#define NPUSCOPE_CHIP_H

#include <stdbool.h>
#include <stdint.h>

enum chip_scheduler {
    CHIP_TS,    /* the oldest: tasks are in ts_track records of its own */
    CHIP_HWTS,  /* hwts.data */
    CHIP_STARS, /* stars_soc.data */
};

/* Sets of counter events that msprof names and computes with. */
enum chip_metrics { CHIP_METRICS, CHIP_METRICS_310P, CHIP_METRICS_V6 };

/* Which events of L2 cache counters are requests, hits and victims. */
enum chip_l2 { CHIP_L2_NONE, CHIP_L2_910, CHIP_L2_310P, CHIP_L2_STARS, CHIP_L2_V6 };

struct chip {
    int platform;        /* platform_version of info.json; -1: the row of all unknown chips */
    const char *name;    /* for people */
    const char *db_name; /* as msprof's databases have it */

    /* raw data */
    enum chip_scheduler scheduler;
    bool v6;                /* shorter records, task ids of 32 bits that tell tasks of all streams apart */
    bool batches;           /* 16-bit task ids begin anew, which batch numbers tell apart */
    bool moves_ids;         /* some bits of stream ids of "stars" belong to the task id */
    bool both_cores;        /* kernels may run on cube and vector cores at once, counted apart */
    bool ts_aicpu;          /* tasks of the AI CPU are in ts_track, which has no log of its own for them */
    bool ts_cpu_schedule;   /* ... only those that the scheduler put there */
    bool dvpp_ids;          /* lines about DVPP name the unit */
    uint8_t last_cube_core; /* ids of vector cores follow; 0: ids do not say */
    uint8_t ddr_access_b;   /* bytes of one counted access to DDR */
    uint8_t llc_caches;     /* last-level caches whose counters are added up */

    /* msprof's results */
    bool cpp;        /* written by its C++ half */
    bool db;         /* has a database */
    bool freq;       /* durations follow the measured frequency */
    bool freq_file;  /* seen in every capture: without the file of it, it is lost */
    bool freq_text;  /* the same in results that its Python half writes */
    bool l2_columns; /* op_summary has columns of L2 cache metrics */
    bool pcie_last;  /* pcie.csv has the last record, else means */
    enum chip_metrics metrics;
    enum chip_l2 l2;
};

/*
 * The row of a platform number; for an unknown number the row whose files are read as they look (platform
 * -1). Never NULL.
 */
const struct chip *chip_of(int platform);

#endif
