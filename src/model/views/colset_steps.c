/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Steps pane: one for runs with forward and backward points, one for runs with a split. */
#include "config.h"

#include "model/views/colset.h"

/* clang-format off */
#define NS(id, title, expr, w, prio, flags, help) { id, title, expr, VT_INT, VU_NS, 7, w, prio, true, flags, \
    help }

static const struct view_col fpbp_cols[] = {
    { "step",     "Step", "s.step", VT_INT, VU_NONE, 4, 6, 0, false, VC_MAIN, "step number" },
    { "start_ns", "Start", "s.start_ns", VT_INT, VU_TS, 8, 11, 5, false, VC_HIDDEN, "start of the step" },
    NS("total_ns",    "Total",    "ifnull(s.total_ns, CASE WHEN s.end_ns >= s.start_ns THEN s.end_ns - "
    "s.start_ns END)", 9, 0, VC_BAR, "length of the step"),
    NS("interval_ns", "Interval", "s.interval_ns", 9, 1, 0,
    "from the end of the last step to the first forward op; long: data was not ready (pane 8)"),
    NS("fp_bp_ns",    "Fwd+bwd",  "s.fp_bp_ns", 9, 1, 0, "from the first forward to the last backward op"),
    NS("tail_ns",     "Tail",     "s.tail_ns", 9, 1, 0,
    "from the last backward op to the end: gradient exchange and optimizer (pane 9)"),
    NS("reduce_ns",   "Reduce",   "(SELECT sum(p.dur_ns) FROM step_part p WHERE p.rank = s.rank "
    "AND p.step = s.step AND p.kind = 'reduce')", 9, 4, VC_HIDDEN,
    "sum of the communication pieces of the step"),
    NS("refresh_ns",  "Refresh",  "s.refresh_ns", 9, 5, VC_HIDDEN, "iteration refresh as msprof gives it"),
    NS("data_aug_ns", "Data aug", "s.data_aug_ns", 9, 5, VC_HIDDEN,
    "data augmentation bound as msprof gives it"),
    { "end_ns", "End", "s.end_ns", VT_INT, VU_TS, 8, 11, 6, false, VC_HIDDEN, "end of the step" },
    { "fp_ns", "FP", "s.fp_ns", VT_INT, VU_TS, 8, 11, 6, false, VC_HIDDEN, "first forward op" },
    { "bp_ns", "BP", "s.bp_ns", VT_INT, VU_TS, 8, 11, 6, false, VC_HIDDEN, "end of the last backward op" },
    { "graph_id", "Graph", "s.graph_id", VT_INT, VU_NONE, 4, 5, 7, false, VC_HIDDEN, "graph" },
    { "model_id", "Model", "s.model_id", VT_INT, VU_NONE, 4, 5, 7, false, VC_HIDDEN, "model" },
    NS("cut_after_ns", "Cut after", "CASE WHEN s.complete = 0 THEN (SELECT max(l.ts_ns) FROM last_activity l "
    "WHERE l.rank = s.rank AND l.kind NOT IN ('queue', 'host') AND l.ts_ns >= ifnull(s.start_ns, s.fp_ns)) - "
    "ifnull(s.start_ns, s.fp_ns) END", 9, 7,
    VC_IF_ANY, "how long the step ran until the run ended, by the last record of the device"),
    { "whole", "Complete", "CASE WHEN s.complete = 0 THEN 'no' ELSE 'yes' END", VT_TEXT, VU_NONE, 8, 8, 7,
        false, VC_HIDDEN | VC_SAID, "no: the run ended inside this step" },
    COLSET_MARKS("s"),
};
const struct view_def view_steps_fpbp = {
    .id = "steps.fpbp", .title = "split", .pane = PANE_STEPS, .from = "step s",
        .where = "s.rank = :rank AND s.computing_ns IS NULL", .step = "s.step",
    .key = "s.rowid", COLSET_COLS(fpbp_cols), .empty = "steps",
    .needs = "SELECT 1 FROM step WHERE rank = :rank AND computing_ns IS NULL LIMIT 1", .ts_col = "start_ns",
        .dur_col = "total_ns", .unit_of = "steps",
        .inside = "ops.exec", .inside_filter = "step={step}", .inside_sort = "dur_ns",
};

