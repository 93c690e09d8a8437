/* SPDX-License-Identifier: Apache-2.0 */
/* Which files of a unit make a group. */
#include "config.h"

#include "parsers/group_find.h"

#include <stdlib.h>

#include "base/path.h"
#include "run/prof_folder.h"

#define MAX_MEMBERS 4096 /* of one group, slices of a file counted once */

static bool is_candidate(const struct source_file *f)
{
    return f->regular && !f->superseded && !f->later_slice && f->state != FS_ABSENT && f->state != FS_OFF;
}

static enum role role_of(const struct group_kind *k, const struct source_file *f)
{
    for (const struct group_member_kind *m = k->members; m->role != ROLE_NONE; m++)
        if (strcmp(m->kind, f->kind->id) == 0 &&
            (!m->pattern || kind_pattern_match(m->pattern, str_of(path_base(f->rel)), NULL)))
            return m->role;
    return ROLE_NONE;
}

/* The unit is a PROF folder that was given another name: its files lie in host and device_N. */
static bool is_renamed_prof(const struct unit *u, const struct source_file *f)
{
    struct str rest = str_of(f->rel), first;

    return u->gen == GEN_M && str_next(&rest, '/', &first) && rest.n && prof_part_of(first) != PROF_PART_NONE;
}

/* The innermost folder above f that fits the anchor: its path below the root with '/', or "" for the root. */
static bool anchor_of(const struct unit *u, const struct group_kind *k, const struct source_file *f,
                      struct str *out)
{
    struct str dir = str_of(f->rel);
    size_t at;

    while ((at = str_rchr(dir, '/')) != SIZE_MAX) {
        dir = str_sub(dir, 0, at);
        size_t up = str_rchr(dir, '/');
        if (kind_pattern_match(k->anchor, str_sub(dir, up == SIZE_MAX ? 0 : up + 1, SIZE_MAX), NULL)) {
            *out = str_sub(str_of(f->rel), 0, at + 1);
            return true;
        }
    }
    *out = STR("");
    return kind_pattern_match(k->anchor, str_of(path_base(u->root)), NULL) ||
           (k->whole && is_renamed_prof(u, f));
}

static int add_member(struct group_set *s, enum role role, const struct source_file *f, struct err *e)
{
    if (s->n == MAX_MEMBERS)
        return OK;
    struct group_member *m = realloc(s->m, (s->n + 1) * sizeof *m);
    if (!m)
        return err_nomem(e);
    s->m = m;
    s->m[s->n++] = (struct group_member){ .role = role, .c.f = f };
    return OK;
}

static struct group_set *add_set(struct group_list *l, const struct group_kind *k, struct str anchor,
                                 int rank, struct err *e)
{
    struct group_set *v = realloc(l->sets, (l->n + 1) * sizeof *v);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    l->sets = v;
    v[l->n] = (struct group_set){ .kind = k, .anchor = anchor, .rank = rank };
    return &v[l->n++];
}

/* Folder of a path without its last part, with '/' at its end; "" for the root. */
static struct str parent_of(struct str folder)
{
    size_t at = str_rchr(str_sub(folder, 0, folder.n ? folder.n - 1 : 0), '/');

    return str_sub(folder, 0, at == SIZE_MAX ? 0 : at + 1);
}

/* The folder next to the anchor that f lies in, with '/' at its end. */
static bool is_beside(const struct group_kind *k, const struct source_file *f, struct str *folder)
{
    struct str rel = str_of(f->rel);
    size_t at = str_rchr(rel, '/');

    if (!k->beside || at == SIZE_MAX)
        return false;
    *folder = str_sub(rel, 0, at + 1);
    return str_eq(str_after_last(str_sub(rel, 0, at), '/'), str_of(k->beside));
}

/* Files beside anchors join each of them; without any they make a set of their own. */
static int place_beside(struct group_list *l, const struct group_kind *k, const struct source_file *f,
                        struct str folder, struct err *e)
{
    enum role role = role_of(k, f);
    bool found = false;

    for (size_t i = 0; i < l->n && role != ROLE_NONE; i++) {
        struct group_set *s = &l->sets[i];
        if (s->kind != k || !(str_eq(s->anchor, folder) || str_eq(parent_of(s->anchor), parent_of(folder))))
            continue;
        found = true;
        if (s->rank >= 0 && f->rank >= 0 && s->rank != f->rank)
            continue;
        if (add_member(s, role, f, e))
            return e->code;
    }
    if (found || role == ROLE_NONE)
        return OK;
    struct group_set *s = add_set(l, k, folder, -1, e);
    return s ? add_member(s, role, f, e) : e->code;
}

