/*
 * Findings that need no rule engine: what inventory and parsers noted, and numbers of the run that must agree with each other
 * (formats/outputs.md section 15). A table of statements; a new check is one row.
 */
#ifndef NPUSCOPE_CHECKS_H
#define NPUSCOPE_CHECKS_H

#include "analysis/triage.h"

/* Append the findings of t->rank to t, worst first. */
NODISCARD int checks_run(struct triage *t, struct store *s, struct err *e);

#endif
