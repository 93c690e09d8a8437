/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for people (doc/screens.md#numbers and its screens), numbers for exports, and numbers as people
 * type them. */
#include "config.h"

#include "base/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NUMBER_B 340 /* the largest double has 309 digits before its point */
#define NS_PER_S 1000000000
#define PLAIN_B  32 /* longer plain numbers get an exponent */

/* A unit: its name, how many base units it holds, and the digits after the point. */
struct scale {
    const char *name;
    double factor;
    struct {
        double below; /* in units, ascending; 0: everything else */
        int decimals;
    } digits[3];
};

/* clang-format off */
/*
 * ns are whole; us has three significant figures; ms two decimals; s two decimals below 10 s, then four
 * significant figures.
 */
static const struct scale times[] = {
    [TIME_S]  = { "s",  1e9, { { 100, 2 }, { 1000, 1 }, { 0, 0 } } },
    [TIME_MS] = { "ms", 1e6, { { 0, 2 } } },
    [TIME_US] = { "us", 1e3, { { 10, 2 },  { 100, 1 },  { 0, 0 } } },
    [TIME_NS] = { "ns", 1,   { { 0, 0 } } },
};

static const struct scale sizes[] = {
    [SIZE_GIB] = { "GiB", 0x1p30, { { 0, 1 } } },
    [SIZE_MIB] = { "MiB", 0x1p20, { { 0, 1 } } },
    [SIZE_KIB] = { "KiB", 0x1p10, { { 0, 1 } } },
    [SIZE_B]   = { "B",   1,      { { 0, 0 } } },
};

/* Largest first. Two decimals below 10, one above: 7.40, 32.0, 262.1. */
static const struct scale decimal[] = {
    { "E", 1e18, { { 10, 2 }, { 0, 1 } } },
    { "P", 1e15, { { 10, 2 }, { 0, 1 } } },
    { "T", 1e12, { { 10, 2 }, { 0, 1 } } },
    { "G", 1e9,  { { 10, 2 }, { 0, 1 } } },
    { "M", 1e6,  { { 10, 2 }, { 0, 1 } } },
    { "k", 1e3,  { { 10, 2 }, { 0, 1 } } },
    { "",  1,    { { 0, 0 } } },
};

/* 1.45 % is the same number as a share or times 100: a half goes up, however it was computed. */
#define SAME (1 + 1e-12)
static const struct scale percent = { "%", 0.01, { { 0, 1 } } };
static const struct scale bandwidth = { "GB/s", 1e9, { { 10, 2 }, { 0, 1 } } };
/* Counts; means of counts have one decimal while it matters. */
static const struct scale whole = { "", 1, { { 0, 0 } } };
static const struct scale part = { "", 1, { { 1000, 1 }, { 0, 0 } } };

/* Suffixes that people may write after a number. exact: the case matters. */
static const struct suffix {
    const char *text;
    double factor;
    char kind;
    bool exact;
} suffixes[] = {
    { "",    1,     'n', true },
    { "k",   1e3,   'n', false }, { "M",   1e6,   'n', true },  { "G",   1e9,   'n', false },
    { "T", 1e12, 'n', false },
    { "%",   1,     '%', true },
    { "ns",  1,     't', false }, { "us",  1e3,   't', false }, { "\xC2\xB5s", 1e3, 't', true },
    { "\xCE\xBCs", 1e3, 't', true }, { "ms",  1e6,   't', false }, { "s",   1e9,   't', false },
    { "min", 60e9, 't', false }, { "h", 3600e9, 't', false }, { "B",   1,     's', false },
    { "KiB", 0x1p10, 's', false }, { "MiB", 0x1p20, 's', false }, { "GiB", 0x1p30, 's', false },
    { "TiB", 0x1p40, 's', false }, { "KB", 1e3,   's', false }, { "MB",  1e6,   's', false },
    { "GB", 1e9, 's', false }, { "TB",  1e12,  's', false },
};
/* clang-format on */

#define COLUMN_MOST  1e4  /* a number of a column of times is below this: four digits are read at once */
#define COLUMN_RATIO 1000 /* of the largest to the smallest, from which each has its own unit */

/* v is an integer, and all its digits count. */
static bool is_whole(double v)
{
    return fabs(v) < 0x1p53 && (double)(int64_t)v == v;
}

/* Half a unit of the last of so many decimals. */
static double half_digit(int decimals)
{
    static const double half[] = { 0.5, 0.05, 0.005 };
    return half[decimals];
}

/* Decimals for a value of `units` units, judged by what it rounds to: 9.996 is shown like 10. */
static int decimals_for(const struct scale *s, double units)
{
    size_t i = 0;

    while (s->digits[i].below > 0 && units >= s->digits[i].below - half_digit(s->digits[i].decimals))
        i++;
    return s->digits[i].decimals;
}

/*
 * The first scale (largest first) in which v, rounded as the next one shows it, is at least one; else the
 * last scale.
 */
static size_t pick_scale(const struct scale *s, size_t count, double v)
{
    size_t i = 0;

    for (; i + 1 < count; i++) {
        const struct scale *next = &s[i + 1];
        double half = half_digit(decimals_for(next, HUGE_VAL)) * next->factor;
        if (fabs(v) >= s[i].factor - half)
            break;
    }
    return i;
}

/*
 * v with the decimals of scale s. "?" for what could not be computed; "<0.01" for something that is
 * not zero but would look so, because zero is shown only when zero was measured.
 */
static void number(char *buf, size_t n, double v, const struct scale *s)
{
    double units = fabs(v) / s->factor * (s == &percent ? SAME : 1);
    char text[NUMBER_B];

    if (!isfinite(v)) {
        snprintf(buf, n, "?");
        return;
    }
    int decimals = decimals_for(s, units);
    const char *sign = v < 0 ? "-" : "";
    snprintf(text, sizeof text, "%.*f", decimals, units);
    if (v != 0 && !strpbrk(text, "123456789"))
        snprintf(buf, n, "%s<%.*f", sign, decimals, 2 * half_digit(decimals));
    else
        snprintf(buf, n, "%s%s", sign, text);
}

static char *with_unit(char *buf, size_t n, double v, const struct scale *s, const char *after)
{
    char text[NUMBER_B];

    number(text, sizeof text, v, s);
    if (isfinite(v))
        snprintf(buf, n, "%s %s%s", text, s->name, after);
    else
        snprintf(buf, n, "%s", text);
    return buf;
}

static const struct scale *time_scale(enum time_unit u, double ns)
{
    return &times[u == TIME_AUTO ? unit_time_for(ns) : u];
}

enum time_unit unit_time_for(double ns)
{
    size_t i = pick_scale(&times[TIME_S], ARRAY_LEN(times) - TIME_S, ns);
    return (enum time_unit)(TIME_S + i);
}

enum time_unit unit_time_column(double min_ns, double max_ns)
{
    if (!(max_ns > 0) || !isfinite(max_ns))
        return TIME_AUTO;
    double least = min_ns > 0 ? min_ns : max_ns;
    enum time_unit u = unit_time_for(max_ns);
    /* Two decimals would leave less than two figures of the smallest value. */
    while (u < TIME_NS && least < 0.1 * times[u].factor && max_ns < COLUMN_MOST * times[u + 1].factor)
        u++;
    return u;
}

enum time_unit unit_time_cells(double min_ns, double max_ns)
{
    const enum time_unit u = unit_time_column(min_ns, max_ns);
    const double three = u == TIME_NS ? 100 : 1; /* two decimals, or none */
    if (u == TIME_AUTO || !(min_ns > 0) || min_ns >= three * times[u].factor)
        return u;
    return min_ns * COLUMN_RATIO >= max_ns && min_ns >= 0.1 * times[u].factor ? u : TIME_AUTO;
}

bool unit_is_name(struct str word)
{
    while (word.n && strchr(",.;:)", word.p[word.n - 1]))
        word.n--;
    if (str_ends(word, STR("FLOPs")) || str_ends(word, STR("FLOPS")))
        return true;
    if (str_ends(word, STR("/s")))
        word.n -= 2;
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
        if (word.n && str_eq(word, str_of(suffixes[i].text)))
            return true;
    return false;
}

const char *unit_time_name(enum time_unit u)
{
    return u == TIME_AUTO ? "" : times[u].name;
}

enum size_unit unit_size_for(double bytes)
{
    size_t i = pick_scale(&sizes[SIZE_GIB], ARRAY_LEN(sizes) - SIZE_GIB, bytes);
    return (enum size_unit)(SIZE_GIB + i);
}

const char *unit_size_name(enum size_unit u)
{
    return u == SIZE_AUTO ? "" : sizes[u].name;
}

char *unit_time(char *buf, size_t n, double ns, enum time_unit u)
{
    if (ns == 0) { /* a measured nothing has no decimals */
        snprintf(buf, n, "0 %s", time_scale(u, ns)->name);
        return buf;
    }
    return with_unit(buf, n, ns, time_scale(u, ns), "");
}

char *unit_time_number(char *buf, size_t n, double ns, enum time_unit u)
{
    number(buf, n, ns, time_scale(u, ns));
    return buf;
}

char *unit_long_time(char *buf, size_t n, double ns)
{
    const char *sign = ns < 0 ? "-" : "";

    if (!(fabs(ns) >= 9.995e9) || fabs(ns) > 1e24)
        return unit_time(buf, n, ns, fabs(ns) >= 0.5e9 ? TIME_S : TIME_AUTO);
    int64_t t = (int64_t)(fabs(ns) / 1e9 + 0.5);
    if (t < 120)
        snprintf(buf, n, "%s%" PRId64 " s", sign, t);
    else if (t < 3600)
        snprintf(buf, n, "%s%" PRId64 " min %" PRId64 " s", sign, t / 60, t % 60);
    else if (t < 86400)
        snprintf(buf, n, "%s%" PRId64 " h %" PRId64 " min", sign, t / 3600, t % 3600 / 60);
    else
        snprintf(buf, n, "%s%" PRId64 " d %" PRId64 " h", sign, t / 86400, t % 86400 / 3600);
    return buf;
}

char *unit_rough_time(char *buf, size_t n, double ns)
{
    if (!isfinite(ns) || ns > 1e24) {
        snprintf(buf, n, "?");
        return buf;
    }
    int64_t s = ns > 0 ? (int64_t)ceil(ns / 1e9) : 1, min = (s + 59) / 60;
    if (s <= 60)
        snprintf(buf, n, "%" PRId64 " s", s);
    else if (min < 60)
        snprintf(buf, n, "%" PRId64 " min", min);
    else if (min % 60 && min < 1440)
        snprintf(buf, n, "%" PRId64 " h %" PRId64 " min", min / 60, min % 60);
    else if (min < 1440)
        snprintf(buf, n, "%" PRId64 " h", min / 60);
    else
        snprintf(buf, n, "%" PRId64 " d", (min + 1439) / 1440);
    return buf;
}

char *unit_size(char *buf, size_t n, double bytes, enum size_unit u)
{
    return with_unit(buf, n, bytes, &sizes[u == SIZE_AUTO ? unit_size_for(bytes) : u], "");
}

char *unit_level(char *buf, size_t n, double value, struct str unit)
{
    static const struct {
        const char *name;
        double bytes;
    } kinds[] = { { "KB", 0x1p10 }, { "MB", 0x1p20 }, { "GB", 0x1p30 } };
    char text[24];

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_eq(unit, str_of(kinds[i].name)))
            return unit_size(buf, n, value * kinds[i].bytes, SIZE_AUTO);
    snprintf(buf, n, "%.7g%s%s", value, unit.n ? " " : "", str_copy(unit, text, sizeof text));
    return buf;
}

