/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of the AI cores (doc/formats/prof.md#aicore, #ffts_profile,
 * doc/formats/msprof.md#ai-core-metrics): which records belong to which device task, and what they hold.
 *
 * A task has the record of its own core; a kernel that runs on cube and vector cores at once has in addition
 * the sums of the other core's block records. Kept in 56 bytes each as long as the numbers fit into 32 bits.
 * metrics.h says what the numbers mean.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_PMU_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_PMU_H

#include "parsers/prof/device/device.h"

#define PROF_COUNTERS 8 /* of a record; V6: PROF_EVENTS */

enum prof_core { PROF_CUBE, PROF_VECTOR, N_PROF_CORES };

enum prof_pmu_kind { PROF_PMU_AIC, PROF_PMU_AIV, PROF_PMU_MIX_AIC, PROF_PMU_MIX_AIV };

struct prof_counts {
    enum prof_pmu_kind kind;
    enum prof_core main; /* the core that the task's own record is of */
    bool overflow;       /* its cycles are not valid */
    bool has_own;        /* the task's own record was read, not only those of blocks of the other core */
    uint32_t blocks;     /* records of blocks of the other core */
    /*
     * device counter when the task's own record was made; its start where the record has no time
     * (doc/formats/prof.md#aicore)
     */
    uint64_t end;
    /* By core; a core without records has zeros. */
    bool has[N_PROF_CORES];
    uint64_t cycles[N_PROF_CORES];
    uint64_t v[N_PROF_CORES][PROF_EVENTS];
    /* V6: the records say how long each core ran (device counts); else its cycles do. */
    bool has_span;
    uint64_t span[N_PROF_CORES];
};

struct prof_pmu;

/*
 * Read a device's counters and give its tasks the index of theirs (struct prof_task, counter). h may be all
 * zero; without an op the block records of a task are not limited. Records of no task, or of a task that
 * already has its own, are counted in a note. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED. Makes no texts.
 */
NODISCARD int prof_pmu_read(struct prof_pmu **out, struct prof *p, struct prof_device *d,
                            const struct prof_host *h, struct err *e);
void prof_pmu_free(struct prof_pmu *m);
/* Whether records of blocks of the other core were collected. */
bool prof_pmu_has_blocks(const struct prof_pmu *m);
/* Tasks that have counters. */
size_t prof_pmu_n(const struct prof_pmu *m);
/*
 * The counters of a task; false: it has none. dialect: as that half of msprof reads them (in Python an
 * overflow is no record, but on V6, and ffts type 5 is a mix kernel of cube cores, where the C++ half sees a
 * vector kernel). Where cores have no columns of their own all is of the cube core.
 */
bool prof_pmu_get(const struct prof_pmu *m, const struct prof_task *t, enum dialect dialect,
                  struct prof_counts *out);
/* Kind of a record by its ffts type and sub-task type (doc/formats/prof.md#ffts_profile). */
enum prof_pmu_kind prof_pmu_kind(unsigned ffts, unsigned sub_kind, enum dialect dialect);

#endif
