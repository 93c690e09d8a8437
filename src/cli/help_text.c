/* SPDX-License-Identifier: Apache-2.0 */
/* Help in paragraphs and entries. */
#include "config.h"

#include "cli/help_text.h"

#include <string.h>

#include "base/buf.h"
#include "base/text.h"

#define WIDTH 80

void help_entry(struct out *o, const char *head, const char *text, size_t left)
{
    struct buf b;
    struct str rest, line;

    buf_init(&b, 65536);
    text_wrap(&b, str_of(text), WIDTH - left - 2, 0);
    rest = buf_str(&b);
    out_printf(o, "  %-*s", (int)left - 2, head);
    if (strlen(head) > left - 3)
        out_printf(o, "\n%*s", (int)left, "");
    for (bool first = true; str_next(&rest, '\n', &line); first = false)
        out_printf(o, "%*s%.*s\n", first ? 0 : (int)left, "", (int)line.n, line.p);
    buf_done(&b);
}

void help_paragraph(struct out *o, const char *text)
{
    struct buf b;

    buf_init(&b, 65536);
    text_wrap(&b, str_of(text), WIDTH - 2, 0);
    out_add(o, buf_str(&b));
    out_puts(o, "\n");
    buf_done(&b);
}
