/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSV tokenizer: any bytes; rows are the same through a small window as through a large one, up to
 * the first damage (what that costs is found out by looking ahead, within the window); lines never
 * go back.
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "base/read/csv.h"
#include "tests/fuzz/fuzz.h"

struct reader {
    struct infile *file;
    struct csv *csv;
    const struct str *cells;
    size_t n;
    enum csv_status status;
    uint32_t line;
};

static void reader_open(struct reader *r, const char *path, size_t window)
{
    struct err e = ERR_INIT;
    memset(r, 0, sizeof *r);
    FUZZ_CHECK(infile_open(&r->file, path, window, &e) == OK);
    FUZZ_CHECK(csv_new(&r->csv, r->file, ',', &e) == OK);
}

/* False at the end. */
static bool reader_next(struct reader *r)
{
    struct err e = ERR_INIT;
    FUZZ_CHECK(csv_row(r->csv, &r->status, &r->cells, &r->n, &e) == OK);
    FUZZ_CHECK(csv_line(r->csv) >= r->line);
    r->line = csv_line(r->csv);
    if (r->status == CSV_BAD || r->status == CSV_CUT)
        FUZZ_CHECK(csv_problem(r->csv) != NULL);
    return r->status != CSV_END;
}

static void reader_close(struct reader *r)
{
    csv_free(r->csv);
    infile_close(r->file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reader a, b;
    const char *path = fuzz_file(data, size);
    reader_open(&a, path, fuzz_window(data, size));
    reader_open(&b, path, 4096);
    bool more = true, compare = true;
    while (more) {
        more = reader_next(&a);
        compare = reader_next(&b) == more && compare && b.status != CSV_BAD;
        if (!compare)
            continue;
        FUZZ_CHECK(a.status == b.status && a.line == b.line);
        if (a.status != CSV_ROW)
            continue;
        FUZZ_CHECK(a.n == b.n);
        for (size_t i = 0; i < a.n; i++)
            FUZZ_CHECK(str_eq(a.cells[i], b.cells[i]));
    }
    reader_close(&a);
    reader_close(&b);
    return 0;
}
