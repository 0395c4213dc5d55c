#include "physics/boundary/deck/channels.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"

namespace mesowarp::boundary {
namespace {

// The places of the fluid as a graph of neighbours. From each the walk goes on, counting how many boxes it has come
// along the axis: where it meets a place that it knows, with another count, a way leads through.
class Ways {
public:
  Ways(const input::Deck& deck, const SolidParts& parts, int axis, double cutoff)
      : deck_(deck), along_(static_cast<std::size_t>(axis)) {
    constexpr double most = 4194304.0;
    double volume = 1.0;
    for (const double edge : deck.box.size) volume *= edge;
    const double apart = std::max(0.25 * cutoff, std::cbrt(volume / most));
    std::size_t all = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      count_[a] = std::max(4, static_cast<int>(std::ceil(deck.box.size[a] / apart)));
      all *= static_cast<std::size_t>(count_[a]);
    }
    boxes_.assign(all, solid);
    const Solid walls = parts.view();
    for (std::size_t n = 0; n < all; ++n) {
      std::array<double, 3> x{};
      const auto at = place(n);
      for (std::size_t a = 0; a < 3; ++a) x[a] = (at[a] + 0.5) / count_[a] * deck.box.size[a];
      if (walls(parts.point(deck, x)).distance > 0.0) boxes_[n] = unknown;
    }
  }

  bool leadThrough() {
    for (std::size_t n = 0; n < boxes_.size(); ++n)
      if (boxes_[n] == unknown && throughFrom(n)) return true;
    return false;
  }

private:
  static constexpr int solid = std::numeric_limits<int>::max(), unknown = solid - 1;

  std::array<int, 3> place(std::size_t n) const {
    const auto x = static_cast<std::size_t>(count_[0]), y = static_cast<std::size_t>(count_[1]);
    return {static_cast<int>(n % x), static_cast<int>(n / x % y), static_cast<int>(n / x / y)};
  }
  std::size_t number(const std::array<int, 3>& at) const {
    return (static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(at[1])) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(at[0]);
  }

  bool throughFrom(std::size_t start) {
    boxes_[start] = 0;
    std::vector<std::size_t> open{start};
    while (!open.empty()) {
      const std::size_t here = open.back();
      open.pop_back();
      for (std::size_t a = 0; a < 3; ++a)
        for (const int step : {-1, 1}) {
          auto at = place(here);
          int boxes = boxes_[here];
          at[a] += step;
          if (at[a] < 0 || at[a] >= count_[a]) {
            if (!deck_.box.periodic[a]) continue;
            at[a] -= step * count_[a];
            if (a == along_) boxes += step;
          }
          int& known = boxes_[number(at)];
          if (known == solid) continue;
          if (known != unknown && known != boxes) return true;
          if (known == unknown) known = boxes, open.push_back(number(at));
        }
    }
    return false;
  }

  const input::Deck& deck_;
  std::size_t along_;
  std::array<int, 3> count_{};
  std::vector<int> boxes_;  // that the walk has come along the axis
};

}  // namespace

bool isOpenAlong(const input::Deck& deck, const SolidParts& parts, int axis, double cutoff) {
  return deck.box.periodic[static_cast<std::size_t>(axis)] && Ways(deck, parts, axis, cutoff).leadThrough();
}

void checkChannels(const input::Deck& deck, const SolidParts& parts, double cutoff, input::Report& report) {
  int known[3] = {-1, -1, -1};
  const auto closed = [&](int axis) {
    if (known[axis] < 0) known[axis] = isOpenAlong(deck, parts, axis, cutoff) ? 1 : 0;
    return deck.box.periodic[static_cast<std::size_t>(axis)] && known[axis] == 0;
  };
  const auto text = [&](int axis, const char* what) {
    return fmt::format(
        "the walls close the box along {0}: {1}; leave a way through them along {0}, or drive another axis",
        "xyz"[axis], what);
  };
  if (const auto& rate = deck.own.get<FlowRateKeys>(); rate.on && closed(rate.along))
    report.error("flow_rate.along", text(rate.along, "no force makes the fluid flow there"));
  const auto inflows = inflowsOf(deck);
  for (std::size_t k = 0; k < inflows.size(); ++k)
    if (closed(inflows[k].along))
      report.error(fmt::format("{}.{}", InflowKeys::block, k), text(inflows[k].along, "what flows in cannot flow out"));
  for (std::size_t k = 0; k < deck.drives.size(); ++k)
    for (int axis = 0; axis < 3; ++axis)
      if (deck.drives[k].style == input::DriveStyle::constant &&
          deck.drives[k].acceleration[static_cast<std::size_t>(axis)] != 0.0 && closed(axis))
        report.warning(fmt::format("drive.{}.acceleration", k),
                       text(axis, "the fluid is pressed against them, and does not flow"));
}

}  // namespace mesowarp::boundary
