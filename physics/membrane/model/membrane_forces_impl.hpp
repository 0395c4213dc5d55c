// makeMembraneForces() of one precision. Included by membrane_*.device.cpp.
#pragma once

#include "kernels/pairs/pair_traversal.hpp"
#include "physics/membrane/model/membrane_forces.hpp"
#include "physics/membrane/model/share_sums.hpp"

namespace mesowarp::membrane {

// Of a cell's sums: k_g / A0 and A0 in units of the sum, and so for the volume; energies of a vertex' share.
template <class Real>
struct CellConstants {
  double areaUnit, volumeUnit;  // of the integers
  double area0, volume0;
  Real perArea, perVolume;        // k_g / A0, k_v / (6 V0), scaled
  Real areaEnergy, volumeEnergy;  // k_g / (2 A0 vertices), k_v / (2 V0 vertices), scaled
};

template <class Real>
struct RestFrom {
  const DeviceArray<Rest<Real>>& rest;
  std::size_t slot;
  KOKKOS_FORCEINLINE_FUNCTION Rest<Real> operator()(int k) const { return rest(slot + static_cast<std::size_t>(k)); }
};

template <class P, class Sum, class Math>
struct AddMembraneForces {
  using Real = typename P::Real;
  using Coord = typename P::Coord;
  using Total = typename Sum::Total;
  VertexState<P> state;
  MeshOnDevice<Real> mesh;
  CellArrays<Coord> cells;
  Elasticity<Real> elastic;
  CellConstants<Real> constants;
  DeviceArray<Vec3<Total>> force;
  double unit;  // of a total
  SumGrid grid;
  double* virial;  // six numbers a particle, of observed steps; null: nobody asks
  u32 firstTag;

  // Friction and noise of the edge to another vertex (red-cell paper, Eqs. 15 and 16). The matrix of Eq. 16, symmetric
  // and the same from both ends, times the unit vector e is a vector of independent normal numbers: along e of variance
  // 2 k_BT (gamma^T + gamma^C) / dt, across it 2 k_BT gamma^T / dt. Three numbers of the pair make the same law, with
  // opposite signs at the two ends, and for any gamma^C.
  struct Viscous {
    const AddMembraneForces& of;
    int n, vertex;
    PairVelocity<typename P::Store> own;
    u32 signature;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int k, const Vec3<Real>& e, Vec3<Real>& sum) const {
      const Elasticity<Real>& c = of.elastic;
      if (!(c.frictionAll > Real(0) || c.frictionAlong > Real(0))) return;
      const int other = of.state.ring(n, k);
      const auto theirs = of.velocityAt(n, other);
      const Vec3<Real> v{Real(own.x) - Real(theirs.x), Real(own.y) - Real(theirs.y), Real(own.z) - Real(theirs.z)};
      addTimes(sum, -c.frictionAll, v);
      addTimes(sum, -c.frictionAlong * dot(v, e, Real(0)), e);
      const u32 there = of.state.position(other).signature;
      const Real sign = vertex < of.mesh.ring(static_cast<std::size_t>(vertex) * of.mesh.most + k) ? Real(1) : Real(-1);
      Vec3<Real> random;
      for (int axis = 0; axis < 3; ++axis)
        random[axis] =
            sign * gaussian<Real, Math>(pairWords(signature, there, PairStream::membrane + static_cast<u32>(axis)));
      addTimes(sum, c.noiseAll, random);
      addTimes(sum, c.noiseAlong * dot(random, e, Real(0)), e);
    }
  };

