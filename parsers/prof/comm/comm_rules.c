/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a communication task counts for: the window, its length, names of groups, and where a batch of RDMA
 * tasks closes.
 */
#include "config.h"

#include "parsers/prof/comm/comm.h"
#include "parsers/prof/comm/kfc_comm.h"
#include "parsers/prof/words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_window(const struct prof_how *how, uint64_t end)
{
    return how->from == 0 || end > how->from ? end <= how->to : false;
}

bool prof_keeps_task(const struct prof_how *how, const struct prof_folder *f, uint64_t start, uint64_t end)
{
    int64_t begin = prof_begin_ns(f), from = prof_device_ns(f, start), to = prof_device_ns(f, end);

    if (!in_window(how, end))
        return false;
    return how->dialect == DIALECT_PYTHON ? from > begin || (from < begin && to > begin) : to >= begin;
}

bool prof_keeps_comm(const struct prof_how *how, const struct prof_folder *f, uint64_t start, uint64_t end)
{
    return in_window(how, end) && prof_device_ns(f, start) >= prof_begin_ns(f);
}

double prof_span_ns(const struct prof_how *how, const struct prof_folder *f, uint64_t from, uint64_t to)
{
    if (how->dialect == DIALECT_PYTHON && how->ns)
        return how->ns(how->clock, to) - how->ns(how->clock, from);
    return (double)((__int128)prof_device_ns(f, to) - prof_device_ns(f, from));
}

uint32_t prof_group_digits(struct prof *p, uint64_t hash)
{
    char t[24];
    int n = snprintf(t, sizeof t, "%llu", (unsigned long long)hash);

    return prof_text(p, (struct str){ t, (size_t)n });
}

static bool is_in(struct str word, struct str s)
{
    return str_find_nocase(s, word) != SIZE_MAX;
}

size_t prof_rdma_closes(struct str op)
{
    return is_in(STR("send"), op) || is_in(STR("receive"), op) ? 3 : 5;
}
