/* Where the vendor's analysis of generation 1 says something else than the raw data do, and so the files of `analyse`, too. */
#ifndef NPUSCOPE_G1_KNOWN_H
#define NPUSCOPE_G1_KNOWN_H

#include <stddef.h>

/* Those that a comparison of analysed files with raw data can tell (import/agree/agree.h). */
enum g1_known_id {
    G1_KNOWN_NONE = 0,
    G1_KNOWN_NEIGHBOURS,
    G1_KNOWN_FIRST_TASK,
    G1_KNOWN_SLICE,
    G1_KNOWN_ONE_WAY,
    G1_KNOWN_FIRST_NODE,
    G1_KNOWN_LOST_FIRST,
};

struct g1_known {
    const char *files, *versions; /* versions: words of --ms-version */
    const char *vendor,
        *ours; /* what the files say; what the tables have (NULL: they have no such figure) */
    enum g1_known_id id;
    const char *brief; /* as a finding says it */
};
extern const struct g1_known g1_known[];
extern const size_t g1_n_known;

/* What stands before it there. */
#define G1_KNOWN_OF "known of the vendor"

/* NULL: no such difference. */
const char *g1_known_brief(enum g1_known_id id);

#endif
