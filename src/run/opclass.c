/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of ops and events as tables of name patterns. */
#include "config.h"

#include "run/opclass.h"

static const char *const words[N_OP_CLASSES] = {
    [OC_NONE] = "none", [OC_CUBE] = "cube",   [OC_VECTOR] = "vector", [OC_MIX] = "mix",   [OC_COMM] = "comm",
    [OC_COPY] = "copy", [OC_AICPU] = "aicpu", [OC_HOST] = "host",     [OC_IDLE] = "idle",
};

const char *op_class_word(enum op_class c)
{
    return (size_t)c < N_OP_CLASSES ? words[c] : "?";
}

struct pattern {
    const char *text; /* searched without regard to case */
    enum op_class cls;
    bool prefix; /* at the start of the last path part only */
};

/*
 * First match wins. Sources of the names: op types in the samples, doc/formats/analysed.md#kernel_details,
 * #layers.
 */
/* clang-format off */
static const struct pattern type_patterns[] = {
    { "hcom_",          OC_COMM,  false }, { "allreduce",     OC_COMM,  false },
    { "allgather",   OC_COMM,  false }, { "reducescatter", OC_COMM, false },
    { "alltoall",       OC_COMM,  false }, { "broadcast_",    OC_COMM,  true  },
    { "send-op",     OC_COMM,  false }, { "receive-op",    OC_COMM, false },
    { "communication",  OC_COMM,  true  }, { "notify",        OC_COMM,  true  },
    { "rdma",        OC_COMM,  true  }, { "reduce inline", OC_COMM, true },
    { "free time",      OC_IDLE,  true  }, { "free_time",     OC_IDLE,  true  },
    { "transdata",      OC_COPY,  false }, { "memcpy",        OC_COPY,  false },
    { "tensormove",  OC_COPY,  false }, { "transpose",     OC_COPY, false },
    { "memset",         OC_COPY,  false }, { "asstrided",     OC_COPY,  false },
    { "copy",        OC_COPY,  true  }, { "identity",      OC_COPY, true },
    { "getnext",        OC_AICPU, false }, { "initdata",      OC_AICPU, false },
    { "matmul",         OC_CUBE,  false }, { "conv2d",        OC_CUBE,  false },
    { "conv3d",      OC_CUBE,  false }, { "depthwiseconv", OC_CUBE, false },
    { "gemm",           OC_CUBE,  false }, { "flashattention", OC_MIX,  false },
    { "attention",   OC_MIX,   false }, { "fullyconnection", OC_CUBE, false },
    { "computation_op", OC_CUBE,  true  }, { "computing",     OC_CUBE,  true  },
};
static const struct pattern core_patterns[] = {
    { "hccl",           OC_COMM,   true }, { "communication", OC_COMM,  true },
    { "ai_cpu",      OC_AICPU, true }, { "aicpu",         OC_AICPU, true },
    { "mix",            OC_MIX,    true }, { "ai_vector_core", OC_VECTOR, true },
    { "aiv",       OC_VECTOR, true }, { "aic",           OC_CUBE,   true },
    { "host",         OC_HOST,  true },
    { "cpu",            OC_HOST,   true }, { "sdma",          OC_COPY,  true },
    { "memcpy",      OC_COPY,  false },
};
static const struct pattern layer_patterns[] = {
    { "hccl",           OC_COMM,   true }, { "communication", OC_COMM,  true },
    { "python",      OC_HOST, true }, { "mindspore",      OC_HOST, true },
    { "cann",           OC_HOST,   true }, { "cpu op",        OC_HOST,  true },
    { "hostcpu",     OC_HOST, true }, { "os runtime",     OC_HOST, true },
    { "scope layer",    OC_HOST,   true }, { "ai cpu",        OC_AICPU, true },
    { "aicpu",       OC_AICPU, true },
};
/* clang-format on */

static enum op_class find(const struct pattern *p, size_t n, struct str s)
{
    size_t slash = str_rchr(s, '/');
    struct str last = slash == SIZE_MAX ? s : str_sub(s, slash + 1, s.n);

    for (size_t i = 0; i < n; i++) {
        size_t at = str_find_nocase(last, str_of(p[i].text));
        if (at == SIZE_MAX || (p[i].prefix && at != 0))
            continue;
        return p[i].cls;
    }
    return OC_NONE;
}

enum op_class op_class_of(struct str core, struct str type)
{
    enum op_class by_core = core.p ? find(core_patterns, ARRAY_LEN(core_patterns), core) : OC_NONE;

    if (by_core != OC_NONE)
        return by_core;
    /* AI_CORE does not say which of its units: that of one core does both */
    enum op_class by_type = type.p ? find(type_patterns, ARRAY_LEN(type_patterns), type) : OC_NONE;
    return by_type != OC_NONE ? by_type : OC_VECTOR;
}

enum op_class op_class_of_track(struct str track_kind, struct str process)
{
    if (str_eq(track_kind, STR("host_thread")) || str_eq(track_kind, STR("scope")))
        return OC_HOST;
    if (str_eq(track_kind, STR("aicpu")))
        return OC_AICPU;
    if (str_eq(track_kind, STR("plane")))
        return OC_COMM;
    return process.p ? find(layer_patterns, ARRAY_LEN(layer_patterns), process) : OC_NONE;
}

enum op_class op_class_of_event(struct str track_kind, struct str process, struct str name)
{
    enum op_class by_track = op_class_of_track(track_kind, process);

    if (by_track != OC_NONE)
        return by_track;
    if (str_eq(track_kind, STR("overlap")) && str_eq(name, STR("Free")))
        return OC_IDLE;
    return op_class_of(STR_NULL, name);
}
