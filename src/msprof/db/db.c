/* msprof_*.db (formats/msprof-raw.md 6.4): the file, its texts and numbers of tasks. The tables are in db_*.c. */
#include "config.h"

#include "msprof/db/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/path.h"
#include "emit/report.h"

/* ---- texts ---- */

/* Room for the numbers of all texts there are. */
static bool texts_grow(struct msprof_db *d)
{
    size_t n = prof_n_texts(d->r->p), more = n + n / 2 + 1024;

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
    uint32_t text = prof_text(d->r->p, str_of(word));

    d->failed |= text == PROF_NONE;
    return msprof_db_text(d, text);
}

void msprof_db_words(struct msprof_db *d, const char *const *words, size_t n, uint32_t *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = prof_text(d->r->p, str_of(words[i]));
        d->failed |= out[i] == PROF_NONE;
    }
}

static int string_rows(struct msprof_db *d, struct err *e)
{
    for (size_t i = 0; i < d->n_texts && !e->code; i++) {
        struct val v[] = { val_int((int64_t)i), val_text(prof_str(d->r->p, d->text[i])) };
        (void)!msprof_db_row(d, v, e);
    }
    return (int)e->code;
}

/* Last: by then all texts are known. */
static const struct msprof_db_table strings[] = {
    { "STRING_IDS", "id pk,value t", string_rows, .always = true },
    { .name = NULL },
};

/* ---- tasks ---- */

static struct msprof_db_key host_key(const struct prof_host_task *t)
{
    return (struct msprof_db_key){ t->device, t->stream, t->task, t->context, t->batch };
}

static struct msprof_db_key device_key(const struct msprof_db *d, size_t dev,
                                       const struct prof_task *t)
{
    return (struct msprof_db_key){ (uint32_t)d->r->dev[dev].f->device, t->stream, t->task,
                                   t->context, t->batch };
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
    return (x->context > y->context) - (x->context < y->context);
}

static bool same_host(const struct msprof_db *d, size_t i, const struct msprof_db_key *k)
{
    struct msprof_db_key x = host_key(&d->r->host.task[i]);

    return key_cmp(&x, k) == 0;
}

/* The first task of the host with this key. false: there is none. */
static bool find_host(const struct msprof_db *d, const struct msprof_db_key *k, size_t *at)
{
    size_t from = 0, to = d->r->host.n_tasks;

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        struct msprof_db_key x = host_key(&d->r->host.task[mid]);
        if (key_cmp(&x, k) < 0)
            from = mid + 1;
        else
            to = mid;
    }
    *at = from;
    return from < d->r->host.n_tasks && same_host(d, from, k);
}

int64_t msprof_db_host_task(const struct msprof_db *d, size_t host)
{
    struct msprof_db_key k = host_key(&d->r->host.task[host]);

    while (host > 0 && same_host(d, host - 1, &k))
        host--;
    return (int64_t)host;
}

const struct prof_host_task *msprof_db_host_of(const struct msprof_db *d, const struct prof_task *t)
{
    return t->host < d->r->host.n_tasks ? &d->r->host.task[t->host] : NULL;
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
    return (int64_t)(d->r->host.n_tasks + from);
}

static int number_device(struct msprof_db *d, size_t dev, struct err *e)
{
    size_t at;

    for (size_t i = 0; i < d->r->dev[dev].n_tasks; i++) {
        const struct prof_task *t = &d->r->dev[dev].task[i];
        struct msprof_db_key k = device_key(d, dev, t);
        if ((msprof_db_host_of(d, t) && same_host(d, t->host, &k)) || find_host(d, &k, &at))
            continue;
        struct msprof_db_key *all =
            spool_grow(d->r->p->spool, d->alone, d->n_alone, &d->cap_alone, sizeof *all, 256);
        if (!all)
            return err_nomem(e);
        d->alone = all;
        all[d->n_alone++] = k;
    }
    return OK;
}

static int number_tasks(struct msprof_db *d, struct err *e)
{
    for (size_t dev = 0; dev < d->r->n_dev; dev++)
        if (number_device(d, dev, e))
            return (int)e->code;
    if (d->n_alone)
        qsort(d->alone, d->n_alone, sizeof *d->alone, key_cmp);
    return OK;
}

/* ---- rows ---- */

