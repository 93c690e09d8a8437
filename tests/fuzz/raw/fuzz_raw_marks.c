/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Step marks, ts_track and training_trace: any bytes. Records are counted once; steps keep their order and
 * their bounds.
 */
#include "config.h"

#include "parsers/mindspore/mark_steps.h"
#include "tests/fuzz/raw/fuzz_raw.h"

static int on_mark(void *arg, const struct step_mark *m, struct err *e)
{
    struct steps *s = arg;
    int64_t before = s->number;

    FUZZ_CHECK(m->where.line > 0);
    if (steps_add(s, m, e))
        FUZZ_CHECK(m->kind == MARK_END && s->number == before + 1 && s->n_comms <= STEP_COMMS);
    return e->code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_raw r;
    struct steps ts = { .skip_first = size % 2 }, trace = { .number = 0 };

    fuzz_raw_open(&r, data, size);
    struct parse_ctx d = r.c;
    FUZZ_CHECK(mark_records_ts_track(&r.c, on_mark, &ts, &r.e) == OK);
    FUZZ_CHECK(mark_records_training_trace(&d, on_mark, &trace, &r.e) == OK);
    if (!r.packed)
        FUZZ_CHECK(r.c.rows <= size / 8 && d.rows + d.lost == size / 20 + (size % 20 != 0));
    (void)steps_cut(&ts);
    (void)steps_cut(&trace);
    steps_done(&ts);
    steps_done(&trace);
    fuzz_raw_close(&r);
    return 0;
}
