// Where the particle of a tag lies on this rank, own or ghost: what bonds, angles, dihedrals and membranes ask for
// their partners. Made anew in each build of the neighbour list.
//
// On one rank it is an array over all tags. On several its memory must grow with a rank's own particles and ghosts, not
// with all: a table of open addressing, 12 bytes for each that there is room for. Threads fill it in any order, and
// slots then differ from run to run, but not what is found: of two particles of one tag the first one, of those that
// are as their owner has them, if there are any (a sheared box' ghosts beyond its faces are not).
#pragma once

#include "core/types.hpp"
#include "device/config.hpp"
#include "device/memory/zeroed.hpp"
#include "grid/ghost_margin.hpp"
#include "grid/shear_images.hpp"

namespace mesowarp {

struct TagLookup {
  static constexpr u32 nobody = ~u32{0}, moved = u32{1} << 31;  // of an index: it is an image that has been moved
  DeviceArray<int> ofAll;                                       // of each tag; not used where there is a table
  DeviceArray<u32> tag;                                         // of each slot; nobody: it is free
  DeviceArray<u32> index;                                       // of each slot
  u32 slots = 0;                                                // 0: there is no table

  // The index of a particle or ghost; -1: it is not here. tag: below the number of all particles.
  KOKKOS_INLINE_FUNCTION int operator()(u32 wanted) const {
    if (slots == 0) return ofAll(wanted);
    for (u32 s = firstSlot(wanted);; s = behind(s)) {
      const u32 found = tag(s);
      if (found == wanted) return static_cast<int>(index(s) & ~moved);
      if (found == nobody) return -1;
    }
  }
  // Where the search for a tag begins, and how it goes on.
  KOKKOS_INLINE_FUNCTION u32 firstSlot(u32 wanted) const {
    return static_cast<u32>(static_cast<u64>(wanted * 0x9E3779B1u) * slots >> 32);
  }
  KOKKOS_INLINE_FUNCTION u32 behind(u32 slot) const { return slot + 1 == slots ? 0 : slot + 1; }
};

// Which of the particles behind a rank's own are images that have been moved.
struct MovedGhosts {
  GhostWays ways;
  int firstGhost = -1;  // negative: none is
  KOKKOS_INLINE_FUNCTION bool operator()(int i) const {
    return firstGhost >= 0 && i >= firstGhost && ways(i - firstGhost) != 0;
  }
};

// Whether all whom particles ask for are here, and will be at the next build.
struct PartnerSearch {
  static constexpr int missing = 4;  // beside GhostMargin's
  using Found = Kokkos::View<int, backend::SharedSpace>;
  Found found{"partners out of sight"};  // of these, what is so of anybody
  bool all = true;                       // asks of all particles, not of those alone that are near a face
  GhostMargin margin;                    // who may be missing by the next build
};

// In a kernel over a rank's particles.
template <class Coord>
class AskForPartner {
public:
  AskForPartner(const PartnerSearch& search, const TagLookup& indexOfTag, const DeviceArray<Vec3<Coord>>& built)
      : indexOfTag_(indexOfTag), built_(built), margin_(search.margin), found_(search.found), all_(search.all) {}

  // Whether to ask for those of particle i.
  KOKKOS_INLINE_FUNCTION bool of(int i) const { return all_ || margin_.near(leading(i).of); }
  KOKKOS_INLINE_FUNCTION void operator()(int i, u32 tag) const {
    const int partner = indexOfTag_(tag);
    const int found = partner < 0 ? PartnerSearch::missing : margin_(leading(i).of, leading(partner).of);
    if (found != GhostMargin::fine) Kokkos::atomic_or(&found_(), found);
  }

private:
  struct Leading {
    u32 of[3];
  };
  KOKKOS_INLINE_FUNCTION Leading leading(int i) const {
    const Vec3<Coord> x = built_(i);
    return {{leading32(x.x), leading32(x.y), leading32(x.z)}};
  }
  TagLookup indexOfTag_;
  DeviceArray<Vec3<Coord>> built_;  // of particles and ghosts
  GhostMargin margin_;
  PartnerSearch::Found found_;
  bool all_;
};

struct FillTagLookup {
  DeviceArray<u32> tags;
  TagLookup lookup;
  MovedGhosts isMoved;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const u32 own = tags(i);
    if (lookup.slots == 0) {
      lookup.ofAll(own) = i;
      return;
    }
    for (u32 s = lookup.firstSlot(own);; s = lookup.behind(s)) {
      const u32 there = Kokkos::atomic_compare_exchange(&lookup.tag(s), TagLookup::nobody, own);
      if (there != TagLookup::nobody && there != own) continue;
      Kokkos::atomic_fetch_min(&lookup.index(s), static_cast<u32>(i) | (isMoved(i) ? TagLookup::moved : 0));
      return;
    }
  }
};

// The memory of a lookup.
class TagTable {
public:
  TagTable() = default;
  // shared: among ranks, so that a rank has some of the tags only.
  TagTable(std::size_t allTags, bool shared) : shared_(shared) {
    if (!shared) lookup_.ofAll = zeroedArray<int>("index of tag", allTags);
  }
  // Of the first `stored` of these tags, where there is room for so many particles.
  void build(const DeviceArray<u32>& tags, int stored, int room, const MovedGhosts& isMoved = {}) {
    if (shared_) {
      const u32 slots = static_cast<u32>(room) + static_cast<u32>(room) / 2 + 16;
      if (slots > lookup_.slots) {
        lookup_.slots = slots;
        lookup_.tag = DeviceArray<u32>(Kokkos::view_alloc("tags looked up", Kokkos::WithoutInitializing), slots);
        lookup_.index = DeviceArray<u32>(Kokkos::view_alloc("indices of tags", Kokkos::WithoutInitializing), slots);
      }
      static_assert(TagLookup::nobody == ~u32{0});
      for (const auto& of : {lookup_.tag, lookup_.index})
        fillOn(Execution(), of.data(), 0xFF, of.extent(0) * sizeof(u32));
    }
    Kokkos::parallel_for("index tags", Range(0, stored), FillTagLookup{tags, lookup_, isMoved});
  }
  const TagLookup& lookup() const { return lookup_; }
  std::size_t bytes() const {
    return (lookup_.ofAll.extent(0) + lookup_.tag.extent(0) + lookup_.index.extent(0)) * sizeof(u32);
  }

private:
  bool shared_ = false;
  TagLookup lookup_;
};

}  // namespace mesowarp
