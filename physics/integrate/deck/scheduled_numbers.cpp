// Which numbers of a deck a [[schedule]] may change, and where they are.
#include <algorithm>
#include <map>

#include "core/shear.hpp"
#include "input/species.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/integrate/box_keys.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/pair/conservative_keys.hpp"
#include "physics/transport/deck/transport_deck.hpp"

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
Keys* ownElement(input::Deck& deck, const std::string& block, const std::string& word) {
  const auto it = deck.lists.find(block);
  input::OwnItem* const item = it == deck.lists.end() ? nullptr : element(it->second, word);
  return item ? &item->own.template get<Keys>() : nullptr;
}
// The component that a word names; null: none.
double* component(std::array<double, 3>& vector, const std::string& axis) {
  return axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z' ? &vector[static_cast<std::size_t>(axis[0] - 'x')]
                                                              : nullptr;
}

// wca's cutoff follows its sigma.
double* numberOf(input::Interaction& i, const std::string& key) {
  const bool morse = i.style == input::FurtherStyle::morse, soft = i.style == input::FurtherStyle::soft;
  const bool lj = input::familyOf(i.style) == input::InteractionStyle::lj;
  const bool hasCutoff = input::isPairDpd(i.style) || soft || morse || (lj && i.style != input::InteractionStyle::wca);
  if (key == "a" && input::isDpd(i)) return &i.a;
  if (key == "gamma" && input::hasDpdNoise(i)) return &i.gamma;
  if (key == "epsilon" && (lj || morse)) return &i.epsilon;
  if (key == "sigma" && lj) return &i.sigma;
  if (key == "cutoff" && hasCutoff) return &i.cutoff;
  if (key == "amplitude" && soft) return &i.own.get<SoftKeys>().amplitude;
  if (key == "beta" && morse) return &i.own.get<MorseKeys>().beta;
  return key == "r0" && morse ? &i.own.get<MorseKeys>().r0 : nullptr;
}

// Of one number for all solutes, or that of one of them.
double* kappaOf(input::Interaction& i, const std::vector<std::string>& solutes, const std::string& solute) {
  if (!transport::isTransport(i)) return nullptr;
  auto& kappa = i.own.get<transport::FluxKeys>().kappa;
  if (solute.empty()) return kappa.size() == 1 ? kappa.data() : nullptr;
  const auto at = static_cast<std::size_t>(std::find(solutes.begin(), solutes.end(), solute) - solutes.begin());
  return kappa.size() == solutes.size() && at < kappa.size() ? &kappa[at] : nullptr;
}

double* numberOf(input::Bond& bond, const std::string& key) {
  if (key == "k") return &bond.k;
  if (key == "r_max") return bond.style == input::BondStyle::fene ? &bond.r_max : nullptr;
  return key == "r0" && bond.style == input::BondStyle::harmonic ? &bond.r0 : nullptr;
}

double* numberOf(input::Angle& angle, const std::string& key) {
  if (key == "k") return &angle.k;
  return key == "theta0" && angle.style != input::AngleStyle::cosine ? &angle.theta0 : nullptr;
}

double* numberOf(input::Dihedral& dihedral, const std::string& key) {
  return key == "k" ? &dihedral.k : key == "phi0" ? &dihedral.phi0 : nullptr;
}

// What is left to follow from the shear modulus, or from the friction, does so in every step.
double* numberOf(membrane::MembraneKeys& keys, const std::string& key) {
  static const std::map<std::string, double membrane::MembraneKeys::*> members{
      {"shear_modulus", &membrane::MembraneKeys::shear_modulus},
      {"bending_modulus", &membrane::MembraneKeys::bending_modulus},
      {"area_modulus", &membrane::MembraneKeys::area_modulus},
      {"local_area_modulus", &membrane::MembraneKeys::local_area_modulus},
      {"volume_modulus", &membrane::MembraneKeys::volume_modulus},
      {"friction", &membrane::MembraneKeys::friction},
      {"friction_along", &membrane::MembraneKeys::friction_along}};
  const auto it = members.find(key);
  return it == members.end() ? nullptr : &(keys.*it->second);
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
    if (auto* pull = ownElement<group::PullKeys>(deck, kind, number))
      return {numberOf(*pull, key, axis), Scheduled::pull};
  if (kind == "interaction" && key == "kappa")
    if (auto* of = element(deck.interactions, number))
      return {kappaOf(*of, transport::transportOf(deck).solutes, axis), Scheduled::interaction};
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
  if (kind == "angle")
    if (auto* of = element(deck.angles, number)) return {numberOf(*of, key), Scheduled::interaction};
  if (kind == "dihedral")
    if (auto* of = element(deck.dihedrals, number)) return {numberOf(*of, key), Scheduled::interaction};
  if (kind == "membrane")
    if (auto* of = ownElement<membrane::MembraneKeys>(deck, kind, number))
      return {numberOf(*of, key), Scheduled::interaction};
  if (kind == "stretch" && key == "force")
    if (auto* of = ownElement<membrane::StretchKeys>(deck, kind, number)) return {&of->force, Scheduled::interaction};
  if (kind == "thermostat")
    if (auto* of = ownElement<ThermostatKeys>(deck, kind, number)) return {numberOf(*of, key), Scheduled::thermostat};
  if (kind == "inflow" && key == "velocity")
    if (auto* of = ownElement<InflowKeys>(deck, kind, number)) return {&of->velocity, Scheduled::flow};
  return {};
}

}  // namespace

std::string scheduledKeys() {
  return "run.temperature, interaction.N.a, .gamma, .epsilon, .sigma (of lj and wca), .cutoff (not of wca, table or "
         "tdpd), .amplitude, .beta, .r0 or .kappa (as the style has them; of one of several solutes .kappa.NAME), "
         "bond.N.k, .r0 or .r_max, angle.N.k or .theta0, dihedral.N.k or .phi0, membrane.N.shear_modulus, "
         ".bending_modulus, .area_modulus, .local_area_modulus, .volume_modulus, .friction or .friction_along, "
         "stretch.N.force, drive.N.acceleration.x, .y or .z, thermostat.N.temperature, .friction or .rate, "
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
