// Parts of a step, timed on an engine that has equilibrated as in a run, through the population's and the phases' own
// functions: nothing is copied, and nothing is compiled a second time (extern template). bench_shuffle.hpp stores the
// particles in random order with renumbered rows.

#include "perf/bench/bench_parts.hpp"

#include "core/error.hpp"
#include "core/random.hpp"
#include "device/host_copy.hpp"
#include "perf/bench/bench_floor.hpp"
#include "perf/bench/bench_shuffle.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/fluid/fluid_phases.hpp"
#include "state/rebuild_kernels.hpp"

namespace mesowarp {
namespace {

// The epilogue alone, without forces, as a traversal runs it: on a CPU what has no branches for a block side by side.
template <class E, class Real>
struct Integrate {
  using Prepared = typename E::Prepared;
  E epilogue;
  backend::ParticleBlocks blocks;
  int size;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    backend::forPrepared(blocks, size, k, epilogue,
                         [this](int i, Prepared prepared) { epilogue(i, Vec3<Real>{}, prepared); });
  }
};

struct RandomKeys {
  DeviceArray<u32> keys;
  u32 below;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    keys(i) = static_cast<u32>(static_cast<u64>(pairWords<TeaMixing>(static_cast<u32>(i), 1u).first) * below >> 32);
  }
};

const char* nameOf(RowBuild style) {
  return style == RowBuild::groups   ? "groups"
         : style == RowBuild::ballot ? "ballot"
         : style == RowBuild::atomic ? "atomic"
                                     : "simple";
}

template <class P>
class EngineParts {
public:
  EngineParts(const input::Deck& deck, const BenchCase& bench, const BenchPlan& plan)
      : plan_(plan), bench_(bench), cost_(stepCost(bench, plan.skin, backend::onGpu)),
        engine_(startEngine(deck, makeInitialState(deck), plan.sort.value_or(backend::defaultSort))),
        population_(dynamic_cast<BoxPopulation<P>&>(*engine_->populations().front())),
        last_(dynamic_cast<const FusedPhase<P>&>(*engine_->phases().back())), n_(static_cast<int>(bench.particles)) {
    for (; step_ <= plan.equilibration; ++step_) engine_->rebuildIfDue(step_), engine_->advance(step_, {});
    engine_->confirm();
    if (const auto failure = engine_->failure()) throw RunError(*failure);
    force_ = SummedForces(n_, last_.forces().summedBytes());
  }

  std::vector<PartResult> run() {
    if (plan_.parts && plan_.ordered) {
      sorts();
      for (const SortStyle style : everySortStyle) rebuild(style);
      rowBuilders();
    }
    if (!plan_.parts || plan_.ordered) pairParts("reorder on", population_.list().table());
    if (plan_.parts && plan_.ordered) integration();
    if (plan_.shuffled) shuffledParts();
    return std::move(results_);
  }

private:
  using Real = typename P::Real;

  void add(const std::string& part, const std::string& variant, const backend::Timing& timing, double bytes = 0.0,
           double operations = 0.0, const std::string& note = "") {
    PartResult r;
    r.part = part, r.variant = variant, r.precision = P::name, r.items = n_, r.unit = "particles", r.timing = timing;
    r.bytes = bytes, r.operations = operations, r.note = note;
    results_.push_back(r);
  }

  // As far as a rebuild is due, after a reordering.
  void moveParticles() {
    population_.buildList();
    population_.builtAt(step_);
    for (int k = 0; k < plan_.every; ++k) engine_->advance(step_++, {});
    engine_->confirm();
  }

  void sorts() {
    const CellGrid& grid = population_.grid();
    const backend::SortTask task{n_, grid.cells(), grid.keyBits(), grid.firstKeyBit(n_)};
    const DeviceArray<u32> keys("bench keys", n_);
    population_.reorder(population_.sortedOrder());
    moveParticles();
    const KeysOf<PairPosition<typename P::Coord>> present{population_.arrays().position->current, grid.indexer(), keys};
    Kokkos::parallel_for("present keys", Range(0, n_), present);
    for (auto& result : sortParts(keys, "moved keys", task, bench_, plan_)) results_.push_back(result);
    Kokkos::parallel_for("random keys", Range(0, n_), RandomKeys{keys, static_cast<u32>(grid.cells()) << 6});
    for (auto& result : sortParts(keys, "random keys", task, bench_, plan_)) results_.push_back(result);
  }

