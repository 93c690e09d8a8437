/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switches of the profilers: every switch and value through every form and back, what is wrong with a text
 * and where, presets and questions, edits that touch nothing else.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "configure/config_check.h"
#include "configure/config_edit.h"
#include "configure/presets.h"

/* Values of a switch to try, the last one NULL. */
static const char *const *values_of(const struct switch_def *d)
{
    static const char *const bools[] = { "true", "false", NULL };
    static const char *const texts[] = { "./data", "/a b/it's \"x\"\\y", "-", "$HOME/a", NULL };
    static const char *const lists[] = { "", "one", "a b,c'd,e\"f", NULL };
    static const char *const ints[] = { "1", "20", "2147483647", NULL };
    static const char *const floats[] = { "null", "0", "1.5", NULL };
    static const char *const ranks[] = { "", "0", "0,3,17", NULL };
    static const char *const json[] = { "{}", "{\"a\": [1, {\"b\": \"it's\"}]}", NULL };
    static const char *const words[] = { "", NULL };

    switch (d->type) {
    case ST_BOOL:
        return bools;
    case ST_TEXT:
        return texts;
    case ST_TEXTS:
        return lists;
    case ST_INT:
        return ints;
    case ST_FLOAT:
        return floats;
    case ST_INTS:
        return ranks;
    case ST_JSON:
        return json;
    default:
        return words;
    }
}

static size_t tried;

static void show(const char *what, const struct config_target *t, const struct choice *c, const char *text)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (c->value[i])
            printf("%s: %s=%s\n", what, switch_defs[i].name, c->value[i]);
    fail_msg("%s, version %u:\n%s", switch_at_title(config_at(t)), t->version, text);
}

/* A choice is written in a form, and read from it, and is the same. */
static void goes_through(const struct choice *c, const struct config_target *t)
{
    struct err e = ERR_INIT;
    struct choice back = { { NULL } };
    struct buf b;

    buf_init(&b, 1 << 20);
    if (config_write(c, t, STR("a note\nof two lines = 1"), &b, &e))
        fail_msg("%s", e.text);
    if (config_read(buf_str(&b), t, &back, NULL, NULL, &e))
        fail_msg("%s", e.text);
    if (!choice_equal(c, &back))
        show("read", t, &back, b.p);
    buf_done(&b);
    choice_done(&back);
    tried++;
}

static void each_target(void (*fn)(const struct config_target *t))
{
    for (int f = 0; f < N_FRAMEWORKS; f++)
        for (int form = 0; form < N_FORMS; form++)
            for (unsigned v = VERSION_OLDEST; v <= VERSION_NEWEST; v++) {
                struct config_target t = { (enum config_form)form, (enum config_framework)f, v };
                if (config_at(&t) != N_AT)
                    fn(&t);
            }
}

static void one_by_one(const struct config_target *t)
{
    for (size_t i = 0; i < N_SWITCHES; i++) {
        const struct switch_def *d = &switch_defs[i];
        const char *const *v = values_of(d);
        struct str rest = str_of(d->words), word;
        struct choice c = { { NULL } };
        struct err e = ERR_INIT;
        for (; *v && d->type != ST_WORD; v++) {
            assert_int_equal(choice_set(&c, d->id, str_of(*v), &e), OK);
            goes_through(&c, t);
        }
        while (rest.p && str_next(&rest, '|', &word)) {
            assert_int_equal(choice_set(&c, d->id, word, &e), OK);
            goes_through(&c, t);
        }
        if (d->type == ST_WORDS) {
            char all[200];
            str_copy(str_of(d->words), all, sizeof all);
            for (char *p = all; *p; p++)
                *p = *p == '|' ? ',' : *p;
            assert_int_equal(choice_set(&c, d->id, str_of(all), &e), OK);
            goes_through(&c, t);
        }
        choice_done(&c);
    }
}

static void every_switch_goes_through_every_form(void **state)
{
    (void)state;
    tried = 0;
    each_target(one_by_one);
    printf("%zu texts written and read\n", tried);
    assert_true(tried > 4000);
}

