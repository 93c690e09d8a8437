/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings that need no rule engine: what inventory and parsers noted, and numbers of the run that must agree
 * with each other (doc/formats/analysed.md#consistency-checks). A table of statements; a new check is one
 * row.
 */
#ifndef NPUSCOPE_CHECKS_H
#define NPUSCOPE_CHECKS_H

#include "analysis/triage.h"
#include "store/sink.h"

struct finding_list {
    struct triage_finding *v; /* malloc'ed, the caller frees it */
    size_t n;
};

/*
 * What a check reads: rows about files (few: read whenever the findings are shown), or facts (many: read
 * once, at the end of the import).
 */
enum check_kind { CHECK_FILES = 1, CHECK_FACTS = 2 };

/* Append the findings of a rank by the checks of these kinds (bits). */
NODISCARD int checks_run(struct finding_list *out, struct store *s, int rank, unsigned kinds, struct err *e);
/* Append what a comparison of the ranks shows about the one with this index of x. */
NODISCARD int checks_compare(struct finding_list *out, const struct ending *x, size_t at, struct err *e);
/*
 * Run all checks for every rank of the unit, findings to table finding, where statements find them: an
 * import_after_fn (import/import.h).
 */
NODISCARD int checks_keep(struct store *s, struct sink *out, const struct unit *u, struct err *e);
/* Compare the ranks that an overview has, findings to its table: an overview_after_fn (import/overview.h). */
NODISCARD int checks_keep_job(struct store *s, struct sink *out, struct err *e);
bool checks_are_kept(struct store *s);
/* Append the findings about facts that checks_keep() stored. */
NODISCARD int checks_load(struct finding_list *out, struct store *s, int rank, struct err *e);
/* The sentences of the checks, one after the other, some of them ""; NULL after the last. For catalogues. */
const char *checks_form(size_t i);
/* Sort, worst first. */
void checks_sort(struct finding_list *l);

#endif
