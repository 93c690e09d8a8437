/*
 * Where the vendor's analysis of generation 1 says something else than the raw data do, and so the files of
 * `analyse`, too.
 */
#ifndef NPUSCOPE_RUN_KNOWN_DIFF_H
#define NPUSCOPE_RUN_KNOWN_DIFF_H

#include <stddef.h>

/* Those that a comparison of analysed files with raw data can tell (import/agree/agree.h). */
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

/* What stands before it there. */
#define KNOWN_DIFF_OF "known of the vendor"

/* NULL: no such difference. */
const char *known_diff_brief(enum known_diff_id id);

#endif
