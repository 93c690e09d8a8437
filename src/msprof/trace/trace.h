/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to msprof/trace/: events of msprof.json and step_trace.json (doc/formats/msprof.md#timeline), as
 * msprof's C++ half or its Python half writes them; the halves differ in the order of members, clocks and
 * ids. Events go straight to the file; none is kept.
 */
#ifndef NPUSCOPE_MSPROF_TRACE_TRACE_H
#define NPUSCOPE_MSPROF_TRACE_TRACE_H

#include "msprof/args.h"
#include "msprof/calls.h"
#include "msprof/run.h"

#define TRACE_HOST_DEVICE 31 /* the host's number in a pid */
#define TRACE_HOST        SIZE_MAX
#define TRACE_NO_LINK     UINT64_MAX /* connection id of a task without a known call */

struct msprof_trace;

/* A process of the trace: its events of one device, or of the host. */
struct trace_layer {
    const char *word; /* in the reports file (-reports) */
    const char *name;
    uint8_t sort;   /* of C++ */
    uint8_t python; /* sort index of Python */
    /*
     * not 0: Python gives it the next free sort index when its turn comes, 1 first (the order in which
     * analysis/msinterface/msprof_export.py exports them; the overlap comes last)
     */
    uint8_t turn;
    bool host;
    bool short_names; /* a process of its own whose metadata is only its name */
    /*
     * Writes its events and their metadata for t->device; nothing when there are none. Errors: ERR_NOMEM,
     * ERR_CANCELLED.
     */
    int (*write)(struct msprof_trace *t, struct err *e);
};

struct msprof_trace {
    struct msprof_run *r;
    struct emit *o;
    enum dialect dialect;
    bool steps_only;  /* step_trace.json: all steps */
    bool more;        /* an event was written */
    size_t n_written; /* events of the layer so far */
    /* the layer that is written */
    const struct trace_layer *layer;
    struct str name;  /* of the process: the layer's, unless it has one of its own */
    struct str label; /* of the process; no text: of its device */
    size_t device;    /* index, TRACE_HOST */
    size_t of;        /* index of the device along with which the layer is written */
    uint64_t pid;
    unsigned sort;
    /* counted over all devices */
    unsigned next_sort;
    uint32_t next_comm, next_reduce;
    bool host_done; /* Python: the host's events were written */
    bool no_calls;  /* Python: no call is shown, and so no arrow to a task */
    bool tx_done;   /* the same for marks of the program */
    bool dpu_done;  /* the same for DPUs, in both halves */
    /* the open event */
    const char *cat;
    char ph;
    bool arg;
};

/* pid of a layer (doc/formats/msprof.md#timeline) for a device (index, TRACE_HOST). */
uint64_t trace_pid(const struct msprof_trace *t, unsigned sort, size_t device);
struct prof_folder *trace_folder(const struct msprof_trace *t);
/* Id of the process that was profiled, for t->device; 0: unknown. */
uint64_t trace_profiled_pid(const struct msprof_trace *t);

/* ---- time: ns since 1970 from the counter of t->device ---- */

int64_t trace_device_ns(const struct msprof_trace *t, uint64_t counter);
int64_t trace_host_ns(const struct msprof_trace *t, uint64_t counter);

/* ---- events ---- */

/*
 * Open an event; arguments follow, then trace_end(). The name is word, one of our constants, which needs no
 * escapes, and then text, from the profile. dur: ns; us: Python's double, used when dur is TRACE_US.
 */
#define TRACE_US INT64_MIN
struct trace_event {
    const char *word;
    struct str text;
    uint32_t tid;
    int64_t ts, dur;
    double us;
    bool column;     /* us comes from a column (msprof_put_column) */
    const char *cat; /* NULL: none */
};
void trace_slice(struct msprof_trace *t, const struct trace_event *v);
/* A slice without the member args. */
void trace_bare_slice(struct msprof_trace *t, const struct trace_event *v);
void trace_counter(struct msprof_trace *t, const char *word, int64_t ts);
/* The name includes a text, or the counter is on a thread. */
void trace_counter_of(struct msprof_trace *t, const struct trace_event *v);
/* The stamp is the text of a double, us. */
void trace_counter_us(struct msprof_trace *t, const char *word, double us);
/* The stamp is in whole us, without decimals. */
void trace_counter_whole_us(struct msprof_trace *t, const char *word, int64_t us);
void trace_end(struct msprof_trace *t);

void trace_key(struct msprof_trace *t, const char *key);
void trace_u(struct msprof_trace *t, const char *key, uint64_t v);
void trace_real(struct msprof_trace *t, const char *key, double v);
void trace_e3(struct msprof_trace *t, const char *key, int64_t thousandths); /* as a double */
void trace_i(struct msprof_trace *t, const char *key, int64_t v);
void trace_number_text(struct msprof_trace *t, const char *key, uint64_t v); /* as text */
void trace_text(struct msprof_trace *t, const char *key, struct str v);
void trace_word(struct msprof_trace *t, const char *key, const char *v);
void trace_stamp(struct msprof_trace *t, const char *key, int64_t ns); /* as text */

/* An argument, for struct msprof_args; t: the trace. */
void trace_put_arg(void *t, const struct msprof_arg *a);

/* ---- flows from the host to a device ---- */

typedef unsigned __int128 trace_id;
struct trace_flow {
    trace_id id;
    uint32_t tid;
    int64_t ts;
};
void trace_flow_start(struct msprof_trace *t, const struct trace_flow *f);
/* Nothing in Python when it lies before the exported part, as msprof leaves such events out one by one. */
void trace_flow_end(struct msprof_trace *t, const struct trace_flow *f);
/* Id of the flow that begins at a call (its index), in C++. */
trace_id trace_link(uint32_t api);

/* Id of the flow of a mark of the program, by its number. */
trace_id trace_tx_link(const struct msprof_trace *t, uint64_t mark);
void trace_tx_start(struct msprof_trace *t, const struct trace_flow *f);
void trace_tx_end(struct msprof_trace *t, const struct trace_flow *f);

/* ---- bounds of data augmentation between iterations; arguments follow ---- */

struct trace_bound {
    uint64_t n;
    uint32_t tid;
    char ph;
    int64_t ts;
};
void trace_bound(struct msprof_trace *t, const struct trace_bound *b);
void trace_bound_end(struct msprof_trace *t);

/* ---- metadata ---- */

/* The name of a thread is: before, a text or a number, after. */
struct trace_thread {
    uint32_t tid;
    const char *before;
    struct str text;
    bool has_n;
    uint64_t n;
    const char *after;
    uint64_t sort;
    bool no_sort; /* no thread_sort_index, in Python */
};
/* Metadata of the process and its threads. */
void trace_metadata(struct msprof_trace *t, const struct trace_thread *v, size_t n);

/* ---- sets of numbers ---- */

struct trace_ids { /* {0} at first; free(v) ends it */
    uint64_t *v;
    size_t n, cap;
};
/* Repeated ids may be kept. ERR_NOMEM. */
NODISCARD int trace_ids_add(struct trace_ids *s, uint64_t id, struct err *e);
/* Sorts the ids and removes repeated ones. */
void trace_ids_sort(struct trace_ids *s);
/* Metadata with a thread for each: "Stream 2". ERR_NOMEM. */
NODISCARD int trace_numbered(struct msprof_trace *t, struct trace_ids *s, const char *before, struct err *e);

/* A JSON string. UTF-8 stays; an invalid byte becomes U+FFFD. */
void trace_json(struct emit *o, struct str s);

/* ---- connections of calls and tasks ---- */

struct trace_links {
    uint32_t record, wait; /* texts: names of calls */
};
struct trace_links trace_links_of(struct msprof_trace *t);
/* Whether the call is an acl call that records an event or waits for one. */
bool trace_is_event_call(struct msprof_trace *t, const struct trace_links *l, uint32_t api);
/* Whether the layer of calls has this one. part: of msprof_calls_of(). */
bool trace_shows_call(const struct msprof_trace *t, const struct msprof_calls *part,
                      const struct prof_api *a);
/* Host task of a device's task; NULL: none. */
static inline const struct prof_host_task *trace_host_task(const struct msprof_run *r,
                                                           const struct prof_task *x)
{
    return x->host == PROF_NONE ? NULL : &r->m.host.task[x->host];
}
/* Python's flow id of a task, the same on both ends. */
trace_id trace_task_id(const struct msprof_trace *t, size_t device, const struct prof_task *x);
bool trace_keeps(const struct msprof_trace *t, size_t device, const struct prof_task *x);
/*
 * Python with --compat, on chips with an hwts log: what is made of all tasks and cut afterwards, so that its
 * pieces are those that reach into the exported part (doc/formats/prof-quirks.md#partial-exports).
 */
bool trace_is_cut_late(const struct msprof_trace *t);
/* Whether an event of such a layer is shown: it begins in the part, or reaches into it. Device counters. */
bool trace_reaches(const struct msprof_trace *t, uint64_t from, uint64_t to);

/* ---- process and window of a layer (msprof/trace/trace_count.c) ---- */

/* Begins the layer's process, before its first event. */
void trace_begin_process(struct msprof_trace *t);
/*
 * Whether ns is within the exported part: rows before the collection began are not
 * (doc/formats/prof.md#clocks). If so, the layer's process begins; in Python also if not, as metadata stays.
 */
bool trace_is_kept(struct msprof_trace *t, int64_t ns);

/* ---- layers ---- */

NODISCARD int trace_cann(struct msprof_trace *t, struct err *e);     /* msprof/trace/trace_host.c */
NODISCARD int trace_hardware(struct msprof_trace *t, struct err *e); /* msprof/trace/trace_task.c */
NODISCARD int trace_comm(struct msprof_trace *t, struct err *e);     /* msprof/trace/trace_comm.c */
NODISCARD int trace_overlap(struct msprof_trace *t, struct err *e);  /* msprof/trace/trace_overlap.c */
NODISCARD int trace_steps(struct msprof_trace *t, struct err *e);    /* msprof/trace/trace_step.c */
/* msprof/trace/trace_tx.c */
NODISCARD int trace_tx(struct msprof_trace *t, struct err *e);
NODISCARD int trace_tx_device(struct msprof_trace *t, struct err *e);
NODISCARD int trace_dpu(struct msprof_trace *t, struct err *e); /* msprof/trace/trace_dpu.c */
/* msprof/trace/trace_count.c */
NODISCARD int trace_freq(struct msprof_trace *t, struct err *e);
NODISCARD int trace_npu_mem(struct msprof_trace *t, struct err *e);
NODISCARD int trace_hbm(struct msprof_trace *t, struct err *e);
NODISCARD int trace_hccs(struct msprof_trace *t, struct err *e);
NODISCARD int trace_llc(struct msprof_trace *t, struct err *e);
NODISCARD int trace_pcie(struct msprof_trace *t, struct err *e);
NODISCARD int trace_nic(struct msprof_trace *t, struct err *e);
NODISCARD int trace_roce(struct msprof_trace *t, struct err *e);
NODISCARD int trace_ddr(struct msprof_trace *t, struct err *e);
NODISCARD int trace_voltage(struct msprof_trace *t, struct err *e);
/* msprof/trace/trace_usage.c */
NODISCARD int trace_cpu_usage(struct msprof_trace *t, struct err *e);
NODISCARD int trace_memory_usage(struct msprof_trace *t, struct err *e);
NODISCARD int trace_network_usage(struct msprof_trace *t, struct err *e);
NODISCARD int trace_disk_usage(struct msprof_trace *t, struct err *e);
NODISCARD int trace_os_calls(struct msprof_trace *t, struct err *e);
/* msprof/trace/trace_soc.c */
NODISCARD int trace_acc_pmu(struct msprof_trace *t, struct err *e);
NODISCARD int trace_soc_level(struct msprof_trace *t, struct err *e);
NODISCARD int trace_chip_trans(struct msprof_trace *t, struct err *e);
NODISCARD int trace_sio(struct msprof_trace *t, struct err *e);
NODISCARD int trace_qos(struct msprof_trace *t, struct err *e);
NODISCARD int trace_low_power(struct msprof_trace *t, struct err *e);
NODISCARD int trace_ub(struct msprof_trace *t, struct err *e);
NODISCARD int trace_ccu(struct msprof_trace *t, struct err *e); /* msprof/trace/trace_ccu.c */
/* msprof/trace/trace_cores.c */
NODISCARD int trace_cores(struct msprof_trace *t, struct err *e);
/* msprof/trace/trace_v6.c */
NODISCARD int trace_fusion(struct msprof_trace *t, struct err *e);
NODISCARD int trace_blocks(struct msprof_trace *t, struct err *e);

#endif
