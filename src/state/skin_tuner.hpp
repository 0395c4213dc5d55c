// Widens the skin of a neighbour list that is built anew nearly every step (neighbor.tune of a deck). A wider skin
// makes rows longer and lists last longer; which pays is told from counts alone: how many steps lists last, and how
// many entries a row has on average. Both follow from the particles' motion and not from any clock, so a deck run twice
// is tuned alike, and a checkpoint carries the decision on. Lists that last a few steps are near the best skin already,
// whatever the machine (perf/log/steps_and_graphs.md), and are left alone.
//
// At builds: let a window of steps pass, count for another; if a skin wider by two thirds of the deck's promises
// enough, try that, and go back if the counts say that it did not keep it.
#pragma once

#include <array>
#include <bit>
#include <optional>

#include "core/types.hpp"
#include "device/config.hpp"

namespace mesowarp {

// Time of a particle and step, in that of one entry of a row: core + entries + (build + perEntry entries) / steps
// between builds. Fitted to fluids of density 3 (perf/log/skin.md).
struct ListCosts {
  double core, build, perEntry;
  double of(double entries, double lasts) const { return core + entries + (build + perEntry * entries) / lasts; }
};
constexpr ListCosts listCosts = backend::onGpu ? ListCosts{57.0, 51.0, 2.3} : ListCosts{138.0, 150.0, 2.0};

class SkinTuner {
public:
  static constexpr i64 window = 50;            // steps
  static constexpr double promise = 0.95;      // of the cost now, to try a wider skin
  static constexpr double kept = 0.97;         // to keep it
  static constexpr double mostPerRank = 16e6;  // particles: of more, longer rows might not fit

  SkinTuner() = default;  // does nothing
  explicit SkinTuner(double skin) : stage_(Stage::waits), stride_(2.0 / 3.0 * skin) {}

  // Whether a build at this step is one to look at the counts: then at().
  bool due(i64 step) const { return stage_ != Stage::off && step >= since_ + window; }

  // rebuilds: before this build; entries: mean of a row of the list that ends here. fits(skin): whether the box has
  // room for it. The skin from this build on.
  template <class Fits>
  double at(i64 step, i64 rebuilds, double entries, double cutoff, double skin, const Fits& fits) {
    if (stage_ == Stage::waits) return begin(Stage::counts, step, rebuilds), skin;
    const double lasts = static_cast<double>(step - since_) / static_cast<double>(rebuilds - rebuilds_);
    const double cost = listCosts.of(entries, lasts);
    if (before_ > 0.0 && cost > kept * before_) return stage_ = Stage::off, skin - stride_;
    const double wider = skin + stride_, ratio = (cutoff + wider) / (cutoff + skin);
    const double hoped = listCosts.of(entries * ratio * ratio * ratio, lasts * wider / skin + 0.5);
    if (hoped > promise * cost || !fits(wider)) return stage_ = Stage::off, skin;
    before_ = cost;
    begin(Stage::waits, step, rebuilds);
    return wider;
  }

  std::array<i64, 4> state() const {
    return {static_cast<i64>(stage_), since_, rebuilds_, std::bit_cast<i64>(before_)};
  }
  void restore(const std::array<i64, 4>& s) {
    stage_ = static_cast<Stage>(s[0]), since_ = s[1], rebuilds_ = s[2], before_ = std::bit_cast<double>(s[3]);
  }

private:
  enum class Stage : i64 { off, waits, counts };
  void begin(Stage stage, i64 step, i64 rebuilds) { stage_ = stage, since_ = step, rebuilds_ = rebuilds; }

  Stage stage_ = Stage::off;
  i64 since_ = 0, rebuilds_ = 0;
  double stride_ = 0.0;  // length
  double before_ = 0.0;  // cost with the skin of before; 0: none was tried
};

}  // namespace mesowarp
