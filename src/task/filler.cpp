#include "task/filler.h"

#include <algorithm>
#include <utility>

#include "corpus/noise.h"
#include "corpus/prose.h"

namespace fathom {
namespace {

constexpr const char* kClosers = "filler.closers";
constexpr size_t kProseClosers = 300;
constexpr size_t kLineClosers = 64;

class NoiseFiller : public Filler {
 public:
  NoiseFiller(std::string line, const std::vector<std::string>& closers)
      : line_(std::move(line)), closers_(closers) {}
  std::string_view separator() const override { return "\n"; }
  void append_unit(size_t, std::string& out) const override { out += line_; }
  size_t closers() const override { return closers_.size(); }
  void append_closer(size_t closer, std::string& out) const override { out += closers_[closer]; }
  std::string_view closer_separator() const override { return " "; }
  std::string note(size_t) const override { return ""; }
  Result<void> check(size_t) const override { return {}; }

 private:
  std::string line_;
  std::vector<std::string> closers_;
};

// Closers are the sentences before the start: real text that the walk reaches last.
class ProseFiller : public Filler {
 public:
  ProseFiller(ProseReader reader, const std::vector<std::string>& spare)
      : reader_(std::move(reader)), spare_(spare) {
    const size_t sentences = reader_.prose()->sentences().size();
    own_closers_ = std::min(kProseClosers, sentences / 2);
  }
  std::string_view separator() const override { return " "; }
  void append_unit(size_t unit, std::string& out) const override { out += reader_.sentence(unit); }
  size_t closers() const override { return own_closers_ + spare_.size(); }
  size_t preferred_closers() const override { return own_closers_; }
  void append_closer(size_t closer, std::string& out) const override {
    if (closer >= own_closers_) {
      out += spare_[closer - own_closers_];
      return;
    }
    const size_t sentences = reader_.prose()->sentences().size();
    out += reader_.sentence(sentences - 1 - closer);
  }
  std::string note(size_t units) const override {
    const uint64_t repeats = reader_.repeats(units);
    if (repeats == 0) return "";
    return fmt::format("haystack text repeated {} {}", repeats, repeats == 1 ? "time" : "times");
  }
  Result<void> check(size_t) const override { return {}; }

 private:
  ProseReader reader_;
  std::vector<std::string> spare_;
  size_t own_closers_ = 0;
};

// Remembers the lines it drew; closers are drawn first, so that lines do not depend on their
// number.
class LineFiller : public Filler {
 public:
  LineFiller(std::function<Result<std::string>()> line, const std::vector<std::string>& spare)
      : line_(std::move(line)), spare_(spare) {
    while (own_.size() < kLineClosers) {
      auto closer = line_();
      if (!closer) break;
      own_.push_back(std::move(*closer));
    }
  }
  std::string_view separator() const override { return "\n"; }
  void append_unit(size_t unit, std::string& out) const override {
    if (draw(unit + 1)) out += lines_[unit];
  }
  size_t closers() const override { return own_.size() + spare_.size(); }
  size_t preferred_closers() const override { return own_.size(); }
  void append_closer(size_t closer, std::string& out) const override {
    out += closer < own_.size() ? own_[closer] : spare_[closer - own_.size()];
  }
  std::string note(size_t) const override { return ""; }
  Result<void> check(size_t units) const override {
    if (draw(units)) return {};
    return fail(failure_);
  }

 private:
  bool draw(size_t count) const {
    while (lines_.size() < count && !failed_) {
      auto line = line_();
      if (!line) {
        failed_ = true;
        failure_ = line.error();
        break;
      }
      lines_.push_back(std::move(*line));
    }
    return lines_.size() >= count;
  }

  std::function<Result<std::string>()> line_;
  std::vector<std::string> spare_;
  std::vector<std::string> own_;
  mutable std::vector<std::string> lines_;
  mutable bool failed_ = false;
  mutable Error failure_;
};

ProseReader prose_reader(const TaskInputs& inputs) {
  Random random(inputs.key, "haystack start");
  return {inputs.corpora.essay, random};
}

}  // namespace

std::vector<ParameterSpec> filler_parameters(const std::string& haystack,
                                             std::vector<std::string> haystacks) {
  return {
      {"haystack", "the text around the evidence", haystack, 0, 0, std::move(haystacks)},
      {"noise", "which sentences noise is made of", std::string("grass"), 0, 0, noise_names()},
  };
}

WordingListSpec filler_closers() { return {kClosers, 8}; }

Result<std::unique_ptr<Filler>> make_noise_filler(const TaskInputs& inputs) {
  TRY(const Noise noise, find_noise(inputs.parameters.text("noise")));
  return std::unique_ptr<Filler>(
      std::make_unique<NoiseFiller>(noise.line(), inputs.wording.list(kClosers)));
}

std::unique_ptr<Filler> make_prose_filler(const TaskInputs& inputs) {
  return std::make_unique<ProseFiller>(prose_reader(inputs), inputs.wording.list(kClosers));
}

std::unique_ptr<Filler> make_line_filler(const TaskInputs& inputs,
                                         std::function<Result<std::string>()> line) {
  return std::make_unique<LineFiller>(std::move(line), inputs.wording.list(kClosers));
}

Result<std::unique_ptr<Filler>> make_filler(const TaskInputs& inputs) {
  if (inputs.parameters.text("haystack") == "noise") return make_noise_filler(inputs);
  return make_prose_filler(inputs);
}

std::string haystack_name(const TaskInputs& inputs, const std::string& kind) {
  if (kind == "essay") {
    return fmt::format("essay:{}:{}", inputs.corpora.essay->info().hash.substr(0, 12),
                       prose_reader(inputs).start());
  }
  return fmt::format("{}:{:016x}", kind, inputs.key.value());
}

}  // namespace fathom
