/* SPDX-License-Identifier: Apache-2.0 */
/* Walking the roots: every file once, with its kind and state. */
#include "config.h"

#include "run/inventory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/limits.h"
#include "base/path.h"
#include "run/build.h"
#include "run/dir.h"
#include "run/facts.h"
#include "run/find/discover.h"
#include "run/find/runs.h"
#include "run/probe.h"
#include "run/prof_folder.h"

#define ARENA_MAX_B ((size_t)1 << 30)
#define LISTS_MAX_B ((size_t)256 << 20)
#define PROBES_MAX  256 /* files without a fitting name that are looked into */

struct job_full {
    struct job job; /* first */
    struct arena *a;
};

/* ---- one file ---- */

/* Written by viewers beside the data, not part of the run. */
static bool is_cache_name(struct str name)
{
    return str_starts(name, STR("mindstudio_insight_data.db")) || str_ends(name, STR(".db-shm")) ||
           str_ends(name, STR(".db-wal"));
}

static bool has_control(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if ((unsigned char)name.p[i] < 0x20 || name.p[i] == 0x7f)
            return true;
    return false;
}

/* Add an entry at the end. ERR_NOMEM. */
static int add_entry(struct build *b, struct entry *x, struct err *e)
{
    struct entry **v = grow_array(b->v, b->n, &b->cap, sizeof(struct entry *), 128);
    if (!v)
        return err_nomem(e);
    b->v = v;
    b->v[b->n++] = x;
    return OK;
}

/* A folder: PROF_* and device_<d> are parts of its path. path: in the arena. ERR_NOMEM. */
static int add_dir(struct build *b, const char *path, const struct entry_dir **out, struct err *e)
{
    struct entry_dir *d = arena_zalloc(b->a, sizeof(*d));
    struct str rest, part;

    *out = d;
    if (!d || !path)
        return err_nomem(e);
    *d = (struct entry_dir){ .path = str_of(path), .device = -1 };
    rest = d->path;
    while (str_next(&rest, '/', &part)) {
        struct kind_match m;

        if (kind_pattern_match(PROF_DEVICE, part, &m))
            d->device = m.number;
        else if (prof_folder_is(part) || str_starts(part, STR("JOB")))
            d->prof = part;
    }
    return OK;
}

static void classify(struct build *b, struct entry *x)
{
    const char *slash = strrchr(b->u->root, '/');
    const char *base = slash ? slash + 1 : b->u->root;
    char path[PATH_MAX];
    const struct file_kind *k;
    struct kind_match m;

    /* the root's own name takes part: rank_0/memory_block.csv */
    if (b->root_kind == ROOT_FILE || !path_join(path, sizeof(path), base, x->f.rel))
        str_copy(str_of(x->f.rel), path, sizeof(path));
    k = kind_of_path(b->t, str_of(path), &m);
    x->f.kind = k ? k : b->t->unknown;
    x->f.slice = m.slice;
    x->f.stamp = m.stamp >= INT64_C(10000000000000) ? m.stamp : -1;
    x->which = m.which;
    x->number = m.number;
    if (m.stamp >= 0 && x->f.stamp < 0 && !m.which && m.stamp <= INT32_MAX) {
        x->which = 'D'; /* op_summary_0.csv of old exports */
        x->number = (int)m.stamp;
    }
}

static void set_bad(struct entry *x, const char *why)
{
    x->f.regular = false;
    x->f.state = FS_BAD;
    x->f.note = why;
}

static void take_stat(struct entry *x, const struct stat *st)
{
    x->f.size_b = st->st_size > 0 ? (uint64_t)st->st_size : 0;
    x->f.mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    x->f.ino = (uint64_t)st->st_ino;
}

