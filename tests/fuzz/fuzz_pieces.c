/* SPDX-License-Identifier: Apache-2.0 */
/* A PROF folder of pieces. */
#include "config.h"

#include "tests/fuzz/fuzz_pieces.h"

#include <stdio.h>

#include "tests/fuzz/fuzz_folder.h"
#include "tests/lib/prof_families.h"

#define OF_TEXT    128
#define FILE_MAX_B ((size_t)256 << 10)
#define INPUT_HEAD 2 /* bytes before the pieces */
#define PIECE      4 /* and before those of a piece */

static const int chips[] = { 5, 0, 1, 4, 7, 8, 9, 11, 15, 16, 2, 99 };

/* Text that has NULs, or records of no fixed size: nothing by itself. */
static const struct info_file loose[] = {
    { "device_0/data/DATA_PREPROCESS.AICPUMI.0.slice_0", "" },
    { "device_0/data/DATA_PREPROCESS.dev.DP.0.slice_0", "" },
    { "host/data/unaging.variable.capture_op_info.slice_0", "" },
    { "host/info.json", "" },
    { "device_0/info.json.0", "" },
};
#define N_FAMILIES   ARRAY_LEN(families)
#define N_INFO_FILES ARRAY_LEN(info_files)
#define N_LOOSE      ARRAY_LEN(loose)
#define N_TEXTS      (N_INFO_FILES + N_LOOSE)

/* Records of another size on some chips and collections. */
static const struct other {
    const char *part; /* of the name */
    uint8_t how;      /* FUZZ_... */
    bool v6;
    uint16_t record_b;
} others[] = {
    { "stars_soc.data", 0, true, STARS6_B },
    { "hbm.data", FUZZ_SECOND, false, HBM_RECORD2_B },
    { "aicore.data", FUZZ_SAMPLED, true, CORE_SAMPLE6_B },
    { "aicore.data", FUZZ_SAMPLED, false, CORE_SAMPLE_B },
    { "aiVectorCore.data", FUZZ_SAMPLED, true, CORE_SAMPLE6_B },
    { "aiVectorCore.data", FUZZ_SAMPLED, false, CORE_SAMPLE_B },
    { "ffts_profile.data", FUZZ_SAMPLED, true, CORE_SAMPLE6_B },
    { "ffts_profile.data", FUZZ_SAMPLED, false, CORE_SAMPLE_B },
};

struct input {
    int chip;
    uint8_t how;
    const uint8_t *p, *end; /* pieces */
    const char *path;       /* of the PROF folder */
    struct source_file file[FUZZ_PIECES];
    const struct source_file *files[FUZZ_PIECES];
    char paths[FUZZ_PIECES][500];
    size_t n;
};
struct piece {
    uint8_t file, i, at, n;
    const uint8_t *p;
};

static bool next_piece(const uint8_t **p, const uint8_t *end, struct piece *x)
{
    if (end - *p < PIECE)
        return false;
    *x = (struct piece){ (*p)[0], (*p)[1], (*p)[2], (*p)[3], *p + PIECE };
    size_t left = (size_t)(end - *p) - PIECE;
    x->n = x->n < left ? x->n : (uint8_t)left;
    *p = x->p + x->n;
    return true;
}

/* The loose ones from the last number down, so that seeds stay what they are when more is added. */
static size_t text_of(uint8_t file)
{
    size_t down = UINT8_MAX - file;

    return down < N_LOOSE ? N_INFO_FILES + down : (size_t)(file - OF_TEXT) % N_INFO_FILES;
}

static size_t record_size(const struct input *in, const struct family *f)
{
    bool v6 = in->chip == 15 || in->chip == 16;

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (strstr(f->name, others[i].part) && (v6 || !others[i].v6) &&
            (in->how & others[i].how) == others[i].how)
            return others[i].record_b;
    return f->record_b;
}

/* Bytes of the record at `to`, which has room for RECORD_MAX. */
static size_t put_record(uint8_t *to, const struct input *in, const struct family *f, const struct piece *x)
{
    size_t n = record_size(in, f), at = x->at * ((n + UINT8_MAX) / (UINT8_MAX + 1));

    memset(to, 0, RECORD_MAX);
    family_put(f, x->i & ~(size_t)FUZZ_TORN, to);
    at = at < n ? at : n;
    if (x->i & FUZZ_TORN)
        return at;
    memcpy(to + at, x->p, x->n < n - at ? x->n : n - at);
    return n;
}

