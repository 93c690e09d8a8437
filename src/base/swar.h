/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching eight bytes at a time in plain C (doc/performance.md#trace-scanner: on short strings as fast as
 * vector code, and portable).
 *
 * A mask has the top bit set in each byte that matches, the first byte of memory lowest;
 * swar_first() gives its index. All masks are exact: no false hits above a true one.
 */
#ifndef NPUSCOPE_SWAR_H
#define NPUSCOPE_SWAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SWAR_LOW  ((uint64_t)0x0101010101010101)
#define SWAR_HIGH ((uint64_t)0x8080808080808080)

/* Eight bytes, the first of them lowest whatever the machine's order. */
static inline uint64_t swar_load(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline uint64_t swar_repeat(char c)
{
    return SWAR_LOW * (unsigned char)c;
}

/* Bytes of v equal to those of pattern (swar_repeat). */
static inline uint64_t swar_eq(uint64_t v, uint64_t pattern)
{
    uint64_t x = v ^ pattern;
    return ~(((x & ~SWAR_HIGH) + ~SWAR_HIGH) | x) & SWAR_HIGH;
}

/* Bytes of v below limit; 1 <= limit <= 128. */
static inline uint64_t swar_below(uint64_t v, unsigned limit)
{
    return ~(((v & ~SWAR_HIGH) + SWAR_LOW * (128 - limit)) | v) & SWAR_HIGH;
}

/* As swar_eq and swar_below, cheaper: bytes above the first true hit may be false hits. Enough
 * where only swar_first() follows. */
static inline uint64_t swar_eq1(uint64_t v, uint64_t pattern)
{
    uint64_t x = v ^ pattern;
    return (x - SWAR_LOW) & ~x & SWAR_HIGH;
}

static inline uint64_t swar_below1(uint64_t v, unsigned limit)
{
    return (v - SWAR_LOW * limit) & ~v & SWAR_HIGH;
}

/* All eight bytes are decimal digits. */
static inline bool swar_is_digits(uint64_t v)
{
    return (v & (v + SWAR_LOW * 6) & (SWAR_LOW * 0xF0)) == SWAR_LOW * 0x30;
}

/* Value of eight digits, the first one counting most; pairwise. */
static inline uint64_t swar_number(uint64_t v)
{
    v = (v & SWAR_LOW * 0x0F) * 2561 >> 8;
    v = (v & 0x00FF00FF00FF00FF) * 6553601 >> 16;
    return (v & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

/* The n bytes at p (1 to 8; eight can be read) as the last ones of eight, after zero digits. */
static inline uint64_t swar_right(const char *p, size_t n)
{
    uint64_t v = swar_load(p) << (64 - 8 * n);
    return n == 8 ? v : v | (SWAR_LOW * '0') >> (8 * n);
}

/* Index of the first matching byte; mask != 0. */
static inline unsigned swar_first(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask) >> 3;
}

#endif
