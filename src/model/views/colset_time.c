/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline as a table: events and counters. */
#include "config.h"

#include "model/views/colset.h"

/* What people read and filter by (model/timeline/lineup_match.c has the same). */
#define TRACK_KIND "CASE t.kind WHEN 'host_thread' THEN 'host' ELSE t.kind END"

/* clang-format off */
/* Rows of a virtual table have no key of their own; ts and track identify a row. */
static const struct view_col event_cols[] = {
    { "ts_ns",  "Start",    "v.ts_ns",  VT_INT,  VU_TS,   8, 12, 0, false, 0, "start" },
    { "dur_ns", "Duration", "v.dur_ns", VT_INT,  VU_NS,   8,  9, 0, true,  VC_INSIDE,
        "duration; 0: an instant" },
    { "track",  "Track",    COLSET_TRACK, VT_TEXT, VU_NONE, 8, 18, 1, false,
        0, "row of the timeline" },
    { "name",   "Name",     COLSET_TEXT("v.name_id"), VT_TEXT, VU_NONE, 12, 34, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "name of the event" },
    { "category", "Layer",  COLSET_TEXT("t.process_id"), VT_TEXT, VU_NONE, 8, 16, 3, false, 0,
        "layer or process the track belongs to" },
    { "depth",  "Depth",    "v.depth",  VT_INT,  VU_NONE, 4,  5, 6, false, VC_HIDDEN,
        "depth of nesting, or lane" },
    { "kind",   "Kind",     TRACK_KIND, VT_TEXT, VU_NONE, 6,  8, 7, false, VC_HIDDEN, "kind of track" },
    { "source_off", "Byte or line", "v.source_off", VT_INT, VU_NONE, 6, 12, 8, false, VC_HIDDEN,
        "byte or line of the event in its file" },
};
const struct view_def view_timeline_events = {
    .id = "timeline.events", .title = "events", .pane = PANE_TIME,
        .from = "event v JOIN track t ON t.id = v.track_id", .where = "t.rank = :rank", .group = "",
        .key = "",
    COLSET_COLS(event_cols), .sort = "ts_ns", .empty = "time", .needs = COLSET_ANY("track"),
    .ts_col = "ts_ns", .dur_col = "dur_ns", .unit_of = "events",
};
static const struct view_col track_cols[] = {
    { "track",    "Track",  COLSET_TRACK, VT_TEXT, VU_NONE, 10, 30, 0, false,
        VC_MAIN | VC_FLEX, "row of the timeline" },
    { "category", "Layer",  COLSET_TEXT("t.process_id"), VT_TEXT, VU_NONE, 8, 20, 1, false, 0,
        "layer or process" },
    { "kind",     "Kind",   TRACK_KIND,     VT_TEXT, VU_NONE,  6,  11, 3, false, 0, "kind of track" },
    { "events",   "Events", "t.n",          VT_INT,  VU_COUNT, 6,   8, 0, true,  0, "events" },
    { "busy_ns",  "Busy",   "CASE WHEN t.kind <> 'counter' THEN t.busy_ns END", VT_INT, VU_NS, 8, 9, 0, true,
        VC_BAR | VC_INSIDE, "time covered by events" },
    { "dur_sum_ns", "Sum",  "CASE WHEN t.kind <> 'counter' THEN t.dur_sum_ns END", VT_INT, VU_NS, 8, 9, 2,
        true, VC_INSIDE, "sum of durations: overlaps count twice" },
    { "first_ns", "First",  "t.t0",         VT_INT,  VU_TS,    8,  11, 2, false, 0,
        "start of the first event" },
    { "last_ns",  "Last",   "t.t1",         VT_INT,  VU_TS,    8,  11, 4, false, VC_HIDDEN, "latest end" },
    { "lanes",    "Lanes",  "t.lanes",      VT_INT,  VU_NONE,  5,   5, 5, true,  VC_HIDDEN,
        "lines needed to draw it" },
};
const struct view_def view_timeline_tracks = {
    .id = "timeline.tracks", .title = "tracks", .pane = PANE_TIME, .from = "track t",
        .where = "t.rank = :rank AND t.kind <> 'flow'", .key = "t.id", COLSET_COLS(track_cols),
        .empty = "time", .needs = COLSET_ANY("track"), .ts_col = "first_ns", .dur_col = "busy_ns",
        .unit_of = "tracks",
};
static const struct view_col counter_cols[] = {
    { "ts_ns",   "Time",    "s.ts_ns", VT_INT,  VU_TS,   8, 12, 0, false, 0, "time" },
    { "counter", "Counter", COLSET_TEXT("t.name_id"), VT_TEXT, VU_NONE, 10, 30, 0, false, VC_MAIN | VC_FLEX,
        "counter" },
    { "value",   "Value",   "s.value", VT_REAL, VU_NONE, 8, 12, 0, true,  0, "value" },
    { "unit",    "Unit",    "t.unit",  VT_TEXT, VU_NONE, 4,  8, 2, false, 0, "unit as recorded" },
    { "category", "Layer",  COLSET_TEXT("t.process_id"), VT_TEXT, VU_NONE, 8, 16, 3, false, 0, "layer" },
};
const struct view_def view_timeline_counters = {
    .id = "timeline.counters", .title = "counters", .pane = PANE_TIME,
        .from = "counter_sample s JOIN track t ON t.id = s.track_id", .where = "t.rank = :rank", .group = "",
        .key = "",
    COLSET_COLS(counter_cols), .empty = "time",
    .needs = "SELECT 1 FROM track WHERE rank = :rank AND kind = 'counter' LIMIT 1",
    .ts_col = "ts_ns", .unit_of = "samples",
};
/* clang-format on */
