# SPDX-License-Identifier: Apache-2.0
# Pages of a view as text, csv, json, ndjson or markdown.
libmodel_a_SOURCES += \
	src/model/writer/export.c src/model/writer/export.h \
	src/model/writer/writer.c src/model/writer/writer.h \
	src/model/writer/writer_csv.c \
	src/model/writer/writer_int.h \
	src/model/writer/writer_json.c \
	src/model/writer/writer_put.c \
	src/model/writer/writer_text.c
