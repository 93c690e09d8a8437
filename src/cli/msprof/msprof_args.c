/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of msprof.py's commands. */
#include "config.h"

#include "cli/msprof/msprof_args.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/copy.h"
#include "base/log.h"
#include "base/read/json_small.h"

#define COUNT_MAX     5
#define DATA_TYPE_MAX 10 /* of query (analysis/msinterface/msprof_query_summary_manager.py) */

/* A bit for each of layer_words: what a file of -reports leaves out of the timeline. */
struct msprof_reports {
    uint64_t off;
};

/* clang-format off */
/* First words; what: the second one, NULL: there is none. */
static const struct form {
    const char *word, *what;
    enum msprof_command command;
    unsigned bits;
} forms[] = {
    { "export", "summary", MSPROF_EXPORT, MSPROF_SUMMARY }, { "export", "timeline", MSPROF_EXPORT,
    MSPROF_TIMELINE }, { "export", "db", MSPROF_EXPORT, MSPROF_DB },
    { "export", "text", MSPROF_EXPORT, MSPROF_SUMMARY | MSPROF_TIMELINE }, /* as --export=on */
    { "analyze", NULL, MSPROF_ANALYZE, MSPROF_COMM | MSPROF_COMM_MATRIX }, { "query", NULL, MSPROF_QUERY, 0 },
    { "import", NULL, MSPROF_IMPORT, 0 },
};

/* Names of -reports (doc/formats/msprof.md#reports-file). */
static const struct layer_word {
    const char *word;
    bool own; /* npuscope's, not msprof's: on unless it is false */
} layer_words[] = {
    { "ascend", false },          { "acc_pmu", false },        { "cann", false },
    { "ddr", false },             { "stars_chip_trans", false }, { "hbm", false },
    { "communication", false },   { "ccu", false },            { "hccs", false },
    { "os_runtime_api", false },  { "network_usage", false },  { "disk_usage", false },
    { "memory_usage", false },    { "cpu_usage", false },      { "msproftx", false },
    { "npu_mem", false },         { "overlap_analyse", false }, { "pcie", false },
    { "sio", false },             { "stars_soc", false },      { "step_trace", false },
    { "freq", false },            { "llc", false },            { "nic", false },
    { "roce", false },            { "qos", false },            { "device_tx", false },
    { "biu_perf", false },        { "ub", false },             { "block_detail", false },
    { "dpu", false },             { "fusion_task", false },    { "ai_core_utilization", true },
};
/* clang-format on */

/* ---- values ---- */

/*
 * The user's row of passwd: user NULL is whoever runs the program. A static program reads the file alone:
 * what else nsswitch.conf names would be loaded from the host and belongs to another C library.
 */
static const struct passwd *passwd_of(const char *user)
{
#ifdef NPUSCOPE_STATIC
    FILE *f = fopen("/etc/passwd", "re");
    const struct passwd *who = NULL;

    while (f && (who = fgetpwent(f)) != NULL)
        if (user ? strcmp(who->pw_name, user) == 0 : who->pw_uid == getuid())
            break;
    if (f)
        fclose(f);
    return who;
#else
    return user ? getpwnam(user) : getpwuid(getuid());
#endif
}

/* The home of "~" or "~NAME" (n: length of that); NULL: unknown, or it is none. */
static const char *home_of(const char *v, size_t n)
{
    char name[256];

    if (v[0] != '~' || n > sizeof name)
        return NULL;
    if (n == 1 && getenv("HOME"))
        return getenv("HOME");
    str_copy((struct str){ v + 1, n - 1 }, name, sizeof name);
    const struct passwd *who = passwd_of(n == 1 ? NULL : name);
    return who ? who->pw_dir : NULL;
}

/* As msprof reads a path: without '=' before it, "~" and "~NAME" at its start are home folders. */
static int put_path(char path[PATH_MAX_B + 1], const char *option, const char *v, struct err *e)
{
    v += strspn(v, "=");
    size_t n = strcspn(v, "/");
    const char *home = home_of(v, n);
    int len =
        home ? snprintf(path, PATH_MAX_B + 1, "%s%s", home, v + n) : snprintf(path, PATH_MAX_B + 1, "%s", v);
    return len > 0 && len <= PATH_MAX_B
               ? OK
               : err_set(e, ERR_USAGE, "%s wants a path of 1 to %d characters", option, PATH_MAX_B);
}

static int put_dir(struct msprof_args *a, const char *v, struct err *e)
{
    return put_path(a->dir, "-dir", v, e);
}

