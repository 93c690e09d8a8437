/* SPDX-License-Identifier: Apache-2.0 */
/* Data pipeline: raw and summary tables, device queues. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parsers/parsers.h"
#include "tests/unit/parsers/parse_case.h"

#define RAW                                                                                                  \
    "op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,"             \
    "output_queue_usage_rate,sample_interval,parent_id,children_id\r\n"                                      \
    "0,Batch,4,,,,,10,,[1]\r\n1,Shuffle,1,\"[10, 20, 30]\",20.0,64,0.3125,10,0,\"[2, "                       \
    "3]\"\r\n2,TFReader,4,[],,16,,10,1,\r\n"

static void pipeline_raw_gives_ops_and_queue_samples(void **state)
{
    (void)state;
    case_expect("md_pipeline_raw", parse_pipeline_raw, RAW,
                "pipeline_op|rank=0|op=0|type_id=Batch|children=[1]|workers=4|sample_ms=10|line=2\n"
                "pipeline_op|rank=0|op=1|type_id=Shuffle|parent=0|children=[2, "
                "3]|workers=1|queue_size=64|queue_avg=20|queue_use=0.3125|sample_ms=10|line=3\n"
                "queue_sample|rank=0|queue=connector 1|seq=0|size=10|capacity=64|line=3\n"
                "queue_sample|rank=0|queue=connector 1|seq=1|size=20|capacity=64|line=3\n"
                "queue_sample|rank=0|queue=connector 1|seq=2|size=30|capacity=64|line=3\n"
                "pipeline_op|rank=0|op=2|type_id=TFReader|parent=1|workers=4|queue_size=16|sample_"
                "ms=10|line=4\n");
}

#define SUMMARY                                                                                              \
    "pipeline_ops,DeviceQueue(id=0),Batch(id=2)\r\nop_names,DeviceQueue,Batch\r\nop_ids,0,"                  \
    "2\r\nnum_workers,1,2\r\nqueue_average_size,-1,6.5\r\nqueue_utilization_pct,-1,40.62\r\n"                \
    "queue_empty_freq_pct,-1,0.0\r\nchildren_ids,\"[1, "                                                     \
    "2]\",[]\r\nparent_id,-1,0\r\navg_cpu_pct,18.33,17.0\r\nper_batch_time,23.667\r\navg_cpu_pct_"           \
    "per_worker,18.33,8.5\r\n"                                                                               \
    "cpu_analysis_details,Batch(id=2) is slow.,\"Batch(id=2), "                                              \
    "again.\"\r\nbottleneck_warning,Look at Map.\r\n"

static void pipeline_summary_is_turned_around(void **state)
{
    (void)state;
    case_expect("md_pipeline_summary", parse_pipeline_summary, SUMMARY,
                "doc|key=minddata_pipeline_summary.per_batch_time.0|value=23.667\n"
                "doc|key=minddata_pipeline_summary.cpu_analysis_details.0|value=Batch(id=2) is slow.\n"
                "doc|key=minddata_pipeline_summary.cpu_analysis_details.1|value=Batch(id=2), again.\n"
                "doc|key=minddata_pipeline_summary.bottleneck_warning.0|value=Look at Map.\n"
                "pipeline_op|rank=0|op=0|type_id=DeviceQueue|children=[1, "
                "2]|workers=1|cpu_share=0.1833|cpu_per_worker=0.1833\n"
                "pipeline_op|rank=0|op=2|type_id=Batch|parent=0|children=[]|workers=2|queue_avg=6.5|queue_"
                "use=0.4062|queue_empty_share=0|cpu_share=0.17|cpu_per_worker=0.085|text=Batch(id=2) is "
                "slow.\\x0aBatch(id=2), again.\n");
}

#define MI                                                                                                   \
    "Device_id,Node Name,Start Time(us),End Time(us),Queue "                                                 \
    "Size\n0,GetNext,3617998297.0,3617998430.5,2\n0,Other,1.0,2.0,3\n0,GetNext,3618001761.0,"                \
    "3618001808.0,6\n"

static void aicpu_mi_times_are_no_instants(void **state)
{
    (void)state;
    case_expect("aicpu_mi", parse_aicpu_mi, MI,
                "queue_sample|rank=0|queue=GetNext|seq=0|size=2|line=2\nbatch_time|rank=0|batch=0|"
                "kind=getnext|dur_ns=133500|line=2|start_us=3617998297\n"
                "queue_sample|rank=0|queue=Other|seq=0|size=3|line=3\nbatch_time|rank=0|batch=0|"
                "kind=getnext|dur_ns=1000|line=3|start_us=1\n"
                "queue_sample|rank=0|queue=GetNext|seq=1|size=6|line=4\nbatch_time|rank=0|batch=1|"
                "kind=getnext|dur_ns=47000|line=4|start_us=3618001761\n");
}

#define DP                                                                                                   \
    "Device_id,Timestamp(us),Action,Source,Cached Buffer Size\n0,1718110866134487.116,Last "                 \
    "dequeue,Default/GetNext-op11,9\n0,1718110866135070.766,Last dequeue,Default/GetNext-op17,8\n"

static void dp_keeps_the_action(void **state)
{
    (void)state;
    case_expect("dp", parse_dp, DP,
                "queue_sample|rank=0|queue=Default/"
                "GetNext-op11|seq=0|ts_ns=1718110866134487116|size=9|line=2|action=Last dequeue\n"
                "queue_sample|rank=0|queue=Default/"
                "GetNext-op17|seq=0|ts_ns=1718110866135070766|size=8|line=3|action=Last dequeue\n");
}

static void dp_with_many_queues_still_counts(void **state)
{
    struct buf b;
    struct rows r;
    (void)state;
    buf_init(&b, 1 << 20);
    buf_puts(&b, "Timestamp(us),Action,Source,Cached Buffer Size\n");
    for (int i = 0; i < 200; i++)
        buf_printf(&b, "1718110866134487.116,x,q%d,9\n", i);
    assert_int_equal(case_parse(&r, "dp", parse_dp, buf_str(&b).p, b.n, GEN_M), OK);
    assert_int_equal(sink_count_get(r.count)->rows[T_queue_sample], 200);
    rows_done(&r);
    buf_done(&b);
}

static void data_damage_costs_the_damaged_line(void **state)
{
    (void)state;
    case_damage("md_pipeline_raw", parse_pipeline_raw, RAW);
    case_damage("aicpu_mi", parse_aicpu_mi, MI);
    case_damage("dp", parse_dp, DP);
    case_flip_bits("md_pipeline_summary", parse_pipeline_summary, SUMMARY, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipeline_raw_gives_ops_and_queue_samples),
        cmocka_unit_test(pipeline_summary_is_turned_around),
        cmocka_unit_test(aicpu_mi_times_are_no_instants),
        cmocka_unit_test(dp_keeps_the_action),
        cmocka_unit_test(dp_with_many_queues_still_counts),
        cmocka_unit_test(data_damage_costs_the_damaged_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