char *unit_percent(char *buf, size_t n, double share)
{
    char text[NUMBER_B];

    number(text, sizeof text, share, &percent);
    char *abs_text = text + (text[0] == '-');
    if (!strcmp(abs_text, "100.0"))
        abs_text[3] = '\0';
    snprintf(buf, n, "%s%s", text, text[0] == '?' ? "" : "%");
    return buf;
}

char *unit_count(char *buf, size_t n, double count, const char *sep)
{
    char text[NUMBER_B];
    size_t used = 0;

    number(text, sizeof text, count, is_whole(count) ? &whole : &part);
    size_t start = strspn(text, "-<"), digits = strspn(text + start, "0123456789");
    size_t gap = strlen(sep);
    for (size_t i = 0; text[i]; i++) {
        bool gap_here = i > start && i < start + digits && (start + digits - i) % 3 == 0;
        if (used + (gap_here ? gap : 0) + 1 >= n)
            break;
        if (gap_here) {
            memcpy(buf + used, sep, gap);
            used += gap;
        }
        buf[used++] = text[i];
    }
    buf[used] = '\0';
    return buf;
}

char *unit_flops(char *buf, size_t n, double flops)
{
    size_t i = pick_scale(decimal, ARRAY_LEN(decimal), flops);
    return with_unit(buf, n, flops, &decimal[i], "FLOPs");
}

