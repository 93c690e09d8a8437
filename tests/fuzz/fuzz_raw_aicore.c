/* AI Core counters: any bytes. Every whole record is given. */
#include "config.h"

#include "parsers/raw_aicore.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

#define AICORE_B 128

static int on_record(void *arg, const struct aicore_record *r, struct err *e)
{
    uint64_t *n = arg;

    (void)e;
    ++*n;
    FUZZ_CHECK(r->task <= 0xffff);
    FUZZ_CHECK(r->where.line == r->where.offset / AICORE_B + 1);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct source_file f = {
        .id = 1, .path = fuzz_file(data, size), .rel = "fuzz", .regular = true
    };
    struct err e = ERR_INIT;
    struct sink_count *k = NULL;
    uint64_t n = 0;

    FUZZ_CHECK(sink_count_new(&k, &e) == OK);
    struct parse_ctx c = { .f = &f, .out = sink_count_sink(k) };
    FUZZ_CHECK(raw_aicore(&c, on_record, &n, &e) == OK);
    FUZZ_CHECK(c.rows == n);
    bool packed = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
    if (!packed)
        FUZZ_CHECK(n == size / AICORE_B && c.lost == (size % AICORE_B != 0));
    sink_count_free(k);
    return 0;
}
