// Bonds, angles and dihedrals of a CPU's blocks (kernels/terms/term_blocks_cpu.hpp) against the same kernels particle
// by particle: every bit of the sums, in all ways of adding up, of several types, with empty slots, partners that are
// missing, broken bonds, more terms than a list holds, and in a sheared box.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/accumulators.hpp"
#include "kernels/terms/run_terms.hpp"
#include "physics/bonded/bonds.hpp"
#include "physics/topology/angles.hpp"
#include "physics/topology/dihedrals.hpp"
#include "tests/unit/support/test_statistics.hpp"

#ifndef KOKKOS_ENABLE_CUDA
namespace mesowarp {
namespace {

constexpr int particles = 203;                  // no whole number of blocks
bool isLost(u32 tag) { return tag % 29 == 7; }  // nobody has it here
constexpr double tickLength = 8.0 / 0x1p32;

// Particles in the box' middle, with slots of terms with any others.
template <class P, class State>
struct Terms {
  using Coord = typename P::Coord;
  State state;
  StepFlags flags;

  Terms(int members, int types, int width, bool sheared, double reach) {
    test::Uniform uniform(11 + width);
    state.position = DeviceArray<PairPosition<Coord>>("position", particles);
    state.tag = DeviceArray<u32>("tag", particles);
    state.indexOfTag.ofAll = DeviceArray<int>("index of tag", particles);
    state.partner = DeviceArray<u32>("partner", particles * width * (members - 1));
    state.type = DeviceArray<i32>("type", particles * width);
    state.width = width, state.errors = flags.errors();
    using Real = typename P::Real;
    const Real tick = Real(sizeof(Coord) == 4 ? tickLength : tickLength * 0x1p-32);
    state.tick = {tick, tick, tick};
    if (sheared) {
      state.faces.on = true, state.faces.flow = 0, state.faces.gradient = 1;
      state.faces.offset = static_cast<Coord>(u64{0x2345678900000000} >> (64 - 8 * sizeof(Coord)));
    }
    for (int i = 0; i < particles; ++i) {
      const double scale = sizeof(Coord) == 4 ? 0x1p32 : 0x1p63 * 2.0;
      const auto coordinate = [&](double half) {
        return static_cast<Coord>(half * scale * (0.5 + reach / 8.0 * (uniform() - 0.5)));
      };
      state.position(i) = {coordinate(1.0), coordinate(sheared ? 0.5 : 1.0), coordinate(1.0), 0};
      state.tag(i) = static_cast<u32>(i * 2 % particles);
      state.indexOfTag.ofAll(state.tag(i)) = isLost(state.tag(i)) ? -1 : i;
    }
    for (int slot = 0; slot < particles * width; ++slot) {
      const int role = members == 2 ? 0 : static_cast<int>(uniform() * members);
      const int type = static_cast<int>(uniform() * types);
      state.type(slot) = members == 2 ? type : type * members + role;
      const bool none = uniform() < 0.2;
      const int from = static_cast<int>(uniform() * 50);  // all members differ
      for (int m = 0; m < members - 1; ++m)
        state.partner(slot * (members - 1) + m) =
            none ? noBond : (state.tag(slot / width) + static_cast<u32>(1 + from + 51 * m)) % particles;
    }
  }
};

template <class Kernel>
void expectSameBits(Kernel kernel, const StepFlags& flags) {
  using Total = typename Kernel::Total;
  using Real = typename Kernel::Real;
  const auto summedBefore = [] {
    DeviceArray<Vec3<Total>> force("force", particles);
    for (int i = 0; i < particles; ++i)
      for (int c = 0; c < 3; ++c) {
        typename Kernel::Sum before;
        before.add(Real(0.25) + Real(i + c), Real(0x1p-10));
        before.endTile();
        force(i)[c] = before.total(0);
      }
    return force;
  };
  const auto errors = [&] {
    std::vector<bool> raised;
    for (int e = 0; e < StepFlags::events; ++e)
      raised.push_back(flags.errors()(e) != StepFlags::none), flags.errors()(e) = StepFlags::none;
    return raised;
  };
  const auto block = kernel.force = summedBefore();
  backend::runTerms("terms", particles, kernel, nullptr);
  const auto raised = errors();
  EXPECT_TRUE(std::find(raised.begin(), raised.end(), true) != raised.end());
  for (const bool observed : {false, true}) {
    const auto alone = kernel.force = summedBefore();
    ThermoSums sums;
    for (int i = 0; i < particles; ++i) observed ? kernel(i, sums) : kernel(i);
    EXPECT_EQ(errors(), raised);
    int differ = 0, zeros = 0;
    for (int i = 0; i < particles; ++i)
      for (int c = 0; c < 3; ++c) {
        const double a = alone(i)[c].value(), b = block(i)[c].value();
        differ += a != b || std::signbit(a) != std::signbit(b) || alone(i)[c].overflowed() != block(i)[c].overflowed();
        zeros += a == 0.0;
      }
    EXPECT_EQ(differ, 0) << (observed ? "observed" : "plain");
    EXPECT_LT(zeros, particles);
  }
}

template <class P, class Sum, class Math>
void checkBonds(int types, int width, bool sheared) {
  using Real = typename P::Real;
  const Real unit = Real(Sum::scaled ? 0x1p-14 : 1.0);
  const Terms<P, BondState<P>> terms(2, types, width, sheared, 1.3);
  DeviceArray<BondCoefficients<Real>> coefficients("bonds", types);
  for (int t = 0; t < types; ++t)
    coefficients(t) = {t % 2 ? BondKind::harmonic : BondKind::fene, unit * Real(30 + t), Real(0.1) * Real(t),
                       Real(2.25), Real(1.0 / 2.25)};
  expectSameBits(BondKernel<P, Sum, Math>{terms.state, coefficients, {}, 1.0, {}, nullptr}, terms.flags);
}
template <class P, class Sum, class Term, class MakeCoefficients>
void checkTerms(int types, int width, bool sheared, const MakeCoefficients& make) {
  using Real = typename P::Real;
  const Terms<P, TermState<P>> terms(Term::members, types, width, sheared, 2.5);
  DeviceArray<typename Term::template Coefficients<Real>> coefficients("coefficients", types);
  for (int t = 0; t < types; ++t) coefficients(t) = make(t, Real(Sum::scaled ? 0x1p-14 : 1.0));
  expectSameBits(TermKernel<P, Sum, Term>{terms.state, coefficients, {}, 1.0, {}, nullptr}, terms.flags);
}

template <class P, class Sum, class Math>
void check() {
  using Real = typename P::Real;
  const auto angle = [](int t, Real k) {
    return AngleCoefficients<Real>{static_cast<AngleKind>(t % 3), k * Real(3 + t), Real(2), Real(-0.4)};
  };
  const auto dihedral = [](int t, Real k) {
    return DihedralCoefficients<Real>{
        static_cast<DihedralKind>(t % 2), k * Real(2 + t), 1 + t, Real(0.5), Real(0.8), Real(0.6)};
  };
  for (const bool sheared : {false, true})
    for (const int types : {1, 2, 4})
      for (const int width : {1, 3, 9}) {
        SCOPED_TRACE(std::to_string(types) + " types, " + std::to_string(width) + " slots" +
                     (sheared ? ", sheared" : ""));
        checkBonds<P, Sum, Math>(types, width, sheared);
        checkTerms<P, Sum, AngleTerm<Math>>(types, width, sheared, angle);
        checkTerms<P, Sum, DihedralTerm<Math>>(types, width, sheared, dihedral);
      }
}

TEST(TermBlocks, BitsOfSinglePrecision) {
  check<SinglePrecision, PlainSum<float>, math::Hardware>();
  check<SinglePrecision, FixedSum<float>, math::Portable>();
  check<SinglePrecision, WideSum<float>, math::Hardware>();
  check<SinglePrecision, TakahashiIitakaSum<float>, math::Hardware>();
  check<SinglePrecision, NitadoriSum<float>, math::Hardware>();
  check<SinglePrecision, ModifiedNitadoriSum<float>, math::Hardware>();
}
TEST(TermBlocks, BitsOfMixedPrecision) {
  check<MixedPrecision, PlainSum<double>, math::Hardware>();
  check<MixedPrecision, FixedSum<double>, math::Portable>();
}
TEST(TermBlocks, BitsOfDoublePrecision) {
  check<DoublePrecision, PlainSum<double>, math::Hardware>();
  check<DoublePrecision, FixedSum<double>, math::Portable>();
}

}  // namespace
}  // namespace mesowarp
#endif
