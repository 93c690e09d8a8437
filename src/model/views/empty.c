/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of empty states (doc/screens.md#empty-states). What switches it on is a row of
 * src/configure/switches.c, whose words the advice takes.
 */
#include "config.h"

#include "model/views/empty.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/fill.h"
#include "base/lang/said.h"
#include "base/lang/tr.h"

static const struct empty_state states[] = {
    { "ops",
      PANE_OPS,
      "No op times in this run.",
      "aicore_intermediate_*_type.csv, aicore_intermediate_*_detail.csv, op_statistic*.csv, op_summary*.csv, "
      "kernel_details.csv",
      "op times were not collected, or the profile was never analysed.",
      EO_NPU,
      { { SW_OP_TIME, "true" }, { SW_ACTIVITIES, "NPU" } },
      NULL,
      NULL },
    { "ops.counters",
      PANE_OPS,
      "No AI Core metrics in this run.",
      "metric columns of op_summary*.csv, kernel_details.csv, aicore_intermediate_*_detail.csv",
      "AI Core metrics were not collected.",
      EO_NONE,
      { { SW_AIC_METRICS, "PipeUtilization" } },
      "with profiler_level Level1 or Level2; up to MindSpore 2.4 Profiler(aicore_metrics=0..5)",
      "op times are in the other views: press v." },
    { "steps",
      PANE_STEPS,
      "No step times in this run.",
      "step_trace_raw_*_detail_time.csv, step_trace_*.csv, step_trace_time.csv, ts_track.data.*",
      "step points were not collected, or this is PyNative mode or a heterogeneous run; both write none.",
      EO_NONE,
      { { 0, NULL } },
      "graph mode; export GRAPH_OP_RUN=0\nPROFILING_FP_START and PROFILING_BP_END name the first forward and "
      "last backward op",
      "the timeline shows when the device worked: 5." },
    { "time",
      PANE_TIME,
      "No events for a timeline in this run.",
      "*_timeline_display_*.json, output_timeline_data_*.txt, trace_view.json, msprof_*.json, "
      "step_trace_*.json",
      "the analysis did not run, or the size limit cut the file.",
      EO_NONE,
      { { 0, NULL } },
      "call Profiler.analyse() after the run\ntimeline_limit=SIZE in MiB when the file was cut",
      NULL },
    { "time.host",
      PANE_TIME,
      "No host times in this run.",
      "host_info/timeline_*.csv, trace_view.json with host events",
      "host times were not collected.",
      EO_CPU,
      { { SW_PROFILE_FRAMEWORK, "all" }, { SW_ACTIVITIES, "CPU" } },
      NULL,
      NULL },
    { "time.comm",
      PANE_TIME,
      "No communication events in this run.",
      "hccl_raw_*.csv, communication rows of the trace",
      "a single device, or communication was not collected.",
      EO_COMM,
      { { SW_PROFILE_COMMUNICATION, "true" }, { SW_PROFILER_LEVEL, "Level1" } },
      "on a cluster: msprof --export and --analyze",
      NULL },
    { "flops",
      PANE_FLOPS,
      "No FLOPs in this run.",
      "flops_*.txt, flops_summary_*.json, cube and vector FLOPs of op_summary*.csv and kernel_details.csv, "
      "counters of ffts_profile.data.* and aicore.data.*",
      "AI Core counters were not collected, or only of a group that does not count operations.",
      EO_NONE,
      { { SW_AIC_METRICS, "ArithmeticUtilization" } },
      "with profiler_level Level1 or Level2; up to MindSpore 2.4 Profiler(aicore_metrics=0)",
      NULL },
    { "flops.peak",
      PANE_FLOPS,
      "The peak of the device is not known.",
      "info.json.* with the AI Core frequency",
      "no info.json, or one without a frequency: FLOPs are shown, use of the peak stays blank.",
      EO_NONE,
      { { 0, NULL } },
      "keep info.json.* in the profile",
      NULL },
    { "mem.static",
      PANE_MEM,
      "No tensor memory in this run.",
      "memory_usage_*.pb, memory_usage_summary_*.json, memory_usage_details_*.json",
      "tensor memory was not collected.",
      EO_MEMORY,
      { { SW_PROFILE_MEMORY, "true" } },
      "Graph mode only; not with dynamic shapes.",
      NULL },
    { "mem",
      PANE_MEM,
      "No memory data in this run.",
      "memory_usage_*.pb, memory_usage_summary_*.json, operator_memory*.csv, memory_record*.csv, "
      "npu_mem*.csv, *.pickle, task_memory_info and npu_mem.data.* of PROF_*",
      "memory was not collected.",
      EO_MEMORY,
      { { SW_PROFILE_MEMORY, "true" } },
      NULL,
      NULL },
    { "data",
      PANE_DATA,
      "No data pipeline in this run.",
      "pipeline_profiling_*.json, minddata_pipeline_raw_*.csv, device_queue_profiling_*.txt, "
      "dataset_iterator_profiling_*.txt, aicpu.data.* and DATA_PREPROCESS.* of PROF_*",
      "data preparation was not collected, or the run has no mindspore.dataset pipeline.",
      EO_DATA,
      { { SW_DATA_PROCESS, "true" } },
      "and a mindspore.dataset pipeline",
      NULL },
    { "data.queue",
      PANE_DATA,
      "No device queue in this run.",
      "device_queue_profiling_*.txt",
      "data sink mode is off: feed mode has no device queue, nothing is wrong. Or data preparation was not "
      "collected.",
      EO_DATA,
      { { SW_DATA_PROCESS, "true" } },
      "with dataset sink mode",
      "batch times of the iterator are in the other views: press v." },
    { "data.aicpu",
      PANE_DATA,
      "No AI CPU side of the data queue in this run.",
      "minddata_aicpu_*.txt",
      "sink mode without AI CPU data.",
      EO_DATA,
      { { SW_DATA_PROCESS, "true" } },
      "AI CPU ops are collected at Level2",
      NULL },
    { "data.dataset",
      PANE_DATA,
      "No dataset times in this run.",
      "dataset_*.csv",
      "profiling started after step 1.",
      EO_NONE,
      { { 0, NULL } },
      "start the profiler before the first step",
      NULL },
    { "comm",
      PANE_COMM,
      "No communication in this run.",
      "hccl_raw_*.csv, communication.json, communication_matrix.json, communication_statistic*.csv, "
      "hccl_info of PROF_*",
      "a single device, or communication was not collected.",
      EO_COMM,
      { { SW_PROFILE_COMMUNICATION, "true" }, { SW_PROFILER_LEVEL, "Level1" } },
      NULL,
      NULL },
    { "comm.ranks",
      PANE_COMM,
      "Only one rank lies here.",
      "the folders of the other ranks",
      "the other ranks were not copied, or the job has one rank.",
      EO_NONE,
      { { 0, NULL } },
      "open the parent directory of all ranks",
      NULL },
    { "host",
      PANE_HOST,
      "No host or AI CPU times in this run.",
      "aicpu_intermediate_*.csv, data_preprocess.csv, host_info/*, api_statistic*.csv, operator_details.csv, "
      "api_event and aicpu.data.* of PROF_*",
      "no op ran on an AI CPU, or nothing of the host was collected.",
      EO_CPU,
      { { SW_PROFILE_FRAMEWORK, "all" }, { SW_ACTIVITIES, "CPU" } },
      "profiler_level Level2 (data_preprocess.csv)",
      NULL },
    { "logs",
      PANE_LOG,
      "No logs of this job were found.",
      "plog-*.log, device-*.log, consoles of ranks, kernel logs, hccl_trace_rank_*, in and beside the "
      "profile, "
      "where ASCEND_PROCESS_LOG_PATH and ASCEND_WORK_PATH point, ~/ascend/log, /var/log",
      "they lie elsewhere, or no line of them is of this run.",
      EO_NONE,
      { { 0, NULL } },
      "npuscope --logs=FOLDER looks there, too",
      NULL },
    { "logs.hang",
      PANE_LOG,
      "No record of what the groups of this job did last.",
      "hccl_trace_rank_*, torch_hccl_status-*, timeouts in plog-*.log",
      "the flight recorder was off, and no collective ran into its timeout.",
      EO_NONE,
      { { 0, NULL } },
      "TORCH_HCCL_TRACE_BUFFER_SIZE=2000 and TORCH_HCCL_DUMP_ON_TIMEOUT=1 before the job starts",
      NULL },
    { "files.info",
      PANE_FILES,
      "No profiler_info_*.json in this run.",
      "profiler_info_*.json",
      "it is older than r2.0, or collecting never began.",
      EO_NONE,
      { { 0, NULL } },
      "nothing: the rest is shown as it is",
      NULL },
    { "raw",
      PANE_FILES,
      "Collected but never analysed.",
      "PROF_* without mindstudio_profiler_output or ASCEND_PROFILER_OUTPUT",
      "analyse() did not run.",
      EO_NONE,
      { { 0, NULL } },
      "npuscope export summary -dir DIR and export timeline -dir DIR, of PROF_*\npython -c \"from mindspore "
      "import Profiler; Profiler.offline_analyse('DIR')\"",
      NULL },
};

const struct empty_state *empty_nth(size_t i)
{
    return i < ARRAY_LEN(states) ? &states[i] : NULL;
}

const struct empty_state *empty_find(const char *id)
{
    for (size_t i = 0; id && i < ARRAY_LEN(states); i++)
        if (!strcmp(states[i].id, id))
            return &states[i];
    return NULL;
}

static enum tristate recorded(const struct empty_state *s, const struct runinfo *info)
{
    if (!info)
        return TRI_UNKNOWN;
    switch (s->option) {
    case EO_MEMORY:
        return info->profile_memory;
    case EO_DATA:
        return info->data_process;
    case EO_COMM:
        return info->comm_asked;
    case EO_CPU:
        return info->cpu;
    case EO_NPU:
        return info->npu;
    case EO_NONE:
        break;
    }
    return TRI_UNKNOWN;
}

/* What ranks do with each other, in a job of one: no option brings it. */
static bool is_alone(const struct empty_state *s, const struct runinfo *info)
{
    return s->option == EO_COMM && info && info->one_rank;
}

void empty_option_name(const struct empty_state *s, struct buf *out)
{
    const struct switch_def *newer = &switch_defs[s->sw[1].id];

    if (s->option == EO_NONE)
        return;
    buf_puts(out, switch_defs[s->sw[0].id].name);
    if (s->sw[1].value)
        buf_printf(out, " (%s %s%s)", newer->name, newer->type == ST_WORDS ? "with " : "", s->sw[1].value);
}

static void add_why(const struct empty_state *s, const struct runinfo *info, struct buf *out)
{
    enum tristate t = recorded(s, info);
    struct buf option;

    if (is_alone(s, info)) {
        buf_puts(out, tr("this job has one rank only, as its files say: nothing communicates."));
        return;
    }
    if (t == TRI_UNKNOWN) {
        buf_puts(out, tr(s->why));
        return;
    }
    buf_init(&option, 4096);
    empty_option_name(s, &option);
    buf_printf(out,
               t == TRI_NO ? tr("the option %s was off (the recorded options of this run say so).")
               : s->option == EO_COMM
                   ? tr("the option %s was on: no communication op ran, or none of these files was kept.")
                   : tr("the option %s was on, yet none of these files was written or kept."),
               buf_str(&option).p);
    buf_done(&option);
}

/* Lines that say how to collect it: what Python calls, what the environment holds, what else is needed. */
static void add_get(const struct empty_state *s, struct buf *out)
{
    static const enum switch_at places[] = { AT_PYTHON, AT_ENV };
    const char *sep = "";

    for (size_t k = 0; k < ARRAY_LEN(places); k++)
        for (size_t i = 0; i < ARRAY_LEN(s->sw) && s->sw[i].value; i++) {
            if (places[k] == AT_ENV && i + 1 < ARRAY_LEN(s->sw) && s->sw[i + 1].value)
                continue; /* the newer one says it */
            size_t was = out->n;
            buf_puts(out, sep);
            if (switch_advice(s->sw[i].id, s->sw[i].value, places[k], out))
                sep = tr("\nor ");
            else if (out->p)
                out->p[out->n = was] = '\0';
        }
    if (s->get)
        buf_printf(out, "%s%s", out->n ? "\n" : "", tr(s->get));
}

/* Append a paragraph: the word, then its lines below each other. */
static void paragraph(struct buf *out, const char *word, struct str lines, char sep)
{
    struct str line;

    for (; str_next(&lines, sep, &line); word = "") {
        fill_label(out, word, EMPTY_WORD_W);
        buf_printf(out, "%.*s\n", (int)line.n, line.p);
    }
}

/* What npuscope configure --for takes for a pane. */
static const char *purpose_of(const struct empty_state *s)
{
    static const char *const purposes[N_PANES] = {
        [PANE_OPS] = "ops",   [PANE_TIME] = "overview", [PANE_FLOPS] = "ops",          [PANE_MEM] = "memory",
        [PANE_DATA] = "data", [PANE_HOST] = "overview", [PANE_COMM] = "communication",
    };

    return s->sw[0].value ? purposes[s->pane] : NULL;
}

static void write_text(const struct empty_state *s, struct str because, bool advise, struct buf *out)
{
    struct buf why;

    buf_init(&why, 4096);
    buf_printf(out, "%s\n\n", tr(s->title));
    paragraph(out, N_("Looked for"), str_of(tr(s->files)), '\n');
    buf_addc(out, '\n');
    paragraph(out, N_("Why"), because, '\n');
    if (advise)
        add_get(s, &why);
    if (advise && purpose_of(s))
        buf_printf(&why, tr("\n:configure %s writes the settings, as npuscope configure --for=%s does"),
                   purpose_of(s), purpose_of(s));
    if (advise)
        paragraph(out, N_("To get it"), buf_str(&why), '\n');
    if (s->without) {
        buf_addc(out, '\n');
        paragraph(out, N_("Without it"), str_of(tr(s->without)), '\n');
    }
    buf_done(&why);
}

void empty_text(const struct empty_state *s, const struct runinfo *info, struct buf *out)
{
    struct buf why;

    buf_init(&why, 4096);
    add_why(s, info, &why);
    write_text(s, buf_str(&why), !is_alone(s, info), out);
    buf_done(&why);
}

void empty_text_of_logs(const struct empty_state *s, struct buf *out)
{
    write_text(s,
               str_of(tr("there are only logs here, no profile; the path of a folder that holds both, or of "
                         "the profile with --logs=PATH, shows it.")),
               true, out);
}

static struct str without_stop(struct str s)
{
    const struct str stops[] = { STR("."), STR("。") };

    for (size_t i = 0; i < ARRAY_LEN(stops); i++)
        if (str_ends(s, stops[i]))
            return str_sub(s, 0, s.n - stops[i].n);
    return s;
}

void empty_sentence(const struct empty_state *s, const struct runinfo *info, struct buf *out)
{
    struct str title = without_stop(str_of(tr(s->title)));
    struct buf why;

    buf_init(&why, 4096);
    add_why(s, info, &why);
    bool capital = title.n && strchr("NTOC", title.p[0]);
    if (capital)
        buf_addc(out, (char)(title.p[0] + 'a' - 'A'));
    buf_add(out, str_sub(title, capital, title.n));
    buf_puts(out, tr(": "));
    buf_add(out, without_stop(buf_str(&why)));
    buf_done(&why);
}

bool empty_advice(const struct empty_state *s, const struct runinfo *info, struct buf *out)
{
    struct str rest, line;
    struct buf get;

    if (recorded(s, info) == TRI_YES || is_alone(s, info))
        return false;
    buf_init(&get, 4096);
    add_get(s, &get);
    rest = buf_str(&get);
    buf_puts(out, tr("to get it: "));
    for (bool first = true; str_next(&rest, '\n', &line); first = false) {
        if (!first)
            buf_puts(out, str_starts(line, str_of(tr("\nor ") + 1)) ? " " : tr("; "));
        buf_add(out, line);
    }
    buf_done(&get);
    return true;
}

/* There is data for the pane, but no room for its file. */
static bool had_no_room(struct store *store, const struct empty_state *s, struct buf *out)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;

    if (!(store_meta_int(store, "left", 0) & PANE_BIT(s->pane)))
        return false;
    bool found = store_query(store, &q,
                             "SELECT path, note FROM source WHERE state = 'UNREAD' AND note LIKE "
                             "'no room: %' ORDER BY feeds = :feeds DESC, size_b DESC LIMIT 1",
                             &e) == OK;
    if (found)
        query_bind_text(q, ":feeds", str_of(pane_word(s->pane)));
    found = found && query_step(q, &e) == 1;
    if (found) {
        struct str path = query_str(q, 0), why = query_str(q, 1);
        buf_printf(out, tr("%.*s is not read: %.*s"), (int)path.n, path.p, (int)why.n, why.p);
    }
    query_free(q);
    return found;
}

