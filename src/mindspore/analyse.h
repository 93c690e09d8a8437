/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The analysis of raw data of MindSpore 1.x (doc/formats/mindspore1.md#graph-mode to #data-pipeline): the
 * files that `Profiler.analyse()` and `Profiler.offline_analyse()` of a version write, with their names,
 * columns, number formats and order. Where a version computes something wrongly, its files have the wrong
 * value here, too: the purpose is equal output; but for what MindSpore's own captures have right, which only
 * compat writes as the parsers do (doc/formats/mindspore1.md#step-of-a-trace). The tables of the store have
 * the right values. Not thread-safe.
 */
#ifndef NPUSCOPE_MINDSPORE_ANALYSE_H
#define NPUSCOPE_MINDSPORE_ANALYSE_H

#include "base/err.h"
#include "emit/report.h"
#include "run/inventory.h"

enum mindspore_mode { MINDSPORE_AUTO, MINDSPORE_GRAPH, MINDSPORE_PYNATIVE, MINDSPORE_GPU, MINDSPORE_CPU };

struct mindspore_rules;
/*
 * Rules of a version by its word ("r1.3"), NULL: none. mindspore_rules_at(): the i-th rules, oldest first,
 * NULL: no more.
 */
const struct mindspore_rules *mindspore_rules_find(const char *word);
const struct mindspore_rules *mindspore_rules_at(size_t i);
/* Rules of the newest version whose files can be made from this raw data. */
const struct mindspore_rules *mindspore_rules_of(const struct unit *u, int rank);

struct mindspore_options {
    const struct mindspore_rules *rules; /* NULL: those of mindspore_rules_of() */
    enum mindspore_mode mode;
    const char *dir; /* output directory; must exist */
    bool force;      /* replace files that exist */
    bool pretty;     /* JSON documents with line breaks */
    bool compat;     /* also what is mended else: steps of hccl_raw */
    bool (*cancelled)(void);
};

/*
 * Analyse one rank of a unit, adding to the report. A file that cannot be made becomes a row of the report
 * and the others are made. Errors: those that end the work: ERR_FULL, ERR_NOMEM, ERR_CANCELLED, ERR_IO when
 * dir cannot be written, ERR_FORMAT when the unit has nothing of the mode.
 */
NODISCARD int mindspore_analyse(const struct unit *u, int rank, const struct mindspore_options *o,
                                struct emit_report *report, struct err *e);

#endif
