/* Where the files of `analyse` say something else than npuscope's tables, because the vendor's analysis does. */
#ifndef NPUSCOPE_VENDOR_G1_KNOWN_H
#define NPUSCOPE_VENDOR_G1_KNOWN_H

#include <stddef.h>

struct g1_known {
    const char *files, *versions; /* versions: words of --ms-version */
    const char *vendor,
        *ours; /* what the files say; what the tables have (NULL: they have no such figure) */
};
extern const struct g1_known g1_known[];
extern const size_t g1_n_known;

#endif
