/* SPDX-License-Identifier: Apache-2.0 */
/* Log: lines of the logs of all ranks, what the profiles say between them, where groups of ranks stand. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/job_logs.h"
#include "base/lang/fill.h"
#include "base/lang/tr.h"
#include "logs/log_around.h"
#include "ui/pane/panes.h"

#define TEXT_B ((size_t)1 << 20)

static bool has_data(struct pane *p)
{
    return app_logs_rows(p->app, NULL);
}

/* While they are read there is nothing to say of what there is. */
static bool draw(struct pane *p, struct canvas *c, struct rect a)
{
    bool reading;

    if (app_logs_rows(p->app, &reading) || !reading)
        return false;
    draw_puts(c, a.y + (a.h > 4 ? 1 : 0), a.x + 3, a.w - 5, ROLE_TEXT,
              tr("The logs of this job are being read."));
    return true;
}

static bool shows(const struct pane *p, const char *view)
{
    struct table *t = pane_table(p);
    return t && table_view(t) && !strcmp(table_def(t)->id, view);
}

/* ---- Enter ---- */

static void add_fact(struct buf *b, struct table *t, const char *name, const char *id)
{
    struct val v = table_value(t, id);

    if (v.t != VAL_INT && !(v.t == VAL_TEXT && v.s.n))
        return;
    fill_label(b, name, 12);
    if (v.t == VAL_TEXT)
        buf_printf(b, "%.*s\n", (int)v.s.n, v.s.p);
    else
        buf_printf(b, "%" PRId64 "\n", v.i);
}

static void add_facts(struct buf *b, struct table *t)
{
    static const struct {
        const char *name, *id;
    } facts[] = {
        { N_("Meaning"), "says" },     { N_("Next"), "next" },     { N_("Time (UTC)"), "utc" },
        { N_("Zone by"), "clock" },    { N_("Rank"), "rank" },     { N_("Server"), "server" },
        { N_("Process"), "pid" },      { N_("Device"), "device" }, { N_("Stream"), "stream" },
        { N_("Task"), "task" },        { N_("Op"), "op" },         { N_("Kernel"), "kernel" },
        { N_("Group"), "group_name" }, { N_("Number"), "seq" },    { N_("Other rank"), "remote_rank" },
        { N_("Code"), "code" },        { N_("File"), "path" },     { N_("Line"), "line" },
    };

    for (size_t i = 0; i < ARRAY_LEN(facts); i++)
        add_fact(b, t, facts[i].name, facts[i].id);
}

/* The line as it stands in its file; of what a profile says, only that. */
static void show_line(struct pane *p, struct table *t)
{
    const struct job_logs *logs = app_logs_known(p->app);
    const struct logs *l = logs ? job_logs_all(logs) : NULL;
    struct val file = table_value(t, "file_id"), at = table_value(t, "offset_b"), no = table_value(t, "line");
    struct err e = ERR_INIT;
    struct buf b;

    buf_init(&b, TEXT_B);
    add_facts(&b, t);
    struct val text = table_value(t, "text");
    buf_puts(&b, tr("\n# The line\n"));
    buf_add(&b, text.t == VAL_TEXT ? text.s : STR(""));
    buf_puts(&b, "\n");
    if (l && file.t == VAL_INT && file.i > 0 && (uint64_t)file.i <= logs_n_files(l)) {
        buf_puts(&b, tr("\n# Around it in the file\n"));
        if (log_around(logs_file(l, (size_t)file.i - 1)->f.path, (uint64_t)at.i, (uint64_t)no.i, &b, &e))
            buf_printf(&b, "%s\n", e.text);
    }
    app_show_text(p->app, "Line of a log", &b);
    buf_done(&b);
}

static void show_stack(struct pane *p, struct table *t)
{
    struct buf b;

    buf_init(&b, TEXT_B);
    add_fact(&b, t, N_("Group"), "group_name");
    add_fact(&b, t, N_("Rank"), "rank");
    add_fact(&b, t, N_("State"), "state");
    add_fact(&b, t, N_("Number"), "seq");
    add_fact(&b, t, N_("Op"), "op");
    add_fact(&b, t, N_("Differs"), "says");
    add_fact(&b, t, N_("File"), "path");
    struct val stack = table_value(t, "stack");
    buf_puts(&b, tr("\n# Python stack, innermost first\n"));
    if (stack.t == VAL_TEXT)
        buf_add(&b, stack.s);
    else
        buf_puts(
            &b,
            tr("not written: TORCH_HCCL_DUMP_ON_TIMEOUT=1 leaves it beside the flight recorder's dump\n"));
    app_show_text(p->app, "Rank in a group", &b);
    buf_done(&b);
}

static bool open_row(struct pane *p)
{
    struct table *t = pane_table(p);

    if (shows(p, "logs.line"))
        show_line(p, t);
    else if (shows(p, "logs.hang"))
        show_stack(p, t);
    else
        return false;
    return true;
}

/* ---- moving ---- */

/* The pane opens at the first error of the verdict. */
static int attach(struct pane *p, struct err *e)
{
    struct table *t = pane_table(p);
    int col = shows(p, "logs.line") && !table_cursor(t) ? view_find_col(table_view(t), "first") : -1;

    (void)e;
    for (size_t i = 0; col >= 0 && i < table_rows(t); i++)
        if (table_value_at(t, i, (size_t)col).t == VAL_INT) {
            table_goto(t, i);
            break;
        }
    return OK;
}

/* The next line in this direction that is usually a cause; the search goes round. */
static bool go_to_error(struct pane *p, int dir)
{
    struct table *t = pane_table(p);
    size_t n = table_rows(t), at = table_cursor(t);
    int col = view_find_col(table_view(t), "severity");

    for (size_t i = 0; col >= 0 && i < n; i++) {
        at = dir > 0 ? (at + 1) % n : (at + n - 1) % n;
        struct val v = table_value_at(t, at, (size_t)col);
        if (v.t == VAL_TEXT && str_eq(v.s, STR("ERROR"))) {
            table_goto(t, at);
            return true;
        }
    }
    app_say(p->app, ROLE_TEXT, "no line here is usually a cause");
    return true;
}

/* n and N repeat a search once there was one. */
static bool goes_to_errors(const struct pane *p)
{
    return shows(p, "logs.line") && !app_has_search(p->app);
}

static bool key(struct pane *p, enum action act)
{
    if ((act == ACT_FIND_NEXT || act == ACT_FIND_PREV) && goes_to_errors(p) && table_rows(pane_table(p)))
        return go_to_error(p, act == ACT_FIND_NEXT ? 1 : -1);
    return false;
}

static bool can_find(struct pane *p)
{
    return goes_to_errors(p) || app_has_search(p->app);
}

static const struct pane_need *needs(const struct pane *p)
{
    static const struct pane_need list[] = {
        { ACT_FIND_NEXT, can_find, "nothing was searched for yet; / asks" },
        { ACT_FIND_PREV, can_find, "nothing was searched for yet; / asks" },
        { ACT_NONE, NULL, NULL },
    };
    (void)p;
    return list;
}

const struct pane_ops pane_log_ops = {
    .draw = draw,
    .has_data = has_data,
    .attach = attach,
    .open_row = open_row,
    .key = key,
    .needs = needs,
};
