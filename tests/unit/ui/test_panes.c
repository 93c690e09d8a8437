/* SPDX-License-Identifier: Apache-2.0 */
/* The panes: keys go in, screens come out. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/unit/ui/panes_case.h"

static void panes_are_reached_by_their_keys(void **state)
{
    struct fixture *x = *state;
    static const struct {
        const char *key, *shows;
    } panes[] = {
        { "2", "[2 Files]" }, { "3", "[3 Ops]" },    { "4", "[4 Steps]" }, { "5", "[5 Time]" },
        { "6", "[6 FLOPs]" }, { "7", "[7 Mem]" },    { "8", "[8 Data]" },  { "9", "[9 Comm]" },
        { "0", "[0 Host]" },  { "1", "[1 Triage]" },
    };
    start(x, 24, 80, true);
    frame(x);
    shows(x, "[1 Triage]");
    for (size_t i = 0; i < ARRAY_LEN(panes); i++) {
        press(x, panes[i].key);
        shows(x, panes[i].shows);
    }
    press(x, "Tab");
    shows(x, "[2 Files]");
    press(x, "S-Tab S-Tab");
    shows(x, "[; SQL]");
    stop(x);
}

/* No pane, no level, no overlay draws outside or fails at any size. */
static void panes_of_every_size(void **state)
{
    struct fixture *x = *state;
    static const int sizes[][2] = { { 1, 1 },   { 9, 39 },   { 10, 40 },  { 12, 50 }, { 16, 61 },
                                    { 24, 80 }, { 33, 119 }, { 50, 160 }, { 60, 200 } };
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        start(x, sizes[i][0], sizes[i][1], i % 2);
        press(x, "1 ? Space q 2 v v 3 Enter Enter q q v v v 4 v v h l 5 w w . Enter m l l l l M s "
                 "s o 6 j + Enter q 7 v v 8 v v 9 v v 0 v v v ; F3 q F2 Esc");
        if (sizes[i][0] == 9)
            shows(x, "needs at least 40x10");
        stop(x);
    }
}

/* In ASCII the fill of a bar is that of its class, and the head says so. */
static void panes_ops_bars_tell_their_class(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 160, true);
    press(x, "3 z");
    shows(x, "  % #cube +vector ");
    shows(x, "us  ########");
    shows(x, "us  ++++");
    stop(x);
}

static void panes_ops_open_and_go_back(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 80, true);
    press(x, "3");
    shows(x, "[type]");
    type(x, "/conv2d$");
    press(x, "Enter Enter");
    shows(x, "Ops > Conv2D");
    press(x, "Enter");
    shows(x, "executions   mean");
    shows(x, "In shape");
    press(x, "Enter");
    shows(x, "Duration");
    press(x, "q q");
    shows(x, "Ops > Conv2D");
    press(x, "q");
    shows(x, "[type]");
    press(x, "q");
    shows(x, "[1 Triage]");
    assert_false(x->a->quit);
    press(x, "q");
    assert_true(x->a->quit);
    stop(x);
}

static void panes_filter_line_is_live(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "3 v"); /* single ops */
    press(x, "\\");
    type(x, "type=Conv2D avg>1");
    shows(x, " of 692");
    type(x, "00us");
    shows(x, "\\ type=Conv2D avg>100us");
    press(x, "Backspace Backspace");
    type(x, "xx");
    shows(x, "not a number"); /* the table keeps the last good result */
    shows_not(x, "No row is left");
    press(x, "Backspace Backspace");
    type(x, "us");
    press(x, "Enter");
    shows(x, "type=Conv2D avg>100us"); /* the chip */
    shows(x, "ops   sorted by Avg");   /* no file of this generation has totals of single ops */
    press(x, "F");
    shows(x, "[x] type=Conv2D avg>100us");
    press(x, "Space q");
    shows(x, "692 ops");
    press(x, "F Space q F d q");
    shows(x, "692 ops");
    press(x, "\\");
    type(x, "zzz");
    press(x, "Enter");
    shows(x, "'zzz' took the last one away");
    stop(x);
}

