/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence of a comparison, and the search for roots over groups: for flight_compare.c alone. */
#ifndef NPUSCOPE_PARSERS_LOGS_FLIGHT_TEXT_H
#define NPUSCOPE_PARSERS_LOGS_FLIGHT_TEXT_H

#include "parsers/logs/flight_compare.h"

/* The sentence for what was found, in mem; text.p NULL: no room. */
void flight_describe(struct flight_found *f, struct arena *mem);
/* flight_roots.c: c->roots out of c->groups. false: no room. */
NODISCARD bool flight_find_roots(struct flight_compared *c, const struct flight_dump *const *dumps, size_t n);

#endif
