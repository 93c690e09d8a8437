/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/logs/log_time.h"

#include <stdlib.h>

/* Years that are taken for such: a clock that was never set says 1970. */
#define FIRST_YEAR 1970
#define LAST_YEAR  2199

/* What is left to read of a text. */
struct reader {
    const char *p, *end;
};

static bool digits(struct reader *r, size_t least, size_t most, int64_t *out)
{
    size_t n = 0;
    int64_t v = 0;

    while (n < most && r->p + n < r->end && r->p[n] >= '0' && r->p[n] <= '9')
        v = v * 10 + (r->p[n++] - '0');
    if (n < least)
        return false;
    r->p += n;
    *out = v;
    return true;
}

static bool one_of(struct reader *r, const char *chars)
{
    if (r->p == r->end || !*r->p || !strchr(chars, *r->p))
        return false;
    r->p++;
    return true;
}

int64_t log_time_days(int64_t year, unsigned month, unsigned day)
{
    /* Years are counted from March: the leap day is their last. */
    int64_t y = month <= 2 ? year - 1 : year, era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    int64_t of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t log_time_year(int64_t ns)
{
    int64_t days = ns / LOG_DAY_NS - (ns % LOG_DAY_NS < 0), year = 1970 + days / 366;

    while (log_time_days(year + 1, 1, 1) <= days)
        year++;
    while (log_time_days(year, 1, 1) > days)
        year--;
    return year;
}

int64_t log_time_in_year(int64_t ns, int64_t near_ns)
{
    int64_t middle = log_time_year(near_ns), best = ns, least = INT64_MAX;
    int64_t of_year = ns - log_time_days(LOG_NO_YEAR, 1, 1) * LOG_DAY_NS;
    /* 29 February is there in one of eight years at least. */
    bool leap_day = of_year / LOG_DAY_NS == 59, after = of_year / LOG_DAY_NS > 59;

    middle = middle < FIRST_YEAR ? FIRST_YEAR : middle > LAST_YEAR ? LAST_YEAR : middle;
    for (int64_t y = middle - 8; y <= middle + 8; y++) {
        bool leap = log_time_days(y, 3, 1) - log_time_days(y, 2, 1) == 29;
        int64_t at = of_year + (log_time_days(y, 1, 1) - (!leap && after)) * LOG_DAY_NS;
        int64_t off = at > near_ns ? at - near_ns : near_ns - at;
        if (off < least && (leap || !leap_day)) {
            least = off;
            best = at;
        }
    }
    return best;
}

static unsigned month_of(struct reader *r)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (r->end - r->p < 4 || r->p[3] != ' ')
        return 0;
    for (unsigned m = 0; m < 12; m++)
        if (!memcmp(months + (size_t)3 * m, r->p, 3)) {
            r->p += 4;
            return m + 1;
        }
    return 0;
}

/* "16:54:15" and what follows of the second: ".497363", ",497", ".497.363" or ":497". */
static bool clock_time(struct reader *r, bool colon, int64_t *ns)
{
    int64_t h, m, s, part = 0;
    unsigned figures = 0;

    if (!digits(r, 1, 2, &h) || !one_of(r, ":") || !digits(r, 2, 2, &m) || !one_of(r, ":") ||
        !digits(r, 2, 2, &s) || h > 23 || m > 59 || s > 60)
        return false;
    for (int group = 0; group < 3 && figures < 9; group++) {
        struct reader before = *r;
        if (!one_of(r, group ? "." : colon ? ".,:" : ".,"))
            break;
        size_t n = 0;
        while (r->p < r->end && *r->p >= '0' && *r->p <= '9' && figures < 9) {
            part = part * 10 + (*r->p++ - '0');
            figures++;
            n++;
        }
        if (!n) {
            *r = before;
            break;
        }
    }
    while (figures++ < 9)
        part *= 10;
    *ns = ((h * 60 + m) * 60 + s) * LOG_S_NS + part;
    return true;
}

/* "+08:00", "+0800", "Z": minutes east of Greenwich. */
static bool zone(struct reader *r, int64_t *minutes)
{
    struct reader before = *r;
    int64_t h, m = 0;

    if (one_of(r, "Z")) {
        *minutes = 0;
        return true;
    }
    bool west = r->p < r->end && *r->p == '-';
    if (one_of(r, "+-") && digits(r, 2, 2, &h) && ((one_of(r, ":") || true) && digits(r, 2, 2, &m)) &&
        h <= 14 && m < 60) {
        *minutes = west ? -(h * 60 + m) : h * 60 + m;
        return true;
    }
    *r = before;
    return false;
}

static bool is_date(int64_t year, int64_t month, int64_t day)
{
    return year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1 &&
           log_time_days(year, (unsigned)month, 1) + day <=
               log_time_days(year + month / 12, (unsigned)(month % 12 + 1), 1);
}

