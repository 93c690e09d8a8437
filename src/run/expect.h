/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files a run should hold, and why one is not there (doc/formats/analysed.md#expected-files,
 * doc/screens.md#empty-states).
 *
 * The rules are data (parsers/kinds/expects.c). A file that all conditions ask for and that is missing is
 * ABSENT; one that an option kept from being written is OFF, with the reason. Nothing is said where the run
 * does not record the option.
 */
#ifndef NPUSCOPE_EXPECT_H
#define NPUSCOPE_EXPECT_H

#include "run/kind.h"

enum expect_what {
    EX_END,
    EX_NPU, /* activities, taken as set when not recorded */
    EX_CPU,
    EX_LEVEL0, /* profiler level at least, taken as 0 when not recorded */
    EX_LEVEL1,
    EX_LEVEL2,
    EX_MEMORY, /* an option of struct runinfo */
    EX_DATA,
    EX_L2,
    EX_SHAPES,
    EX_HBM,
    EX_LINKS,
    EX_IO,
    EX_COMM,    /* more than one rank, else the row is left out; not recorded: maybe */
    EX_GRAPH,   /* not PyNative mode; not recorded: holds */
    EX_TEXT,    /* text is exported, else the row is left out */
    EX_DB,      /* databases are exported, else the row is left out */
    EX_VERSION, /* framework version at least arg, else the row is left out */
    EX_BEFORE,  /* framework version below arg, else the row is left out */
    EX_ASCEND,  /* ran on Ascend, else the row is left out */
    EX_WITH,    /* some file of the kinds arg of this rank lies there, else the row is left out */
    EX_HAVE,    /* the same, else OFF */
    EX_LACK,    /* no file of the kinds arg, else OFF */
    EX_MAYBE    /* depends on what ran: OFF, why names both explanations */
};

struct expect_cond {
    enum expect_what what;
    const char *arg; /* kind ids separated by commas, or a version */
    const char *why; /* reason when it does not hold */
};

struct expect_rule {
    const char *id;             /* file_kind.expect and id of the kind */
    unsigned gens;              /* bits 1u << enum gen */
    const char *path;           /* below the root; with {R} one file per rank */
    bool raw;                   /* written while the run collects, not by the analysis */
    struct expect_cond cond[8]; /* all must hold; ended by EX_END */
    const char *absent;         /* reason when it should be there, NULL: from the options */
};

extern const struct expect_rule expect_rules[]; /* parsers/kinds/expects.c */
extern const size_t expect_n_rules;

#endif