/* Sums that other tables hold of what a pane shows in detail: a sentence and its number, or no row. */
static const struct {
    const char *state, *says, *sql;
} sums[] = {
    { "comm", N_("steps record %s ms of communication, but no file here lists its ops"),
      "SELECT printf('%.2f', sum(communication_ns) / 1e6) FROM step HAVING sum(communication_ns) > 0" },
    { "comm", N_("the timeline has %s communication tasks, but no file here lists their ops"),
      "SELECT sum(n) FROM track WHERE kind = 'plane' HAVING sum(n) > 0" },
    { "data",
      N_("the AI CPU took %s batches from the queue (GetNext in Host, AI CPU), but no file here has sizes of "
         "queues; data_process=True collects them"),
      "SELECT count(*) FROM aicpu_exec e JOIN string s ON s.id = e.name_id WHERE s.text LIKE 'GetNext%' "
      "HAVING count(*) > 0" },
    { "ops", N_("steps record %s ms of computing, but no file here lists its ops"),
      "SELECT printf('%.2f', sum(computing_ns) / 1e6) FROM step HAVING sum(computing_ns) > 0" },
};

static bool is_summed_up(struct store *store, const struct empty_state *s, struct buf *out)
{
    bool found = false;

    for (size_t i = 0; i < ARRAY_LEN(sums) && !found; i++) {
        struct err e = ERR_INIT;
        struct query *q = NULL;
        if (strcmp(sums[i].state, s->id) != 0)
            continue;
        found = store_query(store, &q, sums[i].sql, &e) == OK && query_step(q, &e) == 1;
        if (found)
            fill_text(out, tr(sums[i].says), query_str(q, 0), false);
        query_free(q);
    }
    return found;
}

