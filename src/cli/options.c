/* SPDX-License-Identifier: Apache-2.0 */
/* The option table and the parser over it. */
#include "config.h"

#include "cli/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/unit.h"
#include "base/words.h"
#include "cli/commands.h"
#include "configure/config_write.h"

#define FORMATS     "text|csv|json|ndjson|markdown"
#define MS_VERSIONS "r0.6|r1.0|r1.1|r1.3|r1.4|r1.5|r1.6|r1.7|r1.8|r1.10|r2.0"
#define UNITS       "auto|s|ms|us|ns|GiB|MiB|KiB|B"

const struct option_def option_defs[N_OPTS] = {
    { OPT_RANK, "rank", 'r', OK_RANKS, "LIST", OG_RUN | OG_IMPORT | OG_ANALYSE,
      .help = "ranks to use, for example 0,3-5 or all. Default: the one PATH belongs to, else the lowest. "
              "With several ranks the first column is the rank" },
    { OPT_DEVICE, "device", 0, OK_INT, "N", OG_DEVICE, 0, 65535,
      .help = "the ranks that ran on this device, instead of those of --rank" },
    { OPT_RUN, "run", 0, OK_TEXT, "N|FOLDER", OG_RUN | OG_ANALYSE,
      .help = "which of several runs below PATH to use, by its number or folder in the list of 'triage'. "
              "Default: the one of the first profile (of analyse: all); ranks of different runs are never "
              "put together" },
    { OPT_WINDOW, "window", 0, OK_TEXT, "START-STOP", OG_RUN,
      .help = "the window of a dynamic profile (rankR_startSTART_stopSTOP) to use. Default: the first one; "
              "the others are named" },
    { OPT_STEPS, "steps", 's', OK_RANGE, "RANGE", OG_VIEW | OG_EXPORT | OG_REPORT,
      .help = "steps to use, for example 2-120, 60.. or 7. Default: all" },
    { OPT_FIRST_STEP, "first-step", 0, OK_FLAG, NULL, OG_VIEW | OG_EXPORT | OG_REPORT,
      .help = "count the first recorded step in means per step, which otherwise leave it out" },
    { OPT_BY, "by", 'b', OK_TEXT, "WHAT", OG_BY, .help = "which table of the command: see the command" },
    { OPT_FROM, "from", 0, OK_TEXT, "TIME", OG_TIME,
      .help = "only events that begin or go on after this time, for example 1.5s or 300us since the first "
              "event, step 17, or absolute ns" },
    { OPT_TO, "to", 0, OK_TEXT, "TIME", OG_TIME, .help = "only events that start before this time" },
    { OPT_TRACK, "track", 0, OK_TEXT, "TEXT", OG_TIME,
      .help = "only tracks whose name or process contains the text" },
    { OPT_CHROME, "chrome", 0, OK_FLAG, NULL, OG_TIME,
      .help = "write a trace for trace viewers instead of a table" },
    { OPT_TOP, "top", 'n', OK_INT, "N", OG_VIEW | OG_EXPORT | OG_QUERY | OG_REPORT, 0, INT64_MAX,
      .help = "at most N rows. Default: 30 a table in report, else all" },
    { OPT_TIMEOUT, "timeout", 0, OK_INT, "SECONDS", OG_QUERY, 1, 86400,
      .help = "end a statement when all together have run that long: exit status 1. Default: no limit" },
    { OPT_SORT, "sort", 'k', OK_TEXT, "[+|-]COLUMN[,...]", OG_VIEW,
      .help =
          "sort by these columns: -COLUMN descending, +COLUMN ascending, COLUMN in its natural direction, "
          "which 'help columns' lists" },
    { OPT_FILTER, "filter", 'f', OK_TEXT, "EXPR", OG_VIEW, .repeat = true,
      .help = "only rows that fit, see npuscope-query(5); may be given several times" },
    { OPT_COLUMNS, "columns", 'C', OK_TEXT, "LIST", OG_VIEW, .help = "columns to print, in this order" },
    { OPT_ALL_COLUMNS, "all-columns", 0, OK_FLAG, NULL, OG_VIEW | OG_REPORT, .help = "every column" },
    { OPT_FORMAT, "format", 'F', OK_CHOICE, "FORMAT", OG_OUT | OG_EXPORT | OG_ANALYSE, .choices = FORMATS,
      .help = "text (the default; of export: csv), csv, json, ndjson or markdown" },
    { OPT_OUTPUT, "output", 'o', OK_TEXT, "FILE", OG_OUT | OG_HELP | OG_TEXT,
      .help = "write there instead of to standard output (-); the file appears when it is whole and replaces "
              "an older one" },
    { OPT_UNIT, "unit", 0, OK_CHOICE, "UNIT", OG_OUT | OG_ANALYSE, .choices = UNITS,
      .help = "unit of times or sizes in text: auto, s, ms, us, ns, GiB, MiB, KiB, B" },
    { OPT_NO_HEADER, "no-header", 0, OK_FLAG, NULL, OG_OUT | OG_ANALYSE,
      .help = "no line of column names in text and csv" },
    { OPT_DB, "db", 0, OK_TEXT, "FILE", OG_STORE, .no_dash = "a store",
      .help = "store to use or make, instead of the one in the cache" },
    { OPT_EXPORT_DIR, "output", 'o', OK_TEXT, "DIR", OG_EXPORT,
      .help = "write a file for each table into this folder; -: all tables to standard output" },
    { OPT_EXPORT_DB, "db", 0, OK_TEXT, "FILE", OG_EXPORT, .no_dash = "a database",
      .help = "write one plain SQLite database instead, in which also the timeline is plain tables" },
    { OPT_EXPORT_FORCE, "force", 0, OK_FLAG, NULL, OG_EXPORT,
      .help = "write into a folder that is not empty, replace a file that is there" },
    { OPT_ANONYMISE, "anonymise", 0, OK_TEXT, "KEYFILE", OG_EXPORT | OG_TIME | OG_REPORT | OG_BUNDLE,
      .no_dash = "the key",
      .help = "replace names of ops, paths, hosts and users by aliases; the file maps them back, only you "
              "may read it, and names in it keep their aliases" },
    { OPT_BUNDLE_FILE, "output", 'o', OK_TEXT, "FILE", OG_BUNDLE,
      .help =
          "write the archive there (-: to standard output) instead of to npuscope-NAME-TIME.tar.gz in the "
          "current folder; it appears when it is whole and replaces an older one" },
    { OPT_BUNDLE_LIMIT, "limit", 0, OK_SIZE, "SIZE", OG_BUNDLE, 1 << 16, INT64_C(1) << 30,
      .help = "most bytes of all members before they are packed, for example 8MiB. Default: 32MiB" },
    { OPT_BUNDLE_LIST, "list", 0, OK_FLAG, NULL, OG_BUNDLE,
      .help = "only list what would be in it, and what not" },
    { OPT_PREFER, "prefer", 0, OK_CHOICE, "FORM", OG_RUN, .choices = "text|db|raw",
      .help =
          "which form to use where several hold the same: text files (text, the default), databases (db), or "
          "the raw data of a PROF folder (raw)" },
    { OPT_LOGS, "logs", 0, OK_TEXT, "PATH", OG_RUN,
      .help =
          "look for logs below this folder too, beside those in and around the profile and in the places of "
          "CANN and the host" },
    { OPT_NO_LOGS, "no-logs", 0, OK_FLAG, NULL, OG_RUN, .help = "leave logs out" },
    { OPT_NO_CACHE, "no-cache", 0, OK_FLAG, NULL, OG_RUN,
      .help = "neither read nor write the cache: read the profile into memory" },
    { OPT_JOBS, "jobs", 'j', OK_INT, "N", OG_IMPORT | OG_ANALYSE, 1, 64,
      .help = "units read at the same time. Default: the number of processors" },
    { OPT_GEN, "gen", 0, OK_INT, "N", OG_DEMO, 1, 2,
      .help = "file formats: 1 flat files of MindSpore 2.0, 2 folders of MindSpore 2.7 (the default)" },
    { OPT_RANKS, "ranks", 0, OK_INT, "N", OG_DEMO, 1, 1024, .help = "number of ranks, 2 unless given" },
    { OPT_SERVERS, "servers", 0, OK_INT, "N", OG_DEMO, 1, 1024,
      .help = "hosts that the ranks are spread over evenly; 8 ranks to a host unless given" },
    { OPT_DEMO_STEPS, "steps", 0, OK_COUNT, "N", OG_DEMO, 1, 10000000,
      .help = "profiled steps of each rank, 10 unless given" },
    { OPT_MODEL, "model", 0, OK_CHOICE, "NAME", OG_DEMO, .choices = "resnet|transformer",
      .help = "network: resnet or transformer" },
    { OPT_SIZE, "size", 0, OK_COUNT, "N", OG_DEMO, 1, INT64_MAX,
      .help = "about this many timeline events for each rank, for example 10k or 1M" },
    { OPT_SEED, "seed", 0, OK_INT, "N", OG_DEMO, 0, INT64_MAX, .help = "the same seed gives the same bytes" },
    { OPT_RAW, "raw", 0, OK_FLAG, NULL, OG_DEMO,
      .help = "as the job leaves it, before its analysis: of generation 1, or with --gen=2 the PROF "
              "folders and what the framework recorded beside them" },
    { OPT_DEMO_MODE, "mode", 0, OK_CHOICE, "MODE", OG_DEMO, .choices = "graph|pynative|gpu|cpu",
      .help = "with --raw of generation 1: as graph mode on Ascend leaves it (graph, the default), pynative "
              "mode there, a gpu, or a cpu" },
    { OPT_ERA, "era", 0, OK_CHOICE, "VERSION", OG_DEMO, .choices = "r20|r16|r15|r13|r27|r26|r25|torch_npu",
      .help = "with --raw: as that MindSpore leaves it, of generation 1 r20 (2.0, the default), r16, r15 or "
              "r13, of generation 2 r27 (2.7, the default), r26 or r25; or, also without --raw, as torch_npu "
              "does" },
    { OPT_CHIP, "chip", 0, OK_CHOICE, "CHIP", OG_DEMO, .choices = "910B|910A|310P|310B|950",
      .help = "with --raw --gen=2: the PROF folders of this chip: 910B (unless given), 910A, 310P, 310B or "
              "950" },
    { OPT_METRICS, "metrics", 0, OK_CHOICE, "GROUP", OG_DEMO, .choices = "pipe|arithmetic",
      .help = "of generation 2, what the AI cores count: arithmetic (operations, the default where they can: "
              "910B) or pipe (how busy its parts are)" },
    { OPT_CRASHED, "crashed", 0, OK_TEXT, "AT", OG_DEMO,
      .help = "with --raw: the run dies in this step, such as 3, or 3.9 late in it, or when a share such as "
              "60% of the steps is done" },
    { OPT_FAULT, "fault", 0, OK_CHOICE, "KIND", OG_DEMO,
      .choices = "clean|hang|straggler|killed|host_oom|device_oom|aicore|aicpu|hbm_ecc|link_down|socket_init|"
                 "mismatch|mismatch_arg|data_stall|disk_full|py_exception|segv|sigterm",
      .help =
          "with --raw, of generation 2 unless --gen says 1: what the run dies of, with the logs and dumps "
          "that such a job leaves, of torch_npu with --era=torch_npu, else of MindSpore; at 60% of its steps "
          "unless --crashed says where. Of one rank: hang, straggler (it does not come to a collective), "
          "killed, host_oom, device_oom, aicore, aicpu, hbm_ecc, link_down, data_stall, disk_full, "
          "py_exception, segv, mismatch or mismatch_arg (another collective, or count, than the others), "
          "socket_init (before the first step, so without a profile); of all: sigterm; of none: clean" },
    { OPT_FAULT_RANK, "fault-rank", 0, OK_INT, "R", OG_DEMO, 0, 1023,
      .help = "with --fault: the rank that is to blame, else the seed chooses one" },
    { OPT_CANN, "cann", 0, OK_CHOICE, "VERSION", OG_DEMO, .choices = "7|8.5",
      .help = "with --fault: log lines in the form of this CANN, of generation 2 8.5 unless given, of 1 7" },
    { OPT_SKEW, "skew", 0, OK_INT, "MS", OG_DEMO, 0, 3600000,
      .help = "with --fault: clocks of hosts differ by up to this many milliseconds" },
    { OPT_ZONE, "zone", 0, OK_INT, "MINUTES", OG_DEMO, -720, 840,
      .help = "with --fault: how far local time, that of the logs, is ahead of UTC, 480 unless given" },
    { OPT_TRUTH, "truth", 0, OK_TEXT, "FILE", OG_DEMO, .no_dash = "the truth",
      .help = "with --fault or --crashed: also write into FILE, as JSON, what happened and where" },
    { OPT_LOSE_SLICE, "lose-slice", 0, OK_INT, "K", OG_DEMO, 1, 1000000,
      .help = "with --raw of generation 1: slice K of the task scheduler's record is missing" },
    { OPT_FORCE, "force", 0, OK_FLAG, NULL, OG_DEMO,
      .help = "write into a folder that is not empty; what is there and not written anew stays" },
    { OPT_ANALYSE_DIR, "output", 'o', OK_TEXT, "DIR", OG_ANALYSE, .no_dash = "several files",
      .help = "write the files into this folder, instead of into the profile" },
    { OPT_MODE, "mode", 0, OK_CHOICE, "MODE", OG_ANALYSE, .choices = "auto|graph|pynative|gpu|cpu",
      .help = "how the run was made: auto (as its files say), graph, pynative, gpu or cpu" },
    { OPT_MS_VERSION, "ms-version", 0, OK_CHOICE, "VERSION", OG_ANALYSE, .choices = MS_VERSIONS,
      .help =
          "files as this release of MindSpore writes them: r0.6, r1.0, r1.1, r1.3, r1.4, r1.5, r1.6, "
          "r1.7, r1.8, r1.10 or r2.0. Default: the newest that could have made the raw data, but r1.3 where "
          "that is r1.4" },
    { OPT_PRETTY, "pretty", 0, OK_FLAG, NULL, OG_ANALYSE, .help = "JSON documents with line breaks" },
    { OPT_ANALYSE_COMPAT, "compat", 0, OK_FLAG, NULL, OG_ANALYSE,
      .help = "of MindSpore 1.x: follow its parsers also where the files of its own runs do not, step 0 in "
              "hccl_raw of runs of one step up to r1.6; of MindSpore 2.5 on and torch_npu: also what their "
              "analysis computes wrongly" },
    { OPT_ANALYSE_FORCE, "force", 0, OK_FLAG, NULL, OG_ANALYSE, .help = "replace files that are there" },
    { OPT_STEP_LIST, "step-list", 0, OK_TEXT, "LIST", OG_ANALYSE,
      .help = "of MindSpore 2.5 on: only these steps, which follow each other, for example 3,4,5 or 3-5" },
    { OPT_EXPORT_TYPE, "export-type", 0, OK_TEXT, "TYPES", OG_ANALYSE,
      .help = "of MindSpore 2.5 on and torch_npu: text, db or text,db. Default: as the job was told" },
    { OPT_SIMPLIFICATION, "data-simplification", 0, OK_CHOICE, "WHETHER", OG_ANALYSE, .choices = "yes|no",
      .help = "of MindSpore 2.5 on and torch_npu: no leaves msprof's files in PROF_*, in "
              "mindstudio_profiler_output. Default: yes" },
    { OPT_AS, "as", 0, OK_CHOICE, "FORM", OG_CONFIGURE, .choices = CONFIG_FORMS,
      .help =
          "write MS_PROFILER_OPTIONS (env, the default), the profiler_config.json of "
          "DynamicProfilerMonitor or dynamic_profile (json), calls of Python (python) or a command line of "
          "msprof (msprof)" },
    { OPT_FOR, "for", 0, OK_TEXT, "WHAT", OG_CONFIGURE,
      .help = "overview, ops, memory, communication, data or everything; or a question such as 'why is step "
              "20 slow', of which the words choose. Default: overview, and nothing where --set is given" },
    { OPT_FRAMEWORK, "framework", 0, OK_CHOICE, "NAME", OG_CONFIGURE, .choices = CONFIG_FRAMEWORKS,
      .help = "mindspore (the default) or torch (torch_npu)" },
    { OPT_JOB_VERSION, "job-version", 0, OK_CHOICE, "VERSION", OG_CONFIGURE, .choices = CONFIG_VERSIONS,
      .help = "MindSpore of the job: 2.3, 2.4, 2.5, 2.6 or 2.7 and later. Default: the newest, and of a file "
              "what its keys and types look like" },
    { OPT_SET, "set", 0, OK_TEXT, "KEY=VALUE", OG_CONFIGURE, .repeat = true,
      .help = "set a switch, over what --for chose; of FILE: in it. step_num=N is a window of N steps from "
              "start_step on. May be given several times" },
    { OPT_CHECK, "check", 0, OK_FLAG, NULL, OG_CONFIGURE,
      .help = "explain FILE (- is standard input), a text that begins with {, or without one "
              "MS_PROFILER_OPTIONS of the environment; exit status 4 when something in it is wrong" },
    { OPT_LIST, "list", 0, OK_FLAG, NULL, OG_CONFIGURE,
      .help = "list the switches: values, where they are written, what they cost and fill" },
    { OPT_REMOVE_ALL, "all", 0, OK_FLAG, NULL, OG_CACHE, .help = "remove every store" },
    { OPT_PANE, "pane", 0, OK_TEXT, "NAME", OG_SCREEN,
      .help = "first pane: triage, files, ops, steps, timeline, flops, memory, data, comm, host, "
              "logs or sql" },
    { OPT_THEME, "theme", 0, OK_TEXT, "NAME", OG_SCREEN,
      .choices = "default|light|high-contrast|colour-blind|mono",
      .help = "colours: default, light, high-contrast, colour-blind or mono" },
    { OPT_SLOW, "slow", 0, OK_FLAG, NULL, OG_SCREEN, .help = "fewer redraws, for slow lines" },
    { OPT_NO_MOUSE, "no-mouse", 0, OK_FLAG, NULL, OG_SCREEN, .help = "no mouse" },
    { OPT_NO_STATE, "no-state", 0, OK_FLAG, NULL, OG_SCREEN,
      .help = "neither read nor keep what was chosen last (pane, rank, filters, marks, sort, columns, "
              "histories)" },
    { OPT_LINEAR, "linear", 0, OK_FLAG, NULL, OG_SCREEN,
      .help = "no full screen, for screen readers and serial consoles: type keys by name, or a command, "
              "search or filter as "
              "on the screen, and a line; what it changes is printed. Where standard input is no terminal "
              "every pane is printed once" },
    { OPT_FOLLOW, "follow", 0, OK_FLAG, NULL, OG_SCREEN | OG_LIVE,
      .help =
          "read again every few seconds what was added, for a run that is still being written, and "
          "look for ranks that came; of a job of many units the one in front first. Of windows: a line for "
          "each change" },
    { OPT_PERIOD, "period", 0, OK_INT, "SECONDS", OG_SCREEN | OG_LIVE, 1, 86400,
      .help = "with --follow: look so often, 3 unless given; at least five times what the last reading "
              "took" },
    { OPT_BENCH_KEYS, "bench-keys", 0, OK_TEXT, "FILE", OG_SCREEN, .hidden = true,
      .help = "type the keys of this file, then print times" },
    { OPT_MAN, "man", 0, OK_TEXT, "PAGE", OG_HELP, .hidden = true, .help = "print a manual page" },
    { OPT_COMPLETION, "completion", 0, OK_TEXT, "SHELL", OG_HELP, .hidden = true,
      .help = "print the completion for bash, zsh or fish" },
    { OPT_COLOR, "color", 0, OK_CHOICE, "WHEN", OG_ALL, .choices = "auto|always|never",
      .help = "auto, always or never" },
    { OPT_ASCII, "ascii", 0, OK_FLAG, NULL, OG_ALL, .help = "plain ASCII on screens and in text" },
    { OPT_UTF8, "utf8", 0, OK_FLAG, NULL, OG_ALL,
      .help = "UTF-8 on screens and in text whatever the locale says" },
    { OPT_QUIET, "quiet", 'q', OK_FLAG, NULL, OG_ALL, .help = "on standard error only errors" },
    { OPT_VERBOSE, "verbose", 'v', OK_FLAG, NULL, OG_ALL, .repeat = true,
      .help = "say what is read; twice: with times" },
    { OPT_LOG, "log", 0, OK_TEXT, "FILE", OG_ALL, .no_dash = "diagnostics",
      .help = "append diagnostics to this file" },
    { OPT_HELP, "help", 'h', OK_FLAG, NULL, OG_ALL,
      .help = "help, also on one command; -h: what is needed first" },
    { OPT_VERSION, "version", 'V', OK_FLAG, NULL, OG_ALL,
      .help = "version; with -v also build options and libraries" },
};

