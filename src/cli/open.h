/*
 * A run for a command: scan the path, choose ranks, have a store for each of their units (from the cache, or read by workers with a line of
 * progress, or in memory), attach them to a session.
 */
#ifndef NPUSCOPE_OPEN_H
#define NPUSCOPE_OPEN_H

#include "cli/cli.h"

/* Fill c->session, c->ranks, c->parts. path NULL: the current folder, or the folder that the store of --db was made from. */
NODISCARD int run_open(struct cli *c, const char *path, struct err *e);
/* Only the session, nothing chosen, nothing read. */
NODISCARD int run_scan(struct cli *c, const char *path, struct err *e);
/* Choose ranks as --rank says (all: every one unless it says otherwise). */
NODISCARD int run_choose(struct cli *c, bool all, struct err *e);
void run_close(struct cli *c);

struct run_load {
    size_t unit;   /* index in the job */
    bool was_kept; /* the store was there already */
    bool in_memory;
    double seconds;
};
/* Attach the stores of these units, at most jobs workers at a time. ERR_CANCELLED after a signal: what is whole was kept. */
NODISCARD int run_load(struct cli *c, struct run_load *l, size_t n, unsigned jobs, struct err *e);
/* Path of the unit's store as the options say (--db, else the cache). */
NODISCARD int run_store_path(const struct cli *c, size_t unit, char *buf, size_t n, struct err *e);
/* What lies at the name given with --db must be a store of ours before it is replaced. */
NODISCARD int run_check_db(const struct cli *c, const char *path, struct err *e);
/* Its store when it is there and made from these inputs; NULL otherwise. */
struct store *run_current_store(const struct cli *c, size_t unit, const char *path);

#endif
