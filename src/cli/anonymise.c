/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of the stores that a command reads, with aliases for names. */
#include "config.h"

#include "cli/anonymise.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/path.h"
#include "store/anonymise.h"

/* ---- where the key lies ---- */

/* The path without links, also of a file that is not there yet; false: its folder is not there. */
static bool resolve(const char *path, char *out, size_t n)
{
    char *whole = realpath(path, NULL), dir[PATH_MAX];
    bool found = whole != NULL;

    if (!found && path_dir(dir, sizeof dir, path)) {
        whole = realpath(dir, NULL);
        found = whole && path_join(out, n, whole, path_base(path));
    } else if (found) {
        found = strlen(whole) < n;
        snprintf(out, n, "%s", whole);
    }
    free(whole);
    return found;
}

static int refuse(const char *key, const char *why, struct err *e)
{
    err_set(e, ERR_USAGE, "%s: whoever has both can undo it, so give another name to --anonymise", why);
    err_where(e, key, ERR_NO_OFFSET, 0);
    return e->code;
}

int anonymise_check(const char *key, const char *target, struct err *e)
{
    char a[PATH_MAX], b[PATH_MAX];

    if (!resolve(key, a, sizeof a)) {
        err_set(e, ERR_IO, "the folder of the key file is not there");
        err_where(e, key, ERR_NO_OFFSET, 0);
        return e->code;
    }
    if (target && resolve(target, b, sizeof b) && path_is_below(a, b))
        return refuse(key, "the key file would lie in what is shared", e);
    return OK;
}

static int check_profile(const struct cli *c, const char *key, struct err *e)
{
    const struct job *j = session_job(c->session);
    char a[PATH_MAX];
    bool inside = resolve(key, a, sizeof a) && path_is_below(a, j->path);

    for (size_t i = 0; i < j->n_units; i++)
        inside |= path_is_below(a, j->units[i]->root);
    return inside ? refuse(key, "the key file would lie in the profile", e) : OK;
}

/* ---- public words ---- */

/* Words of a pattern of file names, without its placeholders: "hwts.data.{D}.slice_{K}". */
static int keep_pattern(struct aliases *a, const char *pattern, struct err *e)
{
    size_t n = 0;

    for (const char *p = pattern; *p; p += n ? n : 1) {
        n = 0;
        if (*p == '{' && strchr(p, '}')) {
            n = (size_t)(strchr(p, '}') - p);
            continue;
        }
        while ((p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z'))
            n++;
        if (n && aliases_keep(a, (struct str){ p, n }, e))
            return e->code;
    }
    return OK;
}

static int keep_kinds(struct aliases *a, const struct unit *u, struct err *e)
{
    for (size_t i = 0; i < u->n_files; i++)
        for (size_t k = 0; k < ARRAY_LEN(u->files[i]->kind->patterns); k++)
            if (u->files[i]->kind->patterns[k] && keep_pattern(a, u->files[i]->kind->patterns[k], e))
                return e->code;
    return OK;
}

static int keep_words(const struct cli *c, struct aliases *a, struct err *e)
{
    const struct job *j = session_job(c->session);

    for (size_t i = 0; i < j->n_units; i++)
        if (keep_kinds(a, j->units[i], e))
            return e->code;
    for (size_t i = 0; i < c->n_parts; i++)
        if (store_public_words(c->parts[i].store, a, e))
            return e->code;
    return OK;
}

/* ---- copies ---- */

/* Ranks that lie in one store share its copy. */
static int replace_parts(struct cli *c, struct aliases *a, struct err *e)
{
    struct store **from = calloc(c->n_parts + 1, sizeof(struct store *));
    size_t n = 0;

    c->shared = calloc(c->n_parts + 1, sizeof *c->shared);
    if (!from || !c->shared)
        err_nomem(e);
    for (size_t i = 0; i < c->n_parts && !e->code; i++) {
        size_t k = 0;
        while (k < n && from[k] != c->parts[i].store)
            k++;
        if (k == n && store_anonymise(c->parts[i].store, a, &c->shared[n], e) == OK) {
            from[n++] = c->parts[i].store;
            c->n_shared = n;
        }
        if (!e->code)
            c->parts[i].store = c->shared[k];
    }
    free(from);
    return e->code;
}

int anonymise_parts(struct cli *c, const char *key, struct err *e)
{
    struct aliases *a = NULL;
    uint32_t known;

    if (check_profile(c, key, e) || aliases_new(&a, e))
        return e->code;
    int rc = aliases_read(a, key, e);
    known = aliases_count(a);
    if (rc == OK)
        rc = keep_words(c, a, e);
    if (rc == OK)
        rc = replace_parts(c, a, e);
    if (rc == OK)
        rc = aliases_write(a, key, e);
    if (rc == OK && !opt_is(&c->opts, OPT_QUIET))
        log_message("wrote %s: %u names, %u of them new; keep it to yourself", key, aliases_count(a),
                    aliases_count(a) - known);
    aliases_free(a);
    return rc;
}

void anonymise_done(struct cli *c)
{
    for (size_t i = 0; i < c->n_shared; i++)
        store_close(c->shared[i]);
    free(c->shared);
    c->shared = NULL;
    c->n_shared = 0;
}