struct val msprof_db_thread(const struct msprof_db *d, uint32_t thread)
{
    uint64_t pid = d->r->p->host ? (uint64_t)d->r->p->host->meta.pid : 0;

    return val_int((int64_t)(pid << 32 | thread));
}

struct val msprof_db_connection(uint32_t api)
{
    return val_int(api == PROF_NONE ? -1 : (int64_t)api + 1);
}

static int make_table(struct msprof_db *d, struct err *e)
{
    const struct msprof_db_table *t = d->now;

    if (dbout_table(d->out, &d->table, t->name, t->columns, e) == OK && t->index)
        (void)!dbout_index(d->table, t->index, t->index_columns, e);
    return (int)e->code;
}

int msprof_db_row(struct msprof_db *d, const struct val *v, struct err *e)
{
    if (d->failed)
        return err_nomem(e);
    if (!d->table && make_table(d, e))
        return (int)e->code;
    return dbout_row(d->table, v, e);
}

static int write_tables(struct msprof_db *d, const struct msprof_db_table *t, struct err *e)
{
    for (; t->name && !e->code; t++) {
        d->now = t;
        d->table = NULL;
        if (sink_cancelled(d->r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        if (t->always && make_table(d, e))
            break;
        (void)!t->rows(d, e);
    }
    return (int)e->code;
}

/* ---- the whole ---- */

static int write_all(struct msprof_db *d, struct err *e)
{
    static const struct msprof_db_table *const groups[] = {
        msprof_db_facts,   msprof_db_enums, msprof_db_host,  msprof_db_device,
        msprof_db_sampled, msprof_db_soc,   msprof_db_usage, msprof_db_cores,
        msprof_db_dpu,     msprof_db_comm,  msprof_db_ccu,   strings,
    };
    static const char *const na = "N/A";

    msprof_db_words(d, &na, 1, &d->none);
    /* msprof has these two in every database */
    msprof_db_word(d, "release");
    msprof_db_word(d, "allocate");
    if (number_tasks(d, e))
        return (int)e->code;
    for (size_t i = 0; i < ARRAY_LEN(groups) && !e->code; i++)
        (void)!write_tables(d, groups[i], e);
    return (int)e->code;
}

static void report(struct msprof_run *r, const char *path, const struct err *e)
{
    struct emit_result x = { .rank = -1, .name = path_base(path), .outcome = EMIT_WRITTEN };
    struct stat st;
    char why[300];

    if (e->code) {
        x.outcome = EMIT_FAILED;
        x.why = err_message(e, why, sizeof why);
    } else if (stat(path, &st) == 0) {
        x.bytes = (uint64_t)st.st_size;
    }
    emit_report_add(r->report, &x);
}

static int write_file(struct msprof_run *r, const char *path, struct err *e)
{
    struct msprof_db d = { .r = r };

    if (emit_mkdirs(r->o->dir, e) == OK && dbout_open(&d.out, path, false, e) == OK) {
        (void)!write_all(&d, e);
        (void)!dbout_close(d.out, e);
    }
    report(r, path, e);
    free(d.string);
    free(d.text);
    spool_free(d.r->p->spool, d.alone);
    return (int)e->code;
}

/* msprof has a database for these chips (0.1). */
static bool has_database(const struct msprof_run *r)
{
    static const int chips[] = { 1, 2, 3, 4, 5, 7, 15, 16 };

    for (size_t i = 0; i < ARRAY_LEN(chips); i++)
        if (chips[i] == r->p->chip)
            return true;
    return false;
}

int msprof_db(struct msprof_run *r, struct err *e)
{
    char path[1024], name[64];

    /* C++ writes it with every form, Python only when that is asked for; no form writes part of one (0.1) */
    if (r->o->partial || (r->python && !(r->o->what & MSPROF_DB)))
        return OK;
    if (!has_database(r)) {
        msprof_no_data(r, "msprof", ".db", "there is none for this chip");
        return OK;
    }
    snprintf(name, sizeof name, "msprof_%s.db", r->o->stamp);
    if (!path_join(path, sizeof path, r->o->dir, name))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (!(r->o->what & MSPROF_DB) &&
        access(path, F_OK) == 0) { /* another form, in the same second */
        msprof_no_data(r, "msprof", ".db", "is there already");
        return OK;
    }
    return write_file(r, path, e);
}
