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

#include "tests/unit/ui/screen_text.h"
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

static void preview_of_nothing_is_none(void **state)
{
    (void)state;
    assert_null(preview_of("", 0));
    assert_null(preview_read("/nonexistent/file"));
    preview_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preview_of_text_has_its_lines),
        cmocka_unit_test(preview_of_bytes_has_offsets_and_text),
        cmocka_unit_test(preview_of_nothing_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
