/* SPDX-License-Identifier: Apache-2.0 */
/* Python's clock, and number texts. */
#include "config.h"

#include "msprof/clock.h"

#include <math.h>
#include <stdio.h>

/* Python rounds the correction, half to even, where C++ drops its fraction (doc/formats/prof.md#clocks). */
bool msprof_rounds_up(const struct prof_folder *f)
{
    const struct prof_meta *m = &f->meta;
    uint64_t hz = m->host_hz ? m->host_hz : 1000000000;
    unsigned __int128 ns = (unsigned __int128)m->host_counter_diff * 1000000000, twice = ns % hz * 2;

    return twice > hz || (twice == hz && ns / hz % 2);
}

int64_t msprof_counted_ns(const struct prof_folder *f, uint64_t stamp, bool fast)
{
    int64_t since;

    if (!fast || __builtin_sub_overflow(stamp, f->meta.host_counter, &since) ||
        __builtin_add_overflow(since, prof_clock_h(&f->meta), &since))
        return prof_host_ns(f, stamp);
    return prof_mono_ns(f, since);
}

struct msprof_clock msprof_clock_of(const struct prof_folder *f)
{
    const struct prof_meta *m = &f->meta;

    return (struct msprof_clock){
        .mon = (double)(prof_clock_h(m) + msprof_rounds_up(f)) / 1e9,
        .host_counter = (double)m->host_counter / 1e9,
        .device_counter = (double)m->device_counter / 1e9,
        .hz = (double)m->host_hz / 1e6 * 1e6,
        .hw = (double)m->counter_hz / 1e6 * 1e6,
        .off = (double)m->begin_us - (double)m->start_mono_ns / 1000,
        .off_ns = prof_mono_ns(f, 0),
        .device_mono = (double)m->device_mono_ns,
    };
}

double msprof_dev(const struct msprof_clock *c, uint64_t counter, double fmt)
{
    return msprof_dev_between(c, (double)counter, fmt);
}

double msprof_dev_between(const struct msprof_clock *c, double counter, double fmt)
{
    double hw = c->hw > 0 ? c->hw : 1e9;

    return (counter - c->device_counter * 1e9) / hw * fmt + c->mon * fmt;
}

double msprof_host_us(const struct msprof_clock *c, uint64_t counter)
{
    if (!(c->hz > 0))
        return (double)counter * 1e6 / 1e9;
    return ((double)counter - c->host_counter * 1e9) / c->hz * 1e6 + c->mon * 1e6;
}

double msprof_duration_us(const struct msprof_clock *c, uint64_t counts)
{
    return (double)counts / (c->hw > 0 ? c->hw : 1e9) * 1e6;
}

double msprof_product_us(const struct msprof_clock *c, uint64_t counts)
{
    return (double)counts * 1e6 / (c->hw > 0 ? c->hw : 1e9);
}

double msprof_host_duration_us(const struct msprof_clock *c, uint64_t counts)
{
    return c->hz > 0 ? (double)counts / c->hz * 1e6 : (double)counts * 1e6 / 1e9;
}

int64_t msprof_thousandths(struct decimal d)
{
    int shift = d.exp + 3;
    __int128 v = d.c, p = 1;

    if (shift >= 0) {
        for (; shift > 0; shift--)
            if (__builtin_mul_overflow(v, (__int128)10, &v))
                return 0;
    } else if (shift < -37) {
        return 0;
    } else {
        for (; shift < 0; shift++)
            p *= 10;
        __int128 q = v / p, rest = v % p, twice = 2 * (rest < 0 ? -rest : rest);
        v = q + (twice > p || (twice == p && q % 2) ? (v < 0 ? -1 : 1) : 0);
    }
    return v > INT64_MAX || v < INT64_MIN ? 0 : (int64_t)v;
}

int64_t msprof_whole(long double v)
{
    return fabsl(v) < 9e18L ? (int64_t)rintl(v) : 0;
}