static int put_output(struct msprof_args *a, const char *v, struct err *e)
{
    a->output = v;
    if (strcmp(v, "-") == 0)
        return err_set(e, ERR_USAGE,
                       "several files cannot go to standard output: give --output the name of a folder");
    return v[0] ? OK : err_set(e, ERR_USAGE, "--output wants a folder");
}

static int put_model(struct msprof_args *a, const char *v, struct err *e)
{
    uint64_t n;

    if (!str_u64(str_of(v), &n) || n > UINT32_MAX)
        return err_set(e, ERR_USAGE, "--model-id wants a number up to 4294967295, not '%s'", v);
    a->o.model = (uint32_t)n;
    a->has_model = true;
    return OK;
}

static int put_iteration(struct msprof_args *a, const char *v, struct err *e)
{
    if (!str_u64(str_of(v), &a->o.iteration) || !a->o.iteration)
        return err_set(e, ERR_USAGE, "--iteration-id wants a number from 1 on, not '%s'", v);
    a->has_iteration = true;
    return OK;
}

static int put_count(struct msprof_args *a, const char *v, struct err *e)
{
    a->has_count = true;
    if (!str_u64(str_of(v), &a->o.count))
        return err_set(e, ERR_USAGE, "--iteration-count wants a number from 1 to %d, not '%s'", COUNT_MAX, v);
    return OK;
}

static int put_format(struct msprof_args *a, const char *v, struct err *e)
{
    a->o.json = strcmp(v, "json") == 0;
    return a->o.json || strcmp(v, "csv") == 0 ? OK
                                              : err_set(e, ERR_USAGE, "--format is csv or json, not '%s'", v);
}

static int put_rule(struct msprof_args *a, const char *v, struct err *e)
{
    struct str rest = str_of(v), one;

    a->o.what = 0;
    while (rest.n && str_next(&rest, ',', &one)) {
        one = str_trim(one);
        if (str_eq(one, STR("communication")))
            a->o.what |= MSPROF_COMM;
        else if (str_eq(one, STR("communication_matrix")))
            a->o.what |= MSPROF_COMM_MATRIX;
        else
            return err_set(e, ERR_USAGE,
                           "--rule is communication, communication_matrix, or both with a comma between");
    }
    return a->o.what ? OK : err_set(e, ERR_USAGE, "--rule wants communication or communication_matrix");
}

static int put_type(struct msprof_args *a, const char *v, struct err *e)
{
    (void)a;
    if (strcmp(v, "text") == 0)
        return OK;
    return err_set(e, ERR_USAGE,
                   "--type=%s: analyze writes text; the database comes from 'export db' "
                   "(msprof: --export=on --type=db)",
                   v);
}

static int put_id(struct msprof_args *a, const char *v, struct err *e)
{
    uint64_t n;

    a->summary = true;
    return str_u64(str_of(v), &n) ? OK : err_set(e, ERR_USAGE, "'%s' is no number", v);
}

static int put_data_type(struct msprof_args *a, const char *v, struct err *e)
{
    uint64_t n;

    if (!str_u64(str_of(v), &n) || n > DATA_TYPE_MAX)
        return err_set(e, ERR_USAGE, "--data-type wants a number from 0 to %d, not '%s'", DATA_TYPE_MAX, v);
    a->summary = a->has_type = true;
    a->data_type = (unsigned)n;
    return OK;
}

static int put_compat(struct msprof_args *a, const char *v, struct err *e)
{
    (void)v, (void)e;
    a->o.compat = true;
    return OK;
}

/* Working databases are msprof's: there are none of ours to be removed. */
static int put_clear(struct msprof_args *a, const char *v, struct err *e)
{
    (void)a, (void)v, (void)e;
    return OK;
}

/* ---- -reports ---- */

static size_t layer_word(struct str word)
{
    size_t i = 0;

    while (i < ARRAY_LEN(layer_words) && !str_eq(word, str_of(layer_words[i].word)))
        i++;
    return i;
}

static bool wants_layer(void *arg, const char *word)
{
    const struct msprof_reports *r = arg;
    size_t i = layer_word(str_of(word));

    return i == ARRAY_LEN(layer_words) || !(r->off & UINT64_C(1) << i);
}