/*
 * A file with a rank makes or joins the set of that rank; one without (info.json) then joins every set of its
 * folder.
 */
static int place(struct group_list *l, const struct unit *u, const struct group_kind *k,
                 const struct source_file *f, struct err *e)
{
    enum role role = role_of(k, f);
    struct str anchor;
    bool found = false;
    int rank = k->whole ? -1 : f->rank;

    if (role == ROLE_NONE || !anchor_of(u, k, f, &anchor))
        return OK;
    for (size_t i = 0; i < l->n; i++) {
        struct group_set *s = &l->sets[i];
        if (s->kind != k || !str_eq(s->anchor, anchor) || (rank >= 0 && s->rank != rank))
            continue;
        found = true;
        if (add_member(s, role, f, e))
            return e->code;
    }
    if (found)
        return OK;
    struct group_set *s = add_set(l, k, anchor, rank, e);
    return s ? add_member(s, role, f, e) : e->code;
}

static size_t depth(const char *rel)
{
    size_t n = 0;

    for (; *rel; rel++)
        n += *rel == '/';
    return n;
}

static int member_cmp(const void *a, const void *b)
{
    const struct group_member *x = a, *y = b;
    size_t dx = depth(x->c.f->rel), dy = depth(y->c.f->rel);

    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    if (dx != dy)
        return dx < dy ? -1 : 1;
    return strcmp(x->c.f->rel, y->c.f->rel);
}

static struct str folder(const struct source_file *f)
{
    struct str s = str_of(f->rel);
    size_t at = str_rchr(s, '/');

    return str_sub(s, 0, at == SIZE_MAX ? 0 : at);
}

/*
 * Files of a role come from one folder: the anchor itself before data/ (doc/formats/mindspore1.md#folders).
 */
static void one_folder_per_role(struct group_set *s)
{
    size_t n = 0, first = 0;

    qsort(s->m, s->n, sizeof *s->m, member_cmp);
    for (size_t i = 0; i < s->n; i++) {
        if (n == 0 || s->m[i].role != s->m[n - 1].role)
            first = n;
        else if (!str_eq(folder(s->m[i].c.f), folder(s->m[first].c.f)))
            continue;
        s->m[n++] = s->m[i];
    }
    s->n = n;
}

bool group_set_has_role(const struct group_set *s, enum role r)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->m[i].role == r)
            return true;
    return false;
}

int group_set_rank(const struct group_set *s, const struct unit *u)
{
    return s->rank >= 0 ? s->rank : u->info.ranks[0].rank;
}

static bool has_member(const struct group_set *s, const struct group_member_kind *m)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->m[i].role == m->role && strcmp(s->m[i].c.f->kind->id, m->kind) == 0 &&
            (!m->pattern || kind_pattern_match(m->pattern, str_of(path_base(s->m[i].c.f->rel)), NULL)))
            return true;
    return false;
}

bool group_set_is_complete(const struct group_set *s)
{
    bool any = false, asked = false;

    for (const struct group_member_kind *m = s->kind->members; m->role != ROLE_NONE; m++) {
        asked |= m->need == NEED_ANY;
        any |= m->need == NEED_ANY && has_member(s, m);
    }
    return any || !asked;
}

static bool shares_a_file(const struct group_set *a, const struct group_set *b)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if (a->m[i].c.f == b->m[k].c.f)
                return true;
    return false;
}

static bool is_taken_by(const struct group_set *s, const struct group_set *other)
{
    enum role to = s->kind->yields_to;
    bool takes = to == ROLE_NONE ? other->kind->whole : group_set_has_role(other, to);

    return takes && shares_a_file(s, other);
}

/* Another group makes more of the same files. */
static bool yields(const struct group_set *s, const struct group_list *l)
{
    enum role r = s->kind->yields_without;

    if (r == ROLE_NONE || group_set_has_role(s, r))
        return false;
    for (size_t i = 0; i < l->n; i++)
        if (is_taken_by(s, &l->sets[i]))
            return true;
    return false;
}

