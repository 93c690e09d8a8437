/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the logs of demo: what is written because of each fault, as rows: who writes which story, when.
 * What the others write while they wait or are ended follows from the row's fate (logs.c).
 */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_FAULTS_H
#define NPUSCOPE_DEMO_LOGS_LOG_FAULTS_H

#include "demo/logs/log_say.h"

enum log_who {
    LOG_BAD,   /* the rank to blame */
    LOG_NEAR,  /* those next to it that find out with it */
    LOG_PEERS, /* those that exchange data with it over the network; in a job of one host, one of its group */
    LOG_BAD_END,   /* itself, of such a peer */
    LOG_CAME_ROWS, /* rank 0, for every eight ranks that came */
    LOG_CAME,      /* all but it */
    LOG_ZERO,      /* rank 0 */
    LOG_HOSTS,     /* the first rank of each host */
    LOG_ALL
};

struct log_scene {
    enum log_who who;
    uint8_t when; /* bits of enum log_when */
    enum log_mark mark;
    int32_t after_ms, spread_ms; /* after the fault, and how far ranks differ */
    const struct log_story *story;
    const char *code, *message;
    int number;
};

struct log_fault {
    const struct log_scene *scene;
    size_t n;
    int32_t dies_pt_ms,
        dies_ms_ms;     /* the blamed process ends so long after the fault, by dialect; -1: never */
    int exit;           /* what its launcher reports */
    const char *status; /* what the heartbeat says of it; NULL: nothing */
    const char *reason; /* and the exception of the location line */
    int32_t heard_ms;   /* so long after its end, or after the fault when it lives */
    /* What the truth says of the fault: its task, its op as a tag or a type, its kernel. */
    bool has_task, is_tag, is_type, has_kernel;
    const char *stack; /* what its main thread does while it lives and does not come */
    bool torn;         /* its console ends within a line */
};

const struct log_fault *log_fault_of(enum demo_fault f);

#endif