/* Why the object of -reports is not taken, as msprof takes none with a fault in it; NULL: it is. */
static const char *read_layers(struct msprof_reports *r, const struct jv *list)
{
    r->off = 0;
    if (!jv_is_object(list) || !jv_first(list))
        return "no \"json_process\" with layers";
    for (size_t i = 0; i < ARRAY_LEN(layer_words); i++)
        r->off |= layer_words[i].own ? 0 : UINT64_C(1) << i;
    for (const struct jv *x = jv_first(list); x; x = jv_next(x)) {
        size_t i = layer_word(jv_key(x));
        bool known = i < ARRAY_LEN(layer_words);
        if (!known || !jv_is_bool(x)) {
            r->off = 0;
            return known ? "a value is neither true nor false" : "a name is that of no layer";
        }
        r->off = jv_bool(x) ? r->off & ~(UINT64_C(1) << i) : r->off | UINT64_C(1) << i;
    }
    return NULL;
}

/*
 * What the file does not name is off; a file that is missing, or has a fault, means everything
 * (doc/formats/msprof.md#reports-file).
 */
static int put_reports(struct msprof_args *a, const char *v, struct err *e)
{
    struct err why = ERR_INIT;
    struct jdoc *d = NULL;
    char path[PATH_MAX_B + 1];

    if (put_path(path, "-reports", v, e))
        return e->code;
    if (!a->reports && !(a->reports = calloc(1, sizeof *a->reports)))
        return err_nomem(e);
    const char *fault = jdoc_read(&d, path, &why) ? why.text : NULL;
    if (!fault)
        fault = read_layers(a->reports, jv_get(jdoc_root(d), "json_process"));
    if (fault)
        log_message("%s: %s: every layer is exported", path, fault);
    jdoc_free(d);
    a->o.layer = wants_layer;
    a->o.layer_arg = a->reports;
    return OK;
}

/* ---- options ---- */

#define FOR_EXPORT  (1u << MSPROF_EXPORT)
#define FOR_ANALYZE (1u << MSPROF_ANALYZE)
#define FOR_QUERY   (1u << MSPROF_QUERY)
#define FOR_IMPORT  (1u << MSPROF_IMPORT)

/* clang-format off */
static const struct option_row {
    struct msprof_help h;
    unsigned of;   /* bits of enum msprof_command */
    unsigned what; /* only with these kinds of export; 0: any */
    int (*put)(struct msprof_args *a, const char *value, struct err *e);
} option_rows[] = {
    { { "dir", "DIR", "The PROF folder, or a folder with some: they are exported one after the other. A "
        "leading ~ is the home directory." }, ~0u, 0, put_dir },
    { { "collection-dir", "DIR", "The same." }, ~0u, 0, put_dir },
    { { "output", "DIR", "Write below this folder, not into the PROF folders (npuscope only); of several "
        "PROF folders each gets a folder of its name." },
      FOR_EXPORT | FOR_ANALYZE, 0, put_output },
    { { "model-id", "N", "With --iteration-id: one model's iterations only; 4294967295: the steps of a run "
        "op by op." }, FOR_EXPORT, MSPROF_SUMMARY | MSPROF_TIMELINE, put_model },
    { { "iteration-id", "N", "With --model-id: the first iteration, from 1 on." }, FOR_EXPORT,
        MSPROF_SUMMARY | MSPROF_TIMELINE, put_iteration },
    { { "iteration-count", "N", "Iterations from there on, 1 to 5; 1 unless given." }, FOR_EXPORT,
        MSPROF_SUMMARY | MSPROF_TIMELINE, put_count },
    { { "format", "csv|json", "Tables as CSV, or each as an array of objects in JSON." }, FOR_EXPORT,
        MSPROF_SUMMARY, put_format },
    { { "reports", "FILE", "Layers of the timeline that are wanted: {\"json_process\": {\"cann\": true, "
        "...}}. What is false there or not named is left out; without the file, or with a name or value in "
        "it that is none, everything is exported." },
      FOR_EXPORT, MSPROF_TIMELINE, put_reports },
    { { "clear", NULL, "Taken for the sake of scripts: npuscope makes no working databases that could be "
        "removed." }, FOR_EXPORT | FOR_ANALYZE, 0, put_clear },
    { { "compat", NULL, "Where msprof computes something wrongly, write its number and not the right one "
        "(npuscope only)." }, FOR_EXPORT | FOR_ANALYZE, 0, put_compat },
    { { "cluster", NULL, "Taken for the sake of scripts: all ranks below a folder are one job for "
        "npuscope." }, FOR_IMPORT, 0, put_clear },
    { { "data-type", "N", "0: whether the folders below are those of a cluster ('data' is \"1\") or not, as "
        "JSON. 1 to 10 need the databases that msprof's 'import --cluster' makes: the exit status is that of "
        "msprof without them, 11, and the command of npuscope that shows it is named." }, FOR_QUERY, 0,
        put_data_type },
    { { "id", "N", "With --data-type." }, FOR_QUERY, 0, put_id },
    { { "model-id", "N", "With --data-type." }, FOR_QUERY, 0, put_id },
    { { "iteration-id", "N", "With --data-type." }, FOR_QUERY, 0, put_id },
    { { "rule", "LIST", "communication, communication_matrix, or both with a comma between; both unless "
        "given." }, FOR_ANALYZE, 0, put_rule },
    { { "type", "text", "The results are text: the database comes from 'export db'." }, FOR_ANALYZE, 0,
        put_type },
};
/* clang-format on */

