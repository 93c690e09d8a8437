/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks and numbers as msprof's files have them (doc/formats/prof.md#clocks, #time-texts,
 * doc/formats/msprof.md#output-files): the Python half computes with doubles in a fixed order, so that every
 * digit can be reproduced. Pure.
 */
#ifndef NPUSCOPE_MSPROF_CLOCK_H
#define NPUSCOPE_MSPROF_CLOCK_H

#include "emit/decimal.h"
#include "emit/emit.h"
#include "parsers/prof/prof.h"

/* Python's clock of one folder (doc/formats/prof.md#clocks). */
struct msprof_clock {
    double mon, host_counter, device_counter; /* 1e-9 of the values */
    double hz, hw;  /* of the host's and the device's counter, Hz; hz 0: the host counts ns */
    double off;     /* us since 1970 of the monotonic zero: a multiple of 0.25 */
    int64_t off_ns; /* the same, exact */
    /* local_us(x), local_ns(x) take that, unlike msprof's (doc/formats/prof-quirks.md#output-quirks) */
    bool exact;
    double device_mono; /* ns */
};
/* Python's correction of the host's monotonic clock is 1 ns more than that of C++. */
bool msprof_rounds_up(const struct prof_folder *f);
/*
 * A stamp of the host's counter where msprof converts also one of 1000 MHz (doc/formats/prof-quirks.md#time).
 * fast: the counter has that, and is taken for ns elsewhere. Local ns, as prof_host_ns().
 */
int64_t msprof_counted_ns(const struct prof_folder *f, uint64_t stamp, bool fast);
struct msprof_clock msprof_clock_of(const struct prof_folder *f);
/* dev(cnt, fmt); fmt 1e9: ns, 1e6: us, 1e3: ms. */
double msprof_dev(const struct msprof_clock *c, uint64_t counter, double fmt);
/* The same of a moment between counters. */
double msprof_dev_between(const struct msprof_clock *c, double counter, double fmt);
double msprof_host_us(const struct msprof_clock *c, uint64_t counter);
double msprof_duration_us(const struct msprof_clock *c, uint64_t counts);
/* The same, multiplied before it is divided (upstream, analysis/viewer/training/step_trace_viewer.py). */
double msprof_product_us(const struct msprof_clock *c, uint64_t counts);
double msprof_host_duration_us(const struct msprof_clock *c, uint64_t counts);
/* local_us(x), local_ns(x): ns since 1970, to be printed with emit_fixed(o, v, 3). */
int64_t msprof_local_us(const struct msprof_clock *c, double us);
int64_t msprof_local_ns(const struct msprof_clock *c, double ns);
/* sample_ns(u) of the Python half. */
int64_t msprof_sample_ns(const struct msprof_clock *c, uint64_t us);
/*
 * local_us() of a sample's time, which goes through a whole number of ns (upstream,
 * analysis/common_func/info_conf_reader.py, get_host_time_by_sampling_timestamp).
 */
int64_t msprof_sample_local_ns(const struct msprof_clock *c, uint64_t us);
/*
 * The text that sample_ns(u) is printed as, in ns: the shortest text of its double (upstream, the same file,
 * format_absolute_ns_to_us).
 */
int64_t msprof_absolute_ns(const struct msprof_clock *c, int64_t ns);
/* local_us() of the device's monotonic ns (upstream, analysis/viewer/get_trace_timeline.py). */
int64_t msprof_sample_mono_local_ns(const struct msprof_clock *c, uint64_t ns);

/* A decimal as thousandths, half to even; 0 when they do not fit. */
int64_t msprof_thousandths(struct decimal d);
/* The nearest whole number, half to even; 0 when it does not fit or is not a number. */
int64_t msprof_whole(long double v);
/* SQLite's ROUND(x, n) (doc/formats/msprof.md#output-files), n up to 15. */
double msprof_sql_round(double x, int n);
/* A double from a column of SQLite that keeps whole numbers as integers: its shortest text, `17` for 17.0. */
void msprof_put_column(struct emit *o, double v);
/* Shortest text of ROUND(x, 3), and of Python's round(x, 3), with at least one decimal: "0.0", "12.5". */
void msprof_put_sql3(struct emit *o, double x);
void msprof_put_round3(struct emit *o, double x);
/* trim3: "%.3f" without trailing zeros and without a bare point: "97.13", "0". */
void msprof_put_trim3(struct emit *o, double v);
/* ns with the decimal point of us (doc/formats/prof.md#time-texts), then a TAB if asked for. */
void msprof_put_ns(struct emit *o, int64_t ns, bool tab);

#endif
