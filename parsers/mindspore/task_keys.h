/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which op a task of MindSpore 1.x belongs to (the "op task map" of doc/formats/mindspore1.md#graph-mode).
 *
 * A key is stream and task; in older versions a large task number is a key alone
 * (doc/formats/mindspore1.md#task-keys). Keys keep the order in which the files first name them; a key that
 * is named twice gets the last value. Owned by the caller. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_TASK_KEYS_H
#define NPUSCOPE_PARSERS_MINDSPORE_TASK_KEYS_H

#include <stdbool.h>

#include "base/str.h"

struct task_keys;
/* short_key: up to r1.7. Errors: ERR_NOMEM. */
NODISCARD int task_keys_new(struct task_keys **out, bool short_key, struct err *e);
void task_keys_free(struct task_keys *k);
/* value: what the caller knows of the op. Errors: ERR_NOMEM. */
NODISCARD int task_keys_put(struct task_keys *k, uint32_t stream, uint64_t task, uint32_t value,
                            struct err *e);

#define TASK_KEYS_NONE UINT32_MAX
/* k may be NULL in these two: no keys. */
uint32_t task_keys_count(const struct task_keys *k);
/* Number of a key, counted from 0 in order of the files; TASK_KEYS_NONE. */
uint32_t task_keys_find(const struct task_keys *k, uint32_t stream, uint64_t task);
/* Value of the i-th key. */
uint32_t task_keys_value(const struct task_keys *k, uint32_t i);
/*
 * Number of the key right after or before that of a task: the op that a mark was inserted for. wraps: the
 * last key precedes the first one, as MindSpore's analysis has it. TASK_KEYS_NONE: no such key.
 */
uint32_t task_keys_neighbour(const struct task_keys *k, uint32_t stream, uint64_t task, bool after,
                             bool wraps);

/* The parts of a key. */
struct task_key {
    uint64_t task, stream;
};
#define TASK_KEY_ALONE UINT64_MAX
struct task_key task_key_of(bool short_key, uint32_t stream, uint64_t task);

/*
 * Task numbers of HWTS records have 16 bits and begin anew where a network makes new tasks every step
 * (doc/formats/mindspore1.md#output_format_data_hwts): a number below the last one of its stream, if that was
 * above 65 000. Each stream has its own count of turns unless the rules say otherwise. {0} with the rules.
 */
struct task_turns {
    bool of_all;     /* MindSpore's analysis: one count for all streams */
    bool any_number; /* whatever the last number was (networks of dynamic shapes) */
    struct intern *streams;
    struct task_turn *v; /* by stream */
    size_t cap;
    uint64_t all;
};
/* Call for every record in order; *task becomes the number as Framework writes it. Errors: ERR_NOMEM. */
NODISCARD int task_turns_next(struct task_turns *t, uint32_t stream, uint64_t *task, struct err *e);
/* Free what t holds. */
void task_turns_done(struct task_turns *t);

#endif
