// The [[inflow]] blocks: grammar and checks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/shear.hpp"
#include "input/grammar/value.hpp"
#include "input/schema.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/integrate/inflow_keys.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

std::vector<Key<InflowKeys>> inflowKeys() {
  const std::vector<std::string> axes{"x", "y", "z"};
  return {
      choice("along", &InflowKeys::along, axes).means("the axis of the flow, along which the box is periodic"),
      bind(Type::number, "from", &InflowKeys::from).in("length").need().means("the region's plane upstream"),
      bind(Type::number, "to", &InflowKeys::to)
          .in("length")
          .need()
          .means("its plane downstream: here the fluid flows in"),
      bind(Type::number, "velocity", &InflowKeys::velocity)
          .in("length / time")
          .need()
          .means("of the flow, its mean over the cross-section"),
      choice("profile", &InflowKeys::profile, {"plug", "slit", "tube"})
          .means("plug: the same everywhere; slit: a parabola between two walls; tube: one in a round tube"),
      choice("across", &InflowKeys::across, axes).only("profile", {"slit"}).means("the axis from wall to wall"),
      bind(Type::number, "lower", &InflowKeys::lower)
          .only("profile", {"slit"})
          .in("length")
          .need()
          .means("a wall's place"),
      bind(Type::number, "upper", &InflowKeys::upper)
          .only("profile", {"slit"})
          .in("length")
          .need()
          .means("the other's"),
      bind(Type::numbers, "center", &InflowKeys::center)
          .only("profile", {"tube"})
          .in("length")
          .need()
          .means("a point of the tube's axis"),
      bind(Type::number, "radius", &InflowKeys::radius)
          .only("profile", {"tube"})
          .above(0)
          .in("length")
          .need()
          .means("of the tube"),
      bind(Type::number, "rate", &InflowKeys::rate)
          .above(0)
          .in("1 / time")
          .need()
          .means("how fast particles in the region take on its velocity: what differs decays as exp(-rate t), so "
                 "the region must be several velocity / rate long"),
      bind(Type::number, "temperature", &InflowKeys::temperature)
          .from(0)
          .in("energy")
          .derived("run.temperature")
          .means("k_BT of what flows in"),
      bind(Type::integer, "every", &InflowKeys::every)
          .from(1)
          .to(1e6)
          .in("steps")
          .means("between two kicks, each of which makes up for all of them"),
      bind(Type::number, "integral", &InflowKeys::integral)
          .from(0)
          .in("1 / time")
          .derived("a quarter of rate times the region's part of the box")
          .means("gain with which the region's velocity follows what the mean of the flow lacks of `velocity`; 0: it "
                 "stays as it is, and the flow is slower where a channel resists it")};
}

std::string path(std::size_t k, const char* key) { return fmt::format("{}.{}.{}", InflowKeys::block, k, key); }

// Planes of an axis: in the box, and in order.
void checkPlanes(const Deck& deck, std::size_t k, int axis, const char* first, double low, const char* second,
                 double high, Report& report) {
  const double size = deck.box.size[static_cast<std::size_t>(axis)];
  if (!(low < high))
    report.error(path(k, second), fmt::format("{} = {} must be above {} = {}", second, high, first, low));
  else if (low < 0.0 || high > size)
    report.error(path(k, low < 0.0 ? first : second),
                 fmt::format("the box goes from 0 to {} along {}", size, "xyz"[axis]));
}

