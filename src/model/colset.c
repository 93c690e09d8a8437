/* The views by number and by id. */
#include "config.h"

#include "model/colset.h"

#include <string.h>

#define VIEW_POINTER(name) &view_##name,
const struct view_def *const view_defs[] = { VIEW_DEFS(VIEW_POINTER) };
#undef VIEW_POINTER
const size_t view_n_defs = ARRAY_LEN(view_defs);

const struct view_def *view_def_find(const char *id)
{
    for (size_t i = 0; i < view_n_defs; i++)
        if (!strcmp(view_defs[i]->id, id))
            return view_defs[i];
    return NULL;
}
