/* Arguments of msprof.py's commands. */
#include "config.h"

#include "cli/msprof_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_small.h"
#include "base/log.h"

#define PATH_MAX_B  4096 /* of -dir */
#define COUNT_MAX   5
#define REPORTS_MAX 64

/* Layers of the timeline that a file of -reports leaves out. */
struct ms_reports {
    char off[REPORTS_MAX][32];
    size_t n;
};

/* clang-format off */
/* First words; what: the second one, NULL: there is none. */
static const struct form {
    const char *word, *what;
    enum ms_command command;
    unsigned bits;
} forms[] = {
    { "export", "summary", MS_EXPORT, MS_SUMMARY }, { "export", "timeline", MS_EXPORT, MS_TIMELINE }, { "export", "db", MS_EXPORT, MS_DB },
    { "analyze", NULL, MS_ANALYZE, MS_COMM | MS_COMM_MATRIX }, { "query", NULL, MS_QUERY, 0 }, { "import", NULL, MS_IMPORT, 0 },
};
/* clang-format on */

/* ---- values ---- */

static int put_dir(struct ms_args *a, const char *v, struct err *e)
{
    const char *home = v[0] == '~' && (v[1] == '/' || !v[1]) ? getenv("HOME") : NULL;

    if (v[0] == '=')
        v++;
    int n = home ? snprintf(a->dir, sizeof a->dir, "%s%s", home, v + 1)
                 : snprintf(a->dir, sizeof a->dir, "%s", v);
    return n > 0 && n <= PATH_MAX_B
               ? OK
               : err_set(e, ERR_USAGE, "-dir wants a path of 1 to %d characters", PATH_MAX_B);
}

static int put_output(struct ms_args *a, const char *v, struct err *e)
{
    a->output = v;
    return v[0] ? OK : err_set(e, ERR_USAGE, "--output wants a folder");
}

static int put_model(struct ms_args *a, const char *v, struct err *e)
{
    uint64_t n;

    if (!str_u64(str_of(v), &n) || n > UINT32_MAX)
        return err_set(e, ERR_USAGE, "--model-id wants a number up to 4294967295, not '%s'", v);
    a->o.model = (uint32_t)n;
    a->has_model = true;
    return OK;
}

static int put_iteration(struct ms_args *a, const char *v, struct err *e)
{
    if (!str_u64(str_of(v), &a->o.iteration) || !a->o.iteration)
        return err_set(e, ERR_USAGE, "--iteration-id wants a number from 1 on, not '%s'", v);
    a->has_iteration = true;
    return OK;
}

static int put_count(struct ms_args *a, const char *v, struct err *e)
{
    a->has_count = true;
    if (!str_u64(str_of(v), &a->o.count))
        return err_set(e, ERR_USAGE, "--iteration-count wants a number from 1 to %d, not '%s'",
                       COUNT_MAX, v);
    return OK;
}

static int put_format(struct ms_args *a, const char *v, struct err *e)
{
    a->o.json = strcmp(v, "json") == 0;
    return a->o.json || strcmp(v, "csv") == 0
               ? OK
               : err_set(e, ERR_USAGE, "--format is csv or json, not '%s'", v);
}

static int put_rule(struct ms_args *a, const char *v, struct err *e)
{
    struct str rest = str_of(v), one;

    a->o.what = 0;
    while (rest.n && str_next(&rest, ',', &one)) {
        one = str_trim(one);
        if (str_eq(one, STR("communication")))
            a->o.what |= MS_COMM;
        else if (str_eq(one, STR("communication_matrix")))
            a->o.what |= MS_COMM_MATRIX;
        else
            return err_set(
                e, ERR_USAGE,
                "--rule is communication, communication_matrix, or both with a comma between");
    }
    return a->o.what ? OK
                     : err_set(e, ERR_USAGE, "--rule wants communication or communication_matrix");
}

static int put_type(struct ms_args *a, const char *v, struct err *e)
{
    (void)a;
    if (strcmp(v, "text") == 0)
        return OK;
    return err_set(e, ERR_USAGE,
                   "--type=%s: analyze writes text; the database comes from 'export db'", v);
}

static int put_cluster(struct ms_args *a, const char *v, struct err *e)
{
    (void)a, (void)v;
    return err_set(e, ERR_USAGE,
                   "--cluster is not needed: npuscope DIR shows all ranks below a folder together, "
                   "'npuscope comm --rank=all DIR' prints them");
}

static int put_compat(struct ms_args *a, const char *v, struct err *e)
{
    (void)v, (void)e;
    a->o.compat = true;
    return OK;
}

