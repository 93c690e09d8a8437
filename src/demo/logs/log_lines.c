/* SPDX-License-Identifier: Apache-2.0 */
/* What every job writes: its start, its steps, waits that ran out, and what the launcher says. */
#include "config.h"

#include "demo/logs/log_lines.h"

static const struct log_row HOST[] = {
    { LOG_SYSTEM, 0, 0, -2000000000, SYSLOG "systemd[1]: Started Session 41 of user train." },
    { LOG_SYSTEM, 0, 0, 4000000,
      KERNEL "[ascend] [drv_pcie] [INFO] [devdrv_init_dev_num 2248] <systemd-udevd:4853:4853> Findout "
             "device. (index=0; device=d105; dev_num=0)" },
    { LOG_LAUNCHER, LOG_PT, 0, 900000,
      ELASTIC("I") "agent/server/api.py:525] [default] Starting worker group: {local} workers on {node}" },
    { LOG_LAUNCHER, LOG_MS, 0, 900000,
      MSRUN("WARNING") "[mindspore/parallel/cluster/process_entity/_api.py:251] Distributed job is spawned. "
                       "Waiting all processes to exit..." },
};

static const struct log_row START[] = {
    { LOG_CONSOLE, LOG_PT, 0, -900000, "{p}start: world size {ranks}, device {dev}, pid {pid}" },
    { LOG_CONSOLE, LOG_MS, 0, -900000,
      MIND("WARNING",
           "DISTRIBUTED") "[mindspore/ccsrc/distributed/cluster/topology/compute_graph_node.cc:195] "
                          "Register] This node {rank} rank id: {rank} registered to the scheduler" },
    { LOG_RUN, 0, 0, 0,
      CANN("INFO", "ATRACE") "[trace_attr.c:189](tid:{pid}) attr init success, timeout=0ms." },
    { LOG_RUN, 0, 0, 1000,
      HCCL_RUN("externalinput.cc:407") "[HCCL_ENV] HCCL_CONNECT_TIMEOUT set by default to [{conn}]s" },
    { LOG_RUN, 0, 0, 2000,
      HCCL_RUN("externalinput.cc:985") "[HCCL_ENV] HCCL_EXEC_TIMEOUT set by default to [{exec}]s" },
};

static const struct log_row ROOT[] = {
    { LOG_RUN, LOG_PT, 0, -20000,
      HCCL_RUN("op_base.cc:314") "Entry-HcclGetRootInfo:rootInfo[0xfffffb931b78], deviceLogicId[{dev}]" },
    { LOG_RUN, LOG_PT, 0, 1000,
      HCCL_RUN(
          "op_base.cc:339") "[HCCL_TRACE]HcclGetRootInfo success, take time [15319]us, identifier[{group}]" },
};

static const struct log_row JOIN[] = {
    { LOG_RUN, LOG_PT, 0, 0,
      HCCL_RUN("op_base.cc:1292") "Entry-HcclCommInitRootInfoInner:ranks[{gsize}], rank[{grank}], rootinfo: "
                                  "host ip[{root}] port[60000] nicDeploy[1] identifier[{group}], "
                                  "deviceLogicId[{dev}]" },
    { LOG_RUN, LOG_PT, 0, 200000,
      HCCL_RUN(
          "topoinfo_detect.cc:506") "[HCCL_TRACE][Flat]SetupAgent rankNum[{gsize}], rank[{grank}], rootInfo "
                                    "identifier[{group}], server[{ip}%eth0], serverPort[60000]deviceType[2], "
                                    "logicDevId[{dev}], phydevId[{dev}], deviceIp[{dip}]" },
    { LOG_RUN, LOG_MS, 0, 200000,
      HCCL_RUN("topoinfo_detect.cc:221") "[HCCL_TRACE]SetupAgent rankNum[{gsize}], rank[{grank}], rootInfo "
                                         "identifier[{group}], server[{ip}%bond1], logicDevId[{dev}], "
                                         "phydevId[{dev}], deviceIp[{dip}]" },
};

static const struct log_row JOINED[] = {
    { LOG_RUN, LOG_PT, 0, 0,
      HCCL_RUN("op_base.cc:489") "[HCCL_TRACE]HcclCommInitRootInfo success,take time [4713202]us, "
                                 "rankNum[{gsize}], rank[{grank}],rootInfo identifier[{group}], "
                                 "server[{ip}%eth0], logicDevId[{dev}]" },
    { LOG_RUN, LOG_MS, 0, 0,
      HCCL_RUN("hcom_ops_kernel_info_store.cc:214") "GenerateOpTag: graph[2] opType[Hcom{coll}], "
                                                    "nodeNameHash[1353908935038672150], group[{group}], "
                                                    "generated op tag[{tag}]" },
};

