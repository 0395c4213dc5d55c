// BoxPopulation: checkpoints. Included by box_population_*.device.cpp.
//
// A checkpoint has every rank's particles as they are stored. Ranks that find their own there again, in their own
// domains and in the order of their cells, go on with the same bits; any others share the particles out anew and
// rebuild.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "device/host_loop.hpp"
#include "io/checkpoint/stored_rows.hpp"
#include "state/box_population.hpp"
#include "state/box_population_output.hpp"
#include "state/rebuild_kernels.hpp"

namespace mesowarp {

template <class P>
std::vector<io::ArrayView> BoxPopulation<P>::checkpointArrays(std::vector<std::vector<std::byte>>& storage) {
  std::vector<io::ArrayView> views;
  for (const auto& field : arrays_.fields.all()) {
    if (!field->has(checkpointed)) continue;
    storage.push_back(field->toHost(static_cast<std::size_t>(arrays_.count)));
    views.push_back({field->name(), io::ElementType::u8, static_cast<std::size_t>(arrays_.count), field->rowBytes(),
                     nullptr, io::Spread::distributed});
  }
  const auto store = [&](const char* name, const std::vector<i64>& values) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    storage.emplace_back(bytes, bytes + values.size() * sizeof(i64));
    views.push_back({name, io::ElementType::i64, values.size(), 1, nullptr, io::Spread::whole});
  };
  const ListCounters all = counters();
  i64 moved = flags().moved()() != 0 ? 1 : 0;
  if (ranks()) moved = ranks()->largest(moved);
  store("engine_counters", {all.lastRebuild, all.rebuilds, all.dangerousBuilds, moved});
  const auto plan = interval().state();
  store("list_interval", {plan.begin(), plan.end()});
  if (settings_.tunesSkin) store("list_skin", skinState());
  if (widened_ > 0.0) store("widened_ghosts", {std::bit_cast<i64>(widened_), calm_});
  if (sheared()) store("shear_offset", offsetState());
  if (deformed_) store("box_lengths", lengthState());
  store("rank_rows", ranks() ? ranks()->all(arrays_.count) : std::vector<i64>{arrays_.count});
  const std::size_t before = storage.size() - views.size();
  for (std::size_t k = 0; k < views.size(); ++k) views[k].data = storage[before + k].data();
  return views;
}

// The checkpointed fields of a row one after the other, and where each begins.
template <class P>
std::vector<std::pair<FieldBase*, std::size_t>> BoxPopulation<P>::checkpointedFields() const {
  std::vector<std::pair<FieldBase*, std::size_t>> fields;
  std::size_t at = 0;
  for (const auto& field : arrays_.fields.all()) {
    if (!field->has(checkpointed)) continue;
    fields.emplace_back(field.get(), at);
    at += field->rowBytes();
  }
  return fields;
}

// ListInterval's state; checkpoints of before have none.
inline void checkInterval(const io::CheckpointContent& content) {
  if (!content.arrays.count("list_interval")) return;
  const StoredRows<i64> value{storedArray(content, "list_interval", io::ElementType::i64, 6, 1).data.data()};
  constexpr i64 most = i64{1} << 30;
  bool fits = value(0) >= 1 && value(2) >= 1 && value(3) <= 1;
  for (i64 k = 0; k < 6; ++k) fits = fits && value(k) >= 0 && value(k) <= most;
  if (!fits) throw InputError(std::string("the checkpoint's plan of list builds cannot be") + damagedAdvice);
}

inline bool isLacking(const io::CheckpointContent& content, const FieldBase& field) {
  return field.has(mayLack) && content.arrays.count(field.name()) == 0;
}