static void panes_search_sort_columns_units(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "3");
    type(x, "/nowhere");
    press(x, "Enter");
    shows(x, "not found: nowhere");
    press(x, "n");
    shows(x, "not found: nowhere");
    press(x, "F6");
    shows(x, "+- Sort by -");
    press(x, "Esc >");
    shows(x, "sorted by %");
    press(x, "I C");
    shows(x, "[x] Type");
    press(x, "j Space q");
    shows_not(x, "Core");
    type(x, ":set unit=us");
    press(x, "Enter");
    shows(x, "unit us");
    type(x, ":sort calls");
    press(x, "Enter");
    shows(x, "sorted by Calls");
    type(x, ":5");
    press(x, "Enter");
    shows(x, "5/");
    type(x, ":nonsense");
    press(x, "Enter");
    shows(x, "there is no command 'nonsense'");
    press(x, "%");
    shows(x, "no binding for %");
    stop(x);
}

static void panes_steps_chart_histogram_range(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "4");
    shows(x, "6 steps");
    press(x, "v");
    shows(x, "chart");
    shows(x, "step");
    press(x, "v");
    shows(x, "histogram");
    press(x, "4 V V");
    press(x, "g j m j j m s");
    shows(x, "steps 2-4");
    shows(x, "3 steps");
    press(x, "3");
    shows(x, "steps 2-4"); /* of every pane */
    type(x, ":steps all");
    press(x, "Enter 4");
    shows(x, "6 steps");
    stop(x);
}

static void panes_timeline_moves_and_measures(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "5");
    shows(x, "span");
    press(x, "w w");
    shows(x, "cursor");
    press(x, "z z o j .");
    shows(x, "Selected");
    press(x, "Enter"); /* of the selected event, whichever is the longest in its cell */
    shows(x, "What its file says");
    press(x, "q");
    press(x, "m l l l l l l M");
    shows(x, "area ");
    shows(x, "Busy%");
    press(x, "Esc Esc");
    shows_not(x, "Busy%");
    type(x, "/^Conv2D-op"); /* scopes are called conv1-Conv2d */
    press(x, "Enter");
    shows(x, "Conv2D-op");
    type(x, "@step 3");
    press(x, "Enter");
    shows(x, "step 3");
    press(x, "x X p");
    press(x, "v");
    shows(x, "[events]");
    press(x, "j t");
    shows(x, "span"); /* back in the drawing, at the event */
    stop(x);
}

static void panes_sql_runs_and_refuses(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, ";");
    type(x, "SELECT count(*) AS n FROM step;");
    press(x, "Enter");
    shows(x, "1 row in");
    shows(x, ">");
    press(x, ";");
    for (int i = 0; i < 40; i++)
        press(x, "Backspace");
    type(x, "DELETE FROM step;");
    press(x, "Enter");
    shows(x, "ERROR");
    press(x, "Esc 3 ; ;"); /* the query behind the view */
    shows(x, "SELECT");
    stop(x);
}

static void panes_ranks_change(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    frame(x);
    shows(x, "rank 0 of 2");
    press(x, "}");
    shows(x, "rank 1 of 2");
    press(x, "3 }");
    shows(x, "rank 0 of 2");
    press(x, "9 v");
    shows(x, "[ops]");
    shows(x, "  Rank  ");
    session_select(x->s, 0);
    stop(x);
}

static void panes_export_writes_what_is_shown(void **state)
{
    struct fixture *x = *state;
    char path[300], command[400], line[200];
    start(x, 24, 80, true);
    snprintf(path, sizeof path, "%s/out.csv", x->dir);
    snprintf(command, sizeof command, ":export %s", path);
    press(x, "3");
    type(x, command);
    press(x, "Enter");
    shows(x, "wrote ");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "type,core,total_ns,share_pct,cum_pct,calls,avg_ns,running\n");
    fclose(f);
    type(x, command);
    press(x, "Enter");
    shows_not(x, "wrote "); /* an existing file is not written over */
    stop(x);
}