/*
 * Raw files that hold what the pane shows. They are not read where analysed files have the executions, which
 * is most of what they would give.
 */
static const struct {
    const char *state, *kinds;
} raw_files[] = {
    { "mem", "'raw_fw_memory', 'raw_npu_mem'" },
    { "host", "'raw_host_api', 'raw_op_range'" },
};

static bool is_in_raw(struct store *store, const struct empty_state *s, struct buf *out)
{
    bool found = false;

    for (size_t i = 0; i < ARRAY_LEN(raw_files) && !found; i++) {
        struct err e = ERR_INIT;
        struct query *q = NULL;
        char sql[300];
        if (strcmp(raw_files[i].state, s->id) != 0)
            continue;
        snprintf(
            sql, sizeof sql,
            "SELECT path FROM source WHERE state = 'UNREAD' AND size_b > 0 AND kind IN (%s) ORDER BY size_b "
            "DESC LIMIT 1",
            raw_files[i].kinds);
        found = store_query(store, &q, sql, &e) == OK && query_step(q, &e) == 1;
        if (found) {
            struct str path = query_str(q, 0);
            buf_printf(
                out,
                tr("%.*s has raw data of it, which is not read beside analysed files: --prefer=raw reads it"),
                (int)path.n, path.p);
        }
        query_free(q);
    }
    return found;
}

