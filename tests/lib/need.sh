#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# need.sh WHAT TOOL...: whether WHAT can be run. Status 77, and says so, when one of the tools is missing: what was
# not run neither passed nor failed.
what=$1
shift
for tool; do
    command -v "$tool" >/dev/null 2>&1 && continue
    echo "$what: not run, no $tool" >&2
    exit 77
done
