/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pickles as torch's C++ pickler writes them: protocol 2, every text kept under a number when it comes first
 * and taken from there after that (doc/formats/logs.md#pickle-subset). What is put goes to a buffer of the
 * caller; memory that runs out marks that as failed.
 */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_PICKLE_H
#define NPUSCOPE_DEMO_LOGS_LOG_PICKLE_H

#include "base/buf.h"

struct log_pickle {
    struct buf *b;
    struct intern *text; /* that came before */
    uint32_t *number;    /* of each text */
    uint32_t cap, next;
};

NODISCARD int log_pickle_init(struct log_pickle *p, struct buf *b, struct err *e);
void log_pickle_done(struct log_pickle *p);

void log_pickle_none(struct log_pickle *p);
void log_pickle_bool(struct log_pickle *p, bool v);
void log_pickle_int(struct log_pickle *p, int64_t v);
void log_pickle_real(struct log_pickle *p, double v);
void log_pickle_text(struct log_pickle *p, const char *v);
/* A dict is a key and a value in turn between begin and end; a list its items. */
void log_pickle_dict(struct log_pickle *p);
void log_pickle_dict_end(struct log_pickle *p);
void log_pickle_list(struct log_pickle *p);
void log_pickle_list_end(struct log_pickle *p);
void log_pickle_pair(struct log_pickle *p); /* the last two values become a tuple */
/* Keeps the value put last, to be put again. */
uint32_t log_pickle_keep(struct log_pickle *p);
void log_pickle_again(struct log_pickle *p, uint32_t number);
void log_pickle_stop(struct log_pickle *p);

#endif
