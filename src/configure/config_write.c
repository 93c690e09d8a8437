/* SPDX-License-Identifier: Apache-2.0 */
/* Writers of the forms (doc/formats/framework.md#configuration). */
#include "config.h"

#include "configure/config_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define JSON_SINCE 24

enum switch_at config_at(const struct config_target *t)
{
    static const enum switch_at at[N_FRAMEWORKS][N_FORMS] = {
        [FRAMEWORK_MINDSPORE] = { AT_ENV, AT_JSON, AT_PYTHON, AT_MSPROF },
        [FRAMEWORK_TORCH] = { N_AT, AT_TORCH_JSON, AT_TORCH_PYTHON, AT_MSPROF },
    };

    if (t->form == FORM_JSON && t->framework == FRAMEWORK_MINDSPORE && t->version < JSON_SINCE)
        return N_AT;
    return at[t->framework][t->form];
}

static int no_form(const struct config_target *t, struct err *e)
{
    if (t->form == FORM_JSON)
        return err_set(e, ERR_USAGE,
                       "DynamicProfilerMonitor, which reads profiler_config.json, came with MindSpore "
                       "%d.%d",
                       JSON_SINCE / 10, JSON_SINCE % 10);
    return err_set(e, ERR_USAGE,
                   "torch_npu reads no environment variable of switches: --as=json is the file of its "
                   "dynamic_profile, --as=python the calls");
}

/* ---- values ---- */

static bool is_plain(struct str s)
{
    static const char *const plain[] = { "null", "true", "false", "None", "True", "False" };

    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        if (str_eq(s, str_of(plain[i])))
            return true;
    return false;
}

static const char *module_of(const struct config_target *t)
{
    return t->framework == FRAMEWORK_TORCH ? "torch_npu.profiler." : "mindspore.profiler.";
}

/* One word of a switch; false: it is not among those that can be written. */
static bool add_word(const struct config_target *t, const struct switch_place *p, struct str word,
                     struct buf *out)
{
    struct str here = pairs_get(p->words, word);

    if (!here.p && pairs_are_all(p->words))
        return false;
    if (!here.p)
        here = word;
    if (p->prefix)
        buf_printf(out, "%s%s%.*s", module_of(t), p->prefix, (int)here.n, here.p);
    else if (is_plain(here) && p->words)
        buf_add(out, here);
    else
        buf_json(out, here);
    return true;
}

static bool add_list(const struct config_target *t, const struct switch_def *d, const struct switch_place *p,
                     struct str list, struct buf *out)
{
    struct str item;

    buf_addc(out, '[');
    for (const char *sep = ""; list.n && str_next(&list, ',', &item); sep = ", ") {
        buf_puts(out, sep);
        if (d->type == ST_INTS)
            buf_add(out, item);
        else if (d->type == ST_TEXTS)
            buf_json(out, item);
        else if (!add_word(t, p, item, out))
            return false;
    }
    buf_addc(out, ']');
    return true;
}

static bool add_value(const struct config_target *t, const struct switch_def *d, struct str v,
                      struct buf *out)
{
    const struct switch_place *p = &d->at[config_at(t)];
    const char *codes = switch_codes(p, t->version);
    bool python = t->form == FORM_PYTHON;

    if (codes) {
        struct str code = pairs_get(codes, v);
        if (code.p)
            buf_add(out, code);
        return code.p != NULL;
    }
    switch (d->type) {
    case ST_BOOL:
        if (python)
            v = str_eq(v, STR("true")) ? STR("True") : STR("False");
        buf_add(out, v);
        return true;
    case ST_WORD:
        return add_word(t, p, v, out);
    case ST_WORDS:
    case ST_TEXTS:
    case ST_INTS:
        return add_list(t, d, p, v, out);
    case ST_TEXT:
        buf_json(out, v);
        return true;
    default:
        buf_add(out, python && str_eq(v, STR("null")) ? STR("None") : v);
        return true;
    }
}

/* A word of a shell, in quotes where it needs them. */
static void add_shell(struct str s, struct buf *out)
{
    bool plain = s.n > 0;

    for (size_t i = 0; i < s.n && plain; i++)
        plain = str_is_word(s.p[i]) || strchr("./,:+-=", s.p[i]);
    if (plain) {
        buf_add(out, s);
        return;
    }
    buf_addc(out, '\'');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'')
            buf_puts(out, "'\\''");
        else
            buf_addc(out, s.p[i]);
    }
    buf_addc(out, '\'');
}

static bool add_option(const struct switch_def *d, struct str v, struct buf *out)
{
    const struct switch_place *p = &d->at[AT_MSPROF];
    struct str here = pairs_get(p->words, v);

    if (!here.p && (pairs_are_all(p->words) || !v.n))
        return false;
    if (here.p && str_starts(here, STR("--"))) { /* the table's: whole options; of others it is a value */
        buf_add(out, here);
    } else {
        buf_printf(out, "%s=", p->key);
        add_shell(here.p ? here : v, out);
    }
    return true;
}

