/* SPDX-License-Identifier: Apache-2.0 */
/* The member that explains the others. */
#include "config.h"

#include <stdio.h>

#include "base/lang/tr.h"
#include "base/text.h"
#include "base/unit.h"
#include "cli/bundle/parts.h"

#define TEXT_MAX ((size_t)64 << 20)

int bundle_readme(struct bundle *b, bool hidden, struct err *e)
{
    struct buf text;
    char size[40];
    const char *lack;

    buf_init(&text, TEXT_MAX);
    buf_puts(&text,
             "What npuscope " PACKAGE_VERSION " found in a profile and its logs, for somebody who helps "
             "with them.\n");
    if (hidden)
        buf_puts(&text,
                 "Names of ops, paths, hosts and users are aliases; whoever made the bundle has the file "
                 "that maps them back.\n");
    buf_puts(&text, "\nWhat is in it\n");
    for (size_t i = 0; i < bundle_n(b); i++) {
        const struct bundle_member *m = bundle_at(b, i);
        buf_printf(&text, "%12s  ", unit_size(size, sizeof size, (double)m->text.n, SIZE_AUTO));
        text_safe(&text, str_of(m->name), 0);
        buf_printf(&text, "  (%s)\n", m->what);
    }
    for (size_t i = 0; (lack = bundle_lacks(b, i)) != NULL; i++) {
        buf_puts(&text, i ? "  " : "\nWhat is not\n  ");
        text_safe(&text, str_of(lack), 0);
        buf_puts(&text, "\n");
    }
    int rc = bundle_add(b, "README.txt", N_("this list"), &text, 0, e);
    buf_done(&text);
    return rc;
}
