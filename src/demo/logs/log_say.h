/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the logs of demo: what happened to each rank, and lines as text with names in braces that stand
 * for what is known of the rank, the fault and the time.
 *
 * "{pid}" is the pid of the line's rank, "{bad.pid}" that of the one to blame, "{other.pid}" that of another
 * one, "{then.stamp}" the other time, "{up.stamp}" LOG_PORT_S after that. "{{" is a brace.
 */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_SAY_H
#define NPUSCOPE_DEMO_LOGS_LOG_SAY_H

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_fault.h"
#include "demo/logs/log_book.h"
#include "demo/mindspore/raw.h"

#define LOG_EXEC_S 1836 /* time-out of a communication op's execution, and of a connection */
#define LOG_CONN_S 120
#define LOG_PORT_S 40 /* that a port is down */

/* Communicators of a rank. */
enum log_group {
    LOG_GROUP_OPEN /* that of the op it waits in */,
    LOG_GROUP_WORLD,
    LOG_GROUP_DATA,
    LOG_GROUP_TENSOR
};

/* How a rank ended. Times are true Unix ns. */
struct log_rank {
    struct demo_cut cut;
    struct demo_comm comm; /* where it is; of a rank that waits, the op that never ends */
    bool has_comm, waits;
    int64_t issue_ns, wait_ns; /* the op was launched; the wait began */
    uint32_t stream, task;     /* that never ends: of the wait, or the kernel */
    int peer;                  /* rank that the wait is for */
    int64_t dead_ns;           /* its process has ended; INT64_MAX: it goes on */
};

struct logs {
    const struct demo_run *run;
    const struct demo_fault_def *fault;
    bool torch, newer; /* dialect; lines of CANN 8.5 */
    struct log_rank *rank;
    int64_t start_ns, fault_ns;
    struct log_book book;
};

struct log_say {
    const struct logs *l;
    int rank, other;
    int64_t ns, then_ns;
    enum log_group group;
    int64_t number;             /* of a step, an exit code ... */
    const char *code, *message; /* of a failed call; with names in braces */
    enum log_mark mark;         /* of the first line that has none of its own */
};

/* Adds the text to b. */
void log_say(struct buf *b, const struct log_say *s, const char *text);

static inline bool log_blamed(const struct logs *l, int rank)
{
    return rank == l->run->blame.rank;
}
static inline int log_host(const struct logs *l, int rank)
{
    return demo_host_of(l->run, rank);
}
/* As in the rank's profile. */
static inline int log_device(const struct logs *l, int rank)
{
    return l->run->o.gen == 1 ? rank : rank % l->run->node_ranks;
}
static inline uint32_t log_pid(const struct logs *l, int rank)
{
    return l->run->o.gen == 1 ? RAW_PID + (uint32_t)rank : ascend_pid(l->run, rank);
}

/* A line of a story: not in the other dialect, nor in the other form; us after the story's time. */
enum log_when { LOG_7 = 1, LOG_85 = 2, LOG_PT = 4, LOG_MS = 8 };
struct log_row {
    uint8_t to;   /* enum log_kind */
    uint8_t when; /* bits of enum log_when; 0: always */
    uint8_t mark; /* enum log_mark */
    int32_t us;
    const char *text;
};
struct log_story {
    const struct log_row *row;
    size_t n;
};
#define LOG_STORY(rows)                                                                                      \
    {                                                                                                        \
        rows, ARRAY_LEN(rows)                                                                                \
    }

/* Puts the lines of a story at s->ns; of the files of a rank, those before its end. */
void log_tell(struct logs *l, const struct log_say *s, const struct log_story *story);

#endif
