/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader chose in a pane as lines, and back: view, tables, what the pane itself adds. */
#include "config.h"

#include <string.h>

#include "ui/pane/panes.h"

/* ---- texts on one line ---- */

void pane_escape(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\')
            buf_puts(out, "\\\\");
        else if (s.p[i] == '\n')
            buf_puts(out, "\\n");
        else
            buf_addc(out, s.p[i]);
    }
}

bool pane_unescape(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '\\') {
            buf_addc(out, s.p[i]);
            continue;
        }
        if (++i == s.n || (s.p[i] != '\\' && s.p[i] != 'n'))
            return false;
        buf_addc(out, s.p[i] == 'n' ? '\n' : '\\');
    }
    return !buf_failed(out);
}

/* ---- to lines ---- */

struct save {
    table_line_fn *fn;
    void *arg;
    const char *head, *id; /* "table", "ops.op"; id NULL: none */
};

static void save_line(void *arg, struct str text)
{
    struct save *s = arg;
    struct buf b;
    buf_init(&b, 65536);
    buf_printf(&b, "%s ", s->head);
    if (s->id)
        buf_printf(&b, "%s ", s->id);
    pane_escape(text, &b);
    if (!buf_failed(&b))
        s->fn(s->arg, buf_str(&b));
    buf_done(&b);
}

void pane_save(struct pane *p, table_line_fn *fn, void *arg)
{
    struct save s = { fn, arg, "view", NULL };
    struct str rest = buf_str(&p->kept), line;
    if (!p->opened) {
        while (str_next(&rest, '\n', &line))
            if (line.n && !str_starts(line, STR("preset ")))
                fn(arg, line);
        return;
    }
    if (p->view < p->n_views)
        save_line(&s, str_of(p->views[p->view].def->id));
    else if (p->view - p->n_views < p->def->n_modes)
        save_line(&s, str_of(p->def->modes[p->view - p->n_views].title));
    s.head = "table";
    for (size_t i = 0; i < p->n_views; i++) {
        s.id = p->views[i].def->id;
        if (p->views[i].t)
            table_save(p->views[i].t, save_line, &s);
    }
    s.head = "own";
    s.id = NULL;
    if (p->def->ops && p->def->ops->save)
        p->def->ops->save(p, save_line, &s);
}

/* ---- from lines ---- */

void pane_restore(struct pane *p, struct str line)
{
    buf_add(&p->kept, line);
    buf_addc(&p->kept, '\n');
}

static void take_view(struct pane *p, struct str name)
{
    for (size_t i = 0; i < p->n_views; i++)
        if (str_eq(name, str_of(p->views[i].def->id)))
            p->view = i;
    for (size_t i = 0; i < p->def->n_modes; i++)
        if (str_eq(name, str_of(p->def->modes[i].title)))
            p->view = p->n_views + i;
}

static void take_table(struct pane *p, struct str rest, bool (*take)(struct table *t, struct str line))
{
    struct str id;
    if (!str_next(&rest, ' ', &id) || !rest.p)
        return;
    for (size_t i = 0; i < p->n_views; i++)
        if (str_eq(id, str_of(p->views[i].def->id)) && pane_base_table(p, i))
            (void)take(p->views[i].t, rest); /* an unknown line is of another version */
}

static void take_line(struct pane *p, struct str line)
{
    struct str word;
    if (!str_next(&line, ' ', &word) || !line.p)
        return;
    if (str_eq(word, STR("view")))
        take_view(p, line);
    else if (str_eq(word, STR("table")))
        take_table(p, line, table_restore);
    else if (str_eq(word, STR("preset")))
        take_table(p, line, table_preset);
    else if (str_eq(word, STR("own")) && p->def->ops && p->def->ops->restore)
        (void)p->def->ops->restore(p, line);
}

void pane_take_kept(struct pane *p)
{
    struct buf b;
    struct str rest = buf_str(&p->kept), line;
    buf_init(&b, PANE_KEPT_B);
    while (!buf_failed(&p->kept) && str_next(&rest, '\n', &line)) {
        buf_clear(&b);
        if (pane_unescape(line, &b))
            take_line(p, buf_str(&b));
    }
    buf_done(&b);
    buf_clear(&p->kept);
}