static const struct log_row LOSS[] = {
    { LOG_CONSOLE, LOG_PT, 0, 0, "{p}iteration {number}/{steps} | lm loss: {loss} | grad norm: 1.700 |" },
    { LOG_CONSOLE, LOG_MS, 0, 0, "epoch: 1 step: {number}, loss is {loss}" },
};

static const struct log_row LEAVE[] = {
    { LOG_RUN, 0, 0, 0, HCCL_RUN("op_base.cc:1352") "Entry-HcclCommDestroy: op_base comm destroy begin" },
    { LOG_RUN, 0, 0, 10000,
      HCCL_RUN("hcom.cc:264") "[{group}][{dev}]hcom destroy complete,take time [325954]us, rankNum[{gsize}], "
                              "rank[{grank}]" },
    { LOG_CONSOLE, 0, 0, 200000, "{p}training finished, rank {rank}" },
};

#define EXCEPTION_85 "[{pid}][TaskExecStage][Timeout][Host]"
#define EXCEPTION_7  "[{pid}][TaskExceptionHandler][Callback]"

static const struct log_row WAITED[] = {
    { LOG_DEBUG, 0, LOG_SEEN, 0,
      RTS("device_error_proc.cc:1435") "ProcessStarsHcclFftsPlusTimeoutErrorInfo:The error from "
                                       "device(chipId:{dev}, dieId:0), serial number is 9, hccl fftsplus "
                                       "task timeout occurred during task execution, stream_id:{stream}, "
                                       "sq_id:{stream}, task_id:{task}, stuck notify num:1, "
                                       "timeout={exec}s." },
    { LOG_DEBUG, 0, 0, 100,
      RTS("stars_engine.cc:1551") "ProcLogicCqReport:[FINAL][FINAL]Task run failed, device_id={dev}, "
                                  "stream_id={stream}, task_id={task}, sqe_type=3(place holder), "
                                  "errType=0x20(sq sw status error), sqSwStatus=0x105" },
    { LOG_DEBUG, LOG_85, 0, 200,
      HCCL("task_exception_handler.cc:908") EXCEPTION_85
      "Task run failed, base information is streamID:[{stream}], taskID[{full}], tag[{tag}], AlgType(level "
      "0-1-2):[fullmesh-ring-NHR]." },
    { LOG_DEBUG, LOG_7, 0, 200,
      HCCL("task_exception_handler.cc:452") EXCEPTION_7
      "Task run failed, base information is streamID:[{stream}], taskID[{full}], taskType[Notify Wait], "
      "tag[{tag}], index[{index}], AlgType(level 0-1-2):[null-null-ring]." },
    { LOG_DEBUG, LOG_7, 0, 300,
      HCCL("task_exception_handler.cc:454") EXCEPTION_7
      "Task run failed, para information is notify id:[{notify}], stage:[ffffffff], remote "
      "rank:[{remote}]." },
    { LOG_DEBUG, LOG_85, 0, 400,
      HCCL("task_exception_handler.cc:456") EXCEPTION_85
      "Task run failed, groupRank information is group:[{group}], user define information[], "
      "rankSize[{gsize}], rankId[{grank}]." },
    { LOG_DEBUG, LOG_7, 0, 400,
      HCCL("task_exception_handler.cc:456") EXCEPTION_7
      "Task run failed, groupRank information is group:[{group}], user define information[], "
      "rankSize[{gsize}], rankId[{grank}]." },
    { LOG_DEBUG, LOG_85, 0, 500,
      HCCL("task_exception_handler.cc:704") EXCEPTION_85
      "Task run failed, opData information is timeStamp:[{then.stamp}], deviceId[{dev}], index[{index}], "
      "count[{count}], reduceType[sum], src[0x12c0c0013000], dst[0x12c0c0014000], dataType[{dtype}]." },
};

static const struct log_row CAUSE[] = {
    { LOG_DEBUG, LOG_85, 0, 600,
      HCCL("task_exception_handler.cc:610") EXCEPTION_85
      "[HeartbeatAbnormal]Cluster Exception Location[IP/ID]:[{bad.ip}/{bad.dev}], Arrival Time:[{then.asc}], "
      "Discoverer:[{ip}/{dev}], {message}" },
    { LOG_DEBUG, LOG_7, 0, 600,
      HCCL("task_exception_handler.cc:610") EXCEPTION_7
      "[HeartbeatAbnormal]Cluster Exception Location[IP/ID]:[{bad.ip}/{bad.dev}], Arrival Time:[{then.asc}], "
      "Discoverer:[{ip}/{dev}], {message}" },
};

