/* SPDX-License-Identifier: Apache-2.0 */
/* The views by number and by id. */
#include "config.h"

#include "model/view/view_int.h"
#include "model/views/colset.h"

#include <string.h>

#define VIEW_POINTER(name) &view_##name,
const struct view_def *const view_defs[] = { VIEW_DEFS(VIEW_POINTER) };
#undef VIEW_POINTER
const size_t view_n_defs = ARRAY_LEN(view_defs);

bool colset_string(const char *expr, struct str *id)
{
    struct str s = str_of(expr);
    int depth = 1;

    if (!str_starts(s, STR(COLSET_TEXT_HEAD)))
        return false;
    *id = str_sub(s, sizeof COLSET_TEXT_HEAD - 1, s.n);
    for (size_t i = 0; i < id->n; i++) {
        depth += (id->p[i] == '(') - (id->p[i] == ')');
        if (!depth) { /* the bracket closes here: only the end may follow */
            bool whole = i + 1 == id->n;
            id->n = i;
            return whole;
        }
    }
    return false;
}

const struct view_def *view_def_find(const char *id)
{
    for (size_t i = 0; i < view_n_defs; i++)
        if (!strcmp(view_defs[i]->id, id))
            return view_defs[i];
    return NULL;
}

int view_find_among(const struct view_col *first, const struct view_def *d, const char *id)
{
    size_t before = first ? 1 : 0, length = strlen(id);
    int found = -1;
    bool several = false;

    for (size_t i = 0; i < before + d->n_cols; i++) {
        const char *name = i < before ? first->id : d->cols[i - before].id;
        if (strncmp(name, id, length) != 0)
            continue;
        if (!name[length])
            return (int)i;
        several |= found >= 0;
        found = (int)i;
    }
    return several ? -1 : found;
}

int view_def_find_col(const struct view_def *d, const char *id)
{
    return view_find_among(NULL, d, id);
}

/* Whether the word occurs, not as a part of a longer one and not as a column ("e.step"). */
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *p = text; p && (p = strstr(p, word)) != NULL; p += n)
        if ((p == text || (!str_is_word(p[-1]) && p[-1] != '.')) && !str_is_word(p[n]))
            return true;
    return false;
}

bool view_def_reads(const struct view_def *d, const char *word)
{
    if (has_word(d->from, word) || has_word(d->where, word) || has_word(d->dim, word))
        return true;
    if (d->step && (!strcmp(word, ":step0") || !strcmp(word, ":step1")))
        return true;
    for (size_t i = 0; i < d->n_cols; i++)
        if (has_word(d->cols[i].expr, word))
            return true;
    return false;
}
