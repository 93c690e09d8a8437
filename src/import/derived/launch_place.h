/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which framework op launched something, of which module and by which call stack: from the names of the bars
 * of its thread that were open then, and what was recorded with the ops among them (doc/store.md#launches).
 */
#ifndef NPUSCOPE_LAUNCH_PLACE_H
#define NPUSCOPE_LAUNCH_PLACE_H

#include "store/fill/fill.h"

/* Ids of texts; 0: none is known. */
struct launch_place {
    uint32_t name, module, stack;
};
struct launch_places;

NODISCARD int launch_places_new(struct launch_places **out, struct fill *f, struct err *e);
void launch_places_free(struct launch_places *p);
/* Bars that are open, outer ones first. */
#define LAUNCH_PATH_N 256 /* those that are looked at, the innermost ones */
struct launch_path {
    size_t n;
    uint32_t module, stack;       /* recorded with the op, or with the nearest op around it; 0: none */
    uint32_t name[LAUNCH_PATH_N]; /* ids */
};
/* Number of the place where bars are open. 0: e is set. */
uint32_t launch_places_put(struct launch_places *p, const struct launch_path *path, struct err *e);
/* The bar is a call of Python, not an op. */
bool launch_places_is_frame(const struct launch_places *p, uint32_t name);
struct launch_place launch_places_get(const struct launch_places *p, uint32_t number);

#endif
