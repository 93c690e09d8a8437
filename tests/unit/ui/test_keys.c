/* SPDX-License-Identifier: Apache-2.0 */
/* The key table: names, scopes, conflicts, help. */
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

#include "ui/app/keys.h"

static struct keymap *make(void)
{
    struct err e = ERR_INIT;
    struct keymap *m;
    assert_int_equal(keymap_new(&m, &e), OK);
    return m;
}

static void keys_names_read_back(void **state)
{
    (void)state;
    char t[32];
    static const char *const names[] = { "j",    "^D", "Space", "Tab", "S-Tab", "Enter", "Esc", "Backspace",
                                         "PgUp", "F1", "F12",   "\\",  "é",     ";",     "A-0", "A-9" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        uint32_t code = key_parse(str_of(names[i]));
        assert_int_not_equal(code, K_NONE);
        assert_string_equal(key_text(t, sizeof(t), code), names[i]);
    }
    static const char *const bad[] = { "", "F0", "F13", "F", "jj", "^", "Hyper", "\x01" };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (strcmp(bad[i], "F") && strcmp(bad[i], "^"))
            assert_int_equal(key_parse(str_of(bad[i])), K_NONE);
    assert_int_equal(key_parse(STR("^C")), 3);
}

static void keys_every_default_is_a_key_and_unique_in_its_scope(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_key_rows; i++) {
        struct str rest = str_of(key_rows[i].keys), word;
        assert_true(key_rows[i].label && key_rows[i].help && key_rows[i].scope);
        while (str_next(&rest, ' ', &word)) {
            assert_int_not_equal(key_parse(word), K_NONE);
            for (size_t j = 0; j < i; j++) {
                struct str r2 = str_of(key_rows[j].keys), w2;
                while (str_next(&r2, ' ', &w2))
                    if (str_eq(word, w2) && (key_rows[i].scope & key_rows[j].scope))
                        fail_msg("%s and %s share the key %.*s", key_rows[i].name, key_rows[j].name,
                                 (int)word.n, word.p);
            }
        }
    }
}

static void keys_every_action_has_a_row(void **state)
{
    (void)state;
    for (int a = ACT_NONE + 1; a < N_ACTIONS; a++)
        assert_non_null(key_row_of((enum action)a, ~0u));
    assert_null(key_row_of(ACT_NONE, ~0u));
}

static void keys_special_scope_wins(void **state)
{
    (void)state;
    struct keymap *m = make();
    unsigned list = SC_GLOBAL | SC_LIST | SC_TABLE, time = SC_GLOBAL | SC_TIME;
    assert_int_equal(keymap_find(m, list, 's'), ACT_STEP_RANGE);
    assert_int_equal(keymap_find(m, time, 's'), ACT_ZOOM_OUT);
    assert_int_equal(keymap_find(m, time, 'z'), ACT_ZOOM_UNDO);
    assert_int_equal(keymap_find(m, list, 'z'), ACT_DETAIL);
    assert_int_equal(keymap_find(m, list | SC_FILES, 'p'), ACT_PROBLEMS);
    assert_int_equal(keymap_find(m, list, 'p'), ACT_NONE);
    assert_int_equal(keymap_find(m, SC_OVERLAY, ' '), ACT_PAGE_DOWN);
    assert_int_equal(keymap_find(m, SC_OVERLAY | SC_MENU, ' '), ACT_TOGGLE);
    assert_int_equal(keymap_find(m, list, 'j'), ACT_DOWN);
    assert_int_equal(keymap_find(m, list, K_DOWN), ACT_DOWN);
    assert_int_equal(keymap_find(m, 0, 'j'), ACT_NONE);
    keymap_free(m);
}

