#include "physics/group/members.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "core/error.hpp"
#include "device/host_loop.hpp"
#include "input/estimate.hpp"
#include "input/method.hpp"
#include "physics/boundary/deck/region.hpp"

namespace mesowarp::group {
namespace {

bool isIn(const std::vector<NumberRange>& ranges, i64 number) {
  return ranges.empty() ||
         std::any_of(ranges.begin(), ranges.end(), [&](const NumberRange& range) { return range.holds(number); });
}

std::vector<NumberRange> rangesIn(const std::string& text) {
  return text.empty() ? std::vector<NumberRange>() : rangesOf(text);
}

// One group: whether a particle meets all that is given.
class Test {
public:
  Test(const input::Deck& deck, const GroupKeys& keys)
      : keys_(keys), box_(boxOf(deck)), molecules_(rangesIn(keys.molecules)), particles_(rangesIn(keys.particles)) {
    for (const auto& species : deck.species)
      ofSpecies_.push_back(keys.species.empty() ||
                           std::find(keys.species.begin(), keys.species.end(), species) != keys.species.end());
    i64 first = 0;
    for (const input::Population* p : input::populationsOf(deck, ownerOfGroups())) {
      const i64 last = first + input::particleCount(*p, deck.box);
      if (std::find(keys.populations.begin(), keys.populations.end(), p->name) != keys.populations.end())
        tags_.push_back({first, last - 1, 1});
      first = last;
    }
    if (!keys.region.empty()) inRegion_ = boundary::regionOf(deck, keys.region);
  }

  bool operator()(const HostParticles& p, i64 i) const {
    const i64 tag = p.tag.empty() ? i : p.tag[i];
    if (!ofSpecies_[p.species[i]] || !isIn(particles_, tag)) return false;
    if (!keys_.populations.empty() && !std::any_of(tags_.begin(), tags_.end(), [&](auto& r) { return r.holds(tag); }))
      return false;
    if (!molecules_.empty() && !(i < static_cast<i64>(p.molecule.size()) && isIn(molecules_, p.molecule[i])))
      return false;
    std::array<double, 3> x;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      x[a] = toLength(box_, axis, p.position[i][a]);
      if (!(x[a] >= keys_.lower[a] && x[a] < keys_.upper[a])) return false;
    }
    return !inRegion_ || inRegion_(x);
  }

private:
  GroupKeys keys_;
  Box box_;
  std::vector<NumberRange> molecules_, particles_, tags_;  // tags of populations
  std::vector<bool> ofSpecies_;
  boundary::InRegion inRegion_;
};

}  // namespace

std::vector<u32> membersOf(const input::Deck& deck, const HostParticles& particles) {
  std::vector<u32> words(static_cast<std::size_t>(particles.count()), 0);
  const auto groups = allOf<GroupKeys>(deck);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    const Test test(deck, groups[k]);
    u32 any = 0, none = 0;
    for (const auto& name : groups[k].anyOf) any |= bitOf(deck, name);
    for (const auto& name : groups[k].noneOf) none |= bitOf(deck, name);
    hostLoop("members of a group", 0, particles.count(), [&](i64 i) {
      u32& word = words[static_cast<std::size_t>(i)];
      if ((any == 0 || (word & any) != 0) && (word & none) == 0 && test(particles, i)) word |= u32{1} << k;
    });
  }
  return words;
}

}  // namespace mesowarp::group