char *unit_flops_rate(char *buf, size_t n, double flops_per_s)
{
    size_t i = pick_scale(decimal, ARRAY_LEN(decimal), flops_per_s);
    return with_unit(buf, n, flops_per_s, &decimal[i], "FLOPS");
}

char *unit_rate(char *buf, size_t n, double bytes_per_s)
{
    return with_unit(buf, n, bytes_per_s, &bandwidth, "");
}

/* Significant digits that v needs to read back equal. */
static int shortest_digits(double v)
{
    char text[40];
    /* 15 digits (less zeros at the end) are always the shortest where they suffice, except for
     * subnormal numbers. */
    int p = fabs(v) < 1e-300 ? 1 : 15;

    for (; p < 17; p++) {
        snprintf(text, sizeof text, "%.*e", p - 1, v);
        if (strtod(text, NULL) == v)
            break;
    }
    return p;
}

/*
 * Digits d1 d2 ... with the point after the first `point` of them (negative: zeros between). With an exponent
 * when that is longer than PLAIN_B.
 */
static void place_point(char *buf, size_t n, const char *sign, struct str digits, int point)
{
    static const char zeros[PLAIN_B + 1] = "00000000000000000000000000000000";
    int count = (int)digits.n;

    if (point > PLAIN_B || count - point > PLAIN_B)
        snprintf(buf, n, "%s%.1s%s%.*se%d", sign, digits.p, count > 1 ? "." : "", count - 1, digits.p + 1,
                 point - 1);
    else if (point <= 0)
        snprintf(buf, n, "%s0.%.*s%.*s", sign, -point, zeros, count, digits.p);
    else if (point >= count)
        snprintf(buf, n, "%s%.*s%.*s", sign, count, digits.p, point - count, zeros);
    else
        snprintf(buf, n, "%s%.*s.%.*s", sign, point, digits.p, count - point, digits.p + point);
}