/* A link counts only when it leads to a regular file of the same unit. */
static void take_link(struct build *b, struct entry *x, const char *path)
{
    char real[PATH_MAX];
    size_t root_n = strlen(b->u->root);
    struct stat st;

    x->is_link = true;
    if (!realpath(path, real)) {
        set_bad(x, errno == ENOENT ? "a link that leads nowhere" : "a link that cannot be followed");
        return;
    }
    if (strncmp(real, b->u->root, root_n) != 0 || (real[root_n] != '/' && real[root_n] != '\0')) {
        set_bad(x, "a link out of the run: not followed");
        return;
    }
    if (lstat(real, &st) != 0 || !S_ISREG(st.st_mode)) {
        x->f.regular = false;
        x->f.note = "a link inside the run: its target is listed itself";
        return;
    }
    take_stat(x, &st);
    x->f.regular = true;
    x->f.path = arena_str(b->a, str_of(real)).p;
}

static void take_file(struct entry *x, int fd, const char *name, const struct stat *st)
{
    take_stat(x, st);
    x->f.regular = true;
    /* most files can be read by anyone: one system call less */
    if (!(st->st_mode & S_IROTH) && faccessat(fd, name, R_OK, AT_EACCESS) != 0)
        set_bad(x, "no permission to read");
}

static struct entry *new_entry(struct build *b, const struct entry_dir *dir, const char *name)
{
    struct entry *x = arena_zalloc(b->a, sizeof(*x));
    const char *rel = arena_printf(b->a, "%s%s", dir->path.p, name);
    struct err none = ERR_INIT; /* no memory is all that can fail */

    if (!x || !rel)
        return NULL;
    x->dir = dir;
    x->f.rel = rel;
    if (b->root_kind == ROOT_FILE)
        x->f.path = b->u->root;
    else if (strlen(b->u->root) + 1 + strlen(rel) >= PATH_MAX && unit_path(b->u, &x->f, &none))
        return NULL;
    x->f.rank = x->f.device = -1;
    classify(b, x);
    return x;
}

static int add_file(struct build *b, int fd, const struct entry_dir *dir, const char *name, struct err *e)
{
    char path[PATH_MAX];
    struct entry *x;
    struct stat st;

    if (is_cache_name(str_of(name)))
        return OK;
    x = new_entry(b, dir, name);
    if (!x)
        return err_nomem(e);
    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        set_bad(x, "cannot be looked at");
    else if (S_ISLNK(st.st_mode))
        take_link(b, x, unit_path_of(b->u, &x->f, path));
    else if (S_ISREG(st.st_mode))
        take_file(x, fd, name, &st);
    else
        set_bad(x, path_strange(st.st_mode));
    if (x->is_link && x->f.regular && !x->f.path)
        return err_nomem(e);
    if (x->f.regular && x->f.size_b == 0 && !entry_is(x, "marker")) {
        x->f.state = FS_EMPTY;
        x->f.note = "the file is empty";
    }
    if (!x->f.note && has_control(entry_name(x)))
        x->f.note = "the name holds control characters";
    return add_entry(b, x, e);
}

/* A row for a folder that was not read. */
static int add_folder(struct build *b, const struct entry_dir *dir, const char *name, const char *why,
                      struct err *e)
{
    const char *label = arena_printf(b->a, "%s/", name);
    struct entry *x = label ? new_entry(b, dir, label) : NULL;

    if (!x || !why)
        return err_nomem(e);
    x->f.kind = b->t->unknown;
    set_bad(x, why);
    return add_entry(b, x, e);
}

/* ---- one folder ---- */

/* Units of their own inside a flat folder. */
static bool is_other_unit(const struct build *b, const struct entry_dir *dir, const char *name)
{
    return b->root_kind == ROOT_FLAT && !dir->path.n &&
           kind_pattern_match("{*}_ascend_{ms,pt}", str_of(name), NULL);
}

static int walk(struct build *b, int fd, const char *path, int depth, struct err *e);

