/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Log pane: over the store of the job's logs (doc/store.md#logs), not those of ranks. */
#include "config.h"

#include "model/views/colset.h"

/* clang-format off */
/* A stamp of whole seconds stays one: many logs write no more. */
#define UTC(expr, from, n) \
    "substr(strftime('%Y-%m-%d %H:%M:%S', " expr " / 1000000000, 'unixepoch') || " \
    "CASE WHEN " expr " % 1000000000 THEN printf('.%03d', " expr " / 1000000 % 1000) ELSE '' END, " #from \
    ", " #n ")"
/* What is not of this run, or says nothing, last in mind but still there: as words that filters take. */
#define SEVERITY \
    "CASE WHEN l.apart THEN 'OFF' WHEN l.role = 'cause' THEN 'ERROR' WHEN l.role IN ('consequence', " \
        "'either') " \
    "THEN 'WARN' ELSE 'INFO' END"

#define CLASS "CASE WHEN l.class NOT IN ('none', 'unknown') THEN l.class END"

static const struct view_col line_cols[] = {
    { "time",     "Time (UTC)", UTC("l.utc_ns", 12, 12), VT_TEXT, VU_NONE, 12, 12, 0, false, 0,
        "time of day in UTC, as far as the zone of the writer's clock is known" },
    { "rank",     "Rank",   "l.rank", VT_INT, VU_NONE, 4, 4, 0, false, VC_HUE,
        "rank whose line it is" },
    { "severity", "Sev",    SEVERITY, VT_TEXT, VU_NONE, 5, 5, 1, false, VC_STAYS,
        "ERROR: usually a cause; WARN: a consequence, or either; INFO: of the run's course; OFF: of "
        "another run, "
        "or after the end of this one" },
    { "class",    "Class",  CLASS, VT_TEXT, VU_NONE, 5, 6, 3, false, 0,
        "class of the failure it tells of" },
    { "says",     "Meaning", "l.says", VT_TEXT, VU_NONE, 28, 36, 4, false, VC_PROSE | VC_SAID,
        "what the line means" },
    { "message",  "Line",   "l.message", VT_TEXT, VU_NONE, 30, 60, 0, false, VC_MAIN | VC_FLEX | VC_PROSE,
        "what its writer says, without time, module and place in its source" },
    { "path",     "File",   "f.path", VT_TEXT, VU_NONE, 10, 24, 6, false, VC_PATH, "file" },
    { "line",     "No.",    "l.line", VT_INT, VU_NONE, 4, 6, 7, false, 0, "line in it" },
    { "source",   "Source", "l.source", VT_TEXT, VU_NONE, 6, 8, 8, false, VC_HIDDEN,
        "kind of the log; profile: an event of the profile" },
    { "level",    "Level",  "l.level", VT_TEXT, VU_NONE, 5, 7, 8, false, VC_HIDDEN,
        "how serious its writer takes it" },
    { "module",   "Module", "l.module", VT_TEXT, VU_NONE, 6, 8, 8, false, VC_HIDDEN, "module that wrote it" },
    { "signature", "Id",    "v.signature", VT_TEXT, VU_NONE, 4, 5, 8, false, VC_HIDDEN,
        "signature that the line has" },
    { "role",     "Role",   "l.role", VT_TEXT, VU_NONE, 5, 11, 8, false, VC_HIDDEN,
        "cause, consequence, either, noise, mark" },
    { "server",   "Server", "l.server", VT_TEXT, VU_NONE, 6, 10, 8, false, VC_HIDDEN, "server" },
    { "pid",      "Pid",    "l.pid", VT_INT, VU_NONE, 5, 7, 8, false, VC_HIDDEN, "process" },
    { "device",   "Dev",    "v.device", VT_INT, VU_NONE, 3, 4, 8, false, VC_HIDDEN, "device in the line" },
    { "stream",   "Stream", "v.stream", VT_INT, VU_NONE, 5, 6, 8, false, VC_HIDDEN, "stream in the line" },
    { "task",     "Task",   "v.task", VT_INT, VU_NONE, 5, 6, 8, false, VC_HIDDEN, "task in the line" },
    { "op",       "Op",     "v.op", VT_TEXT, VU_NONE, 6, 16, 8, false, VC_HIDDEN, "op in the line" },
    { "kernel",   "Kernel", "v.kernel", VT_TEXT, VU_NONE, 6, 16, 8, false, VC_HIDDEN, "kernel in the line" },
    { "group_name", "Group", "v.group_name", VT_TEXT, VU_NONE, 6, 16, 8, false, VC_HIDDEN,
        "group in the line" },
    { "seq",      "Seq",    "v.seq", VT_INT, VU_NONE, 4, 6, 8, false, VC_HIDDEN,
        "number of the collective in its group" },
    { "remote_rank", "Other", "v.remote_rank", VT_INT, VU_NONE, 4, 5, 8, false, VC_HIDDEN,
        "other rank in the line" },
    { "code",     "Code",   "v.code", VT_TEXT, VU_NONE, 4, 8, 8, false, VC_HIDDEN,
        "error code in the line, with its name" },
    { "next",     "Next",   "v.next", VT_TEXT, VU_NONE, 8, 20, 9, false, VC_HIDDEN | VC_SAID,
        "what to do" },
    { "utc",      "UTC",    UTC("l.utc_ns", 1, 23), VT_TEXT, VU_NONE, 19, 23, 8, false, VC_HIDDEN,
        "date and time, UTC" },
    { "utc_ns",   "Unix ns", "l.utc_ns", VT_INT, VU_NONE, 10, 19, 9, false, VC_HIDDEN, "Unix time in ns" },
    { "ts_ns",    "In profile", "l.ts_ns", VT_INT, VU_NONE, 10, 14, 9, false, VC_HIDDEN,
        "the same instant in the rank's profile, ns from its origin" },
    { "first",    "First",  "nullif(l.first, 0)", VT_INT, VU_NONE, 5, 5, 9, false, VC_HIDDEN,
        "1: the first error of the verdict" },
    { "file_id",  "File no.", "l.file_id", VT_INT, VU_NONE, 4, 6, 9, false, VC_HIDDEN, "number of the file" },
    { "clock",    "Clock",  "l.clock", VT_TEXT, VU_NONE, 8, 14, 9, false, VC_HIDDEN | VC_SAID,
        "what the zone of its clock follows from" },
    { "offset_b", "Byte",   "l.offset_b", VT_INT, VU_COUNT, 6, 11, 9, false, VC_HIDDEN,
        "where it begins in the file" },
    { "text",     "Whole line", "l.text", VT_TEXT, VU_NONE, 16, 60, 9, false, VC_HIDDEN,
        "the line as written" },
};
const struct view_def view_logs_line = {
    .id = "logs.line", .title = "lines", .pane = PANE_LOG,
    .from = "log_line l LEFT JOIN log_event v ON v.line_id = l.id LEFT JOIN log_file f ON f.id = l.file_id",
    .key = "l.id", COLSET_COLS(line_cols), .needs = "SELECT 1 FROM log_line LIMIT 1", .empty = "logs",
    .over = VIEW_OVER_LOGS, .ts_col = "ts_ns", .unit_of = "lines",
};

