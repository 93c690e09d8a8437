/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instants as logs write them (doc/formats/logs.md#other-dialects): what stands at the beginning of a text,
 * and what it counts from. Knows no file and keeps nothing.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_LOG_TIME_H
#define NPUSCOPE_PARSERS_LOGS_LOG_TIME_H

#include "base/str.h"

enum log_clock {
    LOG_NO_TIME,
    LOG_LOCAL,  /* wall clock of the process or host, zone not said */
    LOG_UTC,    /* the text says its zone, which is taken off */
    LOG_UPTIME, /* since the kernel started */
};

struct log_time {
    int64_t ns; /* since 1970 on that clock; LOG_UPTIME: since the start */
    enum log_clock clock;
    bool no_year; /* the text has none: ns is that of LOG_NO_YEAR */
};

/*
 * Read the instant at the beginning of s. Returns the bytes it takes, 0: there is none (out is as before).
 * Takes "2025-10-09-16:54:15.497.363", "2025-10-09 16:54:15,497", "2025/10/09 ...", RFC 3339 with a zone,
 * "Oct  9 16:54:15", "Thu Oct  9 16:54:15 2025", "[259205.000000]".
 */
size_t log_time_read(struct str s, struct log_time *out);
/* The same for "1009 16:54:19.123" (or "324 ...": month 3), as klog and torch write after their level. */
size_t log_time_read_klog(struct str s, struct log_time *out);
/* The 17 digits of a file's name: local time with milliseconds. */
bool log_time_stamp(struct str digits, int64_t *local_ns);

/* Days since 1970 of a date of the Gregorian calendar, month and day from 1. */
int64_t log_time_days(int64_t year, unsigned month, unsigned day);
/* The year of an instant. */
int64_t log_time_year(int64_t ns);
/* The instant of a time of LOG_NO_YEAR: the year that puts it nearest to near_ns and that has its day. */
int64_t log_time_in_year(int64_t ns, int64_t near_ns);

#define LOG_NO_YEAR 1972 /* has 29 February */
#define LOG_S_NS    INT64_C(1000000000)
#define LOG_DAY_NS  (86400 * LOG_S_NS)

#endif
