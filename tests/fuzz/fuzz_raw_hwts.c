/*
 * HWTS records: any bytes. Every whole record is given, counted as unknown, or blank; the pairing of
 * starts and ends gives no negative time.
 */
#include "config.h"

#include <stdbool.h>

#include "parsers/derive_optime.h"
#include "parsers/raw_hwts.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

#define HWTS_B 64

struct seen {
    struct optime times;
    uint64_t n;
};

static int on_record(void *arg, const struct hwts_record *r, struct err *e)
{
    struct seen *s = arg;
    struct optime_mark m = { .op = r->task % 4,
                             .end = r->type == HWTS_TASK_END,
                             .ticks = r->ticks };
    int64_t ts, dur;

    (void)e;
    s->n++;
    FUZZ_CHECK(r->type < N_HWTS_TYPES);
    FUZZ_CHECK(r->where.line == r->where.offset / HWTS_B + 1);
    if (r->type <= HWTS_TASK_END && optime_add(&s->times, &m) &&
        optime_ns(&s->times.start, &m, &ts, &dur))
        FUZZ_CHECK(ts >= 0 && dur >= 0);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct source_file f = {
        .id = 1, .path = fuzz_file(data, size), .rel = "fuzz", .regular = true
    };
    struct err e = ERR_INIT;
    struct seen s = { .n = 0 };
    struct sink_count *k = NULL;

    FUZZ_CHECK(sink_count_new(&k, &e) == OK);
    struct parse_ctx c = { .f = &f, .out = sink_count_sink(k) };
    FUZZ_CHECK(raw_hwts_read(&c, on_record, &s, &e) == OK);
    FUZZ_CHECK(c.rows == s.n);
    bool packed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
    if (!packed)
        FUZZ_CHECK(s.n + c.lost <= size / HWTS_B + 1);
    sink_count_free(k);
    return 0;
}
