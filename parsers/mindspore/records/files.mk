# SPDX-License-Identifier: Apache-2.0
# Readers of the raw files of MindSpore 1.x and the layouts of their records: a file becomes C records through
# a callback; nothing is derived of them here.
libparsers_a_SOURCES += \
	parsers/mindspore/records/aicore_records.c parsers/mindspore/records/aicore_records.h \
	parsers/mindspore/records/aicpu_records.c parsers/mindspore/records/aicpu_records.h \
	parsers/mindspore/records/aicpumi_text.c parsers/mindspore/records/aicpumi_text.h \
	parsers/mindspore/records/framework_records.c parsers/mindspore/records/framework_records.h \
	parsers/mindspore/records/framework_text.c parsers/mindspore/records/framework_text.h \
	parsers/mindspore/records/hccl_trace.c parsers/mindspore/records/hccl_trace.h \
	parsers/mindspore/records/hwts_records.c parsers/mindspore/records/hwts_records.h \
	parsers/mindspore/records/layouts_mindspore.c \
	parsers/mindspore/records/mark_records.c parsers/mindspore/records/mark_records.h \
	parsers/mindspore/records/record_layout.h
