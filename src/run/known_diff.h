/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the analysis of MindSpore 1.x says something else than its raw data, and so do the files of
 * `analyse`.
 */
#ifndef NPUSCOPE_RUN_KNOWN_DIFF_H
#define NPUSCOPE_RUN_KNOWN_DIFF_H

#include <stddef.h>

/* Those that a comparison of analysed files with raw data can find (import/agree/agree.h). */
enum known_diff_id {
    KNOWN_DIFF_NONE = 0,
    KNOWN_DIFF_NEIGHBOURS,
    KNOWN_DIFF_FIRST_TASK,
    KNOWN_DIFF_SLICE,
    KNOWN_DIFF_ONE_WAY,
    KNOWN_DIFF_FIRST_NODE,
    KNOWN_DIFF_LOST_FIRST,
};

struct known_diff {
    const char *files, *versions; /* versions: words of --ms-version */
    const char *vendor, *ours; /* what the files say; what the tables have (NULL: they have no such figure) */
    enum known_diff_id id;
    const char *brief; /* as a finding says it */
};
extern const struct known_diff known_diffs[];
extern const size_t known_diffs_n;

/* The words before `brief` in a finding. */
#define KNOWN_DIFF_OF "known of the profiler"

/* NULL: no such difference. */
const char *known_diff_brief(enum known_diff_id id);

#endif