/* ---- values ---- */

bool opt_is(const struct options *o, enum opt_id id)
{
    return opt_count(o, id) > 0;
}

bool opt_is_typed(const struct options *o, enum opt_id id)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->v[i].id == id && o->v[i].typed)
            return true;
    return false;
}

bool opt_is_lettered(const struct options *o, enum opt_id id)
{
    for (size_t i = o->n; i-- > 0;)
        if (o->v[i].id == id)
            return o->v[i].lettered;
    return false;
}

unsigned opt_count(const struct options *o, enum opt_id id)
{
    unsigned n = 0;

    for (size_t i = 0; i < o->n; i++)
        n += o->v[i].id == id;
    return n;
}

static const struct opt_value *last(const struct options *o, enum opt_id id)
{
    const struct opt_value *v = NULL;

    for (size_t i = 0; i < o->n; i++)
        if (o->v[i].id == id)
            v = &o->v[i];
    return v;
}

const char *opt_text(const struct options *o, enum opt_id id)
{
    const struct opt_value *v = last(o, id);
    return v ? v->text : NULL;
}

int64_t opt_int(const struct options *o, enum opt_id id, int64_t otherwise)
{
    const struct opt_value *v = last(o, id);
    return v ? v->number : otherwise;
}

const char *opt_nth(const struct options *o, enum opt_id id, size_t i)
{
    for (size_t k = 0; k < o->n; k++)
        if (o->v[k].id == id && i-- == 0)
            return o->v[k].text;
    return NULL;
}

