// Which numbers of a deck a [[schedule]] may change, and where they are.
#include "core/shear.hpp"
#include "input/species.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/integrate/box_keys.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/pair/conservative_keys.hpp"

namespace mesowarp {
namespace {

using Words = std::vector<std::string>;

Words partsOf(const std::string& key) {
  Words parts{""};
  for (const char c : key)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// The element that a word numbers, from 0; null: none.
template <class T>
T* element(std::vector<T>& list, const std::string& word) {
  if (word.empty() || word.size() > 6 || word.find_first_not_of("0123456789") != std::string::npos) return nullptr;
  const auto k = static_cast<std::size_t>(std::stoul(word));
  return k < list.size() ? &list[k] : nullptr;
}
template <class Keys>
Keys* ownElement(input::Deck& deck, const std::string& word) {
  const auto it = deck.lists.find(Keys::block);
  input::OwnItem* const item = it == deck.lists.end() ? nullptr : element(it->second, word);
  return item ? &item->own.template get<Keys>() : nullptr;
}
// The component that a word names; null: none.
double* component(std::array<double, 3>& vector, const std::string& axis) {
  return axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z' ? &vector[static_cast<std::size_t>(axis[0] - 'x')]
                                                              : nullptr;
}

double* numberOf(input::Interaction& i, const std::string& key) {
  const bool dpd = input::isDpd(i), lj = i.style == input::InteractionStyle::lj ||
                                         i.style == input::InteractionStyle::wca ||
                                         i.style == input::FurtherStyle::morse;
  if (key == "a" && dpd) return &i.a;
  if (key == "gamma" && input::hasDpdNoise(i)) return &i.gamma;
  if (key == "epsilon" && lj) return &i.epsilon;
  if (key == "amplitude" && i.style == input::FurtherStyle::soft) return &i.own.get<SoftKeys>().amplitude;
  return nullptr;
}

double* numberOf(input::Bond& bond, const std::string& key) {
  if (key == "k") return &bond.k;
  return key == "r0" && bond.style == input::BondStyle::harmonic ? &bond.r0 : nullptr;
}

double* numberOf(ThermostatKeys& keys, const std::string& key) {
  if (key == "temperature") return &keys.temperature;
  if (key == "friction" && !keys.ofPairs()) return &keys.friction;
  return key == "rate" && keys.ofPairs() ? &keys.rate : nullptr;
}

// As the style has them; axis: empty: none was named.
double* numberOf(group::PullKeys& pull, const std::string& key, const std::string& axis) {
  using group::PullStyle;
  if (axis.empty()) return !pull.isSpring() ? nullptr : key == "k" ? &pull.k : key == "r0" ? &pull.r0 : nullptr;
  if (key == "force" && (pull.style == PullStyle::force || pull.style == PullStyle::each))
    return component(pull.force, axis);
  return key == "acceleration" && pull.style == PullStyle::acceleration ? component(pull.acceleration, axis) : nullptr;
}

double* numberOf(input::Wall& wall, const std::string& key, const std::string& axis) {
  if (key == "velocity") return component(wall.velocity, axis);
  return key == "spin" ? component(wall.spin, axis) : nullptr;
}

// Of what there is once: "run.temperature", "box.size.x".
ScheduledNumber numberOfTheRun(input::Deck& deck, const std::string& key, const Words& parts) {
  if (key == "run.temperature") return {&deck.run.temperature, Scheduled::temperature};
  if (parts.size() == 3 && key.starts_with("box.size.")) return {component(deck.box.size, parts[2]), Scheduled::box};
  if (auto& shear = deck.own.get<Shear>(); shear.on && key == "shear.rate") return {&shear.rate, Scheduled::shear};
  if (auto& flow = deck.own.get<FlowRateKeys>(); flow.on && key == "flow_rate.velocity")
    return {&flow.velocity, Scheduled::flow};
  auto& barostat = deck.own.get<BarostatKeys>();  // it looks by itself
  if (barostat.on && key == "barostat.pressure") return {&barostat.pressure, Scheduled::thermostat};
  if (barostat.on && (key == "barostat.surface_tension" || key == "barostat.tension"))
    return {&barostat.tension, Scheduled::thermostat};
  return {};
}

// Of the N-th block of a kind.
ScheduledNumber numberOfABlock(input::Deck& deck, const Words& parts) {
  const std::string &kind = parts[0], &number = parts[1], &key = parts[2];
  const std::string axis = parts.size() == 4 ? parts[3] : "";
  if (kind == "pull")
    if (auto* pull = ownElement<group::PullKeys>(deck, number)) return {numberOf(*pull, key, axis), Scheduled::pull};
  if (!axis.empty()) {
    if (kind == "drive" && key == "acceleration")
      if (auto* drive = element(deck.drives, number)) return {component(drive->acceleration, axis), Scheduled::drive};
    if (kind == "wall")
      if (auto* wall = element(deck.walls, number)) return {numberOf(*wall, key, axis), Scheduled::wall};
    return {};
  }
  if (kind == "interaction")
    if (auto* of = element(deck.interactions, number)) return {numberOf(*of, key), Scheduled::interaction};
  if (kind == "bond")
    if (auto* of = element(deck.bonds, number)) return {numberOf(*of, key), Scheduled::interaction};
  if (kind == "angle" && key == "k")
    if (auto* of = element(deck.angles, number)) return {&of->k, Scheduled::interaction};
  if (kind == "dihedral" && key == "k")
    if (auto* of = element(deck.dihedrals, number)) return {&of->k, Scheduled::interaction};
  if (kind == "thermostat")
    if (auto* of = ownElement<ThermostatKeys>(deck, number)) return {numberOf(*of, key), Scheduled::thermostat};
  if (kind == "inflow" && key == "velocity")
    if (auto* of = ownElement<InflowKeys>(deck, number)) return {&of->velocity, Scheduled::flow};
  return {};
}

}  // namespace

std::string scheduledKeys() {
  return "run.temperature, interaction.N.a, .gamma, .epsilon or .amplitude (as the style has them), bond.N.k or .r0, "
         "angle.N.k, dihedral.N.k, drive.N.acceleration.x, .y or .z, thermostat.N.temperature, .friction or .rate, "
         "pull.N.force.x, .y or .z, pull.N.acceleration.x, .y or .z, pull.N.k or .r0 (as the style has them), "
         "wall.N.velocity.x, .y or .z, wall.N.spin.x, .y or .z, shear.rate, flow_rate.velocity, inflow.N.velocity, "
         "barostat.pressure or .surface_tension, box.size.x, .y or .z; N is a block's number, from 0";
}

ScheduledNumber scheduledNumber(input::Deck& deck, const std::string& key) {
  const Words parts = partsOf(key);
  ScheduledNumber found = numberOfTheRun(deck, key, parts);
  if (!found.number && (parts.size() == 3 || parts.size() == 4)) found = numberOfABlock(deck, parts);
  return found.number ? found : ScheduledNumber{};
}

}  // namespace mesowarp
