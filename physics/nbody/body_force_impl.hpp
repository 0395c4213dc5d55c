// A force law with an accumulator behind the virtual interface. Included by body_force_*.device.cpp alone.
#pragma once

#include <cmath>

#include "core/error.hpp"
#include "physics/nbody/body_force.hpp"

namespace mesowarp::nbody {

template <class Law>
struct PackBodies {
  BodyView view;
  DeviceArray<typename Law::Body> bodies;
  double factor;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { bodies(i) = Law::pack(view, i, factor); }
};

template <class Body>
DeviceArray<Body> paddedBodies(int count, const Body& padding) {
  const int all = (count + backend::bodyPadding - 1) / backend::bodyPadding * backend::bodyPadding;
  DeviceArray<Body> bodies(Kokkos::view_alloc("bodies", Kokkos::WithoutInitializing), all);
  auto host = Kokkos::create_mirror_view(bodies);
  for (int i = 0; i < all; ++i) host(i) = padding;
  Kokkos::deep_copy(bodies, host);
  return bodies;
}

// Terms by magnitude.
template <class Sums>
struct MagnitudeSums {
  Sums& sums;
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION void add(int c, V a, V b) {
    using math::select;
    const V term = a * b;
    sums.add(c, V(1), select(isNegative(term), -term, term));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static bool isNegative(float x) { return x < 0.0f; }
  KOKKOS_FORCEINLINE_FUNCTION static bool isNegative(double x) { return x < 0.0; }
  template <class V>
  static auto isNegative(const V& x) {
    return x.v < V(0).v;
  }
};
template <class Law>
struct MagnitudesOf : Law {
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const typename Law::template At<V>& i, const typename Law::Body& j,
                                              Sums& sums) const {
    MagnitudeSums<Sums> magnitudes{sums};
    Law::operator()(i, j, magnitudes);
  }
};

struct SumFirst {
  DeviceArray<backend::BodySums> sums;
  DeviceArray<double> weight;  // empty: 1
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& total) const {
    total += (weight.data() != nullptr ? weight(i) : 1.0) * sums(i).value[0];
  }
};
struct LargestOf {
  DeviceArray<backend::BodySums> sums;
  int channels;
  KOKKOS_INLINE_FUNCTION void operator()(int i, double& largest) const {
    for (int c = 0; c < channels; ++c) largest = sums(i).value[c] > largest ? sums(i).value[c] : largest;
  }
};

// Source: makes the law, at a scale of its terms, from the settings (gravity_source.hpp, lj_coulomb_source.hpp).
template <class Source, template <class> class SumOf>
class BodyForceOf final : public BodyForce {
  using Law = typename Source::Law;
  static constexpr bool scaled = SumOf<typename Law::Scalar>::scaled;

 public:
  explicit BodyForceOf(const ForceSettings& settings)
      : source_(settings), afterwards_(settings.excludeAfterwards), overflow_("overflow") {
    overflow_() = 0;
    if (settings.range > 0.0) setRange(settings.range);
    if (!scaled) law_ = source_.law(1.0);
  }

  void load(const BodyView& bodies) override { loadAt(bodies, scale_); }
  void sum(const backend::Exclusions& exclusions, const Subset& subset,
           const DeviceArray<backend::BodySums>& sums) override {
    if (scaled && !(range_ > 0.0)) throw RunError("the range of fixed-point sums is not known yet");
    backend::sumAllPairs<Law, SumOf>(Law::label, task(law_, exclusions, subset, sums, scale_), workspace_);
  }

  double largestSum(const BodyView& bodies, const backend::Exclusions& exclusions) override {
    const int n = bodies.count();
    const DeviceArray<backend::BodySums> sums(Kokkos::view_alloc("magnitudes", Kokkos::WithoutInitializing), n);
    loadAt(bodies, 1.0);
    auto magnitudes = task(MagnitudesOf<Law>{source_.law(1.0)}, exclusions, {{}, n}, sums, 1.0);
    magnitudes.afterwards = {};
    backend::sumAllPairs<MagnitudesOf<Law>, PlainSum>("magnitudes, all pairs", magnitudes, workspace_);
    double largest = 0.0;
    Kokkos::parallel_reduce("largest sum", Range(0, n), LargestOf{sums, Law::channels}, Kokkos::Max<double>(largest));
    law_ = source_.law(scale_);  // a source keeps the tables of the law it made last
    return largest;
  }

