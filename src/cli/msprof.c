/* msprof.py's commands: what they ask for, and running it. */
#include "config.h"

#include "cli/msprof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "base/text.h"
#include "cli/msprof_args.h"
#include "import/import.h"

/* What became of a run, as msprof's exit codes say it (7). */
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

/* ---- a PROF folder ---- */

struct exporting {
    const struct ms_args *a;
    const struct unit *u;
    struct vendor_report *report;
    size_t n, of; /* folders done, and all */
};

/* Where results of a folder go: into it, or below --output, by its name where there are several. */
static int output_dir(const struct exporting *x, struct str root, char *dir, size_t n,
                      struct err *e)
{
    char folder[1024];
    int len = snprintf(folder, sizeof folder, "%s/%.*s", x->u->root, (int)root.n, root.p);

    while (len > 1 && len < (int)sizeof folder && folder[len - 1] == '/')
        folder[--len] = '\0';
    if (x->a->output)
        len = x->of > 1 ? snprintf(dir, n, "%s/%s", x->a->output, path_base(folder))
                        : snprintf(dir, n, "%s", x->a->output);
    else
        len = snprintf(dir, n, "%s", folder);
    return len > 0 && (size_t)len < n
               ? OK
               : err_set(e, ERR_USAGE, "the path of the results is too long");
}

static int export_root(void *arg, struct str root, struct err *e)
{
    struct exporting *x = arg;
    struct ms_options o = x->a->o;
    char dir[1024];

    if (output_dir(x, root, dir, sizeof dir, e))
        return (int)e->code;
    o.dir = dir;
    o.cancelled = stopped;
    x->n++;
    if (isatty(STDERR_FILENO))
        log_message("%s: %zu of %zu", dir, x->n, x->of);
    return ms_export(x->u, root, &o, x->report, e);
}

static int count_root(void *arg, struct str root, struct err *e)
{
    (void)root, (void)e;
    ++*(size_t *)arg;
    return OK;
}

/* Every PROF folder below the path, one after the other. */
static int export_all(const struct ms_args *a, const struct job *job, struct vendor_report *report,
                      struct err *e)
{
    struct exporting x = { .a = a, .report = report };

    for (size_t i = 0; i < job->n_units; i++)
        if (ms_each_root(job->units[i], count_root, &x.of, e))
            return (int)e->code;
    if (!x.of)
        return err_set(
            e, ERR_FORMAT,
            "%s: no PROF folder with raw data: no host or device_N folder with an info.json",
            a->dir);
    for (size_t i = 0; i < job->n_units && !e->code; i++) {
        x.u = job->units[i];
        (void)!ms_each_root(x.u, export_root, &x, e);
    }
    return (int)e->code;
}

/* ---- what became of it ---- */

/* True: a file failed. */
static bool tell(const struct vendor_report *report)
{
    size_t n;
    const struct vendor_result *x = vendor_report_results(report, &n);
    bool failed = false;

    for (size_t i = 0; i < n; i++) {
        failed |= x[i].outcome == VENDOR_FAILED;
        if (x[i].outcome != VENDOR_WRITTEN)
            log_message("%s: %s", x[i].name, x[i].why);
    }
    const struct vendor_note *note = vendor_report_notes(report, &n);
    for (size_t i = 0; i < n; i++) {
        log_message("%s: %s", note[i].file ? note[i].file->rel : "the run", note[i].text);
        if (note[i].more)
            log_message("%s: and %llu more notes", note[i].file ? note[i].file->rel : "the run",
                        (unsigned long long)note[i].more);
    }
    return failed;
}

static int run_export(struct ms_args *a, struct err *e)
{
    struct vendor_report *report = NULL;
    struct job *job = NULL;
    char stamp[32];
    time_t now = time(NULL);
    struct tm tm;

    strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", localtime_r(&now, &tm));
    a->o.stamp = stamp;
    if (vendor_report_new(&report, e) == OK && import_scan(&job, a->dir, e) == OK)
        (void)!export_all(a, job, report, e);
    if (report && tell(report) && !e->code)
        err_set(e, ERR_FORMAT, "some files could not be made");
    job_free(job);
    vendor_report_free(report);
    return (int)e->code;
}

