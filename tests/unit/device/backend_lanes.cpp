// What a CPU's lanes compute are the bits that the same code computes with one number.
#include <gtest/gtest.h>
#include <vector>

#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA

#include "device/pair_lanes_cpu.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/pair/lennard_jones.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp::backend {
namespace {

template <class Force_>
class BackendLanes : public testing::Test {
protected:
  using Force = Force_;
  using Real = typename Force::Real;
  using V = PairNumbers<Real>;
  static constexpr int pairs = 4096, width = V::width;
  test::Uniform uniform{11};
  u32 word() { return static_cast<u32>(uniform() * 4294967296.0); }
  // Coefficients of pair k of 3 species, as a table of numbers.
  static constexpr int count = sizeof(typename Force::Coefficients) / sizeof(Real);
  std::vector<typename Force::Coefficients> table() {
    std::vector<typename Force::Coefficients> all(9);
    for (auto& c : all) {
      Real numbers[count];
      for (Real& x : numbers) x = Real(0.3 + 1.5 * uniform());
      std::memcpy(&c, numbers, sizeof(c));
    }
    all[4] = {};  // acts on nothing
    return all;
  }
};

template <class Real, bool Unit, class Mixing, class Math>
using Dpd = DpdForce<Real, Unit, Mixing, Math>;
using math::Hardware, math::Portable;
using Forces = testing::Types<LennardJonesForce<float, Hardware>, LennardJonesForce<double, Hardware>,
                              LennardJonesForce<float, Portable>, LennardJonesForce<double, Portable>,
                              Dpd<float, true, TeaMixing, Hardware>, Dpd<double, true, TeaMixing, Hardware>,
                              Dpd<float, false, TeaMixing, Portable>, Dpd<double, false, TeaMixing, Portable>,
                              Dpd<float, false, MultiplyMixing, Hardware>, Dpd<double, false, MultiplyMixing, Hardware>,
                              Dpd<float, true, MultiplyMixing, Portable>, Dpd<double, true, MultiplyMixing, Portable>>;
TYPED_TEST_SUITE(BackendLanes, Forces);

TYPED_TEST(BackendLanes, HaveTheBitsOfOneNumber) {
  using Number = typename TestFixture::Real;
  using Numbers = typename TestFixture::V;
  constexpr int lanes = TestFixture::width, members = TestFixture::count;
  const auto coefficients = this->table();
  for (int first = 0; first < TestFixture::pairs; first += lanes) {
    Number distance2[lanes], rDotV[lanes], force[lanes], energy[lanes];
    u32 keyI[lanes], keyJ[lanes], at[lanes];
    for (int l = 0; l < lanes; ++l) {
      distance2[l] = first == 0 ? Number(1e-24) : Number(4.0 * this->uniform()),
      rDotV[l] = Number(4.0 * this->uniform() - 2.0);
      keyI[l] = l == 0 ? 0xFFFFFFFFu : this->word(), keyJ[l] = l == 1 ? 0 : this->word(), at[l] = this->word() % 9;
    }
    typename TypeParam::template CoefficientsOf<Numbers> c;
    for (int m = 0; m < members; ++m) {
      u32 index[lanes];
      for (int l = 0; l < lanes; ++l) index[l] = at[l] * members;
      const Numbers member =
          gather(reinterpret_cast<const Number*>(coefficients.data()) + m, loadAs<Keys>(index), Numbers());
      std::memcpy(reinterpret_cast<char*>(&c) + m * sizeof(Numbers), static_cast<const void*>(&member),
                  sizeof(Numbers));
    }
    const auto together = TypeParam::evaluate(
        c, PairInput<Numbers>{
               loadAs<Numbers>(distance2), loadAs<Numbers>(rDotV), loadAs<Keys>(keyI), loadAs<Keys>(keyJ), {}});
    store(force, together.forceOverR), store(energy, together.energy);
    for (int l = 0; l < lanes; ++l) {
      const auto one =
          TypeParam::evaluate(coefficients[at[l]], PairInput<Number>{distance2[l], rDotV[l], keyI[l], keyJ[l], {}});
      ASSERT_EQ(math::wordsOf(force[l]), math::wordsOf(one.forceOverR))
          << first << ' ' << l << ' ' << force[l] << ' ' << one.forceOverR;
      ASSERT_EQ(math::wordsOf(energy[l]), math::wordsOf(one.energy)) << first << ' ' << l;
    }
  }
}

TEST(BackendLanesOfKeys, SignTagsAsOneByOne) {
  const StepKey key = stepKey(42, Stream::pairNoise, 77);
  for (u32 first = 0; first < 4096; first += Keys::width) {
    u32 tag[Keys::width], signatureOf[Keys::width];
    for (u32 l = 0; l < Keys::width; ++l) tag[l] = (first + l) * 1048583u;
    store(signatureOf, signatures(loadAs<Keys>(tag), key));
    for (int l = 0; l < Keys::width; ++l) ASSERT_EQ(signatureOf[l], signature(tag[l], key));
  }
}

}  // namespace
}  // namespace mesowarp::backend
#endif
