/* SPDX-License-Identifier: Apache-2.0 */
/* The rank table: one row per rank of a job, from its overview (doc/store.md#overview). */
#include "config.h"

#include "model/views/colset.h"

/* clang-format off */
#define NSR(id, title, expr, prio, flags, help) { id, title, expr, VT_REAL, VU_NS, 7, 9, prio, true, flags, \
    help }

static const struct view_col rank_cols[] = {
    { "state",     "State",    "u.state", VT_TEXT, VU_NONE, 13, 13, 0, false, 0, "how the run ended" },
    NSR("step_ns", "Step", COLSET_STEP_MEAN(COLSET_STEP_NS), 0, VC_BAR | VC_LEVEL, "mean length of a step"),
    NSR("computing_ns", "Compute", COLSET_STEP_MEAN("s.computing_ns"), 0, VC_LEVEL,
    "mean computing per step"),
    NSR("comm_not_overlapped_ns", "Comm only", COLSET_STEP_MEAN("s.comm_not_overlapped_ns"), 1, VC_LEVEL,
    "mean communication that is not hidden"),
    NSR("wait_ns", "Wait", "CASE WHEN :step0 IS NULL AND :step1 IS NULL THEN CASE WHEN :first_step "
    "THEN t.step_wait_all_ns ELSE t.step_wait_ns END END", 2, VC_LEVEL,
    "mean waiting in communication per step; the rank that waits least is the late one; empty in a step "
    "range"),
    NSR("late_ns", "Late", "(SELECT nullif(l.late_ns, 0) FROM rank_late l WHERE l.rank = :rank)", 1, 0,
    "time of a step that the others wait for it"),
    NSR("interval_ns", "Interval", COLSET_STEP_MEAN("s.interval_ns"), 3, VC_LEVEL, "mean interval"),
    NSR("free_ns", "Idle", COLSET_STEP_MEAN(COLSET_STEP_IDLE), 4, VC_LEVEL, "mean idle time per step"),
    { "peak_mem_b", "Peak mem", "t.peak_mem_b", VT_INT, VU_BYTES, 8, 9, 2, true, VC_LEVEL,
        "largest memory: of peak_mem_of" },
    { "peak_mem_of", "Mem kind", "t.peak_mem_of", VT_TEXT, VU_NONE, 8, 9, 6, false, VC_HIDDEN | VC_SAID,
        "what the largest memory is: alive (in a graph), reserved (by a pool), process" },
    { "steps",     "Steps",    "(SELECT nullif(count(*), 0) FROM step s WHERE s.rank = :rank "
        "AND s.complete IS NOT 0)", VT_INT, VU_COUNT, 5, 6, 4, true, 0, "whole steps that were recorded" },
    { "last_step", "Last step", "(SELECT max(step) FROM step s WHERE s.rank = :rank AND s.complete IS NOT 0)",
        VT_INT, VU_NONE, 4, 9, 5, true, 0, "number of the last whole step" },
    { "notes",     "Warnings", "t.notes", VT_INT, VU_COUNT, 8, 8, 6, true, 0,
        "warnings and errors about its files" },
    { "device",    "Dev",      "u.device", VT_INT, VU_NONE, 3, 3, 6, false, VC_HIDDEN, "device" },
    { "files",     "Files",    "u.files", VT_INT, VU_COUNT, 5, 6, 6, true, VC_HIDDEN, "files" },
    { "size_b",    "Size",     "u.size_b", VT_INT, VU_BYTES, 8, 9, 6, true, VC_HIDDEN, "bytes of all files" },
    { "path",      "Folder",   "u.path", VT_TEXT, VU_NONE, 12, 40, 6, false,
        VC_MAIN | VC_FLEX | VC_PATH | VC_WHOLE, "folder of the unit" },
};
const struct view_def view_triage_rank = {
    .id = "triage.rank", .title = "ranks", .pane = PANE_TRIAGE,
        .from = "unit u LEFT JOIN rank_total t ON t.rank = u.rank", .where = "u.rank = :rank", .key = "u.id",
    COLSET_COLS(rank_cols), .needs = COLSET_ANY("unit"), .unit_of = "ranks", .over = VIEW_OVER_JOB,
};
/* clang-format on */
