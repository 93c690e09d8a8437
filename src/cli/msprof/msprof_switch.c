/* SPDX-License-Identifier: Apache-2.0 */
/* The switches of msprof as a command line of msprof.py. */
#include "config.h"

#include "cli/msprof/msprof_switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/str.h"
#include "cli/commands.h"

/* What a switch asks for; what: the second word. */
static const struct switch_row {
    const char *name, *word, *what;
} switches[] = {
    { "export", "export", "text" },
    { "analyze", "analyze", NULL },
    { "parse", "import", NULL },
    { "query", "query", NULL },
};

/* Options beside them; as: the option of msprof.py, NULL: it means something to msprof alone. */
static const struct option_row {
    const char *name, *as;
    bool on_off; /* its value is on or off; as has none */
} options[] = {
    { "output", "-dir", false },         { "summary-format", "--format", false },
    { "reports", "-reports", false },    { "iteration-id", "--iteration-id", false },
    { "model-id", "--model-id", false }, { "rule", "--rule", false },
    { "clear", "--clear", true },        { "python-path", NULL, false },
};

/* An option at argv[*i] with its value, which may be the next word. name.p NULL: a word. */
struct given {
    struct str name;
    const char *value; /* NULL: none */
};

static struct given take(int argc, char **argv, int *i)
{
    const char *arg = argv[*i], *eq = strchr(arg, '=');
    struct given g = { .name = STR_NULL };

    if (strncmp(arg, "--", 2) != 0 || !arg[2])
        return g;
    g.name = eq ? (struct str){ arg + 2, (size_t)(eq - arg - 2) } : str_of(arg + 2);
    if (eq)
        g.value = eq + 1;
    else if (*i + 1 < argc && argv[*i + 1][0] != '-')
        g.value = argv[++*i];
    return g;
}

static const struct switch_row *find_switch(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(switches); i++)
        if (str_eq(name, str_of(switches[i].name)))
            return &switches[i];
    return NULL;
}

static const struct option_row *find_option(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (str_eq(name, str_of(options[i].name)))
            return &options[i];
    return NULL;
}

bool msprof_is_called(int argc, char **argv)
{
    const char *name = argc > 0 && argv[0] ? path_base(argv[0]) : "";

    return !strcmp(name, "msprof") || !strcmp(name, "msprof.py");
}

bool msprof_is_switched(int argc, char **argv)
{
    int at = 1;

    return argc > 1 && find_switch(take(argc, argv, &at).name) != NULL;
}

static int read_on_off(const struct given *g, bool *on, struct err *e)
{
    *on = g->value && !strcmp(g->value, "on");
    if (*on || (g->value && !strcmp(g->value, "off")))
        return OK;
    return err_set(e, ERR_USAGE, "--%.*s is on or off", (int)g->name.n, g->name.p);
}

static int no_option(const char *arg, struct err *e)
{
    if (command_find(str_of(arg)))
        return err_set(e, ERR_USAGE, "'%s' is a command of npuscope, and msprof has none: type 'npuscope %s'",
                       arg, arg);
    return err_set(e, ERR_USAGE,
                   "'%s' is about collecting a profile, which CANN's own msprof does. Of what was collected: "
                   "--export=on, --analyze=on, --query=on or --parse=on, with --output=DIR; npuscope's own "
                   "commands: npuscope help",
                   arg);
}

struct translation {
    const struct switch_row *chosen;
    const char *type; /* of --type; NULL: not given */
    bool clears;      /* --clear=on */
    struct msprof_switched *s;
};

static void put(struct translation *t, const char *word)
{
    t->s->argv[t->s->argc++] = (char *)word;
}

static int take_switch(struct translation *t, const struct switch_row *x, const struct given *g,
                       struct err *e)
{
    bool on;

    if (read_on_off(g, &on, e))
        return e->code;
    if (on && t->chosen && t->chosen != x)
        return err_set(e, ERR_USAGE, "--%s=on and --%s=on: give one at a time", t->chosen->name, x->name);
    if (on)
        t->chosen = x;
    return OK;
}

static int take_option(struct translation *t, const struct option_row *o, const struct given *g,
                       struct err *e)
{
    bool on = true;

    if (o->on_off && read_on_off(g, &on, e))
        return e->code;
    if (!g->value)
        return err_set(e, ERR_USAGE, "--%s wants a value", o->name);
    t->clears |= o->on_off && on;
    if (o->as && on)
        put(t, o->as);
    if (o->as && !o->on_off)
        put(t, g->value);
    return OK;
}

static int take_all(struct translation *t, int argc, char **argv, struct err *e)
{
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        struct given g = take(argc, argv, &i);
        const struct switch_row *x = find_switch(g.name);
        const struct option_row *o = find_option(g.name);
        if (g.name.p && str_eq(g.name, STR("type")))
            t->type = g.value ? g.value : "";
        else if (x ? take_switch(t, x, &g, e) : o ? take_option(t, o, &g, e) : no_option(arg, e))
            return e->code;
    }
    return OK;
}

/* The words before the options: --type chooses the form of an export, and is an option of analyze. */
static int put_form(struct translation *t, struct err *e)
{
    const char *what;

    if (!t->chosen)
        return err_set(e, ERR_USAGE, "one of --export=on, --analyze=on, --query=on, --parse=on is wanted%s",
                       t->clears ? " beside --clear" : "");
    what = t->chosen->what;
    if (what && t->type) {
        if (strcmp(t->type, "text") != 0 && strcmp(t->type, "db") != 0)
            return err_set(e, ERR_USAGE, "--type is text or db, not '%s'", t->type);
        what = t->type;
    } else if (t->type) {
        put(t, "--type");
        put(t, t->type);
    }
    t->s->argv[1] = (char *)t->chosen->word;
    t->s->argv[2] = (char *)what;
    return OK;
}

int msprof_switch(struct msprof_switched *s, int argc, char **argv, struct err *e)
{
    struct translation t = { .s = s };

    /* program and two words, each option at most in two, --type, NULL */
    *s = (struct msprof_switched){ .argv = calloc((size_t)argc * 2 + 6, sizeof(char *)), .argc = 3 };
    if (!s->argv)
        return err_nomem(e);
    s->argv[0] = argv[0];
    if (take_all(&t, argc, argv, e) || put_form(&t, e))
        return e->code;
    if (!s->argv[2]) { /* of one word */
        memmove(&s->argv[2], &s->argv[3], (size_t)(s->argc - 3) * sizeof(char *));
        s->argv[--s->argc] = NULL;
    }
    return OK;
}

void msprof_switched_done(struct msprof_switched *s)
{
    free(s->argv);
    s->argv = NULL;
}
