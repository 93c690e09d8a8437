/*
 * Private to ms_trace*.c: events of msprof.json and step_trace.json (formats/msprof-raw.md 6.3), as msprof's C++ half writes them or its
 * Python half, which differ in the order of members, clocks and ids. Events go straight to the file; nothing is kept of one.
 */
#ifndef NPUSCOPE_MSPROF_TRACE_TRACE_H
#define NPUSCOPE_MSPROF_TRACE_TRACE_H

#include "msprof/args.h"
#include "msprof/run.h"

#define MT_HOST_DEVICE 31 /* the host's number in a pid */
#define MT_HOST        SIZE_MAX
#define MT_NO_LINK     UINT64_MAX /* connection id of a task that no call is known of */

struct ms_trace;

/* A process of the trace: its events of one device, or of the host. */
struct mt_layer {
    const char *word; /* of -reports */
    const char *name;
    uint8_t sort;   /* of C++ */
    uint8_t python; /* sort index of Python; 0: the next free one */
    bool host;
    bool short_names; /* a process of its own, that says no more than its name */
    /* Its events and their metadata, for t->device; nothing when there are none. Errors: ERR_NOMEM, ERR_CANCELLED. */
    int (*write)(struct ms_trace *t, struct err *e);
};

struct ms_trace {
    struct ms_run *r;
    struct vout *o;
    bool python;
    bool steps_only;  /* step_trace.json: all of them */
    bool more;        /* an event was written */
    size_t n_written; /* of the layer: anything at all */
    /* the layer that is written */
    const struct mt_layer *layer;
    struct str name;  /* of the process: the layer's, unless it has one of its own */
    struct str label; /* of the process; no text: of its device */
    size_t device;    /* index, MT_HOST */
    size_t of;        /* index of the device that it is written along with */
    uint64_t pid;
    unsigned sort;
    /* counted over all devices */
    unsigned next_sort;
    uint32_t next_comm, next_reduce;
    bool host_done; /* Python: the host's events were written */
    bool tx_done;   /* the same, of the program's own marks */
    bool dpu_done;  /* of DPUs, in both halves */
    /* the open event */
    const char *cat;
    char ph;
    bool arg;
};

/* pid of a layer (6.3) for a device (index, MT_HOST). */
uint64_t mt_pid(const struct ms_trace *t, unsigned sort, size_t device);
struct prof_folder *mt_folder(const struct ms_trace *t);
/* Id of the process that was profiled, for t->device; 0: not said. */
uint64_t mt_profiled_pid(const struct ms_trace *t);

/* ---- time: ns since 1970 of what t->device counts in ---- */

int64_t mt_device_ns(const struct ms_trace *t, uint64_t counter);
int64_t mt_host_ns(const struct ms_trace *t, uint64_t counter);

/* ---- events ---- */

/*
 * Open an event; arguments follow, then mt_end(). Names are a word of ours, which needs no escapes, and a text of the profile. dur: ns; us: Python's double, used
 * when dur is MT_US.
 */
#define MT_US INT64_MIN
struct mt_event {
    const char *word;
    struct str text;
    uint32_t tid;
    int64_t ts, dur;
    double us;
    bool column;     /* us is one of a column (ms_put_column) */
    const char *cat; /* NULL: none */
};
void mt_slice(struct ms_trace *t, const struct mt_event *v);
/* A slice without the member args. */
void mt_bare_slice(struct ms_trace *t, const struct mt_event *v);
void mt_counter(struct ms_trace *t, const char *word, int64_t ts);
/* With a name that has a text, or on a thread. */
void mt_counter_of(struct ms_trace *t, const struct mt_event *v);
/* With a stamp that is the text of a double, us. */
void mt_counter_us(struct ms_trace *t, const char *word, double us);
/* With a stamp of whole us, without decimals. */
void mt_counter_whole_us(struct ms_trace *t, const char *word, int64_t us);
void mt_end(struct ms_trace *t);

void mt_key(struct ms_trace *t, const char *key);
void mt_u(struct ms_trace *t, const char *key, uint64_t v);
void mt_real(struct ms_trace *t, const char *key, double v);
void mt_e3(struct ms_trace *t, const char *key, int64_t thousandths); /* as a double */
void mt_i(struct ms_trace *t, const char *key, int64_t v);
void mt_number_text(struct ms_trace *t, const char *key, uint64_t v); /* as text */
void mt_text(struct ms_trace *t, const char *key, struct str v);
void mt_word(struct ms_trace *t, const char *key, const char *v);
void mt_stamp(struct ms_trace *t, const char *key, int64_t ns); /* as text */

/* An argument, for struct ms_args; t: the trace. */
void mt_put_arg(void *t, const struct ms_arg *a);

/* ---- flows from the host to a device ---- */

typedef unsigned __int128 mt_id;
struct mt_flow {
    mt_id id;
    uint32_t tid;
    int64_t ts;
};
void mt_flow_start(struct ms_trace *t, const struct mt_flow *f);
void mt_flow_end(struct ms_trace *t, const struct mt_flow *f);
/* Id of what a call leads to (its index), in C++. */
mt_id mt_link(uint32_t api);

/* The same of marks of the program, by their numbers. */
mt_id mt_tx_link(const struct ms_trace *t, uint64_t mark);
void mt_tx_start(struct ms_trace *t, const struct mt_flow *f);
void mt_tx_end(struct ms_trace *t, const struct mt_flow *f);

/* ---- bounds of data augmentation between iterations; arguments follow ---- */

struct mt_bound {
    uint64_t n;
    uint32_t tid;
    char ph;
    int64_t ts;
};
void mt_bound(struct ms_trace *t, const struct mt_bound *b);
void mt_bound_end(struct ms_trace *t);

