/* SPDX-License-Identifier: Apache-2.0 */
/* bundle: what somebody else needs to help with a run, as one archive (doc/reliability.md#bundles). */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/job_logs.h"
#include "base/lang/tr.h"
#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "base/unit.h"
#include "cli/anonymise.h"
#include "cli/bundle/parts.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"

#define DEFAULT_LIMIT_B (INT64_C(32) << 20) /* packed, it passes where attachments are limited */

struct bundling {
    struct cli *c;
    struct bundle *b;
    const char *key; /* of --anonymise, NULL: names stay */
    char path[PATH_MAX];
    char name[200]; /* of the folder in the archive */
    int64_t now_s;
};

/* ---- where it goes ---- */

/* A name of letters that need no quotes, from the run's folder and the time. */
static void choose_name(struct bundling *x)
{
    char real[PATH_MAX], stamp[40], utc[40];
    const char *arg = cmd_arg(x->c, 0) ? cmd_arg(x->c, 0) : ".";
    const char *base = x->key ? "run" : path_base(realpath(arg, real) ? real : arg);
    size_t n = 0;

    unit_utc(utc, sizeof utc, x->now_s * 1000000000, 0); /* 2026-03-14 09:12:07 */
    for (const char *p = utc; *p; p++)
        if (*p != '-' && *p != ':')
            stamp[n++] = *p == ' ' ? 'T' : *p;
    stamp[n] = '\0';
    snprintf(x->name, sizeof x->name, "npuscope-%.100s-%sZ", base, stamp);
    for (char *p = x->name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *p))
            *p = '_';
}

static bool to_stream(const struct bundling *x)
{
    const char *path = opt_text(&x->c->opts, OPT_BUNDLE_FILE);

    return path && !strcmp(path, "-");
}

static int choose_path(struct bundling *x, struct err *e)
{
    const char *given = opt_text(&x->c->opts, OPT_BUNDLE_FILE);

    if (to_stream(x) && isatty(STDOUT_FILENO))
        return err_set(e, ERR_USAGE, "an archive is nothing for a terminal: give another name to --output");
    if (given)
        snprintf(x->path, sizeof x->path, "%s", given);
    else
        snprintf(x->path, sizeof x->path, "%s.tar.gz", x->name);
    return x->key ? anonymise_check(x->key, to_stream(x) ? NULL : x->path, e) : OK;
}

/* The profile is left as it is unless the user says otherwise. */
static int check_place(const struct bundling *x, struct err *e)
{
    char here[PATH_MAX];

    if (!x->c->session || opt_is(&x->c->opts, OPT_BUNDLE_FILE) || opt_is(&x->c->opts, OPT_BUNDLE_LIST) ||
        !getcwd(here, sizeof here))
        return OK;
    const struct job *j = session_job(x->c->session);
    bool inside = false;
    for (size_t i = 0; i < j->n_units; i++)
        inside |= path_is_below(here, j->units[i]->root);
    return inside ? err_set(e, ERR_USAGE,
                            "the current folder is that of a profile, where nothing is written "
                            "unasked: give --output=FILE")
                  : OK;
}

/* ---- what goes in ---- */

static int gather_run(struct bundling *x, struct err *e)
{
    struct cli *c = x->c;
    struct ending *end = NULL;
    const struct job_logs *j = NULL;

    if (x->key && anonymise_run(c, x->key, e))
        return e->code;
    run_attach_kept(c);
    if (ending_make(&end, c->session, c->ranks, c->n_ranks, x->now_s * 1000000000, e) == OK)
        j = cmd_job_logs(c, end, e);
    ending_free(end);
    if (e->code || bundle_results(x->b, c, NULL, e))
        return e->code;
    if (c->aliases)
        return bundle_lack(x->b, e, "logs and first bytes of files: they hold names");
    if (!opt_is(&c->opts, OPT_NO_LOGS)) {
        const struct logs *l = j ? job_logs_all(j) : NULL;
        if (l ? bundle_logs(x->b, l, job_logs_verdict(j), session_job(c->session)->path, e)
              : bundle_lack(x->b, e, "logs: none were found"))
            return e->code;
    }
    return bundle_heads(x->b, session_job(c->session), e);
}

/* A folder that holds logs and no profile. */
static int gather_logs(struct bundling *x, const char *folder, struct err *e)
{
    struct cli *c = x->c;

    if (cmd_folder_logs(c, folder, e))
        return e->code;
    if (!logs_n_files(c->folder_logs))
        return err_set(e, ERR_FORMAT, "neither a profile nor logs below '%s'", folder);
    return bundle_results(x->b, c, folder, e)
               ? e->code
               : bundle_logs(x->b, c->folder_logs, c->folder_verdict, folder, e);
}

