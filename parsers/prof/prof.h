/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PROF_* folder as CANN's collector leaves it (doc/formats/prof.md): its data folders, their info files,
 * their records.
 *
 * This is the floor that the readers and derivations of such folders stand on (parsers/prof/host/host.h,
 * parsers/prof/device/device.h ...). A struct prof owns all texts of its folder (one id for each distinct
 * text) and lends them as long as it lives. Counters stay counters here; the clock of a folder makes instants
 * of them (prof_device_ns() ...). Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_PROF_PROF_H
#define NPUSCOPE_PARSERS_PROF_PROF_H

#include "base/arena.h"
#include "base/large/spool.h"
#include "base/read/rec.h"
#include "parsers/registry.h"
#include "run/chip.h"

/*
 * Which half of msprof made a result: each rounds, orders and leaves out in its own way
 * (doc/formats/prof.md#two-implementations).
 */
enum dialect { DIALECT_CPP, DIALECT_PYTHON };

/* Files of records, one row each in prof_tags. */
enum prof_tag {
    /* host (doc/formats/prof.md#host-records); each has kept ("unaging") files, ageing files, or both */
    PROF_API_EVENT,
    PROF_TASK_TRACK,
    PROF_TASK_TRACK2, /* of newer runtimes, which write no PROF_TASK_TRACK */
    PROF_NODE_BASIC,
    PROF_NODE_ATTR,
    PROF_MEMCPY,
    PROF_HCCL_OP,
    PROF_CAPTURE_STREAM,
    PROF_CAPTURE_STREAM2,
    PROF_EXPAND_STREAM,
    PROF_TENSOR,
    PROF_CONTEXT,
    PROF_GRAPH_ID,
    PROF_FUSION_OP,
    PROF_HCCL_INFO,
    PROF_MULTI_THREAD,
    PROF_LOGIC_STREAM,
    PROF_TASK_MEMORY,
    PROF_STATIC_MEMORY,
    PROF_MSPROFTX,
    PROF_MC2_COMM,
    PROF_DPU_TRACK,
    PROF_DPU_COMM,
    PROF_CCU_WAIT,
    PROF_CCU_GROUP,
    PROF_CAPTURE_OP,
    PROF_CAPTURE_OP_LONG, /* the length of a record is in its head */
    PROF_HASH_DIC,        /* text */
    PROF_TYPE_DIC,        /* text */
    /* device (doc/formats/prof.md#device-records) */
    PROF_HWTS,
    PROF_HWTS_AIV,
    PROF_TS_TRACK,
    PROF_TS_TRACK_AIV,
    PROF_AICORE,
    PROF_AIV,
    PROF_STARS,
    PROF_STARS_BLOCK,
    PROF_FFTS,
    PROF_STARS_PROFILE,
    PROF_FREQ,
    PROF_VOLTAGE,
    PROF_AICPU,
    PROF_PRE_AICPU, /* DATA_PREPROCESS.AICPU */
    PROF_PRE_DP,    /* records, or text */
    PROF_PRE_MODEL,
    PROF_PRE_MI, /* text */
    PROF_NPU_MEM,
    PROF_NPU_MODULE_MEM,
    PROF_HBM,
    PROF_DDR,
    PROF_LLC,
    PROF_PCIE,
    PROF_QOS,
    PROF_L2_CACHE,
    PROF_SOC_PMU,
    PROF_TSCPU,
    PROF_UB,
    PROF_CCU_MISSION, /* of die 0, then of die 1 */
    PROF_CCU_MISSION1,
    PROF_CCU_CHANNEL, /* the same */
    PROF_CCU_CHANNEL1,
    PROF_HCCS, /* text from here on */
    PROF_NIC,
    PROF_ROCE,
    PROF_DVPP,
    PROF_HOST_CPU,
    PROF_HOST_MEM,
    PROF_HOST_DISK,
    PROF_HOST_NET,
    PROF_HOST_SYSCALL,
    PROF_HOST_PTHREAD,
    PROF_NETDEV,
    PROF_SYS_MEM,
    PROF_HOST_SYS_MEM,
    PROF_SYS_CPU,
    PROF_HOST_SYS_CPU,
    PROF_PID_MEM,
    PROF_HOST_PID_MEM,
    PROF_PID_CPU,
    PROF_HOST_PID_CPU,
    N_PROF_TAGS
};

/*
 * Counters of a core in a record, at most: V6 has ten, others eight (doc/formats/prof.md#aicore,
 * #ffts_profile).
 */