bool opt_range(const char *text, int64_t *from, int64_t *to)
{
    struct str s = str_of(text), a = s, b = s;
    size_t dots = str_find(s, STR(".."), 0), dash = s.n ? str_chr(str_sub(s, 1, s.n), '-') : 0;

    if (dots != SIZE_MAX) {
        a = str_sub(s, 0, dots);
        b = str_sub(s, dots + 2, s.n);
    } else if (s.n && dash != SIZE_MAX) {
        a = str_sub(s, 0, dash + 1);
        b = str_sub(s, dash + 2, s.n);
        if (!b.n)
            return false;
    }
    if (!a.n && !b.n)
        return false;
    if ((a.n && !str_i64(a, from)) || (b.n && !str_i64(b, to)))
        return false;
    return !a.n || !b.n || *from <= *to;
}

bool opt_rank_next(const char **text, int64_t *from, int64_t *to, bool *bad)
{
    struct str rest = str_of(*text), piece;
    uint64_t a, b;

    *bad = false;
    if (!**text)
        return false;
    str_next(&rest, ',', &piece);
    *text = rest.p ? rest.p : piece.p + piece.n;
    size_t dash = str_chr(piece, '-');
    struct str second = dash == SIZE_MAX ? piece : str_sub(piece, dash + 1, piece.n);
    if (!str_u64(str_sub(piece, 0, dash), &a) || !str_u64(second, &b) || a > b || b > INT_MAX) {
        *bad = true;
        return false;
    }
    *from = (int64_t)a;
    *to = (int64_t)b;
    return true;
}