static int walk_below(struct build *b, int fd, const struct entry_dir *dir, const char *name, int depth,
                      struct err *e)
{
    const char *below = arena_printf(b->a, "%s%s/", dir->path.p, name);
    int rc, sub;

    if (!below)
        return err_nomem(e);
    if (depth >= LIM_DIR_DEPTH)
        return add_folder(b, dir, name, "nested too deeply: not read", e);
    sub = dir_open(fd, name);
    if (sub < 0)
        return add_folder(b, dir, name,
                          errno == EACCES ? "no permission to open the folder"
                                          : arena_printf(b->a, "cannot open the folder: %s", strerror(errno)),
                          e);
    rc = walk(b, sub, below, depth + 1, e);
    close(sub);
    return rc;
}

/* The names of the folders in a list that goes away, each with a NUL. */
static int keep_folders(const struct build *b, const struct entry_dir *dir, const struct dir_list *l,
                        struct buf *names, struct err *e)
{
    for (size_t i = 0; i < l->n && b->root_kind != ROOT_LOOSE; i++)
        if (l->v[i].type == DIR_DIR && !is_other_unit(b, dir, l->v[i].name))
            buf_add(names, (struct str){ l->v[i].name, strlen(l->v[i].name) + 1 });
    return buf_failed(names) ? err_nomem(e) : OK;
}

static int walk_folders(struct build *b, int fd, const struct entry_dir *dir, struct str names, int depth,
                        struct err *e)
{
    struct str name;

    while (str_next(&names, '\0', &name) && name.n)
        if (walk_below(b, fd, dir, name.p, depth, e))
            return e->code;
    return OK;
}

/*
 * Files first, then the folders, so that the files of a folder stand together. The recursion is LIM_DIR_DEPTH
 * deep at most; the list of a folder is gone before it goes down.
 */
static int walk(struct build *b, int fd, const char *path, int depth, struct err *e)
{
    struct err why = ERR_INIT;
    const struct entry_dir *dir;
    struct dir_list l;
    struct buf names;
    size_t left = b->n < LIM_DIR_ENTRIES ? LIM_DIR_ENTRIES - b->n : 0;

    if (add_dir(b, path, &dir, e))
        return e->code;
    arena_reset(b->lists);
    if (dir_read(&l, fd, left, b->lists, &why)) {
        if (why.code == ERR_NOMEM)
            return err_nomem(e);
        return add_folder(b, dir, ".", "the folder cannot be read", e);
    }
    buf_init(&names, LISTS_MAX_B);
    for (size_t i = 0; i < l.n; i++)
        if (l.v[i].type != DIR_DIR && add_file(b, fd, dir, l.v[i].name, e))
            goto out;
    if (keep_folders(b, dir, &l, &names, e) || walk_folders(b, fd, dir, buf_str(&names), depth, e))
        goto out;
    if (l.cut && left)
        (void)!add_folder(b, dir, ".", "too many files: the rest of the folder was left out", e);
out:
    buf_done(&names);
    return e->code;
}

static int walk_root(struct build *b, struct err *e)
{
    int fd, rc;

    if (b->root_kind == ROOT_FILE) {
        const char *base = strrchr(b->u->root, '/') + 1;
        const struct entry_dir *dir;
        struct stat st;

        if (lstat(b->u->root, &st) != 0)
            return err_sys(e, errno, "cannot open the file");
        if (add_dir(b, "", &dir, e))
            return e->code;
        fd = dir_open(AT_FDCWD, arena_printf(b->a, "%.*s", (int)(base - b->u->root), b->u->root));
        rc = add_file(b, fd, dir, base, e);
    } else {
        fd = dir_open(AT_FDCWD, b->u->root);
        if (fd < 0)
            return err_sys(e, errno, "cannot open the folder");
        rc = walk(b, fd, "", 0, e);
    }
    if (fd >= 0)
        close(fd);
    return rc;
}