  void rebuild(SortStyle style) {
    population_.setSorter(style);
    population_.reorder(population_.sortedOrder());
    backend::SortedOrder sorted;
    bool pending = false;  // sorted, not yet reordered
    const auto settle = [&] {
      if (pending) population_.reorder(sorted);
      pending = false;
      moveParticles();
    };
    const auto sort = [&] { sorted = population_.sortedOrder(), pending = true; };
    add("keys and sort", nameOf(style), backend::timePrepared(plan_.repetitions, settle, sort));
    const auto prepared = [&] { settle(), sort(); };
    add("reorder", nameOf(style),
        backend::timePrepared(plan_.repetitions, prepared, [&] { population_.reorder(sorted), pending = false; }));
    population_.buildList();
    engine_->confirm();
    if (const auto failure = engine_->failure()) throw RunError(*failure);
  }

  void rowBuilders() {
    const double expected = cost_.listed;
    for (const RowBuild style : everyRowBuild) {
      if (!hasRowBuild(style)) {
        add("row builder", nameOf(style), {}, 0.0, 0.0, "this backend has no such builder");
        continue;
      }
      NeighborList list(n_, population_.settings().cutoff, population_.reach(), expected, style);
      const auto build = [&] {
        list.build(population_.settings().box, population_.grid(), population_.keys(),
                   population_.arrays().built->current, n_, n_, Exclusions{});
      };
      do build();
      while (!list.complete());
      add("row builder", nameOf(style), backend::timeRepeated(plan_.repetitions, build), cost_.listed * 4.0);
    }
  }

  Epilogue<P> epilogue() {
    PhaseStep step;
    step.step = step_;
    return last_.integrator().epilogue(population_, step, last_.forces().grid());
  }

  void pairParts(const std::string& variant, const NeighborTable& table) {
    const PairState<P> state{population_.arrays().position->current,
                             population_.arrays().velocity->current,
                             table,
                             ticksOf<Real, typename P::Coord>(population_.settings().box),
                             false,
                             {}};
    const auto& phase = *last_.forces().pairs.back();
    const auto close = epilogue();
    const double operations = cost_.realOperations + cost_.integerOperations + cost_.filterOperations;
    add("pair force", variant,
        backend::timeRepeated(plan_.repetitions, [&] { phase.accumulate(state, force_, n_, nullptr); }), 0.0,
        operations - driftOperations - signatureOperations);
    add("steady step", variant,
        backend::timeRepeated(plan_.repetitions, [&] { phase.finish(state, {}, close, {n_}, nullptr); }), cost_.bytes,
        operations);
  }

  void integration() {
    using E = Epilogue<P>;
    const backend::ParticleBlocks all{n_};
    const int size = backend::blockSizeFor(n_), count = backend::preparedIndices(all, size);
    const Integrate<E, Real> kernel{epilogue(), all, size};
    add("integration", "kicks, drift, signature",
        backend::timeRepeated(plan_.repetitions, [&] { Kokkos::parallel_for("integrate", Range(0, count), kernel); }),
        cost_.bytes - 4.0 * cost_.listed, driftOperations + signatureOperations);
  }

  // Leaves the engine's particles shuffled.
  void shuffledParts() {
    const auto permutation = Permutation::random(n_);
    const NeighborTable table = shuffled(population_.list().table(), permutation);
    auto& fields = population_.arrays().fields;
    population_.workspace().begin(fields.workspaceBytes(), nullptr, 0);
    Kokkos::parallel_for("shuffle", Range(0, n_),
                         MoveFields{permutation.oldOf, fields.beginReorder(population_.workspace())});
    const FieldMoves copies = fields.endReorder();
    if (!copies.empty()) Kokkos::parallel_for("copy back", Range(0, n_), CopyBack{copies});
    Execution().fence();
    const auto built = population_.arrays().built->current;
    DeviceArray<Vec3<typename P::Coord>> old("built before", n_);
    Kokkos::deep_copy(old, built);
    FieldMoves moves;
    moves.add(old.data(), built.data(), sizeof(Vec3<typename P::Coord>));
    Kokkos::parallel_for("shuffle", Range(0, n_), MoveFields{permutation.oldOf, moves});
    pairParts("reorder off: shuffled", table);
  }

  const BenchPlan& plan_;
  const BenchCase& bench_;
  StepCost cost_;
  std::unique_ptr<Engine> engine_;
  BoxPopulation<P>& population_;
  const FusedPhase<P>& last_;
  int n_;
  i64 step_ = 0;
  SummedForces force_;
  std::vector<PartResult> results_;
};

}  // namespace

std::vector<PartResult> stepParts(const input::Deck& deck, const BenchCase& bench, const BenchPlan& plan) {
  switch (bench.precision) {
  case input::Precision::single:
    return EngineParts<SinglePrecision>(deck, bench, plan).run();
  case input::Precision::mixed:
    return EngineParts<MixedPrecision>(deck, bench, plan).run();
  case input::Precision::double_:
    return EngineParts<DoublePrecision>(deck, bench, plan).run();
  }
  return {};
}

}  // namespace mesowarp