/* Working databases are msprof's: there are none of ours to be removed. */
static int put_clear(struct ms_args *a, const char *v, struct err *e)
{
    (void)a, (void)v, (void)e;
    return OK;
}

/* ---- -reports ---- */

static bool wants_layer(void *arg, const char *word)
{
    const struct ms_reports *r = arg;

    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->off[i], word) == 0)
            return false;
    return true;
}

/* A file that is missing, or says nothing of the kind, means everything (6.3). */
static int put_reports(struct ms_args *a, const char *v, struct err *e)
{
    struct err why = ERR_INIT;
    struct jdoc *d = NULL;

    if (!a->reports && !(a->reports = calloc(1, sizeof *a->reports)))
        return err_nomem(e);
    a->reports->n = 0;
    if (jdoc_read(&d, v, &why))
        log_message("%s: %s: every layer is exported", v, why.text);
    const struct jv *list = d ? jv_get(jdoc_root(d), "json_process") : NULL;
    if (d && !jv_is_object(list))
        log_message("%s: no \"json_process\": every layer is exported", v);
    for (const struct jv *x = jv_first(list); x && a->reports->n < REPORTS_MAX; x = jv_next(x))
        if (jv_is_bool(x) && !jv_bool(x))
            str_copy(jv_key(x), a->reports->off[a->reports->n++], sizeof a->reports->off[0]);
    jdoc_free(d);
    a->o.layer = wants_layer;
    a->o.layer_arg = a->reports;
    return OK;
}

/* ---- options ---- */

#define FOR_EXPORT  (1u << MS_EXPORT)
#define FOR_ANALYZE (1u << MS_ANALYZE)

/* clang-format off */
static const struct option_row {
    struct ms_help h;
    unsigned of;   /* bits of enum ms_command */
    unsigned what; /* only with these kinds of export; 0: any */
    int (*put)(struct ms_args *a, const char *value, struct err *e);
} option_rows[] = {
    { { "dir", "DIR", "The PROF folder, or a folder with some: they are exported one after the other. A leading ~ is the home directory." }, ~0u, 0, put_dir },
    { { "collection-dir", "DIR", "The same." }, ~0u, 0, put_dir },
    { { "output", "DIR", "Write below this folder, not into the PROF folders (npuscope only); of several PROF folders each gets a folder of its name." },
      FOR_EXPORT | FOR_ANALYZE, 0, put_output },
    { { "model-id", "N", "With --iteration-id: one model's iterations only; 4294967295: the steps of a run op by op." }, FOR_EXPORT, MS_SUMMARY | MS_TIMELINE, put_model },
    { { "iteration-id", "N", "With --model-id: the first iteration, from 1 on." }, FOR_EXPORT, MS_SUMMARY | MS_TIMELINE, put_iteration },
    { { "iteration-count", "N", "Iterations from there on, 1 to 5; 1 unless given." }, FOR_EXPORT, MS_SUMMARY | MS_TIMELINE, put_count },
    { { "format", "csv|json", "Tables as CSV, or each as an array of objects in JSON." }, FOR_EXPORT, MS_SUMMARY, put_format },
    { { "reports", "FILE", "Layers of the timeline that are wanted: {\"json_process\": {\"cann\": true, ...}}. What is false there is left out; without the file everything is exported." },
      FOR_EXPORT, MS_TIMELINE, put_reports },
    { { "clear", NULL, "Taken for the sake of scripts: npuscope makes no working databases that could be removed." }, FOR_EXPORT | FOR_ANALYZE, 0, put_clear },
    { { "compat", NULL, "Where msprof computes something wrongly, write its number and not the right one (npuscope only)." }, FOR_EXPORT | FOR_ANALYZE, 0, put_compat },
    { { "cluster", NULL, "Not taken: all ranks below a folder are one job for npuscope." }, 1u << MS_IMPORT, 0, put_cluster },
    { { "rule", "LIST", "communication, communication_matrix, or both with a comma between; both unless given." }, FOR_ANALYZE, 0, put_rule },
    { { "type", "text", "The results are text: the database comes from 'export db'." }, FOR_ANALYZE, 0, put_type },
};
/* clang-format on */

const struct ms_help *msprof_help(size_t i)
{
    return i < ARRAY_LEN(option_rows) ? &option_rows[i].h : NULL;
}

/* The option's name behind one or two dashes. NULL: no option. */
static const char *option_name(const char *arg)
{
    if (arg[0] != '-' || !arg[1])
        return NULL;
    return arg + (arg[1] == '-' ? 2 : 1);
}

