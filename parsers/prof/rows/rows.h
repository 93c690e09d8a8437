/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof/rows: rows of the store from what was read of a PROF folder. Each writer feeds one
 * table, or some that belong together, of all ranks of the folder.
 */
#ifndef NPUSCOPE_PARSERS_PROF_ROWS_ROWS_H
#define NPUSCOPE_PARSERS_PROF_ROWS_ROWS_H

#include "parsers/prof/device/steps.h"
#include "parsers/prof/model.h"

/* Steps of a device, for what ran in them; the last one may be the one that is cut by the end of the data. */
struct prof_rows_steps {
    struct {
        uint64_t start, end, index;
    } * v; /* by end */
    size_t n;
};

#define PROF_OPS_AT_ONCE 16 /* communication ops that run on a device at the same time */

/* Communication ops of a device that had begun and not ended when the data did. */
struct prof_rows_running {
    struct prof_running {
        uint32_t op, name; /* prof_comm_op; text */
        uint64_t start;    /* counter */
        size_t open;       /* index of its task that runs, SIZE_MAX: it is between two of them */
        size_t run;        /* index of its execution, SIZE_MAX: none of its tasks has ended */
    } v[PROF_OPS_AT_ONCE];
    size_t n;
    bool lost; /* their ends may be among records that were lost */
};

struct prof_rows_framework; /* rows_framework.h */
struct prof_rows {
    struct group_ctx *g;
    struct prof_model m;
    struct prof_rows_running *running; /* of each device; where ops are wanted, from prof_rows_ops on */
    struct prof_rows_framework *w;     /* what the framework recorded beside it; NULL: nothing */
    struct prof_rows_steps *step;      /* of each device; NULL: not made */
    char damage[64];                   /* words of the marks given last */
    const struct prof_folder *told_of; /* what the last note about marks was of */
    unsigned told;
    char name[40]; /* made last */
    uint32_t *id;  /* of the sink, by text; 0: not asked for yet */
    size_t n_ids;
};

/* Open r->m.p on the files of the group; in: notes, use and arg. Errors: those of prof_open(). */
NODISCARD int prof_rows_open(struct prof_rows *r, struct prof_input *in, struct err *e);
extern const struct prof_how prof_rows_all; /* everything, in whole ns */
/* Rank of a device, and of the host: what belongs to no device is of the first rank. */
int prof_rows_rank(const struct prof_rows *r, const struct prof_folder *f);
/* The same of the host; of a group without a PROF folder its own rank. */
int prof_rows_own_rank(const struct prof_rows *r);
/* Id of a text in the sink; 0 for PROF_NONE, or without memory (the next row fails). */
uint32_t prof_rows_id(struct prof_rows *r, uint32_t text);
/* File that a folder's rows of a tag come from, 0: none. */
uint32_t prof_rows_source(const struct prof_folder *f, enum prof_tag tag);
/*
 * Name of a device task: its op, else the type that the host gave it, else that of the device. Valid until
 * the next call, or that of prof_rows_name_text().
 */
struct str prof_rows_task_name(struct prof_rows *r, const struct prof_task *t);

/*
 * The marks of a row whose times are of a folder's clock: its columns ts_err_ns and damage, which follow each
 * other (doc/store.md#marks). own: what is in doubt of the row itself, bits of enum prof_doubt. Valid until
 * the next call.
 */
void prof_rows_mark(struct prof_rows *r, const struct prof_folder *f, unsigned own, struct val marks[2]);
/*
 * Id of the name of an op, or its type; "hash:123", "type:123" where no dictionary has it, with a bit in
 * *doubt, which may be NULL.
 */
uint32_t prof_rows_name(struct prof_rows *r, uint32_t text, unsigned *doubt);
/* The same as a text, valid until the next call. */
struct str prof_rows_name_text(struct prof_rows *r, uint32_t text);
/* Name of a communication op in one execution. */
uint32_t prof_rows_comm_name(struct prof_rows *r, const struct prof_comm_run *run, unsigned *doubt);

/* The same of a track. */
void prof_rows_mark_track(struct prof_rows *r, const struct prof_folder *f, struct track_def *def);

/*
 * Before this instant (Unix ns) no op began of which the device has no record, only its issue: each began
 * after that, and after the task before it on its stream. INT64_MAX: none is missing. Errors: ERR_NOMEM.
 */