#define PROF_EVENTS 10
/* Events of the task scheduler's processor, at most. */
#define PROF_TS_EVENTS 32

/* A network card whose speed is known. */
struct prof_netcard {
    struct str name;
    double bytes_per_s;
};
#define PROF_NETCARDS 32

/* What damage may have made untrue (doc/store.md#marks); bits. */
enum prof_doubt {
    PROF_DOUBT_TIME = 1,     /* instants */
    PROF_DOUBT_DURATION = 2, /* lengths of time */
    PROF_DOUBT_NAME = 4,     /* a text is the number that stands for it */
    PROF_DOUBT_OP = 8,       /* which op it is */
    PROF_DOUBT_FIGURES = 16, /* counters, and sums over parts */
};
#define PROF_NO_BOUND (-1)

/*
 * What info.json, sample.json, start_info, end_info and the clock files of one folder say
 * (doc/formats/prof.md#info-files, #clock-files). A number 0, or a text with p NULL: they do not say it.
 */
struct prof_meta {
    int platform; /* platform_version, -1 unknown */
    int version;  /* of the collection: 1 or 2 */
    int64_t driver;
    int cann_major, cann_minor; /* of cannVersion; 0: unknown */
    int64_t pid;                /* 0: "NA" */
    struct str pid_name, host_name, host_uid;
    int rank;                            /* -1 unknown */
    uint64_t host_hz;                    /* of the host's counter, 0: it counts ns */
    uint64_t counter_hz, aic_hz, aiv_hz; /* device: hwts_frequency, aic_frequency, aiv_frequency */
    uint32_t aic_cores, aiv_cores;
    uint32_t cpu_nums, jiffies_hz; /* of the host */
    uint64_t memory_kb;
    struct prof_netcard *netcard;
    size_t n_netcards;
    struct str ctrl_cpus, ai_cpus; /* device: "0,1" */
    /* sample.json */
    bool level0, dynamic;
    bool task_based, aiv_task_based;     /* counters of cube, vector cores; else sampled over time */
    struct str aic_metrics, aiv_metrics; /* groups of counters */
    uint32_t aic_event[PROF_EVENTS], aiv_event[PROF_EVENTS];
    uint32_t n_aic_events, n_aiv_events;
    struct str llc_mode;
    uint32_t n_hbm_events;
    uint32_t l2_event[8], n_l2_events;
    double disk_hz;                        /* how often disks were sampled */
    uint32_t smmu_event[8], n_smmu_events; /* of "npuEvents" */
    struct str qos_events;                 /* names, by ',' */
    uint32_t ts_event[PROF_TS_EVENTS], n_ts_events;
    /* start_info, end_info */
    bool has_start, has_end;
    int64_t begin_us, end_us; /* wall clock */
    int64_t start_mono_ns;
    /* host_start.log, dev_start.log */
    bool has_host_clock, has_device_clock;
    int64_t host_mono_ns, device_mono_ns;
    uint64_t host_counter, host_counter_diff, device_counter;
    int64_t host_real_ns, device_real_ns; /* time of day with them; 0: unknown */
    unsigned lacks, unusable;             /* bits by enum prof_info_file; lacks has the unusable ones, too */
    /* of all that has this clock: bits of enum prof_doubt; how far instants may be off, or PROF_NO_BOUND */
    unsigned doubt;
    int64_t time_err_ns;
    bool by_day;     /* placed by the times of day of host and device */
    int64_t near_ns; /* placed by the clock of another folder, which this may be off; else PROF_NO_BOUND */
};

#define PROF_NAMES 8 /* files of one tag: further ones are not read */
/* host, or device_N. */
struct prof_folder {
    bool host;
    int device;     /* 64 is the host's */
    struct str rel; /* below the unit's root, with '/' at its end */
    struct prof_meta meta;
    /*
     * First slices. Records of the host: [0] kept, [1] ageing; device, and text of the host: files of several
     * names. NULL: none.
     */
    const struct source_file *file[N_PROF_TAGS][PROF_NAMES];
    bool *lost; /* by tag: records of its files were cut or damaged, as far as they were read */
};

struct prof_input {
    const struct source_file *const
        *files; /* of the unit: first slices and small files; those outside of root are passed over */
    size_t n;
    struct str root; /* the PROF folder below the unit's root, with '/' at its end; "" for the root itself */
    int device;      /* only this one, -1: all */
    const struct runinfo *run;
    struct sink *notes; /* takes notes, and says whether to go on; NULL: notes are lost */
    /* The parse context of a file. NULL: one is made, whose counts are lost. */
    struct parse_ctx *(*use)(void *arg, const struct source_file *f);
    void *arg;
    unsigned threads; /* 1: only the caller's thread reads; 0: as many as processors */
};