static void probe_unknown(struct build *b)
{
    size_t done = 0;

    for (size_t i = 0; i < b->n && done < PROBES_MAX; i++) {
        struct entry *x = b->v[i];
        const struct file_kind *k;
        char path[PATH_MAX];

        if (x->f.kind != b->t->unknown || !entry_has_data(x))
            continue;
        done++;
        k = probe_file(b->t, unit_path_of(b->u, &x->f, path));
        if (!k)
            continue;
        x->f.kind = k;
        if (!x->f.note)
            x->f.note = "renamed: recognised by its content";
    }
}

/* Files whose names are all that is known or needed. */
static void list_names(struct build *b)
{
    for (size_t i = 0; i < b->n; i++) {
        struct source_file *f = &b->v[i]->f;

        if (!f->kind->names_only || !f->regular || f->state != FS_UNREAD)
            continue;
        f->state = FS_LISTED;
        if (!f->note)
            f->note = f->kind->names_only;
    }
}

/* ---- one unit ---- */

/* rank<R>_start<A>_stop<B> around the root, or around the folder it lies in. */
static const char *window_of(struct arena *a, const char *root)
{
    struct str s = str_of(root);

    for (int i = 0; i < 2; i++) {
        size_t slash;

        s = str_sub(s, 0, str_rchr(s, '/'));
        slash = str_rchr(s, '/');
        struct str part = str_sub(s, slash + 1, s.n);

        if (kind_pattern_match("rank{R}_start{*}_stop{*}", part, NULL))
            return arena_str(a, part).p;
    }
    return NULL;
}

/* Last part of the path; with the one before when it says little. */
static const char *title_of(struct arena *a, const char *root)
{
    struct str s = str_of(root);
    size_t last = str_rchr(s, '/');
    size_t before = last == SIZE_MAX || last == 0 ? SIZE_MAX : str_rchr(str_sub(s, 0, last), '/');
    struct str base = str_sub(s, last + 1, s.n);

    if (base.n < 12 && before != SIZE_MAX)
        base = str_sub(s, before + 1, s.n);
    return arena_str(a, base).p;
}

/* Ids in the order of the walk; rows of missing files get the next ones. */
static void number_files(struct build *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->v[i]->f.id = (uint32_t)i + 1;
        if (b->v[i]->f.regular && !b->v[i]->is_link)
            b->u->bytes += b->v[i]->f.size_b;
    }
}

static int finish_unit(struct build *b, struct err *e)
{
    struct unit *u = b->u;

    u->files = arena_array(b->a, b->n ? b->n : 1, sizeof(struct source_file *));
    if (!u->files)
        return err_nomem(e);
    u->n_files = b->n;
    for (size_t i = 0; i < b->n; i++)
        u->files[i] = &b->v[i]->f;
    return OK;
}

static int build_unit(struct unit **out, struct arena *a, const struct root *r,
                      const struct inventory_tables *t, struct err *e)
{
    struct build b = { .a = a, .t = t, .root_kind = r->kind };

    *out = NULL;
    b.u = arena_zalloc(a, sizeof(*b.u));
    if (!b.u)
        return err_nomem(e);
    if (arena_new(&b.lists, LISTS_MAX_B, e))
        return e->code;
    b.u->a = a;
    b.u->root = r->path;
    b.u->name = title_of(a, r->path);
    b.u->window = window_of(a, r->path);
    if (walk_root(&b, e))
        goto out;
    number_files(&b);
    probe_unknown(&b);
    if (build_slices(&b, e) || build_runinfo(&b, e))
        goto out;
    facts_read(&b);
    list_names(&b);
    if (build_ranks(&b, e) || build_expects(&b, e) || finish_unit(&b, e))
        goto out;
    *out = b.u;
out:
    arena_free(b.lists);
    free(b.v);
    return e->code;
}

/* ---- the job ---- */

static bool knows_a_file(const struct unit *u, const struct inventory_tables *t)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (u->files[i]->kind != t->unknown && u->files[i]->kind->order < 90)
            return true;
    return false;
}

