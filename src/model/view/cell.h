/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A value of a view's column as text for people: number and unit apart, so that a screen can dim
 * the unit and a column can share one. Exports never use this: they print plain numbers.
 */
#ifndef NPUSCOPE_MODEL_VIEW_CELL_H
#define NPUSCOPE_MODEL_VIEW_CELL_H

#include "base/unit.h"
#include "model/view/view.h"

/* How a column is shown; zero: every value in its own unit. */
struct cell_units {
    enum time_unit time;
    enum size_unit size;
    const char *sep; /* between thousands; NULL: none */
    bool giga;       /* MFLOPs as GFLOPs, which the head says then (cell_title()) */
};

struct cell_text {
    char number[64]; /* numbers; "" for text and NULL */
    char unit[8];    /* "" when there is none */
    struct str text; /* text values, raw bytes, borrowed from the value; else the number, or what is said */
    char said[600];  /* sentences of the program in another language (VC_SAID) */
};

/* Whether a column of MFLOPs up to this value, or the value alone, is shown as GFLOPs. */
bool cell_is_giga(const struct view_col *c, double most);
/* What the head of the column says: its title, with the unit of its cells. */
const char *cell_title(const struct view_col *c, const struct cell_units *u);
void cell_format(struct cell_text *out, const struct view_col *c, const struct val *v,
                 const struct cell_units *u);
/*
 * Whether damage may have made a number of the column untrue. damage: what the row's column of that name says
 * (doc/store.md#marks).
 */
bool cell_is_unsure(const struct view_col *c, struct str damage);
/* Put '~' before such a number. */
void cell_mark(struct cell_text *t, const struct view_col *c, struct str damage);
/* Number and unit in one text; buf is terminated. Text values are copied raw. */
char *cell_string(char *buf, size_t n, const struct view_col *c, const struct val *v,
                  const struct cell_units *u);
/* Exact value with the unit of the column's id: "231480 ns", "3145728 B"; for detail strips. */
char *cell_exact(char *buf, size_t n, const struct view_col *c, const struct val *v);
/* The value is a whole number of ns or bytes, so that cell_exact() says more than cell_string(). */
bool cell_is_exact(const struct view_col *c, const struct val *v);
/*
 * The shared unit of a column whose values lie in min..max, none where it would hide the small ones (times;
 * else zero). forced: what the user asked for.
 */
struct cell_units cell_column_units(const struct view_col *c, double min, double max,
                                    const struct cell_units *forced);
/* Most cells a number of this column takes with its unit, for layouts before values are known. */
int cell_unit_width(const struct view_col *c);
/* The value is a number on the right side of its column. */
bool cell_is_right(const struct view_col *c);

#endif
