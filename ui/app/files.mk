# SPDX-License-Identifier: Apache-2.0
# The program around the panes: loop, keys, commands, prompts, overlays, stores of ranks.
libui_a_SOURCES += \
	ui/app/acts.c \
	ui/app/app.c ui/app/app.h \
	ui/app/app_int.h \
	ui/app/bench.c ui/app/bench.h \
	ui/app/busy.c \
	ui/app/can.c \
	ui/app/commands.c \
	ui/app/copy.c \
	ui/app/follow.c \
	ui/app/form.c \
	ui/app/form_write.c ui/app/form_write.h \
	ui/app/here.c \
	ui/app/input.c \
	ui/app/job.c \
	ui/app/keys.c ui/app/keys.h \
	ui/app/linear.c \
	ui/app/logs.c \
	ui/app/menus.c \
	ui/app/overlay.c ui/app/overlay.h \
	ui/app/prefs.c ui/app/prefs.h \
	ui/app/prompt.c ui/app/prompt.h \
	ui/app/rank.c \
	ui/app/reading.c \
	ui/app/screen.c \
	ui/app/services.c \
	ui/app/show.c \
	ui/app/state.c \
	ui/app/figures.c \
	ui/app/run_menu.c \
	ui/app/windows.c
