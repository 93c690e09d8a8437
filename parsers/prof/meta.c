/* SPDX-License-Identifier: Apache-2.0 */
/* info.json, sample.json, start_info, end_info, host_start.log, dev_start.log. */
#include "config.h"

#include "parsers/prof/meta.h"

#include <stdlib.h>

#include "base/path.h"
#include "base/read/json_small.h"

#define LOG_MAX_B ((size_t)64 << 10)
#define HZ        1000000

const struct prof_info_kind prof_info_kinds[N_INFO_FILES] = {
    [INFO_FILE_INFO] = { "info.json", true, true, "chip, frequencies and number of cores are unknown" },
    [INFO_FILE_SAMPLE] = { "sample.json", false, true, "the options of the collection are unknown" },
    [INFO_FILE_START] = { "start_info", true, true, "the time of day is unknown" },
    [INFO_FILE_END] = { "end_info", false, false, NULL },
    [INFO_FILE_HOST_CLOCK] = { "host_start.log", true, true,
                               "times of host and device cannot be laid side by side" },
    [INFO_FILE_DEVICE_CLOCK] = { "dev_start.log", false, true, "when its counter began is unknown" },
};

enum prof_info_file prof_info_file_of(const char *base)
{
    struct str s = str_of(base);

    if (str_ends(s, STR("done")))
        return N_INFO_FILES;
    for (size_t i = 0; i < N_INFO_FILES; i++) {
        struct str name = str_of(prof_info_kinds[i].name);
        if (str_starts(s, name) && (s.n == name.n || s.p[name.n] == '.'))
            return (enum prof_info_file)i;
    }
    return N_INFO_FILES;
}

/* ---- values: numbers come as numbers and as texts ---- */

static int64_t integer(const struct jv *v, int64_t otherwise)
{
    int64_t n;

    if (jv_is_string(v) && str_i64(str_trim(jv_str(v)), &n))
        return n;
    double d = jv_num(v);
    return jv_is_number(v) && d >= -9e15 && d <= 9e15 ? (int64_t)d : otherwise;
}

/* Text of MHz to Hz; 0: none. */
static uint64_t hertz(const struct jv *v)
{
    int64_t hz;

    if (jv_is_string(v) && str_scaled(str_trim(jv_str(v)), HZ, &hz, NULL))
        return hz > 0 ? (uint64_t)hz : 0;
    double d = jv_num(v) * HZ;
    return jv_is_number(v) && d > 0 && d < 1e15 ? (uint64_t)d : 0;
}

static struct str text(struct prof *p, const struct jv *v)
{
    return jv_is_string(v) ? arena_str(p->a, jv_str(v)) : STR_NULL;
}

static bool is_on(const struct jv *v)
{
    return str_eq(jv_str(v), STR("on"));
}

/* "0x8,0xa": numbers of counters. */
static uint32_t events(struct str list, uint32_t *out, uint32_t max)
{
    struct str one;
    uint32_t n = 0;

    while (list.n && n < max && str_next(&list, ',', &one)) {
        one = str_trim(one);
        if (str_starts(one, STR("0x")))
            one = str_sub(one, 2, SIZE_MAX);
        uint32_t v = 0;
        for (size_t i = 0; i < one.n && i < 8; i++) {
            char c = one.p[i];
            v = v << 4 | (c >= '0' && c <= '9' ? (uint32_t)(c - '0') : ((uint32_t)c | 32) - 'a' + 10) % 16;
        }
        out[n++] = v;
    }
    return n;
}

/* "SMMU:0x8a,0x8c;HA:0x1": the numbers after a name. */
static uint32_t events_of(struct str list, struct str name, uint32_t *out, uint32_t max)
{
    struct str one;

    while (list.n && str_next(&list, ';', &one)) {
        size_t colon = str_chr(one, ':');
        if (colon != SIZE_MAX && str_eq_nocase(str_trim(str_sub(one, 0, colon)), name))
            return events(str_sub(one, colon + 1, SIZE_MAX), out, max);
    }
    return 0;
}

static uint32_t count_list(struct str list)
{
    struct str one;
    uint32_t n = 0;

    while (list.n && str_next(&list, ',', &one))
        n++;
    return n;
}

/* "9.1.0", "9.1.T100": the first two numbers, both 0 when there are none. */
static void version_of(struct str s, int *major, int *minor)
{
    struct str one[2];
    int64_t v[2];

    *major = *minor = 0;
    for (size_t i = 0; i < ARRAY_LEN(one); i++)
        if (!str_next(&s, '.', &one[i]) || !str_i64(one[i], &v[i]) || v[i] < 0 || v[i] > INT16_MAX)
            return;
    *major = (int)v[0];
    *minor = (int)v[1];
}

/* 0 when it is none, or beyond what such a number can be. */
static uint64_t up_to(const struct jv *v, int64_t most)
{
    int64_t n = integer(v, 0);

    return n > 0 && n <= most ? (uint64_t)n : 0;
}

#define BYTES_PER_S 125000.0 /* of 1 Mbit/s */

