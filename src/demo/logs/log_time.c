/* SPDX-License-Identifier: Apache-2.0 */
/* Times of logs: a table of forms. */
#include "config.h"

#include "demo/logs/log_time.h"

#include <time.h>

static const char *const MONTHS[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
static const char *const DAYS[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };

/*
 * Y m d H M S as in strftime; b a: names of month and weekday; e: day, padded with a blank; i u: milliseconds
 * and the microseconds below them, f: both, n: nanoseconds.
 */
static const struct {
    const char *name, *form;
} FORMS[] = {
    { "stamp", "Y-m-d-H:M:S.i.u" },                         /* CANN, MindSpore */
    { "second", "Y-m-d-H:M:S" },                            /* torch_npu's errors */
    { "file", "YmdHMSi" },                                  /* names of files */
    { "short", "YmdHMS" },          { "nano", "YmdHMS-n" }, /* black box */
    { "micro", "Y-m-d-H:M:S.f" },                           /* history.log */
    { "date", "Y-m-d H:M:S" },      { "datef", "Y-m-d H:M:S.f" }, { "elastic", "md H:M:S.f" },
    { "cause", "Y-m-d_H:M:S" }, /* torchrun's root cause */
    { "slurm", "Y-m-dTH:M:S" },     { "syslog", "b e H:M:S" },    { "asc", "a b e H:M:S Y" },
};

static void put_field(struct buf *b, char c, const struct tm *t, int ns)
{
    switch (c) {
    case 'Y':
        buf_printf(b, "%04d", t->tm_year + 1900);
        break;
    case 'm':
        buf_printf(b, "%02d", t->tm_mon + 1);
        break;
    case 'd':
        buf_printf(b, "%02d", t->tm_mday);
        break;
    case 'e':
        buf_printf(b, "%2d", t->tm_mday);
        break;
    case 'H':
        buf_printf(b, "%02d", t->tm_hour);
        break;
    case 'M':
        buf_printf(b, "%02d", t->tm_min);
        break;
    case 'S':
        buf_printf(b, "%02d", t->tm_sec);
        break;
    case 'b':
        buf_puts(b, MONTHS[t->tm_mon]);
        break;
    case 'a':
        buf_puts(b, DAYS[t->tm_wday]);
        break;
    case 'i':
        buf_printf(b, "%03d", ns / 1000000);
        break;
    case 'u':
        buf_printf(b, "%03d", ns / 1000 % 1000);
        break;
    case 'f':
        buf_printf(b, "%06d", ns / 1000);
        break;
    case 'n':
        buf_printf(b, "%09d", ns);
        break;
    default:
        buf_addc(b, c);
    }
}

bool log_time(struct buf *b, struct str form, int64_t ns, int zone_min)
{
    time_t s = (time_t)(ns / 1000000000 + (int64_t)zone_min * 60);
    struct tm tm = { 0 };
    gmtime_r(&s, &tm);
    for (size_t i = 0; i < ARRAY_LEN(FORMS); i++) {
        if (!str_eq(form, str_of(FORMS[i].name)))
            continue;
        for (const char *c = FORMS[i].form; *c; c++)
            put_field(b, *c, &tm, (int)(ns % 1000000000));
        return true;
    }
    return false;
}
