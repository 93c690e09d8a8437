/* import: read units into their stores, say what became of each. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/open.h"

/* clang-format off */
static const struct view_col import_cols[] = {
    { "unit", "Unit", "", VT_TEXT, VU_NONE, 20, 40, 0, false, 0, "folder of the unit" },
    { "ranks", "Ranks", "", VT_TEXT, VU_NONE, 5, 8, 0, false, 0, "ranks recorded in it" },
    { "files", "Files", "", VT_INT, VU_COUNT, 5, 6, 0, true, 0, "files that were read" },
    { "size_b", "Size", "", VT_INT, VU_BYTES, 9, 10, 0, true, 0, "size of all its files" },
    { "rows", "Rows", "", VT_INT, VU_COUNT, 8, 10, 0, true, 0, "rows, events and records" },
    { "lost", "Lost", "", VT_INT, VU_COUNT, 4, 6, 0, true, 0, "rows lost to damage" },
    { "damaged", "Damaged", "", VT_INT, VU_COUNT, 7, 7, 0, true, 0, "files that are damaged or cut" },
    { "read_ns", "Read", "", VT_INT, VU_NS, 8, 8, 0, true, 0, "time it took, empty when the store was there" },
    { "store", "Store", "", VT_TEXT, VU_NONE, 20, 40, 0, false, 0, "where it is kept, empty: in memory" },
};
/* clang-format on */

static void list_ranks(const struct unit *u, struct buf *b)
{
    for (size_t i = 0; i < u->info.n_ranks; i++)
        buf_printf(b, "%s%d", i ? "," : "", u->info.ranks[i].rank);
}

static int print_unit(struct cli *c, struct writer *w, const struct run_load *l, struct err *e)
{
    const struct unit *u = session_job(c->session)->units[l->unit];
    struct store *s = session_store(c->session, l->unit);
    struct buf ranks;

    if (!s)
        return OK;
    buf_init(&ranks, 1 << 20);
    list_ranks(u, &ranks);
    const struct val v[ARRAY_LEN(import_cols)] = {
        val_cstr(u->root),
        val_text(buf_str(&ranks)),
        val_int(store_int(s, 0, "SELECT count(*) FROM source WHERE rows IS NOT NULL", NULL)),
        val_int((int64_t)u->bytes),
        val_int(store_int(s, 0, "SELECT sum(rows) FROM source", NULL)),
        val_int(store_int(s, 0, "SELECT sum(lost) FROM source", NULL)),
        val_int(
            store_int(s, 0, "SELECT count(*) FROM source WHERE state IN ('TORN', 'BAD')", NULL)),
        l->was_kept ? val_null() : val_int((int64_t)(l->seconds * 1e9)),
        l->in_memory ? val_null() : val_cstr(store_path(s)),
    };
    int rc = writer_row(w, v, e);
    buf_done(&ranks);
    return rc;
}

static int print_units(struct cli *c, const struct run_load *l, size_t n, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(import_cols)];
    struct writer *w = NULL;

    for (size_t i = 0; i < ARRAY_LEN(cols); i++)
        cols[i] = &import_cols[i];
    if (cli_output(c, false, e) || cmd_writer(c, &w, false, e) ||
        writer_begin(w, "units", "units", cols, ARRAY_LEN(cols), e))
        goto out;
    for (size_t i = 0; i < n; i++)
        if (print_unit(c, w, &l[i], e))
            goto out;
    if (writer_end(w, e) == OK)
        writer_finish(w);
out:
    writer_free(w);
    return (int)e->code;
}

int cmd_import(struct cli *c, struct err *e)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = (unsigned)opt_int(&c->opts, OPT_JOBS, cpus > 0 ? cpus : 1);
    struct run_load *l = NULL;
    size_t n = 0;

    if (run_scan(c, cmd_arg(c, 0), e) || run_choose(c, true, e))
        return (int)e->code;
    l = calloc(c->n_ranks ? c->n_ranks : 1, sizeof *l);
    if (!l)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_ranks; i++) {
        size_t unit = session_rank(c->session, c->ranks[i])->unit, k = 0;
        while (k < n && l[k].unit != unit)
            k++;
        if (k == n)
            l[n++].unit = unit;
    }
    if (run_load(c, l, n, jobs, e) == OK && print_units(c, l, n, e) == OK)
        cmd_check_damage(c, ~0u);
    free(l);
    return (int)e->code;
}
