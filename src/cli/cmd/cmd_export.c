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

static bool is_stream(const char *name)
{
    return name && !strcmp(name, "-");
}

static enum format chosen_format(const struct cli *c)
{
    return (enum format)opt_int(&c->opts, OPT_FORMAT, FMT_CSV);
}

/* ---- what was written ---- */

enum written_col { C_FILE, C_ROWS, C_SIZE, N_FIELDS };
static const struct view_col written_cols[N_FIELDS] = {
    [C_FILE] = CMD_TEXT("file", "File", "path of the file"),
    [C_ROWS] = CMD_NUMBER("rows", "Rows", VU_COUNT, "rows in it, of a database in all its tables"),
    [C_SIZE] = CMD_NUMBER("size_b", "Size", VU_BYTES, "size of the file"),
};

/* One export: to=NULL is a folder, else the writer that takes all tables. */
struct exporting {
    struct cli *c;
    const char *dir;
    struct writer *to;
    unsigned files;
    struct writer *report; /* NULL: nothing is said */
    const struct view_col *place[N_FIELDS];
};

static int begin_report(struct exporting *x, struct err *e)
{
    if (opt_is(&x->c->opts, OPT_QUIET))
        return OK;
    return cmd_table_begin(x->c, &x->report, "written", written_cols, x->place, N_FIELDS, e);
}

static int report_file(struct exporting *x, const char *path, uint64_t rows, struct err *e)
{
    struct stat st;
    bool known = stat(path, &st) == 0;
    const struct val v[N_FIELDS] = {
        [C_FILE] = val_cstr(path),
        [C_ROWS] = val_int((int64_t)rows),
        [C_SIZE] = known ? val_int((int64_t)st.st_size) : val_null(),
    };

    x->files++;
    return x->report ? writer_row(x->report, v, e) : OK;
}

static int end_report(struct exporting *x, struct err *e)
{
    return x->report ? cmd_table_end(x->report, e) : e->code;
}

/* ---- tables ---- */

static int print_view(struct exporting *x, struct writer *w, struct view *v, size_t *rows, struct err *e)
{
    const struct print_opts p = { .all_columns = true,
                                  .top = opt_int(&x->c->opts, OPT_TOP, -1),
                                  .times = format_times(chosen_format(x->c)) };

    return table_print(w, v, &p, rows, e);
}

static struct write_opts write_opts_of(const struct cli *c)
{
    return (struct write_opts){ .format = chosen_format(c), .text_flags = c->text_flags, .header = true };
}

static int write_file(struct exporting *x, const char *path, struct view *v, size_t *rows, struct err *e)
{
    const struct out_opts oo = { .path = path };
    const struct write_opts wo = write_opts_of(x->c);
    struct writer *w = NULL;
    struct out *out = NULL;
    bool gone;

    if (out_open(&out, &oo, e))
        return e->code;
    const struct write_to to = out_writer(out);
    if (writer_new(&w, &to, &wo, e) == OK && print_view(x, w, v, rows, e) == OK)
        (void)!writer_finish(w, e);
    writer_free(w);
    if (!e->code)
        return out_close(out, &gone, e);
    out_abort(out);
    return e->code;
}

static int write_view(struct exporting *x, const struct view_def *d, struct view *v, struct err *e)
{
    char name[100], path[1100];
    size_t rows = 0;

    if (x->to) {
        x->files++;
        return print_view(x, x->to, v, &rows, e);
    }
    snprintf(name, sizeof name, "%s%s", d->id, format_ending(chosen_format(x->c)));
    if (!path_join(path, sizeof path, x->dir, name))
        return err_set(e, ERR_LIMIT, "the path of --output is too long");
    if (write_file(x, path, v, &rows, e))
        return e->code;
    return report_file(x, path, rows, e);
}

static int export_view(struct exporting *x, const struct view_def *d, struct err *e)
{
    struct cli *c = x->c;
    const struct view_scope scope = cmd_scope(c);
    struct view *v = NULL;
    int has = view_has_data(d, c->parts, c->n_parts, &scope, e);

    if (has <= 0)
        return has < 0 ? e->code : OK;
    if (table_open(&v, d, c->parts, c->n_parts, &scope, e))
        return e->code;
    if (view_total(v) && write_view(x, d, v, e) == OK)
        cmd_report_unsplit(c, d);
    view_close(v);
    return e->code;
}

static int export_views(struct exporting *x, struct err *e)
{
    for (size_t i = 0; i < view_n_defs; i++)
        if (export_view(x, view_defs[i], e))
            return e->code;
    return OK;
}

static int export_folder(struct cli *c, const char *dir, struct err *e)
{
    struct exporting x = { .c = c, .dir = dir };

    if (make_folder(c, dir, e) || begin_report(&x, e))
        return e->code;
    (void)!export_views(&x, e);
    if (end_report(&x, e))
        return e->code;
    if (!opt_is(&c->opts, OPT_QUIET))
        log_message("wrote %u files below %s", x.files, dir);
    return OK;
}

/* All tables to standard output, which has nothing else then. */
static int export_stream(struct cli *c, struct err *e)
{
    struct write_opts wo = write_opts_of(c);
    struct exporting x = { .c = c };

    wo.named = true;
    wo.color = c->color;
    if (cli_output(c, true, e))
        return e->code;
    const struct write_to to = out_writer(c->out);
    if (writer_new(&x.to, &to, &wo, e) == OK && export_views(&x, e) == OK)
        (void)!writer_finish(x.to, e);
    writer_free(x.to);
    if (!e->code && !opt_is(&c->opts, OPT_QUIET))
        log_message("wrote %u tables to standard output", x.files);
    return e->code;
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
    uint64_t rows = 0;
    const struct export_opts o = { .replace = opt_is(&c->opts, OPT_EXPORT_FORCE),
                                   .cancelled = stopped,
                                   .rows = &rows };
    struct exporting x = { .c = c };

    for (size_t i = 1; i < c->n_parts; i++)
        if (c->parts[i].store != c->parts[0].store)
            return err_set(e, ERR_USAGE,
                           "--db writes one unit, and these ranks lie in several: choose one with "
                           "--rank");
    if (store_export(c->parts[0].store, path, &o, e) || begin_report(&x, e))
        return e->code;
    (void)!report_file(&x, path, rows, e);
    return end_report(&x, e);
}

static int export_to(struct cli *c, const char *dir, const char *db, struct err *e)
{
    if (db)
        return export_database(c, db, e);
    return is_stream(dir) ? export_stream(c, e) : export_folder(c, dir, e);
}

static int check_usage(const char *dir, const char *db, const char *key, struct err *e)
{
    const char *target = dir ? dir : db;

    if (!dir == !db)
        return err_set(e, ERR_USAGE, "give either --output=DIR or --db=FILE");
    return key ? anonymise_check(key, is_stream(target) ? NULL : target, e) : OK;
}

int cmd_export(struct cli *c, struct err *e)
{
    const char *dir = opt_text(&c->opts, OPT_EXPORT_DIR), *db = opt_text(&c->opts, OPT_EXPORT_DB);
    const char *key = opt_text(&c->opts, OPT_ANONYMISE);

    if (check_usage(dir, db, key, e) || run_open(c, cmd_arg(c, 0), e) || (key && anonymise_run(c, key, e)) ||
        export_to(c, dir, db, e))
        return e->code;
    cmd_check_damage(c, ~0u, false);
    return OK;
}
