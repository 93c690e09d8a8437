/* SPDX-License-Identifier: Apache-2.0 */
/* An archive for a command: unpacked with a line of progress, what is missing of it told. */
#include "config.h"

#include <stdio.h>

#include "archive/copy.h"
#include "base/log.h"
#include "base/path.h"
#include "base/sig.h"
#include "base/unit.h"
#include "cli/open.h"
#include "cli/progress.h"

struct unpacking {
    struct progress progress;
    const char *name;
};

static bool on_bytes(void *arg, uint64_t bytes, uint64_t files)
{
    struct unpacking *u = arg;

    progress_text(&u->progress, "unpacking %s: %llu files, %llu MiB", u->name, (unsigned long long)files,
                  (unsigned long long)(bytes >> 20));
    return sig_stop() != 0;
}

/* What is cut or damaged is told with the results that rest on it. */
static void report(const struct cli *c)
{
    const struct archive_record *r = copy_record(c->copy);
    uint64_t said = 0, more = r->more;

    for (size_t i = 0; i < r->n; i++) {
        if (r->v[i].what != ARCHIVE_SAID && r->v[i].what != ARCHIVE_LEFT_OUT)
            continue;
        if (++said <= TOLD_MAX)
            log_message("%s: %s: %s", path_base(r->path), r->v[i].name, r->v[i].text);
        else
            more++;
    }
    if (more)
        log_message("%s: and %llu more members, 'npuscope files' lists them", path_base(r->path),
                    (unsigned long long)more);
}

int run_unpack(struct cli *c, const char *path, struct err *e)
{
    struct unpacking u = { .name = path_base(path) };
    struct copy_opts o = { .keep = !opt_is(&c->opts, OPT_NO_CACHE), .cancelled = on_bytes, .arg = &u };
    struct err why = ERR_INIT;
    char text[500];
    bool quiet = opt_is(&c->opts, OPT_QUIET);

    if (!copy_is_archive(path, e) || e->code)
        return e->code;
    if (o.keep && copies_usable(&why)) {
        o.keep = false;
        if (!quiet)
            log_message("the cache cannot be used (%s); unpacking into a temporary folder",
                        err_message(&why, text, sizeof text));
    }
    progress_begin(&u.progress, quiet || log_get_level() > 1);
    (void)!copy_open(&c->copy, path, &o, e);
    progress_end(&u.progress);
    if (c->copy && !quiet)
        report(c);
    return e->code;
}
