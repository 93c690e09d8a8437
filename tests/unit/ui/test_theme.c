/* SPDX-License-Identifier: Apache-2.0 */
/* Palettes: every colour can be read on the backgrounds that its theme is for (WCAG 2 contrast). */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "ui/widget/theme.h"

#define LEAST 4.5 /* of text (WCAG 2, level AA) */

struct rgb {
    int r, g, b;
};

/* xterm's palette. */
static struct rgb rgb_of(int n)
{
    static const int level[6] = { 0, 95, 135, 175, 215, 255 };
    static const struct rgb base[16] = {
        { 0, 0, 0 },       { 205, 0, 0 },   { 0, 205, 0 },   { 205, 205, 0 },
        { 0, 0, 238 },     { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
        { 127, 127, 127 }, { 255, 0, 0 },   { 0, 255, 0 },   { 255, 255, 0 },
        { 92, 92, 255 },   { 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 },
    };
    if (n < 16)
        return base[n];
    if (n >= 232)
        return (struct rgb){ 8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232) };
    n -= 16;
    return (struct rgb){ level[n / 36], level[n / 6 % 6], level[n % 6] };
}

static double linear(int v)
{
    double x = v / 255.0;
    return x <= 0.03928 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double contrast(struct rgb a, struct rgb b)
{
    double x = 0.2126 * linear(a.r) + 0.7152 * linear(a.g) + 0.0722 * linear(a.b) + 0.05,
           y = 0.2126 * linear(b.r) + 0.7152 * linear(b.g) + 0.0722 * linear(b.b) + 0.05;
    return x > y ? x / y : y / x;
}

static void check(const struct theme *t, struct rgb background)
{
    for (int r = 0; r < N_ROLES; r++) {
        const struct role_attr *a = &t->roles[r];
        struct rgb bg = a->bg256 >= 0 ? rgb_of(a->bg256) : background;
        double k = a->fg256 >= 0 ? contrast(rgb_of(a->fg256), bg) : LEAST;
        if (k < LEAST)
            fail_msg("%s: %s has a contrast of %.2f", t->name, a->name, k);
        if (a->bg256 >= 0 && a->fg256 < 0)
            fail_msg("%s: %s has a background without a foreground", t->name, a->name);
    }
}

static void theme_colours_have_contrast_on_their_backgrounds(void **state)
{
    (void)state;
    check(&theme_default, (struct rgb){ 0, 0, 0 });
    check(&theme_default, (struct rgb){ 28, 28, 28 });
    check(&theme_light, (struct rgb){ 255, 255, 255 });
}

/* Of 8 colours: words must be read on white and on black, as nobody says which it is; light is for white. */
static void theme_words_of_8_colours_are_read_on_black_and_white(void **state)
{
    (void)state;
    static const enum role words[] = { ROLE_ERROR, ROLE_WARN, ROLE_INFO, ROLE_GOOD, ROLE_MARK,
                                       ROLE_MATCH, ROLE_GAIN, ROLE_LOSS, ROLE_COMM };
    const struct rgb white = { 255, 255, 255 }, black = { 0, 0, 0 };
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        short fg = theme_default.roles[words[i]].fg8;
        if (fg >= 0 && (contrast(rgb_of(fg), white) < 3 || contrast(rgb_of(fg), black) < 3))
            fail_msg("%s: colour %d", theme_default.roles[words[i]].name, fg);
    }
    for (int r = 0; r < N_ROLES; r++)
        if (theme_light.roles[r].fg8 >= 0 && contrast(rgb_of(theme_light.roles[r].fg8), white) < LEAST)
            fail_msg("light: %s: colour %d", theme_light.roles[r].name, theme_light.roles[r].fg8);
}

/* Every role has a word and, where it marks something, an attribute that needs no colour. */
static void theme_marks_need_no_colour(void **state)
{
    (void)state;
    static const enum role marks[] = { ROLE_TITLE, ROLE_PANE_ON, ROLE_SORTED, ROLE_CURSOR, ROLE_MARK,
                                       ROLE_MATCH, ROLE_ERROR,   ROLE_WARN,   ROLE_SELECT };
    for (size_t i = 0; theme_nth(i); i++) {
        for (int r = 0; r < N_ROLES; r++)
            assert_non_null(theme_nth(i)->roles[r].name);
        for (size_t k = 0; k < ARRAY_LEN(marks); k++)
            assert_true(theme_nth(i)->roles[marks[k]].attrs_mono != 0);
    }
    assert_true(theme_default.roles[ROLE_CURSOR].attrs8 & RA_REVERSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theme_colours_have_contrast_on_their_backgrounds),
        cmocka_unit_test(theme_words_of_8_colours_are_read_on_black_and_white),
        cmocka_unit_test(theme_marks_need_no_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
