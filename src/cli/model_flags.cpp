#include "cli/model_flags.h"

#include "cli/command.h"

namespace fathom {

void add_model_flags(CLI::App& command, ModelFlags& flags) {
  ModelOptions& model = flags.model;
  command
      .add_option("-m,--model", model.model,
                  "model.gguf (in-process), openai/NAME (any OpenAI-compatible server), "
                  "simulated/PROFILE (weak, strong, perfect)")
      ->required()
      ->type_name("MODEL")
      ->group("Model");
  command
      .add_option("--base-url", model.base_url,
                  "Server address, with or without /v1 (else OPENAI_BASE_URL)")
      ->type_name("URL")
      ->group("Model");
  command.add_option("--api", model.api, "chat or completions")
      ->check(CLI::IsMember({"chat", "completions"}))
      ->group("Model");
  command
      .add_option("--prefix", flags.prefix,
                  "How a chat gets the start of the answer: continue (the server goes on from it), "
                  "in-message, dropped")
      ->type_name("POLICY")
      ->group("Model");
  command
      .add_option("--key-env", model.api_key_variable,
                  "Environment variable that holds the key (else OPENAI_API_KEY)")
      ->type_name("NAME")
      ->group("Model");
  command
      .add_option("--context", model.context_tokens,
                  "In-process: window to allocate, tokens (0: what the lengths need)")
      ->check(kNotNegative)
      ->type_name("N")
      ->group("Model");
  command
      .add_option("--threads", model.threads,
                  "Threads for making samples and in-process models (0: free cores)")
      ->check(CLI::Range(0, 1024))
      ->type_name("N")
      ->group("Model");
  command
      .add_option("--idle-timeout", model.idle_timeout_ms,
                  "Longest silence of a server, ms (0: from the prompt's length)")
      ->check(kNotNegative)
      ->type_name("MS")
      ->group("Model");
  command.add_option("--reader-seed", model.seed, "Seed of a simulated reader")
      ->type_name("N")
      ->group("Model");
}

void add_request_flags(CLI::App& command, RequestFlags& flags) {
  Decoding& decoding = flags.decoding;
  RunLimits& limits = flags.limits;
  command.add_option("--temperature", decoding.temperature, "0: greedy")
      ->check(CLI::Range(0.0, 10.0))
      ->group("Decoding");
  command.add_option("--top-p", decoding.top_p, "Nucleus sampling")
      ->check(CLI::Range(0.0, 1.0))
      ->group("Decoding");
  command.add_option("--decoding-seed", decoding.seed, "Seed of sampling")
      ->type_name("N")
      ->group("Decoding");
  command
      .add_option("--max-output", flags.max_output_tokens,
                  "Answer limit in tokens (0: each task's own reserve)")
      ->check(kNotNegative)
      ->type_name("N")
      ->group("Decoding");
  command
      .add_option("--concurrency", limits.requests_in_flight,
                  "Requests at once (0: the model's slots, else 8)")
      ->check(kNotNegative)
      ->type_name("N")
      ->group("Limits");
  command
      .add_option("--tokens-in-flight", limits.tokens_in_flight, "Prompt and answer tokens at once")
      ->check(kNotNegative)
      ->type_name("N")
      ->group("Limits");
  command.add_option("--rpm", limits.requests_per_minute, "Requests per minute")
      ->check(kNotNegative)
      ->type_name("N")
      ->group("Limits");
  command.add_option("--tpm", limits.tokens_per_minute, "Tokens per minute")
      ->check(kNotNegative)
      ->type_name("N")
      ->group("Limits");
  command
      .add_flag("--adaptive", limits.adaptive,
                "Find the best number of requests at once while running")
      ->group("Limits");
  command.add_option("--tries", limits.tries, "Requests per sample while failures look transient")
      ->check(CLI::Range(int64_t{1}, int64_t{1000}))
      ->type_name("N")
      ->group("Limits");
  command
      .add_option("--failed-share", limits.failed_share,
                  "Stop when more than this share of attempts failed")
      ->check(CLI::Range(0.0, 1.0))
      ->group("Limits");
  command
      .add_flag("--allow-count-mismatch", limits.allow_count_mismatch,
                "Go on where the server counts other prompt tokens than the tokenizer")
      ->group("Limits");
}

Result<ModelOptions> model_options_of(const ModelFlags& flags) {
  ModelOptions options = flags.model;
  if (flags.prefix.empty()) return options;
  for (const PrefixPolicy policy : {PrefixPolicy::kInPrompt, PrefixPolicy::kContinue,
                                    PrefixPolicy::kInMessage, PrefixPolicy::kDropped}) {
    if (flags.prefix == to_text(policy)) {
      options.prefix_policy = policy;
      return options;
    }
  }
  return fail(ErrorCode::kUsage,
              "--prefix: '{}' is none of continue, in-message, in-prompt, dropped", flags.prefix);
}

}  // namespace fathom