static bool ranks_are_good(const char *text)
{
    int64_t a, b;
    bool bad = false, any = false;

    if (strcmp(text, "all") == 0)
        return true;
    if (*text && text[strlen(text) - 1] == ',')
        return false;
    while (opt_rank_next(&text, &a, &b, &bad))
        any = true;
    return any && !bad;
}

static int check_number(const struct option_def *d, struct opt_value *v, struct err *e)
{
    double x = 0;
    char kind = 'n', least[40], most[40];
    bool good = str_i64(str_of(v->text), &v->number);

    if (!good && d->kind != OK_INT && unit_parse(str_of(v->text), &x, &kind) &&
        (kind == 'n' || (kind == 's' && d->kind == OK_SIZE)) && x >= 0 && x < 9e18) {
        v->number = (int64_t)x;
        good = (double)v->number == x;
    }
    if (good && v->number >= d->min && v->number <= d->max)
        return OK;
    if (d->kind == OK_SIZE)
        return err_set(e, ERR_USAGE, "--%s takes a size from %s to %s, for example 8MiB, not '%s'", d->name,
                       unit_size(least, sizeof least, (double)d->min, SIZE_AUTO),
                       unit_size(most, sizeof most, (double)d->max, SIZE_AUTO), v->text);
    if (d->max == INT64_MAX)
        return err_set(e, ERR_USAGE, "--%s takes a whole number from %lld up, not '%s'", d->name,
                       (long long)d->min, v->text);
    return err_set(e, ERR_USAGE, "--%s takes a whole number from %lld to %lld, not '%s'", d->name,
                   (long long)d->min, (long long)d->max, v->text);
}

