/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory, AI CPU records and sampled data of a PROF folder: any bytes behind two that choose the file and how
 * it is read. What is derived is sorted, finite, and not more than the file holds; an allocation has one
 * release at most, behind it.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "parsers/prof/comm/ccu.h"
#include "parsers/prof/device/aicpu.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/prof/sampled/sampled.h"
#include "parsers/prof/sampled/soc.h"
#include "parsers/prof/sampled/system.h"
#include "parsers/prof/sampled/tscpu.h"
#include "parsers/prof/sampled/usage.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

#define HOLDS(x) FUZZ_CHECK(x)
#include "tests/lib/prof_text_holds.h"

#define HEAD      2 /* bytes before the file's */
#define VERSION_2 1 /* bits of the second one */
#define WRITES    2
#define MAX_OPS   4096

static const char *const names[] = {
    "host/data/aging.additional.task_memory_info.slice_0",
    "host/data/unaging.additional.static_op_mem.slice_0",
    "device_0/data/npu_mem.data.0.slice_0",
    "device_0/data/npu_module_mem.data.0.slice_0",
    "device_0/data/aicpu.data.0.slice_0",
    "device_0/data/DATA_PREPROCESS.AICPU.0.slice_0",
    "device_0/data/DATA_PREPROCESS.DP.0.slice_0",
    "device_0/data/hbm.data.0.slice_0",
    "device_0/data/ddr.data.0.slice_0",
    "device_0/data/llc.data.0.slice_0",
    "device_0/data/pcie.data.0.slice_0",
    "device_0/data/l2_cache.data.0.slice_0",
    "device_0/data/hccs.data.0.slice_0",
    "device_0/data/nic.data.0.slice_0",
    "device_0/data/roce.data.0.slice_0",
    "device_0/data/stars_soc_profile.data.0.slice_0",
    "device_0/data/qos.data.0.slice_0",
    "device_0/data/socpmu.data.0.slice_0",
    "device_0/data/lpmInfoConv.data.0.slice_0",
    "host/data/host_cpu.data.slice_0",
    "host/data/host_mem.data.slice_0",
    "host/data/host_disk.data.slice_0",
    "host/data/host_network.data.slice_0",
    "host/data/host_syscall.data.slice_0",
    "host/data/host_pthreadcall.data.slice_0",
    "device_0/data/dvpp.data.0.slice_0",
    "device_0/data/netdev_stats.data.0.slice_0",
    "device_0/data/Memory.data.0.slice_0",
    "device_0/data/SystemCpuUsage.data.0.slice_0",
    "host/data/12-Memory.data.slice_0",
    "host/data/12-CpuUsage.data.slice_0",
    "device_0/data/ub.data.0.slice_0",
    "device_0/data/ccu0.instr.0.slice_0",
    "device_0/data/ccu1.stat.0.slice_0",
    "host/data/aging.additional.ccu_wait_signal_info.slice_0",
    "device_0/data/tscpu.data.0.slice_0",
};

/* ---- memory ---- */

struct ops {
    struct prof_op_memory v[MAX_OPS];
    size_t n;
};
static int on_op(void *arg, const struct prof_op_memory *m, struct err *e)
{
    struct ops *o = arg;

    (void)e;
    if (o->n < MAX_OPS)
        o->v[o->n++] = *m;
    return OK;
}

static void check_ops(struct prof *p)
{
    static struct ops o;
    struct prof_alloc *a;
    struct err e = ERR_INIT;
    size_t n;

    o.n = 0;
    FUZZ_CHECK(prof_op_memory_read(p, on_op, &o, &e) == OK);
    FUZZ_CHECK(prof_op_memory_pair(NULL, o.v, o.n, &a, &n, &e) == OK && n <= o.n);
    for (size_t i = 0; i < n; i++) {
        const struct prof_op_memory *m = &o.v[a[i].at];
        FUZZ_CHECK(a[i].at < o.n && m->size_b > 0);
        FUZZ_CHECK(!i || a[i - 1].release < a[i].release ||
                   (a[i].release == PROF_NONE && a[i - 1].place < a[i].place));
        if (a[i].release == PROF_NONE)
            continue;
        const struct prof_op_memory *r = &o.v[a[i].release];
        FUZZ_CHECK(a[i].release > a[i].at && a[i].release < o.n && r->size_b < 0);
        FUZZ_CHECK(r->node == m->node && r->address == m->address && r->device == m->device);
    }
    free(a);
}

