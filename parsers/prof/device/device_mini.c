/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chip 0, 310: all its records of tasks are in ts_track, in several sizes (doc/formats/prof.md#ts_track,
 * doc/formats/msprof.md#device-tasks).
 */
#include "config.h"

#include "parsers/prof/device/device_mini.h"

#include "parsers/prof/prof_layout.h"

enum { TS_LINE_RECORD(FIELD_AT) };

/*
 * Kinds of records and their sizes; others are passed over (create_runtime_db.py in msprof's
 * analysis/common_func).
 */
enum { MINI_STEP_B = 40 };
static const struct {
    uint8_t type;
    uint16_t size_b; /* 0: the record has it */
} kinds[] = {
    { MINI_LINE, TS_LINE_B },   { MINI_COUNTS, TS_COUNT_B }, { 6, 0 }, { 7, 0 }, { 8, 0 }, { 9, 0 },
    { MINI_STEP, MINI_STEP_B }, { MINI_COPY, MINI_STEP_B },
};

static size_t size_of(struct rec *head)
{
    uint8_t type = rec_u8(head, TL_TYPE);
    size_t n = rec_u16(head, TL_LENGTH);

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (kinds[i].type == type)
            return kinds[i].size_b ? (n == kinds[i].size_b ? n : 0) : (n >= 8 && n % 4 == 0 ? n : 0);
    return 0;
}

int prof_mini_read(struct prof *p, const struct prof_folder *f, prof_record_fn *fn, void *arg, struct err *e)
{
    return prof_read_sized(p, f, PROF_TS_TRACK, size_of, fn, arg, e);
}