static int check_choice(const struct option_def *d, struct opt_value *v, struct err *e)
{
    char list[120];
    size_t used = 0;

    v->number = word_index(d->choices, '|', str_of(v->text));
    if (v->number >= 0)
        return OK;
    for (size_t i = 0; d->choices[i] && used + 3 < sizeof list; i++) {
        list[used++] = d->choices[i] == '|' ? ',' : d->choices[i];
        if (d->choices[i] == '|')
            list[used++] = ' ';
    }
    list[used] = '\0';
    return err_set(e, ERR_USAGE, "--%s is one of %s, not '%s'", d->name, list, v->text);
}

static int check_value(const struct option_def *d, struct opt_value *v, struct err *e)
{
    int64_t a = 0, b = 0;

    switch (d->kind) {
    case OK_INT:
    case OK_COUNT:
    case OK_SIZE:
        return check_number(d, v, e);
    case OK_CHOICE:
        return check_choice(d, v, e);
    case OK_RANGE:
        if (!opt_range(v->text, &a, &b))
            return err_set(e, ERR_USAGE, "--%s takes a range such as 2-120, 60.. or 7, not '%s'", d->name,
                           v->text);
        return OK;
    case OK_RANKS:
        if (!ranks_are_good(v->text))
            return err_set(e, ERR_USAGE, "--%s takes ranks such as 0,3-5 or the word all, not '%s'", d->name,
                           v->text);
        return OK;
    default:
        if (d->no_dash && v->text && strcmp(v->text, "-") == 0)
            return err_set(e, ERR_USAGE, "%s cannot go to standard output: give --%s the name of a %s",
                           d->no_dash, d->name, strcmp(d->arg, "DIR") == 0 ? "folder" : "file");
        return OK;
    }
}

