/* SPDX-License-Identifier: Apache-2.0 */
/* What is written because of each fault. */
#include "config.h"

#include "demo/logs/log_faults.h"

#include "demo/logs/log_lines.h"

#define TRACE_HEAD "Traceback (most recent call last):\n"
#define SETUP_MESSAGE                                                                                        \
    "[PID: {pid}] {stamp} Ranktable_Detect_Failed(EI0015): Failed to collect cluster information of the "    \
    "communicator based on rootInfo detection. Reason: some ranks did not connect"
#define COMPARED                                                                                             \
    "[RankConsistentImpl][CompareFrame]errNo[0x0000000005000001] tag[{tag}] parameter[count], "              \
    "local[{mine}], "                                                                                        \
    "remote[{theirs}], remote rank[{other.grank}]"

/* ---- stories ---- */

static const struct log_row CORE[] = {
    { LOG_DEBUG, 0, LOG_FIRST, 0,
      RTS("device_error_core_proc.cc:303") "ProcessStarsCoreErrorInfo:The error from device(chipId:{dev}, "
                                           "dieId:0), serial number is 4, there is an exception of {cores} "
                                           "error, core id is {core}, error code = 0x800000, dump info: pc "
                                           "start: 0x1244011f86fc, current: 0x1244011f8b84, vec error info: "
                                           "0x21045e7588, mte error info: 0xe206000042, ifu error info: "
                                           "0x3f9f8983438c0, ccu error info: 0x80e81edc139f4616, cube error "
                                           "info: 0, biu error info: 0, aic error mask: 0x6500020bd00028c, "
                                           "para base: 0x12c240507800." },
    { LOG_DEBUG, 0, 0, 10,
      RTS("device_error_core_proc.cc:322") "ProcessStarsCoreErrorInfo:The extend info: errcode:(0x800000, 0, "
                                           "0) errorStr: The DDR address of the MTE instruction is out of "
                                           "range. fixp_error0 info: 0x6000042, fixp_error1 info: 0xe2, "
                                           "fsmId:0, tslot:2, thread:0, ctxid:0, blk:19, sublk:0, "
                                           "subErrType:4." },
    { LOG_DEBUG, 0, 0, 1000,
      RTS("stars_engine.cc:1321") "ProcLogicCqReport:[INIT][DEFAULT]Task run failed, device_id={dev}, "
                                  "stream_id={stream}, task_id={task}, sqe_type=0(ffts), errType=0x1(task "
                                  "exception), sqSwStatus=0" },
    { LOG_DEBUG, 0, 0, 2000,
      RTS("davinic_kernel_task.cc:1219") "PreCheckTaskErr:[INIT][DEFAULT]Kernel task happen error, "
                                         "retCode={core_ret}, [{core_error}]." },
    { LOG_DEBUG, 0, 0, 3000,
      RTS("davinic_kernel_task.cc:1143") "PrintErrorInfoForDavinciTask:[INIT][DEFAULT]Aicore kernel execute "
                                         "failed, device_id={dev}, stream_id={stream}, "
                                         "report_stream_id={stream}, task_id={task}, flip_num={flip}, fault "
                                         "kernel_name={kernel}, fault kernel info ext=none, program id=42, "
                                         "hash=9645272693770703471." },
    { LOG_DEBUG, 0, 0, 3100,
      RTS("davinic_kernel_task.cc:1164") "PrintErrorInfoForDavinciTask:[AIC_INFO] node_name:{leaf}, "
                                         "node_type:{type}, stream_id:{stream}, task_id:{task}" },
};
static const char CORE_MESSAGE[] =
    "EZ9999: Inner Error!\nEZ9999: [PID: {pid}] {stamp}  The error from device(chipId:{dev}, dieId:0), "
    "serial number is 4, "
    "there is an exception of {cores} error, core id is {core}, error code = 0x800000, dump info: (see log)."
    "[FUNC:ProcessStarsCoreErrorInfo][FILE:device_error_core_proc.cc][LINE:303]\n        TraceBack (most "
    "recent call last):\n"
    "       Kernel task happen error, retCode={core_ret}, "
    "[{core_error}].[FUNC:PreCheckTaskErr][FILE:davinic_kernel_task.cc]"
    "[LINE:1219]\n       rtStreamSynchronize execute failed, reason=[{core_error}][FUNC:FuncErrorReason]"
    "[FILE:error_message_manage.cc][LINE:53]";

