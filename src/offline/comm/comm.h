/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What communication.json and communication_matrix.json share (doc/formats/framework.md#communication,
 * #communication_matrix): the steps, kinds of ops, numbers as Python adds and prints them, and sums by name.
 * Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_COMM_H
#define NPUSCOPE_OFFLINE_COMM_H

#include "base/read/json_stream.h"
#include "offline/run.h"

#define COMM_NONE UINT32_MAX

/* ---- kinds of ops ---- */

struct comm_rules {
    unsigned flavours;
    bool compat;
    const char *no_step;                              /* key without steps */
    bool rounded;                                     /* starts count as the doubles that they stand for */
    bool steps;                                       /* else there is one, whatever the program marked */
    const char *const *p2p;                           /* words that mark these, NULL at the end */
    bool p2p_begins, p2p_nocase;                      /* at the beginning of the name; in any case */
    bool total_nocase;                                /* names of sums begin with "Total" in any case */
    const char *const *of_p2p, *const *of_collective; /* words that are types, NULL at the end */
    bool longest;        /* the longest word that fits there, else the first one */
    bool last_part;      /* a type without a word begins after the last '/' */
    const char *unknown; /* and ends there */
    bool least;          /* entries below the best ones are written when there are so many */
    const char *op_name; /* key of an op's name in the matrix */
};
const struct comm_rules *comm_rules_of(const struct offline_run *r);
bool comm_is_total(const struct comm_rules *x, struct str name);
bool comm_is_p2p(const struct comm_rules *x, struct str name);
/* The type of an op, borrowed from the rules or from name. */
struct str comm_type(const struct comm_rules *x, struct str name, bool p2p);

/* ---- steps ---- */

struct comm_step {
    int64_t from, to; /* ns */
    int64_t latest;   /* the latest end up to this step */
    int64_t earliest; /* the earliest start from this step on */
    struct str id;    /* "": the key is no_step */
};
/* At least one; an array of the run's arena. ERR_NOMEM. */
NODISCARD int comm_steps(struct offline_run *r, const struct comm_rules *x, const struct comm_step **v,
                         size_t *n, struct err *e);
/* The step of an op that starts then, COMM_NONE: none; with one step all ops are in it. */
uint32_t comm_step_of(const struct comm_rules *x, const struct comm_step *v, size_t n, struct str start_us);
/* "step3" with its quotes and colon. */
void comm_put_step(struct emit *o, const struct comm_rules *x, const struct comm_step *s);

/* ---- numbers ---- */

struct comm_num {
    double v;
    bool real; /* else an integer */
};
/* false: no number. */
bool comm_num_read(struct str text, struct comm_num *out);
void comm_num_add(struct comm_num *to, struct comm_num x);
/* Four decimals; the integer 0 when there is nothing to divide by. */
struct comm_num comm_ratio(double part, double whole);
void comm_num_put(struct emit *o, struct comm_num x);

/* ---- sums by name ---- */

/* Nodes below nodes, those of one parent in order of their first appearance. Node 0 is the root. */
struct comm_node {
    uint32_t text;              /* of the tree */
    uint32_t next, child, last; /* COMM_NONE: none */
    struct comm_num a, b;
};
struct comm_tree {
    struct spool *pool;
    struct intern *keys, *texts;
    struct comm_node *v;
    size_t n, cap;
};
NODISCARD int comm_tree_new(struct comm_tree *t, struct spool *pool, struct err *e);
void comm_tree_done(struct comm_tree *t); /* also after a failure */
/* The child of that name, made if there is none; COMM_NONE: ERR_NOMEM. */
uint32_t comm_tree_put(struct comm_tree *t, uint32_t parent, struct str name, struct err *e);
/* The same, but none is made: COMM_NONE: there is none. */
uint32_t comm_tree_find(const struct comm_tree *t, uint32_t parent, struct str name);
struct str comm_tree_name(const struct comm_tree *t, uint32_t node);

/* ---- reading ---- */

/* The text of an object's member, "" when it has none. */
struct str comm_member(struct str object, const char *name);

/*
 * Members of the object that the file holds, each with the text of its value as Python writes it; valid
 * during the call. Errors: those of fn, ERR_IO, ERR_NOMEM.
 */
typedef int comm_member_fn(void *arg, struct str name, struct str value, struct err *e);
NODISCARD int comm_read(const struct offline_file *f, comm_member_fn *fn, void *arg, struct err *e);

#endif
