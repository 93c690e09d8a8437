/*
 * Private to the export of PROF folders: one folder being exported. Steps (ms_*.c) run in the order of msprof/msprof.c's table; what is read and derived
 * is in parsers/prof_*.h, and lives until the end of the run.
 */
#ifndef NPUSCOPE_MSPROF_RUN_H
#define NPUSCOPE_MSPROF_RUN_H

#include "emit/vout.h"
#include "msprof/clock.h"
#include "msprof/msprof.h"
#include "msprof/soc_kept.h"
#include "msprof/window.h"
#include "parsers/prof/comm/comm.h"
#include "parsers/prof/device/pmu.h"
#include "parsers/prof/host/tx.h"
#include "parsers/prof/jobs.h"

struct ms_met { /* marks of the program that a device met */
    struct prof_tx_met *v;
    size_t n;
};
struct ms_run;
struct ms_counters { /* of a device, which a thread reads */
    struct ms_run *r;
    size_t dev;
};
struct ms_shown { /* calls of the system that msprof shows: by text id, 0 it was not asked yet */
    uint8_t *v;
    size_t n;
};
#define MS_TX_CONNECTION 4000000001u /* + number of a mark: its connection id */

struct ms_run {
    const struct unit *unit;
    const struct ms_options *o;
    struct prof *p;
    struct prof_host host;
    struct prof_device *dev; /* by number, as p->device */
    size_t n_dev;
    struct ms_clock *clock;   /* of each device; Python's */
    struct prof_how *how;     /* of each device: what is kept, in whose arithmetic */
    struct prof_steps *steps; /* of each device */
    struct prof_pmu **pmu;    /* of each device, when `beside` was joined: */
    struct ms_counters *counters;
    struct prof_beside *beside;
    struct prof_comm *comm; /* of each device */
    struct prof_txs tx;     /* marks of the program */
    struct ms_met *met;     /* of each device */
    struct ms_clock host_clock;
    struct ms_shown shown;  /* of the texts of p */
    struct ms_soc_kept soc; /* of p */
    bool python; /* msprof's Python half makes the text: chips before 910B, partial exports (0.1) */
    struct arena *a;
    struct vendor_report *report;
    struct sink *notes;
    char out_dir[1024];
};

/* A partial export has something to export, on one of the devices. ERR_USAGE: what there is instead. */
NODISCARD int ms_check_iterations(const struct ms_run *r, struct err *e); /* msprof/query.c */

/* ---- output ---- */

/* A file called name ("msprof", with its stamp and ending) is begun; end it with ms_close(), which writes its row of the report. */
NODISCARD int ms_open(struct ms_run *r, struct vout **o, const char *name, const char *ending,
                      struct err *e);
/* Also after an error (e set): the file is dropped then. Returns e's code. */
NODISCARD int ms_close(struct ms_run *r, struct vout *o, struct err *e);
/* The file cannot be made: why. */
void ms_no_data(struct ms_run *r, const char *name, const char *ending, const char *why);

/*
 * A table (6.1): no rows give no file; above MS_SLICE rows it goes to several, each with the header. The caller says how many rows come.
 *
 *   ms_csv_begin(&c, r, "op_summary", n, "Device_id,Model ID,...", e);
 *   struct vout *o = ms_csv_row(&c, e);   NULL: e is set; then cells and the line end ('\n') by the caller
 *   ms_csv_end(&c, e);                    also after an error
 */
#define MS_SLICE 1000000
struct ms_csv {
    struct ms_run *r;
    const char *name, *header;
    struct vout *o;
    uint64_t n, done, in_slice;
};
NODISCARD int ms_csv_begin(struct ms_csv *c, struct ms_run *r, const char *name, uint64_t n_rows,
                           const char *header, struct err *e);
struct vout *ms_csv_row(struct ms_csv *c, struct err *e);
NODISCARD int ms_csv_end(struct ms_csv *c, struct err *e);
/* A comma and a cell, quoted where needed (6.1). */
void ms_cell(struct vout *o, struct str s);

/* ---- steps, in order; NULL in the table of msprof/msprof.c: not yet ---- */

NODISCARD int ms_op_summary(struct ms_run *r, struct err *e);     /* msprof/tables/op_summary.c */
NODISCARD int ms_op_statistic(struct ms_run *r, struct err *e);   /* msprof/tables/op_statistic.c */
NODISCARD int ms_task_time(struct ms_run *r, struct err *e);      /* msprof/tables/task_time.c */
NODISCARD int ms_step_trace(struct ms_run *r, struct err *e);     /* msprof/tables/step_trace.c */
NODISCARD int ms_api_statistic(struct ms_run *r, struct err *e);  /* msprof/tables/api.c */
NODISCARD int ms_fusion_op(struct ms_run *r, struct err *e);      /* msprof/tables/fusion.c */
NODISCARD int ms_comm_statistic(struct ms_run *r, struct err *e); /* msprof/tables/comm.c */
NODISCARD int ms_comm_json(struct ms_run *r, struct err *e);      /* msprof/tables/comm_json.c */
NODISCARD int ms_comm_matrix(struct ms_run *r, struct err *e);    /* msprof/tables/comm_matrix.c */
NODISCARD int ms_memory(
    struct ms_run *r,
    struct err
        *e); /* msprof/tables/memory.c: memory_record, operator_memory, npu_mem, npu_module_mem */
NODISCARD int ms_aicpu(struct ms_run *r,
                       struct err *e); /* msprof/tables/aicpu.c: aicpu, aicpu_mi, dp */
NODISCARD int ms_sampled(
    struct ms_run *r,
    struct err *e); /* msprof/tables/sampled.c: hbm, hccs, llc_read_write, pcie, nic, roce ... */
NODISCARD int ms_host_usage(struct ms_run *r,
                            struct err *e); /* msprof/tables/usage.c: host_cpu_usage ... */
NODISCARD int ms_system(struct ms_run *r,
                        struct err *e); /* msprof/tables/system.c: cpu_usage, sys_mem, dvpp ... */
NODISCARD int
ms_tscpu(struct ms_run *r,
         struct err *e); /* msprof/tables/tscpu.c: ts_cpu_pmu_events, ts_cpu_top_function */
NODISCARD int ms_ccu(struct ms_run *r,
                     struct err *e); /* msprof/tables/ccu_csv.c: ccu_mission, ccu_channel */
NODISCARD int ms_l2_cache(struct ms_run *r, struct err *e);         /* msprof/tables/l2.c */
NODISCARD int ms_core_utilization(struct ms_run *r, struct err *e); /* msprof/tables/cores.c */
NODISCARD int ms_tx(struct ms_run *r, struct err *e); /* msprof/tables/tx.c: msprof_tx */
NODISCARD int ms_trace(struct ms_run *r,
                       struct err *e); /* msprof/trace/trace.c: msprof.json, step_trace.json */
NODISCARD int ms_db(struct ms_run *r, struct err *e);     /* msprof/db/db.c: msprof_*.db */
NODISCARD int ms_readme(struct ms_run *r, struct err *e); /* msprof/readme.c: README.txt */

#endif
