// What the N-body method adds to the deck's grammar: bodies, their laws and their integrators.
#include "input/schema.hpp"
#include "physics/nbody/deck/body_blocks.hpp"
#include "physics/nbody/deck/body_deck.hpp"

namespace mesowarp::nbody {
namespace {

using namespace input;

void addBodies(Block<Population>& block) {
  block.addChoices("kind", bodyBlocks().kinds(), "; bodies: single, without a box, each sees all others");
  block.addChoices("initial", bodyBlocks().initials(),
                   "; of bodies, plummer: Plummer's sphere in equilibrium; sphere: uniform; lattice: the sites nearest "
                   "to `center`");
  for (const char* key : {"species", "mass", "temperature"}) block.alsoFor(key, "kind", "", bodyBlocks().kinds());
  block.alsoFor("count", "initial", "", bodyBlocks().initials());
  block.say("file",
            "; bodies: own trajectory or checkpoint of bodies, or text (a line a body: x y z vx vy vz, then mass, "
            "charge and number of the species in `types`, from 1, as far as given)",
            "; relative to the deck's folder");
  block.say("temperature", "; under gravity 0 if not given, and of no meaning to plummer");
  block.add(inOwn<Population>(bind(Type::number, "total_mass", &BodyKeys::total_mass)
                                  .only("kind", {"bodies"})
                                  .only("initial", {"plummer", "sphere", "lattice"})
                                  .orElseNot("from `mass`")
                                  .above(0)
                                  .in("mass")
                                  .means("of all its bodies, instead of `mass`")));
  block.add(inOwn<Population>(bind(Type::number, "charge", &BodyKeys::charge)
                                  .only("kind", {"bodies"})
                                  .in("charge")
                                  .means("of each body; a text file may have its own")));
  block.add(inOwn<Population>(bind(Type::number, "radius", &BodyKeys::radius)
                                  .only("initial", {"sphere", "plummer"})
                                  .orElse(1.0)
                                  .above(0)
                                  .in("length")
                                  .means("of the sphere; of plummer the scale length, 3 pi / 16 in N-body units")));
  block.add(inOwn<Population>(bind(Type::number, "spacing", &BodyKeys::spacing)
                                  .only("kind", {"bodies"})
                                  .only("initial", {"lattice"})
                                  .orElse(1.0)
                                  .above(0)
                                  .in("length")
                                  .means("of the lattice")));
  block.add(inOwn<Population>(bind(Type::numbers, "center", &BodyKeys::center)
                                  .only("kind", {"bodies"})
                                  .only("initial", {"plummer", "sphere", "lattice"})
                                  .in("length")
                                  .means("where they lie")));
  block.add(inOwn<Population>(
      bind(Type::text, "exclusions", &BodyKeys::exclusions)
          .only("kind", {"bodies"})
          .orElseNot("none")
          .means("file with a pair of bodies a line that have no force between them: their numbers in this "
                 "population, from 0; relative to the deck's folder")));
}

void addLaws(Block<Interaction>& block) {
  block.addChoices("style", bodyBlocks().interactions(),
                   ". Of bodies, between all of them: gravity: F = constant m_i m_j r / (r^2 + softening^2)^(3/2); "
                   "lj-coulomb: Lennard-Jones, without a cutoff, and what [electrostatics] adds");
  for (const char* key : {"sigma", "epsilon"}) block.alsoFor(key, "style", InteractionStyle::lj, {LawStyle::ljCoulomb});
  block.add(inOwn<Interaction>(bind(Type::number, "constant", &LawKeys::constant)
                                   .only("style", {LawStyle::gravity})
                                   .above(0)
                                   .in("force length^2 / mass^2")
                                   .means("of gravity, G")));
  block.add(inOwn<Interaction>(bind(Type::number, "softening", &LawKeys::softening)
                                   .only("style", {LawStyle::gravity})
                                   .from(0)
                                   .in("length")
                                   .means("epsilon: forces are as if bodies were that far apart across, too")));
}

void addIntegrators(Block<Integrator>& block) {
  block.addChoices("style",
                   {SchemeStyle::leapfrog, SchemeStyle::langevin, SchemeStyle::hermite, SchemeStyle::hermiteBlock},
                   "; the others are for bodies. leapfrog: kick, drift, kick; langevin: with friction and noise "
                   "(BAOAB); hermite: fourth order, with the jerk of gravity; hermite-block: with steps of each body's "
                   "own, run.timestep divided by powers of two");
  block.add(inOwn<Integrator>(bind(Type::number, "friction", &SchemeKeys::friction)
                                  .only("style", {"langevin"})
                                  .above(0)
                                  .in("1 / time")
                                  .need()
                                  .means("at which velocities decay; noise keeps them at run.temperature")));
  block.add(
      inOwn<Integrator>(bind(Type::integer, "corrections", &SchemeKeys::corrections)
                            .only("style", {"hermite", "hermite-block"})
                            .from(1)
                            .to(10)
                            .means("how often the forces at a step's end are computed anew and the step corrected")));
  block.add(inOwn<Integrator>(bind(Type::number, "accuracy", &SchemeKeys::accuracy)
                                  .only("style", {"hermite-block"})
                                  .above(0)
                                  .to(1)
                                  .means("eta of Aarseth's criterion; energy errors fall with its square")));
  block.add(inOwn<Integrator>(bind(Type::integer, "levels", &SchemeKeys::levels)
                                  .only("style", {"hermite-block"})
                                  .from(0)
                                  .to(50)
                                  .means("the shortest step is timestep / 2^levels")));
}

void addColumns(Block<Output>& block) {
  block.addChoices("columns", bodyBlocks().ownColumns(), "", "net_force_z");
  block.say("columns",
            "; bodies have no pressure, only they have angular momentum and virial_ratio, -K / sum r F, 1/2 in "
            "equilibrium, and other default columns");
}

Block<Deck> nbodyBlock(const MethodBlocks* owner) {
  return ownBlock<NbodyBlock>(
      {"nbody", false, false, "", "How the forces of bodies are summed.", owner},
      {choice("accumulator", &NbodyBlock::accumulator,
              {"single", "double-sum", "takahashi-iitaka", "nitadori", "modified-nitadori", "narumi", "double"})
           .derived("run.precision single: single, mixed: takahashi-iitaka, double: double; bitwise: narumi")
           .means(
               "methods A to G of Narumi et al. (docs/theory.md, References). mixed takes double-sum, takahashi-iitaka "
               "or narumi; double itself or narumi. narumi: fixed point, the order of terms cannot matter, and forces "
               "of Lennard-Jones and Coulomb sum to exactly zero; run.reproducibility = \"bitwise\" takes it alone"),
       bind(Type::number, "range", &NbodyBlock::range)
           .from(0)
           .in("force (gravity: acceleration)")
           .derived("64 times what the first step needs")
           .means("largest sum of a component that narumi and modified-nitadori have to hold"),
       choice("exclude", &NbodyBlock::exclude, {"on-the-fly", "afterwards"})
           .means("excluded pairs: left out as forces are summed, or subtracted from the sum")});
}

Block<Deck> electrostaticsBlock(const MethodBlocks* owner) {
  return ownBlock<ElectrostaticsBlock>(
      {"electrostatics", false, false, "",
       "Coulomb forces F = constant q_i q_j / (D(r) r^2) of lj-coulomb interactions, in a solvent of dielectric D.",
       owner},
      {choice("dielectric", &ElectrostaticsBlock::dielectric, {"none", "constant", "linear", "sigmoidal"})
           .means("none: no charges; constant: D = permittivity; linear: D = permittivity r; sigmoidal: D = exp(alpha "
                  "r^3 + beta r^2 + gamma r + delta)"),
       bind(Type::number, "constant", &ElectrostaticsBlock::constant)
           .only("dielectric", {"constant", "linear", "sigmoidal"})
           .above(0)
           .in("energy length / charge^2")
           .means("of Coulomb's law"),
       bind(Type::number, "permittivity", &ElectrostaticsBlock::permittivity)
           .only("dielectric", {"constant", "linear"})
           .above(0)
           .means("relative; linear: per length"),
       bind(Type::number, "alpha", &ElectrostaticsBlock::alpha)
           .only("dielectric", {"sigmoidal"})
           .in("1 / length^3")
           .means("of D"),
       bind(Type::number, "beta", &ElectrostaticsBlock::beta)
           .only("dielectric", {"sigmoidal"})
           .in("1 / length^2")
           .means("of D"),
       bind(Type::number, "gamma", &ElectrostaticsBlock::gamma)
           .only("dielectric", {"sigmoidal"})
           .in("1 / length")
           .means("of D"),
       bind(Type::number, "delta", &ElectrostaticsBlock::delta).only("dielectric", {"sigmoidal"}).means("of D")});
}

}  // namespace

std::vector<const Block<Deck>*> BodyBlocks::ownBlocks() const {
  static const Block<Deck> sums = nbodyBlock(this), charges = electrostaticsBlock(this);
  return {&sums, &charges};
}

void BodyBlocks::extend(SharedBlocks& blocks) const {
  addWords(blocks.of<BoxBlock>().about, " Bodies have none.");
  addWords(blocks.of<Parallel>().about, ", nor do bodies", ".");
  addBodies(blocks.of<Population>());
  addLaws(blocks.of<Interaction>());
  addIntegrators(blocks.of<Integrator>());
  addColumns(blocks.of<Output>());
}

}  // namespace mesowarp::nbody
