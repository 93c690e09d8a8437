/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Man pages from the tables of options, commands, keys, views and schema, so that they cannot drift.
 */
#ifndef NPUSCOPE_GENERATE_H
#define NPUSCOPE_GENERATE_H

#include "cli/cli.h"

/* A page by its name (npuscope-query) as mdoc(7) source. Errors: ERR_USAGE for another. */
NODISCARD int generate_man(struct out *o, const char *page, const struct cli_hooks *hooks, struct err *e);

/*
 * The filter language by example; every example is a line that filter_parse() takes
 * (tests/unit/cli/test_writers.c).
 */
struct filter_form {
    const char *form, *meaning;
    const char *example, *view; /* the view whose columns it names */
};
extern const struct filter_form filter_forms[];
extern const size_t n_filter_forms;

/* Tables that exist only on npuscope's connections and the one that is no row of schema_tables. */
struct schema_extra {
    const char *table, *column, *type, *unit, *meaning; /* column "": the table itself */
};
extern const struct schema_extra schema_extras[];
extern const size_t n_schema_extras;

#endif