/* ---- finding options ---- */

static bool takes_argument(const struct option_def *d)
{
    return d->kind != OK_FLAG;
}

static const struct option_def *by_letter(unsigned groups, char letter)
{
    for (size_t i = 0; i < ARRAY_LEN(option_defs); i++)
        if (option_defs[i].letter == letter && option_defs[i].groups & groups)
            return &option_defs[i];
    return NULL;
}

/* An exact name, else the only one that begins so. *several: more than one does. */
static const struct option_def *by_name(unsigned groups, struct str name, bool *several)
{
    const struct option_def *found = NULL;

    *several = false;
    for (size_t i = 0; i < ARRAY_LEN(option_defs); i++) {
        const struct option_def *d = &option_defs[i];
        if (!(d->groups & groups) || !str_starts(str_of(d->name), name))
            continue;
        if (strlen(d->name) == name.n) {
            *several = false;
            return d;
        }
        if (found && strcmp(found->name, d->name) != 0)
            *several = true;
        if (!found)
            found = d;
    }
    return *several ? NULL : found;
}

/* The commands that have an option, when they are few: "; 'report', 'timeline' and 'export' do". */
static void who_takes(const char *option, char *buf, size_t n)
{
    const char *names[4] = { NULL };
    struct buf b;
    unsigned groups = 0;
    size_t found = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < ARRAY_LEN(option_defs); i++)
        groups |= strcmp(option_defs[i].name, option) == 0 ? option_defs[i].groups : 0;
    for (size_t i = 0; i < n_commands; i++) {
        if (!(commands[i].groups & groups) || !commands[i].name[0])
            continue;
        if (found == ARRAY_LEN(names))
            return;
        names[found++] = commands[i].name;
    }
    buf_init(&b, n);
    for (size_t i = 0; i < found; i++)
        buf_printf(&b, "%s'%s'", !i ? "; " : i + 1 < found ? ", " : " and ", names[i]);
    if (found)
        buf_puts(&b, found > 1 ? " do" : " does");
    str_copy(buf_str(&b), buf, n);
    buf_done(&b);
}

