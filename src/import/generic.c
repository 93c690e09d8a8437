/* SPDX-License-Identifier: Apache-2.0 */
/* One file without a parser of its own as a table of its own, added to a finished store. */
#include "config.h"

#include "import/import_int.h"

#include <stdio.h>

#include "base/sig.h"
#include "parsers/registry.h"

static struct source_file *find_file(const struct unit *u, const char *rel)
{
    for (size_t i = 0; i < u->n_files; i++)
        if (strcmp(u->files[i]->rel, rel) == 0)
            return u->files[i];
    return NULL;
}

/*
 * Name of the table that was made from a file, "" for none. part: name of one of its parts, whose table is
 * named in the list that the file became.
 */
static int table_of(struct fill *f, uint32_t source_id, const char *part, char *name, size_t n, struct err *e)
{
    struct store *r = fill_reader(f, e);
    struct query *q = NULL;
    char sql[160];

    name[0] = 0;
    if (part)
        snprintf(sql, sizeof sql,
                 "SELECT name FROM sqlite_master WHERE name = (SELECT opened_as FROM t_%u WHERE "
                 "\"table\" = :part)",
                 source_id);
    else
        snprintf(sql, sizeof sql, "SELECT table_name FROM source WHERE id = %u", source_id);
    if (!r || store_query(r, &q, sql, e))
        return e->code;
    if (part)
        query_bind_text(q, ":part", str_of(part));
    int rc = query_step(q, e);
    struct str t = rc == 1 ? query_str(q, 0) : STR_NULL;
    str_copy(t.p ? t : STR(""), name, n);
    query_free(q);
    return rc < 0 ? e->code : OK;
}

/* Update the source row: for a file all of it, for a part only the damage. */
static int update_generic(struct importer *im, const struct source_file *f, const char *part,
                          const struct outcome *o, struct err *e)
{
    const struct val v[] = { val_cstr(file_state_word(o->state)), val_cstr(o->note), val_int(f->id) };

    if (!part)
        return importer_update_source(im, f, o, "as a table of its own", e);
    if (o->state == FS_OK)
        return OK;
    return fill_update(im->fill, "UPDATE source SET state = ?, note = ? WHERE id = ?", v, ARRAY_LEN(v), e);
}

static int add_generic(struct importer *im, const struct source_file *f, const char *part, struct err *e)
{
    struct parse_ctx c = {
        .f = f, .run = &im->u->info, .tmp = im->tmp, .out = fill_sink(im->fill), .part = part, .rank = f->rank
    };
    struct outcome o = { .state = FS_OK };

    sig_fatal_file(f->rel);
    if (fill_begin(im->fill, f->id, e))
        return e->code;
    int rc = parse_generic(&c, e);
    o.rows = c.rows;
    o.lost = c.lost;
    importer_describe(im, &o);
    if (!rc)
        rc = update_generic(im, f, part, &o, e);
    return fill_close(im->fill, rc, e);
}

/* Find the table, or make it. */
static int have_generic(struct importer *im, const struct source_file *f, const char *part, char *name,
                        size_t n, struct err *e)
{
    if (table_of(im->fill, f->id, part, name, n, e) || name[0])
        return e->code;
    if (add_generic(im, f, part, e) || table_of(im->fill, f->id, part, name, n, e) || name[0])
        return e->code;
    return err_set(e, ERR_FORMAT, "no table was found in it");
}

int import_generic(const char *store_path, const struct unit *u, const char *rel, const char *part,
                   char *name, size_t n, struct err *e)
{
    static const struct import_opts none = { .store_path = NULL };
    const struct fill_opts fo = { .path = store_path };
    struct importer im = { .u = u, .o = &none };
    struct source_file *f = find_file(u, rel);

    name[0] = 0;
    if (!f || !f->regular)
        return err_set(e, ERR_USAGE, "%s is no file of this run that can be opened", rel);
    if (unit_path(u, f, e) || fill_add(&im.fill, &fo, e) || arena_new(&im.tmp, FILE_ARENA_B, e) ||
        have_generic(&im, f, NULL, name, n, e) || (part && *part && have_generic(&im, f, part, name, n, e))) {
        err_where(e, rel, ERR_NO_OFFSET, 0);
    } else {
        struct fill *done = im.fill;
        im.fill = NULL;
        if (fill_publish(done, e))
            err_where(e, store_path, ERR_NO_OFFSET, 0);
    }
    fill_abort(im.fill);
    arena_free(im.tmp);
    sig_fatal_file("");
    return e->code;
}
