/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by log_load.c, which reads, log_who.c, which says whose an event is, and logs.c. */
#ifndef NPUSCOPE_LOGS_INT_H
#define NPUSCOPE_LOGS_INT_H

#include "logs/logs.h"

#define LOG_THREADS 8 /* that read files */

struct logs {
    struct arena *a;
    struct arena *texts[LOG_THREADS]; /* of events */
    struct log_list found;
    struct log_file *files;
    struct log_rec *events;
    size_t n_events, room;
    struct log_server *servers;
    size_t n_servers;
    struct log_proc *procs;
    size_t n_procs, procs_room;
    int n_ranks;
    struct logs_rank *profile;
    size_t n_profile;
    struct flight_compared *compared;
    uint64_t uncounted;     /* lines above LIM_LOG_TEXTS_B */
    int64_t from_ns, to_ns; /* of the run in question, UTC */
};

/* Read the files; events in order of files and lines. Errors: ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int logs_read(struct logs *l, const struct logs_ask *ask, struct err *e);
/* Whose the events are, when they were, and which are of the run. Errors: ERR_NOMEM. */
NODISCARD int logs_assign(struct logs *l, struct err *e);

/* src/logs/log_clocks.c: compare the servers' clocks; events get the times that follow. Errors: ERR_NOMEM. */
NODISCARD int logs_find_clocks(struct logs *l, const struct log_met *met, size_t n, struct err *e);

/*
 * src/logs/log_zones.c: zones of servers, and of their hosts by processes whose end both saw. The latter
 * needs times of events.
 */
int64_t logs_birth_of(struct str text, struct str group); /* of a communicator, by its name; 0: not said */
void logs_set_zones(struct logs *l);
void logs_set_host_zones(struct logs *l);
/* The server that a dump was written on: that of its rank's process, else of its folder. */
int logs_dump_server(const struct logs *l, const struct log_file *f);
/*
 * src/logs/log_dumps.c: read a flight recorder dump or a stack into f; damage becomes its state. Errors:
 * those of the file, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int logs_read_dump(struct log_file *f, const struct logs_ask *ask, struct err *e);
/* Compare those of this run. Errors: ERR_NOMEM. */
NODISCARD int logs_compare_dumps(struct logs *l, struct err *e);
void logs_free_dumps(struct logs *l);

#endif
