/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The analysis of a rank folder of MindSpore 2.5 and later (*_ascend_ms) or of torch_npu (*_ascend_pt), or of
 * a rank in the flat folder of MindSpore 2.3 and 2.4: the files of ASCEND_PROFILER_OUTPUT that
 * `Profiler.analyse()`, `offline_analyse()` and torch_npu's `analyse()` write, with their names, columns,
 * number formats and order (doc/formats/framework.md#output-files). Where these compute something wrongly the
 * files have the right value, unless compat asks for theirs. Not thread-safe, but for different reports:
 * ranks may be analysed in parallel.
 */
#ifndef NPUSCOPE_OFFLINE_OFFLINE_H
#define NPUSCOPE_OFFLINE_OFFLINE_H

#include "base/err.h"
#include "emit/report.h"
#include "run/inventory.h"

#define OFFLINE_RESULTS "ASCEND_PROFILER_OUTPUT"

enum { OFFLINE_TEXT = 1, OFFLINE_DB = 2 }; /* bits: types of export */

struct offline_options {
    const char *dir;   /* must exist; only here a link is followed */
    const char *below; /* folder of the results in dir ("ASCEND_PROFILER_OUTPUT"), made if missing; "": dir */
    unsigned exports;  /* bits; 0: as the job was told, else text */
    uint64_t first_step, n_steps; /* of MindSpore: steps that are wanted; n_steps 0: all */
    bool force;                   /* replace files that exist */
    bool pretty;                  /* JSON documents with line breaks */
    bool compat;                  /* wrong values of the originals too */
    bool keep_exports;            /* leave msprof's files in the PROF folder */
    bool (*cancelled)(void);
    void (*progress)(void *arg, const char *what); /* in the thread of offline_analyse(); NULL: not wanted */
    void *progress_arg;
};

/* The unit is a folder with raw data that offline_analyse() reads. */
bool offline_can(const struct unit *u);
/*
 * Analyse one rank of a unit, adding to the report. A file that cannot be made becomes a row of the report
 * and the others are made. Errors: those that end the work: ERR_FULL, ERR_NOMEM, ERR_CANCELLED, ERR_IO when
 * dir cannot be written, ERR_FORMAT when the unit has nothing to be analysed.
 */
NODISCARD int offline_analyse(const struct unit *u, int rank, const struct offline_options *o,
                              struct emit_report *report, struct err *e);

#endif
