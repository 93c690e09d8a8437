/* SPDX-License-Identifier: Apache-2.0 */
/* analyse: MindSpore's files from raw data. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/said.h"
#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "cli/cmd/analyse_folders.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"
#include "mindspore/analyse.h"
#include "offline/offline.h"

enum analyse_col { C_FOLDER, C_RANK, C_FILE, C_STATE, C_SIZE, C_NOTE, N_FIELDS };

static const struct view_col analyse_cols[N_FIELDS] = {
    [C_FOLDER] = CMD_TEXT("folder", "Folder", "of the rank; only where there are several runs"),
    [C_RANK] = CMD_NUMBER("rank", "Rank", VU_COUNT, "rank it is about"),
    [C_FILE] = CMD_TEXT("file", "File", "name of the file"),
    [C_STATE] =
        CMD_TEXT("state", "State", "written; kept: it was there; no data: its input is missing; FAILED"),
    [C_SIZE] = CMD_NUMBER("size_b", "Size", VU_BYTES, "bytes written"),
    [C_NOTE] = CMD_TEXT("note", "Note", "why it was not written"),
};
static const char *const words[] = {
    [EMIT_WRITTEN] = "written", [EMIT_KEPT] = "kept", [EMIT_NO_DATA] = "no data", [EMIT_FAILED] = "FAILED"
};

static int print_results(struct cli *c, const struct emit_report *r, struct err *e)
{
    const struct view_col *cols[N_FIELDS];
    struct writer *w = NULL;
    size_t n, first = session_job(c->session)->n_runs > 1 ? C_FOLDER : C_RANK;
    const struct emit_result *x = emit_report_results(r, &n);
    char why[500];

    if (cmd_table_begin(c, &w, "analyse", analyse_cols + first, cols, N_FIELDS - first, e))
        goto out;
    for (size_t i = 0; i < n; i++) {
        const struct val v[N_FIELDS] = {
            [C_FOLDER] = val_cstr(x[i].folder ? x[i].folder : ""),
            [C_RANK] = val_int(x[i].rank),
            [C_FILE] = val_cstr(x[i].name),
            [C_STATE] = val_cstr(words[x[i].outcome]),
            [C_SIZE] = x[i].outcome == EMIT_WRITTEN ? val_int((int64_t)x[i].bytes) : val_null(),
            [C_NOTE] = x[i].why ? val_cstr(tr_sentence(x[i].why, why, sizeof why)) : val_null(),
        };
        if (writer_row(w, v + first, e))
            goto out;
    }
out:
    return cmd_table_end(w, e);
}

/* Files that could not be written: a reader of the table's end, or of a pipe, must not miss them. */
static void report_failures(struct cli *c, const struct emit_report *r)
{
    size_t n;
    const struct emit_result *x = emit_report_results(r, &n);

    for (size_t i = 0; i < n; i++) {
        if (x[i].outcome != EMIT_FAILED)
            continue;
        const char *why = x[i].why ? x[i].why : "not written";
        if (strstr(why, x[i].name)) /* an error with its path */
            log_message("%s", why);
        else
            log_message("%s: %s", x[i].name, why);
        c->status = ST_FAILED;
    }
}

/* Damage met in the input: said on standard error, as other commands say it. */
static void report_notes(struct cli *c, const struct emit_report *r)
{
    size_t n;
    const struct emit_note *x = emit_report_notes(r, &n);
    char place[60];

    for (size_t i = 0; i < n; i++) {
        place[0] = '\0';
        if (x[i].line)
            snprintf(place, sizeof place, "line %u: ", (unsigned)x[i].line);
        else if (x[i].offset != ERR_NO_OFFSET)
            snprintf(place, sizeof place, "at byte %llu: ", (unsigned long long)x[i].offset);
        const char *name = x[i].file ? x[i].file->rel : "the run";
        log_message("%s: %s%s", name, place, x[i].text);
        if (x[i].more)
            log_message("%s: and %llu more notes", name, (unsigned long long)x[i].more);
    }
    if (n && c->status == ST_DONE)
        c->status = ST_DAMAGED;
}

static bool stopped(void)
{
    return sig_stop() != 0;
}

static bool is_of_several_runs(const struct cli *c)
{
    return session_job(c->session)->n_runs > 1 && c->run == SIZE_MAX;
}

/* Of MindSpore 1.x: files go into the folder asked for, or the unit's own. */
static int make_files(struct cli *c, const struct session_rank *rank, struct emit_report *report,
                      struct err *e)
{
    const struct options *o = &c->opts;
    const struct unit *u = session_job(c->session)->units[rank->unit];
    const char *version = opt_text(o, OPT_MS_VERSION), *dir = opt_text(o, OPT_ANALYSE_DIR);
    char own[PATH_MAX];

