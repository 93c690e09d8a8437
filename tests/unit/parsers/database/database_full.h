/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database with a few rows in every table that the group reads, as SQL. Times are from 1000 on. What its
 * rows
 * are expected to give stands in test_database_host.c; test_database_damage.c damages it, and it is the first
 * input of tests/fuzz/fuzz_database_group.c.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_DATABASE_FULL_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_DATABASE_FULL_H

/* clang-format off */
#define DATABASE_FULL_TASKS \
    "CREATE TABLE STRING_IDS(id INTEGER, value TEXT);" \
    "INSERT INTO STRING_IDS VALUES(1,'MatMul_1'),(2,'MatMul'),(3,'AI_CORE'),(4,'8,16'),(5,'Add_2')," \
    "(6,'aclnnAdd'),(7,'aic_total_time'),(8,'hcom_allReduce__1_0'),(9,'hcom_allReduce_'),(10,'group_a')," \
    "(11,'Memcpy'),(12,'SDMA_SQE'),(13,'mark'),(14,'PTA'),(15,'aten::add'),(16,'aten::mul'),(17,'enqueue')," \
    "(18,'/a.py(1): f'),(19,'/b.py(2): g'),(20,'release'),(21,'app'),(22,'read'),(23,'KERNEL_MIX_AIC')," \
    "(24,'allocate'),(25,'device');" \
    "CREATE TABLE ENUM_API_TYPE(id INTEGER, name TEXT); INSERT INTO ENUM_API_TYPE VALUES(20000,'acl');" \
    "CREATE TABLE ENUM_MODULE(id INTEGER, name TEXT); INSERT INTO ENUM_MODULE VALUES(3,'RUNTIME');" \
    "CREATE TABLE NPU_INFO(id INTEGER, name TEXT); INSERT INTO NPU_INFO VALUES(0,'x');" \
    "CREATE TABLE META_DATA(name TEXT, value TEXT); INSERT INTO META_DATA VALUES('SCHEMA_VERSION','1.0.2');" \
    "CREATE TABLE TASK(startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER," \
    " globalTaskId INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER, taskId INTEGER," \
    " modelId INTEGER, batchId INTEGER);" \
    "INSERT INTO TASK VALUES(2000,2100,0,5,20,3,4294967295,2,7,4294967295,0)," \
    "(2200,2260,0,6,21,3,4294967295,2,8,4294967295,0),(2300,2350,0,8,22,12,4294967295,2,9,4294967295,0)," \
    "(2400,2500,0,7,23,23,4294967295,2,10,4294967295,0),(2410,2490,0,7,24,3,0,2,10,4294967295,0);" \
    "CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER, blockDim INTEGER, taskType INTEGER," \
    " opType INTEGER, inputShapes INTEGER);" \
    "INSERT INTO COMPUTE_TASK_INFO VALUES(1,20,24,3,2,4),(5,21,8,3,2,4),(5,24,8,3,2,4);" \
    "CREATE TABLE TASK_PMU_INFO(globalTaskId INTEGER, name INTEGER, value NUMERIC);" \
    "INSERT INTO TASK_PMU_INFO VALUES(20,7,90.5),(21,7,50);" \
    "CREATE TABLE COMMUNICATION_TASK_INFO(name INTEGER, globalTaskId INTEGER, taskType INTEGER," \
    " planeId INTEGER, groupName INTEGER, opId INTEGER);" \
    "INSERT INTO COMMUNICATION_TASK_INFO VALUES(8,22,11,0,10,1);" \
    "CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER," \
    " groupName INTEGER, opType INTEGER, deviceId INTEGER);" \
    "INSERT INTO COMMUNICATION_OP VALUES(8,2290,2360,8,10,9,0);" \
    "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER," \
    " connectionId INTEGER, name INTEGER);" \
    "INSERT INTO CANN_API VALUES(1500,1600,20000,4294967298,5,6),(1610,1640,20000,4294967298,6,6);" \
    "CREATE TABLE MSTX_EVENTS(startNs INTEGER, endNs INTEGER, message INTEGER, globalTid INTEGER);" \
    "INSERT INTO MSTX_EVENTS VALUES(1400,1700,13,4294967298);" \
    "CREATE TABLE OVERLAP_ANALYSIS(startNs INTEGER, endNs INTEGER, deviceId INTEGER, type INTEGER);" \
    "INSERT INTO OVERLAP_ANALYSIS VALUES(2000,2100,0,0),(2290,2360,0,2),(2100,2200,0,3),(1,2,0,9);"
/*
 * Thread 2: add (1000 to 2000) calls mul (1100 to 1400), which calls add (1200 to 1300), and mul (1500 to
 * 1600); thread 3: add (1050 to 1950). Calls 11 and 12 go by CONNECTION_IDS to tasks 5 and 6; 13 and 14 share
 * connection 99 without tasks.
 */
