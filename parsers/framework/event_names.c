/* SPDX-License-Identifier: Apache-2.0 */
/* Names of framework events: the tables of doc/formats/framework.md#event-indexes. */
#include "config.h"

#include "parsers/framework/event_names.h"

#define ADDED_IN_27 50 /* PyBoostLaunchAtb */

static const char *const modules[] = {
    "Default", "GraphExecutorPy", "RuntimeFramework", "PynativeFramework",
    "Kernel",  "Python",          "Capture",          "Other",
};

static const char *const stages[] = {
    "Default", "Python",  "Capture",          "RunGraph",     "RunGrad",
    "RunOp",   "Asnumpy", "CompileGradGraph", "WaitPipeline", "SyncStream",
};

static const char *const events[] = {
    "Default",
    "KernelInfer",
    "KernelResize",
    "KernelInferAndResize",
    "KernelLaunch",
    "KernelLaunckCallback", /* so in the original */
    "KernelUpdate",
    "KernelPrepareData",
    "GraphLaunch",
    "InputProcess",
    "OutputProcess",
    "WaitTaskFinish",
    "PreLaunch",
    "PostLaunch",
    "SendOutput",
    "MemoryAlloc",
    "MemoryFree",
    "CopyData",
    "StreamSync",
    "ProcessMultiStream",
    "WaitKernelsInferFinish",
    "WaitKernelsResizeFinish",
    "WaitKernelsLaunchFinish",
    "KernelInferInner",
    "KernelInferDataSync",
    "KernelResizeInner",
    "KernelLaunchInner",
    "BackendGraphRunInner",
    "RunOp",
    "PyNativeFrontendTask",
    "PyNativeBackendTask",
    "PyNativeDeviceTask",
    "PyNativeLaunchTask",
    "PyNativeBpropTask",
    "Wait",
    "PyNativeGilAcquire",
    "PyNativeCast",
    "PyNativeInfer",
    "PyNativeOpCompile",
    "PyNativeGradExpander",
    "PyNativeGradUpdateSens",
    "PyNativeGradClearTopCell",
    "PyNativeGradClearAutoGradCell",
    "PyBoostInferOutput",
    "PyBoostInferByOpDef",
    "PyBoostCreateOutputTensor",
    "PyBoostDeviceTask",
    "PyBoostMallocInput",
    "PyBoostMallocOutput",
    "PyBoostLaunchAclnn",
    "PyBoostLaunchAtb",
    "PyNativeNewGraph",
    "PyNativeEndGraph",
    "PythonObserved",
    "CaptureRunGraph",
    "CaptureProcess",
    "CaptureCompile",
    "CaptureGuard",
    "AclnnHitCacheStage1",
    "AclnnHitCacheStage2",
    "AclnnMissCacheStage1",
    "AclnnMissCacheStage2",
    "AclnnUpdateAddress",
    "AclnnRunOp",
    "RunExpanderFunc",
    "EmitOp",
    "Execute",
    "ReleaseResource",
    "NativeFunc",
};

static struct str name_of(const char *const *names, size_t n, unsigned index)
{
    return str_of(names[index < n ? index : 0]);
}

struct str framework_module(unsigned index)
{
    return name_of(modules, ARRAY_LEN(modules), index);
}

struct str framework_stage(unsigned index)
{
    return name_of(stages, ARRAY_LEN(stages), index);
}

struct str framework_event(unsigned index, bool old)
{
    return name_of(events, ARRAY_LEN(events), index + (old && index >= ADDED_IN_27));
}
