/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs of what was opened, as a list to choose from: where each lies, when it began, its ranks and how it
 * ended (run/find/runs.h). And what is said of some ranks together, also of those of a window. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_RUN_LIST_H
#define NPUSCOPE_RUN_LIST_H

#include "model/session.h"
#include "run/state.h"

struct run_entry {
    size_t number;        /* of the run, from 0 */
    size_t rank, n_ranks; /* index of its lowest rank in the session; how many profiles it has */
    char folder[512];     /* below what was opened; made of names in the data: make it safe when shown */
    char when[40];        /* runinfo_when(); "": not recorded */
    char ranks[64];       /* "0-3, 8" */
    enum run_state state; /* the worst of its ranks */
};

/* In order of their numbers. now_ns: Unix time. Free *out. Errors: ERR_NOMEM. */
NODISCARD int run_list_make(const struct session *s, int64_t now_ns, struct run_entry **out, size_t *n,
                            struct err *e);
/* The folder of one run. Returns buf. */
const char *run_list_folder(const struct session *s, size_t run, char *buf, size_t n);
/* The run of this number (from 1) or folder; SIZE_MAX: there is none. */
size_t run_list_find(const struct session *s, struct str name);

/* Some ranks of a session: those for which this holds. */
struct rank_set {
    bool (*has)(const struct session *s, size_t rank_index, const void *arg);
    const void *arg;
};
/* "0-3, 8": their numbers. */
void rank_set_text(const struct session *s, const struct rank_set *set, char *buf, size_t room);
/* The worst state of them. */
enum run_state rank_set_state(const struct session *s, const struct rank_set *set, int64_t now_ns);

#endif
