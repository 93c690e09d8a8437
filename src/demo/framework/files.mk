# SPDX-License-Identifier: Apache-2.0
# The synthetic run as the framework records it beside PROF folders (FRAMEWORK/).
libdemo_a_SOURCES += \
	src/demo/framework/fw.h \
	src/demo/framework/fw_files.c \
	src/demo/framework/fw_names.c \
	src/demo/framework/fw_put.c \
	src/demo/framework/fw_records.c \
	src/demo/framework/fw_step.c \
	src/demo/framework/fw_text.c \
	src/demo/framework/fw_torch.c
