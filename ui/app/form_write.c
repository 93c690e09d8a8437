/* SPDX-License-Identifier: Apache-2.0 */
/* The form's text to a file. */
#include "config.h"

#include "ui/app/form_write.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lang/tr.h"
#include "base/path.h"
#include "configure/config_edit.h"
#include "ui/app/app_int.h"

/* One writing, from the key to the last answer; the form keeps it, because a question may be left by Esc. */
struct form_writing {
    struct choice c;
    struct config_target t;
    struct buf text;
    char path[PATH_MAX];
    bool asked_below;
};

void form_writing_free(struct form_writing *w)
{
    if (!w)
        return;
    choice_done(&w->c);
    buf_done(&w->text);
    free(w);
}

static bool is_yes(struct str text)
{
    struct str s = str_trim(text);
    return str_eq_nocase(s, STR("y")) || str_eq_nocase(s, STR("yes"));
}

/* The folder of path, or path itself where it is one, lies in the folder that the profile is. */
static bool is_below_profile(const struct app *a, const char *path)
{
    char dir[PATH_MAX], *real = NULL, *root = realpath(session_job(a->s)->path, NULL);
    bool below = false;

    if (root && path_dir(dir, sizeof dir, path))
        real = realpath(dir, NULL);
    if (root && real)
        below = path_is_below(real, root);
    free(root);
    free(real);
    return below;
}

/* A configuration that is there keeps what nobody chose here. */
static int change_file(const struct form_writing *w, bool *same, struct err *e)
{
    const char *texts[N_SWITCHES];
    char *made[N_SWITCHES] = { NULL };
    size_t n = 0;

    for (size_t i = 0; i < N_SWITCHES && !e->code; i++) {
        if (!w->c.value[i] || !switch_key(&switch_defs[i], config_at(&w->t), w->t.version))
            continue;
        size_t room = strlen(switch_defs[i].name) + strlen(w->c.value[i]) + 2;
        made[n] = malloc(room);
        if (!made[n]) {
            err_nomem(e);
            break;
        }
        snprintf(made[n], room, "%s=%s", switch_defs[i].name, w->c.value[i]);
        texts[n] = made[n];
        n++;
    }
    if (!e->code)
        (void)!config_edit_file(w->path, w->t.version, texts, n, same, e);
    for (size_t i = 0; i < n; i++)
        free(made[i]);
    return e->code;
}

static int write_file(const struct form_writing *w, bool replace, struct err *e)
{
    struct file_write *f = NULL;

    if (file_write_open(&f, w->path, replace, e) || file_write_data(f, w->text.p, w->text.n, e)) {
        file_write_abort(f);
        return e->code;
    }
    return file_write_commit(f, e);
}

static void write_now(struct app *a, struct form_writing *w, bool there)
{
    struct err e = ERR_INIT;
    bool same = false, changes = there && w->t.form == FORM_JSON;

    if (changes ? change_file(w, &same, &e) : write_file(w, there, &e))
        app_say_err(a, &e);
    else
        app_say(a, ROLE_GOOD, same ? "%s says so already" : changes ? "changed %s" : "wrote %s", w->path);
}

static void next_question(struct app *a, struct form_writing *w);

static void below_answer(struct app *a, void *arg, struct str text)
{
    struct form_writing *w = arg;

    w->asked_below = true;
    if (is_yes(text))
        next_question(a, w);
    else
        app_say(a, ROLE_TEXT, "nothing was written");
}

static void over_answer(struct app *a, void *arg, struct str text)
{
    if (is_yes(text))
        write_now(a, arg, true);
    else
        app_say(a, ROLE_TEXT, "nothing was written");
}

static void next_question(struct app *a, struct form_writing *w)
{
    bool there = access(w->path, F_OK) == 0;
    char label[96];

    if (!w->asked_below && is_below_profile(a, w->path)) {
        app_ask(a, "this is below the profile; write it there? (yes or no): ", STR(""), below_answer, w);
    } else if (there) {
        snprintf(label, sizeof label, tr("it is there; %s? (yes or no): "),
                 w->t.form == FORM_JSON ? tr("change these values in it") : tr("replace it"));
        app_ask(a, label, STR(""), over_answer, w);
    } else {
        write_now(a, w, false);
    }
}

static void name_answer(struct app *a, void *arg, struct str text)
{
    struct form_writing *w = arg;

    text = str_trim(text);
    if (!text.n || text.n >= sizeof w->path) {
        app_say(a, ROLE_TEXT, "nothing was written");
        return;
    }
    str_copy(text, w->path, sizeof w->path);
    next_question(a, w);
}

struct form_writing *form_write(struct app *a, const struct choice *c, const struct config_target *t,
                                struct str text)
{
    static const char *const names[N_FORMS] = { "ms_profiler_options.sh", "profiler_config.json",
                                                "profile.py", "msprof.sh" };
    struct form_writing *w = calloc(1, sizeof *w);
    struct err e = ERR_INIT;

    if (!w) {
        err_nomem(&e);
        app_say_err(a, &e);
        return NULL;
    }
    buf_init(&w->text, (size_t)4 << 20);
    w->t = *t;
    buf_add(&w->text, text);
    if (buf_failed(&w->text))
        err_nomem(&e);
    if (e.code || choice_merge(&w->c, c, &e)) {
        app_say_err(a, &e);
        form_writing_free(w);
        return NULL;
    }
    app_ask(a, "write to: ", str_of(names[t->form]), name_answer, w);
    return w;
}
