/* SPDX-License-Identifier: Apache-2.0 */
/* Different names of one list are drawn differently where there is room to tell them apart. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/widget/names.h"

#define NAMES  24
#define PARTS  8
#define ROUNDS 3000

struct usual {
    enum text_cut cut;
    size_t width;
    unsigned flags;
};

static void usual_form(void *arg, struct str name, struct buf *out)
{
    const struct usual *u = arg;
    text_clip(out, name, u->width, u->cut, u->flags);
}

/* As drawn, into text[i]. */
static void draw(const char *const *name, size_t n, struct usual u, char (*text)[256])
{
    struct str s[NAMES];
    struct buf b;
    for (size_t i = 0; i < n; i++)
        s[i] = str_of(name[i]);
    struct names *k = names_apart(&(struct name_list){
        .name = s, .n = n, .width = u.width, .flags = u.flags, .usual = usual_form, .arg = &u });
    buf_init(&b, 4096);
    for (size_t i = 0; i < n; i++) {
        const struct str other = names_text(k, s[i]);
        buf_clear(&b);
        if (!other.p)
            usual_form(&u, s[i], &b);
        str_copy(other.p ? other : buf_str(&b), text[i], sizeof text[i]);
        assert_true(text_width(str_of(text[i]), u.flags) <= u.width);
    }
    buf_done(&b);
    names_free(k);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A path by the numbers of its parts. */
struct path {
    size_t n;
    unsigned part[PARTS];
    char text[256];
};
static const char *const word[] = { "Default",          "Gradients",    "network-TrainOneStepCell",
                                    "_backbone-ResNet", "layer1-Seq",   "layer2-Seq",
                                    "layer3-Seq",       "0-Residual",   "1-Residual",
                                    "10-Residual",      "conv1-Conv2d", "conv2-Conv2d",
                                    "gradConv2D",       "down_sample",  "Conv2D-op1",
                                    "Conv2D-op12",      "MatMul-op12",  "a" };

static void make_path(struct path *p, uint32_t *seed)
{
    p->n = 1 + next(seed) % (PARTS - 1);
    p->text[0] = '\0';
    for (size_t i = 0; i < p->n; i++) {
        const unsigned range = i < 3 ? 3 : (unsigned)ARRAY_LEN(word);
        p->part[i] = next(seed) % range;
        const size_t at = strlen(p->text);
        snprintf(p->text + at, sizeof p->text - at, "%s%s", i ? "/" : "", word[p->part[i]]);
    }
}

/* The parts of p in which it differs from any other one, none of them cut, a mark for those between. */
static void telling_form(const struct path *all, size_t n, size_t of, char *text, size_t size)
{
    const struct path *p = &all[of];
    bool keep[PARTS] = { false };
    for (size_t j = 0; j < n; j++) {
        const struct path *o = &all[j];
        const size_t most = p->n < o->n ? p->n : o->n;
        size_t head = 0, tail = 0;
        while (head < most && p->part[head] == o->part[head])
            head++;
        while (tail < most - head && p->part[p->n - 1 - tail] == o->part[o->n - 1 - tail])
            tail++;
        for (size_t i = head; i < p->n - tail; i++)
            keep[i] = true;
    }
    text[0] = '\0';
    for (size_t i = 0; i < p->n; i++) {
        const size_t at = strlen(text);
        if (keep[i])
            snprintf(text + at, size - at, "%s%s", word[p->part[i]], i + 1 < p->n ? "/" : "");
        else if (!i || keep[i - 1])
            snprintf(text + at, size - at, "%s", i + 1 < p->n ? "~/" : "~");
    }
}

static void names_that_fit_without_what_agrees_look_different(void **state)
{
    static struct path p[NAMES];
    static char text[NAMES][256], form[NAMES][256];
    const char *name[NAMES];
    uint32_t seed = 20;
    size_t compared = 0, cut = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = 2 + next(&seed) % (NAMES - 1);
        const struct usual u = { next(&seed) % (CUT_NAMES + 1), 4 + next(&seed) % 50, TEXT_ASCII };
        for (size_t i = 0; i < n; i++) {
            make_path(&p[i], &seed);
            name[i] = p[i].text;
        }
        draw(name, n, u, text);
        for (size_t i = 0; i < n; i++)
            telling_form(p, n, i, form[i], sizeof form[i]);
        for (size_t i = 0; i < n; i++) {
            cut += strcmp(text[i], name[i]) != 0;
            for (size_t j = 0; j < i; j++) {
                if (!strcmp(name[i], name[j]) || !strcmp(form[i], form[j]) || strlen(form[i]) > u.width ||
                    strlen(form[j]) > u.width)
                    continue;
                compared++;
                if (!strcmp(text[i], text[j]))
                    fail_msg("%s and %s are both %s in %zu cells", name[i], name[j], text[i], u.width);
            }
        }
    }
    print_message("%zu pairs compared, %zu names cut\n", compared, cut);
    assert_true(compared > 10000 && cut > 1000);
}

