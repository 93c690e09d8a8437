/* SPDX-License-Identifier: Apache-2.0 */
/* export: every table of a run as a file each, or the whole store as one plain database. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "cli/anonymise.h"
#include "cli/cmd/cmd.h"
#include "cli/open.h"
#include "cli/progress.h"
#include "model/view/facts.h"
#include "store/export.h"

/* ---- a folder ---- */

static bool is_empty(const char *dir)
{
    DIR *d = opendir(dir);
    unsigned n = 0;

    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n <= 2; /* . and .. */
}

static int make_folder(const struct cli *c, const char *dir, struct err *e)
{
    struct stat st;

    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
        err_set(e, ERR_IO, "is no folder: give another name to --output");
    else if (stat(dir, &st) == 0 && !is_empty(dir) && !opt_is(&c->opts, OPT_EXPORT_FORCE))
        err_set(e, ERR_IO, "the folder is not empty: give another name, or --force");
    else if (mkdir(dir, 0777) && errno != EEXIST)
        err_sys(e, errno, "cannot make the folder");
    err_where(e, dir, ERR_NO_OFFSET, 0);
    return e->code;
}

static enum format chosen_format(const struct cli *c)
{
    return (enum format)opt_int(&c->opts, OPT_FORMAT, FMT_CSV);
}

static int write_view(struct cli *c, const char *path, struct view *v, struct err *e)
{
    const struct out_opts oo = { .path = path };
    const struct write_opts wo = { .format = chosen_format(c), .text_flags = c->text_flags, .header = true };
    const struct print_opts p = { .all_columns = true,
                                  .top = opt_int(&c->opts, OPT_TOP, -1),
                                  .times = format_times(wo.format) };
    struct writer *w = NULL;
    struct out *out = NULL;
    bool gone;

    if (out_open(&out, &oo, e))
        return e->code;
    const struct write_to to = out_writer(out);
    if (writer_new(&w, &to, &wo, e) == OK && table_print(w, v, &p, NULL, e) == OK)
        (void)!writer_finish(w, e);
    writer_free(w);
    if (!e->code)
        return out_close(out, &gone, e);
    out_abort(out);
    return e->code;
}

static int export_view(struct cli *c, const char *dir, const struct view_def *d, unsigned *files,
                       struct err *e)
{
    const struct view_scope scope = cmd_scope(c);
    struct view *v = NULL;
    char name[100], path[1100];
    int has = view_has_data(d, c->parts, c->n_parts, &scope, e);

    if (has <= 0)
        return has < 0 ? e->code : OK;
    snprintf(name, sizeof name, "%s%s", d->id, format_ending(chosen_format(c)));
    if (!path_join(path, sizeof path, dir, name))
        return err_set(e, ERR_LIMIT, "the path of --output is too long");
    if (table_open(&v, d, c->parts, c->n_parts, &scope, e))
        return e->code;
    if (view_total(v) && write_view(c, path, v, e) == OK) {
        ++*files;
        cmd_report_unsplit(c, d);
    }
    view_close(v);
    return e->code;
}

static int export_folder(struct cli *c, const char *dir, struct err *e)
{
    unsigned files = 0;

    if (make_folder(c, dir, e))
        return e->code;
    for (size_t i = 0; i < view_n_defs; i++)
        if (export_view(c, dir, view_defs[i], &files, e))
            return e->code;
    if (!opt_is(&c->opts, OPT_QUIET))
        log_message("wrote %u files below %s", files, dir);
    return OK;
}

/* ---- one database ---- */

static bool stopped(void *arg, uint64_t rows)
{
    (void)arg;
    (void)rows;
    return sig_stop() != 0;
}

static int export_database(struct cli *c, const char *path, struct err *e)
{
    const struct export_opts o = { .replace = opt_is(&c->opts, OPT_EXPORT_FORCE), .cancelled = stopped };

    for (size_t i = 1; i < c->n_parts; i++)
        if (c->parts[i].store != c->parts[0].store)
            return err_set(e, ERR_USAGE,
                           "--db writes one unit, and these ranks lie in several: choose one with "
                           "--rank");
    if (store_export(c->parts[0].store, path, &o, e))
        return e->code;
    if (!opt_is(&c->opts, OPT_QUIET))
        log_message("wrote %s", path);
    return OK;
}

int cmd_export(struct cli *c, struct err *e)
{
    const char *dir = opt_text(&c->opts, OPT_EXPORT_DIR), *db = opt_text(&c->opts, OPT_EXPORT_DB);
    const char *key = opt_text(&c->opts, OPT_ANONYMISE);

    if (!dir == !db)
        return err_set(e, ERR_USAGE, "give either --output=DIR or --db=FILE");
    if ((key && anonymise_check(key, dir ? dir : db, e)) || run_open(c, cmd_arg(c, 0), e) ||
        (key && anonymise_parts(c, key, e)))
        return e->code;
    if (dir ? export_folder(c, dir, e) : export_database(c, db, e))
        return e->code;
    cmd_check_damage(c, ~0u, false);
    return OK;
}
