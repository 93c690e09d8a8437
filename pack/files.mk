# SPDX-License-Identifier: Apache-2.0
# What users get who do not build: one static file, a package. ARCH is amd64 or arm64, by default
# this machine's; JOBS (2) for the compiler.
static:
	sh $(srcdir)/pack/static.sh $(srcdir) $(VERSION) $(ARCH)
# Both, tried: alone in an empty root, and the other one under qemu.
check-static:
	sh $(srcdir)/pack/static.sh $(srcdir) $(VERSION) amd64
	sh $(srcdir)/pack/static.sh $(srcdir) $(VERSION) arm64
	sh $(srcdir)/pack/try_static.sh npuscope-$(VERSION)-linux-x86_64 npuscope-$(VERSION)-linux-aarch64
# Unit and golden tests of aarch64, under qemu.
check-aarch64:
	sh $(srcdir)/pack/check_aarch64.sh $(srcdir) $(VERSION) '$(UNIT_TESTS)' '$(GOLDEN_TESTS)'
	sh $(srcdir)/pack/check_scan.sh $(srcdir) $(VERSION)
.PHONY: check-aarch64
deb: dist
	SOURCE_DATE_EPOCH=`sh $(srcdir)/pack/epoch.sh $(srcdir)` sh $(srcdir)/pack/deb.sh npuscope-$(VERSION).tar.xz $(VERSION)
# Built, looked at by lintian, installed, tried and removed: root's, on a machine for that.
check-deb: deb
	sh $(srcdir)/pack/try_deb.sh $(VERSION)
# The same in a clean root of each of SUITES, by debootstrap and autopkgtest; root's.
check-roots: deb
	sh $(srcdir)/pack/try_root.sh npuscope_$(VERSION)-1_`dpkg --print-architecture`.deb $(srcdir) $${SUITES:-bookworm}
.PHONY: check-roots
# The package of RPM and its source package; CJSON=TARBALL puts cJSON inside.
rpm: dist
	SOURCE_DATE_EPOCH=`sh $(srcdir)/pack/epoch.sh $(srcdir)` sh $(srcdir)/pack/rpm.sh npuscope-$(VERSION).tar.xz $(VERSION) $(CJSON)
# With cJSON beside it and inside, looked at by rpmlint, tried in a root of its own.
check-rpm: dist
	SOURCE_DATE_EPOCH=`sh $(srcdir)/pack/epoch.sh $(srcdir)` sh $(srcdir)/pack/check_rpm.sh npuscope-$(VERSION).tar.xz $(VERSION)
# All that is published, in release/.
release: dist
	sh $(srcdir)/pack/release.sh $(srcdir) $(VERSION) npuscope-$(VERSION).tar.xz
check-release: release
	$(MAKE) $(AM_MAKEFLAGS) dist
	sh $(srcdir)/pack/check_release.sh release $(VERSION) npuscope-$(VERSION).tar.xz
# And made once more, elsewhere and by another user: every file is the same.
check-reproducible: release
	sh $(srcdir)/pack/try_reproducible.sh $(srcdir) $(VERSION) release
.PHONY: check-reproducible static check-static deb check-deb rpm check-rpm release check-release
EXTRA_DIST += pack/alone.sh pack/check_aarch64.sh pack/check_scan.sh pack/static.sh pack/sysroot.sh pack/terminfo.sh pack/try_static.sh
EXTRA_DIST += pack/deb.sh pack/try_deb.sh pack/try_root.sh
EXTRA_DIST += pack/debian/changelog pack/debian/control pack/debian/copyright pack/debian/rules pack/debian/source/format \
	pack/debian/tests/control pack/debian/tests/demo
EXTRA_DIST += pack/apt.sh pack/check_rpm.sh pack/npuscope.spec pack/rpm.sh pack/rpmlint.toml pack/try_rpm.sh
EXTRA_DIST += pack/check_release.sh pack/epoch.sh pack/linked.sh pack/release.sh pack/sbom.sh pack/third_party.sh \
	pack/try_reproducible.sh