const char LOG_WAIT_MESSAGE[] =
    "[PID: {pid}] {stamp} Communication_Error_Timeout(EI0002): The wait execution of the Notify register "
    "times out. "
    "Reason: The Notify register has not received the Notify record from remote rank [{remote}].base "
    "information: "
    "[streamID:[{stream}], taskID[{full}], taskType[Notify Wait], tag[{tag}].] task information: [notify "
    "id:[{notify}], "
    "stage:[0], remote rank:[{remote}].]\n        Possible Cause: a rank did not come to this collective\n"
    "        Solution: look for the first error of all ranks\nTraceBack (most recent call last):\n"
    "        Task run failed, stream_id={stream}, task_id={task}";

const char LOG_WAIT_STACK[] = "  File \"/job/train.py\", line 171, in main\n    torch.npu.synchronize()\n";

static const struct log_row SYNC[] = {
    { LOG_DEBUG, 0, 0, 0,
      CANN("ERROR", "ASCENDCL") "[stream.cpp:164]{tid} aclrtSynchronizeStreamWithTimeout: synchronize stream "
                                "failed, runtime result = {code}" },
    { LOG_CONSOLE, LOG_MS, 0, 5000,
      MIND("ERROR",
           "DEVICE") "[mindspore/ccsrc/plugin/device/ascend/hal/device/ascend_stream_manager.cc:194] "
                     "SyncStream] Call runtime rtStreamSynchronize error." },
    { LOG_CONSOLE, LOG_PT, 0, 10000,
      "{p}Traceback (most recent call last):\n{p}  File \"/job/train.py\", line 214, in <module>\n{p}   "
      " main()\n{p}  File \"/job/train.py\", line 171, in main\n{p}    "
      "torch.npu.synchronize()\n{p}RuntimeError: "
      "synchronize:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:361 NPU function error: "
      "c10_npu::acl::AclrtSynchronizeStreamWithTimeout(stream()), error code is {code}\n{p}[ERROR] {second} "
      "(PID:{pid}, Device:{dev}, RankID:{rank}) ERR00100 PTA call acl api failed\n{message}" },
    { LOG_CONSOLE, LOG_MS, 0, 10000,
      "Traceback (most recent call last):\n  File \"/job/train.py\", line 88, in <module>\n    "
      "model.train(1, data)\nRuntimeError: Sync stream failed:Ascend_{dev}\n\n" MIND_RULE
      "- Ascend Error Message:\n" MIND_RULE
      "{message}\n\n(Please search \"CANN Common Error Analysis\" at https://www.mindspore.cn for error code "
      "description)\n\n" MIND_RULE "- C++ Call Stack: (For framework developers)\n" MIND_RULE
      "mindspore/ccsrc/plugin/device/ascend/hal/hardware/ge_graph_executor.cc:1205 RunGraphRefMode" },
};

#define CAUSE_HEAD                                                                                           \
    "Root Cause (first observed failure):\n[0]:\n  time      : {then.cause}\n  host      : {node}\n"         \
    "  rank      : {rank} (local_rank: {dev})\n  exitcode  : {number} (pid: {pid})\n  error_file: <N/A>\n"

static const struct log_row EXIT[] = {
    { LOG_LAUNCHER, LOG_PT, 0, 0,
      ELASTIC("E") "multiprocessing/api.py:869] failed (exitcode: {number}) local_rank: {dev} (pid: {pid}) "
                   "of binary: /usr/bin/python3.9" },
    { LOG_LAUNCHER, LOG_MS, 0, 0,
      MSRUN("ERROR") "[mindspore/parallel/cluster/process_entity/_api.py:331] Worker process {pid} exit with "
                     "exception." },
};

static const struct log_row ROOT_SIGNAL[] = {
    { LOG_LAUNCHER, LOG_PT, 0, 0,
      CAUSE_HEAD "  traceback : Signal {signal} ({signal_name}) received by PID {pid}" },
};
static const struct log_row ROOT_CODE[] = {
    { LOG_LAUNCHER, LOG_PT, 0, 0,
      CAUSE_HEAD
      "  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html" },
};

