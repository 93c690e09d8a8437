/* SPDX-License-Identifier: Apache-2.0 */
/* PROF folders by their names. */
#include "config.h"

#include "run/prof_folder.h"

#include "run/inventory.h"

bool prof_folder_is(struct str name)
{
    return kind_pattern_match(PROF_FOLDER, name, NULL);
}

int64_t prof_folder_stamp(struct str name)
{
    struct kind_match m;

    return kind_pattern_match("PROF_{*}_{T}_{*}", name, &m) && m.stamp > 0 ? m.stamp : -1;
}

int prof_part_of(struct str name)
{
    int64_t n;

    if (str_eq(name, STR("host")))
        return PROF_PART_HOST;
    if (!str_starts(name, STR("device_")) || !str_i64(str_sub(name, 7, SIZE_MAX), &n) || n < 0 ||
        n >= PROF_PART_HOST)
        return PROF_PART_NONE;
    return (int)n;
}

bool prof_folder_of(struct str rel, struct str *root)
{
    size_t slash;

    for (size_t at = 0; (slash = str_chr(str_sub(rel, at, SIZE_MAX), '/')) != SIZE_MAX; at += slash + 1)
        if (prof_part_of(str_sub(rel, at, slash)) != PROF_PART_NONE) {
            *root = str_sub(rel, 0, at);
            return true;
        }
    return false;
}

bool prof_folder_of_info(struct str rel, struct str *root)
{
    return (kind_pattern_match("host/info.json{*}", rel, NULL) ||
            kind_pattern_match(PROF_DEVICE "/info.json{*}", rel, NULL)) &&
           prof_folder_of(rel, root);
}
