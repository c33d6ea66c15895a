#!/usr/bin/env bash
# check.sh DEPS [--quick]: format, clang's warnings, clang-tidy; then sanitizers and a minute of every fuzzer. Stops at the first finding.
set -euo pipefail
deps=$1
mode=${2:-}
say() { echo "check: $*" >&2; }

say "format"
find src tests \( -name '*.h' -o -name '*.cpp' \) -print0 | xargs -0 clang-format-16 --dry-run -Werror

say "clang 16 builds without a warning"
cmake --preset clang -DFATHOM_DEPS_DIR="$deps" >/dev/null
ninja -C build/clang --quiet

say "clang-tidy"
find src \( -name '*.cpp' -not -name '*_fuzz.cpp' -not -name '*_bench.cpp' \) -print0 |
  xargs -0 -n 4 -P "$(nproc)" clang-tidy-16 -p build/clang --quiet 2>/dev/null

[ "$mode" = --quick ] && exit 0

export FATHOM_PYTHON=$deps/python/bin/python
[ -d ../shared/data ] && FATHOM_SHARED_DATA=${FATHOM_SHARED_DATA:-$(cd ../shared/data && pwd)} && export FATHOM_SHARED_DATA
for preset in dev tsan; do
  say "fast tests with the sanitizers of '$preset'"
  cmake --preset $preset -DFATHOM_DEPS_DIR="$deps" >/dev/null
  ninja -C build/$preset --quiet
  ctest --test-dir build/$preset -L fast --output-on-failure
done

say "fuzzers, a minute each"
cmake --preset fuzz -DFATHOM_DEPS_DIR="$deps" >/dev/null
ninja -C build/fuzz --quiet
for fuzzer in build/fuzz/bin/*_fuzz; do
  name=$(basename "$fuzzer")
  mkdir -p "build/fuzz/corpus/$name"
  seeds=tests/data/fuzz/${name%_fuzz}
  [ -d "$seeds" ] || seeds=
  say "$name"
  "$fuzzer" -max_total_time="${FATHOM_FUZZ_SECONDS:-60}" -rss_limit_mb=4096 -timeout=20 -print_final_stats=0 -verbosity=0 \
    "build/fuzz/corpus/$name" $seeds
done
