// The recorder of a [[measure]]: samples are added up for a while, then averaged into a block of a file, and what is
// not written yet goes through checkpoints. Kind says what sums, blocks and files are:
//
//   Kind(context, measure)
//   Sums:   empty(), clear(), samples(), numbers(), restore(values, count, samples)
//   Writer: append(block), mark(step, marks), flush(); Earlier: what an earlier run left
//   wish(): of a sample    add(sums, engine, edges of the box): one    settle(sums): before numbers() or a block;
//   both collective
//   block(sums, first, last)    bins(): in words
//   look(context), create(directory), resume(directory, lastStep, earlier), missing(earlier): names of files
#pragma once

#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <spdlog/spdlog.h>

#include "core/error.hpp"
#include "io/ranks.hpp"
#include "run/recorders/recorder.hpp"

namespace mesowarp {

template <class Kind>
class BinRecorder final : public Recorder {
public:
  BinRecorder(const RecorderContext& context, const input::Measure& measure)
      : context_(context), measure_(measure), kind_(context, measure), sums_(kind_.sums()) {}

  void check() override {
    io::onRoot(context_.ranks, [&] { earlier_ = kind_.look(context_); });
  }

  void open() override {
    io::onRoot(context_.ranks, [&] {
      if (context_.resumedFrom < 0)
        writer_.emplace(kind_.create(context_.directory));
      else
        continueFiles();
    });
  }

  void mark(i64 step, io::FileMarks& marks) override {
    io::onRoot(context_.ranks, [&] { writer_->mark(step, marks); });
  }

  Wanted wants(i64 step, bool) const override {
    Wanted wanted;
    wanted.velocities = step >= measure_.start && (step - measure_.start) % measure_.every == 0;
    wanted.virials = wanted.velocities && kind_.wish().stress;
    return wanted;
  }

  void record(i64 step, Engine& engine, const RunClock&) override {
    if (step <= last_) return;
    if (!sums_.empty() && blockOf(step) != blockOf(first_)) write();
    if (sums_.empty()) first_ = step;
    kind_.add(sums_, engine, engine.boxSize().value_or(context_.deck.box.size));
    last_ = step;
  }

  void finish() override {
    if (!sums_.empty() && !onlyBeginsAWindow()) write();
    io::onRoot(context_.ranks, [&] { writer_->flush(); });
  }

  void save(std::vector<io::ArrayView>& arrays, std::vector<std::vector<std::byte>>& storage) const override {
    kind_.settle(sums_);
    std::vector<double> values{static_cast<double>(first_), static_cast<double>(last_),
                               static_cast<double>(sums_.samples())};
    const std::vector<double> sums = sums_.numbers();
    values.insert(values.end(), sums.begin(), sums.end());
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage.emplace_back(bytes, bytes + values.size() * sizeof(double));
    arrays.push_back({arrayName(), io::ElementType::f64, values.size(), 1, storage.back().data()});
  }

  void restore(const io::CheckpointContent& content) override {
    const auto it = content.arrays.find(arrayName());
    isNew_ = it == content.arrays.end();
    if (isNew_) return;
    std::vector<double> values(it->second.data.size() / sizeof(double));
    std::memcpy(values.data(), it->second.data.data(), values.size() * sizeof(double));
    if (values.size() < 3 || !sums_.restore(values.data() + 3, values.size() - 3, static_cast<i64>(values[2])))
      throw InputError(fmt::format("the checkpoint has sums of [[measure]] '{}' with other bins than the deck's {}: "
                                   "give it another name, and it begins anew",
                                   measure_.name, kind_.bins()));
    first_ = static_cast<i64>(values[0]), last_ = static_cast<i64>(values[1]);
  }

private:
  using Writer = typename Kind::Writer;

  // Blocks before the unfinished one are complete; a partial copy of it, written when the earlier run ended, goes.
  void continueFiles() {
    if (isNew_)
      spdlog::warn("the checkpoint has no sums of [[measure]] '{}': it begins behind step {}", measure_.name,
                   context_.resumedFrom);
    else
      for (const auto& name : kind_.missing(earlier_)) tellOfNewFile(context_, name);
    const i64 lastStep = isNew_ ? context_.resumedFrom : sums_.empty() ? last_ : first_ - 1;
    writer_.emplace(kind_.resume(context_.directory, lastStep, earlier_));
  }
  std::string arrayName() const { return "profile_" + measure_.name; }
  i64 blockOf(i64 step) const { return measure_.window > 0 ? (step - measure_.start) / measure_.window : 0; }
  // A run of whole windows ends with the first sample of the next one, which is no block: it waits in the checkpoint.
  bool onlyBeginsAWindow() const {
    return sums_.samples() == 1 && measure_.window > measure_.every && blockOf(first_) > 0;
  }
  void write() {
    kind_.settle(sums_);
    if (writer_) writer_->append(kind_.block(sums_, first_, last_));
    sums_.clear();
  }

  RecorderContext context_;
  input::Measure measure_;
  Kind kind_;
  typename Kind::Sums sums_;
  typename Kind::Earlier earlier_;  // of the root
  std::optional<Writer> writer_;    // of the root
  bool isNew_ = false;              // in a resumed run
  i64 first_ = 0, last_ = -1;
};

}  // namespace mesowarp
