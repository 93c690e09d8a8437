/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every limit on input and on ourselves in one place (doc/reliability.md#limits). Each is tested below, at
 * and above.
 */
#ifndef NPUSCOPE_LIMITS_H
#define NPUSCOPE_LIMITS_H

#include <stdint.h>

/*
 * A row of text is kept whole while it is converted, in each of the windows that a reading thread uses in
 * turn: without limits a file of zeros would take all memory. A network has columns of its step trace for
 * each communication op, and a cell of hccl_raw an entry for each link: thousands of columns and MiB.
 */
#define LIM_LINE_B        ((size_t)64 << 20) /* one line of a text file */
#define LIM_CSV_COLUMNS   65536              /* their numbers are uint16_t in a row's list of bad cells */
#define LIM_CSV_FIELD_B   ((size_t)16 << 20) /* a text of the store, too */
#define LIM_JSON_DEPTH    64                 /* streaming reader */
#define LIM_JSON_STRING_B ((size_t)16 << 20) /* as a cell of CSV: memory only for those that are long */
#define LIM_JSON_NUMBER_B 64
#define LIM_JSON_EVENT_B  ((size_t)16 << 20) /* one trace event: the window grows so far for it */
#define LIM_JSON_SMALL_B  ((size_t)16 << 20) /* a document read whole (cJSON) */
#define LIM_PB_B          ((size_t)64 << 20) /* a protobuf file, read whole */
#define LIM_PICKLE_DEPTH  64                 /* open containers */
/* Values of a pickle that are kept at a time: entries of a memory snapshot are not, their call stacks are. */
#define LIM_PICKLE_B        ((uint64_t)192 << 20)
#define LIM_FRAMEWORK_DEPTH 4096  /* ranges within each other; Python allows 1 000 calls by default */
#define LIM_TRACKS          65536 /* threads, and counters, of one trace file */
#define LIM_OPEN_EVENTS     65536 /* begun and not yet ended events of one trace file */
#define LIM_GZ_RATIO        64    /* unpacked : packed bytes */
#define LIM_GZ_FREE_B                                                                                        \
    ((uint64_t)1 << 20) /* the ratio counts only above this: short constant columns pack better */
#define LIM_GZ_B           ((uint64_t)64 << 30)
#define LIM_DIR_DEPTH      8                  /* below a unit's root */
#define LIM_DIR_ENTRIES    200000             /* files of one unit */
#define LIM_SEARCH_ENTRIES 1000000            /* entries that a search for units looks at: a second or two */
#define LIM_NAME_B         ((size_t)64 << 10) /* an op name as stored */
#define LIM_STRINGS        (16u << 20)        /* distinct strings of one store */
#define LIM_REGEX_B        1000
#define LIM_REGEX_MATCH    10000
#define LIM_REGEX_HEAP_KIB 1024
#define LIM_REGEX_GIVE_UPS                                                                                   \
    1000 /* subjects given up on before a pattern is too costly for the rest of a run */
/* time after which it is too costly, when a subject takes longer than LIM_REGEX_NS on average */
#define LIM_REGEX_RUN_MS   100
#define LIM_REGEX_NS       20000              /* per subject */
#define LIM_ROW_B          ((size_t)16 << 20) /* one row of a table as text */
#define LIM_NOTES_PER_FILE 100                /* in detail, then counted */
#define LIM_IMPORT_B                                                                                         \
    ((uint64_t)512                                                                                           \
     << 20) /* memory of the import workers of a command; raw data may have more (room_worker_b) */
#define LIM_CACHE_DAYS    30                   /* a store that was not used for so long is removed */
#define LIM_CACHE_B       ((uint64_t)10 << 30) /* all stores of the cache */
#define LIM_CACHE_SPARE_S 3600                 /* one used in the last hour is not removed for room */
#define LIM_IMPORT_SHARE_B                                                                                   \
    ((uint64_t)64 << 20) /* least share of it when several run: more than 8 of them take more */
/*
 * Archives given as profiles (doc/reliability.md#archives). The ratio is far above that of traces packed with
 * xz (30 to 60) and below that of bombs (1000); it counts above what no disk misses.
 */
#define LIM_ARCHIVE_MEMBERS LIM_DIR_ENTRIES
#define LIM_ARCHIVE_B       LIM_GZ_B
#define LIM_ARCHIVE_RATIO   256
#define LIM_ARCHIVE_FREE_B  ((uint64_t)64 << 20)
#define LIM_ARCHIVE_DEPTH   32
#define LIM_ARCHIVE_INNER   3   /* archives in archives: a job's, a rank's, one that a tool packed */
#define LIM_ARCHIVE_PART_B  255 /* one part of a path: what file systems take */
#define LIM_ARCHIVE_NAME_B  700 /* a path in the archive: what the paths of this program have room for */
#define LIM_SQL_B           ((size_t)1 << 20)    /* a statement of a user */
#define LIM_SQL_HEAP_B      ((int64_t)256 << 20) /* memory it may take beyond what is in use already */

#endif
