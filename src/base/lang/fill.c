/* SPDX-License-Identifier: Apache-2.0 */
/* Values into sentences. */
#include "config.h"

#include "base/lang/fill.h"

#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "base/text.h"

#define SENTENCE_B 200 /* longer values are no sentences of the program */

static struct str value_at(struct str values, size_t at)
{
    struct str one = { 0 };

    for (size_t i = 0; i <= at; i++)
        if (!str_next(&values, FILL_NEXT, &one))
            return (struct str){ 0 };
    return one;
}

static void add_value(struct buf *out, struct str value, bool translated)
{
    char text[SENTENCE_B], said[4 * SENTENCE_B];

    if (translated && value.n < sizeof text && str_chr(value, ' ') < value.n)
        buf_puts(out, tr_sentence(str_copy(value, text, sizeof text), said, sizeof said));
    else
        buf_add(out, value);
}

void fill_text(struct buf *out, const char *form, struct str values, bool translated)
{
    size_t next = 0;

    for (const char *p = form; *p; p++) {
        size_t at = next;
        if (*p != '%') {
            buf_addc(out, *p);
            continue;
        }
        p++;
        if (*p >= '1' && *p <= '9' && p[1] == '$') {
            at = (size_t)(*p - '1');
            p += 2;
        } else if (*p == 's') {
            next++;
        }
        if (*p == 's')
            add_value(out, value_at(values, at), translated);
        else if (*p == '%')
            buf_addc(out, '%');
        if (!*p)
            break;
    }
}

void fill_label(struct buf *out, const char *label, size_t cells)
{
    const char *text = tr(label);

    buf_printf(out, "%s%*s", text, text_pad(text, cells), "");
}
