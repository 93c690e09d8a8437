/*
 * A PROF folder as CANN's collector leaves it, all of its devices at once: host calls issue tasks, the devices ran them
 * (formats/msprof-raw.md 5).
 *
 * Tables: as the list of its group in registry.c, each when nothing else feeds it. In memory: calls, tasks of host and devices.
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/parsers.h"
#include "parsers/prof/device/devices.h"
#include "parsers/prof/rows/rows.h"

const struct prof_how prof_rows_all = { .to = UINT64_MAX };

/* clang-format off */
static const struct {
    const char *table; /* of the group's list: written when it is wanted, or */
    const char *also;  /* this one, which is made of the same files; NULL: none */
    prof_rows_fn *write;
} writers[] = {
    { "op_exec", NULL, prof_rows_ops },
    { "op_exec", NULL, prof_rows_activity },
    { "track", NULL, prof_rows_tracks },
    { "track", NULL, prof_rows_v6 },
    { "track", NULL, prof_rows_kfc },
    { "track", NULL, prof_rows_ccu },
    { "track", NULL, prof_rows_dpu },
    { "track", NULL, prof_rows_samples },
    { "host_stage", "track", prof_rows_tx },
    { "api_stat", NULL, prof_rows_api },
    { "fusion", NULL, prof_rows_fusion },
    { "step", NULL, prof_rows_steps },
    { "comm_exec", NULL, prof_rows_comm },
    { "host_sample", NULL, prof_rows_usage },
    { "mem_sample", "mem_alloc", prof_rows_op_memory },
    { "mem_device", NULL, prof_rows_device_memory },
    { "mem_module", NULL, prof_rows_modules },
    { "aicpu_exec", "queue_sample", prof_rows_aicpu },
};
/* clang-format on */

int prof_rows_rank(const struct prof_rows *r, const struct prof_folder *f)
{
    const struct runinfo *run = r->g->run;

    for (size_t i = 0; f && !f->host && i < run->n_ranks; i++)
        if (run->ranks[i].device == f->device)
            return run->ranks[i].rank;
    return run->ranks[0].rank;
}

uint32_t prof_rows_id(struct prof_rows *r, uint32_t text)
{
    if (text == PROF_NONE || text >= r->n_ids)
        return sink_intern(r->g->out, prof_str(r->p, text));
    if (!r->id[text])
        r->id[text] = sink_intern(r->g->out, prof_str(r->p, text));
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
    const struct prof_host_task *h = t->host == PROF_NONE ? NULL : &r->host.task[t->host];
    const char *word = prof_device_word(r->p, t);

    if (h && h->op != PROF_NONE)
        return prof_str(r->p, r->host.op[h->op].name);
    if (h && h->comm != PROF_NONE)
        return prof_str(r->p, r->host.comm[h->comm].item);
    if (h && h->type != PROF_NONE)
        return prof_str(r->p, h->type);
    return str_of(word ? word : "task");
}

/* ---- reading ---- */

static struct parse_ctx *use_member(void *arg, const struct source_file *f)
{
    struct group_ctx *g = arg;

    for (size_t i = 0; i < g->n; i++)
        if (g->m[i].c.f == f) {
            g->m[i].read = true;
            return &g->m[i].c;
        }
    return NULL;
}

/* Where the folder is below the unit's root: its members lie in host/ or device_N/ or further down. */
static struct str root_of(const struct group_ctx *g)
{
    struct str s = g->n ? str_of(g->m[0].c.f->rel) : STR("");

    for (size_t at = 0, next; at < s.n; at = next) {
        size_t slash = str_chr(str_sub(s, at, SIZE_MAX), '/');
        if (slash == SIZE_MAX)
            break;
        struct str part = str_sub(s, at, slash);
        next = at + slash + 1;
        if (str_eq(part, STR("host")) || str_starts(part, STR("device_")))
            return str_sub(s, 0, at);
    }
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
    return prof_open(&r->p, in, e);
}

static int read_folders(struct prof_rows *r, struct prof_devices *devices, struct err *e)
{
    if (prof_host_read(&r->host, r->p, e) || prof_devices_join(devices, e))
        return (int)e->code;
    r->dev = calloc(r->p->n_devices + 1, sizeof *r->dev);
    r->comm = calloc(r->p->n_devices + 1, sizeof *r->comm);
    r->step = calloc(r->p->n_devices + 1, sizeof *r->step);
    if (!r->dev || !r->comm || !r->step)
        return err_nomem(e);
    for (size_t i = 0; i < r->p->n_devices; i++) {
        r->n_dev++;
        if (prof_device_take(&r->dev[i], devices, i, &r->host, e) ||
            prof_device_blocks(&r->dev[i], &r->host, prof_is_v6(r->p), e) ||
            prof_comm_make(&r->comm[i], r->p, &r->dev[i], &r->host, &prof_rows_all, e) ||
            prof_rows_steps_make(r, i, e))
            return (int)e->code;
    }
    r->n_ids = prof_n_texts(r->p);
    r->id = calloc(r->n_ids + 1, sizeof *r->id);
    return r->id ? OK : err_nomem(e);
}

static int read_all(struct prof_rows *r, struct err *e)
{
    struct prof_input in = { .notes = r->g->out,
                             .use = use_member,
                             .arg = r->g,
                             .threads = r->g->n ? r->g->m[0].c.threads : 1 };
    struct prof_devices *devices = NULL;

    if (prof_rows_open(r, &in, e) == OK && prof_devices_start(&devices, r->p, e) == OK)
        (void)!read_folders(r, devices, e);
    prof_devices_free(devices);
    return (int)e->code;
}

int group_prof(struct group_ctx *g, struct err *e)
{
    struct prof_rows r = { .g = g };
    int rc = g->glance ? prof_rows_glance(&r, e) : read_all(&r, e);

    for (size_t i = 0; i < ARRAY_LEN(writers) && rc == OK && !g->glance; i++)
        if (group_wants(g, writers[i].table) ||
            (writers[i].also && group_wants(g, writers[i].also)))
            rc = writers[i].write(&r, e);
    for (size_t i = 0; i < r.n_dev; i++) {
        prof_comm_done(&r.comm[i]);
        if (r.step) /* not at a glance */
            free(r.step[i].v);
        prof_device_done(&r.dev[i]);
    }
    free(r.comm);
    free(r.step);
    free(r.dev);
    free(r.id);
    prof_host_done(&r.host);
    prof_close(r.p);
    return rc;
}
