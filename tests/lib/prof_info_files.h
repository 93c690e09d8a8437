/* SPDX-License-Identifier: Apache-2.0 */
/* The info files of a PROF folder made by a test (doc/formats/prof.md#metadata). */
#ifndef NPUSCOPE_TEST_PROF_INFO_FILES_H
#define NPUSCOPE_TEST_PROF_INFO_FILES_H

/*
 * Host counter at 100 MHz, device counter at 50 MHz; both clocks stand at 1000000000 ns of the monotonic
 * clock, the wall clock at 5 s.
 */
#define PROF_HOST_JSON                                                                                       \
    "{\"platform_version\": \"%d\", \"pid\": \"77\", \"version\": \"1.0\", \"CPU\": "                        \
    "[{\"Frequency\": \"100.000000\"}], "                                                                    \
    "\"DeviceInfo\": [], \"rank_id\": 3, \"cpuNums\": 4, \"sysClockFreq\": 100, \"memoryTotal\": "           \
    "1000000, \"netCard\": [{\"netCardName\": \"eth0\", \"speed\": 1000}]}"
#define PROF_DEVICE_JSON                                                                                     \
    "{\"platform_version\": \"%d\", \"pid\": \"77\", \"version\": \"1.0\", \"CPU\": "                        \
    "[{\"Frequency\": \"100.000000\"}], "                                                                    \
    "\"DeviceInfo\": [{\"hwts_frequency\": \"50.000000\", \"aic_frequency\": \"1850\", "                     \
    "\"aiv_frequency\": \"1850\", "                                                                          \
    "\"ai_core_num\": 24, \"aiv_num\": 48}], \"rank_id\": 3}"
#define PROF_START      "{\"collectionTimeBegin\": \"5000000\", \"clockMonotonicRaw\": \"1000000000\"}"
#define PROF_END        "{\"collectionTimeEnd\": \"6000000\"}"
#define PROF_HOST_LOG   "[Host]\nclock_monotonic_raw:1000000000\ncntvct:7000\ncntvct_diff:0\n"
#define PROF_DEVICE_LOG "clock_monotonic_raw:400\ncntvct:3000\n"
#define PROF_SAMPLE                                                                                          \
    "{\"ai_core_profiling\": \"on\", \"ai_core_profiling_events\": \"0x8,0x416\", "                          \
    "\"ai_core_metrics\": "                                                                                  \
    "\"PipeUtilizationExct\", \"aiv_profiling\": \"off\", \"profLevel\": \"l1\"}"

#define PROF_NAME "PROF_000001_20260102030405678_ABCDEF"

#endif
