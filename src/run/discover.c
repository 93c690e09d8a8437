/* SPDX-License-Identifier: Apache-2.0 */
/* Finding run roots: tests on names and entries of folders, then down, then up. */
#include "config.h"

#include "run/discover.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/limits.h"
#include "run/prof_folder.h"

#define UNREAD_MAX 1000

struct search {
    const struct inventory_tables *t;
    struct arena *a;
    struct root_list *out;
    size_t seen;   /* entries looked at */
    size_t unread; /* folders that stayed closed */
    size_t floor;  /* length of the path of the highest folder that is looked at */
};

/* Parts of a root that may look like one (doc/formats/analysed.md#layouts). */
static bool is_part_name(const char *name)
{
    static const char *const parts[] = { "ASCEND_PROFILER_OUTPUT",
                                         "FRAMEWORK",
                                         "mindstudio_profiler_output",
                                         "mindstudio_profiler_log",
                                         "analy{z,s}e",
                                         PROF_DEVICE,
                                         "host",
                                         "data",
                                         "sqlite",
                                         "summary",
                                         "timeline",
                                         "query",
                                         "log{*}",
                                         "host_info",
                                         "hccl_info{*}",
                                         "container" };

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (kind_pattern_match(parts[i], str_of(name), NULL))
            return true;
    return false;
}

static bool has_child(const struct dir_list *l, const char *pattern, enum dir_type type)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].type == type && kind_pattern_match(pattern, str_of(l->v[i].name), NULL))
            return true;
    return false;
}

/* Files of MindSpore 1.x carry the number of their rank or device. */
static bool has_flat_file(const struct inventory_tables *t, const struct dir_list *l)
{
    const unsigned flat = 1u << GEN_1 | 1u << GEN_1B;

    for (size_t i = 0; i < l->n; i++) {
        struct kind_match m;
        const struct file_kind *k =
            l->v[i].type == DIR_FILE ? kind_of_path(t, str_of(l->v[i].name), &m) : NULL;

        if (k && m.which == 'N' && (k->gens & flat) && !(k->gens & ~(flat | 1u << GEN_2)))
            return true;
    }
    return false;
}

static bool has_cluster_file(const struct inventory_tables *t, const struct dir_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct file_kind *k =
            l->v[i].type == DIR_FILE ? kind_of_path(t, str_of(l->v[i].name), NULL) : NULL;

        if (k && k->gens == 1u << GEN_C && k->panes != PANE_BIT(PANE_FILES))
            return true;
    }
    return false;
}

static bool is_rank_root(const char *name, const struct dir_list *l)
{
    bool raw = has_child(l, "FRAMEWORK", DIR_DIR);
    bool prof = has_child(l, PROF_FOLDER, DIR_DIR);
    bool info = has_child(l, "profiler_info{*}.json", DIR_FILE);

    if (raw && prof)
        return strcmp(name, "profiler") != 0; /* flat folders of MindSpore 2.x have them too */
    return info && (raw || prof) && strcmp(name, "profiler") != 0;
}

static bool is_prof_root(const char *name, const struct dir_list *l)
{
    bool parts = has_child(l, "host", DIR_DIR) || has_child(l, PROF_DEVICE, DIR_DIR);
    bool exported = has_child(l, "mindstudio_profiler_output", DIR_DIR);

    if (prof_folder_is(str_of(name)) || (parts && strncmp(name, "PROF_", 5) == 0))
        return parts || exported || has_child(l, "msprof_{T}.db", DIR_FILE);
    return parts && (exported || has_child(l, "mindstudio_profiler_log", DIR_DIR));
}

static bool is_job_root(const char *name, const struct dir_list *l)
{
    return strncmp(name, "JOB", 3) == 0 &&
           (has_child(l, "host_start.log.{D}", DIR_FILE) || has_child(l, "info.json.{D}", DIR_FILE) ||
            has_child(l, "{*}.slice_{K}", DIR_FILE));
}

