/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary Framework records and their dictionary: any bytes; every view lies in the record, counts stay in
 * their bounds.
 */
#include "config.h"

#include "parsers/mindspore/records/framework_records.h"
#include "tests/fuzz/raw/fuzz_raw.h"

static int on_task(void *arg, const struct framework_record_task *t, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(t->where.line > 0);
    *total += fuzz_sum(t->op) + fuzz_sum(t->type) + fuzz_sum(t->core);
    return OK;
}

static int on_tensors(void *arg, const struct framework_record_tensors *v, struct err *e)
{
    unsigned *total = arg;

    (void)e;
    FUZZ_CHECK(v->n <= FWBIN_TENSORS);
    for (size_t i = 0; i < v->n; i++)
        *total += fuzz_sum(framework_records_format(v->t[i].format)) +
                  fuzz_sum(framework_records_type(v->t[i].type));
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_raw r;
    struct framework_names *names = NULL;
    unsigned total = 0;
    bool binary;

    fuzz_raw_open(&r, data, size);
    FUZZ_CHECK(framework_names_new(&names, &r.e) == OK);
    FUZZ_CHECK(framework_records_is(&r.c, &binary, &r.e) == OK);
    FUZZ_CHECK(framework_records_names(&r.c, names, &r.e) == OK);
    FUZZ_CHECK(framework_records_tasks(&r.c, names, on_task, &total, &r.e) == OK);
    FUZZ_CHECK(framework_records_tensors(&r.c, on_tensors, &total, &r.e) == OK);
    framework_names_free(names);
    fuzz_raw_close(&r);
    return 0;
}
