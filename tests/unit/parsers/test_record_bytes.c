/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of raw records against records that stand here byte by byte, as the tables of
 * doc/formats/prof.md#device-records, #host-records and doc/formats/mindspore1.md#raw-files give them. The
 * demo writes with the layouts that readers use, so a wrong offset would agree with itself everywhere else.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "parsers/layouts.h"

/* clang-format off */
static const struct record {
    const struct layout *list;
    const char *id;
    const char *bytes; /* in hexadecimal digits; what is missing at the end is zero */
    const char *values; /* name=value of fields, in any order */
} records[] = {
    { layouts_hwts, "hwts",
      "31 0b d3 6b 02 00 2a 01" "06 05 04 03 02 01 00 00" "07 00 00 00",
      "type=1 end of task;count=3;core=11;mark=0x6bd3;block=2;task=298;ticks=1108152157446;stream=7" },
    { layouts_training_trace, "training_trace",
      "02 00 00 00 00 00 00 00" "05 00 09 00" "40 42 0f 00 00 00 00 00",
      "tag=2 backward end;task=5;stream=9;ticks=1000000" },
    { layouts_ts_track, "ts_track",
      "01 0a 28 00 00 00 00 00" "40 42 0f 00 00 00 00 00" "03 00 00 00 00 00 00 00" "0b 00 00 00 00 00 00 00"
      "09 00 05 00 04 00 00 00",
      "mode=1;type=10 step mark;length=40;ticks=1000000;index=3;model=11;stream=9;task=5;"
      "tag=4 iteration end" },
    { layouts_aicore, "aicore",
      "50 00 00 00 00 00 2a 01" "00 00 00 00 00 00 00 00" "e8 03 00 00 00 00 00 00" "00 00 00 00 00 00 00 00"
      "11 00 00 00 00 00 00 00" "12 00 00 00 00 00 00 00" "13 00 00 00 00 00 00 00" "14 00 00 00 00 00 00 00"
      "15 00 00 00 00 00 00 00" "16 00 00 00 00 00 00 00" "17 00 00 00 00 00 00 00" "18 00 00 00 00 00 00 00"
      "07 00 00 00",
      "task=298;total_cycles=1000;counter_0=17;counter_1=18;counter_7=24;stream=7" },
    { layouts_host_api, "host.api_event",
      "5a 5a 10 27 05 00 00 00" "67 12 00 00 00 00 00 00" "00 01 00 00 00 00 00 00" "00 02 00 00 00 00 00 00"
      "08 07 06 05 04 03 02 01",
      "magic=0x5a5a;level=10000 node;type=5;thread=4711;begin=256;end=0x200;item=72623859790382856" },
    { layouts_host_compact, "host.task_track",
      "5a 5a 88 13 20 03 00 00" "67 12 00 00 28 00 00 00" "00 01 00 00 00 00 00 00" "05 10 09 00 2a 01 02 00"
      "42 00 00 00 00 00 00 00" "08 07 06 05 04 03 02 01" "18 00 60 00 0a 00 00 00",
      "level=5000 runtime;type=800;data_len=40;timestamp=256;device=5;device_kind=1;stream=9;task=298;flip=2;"
      "task_type=66;kernel=72623859790382856;blocks=24;args_size=96;mix_ratio=2;sched_mode=1" },
    { layouts_host_compact, "host.node_basic_info",
      "5a 5a 10 27 00 00 00 00" "67 12 00 00 1c 00 00 00" "00 01 00 00 00 00 00 00" "08 07 06 05 04 03 02 01"
      "04 00 00 00 09 00 00 00" "00 00 00 00 18 00 02 00" "01 00 00 00",
      "op=72623859790382856;task_type=4 MIX_AIC;op_type=9;blocks=24;mix_ratio=2;flag=1" },
    { layouts_stars, "stars_soc",
      "e2 03 d3 6b 09 00 2a 01" "40 42 0f 00 00 00 00 00" "06 00 03 00 00 80 04 00",
      "function=34 start of sub-task;count=15;task_type=0 "
      "AI_CORE;magic=0x6bd3;stream=9;task=298;counter=1000000;"
      "subtask_type=6 MIX_AIC;subtask=3;ffts_type=4;thread=4" },
    { layouts_stars, "stars_block",
      "25 00 d3 6b 09 00 2a 01" "40 42 0f 00 00 00 00 00" "02 03 00 00 01 07 00 00" "00 00 05 00 00 00 00 00",
      "function=37 end of "
      "block;task=19529737;counter=1000000;context_type=2;master=1;mix=1;core_type=1;core=7;"
      "block=5" },
    { layouts_aicore, "ffts_profile",
      "28 00 d3 6b 09 00 2a 01" "00 00 00 00 00 00 00 00" "06 04 03 00 00 80 00 00" "00 00 00 00 00 00 00 00"
      "e8 03 00 00 00 00 00 00" "00 00 00 00 00 00 00 00" "11 00 00 00 00 00 00 00" "00 00 00 00 00 00 00 00"
      "00 00 00 00 00 00 00 00" "00 00 00 00 00 00 00 00" "00 00 00 00 00 00 00 00" "00 00 00 00 00 00 00 00"
      "00 00 00 00 00 00 00 00" "00 00 00 00 00 00 00 00" "00 01 00 00 00 00 00 00" "00 02 00 00 00 00 00 00",
      "function=40 of a task;stream=9;task=298;subtask_type=6 MIX_AIC;overflow=1;subtask=3;ffts_type=4;"
      "total_cycles=1000;counter_0=17;start=256;end=512" },
    { layouts_npu_mem, "npu_mem",
      "40 42 0f 00 01 00 00 00" "00 00 00 00 00 00 00 00" "00 10 00 00 00 00 00 00" "00 00 10 00 00 00 00 00",
      "time=1000000;event=1;ddr=4096;hbm=1048576" },
    { layouts_framework, "framework.task_desc_info",
      "5a 5a 17 00 0a 00 00 00" "00 00 00 00 00 00 00 00" "44 65 66 61 75 6c 74 2f" "41 64 64 00 00 00 00 00",
      "magic=0x5a5a;tag=0x17;task_type=10 MSPROF_HCCL;op=Default/Add" },
};
/* clang-format on */

