# SPDX-License-Identifier: Apache-2.0
# Raw data of MindSpore 1.x (doc/formats/mindspore1.md): records/ reads files; job* and the others derive rows
# of what it reads.
libparsers_a_SOURCES += \
	parsers/mindspore/aicore_flops.c parsers/mindspore/aicore_flops.h \
	parsers/mindspore/aicpumi.c \
	parsers/mindspore/hccl_rows.c \
	parsers/mindspore/job.c \
	parsers/mindspore/job_activity.c parsers/mindspore/job_activity.h \
	parsers/mindspore/job_aicpu.c parsers/mindspore/job_aicpu.h \
	parsers/mindspore/job_flops.c parsers/mindspore/job_flops.h \
	parsers/mindspore/job_steps.c parsers/mindspore/job_steps.h \
	parsers/mindspore/job_tasks.c parsers/mindspore/job_tasks.h \
	parsers/mindspore/mark_steps.c parsers/mindspore/mark_steps.h \
	parsers/mindspore/memory_pb.c \
	parsers/mindspore/memory_plan.c parsers/mindspore/memory_plan.h \
	parsers/mindspore/strategy_pb.c \
	parsers/mindspore/task_keys.c parsers/mindspore/task_keys.h \
	parsers/mindspore/task_pairs.c parsers/mindspore/task_pairs.h \
	parsers/mindspore/ticks.h
