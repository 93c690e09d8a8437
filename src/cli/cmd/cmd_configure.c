/* SPDX-License-Identifier: Apache-2.0 */
/* configure: settings of the profilers. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lang/tr.h"
#include "base/log.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/cmd/cmd.h"
#include "cli/help_text.h"
#include "configure/config_check.h"
#include "configure/config_edit.h"
#include "configure/presets.h"

static unsigned version_of(const struct options *o, unsigned otherwise)
{
    const char *text = opt_text(o, OPT_JOB_VERSION);

    return text ? switch_version(str_of(text)) : otherwise;
}

static struct config_target target_of(const struct options *o)
{
    return (struct config_target){
        .form = (enum config_form)opt_int(o, OPT_AS, FORM_ENV),
        .framework = (enum config_framework)opt_int(o, OPT_FRAMEWORK, FRAMEWORK_MINDSPORE),
        .version = version_of(o, VERSION_NEWEST),
    };
}

static void say(const struct cli *c, struct str lines)
{
    struct str line;

    while (!opt_is(&c->opts, OPT_QUIET) && lines.n && str_next(&lines, '\n', &line))
        if (line.n)
            log_message("%.*s", (int)line.n, line.p);
}

/* ---- list ---- */

static int list_switches(struct cli *c, struct err *e)
{
    struct buf b;

    if (cli_output(c, true, e))
        return e->code;
    for (size_t i = 0; i < N_SWITCHES; i++) {
        buf_init(&b, 65536);
        switch_text(&switch_defs[i], &b);
        if (buf_failed(&b))
            err_nomem(e);
        else
            help_entry(c->out, switch_defs[i].name, b.p, 24);
        buf_done(&b);
    }
    return e->code;
}

/* ---- check ---- */

/* The text to explain, and what it is called. */
static int take_text(struct cli *c, struct buf *text, const char **name, struct err *e)
{
    const char *arg = cmd_arg(c, 0), *env = getenv("MS_PROFILER_OPTIONS");

    if (!arg && !env)
        return err_set(e, ERR_USAGE, "--check needs a FILE: MS_PROFILER_OPTIONS is not set here");
    *name = arg ? arg : "MS_PROFILER_OPTIONS";
    if (arg && !strcmp(arg, "-")) {
        *name = tr("standard input");
        if (config_load_fd(STDIN_FILENO, text, e))
            err_where(e, *name, ERR_NO_OFFSET, 0);
        return e->code;
    }
    if (arg && arg[0] != '{')
        return config_load(arg, text, e);
    if (arg)
        *name = tr("text");
    buf_puts(text, arg ? arg : env);
    return buf_failed(text) ? err_set(e, ERR_LIMIT, "the text is longer than 1 MiB") : OK;
}

/* What the text is: as its keys look, unless options say otherwise. */
static int find_target(const struct cli *c, struct str text, struct config_target *t, struct err *e)
{
    const struct options *o = &c->opts;
    bool known = config_guess(text, version_of(o, 0), t);

    if (!cmd_arg(c, 0))
        t->form = FORM_ENV, known = true;
    if (opt_is(o, OPT_AS))
        t->form = (enum config_form)opt_int(o, OPT_AS, 0), known = true;
    if (opt_is(o, OPT_FRAMEWORK))
        t->framework = (enum config_framework)opt_int(o, OPT_FRAMEWORK, 0);
    if (!t->version)
        t->version = VERSION_NEWEST;
    if (!known)
        return err_set(e, ERR_FORMAT, "it looks like none of the forms; --as=FORM says which it is");
    return OK;
}

static int check(struct cli *c, struct err *e)
{
    struct config_target t;
    struct buf text, b, safe;
    const char *name = "";
    struct str rest, line;
    size_t wrong = 0;

    buf_init(&text, CONFIG_LOAD_B);
    buf_init(&b, (size_t)8 << 20);
    buf_init(&safe, (size_t)32 << 20);
    if (take_text(c, &text, &name, e) || find_target(c, buf_str(&text), &t, e) ||
        config_check(buf_str(&text), name, &t, !opt_is(&c->opts, OPT_JOB_VERSION), &b, &wrong, e) ||
        cli_output(c, true, e))
        goto out;
    for (rest = buf_str(&b); rest.n && str_next(&rest, '\n', &line);) {
        text_safe(&safe, line, c->text_flags);
        if (rest.p)
            buf_addc(&safe, '\n');
    }
    out_add(c->out, buf_str(&safe));
    if (wrong)
        c->status = ST_DAMAGED;
out:
    if (e->code == ERR_FORMAT && !e->file[0])
        err_where(e, name, ERR_NO_OFFSET, 0);
    buf_done(&text);
    buf_done(&b);
    buf_done(&safe);
    return e->code;
}

/* ---- change a file, write a text ---- */

static const char **sets_of(const struct cli *c, size_t *n, struct err *e)
{
    const char **texts;

    *n = opt_count(&c->opts, OPT_SET);
    texts = calloc(*n + 1, sizeof *texts);
    for (size_t i = 0; texts && i < *n; i++)
        texts[i] = opt_nth(&c->opts, OPT_SET, i);
    if (!texts)
        err_nomem(e);
    return texts;
}