static void fill(unsigned char *p, size_t n, const char *hex)
{
    size_t at = 0;

    memset(p, 0, n);
    for (; *hex; hex++)
        if (*hex != ' ') {
            assert_true(at < n);
            p[at++] = (unsigned char)strtoul((char[]){ hex[0], hex[1], '\0' }, NULL, 16);
            hex++;
        }
}

static const struct layout *by_id(const struct layout *list, const char *id)
{
    while (list->id && strcmp(list->id, id) != 0)
        list++;
    assert_non_null(list->id);
    return list;
}

static void check_value(const struct record *r, const struct layout *l, const unsigned char *p,
                        struct str want)
{
    size_t is = str_chr(want, '=');
    struct str name = str_sub(want, 0, is);

    for (size_t i = 0; i < l->n_fields; i++) {
        struct buf b;

        if (!str_eq(str_of(l->fields[i].name), name) || !layout_has(l, &l->fields[i], p, l->record_b))
            continue;
        buf_init(&b, 1000);
        assert_true(layout_value(&l->fields[i], p, l->record_b, &b));
        if (!str_eq(buf_str(&b), str_sub(want, is + 1, want.n - is - 1)))
            fail_msg("%s: %.*s, not %.*s", r->id, (int)b.n, b.p, (int)want.n, want.p);
        buf_done(&b);
        return;
    }
    fail_msg("%s has no %.*s", r->id, (int)name.n, name.p);
}

static void record_bytes_give_the_values_of_the_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        const struct layout *l = by_id(records[i].list, records[i].id);
        struct str rest = str_of(records[i].values), one;
        unsigned char p[256];

        assert_true(l->record_b && l->record_b <= sizeof p);
        fill(p, l->record_b, records[i].bytes);
        while (str_next(&rest, ';', &one))
            check_value(&records[i], l, p, one);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(record_bytes_give_the_values_of_the_documents),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