/* Folders that the search could not open are said at the start: ranks may be missing. */
static void panes_say_what_was_not_seen(void **state)
{
    struct fixture *x = *state;
    struct job *j = (struct job *)session_job(x->s);
    static const char why[] = "cannot open the folder: Permission denied";
    struct unread_folder two = { "/data/run/rank_5", why, UNREAD_CLOSED, NULL };
    struct unread_folder one = { "/data/run/rank_3", why, UNREAD_CLOSED, NULL };
    struct unread_folder link = { "/data/run/old", "a link", UNREAD_LINK, NULL };
    struct unread_folder deep = { "/data/run/q", "too many folders deep: not searched", UNREAD_DEEP, &link };
    j->unread = &one;
    start(x, 24, 120, true);
    frame(x);
    shows(x, "rank_3: cannot open the folder: Permission denied: what is in it is missing here");
    stop(x);
    one.next = &two;
    start(x, 24, 120, true);
    frame(x);
    shows(x, "2 folders cannot be opened, rank_3 first: what is in them is missing");
    stop(x);
    j->unread = &deep;
    start(x, 24, 120, true);
    frame(x);
    shows(x, "q: too many folders deep: not searched: there may be more profiles");
    stop(x);
    struct unread_folder packed = { "/data/run/r.tar.bz2", "an archive: not opened, its path opens it",
                                    UNREAD_ARCHIVE, NULL };
    j->unread = &packed;
    start(x, 24, 120, true);
    frame(x);
    shows(x, "r.tar.bz2: an archive: not opened, its path opens it");
    stop(x);
    j->unread = NULL;
    j->cut = true;
    start(x, 24, 120, true);
    frame(x);
    shows(x, "there may be more profiles here");
    stop(x);
    j->cut = false;
}

static void panes_help_and_options(void **state)
{
    struct fixture *x = *state;
    start(x, 30, 80, true);
    press(x, "4 ?");
    shows(x, "Help: Steps");
    shows(x, "j Down down");
    type(x, "/Interval");
    press(x, "Enter");
    shows(x, "Interval");
    press(x, "q F2");
    shows(x, "first step in means");
    press(x, "j j j Enter Esc");
    assert_true(session_scope(x->s)->first_step);
    session_scope(x->s)->first_step = false;
    stop(x);
}

/* Long enough that a filter takes more than a slice. */
static void open_long_table(struct fixture *x)
{
    press(x, "3");
    assert_true(
        pane_open_sql(app_pane(x->a),
                      STR("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 600000) "
                          "SELECT 'Default/network/' || (x % 40) || '-layer/MatMul-op' || x AS name FROM c"),
                      "long"));
    frame(x);
}

/* Rows that were found between two drawings are drawn although nothing more is found after them. */
static void panes_rows_found_are_drawn_in_the_end(void **state)
{
    struct fixture *x = *state;
    struct err e = ERR_INIT;
    start(x, 24, 80, true);
    open_long_table(x);
    struct pane *p = app_pane(x->a);
    struct table *t = pane_table(p);
    size_t rows = 0;
    assert_int_equal(pane_filter_live(p, STR("name~o.*.*7$"), &e), OK);
    frame(x);
    x->a->work_shown_ms = app_now_ms() + 3600000; /* just drawn */
    for (int same = 0; same < 2; same = table_rows(t) && table_rows(t) == rows ? same + 1 : 0) {
        rows = table_rows(t);
        assert_true(pane_work(p));
    }
    assert_true(table_is_counting(t));
    assert_false(x->a->dirty);
    x->a->work_shown_ms = 0;
    assert_true(pane_work(p));
    assert_true(x->a->dirty);
    stop(x);
}

/* A store comes while a filter line is typed: the line is still in force. */
static void panes_filter_line_outlives_a_store(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "3 v \\");
    type(x, "type=Conv2D");
    shows(x, "53 of 692");
    app_detach(x->a);
    frame(x);
    assert_true(x->a->filter_due_ms > 0);
    app_filter_now(x->a);
    frame(x);
    shows(x, "53 of 692");
    app_detach(x->a); /* and when it falls due before the next frame */
    app_filter_now(x->a);
    frame(x);
    shows(x, "53 of 692");
    press(x, "Esc");
    assert_int_equal(x->a->filter_due_ms, 0);
    stop(x);
}

static bool stop_statement(void *arg)
{
    (void)arg;
    return true;
}

