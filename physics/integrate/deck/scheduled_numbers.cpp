// Which numbers of a deck a [[schedule]] may change, and where they are.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "core/shear.hpp"
#include "input/species.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/pair/conservative_keys.hpp"
#include "physics/pair/deck/made_like.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

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
  const bool morse = i.style == input::FurtherStyle::morse, soft = i.style == input::FurtherStyle::soft,
             manyBody = i.style == input::FurtherStyle::manyBody;
  const bool lj = input::familyOf(i.style) == input::InteractionStyle::lj;
  const bool hasCutoff =
      input::isPairDpd(i.style) || soft || morse || manyBody || (lj && i.style != input::InteractionStyle::wca);
  if (key == "a" && input::isDpd(i)) return &i.a;
  if (key == "gamma" && input::hasDpdNoise(i)) return &i.gamma;
  if (key == "epsilon" && (lj || morse)) return &i.epsilon;
  if (key == "sigma" && lj) return &i.sigma;
  if (key == "cutoff" && hasCutoff) return &i.cutoff;
  if (key == "amplitude" && soft) return &i.own.get<SoftKeys>().amplitude;
  if (key == "b" && manyBody) return &i.own.get<ManyBodyKeys>().b;
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
  if (key == "reduced_volume") return keys.reduced_volume > 0.0 ? &keys.reduced_volume : nullptr;
  const auto it = members.find(key);
  return it == members.end() ? nullptr : &(keys.*it->second);
}

double* numberOf(ThermostatKeys& keys, const std::string& key) {
  if (key == "temperature") return &keys.temperature;
  if (key == "friction" && !keys.ofPairs()) return &keys.friction;
  return key == "rate" && keys.ofPairs() ? &keys.rate : nullptr;
}

double* numberOf(transport::SoluteSource& source, const std::string& key) {
  return key == "rate" ? &source.rate : key == "linear" ? &source.linear : nullptr;
}

// Frozen particles of a wall keep what they begin with.
double* numberOf(transport::WallConcentration& at, const std::string& key, const input::Deck& deck) {
  const bool table = std::any_of(deck.walls.begin(), deck.walls.end(), [&](const input::Wall& wall) {
    return wall.name == at.wall && wall.method == input::WallMethod::effective;
  });
  return key == "value" && table && !at.noFlux ? &at.value : nullptr;
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
  if (parts.size() == 3 && key.starts_with("transport.reactions."))
    return {element(deck.own.get<transport::TransportKeys>().rates, parts[2]), Scheduled::interaction};
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
  if (kind == "hold" && key == "velocity")
    if (auto* hold = ownElement<group::HoldKeys>(deck, kind, number))
      return {component(hold->velocity, axis), Scheduled::pull};
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
  if (kind == "wall" && key == "friction")  // that the deck says: else it is found
    if (auto* of = element(deck.walls, number); of && of->friction >= 0.0)
      return {&of->friction, Scheduled::interaction};
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
  if (kind == "source")
    if (auto* of = ownElement<transport::SoluteSource>(deck, kind, number))
      return {numberOf(*of, key), Scheduled::interaction};
  if (kind == "wall_concentration")
    if (auto* of = ownElement<transport::WallConcentration>(deck, kind, number))
      return {numberOf(*of, key, deck), Scheduled::interaction};
  if (kind == "inflow")
    if (auto* of = ownElement<InflowKeys>(deck, kind, number)) {
      if (key == "velocity") return {&of->velocity, Scheduled::flow};
      if (key == "temperature") return {&of->temperature, Scheduled::thermostat};
    }
  return {};
}

struct Row {
  const char *first, *second, *third;
};
// Of what; the keys; what follows.
constexpr Row changing[] = {
    {"run", "run.temperature",
     "noise, and what has the run's temperature: thermostats, inflows, membranes, collision solvents, walls"},
    {"DPD", "interaction.N.a, .gamma, .cutoff", "noise follows gamma; so do the frozen particles and tables of walls"},
    {"other pair forces", "interaction.N.epsilon, .sigma, .amplitude, .beta, .r0, .b, .cutoff",
     "wca's cutoff follows its sigma, lj's stays"},
    {"fluxes", "interaction.N.kappa, .kappa.NAME of one of several solutes", "random fluxes"},
    {"reactions, sources", "transport.reactions.N, source.N.rate, source.N.linear", "the N-th reaction's rate"},
    {"concentrations at walls", "wall_concentration.N.value", "of walls with method = \"effective\""},
    {"molecules", "bond.N.k, .r0, .r_max, angle.N.k, .theta0, dihedral.N.k, .phi0", "ghosts reach as far as ever"},
    {"membranes",
     "membrane.N.shear_modulus, .bending_modulus, .area_modulus, .local_area_modulus, .volume_modulus, .friction, "
     ".friction_along, .reduced_volume, stretch.N.force",
     "moduli that the deck leaves out follow the shear modulus; reduced_volume above 0 in the deck"},
    {"drives", "drive.N.acceleration.x", "of all styles"},
    {"groups", "pull.N.force.x, pull.N.acceleration.x, pull.N.k, pull.N.r0, hold.N.velocity.x", ""},
    {"walls", "wall.N.velocity.x, wall.N.spin.x, wall.N.friction", "a friction that the deck gives"},
    {"flows", "shear.rate, flow_rate.velocity, inflow.N.velocity, inflow.N.temperature", "the flow changes at once"},
    {"thermostats, barostats",
     "thermostat.N.temperature, .friction, .rate, barostat.pressure, barostat.surface_tension", ""},
    {"box", "box.size.x", "particles go with it, as with [deformation]"}};
