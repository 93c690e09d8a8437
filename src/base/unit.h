/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers to text for people (doc/screens.md#numbers). Exports never use this: they print plain numbers.
 * All write into buf (terminated) and return it. The unit suffix is separated by one blank ("140 us").
 */
#ifndef NPUSCOPE_UNIT_H
#define NPUSCOPE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum time_unit { TIME_AUTO, TIME_S, TIME_MS, TIME_US, TIME_NS };
enum size_unit { SIZE_AUTO, SIZE_GIB, SIZE_MIB, SIZE_KIB, SIZE_B };

/* The unit doc/screens.md#numbers chooses for one value. */
enum time_unit unit_time_for(double ns);
/*
 * One unit for a column, of which these are the smallest and the largest absolute value that is not zero: the
 * largest unit that leaves two figures of the smallest value, as long as the largest has at most four digits
 * before the point; smaller ones are "<0.01 ms" then. TIME_AUTO: there is no such value.
 */
enum time_unit unit_time_column(double min_ns, double max_ns);
/*
 * The same where each value may have its own: TIME_AUTO as well when in that unit the smallest has less than
 * two significant figures, or less than three and is less than a thousandth of the largest.
 */
enum time_unit unit_time_cells(double min_ns, double max_ns);
const char *unit_time_name(enum time_unit u);
/* Whether a word is that of a unit, as in "5 ms," or "7.1 GB/s": a mark of a sentence may follow it. */
bool unit_is_name(struct str word);
enum size_unit unit_size_for(double bytes);
const char *unit_size_name(enum size_unit u);

/*
 * Duration as the screens of doc/screens.md show it: s two decimals below 10 s, then four significant
 * figures; ms two decimals ("58.91 ms"); us three significant figures ("231 us", "40.8 us", "1.03 us"); ns
 * whole. Negative printed as such. A measured zero is "0 ms"; what is not zero but would look so is "<0.01
 * ms". Here and below a value that is not finite is "?".
 */
char *unit_time(char *buf, size_t n, double ns, enum time_unit u);
/* Number only, without the unit name: for columns that share a unit. */
char *unit_time_number(char *buf, size_t n, double ns, enum time_unit u);
/*
 * Duration of a whole run: "3 min 41 s"; "94 s" below two minutes, "3.81 s" below ten seconds, "0.96 s" below
 * one; less than half a second as unit_time().
 */
char *unit_long_time(char *buf, size_t n, double ns);
/*
 * An estimate of time left, rounded up: "1 s", "45 s", "2 min", "1 h 20 min", "2 d". Nothing or less is "1
 * s".
 */
char *unit_rough_time(char *buf, size_t n, double ns);
/* One decimal above 1 KiB. */
char *unit_size(char *buf, size_t n, double bytes, enum size_unit u);
/*
 * The value of a counter in the profilers' unit: KB, MB and GB, which hold 1024 each there, as a size; else
 * the number and the unit.
 */
char *unit_level(char *buf, size_t n, double value, struct str unit);
/* share 0..1 as percent: one decimal, "100%", "<0.1%" for something above zero. */
char *unit_percent(char *buf, size_t n, double share);
#define UNIT_THIN_SPACE "\xE2\x80\x89" /* between thousands where it can be shown */
/* Count with thousands separators (sep "" for none). A mean of counts has one decimal below 1000. */
char *unit_count(char *buf, size_t n, double count, const char *sep);
/* 7.40 GFLOPs; rate: 32.0 TFLOPS, 262.1 TFLOPS: two decimals below 10, then one. */
char *unit_flops(char *buf, size_t n, double flops);
char *unit_flops_rate(char *buf, size_t n, double flops_per_s);
char *unit_rate(char *buf, size_t n, double bytes_per_s); /* GB/s, decimal */
/*
 * Plain shortest number that reads back equal (exports); an exponent only where more than 32 digits would be
 * needed. n: 48 is enough.
 */
char *unit_plain(char *buf, size_t n, double v);
/* UTC time "2026-03-14 09:12:07.123456" from Unix ns; digits of the fraction 0..9. */
char *unit_utc(char *buf, size_t n, int64_t unix_ns, int digits);

/*
 * "100us", "1.5 ms", "2s", "1MiB", "10%", "3k": value in base units (ns, bytes, share*100 for %, plain).
 * *kind: 't' time, 's' size, '%', 'n'. Also min and h, TiB, KB MB GB TB (decimal), M G T; letters in any
 * case, but M is only a million. false: not such a number.
 */
bool unit_parse(struct str s, double *value, char *kind);

#endif
