/* SPDX-License-Identifier: Apache-2.0 */
/* Triage of logs alone. */
#include "config.h"

#include "ui/pane/triage/only_logs.h"

#include "analysis/job_logs.h"
#include "base/lang/tr.h"
#include "ui/app/app_int.h"

#define TEXT_B ((size_t)1 << 20)

bool triage_only_logs(const struct pane *p)
{
    return !session_job(app_session(p->app))->n_units;
}

bool triage_only_logs_can(struct pane *p)
{
    return app_logs(p->app, NULL) && app_logs_exist(p->app);
}

static int draw_line(struct canvas *c, struct rect a, int y, struct str line, enum role r)
{
    bool head = str_starts(line, STR("# "));
    struct buf b;
    struct str rest, part;

    buf_init(&b, TEXT_B);
    text_wrap(&b, head ? str_sub(line, 2, line.n) : line, (size_t)(a.w > 12 ? a.w - 2 : 10), canvas_flags(c));
    rest = buf_str(&b);
    if (!line.n)
        y++;
    while (y < a.h && str_next(&rest, '\n', &part))
        draw_text(c, a.y + y++, a.x + 1, a.w - 2, head ? ROLE_HEAD : r, part, CUT_END);
    buf_done(&b);
    return y;
}

void triage_only_logs_draw(struct pane *p, struct canvas *c, struct rect a)
{
    const struct job_logs *l = app_logs(p->app, NULL);
    struct str rest, line;
    struct buf b;
    int y = 0;

    if (!l || !job_logs_all(l)) {
        draw_puts(c, a.y, a.x + 1, a.w - 2, ROLE_TEXT,
                  l ? tr("There are no logs here that can be read.") : tr("The logs are being read."));
        return;
    }
    buf_init(&b, TEXT_B);
    job_logs_explain(l, &b);
    rest = buf_str(&b);
    while (y < a.h && str_next(&rest, '\n', &line))
        y = draw_line(c, a, y, line, y ? ROLE_TEXT : ROLE_BOLD);
    buf_done(&b);
}

void triage_only_logs_show(struct pane *p)
{
    const struct job_logs *l = app_logs_known(p->app);
    struct buf b;

    if (!l)
        return;
    buf_init(&b, TEXT_B);
    job_logs_explain(l, &b);
    app_show_text(p->app, "Verdict", &b);
    buf_done(&b);
}