bool config_value(const struct config_target *t, enum switch_id id, struct str value, struct buf *out)
{
    enum switch_at at = config_at(t);
    size_t was = out->n;

    if (at == N_AT || !switch_key(&switch_defs[id], at, t->version))
        return false;
    if (t->form == FORM_MSPROF ? add_option(&switch_defs[id], value, out)
                               : add_value(t, &switch_defs[id], value, out))
        return true;
    if (out->p && out->n > was)
        out->p[out->n = was] = '\0';
    return false;
}

bool config_can(const struct config_target *t, enum switch_id id, struct str value)
{
    struct buf b;

    buf_init(&b, 65536);
    bool can = config_value(t, id, value, &b);
    buf_done(&b);
    return can;
}

/* ---- forms ---- */

struct writing {
    const struct config_target *t;
    const struct choice *c;
    struct choice steps; /* start_step and stop_step as a schedule of Python */
    enum switch_at at;
    struct buf *out;
    bool written[N_SWITCHES];
};

static const char *chosen(const struct writing *w, size_t i)
{
    return w->c->value[i] ? w->c->value[i] : w->steps.value[i];
}

static bool in_scope(const struct writing *w, size_t i, const char *scope)
{
    const char *own = switch_defs[i].at[w->at].scope;

    if (!chosen(w, i) || !config_can(w->t, (enum switch_id)i, str_of(chosen(w, i))))
        return false;
    return scope && own ? !strcmp(scope, own) : scope == own;
}

static bool any_in(const struct writing *w, const char *scope)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (in_scope(w, i, scope))
            return true;
    return false;
}

/* "key": value of a scope, with the text between two of them. Returns how many. */
static size_t add_members(struct writing *w, const char *scope, const char *sep)
{
    bool python = w->t->form == FORM_PYTHON;
    size_t n = 0;

    for (size_t i = 0; i < N_SWITCHES; i++) {
        if (!in_scope(w, i, scope))
            continue;
        const char *key = switch_key(&switch_defs[i], w->at, w->t->version);
        if (n++)
            buf_puts(w->out, sep);
        buf_printf(w->out, python ? "%s=" : "\"%s\": ", key);
        config_value(w->t, (enum switch_id)i, str_of(chosen(w, i)), w->out);
        w->written[i] = true;
    }
    return n;
}

static void add_comment(struct buf *out, struct str lines)
{
    struct str line;

    while (lines.n && str_next(&lines, '\n', &line))
        buf_printf(out, line.n ? "# %.*s\n" : "#\n", (int)line.n, line.p);
}

/* Switches that the form lacks, a comment each. */
static void add_kept(struct writing *w)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (w->c->value[i] && !w->written[i])
            buf_printf(w->out, CONFIG_KEPT "%s: %s=%s\n", switch_at_title(w->at), switch_defs[i].name,
                       w->c->value[i]);
}

static void write_env(struct writing *w)
{
    struct buf json, *out = w->out;

    buf_init(&json, 65536);
    w->out = &json;
    buf_addc(&json, '{');
    add_members(w, NULL, ", ");
    buf_addc(&json, '}');
    w->out = out;
    buf_puts(out, "export MS_PROFILER_OPTIONS=");
    add_shell(buf_str(&json), out);
    buf_addc(out, '\n');
    buf_done(&json);
    add_kept(w);
}

/* The object that the job ignores. */
static void add_own(struct writing *w, const char *sep)
{
    bool any = false;

    for (size_t i = 0; i < N_SWITCHES; i++) {
        if (!w->c->value[i] || w->written[i])
            continue;
        buf_printf(w->out, any ? ",\n        \"%s\": " : "%s", any ? switch_defs[i].name : sep);
        if (!any)
            buf_printf(w->out, "\"" CONFIG_OWN "\": {\n        \"%s\": ", switch_defs[i].name);
        buf_json(w->out, str_of(w->c->value[i]));
        any = true;
    }
    if (any)
        buf_puts(w->out, "\n    }");
}

static void write_json(struct writing *w)
{
    static const char expert[] = "experimental_config";
    size_t n;

    buf_puts(w->out, "{\n    ");
    n = add_members(w, NULL, ",\n    ");
    if (any_in(w, expert)) {
        buf_printf(w->out, "%s\"%s\": {\n        ", n++ ? ",\n    " : "", expert);
        add_members(w, expert, ",\n        ");
        buf_puts(w->out, "\n    }");
    }
    add_own(w, n ? ",\n    " : "");
    buf_puts(w->out, "\n}\n");
}

