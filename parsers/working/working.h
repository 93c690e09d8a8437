/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the group of msprof's working databases (doc/formats/msprof.md#working-databases): one
 * database for each step of the export, of the host and of each device. Their tables name things by texts,
 * and tasks by stream, task, batch and context.
 */
#ifndef NPUSCOPE_PARSERS_WORKING_H
#define NPUSCOPE_PARSERS_WORKING_H

#include "parsers/database/database_group.h"
#include "parsers/prof/prof.h"

/* Clocks of a folder, host or device_N. */
struct working_clock {
    const struct prof_folder *folder; /* NULL: its info files are not there */
    bool has_mono;
    int64_t mono; /* to be added to the host's monotonic time, as the working databases have it */
};
struct working {
    struct database_group base;  /* its databases, tracks and the steps of the device that is read */
    struct prof *prof;           /* NULL: no info files */
    struct working_clock *clock; /* for each database */
    int *device;                 /* for each database, -1: the host's */
    struct working_ops *ops;
    struct working_execs *execs; /* of the device that is read */
};

/* The database of this device (-1: the host's) that has a table with rows, NULL: none. */
struct database *working_find(struct working *w, int device, struct str table);

/* What tasks compute (TaskInfo of the host, else ge_summary of a device): read once (working_tasks.c). */
NODISCARD int working_ops_read(struct working *w, struct err *e);
void working_ops_done(struct working *w);
/* Name of the op of a stream's task, as a text of the sink; 0: none, or several that shared the number. */
uint32_t working_op_name(struct working *w, int device, int64_t stream, int64_t task);
/* AscendTask of a device: op, op_exec, tracks of streams (working_tasks.c). */
NODISCARD int working_tasks(struct working *w, int device, struct err *e);
void working_execs_done(struct working *w);
/*
 * The execution of a stream's task that has no counters yet, in the order of their starts; 0: there is none.
 * context -1: any.
 */
int64_t working_exec(struct working *w, int64_t stream, int64_t task, int64_t context);
/* An arrow from the call of this connection (-1: none) ends at the task's start. */
NODISCARD int working_end(struct working *w, int64_t connection, const struct database_task *task,
                          struct err *e);
/* Counters of these executions (working_counters.c). */
NODISCARD int working_counters(struct working *w, int device, struct err *e);
/*
 * Curves of a device that are more than columns (working_curves.c): frequency of the AI cores and HCCS;
 * memory of a row of mem_device.
 */
NODISCARD int working_curves(struct working *w, int device, const struct prof_folder *f, struct err *e);
NODISCARD int working_memory(struct working *w, const struct database_row *r, int device, bool of_device,
                             struct err *e);
/* Communication ops and their tasks (working_comm.c). */
NODISCARD int working_comm(struct working *w, int device, struct err *e);
/* Calls of the host: sums and tracks (working_host.c). */
NODISCARD int working_host(struct working *w, struct err *e);
/* Steps of a device into base.steps, and their rows; tables that are columns only (working_maps.c). */
NODISCARD int working_steps(struct working *w, int device, struct err *e);
NODISCARD int working_plain(struct working *w, struct database *d, int device, struct err *e);

#endif
