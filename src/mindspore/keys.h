/*
 * Private to the analysis of generation 1: which op a task belongs to (the "op task map" of formats/gen1-raw.md 7).
 *
 * Keys are of stream and task; in older versions a large task number stands alone (2, task key). They keep the order in which the files
 * first name them; one named twice takes the last name. Names are texts of the run. Owned by the run.
 */
#ifndef NPUSCOPE_MINDSPORE_KEYS_H
#define NPUSCOPE_MINDSPORE_KEYS_H

#include "base/str.h"

struct g1_keys;
/* short_key: of the rules. Errors: ERR_NOMEM. */
NODISCARD int g1_keys_new(struct g1_keys **out, bool short_key, struct err *e);
void g1_keys_free(struct g1_keys *k);
/* name: number of the op's full name in the run's texts. Errors: ERR_NOMEM. */
NODISCARD int g1_keys_put(struct g1_keys *k, uint32_t stream, uint64_t task, uint32_t name,
                          struct err *e);

#define G1_NO_KEY UINT32_MAX
uint32_t g1_keys_count(const struct g1_keys *k);
/* Number of a key from 0 on, in order of the files. */
uint32_t g1_keys_find(const struct g1_keys *k, uint32_t stream, uint64_t task);
/* Of the i-th key. */
uint32_t g1_keys_name(const struct g1_keys *k, uint32_t i);

/* What makes a key, and its text ("5_12"), which is written to t and ended by a NUL; returns its length. */
struct g1_key {
    uint64_t task, stream;
};
#define G1_KEY_ALONE UINT64_MAX
struct g1_key g1_key_of(bool short_key, uint32_t stream, uint64_t task);
size_t g1_key_text(const struct g1_key *k, char t[48]);

#endif