static struct decimal off_of(const struct msprof_clock *c)
{
    return c->exact ? (struct decimal){ c->off_ns, -3 } : decimal_of(c->off);
}

int64_t msprof_local_us(const struct msprof_clock *c, double us)
{
    return msprof_thousandths(decimal_add(decimal_of(us), off_of(c)));
}

int64_t msprof_local_ns(const struct msprof_clock *c, double ns)
{
    struct decimal d = decimal_of(ns);

    d.exp -= 3;
    return msprof_thousandths(decimal_add(d, off_of(c)));
}

int64_t msprof_sample_ns(const struct msprof_clock *c, uint64_t us)
{
    double v = (double)us * 1000 + c->device_mono + (c->mon - c->device_mono / 1e9) * 1e9 + c->off * 1000;

    return v > -9e18 && v < 9e18 ? (int64_t)v : 0;
}

int64_t msprof_absolute_ns(const struct msprof_clock *c, int64_t ns)
{
    struct decimal d = decimal_of((double)ns);

    d.exp -= 3;
    return c->exact ? ns : msprof_thousandths(d);
}

/* ns: on the device's monotonic clock. */
static int64_t mono_local(const struct msprof_clock *c, double ns)
{
    double v = ns + (c->mon - c->device_mono / 1e9) * 1e9;

    return v > -9e18 && v < 9e18 ? msprof_local_us(c, trunc(v) / 1000) : 0;
}

int64_t msprof_sample_local_ns(const struct msprof_clock *c, uint64_t us)
{
    return mono_local(c, (double)us * 1000 + c->device_mono);
}

int64_t msprof_sample_mono_local_ns(const struct msprof_clock *c, uint64_t ns)
{
    return mono_local(c, (double)ns);
}

/* ---- numbers ---- */

double msprof_sql_round(double x, int n)
{
    long double p = 1;
    char t[64];

    if (!isfinite(x) || fabs(x) > 1e15)
        return x;
    for (int i = 0; i < n; i++)
        p *= 10;
    long double v = fabsl((long double)x) * (1 + 3e-16L);
    v = floorl(v * p + 0.5L);
    /* the nearest double of the decimal text, as SQLite reads it back */
    snprintf(t, sizeof t, "%s%.0Lfe-%d", x < 0 ? "-" : "", v, n);
    double out = 0;
    return str_f64(str_of(t), &out) ? out : x;
}

/* Thousandths whose nearest double has them as its shortest text: up to 15 digits. */
#define SHORT_THOUSANDTHS 1e15L

void msprof_put_column(struct emit *o, double v)
{
    if (v == trunc(v) && fabs(v) < 1e15)
        emit_i(o, (int64_t)v);
    else
        emit_repr(o, v);
}

void msprof_put_sql3(struct emit *o, double x)
{
    long double v = floorl(fabsl((long double)x) * (1 + 3e-16L) * 1000 + 0.5L);

    if (v < SHORT_THOUSANDTHS)
        emit_trim(o, (int64_t)(x < 0 ? -v : v), 3, 1);
    else
        emit_repr(o, msprof_sql_round(x, 3));
}

void msprof_put_round3(struct emit *o, double x)
{
    long double v = rintl((long double)x * 1000);

    if (fabsl(v) < SHORT_THOUSANDTHS)
        emit_trim(o, (int64_t)v, 3, 1);
    else
        emit_repr(o, emit_round(x, 3));
}

void msprof_put_trim3(struct emit *o, double v)
{
    int64_t m = (int64_t)0;
    char t[64];

    if (!isfinite(v) || fabs(v) > 1e15) {
        emit_repr(o, v);
        return;
    }
    int n = snprintf(t, sizeof t, "%.3f", v);
    struct str digits = { t, (size_t)n };
    (void)!str_scaled(digits, 1000, &m, NULL);
    emit_trim(o, m, 3, 0);
}

void msprof_put_ns(struct emit *o, int64_t ns, bool tab)
{
    emit_fixed(o, ns, 3);
    if (tab)
        emit_c(o, '\t');
}
