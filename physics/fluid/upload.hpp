// From the host's particles to a population's arrays on the device, by all threads of the host; on a GPU piece by piece
// through a small pinned buffer.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "device/config.hpp"
#include "device/host_loop.hpp"
#include "device/memory/bytes.hpp"
#include "start/host_particles.hpp"
#include "state/box_population.hpp"
#include "state/particles.hpp"

namespace mesowarp {

template <class T, class Element>
struct StoreElements {
  T* to;
  i64 first;
  Element element;
  void operator()(i64 k) const { to[k] = element(first + k); }
};

// Fills the first `count` elements of an array with element(i), computed by the host's threads. On a GPU it travels in
// pieces through a small buffer that the device reads by itself, so the host needs no second copy of the particles.
template <class T, class Element>
void upload(const DeviceArray<T>& array, i64 count, const Element& element) {
  if constexpr (backend::onGpu) {
    const i64 most = std::min<i64>(count, i64{1} << 21);
    const Kokkos::View<T*, backend::SharedSpace> piece(Kokkos::view_alloc("upload", Kokkos::WithoutInitializing), most);
    for (i64 first = 0; first < count; first += most) {
      const i64 last = std::min(count, first + most);
      hostLoop("upload", 0, last - first, StoreElements<T, Element>{piece.data(), first, element});
      copyToDevice(array.data() + first, piece.data(), static_cast<std::size_t>(last - first) * sizeof(T));
    }
  } else {
    hostLoop("upload", 0, count, StoreElements<T, Element>{array.data(), 0, element});
  }
}

// The elements. Pair forces read the leading bits of coordinates, and rounded velocities; where
// the integrator has more, the rest is `low`.
struct TagsOf {
  const u32* tag;  // null: a particle's number is its tag
  u32 operator()(i64 i) const { return tag ? tag[i] : static_cast<u32>(i); }
};

template <class P>
struct InitialPosition {
  const std::array<u64, 3>* x;
  TagsOf tags;
  StepKey key;  // of step 0
  static constexpr int down = 64 - 8 * static_cast<int>(sizeof(typename P::Coord));

  PairPosition<typename P::Coord> operator()(i64 i) const {
    using Coord = typename P::Coord;
    return {static_cast<Coord>(x[i][0] >> down), static_cast<Coord>(x[i][1] >> down),
            static_cast<Coord>(x[i][2] >> down), signature(tags(i), key)};
  }
};

struct InitialPositionLow {
  const std::array<u64, 3>* x;
  Vec3<u32> operator()(i64 i) const {
    return {static_cast<u32>(x[i][0]), static_cast<u32>(x[i][1]), static_cast<u32>(x[i][2])};
  }
};

template <class Store>
struct InitialVelocity {
  const std::array<double, 3>* v;
  const u32* species;
  PairVelocity<Store> operator()(i64 i) const { return {Store(v[i][0]), Store(v[i][1]), Store(v[i][2]), species[i]}; }
};

template <class Store>
struct InitialVelocityLow {
  const std::array<double, 3>* v;
  static Store low(double x) { return Store(x - Store(x)); }
  Vec3<Store> operator()(i64 i) const { return {low(v[i][0]), low(v[i][1]), low(v[i][2])}; }
};

struct InitialImage {
  const std::array<i32, 3>* image;  // null: 0 everywhere
  u64 operator()(i64 i) const {
    return image ? packImage({image[i][0], image[i][1], image[i][2]}) : packImage({0, 0, 0});
  }
};

// Each bond in a slot of both its particles, as far as these are this rank's.
template <class P>
void uploadBonds(BoxPopulation<P>& population, const HostParticles& state, const TagsOf& tags) {
  auto& arrays = population.arrays();
  const int n = state.count();
  const std::size_t width = arrays.bondPartner->width();
  LargeVector<u32> partner(n * width);
  LargeVector<i32> type(n * width);
  LargeVector<int> used(n);
  hostLoop("no bonds", 0, n, [&](i64 i) {
    used[i] = 0;
    for (std::size_t slot = i * width; slot < (i + 1) * width; ++slot) partner[slot] = noBond, type[slot] = 0;
  });
  std::vector<int> placeOf(static_cast<std::size_t>(population.total()), -1);
  for (int i = 0; i < n; ++i) placeOf[tags(i)] = i;
  for (const auto& bond : state.bonds) {
    for (const auto& [from, to] : {std::pair{bond.a, bond.b}, std::pair{bond.b, bond.a}}) {
      const int i = placeOf[from];
      if (i < 0) continue;  // another rank's
      const std::size_t slot = i * width + used[i]++;
      partner[slot] = to;
      type[slot] = bond.type;
    }
  }
  arrays.bondPartner->fromHost(reinterpret_cast<const std::byte*>(partner.data()), partner.size() * sizeof(u32));
  arrays.bondType->fromHost(reinterpret_cast<const std::byte*>(type.data()), type.size() * sizeof(i32));
}

template <class P>
void upload(BoxPopulation<P>& population, const HostParticles& state, u64 seed) {
  using Store = typename P::Store;
  auto& arrays = population.arrays();
  const int n = state.count();
  const auto* x = state.position.data();
  const auto* v = state.velocity.data();
  const TagsOf tags{state.tag.empty() ? nullptr : state.tag.data()};
  upload(arrays.position->current, n, InitialPosition<P>{x, tags, stepKey(seed, Stream::pairNoise, 0)});
  upload(arrays.velocity->current, n, InitialVelocity<Store>{v, state.species.data()});
  if (arrays.positionLow) upload(arrays.positionLow->current, n, InitialPositionLow{x});
  if (arrays.velocityLow) upload(arrays.velocityLow->current, n, InitialVelocityLow<Store>{v});
  upload(arrays.tag->current, n, tags);
  upload(arrays.image->current, n, InitialImage{state.image.empty() ? nullptr : state.image.data()});
  if (arrays.bondPartner) uploadBonds(population, state, tags);
}

}  // namespace mesowarp