// This rank's rows, before they are taken over.
template <class P>
void BoxPopulation<P>::checkRows(const io::CheckpointContent& content) const {
  using Store = typename P::Store;
  const i64 count = arrays_.count;
  for (const auto& [field, at] : checkpointedFields())
    if (!isLacking(content, *field))
      storedArray(content, field->name(), io::ElementType::u8, static_cast<std::size_t>(count), field->rowBytes());
  const auto tag = storedRows<u32>(content, "tag", count);
  const auto refuse = [&](i64 row, const std::string& what) {
    if (row < count) throw InputError(fmt::format("the checkpoint's particle {} {}{}", tag(row), what, damagedAdvice));
  };
  const auto behindWall = [&](const auto& p) {
    bool behind = false;
    for (int axis = 0; axis < 3; ++axis)
      behind = behind || (!repeats(axis) && isBehindWall(axis == 0 ? p.x : axis == 1 ? p.y : p.z));
    return behind;
  };
  const auto position = storedRows<PairPosition<Coord>>(content, "position", count);
  const auto built = storedRows<Vec3<Coord>>(content, "position_at_build", count);
  refuse(hostFirst("check positions", count, [&](i64 i) { return behindWall(position(i)) || behindWall(built(i)); }),
         "is behind a wall");
  const auto velocity = storedRows<PairVelocity<Store>>(content, "velocity", count);
  refuse(hostFirst("check velocities", count, [&](i64 i) { return !finiteVector(velocity(i)); }),
         "has a velocity that is no number");
  const auto species = static_cast<u32>(settings_.masses.size());
  refuse(hostFirst("check species", count, [&](i64 i) { return velocity(i).species >= species; }),
         fmt::format("is of none of the {} species", species));
  const auto checkFinite = [&](const auto& field) {
    if (!field) return;
    const auto low = storedRows<Vec3<Store>>(content, field->name(), count);
    refuse(hostFirst("check velocities", count, [&](i64 i) { return !finiteVector(low(i)); }),
           "has a velocity that is no number");
  };
  checkFinite(arrays_.velocityLow);
  checkFinite(arrays_.velocityRest);
}

template <class P>
void BoxPopulation<P>::restore(const io::CheckpointContent& content, KeepList keep) {
  const auto check = [&] {
    storedArray(content, "engine_counters", io::ElementType::i64, 4, 1);
    checkInterval(content);
    checkSkin(content);
    storedGhosts(content);
    if (sheared()) storedArray(content, "shear_offset", io::ElementType::i64, 3, 1);
    if (const auto lengths = storedLengths(content)) checkLengths(*lengths);
    checkRows(content);
  };
  ranks() ? ranks()->onAll(check) : check();
  if (const auto lengths = storedLengths(content)) setLengths(*lengths);
  if (ranks()) std::tie(widened_, calm_) = storedGhosts(content), fitCells();
  keep = restoreSkin(content, keep);
  for (const auto& [field, at] : checkpointedFields()) {
    if (isLacking(content, *field)) continue;
    const io::Array& array = content.arrays.at(field->name());
    field->fromHost(array.data.data(), array.data.size());
  }
  const StoredRows<i64> counters{content.arrays.at("engine_counters").data.data()};
  mutableBuilds() = {counters(0), counters(1), counters(2)};
  flags().dangerous()() = static_cast<int>(counters(2));
  const auto step = content.numbers.find("step");
  flags().moved()() = counters(3) == 0 ? 0 : step != content.numbers.end() ? step->second : builds().lastRebuild + 1;
  if (const auto planned = content.arrays.find("list_interval");
      planned != content.arrays.end()) {  // checkpoints of before have none
    std::array<i64, 6> plan;
    std::memcpy(plan.data(), planned->second.data.data(), sizeof(plan));
    interval().restore(plan);
  }
  if (sheared()) restoreOffset(content);
  if (sheared() && keep == KeepList::yes && !storedInOrder()) shareOutAsBuilt();
  if (keep == KeepList::yes && storedInOrder())
    resumeList();
  else
    shareOut(content);
}

// Whether each rank's particles were in its domain at the last build, and are stored in the order of their cells.
template <class P>
bool BoxPopulation<P>::storedInOrder() {
  Kokkos::parallel_for("keys of built", Range(0, arrays_.count),
                       KeysOf<Vec3<Coord>>{arrays_.built->current, grid_.indexer(), keys_});
  int strays = 0;
  Kokkos::parallel_reduce("out of order", Range(0, arrays_.count),
                          CountStrays<Coord>{arrays_.built->current, DomainBounds(part_.domain), keys_}, strays);
  return ranks() ? ranks()->largest(strays) == 0 : strays == 0;
}

// The list as it was: from the positions at the last build, the neighbours' included. The present ones then travel as
// those of a step do, to the other buffers.
template <class P>
void BoxPopulation<P>::resumeList() {
  step_ = builds().lastRebuild;
  grid_.findBoundaries(keys_, arrays_.count);
  if (halo_) {
    const auto present = arrays_.position->current;
    const auto built = arrays_.position->next;
    copyOnDevice(built.data(), present.data(), built.extent(0) * sizeof(PairPosition<Coord>));
    Kokkos::parallel_for("positions at build", Range(0, arrays_.count),
                         PositionsAtBuild<Coord>{built, arrays_.built->current});
    std::swap(arrays_.position->current, arrays_.position->next);
    halo_->count(grid_);
    if (isShared()) splitBlocks();
    planGhosts();
    arrays_.writeNext(present);
    halo_->side().afterMain();
    halo_->pack(arrays_.fields.rows(ghosted | stepwise, true));
    halo_->send();
    arrays_.fields.swapState();
  }
  indexTags();
  if (halo_) lookForPartners();
  buildRows(ListPart::all);
  completeList();
}

