# SPDX-License-Identifier: Apache-2.0
# Manual pages and completion, printed by the program from its own tables (src/cli/man.c, generate.c). A
# release has them ready; they are made anew when a table changes. The program is needed but no reason to make
# them again. When cross building, a program of this machine makes them: NPUSCOPE_FOR_BUILD.
dist_man_MANS += man/npuscope.1 man/npuscope-config.5 man/npuscope-query.5 man/npuscope-records.5
# In Chinese too, from the catalogue; --utf8, because the locale need not be installed.
manzh1dir = $(mandir)/zh_CN/man1
manzh5dir = $(mandir)/zh_CN/man5
dist_manzh1_DATA = man/zh_CN/man1/npuscope.1
dist_manzh5_DATA = man/zh_CN/man5/npuscope-config.5 man/zh_CN/man5/npuscope-query.5 man/zh_CN/man5/npuscope-records.5
bashcompdir = $(datadir)/bash-completion/completions
zshcompdir = $(datadir)/zsh/site-functions
fishcompdir = $(datadir)/fish/vendor_completions.d
dist_bashcomp_DATA = completions/npuscope.bash
dist_zshcomp_DATA = completions/_npuscope
dist_fishcomp_DATA = completions/npuscope.fish

DOC_TABLES = parsers/framework/layouts_framework.c parsers/mindspore/records/layouts_mindspore.c \
	parsers/prof/layouts_legacy.c parsers/prof/layouts_prof.c \
	src/cli/commands.c src/cli/generate.c src/cli/man.c src/cli/man_texts.c src/cli/options.c src/store/schema.c \
	src/store/schema_tables.h src/model/settings.c ui/app/keys.c ui/widget/theme.h \
	src/model/views/colset.h src/model/views/colset_comm.c src/model/views/colset_data.c src/model/views/colset_files.c src/model/views/colset_flops.c \
	src/model/views/colset_host.c src/model/views/colset_mem.c src/model/views/colset_ops.c src/model/views/colset_steps.c src/model/views/colset_time.c
DOC_RUN = NPUSCOPE_OPTIONS= LC_ALL=C $(NPUSCOPE_FOR_BUILD) help

man/npuscope.1 man/npuscope-config.5 man/npuscope-query.5 man/npuscope-records.5: $(DOC_TABLES) | npuscope$(EXEEXT)
	@$(MKDIR_P) man
	$(AM_V_GEN)page=`basename $@`; $(DOC_RUN) --man=$${page%.*} --output=$@
$(dist_manzh1_DATA) $(dist_manzh5_DATA): $(DOC_TABLES) po/zh_CN.po | npuscope$(EXEEXT)
	@$(MKDIR_P) man/zh_CN/man1 man/zh_CN/man5
	$(AM_V_GEN)page=`basename $@`; NPUSCOPE_OPTIONS= LC_ALL=zh_CN.UTF-8 $(NPUSCOPE_FOR_BUILD) help --utf8 --man=$${page%.*} --output=$@
completions/npuscope.bash completions/npuscope.fish: src/cli/complete.c | npuscope$(EXEEXT)
	@$(MKDIR_P) completions
	$(AM_V_GEN)shell=`basename $@`; $(DOC_RUN) --completion=$${shell##*.} --output=$@
completions/_npuscope: src/cli/complete.c | npuscope$(EXEEXT)
	@$(MKDIR_P) completions
	$(AM_V_GEN)$(DOC_RUN) --completion=zsh --output=$@
MAINTAINERCLEANFILES = $(dist_man_MANS) $(dist_manzh1_DATA) $(dist_manzh5_DATA) $(dist_bashcomp_DATA) $(dist_zshcomp_DATA) $(dist_fishcomp_DATA)
