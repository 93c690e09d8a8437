/* SPDX-License-Identifier: Apache-2.0 */
/* What readers of the forms say, and what config_write() keeps of other forms. */
#include "config.h"

#include "configure/config_int.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/words.h"

size_t config_origin(const struct reading *r, size_t at)
{
    uint32_t mapped;

    if (r->map.n < 4)
        return at;
    size_t i = at * 4 + 4 > r->map.n ? r->map.n - 4 : at * 4;
    memcpy(&mapped, r->map.p + i, 4);
    return mapped;
}

void config_say(struct reading *r, enum remark_kind kind, size_t at, const struct switch_def *d,
                const char *fmt, ...)
{
    char text[600];
    va_list ap;

    if (!r->fn)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    r->fn(r->arg, &(struct remark){ .kind = kind, .at = at, .d = d, .text = text });
}

/* Which other form, or version, has the key. */
static bool say_elsewhere(struct reading *r, const struct switch_def *d, struct str key, size_t at)
{
    const char *own = switch_key(d, r->at, r->t->version);
    const struct switch_place *p = &d->at[r->at];
    int n = (int)key.n;

    if (own && !str_eq(str_of(own), key)) {
        config_say(r, REMARK_WRONG, at, d, "%.*s is no key here, so that it does nothing: write %s", n, key.p,
                   own);
    } else if (own && p->scope) {
        config_say(r, REMARK_WRONG, at, d, "%s belongs into %s", own, p->scope);
    } else if (own) {
        config_say(r, REMARK_WRONG, at, d, "%s belongs beside the others, not into an object", own);
    } else if (p->key && p->since && r->t->version < p->since) {
        config_say(r, REMARK_WRONG, at, d, "MindSpore %u.%u does not know %s: it came with %u.%u",
                   r->t->version / 10, r->t->version % 10, p->key, p->since / 10, p->since % 10);
    } else if (p->key) {
        config_say(r, REMARK_WRONG, at, d, "MindSpore %u.%u knows %s no more: write %s", r->t->version / 10,
                   r->t->version % 10, p->key, d->obsolete ? d->obsolete : "nothing");
    } else {
        for (size_t i = 0; i < N_AT; i++)
            if (switch_has(d, (enum switch_at)i)) {
                config_say(r, REMARK_WRONG, at, d, "%.*s does nothing here: it is of %s", n, key.p,
                           switch_at_title((enum switch_at)i));
                return true;
            }
        return false;
    }
    return true;
}

void config_unknown(struct reading *r, struct str key, size_t at)
{
    const struct switch_def *d = switch_find(key, r->at);
    struct nearest near;

    if (!r->fn)
        return;
    if (!d)
        d = switch_find(key, N_AT);
    if (d && say_elsewhere(r, d, key, at))
        return;
    if (str_eq(key, STR("is_valid"))) {
        config_say(r, REMARK_WRONG, at, NULL, "is_valid is set by the job itself: leave it out");
        return;
    }
    nearest_begin(&near, key);
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (switch_key(&switch_defs[i], r->at, r->t->version))
            nearest_offer(&near, switch_key(&switch_defs[i], r->at, r->t->version));
    if (near.best)
        config_say(r, REMARK_WRONG, at, NULL, "%.*s is no key, so that it does nothing: write %s",
                   (int)(key.n > 60 ? 60 : key.n), key.p, near.best);
    else
        config_say(r, REMARK_WRONG, at, NULL, "%.*s is no key, so that it does nothing: leave it out",
                   (int)(key.n > 60 ? 60 : key.n), key.p);
}

/* ---- what config_write() keeps of other forms ---- */

void config_own(struct reading *r, struct str name, struct str value, size_t at)
{
    struct err e = ERR_INIT;
    const struct switch_def *d = switch_find(name, N_AT);

    if (!d || choice_set(r->c, d->id, value, &e))
        config_say(r, REMARK_NOTE, at, d, "npuscope did not write this: %s",
                   e.code ? e.text : "no such switch");
    else
        config_say(r, REMARK_NOTE, at, d, "%s=%.*s is kept for another form; it does nothing here", d->name,
                   (int)(value.n > 60 ? 60 : value.n), value.p);
    if (e.code == ERR_NOMEM)
        err_nomem(r->e);
}

void config_kept(struct reading *r, struct str comment, size_t at)
{
    size_t colon = str_chr(comment, ':'), eq = str_chr(comment, '=');

    if (!str_starts(comment, STR(CONFIG_KEPT)) || colon == SIZE_MAX || eq == SIZE_MAX || eq < colon)
        return;
    config_own(r, str_trim(str_sub(comment, colon + 1, eq - colon - 1)), str_sub(comment, eq + 1, SIZE_MAX),
               at);
}