static void panes_sql_error_goes_with_its_cause(void **state)
{
    struct fixture *x = *state;
    struct store *s = session_store(x->s, 0);
    start(x, 24, 80, true);
    press(x, "1 S-Tab");
    type(x, "SELECT count(*) AS files FROM source, source, source;");
    press(x, "Enter");
    shows(x, "1 row in");
    app_detach(x->a);
    store_progress(s, stop_statement, NULL);
    frame(x);
    store_progress(s, NULL, NULL);
    shows(x, "The statement was stopped");
    app_detach(x->a);
    frame(x);
    shows(x, "1 row in");
    shows_not(x, "stopped");
    stop(x);
}

static bool stop_after(void *arg)
{
    int *left = arg;
    return (*left)-- <= 0;
}

/* A roofline that was stopped is not drawn from a part of its ops; the key of the pane reads it. */
static void panes_roofline_that_was_stopped_is_not_drawn(void **state)
{
    struct fixture *x = *state;
    struct store *s = session_store(x->s, 0);
    int stops = 0;

    for (int after = 0; after == stops; after++) {
        int left = after;
        start(x, 24, 120, true);
        press(x, "6");
        shows(x, "[tree of scopes]");
        store_progress(s, stop_after, &left);
        press(x, "v");
        store_progress(s, NULL, NULL);
        shows(x, "[roofline]");
        if (left < 0) {
            stops++;
            shows(x, "This was stopped before it was done");
            shows_not(x, "peak");
            x->a->was_stopped = true; /* as busy_tick() keeps it */
            press(x, "6");
        }
        shows(x, " peak ");
        shows(x, "Farthest below the roof");
        stop(x);
    }
    assert_true(stops > 0);
}

/* What stands above the caret of an error; "": there is none. */
static void pointed_at(struct fixture *x, char *word, size_t n)
{
    enum role r;
    struct buf b;
    buf_init(&b, 1024);
    for (int y = 1; y < canvas_rows(x->a->c); y++)
        for (int k = 0; k < canvas_cols(x->a->c); k++)
            if (!strcmp(canvas_cell(x->a->c, y, k, &r), "^") && r == ROLE_ERROR)
                for (int i = k; i < canvas_cols(x->a->c); i++)
                    buf_puts(&b, canvas_cell(x->a->c, y - 1, i, NULL));
    str_copy(buf_str(&b), word, n);
    buf_done(&b);
}

static void panes_sql_caret_is_below_what_is_wrong(void **state)
{
    static const struct {
        const char *sql, *at;
    } t[] = {
        { "SELECT name_id, name FROM op", "name FROM op;" },
        { "SELECT id FROM nope", "nope;" },                 /* SQLite does not say where */
        { "SELECT id FROM nope, nope_2", "nope, nope_2;" }, /* which is another word */
        { "SELECT nope.id, nope.op FROM nope, step", "" },  /* which of them is meant? */
        { "SELECT '\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c"
          "\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c\u65e5\u672c', durr FROM "
          "op",
          "durr FROM op;" },
#if SQLITE_VERSION_NUMBER >= 3038000
        { "  SELECT 'durr', durr FROM op", "durr FROM op;" },
        { "SELECT 'op' FORM op FORM op", "op FORM op;" },
#endif
    };
    struct fixture *x = *state;
    char word[80];

    start(x, 24, 80, false);
    press(x, ";");
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        pane_sql_set(app_pane(x->a), str_of(t[i].sql));
        press(x, "End");
        type(x, ";");
        press(x, "Enter");
        shows(x, "ERROR");
        shows_not(x, "at byte");
        pointed_at(x, word, sizeof word);
        print_message("%s: '%s'\n", t[i].sql, word);
        assert_true(str_starts(str_of(word), str_of(t[i].at)) && !word[0] == !t[i].at[0]);
    }
    stop(x);
}

static void click(struct fixture *x, int y, int at)
{
    struct key_event k = { .code = K_MOUSE, .mouse = MOUSE_PRESS, .y = y, .x = at };
    app_key(x->a, &k);
    frame(x);
}

