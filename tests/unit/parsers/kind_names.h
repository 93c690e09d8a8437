/* SPDX-License-Identifier: Apache-2.0 */
/* File names made of the registry's patterns. */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_KIND_NAMES_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_KIND_NAMES_H

#include <stdio.h>
#include <string.h>

/* A name that fits the pattern: numbers 3, no slice, first choice. */
static inline void kind_name(const char *pattern, char *out, size_t n)
{
    size_t at = 0;

    while (*pattern && at + 24 < n) {
        const char *end = strchr(pattern, '}');

        if (*pattern != '{') {
            out[at++] = *pattern++;
            continue;
        }
        if (pattern[1] == 'T')
            at += (size_t)snprintf(out + at, n - at, "20240611062509");
        else if (pattern[1] == '*')
            at += (size_t)snprintf(out + at, n - at, "zz");
        else if (end - pattern == 2 && pattern[1] != 'S')
            at += (size_t)snprintf(out + at, n - at, "3");
        else if (end - pattern > 2)
            at += (size_t)snprintf(out + at, n - at, "%.*s", (int)strcspn(pattern + 1, ",}"), pattern + 1);
        pattern = end + 1;
    }
    out[at] = '\0';
}

#endif
