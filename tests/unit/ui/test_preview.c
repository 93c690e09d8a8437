/* SPDX-License-Identifier: Apache-2.0 */
/* How a file begins: its lines or its bytes. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/ui/panes_case.h"
#include "ui/pane/files_preview.h"

static struct preview *preview_of(const void *bytes, size_t n)
{
    char path[] = "/tmp/npuscope-preview-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
    struct preview *v = preview_read(path);
    unlink(path);
    return v;
}

static void preview_of_text_has_its_lines(void **state)
{
    static const char text[] =
        "Name,Time\nConv2D,4\n\na line that is longer than the card and goes on below\n";
    struct preview *v = preview_of(text, sizeof text - 1);
    struct canvas *c = canvas_make(8, 40, true);
    (void)state;

    assert_non_null(v);
    assert_int_equal(preview_draw(v, c, (struct rect){ 0, 0, 8, 40 }), 7);
    canvas_shows(c, "\nFirst lines\nName,Time\nConv2D,4\n\na line that is longer than the card and\n"
                    "goes on below");
    assert_int_equal(preview_draw(v, c, (struct rect){ 0, 0, 3, 40 }), 0); /* no room */
    preview_free(v);
    canvas_free(c);
}

static void preview_of_bytes_has_offsets_and_text(void **state)
{
    static const char bytes[] = "\x00\x01\xff"
                                "Ab\x1b[2J";
    struct preview *v = preview_of(bytes, sizeof bytes - 1);
    struct canvas *c = canvas_make(4, 40, true);
    (void)state;

    assert_non_null(v);
    (void)preview_draw(v, c, (struct rect){ 0, 0, 4, 40 });
    canvas_shows(c, "\nFirst bytes\n00000  00 01 ff 41   ...A\n00004  62 1b 5b 32   b.[2");
    preview_free(v);
    canvas_free(c);
}

/* For the card that Enter opens: nothing of the file is a head of it, or a second column. */
static void preview_is_added_to_a_card(void **state)
{
    static const char text[] = "# no head\ra\tb\n\nc\r\n", bytes[] = "\x00\x01\xff"
                                                                     "Ab\x1b[2J";
    struct preview *v = preview_of(text, sizeof text - 1);
    struct buf b;
    (void)state;

    buf_init(&b, 65536);
    preview_add(v, &b);
    assert_true(str_eq(buf_str(&b), STR("\n# First lines\n # no head\ra b\n \n c\n")));
    preview_free(v);
    buf_clear(&b);
    v = preview_of(bytes, sizeof bytes - 1);
    preview_add(v, &b);
    assert_true(str_eq(buf_str(&b), STR("\n# First bytes\n 00000   00 01 ff 41  62 1b 5b 32  4a"
                                        "                        ...Ab.[2J\n")));
    preview_free(v);
    buf_done(&b);
}

/* Enter goes on from the card beside the table: it has no less. */
static void preview_is_in_the_card_that_enter_opens(void **state)
{
    struct fixture *x = *state;

    start(x, 60, 80, true);
    press(x, "2 j j j Enter");
    shows(x, "Written with");
    shows(x, "First lines");
    stop(x);
}

static void preview_of_nothing_is_none(void **state)
{
    (void)state;
    assert_null(preview_of("", 0));
    assert_null(preview_read("/nonexistent/file"));
    preview_free(NULL);
}

static int line_of(const struct canvas *c, const char *text)
{
    struct buf b;
    struct str rest, line;
    int y = 0, found = -1;

    buf_init(&b, (size_t)1 << 20);
    canvas_text(c, &b);
    rest = buf_str(&b);
    for (; str_next(&rest, '\n', &line) && found < 0; y++)
        if (str_find(line, str_of(text), 0) != SIZE_MAX)
            found = y;
    buf_done(&b);
    return found;
}

/* The reader rests; the reading took so long. */
static void rest(struct fixture *x, int64_t took_ms)
{
    pane_rested(app_pane(x->a));
    app_pane(x->a)->beside.took_ms = took_ms;
    frame(x);
}

/* From file to file the terminal gets what differs, at one place: no blanks where reading is quick. */
static void preview_stays_where_it_is(void **state)
{
    struct fixture *x = *state;
    int at, moves = 0;

    start(x, 40, 120, true);
    press(x, "2 j j j");
    rest(x, 0);
    at = line_of(x->a->c, "First lines");
    assert_in_range(at, 4, 30);
    assert_in_range(line_of(x->a->c, "What          time and bandwidth per"), 4,
                    at - 1); /* what its kind is */
    for (; moves < 6; moves++) {
        press(x, "j");
        assert_true(app_pane(x->a)->beside.read != app_pane(x->a)->beside.wanted);
        assert_in_range(line_of(x->a->c, "First "), at, at + 4);
        rest(x, 0);
        assert_in_range(line_of(x->a->c, "First "), at, at + 4);
        at = line_of(x->a->c, "First ");
    }
    rest(x, 100);
    press(x, "k");
    assert_int_equal(line_of(x->a->c, "First "), -1);
    stop(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preview_of_text_has_its_lines),
        cmocka_unit_test(preview_of_bytes_has_offsets_and_text),
        cmocka_unit_test(preview_is_added_to_a_card),
        cmocka_unit_test(preview_of_nothing_is_none),
        cmocka_unit_test_setup_teardown(preview_is_in_the_card_that_enter_opens, setup_gen2, teardown),
        cmocka_unit_test_setup_teardown(preview_stays_where_it_is, setup_gen2, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
