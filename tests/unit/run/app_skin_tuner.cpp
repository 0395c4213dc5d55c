// When a skin is widened, by the counts that a population would have.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "state/skin_tuner.hpp"

namespace mesowarp {
namespace {

// A fluid of density 3 and cutoff 1 in which a list lasts so many steps for each 0.1 of the skin.
struct Fluid {
  double stepsPerTenth, room = 1e9;
  SkinTuner tuner{0.3};
  double skin = 0.3;
  i64 rebuilds = 0;
  int changes = 0;

  double entries() const { return 3.0 * 4.0 / 3.0 * M_PI * std::pow(1.0 + skin, 3); }
  i64 lasts() const { return std::max(i64{1}, static_cast<i64>(stepsPerTenth * 10.0 * skin)); }

  void run(i64 steps) {
    for (i64 step = 0; step < steps; step += lasts(), ++rebuilds) {
      if (!tuner.due(step)) continue;
      const double now = tuner.at(step, rebuilds, entries(), 1.0, skin, [this](double wider) { return wider <= room; });
      changes += now != skin ? 1 : 0;
      skin = now;
    }
  }
};

TEST(SkinTuner, LeavesListsAloneThatLast) {
  for (const double stepsPerTenth : {1.0, 2.0, 7.0}) {
    Fluid fluid{stepsPerTenth};
    fluid.run(1000);
    EXPECT_EQ(fluid.skin, 0.3) << stepsPerTenth;
    EXPECT_EQ(fluid.changes, 0) << stepsPerTenth;
  }
}

TEST(SkinTuner, WidensWhereAListLastsOneStep) {
  Fluid fluid{0.4};  // one step with 0.3, two with 0.5
  fluid.run(1000);
  EXPECT_NEAR(fluid.skin, 0.5, 1e-12);
}

TEST(SkinTuner, GoesBackWhereAWiderOneDoesNotKeepItsPromise) {
  Fluid fluid{0.15};  // one step with 0.3 and with 0.5
  fluid.run(1000);
  EXPECT_NEAR(fluid.skin, 0.3, 1e-12);
  EXPECT_EQ(fluid.changes, 2);
}

TEST(SkinTuner, KeepsToTheBox) {
  Fluid fluid{0.4};
  fluid.room = 0.4;
  fluid.run(1000);
  EXPECT_EQ(fluid.changes, 0);
}

TEST(SkinTuner, GoesOnFromItsState) {
  for (const i64 stop : {20, 60, 110, 180, 400}) {
    Fluid whole{0.4}, part{0.4};
    whole.run(1000);
    i64 step = 0;
    const auto advance = [&](i64 to) {
      for (; step < to; step += part.lasts(), ++part.rebuilds)
        if (part.tuner.due(step))
          part.skin = part.tuner.at(step, part.rebuilds, part.entries(), 1.0, part.skin, [](double) { return true; });
    };
    advance(stop);
    const auto state = part.tuner.state();
    part.tuner = SkinTuner(0.3);
    part.tuner.restore(state);
    advance(1000);
    EXPECT_EQ(part.skin, whole.skin) << stop;
  }
}

TEST(SkinTuner, DoesNothingUnlessAsked) { EXPECT_FALSE(SkinTuner().due(1000)); }

}  // namespace
}  // namespace mesowarp
