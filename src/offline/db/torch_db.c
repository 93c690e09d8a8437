/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the framework beside msprof's: see torch_db.h. */
#include "config.h"

#include "offline/db/torch_db.h"

#include <unistd.h>

#include "base/path.h"
#include "offline/comm/comm.h"

/* First numbers of STRING_IDS: those of msprof are smaller. */
#define API_BASE    (INT64_C(1) << 28)
#define MEMORY_BASE (INT64_C(2) << 28)

void torch_db_init(struct torch_db *w, struct offline_run *r)
{
    *w = (struct torch_db){ .r = r, .api.base = API_BASE, .memory.base = MEMORY_BASE };
}

void torch_db_done(struct torch_db *w)
{
    offline_db_texts_done(&w->api);
    offline_db_texts_done(&w->memory);
}

int torch_db_join(struct torch_db *w, struct err *e)
{
    if (offline_timeline(w->r, &w->t, e) || torch_joins(w->r, &w->j, e))
        return e->code;
    return OK;
}

/* ---- rows of tables that msprof has, too ---- */

static int put_types(struct torch_db *w, struct dbout_table *t, struct err *e)
{
    static const struct {
        int64_t id;
        const char *name;
    } types[] = { { 50001, "op" }, { 50002, "queue" }, { 50003, "trace" }, { 50004, "mstx" } };

    (void)w;
    for (size_t i = 0; i < ARRAY_LEN(types) && !e->code; i++)
        (void)!dbout_row(t, (struct val[]){ val_int(types[i].id), val_cstr(types[i].name) }, e);
    return e->code;
}

static int on_fact(void *arg, struct str name, struct str value, struct err *e)
{
    return dbout_row(arg, (struct val[]){ val_text(name), val_text(value) }, e);
}

/* What the program told the profiler: each value as JSON. */
static int put_facts(struct torch_db *w, struct dbout_table *t, struct err *e)
{
    const struct source_file *f = offline_source(w->r, "profiler_metadata", NULL);
    struct offline_file file = { .fd = -1 };
    struct stat st;

    if (!f)
        return OK;
    file.name = path_base(f->rel);
    file.fd = path_open_file(f->path, &st, e);
    if (file.fd >= 0) {
        (void)!comm_read(&file, on_fact, t, e);
        close(file.fd);
    }
    struct parse_ctx c = offline_ctx(w->r, f);
    return offline_unusable(w->r, &c, e);
}

static int put_texts(struct torch_db *w, struct dbout_table *t, struct err *e)
{
    return offline_db_put_texts(&w->api, t, e) ? e->code : offline_db_put_texts(&w->memory, t, e);
}

static int put_device(struct torch_db *w, struct dbout_table *t, struct err *e)
{
    return dbout_row(
        t, (struct val[]){ val_int(w->r->no_rank ? -1 : w->r->rank), val_int(offline_device(w->r)) }, e);
}

/* In this order where there is no database of msprof; device: it has these rows itself. */
static const struct {
    const char *name, *columns;
    int (*rows)(struct torch_db *w, struct dbout_table *t, struct err *e);
    bool device;
} shared[] = {
    { "META_DATA", "name t,value t", put_facts, false },
    { "RANK_DEVICE_MAP", "rankId,deviceId", put_device, true },
    { "ENUM_API_TYPE", "id pk,name t", put_types, false },
    { "STRING_IDS", "id pk,value t", put_texts, false },
};

/* ---- the whole ---- */

static int put_own(struct torch_db *w, struct err *e)
{
    w->begun = true;
    if (w->r->has & NEEDS_CPU && torch_db_put_api(w, e))
        return e->code;
    if (w->r->has & NEEDS_MEMORY &&
        offline_db_put(w->r, &w->db, &offline_db_memory_record, &w->memory, e) == OK)
        (void)!offline_db_put(w->r, &w->db, &offline_db_op_memory, &w->memory, e);
    return e->code;
}

int torch_db_more(void *arg, const char *table, struct dbout *d, struct dbout_table *t, struct err *e)
{
    struct torch_db *w = arg;

    w->db.out = d;
    if (!table)
        return put_own(w, e);
    for (size_t i = 0; i < ARRAY_LEN(shared); i++)
        if (str_eq(str_of(table), str_of(shared[i].name)) && !shared[i].device)
            return shared[i].rows(w, t, e);
    return OK;
}

int torch_db_alone(struct torch_db *w, const struct offline_output *x, struct err *e)
{
    struct dbout_table *t;

    if (offline_db_open(w->r, &w->db, x, e) == OK && w->db.out && put_own(w, e) == OK)
        for (size_t i = 0; i < ARRAY_LEN(shared) && !e->code; i++)
            if (dbout_table(w->db.out, &t, shared[i].name, shared[i].columns, e) == OK)
                (void)!shared[i].rows(w, t, e);
    return offline_db_close(w->r, &w->db, x, NULL, e);
}
