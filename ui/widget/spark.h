/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small drawings of many numbers in few cells: a curve in one row, a bar of parts with their shares, a strip
 * of rows by columns. Pure drawing, nothing is kept; NAN means "no value here" and leaves blank cells. In
 * ASCII and without colour each value and part has a character of its own.
 */
#ifndef NPUSCOPE_UI_WIDGET_SPARK_H
#define NPUSCOPE_UI_WIDGET_SPARK_H

#include "ui/widget/draw.h"

/* Least and largest of n values; false: there are none. */
bool spark_range(const double *v, size_t n, double *lo, double *hi);

struct spark {
    const double *v;
    size_t n;
    double lo, hi; /* the scale; values that differ by little should be given a wider one */
    enum role role;
};
/*
 * One cell a value, a height from lo to hi or a digit 0..9; more values than w cells: the largest of each
 * cell's. Returns the cells used.
 */
int spark_line(struct canvas *c, int y, int x, int w, const struct spark *s);

struct spark_part {
    const char *word;
    double share; /* 0..1, NAN or 0: left out */
    enum role role;
};
#define SPARK_FILLS 5
/*
 * "compute ====== 52%  comm %%% 31%": thin bars that share what room the words leave. The fill of a part is
 * that of its place in the array, at most SPARK_FILLS. Words are left out where they leave no room for bars.
 * Every part has a cell at least; nothing is drawn where there is no room for that. Returns the cells used,
 * at most w.
 */
int spark_split(struct canvas *c, int y, int x, int w, const struct spark_part *p, size_t n);

/*
 * A strip of rows by columns (row by row in v) in a: SPARK_LEVELS levels, the first below a quarter of the
 * way from lo to hi, the last from hi on. More rows or columns than cells: the largest of each cell's.
 * Returns the rows used.
 */
struct spark_heat {
    const double *v;
    size_t rows, cols;
    double lo, hi;
    int each; /* cells of a column, where all columns have so many; 0 as 1 */
};
int spark_heat(struct canvas *c, struct rect a, const struct spark_heat *s);
#define SPARK_LEVELS 5
/* For a legend: the least value of level i, and its cell. */
double spark_heat_from(size_t i, double lo, double hi);
void spark_heat_cell(struct canvas *c, int y, int x, size_t i);
/* The first of n things that are drawn in line i of h. */
size_t spark_first(size_t n, int h, int i);

#endif
