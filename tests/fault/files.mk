# Faults on purpose: killed imports. KILL_ROUNDS=500 before a release.
check-fault: npuscope$(EXEEXT)
	NPUSCOPE=$(abs_top_builddir)/npuscope$(EXEEXT) $(SHELL) $(srcdir)/tests/fault/kill_import.sh
EXTRA_DIST += tests/fault/kill_import.sh
.PHONY: check-fault
