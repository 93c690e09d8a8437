/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of Python exceptions line by line: ends, chains, prefixes of ranks, lines of others in between,
 * limits (doc/formats/logs.md#python-blocks).
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "parsers/logs/log_block.h"

#define HEAD "Traceback (most recent call last):"

/*
 * The lines of text after its first one: a letter for each, g it goes on, b of another writer in between, e
 * the block ended before it.
 */
static const char *steps(struct log_block *b, const char *text)
{
    static char said[512];
    static const char letters[] = {
        [LOG_BLOCK_GOES_ON] = 'g', [LOG_BLOCK_BETWEEN] = 'b', [LOG_BLOCK_ENDED_BEFORE] = 'e'
    };
    struct str rest = str_of(text), line;
    const struct log_event head = { .line = 1 };
    size_t n = 0;

    assert_true(str_next(&rest, '\n', &line));
    log_block_begin(b, &head, line);
    while (log_block_is_open(b) && n + 1 < sizeof said && str_next(&rest, '\n', &line))
        said[n++] = letters[log_block_line(b, line)];
    said[n] = '\0';
    assert_true(log_block_is_open(b) == (n == 0 || said[n - 1] != 'e'));
    return said;
}

static struct log_block block;

static void an_exception_ends_with_its_last_line(void **state)
{
    (void)state;
    assert_string_equal(steps(&block,
                              HEAD "\n"
                                   "  File \"/job/train.py\", line 214, in <module>\n"
                                   "    main()\n"
                                   "  File \"/usr/lib/python3.11/site-packages/torch/a.py\", line 7, in f\n"
                                   "    raise X\n"
                                   "    ^^^^^^^\n"
                                   "ValueError: bad batch\n"
                                   "\n"
                                   "next line"),
                        "ggggggge");
    assert_true(str_eq(log_block_text(&block), STR("ValueError: bad batch")));
    assert_string_equal(block.frame, "/job/train.py");
    assert_int_equal(block.frame_line, 214);
    assert_true(block.own && block.whole);
}

static void names_of_exceptions(void **state)
{
    static const char *const last[] = {
        "torch.cuda.OutOfMemoryError: NPU out of memory.",
        "KeyboardInterrupt",
        "SystemExit: 1",
        "StopIteration",
        "queue.Empty",
        "job.errors.BadShard: shard 7",
        "subprocess.TimeoutExpired: Command",
        "RuntimeError: ",
        "AssertionError",
    };
    static const char *const none[] = {
        "[ERROR] HCCL(7,p):2025-10-09-16:54:15 [a.cc:1] some RuntimeError: x",
        "[E1009 16:54:15.1 a.cc:1] Exception: x",
        "2025-10-09 16:54:15,497 - ERROR - x",
        "EZ9999: Inner Error!",
        "INFO: StopIteration",
        "12:30: text",
        "loading the checkpoint",
        "http://host/x",
    };
    char text[256];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(last); i++) {
        snprintf(text, sizeof text, HEAD "\n  File \"a.py\", line 1, in f\n    f()\n%s", last[i]);
        assert_string_equal(steps(&block, text), "ggg");
        if (!block.whole || !str_eq(log_block_text(&block), str_of(last[i])))
            fail_msg("'%s' is no exception", last[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(none); i++) {
        snprintf(text, sizeof text, HEAD "\n  File \"a.py\", line 1, in f\n    f()\n%s", none[i]);
        if (strcmp(steps(&block, text), "ggb") || block.whole)
            fail_msg("'%s' is an exception", none[i]);
    }
}

static void chains_end_with_the_last_exception(void **state)
{
    (void)state;
    assert_string_equal(steps(&block,
                              HEAD "\n"
                                   "  File \"/job/data.py\", line 7, in get\n"
                                   "KeyError: 'x'\n"
                                   "\n"
                                   "During handling of the above exception, another exception occurred:\n"
                                   "\n" HEAD "\n"
                                   "  File \"/job/train.py\", line 9, in f\n"
                                   "ValueError: no x\n"
                                   "\n"
                                   "The above exception was the direct cause of the following exception:\n"
                                   "\n" HEAD "\n"
                                   "  File \"/job/main.py\", line 3, in g\n"
                                   "RuntimeError: job failed\n"
                                   "other text"),
                        "gggggggggggggge");
    assert_true(str_eq(log_block_text(&block), STR("RuntimeError: job failed")));
    assert_string_equal(block.frame, "/job/main.py");
}

static void what_was_raised_for_it_is_the_end(void **state)
{
    (void)state;
    assert_string_equal(steps(&block, HEAD "\n"
                                           "  File \"/job/a.py\", line 1, in f\n"
                                           "queue.Empty\n"
                                           "RuntimeError: DataLoader timed out after 120 seconds\n"
                                           "text"),
                        "ggge");
    assert_true(str_eq(log_block_text(&block), STR("RuntimeError: DataLoader timed out after 120 seconds")));
    assert_string_equal(steps(&block, HEAD "\nKeyError: 'x'\n\nValueError: of another"), "gge");
}

static void a_second_block_is_another_one(void **state)
{
    (void)state;
    assert_string_equal(steps(&block, HEAD "\n  File \"a.py\", line 1, in f\nKeyError: 'x'\n" HEAD "\n"),
                        "gge");
    assert_true(str_eq(log_block_text(&block), STR("KeyError: 'x'")));
}

static void ranks_in_one_console_are_told_apart(void **state)
{
    (void)state;
    assert_string_equal(steps(&block, "[rank1]: " HEAD "\n"
                                      "[rank0]: " HEAD "\n"
                                      "[rank1]:   File \"/job/a.py\", line 1, in f\n"
                                      "[rank0]:   File \"/job/b.py\", line 2, in g\n"
                                      "[rank0]: KeyError: 'zero'\n"
                                      "step 100 of 200\n"
                                      "[rank1]: ValueError: one\n"
                                      "[rank0]: text\n"
                                      "[rank1]: more text"),
                        "bgbbbgbe");
    assert_true(str_eq(log_block_text(&block), STR("ValueError: one")));
    assert_string_equal(block.frame, "/job/a.py");
    assert_int_equal(block.rank, 1);
    /* by process id, as Ray writes */
    assert_string_equal(steps(&block, "(Worker pid=7) " HEAD "\n"
                                      "(Worker pid=8)   File \"/job/b.py\", line 2, in g\n"
                                      "(Worker pid=8) KeyError: 'eight'\n"
                                      "(Worker pid=7)   File \"/job/a.py\", line 1, in f\n"
                                      "(Worker pid=7) ValueError: seven\n"),
                        "bbggb");
    assert_true(str_eq(log_block_text(&block), STR("ValueError: seven")));
    assert_string_equal(block.frame, "/job/a.py");
}

static void an_unfinished_one_says_so(void **state)
{
    static char text[64 << 10];
    size_t n = (size_t)snprintf(text, sizeof text, HEAD);

    (void)state;
    for (int i = 0; i < LOG_BLOCK_LINES + 1; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "\n  File \"/job/a.py\", line %d, in f", i);
    const char *said = steps(&block, text);
    assert_int_equal(strlen(said), LOG_BLOCK_LINES + 1);
    assert_int_equal(said[LOG_BLOCK_LINES - 1], 'g');
    assert_int_equal(said[LOG_BLOCK_LINES], 'e');
    assert_false(block.whole);
    assert_true(str_eq(log_block_text(&block), STR("exception without its last line")));

    assert_string_equal(steps(&block, HEAD "\n  File \"/job/a.py\", line 1"), "g");
    log_block_cut(&block);
    assert_false(log_block_is_open(&block));
    assert_true(str_eq(log_block_text(&block), STR("exception without its last line")));
}

static void lines_of_others_have_an_end_too(void **state)
{
    const struct log_event head = { .line = 1 };

    (void)state;
    log_block_begin(&block, &head, STR("[rank1]: " HEAD));
    for (int i = 0; i < LOG_BLOCK_OTHERS; i++)
        assert_int_equal(log_block_line(&block, STR("[rank0]: text")), LOG_BLOCK_BETWEEN);
    assert_int_equal(log_block_line(&block, STR("[rank0]: text")), LOG_BLOCK_ENDED_BEFORE);
}

/* Texts longer than their room, and the module of the head, whose line is gone by then. */
static void texts_are_cut_and_kept(void **state)
{
    static char name[1024], line[2048], message[2 * LOG_TEXT_B];
    char module[] = "ME";
    struct log_event head = { .line = 1, .head.module = { module, 2 } };

    (void)state;
    memset(name, 'n', sizeof name - 1);
    memset(message, 'm', sizeof message - 1);
    log_block_begin(&block, &head, STR(HEAD));
    memcpy(module, "XX", 2);
    assert_true(str_eq(block.event.head.module, STR("ME")));
    snprintf(line, sizeof line, "  File \"%s\", line 99999999999, in f", name);
    assert_int_equal(log_block_line(&block, str_of(line)), LOG_BLOCK_GOES_ON);
    assert_int_equal(strlen(block.frame), sizeof block.frame - 1);
    memcpy(message, "ValueError: ", 12);
    assert_int_equal(log_block_line(&block, str_of(message)), LOG_BLOCK_GOES_ON);
    assert_int_equal(log_block_text(&block).n, LOG_TEXT_B - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exception_ends_with_its_last_line),
        cmocka_unit_test(names_of_exceptions),
        cmocka_unit_test(chains_end_with_the_last_exception),
        cmocka_unit_test(what_was_raised_for_it_is_the_end),
        cmocka_unit_test(a_second_block_is_another_one),
        cmocka_unit_test(ranks_in_one_console_are_told_apart),
        cmocka_unit_test(an_unfinished_one_says_so),
        cmocka_unit_test(lines_of_others_have_an_end_too),
        cmocka_unit_test(texts_are_cut_and_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
