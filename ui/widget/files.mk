# SPDX-License-Identifier: Apache-2.0
# Terminal, drawing, table, chart, timeline, hex: draw into a rectangle, know no pane and not the program around
# them.
libui_a_SOURCES += \
	ui/widget/chart.c ui/widget/chart.h \
	ui/widget/draw.c ui/widget/draw.h \
	ui/widget/hex.c ui/widget/hex.h \
	ui/widget/key.h \
	ui/widget/names.c ui/widget/names.h \
	ui/widget/spark.c ui/widget/spark.h \
	ui/widget/table.c ui/widget/table.h \
	ui/widget/table_base.c \
	ui/widget/table_draw.c \
	ui/widget/table_filter.c \
	ui/widget/table_int.h \
	ui/widget/table_layout.c \
	ui/widget/table_marks.c \
	ui/widget/table_measure.c \
	ui/widget/table_rows.c \
	ui/widget/table_state.c \
	ui/widget/term.c ui/widget/term.h \
	ui/widget/term_known.c ui/widget/term_known.h \
	ui/widget/term_link.c ui/widget/term_link.h \
	ui/widget/term_locale.c \
	ui/widget/term_type.c ui/widget/term_type.h \
	ui/widget/theme.c ui/widget/theme.h \
	ui/widget/timeline.c ui/widget/timeline.h \
	ui/widget/timeline_draw.c \
	ui/widget/timeline_rows.c \
	ui/widget/timeline_side.c \
	ui/widget/timeline_strip.c \
	ui/widget/timeline_sums.c