/* A file of the pane is there, or was, and gave no row. States of parts of panes have files of their own. */
static bool is_damaged(struct store *store, const struct empty_state *s, struct buf *out)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;

    if (strchr(s->id, '.'))
        return false;
    bool found =
        store_query(store, &q,
                    "SELECT path || char(31) || state || char(31) || note FROM source WHERE "
                    "state IN ('BAD', 'TORN', 'LIMIT', 'NEWER', 'EMPTY') AND coalesce(rows, 0) = 0 AND note "
                    "<> '' AND feeds = :feeds ORDER BY state = 'EMPTY', size_b DESC, path LIMIT 1",
                    &e) == OK;
    if (found)
        query_bind_text(q, ":feeds", str_of(pane_word(s->pane)));
    found = found && query_step(q, &e) == 1;
    if (found)
        fill_text(out, tr("%s is %s: %s"), query_str(q, 0), true);
    query_free(q);
    return found;
}

/* A file of the pane was written and is whole, and nothing is in it: as when nothing of it happened. */
static bool is_without_rows(struct store *store, const struct empty_state *s, struct buf *out)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;

    if (strchr(s->id, '.'))
        return false;
    bool found =
        store_query(store, &q,
                    "SELECT path, path LIKE '%.csv%', count(*) OVER () - 1 FROM source WHERE state = "
                    "'ok' AND coalesce(rows, 0) = 0 AND size_b > 0 AND feeds = :feeds AND (path "
                    "LIKE '%.csv%' OR path LIKE '%.json%' OR path LIKE '%.txt%') ORDER BY size_b "
                    "DESC, path LIMIT 1",
                    &e) == OK;
    if (found)
        query_bind_text(q, ":feeds", str_of(pane_word(s->pane)));
    found = found && query_step(q, &e) == 1;
    if (found) {
        int64_t more = query_int(q, 2);
        struct str path = query_str(q, 0);
        buf_printf(out, query_int(q, 1) ? tr("%.*s has only its header") : tr("%.*s holds no rows"),
                   (int)path.n, path.p);
        if (more)
            buf_printf(out, tr(", like %" PRId64 " more file%s"), more, more > 1 ? "s" : "");
        buf_puts(out, tr(": nothing was recorded"));
    }
    query_free(q);
    return found;
}

