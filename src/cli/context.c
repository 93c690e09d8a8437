/* SPDX-License-Identifier: Apache-2.0 */
/* What a command works with: where its output goes, and how it may look. */
#include "config.h"

#include "base/lang/locale_utf8.h"
#include "base/lang/tr.h"
#include "base/log.h"
#include "base/sig.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/cmd/cmd.h"
#include "cli/msprof/msprof.h"
#include "cli/open.h"
#include "cli/out.h"
#include "parsers/logs/signatures_own.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool env_is(const char *name, const char *value)
{
    const char *v = getenv(name);
    return v && strcmp(v, value) == 0;
}

bool cli_utf8(void)
{
    return locale_utf8(false) || env_is("NPUSCOPE_UTF8", "1");
}

static unsigned choose_text(const struct options *o)
{
    unsigned flags = 0;

    if (opt_is(o, OPT_ASCII) || (!cli_utf8() && !opt_is(o, OPT_UTF8)))
        flags |= TEXT_ASCII;
    if (env_is("NPUSCOPE_AMBIGUOUS", "2"))
        flags |= TEXT_WIDE_AMBIGUOUS;
    return flags;
}

const char *cli_output_path(const struct options *o)
{
    const char *path = opt_text(o, OPT_OUTPUT);

    return path && strcmp(path, "-") != 0 ? path : NULL;
}

static bool choose_color(const struct options *o)
{
    const char *when = opt_text(o, OPT_COLOR), *none = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (when && !strcmp(when, "always"))
        return true;
    if (when && !strcmp(when, "never"))
        return false;
    return isatty(STDOUT_FILENO) && !cli_output_path(o) && !(none && *none) && term && *term &&
           strcmp(term, "dumb") != 0;
}

int cli_output(struct cli *c, bool long_text, struct err *e)
{
    if (c->out)
        return OK;
    const struct out_opts o = { .path = cli_output_path(&c->opts), .page = long_text };
    return out_open(&c->out, &o, e);
}

static void name_wrong_signature(void *arg, uint32_t line, const char *why)
{
    (void)arg;
    log_message("signatures of your own, line %u: %s: left out", line, why);
}

void cli_signatures(struct cli *c)
{
    struct err e = ERR_INIT;

    if (c->has_signatures || opt_is(&c->opts, OPT_NO_LOGS))
        return;
    c->has_signatures = true;
    if (signatures_own_read(NULL, name_wrong_signature, NULL, &e))
        log_error(&e);
}

int cli_setup(struct cli *c, struct err *e)
{
    c->text_flags = choose_text(&c->opts);
    c->color = choose_color(&c->opts);
    log_text_flags(c->text_flags);
    tr_choose_messages(!(c->text_flags & TEXT_ASCII));
    log_level((int)opt_count(&c->opts, OPT_VERBOSE));
    if (opt_is(&c->opts, OPT_LOG) && log_to_file(opt_text(&c->opts, OPT_LOG), e))
        return e->code;
    return sig_init(false, e);
}