    if (dir && is_of_several_runs(c)) { /* their files have the same names */
        if (!path_join(own, sizeof own, dir, analyse_folder_name(c, u)) || path_mkdirs(own, e))
            return e->code ? e->code : err_set(e, ERR_USAGE, "the path of a run's results is too long");
        dir = own;
    }
    struct mindspore_options g = {
        .rules = version ? mindspore_rules_find(version) : NULL,
        .mode = (enum mindspore_mode)opt_int(o, OPT_MODE, MINDSPORE_AUTO),
        .dir = dir ? dir : u->root,
        .force = opt_is(o, OPT_ANALYSE_FORCE),
        .pretty = opt_is(o, OPT_PRETTY),
        .compat = opt_is(o, OPT_ANALYSE_COMPAT),
        .cancelled = stopped,
    };

    return mindspore_analyse(u, rank->rank, &g, report, e);
}

/* A folder of MindSpore 2.5 and later or of torch_npu, whose job left nothing to analyse. */
static int has_nothing(const struct session_rank *rank, struct err *e)
{
    return err_set(e, ERR_FORMAT, "rank %d has neither PROF_* nor FRAMEWORK that could be analysed",
                   rank->rank);
}

/* What ended one of several ranks is said, and does not end the others. */
static int analyse_rank(struct cli *c, const struct session_rank *rank, struct emit_report *report,
                        struct err *e)
{
    const struct unit *u = session_job(c->session)->units[rank->unit];
    struct emit_report *own = NULL;
    bool is_empty = (u->gen == GEN_2 || u->gen == GEN_P) && !offline_can(u);
    char why[300];

    if (emit_report_new(&own, e) == OK)
        (void)!(is_empty ? has_nothing(rank, e) : make_files(c, rank, own, e));
    if (own)
        emit_report_join_as(report, own, analyse_folder_name(c, u));
    emit_report_free(own);
    if (e->code == ERR_FORMAT && (is_of_several_runs(c) || (c->n_ranks > 1 && !offline_can(u)))) {
        log_message("%s: %s", u->shown, err_message(e, why, sizeof why));
        err_clear(e);
        c->status = ST_FAILED;
    }
    return e->code;
}

/* A folder for the results, which an archive is not. */
static int prepare_output(struct cli *c, const struct unit *u, struct err *e)
{
    const char *dir = opt_text(&c->opts, OPT_ANALYSE_DIR);

    bool into = !dir || opt_int(&c->opts, OPT_SIMPLIFICATION, 0) == 1;

    if (c->copy && into) {
        err_set(e, ERR_USAGE, "an archive is not written to: choose a folder with --output=DIR");
        err_where(e, u->shown, ERR_NO_OFFSET, 0);
        return e->code;
    }
    return dir && path_mkdirs(dir, e) ? e->code : OK;
}

/* Flat folders one after the other, rank folders together. */
static int analyse_all(struct cli *c, struct emit_report *report, struct err *e)
{
    struct analyse_folder *folder = calloc(c->n_ranks + 1, sizeof *folder);
    size_t n = 0;

    if (!folder)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_ranks && !e->code; i++) {
        const struct session_rank *rank = session_rank(c->session, c->ranks[i]);
        const struct unit *u = session_job(c->session)->units[rank->unit];
        if (prepare_output(c, u, e))
            break;
        bool own = offline_can(u), flat = u->gen == GEN_1B;
        if (own && !flat && n && folder[n - 1].u == u)
            continue; /* ranks of two devices of one PROF folder have their files in common */
        if (own)
            folder[n++] = (struct analyse_folder){ u, rank->rank };
        if ((!own || flat) && !analyse_folders_holds(c, u) && analyse_rank(c, rank, report, e) && own &&
            e->code == ERR_FORMAT)
            err_clear(e); /* 2.3 and 2.4 may have files of 1.x beside those of the rank folder */
    }
    if (!e->code && n)
        (void)!analyse_folders(c, folder, n, report, e);
    free(folder);
    return e->code;
}

int cmd_analyse(struct cli *c, struct err *e)
{
    struct emit_report *report = NULL;

    c->all_runs = true;
    if (run_scan(c, cmd_arg(c, 0), e) || run_choose(c, true, e) || emit_report_new(&report, e))
        goto out;
    (void)!analyse_all(c, report, e);
    struct err shown = ERR_INIT;
    if (print_results(c, report, &shown) && !e->code)
        *e = shown;
    report_failures(c, report);
    report_notes(c, report);
out:
    emit_report_free(report);
    return e->code;
}
