// Which of this rank's particles are a population's vertices, and where their neighbours are: found when the list of
// neighbours is new, as particles keep their places until the next build.
#pragma once

#include "device/memory/zeroed.hpp"
#include "physics/membrane/model/cell_sums.hpp"
#include "state/box_population.hpp"

namespace mesowarp::membrane {

// One rank has all vertices: the rows are in the order of tags.
struct RowsByTag {
  DeviceArray<VertexRow> rows;
  TagLookup indexOfTag;
  u32 firstTag;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    rows(n) = {indexOfTag(firstTag + static_cast<u32>(n)), static_cast<u32>(n)};
  }
};

// Of several, those that it has, in the order of tags, too: what is of one cell is added up by one warp
// (share_sums.hpp). Cells that have a vertex here get places of a table, one for each of their vertices.
struct FlagCells {
  DeviceArray<u32> tag;
  DeviceArray<int> slot;  // of each cell: 1: it has vertices here
  u32 firstTag, all, vertices;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const u32 number = tag(i) - firstTag;
    if (number < all) slot(number / vertices) = 1;
  }
};
struct NumberCells {
  DeviceArray<int> slot;  // then: how many of those flagged are before it; -1: it has none here
  KOKKOS_INLINE_FUNCTION void operator()(int cell, int& before, bool final) const {
    const int flagged = slot(cell);
    if (final) slot(cell) = flagged ? before : -1;
    before += flagged;
  }
};
struct FillTable {
  DeviceArray<u32> tag;
  DeviceArray<int> slot, table;
  u32 firstTag, all, vertices;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const u32 number = tag(i) - firstTag;
    if (number < all) table(static_cast<std::size_t>(slot(number / vertices)) * vertices + number % vertices) = i;
  }
};
struct NameSlots {
  DeviceArray<int> slot;
  u32 vertices;
  DeviceArray<u32> first;  // of each slot, its cell's first vertex
  KOKKOS_INLINE_FUNCTION void operator()(int cell) const {
    if (slot(cell) >= 0) first(slot(cell)) = static_cast<u32>(cell) * vertices;
  }
};
// Rows are written as far as there is room.
struct RowsOfTable {
  DeviceArray<VertexRow> rows;
  DeviceArray<int> table;
  DeviceArray<u32> first;
  u32 vertices;
  KOKKOS_INLINE_FUNCTION void operator()(int at, int& before, bool final) const {
    const int particle = table(at);
    if (particle < 0) return;
    if (final && static_cast<std::size_t>(before) < rows.extent(0)) {
      const u32 place = static_cast<u32>(at);
      rows(before) = {particle, first(place / vertices) + place % vertices};
    }
    ++before;
  }
};

template <class Real>
struct FindRings {
  DeviceArray<VertexRow> rows;
  TagLookup indexOfTag;
  DeviceArray<i32> around, ring, beyond;  // of the mesh
  Kokkos::View<int**, Memory> ringIndex, beyondIndex;
  u32 firstTag;
  int vertices, most;
  KOKKOS_INLINE_FUNCTION void operator()(int n) const {
    const u32 number = rows(n).number, vertex = number % static_cast<u32>(vertices);
    const u32 cell = firstTag + number - vertex;
    for (int k = 0; k < around(vertex); ++k) {
      const std::size_t slot = static_cast<std::size_t>(vertex) * most + k;
      ringIndex(n, k) = indexOfTag(cell + static_cast<u32>(ring(slot)));
      beyondIndex(n, k) = indexOfTag(cell + static_cast<u32>(beyond(slot)));
    }
  }
};

// For all that a rank's own vertices know.
template <class Coord>
struct LookForRings {
  DeviceArray<u32> tag;
  DeviceArray<i32> around, ring, beyond;  // of the mesh
  u32 firstTag, all, vertices;
  int most;
  AskForPartner<Coord> ask;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const u32 number = tag(i) - firstTag;
    if (number >= all || !ask.of(i)) return;
    const u32 vertex = number % vertices, cell = firstTag + number - vertex;
    for (int k = 0; k < around(vertex); ++k) {
      const std::size_t slot = static_cast<std::size_t>(vertex) * most + k;
      ask(i, cell + static_cast<u32>(ring(slot))), ask(i, cell + static_cast<u32>(beyond(slot)));
    }
  }
};

