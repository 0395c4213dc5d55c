// [nbody], [electrostatics].
#include "input/schema.hpp"

namespace mesowarp::input {

template <>
const Block<Nbody>& schemaOf<Nbody>() {
  static const Block<Nbody> block{
      {"nbody", false, false, "", "How the forces of bodies are summed.", Method::bodies},
      {choice("accumulator", &Nbody::accumulator,
              {"single", "double-sum", "takahashi-iitaka", "nitadori", "modified-nitadori", "narumi", "double"})
           .derived("run.precision single: single, mixed: takahashi-iitaka, double: double; bitwise: narumi")
           .means(
               "methods A to G of Narumi et al. (docs/theory.md, References). mixed takes double-sum, takahashi-iitaka "
               "or narumi; double itself or narumi. narumi: fixed point, the order of terms cannot matter, and forces "
               "of Lennard-Jones and Coulomb sum to exactly zero; run.reproducibility = \"bitwise\" takes it alone"),
       bind(Type::number, "range", &Nbody::range)
           .from(0)
           .in("force (gravity: acceleration)")
           .derived("64 times what the first step needs")
           .means("largest sum of a component that narumi and modified-nitadori have to hold"),
       choice("exclude", &Nbody::exclude, {"on-the-fly", "afterwards"})
           .means("excluded pairs: left out as forces are summed, or subtracted from the sum")}};
  return block;
}

template <>
const Block<Electrostatics>& schemaOf<Electrostatics>() {
  static const std::vector<std::string> sigmoidal{"sigmoidal"};
  static const Block<Electrostatics> block{
      {"electrostatics", false, false, "",
       "Coulomb forces F = constant q_i q_j / (D(r) r^2) of lj-coulomb interactions, in a solvent of dielectric D.",
       Method::bodies},
      {choice("dielectric", &Electrostatics::dielectric, {"none", "constant", "linear", "sigmoidal"})
           .means("none: no charges; constant: D = permittivity; linear: D = permittivity r; sigmoidal: D = exp(alpha "
                  "r^3 + beta r^2 + gamma r + delta)"),
       bind(Type::number, "constant", &Electrostatics::constant)
           .only("dielectric", {"constant", "linear", "sigmoidal"})
           .above(0)
           .in("energy length / charge^2")
           .means("of Coulomb's law"),
       bind(Type::number, "permittivity", &Electrostatics::permittivity)
           .only("dielectric", {"constant", "linear"})
           .above(0)
           .means("relative; linear: per length"),
       bind(Type::number, "alpha", &Electrostatics::alpha)
           .only("dielectric", sigmoidal)
           .in("1 / length^3")
           .means("of D"),
       bind(Type::number, "beta", &Electrostatics::beta).only("dielectric", sigmoidal).in("1 / length^2").means("of D"),
       bind(Type::number, "gamma", &Electrostatics::gamma).only("dielectric", sigmoidal).in("1 / length").means("of D"),
       bind(Type::number, "delta", &Electrostatics::delta).only("dielectric", sigmoidal).means("of D")}};
  return block;
}

}  // namespace mesowarp::input
