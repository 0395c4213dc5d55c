#include "physics/tracers/tracer_phase.hpp"

#include <cmath>

#include "core/images.hpp"
#include "core/random.hpp"
#include "kernels/with_normals.hpp"
#include "physics/tracers/deck/tracer_blocks.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::tracers {
namespace {

struct MoveTracers {
  using Real = double;
  TracerArrays tracers;
  StepGuard guard;
  StepKey key;
  Vec3<double> drift, width;  // in ticks
  Vec3<bool> periodic;

  KOKKOS_INLINE_FUNCTION u32 tagOf(int i) const { return tracers.tag(i); }
  KOKKOS_INLINE_FUNCTION bool wants(int) const { return !guard.stops(); }
  KOKKOS_INLINE_FUNCTION void operator()(int i, const Vec3<double>& normal) const {
    Vec3<u64> x = tracers.position(i);
    Vec3<i32> image = tracers.image(i);
    for (int axis = 0; axis < 3; ++axis) {
      const double ticks = math::fusedMultiplyAdd(width[axis], normal[axis], drift[axis]);
      u64 to = x[axis] + static_cast<u64>(static_cast<i64>(::llrint(ticks)));
      if (periodic[axis])
        image[axis] += crossings(x[axis], to);
      else if (isBehindWall(to))
        to = ~to;  // mirrored at either face
      x[axis] = to;
    }
    tracers.position(i) = x;
    tracers.image(i) = image;
  }
};

struct Displacement {
  double squared = 0.0;  // length^2
};
struct DisplacementOfTracer {
  TracerArrays tracers;
  Vec3<double> period;  // length

  KOKKOS_INLINE_FUNCTION Displacement operator()(int i) const {
    Displacement sum;
    for (int axis = 0; axis < 3; ++axis) {
      const u64 x = tracers.position(i)[axis], from = tracers.start(i)[axis];
      const i64 near = static_cast<i64>(x - from);  // modulo a period
      const i32 wrapped = x >= from ? (near < 0 ? 1 : 0) : (near >= 0 ? -1 : 0);
      const double periods =
          static_cast<double>(tracers.image(i)[axis] + wrapped) + 0x1p-64 * static_cast<double>(near);
      const double moved = period[axis] * periods;
      sum.squared = math::fusedMultiplyAdd(moved, moved, sum.squared);
    }
    return sum;
  }
};

Vec3<double> periodsOf(const Box& box) { return {box.period(0), box.period(1), box.period(2)}; }

}  // namespace

TracerPhase::TracerPhase(TracerPopulation& tracers, const input::Deck& deck)
    : Phase("diffusion of tracers", tracers), tracers_(tracers), seed_(deck.run.seed) {
  const input::Population& population = tracersOf(deck);
  const double dt = deck.run.timestep;
  for (int axis = 0; axis < 3; ++axis) {
    const double tick = tracers.box().tick(axis, 64);
    drift_[axis] = population.velocity[static_cast<std::size_t>(axis)] * dt / tick;
    width_[axis] = std::sqrt(2.0 * diffusionOf(population) * dt) / tick;
  }
}

void TracerPhase::run(const PhaseStep& step) {
  const int n = tracers_.count();
  const auto& periodic = tracers_.box().periodic;
  if (step.step > 0)
    backend::runWithNormals("move tracers",
                            MoveTracers{tracers_.arrays(),
                                        step.guard,
                                        stepKey(seed_, Stream::tracerStep, step.step),
                                        drift_,
                                        width_,
                                        {periodic[0], periodic[1], periodic[2]}},
                            n);
  if (!step.sums) return;
  const auto all =
      exactSums<Displacement>("displacements of tracers", n,
                              DisplacementOfTracer{tracers_.arrays(), periodsOf(tracers_.box())}, tracers_.ranks());
  meanSquared_ = all.squared / static_cast<double>(tracers_.total());
}

void TracerPhase::addQuantities(std::map<std::string, double>& quantities) const {
  quantities[tracerBlocks().ownColumns().front()] = meanSquared_;
}

TracerPopulation& addTracers(Engine& engine, const input::Deck& deck, const comm::Communicator* ranks) {
  auto& tracers = engine.add(std::make_unique<TracerPopulation>(deck, ranks));
  engine.add(std::make_unique<TracerPhase>(tracers, deck));
  return tracers;
}

}  // namespace mesowarp::tracers