static int on_static(void *arg, const struct prof_static_memory *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->node;
    return OK;
}
static int on_npu(void *arg, const struct prof_npu_memory *m, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += m->us;
    return OK;
}
static int on_module(void *arg, const struct prof_module_memory *m, struct err *e)
{
    const char *word = prof_module_word(m->module);

    (void)e;
    FUZZ_CHECK(!word || (m->module < PROF_MODULES && word[0]));
    FUZZ_CHECK(m->unknown == (m->reserved_b > (uint64_t)1 << 63));
    *(uint64_t *)arg += m->stamp;
    return OK;
}

/* ---- AI CPUs ---- */

static void check_aicpu(struct prof *p, const struct prof_folder *f)
{
    enum { TASKS = 8 };
    const uint32_t type = prof_text(p, STR("KERNEL_AICPU"));
    struct prof_host_task host = { .type = type, .op = PROF_NONE };
    const struct prof_host h = { .task = &host, .n_tasks = 1 };
    struct prof_task t[TASKS];
    struct prof_device d = { .task = t, .n_tasks = TASKS };
    struct err e = ERR_INIT;
    struct prof_aicpu a;
    uint32_t *of;

    for (uint32_t i = 0; i < TASKS; i++)
        t[i] = (struct prof_task){ .start = 1000 * i,
                                   .end = 1000 * i + 1200,
                                   .stream = 2,
                                   .task = i % 2,
                                   .host = i % 3 ? 0 : PROF_NONE };
    FUZZ_CHECK(prof_aicpu_read(&a, p, f, false, &e) == OK);
    FUZZ_CHECK(prof_aicpu_tasks(&a, p, &d, &h, &of, &e) == OK);
    for (size_t i = 0; i < a.n_nodes; i++) {
        FUZZ_CHECK(!i || a.node[i - 1].start <= a.node[i].start);
        if (of[i] == PROF_NONE)
            continue;
        const struct prof_task *x = &t[of[i]];
        FUZZ_CHECK(of[i] < TASKS && x->host == 0 && x->stream == a.node[i].stream);
        FUZZ_CHECK(x->task == a.node[i].task && x->start <= a.node[i].end && a.node[i].end <= x->end);
        FUZZ_CHECK(prof_aicpu_op_name(p, &d, &h, of[i]) == PROF_NONE);
    }
    for (size_t i = 0; i < a.n_dp; i++)
        FUZZ_CHECK(prof_str(p, a.dp[i].action).n <= 16 && prof_str(p, a.dp[i].source).n <= 64);
    free(of);
    prof_aicpu_done(&a);
}

/* ---- sampled ---- */

static int64_t clock_of(const void *arg, uint64_t us)
{
    return prof_sample_us_ns(arg, us);
}

static void check_hbm(struct prof *p, const struct prof_folder *f)
{
    struct prof_hbm_point *v;
    struct err e = ERR_INIT;
    size_t n;

    FUZZ_CHECK(prof_hbm_points(p, f, clock_of, f, &v, &n, &e) == OK && !v == !n);
    for (size_t i = 0; i < n; i++)
        FUZZ_CHECK(isfinite(v[i].mbs) && v[i].mbs >= 0 && (!i || v[i - 1].ns <= v[i].ns));
    free(v);
}

static void check_llc(struct prof *p, const struct prof_folder *f)
{
    struct prof_llc_point *v;
    struct err e = ERR_INIT;
    size_t n;

    FUZZ_CHECK(prof_llc_points(p, f, clock_of, f, &v, &n, &e) == OK);
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(v[i].hit_e3 >= 0 && v[i].mbs_e3 >= 0 && v[i].mbs64_e3 >= v[i].mbs_e3);
        FUZZ_CHECK(!i || v[i - 1].id < v[i].id || (v[i - 1].id == v[i].id && v[i - 1].ns < v[i].ns));
    }
    free(v);
}

