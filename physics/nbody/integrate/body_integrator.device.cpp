#include "physics/nbody/integrate/body_integrator.hpp"

#include <cmath>

#include "core/portable_math.hpp"
#include "device/config.hpp"
#include "device/memory/bytes.hpp"
#include "physics/nbody/integrate/hermite.hpp"

namespace mesowarp::nbody {
namespace {

// Sums as acceleration and jerk.
struct TakeSums {
  DeviceArray<backend::BodySums> sums;
  Vectors a, j;
  DeviceArray<double> mass;  // empty: the sums are accelerations
  bool jerk;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const double* s = sums(i).value;
    const double per = mass.data() != nullptr ? 1.0 / mass(i) : 1.0;
    a(i) = per * Vector{s[0], s[1], s[2]};
    if (jerk) j(i) = {s[3], s[4], s[5]};
  }
};

struct Kick {
  Vectors v, a;
  double h;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { v(i) = v(i) + h * a(i); }
};

struct KickAndDrift {
  Vectors x, v, a;
  double half, h;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    v(i) = v(i) + half * a(i);
    x(i) = x(i) + h * v(i);
  }
};

struct VerletDrift {
  Vectors x, v, a, oldA;
  double h;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    x(i) = x(i) + h * (v(i) + (0.5 * h) * a(i));
    oldA(i) = a(i);
  }
};
struct VerletKick {
  Vectors v, a, oldA;
  double half;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { v(i) = v(i) + half * (oldA(i) + a(i)); }
};

// B, A, O, A of BAOAB.
struct LangevinDrift {
  Vectors x, v, a;
  DeviceArray<double> mass;
  double half, decay, noise;  // noise^2 = (1 - decay^2) k_BT
  DeviceArray<StepKey> keys;
  int prepared;   // which of them
  StepKey known;  // the same on a CPU, which has no vectors for a loop that reads it from memory
  u32 firstTag;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const StepKey key = backend::onGpu ? keys(prepared) : known;
    Vector w = v(i) + half * a(i), at = x(i) + half * w;
    const double width = noise / math::squareRoot(mass(i));
    w = decay * w + width * Vector{number(i, key, 0), number(i, key, 1), number(i, key, 2)};
    x(i) = at + half * w;
    v(i) = w;
  }
  KOKKOS_INLINE_FUNCTION double number(int i, StepKey key, u32 axis) const {
    u32 v0 = reverseBits(firstTag + static_cast<u32>(i)) ^ key.first, v1 = key.second + axis * 0x9E3779B9u;
    tea<16>(v0, v1);
    return gaussian<double, math::Portable>(Words{v0, v1});
  }
};

struct HermitePredict {
  Vectors x, v, a, j, oldX, oldV, oldA, oldJ;
  double h;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    oldX(i) = x(i), oldV(i) = v(i), oldA(i) = a(i), oldJ(i) = j(i);
    predict({oldX(i), oldV(i), oldA(i), oldJ(i)}, h, x(i), v(i));
  }
};
struct HermiteCorrect {
  Vectors x, v, a, j, oldX, oldV, oldA, oldJ;
  double h;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    correct({oldX(i), oldV(i), oldA(i), oldJ(i)}, h, a(i), j(i), x(i), v(i));
  }
};

}  // namespace

BodyIntegrator::BodyIntegrator(const input::Deck& deck, BodyForce& force, int count)
    : scheme_(schemeOf(deck.integrator)), how_(keysOf(deck.integrator)), timestep_(deck.run.timestep),
      temperature_(deck.run.temperature), seed_(deck.run.seed), force_(force), sums_("body sums", count) {
  if (scheme_ == Scheme::velocity_verlet) oldAcceleration_ = Vectors("acceleration before", count);
  if (scheme_ == Scheme::hermite) {
    oldPosition_ = Vectors("position before", count), oldVelocity_ = Vectors("velocity before", count);
    oldAcceleration_ = Vectors("acceleration before", count), oldJerk_ = Vectors("jerk before", count);
  }
  if (scheme_ == Scheme::langevin) keys_ = DeviceArray<StepKey>("step keys", mostPrepared);
  if (scheme_ == Scheme::hermite_block) blocks_ = BlockSteps(how_, timestep_, count);
}

void BodyIntegrator::evaluate(BodyState& state) {
  const int n = state.count();
  force_.evaluate(state.bodies, state.exclusions, {{}, n}, sums_);
  const bool jerk = scheme_ == Scheme::hermite || scheme_ == Scheme::hermite_block;
  Kokkos::parallel_for("accelerations", Range(0, n),
                       TakeSums{sums_, state.acceleration, state.jerk,
                                force_.givesForce() ? state.bodies.mass : DeviceArray<double>(), jerk});
}

