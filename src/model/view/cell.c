/* SPDX-License-Identifier: Apache-2.0 */
/* One row per unit of a column: how its numbers become text. */
#include "config.h"

#include "model/view/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/said.h"
#include "base/lang/tr.h"

/* Split "140 us" at the last blank. */
static void split(struct cell_text *out)
{
    char *blank = strrchr(out->number, ' ');

    if (!blank)
        return;
    snprintf(out->unit, sizeof out->unit, "%s", blank + 1);
    *blank = '\0';
}

/* ---- one formatter per unit ---- */

typedef void format_fn(struct cell_text *out, const struct view_col *c, const struct val *v,
                       const struct cell_units *u);

static void format_plain(struct cell_text *out, const struct view_col *c, const struct val *v,
                         const struct cell_units *u)
{
    (void)c;
    if (v->t == VAL_INT)
        snprintf(out->number, sizeof out->number, "%" PRId64, v->i);
    else if (v->t == VAL_UINT)
        snprintf(out->number, sizeof out->number, "%" PRIu64, v->u);
    else if (fabs(v->r) >= 100 && fabs(v->r) < 1e15 && (fabs(v->r) >= 1e5 || v->r == round(v->r)))
        unit_count(out->number, sizeof out->number, round(v->r), u->sep ? u->sep : "");
    else if (fabs(v->r) < 1e5 && fabs(v->r) >= 0.01)
        snprintf(out->number, sizeof out->number, "%.*f", fabs(v->r) < 100 ? 3 : 1, v->r);
    else
        unit_plain(out->number, sizeof out->number, v->r);
}

static void format_time(struct cell_text *out, const struct view_col *c, const struct val *v,
                        const struct cell_units *u)
{
    (void)c;
    unit_time(out->number, sizeof out->number, val_num(v), u->time);
    split(out);
}

/* Instants keep three decimals, so that they can be compared down a column. */
static void format_instant(struct cell_text *out, const struct view_col *c, const struct val *v,
                           const struct cell_units *u)
{
    static const struct {
        double div;
        int decimals;
    } as[] = { [TIME_AUTO] = { 1e6, 3 },
               [TIME_S] = { 1e9, 6 },
               [TIME_MS] = { 1e6, 3 },
               [TIME_US] = { 1e3, 3 },
               [TIME_NS] = { 1, 0 } };
    enum time_unit t = u->time;

    (void)c;
    snprintf(out->number, sizeof out->number, "%.*f", as[t].decimals, val_num(v) / as[t].div);
    snprintf(out->unit, sizeof out->unit, "%s", unit_time_name(t == TIME_AUTO ? TIME_MS : t));
}

static void format_size(struct cell_text *out, const struct view_col *c, const struct val *v,
                        const struct cell_units *u)
{
    (void)c;
    unit_size(out->number, sizeof out->number, val_num(v), u->size);
    split(out);
}

static void format_count(struct cell_text *out, const struct view_col *c, const struct val *v,
                         const struct cell_units *u)
{
    (void)c;
    unit_count(out->number, sizeof out->number, val_num(v), u->sep ? u->sep : "");
}

static void format_percent(struct cell_text *out, const struct view_col *c, const struct val *v,
                           const struct cell_units *u)
{
    (void)u;
    unit_percent(out->number, sizeof out->number, val_num(v) / 100);
    size_t n = strlen(out->number);
    /* with % in the head the cells need no sign */
    if (n && out->number[n - 1] == '%' && strchr(c->title, '%'))
        out->number[n - 1] = '\0';
}

static void format_ratio(struct cell_text *out, const struct view_col *c, const struct val *v,
                         const struct cell_units *u)
{
    (void)c;
    (void)u;
    snprintf(out->number, sizeof out->number, "%.2f", val_num(v));
}

static void format_flops(struct cell_text *out, const struct view_col *c, const struct val *v,
                         const struct cell_units *u)
{
    (void)c;
    (void)u;
    unit_flops(out->number, sizeof out->number, val_num(v));
    split(out);
}

