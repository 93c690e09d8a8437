noinst_LIBRARIES += libvendor.a
libvendor_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libvendor_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
libvendor_a_SOURCES = \
	src/vendor/g1.c src/vendor/g1.h \
	src/vendor/g1_aicore.c \
	src/vendor/g1_aicpu.c \
	src/vendor/g1_decimal.c src/vendor/g1_decimal.h \
	src/vendor/g1_flops.c \
	src/vendor/g1_framework.c \
	src/vendor/g1_keys.c src/vendor/g1_keys.h \
	src/vendor/g1_ops.c \
	src/vendor/g1_dynamic.c \
	src/vendor/g1_hccl.c \
	src/vendor/g1_md.c src/vendor/g1_md.h \
	src/vendor/g1_memory.c \
	src/vendor/g1_minddata.c \
	src/vendor/g1_cluster.c src/vendor/g1_timeline.h \
	src/vendor/g1_events.c \
	src/vendor/g1_gpu.c src/vendor/g1_gpu.h \
	src/vendor/g1_gpu_dynamic.c \
	src/vendor/g1_gpu_timeline.c \
	src/vendor/g1_pynative.c \
	src/vendor/g1_parallel.c \
	src/vendor/report.c src/vendor/report.h \
	src/vendor/g1_rules.c src/vendor/g1_rules.h \
	src/vendor/g1_rows.c \
	src/vendor/g1_steps.c \
	src/vendor/g1_run.c src/vendor/g1_run.h \
	src/vendor/g1_scopes.c \
	src/vendor/g1_stamps.c \
	src/vendor/g1_timeline.c \
	src/vendor/csvjson.c src/vendor/csvjson.h \
	src/vendor/ms.c src/vendor/ms.h src/vendor/ms_run.h \
	src/vendor/ms_aicpu.c \
	src/vendor/ms_calls.c src/vendor/ms_calls.h \
	src/vendor/ms_clock.c src/vendor/ms_clock.h \
	src/vendor/ms_api.c \
	src/vendor/ms_comm.c \
	src/vendor/ms_comm_json.c \
	src/vendor/ms_comm_matrix.c \
	src/vendor/ms_comm_walk.c src/vendor/ms_comm_walk.h \
	src/vendor/ms_csv.c \
	src/vendor/ms_query.c \
	src/vendor/ms_db.c src/vendor/ms_db.h \
	src/vendor/ms_db_device.c \
	src/vendor/ms_db_comm.c \
	src/vendor/ms_db_facts.c \
	src/vendor/ms_db_host.c \
	src/vendor/ms_db_sampled.c \
	src/vendor/ms_db_soc.c src/vendor/ms_soc.c src/vendor/ms_soc.h src/vendor/ms_soc_kept.h \
	src/vendor/ms_cores.c src/vendor/ms_cores.h src/vendor/ms_db_cores.c \
	src/vendor/ms_l2.c \
	src/vendor/ms_tx.c \
	src/vendor/ms_memory.c \
	src/vendor/ms_readme.c \
	src/vendor/ms_sampled.c \
	src/vendor/ms_op_statistic.c \
	src/vendor/ms_op_summary.c \
	src/vendor/ms_ops.c src/vendor/ms_ops.h \
	src/vendor/ms_step_trace.c \
	src/vendor/ms_task_time.c \
	src/vendor/ms_task_report.c src/vendor/ms_task_report.h \
	src/vendor/ms_window.c src/vendor/ms_window.h \
	src/vendor/ms_fusion.c \
	src/vendor/ms_trace.c src/vendor/ms_trace.h \
	src/vendor/ms_trace_comm.c \
	src/vendor/ms_trace_count.c \
	src/vendor/ms_dpu.c src/vendor/ms_dpu.h \
	src/vendor/ms_db_dpu.c \
	src/vendor/ms_args.h src/vendor/ms_db_args.c \
	src/vendor/ms_tscpu.c \
	src/vendor/ms_ccu.c src/vendor/ms_ccu.h src/vendor/ms_ccu_csv.c \
	src/vendor/ms_db_ccu.c src/vendor/ms_trace_ccu.c \
	src/vendor/ms_trace_dpu.c \
	src/vendor/ms_trace_host.c \
	src/vendor/ms_trace_overlap.c \
	src/vendor/ms_trace_put.c \
	src/vendor/ms_trace_soc.c src/vendor/ms_trace_v6.c src/vendor/ms_trace_cores.c \
	src/vendor/ms_trace_usage.c \
	src/vendor/ms_system.c \
	src/vendor/ms_usage.c src/vendor/ms_usage.h \
	src/vendor/ms_db_usage.c \
	src/vendor/ms_trace_step.c \
	src/vendor/ms_trace_tx.c \
	src/vendor/ms_trace_task.c \
	src/vendor/pretty.c src/vendor/pretty.h \
	src/vendor/repr.c \
	src/vendor/vout.c src/vendor/vout.h
