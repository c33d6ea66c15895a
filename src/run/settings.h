// What a run is asked to do. RunSettings decide the results: they are written to run.json and
// compared when the run is resumed. RunLimits decide only how fast and how patiently: they may
// change from one session to the next.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/model.h"

namespace fathom {

struct RunSettings {
  ModelOptions model;    // threads are not compared; the key itself is never here
  ModelProfile profile;  // from Model::probe(); slots and notes are not compared
  Decoding decoding;
  int64_t max_output_tokens = 0;  // 0: each sample's own reserve
  int64_t attempts = 1;           // per sample (R10)
  bool add_special = true;  // Request::add_special: false where the chat template writes BOS itself

  std::string suite;  // name of the suite
  std::string
      dataset;  // folder or file the samples come from, for people and for remaking; not compared
  std::string dataset_hash;    // the manifest's
  std::string tokenizer;       // where it was loaded from; not compared
  std::string tokenizer_hash;  // TokenizerInfo::hash
  std::string chat_template;   // "none", "model" or the file's name
  std::string template_hash;   // hash of the template's text; empty: none
  std::string length_counts;   // to_text(LengthCounts)
  std::map<std::string, std::string>
      more;  // further settings that decide results, compared by name
};

// 0 means "no limit" unless said otherwise.
struct RunLimits {
  // How much at once.
  int64_t requests_in_flight = 0;  // 0: the model's slots, else 1 in-process and 8 for servers
  int64_t tokens_in_flight =
      0;  // prompt + output ceiling of all requests in flight; one request alone may exceed it
  int64_t requests_per_minute = 0;
  int64_t tokens_per_minute = 0;  // prompt + output ceiling
  bool adaptive =
      false;  // grow requests in flight from 1 while all goes well, halve them on 429 and overload

  // Retrying what may pass: 429, overload, 5xx, lost connections. Nothing else is sent again.
  int64_t tries = 6;  // requests per attempt for transient failures, the first included
  int64_t rate_limited_tries = 60;  // requests per attempt while the server answers 429
  int64_t first_backoff_ms =
      500;  // doubles with each try, ±50 % jitter; a longer Retry-After is honoured
  int64_t longest_backoff_ms = 60'000;
  int64_t retries_in_all = -1;  // for transient failures in this session; -1: 100 + 2 per sample

  // Deadline of one request from sending to its last token, by length: the entry with the smallest
  // length that is not below the sample's; longer samples and an empty map: none.
  std::map<int64_t, int64_t> deadline_ms;

  // When to give up (resumable): errors only, over-window, timeouts and out of memory are results.
  int64_t failures_in_a_row = 20;
  double failed_share = 0.2;  // of the attempts of this session, checked from `failed_share_from`
                              // attempts on and at the end
  int64_t failed_share_from = 50;

  // Comparing the server's prompt-token count with fathom's (R4).
  bool allow_count_mismatch =
      false;  // go on where the first replies all show another count than expected
  int64_t count_check_samples = 3;

  bool retry_errors = true;  // a resumed run asks again where the last session ended in an error
  int64_t stop_grace_ms = 5'000;  // wait for cancelled requests to end
};

// `index` of `count` processes that share the work and the folder, each with a journal of its own
// (D1).
struct RunShard {
  int64_t index = 0;  // from 0
  int64_t count = 1;
  bool operator==(const RunShard&) const = default;
};

}  // namespace fathom
