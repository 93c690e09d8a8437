/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charts: pure drawing of numbers into a rectangle. Curves are braille dots in UTF-8 and `*` and
 * `|` in ASCII; amounts are filled below the line. NAN means "no value here". Nothing is kept.
 */
#ifndef NPUSCOPE_UI_WIDGET_CHART_H
#define NPUSCOPE_UI_WIDGET_CHART_H

#include "ui/widget/draw.h"

/* Make the text of a value for an axis or a label. */
typedef char *chart_format_fn(char *buf, size_t n, double value);

struct chart_series {
    const double *v;       /* one value per bucket, mean or last */
    const double *lo, *hi; /* range inside the bucket, NULL: none */
    enum role role;
    int fill;    /* -1: line; 0..3: area with this fill (ASCII: # = . :) */
    bool ground; /* of a line: dots below it, as of a level that others do not reach */
};

struct chart {
    const struct chart_series *series; /* drawn in this order, later ones on top */
    size_t n_series;
    size_t n;                  /* values of each series */
    double y_min, y_max;       /* scale; equal: from the values (areas from 0) */
    chart_format_fn *y_format; /* NULL: plain */
    bool y_start;              /* say at the x axis where the scale begins */
    bool y_bytes;              /* round values are multiples of powers of two */
    double x_first, x_last;    /* what the first and last bucket stand for */
    bool x_time;               /* they are times in ns; else whole numbers */
    const char *x_title;       /* left of the x labels, NULL none */
    size_t cursor;             /* bucket with a line and a mark on the axis, SIZE_MAX: none */
};

/*
 * Draw a plot with y labels on the left and an x axis below; nothing when the area is too small. Values
 * beyond the scale are marked at its edge. Returns the columns of the plot, *x0 is the first.
 */
int chart_draw(struct canvas *c, struct rect a, const struct chart *k, int *x0);
/* Number of buckets that fill the plot of an area: ask the model for so many. */
size_t chart_buckets(const struct canvas *c, struct rect a);

struct chart_bin {
    double from, to;
    double count;
    enum role role;
};
/* From, bar, count of each bin, in as many rows as there is room for. Returns the rows used. */
int chart_histogram(struct canvas *c, struct rect a, const struct chart_bin *bins, size_t n,
                    chart_format_fn *format);
/*
 * Equal bins over the values; the last takes everything above *cap when that is finite. Returns the bins
 * used.
 */
size_t chart_bins(const double *v, size_t n, double cap, struct chart_bin *bins, size_t max);

struct chart_part {
    double value;
    enum role role;
    int fill; /* 0..3 */
};
/*
 * Parts (8 at most) side by side on one row of w cells that stand for max; what cells are left over have the
 * parts that are largest beside their whole cells. A bar longer than that ends in '>'. Returns the cells
 * used.
 */
int chart_stacked(struct canvas *c, int y, int x, int w, const struct chart_part *p, size_t n, double max);
/* One column per value: a height, in one row of ASCII a digit 0..9. NAN: nothing. */
void chart_heights(struct canvas *c, struct rect a, const double *v, size_t n, double max, enum role r);
/* Scale of a bar column: "0%" at the left edge, text at the right edge of w cells. */
void chart_scale(struct canvas *c, int y, int x, int w, enum role r, const char *left, const char *right);

#endif
