/* SPDX-License-Identifier: Apache-2.0 */
/* What rows of all tables need: rank, file and texts of a folder, whether all tasks are wanted. */
#include "config.h"

#include "parsers/parsers.h"
#include "parsers/prof/device/devices.h"
#include "parsers/prof/rows/rows.h"
#include "run/prof_folder.h"
#include <stdlib.h>

const struct prof_how prof_rows_all = { .to = UINT64_MAX };

int prof_rows_rank(const struct prof_rows *r, const struct prof_folder *f)
{
    const struct runinfo *run = r->g->run;

    for (size_t i = 0; f && !f->host && i < run->n_ranks; i++)
        if (run->ranks[i].device == f->device)
            return run->ranks[i].rank;
    return r->g->rank;
}

int prof_rows_own_rank(const struct prof_rows *r)
{
    return r->m.p ? prof_rows_rank(r, r->m.p->host) : r->g->rank;
}

uint32_t prof_rows_id(struct prof_rows *r, uint32_t text)
{
    if (text == PROF_NONE || text >= r->n_ids)
        return sink_intern(r->g->out, prof_str(r->m.p, text));
    if (!r->id[text])
        r->id[text] = sink_intern(r->g->out, prof_str(r->m.p, text));
    return r->id[text];
}

uint32_t prof_rows_source(const struct prof_folder *f, enum prof_tag tag)
{
    for (size_t i = 0; f && i < ARRAY_LEN(f->file[tag]); i++)
        if (f->file[tag][i])
            return f->file[tag][i]->id;
    return 0;
}

struct str prof_rows_task_name(const struct prof_rows *r, const struct prof_task *t)
{
    const struct prof_host_task *h = t->host == PROF_NONE ? NULL : &r->m.host.task[t->host];
    const char *word = prof_device_word(r->m.p, t);

    if (h && h->op != PROF_NONE)
        return prof_str(r->m.p, r->m.host.op[h->op].name);
    if (h && h->comm != PROF_NONE)
        return prof_str(r->m.p, r->m.host.comm[h->comm].item);
    if (h && h->type != PROF_NONE)
        return prof_str(r->m.p, h->type);
    return str_of(word ? word : "task");
}

/* The PROF folder below the unit's root: its members are in host/ or device_N/ or further down. */
static struct str root_of(const struct group_ctx *g)
{
    struct str root;

    for (size_t i = 0; i < g->n; i++)
        if (prof_folder_of(str_of(g->m[i].c.f->rel), &root))
            return root;
    return STR("");
}

int prof_rows_open(struct prof_rows *r, struct prof_input *in, struct err *e)
{
    const struct source_file **files = arena_array(r->g->tmp, r->g->n + 1, sizeof *files);

    if (!files)
        return err_nomem(e);
    for (size_t i = 0; i < r->g->n; i++)
        files[i] = r->g->m[i].c.f;
    in->files = files;
    in->n = r->g->n;
    in->root = root_of(r->g);
    in->device = -1;
    in->run = r->g->run;
    return prof_open(&r->m.p, in, e);
}