static const struct log_row RAISE[] = {
    { LOG_CONSOLE, 0, LOG_FIRST, 0,
      "{p}" TRACE_HEAD
      "{p}  File \"/job/model.py\", line 318, in forward\n{p}    hidden = self.norm(hidden + "
      "attended)\n{p}ValueError: shapes (4096, 5120) and (4096, 5119) cannot be broadcast" },
};

static const struct log_row OOM_KILLER[] = {
    { LOG_SYSTEM, 0, LOG_FIRST, -200000,
      KERNEL
      "{pname} invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0" },
    { LOG_SYSTEM, 0, 0, -100000,
      KERNEL "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name" },
    { LOG_SYSTEM, 0, 0, -90000,
      KERNEL "[{pid}]     0 {pid} 96321432 61873211 521388032        0             0 {pname}" },
    { LOG_SYSTEM, 0, 0, 0,
      KERNEL "Out of memory: Killed process {pid} ({pname}) total-vm:385285728kB, anon-rss:247492844kB, "
             "file-rss:0kB, shmem-rss:131072kB, UID:0 pgtables:509168kB oom_score_adj:0" },
};

static const struct log_row DEVICE_OOM[] = {
    { LOG_DEBUG, 0, LOG_FIRST, 0,
      RTS("npu_driver.cc:1100") "DevMemAllocHugePageManaged:[INIT][DEFAULT][drv api] halMemAlloc "
                                "failed:size=5400166400(Byte), type=2, moduleId=33, "
                                "drvFlag=18374686479671772161, drvRetCode=6, device_id={dev}!" },
    { LOG_DEBUG, 0, 0, 200,
      RTS("api_c.cc:2310") "rtMalloc: ErrCode=207001, desc=[driver error:out of memory], "
                           "InnerCode=0x7020016" },
    { LOG_DEBUG, 0, 0, 300,
      CANN("EVENT", "DRV") "[ascend][curpid: {pid}, {pid}][drv][devmm][_svm_mem_stats_show 154]DEV_MEM "
                           "dev{dev} mem stats(Bytes): module_name=APP, module_id=33 "
                           "current_alloced_size=62277025792, alloced_peak_size=62277025792." },
    { LOG_CONSOLE, LOG_PT, 0, 10000,
      "{p}" TRACE_HEAD
      "{p}  File \"/job/train.py\", line 166, in main\n{p}    loss.backward()\n{p}RuntimeError: NPU out "
      "of memory. Tried to allocate 5.03 GiB (NPU {dev}; 60.96 GiB total capacity; 49.47 GiB already "
      "allocated; 49.47 GiB current active; 1.32 GiB free; 57.55 GiB reserved in total by PyTorch) If "
      "reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation." },
    { LOG_CONSOLE, LOG_MS, 0, 10000,
      TRACE_HEAD "  File \"/job/train.py\", line 88, in <module>\n    model.train(1, "
                 "data)\nRuntimeError: \n" MIND_RULE "- Framework Error Message:\n" MIND_RULE
                 "Out of Memory!!! Request memory size: 5400166400B, Memory Statistic:\nDevice HBM memory "
                 "size: 62420M\nMindSpore Used memory size: 59392M\nMindSpore memory base address: "
                 "0x124140000000\nTotal Static Memory size: 41216M\nTotal Dynamic memory size: "
                 "18176M\nDynamic memory size of this graph: 0M" },
};

#define AICPU_TASK "device_id={dev}, stream_id={stream}, task_id={task}"

