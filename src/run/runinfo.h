/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run says about itself: options, versions, ranks, start and end, taken from profiler_info_*.json and
 * what lies beside it. Owned by the unit; texts live as long as it does.
 */
#ifndef NPUSCOPE_RUNINFO_H
#define NPUSCOPE_RUNINFO_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "run/kind.h"

struct run_setting {
    struct str key, value; /* key is a path: "experimental_config._profiler_level" */
    int rank;              /* -1: the unit */
    uint32_t source_id;
};

struct run_rank {
    int rank;
    bool known;       /* recorded in the run, not given by us */
    int device;       /* -1 unknown */
    const char *host; /* NULL unknown */
};

#define RUN_LEVEL_NONE (-2) /* the level was set to none */

enum tristate { TRI_UNKNOWN, TRI_NO, TRI_YES };

struct runinfo {
    enum gen gen;
    struct run_setting *settings;
    size_t n_settings;
    struct run_rank *ranks;
    size_t n_ranks; /* at least 1 */
    bool has_info;  /* a profiler_info file was read */
    enum tristate started, stopped, analysed;
    struct str start_time, stop_time; /* as recorded */
    struct str version, cann_version, device_type;
    int level; /* profiler level 0 to 2, RUN_LEVEL_NONE, -1 unknown */
    /* started, stopped, analysed: of the collection; analysed also when result files lie there.
     * communication: more than one rank took part, or its collection was asked for.
     * comm_asked: its collection was asked for, as an option or a profiler level says. */
    enum tristate profile_memory, data_process, communication, cpu, npu, l2_cache, record_shapes, export_db,
        export_text, graph_mode, hbm_ddr, sys_interconnection, sys_io, comm_asked;
    bool one_rank;            /* the files say that the job has one rank only: nothing communicates */
    double aic_freq_mhz;      /* 0 unknown */
    int aic_cores, aiv_cores; /* 0 unknown */
};

/* Value of a setting by the end of its key ("rank_id"), p NULL when not recorded. rank -1: any. */
struct str runinfo_get(const struct runinfo *r, const char *key, int rank);

/*
 * When the run began, to the second and with its zone: "2026-03-14 09:12:07 UTC+8", "host time" where the
 * files do not tell it; "": not recorded.
 */
void runinfo_when(const struct runinfo *r, int rank, char *buf, size_t n);

#endif
