/* Framework lines, tasks and ops: any bytes; every view lies in the line, lists stay in their bounds. */
#include "config.h"

#include "parsers/raw_framework.h"
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

static int on_task(void *arg, const struct fw_task *t, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(t->op.n > 0);
    FUZZ_CHECK(t->where.line > 0);
    *total += sum(t->op);
    return OK;
}

static int on_op(void *arg, const struct fw_op *o, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(o->name.n > 0);
    FUZZ_CHECK(o->n_in <= FW_TENSORS && o->n_out <= FW_TENSORS);
    *total += sum(o->name) + sum(o->type);
    for (size_t i = 0; i < o->n_in; i++)
        *total += sum(o->in[i].format) + sum(o->in[i].type) + sum(o->in[i].shape);
    for (size_t i = 0; i < o->n_out; i++)
        *total += sum(o->out[i].format) + sum(o->out[i].type) + sum(o->out[i].shape);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct source_file f = {
        .id = 1, .path = fuzz_file(data, size), .rel = "fuzz", .regular = true
    };
    struct err e = ERR_INIT;
    struct sink_count *k = NULL;
    struct arena *tmp = NULL;
    unsigned total = 0;

    FUZZ_CHECK(sink_count_new(&k, &e) == OK && arena_new(&tmp, (size_t)1 << 20, &e) == OK);
    struct parse_ctx c = { .f = &f, .out = sink_count_sink(k), .tmp = tmp };
    int rc = raw_fw_tasks(&c, on_task, &total, &e);
    FUZZ_CHECK(rc == OK || rc == ERR_VERSION);
    err_clear(&e);
    rc = raw_fw_ops(&c, on_op, &total, &e);
    FUZZ_CHECK(rc == OK || rc == ERR_VERSION);
    arena_free(tmp);
    sink_count_free(k);
    return 0;
}
