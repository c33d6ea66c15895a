#!/usr/bin/env bash
# arms.sh FATHOM DEPS [MODEL] [SAMPLES]: the study of sparse attention on a small real model, in runs/arms-MODEL: full attention twice, the evidence alone,
# everything but the evidence, and selectors at two budgets, on the same samples. MODEL: smollm2 (the default; 40 samples a cell, under two hours on two
# free cores) or gemma-3-270m (20 samples, 1K and 4K). Again: resumes, then asks nothing.
set -euo pipefail
fathom=$1
deps=$2
model=${3:-smollm2}
case $model in
  smollm2) shape=(--lengths 512,1k,2k --samples "${4:-40}") ;;
  gemma-3-270m) shape=(--lengths 1k,4k --samples "${4:-20}") ;;
  *) echo "arms: '$model' is neither smollm2 nor gemma-3-270m" >&2; exit 2 ;;
esac
out=runs/arms-$model
study=("$fathom" run sparse-small --model "$deps/models/$model.gguf" --corpus "essay=$deps/books" --corpus "words=$deps/words" "${shape[@]}"
  --block 16 --sinks 16 --window 32)

"${study[@]}" --arms full,oracle,knockout,streaming,quest,snapkv,bm25,random --arm-seeds 1 --budget 128,256 --noise-floor -o "$out"
echo
echo "Open $out/report.html in a browser. One arm against another: fathom compare $out/full $out/quest-256"
