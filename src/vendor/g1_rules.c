/* The versions whose files can be written. */
#include "config.h"

#include "vendor/g1_rules.h"

#include <string.h>

/* A word stands for the releases up to the next one that changed something: r1.0 also for 1.1 and 1.2, r1.3 for 1.4, r1.6 for 1.7, r1.8 for 1.9;
 * r2.0 is 2.0.0a0. */
static const struct g1_rules rules[] = {
    { .word = "r0.6",
      .short_key = true,
      .aicpu_lost_first = true,
      .always_trains = true,
      .waits_for_job = true,
      .comm_name = COMM_BY_TYPE },
    { .word = "r1.0", .short_key = true, .waits_for_job = true, .comm_name = COMM_BY_TYPE },
    { .word = "r1.3",
      .md_summary = true,
      .short_key = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .slice_begins = true,
      .slice_clears = true,
      .comm_name = COMM_BY_NAME },
    { .word = "r1.5",
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .short_key = true,
      .by_rank = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .slice_begins = true,
      .comm_name = COMM_BY_NAME,
      .comm_pair = PAIR_FIRST_EVEN },
    { .word = "r1.6",
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .short_key = true,
      .by_rank = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK,
      .comm_pair = PAIR_FIRST_EVEN },
    { .word = "r1.8",
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .by_rank = true,
      .point_numbered = true,
      .wraps_dyn = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK,
      .comm_pair = PAIR_SAME_OP,
      .more_columns = true },
    { .word = "r1.10",
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .by_rank = true,
      .point_numbered = true,
      .wraps_dyn = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK,
      .comm_pair = PAIR_SAME_OP,
      .more_columns = true,
      .mean_of_all = true },
    { .word = "r2.0",
      .md_summary = true,
      .md_push_time = true,
      .md_last_bottleneck = true,
      .md_empty_queue = true,
      .by_rank = true,
      .point_numbered = true,
      .types_r13 = true,
      .aicpu_execution = true,
      .comm_name = COMM_BY_TASK,
      .comm_pair = PAIR_SAME_OP,
      .more_columns = true,
      .mean_of_all = true,
      .graph_id = true,
      .wraps_big = true },
};

const struct g1_rules *g1_rules_at(size_t i)
{
    return i < ARRAY_LEN(rules) ? &rules[i] : NULL;
}

const char *g1_rules_word(const struct g1_rules *r)
{
    return r->word;
}

const struct g1_rules *g1_rules_find(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (strcmp(rules[i].word, word) == 0)
            return &rules[i];
    return NULL;
}
