/* SPDX-License-Identifier: Apache-2.0 */
/* Finding run roots: tests on names and entries of folders, then down, then up. */
#include "config.h"

#include "run/find/discover.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"
#include "base/sig.h"
#include "run/dir.h"
#include "run/find/search_kept.h"
#include "run/prof_folder.h"

#define UNREAD_MAX 1000 /* of each reason */
#define LISTS_B    ((size_t)512 << 20)

/* A folder that will be looked at. */
struct waiting {
    const char *path;
    int level; /* below the start */
    struct waiting *next;
};

struct search {
    const struct inventory_tables *t;
    struct arena *a;     /* of the result */
    struct arena *lists; /* of the folder that is looked at */
    struct root_list *out;
    const char *path; /* where it starts */
    struct waiting *first, **last;
    size_t seen; /* entries looked at */
    size_t unread[N_UNREAD];
    size_t floor; /* length of the path of the highest folder that is looked at */
    struct search_kept kept;
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

/* What the files of a folder say of it. */
struct file_signs {
    bool flat;    /* files of MindSpore 1.x, which carry the number of their rank or device */
    bool cluster; /* output of a cluster analysis */
    bool whole;   /* one that is a profile of its own */
};

static struct file_signs read_signs(const struct inventory_tables *t, const struct dir_list *l)
{
    const unsigned flat = 1u << GEN_1 | 1u << GEN_1B;
    struct file_signs s = { false, false, false };

    for (size_t i = 0; i < l->n && !s.flat; i++) {
        struct kind_match m;
        const struct file_kind *k =
            l->v[i].type == DIR_FILE ? kind_of_path(t, str_of(l->v[i].name), &m) : NULL;

        if (!k)
            continue;
        s.flat = m.which == 'N' && (k->gens & flat) && !(k->gens & ~(flat | 1u << GEN_2));
        s.whole |= k->whole;
        s.cluster |= k->gens == 1u << GEN_C && k->panes != PANE_BIT(PANE_FILES);
    }
    return s;
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
            has_child(l, "{*}.slice_{K}", DIR_FILE) || has_child(l, "data", DIR_DIR));
}

/* Folders of msMemScope and of msOpProf (doc/formats/analysed.md#layouts). */
static bool is_tool_root(const char *name)
{
    static const char *const names[] = { "msmemscope_{*}_ascend", "memscopeDumpResults", "leaksDumpResults",
                                         "OPPROF_{*}" };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (kind_pattern_match(names[i], str_of(name), NULL))
            return true;
    return false;
}

/* The kind of root that a folder of this name with these entries is. */
static enum root_kind root_of(const struct inventory_tables *t, const char *name, const struct dir_list *l)
{
    struct file_signs files;

    if (is_part_name(name))
        return ROOT_NONE;
    if (kind_pattern_match("{*}_ascend_{ms,pt}", str_of(name), NULL) ||
        has_child(l, "ASCEND_PROFILER_OUTPUT", DIR_DIR))
        return ROOT_RANK;
    files = read_signs(t, l);
    if (files.flat)
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
    if (is_tool_root(name))
        return ROOT_TOOL;
    if (strcmp(name, "cluster_analysis_output") == 0 || files.cluster)
        return ROOT_CLUSTER;
    return files.whole ? ROOT_LOOSE : ROOT_NONE;
}

static int add_root(struct search *s, const char *path, enum root_kind kind, struct err *e)
{
    return root_add(s->out, s->a, path, kind, e);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static const char *join(struct arena *a, const char *dir, const char *name)
{
    return arena_printf(a, "%s/%s", strcmp(dir, "/") == 0 ? "" : dir, name);
}

/* A folder that is not entered. */
static void leave_out(struct search *s, const char *path, enum unread_why why, const char *text)
{
    if (s->unread[why]++ < UNREAD_MAX)
        unread_add(&s->out->unread, s->a, path, why, text);
    else
        s->out->cut |= why == UNREAD_CLOSED || why == UNREAD_DEEP;
}

/* The search rests on this folder as it is now. */
static void note_folder(struct search *s, const char *path, int fd)
{
    struct stat st;

    if (s->t->stamp && (fd >= 0 ? fstat(fd, &st) : lstat(path, &st)) == 0)
        search_kept_folder(&s->kept, path, &st);
}

/* List one folder. */
static int list_dir(struct search *s, const char *path, struct dir_list *l, struct err *e)
{
    size_t left = LIM_SEARCH_ENTRIES > s->seen ? LIM_SEARCH_ENTRIES - s->seen : 0;
    int fd = dir_open(AT_FDCWD, path);
    int rc, sys = errno;

    *l = (struct dir_list){ 0 };
    note_folder(s, path, fd);
    if (fd < 0)
        return err_sys(e, sys, "cannot open the folder");
    rc = dir_read(l, fd, left, s->lists, e);
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
        p = join(s->lists, path, name);
        if (p && list_quietly(s, p, &below) && has_child(&below, "info.json{*}", DIR_FILE))
            return true;
    }
    return false;
}

