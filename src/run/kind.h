/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Row types of the registry and of the inventory: what a file is, where it lies, which state it is in.
 *
 * The registry itself (parsers/registry.c) is data handed to the inventory; nothing here knows a parser.
 * Strings of a struct source_file belong to its struct unit and live as long as it does.
 */
#ifndef NPUSCOPE_KIND_H
#define NPUSCOPE_KIND_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

enum gen { GEN_UNKNOWN, GEN_1, GEN_1B, GEN_2, GEN_P, GEN_M, GEN_C, N_GENS };
/* "MindSpore (flat files)", ... */
const char *gen_title(enum gen g);
const char *gen_id(enum gen g); /* "1", "1b", "2", "P", "M", "C" as in doc/formats/analysed.md */

enum pane_id {
    PANE_TRIAGE,
    PANE_FILES,
    PANE_OPS,
    PANE_STEPS,
    PANE_TIME,
    PANE_FLOPS,
    PANE_MEM,
    PANE_DATA,
    PANE_COMM,
    PANE_HOST,
    PANE_LOG,
    PANE_SQL,
    N_PANES
};
#define PANE_BIT(p) (1u << (p))
/* Word of a pane as the screens and `files` print it: "triage", "ops", "timeline" ... */
const char *pane_word(enum pane_id p);

enum file_state {
    FS_UNREAD, /* not needed yet, or no parser of its own */
    FS_OK,
    FS_TORN, /* cut record or unfinished slice: whole rows were kept */
    FS_EMPTY,
    FS_BAD,    /* cannot be parsed */
    FS_ABSENT, /* expected from the options in force, not there */
    FS_OFF,    /* the option that produces it was not set */
    FS_NEWER,  /* format version unknown */
    FS_LIMIT,  /* a part is above a limit of ours: it was left out, the rest was kept */
    FS_LISTED  /* known by its name: nothing in it to show, or no public description of it */
};
const char *file_state_word(enum file_state s); /* "ok", "TORN", ... */
bool file_state_from_word(struct str s, enum file_state *out);

struct parse_ctx;
struct layout;
struct err;
typedef int parse_fn(struct parse_ctx *c, struct err *e); /* parsers/registry.h */

/*
 * One kind of file (doc/formats/analysed.md#registry). Patterns match the base name; placeholders:
 *   {N} {R} {D}   rank or device number    {M} {I}   model, iteration        {T}  time stamp, 1 to 20 digits
 *   (fewer than 14: a device)
 *   {S}           optional _slice_<n>      {K}       number of a slice       {*}  anything, in a pattern with
 *   '/' also '/'
 *   {a,b}         one of several texts
 * A pattern with '/' is matched against the end of the path, from the start of one of its parts. A name that
 * ends in .gz matches like the plain one.
 */
struct file_kind {
    const char *id;
    const char *patterns[6];
    unsigned gens;       /* bits 1u << enum gen: where it occurs; 0: anywhere */
    unsigned panes;      /* PANE_BIT of what it feeds, most important first in feeds */
    const char *feeds;   /* word for the column Feeds: "ops", "steps", "clock" ... */
    const char *content; /* what it holds, in a few words */
    const char *option;  /* option that makes the profiler write it */
    /* id of the rule in parsers/kinds/expects.c that decides ABSENT or OFF, NULL: never expected */
    const char *expect;
    parse_fn *parse; /* NULL: no parser of its own */
    /*
     * why its name is all that is known or needed, as Files says it (state listed); NULL: it gives rows, by
     * parse or as a member of a group
     */
    const char *names_only;
    /* its rows stand beside those of other files: raw data is read for the tables that it alone feeds */
    bool adds;
    bool grouped; /* a group reads it, and raw data is not needed beside it (parsers/registry.c) */
    /*
     * files of one topic and rank hold the same; the first by priority feeds it. NULL: always read. A
     * database has a comma-separated list: it feeds those that no better source feeds
     */
    const char *topic;
    int priority; /* 1 first (doc/store.md#kinds-and-tables, precedence) */
    int order;    /* order of reading: small tables 10, executions 30, traces 50, memory 60 */
    /*
     * header probe for renamed files: comma-separated columns that must be there; "a|b" one of them, "!a"
     * must not be there. NULL: none
     */
    const char *columns;
    const struct layout *layouts; /* of its records (run/layout.h), ended by one without an id; NULL: none */
    bool slices;                  /* files of one {T} and several {S} are read as one, by number */
    bool rotates;                 /* files of several {T} follow each other and are read as one, by {T} */
    bool whole;                   /* a profile of its own: a folder with one in it is found wherever it is */
    bool open_end; /* some of its writers leave the last line without a line end: no sign of damage */
};

/* The rows of one family of kinds. */
struct kind_table {
    const struct file_kind *rows;
    size_t n;
};

struct source_file {
    uint32_t id;                    /* source.id, 1-based, unique in the unit */
    int rank, device;               /* -1: unknown */
    int slice;                      /* -1: none */
    const char *path;               /* to open; NULL: see unit_paths() in run/inventory.h */
    const char *rel;                /* below the unit's root, for people; "/" ends a folder row */
    const struct file_kind *kind;   /* never NULL (kind "unknown") */
    const char *note;               /* reason for the state, NULL none */
    struct source_file *next_slice; /* files to be read as one, in order */
    int64_t stamp;                  /* {T} as a number, -1: none */
    uint64_t size_b;
    int64_t mtime_ns;
    uint64_t ino;
    enum file_state state;
    bool superseded;  /* an older export of the same, or a part of something read whole */
    bool regular;     /* a regular file that may be opened */
    bool later_slice; /* read with the first one of its chain */
};

#endif
