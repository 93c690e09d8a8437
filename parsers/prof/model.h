/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of a PROF folder: what is known after its records are joined (doc/formats/msprof.md#algorithms).
 * Assembled here once, for rows of the store (parsers/prof/rows) and for msprof's files (src/msprof): the
 * files of the devices are read in threads while the host's are; then each device's tasks are matched with
 * the host's, and its communication is made.
 */
#ifndef NPUSCOPE_PARSERS_PROF_MODEL_H
#define NPUSCOPE_PARSERS_PROF_MODEL_H

#include "parsers/prof/comm/comm.h"
#include "parsers/prof/device/device.h"
#include "parsers/prof/host/host.h"

struct prof_model {
    struct prof *p; /* the caller's, already open */
    struct prof_host host;
    struct prof_device *dev; /* by number, as p->device */
    struct prof_comm *comm;  /* of each device */
    size_t n_dev;
};

/* Calls of a model's user while it is read; arg is the user's. An error ends the reading. */
struct prof_model_user {
    /* The tasks and blocks of device i were read. */
    int (*device)(void *arg, size_t i, struct err *e);
    /* Those of all devices were. NULL: not called. */
    int (*devices)(void *arg, struct err *e);
    /* What is kept of device i's communication, and in which dialect it is computed. */
    struct prof_how (*how)(void *arg, size_t i);
};

/*
 * Read the folder m->p. Release with prof_model_done() also after an error. Errors: those of
 * prof_host_read(), prof_devices_join() and prof_comm_make(), and the user's.
 */
NODISCARD int prof_model_read(struct prof_model *m, const struct prof_model_user *user, void *arg,
                              struct err *e);
/* Frees all but p. Does nothing to a model that was never read. */
void prof_model_done(struct prof_model *m);

#endif
