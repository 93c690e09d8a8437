/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dataset.csv (doc/formats/framework.md#dataset), of 2.4 dataset_R.csv (#older-outputs): how often stages of
 * the data pipeline ran, and how long.
 */
#include "config.h"

#include "base/buf.h"
#include "offline/run.h"

#define MODULE   "Dataset"
#define PARTS    3 /* of a name: module, event, stage */
#define PAIRS    2 /* that upstream prints; it prints none when there are fewer */
#define TEXT_MAX ((size_t)16 << 20)

/* Runs of a stage with the same info. */
struct group {
    uint32_t name, info; /* texts of the framework; of the groups */
    uint64_t n;
    int64_t ns;
};
struct writing {
    struct offline_run *r;
    struct intern *keys;  /* numbers of groups */
    struct intern *infos; /* as they are printed */
    struct group *v;
    size_t n, cap;
    struct buf info;
    bool failed; /* upstream has no file */
};

/* ---- custom info ---- */

/* As Python prints a text. */
static void add_text(struct buf *b, struct str s)
{
    char quote = str_chr(s, '\'') != SIZE_MAX && str_chr(s, '"') == SIZE_MAX ? '"' : '\'';

    buf_addc(b, quote);
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '\\' || c == (unsigned char)quote)
            buf_printf(b, "\\%c", c);
        else if (c == '\n' || c == '\r' || c == '\t')
            buf_printf(b, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (c < 0x20 || c == 0x7f)
            buf_printf(b, "\\x%02x", c);
        else
            buf_addc(b, (char)c);
    }
    buf_addc(b, quote);
}

/* "k:v": false: there is not one colon, which upstream wants. */
static bool split_pair(struct str pair, struct str *key, struct str *value)
{
    size_t at = str_chr(pair, ':');

    *key = str_sub(pair, 0, at);
    *value = at == SIZE_MAX ? STR("") : str_sub(pair, at + 1, SIZE_MAX);
    return at != SIZE_MAX && str_chr(*value, ':') == SIZE_MAX;
}

static size_t count_pairs(struct str s)
{
    size_t n = 1;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == ';';
    return n;
}

/*
 * "a:1;b:2" as {'a': '1', 'b': '2'}. Upstream stops after two pairs, and (but for 2.4) leaves out a single
 * one.
 */
static void print_info(struct writing *w, struct str custom)
{
    bool compat = w->r->o->compat;
    bool single = w->r->flavour == OFFLINE_24;
    size_t n = count_pairs(custom), most = !compat ? n : n >= PAIRS || single ? PAIRS : 0;
    struct str pair, key, value;

    buf_clear(&w->info);
    buf_addc(&w->info, '{');
    for (size_t i = 0; i < n && str_next(&custom, ';', &pair); i++) {
        if (!split_pair(pair, &key, &value))
            w->failed |= compat;
        if (i >= most)
            continue;
        buf_puts(&w->info, i ? ", " : "");
        add_text(&w->info, key);
        buf_puts(&w->info, ": ");
        add_text(&w->info, value);
    }
    buf_addc(&w->info, '}');
}

/* ---- groups ---- */

static bool split_name(struct str name, struct str part[PARTS])
{
    size_t n = 0;

    for (size_t at; n < PARTS - 1 && (at = str_find(name, STR("::"), 0)) != SIZE_MAX; n++) {
        part[n] = str_sub(name, 0, at);
        name = str_sub(name, at + 2, SIZE_MAX);
    }
    part[n] = name;
    return n == PARTS - 1 && str_find(name, STR("::"), 0) == SIZE_MAX && str_eq(part[0], STR(MODULE));
}

static int add_range(struct writing *w, const struct framework_range *x, struct err *e)
{
    struct str custom = framework_str(&w->r->f, x->custom), part[PARTS];

    if (x->to <= x->from || x->is & RANGE_FRAME || !split_name(framework_str(&w->r->f, x->name), part))
        return OK;
    buf_clear(&w->info);
    if (custom.n)
        print_info(w, custom);
    const uint32_t key[2] = { x->name, intern_put(w->infos, buf_str(&w->info)) };
    uint32_t id = intern_put(w->keys, (struct str){ (const char *)key, sizeof key });
    struct group *v = spool_grow(w->r->pool, w->v, w->n, &w->cap, sizeof *v, 64);
    if (buf_failed(&w->info) || key[1] == INTERN_NONE || id == INTERN_NONE || !v)
        return err_nomem(e);
    w->v = v;
    if (id == w->n)
        v[w->n++] = (struct group){ x->name, key[1], 0, 0 };
    v[id].n++;
    v[id].ns += x->to - x->from;
    return OK;
}

static int find_groups(struct writing *w, struct err *e)
{
    for (size_t i = 0; i < w->r->f.n_ranges; i++)
        if (add_range(w, &w->r->f.range[i], e))
            return e->code;
    return OK;
}

/* ---- rows ---- */

static void put_group(struct writing *w, struct emit *o, const struct group *g)
{
    struct str part[PARTS];

    if (!split_name(framework_str(&w->r->f, g->name), part))
        return;
    offline_cell(o, part[1], true);
    offline_cell(o, part[2], false);
    emit_fmt(o, ",%U,%r", g->n, emit_round((double)g->ns / (1000.0 * (double)g->n), 2));
    offline_cell(o, intern_get(w->infos, g->info), false);
    offline_end_row(o);
}

static int put_groups(struct writing *w, const struct offline_output *x, struct err *e)
{
    struct emit *o = NULL;

    bool empty = w->r->flavour == OFFLINE_24 && w->r->has_ranges; /* has a file, too */
    if ((!w->n && !empty) || w->failed) {
        offline_no_data(w->r, x,
                        w->n ? "custom info of the data pipeline that is no key and value"
                             : "the framework recorded nothing of the data pipeline");
        return OK;
    }
    if (offline_open(w->r, &o, x, e) == OK) {
        emit_s(o, "Operation,Stage,Occurrences,Avg. time (us),Custom Info\r\n");
        for (size_t i = 0; i < w->n; i++)
            put_group(w, o, &w->v[i]);
    }
    return offline_close(w->r, o, e);
}

int offline_dataset(struct offline_run *r, const struct offline_output *x, struct err *e)
{
    struct writing w = { .r = r };

    if (r->flavour == OFFLINE_24 && str_starts(r->unit->info.version, STR("2.3"))) {
        offline_no_data(r, x, "2.3 made it of host_info");
        return OK;
    }
    buf_init(&w.info, TEXT_MAX);
    if (intern_new(&w.keys, e) == OK && intern_new(&w.infos, e) == OK && find_groups(&w, e) == OK)
        (void)!put_groups(&w, x, e);
    spool_free(r->pool, w.v);
    intern_free(w.keys);
    intern_free(w.infos);
    buf_done(&w.info);
    return e->code;
}
