// Leavers that travel by a transport, and those that are too many for the room there is: each arrives once, with all
// its fields, at the neighbour that it is with.
#include "physics/mpcd/sharing/solvent_migration.hpp"

#include <gtest/gtest.h>
#include <map>

#include "device/host_copy.hpp"
#include "tests/mpi/on_all_ranks.hpp"

namespace mesowarp::test {
namespace {

using mpcd::SolventMigration;

struct FindBeyond {
  const u32* at;
  DomainBounds bounds;
  Leavers leavers;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    int side[3] = {};
    for (int a = 0; a < 3; ++a)
      if (bounds.cut[a]) side[a] = bounds.side(at[3 * i + a], a);
    const int way = direction::of(side[0], side[1], side[2]);
    if (way != direction::here) leavers.add(i, way);
  }
};

// Particles of a field of three coordinates and one of tags.
struct Particles {
  FieldRegistry fields;
  std::shared_ptr<Field<u32>> at = fields.add<u32>("at", moves, 0, 3, true), tag = fields.add<u32>("tag", moves, 0);
  int count = 0;

  void ensureRoom(std::size_t particles) {
    if (particles > tag->current.extent(0)) fields.grow(particles);
  }
  void set(const std::vector<u32>& places, const std::vector<u32>& tags) {
    count = static_cast<int>(tags.size());
    ensureRoom(tags.size());
    at->fromHost(reinterpret_cast<const std::byte*>(places.data()), places.size() * sizeof(u32));
    tag->fromHost(reinterpret_cast<const std::byte*>(tags.data()), tags.size() * sizeof(u32));
  }
};

// Without those that lie beyond the domain, as the sort leaves them that follows a migration `behind`. How many these
// were.
int dropLeavers(Particles& particles, const DomainBounds& bounds) {
  const auto at = hostCopy(particles.at->current);
  const auto tag = hostCopy(particles.tag->current);
  std::vector<u32> places, tags;
  int left = 0;
  for (int i = 0; i < particles.count; ++i) {
    if (bounds.way(at(3 * i), at(3 * i + 1), at(3 * i + 2)) != direction::here) {
      ++left;
      continue;
    }
    for (int a = 0; a < 3; ++a) places.push_back(at(3 * i + a));
    tags.push_back(tag(i));
  }
  particles.set(places, tags);
  return left;
}

// crowd: so many of a thousand particles of each rank are just beyond its domain's upper face along the first cut axis.
// behind: SolventMigration::migrate.
void expectAllArrive(std::optional<TransportStyle> mail, int crowd, int number, bool behind = false) {
  const auto& ranks = world();
  if (ranks.size() == 1) GTEST_SKIP() << "one rank has no neighbour";
  Domain domain;
  domain.ranks = {ranks.size(), 1, 1};
  domain.at = {ranks.rank(), 0, 0};
  const DomainBounds bounds(domain);
  const auto low = [&](int part) { return static_cast<u32>(domain.edge(0, part)); };
  std::vector<u32> places, tags;
  for (int k = 0; k < number; ++k) {
    const u32 inside = low(ranks.rank()) + 1000u * static_cast<u32>(k + 1);
    places.insert(places.end(),
                  {k % 1000 < crowd ? low((ranks.rank() + 1) % ranks.size()) + static_cast<u32>(k) : inside,
                   static_cast<u32>(k), 7u});
    tags.push_back(static_cast<u32>(number * ranks.rank() + k));
  }
  Particles particles;
  particles.set(places, tags);
  SolventMigration migration(ranks, domain, number, mail);
  const auto rows = [&](int count) {
    particles.ensureRoom(static_cast<std::size_t>(count));
    return particles.fields.rows(moves);
  };
  for (int again = 0; again < 3; ++again) {  // buffers take turns
    int meanwhile = 0;
    const auto find = [&](const Leavers& leavers) {
      Kokkos::parallel_for("find", Range(0, particles.count),
                           FindBeyond{particles.at->current.data(), bounds, leavers});
    };
    const auto [gone, arrived] = migration.migrate(
        particles.count, find, rows, [&] { ++meanwhile; }, behind);
    EXPECT_EQ(meanwhile, 1);
    particles.count += arrived - (behind ? 0 : gone);
    if (behind) {
      EXPECT_EQ(dropLeavers(particles, bounds), gone);
    }
    const auto at = hostCopy(particles.at->current);
    const auto tag = hostCopy(particles.tag->current);
    i64 sum = 0, crowded = 0;
    for (int i = 0; i < particles.count; ++i) {
      sum += tag(i);
      const u32 k = tag(i) % static_cast<u32>(number), from = tag(i) / static_cast<u32>(number);
      const bool left = static_cast<int>(k) % 1000 < crowd;
      EXPECT_EQ(at(3 * i + 1), k);
      EXPECT_EQ(at(3 * i + 2), 7u);
      EXPECT_EQ(static_cast<int>(from + (left ? again + 1 : 0)) % ranks.size(), ranks.rank());
      crowded += left;
      if (left) {  // on to the next
        const u32 place = low((ranks.rank() + 1) % ranks.size()) + k;
        copyToDevice(particles.at->current.data() + 3 * i, &place, sizeof place);
      }
    }
    EXPECT_EQ(particles.count, number);
    EXPECT_EQ(crowded, static_cast<i64>(number) * crowd / 1000);
    const i64 all = static_cast<i64>(number) * ranks.size();
    EXPECT_EQ(ranks.sum(sum), all * (all - 1) / 2);
  }
}

TEST(SolventMigration, Messages) { expectAllArrive(std::nullopt, 10, 4000); }
TEST(SolventMigration, Mail) { expectAllArrive(TransportStyle::automatic, 10, 4000); }
TEST(SolventMigration, MessagesBeforeASort) { expectAllArrive(std::nullopt, 10, 4000, true); }
TEST(SolventMigration, MailBeforeASort) { expectAllArrive(TransportStyle::automatic, 10, 4000, true); }
TEST(SolventMigration, MoreThanMailHasRoomForBeforeASort) {
  expectAllArrive(TransportStyle::automatic, 500, 4000, true);
}
TEST(SolventMigration, MoreThanMailHasRoomFor) { expectAllArrive(TransportStyle::automatic, 500, 4000); }

}  // namespace
}  // namespace mesowarp::test
