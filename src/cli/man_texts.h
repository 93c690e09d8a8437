/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of npuscope(1) that no other table has; a NULL name ends each. Catalogues have their texts. */
#ifndef NPUSCOPE_CLI_MAN_TEXTS_H
#define NPUSCOPE_CLI_MAN_TEXTS_H

struct man_text {
    const char *name, *text;
};
extern const struct man_text man_formats[], man_environment[], man_statuses[], man_problems[], man_examples[];

#endif
