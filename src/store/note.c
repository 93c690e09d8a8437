/* SPDX-License-Identifier: Apache-2.0 */
/* The list of note codes as data. */
#include "config.h"

#include "store/note.h"

#include <string.h>

#include "base/str.h"

#define NOTE_ROW(code, sev, state, title, hint) [NOTE_##code] = { #code, #sev, #state, title, hint },
const struct note_info note_infos[N_NOTES] = { NOTE_CODES(NOTE_ROW) };
#undef NOTE_ROW

int note_state_rank(const char *state)
{
    static const char *const order[] = { "BAD", "TORN", "LIMIT" };

    for (size_t i = 0; i < ARRAY_LEN(order); i++)
        if (strcmp(state, order[i]) == 0)
            return (int)(ARRAY_LEN(order) - i);
    return strcmp(state, "NEWER") == 0 ? 2 : 0;
}