NODISCARD int prof_rows_missing(const struct prof_rows *r, size_t dev, int64_t *from_ns, struct err *e);
/* Whether records of the host or of a device that say what ran are lost, so that sums lack some of it. */
bool prof_rows_lacks(const struct prof_rows *r, size_t dev);

/*
 * The iteration or step of something on a device, as a value of a column. Where the program marked steps that
 * of the range which launched it, else of its start (doc/formats/framework.md#kernel_details,
 * #torch_npu-kernel_details); else that in which it ended, by msprof's rule
 * (doc/formats/msprof.md#partial-exports). launcher: a range of r->w, UINT32_MAX: not known.
 */
struct val prof_rows_step(const struct prof_rows *r, size_t dev, uint64_t start, uint64_t end,
                          uint32_t launcher);
/* For prof_rows_step(). Errors: ERR_NOMEM, ERR_LIMIT. */
NODISCARD int prof_rows_steps_make(struct prof_rows *r, size_t dev, struct err *e);

/*
 * For prof_rows_is_running() and prof_rows_activity: after the counters of the device, whose last record says
 * whether others were lost (prof_counters_read()). Errors: ERR_NOMEM.
 */
NODISCARD int prof_rows_running_make(struct prof_rows *r, size_t dev, struct err *e);
/*
 * Whether an execution of a communication op had not ended when the data did: its times are those of what it
 * did so far, and it is in no sum or mean (doc/screens.md#communication).
 */
bool prof_rows_is_running(const struct prof_rows *r, size_t dev, const struct prof_comm_run *run);

/* ---- tracks of one folder, by the number of a thread, stream ... ---- */

struct prof_tracks {
    struct prof_rows *r;
    const struct prof_folder *f;
    enum track_kind kind;
    const char *process, *what; /* a track is called "what 5", or as name says; what: a literal */
    int sort;                   /* of the process among the others */
    uint32_t source;
    void (*name)(const struct prof_tracks *t, uint32_t number, char *buf, size_t n); /* NULL: none */
    const void *arg;                                                                 /* for name */
    /* private */
    struct intern *numbers;
    uint32_t *track; /* by number */
    size_t cap;
    uint32_t last, last_track; /* number and track; cap 0: none yet */
    uint64_t n_left;           /* numbers beyond the limit */
};
/*
 * The track of a number; SINK_NO_TRACK: e is set, or is clear beyond LIM_TRACKS numbers: leave it out,
 * prof_tracks_done() gives a note.
 */
uint32_t prof_tracks_get(struct prof_tracks *t, uint32_t number, struct err *e);
void prof_tracks_done(struct prof_tracks *t);

/* Those of a device's streams. */
struct prof_tracks prof_rows_streams(struct prof_rows *r, const struct prof_device *d);

/* ---- writers ---- */

typedef int prof_rows_fn(struct prof_rows *r, struct err *e);
prof_rows_fn prof_rows_ops;           /* op, op_exec */
prof_rows_fn prof_rows_tracks;        /* tracks of streams and host threads, with the arrows between them */
prof_rows_fn prof_rows_api;           /* api_stat */
prof_rows_fn prof_rows_tx;            /* host_stage, and tracks: marks and ranges of the program */
prof_rows_fn prof_rows_v6;            /* tracks of fusion tasks and blocks */
prof_rows_fn prof_rows_ccu;           /* tracks of communication that CCUs run */
prof_rows_fn prof_rows_dpu;           /* tracks of tasks of DPUs */
prof_rows_fn prof_rows_kfc;           /* tracks of communication that AI CPUs run */
prof_rows_fn prof_rows_samples;       /* curves of the timeline */
prof_rows_fn prof_rows_usage;         /* host_sample */
prof_rows_fn prof_rows_activity;      /* last_activity */
prof_rows_fn prof_rows_steps;         /* step, step_part */
prof_rows_fn prof_rows_fusion;        /* fusion */
prof_rows_fn prof_rows_op_memory;     /* mem_sample, mem_alloc */
prof_rows_fn prof_rows_device_memory; /* mem_device */
prof_rows_fn prof_rows_modules;       /* mem_module */
prof_rows_fn prof_rows_aicpu;         /* aicpu_exec, queue_sample with batch_time */
prof_rows_fn prof_rows_comm;          /* comm_exec, comm_link */
prof_rows_fn prof_rows_preview; /* step, last_activity: preview of large files' ends; nothing was read */

#endif
