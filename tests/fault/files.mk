# SPDX-License-Identifier: Apache-2.0
# Faults on purpose. Each counts its rounds; more of them before a release: make check-kill, or
# KILL_ROUNDS=500.
FAULT_TESTS =
FAULT_TESTS += tests/fault/full_disk.sh
FAULT_TESTS += tests/fault/kill_analyse.sh
FAULT_TESTS += tests/fault/kill_import.sh
TESTS += $(FAULT_TESTS)
EXTRA_DIST += $(FAULT_TESTS) tests/fault/lib.sh tests/fault/fault.c tests/fault/full_disk.py \
	tests/fault/kill_analyse.py tests/fault/kill_import.py

# Loaded before the program. Without it, as where nothing can be, moments are times only.
tests/fault/fault.so: tests/fault/fault.c
	$(AM_V_CC)$(MKDIR_P) tests/fault && { $(CC) -O1 -shared -fPIC -o $@ $(srcdir)/tests/fault/fault.c -ldl || \
	  { echo "the faults cannot be built: kills at random times only"; rm -f $@; }; }
check_DATA = tests/fault/fault.so
CLEANFILES += tests/fault/fault.so

# All of FAULT_TESTS, with the rounds of a release; the first that fails ends it, one that is skipped does
# not.
FAULT_ENV = top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' NPUSCOPE='$(abs_top_builddir)/npuscope$(EXEEXT)'
check-fault: npuscope$(EXEEXT) tests/fault/fault.so
	@for t in $(FAULT_TESTS); do \
	  echo "$$t"; $(FAULT_ENV) KILL_ROUNDS="$${KILL_ROUNDS:-500}" $(SHELL) "$(srcdir)/$$t"; rc=$$?; \
	  test $$rc -eq 0 || test $$rc -eq 77 || exit $$rc; \
	done
can-check-kill:
	@$(SHELL) $(srcdir)/tests/lib/need.sh check-kill python3
check-kill: can-check-kill npuscope$(EXEEXT) tests/fault/fault.so
	$(FAULT_ENV) KILL_ROUNDS="$${KILL_ROUNDS:-500}" $(SHELL) $(srcdir)/tests/fault/kill_import.sh
	$(FAULT_ENV) KILL_ROUNDS="$${KILL_ROUNDS:-500}" $(SHELL) $(srcdir)/tests/fault/kill_analyse.sh
.PHONY: can-check-kill check-fault check-kill
