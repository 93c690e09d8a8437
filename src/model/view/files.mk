# SPDX-License-Identifier: Apache-2.0
# What a table on the screen is made of: filter, order, rows, columns, pages. Knows no particular table.
libmodel_a_SOURCES += \
	src/model/view/cell.c src/model/view/cell.h \
	src/model/view/column.c src/model/view/column.h \
	src/model/view/facts.c src/model/view/facts.h \
	src/model/view/filter.c src/model/view/filter.h \
	src/model/view/radix.c src/model/view/radix.h \
	src/model/view/ranking.c src/model/view/ranking.h \
	src/model/view/rowpool.c \
	src/model/view/rowset.c src/model/view/rowset.h \
	src/model/view/rowset_base.c \
	src/model/view/rowset_cols.c \
	src/model/view/rowset_int.h \
	src/model/view/slice.h \
	src/model/view/texts.c src/model/view/texts.h \
	src/model/view/view.c src/model/view/view.h \
	src/model/view/view_base.c \
	src/model/view/view_data.c \
	src/model/view/view_filter.c \
	src/model/view/view_int.h \
	src/model/view/view_merge.c \
	src/model/view/view_order.c \
	src/model/view/view_running.c \
	src/model/view/view_sql.c \
	src/model/view/view_test.c src/model/view/view_test.h