static bool takes(const struct option_row *o, const struct form *f)
{
    return (o->of & 1u << f->command) && (!o->what || (o->what & f->bits));
}

size_t msprof_forms(const char *words[], size_t n)
{
    for (size_t i = 0; i < n && i < ARRAY_LEN(forms); i++)
        words[i] = forms[i].what ? forms[i].what : forms[i].word;
    return ARRAY_LEN(forms);
}

const struct msprof_help *msprof_help(size_t i, unsigned *of)
{
    if (i >= ARRAY_LEN(option_rows))
        return NULL;
    *of = 0;
    for (size_t k = 0; k < ARRAY_LEN(forms); k++)
        *of |= takes(&option_rows[i], &forms[k]) ? 1u << k : 0;
    return &option_rows[i].h;
}

/* The option's name after one or two dashes, without "=VALUE". p NULL: no option. */
static struct str option_name(const char *arg)
{
    struct str name = { NULL, 0 };

    if (arg[0] != '-' || !arg[1])
        return name;
    name = str_of(arg + (arg[1] == '-' ? 2 : 1));
    return str_sub(name, 0, str_chr(name, '='));
}

/* An option of the form, by its name or a beginning of it that is clear, as msprof takes them. */
static const struct option_row *find_option(struct str name, const struct form *f, struct err *e)
{
    const struct option_row *met = NULL;

    for (size_t i = 0; i < ARRAY_LEN(option_rows); i++) {
        const struct option_row *o = &option_rows[i];
        if (!takes(o, f) || !str_starts(str_of(o->h.name), name))
            continue;
        if (str_eq(str_of(o->h.name), name))
            return o;
        if (met && met->put != o->put)
            err_set(e, ERR_USAGE, "'-%.*s' may be -%s or -%s", (int)name.n, name.p, met->h.name, o->h.name);
        met = o;
    }
    return e->code ? NULL : met;
}

static const struct form *find_form(const char *word, const char *what)
{
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (!strcmp(forms[i].word, word) && (!forms[i].what || (what && !strcmp(forms[i].what, what))))
            return &forms[i];
    return NULL;
}

/* -dir, or --collection-dir as far as no option of npuscope begins so. */
static bool is_dir_option(struct str name)
{
    return str_eq(name, STR("dir")) || (name.n > 3 && str_starts(STR("collection-dir"), name));
}

/* Only msprof has 'analyze' and 'export summary'; and no such file can be meant. */
static bool is_own_form(int argc, char **argv)
{
    bool analyze = strcmp(argv[1], "analyze") == 0;
    const char *last = analyze ? argv[1] : argc > 2 ? argv[2] : "";

    return access(last, F_OK) && (analyze || (!strcmp(argv[1], "export") && find_form(argv[1], last)));
}

bool msprof_is(int argc, char **argv)
{
    bool word = false;

    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(forms); i++)
        word |= strcmp(argv[1], forms[i].word) == 0;
    if (word && is_own_form(argc, argv))
        return true;
    for (int i = 2; word && i < argc; i++)
        if (is_dir_option(option_name(argv[i])))
            return true;
    return false;
}

/* What is said of an option that this form does not have. */
static int refuse_option(const char *arg, struct str name, const struct form *f, struct err *e)
{
    if (str_eq(name, STR("anonymise")))
        return err_set(e, ERR_USAGE,
                       "files in msprof's form have all names; with --anonymise=KEYFILE 'npuscope export "
                       "--output=DIR PATH' writes tables, 'npuscope timeline --chrome PATH' a trace");
    return err_set(e, ERR_USAGE, "'%s' is no option of '%s%s%s'", arg, f->word, f->what ? " " : "",
                   f->what ? f->what : "");
}