void BodyIntegrator::start(BodyState& state) {
  if (force_.needsRange() && !(force_.range() > 0.0)) findRange(force_, state.bodies, state.exclusions);
  evaluate(state);
  if (scheme_ == Scheme::hermite_block) blocks_.start(state);
  state.ready = true;
}

void BodyIntegrator::advance(BodyState& state, i64 step) {
  prepare(step, 1);
  advanceBy(state, 0);
}

// With block steps the host reads how many bodies each has.
bool BodyIntegrator::repeats() const { return scheme_ != Scheme::hermite_block; }

void BodyIntegrator::prepare(i64 first, int steps) {
  if (keys_.extent(0) == 0) return;
  StepKey keys[mostPrepared];
  for (int k = 0; k < steps; ++k) keys[k] = stepKey(seed_, Stream::langevin, first + k);
  copyOn(Execution(), keys_.data(), keys, static_cast<std::size_t>(steps) * sizeof(StepKey));
}
void BodyIntegrator::advancePrepared(BodyState& state, int steps) {
  for (int k = 0; k < steps; ++k) advanceBy(state, k);
}

void BodyIntegrator::advanceBy(BodyState& state, int prepared) {
  switch (scheme_) {
  case Scheme::leapfrog:
    return leapfrog(state);
  case Scheme::langevin:
    return langevin(state, prepared);
  case Scheme::hermite:
    return hermite(state);
  case Scheme::hermite_block:
    return blocks_.advance(state, force_, sums_);
  case Scheme::velocity_verlet:
    return velocityVerlet(state);
  }
}

void BodyIntegrator::leapfrog(BodyState& state) {
  const BodyView& b = state.bodies;
  const Range all(0, state.count());
  Kokkos::parallel_for("kick and drift", all,
                       KickAndDrift{b.position, b.velocity, state.acceleration, 0.5 * timestep_, timestep_});
  evaluate(state);
  Kokkos::parallel_for("kick", all, Kick{b.velocity, state.acceleration, 0.5 * timestep_});
}

void BodyIntegrator::velocityVerlet(BodyState& state) {
  const BodyView& b = state.bodies;
  const Range all(0, state.count());
  Kokkos::parallel_for("verlet drift", all,
                       VerletDrift{b.position, b.velocity, state.acceleration, oldAcceleration_, timestep_});
  evaluate(state);
  Kokkos::parallel_for("verlet kick", all,
                       VerletKick{b.velocity, state.acceleration, oldAcceleration_, 0.5 * timestep_});
}

void BodyIntegrator::langevin(BodyState& state, int prepared) {
  const BodyView& b = state.bodies;
  const Range all(0, state.count());
  const StepKey known = backend::onGpu ? StepKey{} : keys_(prepared);
  // e^x = 2^(x / ln 2), the same bits with every C library.
  const double decay = math::Portable::exp2Of(-1.4426950408889634 * how_.friction * timestep_);
  Kokkos::parallel_for("langevin drift", all,
                       LangevinDrift{b.position, b.velocity, state.acceleration, b.mass, 0.5 * timestep_, decay,
                                     std::sqrt((1.0 - decay * decay) * temperature_), keys_, prepared, known,
                                     static_cast<u32>(state.share.first())});
  evaluate(state);
  Kokkos::parallel_for("kick", all, Kick{b.velocity, state.acceleration, 0.5 * timestep_});
}

void BodyIntegrator::hermite(BodyState& state) {
  const BodyView& b = state.bodies;
  const Range all(0, state.count());
  Kokkos::parallel_for("hermite predict", all,
                       HermitePredict{b.position, b.velocity, state.acceleration, state.jerk, oldPosition_,
                                      oldVelocity_, oldAcceleration_, oldJerk_, timestep_});
  for (int c = 0; c < how_.corrections; ++c) {
    evaluate(state);
    Kokkos::parallel_for("hermite correct", all,
                         HermiteCorrect{b.position, b.velocity, state.acceleration, state.jerk, oldPosition_,
                                        oldVelocity_, oldAcceleration_, oldJerk_, timestep_});
  }
}

std::size_t BodyIntegrator::bytes() const {
  return sums_.extent(0) * sizeof(backend::BodySums) + blocks_.bytes() +
         (oldPosition_.extent(0) + oldVelocity_.extent(0) + oldAcceleration_.extent(0) + oldJerk_.extent(0)) *
             sizeof(Vector);
}

}  // namespace mesowarp::nbody
