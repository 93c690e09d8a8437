/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of flight recorder dumps (doc/formats/logs.md#torch_npu-dumps). */
#include "config.h"

#include "parsers/logs/flight_entry.h"

const char *flight_state_word(enum flight_state s)
{
    static const char *const words[] = { "unknown", "scheduled", "started", "completed" };

    return words[s];
}

int flight_rank_of_name(struct str path)
{
    static const char *const tails[] = { ".gz", ".json", ".pkl", ".pickle", "_py_traceback" };
    struct str name = str_after_last(path, '/');
    int64_t rank;
    size_t at;

    for (size_t i = 0; i < ARRAY_LEN(tails); i++)
        if (str_ends(name, str_of(tails[i])))
            name.n -= strlen(tails[i]);
    for (at = name.n; at > 0 && name.p[at - 1] >= '0' && name.p[at - 1] <= '9';)
        at--;
    return str_i64(str_sub(name, at, name.n), &rank) && rank <= INT32_MAX ? (int)rank : -1;
}

bool flight_is_p2p(const struct flight_entry *e)
{
    return e->is_p2p || str_starts(e->name, STR("send ")) || str_starts(e->name, STR("recv "));
}

bool flight_has_ended(const struct flight_dump *d, const struct flight_entry *e)
{
    const struct flight_group *g = &d->groups[e->group];

    return e->state == FLIGHT_COMPLETED || e->completed_ns > 0 ||
           (!flight_is_p2p(e) && g->has_status && e->seq <= g->last_completed);
}

bool flight_is_coalesced(const struct flight_entry *e)
{
    return str_ends(e->name, STR("coalesced"));
}