void checkOne(const Deck& deck, const InflowKeys& keys, std::size_t k, Report& report) {
  const auto axis = static_cast<std::size_t>(keys.along);
  if (!deck.box.periodic[axis])
    report.error(path(k, "along"), fmt::format("an inflow needs a box that is periodic along {}: what flows out comes "
                                               "back into the region",
                                               "xyz"[axis]));
  checkPlanes(deck, k, keys.along, "from", keys.from, "to", keys.to, report);
  if (keys.to - keys.from >= deck.box.size[axis])
    report.error(path(k, "to"), "the region fills the whole box, and leaves nothing to flow through: make it shorter");
  if (keys.profile == InflowProfile::slit) {
    if (keys.across == keys.along)
      report.error(path(k, "across"), "a slit's walls lie along the flow: across must be another axis than along");
    checkPlanes(deck, k, keys.across, "lower", keys.lower, "upper", keys.upper, report);
  }
  if (keys.profile == InflowProfile::tube)
    for (std::size_t a = 0; a < 3; ++a)
      if (a != axis && keys.radius > 0.5 * deck.box.size[a])
        report.error(path(k, "radius"), fmt::format("a tube of radius {} is wider than the box along {}, {}",
                                                    keys.radius, "xyz"[a], deck.box.size[a]));
  const double decay = keys.rate * deck.run.timestep * static_cast<double>(keys.every);
  if (decay > 0.2)
    report.warning(path(k, isGiven(deck, path(k, "every")) ? "every" : "rate"),
                   fmt::format("rate times the time between two kicks is {:.3g}: above 0.2 forces and kicks come too "
                               "far apart",
                               decay));
  const double length = std::abs(keys.velocity) / keys.rate;
  if (keys.from < keys.to && keys.to - keys.from < 3.0 * length)
    report.warning(path(k, "rate"), fmt::format("fluid passes the region, {:.3g} long, before it has its velocity, for "
                                                "which it needs {:.3g}: give a higher rate or a longer region",
                                                keys.to - keys.from, 3.0 * length));
}

bool overlap(const InflowKeys& a, const InflowKeys& b) {
  return a.along == b.along && a.from < b.to && b.from < a.to &&
         (a.profile != InflowProfile::slit || b.profile != InflowProfile::slit || a.across != b.across ||
          (a.lower < b.upper && b.lower < a.upper)) &&
         (a.profile != InflowProfile::tube || b.profile != InflowProfile::tube);
}

}  // namespace

const Block<OwnItem>& inflowBlock() {
  static const Block<OwnItem> block = [] {
    BlockInfo info{InflowKeys::block, true, false, "",
                   "A region across a periodic box in which particles get the velocities of a flow from outside: what "
                   "enters it has flowed out, what leaves it flows in. Momentum is not conserved."};
    info.owner = &fluidBlocks();
    return ownList<InflowKeys>(std::move(info), inflowKeys());
  }();
  return block;
}

void completeInflows(BlocksRead& read) {
  const auto it = read.deck.lists.find(InflowKeys::block);
  if (it == read.deck.lists.end()) return;
  for (OwnItem& item : it->second) {
    auto& keys = item.own.get<InflowKeys>();
    if (keys.temperature < 0.0) keys.temperature = read.deck.run.temperature;
    const double length = read.deck.box.size[static_cast<std::size_t>(keys.along)];
    if (keys.integral < 0.0)
      keys.integral = length > 0.0 ? 0.25 * keys.rate * std::max(0.0, keys.to - keys.from) / length : 0.0;
  }
}

void checkInflows(const Deck& deck, Report& report) {
  const auto all = inflowsOf(deck);
  const auto missing = [&](const std::vector<std::string>& columns) {
    return all.empty() && std::find(columns.begin(), columns.end(), inflowColumns) != columns.end();
  };
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    if (missing(deck.outputs[k].columns))
      report.error(fmt::format("output.{}.columns", k),
                   "\"inflows\": this deck has no [[inflow]] block: add one, or leave the word out");
  for (std::size_t k = 0; k < all.size(); ++k) {
    checkOne(deck, all[k], k, report);
    if (deck.own.get<Shear>().on)
      report.error(fmt::format("{}.{}", InflowKeys::block, k),
                   "an inflow does not go with [shear]: leave one of them out");
    for (std::size_t j = 0; j < k; ++j)
      if (overlap(all[j], all[k]))
        report.error(fmt::format("{}.{}", InflowKeys::block, k),
                     fmt::format("this region overlaps with that of the {}. [[inflow]] block", j + 1));
  }
}

}  // namespace mesowarp::fluid