static const struct log_row HEARD[] = {
    { LOG_RUN, LOG_85, LOG_SEEN, 0,
      CANN("INFO", "HCCL") "[heartbeat.cc:951] [{tid}][TaskExecStage][HeartbeatAbnormal]local rank "
                           "[{ip}/{dev}]: crimer rank [{bad.ip}/{bad.dev}] status[{code}] by informer rank "
                           "[{other.ip}/{other.dev}]" },
    { LOG_RUN, LOG_7, LOG_SEEN, 0,
      CANN("INFO", "HCCL") "[heartbeat.cc:951] [{tid}][Heartbeat]rank [{ip}/{dev}]: rank "
                           "[{bad.ip}/{bad.dev}] status[{code}] by rank [{other.ip}/{other.dev}]" },
};

static const struct log_row TIMED[] = {
    { LOG_SCHEDULER, LOG_MS, LOG_SEEN, 0,
      "[ERROR] DISTRIBUTED({scheduler},ffffb85d0c80,{pname}):{stamp} "
      "[mindspore/ccsrc/distributed/cluster/topology/meta_server_node.cc:420] UpdateTopoState] The node: "
      "{rank} is timed out. It may exit with exception, please check this node's log." },
};

static const struct log_row STOPPED[] = {
    { LOG_LAUNCHER, LOG_PT, 0, 0,
      ELASTIC("W") "multiprocessing/api.py:897] Sending process {pid} closing signal SIGTERM" },
    { LOG_LAUNCHER, LOG_MS, 0, 0,
      MSRUN("WARNING") "[mindspore/parallel/cluster/process_entity/_api.py:318] There's worker exits with "
                       "exception, kill all other workers." },
};

static const struct log_row AFTER[] = {
    { LOG_DEBUG, 0, LOG_SEEN, 100000,
      HCCL("op_base.cc:1352") "[{pid}][HcclCommDestroy] comm is not exist, comm=0x50addc00, group={group}, "
                              "deviceLogicId={dev}" },
};

static const struct log_row NOISE[] = {
    { LOG_DEBUG, 0, 0, 0,
      CANN("ERROR", "DRV") "[dms_user_common.c:154] [ascend][curpid: {pid}, {pid}][drv][dms][DmsIoctl "
                           "154]Ioctl failed. (ret=16; cmd=0x1d)" },
    { LOG_DEBUG, 0, 0, 0,
      CANN("ERROR", "DRV") "[dev_mon_api.c:2976] [dmp] [dev_mon_api_get_soc_die_id 2976] get  dieid "
                           "failed:DRV_ERROR_NOT_SUPPORT" },
    { LOG_DEBUG, LOG_PT, 0, 0,
      CANN("ERROR",
           "APP") "[log_inner.cpp:76] {tid} "
                  "build/CMakeFiles/torch_npu.dir/compiler_depend.ts:checkDispatch:690: \"[PTA]:\"Process "
                  "group work ALLREDUCE, seq_num 12 dispatch sucess. This error log can be ignored.\"\"" },
    { LOG_DEBUG, 0, 0, 0,
      CANN("ERROR", "PROFILING") "[msprof_manager.cpp:88] {tid} DeviceQuery: platform does not support "
                                 "NPU_MEM, switch is ignored" },
    { LOG_DEBUG, 0, 0, 0,
      CANN("ERROR", "TBE") "[lib_tbe_log.py:61] {tid} compile cache entry is stale, will be rebuilt" },
    { LOG_DEBUG, 0, 0, 0,
      CANN("WARNING", "ASCENDCL") "[op_executor.cpp:201] {tid} dynamic shape falls back to AI CPU" },
};

const struct log_story LOG_STORY_HOST = LOG_STORY(HOST), LOG_STORY_START = LOG_STORY(START),
                       LOG_STORY_ROOT = LOG_STORY(ROOT), LOG_STORY_JOIN = LOG_STORY(JOIN),
                       LOG_STORY_JOINED = LOG_STORY(JOINED), LOG_STORY_LOSS = LOG_STORY(LOSS),
                       LOG_STORY_LEAVE = LOG_STORY(LEAVE), LOG_STORY_WAITED = LOG_STORY(WAITED),
                       LOG_STORY_CAUSE = LOG_STORY(CAUSE), LOG_STORY_SYNC = LOG_STORY(SYNC),
                       LOG_STORY_EXIT = LOG_STORY(EXIT), LOG_STORY_TIMED = LOG_STORY(TIMED),
                       LOG_STORY_STOPPED = LOG_STORY(STOPPED), LOG_STORY_HEARD = LOG_STORY(HEARD),
                       LOG_STORY_ROOT_CODE = LOG_STORY(ROOT_CODE),
                       LOG_STORY_ROOT_SIGNAL = LOG_STORY(ROOT_SIGNAL), LOG_STORY_AFTER = LOG_STORY(AFTER),
                       LOG_STORY_NOISE = LOG_STORY(NOISE);