static const struct log_row AICPU[] = {
    { LOG_DEVICE, 0, LOG_FIRST, -3000,
      "[ERROR] AICPU({pid},aicpu_scheduler):{stamp} [ae_kernel_lib_fwk.cc:254][CallKernelApi][tid:{tid}] "
      "Aicpu engine process failed, result[11002], opName[{type}]" },
    { LOG_DEBUG, 0, 0, 0,
      RTS("device_error_proc.cc:1241") "ProcessStarsAicpuErrorInfo:The error from device(chipId:{dev}, "
                                       "dieId:0), serial number is 2, an exception occurred during AICPU "
                                       "execution, stream_id:{stream}, task_id:{task}, errcode:11002, "
                                       "msg:inner error." },
    { LOG_DEBUG, 0, 0, 1000,
      RTS("davinic_kernel_task.cc:1391") "PrintAicpuErrorInfo:[INIT][DEFAULT]Aicpu kernel execute "
                                         "failed, " AICPU_TASK
                                         ", flip_num={flip}, fault so_name=libaicpu_kernels.so, fault "
                                         "kernel_name={type}, extend_info=(info_type:4, info_len:31, "
                                         "msg_info:inner error)" },
};
static const char AICPU_MESSAGE[] =
    "E39999: Inner Error!\nE39999: [PID: {pid}] {stamp}  Aicpu kernel execute failed, " AICPU_TASK
    ", fault so_name=libaicpu_kernels.so, "
    "fault kernel_name={type}.[FUNC:GetError][FILE:stream.cc][LINE:1084]\n        TraceBack (most recent "
    "call last):\n"
    "       rtStreamSynchronize execute failed, reason=[aicpu exception]";

static const struct log_row ECC[] = {
    { LOG_EVENT, 0, LOG_FIRST, -800000,
      "[EVENT] DMS(3464,dmp_daemon):{stamp} [dms_event.c:611] Report event success. (Node Type=0x70; Node "
      "ID={dev}; Sensor Type=0xc; event_state=1) Event id=0x80e01801 assertion=1" },
    { LOG_HISTORY, 0, 0, -700000,
      "[{micro}] system exception code [0xA8028802]: ModuleName [DRIVER], ExceptionReason "
      "[DRIVER_EXCEPTION], TimeStamp [{nano}]." },
    { LOG_SYSTEM, 0, 0, -600000,
      KERNEL
      "[ascend] [ERROR] [drv_soft_fault] [soft_drv_event_report 204] <kworker/5:1H:39365> device_id={dev}, "
      "fail info: device_id-{dev} appeared multi ecc err, the physical address is 0x400cd8d202e0" },
    { LOG_DEBUG, 0, 0, 0,
      RTS("device_error_proc.cc:1888") "CheckRasEvent:HBM MULTI BIT ECC, Uncorrectable ECC, device_id={dev}, "
                                       "event_id=0x80e01801, time us={us}." },
    { LOG_DEBUG, 0, 0, 1000,
      RTS("stars_engine.cc:1551") "ProcLogicCqReport:[FINAL][FINAL]Task run failed, device_id={dev}, "
                                  "stream_id={stream}, task_id={task}, sqe_type=0(ffts), errType=0x1(task "
                                  "exception), sqSwStatus=0" },
};
static const char ECC_MESSAGE[] =
    "EZ9999: Inner Error!\nEZ9999: [PID: {pid}] {stamp}  HBM MULTI BIT ECC, Uncorrectable ECC, "
    "device_id={dev}, event_id=0x80e01801, "
    "time us={us}.[FUNC:GetError][FILE:stream.cc][LINE:1084]\n        TraceBack (most recent call last):\n"
    "       rtStreamSynchronize execute failed, reason=[hbm Multi-bit ECC error]";

