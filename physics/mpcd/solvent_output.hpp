// The solvent: what leaves the device, and what a checkpoint gives it. Included by solvent_population.device.cpp.
#pragma once

#include <cmath>
#include <fmt/format.h>

#include "comm/tag_blocks.hpp"
#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "device/host_loop.hpp"
#include "io/checkpoint/stored_rows.hpp"
#include "physics/mpcd/solvent_population.hpp"
#include "state/bins/profile.hpp"
#include "state/state_hash.hpp"

namespace mesowarp::mpcd {

inline constexpr const char* coordinateName[3] = {"x", "y", "z"};
inline constexpr const char* velocityName[3] = {"vx", "vy", "vz"};

template <class P>
struct SolventProfile {
  SolventArrays<P> solvent;
  Bins<typename P::Coord> places;
  SpeciesOfTags species;
  static constexpr int held = binChannels;
  template <class Adder>
  KOKKOS_INLINE_FUNCTION void operator()(int i, Adder& adder) const {
    typename P::Coord x[3];
    solvent.places.load(i, x);
    const Vec3<typename P::Coord> place{x[0], x[1], x[2]};
    const int bin = places(place);
    if (bin < 0) return;
    addMotion(
        adder, bin, species.of(solvent.tag[i]).mass,
        places.turned(place, {static_cast<double>(solvent.velocity[0][i]), static_cast<double>(solvent.velocity[1][i]),
                              static_cast<double>(solvent.velocity[2][i])}));
  }
};

template <class P>
std::size_t SolventOf<P>::memoryBytes() const {
  return fields_.bytes() + sort_.bytes();
}

template <class P>
bool SolventOf<P>::has(io::TrajectoryField field) const {
  using enum io::TrajectoryField;
  return field == position || field == velocity || field == species || field == mass || field == id;
}

template <class P>
std::array<LargeVector<typename P::Coord>, 3> SolventOf<P>::coordinatesHere() const {
  std::array<LargeVector<Coord>, 3> all;
  for (auto& x : all) x.resize(static_cast<std::size_t>(count_));
  const auto xz = hostCopy(xz_->current), yz = hostCopy(yz_->current);
  const auto z = hostCopy(z_->current);
  hostLoop("coordinates of solvent", 0, count_, [&](i64 i) {
    Coord x[3];
    PackedPlace<Coord>{xz(i), yz(i), z(i)}.unpack(x);
    for (std::size_t a = 0; a < 3; ++a) all[a][i] = x[a];
  });
  return all;
}

template <class P>
LargeVector<typename SolventOf<P>::Row> SolventOf<P>::rowsHere() const {
  LargeVector<Row> rows(static_cast<std::size_t>(count_));
  const auto tag = hostCopy(tag_->current);
  const auto x = coordinatesHere();
  for (std::size_t a = 0; a < 3; ++a) {
    const auto v = hostCopy(velocity_[a]->current);
    hostLoop("rows of solvent", 0, count_, [&](i64 i) { rows[i].x[a] = x[a][i], rows[i].v[a] = v(i); });
  }
  hostLoop("rows of solvent", 0, count_, [&](i64 i) { rows[i].tag = tag(i); });
  if (!ranks()) {
    LargeVector<Row> ordered(rows.size());
    hostLoop("solvent in order", 0, count_, [&](i64 i) { ordered[rows[i].tag] = rows[i]; });
    return ordered;
  }
  std::vector<u32> tags(rows.size());
  hostLoop("tags of solvent", 0, count_, [&](i64 i) { tags[i] = rows[i].tag; });
  const comm::TagBlocks blocks(*ranks(), total_, tags.data(), count_, StateHash::block);
  LargeVector<Row> block(static_cast<std::size_t>(blocks.count()));
  blocks.gather(rows.data(), sizeof(Row), block.data());
  return block;
}

template <class P>
io::Snapshot SolventOf<P>::snapshot(i64 step) const {
  const LargeVector<Row> rows = rowsHere();
  const std::size_t n = rows.size();
  io::Snapshot s;
  s.step = step, s.time = static_cast<double>(step) * timestep_;
  s.box = box_.size, s.periodic = box_.periodic;
  const int all = ranks() ? ranks()->size() : 1, rank = ranks() ? ranks()->rank() : 0;
  s.first = comm::firstOfBlock(rank, all, total_, StateHash::block), s.total = total_;
  s.tag.resize(n), s.species.resize(n), s.mass.resize(n), s.position.resize(3 * n), s.velocity.resize(3 * n);
  s.image.assign(3 * n, 0);
  const SpeciesOfTags of{species_.data(), static_cast<int>(species_.size())};
  hostLoop("snapshot of solvent", 0, static_cast<i64>(n), [&](i64 i) {
    s.tag[i] = rows[i].tag;
    s.species[i] = of.species(rows[i].tag), s.mass[i] = species_[static_cast<std::size_t>(s.species[i])].mass;
    for (int axis = 0; axis < 3; ++axis) {
      const double x = toLength(box_, axis, rows[i].x[axis]), size = box_.size[axis];
      s.position[3 * i + axis] = x < size ? x : std::nextafter(size, 0.0);
      s.velocity[3 * i + axis] = static_cast<double>(rows[i].v[axis]);
    }
  });
  return s;
}

template <class P>
void SolventOf<P>::addProfile(const BinShape& shape, const BinWish&, BinTotals& totals) {
  addSample(SolventProfile<P>{arrays(), Bins<Coord>::of(shape, box_), speciesOfTags()}, count_, totals, ranks());
}

template <class P>
std::string SolventOf<P>::stateHash() const {
  const LargeVector<Row> rows = rowsHere();
  LargeVector<HashedState> states(rows.size());
  hostLoop("hashed solvent", 0, static_cast<i64>(rows.size()), [&](i64 i) {
    for (int a = 0; a < 3; ++a) {
      states[i].position[a] = static_cast<u64>(rows[i].x[a]) << (64 - 8 * sizeof(Coord));
      states[i].velocity[a] = static_cast<double>(rows[i].v[a]);
    }
  });
  const int all = ranks() ? ranks()->size() : 1, rank = ranks() ? ranks()->rank() : 0;
  StateHash hash;
  hash.add(reinterpret_cast<const std::byte*>(states.data()), sizeof(HashedState), static_cast<i64>(states.size()),
           comm::firstOfBlock(rank, all, total_, StateHash::block));
  if (ranks()) hash.addOthers(*ranks());
  return hash.text();
}

template <class P>
std::optional<std::string> SolventOf<P>::failure() {
  const auto here = hostCopy(mishap_);
  i64 found[mishaps];
  for (int m = 0; m < mishaps; ++m) found[m] = here(m);
  if (ranks())
    for (i64& f : found) f = ranks()->largest(f);
  if (found[tooFast])
    return "a solvent particle is faster than 16 times the thermal velocity: the body force is too strong for the time "
           "between collisions, or nothing takes the heat away; use thermostat = true, or a weaker drive";
  if (found[tooMany])
    return "a collision cell has more particles than its sums have room for: the solvent's density is no longer near "
           "the deck's";
  if (found[insideSolid])
    return "a solvent particle is in the solid of a [[wall]], deeper than it can be brought out: the solid is too "
           "narrow "
           "a fold, or thinner than a step";
  if (found[lost]) return "a solvent particle is further from its rank's domain than a step can take it";
  if (found[guestTooFast])
    return "a particle that is embedded in the solvent is faster than 32 times the thermal velocity: particles overlap "
           "at the start, or run.timestep is too long for their forces";
  if (found[guestsTooHeavy])
    return "a collision cell has more embedded particles than its sums have room for, 256 of the heaviest in a unit of "
           "volume: they have collapsed, or collision.cell is too large";
  if (found[guestLost])
    return "an embedded particle is further from its rank's domain than its skin allows: use neighbor.rebuild = "
           "\"displacement\", or a shorter neighbor.every";
  return std::nullopt;
}

template <class P>
std::string SolventOf<P>::sharedHow() const {
  const auto& parts = part_.domain.ranks;
  return fmt::format("{} x {} x {} parts of the solvent's box; sums of border cells travel", parts[0], parts[1],
                     parts[2]);
}

template <class P>
std::vector<io::ArrayView> SolventOf<P>::checkpointArrays(std::vector<std::vector<std::byte>>& storage) {
  complete_();
  std::vector<io::ArrayView> views;
  const auto rows = static_cast<std::size_t>(count_);
  const auto add = [&](const std::string& name, std::size_t rowBytes, std::vector<std::byte> data) {
    storage.push_back(std::move(data));
    views.push_back({name, io::ElementType::u8, rows, rowBytes, storage.back().data(), io::Spread::distributed});
  };
  const auto x = coordinatesHere();
  for (std::size_t a = 0; a < 3; ++a) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(x[a].data());
    add(coordinateName[a], sizeof(Coord), {bytes, bytes + rows * sizeof(Coord)});
  }
  for (const auto& field : fields_.all())
    if (field->has(checkpointed)) add(field->name(), field->rowBytes(), field->toHost(rows));
  return views;
}

