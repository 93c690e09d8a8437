/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The switches of the profilers: one table for the forms that configure writes and reads, for what --check
 * says, for the form of the screen and for the advice of empty panes.
 *
 * A switch has one name and one canonical text for each value ("true", "Level1", "CPU,NPU"); how a form
 * spells them is a place. Layouts and rules: doc/formats/framework.md#configuration.
 */
#ifndef NPUSCOPE_CONFIGURE_SWITCHES_H
#define NPUSCOPE_CONFIGURE_SWITCHES_H

#include "base/buf.h"
#include "run/kind.h"

enum switch_id {
    SW_START,
    SW_OUTPUT_PATH,
    SW_START_STEP,
    SW_STOP_STEP,
    SW_ACTIVE,
    SW_WARMUP,
    SW_WAIT,
    SW_REPEAT,
    SW_SKIP_FIRST,
    SW_ACTIVITIES,
    SW_PROFILER_LEVEL,
    SW_AIC_METRICS,
    SW_L2_CACHE,
    SW_RECORD_SHAPES,
    SW_WITH_STACK,
    SW_WITH_MODULES,
    SW_WITH_FLOPS,
    SW_OP_ATTR,
    SW_PROFILE_MEMORY,
    SW_DATA_PROCESS,
    SW_PARALLEL_STRATEGY,
    SW_MSTX,
    SW_MSTX_DOMAIN_INCLUDE,
    SW_MSTX_DOMAIN_EXCLUDE,
    SW_SYS_IO,
    SW_SYS_INTERCONNECTION,
    SW_HOST_SYS,
    SW_GC_DETECT_THRESHOLD,
    SW_EXPORT_TYPE,
    SW_DATA_SIMPLIFICATION,
    SW_ANALYSE,
    SW_ANALYSE_MODE,
    SW_IS_RANK,
    SW_RANK_LIST,
    SW_METADATA,
    SW_HBM_DDR,
    SW_PCIE,
    SW_SYNC_ENABLE,
    SW_RECORD_OP_ARGS,
    SW_MSPROF_TX,
    SW_OP_TIME,
    SW_PROFILE_COMMUNICATION,
    SW_PROFILE_FRAMEWORK,
    SW_TIMELINE_LIMIT,
    N_SWITCHES
};

enum switch_type {
    ST_BOOL,
    ST_INT,
    ST_FLOAT, /* a number, or null */
    ST_WORD,  /* one of words */
    ST_WORDS, /* some of words, comma separated in the canonical text */
    ST_TEXT,
    ST_TEXTS, /* comma separated */
    ST_INTS,
    ST_JSON /* any JSON value, as written */
};

/* Where a switch is written. */
enum switch_at {
    AT_ENV,          /* MS_PROFILER_OPTIONS */
    AT_JSON,         /* profiler_config.json of MindSpore */
    AT_PYTHON,       /* calls of MindSpore */
    AT_TORCH_JSON,   /* profiler_config.json of torch_npu */
    AT_TORCH_PYTHON, /* calls of torch_npu */
    AT_MSPROF,       /* options of msprof */
    N_AT
};

/* Versions of MindSpore as 10 * major + minor: 27 is 2.7. */
#define VERSION_OLDEST 23
#define VERSION_NEWEST 27

struct switch_place {
    const char *key;       /* NULL: there is none here; "" of msprof: words hold whole options */
    const char *scope;     /* the call of Python, the object of JSON; NULL: the top */
    unsigned since, until; /* versions that have it, 0: all */
    const char *old_key;   /* its key up to old_key_until, NULL: the same */
    unsigned old_key_until;
    const char *words;     /* pairs (pairs_get()) of values that are spelled otherwise; NULL: the same */
    const char *prefix;    /* of words in Python: "ProfilerLevel." */
    const char *codes;     /* pairs of values and integers that mean them; NULL: none */
    unsigned codes_until;  /* versions up to this take the integers alone */
    const char *old_codes; /* those up to old_codes_until */
    unsigned old_codes_until;
    const char *absent; /* what it is when the key is absent; NULL: default_value of the switch */
};

struct switch_def {
    enum switch_id id;
    const char *name;
    enum switch_type type;
    const char *words; /* separated by '|'; of texts: NULL */
    int64_t min, max;  /* ST_INT, ST_INTS */
    const char *default_value;
    struct switch_place at[N_AT];
    const char *help;     /* a sentence without its end */
    const char *cost;     /* what it costs, a sentence without its end */
    const char *files;    /* it makes, comma separated; NULL: none of its own */
    unsigned panes;       /* PANE_BIT of what it fills */
    const char *obsolete; /* what to write instead, NULL: it is not */
};

extern const struct switch_def switch_defs[N_SWITCHES];

/* By name, or by a key of the place (N_AT: of any). NULL: there is none. */
const struct switch_def *switch_find(struct str name, enum switch_at at);
/* The key of a switch in a version; NULL: it has none there. */
const char *switch_key(const struct switch_def *d, enum switch_at at, unsigned version);
/* The integers that a version writes for the values of a place; NULL: it writes words. */
const char *switch_codes(const struct switch_place *p, unsigned version);
/* The place exists in some version. */
bool switch_has(const struct switch_def *d, enum switch_at at);
/* "2.6": also 2.6.0 and r2.6. 0: it is no version that is known. */
unsigned switch_version(struct str text);
const char *switch_at_title(enum switch_at at);
/*
 * "canonical=here|...": what stands for a value (p NULL: not in the list), and back. With a '!' before
 * them all values that can be written are in the list; else those that are not are written as they are.
 */
bool pairs_are_all(const char *pairs);
struct str pairs_get(const char *pairs, struct str canonical);
struct str pairs_back(const char *pairs, struct str here);
/* Append what a value may be: "true or false", "one of a, b, c", "a whole number from 1 up". */
void switch_values(const struct switch_def *d, struct buf *out);
/* Append all that the table says of a switch, sentences in one line. */
void switch_text(const struct switch_def *d, struct buf *out);
/*
 * Append how to switch it on in one place, for advice: "Profiler(profile_memory=True)", "MS_PROFILER_OPTIONS
 * '{...}'"; at is AT_PYTHON or AT_ENV. false, nothing added: the newest version has it not there.
 */
bool switch_advice(enum switch_id id, const char *value, enum switch_at at, struct buf *out);

#endif
