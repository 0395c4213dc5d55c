// A deck as typed parameters: what the program runs, with every default filled in.
// All quantities are in DPD units: length r_c, mass m, energy k_BT, time r_c sqrt(m / k_BT); of bodies in any units in
// which the deck's constants of gravity and Coulomb's law are what they are.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/transport_style.hpp"
#include "input/grammar/own.hpp"

namespace mesowarp::input {

// Where a value stands in the deck: 1-based line and column; line 0: a default, or, if `option` says so, an override.
struct Source {
  int line = 0;
  int column = 0;
  std::string option;  // "--set run.steps=100" if a command-line override gave the value
};

// One of the blocks that one method alone has and that may stand in a deck any number of times, [[name]]; its
// parameters are a value of the method's own type.
struct OwnItem {
  Own own;
  Source where;
};
using OwnLists = std::map<std::string, std::vector<OwnItem>>;  // by the block's name

enum class Precision { single, mixed, double_ };
enum class Reproducibility { deterministic, bitwise };
enum class PairNoise { tea, multiply };
// As a deck names them.
constexpr const char* nameOf(Precision precision) {
  return precision == Precision::single ? "single" : precision == Precision::mixed ? "mixed" : "double";
}
constexpr const char* nameOf(Reproducibility reproducibility) {
  return reproducibility == Reproducibility::bitwise ? "bitwise" : "deterministic";
}
constexpr const char* nameOf(PairNoise noise) { return noise == PairNoise::tea ? "tea" : "multiply"; }
enum class RebuildStyle { every, displacement };
// How the terms of pairs are added up: the quasi-double paper's methods A to G, in its order.
enum class Accumulator { single, double_sum, takahashi_iitaka, nitadori, modified_nitadori, narumi, double_ };
enum class BondStyle { harmonic, fene };
enum class AngleStyle { harmonic, cosine, cosine_squared };
enum class DihedralStyle { cosine, harmonic };
enum class FaceStyle { periodic, bounce_forward, bounce_back };
enum class DriveStyle { constant, double_poiseuille, sine };
enum class MeasureStyle {
  profile,
  field,
  cylinder,
  sphere,
  rdf,
  msd,
  vacf,
  viscosity,
  correlation,
  structure_factor,
  chains,
  clusters,
  columns
};
enum class OutputFormat { table, trajectory, checkpoint };

// Words of keys to which methods add others (method.hpp): those that input/ itself speaks of.
struct IntegratorStyle {
  static constexpr const char *velocity_verlet = "velocity-verlet", *groot_warren = "groot-warren";
};
struct StartKind {
  static constexpr const char *random = "random", *lattice = "lattice", *file = "file";
};
struct InteractionStyle {
  static constexpr const char *dpd = "dpd", *tdpd = "tdpd", *lj = "lj", *wca = "wca";
};

// [run]
struct Run {
  std::string title;
  std::int64_t steps = 0;
  double timestep = 0.0;     // time
  double temperature = 1.0;  // k_BT, energy
  std::uint64_t seed = 1;
  Precision precision = Precision::mixed;
  Reproducibility reproducibility = Reproducibility::deterministic;
  PairNoise pair_noise = PairNoise::tea;
};

// [box]
struct BoxBlock {
  std::array<double, 3> size{};  // length
  std::array<bool, 3> periodic{true, true, true};
};

// [integrator]
struct Integrator {
  std::string style = IntegratorStyle::velocity_verlet;
  double lambda = 0.5;  // groot-warren: predictor weight of the velocity, 0.65 if not given; 0.5 is velocity Verlet
  Own own{};
};

// [neighbor]
struct Neighbor {
  double skin = 0.3;  // length
  bool tune = false;  // the skin; the parser fills it in
  RebuildStyle rebuild = RebuildStyle::displacement;
  int every = 5;  // steps between rebuilds when rebuild = "every"
};

// [sums]
struct Sums {
  Accumulator accumulator = Accumulator::single;  // the parser fills in what precision and reproducibility suggest
  double range = 0.0;                             // of sums with an offset, force; the parser fills it in
};

// [parallel]
struct Parallel {
  std::array<double, 3> ranks{};  // parts of the box along each axis, whole numbers; 0, 0, 0: chosen
  TransportStyle transport = TransportStyle::automatic;
  double reach = 0.0;  // of ghosts, length; 0: as forces, angles, dihedrals and membranes need