static const struct log_row PORT_DOWN[] = {
    { LOG_EVENT, 0, LOG_FIRST, 0,
      "[EVENT] DMS(3464,dmp_daemon):{stamp} [dms_event.c:611] Report event success. (Node Type=0x83; Node "
      "ID={dev}; Sensor Type=0xc3; event_state=3) Event id=0x81078603 assertion=1" },
    { LOG_EVENT, 0, 0, LOG_PORT_S * 1000000,
      "[EVENT] DMS(3464,dmp_daemon):{stamp} [dms_event.c:611] Report event success. (Node Type=0x83; Node "
      "ID={dev}; Sensor Type=0xc3; event_state=3) Event id=0x81078603 assertion=0" },
};
static const struct log_row CQE[] = {
    { LOG_DEBUG, 0, LOG_SEEN, 0,
      CANN("ERROR",
           "ROCE") "[hns_roce_lite.c:630]hns_roce_lite_handle_error_cqe(630) : error cqe status: 0x15" },
    { LOG_DEBUG, 0, 0, 100,
      CANN("ERROR", "HCCP") "[ra_hdc_lite.c:794]tid:{tid},ra_hdc_lite_period_poll_cqe : "
                            "[create][ra_hdc_period_poll]failed CQE status[12], wr[0]" },
    { LOG_DEBUG, LOG_85, 0, 800000,
      HCCL("heartbeat.cc:1229") "[{tid}][TaskExecStage][HeartbeatAbnormal][ROCE CQE ERROR]cqe error "
                                "status[12], "
                                "time:[{datef}],localInfo{{server[{ip}],deviceId[{dev}],deviceIp[{dip}]}, "
                                "remoteIP{{server[{other.ip}],deviceId[{other.dev}],deviceIp[{other.dip}]}" },
    { LOG_DEBUG, LOG_7, 0, 800000,
      HCCL("heartbeat.cc:1229") "[{tid}][ROCE CQE ERROR]cqe err status[12], "
                                "time:[{datef}],localInfo{{server[{ip}],deviceId[{dev}],deviceIp[{dip}]}, "
                                "remoteIP{{server[{other.ip}],deviceId[{other.dev}],deviceIp[{other.dip}]}" },
};

#define TOOL "/usr/local/Ascend/driver/tools/hccn_tool -i {dev} "
#define LINK_HEAD(downs, ups)                                                                                \
    TOOL "-ip -g\nipaddr:{dip}\nnetmask:255.255.255.0\n\n" TOOL "-link_stat -g\n"                            \
         "[devid {dev}]current time        : {asc}\n[devid {dev}]link up count       : " ups "\n"            \
         "[devid {dev}]link down count     : " downs "\n[devid {dev}]link change records :\n"
static const struct log_row LINK_STAT[] = {
    { LOG_CHECK, 0, 0, 0, LINK_HEAD("0", "1") },
};
static const struct log_row LINK_LOST[] = {
    { LOG_CHECK, 0, 0, 0,
      LINK_HEAD("1",
                "2") "[devid {dev}]    {up.asc}    LINK UP\n[devid {dev}]    {then.asc}    LINK DOWN\n" },
};