/* Bytes of the text at `to`, which has room for `room`. */
static size_t put_text(uint8_t *to, size_t room, const char *text, const struct piece *x)
{
    size_t n = x->i & FUZZ_PLAIN ? 0 : strlen(text), at = x->at < n ? x->at : n;
    size_t from = x->i & FUZZ_REPLACE && at + x->n < n ? at + x->n : at, rest = n - from;

    if (at + x->n + rest > room)
        return 0;
    memcpy(to, text, at);
    memcpy(to + at, x->p, x->n);
    memcpy(to + at + x->n, text + from, rest);
    return at + x->n + rest;
}

static void put_file(struct input *in, const char *rel, const uint8_t *p, size_t n)
{
    char name[200], *path = in->paths[in->n];

    FUZZ_CHECK(in->n < FUZZ_PIECES);
    snprintf(name, sizeof name, PROF_NAME "/%s", rel);
    fuzz_folder_put(name, p, n);
    snprintf(path, sizeof in->paths[0], "%s/%s", in->path, rel);
    in->file[in->n] = (struct source_file){
        .id = (uint32_t)in->n + 1, .path = path, .rel = rel, .regular = true, .size_b = n
    };
    in->files[in->n] = &in->file[in->n];
    in->n++;
}

static void put_family(struct input *in, size_t k)
{
    static uint8_t all[FILE_MAX_B];
    const uint8_t *p = in->p;
    struct piece x;
    size_t n = 0;
    bool has = false;

    while (next_piece(&p, in->end, &x))
        if (x.file < OF_TEXT && x.file % N_FAMILIES == k && FILE_MAX_B - n >= RECORD_MAX) {
            n += put_record(all + n, in, &families[k], &x);
            has = true;
        }
    if (has)
        put_file(in, families[k].name, all, n);
}

/* What a folder cannot be understood without. */
static bool is_needed(const struct input *in, const char *name)
{
    bool clock = strstr(name, "_start.log") || strstr(name, "start_info") || strstr(name, "end_info");

    return (!strstr(name, "/data/") || strstr(name, "_dic.")) && !(clock && in->how & FUZZ_NO_CLOCK);
}

static void put_info_file(struct input *in, const struct info_file *a, size_t k)
{
    static uint8_t all[FILE_MAX_B];
    const uint8_t *p = in->p;
    struct piece x;
    size_t n = 0;
    bool has = false;

    while (next_piece(&p, in->end, &x))
        if (x.file >= OF_TEXT && text_of(x.file) == k) {
            n += put_text(all + n, FILE_MAX_B - n, a->text, &x);
            has = true;
        }
    if (has)
        put_file(in, a->name, all, n);
    else if (is_needed(in, a->name))
        put_file(in, a->name, (const uint8_t *)a->text, strlen(a->text));
}

static void put_texts(struct input *in)
{
    char host[1000], device[1000];

    snprintf(host, sizeof host, PROF_HOST_JSON, in->chip);
    snprintf(device, sizeof device, PROF_DEVICE_JSON, in->chip);
    if (in->how & FUZZ_SECOND) {
        *(strstr(host, "\"1.0\"") + 1) = '2';
        *(strstr(device, "\"1.0\"") + 1) = '2';
    }
    for (size_t i = 0; i < N_TEXTS; i++) {
        struct info_file a = i < N_INFO_FILES ? info_files[i] : loose[i - N_INFO_FILES];
        if (strcmp(a.name, "device_0/sample.json") == 0 && in->how & FUZZ_SAMPLED)
            a.text = SAMPLED;
        else if (strcmp(a.name, "device_0/sample.json") == 0 && in->how & FUZZ_LEVEL0)
            a.text = "{\"profLevel\": \"l0\"}";
        else if (strstr(a.name, "info.json"))
            a.text = a.name[0] == 'h' ? host : device;
        put_info_file(in, &a, i);
    }
}

struct fuzz_prof fuzz_pieces(const uint8_t *data, size_t size)
{
    static struct input in;
    static char path[300];
    const size_t head = size < INPUT_HEAD ? size : INPUT_HEAD;

    snprintf(path, sizeof path, "%s/" PROF_NAME, fuzz_folder(data, 0));
    in.chip = size > 0 ? chips[data[0] % ARRAY_LEN(chips)] : chips[0];
    in.how = size > 1 ? data[1] : 0;
    in.p = data + head;
    in.end = data + size;
    in.path = path;
    in.n = 0;
    for (size_t i = 0; i < N_FAMILIES; i++)
        put_family(&in, i);
    put_texts(&in);
    return (struct fuzz_prof){ path, in.files, in.n };
}
