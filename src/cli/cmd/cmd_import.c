/* SPDX-License-Identifier: Apache-2.0 */
/* import: read units into their stores, say what became of each. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/lang/said.h"
#include "base/log.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"

/* clang-format off */
enum import_col { C_UNIT, C_RANKS, C_FILES, C_SIZE, C_ROWS, C_LOST, C_DAMAGED, C_READ, C_STATE, C_STORE,
C_NOTE, N_FIELDS };

static const struct view_col import_cols[N_FIELDS] = {
    [C_UNIT] = CMD_TEXT("unit", "Unit", "folder of the unit"),
    [C_RANKS] = CMD_TEXT("ranks", "Ranks", "ranks recorded in it"),
    [C_FILES] = CMD_NUMBER("files", "Files", VU_COUNT, "files that were read"),
    [C_SIZE] = CMD_NUMBER("size_b", "Size", VU_BYTES, "size of all its files"),
    [C_ROWS] = CMD_NUMBER("rows", "Rows", VU_COUNT, "rows, events and records"),
    [C_LOST] = CMD_NUMBER("lost", "Lost", VU_COUNT, "rows lost to damage"),
    [C_DAMAGED] = CMD_NUMBER("damaged", "Damaged", VU_COUNT, "files that are damaged, cut or above a limit"),
    [C_READ] = CMD_NUMBER("read_ns", "Read", VU_NS, "time it took, empty when the store was there"),
    [C_STATE] = CMD_TEXT("state", "State",
        "ok, DAMAGED, PART: large files do not fit, FAILED: could not be read, or SKIPPED: a folder that was "
        "not searched"),
    [C_STORE] = CMD_TEXT("store", "Store", "where it is kept"),
    [C_NOTE] = CMD_TEXT("note", "Note", "why it, or a part, could not be read"),
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
    char why[500];

    buf_init(&ranks, 1 << 20);
    list_ranks(u, &ranks);
    struct val v[N_FIELDS] = {
        [C_UNIT] = val_cstr(u->shown),
        [C_RANKS] = val_text(buf_str(&ranks)),
        [C_SIZE] = val_int((int64_t)u->bytes),
        [C_STATE] = val_cstr("FAILED"),
        [C_NOTE] = val_cstr(tr_sentence(l->err.text, why, sizeof why)),
    };
    if (s) {
        int64_t damaged =
            store_int(s, 0, "SELECT count(*) FROM source WHERE state IN ('TORN', 'LIMIT', 'BAD')", NULL);
        v[C_FILES] = val_int(store_int(s, 0, "SELECT count(*) FROM source WHERE rows IS NOT NULL", NULL));
        v[C_ROWS] = val_int(store_int(s, 0, "SELECT sum(rows) FROM source", NULL));
        v[C_LOST] = val_int(store_int(s, 0, "SELECT sum(lost) FROM source", NULL));
        v[C_DAMAGED] = val_int(damaged);
        v[C_READ] = l->was_kept ? val_null() : val_int((int64_t)(l->seconds * 1e9));
        v[C_STATE] = val_cstr(l->no_room[0] ? "PART" : damaged ? "DAMAGED" : "ok");
        v[C_STORE] = val_cstr(store_path(s));
        v[C_NOTE] = l->no_room[0] ? val_cstr(tr_sentence(l->no_room, why, sizeof why)) : val_null();
    }
    int rc = writer_row(w, v, e);
    buf_done(&ranks);
    return rc;
}

/* A folder that the search did not enter: there may be a unit in it. */
static int print_unread(struct writer *w, const struct unread_folder *f, struct err *e)
{
    char why[500];
    const struct val v[N_FIELDS] = {
        [C_UNIT] = val_cstr(f->path),
        [C_STATE] = val_cstr(f->why == UNREAD_CLOSED ? "FAILED" : "SKIPPED"),
        [C_NOTE] = val_cstr(tr_sentence(f->text, why, sizeof why)),
    };
    return f->why == UNREAD_HIDDEN ? OK : writer_row(w, v, e);
}

static int print_units(struct cli *c, const struct run_load *l, size_t n, struct err *e)
{
    const struct view_col *cols[N_FIELDS];
    struct writer *w = NULL;

    if (cmd_table_begin(c, &w, "units", import_cols, cols, N_FIELDS, e))
        goto out;
    for (size_t i = 0; i < n; i++)
        if (print_unit(c, w, &l[i], e))
            goto out;
    for (const struct unread_folder *f = session_job(c->session)->unread; f; f = f->next)
        if (print_unread(w, f, e))
            goto out;
out:
    return cmd_table_end(w, e);
}

/*
 * Every unit that could not be read, on standard error (the table has all of them); the exit status says so
 * too.
 */
static bool report_failures(struct cli *c, const struct run_load *l, size_t n)
{
    unsigned failed = 0;
    char why[500];

    for (size_t i = 0; i < n; i++)
        if (l[i].err.code && ++failed <= TOLD_MAX)
            log_message("%s: not read: %s", session_job(c->session)->units[l[i].unit]->shown,
                        err_message(&l[i].err, why, sizeof why));
    if (failed > TOLD_MAX)
        log_message("and %u more units could not be read", failed - TOLD_MAX);
    if (failed || unread_count(session_job(c->session)->unread, UNREAD_CLOSED, NULL))
        c->status = ST_FAILED;
    return failed > 0;
}

/* After a signal: how far it came. */
static void report_interrupted(const struct run_load *l, size_t n, const struct cli *c)
{
    size_t whole = 0, partial = 0;

    for (size_t i = 0; i < n; i++) {
        whole += session_store(c->session, l[i].unit) && !l[i].partial;
        partial += l[i].partial;
    }
    if (n > 1)
        log_message("%zu of %zu units were read whole, %zu in part", whole, n, partial);
}

int cmd_import(struct cli *c, struct err *e)
{
    unsigned jobs = (unsigned)opt_int(&c->opts, OPT_JOBS, run_cpus());
    struct run_load *l = NULL;
    size_t n = 0;

    /* Not paged, and a file that cannot be written is reported before anything is read. */
    if (cli_output(c, false, e) || run_scan(c, cmd_arg(c, 0), e))
        return e->code;
    run_report_unread(c);
    run_report_left_out(c);
    c->all_runs = !opt_is(&c->opts, OPT_DB); /* that is the store of one unit */
    if (run_choose(c, true, e) || run_units(c, &l, &n, e))
        return e->code;
    if (run_load_each(c, l, n, jobs, e) == OK && print_units(c, l, n, e) == OK) {
        cmd_check_damage(c, ~0u, true);
        bool failed = report_failures(c, l, n);
        const struct job *j = session_job(c->session);
        if (!failed && n == j->n_units && j->n_runs < 2 && run_has_overview(c))
            (void)!run_overview(c, jobs, e);
    } else if (e->code == ERR_CANCELLED && !opt_is(&c->opts, OPT_QUIET)) {
        report_interrupted(l, n, c);
    }
    free(l);
    return e->code;
}
