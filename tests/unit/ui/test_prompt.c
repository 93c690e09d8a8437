/* SPDX-License-Identifier: Apache-2.0 */
/* Line editor: editing, history, completion, drawing. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ui/screen_text.h"
#include "ui/app/prompt.h"

static struct prompt *make(const struct prompt_opts *o)
{
    struct err e = ERR_INIT;
    struct prompt *p;
    assert_int_equal(prompt_new(&p, o, &e), OK);
    return p;
}

static void type(struct prompt *p, const char *s)
{
    uint32_t cp;
    for (size_t n = strlen(s); n;) {
        size_t k = text_decode(s, n, &cp);
        prompt_key(p, cp);
        s += k;
        n -= k;
    }
}

static void is(struct prompt *p, const char *text, size_t cursor)
{
    assert_int_equal(prompt_text(p).n, strlen(text));
    assert_memory_equal(prompt_text(p).p, text, strlen(text));
    assert_int_equal(prompt_cursor(p), cursor);
}

static void prompt_edits_by_code_points(void **state)
{
    (void)state;
    struct prompt *p = make(&(struct prompt_opts){ .label = ":" });
    type(p, "a中b");
    is(p, "a中b", 5);
    prompt_key(p, K_LEFT);
    prompt_key(p, K_LEFT);
    is(p, "a中b", 1);
    assert_int_equal(prompt_key(p, K_DEL), PROMPT_CHANGED);
    is(p, "ab", 1);
    prompt_key(p, K_END);
    prompt_key(p, K_BACKSPACE);
    is(p, "a", 1);
    assert_int_equal(prompt_key(p, K_BACKSPACE), PROMPT_CHANGED);
    assert_int_equal(prompt_key(p, K_BACKSPACE), PROMPT_CANCEL);
    prompt_free(p);
}

static void prompt_words_and_ends(void **state)
{
    (void)state;
    struct prompt *p = make(&(struct prompt_opts){ 0 });
    type(p, "set unit us");
    prompt_key(p, K_CTRL('W'));
    is(p, "set unit ", 9);
    prompt_key(p, K_CTRL('A'));
    is(p, "set unit ", 0);
    prompt_key(p, K_CTRL('E'));
    prompt_key(p, K_CTRL('U'));
    is(p, "", 0);
    prompt_key(p, K_CTRL('Y'));
    is(p, "set unit ", 9);
    prompt_key(p, K_HOME);
    prompt_key(p, K_CTRL('K'));
    is(p, "", 0);
    assert_int_equal(prompt_key(p, K_F1), PROMPT_NOTHING);
    assert_int_equal(prompt_key(p, K_ENTER), PROMPT_ACCEPT);
    assert_int_equal(prompt_key(p, K_ESC), PROMPT_CANCEL);
    assert_int_equal(prompt_key(p, K_CTRL('C')), PROMPT_CANCEL);
    prompt_free(p);
}

static void prompt_history_keeps_what_was_typed(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct history *h;
    assert_int_equal(history_new(&h, 3, &e), OK);
    history_add(h, STR("one"));
    history_add(h, STR("two"));
    history_add(h, STR("three"));
    history_add(h, STR(""));
    history_add(h, STR("four")); /* "one" falls out */
    history_add(h, STR("two"));  /* moves to the front */
    assert_int_equal(history_count(h), 3);
    assert_true(str_eq(history_get(h, 0), STR("two")) && str_eq(history_get(h, 2), STR("three")));
    struct prompt *p = make(&(struct prompt_opts){ .history = h });
    type(p, "o");
    prompt_key(p, K_UP);
    is(p, "two", 3);
    prompt_key(p, K_UP);
    prompt_key(p, K_UP);
    prompt_key(p, K_UP);
    is(p, "three", 5);
    prompt_key(p, K_DOWN);
    prompt_key(p, K_DOWN);
    prompt_key(p, K_DOWN);
    is(p, "o", 1);
    prompt_key(p, K_CTRL('U'));
    type(p, "fo");
    prompt_key(p, K_CTRL('R'));
    is(p, "four", 4);
    prompt_key(p, K_CTRL('R'));
    is(p, "four", 4);
    prompt_free(p);
    history_free(h);
}

static void candidates(void *arg, struct str text, size_t pos, size_t *from, prompt_add_fn *add, void *cookie)
{
    (void)arg;
    *from = pos;
    while (*from && text.p[*from - 1] != ' ')
        --*from;
    add(cookie, STR("name"));
    add(cookie, STR("namespace"));
    add(cookie, STR("type"));
}

