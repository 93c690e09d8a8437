/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings of one rank. */
#include "config.h"

#include "ui/pane/triage/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/app/app_int.h"

#define TEXT_X     20 /* of a finding */
#define LINES_MOST 4

static enum role severity_role(const char *s)
{
    return s[0] == 'E' ? ROLE_ERROR : s[0] == 'W' ? ROLE_WARN : ROLE_INFO;
}

static void go_key(struct pane *p, enum pane_id id, char *buf, size_t n)
{
    keymap_key(app_keys(p->app), pane_defs[id].key, &(struct key_where){ .scopes = SC_GLOBAL }, buf, n);
}

/* Cells right of the text: a bound of the gain only where one is known. */
static int tail_cells(const struct triage *t)
{
    for (size_t i = 0; i < t->n_findings; i++)
        if (!isnan(t->findings[i].gain))
            return 14;
    return 6;
}

/* In at most a.h lines; returns those that its text takes. */
static int draw_finding(struct pane *p, const struct triage *t, size_t i, struct canvas *c, struct rect a)
{
    const struct triage_finding *f = &t->findings[i];
    const struct rect text = { a.y, a.x + TEXT_X, a.h, a.w - TEXT_X - tail_cells(t) };
    char num[24], go[24], gain[16], most[24];

    snprintf(num, sizeof num, "%zu", i + 1);
    draw_right(c, a.y, a.x + 1, 2, ROLE_DIM, str_of(num));
    draw_puts(c, a.y, a.x + 5, 5, severity_role(f->severity), f->severity);
    draw_puts(c, a.y, a.x + 11, 7, ROLE_DIM, f->rule);
    const int lines = draw_wrap(c, text, ROLE_TEXT, str_of(f->text));
    if (!isnan(f->gain)) {
        snprintf(most, sizeof most, "<=%s", unit_percent(gain, sizeof gain, f->gain));
        draw_right(c, a.y, a.x + a.w - 13, 8, ROLE_TEXT, str_of(most));
    }
    go_key(p, f->go, go, sizeof go);
    draw_right(c, a.y, a.x + a.w - 4, 3, ROLE_BOLD, str_of(go));
    return lines ? lines : 1;
}

static void draw_head(const struct triage *t, struct canvas *c, struct rect a)
{
    draw_fill(c, (struct rect){ a.y, a.x, 1, a.w }, ROLE_HEAD, ' ');
    draw_right(c, a.y, a.x + 1, 2, ROLE_HEAD, STR("#"));
    draw_puts(c, a.y, a.x + 5, 5, ROLE_HEAD, tr_column("Sev"));
    draw_puts(c, a.y, a.x + 11, 8, ROLE_HEAD, tr_column("Rule"));
    draw_puts(c, a.y, a.x + TEXT_X, a.w - 34, ROLE_HEAD, tr_column("Finding"));
    if (tail_cells(t) > 6)
        draw_right(c, a.y, a.x + a.w - 13, 8, ROLE_HEAD, str_of(tr_column("gain")));
    draw_right(c, a.y, a.x + a.w - 4, 3, ROLE_HEAD, str_of(tr_column("Go")));
}

/* The lines of this drawing, none of a finding yet; without memory a click finds nothing. */
static void begin_lines(struct triage_list *list, struct rect a)
{
    size_t rows = (size_t)a.h - 1, *at = realloc(list->at, rows * sizeof *at);

    list->rows = rows;
    list->y = a.y + 1;
    if (at)
        list->at = at;
    else
        triage_list_done(list);
    for (size_t i = 0; at && i < rows; i++)
        at[i] = SIZE_MAX;
}

int triage_list_draw(struct triage_list *list, struct pane *p, const struct triage *t, bool cursor,
                     struct canvas *c, struct rect a)
{
    int percent;

    if (a.h < 2)
        return 1;
    draw_head(t, c, a);
    begin_lines(list, a);
    const size_t rows = (size_t)a.h - 1;
    if (list->cursor < list->top || t->n_findings <= rows)
        list->top = t->n_findings <= rows ? 0 : list->cursor;
    if (list->cursor >= list->top + rows)
        list->top = list->cursor - rows + 1;
    size_t left = t->n_findings < rows ? rows - t->n_findings : 0, used = 0;
    for (size_t i = list->top; i < t->n_findings && used < rows; i++) {
        struct rect line = { list->y + (int)used, a.x, 1 + (int)(left < LINES_MOST ? left : LINES_MOST - 1),
                             a.w };
        line.h = draw_finding(p, t, i, c, line);
        left -= (size_t)line.h - 1;
        if (cursor && i == list->cursor) {
            draw_glyph(c, line.y, a.x, ROLE_BOLD, G_CURSOR);
            if (!app_slow(p->app))
                draw_role(c, line, ROLE_CURSOR);
        }
        for (int k = 0; k < line.h; k++, used++)
            if (list->at)
                list->at[used] = i;
    }
    if (!t->n_findings)
        draw_puts(c, list->y, a.x + 5, a.w - 6, ROLE_DIM,
                  app_loading(p->app, &percent)
                      ? tr("Nothing was found so far: the profile is being read.")
                      : tr("Nothing was found wrong with the files, and their numbers agree."));
    return 1 + (int)(used ? used : 1);
}

size_t triage_list_at(const struct triage_list *list, int y)
{
    const bool is_line = list->at && y >= list->y && y < list->y + (int)list->rows;

    return is_line ? list->at[y - list->y] : SIZE_MAX;
}

void triage_list_done(struct triage_list *list)
{
    free(list->at);
    list->at = NULL;
}
