/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configurations of profilers: the first byte chooses form, framework and version, the rest is the text. What
 * is read of it goes through the writer and back; an edit leaves JSON in which the value is what was set.
 */
#include "config.h"

#include <string.h>

#include "base/read/json_small.h"
#include "configure/config_check.h"
#include "configure/config_edit.h"
#include "tests/fuzz/fuzz.h"

static void check_round_trip(const struct config_target *t, const struct choice *c)
{
    struct choice back = { { NULL } };
    struct err e = ERR_INIT;
    struct buf b;

    buf_init(&b, (size_t)16 << 20);
    FUZZ_CHECK(config_write(c, t, STR("a note"), &b, &e) == OK);
    if (config_read(buf_str(&b), t, &back, NULL, NULL, &e) == OK)
        FUZZ_CHECK(choice_equal(c, &back));
    else
        FUZZ_CHECK(e.code == ERR_LIMIT);
    choice_done(&back);
    buf_done(&b);
}

static void check_edit(struct str text, const struct config_target *t)
{
    struct choice changes = { { NULL } }, is = { { NULL } };
    struct err e = ERR_INIT, again = ERR_INIT;
    struct jdoc *d = NULL;
    struct buf b;

    buf_init(&b, 2 * CONFIG_MAX_B);
    FUZZ_CHECK(choice_set_text(&changes, STR("start_step=12345"), &e) == OK);
    FUZZ_CHECK(choice_set_text(&changes, STR("profiler_level=Level2"), &e) == OK);
    if (config_edit_text(text, t, &changes, &b, &e) == OK) {
        FUZZ_CHECK(jdoc_parse(&d, buf_str(&b), &again) == OK);
        jdoc_free(d);
        FUZZ_CHECK(config_read(buf_str(&b), t, &is, NULL, NULL, &again) == OK);
        FUZZ_CHECK(!strcmp(is.value[SW_START_STEP], "12345"));
        FUZZ_CHECK(!strcmp(is.value[SW_PROFILER_LEVEL], "Level2"));
    }
    choice_done(&changes);
    choice_done(&is);
    buf_done(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config_target t, guessed;
    struct choice c = { { NULL } };
    struct err e = ERR_INIT;
    struct buf b;
    size_t wrong;

    if (size < 1 || size > CONFIG_MAX_B)
        return 0;
    struct str text = { (const char *)data + 1, size - 1 };
    t = (struct config_target){ (enum config_form)(data[0] & 3), (enum config_framework)(data[0] >> 2 & 1),
                                VERSION_OLDEST + (data[0] >> 3) % (VERSION_NEWEST - VERSION_OLDEST + 1) };
    config_guess(text, 0, &guessed);
    if (config_at(&t) == N_AT)
        return 0;
    buf_init(&b, (size_t)64 << 20);
    FUZZ_CHECK(config_check(text, "FILE", &t, true, &b, &wrong, &e) == OK);
    FUZZ_CHECK(config_read(text, &t, &c, NULL, NULL, &e) == OK);
    check_round_trip(&t, &c);
    if (t.form == FORM_JSON)
        check_edit(text, &t);
    choice_done(&c);
    buf_done(&b);
    return 0;
}