#define DATABASE_FULL_HOST \
    "CREATE TABLE PYTORCH_API(startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, " \
    "name INTEGER," \
    " inputShapes INTEGER, callchainId INTEGER, type INTEGER);" \
    "INSERT INTO PYTORCH_API VALUES('1000','2000',4294967298,11,15,4,1,50001)," \
    "('1100','1400',4294967298,NULL,16,NULL,NULL,50001),('1200','1300',4294967298,12,15,NULL,NULL,50001)," \
    "('1500','1600',4294967298,NULL,16,NULL,NULL,50001),('1050','1950',4294967299,NULL,15,NULL,NULL,50001)," \
    "('1110','1120',4294967298,13,17,NULL,NULL,50002),('1210','1220',4294967299,14,17,NULL,NULL,50002);" \
    "CREATE TABLE CONNECTION_IDS(id INTEGER, connectionId INTEGER);" \
    "INSERT INTO CONNECTION_IDS VALUES(11,5),(12,6),(13,99),(14,99);" \
    "CREATE TABLE PYTORCH_CALLCHAINS(id INTEGER, stack INTEGER, stackDepth INTEGER);" \
    "INSERT INTO PYTORCH_CALLCHAINS VALUES(1,18,0),(1,19,1),(1,77,2);" \
    "CREATE TABLE STEP_TIME(id INTEGER, startNs INTEGER, endNs INTEGER);" \
    "INSERT INTO STEP_TIME VALUES(4,1000,2150),(5,2151,3000);" \
    "CREATE TABLE MEMORY_RECORD(component INTEGER, timestamp INTEGER, totalAllocated INTEGER," \
    " totalReserved INTEGER, totalActive INTEGER, streamPtr INTEGER, deviceId INTEGER);" \
    "INSERT INTO MEMORY_RECORD VALUES(14,1000,100,200,50,-1,0);" \
    "CREATE TABLE OP_MEMORY(name INTEGER, size INTEGER, allocationTime INTEGER, releaseTime INTEGER," \
    " activeReleaseTime INTEGER, duration INTEGER, activeDuration INTEGER, deviceId INTEGER);" \
    "INSERT INTO OP_MEMORY VALUES(15,512,1000,1500,NULL,500,NULL,0);" \
    "CREATE TABLE NPU_MODULE_MEM(moduleId INTEGER, timestampNs INTEGER, totalReserved INTEGER," \
    " deviceId INTEGER);" \
    "INSERT INTO NPU_MODULE_MEM VALUES(3,1000,4096,0);" \
    "CREATE TABLE NPU_MEM(type INTEGER, ddr INTEGER, hbm INTEGER, timestampNs INTEGER, deviceId INTEGER);" \
    "INSERT INTO NPU_MEM VALUES(21,1024,2048,1000,0),(25,1024,4096,1000,0);" \
    "CREATE TABLE HBM(deviceId INTEGER, timestampNs INTEGER, bandwidth NUMERIC, hbmId INTEGER, type " \
    "INTEGER);" \
    "INSERT INTO HBM VALUES(0,1000,1048576,2,22);" \
    "CREATE TABLE AICORE_FREQ(deviceId INTEGER, timestampNs INTEGER, freq NUMERIC);" \
    "INSERT INTO AICORE_FREQ VALUES(0,1000,1800);" \
    "CREATE TABLE LLC(deviceId INTEGER, timestampNs INTEGER, hitRate NUMERIC, throughput NUMERIC, " \
    "llcId INTEGER," \
    " mode INTEGER); INSERT INTO LLC VALUES(0,1000,50.5,2097152,1,22);"
/* hours that fit no step: us and ms as the analysis has them; step 4 is marked above */
#define DATABASE_FULL_ANALYSIS \
    "CREATE TABLE StepTraceTime(deviceId INTEGER, step TEXT, computing NUMERIC, communication NUMERIC," \
    " free NUMERIC);" \
    "INSERT INTO StepTraceTime VALUES(0,'4',1.5,2,0.25);" \
    "CREATE TABLE CommAnalyzerTime(hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC," \
    " elapse_time NUMERIC, transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC," \
    " idle_time NUMERIC, step TEXT, type TEXT);" \
    "INSERT INTO CommAnalyzerTime VALUES('hcom_allReduce__1_0','g',2.29,0.00007,0.00005,0.00001,0,0.00001," \
    "'step4','collective'),('Total Op Info','g',0,1,1,1,1,1,'step4','collective');" \
    "CREATE TABLE CommAnalyzerBandwidth(hccl_op_name TEXT, group_name TEXT, transport_type TEXT," \
    " transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, large_packet_ratio NUMERIC," \
    " package_size NUMERIC, count NUMERIC, total_duration NUMERIC, step TEXT, type TEXT);" \
    "INSERT INTO CommAnalyzerBandwidth VALUES('hcom_allReduce__1_0','g','HCCS',2,0.5,4,0.25,0.5,2," \
    "0.2,'step4','c')," \
    "('hcom_allReduce__1_0','g','HCCS',2,0.5,4,0.25,1,1,0.3,'step4','c')," \
    "('hcom_allReduce__1_0','g','RDMA',0,0,0,0,0,0,0,'step4','c');" \
    "CREATE TABLE CommAnalyzerMatrix(hccl_op_name TEXT, group_name TEXT, src_rank INTEGER, dst_rank " \
    "INTEGER," \
    " transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC, step TEXT," \
    " op_name TEXT);" \
    "INSERT INTO CommAnalyzerMatrix VALUES('allreduce-top1','g',0,1,'HCCS',1,0.5,2,'step4'," \
    "'hcom_allReduce__1_0');"
#define DATABASE_FULL DATABASE_FULL_TASKS DATABASE_FULL_HOST DATABASE_FULL_ANALYSIS
/* clang-format on */

#endif
