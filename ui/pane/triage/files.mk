# SPDX-License-Identifier: Apache-2.0
# The first pane: verdict, dashboard of the ranks, why a job died.
libui_a_SOURCES += \
	ui/pane/triage/dash.c ui/pane/triage/dash.h \
	ui/pane/triage/findings.c ui/pane/triage/findings.h \
	ui/pane/triage/only_logs.c ui/pane/triage/only_logs.h \
	ui/pane/triage/parts.c ui/pane/triage/parts.h \
	ui/pane/triage/proof.c ui/pane/triage/proof.h \
	ui/pane/triage/triage.c \
	ui/pane/triage/verdict.c ui/pane/triage/verdict.h \
	ui/pane/triage/why.c ui/pane/triage/why.h
