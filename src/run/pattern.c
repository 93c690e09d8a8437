/* SPDX-License-Identifier: Apache-2.0 */
/* Names against the patterns of the registry (run/kind.h). */
#include "config.h"

#include "run/inventory.h"

#define NUMBER_DIGITS 9 /* ranks, devices, slices: what an int holds */
#define STAMP_DIGITS  20

static const struct kind_match no_match = { 0, -1, -1, -1, -1, -1 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Cut the run of digits off the front of *t: its value (INT64_MAX when too large) or -1. */
static int64_t take_digits(struct str *t, size_t max)
{
    size_t n = 0;
    int64_t v = 0;

    while (n < t->n && is_digit(t->p[n])) {
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, t->p[n] - '0', &v))
            v = INT64_MAX;
        n++;
    }
    if (n == 0 || n > max)
        return -1;
    *t = str_sub(*t, n, t->n);
    return v;
}

static void store_number(struct kind_match *m, char which, int64_t v)
{
    switch (which) {
    case 'M':
        m->model = (int)v;
        break;
    case 'I':
        m->iteration = (int)v;
        break;
    case 'K':
        m->slice = (int)v;
        break;
    case 'T':
        m->stamp = v;
        break;
    default:
        m->which = which;
        m->number = (int)v;
    }
}

/* The recursion goes one level down per {*}, {S} or {a,b} of the pattern, never per byte of the name. */
static bool match_here(const char *p, struct str t, struct kind_match *m);

static bool match_any(const char *rest, struct str t, struct kind_match *m)
{
    for (size_t i = 0; i <= t.n; i++) {
        struct kind_match try = *m;

        if (match_here(rest, str_sub(t, i, t.n), &try)) {
            *m = try;
            return true;
        }
    }
    return false;
}

static bool match_slice(const char *rest, struct str t, struct kind_match *m)
{
    struct kind_match try = *m;

    if (str_starts(t, STR("_slice_"))) {
        struct str after = str_sub(t, 7, t.n);
        int64_t v = take_digits(&after, NUMBER_DIGITS);

        if (v >= 0) {
            try.slice = (int)v;
            if (match_here(rest, after, &try)) {
                *m = try;
                return true;
            }
        }
    }
    return match_here(rest, t, m);
}

static bool match_choice(struct str choices, const char *rest, struct str t, struct kind_match *m)
{
    struct str one;

    while (str_next(&choices, ',', &one)) {
        struct kind_match try = *m;

        if (str_starts(t, one) && match_here(rest, str_sub(t, one.n, t.n), &try)) {
            *m = try;
            return true;
        }
    }
    return false;
}

static bool match_here(const char *p, struct str t, struct kind_match *m)
{
    while (*p) {
        if (*p != '{') {
            if (t.n == 0 || t.p[0] != *p)
                return false;
            t = str_sub(t, 1, t.n);
            p++;
            continue;
        }
        const char *end = strchr(p, '}');
        struct str what = { p + 1, (size_t)(end - p - 1) };

        p = end + 1;
        if (what.n > 1)
            return match_choice(what, p, t, m);
        if (what.p[0] == '*')
            return match_any(p, t, m);
        if (what.p[0] == 'S')
            return match_slice(p, t, m);

        int64_t v = take_digits(&t, what.p[0] == 'T' ? STAMP_DIGITS : NUMBER_DIGITS);

        if (v < 0)
            return false;
        store_number(m, what.p[0], v);
    }
    return t.n == 0;
}

/* Most patterns end in a literal that the name does not end in: this shows without walking either. */
static bool tail_fits(const char *pattern, struct str t)
{
    const char *brace = strrchr(pattern, '}');

    return str_ends(t, str_of(brace ? brace + 1 : pattern));
}

/* A pattern with '/' may begin at any part of the path. */
static bool match_parts(const char *pattern, struct str path, struct kind_match *m)
{
    size_t at = 0;

    if (!tail_fits(pattern, path))
        return false;
    for (;;) {
        *m = no_match;
        if (match_here(pattern, str_sub(path, at, path.n), m))
            return true;

        size_t slash = str_chr(str_sub(path, at, path.n), '/');

        if (slash == SIZE_MAX)
            return false;
        at += slash + 1;
    }
}

static bool match_name(const char *pattern, struct str path, struct kind_match *m)
{
    size_t slash;

    if (strchr(pattern, '/'))
        return match_parts(pattern, path, m);
    slash = str_rchr(path, '/');
    if (slash != SIZE_MAX)
        path = str_sub(path, slash + 1, path.n);
    *m = no_match;
    return tail_fits(pattern, path) && match_here(pattern, path, m);
}

