#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A strategy of the network in protobuf, as r1.7 wrote it, becomes the document that r1.8 writes. Skipped
# without Python; captures are optional.
top=${top_srcdir:-.}

command -v python3 >/dev/null || { echo "parallel: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/parallel.py" "${top_builddir:-.}/npuscope" \
    "${NPUSCOPE_SAMPLES:-$top/../shared}"
