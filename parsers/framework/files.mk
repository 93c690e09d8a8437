# SPDX-License-Identifier: Apache-2.0
# What the framework records on the host of a run (doc/formats/framework.md): readers of FRAMEWORK files, and
# how their ranges nest and launch. Knows no PROF folder and no table of the store.
libparsers_a_SOURCES += \
	parsers/framework/event_names.c parsers/framework/event_names.h \
	parsers/framework/framework.c parsers/framework/framework.h \
	parsers/framework/framework_layout.h parsers/framework/layouts_framework.c \
	parsers/framework/join.c parsers/framework/join.h \
	parsers/framework/memory.c parsers/framework/memory.h \
	parsers/framework/place.c parsers/framework/place.h \
	parsers/framework/python.c parsers/framework/python.h \
	parsers/framework/ranges.c \
	parsers/framework/shapes.c parsers/framework/shapes.h \
	parsers/framework/tlv.c parsers/framework/tlv.h