/* Time in the last two parts of a path (17 digits, 14 in older names), -1: none. */
static int64_t stamp_of(const char *root)
{
    struct str s = str_of(root);
    int64_t v = -1;
    int slashes = 0;

    for (size_t i = s.n; i > 0 && slashes < 2 && v < 0; i--) {
        size_t n = 0;

        slashes += s.p[i - 1] == '/';
        while (n < i && s.p[i - 1 - n] >= '0' && s.p[i - 1 - n] <= '9')
            n++;
        if (n >= 14 && n <= 18 && !str_i64(str_sub(s, i - n, n), &v))
            v = -1;
        if (n)
            i -= n - 1;
    }
    while (v > 0 && v < INT64_C(10000000000000000))
        v *= 10;
    return v;
}

static int by_rank_and_time(const void *pa, const void *pb)
{
    const struct unit *a = *(struct unit *const *)pa, *b = *(struct unit *const *)pb;
    int ra = a->info.ranks[0].rank, rb = b->info.ranks[0].rank;
    int64_t ta = stamp_of(a->root), tb = stamp_of(b->root);

    if (ra != rb)
        return ra < rb ? -1 : 1;
    if (ta != tb)
        return ta < tb ? -1 : 1;
    return str_cmp_natural(str_of(a->root), str_of(b->root));
}

static int add_loose(struct job_full *f, const struct unit *u, struct err *e)
{
    struct job *j = &f->job;
    struct source_file **v = arena_array(f->a, j->n_loose + u->n_files + 1, sizeof(struct source_file *));

    if (!v)
        return err_nomem(e);
    if (j->n_loose)
        memcpy(v, j->loose, j->n_loose * sizeof(struct source_file *));
    if (u->n_files)
        memcpy(v + j->n_loose, u->files, u->n_files * sizeof(struct source_file *));
    j->loose = v;
    j->n_loose += u->n_files;
    return OK;
}

static int build_units(struct job_full *f, const struct root_list *roots, const struct inventory_tables *t,
                       struct err *e)
{
    struct job *j = &f->job;
    size_t real = 0;

    for (size_t i = 0; i < roots->n; i++)
        real += roots->v[i].kind != ROOT_CLUSTER;
    j->units = arena_array(f->a, roots->n, sizeof(struct unit *));
    if (!j->units)
        return err_nomem(e);
    for (size_t i = 0; i < roots->n; i++) {
        struct unit *u;
        struct err why = ERR_INIT;

        if (build_unit(&u, f->a, &roots->v[i], t, &why)) {
            if (why.code != ERR_IO || roots->n == 1) {
                *e = why;
                return e->code;
            }
            unread_add(&j->unread, f->a, roots->v[i].path, UNREAD_CLOSED, why.text);
            continue;
        }
        if (real && roots->v[i].kind == ROOT_CLUSTER) {
            if (unit_paths(u, e) || add_loose(f, u, e))
                return e->code;
        } else if (u->n_files) {
            j->units[j->n_units++] = u;
        }
    }
    qsort(j->units, j->n_units, sizeof(struct unit *), by_rank_and_time);
    return OK;
}

/* No root anywhere near: take the file itself, or the files that lie in the folder. */
static int take_loose(struct job_full *f, const struct root_list *none, const struct inventory_tables *t,
                      struct err *e)
{
    bool is_file = f->job.only;
    struct root r = { f->job.path, is_file ? ROOT_FILE : ROOT_LOOSE };
    struct root_list one = { .v = &r, .n = 1, .cap = 1 };

    if (build_units(f, &one, t, e))
        return e->code;
    if (f->job.n_units == 0 || !knows_a_file(f->job.units[0], t))
        return roots_none(none, f->job.path, is_file, e);
    return OK;
}

/* ---- places ---- */