struct prof_names;
struct prof {
    struct prof_input in;
    struct arena *a;
    struct prof_folder *host;    /* NULL: there is none */
    struct prof_folder **device; /* by number */
    size_t n_devices;
    int platform;            /* platform_version of the devices, else of the host */
    const struct chip *chip; /* its row */
    struct prof_names *names;
    struct spool *spool; /* of arrays that grow with records; views share it */
    bool is_view;        /* private, as all that follows */
    /* files read before, a bit by id: reading one again for a second result neither counts nor gives notes */
    uint8_t *known;
    size_t known_b;
    struct sink_quiet again;
    struct sink *reading; /* where notes about the file being read go; NULL: none is read */
    uint64_t *noted;      /* hashes of the notes already given, PROF_NOTED slots; NULL: none are kept */
    size_t n_noted;
};

#define PROF_NOTED 4096 /* a power of two */

/*
 * Find the folders and read their info files and the dictionaries. What is missing or damaged becomes a note,
 * and the rest is usable. Errors: ERR_FORMAT nothing of a PROF folder is there; ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_open(struct prof **out, const struct prof_input *in, struct err *e);
void prof_close(struct prof *p);
/*
 * The same folder for another thread: folders, texts and their ids so far are those of p, which stays as it
 * is and open until its views are closed with prof_close(): meanwhile only views may read files or make
 * texts. Each view makes its own ids from then on, and gives its notes to its own sink. Errors: ERR_NOMEM.
 */
NODISCARD int prof_view(struct prof **out, const struct prof *p, struct sink *notes, struct err *e);
/* What a view has read and noted counts as read and noted by p, too. */
void prof_view_join(struct prof *p, const struct prof *view);
/*
 * Give a note about a folder's files of a tag; without such files, or with N_PROF_TAGS, about the folder,
 * which it names (NULL: the run). A note that was given before is not repeated.
 */
void prof_note(struct prof *p, const struct prof_folder *f, enum prof_tag tag, enum note_code code,
               const char *fmt, ...) PRINTF_LIKE(5, 6);
/*
 * Give a note about a position in a file. While a file is read, the note is given only if its prof_record_fn
 * or prof_line_fn gets that file for the first time; else as above.
 */
void prof_note_at(struct prof *p, enum note_code code, const struct where *w, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* private to the readers: false the first time of a key; always false once PROF_NOTED is nearly used up */
bool prof_was_noted(struct prof *p, uint64_t key);

/* ---- records ---- */

/* Layout of a tag's files. */
struct prof_tag_kind {
    const char *word;        /* for people: "task_track" */
    const char *patterns[2]; /* of base names (run/kind.h) */
    bool host;
    uint16_t record_b;  /* 0: text */
    uint16_t record2_b; /* of version 2 of the collection; 0: the same */
    uint16_t record6_b; /* of V6 chips; 0: the same */
    uint16_t other_b;   /* of files whose second mark is this far from the first; 0: none */
    /* of counters that were sampled (doc/formats/prof.md#aicore), on V6; 0: the same */
    uint16_t sampled_b, sampled6_b;
    uint8_t mark_at, mark_b;
    uint32_t mark;
    bool nul_lines; /* of text: each line ends with NUL */
    /*
     * Without a mark: whether the bytes look like a record, to distinguish a lost beginning from a cut end.
     * NULL: any do.
     */
    bool (*fits)(struct rec *r);
};
extern const struct prof_tag_kind prof_tags[N_PROF_TAGS];

struct prof_record {
    struct rec rec;     /* rec_u32(&r->rec, offset) ... */
    struct where where; /* line: its number in the slice, from 1 */
    bool kept;          /* "unaging" */
};
/* The record is valid during the call. Not OK ends the reading with that error (e is set). */
typedef int prof_record_fn(void *arg, struct prof_record *r, struct err *e);
/*
 * Read every whole record of a tag, in order of the stream, the kept ones of the host first
 * (doc/formats/prof.md#slices). Cut or unmarked records become a note of their file. If the size of a file
 * leaves a rest, this is at the end, unless the records make sense only after it: then the beginning of the
 * first record was lost. Nothing is done when there is no such file. Errors: those of fn, ERR_NOMEM,
 * ERR_CANCELLED; a file that cannot be read is a note.
 */
NODISCARD int prof_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_record_fn *fn,
                        void *arg, struct err *e);
