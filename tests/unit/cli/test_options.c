/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines to options: forms, prefixes, clusters, environment, mistakes and what is said about them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/words.h"
#include "cli/commands.h"
#include "cli/options.h"

#define ARGS_MAX 24

/* Parse the words behind "npuscope". */
static int parse(struct options *o, const char *env, struct err *e, ...)
{
    char *argv[ARGS_MAX] = { (char *)"npuscope" };
    int argc = 1;
    va_list ap;

    va_start(ap, e);
    for (char *a; (a = va_arg(ap, char *)) != NULL;)
        argv[argc++] = a;
    va_end(ap);
    err_clear(e);
    return options_parse(o, argc, argv, env, e);
}

#define GOOD(o, ...)                                                                                         \
    do {                                                                                                     \
        struct err e_ = ERR_INIT;                                                                            \
        if (parse(o, NULL, &e_, __VA_ARGS__, NULL) != OK)                                                    \
            fail_msg("%s", e_.text);                                                                         \
    } while (0)

static void bad(const char *part, struct err *e, struct options *o, int rc)
{
    assert_int_equal(rc, ERR_USAGE);
    if (!strstr(e->text, part))
        fail_msg("'%s' does not say '%s'", e->text, part);
    options_done(o);
}
#define BAD(part, ...)                                                                                       \
    do {                                                                                                     \
        struct err e_;                                                                                       \
        struct options o_;                                                                                   \
        bad(part, &e_, &o_, parse(&o_, NULL, &e_, __VA_ARGS__, NULL));                                       \
    } while (0)

static void options_without_a_command_mean_the_screen(void **state)
{
    struct options o;

    (void)state;
    GOOD(&o, "--ascii", "dir");
    assert_string_equal(o.cmd->name, "");
    assert_true(opt_is(&o, OPT_ASCII));
    assert_int_equal(o.n_args, 1);
    assert_string_equal(o.args[0], "dir");
    options_done(&o);
    GOOD(&o, "--", "ops"); /* behind -- nothing is a command */
    assert_string_equal(o.cmd->name, "");
    assert_string_equal(o.args[0], "ops");
    options_done(&o);
}

static void options_forms_are_equal(void **state)
{
    struct options o;

    (void)state;
    GOOD(&o, "ops", "--top=5", "-n7", "-n", "8", "--top", "9", "dir");
    assert_int_equal(opt_count(&o, OPT_TOP), 4);
    assert_int_equal(opt_int(&o, OPT_TOP, -1), 9); /* the last one counts */
    assert_string_equal(opt_nth(&o, OPT_TOP, 1), "7");
    assert_null(opt_nth(&o, OPT_TOP, 4));
    options_done(&o);
    GOOD(&o, "-r", "1", "query", "-qvvFcsv", "-", "--", "-x");
    assert_string_equal(o.cmd->name, "query");
    assert_string_equal(opt_text(&o, OPT_RANK), "1");
    assert_int_equal(opt_count(&o, OPT_VERBOSE), 2);
    assert_true(opt_is(&o, OPT_QUIET));
    assert_int_equal(opt_int(&o, OPT_FORMAT, 0), 1);
    assert_int_equal(o.n_args, 2);
    options_done(&o);
}

static void options_prefixes_must_be_clear(void **state)
{
    struct options o;

    (void)state;
    GOOD(&o, "ops", "--form=json", "--all-c");
    assert_int_equal(opt_int(&o, OPT_FORMAT, 0), 2);
    assert_true(opt_is(&o, OPT_ALL_COLUMNS));
    options_done(&o);
    BAD("--co fits several", "ops", "--co", "x");
    GOOD(&o, "timeline", "--to=1s", "--from=1s"); /* a whole name wins over --top */
    assert_string_equal(opt_text(&o, OPT_TO), "1s");
    options_done(&o);
}

