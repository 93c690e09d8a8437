/* Binary Framework records and their dictionary: any bytes; every view lies in the record, counts stay in their bounds. */
#include "config.h"

#include "parsers/raw_fwbin.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

/* Read every byte of a view: the sanitizer sees one that is out of bounds. */
static unsigned sum(struct str s)
{
    unsigned n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += (unsigned char)s.p[i];
    return n;
}

static int on_task(void *arg, const struct fwbin_task *t, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(t->where.line > 0);
    *total += sum(t->op) + sum(t->type) + sum(t->core);
    return OK;
}

static int on_tensors(void *arg, const struct fwbin_tensors *v, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(v->n <= FWBIN_TENSORS);
    for (size_t i = 0; i < v->n; i++)
        *total += sum(fwbin_format(v->t[i].format)) + sum(fwbin_type(v->t[i].type));
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct source_file f = {
        .id = 1, .path = fuzz_file(data, size), .rel = "fuzz", .regular = true
    };
    struct err e = ERR_INIT;
    struct sink_count *k = NULL;
    struct fw_names *names = NULL;
    unsigned total = 0;
    bool binary;

    FUZZ_CHECK(sink_count_new(&k, &e) == OK && fw_names_new(&names, &e) == OK);
    struct parse_ctx c = { .f = &f, .out = sink_count_sink(k) };
    FUZZ_CHECK(raw_fwbin_is(&c, &binary, &e) == OK);
    FUZZ_CHECK(raw_fwbin_names(&c, names, &e) == OK);
    FUZZ_CHECK(raw_fwbin_tasks(&c, names, on_task, &total, &e) == OK);
    FUZZ_CHECK(raw_fwbin_tensors(&c, on_tensors, &total, &e) == OK);
    fw_names_free(names);
    sink_count_free(k);
    return 0;
}
