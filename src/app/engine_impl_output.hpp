// EngineOf: what leaves the device: snapshots, profiles, hash, checkpoints, failures. Included by engine_impl.hpp.
// After advance(k) the buffers `next` hold the state of step k.
#pragma once

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "app/engine_impl.hpp"
#include "app/host_loop.hpp"
#include "core/error.hpp"

namespace mesowarp {

template <class View>
auto hostCopy(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

// What is hashed of a particle.
struct HashedState {
  u64 position[3];
  double velocity[3];
};

template <class P>
struct GatherHashedState {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<Vec3<u32>> low;
  DeviceArray<Vec3<typename P::Real>> velocity;
  DeviceArray<int> indexOfTag;
  DeviceArray<HashedState> rows;
  int first;  // tag
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    using Coord = typename P::Coord;
    constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));
    const int i = indexOfTag(first + k);
    const auto p = position(i);
    const auto v = velocity(i);
    const Vec3<Coord> at{p.x, p.y, p.z};
    Vec3<u32> below{0, 0, 0};
    if constexpr (P::splitMaster) below = low(i);
    for (int axis = 0; axis < 3; ++axis) {
      rows(k).position[axis] = static_cast<u64>(at[axis]) << up | below[axis];
      rows(k).velocity[axis] = static_cast<double>(v[axis]);
    }
  }
};

template <class P>
io::Snapshot EngineOf<P>::snapshot(i64 step) const {
  const StateView<P> state = view(true);
  const auto position = hostCopy(state.position);
  const auto pairVelocity = hostCopy(state.velocity);
  const auto low = hostCopy(observedLow_);
  const auto tag = hostCopy(arrays_.tag->current);
  const auto image = hostCopy(arrays_.image->current);
  const auto built = hostCopy(arrays_.built->current);
  const auto velocity = hostCopy(observedVelocity_);
  const auto force = hostCopy(observedForce_);
  const auto mass = hostCopy(mass_);
  const std::size_t n = static_cast<std::size_t>(arrays_.count);
  io::Snapshot s;
  s.step = step;
  s.time = static_cast<double>(step) * deck_.run.timestep;
  s.box = box_.size;
  s.periodic = box_.periodic;
  s.tag.resize(n), s.species.resize(n), s.mass.resize(n), s.position.resize(3 * n), s.image.resize(3 * n);
  s.velocity.resize(velocity.extent(0) ? 3 * n : 0);
  s.force.resize(force.extent(0) ? 3 * n : 0);
  hostLoop("snapshot", 0, arrays_.count, [&](i64 i) {
    const std::size_t t = tag(i);
    const auto p = position(i);
    const Vec3<Coord> at{p.x, p.y, p.z};
    const Vec3<i32> crossed = unpackImage(image(i));
    s.tag[t] = tag(i);
    s.species[t] = static_cast<std::int32_t>(pairVelocity(i).species);
    s.mass[t] = static_cast<double>(mass(pairVelocity(i).species));
    for (int axis = 0; axis < 3; ++axis) {
      double x = toLength(box_, axis, at[axis]);
      if (P::splitMaster) x += static_cast<double>(low(i)[axis]) * box_.tick(axis, 64);
      s.position[3 * t + axis] = x < box_.size[axis] ? x : std::nextafter(box_.size[axis], 0.0);
      s.image[3 * t + axis] = crossed[axis] + (box_.periodic[axis] ? crossings(built(i)[axis], at[axis]) : 0);
      if (!s.velocity.empty()) s.velocity[3 * t + axis] = static_cast<double>(velocity(i)[axis]);
      if (!s.force.empty()) s.force[3 * t + axis] = static_cast<double>(force(i)[axis]);
    }
  });
  s.bonds = bondedTags();
  return s;
}

