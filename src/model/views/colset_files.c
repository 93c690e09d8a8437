/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Files pane: files, notes, settings. */
#include "config.h"

#include "model/views/colset.h"

/* Nothing of it is needed, because its rows come from another file; used says which. */
#define SPARE "f.state = 'UNREAD' AND f.used LIKE 'no (%)'"

/* clang-format off */
/* Hidden ones: the short ones first, which then stay in place below the table from row to row. */
static const struct view_col files_cols[] = {
    { "path",    "File",   "f.path",   VT_TEXT, VU_NONE,  12, 42, 0, false, VC_MAIN | VC_FLEX | VC_PATH,
        "path below the run's folder" },
    { "rank",    "Rank",   "f.rank",   VT_INT,  VU_NONE,   4,  4, 5, false, VC_HIDDEN, "rank it belongs to" },
    { "device",  "Dev",    "f.device", VT_INT,  VU_NONE,   3,  3, 5, false, VC_HIDDEN,
        "device it belongs to" },
    { "size_b",  "Size",   "f.size_b", VT_INT,  VU_BYTES,  8,  9, 2, true,  0, "size on disk" },
    { "rows",    "Rows",   "f.rows",   VT_INT,  VU_COUNT,  6,  9, 1, true,  0,
        "rows, events or records that were read" },
    { "state",   "State",  "CASE WHEN " SPARE " THEN 'spare' ELSE f.state END", VT_TEXT, VU_NONE, 6, 6, 0,
        false, 0,
        "ok; TORN: cut, whole rows kept; LIMIT: a part above a limit left out; EMPTY; BAD: cannot be parsed; "
        "ABSENT: expected, not there; OFF: its option was not set; UNREAD: not needed yet; spare: the "
        "same is read from another file; NEWER: unknown version; listed: known by its name" },
    { "feeds",   "Feeds",  "f.feeds",  VT_TEXT, VU_NONE,   6, 10, 1, false, 0, "pane that shows its data" },
    /* before what only some files have, so that it keeps its place below the table (P22) */
    { "kind",    "Kind",   "f.kind",   VT_TEXT, VU_NONE,   6, 18, 4, false, VC_HIDDEN,
        "what kind of file it is" },
    { "lost",    "Lost",   "f.lost",   VT_INT,  VU_COUNT,  4,  5, 3, true,  VC_HIDDEN,
        "rows lost to damage or left out above a limit" },
    { "used",    "Used", /* the note has the reason */
        "CASE WHEN " SPARE " AND (ifnull(f.note, '') = '' OR f.used = 'no (superseded)') "
        "THEN 'no' ELSE f.used END", VT_TEXT, VU_NONE, 4, 20, 7, false, VC_HIDDEN,
        "whether its rows are in the tables" },
    { "note",    "Note",
        "CASE WHEN f.note <> '' THEN f.note WHEN " SPARE
        " THEN substr(f.used, 5, length(f.used) - 5) END",
        VT_TEXT, VU_NONE, 8, 30, 6, false, VC_HIDDEN | VC_SAID,
        "reason for the state, with line or offset; where the same data was taken from" },
    { "produced_by", "Option", "f.produced_by", VT_TEXT, VU_NONE, 6, 20, 7, false, VC_HIDDEN,
        "option that makes the profiler write it" },
};
const struct view_def view_files_list = {
    .id = "files.list", .title = "files", .pane = PANE_FILES, .from = "source f", .key = "f.id",
        COLSET_COLS(files_cols),
    .empty = "files.info", .unit_of = "files",
    .summary = "SELECT count(size_b) AS files, sum(size_b) AS size_b, sum(state IN ('TORN', 'LIMIT', 'BAD', "
        "'ABSENT', 'EMPTY', 'NEWER')) AS problems FROM source",
};