template <class P>
class VertexRows {
public:
  using Real = typename P::Real;
  VertexRows(u32 firstTag, i64 vertices) : firstTag_(firstTag), all_(vertices) {}
  int count() const { return count_; }
  const DeviceArray<VertexRow>& rows() const { return rows_; }
  const Kokkos::View<int**, Memory>& ring() const { return ring_; }
  const Kokkos::View<int**, Memory>& beyond() const { return beyond_; }
  std::size_t bytes() const {
    return rows_.extent(0) * sizeof(VertexRow) + (ring_.size() + beyond_.size()) * sizeof(int) +
           (slot_.extent(0) + table_.extent(0) + first_.extent(0)) * sizeof(int);
  }

  void find(const BoxPopulation<P>& population, const MeshOnDevice<Real>& mesh) {
    if (population.ranks()) {
      findOwn(population.arrays().tag->current, population.count(), static_cast<u32>(mesh.vertices), mesh.most);
    } else {
      count_ = static_cast<int>(all_);
      ensureRoom(mesh.most);
      Kokkos::parallel_for("membrane vertices", Range(0, count_), RowsByTag{rows_, population.indexOfTag(), firstTag_});
    }
    Kokkos::parallel_for("membrane rings", Range(0, count_),
                         FindRings<Real>{rows_, population.indexOfTag(), mesh.around, mesh.ring, mesh.beyond, ring_,
                                         beyond_, firstTag_, mesh.vertices, mesh.most});
  }

  void lookFor(const BoxPopulation<P>& population, const MeshOnDevice<Real>& mesh, const PartnerSearch& search) const {
    Kokkos::parallel_for("look for rings", Range(0, population.count()),
                         LookForRings<typename P::Coord>{population.arrays().tag->current, mesh.around, mesh.ring,
                                                         mesh.beyond, firstTag_, static_cast<u32>(all_),
                                                         static_cast<u32>(mesh.vertices), mesh.most,
                                                         population.askForPartner(search)});
  }

private:
  void findOwn(const DeviceArray<u32>& tag, int particles, u32 vertices, int most) {
    const u32 all = static_cast<u32>(all_);
    const int cells = static_cast<int>(all / vertices);
    if (slot_.extent(0) == 0) slot_ = DeviceArray<int>("slots of cells", static_cast<std::size_t>(cells));
    clearOn(Execution(), slot_);
    Kokkos::parallel_for("membrane cells here", Range(0, particles), FlagCells{tag, slot_, firstTag_, all, vertices});
    int here = 0;
    Kokkos::parallel_scan("membrane cells here", Range(0, cells), NumberCells{slot_}, here);
    if (static_cast<std::size_t>(here) > first_.extent(0)) {
      const std::size_t room = static_cast<std::size_t>(here) + static_cast<std::size_t>(here) / 8 + 8;
      first_ = DeviceArray<u32>("first vertices of cells", room);
      table_ = DeviceArray<int>("places of vertices", room * vertices);
    }
    const int places = here * static_cast<int>(vertices);
    fillOn(Execution(), table_.data(), 0xFF, table_.extent(0) * sizeof(int));  // -1
    Kokkos::parallel_for("membrane cells here", Range(0, cells), NameSlots{slot_, vertices, first_});
    Kokkos::parallel_for("membrane vertices", Range(0, particles),
                         FillTable{tag, slot_, table_, firstTag_, all, vertices});
    const auto write = [&] {
      Kokkos::parallel_scan("membrane vertices", Range(0, places), RowsOfTable{rows_, table_, first_, vertices},
                            count_);
    };
    write();
    if (ensureRoom(most)) write();
  }
  bool ensureRoom(int most) {
    if (static_cast<std::size_t>(count_) <= rows_.extent(0)) return false;
    const std::size_t room = static_cast<std::size_t>(count_) + static_cast<std::size_t>(count_) / 8 + 64;
    rows_ = DeviceArray<VertexRow>("membrane vertices", room);
    ring_ = Kokkos::View<int**, Memory>("membrane rings", room, most);
    beyond_ = Kokkos::View<int**, Memory>("membrane beyond rings", room, most);
    return true;
  }
  u32 firstTag_;
  i64 all_;
  int count_ = 0;
  DeviceArray<VertexRow> rows_;
  Kokkos::View<int**, Memory> ring_, beyond_;
  // Of several ranks: of each cell a slot, if it has vertices here; of each slot its first vertex, and for each vertex
  // the particle; -1: it is not here.
  DeviceArray<int> slot_, table_;
  DeviceArray<u32> first_;
};

}  // namespace mesowarp::membrane