/* A path as people know it. */
static const char *shown_of(struct arena *a, const char *path, const struct job_place *place)
{
    size_t n = place ? strlen(place->folder) : 0;

    if (!place || strncmp(path, place->folder, n) != 0)
        return path;
    return arena_printf(a, "%s%s", place->shown, path + n);
}

/* Where the file `name` of a place lies below the unit's root, or the unit in it; NULL: elsewhere. */
static const char *below_unit(const struct unit *u, const struct job_place *place, const char *name)
{
    size_t folder = strlen(place->folder), root = strlen(u->root), k = strlen(name);

    if (root <= folder)
        return name;
    const char *below = u->root + folder + 1;
    size_t n = root - folder - 1;
    if (strncmp(name, below, k) == 0 && (below[k] == '/' || !below[k]))
        return name;
    return strncmp(name, below, n) == 0 && name[n] == '/' ? name + n + 1 : NULL;
}

static int add_row(struct job_full *f, struct unit *u, const struct place_note *x, const char *rel,
                   const struct inventory_tables *t, struct err *e)
{
    struct source_file **v = arena_array(f->a, u->n_files + 1, sizeof(struct source_file *));
    struct source_file *row = arena_zalloc(f->a, sizeof(*row));
    const struct file_kind *k = kind_of_path(t, str_of(rel), NULL);

    if (!v || !row)
        return err_nomem(e);
    if (u->n_files)
        memcpy(v, u->files, u->n_files * sizeof(struct source_file *));
    *row = (struct source_file){ .rank = -1, .device = -1, .slice = -1, .stamp = -1, .state = x->state };
    for (size_t i = 0; i < u->n_files; i++)
        row->id = v[i]->id > row->id ? v[i]->id : row->id;
    row->id++;
    row->kind = k ? k : t->unknown;
    row->rel = arena_str(f->a, str_of(rel)).p;
    row->path = arena_printf(f->a, "%s/%s", u->root, rel);
    row->note = arena_str(f->a, str_of(x->text)).p;
    if (!row->rel || !row->path || !row->note)
        return err_nomem(e);
    v[u->n_files++] = row;
    u->files = v;
    return OK;
}

static int put_note(struct job_full *f, struct unit *u, const struct place_note *x, const char *rel,
                    const struct inventory_tables *t, struct err *e)
{
    for (size_t i = 0; i < u->n_files; i++) {
        struct source_file *file = u->files[i];
        bool missed = file->state == FS_ABSENT || file->state == FS_OFF;
        if (!(file->regular || (missed && x->state != FS_OK)) || strcmp(file->rel, rel) != 0)
            continue;
        if (missed) /* it was written, and is lost */
            file->state = x->state;
        else if (x->state == FS_TORN && (file->state == FS_UNREAD || file->state == FS_LISTED))
            file->state = FS_TORN;
        file->note = arena_str(f->a, str_of(x->text)).p;
        return file->note ? OK : err_nomem(e);
    }
    return x->state == FS_OK ? OK : add_row(f, u, x, rel, t, e);
}

/* What lies in no unit concerns all of them. */
static int put_notes(struct job_full *f, const struct job_place *place, const struct inventory_tables *t,
                     struct err *e)
{
    const char *whole = arena_printf(f->a, "%s/", path_base(place->shown));

    if (!whole)
        return err_nomem(e);
    for (size_t i = 0; i < place->n_notes; i++) {
        const struct place_note *x = &place->notes[i];
        bool owned = false;
        for (size_t u = 0; *x->name && u < f->job.n_units; u++)
            owned |= below_unit(f->job.units[u], place, x->name) != NULL;
        for (size_t u = 0; u < f->job.n_units; u++) {
            const char *rel = owned ? below_unit(f->job.units[u], place, x->name) : x->name;
            if (rel && put_note(f, f->job.units[u], x, *rel ? rel : whole, t, e))
                return e->code;
        }
    }
    return OK;
}