/* The kind of root that a folder of this name with these entries is. */
static enum root_kind root_of(const struct inventory_tables *t, const char *name, const struct dir_list *l)
{
    if (is_part_name(name))
        return ROOT_NONE;
    if (kind_pattern_match("{*}_ascend_{ms,pt}", str_of(name), NULL) ||
        has_child(l, "ASCEND_PROFILER_OUTPUT", DIR_DIR))
        return ROOT_RANK;
    if (has_flat_file(t, l))
        return ROOT_FLAT;
    if (is_rank_root(name, l))
        return ROOT_RANK;
    if (strcmp(name, "profiler") == 0 &&
        (has_child(l, PROF_FOLDER, DIR_DIR) || has_child(l, "JOB{*}", DIR_DIR)))
        return ROOT_FLAT;
    if (is_prof_root(name, l))
        return ROOT_PROF;
    if (is_job_root(name, l))
        return ROOT_JOB;
    if (strcmp(name, "cluster_analysis_output") == 0 || has_cluster_file(t, l))
        return ROOT_CLUSTER;
    return ROOT_NONE;
}

static int add_root(struct search *s, const char *path, enum root_kind kind, struct err *e)
{
    struct root_list *o = s->out;

    for (size_t i = 0; i < o->n; i++)
        if (strcmp(o->v[i].path, path) == 0)
            return OK;
    if (o->n == o->cap) {
        size_t cap = o->cap ? o->cap * 2 : 16;
        struct root *v = arena_array(s->a, cap, sizeof(*v));

        if (!v)
            return err_nomem(e);
        if (o->n)
            memcpy(v, o->v, o->n * sizeof(*v));
        o->v = v;
        o->cap = cap;
    }
    o->v[o->n].path = arena_str(s->a, str_of(path)).p;
    o->v[o->n].kind = kind;
    return o->v[o->n++].path ? OK : err_nomem(e);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static const char *join(struct search *s, const char *dir, const char *name)
{
    return arena_printf(s->a, "%s/%s", strcmp(dir, "/") == 0 ? "" : dir, name);
}

void unread_add(struct unread_folder **list, struct arena *a, const char *path, const struct err *why)
{
    struct unread_folder *f = arena_zalloc(a, sizeof(*f));

    while (*list)
        list = &(*list)->next;
    if (!f)
        return;
    f->path = arena_str(a, str_of(path)).p;
    f->why = arena_str(a, str_of(why->text)).p;
    if (f->path && f->why)
        *list = f;
}

/* List one folder. */
static int list_dir(struct search *s, const char *path, struct dir_list *l, struct err *e)
{
    size_t left = LIM_DIR_ENTRIES > s->seen ? LIM_DIR_ENTRIES - s->seen : 0;
    int fd = dir_open(AT_FDCWD, path);
    int rc;

    *l = (struct dir_list){ 0 };
    if (fd < 0)
        return err_sys(e, errno, "cannot open the folder");
    rc = dir_read(l, fd, left, false, s->a, e);
    close(fd);
    s->seen += l->n;
    s->out->cut |= l->cut;
    return rc;
}

static bool list_quietly(struct search *s, const char *path, struct dir_list *l)
{
    struct err e = ERR_INIT;

    return list_dir(s, path, l, &e) == OK;
}

/* A PROF folder that was given another name: it is recognised by info.json in its host or device_N. */
static bool is_renamed_prof(struct search *s, const char *path, const struct dir_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const char *name = l->v[i].name, *p;
        struct dir_list below;

        if (l->v[i].type != DIR_DIR || prof_part_of(str_of(name)) == PROF_PART_NONE)
            continue;
        p = join(s, path, name);
        if (p && list_quietly(s, p, &below) && has_child(&below, "info.json{*}", DIR_FILE))
            return true;
    }
    return false;
}

static enum root_kind test_folder(struct search *s, const char *path, const struct dir_list *l)
{
    enum root_kind k = root_of(s->t, last_part(path), l);

    return k == ROOT_NONE && !is_part_name(last_part(path)) && is_renamed_prof(s, path, l) ? ROOT_PROF : k;
}

/*
 * The same on the way down, where a folder that stays closed may hide a unit. One that was removed meanwhile
 * hides nothing.
 */
static bool list_below(struct search *s, const char *path, struct dir_list *l)
{
    struct err e = ERR_INIT;

    if (list_dir(s, path, l, &e) == OK)
        return true;
    if (e.sys == ENOENT)
        return false;
    if (s->unread++ < UNREAD_MAX)
        unread_add(&s->out->unread, s->a, path, &e);
    else
        s->out->cut = true;
    return false;
}

