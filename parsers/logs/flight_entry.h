/* SPDX-License-Identifier: Apache-2.0 */
/* Words of flight recorder dumps, the rank in their names, what an entry is and whether it ended. */
#ifndef NPUSCOPE_PARSERS_LOGS_FLIGHT_ENTRY_H
#define NPUSCOPE_PARSERS_LOGS_FLIGHT_ENTRY_H

#include "parsers/logs/flight.h"

/* Word of a state, as the dumps write it. */
const char *flight_state_word(enum flight_state s);
/* Rank in the name of a dump, status file or stack: the digits at its end. -1: there are none. */
int flight_rank_of_name(struct str path);

/* A send or receive, which has no number of a collective. */
bool flight_is_p2p(const struct flight_entry *e);
/* Stands for several entries of its number, whose states say nothing then. */
bool flight_is_coalesced(const struct flight_entry *e);
/* As far as the dump knows, the entry ended. */
bool flight_has_ended(const struct flight_dump *d, const struct flight_entry *e);

#endif
