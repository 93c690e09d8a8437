/* SPDX-License-Identifier: Apache-2.0 */
/* A PROF folder: which folders hold data, and which file is what. */
#include "config.h"

#include "parsers/prof/prof.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "parsers/prof/meta.h"
#include "parsers/prof/meta_mend.h"
#include "parsers/prof/names.h"
#include "run/inventory.h"
#include "run/prof_folder.h"

#define HOST_DEVICE 64                /* number of the host among devices (doc/formats/prof.md#folder) */
#define MEMORY_MAX  ((size_t)1 << 30) /* of small things */

/* ---- folders ---- */

/* Below root: "host/..." or "device_N/..."; the folder's name with its '/', and what follows. */
static bool split(struct str root, const char *rel, struct str *folder, struct str *rest)
{
    struct str s = str_of(rel);

    if (!str_starts(s, root))
        return false;
    s = str_sub(s, root.n, SIZE_MAX);
    size_t slash = str_chr(s, '/');
    if (slash == SIZE_MAX)
        return false;
    *folder = str_sub(s, 0, slash + 1);
    *rest = str_sub(s, slash + 1, SIZE_MAX);
    return true;
}

struct finding {
    struct prof *p;
    struct prof_folder *v[N_PROF_PARTS]; /* by prof_part_of() */
    const struct source_file *(*info_file)[N_INFO_FILES];
};

static struct prof_folder *folder_at(struct finding *g, struct str folder, int part,
                                     const struct source_file *f)
{
    bool host = part == PROF_PART_HOST;

    if (!host && g->p->in.device >= 0 && part != g->p->in.device)
        return NULL;
    struct prof_folder **at = &g->v[part];
    if (!*at && (*at = arena_zalloc(g->p->a, sizeof **at)) != NULL) {
        struct str rel = str_of(f->rel);
        (*at)->host = host;
        (*at)->device = host ? HOST_DEVICE : part;
        (*at)->rel = str_sub(rel, 0, g->p->in.root.n + folder.n);
        (*at)->lost = arena_zalloc(g->p->a, N_PROF_TAGS * sizeof *(*at)->lost);
        *at = (*at)->lost ? *at : NULL;
    }
    return *at;
}

static void place_data(struct prof_folder *d, const struct source_file *f)
{
    struct str base = str_of(path_base(f->rel));

    for (size_t t = 0; t < N_PROF_TAGS; t++)
        for (size_t i = 0; prof_tags[t].host == d->host && i < ARRAY_LEN(prof_tags[t].patterns); i++) {
            if (!prof_tags[t].patterns[i] || !kind_pattern_match(prof_tags[t].patterns[i], base, NULL))
                continue;
            bool ages = d->host && t < PROF_HCCS;
            size_t slot = ages && !str_starts(base, STR("unaging."));
            while (!ages && slot < PROF_NAMES && d->file[t][slot])
                slot++;
            if (slot < PROF_NAMES && !d->file[t][slot])
                d->file[t][slot] = f;
            return;
        }
}

/* Of two info files of a kind the first by name is taken. */
static void place(struct finding *g, const struct source_file *f)
{
    struct str folder, rest;
    struct prof_folder *d;

    if (!f->regular || f->superseded || f->later_slice || !split(g->p->in.root, f->rel, &folder, &rest))
        return;
    int part = prof_part_of(str_sub(folder, 0, folder.n - 1));
    if (part == PROF_PART_NONE || !(d = folder_at(g, folder, part, f)))
        return;
    enum prof_info_file info_file = prof_info_file_of(path_base(f->rel));
    const struct source_file **at =
        info_file == N_INFO_FILES || str_chr(rest, '/') != SIZE_MAX ? NULL : &g->info_file[part][info_file];
    if (at && !*at)
        *at = f;
    else if (!at)
        place_data(d, f);
}

/* Notes chips that differ, and those that are no number. */
static void report_chips(struct prof *p)
{
    for (size_t i = 0; i <= p->n_devices; i++) {
        struct prof_folder *f = i ? p->device[i - 1] : p->host;
        if (!f || f->meta.lacks & 1u << INFO_FILE_INFO)
            continue;
        if (f->meta.platform < 0)
            prof_note(p, f, N_PROF_TAGS, NOTE_NEWER,
                      "platform_version of info.json names no chip that is known by number: its "
                      "records are read as their files look");
        else if (f->meta.platform != p->platform)
            prof_note(p, f, N_PROF_TAGS, NOTE_NEWER,
                      "info.json says chip %d, that of the %s %d: all is read as of the latter",
                      f->meta.platform, p->n_devices ? "first device" : "host", p->platform);
    }
}