static const struct view_col split_cols[] = {
    { "step", "Step", "s.step", VT_INT, VU_NONE, 4, 6, 0, false, VC_MAIN,
        "step number; empty when the run has no steps" },
    NS("total_ns",      "Total",     COLSET_STEP_NS, 9, 0, 0,
    "from its begin to the next one's: computing, comm only, preparing and idle"),
    NS("computing_ns",  "Computing", "s.computing_ns", 9, 0, VC_BAR, "AI Core and AI CPU work"),
    NS("comm_not_overlapped_ns", "Comm only", "s.comm_not_overlapped_ns", 9, 0, 0,
    "communication while nothing computes"),
    NS("preparing_ns",  "Preparing", "s.preparing_ns", 9, 1, 0,
    "from the host's start of the step to the first device task"),
    NS("idle_ns",       "Idle",      COLSET_STEP_IDLE, 9, 1, 0, "free time without preparing"),
    NS("overlapped_ns", "Overlap",   "s.overlapped_ns", 9, 5, 0, "communication overlapped by computing"),
    NS("communication_ns", "Comm",   "s.communication_ns", 9, 4, 0, "all communication"),
    NS("free_ns",       "Free",      COLSET_STEP_FREE, 9, 4, 0,
    "neither computing nor communication: preparing and idle. The file's own Free of the first step is "
    "without its preparing"),
    NS("stage_ns",      "Stage",     "s.stage_ns", 9, 5, VC_HIDDEN, "stage time as the source gives it"),
    NS("bubble_ns",     "Bubble",    "s.bubble_ns", 9, 4, VC_HIDDEN, "waiting for another pipeline stage"),
    NS("comm_no_receive_ns", "No recv", "s.comm_no_receive_ns", 9, 6, VC_HIDDEN,
    "communication not overlapped, receiving left out"),
    COLSET_MARKS("s"),
};
const struct view_def view_steps_split = {
    .id = "steps.split", .title = "split", .pane = PANE_STEPS, .from = "step s",
        .where = "s.rank = :rank AND s.computing_ns IS NOT NULL", .step = "s.step",
    .key = "s.rowid", COLSET_COLS(split_cols), .empty = "steps",
    .needs = "SELECT 1 FROM step WHERE rank = :rank AND computing_ns IS NOT NULL LIMIT 1", .unit_of = "steps",
        .inside = "ops.exec", .inside_filter = "step={step}", .inside_sort = "dur_ns",
};

static const struct view_col part_cols[] = {
    { "step", "Step", "p.step", VT_INT, VU_NONE, 4, 6, 0, false, 0, "step number" },
    { "kind", "Kind", "p.kind", VT_TEXT, VU_NONE, 6, 8, 2, false, 0, "reduce or getnext" },
    { "name", "Name", COLSET_TEXT("p.name_id"), VT_TEXT, VU_NONE, 12, 36, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "communication op" },
    { "stream", "Stream", "p.stream", VT_INT, VU_NONE, 6, 6, 3, false, 0, "stream" },
    { "start_ns", "Start", "p.start_ns", VT_INT, VU_TS, 8, 11, 1, false, 0, "start" },
    NS("dur_ns", "Duration", "p.dur_ns", 9, 0, VC_BAR, "duration"),
    COLSET_MARKS("p"),
};
const struct view_def view_steps_part = {
    .id = "steps.part", .title = "pieces of a step", .pane = PANE_STEPS, .from = "step_part p",
        .where = "p.rank = :rank", .step = "p.step", .key = "p.rowid",
    COLSET_COLS(part_cols), .empty = "steps", .needs = COLSET_ANY("step_part"),
    .ts_col = "start_ns", .dur_col = "dur_ns", .unit_of = "pieces",
};
/* clang-format on */
