/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of files in an import: which come first, which are left, which are read. */
#include "config.h"

#include "import/import_int.h"

#include <string.h>

#include "import/groups.h"
#include "import/precedence.h"

#define GLANCE_FROM_B ((uint64_t)16 << 20) /* less is read before anybody has looked */

static bool on_group_skip(void *arg, const struct source_file *f)
{
    return importer_is_skipped(arg, f);
}

static void on_group_progress(void *arg, const struct source_file *f, uint64_t done_b)
{
    struct importer *im = arg;

    im->progress.now = f->rel;
    im->progress.committed = false;
    importer_on_progress(im, done_b);
}

/* A run that died before it wrote any record leaves the folder of its collection, with info files at most. */
static bool has_records(const struct group_set *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->m[i].role != ROLE_PROF_INFO && s->m[i].c.f->size_b &&
            str_starts(str_of(s->m[i].c.f->rel), s->anchor)) /* not of files beside, which join each */
            return true;
    return false;
}

static bool are_of_one(const struct group_run *r, const struct group_set *a, const struct group_set *b)
{
    return a->kind == b->kind && group_set_rank(a, r->u) == group_set_rank(b, r->u);
}

/* Sets come newest first: one with records of the same kind and rank before the i-th, NULL: there is none. */
static const struct group_set *newer_of(const struct group_run *r, const struct group_list *l, size_t i)
{
    for (size_t k = 0; k < i && !l->sets[i].kind->results; k++)
        if (are_of_one(r, &l->sets[k], &l->sets[i]) && has_records(&l->sets[k]))
            return &l->sets[k];
    return NULL;
}

/* The i-th set has no records, and an older one of the same kind and rank has. */
static bool says_nothing(const struct group_run *r, const struct group_list *l, size_t i)
{
    bool older = false;

    for (size_t k = i + 1; k < l->n && !l->sets[i].kind->results; k++)
        older |= are_of_one(r, &l->sets[k], &l->sets[i]) && has_records(&l->sets[k]);
    return older && !has_records(&l->sets[i]);
}

/* Who watches need not wait for large files to see how a run ended. */
static int preview_group(struct importer *im, const struct group_run *r, struct group_set *s, struct err *e)
{
    if (!im->o->watched || group_set_bytes(s) < GLANCE_FROM_B)
        return OK;
    if (group_set_preview(r, s, e) == OK && s->previewed) {
        im->progress.committed = true;
        importer_report(im);
    }
    return e->code;
}

/* The form that is preferred is read before the files of the plan, which then give the rest. */
static bool comes_first(const struct importer *im, const struct group_set *s)
{
    return im->u->prefer == PREFER_DB ? s->kind->results : im->u->prefer == PREFER_RAW && !s->kind->results;
}

int importer_read_groups(struct importer *im, bool first, struct err *e)
{
    const struct group_run run = { .fill = im->fill,
                                   .u = im->u,
                                   .tmp = im->tmp,
                                   .skip = on_group_skip,
                                   .progress = on_group_progress,
                                   .arg = im,
                                   .threads = im->o->threads };
    struct group_list l;
    const struct source_file *last;

    if (groups_find(&l, im->u, e))
        return e->code;
    for (size_t i = 0; i < l.n && !importer_is_cancelled(im); i++) {
        struct group_set *set = &l.sets[i];
        const struct group_set *newer = newer_of(&run, &l, i);
        if (newer) { /* of another run: nothing of it belongs to this one */
            if (group_set_leave(&run, set, newer, e))
                break;
            continue;
        }
        if (says_nothing(&run, &l, i) || comes_first(im, set) != first)
            continue;
        if (!first && group_set_is_listed(im->u, set)) {
            if (group_set_rest(&run, set, e))
                break;
            continue;
        }
        if (group_set_choose(&run, set, e) || precedence_contest(&run, set, e))
            break;
        if (!set->wanted) {
            if (set->kind->results ? group_set_pass(&run, set, e) : group_set_rest(&run, set, e))
                break;
            continue;
        }
        im->progress.total_b += group_set_bytes(set);
        im->progress.files_total++;
        if (preview_group(im, &run, set, e))
            break;
        if (group_set_read(&run, set, e))
            break;
        im->set_base += group_set_bytes(set);
        im->progress.done_b = im->set_base;
        im->progress.files_done++;
        last = group_set_last(set, &im->progress.last_rows);
        im->progress.last = last ? last->rel : NULL;
        im->progress.committed = true;
        importer_report(im);
    }
    groups_done(&l);
    return e->code;
}

static bool is_member(const struct file_kind *k)
{
    for (size_t g = 0; g < registry_n_groups; g++)
        for (const struct group_member_kind *m = registry_groups[g].members; m->role != ROLE_NONE; m++)
            if (strcmp(m->kind, k->id) == 0)
                return true;
    return false;
}

int importer_say_alone(struct importer *im, struct err *e)
{
    if (im->cancelled)
        return OK;
    if (fill_begin(im->fill, 0, e))
        return e->code;
    for (size_t i = 0; i < im->u->n_files && !e->code; i++) {
        const struct source_file *f = im->u->files[i];
        const struct val id = val_int(f->id);
        if (is_member(f->kind) &&
            fill_update(im->fill,
                        "UPDATE source SET note = 'what its records belong to is not here; x shows them' "
                        "WHERE id = ? AND state = 'UNREAD' AND used IS NULL AND note IS NULL",
                        &id, 1, e))
            break;
    }
    return fill_close(im->fill, e->code, e);
}
