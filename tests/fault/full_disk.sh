#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Imports onto a disk that is too small, or becomes full: see full_disk.py. FULL_POINTS moments (20) of each
# way to import.
name="full"
. "$(dirname "$0")/lib.sh"
points=${FULL_POINTS:-${NPUSCOPE_TEST_SLOW:+8}}
fault full_disk.py "${points:-20}"