bool empty_known(struct store *store, const struct empty_state *s, struct buf *out)
{
    if (!store)
        return false;
    if (had_no_room(store, s, out) || is_in_raw(store, s, out) || is_damaged(store, s, out))
        return true;
    bool without = is_without_rows(store, s, out);
    const size_t was = out->n;
    if (without)
        buf_puts(out, tr("; "));
    if (is_summed_up(store, s, out))
        return true;
    if (without && out->p)
        out->p[out->n = was] = '\0';
    return without;
}

/* One text of the store, :rank bound where it stands; false: there is none. */
static bool one_text(struct store *store, int rank, const char *sql, struct buf *out)
{
    struct err e = ERR_INIT;
    struct query *q = NULL;
    bool found = store_query(store, &q, sql, &e) == OK;

    if (found) {
        query_bind_int(q, ":rank", rank);
        found = query_step(q, &e) == 1 && query_str(q, 0).n;
    }
    if (found)
        buf_add(out, query_str(q, 0));
    query_free(q);
    return found;
}

void empty_comm_ops(struct store *store, int rank, struct buf *out)
{
    char said[600];
    struct buf b;

    buf_init(&b, 4096);
    buf_puts(out, tr("No file here lists communication ops: "));
    if (one_text(store, rank,
                 "SELECT note FROM source WHERE feeds = 'comm' AND state = 'OFF' ORDER BY id LIMIT 1", &b))
        buf_puts(out, tr_sentence(buf_str(&b).p, said, sizeof said));
    else
        buf_puts(out, tr("they were not collected, or the files were not kept"));
    buf_clear(&b);
    if (one_text(store, rank,
                 "SELECT count(*) FROM step_part WHERE rank = :rank AND kind = 'reduce' HAVING count(*) > 0",
                 &b)) {
        buf_addc(out, '\n');
        buf_printf(out, tr("Steps (4, pieces of a step) and the timeline (5) have %s reductions of rank %d."),
                   buf_str(&b).p, rank);
    }
    buf_clear(&b);
    if (one_text(store, rank,
                 "SELECT replace(text, rtrim(text, replace(text, '/', '')), '') FROM last_activity l "
                 "JOIN string s ON s.id = l.name_id WHERE l.rank = :rank AND l.kind = 'comm' AND l.state = "
                 "'running' ORDER BY l.ts_ns DESC LIMIT 1",
                 &b)) {
        buf_addc(out, '\n');
        fill_text(out, tr("%s has not ended: Triage (1) says where the ranks stand."), buf_str(&b), false);
    }
    buf_done(&b);
}

bool empty_known_text(struct store *store, const struct empty_state *s, struct buf *out)
{
    struct buf why;

    buf_init(&why, 8192);
    bool found = empty_known(store, s, &why);
    if (found) {
        buf_printf(out, "%s\n\n", tr(s->title));
        paragraph(out, N_("Why"), buf_str(&why), '\n');
    }
    buf_done(&why);
    return found;
}