static const struct view_col what_cols[] = {
    { "severity", "Sev",    "min(" SEVERITY ")", VT_TEXT, VU_NONE, 5, 5, 1, false, VC_STAYS,
        "ERROR: usually a cause; WARN: a consequence, or either; INFO: of the run's course" },
    { "class",    "Class",  CLASS, VT_TEXT, VU_NONE, 5, 6, 1, false, 0,
        "class of the failure" },
    { "says",     "Meaning", "l.says", VT_TEXT, VU_NONE, 16, 40, 0, false,
        VC_MAIN | VC_FLEX | VC_PROSE | VC_SAID, "what such lines mean" },
    { "lines",    "Lines",  "count(*)", VT_INT, VU_COUNT, 5, 6, 0, true, VC_BAR, "how many" },
    { "ranks",    "Ranks",  "count(DISTINCT l.rank)", VT_INT, VU_COUNT, 5, 5, 0, true, 0,
        "ranks that wrote them" },
    { "first",    "First (UTC)", UTC("min(l.utc_ns)", 12, 12), VT_TEXT, VU_NONE, 12, 12, 2, false, 0,
        "time of the first one" },
    { "last",     "Last (UTC)", UTC("max(l.utc_ns)", 12, 12), VT_TEXT, VU_NONE, 12, 12, 3, false, 0,
        "time of the last one" },
    { "signature", "Id",    "v.signature", VT_TEXT, VU_NONE, 4, 5, 4, false, 0, "signature" },
    { "next",     "Next",   "max(v.next)", VT_TEXT, VU_NONE, 8, 30, 5, false, VC_HIDDEN | VC_SAID,
        "what to do" },
};
const struct view_def view_logs_what = {
    .id = "logs.what", .title = "what", .pane = PANE_LOG,
    .from = "log_line l JOIN log_event v ON v.line_id = l.id", .where = "NOT l.apart",
    .group = "v.signature, l.class, l.says", COLSET_COLS(what_cols),
    .needs = "SELECT 1 FROM log_event LIMIT 1", .empty = "logs", .over = VIEW_OVER_LOGS,
        .unit_of = "kinds of lines",
    .sort = "first", .open = "logs.line", .open_filter = "signature={signature}",
};