  bool given() const { return ranks[0] > 0; }
};

// [[population]]
struct Population {
  std::string name;
  std::string kind;                     // empty: the first kind of the first method
  std::string species;                  // the one species, of kinds that have one
  std::string blocks;                   // polymer: one letter a bead, for example "BBBAABBB"
  std::map<char, std::string> letters;  // polymer: letter -> species name; default: the letter itself
  std::string molecule;                 // polymer: with branches, "A4(B2)A4"; blocks then are its beads
  double density = 0.0;                 // particles (beads) per volume; 0: use count
  std::int64_t count = 0;               // particles or molecules; 0: use density or file
  std::string initial = StartKind::random;
  std::string file;                // initial = "file": HDF5 (own trajectory or checkpoint), LAMMPS data or another
  std::vector<std::string> types;  // initial = "file": species of the file's type 1, 2, ...; default: `species`
  double mass = 1.0;
  double temperature = -1.0;         // of the Maxwell velocities; the parser fills in run.temperature
  double bond_length = 0.38;         // polymer: step of the random walk that places a molecule
  std::array<double, 3> velocity{};  // mean velocity added after net momentum is removed
  bool frozen = false;               // fluid: keeps its places and velocities
  Own own;
  Source where;
};

// [[interaction]]; species "*" stands for all. Later blocks override earlier ones for the same pair of species.
struct Interaction {
  std::array<std::string, 2> between;
  std::string style = InteractionStyle::dpd;
  double a = 0.0;         // dpd: repulsion, energy / length
  double gamma = 0.0;     // dpd: friction
  double sigma = 0.0;     // dpd: noise amplitude, sigma^2 = 2 gamma k_BT; lj, wca: diameter, length
  double cutoff = 1.0;    // length; lj: 2.5 sigma if not given; wca: always 2^(1/6) sigma
  double exponent = 1.0;  // dpd: s of w_R = (1 - r/r_c)^s
  double epsilon = 1.0;   // lj, wca: well depth, energy
  double further = 0.0;   // what acts beyond the cutoff does up to here; the method fills it in
  Own own{};
  Source where{};
};

// Whether it is DPD, be it with more.
inline bool isDpd(const Interaction& interaction) {
  return interaction.style == InteractionStyle::dpd || interaction.style == InteractionStyle::tdpd;
}

// [[bond]]
struct Bond {
  std::string population;
  int type = 0;                      // initial = "file": the file's bond type these parameters are for; 0: all bonds
  std::vector<std::string> between;  // two species, "*" for all; empty: whatever they are
  BondStyle style = BondStyle::harmonic;
  double k = 0.0;        // harmonic: F = k (r - r0); fene: spring constant
  double r0 = 0.0;       // harmonic: rest length
  double r_max = 0.0;    // fene: largest extension
  bool exclude = false;  // bonded neighbours leave the pair force
  Source where;
};

// [[angle]] between two bonds of one bead; the later of two blocks that fit is the one. Angles are in degrees, and 180
// is straight.
struct Angle {
  std::string population;
  int type = 0;                 // initial = "file": the file's angle type; 0: all
  std::vector<std::string> of;  // three species along the bonds, in either direction, "*" for all; empty: any
  AngleStyle style = AngleStyle::harmonic;
  double k = 0.0;
  double theta0 = 180.0;  // harmonic, cosine-squared: degrees
  Source where;
};

// [[dihedral]] about a bond: between the planes of the first three and the last three of four beads. 180 degrees are
// trans.
struct Dihedral {
  std::string population;
  int type = 0;
  std::vector<std::string> of;  // four species
  DihedralStyle style = DihedralStyle::cosine;
  double k = 0.0;
  int n = 1;          // cosine: periods in a turn
  double phi0 = 0.0;  // degrees
  Source where;
};

// [[boundary]] as given; `faces` below says what it means together with box.periodic.
struct Boundary {
  std::string face;  // "x-" low, "x+" high, "x" both
  FaceStyle style = FaceStyle::bounce_back;
  Source where;
};

// Boundary of one face of the box, after [[boundary]] and box.periodic are combined: [axis][0 low, 1 high].
using Faces = std::array<std::array<FaceStyle, 2>, 3>;

enum class ShapeStyle { plane, slab, cylinder, sphere, box, stl, grid };
enum class WallStyle { bounce_back, bounce_forward };
enum class WallMethod { frozen, effective };

// [[shape]]: a region of the box, which [[wall]] blocks name.
struct Shape {
  std::string name;
  ShapeStyle style = ShapeStyle::slab;
  int axis = 2;                    // plane, slab: their normal; cylinder: its axis
  double at = 0.0;                 // plane, length
  bool above = false;              // plane: the side that is the region
  double from = 0.0, to = 0.0;     // slab, length
  std::array<double, 3> center{};  // cylinder, sphere, box; stl: where the file's origin lies; length
  double radius = 0.0;             // length
  std::array<double, 3> size{};    // box, length
  std::string file;                // stl, grid
  double scale = 1.0;              // stl: length of the file's unit
  double spacing = 0.0;            // stl: of the grid that it is sampled on; 0: chosen
  Source where;
};

// [[wall]]: where the fluid is not, and how its surface moves.
struct Wall {
  std::string name;
  std::string solid;  // shapes with `not`, `and`, `or` and brackets
  WallMethod method = WallMethod::frozen;
  WallStyle style = WallStyle::bounce_back;
  double friction = -1.0;            // G_0 of its drag, 1 / time; below 0: found out before the run
  double surfaceFriction = 1.0;      // of what particles at rest lack, by theory
  std::array<double, 3> velocity{};  // length / time
  std::array<double, 3> spin{};      // angular velocity, 1 / time
  std::array<double, 3> about{};     // a point on the axis of spin, length
  std::string species = "wall";      // of its frozen particles
  Source where;
};

// [[drive]]
struct Drive {
  DriveStyle style = DriveStyle::constant;
  std::array<double, 3> acceleration{};  // force per mass; double-poiseuille: its sign flips in the upper half; sine:
                                         // its amplitude
  int across = 0;  // double-poiseuille: axis whose halves are driven oppositely; sine: axis along which it varies
  Source where;
};

// [[measure]]
struct Measure {
  MeasureStyle style = MeasureStyle::profile;
  std::string name;
  int axis = 0;                    // profile: across the slabs; cylinder: its own; sphere: of the angles
  int bins = 50;                   // slabs or shells
  std::array<double, 3> cells{};   // field: along each axis, whole numbers
  std::array<double, 3> center{};  // cylinder, sphere: length
  double radius = 0.0;             // where the last shell ends, length
  double inner_radius = 0.0;       // where the first one begins, length
  std::vector<std::string> quantities{"density", "velocity", "temperature"};
  std::int64_t start = 0;                        // first step that counts
  std::int64_t every = 10;                       // steps between samples
  std::int64_t window = 0;                       // steps averaged into one block; 0: one block from start to end
  std::array<std::string, 2> between{"*", "*"};  // rdf, structure_factor: species, "*" for all
  std::vector<std::string> of_species;           // or groups; empty: all that move, or all
  std::string population;                        // chains, and msd of molecules; empty: all that have bonds
  bool molecules = false;                        // msd: of their centres of mass
  bool keep_drift = false;                       // msd: as it is; else relative to the centre of mass of all measured
  double r_max = 0.0;                            // rdf, chains: where the last bin ends, length
  double cutoff = 0.0;                           // clusters: pairs closer than that are of one cluster, length
  int n_max = 8;                                 // structure_factor: waves along the longest edge
  int levels = 0;                                // msd, vacf, viscosity, correlation: of lags
  double share = -1.0;                           // viscosity, vacf: of the samples that are taken; the parser fills in
  std::int64_t burst = 0;                        // viscosity: samples taken one after the other; 0: all, without a rest
  std::vector<std::string> columns;              // correlation, columns
  double from = 0.0, to = 0.0;                   // columns: of the histogram; msd: of the fit; viscosity: its end
  Source where;

