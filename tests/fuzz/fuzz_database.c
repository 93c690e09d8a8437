/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A SQLite file of another program: the list of its tables, each of the first few, and as a dump of
 * msMemScope. Also packed with gzip, so that it is unpacked into a private copy.
 */
#include "config.h"

#include <sqlite3.h>

#include "parsers/parsers.h"
#include "store/foreign.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

#define TABLES 4
/* What SQLite may take for an input of 64 KiB at most, and for one that is packed (src/store/foreign.c). */
#define SQLITE_B ((sqlite3_int64)49 << 20)
#define PACKED_B ((sqlite3_int64)193 << 20)

static void parse(parse_fn *fn, const char *path, const char *part)
{
    static const struct file_kind kind = { .id = "msprof_db" };
    struct runinfo run = { .gen = GEN_M };
    struct sink_count *count = NULL;
    struct arena *tmp = NULL;
    struct err e = ERR_INIT;
    struct source_file f = { .id = 1, .path = path, .rel = path, .kind = &kind, .regular = true };

    FUZZ_CHECK(sink_count_new(&count, &e) == OK && arena_new(&tmp, (size_t)64 << 20, &e) == OK);
    struct parse_ctx c = { .f = &f, .run = &run, .tmp = tmp, .out = sink_count_sink(count), .part = part };
    int rc = fn(&c, &e);
    FUZZ_CHECK(rc == e.code);
    FUZZ_CHECK(rc == OK || e.text[0]);
    sink_count_free(count);
    arena_free(tmp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = ERR_INIT;
    struct foreign *f = NULL;
    char names[TABLES][200];
    size_t n = 0;
    (void)sqlite3_memory_highwater(1);
    const char *path = fuzz_file(data, size);

    parse(parse_database, path, NULL);
    parse(parse_memscope_db, path, NULL);
    if (foreign_open(&f, path, NULL, NULL, &e) == OK)
        for (; n < TABLES && n < foreign_n(f); n++)
            str_copy(foreign_table(f, n), names[n], sizeof names[n]);
    foreign_close(f);
    for (size_t i = 0; i < n; i++)
        parse(parse_database, path, names[i]);
    bool packed = size > 1 && data[0] == 0x1f && data[1] == 0x8b;
    FUZZ_CHECK(sqlite3_memory_highwater(0) <= (packed ? PACKED_B : SQLITE_B));
    return 0;
}