/* What a form has it says itself; comments are for the rest. */
static void forms_say_what_they_have(void **state)
{
    (void)state;
    for (int f = 0; f < N_FRAMEWORKS; f++)
        for (int form = 0; form < N_FORMS; form++) {
            struct config_target t = { (enum config_form)form, (enum config_framework)f, VERSION_NEWEST };
            enum switch_at at = config_at(&t);
            for (size_t i = 0; at != N_AT && i < N_SWITCHES; i++) {
                const struct switch_def *d = &switch_defs[i];
                struct str word = str_sub(str_of(d->words), 0, str_chr(str_of(d->words), '|'));
                struct str value = d->type == ST_WORDS ? word : str_of(values_of(d)[0]);
                if (d->type == ST_WORD)
                    value = d->id == SW_ANALYSE_MODE ? STR("sync") : word;
                if (d->type == ST_TEXTS)
                    value = STR("a");
                if (switch_key(d, at, VERSION_NEWEST) && !config_can(&t, d->id, value))
                    fail_msg("%s has no %s", switch_at_title(at), d->name);
            }
        }
}

/* All switches at once, each with one of its values. */
static void all_at_once(const struct config_target *t)
{
    struct choice c = { { NULL } };
    struct err e = ERR_INIT;

    for (unsigned round = 0; round < 24; round++) {
        for (size_t i = 0; i < N_SWITCHES; i++) {
            const struct switch_def *d = &switch_defs[i];
            const char *const *v = values_of(d);
            size_t n = 0, k = (round * 7 + i * 3) % 5;
            if (d->type == ST_WORD || d->type == ST_WORDS) {
                struct str rest = str_of(d->words), word = STR_NULL;
                for (size_t j = 0; j <= k && rest.p; j++)
                    str_next(&rest, '|', &word);
                assert_int_equal(choice_set(&c, d->id, word, &e), OK);
                continue;
            }
            while (v[n])
                n++;
            assert_int_equal(choice_set(&c, d->id, str_of(v[k % n]), &e), OK);
            if (round % 3 == 2 && (i + round) % 4 == 0)
                choice_unset(&c, d->id);
        }
        goes_through(&c, t);
    }
    choice_done(&c);
}

static void all_switches_go_through_every_form(void **state)
{
    (void)state;
    each_target(all_at_once);
}

static void a_window_is_a_schedule_in_python(void **state)
{
    struct choice c = { { NULL } };
    struct err e = ERR_INIT;
    struct config_target t = { FORM_PYTHON, FRAMEWORK_MINDSPORE, 27 };
    struct buf b;

    (void)state;
    buf_init(&b, 1 << 20);
    assert_int_equal(choice_set_text(&c, STR("start_step=20"), &e), OK);
    assert_int_equal(choice_set_text(&c, STR("stop_step=22"), &e), OK);
    assert_int_equal(config_write(&c, &t, STR(""), &b, &e), OK);
    assert_non_null(strstr(b.p, "schedule(active=3, warmup=0, wait=0, repeat=1, skip_first=19)"));
    goes_through(&c, &t);
    buf_done(&b);
    choice_done(&c);
}

static void the_table_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SWITCHES; i++) {
        const struct switch_def *d = &switch_defs[i];
        struct choice c = { { NULL } };
        struct err e = ERR_INIT;
        size_t places = 0;
        assert_int_equal(d->id, i);
        assert_non_null(d->help);
        assert_non_null(d->cost);
        assert_ptr_equal(switch_find(str_of(d->name), N_AT), d);
        if (choice_set(&c, d->id, str_of(d->default_value), &e))
            fail_msg("%s: its default: %s", d->name, e.text);
        choice_done(&c);
        for (size_t k = 0; k < N_AT; k++) {
            places += d->at[k].key != NULL;
            if (d->at[k].absent && choice_set(&c, d->id, str_of(d->at[k].absent), &e))
                fail_msg("%s when it is absent: %s", d->name, e.text);
            choice_done(&c);
        }
        assert_true(places > 0);
        /* words of the table are sentences without an end */
        assert_true(d->help[strlen(d->help) - 1] != '.' && d->cost[strlen(d->cost) - 1] != '.');
    }
}