/* One option at argv[*i], and the word after it where that is its value. */
static int take_option(struct msprof_args *a, const struct form *f, int argc, char **argv, int *i,
                       struct err *e)
{
    const char *arg = argv[*i], *eq = strchr(arg, '=');
    struct str name = option_name(arg);

    a->help |= str_eq(name, STR("h")) || str_eq(name, STR("help"));
    if (a->help)
        return OK;
    const struct option_row *o = find_option(name, f, e);
    if (!o)
        return refuse_option(arg, name, f, e);
    if (!o->h.value)
        return eq ? err_set(e, ERR_USAGE, "%s takes no value", arg) : o->put(a, "", e);
    if (!eq && *i + 1 == argc)
        return err_set(e, ERR_USAGE, "%s wants a value", arg);
    return o->put(a, eq ? eq + 1 : argv[++*i], e);
}

static int read_words(struct msprof_args *a, int argc, char **argv, struct err *e)
{
    const struct form *f = NULL;
    int first = 2;

    if (argc > 2 && !option_name(argv[2]).p)
        f = find_form(argv[1], argv[first++]);
    else
        f = find_form(argv[1], NULL);
    if (!f)
        return err_set(e, ERR_USAGE, "'%s' wants summary, timeline, text or db", argv[1]);
    a->command = f->command;
    a->o.what = f->bits;
    for (int i = first; i < argc && !a->help; i++)
        if (!option_name(argv[i]).p)
            return err_set(e, ERR_USAGE, "'%s' is not understood", argv[i]);
        else if (take_option(a, f, argc, argv, &i, e))
            return e->code;
    if (a->help || a->dir[0])
        return OK;
    return err_set(
        e, ERR_USAGE,
        "'%s%s%s' wants -dir DIR (msprof: --output=DIR): a PROF folder, or a folder that holds some", f->word,
        f->what ? " " : "", f->what ? f->what : "");
}

/* ---- checks ---- */

/* What writes into -dir, or reads it as msprof does, takes no archive: what does the same with one. */
static int refuse_archive(const struct msprof_args *a, struct err *e)
{
    static const char *const instead[] = {
        [MSPROF_EXPORT] = "export --output=DIR ARCHIVE",
        [MSPROF_ANALYZE] = "comm ARCHIVE",
        [MSPROF_QUERY] = "triage ARCHIVE",
        [MSPROF_IMPORT] = "import ARCHIVE",
    };

    return err_set(e, ERR_IO, "is an archive, and -dir wants a folder: type 'npuscope %s', or unpack it",
                   instead[a->command]);
}

/* Refuse what msprof refuses of -dir, and warn where it only warns. */
static int check_dir(const struct msprof_args *a, struct err *e)
{
    struct stat st, link;
    struct err ignored = ERR_INIT;

    if (copy_is_archive(a->dir, &ignored) || ignored.code) {
        refuse_archive(a, e);
    } else if (stat(a->dir, &st) || lstat(a->dir, &link)) {
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
    return e->code;
}

static int check_iterations(struct msprof_args *a, struct err *e)
{
    if (a->has_model != a->has_iteration) {
        err_set(e, ERR_USAGE, "--model-id and --iteration-id belong together: give both or none");
        return MSX_PARAM;
    }
    if (a->summary && !a->has_type)
        return err_set(e, ERR_USAGE, "--data-type is wanted: 0 to %d", DATA_TYPE_MAX), MSX_PARAM;
    a->o.partial = a->has_model;
    if (a->has_count && !a->o.partial) {
        log_message("--iteration-count counts from --iteration-id on: without it everything is exported");
        a->o.count = 1;
    }
    if (a->o.count < 1 || a->o.count > COUNT_MAX) {
        err_set(e, ERR_USAGE, "--iteration-count is 1 to %d", COUNT_MAX);
        return MSX_STEP;
    }
    return MSX_OK;
}

int msprof_args(struct msprof_args *a, int argc, char **argv, struct err *e)
{
    *a = (struct msprof_args){ .o.count = 1 };
    if (read_words(a, argc, argv, e))
        return e->code == ERR_NOMEM ? MSX_SYSTEM : MSX_PARAM;
    if (a->help)
        return MSX_OK;
    int status = check_iterations(a, e);
    if (!status && check_dir(a, e))
        status = MSX_PATH;
    return status;
}

void msprof_args_done(struct msprof_args *a)
{
    free(a->reports);
}
