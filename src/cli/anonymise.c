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
#include "store/anonymise/anonymise.h"

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

/* Ranks that were read before and are not written are only compared with. */
static enum anonymise_part part_of(const struct cli *c, size_t unit)
{
    for (size_t i = 0; i < c->n_ranks; i++)
        if (session_rank(c->session, c->ranks[i])->unit == unit)
            return ANONYMISE_WHOLE;
    return ANONYMISE_COMPARED;
}

static int keep_words(const struct cli *c, struct aliases *a, struct err *e)
{
    const struct job *j = session_job(c->session);

    for (size_t i = 0; i < j->n_units; i++)
        if (keep_kinds(a, j->units[i], e))
            return e->code;
    for (size_t i = 0; i < j->n_units; i++)
        if (session_store(c->session, i) &&
            store_public_words(session_store(c->session, i), part_of(c, i), a, e))
            return e->code;
    return OK;
}

/* ---- copies ---- */

static int replace_stores(struct cli *c, struct aliases *a, struct err *e)
{
    size_t n = session_job(c->session)->n_units;

    for (size_t u = 0; u < n; u++) {
        struct store *s = session_store(c->session, u), *copy = NULL;
        if (s && store_anonymise(s, part_of(c, u), a, &copy, e))
            return e->code;
        if (s)
            session_attach_store(c->session, u, copy, session_is_partial(c->session, u));
    }
    for (size_t i = 0; i < c->n_parts; i++)
        c->parts[i].store = session_store(c->session, session_rank(c->session, c->ranks[i])->unit);
    return OK;
}

/* Names of folders that no store has but a sentence may. */
static int replace_folders(struct cli *c, struct err *e)
{
    const struct job *j = session_job(c->session);
    struct buf ignored;

    buf_init(&ignored, (size_t)1 << 20);
    for (size_t i = 0; i < j->n_units && !e->code; i++) {
        buf_clear(&ignored);
        if (aliases_replace(c->aliases, NC_PATH, str_of(j->units[i]->root), &ignored, e) == OK)
            (void)!aliases_replace(c->aliases, NC_PATH, str_of(j->units[i]->shown), &ignored, e);
    }
    buf_done(&ignored);
    return e->code;
}

int anonymise_run(struct cli *c, const char *key, struct err *e)
{
    if (check_profile(c, key, e) || aliases_new(&c->aliases, e) || aliases_read(c->aliases, key, e))
        return e->code;
    uint32_t known = aliases_count(c->aliases);
    if (keep_words(c, c->aliases, e) || replace_stores(c, c->aliases, e) || replace_folders(c, e) ||
        aliases_write(c->aliases, key, e))
        return e->code;
    c->n_aliases = aliases_count(c->aliases);
    if (!opt_is(&c->opts, OPT_QUIET))
        log_message("wrote %s: %u names, %u of them new; keep it to yourself", key, c->n_aliases,
                    c->n_aliases - known);
    return OK;
}

/* ---- texts that are in no store ---- */

/* A text that was cut may end in a part of a name, which no alias stands for. */
static struct str without_cut(const char *text, size_t n)
{
    struct str s = str_of(text);

    while (s.n + 1 >= n && s.n && (str_is_word(s.p[s.n - 1]) || (unsigned char)s.p[s.n - 1] >= 0x80))
        n--, s.n--;
    return s;
}

static int put_text(struct cli *c, bool path, char *text, size_t n, struct err *e)
{
    struct buf b;

    if (!c->aliases)
        return OK;
    buf_init(&b, (size_t)1 << 20);
    int rc = path ? aliases_replace(c->aliases, NC_PATH, str_of(text), &b, e)
                  : aliases_scrub(c->aliases, true, without_cut(text, n), &b, e);
    if (rc == OK)
        str_copy(buf_str(&b), text, n);
    buf_done(&b);
    return rc;
}

int anonymise_text(struct cli *c, char *text, size_t n, struct err *e)
{
    return put_text(c, false, text, n, e);
}

int anonymise_path(struct cli *c, char *path, size_t n, struct err *e)
{
    return put_text(c, true, path, n, e);
}

int anonymise_end(struct cli *c, struct err *e)
{
    const char *key = opt_text(&c->opts, OPT_ANONYMISE);

    return c->aliases && aliases_count(c->aliases) > c->n_aliases ? aliases_write(c->aliases, key, e) : OK;
}

void anonymise_done(struct cli *c)
{
    aliases_free(c->aliases);
    c->aliases = NULL;
}
