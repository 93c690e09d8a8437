/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a PROF folder is and what its parts are called (doc/formats/prof.md#folder): decided here alone, by
 * names. Pure functions.
 */
#ifndef NPUSCOPE_PROF_FOLDER_H
#define NPUSCOPE_PROF_FOLDER_H

#include "base/str.h"

/* Base names of a PROF folder as the collector gives it; and of a part of one that holds a device's data. */
#define PROF_FOLDER "PROF_{T}_{T}_{*}"
#define PROF_DEVICE "device_{D}"

/* A base name is one that the collector gives to a PROF folder. */
bool prof_folder_is(struct str name);
/* Begin of the collection, from PROF_<n>_<time>_<text>: yyyymmddhhmmssmmm; -1: the name has none. */
int64_t prof_folder_stamp(struct str name);

/* Parts of a PROF folder that hold raw data, by their base names. */
enum { PROF_PART_NONE = -1, PROF_PART_HOST = 1024, N_PROF_PARTS };
/* "host": PROF_PART_HOST, "device_5": 5; PROF_PART_NONE: another name, or a greater number. */
int prof_part_of(struct str name);

/*
 * The folder that a file lies in, from its path below a unit's root: with its '/' at the end, "" for the root
 * itself. It is what lies before the first part. false: no part is in the path.
 */
bool prof_folder_of(struct str rel, struct str *root);
/* The same, for an info.json of a part alone: each folder with raw data has one, whatever its name. */
bool prof_folder_of_info(struct str rel, struct str *root);

#endif