static void keys_can_be_bound_anew(void **state)
{
    (void)state;
    struct keymap *m = make();
    struct err e = ERR_INIT;
    char t[16];
    unsigned list = SC_GLOBAL | SC_LIST | SC_TABLE;
    assert_int_equal(keymap_bind_line(m, STR("J page-down"), &e), OK);
    assert_int_equal(keymap_find(m, list, 'J'), ACT_PAGE_DOWN);
    assert_int_equal(keymap_bind_line(m, STR("j up"), &e), OK);
    assert_int_equal(keymap_find(m, list, 'j'), ACT_UP);
    assert_string_equal(keymap_key(m, ACT_DOWN, &(struct key_where){ .scopes = list }, t, sizeof(t)), "Down");
    assert_int_equal(keymap_bind_line(m, STR("j fly"), &e), ERR_USAGE);
    assert_string_equal(e.text, "there is no action 'fly'");
    err_clear(&e);
    assert_int_equal(keymap_bind_line(m, STR("Hyper up"), &e), ERR_USAGE);
    err_clear(&e);
    /* in one place alone */
    unsigned time = SC_GLOBAL | SC_TIME;
    assert_int_equal(keymap_bind_line(m, STR("timeline  J zoom-in"), &e), OK);
    assert_int_equal(keymap_find(m, time, 'J'), ACT_ZOOM_IN);
    assert_int_equal(keymap_find(m, list, 'J'), ACT_PAGE_DOWN);
    assert_int_equal(keymap_bind_line(m, STR("timeline K quit"), &e), OK);
    assert_int_equal(keymap_find(m, time, 'K'), ACT_QUIT);
    assert_int_not_equal(keymap_find(m, list, 'K'), ACT_QUIT);
    assert_int_equal(keymap_bind_line(m, STR("table w zoom-in"), &e), ERR_USAGE);
    assert_string_equal(e.text, "'zoom-in' does nothing in table");
    err_clear(&e);
    assert_int_equal(keymap_bind_line(m, STR("nowhere w zoom-in"), &e), ERR_USAGE);
    assert_string_equal(e.text, "there is no place 'nowhere'");
    err_clear(&e);
    assert_int_equal(keymap_bind_line(m, STR("w"), &e), ERR_USAGE);
    err_clear(&e);
    /* what holds in a place holds for a binding there, too, and TABs part words */
    assert_int_equal(keymap_bind_line(m, STR("memory\tZ  page-up"), &e), OK);
    assert_int_equal(keymap_find(m, list | SC_MEM, 'Z'), ACT_PAGE_UP);
    assert_int_not_equal(keymap_find(m, list, 'Z'), ACT_PAGE_UP);
    /* an action of several rows is bound in all of them */
    assert_int_equal(keymap_bind_line(m, STR("Y go-to"), &e), OK);
    assert_int_equal(keymap_find(m, time, 'Y'), keymap_find(m, time, '@'));
    assert_int_equal(keymap_find(m, SC_OVERLAY | SC_BYTES, 'Y'), keymap_find(m, SC_OVERLAY | SC_BYTES, '@'));
    assert_int_not_equal(keymap_find(m, SC_OVERLAY | SC_BYTES, 'Y'), ACT_NONE);
    keymap_free(m);
}

static void keys_help_names_only_what_is_in_force(void **state)
{
    (void)state;
    struct keymap *m = make();
    struct buf b;
    buf_init(&b, 65536);
    keymap_help(m, &(struct key_where){ .scopes = SC_GLOBAL | SC_LIST | SC_TABLE }, 76, &b);
    assert_non_null(strstr(b.p, "Move    j Down down   k Up up"));
    assert_non_null(strstr(b.p, "\\ F4 filter"));
    assert_null(strstr(b.p, "zoom"));
    struct str rest = buf_str(&b), line;
    while (str_next(&rest, '\n', &line))
        assert_true(line.n <= 76);
    buf_clear(&b);
    keymap_help(m, &(struct key_where){ .scopes = SC_GLOBAL | SC_TIME }, 76, &b);
    assert_non_null(strstr(b.p, "w + zoom in"));
    assert_null(strstr(b.p, "step range"));
    buf_done(&b);
    keymap_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_names_read_back),
        cmocka_unit_test(keys_every_default_is_a_key_and_unique_in_its_scope),
        cmocka_unit_test(keys_every_action_has_a_row),
        cmocka_unit_test(keys_special_scope_wins),
        cmocka_unit_test(keys_can_be_bound_anew),
        cmocka_unit_test(keys_help_names_only_what_is_in_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
