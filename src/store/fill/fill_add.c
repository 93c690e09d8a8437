/* SPDX-License-Identifier: Apache-2.0 */
/* A finished store that files are added to: strings, ranks, tracks and ops go on where it ends. */
#include "config.h"

#include "store/fill/fill_int.h"

#include <stdlib.h>

#include "store/store_int.h"

static int resume_strings(struct fill *f, struct store *r, struct err *e)
{
    struct query *q = NULL;
    int rc;

    if (store_query(r, &q, "SELECT text FROM string ORDER BY id", e))
        return e->code;
    while ((rc = query_step(q, e)) == 1) {
        struct str s = query_str(q, 0);
        if (intern_put(f->strings, s.p ? s : STR("")) == INTERN_NONE) {
            err_nomem(e);
            break;
        }
    }
    query_free(q);
    f->strings_written = intern_count(f->strings);
    return e->code;
}

/* The words are static texts in struct fill_rank_state. */
static const char *clock_word(struct str s)
{
    static const char *const words[] = { "unix", "device", "relative" };

    for (size_t i = 0; s.p && i < ARRAY_LEN(words); i++)
        if (str_eq(s, str_of(words[i])))
            return words[i];
    return NULL;
}

static int resume_rank(struct fill *f, const struct query *q, struct err *e)
{
    struct fill_rank_state *r = fill_rank_get(f, (int)query_int(q, 0));

    if (!r)
        return err_nomem(e);
    r->known = query_int(q, 1) != 0;
    r->device = query_null(q, 2) ? -1 : (int)query_int(q, 2);
    r->host = query_null(q, 3) ? NULL : strndup(query_str(q, 3).p, query_str(q, 3).n);
    r->clock = clock_word(query_str(q, 4));
    r->origin = query_int(q, 5);
    r->seen = !query_null(q, 6);
    r->first = query_int(q, 6);
    r->last = query_int(q, 7);
    if (r->clock && strcmp(r->clock, "unix") == 0 && !f->origin_set) {
        f->origin = r->origin;
        f->origin_set = true;
    }
    r->has_unix_shift = !query_null(q, 8);
    r->unix_shift = query_int(q, 8);
    return OK;
}

static int resume_ranks(struct fill *f, struct store *r, struct err *e)
{
    struct query *q = NULL;

    if (store_query(r, &q,
                    "SELECT rank, known, device, host, clock, origin_ns, first_ns, last_ns, "
                    "(SELECT CAST(value AS INTEGER) FROM meta WHERE key = '" FILL_UNIX_SHIFT "' || rank) "
                    "FROM rank ORDER BY rowid",
                    e))
        return e->code;
    while (query_step(q, e) == 1 && resume_rank(f, q, e) == OK)
        ;
    query_free(q);
    return e->code;
}

int fill_resume(struct fill *f, struct err *e)
{
    struct store *r = fill_reader(f, e);

    if (!r || resume_strings(f, r, e) || resume_ranks(f, r, e))
        return e->code;
    f->first_track_id = store_int(r, 0, "SELECT max(id) FROM track", NULL) + 1;
    f->next_track_id = f->first_track_id;
    f->ops_unread = true;
    return fill_columns_read(f, T_op_counter, e);
}