static const struct log_row LATE[] = {
    { LOG_CONSOLE, 0, 0, 0, "{p}reading the vocabulary from /mnt/nas/vocabulary" },
};
static const struct log_row LISTENED[] = {
    { LOG_DEBUG, 0, 0, 0,
      HCCL("topoinfo_exchange_server.cc:91") "[{tid}][Get][Connection]topo exchange server get socket "
                                             "timeout! timeout[{conn} s]" },
    { LOG_DEBUG, 0, 0, 100,
      HCCL("topoinfo_exchange_server.cc:161") "[{tid}][TopoInfoExchangeServer][DisplayConnectionedRank]total "
                                              "connected num is [{connected}],line num is [{rows}]" },
    { LOG_DEBUG, 0, 0, 200,
      HCCL("topoinfo_exchange_server.cc:503") "[{tid}][TopoInfoExchangeServer][DisplayConnectionedRank]need "
                                              "connect rankNum is [{ranks}]" },
};
static const struct log_row CAME_LINE[] = {
    { LOG_DEBUG, 0, LOG_SEEN, 300,
      HCCL("topoinfo_exchange_server.cc:174") "[{tid}][TopoInfoExchangeServer][DisplayConnectionedRank]"
                                              "connected rankinfo[LINE {number}]: {came};" },
};
static const struct log_row NO_GROUP[] = {
    { LOG_DEBUG, LOG_85, 0, -100000,
      HCCL("topoinfo_exchange_base.cc:145") "[{pid}][InitGroupStage][RanktableDetect] TopoDetect ERROR occur "
                                            "!!! fault_type[1], fault_info[\"Failed to connect "
                                            "agent[{bad.rank},]\"]" },
    { LOG_DEBUG, 0, 0, 0,
      HCCL("adapter_hccp.cc:872") "[{pid}][Recv][RaSocket]errNo[0x0000000005000013] Wait timeout for sockets "
                                  "recv, data[0xffffe0d3837c], size[4], recvSize[0], The most common cause "
                                  "is that the firewall is incorrectly configured. Check the firewall "
                                  "configuration or try to disable the firewall." },
    { LOG_DEBUG, 0, 0, 100,
      HCCL("topoinfo_exchange_base.cc:104") "[{pid}][Recv][ClusterInfoMsg]receive msg length from fdhandle "
                                            "failed, ret[9]" },
    { LOG_DEBUG, 0, 0, 200,
      HCCL("op_base.cc:434") "[{pid}][Init][CommRootInfo]errNo[0x0000000005000004] setup topo detect error" },
    { LOG_DEBUG, 0, 0, 10000,
      HCCL("op_base.cc:481") "[{pid}][HCCL_TRACE]HcclCommInitRootInfo failed, return[0x0000000005000004], "
                             "rankNum[{ranks}], rank[{rank}], rootInfo identifier[{world}], "
                             "server[{ip}%eth0], logicDevId[-1]" },
    { LOG_CONSOLE, LOG_PT, 0, 100000,
      "{p}" TRACE_HEAD
      "{p}  File \"/job/train.py\", line 61, in main\n{p}    dist.barrier()\n{p}RuntimeError: "
      "create_config:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:102 HCCL function error: "
      "hcclCommInitRootInfoConfig(numRanks, &rootInfo, rank, config, &(comm->hcclComm_)), error code is "
      "4\n{p}[ERROR] {second} (PID:{pid}, Device:{dev}, RankID:{rank}) ERR02200 DIST call hccl api "
      "failed.\n" SETUP_MESSAGE },
    { LOG_CONSOLE, LOG_MS, 0, 100000,
      TRACE_HEAD "  File \"/job/train.py\", line 20, in <module>\n    init()\nRuntimeError: Call hccl "
                 "communicator init failed.\n\n" MIND_RULE
                 "- Ascend Error Message:\n" MIND_RULE SETUP_MESSAGE },
};

static const struct log_row ARGUMENTS[] = {
    { LOG_DEBUG, LOG_85, 0, 0,
      HCCL("rank_consistent.cc:360") "[{tid}][InitChannelStage][ParameterConflict]" COMPARED },
    { LOG_DEBUG, LOG_7, 0, 0, HCCL("rank_consistent.cc:360") "[{tid}]" COMPARED },
};
static const char ARGUMENT_MESSAGE[] =
    "[PID: {pid}] {stamp} Inconsistent_Collective_Communication_Arguments_Between_Ranks(EI0005): The "
    "arguments for collective "
    "communication are inconsistent between ranks: tag [{tag}], parameter [count], local [{mine}], remote "
    "[{theirs}]";

static const struct log_row LOADER[] = {
    { LOG_CONSOLE, LOG_PT, LOG_FIRST, 0,
      "{p}" TRACE_HEAD
      "{p}  File \"/usr/lib/python3.9/site-packages/torch/utils/data/dataloader.py\", line 1133, in "
      "_try_get_data\n{p}    data = self._data_queue.get(timeout=timeout)\n{p}queue.Empty\n{p}RuntimeError: "
      "DataLoader timed out after 120 seconds" },
    { LOG_CONSOLE, LOG_MS, LOG_FIRST, 0,
      MIND("WARNING",
           "MD") "[mindspore/ccsrc/minddata/dataset/engine/datasetops/data_queue_op.cc:1163] "
                 "DetectPerBatchTime] Bad performance attention, it takes more than 25 seconds to fetch a "
                 "batch of data from dataset pipeline, which might result `GetNext` timeout problem." },
};
static const struct log_row NO_DATA[] = {
    { LOG_DEBUG, 0, 0, 0,
      RTS("davinic_kernel_task.cc:1391") "PrintAicpuErrorInfo:[INIT][DEFAULT]Aicpu kernel execute "
                                         "failed, " AICPU_TASK
                                         ", flip_num={flip}, fault so_name=libaicpu_kernels.so, fault "
                                         "kernel_name=GetNext, extend_info=(info_type:4, info_len:41, "
                                         "msg_info:GetNext timeout)" },
};
static const char NO_DATA_MESSAGE[] =
    "E30008: AI CPU operator execution time out.\n        Possible Cause: the input of the op did not come\n"
    "        Solution: look at the data pipeline\n        TraceBack (most recent call last):\n"
    "       For the GetNext operator, check its preprocessing or set OpExecuteTimeOut";

