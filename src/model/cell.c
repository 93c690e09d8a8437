/* One row per unit of a column: how its numbers become text. */
#include "config.h"

#include "model/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_UNIT_W 4 /* " GiB": with the blank before it */

/* "140 us" cut at the last blank. */
static void split(struct cell_text *out)
{
    char *blank = strrchr(out->number, ' ');

    if (!blank)
        return;
    snprintf(out->unit, sizeof out->unit, "%s", blank + 1);
    *blank = '\0';
}

static void plain_number(struct cell_text *out, const struct view_col *c, const struct val *v)
{
    if (v->t == VAL_INT)
        snprintf(out->number, sizeof out->number, "%" PRId64, v->i);
    else if (v->t == VAL_UINT)
        snprintf(out->number, sizeof out->number, "%" PRIu64, v->u);
    else if (c->unit == VU_NONE && fabs(v->r) < 1e9 && fabs(v->r) >= 0.01)
        snprintf(out->number, sizeof out->number, "%.*f", fabs(v->r) < 100 ? 3 : 1, v->r);
    else
        unit_plain(out->number, sizeof out->number, v->r);
}

/* Instants keep three decimals: a table of them is read downwards. */
static void instant(struct cell_text *out, double ns, enum time_unit t)
{
    static const struct {
        double div;
        int decimals;
    } as[] = { [TIME_AUTO] = { 1e6, 3 },
               [TIME_S] = { 1e9, 6 },
               [TIME_MS] = { 1e6, 3 },
               [TIME_US] = { 1e3, 3 },
               [TIME_NS] = { 1, 0 } };

    snprintf(out->number, sizeof out->number, "%.*f", as[t].decimals, ns / as[t].div);
    snprintf(out->unit, sizeof out->unit, "%s", unit_time_name(t == TIME_AUTO ? TIME_MS : t));
}

static void percent(struct cell_text *out, const struct view_col *c, double share)
{
    unit_percent(out->number, sizeof out->number, share);
    size_t n = strlen(out->number);
    /* A head that says % needs no sign in every cell. */
    if (n && out->number[n - 1] == '%' && strchr(c->title, '%'))
        out->number[n - 1] = '\0';
}

/* long: switch */
static void format_number(struct cell_text *out, const struct view_col *c, const struct val *v,
                          const struct cell_units *u)
{
    double x = val_num(v);
    char *b = out->number;
    size_t n = sizeof out->number;

    switch (c->unit) {
    case VU_NONE:
        plain_number(out, c, v);
        return;
    case VU_NS:
        unit_time(b, n, x, u->time);
        split(out);
        return;
    case VU_TS:
        instant(out, x, u->time);
        return;
    case VU_BYTES:
        unit_size(b, n, x, u->size);
        split(out);
        return;
    case VU_COUNT:
        unit_count(b, n, x, u->sep ? u->sep : "");
        return;
    case VU_PCT:
        percent(out, c, x / 100);
        return;
    case VU_RATIO:
        snprintf(b, n, "%.2f", x);
        return;
    case VU_FLOPS:
        unit_flops(b, n, x);
        split(out);
        return;
    case VU_MFLOPS:
        if (strstr(c->title, "FLOPs")) { /* the head names the unit */
            unit_count(b, n, x < 1000 ? x : (double)(int64_t)(x + 0.5), u->sep ? u->sep : "");
            return;
        }
        unit_flops(b, n, x * 1e6);
        split(out);
        return;
    case VU_FLOPS_S:
        unit_flops_rate(b, n, x);
        split(out);
        return;
    case VU_TFLOPS_S:
        if (strstr(c->title, "FLOPS")) {
            snprintf(b, n, "%.*f", x < 10 ? 2 : 1, x);
            return;
        }
        unit_flops_rate(b, n, x * 1e12);
        split(out);
        return;
    case VU_BYTES_S:
        unit_rate(b, n, x);
        split(out);
        return;
    case VU_MHZ:
        snprintf(b, n, "%.0f", x);
        snprintf(out->unit, sizeof out->unit, "MHz");
        return;
    }
}

void cell_format(struct cell_text *out, const struct view_col *c, const struct val *v,
                 const struct cell_units *u)
{
    out->number[0] = out->unit[0] = '\0';
    out->text = STR("");
    if (v->t == VAL_NULL)
        return;
    if (v->t == VAL_TEXT) {
        out->text = v->s;
        return;
    }
    format_number(out, c, v, u);
    out->text = str_of(out->number);
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
    static const char *const units[] = {
        [VU_NS] = " ns",         [VU_TS] = " ns",           [VU_BYTES] = " B",
        [VU_PCT] = "%",          [VU_FLOPS] = " FLOPs",     [VU_FLOPS_S] = " FLOPS",
        [VU_MFLOPS] = " MFLOPs", [VU_TFLOPS_S] = " TFLOPS", [VU_BYTES_S] = " B/s",
        [VU_MHZ] = " MHz"
    };
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
    const char *unit = (size_t)c->unit < ARRAY_LEN(units) ? units[c->unit] : NULL;
    snprintf(buf, n, "%s%s", num, unit ? unit : "");
    return buf;
}

struct cell_units cell_column_units(const struct view_col *c, double min, double max,
                                    const struct cell_units *forced)
{
    struct cell_units u = *forced;

    if (c->unit == VU_NS && u.time == TIME_AUTO)
        u.time = unit_time_column(fabs(min), fabs(max));
    return u;
}

int cell_unit_width(const struct view_col *c)
{
    switch (c->unit) {
    case VU_NS:
    case VU_TS:
        return 3;
    case VU_BYTES:
    case VU_MHZ:
        return MAX_UNIT_W;
    case VU_MFLOPS:
    case VU_TFLOPS_S:
        return strstr(c->title, "FLOP") ? 0 : 7;
    case VU_FLOPS:
    case VU_FLOPS_S:
        return 7;
    case VU_BYTES_S:
        return 5;
    default:
        return 0;
    }
}

bool cell_is_right(const struct view_col *c)
{
    return c->type != VT_TEXT && !(c->flags & VC_LEFT);
}
