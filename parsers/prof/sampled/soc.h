/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device's chip samples of itself (doc/formats/prof.md#stars_soc_profile, #lpmfreqconv,
 * #binary-samples): QoS, links between its dies and to others, accelerators, levels of bandwidth, voltages,
 * counters of tasks.
 *
 * Records are passed on as those of sampled.h. Stamps are counters of the device (prof_device_ns()).
 */
#ifndef NPUSCOPE_PARSERS_PROF_SAMPLED_SOC_H
#define NPUSCOPE_PARSERS_PROF_SAMPLED_SOC_H

#include "parsers/prof/prof.h"
#include "parsers/prof/prof_layout.h"

/* ---- stars_soc_profile, qos ---- */

enum prof_soc_kind { /* the function of a record */
                     PROF_SOC_QOS = 0x18,
                     PROF_SOC_SIO,
                     PROF_SOC_ACC,
                     PROF_SOC_LINK,
                     PROF_SOC_LEVEL,
                     PROF_SOC_POWER
};

/* Indexes in v[] of a record. */
enum { PROF_ACC_READ_BW, PROF_ACC_WRITE_BW, PROF_ACC_READ_OST, PROF_ACC_WRITE_OST, N_PROF_ACC };
enum { PROF_LINK_WRITE, PROF_LINK_READ, N_PROF_LINK }; /* PA link: received, sent */
enum { PROF_LEVEL_L2_BUFFER, PROF_LEVEL_MATA, N_PROF_LEVEL };
#define PROF_POWER_FREQ 10 /* what the software sets for the AI cores, MHz */

#define PROF_LINK_PA     63 /* type of a link */
#define PROF_LINK_PCIE   34
#define PROF_SOC_NO_DIE  UINT32_MAX
#define PROF_SOC_NO_RATE UINT64_MAX /* as a value of a link: nothing was measured */

struct prof_soc {
    enum prof_soc_kind kind;
    uint32_t type;    /* of a link; chips 15 and 16: PROF_LINK_PCIE */
    uint32_t id;      /* die (PROF_SOC_NO_DIE: unknown), accelerator, or number of the link */
    uint64_t counter; /* of the device */
    uint64_t v[POWER_VALUES];
    unsigned n; /* values */
};
typedef int prof_soc_fn(void *arg, const struct prof_soc *s, struct err *e);
/*
 * tag: PROF_STARS_PROFILE, PROF_QOS. Records of no known function are left out with a note; samples of SIO
 * whose counters went back are noted, too.
 */
NODISCARD int prof_soc_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_soc_fn *fn,
                            void *arg, struct err *e);

/*
 * Name of the i-th value of a QoS record, as the collection was asked for it ("qosEvents"); p NULL: it has
 * none.
 */
struct str prof_qos_event(const struct prof_folder *f, unsigned i);
/* Name of a die in records of SIO: "die 0"; NULL: not known. */
const char *prof_sio_die(const struct prof *p, uint32_t id);
/* "req_rx": the i-th of SIO_VALUES. */
const char *prof_sio_word(unsigned i);

/* Bytes of SIO since the previous sample of the same id. */
#define PROF_SIO_IDS 64
struct prof_sio {
    uint64_t before[PROF_SIO_IDS];
    uint64_t known;  /* a bit for each id */
    uint64_t n_back; /* samples whose counter went back */
};
/*
 * Take a sample of SIO. false: no time passed since the previous one, its counter went back (later ones count
 * from there), or its id is out of range.
 */
bool prof_sio_next(struct prof_sio *x, const struct prof_soc *s, uint64_t *before);

/* ---- lpmInfoConv ---- */

struct prof_voltage {
    uint64_t counter;
    uint32_t mv;
    bool bus; /* else of the AI cores */
};
/*
 * Changes, those of the AI cores first, by counter; what was set before the device's clock was read has that
 * clock's counter (doc/formats/prof.md#lpmfreqconv). *out: the caller frees it; NULL without any. Errors:
 * ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_voltages(struct prof *p, const struct prof_folder *f, struct prof_voltage **out, size_t *n,
                            struct err *e);

/* ---- socpmu ---- */

enum prof_soc_pmu_kind { PROF_PMU_L2 = 1, PROF_PMU_SMMU = 2, PROF_PMU_PAGE_FAULT = 4 };
struct prof_soc_pmu {
    unsigned data; /* of enum prof_soc_pmu_kind, or unknown */
    uint16_t kind, stream;
    uint32_t task; /* as recorded */
    uint64_t event[8];
};
typedef int prof_soc_pmu_fn(void *arg, const struct prof_soc_pmu *s, struct err *e);
NODISCARD int prof_soc_pmu_read(struct prof *p, const struct prof_folder *f, prof_soc_pmu_fn *fn, void *arg,
                                struct err *e);

#endif