/* ---- what is wrong ---- */

struct want {
    const char *text, *wrong; /* wrong: "LINE:COL: ..." or NULL */
    unsigned version;
};

static void check_all(const struct want *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err e = ERR_INIT;
        struct config_target t;
        struct buf b;
        size_t wrong;
        buf_init(&b, 1 << 20);
        assert_true(config_guess(str_of(w[i].text), w[i].version, &t));
        assert_int_equal(config_check(str_of(w[i].text), "F", &t, !w[i].version, &b, &wrong, &e), OK);
        if (!w[i].wrong && wrong)
            fail_msg("%s\nis right, but: %s", w[i].text, b.p);
        if (w[i].wrong && (!wrong || !strstr(b.p, w[i].wrong)))
            fail_msg("%s\nshould say: %s\nsays: %s", w[i].text, w[i].wrong, b.p);
        buf_done(&b);
    }
}

/* long: table */
static const struct want wrong_files[] = {
    { "{\"start_step\": 10, \"stop_step\": 12}", NULL, 0 },
    { "{\n  \"start_step\": 10,\n  \"stop_step\": 2\n}", "F:3:3: wrong: the window ends before", 0 },
    { "{\"start_step\": \"10\", \"stop_step\": 12}",
      "F:1:16: wrong: \"10\" is a text, so that it is as if the key were not there: write a whole number",
      0 },
    { "{\"start_step\": true, \"stop_step\": 12}", "F:1:16: wrong: true is no whole number", 0 },
    { "{\"stop_step\": 12, \"start_step\": [5]}",
      "F:1:19: note: with this value start_step counts as -1, so that nothing is collected", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profiler_lvel\": \"Level1\"}",
      "F:1:35: wrong: profiler_lvel is no key, so that it does nothing: write profiler_level", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"mine\": [1, {\"a\": 2}]}", "mine is no key", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profiler_level\": \"Level3\"}",
      "\"Level3\" is none of its values, so that it is as if the key were not there: write one of "
      "LevelNone, "
      "Level0, Level1, Level2",
      0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profiler_level\": \"Level1\"}",
      "this version takes integers, so that it is as if the key were not there: write one of -1 "
      "(LevelNone), "
      "0 (Level0)",
      26 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profiler_level\": 1}", NULL, 26 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profiler_level\": 7}", "7 stands for nothing", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"activities\": [\"CPU\"]}", "begins a list", 26 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"activities\": [\"CPU\", \"TPU\"]}",
      "F:1:57: wrong: \"TPU\" is none of its values", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"export_type\": \"db\"}",
      "is a text, of which each letter counts as an entry", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profiler_level\": 1, \"aicore_metrics\": 0}", NULL, 25 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"aicore_metrics\": 0}",
      "aicore_metrics is no key here, so that it does nothing: write aic_metrics", 27 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"record_shapes\": true}",
      "MindSpore 2.5 does not know record_shapes: it came with 2.7", 25 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profile_framework\": 0}",
      "MindSpore 2.7 knows profile_framework no "
      "more: write activities with CPU",
      27 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"data_process\": true}",
      "data_process does nothing here: it is of MS_PROFILER_OPTIONS", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"is_valid\": true}", "is_valid is set by the job itself", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"aic_metrics\": \"Memory\"}", "Level0 reads no counters", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"profiler_level\": \"LevelNone\"}", "LevelNone needs mstx", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"record_shapes\": true, \"activities\": [\"NPU\"]}",
      "F:1:35: wrong: shapes need CPU", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"mstx_domain_include\": [\"a\"]}", "domains need mstx", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"mstx\": true, \"mstx_domain_include\": [\"a\"], "
      "\"mstx_domain_exclude\": [\"b\"]}",
      "beside mstx_domain_include it is dropped", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"with_stack\": True}", "True is neither true nor false", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2,}", "F:1:33: wrong: the comma after the last member", 0 },
    { "{\"start_step\": 1 \"stop_step\": 2}", "F:1:18: wrong: a comma is missing", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2", "is missing", 0 },
    { "{\"start_step\": 1, \"stop_step\": ", "a value is missing here", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2} x", "the object has ended before", 0 },
    { "{'start_step': 1}", "a key in double quotes", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"mine\": [1 2]}",
      "a comma or the closing bracket is missing, so that nothing of this is read", 0 },
    { "{\"start_step\": 1, \"stop_step\": 2, \"mine\": \"a\\x\"}", "an escape that JSON does not have", 0 },
    { "{\"start_step\": 1, \"stop_step\": 02}", "a number as JSON does not write it", 0 },
    { "{\"start_step\": [1}", "not closed", 0 },
    { "export MS_PROFILER_OPTIONS='{\"start\": true, \"profiler_level\": \"Level1\"}'", NULL, 0 },
    { "export MS_PROFILER_OPTIONS='{\"profiler_level\": \"Level1\"}'", "nothing is profiled without it", 0 },
    { "# a comment\nexport MS_PROFILER_OPTIONS='{\"start\": true,\n \"l2_cache\": 1}'",
      "F:3:14: wrong: 1 is neither true nor false", 0 },
    { "{\"start\": true, \"start_step\": 5}", "start_step does nothing here: it is of profiler_config.json",
      0 },
    { "msprof --output=d --l2=yes python3 train.py --l3=x", "msprof refuses --l2=yes: write on or off", 0 },
    { "msprof --ouput=d app", "msprof has no option --ouput: write --output", 0 },
    { "msprof --output=d --task-time=l0 --ascendcl=on --runtime-api=off --aicpu=off app", NULL, 0 },
    { "p = torch_npu.profiler.profile(profile_memory=1, with_stack=True)", "1 is neither true nor false", 0 },
    { "{\"prof_dir\": \"./\", \"active\": 0}", "0 is out of range", 0 },
    { "{\"prof_dir\": \"./\", \"profiler_level\": \"Level1\"}",
      "profiler_level belongs into experimental_config", 0 },
    { "{\"prof_dir\": \"./\", \"rank_list\": [0, 1]}", "all ranks are recorded: set is_rank", 0 },
    { "{\"experimental_config\": {\"op_attr\": true}}", "op_attr needs db", 0 },
    { "{\"experimental_config\": {\"profiler_level\": \"Level_none\", \"mstx\": true, "
      "\"gc_detect_threshold\": null}, \"metadata\": {\"a\": 1}}",
      NULL, 0 },
};

static void wrong_files_are_named_with_place_and_remedy(void **state)
{
    (void)state;
    check_all(wrong_files, ARRAY_LEN(wrong_files));
}

/* ---- presets ---- */

static void questions_choose_presets_and_steps(void **state)
{
    static const struct {
        const char *question, *names, *start, *stop, *level;
        bool found;
    } q[] = {
        { "why is step 20 slow", "overview", "20", "20", "Level0", true },
        { "steps 20-22 are slow", "overview", "20", "22", "Level0", true },
        { "who eats the memory", "memory", NULL, NULL, "Level0", true },
        { "Which kernels are slow?", "overview, ops", NULL, NULL, "Level1", true },
        { "allreduce waits for a rank", "communication", NULL, NULL, "Level1", true },
        { "does the data pipeline starve", "data", NULL, NULL, "Level0", true },
        { "everything about step 7", "everything", "7", "7", "Level2", true },
        { "xyzzy", "overview", NULL, NULL, "Level0", false },
        { "", "overview", NULL, NULL, "Level0", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(q); i++) {
        struct choice c = { { NULL } };
        struct err e = ERR_INIT;
        struct buf names;
        bool found;
        buf_init(&names, 4096);
        assert_int_equal(presets_ask(str_of(q[i].question), &c, &names, &found, &e), OK);
        assert_string_equal(names.p, q[i].names);
        assert_int_equal(found, q[i].found);
        assert_string_equal(c.value[SW_PROFILER_LEVEL], q[i].level);
        assert_true(q[i].start ? !strcmp(c.value[SW_START_STEP], q[i].start) : !c.value[SW_START_STEP]);
        assert_true(q[i].stop ? !strcmp(c.value[SW_STOP_STEP], q[i].stop) : !c.value[SW_STOP_STEP]);
        buf_done(&names);
        choice_done(&c);
    }
}

static void presets_cost_what_they_add(void **state)
{
    struct cost last = { 0 };

    (void)state;
    for (size_t i = 0; i < n_presets; i++) {
        struct choice c = { { NULL } };
        struct err e = ERR_INIT;
        assert_int_equal(preset_choose(&presets[i], &c, &e), OK);
        struct cost cost = choice_cost(&c);
        assert_true(cost.per_kernel_b > 0 && cost.panes);
        if (i) /* overview is the least, everything the most */
            assert_true(cost.per_kernel_b >= choice_cost(&(struct choice){ { NULL } }).per_kernel_b);
        if (i + 1 == n_presets)
            assert_true(cost.per_kernel_b > last.per_kernel_b && cost.level == COST_HIGH);
        last = cost;
        choice_done(&c);
    }
}

/* ---- edits ---- */

static void edit(const char *was, const char *change, const char *is, unsigned version)
{
    struct choice c = { { NULL } };
    struct err e = ERR_INIT;
    struct config_target t;
    struct buf b;

    buf_init(&b, 1 << 20);
    assert_true(config_guess(str_of(was), version, &t));
    assert_int_equal(choice_set_text(&c, str_of(change), &e), OK);
    int rc = config_edit_text(str_of(was), &t, &c, &b, &e);
    if (is) {
        if (rc)
            fail_msg("%s: %s", change, e.text);
        assert_string_equal(b.p, is);
    } else if (!rc) {
        fail_msg("%s: %s was taken", was, change);
    }
    buf_done(&b);
    choice_done(&c);
}

static void edits_change_nothing_else(void **state)
{
    (void)state;
    edit("{\"start_step\": -1, \"mine\" : [1,  2],\t\"stop_step\": -1}", "start_step=10",
         "{\"start_step\": 10, \"mine\" : [1,  2],\t\"stop_step\": -1}", 0);
    edit("{\n    \"start_step\": 1,\n    \"x\": {\"start_step\": 2}\n}\n", "start_step=3",
         "{\n    \"start_step\": 3,\n    \"x\": {\"start_step\": 2}\n}\n", 0);
    edit("{\n    \"start_step\": 1\n}\n", "l2_cache=on",
         "{\n    \"start_step\": 1,\n    \"l2_cache\": true\n}\n", 27);
    edit("{}", "start_step=3", "{\n    \"start_step\": 3\n}", 0);
    edit("{\"start_step\": 1, \"start_step\": 2}", "start_step=3", "{\"start_step\": 1, \"start_step\": 3}",
         0);
    edit("{\"profiler_level\": 0, \"prof_path\": \"x\"}", "profiler_level=Level1",
         "{\"profiler_level\": 1, \"prof_path\": \"x\"}", 27);
    edit("{\"profiler_level\": \"Level0\"}", "profiler_level=2", "{\"profiler_level\": \"Level2\"}", 27);
    edit("{\"prof_dir\": \"a\"}", "profiler_level=Level1",
         "{\"prof_dir\": \"a\", \"experimental_config\": {\n    \"profiler_level\": \"Level1\"\n}}", 0);
    edit("{\"experimental_config\": {\"l2_cache\": false}, \"prof_dir\": \"a\"}", "l2_cache=true",
         "{\"experimental_config\": {\"l2_cache\": true}, \"prof_dir\": \"a\"}", 0);
    edit("{\"start_step\": 1}", "data_process=true", NULL, 27);
    edit("{\"start_step\": 1", "start_step=2", NULL, 27);
    edit("{\"start_step\": 1, \"a\": [1 2]}", "start_step=2", NULL, 27);
    edit("{\"start_step\": 1, \"a\": nul}", "start_step=2", NULL, 27);
    edit("{\"start_step\": 1, \"a\": \"\n\"}", "start_step=2", NULL, 27);
    edit("{\"start_step\": 1, \"a\": \"\xff\"}", "start_step=2", NULL, 27);
    edit("{\"start_step\": 1} {", "start_step=2", NULL, 27);
    edit("{\"experimental_config\": 3}", "l2_cache=true", NULL, 0);
}

static void damaged_texts_do_no_harm(void **state)
{
    static const char *const seeds[] = {
        "{\"start_step\": 10, \"experimental_config\": {\"mstx\": true, \"host_sys\": [\"cpu\"]}, "
        "\"metadata\": {}}",
        "# x\nexport MS_PROFILER_OPTIONS='{\"start\": true, \"activities\": [\"CPU\"]}'\n# not in x: a=b\n",
        "with torch_npu.profiler.profile(activities=[A.CPU], schedule=schedule(active=1)) as p:\n  "
        "p(x=[(1)])\n",
        "msprof --output='a b' --l2=on --task-time=l0 \\\n python3 x --l2=off\n# not in msprof: start=true\n",
    };
    unsigned long random = 7;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(seeds); i++) {
        size_t n = strlen(seeds[i]);
        for (unsigned round = 0; round < 3000; round++) {
            struct err e = ERR_INIT;
            struct config_target t = { (enum config_form)(round % 4), (enum config_framework)(round / 4 % 2),
                                       VERSION_OLDEST + round / 8 % 5 };
            char *text = malloc(n + 1); /* exact, so that a sanitizer sees the end */
            struct buf b;
            size_t wrong, use = round < 2 * n ? round / 2 : n;
            assert_non_null(text);
            memcpy(text, seeds[i], n);
            for (unsigned k = 0; k < round % 5; k++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                text[(random >> 33) % n] = (char)(random >> 20);
            }
            char *exact = malloc(use + 1);
            assert_non_null(exact);
            memcpy(exact, text, use);
            buf_init(&b, 1 << 20);
            if (config_at(&t) != N_AT)
                assert_int_equal(config_check((struct str){ exact, use }, "F", &t, true, &b, &wrong, &e), OK);
            struct choice c = { { NULL } };
            assert_int_equal(choice_set_text(&c, STR("start_step=5"), &e), OK);
            t.form = FORM_JSON;
            buf_clear(&b);
            (void)!config_edit_text((struct str){ exact, use }, &t, &c, &b, &e);
            choice_done(&c);
            buf_done(&b);
            free(exact);
            free(text);
        }
    }
}

/* What a call finds on its stack where nothing was set. */
static __attribute__((noinline)) void leave_garbage(void)
{
    volatile unsigned char p[8192];
    for (size_t i = 0; i < sizeof p; i++)
        p[i] = 0xa5;
}

static void a_file_that_is_not_there_is_said(void **state)
{
    struct err e = ERR_INIT;
    struct buf b;

    (void)state;
    buf_init(&b, 100);
    leave_garbage();
    assert_int_equal(config_load("/nowhere/profiler_config.json", &b, &e), ERR_IO);
    assert_int_equal(buf_str(&b).n, 0);
    buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_whole),
        cmocka_unit_test(every_switch_goes_through_every_form),
        cmocka_unit_test(forms_say_what_they_have),
        cmocka_unit_test(all_switches_go_through_every_form),
        cmocka_unit_test(a_window_is_a_schedule_in_python),
        cmocka_unit_test(wrong_files_are_named_with_place_and_remedy),
        cmocka_unit_test(questions_choose_presets_and_steps),
        cmocka_unit_test(presets_cost_what_they_add),
        cmocka_unit_test(edits_change_nothing_else),
        cmocka_unit_test(damaged_texts_do_no_harm),
        cmocka_unit_test(a_file_that_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
