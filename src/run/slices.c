/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slices read as one, exports that a newer one replaces, copies of the same data
 * (doc/formats/analysed.md#csv-rules).
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "run/build.h"

#define STAMP_MIN_DIGITS 14 /* fewer digits are a device number */

/* A name without its parts that differ between slices and exports of one thing. */
struct stem {
    struct entry *x;
    struct str text;
    int64_t stamp; /* 17 digits, -1 none */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits_at(struct str s, size_t at)
{
    size_t n = 0;

    while (at + n < s.n && is_digit(s.p[at + n]))
        n++;
    return n;
}

/* The name without slice number, time stamp and .gz; a copy where something in it is missing. */
static struct str stem_of(struct arena *a, const struct entry *x)
{
    struct str s = entry_name(x);
    size_t n = 0;

    if (str_ends(s, STR(".gz")))
        s.n -= 3;
    if (x->f.slice < 0 && x->f.stamp < 0)
        return s;
    char *w = (char *)arena_str(a, s).p;
    if (!w)
        return STR_NULL;
    for (size_t i = 0; i < s.n;) {
        if (x->f.slice >= 0 && str_starts(str_sub(s, i, s.n), STR("slice_")) && digits_at(s, i + 6)) {
            if (n && w[n - 1] == '_')
                n--;
            i += 6 + digits_at(s, i + 6);
        } else if (x->f.stamp >= 0 && s.p[i] == '_' && digits_at(s, i + 1) >= STAMP_MIN_DIGITS) {
            i += 1 + digits_at(s, i + 1);
        } else {
            w[n++] = s.p[i++];
        }
    }
    return (struct str){ w, n };
}

/* Stamps of 14 digits (seconds) and of 17 (milliseconds) on one scale. */
static int64_t stamp_17(int64_t stamp)
{
    if (stamp < 0)
        return -1;
    while (stamp < INT64_C(10000000000000000) && stamp > 0)
        stamp *= 10;
    return stamp;
}

static int by_stem(const void *pa, const void *pb)
{
    const struct stem *a = pa, *b = pb;
    int d = a->x->dir == b->x->dir ? 0 : str_cmp(a->x->dir->path, b->x->dir->path);

    if (d == 0 && a->x->f.kind != b->x->f.kind)
        d = strcmp(a->x->f.kind->id, b->x->f.kind->id);
    if (d == 0)
        d = str_cmp(a->text, b->text);
    if (d == 0 && a->stamp != b->stamp)
        d = a->stamp > b->stamp ? -1 : 1; /* newest first */
    if (d == 0 && a->x->f.slice != b->x->f.slice)
        d = a->x->f.slice < b->x->f.slice ? -1 : 1;
    return d ? d : str_cmp(entry_name(a->x), entry_name(b->x)); /* plain before .gz */
}

static bool same_thing(const struct stem *a, const struct stem *b)
{
    return a->x->f.kind == b->x->f.kind && a->x->dir == b->x->dir && str_eq(a->text, b->text);
}

static void supersede(struct entry *x, const char *why)
{
    x->f.superseded = true;
    if (!x->f.note)
        x->f.note = why;
}

/*
 * One export: whole files first, then slices in order. Chain the slices, drop packed copies, let slices and
 * whole exclude each other.
 */
static void join_export(struct stem *s, size_t n)
{
    struct entry *last = NULL;
    uint64_t whole = 0, parts = 0;

    for (size_t i = 0; i < n; i++) {
        struct entry *x = s[i].x;

        if (i && s[i - 1].x->f.slice == x->f.slice) {
            supersede(x, "a packed copy of the same file");
            s[i].x = s[i - 1].x;
            continue;
        }
        *(x->f.slice < 0 ? &whole : &parts) += x->f.size_b;
        if (x->f.slice < 0)
            continue;
        if (last)
            last->f.next_slice = &x->f;
        x->f.later_slice = last != NULL;
        last = x;
    }
    if (!whole || !parts)
        return;
    for (size_t i = 0; i < n; i++)
        if ((s[i].x->f.slice < 0) == (whole < parts))
            supersede(s[i].x, "the same export lies here in one file and in slices");
}

/* Files that a writer began anew now and then, newest first: one stream. */
static void join_rotated(struct stem *s, size_t n)
{
    for (size_t i = n - 1; i > 0; i--) {
        s[i].x->f.next_slice = &s[i - 1].x->f;
        s[i - 1].x->f.later_slice = true;
    }
}

/* All exports of one thing, newest first. */
static void join_thing(struct stem *s, size_t n)
{
    if (s[0].x->f.kind->rotates) {
        join_rotated(s, n);
        return;
    }
    for (size_t i = 0; i < n;) {
        size_t k = i + 1;

        while (k < n && s[k].stamp == s[i].stamp)
            k++;
        join_export(s + i, k - i);
        if (i > 0)
            for (size_t m = i; m < k; m++)
                supersede(s[m].x, "an older export");
        i = k;
    }
}

static int join_slices(struct build *b, struct err *e)
{
    size_t n = 0;

    arena_reset(b->lists);
    struct stem *s = arena_array(b->lists, b->n ? b->n : 1, sizeof(*s));
    if (!s)
        return err_nomem(e);
    for (size_t i = 0; i < b->n; i++) {
        struct entry *x = b->v[i];

        if (!x->f.regular || x->f.kind == b->t->unknown)
            continue;
        s[n] = (struct stem){ x, stem_of(b->lists, x), stamp_17(x->f.stamp) };
        if (!s[n++].text.p)
            return err_nomem(e);
    }
    qsort(s, n, sizeof(*s), by_stem);
    for (size_t i = 0; i < n;) {
        size_t k = i + 1;

        while (k < n && same_thing(&s[i], &s[k]))
            k++;
        join_thing(s + i, k - i);
        i = k;
    }
    return OK;
}

static const struct entry *find_kind(const struct build *b, const char *id, const char *dir)
{
    for (size_t i = 0; i < b->n; i++)
        if (entry_has_data(b->v[i]) && !b->v[i]->f.superseded && entry_is(b->v[i], id) &&
            entry_in(b->v[i], dir))
            return b->v[i];
    return NULL;
}

static bool is_copied_kind(const struct file_kind *k)
{
    return (k->gens & 1u << GEN_M) && (k->gens & (1u << GEN_2 | 1u << GEN_P)) && (k->columns || k->topic);
}

#define HEADER_MOST_B 16384 /* of a table whose rows would make it longer */

/* A table in which nothing follows the line of its columns. */
static bool is_header_alone(const struct build *b, const struct entry *x)
{
    struct err ignored = ERR_INIT;
    char text[HEADER_MOST_B], path[PATH_MAX];
    struct stat st;

    if (x->f.size_b > sizeof text || !str_ends(entry_name(x), STR(".csv")))
        return false;
    int fd = path_open_file(unit_path_of(b->u, &x->f, path), &st, &ignored);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    struct str all = { text, n > 0 ? (size_t)n : 0 };
    size_t line = str_chr(all, '\n');
    return n > 0 && (line == SIZE_MAX || !str_trim(str_sub(all, line, all.n)).n);
}

/*
 * The text files of ASCEND_PROFILER_OUTPUT are made from those of PROF_*: where a process drove one device
 * they hold the same rows, unless they have none. The database there is the renamed one of PROF_* (MindSpore
 * 2.x) or made from it (torch_npu).
 */
static void drop_copies(struct build *b)
{
    bool own_db = find_kind(b, "pt_db", "") || find_kind(b, "ms_db", "");
    int device = -1;

    for (size_t i = 0; i < b->n; i++) {
        if (b->v[i]->dir->device < 0)
            continue;
        if (device >= 0 && b->v[i]->dir->device != device)
            return;
        device = b->v[i]->dir->device;
    }
    for (size_t i = 0; i < b->n; i++) {
        struct entry *x = b->v[i];

        if (!x->dir->prof.p || x->f.superseded || !x->f.regular)
            continue;
        const struct entry *made =
            is_copied_kind(x->f.kind) ? find_kind(b, x->f.kind->id, "ASCEND_PROFILER_OUTPUT/") : NULL;
        if (own_db && entry_is(x, "msprof_db"))
            supersede(x, "the database of ASCEND_PROFILER_OUTPUT holds the same");
        else if (made && !is_header_alone(b, made))
            supersede(x, "ASCEND_PROFILER_OUTPUT holds the same rows");
    }
}

static int by_ino(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* A link into the run names a file that is listed itself. */
static int drop_links(struct build *b, struct err *e)
{
    size_t n = 0;

    arena_reset(b->lists);
    uint64_t *ino = arena_array(b->lists, b->n ? b->n : 1, sizeof(*ino));
    if (!ino)
        return err_nomem(e);
    for (size_t i = 0; i < b->n; i++)
        if (!b->v[i]->is_link && b->v[i]->f.regular)
            ino[n++] = b->v[i]->f.ino;
    qsort(ino, n, sizeof(*ino), by_ino);
    for (size_t i = 0; i < b->n; i++)
        if (b->v[i]->is_link && bsearch(&b->v[i]->f.ino, ino, n, sizeof(*ino), by_ino))
            supersede(b->v[i], "a link to a file that is listed itself");
    return OK;
}

int build_slices(struct build *b, struct err *e)
{
    if (join_slices(b, e))
        return e->code;
    drop_copies(b);
    return drop_links(b, e);
}
