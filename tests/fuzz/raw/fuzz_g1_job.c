/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The group that joins the raw files of a device, found in a folder of any files (fuzz_folder.h): discovery,
 * slices, the joins. What is counted holds together, and every text is read, so that the sanitizers see where
 * it lies.
 */
#include "config.h"

#include "parsers/group_find.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_group.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct inventory_tables t = registry_tables();
    struct job *j = NULL;
    struct err e = ERR_INIT;

    if (job_scan(&j, fuzz_folder(data, size), &t, &e))
        FUZZ_CHECK(e.code == ERR_FORMAT && e.text[0]);
    for (size_t i = 0; j && i < j->n_units; i++) {
        struct group_list l;
        FUZZ_CHECK(unit_paths(j->units[i], &e) == OK && groups_find(&l, j->units[i], &e) == OK);
        for (size_t k = 0; k < l.n; k++)
            fuzz_group(l.sets[k].kind, l.sets[k].m, l.sets[k].n, &j->units[i]->info,
                       group_set_rank(&l.sets[k], j->units[i]), false);
        groups_done(&l);
    }
    job_free(j);
    return 0;
}
