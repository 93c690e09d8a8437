/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which framework op launched something, of which module and by which call stack: from the names of the bars
 * of its thread that were open then (doc/store.md#launches).
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
/* Number of the place where n bars are open, outer ones first, by ids of their names. 0: e is set. */
uint32_t launch_places_put(struct launch_places *p, const uint32_t *name, size_t n, struct err *e);
struct launch_place launch_places_get(const struct launch_places *p, uint32_t number);

#endif
