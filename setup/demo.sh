#!/usr/bin/env bash
# demo.sh FATHOM DEPS [arguments…]: evaluates the small real model that setup fetched on the demo suite and says where the report is.
# Again: nothing is left to ask.
set -euo pipefail
fathom=$1
deps=$2
shift 2
"$fathom" run demo --model "$deps/models/smollm2.gguf" --corpus "essay=$deps/books" --corpus "words=$deps/words" -o runs/demo "$@"
echo
echo "Open runs/demo/report.html in a browser. The same command again asks nothing: ./dev demo"
