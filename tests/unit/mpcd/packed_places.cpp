// Positions packed in fewer bytes: what is stored comes back, bit by bit, one by one and in groups, and is what travels
// between ranks and is reordered.
#include "kernels/bricks/packed_places.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "state/fields.hpp"

namespace mesowarp {
namespace {

template <class Coord>
struct Held {
  Coord x[3];
};

template <class Coord>
class PackedPlacesOf : public testing::Test {
protected:
  using Place = PackedPlace<Coord, true>;
  static constexpr int particles = 64;
  PackedPlacesOf() {
    std::mt19937_64 random(11);
    for (auto& p : given_)
      for (Coord& x : p.x) x = Place::kept(static_cast<Coord>(random()));
    given_[0] = {{0, Place::kept(~Coord(0)), 0}}, given_[1] = {{Place::kept(~Coord(0)), 0, Place::kept(~Coord(0))}};
    for (int bit = 0; bit < Place::bits && bit + 2 < particles; ++bit) given_[bit + 2].x[2] = Place::tick << bit;
  }
  PackedPlaces<Coord, true> places() { return {xz_, yz_, z_}; }
  void expectGiven() {
    for (int i = 0; i < particles; ++i) {
      Held<Coord> back;
      places().load(i, back.x);
      u32 at[3];
      places().leading(i, at);
      for (int a = 0; a < 3; ++a) {
        EXPECT_EQ(back.x[a], given_[i].x[a]) << i << ", " << a;
        EXPECT_EQ(at[a], leading32(given_[i].x[a])) << i << ", " << a;
      }
    }
  }
  template <int N>
  void throughGroups() {
    for (int j = 0; j < particles / N; ++j) {
      typename PackedPlaces<Coord, true>::template Group<N> group, back;
      places().loadGroup(j, group);
      for (int q = N - 1; q >= 0; --q) group.set(q, Place::of(given_[N * j + q].x));
      places().storeGroup(j, group);
      places().loadGroup(j, back);
      for (int q = 0; q < N; ++q) {
        Held<Coord> one;
        back.at(q).unpack(one.x);
        for (int a = 0; a < 3; ++a) EXPECT_EQ(one.x[a], given_[N * j + q].x[a]);
      }
    }
    expectGiven();
  }
  Held<Coord> given_[particles];
  alignas(16) Coord xz_[particles] = {}, yz_[particles] = {};
  alignas(16) typename Place::Rest z_[particles] = {};
};
using Coords = testing::Types<u32, u64>;
TYPED_TEST_SUITE(PackedPlacesOf, Coords);

TYPED_TEST(PackedPlacesOf, ComeBackOneByOne) {
  for (int i = 0; i < this->particles; ++i) this->places().store(i, this->given_[i].x);
  this->expectGiven();
}

TYPED_TEST(PackedPlacesOf, ComeBackInGroups) {
  this->template throughGroups<1>();
  this->template throughGroups<2>();
  this->template throughGroups<4>();
}

// As many bits as a float and a double have, in as few bytes as these take.
TYPED_TEST(PackedPlacesOf, TakeFewBytes) {
  using Packed = PackedPlace<TypeParam, true>;
  using Real = std::conditional_t<sizeof(TypeParam) == 4, float, double>;
  EXPECT_EQ(Packed::bits + 0, std::numeric_limits<Real>::digits);
  EXPECT_EQ(Packed::bytes + 0, sizeof(TypeParam) == 4 ? 9 : 20);
  EXPECT_EQ(Packed::kept(Packed::mask), TypeParam(0));
}

// On a CPU they are stored one by one, with the same bits.
TYPED_TEST(PackedPlacesOf, AreTheSameOneByOne) {
  using Plain = PackedPlace<TypeParam, false>;
  EXPECT_EQ(Plain::tick + 0, (PackedPlace<TypeParam, true>::tick + 0));
  for (const auto& given : this->given_) {
    Held<TypeParam> back;
    Plain::of(given.x).unpack(back.x);
    for (int a = 0; a < 3; ++a) EXPECT_EQ(back.x[a], given.x[a]);
  }
}

struct ThereAndBack {
  FieldRows rows;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    alignas(16) u32 row[8];
    rows.pack(i + 2, row);
    rows.unpack(row, i);
  }
};

// A byte of a particle has a word in a row that travels.
TEST(FieldRowsOfBytes, TravelWithOthers) {
  FieldRegistry fields;
  const auto quad = fields.add<u32>("four words", moves, 3, 4);
  const auto byte = fields.add<u8>("a byte", moves, 3);
  const auto word = fields.add<u32>("a word", moves, 3);
  const std::vector<u32> quads = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, words = {21, 22, 23};
  const std::vector<u8> bytes = {200, 201, 255};
  quad->fromHost(reinterpret_cast<const std::byte*>(quads.data()), quads.size() * sizeof(u32));
  byte->fromHost(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  word->fromHost(reinterpret_cast<const std::byte*>(words.data()), words.size() * sizeof(u32));
  const FieldRows rows = fields.rows(moves);
  EXPECT_EQ(rows.words, 8);
  Kokkos::parallel_for("there and back", Range(0, 1), ThereAndBack{rows});
  Kokkos::fence();
  const auto back = hostCopy(byte->current);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(back(i), i == 1 ? 201 : 255);
  EXPECT_EQ(hostCopy(word->current)(0), 23u);
  EXPECT_EQ(hostCopy(quad->current)(3), 12u);
}

}  // namespace
}  // namespace mesowarp