template <class P>
void SolventOf<P>::checkRows(const io::CheckpointContent& content) const {
  const i64 rows = static_cast<i64>(content.arrays.at("tag").rows);
  for (const char* name : coordinateName) storedRows<Coord>(content, name, rows);
  for (const auto& field : fields_.all())
    if (field->has(checkpointed))
      storedArray(content, field->name(), io::ElementType::u8, static_cast<std::size_t>(rows), field->rowBytes());
  for (const char* name : velocityName) {
    const auto v = storedRows<Store>(content, name, rows);
    const i64 bad = hostFirst("check solvent", rows, [&](i64 i) { return !std::isfinite(v(i)); });
    if (bad < rows)
      throw InputError(
          fmt::format("the checkpoint's solvent particle in row {} has no velocity{}", bad, damagedAdvice));
  }
}

// A checkpoint of a version that kept more bits of coordinates is resumed near to where it was.
template <class P>
void SolventOf<P>::restore(const io::CheckpointContent& content, KeepList) {
  const auto check = [&] { checkRows(content); };
  ranks() ? ranks()->onAll(check) : check();
  const i64 n = static_cast<i64>(content.arrays.at("tag").rows);
  LargeVector<Row> rows(static_cast<std::size_t>(n));
  const auto tag = storedRows<u32>(content, "tag", n);
  for (int a = 0; a < 3; ++a) {
    const auto x = storedRows<Coord>(content, coordinateName[a], n);
    const auto v = storedRows<Store>(content, velocityName[a], n);
    hostLoop("restored solvent", 0, n,
             [&](i64 i) { rows[i].x[a] = PackedPlace<Coord>::kept(x(i)), rows[i].v[a] = v(i); });
  }
  hostLoop("restored solvent", 0, n, [&](i64 i) { rows[i].tag = tag(i); });
  take(std::move(rows));
}

}  // namespace mesowarp::mpcd
