/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to src/import/agree: the comparisons (import/agree/agree.c), and how the raw side of each gives its
 * figures (import/agree/agree_sides.c).
 */
#ifndef NPUSCOPE_IMPORT_AGREE_AGREE_INT_H
#define NPUSCOPE_IMPORT_AGREE_AGREE_INT_H

#include "import/agree/agree.h"
#include "import/agree/agree_ops.h"
#include "import/agree/agree_rows.h"
#include "run/known_diff.h"

enum unit { PLAIN, NS, AT, BYTES, NAME, REAL_NS, REAL }; /* NAME: the number of a text */

/* A figure. abs, rel: tolerance, because its text in the file is rounded. */
struct figure {
    const char *name;
    enum unit unit;
    double abs, rel;
    size_t col;  /* of the raw rows, where these are compared directly */
    bool coarse; /* a whole us in the file may have been cut from ns */
};

struct agree {
    int rank;
    struct sink_count *sink;
    struct agree_ops *ops;
    const struct agreement *agreements;
    struct agree_rows *rows; /* one for each agreement */
    struct err failed;       /* the first error while rows came in */
};

struct agreement;

/* How the raw side of a comparison gives its items. */
struct side {
    size_t (*end)(const struct agree *a, const struct agreement *g); /* items are numbered below this */
    size_t (*find)(const struct agree *a, const struct agreement *g, const struct agree_key *k,
                   enum known_diff_id as);
    /* false: read with that known difference, there is no such item */
    bool (*figures)(const struct agree *a, const struct agreement *g, size_t i, enum known_diff_id as,
                    struct val *out);
    struct agree_key (*key)(const struct agree *a, const struct agreement *g, size_t i);
    size_t all_to; /* when there are more items, the file has only some of them */
};
#define AGREE_ALL SIZE_MAX

enum { NO_COL = -1, BY_ORDER = -2, BY_OP = -3 };

struct agreement {
    const char *what, *one;
    const char *raw; /* table of the rows that the raw data give */
    /*
     * Statement that gives the rows of the file: source, line, key (two numbers, or a text and NULL),
     * figures; its parameter is :rank. NULL: executions.
     */
    const char *sql;
    const struct side *side;
    struct figure f[AGREE_FIGURES]; /* ended by one without a name */
    int key[2];                     /* columns of the raw rows; BY_OP: the file has the number of an op */
    int only;                       /* raw rows count only if this column is not 0 */
    enum known_diff_id known[2];
};

/* The raw rows of one comparison. */
static inline struct agree_rows *agree_rows_of(const struct agree *a, const struct agreement *g)
{
    return &a->rows[g - a->agreements];
}

extern const struct side agree_rows_side;
extern const struct side agree_node_side;
extern const struct side agree_wait_side;
extern const struct side agree_step_side;
extern const struct side agree_exec_side;
extern const struct side agree_mean_side;
extern const struct side agree_step_type_side;
extern const struct side agree_run_type_side;
extern const struct side agree_flops_side;
extern const struct side agree_total_side;
extern const struct side agree_tensor_side;

#endif
