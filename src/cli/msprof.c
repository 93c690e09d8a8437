/* msprof.py's commands. */
#include "config.h"

#include "cli/msprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "import/import.h"
#include "vendor/ms.h"

/* Exit codes (7). */
enum ms_status { MSX_OK = 0, MSX_PARAM = 1, MSX_PATH = 2, MSX_DATA = 8 };

struct ms_args {
    const char *word, *what; /* "export", "summary" */
    const char *dir, *output;
    struct ms_options o;
};

/* ---- arguments ---- */

/* clang-format off */
static const struct { const char *word, *what; unsigned bits; } forms[] = {
    { "export", "summary", MS_SUMMARY }, { "export", "timeline", MS_TIMELINE }, { "export", "db", MS_DB },
    { "analyze", NULL, MS_COMM | MS_COMM_MATRIX },
};
/* clang-format on */

/* The option's name without dashes, its value behind '=' or in the next word. NULL: no option. */
static const char *option_name(const char *arg)
{
    if (arg[0] != '-' || !arg[1])
        return NULL;
    return arg + (arg[1] == '-' ? 2 : 1);
}

static bool is_dir_option(const char *arg)
{
    const char *name = option_name(arg);

    return name && (!strncmp(name, "dir", 3) || !strncmp(name, "collection-dir", 14)) &&
           strchr("=", name[name[0] == 'd' ? 3 : 14]);
}

bool msprof_is(int argc, char **argv)
{
    static const char *const words[] = { "export", "import", "query", "analyze" };
    bool word = false, dir = false;

    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(words); i++)
        word |= strcmp(argv[1], words[i]) == 0;
    for (int i = 2; i < argc; i++)
        dir |= is_dir_option(argv[i]);
    return word && dir;
}

static bool put_dir(struct ms_args *a, const char *v)
{
    a->dir = v[0] == '=' ? v + 1 : v;
    return true;
}
static bool put_output(struct ms_args *a, const char *v)
{
    a->output = v;
    return true;
}
static bool put_model(struct ms_args *a, const char *v)
{
    uint64_t n;

    if (!str_u64(str_of(v), &n) || n > UINT32_MAX)
        return false;
    a->o.model = (uint32_t)n;
    a->o.partial = true;
    return true;
}
static bool put_iteration(struct ms_args *a, const char *v)
{
    return str_u64(str_of(v), &a->o.iteration);
}
static bool put_count(struct ms_args *a, const char *v)
{
    return str_u64(str_of(v), &a->o.count);
}
static bool put_compat(struct ms_args *a, const char *v)
{
    (void)v;
    return a->o.compat = true;
}
static bool put_rule(struct ms_args *a, const char *v)
{
    (void)a;
    return v[0];
}

static const struct option_row {
    const char *name;
    bool flag; /* takes no value */
    bool (*put)(struct ms_args *a, const char *value);
} option_rows[] = {
    { "dir", false, put_dir },
    { "collection-dir", false, put_dir },
    { "output", false, put_output },
    { "model-id", false, put_model },
    { "iteration-id", false, put_iteration },
    { "iteration-count", false, put_count },
    { "rule", false, put_rule },
    { "compat", true, put_compat },
};

static const struct option_row *find_option(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(option_rows); i++)
        if (str_eq(name, str_of(option_rows[i].name)))
            return &option_rows[i];
    return NULL;
}

static int parse(struct ms_args *a, int argc, char **argv, struct err *e)
{
    a->word = argv[1];
    for (int i = 2; i < argc; i++) {
        const char *name = option_name(argv[i]);
        if (!name) {
            a->what = argv[i];
            continue;
        }
        struct str word = str_of(name), value = STR_NULL;
        size_t eq = str_chr(word, '=');
        const struct option_row *row = find_option(str_sub(word, 0, eq));
        if (!row)
            return err_set(e, ERR_USAGE, "unknown option '%s'", argv[i]);
        if (eq != SIZE_MAX)
            value = str_sub(word, eq + 1, SIZE_MAX);
        else if (!row->flag && i + 1 < argc)
            value = str_of(argv[++i]);
        if (!row->put(a, value.p ? value.p : ""))
            return err_set(e, ERR_USAGE, "'%s' is no value for %s", value.p, row->name);
    }
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (!strcmp(forms[i].word, a->word) &&
            (!forms[i].what || (a->what && !strcmp(forms[i].what, a->what))))
            a->o.what = forms[i].bits;
    return a->o.what && a->dir
               ? OK
               : err_set(e, ERR_USAGE, "'%s %s' is not known", a->word, a->what ? a->what : "");
}

/* ---- running ---- */

static bool stopped(void)
{
    return sig_stop() != 0;
}

struct exporting {
    struct ms_args *a;
    const struct unit *u;
    struct g1_report *report;
    unsigned n;
};

static int export_root(void *arg, struct str root, struct err *e)
{
    struct exporting *x = arg;
    struct ms_options o = x->a->o;
    char dir[1024];

    if (x->a->output)
        snprintf(dir, sizeof dir, "%s", x->a->output);
    else if (snprintf(dir, sizeof dir, "%s/%.*s", x->u->root, (int)root.n, root.p) >=
             (int)sizeof dir)
        return err_set(e, ERR_USAGE, "the path of the run is too long");
    o.dir = dir;
    x->n++;
    return ms_export(x->u, root, &o, x->report, e);
}

static int run(struct ms_args *a, struct g1_report *report, struct err *e)
{
    struct job *job = NULL;
    char stamp[32];
    time_t now = time(NULL);
    struct tm tm;

    if (import_scan(&job, a->dir, e))
        return (int)e->code;
    strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", localtime_r(&now, &tm));
    a->o.stamp = stamp;
    a->o.cancelled = stopped;
    struct exporting x = { .a = a, .report = report };
    for (size_t i = 0; i < job->n_units && !e->code; i++) {
        x.u = job->units[i];
        (void)!ms_each_root(x.u, export_root, &x, e);
    }
    if (!e->code && !x.n)
        err_set(e, ERR_FORMAT, "%s: no PROF folder with raw data", a->dir);
    job_free(job);
    return (int)e->code;
}

static bool tell(const struct g1_report *report)
{
    size_t n;
    const struct g1_result *x = g1_report_results(report, &n);
    bool failed = false;

    for (size_t i = 0; i < n; i++) {
        failed |= x[i].outcome == G1_FAILED;
        if (x[i].outcome != G1_WRITTEN)
            log_message("%s: %s", x[i].name, x[i].why);
    }
    const struct g1_note *note = g1_report_notes(report, &n);
    for (size_t i = 0; i < n; i++)
        log_message("%s: %s", note[i].file ? note[i].file->rel : "the run", note[i].text);
    return failed;
}

int msprof_main(int argc, char **argv)
{
    struct ms_args a = { .o.count = 1 };
    struct g1_report *report = NULL;
    struct err e = ERR_INIT;
    int status = MSX_OK;

    if (parse(&a, argc, argv, &e))
        status = MSX_PARAM;
    else if (sig_init(false, &e) || g1_report_new(&report, &e) || run(&a, report, &e))
        status = e.code == ERR_IO ? MSX_PATH : MSX_DATA;
    if (report && tell(report) && !status)
        status = MSX_DATA;
    if (e.code)
        log_error(&e);
    g1_report_free(report);
    return status;
}