/* 2025-10-09-16:54:15 with '-', '/', 'T', '_' or a blank between its parts. */
static bool read_iso(struct reader *r, struct log_time *out)
{
    int64_t y, m, d, t, minutes;

    if (!digits(r, 4, 4, &y) || !one_of(r, "-/") || !digits(r, 2, 2, &m) || !one_of(r, "-/") ||
        !digits(r, 2, 2, &d) || !is_date(y, m, d) || !one_of(r, "-T _"))
        return false;
    if (!clock_time(r, true, &t))
        return false;
    *out = (struct log_time){ log_time_days(y, (unsigned)m, (unsigned)d) * LOG_DAY_NS + t, LOG_LOCAL, false };
    if (zone(r, &minutes)) {
        out->ns -= minutes * 60 * LOG_S_NS;
        out->clock = LOG_UTC;
    }
    return true;
}

/* "Oct  9 16:54:15", with a weekday before and a year after it. */
static bool read_syslog(struct reader *r, struct log_time *out)
{
    static const char weekdays[] = "MonTueWedThuFriSatSun";
    int64_t d, t, y = LOG_NO_YEAR;
    bool weekday = false;

    for (size_t i = 0; i < 7 && r->end - r->p > 4 && !weekday; i++)
        weekday = !memcmp(weekdays + 3 * i, r->p, 3) && r->p[3] == ' ';
    if (weekday)
        r->p += 4;
    unsigned m = month_of(r);
    if (!m)
        return false;
    (void)one_of(r, " ");
    if (!digits(r, 1, 2, &d) || !one_of(r, " ") || !clock_time(r, false, &t) || !is_date(y, m, d))
        return false;
    struct reader before = *r;
    bool year = one_of(r, " ") && digits(r, 4, 4, &y) && is_date(y, m, d) &&
                (r->p == r->end || *r->p < '0' || *r->p > '9');
    if (!year) {
        *r = before;
        y = LOG_NO_YEAR;
    }
    *out = (struct log_time){ log_time_days(y, m, (unsigned)d) * LOG_DAY_NS + t, LOG_LOCAL, !year };
    return true;
}

/* "[259205.000000]" */
static bool read_uptime(struct reader *r, struct log_time *out)
{
    int64_t s, us;

    if (!one_of(r, "["))
        return false;
    while (one_of(r, " "))
        ;
    if (!digits(r, 1, 10, &s) || !one_of(r, ".") || !digits(r, 6, 6, &us) || !one_of(r, "]"))
        return false;
    *out = (struct log_time){ s * LOG_S_NS + us * 1000, LOG_UPTIME, false };
    return true;
}

size_t log_time_read(struct str s, struct log_time *out)
{
    static bool (*const forms[])(struct reader *, struct log_time *) = { read_iso, read_syslog, read_uptime };

    for (size_t i = 0; i < sizeof forms / sizeof *forms && s.n; i++) {
        struct reader r = { s.p, s.p + s.n };
        struct log_time t;
        if (forms[i](&r, &t)) {
            *out = t;
            return (size_t)(r.p - s.p);
        }
    }
    return 0;
}

size_t log_time_read_klog(struct str s, struct log_time *out)
{
    struct reader r = { s.p, s.p + s.n };
    int64_t date, t;
    size_t width = 0;

    while (width < s.n && s.p[width] >= '0' && s.p[width] <= '9')
        width++;
    if ((width != 4 && width != 3) || !digits(&r, 3, 4, &date) ||
        !is_date(LOG_NO_YEAR, date / 100, date % 100) || !one_of(&r, " ") || !clock_time(&r, false, &t))
        return 0;
    *out = (struct log_time){
        log_time_days(LOG_NO_YEAR, (unsigned)(date / 100), (unsigned)(date % 100)) * LOG_DAY_NS + t,
        LOG_LOCAL, true
    };
    return (size_t)(r.p - s.p);
}

bool log_time_stamp(struct str s, int64_t *local_ns)
{
    struct reader r = { s.p, s.p + s.n };
    int64_t y, mo, d, h, mi, sec, ms;

    if (s.n != 17 || !digits(&r, 4, 4, &y) || !digits(&r, 2, 2, &mo) || !digits(&r, 2, 2, &d) ||
        !digits(&r, 2, 2, &h) || !digits(&r, 2, 2, &mi) || !digits(&r, 2, 2, &sec) ||
        !digits(&r, 3, 3, &ms) || !is_date(y, mo, d) || h > 23 || mi > 59 || sec > 60)
        return false;
    *local_ns = log_time_days(y, (unsigned)mo, (unsigned)d) * LOG_DAY_NS +
                ((h * 60 + mi) * 60 + sec) * LOG_S_NS + ms * 1000000;
    return true;
}
