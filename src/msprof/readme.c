/* SPDX-License-Identifier: Apache-2.0 */
/*
 * README.txt: what the files of the export are (doc/formats/msprof.md#output-files). It lists all files of
 * the folder, also those of earlier exports.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "emit/report.h"
#include "msprof/run.h"
#include "run/dir.h"

#define NAME      "README.txt"
#define MAX_FILES 65536
#define STAMP     14 /* digits of YYYYMMDDHHMMSS */

struct about {
    const char *name, *text;
};

/* clang-format off */
static const struct about timelines[] = {
    { "msprof", "all layers of host and devices over time, as trace events for chrome://tracing or "
        "Perfetto" },
    { "step_trace", "iterations over time: forward and backward, gradient exchange, waiting for data" },
    { "msprof_tx", "marks and ranges that the program reports itself, over time" },
    { "communication", "time and bandwidth of each communication op, and their total" },
    { "communication_matrix", "bandwidth of communication between each two ranks" },
};
static const struct about tables[] = {
    { "op_summary", "every executed op: type, core, start, duration, wait, shapes and counters of the AI "
        "Core" },
    { "op_statistic", "ops by type and core: how often, total, shortest, mean and longest time, share" },
    { "task_time", "every task of the devices: kernel, stream, start and end" },
    { "step_trace", "iterations: forward and backward, refresh, waiting for data, gradient exchange" },
    { "api_statistic", "calls of the host by name and level: how often, total, mean, shortest, longest, "
        "variance" },
    { "communication_statistic", "communication ops by type: how often, total, shortest, mean and longest "
        "time, share" },
    { "fusion_op", "fused ops: what they were fused from, and their memory" },
    { "aicpu", "nodes that AI CPUs ran: time for computing, copying, dispatch" },
    { "aicpu_mi", "the data queue on the device: waits of GetNext, and what was in the queue" },
    { "dp", "data preparation: what was taken from which queue" },
    { "memory_record", "memory that the framework holds, at each change" },
    { "operator_memory", "memory of ops: size, when it was allocated, for how long" },
    { "static_op_mem", "memory of ops in static graphs: size, first and last node that uses it" },
    { "npu_mem", "memory of the device that the process and the device use, sampled" },
    { "npu_module_mem", "memory that each module of CANN holds, sampled" },
    { "ai_core_utilization", "metrics of each AI core, which was sampled" },
    { "ai_vector_core_utilization", "metrics of each vector core, which was sampled" },
    { "l2_cache", "hits and victims of the L2 cache by task" },
    { "soc_pmu", "hits and misses of address translation by task" },
    { "page_fault", "page faults by task" },
    { "hbm", "mean bandwidth of the high bandwidth memory" },
    { "ddr", "mean bandwidth of the DDR memory" },
    { "hccs", "bandwidth of the links between devices (HCCS)" },
    { "llc_read_write", "hit rate and throughput of the last level cache" },
    { "pcie", "bandwidth and latency of PCIe" },
    { "nic", "use of the network ports, their errors and dropped packets" },
    { "roce", "use of the RoCE ports, their errors and dropped packets" },
    { "ccu_mission", "communication that CCUs run: groups of loops, and how long each rank was waited for" },
    { "ccu_channel", "bandwidth of the channels of the CCUs" },
    { "ts_cpu_pmu_events", "events that the processors of the task schedulers counted" },
    { "ts_cpu_top_function", "where the processors of the task schedulers spent most cycles" },
    { "ub", "bandwidth of the UB ports" },
    { "dvpp", "image and video engines: time, frames, utilization" },
    { "cpu_usage", "processors of host and devices by what they are for: shares of their time since they "
        "were started" },
    { "process_cpu_usage", "processor time of processes" },
    { "sys_mem", "memory of host and devices as systems" },
    { "process_mem", "memory of processes" },
    { "host_cpu_usage", "processors of the host: how many there are, the process was on, it used" },
    { "host_mem_usage", "memory of the host: in all, the most the process held, how much would do" },
    { "host_network_usage", "network of the host: speed of its cards, the most that was used, how much would "
        "do" },
    { "host_disk_usage", "disks of the host: the most that was read and written, how much would do" },
    { "os_runtime_statistic", "calls of the system by thread: how often, total, mean, longest and shortest "
        "time" },
    { "msprof_tx", "marks and ranges that the program reports itself" },
};
/* clang-format on */

static bool is_stamp(struct str s)
{
    size_t i = 0;

    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return s.n == STAMP && i == s.n;
}

/* "NAME_STAMP.ENDING", "NAME_slice_K_STAMP.ENDING"; communication.json has no stamp. */
static bool is_of(struct str file, struct str name, struct str ending)
{
    if (!str_starts(file, name) || !str_ends(file, ending) || file.n < name.n + ending.n)
        return false;
    struct str rest = str_sub(file, name.n, file.n - name.n - ending.n);
    if (!rest.n)
        return true;
    if (str_starts(rest, STR("_slice_")))
        rest = str_sub(rest, str_rchr(rest, '_'), SIZE_MAX);
    return rest.p[0] == '_' && is_stamp(str_sub(rest, 1, SIZE_MAX));
}

static bool is_there(const struct dir_list *l, struct str name, struct str ending)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].type == DIR_FILE && is_of(str_of(l->v[i].name), name, ending))
            return true;
    return false;
}

static void put_part(struct emit *o, const struct dir_list *l, const char *title, const struct about *v,
                     size_t n, const char *ending)
{
    uint64_t k = 0;

    for (size_t i = 0; i < n; i++) {
        if (!is_there(l, str_of(v[i].name), str_of(ending)))
            continue;
        if (!k) {
            emit_s(o, title);
            emit_c(o, '\n');
        }
        emit_u(o, ++k);
        emit_c(o, '.');
        emit_s(o, v[i].name);
        emit_s(o, ending);
        emit_s(o, ": ");
        emit_s(o, v[i].text);
        emit_c(o, '\n');
    }
}

static int list_files(struct msprof_run *r, struct dir_list *l, struct err *e)
{
    int fd = dir_open(AT_FDCWD, r->out_dir);

    *l = (struct dir_list){ .n = 0 };
    if (fd < 0 && errno == ENOENT) /* no file was made */
        return OK;
    if (fd < 0)
        return err_sys(e, errno, "%s cannot be read", r->out_dir);
    (void)!dir_read(l, fd, MAX_FILES, r->a, e);
    close(fd);
    return e->code;
}

int msprof_readme(struct msprof_run *r, struct err *e)
{
    struct emit *o = NULL;
    struct dir_list l;

    if (list_files(r, &l, e) == OK && !l.n)
        return OK;
    if (e->code || emit_create(&o, r->o->dir, MSPROF_RESULTS "/" NAME, true, e)) {
        char why[300];
        emit_report_add(r->report, &(struct emit_result){ .rank = -1,
                                                          .name = NAME,
                                                          .outcome = EMIT_FAILED,
                                                          .why = err_message(e, why, sizeof why) });
        return e->code;
    }
    put_part(o, &l, "Timeline file description:", timelines, ARRAY_LEN(timelines), ".json");
    put_part(o, &l, "Summary file description:", tables, ARRAY_LEN(tables), ".csv");
    return msprof_close(r, o, e);
}
