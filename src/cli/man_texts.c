/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of npuscope(1) that no other table has. */
#include "config.h"

#include "cli/man_texts.h"

#include <stddef.h>

/* clang-format off */
const struct man_text man_formats[] = {
    { "text", "aligned columns, values with units as on the screen, times from the run's first event; "
        "control and invisible characters are shown, never sent." },
    { "csv", "a line of column ids, then a line for each row; commas, double quotes where a field needs "
        "them, lines end in LF. An unknown value is an empty field, an empty text "
             "\"\". The bytes are those of the profile; a cell that begins with = is left as it is, so take "
             "care with programs that calculate cells. On a terminal texts are made safe." },
    { "json", "an array of objects with the column ids as keys; null where a value is unknown. Control and "
        "invisible characters are escaped, each byte that is no UTF-8 becomes U+FFFD. "
              "A second column of the same name ends in _2. A report is one object with an array for each "
              "table." },
    { "ndjson", "one such object a line. In a report each has a member table." },
    { "markdown", "a table with the ids of the columns and plain numbers, as in csv; in a report titles and "
        "values as in text." },
    { NULL, NULL },
};
const struct man_text man_environment[] = {
    { "NPUSCOPE_CONFIG", "file of settings, instead of ~/.config/npuscope/config; see npuscope-config(5)" },
    { "NPUSCOPE_OPTIONS", "options that go before those of the command line; parted at blanks, with quotes "
        "and backslashes as in a shell. Those that a command does not have are left out." },
    { "NPUSCOPE_SIGNATURES", "file of your own signatures of logs, instead of "
        "~/.config/npuscope/signatures; see npuscope-config(5)" },
    { "NPUSCOPE_PREFER", "text, db or raw, as --prefer." },
    { "NPUSCOPE_MEMORY", "MiB of memory for what is kept of raw data of PROF folders while it is read, 240 "
        "unless given; what is beyond lies in files without a name." },
    { "NPUSCOPE_UTF8", "1: the terminal shows UTF-8 although LANG does not say so." },
    { "NPUSCOPE_AMBIGUOUS", "2: characters of ambiguous width take two cells." },
    { "NPUSCOPE_MOUSE", "1 or 0: mouse on or off." },
    { "LANG", "language, as LC_ALL, LC_MESSAGES and LANGUAGE say it: with zh_CN.UTF-8 screen, help, errors "
        "and the text of commands are Chinese. No locale need be installed; csv, json and ndjson stay "
              "English." },
    { "NO_COLOR", "not empty: no colours." },
    { "PAGER", "program that shows text that does not fit on the terminal; started without a shell." },
    { "TMPDIR", "place of temporary files: copies of databases, else /tmp; what is kept of raw data, else "
        "the cache or /var/tmp." },
    { "XDG_CACHE_HOME", "place of the cache, else .cache in the home folder." },
    { "XDG_CONFIG_HOME", "place of the configuration, else .config in the home folder." },
    { NULL, NULL },
};
const struct man_text man_statuses[] = {
    { "0", "done." },
    { "1", "could not be done; standard error says why, and what to do. Also when the run holds no data for "
        "the table, or the reader of the output went away." },
    { "2", "wrong usage." },
    { "4", "a result was printed, but an input it rests on is damaged, cut or above a limit; standard error "
           "names it." },
    { "130", "interrupted. What was read is kept until the next start reads the rest." },
    { NULL, NULL },
};
const struct man_text man_problems[] = {
    /* tests/cli/man.sh runs each. */
    { "npuscope runs/resnet50",
      "What happened in this run? The screen: 1 to 9, 0 and L change panes, ? helps." },
    { "npuscope triage runs/resnet50",
      "Why did it die? The class of the fault, the rank with which it began, what each rank did last." },
    { "npuscope report --rank=all runs/resnet50",
      "Is it good, and which rank is slow? A page with verdict and findings." },
    { "npuscope steps -k -total_ns -n 5 runs/resnet50",
      "Which steps are slow, and by what: computing, communication, input?" },
    { "npuscope ops -b type -n 10 runs/resnet50", "Which ops cost most?" },
    { "npuscope op Conv2D runs/resnet50", "What is it with this op: shapes, executions, share of the time?" },
    { "npuscope timeline --from=10ms --to=12ms --rank=all runs/resnet50",
      "What lies between two kernels, and who waits for whom?" },
    { "npuscope comm -b rank runs/resnet50", "Who waits in communication, and for how long?" },
    { "npuscope memory -b peak runs/resnet50", "What is the peak of the memory?" },
    { "npuscope bundle --list runs/resnet50",
      "What does somebody need who is to help? Without --list it is packed into one file." },
    { NULL, NULL },
};
const struct man_text man_examples[] = {
    { "npuscope report -o report.md -F markdown resnet50", "a summary to keep" },
    { "npuscope ops --by=op -f 'type=Conv2D' -f 'avg>100us' -n 20 resnet50", "the slowest convolutions" },
    { "npuscope steps -r all -F csv resnet50 > steps.csv", "steps of every rank" },
    { "npuscope timeline --from=1.2s --to=1.3s --chrome -o cut.json resnet50",
        "a cut of the timeline for another viewer" },
    { "npuscope query 'SELECT type, sum(dur_ns) FROM ops GROUP BY 1 ORDER BY 2 DESC' resnet50",
        "your own questions" },
    { "npuscope import -j 8 /data/runs", "read many runs ahead" },
    { "eval \"$(npuscope configure --for='why is step 20 slow')\"", "make the next run say why" },
    { "npuscope configure --set start_step=500 --set step_num=3 cfg/profiler_config.json",
        "profile three steps of a job that runs" },
    { NULL, NULL },
};
/* clang-format on */