  // Whether its bins are places in the box.
  bool isOfPlaces() const { return style <= MeasureStyle::sphere; }
};

// [[output]]
struct Output {
  OutputFormat format = OutputFormat::table;
  std::string name = "trajectory";   // trajectory: of its files
  std::int64_t every = 100;          // steps; 0: only at the end
  std::vector<std::string> columns;  // table
  std::vector<std::string> fields;   // trajectory: position, image, velocity, force, species
  std::vector<std::string> groups;   // trajectory: of these alone; none: of all particles
  bool double_precision = false;     // trajectory: 64-bit numbers
  bool at_end = true;                // also at the last step
  Source where;
};

struct Deck {
  std::string file;
  Own own;         // methods' own blocks
  OwnLists lists;  // and those of them that there may be several of
  Run run;
  BoxBlock box;
  Integrator integrator;
  Neighbor neighbor;
  Sums sums;
  Parallel parallel;
  std::vector<Population> populations;
  std::vector<Interaction> interactions;
  std::vector<Bond> bonds;
  std::vector<Angle> angles;
  std::vector<Dihedral> dihedrals;
  std::vector<Boundary> boundaries;
  Faces faces{};
  std::vector<Shape> shapes;
  std::vector<Wall> walls;
  std::vector<Drive> drives;
  std::vector<Measure> measures;
  std::vector<Output> outputs;
  std::vector<std::string> species;  // in order of first appearance in the populations; the index is the species number
  std::map<std::string, Source>
      sources;           // of every given block and key: "run.timestep", "interaction.0", "interaction.0.a"
  std::string resolved;  // the whole deck as TOML, every default included; parsing it gives the same Deck
};

// Of a method's own list of blocks.
inline const std::vector<OwnItem>& itemsOf(const Deck& deck, const std::string& block) {
  static const std::vector<OwnItem> none;
  const auto it = deck.lists.find(block);
  return it == deck.lists.end() ? none : it->second;
}

}  // namespace mesowarp::input
