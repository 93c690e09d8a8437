/* What is read, in which order, and what is left because another source tells the same (schema.md
 * section 8). */
#ifndef NPUSCOPE_PLAN_H
#define NPUSCOPE_PLAN_H

#include "run/inventory.h"

/* Files that are read or left together: same topic, rank and priority; or one file without a topic.
 */
struct plan_set {
    struct source_file **files; /* first slices */
    size_t n;
    const char *topic; /* NULL none */
    int rank, priority, order;
    uint64_t lead_b; /* bytes of the topic's first choice */
};

struct plan {
    struct plan_set
        *sets; /* in order of reading; sets of one topic and rank follow each other by priority */
    size_t n;
    size_t n_small; /* the first of them: the small tables, which feed the first screen */
    uint64_t bytes; /* of the sets that are read when all is whole */
    unsigned files;
};

NODISCARD int plan_make(struct plan *out, const struct unit *u, struct err *e);
void plan_done(struct plan *p);
/* Sets i and k tell the same. */
bool plan_same_topic(const struct plan_set *a, const struct plan_set *b);
uint64_t plan_set_bytes(const struct plan_set *s);

#endif