static const struct log_row NO_SPACE[] = {
    { LOG_CONSOLE, 0, LOG_FIRST, 0,
      "{p}" TRACE_HEAD
      "{p}  File \"/job/checkpoint.py\", line 77, in save\n{p}    out.write(blob)\n{p}OSError: [Errno "
      "28] No space left on device: '/data/checkpoints/rank_{rank}.ckpt'" },
    { LOG_SYSTEM, 0, 0, 2000000,
      SYSLOG "rsyslogd[1203]: file '/var/log/messages'[4] write error - see "
             "https://www.rsyslog.com/solving-rsyslog-write-errors/ for help OS error: No space left on "
             "device [v8.2110.0 try https://www.rsyslog.com/e/2027 ]" },
};

static const struct log_row SEGMENT[] = {
    { LOG_CONSOLE, 0, LOG_FIRST, 0,
      "Fatal Python error: Segmentation fault\n\nCurrent thread 0x0000ffff89a9f700 (most recent call "
      "first):\n  File \"/job/fused.py\", line 28 in launch\n  File \"/job/model.py\", line 300 in "
      "forward\n\nExtension modules: numpy.core._multiarray_umath (total: 1)" },
    { LOG_STACK, 0, 0, 0,
      "[process]\ncrash reason:11\ncrash pid:{pid}\ncrash tid:{pid}\n[stack]\n#00 0x0000ffff8c1204a0 "
      "0x0000ffff8c100000 /job/libfused.so" },
    { LOG_SYSTEM, 0, 0, 10000,
      KERNEL "{pname}[{pid}]: segfault at 10 ip 0000ffff8c1204a0 sp 0000ffffdc3e1000 error 4 in "
             "libfused.so[ffff8c100000+80000]" },
};

static const struct log_row PREEMPTED[] = {
    { LOG_LAUNCHER, 0, LOG_FIRST, 0,
      "slurmstepd: error: *** JOB 494583 ON {node} CANCELLED AT {slurm} DUE TO PREEMPTION ***" },
};
static const struct log_row SIGNALLED[] = {
    { LOG_LAUNCHER, LOG_PT, 0, 0,
      ELASTIC("W") "agent/server/api.py:719] Received 15 death signal, shutting down workers" },
    { LOG_LAUNCHER, LOG_MS, 0, 0,
      MSRUN("WARNING") "[mindspore/parallel/cluster/process_entity/_api.py:302] SIGTERM signal is received, "
                       "kill all workers." },
};

static const struct log_story S_CORE = LOG_STORY(CORE), S_RAISE = LOG_STORY(RAISE),
                              S_OOM = LOG_STORY(OOM_KILLER), S_DEVICE_OOM = LOG_STORY(DEVICE_OOM),
                              S_AICPU = LOG_STORY(AICPU), S_ECC = LOG_STORY(ECC),
                              S_PORT = LOG_STORY(PORT_DOWN), S_CQE = LOG_STORY(CQE),
                              S_LINK_STAT = LOG_STORY(LINK_STAT), S_LINK_LOST = LOG_STORY(LINK_LOST),
                              S_LATE = LOG_STORY(LATE), S_LISTENED = LOG_STORY(LISTENED),
                              S_CAME = LOG_STORY(CAME_LINE), S_NO_GROUP = LOG_STORY(NO_GROUP),
                              S_ARGUMENTS = LOG_STORY(ARGUMENTS), S_LOADER = LOG_STORY(LOADER),
                              S_NO_DATA = LOG_STORY(NO_DATA), S_NO_SPACE = LOG_STORY(NO_SPACE),
                              S_SEGMENT = LOG_STORY(SEGMENT), S_PREEMPTED = LOG_STORY(PREEMPTED),
                              S_SIGNALLED = LOG_STORY(SIGNALLED);

