/* AI CPU tasks, text and records: any bytes. */
#include "config.h"

#include "parsers/raw_aicpu.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

static int on_task(void *arg, const struct aicpu_task *t, struct err *e)
{
    uint64_t *n = arg;
    unsigned sum = 0;

    (void)e;
    ++*n;
    FUZZ_CHECK(t->dispatch_us >= 0 && t->total_us >= 0);
    FUZZ_CHECK(t->name.p || (t->stream >= 0 && t->task >= 0));
    for (size_t i = 0; i < t->name.n; i++)
        sum += (unsigned char)t->name.p[i];
    FUZZ_CHECK(sum || !t->name.n);
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
    FUZZ_CHECK(raw_aicpu(&c, on_task, &n, &e) == OK);
    FUZZ_CHECK(c.rows == n);
    sink_count_free(k);
    return 0;
}
