/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampled data of a PROF folder's device (doc/formats/prof.md#binary-samples, #text-samples,
 * doc/formats/msprof.md#small-tables): accesses to memory and caches, links, network.
 *
 * Records are passed on as they are read: one is valid during the call, not OK of fn ends the reading with
 * that error. Derivations are pure but for the clock that the caller gives: the exact one, or msprof's.
 */
#ifndef NPUSCOPE_PARSERS_PROF_SAMPLED_SAMPLED_H
#define NPUSCOPE_PARSERS_PROF_SAMPLED_SAMPLED_H

#include "parsers/prof/prof.h"

/* Wall clock ns of a sample's time: us since the device was started. */
typedef int64_t prof_sample_clock(const void *arg, uint64_t us);

/* ---- records ---- */

/* A count of hbm, ddr or llc. */
struct prof_sample {
    uint64_t us; /* since the device was started */
    uint64_t count;
    uint32_t event;  /* hbm, ddr: 0 read, else write; llc: what was counted */
    uint32_t id;     /* of the memory or cache */
    uint32_t master; /* ddr: whose accesses, PROF_NONE: all; else PROF_NONE */
};
typedef int prof_sample_fn(void *arg, const struct prof_sample *s, struct err *e);
/* tag: PROF_HBM, PROF_DDR, PROF_LLC. */
NODISCARD int prof_sample_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag,
                               prof_sample_fn *fn, void *arg, struct err *e);

enum prof_pcie_kind {
    PROF_TX_POST,
    PROF_TX_NONPOST,
    PROF_TX_CPL,
    PROF_TX_LATENCY,
    PROF_RX_POST,
    PROF_RX_NONPOST,
    PROF_RX_CPL,
    N_PROF_PCIE
};
#define PROF_PCIE_NO_MIN 0xfffff /* as min: nothing was measured */
struct prof_pcie {
    uint64_t ns; /* device's monotonic clock */
    uint32_t device;
    struct {
        uint32_t min, max, avg;
    } v[N_PROF_PCIE];
};
typedef int prof_pcie_fn(void *arg, const struct prof_pcie *s, struct err *e);
NODISCARD int prof_pcie_read(struct prof *p, const struct prof_folder *f, prof_pcie_fn *fn, void *arg,
                             struct err *e);

struct prof_l2_cache {
    uint16_t kind, stream, task; /* as recorded */
    uint64_t event[8];
};
typedef int prof_l2_cache_fn(void *arg, const struct prof_l2_cache *s, struct err *e);
NODISCARD int prof_l2_cache_read(struct prof *p, const struct prof_folder *f, prof_l2_cache_fn *fn, void *arg,
                                 struct err *e);

/* A UB port (chips 15 and 16). */
enum prof_ub_value {
    PROF_UB_RX, /* MB/s */
    PROF_UB_TX,
    PROF_UB_RX_RATE, /* packets/s */
    PROF_UB_TX_RATE,
    PROF_UB_RX_ERRORS, /* packets */
    PROF_UB_TX_ERRORS,
    PROF_UB_RX_DROPPED,
    PROF_UB_TX_DROPPED,
    N_PROF_UB
};
struct prof_ub {
    uint64_t us; /* since the device was started */
    uint16_t port;
    uint64_t v[N_PROF_UB];
};
typedef int prof_ub_fn(void *arg, const struct prof_ub *s, struct err *e);
NODISCARD int prof_ub_read(struct prof *p, const struct prof_folder *f, prof_ub_fn *fn, void *arg,
                           struct err *e);

/* A line of nic or roce; counts since the start but for the rates. */
enum prof_net_value {
    PROF_NET_BANDWIDTH, /* MB/s */
    PROF_NET_RX_PACKET_RATE,
    PROF_NET_RX_BYTE_RATE,
    PROF_NET_RX_PACKETS,
    PROF_NET_RX_BYTES,
    PROF_NET_RX_ERRORS,
    PROF_NET_RX_DROPPED,
    PROF_NET_TX_PACKET_RATE,
    PROF_NET_TX_BYTE_RATE,
    PROF_NET_TX_PACKETS,
    PROF_NET_TX_BYTES,
    PROF_NET_TX_ERRORS,
    PROF_NET_TX_DROPPED,
    PROF_NET_FUNC, /* id of the port */
    N_PROF_NET
};
struct prof_net {
    uint64_t ns; /* device's monotonic clock */
    uint64_t v[N_PROF_NET];
};
typedef int prof_net_fn(void *arg, const struct prof_net *s, struct err *e);
/* tag: PROF_NIC, PROF_ROCE. Lines that cannot be read become a note. */
NODISCARD int prof_net_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_net_fn *fn,
                            void *arg, struct err *e);

/* ---- bandwidth of hbm ---- */

struct prof_hbm_point {
    int64_t ns;
    uint32_t id;
    bool write;
    uint64_t count;
    double mbs; /* MB/s since the previous sample */
};
/*
 * The points by (time, reads first, id); of equal ones the last counts (doc/formats/msprof.md#small-tables).
 * *out: the caller frees it; NULL without samples. Errors: those of prof_sample_read().
 */
NODISCARD int prof_hbm_points(struct prof *p, const struct prof_folder *f, prof_sample_clock *clock,
                              const void *arg, struct prof_hbm_point **out, size_t *n, struct err *e);

/* ---- bandwidth of ddr ---- */

struct prof_ddr_point {
    uint64_t us;     /* since the device was started */
    uint32_t master; /* whose, PROF_NONE: all; they are none of the rest */
    double mbs[2];   /* read, write: MB/s since the previous sample, the first since the start */
    double mbs_thousandth
        [2]; /* what msprof has instead (upstream, analysis/msmodel/hardware/ddr_model.py: ns taken for us) */
};
/*
 * The points of all controllers together, those of all masters first, by time. *out: the caller frees it;
 * NULL without samples. Errors: those of prof_sample_read().
 */
NODISCARD int prof_ddr_points(struct prof *p, const struct prof_folder *f, struct prof_ddr_point **out,
                              size_t *n, struct err *e);

/* ---- last level cache ---- */

struct prof_llc_point {
    int64_t ns;
    uint32_t id;
    int64_t hit_e3; /* thousandths of the hit rate, which is a fraction */
    int64_t mbs_e3; /* of MB/s since the previous sample; the first of an id: 0 */
    /* what msprof has instead: 64 times as much (doc/formats/prof-quirks.md#output-quirks) */
    int64_t mbs64_e3;
};
/*
 * The points by (id, time). *out: the caller frees it. Errors: as above. Nothing when the mode of the
 * collection is neither read nor write.
 */
NODISCARD int prof_llc_points(struct prof *p, const struct prof_folder *f, prof_sample_clock *clock,
                              const void *arg, struct prof_llc_point **out, size_t *n, struct err *e);

/* ---- hccs ---- */

/* Thousandths of MB/s, half to even: bytes / 2^20 in dt / 10^9 s. */
int64_t prof_hccs_rate(uint64_t bytes, uint64_t dt);
struct prof_hccs_point {
    uint64_t ns;          /* device's monotonic clock, end of what was measured */
    int64_t tx_e3, rx_e3; /* thousandths of MB/s */
};
/*
 * Rates between samples in order of time; those with a counter that decreases are left out. lose_last: as
 * msprof has them (doc/formats/msprof.md#hccs), without the last when there are more. *out: the caller frees
 * it. Errors: ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int prof_hccs_points(struct prof *p, const struct prof_folder *f, bool lose_last,
                               struct prof_hccs_point **out, size_t *n, struct err *e);

#endif