/* Network cards of known speed (-1: not known). */
static void read_cards(struct prof *p, struct prof_meta *m, const struct jv *list)
{
    m->netcard = arena_array(p->a, PROF_NETCARDS, sizeof *m->netcard);
    for (const struct jv *v = jv_first(list); m->netcard && v && m->n_netcards < PROF_NETCARDS;
         v = jv_next(v)) {
        double mbits = jv_num(jv_get(v, "speed"));
        struct str name = text(p, jv_get(v, "netCardName"));
        if (name.n && mbits > 0 && mbits < 1e12)
            m->netcard[m->n_netcards++] = (struct prof_netcard){ name, mbits * BYTES_PER_S };
    }
}

/* ---- documents ---- */

static void read_info(struct prof *p, struct prof_meta *m, const struct jv *v)
{
    const struct jv *dev = jv_first(jv_get(v, "DeviceInfo")), *cpu = jv_first(jv_get(v, "CPU"));

    m->platform = (int)integer(jv_get(v, "platform_version"), -1);
    m->version = str_starts(jv_str(jv_get(v, "version")), STR("2")) ? 2 : 1;
    m->driver = integer(jv_get(v, "drvVersion"), 0);
    version_of(str_trim(jv_str(jv_get(v, "cannVersion"))), &m->cann_major, &m->cann_minor);
    m->pid = integer(jv_get(v, "pid"), 0);
    m->pid_name = text(p, jv_get(v, "pid_name"));
    m->host_name = text(p, jv_get(v, "hostname"));
    m->host_uid = text(p, jv_get(v, "hostUid"));
    m->rank = (int)integer(jv_get(v, "rank_id"), -1);
    m->host_hz = hertz(jv_get(cpu, "Frequency"));
    m->counter_hz = hertz(jv_get(dev, "hwts_frequency"));
    m->aic_hz = hertz(jv_get(dev, "aic_frequency"));
    m->aiv_hz = hertz(jv_get(dev, "aiv_frequency"));
    m->aic_cores = (uint32_t)integer(jv_get(dev, "ai_core_num"), 0);
    m->aiv_cores = (uint32_t)integer(jv_get(dev, "aiv_num"), 0);
    m->cpu_nums = (uint32_t)up_to(jv_get(v, "cpuNums"), 1000000);
    m->jiffies_hz = (uint32_t)up_to(jv_get(v, "sysClockFreq"), 1000000);
    m->memory_kb = up_to(jv_get(v, "memoryTotal"), (int64_t)1 << 50);
    m->ctrl_cpus = text(p, jv_get(dev, "ctrl_cpu"));
    m->ai_cpus = text(p, jv_get(dev, "ai_cpu"));
    read_cards(p, m, jv_get(v, "netCard"));
}

static void read_sample(struct prof *p, struct prof_meta *m, const struct jv *v)
{
    const char *const level[] = { "profLevel", "prof_level" };

    for (size_t i = 0; i < ARRAY_LEN(level); i++) {
        struct str s = jv_str(jv_get(v, level[i]));
        m->level0 |= str_eq(s, STR("l0")) || str_eq(s, STR("level0"));
    }
    m->task_based = !str_eq(jv_str(jv_get(v, "ai_core_profiling_mode")), STR("sample-based"));
    m->aiv_task_based = !str_eq(jv_str(jv_get(v, "aiv_profiling_mode")), STR("sample-based"));
    m->dynamic = is_on(jv_get(v, "dynamic"));
    if (is_on(jv_get(v, "ai_core_profiling"))) {
        m->aic_metrics = text(p, jv_get(v, "ai_core_metrics"));
        m->n_aic_events = events(jv_str(jv_get(v, "ai_core_profiling_events")), m->aic_event, PROF_EVENTS);
    }
    if (is_on(jv_get(v, "aiv_profiling"))) {
        m->aiv_metrics = text(p, jv_get(v, "aiv_metrics"));
        m->n_aiv_events = events(jv_str(jv_get(v, "aiv_profiling_events")), m->aiv_event, PROF_EVENTS);
    }
    m->llc_mode = text(p, jv_get(v, "llc_profiling"));
    m->n_hbm_events = count_list(jv_str(jv_get(v, "hbm_profiling_events")));
    m->n_l2_events = events(jv_str(jv_get(v, "l2CacheTaskProfilingEvents")), m->l2_event, 8);
    m->n_smmu_events = events_of(jv_str(jv_get(v, "npuEvents")), STR("SMMU"), m->smmu_event, 8);
    m->disk_hz = jv_num(jv_get(v, "host_disk_freq"));
    m->disk_hz = m->disk_hz > 0 && m->disk_hz < 1e9 ? m->disk_hz : 0;
    m->n_ts_events = events(jv_str(jv_get(v, "ts_cpu_profiling_events")), m->ts_event, PROF_TS_EVENTS);
    m->qos_events = text(p, jv_get(v, "qosEvents"));
}

static void read_start(struct prof *p, struct prof_meta *m, const struct jv *v)
{
    (void)p;
    m->begin_us = integer(jv_get(v, "collectionTimeBegin"), 0);
    m->start_mono_ns = integer(jv_get(v, "clockMonotonicRaw"), 0);
    m->has_start = m->begin_us > 0;
}

