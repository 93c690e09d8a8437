/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PROF folder of records of any families (fuzz_pieces.h): what is made of them holds, and so do the rows of
 * the import.
 */
#include "config.h"

#include "store/sink_count.h"
#include "tests/fuzz/fuzz_group.h"
#include "tests/fuzz/fuzz_pieces.h"

#define HOLDS(x) FUZZ_CHECK(x)
#include "tests/lib/prof_holds.h"

static void check_made(const struct fuzz_prof *x, const struct runinfo *run)
{
    struct sink_count *notes = NULL;
    struct err e = ERR_INIT;
    struct prof *p = NULL;

    FUZZ_CHECK(sink_count_new(&notes, &e) == OK);
    const struct prof_input in = { .files = x->files,
                                   .n = x->n,
                                   .root = STR(""),
                                   .device = -1,
                                   .run = run,
                                   .notes = sink_count_sink(notes) };
    FUZZ_CHECK(prof_open(&p, &in, &e) == OK);
    read_folder(p);
    prof_close(p);
    sink_count_free(notes);
}

static void check_rows(const struct fuzz_prof *x, const struct runinfo *run, bool preview, unsigned threads)
{
    struct group_member m[FUZZ_PIECES];
    const struct group_kind *k = registry_groups;

    for (size_t i = 0; i < x->n; i++)
        m[i] = (struct group_member){ .c = { .f = x->files[i], .threads = threads } };
    while (k->id && strcmp(k->id, "prof") != 0)
        k++;
    fuzz_group(k, m, x->n, run, 3, preview);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct fuzz_prof x = fuzz_pieces(data, size);
    struct run_rank rank = { .rank = 3, .device = 0 };
    const struct runinfo run = { .ranks = &rank, .n_ranks = 1 };

    check_made(&x, &run);
    check_rows(&x, &run, size > 1 && data[1] & FUZZ_LIST,
               size > 2 && data[2] % 16 == 1 ? 0 : 1); /* threads take their time to begin */
    return 0;
}
