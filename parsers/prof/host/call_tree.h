/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: calls of the host and how they are nested (doc/formats/prof.md#api_event,
 * doc/formats/msprof.md#host-call-tree, steps 1 and 2).
 *
 * The tree is of calls of ACL, model, node and communication; one that overlaps another of its level is not
 * in it (nodes may). Calls of the runtime are leaves that only count outside of all others. The tree borrows
 * the calls.
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_CALL_TREE_H
#define NPUSCOPE_PARSERS_PROF_HOST_CALL_TREE_H

#include "parsers/prof/host/host.h"

#define PROF_DEPTH 20 /* calls in calls; deeper ones are not in the tree */

struct prof_tree_thread;
struct prof_tree {
    struct spool *spool; /* of parent and list */
    const struct prof_api *api;
    size_t n_apis;
    uint32_t *parent; /* of each call; PROF_NONE: it is at the top, or in no tree */
    uint32_t *list;   /* calls of the tree by thread, then the loose ones of the runtime */
    struct prof_tree_thread *thread;
    size_t n_threads;
    uint32_t *slot; /* hash table of threads: index + 1 */
    size_t room;
    uint32_t last; /* the thread asked for last */
};

/*
 * Read the records of calls, join marks to calls, and sort all: *api is an array of p's pool. Errors: as
 * prof_host_read().
 */
NODISCARD int prof_apis_read(struct prof_api **api, size_t *n, struct prof *p, struct err *e);

/* prof_tree_free() is allowed after a failure. Errors: ERR_NOMEM, ERR_LIMIT. */
NODISCARD int prof_tree_make(struct prof_tree *t, struct spool *pool, const struct prof_api *api, size_t n,
                             struct err *e);
void prof_tree_free(struct prof_tree *t);

/*
 * The deepest call of the thread with begin < stamp <= end; PROF_NONE: none. Fastest when asked in order of
 * stamps.
 */
uint32_t prof_tree_find(struct prof_tree *t, uint32_t thread, uint64_t stamp);
/* The same among calls of the runtime that lie in no other. */
uint32_t prof_tree_loose(struct prof_tree *t, uint32_t thread, uint64_t stamp);
/*
 * Whether the call of a task may be missing where calls at the begin or the end of their file are: it has
 * none of a node, and the thread's first one begins after it or its last one before. inner: the call around
 * it, PROF_NONE: none.
 */
bool prof_tree_lacks_node(struct prof_tree *t, uint32_t thread, uint64_t stamp, uint32_t inner);
/* The same of any call within the one around it. */
bool prof_tree_lacks_call(struct prof_tree *t, uint32_t thread, uint64_t stamp);
/* The nearest call of this level, from the call itself outwards; PROF_NONE: none, or api is PROF_NONE. */
uint32_t prof_tree_up(const struct prof_tree *t, uint32_t api, unsigned level);

#endif