static int show_place(struct job_full *f, const struct job_place *place, const struct inventory_tables *t,
                      struct err *e)
{
    f->job.shown = shown_of(f->a, f->job.path, place);
    for (size_t i = 0; i < f->job.n_units; i++) {
        struct unit *u = f->job.units[i];
        u->shown = shown_of(f->a, u->root, place);
        if (!u->shown)
            return err_nomem(e);
    }
    if (!f->job.shown)
        return err_nomem(e);
    return place ? put_notes(f, place, t, e) : OK;
}

/* ---- the whole ---- */

static int scan(struct job_full *f, const char *path, const struct job_place *place,
                const struct inventory_tables *t, struct err *e)
{
    char real[PATH_MAX];
    struct root_list roots;
    struct stat st;

    if (!realpath(path, real) || stat(real, &st) != 0)
        return err_sys(e, errno, "cannot open: check the path");
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return err_set(e, ERR_FORMAT, "neither a folder nor a regular file");
    f->job.path = arena_str(f->a, str_of(real)).p;
    if (!f->job.path)
        return err_nomem(e);
    if (S_ISREG(st.st_mode))
        f->job.only = f->job.path;
    if (discover(&roots, f->job.path, f->job.only, place ? place->folder : NULL, t, f->a, e))
        return e->code;
    f->job.cut = roots.cut;
    f->job.unread = roots.unread;
    if (roots.n == 0 && roots.cut)
        return err_set(e, ERR_LIMIT,
                       "too many files to search (more than %d): give the folder of the profile itself",
                       LIM_SEARCH_ENTRIES);
    if (roots.n == 0)
        return take_loose(f, &roots, t, e);
    if (build_units(f, &roots, t, e))
        return e->code;
    return f->job.n_units ? OK : err_set(e, ERR_FORMAT, "the folder of the profile is empty");
}

int job_scan(struct job **out, const char *path, const struct inventory_tables *t, struct err *e)
{
    return job_scan_in(out, path, NULL, t, e);
}

int job_scan_in(struct job **out, const char *path, const struct job_place *place,
                const struct inventory_tables *t, struct err *e)
{
    struct job_full *f = calloc(1, sizeof(*f));
    struct inventory_tables fast = *t;

    *out = NULL;
    if (!f)
        return err_nomem(e);
    if (arena_new(&f->a, ARENA_MAX_B, e) == OK && kind_index_new(&fast.index, t, f->a, e) == OK &&
        scan(f, path, place, &fast, e) == OK && show_place(f, place, &fast, e) == OK &&
        runs_find(&f->job, e) == OK) {
        for (size_t i = 0; i < f->job.n_units; i++)
            f->job.units[i]->prefer = t->prefer;
        *out = &f->job;
        return OK;
    }
    err_where(e, path, ERR_NO_OFFSET, 0);
    job_free(&f->job);
    return e->code;
}

int job_of_logs(struct job **out, const char *path, const char *shown, struct err *e)
{
    struct job_full *f = calloc(1, sizeof(*f));
    char real[PATH_MAX];

    *out = NULL;
    if (!f)
        return err_nomem(e);
    if (!realpath(path, real)) {
        err_sys(e, errno, "cannot be opened");
        err_where(e, path, ERR_NO_OFFSET, 0);
    } else if (arena_new(&f->a, ARENA_MAX_B, e) == OK) {
        f->job.path = arena_str(f->a, str_of(real)).p;
        f->job.shown = arena_str(f->a, str_of(shown ? shown : real)).p;
        if (!f->job.path || !f->job.shown)
            err_nomem(e);
    }
    if (e->code)
        job_free(&f->job);
    else
        *out = &f->job;
    return e->code;
}

void job_free(struct job *j)
{
    struct job_full *f = (struct job_full *)j;

    if (!f)
        return;
    arena_free(f->a);
    free(f);
}
