/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing files that hold the same rows. */
#include "config.h"

#include "import/agree/agree_files.h"

#include <string.h>

#include "base/sig.h"
#include "import/agree/agree.h"
#include "parsers/registry.h"

#define TABLES 3

/*
 * Kinds that stay unread where a better one of their topic is there, and the tables in which they are
 * compared, smaller tables first.
 */
static const struct second {
    const char *kind, *table[TABLES];
} seconds[] = {
    { "g1_memory_pb", { "mem_total", "mem_node", "mem_tensor" } },
    { "md_pipeline_raw", { "pipeline_op", NULL } },
    { "raw_aicpu_mi", { "batch_time", "queue_sample" } },
};

static const struct second *find_second(const struct plan_set *s)
{
    for (size_t i = 0; s->n == 1 && i < ARRAY_LEN(seconds); i++)
        if (strcmp(s->files[0]->kind->id, seconds[i].kind) == 0)
            return &seconds[i];
    return NULL;
}

static bool is_whole(const struct source_file *f)
{
    for (; f; f = f->next_slice)
        if (f->state == FS_TORN || f->state == FS_BAD)
            return false;
    return true;
}

static bool notes_say_damage(const struct sink_counts *n)
{
    for (int i = 0; i < N_NOTES; i++)
        if (n->notes[i] && strcmp(note_infos[i].state, "OK") != 0)
            return true;
    return false;
}

/* *whole: all of it was read. */
static int read_second(struct importer *im, const struct source_file *f, struct agree *a, int rank,
                       bool *whole, struct err *e)
{
    struct err pe = ERR_INIT;
    struct parse_ctx c = { .f = f,
                           .run = &im->u->info,
                           .tmp = im->tmp,
                           .out = sink_count_sink(agree_sink(a)),
                           .threads = im->o->threads,
                           .rank = rank };

    im->progress.now = f->rel;
    im->progress.committed = false;
    sig_fatal_file(f->rel);
    int rc = f->kind->parse(&c, &pe);
    arena_reset(im->tmp);
    *whole = rc == OK && !notes_say_damage(sink_count_get(agree_sink(a)));
    if (pe.code == ERR_NOMEM || pe.code == ERR_CANCELLED)
        *e = pe;
    return e->code;
}

static int compare(struct importer *im, const struct second *s, const struct source_file *f, int rank,
                   struct err *e)
{
    struct agree *a = NULL;
    bool whole = false;

    if (agree_new(&a, rank, e) || read_second(im, f, a, rank, &whole, e))
        goto out;
    for (size_t i = 0; whole && i < TABLES && s->table[i]; i++)
        if (agree_say(a, im->fill, s->table[i], f->rel, e))
            goto out;
out:
    agree_free(a);
    return e->code;
}

int agree_files(struct importer *im, const struct plan_set *second, struct err *e)
{
    const struct second *s = find_second(second);
    bool wanted = false;

    if (!s || !is_whole(second->files[0]) || plan_set_bytes(second) > AGREE_FILES_B)
        return OK;
    int rank = second->rank >= 0 ? second->rank : im->u->info.ranks[0].rank;
    for (size_t i = 0; i < TABLES && s->table[i] && !wanted; i++)
        if (agree_wants(im->fill, s->table[i], rank, &wanted, e))
            return e->code;
    return wanted ? compare(im, s, second->files[0], rank, e) : OK;
}
