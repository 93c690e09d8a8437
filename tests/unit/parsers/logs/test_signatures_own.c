/* SPDX-License-Identifier: Apache-2.0 */
/* The user's own signatures: what a file may say, what is wrong in one, what a line means with them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "parsers/logs/signatures_own.h"
#include "tests/unit/scratch.h"

static char wrong[4000];

static void note(void *arg, uint32_t line, const char *why)
{
    size_t n = strlen(wrong);

    (void)arg;
    snprintf(wrong + n, sizeof wrong - n, "%u: %s\n", line, why);
}

static void read_file(const char *text)
{
    struct err e = ERR_INIT;

    wrong[0] = '\0';
    assert_int_equal(signatures_own_read(scratch_write(text, strlen(text)), note, NULL, &e), OK);
}

static bool knows(const char *id, const char *line, enum log_kind kind)
{
    struct signature_scan *m = NULL;
    struct err e = ERR_INIT;
    uint16_t found[32];
    bool does = false;

    assert_int_equal(signature_scan_new(&m, &e), OK);
    size_t n = signature_match(m, str_of(line), kind, found, 32);
    for (size_t i = 0; i < n; i++)
        does |= !strcmp(signature_at(found[i])->id, id);
    signature_scan_free(m);
    return does;
}

static void own_signatures_are_found_as_the_others(void **state)
{
    size_t before = signature_n();

    (void)state;
    read_file("# of this site\n"
              "[SITE-01]\n"
              "log = console, launcher\n"
              "class = disk\n"
              "match = storage gateway && timed out\n"
              "  match=gateway lost\r\n"
              "says = the storage gateway did not answer\n"
              "next = look at the gateway\n"
              "\n"
              "[site.warn]\n"
              "class = heat\n"
              "role = noise\n"
              "mild = yes\n"
              "match = fan 7 is slow\n"
              "says = a fan\n");
    assert_string_equal(wrong, "");
    assert_int_equal(signature_n(), before + 2);
    assert_true(signature_is_own(before) && !signature_is_own(before - 1));
    const struct signature *s = signature_at(signature_find("SITE-01"));
    assert_int_equal(s->cls, CAUSE_DISK);
    assert_int_equal(s->role, LOG_CAUSE);
    assert_string_equal(s->says, "the storage gateway did not answer");
    assert_string_equal(s->next, "look at the gateway");
    s = signature_at(signature_find("site.warn"));
    assert_int_equal(s->role, LOG_NOISE);
    assert_non_null(strchr(s->where, '!'));
    assert_string_equal(s->next, "");
    assert_true(knows("SITE-01", "E: storage gateway 7 has timed out", LOG_CONSOLE));
    assert_true(knows("SITE-01", "gateway lost", LOG_CONSOLE));
    assert_false(knows("SITE-01", "storage gateway is fine", LOG_CONSOLE));
    assert_false(knows("SITE-01", "gateway lost", LOG_HOST));
    assert_true(knows("site.warn", "fan 7 is slow", LOG_PLOG));
    assert_true(knows("HC07", "EI0002: The wait execution of the Notify register times out.", LOG_CONSOLE));
    signatures_own_free();
    assert_int_equal(signature_n(), before);
    assert_null(signature_at(before));
}

static void wrong_lines_are_named_and_their_signature_left_out(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        { "class = disk\n", "1: it belongs to no signature" },
        { "[a]\nclass = nonsense\nmatch = abcd\nsays = x\n", "2: no class of faults is called 'nonsense'" },
        { "[a]\nclass = py\nmatch = abcd\n", "1: [a] has no 'says'" },
        { "[a]\nclass = py\nsays = x\n", "1: [a] has no 'match'" },
        { "[a]\nmatch = abcd\nsays = x\n", "1: [a] has no 'class'" },
        { "[a]\nclass = py\nmatch = abc\nsays = x\n", "3: the first word 'abc' is shorter than 4 bytes" },
        { "[a]\nclass = py\nmatch = abcd &&\nsays = x\n", "3: a word is empty" },
        { "[a]\nclass = py\nmatch = abcd && \nsays = x\n", "3: a word is empty" },
        { "[a]\nclass = py\nmatch =\nsays = x\n", "3: a word is empty" },
        { "[HC07]\nclass = py\nmatch = abcd\nsays = x\n", "1: [HC07] is no new name" },
        { "[ZZ99]\nclass = py\nmatch = abcd\nsays = x\n", "1: [ZZ99] is no new name" },
        { "[a b]\nclass = py\nmatch = abcd\nsays = x\n", "1: [a b] is no new name" },
        { "[]\nclass = py\nmatch = abcd\nsays = x\n", "1: [] is no new name" },
        { "[a]\nlog = consoles\nclass = py\nmatch = abcd\nsays = x\n",
          "2: no kind of log is called 'consoles'" },
        { "[a]\nrole = mark\nclass = py\nmatch = abcd\nsays = x\n", "2: no role is called 'mark'" },
        { "[a]\nmild = 1\nclass = py\nmatch = abcd\nsays = x\n", "2: mild is yes or no" },
        { "[a]\nwhat\nclass = py\nmatch = abcd\nsays = x\n", "2: 'what' is none of the keys" },
        { "[a]\nsays = \xff\nclass = py\nmatch = abcd\nsays = x\n", "2: the line is not UTF-8" },
    };
    char both[400];
    size_t before = signature_n();

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_file(cases[i].text);
        if (strncmp(wrong, cases[i].why, strlen(cases[i].why)) != 0)
            fail_msg("'%s' instead of '%s'", wrong, cases[i].why);
        assert_int_equal(signature_n(), before);
        snprintf(both, sizeof both, "%s[good]\nclass = py\nmatch = abcd\nsays = x\n", cases[i].text);
        read_file(both);
        assert_int_equal(signature_n(), before + 1);
    }
    read_file("[a]\nclass = py\nmatch = abcd\nsays = x\n[a]\nclass = py\nmatch = abcd\nsays = x\n");
    assert_int_equal(signature_n(), before + 1);
    assert_non_null(strstr(wrong, "5: [a] is no new name"));
    signatures_own_free();
}

/* As many and as long as the limits let: the automaton still knows all of them. */
static void the_limits_hold(void **state)
{
    static char text[400000];
    size_t n = 0, before = signature_n();
    char line[300];

    (void)state;
    for (int i = 0; i <= LIM_OWN_ROWS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "[s%d]\nclass = py\nmatch = %03d words %d && %0150d\nsays = x\n", i,
                              997 * i % 1000, i, i);
    read_file(text);
    if (signature_n() != before + LIM_OWN_ROWS)
        fail_msg("%s", wrong);
    assert_non_null(strstr(wrong, "more than 500 signatures"));
    snprintf(line, sizeof line, "x %03d words 450 y %0150d z", 997 * 450 % 1000, 450);
    assert_true(knows("s450", line, LOG_CONSOLE));
    n = 0;
    for (int i = 0; i < 120; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "[l%d]\nclass = py\nmatch = %d%0180d\nsays = x\n", i,
                              100 + i, i);
    read_file(text);
    assert_non_null(strstr(wrong, "more words than there is room for"));
    assert_true(signature_n() > before + 80 && signature_n() < before + 100);
    assert_true(knows("HC07", "EI0002: The wait execution of the Notify register times out.", LOG_CONSOLE));
    signatures_own_free();
}

static void a_file_that_was_named_has_to_be_there(void **state)
{
    struct err e = ERR_INIT;

    (void)state;
    assert_int_equal(signatures_own_read("no/such/file", note, NULL, &e), ERR_IO);
    assert_string_equal(e.file, "no/such/file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_signatures_are_found_as_the_others),
        cmocka_unit_test(wrong_lines_are_named_and_their_signature_left_out),
        cmocka_unit_test(the_limits_hold),
        cmocka_unit_test(a_file_that_was_named_has_to_be_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
