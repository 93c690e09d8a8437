/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the export of PROF folders: one folder being exported. Steps run in the order of
 * msprof/msprof.c's table; the data that is read and derived (parsers/prof/) lives until the end of the run.
 */
#ifndef NPUSCOPE_MSPROF_RUN_H
#define NPUSCOPE_MSPROF_RUN_H

#include "emit/emit.h"
#include "msprof/clock.h"
#include "msprof/msprof.h"
#include "msprof/soc_kept.h"
#include "msprof/window.h"
#include "parsers/prof/device/pmu.h"
#include "parsers/prof/host/tx.h"
#include "parsers/prof/jobs.h"
#include "parsers/prof/model.h"

struct msprof_met { /* marks of the program that a device met */
    struct prof_tx_met *v;
    size_t n;
};
struct msprof_run;
struct msprof_counters { /* of a device; a thread reads them */
    struct msprof_run *r;
    size_t dev;
};
struct msprof_shown { /* whether msprof shows a call of the system: by text id, 0: not looked up yet */
    uint8_t *v;
    size_t n;
};

struct msprof_run {
    const struct unit *unit;
    const struct msprof_options *o;
    struct prof_model m;
    struct msprof_clock *clock; /* of each device; the Python half's */
    struct prof_how *how;       /* of each device: what is kept, in the arithmetic of which half */
    struct prof_steps *steps;   /* of each device */
    struct prof_pmu **pmu;      /* of each device, when `beside` was joined: */
    struct msprof_counters *counters;
    struct prof_jobs *beside;
    struct prof_txs tx;     /* marks of the program */
    struct msprof_met *met; /* of each device */
    struct msprof_clock host_clock;
    struct msprof_shown shown;  /* of the texts of p */
    struct msprof_soc_kept soc; /* of p */
    /*
     * msprof's Python half makes the text: chips before 910B, partial exports
     * (doc/formats/prof.md#two-implementations)
     */
    enum dialect dialect;
    bool fast_host; /* with --compat: the host's counter of 1000 MHz is taken for ns, but not by all */
    struct arena *a;
    struct emit_report *report;
    struct sink *notes;
    char out_dir[1024];
};

/*
 * Checks that a partial export has something to export on one of the devices. ERR_USAGE says which iterations
 * exist instead.
 */
NODISCARD int msprof_check_iterations(const struct msprof_run *r, struct err *e); /* msprof/query.c */

/* ---- output ---- */

/* A file of this name below the PROF folder, or where the caller's create puts it. */
NODISCARD int msprof_create(struct msprof_run *r, struct emit **o, const char *name, bool replace,
                            struct err *e);
/*
 * Begins a file called name ("msprof", with its stamp and ending); end it with msprof_close(), which writes
 * its row of the report.
 */
NODISCARD int msprof_open(struct msprof_run *r, struct emit **o, const char *name, const char *ending,
                          struct err *e);
/* Also to be called after an error (e set): the file is dropped then. Returns e's code. */
NODISCARD int msprof_close(struct msprof_run *r, struct emit *o, struct err *e);
/* Reports that the file cannot be made, and why. */
void msprof_no_data(struct msprof_run *r, const char *name, const char *ending, const char *why);

/*
 * A table (doc/formats/msprof.md#output-files): without rows there is no file; above MSPROF_SLICE rows there
 * are several files, each with the header. The caller announces the number of rows.
 *
 *   msprof_csv_begin(&c, r, "op_summary", n, "Device_id,Model ID,...", e);
 *   struct emit *o = msprof_csv_row(&c, e);   NULL: e is set; then cells and the line end ('\n') by the
 *                                             caller
 *   msprof_csv_end(&c, e);                    also after an error
 */
#define MSPROF_SLICE 1000000
struct msprof_csv {
    struct msprof_run *r;
    const char *name, *header;
    struct emit *o;
    uint64_t n, done, in_slice;
};
NODISCARD int msprof_csv_begin(struct msprof_csv *c, struct msprof_run *r, const char *name, uint64_t n_rows,
                               const char *header, struct err *e);
struct emit *msprof_csv_row(struct msprof_csv *c, struct err *e);
NODISCARD int msprof_csv_end(struct msprof_csv *c, struct err *e);
/* A comma and a cell, quoted where needed (doc/formats/msprof.md#output-files). */
void msprof_cell(struct emit *o, struct str s);

/* ---- steps, in order; NULL in the table of msprof/msprof.c: not yet ---- */

NODISCARD int msprof_op_summary(struct msprof_run *r, struct err *e);     /* msprof/tables/op_summary.c */
NODISCARD int msprof_op_statistic(struct msprof_run *r, struct err *e);   /* msprof/tables/op_statistic.c */
NODISCARD int msprof_task_time(struct msprof_run *r, struct err *e);      /* msprof/tables/task_time.c */
NODISCARD int msprof_step_trace(struct msprof_run *r, struct err *e);     /* msprof/tables/step_trace.c */
NODISCARD int msprof_api_statistic(struct msprof_run *r, struct err *e);  /* msprof/tables/api.c */
NODISCARD int msprof_fusion_op(struct msprof_run *r, struct err *e);      /* msprof/tables/fusion.c */
NODISCARD int msprof_comm_statistic(struct msprof_run *r, struct err *e); /* msprof/tables/comm.c */
NODISCARD int msprof_comm_json(struct msprof_run *r, struct err *e);      /* msprof/tables/comm_json.c */
NODISCARD int msprof_comm_matrix(struct msprof_run *r, struct err *e);    /* msprof/tables/comm_matrix.c */
NODISCARD int msprof_memory(
    struct msprof_run *r,
    struct err *e); /* msprof/tables/memory.c: memory_record, operator_memory, npu_mem, npu_module_mem */
NODISCARD int msprof_aicpu(struct msprof_run *r,
                           struct err *e); /* msprof/tables/aicpu.c: aicpu, aicpu_mi, dp */
NODISCARD int
msprof_sampled(struct msprof_run *r,
               struct err *e); /* msprof/tables/sampled.c: hbm, hccs, llc_read_write, pcie, nic, roce ... */
NODISCARD int msprof_host_usage(struct msprof_run *r,
                                struct err *e); /* msprof/tables/usage.c: host_cpu_usage ... */
NODISCARD int msprof_system(struct msprof_run *r,
                            struct err *e); /* msprof/tables/system.c: cpu_usage, sys_mem, dvpp ... */
NODISCARD int msprof_tscpu(struct msprof_run *r,
                           struct err *e); /* msprof/tables/tscpu.c: ts_cpu_pmu_events, ts_cpu_top_function */
NODISCARD int msprof_ccu(struct msprof_run *r,
                         struct err *e); /* msprof/tables/ccu_csv.c: ccu_mission, ccu_channel */
NODISCARD int msprof_l2_cache(struct msprof_run *r, struct err *e);         /* msprof/tables/l2.c */
NODISCARD int msprof_core_utilization(struct msprof_run *r, struct err *e); /* msprof/tables/cores.c */
NODISCARD int msprof_tx(struct msprof_run *r, struct err *e); /* msprof/tables/tx.c: msprof_tx */
NODISCARD int msprof_trace(struct msprof_run *r,
                           struct err *e); /* msprof/trace/trace.c: msprof.json, step_trace.json */
NODISCARD int msprof_db(struct msprof_run *r, struct err *e);     /* msprof/db/db.c: msprof_*.db */
NODISCARD int msprof_readme(struct msprof_run *r, struct err *e); /* msprof/readme.c: README.txt */

#endif
