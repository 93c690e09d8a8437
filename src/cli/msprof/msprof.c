/* SPDX-License-Identifier: Apache-2.0 */
/* msprof.py's commands: what they ask for, and running it. */
#include "config.h"

#include "cli/msprof/msprof.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "base/text.h"
#include "base/unit.h"
#include "cli/msprof/msprof_help.h"
#include "cli/msprof/msprof_query.h"
#include "cli/msprof/msprof_switch.h"
#include "cli/progress.h"
#include "emit/emit.h"
#include "import/import.h"

#define STAMPS_TRIED 1000

/* The outcome of a run as an exit code of msprof (doc/formats/msprof.md#command-line). */
static int status_of(const struct err *e)
{
    switch (e->code) {
    case OK:
        return MSX_OK;
    case ERR_USAGE:
        return MSX_PARAM;
    case ERR_IO:
        return MSX_PATH;
    case ERR_FULL:
        return MSX_DISK;
    case ERR_CANCELLED:
        return sig_stop() ? 128 + sig_stop() : MSX_SYSTEM;
    case ERR_NOMEM:
    case ERR_BUG:
        return MSX_SYSTEM;
    default:
        return MSX_DATA;
    }
}

static bool stopped(void)
{
    return sig_stop() != 0;
}

/* ---- outcome ---- */

/* "text", after the name of the PROF folder where there are several. */
static void say(const char *folder, const char *what, const char *text)
{
    log_message("%s%s%s: %s", folder, folder[0] ? ": " : "", what, text);
}

/* True: a file failed. */
static bool tell(const struct emit_report *report, const char *folder)
{
    size_t n;
    const struct emit_result *x = emit_report_results(report, &n);
    bool failed = false;

    for (size_t i = 0; i < n; i++) {
        failed |= x[i].outcome == EMIT_FAILED;
        if (x[i].outcome != EMIT_WRITTEN)
            say(folder, x[i].name, x[i].why);
    }
    const struct emit_note *note = emit_report_notes(report, &n);
    for (size_t i = 0; i < n; i++) {
        const char *what = note[i].file ? note[i].file->rel : "the run";
        say(folder, what, note[i].text);
        if (note[i].more)
            log_message("%s: and %llu more notes", what, (unsigned long long)note[i].more);
    }
    return failed;
}

/* Files of the folder that could not be opened: what they hold is missing in the results. */
static bool report_unread(const struct unit *u, struct str root, const char *folder)
{
    bool some = false;

    for (size_t i = 0; i < u->n_files; i++) {
        const struct source_file *f = u->files[i];
        if (f->state != FS_BAD || f->regular || !f->note || !str_starts(str_of(f->rel), root))
            continue;
        say(folder, f->rel, f->note);
        some = true;
    }
    return some;
}

static void print_written(struct out *o, const char *dir, const struct emit_result *x)
{
    char path[2200], safe[2200], size[32];

    if (x->path || !path_join(path, sizeof path, dir, x->name))
        snprintf(path, sizeof path, "%s", x->path ? x->path : x->name);
    text_safe_into(safe, sizeof safe, str_of(path), 0);
    out_printf(o, "%s  %s\n", isatty(STDOUT_FILENO) ? safe : path,
               unit_size(size, sizeof size, (double)x->bytes, SIZE_AUTO));
}

/* What was written and where: a line for each file, its path and size. */
static int report_written(const struct emit_report *report, const char *dir, struct err *e)
{
    const struct out_opts oo = { .page = false };
    const struct emit_result *x;
    struct err ignored = ERR_INIT,
               *why = e->code ? &ignored : e; /* an earlier error is the one that counts */
    struct out *o = NULL;
    size_t n;
    bool gone;

    if (out_open(&o, &oo, why))
        return e->code;
    x = emit_report_results(report, &n);
    for (size_t i = 0; i < n; i++)
        if (x[i].outcome == EMIT_WRITTEN)
            print_written(o, dir, &x[i]);
    if (out_close(o, &gone, why) && gone)
        err_clear(why);
    return e->code;
}

/* ---- a PROF folder ---- */

struct exporting {
    const struct msprof_args *a;
    const struct unit *u;
    size_t n, of; /* folders done, and all */
    struct err first;
    bool beyond; /* a folder does not have the iterations */
    struct progress progress;
    const char *folder; /* that is exported */
};

/* Where results of a folder go: into it, or below --output, by its name where there are several. */
static int output_dir(struct exporting *x, char *folder, char *dir, size_t n, struct err *e)
{
    int len = x->a->output && x->of > 1 ? snprintf(dir, n, "%s/%s", x->a->output, path_base(folder))
                                        : snprintf(dir, n, "%s", x->a->output ? x->a->output : folder);

    return len > 0 && (size_t)len < n ? OK : err_set(e, ERR_USAGE, "the path of the results is too long");
}

/*
 * A profile comes from others: a link that lies where results belong would lead out of it. What lies deeper
 * is refused when its file is made (file_write_open_below()).
 */
