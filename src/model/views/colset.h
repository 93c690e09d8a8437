/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of all views, in the order of panes and of `v`: one name a line, defined as `const struct view_def
 * view_<name>` in colset_*.c. The screen and the commands have the views of this list.
 */
#ifndef NPUSCOPE_MODEL_VIEWS_COLSET_H
#define NPUSCOPE_MODEL_VIEWS_COLSET_H

#include "model/view/view.h"

/* Text of a string id. Tables in memory keep the id (colset_string()). */
#define COLSET_TEXT_HEAD "(SELECT text FROM string WHERE string.id = "
#define COLSET_TEXT(id)  COLSET_TEXT_HEAD id ")"
/*
 * The two ops that a queue "connector 3" of rank :rank joins, "Map(id=3) > Batch"; the first one alone where
 * no op takes from it; NULL of other queues and where the op is not known.
 */
#define COLSET_PIPELINE_OP(at, more)                                                                         \
    "(SELECT ifnull(min(" COLSET_TEXT("x.type_id") "), 'op')" more " FROM pipeline_op x "                    \
                                                   "WHERE x.rank = :rank AND " at " GROUP BY x.op)"
#define COLSET_CONNECTS(queue)                                                                               \
    COLSET_PIPELINE_OP("'connector ' || x.op = " queue, " || '(id=' || x.op || ')'")                         \
    " || ifnull(' > ' || " COLSET_PIPELINE_OP(                                                               \
        "x.op = (SELECT max(y.parent) FROM pipeline_op y WHERE y.rank = :rank AND "                          \
        "'connector ' || y.op = " queue ")",                                                                 \
        "") ", '')"
/* Whether expr is COLSET_TEXT(id) and nothing else; *id gets its argument. */
bool colset_string(const char *expr, struct str *id);
/* Path of a source id. */
#define COLSET_FILE(id) "(SELECT path FROM source WHERE source.id = " id ")"
/* For .needs: the rank has a row in the table. */
#define COLSET_ANY(table) "SELECT 1 FROM " table " WHERE rank = :rank LIMIT 1"
/* What track t is called everywhere: where its name is only a number, "Thread 4012" by its kind. */
#define COLSET_TRACK_WORD                                                                                    \
    "CASE t.kind WHEN 'stream' THEN 'Stream ' WHEN 'host_thread' THEN 'Thread ' WHEN 'plane' THEN 'Plane ' " \
    "WHEN 'aicpu' THEN 'AI CPU ' WHEN 'engine' THEN 'Engine ' ELSE '' END"
#define COLSET_TRACK                                                                                         \
    "ifnull((SELECT CASE WHEN s.text GLOB '*[^0-9]*' THEN s.text ELSE " COLSET_TRACK_WORD                    \
    " || s.text END FROM string s WHERE s.id = t.name_id), " COLSET_TRACK_WORD " || t.tid)"
/*
 * A figure of the queue of pipeline_op p: of its samples (the row without CPU) rather than of a summary,
 * which has it rounded.
 */
#define COLSET_SAMPLED(col) "ifnull(max(" col ") FILTER (WHERE p.cpu_share IS NULL), max(" col "))"
/* Marks of damage of the rows of a table (doc/store.md#marks). */
/* clang-format off */
#define COLSET_MARKS(table) \
    { "damage", "Damage", table ".damage", VT_TEXT, VU_NONE, 6, 13, 8, false, VC_MARK, \
        "what damage of the files may have made untrue: time, duration, name, op, figures" }, \
    { "ts_err_ns", "Off by", table ".ts_err_ns", VT_INT, VU_NS, 7, 8, 8, true, VC_MARK, \
        "how far its times may be off; none: by how much is not known" }
/* clang-format on */
/* The columns of a view, an array, as the fields of struct view_def. */
#define COLSET_COLS(array) .cols = array, .n_cols = ARRAY_LEN(array)
/* The step range of the scope on a column; rows without a step count only when no range is set. */
#define COLSET_STEPS(col) "(:step0 IS NULL OR " col " >= :step0) AND (:step1 IS NULL OR " col " <= :step1)"

