// A sort by bricks moves each particle once, with all of its fields, to its brick; those that leave are not there any
// more, and those that came in between are. In more bricks than a block of a GPU can tell apart, too.
#include "kernels/bricks/sort/brick_sort.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>

#include "state/fields.hpp"
#include "tests/unit/support/test_device.hpp"

namespace mesowarp {
namespace {

// Places anywhere in the box, packed, a field of two words that tells the particle's tag, and the tag.
template <class Coord>
class Sorted {
  using Place = PackedPlace<Coord>;

public:
  explicit Sorted(int particles) : count_(particles), tags_(static_cast<std::size_t>(particles)) {
    std::mt19937_64 random(7);
    std::vector<Coord> xz, yz;
    std::vector<typename Place::Rest> z;
    for (std::size_t i = 0; i < tags_.size(); ++i) {
      Coord x[3];
      for (std::size_t a = 0; a < 3; ++a) given_[a].push_back(x[a] = Place::kept(static_cast<Coord>(random())));
      const Place place = Place::of(x);
      xz.push_back(place.xz), yz.push_back(place.yz), z.push_back(place.z);
    }
    xz_ = fill("x and z", 1, xz), yz_ = fill("y and z", 1, yz), z_ = fill("z", 1, z);
    std::iota(tags_.begin(), tags_.end(), 0u);
    std::vector<u32> both;
    for (const u32 tag : tags_) both.insert(both.end(), {3 * tag, ~tag});
    both_ = fill("of two words", 2, both), tag_ = fill("tag", 1, tags_);
  }
  // The last ones come when the others have been counted.
  void sort(const BrickGrid& grid, const DomainBounds& stay, int late) {
    backend::BrickSort sort;
    const backend::BrickCoordinates<Coord> x{{xz_->current.data(), yz_->current.data(), z_->current.data()}, stay};
    const backend::ParticleSpan here{0, count_ - late}, came{count_ - late, count_};
    sort.begin(grid);
    sort.count(x, here), sort.count(x, came);
    Workspace none;
    sort.move(x, {here, came}, fields_.beginReorder(none));
    fields_.endReorder();
    start_ = test::toVector(sort.start());
  }
  void expectAllInTheirBricks(const BrickGrid& grid, const DomainBounds& stay) const {
    const auto tags = test::toVector(tag_->current), both = test::toVector(both_->current);
    const auto xz = test::toVector(xz_->current), yz = test::toVector(yz_->current);
    const auto z = test::toVector(z_->current);
    const auto stays = [&](std::size_t i) {
      return stay.way(leading32(given_[0][i]), leading32(given_[1][i]), leading32(given_[2][i])) == direction::here;
    };
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tags_.size(); ++i) kept += stays(i) ? 1 : 0;
    ASSERT_EQ(static_cast<std::size_t>(start_.back()), kept);
    std::vector<int> seen(tags_.size(), 0);
    for (std::size_t brick = 0; brick + 1 < start_.size(); ++brick)
      for (auto i = static_cast<std::size_t>(start_[brick]); i < static_cast<std::size_t>(start_[brick + 1]); ++i) {
        const u32 tag = tags[i];
        ASSERT_LT(tag, tags_.size());
        ASSERT_TRUE(stays(tag));
        ASSERT_EQ(seen[tag]++, 0);
        Coord x[3];
        Place{xz[i], yz[i], z[i]}.unpack(x);
        for (int a = 0; a < 3; ++a) ASSERT_EQ(x[a], given_[a][tag]);
        ASSERT_EQ(both[2 * i], 3 * tag);
        ASSERT_EQ(both[2 * i + 1], ~tag);
        ASSERT_EQ(grid.brickOf(leading32(x[0]), leading32(x[1]), leading32(x[2])), static_cast<int>(brick));
      }
  }

private:
  template <class T>
  std::shared_ptr<Field<T>> fill(const std::string& name, std::size_t width, const std::vector<T>& values) {
    const auto field = fields_.add<T>(name, moves, tags_.size(), width, true);
    field->fromHost(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T));
    return field;
  }
  int count_;
  std::vector<u32> tags_;
  std::vector<Coord> given_[3];  // places, by tag
  std::vector<int> start_;
  FieldRegistry fields_;
  std::shared_ptr<Field<Coord>> xz_, yz_;
  std::shared_ptr<Field<typename Place::Rest>> z_;
  std::shared_ptr<Field<u32>> both_, tag_;
};

// edge: of bricks, of a box of 20 x 20 x 20 cells. cut: half of the box leaves.
template <class Coord>
void expectSorted(int edge, bool cut, int late) {
  SCOPED_TRACE("bricks of " + std::to_string(edge) + (cut ? ", cut, " : ", ") + std::to_string(late) + " come late");
  BrickGrid grid;
  for (int axis = 0; axis < 3; ++axis) grid.cells[axis] = grid.span[axis] = grid.own[axis] = 20;
  grid.cutInto(edge, edge, edge);
  Domain domain;
  if (cut) domain.ranks = {1, 2, 1};
  const DomainBounds stay(domain);
  Sorted<Coord> particles(20011);
  particles.sort(grid, stay, late);
  particles.expectAllInTheirBricks(grid, stay);
}

TEST(BrickSort, MovesEachOnceToItsBrick) {
  for (const int edge : {2, 10, 20})
    for (const bool cut : {false, true})
      for (const int late : {0, 1, 5003, 20011}) {
        expectSorted<u32>(edge, cut, late);
        expectSorted<u64>(edge, cut, late);
      }
}

}  // namespace
}  // namespace mesowarp