// Keys; why; what to do.
constexpr Row staying[] = {
    {"run.timestep", "steps, and what is made for them, would lose their meaning", "one run after the other"},
    {"interaction.N.cutoff and .sigma beside [[wall]]", "layers of walls are as deep and as dense as at the start",
     "a strength; one run for each; [[boundary]]"},
    {"interaction.N.cutoff of wca, table, tdpd", "it follows sigma; it is the table's; fluxes end there",
     "sigma; another style beside it, such as soft"},
    {"interaction.N.exponent, .flux_exponent, .flux_cutoff", "kernels and lists are chosen by them",
     "one run for each"},
    {"interaction.N.sigma of dpd", "it follows gamma and run.temperature", "gamma"},
    {"transport.solute_mass, .density", "of the random flux, which kappa sets", "kappa"},
    {"wall_concentration.N.value of walls of frozen particles", "these keep what they begin with",
     "method = \"effective\""},
    {"wall.N.friction that is looked for", "the search is before the run", "the number that run.log tells"},
    {"masses, charges, populations, regions, shapes", "they are where particles are put at the start",
     "velocities of walls; [[source]] blocks with regions of their own"},
    {"pull.N.at, pull.N.velocity", "its work is that along one line", "pull.N.force, pull.N.r0, hold.N.velocity"},
    {"periods, gains, `every`, thermostat.N.cutoff", "what controls and looks has one rhythm", ""},
    {"[deformation]", "it is a table of box.size already", "box.size.x"},
    {"collision.angle and .cell", "cells fill the box; a solvent's transport follows them", "run.temperature"},
    {"all numbers of bodies and tracers", "these methods take no [[schedule]]", ""}};

}  // namespace

std::string scheduledKeys() {
  std::string all;
  for (const auto& [of, keys, what] : changing) all += (all.empty() ? "" : ", ") + std::string(keys);
  return all + "; N is a block's number, from 0";
}

std::string scheduledTable() {
  std::string text =
      "N is the number of the block, from 0; a number has to be there, as its style has it. Of vectors .x, .y or .z "
      "alone.\n\n| of | keys | and so |\n| --- | --- | --- |\n";
  for (const auto& [of, keys, what] : changing) text += fmt::format("| {} | {} | {} |\n", of, keys, what);
  text += "\nWhat cannot change:\n\n| keys | why | instead |\n| --- | --- | --- |\n";
  for (const auto& [keys, why, instead] : staying) text += fmt::format("| {} | {} | {} |\n", keys, why, instead);
  return text;
}

ScheduledNumber scheduledNumber(input::Deck& deck, const std::string& key) {
  const Words parts = partsOf(key);
  ScheduledNumber found = numberOfTheRun(deck, key, parts);
  if (!found.number && (parts.size() == 3 || parts.size() == 4)) found = numberOfABlock(deck, parts);
  return found.number ? found : ScheduledNumber{};
}

std::vector<double*> scheduledPlaces(input::Deck& deck, const std::string& key) {
  std::vector<double*> places;
  if (double* own = scheduledNumber(deck, key).number) places.push_back(own);
  const Words parts = partsOf(key);
  if (places.empty() || parts[0] != "interaction") return places;
  for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
    if (std::to_string(deck.interactions[k].own.get<MadeLike>().block) != parts[1]) continue;
    const std::string copy = parts[0] + "." + std::to_string(k) + key.substr(parts[0].size() + 1 + parts[1].size());
    if (double* number = scheduledNumber(deck, copy).number)
      places.push_back(number);
    else if (parts[2] == "kappa")  // a wall that lets some solute through, not another
      for (double& kappa : deck.interactions[k].own.get<transport::FluxKeys>().kappa) places.push_back(&kappa);
  }
  return places;
}

}  // namespace mesowarp
