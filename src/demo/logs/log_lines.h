/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the logs of demo: what a job writes whatever it dies of, and heads of lines. Forms of lines are
 * those of doc/formats/logs.md, of public sources and samples; texts of the program are the demo's own.
 */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_LINES_H
#define NPUSCOPE_DEMO_LOGS_LOG_LINES_H

#include "demo/logs/log_say.h"

/* Heads: of CANN's lines, of MindSpore's, of its launcher's in Python, of the kernel's in the system log. */
#define CANN(level, module) "[" level "] " module "({pid},{pname}):{stamp} "
#define RTS(where)          CANN("ERROR", "RUNTIME") "[" where "]{tid} "
#define HCCL(where)         CANN("ERROR", "HCCL") "[" where "] "
#define HCCL_RUN(where)     CANN("INFO", "HCCL") "[" where "] [{pid}]"
#define MIND(level, module) "[" level "] " module "({pid},{thread},{pname}):{stamp} "
#define MSRUN(level)        "[" level "] ME({launcher}:281473590168608,MainProcess):{stamp} "
#define ELASTIC(letter)     letter "{elastic} {launcher} torch/distributed/elastic/"
#define SYSLOG              "{syslog} {node} "
#define KERNEL              SYSLOG "kernel: [{uptime}] "
#define MIND_RULE           "----------------------------------------------------\n"

extern const struct log_story LOG_STORY_HOST;   /* a host before the job, and its launcher's first line */
extern const struct log_story LOG_STORY_START;  /* of a rank's process */
extern const struct log_story LOG_STORY_ROOT;   /* the first rank of a group makes its identifier */
extern const struct log_story LOG_STORY_JOIN;   /* a rank joins a group */
extern const struct log_story LOG_STORY_JOINED; /* and has done so */
extern const struct log_story LOG_STORY_LOSS;   /* a step; number: its own */
extern const struct log_story LOG_STORY_LEAVE;  /* the program ends as it should */
extern const struct log_story LOG_STORY_WAITED; /* a wait in a collective ran out */
extern const struct log_story LOG_STORY_CAUSE;  /* what HCCL takes for the reason of that */
extern const struct log_story LOG_STORY_SYNC;   /* a synchronisation failed; code, message */
extern const struct log_story LOG_STORY_EXIT;   /* the launcher sees the end; number: of its exit */
extern const struct log_story LOG_STORY_ROOT_SIGNAL, LOG_STORY_ROOT_CODE; /* then: when it ended */
extern const struct log_story LOG_STORY_HEARD;   /* the heartbeat of the blamed rank is amiss; code: how */
extern const struct log_story LOG_STORY_TIMED;   /* MindSpore's scheduler misses a rank */
extern const struct log_story LOG_STORY_STOPPED; /* a rank gets SIGTERM */
extern const struct log_story LOG_STORY_AFTER;   /* and complains while it ends */
extern const char LOG_WAIT_MESSAGE[], LOG_WAIT_STACK[];

/* Lines that look like errors and are none; each is said by some ranks at some time. */
extern const struct log_story LOG_STORY_NOISE;

#endif