static int gather(struct bundling *x, struct err *e)
{
    struct cli *c = x->c;
    const char *path = cmd_arg(c, 0) ? cmd_arg(c, 0) : ".";

    c->all_ranks = c->for_others = true;
    if (run_open(c, cmd_arg(c, 0), e) == OK) {
        if (check_place(x, e) || gather_run(x, e))
            return e->code;
    } else {
        if (c->session || e->code != ERR_FORMAT || opt_is(&c->opts, OPT_NO_LOGS))
            return e->code;
        err_clear(e);
        if (x->key)
            return err_set(e, ERR_USAGE,
                           "no profile below '%s', and logs alone hold names: --anonymise would "
                           "leave nothing",
                           path);
        if (gather_logs(x, path, e))
            return e->code;
    }
    return bundle_host(x->b, path, x->key != NULL, e) || bundle_readme(x->b, x->key != NULL, e) ? e->code
                                                                                                : OK;
}

/* ---- saying and writing it ---- */

static const struct view_col member_cols[] = {
    CMD_NUMBER("size_b", "Size", VU_BYTES, "before packing"),
    CMD_TEXT("what", "What", ""),
    CMD_TEXT("member", "Member", "name in the archive"),
};

/* The folder that the members of this one are listed by: the second of its name; "" none. */
static struct str group_of(struct str name)
{
    size_t first = str_chr(name, '/');
    size_t second = first == SIZE_MAX ? SIZE_MAX : str_chr(str_sub(name, first + 1, SIZE_MAX), '/');

    return second == SIZE_MAX ? STR("") : str_sub(name, 0, first + second + 2);
}

/* A row for a member, or for all that lie next to it in its group; *i: the last one. */
static int list_row(const struct bundling *x, struct writer *w, size_t *i, bool each, struct err *e)
{
    const struct bundle_member *m = bundle_at(x->b, *i);
    struct str group = each ? STR("") : group_of(str_of(m->name));
    uint64_t bytes = m->text.n, files = 1;
    char what[60];

    while (group.n && *i + 1 < bundle_n(x->b)) {
        const struct bundle_member *next = bundle_at(x->b, *i + 1);
        if (!str_eq(group_of(str_of(next->name)), group))
            break;
        bytes += next->text.n;
        files++;
        ++*i;
    }
    snprintf(what, sizeof what, tr("%" PRIu64 " files or parts of them"), files);
    const struct val v[] = { val_int((int64_t)bytes), val_cstr(files > 1 ? what : tr(m->what)),
                             files > 1 ? val_text(group) : val_cstr(m->name) };
    return writer_row(w, v, e);
}

static int list(struct bundling *x, struct err *e)
{
    const struct view_col *place[ARRAY_LEN(member_cols)];
    bool each = opt_is(&x->c->opts, OPT_BUNDLE_LIST);
    struct writer *w = NULL;
    const char *lack;

    if (cmd_table_begin(x->c, &w, "members", member_cols, place, ARRAY_LEN(place), e))
        return e->code;
    for (size_t i = 0; i < bundle_n(x->b); i++)
        if (list_row(x, w, &i, each, e))
            break;
    if (cmd_table_end(w, e))
        return e->code;
    for (size_t i = 0; (lack = bundle_lacks(x->b, i)) != NULL; i++)
        log_message("not in it: %s", lack);
    return out_flush(x->c->out) ? OK : err_set(e, ERR_IO, "the list of members could not be written");
}

struct target {
    struct out *out;
    uint64_t bytes;
};

static int give(void *arg, struct str bytes, struct err *e)
{
    struct target *t = arg;

    out_add(t->out, bytes);
    t->bytes += bytes.n;
    if (sig_stop())
        return err_set(e, ERR_CANCELLED, "interrupted");
    return OK;
}

static int write_archive(struct bundling *x, struct target *t, struct err *e)
{
    char size[40];
    bool gone = false;

    if (bundle_pack(x->b, x->name, give, t, e))
        return e->code;
    struct out *out = t->out;
    t->out = NULL;
    if (out_close(out, &gone, e) == OK && !gone && !opt_is(&x->c->opts, OPT_QUIET))
        log_message("wrote %s, %s", to_stream(x) ? "the archive" : x->path,
                    unit_size(size, sizeof size, (double)t->bytes, SIZE_AUTO));
    return e->code;
}

int cmd_bundle(struct cli *c, struct err *e)
{
    struct bundling x = { .c = c, .key = opt_text(&c->opts, OPT_ANONYMISE), .now_s = (int64_t)time(NULL) };
    struct target t = { 0 };

    choose_name(&x);
    const struct out_opts o = { .path = to_stream(&x) ? NULL : x.path };
    bool only_list = opt_is(&c->opts, OPT_BUNDLE_LIST);
    /* a file that cannot be made is reported before anything is read */
    if (choose_path(&x, e) || (!only_list && out_open(&t.out, &o, e)) ||
        bundle_new(&x.b, (uint64_t)opt_int(&c->opts, OPT_BUNDLE_LIMIT, DEFAULT_LIMIT_B), x.now_s, e) ||
        gather(&x, e))
        goto out;
    c->for_others = false;
    if (only_list || !to_stream(&x))
        (void)!list(&x, e);
    if (!e->code && !only_list)
        (void)!write_archive(&x, &t, e);
    if (!e->code && c->session)
        cmd_check_damage(c, ~0u, false);
out:
    out_abort(t.out);
    bundle_free(x.b);
    return e->code;
}
