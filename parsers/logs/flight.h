/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flight recorder dumps of torch_npu and of PyTorch's NCCL: what each process group of a rank issued last, as
 * pickle or JSON (doc/formats/logs.md#flight-recorder).
 *
 * A dump owns all its texts and arrays until flight_free(). What is damaged or cut becomes a note; what was
 * whole before it is kept. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_FLIGHT_H
#define NPUSCOPE_PARSERS_LOGS_FLIGHT_H

#include "parsers/registry.h"

/* Limits, each noted when reached: the newest entries are kept, of the others the first. */
#define FLIGHT_ENTRIES 262144
#define FLIGHT_GROUPS  16384
#define FLIGHT_RANKS   (1 << 20)          /* members of all groups */
#define FLIGHT_TEXT_B  ((size_t)64 << 20) /* distinct texts */
#define FLIGHT_SIZES_B ((size_t)64 << 10) /* sizes of one entry as text; longer ones are cut */
#define FLIGHT_FRAMES  32                 /* of one entry */
#define FLIGHT_NONE    (-1)               /* a number that the dump does not have */

enum flight_state {
    FLIGHT_UNKNOWN,
    FLIGHT_SCHEDULED, /* issued on the host */
    FLIGHT_STARTED,   /* the device was seen to have begun it: only where timing is on */
    FLIGHT_COMPLETED
};

struct flight_group {
    struct str name, desc; /* desc p NULL: unknown */
    int32_t *ranks;        /* members in the order of the group, NULL: unknown */
    size_t n_ranks;
    int64_t pg_id;                                       /* within the process; FLIGHT_NONE: unknown */
    int64_t last_enqueued, last_started, last_completed; /* numbers of collectives; FLIGHT_NONE: none */
    bool has_status;                                     /* the three were in the dump */
};

struct flight_entry {
    int64_t record_id, seq, p2p_seq, op_id; /* FLIGHT_NONE: absent */
    uint32_t group;                         /* index in groups */
    enum flight_state state;
    struct str name;                              /* without the library: "all_reduce", "send 1->2" */
    struct str input_sizes, output_sizes;         /* "[[2, 3]]" */
    struct str input_dtypes, output_dtypes;       /* "Float, Half" */
    struct str frames;                            /* lines "function (file:line)", innermost first */
    int64_t created_ns, started_ns, completed_ns; /* UTC, as the watchdog saw them; 0: none */
    int64_t duration_ns, timeout_ms;              /* FLIGHT_NONE: absent */
    bool retired, is_p2p;
};

struct flight_dump {
    int rank; /* the digits at the end of the file's name, -1: none */
    struct str version;
    struct flight_group *groups;
    size_t n_groups;
    struct flight_entry *entries; /* in the file's order, oldest first */
    size_t n_entries;
    uint64_t dropped;    /* entries above FLIGHT_ENTRIES, the oldest ones */
    bool cut;            /* the file ends early: what was newest is missing */
    struct intern *text; /* private */
};

/*
 * Read the file of c, which has 0x80 (pickle) or '{' (JSON) as its first byte; c->rows counts entries.
 *
 * *out is NULL after an error. Notes: TORN_FILE (cut or damaged from there on), BAD_EVENT (entries without
 * number or name), BAD_VALUE, UNKNOWN_TYPE (states), NEWER, CUT_TEXT, LIMIT. Errors: ERR_FORMAT (no dump; a
 * pickle that asks for more than plain data, opcode or function named with its offset), ERR_IO, ERR_NOMEM,
 * ERR_CANCELLED.
 */
NODISCARD int flight_read(struct flight_dump **out, struct parse_ctx *c, struct err *e);
void flight_free(struct flight_dump *d); /* NULL is allowed */

#endif
