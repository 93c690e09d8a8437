/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instants of counters (doc/formats/prof.md#clocks), in whole numbers: fractions of a ns are dropped at the
 * end.
 */
#include "config.h"

#include "parsers/prof/prof.h"

#define NS_PER_S  1000000000
#define HALF_HOUR ((int64_t)1800 * NS_PER_S)

/* Instants stay within this, so that the difference of any two fits. */
#define FAR ((int64_t)1 << 62)

static int64_t narrow(__int128 v)
{
    return v >= FAR ? FAR - 1 : v < -FAR ? -FAR : (int64_t)v;
}

/* floor(d / hz) in ns. Counters of this run, which is nearly all, need no long division. */
static __int128 to_ns(__int128 d, uint64_t hz)
{
    if (d >= 0 && d <= UINT64_MAX && hz <= UINT64_MAX / NS_PER_S) {
        uint64_t c = (uint64_t)d;
        return (__int128)(c / hz) * NS_PER_S + c % hz * NS_PER_S / hz;
    }
    __int128 n = d * NS_PER_S, q = n / hz;

    return n % hz < 0 ? q - 1 : q;
}

/* Without a frequency the counter is ns. */
int64_t prof_clock_h(const struct prof_meta *m)
{
    return narrow(m->host_mono_ns + to_ns(m->host_counter_diff, m->host_hz ? m->host_hz : NS_PER_S));
}

int64_t prof_mono_ns(const struct prof_folder *f, int64_t mono_ns)
{
    return narrow((__int128)mono_ns + (__int128)f->meta.begin_us * 1000 - f->meta.start_mono_ns);
}

int64_t prof_device_ns(const struct prof_folder *f, uint64_t counter)
{
    const struct prof_meta *m = &f->meta;
    __int128 d = (__int128)counter - m->device_counter;

    return prof_mono_ns(f, narrow(to_ns(d, m->counter_hz ? m->counter_hz : NS_PER_S) + prof_clock_h(m)));
}

int64_t prof_host_ns(const struct prof_folder *f, uint64_t counter)
{
    const struct prof_meta *m = &f->meta;

    if (!m->host_hz)
        return prof_mono_ns(f, narrow(counter));
    return prof_mono_ns(f, narrow(to_ns((__int128)counter - m->host_counter, m->host_hz) + prof_clock_h(m)));
}

int64_t prof_sample_us_ns(const struct prof_folder *f, uint64_t us)
{
    return prof_mono_ns(f, narrow((__int128)us * 1000 + prof_clock_h(&f->meta)));
}

int64_t prof_sample_mono_ns(const struct prof_folder *f, uint64_t ns)
{
    return prof_mono_ns(f, narrow((__int128)ns + prof_clock_h(&f->meta) - f->meta.device_mono_ns));
}

int64_t prof_begin_ns(const struct prof_folder *f)
{
    return narrow((__int128)f->meta.begin_us * 1000);
}

int64_t prof_end_ns(const struct prof_folder *f)
{
    return f->meta.has_end ? narrow((__int128)f->meta.end_us * 1000)
                           : narrow((__int128)prof_begin_ns(f) + HALF_HOUR);
}
