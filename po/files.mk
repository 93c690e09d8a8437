# SPDX-License-Identifier: Apache-2.0
# Languages: catalogues as gettext has them (npuscope.pot, LANGUAGE.po), made into tables that are part of the program, so that
# neither building nor running needs gettext. msgids lists what tables of the program hold; collect.awk what stands in its text.
CATALOGUES = po/zh_CN.po
nodist_libbase_a_SOURCES = po/zh_CN.c
po/zh_CN.c: $(srcdir)/po/zh_CN.po $(srcdir)/po/table.awk $(srcdir)/po/bytes.awk
	@$(MKDIR_P) po
	$(AM_V_GEN)LC_ALL=C $(AWK) -f $(srcdir)/po/table.awk $(srcdir)/po/zh_CN.po >po/zh_CN.txt && \
	gzip -n -9 -c po/zh_CN.txt >po/zh_CN.gz && od -An -v -tx1 po/zh_CN.gz | \
	LC_ALL=C $(AWK) -v language=zh_CN -v bytes="`wc -c <po/zh_CN.txt`" -f $(srcdir)/po/bytes.awk >$@.tmp && mv $@.tmp $@
CLEANFILES += po/zh_CN.c po/zh_CN.c.tmp po/zh_CN.gz po/zh_CN.txt
EXTRA_DIST += $(CATALOGUES) po/npuscope.pot po/bare.awk po/bytes.awk po/check.awk po/collect.awk po/join.awk po/table.awk po/update.sh

check_PROGRAMS += po/msgids
po_msgids_SOURCES = po/msgids.c
po_msgids_LDADD = libcli.a libui.a libanalysis.a libmodel.a libimport.a liblogs.a libparsers.a libstore.a libconfigure.a librun.a libarc.a libbase.a \
	$(NCURSES_LIBS) $(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(LIBARCHIVE_LIBS) $(ZLIB_LIBS)

# After a text was added or changed: npuscope.pot anew, and the catalogues with it. Needs gettext.
update-po: po/msgids$(EXEEXT)
	sh $(srcdir)/po/update.sh $(srcdir)
.PHONY: update-po