/* Layers of forward and backward scopes in one list: the case of the screens. */
static void names_of_both_passes_keep_their_layers(void **state)
{
    static const char *const name[] = {
        "Gradients/Default/network-Train/_backbone-ResNet/layer4-Seq/0-Res/down_sample_layer-Seq/0-Conv/"
        "gradConv2D",
        "Gradients/Default/network-Train/_backbone-ResNet/layer3-Seq/0-Res/down_sample_layer-Seq/0-Conv/"
        "gradConv2D",
        "Gradients/Default/network-Train/_backbone-ResNet/layer2-Seq/0-Res/down_sample_layer-Seq/0-Conv/"
        "gradConv2D",
        "Default/network-Train/_backbone-ResNet/layer4-Seq/0-Res/conv1-Conv2d",
    };
    static char text[NAMES][256];
    const struct usual u = { CUT_NAMES, 25, TEXT_ASCII };

    (void)state;
    draw(name, ARRAY_LEN(name), u, text);
    for (size_t i = 0; i < 3; i++) {
        const char layer[] = { 'l', 'a', 'y', 'e', 'r', (char)('4' - (char)i), '\0' };
        assert_non_null(strstr(text[i], layer));
        assert_non_null(strstr(text[i], "grad"));
    }
    assert_non_null(strstr(text[3], "conv1"));
}

/* Ops are told apart by their layers, too, not by their numbers alone. */
static void names_of_ops_are_told_apart_by_more_than_numbers(void **state)
{
    static const char *const name[] = { "Default/net-Cell/layer1-Seq/conv1-Conv2d/Conv2D-op11",
                                        "Default/net-Cell/layer2-Seq/conv1-Conv2d/Conv2D-op22",
                                        "Default/net-Cell/layer3-Seq/conv1-Conv2d/Conv2D-op33" };
    static char text[NAMES][256];

    (void)state;
    draw(name, ARRAY_LEN(name), (struct usual){ CUT_TAIL, 22, TEXT_ASCII }, text);
    assert_string_equal(text[0], "~/layer1~/~/Conv~-op11");
    assert_string_equal(text[2], "~/layer3~/~/Conv~-op33");
}

static void names_without_parts_keep_what_differs(void **state)
{
    static const char *const name[] = { "aclnnFlashAttentionScore_fwd_kernel_long",
                                        "aclnnFlashAttentionGrad_fwd_kernel_long", "other" };
    static char text[NAMES][256];

    (void)state;
    draw(name, ARRAY_LEN(name), (struct usual){ CUT_MIDDLE, 12, TEXT_ASCII }, text);
    assert_string_not_equal(text[0], text[1]);
    assert_non_null(strstr(text[0], "Score"));
    assert_non_null(strstr(text[1], "Grad"));
    assert_string_equal(text[2], "other");
}

/* What differs is in the middle; what is shown around it ends between characters, of two cells each. */
static void names_of_wide_characters_keep_what_differs(void **state)
{
    static const char *const name[] = { "训练数据集的预处理A阶段的全部算子耗时",
                                        "训练数据集的预处理B阶段的全部算子耗时" };
    static char text[NAMES][256];

    (void)state;
    for (size_t width = 5; width <= 30; width++) {
        draw(name, ARRAY_LEN(name), (struct usual){ CUT_START, width, 0 }, text);
        assert_non_null(strchr(text[0], 'A'));
        assert_non_null(strchr(text[1], 'B'));
        assert_true(text_width(str_of(text[0]), 0) + 2 >= width);
        assert_null(strstr(text[0], "\\x"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_fit_without_what_agrees_look_different),
        cmocka_unit_test(names_of_both_passes_keep_their_layers),
        cmocka_unit_test(names_of_ops_are_told_apart_by_more_than_numbers),
        cmocka_unit_test(names_without_parts_keep_what_differs),
        cmocka_unit_test(names_of_wide_characters_keep_what_differs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
