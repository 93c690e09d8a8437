# Bytes become rows in a sink. Here: the registry of kinds and groups. A parser knows neither SQL nor the
# screen.
noinst_LIBRARIES += libparsers.a
libparsers_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libparsers_a_CFLAGS = $(AM_CFLAGS) $(STRICT_CFLAGS) -ffp-contract=off
libparsers_a_SOURCES = \
	parsers/comm_json.c \
	parsers/csvconv.c parsers/csvconv.h \
	parsers/csvmap.c parsers/csvmap.h \
	parsers/csvmaps.c \
	parsers/csvrows.c parsers/csvrows.h \
	parsers/data_json.c \
	parsers/data_summary.c \
	parsers/derive_optime.c parsers/derive_optime.h \
	parsers/derive_steps.c parsers/derive_steps.h \
	parsers/doc.c \
	parsers/expects.c \
	parsers/g1_activity.c parsers/g1_activity.h \
	parsers/g1_aicpu.c parsers/g1_aicpu.h \
	parsers/g1_flops.c parsers/g1_flops.h \
	parsers/g1_steps.c parsers/g1_steps.h \
	parsers/g1_tasks.c parsers/g1_tasks.h \
	parsers/group_find.c parsers/group_find.h \
	parsers/group_g1_job.c \
	parsers/group_prof.c \
	parsers/hccl_trace.c \
	parsers/jsoncell.c parsers/jsoncell.h \
	parsers/jwalk.c parsers/jwalk.h \
	parsers/layout_rows.h \
	parsers/layouts.c parsers/layouts.h \
	parsers/layouts_legacy.c \
	parsers/layouts_prof.c \
	parsers/legacy_layout.h \
	parsers/lines.c parsers/lines.h \
	parsers/memory_json.c \
	parsers/memory_pb.c \
	parsers/ops_json.c \
	parsers/opwords.c parsers/opwords.h \
	parsers/parse_aicpumi.c \
	parsers/parse_data.c \
	parsers/parse_database.c \
	parsers/parse_framework.c \
	parsers/parse_generic.c \
	parsers/parse_hccl_raw.c \
	parsers/parse_host.c \
	parsers/parse_kernels.c \
	parsers/parse_memory.c \
	parsers/parse_opstat.c \
	parsers/parse_steps.c \
	parsers/parsers.h \
	parsers/prof.c parsers/prof.h \
	parsers/prof_aicpu.c parsers/prof_aicpu.h \
	parsers/prof_aicpu_tasks.c \
	parsers/prof_beside.c parsers/prof_beside.h \
	parsers/prof_blocks.c parsers/prof_blocks.h \
	parsers/prof_ccu.c parsers/prof_ccu.h \
	parsers/prof_ccu_runs.c \
	parsers/prof_clock.c \
	parsers/prof_comm.c parsers/prof_comm.h \
	parsers/prof_core_samples.c parsers/prof_core_samples.h \
	parsers/prof_curves.c parsers/prof_curves.h \
	parsers/prof_device.c parsers/prof_device.h \
	parsers/prof_device_log.c parsers/prof_device_log.h \
	parsers/prof_device_match.c \
	parsers/prof_device_mini.c parsers/prof_device_mini.h \
	parsers/prof_device_outer.c \
	parsers/prof_device_sched.c \
	parsers/prof_device_tiling.c \
	parsers/prof_devices.c parsers/prof_devices.h \
	parsers/prof_dpu.c parsers/prof_dpu.h \
	parsers/prof_flips.c parsers/prof_flips.h \
	parsers/prof_half_even.h \
	parsers/prof_hash.h \
	parsers/prof_host.c parsers/prof_host.h \
	parsers/prof_host_at.h \
	parsers/prof_host_words.c \
	parsers/prof_joined.c parsers/prof_joined.h \
	parsers/prof_kfc.c parsers/prof_kfc.h \
	parsers/prof_kfc_comm.c parsers/prof_kfc_comm.h \
	parsers/prof_kfc_place.c \
	parsers/prof_layout.h \
	parsers/prof_marks.c parsers/prof_marks.h \
	parsers/prof_memory.c parsers/prof_memory.h \
	parsers/prof_meta.c parsers/prof_meta.h \
	parsers/prof_metrics.c parsers/prof_metrics.h \
	parsers/prof_mini_times.c parsers/prof_mini_times.h \
	parsers/prof_names.c parsers/prof_names.h \
	parsers/prof_order.c parsers/prof_order.h \
	parsers/prof_overlap.c parsers/prof_overlap.h \
	parsers/prof_pair.c parsers/prof_pair.h \
	parsers/prof_pmu.c parsers/prof_pmu.h \
	parsers/prof_rates.c \
	parsers/prof_read.c \
	parsers/prof_rows.h \
	parsers/prof_rows_activity.c \
	parsers/prof_rows_aicpu.c \
	parsers/prof_rows_ccu.c \
	parsers/prof_rows_comm.c \
	parsers/prof_rows_cores.c \
	parsers/prof_rows_counters.c parsers/prof_rows_counters.h \
	parsers/prof_rows_dpu.c \
	parsers/prof_rows_glance.c \
	parsers/prof_rows_host.c \
	parsers/prof_rows_kfc.c \
	parsers/prof_rows_memory.c \
	parsers/prof_rows_ops.c \
	parsers/prof_rows_samples.c \
	parsers/prof_rows_set.c \
	parsers/prof_rows_soc.c \
	parsers/prof_rows_steps.c \
	parsers/prof_rows_system.c \
	parsers/prof_rows_tracks.c \
	parsers/prof_rows_tscpu.c \
	parsers/prof_rows_tx.c \
	parsers/prof_rows_usage.c \
	parsers/prof_rows_v6.c \
	parsers/prof_rt_ops.c parsers/prof_rt_ops.h \
	parsers/prof_said.c parsers/prof_said.h \
	parsers/prof_sampled.c parsers/prof_sampled.h \
	parsers/prof_soc.c parsers/prof_soc.h \
	parsers/prof_steps.c parsers/prof_steps.h \
	parsers/prof_streams.c parsers/prof_streams.h \
	parsers/prof_system.c parsers/prof_system.h \
	parsers/prof_system_process.c \
	parsers/prof_tags.c \
	parsers/prof_tensors.c parsers/prof_tensors.h \
	parsers/prof_tree.c parsers/prof_tree.h \
	parsers/prof_tscpu.c parsers/prof_tscpu.h \
	parsers/prof_tx.c parsers/prof_tx.h \
	parsers/prof_usage.c parsers/prof_usage.h \
	parsers/prof_usage_cpu.c \
	parsers/prof_words.c parsers/prof_words.h \
	parsers/raw_aicore.c parsers/raw_aicore.h \
	parsers/raw_aicpu.c parsers/raw_aicpu.h \
	parsers/raw_aicpumi.c parsers/raw_aicpumi.h \
	parsers/raw_framework.c parsers/raw_framework.h \
	parsers/raw_fwbin.c parsers/raw_fwbin.h \
	parsers/raw_hccl.c parsers/raw_hccl.h \
	parsers/raw_hwts.c parsers/raw_hwts.h \
	parsers/raw_layout.h \
	parsers/raw_marks.c parsers/raw_marks.h \
	parsers/raw_memory.c parsers/raw_memory.h \
	parsers/records.c parsers/records.h \
	parsers/registry.c parsers/registry.h \
	parsers/slices.c parsers/slices.h \
	parsers/step_cols.h \
	parsers/strategy_pb.c \
	parsers/text_data.c \
	parsers/text_exec.c \
	parsers/text_ops.c \
	parsers/ticks.h \
	parsers/trace.c \
	parsers/trace_clock.c parsers/trace_clock.h \
	parsers/trace_steps.c \
	parsers/trace_track.c parsers/trace_track.h
