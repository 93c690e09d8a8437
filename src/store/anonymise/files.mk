# SPDX-License-Identifier: Apache-2.0
# Copies of stores whose names are aliases.
libstore_a_SOURCES += \
	src/store/anonymise/aliases.c src/store/anonymise/aliases.h \
	src/store/anonymise/anonymise.c src/store/anonymise/anonymise.h \
	src/store/anonymise/columns.c src/store/anonymise/columns.h
