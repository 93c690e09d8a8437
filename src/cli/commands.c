/* SPDX-License-Identifier: Apache-2.0 */
/* The commands. */
#include "config.h"

#include "cli/commands.h"

#include "base/words.h"
#include "cli/options.h"
#include "model/views/colset.h"

#define TABLE (OG_RUN | OG_STORE | OG_VIEW | OG_OUT)

const struct command commands[] = {
    {
        .name = "",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_RUN | OG_STORE | OG_SCREEN,
        .run = RUN_BROWSE,
        .pane = N_PANES,
        .summary = "browse on the screen",
        .help = "PATH is a folder made by a profiler (profiler, *_ascend_ms, *_ascend_pt, PROF_*), "
                "one above or below it, one of its files, or an archive of these (tar, also with gzip, xz, "
                "zstd or bzip2; zip); without it the current folder.",
    },
    {
        .name = "report",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_RUN | OG_STORE | OG_REPORT | OG_OUT,
        .run = RUN_REPORT,
        .pane = N_PANES,
        .summary = "readable summary of the run",
        .help = "State of the run and findings, then the first rows of every table that has data. "
                "Formats: text, markdown, json (one object, a member for each table) and ndjson (each "
                "row names its table). In json the member tables says how many rows of each were printed "
                "(shown) and there are (total): --top=N prints more. With --anonymise=KEYFILE names of ops, "
                "paths, hosts and users become aliases, those of 'export' with the same file.",
    },
    {
        .name = "triage",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_RUN | OG_STORE | OG_OUT,
        .run = RUN_TRIAGE,
        .pane = N_PANES,
        .summary = "how the run ended: its state, the evidence for it, and what was done last",
        .help = "For runs that ended in the middle of something. Every rank is looked at unless --rank "
                "says otherwise. Last activity: the last record of each stream, engine, layer of the "
                "host and queue; 'running' is what began and has no end. 'unknown' is what began "
                "before records were lost. The last complete step is that of the rank that is "
                "furthest behind. As json one object with the members schema, program (name, version), clock "
                "(unix, device or relative), origin_ns (the first instant on that clock), origin_unix_ns "
                "(the same as "
                "Unix time where the run knows it), state, evidence, last_complete_step, cut_step, blocked "
                "(rank, "
                "op, step, left_by: who has left the communication op that the rank is still in), logs (the "
                "object of "
                "'npuscope logs' without its events), findings "
                "(the rows "
                "of table finding), last_activity, ranks (each with clock and origin of its own) and lost "
                "(records "
                "that damage has taken). What is not known is null.",
    },
    {
        .name = "logs",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_OUT | OG_VIEW | OG_BY,
        .run = RUN_LOGS,
        .prefix = "logs",
        .views = "line|what|hang|file",
        .pane = PANE_LOG,
        .summary = "why the job died, by its logs",
        .help = "Reads the logs and dumps below PATH: CANN's plog and device logs, consoles of ranks, "
                "launchers, the host's "
                "kernel log. Names the rank with which the fall began, the class of the fault, its first "
                "error with file "
                "and line, what followed from it in other ranks, and what is missing to be sure. It accuses "
                "nobody "
                "where the lines do not decide it. As json one object with the members verdict, files and "
                "events. With --by a table: the lines by time, what they mean, where each rank stands in its "
                "groups (hang), the files.",
    },
    {
        .name = "files",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_FILES,
        .prefix = "files",
        .views = "list",
        .pane = PANE_FILES,
        .summary = "files found, their state and what they feed",
        .help = "States: ok, TORN (cut: whole rows were kept), LIMIT (a part above a limit was left out), "
                "EMPTY, BAD (cannot be parsed), ABSENT (the options in force ask for it), OFF (its option "
                "was not set), UNREAD, spare (the same is read from another file), NEWER (format unknown), "
                "listed (known by its name: the note says why). --by=logs: the logs and dumps beside the "
                "profile, and why each is one of this run (ok) or not (APART).",
    },
    {
        .name = "ops",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_VIEW,
        .prefix = "ops",
        .views = "type|op|stat",
        .pane = PANE_OPS,
        .summary = "ops: their time by type, name, shape or core",
        .help = "By type unless --by says otherwise. Totals cover every recorded step unless --steps "
                "says otherwise; where a source gives a mean step, column Per says step.",
    },
    {
        .name = "op",
        .args = "NAME[,NAME...] [PATH]",
        .min_args = 1,
        .max_args = 2,
        .groups = TABLE | OG_DEVICE,
        .run = RUN_OP,
        .prefix = "op",
        .views = "shape",
        .pane = PANE_OPS,
        .summary = "op types or ops by name: executions, times and share, by shape",
        .help = "NAME is an op type, the full name of an op or its last part; what it was is said, of "
                "an unknown one the nearest names. As json what Profiler.op_analyse() of MindSpore answers: "
                "an object "
                "with a member for each NAME, a list of op_side, input_shape, op_occurrences, "
                "op_total_time(us), op_avg_time(us) and more by shape, and device_id; of several ranks "
                "a list of them. With options that choose rows or columns json is a table too.",
    },
    {
        .name = "steps",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_VIEW,
        .prefix = "steps",
        .views = "fpbp|split",
        .pane = PANE_STEPS,
        .summary = "step trace, a row for each step",
        .help = "Without --by the table that the run has: forward, backward and tail, or computing, "
                "communication and free time.",
    },
    {
        .name = "timeline",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY | OG_TIME,
        .run = RUN_TIMELINE,
        .prefix = "timeline",
        .views = "events",
        .pane = PANE_TIME,
        .summary = "events of the timeline",
        .help = "--from and --to cut a window, --track chooses tracks. --chrome writes a trace for "
                "trace viewers: times in us from the first event written, tracks whose events overlap "
                "without nesting parted. With --anonymise=KEYFILE names of ops, paths, hosts and users "
                "become aliases, those of 'export' with the same file; --track and --filter look at these "
                "aliases.",
    },
    {
        .name = "flops",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_VIEW,
        .prefix = "flops",
        .views = "op|scope|type|total",
        .pane = PANE_FLOPS,
        .summary = "FLOPs and use of the cores",
        .help = "By op unless --by says otherwise.",
    },
    {
        .name = "memory",
        .alias = "mem",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_VIEW,
        .prefix = "memory",
        .views = "peak|pool|alloc|node|tensor|module|device|alive|alive_type|alive_layer",
        .pane = PANE_MEM,
        .summary = "memory: peaks, pools, allocations, tensors",
        .help = "Without --by the first table that the run has: peaks, of a graph its nodes, else another.",
    },
    {
        .name = "data",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_VIEW,
        .prefix = "data",
        .views = "pipeline|queue|batch|stage|cpu",
        .pane = PANE_DATA,
        .summary = "data pipeline and queues",
        .help = "Without --by the first table that the run has.",
    },
    {
        .name = "comm",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_VIEW,
        .prefix = "comm",
        .views = "type|op|link|link_sum|stat|group|rank",
        .pane = PANE_COMM,
        .summary = "communication: ops, links, ranks",
        .help = "Without --by the first table that the run has: by type, else another.",
    },
    {
        .name = "host",
        .args = "[PATH]",
        .max_args = 1,
        .groups = TABLE | OG_BY,
        .run = RUN_VIEW,
        .prefix = "host",
        .views = "api|aicpu|op|stage|sample",
        .pane = PANE_HOST,
        .summary = "host: AI CPU, API calls, framework ops, stages",
        .help = "Without --by the first table that the run has.",
    },
    {
        .name = "query",
        .alias = "sql",
        .args = "[SQL] [PATH]",
        .max_args = 2,
        .groups = OG_RUN | OG_STORE | OG_OUT | OG_QUERY,
        .run = RUN_QUERY,
        .pane = PANE_SQL,
        .summary = "run SQL statements",
        .help = "Statements are separated by ';'; as json several make one array of their results. Without "
                "SQL (or with -) they are read from standard "
                "input. Only reading is allowed, and a statement may take 256 MiB of memory. Tables, columns "
                "and views: npuscope schema, "
                "npuscope-query(5). With several ranks every store is asked in turn and the first "
                "column is the rank.",
    },
    {
        .name = "import",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_IMPORT | OG_STORE | OG_OUT,
        .run = RUN_IMPORT,
        .pane = N_PANES,
        .summary = "read a run, or all runs below a folder, into the cache",
        .help = "Prints a row for each unit. Of every run below PATH all ranks are read unless --rank says "
                "otherwise. A unit that cannot be read is named with its reason, and the others are "
                "read: exit status 1. Ctrl-C keeps the units that are whole, and of the others the "
                "files that are.",
    },
    {
        .name = "export",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_RUN | OG_EXPORT,
        .run = RUN_EXPORT,
        .pane = N_PANES,
        .summary = "write the tables of a run to a folder, or to one database",
        .help =
            "With --output=DIR every table that has data becomes a file with all its columns, "
            "named as 'help columns' names it: ops.type.csv, steps.fpbp.csv; with --output=- they follow "
            "each "
            "other on standard output (json and ndjson name them). Each file is listed with its rows and "
            "bytes, in the form of --format. With --db=FILE one "
            "SQLite database is written that needs no npuscope: the timeline's event, flow and "
            "counter_sample are plain tables in it. With --anonymise=KEYFILE both have aliases for names of "
            "ops, paths, hosts and users, the same for the same name; op types (MatMul), names of APIs, "
            "shapes and times stay, being public, and what nobody knows (custom columns, documents) is "
            "left out. Keep the file to yourself. 'export summary', 'export timeline' and "
            "'export db' with -dir write msprof's files, with all names (npuscope help msprof); for a trace "
            "with aliases take 'timeline --chrome --anonymise'.",
    },
    {
        .name = "bundle",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_RUN | OG_STORE | OG_BUNDLE,
        .run = RUN_BUNDLE,
        .pane = N_PANES,
        .summary = "pack what somebody else needs to help with a run",
        .help =
            "Writes one archive (tar, gzip): the verdict, the report, states of files and notes, first and "
            "last "
            "lines of the logs, the lines around the first error, the first bytes of the profile's files, "
            "and "
            "facts of this host and session. README.txt in it lists the members, and what is not among them. "
            "The list is printed before anything is written; --list stops after it. PATH may also be a "
            "folder "
            "of logs alone. With --anonymise=KEYFILE names of ops, paths, hosts and users are aliases, as "
            "those "
            "of 'export' with the same file, and what holds names in other forms is left out: logs, heads of "
            "files, the triage as such (the report has it).",
    },
    {
        .name = "analyse",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_ANALYSE,
        .run = RUN_ANALYSE,
        .pane = N_PANES,
        .summary = "write the files that MindSpore's analysis would have written",
        .help = "For raw data of MindSpore and torch_npu that was never analysed: does what "
                "Profiler.analyse(), Profiler.offline_analyse() and torch_npu.profiler.analyse() do, without "
                "them. "
                "Of MindSpore up to 2.0 the files go into the profile, of 2.5 and later and of torch_npu "
                "into its ASCEND_PROFILER_OUTPUT, of 2.3 and 2.4 into that of a folder rank-R_TIME_ascend_ms "
                "for each rank. Files that "
                "are there are left as they are unless --force is given. Prints a row for each file: "
                "written, or why not. Every rank is analysed unless --rank says otherwise.",
    },
    {
        .name = "windows",
        .args = "[PATH]",
        .max_args = 1,
        .groups = OG_LIVE | OG_OUT,
        .run = RUN_WINDOWS,
        .pane = N_PANES,
        .summary = "windows of a job that is profiled while it runs, and what each is doing",
        .help =
            "PATH is the folder of the rankR_startA_stopB folders of DynamicProfilerMonitor. A row for each "
            "window and rank; the window that profiler_config.json (there, or in one of the two folders "
            "above) asks for and that is not there yet is waiting. With --follow a line for each change, "
            "until Ctrl-C; npuscope PATH --follow does the same where there is no terminal.",
    },
    {
        .name = "config",
        .args = "[NAME=VALUE | LINE]",
        .max_args = 16,
        .groups = OG_OUT,
        .run = RUN_CONFIG,
        .pane = N_PANES,
        .summary = "settings of the screen: what is in force, and where it comes from",
        .help =
            "Of ~/.config/npuscope/config, or the file that NPUSCOPE_CONFIG names: all settings with value, "
            "default and origin, and the lines for keys, columns and colours. Wrong lines are named on "
            "standard error, with exit status 4. With an argument, for example theme=light or 'bind "
            "timeline w zoom-in', that line is put into the file. See npuscope-config(5).",
    },
    {
        .name = "doctor",
        .args = "",
        .groups = OG_OUT,
        .run = RUN_DOCTOR,
        .pane = N_PANES,
        .summary = "what a report of a problem needs: versions, host, terminal, cache, settings",
        .help =
            "Reads no profile and writes nothing. A row with a problem says what helps; the exit status is 4 "
            "then. Put its output into a report of a problem with npuscope itself; for one with a run "
            "'bundle' packs what is needed.",
    },
    {
        .name = "configure",
        .args = "[FILE]",
        .max_args = 1,
        .groups = OG_CONFIGURE | OG_TEXT,
        .run = RUN_CONFIGURE,
        .pane = N_PANES,
        .summary = "settings of the profilers: write, explain, change them",
        .help =
            "Prints what makes MindSpore or torch_npu collect what --for and --set ask for, with the "
            "overhead "
            "and size to expect. What a form has no switch for is kept in a comment, or in "
            "profiler_config.json under the key npuscope, which the job ignores. --check explains a file key "
            "by key and names what is wrong in it by line and column, with what to write instead. --set with "
            "a FILE changes that profiler_config.json while a job polls it: only the values that change are "
            "written anew, keys that nobody knows and their order stay, mode and owner too, and the file is "
            "replaced as a whole; what would make it wrong is not written.",
    },
    {
        .name = "pretty",
        .args = "FILE",
        .min_args = 1,
        .max_args = 1,
        .groups = OG_TEXT,
        .run = RUN_PRETTY,
        .pane = N_PANES,
        .summary = "print a JSON file indented",
        .help = "Of any size, also a .gz; - is standard input. Numbers, words and escapes stay as they are "
                "written; characters that could act on a terminal become escapes. Of a file that is cut "
                "or damaged what is whole is printed, then where and why it ends: exit status 4.",
    },
    {
        .name = "schema",
        .args = "[TABLE | examples]",
        .max_args = 1,
        .groups = OG_OUT,
        .run = RUN_SCHEMA,
        .pane = N_PANES,
        .summary = "tables, views and columns for SQL",
        .help = "Of every table and view the columns with type, unit and meaning; with TABLE of that one. "
                "'examples' lists statements to begin with: npuscope query \"$(npuscope schema examples "
                "-F json | jq -r '.[0].sql')\" DIR.",
    },
    {
        .name = "cache",
        .args = "[list | remove PATH | remove --all]",
        .max_args = 2,
        .groups = OG_OUT | OG_CACHE,
        .run = RUN_CACHE,
        .pane = N_PANES,
        .summary = "list or remove the stores and unpacked archives that are kept",
        .help = "Stores that were not used for 30 days are removed, and when all take more than 10 "
                "GiB those that were used longest ago; the same holds for unpacked archives. A profile is "
                "read again when its store is gone.",
    },
    {
        .name = "demo",
        .args = "DIR",
        .min_args = 1,
        .max_args = 1,
        .groups = OG_DEMO,
        .run = RUN_DEMO,
        .pane = N_PANES,
        .summary = "write a synthetic profile",
        .help = "A self-consistent run in the profilers' file formats, analysed unless --raw is "
                "given. The same options give the same bytes.",
    },
    {
        .name = "help",
        .args = "[COMMAND | columns | msprof]",
        .max_args = 1,
        .groups = OG_HELP,
        .run = RUN_HELP,
        .pane = N_PANES,
        .summary = "help, also on one command, the columns of every table, or the commands of msprof",
    },
};
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
