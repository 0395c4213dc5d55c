// Lennard-Jones with Coulomb from its settings.
#pragma once

#include "device/host_copy.hpp"
#include "physics/nbody/body_force_impl.hpp"
#include "physics/nbody/lj_coulomb.hpp"

namespace mesowarp::nbody {

// Nodes of SigmoidEnergy from r = first to last, and the integral behind it, by Gauss-Legendre between nodes.
struct SigmoidTable {
  DeviceArray<double> nodes;
  SigmoidNodes energy;
};
SigmoidTable makeSigmoidTable(const ForceSettings& settings);

// Of all pairs of types, [types][rowLength], at a scale.
template <class S>
struct TypeTable {
  DeviceArray<LennardJonesPair<S>> pairs;
  double scale = 0.0;  // 0: not made yet
};
template <class S>
TypeTable<S> makeTypeTable(const ForceSettings& settings, u32 rowLength, double scale) {
  const auto types = static_cast<std::size_t>(settings.types);
  std::vector<LennardJonesPair<S>> host(types * rowLength);
  for (std::size_t k = 0; k < types * types; ++k) {
    const double s = settings.sigma[k], s6 = (s * s * s) * (s * s * s), e = settings.epsilon[k] * scale;
    host[k / types * rowLength + k % types] = {static_cast<S>(48.0 * e * s6 * s6), static_cast<S>(24.0 * e * s6)};
  }
  return {toDevice<LennardJonesPair<S>>("pairs of types", host), scale};
}

template <class S, bool Split, Dielectric D, class M>
class LennardJonesCoulombSource {
public:
  using Law = LennardJonesCoulomb<S, Split, D, M>;
  explicit LennardJonesCoulombSource(const ForceSettings& settings) : settings_(settings) {}

  Law law(double scale) {
    Law law;
    fill<S>(law, table_, scale);
    return law;
  }
  double weight(double scale) const { return std::sqrt(settings_.coulomb / settings_.permittivity * scale); }
  double potential(const PotentialQuestion& question) {
    if (D == Dielectric::sigmoidal && sigmoid_.nodes.extent(0) == 0) sigmoid_ = makeSigmoidTable(settings_);
    return settings_.bitwise ? potentialWith<math::Portable>(question) : potentialWith<math::HardwareLanes>(question);
  }

private:
  template <class OfPotential>
  double potentialWith(const PotentialQuestion& question) {
    using PotentialLaw = LennardJonesCoulombPotential<D, OfPotential>;
    const auto lawAt = [&](double scale) {
      PotentialLaw law;
      fill<double>(law, potentialTable_, scale);
      static_cast<SigmoidNodes&>(law.sigmoidEnergy) = sigmoid_.energy;
      return law;
    };
    return 0.5 * sumPotential<PotentialLaw>(lawAt, [&](double scale) { return weight(scale); }, question, {});
  }
  template <class R>
  void fill(auto& law, TypeTable<R>& table, double scale) const {
    law.types = static_cast<u32>(settings_.types);
    if (table.scale != scale) table = makeTypeTable<R>(settings_, law.rowLength(), scale);
    law.table = table.pairs.data();
    const double toBinary = -1.4426950408889634;  // 1 / D = e^-p = 2^(-p / ln 2)
    law.sigmoid = {static_cast<R>(settings_.delta * toBinary), static_cast<R>(settings_.gamma * toBinary),
                   static_cast<R>(settings_.beta * toBinary), static_cast<R>(settings_.alpha * toBinary)};
  }

  ForceSettings settings_;
  TypeTable<S> table_;
  TypeTable<double> potentialTable_;
  SigmoidTable sigmoid_;
};

}  // namespace mesowarp::nbody