static int edit(struct cli *c, const char *const *texts, size_t n, struct err *e)
{
    const char *path = cmd_arg(c, 0);
    bool same;

    if (!n)
        return err_set(e, ERR_USAGE, "what is to be done with '%s'? --check explains it, --set changes it",
                       path);
    if (opt_is(&c->opts, OPT_OUTPUT) || opt_is(&c->opts, OPT_FOR) || opt_is(&c->opts, OPT_AS))
        return err_set(e, ERR_USAGE, "a FILE is changed by --set alone; without it a new one is written");
    if (config_edit_file(path, version_of(&c->opts, 0), texts, n, &same, e))
        return e->code;
    if (!opt_is(&c->opts, OPT_QUIET))
        log_message(same ? "%s says so already: nothing was written, and a job sees no change"
                         : "%s is changed; a job sees it when it polls next",
                    path);
    return OK;
}

/* A word alone is a name: to take overview for a mistyped one would record something else than was meant. */
static int no_preset(struct str name, struct err *e)
{
    struct nearest near;
    struct buf all;
    char text[60];

    str_copy(name, text, sizeof text);
    nearest_begin(&near, name);
    buf_init(&all, 400);
    for (size_t i = 0; i < n_presets; i++) {
        nearest_offer(&near, presets[i].name);
        buf_printf(&all, "%s%s", i ? ", " : "", presets[i].name);
    }
    if (near.best)
        (void)!err_set(e, ERR_USAGE, "there is no preset '%s'; did you mean '%s'?", text, near.best);
    else
        (void)!err_set(e, ERR_USAGE, "there is no preset '%s': there are %s; or a question in words", text,
                       all.p ? all.p : "");
    buf_done(&all);
    return e->code;
}

/* What --for asks for; notes: how it was understood. */
static int choose(const struct cli *c, const struct config_target *t, size_t n_sets, struct choice *chosen,
                  struct buf *notes, struct err *e)
{
    const char *what = opt_text(&c->opts, OPT_FOR);
    const struct preset *p = preset_find(what ? str_of(what) : STR("overview"));
    struct buf names, out;
    bool found = true;

    if (!what && n_sets)
        return config_at(t) == AT_ENV ? choice_set(chosen, SW_START, STR("true"), e) : OK;
    buf_init(&names, 4096);
    buf_init(&out, 4096);
    if (p) {
        buf_puts(&names, p->name);
        (void)!preset_choose(p, chosen, e);
    } else {
        (void)!presets_ask(str_of(what), chosen, &names, &found, e);
        if (!found && str_chr(str_of(what), ' ') == SIZE_MAX)
            (void)!no_preset(str_of(what), e);
    }
    choice_fit(chosen, t, &out);
    buf_printf(notes, "npuscope configure: %s%s\n", names.p ? names.p : "",
               found ? "" : tr(": no word of the question is known"));
    if (out.n)
        buf_printf(notes, tr("Not in %s: %s\n"), tr(switch_at_title(config_at(t))), out.p);
    buf_done(&names);
    buf_done(&out);
    return e->code;
}

/* What was asked for and came with a later version, or is gone: the text goes without it. */
static void say_other_versions(const struct choice *chosen, const struct config_target *t)
{
    enum switch_at at = config_at(t);

    for (size_t i = 0; i < N_SWITCHES; i++) {
        const struct switch_place *p = &switch_defs[i].at[at];
        if (!chosen->value[i] || !p->key || switch_key(&switch_defs[i], at, t->version))
            continue;
        bool later = p->since && t->version < p->since;
        unsigned known = later ? p->since : p->until;
        log_message(later ? "MindSpore %u.%u does not know %s: it came with %u.%u"
                          : "MindSpore %u.%u does not know %s: it is of versions up to %u.%u",
                    t->version / 10, t->version % 10, switch_defs[i].name, known / 10, known % 10);
    }
}

static int write_text(struct cli *c, const char *const *texts, size_t n, struct err *e)
{
    const struct config_target t = target_of(&c->opts);
    struct choice chosen = { { NULL } };
    struct buf notes, b;

    buf_init(&notes, 65536);
    buf_init(&b, (size_t)4 << 20);
    if (config_at(&t) == N_AT)
        (void)!config_write(&chosen, &t, STR_NULL, &b, e);
    else if (choose(c, &t, n, &chosen, &notes, e) == OK)
        (void)!choice_set_all(&chosen, texts, n, config_at(&t), e);
    if (e->code)
        goto out;
    choice_cost_text(&chosen, &notes);
    if (config_at(&t) == AT_JSON && !chosen.value[SW_START_STEP]) {
        buf_puts(&notes, tr("No window yet: --set start_step=N --set step_num=M\n"));
        if (choice_set(&chosen, SW_START_STEP, STR("-1"), e) ||
            choice_set(&chosen, SW_STOP_STEP, STR("-1"), e))
            goto out;
    }
    if (config_write(&chosen, &t, buf_str(&notes), &b, e) || cli_output(c, false, e))
        goto out;
    if (t.form == FORM_JSON || cli_output_path(&c->opts))
        say(c, buf_str(&notes));
    out_add(c->out, buf_str(&b));
    say_other_versions(&chosen, &t);
    struct buf wrong;
    buf_init(&wrong, 4096);
    if (config_first_wrong(buf_str(&b), STR_NULL, &t, &wrong))
        log_message("this is not as it should be: %s", wrong.p);
    buf_done(&wrong);
out:
    buf_done(&notes);
    buf_done(&b);
    choice_done(&chosen);
    return e->code;
}

int cmd_configure(struct cli *c, struct err *e)
{
    size_t n = 0;

    cmd_choose_language(c);
    if (opt_is(&c->opts, OPT_LIST))
        return list_switches(c, e);
    if (opt_is(&c->opts, OPT_CHECK))
        return check(c, e);
    const char **texts = sets_of(c, &n, e);
    if (texts)
        (void)!(cmd_arg(c, 0) ? edit(c, texts, n, e) : write_text(c, texts, n, e));
    free((void *)texts);
    return e->code;
}
