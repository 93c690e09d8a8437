/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline: the marked area, else the window, to a file: as a table, or as a trace for trace viewers. */
#include "config.h"

#include <stdio.h>

#include "base/lang/tr.h"
#include "base/unit.h"
#include "model/timeline/lineup_export.h"
#include "model/writer/export.h"
#include "ui/pane/timeline/timeline_int.h"

struct writing {
    struct pane *p;
    struct lineup_cut cut;
    struct write_opts opts;
    uint64_t events;
};

/* A .json is a trace, the other endings are tables. */
static bool is_trace(const struct writing *w)
{
    return w->opts.format == FMT_JSON;
}

static int write_events(void *arg, const struct write_to *to, struct err *e)
{
    struct writing *w = arg;
    struct lineup *l = time_of(w->p)->l;
    struct writer *out;
    if (is_trace(w))
        return lineup_export_trace(l, &w->cut, to, &w->events, e);
    if (writer_new(&out, to, &w->opts, e))
        return e->code;
    bool absolute = format_times(w->opts.format) == VIEW_ABSOLUTE;
    if (lineup_export_table(l, &w->cut, out, absolute, &w->events, e) == OK)
        (void)!writer_finish(out, e);
    writer_free(out);
    return e->code;
}

static void say_written(struct pane *p, const struct writing *w, const char *path)
{
    const struct tlv *v = time_tlv(p);
    char n[48];
    bool hidden = false;
    for (size_t i = 0; i < lineup_n_tracks(v->l); i++)
        hidden |= v->hidden[i];
    unit_count(n, sizeof n, (double)w->events, app_ascii(p->app) ? "" : UNIT_THIN_SPACE);
    app_say(p->app, ROLE_GOOD, "wrote %s event%s to %s%s%s%s", n, w->events == 1 ? "" : "s", path,
            w->cut.match ? tr("; those that the filters keep") : "",
            hidden ? tr("; hidden tracks left out") : "", is_trace(w) ? "" : tr("; e again: a trace"));
}

static void write_to_file(struct pane *p, struct str path, bool replace)
{
    struct time_pane *o = time_of(p);
    const struct tlv *v = &o->v;
    struct err e = ERR_INIT;
    char name[4096];
    time_sync_filters(p);
    struct writing w = { .p = p,
                         .cut = { .from_ns = v->has_area ? v->area0 : v->t0,
                                  .to_ns = v->has_area ? v->area1 : v->t1,
                                  .leave_out = v->hidden,
                                  .match = o->match },
                         .opts = { .text_flags = p->app->flags, .header = true } };
    if (!format_of(path, &w.opts.format)) {
        app_say(p->app, ROLE_WARN, "the name must end in .json (a trace), or .csv, .ndjson, .md or .txt");
        return;
    }
    if (path.n >= sizeof name) {
        app_say(p->app, ROLE_WARN, "the name is too long");
        return;
    }
    str_copy(path, name, sizeof name);
    const struct export_file file = {
        .path = name, .replace = replace, .stop = busy_tick, .stop_arg = p->app
    };
    if (export_to_file(&file, write_events, &w, &e)) {
        app_say_err(p->app, &e);
        return;
    }
    o->trace_next = !is_trace(&w);
    say_written(p, &w, name);
}

static void answer(struct app *a, void *arg, struct str path)
{
    struct pane *p = arg;
    if (app_pane(a) == p && time_in_front(p) && time_of(p)->has && path.n)
        write_to_file(p, path, false);
}

bool time_export(struct pane *p, struct str path, bool replace)
{
    char name[64];
    if (!time_in_front(p) || !time_of(p)->has)
        return false;
    const struct time_pane *o = time_of(p);
    if (path.n) {
        write_to_file(p, path, replace);
        return true;
    }
    const char *what = o->v.has_area ? "area" : "window";
    snprintf(name, sizeof name, "timeline-%s.%s", what, o->trace_next ? "json" : "csv");
    char label[120];
    snprintf(label, sizeof label, tr("write the %s to (.json: a trace; .csv .ndjson .md .txt): "),
             o->v.has_area ? tr("area") : tr("window"));
    app_ask(p->app, label, str_of(name), answer, p);
    return true;
}
