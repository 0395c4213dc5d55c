// [[measure]].
#include "input/schema_blocks.hpp"

namespace mesowarp::input {
namespace {

const std::vector<std::string> axes{"x", "y", "z"};
// In the order of MeasureStyle.
const std::vector<std::string> styles{"profile", "field",    "cylinder",  "sphere",      "rdf",
                                      "msd",     "vacf",     "viscosity", "correlation", "structure-factor",
                                      "chains",  "clusters", "columns"};
using Words = std::vector<std::string>;

// Columns that are no physics have no average.
Words physicalColumns() {
  Words words;
  for (const auto& column : columnsOfTables())
    if (column != "time" && column != "wall_time" && column != "particle_steps_per_second" && column != "rebuilds")
      words.push_back(column);
  return words;
}

void addPlaces(std::vector<Key<Measure>>& keys) {
  const Words shells{"cylinder", "sphere"};
  keys.push_back(choice("axis", &Measure::axis, axes)
                     .only("style", {"profile", "cylinder", "sphere"})
                     .means("profile: the axis across which the slabs are cut; cylinder: its own; sphere: of its "
                            "angles"));
  keys.push_back(bind(Type::integer, "bins", &Measure::bins)
                     .only("style", {"profile", "cylinder", "sphere"})
                     .from(1)
                     .to(1e6)
                     .means("number of slabs or shells"));
  keys.push_back(bind(Type::wholes, "cells", &Measure::cells)
                     .only("style", {"field"})
                     .from(1)
                     .to(1e6)
                     .need()
                     .means("of the grid, along x, y, z; 1 along an axis: the mean along it"));
  keys.push_back(bind(Type::numbers, "center", &Measure::center)
                     .only("style", shells)
                     .in("length")
                     .need()
                     .means("cylinder: a point of its axis"));
  keys.push_back(bind(Type::number, "radius", &Measure::radius)
                     .only("style", shells)
                     .above(0)
                     .in("length")
                     .need()
                     .means("where the last shell ends"));
  keys.push_back(bind(Type::number, "inner_radius", &Measure::inner_radius)
                     .only("style", shells)
                     .from(0)
                     .in("length")
                     .means("where the first shell begins"));
  keys.push_back(someOf("quantities", &Measure::quantities, {"density", "velocity", "temperature", "stress"})
                     .only("style", {"profile", "field", "cylinder", "sphere"})
                     .means("what the file holds, beside the number of particles; stress: of style = \"field\", minus "
                            "the pressure tensor without the flow"));
}

void addPairs(std::vector<Key<Measure>>& keys) {
  keys.push_back(bind(Type::pair, "between", &Measure::between)
                     .only("style", {"rdf", "structure-factor"})
                     .means("two species, \"*\" for all; of a pair of different ones: their partial function"));
  keys.push_back(bind(Type::number, "r_max", &Measure::r_max)
                     .only("style", {"rdf", "chains"})
                     .above(0)
                     .in("length")
                     .need()
                     .means("where the last bin ends"));
  keys.push_back(bind(Type::integer, "bins", &Measure::bins)
                     .only("style", {"rdf", "chains"})
                     .orElse(std::int64_t{100})
                     .from(1)
                     .to(4096)
                     .means("from 0 to r_max"));
  keys.push_back(bind(Type::integer, "n_max", &Measure::n_max)
                     .only("style", {"structure-factor"})
                     .from(1)
                     .to(32)
                     .means("wave vectors 2 pi (n_x / L_x, n_y / L_y, n_z / L_z) up to so many waves along the longest "
                            "edge; averaged in shells"));
  keys.push_back(bind(Type::names, "species", &Measure::of_species)
                     .only("style", {"msd", "vacf", "clusters", "profile", "field", "cylinder", "sphere"})
                     .orElseNot("all that move; of clusters all")
                     .means("whose particles; but for clusters [[group]] blocks may be named as well"));
  keys.push_back(bind(Type::number, "cutoff", &Measure::cutoff)
                     .only("style", {"clusters"})
                     .above(0)
                     .in("length")
                     .need()
                     .means("pairs closer than that are in one cluster"));
}

void addTimes(std::vector<Key<Measure>>& keys) {
  keys.push_back(bind(Type::boolean, "molecules", &Measure::molecules)
                     .only("style", {"msd"})
                     .means("of the centres of mass of molecules, instead of particles"));
  keys.push_back(bind(Type::name, "population", &Measure::population)
                     .only("style", {"msd", "chains"})
                     .orElseNot("all that have bonds")
                     .means("whose molecules"));
  keys.push_back(bind(Type::boolean, "keep_drift", &Measure::keep_drift)
                     .only("style", {"msd"})
                     .means("false: displacements are relative to the centre of mass of all that are measured"));
  keys.push_back(bind(Type::integer, "levels", &Measure::levels)
                     .only("style", {"msd", "vacf"})
                     .orElse(std::int64_t{5})
                     .from(1)
                     .to(8)
                     .means("of lags, each four times as far apart as those before; the longest lag is "
                            "16 * 4^(levels - 1) samples"));
  keys.push_back(bind(Type::integer, "levels", &Measure::levels)
                     .only("style", {"viscosity", "correlation"})
                     .orElse(std::int64_t{8})
                     .from(1)
                     .to(24)
                     .means("of lags, each twice as far apart as those before; the longest lag is "
                            "15 * 2^(levels - 1) samples"));
  keys.push_back(
      bind(Type::number, "share", &Measure::share)
          .only("style", {"viscosity"})
          .above(0)
          .to(1)
          .derived("80,000 / number of particles, at most 1")
          .means("of the steps that are sampled, since each costs about as much as a step: in bursts, with a "
                 "rest behind each. Errors grow as 1 / sqrt(share); 1: every step"));
  keys.push_back(bind(Type::integer, "burst", &Measure::burst)
                     .only("style", {"viscosity"})
                     .from(0)
                     .to(1e12)
                     .in("steps")
                     .derived("if share is below 1: twice to, or 1000 steps")
                     .means("of a burst: lags are shorter than that, and without to the integral ends at half of it"));
  keys.push_back(bind(Type::number, "share", &Measure::share)
                     .only("style", {"vacf"})
                     .above(0)
                     .to(1)
                     .derived("0.5 from 200,000 particles on, else 1")
                     .means("of 16 samples in a row each, in which all lags up to 16 are taken; of the others every "
                            "fourth sample is"));
  keys.push_back(someOf("columns", &Measure::columns, physicalColumns())
                     .only("style", {"correlation", "columns"})
                     .need()
                     .means("of the table, whether there is one or not"));
}

void addRanges(std::vector<Key<Measure>>& keys) {
  const auto bound = [&](double Measure::*member, const char* key, const Words& of, const char* unit,
                         const char* meaning) {
    keys.push_back(bind(Type::number, key, member).only("style", of).in(unit).means(meaning));
  };
  bound(&Measure::from, "from", {"msd"}, "time", "diffusion is the slope between these two lags; 0: a quarter of to");
  bound(&Measure::to, "to", {"msd"}, "time", "0: an eighth of the sampled time, or the longest lag if that is less");
  bound(&Measure::to, "to", {"viscosity", "vacf"}, "time",
        "where the integral ends; 0: an eighth of the sampled time, or the longest lag if that is less");
  bound(&Measure::from, "from", {"columns"}, "", "of the histogram");
  bound(&Measure::to, "to", {"columns"}, "", "of the histogram; as large as from: there is none");
  keys.push_back(
      bind(Type::integer, "bins", &Measure::bins).only("style", {"columns"}).from(1).to(1e5).means("of the histogram"));
}

Key<Measure> everyOf(Words of, std::int64_t steps) {
  auto key = bind(Type::integer, "every", &Measure::every).only("style", std::move(of)).from(1).to(1e15).in("steps");
  return std::move(key).orElse(steps).means("between samples");
}

}  // namespace

Block<Measure> measureBlock() {
  Block<Measure> block{
      {"measure", true, false, "name",
       "Averages taken while the run goes, of the particles in a box: fluids and polymers. All but fields come with "
       "standard errors, from blocks of samples."},
      {choice("style", &Measure::style, styles)
           .means("profile: in slabs along an axis; field: in the cells of a grid; cylinder, sphere: in shells of "
                  "equal thickness round an axis or a point; rdf: pair distribution g(r); msd: mean squared "
                  "displacement; vacf: velocity autocorrelation; viscosity: Green-Kubo; correlation: autocorrelation "
                  "of table columns; structure-factor: S(k); chains: end-to-end distance and radius of gyration; "
                  "clusters: their sizes; columns: means and histograms of table columns"),
       bind(Type::name, "name", &Measure::name)
           .derived("profile_x, profile_y or profile_z; else the style")
           .means("unique; names the file")}};
  addPlaces(block.fields);
  addPairs(block.fields);
  addTimes(block.fields);
  addRanges(block.fields);
  block.fields.push_back(
      bind(Type::integer, "start", &Measure::start).from(0).to(1e15).in("steps").means("first step that counts"));
  block.fields.push_back(everyOf({"profile", "field", "cylinder", "sphere", "vacf"}, 10));
  block.fields.push_back(everyOf({"viscosity"}, 1));
  block.fields.push_back(everyOf({"correlation", "columns"}, 20));
  block.fields.push_back(everyOf({"msd"}, 100));
  block.fields.push_back(everyOf({"chains"}, 500));
  block.fields.push_back(everyOf({"rdf", "clusters"}, 1000));
  block.fields.push_back(everyOf({"structure-factor"}, 2000));
  block.fields.push_back(bind(Type::integer, "window", &Measure::window)
                             .from(0)
                             .to(1e15)
                             .in("steps")
                             .means("averaged into one block of the file; 0: all from start to end"));
  return block;
}

}  // namespace mesowarp::input