static int64_t newest(const struct group_set *s)
{
    int64_t t = INT64_MIN;

    for (size_t i = 0; i < s->n; i++)
        if (s->m[i].c.f->mtime_ns > t)
            t = s->m[i].c.f->mtime_ns;
    return t;
}

/* Results, raw data, results that have less than raw data, what results were made from. */
static int turn(const struct group_set *s)
{
    static const int turns[] = {
        [GROUP_RESULTS] = 0, [GROUP_RAW] = 1, [GROUP_RESULTS_AFTER] = 2, [GROUP_RESULTS_LAST] = 3
    };

    return turns[s->kind->results];
}

static int set_cmp(const void *a, const void *b)
{
    const struct group_set *x = a, *y = b;
    int64_t tx = newest(x), ty = newest(y);

    if (turn(x) != turn(y))
        return turn(x) < turn(y) ? -1 : 1;
    if (tx != ty)
        return tx > ty ? -1 : 1;
    return str_cmp_natural(x->anchor, y->anchor);
}

static bool is_incomplete(const struct group_set *s, const struct group_list *l)
{
    (void)l;
    return !group_set_is_complete(s);
}

static void drop_files(struct group_set *s)
{
    free(s->m);
    s->m = NULL;
    s->n = 0;
}

/*
 * Drop the sets that are not complete, then those that yield to what remains: nothing is left to one without
 * files.
 */
static void keep_useful(struct group_list *l)
{
    bool (*const drop[])(const struct group_set *, const struct group_list *) = { is_incomplete, yields };

    for (size_t pass = 0; pass < ARRAY_LEN(drop); pass++) {
        size_t n = 0;
        for (size_t i = 0; i < l->n; i++)
            if (drop[pass](&l->sets[i], l))
                drop_files(&l->sets[i]);
            else
                l->sets[n++] = l->sets[i];
        l->n = n;
    }
}

/* Files with a rank first, then those that join their sets, then those that lie beside the anchors. */
enum pass { PASS_RANKED, PASS_OTHERS, PASS_BESIDE, N_PASSES };

static int place_files(struct group_list *l, const struct unit *u, const struct group_kind *k, enum pass pass,
                       struct err *e)
{
    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];
        struct str folder;
        if (!is_candidate(f))
            continue;
        enum pass of = is_beside(k, f, &folder) ? PASS_BESIDE : f->rank < 0 ? PASS_OTHERS : PASS_RANKED;
        if (of == pass && (pass == PASS_BESIDE ? place_beside(l, k, f, folder, e) : place(l, u, k, f, e)))
            return e->code;
    }
    return OK;
}

/*
 * Of several ranks in one unit, as MindSpore 2.3 and 2.4 left them, a set of all files below its anchor is of
 * the rank of its devices, if they are of one.
 */
static void find_ranks(struct group_list *l, const struct unit *u, const struct group_kind *k)
{
    for (size_t i = 0; i < l->n && u->info.n_ranks > 1; i++) {
        struct group_set *s = &l->sets[i];
        int rank = -1;
        bool one = s->kind == k && k->whole;
        for (size_t m = 0; m < s->n && one; m++) {
            const struct source_file *f = s->m[m].c.f;
            if (f->device < 0 || f->rank < 0)
                continue;
            one = rank < 0 || rank == f->rank;
            rank = f->rank;
        }
        if (one)
            s->rank = rank;
    }
}

int groups_find(struct group_list *out, const struct unit *u, struct err *e)
{
    *out = (struct group_list){ .n = 0 };
    for (size_t k = 0; k < registry_n_groups; k++)
        for (int pass = 0; pass < N_PASSES && registry_groups[k].parse; pass++) {
            if (pass == PASS_BESIDE)
                find_ranks(out, u, &registry_groups[k]);
            if (place_files(out, u, &registry_groups[k], (enum pass)pass, e)) {
                groups_done(out);
                return e->code;
            }
        }
    for (size_t i = 0; i < out->n; i++)
        if (!out->sets[i].kind->whole)
            one_folder_per_role(&out->sets[i]);
    keep_useful(out);
    if (out->n)
        qsort(out->sets, out->n, sizeof *out->sets, set_cmp);
    return OK;
}

void groups_done(struct group_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->sets[i].m);
    free(l->sets);
    *l = (struct group_list){ .n = 0 };
}
