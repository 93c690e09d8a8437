/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration file: what is read of it, what a wrong line does, and that a saved line changes no other.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/read/infile.h"
#include "model/settings.h"
#include "tests/unit/scratch.h"
#include "tests/unit/tree_case.h"

/* Takes themes t1 and t2, panes "ops" and "triage", keys of one character. */
static int check(const struct setting_asked *s, struct err *e)
{
    if (s->id == SETTING_THEME && !str_eq(s->text, STR("t1")) && !str_eq(s->text, STR("t2")))
        return err_set(e, ERR_USAGE, "no theme %.*s", (int)s->text.n, s->text.p);
    if (s->kind == SETTING_BIND && str_chr(s->text, ' ') != s->text.n - 2)
        return err_set(e, ERR_USAGE, "no key");
    return OK;
}

static struct settings *read_text(const char *text)
{
    struct settings *s = NULL;
    struct err e = ERR_INIT;

    tree_file(&tree, "config", text);
    if (settings_read(&s, tree_path(&tree, "config"), check, &e))
        fail_msg("%s", e.text);
    return s;
}

static void settings_of_a_file(void **state)
{
    uint32_t line = 9;
    struct buf b;

    (void)state;
    struct settings *s =
        read_text("# mine\n\n  theme =t1 \ntime-unit=ms\r\ntheme = t2\nmouse = maybe\nno such\n"
                  "columns ops.type type, -avg_ns\ncolumns ops.type nosuch\ncolumns nosuch a\n"
                  "sort ops.type avg_ns\nsort ops.type +avg_ns\nbind x y\nbind xx yy\n"
                  "state = off");
    assert_string_equal(setting_get(s, SETTING_THEME, &line), "t2");
    assert_int_equal(line, 5);
    assert_true(setting_is(s, SETTING_TIME_UNIT, "ms"));
    assert_true(setting_is(s, SETTING_STATE, "off"));
    assert_string_equal(setting_get(s, SETTING_MOUSE, &line), "auto");
    assert_int_equal(line, 0);
    static const struct {
        uint32_t line;
        const char *why;
    } wrong[] = {
        { 6, "mouse takes one of auto|on|off" },
        { 7, "there is no setting 'no such'" },
        { 9, "view ops.type has no column 'nosuch'" },
        { 10, "there is no view 'nosuch': 'npuscope help columns' lists them" },
        { 14, "no key" },
    };
    assert_int_equal(settings_n_wrong(s), ARRAY_LEN(wrong));
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_int_equal(settings_wrong(s, i)->line, wrong[i].line);
        assert_string_equal(settings_wrong(s, i)->why, wrong[i].why);
    }
    static const char *const lines[] = { "columns type,-avg_ns", "sort avg_ns desc", "sort avg_ns asc", "" };
    assert_int_equal(settings_n_lines(s), ARRAY_LEN(lines));
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        buf_init(&b, 4096);
        setting_table_line(settings_line(s, i), &b);
        assert_true(str_eq(buf_str(&b), str_of(lines[i])));
        buf_done(&b);
    }
    assert_true(str_eq(setting_view(settings_line(s, 0)), STR("ops.type")));
    settings_free(s);
}

static void settings_without_a_file(void **state)
{
    struct settings *s = NULL;
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(settings_read(&s, tree_path(&tree, "nosuch"), NULL, &e), ERR_IO);
    assert_null(s);
    err_clear(&e);
    unsetenv("NPUSCOPE_CONFIG");
    setenv("XDG_CONFIG_HOME", tree_path(&tree, "none"), 1);
    assert_int_equal(settings_read(&s, NULL, NULL, &e), OK);
    assert_string_equal(setting_get(s, SETTING_FIRST_PANE, NULL), "triage");
    settings_free(s);
}

/* Bytes of any kind: no crash, and every line is either taken or named. */
static void settings_of_garbage(void **state)
{
    uint64_t seed = 7;
    char text[400];

    (void)state;
    for (int k = 0; k < 300; k++) {
        struct settings *s = NULL;
        struct err e = ERR_INIT;
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = "\n= #bindcolumnssort\tops.type,\xc3\x28\x01"[scratch_random(&seed) % 31];
        tree_file_n(&tree, "config", text, sizeof text);
        assert_int_equal(settings_read(&s, tree_path(&tree, "config"), check, &e), OK);
        for (size_t i = 0; i < settings_n_wrong(s); i++)
            assert_true(settings_wrong(s, i)->why[0] != '\0');
        settings_free(s);
    }
}

static void saved_lines_leave_the_others(void **state)
{
    static const struct {
        const char *before, *line, *after; /* after NULL: the line is wrong, nothing is written */
    } v[] = {
        { NULL, "theme = t1", "theme = t1\n" },
        { "# a\n theme=t2\n\nnonsense", "theme = t1", "# a\ntheme = t1\n\nnonsense" },
        { "mouse = on\ntheme = t2\r\ntheme = t1\n", "theme = t1", "mouse = on\ntheme = t1\n" },
        { "bind w x\nbind t w x", "bind w y", "bind w y\nbind t w x" },
        { "sort\tops.op   avg_ns\n", "sort ops.op -avg_ns", "sort ops.op -avg_ns\n" },
        { "sort ops.type avg_ns", "sort ops.op -avg_ns", "sort ops.type avg_ns\nsort ops.op -avg_ns\n" },
        { "sort ops.type avg_ns\n", "sort ops.type -total_ns", "sort ops.type -total_ns\n" },
        { "theme = t1\n", "theme = t9", NULL },
        { "theme = t1\n", "theme = t1\nmouse = on", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(v); i++) {
        struct err e = ERR_INIT;
        char *text = NULL;
        size_t n = 0;
        const char *path = tree_path(&tree, "new/folder/config");
        if (v[i].before)
            tree_file(&tree, "new/folder/config", v[i].before);
        int rc = settings_save(path, str_of(v[i].line), v[i].line[0] == 'b' ? NULL : check, &e);
        assert_int_equal(rc, v[i].after ? OK : ERR_USAGE);
        err_clear(&e);
        assert_int_equal(infile_read_all(path, 4096, &text, &n, &e), OK);
        assert_string_equal(text, v[i].after ? v[i].after : v[i].before);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(settings_of_a_file),
        CASE(settings_without_a_file),
        CASE(settings_of_garbage),
        CASE(saved_lines_leave_the_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