// Each bond once, as two tags, the lower one first, in ascending order.
template <class P>
std::vector<u32> EngineOf<P>::bondedTags() const {
  if (!arrays_.bondPartner) return {};
  const auto tag = hostCopy(arrays_.tag->current);
  const auto partner = hostCopy(arrays_.bondPartner->current);
  const std::size_t width = arrays_.bondPartner->width();
  std::vector<std::pair<u32, u32>> pairs;
  for (std::size_t slot = 0; slot < partner.extent(0); ++slot)
    if (partner(slot) != noBond && tag(slot / width) < partner(slot)) pairs.emplace_back(tag(slot / width), partner(slot));
  std::sort(pairs.begin(), pairs.end());
  std::vector<u32> tags;
  for (const auto& [a, b] : pairs) tags.insert(tags.end(), {a, b});
  return tags;
}

template <class P>
void EngineOf<P>::addProfile(int axis, std::vector<BinSums>& bins) {
  const StateView<P> state = view(true);
  const int count = static_cast<int>(bins.size());
  ProfileKernel<P> kernel{state.position, state.velocity, observedVelocity_, mass_,
                          Kokkos::View<i64* [binChannels], Memory>("profile bins", count), axis, count,
                          box_.tick(axis, 8 * sizeof(Coord)) * count / box_.size[axis]};
  addProfileSample(kernel, arrays_.count, bins);
}

