/* SPDX-License-Identifier: Apache-2.0 */
/* Sliced files of raw data, opened. */
#include "config.h"

#include "base/path.h"
#include "demo/demo_write.h"
#include "demo/mindspore/raw.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void raw_open(struct demo_slices *s, struct raw *r, const char *stem)
{
    char full[96];
    snprintf(full, sizeof full, "%s.%d", stem, r->g->device);
    demo_slices_open(s, r->data, full, r->cut.on, &r->g->count);
}