/* ---- metadata ---- */

/* Name of a thread: before, a text or a number, after. */
struct mt_thread {
    uint32_t tid;
    const char *before;
    struct str text;
    bool has_n;
    uint64_t n;
    const char *after;
    uint64_t sort;
    bool no_sort; /* no thread_sort_index, in Python */
};
/* The process and its threads. */
void mt_metadata(struct ms_trace *t, const struct mt_thread *v, size_t n);

/* ---- sets of numbers ---- */

struct mt_ids { /* {0} at first; free(v) ends it */
    uint64_t *v;
    size_t n, cap;
};
/* Repeated ones may be kept. ERR_NOMEM. */
NODISCARD int mt_ids_add(struct mt_ids *s, uint64_t id, struct err *e);
/* In order, each once. */
void mt_ids_sort(struct mt_ids *s);
/* Metadata with a thread for each: "Stream 2". ERR_NOMEM. */
NODISCARD int mt_numbered(struct ms_trace *t, struct mt_ids *s, const char *before, struct err *e);

/* A JSON string. UTF-8 stays; a byte that is none becomes U+FFFD. */
void mt_json(struct vout *o, struct str s);

/* ---- what links calls to tasks (ms_trace_flow.c) ---- */

struct mt_links {
    uint32_t record, wait; /* texts: calls of events */
};
struct mt_links mt_links_of(struct ms_trace *t);
/* The call is one of acl that records an event or waits for one. */
bool mt_is_event_call(struct ms_trace *t, const struct mt_links *l, uint32_t api);
/* Host task of a device's task; NULL: none. */
static inline const struct prof_host_task *mt_host_task(const struct ms_run *r,
                                                        const struct prof_task *x)
{
    return x->host == PROF_NONE ? NULL : &r->host.task[x->host];
}
/* Python's id of a task on both ends. */
mt_id mt_task_id(const struct ms_trace *t, size_t device, const struct prof_task *x);
bool mt_keeps(const struct ms_trace *t, size_t device, const struct prof_task *x);

/* ---- what is shown (msprof/trace/trace_count.c) ---- */

/* The layer's process, before its first event. */
void mt_begin_process(struct ms_trace *t);
/* Within what the export is about: rows before the collection began are none (2.3). The layer's process begins then. */
bool mt_is_kept(struct ms_trace *t, int64_t ns);

/* ---- layers ---- */

NODISCARD int mt_cann(struct ms_trace *t, struct err *e);     /* msprof/trace/trace_host.c */
NODISCARD int mt_hardware(struct ms_trace *t, struct err *e); /* msprof/trace/trace_task.c */
NODISCARD int mt_comm(struct ms_trace *t, struct err *e);     /* msprof/trace/trace_comm.c */
NODISCARD int mt_overlap(struct ms_trace *t, struct err *e);  /* msprof/trace/trace_overlap.c */
NODISCARD int mt_steps(struct ms_trace *t, struct err *e);    /* msprof/trace/trace_step.c */
/* msprof/trace/trace_tx.c */
NODISCARD int mt_tx(struct ms_trace *t, struct err *e);
NODISCARD int mt_tx_device(struct ms_trace *t, struct err *e);
NODISCARD int mt_dpu(struct ms_trace *t, struct err *e); /* msprof/trace/trace_dpu.c */
/* msprof/trace/trace_count.c */
NODISCARD int mt_freq(struct ms_trace *t, struct err *e);
NODISCARD int mt_npu_mem(struct ms_trace *t, struct err *e);
NODISCARD int mt_hbm(struct ms_trace *t, struct err *e);
NODISCARD int mt_hccs(struct ms_trace *t, struct err *e);
NODISCARD int mt_llc(struct ms_trace *t, struct err *e);
NODISCARD int mt_pcie(struct ms_trace *t, struct err *e);
NODISCARD int mt_nic(struct ms_trace *t, struct err *e);
NODISCARD int mt_roce(struct ms_trace *t, struct err *e);
NODISCARD int mt_ddr(struct ms_trace *t, struct err *e);
NODISCARD int mt_voltage(struct ms_trace *t, struct err *e);
/* msprof/trace/trace_usage.c */
NODISCARD int mt_cpu_usage(struct ms_trace *t, struct err *e);
NODISCARD int mt_memory_usage(struct ms_trace *t, struct err *e);
NODISCARD int mt_network_usage(struct ms_trace *t, struct err *e);
NODISCARD int mt_disk_usage(struct ms_trace *t, struct err *e);
NODISCARD int mt_os_calls(struct ms_trace *t, struct err *e);
/* msprof/trace/trace_soc.c */
NODISCARD int mt_acc_pmu(struct ms_trace *t, struct err *e);
NODISCARD int mt_soc_level(struct ms_trace *t, struct err *e);
NODISCARD int mt_chip_trans(struct ms_trace *t, struct err *e);
NODISCARD int mt_sio(struct ms_trace *t, struct err *e);
NODISCARD int mt_qos(struct ms_trace *t, struct err *e);
NODISCARD int mt_low_power(struct ms_trace *t, struct err *e);
NODISCARD int mt_ub(struct ms_trace *t, struct err *e);
NODISCARD int mt_ccu(struct ms_trace *t, struct err *e); /* msprof/trace/trace_ccu.c */
/* msprof/trace/trace_cores.c */
NODISCARD int mt_cores(struct ms_trace *t, struct err *e);
/* msprof/trace/trace_v6.c */
NODISCARD int mt_fusion(struct ms_trace *t, struct err *e);
NODISCARD int mt_blocks(struct ms_trace *t, struct err *e);

#endif