/* ---- query, import ---- */

/* A cell of the table, as wide as its column, and the TAB that ends it. */
static void put_cell(struct out *o, struct str text, const char *title)
{
    char safe[400];
    int n = (int)strlen(text_safe_into(safe, sizeof safe, text, TEXT_ASCII)),
        w = (int)strlen(title);

    out_printf(o, "%s%*s\t", safe, n < w ? w - n : 0, "");
}

/* clang-format off */
static const char *const query_titles[] = {
    "Job Info", "Device ID", "Dir Name", "Collection Time           ", "Model ID  ", "Iteration Number", "Top Time Iteration", "Rank ID"
};
/* clang-format on */

static int put_query_row(void *arg, const struct ms_query_row *r, struct err *e)
{
    struct out *o = arg;
    char device[16] = "", model[24] = "N/A", n[24] = "N/A", rank[16];

    (void)e;
    if (r->device >= 0)
        snprintf(device, sizeof device, "%d", r->device);
    if (r->has_model) {
        snprintf(model, sizeof model, "%llu", (unsigned long long)r->model);
        snprintf(n, sizeof n, "%llu", (unsigned long long)r->iterations);
    }
    snprintf(rank, sizeof rank, "%d", r->rank);
    const struct str cells[] = { r->job,
                                 str_of(device),
                                 r->dir,
                                 r->time,
                                 str_of(model),
                                 str_of(n),
                                 r->has_model ? r->top : STR("N/A"),
                                 str_of(rank) };
    for (size_t i = 0; i < ARRAY_LEN(cells); i++)
        put_cell(o, cells[i], query_titles[i]);
    out_puts(o, "\n");
    return OK;
}

struct querying {
    const struct unit *u;
    struct out *o;
    size_t n;
};

static int query_root(void *arg, struct str root, struct err *e)
{
    struct querying *q = arg;

    q->n++;
    return ms_query(q->u, root, put_query_row, q->o, e);
}

static int run_query(const struct ms_args *a, struct err *e)
{
    const struct out_opts oo = { .path = NULL };
    struct querying q = { .n = 0 };
    struct job *job = NULL;
    bool gone = false;

    if (import_scan(&job, a->dir, e) || out_open(&q.o, &oo, e)) {
        job_free(job);
        return (int)e->code;
    }
    for (size_t i = 0; i < ARRAY_LEN(query_titles); i++)
        put_cell(q.o, str_of(query_titles[i]), query_titles[i]);
    out_puts(q.o, "\n");
    for (size_t i = 0; i < job->n_units && !e->code; i++) {
        q.u = job->units[i];
        (void)!ms_each_root(q.u, query_root, &q, e);
    }
    if (!e->code && !q.n)
        err_set(e, ERR_FORMAT, "%s: no PROF folder with raw data", a->dir);
    struct err closing = ERR_INIT;
    if (out_close(q.o, &gone, &closing) && !e->code)
        *e = closing;
    job_free(job);
    return (int)e->code;
}

/* msprof's import parses and keeps what it parsed; so does ours, in the cache. */
static int run_import(const struct ms_args *a, const struct cli_hooks *hooks)
{
    char name[] = "npuscope", word[] = "import", dir[sizeof a->dir];
    char *argv[] = { name, word, dir, NULL };

    snprintf(dir, sizeof dir, "%s", a->dir);
    return cli_main(3, argv, hooks);
}

static int run_command(struct ms_args *a, struct err *e)
{
    return a->command == MS_QUERY ? run_query(a, e) : run_export(a, e);
}

int msprof_main(int argc, char **argv, const struct cli_hooks *hooks)
{
    struct err e = ERR_INIT;
    struct ms_args a;
    int status = msprof_args(&a, argc, argv, &e);

    if (!status && a.command == MS_IMPORT)
        return run_import(&a, hooks);
    if (!status && sig_init(false, &e) == OK && run_command(&a, &e))
        status = status_of(&e);
    if (e.code)
        log_error(&e);
    msprof_args_done(&a);
    return status;
}
