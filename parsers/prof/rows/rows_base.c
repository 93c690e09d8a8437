/* SPDX-License-Identifier: Apache-2.0 */
/* What rows of all tables need: rank, file and texts of a folder, whether all tasks are wanted. */
#include "config.h"

#include "base/path.h"
#include "parsers/parsers.h"
#include "parsers/prof/device/devices.h"
#include "parsers/prof/meta.h"
#include "parsers/prof/rows/rows.h"
#include "run/inventory.h"
#include "run/prof_folder.h"
#include <stdio.h>
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

/* The words of the column, for a sentence: "time, duration". */
static void note_marked(struct prof_rows *r, const struct prof_folder *f)
{
    char text[2 * sizeof r->damage];
    size_t n = 0;

    for (const char *p = r->damage; *p; p++) {
        if (*p == ' ')
            text[n++] = ',';
        text[n++] = *p;
    }
    text[n] = '\0';
    prof_note(r->m.p, f, N_PROF_TAGS, NOTE_MARKED, "rows whose %s may be untrue are marked", text);
}

void prof_rows_mark(struct prof_rows *r, const struct prof_folder *f, unsigned own, struct val marks[2])
{
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = { { PROF_DOUBT_TIME, "time" },
                  { PROF_DOUBT_DURATION, "duration" },
                  { PROF_DOUBT_NAME, "name" },
                  { PROF_DOUBT_OP, "op" },
                  { PROF_DOUBT_FIGURES, "figures" } };
    const struct prof_meta *m = &f->meta;
    unsigned doubt = own | m->doubt;
    size_t n = 0;

    marks[0] = marks[1] = val_null();
    if (!doubt)
        return;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (doubt & words[i].bit)
            n += (size_t)snprintf(r->damage + n, sizeof r->damage - n, "%s%s", n ? " " : "", words[i].word);
    if (r->told_of != f || r->told != doubt)
        note_marked(r, f);
    r->told_of = f;
    r->told = doubt;
    if (!(own & PROF_DOUBT_TIME) && m->doubt & PROF_DOUBT_TIME && m->time_err_ns != PROF_NO_BOUND)
        marks[0] = val_int(m->time_err_ns);
    marks[1] = val_cstr(r->damage);
}

void prof_rows_mark_track(struct prof_rows *r, const struct prof_folder *f, struct track_def *def)
{
    struct val marks[2];

    prof_rows_mark(r, f, 0, marks);
    def->has_ts_err = marks[0].t == VAL_INT;
    def->ts_err_ns = def->has_ts_err ? marks[0].i : 0;
    def->damage = marks[1].t == VAL_TEXT ? marks[1].s : STR_NULL;
}

/* The number of a text that no dictionary has, as a name; else false. */
static bool number_name(const struct prof_rows *r, uint32_t text, char *buf, size_t n)
{
    if (text == PROF_NONE || !prof_is_number(r->m.p, text))
        return false;
    struct str digits = prof_str(r->m.p, text);
    /* types are small numbers */
    snprintf(buf, n, "%s:%.*s", digits.n > 10 ? "hash" : "type", (int)digits.n, digits.p);
    return true;
}

uint32_t prof_rows_name(struct prof_rows *r, uint32_t text, unsigned *doubt)
{
    char t[40];

    if (!number_name(r, text, t, sizeof t))
        return prof_rows_id(r, text);
    if (doubt)
        *doubt |= PROF_DOUBT_NAME;
    return sink_intern(r->g->out, str_of(t));
}

struct str prof_rows_name_text(struct prof_rows *r, uint32_t text)
{
    return number_name(r, text, r->name, sizeof r->name) ? str_of(r->name) : prof_str(r->m.p, text);
}

uint32_t prof_rows_comm_name(struct prof_rows *r, const struct prof_comm_run *run, unsigned *doubt)
{
    struct str name = prof_str(r->m.p, run->name);
    char t[128];

    if (!prof_is_number(r->m.p, r->m.host.comm_op[run->op].name))
        return prof_rows_id(r, run->name);
    if (doubt)
        *doubt |= PROF_DOUBT_NAME;
    int n = snprintf(t, sizeof t, "hash:%.*s", (int)(name.n < 100 ? name.n : 100), name.p);
    return sink_intern(r->g->out, (struct str){ t, (size_t)n });
}

struct str prof_rows_task_name(struct prof_rows *r, const struct prof_task *t)
{
    const struct prof_host_task *h = t->host == PROF_NONE ? NULL : &r->m.host.task[t->host];
    const char *word = prof_device_word(r->m.p, t);

    if (h && h->op != PROF_NONE)
        return prof_rows_name_text(r, r->m.host.op[h->op].name);
    if (h && h->comm != PROF_NONE)
        return prof_rows_name_text(r, r->m.host.comm[h->comm].item);
    if (h && h->type != PROF_NONE)
        return prof_rows_name_text(r, h->type);
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

/* Its members, and info files of the unit's other PROF folders. */
int prof_rows_open(struct prof_rows *r, struct prof_input *in, struct err *e)
{
    const struct group_ctx *g = r->g;
    const struct source_file **files = arena_array(g->tmp, g->n + g->n_unit_files + 1, sizeof *files);

    if (!files)
        return err_nomem(e);
    in->root = root_of(g);
    for (size_t i = 0; i < g->n; i++)
        files[in->n++] = g->m[i].c.f;
    for (size_t i = 0; i < g->n_unit_files; i++) {
        const char *rel = g->unit_file[i]->rel;
        if (!str_starts(str_of(rel), in->root) && prof_info_file_of(path_base(rel)) != N_INFO_FILES)
            files[in->n++] = g->unit_file[i];
    }
    in->files = files;
    in->device = -1;
    in->run = g->run;
    return prof_open(&r->m.p, in, e);
}
