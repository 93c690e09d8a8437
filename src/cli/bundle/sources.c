/* SPDX-License-Identifier: Apache-2.0 */
/* Members that are parts of files: logs, and the profile's own. */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/path.h"
#include "base/sig.h"
#include "cli/bundle/excerpt.h"
#include "cli/bundle/parts.h"
#include "logs/log_around.h"

/*
 * Of a log: an error and what led to it fit into some hundred lines, which a small share still holds; more
 * than LOG_MOST is rarely read by a person. Its end says more than its beginning.
 */
#define LOG_MOST  ((uint64_t)256 << 10)
#define LOG_LEAST ((uint64_t)4 << 10)
/* Of a file of the profile: its head and first records. */
#define HEAD_B  ((uint64_t)4 << 10)
#define WHOLE_B ((uint64_t)16 << 10)

/* Add a part of a file; what cannot be read is said. */
static int add_part(struct bundle *b, const char *name, const char *path, const struct excerpt *x,
                    int64_t mtime_ns, struct err *e)
{
    struct err own = ERR_INIT;
    uint64_t left_out;
    char whole[PATH_MAX + 16];
    struct buf text;

    if (sig_stop())
        return err_set(e, ERR_CANCELLED, "interrupted");
    buf_init(&text, SIZE_MAX);
    int rc = excerpt_add(path, x, &text, &left_out, &own);
    snprintf(whole, sizeof whole, "%s%s", name, !rc && left_out && !x->lines ? ".head" : "");
    if (!rc)
        rc = bundle_add(b, whole,
                        !left_out  ? N_("the file")
                        : x->lines ? N_("its first and last lines")
                                   : N_("its first bytes"),
                        &text, mtime_ns / 1000000000, e);
    else if (rc == ERR_NOMEM)
        *e = own;
    else
        rc = bundle_lack(b, e, "%s: %s", name, own.text);
    buf_done(&text);
    return rc;
}

/* ---- logs ---- */

static int add_first_error(struct bundle *b, const struct logs *l, const struct log_verdict *v, struct err *e)
{
    struct err own = ERR_INIT;
    struct buf text;

    if (!v || v->first == LOG_NO_EVENT)
        return OK;
    const struct log_rec *r = logs_event(l, v->first);
    buf_init(&text, SIZE_MAX);
    buf_printf(&text, "%s:%" PRIu64 "\n", logs_file(l, r->file)->f.name, r->line);
    int rc = log_around(logs_file(l, r->file)->f.path, r->offset, r->line, &text, &own);
    if (!rc)
        rc = bundle_add(b, "first-error.txt", N_("the first error and the lines around it"), &text, 0, e);
    else if (rc == ERR_NOMEM)
        *e = own;
    else
        rc = bundle_lack(b, e, "first-error.txt: %s", own.text);
    buf_done(&text);
    return rc;
}

/* Logs elsewhere of which nothing is of this run may be those of other people's jobs. */
static bool is_wanted(const struct log_file *f, const char *home)
{
    return f->state == LOG_READ || f->state == LOG_DAMAGED ||
           (f->state == LOG_APART && path_is_below(f->f.path, home));
}

/* The same part of each log within the room. */
static struct excerpt log_share(const struct logs *l, const char *home, uint64_t room)
{
    uint64_t n = 0;

    for (size_t i = 0; i < logs_n_files(l); i++)
        n += is_wanted(logs_file(l, i), home);
    uint64_t share = n ? room / n : 0;
    share = share < LOG_LEAST ? LOG_LEAST : share > LOG_MOST ? LOG_MOST : share;
    return (struct excerpt){ .head_b = share / 4, .tail_b = share - share / 4, .lines = true };
}

/* Say what of them is not there: `above` the limit. */
static int log_lacks(struct bundle *b, const struct logs *l, const char *home, uint64_t above, struct err *e)
{
    uint64_t apart = 0;

    for (size_t i = 0; i < logs_n_files(l); i++) {
        const struct log_file *f = logs_file(l, i);
        apart += f->state == LOG_APART && !is_wanted(f, home);
        if (f->state == LOG_REFUSED && bundle_lack(b, e, "logs/%s: %s", f->f.name, f->why))
            return e->code;
    }
    if (apart && bundle_lack(b, e, "%" PRIu64 " logs in which nothing is of this run", apart))
        return e->code;
    return above ? bundle_lack(b, e, "%" PRIu64 " more logs: above --limit", above) : OK;
}

int bundle_logs(struct bundle *b, const struct logs *l, const struct log_verdict *v, const char *home,
                struct err *e)
{
    uint64_t above = 0, room = bundle_room(b) / 2;
    char name[PATH_MAX];

    if (add_first_error(b, l, v, e))
        return e->code;
    const struct excerpt x = log_share(l, home, room);
    uint64_t least = bundle_room(b) - room + x.head_b + x.tail_b + 100;
    for (int errors = 1; errors >= 0; errors--)
        for (size_t i = 0; i < logs_n_files(l); i++) {
            const struct log_file *f = logs_file(l, i);
            if (!is_wanted(f, home) || (f->errors > 0) != errors)
                continue;
            snprintf(name, sizeof name, "logs/%s", f->f.name);
            if (bundle_room(b) < least)
                above++;
            else if (add_part(b, name, f->f.path, &x, f->f.modified_ns, e))
                return e->code;
        }
    return log_lacks(b, l, home, above, e);
}

/* ---- the profile ---- */

/* Below the folder that was opened, else below its own. */
static void head_name(const struct job *j, const struct unit *u, const struct source_file *f,
                      const char *path, char *name, size_t n)
{
    size_t top = strlen(j->path);

    if (path_is_below(path, j->path) && path[top] == '/')
        snprintf(name, n, "profile/%s", path + top + 1);
    else
        snprintf(name, n, "profile/%s/%s", u ? path_base(u->root) : "beside", f->rel);
}

struct heads {
    struct bundle *b;
    const struct job *j;
    uint64_t cut;
};

static int add_head(struct heads *h, const struct unit *u, const struct source_file *f, struct err *e)
{
    const struct excerpt x = { .head_b = f->size_b > WHOLE_B ? HEAD_B : WHOLE_B };
    char buf[PATH_MAX], name[PATH_MAX + 40];
    const char *path = u ? unit_path_of(u, f, buf) : f->path;

    if (!f->regular)
        return OK;
    if (!path) {
        snprintf(buf, sizeof buf, "%s/%s", h->j->path, f->rel);
        path = buf;
    }
    if (bundle_room(h->b) < WHOLE_B) {
        h->cut++;
        return OK;
    }
    head_name(h->j, u, f, path, name, sizeof name);
    return add_part(h->b, name, path, &x, f->mtime_ns, e);
}

int bundle_heads(struct bundle *b, const struct job *j, struct err *e)
{
    struct heads h = { .b = b, .j = j };

    for (size_t i = 0; i < j->n_loose; i++)
        if (add_head(&h, NULL, j->loose[i], e))
            return e->code;
    for (size_t i = 0; i < j->n_units; i++)
        for (size_t k = 0; k < j->units[i]->n_files; k++)
            if (add_head(&h, j->units[i], j->units[i]->files[k], e))
                return e->code;
    return h.cut ? bundle_lack(b, e, "%" PRIu64 " more files of the profile: above --limit", h.cut) : OK;
}