/* start_step and stop_step, which Python has no words for, as the schedule that does the same. */
static int add_schedule(struct writing *w, struct err *e)
{
    static const enum switch_id parts[] = { SW_WAIT, SW_WARMUP, SW_ACTIVE, SW_REPEAT, SW_SKIP_FIRST };
    int64_t start, stop;
    char text[24];

    if (w->at != AT_PYTHON || w->t->version < 25 || str_eq(choice_get(w->c, SW_DATA_PROCESS), STR("true")))
        return OK; /* a schedule turns data_process off */
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (w->c->value[parts[i]])
            return OK;
    if (!str_i64(choice_get(w->c, SW_START_STEP), &start) ||
        !str_i64(choice_get(w->c, SW_STOP_STEP), &stop) || start < 1 || stop < start)
        return OK;
    snprintf(text, sizeof text, "%" PRId64, stop - start + 1);
    if (choice_set(&w->steps, SW_ACTIVE, str_of(text), e))
        return e->code;
    snprintf(text, sizeof text, "%" PRId64, start - 1);
    if (choice_set(&w->steps, SW_SKIP_FIRST, str_of(text), e) ||
        choice_set(&w->steps, SW_WAIT, STR("0"), e) || choice_set(&w->steps, SW_WARMUP, STR("0"), e) ||
        choice_set(&w->steps, SW_REPEAT, STR("1"), e))
        return e->code;
    return OK;
}

/* "schedule=MODULE.schedule(...)", when the scope has something; true: it has. */
static bool add_call(struct writing *w, const char *argument, const char *scope, const char *sep)
{
    if (!any_in(w, scope))
        return false;
    buf_printf(w->out, "%s%s=%s%s(", sep, argument, module_of(w->t), scope);
    add_members(w, scope, ", ");
    buf_addc(w->out, ')');
    return true;
}

static void add_handler(struct writing *w, const char *sep)
{
    if (!add_call(w, "on_trace_ready", "tensorboard_trace_handler", sep))
        buf_printf(w->out, "%son_trace_ready=%stensorboard_trace_handler()", sep, module_of(w->t));
}

/* profile() and what goes into it; of MindSpore up to 2.5 all of it is one call. */
static void write_python(struct writing *w)
{
    static const char expert[] = "_ExperimentalConfig", sep[] = ",\n        ";
    bool torch = w->t->framework == FRAMEWORK_TORCH, old = !torch && w->t->version <= 25;
    bool experts = any_in(w, expert) && !old;
    size_t n;

    buf_puts(w->out, torch ? "import torch_npu\n\n" : "import mindspore\n\n");
    if (experts) {
        buf_printf(w->out, "experimental_config = %s%s(\n    ", module_of(w->t), expert);
        add_members(w, expert, ",\n    ");
        buf_puts(w->out, ")\n");
    }
    buf_printf(w->out, "%s(\n        ",
               torch ? "with torch_npu.profiler.profile"
               : old ? "profiler = mindspore.Profiler"
                     : "with mindspore.profiler.profile");
    n = add_members(w, "profile", sep);
    if (old && any_in(w, expert)) {
        buf_puts(w->out, n ? sep : "");
        n += add_members(w, expert, sep);
    }
    if (old && any_in(w, "tensorboard_trace_handler")) {
        buf_puts(w->out, n ? sep : "");
        n += add_members(w, "tensorboard_trace_handler", sep);
    }
    n += add_call(w, "schedule", "schedule", n ? sep : "");
    if (!old)
        add_handler(w, n ? sep : "");
    if (experts)
        buf_printf(w->out, "%sexperimental_config=experimental_config", sep);
    if (old)
        buf_puts(w->out, ")\ntrain()\nprofiler.analyse()\n");
    else
        buf_puts(w->out, ") as prof:\n    for step in range(steps):\n        train_one_step()\n        "
                         "prof.step()\n");
    add_kept(w);
}

static void write_msprof(struct writing *w)
{
    buf_puts(w->out, "msprof");
    for (size_t i = 0; i < N_SWITCHES; i++) {
        if (!chosen(w, i) || !config_can(w->t, (enum switch_id)i, str_of(chosen(w, i))))
            continue;
        buf_puts(w->out, " \\\n    ");
        config_value(w->t, (enum switch_id)i, str_of(chosen(w, i)), w->out);
        w->written[i] = true;
    }
    buf_puts(w->out, " \\\n    python3 train.py\n");
    add_kept(w);
}

int config_write(const struct choice *c, const struct config_target *t, struct str notes, struct buf *out,
                 struct err *e)
{
    static void (*const write[N_FORMS])(struct writing *) = { write_env, write_json, write_python,
                                                              write_msprof };
    struct writing w = { .t = t, .c = c, .at = config_at(t), .out = out };

    if (w.at == N_AT)
        return no_form(t, e);
    if (t->form != FORM_JSON)
        add_comment(out, notes);
    if (add_schedule(&w, e) == OK)
        write[t->form](&w);
    choice_done(&w.steps);
    return buf_failed(out) ? err_nomem(e) : e->code;
}
