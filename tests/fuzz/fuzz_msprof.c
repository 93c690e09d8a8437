/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The export of PROF folders made of any files (fuzz_folder.h) or, behind a 'P', of pieces (fuzz_pieces.h):
 * info files, clocks and dictionaries, records of all families, communication, and the tables and traces they
 * become. The bytes before that are '0' and more: what is made (bits: tables as JSON, msprof's own numbers,
 * the database), which iteration. It ends with a word for what failed; tables have as many cells in each row,
 * JSON is whole.
 */
#include "config.h"

#include <stdlib.h>

#include "msprof/msprof.h"
#include "parsers/registry.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_pieces.h"
#include "tests/fuzz/fuzz_written.h"

#define HEAD 2 /* bytes for what is made */

static struct msprof_options options_of(const uint8_t *data, size_t size)
{
    const unsigned how = size > 0 ? (unsigned)(data[0] - '0') & 0xff : 0;
    const unsigned part = size > 1 ? (unsigned)(data[1] - '0') & 0xff : 0;
    struct msprof_options o = { .what = MSPROF_SUMMARY | MSPROF_TIMELINE | MSPROF_COMM | MSPROF_COMM_MATRIX,
                                .stamp = "20260102030405",
                                .json = how & 1,
                                .compat = how & 2 };

    if (how & 4)
        o.what |= MSPROF_DB;
    if (part % 4) {
        o.partial = true;
        o.model = part & 4 ? 1 : UINT32_MAX;
        o.iteration = part % 4;
        o.count = 2;
    }
    return o;
}

struct exporting {
    const struct unit *u;
    struct msprof_options o;
};

static int export_root(void *arg, struct str root, struct err *e)
{
    struct exporting *x = arg;
    struct emit_report *r = NULL;
    struct err own = ERR_INIT;

    (void)e;
    x->o.dir = fuzz_folder_out();
    FUZZ_CHECK(emit_report_new(&r, &own) == OK);
    int rc = msprof_export(x->u, root, &x->o, r, &own);
    FUZZ_CHECK(rc == own.code && (rc == OK || own.text[0]));
    /* an iteration that is not there is refused */
    FUZZ_CHECK(rc == OK || rc == ERR_FORMAT || (rc == ERR_USAGE && x->o.partial));
    fuzz_written(x->o.dir);
    emit_report_free(r);
    return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct inventory_tables t = registry_tables();
    struct exporting x = { .o = options_of(data, size) };
    struct job *j = NULL;
    struct err e = ERR_INIT;

    bool pieces = size > HEAD && data[HEAD] == 'P';
    const char *dir = pieces ? fuzz_pieces(data + HEAD + 1, size - HEAD - 1).path : fuzz_folder(data, size);
    if (job_scan(&j, dir, &t, &e))
        FUZZ_CHECK(e.code == ERR_FORMAT && e.text[0]);
    for (size_t i = 0; j && i < j->n_units; i++) {
        x.u = j->units[i];
        FUZZ_CHECK(msprof_each_root(x.u, export_root, &x, &e) == OK);
    }
    job_free(j);
    return 0;
}