static const struct option_row *find_option(const char *name)
{
    struct str s = str_of(name);

    s = str_sub(s, 0, str_chr(s, '='));
    for (size_t i = 0; i < ARRAY_LEN(option_rows); i++)
        if (str_eq(s, str_of(option_rows[i].h.name)))
            return &option_rows[i];
    return NULL;
}

static const struct form *find_form(const char *word, const char *what)
{
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (!strcmp(forms[i].word, word) &&
            (!forms[i].what || (what && !strcmp(forms[i].what, what))))
            return &forms[i];
    return NULL;
}

bool msprof_is(int argc, char **argv)
{
    bool word = false, dir = false;

    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(forms); i++)
        word |= strcmp(argv[1], forms[i].word) == 0;
    for (int i = 2; word && i < argc; i++) {
        const char *name = option_name(argv[i]);
        const struct option_row *o = name ? find_option(name) : NULL;
        dir |= o && o->put == put_dir;
    }
    return dir;
}

/* One option at argv[*i], and the word behind it where that is its value. */
static int take_option(struct ms_args *a, int argc, char **argv, int *i, struct err *e)
{
    const char *arg = argv[*i], *name = option_name(arg), *eq = strchr(arg, '=');
    const struct option_row *o = find_option(name);

    if (!o || !(o->of & 1u << a->command) || (o->what && !(o->what & a->o.what)))
        return err_set(e, ERR_USAGE, "'%s' is no option of '%s'", arg, argv[1]);
    if (!o->h.value)
        return eq ? err_set(e, ERR_USAGE, "%s takes no value", arg) : o->put(a, "", e);
    if (!eq && *i + 1 == argc)
        return err_set(e, ERR_USAGE, "%s wants a value", arg);
    return o->put(a, eq ? eq + 1 : argv[++*i], e);
}

static int read_words(struct ms_args *a, int argc, char **argv, struct err *e)
{
    const struct form *f = NULL;
    int first = 2;

    if (argc > 2 && !option_name(argv[2]))
        f = find_form(argv[1], argv[first++]);
    else
        f = find_form(argv[1], NULL);
    if (!f)
        return err_set(e, ERR_USAGE, "'%s' wants summary, timeline or db", argv[1]);
    a->command = f->command;
    a->o.what = f->bits;
    for (int i = first; i < argc; i++)
        if (!option_name(argv[i]))
            return err_set(e, ERR_USAGE, "'%s' is not understood", argv[i]);
        else if (take_option(a, argc, argv, &i, e))
            return (int)e->code;
    return OK;
}

/* ---- checks ---- */

/* What msprof refuses it to be, and what it only warns of. */
static int check_dir(const struct ms_args *a, struct err *e)
{
    struct stat st, link;

    if (stat(a->dir, &st) || lstat(a->dir, &link)) {
        err_sys(e, errno, "cannot be opened");
    } else if (!S_ISDIR(st.st_mode)) {
        err_set(e, ERR_IO, "is no folder: -dir wants a PROF folder, or one that holds some");
    } else if (access(a->dir, R_OK | X_OK)) {
        err_sys(e, errno, "cannot be read");
    } else {
        if (S_ISLNK(link.st_mode))
            log_message("%s: a symbolic link", a->dir);
        if (st.st_mode & S_IWOTH)
            log_message("%s: others may write there", a->dir);
        return OK;
    }
    err_where(e, a->dir, ERR_NO_OFFSET, 0);
    return (int)e->code;
}

static int check_iterations(struct ms_args *a, struct err *e)
{
    if (a->has_model != a->has_iteration) {
        err_set(e, ERR_USAGE, "--model-id and --iteration-id belong together: give both or none");
        return MSX_PARAM;
    }
    a->o.partial = a->has_model;
    if (a->has_count && !a->o.partial) {
        log_message(
            "--iteration-count counts from --iteration-id on: without it everything is exported");
        a->o.count = 1;
    }
    if (a->o.count < 1 || a->o.count > COUNT_MAX) {
        err_set(e, ERR_USAGE, "--iteration-count is 1 to %d", COUNT_MAX);
        return MSX_STEP;
    }
    return MSX_OK;
}

int msprof_args(struct ms_args *a, int argc, char **argv, struct err *e)
{
    *a = (struct ms_args){ .o.count = 1 };
    if (read_words(a, argc, argv, e))
        return e->code == ERR_NOMEM ? MSX_SYSTEM : MSX_PARAM;
    int status = check_iterations(a, e);
    if (!status && check_dir(a, e))
        status = MSX_PATH;
    return status;
}

void msprof_args_done(struct ms_args *a)
{
    free(a->reports);
}
