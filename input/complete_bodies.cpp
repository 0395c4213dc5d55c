#include <cmath>
#include <fmt/format.h>

#include "input/complete.hpp"
#include "input/schema.hpp"
#include "input/species.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"

namespace mesowarp::input {
namespace {

// Blocks of the other method.
void checkBlocks(const BlocksRead& read, Method method, Report& report) {
  const Deck& deck = read.deck;
  forEachBlock([&](const auto& schema, auto) {
    if (schema.only.value_or(method) == method) return;
    const std::string path = schema.many ? schema.name + ".0" : schema.name;
    if (!deck.sources.count(path)) return;
    const std::string title = schema.many ? "[[" + schema.name + "]]" : "[" + schema.name + "]";
    report.error(
        path, method == Method::bodies
                  ? fmt::format("{} is not for bodies, which have no box: leave it out", title)
                  : fmt::format("{} is for populations of kind = \"bodies\", and there is none: leave it out", title));
  });
}

bool isOfBodies(InteractionStyle style) {
  return style == InteractionStyle::gravity || style == InteractionStyle::lj_coulomb;
}

void checkInteractions(const Deck& deck, Method method, Report& report) {
  const auto word = [&](const Interaction& i) {
    for (const auto& field : schemaOf<Interaction>().fields)
      if (field.key == "style") return tomlText(field.get(i));
    return std::string();
  };
  for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
    const Interaction& i = deck.interactions[k];
    if (isOfBodies(i.style) == (method == Method::bodies)) continue;
    report.error(fmt::format("interaction.{}.style", k),
                 method == Method::bodies
                     ? fmt::format("style = {} is not for bodies: \"gravity\" or \"lj-coulomb\"", word(i))
                     : fmt::format("style = {} is for populations of kind = \"bodies\"", word(i)));
  }
}

void checkIntegrator(const Deck& deck, Method method, Report& report) {
  const IntegratorStyle style = deck.integrator.style;
  if (method == Method::bodies && style == IntegratorStyle::groot_warren)
    report.error("integrator.style",
                 "style = \"groot-warren\" is not for bodies: their forces do not depend on velocities");
  const bool both = style == IntegratorStyle::velocity_verlet || style == IntegratorStyle::groot_warren;
  if (method == Method::particles && !both)
    report.error(
        "integrator.style",
        "this style is for populations of kind = \"bodies\"; \"velocity-verlet\" is leapfrog in another order");
}

// Columns that the method's table does not have.
void checkColumns(Deck& deck, Method method, Report& report) {
  for (std::size_t k = 0; k < deck.outputs.size(); ++k) {
    Output& output = deck.outputs[k];
    const std::string path = fmt::format("output.{}.columns", k);
    if (output.format != OutputFormat::table) continue;
    if (method == Method::bodies && !isGiven(deck, path)) output.columns = bodyColumns();
    for (const auto& column : output.columns) {
      const bool others = column.rfind("pressure", 0) == 0 || column.rfind("net_force", 0) == 0 || column == "rebuilds",
                 bodies = column.rfind("angular", 0) == 0 || column == "virial_ratio";
      if (method == Method::bodies ? others : bodies)
        report.error(path, fmt::format("the table of {} has no {}",
                                       method == Method::bodies ? "bodies" : "particles in a box", quoted(column)));
    }
  }
}

// Of total_mass and mass one follows from the other; both may be given, as in a resolved deck, if they agree.
void completeMass(Deck& deck, std::size_t k, Report& report) {
  Population& p = deck.populations[k];
  if (!(p.total_mass > 0.0) || p.count == 0) return;
  const double each = p.total_mass / static_cast<double>(p.count);
  if (isGiven(deck, fmt::format("population.{}.mass", k)) && std::abs(p.mass - each) > 1e-9 * each)
    report.error(fmt::format("population.{}.total_mass", k),
                 fmt::format("total_mass = {} of {} bodies makes {:.9g} each, but mass is {}: give one of the two",
                             p.total_mass, p.count, each, p.mass));
  p.mass = each;
}

}  // namespace

std::vector<std::string> bodyColumns() {
  return {"time",       "total_energy", "kinetic_energy",     "potential_energy",   "virial_ratio",       "momentum_x",
          "momentum_y", "momentum_z",   "angular_momentum_x", "angular_momentum_y", "angular_momentum_z", "wall_time"};
}

void completeMethod(BlocksRead& read) {
  Deck& deck = read.deck;
  Report report(deck);
  const Method method = methodOf(deck);
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    if (method == Method::bodies && deck.populations[k].kind != PopulationKind::bodies &&
        !read.broken.count("population"))
      report.error(fmt::format("population.{}.kind", k), "bodies and other kinds cannot be in one deck");
  checkBlocks(read, method, report);
  if (!read.broken.count("population") && !read.broken.count("interaction")) checkInteractions(deck, method, report);
  if (!read.broken.count("population") && !read.broken.count("integrator")) checkIntegrator(deck, method, report);
  if (!read.broken.count("population") && !read.broken.count("output")) checkColumns(deck, method, report);
  for (std::size_t k = 0; k < deck.populations.size(); ++k) completeMass(deck, k, report);
  if (!isGiven(deck, "nbody.accumulator")) {
    const Accumulator usual[] = {Accumulator::single, Accumulator::takahashi_iitaka, Accumulator::double_};
    const bool bitwise = method == Method::bodies && deck.run.reproducibility == Reproducibility::bitwise;
    deck.nbody.accumulator = bitwise ? Accumulator::narumi : usual[static_cast<int>(deck.run.precision)];
  }
  for (auto& diagnostic : report.diagnostics()) read.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace mesowarp::input