/* Two decimals below 10, then one; what is not zero never looks so. */
static void format_decimal(struct cell_text *out, double x)
{
    if (x > 0 && x < 0.005)
        snprintf(out->number, sizeof out->number, "<0.01");
    else
        snprintf(out->number, sizeof out->number, "%.*f", x > 0 && x < 9.995 ? 2 : x > 0, x);
}

static void format_mflops(struct cell_text *out, const struct view_col *c, const struct val *v,
                          const struct cell_units *u)
{
    double x = val_num(v);

    if (u->giga) {
        format_decimal(out, x / 1e3);
        return;
    }
    if (strstr(c->title, "FLOPs")) { /* the head names the unit */
        unit_count(out->number, sizeof out->number, x < 1000 ? x : round(x), u->sep ? u->sep : "");
        return;
    }
    unit_flops(out->number, sizeof out->number, x * 1e6);
    split(out);
}

static void format_flops_rate(struct cell_text *out, const struct view_col *c, const struct val *v,
                              const struct cell_units *u)
{
    (void)c;
    (void)u;
    unit_flops_rate(out->number, sizeof out->number, val_num(v));
    split(out);
}

static void format_tflops_rate(struct cell_text *out, const struct view_col *c, const struct val *v,
                               const struct cell_units *u)
{
    double x = val_num(v);

    (void)u;
    if (strstr(c->title, "FLOPS")) {
        format_decimal(out, x);
        return;
    }
    unit_flops_rate(out->number, sizeof out->number, x * 1e12);
    split(out);
}

static void format_bandwidth(struct cell_text *out, const struct view_col *c, const struct val *v,
                             const struct cell_units *u)
{
    (void)c;
    (void)u;
    unit_rate(out->number, sizeof out->number, val_num(v));
    split(out);
}

static void format_clock(struct cell_text *out, const struct view_col *c, const struct val *v,
                         const struct cell_units *u)
{
    (void)c;
    (void)u;
    snprintf(out->number, sizeof out->number, "%.0f", val_num(v));
    snprintf(out->unit, sizeof out->unit, "MHz");
}

/* clang-format off */
static const struct unit_row {
    format_fn *format;
    const char *exact; /* after the exact value: the unit of the column's id */
    int unit_w;        /* cells of the widest unit with the blank before it */
    bool in_head;      /* the head may name the unit; then cells do not */
} units[] = {
    [VU_NONE]     = { format_plain,       "",        0, false },
    [VU_NS]       = { format_time,        " ns",     3, false },
    [VU_TS]       = { format_instant,     " ns",     3, false },
    [VU_BYTES]    = { format_size,        " B",      4, false },
    [VU_COUNT]    = { format_count,       "",        0, false },
    [VU_PCT]      = { format_percent,     "%",       0, false },
    [VU_RATIO]    = { format_ratio,       "",        0, false },
    [VU_FLOPS]    = { format_flops,       " FLOPs",  7, false },
    [VU_FLOPS_S]  = { format_flops_rate,  " FLOPS",  7, false },
    [VU_MFLOPS]   = { format_mflops,      " MFLOPs", 7, true },
    [VU_TFLOPS_S] = { format_tflops_rate, " TFLOPS", 7, true },
    [VU_BYTES_S]  = { format_bandwidth,   " B/s",    5, false },
    [VU_MHZ]      = { format_clock,       " MHz",    4, false },
};
/* clang-format on */

static struct str said(struct cell_text *out, struct str text)
{
    char english[sizeof out->said];

    if (text.n >= sizeof english)
        return text;
    return tr_sentence(str_copy(text, english, sizeof english), out->said, sizeof out->said) == out->said
               ? str_of(out->said)
               : text;
}

#define GIGA_FROM 1e3 /* MFLOPs: as a number alone is said, and so the same in all tables of a screen */

bool cell_is_giga(const struct view_col *c, double most)
{
    return c->unit == VU_MFLOPS && !strcmp(c->title, "MFLOPs") && most >= GIGA_FROM;
}

