/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Markers of the collector, info files and logs. First of all kinds: a marker's name ends on that of its
 * data.
 */
#include "config.h"

#include "parsers/kinds/kinds.h"
#include "parsers/layouts.h"
#include "parsers/parsers.h"

static const struct file_kind rows[] = {
    /* ---- markers of the collector: first, because their names end on those of data ---- */
    {
        .id = "marker",
        .patterns = { "{*}.done", "{*}.complete", "{*}.join", "{*}.zip" },
        .panes = TRI,
        .feeds = "state",
        .content = "marker: a raw file was finished, packed or read",
        .option = "always",
        .order = LIST,
        .names_only = "that it is there is all it says",
    },

    /* ---- info files, logs ---- */
    {
        .id = "profiler_info",
        .patterns = { "profiler_info_{R}.json", "profiler_info.json" },
        .gens = GF | G2 | GP,
        .panes = TRI | FIL,
        .feeds = "state",
        .content = "options, versions, clocks, rank",
        .option = "always",
        .expect = "profiler_info",
        .order = INFO,
        .parse = parse_profiler_info,
    },
    {
        .id = "profiler_metadata",
        .patterns = { "profiler_metadata.json" },
        .gens = G2 | GP,
        .panes = COM | TRI,
        .feeds = "comm",
        .content = "parallel groups, environment, user data",
        .option = "add_metadata",
        .order = INFO,
        .parse = parse_profiler_metadata,
    },
    {
        .id = "dyn_config",
        .patterns = { "profiler_config.json" },
        .gens = G2 | GP,
        .panes = TRI,
        .feeds = "state",
        .content = "settings of the dynamic monitor",
        .option = "DynamicProfilerMonitor",
        .order = INFO,
        .parse = parse_doc_rows,
    },
    {
        .id = "log",
        .patterns = { "logs/{*}", "mindstudio_profiler_log/{*}" },
        .gens = G2 | GP | GM,
        .panes = TRI,
        .feeds = "state",
        .content = "log of the profiler or its analysis",
        .option = "always",
        .order = LIST,
        .names_only = "text for people: v shows it",
    },
};
const struct kind_table kinds_state = { rows, ARRAY_LEN(rows) };