static const struct view_col notes_cols[] = {
    { "severity", "Sev",   "n.severity", VT_TEXT, VU_NONE,  5,  5, 0, false, 0, "ERROR, WARN or INFO" },
    { "code",     "Code",  "n.code",     VT_TEXT, VU_NONE,  8, 14, 3, false, 0, "kind of note" },
    { "path",     "File",  "f.path",     VT_TEXT, VU_NONE, 30, 36, 0, false, VC_FLEX | VC_PATH,
        "file it is about" },
    { "line",     "Line",  "n.line",     VT_INT,  VU_COUNT, 5,  7, 1, false, VC_APART, "line in the file" },
    { "offset_b", "Byte",  "n.offset",   VT_INT,  VU_COUNT, 6, 11, 2, false, VC_APART, "byte in the file" },
    { "count",    "Count", "n.count",    VT_INT,  VU_COUNT, 5,  7, 1, true,  0, "how often" },
    { "text",     "Note",  "n.text",     VT_TEXT, VU_NONE, 26, 50, 0, false, VC_MAIN | VC_SAID,
        "what was found" },
};
const struct view_def view_files_notes = {
    .id = "files.notes", .title = "notes", .pane = PANE_FILES,
        .from = "note n LEFT JOIN source f ON f.id = n.source_id", .key = "n.rowid",
    COLSET_COLS(notes_cols), .needs = "SELECT 1 FROM note LIMIT 1", .empty = NULL, .unit_of = "notes",
};

static const struct view_col settings_cols[] = {
    { "key",   "Setting", "s.key",   VT_TEXT, VU_NONE, 12, 40, 0, false, VC_MAIN | VC_FLEX,
        "option or fact as recorded" },
    { "value", "Value",   "s.value", VT_TEXT, VU_NONE, 12, 40, 0, false, VC_FLEX, "its value" },
    { "path",  "File",    "f.path",  VT_TEXT, VU_NONE, 12, 30, 2, false, VC_HIDDEN, "file that says so" },
};
const struct view_def view_files_settings = {
    .id = "files.settings", .title = "settings", .pane = PANE_FILES,
        .from = "setting s LEFT JOIN source f ON f.id = s.source_id",
    .where = "s.rank IS NULL OR s.rank = :rank", .key = "s.rowid", COLSET_COLS(settings_cols),
    .needs = "SELECT 1 FROM setting LIMIT 1", .empty = "files.info", .unit_of = "settings",
};

/* States by the words of the list of files. */
#define LOG_STATE \
    "CASE f.state WHEN 'apart' THEN 'APART' WHEN 'damaged' THEN 'TORN' WHEN 'refused' THEN 'BAD' " \
    "ELSE f.state END"
#define LOG_WHY \
    "CASE WHEN f.note <> '' THEN f.note WHEN f.state = 'apart' THEN 'not of this run' " \
    "WHEN f.rank IS NOT NULL THEN 'of rank ' || f.rank ELSE 'of its time' END"
static const struct view_col logs_cols[] = {
    { "path",   "File",   "f.path", VT_TEXT, VU_NONE, 12, 42, 0, false, VC_MAIN | VC_FLEX | VC_PATH,
        "log or dump beside the profile" },
    { "kind",   "Kind",   "f.kind", VT_TEXT, VU_NONE,  6,  8, 3, false, 0,
        "plog, devlog: CANN on host and device; device, bbox: of the chip; host: kernel; console; launcher; "
        "env; agent; flight, stack, status: dumps" },
    { "rank",   "Rank",   "f.rank", VT_INT,  VU_NONE,  4,  4, 2, false, 0, "rank of its process" },
    { "pid",    "Pid",    "f.pid",  VT_INT,  VU_NONE,  5,  7, 5, false, VC_HIDDEN, "its process" },
    { "server", "Server", "f.server", VT_TEXT, VU_NONE, 6, 10, 6, false, VC_HIDDEN, "server it is of" },
    { "size_b", "Size",   "f.size_b", VT_INT, VU_BYTES, 8,  9, 2, true,  0, "bytes read" },
    { "rows",   "Rows",   "f.lines", VT_INT, VU_COUNT, 6,  9, 3, true,  0, "lines that were read" },
    { "errors", "Errors", "f.errors", VT_INT, VU_COUNT, 6, 6, 1, true,  0, "lines that tell of a failure" },
    { "state",  "State",  LOG_STATE, VT_TEXT, VU_NONE, 5,  6, 0, false, 0,
        "ok: read; APART: nothing in it is of this run; TORN: whole parts are used; BAD: cannot be read" },
    { "note",   "Note",   LOG_WHY,   VT_TEXT, VU_NONE, 15, 36, 1, false, VC_SAID,
        "why it is one of this run (its process is that of a rank, its lines are of the time) or not, or "
        "the reason for its state" },
};
const struct view_def view_files_logs = {
    .id = "files.logs", .title = "logs", .pane = PANE_FILES, .from = "log_file f", .key = "f.id",
    COLSET_COLS(logs_cols), .needs = "SELECT 1 FROM log_file LIMIT 1", .empty = "logs",
    .over = VIEW_OVER_LOGS, .unit_of = "logs",
};
/* clang-format on */
