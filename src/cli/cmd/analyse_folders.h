/* SPDX-License-Identifier: Apache-2.0 */
/* The part of analyse that is about rank folders of MindSpore 2.5 on and of torch_npu. */
#ifndef NPUSCOPE_CLI_ANALYSE_FOLDERS_H
#define NPUSCOPE_CLI_ANALYSE_FOLDERS_H

#include "cli/cli.h"
#include "emit/report.h"

struct analyse_folder {
    const struct unit *u;
    int rank;
};

/*
 * Analyse n rank folders as the options say, adding to the report in their order. Errors: of the options
 * (ERR_USAGE), else the first of a rank; the other ranks are analysed all the same.
 */
NODISCARD int analyse_folders(struct cli *c, const struct analyse_folder *folder, size_t n,
                              struct emit_report *report, struct err *e);

#endif
