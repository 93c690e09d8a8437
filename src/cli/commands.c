/* The commands. */
#include "config.h"

#include "cli/commands.h"

#include "cli/cmd/cmd.h"
#include "cli/words.h"

#define TABLE (OG_RUN | OG_STORE | OG_VIEW | OG_OUT)

/* clang-format off */
const struct command commands[] = {
    { "", NULL, "[PATH]", 0, 1, OG_RUN | OG_STORE | OG_SCREEN, cmd_browse, NULL, NULL, N_PANES,
      "browse on the screen",
      "PATH is a folder made by a profiler (profiler, *_ascend_ms, *_ascend_pt, PROF_*), one above or below it, or one of its files; "
      "without it the current folder." },
    { "report", NULL, "[PATH]", 0, 1, OG_RUN | OG_STORE | OG_REPORT | OG_OUT, cmd_report, NULL, NULL, N_PANES,
      "readable summary of the run",
      "State of the run and findings, then the first rows of every table that has data. Formats: text, markdown, json (one object, a member for each "
      "table) and ndjson (each row names its table)." },
    { "triage", NULL, "[PATH]", 0, 1, OG_RUN | OG_STORE | OG_OUT, cmd_triage, NULL, NULL, N_PANES,
      "how the run ended: its state, the evidence for it, and what was done last",
      "For runs that ended in the middle of something. Every rank is looked at unless --rank says otherwise. Last activity: the last record of each stream, "
      "engine, layer of the host and queue; 'running' is what began and has no end. 'unknown' is what began before records were lost. The last complete step is that of the rank that is furthest behind. As json one object with "
      "the members state, evidence, last_complete_step, cut_step, last_activity, ranks and lost (records that damage has taken)." },
    { "files", NULL, "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "files", "list", PANE_FILES,
      "files found, their state and what they feed",
      "States: ok, TORN (cut: whole rows were kept), EMPTY, BAD (cannot be parsed), ABSENT (the options in force "
      "ask for it), OFF (its option was not set), UNREAD, NEWER (format unknown)." },
    { "ops", NULL, "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "ops", "type|op|stat", PANE_OPS,
      "operators",
      "By type unless --by says otherwise. Totals cover every recorded "
      "step unless --steps says otherwise." },
    { "steps", NULL, "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "steps", "fpbp|split", PANE_STEPS,
      "step trace, a row for each step",
      "Without --by the table that the run has: forward, backward and tail, or computing, communication and free time." },
    { "timeline", NULL, "[PATH]", 0, 1, TABLE | OG_BY | OG_TIME, cmd_timeline, "timeline", "events", PANE_TIME,
      "events of the timeline",
      "--from and --to cut a window, --track chooses tracks. --chrome writes a trace for trace viewers: times in us from the first event written, "
      "tracks whose events overlap without nesting parted." },
    { "flops", NULL, "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "flops", "op|scope|type|total", PANE_FLOPS,
      "FLOPs and use of the cores",
      "By op unless --by says otherwise." },
    { "memory", "mem", "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "memory", "peak|pool|alloc|tensor|node|module|device", PANE_MEM,
      "memory: peaks, pools, allocations, tensors", "Without --by the first table that the run has: peaks, else another." },
    { "data", NULL, "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "data", "pipeline|queue|batch|stage|cpu", PANE_DATA,
      "data pipeline and queues", "Without --by the first table that the run has." },
    { "comm", NULL, "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "comm", "type|op|link|stat|rank", PANE_COMM,
      "communication: operators, links, ranks", "Without --by the first table that the run has: by type, else another." },
    { "host", NULL, "[PATH]", 0, 1, TABLE | OG_BY, cmd_view, "host", "api|aicpu|op|stage|sample", PANE_HOST,
      "host: AI CPU, API calls, framework ops, stages", "Without --by the first table that the run has." },
    { "query", "sql", "[SQL] [PATH]", 0, 2, OG_RUN | OG_STORE | OG_OUT | OG_QUERY, cmd_query, NULL, NULL, PANE_SQL,
      "run SQL statements",
      "Statements are separated by ';'. Without SQL (or with -) they are read from standard input. Only reading is allowed. Tables, columns and views: "
      "npuscope schema, npuscope-query(5). With several ranks every store is asked in turn and the first column is the rank." },
    { "import", NULL, "[PATH]", 0, 1, OG_IMPORT | OG_STORE | OG_OUT, cmd_import, NULL, NULL, N_PANES,
      "read a run, or all runs below a folder, into the cache",
      "Prints a row for each unit. Every rank that is found is read unless --rank says otherwise. A unit that cannot be read is named with its "
      "reason, and the others are read: exit status 1. Ctrl-C keeps the units that are whole, and of the others the files that are." },
    { "export", NULL, "[PATH]", 0, 1, OG_RUN | OG_EXPORT, cmd_export, NULL, NULL, N_PANES,
      "write the tables of a run to a folder, or to one database",
      "With --output=DIR every table that has data becomes a file with all its columns, named as 'help columns' names it: ops.type.csv, steps.fpbp.csv. "
      "With --db=FILE one SQLite database is written that needs no npuscope: the timeline's event, flow and counter_sample are plain tables in it. "
      "'export summary', 'export timeline' and 'export db' with -dir write msprof's files: npuscope help msprof." },
    { "analyse", NULL, "[PATH]", 0, 1, OG_ANALYSE, cmd_analyse, NULL, NULL, N_PANES,
      "write the files that MindSpore's analysis would have written",
      "For raw data of MindSpore up to 2.0 that was never analysed: does what Profiler.analyse() and Profiler.offline_analyse() do, without MindSpore. Files that "
      "are there are left as they are unless --force is given. Prints a row for each file: written, or why not. Every rank is analysed unless --rank says otherwise." },
    { "schema", NULL, "[TABLE]", 0, 1, OG_OUT, cmd_schema, NULL, NULL, N_PANES,
      "tables and columns for SQL", NULL },
    { "cache", NULL, "[list | remove PATH | remove --all]", 0, 2, OG_OUT | OG_CACHE, cmd_cache, NULL, NULL, N_PANES,
      "list or remove the stores that are kept",
      "Stores that were not used for 30 days are removed, and when all take more than 10 GiB those that were used longest ago. A profile is "
      "read again when its store is gone." },
    { "demo", NULL, "DIR", 1, 1, OG_DEMO, cmd_demo, NULL, NULL, N_PANES,
      "write a synthetic profile",
      "A self-consistent run in the vendor's file formats, analysed unless --raw is given. The same options give the same bytes." },
    { "help", NULL, "[COMMAND | columns | msprof]", 0, 1, OG_HELP, cmd_help, NULL, NULL, N_PANES,
      "help, also on one command, the columns of every table, or the commands of msprof", NULL },
};
/* clang-format on */
const size_t n_commands = ARRAY_LEN(commands);

const struct command *command_find(struct str name)
{
    for (size_t i = 1; i < n_commands; i++)
        if (str_eq(str_of(commands[i].name), name) ||
            (commands[i].alias && str_eq(str_of(commands[i].alias), name)))
            return &commands[i];
    return NULL;
}

bool command_has_view(const struct command *c, const struct view_def *d)
{
    size_t n = c->prefix ? strlen(c->prefix) : 0;
    return n && strncmp(d->id, c->prefix, n) == 0 && d->id[n] == '.';
}

const char *command_near(struct str wrong)
{
    struct nearest near;

    nearest_begin(&near, wrong);
    for (size_t i = 1; i < n_commands; i++)
        nearest_offer(&near, commands[i].name);
    return near.best;
}