/*
 * Mean of an expression over the steps s of the rank in scope; the first recorded step is left out unless it
 * is the only one or asked for.
 */
#define COLSET_STEP_MEAN(expr) "(SELECT avg(" expr ")" COLSET_OF_MEANS
#define COLSET_STEPS_OF_MEANS  "(SELECT s.step" COLSET_OF_MEANS /* the numbers of these steps */
#define COLSET_OF_MEANS                                                                                      \
    " FROM step s WHERE s.rank = :rank AND s.complete IS NOT 0 AND " COLSET_STEPS(                           \
        "s.step") " AND (:first_step OR s.step > (SELECT min(step) FROM step WHERE rank = :rank) "           \
                  "OR (SELECT count(*) FROM step WHERE rank = :rank) = 1))"
/*
 * Length of a step, from its begin to the next one's: as in the source, else the sum of its parts, which are
 * computing, communication that nothing hides, preparing and idle time. Free time of the source holds the
 * preparing unless it is shorter, as in the first step (doc/rules.md#step-definitions).
 */
#define COLSET_STEP_NS                                                                                       \
    "ifnull(s.total_ns, ifnull(s.computing_ns, 0) + ifnull(s.comm_not_overlapped_ns, 0) + "                  \
    "ifnull(s.free_ns, 0) + CASE WHEN s.preparing_ns > ifnull(s.free_ns, 0) THEN s.preparing_ns ELSE 0 END)"
/* What is not idle of it is preparing; in the file the first step's preparing is no part of it. */
#define COLSET_STEP_FREE "s.free_ns + CASE WHEN s.preparing_ns > s.free_ns THEN s.preparing_ns ELSE 0 END"
#define COLSET_STEP_IDLE "s.free_ns - CASE WHEN s.preparing_ns <= s.free_ns THEN s.preparing_ns ELSE 0 END"

/* clang-format off */
#define VIEW_DEFS(X) \
    X(triage_rank) \
    X(files_list) \
    X(files_logs) \
    X(files_notes) \
    X(files_settings) \
    X(ops_type) \
    X(ops_op) \
    X(ops_scope) \
    X(ops_shape) \
    X(ops_core) \
    X(ops_stream) \
    X(ops_module) \
    X(ops_code) \
    X(ops_exec) \
    X(ops_launched) \
    X(ops_stat) \
    X(ops_cache) \
    X(ops_fusion) \
    X(op_shape) \
    X(steps_fpbp) \
    X(steps_split) \
    X(steps_part) \
    X(timeline_events) \
    X(timeline_tracks) \
    X(timeline_counters) \
    X(flops_scope) \
    X(flops_type) \
    X(flops_op) \
    X(flops_total) \
    X(memory_alive) \
    X(memory_alive_type) \
    X(memory_alive_layer) \
    X(memory_peak) \
    X(memory_alloc) \
    X(memory_holder) \
    X(memory_node) \
    X(memory_tensor) \
    X(memory_pool) \
    X(memory_module) \
    X(memory_device) \
    X(data_pipeline) \
    X(data_queue) \
    X(data_batch) \
    X(data_cpu) \
    X(data_stage) \
    X(data_sample) \
    X(comm_type) \
    X(comm_op) \
    X(comm_link_sum) \
    X(comm_link) \
    X(comm_rank) \
    X(comm_stat) \
    X(comm_group) \
    X(host_api) \
    X(host_op) \
    X(host_module) \
    X(host_stage) \
    X(host_aicpu) \
    X(host_call) \
    X(host_aicpu_exec) \
    X(host_sample) \
    X(host_counter) \
    X(logs_line) \
    X(logs_what) \
    X(logs_hang) \
    X(logs_file)
/* clang-format on */

#define VIEW_DECLARE(name) extern const struct view_def view_##name;
VIEW_DEFS(VIEW_DECLARE)
#undef VIEW_DECLARE

#endif
