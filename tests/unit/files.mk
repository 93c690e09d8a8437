# SPDX-License-Identifier: Apache-2.0
UNIT_LDADD = libui.a libcli.a libanalysis.a libmodel.a libdemo.a libmsprof.a libmindspore.a libemit.a \
	libimport.a libparsers.a libstore.a librun.a libbase.a \
	$(CMOCKA_LIBS) $(NCURSES_LIBS) $(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
LDADD = $(UNIT_LDADD)
UNIT_TESTS = \
	tests/unit/test_arena \
	tests/unit/test_buf \
	tests/unit/test_bulk \
	tests/unit/test_cache \
	tests/unit/test_chart \
	tests/unit/test_chip \
	tests/unit/test_chrome \
	tests/unit/test_columns \
	tests/unit/test_csv \
	tests/unit/test_csvjson \
	tests/unit/test_csvmap \
	tests/unit/test_csvrows \
	tests/unit/test_cut \
	tests/unit/test_dbout \
	tests/unit/test_demo \
	tests/unit/test_discover \
	tests/unit/test_draw \
	tests/unit/test_empty \
	tests/unit/test_ending \
	tests/unit/test_err \
	tests/unit/test_foreign \
	tests/unit/test_g1_decimal \
	tests/unit/test_g1_graph \
	tests/unit/test_g1_hccl \
	tests/unit/test_g1_minddata \
	tests/unit/test_g1_parallel \
	tests/unit/test_g1_timeline \
	tests/unit/test_groups \
	tests/unit/test_import \
	tests/unit/test_infile \
	tests/unit/test_inventory \
	tests/unit/test_json_pipe \
	tests/unit/test_json_small \
	tests/unit/test_json_stream \
	tests/unit/test_keys \
	tests/unit/test_kind_pattern \
	tests/unit/test_lineup \
	tests/unit/test_lineup_match \
	tests/unit/test_lod \
	tests/unit/test_left \
	tests/unit/test_layout \
	tests/unit/test_record_bytes \
	tests/unit/test_prof_folder \
	tests/unit/test_log \
	tests/unit/test_ms_clock \
	tests/unit/test_ms_db \
	tests/unit/test_ms_comm \
	tests/unit/test_ms_soc \
	tests/unit/test_ms_tables \
	tests/unit/test_ms_trace \
	tests/unit/test_prof_memory \
	tests/unit/test_prof_sampled \
	tests/unit/test_prof_soc \
	tests/unit/test_prof_system \
	tests/unit/test_prof_usage \
	tests/unit/test_options \
	tests/unit/test_overview \
	tests/unit/test_panes \
	tests/unit/test_panes_state \
	tests/unit/test_parse_data \
	tests/unit/test_parse_generic \
	tests/unit/test_parse_host \
	tests/unit/test_parse_json \
	tests/unit/test_parse_kernels \
	tests/unit/test_parse_opstat \
	tests/unit/test_parse_steps \
	tests/unit/test_parse_text \
	tests/unit/test_parse_trace \
	tests/unit/test_path \
	tests/unit/test_pb \
	tests/unit/test_prof \
	tests/unit/test_prof_damage \
	tests/unit/test_prof_beside \
	tests/unit/test_prof_captured \
	tests/unit/test_prof_host \
	tests/unit/test_prof_kfc \
	tests/unit/test_prof_kfc_comm \
	tests/unit/test_prof_tiling \
	tests/unit/test_prof_many \
	tests/unit/test_prof_ccu \
	tests/unit/test_prof_tscpu \
	tests/unit/test_prof_dpu \
	tests/unit/test_prof_metrics \
	tests/unit/test_prof_chips \
	tests/unit/test_prof_cores \
	tests/unit/test_prof_mini \
	tests/unit/test_prof_comm \
	tests/unit/test_prof_overlap \
	tests/unit/test_prof_device \
	tests/unit/test_prof_pmu \
	tests/unit/test_prof_glance \
	tests/unit/test_prof_steps \
	tests/unit/test_prof_tx \
	tests/unit/test_prompt \
	tests/unit/test_ranks \
	tests/unit/test_raw_damage \
	tests/unit/test_raw_g1 \
	tests/unit/test_raw_job \
	tests/unit/test_raw_memory \
	tests/unit/test_raw_records \
	tests/unit/test_re \
	tests/unit/test_rec \
	tests/unit/test_registry \
	tests/unit/test_relay \
	tests/unit/test_room \
	tests/unit/test_rows \
	tests/unit/test_runinfo \
	tests/unit/test_sig \
	tests/unit/test_spans \
	tests/unit/test_spool \
	tests/unit/test_state \
	tests/unit/test_store \
	tests/unit/test_str \
	tests/unit/test_sums \
	tests/unit/test_table \
	tests/unit/test_text \
	tests/unit/test_timeline \
	tests/unit/test_timeline_find \
	tests/unit/test_timeline_sums \
	tests/unit/test_tlv \
	tests/unit/test_totals \
	tests/unit/test_unit \
	tests/unit/test_view \
	tests/unit/test_writers
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
EXTRA_DIST += tests/unit/scratch.h
EXTRA_DIST += tests/unit/parse_case.h tests/unit/rows.h
EXTRA_DIST += tests/unit/g1_case.h tests/unit/pb_case.h tests/unit/raw_case.h
EXTRA_DIST += tests/unit/comm_case.h tests/unit/host_case.h tests/unit/prof_case.h \
	tests/lib/prof_families.h tests/lib/prof_holds.h tests/lib/prof_papers.h tests/lib/prof_text_holds.h \
	tests/lib/put_le.h tests/unit/sampled_case.h
EXTRA_DIST += tests/unit/scene.h tests/unit/guest.h tests/unit/raw_formats.h
EXTRA_DIST += tests/unit/panes_case.h tests/unit/screen_text.h tests/unit/timeline_case.h
EXTRA_DIST += tests/unit/tree.h tests/unit/tree_case.h
