/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flight recorder dumps: which form a file has, and the pickles (doc/formats/logs.md#torch_npu-dumps).
 *
 * An entry is converted and forgotten as soon as it is whole. Frames, and lists of them, may be referred to
 * again: the number of their text takes their place.
 */
#include "config.h"

#include "parsers/logs/flight.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/logs/flight_build.h"
#include "parsers/read/lines.h"
#include "parsers/read/pickle.h"

#define SIZES_DEPTH 4    /* lists in lists of sizes: torch writes 2 */
#define LONG_LIST_B 4096 /* a list of sizes with a longer text is converted once */
#define MANY_KEYS   64   /* so is an entry of more keys */
#define NAME_B      160  /* of a frame's function, and of the end of its path */

struct reader {
    struct flight_build b;
    struct pickle *p;
    struct buf text;
    struct str last_key; /* of whole entries: one of a cut pickle without it was cut itself */
};

/* ---- values ---- */

static struct flight_value value_of(const struct reader *r, pickle_ref v)
{
    struct flight_value out = { .type = FV_NONE };

    switch (pickle_type(r->p, v)) {
    case PICKLE_INT:
        out.type = pickle_i64(r->p, v, &out.i) ? FV_INT : FV_NONE;
        break;
    case PICKLE_BOOL:
        out.type = FV_BOOL;
        out.i = pickle_is_true(r->p, v);
        break;
    case PICKLE_REAL:
        out.type = pickle_real(r->p, v, &out.d) ? FV_REAL : FV_NONE;
        break;
    case PICKLE_TEXT:
    case PICKLE_BYTES:
        out.type = FV_TEXT;
        out.text = pickle_text(r->p, v);
        break;
    case PICKLE_BIG:
        out.type = FV_TEXT; /* no number that fits: a bad value */
        out.text = STR("big");
        break;
    default:
        break;
    }
    return out;
}

static bool is_list(const struct reader *r, pickle_ref v)
{
    enum pickle_type t = pickle_type(r->p, v);

    return t == PICKLE_LIST || t == PICKLE_TUPLE;
}

static void add_scalar(struct reader *r, pickle_ref v)
{
    struct flight_value x = value_of(r, v);

    if (x.type == FV_INT)
        buf_printf(&r->text, "%" PRId64, x.i);
    else if (x.type == FV_TEXT)
        buf_add(&r->text, x.text);
    else
        buf_addc(&r->text, '?');
}

/* Lists in lists as text; bare: without the outermost brackets. Below SIZES_DEPTH: "...". */
static void print_list(struct reader *r, pickle_ref list, bool bare)
{
    struct {
        pickle_ref list;
        uint32_t at;
        bool any;
    } level[SIZES_DEPTH] = { { .list = list } };
    pickle_ref key, v;
    int depth = 0;

    buf_clear(&r->text);
    buf_puts(&r->text, bare ? "" : "[");
    while (depth >= 0 && !buf_failed(&r->text)) {
        if (!pickle_next(r->p, level[depth].list, &level[depth].at, &key, &v)) {
            buf_puts(&r->text, bare && depth == 0 ? "" : "]");
            depth--;
            continue;
        }
        buf_puts(&r->text, level[depth].any ? ", " : "");
        level[depth].any = true;
        if (!is_list(r, v))
            add_scalar(r, v);
        else if (depth + 1 == SIZES_DEPTH)
            buf_puts(&r->text, "[...]");
        else {
            buf_addc(&r->text, '[');
            level[++depth].list = v;
            level[depth].at = 0;
            level[depth].any = false;
        }
    }
    if (buf_failed(&r->text)) {
        r->b.cut_texts++;
        r->text.failed = false; /* what fits stays */
    }
}

/* The number of a text takes the place of what it was made of. */
static int swap_text(struct reader *r, pickle_ref v, struct str text, struct err *e)
{
    struct str kept = flight_keep(&r->b, text, e);

    if (kept.p)
        pickle_swap(r->p, v, intern_find(r->b.d->text, kept));
    return e->code;
}

static struct str own_text(const struct reader *r, pickle_ref v)
{
    uint32_t id;

    return pickle_own(r->p, v, &id) && id < intern_count(r->b.d->text) ? intern_get(r->b.d->text, id)
                                                                       : STR_NULL;
}

/* ---- frames ---- */

static void add_part(struct buf *b, struct str s, bool end)
{
    size_t from = end && s.n > NAME_B ? s.n - NAME_B : 0;

    buf_puts(b, from ? "..." : "");
    buf_add(b, str_sub(s, from, NAME_B));
}

/* "function (file:line)" in place of a frame. */
static int on_frame(struct reader *r, pickle_ref item, struct str file, struct err *e)
{
    struct str name = pickle_text(r->p, pickle_get(r->p, item, STR("name")));
    int64_t line;

    buf_clear(&r->text);
    add_part(&r->text, name, false);
    buf_puts(&r->text, " (");
    add_part(&r->text, file, true);
    if (pickle_i64(r->p, pickle_get(r->p, item, STR("line")), &line))
        buf_printf(&r->text, ":%" PRId64, line);
    buf_addc(&r->text, ')');
    return swap_text(r, item, buf_str(&r->text), e);
}

static int frames_text(struct reader *r, pickle_ref entries, pickle_ref frames, struct err *e)
{
    pickle_ref key, v;
    uint32_t at = 0;
    size_t n = 0;

    if (!is_list(r, frames) || frames == entries)
        return OK;
    buf_clear(&r->text);
    while (n < FLIGHT_FRAMES && pickle_next(r->p, frames, &at, &key, &v)) {
        buf_puts(&r->text, n++ ? "\n" : "");
        buf_add(&r->text, own_text(r, v));
    }
    return swap_text(r, frames, buf_str(&r->text), e);
}

/* ---- entries ---- */

static int set_list(struct reader *r, pickle_ref entries, struct str key, pickle_ref v, struct err *e)
{
    bool types = str_ends(key, STR("_dtypes"));
    size_t at;

    if (pickle_type(r->p, v) == PICKLE_OWN)
        return flight_entry_text(&r->b, key, own_text(r, v), e);
    if (str_eq(key, STR("frames"))) {
        if (frames_text(r, entries, v, e))
            return e->code;
        return flight_entry_text(&r->b, key, own_text(r, v), e);
    }
    if (str_eq(key, STR("process_group"))) {
        pickle_ref none, part;
        uint32_t cell = 0;
        for (at = 0; at < 2 && pickle_next(r->p, v, &cell, &none, &part); at++)
            if (flight_entry_group(&r->b, at, pickle_text(r->p, part), e))
                return e->code;
        return OK;
    }
    if (!types && !str_ends(key, STR("_sizes")))
        return OK;
    print_list(r, v, types);
    if (flight_entry_text(&r->b, key, buf_str(&r->text), e))
        return e->code;
    return r->text.n > LONG_LIST_B && v != entries ? swap_text(r, v, buf_str(&r->text), e) : OK;
}

static int on_entry(struct reader *r, pickle_ref list, pickle_ref item, struct err *e)
{
    struct str last = STR_NULL;
    pickle_ref key, v;
    uint32_t at = 0;
    size_t keys = 0;

    flight_entry_begin(&r->b);
    for (; pickle_next(r->p, item, &at, &key, &v); keys++) {
        struct str k = pickle_text(r->p, key);
        struct flight_value x = value_of(r, v);
        last = k;
        if (is_list(r, v) || pickle_type(r->p, v) == PICKLE_OWN ? set_list(r, list, k, v, e)
                                                                : flight_entry_set(&r->b, k, &x, e))
            return e->code;
    }
    if (pickle_is_cut(r->p)) {
        if (!str_eq(last, r->last_key.p ? r->last_key : STR("is_p2p")))
            return OK; /* the cut goes through this one */
    } else if (!r->last_key.p)
        r->last_key = flight_keep(&r->b, last, e);
    if (keys > MANY_KEYS)
        pickle_swap(r->p, item, UINT32_MAX); /* nobody gives such a one again, unless to make it many */
    return flight_entry_end(&r->b, e);
}

static int on_item(void *arg, struct pickle *p, pickle_ref list, pickle_ref item, bool *take, struct err *e)
{
    struct reader *r = arg;
    struct str file;

    if (pickle_type(p, item) != PICKLE_DICT)
        return OK;
    r->p = p;
    if (pickle_get(p, item, STR("profiling_name")) || pickle_get(p, item, STR("record_id"))) {
        *take = true;
        return on_entry(r, list, item, e);
    }
    file = pickle_text(p, pickle_get(p, item, STR("filename")));
    return file.p ? on_frame(r, item, file, e) : OK;
}

/* ---- the pickle ---- */

static int take_config(struct reader *r, pickle_ref group, pickle_ref name, struct err *e)
{
    pickle_ref key, v;
    uint32_t at = 0;

    while (pickle_next(r->p, group, &at, &key, &v)) {
        struct flight_value x = value_of(r, v);
        if (is_list(r, v)) {
            print_list(r, v, false);
            x = (struct flight_value){ .type = FV_TEXT, .text = buf_str(&r->text) };
        }
        if (flight_config(&r->b, pickle_text(r->p, name), pickle_text(r->p, key), &x, e))
            return e->code;
    }
    return OK;
}

static int take_status(struct reader *r, pickle_ref group, pickle_ref id, struct err *e)
{
    pickle_ref key, v;
    uint32_t at = 0;

    while (pickle_next(r->p, group, &at, &key, &v)) {
        struct flight_value x = value_of(r, v);
        if (flight_status(&r->b, pickle_text(r->p, id), pickle_text(r->p, key), &x, e))
            return e->code;
    }
    return OK;
}

static int take_root(struct reader *r, struct err *e)
{
    pickle_ref root = pickle_root(r->p), key, v, id, group;
    uint32_t at = 0, in;

    if (pickle_type(r->p, root) != PICKLE_DICT)
        return OK;
    while (pickle_next(r->p, root, &at, &key, &v)) {
        struct str k = pickle_text(r->p, key);
        bool config = str_eq(k, STR("pg_config")), status = str_eq(k, STR("pg_status"));
        struct flight_value x = value_of(r, v);
        r->b.is_dump |= config || status || str_eq(k, STR("entries"));
        if (str_eq(k, STR("version")) && flight_version(&r->b, &x, e))
            return e->code;
        in = 0;
        while ((config || status) && pickle_next(r->p, v, &in, &id, &group))
            if (config ? take_config(r, group, id, e) : take_status(r, group, id, e))
                return e->code;
    }
    return OK;
}

static int read_pickle(struct flight_build *b, struct err *e)
{
    struct reader r = { .b = *b };
    const struct pickle_asks asks = { .item = on_item, .arg = &r };
    struct pickle *p = NULL;

    buf_init(&r.text, FLIGHT_SIZES_B);
    if (pickle_read(&p, b->c, &asks, e) == OK) {
        r.p = p;
        r.b.d->cut = pickle_is_cut(p);
        (void)take_root(&r, e);
    }
    pickle_free(p);
    buf_done(&r.text);
    *b = r.b;
    return e->code;
}

/* ---- the file ---- */

/* The first byte that is no blank. 0: none. */
static int first_byte(const struct parse_ctx *c, char *out, struct err *e)
{
    struct infile *in = NULL;
    size_t n = 0, got;

    *out = 0;
    if (infile_open(&in, c->f->path, 4096, e))
        return e->code;
    if (infile_more(in, &got, e) == OK) {
        struct str head = { infile_data(in, &n), 0 };
        head.n = n;
        if (str_starts(head, STR("\xef\xbb\xbf")))
            head = str_sub(head, 3, n);
        head = str_trim(head);
        *out = head.n ? head.p[0] : 0;
    }
    infile_close(in);
    return e->code;
}

static int is_dump(const struct flight_build *b, struct err *e)
{
    if (b->is_dump || b->d->n_entries || b->incomplete || b->d->cut)
        return OK;
    err_set(e, ERR_FORMAT, "no flight recorder dump: it has neither entries nor pg_config nor pg_status");
    err_where(e, b->c->f->path, 0, 0);
    return e->code;
}

int flight_read(struct flight_dump **out, struct parse_ctx *c, struct err *e)
{
    struct flight_build b;
    char first;

    *out = NULL;
    if (flight_build_init(&b, c, e) == OK && first_byte(c, &first, e) == OK &&
        (first == '{' || first == '[' ? flight_read_json(&b, e) : read_pickle(&b, e)) == OK &&
        is_dump(&b, e) == OK)
        flight_build_end(&b);
    flight_build_done(&b);
    if (e->code)
        flight_free(b.d);
    else
        *out = b.d;
    return e->code;
}

void flight_free(struct flight_dump *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n_groups; i++)
        free(d->groups[i].ranks);
    free(d->groups);
    free(d->entries);
    intern_free(d->text);
    free(d);
}