static int check_link(const struct exporting *x, const char *dir, const char *name, struct err *e)
{
    char path[1100];
    struct stat st;

    if (!path_join(path, sizeof path, dir, name) || lstat(path, &st) || !S_ISLNK(st.st_mode))
        return OK;
    err_set(e, ERR_IO, "is a symbolic link where results belong, which is not followed: remove it%s",
            x->a->output || x->a->switched ? "" : ", or write into another folder with --output=DIR");
    err_where(e, path, ERR_NO_OFFSET, 0);
    return e->code;
}

static int check_links(const struct exporting *x, const char *dir, struct err *e)
{
    const unsigned analysed = MSPROF_COMM | MSPROF_COMM_MATRIX, tables = MSPROF_SUMMARY | MSPROF_TIMELINE;

    if (x->a->output && x->of > 1 && check_link(x, x->a->output, path_base(dir), e))
        return e->code;
    if (x->a->o.what & tables && check_link(x, dir, MSPROF_RESULTS, e))
        return e->code;
    return x->a->o.what & analysed ? check_link(x, dir, MSPROF_ANALYSED, e) : OK;
}

static const char *hint_of(const struct msprof_args *a)
{
    return a->output     ? ""
           : a->switched ? "; 'npuscope export text|db -dir DIR --output=DIR' writes into another folder"
                         : "; --output=DIR writes the results into another folder";
}

/* Say once, and before the work, that nothing can be written. */
static int check_output(const struct exporting *x, const char *dir, struct err *e)
{
    struct stat st;

    if (check_links(x, dir, e) || (x->a->output && emit_mkdirs(dir, e)))
        return e->code;
    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode)) {
        err_set(e, ERR_IO, "is no folder");
        err_where(e, dir, ERR_NO_OFFSET, 0);
    } else if (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS)) {
        err_set(e, ERR_IO, "cannot write there: %s%s", strerror(errno), hint_of(x->a));
        err_where(e, dir, ERR_NO_OFFSET, 0);
    }
    return e->code;
}

static bool holds_stamp(const char *dir, const char *stamp)
{
    DIR *d = opendir(dir);
    bool found = false;

    for (const struct dirent *x; d && !found && (x = readdir(d));)
        found = strstr(x->d_name, stamp) != NULL;
    if (d)
        closedir(d);
    return found;
}

/*
 * The time in the names of the files: now, or the first second after it that no earlier export of this folder
 * has.
 */
static void choose_stamp(char *stamp, size_t n, const char *dir)
{
    char results[1100];
    time_t now = time(NULL);
    struct tm tm;

    snprintf(results, sizeof results, "%s/" MSPROF_RESULTS, dir);
    for (int i = 0; i < STAMPS_TRIED; i++, now++) {
        strftime(stamp, n, "%Y%m%d%H%M%S", localtime_r(&now, &tm));
        if (!holds_stamp(dir, stamp) && !holds_stamp(results, stamp))
            return;
    }
}

static void show_progress(void *arg, const char *what)
{
    struct exporting *x = arg;

    if (x->of > 1)
        progress_text(&x->progress, "%s, %zu of %zu: %s", x->folder, x->n, x->of, what);
    else
        progress_text(&x->progress, "%s: %s", x->folder, what);
}

static int export_folder(struct exporting *x, struct str root, char *path, struct emit_report *report,
                         struct err *e)
{
    const char *folder = x->of > 1 ? path_base(path) : "";
    struct msprof_options o = x->a->o;
    char dir[1024], stamp[32];

    if (output_dir(x, path, dir, sizeof dir, e) || check_output(x, dir, e))
        return e->code;
    choose_stamp(stamp, sizeof stamp, dir);
    o.dir = dir;
    o.stamp = stamp;
    o.cancelled = stopped;
    o.beyond = &x->beyond;
    o.progress = show_progress;
    o.progress_arg = x;
    x->folder = path_base(path);
    progress_begin(&x->progress, false);
    (void)!msprof_export(x->u, root, &o, report, e);
    progress_end(&x->progress);
    if (tell(report, folder) && !e->code)
        err_set(e, ERR_FORMAT, "some files could not be made");
    if (report_unread(x->u, root, folder) && !e->code)
        err_set(e, ERR_IO, "what could not be opened is missing in the results");
    return report_written(report, dir, e);
}

/* An error of one folder does not keep the others from being exported. */
static int after_folder(struct exporting *x, const char *path, struct err *e)
{
    bool ends = e->code == ERR_FULL || e->code == ERR_NOMEM || e->code == ERR_CANCELLED;

    if (!e->code || ends || x->of < 2)
        return e->code;
    char text[600];
    say(path_base(path), "not exported as asked", err_message(e, text, sizeof text));
    if (!x->first.code)
        x->first = *e;
    err_clear(e);
    return OK;
}

