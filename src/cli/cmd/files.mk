# SPDX-License-Identifier: Apache-2.0
# One file a command.
libcli_a_SOURCES += \
	src/cli/cmd/alike.c src/cli/cmd/alike.h \
	src/cli/cmd/analyse_folders.c src/cli/cmd/analyse_folders.h \
	src/cli/cmd/cmd.c src/cli/cmd/cmd.h \
	src/cli/cmd/cmd_analyse.c \
	src/cli/cmd/cmd_browse.c \
	src/cli/cmd/cmd_bundle.c \
	src/cli/cmd/cmd_config.c \
	src/cli/cmd/cmd_configure.c \
	src/cli/cmd/cmd_demo.c \
	src/cli/cmd/cmd_doctor.c \
	src/cli/cmd/cmd_export.c \
	src/cli/cmd/cmd_help.c \
	src/cli/cmd/help_brief.c src/cli/cmd/help_brief.h \
	src/cli/cmd/cmd_import.c \
	src/cli/cmd/cmd_logs.c \
	src/cli/cmd/logs_json.c src/cli/cmd/logs_json.h \
	src/cli/cmd/cmd_op.c \
	src/cli/cmd/cmd_pretty.c \
	src/cli/cmd/cmd_query.c \
	src/cli/cmd/cmd_report.c \
	src/cli/cmd/cmd_schema.c \
	src/cli/cmd/cmd_timeline.c \
	src/cli/cmd/cmd_triage.c \
	src/cli/cmd/cmd_view.c \
	src/cli/cmd/cmd_windows.c \
	src/cli/cmd/once.c src/cli/cmd/once.h \
	src/cli/cmd/triage_json.c src/cli/cmd/triage_json.h \
	src/cli/cmd/verdict_out.c src/cli/cmd/verdict_out.h