/* ---- who writes what ---- */

static const struct log_scene IN_CORE[] = {
    { LOG_BAD, .after_ms = 1, .story = &S_CORE },
    { LOG_BAD, .after_ms = 51, .story = &LOG_STORY_SYNC, .code = "{core_code}", .message = CORE_MESSAGE },
};
static const struct log_scene IN_RAISE[] = { { LOG_BAD, .story = &S_RAISE } };
static const struct log_scene IN_OOM[] = { { LOG_BAD, .story = &S_OOM } };
static const struct log_scene IN_DEVICE_OOM[] = { { LOG_BAD, .story = &S_DEVICE_OOM } };
static const struct log_scene IN_AICPU[] = {
    { LOG_BAD, .after_ms = 5, .story = &S_AICPU },
    { LOG_BAD, .after_ms = 55, .story = &LOG_STORY_SYNC, .code = "507018", .message = AICPU_MESSAGE },
};
static const struct log_scene IN_ECC[] = {
    { LOG_BAD, .after_ms = 1, .story = &S_ECC },
    { LOG_BAD, .after_ms = 31, .story = &LOG_STORY_SYNC, .code = "507054", .message = ECC_MESSAGE },
};
static const struct log_scene IN_PORT[] = {
    { LOG_BAD, .story = &S_PORT },
    { LOG_PEERS, .after_ms = 5000, .spread_ms = 40, .story = &S_CQE },
    { LOG_BAD_END, .after_ms = 5040, .spread_ms = 40, .story = &S_CQE },
    { LOG_CAME, .after_ms = (LOG_EXEC_S + 600) * 1000, .story = &S_LINK_STAT },
    { LOG_BAD, .after_ms = (LOG_EXEC_S + 600) * 1000, .story = &S_LINK_LOST },
};
static const struct log_scene IN_SETUP[] = {
    { LOG_BAD, .after_ms = 1000, .story = &S_LATE },
    { LOG_ZERO, .after_ms = LOG_CONN_S * 1000, .story = &S_LISTENED },
    { LOG_CAME_ROWS, .after_ms = LOG_CONN_S * 1000, .story = &S_CAME },
    { LOG_CAME, .after_ms = LOG_CONN_S * 1000 + 1000, .spread_ms = 100, .story = &S_NO_GROUP },
};
static const struct log_scene IN_LINKS[] = {
    { LOG_BAD, .spread_ms = 100, .mark = LOG_FIRST, .story = &S_ARGUMENTS },
    { LOG_NEAR, .spread_ms = 100, .mark = LOG_SEEN, .story = &S_ARGUMENTS },
    { LOG_BAD, .after_ms = 200, .story = &LOG_STORY_SYNC, .code = "5", .message = ARGUMENT_MESSAGE },
    { LOG_NEAR, .after_ms = 200, .story = &LOG_STORY_SYNC, .code = "5", .message = ARGUMENT_MESSAGE },
};
static const struct log_scene IN_STALL[] = {
    { LOG_BAD, LOG_PT, .after_ms = 120000, .story = &S_LOADER },
    { LOG_BAD, LOG_MS, .after_ms = 25000, .story = &S_LOADER },
    { LOG_BAD, LOG_MS, .after_ms = 300000, .story = &S_NO_DATA },
    { LOG_BAD, LOG_MS, .after_ms = 300010, .story = &LOG_STORY_SYNC, .code = "507017",
      .message = NO_DATA_MESSAGE },
};
static const struct log_scene IN_DISK[] = { { LOG_BAD, .story = &S_NO_SPACE } };
static const struct log_scene IN_SEGMENT[] = { { LOG_BAD, .story = &S_SEGMENT } };
static const struct log_scene IN_TERM[] = {
    { LOG_ZERO, .story = &S_PREEMPTED },
    { LOG_HOSTS, .after_ms = 200, .story = &S_SIGNALLED },
    { LOG_ALL, .after_ms = 300, .spread_ms = 100, .story = &LOG_STORY_STOPPED },
};