/* All views are named, the one in front in brackets; the row of the tabs takes clicks. */
static void panes_views_are_tabs(void **state)
{
    struct fixture *x = *state;

    start(x, 24, 140, true);
    press(x, "3");
    shows(x, "\n[type]");
    while (pane_work(app_pane(x->a))) /* between keys it asks which other views have data */
        continue;
    frame(x);
    shows(x, "\n[type]  single op  scope  ");
    press(x, "v");
    shows(x, "\ntype  [single op]  scope  ");
    click(x, 2, 20); /* in "scope" */
    shows(x, "\ntype  single op  [scope]  ");
    press(x, "4 v");
    shows(x, "  [chart]  histogram");
    press(x, "V");
    shows_not(x, "[chart]");
    stop(x);
    start(x, 24, 60, true);
    press(x, "3 V"); /* the last one */
    shows(x, "\n< ");
    shows_not(x, "[type]");
    stop(x);
}

/* A click on a chip removes its filter; beside the chips, on a row without tabs, it lists them. */
static void panes_click_on_a_chip_removes_its_filter(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "3 \\");
    type(x, "conv");
    press(x, "Enter");
    click(x, 2, 3);
    shows(x, "filter removed: conv");
    press(x, "3 \\");
    type(x, "conv");
    press(x, "Enter");
    click(x, 2, 78);
    shows(x, "[x] conv");
    press(x, "q 5 \\");
    type(x, "dur>1us");
    press(x, "Enter");
    click(x, 2, 3);
    shows(x, "filter removed: dur>1us");
    stop(x);
}

struct loads {
    int n, asked;
};

static int count_load(void *arg, size_t unit, bool again, const struct read_watch *watch, struct worker **out,
                      struct err *e)
{
    (void)watch;
    (void)unit;
    (void)again;
    (void)e;
    *out = NULL;
    ((struct loads *)arg)->n++;
    return OK;
}

static int nothing_changed(void *arg, size_t unit, bool *changed, uint64_t *bytes, struct err *e)
{
    (void)unit;
    (void)e;
    *changed = false;
    *bytes = 5 << 20;
    ((struct loads *)arg)->asked++;
    return OK;
}

/* The command asks as the key does. */
static void panes_reread_asks_first(void **state)
{
    struct fixture *x = *state;
    struct loads l = { 0 };
    start(x, 24, 80, true);
    x->a->o.load = count_load;
    x->a->o.changed = nothing_changed;
    x->a->o.arg = &l;
    press(x, "3 R");
    shows(x, "no file has changed; read 5.0 MiB again?");
    press(x, "n");
    type(x, ":reread");
    press(x, "Enter");
    shows(x, "no file has changed; read 5.0 MiB again?");
    press(x, "n");
    assert_int_equal(l.asked, 2);
    assert_int_equal(l.n, 0);
    stop(x);
}

/* The line above the links says all it has to say at every width. */
static void panes_comm_head_is_not_cut(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 60, true);
    press(x, "9");
    shows(x, "GB/s from down to across");
    shows(x, "! 20% below the mean\n");
    stop(x);
    start(x, 24, 160, true); /* beside the card of the cursor row */
    press(x, "9");
    shows(x, "Bandwidth GB/s, from (down) to (across)");
    shows(x, "! 20% or more below the mean");
    stop(x);
}

/* What is made of a mean step beside those of the files is said, and does not depend on the cursor. */
static void panes_ops_say_what_sums_are_over(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "3");
    shows(x, "per step, AI CPU run / steps");
    type(x, "/getnext");
    press(x, "Enter");
    shows(x, "per step, AI CPU run / steps");
    press(x, "v v");
    shows(x, "[scope]");
    stop(x);
}

/* What is under the cursor is named at 80 columns, too. */
static void panes_timeline_names_the_event(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "5 0 5 k");
    shows(x, "1 event, ");
    shows(x, "busy: ");
    shows_not(x, "in this cell");
    stop(x);
    start(x, 50, 160, true);
    press(x, "5 k");
    shows(x, "1 event in this cell, ");
    stop(x);
}

/* A sentence of the help goes on below itself, not below its label. */
static void panes_help_has_hanging_lines(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 100, true);
    press(x, "1 ?");
    shows(x, "| State      how the run ended, decided from profiler_info_*.json and the files next to it:");
    shows(x, "|            ANALYSED, NOT ANALYSED, CRASHED, STILL RUNNING.");
    stop(x);
}

