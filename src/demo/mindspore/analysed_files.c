/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the analysis, opened. */
#include "config.h"

#include "base/path.h"
#include "demo/demo_write.h"
#include "demo/mindspore/analysed.h"
#include <stdio.h>
#include <stdlib.h>

int analysed_open(struct analysed *g, struct emit **o, const char *before, const char *after, struct err *e)
{
    char name[128];
    snprintf(name, sizeof name, "%s%d%s", before, g->rank, after);
    return emit_open(o, g->dir, name, e);
}
