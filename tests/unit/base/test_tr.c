/* SPDX-License-Identifier: Apache-2.0 */
/* base/lang/tr.c: which language is chosen, and that every text of a catalogue is found. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/lang/fill.h"
#include "base/lang/tr.h"
#include "base/text.h"

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static const char *language(const char *all, const char *messages, const char *lang, const char *list)
{
    set("LC_ALL", all);
    set("LC_MESSAGES", messages);
    set("LANG", lang);
    set("LANGUAGE", list);
    tr_choose(NULL, true);
    assert_string_equal(tr_language(), tr_of_environment());
    return tr_language();
}

static void tr_variables_choose_the_language(void **state)
{
    (void)state;
    assert_string_equal(language(NULL, NULL, NULL, NULL), "en");
    assert_string_equal(language(NULL, NULL, "zh_CN.UTF-8", NULL), "zh_CN");
    assert_string_equal(language(NULL, NULL, "zh_CN", NULL), "zh_CN");
    assert_string_equal(language(NULL, NULL, "zh_CN.utf8@x", NULL), "zh_CN");
    assert_string_equal(language(NULL, NULL, "zh_TW.UTF-8", NULL), "en");
    assert_string_equal(language(NULL, NULL, "de_DE.UTF-8", NULL), "en");
    assert_string_equal(language(NULL, "zh_CN.UTF-8", "de_DE.UTF-8", NULL), "zh_CN");
    assert_string_equal(language(NULL, "de_DE.UTF-8", "zh_CN.UTF-8", NULL), "en");
    assert_string_equal(language("C.UTF-8", "zh_CN.UTF-8", "zh_CN.UTF-8", NULL), "en");
    assert_string_equal(language("", "", "zh_CN.UTF-8", NULL), "zh_CN");
}

static void tr_language_list_goes_first(void **state)
{
    (void)state;
    assert_string_equal(language(NULL, NULL, "de_DE.UTF-8", "fr:zh_CN:en"), "zh_CN");
    assert_string_equal(language(NULL, NULL, "zh_CN.UTF-8", "en:zh_CN"), "en");
    assert_string_equal(language(NULL, NULL, "zh_CN.UTF-8", "en_US"), "en");
    assert_string_equal(language(NULL, NULL, "zh_CN.UTF-8", "fr"), "zh_CN");
    assert_string_equal(language(NULL, NULL, "C.UTF-8", "zh_CN"), "en"); /* as gettext has it */
    assert_string_equal(language(NULL, NULL, NULL, "zh_CN"), "en");
}

static void tr_wish_goes_before_variables(void **state)
{
    (void)state;
    language(NULL, NULL, "zh_CN.UTF-8", NULL);
    tr_choose("en", true);
    assert_true(tr_is_english());
    assert_string_equal(tr_pane("Ops"), "Ops");
    language(NULL, NULL, NULL, NULL);
    tr_choose("zh_CN", true);
    assert_string_equal(tr_pane("Ops"), "算子");
    tr_choose("zh_CN", false);
    assert_string_equal(tr_pane("Ops"), "Ops"); /* the terminal would show code points */
}

static void tr_context_tells_words_apart(void **state)
{
    (void)state;
    tr_choose("zh_CN", true);
    assert_string_equal(tr_pane("Steps"), "迭代");
    assert_string_equal(tr_column("Steps"), "迭代数");
    assert_string_equal(tr("Time of nobody's screen"), "Time of nobody's screen");
    assert_null(tr(NULL));
}

static void tr_catalogue_is_sorted_and_utf8(void **state)
{
    (void)state;
    tr_choose("zh_CN", true);
    size_t n, bytes = 0;
    const struct tr_entry *v = tr_messages(&n);
    assert_true(n > 400);
    for (size_t i = 0; i < n; i++) {
        const struct tr_entry *x = &v[i], *before = i ? x - 1 : NULL;
        int d = before ? strcmp(before->msgid, x->msgid) : -1;
        if (d > 0 || (!d && strcmp(before->context, x->context) >= 0))
            fail_msg("'%s' is not in its place", x->msgid);
        if (!text_valid_utf8(str_of(x->text)) || !*x->text)
            fail_msg("the text for '%s'", x->msgid);
        if (!*x->context && strcmp(tr(x->msgid), x->text) != 0)
            fail_msg("'%s' is not found", x->msgid);
        bytes += strlen(x->msgid) + strlen(x->context) + strlen(x->text) + 3;
    }
    assert_int_equal(bytes, tr_zh_CN.unpacked); /* none is left over */
}

static void filled(const char *form, const char *values, const char *want)
{
    struct buf b;

    buf_init(&b, 4096);
    fill_text(&b, form, str_of(values), true);
    buf_addc(&b, '\0');
    assert_false(buf_failed(&b));
    assert_string_equal(b.p, want);
    buf_done(&b);
}

static void fill_puts_values_where_the_sentence_has_them(void **state)
{
    (void)state;
    tr_choose("zh_CN", true);
    filled("%s of %s",
           "1\x1f"
           "20",
           "1 of 20");
    filled("%2$s: %1$s",
           "1\x1f"
           "20",
           "20: 1");
    filled("%2$s, %s, %s",
           "a\x1f"
           "b",
           "b, a, b"); /* places do not move what comes next */
    filled("%s%%", "99.5", "99.5%");
    filled("[%s] [%s]", "a", "[a] []");
    filled("[%s] [%s]",
           "\x1f"
           "b",
           "[] [b]");
    filled("%s, %s",
           "out of memory\x1f"
           "memory",
           "内存不足, memory");
    filled("%", "a", "");
    filled("%9$s.", "a", ".");
    filled("%n %d", "a", " ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tr_variables_choose_the_language),
        cmocka_unit_test(tr_language_list_goes_first),
        cmocka_unit_test(tr_wish_goes_before_variables),
        cmocka_unit_test(tr_context_tells_words_apart),
        cmocka_unit_test(tr_catalogue_is_sorted_and_utf8),
        cmocka_unit_test(fill_puts_values_where_the_sentence_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