static int unknown_long(struct str name, unsigned groups, bool several, const struct command *cmd,
                        struct err *e)
{
    struct nearest near;
    bool ignored;
    char text[80], others[120];

    str_copy(name, text, sizeof text);
    if (several)
        return err_set(e, ERR_USAGE, "option --%s fits several options: write more of it", text);
    const struct option_def *other = by_name(~0u, name, &ignored);
    if (other && strlen(other->name) == name.n) {
        who_takes(other->name, others, sizeof others);
        return err_set(e, ERR_USAGE, "%s%s%s takes no option --%s%s", cmd->name[0] ? "'" : "the screen",
                       cmd->name, cmd->name[0] ? "'" : "", text, others);
    }
    nearest_begin(&near, name);
    for (size_t i = 0; i < ARRAY_LEN(option_defs); i++)
        if (option_defs[i].groups & groups && !option_defs[i].hidden)
            nearest_offer(&near, option_defs[i].name);
    if (near.best)
        return err_set(e, ERR_USAGE, "unknown option --%s; did you mean --%s?", text, near.best);
    return err_set(e, ERR_USAGE, "unknown option --%s", text);
}

/* ---- the command line ---- */

struct reader {
    struct options *o;
    char *const *argv;
    size_t argc, at;
    unsigned groups;
    bool lenient;  /* from the environment: options of other commands are left out */
    bool lettered; /* by its letter */
};

static int add_value(struct reader *r, const struct option_def *d, const char *text, struct err *e)
{
    struct opt_value v = { .id = d->id, .text = text, .typed = !r->lenient, .lettered = r->lettered };

    if (!(d->groups & r->groups))
        return OK; /* lenient: read only to know where it ends */
    if (check_value(d, &v, e))
        return e->code;
    r->o->v[r->o->n++] = v;
    return OK;
}

static int read_long(struct reader *r, struct err *e)
{
    struct str a = str_sub(str_of(r->argv[r->at]), 2, SIZE_MAX);
    size_t eq = str_chr(a, '=');
    struct str name = str_sub(a, 0, eq);
    const char *text = eq == SIZE_MAX ? NULL : a.p + eq + 1;
    bool several;
    const struct option_def *d = by_name(r->groups, name, &several);

    r->lettered = false;
    if (!d && r->lenient && !several)
        d = by_name(~0u, name, &several);
    if (!d)
        return unknown_long(name, r->groups, several, r->o->cmd, e);
    if (text && !takes_argument(d))
        return err_set(e, ERR_USAGE, "--%s takes no argument", d->name);
    if (!text && takes_argument(d)) {
        if (r->at + 1 >= r->argc)
            return err_set(e, ERR_USAGE, "--%s needs an argument: %s", d->name, d->arg);
        text = r->argv[++r->at];
    }
    return add_value(r, d, text, e);
}

static int read_cluster(struct reader *r, struct err *e)
{
    r->lettered = true;
    for (const char *p = r->argv[r->at] + 1; *p; p++) {
        const struct option_def *d = by_letter(r->groups, *p);
        const char *text = NULL;

        if (!d)
            d = by_letter(~0u, *p);
        if (!d)
            return err_set(e, ERR_USAGE, "unknown option -%c", *p);
        if (!(d->groups & r->groups) && !r->lenient)
            return err_set(e, ERR_USAGE, "%s%s%s takes no option -%c",
                           r->o->cmd->name[0] ? "'" : "the screen", r->o->cmd->name,
                           r->o->cmd->name[0] ? "'" : "", *p);
        if (takes_argument(d)) {
            if (p[1])
                text = p + 1;
            else if (r->at + 1 < r->argc)
                text = r->argv[++r->at];
            else
                return err_set(e, ERR_USAGE, "-%c needs an argument: %s", *p, d->arg);
        }
        if (add_value(r, d, text, e))
            return e->code;
        if (text)
            break;
    }
    return OK;
}

static int read_words(struct reader *r, size_t skip, struct err *e)
{
    bool only_args = false;

    for (; r->at < r->argc; r->at++) {
        const char *a = r->argv[r->at];
        if (r->at == skip)
            continue;
        if (only_args || a[0] != '-' || !a[1]) {
            if (r->lenient)
                return err_set(e, ERR_USAGE, "'%s' is no option", a);
            r->o->args[r->o->n_args++] = a;
        } else if (!strcmp(a, "--")) {
            only_args = true;
        } else if (a[1] == '-' ? read_long(r, e) : read_cluster(r, e)) {
            return e->code;
        }
    }
    return OK;
}

