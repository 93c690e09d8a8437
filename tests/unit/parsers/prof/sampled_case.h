/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of sampled records of a PROF folder made in the test: curves of the store, and the files of an
 * export.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_PROF_SAMPLED_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_PROF_SAMPLED_CASE_H

#include <glob.h>
#include <sqlite3.h>
#include <stdio.h>

#include "msprof/msprof.h"
#include "parsers/prof/rows/rows.h"
#include "tests/unit/parsers/prof/prof_case.h"
#include "tests/unit/parsers/rows.h"

#define SAMPLED_STAMP "20260102030405"

/* Lines of what a writer of rows gives, tracks and samples among them; the caller frees. */
static inline char *sampled_given(const struct tree *t, prof_rows_fn *write)
{
    struct rows rows;
    struct prof_case c;
    struct err e = ERR_INIT;
    char *text;

    assert_int_equal(prof_case_open(&c, t, &e), OK);
    rows_init(&rows, "raw_sampled", "x");
    const struct runinfo *run = &c.job->units[0]->info;
    struct group_ctx g = { .rank = run->ranks[0].rank, .out = sink_count_sink(rows.count), .run = run };
    struct prof_device d[4] = { { .f = NULL } };
    struct prof_rows r = { .g = &g, .m = { .p = c.p, .dev = d } };
    for (; r.m.n_dev < c.p->n_devices && r.m.n_dev < 4; r.m.n_dev++)
        d[r.m.n_dev].f = c.p->device[r.m.n_dev];
    c.p->in.notes = g.out;
    assert_int_equal(write(&r, &e), OK);
    text = strndup(rows.text.p ? rows.text.p : "", rows.text.n);
    rows_done(&rows);
    prof_case_close(&c);
    return text;
}

static inline char *sampled_curves(const struct tree *t)
{
    return sampled_given(t, prof_rows_samples);
}

/* Rows of host_sample. */
static inline char *sampled_measurements(const struct tree *t)
{
    return sampled_given(t, prof_rows_usage);
}

/* Points of the curves of a process, a line each: "name unit: ts value". */
static inline void sampled_points(const struct tree *t, const char *process, char *out, size_t n)
{
    char *text = sampled_curves(t), *save = NULL, *names[200] = { NULL };
    size_t used = 0, tracks = 0;

    out[0] = '\0';
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        static const char head_of[] = "sample|track=";
        if (strncmp(line, "track", 5) == 0 && tracks < 200)
            names[tracks++] = line;
        const char *ts = strstr(line, "|ts="), *value = strstr(line, "|value=");
        if (strncmp(line, head_of, sizeof head_of - 1) != 0 || !ts || !value || value < ts)
            continue;
        const char *track = line + sizeof head_of - 1;
        ts += 4;
        char wanted[80], *name = NULL, *unit = NULL;
        snprintf(wanted, sizeof wanted, "|process=%s|", process);
        for (size_t i = 0; i < tracks; i++) {
            char head[32];
            snprintf(head, sizeof head, "track|id=%.*s|", (int)strcspn(track, "|"), track);
            if (strncmp(names[i], head, strlen(head)) == 0 && strstr(names[i], wanted)) {
                name = strstr(names[i], "|name=") + 6;
                unit = strstr(names[i], "|unit=");
            }
        }
        if (name)
            used += (size_t)snprintf(out + used, n - used, "%.*s%s%.*s: %.*s %.*s\n", (int)strcspn(name, "|"),
                                     name, unit ? " " : "", unit ? (int)strcspn(unit + 6, "|") : 0,
                                     unit ? unit + 6 : "", (int)strcspn(ts, "|"), ts,
                                     (int)strcspn(value + 7, "|"), value + 7);
    }
    free(text);
}

/* Export everything that o asks for; its places are set here. */
static inline void sampled_export(const struct tree *t, struct msprof_options o)
{
    struct emit_report *report;
    struct err e = ERR_INIT;
    struct prof_case c;
    char dir[1024];

    snprintf(dir, sizeof dir, "%s", tree_path(t, "out"));
    o.dir = dir;
    o.stamp = SAMPLED_STAMP;
    assert_int_equal(prof_case_open(&c, t, &e), OK);
    assert_int_equal(emit_report_new(&report, &e), OK);
    if (msprof_export(c.job->units[0], STR(""), &o, report, &e))
        fail_msg("export: %s", e.text);
    emit_report_free(report);
    prof_case_close(&c);
}

/* The text of an exported file; "": there is none. In a static buffer. */
static inline const char *sampled_file(const struct tree *t, const char *name)
{
    static char text[1 << 18];
    char path[300];

    snprintf(path, sizeof path, "out/mindstudio_profiler_output/%s", name);
    FILE *f = fopen(tree_path(t, path), "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    return text;
}

/*
 * Counters of the trace called so, each with all behind its thread: `"ts":"...","ph":"C","args":{...}}` in
 * lines.
 */
static inline void sampled_counters(const struct tree *t, const char *name, char *out, size_t n)
{
    const char *p = sampled_file(t, "msprof_" SAMPLED_STAMP ".json");
    char want[120];
    size_t used = 0;

    snprintf(want, sizeof want, "{\"name\":\"%s\",", name);
    out[0] = '\0';
    for (; (p = strstr(p, want)) != NULL; p++) {
        const char *tid = strstr(p, "\"tid\":"), *end = strstr(p, "}}");
        if (tid && end && tid < end)
            used += (size_t)snprintf(out + used, n - used, "%.*s\n", (int)(end - tid - 5), tid + 6);
    }
}

/* Rows of a query on the exported database, cells parted by '|'. */
static inline void sampled_rows(const struct tree *t, const char *sql, char *out, size_t n)
{
    size_t used = 0;
    sqlite3_stmt *st;
    sqlite3 *db;
    glob_t g;

    assert_int_equal(glob(tree_path(t, "out/msprof_*.db"), 0, NULL, &g), 0);
    assert_int_equal(sqlite3_open_v2(g.gl_pathv[0], &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    globfree(&g);
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    out[0] = '\0';
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const char *cell = (const char *)sqlite3_column_text(st, i);
            used += (size_t)snprintf(out + used, n - used, "%s%c", cell ? cell : "NULL",
                                     i + 1 < sqlite3_column_count(st) ? '|' : '\n');
        }
    sqlite3_finalize(st);
    sqlite3_close(db);
}

#endif
