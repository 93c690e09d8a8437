# SPDX-License-Identifier: Apache-2.0
# Lint: the rules of the house as scripts. `make lint` runs them alone and prints what each looked at.
LINT_TESTS = \
	tests/lint/banned.sh \
	tests/lint/circles.sh \
	tests/lint/cites.sh \
	tests/lint/compiler.sh \
	tests/lint/deps.sh \
	tests/lint/format.sh \
	tests/lint/headers.sh \
	tests/lint/length.sh \
	tests/lint/listed.sh \
	tests/lint/po.sh \
	tests/lint/selftest.sh \
	tests/lint/shell.sh \
	tests/lint/spdx.sh \
	tests/lint/words.sh
TESTS += $(LINT_TESTS)
EXTRA_DIST += $(LINT_TESTS) \
	tests/lint/analyze.known tests/lint/analyze.sh \
	.shellcheckrc \
	tests/lint/banned.awk \
	tests/lint/circles.awk \
	tests/lint/cites.awk \
	tests/lint/deps.awk \
	tests/lint/functions.awk \
	tests/lint/lib.sh \
	tests/lint/strip.awk

lint:
	@$(AM_TESTS_ENVIRONMENT) bad=0; for t in $(LINT_TESTS); do \
	  $(SHELL) $(srcdir)/$$t || test $$? -eq 77 || bad=1; done; exit $$bad
.PHONY: lint
