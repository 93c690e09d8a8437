/* SPDX-License-Identifier: Apache-2.0 */
/* The list of note codes as data. */
#include "config.h"

#include "store/note.h"

#define NOTE_ROW(code, sev, state, title, hint) [NOTE_##code] = { #code, #sev, #state, title, hint },
const struct note_info note_infos[N_NOTES] = { NOTE_CODES(NOTE_ROW) };
#undef NOTE_ROW
