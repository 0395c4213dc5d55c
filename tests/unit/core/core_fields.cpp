// A reordering moves every word of every field that has the trait, whatever its size and however it is buffered.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "state/fields.hpp"
#include "tests/unit/support/test_device.hpp"

namespace mesowarp {
namespace {

struct MoveAll {
  FieldMoves fields;
  DeviceArray<int> order;
  bool inPlace;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { fields(i, inPlace ? i : order(i)); }
};

struct MoveSingles {
  SingleMoves singles;
  DeviceArray<int> order;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { each(singles.pairs, i), each(singles.words, i); }

private:
  template <class Moves>
  KOKKOS_INLINE_FUNCTION void each(const Moves& all, int i) const {
    for (int k = 0; k < all.count; ++k) {
      const auto& move = all.move[k];
      move.to[i * move.pitch] = move.from[order(i) * move.pitch];
    }
  }
};

// Word w of particle i of field f.
u32 wordOf(std::size_t f, std::size_t i, std::size_t w) { return static_cast<u32>((f * 1009 + i) * 64 + w); }

class CoreFields : public testing::Test {
protected:
  void add(unsigned traits, std::size_t width, bool doubleBuffered) {
    const auto field =
        registry_.add<u32>("field " + std::to_string(fields_.size()), traits, particles, width, doubleBuffered);
    std::vector<u32> words(particles * width);
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = wordOf(fields_.size(), k / width, k % width);
    field->fromHost(reinterpret_cast<const std::byte*>(words.data()), words.size() * sizeof(u32));
    fields_.push_back(field);
  }
  void reorder(const std::vector<int>& order) {
    Workspace workspace;
    workspace.begin(registry_.workspaceBytes(), nullptr, 0);
    const DeviceArray<int> from = test::onDevice(order);
    Kokkos::parallel_for("move", Range(0, particles), MoveAll{registry_.beginReorder(workspace), from, false});
    const FieldMoves copies = registry_.endReorder();
    if (!copies.empty()) Kokkos::parallel_for("copy back", Range(0, particles), MoveAll{copies, from, true});
    Kokkos::fence();
  }
  void expectOrder(const std::vector<int>& order) {
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const std::vector<u32> words = test::toVector(fields_[f]->current);
      const std::size_t width = fields_[f]->width();
      const bool moved = fields_[f]->has(moves);
      for (std::size_t k = 0; k < words.size(); ++k) {
        const std::size_t i = k / width;
        ASSERT_EQ(words[k], wordOf(f, moved ? static_cast<std::size_t>(order[i]) : i, k % width))
            << "field " << f << " of " << width << " words, particle " << i;
      }
    }
  }
  static constexpr int particles = 1000;
  FieldRegistry registry_;
  std::vector<std::shared_ptr<Field<u32>>> fields_;
};

std::vector<int> shuffledOrder(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  return order;
}

TEST_F(CoreFields, ReorderMovesElementsOfAnySize) {
  for (const std::size_t width : {4u, 1u, 3u, 8u, 12u, 2u, 20u, 24u, 7u, 5u, 33u}) add(moves, width, width % 2 == 0);
  add(checkpointed, 6, false);
  const auto order = shuffledOrder(particles);
  reorder(order);
  expectOrder(order);
}

// As particles have them in single precision: two fields of four words and two of one.
TEST_F(CoreFields, ReorderMovesFewFields) {
  for (const std::size_t width : {4u, 4u, 1u, 1u}) add(moves, width, true);
  const auto order = shuffledOrder(particles);
  reorder(order);
  expectOrder(order);
}

TEST_F(CoreFields, ReorderOneByOneIsTheSame) {
  for (const std::size_t width : {1u, 8u, 2u, 3u}) add(moves, width, true);
  const auto order = shuffledOrder(particles);
  Workspace none;
  const SingleMoves singles = registry_.beginReorder(none).oneByOne();
  EXPECT_EQ(singles.pairs.count, 5);
  EXPECT_EQ(singles.words.count, 4);
  Kokkos::parallel_for("move elements", Range(0, particles), MoveSingles{singles, test::onDevice(order)});
  registry_.endReorder();
  expectOrder(order);
  add(moves, 13, true);
  EXPECT_THROW(registry_.beginReorder(none).oneByOne(), std::length_error);
}

// Bytes, with other fields and alone.
TEST_F(CoreFields, ReorderMovesBytes) {
  std::vector<u8> bytes(particles);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(7 * i + 3);
  const auto field = registry_.add<u8>("bytes", moves, particles, 1, true);
  field->fromHost(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  const auto order = shuffledOrder(particles);
  const auto expectBytes = [&] {
    const std::vector<u8> now = test::toVector(field->current);
    for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_EQ(now[i], bytes[static_cast<std::size_t>(order[i])]) << i;
    bytes = now;
  };
  reorder(order);
  expectBytes();
  add(moves, 5, true), add(moves, 4, false);
  reorder(order);
  expectOrder(order), expectBytes();
}

TEST_F(CoreFields, ReorderOfNothingMovesNothing) {
  add(checkpointed, 4, true);
  std::vector<int> order = shuffledOrder(particles);
  reorder(order);
  expectOrder(order);
}

TEST_F(CoreFields, MoreFieldsThanAReorderingMovesAreRefused) {
  for (int f = 0; f < 17; ++f) add(moves, 1, true);
  Workspace workspace;
  EXPECT_THROW(registry_.beginReorder(workspace), std::length_error);
}

}  // namespace
}  // namespace mesowarp