// Particles to the ranks whose domains they are in now, and a rebuild.
template <class P>
void BoxPopulation<P>::shareOut(const io::CheckpointContent& content) {
  step_ = content.numbers.at("step");
  if (sheared()) putBack();
  countCrossings();
  if (ranks()) {
    const auto position = hostCopy(arrays_.position->current);
    exchangeRows([&](std::size_t i) { return position(i); }, {});
  }
  sortParticles();
  if (halo_) {
    buildOnRanks();
  } else {
    buildList();
    completeList();
  }
  mutableBuilds().lastRebuild = content.numbers.at("step");
  ++mutableBuilds().rebuilds;
}

// Particles to the ranks whose domains they were in at the last build, in the order of their cells then: the list can
// then be resumed. A sheared box needs that for `bitwise`: a build puts particles back through faces, which rounds, so
// builds must come when they would have come.
template <class P>
void BoxPopulation<P>::shareOutAsBuilt() {
  const auto built = hostCopy(arrays_.built->current);
  const auto ranksOfCells = hostCopy(grid_.indexer().rankOfCell);
  const CellIndexer& indexer = grid_.indexer();
  std::size_t at = 0;
  for (const auto& [field, begin] : checkpointedFields())
    if (field->name() == arrays_.built->name()) at = begin;
  const auto cellOf = [&](const std::byte* row) {
    Vec3<Coord> b;
    std::memcpy(&b, row + at, sizeof(b));
    const u32 x = indexer.subCell(leading32(b.x), 0) >> 2, y = indexer.subCell(leading32(b.y), 1) >> 2,
              z = indexer.subCell(leading32(b.z), 2) >> 2;
    return ranksOfCells((z * indexer.count[1] + y) * indexer.count[0] + x);
  };
  exchangeRows([&](std::size_t i) { return built(i); }, cellOf);
}

// at(i): where particle i is; it goes to the rank whose domain that is in. cellOf(row): rows are stored in the order of
// that number; empty: as they come.
template <class P>
template <class At>
void BoxPopulation<P>::exchangeRows(const At& at, const std::function<int(const std::byte*)>& cellOf) {
  const auto fields = checkpointedFields();
  const std::size_t rowBytes = fields.back().second + fields.back().first->rowBytes();
  const auto n = static_cast<std::size_t>(arrays_.count);
  std::vector<std::byte> rows(n * rowBytes);
  for (const auto& [field, begin] : fields) {
    const std::vector<std::byte> column = field->toHost(n);
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(&rows[i * rowBytes + begin], &column[i * field->rowBytes()], field->rowBytes());
  }
  std::vector<std::vector<std::byte>> ofRank(static_cast<std::size_t>(ranks()->size()));
  for (std::size_t i = 0; i < n; ++i) {
    const auto p = at(i);
    auto& to = ofRank[static_cast<std::size_t>(part_.domain.owner({leading32(p.x), leading32(p.y), leading32(p.z)}))];
    to.insert(to.end(), &rows[i * rowBytes], &rows[i * rowBytes] + rowBytes);
  }
  rows = ranks()->toEach(ofRank);
  const std::size_t came = rows.size() / rowBytes;
  std::vector<std::pair<int, std::size_t>> order(came);  // by cell, then as they came
  for (std::size_t i = 0; i < came; ++i) order[i] = {cellOf ? cellOf(&rows[i * rowBytes]) : 0, i};
  std::sort(order.begin(), order.end());
  ensureRoom(static_cast<int>(came));
  arrays_.count = static_cast<int>(came);
  for (const auto& [field, begin] : fields) {
    std::vector<std::byte> column(came * field->rowBytes());
    for (std::size_t i = 0; i < came; ++i)
      std::memcpy(&column[i * field->rowBytes()], &rows[order[i].second * rowBytes + begin], field->rowBytes());
    field->fromHost(column.data(), column.size());
  }
}

// Those since the last build, which the next one will not know of.
template <class P>
void BoxPopulation<P>::countCrossings() {
  Kokkos::parallel_for(
      "count crossings", Range(0, arrays_.count),
      CountCrossings<Coord>{arrays_.position->current, arrays_.built->current, arrays_.image->current});
}

}  // namespace mesowarp
