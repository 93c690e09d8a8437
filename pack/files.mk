# SPDX-License-Identifier: Apache-2.0
# What users get who do not build: one static file. ARCH is amd64 or arm64, by default this machine's; JOBS
# (2) for the compiler; MIRROR and SUITE as pack/sysroot.sh has them.
static:
	sh $(srcdir)/pack/static.sh $(srcdir) $(VERSION) $(ARCH)
# Both, tried: alone in an empty root, and the other one under qemu.
check-static:
	sh $(srcdir)/pack/static.sh $(srcdir) $(VERSION) amd64
	sh $(srcdir)/pack/static.sh $(srcdir) $(VERSION) arm64
	sh $(srcdir)/pack/try_static.sh npuscope-$(VERSION)-linux-x86_64 npuscope-$(VERSION)-linux-aarch64
.PHONY: static check-static
EXTRA_DIST += pack/alone.sh pack/static.sh pack/sysroot.sh pack/terminfo.sh pack/try_static.sh
