// A force law with an accumulator behind the virtual interface (BodyForceOf). Included alone by the sources made of
// body_force.device.cpp.in, each of which compiles the thirteen combinations of a law that are offered.
#pragma once

#include <cmath>

#include "core/error.hpp"
#include "physics/nbody/body_force_base.hpp"

namespace mesowarp::nbody {

// Source: makes the law, at a scale of its terms, from the settings (gravity_source.hpp, lj_coulomb_source.hpp).
template <class Source, template <class> class SumOf>
class BodyForceOf final : public BodyForceBase {
  using Law = typename Source::Law;
  static constexpr bool scaled = SumOf<typename Law::Scalar>::scaled;

public:
  explicit BodyForceOf(const ForceSettings& settings) : BodyForceBase(settings), source_(settings) {
    if (settings.range > 0.0) setRange(settings.range);
    if (!scaled) law_ = source_.law(1.0);
  }

  void load(const BodyView& bodies) override { loadAt(bodies, scale_); }
  void sum(const backend::ExcludedPartners& exclusions, const Subset& subset,
           const DeviceArray<backend::BodySums>& sums) override {
    if (scaled && !(range_ > 0.0)) throw RunError("the range of fixed-point sums is not known yet");
    shared_->template sum<Law, SumOf>(Law::label, task(law_, exclusions, subset, sums, scale_), workspace_);
  }

  // Terms from the largest one, which does not depend on an order, are added in fixed point, which does not either.
  double largestSum(const BodyView& bodies, const backend::ExcludedPartners& exclusions) override {
    if constexpr (scaled) {
      const double term = largestWith<LargestTerm>(bodies, exclusions, 1.0);
      const bool some = term > 0.0 && std::isfinite(term);
      const double scale = some ? scaleOfSums<typename Law::Scalar>(term, shareOf(bodies).total()) : 1.0;
      const double largest = some ? largestWith<FixedSum>(bodies, exclusions, scale) : term;
      law_ = source_.law(scale_);  // a source keeps the tables of the law it made last
      return largest;
    }
    return 0.0;
  }

  double potential(const BodyView& bodies, const backend::ExcludedPartners& exclusions) override {
    return source_.potential({bodies, shareOf(bodies), exclusions, workspace_, potential_});
  }
  bool givesForce() const override { return Law::givesForce; }
  bool needsRange() const override { return scaled; }
  void setRange(double range) override {
    setScale(range);
    law_ = source_.law(scale_);
  }
  std::size_t bytes() const override {
    return (shared_ ? shared_->bytes() : 0) + workspace_.bytes() + potential_.bytes;
  }

private:
  using Shared = SharedBodies<typename Law::Body>;
  void loadAt(const BodyView& bodies, double scale) {
    const BodyShare share = shareOf(bodies);
    if (!shared_ || static_cast<int>(shared_->all().extent(0)) != share.total())
      shared_ = std::make_unique<Shared>(share);
    shared_->template load<Law>(bodies, source_.weight(scale));
  }

  template <template <class> class Sum>
  double largestWith(const BodyView& bodies, const backend::ExcludedPartners& exclusions, double scale) {
    const int n = bodies.count();
    const DeviceArray<backend::BodySums> sums(Kokkos::view_alloc("magnitudes", Kokkos::WithoutInitializing), n);
    loadAt(bodies, scale);
    auto magnitudes = task(MagnitudesOf<Law>{source_.law(scale)}, exclusions, {{}, n}, sums, scale);
    magnitudes.afterwards = {};
    shared_->template sum<MagnitudesOf<Law>, Sum>("magnitudes, all pairs", magnitudes, workspace_);
    return largestOf(sums, Law::channels, ranks_);
  }

  template <class L>
  backend::PairsTask<L> task(const L& law, const backend::ExcludedPartners& exclusions, const Subset& subset,
                             const DeviceArray<backend::BodySums>& sums, double scale) const {
    backend::PairsTask<L> t;
    t.law = law, t.active = subset.active, t.activeCount = subset.count;
    (afterwards_ ? t.afterwards : t.onTheFly) = exclusions;
    t.unit = 1.0 / scale, t.sums = sums, t.overflow = overflow_;
    return t;
  }

  Source source_;
  Law law_{};
  std::unique_ptr<Shared> shared_;
};

// SourceOf<S, Split, Math>: a source in single, mixed and double precision. Each source needs an alias of its own name:
// two of one name, even in unnamed namespaces, would be one function to the linker.
template <template <class, bool, class> class SourceOf, class S, bool Split, template <class> class SumOf,
          class Math = math::HardwareLanes>
std::unique_ptr<BodyForce> forceOf(const ForceSettings& s) {
  return std::make_unique<BodyForceOf<SourceOf<S, Split, Math>, SumOf>>(s);
}
// Narumi's sums, bitwise or not.
template <template <class, bool, class> class SourceOf, class S, bool Split>
std::unique_ptr<BodyForce> fixedForceOf(const ForceSettings& s) {
  return s.bitwise ? forceOf<SourceOf, S, Split, FixedSum, math::Portable>(s)
                   : forceOf<SourceOf, S, Split, FixedSum>(s);
}

template <template <class, bool, class> class SourceOf>
std::unique_ptr<BodyForce> makeForceOf(const ForceSettings& s) {
  using input::Accumulator;
  const Accumulator a = s.accumulator;
  if (s.precision == input::Precision::double_)
    return a == Accumulator::narumi ? forceOf<SourceOf, double, false, FixedSum, math::Portable>(s)
                                    : forceOf<SourceOf, double, false, PlainSum>(s);
  if (s.precision == input::Precision::mixed) {
    if (a == Accumulator::double_sum) return forceOf<SourceOf, float, true, WideSum>(s);
    if (a == Accumulator::narumi) return fixedForceOf<SourceOf, float, true>(s);
    return forceOf<SourceOf, float, true, TakahashiIitakaSum>(s);
  }
  switch (a) {
  case Accumulator::single:
    return forceOf<SourceOf, float, false, PlainSum>(s);
  case Accumulator::double_sum:
    return forceOf<SourceOf, float, false, WideSum>(s);
  case Accumulator::takahashi_iitaka:
    return forceOf<SourceOf, float, false, TakahashiIitakaSum>(s);
  case Accumulator::nitadori:
    return forceOf<SourceOf, float, false, NitadoriSum>(s);
  case Accumulator::modified_nitadori:
    return forceOf<SourceOf, float, false, ModifiedNitadoriSum>(s);
  default:
    return fixedForceOf<SourceOf, float, false>(s);
  }
}

}  // namespace mesowarp::nbody
