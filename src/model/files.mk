# Questions and answers without a screen, over open stores. No SQL leaves this folder and nothing here
# draws.
noinst_LIBRARIES += libmodel.a
libmodel_a_CPPFLAGS = $(AM_CPPFLAGS)
libmodel_a_CFLAGS = $(AM_CFLAGS)
libmodel_a_SOURCES = \
	src/model/cell.c src/model/cell.h \
	src/model/chrome.c src/model/chrome.h \
	src/model/colset.c src/model/colset.h \
	src/model/colset_comm.c \
	src/model/colset_data.c \
	src/model/colset_files.c \
	src/model/colset_flops.c \
	src/model/colset_host.c \
	src/model/colset_mem.c \
	src/model/colset_ops.c \
	src/model/colset_steps.c \
	src/model/colset_time.c \
	src/model/colset_triage.c \
	src/model/column.c src/model/column.h \
	src/model/curves.c src/model/curves.h \
	src/model/empty.c src/model/empty.h \
	src/model/export.c src/model/export.h \
	src/model/facts.c src/model/facts.h \
	src/model/filter.c src/model/filter.h \
	src/model/lineup.c src/model/lineup.h \
	src/model/lineup_align.c src/model/lineup_align.h \
	src/model/lineup_export.c src/model/lineup_export.h \
	src/model/lineup_match.c src/model/lineup_match.h \
	src/model/lineup_match_events.c \
	src/model/lineup_match_int.h \
	src/model/nesting.c src/model/nesting.h \
	src/model/places.c src/model/places.h \
	src/model/radix.c src/model/radix.h \
	src/model/ranking.c src/model/ranking.h \
	src/model/rowset.c src/model/rowset.h \
	src/model/rowset_cols.c \
	src/model/rowset_int.h \
	src/model/session.c src/model/session.h \
	src/model/slice.h \
	src/model/steps.c src/model/steps.h \
	src/model/texts.c src/model/texts.h \
	src/model/timeline.c src/model/timeline.h \
	src/model/timeline_area.c \
	src/model/timeline_busy.c \
	src/model/timeline_cells.c \
	src/model/timeline_dir.c \
	src/model/timeline_facts.c \
	src/model/timeline_find.c \
	src/model/timeline_int.h \
	src/model/timeline_names.c \
	src/model/view.c src/model/view.h \
	src/model/view_data.c \
	src/model/view_filter.c \
	src/model/view_int.h \
	src/model/view_order.c \
	src/model/view_sql.c \
	src/model/view_test.c src/model/view_test.h \
	src/model/writer.c src/model/writer.h \
	src/model/writer_csv.c \
	src/model/writer_int.h \
	src/model/writer_json.c \
	src/model/writer_text.c
