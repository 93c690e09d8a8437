/* SPDX-License-Identifier: Apache-2.0 */
/* The part of analyse that is about MindSpore 2.3 and later and about torch_npu. */
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

/* Of the rank, for people: its name, of several runs its path below that of the command. */
const char *analyse_folder_name(struct cli *c, const struct unit *u);
/* The unit holds only results that MindSpore 2.3 or 2.4 made of another unit, which lies around it. */
bool analyse_folders_holds(struct cli *c, const struct unit *u);

#endif
