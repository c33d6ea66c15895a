#!/usr/bin/env bash
# run.sh BUILD DEPS [NAME [arguments…]]: every benchmark side by side with its peers, or one of them: tokenizers, generate, statistics, report. Writes docs/bench-NAME.md.
set -euo pipefail
build=$1
deps=$2
name=${3:-all}
shift $(($# < 3 ? $# : 3))
here=$(cd "$(dirname "$0")" && pwd)
docs=$here/../docs
python=$deps/python/bin/python

if [ "$name" = all ] || [ "$name" = tokenizers ]; then
  "$python" "$here/tokenizers/run.py" --bench "$build/bench/bin/tokenizer_bench" --python "$python" --deps "$deps" --write "$docs/bench-tokenizers.md" "$@"
fi
if [ "$name" = all ] || [ "$name" = generate ]; then
  "$python" "$here/generate/run.py" --fathom "$build/release/bin/fathom" --deps "$deps" --write "$docs/bench-generate.md" "$@"
fi
if [ "$name" = all ] || [ "$name" = statistics ]; then
  "$python" "$here/statistics/run.py" --bench "$build/bench/bin/statistics_bench" --write "$docs/bench-statistics.md" "$@"
fi
if [ "$name" = all ] || [ "$name" = report ]; then
  "$python" "$here/report/run.py" --fathom "$build/release/bin/fathom" --deps "$deps" --write "$docs/bench-report.md" "$@"
fi