  double potential(const BodyView& bodies, const backend::Exclusions& exclusions) override {
    return source_.potential(bodies, exclusions, workspace_);
  }
  bool givesForce() const override { return Law::givesForce; }
  bool needsRange() const override { return scaled; }
  double range() const override { return range_; }
  // Terms are multiplied by a power of two, so that sums within the range stay below 1.
  void setRange(double range) override {
    if (!(range > 0.0) || !std::isfinite(range)) throw RunError("the range of fixed-point sums must be a positive number");
    range_ = range;
    scale_ = std::exp2(-std::ceil(std::log2(range)));
    law_ = source_.law(scale_);
  }
  bool overflowed() const override { return overflow_() != 0; }
  std::size_t bytes() const override { return bodies_.extent(0) * sizeof(typename Law::Body) + workspace_.bytes(); }

 private:
  void loadAt(const BodyView& bodies, double scale) {
    count_ = bodies.count();
    if (static_cast<int>(bodies_.extent(0)) < count_) bodies_ = paddedBodies(count_, Law::padding());
    Kokkos::parallel_for("pack bodies", Range(0, count_), PackBodies<Law>{bodies, bodies_, source_.weight(scale)});
  }

  template <class L>
  backend::PairsTask<L> task(const L& law, const backend::Exclusions& exclusions, const Subset& subset,
                             const DeviceArray<backend::BodySums>& sums, double scale) const {
    backend::PairsTask<L> t;
    t.law = law, t.bodies = bodies_, t.count = count_;
    t.active = subset.active, t.activeCount = subset.count;
    (afterwards_ ? t.afterwards : t.onTheFly) = exclusions;
    t.unit = 1.0 / scale, t.sums = sums, t.overflow = overflow_;
    return t;
  }

  Source source_;
  Law law_{};
  bool afterwards_;
  double range_ = 0.0, scale_ = 1.0;
  DeviceArray<typename Law::Body> bodies_;
  int count_ = 0;  // of them, without padding
  backend::PairsWorkspace workspace_;
  Kokkos::View<int, backend::SharedSpace> overflow_;
};

// SourceOf<S, Split>: a source in single, mixed and double precision. Each *.device.cpp needs an alias of its own name: two of
// one name, even in unnamed namespaces, would be one function to the linker.
template <template <class, bool> class SourceOf>
std::unique_ptr<BodyForce> makeForceOf(const ForceSettings& s) {
  using input::Accumulator;
  if (s.precision == input::Precision::double_) return std::make_unique<BodyForceOf<SourceOf<double, false>, PlainSum>>(s);
  if (s.precision == input::Precision::mixed) {
    if (s.accumulator == Accumulator::double_sum) return std::make_unique<BodyForceOf<SourceOf<float, true>, WideSum>>(s);
    if (s.accumulator == Accumulator::narumi) return std::make_unique<BodyForceOf<SourceOf<float, true>, FixedSum>>(s);
    return std::make_unique<BodyForceOf<SourceOf<float, true>, TakahashiIitakaSum>>(s);
  }
  switch (s.accumulator) {
    case Accumulator::single:
      return std::make_unique<BodyForceOf<SourceOf<float, false>, PlainSum>>(s);
    case Accumulator::double_sum:
      return std::make_unique<BodyForceOf<SourceOf<float, false>, WideSum>>(s);
    case Accumulator::takahashi_iitaka:
      return std::make_unique<BodyForceOf<SourceOf<float, false>, TakahashiIitakaSum>>(s);
    case Accumulator::nitadori:
      return std::make_unique<BodyForceOf<SourceOf<float, false>, NitadoriSum>>(s);
    case Accumulator::modified_nitadori:
      return std::make_unique<BodyForceOf<SourceOf<float, false>, ModifiedNitadoriSum>>(s);
    default:
      return std::make_unique<BodyForceOf<SourceOf<float, false>, FixedSum>>(s);
  }
}

// Sum over all bodies of the numbers that a potential law gives them.
template <class PotentialLaw>
DeviceArray<backend::BodySums> potentialSums(const PotentialLaw& law, const BodyView& bodies, double weight,
                                             const backend::Exclusions& exclusions, backend::PairsWorkspace& workspace) {
  const int n = bodies.count();
  backend::PairsTask<PotentialLaw> task;
  task.law = law, task.bodies = paddedBodies(n, PotentialLaw::padding());
  Kokkos::parallel_for("pack bodies", Range(0, n), PackBodies<PotentialLaw>{bodies, task.bodies, weight});
  task.count = task.activeCount = n;
  task.onTheFly = exclusions;
  task.sums = DeviceArray<backend::BodySums>(Kokkos::view_alloc("potentials", Kokkos::WithoutInitializing), n);
  task.overflow = Kokkos::View<int, backend::SharedSpace>("overflow");
  backend::sumAllPairs<PotentialLaw, PlainSum>(PotentialLaw::label, task, workspace);
  return task.sums;
}

}  // namespace mesowarp::nbody
