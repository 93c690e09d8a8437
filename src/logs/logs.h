/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The logs of a job as a whole: files, what their lines say (events), which process, rank and server each is
 * of, in UTC as far as the zone can be known, and which events are of the run in question
 * (doc/formats/logs.md#verdict-rule, step 1). The verdict itself is in log_verdict.h.
 *
 * Everything belongs to struct logs until logs_free(); nothing changes after logs_load() but by
 * logs_compare_clocks(). Files are only read.
 */
#ifndef NPUSCOPE_LOGS_H
#define NPUSCOPE_LOGS_H

#include "logs/log_files.h"
#include "parsers/logs/log_head.h"

struct logs;
struct flight_dump;     /* parsers/logs/flight.h */
struct flight_compared; /* parsers/logs/flight_compare.h */
struct pystack;         /* parsers/logs/pystack.h */
struct hccl_status;     /* parsers/logs/hccl_status.h */

/* What a profile knows of a rank; all but rank may be unknown. */
struct logs_rank {
    int rank, device; /* device -1: unknown */
    int64_t pid;      /* -1: unknown */
    int64_t start_ns; /* beginning of the profile, Unix time; 0 unknown */
};

struct logs_ask {
    const char *const *folders; /* searched as a whole, in order */
    size_t n_folders;
    const char *const *beside; /* only logs and known folders of logs in them */
    size_t n_beside;
    const char *const *near; /* above the profile: logs in them, and folders that have no other use */
    size_t n_near;
    const char *const
        *shared; /* of all jobs of a user or server: only files of these ranks' processes and time */
    size_t n_shared;
    const char *const *dumps; /* dumps of all jobs: only those that name a process of these ranks */
    size_t n_dumps;
    const struct logs_rank *ranks;
    size_t n_ranks;
    bool (*cancelled)(void *arg); /* asked now and then, also by threads; NULL: never */
    void *arg;
};

enum log_file_state { LOG_READ, LOG_APART, LOG_DAMAGED, LOG_REFUSED };
struct log_file {
    struct log_found f;
    enum log_file_state state; /* APART: nothing in it is of this run */
    char why[160];             /* of DAMAGED and REFUSED */
    uint64_t lines, bytes;
    struct log_time first, last;
    bool ends_open;
    int64_t pid;                /* of its process: of the name, or of lines; -1 unknown */
    int rank;                   /* -1 unknown */
    bool tells;                 /* it has an event */
    uint64_t errors, left_out;  /* events of causes and consequences; events above a limit */
    struct flight_dump *flight; /* NULL: it is none, or cannot be read */
    struct pystack *stack;
    struct hccl_status *status;
};
#define LIM_LOG_EVENTS  512                /* of a signature in a file: further ones are counted */
#define LIM_LOG_TEXTS_B ((size_t)48 << 20) /* of all events: those above it are counted */

#define LIM_LOG_RANKS (1 << 17) /* a rank or number of ranks above it is damage, and taken for unknown */

#define LOG_NO_UTC INT64_MIN
struct log_rec { /* an event */
    uint16_t sig;
    enum log_role role;
    enum log_kind kind;
    uint32_t file;
    uint64_t line, offset;
    struct log_head head;
    bool time_near;
    bool whole_s; /* its stamp is of whole seconds */
    struct str text, frame;
    uint32_t frame_line;
    int proc;       /* index, -1: of no process */
    int server;     /* index */
    int rank;       /* -1: unknown */
    int64_t utc_ns; /* by the clock that its server's is compared with; LOG_NO_UTC: it has no time */
    bool apart;     /* of another run, or after the end of this one */
};

/* What the writer of an event says: without the head, source file, thread and function. */
struct str logs_message(const struct log_rec *r);
/* The latest instant that the stamp of an event can stand for: many logs write whole seconds. */
int64_t logs_latest(const struct log_rec *r);

enum log_zone_from { LOG_ZONE_NONE, LOG_ZONE_BIRTH, LOG_ZONE_PROFILE, LOG_ZONE_SERVERS, LOG_ZONE_ENDS };
struct log_server {
    const char *name;
    int zone_min; /* minutes east of Greenwich */
    enum log_zone_from zone_from;
    bool has_host_zone; /* the host's own logs are of another zone than those of its containers */
    int host_zone_min;
    int with; /* server whose clock its own is compared with; itself: the first, or not compared */
    int64_t
        ahead_ns; /* its clock, of that one; 0: they agree within the bound. Taken off the times of events */
    int64_t within_ns; /* how far that may be off, LOG_NO_BOUND: they cannot be compared */
    bool contradicts;  /* for what both saw cannot be of clocks that differ by a constant */
};
#define LOG_NO_BOUND (-1)

/* A communication op of a profile that nobody leaves before all have come. */
struct log_met {
    int rank;
    uint64_t key;           /* of the ranks of one op equal */
    int64_t from_ns, to_ns; /* its begin and end, Unix time of the rank's host */
};
#define LOG_MET_OFF_NS (10 * LOG_S_NS / 1000) /* so far the device's clock may be from its host's */

struct log_proc { /* a process of the job */
    int server;
    int64_t pid;     /* -1: only its rank is known */
    int rank, ranks; /* in the world communicator and its size, -1 unknown */
    int other_rank;  /* another one of it by the same pid: lines of two processes, -1: none */
    int device, phy; /* logical and physical, -1 unknown */
    char ip[64], device_ip[64];
    struct str group;   /* name of that communicator */
    int64_t birth_ns;   /* of it, UTC; 0 unknown */
    int64_t begin_ns;   /* first instant of its own lines, LOG_NO_UTC unknown */
    int64_t closed_ns;  /* its communicators were closed, LOG_NO_UTC: not */
    int64_t resumed_ns; /* recovered in place, LOG_NO_UTC: not */
    int64_t ended_ns;   /* the launcher sent it SIGTERM, LOG_NO_UTC: not */
    int exec_timeout_s, connect_timeout_s;
    bool has_log; /* a log of CANN or its console is there */
};
#define LOG_EXEC_TIMEOUT_S    1836
#define LOG_CONNECT_TIMEOUT_S 120

/*
 * Find, read and order. *out is also made when there is no log at all (logs_n_files() is 0). Errors:
 * ERR_NOMEM, ERR_CANCELLED; files that cannot be read are states.
 */
NODISCARD int logs_load(struct logs **out, const struct logs_ask *ask, struct err *e);
void logs_free(struct logs *l); /* NULL is allowed */

/*
 * Compare the clocks of the servers again, also by ops of profiles; times, order and run of events follow.
 * Errors: ERR_NOMEM.
 */
NODISCARD int logs_compare_clocks(struct logs *l, const struct log_met *met, size_t n, struct err *e);
/* What the zone of an event's stamp follows from. */
enum log_zone_from logs_zone_from(const struct logs *l, const struct log_rec *r);
/* "the logs of the host of worker-1 are in UTC+8, those of its processes in UTC+0"; "" where they are not. */
char *logs_host_zone_text(const struct logs *l, size_t server, char *buf, size_t n);
/* When an event was by the clock of its own server, as it is written in UTC. */
int64_t logs_written(const struct logs *l, const struct log_rec *r);
/* How far two servers' times may be off against each other, LOG_NO_BOUND: unknown; 0 for one and the same. */
int64_t logs_slack(const struct logs *l, int a, int b);
/*
 * "the clock of worker-1 is 3.20 s ahead of that of worker-0, to within 30.00 ms"; "" where it is not.
 * Returns buf.
 */
char *logs_ahead_text(const struct logs *l, size_t server, char *buf, size_t n);

size_t logs_n_files(const struct logs *l);
const struct log_file *logs_file(const struct logs *l, size_t i);
/* Events in order of time; those without one at the end. */
size_t logs_n_events(const struct logs *l);
const struct log_rec *logs_event(const struct logs *l, size_t i);
size_t logs_n_servers(const struct logs *l);
const struct log_server *logs_server(const struct logs *l, size_t i);
size_t logs_n_procs(const struct logs *l);
const struct log_proc *logs_proc(const struct logs *l, size_t i);
/* Ranks of the job as logs and profiles say, 0 unknown. */
int logs_n_ranks(const struct logs *l);
/* Index of the process of a rank, -1: none is known. */
int logs_proc_of_rank(const struct logs *l, int rank);
/* What the profile knows of a rank, NULL: nothing. */
const struct logs_rank *logs_profile(const struct logs *l, int rank);
/* Word of a kind ("plog"), a state, and what a server's zone follows from, in tables and JSON. */
const char *logs_kind_word(enum log_kind k);
const char *logs_state_word(enum log_file_state s);
const char *logs_zone_word(enum log_zone_from z);
/* What the flight recorders of this run say together, NULL: there are none. */
const struct flight_compared *logs_flight(const struct logs *l);
/* The Python stacks of a rank, NULL: not written. */
const struct pystack *logs_stack(const struct logs *l, int rank);
bool logs_search_was_cut(const struct logs *l);
/* Folders that could not be entered, and the first of them (NULL: none). */
size_t logs_unread(const struct logs *l, const char **first);
/* Lines whose texts are above LIM_LOG_TEXTS_B. */
uint64_t logs_uncounted(const struct logs *l);

#endif