  // In a sheared box that of the image that is nearest to the row's vertex.
  KOKKOS_FORCEINLINE_FUNCTION PairVelocity<typename P::Store> velocityAt(int n, int other) const {
    const auto v = state.velocity(other);
    if (!state.faces.on) return v;
    const auto here = state.position(state.rows(n).self), there = state.position(other);
    return velocityOfImage<P>(
        state.faces, v,
        nearestImage(state.faces, Vec3<Coord>{here.x, here.y, here.z}, Vec3<Coord>{there.x, there.y, there.z}));
  }
  KOKKOS_INLINE_FUNCTION bool complete(int n, int around) const {
    for (int k = 0; k < around; ++k)
      if (state.ring(n, k) < 0 || state.beyond(n, k) < 0) return false;
    return true;
  }
  // Force, scaled, and energy.
  KOKKOS_INLINE_FUNCTION VertexSum<Real> terms(int n, const VertexRow& row, std::size_t cell) const {
    const int vertex = static_cast<int>(row.number % static_cast<u32>(mesh.vertices)), around = mesh.around(vertex);
    const auto here = state.position(row.self);
    if (!complete(n, around)) {
      raise(state.errors, StepFlags::partnerMissing, state.guard.step, tagOf(row));
      return {};
    }
    const std::size_t slot = static_cast<std::size_t>(vertex) * mesh.most;
    const Real area = Real(static_cast<double>(cells.known(2 * cell)) * constants.areaUnit - constants.area0);
    const Real volume = Real(static_cast<double>(cells.known(2 * cell + 1)) * constants.volumeUnit - constants.volume0);
    auto sum = vertexTerms<Math>(elastic, CellTerms<Real>{constants.perArea * area, constants.perVolume * volume},
                                 around, PlacesFrom<P>{state.position, state.ring, n, here, state.tick, state.faces},
                                 PlacesFrom<P>{state.position, state.beyond, n, here, state.tick, state.faces},
                                 RestFrom<Real>{mesh.rest, slot},
                                 Viscous{*this, n, vertex, state.velocity(row.self), here.signature});
    sum.energy = math::fusedMultiplyAdd(constants.areaEnergy * area, area, sum.energy);
    sum.energy = math::fusedMultiplyAdd(constants.volumeEnergy * volume, volume, sum.energy);
    if (sum.broken) raise(state.errors, StepFlags::edgeBroken, state.guard.step, tagOf(row));
    return sum;
  }
  KOKKOS_INLINE_FUNCTION u32 tagOf(const VertexRow& row) const { return firstTag + row.number; }
  KOKKOS_INLINE_FUNCTION void store(const VertexRow& row, Vec3<Real> f) const {
    if (mesh.pull.extent(0) > 0) f[mesh.pullAxis] += mesh.pull(row.number % static_cast<u32>(mesh.vertices));
    Vec3<Total> total = force(row.self);
    for (int axis = 0; axis < 3; ++axis) {
      Sum sum;
      sum.add(f[axis], Real(1));
      sum.endTile();
      total[axis].merge(sum.total(0));
    }
    force(row.self) = total;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    if (backend::onGpu && state.guard.stops()) return;
    const VertexRow row = state.rows(n);
    store(row, terms(n, row, row.number / static_cast<u32>(mesh.vertices)).force);
  }
  // The virial counts from the cell's place: forces of a membrane on itself add up to nothing.
  KOKKOS_INLINE_FUNCTION void operator()(int n, ThermoSums& sums) const {
    const VertexRow row = state.rows(n);
    const std::size_t cell = row.number / static_cast<u32>(mesh.vertices);
    const auto sum = terms(n, row, cell);
    store(row, sum.force);
    const Vec3<Coord> from = cells.place(cell);
    const Vec3<Real> r = separation<Real>(state.position(row.self), PairPosition<Coord>{from.x, from.y, from.z, 0},
                                          state.tick, state.faces);
    const Vec3<Real>& f = sum.force;
    const Real products[6] = {r.x * f.x, r.y * f.y, r.z * f.z, r.x * f.y, r.x * f.z, r.y * f.z};
    sums.potential += grid(unit * static_cast<double>(sum.energy));
    for (int c = 0; c < 6; ++c) {
      sums.virial[c] += grid(unit * static_cast<double>(products[c]));
      if (virial != nullptr)
        virial[6 * static_cast<std::size_t>(row.self) + c] += unit * static_cast<double>(products[c]);
    }
  }
};