static const struct view_col hang_cols[] = {
    { "group_name", "Group", "c.group_name", VT_TEXT, VU_NONE, 8, 24, 0, false, VC_MAIN | VC_FLEX, "group" },
    { "rank",      "Rank",   "c.rank", VT_INT, VU_NONE, 4, 4, 0, false, VC_HUE, "rank" },
    { "state",     "State",  "c.state", VT_TEXT, VU_NONE, 7, 8, 0, false, 0,
        "MISSING: has not issued the collective; WAITS: issued it, and it has not ended; MISMATCH: "
        "issued another "
        "op, size or type than most; ended; unknown: nothing says so" },
    { "seq",       "Seq",    "c.seq", VT_INT, VU_NONE, 4, 6, 1, false, 0,
        "number of the collective in question" },
    { "enqueued",  "Issued", "c.enqueued", VT_INT, VU_NONE, 6, 7, 1, false, 0,
        "number of the last collective that the host issued" },
    { "started",   "Begun",  "c.started", VT_INT, VU_NONE, 5, 7, 2, false, 0,
        "number of the last one that the device began, where recorded" },
    { "completed", "Ended",  "c.completed", VT_INT, VU_NONE, 5, 7, 1, false, 0,
        "number of the last one that ended" },
    { "op",        "Op",     "c.op", VT_TEXT, VU_NONE, 8, 18, 2, false, 0, "what the rank issued there" },
    { "sizes",     "Sizes",  "c.sizes", VT_TEXT, VU_NONE, 6, 14, 4, false, 0, "sizes of its input" },
    { "dtypes",    "Types",  "c.dtypes", VT_TEXT, VU_NONE, 5, 8, 5, false, 0, "data types of its input" },
    { "place",     "Python is in", "c.place", VT_TEXT, VU_NONE, 12, 34, 3, false, 0,
        "where the Python program of the rank is; Enter shows its stack" },
    { "says",      "What differs", "c.says", VT_TEXT, VU_NONE, 12, 40, 7, false, VC_HIDDEN | VC_SAID,
        "what differs in the group" },
    { "stack",     "Stack",  "c.stack", VT_TEXT, VU_NONE, 12, 40, 8, false, VC_HIDDEN,
        "Python stack, innermost first" },
    { "source",    "Source", "c.source", VT_TEXT, VU_NONE, 6, 6, 7, false, VC_HIDDEN,
        "flight: flight recorder; status: status file; log: the timeout in a log" },
    { "path",      "File",   "c.path", VT_TEXT, VU_NONE, 10, 30, 8, false, VC_HIDDEN | VC_PATH,
        "file it follows from" },
};
const struct view_def view_logs_hang = {
    .id = "logs.hang", .title = "hang board", .pane = PANE_LOG, .from = "collective c", .key = "c.rowid",
    COLSET_COLS(hang_cols), .needs = "SELECT 1 FROM collective LIMIT 1", .empty = "logs.hang",
    .over = VIEW_OVER_LOGS, .unit_of = "places",
};

static const struct view_col file_cols[] = {
    { "path",     "File",   "f.path", VT_TEXT, VU_NONE, 16, 40, 0, false, VC_MAIN | VC_FLEX | VC_PATH,
        "file" },
    { "kind",     "Kind",   "f.kind", VT_TEXT, VU_NONE, 6, 8, 1, false, 0,
        "plog, devlog: CANN on host and device; device, bbox: of the chip; host: kernel; console; "
        "launcher; env; "
        "agent; flight, stack, status: dumps" },
    { "rank",     "Rank",   "f.rank", VT_INT, VU_NONE, 4, 4, 1, false, 0, "rank of its process" },
    { "state",    "State",  "f.state", VT_TEXT, VU_NONE, 5, 8, 0, false, 0,
        "ok; apart: nothing in it is of this run; damaged: whole parts are used; refused: cannot be read" },
    { "lines",    "Lines",  "f.lines", VT_INT, VU_COUNT, 6, 9, 2, true, 0, "lines read" },
    { "size_b",   "Size",   "f.size_b", VT_INT, VU_BYTES, 8, 9, 2, true, 0, "bytes read" },
    { "errors",   "Errors", "f.errors", VT_INT, VU_COUNT, 6, 6, 0, true, VC_BAR,
        "lines that tell of a failure" },
    { "left_out", "Left out", "f.left_out", VT_INT, VU_COUNT, 6, 8, 5, true, VC_HIDDEN,
        "such lines above the limit of one kind: counted only" },
    { "pid",      "Pid",    "f.pid", VT_INT, VU_NONE, 5, 7, 4, false, 0, "its process" },
    { "server",   "Server", "f.server", VT_TEXT, VU_NONE, 6, 10, 5, false, VC_HIDDEN, "server it is of" },
    { "note",     "Note",   "f.note", VT_TEXT, VU_NONE, 8, 30, 3, false, VC_SAID,
        "reason for the state" },
};
const struct view_def view_logs_file = {
    .id = "logs.file", .title = "files", .pane = PANE_LOG, .from = "log_file f", .key = "f.id",
    COLSET_COLS(file_cols), .needs = "SELECT 1 FROM log_file LIMIT 1", .empty = "logs",
    .over = VIEW_OVER_LOGS, .unit_of = "files", .open = "logs.line", .open_filter = "path={path}",
};
/* clang-format on */