static void check_hccs(struct prof *p, const struct prof_folder *f)
{
    struct prof_hccs_point *v;
    struct err e = ERR_INIT;
    size_t n[2];

    for (int lose = 0; lose < 2; lose++) {
        FUZZ_CHECK(prof_hccs_points(p, f, lose, &v, &n[lose], &e) == OK);
        for (size_t i = 0; i < n[lose]; i++)
            FUZZ_CHECK(v[i].tx_e3 >= 0 && v[i].rx_e3 >= 0 && (!i || v[i - 1].ns < v[i].ns));
        free(v);
    }
    FUZZ_CHECK(n[1] == n[0] - (n[0] > 1));
}

static int on_sample(void *arg, const struct prof_sample *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->count;
    return OK;
}
static int on_pcie(void *arg, const struct prof_pcie *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->v[N_PROF_PCIE - 1].avg;
    return OK;
}
static int on_l2(void *arg, const struct prof_l2_cache *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->event[7];
    return OK;
}
static int on_net(void *arg, const struct prof_net *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->v[PROF_NET_FUNC];
    return OK;
}

static int on_soc(void *arg, const struct prof_soc *s, struct err *e)
{
    (void)e;
    FUZZ_CHECK(s->n && s->n <= POWER_VALUES && s->kind >= PROF_SOC_QOS && s->kind <= PROF_SOC_POWER);
    *(uint64_t *)arg += s->v[s->n - 1];
    return OK;
}
static int on_ub(void *arg, const struct prof_ub *s, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < N_PROF_UB; i++)
        *(uint64_t *)arg += s->v[i];
    return OK;
}
static int on_soc_pmu(void *arg, const struct prof_soc_pmu *s, struct err *e)
{
    (void)e;
    *(uint64_t *)arg += s->event[7];
    return OK;
}

static void check_ddr(struct prof *p, const struct prof_folder *f)
{
    struct prof_ddr_point *v;
    struct err e = ERR_INIT;
    size_t n;

    FUZZ_CHECK(prof_ddr_points(p, f, &v, &n, &e) == OK);
    for (size_t i = 0; i < n; i++) {
        for (int w = 0; w < 2; w++)
            FUZZ_CHECK(isfinite(v[i].mbs[w]) && v[i].mbs[w] >= 0);
        FUZZ_CHECK(!i || v[i - 1].master != v[i].master || v[i - 1].us < v[i].us);
    }
    free(v);
}

static void check_voltages(struct prof *p, const struct prof_folder *f)
{
    struct prof_voltage *v;
    struct err e = ERR_INIT;
    size_t n;

    FUZZ_CHECK(prof_voltages(p, f, &v, &n, &e) == OK && !v == !n);
    for (size_t i = 1; i < n; i++)
        FUZZ_CHECK(v[i - 1].bus < v[i].bus || (v[i - 1].bus == v[i].bus && v[i - 1].counter <= v[i].counter));
    free(v);
}

/* Runs by their begin; a delay is one of a channel that the host names. */
static void check_ccu(struct prof *p, const struct prof_folder *f, bool as_msprof)
{
    const struct prof_ccu_how how = { .as_msprof = as_msprof };
    const struct prof_host host = { .n_tasks = 0 };
    struct err e = ERR_INIT;
    struct prof_ccu_host h;
    struct prof_ccu_run *v;
    size_t n;

    FUZZ_CHECK(prof_ccu_host_read(&h, p, &e) == OK);
    FUZZ_CHECK(prof_ccu_runs(p, f, &host, &h, &how, &v, &n, &e) == OK);
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(v[i].start && (!i || v[i - 1].start <= v[i].start));
        FUZZ_CHECK(!v[i].delay || (v[i].is_wait && v[i].info));
        FUZZ_CHECK(v[i].rank < PROF_CCU_RANKS && v[i].channel < PROF_CCU_CHANNELS);
        FUZZ_CHECK(v[i].stream == PROF_CCU_NO_STREAM);
    }
    free(v);
    prof_ccu_host_done(&h);
}

static void check_tscpu(struct prof *p, const struct prof_folder *f)
{
    static struct prof_tscpu_sums s;
    struct err e = ERR_INIT;

    FUZZ_CHECK(prof_tscpu_sum(&s, p, f, &e) == OK);
    for (size_t i = 1; i < s.n_functions; i++)
        FUZZ_CHECK(s.function[i - 1].cycles >= s.function[i].cycles);
    prof_tscpu_sums_done(&s);
}

