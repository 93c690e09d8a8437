# SPDX-License-Identifier: Apache-2.0
# One file a pane, a folder for one of many files; panes.c is the table of them.
libui_a_SOURCES += \
	ui/pane/data_flow.c ui/pane/data_flow.h \
	ui/pane/file_hex.c ui/pane/file_hex.h \
	ui/pane/files_preview.c ui/pane/files_preview.h \
	ui/pane/flops_roof.c ui/pane/flops_roof.h \
	ui/pane/ops_origin.c ui/pane/ops_origin.h \
	ui/pane/pane.c \
	ui/pane/pane_card.c \
	ui/pane/pane_comm.c \
	ui/pane/pane_data.c \
	ui/pane/pane_draw.c \
	ui/pane/pane_files.c \
	ui/pane/pane_flops.c \
	ui/pane/pane_host.c \
	ui/pane/pane_log.c \
	ui/pane/pane_mem.c \
	ui/pane/pane_ops.c \
	ui/pane/pane_room.c \
	ui/pane/pane_shape.c \
	ui/pane/pane_sql.c \
	ui/pane/pane_state.c \
	ui/pane/pane_steps.c \
	ui/pane/pane_tabs.c \
	ui/pane/panes.c ui/pane/panes.h \
	ui/pane/steps_heat.c ui/pane/steps_heat.h
include $(srcdir)/ui/pane/timeline/files.mk
include $(srcdir)/ui/pane/triage/files.mk
