/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences that were made in English, in another language when they are shown. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "base/str.h"
#include "tests/unit/sample.h"

static void says(const char *english, const char *want)
{
    char buf[1300];

    assert_string_equal(tr_said(english, buf, sizeof buf), want);
}

static void english_stays_without_a_language(void **state)
{
    const char text[] = "--pane takes no argument";

    (void)state;
    tr_choose("en", true);
    assert_ptr_equal(tr_said(text, NULL, 0), text);
    assert_null(tr_said(NULL, NULL, 0));
}

static void a_format_is_found_and_filled(void **state)
{
    (void)state;
    tr_choose("zh_CN", true);
    says("out of memory", "内存不足");
    says("--pane takes no argument", "--pane 没有参数");
    says("--top takes a whole number from 0 up, not 'a b'", "--top 需要不小于 0 的整数，而不是 'a b'");
    says("this is run 2 of 3, x: --run=N shows another",
         "这是 3 个运行中的第 2 个，x：用 --run=N 显示另一个"); /* other order */
    says("removed 2 stores", "已删除 2 个存储");                /* an English plural */
    says("--crashed is a step or a share from 1% to 99%, not \"x\"",
         "--crashed 是一个迭代，或 1% 至 99% 的比例，而不是 \"x\"");
}

static void what_is_no_sentence_of_ours_stays(void **state)
{
    (void)state;
    tr_choose("zh_CN", true);
    says("", "");
    says("MatMul", "MatMul");
    says("--pane takes no argument at all", "--pane takes no argument at all");
    says("removed x stores", "removed x stores"); /* x is no number */
}

static void sentences_lie_in_sentences(void **state)
{
    (void)state;
    tr_choose("zh_CN", true);
    says("a/b: cannot open: No such file or directory", "a/b: 无法打开：没有这样的文件或目录");
    says("a/b: at byte 7 (line 2): gzip stream is cut", "a/b: 第 7 字节处（第 2 行）：gzip 流被截断");
    says("cannot open: check the path: Permission denied", "无法打开：请检查路径：没有权限");
    says("there is no command 'opps'; did you mean 'ops'?", "没有命令 'opps'；是不是 'ops'？");
    says("gzip stream is cut; the rest, 12 bytes, was left out", "gzip 流被截断；其余 12 字节被略去");
    says("gzip stream is cut; nobody knows", "gzip 流被截断；nobody knows");
}

/* Names of the data may be anything, and long: no text takes long. */
static void hostile_texts_end_soon(void **state)
{
    char text[1190];

    (void)state;
    tr_choose("zh_CN", true);
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = ": '; "[i % 5];
    text[sizeof text - 1] = '\0';
    says(text, text);
}

/* What printf() would make of a format with values that no sentence has. */
static void sample(const char *format, bool english, struct buf *out)
{
    int next = 0;

    for (const char *p = format; *p; p++) {
        int place = 0;
        if (*p != '%') {
            buf_addc(out, *p);
            continue;
        }
        if (p[1] == '%') {
            buf_addc(out, *p++);
            continue;
        }
        if (p[1] >= '1' && p[1] <= '9' && p[2] == '$') {
            place = p[1] - '0';
            p += 2;
        }
        bool nothing = !english && !strncmp(p, "%.0s", 4);
        p++;
        p += strspn(p, "-+ #0123456789.*$hlzjt");
        if (!place)
            place = ++next;
        if (nothing)
            continue;
        if (*p == 's')
            buf_printf(out, "v%d", place);
        else if (*p == 'c')
            buf_addc(out, 'q');
        else
            buf_printf(out, "%d", 10 + place);
    }
    buf_addc(out, '\0');
}

static void every_format_of_the_catalogue_is_found(void **state)
{
    size_t n, looked = 0;

    (void)state;
    tr_choose("zh_CN", true);
    const struct tr_entry *v = tr_messages(&n);
    const size_t step = sample_step(5);
    for (size_t i = 0; i < n; i += step) {
        struct buf english, want;
        char buf[1300];
        if (strcmp(v[i].context, "said") != 0)
            continue;
        looked++;
        buf_init(&english, 4096);
        buf_init(&want, 4096);
        sample(v[i].msgid, true, &english);
        sample(v[i].text, false, &want);
        assert_false(buf_failed(&english) || buf_failed(&want));
        if (strcmp(tr_said(english.p, buf, sizeof buf), want.p) != 0)
            fail_msg("'%s' is shown as '%s', not '%s'", english.p, tr_said(english.p, buf, sizeof buf),
                     want.p);
        buf_done(&english);
        buf_done(&want);
    }
    assert_true(looked > 500 / step);
}

static void an_error_is_said_with_its_place(void **state)
{
    struct err e = ERR_INIT;
    char buf[400];

    (void)state;
    tr_choose("zh_CN", true);
    err_set(&e, ERR_FORMAT, "gzip stream is cut");
    err_where(&e, "x.gz", 7, 0);
    assert_string_equal(tr_said_error(&e, buf, sizeof buf), "x.gz: 第 7 字节处：gzip 流被截断");
    tr_choose("en", true);
    assert_string_equal(tr_said_error(&e, buf, sizeof buf), "x.gz: at byte 7: gzip stream is cut");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(english_stays_without_a_language),
        cmocka_unit_test(a_format_is_found_and_filled),
        cmocka_unit_test(what_is_no_sentence_of_ours_stays),
        cmocka_unit_test(sentences_lie_in_sentences),
        cmocka_unit_test(hostile_texts_end_soon),
        cmocka_unit_test(every_format_of_the_catalogue_is_found),
        cmocka_unit_test(an_error_is_said_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
