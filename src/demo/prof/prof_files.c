/* SPDX-License-Identifier: Apache-2.0 */
/* Sliced files of a PROF folder: opened, closed, failed; what is recorded at all. */
#include "config.h"

#include "base/path.h"
#include "demo/demo_write.h"
#include "demo/prof/prof.h"
#include <stdio.h>
#include <stdlib.h>

uint64_t demo_prof_hash(const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return h ? h : 1;
}

bool demo_prof_has_l2(const struct demo_prof *r)
{
    return r->chip->l2_events && !demo_is_torch(r->g->run);
}

void demo_prof_open(struct demo_slices *s, const struct demo_prof_file *f, size_t n, struct demo_prof *r,
                    const char *dir, int device)
{
    char stem[96];
    for (size_t i = 0; i < n; i++) {
        if (device < 0)
            str_copy(str_of(f[i].stem), stem, sizeof stem);
        else
            snprintf(stem, sizeof stem, "%s.%d", f[i].stem, device);
        demo_slices_open(&s[i], dir, stem, r->cut.on, &r->g->count);
    }
}

int demo_prof_close(struct demo_slices *s, const struct demo_prof_file *f, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (demo_slices_close(&s[i], f[i].torn_b, e))
            continue;
    return e->code;
}

bool demo_prof_failed(const struct demo_slices *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i].rc)
            return true;
    return false;
}
