/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msprof.json, step_trace.json and msprof_tx.json (doc/formats/msprof.md#timeline): layers, their processes,
 * and the files.
 *
 * Within a file msprof's C++ half writes layer by layer, its Python half device by device; so do we. Python's
 * order by time is not kept: programs that read traces sort anyway, and a run of a million tasks need not be
 * held for it.
 */
#include "config.h"

#include "msprof/trace/trace.h"

/* clang-format off */
/* In the order of the files. turn: without a sort index of its own in Python. */
static const struct trace_layer layers[] = {
    { .word = "ascend",          .name = "Ascend Hardware",  .sort = 14, .python = 14,
        .write = trace_hardware },
    { .word = "cann",            .name = "CANN",             .sort = 7,  .python = 7,    .write = trace_cann,
        .host = true },
    { .word = "dpu",             .name = "CANN",             .sort = 8,  .python = 8,    .write = trace_dpu,
        .host = true },
    { .word = "msproftx",        .name = "PID Name",         .sort = 6,  .python = 6,    .write = trace_tx,
        .host = true },
    { .word = "device_tx",       .name = "Ascend Hardware",  .sort = 14, .python = 14,
        .write = trace_tx_device },
    { .word = "hbm",             .name = "HBM",              .sort = 24, .turn = 1,     .write = trace_hbm },
    { .word = "hccs",            .name = "HCCS",             .sort = 20, .turn = 4,
        .write = trace_hccs },
    { .word = "communication",   .name = "Communication",    .sort = 16, .python = 17,
        .write = trace_comm },
    { .word = "npu_mem",         .name = "NPU MEM",          .sort = 17, .turn = 8,
        .write = trace_npu_mem },
    { .word = "overlap_analyse", .name = "Overlap Analysis", .sort = 31, .turn = 18,
        .write = trace_overlap },
    { .word = "pcie",            .name = "PCIe",             .sort = 23, .turn = 3,
        .write = trace_pcie },
    { .word = "step_trace",      .name = "Ascend Hardware",  .sort = 14, .python = 14,
        .write = trace_steps },
    { .word = "freq",            .name = "AI Core Freq",     .sort = 15, .python = 15,
        .write = trace_freq },
    { .word = "llc",             .name = "LLC",              .sort = 27, .turn = 7,     .write = trace_llc },
    { .word = "nic",             .name = "NIC",              .sort = 21, .turn = 5,     .write = trace_nic },
    { .word = "roce",            .name = "RoCE",             .sort = 22, .turn = 6,
        .write = trace_roce },
    { .word = "ddr",             .name = "DDR",              .sort = 18, .turn = 2,     .write = trace_ddr },
    { .word = "acc_pmu",         .name = "Acc PMU",          .sort = 19, .turn = 12,
        .write = trace_acc_pmu },
    { .word = "stars_soc",       .name = "Stars Soc",        .sort = 25, .turn = 10,
        .write = trace_soc_level },
    { .word = "stars_chip_trans", .name = "Stars Chip Trans", .sort = 26, .turn = 11,
        .write = trace_chip_trans },
    { .word = "sio",             .name = "SIO",              .sort = 28, .turn = 13,    .write = trace_sio },
    { .word = "qos",             .name = "QoS",              .sort = 29, .turn = 14,    .write = trace_qos },
    { .word = "freq",            .name = "AI Core Freq",     .sort = 15, .python = 15,
        .write = trace_low_power },
    { .word = "cpu_usage",       .name = "CPU Usage",        .sort = 9,  .python = 9,
        .write = trace_cpu_usage, .host = true },
    { .word = "memory_usage",    .name = "Memory Usage",     .sort = 10, .python = 10,
        .write = trace_memory_usage, .host = true },
    { .word = "network_usage",   .name = "Network Usage",    .sort = 11, .python = 11,
        .write = trace_network_usage, .host = true },
    { .word = "disk_usage",      .name = "Disk Usage",       .sort = 12, .python = 12,
        .write = trace_disk_usage, .host = true },
    { .word = "os_runtime_api",  .name = "OS Runtime API",   .sort = 13, .python = 13,
        .write = trace_os_calls, .host = true },
    { .word = "freq",            .name = "Voltage Info",     .sort = 16, .python = 16,
        .write = trace_voltage },
    { .word = "ai_core_utilization", .name = "AI Core Utilization", .sort = 36, .turn = 9,
        .write = trace_cores },
    { .word = "ccu",             .name = "CCU",              .sort = 30, .turn = 17,    .write = trace_ccu },
    { .word = "ub",              .name = "UB",               .sort = 33, .turn = 16,    .write = trace_ub },
    { .word = "block_detail",    .name = "Block Detail",     .sort = 34, .turn = 15,
        .write = trace_blocks },
    { .word = "fusion_task",     .name = "Fusion Task",      .sort = 35, .python = 18,
        .write = trace_fusion },
};
static const struct trace_layer steps[] = {
    { .word = "step_trace",      .name = "Ascend Hardware",  .sort = 14, .python = 14,
        .write = trace_steps },
};
static const struct trace_layer marks[] = {
    { .word = "msproftx",        .name = "PID Name",         .sort = 6,  .python = 6,    .write = trace_tx,
        .host = true },
    { .word = "device_tx",       .name = "Ascend Hardware",  .sort = 14, .python = 14,
        .write = trace_tx_device },
};
static const struct trace_layer partial_steps[] = {
    { .word = "step_trace",      .name = "Step Trace",       .short_names = true,
        .write = trace_steps },
};

/* Data without a layer: how msprof would show it is not known. */
static const struct { const char *word; bool host; enum prof_tag tag; } without_layer[] = {
    { "freq",             false, PROF_VOLTAGE }, /* only Python's half has one */
};
/* clang-format on */

#define FIRST_NEXT 20 /* the first free sort index of Python */

/* ---- files ---- */

static bool wanted(const struct msprof_options *o, const char *word)
{
    return !o->layer || o->layer(o->layer_arg, word);
}

static void note_without_layer(struct msprof_run *r, const struct prof_folder *f, bool host)
{
    for (size_t i = 0; f && i < ARRAY_LEN(without_layer); i++)
        if (without_layer[i].host == host && prof_has(f, without_layer[i].tag) &&
            !(without_layer[i].tag == PROF_VOLTAGE && r->dialect == DIALECT_PYTHON) &&
            wanted(r->o, without_layer[i].word))
            prof_note(r->m.p, f, without_layer[i].tag, NOTE_UNKNOWN_TYPE, "the timeline has no layer of %s",
                      prof_tags[without_layer[i].tag].word);
}

static int write_layer(struct msprof_trace *t, const struct trace_layer *l, size_t device, struct err *e)
{
    bool free_number = t->dialect == DIALECT_PYTHON && l->turn;

    if (!wanted(t->r->o, l->word))
        return OK;
    if (sink_cancelled(t->r->notes))
        return err_set(e, ERR_CANCELLED, "interrupted");
    t->layer = l;
    t->name = str_of(l->name);
    t->device = l->host ? TRACE_HOST : device;
    t->of = device;
    t->sort = free_number ? t->next_sort : t->dialect == DIALECT_PYTHON ? l->python : l->sort;
    t->pid = l->short_names ? trace_profiled_pid(t) : trace_pid(t, t->sort, t->device);
    t->n_written = 0;
    if (l->write(t, e))
        return e->code;
    t->next_sort += free_number && t->n_written;
    return OK;
}

static int by_layers(struct msprof_trace *t, const struct trace_layer *l, size_t n, struct err *e)
{
    for (size_t k = 0; k < n; k++) {
        size_t times = l[k].host ? t->r->m.p->host != NULL : t->r->m.n_dev;
        for (size_t i = 0; i < times; i++)
            if (write_layer(t, &l[k], i, e))
                return e->code;
    }
    return OK;
}

static bool is_written(const struct msprof_trace *t, const struct trace_layer *l)
{
    return l->host ? t->r->m.p->host != NULL : t->r->m.n_dev != 0;
}

/* Layers with a sort index of their own in the order of the table, then the others by turns. */
static int device_layers(struct msprof_trace *t, const struct trace_layer *l, size_t n, size_t device,
                         struct err *e)
{
    unsigned last = 0;

    for (size_t k = 0; k < n; k++)
        last = l[k].turn > last ? l[k].turn : last;
    for (unsigned turn = 0; turn <= last; turn++)
        for (size_t k = 0; k < n; k++)
            if (l[k].turn == turn && is_written(t, &l[k]) && write_layer(t, &l[k], device, e))
                return e->code;
    return OK;
}

static bool has_calls(const struct msprof_trace *t)
{
    const struct prof_host *h = &t->r->m.host;
    struct msprof_calls part = msprof_calls_of(t->r, t->r->m.n_dev ? t->r->m.n_dev - 1 : 0);

    for (size_t i = 0; i < h->n_apis; i++)
        if (trace_shows_call(t, &part, &h->api[i]))
            return true;
    return false;
}

/* Devices from the highest down; without devices the host alone. */
static int by_devices(struct msprof_trace *t, const struct trace_layer *l, size_t n, struct err *e)
{
    size_t times = t->r->m.n_dev ? t->r->m.n_dev : 1;

    t->no_calls = !has_calls(t);
    for (size_t i = times; i-- > 0;)
        if (device_layers(t, l, n, i, e))
            return e->code;
    return OK;
}

static int write_file(struct msprof_run *r, const char *name, const struct trace_layer *l, size_t n,
                      struct err *e)
{
    struct msprof_trace t = {
        .r = r, .dialect = r->dialect, .next_sort = FIRST_NEXT, .steps_only = l[0].write == trace_steps
    };

    if (msprof_open(r, &t.o, name, ".json", e))
        return e->code;
    (void)!(t.dialect == DIALECT_PYTHON ? by_devices(&t, l, n, e) : by_layers(&t, l, n, e));
    if (!e->code && !t.more) {
        emit_drop(t.o);
        msprof_no_data(r, name, ".json", "there is nothing to show in time");
        return OK;
    }
    emit_c(t.o, ']');
    return msprof_close(r, t.o, e);
}

int msprof_trace(struct msprof_run *r, struct err *e)
{
    note_without_layer(r, r->m.p->host, true);
    for (size_t i = 0; i < r->m.n_dev; i++)
        note_without_layer(r, r->m.p->device[i], false);
    if (write_file(r, "msprof", layers, ARRAY_LEN(layers), e) && !emit_goes_on(e))
        return e->code;
    if (write_file(r, "step_trace", r->o->partial ? partial_steps : steps, 1, e) && !emit_goes_on(e))
        return e->code;
    return r->tx.n ? write_file(r, "msprof_tx", marks, ARRAY_LEN(marks), e) : e->code;
}