const char *cell_title(const struct view_col *c, const struct cell_units *u)
{
    return u->giga ? "GFLOPs" : view_col_title(c);
}

void cell_format(struct cell_text *out, const struct view_col *c, const struct val *v,
                 const struct cell_units *u)
{
    out->number[0] = out->unit[0] = '\0';
    out->text = STR("");
    if (v->t == VAL_NULL)
        return;
    if (v->t == VAL_TEXT) {
        out->text = c->flags & VC_SAID ? said(out, v->s) : v->s;
        return;
    }
    units[c->unit].format(out, c, v, u);
    out->text = str_of(out->number);
}

bool cell_is_unsure(const struct view_col *c, struct str damage)
{
    bool length = !strcmp(c->id, "dur_ns") || !strcmp(c->id, "total_ns");
    bool figures = str_find(damage, STR("figures"), 0) != SIZE_MAX;

    if (c->flags & VC_MARK)
        return false;
    switch (c->unit) {
    case VU_TS:
        return str_find(damage, STR("time"), 0) != SIZE_MAX;
    case VU_NS:
        return str_find(damage, STR("duration"), 0) != SIZE_MAX || (figures && !length);
    case VU_BYTES:
        return figures;
    default:
        return false;
    }
}

void cell_mark(struct cell_text *t, const struct view_col *c, struct str damage)
{
    size_t n = strlen(t->number);

    if (!damage.n || !n || n + 1 >= sizeof t->number || !cell_is_unsure(c, damage))
        return;
    memmove(t->number + 1, t->number, n + 1);
    t->number[0] = '~';
    t->text = str_of(t->number);
}

char *cell_string(char *buf, size_t n, const struct view_col *c, const struct val *v,
                  const struct cell_units *u)
{
    struct cell_text t;

    cell_format(&t, c, v, u);
    if (t.unit[0])
        snprintf(buf, n, "%s %s", t.number, t.unit);
    else
        str_copy(t.text, buf, n);
    return buf;
}

char *cell_exact(char *buf, size_t n, const struct view_col *c, const struct val *v)
{
    char num[64];

    if (v->t == VAL_NULL)
        return str_copy(STR(""), buf, n);
    if (v->t == VAL_TEXT)
        return str_copy(v->s, buf, n);
    if (v->t == VAL_INT)
        snprintf(num, sizeof num, "%" PRId64, v->i);
    else if (v->t == VAL_UINT)
        snprintf(num, sizeof num, "%" PRIu64, v->u);
    else if ((c->unit == VU_NS || c->unit == VU_BYTES) && fabs(v->r) < 1e15)
        snprintf(num, sizeof num, "%.*f", v->r == (double)(int64_t)v->r ? 0 : 1, v->r);
    else
        unit_plain(num, sizeof num, v->r);
    snprintf(buf, n, "%s%s", num, units[c->unit].exact);
    return buf;
}

bool cell_is_exact(const struct view_col *c, const struct val *v)
{
    if (c->unit != VU_NS && c->unit != VU_TS && c->unit != VU_BYTES)
        return false;
    return v->t == VAL_INT || v->t == VAL_UINT ||
           (v->t == VAL_REAL && fabs(v->r) < 0x1p53 && v->r == (double)(int64_t)v->r);
}

struct cell_units cell_column_units(const struct view_col *c, double min, double max,
                                    const struct cell_units *forced)
{
    struct cell_units u = *forced;

    if (c->unit == VU_NS && u.time == TIME_AUTO)
        u.time = unit_time_cells(fabs(min), fabs(max));
    return u;
}

int cell_unit_width(const struct view_col *c)
{
    const struct unit_row *u = &units[c->unit];

    return u->in_head && strstr(c->title, "FLOP") ? 0 : u->unit_w;
}

bool cell_is_right(const struct view_col *c)
{
    return c->type != VT_TEXT && !(c->flags & VC_LEFT);
}