static int on_ccu(void *arg, const struct prof_ccu_channel *c, struct err *e)
{
    (void)e;
    FUZZ_CHECK(c->counter && c->channel < PROF_CCU_CHANNELS && c->die < PROF_CCU_DIES);
    *(uint64_t *)arg += c->mean;
    return OK;
}

/* ---- the host ---- */

static void check_host(struct prof *p)
{
    static struct prof_netcard card = { STR("eth0"), 1e6 };
    struct prof_meta *m = &p->host->meta;

    m->cpu_nums = 4;
    m->jiffies_hz = 100;
    m->memory_kb = 1000000;
    m->disk_hz = 50;
    m->netcard = &card;
    m->n_netcards = 1;
    read_usage(p);
}

static void check_all(struct prof *p)
{
    const struct prof_folder *f = p->n_devices ? p->device[0] : NULL;
    struct err e = ERR_INIT;
    uint64_t sum = 0;

    check_ops(p);
    FUZZ_CHECK(prof_static_memory_read(p, on_static, &sum, &e) == OK);
    if (p->host) {
        check_host(p);
        read_system(p, p->host);
    }
    if (!f)
        return;
    FUZZ_CHECK(prof_npu_memory_read(p, f, on_npu, &sum, &e) == OK);
    FUZZ_CHECK(prof_module_memory_read(p, f, on_module, &sum, &e) == OK);
    check_aicpu(p, f);
    check_hbm(p, f);
    check_llc(p, f);
    check_hccs(p, f);
    check_ddr(p, f);
    read_system(p, f);
    check_voltages(p, f);
    FUZZ_CHECK(prof_soc_read(p, f, PROF_STARS_PROFILE, on_soc, &sum, &e) == OK);
    FUZZ_CHECK(prof_soc_read(p, f, PROF_QOS, on_soc, &sum, &e) == OK);
    FUZZ_CHECK(prof_soc_pmu_read(p, f, on_soc_pmu, &sum, &e) == OK);
    FUZZ_CHECK(prof_ub_read(p, f, on_ub, &sum, &e) == OK);
    FUZZ_CHECK(prof_ccu_channels(p, f, on_ccu, &sum, &e) == OK);
    check_tscpu(p, f);
    check_ccu(p, f, false);
    check_ccu(p, f, true);
    FUZZ_CHECK(prof_sample_read(p, f, PROF_DDR, on_sample, &sum, &e) == OK);
    FUZZ_CHECK(prof_pcie_read(p, f, on_pcie, &sum, &e) == OK);
    FUZZ_CHECK(prof_l2_cache_read(p, f, on_l2, &sum, &e) == OK);
    FUZZ_CHECK(prof_net_read(p, f, PROF_NIC, on_net, &sum, &e) == OK);
    FUZZ_CHECK(prof_net_read(p, f, PROF_ROCE, on_net, &sum, &e) == OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t head = size < HEAD ? size : HEAD;
    uint8_t how = size > 1 ? data[1] : 0;
    struct source_file f = { .id = 1,
                             .path = fuzz_file(data + head, size - head),
                             .rel = names[size ? data[0] % ARRAY_LEN(names) : 0],
                             .regular = true,
                             .size_b = size - head };
    const struct source_file *files[] = { &f };
    struct sink_count *count = NULL;
    struct runinfo run = { 0 };
    struct err e = ERR_INIT;
    struct prof *p = NULL;

    FUZZ_CHECK(sink_count_new(&count, &e) == OK);
    const struct prof_input in = {
        .files = files, .n = 1, .root = STR(""), .device = -1, .run = &run, .notes = sink_count_sink(count)
    };
    FUZZ_CHECK(prof_open(&p, &in, &e) == OK);
    p->chip = chip_of(5);
    for (size_t i = 0; i < p->n_devices; i++) {
        p->device[i]->meta.version = how & VERSION_2 ? 2 : 1;
        p->device[i]->meta.llc_mode = how & WRITES ? STR("write") : STR("read");
        p->device[i]->meta.n_hbm_events = how & WRITES ? 2 : 1;
    }
    check_all(p);
    prof_close(p);
    sink_count_free(count);
    return 0;
}
