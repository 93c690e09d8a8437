/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/logs/log_field.h"

static const char *const words[N_LOG_FIELDS] = {
#define X(id, word) word,
    LOG_FIELDS(X)
#undef X
};

const char *log_field_word(enum log_field f)
{
    return words[f];
}

/* In order of preference; a value ends at one of `stop`, or at the end of the text. */
static const struct rule {
    enum log_field field;
    const char *before, *stop;
} rules[] = {
    { LOG_F_RANK, "rankId[", "]" },
    { LOG_F_RANK, "userRank[", "]" },
    { LOG_F_RANK, " rank[", "]" },
    { LOG_F_RANK, "RankID:", ")" },
    { LOG_F_RANK, "localRank:", ", " },
    { LOG_F_RANK, "  rank      : ", " \r\n" },
    { LOG_F_RANK, "The node: ", " " },
    { LOG_F_RANKS, "rankNum[", "]" },
    { LOG_F_RANKS, "nRanks[", "]" },
    { LOG_F_RANKS, "totalRanks[", "]" },
    { LOG_F_RANKS, "rankSize[", "]" },
    { LOG_F_RANKS, ":ranks[", "]" },
    { LOG_F_RANKS, "need connect rankNum is [", "]" },
    { LOG_F_RANKS, "world size ", ", " },
    { LOG_F_GROUP, "identifier[", "]" },
    { LOG_F_GROUP, "is group:[", "]" },
    { LOG_F_GROUP, ", group:", ", " },
    { LOG_F_GROUP, ", group=", "," },
    { LOG_F_DEVICE, "logicDevId[", "]" },
    { LOG_F_DEVICE, "deviceLogicId[", "]" },
    { LOG_F_DEVICE, "local logicDevid:", ", " },
    { LOG_F_DEVICE, "deviceId[", "]" },
    { LOG_F_DEVICE, "device_id=", ",! ." },
    { LOG_F_DEVICE, "chipId:", ", " },
    { LOG_F_DEVICE, "device_id-", " " },
    { LOG_F_DEVICE, "(device=", ";" },
    { LOG_F_DEVICE, "(NPU ", ";" },
    { LOG_F_DEVICE, "Node ID=", ";" },
    { LOG_F_DEVICE, "devId:", ", " },
    { LOG_F_DEVICE, "Device:", ", " },
    { LOG_F_DEVICE, "device[", "]" },
    { LOG_F_DEVICE, "hccn_tool -i ", " " },
    { LOG_F_PHY, "phydevId[", "]" },
    { LOG_F_PHY, "devicePhyId[", "]" },
    { LOG_F_PHY, "devPhyId[", "]" },
    { LOG_F_SERVER, "server[", "%]" },
    { LOG_F_SERVER, "serverId[", "]" },
    { LOG_F_DEVICE_IP, "deviceIp[", "]" },
    { LOG_F_DEVICE_IP, "ipaddr:", " \r" },
    { LOG_F_STREAM, "streamID:[", "]" },
    { LOG_F_STREAM, "streamId :", " " },
    { LOG_F_STREAM, "streamId:", ", " },
    { LOG_F_STREAM, "stream_id=", ", ." },
    { LOG_F_STREAM, "stream_id:", ", ." },
    { LOG_F_TASK, "taskID[", "]" },
    { LOG_F_TASK, "taskId :", " " },
    { LOG_F_TASK, "taskId:", ", " },
    { LOG_F_TASK, "task_id=", ", ." },
    { LOG_F_TASK, "task_id:", ", ." },
    { LOG_F_FLIP, "flip_num=", ", " },
    { LOG_F_TAG, "tag[", "]" },
    { LOG_F_TAG, "tag [", "]" },
    { LOG_F_TAG, "tag:", ", " },
    { LOG_F_INDEX, "index[", "]" },
    { LOG_F_INDEX, "opIndex:", ", " },
    { LOG_F_SEQ, "SeqNum=", ", " },
    { LOG_F_OP, "OpType=", ", " },
    { LOG_F_OP, "opName[", "]" },
    { LOG_F_KERNEL, "fault kernel_name=", ", " },
    { LOG_F_REMOTE_RANK, "remote rank:[", "]" },
    { LOG_F_REMOTE_RANK, "remote rank [", "]" },
    { LOG_F_REMOTE_RANK, "remote rank[", "]" },
    { LOG_F_REMOTE_RANK, "remoteRank:", ", " },
    { LOG_F_REMOTE_PHY, "remote physic id:", ". " },
    { LOG_F_REMOTE_IP, "remoteIP{server[", "]" },
    { LOG_F_REMOTE_IP, "remoteIP:[", "]" },
    { LOG_F_REMOTE_IP, "remoteIpAddr[", "]" },
    { LOG_F_REMOTE_IP, ", ip:[", "]" },
    { LOG_F_PLACE, "Location[IP/ID]:[", "]" },
    { LOG_F_PLACE, "crimer rank [", "]" },
    { LOG_F_ISSUED, "timeStamp:[", "]" },
    { LOG_F_TIMEOUT, " set by default to [", "]" },
    { LOG_F_TIMEOUT, " set by environment to [", "]" },
    { LOG_F_TIMEOUT, " to [", "]" },
    { LOG_F_TIMEOUT, "timeout[", " ]" },
    { LOG_F_TIMEOUT, "timeout=", "s. " },
    { LOG_F_CODE, "runtime result = ", ". ,;)" },
    { LOG_F_CODE, "error code is ", ". ,;)\r" },
    { LOG_F_CODE, "retCode=", ", ." },
    { LOG_F_CODE, "ErrCode=", ", " },
    { LOG_F_RESULT, "hcclRet -> ", " ,.;\r" },
    { LOG_F_RESULT, "errNo[", "]" },
    { LOG_F_RESULT, ", ret[", "]" },
    { LOG_F_RESULT, ", ret:", " ,.;\r" },
    { LOG_F_ERR_TYPE, "errType=", "( ," },
    { LOG_F_ERR_TYPE, "errorType :", " " },
    { LOG_F_LOCAL, "local[", "]" },
    { LOG_F_LOCAL, "local [", "]" },
    { LOG_F_REMOTE, "remote[", "]" },
    { LOG_F_REMOTE, "remote [", "]" },
    { LOG_F_PARAMETER, "parameter[", "]" },
    { LOG_F_PARAMETER, "parameter [", "]" },
    { LOG_F_TYPE, "ExceptionType:[", "]" },
    { LOG_F_TYPE, "status[", "]" },
    { LOG_F_PID, "Killed process ", " (" },
    { LOG_F_PID, "Kill process ", " (" },
    { LOG_F_PID, "Worker process ", " " },
    { LOG_F_PID, "(pid: ", ")" },
    { LOG_F_PID, "received by PID ", " " },
    { LOG_F_PID, "Sending process ", " " },
    { LOG_F_PID, " pid ", ", " },
    { LOG_F_AGENTS, "Failed to connect agent[", "]" },
    { LOG_F_AGENTS, "connected rankinfo[LINE", ";" },
};