static int export_root(void *arg, struct str root, struct err *e)
{
    struct exporting *x = arg;
    struct emit_report *report = NULL;
    char path[1024];
    int len = snprintf(path, sizeof path, "%s/%.*s", x->u->root, (int)root.n, root.p);

    while (len > 1 && len < (int)sizeof path && path[len - 1] == '/')
        path[--len] = '\0';
    x->n++;
    if (emit_report_new(&report, e) == OK)
        (void)!export_folder(x, root, path, report, e);
    emit_report_free(report);
    return after_folder(x, path, e);
}

static int count_root(void *arg, struct str root, struct err *e)
{
    (void)root, (void)e;
    ++*(size_t *)arg;
    return OK;
}

/* Every PROF folder below the path, one after the other. */
static int export_all(struct exporting *x, const struct job *job, struct err *e)
{
    for (size_t i = 0; i < job->n_units; i++)
        if (msprof_each_root(job->units[i], count_root, &x->of, e))
            return e->code;
    if (!x->of)
        return err_set(e, ERR_FORMAT,
                       "%s: no PROF folder with raw data: no host or device_N folder with an info.json",
                       x->a->dir);
    for (size_t i = 0; i < job->n_units && !e->code; i++) {
        x->u = job->units[i];
        (void)!msprof_each_root(x->u, export_root, x, e);
    }
    if (!e->code && x->first.code)
        err_set(e, x->first.code, "not every PROF folder could be exported");
    return e->code;
}

static int run_export(struct msprof_args *a, struct err *e)
{
    struct exporting x = { .a = a, .first = ERR_INIT };
    struct job *job = NULL;

    if (import_scan(&job, a->dir, e) == OK) {
        for (const struct unread_folder *f = job->unread; f; f = f->next)
            if (f->why == UNREAD_CLOSED || f->why == UNREAD_DEEP)
                log_message("%s: %s", f->path, f->text);
        (void)!export_all(&x, job, e);
    }
    job_free(job);
    return !e->code ? MSX_OK : e->code == ERR_USAGE && x.beyond ? MSX_STEP : status_of(e);
}

/* ---- import ---- */

/* msprof's import parses and keeps what it parsed; so does ours, in the cache. */
static int run_import(const struct msprof_args *a, const struct cli_hooks *hooks,
                      int (*run)(int, char **, const struct cli_hooks *))
{
    char name[] = "npuscope", word[] = "import", dir[sizeof a->dir];
    char *argv[] = { name, word, dir, NULL };

    snprintf(dir, sizeof dir, "%s", a->dir);
    int status = run(3, argv, hooks);
    return status == ST_FAILED ? MSX_DATA : status;
}

static int run_command(struct msprof_args *a, struct err *e)
{
    int status = a->command == MSPROF_QUERY ? msprof_query(a, e) : run_export(a, e);

    return status < 0 ? status_of(e) : status;
}

static int print_help(struct err *e)
{
    const struct out_opts oo = { .page = true };
    struct out *o = NULL;
    bool gone = false;

    if (out_open(&o, &oo, e))
        return MSX_PATH;
    msprof_help_page(o);
    return out_close(o, &gone, e) ? MSX_PATH : MSX_OK;
}

/* A command line of msprof.py to its exit status. */
static int run_words(int argc, char **argv, bool switched, const struct cli_hooks *hooks,
                     int (*run)(int, char **, const struct cli_hooks *), struct err *e)
{
    struct msprof_args a;
    int status = msprof_args(&a, argc, argv, e);

    a.switched = switched;
    if (!status && a.help)
        status = print_help(e);
    else if (!status && a.command == MSPROF_IMPORT)
        status = run_import(&a, hooks, run);
    else if (!status)
        status = sig_init(false, e) ? MSX_SYSTEM : run_command(&a, e);
    msprof_args_done(&a);
    return status;
}

/* npuscope's, which msprof does not have. */
static bool asks_for_version(int argc, char **argv)
{
    return argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"));
}

static bool asks_for_help(int argc, char **argv)
{
    return argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h");
}

bool msprof_wants(int argc, char **argv)
{
    return msprof_is(argc, argv) || msprof_is_switched(argc, argv) ||
           (msprof_is_called(argc, argv) && !asks_for_version(argc, argv));
}

int msprof_main(int argc, char **argv, const struct cli_hooks *hooks,
                int (*run)(int, char **, const struct cli_hooks *))
{
    struct msprof_switched s = { .argc = 0 };
    struct err e = ERR_INIT;
    int status;

    if (msprof_is(argc, argv))
        status = run_words(argc, argv, false, hooks, run, &e);
    else if (asks_for_help(argc, argv))
        status = print_help(&e);
    else if (msprof_switch(&s, argc, argv, &e))
        status = e.code == ERR_NOMEM ? MSX_SYSTEM : MSX_PARAM;
    else
        status = run_words(s.argc, s.argv, true, hooks, run, &e);
    msprof_switched_done(&s);
    if (e.code)
        log_error(&e);
    if (e.code == ERR_USAGE && status == MSX_PARAM)
        log_message("see 'npuscope help msprof'");
    return status;
}
