#include "physics/integrate/box/box_flow.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace mesowarp {

BoxFlow::BoxFlow(const input::Deck& deck)
    : keys_(deck.own.get<DeformationKeys>()), start_(deck.box.size), timestep_(deck.run.timestep) {
  for (const ScheduleKeys& keys : schedulesOf(deck))
    for (std::size_t a = 0; a < 3; ++a)
      if (keys.key == std::string("box.size.") + "xyz"[a]) tables_[a] = keys;
}

bool BoxFlow::changesAt(std::int64_t step) const {
  if (!keys_.on || step < 1) return false;
  const bool due = step % keys_.every == 0;
  if (keys_.byItself() && step > keys_.from && (due || step == keys_.to) && (keys_.to == 0 || step <= keys_.to))
    return true;
  return std::any_of(tables_.begin(), tables_.end(), [&](const auto& table) {
    if (!table) return false;
    const double last = table->steps.back(), now = static_cast<double>(step);
    return now == last || (due && now < last);
  });
}

std::array<double, 3> BoxFlow::sizeAt(std::int64_t step) const {
  const std::int64_t last = keys_.to > 0 ? std::min(step, keys_.to) : step;
  const std::int64_t steps = std::max<std::int64_t>(last - keys_.from, 0);
  std::array<double, 3> size = start_;
  for (std::size_t a = 0; a < 3; ++a) {
    if (tables_[a])
      size[a] = tables_[a]->at(step);
    else if (keys_.size[a] > 0.0)
      size[a] = last == keys_.to ? keys_.size[a]
                                 : start_[a] + (keys_.size[a] - start_[a]) * static_cast<double>(steps) /
                                                   static_cast<double>(keys_.to - keys_.from);
    else
      size[a] = start_[a] * (1.0 + keys_.rate[a] * timestep_ * static_cast<double>(steps));
  }
  return size;
}

std::array<double, 3> BoxFlow::rateAt(std::int64_t step) const {
  std::array<double, 3> rate{};
  if (!keys_.on) return rate;
  std::int64_t next = step + 1, before = step;
  while (next < step + keys_.every && !changesAt(next)) ++next;
  if (!changesAt(next)) return rate;
  while (before > 0 && before % keys_.every != 0 && !changesAt(before)) --before;
  const auto then = before > 0 ? sizeAt(before) : start_, now = sizeAt(next);
  for (std::size_t a = 0; a < 3; ++a)
    rate[a] = std::log(now[a] / then[a]) / (timestep_ * static_cast<double>(next - before));
  return rate;
}

}  // namespace mesowarp
