/* SPDX-License-Identifier: Apache-2.0 */
/* Words for generations, panes and file states. */
#include "config.h"

#include "run/kind.h"

static const struct {
    const char *id, *title;
} gens[N_GENS] = {
    [GEN_UNKNOWN] = { "?", "unknown" },
    [GEN_1] = { "1", "MindSpore (flat files)" },
    [GEN_1B] = { "1b", "MindSpore (flat files made from msprof exports)" },
    [GEN_2] = { "2", "MindSpore (ascend_ms)" },
    [GEN_P] = { "P", "torch_npu (ascend_pt)" },
    [GEN_M] = { "M", "msprof" },
    [GEN_C] = { "C", "cluster analysis" },
};

const char *gen_title(enum gen g)
{
    return (size_t)g < N_GENS ? gens[g].title : "?";
}

const char *gen_id(enum gen g)
{
    return (size_t)g < N_GENS ? gens[g].id : "?";
}

const char *pane_word(enum pane_id p)
{
    static const char *const words[N_PANES] = {
        [PANE_TRIAGE] = "triage", [PANE_FILES] = "files", [PANE_OPS] = "ops",    [PANE_STEPS] = "steps",
        [PANE_TIME] = "timeline", [PANE_FLOPS] = "flops", [PANE_MEM] = "memory", [PANE_DATA] = "data",
        [PANE_COMM] = "comm",     [PANE_HOST] = "host",   [PANE_LOG] = "logs",   [PANE_SQL] = "sql",
    };
    return (size_t)p < N_PANES ? words[p] : "?";
}

static const char *const state_words[] = {
    [FS_UNREAD] = "UNREAD", [FS_OK] = "ok",         [FS_TORN] = "TORN", [FS_EMPTY] = "EMPTY",
    [FS_BAD] = "BAD",       [FS_ABSENT] = "ABSENT", [FS_OFF] = "OFF",   [FS_NEWER] = "NEWER",
    [FS_LIMIT] = "LIMIT",   [FS_LISTED] = "listed",
};

const char *file_state_word(enum file_state s)
{
    return (size_t)s < ARRAY_LEN(state_words) ? state_words[s] : "?";
}

bool file_state_from_word(struct str s, enum file_state *out)
{
    for (size_t i = 0; i < ARRAY_LEN(state_words); i++) {
        if (str_eq(s, str_of(state_words[i]))) {
            *out = (enum file_state)i;
            return true;
        }
    }
    return false;
}