#define SCENES(v)         .scene = (v), .n = ARRAY_LEN(v)
#define REASON(what, why) "ExceptionType:[" what " Occurred], Possible Reason:" why
#define LOST                                                                                                 \
    .status = "LOST", .heard_ms = 30000,                                                                     \
    .reason = REASON("Heartbeat Lost", "1. Process has exited, 2. Network Disconnected")
#define DIES(a, b) .dies_pt_ms = (a), .dies_ms_ms = (b)

/* Found at two fifths of the time-out. */
#define STUCK                                                                                                \
    .status = "STUCK", .heard_ms = LOG_EXEC_S * 400,                                                         \
    .reason = REASON("Stuck", "1.Host process is stuck, 2.Device task is stuck")
#define NO_CQE                                                                                               \
    .status = "ERROR CQE", .heard_ms = 6000, .reason = REASON("Error cqe", "1. Network port is down")

static const struct log_fault FAULTS[DEMO_FAULTS] = {
    [DEMO_FAULT_CLEAN] = { DIES(-1, -1) },
    [DEMO_FAULT_HANG] = { DIES(-1, -1), STUCK,
                          .stack = "  File \"/job/train.py\", line 118, in main\n    batch = "
                                   "cache.read(index)\n  File \"/job/cache.py\", line 41, in read\n    "
                                   "self.reply.get()\n",
                          .is_tag = true },
    [DEMO_FAULT_STRAGGLER] = { DIES(-1, -1),
                               .stack = "  File \"/job/train.py\", line 131, in main\n    batch = "
                                        "pad(batch, longest)\n  File \"/job/batch.py\", line 77, in "
                                        "pad\n    rows.append(fill(row, longest))\n",
                               .is_tag = true },
    [DEMO_FAULT_KILLED] = { DIES(0, 0), LOST, .exit = -9, .is_tag = true, .torn = true },
    [DEMO_FAULT_HOST_OOM] = { SCENES(IN_OOM), DIES(0, 0), LOST, .exit = -9 },
    [DEMO_FAULT_DEVICE_OOM] = { SCENES(IN_DEVICE_OOM), DIES(3000, 3000), LOST, .exit = 1 },
    [DEMO_FAULT_AICORE] = { SCENES(IN_CORE), DIES(4000, 4000), LOST, .exit = 1, .has_task = true,
                            .is_type = true, .has_kernel = true },
    [DEMO_FAULT_AICPU] = { SCENES(IN_AICPU), DIES(4000, 4000), LOST, .exit = 1, .has_task = true,
                           .is_type = true },
    [DEMO_FAULT_HBM_ECC] = { SCENES(IN_ECC), DIES(4000, 4000), LOST, .exit = 1, .has_task = true,
                             .is_type = true },
    [DEMO_FAULT_LINK_DOWN] = { SCENES(IN_PORT), DIES(-1, -1), NO_CQE, .is_tag = true, .has_task = true },
    [DEMO_FAULT_SOCKET_INIT] = { SCENES(IN_SETUP), DIES(-1, -1) },
    [DEMO_FAULT_MISMATCH] = { DIES(-1, -1), .is_tag = true, .has_task = true },
    [DEMO_FAULT_MISMATCH_ARG] = { SCENES(IN_LINKS), DIES(2000, 2000), .exit = 1, .is_tag = true },
    [DEMO_FAULT_DATA_STALL] = { SCENES(IN_STALL), DIES(121000, 303000), LOST, .exit = 1, .has_task = true },
    [DEMO_FAULT_DISK_FULL] = { SCENES(IN_DISK), DIES(1000, 1000), LOST, .exit = 1 },
    [DEMO_FAULT_EXCEPTION] = { SCENES(IN_RAISE), DIES(1000, 1000), LOST, .exit = 1 },
    [DEMO_FAULT_SEGV] = { SCENES(IN_SEGMENT), DIES(1, 1), LOST, .exit = -11 },
    [DEMO_FAULT_SIGTERM] = { SCENES(IN_TERM), DIES(600, 600) },
};

const struct log_fault *log_fault_of(enum demo_fault f)
{
    return &FAULTS[f];
}
