/* SPDX-License-Identifier: Apache-2.0 */
/* A log file with the reader of lines: the first byte gives the kind of log, the rest is the file. */
#include "config.h"

#include "parsers/logs/log_code.h"
#include "parsers/logs/log_field.h"
#include "parsers/logs/log_scan.h"
#include "tests/fuzz/fuzz.h"

static unsigned sum;
static uint64_t size_of_file; /* UINT64_MAX: packed, not known */

static void look(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        sum += (unsigned char)s.p[i];
}

static int take_event(void *arg, const struct log_event *ev, struct err *e)
{
    uint64_t *n = arg;
    int64_t v;

    (void)e;
    ++*n;
    FUZZ_CHECK(ev->sig < signature_n() && ev->line > 0 && ev->offset < size_of_file);
    FUZZ_CHECK(ev->text.p && ev->text.n <= LOG_TEXT_B && ev->frame.n < 512);
    FUZZ_CHECK(ev->head.rank >= -1 && ev->head.device >= -1);
    look(ev->text);
    look(ev->frame);
    look(ev->head.module);
    for (int f = 0; f < N_LOG_FIELDS; f++) {
        look(log_field(ev->text, (enum log_field)f));
        FUZZ_CHECK(log_field_int(ev->text, (enum log_field)f) < LOG_FIELD_INT_MAX);
        if (log_field_i64(ev->text, (enum log_field)f, &v))
            sum += (unsigned)log_code_class(v);
    }
    if (ev->head.time.no_year)
        sum += (unsigned)log_time_year(log_time_in_year(ev->head.time.ns, v = (int64_t)ev->offset));
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct signature_scan *scan;
    struct err e = ERR_INIT;
    struct log_facts facts;
    uint64_t n = 0;
    const struct log_sink out = { take_event, NULL, &n };

    if (!size)
        return 0;
    if (!scan)
        FUZZ_CHECK(signature_scan_new(&scan, &e) == OK);
    const char *path = fuzz_file(data + 1, size - 1);
    bool packed = size > 2 && data[1] == 0x1f && data[2] == 0x8b;
    size_of_file = packed ? UINT64_MAX : size - 1;
    int rc = log_scan(scan, path, (enum log_kind)(data[0] % N_LOG_KINDS), &out, &facts, &e);
    FUZZ_CHECK(rc == e.code && (rc == OK || rc == ERR_FORMAT || rc == ERR_LIMIT));
    FUZZ_CHECK(packed || (rc == OK && facts.bytes == size - 1));
    FUZZ_CHECK(facts.lines <= facts.bytes && n <= facts.bytes);
    return 0;
}