static void options_of_the_same_name_belong_to_their_command(void **state)
{
    struct options o;

    (void)state;
    GOOD(&o, "demo", "--steps=5", "d");
    assert_int_equal(opt_int(&o, OPT_DEMO_STEPS, 0), 5);
    assert_false(opt_is(&o, OPT_STEPS));
    options_done(&o);
    GOOD(&o, "--steps", "2-5", "ops");
    assert_string_equal(opt_text(&o, OPT_STEPS), "2-5");
    options_done(&o);
    GOOD(&o, "export", "--db=x");
    assert_true(opt_is(&o, OPT_EXPORT_DB));
    options_done(&o);
}

static void options_mistakes_are_explained(void **state)
{
    (void)state;
    BAD("did you mean --format?", "ops", "--frmat=csv");
    BAD("unknown option --zzzzzz", "ops", "--zzzzzz");
    BAD("unknown option -Z", "ops", "-qZ");
    BAD("'ops' takes no option --chrome; 'timeline' does", "ops", "--chrome");
    BAD("'triage' takes no option --anonymise; 'report', 'timeline', 'export' and 'bundle' do", "triage",
        "--anonymise=k");
    BAD("--limit takes a size from 64.0 KiB to 1.0 GiB, for example 8MiB, not '3'", "bundle", "--limit=3");
    BAD("--limit takes a size from 64.0 KiB to 1.0 GiB, for example 8MiB, not '5s'", "bundle", "--limit=5s");
    BAD("'ops' takes no option --from; 'timeline' does", "ops", "--from=1s");
    BAD("'ops' takes no option --metrics; 'demo' does", "ops", "--metrics=pipe");
    BAD("'files' takes no option --ranks; 'demo' does", "files", "--ranks=2");
    BAD("the screen takes no option -F", "-F", "csv");
    BAD("--quiet takes no argument", "ops", "--quiet=1");
    BAD("--top needs an argument: N", "ops", "--top");
    BAD("-n needs an argument: N", "ops", "-n");
    BAD("whole number from 0 up, not '-1'", "ops", "--top=-1");
    BAD("whole number from 1 to 64, not '65'", "import", "--jobs=65");
    BAD("one of text, csv, json, ndjson, markdown, not 'xml'", "ops", "-Fxml");
    BAD("--steps takes a range", "ops", "--steps=5-2");
    BAD("--rank takes ranks", "ops", "--rank=1,,2");
    BAD("did you mean 'report'?", "reprot", "dir");
    BAD("'ops' takes [PATH]: 'b' is too much", "ops", "a", "b");
    BAD("'demo' needs an argument: DIR", "demo");
}

static void options_environment_goes_first(void **state)
{
    struct options o;
    struct err e;

    (void)state;
    assert_int_equal(
        parse(&o, " --top=3  --unit 'ms' -q --chrome --jobs 4\n--filter=a\\ b", &e, "ops", "--top=5", NULL),
        OK);
    assert_string_equal(opt_nth(&o, OPT_TOP, 0), "3");
    assert_int_equal(opt_int(&o, OPT_TOP, 0), 5);
    assert_string_equal(opt_text(&o, OPT_UNIT), "ms");
    assert_string_equal(opt_text(&o, OPT_FILTER), "a b");
    assert_true(opt_is(&o, OPT_QUIET));
    assert_int_equal(o.n_args, 0); /* --jobs of another command is left out with its argument */
    options_done(&o);
    int rc = parse(&o, "--quiet dir", &e, "ops", NULL);
    bad("NPUSCOPE_OPTIONS: 'dir' is no option", &e, &o, rc);
    rc = parse(&o, "--log='x", &e, "ops", NULL);
    bad("quote that is not closed", &e, &o, rc);
}

static void options_help_needs_no_arguments(void **state)
{
    struct options o;

    (void)state;
    GOOD(&o, "demo", "--help");
    assert_true(opt_is(&o, OPT_HELP));
    options_done(&o);
    GOOD(&o, "-Vv");
    assert_true(opt_is(&o, OPT_VERSION));
    options_done(&o);
}

