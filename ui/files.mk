noinst_LIBRARIES += libui.a
libui_a_CPPFLAGS = $(AM_CPPFLAGS) $(NCURSES_CFLAGS)
libui_a_CFLAGS = $(AM_CFLAGS)
libui_a_SOURCES = \
	ui/acts.c \
	ui/app.c ui/app.h ui/app_int.h \
	ui/bench.c ui/bench.h \
	ui/busy.c \
	ui/chart.c ui/chart.h \
	ui/commands.c \
	ui/copy.c \
	ui/draw.c ui/draw.h \
	ui/follow.c \
	ui/hex.c ui/hex.h \
	ui/input.c \
	ui/job.c \
	ui/keys.c ui/keys.h \
	ui/menus.c \
	ui/overlay.c ui/overlay.h \
	ui/pane.c \
	ui/pane_comm.c \
	ui/pane_data.c \
	ui/pane_draw.c \
	ui/pane_files.c \
	ui/pane_flops.c \
	ui/pane_host.c \
	ui/pane_mem.c \
	ui/pane_ops.c \
	ui/pane_sql.c \
	ui/pane_state.c \
	ui/pane_steps.c \
	ui/pane_timeline.c ui/pane_timeline_int.h \
	ui/pane_timeline_align.c \
	ui/pane_timeline_export.c \
	ui/pane_timeline_filter.c \
	ui/pane_timeline_go.c \
	ui/pane_timeline_jump.c \
	ui/pane_timeline_keys.c \
	ui/pane_timeline_ranks.c \
	ui/pane_triage.c \
	ui/panes.c ui/panes.h \
	ui/prompt.c ui/prompt.h \
	ui/rank.c \
	ui/screen.c \
	ui/state.c \
	ui/table.c ui/table.h ui/table_int.h \
	ui/table_draw.c \
	ui/table_layout.c \
	ui/table_marks.c \
	ui/table_measure.c \
	ui/table_rows.c \
	ui/table_state.c \
	ui/term.c ui/term.h \
	ui/theme.c ui/theme.h \
	ui/timeline.c ui/timeline.h \
	ui/timeline_draw.c \
	ui/timeline_rows.c \
	ui/timeline_side.c \
	ui/timeline_strip.c \
	ui/timeline_sums.c \
	ui/ui.h
