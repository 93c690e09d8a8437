/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that are listed and not read; whole folders, last of all: the first pattern that fits wins.
 */
#include "config.h"

#include "parsers/kinds/kinds.h"
#include "parsers/layouts.h"
#include "parsers/parsers.h"

static const struct file_kind rows[] = {
    /* ---- listed, not read ---- */
    {
        .id = "mspa_report",
        .patterns = {
            "cluster_time_summary_{T}.csv", "rank_{*}_stage_{*}.csv", "{*}.xlsx", "mstt_advisor_{T}.html",
            "stats.ipynb",
        },
        .gens = GC,
        .panes = FIL,
        .feeds = "files",
        .content = "result of another recipe",
        .option = "msprof-analyze",
        .order = LIST,
        .names_only = "a report for people: v shows it, t opens it as a table",
    },
    {
        .id = "msprof_cluster",
        .patterns = { "cluster_info{*}.db", "query/{*}.json" },
        .gens = GM,
        .panes = FIL,
        .feeds = "files",
        .content = "result of a cluster query",
        .option = "msprof import --cluster",
        .order = LIST,
        .names_only = "what msprof printed for a query: t opens it as a table",
    },
    {
        .id = "pt_extra",
        .patterns = { "memory_timeline{*}", "{*}.stack", "{*}_stacks.log", "operator_memory{*}.json.gz" },
        .gens = GP,
        .panes = FIL,
        .feeds = "files",
        .content = "export called by the user",
        .option = "export_memory_timeline, export_stacks",
        .order = LIST,
        .names_only = "made for another viewer by a call of the user",
    },
    {
        .id = "readme",
        .patterns = { "README.txt" },
        .gens = GM,
        .panes = FIL,
        .feeds = "files",
        .content = "list of files",
        .option = "export",
        .order = LIST,
        .names_only = "a list of the files beside it",
    },
    {
        .id = "leftover",
        .patterns = { "trace_view_temp.json", "ASCEND_PROFILER_OUTPUT/{*}.tmp" },
        .gens = GP,
        .panes = TRI,
        .feeds = "state",
        .content = "left by an analysis that was interrupted",
        .option = "-",
        .order = LIST,
        .names_only = "half made: that it is there is all it says",
    },
    {
        .id = "mi_data",
        .patterns = { "ascend_marey_timeline_{N}.json", "scope_map_{N}.json" },
        .panes = FIL,
        .feeds = "files",
        .content = "test data of MindInsight",
        .option = "-",
        .order = LIST,
        .names_only = "MindInsight's own, made from files that are read here",
    },
    {
        .id = "archive",
        .patterns = { "{*}.{tar,tgz,txz,tzst,tbz,tbz2}", "{*}.tar.{gz,xz,zst,bz2}" },
        .panes = FIL,
        .feeds = "files",
        .content = "packed files",
        .option = "-",
        .order = LIST,
        .names_only = "an archive: its path opens it",
    },

    /* ---- whole folders: last ---- */
    {
        .id = "raw",
        .patterns = {
            "FRAMEWORK/{*}", "host/data/{*}", "device_{D}/data/{*}", "container/{D}/data/{*}",
            "JOB{*}/data/{*}",
        },
        .panes = TIM | TRI,
        .feeds = "raw",
        .content = "raw data",
        .option = "collection",
        .order = RAW,
        .names_only = "no public description of it: x shows its bytes",
    },
};
const struct kind_table kinds_listed = { rows, ARRAY_LEN(rows) };
