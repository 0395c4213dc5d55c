// Which of this rank's particles are a population's vertices, and where their neighbours are: found when the list of
// neighbours is new, as particles keep their places until the next build.
#pragma once

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

// Of several, those that it has, in the order of particles. final: rows are written; else they are counted.
struct RowsByParticle {
  DeviceArray<VertexRow> rows;
  DeviceArray<u32> tag;
  u32 firstTag, vertices;  // of all cells
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& before, bool final) const {
    const u32 number = tag(i) - firstTag;
    if (number >= vertices) return;
    if (final && static_cast<std::size_t>(before) < rows.extent(0)) rows(before) = {i, number};
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
    return rows_.extent(0) * sizeof(VertexRow) + (ring_.size() + beyond_.size()) * sizeof(int);
  }

  void find(const BoxPopulation<P>& population, const MeshOnDevice<Real>& mesh) {
    if (population.ranks()) {
      const RowsByParticle some{rows_, population.arrays().tag->current, firstTag_, static_cast<u32>(all_)};
      Kokkos::parallel_scan("membrane vertices", Range(0, population.count()), some, count_);
      if (ensureRoom(mesh.most))
        Kokkos::parallel_scan("membrane vertices", Range(0, population.count()),
                              RowsByParticle{rows_, some.tag, firstTag_, some.vertices}, count_);
    } else {
      count_ = static_cast<int>(all_);
      ensureRoom(mesh.most);
      Kokkos::parallel_for("membrane vertices", Range(0, count_), RowsByTag{rows_, population.indexOfTag(), firstTag_});
    }
    Kokkos::parallel_for("membrane rings", Range(0, count_),
                         FindRings<Real>{rows_, population.indexOfTag(), mesh.around, mesh.ring, mesh.beyond, ring_,
                                         beyond_, firstTag_, mesh.vertices, mesh.most});
  }

private:
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
};

}  // namespace mesowarp::membrane