char *unit_plain(char *buf, size_t n, double v)
{
    char e[40], digits[20];
    size_t count = 0;

    if (is_whole(v)) {
        snprintf(buf, n, "%.0f", v);
        return buf;
    }
    if (!isfinite(v)) {
        snprintf(buf, n, "%s", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
        return buf;
    }
    snprintf(e, sizeof e, "%.*e", shortest_digits(v) - 1, fabs(v));
    const char *exponent = strchr(e, 'e') + 1;
    for (const char *c = e; *c != 'e'; c++) {
        if (*c != '.')
            digits[count++] = *c;
    }
    while (count > 1 && digits[count - 1] == '0')
        count--;
    int point = (int)strtol(exponent, NULL, 10) + 1;
    place_point(buf, n, v < 0 ? "-" : "", (struct str){ digits, count }, point);
    return buf;
}

char *unit_utc(char *buf, size_t n, int64_t unix_ns, int digits)
{
    int64_t s = unix_ns / NS_PER_S, ns = unix_ns % NS_PER_S;
    struct tm tm;
    char date[32], fraction[12];

    if (ns < 0) {
        ns += NS_PER_S;
        s--;
    }
    time_t t = (time_t)s;
    if (t != s || !gmtime_r(&t, &tm) || !strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm)) {
        snprintf(buf, n, "?");
        return buf;
    }
    digits = digits < 0 ? 0 : digits > 9 ? 9 : digits;
    snprintf(fraction, sizeof fraction, "%09d", (int)ns);
    snprintf(buf, n, "%s%s%.*s", date, digits ? "." : "", digits, fraction);
    return buf;
}

static size_t skip_digits(struct str s, size_t i)
{
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
        i++;
    return i;
}

/* Length of the number s starts with; an "e" is an exponent only if digits follow. */
static size_t number_length(struct str s)
{
    size_t i = s.n && s.p[0] == '-' ? 1 : 0;

    i = skip_digits(s, i);
    if (i < s.n && s.p[i] == '.')
        i = skip_digits(s, i + 1);
    if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
        size_t from = i + 1;
        if (from < s.n && (s.p[from] == '-' || s.p[from] == '+'))
            from++;
        size_t to = skip_digits(s, from);
        if (to > from)
            i = to;
    }
    return i;
}

bool unit_parse(struct str s, double *value, char *kind)
{
    double v;

    s = str_trim(s);
    size_t n = number_length(s);
    struct str unit = str_trim(str_sub(s, n, SIZE_MAX));
    if (!str_f64(str_sub(s, 0, n), &v))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        const struct suffix *u = &suffixes[i];
        struct str text = str_of(u->text);
        if (u->exact ? str_eq(unit, text) : str_eq_nocase(unit, text)) {
            *value = v * u->factor;
            *kind = u->kind;
            return isfinite(*value);
        }
    }
    return false;
}
