// How long lists are planned to be used, played against particles that allow so many steps.
#include <gtest/gtest.h>
#include <random>

#include "state/list_interval.hpp"

namespace mesowarp {
namespace {

struct Played {
  i64 steps = 0, lists = 0, cuts = 0;
  double mean() const { return static_cast<double>(steps) / static_cast<double>(lists); }
};

// allowed(): how many steps the next list would be good for.
template <class Allowed>
Played play(ListInterval& interval, int lists, const Allowed& allowed) {
  Played played;
  for (int k = 0; k < lists; ++k) {
    const int good = allowed();
    ++played.lists;
    if (good < interval.steps())
      played.steps += good, ++played.cuts, interval.cut(good);
    else
      played.steps += interval.steps(), interval.lasted();
  }
  return played;
}

TEST(AppListInterval, FindsWhatIsAllowed) {
  for (const int allowed : {1, 2, 5, 6, 16, 100}) {
    ListInterval interval;
    play(interval, 200, [&] { return allowed; });
    const Played played = play(interval, 1000, [&] { return allowed; });
    EXPECT_GT(played.mean(), 0.999 * allowed) << allowed;
    EXPECT_LE(played.cuts, 16) << allowed;
  }
}

// Between 5 and 7, 6 mostly.
TEST(AppListInterval, StaysNearWhatVaries) {
  std::mt19937 random(1);
  std::discrete_distribution<int> around({10, 80, 10});
  ListInterval interval;
  play(interval, 100, [&] { return 5 + around(random); });
  const Played played = play(interval, 2000, [&] { return 5 + around(random); });
  EXPECT_GT(played.mean(), 5.7);
  EXPECT_LT(static_cast<double>(played.cuts), 0.2 * 2000);
}

TEST(AppListInterval, FollowsAHotStart) {
  ListInterval interval;
  play(interval, 20, [] { return 2; });
  EXPECT_LE(interval.steps(), 3);
  play(interval, 60, [] { return 9; });
  EXPECT_EQ(interval.steps(), 9);
  play(interval, 3, [] { return 4; });
  EXPECT_EQ(interval.steps(), 4);
}

TEST(AppListInterval, GoesOnFromItsState) {
  std::mt19937 random(2);
  const auto allowed = [&] { return static_cast<int>(4 + random() % 4); };
  ListInterval one;
  play(one, 37, allowed);
  ListInterval other;
  other.restore(one.state());
  std::mt19937 again = random;
  play(one, 50, allowed);
  random = again;
  play(other, 50, allowed);
  EXPECT_EQ(one.state(), other.state());
}

}  // namespace
}  // namespace mesowarp