/* Index of the first word that is neither an option nor the argument of one; argc: there is none. */
static size_t first_word(size_t argc, char *const *argv)
{
    for (size_t i = 1; i < argc; i++) {
        struct str a = str_of(argv[i]);
        const struct option_def *d = NULL;
        bool several, more = false;

        if (a.n < 2 || a.p[0] != '-')
            return i;
        if (a.p[1] == '-') {
            if (a.n == 2)
                return argc;
            d = by_name(~0u, str_sub(a, 2, str_chr(a, '=') - 2), &several);
            more = d && takes_argument(d) && str_chr(a, '=') == SIZE_MAX;
        }
        for (size_t k = 1; a.p[1] != '-' && k < a.n && !more; k++) {
            d = by_letter(~0u, a.p[k]);
            if (d && takes_argument(d)) {
                more = k + 1 == a.n;
                break;
            }
        }
        i += more;
    }
    return argc;
}

/* ---- the environment ---- */

/* Words as a shell would part them: blanks, quotes, backslash. */
static int split_words(struct options *o, const char *env, struct err *e)
{
    size_t room = strlen(env) / 2 + 2;

    o->words = calloc(room, sizeof *o->words);
    if (!o->words)
        return err_nomem(e);
    while (*(env += strspn(env, " \t\n"))) {
        char *w = malloc(strlen(env) + 1), quote = 0;
        size_t n = 0;

        if (!w)
            return err_nomem(e);
        o->words[o->n_words++] = w;
        for (; *env && (quote || !strchr(" \t\n", *env)); env++) {
            if (*env == quote)
                quote = 0;
            else if (!quote && (*env == '\'' || *env == '"'))
                quote = *env;
            else if (*env == '\\' && quote != '\'' && env[1])
                w[n++] = *++env;
            else
                w[n++] = *env;
        }
        w[n] = '\0';
        if (quote)
            return err_set(e, ERR_USAGE, "NPUSCOPE_OPTIONS has a quote that is not closed");
    }
    return OK;
}

static int check_args(const struct options *o, struct err *e)
{
    const struct command *c = o->cmd;

    if (opt_is(o, OPT_HELP) || opt_is(o, OPT_VERSION))
        return OK;
    if (o->n_args > c->max_args && !c->name[0]) {
        const char *near = command_near(str_of(o->args[0]));
        if (near)
            return err_set(e, ERR_USAGE, "unknown command '%s'; did you mean '%s'?", o->args[0], near);
        return err_set(e, ERR_USAGE, "unknown command '%s'", o->args[0]);
    }
    if (o->n_args > c->max_args && !c->args[0])
        return err_set(e, ERR_USAGE, "'%s' takes no argument: '%s' is too much", c->name, o->args[0]);
    if (o->n_args > c->max_args)
        return err_set(e, ERR_USAGE, "'%s' takes %s: '%s' is too much", c->name, c->args,
                       o->args[c->max_args]);
    if (o->n_args < c->min_args)
        return err_set(e, ERR_USAGE, "'%s' needs an argument: %s", c->name, c->args);
    return OK;
}

int options_parse(struct options *o, int argc, char *const *argv, const char *env, struct err *e)
{
    size_t n = argc > 0 ? (size_t)argc : 0, most = n, at = first_word(n, argv);

    *o = (struct options){ 0 };
    o->cmd = at < n ? command_find(str_of(argv[at])) : NULL;
    if (!o->cmd) {
        o->cmd = &commands[0];
        at = n;
    }
    for (const char *const *a = (const char *const *)argv; a < (const char *const *)argv + n; a++)
        most += strlen(*a); /* a cluster holds as many options as letters */
    if (env && split_words(o, env, e))
        return e->code;
    for (size_t i = 0; i < o->n_words; i++)
        most += strlen(o->words[i]);
    o->v = calloc(most + 1, sizeof *o->v);
    o->args = calloc(n + 1, sizeof *o->args);
    if (!o->v || !o->args)
        return err_nomem(e);
    struct reader r = { .o = o, .argv = o->words, .argc = o->n_words, .lenient = true };
    r.groups = o->cmd->groups | OG_ALL;
    struct err env_err = ERR_INIT;
    if (read_words(&r, SIZE_MAX, &env_err))
        return err_set(e, env_err.code, "NPUSCOPE_OPTIONS: %s", env_err.text);
    r = (struct reader){ .o = o, .argv = argv, .argc = n, .at = 1, .groups = r.groups };
    if (read_words(&r, at, e))
        return e->code;
    return check_args(o, e);
}

void options_done(struct options *o)
{
    for (size_t i = 0; i < o->n_words; i++)
        free(o->words[i]);
    free(o->words);
    free(o->v);
    free((void *)o->args);
    *o = (struct options){ 0 };
}