template <class P, class Sum, class Math>
class MembraneForcesOf final : public MembraneForces<P> {
public:
  using Real = typename P::Real;
  using Coord = typename P::Coord;
  MembraneForcesOf(const input::Deck& deck, const input::Population& population, u32 firstTag, i64 particles)
      : firstTag_(firstTag), cells_(population.name), surface_(meshOf(cellsOf(population))) {
    units_.run.temperature = deck.run.temperature;
    mesh_ = meshOnDevice<Real>(*surface_, mechanicsOf(deck, *membraneOf(deck, cells_), *surface_));
    unit_ = Sum::scaled ? std::exp2(std::ceil(std::log2(deck.sums.range))) : 1.0;
    if (deck.run.reproducibility == input::Reproducibility::bitwise)
      grid_ = SumGrid::of(static_cast<double>(particles));
    MembraneForcesOf::follow(deck);
  }
  void follow(const input::Deck& now) override {
    const double scale = 1.0 / unit_;
    const Mechanics m = mechanicsOf(units_, *membraneOf(now, cells_), *surface_);
    for (const StretchKeys& keys : stretchesOf(now))
      if (keys.population == cells_) stretch(keys, scale * m.unit * keys.force);
    setConstants(m, scale);
    const double noise = 2.0 * now.run.temperature / now.run.timestep;
    elastic_.spring = springLaw<Real>(m.shear, m.x0, m.exponent, scale);
    elastic_.localArea = Real(scale * m.local), elastic_.bending = Real(scale * m.hinge());
    elastic_.frictionAll = Real(scale * m.frictionAll), elastic_.frictionAlong = Real(scale * m.frictionAlong);
    elastic_.noiseAll = Real(scale * std::sqrt(noise * m.frictionAll));
    elastic_.noiseAlong =
        Real(scale * (std::sqrt(noise * (m.frictionAll + m.frictionAlong)) - std::sqrt(noise * m.frictionAll)));
  }
  void addShares(const VertexState<P>& state, const CellArrays<Coord>& cells, int rows) const override {
    addUpShares(AddShares<P, Math>{state, mesh_, cells, 1.0 / constants_.areaUnit, 1.0 / constants_.volumeUnit}, rows);
  }
  void addForces(const VertexState<P>& state, const CellArrays<Coord>& cells, const SummedForces& force, int rows,
                 ThermoSums* sums) const override {
    backend::runKernel("membrane forces", rows,
                       AddMembraneForces<P, Sum, Math>{state, mesh_, cells, elastic_, constants_,
                                                       force.as<typename Sum::Total>(), unit_, grid_, force.virial(),
                                                       firstTag_},
                       sums);
  }

private:
  void stretch(const StretchKeys& keys, double force) {
    if (mesh_.pull.extent(0) > 0 && force == pulled_) return;
    const std::vector<double> each = stretchingPull(*surface_, keys, force);
    if (mesh_.pull.extent(0) == 0)
      mesh_.pull = toDevice<Real>("pull on vertices", each);
    else
      refill(mesh_.pull, std::vector<Real>(each.begin(), each.end()));
    mesh_.pullAxis = keys.axis, pulled_ = force;
  }
  void setConstants(const Mechanics& m, double scale) {
    const double n = static_cast<double>(mesh_.vertices);
    const auto unitOf = [](double rest) { return std::exp2(std::ceil(std::log2(rest)) - 50.0); };
    const bool first = constants_.areaUnit == 0.0;  // sums of the step before are in these units
    constants_ = {first ? unitOf(m.area0) : constants_.areaUnit,
                  first ? unitOf(m.volume0) : constants_.volumeUnit,
                  m.area0,
                  m.volume0,
                  Real(scale * m.global / m.area0),
                  Real(scale * m.volume / (6.0 * m.volume0)),
                  Real(scale * m.global / (2.0 * m.area0 * n)),
                  Real(scale * m.volume / (2.0 * m.volume0 * n))};
  }

  u32 firstTag_;
  std::string cells_;  // the population
  std::shared_ptr<const Surface> surface_;
  input::Deck units_;  // of moduli in newtons and joules: by the temperature that the deck says
  MeshOnDevice<Real> mesh_;
  double pulled_ = 0.0;  // the force of mesh_.pull
  Elasticity<Real> elastic_;
  CellConstants<Real> constants_{};
  double unit_ = 1.0;
  SumGrid grid_;
};

template <class P>
std::unique_ptr<MembraneForces<P>> makeMembraneForces(const input::Deck& deck, const input::Population& population,
                                                      u32 firstTag, i64 particles) {
  using Real = typename P::Real;
  using input::Accumulator;
  const auto make = [&]<class Sum, class Math>() -> std::unique_ptr<MembraneForces<P>> {
    return std::make_unique<MembraneForcesOf<P, Sum, Math>>(deck, population, firstTag, particles);
  };
  const Accumulator how = deck.sums.accumulator;
  if (how == Accumulator::narumi) return make.template operator()<FixedSum<Real>, math::Portable>();
  if constexpr (std::is_same_v<P, SinglePrecision>) {
    if (how == Accumulator::double_sum) return make.template operator()<WideSum<Real>, math::Hardware>();
    if (how == Accumulator::takahashi_iitaka)
      return make.template operator()<TakahashiIitakaSum<Real>, math::Hardware>();
    if (how == Accumulator::nitadori) return make.template operator()<NitadoriSum<Real>, math::Hardware>();
    if (how == Accumulator::modified_nitadori)
      return make.template operator()<ModifiedNitadoriSum<Real>, math::Hardware>();
  }
  return make.template operator()<PlainSum<Real>, math::Hardware>();
}

}  // namespace mesowarp::membrane
