# SPDX-License-Identifier: Apache-2.0
# Input: files whole and by window, packed or not; tokenizers of CSV, JSON, protobuf and fixed records.
# Nothing here knows a file kind.
libbase_a_SOURCES += \
	src/base/read/csv.c src/base/read/csv.h \
	src/base/read/infile.c src/base/read/infile.h \
	src/base/read/json_event.c \
	src/base/read/json_pipe.c src/base/read/json_pipe.h \
	src/base/read/json_small.c src/base/read/json_small.h \
	src/base/read/json_stream.c src/base/read/json_stream.h \
	src/base/read/json_text.c \
	src/base/read/json_window.h \
	src/base/read/pb.c src/base/read/pb.h \
	src/base/read/peek.c src/base/read/peek.h \
	src/base/read/rec.c src/base/read/rec.h
