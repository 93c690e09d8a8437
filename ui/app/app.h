/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pane may ask of the program around it: the session, messages, questions, other panes. struct app is
 * in ui/app/app_int.h, for the files of the program itself and for the panes that keep something in it.
 */
#ifndef NPUSCOPE_UI_APP_APP_H
#define NPUSCOPE_UI_APP_APP_H

#include "model/session.h"
#include "ui/app/keys.h"
#include "ui/app/overlay.h"
#include "ui/app/prompt.h"
#include "ui/widget/draw.h"

struct app;
struct pane;

struct session *app_session(struct app *a);
const struct keymap *app_keys(const struct app *a);
bool app_slow(const struct app *a);
/* Units that tables begin with. */
struct cell_units app_units(const struct app *a);
bool app_ascii(const struct app *a);
/* The store of the selected rank is being filled: *percent is how far (0..100). */
bool app_loading(const struct app *a, int *percent);

/*
 * The logs of the job with their verdict, x: of the session. NULL: they are not read yet (the panes are
 * opened anew when they are), left out, or there are none.
 */
struct ending;
struct job_logs;
const struct job_logs *app_logs(struct app *a, const struct ending *x);
/* The same as they were judged last. */
const struct job_logs *app_logs_known(const struct app *a);
/*
 * The session has the logs as rows (session_logs()), made now if they were read and there are some. false:
 * there are none, or they are not read yet: *reading (may be NULL).
 */
bool app_logs_rows(struct app *a, bool *reading);
/* Something was searched for: n and N repeat it. */
bool app_has_search(const struct app *a);

/* One line in the message row, until the next key. */
void app_say(struct app *a, enum role r, const char *fmt, ...) PRINTF_LIKE(3, 4);
void app_say_err(struct app *a, const struct err *e);

/* Go to another pane; jump: q comes back here. */
void app_show_pane(struct app *a, enum pane_id id, bool jump);
/*
 * Show the view with this id in its pane, with this filter line (may be empty). false: there is no such view.
 */
bool app_show_view(struct app *a, const char *view_id, struct str filter);
/* Show the timeline around a time (as stored, selected rank). */
void app_show_time(struct app *a, int64_t ts_ns, int64_t dur_ns);
/* Show the SQL console with this statement. */
void app_show_sql(struct app *a, struct str sql);
/* The console with an empty line; sql is what another `;` puts there. */
void app_offer_sql(struct app *a, struct str sql);
/* Set the step range of all panes; INT64_MIN and INT64_MAX: open at that end. */
void app_set_steps(struct app *a, int64_t step0, int64_t step1);
/* Show the ops of one step; q comes back to this pane and its step range. */
void app_show_step(struct app *a, int64_t step);

/*
 * Read a file, or one table of a database (part), into a table of its own in the background, then show it in
 * Files.
 */
struct source_file;
void app_open_file(struct app *a, const struct source_file *f, const char *part);

/* Ask for a line of text; done is called with it when it is accepted. label and preset are copied. */
typedef void app_answer_fn(struct app *a, void *arg, struct str text);
void app_ask(struct app *a, const char *label, struct str preset, app_answer_fn *done, void *arg);
/* Show an overlay; the app owns it from now on. */
void app_overlay(struct app *a, struct overlay *o);
/* Show the text, lines as for overlay_text(), over the pane; b stays the caller's. */
void app_show_text(struct app *a, const char *title, const struct buf *b);
/* Put text into the clipboard and report it; what: "1 row", "the name". */
void app_copy(struct app *a, struct str text, const char *what);
/* Write the view of a table to a file, in the format of the suffix, and report it. */
struct table;
void app_export(struct app *a, struct table *t, struct str path, bool replace);

#endif