static enum root_kind test_folder(struct search *s, const char *path, const struct dir_list *l)
{
    enum root_kind k = root_of(s->t, last_part(path), l);
    bool maybe = k == ROOT_LOOSE || (k == ROOT_NONE && !is_part_name(last_part(path)));

    return maybe && is_renamed_prof(s, path, l) ? ROOT_PROF : k;
}

/*
 * The same on the way down, where a folder that stays closed may hide a unit. One that was removed meanwhile
 * hides nothing. ERR_NOMEM.
 */
static int list_below(struct search *s, const char *path, struct dir_list *l, bool *open, struct err *e)
{
    struct err why = ERR_INIT;

    *open = list_dir(s, path, l, &why) == OK;
    if (why.code == ERR_NOMEM)
        return err_nomem(e);
    if (!*open && why.sys != ENOENT)
        leave_out(s, path, UNREAD_CLOSED, why.text);
    return OK;
}

/* A PROF or JOB folder belongs to the rank root or flat folder it lies in. */
static int add_prof(struct search *s, const char *path, enum root_kind kind, struct err *e)
{
    const char *slash = strrchr(path, '/');
    struct dir_list l;

    if (slash && slash != path && (size_t)(slash - path) >= s->floor) {
        const char *parent = arena_str(s->lists, (struct str){ path, (size_t)(slash - path) }).p;

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
        const char *p = join(s->lists, path, l->v[i].name);

        if (!p)
            return err_nomem(e);
        if (add_root(s, p, ROOT_RANK, e))
            return e->code;
    }
    return OK;
}

/* ---- down ---- */

/* A link that leads to a folder elsewhere: what is below the start is found without it. */
static int meet_link(struct search *s, const char *path, struct err *e)
{
    char real[PATH_MAX];
    size_t n = strlen(s->path);
    struct stat st;

    if (!path)
        return err_nomem(e);
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode) || !realpath(path, real))
        return OK;
    if (strncmp(real, s->path, n) != 0 || (real[n] != '/' && real[n] != '\0' && n > 1))
        leave_out(s, path, UNREAD_LINK, "a link to a folder elsewhere: not followed");
    return OK;
}

static int meet_archive(struct search *s, const char *path, struct err *e)
{
    if (!path)
        return err_nomem(e);
    leave_out(s, path, UNREAD_ARCHIVE, "an archive: not opened, its path opens it");
    return OK;
}

static int put_off(struct search *s, const char *path, int level, struct err *e)
{
    struct waiting *w = arena_zalloc(s->a, sizeof(*w));

    if (!w || !path)
        return err_nomem(e);
    w->path = path;
    w->level = level;
    *s->last = w;
    s->last = &w->next;
    return OK;
}

static int meet_folder(struct search *s, const char *path, const char *name, int level, struct err *e)
{
    const char *p;

    if (name[0] != '.' && level < DISCOVER_DOWN)
        return put_off(s, join(s->a, path, name), level + 1, e);
    p = join(s->lists, path, name);
    if (!p)
        return err_nomem(e);
    if (name[0] == '.')
        leave_out(s, p, UNREAD_HIDDEN, "its name begins with a point: not searched");
    else
        leave_out(s, p, UNREAD_DEEP, "too many folders deep: not searched");
    return OK;
}

/* A folder with these entries: it is a root, or those in it come later. */
static int look_at(struct search *s, const char *path, const struct dir_list *l, int level, struct err *e)
{
    enum root_kind k = test_folder(s, path, l);

    if (k != ROOT_NONE && add_root(s, path, k, e))
        return e->code;
    if (k == ROOT_FLAT)
        return add_nested(s, path, l, e);
    if (k != ROOT_NONE && k != ROOT_CLUSTER && k != ROOT_LOOSE)
        return OK;
    for (size_t i = 0; i < l->n && !e->code; i++) {
        if (l->v[i].type == DIR_DIR)
            (void)!meet_folder(s, path, l->v[i].name, level, e);
        else if (l->v[i].type == DIR_LINK)
            (void)!meet_link(s, join(s->lists, path, l->v[i].name), e);
        else if (l->v[i].type == DIR_FILE && path_is_archive(l->v[i].name))
            (void)!meet_archive(s, join(s->lists, path, l->v[i].name), e);
    }
    return e->code;
}