static void range_forms(void **state)
{
    static const struct {
        const char *text;
        bool good;
        int64_t from, to;
    } t[] = {
        { "5", true, 5, 5 },        { "2-120", true, 2, 120 }, { "60..", true, 60, 99 },
        { "..10", true, -99, 10 },  { "3..7", true, 3, 7 },    { "-3", true, -3, -3 },
        { "-5--2", true, -5, -2 },  { "", false, 0, 0 },       { "..", false, 0, 0 },
        { "7-3", false, 0, 0 },     { "a", false, 0, 0 },      { "1-", false, 0, 0 },
        { "1..2..3", false, 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        int64_t a = -99, b = 99;
        bool good = opt_range(t[i].text, &a, &b);
        if (good != t[i].good || (good && (a != t[i].from || b != t[i].to)))
            fail_msg("'%s': %d %lld %lld", t[i].text, good, (long long)a, (long long)b);
    }
}

static void rank_lists(void **state)
{
    const char *list = "0,3-5,12";
    int64_t a, b, sum = 0;
    bool bad_ = false;

    (void)state;
    while (opt_rank_next(&list, &a, &b, &bad_))
        for (; a <= b; a++)
            sum = sum * 100 + a;
    assert_false(bad_);
    assert_int_equal(sum, 3040512);
    list = "1,x";
    assert_true(opt_rank_next(&list, &a, &b, &bad_));
    assert_false(opt_rank_next(&list, &a, &b, &bad_));
    assert_true(bad_);
}

/* The tables must not contradict themselves. */
static void tables_are_consistent(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OPTS; i++) {
        const struct option_def *d = &option_defs[i];
        assert_int_equal(d->id, i);
        assert_non_null(d->help);
        assert_int_equal(d->kind == OK_FLAG, d->arg == NULL);
        assert_true(d->kind == OK_CHOICE ? d->choices != NULL : !d->choices || d->kind == OK_TEXT);
        for (size_t k = 0; k < i; k++) {
            const struct option_def *x = &option_defs[k];
            for (size_t c = 0; c < n_commands; c++) {
                unsigned g = commands[c].groups | OG_ALL;
                if (!(g & d->groups) || !(g & x->groups))
                    continue;
                if (strcmp(d->name, x->name) == 0 || (d->letter && d->letter == x->letter))
                    fail_msg("'%s' has two options --%s, --%s", commands[c].name, x->name, d->name);
            }
        }
    }
}

static void nearest_names(void **state)
{
    static const struct {
        const char *wrong, *near;
    } t[] = { { "opss", "ops" },         { "setps", "steps" }, { "memroy", "memory" },
              { "tmeline", "timeline" }, { "xyzzy", NULL },    { "q", NULL } };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        const char *near = command_near(str_of(t[i].wrong));
        if (!near != !t[i].near || (near && strcmp(near, t[i].near) != 0))
            fail_msg("%s: %s", t[i].wrong, near ? near : "nothing");
    }
}

/* Whoever reads the help can type what it says, and finds all that is accepted. */
static void help_names_every_choice(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OPTS; i++) {
        const struct option_def *d = &option_defs[i];
        struct str rest = str_of(d->choices), word;
        while (d->kind == OK_CHOICE && str_next(&rest, '|', &word)) {
            size_t at = str_find(str_of(d->help), word, 0);
            if (at == SIZE_MAX)
                fail_msg("--%s: its help does not name '%.*s'", d->name, (int)word.n, word.p);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_without_a_command_mean_the_screen),
        cmocka_unit_test(options_forms_are_equal),
        cmocka_unit_test(options_prefixes_must_be_clear),
        cmocka_unit_test(options_of_the_same_name_belong_to_their_command),
        cmocka_unit_test(options_mistakes_are_explained),
        cmocka_unit_test(options_environment_goes_first),
        cmocka_unit_test(options_help_needs_no_arguments),
        cmocka_unit_test(range_forms),
        cmocka_unit_test(rank_lists),
        cmocka_unit_test(tables_are_consistent),
        cmocka_unit_test(help_names_every_choice),
        cmocka_unit_test(nearest_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
