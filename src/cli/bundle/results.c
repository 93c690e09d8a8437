/* SPDX-License-Identifier: Apache-2.0 */
/* Members that are results of commands: a table of command lines. */
#include "config.h"

#include "base/lang/tr.h"
#include "cli/bundle/parts.h"

#define TEXT_MAX ((size_t)256 << 20)
#define MOST     6

enum need {
    OF_RUN = 1,   /* a profile */
    OF_LOGS = 2,  /* logs */
    OF_NAMES = 4, /* holds names that have no aliases */
};

static const struct result {
    const char *name, *what;
    const char *argv[MOST];
    unsigned need;
} results[] = {
    { "triage.txt", N_("how the run ended, and the verdict"), { "triage" }, OF_RUN | OF_NAMES },
    { "triage.json", N_("the same for programs"), { "triage", "--format=json" }, OF_RUN | OF_NAMES },
    { "report.md",
      N_("state, findings, first rows of every table"),
      { "report", "--format=markdown" },
      OF_RUN },
    { "files.csv",
      N_("files of the profile and their states"),
      { "files", "--format=csv", "--all-columns" },
      OF_RUN },
    { "notes.csv",
      N_("what reading them met"),
      { "query", "--format=csv", "SELECT s.path, n.* FROM note n LEFT JOIN source s ON s.id = n.source_id" },
      OF_RUN },
    { "settings.csv",
      N_("options and versions that the run recorded"),
      { "query", "--format=csv", "SELECT * FROM setting" },
      OF_RUN },
    { "logs.txt", N_("what the logs say"), { "logs" }, OF_LOGS | OF_NAMES },
    { "logs.json",
      N_("the same for programs, with all events"),
      { "logs", "--format=json" },
      OF_LOGS | OF_NAMES },
    { "logs-files.csv",
      N_("which logs there are"),
      { "logs", "--by=file", "--format=csv" },
      OF_LOGS | OF_NAMES },
    { "logs-meanings.csv",
      N_("what lines of the logs mean, counted"),
      { "logs", "--by=what", "--format=csv" },
      OF_LOGS | OF_NAMES },
    { "version.txt", N_("npuscope and its libraries"), { "--version", "--verbose" }, 0 },
};

/* Run a command for its text, in the session of c. */
static int text_of(struct cli *c, const char **argv, struct buf *text, struct err *e)
{
    const struct out_opts o = { .into = text };
    struct cli own = *c;
    bool gone;
    int argc = 0;

    while (argv[argc])
        argc++;

    own.opts = (struct options){ 0 };
    own.out = NULL;
    own.color = false;
    own.all_ranks = own.for_others = true;
    own.advice[0] = '\0';
    if (options_parse(&own.opts, argc, (char *const *)argv, NULL, e) == OK && out_open(&own.out, &o, e) == OK)
        (void)!c->command(&own, e);
    if (e->code)
        out_abort(own.out);
    else
        (void)!out_close(own.out, &gone, e);
    options_done(&own.opts);
    c->logs = own.logs;
    c->logs_failed = own.logs_failed;
    c->status = own.status;
    return e->code;
}

static int add_result(struct bundle *b, struct cli *c, const struct result *r, const char *path,
                      struct err *e)
{
    const char *argv[MOST + 4] = { "npuscope" }; /* with a NULL at its end */
    int argc = 1;
    struct err own = ERR_INIT;
    struct buf text;

    for (size_t i = 0; i < MOST && r->argv[i]; i++)
        argv[argc++] = r->argv[i];
    if (r->need)
        argv[argc++] = "--quiet";
    if (!c->session && r->need)
        argv[argc++] = path;
    buf_init(&text, TEXT_MAX);
    int rc = text_of(c, argv, &text, &own);
    if (!rc)
        rc = bundle_add(b, r->name, r->what, &text, 0, e);
    else if (rc == ERR_NOMEM || rc == ERR_CANCELLED || rc == ERR_STORE)
        *e = own;
    else
        rc = bundle_lack(b, e, "%s: %s", r->name, own.text);
    buf_done(&text);
    return rc;
}

int bundle_results(struct bundle *b, struct cli *c, const char *path, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(results); i++) {
        const struct result *r = &results[i];
        if (((r->need & OF_RUN) && !c->session) ||
            ((r->need & OF_LOGS) && c->session && !c->aliases && !c->logs))
            continue;
        if ((r->need & OF_NAMES) && c->aliases) {
            if (bundle_lack(b, e, "%s: it holds names", r->name))
                return e->code;
            continue;
        }
        if (add_result(b, c, r, path, e))
            return e->code;
    }
    return OK;
}
