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
    check(&theme_colour_blind, (struct rgb){ 28, 28, 28 });
    for (int r = 0; r < N_ROLES; r++) /* level AAA */
        if (theme_contrast.roles[r].fg256 >= 0 && theme_contrast.roles[r].bg256 < 0)
            assert_true(contrast(rgb_of(theme_contrast.roles[r].fg256), rgb_of(0)) >= 7);
}

/* ---- eyes without one kind of cones ---- */

static const double eyes[3][3][3] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    /* Machado and others 2009, severity 1: without red cones, and without green ones; of linear colours */
    { { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } },
    { { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } },
};

static double lab_f(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b* of a colour, as these eyes see it. */
static void lab_of(int n, const double eye[3][3], double lab[3])
{
    const struct rgb c = rgb_of(n);
    const double in[3] = { linear(c.r), linear(c.g), linear(c.b) };
    double s[3];
    for (int i = 0; i < 3; i++) {
        s[i] = eye[i][0] * in[0] + eye[i][1] * in[1] + eye[i][2] * in[2];
        s[i] = fmin(1, fmax(0, s[i]));
    }
    double x = lab_f((0.4124 * s[0] + 0.3576 * s[1] + 0.1805 * s[2]) / 0.95047);
    double y = lab_f(0.2126 * s[0] + 0.7152 * s[1] + 0.0722 * s[2]);
    double z = lab_f((0.0193 * s[0] + 0.1192 * s[1] + 0.9505 * s[2]) / 1.08883);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

/* The least distance between two classes of ops for any of these eyes. */
static double least_distance(const struct theme *t)
{
    static const enum role classes[] = { ROLE_CUBE, ROLE_VECTOR, ROLE_MIX, ROLE_COMM, ROLE_COPY, ROLE_AICPU };
    double least = INFINITY;
    for (size_t k = 0; k < ARRAY_LEN(eyes); k++)
        for (size_t i = 0; i < ARRAY_LEN(classes); i++)
            for (size_t j = 0; j < i; j++) {
                double a[3], b[3];
                lab_of(t->roles[classes[i]].fg256, eyes[k], a);
                lab_of(t->roles[classes[j]].fg256, eyes[k], b);
                least = fmin(least, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
            }
    return least;
}

static void theme_colour_blind_tells_classes_apart(void **state)
{
    (void)state;
    assert_true(least_distance(&theme_colour_blind) > 35);
    assert_true(least_distance(&theme_default) < 20); /* which is why there is another one */
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
        cmocka_unit_test(theme_colour_blind_tells_classes_apart),
        cmocka_unit_test(theme_words_of_8_colours_are_read_on_black_and_white),
        cmocka_unit_test(theme_marks_need_no_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
