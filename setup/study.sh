#!/usr/bin/env bash
# study.sh FATHOM DEPS [SAMPLES]: thirteen tasks on two simulated readers and on two small real models, with their pages, comparisons and gates, in runs/study.
# The simulated part takes a minute; the real one about an hour and a half on one core with 4 samples a cell (the default). Again: resumes, then asks nothing.
set -euo pipefail
fathom=$1
deps=$2
samples=${3:-4}
out=runs/study
corpora=(--corpus "essay=$deps/books" --corpus "words=$deps/words")

# expect CODE COMMAND…: the command must end with this exit code.
expect() {
  local wanted=$1 code=0
  shift
  "$@" || code=$?
  [ "$code" = "$wanted" ] || { echo "study: exit code $code where $wanted was due: $*" >&2; exit 1; }
}

for reader in strong weak; do
  "$fathom" run ruler-own --model "simulated/$reader" --tokenizer "$deps/tokenizers/llama3_1/tokenizer.json" --template none "${corpora[@]}" \
    --lengths 4k..64k --samples 40 -o "$out/$reader"
done
"$fathom" compare "$out/strong" "$out/weak" -o "$out/strong-weak"
expect 100 "$fathom" gate "$out/weak" --policy regression --baseline "$out/strong" -o "$out/gate-weak"
expect 0 "$fathom" gate "$out/strong" --policy regression --baseline "$out/strong" -o "$out/gate-strong"
"$fathom" report "$out/strong" "$out/weak" -o "$out/simulated.html"

for model in smollm2 gemma-3-270m; do
  "$fathom" run ruler-own --model "$deps/models/$model.gguf" "${corpora[@]}" --lengths 1k,2k,4k --samples "$samples" -o "$out/$model"
done
# Two vocabularies make two texts of one length, so these runs share no sample: paired comparison is refused, groups are compared.
expect 2 "$fathom" compare "$out/smollm2" "$out/gemma-3-270m"
"$fathom" compare "$out/smollm2" "$out/gemma-3-270m" --unpaired -o "$out/real"
"$fathom" report "$out/smollm2" "$out/gemma-3-270m" -o "$out/real.html"
echo
echo "Open $out/simulated.html and $out/real.html in a browser; each run has its own report.html."