/*
 * Roots in and below a folder whose entries are in l. Level by level, so that a limit leaves out what lies
 * deepest.
 */
static int search_down(struct search *s, const char *path, const struct dir_list *l, struct err *e)
{
    s->last = &s->first;
    if (look_at(s, path, l, 0, e))
        return e->code;
    for (const struct waiting *w = s->first; w; w = w->next) {
        struct dir_list below;
        bool open;

        if (sig_stop())
            return err_set(e, ERR_CANCELLED, "interrupted");
        arena_reset(s->lists);
        if (s->seen >= LIM_SEARCH_ENTRIES) {
            s->out->cut = true;
            return OK;
        }
        if (list_below(s, w->path, &below, &open, e) || (open && look_at(s, w->path, &below, w->level, e)))
            return e->code;
    }
    return OK;
}

/* Files beside the folders of runs belong to none of them. */
static void drop_loose_above(struct root_list *o)
{
    size_t n = 0;

    for (size_t i = 0; i < o->n; i++) {
        bool above = false;

        for (size_t k = 0; o->v[i].kind == ROOT_LOOSE && k < o->n; k++)
            above |= o->v[k].kind != ROOT_LOOSE && path_is_below(o->v[k].path, o->v[i].path);
        if (!above)
            o->v[n++] = o->v[i];
    }
    o->n = n;
}

/* ---- up ---- */

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
        if (k != ROOT_NONE && k != ROOT_LOOSE)
            return add_root(s, name.p, k, e);
        at = str_sub(at, 0, str_rchr(at, '/'));
    }
    return OK;
}

/* ---- all ---- */

/* What the path lies in comes before files of it that are found by their names alone. */
static int search_around(struct search *s, const char *path, struct err *e)
{
    size_t loose = 0, n = s->out->n;

    while (loose < n && s->out->v[loose].kind == ROOT_LOOSE)
        loose++;
    if (loose < n || search_up(s, path, false, e) || s->out->n == n)
        return e->code;
    s->out->v[0] = s->out->v[n];
    s->out->n = 1;
    return OK;
}

static int search_folder(struct search *s, struct err *e)
{
    const char *path = s->path;
    struct dir_list l;
    enum root_kind k;

    if (list_dir(s, path, &l, e))
        return e->code;
    s->out->empty = l.n == 0;
    k = test_folder(s, path, &l);
    if (k == ROOT_PROF || k == ROOT_JOB)
        return add_prof(s, path, k, e);
    if (k == ROOT_NONE && is_part_name(last_part(path)) && search_up(s, path, false, e))
        return e->code;
    if (s->out->n == 0 && search_down(s, path, &l, e))
        return e->code;
    drop_loose_above(s->out);
    return search_around(s, path, e);
}

/* The folder that the file lies in is the lowest one that can be a root. */
static int search_of_file(struct search *s, struct err *e)
{
    struct str dir = str_sub(str_of(s->path), 0, str_rchr(str_of(s->path), '/'));
    const char *p = dir.n ? arena_str(s->a, dir).p : "/";

    return p ? search_up(s, p, true, e) : err_nomem(e);
}

int discover(struct root_list *out, const char *path, bool is_file, const char *floor,
             const struct inventory_tables *t, struct arena *a, struct err *e)
{
    struct search s = { .t = t, .a = a, .out = out, .path = path, .floor = floor ? strlen(floor) : 0 };
    bool keeps = t->stamp && !is_file && !floor;

    *out = (struct root_list){ 0 };
    if (keeps && search_kept_load(out, path, t->stamp, a))
        return OK;
    if (arena_new(&s.lists, LISTS_B, e))
        return e->code;
    search_kept_begin(&s.kept);
    if ((is_file ? search_of_file(&s, e) : search_folder(&s, e)) == OK && keeps)
        search_kept_save(&s.kept, out, s.seen, path, t->stamp);
    search_kept_done(&s.kept);
    arena_free(s.lists);
    return e->code;
}