static bool is_packed(struct str path)
{
    return str_ends(path, STR(".gz"));
}

bool kind_pattern_match(const char *pattern, struct str path, struct kind_match *m)
{
    struct kind_match own;

    if (!m)
        m = &own;
    if (match_name(pattern, path, m))
        return true;
    if (is_packed(path) && match_name(pattern, str_sub(path, 0, path.n - 3), m))
        return true;
    *m = no_match;
    return false;
}

/* ---- all patterns ---- */

/* What shows at a glance that a name does not fit: nearly all names of nearly all patterns. */
struct glance {
    const char *pattern;
    const struct file_kind *kind;
    char first, last; /* of the base name; 0: any */
};

struct kind_index {
    struct glance *v;
    size_t n;
};

/* Of a pattern with '/' the first part may lie anywhere in the path. */
static struct glance glance_of(const char *pattern, const struct file_kind *kind)
{
    size_t n = strlen(pattern);

    return (struct glance){ .pattern = pattern,
                            .kind = kind,
                            .first = (char)(*pattern == '{' || strchr(pattern, '/') ? 0 : *pattern),
                            .last = (char)(n && pattern[n - 1] != '}' ? pattern[n - 1] : 0) };
}

static size_t count_patterns(const struct inventory_tables *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n_families; i++)
        n += t->families[i]->n * ARRAY_LEN(t->families[i]->rows->patterns);
    return n;
}

int kind_index_new(const struct kind_index **out, const struct inventory_tables *t, struct arena *a,
                   struct err *e)
{
    struct kind_index *x = arena_zalloc(a, sizeof *x);

    *out = NULL;
    if (!x || !(x->v = arena_array(a, count_patterns(t), sizeof *x->v)))
        return err_nomem(e);
    for (size_t i = 0; i < t->n_families; i++) {
        for (size_t k = 0; k < t->families[i]->n; k++) {
            const struct file_kind *kind = &t->families[i]->rows[k];

            for (size_t p = 0; p < ARRAY_LEN(kind->patterns) && kind->patterns[p]; p++)
                x->v[x->n++] = glance_of(kind->patterns[p], kind);
        }
    }
    *out = x;
    return OK;
}

static const struct file_kind *look_up(const struct kind_index *x, struct str path, struct kind_match *m)
{
    size_t slash = str_rchr(path, '/');
    struct str name = str_sub(path, slash == SIZE_MAX ? 0 : slash + 1, path.n);
    bool packed = is_packed(path);
    char first = (char)(name.n ? name.p[0] : 0);
    /* a path may end in '/', and the pattern with it */
    char last = (char)(path.n ? path.p[path.n - 1] : 0);
    char unpacked = (char)(packed && path.n > 3 ? path.p[path.n - 4] : last); /* a file may be named ".gz" */

    for (size_t i = 0; i < x->n; i++) {
        const struct glance *g = &x->v[i];

        if ((!g->first || g->first == first) && (!g->last || g->last == last || g->last == unpacked) &&
            kind_pattern_match(g->pattern, path, m))
            return g->kind;
    }
    return NULL;
}

static bool fits(const struct file_kind *kind, struct str path, struct kind_match *m)
{
    for (size_t i = 0; i < ARRAY_LEN(kind->patterns) && kind->patterns[i]; i++)
        if (kind_pattern_match(kind->patterns[i], path, m))
            return true;
    return false;
}

static const struct file_kind *look_through(const struct inventory_tables *t, struct str path,
                                            struct kind_match *m)
{
    for (size_t i = 0; i < t->n_families; i++)
        for (size_t k = 0; k < t->families[i]->n; k++)
            if (fits(&t->families[i]->rows[k], path, m))
                return &t->families[i]->rows[k];
    return NULL;
}

const struct file_kind *kind_of_path(const struct inventory_tables *t, struct str path, struct kind_match *m)
{
    const struct file_kind *k = t->index ? look_up(t->index, path, m) : look_through(t, path, m);

    if (!k && m)
        *m = no_match;
    return k;
}

const struct file_kind *kind_by_id(const struct inventory_tables *t, const char *id)
{
    for (size_t i = 0; i < t->n_families; i++)
        for (size_t k = 0; k < t->families[i]->n; k++)
            if (strcmp(t->families[i]->rows[k].id, id) == 0)
                return &t->families[i]->rows[k];
    return NULL;
}
