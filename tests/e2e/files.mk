# SPDX-License-Identifier: Apache-2.0
# Screen tests in tmux: tests/e2e/<pane>-<behaviour>.sh, each sources tests/lib/term.sh. Skipped without tmux.
# They run in `make check`; alone with `make check-e2e`, one of them with `sh tests/e2e/NAME.sh`.
E2E_TESTS = \
	tests/e2e/archive-open.sh \
	tests/e2e/bench-keys.sh \
	tests/e2e/card-beside.sh \
	tests/e2e/card-picture.sh \
	tests/e2e/chinese.sh \
	tests/e2e/cli-no-profile.sh \
	tests/e2e/comm-groups.sh \
	tests/e2e/configure-form.sh \
	tests/e2e/files-bytes.sh \
	tests/e2e/files-open-table.sh \
	tests/e2e/filter-share.sh \
	tests/e2e/flops-roofline.sh \
	tests/e2e/help-and-commands.sh \
	tests/e2e/hostile-names.sh \
	tests/e2e/hyperlinks.sh \
	tests/e2e/import-progress.sh \
	tests/e2e/keystrokes.sh \
	tests/e2e/left-then-shown.sh \
	tests/e2e/lost-clock.sh \
	tests/e2e/memory-peak.sh \
	tests/e2e/memory-snapshot.sh \
	tests/e2e/ops-export.sh \
	tests/e2e/ops-filter.sh \
	tests/e2e/ops-open-and-back.sh \
	tests/e2e/ops-search.sh \
	tests/e2e/ops-sort-columns.sh \
	tests/e2e/panes-empty.sh \
	tests/e2e/linear.sh \
	tests/e2e/log-pane.sh \
	tests/e2e/panes-show-data.sh \
	tests/e2e/quit-terminal-restored.sh \
	tests/e2e/rank-switch.sh \
	tests/e2e/rank-table.sh \
	tests/e2e/reread-asks.sh \
	tests/e2e/resize.sh \
	tests/e2e/room.sh \
	tests/e2e/samples-show.sh \
	tests/e2e/settings.sh \
	tests/e2e/sql-console.sh \
	tests/e2e/state-kept.sh \
	tests/e2e/steps-open-ops.sh \
	tests/e2e/store-damaged.sh \
	tests/e2e/store-damaged-ranks.sh \
	tests/e2e/stop-statement.sh \
	tests/e2e/suspend.sh \
	tests/e2e/sync-output.sh \
	tests/e2e/terminals.sh \
	tests/e2e/timeline-diff.sh \
	tests/e2e/timeline-export.sh \
	tests/e2e/timeline-filter.sh \
	tests/e2e/timeline-flow.sh \
	tests/e2e/timeline-go.sh \
	tests/e2e/timeline-keys.sh \
	tests/e2e/timeline-ranks.sh \
	tests/e2e/timeline-runs.sh \
	tests/e2e/timeline-steps.sh \
	tests/e2e/triage-crashed.sh \
	tests/e2e/triage-logs.sh \
	tests/e2e/triage-dash.sh \
	tests/e2e/triage-follow.sh \
	tests/e2e/triage-run-state.sh \
	tests/e2e/triage-whole.sh \
	tests/e2e/runs.sh \
	tests/e2e/windows.sh \
	tests/lib/selftest.sh
TESTS += $(E2E_TESTS)
EXTRA_DIST += $(E2E_TESTS) \
	tests/e2e/sync_output.py \
	tests/lib/lsan.supp \
	tests/lib/pane.sh \
	tests/lib/profile.sh \
	tests/lib/screens.sh \
	tests/lib/term.sh

check-e2e: $(bin_PROGRAMS)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(E2E_TESTS)'

# Every pane as text, to be read: build/screens/RUN-SIZE-CHARSET.txt. SCREENS_DIRS names runs instead of the
# synthetic ones.
can-screens:
	@$(SHELL) $(srcdir)/tests/lib/need.sh screens "$${TERM_TMUX:-tmux}"
screens: can-screens $(bin_PROGRAMS)
	top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' NPUSCOPE='$(abs_top_builddir)/npuscope' \
		sh $(srcdir)/tests/lib/screens.sh screens $(SCREENS_DIRS)
.PHONY: can-screens check-e2e screens
