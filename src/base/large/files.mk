# SPDX-License-Identifier: Apache-2.0
# Arrays that may become larger than memory, and the order of large ones.
libbase_a_SOURCES += \
	src/base/large/paged.c src/base/large/paged.h \
	src/base/large/paged_sort.c \
	src/base/large/sort_index.c src/base/large/sort_index.h \
	src/base/large/spool.c src/base/large/spool.h