static void read_end(struct prof *p, struct prof_meta *m, const struct jv *v)
{
    (void)p;
    m->end_us = integer(jv_get(v, "collectionTimeEnd"), 0);
    m->has_end = m->end_us > 0;
}

static void (*const documents[N_INFO_FILES])(struct prof *, struct prof_meta *, const struct jv *) = {
    [INFO_FILE_INFO] = read_info,
    [INFO_FILE_SAMPLE] = read_sample,
    [INFO_FILE_START] = read_start,
    [INFO_FILE_END] = read_end,
};

/* ---- clocks: lines "key:value" below a line "[section]" ---- */

struct clock_file {
    int64_t mono, real; /* real 0: unknown */
    uint64_t counter, diff;
    bool has_mono, has_counter, has_diff;
};

/* A last line without its end is left out: half a clock would be a wrong one. The first section counts. */
static void read_clock(struct str rest, struct clock_file *c)
{
    struct str line;
    unsigned sections = 0;

    while (str_next(&rest, '\n', &line) && rest.p) {
        size_t colon = str_chr(line, ':');
        struct str key = str_trim(str_sub(line, 0, colon));
        if (key.n && key.p[0] == '[' && ++sections > 1)
            return;
        if (colon == SIZE_MAX)
            continue;
        struct str value = str_trim(str_sub(line, colon + 1, SIZE_MAX));
        if (str_eq(key, STR("clock_monotonic_raw")))
            c->has_mono = str_i64(value, &c->mono);
        else if (str_eq(key, STR("cntvct")))
            c->has_counter = str_u64(value, &c->counter);
        else if (str_eq(key, STR("cntvct_diff")))
            c->has_diff = str_u64(value, &c->diff);
        else if (str_eq(key, STR("clock_realtime")) && !str_i64(value, &c->real))
            c->real = 0;
    }
}

static void take_clock(struct prof_meta *m, enum prof_info_file which, const struct clock_file *c)
{
    if (!c->has_mono || !c->has_counter)
        return;
    if (which == INFO_FILE_HOST_CLOCK) {
        m->has_host_clock = true;
        m->host_mono_ns = c->mono;
        m->host_real_ns = c->real;
        m->host_counter = c->counter;
        m->host_counter_diff = c->diff;
    } else {
        m->has_device_clock = true;
        m->device_mono_ns = c->mono;
        m->device_real_ns = c->real;
        m->device_counter = c->counter;
    }
}

/* ---- the whole ---- */

static int read_info_file(struct prof *p, struct prof_folder *f, enum prof_info_file which,
                          const struct source_file *file, struct err *e)
{
    struct clock_file clock = { 0 };
    struct jdoc *d = NULL;
    char *text = NULL;
    size_t n;

    if (documents[which]) {
        if (jdoc_read(&d, file->path, e) == OK)
            documents[which](p, &f->meta, jdoc_root(d));
        jdoc_free(d);
        return e->code;
    }
    if (infile_read_all(file->path, LOG_MAX_B, &text, &n, e) == OK) {
        read_clock((struct str){ text, n }, &clock);
        /* cut before its last line, which corrects the one before */
        if (clock.has_diff || which == INFO_FILE_DEVICE_CLOCK || (n && text[n - 1] == '\n'))
            take_clock(&f->meta, which, &clock);
    }
    free(text);
    return e->code;
}

static bool is_there(const struct prof_meta *m, enum prof_info_file which, bool read)
{
    switch (which) {
    case INFO_FILE_START:
        return m->has_start;
    case INFO_FILE_HOST_CLOCK:
        return m->has_host_clock;
    case INFO_FILE_DEVICE_CLOCK:
        return m->has_device_clock;
    default:
        return read;
    }
}

int prof_meta_read(struct prof *p, struct prof_folder *f,
                   const struct source_file *const info_file[N_INFO_FILES], struct err *e)
{
    f->meta = (struct prof_meta){
        .platform = -1,
        .version = 1,
        .rank = -1,
        .task_based = true,
        .aiv_task_based = true,
        .near_ns = PROF_NO_BOUND,
    };
    for (size_t i = 0; i < N_INFO_FILES; i++) {
        bool read = info_file[i] && read_info_file(p, f, (enum prof_info_file)i, info_file[i], e) == OK;
        if (e->code == ERR_NOMEM)
            return e->code;
        if (info_file[i] && e->code) {
            struct where w = { .source_id = info_file[i]->id, .line = e->line, .offset = e->offset };
            sink_note(p->in.notes, NOTE_BAD_FILE, &w, "%s", e->text);
        }
        err_clear(e);
        bool wanted = f->host ? prof_info_kinds[i].host : prof_info_kinds[i].device;
        if (wanted && !is_there(&f->meta, (enum prof_info_file)i, read)) {
            f->meta.lacks |= 1u << i;
            f->meta.unusable |= info_file[i] ? 1u << i : 0;
        }
    }
    return OK;
}
