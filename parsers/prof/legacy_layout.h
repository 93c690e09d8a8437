/*
 * Records of the host before CANN's api_event (formats/msprof-raw.md 3.6), as X-macro rows like parsers/prof/prof_layout.h: only how they are cut into numbers was ever published
 * of most, so that a number has a name where the page tells one. No reader takes them; the hex view does.
 */
#ifndef NPUSCOPE_PARSERS_PROF_LEGACY_LAYOUT_H
#define NPUSCOPE_PARSERS_PROF_LEGACY_LAYOUT_H

#define LEGACY_MARK 0x5a5a

/* clang-format off */
#define LEGACY_HEAD(F) \
    F(LG_MAGIC, "magic", 0, 2, HEX, 0, 0, 0, NULL, "in every record") \
    F(LG_TAG,   "tag",   2, 2, UINT, 0, 0, 0, NULL, "kind of record")

#define NOT_TOLD "what it means is not published"

#define RA_SHORT(F, i) F(RA_SHORT_##i, "short_" #i, 108 + 2 * i, 2, UINT, 0, 0, 0, NULL, NOT_TOLD)
#define RUNTIME_API_SHORTS(F) \
    RA_SHORT(F, 0) RA_SHORT(F, 1) RA_SHORT(F, 2) RA_SHORT(F, 3) RA_SHORT(F, 4) RA_SHORT(F, 5) RA_SHORT(F, 6) RA_SHORT(F, 7) RA_SHORT(F, 8) RA_SHORT(F, 9) \
    RA_SHORT(F, 10) RA_SHORT(F, 11) RA_SHORT(F, 12) RA_SHORT(F, 13) RA_SHORT(F, 14) RA_SHORT(F, 15) RA_SHORT(F, 16) RA_SHORT(F, 17) RA_SHORT(F, 18) RA_SHORT(F, 19)
/* 256 bytes: HHIQQQ64sIII20HH106B */
#define RUNTIME_API_RECORD(F) LEGACY_HEAD(F) \
    F(RA_VALUE_0, "value_0",     4,  4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RA_VALUE_1, "value_1",     8,  8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RA_VALUE_2, "value_2",    16,  8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RA_VALUE_3, "value_3",    24,  8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RA_TEXT,    "text",       32, 64, TEXT, 0, 0, 0, NULL, "") \
    F(RA_VALUE_4, "value_4",    96,  4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RA_VALUE_5, "value_5",   100,  4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RA_VALUE_6, "value_6",   104,  4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    RUNTIME_API_SHORTS(F) \
    F(RA_VALUE_7, "value_7",   148,  2, UINT, 0, 0, 0, NULL, NOT_TOLD)

/* 64 bytes: HHIQ32sHHHHQ */
#define RUNTIME_TRACK_RECORD(F) LEGACY_HEAD(F) \
    F(RT_VALUE_0, "value_0",  4,  4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RT_VALUE_1, "value_1",  8,  8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RT_TEXT,    "text",    16, 32, TEXT, 0, 0, 0, NULL, "") \
    F(RT_VALUE_2, "value_2", 48,  2, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RT_VALUE_3, "value_3", 50,  2, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RT_VALUE_4, "value_4", 52,  2, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RT_VALUE_5, "value_5", 54,  2, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(RT_VALUE_6, "value_6", 56,  8, UINT, 0, 0, 0, NULL, NOT_TOLD)

/* 128 bytes: HHIQQII64sQQQQ */
#define ACL_MODULE_RECORD(F) LEGACY_HEAD(F) \
    F(AM_VALUE_0, "value_0",   4,  4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(AM_BEGIN,   "begin",     8,  8, UINT, 0, 0, 0, NULL, "which of the two is the begin is a guess") \
    F(AM_END,     "end",      16,  8, UINT, 0, 0, 0, NULL, "") \
    F(AM_PROCESS, "process",  24,  4, UINT, 0, 0, 0, NULL, "a guess") \
    F(AM_THREAD,  "thread",   28,  4, UINT, 0, 0, 0, NULL, "a guess") \
    F(AM_API,     "api",      32, 64, TEXT, 0, 0, 0, NULL, "name of the call") \
    F(AM_VALUE_1, "value_1",  96,  8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(AM_VALUE_2, "value_2", 104,  8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(AM_VALUE_3, "value_3", 112,  8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(AM_VALUE_4, "value_4", 120,  8, UINT, 0, 0, 0, NULL, NOT_TOLD)

/* 32 bytes: HHIIIQH6B */
#define FW_SESSION_RECORD(F) LEGACY_HEAD(F) \
    F(FS_VALUE_0, "value_0",  4, 4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(FS_VALUE_1, "value_1",  8, 4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(FS_VALUE_2, "value_2", 12, 4, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(FS_VALUE_3, "value_3", 16, 8, UINT, 0, 0, 0, NULL, NOT_TOLD) \
    F(FS_VALUE_4, "value_4", 24, 2, UINT, 0, 0, 0, NULL, NOT_TOLD)
/* clang-format on */

#endif
