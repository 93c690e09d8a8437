# SPDX-License-Identifier: Apache-2.0
# What the project knows: pages that comments cite and tests/lint/cites.sh checks.
EXTRA_DIST += \
	doc/analysis.md \
	doc/architecture.md \
	doc/formats/analysed.md \
	doc/formats/framework.md \
	doc/formats/logs.md \
	doc/formats/mindspore1.md \
	doc/formats/msprof.md \
	doc/formats/prof-quirks.md \
	doc/formats/prof.md \
	doc/formats/samples.md \
	doc/glossary.md \
	doc/performance.md \
	doc/reliability.md \
	doc/rules.md \
	doc/screens.md \
	doc/store.md \
	doc/style.md \
	doc/tutorial.md
