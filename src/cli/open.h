/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run for a command: scan the path, choose ranks, have a store for each of their units (from the cache, or
 * read by workers with a line of progress, or in memory), attach them to a session.
 */
#ifndef NPUSCOPE_OPEN_H
#define NPUSCOPE_OPEN_H

#include "cli/cli.h"

/*
 * Fill c->session, c->ranks, c->parts, unless c has a session. path NULL: the current folder, or the folder
 * that the store of --db was made from.
 */
NODISCARD int run_open(struct cli *c, const char *path, struct err *e);
/* Only the session, nothing chosen, nothing read. */
NODISCARD int run_scan(struct cli *c, const char *path, struct err *e);
/*
 * e says that there is no profile at path, but logs are: a session of no ranks instead, e is cleared. false:
 * there are none, or the options leave them out.
 */
bool run_scan_logs(struct cli *c, const char *path, struct err *e);
/*
 * c->copy: what path stands for when it is an archive, or lies in one; NULL: it is none. What was left out of
 * it is said on standard error.
 */
NODISCARD int run_unpack(struct cli *c, const char *path, struct err *e);
/* Folders that the search could not open, or did not get to, on standard error. True: there are some. */
bool run_report_unread(const struct cli *c);
/* The same of those that it leaves out by rule: links, names that begin with a point. */
void run_report_left_out(const struct cli *c);
#define TOLD_MAX 5 /* failures of one sort reported one by one on standard error */
/* The rank is asked for, by --rank or by a path of one rank. */
bool run_rank_given(const struct cli *c);
/* Choose ranks as --rank says (all: every one unless it says otherwise). */
NODISCARD int run_choose(struct cli *c, bool all, struct err *e);
/*
 * Say on standard error which rank it is, where there are others that were not asked for. Not for the screen,
 * which shows it.
 */
void run_report_ranks(const struct cli *c);
void run_close(struct cli *c);

/* A unit to be read, and what became of it. */
struct run_load {
    size_t unit;   /* index in the job */
    bool was_kept; /* the store was there already */
    bool in_memory;
    bool partial; /* cut short by a signal: what is whole was kept */
    bool alone,
        alone_done; /* it did not fit into its share of the memory: is, or was, to be read again by itself */
    double seconds;
    char no_room[600]; /* large files that are not read because they do not fit, and why; "" none */
    struct err err;    /* run_load_each: why it could not be read */
};
/* The units of the chosen ranks, each once, ready to be loaded. *out is malloc'ed. */
NODISCARD int run_units(const struct cli *c, struct run_load **out, size_t *n, struct err *e);
/*
 * Attach the stores of these units, read by as many workers at a time as there are processors; into memory
 * where a store cannot be kept. The first unit that cannot be read ends it. ERR_CANCELLED after a signal:
 * every worker kept what is whole.
 */
NODISCARD int run_load(struct cli *c, struct run_load *l, size_t n, struct err *e);
/*
 * The same for stores that have to be kept, by at most jobs workers: a unit that fails has its err set, the
 * others are read.
 */
NODISCARD int run_load_each(struct cli *c, struct run_load *l, size_t n, unsigned jobs, struct err *e);
/* Processors, at least 1. */
unsigned run_cpus(void);
/* Stores are kept in the cache: neither --no-cache nor --db was given. */
bool run_uses_cache(const struct cli *c);
/* The job can have an overview (import/overview.h): several ranks, and a cache to keep it in. */
bool run_has_overview(const struct cli *c);
/*
 * Bring it up to date and attach it to the session; at most `jobs` workers read what it needs of every unit.
 */
NODISCARD int run_overview(struct cli *c, unsigned jobs, struct err *e);
/* Attach the stores of other units that are up to date in the cache; nothing is read. */
void run_attach_kept(struct cli *c);
/* Path of the unit's store as the options say (--db, else the cache). */
NODISCARD int run_store_path(const struct cli *c, size_t unit, char *buf, size_t n, struct err *e);
/* What lies at the name given with --db must be a store of ours before it is replaced. */
NODISCARD int run_check_db(const struct cli *c, const char *path, struct err *e);
/*
 * Remove stores of the cache that were not used for long (store_cache_age()), unless the options leave the
 * cache alone.
 */
void run_age_cache(const struct cli *c);
/* The unit's store when it is there and made from these inputs; NULL otherwise. */
struct store *run_current_store(const struct cli *c, size_t unit, const char *path);

#endif