/*
 * The same for records of a host's tag that give their length in their heads, at least least_b bytes with the
 * head. Bytes without a mark, or with a length that makes no sense, are left out up to the next mark, with a
 * note.
 */
NODISCARD int prof_read_lengths(struct prof *p, const struct prof_folder *f, enum prof_tag tag,
                                size_t least_b, prof_record_fn *fn, void *arg, struct err *e);
/*
 * The same for records of several sizes. size: bytes of the record that begins with PROF_SIZED_HEAD bytes, 0:
 * none begins there. After bytes that are no record, reading goes on at the next record that has another one
 * after it; the bytes between become one note.
 */
#define PROF_SIZED_HEAD 4
typedef size_t prof_size_fn(struct rec *head);
NODISCARD int prof_read_sized(struct prof *p, const struct prof_folder *f, enum prof_tag tag,
                              prof_size_fn *size, prof_record_fn *fn, void *arg, struct err *e);
/*
 * Read the lines of a text tag, without their ends. In files of samples (from PROF_HCCS on) and in
 * dictionaries a last line without an end is left out with a note.
 */
typedef int prof_line_fn(void *arg, struct str line, const struct where *w, struct err *e);
NODISCARD int prof_read_lines(struct prof *p, const struct prof_folder *f, enum prof_tag tag,
                              prof_line_fn *fn, void *arg, struct err *e);
/* Whether the files of a tag hold any record or text. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int prof_has_records(struct prof *p, const struct prof_folder *f, enum prof_tag tag, bool *has,
                               struct err *e);
/* Whether there is such a file. */
bool prof_has(const struct prof_folder *f, enum prof_tag tag);

/* ---- texts ---- */

#define PROF_NONE     UINT32_MAX
#define PROF_NO_MODEL UINT32_MAX /* the model id of ops outside of a model */

/* Id of a text, the same for the same bytes; PROF_NONE: no memory. Ids are 0, 1, 2 ... */
uint32_t prof_text(struct prof *p, struct str s);
struct str prof_str(const struct prof *p, uint32_t text); /* PROF_NONE: "" */
uint32_t prof_n_texts(const struct prof *p);
/*
 * Text of a hash (doc/formats/prof.md#dictionaries), its decimal digits when the dictionary does not have it.
 * PROF_NONE: no memory.
 */
uint32_t prof_hash_text(struct prof *p, uint64_t hash);
bool prof_hash_known(const struct prof *p, uint64_t hash);
/* Whether a text of prof_hash_text() or prof_type_text() is the number that no dictionary has. */
bool prof_is_number(const struct prof *p, uint32_t text);
bool prof_type_known(const struct prof *p, uint32_t level, uint64_t type);
/* Name of a type of a level: type_info_dic, else its digits. */
uint32_t prof_type_text(struct prof *p, uint32_t level, uint64_t type);

/* Levels of host records (doc/formats/prof.md#record-head). */
enum prof_level {
    PROF_L_PYTORCH = 30000,
    PROF_L_PTA = 25000,
    PROF_L_MSPROFTX = 20500,
    PROF_L_ACL = 20000,
    PROF_L_MODEL = 15000,
    PROF_L_NODE = 10000,
    PROF_L_AICPU = 6000,
    PROF_L_COMMUNICATION = 5500,
    PROF_L_RUNTIME = 5000,
};

/* ---- clocks (doc/formats/prof.md#clocks) ---- */

/*
 * Wall clock ns of a counter of the device, or of the host, by the folder's clock files: exact, fractions
 * dropped. Results of damaged clocks beyond 2^62 ns on either side are limited to that, so that the
 * difference of any two instants fits.
 */
int64_t prof_device_ns(const struct prof_folder *f, uint64_t counter);
int64_t prof_host_ns(const struct prof_folder *f, uint64_t counter);
/*
 * The same of host monotonic ns; of us since the device was started (ddr, hbm ...); of the device's monotonic
 * ns.
 */
int64_t prof_mono_ns(const struct prof_folder *f, int64_t mono_ns);
int64_t prof_sample_us_ns(const struct prof_folder *f, uint64_t us);
int64_t prof_sample_mono_ns(const struct prof_folder *f, uint64_t ns);
/* The corrected host monotonic clock at its start ("H" of C++: fractions dropped). */
int64_t prof_clock_h(const struct prof_meta *m);
/*
 * Begin and end of the collection, wall clock ns; without end_info: half an hour
 * (doc/formats/prof.md#info-files).
 */
int64_t prof_begin_ns(const struct prof_folder *f);
int64_t prof_end_ns(const struct prof_folder *f);

#endif
