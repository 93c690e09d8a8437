/* SPDX-License-Identifier: Apache-2.0 */
/* The table of panes. */
#include "config.h"

#include "ui/pane/panes.h"

#include <string.h>

static const struct key_bar triage_bar[] = {
    { ACT_OPEN, ACT_NONE, "why" },      { ACT_TIMELINE, ACT_NONE, NULL }, { ACT_PANE_NEXT, ACT_NONE, NULL },
    { ACT_EXPORT, ACT_NONE, "export" }, { ACT_COMMAND, ACT_NONE, NULL },
};
static const struct key_bar files_bar[] = {
    { ACT_OPEN, ACT_NONE, "details" },   { ACT_PROBLEMS, ACT_NONE, NULL }, { ACT_RAW, ACT_NONE, NULL },
    { ACT_VIEW_NEXT, ACT_NONE, "view" }, { ACT_REREAD, ACT_NONE, NULL },   { ACT_EXPORT, ACT_NONE, "export" },
};
static const struct key_bar ops_bar[] = {
    { ACT_OPEN, ACT_NONE, NULL },    { ACT_VIEW_NEXT, ACT_NONE, "group by" },
    { ACT_FILTER, ACT_NONE, NULL },  { ACT_SORT_LEFT, ACT_SORT_RIGHT, "sort" },
    { ACT_COLUMNS, ACT_NONE, NULL }, { ACT_TIMELINE, ACT_NONE, NULL },
};
static const struct key_bar steps_bar[] = {
    { ACT_OPEN, ACT_NONE, "one step" },
    { ACT_VIEW_NEXT, ACT_NONE, "view" },
    { ACT_TIMELINE, ACT_NONE, NULL },
    { ACT_STEP_RANGE, ACT_NONE, "set range" },
    { ACT_STEP_PREV, ACT_STEP_NEXT, "prev/next" },
    { ACT_MARK, ACT_NONE, NULL },
};
static const struct key_bar time_bar[] = {
    { ACT_ZOOM_IN, ACT_ZOOM_OUT, "zoom" },
    { ACT_PAN_LEFT, ACT_PAN_RIGHT, "pan" },
    { ACT_EVENT_PREV, ACT_EVENT_NEXT, "event" },
    { ACT_FIT, ACT_NONE, NULL },
    { ACT_AREA_MARK, ACT_AREA_END, "area" },
    { ACT_SEARCH, ACT_NONE, "find" },
    { ACT_GO_TO, ACT_NONE, NULL },
    { ACT_EXPORT, ACT_NONE, "export" },
    { ACT_VIEW_NEXT, ACT_NONE, "view" },
    { ACT_FLOW, ACT_NONE, NULL },
};
static const struct key_bar list_bar[] = {
    { ACT_OPEN, ACT_NONE, NULL },     { ACT_VIEW_NEXT, ACT_NONE, "view" },
    { ACT_FILTER, ACT_NONE, NULL },   { ACT_SORT_LEFT, ACT_SORT_RIGHT, "sort" },
    { ACT_TIMELINE, ACT_NONE, NULL }, { ACT_EXPORT, ACT_NONE, "export" },
};
const struct key_bar *pane_list_bar(size_t *n)
{
    *n = ARRAY_LEN(list_bar);
    return list_bar;
}

static const struct key_bar mem_bar[] = {
    { ACT_OPEN, ACT_NONE, NULL },   { ACT_VIEW_NEXT, ACT_NONE, "view" }, { ACT_PEAK, ACT_NONE, NULL },
    { ACT_FILTER, ACT_NONE, NULL }, { ACT_TIMELINE, ACT_NONE, NULL },    { ACT_EXPORT, ACT_NONE, "export" },
};

static const struct key_bar log_bar[] = {
    { ACT_OPEN, ACT_NONE, NULL },
    { ACT_VIEW_NEXT, ACT_NONE, "view" },
    { ACT_FIND_NEXT, ACT_NONE, "next error" },
    { ACT_TIMELINE, ACT_NONE, NULL },
    { ACT_FILTER, ACT_NONE, NULL },
    { ACT_EXPORT, ACT_NONE, "export" },
};

static const enum pane_id triage_also[] = { PANE_STEPS, PANE_COMM, PANE_MEM, PANE_DATA, PANE_OPS, PANE_HOST };

