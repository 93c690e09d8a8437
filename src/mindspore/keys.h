/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the analysis of MindSpore 1.x: which op a task belongs to (the "op task map" of
 * doc/formats/mindspore1.md#graph-mode).
 *
 * A key is stream and task; in older versions a large task number is a key alone
 * (doc/formats/mindspore1.md#task-keys). Keys keep the order in which the files first name them; a key that
 * is named twice gets the last name. Names are texts of the run. Owned by the run.
 */
#ifndef NPUSCOPE_MINDSPORE_KEYS_H
#define NPUSCOPE_MINDSPORE_KEYS_H

#include "base/str.h"

struct mindspore_keys;
/* short_key: from the rules of the version. Errors: ERR_NOMEM. */
NODISCARD int mindspore_keys_new(struct mindspore_keys **out, bool short_key, struct err *e);
void mindspore_keys_free(struct mindspore_keys *k);
/* name: number of the op's full name in the run's texts. Errors: ERR_NOMEM. */
NODISCARD int mindspore_keys_put(struct mindspore_keys *k, uint32_t stream, uint64_t task, uint32_t name,
                                 struct err *e);

#define MINDSPORE_NO_KEY UINT32_MAX
uint32_t mindspore_keys_count(const struct mindspore_keys *k);
/* Number of a key, counted from 0 in order of the files. */
uint32_t mindspore_keys_find(const struct mindspore_keys *k, uint32_t stream, uint64_t task);
/* Name of the i-th key. */
uint32_t mindspore_keys_name(const struct mindspore_keys *k, uint32_t i);

/*
 * The parts of a key, and its text ("5_12"), which is written to t with a NUL at its end; returns its length.
 */
struct mindspore_key {
    uint64_t task, stream;
};
#define MINDSPORE_KEY_ALONE UINT64_MAX
struct mindspore_key mindspore_key_of(bool short_key, uint32_t stream, uint64_t task);
size_t mindspore_key_text(const struct mindspore_key *k, char t[48]);

#endif
