/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lines of logs mean: the table of signatures (doc/formats/logs.md#signatures), each a row of data, and
 * the classes of a verdict. A new signature is one row in signatures_*.c and a line of its test.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_SIGNATURE_H
#define NPUSCOPE_PARSERS_LOGS_SIGNATURE_H

#include "base/err.h"
#include "base/str.h"

/* Kinds of logs (doc/formats/logs.md#kinds-of-logs); bits of signature.kinds. */
enum log_kind {
    LOG_PLOG,     /* host process of CANN */
    LOG_DEVLOG,   /* device side of that process */
    LOG_DEVICE,   /* device OS, its events, its task scheduler */
    LOG_BBOX,     /* black box of the chip */
    LOG_HOST,     /* kernel and services of the host, driver messages */
    LOG_CONSOLE,  /* what a rank printed */
    LOG_LAUNCHER, /* msrun, torchrun, Slurm */
    LOG_ENV,      /* npu-smi and hccn_tool text */
    LOG_AGENT,    /* cluster agents, switches */
    LOG_FLIGHT,   /* flight recorder dump (parsers/logs/flight.h) */
    LOG_STACK,    /* Python stacks (parsers/logs/pystack.h) */
    LOG_STATUS,   /* last collectives (parsers/logs/hccl_status.h) */
    N_LOG_KINDS
};

/* Class, word of tables and JSON, text for people (doc/formats/logs.md#verdict-classes). */
#define CAUSE_CLASSES(X)                                                                                     \
    X(NONE, "none", "no fault")                                                                              \
    X(WAIT, "wait", "collective: rank never arrived")                                                        \
    X(CYCLE, "cycle", "collective: wait cycle")                                                              \
    X(MISM, "mism", "inconsistent collective")                                                               \
    X(SETUP, "setup", "communicator set-up timeout")                                                         \
    X(LINKS, "links", "communicator: links not made")                                                        \
    X(HB, "hb", "heartbeat lost")                                                                            \
    X(CQE, "cqe", "RoCE retry exceeded")                                                                     \
    X(LINK, "link", "link down (RoCE CQE)")                                                                  \
    X(SDMA, "sdma", "SDMA exception")                                                                        \
    X(TASK, "task", "task exception of unknown kind")                                                        \
    X(CORE, "core", "AI Core exception")                                                                     \
    X(AICPU, "aicpu", "AI CPU exception")                                                                    \
    X(ECC, "ecc", "HBM multi-bit ECC")                                                                       \
    X(DOOM, "doom", "device out of memory")                                                                  \
    X(HOOM, "hoom", "host out of memory")                                                                    \
    X(DEV, "dev", "device lost")                                                                             \
    X(HEAT, "heat", "temperature or power")                                                                  \
    X(PCIE, "pcie", "PCIe, HDC or driver")                                                                   \
    X(RES, "res", "runtime resources")                                                                       \
    X(START, "start", "device or job start")                                                                 \
    X(CONF, "conf", "configuration")                                                                         \
    X(BUILD, "build", "graph or operator compile")                                                           \
    X(PY, "py", "Python exception")                                                                          \
    X(DATA, "data", "data pipeline stall")                                                                   \
    X(DISK, "disk", "disk full")                                                                             \
    X(CRASH, "crash", "host crash (signal)")                                                                 \
    X(KILL, "kill", "killed by SIGKILL")                                                                     \
    X(GONE, "gone", "process gone")                                                                          \
    X(STUCK, "stuck", "process stuck")                                                                       \
    X(STOP, "stop", "stopped from outside")                                                                  \
    X(SERVER, "server", "server crash")                                                                      \
    X(UNKNOWN, "unknown", "not decidable")
enum cause_class {
#define X(id, word, text) CAUSE_##id,
    CAUSE_CLASSES(X)
#undef X
        N_CAUSES
};
const char *cause_word(enum cause_class c);
const char *cause_text(enum cause_class c);

enum log_role {
    LOG_CAUSE,       /* usually a cause */
    LOG_CONSEQUENCE, /* usually a consequence */
    LOG_EITHER,      /* the verdict decides */
    LOG_NOISE,       /* alone it says nothing */
    LOG_MARK,        /* of the run's course: who is who, begin, end */
};

/* It says that something failed. */
static inline bool log_role_tells(enum log_role r)
{
    return r == LOG_CAUSE || r == LOG_EITHER || r == LOG_CONSEQUENCE;
}

/* In match: a further word of the same record; a further alternative. */
#define ALSO "\x1e"
#define OR   "\x1f"

struct signature {
    const char *id;
    /*
     * Kinds of logs as letters: p d o s c l e a (doc/formats/logs.md#columns-of-signatures); '!': also what
     * is written as information or warning.
     */
    const char *where;
    enum cause_class cls;
    enum log_role role;
    /*
     * The first word of an alternative is looked for in every byte: a rare one. A code or the name of an
     * exception ("EI0002", "MemoryError") is found as a whole word; a number alone only behind a word that
     * calls it a code or result, as process ids and addresses have the same digits.
     */
    const char *match;
    const char *says, *next;
};

struct signature_table {
    const struct signature *v;
    size_t n;
};
/* All signatures, by number: of the program, then the user's own (parsers/logs/signatures_own.h). */
size_t signature_n(void);
const struct signature *signature_at(size_t i);
bool signature_is_own(size_t i);
/* Those of the user, borrowed until others take their place: not while a signature_scan is in use. */
void signature_set_own(struct signature_table t);
/* Number of a signature by its id, SIZE_MAX: there is none. */
size_t signature_find(const char *id);
/* Bit set of enum log_kind in which a signature counts. */
unsigned signature_kinds(const struct signature *s);

/* The families, for signature.c. */
extern const struct signature_table signatures_hccl, signatures_runtime, signatures_device,
    signatures_program, signatures_marks;

/*
 * All first words in one automaton, so that a text is read once. Immutable after signature_scan_new(): may be
 * shared by threads.
 */
struct signature_scan;
/* Errors: ERR_NOMEM. */
NODISCARD int signature_scan_new(struct signature_scan **out, struct err *e);
void signature_scan_free(struct signature_scan *m); /* NULL is allowed */
/* Where the next first word of any signature ends, SIZE_MAX: none up to the end. */
size_t signature_next(const struct signature_scan *m, struct str text, size_t from);
/*
 * The signatures that a record of this kind of log has, by number, those of tables in their order. Returns
 * how many (at most max).
 */
size_t signature_match(const struct signature_scan *m, struct str record, enum log_kind kind, uint16_t *out,
                       size_t max);

#endif