/* A PROF or JOB folder belongs to the rank root or flat folder it lies in. */
static int add_prof(struct search *s, const char *path, enum root_kind kind, struct err *e)
{
    const char *slash = strrchr(path, '/');
    struct dir_list l;

    if (slash && slash != path && (size_t)(slash - path) >= s->floor) {
        const char *parent = arena_str(s->a, (struct str){ path, (size_t)(slash - path) }).p;

        if (!parent)
            return err_nomem(e);
        if (list_quietly(s, parent, &l)) {
            enum root_kind k = test_folder(s, parent, &l);

            if (k == ROOT_RANK || k == ROOT_FLAT)
                return add_root(s, parent, k, e);
        }
    }
    return add_root(s, path, kind, e);
}

/* A flat folder may hold the rank folders of MindSpore 2.3 and 2.4: units of their own. */
static int add_nested(struct search *s, const char *path, const struct dir_list *l, struct err *e)
{
    for (size_t i = 0; i < l->n; i++) {
        if (l->v[i].type != DIR_DIR || !kind_pattern_match("{*}_ascend_{ms,pt}", str_of(l->v[i].name), NULL))
            continue;
        const char *p = join(s, path, l->v[i].name);

        if (!p)
            return err_nomem(e);
        if (add_root(s, p, ROOT_RANK, e))
            return e->code;
    }
    return OK;
}

/* Roots in and below a folder whose entries are in l. The recursion is DISCOVER_DOWN deep at most. */
static int search_down(struct search *s, const char *path, const struct dir_list *l, int levels,
                       struct err *e)
{
    enum root_kind k = test_folder(s, path, l);

    if (k != ROOT_NONE && add_root(s, path, k, e))
        return e->code;
    if (k == ROOT_FLAT)
        return add_nested(s, path, l, e);
    if ((k != ROOT_NONE && k != ROOT_CLUSTER) || levels == 0)
        return OK;
    for (size_t i = 0; i < l->n; i++) {
        struct dir_list below;
        const char *p;

        if (l->v[i].type != DIR_DIR || l->v[i].name[0] == '.')
            continue;
        p = join(s, path, l->v[i].name);
        if (!p)
            return err_nomem(e);
        if (list_below(s, p, &below) && search_down(s, p, &below, levels - 1, e))
            return e->code;
    }
    return OK;
}

/* The nearest root that path lies in. */
static int search_up(struct search *s, const char *path, bool itself, struct err *e)
{
    struct str at = str_of(path);

    for (int level = 0; level <= DISCOVER_UP && at.n && at.n >= s->floor; level++) {
        struct str name = arena_str(s->a, at);
        struct dir_list l;
        enum root_kind k;

        if (!name.p)
            return err_nomem(e);
        k = (level || itself) && list_quietly(s, name.p, &l) ? test_folder(s, name.p, &l) : ROOT_NONE;
        if (k == ROOT_PROF || k == ROOT_JOB)
            return add_prof(s, name.p, k, e);
        if (k != ROOT_NONE)
            return add_root(s, name.p, k, e);
        at = str_sub(at, 0, str_rchr(at, '/'));
    }
    return OK;
}

int discover(struct root_list *out, const char *path, bool is_file, const char *floor,
             const struct inventory_tables *t, struct arena *a, struct err *e)
{
    struct search s = { .t = t, .a = a, .out = out, .floor = floor ? strlen(floor) : 0 };
    struct dir_list l;
    enum root_kind k;

    *out = (struct root_list){ 0 };
    if (is_file) {
        struct str dir = str_sub(str_of(path), 0, str_rchr(str_of(path), '/'));
        const char *p = dir.n ? arena_str(a, dir).p : "/";

        return p ? search_up(&s, p, true, e) : err_nomem(e);
    }
    if (list_dir(&s, path, &l, e))
        return e->code;
    out->empty = l.n == 0;
    k = test_folder(&s, path, &l);
    if (k == ROOT_PROF || k == ROOT_JOB)
        return add_prof(&s, path, k, e);
    if (k == ROOT_NONE && is_part_name(last_part(path)) && search_up(&s, path, false, e))
        return e->code;
    if (out->n == 0 && search_down(&s, path, &l, DISCOVER_DOWN, e))
        return e->code;
    if (out->n == 0 && search_up(&s, path, false, e))
        return e->code;
    return OK;
}
