/* SPDX-License-Identifier: Apache-2.0 */
/* The Host pane: nothing but tables, and on which clock their starts are. */
#include "config.h"

#include "base/lang/tr.h"
#include "ui/pane/panes.h"
#include "ui/widget/table.h"

/* Starts on a clock of their own do not compare with those of other panes: the timeline says it, too. */
static void base(struct pane *p, struct table *t, struct buf *out)
{
    (void)p;
    struct val clock = t && table_view(t) ? table_value(t, "clock") : val_null();

    if (clock.t == VAL_TEXT)
        buf_puts(out, tr("Start: own clock"));
}

static void context(struct pane *p, struct buf *out)
{
    base(p, pane_table(p), out);
}

const struct pane_ops pane_host_ops = { .context = context, .base = base };