/* The demo gives framework ops no times: what the table is sorted by is not there, and not named. */
static void panes_no_sort_by_a_column_without_values(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "0");
    shows(x, "sorted by Total");
    press(x, "v v");
    shows(x, "[framework op calls]");
    type(x, ":sort op_name");
    press(x, "Enter");
    shows(x, "sorted by Op");
    type(x, ":sort self_ns");
    press(x, "Enter");
    shows(x, " calls");
    shows_not(x, "sorted by");
    stop(x);
}

/* Alt and a digit choose a tab, as far as there are tabs. */
static void panes_alt_chooses_a_view(void **state)
{
    struct fixture *x = *state;
    start(x, 40, 120, true);
    press(x, "3 A-2");
    shows(x, "[single op]");
    press(x, "Enter A-3"); /* out of the card */
    shows(x, "[scope]");
    press(x, "A-1");
    shows(x, "[type]");
    press(x, "A-9");
    shows(x, "this pane has no view of that number");
    shows(x, "[type]");
    press(x, "2 ?");
    shows(x, "A-1 view 1   A-2 view 2   A-3 view 3");
    shows_not(x, "A-4");
    press(x, "A-3"); /* the help lies over the views: what a terminal sends for Esc and 3 is that */
    shows(x, "[3 Ops]");
    press(x, "2 A-3");
    shows(x, "[settings]");
    stop(x);
}

/* A run without FLOPs and memory says which option would have given them. */
static void panes_without_data_say_why(void **state)
{
    struct fixture *x = *state;
    start(x, 24, 80, true);
    press(x, "6");
    shows(x, "No FLOPs in this run.");
    shows(x, "To get it");
    stop(x);
}

int main(void)
{
    static const char *const names[] = { "generation 1", "generation 2" };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panes_are_reached_by_their_keys),
        cmocka_unit_test(panes_of_every_size),
        cmocka_unit_test(panes_search_sort_columns_units),
        cmocka_unit_test(panes_ops_open_and_go_back),
        cmocka_unit_test(panes_filter_line_is_live),
        cmocka_unit_test(panes_filter_line_outlives_a_store),
        cmocka_unit_test(panes_rows_found_are_drawn_in_the_end),
        cmocka_unit_test(panes_views_are_tabs),
        cmocka_unit_test(panes_click_on_a_chip_removes_its_filter),
        cmocka_unit_test(panes_steps_chart_histogram_range),
        cmocka_unit_test(panes_timeline_moves_and_measures),
        cmocka_unit_test(panes_sql_runs_and_refuses),
        cmocka_unit_test(panes_sql_error_goes_with_its_cause),
        cmocka_unit_test(panes_sql_caret_is_below_what_is_wrong),
        cmocka_unit_test(panes_reread_asks_first),
        cmocka_unit_test(panes_roofline_that_was_stopped_is_not_drawn),
        cmocka_unit_test(panes_ranks_change),
        cmocka_unit_test(panes_export_writes_what_is_shown),
        cmocka_unit_test(panes_comm_head_is_not_cut),
        cmocka_unit_test(panes_ops_say_what_sums_are_over),
        cmocka_unit_test(panes_timeline_names_the_event),
        cmocka_unit_test(panes_help_has_hanging_lines),
        cmocka_unit_test(panes_alt_chooses_a_view),
        cmocka_unit_test(panes_say_what_was_not_seen),
        cmocka_unit_test(panes_help_and_options),
    };
    const struct CMUnitTest ascend[] = {
        cmocka_unit_test(panes_are_reached_by_their_keys),
        cmocka_unit_test(panes_of_every_size),
        cmocka_unit_test(panes_timeline_moves_and_measures),
        cmocka_unit_test(panes_ranks_change),
        cmocka_unit_test(panes_without_data_say_why),
        cmocka_unit_test(panes_ops_bars_tell_their_class),
        cmocka_unit_test(panes_no_sort_by_a_column_without_values),
    };
    return cmocka_run_group_tests_name(names[0], tests, setup_gen1, teardown) +
           cmocka_run_group_tests_name(names[1], ascend, setup_gen2, teardown);
}
