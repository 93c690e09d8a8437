/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of the host before CANN's api_event (doc/formats/prof.md#legacy-host-files), as X-macro rows like
 * parsers/prof/prof_layout.h. Of most of them only the way they are cut into numbers was ever published, so a
 * number has a name where the page gives one. No parser takes these records; the hex view does.
 */
#ifndef NPUSCOPE_PARSERS_PROF_LEGACY_LAYOUT_H
#define NPUSCOPE_PARSERS_PROF_LEGACY_LAYOUT_H

#define LEGACY_MARK 0x5a5a

/* clang-format off */
#define LEGACY_HEAD(F) \
    F(LG_MAGIC, 0, 2, HEX,  "magic", "in every record") \
    F(LG_TAG,   2, 2, UINT, "tag", "kind of record")

#define UNPUBLISHED "its meaning is not published"

#define RA_SHORT(F, i) F(RA_SHORT_##i, 108 + 2 * i, 2, UINT, "short_" #i, UNPUBLISHED)
#define RUNTIME_API_SHORTS(F) \
    RA_SHORT(F, 0) RA_SHORT(F, 1) RA_SHORT(F, 2) RA_SHORT(F, 3) RA_SHORT(F, 4) RA_SHORT(F, 5) RA_SHORT(F, \
        6) RA_SHORT(F, 7) RA_SHORT(F, 8) RA_SHORT(F, 9) \
    RA_SHORT(F, 10) RA_SHORT(F, 11) RA_SHORT(F, 12) RA_SHORT(F, 13) RA_SHORT(F, 14) RA_SHORT(F, \
        15) RA_SHORT(F, 16) RA_SHORT(F, 17) RA_SHORT(F, 18) RA_SHORT(F, 19)
/* 256 bytes: HHIQQQ64sIII20HH106B */
#define RUNTIME_API_RECORD(F) LEGACY_HEAD(F) \
    F(RA_VALUE_0,   4,  4, UINT, "value_0", UNPUBLISHED) \
    F(RA_VALUE_1,   8,  8, UINT, "value_1", UNPUBLISHED) \
    F(RA_VALUE_2,  16,  8, UINT, "value_2", UNPUBLISHED) \
    F(RA_VALUE_3,  24,  8, UINT, "value_3", UNPUBLISHED) \
    F(RA_TEXT,     32, 64, TEXT, "text") \
    F(RA_VALUE_4,  96,  4, UINT, "value_4", UNPUBLISHED) \
    F(RA_VALUE_5, 100,  4, UINT, "value_5", UNPUBLISHED) \
    F(RA_VALUE_6, 104,  4, UINT, "value_6", UNPUBLISHED) \
    RUNTIME_API_SHORTS(F) \
    F(RA_VALUE_7, 148, 2, UINT, "value_7", UNPUBLISHED)

/* 64 bytes: HHIQ32sHHHHQ */
#define RUNTIME_TRACK_RECORD(F) LEGACY_HEAD(F) \
    F(RT_VALUE_0,  4,  4, UINT, "value_0", UNPUBLISHED) \
    F(RT_VALUE_1,  8,  8, UINT, "value_1", UNPUBLISHED) \
    F(RT_TEXT,    16, 32, TEXT, "text") \
    F(RT_VALUE_2, 48,  2, UINT, "value_2", UNPUBLISHED) \
    F(RT_VALUE_3, 50,  2, UINT, "value_3", UNPUBLISHED) \
    F(RT_VALUE_4, 52,  2, UINT, "value_4", UNPUBLISHED) \
    F(RT_VALUE_5, 54,  2, UINT, "value_5", UNPUBLISHED) \
    F(RT_VALUE_6, 56,  8, UINT, "value_6", UNPUBLISHED)

/* 128 bytes: HHIQQII64sQQQQ */
#define ACL_MODULE_RECORD(F) LEGACY_HEAD(F) \
    F(AM_VALUE_0,   4,  4, UINT, "value_0", UNPUBLISHED) \
    F(AM_BEGIN,     8,  8, UINT, "begin", "which of the two is the begin is a guess") \
    F(AM_END,      16,  8, UINT, "end") \
    F(AM_PROCESS,  24,  4, UINT, "process", "a guess") \
    F(AM_THREAD,   28,  4, UINT, "thread", "a guess") \
    F(AM_API,      32, 64, TEXT, "api", "name of the call") \
    F(AM_VALUE_1,  96,  8, UINT, "value_1", UNPUBLISHED) \
    F(AM_VALUE_2, 104,  8, UINT, "value_2", UNPUBLISHED) \
    F(AM_VALUE_3, 112,  8, UINT, "value_3", UNPUBLISHED) \
    F(AM_VALUE_4, 120,  8, UINT, "value_4", UNPUBLISHED)
/* clang-format on */

#endif