const struct pane_def pane_defs[N_PANES] = {
    [PANE_TRIAGE] = {
        .id = PANE_TRIAGE,
        .title = "Triage",
        .key = ACT_PANE_1,
        .prefix = "triage.",
        .ops = &pane_triage_ops,
        .modes = pane_triage_modes,
        .n_modes = 1,
        .also = triage_also,
        .n_also = ARRAY_LEN(triage_also),
        .bar = triage_bar,
        .n_bar = ARRAY_LEN(triage_bar),
        .help =
            "State      how the run ended, decided from profiler_info_*.json and the files next to it: "
            "ANALYSED, NOT ANALYSED, CRASHED, STILL RUNNING.\n"
            "Verdict    what matters, worst first; Enter shows the proof, t the place on the timeline, the "
            "digit is the pane to look at.\n"
            "Step       where a mean step goes: mean, p50 and p95 of each part.\n"
            "Findings   what the inventory and the parsers found; Enter shows why, the digit is the pane "
            "with the proof.\n"
            "Ranks      a folder of several ranks begins with the table of them: Enter goes to one, q "
            "comes back. Of each rank the small files are read for it; the large ones when the rank is "
            "opened. Means leave out the first recorded step.",
    },
    [PANE_FILES] = {
        .id = PANE_FILES,
        .title = "Files",
        .key = ACT_PANE_2,
        .prefix = "files.",
        .ops = &pane_files_ops,
        .scopes = SC_FILES,
        .bar = files_bar,
        .n_bar = ARRAY_LEN(files_bar),
        .empty = "raw",
        .help =
            "ok      read in full\n"
            "TORN    a record is cut or a slice unfinished; whole rows were kept\n"
            "LIMIT   a part is above a limit and was left out, the rest was kept\n"
            "EMPTY   nothing in it\n"
            "BAD     cannot be parsed; the note says where\n"
            "ABSENT  expected from the options in force, not there\n"
            "OFF     the option that produces it was not set\n"
            "UNREAD  not needed yet, or opened as a plain table only\n"
            "spare   the same is read from another file, which the note names\n"
            "NEWER   a format version this program does not know\n"
            "listed  known by its name only; the note says why",
    },
    [PANE_OPS] = {
        .id = PANE_OPS,
        .title = "Ops",
        .key = ACT_PANE_3,
        .prefix = "ops.",
        .ops = &pane_ops_ops,
        .bar = ops_bar,
        .n_bar = ARRAY_LEN(ops_bar),
        .empty = "ops",
        .help =
            "Times are sums over the recorded steps in use (s sets a range). Shares are of AI Core time: "
            "AI CPU and communication run in parallel and\n"
            "never enter the total. In generation 1 the sums are MindSpore's own: its op types are of a mean "
            "step, and AI CPU beside them is the run's by its number of steps; without steps of the "
            "whole run, as column Per says.",
    },
    [PANE_STEPS] = {
        .id = PANE_STEPS,
        .title = "Steps",
        .key = ACT_PANE_4,
        .prefix = "steps.",
        .ops = &pane_steps_ops,
        .modes = pane_steps_modes,
        .n_modes = 2,
        .scopes = SC_STEPS,
        .bar = steps_bar,
        .n_bar = ARRAY_LEN(steps_bar),
        .empty = "steps",
        .help =
            "Computing  kernels run, alone or beside communication.\n"
            "Comm only  communication while nothing computes. Long: see pane 9.\n"
            "Preparing  from the host's begin of the step to its first device task. Long: data was not "
            "ready. See pane 8.\n"
            "Idle       nothing of these.\n"
            "Overlap    communication beside computing.\n"
            "Free       Preparing and Idle. The profiler's own Free of the first step is without Preparing.\n"
            "Total      from the begin of the step to the next one's: Computing, Comm only, Preparing and "
            "Idle.\n"
            "MindSpore 1.x (to 2.0) recorded instead:\n"
            "Interval   from the end of the last step to the first forward op. Long: data was not ready. "
            "See pane 8.\n"
            "Fwd+bwd    from the first forward to the last backward op.\n"
            "Tail       from the last backward op to the end of the step: gradient exchange and "
            "optimizer. Long: see pane 9.\n"
            "The first recorded step, its number in brackets, is left out of means and of the scale of the "
            "bars: a bar that ends in > goes on beyond it. :set first-step=on counts it.",
    },
    [PANE_TIME] = {
        .id = PANE_TIME,
        .title = "Time",
        .key = ACT_PANE_5,
        .prefix = "timeline.",
        .ops = &pane_time_ops,
        .modes = pane_time_modes,
        .n_modes = 1,
        .bar = time_bar,
        .n_bar = ARRAY_LEN(time_bar),
        .empty = "time",
        .help =
            "One cell is one piece of time. Its height (in ASCII . : + #, for communication . - = %) is "
            "the share of it that is busy; its colour is the\n"
            "class of the name that takes most of it: exact where events are decoded, mostly right "
            "further out. A single short event in an idle piece\n"
            "is drawn as ' so that it never disappears. The strip below says in words what is under the "
            "cursor.\n"
            "An area (m, then M) gives time occupied and sum of durations apart: events that overlap "
            "count once in the first, twice in the second.\n"
            "e writes the events of the area (without one of the window) that are shown to a file: a "
            "table (.csv .ndjson .md .txt), or a trace (.json)\n"
            "for Perfetto, chrome://tracing and MindStudio Insight, which has the counters and the "
            "arrows, too. What is hidden or dimmed is left out.\n"
            "Wide screens say at the right of each track how much of the window it is busy and how many "
            "events touch it, exactly.\n"
            "Ranks under each other: =r chooses them, or :stack 0,3-5; each lies where its clock puts "
            "it. =s and =e move the others so that the event\n"
            "like the selected one (same name, same step, same place among its namesakes) begins or ends "
            "together with it, =b so that the step does, =0\n"
            "moves back, :offset 3 -412us by hand. p, x and O act on that track of every rank. Steps "
            "without times of their own are those that the\n"
            "profiler marked on the host (ProfilerStep#17).",
    },
    [PANE_FLOPS] = {
        .id = PANE_FLOPS,
        .title = "FLOPs",
        .key = ACT_PANE_6,
        .prefix = "flops.",
        .ops = &pane_flops_ops,
        .modes = pane_flops_modes,
        .n_modes = 2,
        .bar = list_bar,
        .n_bar = ARRAY_LEN(list_bar),
        .empty = "flops",
        .help =
            "GFLOPs counts operations, TFLOPS is a rate; the two are never both called FLOPS. Util is "
            "the share of the device's peak.\n"
            "+ and - open and close a scope.\n"
            "Roofline  each op by the operations it does for a byte of its inputs and outputs (by their "
            "shapes, each moved once) and the rate it\n"
            "          reaches, below two limits: the chip's peak as the profile's own use is a share of it, "
            "and the most bytes a second that an op\n"
            "          of this run moved. Lost is the time of one execution that reaching the roof would "
            "save.",
    },
    [PANE_MEM] = {
        .id = PANE_MEM,
        .title = "Mem",
        .key = ACT_PANE_7,
        .prefix = "memory.",
        .ops = &pane_mem_ops,
        .scopes = SC_MEM,
        .bar = mem_bar,
        .n_bar = ARRAY_LEN(mem_bar),
        .empty = "mem",
        .help =
            "The curve is memory over time (or over the nodes of a graph). Its cursor (h l, a click) chooses "
            "a moment; the tables below say what is\n"
            "alive then, by op, type or layer: bytes, when the first was born and when the last dies. What "
            "was allocated before the recording is not\n"
            "listed. P goes to the moment at which the most is held.",
    },
    [PANE_DATA] = {
        .id = PANE_DATA,
        .title = "Data",
        .key = ACT_PANE_8,
        .prefix = "data.",
        .ops = &pane_data_ops,
        .bar = list_bar,
        .n_bar = ARRAY_LEN(list_bar),
        .empty = "data",
        .help =
            "The slowest part of a pipeline has a full queue before it and an empty one after it.",
    },
    [PANE_COMM] = {
        .id = PANE_COMM,
        .title = "Comm",
        .key = ACT_PANE_9,
        .prefix = "comm.",
        .ops = &pane_comm_ops,
        .all_ranks = true,
        .bar = list_bar,
        .n_bar = ARRAY_LEN(list_bar),
        .empty = "comm",
        .help =
            "The rank that waits least is the late one: the others wait for it.",
    },
    [PANE_HOST] = {
        .id = PANE_HOST,
        .title = "Host",
        .key = ACT_PANE_0,
        .prefix = "host.",
        .ops = &pane_host_ops,
        .bar = list_bar,
        .n_bar = ARRAY_LEN(list_bar),
        .empty = "host",
        .help =
            "AI CPU kernels, host calls and stages. AI CPU work is on the critical path only while the "
            "AI Core idles.",
    },
    [PANE_LOG] = {
        .id = PANE_LOG,
        .title = "Log",
        .key = ACT_PANE_L,
        .prefix = "logs.",
        .ops = &pane_log_ops,
        .bar = log_bar,
        .n_bar = ARRAY_LEN(log_bar),
        .empty = "logs",
        .help =
            "Lines   of the logs of all ranks that say something, by time in UTC, with what the profiles say "
            "of the end between them (source profile).\n"
            "        Enter shows the lines around it in the file, t the moment on the timeline, n and N the "
            "next and the last one that is usually a cause;\n"
            "        \\ filters: rank=3, class=core, severity=ERROR, or words.\n"
            "What    the same by meaning: how many, on how many ranks, from when to when.\n"
            "Hang    where every rank stands in every group: what it issued, began and ended last. MISSING "
            "ranks are those that the others wait for;\n"
            "        Enter shows the Python stack.\n"
            "Files   which logs were read, whose they are, and which are of another run.",
    },
    [PANE_SQL] = {
        .id = PANE_SQL,
        .title = "SQL",
        .key = ACT_SQL,
        .ops = &pane_sql_ops,
        .help =
            "One statement, read only. Enter after a final ; runs it, Enter elsewhere starts a new line. "
            "Times are ns, sizes bytes.\n"
            "The result is an ordinary table. Esc goes to it, i comes back to the statement.",
    },
};

const struct pane_def *pane_def_by_word(struct str word)
{
    for (int i = 0; i < N_PANES; i++)
        if (str_eq_nocase(word, str_of(pane_word((enum pane_id)i))) ||
            str_eq_nocase(word, str_of(pane_defs[i].title)))
            return &pane_defs[i];
    return NULL;
}

const struct pane_def *pane_def_by_action(enum action a)
{
    for (int i = 0; i < N_PANES; i++)
        if (pane_defs[i].key == a)
            return &pane_defs[i];
    return NULL;
}