static void prompt_completion_goes_as_far_as_it_is_sure(void **state)
{
    (void)state;
    struct prompt *p = make(&(struct prompt_opts){ .complete = candidates });
    type(p, "x n");
    assert_int_equal(prompt_key(p, K_TAB), PROMPT_CHANGED);
    is(p, "x name", 6);
    assert_true(str_eq(prompt_candidates(p), STR("name  namespace")));
    prompt_key(p, 's');
    assert_int_equal(prompt_candidates(p).n, 0);
    prompt_key(p, K_TAB);
    is(p, "x namespace", 11);
    assert_int_equal(prompt_candidates(p).n, 0);
    type(p, " zz");
    assert_int_equal(prompt_key(p, K_TAB), PROMPT_MOVED);
    is(p, "x namespace zz", 14);
    prompt_free(p);
}

static void prompt_paste_cannot_press_enter(void **state)
{
    (void)state;
    struct prompt *p = make(&(struct prompt_opts){ .max = 12 });
    prompt_insert(p, STR("a\r\nb\tc\033d"));
    is(p, "a  b cd", 7);
    prompt_insert(p, STR("0123456789"));
    is(p, "a  b cd01234", 12);
    prompt_free(p);
    p = make(&(struct prompt_opts){ .multiline = true });
    prompt_insert(p, STR("SELECT 1\nFROM x"));
    assert_int_equal(prompt_rows(p, 40, 0), 2);
    prompt_key(p, K_UP);
    is(p, "SELECT 1\nFROM x", 6);
    prompt_key(p, K_DOWN);
    is(p, "SELECT 1\nFROM x", 15);
    assert_int_equal(prompt_key(p, K_ENTER), PROMPT_CHANGED);
    assert_int_equal(prompt_rows(p, 40, 0), 3);
    prompt_free(p);
}

static void prompt_wraps_long_lines_of_a_statement(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(5, 13, true);
    struct prompt *p = make(&(struct prompt_opts){ .multiline = true });
    int y, x;
    prompt_insert(p, STR("SELECT name, count(*) FROM op_exec\nLIMIT 1"));
    assert_int_equal(prompt_rows(p, 12, TEXT_ASCII), 4);
    prompt_draw(p, c, (struct rect){ 0, 0, 5, 13 }, &y, &x);
    canvas_shows(c, "SELECT name,\ncount(*)\nFROM op_exec\nLIMIT 1");
    assert_int_equal(y, 3);
    assert_int_equal(x, 7);
    /* Fewer rows than text: those around the cursor. */
    canvas_clear(c);
    prompt_key(p, K_HOME);
    prompt_draw(p, c, (struct rect){ 0, 0, 2, 13 }, &y, &x);
    canvas_shows(c, "FROM op_exec\nLIMIT 1");
    assert_int_equal(y, 1);
    assert_int_equal(x, 0);
    prompt_set(p, STR("abcdefghijklmnopqrstuvwxyz"));
    canvas_clear(c);
    prompt_draw(p, c, (struct rect){ 0, 0, 5, 13 }, &y, &x);
    canvas_shows(c, "abcdefghijkl\nmnopqrstuvwx\nyz");
    assert_int_equal(y, 2);
    assert_int_equal(x, 2);
    prompt_free(p);
    canvas_free(c);
}

static void prompt_scrolls_so_that_the_cursor_shows(void **state)
{
    (void)state;
    struct canvas *c = canvas_make(1, 10, true);
    struct prompt *p = make(&(struct prompt_opts){ .label = "/ " });
    int y, x;
    type(p, "0123456789ab");
    prompt_draw(p, c, (struct rect){ 0, 0, 1, 10 }, &y, &x);
    canvas_shows(c, "/ 56789ab");
    assert_int_equal(x, 9);
    prompt_key(p, K_HOME);
    canvas_clear(c);
    prompt_draw(p, c, (struct rect){ 0, 0, 1, 10 }, &y, &x);
    assert_int_equal(x, 2);
    assert_string_equal(canvas_cell(c, 0, 2, NULL), "0");
    prompt_free(p);
    canvas_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prompt_edits_by_code_points),
        cmocka_unit_test(prompt_words_and_ends),
        cmocka_unit_test(prompt_history_keeps_what_was_typed),
        cmocka_unit_test(prompt_completion_goes_as_far_as_it_is_sure),
        cmocka_unit_test(prompt_paste_cannot_press_enter),
        cmocka_unit_test(prompt_wraps_long_lines_of_a_statement),
        cmocka_unit_test(prompt_scrolls_so_that_the_cursor_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
