/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of msprof_*.db: texts and words by id, the global numbers of tasks, threads and connections. */
#include "config.h"

#include "base/grow.h"
#include "base/path.h"
#include "emit/report.h"
#include "msprof/db/db.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Grows the arrays to the number of all texts. */
static bool texts_grow(struct msprof_db *d)
{
    size_t n = prof_n_texts(d->r->m.p), more = n + n / 2 + 1024;

    if (n <= d->n_string)
        return true;
    uint32_t *string = realloc(d->string, more * sizeof *string);
    if (!string)
        return false;
    memset(string + d->n_string, 0, (more - d->n_string) * sizeof *string);
    d->string = string;
    d->n_string = more;
    return true;
}

struct val msprof_db_text(struct msprof_db *d, uint32_t text)
{
    if (text == PROF_NONE)
        text = d->none;
    if (text == PROF_NONE || (text >= d->n_string && !texts_grow(d))) {
        d->failed = true;
        return val_null();
    }
    if (!d->string[text]) {
        uint32_t *all = grow_array(d->text, d->n_texts, &d->cap_texts, sizeof *all, 1024);
        if (!all) {
            d->failed = true;
            return val_null();
        }
        d->text = all;
        all[d->n_texts] = text;
        d->string[text] = (uint32_t)++d->n_texts;
    }
    return val_int(d->string[text] - 1);
}

struct val msprof_db_word(struct msprof_db *d, const char *word)
{
    uint32_t text = prof_text(d->r->m.p, str_of(word));

    d->failed |= text == PROF_NONE;
    return msprof_db_text(d, text);
}

void msprof_db_words(struct msprof_db *d, const char *const *words, size_t n, uint32_t *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = prof_text(d->r->m.p, str_of(words[i]));
        d->failed |= out[i] == PROF_NONE;
    }
}

static struct msprof_db_key host_key(const struct prof_host_task *t)
{
    return (struct msprof_db_key){ t->device, t->stream, t->task, t->context, t->batch };
}

static struct msprof_db_key device_key(const struct msprof_db *d, size_t dev, const struct prof_task *t)
{
    return (struct msprof_db_key){ (uint32_t)d->r->m.dev[dev].f->device, t->stream, t->task, t->context,
                                   t->batch };
}

static int key_cmp(const void *a, const void *b)
{
    const struct msprof_db_key *x = a, *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->batch != y->batch)
        return x->batch < y->batch ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->context < y->context ? -1 : x->context > y->context;
}

static bool same_host(const struct msprof_db *d, size_t i, const struct msprof_db_key *k)
{
    struct msprof_db_key x = host_key(&d->r->m.host.task[i]);

    return key_cmp(&x, k) == 0;
}

/* Finds the first task of the host with this key. false: there is none. */
static bool find_host(const struct msprof_db *d, const struct msprof_db_key *k, size_t *at)
{
    size_t from = 0, to = d->r->m.host.n_tasks;

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        struct msprof_db_key x = host_key(&d->r->m.host.task[mid]);
        if (key_cmp(&x, k) < 0)
            from = mid + 1;
        else
            to = mid;
    }
    *at = from;
    return from < d->r->m.host.n_tasks && same_host(d, from, k);
}

int64_t msprof_db_host_task(const struct msprof_db *d, size_t host)
{
    struct msprof_db_key k = host_key(&d->r->m.host.task[host]);

    while (host > 0 && same_host(d, host - 1, &k))
        host--;
    return (int64_t)host;
}

const struct prof_host_task *msprof_db_host_of(const struct msprof_db *d, const struct prof_task *t)
{
    return t->host < d->r->m.host.n_tasks ? &d->r->m.host.task[t->host] : NULL;
}

int64_t msprof_db_device_task(const struct msprof_db *d, size_t dev, const struct prof_task *t)
{
    struct msprof_db_key k = device_key(d, dev, t);
    size_t at, from = 0, to = d->n_alone;

    if (msprof_db_host_of(d, t) && same_host(d, t->host, &k))
        return msprof_db_host_task(d, t->host);
    if (find_host(d, &k, &at))
        return (int64_t)at;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (key_cmp(&d->alone[mid], &k) < 0)
            from = mid + 1;
        else
            to = mid;
    }
    return (int64_t)(d->r->m.host.n_tasks + from);
}

static int number_device(struct msprof_db *d, size_t dev, struct err *e)
{
    size_t at;

    for (size_t i = 0; i < d->r->m.dev[dev].n_tasks; i++) {
        const struct prof_task *t = &d->r->m.dev[dev].task[i];
        struct msprof_db_key k = device_key(d, dev, t);
        if ((msprof_db_host_of(d, t) && same_host(d, t->host, &k)) || find_host(d, &k, &at))
            continue;
        struct msprof_db_key *all =
            spool_grow(d->r->m.p->spool, d->alone, d->n_alone, &d->cap_alone, sizeof *all, 256);
        if (!all)
            return err_nomem(e);
        d->alone = all;
        all[d->n_alone++] = k;
    }
    return OK;
}

int msprof_db_number_tasks(struct msprof_db *d, struct err *e)
{
    for (size_t dev = 0; dev < d->r->m.n_dev; dev++)
        if (number_device(d, dev, e))
            return e->code;
    if (d->n_alone)
        qsort(d->alone, d->n_alone, sizeof *d->alone, key_cmp);
    return OK;
}

struct val msprof_db_thread(const struct msprof_db *d, uint32_t thread)
{
    uint64_t pid = d->r->m.p->host ? (uint64_t)d->r->m.p->host->meta.pid : 0;

    return val_int((int64_t)(pid << 32 | thread));
}

struct val msprof_db_connection(uint32_t api)
{
    return val_int(api == PROF_NONE ? -1 : (int64_t)api + 1);
}

int msprof_db_make_table(struct msprof_db *d, struct err *e)
{
    const struct msprof_db_table *t = d->now;

    if (dbout_table(d->out, &d->table, t->name, t->columns, e) == OK && t->index)
        (void)!dbout_index(d->table, t->index, t->index_columns, e);
    return e->code;
}

int msprof_db_row(struct msprof_db *d, const struct val *v, struct err *e)
{
    if (d->failed)
        return err_nomem(e);
    if (!d->table && msprof_db_make_table(d, e))
        return e->code;
    return dbout_row(d->table, v, e);
}
