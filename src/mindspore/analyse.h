/*
 * The analysis that MindSpore's Profiler does with raw data of generation 1 (formats/gen1-raw.md 7 to 10): the files that `Profiler.analyse()` and
 * `Profiler.offline_analyse()` of a version write, with their names, columns, number formats and order.
 *
 * Where a version computes something wrongly its files say so too: equal output is the purpose here. The tables of the store have the right
 * values. Not thread-safe.
 */
#ifndef NPUSCOPE_MINDSPORE_ANALYSE_H
#define NPUSCOPE_MINDSPORE_ANALYSE_H

#include "base/err.h"
#include "emit/report.h"
#include "run/inventory.h"

enum g1_mode { G1_AUTO, G1_GRAPH, G1_PYNATIVE, G1_GPU, G1_CPU };

struct g1_rules;
/* Rules of a version by its word ("r1.3"), NULL: none. The i-th one, oldest first, NULL: no more; g1_rules_word() is its word. */
const struct g1_rules *g1_rules_find(const char *word);
const struct g1_rules *g1_rules_at(size_t i);
const char *g1_rules_word(const struct g1_rules *r);
/* The newest whose files this raw data can give. */
const struct g1_rules *g1_rules_of(const struct unit *u, int rank);

struct g1_options {
    const struct g1_rules *rules; /* NULL: as g1_rules_of() says */
    enum g1_mode mode;
    const char *dir; /* files go there; it exists */
    bool force;      /* replace files that exist */
    bool pretty;     /* JSON documents with line breaks */
    bool (*cancelled)(void);
};

/*
 * Analyse one rank of a unit, adding to the report. A file that cannot be made becomes a row of the report and the others are made.
 * Errors: those that end the work: ERR_FULL, ERR_NOMEM, ERR_CANCELLED, ERR_IO when dir cannot be written, ERR_FORMAT when the unit has nothing of the mode.
 */
NODISCARD int g1_analyse(const struct unit *u, int rank, const struct g1_options *o,
                         struct vendor_report *report, struct err *e);

#endif