static bool is_word_before(struct str s, size_t at, const char *before)
{
    return at && str_is_word(s.p[at - 1]) && str_is_word(*before);
}

struct str log_field(struct str text, enum log_field f)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *r = &rules[i];
        size_t n = strlen(r->before), at = 0;
        if (r->field != f)
            continue;
        while ((at = str_find(text, (struct str){ r->before, n }, at)) != SIZE_MAX) {
            size_t from = at + n, to = from;
            if (!is_word_before(text, at, r->before)) {
                while (to < text.n && !strchr(r->stop, text.p[to]))
                    to++;
                return str_sub(text, from, to - from);
            }
            at = from;
        }
    }
    return STR_NULL;
}

bool log_field_i64(struct str text, enum log_field f, int64_t *out)
{
    struct str v = log_field(text, f);
    int64_t n = 0;

    if (!v.p || !v.n)
        return false;
    if (v.n < 3 || v.p[0] != '0' || v.p[1] != 'x')
        return str_i64(v, out);
    for (size_t i = 2; i < v.n; i++) {
        char c = v.p[i];
        int d = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
        if (d < 0 || n >> 58)
            return false;
        n = n << 4 | d;
    }
    *out = n;
    return true;
}

int log_field_int(struct str text, enum log_field f)
{
    int64_t v;
    return log_field_i64(text, f, &v) && v >= 0 && v < LOG_FIELD_INT_MAX ? (int)v : -1;
}