static int adopt(struct finding *g, struct err *e)
{
    struct prof *p = g->p;

    p->device = arena_array(p->a, PROF_PART_HOST, sizeof *p->device);
    if (!p->device)
        return err_nomem(e);
    for (size_t i = 0; i < N_PROF_PARTS; i++) {
        if (!g->v[i])
            continue;
        if (i == PROF_PART_HOST)
            p->host = g->v[i];
        else
            p->device[p->n_devices++] = g->v[i];
        if (prof_meta_read(p, g->v[i], g->info_file[i], e))
            return e->code;
    }
    if (!p->host && !p->n_devices)
        return err_set(e, ERR_FORMAT, "no host or device_N folder with data");
    for (size_t i = 0; i <= p->n_devices; i++)
        if (i || p->host)
            prof_meta_mend(p, i ? p->device[i - 1] : p->host);
    p->platform = p->n_devices ? p->device[0]->meta.platform : p->host->meta.platform;
    if (p->platform < 0 && p->host)
        p->platform = p->host->meta.platform;
    p->chip = chip_of(p->platform);
    report_chips(p);
    return OK;
}

static int find_folders(struct prof *p, struct err *e)
{
    struct finding *g = arena_zalloc(p->a, sizeof *g);

    if (g)
        g->info_file = arena_array(p->a, N_PROF_PARTS, sizeof *g->info_file);
    if (!g || !g->info_file)
        return err_nomem(e);
    g->p = p;
    for (size_t i = 0; i < p->in.n; i++)
        place(g, p->in.files[i]);
    return adopt(g, e);
}

static int make_known(struct prof *p, struct err *e)
{
    uint32_t last = 0;

    for (size_t i = 0; i < p->in.n; i++)
        last = p->in.files[i]->id > last ? p->in.files[i]->id : last;
    p->known_b = last / 8 + 1;
    p->known = arena_zalloc(p->a, p->known_b);
    p->noted = arena_array(p->a, PROF_NOTED, sizeof *p->noted);
    return p->known && p->noted ? OK : err_nomem(e);
}

int prof_open(struct prof **out, const struct prof_input *in, struct err *e)
{
    struct prof *p = calloc(1, sizeof *p);

    *out = NULL;
    if (!p)
        return err_nomem(e);
    p->in = *in;
    sink_quiet_init(&p->again, p->in.notes);
    if (!p->in.notes)
        p->in.notes = &p->again.sink;
    if (arena_new(&p->a, MEMORY_MAX, e) == OK && spool_usual(&p->spool, e) == OK && make_known(p, e) == OK &&
        prof_names_new(p, NULL, e) == OK && find_folders(p, e) == OK && prof_names_read(p, e) == OK) {
        *out = p;
        return OK;
    }
    prof_close(p);
    return e->code;
}

int prof_view(struct prof **out, const struct prof *p, struct sink *notes, struct err *e)
{
    struct prof *v = malloc(sizeof *v);

    *out = NULL;
    if (!v)
        return err_nomem(e);
    *v = *p;
    v->in.notes = notes;
    sink_quiet_init(&v->again, notes);
    v->a = NULL;
    v->is_view = true;
    v->names = NULL;
    v->reading = NULL;
    if (arena_new(&v->a, MEMORY_MAX, e) == OK && prof_names_new(v, p->names, e) == OK) {
        v->known = arena_alloc(v->a, p->known_b);
        v->noted = arena_array(v->a, PROF_NOTED, sizeof *v->noted);
        if (v->known && v->noted) {
            memcpy(v->known, p->known, p->known_b);
            memcpy(v->noted, p->noted, PROF_NOTED * sizeof *v->noted);
            *out = v;
            return OK;
        }
        err_nomem(e);
    }
    prof_close(v);
    return e->code;
}

void prof_view_join(struct prof *p, const struct prof *view)
{
    for (size_t i = 0; i < p->known_b; i++)
        p->known[i] |= view->known[i];
    for (size_t i = 0; i < PROF_NOTED; i++)
        if (view->noted[i])
            (void)prof_was_noted(p, view->noted[i]);
}

void prof_close(struct prof *p)
{
    if (!p)
        return;
    if (!p->is_view)
        spool_close(p->spool);
    prof_names_free(p->names);
    arena_free(p->a);
    free(p);
}