// The device gathers rows in the order of tags, a piece at a time.
template <class P>
std::string EngineOf<P>::stateHash() const {
  const StateView<P> state = view(true);
  const DeviceArray<int> indexOfTag(Kokkos::view_alloc("index of tag", Kokkos::WithoutInitializing), arrays_.count);
  Kokkos::parallel_for("index tags", Range(0, arrays_.count), IndexTags{arrays_.tag->current, indexOfTag});
  const int piece = std::min(arrays_.count, 1 << 16);
  const DeviceArray<HashedState> rows(Kokkos::view_alloc("hashed state", Kokkos::WithoutInitializing), piece);
  const auto onHost = Kokkos::create_mirror_view(backend::SharedSpace(), rows);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hashing(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(hashing.get());
  for (i64 first = 0; first < arrays_.count; first += piece) {
    const int count = static_cast<int>(std::min<i64>(piece, arrays_.count - first));
    Kokkos::parallel_for("hashed state", Range(0, count),
                         GatherHashedState<P>{state.position, observedLow_, observedVelocity_, indexOfTag, rows,
                                              static_cast<int>(first)});
    Kokkos::deep_copy(onHost, rows);
    XXH3_128bits_update(hashing.get(), onHost.data(), static_cast<std::size_t>(count) * sizeof(HashedState));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(hashing.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// Waits until the device has done all that was asked of it.
template <class P>
void EngineOf<P>::settle() const {
  graph_.launch();
  if constexpr (backend::onGpu) Execution().fence();
}

template <class P>
std::optional<std::string> EngineOf<P>::failure() const {
  settle();
  for (int e = 0; e < StepFlags::events; ++e) {
    const u64 word = flags_.errors()(e);
    if (word != StepFlags::none)
      return describe(static_cast<StepFlags::Event>(e), static_cast<i64>(word >> 32), static_cast<u32>(word));
  }
  return std::nullopt;
}

// Looks for the particle's nearest neighbour to tell an overlap from a step that is too large.
template <class P>
std::string EngineOf<P>::describe(StepFlags::Event event, i64 step, u32 tag) const {
  const auto tags = hostCopy(arrays_.tag->current);
  const auto position = hostCopy(arrays_.position->current);
  int self = 0;
  while (tags(self) != tag) ++self;
  double nearest = std::numeric_limits<double>::infinity();
  u32 other = tag;
  const auto tick = ticksOf<double, Coord>(box_);
  for (int j = 0; j < arrays_.count; ++j) {
    if (j == self) continue;
    const auto r = backend::separation<double>(position(self), position(j), tick);
    const double d2 = r.x * r.x + r.y * r.y + r.z * r.z;
    if (d2 < nearest) nearest = d2, other = tags(j);
  }
  const auto p = position(self);
  const std::string where = fmt::format("particle {} at ({:.4g}, {:.4g}, {:.4g})", tag, toLength(box_, 0, p.x),
                                        toLength(box_, 1, p.y), toLength(box_, 2, p.z));
  if (event == StepFlags::bondBroken)
    return fmt::format("step {}: a FENE bond of {} is longer than r_max. Usual cause: a time step too large, r_max too "
                       "small for the initial bond_length, or forces that pull the chain apart.", step, where);
  return fmt::format("step {}: {} would move further than the cutoff ({:.4g}) in one step; its nearest neighbour, "
                     "particle {}, is {:.4g} away. Usual cause: {}. Lower run.timestep, or start from a lattice.",
                     step, where, cutoff_, other, std::sqrt(nearest),
                     std::sqrt(nearest) < 0.3 * cutoff_ ? "an overlap of the two" : "a time step too large for the forces");
}

template <class P>
EngineCounters EngineOf<P>::counters() const {
  settle();
  EngineCounters counters = counters_;
  counters.dangerousBuilds = flags_.dangerous()();
  return counters;
}

template <class P>
std::size_t EngineOf<P>::memoryBytes() const {
  const std::size_t perParticle = force_.extent(0) + observedVelocity_.extent(0) + observedForce_.extent(0);
  return arrays_.fields.bytes() + list_.bytes() + grid_.bytes() + sorter_.bytes() + workspace_.bytes() + perParticle * sizeof(Vec3<Real>) +
         observedLow_.extent(0) * sizeof(Vec3<u32>) +
         (keys_.extent(0) + indexOfTag_.extent(0)) * sizeof(u32);
}

template <class P>
std::vector<io::ArrayView> EngineOf<P>::checkpointArrays(std::vector<std::vector<std::byte>>& storage) {
  confirmList();
  std::vector<io::ArrayView> views;
  for (const auto& field : arrays_.fields.all()) {
    if (!field->has(checkpointed)) continue;
    storage.push_back(field->toHost());
    const std::size_t rowBytes = field->elementBytes() * field->width();
    views.push_back({field->name(), io::ElementType::u8, storage.back().size() / rowBytes, rowBytes, nullptr});
  }
  const std::vector<i64> counters{counters_.lastRebuild, counters_.rebuilds, static_cast<i64>(flags_.dangerous()()),
                                  static_cast<i64>(flags_.moved()())};
  const auto* bytes = reinterpret_cast<const std::byte*>(counters.data());
  storage.emplace_back(bytes, bytes + counters.size() * sizeof(i64));
  views.push_back({"engine_counters", io::ElementType::i64, counters.size(), 1, nullptr});
  for (std::size_t k = 0; k < views.size(); ++k) views[k].data = storage[k].data();
  return views;
}

template <class P>
void EngineOf<P>::restore(const io::CheckpointContent& content) {
  const auto find = [&](const std::string& name) -> const io::Array& {
    const auto it = content.arrays.find(name);
    if (it == content.arrays.end()) throw InputError("the checkpoint has no array '" + name + "': it is of another deck");
    return it->second;
  };
  for (const auto& field : arrays_.fields.all()) {
    if (!field->has(checkpointed)) continue;
    const io::Array& array = find(field->name());
    if (array.data.size() != static_cast<std::size_t>(arrays_.count) * field->width() * field->elementBytes())
      throw InputError("the checkpoint's '" + field->name() + "' has another size: it is of another deck");
    field->fromHost(array.data.data(), array.data.size());
  }
  const auto* counters = reinterpret_cast<const i64*>(find("engine_counters").data.data());
  counters_ = {counters[0], counters[1], counters[2]};
  flags_.dangerous()() = static_cast<int>(counters[2]);
  flags_.moved()() = static_cast<int>(counters[3]);
  Kokkos::parallel_for("keys of built", Range(0, arrays_.count),
                       KeysOf<Vec3<Coord>>{arrays_.built->current, grid_.indexer(), keys_});
  grid_.findBoundaries(keys_, arrays_.count);
  do buildList();
  while (!list_.complete());
}

}  // namespace mesowarp
