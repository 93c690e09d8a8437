/* Step marks, ts_track and training_trace: any bytes. Records are counted once; steps keep their order and their bounds. */
#include "config.h"

#include "parsers/derive_steps.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

static int on_mark(void *arg, const struct step_mark *m, struct err *e)
{
    struct steps *s = arg;
    int64_t before = s->number;

    FUZZ_CHECK(m->where.line > 0);
    if (steps_add(s, m, e))
        FUZZ_CHECK(m->kind == MARK_END && s->number == before + 1 && s->n_comms <= STEP_COMMS);
    return (int)e->code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct source_file f = {
        .id = 1, .path = fuzz_file(data, size), .rel = "fuzz", .regular = true
    };
    struct err e = ERR_INIT;
    struct sink_count *k = NULL;
    struct steps ts = { .skip_first = size % 2 }, trace = { .number = 0 };

    FUZZ_CHECK(sink_count_new(&k, &e) == OK);
    struct parse_ctx c = { .f = &f, .out = sink_count_sink(k) }, d = c;
    FUZZ_CHECK(raw_ts_track(&c, on_mark, &ts, &e) == OK);
    FUZZ_CHECK(raw_training_trace(&d, on_mark, &trace, &e) == OK);
    bool packed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
    if (!packed)
        FUZZ_CHECK(c.rows <= size / 8 && d.rows == size / 20);
    (void)steps_cut(&ts);
    (void)steps_cut(&trace);
    steps_done(&ts);
    steps_done(&trace);
    sink_count_free(k);
    return 0;
}
