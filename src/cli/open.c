/* Opening a run for a command. */
#include "config.h"

#include "cli/open.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sig.h"
#include "import/import.h"

/* Folder that the store of --db was made from. */
static char *root_of_db(const char *path)
{
    struct store *s = NULL;
    struct err ignored = ERR_INIT;
    char *root = NULL;

    if (store_open(&s, path, false, &ignored) == OK) {
        struct str r = store_meta(s, "root");
        root = r.n ? strndup(r.p, r.n) : NULL;
    }
    store_close(s);
    return root;
}

int run_scan(struct cli *c, const char *path, struct err *e)
{
    struct job *job = NULL;
    char *root = NULL;

    if (!path && opt_is(&c->opts, OPT_DB))
        root = root_of_db(opt_text(&c->opts, OPT_DB));
    int rc = import_scan(&job, path ? path : root ? root : ".", e);
    free(root);
    return rc ? rc : session_new(&c->session, job, e);
}

static int load_chosen(struct cli *c, struct err *e)
{
    struct run_load *l = calloc(c->n_ranks ? c->n_ranks : 1, sizeof *l);
    size_t n = 0;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);

    if (!l)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_ranks; i++) {
        size_t unit = session_rank(c->session, c->ranks[i])->unit, k = 0;
        while (k < n && l[k].unit != unit)
            k++;
        if (k == n)
            l[n++].unit = unit;
    }
    (void)!run_load(c, l, n, cpus > 0 ? (unsigned)cpus : 1, e);
    free(l);
    return (int)e->code;
}

/* A signal ends statements that take long. */
static bool stopped(void *arg)
{
    (void)arg;
    return sig_stop() != 0;
}

static int make_parts(struct cli *c, struct err *e)
{
    c->parts = calloc(c->n_ranks ? c->n_ranks : 1, sizeof *c->parts);
    if (!c->parts)
        return err_nomem(e);
    for (size_t i = 0; i < c->n_ranks; i++) {
        const struct session_rank *r = session_rank(c->session, c->ranks[i]);
        struct store *store = session_store(c->session, r->unit);
        c->parts[c->n_parts++] = (struct view_part){ store, r->rank };
        store_progress(store, stopped, NULL);
    }
    return OK;
}

int run_open(struct cli *c, const char *path, struct err *e)
{
    if (run_scan(c, path, e) || run_choose(c, false, e) || load_chosen(c, e) || make_parts(c, e))
        return (int)e->code;
    return OK;
}

void run_close(struct cli *c)
{
    session_free(c->session);
    free(c->ranks);
    free(c->parts);
    c->session = NULL;
    c->ranks = NULL;
    c->parts = NULL;
    c->n_ranks = c->n_parts = 0;
}
